"""Two steps by one integral: against closed forms, the other order, and refinement; and a bracket for any rest."""

from __future__ import annotations

import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle.accountant.conditioning import bracket_by_first_step, two_step_delta
from oracle.accountant.continuous_cells import ContinuousCells, GaussianLoss, LaplaceLoss, SubsampledLoss
from oracle.accountant.laplace_residues import LaplaceComposition
from oracle.accountant.loss_cells import FiniteCells
from oracle.accountant.loss_grid import grid_delta
from oracle.accountant.meet_in_the_middle import MeetInTheMiddle
from oracle.accountant.step_laws import FiniteStep, GaussianStep, LaplaceStep
from oracle.accountant.subsampled_steps import exchanged, subsampled
from oracle.channels.channel import Channel
from oracle.enclosures import Enclosure, enclose, rational_ball, rational_bounds
from oracle.experiments.gaussian import Gaussian
from oracle.levels import Level

positive = st.fractions(min_value="1/10", max_value=4, max_denominator=10).map(mpq)
epsilons = st.fractions(min_value=-2, max_value=3, max_denominator=20).map(mpq)
APPROXIMATE = Channel([["1/10", "6/10", "3/10", "0"], ["0", "3/10", "6/10", "1/10"]])
GENERIC = Channel([["1/2", "1/3", "1/6"], ["1/7", "2/7", "4/7"]])
SAMPLED = subsampled(GaussianStep(mpq(25, 16)), mpq(1, 200))
SAMPLED_LAPLACE = subsampled(LaplaceStep(mpq(2)), mpq(1, 10))


def at(x: mpq):
    return lambda _: rational_ball(x)


def ends(ball, bits: int = 60) -> Enclosure:
    return Enclosure(*rational_bounds(ball(bits)))


@given(positive, positive, epsilons)
@settings(max_examples=30)
def test_two_gaussian_steps_are_one(first, second, epsilon):
    """theta² adds up."""
    found = ends(two_step_delta(GaussianStep(first), GaussianStep(second), at(epsilon)))
    expected = ends(Gaussian(first + second).hockey_stick_ball(at(epsilon), "forward"), 120)
    assert found.overlaps(expected)
    assert found.width < mpq(1, 1 << 40)


STEPS = {
    "gaussian": GaussianStep(mpq(1, 4)),
    "laplace": LaplaceStep(mpq(4, 3)),
    "finite": FiniteStep(APPROXIMATE),
    "sampled": SAMPLED,
    "added": exchanged(SAMPLED),
    "sampled laplace": SAMPLED_LAPLACE,
    "added laplace": exchanged(SAMPLED_LAPLACE),
}
PAIRS = [(a, b) for i, a in enumerate(STEPS) for b in list(STEPS)[i:] if (a, b) != ("finite", "finite")]


@pytest.mark.parametrize(("first", "second"), PAIRS, ids="-".join)
@pytest.mark.parametrize("epsilon", [mpq(-1, 300), mpq(1, 4)], ids=str)
def test_the_order_of_the_steps_does_not_matter(first, second, epsilon):
    """Two different integrals, narrow and overlapping."""
    one = ends(two_step_delta(STEPS[first], STEPS[second], at(epsilon)))
    other = ends(two_step_delta(STEPS[second], STEPS[first], at(epsilon)))
    assert one.overlaps(other)
    assert max(one.width, other.width) < mpq(1, 1 << 35)


SOURCES = [
    (SAMPLED, ContinuousCells(SubsampledLoss(GaussianLoss(mpq(25, 16)), mpq(1, 200))), mpq(1)),
    (
        exchanged(SAMPLED_LAPLACE),
        ContinuousCells(SubsampledLoss(LaplaceLoss(mpq(2)), mpq(1, 10)), "backward"),
        mpq(1, 9),
    ),
]


@pytest.mark.parametrize(("step", "source", "epsilon"), SOURCES, ids=["subsampled gaussian", "added laplace"])
def test_the_grid_brackets_two_steps(step, source, epsilon):
    """Refinement alone, of the same pair twice."""
    bracket = grid_delta([(source, 2)], Level.of_exponent(epsilon), cells=1 << 11, bits=96, tail_bits=40)
    exact = enclose(two_step_delta(step, step, at(epsilon)), 15)
    assert bracket.lo <= exact.lo
    assert exact.hi <= bracket.hi
    assert bracket.width < exact.hi / 50


def test_thirty_digits_of_a_small_value():
    """Two subsampled Gaussian steps at epsilon 1: the 12-digit enclosure overlaps the 30-digit one."""
    delta = two_step_delta(SAMPLED, SAMPLED, at(mpq(1)))
    short, long = enclose(delta, 12), enclose(delta, 30)
    assert short.overlaps(long)
    assert long.width * mpq(10) ** 30 <= long.hi
    assert mpq(1, 10**8) < long.lo < mpq(1, 10**7)


def test_finite_steps_against_their_product():
    """Sums over atoms, the second with an infinite loss."""
    exact = MeetInTheMiddle([(APPROXIMATE, 1), (GENERIC, 1)]).hockey_stick(Level.of_exponent(mpq(1, 3)))
    found = two_step_delta(FiniteStep(GENERIC), FiniteStep(APPROXIMATE), at(mpq(1, 3)))
    assert ends(found).overlaps(ends(exact.ball))
    back = two_step_delta(FiniteStep(APPROXIMATE), FiniteStep(GENERIC), at(mpq(1, 3)))
    assert ends(back).overlaps(ends(exact.ball))


@pytest.mark.parametrize("theta", [mpq(1, 2), mpq(2)], ids=str)
def test_a_first_step_before_any_profile(theta):
    """A Laplace step before five others whose profile is known exactly; the bracket closes as the cells narrow."""
    rest, whole = LaplaceComposition([(theta, 5)]), LaplaceComposition([(theta, 6)])
    exact = ends(whole.delta(mpq(1, 2)).ball, 100)
    widths = []
    for width in (mpq(1, 8), mpq(1, 32)):
        cells = ContinuousCells(LaplaceLoss(theta)).cells(width, 96, 60)
        found = bracket_by_first_step(cells, lambda e: ends(rest.delta(e).ball, 100), mpq(1, 2))
        assert found.lo <= exact.lo
        assert exact.hi <= found.hi
        widths.append(found.width)
    assert widths[1] * 8 < widths[0]


def test_a_first_step_with_infinite_loss():
    """The finite step's infinite mass counts fully on both sides."""
    cells = FiniteCells(APPROXIMATE).cells(mpq(1, 64), 96, 60)
    gaussian = Gaussian(mpq(1))
    found = bracket_by_first_step(cells, lambda e: ends(gaussian.hockey_stick_ball(at(e), "forward"), 100), mpq(1, 2))
    exact = enclose(two_step_delta(FiniteStep(APPROXIMATE), GaussianStep(mpq(1)), at(mpq(1, 2))), 15)
    assert found.overlaps(exact)
    assert found.width < mpq(1, 1000)
