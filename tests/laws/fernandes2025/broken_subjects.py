"""Subjects that are wrong on purpose: the exact engine with one answer changed. Every law must notice some of them."""

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

__all__ = ["BROKEN", "first_to_break"]

NUDGE = mpq(1, 1000)


def _moved(text: str, by: mpq) -> str:
    return to_text(mpq(text) + by)


def _corner(value: Any, by: mpq) -> Any:
    """One corner, and the value at alpha where there is one, moved up or down."""
    corners = [list(corner) for corner in value["breakpoints"]]
    middle = (len(corners) - 1) // 2
    corners[middle][1] = _moved(corners[middle][1], by)
    return {**value, "breakpoints": corners, **({"beta": _moved(value["beta"], by)} if "beta" in value else {})}


def _entry(value: Any, by: mpq) -> Any:
    """Mass moved between two entries of row 1, or added to the only one."""
    first, second = ([*row] for row in value["matrix"])
    second[0] = _moved(second[0], by)
    if len(second) > 1:
        second[-1] = _moved(second[-1], -by)
    return {"matrix": [first, second]}


def _number(value: Any, by: mpq) -> Any:
    return _moved(value, by) if isinstance(value, str) else value


def _flipped(value: Any, _: mpq) -> Any:
    return {**value, "holds": not value["holds"]}


def _columns_swapped(value: Any, _: mpq) -> Any:
    return {"matrix": [row[::-1] for row in value["matrix"]]}


def _rows_swapped(value: Any, _: mpq) -> Any:
    return {"matrix": value["matrix"][::-1]}


def _subject(op: str, change: Callable[[Any, mpq], Any], by: mpq | None = None) -> Subject:
    """The engine with the answers of one operation changed; without *by* by an amount that depends on the request."""

    def subject(request: dict[str, Any]) -> dict[str, Any]:
        reply = answer(request)
        if request["op"] != op or "value" not in reply:
            return reply
        amount = mpq(crc32(repr(request).encode()) % 21 - 10, 20) if by is None else by
        return {**reply, "value": change(reply["value"], amount)}

    return subject


def _forward_only(request: dict[str, Any]) -> dict[str, Any]:
    return answer({**request, "args": {k: v for k, v in request["args"].items() if k != "direction"}})


_MATRIX_OPS = ("canonical", "channel_of", "glb", "lub", "parallel", "visible", "hidden", "pre", "post")
_NUMBER_OPS = ("tradeoff", "hockey_stick", "delta", "vulnerability")
_AMOUNTS = (NUDGE, -NUDGE, None)

BROKEN: tuple[tuple[str, Subject], ...] = (
    ("refines", _subject("refines", _flipped, NUDGE)),
    ("satisfies", _subject("satisfies", _flipped, NUDGE)),
    *((op, _subject(op, _corner if op == "tradeoff" else _number, by)) for op in _NUMBER_OPS for by in _AMOUNTS),
    *((op, _subject(op, change, NUDGE)) for op in _MATRIX_OPS for change in (_entry, _columns_swapped, _rows_swapped)),
    ("tradeoff", _forward_only),
)
"""Wrong subjects, each with the operation that it gets wrong."""


def first_to_break(law: Law) -> LawResult | None:
    """The finding about the first broken subject that the law notices, by a violation and not by an error."""
    asked: set[str] = set()

    def listening(request: dict[str, Any]) -> dict[str, Any]:
        asked.add(request["op"])
        return answer(request)

    profile = Profile("mutation", 12, True)
    run_law(law, listening, profile)
    for op, subject in BROKEN:
        result = run_law(law, subject, profile) if op in asked else None
        if result is not None and result.example is not None:
            return result
    return None
