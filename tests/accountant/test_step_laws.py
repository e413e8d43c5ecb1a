"""Laws and piecewise profiles of steps: against the pairs they stand for, and their masses against 1."""

from __future__ import annotations

import pytest
from flint import acb, arb
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle.accountant.step_laws import GaussianStep, LaplaceStep
from oracle.accountant.subsampled_steps import SubsampledStep, exchanged
from oracle.enclosures import precision, rational_ball
from oracle.errors import InputError
from oracle.experiments.gaussian import Gaussian
from oracle.experiments.laplace import Laplace
from oracle.experiments.subsampled import PoissonSubsampled

GAUSSIAN, LAPLACE = GaussianStep(mpq(2)), LaplaceStep(mpq(3, 2))
STEPS = [
    (GAUSSIAN, Gaussian(mpq(2))),
    (LAPLACE, Laplace(mpq(3, 2))),
    (SubsampledStep(GAUSSIAN, mpq(1, 7)), PoissonSubsampled(Gaussian(mpq(2)), mpq(1, 7))),
    (SubsampledStep(LAPLACE, mpq(1, 7)), PoissonSubsampled(Laplace(mpq(3, 2)), mpq(1, 7))),
]
SMALL = mpq(1, 1 << 80)
epsilons = st.fractions(min_value=-3, max_value=3, max_denominator=50).map(mpq)
NAMES = ["gaussian", "laplace", "subsampled gaussian", "subsampled laplace"]


@pytest.mark.parametrize(("step", "pair"), STEPS, ids=NAMES)
@given(epsilon=epsilons)
@settings(max_examples=40)
def test_the_profile_is_that_of_the_pair_in_both_directions(step, pair, epsilon):
    """At exact points and over wide balls."""
    with precision(160):
        small = rational_ball(SMALL)
        for side, oriented in (("forward", step), ("backward", exchanged(step))):
            profile = oriented.profile(small)
            expected = pair.hockey_stick_ball(lambda _: rational_ball(epsilon), side)(160)
            assert profile.slack <= 2 * small
            assert profile.at(rational_ball(epsilon)).overlaps(expected)
            assert profile.at(rational_ball(epsilon).union(rational_ball(epsilon + 1))).contains(expected.mid())


@pytest.mark.parametrize(("step", "pair"), STEPS, ids=NAMES)
def test_the_law_has_mass_1_under_both(step, pair):
    """Atoms, integrals of the densities over the pieces, and what is left out."""
    assert pair.singular_mass("forward") == 0
    with precision(120):
        for oriented in (step, exchanged(step)):
            law = oriented.law(rational_ball(SMALL))
            for row, rest in (("p", law.p_rest), ("q", law.q_rest)):
                total = sum((getattr(a, row) for a in law.atoms), arb(0))
                for piece in law.pieces:
                    total += acb.integral(getattr(piece, row), acb(piece.low), acb(piece.high)).real
                assert total <= 1 + rational_ball(mpq(1, 1 << 60))
                assert total + rest >= 1 - rational_ball(mpq(1, 1 << 60))
                assert rest <= 4 * rational_ball(SMALL)


@pytest.mark.parametrize(("step", "pair"), STEPS, ids=NAMES)
@given(share=st.fractions(min_value="1/10", max_value="9/10", max_denominator=10).map(mpq))
@settings(max_examples=9)
def test_the_loss_is_the_logarithm_of_the_density_ratio_and_falls(step, pair, share):
    """And its inverse leads back."""
    assert pair.singular_mass("backward") == 0
    with precision(120):
        for oriented in (step, exchanged(step)):
            for piece in oriented.law(rational_ball(mpq(1, 1 << 20))).pieces:
                x = piece.low + (piece.high - piece.low) * rational_ball(share)
                loss = piece.loss(acb(x), False).real
                assert loss.overlaps((piece.p(acb(x), False).real / piece.q(acb(x), False).real).log())
                assert piece.loss(acb(x + rational_ball(mpq(1, 100))), False).real < loss
                assert piece.at_loss(loss).overlaps(x)


@pytest.mark.parametrize("call", [lambda: GaussianStep(mpq(0)), lambda: LaplaceStep(mpq(-1))])
def test_what_is_refused(call):
    """Parameters outside their range."""
    with pytest.raises(InputError):
        call()
