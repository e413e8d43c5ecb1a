"""Two rows of exponential sums: the data type of formal channels and its likelihood order.

A formal channel holds two rows of *unnormalised weights*, exact numbers of the form Σ c · e^s · Π p^r
(:mod:`oracle.formal`); with w = row 0, v = row 1 and the totals Z_P, Z_Q the probabilities are
p_y = w_y / Z_P and q_y = v_y / Z_Q. What is asked of them is in :mod:`oracle.channels.formal_channel`
and :mod:`oracle.channels.formal_claims`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cmp_to_key
from typing import TYPE_CHECKING, NamedTuple, Self

from gmpy2 import mpq

from oracle.channels.channel import Channel, require_two_rows
from oracle.enclosures import DEFAULT_DIGITS, Enclosure
from oracle.errors import InputError, shorten
from oracle.exact import Infinity
from oracle.formal import FormalSum, product_sign, ratio_enclosure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oracle.channels.divergences import Direction
    from oracle.levels import Level

__all__ = ["FormalChannel", "Group", "Quotient", "Value", "exceeding", "forward_quotient"]

Weights = tuple[FormalSum, ...]
Value = mpq | Enclosure

_ONE = FormalSum.rational(1)


class Quotient(NamedTuple):
    """The number num/den, den > 0, kept as a pair so that comparisons stay exact."""

    num: FormalSum
    den: FormalSum

    def compare(self, other: Quotient) -> int:
        """Sign of self - other: exact (cross multiplication by positive denominators)."""
        if self == other:
            return 0
        return product_sign((self.num, other.den), (other.num, self.den))

    def value(self, digits: int = DEFAULT_DIGITS) -> Value:
        """The exact rational if it is one, else an enclosure."""
        result = ratio_enclosure(self.num, self.den, digits)
        if isinstance(result, Infinity):
            raise InputError("a denominator other than 0", "0")
        return result


@dataclass(frozen=True, slots=True)
class Group:
    """All columns of one likelihood ratio, with the sums of their weights."""

    columns: tuple[int, ...]
    p: FormalSum
    q: FormalSum


class FormalChannel:
    """A two-row channel given by unnormalised weights.

    Args:
        rows: two rows of the same length >= 1; every weight must be at least 0 and each row's total
            positive, which is proved here.
        inputs: labels of the two rows, or None.
        outputs: labels of the columns, or None.

    Raises:
        InputError: for another shape, a negative weight or a row of weights that are all 0.
    """

    __slots__ = ("_groups", "inputs", "outputs", "rows", "totals")

    rows: tuple[Weights, Weights]
    totals: tuple[FormalSum, FormalSum]
    inputs: tuple[str, ...] | None
    outputs: tuple[str, ...] | None
    _groups: tuple[Group, ...] | None

    def __init__(
        self,
        rows: Sequence[Sequence[FormalSum]],
        inputs: Sequence[str] | None = None,
        outputs: Sequence[str] | None = None,
    ) -> None:
        if len(rows) != 2 or len(rows[0]) != len(rows[1]) or not rows[0]:
            raise InputError("two rows of the same length, at least 1", f"lengths {[len(row) for row in rows]}")
        for i, row in enumerate(rows):
            for j, weight in enumerate(row):
                if weight.sign() < 0:
                    raise InputError("a weight at least 0", shorten(str(weight)), f"rows[{i}][{j}]")
        self.rows = (tuple(rows[0]), tuple(rows[1]))
        self.totals = (FormalSum.sum(self.rows[0]), FormalSum.sum(self.rows[1]))
        for i, total in enumerate(self.totals):
            if total.is_zero():
                raise InputError("a row with a positive weight", "only zeros", f"rows[{i}]")
        self.inputs = None if inputs is None else tuple(inputs)
        self.outputs = None if outputs is None else tuple(outputs)
        self._groups = None

    @classmethod
    def from_channel(cls, channel: Channel) -> Self:
        """The same two-row channel with its probabilities as weights."""
        require_two_rows(channel)
        rows = [[FormalSum.rational(x) for x in row] for row in channel.rows]
        return cls(rows, channel.inputs, channel.outputs)

    def as_channel(self) -> Channel | None:
        """The rational channel with the same probabilities, or None if one of them is irrational."""
        rows: list[list[mpq]] = []
        for row, total in zip(self.rows, self.totals, strict=True):
            rows.append([])
            for weight in row:
                quotient = weight.ratio_to(total)
                value = None if quotient is None else quotient.as_rational()
                if value is None:
                    return None
                rows[-1].append(value)
        return Channel.trusted((tuple(rows[0]), tuple(rows[1])), self.inputs, self.outputs)

    def probability(self, row: int, column: int, digits: int = DEFAULT_DIGITS) -> Value:
        """One entry of the normalised matrix: a rational if it is one, else an enclosure."""
        value = Quotient(self.rows[row][column], self.totals[row]).value(digits)
        return value.clamped() if isinstance(value, Enclosure) else value

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of rows (2) and columns."""
        return 2, len(self.rows[0])

    def swapped(self) -> FormalChannel:
        """The same pair with P and Q exchanged."""
        other = FormalChannel.__new__(FormalChannel)
        other.rows = self.rows[::-1]
        other.totals = self.totals[::-1]
        other.inputs = None if self.inputs is None else self.inputs[::-1]
        other.outputs = self.outputs
        other._groups = tuple(Group(g.columns, g.q, g.p) for g in reversed(self.groups()))  # noqa: SLF001 - its own class
        return other

    def oriented(self, direction: Direction) -> FormalChannel:
        """The pair as (P, Q) for forward and (Q, P) for backward."""
        return self if direction == "forward" else self.swapped()

    def groups(self) -> tuple[Group, ...]:
        """Nonzero columns grouped by exactly equal ratio q/p, ratio increasing, infinite last."""
        if self._groups is None:
            self._groups = _group(self.rows)
        return self._groups

    def __repr__(self) -> str:
        return f"<FormalChannel 2 x {len(self.rows[0])}>"


def _group(rows: tuple[Weights, Weights]) -> tuple[Group, ...]:
    """Group the columns by ratio v/w.

    Where v/w is itself an exponential sum that is found (w a single term, or v a multiple of w by one)
    equal ratios are found by hashing; the sort then needs one comparison for each pair of
    different ratios only, and merges what a comparison shows to be equal.
    """
    classes: dict[tuple[FormalSum, FormalSum], list[int]] = {}
    infinite: list[int] = []
    for y, (w, v) in enumerate(zip(*rows, strict=True)):
        if w.is_zero():
            if not v.is_zero():
                infinite.append(y)
            continue
        inverse = w.inverse()
        quotient = v * inverse if inverse is not None else v.ratio_to(w)
        classes.setdefault((v, w) if quotient is None else (quotient, _ONE), []).append(y)

    def compare(left: tuple[FormalSum, FormalSum], right: tuple[FormalSum, FormalSum]) -> int:
        return product_sign((left[0], right[1]), (right[0], left[1]))

    members: list[list[int]] = []
    previous: tuple[FormalSum, FormalSum] | None = None
    for ratio in sorted(classes, key=cmp_to_key(compare)):
        if previous is not None and compare(previous, ratio) == 0:
            members[-1] += classes[ratio]
        else:
            members.append(classes[ratio])
        previous = ratio
    if infinite:
        members.append(infinite)
    return tuple(
        Group(tuple(columns), *(FormalSum.sum(row[y] for y in columns) for row in rows))
        for columns in map(sorted, members)
    )


def exceeding(channel: FormalChannel, level: Level) -> tuple[Group, ...]:
    """The groups with p > a q (a = inf: with q = 0 < p): a prefix of the order, found by bisection.

    p > a q means q/p < 1/a, and ratios increase along the order, so the answers are true, then false.
    """
    groups = channel.groups()
    total_p, total_q = channel.totals
    low, high = 0, len(groups)
    while low < high:
        middle = (low + high) // 2
        group = groups[middle]
        if level.is_infinite:
            exceeds = group.q.is_zero()
        else:
            exceeds = product_sign((group.p, total_q), (level.formal(), group.q, total_p)) > 0
        if exceeds:
            low = middle + 1
        else:
            high = middle
    return groups[:low]


def forward_quotient(channel: FormalChannel, groups: Sequence[Group], level: Level) -> Quotient:
    """P(S) - a·Q(S) for the event S of *groups* as a quotient; for a = inf with Q(S) = 0 it is P(S)."""
    p, q = FormalSum.sum(g.p for g in groups), FormalSum.sum(g.q for g in groups)
    total_p, total_q = channel.totals
    if q.is_zero():
        return Quotient(p, total_p)
    if total_p == total_q:
        return Quotient(p - level.formal() * q, total_p)
    return Quotient(p * total_q - level.formal() * q * total_p, total_p * total_q)
