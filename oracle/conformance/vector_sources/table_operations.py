"""The operators on tables a second time, from their definitions, in fractions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, pairwise, product
from typing import Any, Final

from oracle.conformance.vector_sources.curves import (
    ENUMERATION,
    Second,
    corners_of,
    curve_of,
    hull,
    merged,
    rational_pair,
    value_at,
)
from oracle.conformance.vector_sources.expressions import (
    Law,
    NoSecondWay,
    Undefined,
    columns_of,
    infinite,
    matrix,
    multiplied,
    number,
    rows_of,
)

__all__ = ["OPERATORS"]


def _canonical(args: Mapping[str, Any]) -> Second:
    return ENUMERATION, merged(*rational_pair(args["channel"]))


def _channel_of(args: Mapping[str, Any]) -> Second:
    return ENUMERATION, merged(*columns_of(corners_of(args["tradeoff"])))


def _pairs(args: Mapping[str, Any]) -> list[tuple[Law, Law]]:
    if not args["channels"]:
        raise Undefined("at least one channel")
    return [rational_pair(channel) for channel in args["channels"]]


def _glb(args: Mapping[str, Any]) -> Second:
    corners = [point for pair in _pairs(args) for point in curve_of(*pair)]
    return "hull of all corners", merged(*columns_of(hull(corners)))


def _lub(args: Mapping[str, Any]) -> Second:
    curves = [curve_of(*pair) for pair in _pairs(args)]
    places = {a for curve in curves for a, _ in curve}
    for one, other in combinations(curves, 2):
        for (x0, y0), (x1, y1) in pairwise(one):
            for (u0, v0), (u1, v1) in pairwise(other):
                s, t = (y1 - y0) / (x1 - x0), (v1 - v0) / (u1 - u0)
                if s != t:
                    x = (v0 - t * u0 - y0 + s * x0) / (s - t)
                    places |= {x} if max(x0, u0) <= x <= min(x1, u1) else set()
    return "maximum at all crossings", merged(
        *columns_of(hull([(a, max(value_at(c, a) for c in curves)) for a in places]))
    )


def _refines(args: Mapping[str, Any]) -> Second:
    """Two rows: the hockey sticks of left are at least those of right at every ratio of either."""
    left, right = rows_of(args["left"]), rows_of(args["right"])
    if len(left) != len(right):
        raise Undefined("different numbers of rows")
    if len(left) != 2:
        raise NoSecondWay("more than two rows")
    levels = {b / a for p, q in (left, right) for a, b in zip(p, q, strict=True) if a}
    return "all likelihood ratios", all(
        _sum(left[1], left[0], h) >= _sum(right[1], right[0], h) for h in levels | {Fraction(0)}
    ) and _sum_infinite(left) >= _sum_infinite(right)


def _sum(upper: Law, lower: Law, level: Fraction) -> Fraction:
    return sum((max(Fraction(0), a - level * b) for a, b in zip(upper, lower, strict=True)), Fraction(0))


def _sum_infinite(pair: Sequence[Law]) -> Fraction:
    return sum((b for a, b in zip(*pair, strict=True) if a == 0), Fraction(0))


def _parallel(args: Mapping[str, Any]) -> Second:
    tables = [rows_of(channel) for channel in args["channels"]]
    if not tables or len({len(table) for table in tables}) != 1:
        raise Undefined("channels of one number of rows")
    rows = []
    for laws in zip(*tables, strict=True):
        row = []
        for masses in product(*laws):
            mass = Fraction(1)
            for factor in masses:
                mass *= factor
            row.append(mass)
        rows.append(row)
    return ENUMERATION, rows


def _weight(args: Mapping[str, Any]) -> Fraction:
    r = number(args["r"])
    if not 0 <= r <= 1:
        raise Undefined("a weight between 0 and 1")
    return r


def _visible(args: Mapping[str, Any]) -> Second:
    r, left, right = _weight(args), rows_of(args["left"]), rows_of(args["right"])
    if len(left) != len(right):
        raise Undefined("different numbers of rows")
    rows = [[r * a for a in one] + [(1 - r) * b for b in other] for one, other in zip(left, right, strict=True)]
    return ENUMERATION, rows


def _hidden(args: Mapping[str, Any]) -> Second:
    r, left, right = _weight(args), rows_of(args["left"]), rows_of(args["right"])
    if len(left) != len(right) or len(left[0]) != len(right[0]):
        raise Undefined("different shapes")
    pairs = zip(left, right, strict=True)
    return ENUMERATION, [[r * a + (1 - r) * b for a, b in zip(one, other, strict=True)] for one, other in pairs]


def _product(left: Sequence[Law], right: Sequence[Law]) -> Second:
    if len(left[0]) != len(right):
        raise Undefined("shapes that do not fit")
    return ENUMERATION, multiplied(left, right)


def _vulnerability(args: Mapping[str, Any]) -> Second:
    table, gain = rows_of(args["channel"]), [[number(g) for g in row] for row in args["gain"]]
    prior = [number(v) for v in args["prior"]] if "prior" in args else [Fraction(1, len(table))] * len(table)
    if sum(prior) != 1 or len(prior) != len(table) or any(len(action) != len(table) for action in gain):
        raise Undefined("a prior and a gain for each input")
    total = Fraction(0)
    for column in zip(*table, strict=True):
        total += max(sum(g * v * c for g, v, c in zip(action, prior, column, strict=True)) for action in gain)
    return ENUMERATION, total


def _decompose(args: Mapping[str, Any]) -> Second:
    """Weights and levels from the profile Σ w max(0, (E - a)/(1 + E)), whose slope changes by w/(1 + E) at a = E."""
    corners = corners_of(args["tradeoff"])
    p, q = columns_of(corners)
    if merged(p, q) != merged(q, p):
        raise Undefined("a symmetric curve")
    levels = sorted({b / a for a, b in zip(p, q, strict=True) if a and b > a}, reverse=True)
    places = [*levels, Fraction(1)]
    heights = [max(1 - beta - level * alpha for alpha, beta in corners) for level in places]
    parts: list[tuple[Fraction, Fraction | str]] = []
    if corners[0][1] < 1:
        parts.append((1 - corners[0][1], infinite))
    before = Fraction(0)
    for n, level in enumerate(levels):
        slope = (heights[n] - heights[n + 1]) / (level - places[n + 1])
        parts.append(((1 + level) * (before - slope), level))
        before = slope
    rest = 1 - sum((weight for weight, _ in parts), Fraction(0))
    return "kinks of the profile", [*parts, (rest, Fraction(1))] if rest else parts


OPERATORS: Final[Mapping[str, Callable[[Mapping[str, Any]], Second]]] = {
    "canonical": _canonical,
    "channel_of": _channel_of,
    "decompose": _decompose,
    "glb": _glb,
    "lub": _lub,
    "refines": _refines,
    "parallel": _parallel,
    "visible": _visible,
    "hidden": _hidden,
    "pre": lambda args: _product(matrix(args["pre"]), rows_of(args["channel"])),
    "post": lambda args: _product(rows_of(args["channel"]), matrix(args["post"])),
    "vulnerability": _vulnerability,
}
"""Operation to its definition."""
