"""Quantities of the paper by definition: events enumerated, profiles integrated piece by piece, nothing taken on trust.

An *event* E is a set of columns. D_a(P‖Q) is the largest P(E) - a Q(E) over all events.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations
from typing import Final

from gmpy2 import mpq

from oracle.channels.channel import Channel, Rows
from oracle.enclosures import Enclosure
from oracle.errors import Declined
from oracle.exact import INFINITY, Extended, parse_extended, parse_number
from oracle.laws.ask import Number

__all__ = [
    "EVERYTHING",
    "NOTHING",
    "ONE",
    "ZERO",
    "channel",
    "divergence",
    "divergence_both",
    "events",
    "exact",
    "extended",
    "mass",
    "mix",
    "number",
    "product",
]

ZERO, ONE = mpq(0), mpq(1)


def channel(*rows: str) -> Channel:
    """A channel from rows such as "1/2 1/2"."""
    return Channel([row.split() for row in rows])


NOTHING: Final = channel("1", "1")
"""Two equal laws."""
EVERYTHING: Final = channel("1 0", "0 1")
"""Two disjoint laws."""


def events(columns: int) -> Iterator[tuple[int, ...]]:
    """Every subset of the columns."""
    return chain.from_iterable(combinations(range(columns), size) for size in range(columns + 1))


def mass(row: Sequence[mpq], event: Iterable[int]) -> mpq:
    """Probability of an event."""
    return sum((row[i] for i in event), ZERO)


def divergence(table: Rows, level: mpq) -> mpq:
    """D_a(P‖Q), the largest P(E) - a Q(E) over all events E."""
    p, q = table
    return max(mass(p, event) - level * mass(q, event) for event in events(len(p)))


def divergence_both(table: Rows, level: mpq) -> mpq:
    """The larger of D_a(P‖Q) and D_a(Q‖P): what a symmetric relation asks for."""
    return max(divergence(table, level), divergence(table[::-1], level))


def mix(weight: mpq, rest: Sequence[mpq], law: Sequence[mpq]) -> tuple[mpq, ...]:
    """(1 - weight)·rest + weight·law."""
    return tuple((1 - weight) * a + weight * b for a, b in zip(rest, law, strict=True))


def product(left: Rows, right: Rows) -> Rows:
    """left·right."""
    columns = list(zip(*right, strict=True))
    return tuple(tuple(sum((a * b for a, b in zip(row, c, strict=True)), ZERO) for c in columns) for row in left)


def number(value: object) -> Number:
    """A finite number as a subject says it: a text, or bounds."""
    if isinstance(value, Mapping):
        return Enclosure(parse_number(value["lo"], "lo"), parse_number(value["hi"], "hi"))
    return parse_number(value, "value")


def extended(value: object) -> Extended:
    """A number or infinity as a subject says it; declined where only bounds are known."""
    if isinstance(value, Mapping):
        raise Declined("an enclosure where an exact number is compared")
    return INFINITY if value == "inf" else parse_extended(value, "value")


def exact(value: Number) -> mpq:
    """A subject's number where an exact one is needed for a further step; declined where only bounds are known."""
    if isinstance(value, Enclosure):
        raise Declined("an enclosure where an exact number is needed")
    return value
