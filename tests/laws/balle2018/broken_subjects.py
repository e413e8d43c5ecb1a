"""Subjects that are wrong on purpose for the claims of balle2018: bounds moved aside, and those of fernandes2025."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from zlib import crc32

from gmpy2 import mpq

from oracle.answers import answer
from oracle.exact import to_text
from oracle.laws.ask import Subject
from oracle.laws.harness import LawResult, Profile, run_law
from oracle.laws.record import Law
from tests.laws.fernandes2025.broken_subjects import BROKEN as BROKEN_ON_TABLES

__all__ = ["BROKEN", "first_to_break"]

Change = Callable[[Any, mpq], Any]


def _scaled(value: Any, factor: mpq) -> Any:
    """A number or both its bounds times a factor; other values stay."""
    if isinstance(value, str):
        return value if value == "inf" else to_text(mpq(value) * factor)
    if isinstance(value, dict) and set(value) <= {"lo", "hi"}:
        ends = sorted(mpq(value[end]) * factor for end in ("lo", "hi"))
        return {"lo": to_text(ends[0]), "hi": to_text(ends[1])}
    return value


def _all_scaled(value: Any, factor: mpq) -> Any:
    """Every number of a Rényi answer scaled."""
    return {name: _scaled(number, factor) for name, number in value.items()}


def _subject(op: str, change: Change, factor: mpq | None) -> Subject:
    """The engine with the numbers of one operation scaled; without a factor by one that depends on the request."""

    def subject(request: dict[str, Any]) -> dict[str, Any]:
        reply = answer(request)
        if request["op"] != op or "value" not in reply:
            return reply
        by = mpq(crc32(repr(request).encode()) % 19 + 1, 10) if factor is None else factor
        return {**reply, "value": change(reply["value"], by)}

    return subject


_FACTORS = (mpq(1001, 1000), mpq(999, 1000), mpq(3), mpq(1, 3), None)

BROKEN: tuple[tuple[str, Subject], ...] = (
    *BROKEN_ON_TABLES,
    *((op, _subject(op, _scaled, factor)) for op in ("delta", "hockey_stick") for factor in _FACTORS),
    *(("renyi", _subject("renyi", _all_scaled, factor)) for factor in _FACTORS),
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
