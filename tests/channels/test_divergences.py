"""Hockey sticks, total variation and Bayes error by example."""

from __future__ import annotations

import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from oracle.channels.canonical import likelihood_order
from oracle.channels.channel import Channel
from oracle.channels.divergences import (
    DIRECTIONS,
    Direction,
    bayes_error,
    check_delta,
    hockey_stick,
    oriented,
    sides,
    total_variation,
)
from oracle.errors import InputError
from oracle.exact import INFINITY
from oracle.laws.strategies import rational_levels, two_row_channels

SKEW = Channel([["1/4", "1/6", "1/3", "1/4"], ["1/2", "1/8", "1/8", "1/4"]])
JUMP = Channel([["1/10", "9/10", "0"], ["0", "4/5", "1/5"]])


@pytest.mark.parametrize(
    ("level", "forward", "backward"),
    [("0", "1", "1"), ("1", "1/4", "1/4"), ("3/5", "9/20", "19/40"), ("2", "1/12", "0"), ("1000000", "0", "0")],
)
def test_hockey_sticks(level: str, forward: str, backward: str) -> None:
    assert hockey_stick(SKEW, mpq(level), "forward") == mpq(forward)
    assert hockey_stick(SKEW, mpq(level), "backward") == mpq(backward)
    assert hockey_stick(SKEW, mpq(level), "both") == max(mpq(forward), mpq(backward))


@given(two_row_channels(), rational_levels(), st.sampled_from(DIRECTIONS))
def test_a_channel_that_was_sorted_has_the_same_hockey_sticks(
    channel: Channel, level: mpq, direction: Direction
) -> None:
    """By bisection once the order is known, by the sum of all columns before."""
    fresh, ordered = Channel(channel.rows), Channel(channel.rows)
    likelihood_order(ordered)
    assert hockey_stick(ordered, level, direction) == hockey_stick(fresh, level, direction)


def test_forward_is_the_default() -> None:
    assert hockey_stick(JUMP, mpq(2)) == hockey_stick(JUMP, mpq(2), "forward") == mpq(1, 10)


def test_at_infinity_only_what_the_other_law_never_gives_counts() -> None:
    assert hockey_stick(JUMP, INFINITY, "forward") == mpq(1, 10)
    assert hockey_stick(JUMP, INFINITY, "backward") == mpq(1, 5)
    assert hockey_stick(JUMP, INFINITY, "both") == mpq(1, 5)


def test_a_level_below_0_is_refused() -> None:
    with pytest.raises(InputError, match="exp_epsilon: expected a level at least 0, got -1/2"):
        hockey_stick(JUMP, mpq(-1, 2))


def test_total_variation_and_bayes_error() -> None:
    assert total_variation(SKEW) == mpq(1, 4)
    assert bayes_error(SKEW) == mpq(3, 8)
    assert bayes_error(Channel([["1", "0"], ["0", "1"]])) == 0
    assert bayes_error(Channel([["1"], ["1"]])) == mpq(1, 2)


def test_directions() -> None:
    assert sides("both") == ("forward", "backward")
    assert sides("backward") == ("backward",)
    assert oriented(JUMP, "forward") == JUMP.rows
    assert oriented(JUMP, "backward") == JUMP.rows[::-1]


def test_delta_lies_in_0_1() -> None:
    assert check_delta(mpq(0)) == 0
    assert check_delta(mpq(1)) == 1
    for delta in (mpq(-1, 10), mpq(11, 10)):
        with pytest.raises(InputError, match=f"claim.delta: expected delta between 0 and 1, got {delta}"):
            check_delta(delta, "claim.delta")


def test_only_pairs_have_hockey_sticks() -> None:
    with pytest.raises(InputError, match="two rows"):
        hockey_stick(Channel([["1"]]), mpq(1))
