"""The split and the pooled pair of one step: masses, directions, and that they meet the profile where they should."""

from __future__ import annotations

import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle.accountant.loss_cells import (
    CellMass,
    FiniteCells,
    FormalCells,
    cell_of_ratio,
    grid_exponential,
    mirrored,
)
from oracle.accountant.loss_grid import GridComposition
from oracle.channels.channel import Channel
from oracle.channels.divergences import hockey_stick
from oracle.channels.formal_rows import FormalChannel
from oracle.enclosures import precision, rational_ball
from oracle.errors import InputError, LimitError
from oracle.formal import FormalSum
from oracle.laws.strategies import NASTY_CHANNELS, rational_levels, two_row_channels
from oracle.levels import Level

BITS = 96
UNIT = 1 << BITS
ALL = 10**6
"""Tail bits at which nothing is cut off."""
SMALL = mpq(1, 1 << (BITS - 8))
widths = st.fractions(min_value="1/64", max_value=2, max_denominator=64).map(mpq)


def response(exponent: mpq) -> FormalChannel:
    """Randomized response at epsilon = *exponent*, as unnormalised weights e^epsilon and 1."""
    one, big = FormalSum.rational(1), FormalSum.exp(exponent)
    return FormalChannel([[big, one], [one, big]])


@given(two_row_channels(5), widths, rational_levels())
@settings(max_examples=100)
def test_the_profile_lies_between_the_pooled_and_the_split_one(channel, width, level):
    """At any level and width."""
    found = GridComposition(FiniteCells(channel).cells(width, BITS, 64)).delta(Level(level))
    assert found.contains(hockey_stick(channel, level))


@given(two_row_channels(4), widths)
@settings(max_examples=100)
def test_both_pairs_keep_the_masses(channel, width):
    """All P-mass is at grid points or infinite above, all finite P- and Q-mass is in cells below; up to rounding."""
    cells = FiniteCells(channel).cells(width, BITS, ALL)
    finite_p = sum((p for p, q in zip(*channel.rows, strict=True) if q), mpq(0))
    finite_q = sum((q for p, q in zip(*channel.rows, strict=True) if p), mpq(0))
    assert 0 <= mpq(sum(cells.upper), UNIT) - finite_p <= SMALL
    assert 0 <= mpq(cells.upper_infinite, UNIT) - (1 - finite_p) <= SMALL
    assert 0 <= finite_p - mpq(sum(cells.p_low), UNIT) <= SMALL
    assert 0 <= 1 - finite_p - mpq(cells.infinite_low, UNIT) <= SMALL
    with precision(BITS + 60):
        total = sum(q * grid_exponential(width, -j) for j, q in enumerate(cells.q_high, cells.start)) / UNIT
        reach = grid_exponential(width, -cells.start) + 1
        assert total >= rational_ball(finite_q).lower()
        assert total - rational_ball(finite_q) <= rational_ball(SMALL) * reach


@given(two_row_channels(4), widths)
@settings(max_examples=60)
def test_the_split_pair_keeps_the_mass_of_the_second_law(channel, width):
    """Σ u_j e^(-h j) is the Q-mass of the outcomes of finite loss."""
    cells = FiniteCells(channel).cells(width, BITS, ALL)
    finite = sum((q for p, q in zip(*channel.rows, strict=True) if p), mpq(0))
    with precision(BITS + 40):
        total = sum(u * grid_exponential(width, -j) for j, u in enumerate(cells.upper, cells.start)) / UNIT
        reach = grid_exponential(width, -cells.start) + 1
        assert abs(total - rational_ball(finite)) <= rational_ball(SMALL) * reach


@pytest.mark.parametrize("channel", NASTY_CHANNELS, ids=str)
@pytest.mark.parametrize("width", [mpq(1, 8), mpq(3)], ids=str)
def test_channels_picked_by_hand(channel, width):
    """Infinite masses, huge losses, equal ratios, identical rows."""
    composed = GridComposition(FiniteCells(channel).cells(width, BITS, 64))
    for level in (mpq(0), mpq(1, 3), mpq(1), mpq(2)):
        assert composed.delta(Level.rational(level)).contains(hockey_stick(channel, level))


@given(two_row_channels(4), widths, st.integers(-3, 3))
@settings(max_examples=60)
def test_at_a_grid_point_the_split_pair_has_the_profile_of_the_step(channel, width, index):
    """The split profile is the chord of the step's between grid points, so there it is the step's."""
    level = Level.of_exponent(width * index)
    hi = GridComposition(FiniteCells(channel).cells(width, BITS, 64)).delta(level).hi
    with precision(200):
        a = level.formal().ball(200)
        exact = sum(
            (
                (rational_ball(p) - a * rational_ball(q)).max(rational_ball(mpq(0)))
                for p, q in zip(*channel.rows, strict=True)
            ),
            start=rational_ball(mpq(0)),
        )
        assert rational_ball(hi) >= exact.lower()
        assert rational_ball(hi) - exact <= rational_ball(SMALL) * (a + 1)


def test_a_ratio_on_a_grid_point_is_recognised():
    """Randomized response at epsilon 1/2 has its losses at -1/2 and 1/2, so two grid points hold all."""
    cells = FormalCells(response(mpq(1, 2))).cells(mpq(1, 4), BITS, 64)
    heavy = [j for j, u in enumerate(cells.upper, cells.start) if u > UNIT >> 40]
    assert heavy == [-2, 2]


@given(st.fractions(min_value="1/9", max_value=3, max_denominator=9).map(mpq), widths)
@settings(max_examples=40)
def test_exponential_sums_against_the_closed_form(exponent, width):
    """The delta of randomized response at eps < epsilon is (e^epsilon - e^eps)/(e^epsilon + 1)."""
    composed = GridComposition(FormalCells(response(exponent)).cells(width, BITS, 64))
    found = composed.delta(Level.of_exponent(exponent / 3))
    with precision(160):
        e = rational_ball(exponent).exp()
        exact = (e - rational_ball(exponent / 3).exp()) / (e + 1)
        assert rational_ball(found.lo) <= exact
        assert exact <= rational_ball(found.hi)


@given(st.fractions(min_value="1/1000", max_value=1000, max_denominator=1000).map(mpq), widths)
def test_the_cell_of_a_ratio_holds_its_logarithm(ratio, width):
    """That is, h j <= log r < h (j + 1)."""
    j = cell_of_ratio(ratio, width)
    with precision(200):
        loss = rational_ball(ratio).log()
        assert rational_ball(width * j) <= loss
        assert loss < rational_ball(width * (j + 1))


def test_mirrored_cells():
    """[h j, h (j+1)) becomes cell -j-1 with the masses exchanged; twice is the identity."""
    with precision(64):
        cells = [
            (0, CellMass(rational_ball(mpq(1)), rational_ball(mpq(2)))),
            (3, CellMass(*[rational_ball(mpq(3))] * 2)),
        ]
    turned = mirrored(cells)
    assert [(j, mass.p) for j, mass in turned] == [(-4, 3), (-1, 2)]
    assert [j for j, _ in mirrored(turned)] == [0, 3]


@pytest.mark.parametrize(
    ("width", "error"), [(mpq(0), InputError), (mpq(-1), InputError), (mpq(1, 1 << 40), LimitError)]
)
def test_what_is_refused(width, error):
    """Widths that are not positive, or of too many cells."""
    with pytest.raises(error):
        FiniteCells(Channel([["3/4", "1/4"], ["1/4", "3/4"]])).cells(width, BITS, 64)
