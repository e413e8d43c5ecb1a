"""err_M(h), the test channel R^h and M^alpha by example (Fernandes et al. 2025, section 3)."""

from __future__ import annotations

import pytest
from gmpy2 import mpq

from oracle.channels import testing
from oracle.channels.channel import Channel
from oracle.errors import InputError

FIGURE_5 = Channel([["1/4", "1/6", "1/3", "1/4"], ["1/2", "1/8", "1/8", "1/4"]])
ZEROS = Channel([["1/2", "1/2", "0", "0"], ["0", "1/2", "1/2", "0"]])


def test_the_level_of_figure_5() -> None:
    assert testing.rejection_set(FIGURE_5, mpq(3, 5)) == (0, 1, 3)
    assert testing.error_at(FIGURE_5, mpq(3, 5)) == mpq(2, 3)
    assert testing.two_point_channel(FIGURE_5, mpq(2, 3)) == Channel([["1/3", "2/3"], ["1/8", "7/8"]])


def test_equality_rejects_and_level_0_rejects_always() -> None:
    assert testing.rejection_set(ZEROS, mpq(1)) == (1, 2, 3)
    assert testing.error_at(ZEROS, mpq(0)) == 1
    assert testing.error_at(ZEROS, mpq(2)) == 0


def test_the_test_channel_sends_each_outcome_to_accept_or_reject() -> None:
    channel = Channel([["1/2", "1/2"], ["1/4", "3/4"]])
    assert testing.test_channel(channel, mpq(1)) == Channel([["1", "0"], ["0", "1"]])
    assert testing.test_channel(channel, mpq(2)) == Channel([["1", "0"], ["1", "0"]])


def test_m_alpha_of_example_3() -> None:
    channel = Channel([["9/10", "1/10"], ["4/5", "1/5"]])
    assert testing.two_point_channel(channel, mpq(1, 10)) == channel
    assert testing.two_point_channel(channel, mpq(1, 20)) == Channel([["19/20", "1/20"], ["9/10", "1/10"]])


def test_the_event_of_a_corner_leaves_out_what_cannot_happen() -> None:
    assert testing.event_at_alpha(ZEROS, mpq(0)) == (2,)
    assert testing.event_at_alpha(ZEROS, mpq(1, 2)) == (1, 2)
    assert testing.event_at_alpha(ZEROS, mpq(1)) == (0, 1, 2)


def test_between_two_corners_the_event_is_the_one_on_the_left() -> None:
    assert testing.event_at_alpha(ZEROS, mpq(3, 4)) == (1, 2)


def test_a_level_below_0_and_an_alpha_out_of_range_are_refused() -> None:
    with pytest.raises(InputError, match="h: expected a level at least 0, got -1"):
        testing.rejection_set(ZEROS, mpq(-1))
    with pytest.raises(InputError, match="alpha: expected alpha between 0 and 1, got 2"):
        testing.two_point_channel(ZEROS, mpq(2))
