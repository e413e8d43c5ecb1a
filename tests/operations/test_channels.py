"""Operations that return or relate channels and curves, by example."""

from __future__ import annotations

from fractions import Fraction

import pytest

import oracle
from oracle.channels.channel import Channel
from oracle.channels.tradeoff import TradeoffFunction
from oracle.enclosures import Enclosure
from oracle.errors import Declined, InputError
from oracle.operations import tradeoff_corners

WARNER = Channel([["3/4", "1/4"], ["1/4", "3/4"]])

IRRATIONAL = {"mechanism": "randomized_response", "epsilon": "1"}


def test_the_trade_off_function_at_an_alpha_and_backward() -> None:
    channel = Channel([["9/10", "1/10"], ["1/2", "1/2"]])
    assert oracle.tradeoff(channel, "1/20") == Fraction(3, 4)
    assert oracle.tradeoff(channel, direction="backward") == oracle.tradeoff(channel).inverse()
    assert tradeoff_corners(channel) == list(oracle.tradeoff(channel).breakpoints)
    for mechanism in (channel, IRRATIONAL):
        with pytest.raises(InputError, match="alpha: expected alpha between 0 and 1, got 2"):
            oracle.tradeoff(mechanism, 2)


def test_the_whole_curve_of_an_irrational_channel_is_declined_and_its_corners_enclosed() -> None:
    with pytest.raises(Declined, match="the probabilities are irrational"):
        oracle.tradeoff(IRRATIONAL)
    first, middle, last = tradeoff_corners(IRRATIONAL)
    assert (first, last) == ((0, 1), (1, 0))
    assert all(isinstance(v, Enclosure) for v in middle)
    assert isinstance(oracle.tradeoff(IRRATIONAL, "1/3"), Enclosure)


def test_both_has_no_trade_off_function() -> None:
    with pytest.raises(InputError, match="direction: expected forward, backward, got both"):
        oracle.tradeoff(WARNER, direction="both")


def test_bounds_of_a_family() -> None:
    first, last = Channel([["3/4", "1/4"], ["1/2", "1/2"]]), Channel([["1/4", "3/4"], ["0", "1"]])
    assert oracle.glb([first, last]) == Channel([["1/4", "1/2", "1/4"], ["0", "1/2", "1/2"]])
    assert oracle.lub([first, last]) == Channel([["1/2", "1/2"], ["1/3", "2/3"]])


def test_the_channel_of_a_curve_or_its_json() -> None:
    curve = TradeoffFunction([["0", "1"], ["1/4", "1/4"], ["1", "0"]])
    assert oracle.channel_of(curve) == oracle.channel_of(curve.to_json()) == WARNER


@pytest.mark.parametrize("value", [None, 5, "abc", {}])
def test_what_is_no_list_of_channels_is_refused(value):
    for operation in (oracle.glb, oracle.lub, oracle.parallel):
        with pytest.raises(InputError, match="channels: expected a list of channels"):
            operation(value)
