"""Blocks of exact atoms on the grid: the same bracket, a smaller gap."""

from __future__ import annotations

import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle.accountant.block_cells import BlockCells
from oracle.accountant.loss_cells import FiniteCells
from oracle.accountant.loss_grid import compose_cells, grid_delta
from oracle.accountant.meet_in_the_middle import MeetInTheMiddle
from oracle.channels.channel import Channel
from oracle.channels.composition import power
from oracle.errors import InputError, LimitError
from oracle.laws.strategies import two_row_channels
from oracle.levels import Level

SIX = Channel([[mpq(k, 57) for k in (3, 5, 7, 11, 13, 18)], [mpq(k, 58) for k in (17, 12, 10, 9, 7, 3)]])
APPROXIMATE = Channel([["1/10", "6/10", "3/10", "0"], ["0", "3/10", "6/10", "1/10"]])


@given(two_row_channels(4), st.integers(1, 4), st.fractions(min_value="1/32", max_value=1, max_denominator=32).map(mpq))
@settings(max_examples=40)
def test_a_block_has_the_cells_of_the_composed_channel(channel, steps, width):
    """The same totals as the columns of the power, atom by atom; both leave nothing out."""
    block = BlockCells(channel, steps).cells(width, 96, 10**6)
    whole = FiniteCells(power(channel, steps)).cells(width, 96, 10**6)
    assert (block.start, len(block.p_low)) == (whole.start, len(whole.p_low))
    for ours, theirs in (
        (block.p_low, whole.p_low),
        (block.q_high, whole.q_high),
        (block.upper, whole.upper),
        ([block.infinite_low, block.upper_infinite], [whole.infinite_low, whole.upper_infinite]),
    ):
        assert all(abs(a - b) <= 1 for a, b in zip(ours, theirs, strict=True))


@pytest.mark.parametrize(("channel", "block", "times"), [(SIX, 4, 6), (SIX, 12, 2), (APPROXIMATE, 5, 4)])
def test_blocks_bracket_the_exact_value_more_closely(channel, block, times):
    """At the width of single steps."""
    level, exact = Level.rational(4), MeetInTheMiddle([(channel, block * times)])
    value = exact.hockey_stick(level).as_rational()
    assert value is not None
    single = compose_cells([(FiniteCells(channel), block * times)], width=mpq(1, 64)).delta(level)
    found = compose_cells([(BlockCells(channel, block), times)], width=mpq(1, 64)).delta(level)
    assert single.contains(value)
    assert found.contains(value)
    assert found.width * 2 < single.width


def test_a_block_beside_other_steps():
    """A block and single steps of another channel."""
    found = grid_delta([(BlockCells(SIX, 3), 2), (FiniteCells(APPROXIMATE), 1)], Level.rational(2), cells=1 << 10)
    exact = MeetInTheMiddle([(SIX, 6), (APPROXIMATE, 1)]).hockey_stick(Level.rational(2)).as_rational()
    assert exact is not None
    assert found.contains(exact)


@pytest.mark.parametrize(("times", "sizes"), [(0, []), (1, [(1, 1)]), (24, [(12, 2)]), (25, [(12, 1), (13, 1)])])
def test_a_composition_as_few_equal_blocks(times, sizes):
    """Thirteen steps have C(18, 5) = 8568 atoms; every step is in a block."""
    found = BlockCells.parts(SIX, times, most_atoms=9000)
    assert [(block.steps, count) for block, count in found] == sizes
    assert sum(block.steps * count for block, count in found) == times


def test_what_is_refused():
    """No steps, and more atoms than the limit."""
    with pytest.raises(InputError):
        BlockCells(SIX, 0)
    with pytest.raises(LimitError):
        BlockCells(SIX, 60)
