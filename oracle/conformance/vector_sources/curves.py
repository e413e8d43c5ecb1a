"""Finite pairs by their events: trade-off functions, canonical forms, and the reading of curves, in fractions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any, Final

from oracle.conformance.vector_sources.expressions import Law, NoSecondWay, Undefined, law_pair, number

__all__ = [
    "ENUMERATION",
    "EVENTS",
    "MOST_EVENTS",
    "MPMATH",
    "Point",
    "Second",
    "corners_of",
    "curve_of",
    "events",
    "hull",
    "is_exact",
    "merged",
    "oriented",
    "rational_pair",
    "sides_of",
    "value_at",
]

ENUMERATION: Final = "enumeration in fractions"
EVENTS: Final = "enumeration of all events"
MPMATH: Final = "mpmath 60 digits"

Second = tuple[str, Any]
"""The name of the way, and the value."""

Point = tuple[Fraction, Fraction]

MOST_EVENTS: Final = 10
"""Most outcomes whose events are all looked at."""


def sides_of(direction: str) -> tuple[str, ...]:
    """The directions asked for."""
    if direction not in ("forward", "backward", "both"):
        raise Undefined("a direction")
    return ("forward", "backward") if direction == "both" else (direction,)


def oriented(p: Law, q: Law, side: str) -> tuple[Law, Law]:
    """The two laws in one direction."""
    return (p, q) if side == "forward" else (q, p)


def is_exact(law: Law) -> bool:
    """Whether all masses are fractions."""
    return all(isinstance(mass, Fraction) for mass in law)


def events(p: Law, q: Law) -> set[Point]:
    """(P(S), Q(S)) of every event S."""
    pairs = {(Fraction(0), Fraction(0))}
    for a, b in zip(p, q, strict=True):
        pairs |= {(first + a, other + b) for first, other in pairs}
    return pairs


def hull(points: Sequence[Point]) -> list[Point]:
    """The corners of the greatest convex function below some points."""
    lowest: dict[Fraction, Fraction] = {}
    for alpha, beta in points:
        lowest[alpha] = min(beta, lowest.get(alpha, beta))
    hull: list[Point] = []
    for x, y in sorted(lowest.items()):
        while len(hull) > 1:
            (x0, y0), (x1, y1) = hull[-2:]
            if (x1 - x0) * (y - y0) > (y1 - y0) * (x - x0):
                break
            hull.pop()
        hull.append((x, y))
    return hull


def curve_of(p: Law, q: Law) -> list[Point]:
    """The corners of T(p, q) from the errors (P(S), 1 - Q(S)) of tests; for long laws those of the likelihood order."""
    if len(p) <= MOST_EVENTS:
        return hull([(a, 1 - b) for a, b in events(p, q)])
    columns = [(a, b) for a, b in zip(p, q, strict=True) if a or b]
    columns.sort(key=lambda column: -column[1] / (column[0] + column[1]))
    points, alpha, beta = [(Fraction(0), Fraction(1))], Fraction(0), Fraction(1)
    for a, b in columns:
        alpha, beta = alpha + a, beta - b
        points.append((alpha, beta))
    return hull(points)


def value_at(corners: Sequence[Point], alpha: Fraction) -> Fraction:
    """The curve through some corners at alpha."""
    for (x0, y0), (x1, y1) in pairwise(corners):
        if x0 <= alpha <= x1:
            return y0 + (y1 - y0) * (alpha - x0) / (x1 - x0)
    return corners[0][1]


def rational_pair(node: Mapping[str, Any]) -> tuple[Law, Law]:
    """The two laws of a finite mechanism, which must be rational."""
    p, q = law_pair(node)
    if not is_exact(p + q):
        raise NoSecondWay("irrational probabilities")
    return p, q


def merged(p: Law, q: Law) -> list[Law]:
    """The canonical channel: no zero column, equal ratios merged, q/p increasing."""
    columns: dict[Fraction, Point] = {}
    for a, b in zip(p, q, strict=True):
        if a or b:
            old = columns.get(b / (a + b), (Fraction(0), Fraction(0)))
            columns[b / (a + b)] = old[0] + a, old[1] + b
    return [list(row) for row in zip(*(columns[key] for key in sorted(columns)), strict=True)]


def corners_of(tradeoff: Mapping[str, Any]) -> list[Point]:
    """The corners of a document, which must be those of a trade-off function."""
    corners = [(number(a), number(b)) for a, b in tradeoff["breakpoints"]]
    slopes = []
    for (x0, y0), (x1, y1) in pairwise(corners):
        if x1 <= x0:
            raise Undefined("alpha does not increase")
        slopes.append((y1 - y0) / (x1 - x0))
    if (
        not corners
        or corners[0][0] != 0
        or corners[-1] != (Fraction(1), Fraction(0))
        or any(a + b > 1 or b < 0 for a, b in corners)
    ):
        raise Undefined("no trade-off function")
    if any(slope > 0 for slope in slopes) or any(later < sooner for sooner, later in pairwise(slopes)):
        raise Undefined("no convex falling function")
    return corners
