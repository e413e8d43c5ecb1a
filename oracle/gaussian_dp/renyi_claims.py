"""The Rényi divergence of one order of a pair against a claimed epsilon, three-valued.

D_a <= epsilon is decided exactly for a finite rational pair at whole orders from 2 (the moment is rational) and at
order infinity, where it is pure epsilon-DP; otherwise by balls of growing precision, which leave an equality undecided.
"""

from __future__ import annotations

from typing import Final

from flint import arb
from gmpy2 import mpq

from oracle.channels.channel import Channel
from oracle.channels.divergences import Direction
from oracle.channels.formal_channel import FormalChannel
from oracle.channels.formal_rows import Quotient
from oracle.channels.renyi import LossLaw, Renyi, check_order, is_moment_order, largest_ratio, renyi
from oracle.enclosures import (
    DEFAULT_DIGITS,
    MAX_REQUESTED_DIGITS,
    Ball,
    Comparison,
    Enclosure,
    compare,
    enclose,
    parse_digits,
    precision,
    rational_ball,
)
from oracle.errors import InputError, LimitError
from oracle.exact import INFINITY, Extended, Infinity, parse_extended
from oracle.experiments.base import Experiment, level_logarithm
from oracle.formal import FormalSum
from oracle.gaussian_dp.arguments import EpsilonLike, ExtendedLike, PairLike, directions_of, level_of, pair_of
from oracle.levels import Level

__all__ = ["compare_renyi", "divergence_value"]

_LARGEST_EXACT: Final = 256
"""Whole orders up to this are decided by the exact moment."""

_ONE: Final = FormalSum.rational(1)

Pair = Channel | FormalChannel | Experiment


def compare_renyi(pair: PairLike, order: ExtendedLike, epsilon: EpsilonLike, side: Direction) -> Comparison:
    """The sign of D_order(P‖Q) - epsilon (backward: D_order(Q‖P)), epsilon >= 0.

    Args:
        pair: a two-row channel or its matrix, or an experiment.
        order: above 0, ``INFINITY`` included.
        epsilon: at least 0, as in :mod:`oracle.gaussian_dp.arguments`.
        side: forward or backward.

    Raises:
        InputError: for an order that is not above 0.
        Declined: for an experiment that does not offer the order.
    """
    laws, a, level = pair_of(pair), check_order(parse_extended(order, "order")), level_of(epsilon)
    (side,) = _one(side)
    if level.is_infinite:
        return Comparison(-1, 0)
    if isinstance(a, Infinity):
        return _compare_largest(laws, level, side)
    if isinstance(laws, Experiment):
        return _compare_experiment(laws, a, level, side)
    return _compare_finite(laws, a, level, side)


def _one(side: Direction) -> tuple[Direction, ...]:
    if side == "both":
        raise InputError("one direction, forward or backward", side, "side")
    return directions_of(side)


def _compare_finite(pair: Channel | FormalChannel, order: mpq, level: Level, side: Direction) -> Comparison:
    law = LossLaw(pair, side)
    if law.disjoint or (law.infinite and order >= 1):
        return Comparison(1, 0)
    if law.trivial:
        return Comparison(0 if level.value == 1 else -1, 0)
    if isinstance(pair, Channel) and is_moment_order(order) and order <= _LARGEST_EXACT:
        try:
            return _compare_moment(renyi(pair, order, side), order, level)
        except LimitError:
            # Too long to be written out: the balls decide all but an equality.
            return compare(law.divergence(order), _epsilon(level))
    return compare(law.divergence(order), _epsilon(level))


def _epsilon(level: Level) -> Ball | mpq:
    if level.exponent is not None:
        return level.exponent
    return mpq(0) if level.value == 1 else level_logarithm(level)


def _compare_largest(pair: Pair, level: Level, side: Direction) -> Comparison:
    """D_∞ against epsilon: max p/q against e^epsilon, exactly for a finite table."""
    if isinstance(pair, Experiment):
        holds = pair.checks(level, mpq(0), side)[0].comparison
        if holds.sign != 0:
            return holds
        # D_a = 0 says "at most"; equality where the supremum of the loss is known to be the claimed one.
        return Comparison(0 if pair.largest_loss(side) == level else -1, holds.bits)
    law = LossLaw(pair, side)
    if law.infinite:
        return Comparison(1, 0)
    if isinstance(pair, FormalChannel):
        return Comparison(largest_ratio(pair.oriented(side)).compare(Quotient(level.formal(), _ONE)), 0)
    return Comparison(-level.compare(law.largest_ratio), 0)


def _compare_moment(found: Renyi, order: mpq, level: Level) -> Comparison:
    """M against e^((order - 1)·epsilon), exactly."""
    moment, power = found.moment, order - 1
    if not isinstance(moment, mpq):
        return Comparison(1, 0)
    if level.exponent is not None:
        return Comparison(-Level.of_exponent(level.exponent * power).compare(moment), 0)
    value = level.value
    bound = value ** int(power.numerator)  # type: ignore[operator]
    return Comparison((moment > bound) - (moment < bound), 0)


def _compare_experiment(pair: Experiment, order: mpq, level: Level, side: Direction) -> Comparison:
    """From enclosures of growing digits."""
    digits = DEFAULT_DIGITS
    while True:
        value = _divergence(pair.renyi(order, side, digits), order, digits)
        if isinstance(value, Infinity):
            return Comparison(1, 0)
        if isinstance(value, mpq):
            return _compare_exact(value, level)
        bits = digits * 10 // 3
        low, high = compare(value.lo, _epsilon(level)), compare(value.hi, _epsilon(level))
        if low.sign == 1:
            return Comparison(1, bits)
        if high.sign == -1:
            return Comparison(-1, bits)
        if digits >= MAX_REQUESTED_DIGITS:
            return Comparison(None, bits)
        digits = min(4 * digits, MAX_REQUESTED_DIGITS)


def _compare_exact(value: mpq, level: Level) -> Comparison:
    """A rational divergence against log a: rationals are compared, and e^value against a rational a, exactly."""
    if level.exponent is not None:
        return Comparison((value > level.exponent) - (value < level.exponent), 0)
    bound = level.value
    if value == 0:
        return Comparison(0 if bound == 1 else -1, 0)
    return Comparison(Level.of_exponent(value).compare(bound), 0)  # type: ignore[arg-type]


def _divergence(found: Renyi, order: mpq, digits: int) -> Extended | Enclosure:
    """D from what was found, through the moment where only that is stated."""
    if found.divergence is not None:
        return found.divergence
    moment = found.moment
    if moment is None or isinstance(moment, Infinity):
        return INFINITY
    lo, hi = (moment.lo, moment.hi) if isinstance(moment, Enclosure) else (moment, moment)
    if lo == hi == 1:
        return mpq(0)

    def ball(bits: int) -> arb:
        with precision(bits):
            return rational_ball(lo).union(rational_ball(hi)).log() / rational_ball(order - 1)

    return enclose(ball, digits)


def divergence_value(
    pair: PairLike, order: ExtendedLike, side: Direction, digits: int = DEFAULT_DIGITS
) -> Extended | Enclosure:
    """D_order of one direction as a value: exact where it is rational or infinite, else an enclosure."""
    laws, a, digits = pair_of(pair), check_order(parse_extended(order, "order")), parse_digits(digits)
    (side,) = _one(side)
    found = laws.renyi(a, side, digits) if isinstance(laws, Experiment) else renyi(laws, a, side, digits)
    if isinstance(a, Infinity):
        return INFINITY if found.divergence is None else found.divergence
    return _divergence(found, a, digits)
