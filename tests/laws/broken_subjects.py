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

Change = Callable[[Any, mpq], Any]
Amount = Callable[[dict[str, Any]], mpq]


def _moved(text: str, by: mpq) -> str:
    return to_text(mpq(text) + by)


def _corner(value: Any, by: mpq) -> Any:
    """One corner, and the value at alpha where there is one, moved up or down."""
    corners = [list(corner) for corner in value["breakpoints"]]
    middle = (len(corners) - 1) // 2
    corners[middle][1] = _moved(corners[middle][1], by)
    return {**value, "breakpoints": corners, **({"beta": _moved(value["beta"], by)} if "beta" in value else {})}


def _corner_or_number(value: Any, by: mpq) -> Any:
    return _moved(value, by) if isinstance(value, str) else _corner(value, by)


def _entry(value: Any, by: mpq) -> Any:
    """Mass moved between two entries of row 1, or added to the only one."""
    first, second = ([*row] for row in value["matrix"])
    second[0] = _moved(second[0], by)
    if len(second) > 1:
        second[-1] = _moved(second[-1], -by)
    return {"matrix": [first, second]}


def _number(value: Any, by: mpq) -> Any:
    return _moved(value, by) if isinstance(value, str) else value


def _exp_epsilon(value: Any, by: mpq) -> Any:
    """A finite e^epsilon raised."""
    if not isinstance(value, dict) or value.get("exp_epsilon", "inf") == "inf":
        return value
    return {**value, "exp_epsilon": _moved(value["exp_epsilon"], by)}


def _flipped(value: Any, _: mpq) -> Any:
    return {**value, "holds": not value["holds"]}


def _columns_swapped(value: Any, _: mpq) -> Any:
    return {"matrix": [row[::-1] for row in value["matrix"]]}


def _rows_swapped(value: Any, _: mpq) -> Any:
    return {"matrix": value["matrix"][::-1]}


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


def _finite_and_scaled(value: Any, factor: mpq) -> Any:
    """A least mu scaled, an infinite one made finite."""
    return "5" if value == "inf" else _scaled(value, factor)


def _some_amount(request: dict[str, Any]) -> mpq:
    """From -1/2 to 1/2, another one for another request."""
    return mpq(crc32(repr(request).encode()) % 21 - 10, 20)


def _some_factor(request: dict[str, Any]) -> mpq:
    """From 1/10 to 19/10, another one for another request."""
    return mpq(crc32(repr(request).encode()) % 19 + 1, 10)


def _subject(op: str, change: Change, by: mpq | Amount) -> Subject:
    """The engine with the answers of one operation changed, by an amount or by one that depends on the request."""

    def subject(request: dict[str, Any]) -> dict[str, Any]:
        reply = answer(request)
        if request["op"] != op or "value" not in reply:
            return reply
        return {**reply, "value": change(reply["value"], by(request) if callable(by) else by)}

    return subject


def _forward_only(request: dict[str, Any]) -> dict[str, Any]:
    return answer({**request, "args": {k: v for k, v in request["args"].items() if k != "direction"}})


_NUDGE = mpq(1, 1000)
_AMOUNTS = (_NUDGE, -_NUDGE, _some_amount)
_FACTORS = (1 + _NUDGE, 1 - _NUDGE, mpq(3), mpq(1, 3), _some_factor)
_MATRIX_OPS = ("canonical", "channel_of", "glb", "lub", "parallel", "visible", "hidden", "pre", "post")
_CHANGES: tuple[tuple[str, Change, tuple[mpq | Amount, ...]], ...] = (
    ("refines", _flipped, (_NUDGE,)),
    ("satisfies", _flipped, (_NUDGE,)),
    ("tradeoff", _corner, _AMOUNTS),
    *((op, _number, _AMOUNTS) for op in ("hockey_stick", "delta", "vulnerability")),
    *((op, change, (_NUDGE,)) for op in _MATRIX_OPS for change in (_entry, _columns_swapped, _rows_swapped)),
    *((op, _scaled, _FACTORS) for op in ("delta", "hockey_stick")),
    ("renyi", _all_scaled, _FACTORS),
    ("mu", _finite_and_scaled, (mpq(11, 10), mpq(9, 10), mpq(1, 3))),
    ("epsilon", _exp_epsilon, (_NUDGE, mpq(1))),
    *((op, _corner_or_number, _AMOUNTS) for op in ("interactive_tradeoff", "concurrent")),
)

BROKEN: tuple[tuple[str, Subject], ...] = (
    *((op, _subject(op, change, by)) for op, change, amounts in _CHANGES for by in amounts),
    ("tradeoff", _forward_only),
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
