"""What a composition asks of each of its pairs, be it a rational or a formal channel or an experiment."""

from __future__ import annotations

from typing import Any, Final, cast

from flint import arb
from gmpy2 import mpq

from oracle.accountant.constituents import Pair, contour_part
from oracle.channels.channel import Channel
from oracle.channels.divergences import Direction
from oracle.channels.profile import Profile
from oracle.channels.renyi import LossLaw, renyi
from oracle.enclosures import Ball, Enclosure, enclose, precision, rational_ball
from oracle.errors import Declined
from oracle.exact import INFINITY, Infinity
from oracle.experiments.base import Experiment
from oracle.experiments.gaussian import Gaussian
from oracle.experiments.subsampled import PoissonSubsampled
from oracle.gaussian_dp.channel_mu import channel_mu_ball
from oracle.levels import Level

__all__ = [
    "as_ball",
    "at_least",
    "interval",
    "is_symmetric",
    "largest_ratio",
    "log_moment",
    "part_mu",
    "singular",
    "tail_mu",
]

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
    """The mass of the first law where the second has none."""
    if isinstance(pair, Experiment):
        return pair.singular_mass(side)
    if isinstance(pair, Channel):
        return Profile(pair, side).infinite_loss_mass
    infinite = any(g.q.is_zero() if side == "forward" else g.p.is_zero() for g in pair.groups())
    if infinite:
        raise Declined("composition of a part with irrational probabilities and infinite losses is not offered here")
    return mpq(0)


def largest_ratio(pair: Pair, side: Direction, digits: int) -> Level | Enclosure:
    """The largest loss, infinite included."""
    if isinstance(pair, Experiment):
        return pair.largest_loss(side, digits)
    if isinstance(pair, Channel):
        profile = Profile(pair, side)
        return Level.infinite() if not profile.q[0] else Level.rational(mpq(profile.p[0], profile.q[0]))
    found = renyi(pair, INFINITY, side, digits).divergence
    if found is None or isinstance(found, Infinity):
        return Level.infinite()
    return found if isinstance(found, Enclosure) else Level.of_exponent(found)


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
