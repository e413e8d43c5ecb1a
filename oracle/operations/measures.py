"""Operations that return a number about a mechanism: divergences, privacy parameters, vulnerability."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from oracle.accountant.composed_renyi import composed_renyi
from oracle.channels import gains, profile
from oracle.channels import renyi as divergences_of_order
from oracle.channels.channel import Channel
from oracle.channels.divergences import Direction, check_delta
from oracle.channels.divergences import hockey_stick as rational_hockey_stick
from oracle.channels.formal_channel import (
    FormalChannel,
    formal_delta,
    formal_epsilon,
    formal_hockey_stick,
    formal_vulnerability,
)
from oracle.enclosures import DEFAULT_DIGITS, Enclosure, parse_digits
from oracle.errors import Declined
from oracle.exact import INFINITY, Infinity, parse_extended, parse_number, readable, to_fraction
from oracle.experiments.base import Experiment
from oracle.experiments.subsampled import PoissonSubsampled
from oracle.gaussian_dp import channel_mu
from oracle.interactive.divergences import tight_renyi
from oracle.interactive.reading import interactive_from, is_interactive
from oracle.levels import Level
from oracle.mechanisms.database_node import DatabaseNode
from oracle.mechanisms.evaluate import Pair
from oracle.mechanisms.parse import mechanism_from
from oracle.mechanisms.relations import walk
from oracle.operations.arguments import MechanismLike, Value, finite, level_of, pair_of, parse_direction, surface

__all__ = ["Epsilon", "Renyi", "delta", "epsilon", "hockey_stick", "hockey_stick_at", "mu", "renyi", "vulnerability"]


@dataclass(frozen=True, slots=True)
class Epsilon:
    """A least epsilon >= 0, as e^epsilon where that is rational or infinite, and as bounds lo <= epsilon <= hi.

    ``exp_epsilon`` is None exactly when e^epsilon is irrational; ``lo == hi`` when epsilon itself is exact.
    """

    exp_epsilon: Fraction | Infinity | None
    lo: Fraction | Infinity
    hi: Fraction | Infinity
    enclosure: Enclosure | None = None


@dataclass(frozen=True, slots=True)
class Renyi:
    """Rényi moment and divergence of one order.

    Attributes:
        moment: Σ p^order q^(1 - order), for whole orders of at least 2, else None.
        divergence: log(moment)/(order - 1) and its limits; None where the exact moment says it all.
    """

    moment: Value | None
    divergence: Value | None


def hockey_stick(
    channel: MechanismLike,
    *,
    exp_epsilon: object = None,
    epsilon: object = None,
    direction: str = "forward",
    digits: int = DEFAULT_DIGITS,
) -> Value:
    """Σ max(0, p - a q) (forward), Σ max(0, q - a p) (backward) or the larger (both), a = e^epsilon.

    Exactly one of *exp_epsilon* (a, at least 0) and *epsilon* (any real, "log(3)" stays exact) is given.
    """
    return hockey_stick_at(
        pair_of(channel), level_of(exp_epsilon, epsilon), parse_direction(direction), parse_digits(digits)
    )


def hockey_stick_at(channel: Pair, level: Level, direction: Direction, digits: int) -> Value:
    """The hockey stick of a pair at a level."""
    if isinstance(channel, Experiment):
        return surface(channel.hockey_stick(level, direction, digits))
    if isinstance(channel, FormalChannel):
        return surface(formal_hockey_stick(channel, level, direction, digits))
    if level.value is not None:
        return to_fraction(rational_hockey_stick(channel, level.value, direction))
    return surface(profile.delta_at(channel, level, direction, digits))


def delta(
    mechanism: MechanismLike,
    *,
    exp_epsilon: object = None,
    epsilon: object = None,
    direction: str = "both",
    digits: int = DEFAULT_DIGITS,
) -> Value:
    """The least delta for which the mechanism is (epsilon, delta)-DP: the hockey stick, by default both directions."""
    channel, level = pair_of(mechanism), level_of(exp_epsilon, epsilon)
    if isinstance(channel, FormalChannel):
        return surface(formal_delta(channel, level, parse_direction(direction), parse_digits(digits)))
    return hockey_stick_at(channel, level, parse_direction(direction), parse_digits(digits))


def epsilon(
    mechanism: MechanismLike, delta: object, *, direction: str = "both", digits: int = DEFAULT_DIGITS
) -> Epsilon:
    """The least epsilon >= 0 for which the mechanism is (epsilon, delta)-DP; infinite if there is none."""
    channel = pair_of(mechanism)
    bound = check_delta(parse_number(delta, "delta"))
    side, wanted = parse_direction(direction), parse_digits(digits)
    least: Level | Enclosure
    if isinstance(channel, Experiment):
        least = channel.least_epsilon(bound, side, wanted)
    elif isinstance(channel, FormalChannel):
        least = formal_epsilon(channel, bound, side, wanted)
    else:
        least = Level(profile.least_level(channel, bound, side))
    if isinstance(least, Enclosure):
        return Epsilon(None, least.lower, least.upper, least)
    value = least.epsilon(wanted)
    if least.is_infinite:
        return Epsilon(INFINITY, INFINITY, INFINITY)
    exp_epsilon = None if least.value is None else surface(least.value)
    if isinstance(value, Enclosure):
        return Epsilon(exp_epsilon, value.lower, value.upper, value)  # type: ignore[arg-type]
    return Epsilon(exp_epsilon, surface(value), surface(value))  # type: ignore[arg-type]


def renyi(channel: MechanismLike, order: object, *, direction: str = "forward", digits: int = DEFAULT_DIGITS) -> Renyi:
    """Rényi moment and divergence of an order above 0, "inf" included; order 1 is Kullback-Leibler.

    The moment is stated for whole orders of at least 2, exactly for a finite rational channel, which then needs no
    divergence; the divergence is stated otherwise, and alone where the moment is too large a number to be read again
    (:data:`~oracle.exact.MAX_DIGITS`). *direction* backward exchanges P and Q, both takes the larger. Of an interactive
    mechanism it is the supremum over all adversaries, which may be below the value of its tight channel.

    Raises:
        Declined: for an expression with a ``database`` node: its pair has the largest hockey sticks of all
            neighbours, but its Rényi divergence may exceed that of every one of them.
    """
    at, side, wanted = parse_extended(order, "order"), parse_direction(direction), parse_digits(digits)
    if is_interactive(channel):
        return _stated(tight_renyi(interactive_from(channel, "channel"), at, side, wanted))
    if not isinstance(channel, (Channel, FormalChannel, Experiment)):
        channel = mechanism_from(channel)
        if any(isinstance(part, DatabaseNode) for part in walk(channel)):
            raise Declined("the pair of a database node only bounds Rényi divergences; ask for a pair of its rows")
    pair = pair_of(channel)
    if isinstance(pair, PoissonSubsampled):
        return _stated(composed_renyi([(pair, 1)], at, side, wanted))
    if isinstance(pair, Experiment):
        return _stated(pair.renyi(at, side, wanted))
    return _stated(divergences_of_order.renyi(pair, at, side, wanted))


def _stated(found: divergences_of_order.Renyi) -> Renyi:
    moment, divergence = (None if value is None else surface(value) for value in found)
    if divergence is not None and isinstance(moment, Enclosure) and not readable(moment.hi):
        moment = None
    return Renyi(moment, divergence)


def mu(mechanism: MechanismLike, *, direction: str = "both", digits: int = DEFAULT_DIGITS) -> Value:
    """The least mu for which the mechanism is mu-GDP: exact where it is rational, ``INFINITY`` where there is none.

    Both directions come to the same, T(Q, P) being the inverse of T(P, Q) and G_mu its own. Of a Poisson subsampled
    Gaussian mechanism it is that of the mechanism itself, whatever the rate: mu-GDP is about every epsilon at once, and
    far out in its tail the loss falls no faster.

    Raises:
        Declined: for a mechanism for which no proof over all epsilon is known.
    """
    parse_direction(direction)
    return surface(channel_mu.least_mu(pair_of(mechanism), parse_digits(digits)))


def vulnerability(
    channel: MechanismLike,
    gain: Sequence[Sequence[object]],
    prior: Sequence[object] | None = None,
    *,
    digits: int = DEFAULT_DIGITS,
) -> Value:
    """Posterior g-vulnerability V_g = Σ_y max_a Σ_x prior(x) g(a, x) C(x, y), uniform prior by default."""
    pair = finite(channel)
    inputs = pair.shape[0]
    matrix = gains.parse_gain(gain, inputs)
    weights = gains.uniform_prior(inputs) if prior is None else gains.parse_prior(prior, inputs)
    if isinstance(pair, FormalChannel):
        return surface(formal_vulnerability(pair, matrix, weights, parse_digits(digits)))
    return to_fraction(gains.posterior_vulnerability(pair, matrix, weights))
