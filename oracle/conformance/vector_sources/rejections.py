"""Questions that have no answer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from oracle.conformance.vector_sources.catalogue import CHANNELS, DONG, DWORK, node
from oracle.conformance.vector_sources.drafts import Question, Topic

__all__ = ["topics"]

_GOOD: Final = CHANNELS["rr-3of4"][1]

_BAD: Final[dict[str, tuple[str, Any]]] = {
    "sum-above": ("a row sums to more than 1", [["1/2", "501/1000"], ["1/2", "1/2"]]),
    "sum-below": ("a row sums to less than 1", [["1/2", "499/1000"], ["1/2", "1/2"]]),
    "sum-by-a-hair": ("a row misses 1 by 1e-15", [["1/2", "0.499999999999999"], ["1/2", "1/2"]]),
    "thirds-in-decimals": (
        "three times 0.333333 is not 1",
        [["0.333333", "0.333333", "0.333333"], ["1/3", "1/3", "1/3"]],
    ),
    "negative": ("a probability is negative", [["3/2", "-1/2"], ["1/2", "1/2"]]),
    "ragged": ("rows of different lengths", [["1/2", "1/2"], ["1/2", "1/4", "1/4"]]),
    "empty-row": ("a row without outcomes", [[], []]),
    "no-rows": ("no rows at all", []),
    "one-row": ("one row where two are meant", [["1/2", "1/2"]]),
    "three-rows": ("three rows where two are meant", [["1/2", "1/2"], ["1/2", "1/2"], ["1/2", "1/2"]]),
    "nan": ("an entry that is no number", [["nan", "1/2"], ["1/2", "1/2"]]),
    "infinite": ("an infinite entry", [["inf", "0"], ["1/2", "1/2"]]),
    "percent": ("an entry in percent", [["50%", "50%"], ["1/2", "1/2"]]),
    "text": ("an entry that is a word", [["half", "half"], ["1/2", "1/2"]]),
    "over-zero": ("a zero denominator", [["1/0", "1/2"], ["1/2", "1/2"]]),
}


def _asked(name: str, args: dict[str, Any], reason: str) -> Question:
    return Question(f"rejected/{name}", reason, args, ("Malformed",), rejects=reason, doubles=False)


def _tables() -> Iterator[Question]:
    for name, (reason, rows) in _BAD.items():
        yield _asked(f"table-{name}", {"channel": {"matrix": rows}, "exp_epsilon": "2"}, reason)
    yield _asked("epsilon-missing", {"channel": _GOOD}, "no epsilon is given")
    yield _asked("epsilon-twice", {"channel": _GOOD, "exp_epsilon": "2", "epsilon": "1"}, "epsilon is given twice")
    yield _asked("level-negative", {"channel": _GOOD, "exp_epsilon": "-1"}, "e^eps is negative")
    yield _asked("epsilon-nan", {"channel": _GOOD, "epsilon": "nan"}, "epsilon is no number")
    yield _asked("epsilon-log-of-zero", {"channel": _GOOD, "epsilon": "log(0)"}, "the logarithm of 0")
    yield _asked("direction", {"channel": _GOOD, "epsilon": "1", "direction": "sideways"}, "there is no such direction")


def _mechanisms() -> Iterator[Question]:
    gaussian = node("gaussian", sigma="1")
    subjects = {
        "sigma-zero": ("sigma is 0", node("gaussian", sigma="0")),
        "sigma-negative": ("sigma is negative", node("gaussian", sigma="-1")),
        "scale-zero": ("the scale is 0", node("laplace", scale="0")),
        "scale-negative": ("the scale is negative", node("laplace", scale="-2")),
        "ratio-one": ("the ratio is 1", node("discrete_laplace", ratio="1")),
        "ratio-above-one": ("the ratio is above 1", node("discrete_laplace", ratio="3/2")),
        "rate-above-one": (
            "the rate is above 1",
            node("poisson_subsample", rate="11/10", neighbours="add_remove", of=gaussian),
        ),
        "rate-negative": (
            "the rate is negative",
            node("poisson_subsample", rate="-1/10", neighbours="add_remove", of=gaussian),
        ),
        "neighbours-missing": (
            "the neighbouring relation is not stated",
            node("poisson_subsample", rate="1/10", of=gaussian),
        ),
        "sample-above-source": (
            "more records are drawn than there are",
            node("subsample_without_replacement", source=10, sample=11, neighbours="substitute", of=gaussian),
        ),
        "unknown": ("there is no such mechanism", node("no_such_mechanism", sigma="1")),
    }
    for name, (reason, subject) in subjects.items():
        yield _asked(f"mechanism-{name}", {"channel": subject, "epsilon": "1"}, reason)


def _deltas() -> Iterator[Question]:
    for name, delta, reason in (
        ("negative", "-1/10", "delta is negative"),
        ("above-one", "11/10", "delta is above 1"),
        ("nan", "nan", "delta is no number"),
    ):
        yield _asked(f"delta-{name}", {"channel": _GOOD, "delta": delta}, reason)
        args = {"channel": node("gaussian", sigma="1"), "delta": delta}
        yield _asked(f"gaussian-delta-{name}", args, reason)


def _alphas() -> Iterator[Question]:
    for name, alpha, reason in (
        ("negative", "-1/10", "alpha is negative"),
        ("above-one", "11/10", "alpha is above 1"),
        ("nan", "nan", "alpha is no number"),
    ):
        yield _asked(f"alpha-{name}", {"channel": _GOOD, "alpha": alpha}, reason)
        args = {"channel": node("gaussian", sigma="1"), "alpha": alpha}
        yield _asked(f"gaussian-alpha-{name}", args, reason)
    args = {"channel": node("gaussian", sigma="1")}
    yield _asked("gaussian-all-corners", args, "a curve without a finite list of corners, and no alpha")


def _curves() -> Iterator[Question]:
    for name, points, reason in (
        ("above-diagonal", [["0", "1"], ["1/2", "3/4"], ["1", "0"]], "the curve is above 1 - alpha"),
        (
            "not-convex",
            [["0", "1"], ["1/4", "1/4"], ["1/2", "1/4"], ["3/4", "0"], ["1", "0"]],
            "the curve is not convex",
        ),
        ("rising", [["0", "1/4"], ["1/2", "1/2"], ["1", "0"]], "the curve rises"),
        ("ends-early", [["0", "1"], ["1/2", "0"]], "the curve does not end at (1, 0)"),
        ("starts-late", [["1/4", "1/2"], ["1", "0"]], "the curve does not begin at alpha = 0"),
        ("backwards", [["1", "0"], ["0", "1"]], "alpha does not increase"),
        ("negative", [["0", "1"], ["1/2", "-1/10"], ["1", "0"]], "beta is negative"),
    ):
        yield _asked(f"curve-{name}", {"tradeoff": {"breakpoints": points}}, reason)


def _asymmetric() -> Iterator[Question]:
    for name, points, reason in (
        ("asymmetric", [["0", "1"], ["1/10", "1/2"], ["1", "0"]], "the curve is not its own inverse"),
        ("one-sided-jump", [["0", "3/4"], ["1", "0"]], "the curve is not its own inverse"),
    ):
        yield _asked(f"decompose-{name}", {"tradeoff": {"breakpoints": points}}, reason)


def _trees() -> Iterator[Question]:
    def tree(p: str, q: str, then: object = None) -> dict[str, Any]:
        branch: dict[str, Any] = {"p": p, "q": q} | ({} if then is None else {"then": then})
        return {"interactive": {"answer": {"0": branch, "1": {"p": "1/4", "q": "3/4"}}}}

    for name, document, reason in (
        ("sum", tree("1/2", "1/4"), "the probabilities of an answer do not sum to 1"),
        ("sum-above", tree("5/4", "1/4"), "the probabilities of an answer do not sum to 1"),
        ("reference", tree("3/4", "1/4", {"ref": "nowhere"}), "a reference to a node that is not there"),
        ("no-option", tree("3/4", "1/4", {"query": {}}), "a choice without options"),
    ):
        yield _asked(f"interactive-{name}", {"interactive": document}, reason)
    yield _asked("interactive-alpha", {"interactive": tree("3/4", "1/4"), "alpha": "2"}, "alpha is above 1")


def _orders() -> Iterator[Question]:
    for name, order, reason in (
        ("zero", "0", "the order is 0"),
        ("negative", "-2", "the order is negative"),
        ("nan", "nan", "the order is no number"),
    ):
        yield _asked(f"order-{name}", {"channel": _GOOD, "order": order}, reason)


def _relations() -> Iterator[Question]:
    wide = {"matrix": [["1/2", "1/2"]] * 3}
    yield _asked("refines-shapes", {"left": _GOOD, "right": wide}, "different numbers of inputs")
    bad = {"matrix": _BAD["sum-above"][1]}
    yield _asked("refines-no-channel", {"left": _GOOD, "right": bad}, "a row sums to more than 1")


def topics() -> list[Topic]:
    """The topics of this module."""
    made: list[tuple[str, str, list[Question]]] = [
        ("delta", "delta", [*_tables(), *_mechanisms()]),
        ("epsilon", "epsilon", list(_deltas())),
        ("tradeoff", "tradeoff", list(_alphas())),
        ("channel_of", "channel_of", list(_curves())),
        ("decompose", "decompose", list(_asymmetric())),
        ("interactive", "interactive_tradeoff", list(_trees())),
        ("renyi", "renyi", list(_orders())),
        ("refines", "refines", list(_relations())),
    ]
    summary = "Questions without an answer: an error or a declined answer is right, a value is wrong."
    return [Topic(f"rejections/{name}.json", op, summary, (DWORK, DONG), questions) for name, op, questions in made]
