"""Comparisons of what a subject said, as an *excess*: by how much a law is broken, exactly.

An excess of at most 0 means that the law holds on the example. An enclosure counts as broken only where the
whole of it is on the wrong side.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from gmpy2 import mpq

from oracle.enclosures import Enclosure
from oracle.laws.ask import Curve, Number, Table

__all__ = [
    "at",
    "at_most",
    "curve_at_most",
    "curves_equal",
    "equal",
    "tables_equal",
    "true",
    "valid_channel",
    "valid_curve",
    "worst",
]

ONE = mpq(1)


def worst(excesses: Iterable[mpq]) -> mpq:
    """The largest of several excesses; nothing to compare is no excess."""
    return max(excesses, default=mpq(0))


def true(holds: bool) -> mpq:
    """0 for true, 1 for false."""
    return mpq(0) if holds else ONE


def at_most(x: Number | int, y: Number | int) -> mpq:
    """Excess of x over y."""
    low = x.lo if isinstance(x, Enclosure) else mpq(x)
    high = y.hi if isinstance(y, Enclosure) else mpq(y)
    return low - high


def equal(x: Number | int, y: Number | int) -> mpq:
    """Distance of x and y (of the nearest points of enclosures)."""
    return max(at_most(x, y), at_most(y, x))


def at(curve: Curve, alpha: mpq) -> mpq:
    """Value of corners at alpha in [0, 1], by interpolation; of several corners at one alpha the first counts."""
    for (a0, b0), (a1, b1) in pairwise(curve):
        if alpha == a0:
            return b0
        if a0 < alpha < a1:
            return b0 + (b1 - b0) * (alpha - a0) / (a1 - a0)
    return curve[-1][1]


def curve_at_most(f: Curve, g: Curve) -> mpq:
    """Largest f - g over [0, 1]; both are piecewise linear, so their corners decide."""
    return worst(at(f, a) - at(g, a) for a, _ in (*f, *g))


def curves_equal(f: Curve, g: Curve) -> mpq:
    """Largest |f - g| over [0, 1]."""
    return max(curve_at_most(f, g), curve_at_most(g, f))


def tables_equal(left: Table, right: Table) -> mpq:
    """Largest difference of two tables' entries; 1 for different shapes."""
    if [len(row) for row in left] != [len(row) for row in right]:
        return ONE
    return worst(abs(a - b) for r, s in zip(left, right, strict=True) for a, b in zip(r, s, strict=True))


def valid_channel(table: Table) -> mpq:
    """How far a table is from being a channel: negative entries and row sums."""
    negative = worst(-v for row in table for v in row)
    return max(negative, worst(abs(sum(row, mpq(0)) - 1) for row in table))


def valid_curve(curve: Curve) -> mpq:
    """How far corners are from a trade-off function: ends, range, monotony and convexity."""
    ends = [abs(curve[0][0]), abs(curve[-1][0] - 1), abs(curve[-1][1])]
    bounds = [max(-b, b - (1 - a)) for a, b in curve]
    steps = [max(a0 - a1, b1 - b0) for (a0, b0), (a1, b1) in pairwise(curve)]
    # Twice the area by which a corner lies above the chord of its neighbours; 0 or less where convex.
    bends = [
        (b1 - b0) * (a2 - a0) - (b2 - b0) * (a1 - a0)
        for (a0, b0), (a1, b1), (a2, b2) in zip(curve, curve[1:], curve[2:], strict=False)
    ]
    return worst([*ends, *bounds, *steps, *bends])
