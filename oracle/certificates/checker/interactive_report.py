"""What an audit report says of an interactive mechanism: its tree, its tight channel, and the adversaries that refute.

The last certificate of such a report is a `simulation`: N is the tight channel of the tree, so that the values beside
the verdicts, computed again from N, are the suprema over all adversaries.  The other certificates are about the same
tree, which is named by its hash.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from .claims import PrivacyClaim
from .gaussian import gaussian_claim
from .measures import require_normal, require_value
from .reading import fields, items, number, require_equal
from .report_parts import count, require, text
from .stated import Claim, DivergenceClaim
from .verdict import Accepted

Document = dict[str, object]
Step = tuple[int, list[object], Fraction, Fraction]

SHOWN_QUESTIONS = 12
SHOWN_VIEWS = 6
_KINDS = ("interactive_held", "interactive_refuted")
_SIZES = ("nodes", "query_nodes", "answer_nodes", "depth")
_ADVERSARY = ("kind", "direction", "p", "q", "questions", "strategy", "views", "event", "inequality")
_RULE = ("left", "left_value", "relation", "right", "right_value", "level")


def check_tree(
    source: Document, pairs: Sequence[Document], certificates: Sequence[object], accepted: Sequence[Accepted]
) -> None:
    """Reject unless the certificates of a report are about the interactive mechanism that it is about, if it is."""
    kinds = [found.kind for found in accepted]
    if "interactive" not in source:
        for k, kind in enumerate(kinds):
            require(kind not in _KINDS, "is about an interactive mechanism, unlike the report", f"$.certificates[{k}]")
        return
    where = f"$.certificates[{len(kinds) - 1}]"
    require(kinds[-1:] == ["simulation"], "expected the simulation as the last certificate", where)
    for k, found in enumerate(accepted):
        place = f"$.certificates[{k}]"
        require(k == len(kinds) - 1 or found.kind in _KINDS, "expected a claim on an interactive mechanism", place)
        require(("interactive", source["parsed_sha256"]) in found.channels, "is about another tree", place)
    require(len(pairs) == 1, "expected one pair of inputs", "$.pairs")
    for name, own in (("rows", [0, 1]), ("p", "P"), ("q", "Q")):
        require(pairs[0][name] == own, "expected the one pair of inputs, P and Q", f"$.pairs[0].{name}")
    named = ("N", pairs[0]["sha256"])
    require(named in accepted[-1].channels, "is not the hash of the tight channel", "$.pairs[0].sha256")
    last = certificates[-1]
    document = last if isinstance(last, dict) else {}
    columns = len(items(items(fields(tight_channel(document), ("matrix",), where)["matrix"], where)[0], where))
    require(source["shape"] == {"inputs": 2, "outputs": columns}, "is not that of the tight channel", "$.input.shape")
    _check_sizes(source["interactive"], items(document["nodes"], where))


def tight_channel(simulation: object) -> object:
    """Return N of a simulation that was checked; None where there is none."""
    return items(simulation["states"], "$.states")[-1] if isinstance(simulation, dict) else None


def _check_sizes(value: object, nodes: Sequence[object]) -> None:
    where = "$.input.interactive"
    tree = fields(value, ("name", *_SIZES), where)
    if tree["name"] is not None:
        text(tree["name"], f"{where}.name")
    depths: list[int] = []
    found = dict.fromkeys(_SIZES, 0)
    for node in nodes:
        kind = next(iter(node)) if isinstance(node, dict) else None
        rows = items(node[kind], where) if isinstance(node, dict) and kind is not None else []
        below = [depths[int(str(items(row, where)[-1]))] for row in rows]
        depths.append(1 + max(below, default=-1))
        found["nodes"] += 1
        if kind is not None:
            found[f"{kind}_nodes"] += 1
    found["depth"] = depths[-1]
    for name in _SIZES:
        require(count(tree[name], 0, f"{where}.{name}") == found[name], "is not that of the tree", f"{where}.{name}")


class _Histories:
    """The histories of the last test of a certificate: the questions it asks, and the views of its event."""

    def __init__(self, document: Document) -> None:
        self._nodes = items(document["nodes"], "$.nodes")
        self._tests = items(document["tests"], "$.tests")
        self.questions: list[int] = []
        self.views: list[int] = []
        for k in range(len(self._tests)):
            below = [child for child, _, _, _ in self._below(k)]
            self.questions.append(sum(self.questions[child] for child in below) + self._has(k, "ask"))
            self.views.append(sum(self.views[child] for child in below) + self._ends(k))

    def _test(self, k: int) -> Document:
        test = self._tests[k]
        return test if isinstance(test, dict) else {}

    def _has(self, k: int, key: str) -> bool:
        return key in self._test(k)

    def _ends(self, k: int) -> bool:
        return self._test(k).get("end") is True

    def _below(self, k: int) -> list[Step]:
        test = self._test(k)
        node = self._nodes[int(str(test["node"]))]
        if not isinstance(node, dict):
            return []
        if "ask" in test:
            option = items(items(node["query"], "$")[int(str(test["ask"]))], "$")
            return [(int(str(test["then"])), ["ask", option[0]], Fraction(1), Fraction(1))]
        rows = [items(row, "$") for row in items(node["answer"], "$")]
        heard = [int(str(child)) for child in items(test["hear"], "$")]
        return [
            (child, ["hear", row[0]], number(row[1], "$"), number(row[2], "$"))
            for child, row in zip(heard, rows, strict=True)
        ]

    def asked(self) -> list[object]:
        """The first questions, in the order of the labels, the first history to its end before the next."""
        found: list[object] = []
        stack: list[tuple[int, list[list[object]]]] = [(len(self._tests) - 1, [])]
        while stack and len(found) < SHOWN_QUESTIONS:
            k, steps = stack.pop()
            below = self._below(k)
            if self._has(k, "ask"):
                found.append({"after": steps, "ask": below[0][1][1]})
            stack += [(child, [*steps, step]) for child, step, _, _ in below[::-1] if self.questions[child]]
        return found

    def event(self) -> list[tuple[list[list[object]], Fraction, Fraction]]:
        """The first views of the event."""
        found: list[tuple[list[list[object]], Fraction, Fraction]] = []
        one = Fraction(1)
        stack: list[tuple[int, list[list[object]], Fraction, Fraction]] = [(len(self._tests) - 1, [], one, one)]
        while stack and len(found) < SHOWN_VIEWS:
            k, steps, p, q = stack.pop()
            if self._ends(k):
                found.append((steps, p, q))
            below = [step for step in self._below(k)[::-1] if self.views[step[0]]]
            stack += [(child, [*steps, step], p * x, q * y) for child, step, x, y in below]
        return found


def check_adversary(value: object, document: Document, claim: Claim, digits: int, where: str) -> None:
    """Reject evidence that is not what the certificate `interactive_refuted`, which was checked, says."""
    found = fields(value, _ADVERSARY, where)
    for name, own in (("kind", "adversary"), *((name, document[name]) for name in ("direction", "p", "q"))):
        require(found[name] == own, "is not what the certificate says", f"{where}.{name}")
    histories = _Histories(document)
    for name, many in (("questions", histories.questions[-1]), ("views", histories.views[-1])):
        require_value(found[name], Fraction(many), f"{where}.{name}")
    require(found["strategy"] == histories.asked(), "is not the strategy of the certificate", f"{where}.strategy")
    shown, wanted = items(found["event"], f"{where}.event"), histories.event()
    require(len(shown) == len(wanted), "does not list the first views", f"{where}.event")
    for k, (item, (steps, p, q)) in enumerate(zip(shown, wanted, strict=True)):
        place = f"{where}.event[{k}]"
        view = fields(item, ("steps", "p", "q"), place)
        require(view["steps"] == steps, "is not a view of the event", f"{place}.steps")
        for name, mass in (("p", p), ("q", q)):
            require_equal(number(view[name], place), mass, f"the {name} of the view", f"{place}.{name}")
    _check_inequality(found["inequality"], document, claim, digits, f"{where}.inequality")


def _check_inequality(value: object, document: Document, claim: Claim, digits: int, where: str) -> None:
    rule = fields(value, _RULE, where)
    p, q = number(document["p"], "$.p"), number(document["q"], "$.q")
    forward = document["direction"] == "forward"
    (first, large), (second, small) = (("P(S)", p), ("Q(S)", q)) if forward else (("Q(S)", q), ("P(S)", p))
    bound = document["bound"]
    if isinstance(claim, PrivacyClaim):
        name = "e^epsilon" if claim.epsilon is None else "U"
        _words(
            rule, (f"{first} - {name} {second}", ">", "delta", bound) if small else (first, ">", "delta", None), where
        )
        excess = large - number(bound, "$.bound") * small if small else large
        require_value(rule["left_value"], excess, f"{where}.left_value")
        require_value(rule["right_value"], claim.delta, f"{where}.right_value")
        return
    gaussian = isinstance(claim, DivergenceClaim)
    right = f"Phi(t - mu) <= G_mu({first})" if gaussian else f"f({first})"
    _words(rule, (f"1 - {second}", "<", right, bound if gaussian else None), where)
    require_value(rule["left_value"], 1 - small, f"{where}.left_value")
    if not gaussian:
        require_value(rule["right_value"], number(bound, "$.bound"), f"{where}.right_value")
        return
    point = number(bound, "$.bound") - gaussian_claim(document["claim"], "$.claim")
    require_normal(rule["right_value"], point, digits, f"{where}.right_value")


def _words(rule: Document, words: tuple[object, ...], where: str) -> None:
    for name, own in zip(("left", "relation", "right", "level"), words, strict=True):
        require(rule[name] == own, "is not what the certificate says", f"{where}.{name}")
