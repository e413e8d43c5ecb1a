"""Compositions of Laplace mechanisms: against one step, against integrals, against refinement, exactly at the ends."""

from __future__ import annotations

from itertools import pairwise

import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle.accountant.conditioning import two_step_delta
from oracle.accountant.continuous_cells import ContinuousCells, LaplaceLoss
from oracle.accountant.laplace_residues import MAX_STEPS, LaplaceComposition
from oracle.accountant.loss_grid import grid_delta
from oracle.accountant.step_laws import LaplaceStep
from oracle.enclosures import Enclosure, enclose, precision, rational_ball, rational_bounds
from oracle.errors import InputError, LimitError
from oracle.experiments.laplace import Laplace
from oracle.formal import FormalSum
from oracle.levels import Level

thetas = st.fractions(min_value="1/20", max_value=4, max_denominator=20).map(mpq)
epsilons = st.fractions(min_value=-9, max_value=9, max_denominator=20).map(mpq)


def ends(ball, bits: int = 100) -> Enclosure:
    return Enclosure(*rational_bounds(ball(bits)))


def at(x: mpq):
    return lambda _: rational_ball(x)


@given(thetas, epsilons)
def test_one_step_is_the_laplace_pair(theta, epsilon):
    """The residues at k = 1 give the closed form of one step."""
    exact = LaplaceComposition([(theta, 1)]).delta(epsilon)
    assert ends(exact.ball).overlaps(ends(Laplace(theta).hockey_stick_ball(at(epsilon), "forward")))
    if -theta < epsilon < theta:
        assert exact == FormalSum.rational(1) - FormalSum.exp((epsilon - theta) / 2)


@given(thetas, thetas, epsilons)
@settings(max_examples=40)
def test_two_steps_are_the_integral_over_the_first(first, second, epsilon):
    """Equal and different scales: atoms and one-dimensional integrals of the other step's profile."""
    exact = LaplaceComposition([(first, 1), (second, 1)]).delta(epsilon)
    integral = two_step_delta(LaplaceStep(first), LaplaceStep(second), at(epsilon))(60)
    assert ends(exact.ball).overlaps(Enclosure(*rational_bounds(integral)))


@pytest.mark.parametrize(("groups", "epsilon"), [([(mpq(1), 3)], mpq(1)), ([(mpq(1, 2), 4), (mpq(4, 3), 2)], mpq(2))])
def test_more_steps_lie_between_the_split_and_the_pooled_channel(groups, epsilon):
    """The grid pair of the same steps brackets the closed form."""
    parts = [(ContinuousCells(LaplaceLoss(theta)), times) for theta, times in groups]
    bracket = grid_delta(parts, Level.of_exponent(epsilon), cells=1 << 10)
    exact = ends(LaplaceComposition(groups).delta(epsilon).ball)
    assert bracket.lo <= exact.lo
    assert exact.hi <= bracket.hi


def test_fifty_steps_at_twenty():
    """A value certified before: k = 50, scale 1, epsilon 20."""
    exact = LaplaceComposition([(mpq(1), 50)]).delta(mpq(20))
    table = Enclosure(mpq("0.333582055142111422"), mpq("0.333582055142111423"))
    assert table.overlaps(enclose(exact.ball, 30))


@given(st.lists(st.tuples(thetas, st.integers(0, 3)), max_size=3))
@settings(max_examples=40)
def test_the_ends_are_exact(groups):
    """0 from the largest loss on, 1 - e^eps from its negative down."""
    composed = LaplaceComposition(groups)
    assert composed.delta(composed.total).is_zero()
    below = -composed.total - mpq(1, 3)
    assert composed.delta(below) == FormalSum.rational(1) - FormalSum.exp(below)


@given(thetas, st.integers(1, 6), st.lists(epsilons, min_size=2, max_size=5, unique=True))
@settings(max_examples=40)
def test_the_profile_falls_and_is_positive_inside(theta, times, points):
    """Signs and comparisons of exact numbers."""
    composed = LaplaceComposition([(theta, times)])
    values = [composed.delta(e) for e in sorted(points)]
    for left, right in pairwise(values):
        assert (left - right).sign() >= 0
    for epsilon, value in zip(sorted(points), values, strict=True):
        assert value.sign() == (1 if epsilon < composed.total else 0)


@given(thetas, st.integers(0, 3), st.integers(0, 3), epsilons)
@settings(max_examples=40)
def test_equal_scales_are_counted_together(theta, first, second, epsilon):
    """The same number, written as one group or two."""
    apart = LaplaceComposition([(theta, first), (theta, second)]).delta(epsilon)
    assert apart == LaplaceComposition([(theta, first + second)]).delta(epsilon)


@given(thetas, st.integers(0, 4), epsilons, st.fractions(min_value=0, max_value=2, max_denominator=8).map(mpq))
@settings(max_examples=60)
def test_a_ball_of_epsilon_holds_the_values_at_its_points(theta, times, low, width):
    """Wide balls, also across the largest loss and its negative."""
    composed = LaplaceComposition([(theta, times)])
    with precision(80):
        wide = rational_ball(low).union(rational_ball(low + width))
    found = composed.delta_ball(lambda _: wide)(60)
    with precision(200):
        for point in (low, low + width / 2, low + width):
            assert found.overlaps(composed.delta(point).ball(100))


def test_levels_of_every_kind():
    """A rational level takes a ball between its neighbours, e^eps and the ends are exact."""
    composed = LaplaceComposition([(mpq(1, 2), 5)])
    value = enclose(composed.delta_at(Level.rational(2)), 20)
    assert composed.delta_at(Level.of_exponent(mpq(1, 3))) == composed.delta(mpq(1, 3))
    assert composed.delta_at(Level.rational(1)) == composed.delta(mpq(0))
    assert composed.delta_at(Level.rational(0)) == FormalSum.rational(1)
    assert composed.delta_at(Level.infinite()).is_zero()
    above, below = composed.delta(mpq(69, 100)), composed.delta(mpq(7, 10))
    assert ends(below.ball).hi < value.lo <= value.hi < ends(above.ball).lo


@pytest.mark.parametrize(
    ("groups", "error"),
    [
        ([(mpq(0), 1)], InputError),
        ([(mpq(-1), 1)], InputError),
        ([(mpq(1), -1)], InputError),
        ([(mpq(1), MAX_STEPS + 1)], LimitError),
        ([(mpq(1), 40), (mpq(3), 40), (mpq(7), 40)], LimitError),
    ],
)
def test_what_is_refused(groups, error):
    """Scales, numbers of times and sizes outside the stated domain."""
    with pytest.raises(error):
        LaplaceComposition(groups)
