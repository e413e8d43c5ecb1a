"""What a composition asks of each of its pairs, be it a rational or a formal channel or an experiment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, cast

from flint import arb
from gmpy2 import mpq

from oracle.accountant.constituents import Pair, contour_part
from oracle.channels.channel import Channel
from oracle.channels.divergences import Direction
from oracle.channels.formal_rows import FormalChannel
from oracle.channels.profile import Profile
from oracle.channels.renyi import LossLaw
from oracle.enclosures import DEFAULT_DIGITS, Ball, Enclosure, enclose, precision, rational_ball
from oracle.errors import Declined
from oracle.exact import Infinity
from oracle.experiments.base import Experiment
from oracle.experiments.gaussian import Gaussian
from oracle.experiments.subsampled import PoissonSubsampled
from oracle.formal import FormalSum
from oracle.gaussian_dp.channel_mu import channel_mu_ball
from oracle.levels import Level

__all__ = [
    "MAX_POWER_BITS",
    "as_ball",
    "at_least",
    "interval",
    "is_symmetric",
    "largest_ratio",
    "log_moment",
    "part_mu",
    "singular",
    "summed_loss",
    "tail_mu",
]

MAX_POWER_BITS: Final = 1 << 24
"""Most bits of an exact power of a probability, or of a ratio."""

_MU_DIGITS: Final = 12


def interval(low: mpq, high: mpq, bits: int) -> arb:
    """A ball of everything between two rationals."""
    with precision(bits):
        return rational_ball(low).union(rational_ball(high))


def as_ball(value: Any) -> arb:  # noqa: ANN401 - a rational or an enclosure
    """At the working precision."""
    if isinstance(value, Enclosure):
        return rational_ball(value.lo).union(rational_ball(value.hi))
    return rational_ball(cast("mpq", value))


def at_least(level: Level, other: Level) -> bool:
    """Whether level >= other, exactly, for a finite *other*."""
    return level.is_infinite or (level.formal() - other.formal()).sign() >= 0


def is_symmetric(pair: Pair) -> bool:
    """Whether exchanging the laws is known to make no difference."""
    if isinstance(pair, Experiment):
        return pair.symmetric
    part = contour_part(pair)
    return part is not None and part == part.swapped()


def singular(pair: Pair, side: Direction) -> mpq:
    """The mass of the first law where the second has none.

    Raises:
        Declined: where that is irrational.
    """
    if isinstance(pair, Experiment):
        return pair.singular_mass(side)
    if isinstance(pair, Channel):
        return Profile(pair, side).infinite_loss_mass
    row, total = ("p", pair.totals[0]) if side == "forward" else ("q", pair.totals[1])
    other = "q" if row == "p" else "p"
    mass = FormalSum.sum(getattr(g, row) for g in pair.groups() if getattr(g, other).is_zero())
    if mass.is_zero():
        return mpq(0)
    quotient = mass.ratio_to(total)
    found = None if quotient is None else quotient.as_rational()
    if found is None:
        raise Declined("composition of a part with an irrational mass of infinite loss is not offered here")
    return found


def largest_ratio(pair: Pair, side: Direction, digits: int, *, finite: bool = False) -> Level | Enclosure:
    """The largest ratio p/q as a level, or an enclosure of its logarithm; with *finite* infinite ratios do not count.

    Where no ratio is finite that is the level 0.
    """
    if isinstance(pair, Experiment):
        return pair.largest_loss(side, digits)
    if isinstance(pair, Channel):
        profile = Profile(pair, side)
        ratios = [(p, q) for p, q in zip(profile.p[:2], profile.q[:2], strict=True) if q]
        if not ratios or (not finite and not profile.q[0]):
            return Level.rational(0) if finite else Level.infinite()
        return Level.rational(mpq(*ratios[0]))
    return _largest_formal(pair, side, digits, finite=finite)


def _largest_formal(pair: FormalChannel, side: Direction, digits: int, *, finite: bool) -> Level | Enclosure:
    forward = side == "forward"
    first, second = ("p", "q") if forward else ("q", "p")
    # Groups are in order of increasing q/p.
    groups = pair.groups() if forward else pair.groups()[::-1]
    if not finite and getattr(groups[0], second).is_zero():
        return Level.infinite()
    kept = next((g for g in groups if not getattr(g, second).is_zero()), None)
    if kept is None:
        return Level.rational(0)
    totals = pair.totals if forward else pair.totals[::-1]
    top, bottom = getattr(kept, first) * totals[1], getattr(kept, second) * totals[0]
    terms = quotient.terms() if (quotient := top.ratio_to(bottom)) is not None else []
    if len(terms) == 1 and terms[0][1] == 1 and not terms[0][0][1]:
        return Level.of_exponent(terms[0][0][0])
    if not terms and top.is_zero():
        return Level.rational(0)

    def ball(bits: int) -> arb:
        with precision(bits):
            ratio: arb = top.ball(bits) / bottom.ball(bits)
            return ratio.log()

    return enclose(ball, digits)


def summed_loss(
    pairs: Sequence[tuple[Pair, int]], side: Direction, digits: int = DEFAULT_DIGITS, *, finite: bool = False
) -> Level | Enclosure:
    """The largest loss of a composition: the product of the largest ratios, or an enclosure of its logarithm."""
    product, exponent, mixed, bits = mpq(1), mpq(0), False, 0
    for pair, times in pairs:
        loss = largest_ratio(pair, side, digits + 4, finite=finite)
        if not isinstance(loss, Level):
            mixed = True
        elif loss.exponent is not None:
            exponent += loss.exponent * times
        elif not isinstance(loss.value, mpq):
            return loss
        elif not loss.value:
            return Level.rational(0)
        else:
            bits += max(loss.value.numerator.bit_length(), loss.value.denominator.bit_length()) * times
            product = product * loss.value**times if bits <= MAX_POWER_BITS else mpq(0)
    if not mixed and not exponent and bits <= MAX_POWER_BITS:
        return Level.rational(product)
    if not mixed and product == 1:
        return Level.of_exponent(exponent)

    def ball(bits: int) -> arb:
        wanted = max(bits // 3, DEFAULT_DIGITS)
        with precision(bits + 16):
            total = arb(0)
            for pair, times in pairs:
                loss = largest_ratio(pair, side, wanted, finite=finite)
                total += times * as_ball(loss.epsilon(wanted) if isinstance(loss, Level) else loss)
            return total

    return enclose(ball, digits)


def log_moment(pair: Pair, order: mpq, side: Direction) -> Ball:
    """The ball of (order - 1)·D_order, for an order above 1."""
    return pair.log_moment_ball(order, side) if isinstance(pair, Experiment) else LossLaw(pair, side).log_moment(order)


def tail_mu(pair: Pair) -> mpq | None:
    """theta² of a Gaussian pair, subsampled or not."""
    base = pair.base if isinstance(pair, PoissonSubsampled) else pair
    return base.theta_squared if isinstance(base, Gaussian) else None


def part_mu(pair: Pair) -> mpq | Infinity | Enclosure:
    """The least mu."""
    found = pair.least_mu() if isinstance(pair, Experiment) else channel_mu_ball(pair)
    return found if isinstance(found, (mpq, Infinity)) else enclose(found, _MU_DIGITS)
