"""delta, epsilon, satisfies and the certificates of both verdicts, against each other and against all events."""

from __future__ import annotations

from gmpy2 import mpq
from hypothesis import assume, given

from oracle.certificates.checker import check
from oracle.channels.channel import Channel
from oracle.channels.divergences import bayes_error, hockey_stick, total_variation
from oracle.channels.galois import tradeoff_of
from oracle.channels.profile import delta_at, exceedance, least_level
from oracle.channels.refinement import refines
from oracle.channels.tradeoff import TradeoffFunction
from oracle.channels.worst_case import approximate_dp_channel
from oracle.claims import ApproximateDP, TradeoffClaim
from oracle.enclosures import Enclosure
from oracle.exact import INFINITY, Infinity, to_fraction
from oracle.laws.strategies import deltas, levels, rational_levels, tradeoff_functions, two_row_channels
from oracle.levels import Level
from oracle.verdicts import judge
from tests.laws import reference

SIDES = ("forward", "backward")


def laws_of(channel: Channel, side: str):
    p, q = channel.matrix
    return (p, q) if side == "forward" else (q, p)


@given(two_row_channels(), rational_levels())
def test_the_hockey_stick_is_the_largest_excess_of_an_event(channel: Channel, level: mpq) -> None:
    for side in SIDES:
        expected = reference.hockey_stick(*laws_of(channel, side), to_fraction(level))
        assert to_fraction(hockey_stick(channel, level, side)) == expected
        assert delta_at(channel, Level.rational(level), side) == hockey_stick(channel, level, side)
    assert hockey_stick(channel, level, "both") == max(hockey_stick(channel, level, side) for side in SIDES)
    assert delta_at(channel, Level.rational(level), "both") == hockey_stick(channel, level, "both")


@given(two_row_channels())
def test_at_infinity_the_hockey_stick_is_the_mass_the_other_law_never_gives(channel: Channel) -> None:
    for side in SIDES:
        p, q = laws_of(channel, side)
        certain = sum((a for a, b in zip(p, q, strict=True) if not b), reference.ZERO)
        assert to_fraction(hockey_stick(channel, INFINITY, side)) == certain
        assert delta_at(channel, Level.infinite(), side) == hockey_stick(channel, INFINITY, side)


@given(two_row_channels())
def test_total_variation_and_bayes_error_over_all_events(channel: Channel) -> None:
    p, q = channel.matrix
    best = max(reference.mass(p, event) - reference.mass(q, event) for event in reference.events(len(p)))
    assert to_fraction(total_variation(channel)) == best
    error = min(a + b for a, b in reference.test_points(p, q)) / 2
    assert to_fraction(bayes_error(channel)) == error


@given(two_row_channels(), levels())
def test_delta_at_a_transcendental_level_lies_between_its_rational_neighbours(channel: Channel, level: Level) -> None:
    assume(level.exponent is not None)
    for side in (*SIDES, "both"):
        low, high = level.bracket(80)
        found = delta_at(channel, level, side)
        bounds = (found.lower, found.upper) if isinstance(found, Enclosure) else (to_fraction(found),) * 2
        assert bounds[0] <= bounds[1]
        # The hockey stick falls as the level grows, so both intervals hold the truth.
        assert bounds[0] <= to_fraction(hockey_stick(channel, low, side))
        assert bounds[1] >= to_fraction(hockey_stick(channel, high, side))


@given(two_row_channels(), deltas())
def test_the_least_level_is_the_one_over_all_events(channel: Channel, delta: mpq) -> None:
    found = []
    for side in SIDES:
        expected = reference.least_level(*laws_of(channel, side), to_fraction(delta))
        found.append(least_level(channel, delta, side))
        assert found[-1] == (INFINITY if expected is None else mpq(expected.numerator, expected.denominator))
    assert least_level(channel, delta) == max(found)


@given(two_row_channels(), deltas())
def test_at_the_least_level_the_claim_holds_and_just_below_it_fails(channel: Channel, delta: mpq) -> None:
    for direction in (*SIDES, "both"):
        least = least_level(channel, delta, direction)
        if isinstance(least, Infinity):
            # Infinite means that there is none: more than delta falls where the other law never does.
            assert exceedance(channel, Level.infinite(), delta, direction) is not None
            continue
        assert exceedance(channel, Level(least), delta, direction) is None
        if least > 1:
            below = Level.rational(least - (least - 1) / 2**300)
            assert exceedance(channel, below, delta, direction) is not None


@given(two_row_channels(), deltas(), levels(1))
def test_satisfies_agrees_with_delta_epsilon_and_the_worst_case(channel: Channel, delta: mpq, level: Level) -> None:
    for direction in (*SIDES, "both"):
        verdict = judge(channel, ApproximateDP(level, delta), direction)
        least = least_level(channel, delta, direction)
        if level.value is not None:
            assert (
                verdict.holds
                == (hockey_stick(channel, level.value, direction) <= delta)
                == (least <= level.value and least != INFINITY)
            )
        if level.value is not None and not level.is_infinite:
            # At an infinite level the worst case is no longer the limit of the claim (its curve jumps at 0).
            assert verdict.holds == refines(approximate_dp_channel(level.value, delta, direction), channel)
        else:
            assert verdict.holds == (not isinstance(least, Infinity) and level.compare(least) > 0)
        check(verdict.certificate)
        kind = verdict.certificate["certificate"]
        assert kind == ("dp_held" if verdict.holds else "dp_refuted")


@given(two_row_channels(), rational_levels(1))
def test_the_claim_of_the_exact_delta_holds_and_of_less_fails(channel: Channel, level: mpq) -> None:
    for direction in (*SIDES, "both"):
        tight = hockey_stick(channel, level, direction)
        verdict = judge(channel, ApproximateDP(Level.rational(level), tight), direction)
        assert verdict.holds
        check(verdict.certificate)
        if tight:
            verdict = judge(channel, ApproximateDP(Level.rational(level), tight - tight / 2**1000), direction)
            assert not verdict.holds
            check(verdict.certificate)


@given(two_row_channels(), rational_levels(1), deltas())
def test_a_refuting_event_is_shrunk(channel: Channel, level: mpq, delta: mpq) -> None:
    """No event of fewer outcomes refutes, by definition over all events."""
    found = exceedance(channel, Level.rational(level), delta)
    assume(found is not None)
    p, q = laws_of(channel, found.direction)
    a = to_fraction(level)
    excess = {event: reference.mass(p, event) - a * reference.mass(q, event) for event in reference.events(len(p))}
    assert excess[found.event] > to_fraction(delta)
    assert len(found.event) == min(len(event) for event, value in excess.items() if value > to_fraction(delta))
    rows = channel.matrix
    assert [to_fraction(found.p), to_fraction(found.q)] == [reference.mass(row, found.event) for row in rows]


@given(two_row_channels(), tradeoff_functions())
def test_a_trade_off_claim_is_the_pointwise_order(channel: Channel, curve: TradeoffFunction) -> None:
    holds = {}
    for side in SIDES:
        points = reference.test_points(*laws_of(channel, side))
        holds[side] = all(reference.interpolate(curve.breakpoints, a) <= b for a, b in points)
        verdict = judge(channel, TradeoffClaim(curve), side)
        assert verdict.holds == holds[side]
        check(verdict.certificate)
    verdict = judge(channel, TradeoffClaim(curve), "both")
    assert verdict.holds == all(holds.values())
    check(verdict.certificate)


@given(two_row_channels())
def test_a_channel_satisfies_its_own_curve(channel: Channel) -> None:
    curve = tradeoff_of(channel)
    assert judge(channel, TradeoffClaim(curve), "forward").holds
    assert judge(channel, TradeoffClaim(curve.inverse()), "backward").holds
    verdict = judge(channel, TradeoffClaim(curve.symmetrised()), "both")
    assert verdict.holds
    check(verdict.certificate)


@given(two_row_channels(), rational_levels(1), deltas())
def test_an_approximate_claim_is_the_claim_of_its_curve(channel: Channel, level: mpq, delta: mpq) -> None:
    curve = tradeoff_of(approximate_dp_channel(level, delta))
    approximate = judge(channel, ApproximateDP(Level.rational(level), delta), "both")
    assert approximate.holds == judge(channel, TradeoffClaim(curve), "forward").holds
    assert approximate.holds == judge(channel, TradeoffClaim(curve), "both").holds
