"""Verdicts on curves and on JSON values: corner by corner, number by number, the worst one counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

from gmpy2 import mpq

from oracle.conformance.gaps import Interval, side, ulp
from oracle.conformance.number_judging import (
    Found,
    NoAnswerError,
    Question,
    against,
    divergence_of,
    interval_of,
    worst_of,
)
from oracle.errors import InputError, OracleError, shorten
from oracle.exact import Extended, parse_extended, parse_number, to_text

__all__ = ["judge_curve", "judge_structure"]

_BESIDE: Final = ("inputs", "outputs", "certificate", "witness", "record")
"""Keys of a value that need not be repeated by a subject."""

Points = list[tuple[mpq, mpq]]


def _read_curve(value: Any) -> Points:  # noqa: ANN401 - a JSON value
    listed = value.get("breakpoints") if isinstance(value, Mapping) else value
    if not isinstance(listed, Sequence) or isinstance(listed, str) or not listed:
        raise NoAnswerError(f'expected {{"breakpoints": [[alpha, beta], ...]}}, got {shorten(value)}')
    points = []
    for n, pair in enumerate(listed):
        if not isinstance(pair, Sequence) or isinstance(pair, str) or len(pair) != 2:
            raise NoAnswerError(f"expected pairs (alpha, beta), got {shorten(pair)}")
        points.append((parse_number(pair[0], f"breakpoints[{n}][0]"), parse_number(pair[1], f"breakpoints[{n}][1]")))
    if points[0][0] != 0 or points[-1][0] != 1 or any(a > b for (a, _), (b, _) in pairwise(points)):
        raise NoAnswerError("expected corners with alpha from 0 to 1, increasing")
    return points


def _values(points: Points, at: Sequence[mpq]) -> list[mpq]:
    """The piecewise linear curve at increasing places; where it jumps, the lower value."""
    values, n = [], 0
    for x in at:
        while n + 1 < len(points) and points[n + 1][0] <= x:
            n += 1
        (x0, y0) = points[n]
        if x == x0 or n + 1 == len(points):
            values.append(y0)
        else:
            x1, y1 = points[n + 1]
            values.append(y0 + (y1 - y0) * (x - x0) / (x1 - x0))
    return values


def judge_curve(question: Question, truth: Points, value: Any) -> Found:  # noqa: ANN401 - a JSON value
    """Two piecewise linear curves, compared at the corners of both: between them the difference is linear."""
    answered = _read_curve(value)
    at = sorted({a for a, _ in answered} | {a for a, _ in truth})
    found: list[tuple[mpq, Found]] = []
    for x, told, true in zip(at, _values(answered, at), _values(truth, at), strict=True):
        verdict, gap = side(question.claimed, told, Interval.point(true), question.slack)
        if verdict == "wrong" and question.claimed.kind == "nearest":
            # The corners' own rounding moves the curve by ulps of its largest value, not of the value there.
            allowed = mpq(1) if question.claimed.allowance is None else question.claimed.allowance
            verdict = "sound" if abs(told - true) <= allowed * ulp(mpq(1)) else "wrong"
        found.append((x, (verdict, gap, None)))
    return worst_of([(f"at alpha = {shorten(to_text(x))}", one) for x, one in found])


def judge_structure(question: Question, expected: Any, value: Any) -> Found:  # noqa: ANN401 - JSON values
    """A JSON value such as a channel: of the same shape, each number under the claim; a lone number may stand bare."""
    if isinstance(expected, Mapping):
        if question.op == "renyi" and set(expected) == {"moment"}:
            answered = isinstance(value, Mapping) and "moment" in value
            if not answered:
                truth = divergence_of(Interval.point(parse_extended(expected["moment"])), question.args)
                return against(question, truth, interval_of(value))
        if set(expected) == {"lo", "hi"}:
            truth = Interval(parse_extended(expected["lo"]), parse_extended(expected["hi"]))
            return against(question, truth, interval_of(value))
        if set(expected) - set(_BESIDE) == {"matrix"} and isinstance(value, list):
            value = {"matrix": value}
        if len(expected) == 1 and not isinstance(value, (Mapping, list)):
            value = dict.fromkeys(expected, value)
    try:
        found = worst_of(_leaves(question, expected, value, "value"))
    except _DifferentShapeError as difference:
        return "wrong", None, str(difference)
    return found


class _DifferentShapeError(OracleError):
    """The value has another shape than the truth."""


def _leaves(question: Question, expected: Any, value: Any, where: str) -> list[tuple[str, Found]]:  # noqa: ANN401
    """The verdict on each number of a JSON value, with its place."""
    if isinstance(expected, Mapping):
        if not isinstance(value, Mapping):
            raise _DifferentShapeError(f"{where}: expected an object, got {shorten(value)}")
        found: list[tuple[str, Found]] = []
        for key, part in expected.items():
            if key not in value and key in _BESIDE:
                continue
            if key not in value:
                raise _DifferentShapeError(f"{where}: the key {key} is missing")
            found += _leaves(question, part, value[key], f"{where}.{key}")
        return found
    if isinstance(expected, (list, tuple)):
        if not isinstance(value, (list, tuple)) or len(value) != len(expected):
            got = f"{len(value)} members" if isinstance(value, (list, tuple)) else shorten(value)
            raise _DifferentShapeError(f"{where}: expected {len(expected)} members, got {got}")
        pairs = zip(expected, value, strict=True)
        return [one for n, (e, v) in enumerate(pairs) for one in _leaves(question, e, v, f"{where}[{n}]")]
    number = _number_or_none(expected)
    if number is None or ".inputs" in where or ".outputs" in where:
        return [(where, ("exact" if value == expected else "wrong", None, None))]
    return [(where, against(question, Interval.point(number), interval_of(value, where)))]


def _number_or_none(value: object) -> Extended | None:
    try:
        return None if isinstance(value, bool) or value is None else parse_extended(value)
    except InputError:
        return None
