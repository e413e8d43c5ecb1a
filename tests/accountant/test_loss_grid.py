"""Compositions on the loss grid bracket what is known exactly or certified otherwise, whatever the planning."""

from __future__ import annotations

import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle.accountant.conditioning import two_step_delta
from oracle.accountant.continuous_cells import ContinuousCells, GaussianLoss, LaplaceLoss, SubsampledLoss
from oracle.accountant.loss_cells import FiniteCells
from oracle.accountant.loss_grid import compose_cells, grid_delta
from oracle.accountant.meet_in_the_middle import MeetInTheMiddle
from oracle.accountant.step_laws import GaussianStep, LaplaceStep
from oracle.accountant.subsampled_steps import subsampled
from oracle.channels.channel import Channel
from oracle.enclosures import Enclosure, enclose, rational_ball, rational_bounds
from oracle.errors import InputError, LimitError
from oracle.experiments.gaussian import Gaussian
from oracle.laws.strategies import NASTY_CHANNELS, two_row_channels
from oracle.levels import Level

RESPONSE = Channel([["3/4", "1/4"], ["1/4", "3/4"]])
APPROXIMATE = Channel([["1/10", "6/10", "3/10", "0"], ["0", "3/10", "6/10", "1/10"]])
GENERIC = Channel([["1/2", "1/3", "1/6"], ["1/7", "2/7", "4/7"]])


def dp_sgd(sigma: float, rate: float, side="forward") -> ContinuousCells:
    """The Poisson-subsampled Gaussian, parameters the doubles nearest the decimals."""
    s, q = mpq(*sigma.as_integer_ratio()), mpq(*rate.as_integer_ratio())
    return ContinuousCells(SubsampledLoss(GaussianLoss(1 / s**2), q), side)


@given(
    st.lists(st.tuples(two_row_channels(3), st.integers(0, 4)), max_size=2),
    st.fractions(min_value=-1, max_value=2, max_denominator=9).map(mpq),
    st.sampled_from(["forward", "backward"]),
)
@settings(max_examples=30)
def test_finite_channels_against_the_exact_value(of, epsilon, side):
    """Different channels, numbers of times from 0, both directions."""
    oriented = [(channel if side == "forward" else channel.swapped(), times) for channel, times in of]
    found = grid_delta([(FiniteCells(c), k) for c, k in oriented], Level.of_exponent(epsilon), cells=64)
    exact = MeetInTheMiddle(of).hockey_stick(Level.of_exponent(epsilon), side)
    assert found.overlaps(Enclosure(*rational_bounds(exact.ball(200))))


@pytest.mark.parametrize("channel", NASTY_CHANNELS, ids=str)
def test_channels_picked_by_hand(channel):
    """Three times, at rational levels."""
    composed = compose_cells([(FiniteCells(channel), 3)], cells=64)
    exact = MeetInTheMiddle([(channel, 3)])
    for a in (mpq(0), mpq(1, 2), mpq(1), mpq(7, 3)):
        level = Level.rational(a)
        value = exact.hockey_stick(level).as_rational()
        assert value is not None
        assert composed.delta(level).contains(value)


@pytest.mark.parametrize("channel", [RESPONSE, APPROXIMATE, GENERIC], ids=["response", "approximate", "generic"])
@pytest.mark.parametrize(("bits", "tail_bits", "cells"), [(12, 40, 64), (96, 2, 64), (96, 40, 4), (96, 40, 2000)])
def test_poor_planning_makes_wide_brackets_and_no_wrong_ones(channel, bits, tail_bits, cells):
    """Few bits, windows that cut off a quarter of the mass, hardly a grid."""
    composed = compose_cells([(FiniteCells(channel), 9)], bits=bits, tail_bits=tail_bits, cells=cells)
    exact = MeetInTheMiddle([(channel, 9)])
    for a in (mpq(1, 3), mpq(1), mpq(9), mpq(243)):
        value = exact.hockey_stick(Level.rational(a)).as_rational()
        assert value is not None
        assert composed.delta(Level.rational(a)).contains(value)


def test_losses_of_one_step_on_their_own_cells_lose_nothing():
    """Randomized response has two losses, l and -l: their sums are told apart by their cells."""
    exact = MeetInTheMiddle([(RESPONSE, 12)]).hockey_stick(Level.rational(5)).as_rational()
    assert exact is not None
    found = grid_delta([(FiniteCells(RESPONSE), 12)], Level.rational(5), cells=128)
    assert 0 <= exact - found.lo <= mpq(1, 10**30)


def test_infinite_losses_at_the_limit():
    """At a = inf both ends are 1 - (9/10)^k."""
    found = grid_delta([(FiniteCells(APPROXIMATE), 8)], Level.infinite(), cells=64)
    assert found.contains(1 - mpq(9, 10) ** 8)
    assert found.width < mpq(1, 10**30)


def test_gaussian_steps_against_the_closed_form_and_halved_cells():
    """64 steps at epsilon 40: a value certified before; the gap falls by about four when the width is halved."""
    table = Enclosure(mpq("0.132089945622995869"), mpq("0.132089945622995870"))
    exact = Gaussian(mpq(64)).hockey_stick(Level.of_exponent(40), "forward", 25)
    assert isinstance(exact, Enclosure)
    assert exact.overlaps(table)
    gaps = []
    for h in (mpq(1, 8), mpq(1, 16), mpq(1, 32)):
        composed = compose_cells([(ContinuousCells(GaussianLoss(mpq(1))), 64)], width=h)
        found = composed.delta(Level.of_exponent(40))
        assert found.lo <= exact.lo
        assert exact.hi <= found.hi
        gaps.append(found.width)
    assert gaps[1] * 3 < gaps[0]
    assert gaps[2] * 3 < gaps[1]


@pytest.mark.parametrize(
    ("side", "lo", "hi"),
    [
        ("forward", "0.000449401376605174521", "0.000449401376605237145"),
        ("backward", "3.11819344885988046e-6", "3.11819344886011029e-6"),
    ],
)
def test_dp_sgd_against_certified_values(side, lo, hi):
    """A thousand steps of sigma 0.8 at rate 0.005, epsilon 1, both directions."""
    found = grid_delta([(dp_sgd(0.8, 0.005, side), 1000)], Level.of_exponent(1), cells=1 << 12, bits=80, tail_bits=40)
    assert found.lo <= mpq(lo)
    assert mpq(hi) <= found.hi
    assert found.width < mpq(hi) / 4


def test_different_steps_against_an_integral():
    """A Laplace, a finite and a subsampled step; the first two against one-dimensional integrals, in both orders."""
    level, epsilon = Level.of_exponent(mpq(1, 2)), lambda _: rational_ball(mpq(1, 2))
    gaussian, laplace = ContinuousCells(GaussianLoss(mpq(1))), ContinuousCells(LaplaceLoss(mpq(1)))
    found = grid_delta([(gaussian, 1), (laplace, 1)], level, cells=1 << 11)
    exact = enclose(two_step_delta(LaplaceStep(mpq(1)), GaussianStep(mpq(1)), epsilon), 15)
    assert found.lo <= exact.lo
    assert exact.hi <= found.hi
    assert found.width < mpq(1, 10**4)
    thinned = subsampled(GaussianStep(mpq(1)), mpq(1, 10))
    found = grid_delta(
        [(ContinuousCells(SubsampledLoss(GaussianLoss(mpq(1)), mpq(1, 10))), 1), (laplace, 1)], level, cells=1 << 11
    )
    exact = enclose(two_step_delta(LaplaceStep(mpq(1)), thinned, epsilon), 15)
    assert found.lo <= exact.lo
    assert exact.hi <= found.hi


def test_an_exact_zero_is_approached_from_above():
    """The add direction of a subsampled step has bounded loss: 30 log(1/0.995) < 1."""
    found = grid_delta(
        [(dp_sgd(0.8, 0.005, "backward"), 30)], Level.of_exponent(1), cells=1 << 10, bits=96, tail_bits=40
    )
    assert found.lo == 0
    assert found.hi < mpq(1, 10**12)


def test_no_steps_at_all():
    """The composition of nothing has the profile max(0, 1 - a)."""
    composed = compose_cells([(FiniteCells(GENERIC), 0)])
    assert composed.delta(Level.rational(mpq(1, 4))).contains(mpq(3, 4))
    assert composed.delta(Level.rational(2)).contains(mpq(0))
    assert composed.delta(Level.rational(2)).width < mpq(1, 10**30)


def test_what_is_refused():
    """Negative numbers of times, and grids beyond the limit."""
    with pytest.raises(InputError):
        compose_cells([(FiniteCells(GENERIC), -1)])
    with pytest.raises(LimitError):
        compose_cells([(FiniteCells(GENERIC), 2)], width=mpq(1, 1 << 30))
