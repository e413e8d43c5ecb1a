"""Bounds known at once: around exact deltas and least epsilons."""

from __future__ import annotations

import pytest
from gmpy2 import mpq

from oracle.accountant.chernoff import bounds_at_once, epsilon_bounds
from oracle.accountant.composition import composed
from oracle.accountant.constituents import Constituent, contour_part
from oracle.accountant.parts import compose
from oracle.channels.channel import Channel
from oracle.enclosures import Enclosure
from oracle.experiments.gaussian import Gaussian
from oracle.experiments.laplace import Laplace
from oracle.experiments.subsampled import PoissonSubsampled
from oracle.levels import Level
from tests.accountant.examples import gaussian as gaussian_pair
from tests.accountant.examples import sgd

APPROXIMATE = Channel([["1/10", "27/40", "9/40", "0"], ["0", "9/40", "27/40", "1/10"]])
BAGS = {
    "gaussian": [(Gaussian(mpq(1)), 1)],
    "laplace": [(Laplace(mpq(1, 2)), 8)],
    "response": [(Channel([["3/4", "1/4"], ["1/4", "3/4"]]), 12)],
    "infinite": [(APPROXIMATE, 2), (Gaussian(mpq(1, 4)), 1)],
    "sampled": [(PoissonSubsampled(Gaussian(mpq(1)), mpq(1, 10)), 50)],
}
LEVELS = [Level.rational(mpq(1, 2)), Level.rational(mpq(1)), Level.of_exponent(mpq(1)), Level.of_exponent(mpq(30))]


def both(name):
    """As parts of a contour, and as the pair."""
    parts = compose([(contour_part(pair), times) for pair, times in BAGS[name]])
    return parts, composed(Constituent(pair, times, {}) for pair, times in BAGS[name])


@pytest.mark.parametrize("name", BAGS)
@pytest.mark.parametrize("level", LEVELS, ids=str)
def test_delta_lies_between_the_bounds(name, level):
    """By the method of the composition."""
    parts, pair = both(name)
    low, high = bounds_at_once(parts, level)
    value = pair.hockey_stick(level)
    low_end, high_end = (value.lo, value.hi) if isinstance(value, Enclosure) else (value, value)
    assert 0 <= low <= high_end
    assert low_end <= high <= 1


@pytest.mark.parametrize("name", BAGS)
@pytest.mark.parametrize("excess", [mpq(1, 1000), mpq(1, 10**12)], ids=str)
def test_the_least_epsilon_lies_between_the_bounds(name, excess):
    """Delta at the upper one is at most the bound, and it is no more than three times the least one and 1."""
    parts, pair = both(name)
    bound = pair.singular_mass("forward") + excess
    low, epsilon = epsilon_bounds(parts, bound)
    value = pair.hockey_stick(Level.of_exponent(epsilon))
    assert (value.hi if isinstance(value, Enclosure) else value) <= bound
    least = pair.least_epsilon(bound, "forward", 6)
    exact = least.epsilon(6) if isinstance(least, Level) else least
    most = exact.hi if isinstance(exact, Enclosure) else exact
    assert low <= most
    assert epsilon <= 3 * most + 1


def test_there_is_no_upper_one_below_the_mass_of_infinite_loss():
    """Nor at it."""
    parts, pair = both("infinite")
    mass = pair.singular_mass("forward")
    assert epsilon_bounds(parts, mass)[1] is None
    assert epsilon_bounds(parts, mass / 2)[1] is None


def test_epsilon_0_where_the_total_variation_is_enough():
    """A thousand steps of rate 1e-9 are within 1e-6 of nothing at all."""
    parts = compose([(contour_part(sgd("1/1000", "1/1000000000")), 1000)])
    assert epsilon_bounds(parts, mpq(1, 10**5)) == (0, 0)


def test_an_epsilon_out_of_reach_of_the_moments_is_that_of_the_gaussian_pairs():
    """Without subsampling there is more to see, and it is finite."""
    parts = compose([(contour_part(sgd("1/1000", "1/100")), 1000)])
    low, high = epsilon_bounds(parts, mpq(1, 10**5))
    gaussian = composed([Constituent(gaussian_pair("1/1000"), 1000, {})])
    most = gaussian.least_epsilon(mpq(1, 10**5), "forward", 6)
    assert 3 * 10**5 < low < most.lo < high < 2 * most.hi


def test_bounds_at_an_epsilon_beyond_binary64():
    """As at any other: delta is about 0 there."""
    parts, _ = both("sampled")
    low, high = bounds_at_once(parts, Level.of_exponent(mpq(10) ** 400))
    assert low == 0
    assert high < mpq(1, 1 << 1000)
