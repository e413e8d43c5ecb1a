"""Subjects that are wrong on purpose for the claims of liu2022: a least mu moved aside, and those of balle2018."""

from __future__ import annotations

from typing import Any

from gmpy2 import mpq

from oracle.answers import answer
from oracle.exact import to_text
from oracle.laws.ask import Subject
from oracle.laws.harness import LawResult, Profile, run_law
from oracle.laws.record import Law
from tests.laws.balle2018.broken_subjects import BROKEN as BROKEN_ON_NUMBERS

__all__ = ["BROKEN", "first_to_break"]


def _scaled(value: Any, factor: mpq) -> Any:
    """A mu or both its bounds times a factor, an infinite one made finite."""
    if value == "inf":
        return "5"
    if isinstance(value, str):
        return to_text(mpq(value) * factor)
    return {end: to_text(mpq(value[end]) * factor) for end in ("lo", "hi")}


def _mu_times(factor: mpq) -> Subject:
    """The engine with every least mu scaled."""

    def subject(request: dict[str, Any]) -> dict[str, Any]:
        reply = answer(request)
        if request["op"] != "mu" or "value" not in reply:
            return reply
        return {**reply, "value": _scaled(reply["value"], factor)}

    return subject


BROKEN: tuple[tuple[str, Subject], ...] = (
    *BROKEN_ON_NUMBERS,
    *(("mu", _mu_times(factor)) for factor in (mpq(11, 10), mpq(9, 10), mpq(1, 3))),
)
"""Wrong subjects, each with the operation that it gets wrong."""


def first_to_break(law: Law) -> LawResult | None:
    """The finding about the first broken subject that the law notices, by a violation and not by an error."""
    asked: set[str] = set()

    def listening(request: dict[str, Any]) -> dict[str, Any]:
        asked.add(request["op"])
        return answer(request)

    # What hypothesis draws depends on the modules that are loaded: where few examples find nothing, more are drawn.
    for examples in (12, 100):
        profile = Profile("mutation", examples, True)
        run_law(law, listening, profile)
        for op, subject in BROKEN:
            result = run_law(law, subject, profile) if op in asked else None
            if result is not None and result.example is not None:
                return result
    return None
