"""The profile of one pair of laws, whatever kind of pair: as a value, as a ball, and inverted.

The profile here is the larger of both directions, delta(a) = max(D_a(P‖Q), D_a(Q‖P)).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from flint import arb
from gmpy2 import mpq

from oracle.channels import profile as profiles
from oracle.channels.canonical import likelihood_order
from oracle.channels.channel import Channel
from oracle.channels.divergences import Direction
from oracle.channels.formal_channel import FormalChannel, formal_delta, formal_epsilon
from oracle.enclosures import DEFAULT_DIGITS, Ball, Enclosure, enclose, precision, rational_ball, rational_bounds
from oracle.exact import Extended
from oracle.experiments.base import Experiment, Value, level_logarithm
from oracle.formal import FormalSum
from oracle.levels import Level

__all__ = [
    "Pair",
    "enclosed_bound",
    "no_leakage",
    "pair_delta",
    "pair_least",
    "power_least",
    "profile_ball",
    "raised_least",
]

Pair = Channel | FormalChannel | Experiment

_MOST_BITS: Final = 1 << 12
"""Precision at which a bound that may be exactly 0 is no longer narrowed."""


def pair_delta(pair: Pair, level: Level, digits: int = DEFAULT_DIGITS) -> Value:
    """The profile at a level: a rational, or an enclosure."""
    if isinstance(pair, Channel):
        return profiles.delta_at(pair, level, "both", digits)
    if isinstance(pair, FormalChannel):
        return formal_delta(pair, level, "both", digits)
    return pair.hockey_stick(level, "both", digits)


def pair_least(pair: Pair, delta: mpq, digits: int) -> Level | Enclosure:
    """The least level a >= 1 of the pair at min(delta, 1)."""
    bounded = min(delta, mpq(1))
    if isinstance(pair, Channel):
        return Level(profiles.least_level(pair, bounded, "both"))
    if isinstance(pair, FormalChannel):
        return formal_epsilon(pair, bounded, "both", digits)
    return pair.least_epsilon(bounded, "both", digits)


def profile_ball(pair: Pair, epsilon: Ball) -> Ball:
    """The larger of both directions at a level given by its logarithm; exactly 0 where every gain is negative."""
    if isinstance(pair, Experiment):
        if pair.symmetric:
            return pair.hockey_stick_ball(epsilon, "forward")
        both = [pair.hockey_stick_ball(epsilon, side) for side in _SIDES]
        return lambda bits: both[0](bits).max(both[1](bits))
    columns = _columns(pair)

    def ball(bits: int) -> arb:
        with precision(bits):
            a = epsilon(bits).exp()
            forward = backward = arb(0)
            for first, second in columns:
                p, q = first(bits), second(bits)
                forward += (p - a * q).max(arb(0))
                backward += (q - a * p).max(arb(0))
            return forward.max(backward)

    return ball


_SIDES: Final[tuple[Direction, Direction]] = ("forward", "backward")


def _columns(pair: Channel | FormalChannel) -> list[tuple[Ball, Ball]]:
    """The probabilities of the groups of equal likelihood ratio."""
    if isinstance(pair, Channel):
        order = likelihood_order(pair)
        return [
            (_constant(mpq(p, order.scale)), _constant(mpq(q, order.scale)))
            for p, q in zip(order.p, order.q, strict=True)
        ]
    total_p, total_q = pair.totals
    return [(_quotient(g.p, total_p), _quotient(g.q, total_q)) for g in pair.groups()]


def _quotient(weight: FormalSum, total: FormalSum) -> Ball:
    return lambda bits: weight.ball(bits) / total.ball(bits)


def _constant(x: mpq) -> Ball:
    return lambda _: rational_ball(x)


def enclosed_bound(ball: Ball, digits: int) -> Value:
    """The value of a ball in [0, 1]; exactly 0 where the ball is, [0, hi] where it may be 0 at the precision limit."""
    bits = 40 + digits * 10 // 3
    while True:
        value = ball(bits)
        if value.is_zero():
            return mpq(0)
        if value > 0:
            found = enclose(ball, digits)
            top = min(found.hi, mpq(1))
            return top if found.lo >= top else Enclosure(found.lo, top, found.reached)
        if bits >= _MOST_BITS:
            return Enclosure(mpq(0), min(rational_bounds(value)[1], mpq(1)), 0)
        bits *= 2


def no_leakage(level: Level, digits: int) -> Value:
    """max(0, 1 - a) for a transcendental or infinite level."""
    if level.is_infinite or level.compare(1) >= 0:
        return mpq(0)
    logarithm = level_logarithm(level)

    def ball(bits: int) -> arb:
        with precision(bits):
            return -logarithm(bits).expm1()

    return enclose(ball, digits)


def raised_least(least: Level | Enclosure, eta: mpq, digits: int) -> Level | Enclosure:
    """The logarithm of 1 + eta (a - 1) for a least level a >= 1, as a level where it is one."""
    if isinstance(least, Level):
        if least.is_infinite or eta == 1:
            return least
        if isinstance(least.value, mpq):
            return Level.rational(1 + eta * (least.value - 1))
    return _mapped(least, lambda x: (rational_ball(eta) * x.expm1()).log1p(), digits)


def power_least(least: Level | Enclosure, k: int, digits: int) -> Level | Enclosure:
    """The level a^k of a least level a >= 1."""
    if isinstance(least, Level):
        if least.exponent is not None:
            return Level.of_exponent(k * least.exponent)
        return Level.rational(least.value**k) if isinstance(least.value, mpq) else least
    return _mapped(least, lambda x: k * x, digits)


def _mapped(least: Level | Enclosure, function: Callable[[arb], arb], digits: int) -> Enclosure:
    """An increasing function of a least epsilon above 0, end by end."""
    value = least.epsilon() if isinstance(least, Level) else least
    ends = (value.lo, value.hi) if isinstance(value, Enclosure) else (value, value)

    def at(end: Extended) -> Enclosure:
        def ball(bits: int) -> arb:
            with precision(bits):
                return function(rational_ball(end))  # type: ignore[arg-type]

        return enclose(ball, digits + 2)

    found = [at(end) for end in ends]
    return Enclosure(found[0].lo, found[1].hi)
