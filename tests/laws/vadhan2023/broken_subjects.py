"""Subjects that are wrong on purpose for the claims of vadhan2023: those of balle2018, and wrong epsilons and trees."""

from __future__ import annotations

from typing import Any
from zlib import crc32

from gmpy2 import mpq

from oracle.answers import answer
from oracle.exact import to_text
from oracle.laws.ask import Subject
from oracle.laws.harness import LawResult, Profile, run_law
from oracle.laws.record import Law
from tests.laws.balle2018.broken_subjects import BROKEN as BROKEN_ON_NUMBERS

__all__ = ["BROKEN", "first_to_break"]


def _raised(by: mpq) -> Subject:
    """The engine with every finite e^epsilon raised by a constant."""

    def subject(request: dict[str, Any]) -> dict[str, Any]:
        reply = answer(request)
        value = reply.get("value")
        if request["op"] != "epsilon" or not isinstance(value, dict) or value.get("exp_epsilon", "inf") == "inf":
            return reply
        return {**reply, "value": {**value, "exp_epsilon": to_text(mpq(value["exp_epsilon"]) + by)}}

    return subject


def _interactive(op: str, by: mpq | None) -> Subject:
    """The engine with the middle corner of a curve, or a number, moved; with no amount one from the request."""

    def subject(request: dict[str, Any]) -> dict[str, Any]:
        reply = answer(request)
        if request["op"] != op or "value" not in reply:
            return reply
        amount = mpq(crc32(repr(request).encode()) % 21 - 10, 20) if by is None else by
        value = reply["value"]
        if isinstance(value, str):
            return {**reply, "value": to_text(mpq(value) + amount)}
        corners = [list(corner) for corner in value["breakpoints"]]
        middle = (len(corners) - 1) // 2
        corners[middle][1] = to_text(mpq(corners[middle][1]) + amount)
        return {**reply, "value": {"breakpoints": corners}}

    return subject


BROKEN: tuple[tuple[str, Subject], ...] = (
    *BROKEN_ON_NUMBERS,
    *(("epsilon", _raised(by)) for by in (mpq(1, 1000), mpq(1))),
    *(
        (op, _interactive(op, by))
        for op in ("interactive_tradeoff", "concurrent")
        for by in (mpq(1, 1000), mpq(-1, 1000), None)
    ),
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
