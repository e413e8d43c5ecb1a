"""Which method is chosen for which parts, and when there is a grid."""

from __future__ import annotations

import pytest
from gmpy2 import mpq

from oracle.accountant.choice import grid_for, method_for
from oracle.accountant.constituents import Constituent, pooled
from oracle.channels.channel import Channel
from oracle.experiments.discrete_gaussian import DiscreteGaussian
from oracle.experiments.gaussian import Gaussian
from oracle.experiments.laplace import Laplace
from oracle.experiments.subsampled import PoissonSubsampled

RESPONSE = Channel([["3/4", "1/4"], ["1/4", "3/4"]])
PRIMES = Channel([["2/28", "3/28", "5/28", "7/28", "11/28"], ["1/5", "1/5", "1/5", "1/5", "1/5"]])
GAUSSIAN, LAPLACE, NOISE = Gaussian(mpq(1)), Laplace(mpq(1)), DiscreteGaussian(mpq(2), 3)
SAMPLED = PoissonSubsampled(GAUSSIAN, mpq(1, 10))
SAMPLED_LAPLACE = PoissonSubsampled(LAPLACE, mpq(1, 10))
CASES = [
    ([(RESPONSE, 1000)], "lattice polynomial"),
    ([(PRIMES, 16)], "meet in the middle"),
    ([(LAPLACE, 50)], "residues"),
    ([(LAPLACE, 3), (Laplace(mpq(1, 3)), 3)], "residues"),
    ([(NOISE, 10)], "lattice polynomial"),
    ([(SAMPLED, 2)], "conditioning"),
    ([(SAMPLED, 1), (GAUSSIAN, 1)], "conditioning"),
    ([(SAMPLED, 3)], "contour"),
    ([(SAMPLED, 3), (RESPONSE, 4), (LAPLACE, 2), (NOISE, 1)], "contour"),
    ([(LAPLACE, 5), (RESPONSE, 3)], "conditioning"),
    ([(SAMPLED_LAPLACE, 2)], "conditioning"),
    ([(SAMPLED_LAPLACE, 3)], "loss grid"),
    ([(NOISE, 2), (RESPONSE, 1)], "loss grid"),
    ([(PoissonSubsampled(NOISE, mpq(1, 10)), 2)], "loss grid"),
]


@pytest.mark.parametrize(("parts", "name"), CASES)
@pytest.mark.parametrize("side", ["forward", "backward"])
def test_the_method(parts, name, side):
    """Exact where the parts allow, then one integral, then a line, then the grid."""
    constituents = pooled(Constituent(pair, times, {}) for pair, times in parts)
    assert method_for(constituents, side).name == name


def test_there_is_no_grid_for_very_many_steps():
    """Roundings of so many would hide the sum."""
    assert grid_for([Constituent(SAMPLED, 1 << 10, {})], "forward") is not None
    assert grid_for([Constituent(SAMPLED, 1 << 20, {})], "forward") is None
