"""Proposals for the loss grid: windows hold nearly all of the mass, widths spread the loss as asked."""

from __future__ import annotations

import math

import pytest
from gmpy2 import mpq

from oracle.accountant.continuous_cells import ContinuousCells, GaussianLoss, SubsampledLoss
from oracle.accountant.grid_planning import LossHints, Windows, proposed_width
from oracle.accountant.loss_cells import FiniteCells
from oracle.channels.channel import Channel

GAUSSIAN = ContinuousCells(GaussianLoss(mpq(1)))
SAMPLED = ContinuousCells(SubsampledLoss(GaussianLoss(mpq(25, 16)), mpq(1, 200)))
RESPONSE = FiniteCells(Channel([["3/4", "1/4"], ["1/4", "3/4"]]))


@pytest.mark.parametrize("steps", [1, 16, 100])
def test_a_window_of_gaussian_steps_is_some_standard_deviations_about_the_mean(steps):
    """Mean k/2, deviation sqrt(k), and 2^-40 lies 7.1 to 8 deviations away (a Chernoff bound is a little further)."""
    width = mpq(1, 64)
    window = Windows([LossHints(GAUSSIAN.cells(width, 64, 50))], 40).window([steps], width)
    spread = math.sqrt(steps)
    low, high = float(width) * window.first, float(width) * window.last
    margin = (steps + 2) * float(width)
    assert steps / 2 - 8 * spread - margin < low < steps / 2 - 7 * spread or steps == 1
    assert steps / 2 + 7 * spread < high < steps / 2 + 8 * spread + margin or steps == 1


def test_a_window_never_reaches_beyond_the_losses_there_are():
    """Ten randomized responses lie within ten times log 3."""
    width = mpq(1, 64)
    window = Windows([LossHints(RESPONSE.cells(width, 64, 50))], 40).of_one(0, width)(10)
    assert -10 * math.log(3) - 1 < float(width) * window.first
    assert float(width) * window.last < 10 * math.log(3) + 1


@pytest.mark.parametrize(("source", "steps"), [(GAUSSIAN, 30), (SAMPLED, 1000)], ids=["gaussian", "sampled"])
@pytest.mark.parametrize("cells", [256, 2048])
def test_a_width_spreads_the_loss_over_about_so_many_cells(source, steps, cells):
    """A power of two, at most twice too fine or too coarse on its own grid."""
    width = proposed_width([(source, steps)], cells, 50)
    assert width.numerator == 1
    assert width.denominator & (width.denominator - 1) == 0
    low, high = Windows([LossHints(source.cells(width, 64, 50))], 50).losses([steps])
    assert cells / 2 <= (high - low) / float(width) <= 4 * cells
