"""What an audit measures of one neighbouring pair, exactly: the numbers beside the verdict.

Every value is the exact rational where it is one and a proved enclosure otherwise. The channel of a
pair is rational, or formal where its probabilities are irrational; both are asked the same questions, as is an
experiment, a pair that is no finite table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise
from typing import TYPE_CHECKING, Final, overload

from gmpy2 import mpq, mpz

from oracle.channels.canonical import likelihood_order
from oracle.channels.channel import Channel
from oracle.channels.divergences import Direction, sides, total_variation
from oracle.channels.formal_channel import FormalChannel, formal_beta, formal_epsilon, formal_tradeoff
from oracle.channels.formal_rows import Quotient, exceeding, forward_quotient
from oracle.channels.galois import tradeoff_of
from oracle.channels.profile import Profile, profiles
from oracle.enclosures import Enclosure, arb_from_rational, enclose, exp_ball, precision, rational_ball
from oracle.exact import Extended, Infinity
from oracle.experiments.base import Check, Experiment, level_logarithm
from oracle.formal import FormalSum
from oracle.levels import Level

if TYPE_CHECKING:
    from flint import arb

    from oracle.channels.tradeoff import TradeoffFunction
    from oracle.claims import ApproximateDP

__all__ = [
    "CurveMeasures",
    "LevelMeasures",
    "PairMeasures",
    "Value",
    "bounds",
    "event_mass",
    "largest",
    "measure_curve",
    "measure_level",
    "measure_pair",
    "smallest",
]

Value = Extended | Enclosure
Finite = Channel | FormalChannel
Laws = Finite | Experiment
Corners = tuple[tuple[Value, Value], ...]

_MAX_CORNER_BITS: Final = 1 << 27
"""Bits that the corners of one pair may take in a report (about 80 MB of text)."""


@dataclass(frozen=True, slots=True)
class PairMeasures:
    """What is measured of a pair whatever the claim.

    Attributes:
        total_variation: the largest P(S) - Q(S).
        bayes_error: least probability of error when guessing the input at prior 1/2.
        forward: corners (alpha, beta) of T(P, Q), or None where writing them out is beyond the stated limit or there
            is no finite list of them.
        backward: corners of T(Q, P), or None where they are those of T(P, Q) or beyond the limit.
        symmetric: whether T(P, Q) = T(Q, P).
    """

    total_variation: Value
    bayes_error: Value
    forward: Corners | None
    backward: Corners | None
    symmetric: bool


@dataclass(frozen=True, slots=True)
class LevelMeasures:
    """How an (epsilon, delta) claim stands to a pair.

    Attributes:
        least_level: the least e^epsilon >= 1 at the claimed delta; None where it is neither rational nor
            e^(rational), and then ``epsilon`` is an enclosure.
        epsilon: its logarithm.
        delta: the least delta at the claimed epsilon.
        slack: the claimed delta minus that; negative exactly when the claim is refuted.
        level_is_least: whether the claimed epsilon is the least at the claimed delta.
        attained: whether the claim holds and some event S of positive probability has P(S) = e^epsilon Q(S) + delta.
    """

    least_level: Level | None
    epsilon: Value
    delta: Value
    slack: Value
    level_is_least: bool
    attained: bool


@dataclass(frozen=True, slots=True)
class CurveMeasures:
    """How a trade-off claim f stands to a pair.

    Attributes:
        slack: the least T - f at the corners of T in the directions meant. Corners where both are 0 or both are 1
            say nothing and are left out (f <= T <= 1 forces f = 0 where T = 0, and T = 1 where f = 1). On a segment of
            T the difference is concave, so no point between corners is lower. Where T has no other corner
            those of f stand in. For an experiment it is the least T - l over all alpha and all lines l of f but 0.
        alpha: where it is reached; None for an experiment.
        direction: forward for T(P, Q), backward for T(Q, P).
    """

    slack: Value
    alpha: Value | None
    direction: Direction


@overload
def bounds(value: mpq | Enclosure) -> tuple[mpq, mpq]: ...
@overload
def bounds(value: Value) -> tuple[Extended, Extended]: ...
def bounds(value: Value) -> tuple[Extended, Extended]:
    """The value as lo <= value <= hi."""
    return (value.lo, value.hi) if isinstance(value, Enclosure) else (value, value)


def largest(values: Iterable[Value]) -> Value:
    """The largest of several values; an enclosure of it where the exact one is not known.

    max lo_i <= max x_i <= max hi_i, and this is no wider than the one enclosure whose hi is the largest.
    """
    return _extreme(values, max)


def smallest(values: Iterable[Value]) -> Value:
    """The smallest of several values, like :func:`largest`."""
    return _extreme(values, min)


def _extreme(values: Iterable[Value], choose: Callable[[Iterable[Extended]], Extended]) -> Value:
    ends = [bounds(value) for value in values]
    lo, hi = choose(lo for lo, _ in ends), choose(hi for _, hi in ends)
    return lo if isinstance(lo, Infinity) or isinstance(hi, Infinity) or lo == hi else Enclosure(lo, hi)


def measure_pair(channel: Laws, digits: int) -> PairMeasures:
    """Total variation, Bayes error and trade-off corners of a pair."""
    if isinstance(channel, Experiment):
        return _measure_experiment(channel, digits)
    if isinstance(channel, FormalChannel):
        return _measure_formal_pair(channel, digits)
    distance = total_variation(channel)
    error = (1 - distance) / 2
    order = likelihood_order(channel)
    # A coordinate of a corner is at most as long as the common denominator, twice: p/q.
    if 4 * channel.scale.bit_length() * len(order.p) > _MAX_CORNER_BITS or _unscaled(channel):
        symmetric = tradeoff_of(channel).is_symmetric()
        return PairMeasures(distance, error, None, None, symmetric)
    curve = tradeoff_of(channel)
    inverse = curve.inverse()
    symmetric = curve == inverse
    return PairMeasures(distance, error, curve.corners, None if symmetric else inverse.corners, symmetric)


def _measure_experiment(pair: Experiment, digits: int) -> PairMeasures:
    one = Level.rational(1)
    distance = pair.hockey_stick(one, "forward", digits)
    if isinstance(distance, Enclosure):
        ball = pair.hockey_stick_ball(level_logarithm(one), "forward")
        error: Value = enclose(lambda bits: (1 - ball(bits)) / 2, digits)
    else:
        error = (1 - distance) / 2
    return PairMeasures(distance, error, None, None, pair.symmetric)


def _unscaled(channel: Channel) -> bool:
    """Whether the entries have no common denominator of bearable size (then their sums have not, either)."""
    return channel.scale == 1 and any(not isinstance(v, mpz) for v in channel.numerators[0])


def _measure_formal_pair(channel: FormalChannel, digits: int) -> PairMeasures:
    one = Level.rational(1)
    distance = forward_quotient(channel, exceeding(channel, one), one)
    error = Quotient(distance.den - distance.num, distance.den.scaled(mpq(2)))
    symmetric = _is_symmetric(channel)
    return PairMeasures(
        distance.value(digits),
        error.value(digits),
        tuple(formal_tradeoff(channel, digits)),
        None if symmetric else tuple(formal_tradeoff(channel.swapped(), digits)),
        symmetric,
    )


def _is_symmetric(channel: FormalChannel) -> bool:
    """T(P, Q) = T(Q, P): exchanging the rows gives the same masses in the order of the ratios."""
    total_p, total_q = channel.totals
    groups = channel.groups()
    return all(
        Quotient(g.p, total_p).compare(Quotient(h.q, total_q)) == 0
        for g, h in zip(groups, reversed(groups), strict=True)
    )


def measure_level(
    channel: Laws, claim: ApproximateDP, direction: Direction, digits: int, *, holds: bool
) -> LevelMeasures:
    """Tight epsilon at the claimed delta, tight delta at the claimed epsilon, slack and equality."""
    least: Level | Enclosure
    delta: Value
    slack: Value
    if isinstance(channel, Experiment):
        delta = channel.hockey_stick(claim.level, direction, digits)
        slack = smallest(_room(channel, check, digits) for check in channel.checks(claim.level, claim.delta, direction))
        least = channel.least_epsilon(claim.delta, direction, digits)
    elif isinstance(channel, FormalChannel):
        delta, slack = _formal_delta(channel, claim, direction, digits)
        least = formal_epsilon(channel, claim.delta, direction, digits)
    else:
        found = profiles(channel, direction)
        delta = largest(profile.delta(claim.level, digits) for profile in found)
        slack = smallest(_slack(profile, claim, digits) for profile in found)
        least = Level(max(profile.least_level(claim.delta) for profile in found))
    level = least if isinstance(least, Level) else None
    epsilon = least.epsilon(digits) if isinstance(least, Level) else least
    level_is_least = level == claim.level
    # An event with P(S) = e^epsilon Q(S) + delta. Where delta > 0 the event {p > e^epsilon q} is one exactly when the
    # hockey stick equals delta. Where delta = 0 and the claim holds, p <= e^epsilon q everywhere, and one is left
    # exactly when the largest ratio p/q is e^epsilon, the least level.
    attained = holds and slack == 0 and (claim.delta > 0 or level_is_least)
    return LevelMeasures(level, epsilon, delta, slack, level_is_least, attained)


def _slack(profile: Profile, claim: ApproximateDP, digits: int) -> Value:
    """The claimed delta less D_a on one side, a = e^epsilon; transcendental, hence not 0, where a is and Q(S) > 0."""
    p, q = profile.masses(profile.support(claim.level))
    exponent = claim.level.exponent
    if exponent is None or not q:
        # Exact there: both ends are the value.
        return claim.delta - bounds(profile.delta(claim.level, digits))[0]

    def ball(bits: int) -> arb:
        with precision(bits):
            rest = arb_from_rational(claim.delta - p, bits)
            return rest + exp_ball(exponent, bits) * arb_from_rational(q, bits)

    return enclose(ball, digits)


def _room(pair: Experiment, check: Check, digits: int) -> Value:
    """The bound less D_a for one comparison: exact, or of the digits asked for where its sign is known."""
    value = pair.hockey_stick(check.level, check.direction, digits)
    if not isinstance(value, Enclosure):
        return check.bound - value
    if check.comparison.sign is None:
        return Enclosure(check.bound - value.hi, check.bound - value.lo, 0)
    ball = pair.hockey_stick_ball(level_logarithm(check.level), check.direction)

    def room(bits: int) -> arb:
        with precision(bits):
            return rational_ball(check.bound) - ball(bits)

    return enclose(room, digits)


def _formal_delta(
    channel: FormalChannel, claim: ApproximateDP, direction: Direction, digits: int
) -> tuple[Value, Value]:
    """(D_a, delta - D_a), exact where they are rational."""
    found = []
    for side in sides(direction):
        pair = channel.oriented(side)
        found.append(forward_quotient(pair, exceeding(pair, claim.level), claim.level))
    best = reduce(lambda most, other: other if other.compare(most) > 0 else most, found)
    return best.value(digits), Quotient(best.den.scaled(claim.delta) - best.num, best.den).value(digits)


def measure_curve(channel: Laws, curve: TradeoffFunction, direction: Direction, digits: int) -> CurveMeasures:
    """The least distance of T above f, at the corners of T; see :class:`CurveMeasures`."""
    found = []
    if isinstance(channel, Experiment):
        for side in sides(direction):
            checks = [check for check in channel.curve_checks(curve, side) if check.level.value != 0]
            room = smallest(_room(channel, check, digits) for check in checks) if checks else mpq(0)
            found.append(CurveMeasures(room, None, side))
        return min(found, key=lambda item: bounds(item.slack))
    for side in sides(direction):
        if isinstance(channel, FormalChannel):
            slack, alpha = _formal_gap(channel.oriented(side), curve, digits)
        else:
            slack, alpha = _gap(channel if side == "forward" else channel.swapped(), curve)
        found.append(CurveMeasures(slack, alpha, side))
    return min(found, key=lambda item: bounds(item.slack))


def _is_forced(beta: Value, claimed: mpq) -> bool:
    """Whether T and f meet where they cannot but meet: both 0, or both 1."""
    return beta in (0, 1) and beta == claimed


def _gap(channel: Channel, curve: TradeoffFunction) -> tuple[mpq, mpq]:
    own = tradeoff_of(channel)
    for alphas in ([a for a, _ in own.corners], [a for a, _ in curve.corners]):
        values = [(own.at(a), curve.at(a), a) for a in alphas]
        gaps = [(beta - f, a) for beta, f, a in values if not _is_forced(beta, f)]
        if gaps:
            return min(gaps)
    return mpq(0), mpq(0)


def _formal_gap(channel: FormalChannel, curve: TradeoffFunction, digits: int) -> tuple[Value, Value]:
    """The same for irrational corners: enclosures leave few that can be the lowest, which are compared exactly."""
    enclosed = formal_tradeoff(channel, digits)
    exact: dict[int, Quotient] = {}
    rough: dict[int, tuple[mpq, mpq]] = {}
    for k, (alpha, beta) in enumerate(enclosed):
        (a_lo, a_hi), (b_lo, b_hi) = bounds(alpha), bounds(beta)
        if b_lo == b_hi and beta in (0, 1):
            # The first or one of the last two corners; alpha may still be irrational.
            exact[k] = _exact_gap(channel, curve, k)
            if exact[k].num.is_zero():
                continue
        rough[k] = b_lo - curve.at(a_lo), b_hi - curve.at(min(a_hi, mpq(1)))
    if not rough:
        return _gap_at_corners_of_claim(channel, curve, digits)
    ceiling = min(hi for _, hi in rough.values())
    candidates = [k for k, (lo, _) in rough.items() if lo <= ceiling]
    quotients = [exact[k] if k in exact else _exact_gap(channel, curve, k) for k in candidates]
    best = 0
    for i, quotient in enumerate(quotients):
        if quotient.compare(quotients[best]) < 0:
            best = i
    return quotients[best].value(digits), enclosed[candidates[best]][0]


def _gap_at_corners_of_claim(channel: FormalChannel, curve: TradeoffFunction, digits: int) -> tuple[Value, Value]:
    gaps: list[tuple[Value, Value]] = []
    for alpha, claimed in curve.corners:
        beta = formal_beta(channel, alpha, digits)
        if not _is_forced(beta, claimed):
            lo, hi = bounds(beta)
            gaps.append((lo - claimed if lo == hi else Enclosure(lo - claimed, hi - claimed), alpha))
    return min(gaps, key=lambda item: bounds(item[0]), default=(mpq(0), mpq(0)))


def _exact_gap(channel: FormalChannel, curve: TradeoffFunction, corner: int) -> Quotient:
    """The gap beta - f(alpha) at one corner (A/Z_P, B/Z_Q) of T, an exact quotient.

    f is the largest of the lines c - h alpha through its segments, so this is the least of
    (B Z_P + h A Z_Q - c Z_P Z_Q)/(Z_P Z_Q), one for each line.
    """
    total_p, total_q = channel.totals
    groups = channel.groups()
    # Corner k rejects the last k groups; a group of infinite ratio belongs to the corner at alpha = 0.
    taken = corner + (1 if groups[-1].p.is_zero() else 0)
    rejected = groups[len(groups) - taken :]
    alpha = FormalSum.sum(g.p for g in rejected)
    beta = FormalSum.sum(g.q for g in groups[: len(groups) - taken])
    both = total_p * total_q
    gaps = []
    for (a0, b0), (a1, b1) in pairwise(curve.corners):
        slope = (b0 - b1) / (a1 - a0)
        above = beta * total_p + (alpha * total_q).scaled(slope) - both.scaled(b0 + slope * a0)
        gaps.append(Quotient(above, both))
    return reduce(lambda best, gap: gap if gap.compare(best) < 0 else best, gaps)


def event_mass(channel: Finite, row: int, event: Sequence[int], digits: int) -> mpq | Enclosure:
    """The probability of an event under one of the two laws."""
    if isinstance(channel, FormalChannel):
        weights = FormalSum.sum(channel.rows[row][k] for k in event)
        return Quotient(weights, channel.totals[row]).value(digits)
    return mpq(sum((channel.numerators[row][k] for k in event), mpz(0))) / channel.scale
