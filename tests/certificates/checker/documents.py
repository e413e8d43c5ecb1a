"""Hand-made certificate documents, one or more for each kind, worked out on paper from the cited examples.

Nothing of the package under test is imported: the digest is computed here from its definition.
"""

from __future__ import annotations

import copy
import hashlib
import json
from typing import Any

from tests.certificates.checker.divergence_documents import DIVERGENCES
from tests.certificates.checker.gdp_profile_documents import GDP_PROFILES
from tests.certificates.checker.interactive_documents import INTERACTIVE
from tests.certificates.checker.statistics_documents import STATISTICS

Document = dict[str, Any]


def canonical_json(value: Any) -> str:
    """Canonical JSON, the text that is hashed."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def sha256(value: Any) -> str:
    """The hash of the canonical JSON of a value."""
    return hashlib.sha256(canonical_json(value).encode("utf-8", "surrogatepass")).hexdigest()


def sealed(document: Document) -> Document:
    """The document with the digest that belongs to it."""
    body = {key: value for key, value in document.items() if key != "digest"}
    return {**body, "digest": sha256(body)}


def certificate(kind: str, **fields: Any) -> Document:
    """A sealed document of a kind."""
    return sealed({"certificate": kind, "version": 1, **copy.deepcopy(fields)})


def channel(*rows: str) -> Document:
    """A channel, each row written as numbers with spaces between."""
    return {"matrix": [row.split() for row in rows]}


def witness(rows: int, columns: int, *entries: tuple[int, int, str]) -> Document:
    """A witness of the given entries."""
    return {"rows": rows, "columns": columns, "entries": [list(entry) for entry in entries]}


def weight(coefficient: str, exp: str = "0", **roots: str) -> Document:
    """A term of a SUM; roots are written b2="1/2" for the square root of 2."""
    return {"coefficient": coefficient, "exp": exp, "roots": {base[1:]: root for base, root in roots.items()}}


RESPONSE = channel("3/4 1/4", "1/4 3/4")
FIGURE_4_C = channel("9/10 1/10", "1/2 1/2")
FIGURE_4_M = channel("9/10 1/10", "4/5 1/5")
EXAMPLE_9 = channel("1/10 27/40 9/40 0", "0 9/40 27/40 1/10")
EXAMPLE_9_CURVE = [["0", "9/10"], ["9/40", "9/40"], ["9/10", "0"], ["1", "0"]]
PARALLEL = channel("0 0 1/6 1/3 1/6 1/3", "1/3 1/6 0 0 1/3 1/6")

# The least common refinement-lower channel of three facets (1/4, 1/2), (1/2, 3/10), (3/4, 0): the middle one is no
# corner.  Each witness solves glb . W = member column by column.
GLB_FIELDS: Document = {
    "channels": [channel("3/4 1/4", "1/2 1/2"), channel("1/2 1/2", "3/10 7/10"), channel("1/4 3/4", "0 1")],
    "glb": channel("1/4 1/2 1/4", "0 1/2 1/2"),
    "witnesses": [
        witness(3, 2, (0, 0, "1"), (1, 0, "1"), (2, 1, "1")),
        witness(3, 2, (0, 0, "1"), (1, 0, "2/5"), (1, 1, "3/5"), (2, 0, "1/5"), (2, 1, "4/5")),
        witness(3, 2, (0, 0, "1"), (1, 1, "1"), (2, 1, "1")),
    ],
    "corners": [
        {"alpha": "0", "beta": "1", "combination": [{"member": 1, "level": "inf", "weight": "1"}]},
        {"alpha": "1/4", "beta": "1/2", "combination": [{"member": 0, "level": "2", "weight": "1"}]},
        {"alpha": "3/4", "beta": "0", "combination": [{"member": 2, "level": "4/3", "weight": "1"}]},
        {
            "alpha": "1",
            "beta": "0",
            "combination": [
                {"member": 0, "level": "0", "weight": "1/3"},
                {"member": 2, "level": "0", "weight": "2/3"},
            ],
        },
    ],
}

# Lines 1 - 3a/2 and 2/3 - 2a/3 cross at 2/5: the pointwise maximum of the two curves has the corner (2/5, 2/5).
LUB_FIELDS: Document = {
    "channels": [channel("3/4 1/4", "1/2 1/2"), channel("1/2 1/2", "1/4 3/4")],
    "lub": channel("3/5 2/5", "2/5 3/5"),
    "witnesses": [
        witness(2, 2, (0, 0, "4/5"), (0, 1, "1/5"), (1, 1, "1")),
        witness(2, 2, (0, 0, "1"), (1, 0, "1/5"), (1, 1, "4/5")),
    ],
    "levels": [{"level": "2/3", "member": 0}, {"level": "3/2", "member": 1}],
}

# P = (e, 1)/(e + 1), Q = (1, e)/(e + 1): pure with epsilon 1 exactly, and e > 2.
LOGISTIC = [[[weight("1", "1")], [weight("1")]], [[weight("1")], [weight("1", "1")]]]
# P = (sqrt 2, 1), Q = (1, 1) up to their totals; the last column vanishes in Q.
ROOTED = [
    [[weight("1", b2="1/2")], [weight("1/3", "-1/2"), weight("1")], [weight("1/50")]],
    [[weight("1")], [weight("1")], []],
]


DOCUMENTS: dict[str, Document] = {
    "refinement: example 3": certificate(
        "refinement",
        left=FIGURE_4_C,
        right=FIGURE_4_M,
        witness=witness(2, 2, (0, 0, "37/40"), (0, 1, "3/40"), (1, 0, "27/40"), (1, 1, "13/40")),
    ),
    "refinement: three rows": certificate(
        "refinement",
        left=channel("1 0 0", "0 1 0", "0 0 1"),
        right=channel("1/2 1/2", "1/3 2/3", "0 1"),
        witness=witness(3, 2, (0, 0, "1/2"), (0, 1, "1/2"), (1, 0, "1/3"), (1, 1, "2/3"), (2, 1, "1")),
    ),
    "refinement: partial": certificate(
        "refinement",
        left=channel("1/3 1/3", "0 2/3"),
        right=channel("1/3 1/6 1/6", "0 1/3 1/3"),
        witness=witness(2, 3, (0, 0, "1"), (1, 1, "1/2"), (1, 2, "1/2")),
    ),
    "separating_gain: the first or the second row": certificate(
        "separating_gain",
        left=channel("1/2 1/2", "1/2 1/2", "0 1"),
        right=channel("1 0", "0 1", "1/2 1/2"),
        gain=[["1", "0", "0"], ["0", "1", "0"]],
        left_value="1/3",
        right_value="2/3",
    ),
    "separating_level: figure 4": certificate(
        "separating_level", left=FIGURE_4_M, right=FIGURE_4_C, h="13/10", left_value="7/100", right_value="37/100"
    ),
    "glb: three facets": certificate("glb", **GLB_FIELDS),
    "glb: with disjoint supports": certificate(
        "glb",
        channels=[channel("1/2 1/2 0", "1/4 1/4 1/2")],
        glb=channel("1 0", "1/2 1/2"),
        witnesses=[witness(2, 3, (0, 0, "1/2"), (0, 1, "1/2"), (1, 2, "1"))],
        corners=[
            {"alpha": "0", "beta": "1/2", "combination": [{"member": 0, "level": "inf", "weight": "1"}]},
            {"alpha": "1", "beta": "0", "combination": [{"member": 0, "level": "1/2", "weight": "1"}]},
        ],
    ),
    "lub: two responses": certificate("lub", **LUB_FIELDS),
    "tradeoff: example 9": certificate(
        "tradeoff",
        channel=EXAMPLE_9,
        corners=[
            {"alpha": "0", "beta": "9/10", "event": "inf", "support": "3"},
            {"alpha": "9/40", "beta": "9/40", "event": "3", "support": "3"},
            {"alpha": "9/10", "beta": "0", "event": "1/3", "support": "1/3"},
            {"alpha": "1", "beta": "0", "event": "0", "support": "0"},
        ],
    ),
    "dp_held: randomized response": certificate(
        "dp_held",
        channel=RESPONSE,
        claim={"exp_epsilon": "3", "delta": "0"},
        direction="both",
        level="3",
        witness=witness(4, 2, (0, 0, "1"), (1, 0, "1"), (2, 1, "1"), (3, 1, "1")),
    ),
    # e^(11/10) = 3.004...
    "dp_held: transcendental": certificate(
        "dp_held",
        channel=RESPONSE,
        claim={"epsilon": "11/10", "delta": "0"},
        direction="forward",
        level="3",
        witness=witness(3, 2, (0, 0, "1"), (1, 0, "3/4"), (1, 1, "1/4"), (2, 1, "1")),
    ),
    "dp_held: infinite": certificate(
        "dp_held",
        channel=channel("1 0", "1/2 1/2"),
        claim={"exp_epsilon": "inf", "delta": "1/2"},
        direction="backward",
        level="2",
        witness=witness(3, 2, (0, 1, "1"), (1, 0, "1"), (2, 0, "1")),
    ),
    # The least delta of figure 4's M at e^epsilon = 3/2 is 1/20.
    "dp_refuted: figure 4": certificate(
        "dp_refuted",
        channel=FIGURE_4_M,
        claim={"exp_epsilon": "3/2", "delta": "1/25"},
        direction="backward",
        level="3/2",
        event=[1],
        p="1/10",
        q="1/5",
    ),
    # e^(2/5) = 1.4918...
    "dp_refuted: transcendental": certificate(
        "dp_refuted",
        channel=channel("1/10 9/10", "0 1"),
        claim={"epsilon": "2/5", "delta": "1/20"},
        direction="forward",
        level="3/2",
        event=[0],
        p="1/10",
        q="0",
    ),
    "dp_refuted: infinite": certificate(
        "dp_refuted",
        channel=channel("1 0", "1/2 1/2"),
        claim={"exp_epsilon": "inf", "delta": "1/4"},
        direction="backward",
        level="inf",
        event=[1],
        p="0",
        q="1/2",
    ),
    "tradeoff_held: corollary 3": certificate(
        "tradeoff_held",
        channel=RESPONSE,
        tradeoff=EXAMPLE_9_CURVE,
        direction="both",
        witnesses={
            "forward": witness(
                4, 2, (0, 0, "1"), (1, 0, "17/18"), (1, 1, "1/18"), (2, 0, "1/18"), (2, 1, "17/18"), (3, 1, "1")
            ),
            "backward": witness(
                4, 2, (0, 1, "1"), (1, 0, "1/18"), (1, 1, "17/18"), (2, 0, "17/18"), (2, 1, "1/18"), (3, 0, "1")
            ),
        },
    ),
    # The parallel composition that refutes the printed bound: T(1/6) = 1/6, the bound says 1/3.
    "tradeoff_refuted: parallel": certificate(
        "tradeoff_refuted",
        channel=PARALLEL,
        tradeoff=[["0", "1/2"], ["1/2", "0"], ["1", "0"]],
        direction="forward",
        event=[0, 1, 4],
        alpha="1/6",
        beta="1/6",
        claimed="1/3",
    ),
    "formal_claim: equality": certificate(
        "formal_claim",
        rows=LOGISTIC,
        claim={"epsilon": "1", "delta": "0"},
        direction="both",
        holds=True,
        event=None,
    ),
    "formal_claim: refuted": certificate(
        "formal_claim",
        rows=LOGISTIC,
        claim={"epsilon": "1/2", "delta": "1/5"},
        direction="forward",
        holds=False,
        event=[0],
    ),
    "formal_claim: trade-off": certificate(
        "formal_claim",
        rows=LOGISTIC,
        claim={"tradeoff": [["0", "1"], ["1/4", "1/4"], ["1", "0"]]},
        direction="both",
        holds=True,
        event=None,
    ),
    "formal_claim: trade-off refuted": certificate(
        "formal_claim",
        rows=LOGISTIC,
        claim={"tradeoff": [["0", "1"], ["1/3", "1/3"], ["1", "0"]]},
        direction="forward",
        holds=False,
        event=[1],
    ),
    "formal_claim: roots": certificate(
        "formal_claim",
        rows=ROOTED,
        claim={"exp_epsilon": "3/2", "delta": "1/40"},
        direction="forward",
        holds=True,
        event=None,
    ),
    "formal_claim: infinite": certificate(
        "formal_claim",
        rows=ROOTED,
        claim={"exp_epsilon": "inf", "delta": "1/200"},
        direction="forward",
        holds=False,
        event=[2],
    ),
    # Pre-processing with a negative determinant: T(swap . M)(5/12) = 1/6 is below T(M)(5/12) = 7/24.
    "evaluation: pre-processing": certificate(
        "evaluation",
        facts=[
            {
                "fact": "product",
                "left": [["0", "1"], ["1", "0"]],
                "right": [["1", "0"], ["1/2", "1/2"]],
                "product": [["1/2", "1/2"], ["1", "0"]],
            },
            {"fact": "curve_value", "channel": channel("1 0", "1/2 1/2"), "alpha": "5/12", "value": "7/24"},
            {"fact": "curve_value", "channel": channel("1/2 1/2", "1 0"), "alpha": "5/12", "value": "1/6"},
            {"fact": "compare", "left": {"fact": 2}, "relation": "<", "right": {"fact": 1}},
        ],
    ),
    "evaluation: every other fact": certificate(
        "evaluation",
        facts=[
            {"fact": "event_sum", "matrix": PARALLEL["matrix"], "row": 1, "event": [0, 1, 4], "value": "5/6"},
            {"fact": "curve_value", "tradeoff": EXAMPLE_9_CURVE, "alpha": "9/20", "value": "3/20"},
            {"fact": "hockey_stick", "channel": FIGURE_4_M, "level": "3/2", "direction": "backward", "value": "1/20"},
            {
                "fact": "vulnerability",
                "channel": channel("2/5 3/5", "4/5 1/5"),
                "gain": [["3/5", "0"], ["0", "1"]],
                "value": "29/50",
            },
            {"fact": "equivalent", "left": channel("1/2 1/2", "1/2 1/2"), "right": channel("1 0", "1 0")},
            {"fact": "bracket", "function": "exp", "argument": "1", "lo": "271/100", "hi": "68/25"},
            {"fact": "bracket", "function": "log", "argument": "2", "lo": "69/100", "hi": "7/10"},
            {"fact": "combination", "terms": [["2", {"fact": 3}], ["-1", {"fact": 6, "end": "lo"}]], "value": "47/100"},
            {"fact": "compare", "left": {"fact": 5, "end": "hi"}, "relation": ">=", "right": {"fact": 0}},
            {"fact": "compare", "left": {"fact": 7}, "relation": "!=", "right": "12/25"},
            {"fact": "bracket", "function": "normal", "argument": "-1/2", "lo": "3/10", "hi": "31/100"},
            {"fact": "compare", "left": {"fact": 10, "end": "hi"}, "relation": "<", "right": {"fact": 3}},
        ],
    ),
    "coupling: maximal": certificate(
        "coupling",
        first=["1/2", "1/2", "0"],
        second=["1/4", "1/4", "1/2"],
        fact="maximal",
        distances=None,
        entries=[[0, 0, "1/4"], [0, 2, "1/4"], [1, 1, "1/4"], [1, 2, "1/4"]],
    ),
    "coupling: nearest": certificate(
        "coupling",
        first=["1/3", "2/3"],
        second=["1/3", "1/3", "1/3"],
        fact="nearest",
        distances=[["1", "inf", "2"], ["3", "2", "2"]],
        entries=[[0, 0, "1/3"], [1, 1, "1/3"], [1, 2, "1/3"]],
    ),
    "no_coupling: too much mass on the first outcome": certificate(
        "no_coupling",
        first=["2/3", "1/3"],
        second=["1/2", "1/6", "1/3"],
        fact="nearest",
        distances=[["1", "inf", "2"], ["3", "2", "2"]],
        event=[0],
        event_mass="2/3",
        allowed_mass="1/2",
    ),
    "no_coupling: unreachable": certificate(
        "no_coupling",
        first=["1/2", "1/4", "1/4"],
        second=["1/2", "1/2"],
        fact="finite",
        distances=[["0", "1"], ["1/2", "inf"], ["inf", "inf"]],
        event=[2],
        event_mass="1/4",
        allowed_mass="0",
    ),
    "transport: two by three": certificate(
        "transport",
        first=["1/2", "1/2"],
        second=["1/4", "1/4", "1/2"],
        costs=[["0", "1", "3"], ["2", "inf", "1"]],
        entries=[[0, 0, "1/4"], [0, 1, "1/4"], [1, 2, "1/2"]],
        value="3/4",
        first_potentials=["0", "0"],
        second_potentials=["0", "1", "1"],
    ),
}
DOCUMENTS |= {name: certificate(kind, **fields) for name, (kind, fields) in INTERACTIVE.items()}
DOCUMENTS |= {name: certificate(kind, **fields) for name, (kind, fields) in GDP_PROFILES.items()}
DOCUMENTS |= {name: certificate(kind, **fields) for name, (kind, fields) in DIVERGENCES.items()}
DOCUMENTS |= {name: certificate(kind, **fields) for name, (kind, fields) in STATISTICS.items()}
KINDS = sorted({document["certificate"] for document in DOCUMENTS.values()})


def of_kind(*kinds: str) -> dict[str, Document]:
    """The hand-made documents of the given kinds."""
    return {name: document for name, document in DOCUMENTS.items() if document["certificate"] in kinds}
