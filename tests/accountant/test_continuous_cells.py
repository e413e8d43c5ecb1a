"""Survival functions of the loss against the hockey stick, and the cells of continuous steps."""

from __future__ import annotations

import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle.accountant.continuous_cells import ContinuousCells, GaussianLoss, LaplaceLoss, SubsampledLoss
from oracle.accountant.loss_grid import GridComposition
from oracle.enclosures import enclose, precision, rational_ball
from oracle.errors import InputError
from oracle.experiments.gaussian import Gaussian
from oracle.experiments.laplace import Laplace
from oracle.experiments.subsampled import PoissonSubsampled
from oracle.levels import Level

STEPS = [
    (GaussianLoss(mpq(1)), Gaussian(mpq(1))),
    (GaussianLoss(mpq(9, 4)), Gaussian(mpq(9, 4))),
    (LaplaceLoss(mpq(2, 3)), Laplace(mpq(2, 3))),
    (SubsampledLoss(GaussianLoss(mpq(1)), mpq(1, 10)), PoissonSubsampled(Gaussian(mpq(1)), mpq(1, 10))),
    (SubsampledLoss(LaplaceLoss(mpq(2)), mpq(1, 3)), PoissonSubsampled(Laplace(mpq(2)), mpq(1, 3))),
]
losses = st.fractions(min_value=-3, max_value=3, max_denominator=30).map(mpq)


@pytest.mark.parametrize(("survival", "pair"), STEPS, ids=lambda x: type(x).__name__)
@given(loss=losses)
@settings(max_examples=30)
def test_the_hockey_stick_is_the_difference_of_the_survival_functions(survival, pair, loss):
    """D_{e^l}(P‖Q) = P(L >= l) - e^l Q(L >= l): outcomes with L = l add 0."""
    with precision(120):
        p, q = survival.at(loss)
        expected = pair.hockey_stick_ball(lambda _: rational_ball(loss), "forward")(120)
        assert expected.overlaps(p - rational_ball(loss).exp() * q)
        wide_p, wide_q = survival.at_ball(rational_ball(loss).union(rational_ball(loss + mpq(1, 50))))
        for point in (loss, loss + mpq(1, 100), loss + mpq(1, 50)):
            p, q = survival.at(point)
            assert wide_p.overlaps(p)
            assert wide_q.overlaps(q)


@pytest.mark.parametrize(("survival", "pair"), STEPS, ids=lambda x: type(x).__name__)
@pytest.mark.parametrize("side", ["forward", "backward"])
@pytest.mark.parametrize("tail_bits", [6, 60])
def test_the_profile_lies_between_the_two_pairs(survival, pair, side, tail_bits):
    """Both directions; with little of the tail kept the bracket is wide, not wrong."""
    composed = GridComposition(ContinuousCells(survival, side).cells(mpq(1, 16), 80, tail_bits))
    for epsilon in (mpq(-1, 3), mpq(0), mpq(1, 5), mpq(1)):
        level = Level.of_exponent(epsilon)
        exact = pair.hockey_stick(level, side, 20)
        lo, hi = (exact, exact) if isinstance(exact, mpq) else (exact.lo, exact.hi)
        found = composed.delta(level)
        assert found.lo <= hi
        assert lo <= found.hi
        if tail_bits == 60:
            assert found.width < mpq(1, 100)


def test_the_jumps_of_the_laplace_loss():
    """L >= theta has P-mass 1/2, L > theta none; L >= -theta is certain."""
    law = LaplaceLoss(mpq(1, 2))
    with precision(64):
        assert law.at(mpq(1, 2))[0] == rational_ball(mpq(1, 2))
        assert law.at(mpq(3, 4)) == (0, 0)
        assert law.at(mpq(-1, 2)) == (1, 1)


def test_a_mean_far_from_zero():
    """All losses of theta = 20 under P lie well above 0; the grid starts there."""
    cells = ContinuousCells(GaussianLoss(mpq(400))).cells(mpq(1, 2), 80, 40)
    assert cells.start > 0
    level = Level.of_exponent(210)
    assert GridComposition(cells).delta(level).overlaps(Gaussian(mpq(400)).hockey_stick(level))


@pytest.mark.parametrize(
    "call",
    [
        lambda: GaussianLoss(mpq(0)),
        lambda: LaplaceLoss(mpq(-1)),
        lambda: SubsampledLoss(GaussianLoss(mpq(1)), mpq(0)),
        lambda: SubsampledLoss(GaussianLoss(mpq(1)), mpq(1)),
        lambda: ContinuousCells(GaussianLoss(mpq(1)), "both"),
        lambda: ContinuousCells(GaussianLoss(mpq(1))).cells(mpq(0), 64, 40),
    ],
)
def test_what_is_refused(call):
    """Parameters outside their range."""
    with pytest.raises(InputError):
        call()


def test_the_certified_value_of_one_gaussian_step():
    """Finer grids close in on the closed form, by about four for every halving."""
    exact = enclose(Gaussian(mpq(1)).hockey_stick_ball(lambda _: rational_ball(mpq(1, 3)), "forward"), 20)
    widths = []
    for h in (mpq(1, 8), mpq(1, 16), mpq(1, 32)):
        cells = ContinuousCells(GaussianLoss(mpq(1))).cells(h, 80, 60)
        found = GridComposition(cells).delta(Level.of_exponent(mpq(1, 3)))
        assert found.lo <= exact.lo
        assert exact.hi <= found.hi
        widths.append(found.width)
    assert widths[1] * 3 < widths[0]
    assert widths[2] * 3 < widths[1]
