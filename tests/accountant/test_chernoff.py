"""Bounds known at once: around exact deltas and least epsilons."""

from __future__ import annotations

import pytest
from gmpy2 import mpq

from oracle.accountant.chernoff import chernoff_bounds, chernoff_epsilon
from oracle.accountant.composition import composed
from oracle.accountant.constituents import Constituent, contour_part
from oracle.accountant.parts import compose
from oracle.channels.channel import Channel
from oracle.enclosures import Enclosure
from oracle.experiments.gaussian import Gaussian
from oracle.experiments.laplace import Laplace
from oracle.experiments.subsampled import PoissonSubsampled
from oracle.levels import Level

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
    low, high = chernoff_bounds(parts, level)
    value = pair.hockey_stick(level)
    low_end, high_end = (value.lo, value.hi) if isinstance(value, Enclosure) else (value, value)
    assert 0 <= low <= high_end
    assert low_end <= high <= 1


@pytest.mark.parametrize("name", BAGS)
@pytest.mark.parametrize("excess", [mpq(1, 1000), mpq(1, 10**12)], ids=str)
def test_the_epsilon_is_enough(name, excess):
    """Delta there is at most the bound, and it is within reach: no more than three times the least one and 1."""
    parts, pair = both(name)
    bound = pair.singular_mass("forward") + excess
    epsilon = chernoff_epsilon(parts, bound)
    value = pair.hockey_stick(Level.of_exponent(epsilon))
    assert (value.hi if isinstance(value, Enclosure) else value) <= bound
    least = pair.least_epsilon(bound, "forward", 6)
    exact = least.epsilon(6) if isinstance(least, Level) else least
    assert epsilon <= 3 * (exact.hi if isinstance(exact, Enclosure) else exact) + 1


def test_there_is_none_below_the_mass_of_infinite_loss():
    """Nor at it."""
    parts, pair = both("infinite")
    mass = pair.singular_mass("forward")
    assert chernoff_epsilon(parts, mass) is None
    assert chernoff_epsilon(parts, mass / 2) is None
