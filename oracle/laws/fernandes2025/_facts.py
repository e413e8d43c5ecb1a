"""Quantities of the paper by definition: events and tests enumerated, nothing sorted, nothing taken from the engine.

An *event* S is a set of columns; rejecting exactly on S is a test with errors (P(S), 1 - Q(S)). Every vertex of the
polytope of tests 0 <= φ <= 1 of a given level has at most one fractional entry, so events and one further column
with a fraction are all that an optimum needs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, combinations
from typing import Any, Final

from gmpy2 import mpq

from oracle.channels.channel import Channel, Rows
from oracle.channels.tradeoff import TradeoffFunction
from oracle.enclosures import Enclosure
from oracle.errors import Declined
from oracle.laws.ask import Number

__all__ = [
    "EVERYTHING",
    "NOTHING",
    "ONE",
    "ZERO",
    "canonical_rows",
    "channel",
    "chord_minimum",
    "curve",
    "error_of",
    "event_points",
    "events",
    "exact",
    "hockey_stick_of",
    "least_type_two_error",
    "mass",
    "product",
    "test_of_level",
    "two_point",
]

Point = tuple[mpq, mpq]
ZERO, ONE = mpq(0), mpq(1)


def channel(*rows: str) -> Channel:
    """A channel from rows such as "1/2 1/2"."""
    return Channel([row.split() for row in rows])


NOTHING: Final = channel("1", "1")
"""The channel that reveals nothing, the greatest."""
EVERYTHING: Final = channel("1 0", "0 1")
"""The channel that reveals everything, the least."""


def events(columns: int) -> Iterator[tuple[int, ...]]:
    """Every subset of the columns."""
    return chain.from_iterable(combinations(range(columns), size) for size in range(columns + 1))


def mass(row: Sequence[mpq], event: Iterable[int]) -> mpq:
    """Probability of an event."""
    return sum((row[i] for i in event), ZERO)


def event_points(table: Rows) -> list[Point]:
    """(P(S), 1 - Q(S)) of every event S."""
    p, q = table
    return [(mass(p, s), 1 - mass(q, s)) for s in events(len(p))]


def least_type_two_error(table: Rows, alpha: mpq) -> mpq:
    """T(P, Q)(alpha) by definition 2: the least 1 - E_q φ of tests φ with E_p φ <= alpha, over all vertices."""
    p, q = table
    best = ONE
    for event in events(len(p)):
        left = alpha - mass(p, event)
        if left < 0:
            continue
        beta = 1 - mass(q, event)
        gains = (q[i] * (min(ONE, left / p[i]) if p[i] else 1) for i in range(len(p)) if i not in event)
        best = min(best, beta - max(gains, default=ZERO))
    return best


def hockey_stick_of(table: Rows, level: mpq) -> mpq:
    """Largest Q(S) - h P(S) over events, which is Σ max(0, q - h p)."""
    p, q = table
    return max(mass(q, event) - level * mass(p, event) for event in events(len(p)))


def error_of(table: Rows, level: mpq) -> tuple[mpq, mpq]:
    """err_M(h) and the power of the test that rejects where q >= h p: the two sums of definition 10."""
    event = [i for i, (a, b) in enumerate(zip(*table, strict=True)) if b >= level * a]
    return mass(table[0], event), mass(table[1], event)


def test_of_level(table: Rows, level: mpq) -> Rows:
    """R^h by definition: column 1 (reject) where q >= h p, column 0 elsewhere."""
    return tuple((ZERO, ONE) if b >= level * a else (ONE, ZERO) for a, b in zip(*table, strict=True))


test_of_level.__test__ = False  # type: ignore[attr-defined]  # the field's name, not a pytest test


def two_point(alpha: mpq, beta: mpq) -> Rows:
    """[1 - alpha, alpha; beta, 1 - beta]: the 2 x 2 channel f^alpha of a point (alpha, beta) of a curve f."""
    return ((1 - alpha, alpha), (beta, 1 - beta))


def product(left: Rows, right: Rows) -> Rows:
    """left·right."""
    columns = list(zip(*right, strict=True))
    return tuple(tuple(sum((a * b for a, b in zip(row, c, strict=True)), ZERO) for c in columns) for row in left)


def canonical_rows(table: Rows) -> Rows:
    """Canonical form by definition: columns added up by posterior q/(p + q), in its order, zero columns left out."""
    groups: dict[mpq, Point] = {}
    for a, b in zip(*table, strict=True):
        if a + b:
            p, q = groups.get(b / (a + b), (ZERO, ZERO))
            groups[b / (a + b)] = (p + a, q + b)
    columns = [groups[posterior] for posterior in sorted(groups)]
    return tuple(a for a, _ in columns), tuple(b for _, b in columns)


def chord_minimum(points: Iterable[Point], alpha: mpq) -> mpq:
    """Value at alpha of the largest convex function below the points: the least over all chords between two."""
    known = list(points)
    left = [(a, b) for a, b in known if a <= alpha]
    right = [(a, b) for a, b in known if a > alpha]
    on = [b for a, b in left if a == alpha]
    across = [b0 + (b1 - b0) * (alpha - a0) / (a1 - a0) for a0, b0 in left for a1, b1 in right]
    return min([*on, *across])


def exact(number: Number) -> mpq:
    """A subject's number where an exact one is needed for a further step; declined where only bounds are known."""
    if isinstance(number, Enclosure):
        raise Declined("an enclosure where an exact number is needed")
    return number


def curve(*corners: Sequence[Any]) -> TradeoffFunction:
    """A trade-off function from corners such as ("1/2", "1/4")."""
    return TradeoffFunction(corners)
