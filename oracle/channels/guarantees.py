"""Several (epsilon, delta) guarantees at once: the least upper bound of their worst-case channels, exactly.

The worst case of (epsilon, delta) has the trade-off function f = max(0, 1 - delta - E alpha, (1 - delta - alpha)/E),
E = e^epsilon. The least upper bound has the pointwise maximum of these, which is again the largest of finitely many
lines c - h alpha. At E = inf the worst case tells the inputs apart, whatever delta < 1 is, and its curve is 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from gmpy2 import mpq

from oracle.channels.channel import Channel
from oracle.channels.divergences import check_delta
from oracle.channels.formal_channel import FormalChannel
from oracle.channels.formal_rows import Quotient
from oracle.channels.lattice import least_upper_bound
from oracle.channels.worst_case import approximate_dp_channel
from oracle.errors import Declined, InputError
from oracle.exact import Infinity
from oracle.formal import FormalSum
from oracle.levels import Level

__all__ = ["guarantee_channel"]

_MOST_IRRATIONAL: Final = 6

_ZERO = FormalSum()
_ONE = FormalSum.rational(1)


class _Line(NamedTuple):
    """The line intercept - slope · alpha."""

    intercept: FormalSum
    slope: FormalSum


def guarantee_channel(pairs: Sequence[tuple[Level, mpq]]) -> Channel | FormalChannel:
    """The least channel that has every one of the guarantees (epsilon_i, delta_i), both directions meant.

    Args:
        pairs: levels of at least 1, and deltas in [0, 1]; at least one.

    Raises:
        InputError: for no pair, a level below 1 or a delta outside [0, 1].
        Declined: for more than 6 distinct pairs of which one has an irrational e^epsilon.
    """
    if not pairs:
        raise InputError("at least one guarantee", "none", "pairs")
    for level, delta in pairs:
        check_delta(delta)
        if level.compare(1) < 0:
            raise InputError("epsilon at least 0", level.describe(), "pairs")
    pairs = list(dict.fromkeys(pairs))
    values = [level.value for level, _ in pairs]
    rational = [
        approximate_dp_channel(value, delta)
        for value, (_, delta) in zip(values, pairs, strict=True)
        if value is not None
    ]
    if len(rational) == len(pairs):
        return least_upper_bound(rational)
    if len(pairs) > _MOST_IRRATIONAL:
        raise Declined(
            f"guarantees: more than {_MOST_IRRATIONAL} distinct pairs with an irrational e^epsilon among them are not"
            " offered"
        )
    return _of_lines([line for level, delta in pairs for line in _lines(level, delta)])


def _lines(level: Level, delta: mpq) -> list[_Line]:
    """The lines of f; at E = inf the line 0 alone."""
    if isinstance(level.value, Infinity):
        return [_Line(_ZERO, _ZERO)]
    rest = FormalSum.rational(1 - delta)
    inverse = level.formal().inverse()
    if inverse is None:
        raise InputError("a level of one term", level.describe())
    return [_Line(rest, level.formal()), _Line(rest * inverse, inverse), _Line(_ZERO, _ZERO)]


def _of_lines(lines: Sequence[_Line]) -> FormalChannel:
    """The channel whose trade-off function is the largest of the lines on [0, 1].

    The envelope is followed from alpha = 0 to the line of slope 0. A segment of length w and slope h is a column
    (w, h w) of ratio h; what alpha = 0 leaves, 1 - f(0), is a column with p = 0; the rest of [0, 1], where f = 0, one
    with q = 0. Lengths are quotients of exponential sums, brought to one denominator.
    """
    current = max(lines, key=_order)
    first = current.intercept
    crossings: list[tuple[FormalSum, FormalSum, FormalSum]] = []
    while not current.slope.is_zero():
        best: tuple[Quotient, _Line] | None = None
        for line in lines:
            fall = current.slope - line.slope
            if fall.sign() <= 0:
                continue
            at = Quotient(current.intercept - line.intercept, fall)
            order = -1 if best is None else at.compare(best[0])
            if best is None or order < 0 or (order == 0 and (line.slope - best[1].slope).sign() < 0):
                best = (at, line)
        if best is None:
            raise InputError("a line of slope 0", "none")
        crossings.append((best[0].num, best[0].den, current.slope))
        current = best[1]
    common = _product([den for _, den, _ in crossings])
    places = [
        num * _product([d for j, (_, d, _) in enumerate(crossings) if j != k])
        for k, (num, _, _) in enumerate(crossings)
    ]
    lengths = [b - a for a, b in zip([_ZERO, *places], places, strict=False)]
    p = [common - places[-1] if places else common, *reversed(lengths), _ZERO]
    q = [_ZERO, *reversed([w * h for w, (_, _, h) in zip(lengths, crossings, strict=True)]), common * (_ONE - first)]
    kept = [(x, y) for x, y in zip(p, q, strict=True) if not (x.is_zero() and y.is_zero())]
    return FormalChannel([[x for x, _ in kept], [y for _, y in kept]])


class _Ordered:
    """A line in the order of its value just after alpha = 0: by intercept, then by smaller slope."""

    def __init__(self, line: _Line) -> None:
        self.line = line

    def __lt__(self, other: _Ordered) -> bool:
        sign = (self.line.intercept - other.line.intercept).sign()
        return sign < 0 or (sign == 0 and (self.line.slope - other.line.slope).sign() > 0)


def _order(line: _Line) -> _Ordered:
    return _Ordered(line)


def _product(factors: Sequence[FormalSum]) -> FormalSum:
    result = _ONE
    for factor in factors:
        result = result * factor
    return result
