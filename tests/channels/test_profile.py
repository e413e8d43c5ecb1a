"""Privacy profiles by example: delta at a level, the least level at a delta, refuting events."""

from __future__ import annotations

import itertools

import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from oracle.channels.channel import Channel
from oracle.channels.profile import Exceedance, Profile, delta_at, exceedance, least_level, profiles, simplest_between
from oracle.enclosures import Enclosure
from oracle.errors import InputError
from oracle.exact import INFINITY, to_fraction
from oracle.levels import Level

WARNER = Channel([["3/4", "1/4"], ["1/4", "3/4"]])
JUMP = Channel([["1/10", "9/10", "0"], ["0", "4/5", "1/5"]])
IDENTITY = Channel([["1", "0"], ["0", "1"]])


def test_the_least_level_of_randomized_response_is_its_own() -> None:
    assert least_level(WARNER, mpq(0)) == 3
    assert least_level(WARNER, mpq(1, 4)) == 2
    assert least_level(WARNER, mpq(1, 2)) == 1
    assert least_level(WARNER, mpq(1)) == 1


def test_the_least_level_has_a_direction() -> None:
    assert least_level(JUMP, mpq(1, 10), "forward") == mpq(9, 8)
    assert least_level(JUMP, mpq(1, 10), "backward") is INFINITY
    assert least_level(JUMP, mpq(1, 10)) is INFINITY
    assert least_level(JUMP, mpq(1, 5)) == 1


def test_disjoint_rows_have_no_level_below_delta_1() -> None:
    assert least_level(IDENTITY, mpq(999, 1000)) is INFINITY
    assert least_level(IDENTITY, mpq(1)) == 1


def test_delta_at_a_rational_level_is_exact() -> None:
    assert delta_at(WARNER, Level.rational(2)) == mpq(1, 4)
    assert delta_at(WARNER, Level.rational(3)) == 0
    assert delta_at(JUMP, Level.rational(mpq(9, 8)), "forward") == mpq(1, 10)
    assert delta_at(JUMP, Level.infinite()) == mpq(1, 5)


def test_delta_at_a_transcendental_level_is_exact_where_its_event_has_no_mass_below() -> None:
    assert delta_at(JUMP, Level.of_exponent(1), "forward") == mpq(1, 10)
    assert delta_at(WARNER, Level.of_exponent(2)) == 0


def test_delta_at_a_transcendental_level_is_enclosed_to_the_digits_asked_for() -> None:
    value = delta_at(WARNER, Level.of_exponent(mpq(1, 2)), digits=30)
    assert isinstance(value, Enclosure)
    # 3/4 - sqrt(e)/4 = 0.337819682324967963287837303046...
    assert value.lower <= to_fraction(mpq("337819682324967963287837303047") / mpq(10) ** 30)
    assert value.upper >= to_fraction(mpq("337819682324967963287837303046") / mpq(10) ** 30)
    assert value.upper - value.lower <= to_fraction(mpq(1, 10**29))


def test_the_larger_direction_is_decided_exactly() -> None:
    channel = Channel([["1/2", "1/2", "0"], ["1/4", "1/2", "1/4"]])
    assert delta_at(channel, Level.of_exponent(mpq(1, 10))) == mpq(1, 4)
    assert delta_at(channel, Level.of_exponent(-1), "both") == delta_at(channel, Level.of_exponent(-1), "forward")


def test_a_claim_that_holds_with_equality_is_not_exceeded() -> None:
    assert exceedance(WARNER, Level.rational(3), mpq(0)) is None
    assert exceedance(WARNER, Level.rational(2), mpq(1, 4)) is None
    assert exceedance(JUMP, Level.infinite(), mpq(1, 5)) is None


def test_a_refuting_event_has_both_masses_and_the_bound() -> None:
    assert exceedance(WARNER, Level.rational(2), mpq(0)) == Exceedance("forward", (0,), mpq(3, 4), mpq(1, 4), mpq(2))
    found = exceedance(JUMP, Level.infinite(), mpq(1, 10))
    assert found == Exceedance("backward", (2,), mpq(0), mpq(1, 5), INFINITY)


def test_a_refuting_event_is_shrunk_to_the_fewest_outcomes() -> None:
    channel = Channel([["1/2", "1/4", "1/8", "1/8"], ["1/8", "1/8", "1/4", "1/2"]])
    assert exceedance(channel, Level.rational(1), mpq(0), "forward").event == (0,)
    assert exceedance(channel, Level.rational(1), mpq(3, 8), "forward").event == (0, 1)


def test_a_transcendental_level_gets_a_rational_bound_that_still_refutes() -> None:
    delta = delta_at(WARNER, Level.of_exponent(1), digits=60).lower
    found = exceedance(WARNER, Level.of_exponent(1), mpq(delta))
    assert Level.of_exponent(1).compare(found.bound) < 0
    assert found.p - found.bound * found.q > delta


def test_a_level_too_large_to_write_out_is_refuted_by_an_event_of_infinite_loss() -> None:
    found = exceedance(JUMP, Level.of_exponent(10**9), mpq(1, 20))
    assert (found.event, found.bound) == ((0,), INFINITY)


def test_a_profile_knows_its_infinite_loss_and_its_support() -> None:
    forward, backward = profiles(JUMP, "both")
    assert (forward.infinite_loss_mass, backward.infinite_loss_mass) == (mpq(1, 10), mpq(1, 5))
    assert forward.delta(Level.rational(0)) == 1
    assert forward.exceeds(Level.rational(1), mpq(1, 10))
    assert not forward.exceeds(Level.rational(1), mpq(1, 5))


def test_a_profile_has_one_direction() -> None:
    with pytest.raises(InputError, match="direction: expected one direction, forward or backward, got both"):
        Profile(WARNER, "both")


def test_the_least_level_of_a_partial_channel_is_at_least_1() -> None:
    assert least_level(Channel([["1/2"], ["1/4"]], partial=True), mpq(1, 2), "forward") == 1
    assert least_level(Channel([["1/2"], ["1/4"]], partial=True), mpq(1, 8), "forward") == mpq(3, 2)


def test_only_pairs_have_a_profile() -> None:
    with pytest.raises(InputError, match="two rows"):
        least_level(Channel([["1"]]), mpq(0))


@given(st.fractions(0, 50, max_denominator=40), st.fractions(0, 3, max_denominator=50))
def test_simplest_fraction_between(low, width):
    """Against a search through all denominators."""
    low, high = mpq(low), mpq(low) + mpq(width) + mpq(1, 1000)
    least = next(d for d in itertools.count(1) if mpq(-(-low.numerator * d // low.denominator), d) < high)
    found = simplest_between(low, high)
    assert low <= found < high
    assert found.denominator == least
