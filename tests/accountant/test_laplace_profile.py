"""Piecewise profiles of Laplace compositions: against the exact values, and behind other steps."""

from __future__ import annotations

import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle.accountant.conditioning import two_step_delta
from oracle.accountant.continuous_cells import ContinuousCells, GaussianLoss, LaplaceLoss
from oracle.accountant.laplace_profile import MAX_PROFILE_STEPS, LaplaceProfile
from oracle.accountant.laplace_residues import LaplaceComposition
from oracle.accountant.loss_grid import grid_delta
from oracle.accountant.step_laws import GaussianStep, LaplaceStep
from oracle.enclosures import Enclosure, enclose, precision, rational_ball, rational_bounds
from oracle.errors import LimitError
from oracle.levels import Level

thetas = st.fractions(min_value="1/5", max_value=3, max_denominator=10).map(mpq)
epsilons = st.fractions(min_value=-9, max_value=9, max_denominator=20).map(mpq)


@given(thetas, thetas, st.integers(1, 4), st.integers(0, 2), epsilons)
@settings(max_examples=60)
def test_the_pieces_are_the_exact_profile(first, second, times, more, epsilon):
    """At every epsilon, breaks included."""
    composed = LaplaceComposition([(first, times), (second, more)])
    with precision(160):
        profile = LaplaceProfile(composed).profile(rational_ball(mpq(0)))
        assert profile.at(rational_ball(epsilon)).overlaps(composed.delta(epsilon).ball(160))
        assert len(profile.functions) == len(profile.breaks) + 1


@pytest.mark.parametrize("times", [1, 4])
def test_one_more_laplace_step(times):
    """An integral over one step before the others is the closed form of all."""
    theta, at = mpq(2, 3), lambda _: rational_ball(mpq(1, 2))
    rest = LaplaceProfile(LaplaceComposition([(theta, times)]))
    found = two_step_delta(LaplaceStep(theta), rest, at)(60)
    exact = LaplaceComposition([(theta, times + 1)]).delta(mpq(1, 2)).ball(100)
    assert Enclosure(*rational_bounds(found)).overlaps(Enclosure(*rational_bounds(exact)))


def test_gaussian_steps_before_many_laplace_steps():
    """Twelve digits, between the split and the pooled channel."""
    rest = LaplaceProfile(LaplaceComposition([(mpq(1, 2), 10)]))
    found = enclose(two_step_delta(GaussianStep(mpq(1)), rest, lambda _: rational_ball(mpq(1))), 12)
    parts = [(ContinuousCells(GaussianLoss(mpq(1))), 1), (ContinuousCells(LaplaceLoss(mpq(1, 2))), 10)]
    bracket = grid_delta(parts, Level.of_exponent(1), cells=1 << 11)
    assert bracket.lo <= found.lo
    assert found.hi <= bracket.hi
    assert bracket.width < mpq(1, 10**4)


@pytest.mark.parametrize("times", [0, MAX_PROFILE_STEPS + 1])
def test_what_is_refused(times):
    """No steps, or more than the limit."""
    with pytest.raises(LimitError):
        LaplaceProfile(LaplaceComposition([(mpq(1), times)]))
