"""The maps T and C by example."""

from __future__ import annotations

import pytest
from gmpy2 import mpq

from oracle.channels.canonical import likelihood_order
from oracle.channels.channel import Channel
from oracle.channels.galois import channel_of, scaled_corners, tradeoff_of
from oracle.channels.tradeoff import TradeoffFunction
from oracle.errors import InputError

CASES = [
    ([["9/10", "1/10"], ["4/5", "1/5"]], [["0", "1"], ["1/10", "4/5"], ["1", "0"]]),
    ([["1", "0"], ["0", "1"]], [["0", "0"], ["1", "0"]]),
    ([["1"], ["1"]], [["0", "1"], ["1", "0"]]),
    ([["1/2", "1/2"], ["0", "1"]], [["0", "1"], ["1/2", "0"], ["1", "0"]]),
    ([["1", "0"], ["1/2", "1/2"]], [["0", "1/2"], ["1", "0"]]),
    (
        [["1/10", "27/40", "9/40", "0"], ["0", "9/40", "27/40", "1/10"]],
        [["0", "9/10"], ["9/40", "9/40"], ["9/10", "0"], ["1", "0"]],
    ),
]


@pytest.mark.parametrize(("rows", "corners"), CASES)
def test_t_and_c_undo_each_other_on_canonical_channels(rows: list[list[str]], corners: list[list[str]]) -> None:
    assert tradeoff_of(Channel(rows)) == TradeoffFunction(corners)
    assert channel_of(TradeoffFunction(corners)) == Channel(rows)


def test_t_of_a_channel_with_ties_and_zero_columns() -> None:
    channel = Channel([["1/4", "0", "1/4", "1/2"], ["1/8", "0", "1/8", "3/4"]])
    assert tradeoff_of(channel) == TradeoffFunction([["0", "1"], ["1/2", "1/4"], ["1", "0"]])


def test_the_corners_of_a_partial_channel_end_at_its_mass() -> None:
    order = likelihood_order(Channel([["1/2", "0"], ["1/4", "1/4"]], partial=True))
    alphas, betas = scaled_corners(order)
    assert [mpq(a) / order.scale for a in alphas] == [0, mpq(1, 2)]
    assert [mpq(b) / order.scale for b in betas] == [mpq(1, 4), 0]


def test_a_partial_channel_has_no_trade_off_function() -> None:
    with pytest.raises(
        InputError, match=r"channel\[0\]: expected rows that sum to 1 \(a full channel\), got a mass of 1/2"
    ):
        tradeoff_of(Channel([["1/2", "0"], ["1/4", "1/4"]], partial=True))


def test_only_pairs_have_a_trade_off_function() -> None:
    with pytest.raises(InputError, match="two rows"):
        tradeoff_of(Channel([["1"], ["1"], ["1"]]))
