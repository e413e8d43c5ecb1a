"""What two audit reports say differently: the verdict and claims first, then inputs and what made them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from oracle.json_text import digest

__all__ = ["Difference", "differences"]

Json = Mapping[str, Any]

_VALUES: Final = (
    *("verdict", "equality", "tight_exp_epsilon", "tight_epsilon", "tight_delta", "tight", "slack"),
    *("bound", "least_level"),
)
_WHOLE: Final = (
    *("report", "verdict", "equality", "direction", "digits", "total_variation", "bayes_error"),
    *("confidence", "selection", "tested"),
)
_INPUT: Final = ("name", "sha256", "parsed_sha256", "shape")
_HASH: Final = 8
_PAIR: Final = ("total_variation", "bayes_error", "tradeoff")


@dataclass(frozen=True, slots=True)
class Difference:
    """A field with its value in either report; None where a report has no such field."""

    field: str
    old: Any
    new: Any

    def to_json(self) -> dict[str, Any]:
        """As ``oracle diff --json`` prints it."""
        return {"field": self.field, "old": self.old, "new": self.new}


def differences(old: Json, new: Json) -> list[Difference]:
    """The differences of two reports, claims matched by what they claim and pairs by their labels.

    Certificates are not compared: they are evidence for the verdicts, which are.
    """
    return list(_differences(old, new))


def _differences(old: Json, new: Json) -> Iterator[Difference]:
    yield from _fields("", _WHOLE, old, new)
    before, after = (_claims(document) for document in (old, new))
    for name in [*before, *(name for name in after if name not in before)]:
        mine, other = before.get(name), after.get(name)
        if mine is None or other is None:
            verdicts = [None if claim is None else claim["verdict"] for claim in (mine, other)]
            yield Difference(f"claim {name}", *verdicts)
        else:
            yield from _fields(f"claim {name}: ", _VALUES, mine, other)
    yield from _fields("input ", _INPUT, old["input"], new["input"])
    pairs = [{(pair["p"], pair["q"]): pair for pair in document.get("pairs", ())} for document in (old, new)]
    for labels in [*pairs[0], *(labels for labels in pairs[1] if labels not in pairs[0])]:
        mine, other = pairs[0].get(labels), pairs[1].get(labels)
        name = f"pair {labels[0]}, {labels[1]}"
        if mine is None or other is None:
            yield Difference(name, *("judged" if pair is not None else None for pair in (mine, other)))
        else:
            yield from _fields(f"{name}: ", _PAIR, mine, other)
    facts = [document["declared"] for document in (old, new)]
    yield from _fields("declared ", [*facts[0], *(name for name in facts[1] if name not in facts[0])], *facts)
    yield from _fields("product ", ("name", "version"), old["product"], new["product"])


def _fields(above: str, names: Iterable[str], old: Json, new: Json) -> Iterator[Difference]:
    for name in names:
        if old.get(name) != new.get(name):
            yield Difference(f"{above}{name}", old.get(name), new.get(name))


def _claims(document: Json) -> dict[str, Json]:
    """Claims by what they claim, curves told apart by a hash; one that stands twice once."""
    found = {}
    for claim in document["claims"]:
        curve = f" {digest(claim['parsed'])[:_HASH]}" if "tradeoff" in claim["parsed"] else ""
        found[f"{claim['words']}{curve}"] = claim
    return found
