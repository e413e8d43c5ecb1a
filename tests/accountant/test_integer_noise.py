"""The discrete Gaussian lattice against sums over all outcomes and the pair of one step; its cells."""

from __future__ import annotations

import pytest
from flint import arb
from gmpy2 import mpq

from oracle.accountant.integer_noise import IntegerNoise, NoiseCells, noise_terms
from oracle.accountant.loss_grid import compose_cells
from oracle.enclosures import Enclosure, precision, rational_ball, rational_bounds
from oracle.errors import InputError, LimitError
from oracle.experiments.discrete_gaussian import DiscreteGaussian
from oracle.experiments.subsampled import PoissonSubsampled
from oracle.levels import Level

EPSILONS = [mpq(-1, 2), mpq(0), mpq(3, 8), mpq(2)]


def lattice(groups, epsilon) -> Enclosure:
    """The value at 80 bits."""
    return Enclosure(*rational_bounds(IntegerNoise(groups).hockey_stick_ball(lambda _: rational_ball(epsilon))(80)))


def weights(variance, reach: int) -> dict[int, arb]:
    """The law on |x| <= reach."""
    raw = {x: rational_ball(-mpq(x * x) / (2 * variance)).exp() for x in range(-reach, reach + 1)}
    total = sum(raw.values(), arb(0))
    return {x: w / total for x, w in raw.items()}


@pytest.mark.parametrize("epsilon", EPSILONS, ids=str)
@pytest.mark.parametrize(("sigma", "sensitivity"), [(mpq(1), 1), (mpq(2), 3), (mpq(1, 2), 1)])
def test_one_step_is_the_pair(sigma, sensitivity, epsilon):
    """By its own tail sums."""
    pair = DiscreteGaussian(sigma, sensitivity)
    value = pair.hockey_stick(Level.of_exponent(epsilon), "forward", 15)
    found = lattice([(sigma * sigma, sensitivity, 1)], epsilon)
    assert found.overlaps(value if isinstance(value, Enclosure) else Enclosure(value, value))
    assert found.width < mpq(1, 1 << 70)


@pytest.mark.parametrize("epsilon", EPSILONS, ids=str)
def test_three_steps_are_a_sum_over_all_outcomes(epsilon):
    """Two of sigma² = 1 and one of sigma² = 4, s = 3: Σ max(0, p - a q) over a box that holds all but 2^-80."""
    found = lattice([(mpq(1), 1, 2), (mpq(4), 3, 1)], epsilon)
    with precision(120):
        first, second = weights(mpq(1), 12), weights(mpq(4), 25)
        total = arb(0)
        for x, p in first.items():
            for y, r in first.items():
                for z, s in second.items():
                    loss = mpq(1) + mpq(9, 8) - x - y - mpq(3, 4) * z
                    if loss > epsilon:
                        total += p * r * s * (1 - rational_ball(epsilon - loss).exp())
        expected = total + arb(0).union(arb(2) ** -80)
    low, high = rational_bounds(expected)
    assert found.overlaps(Enclosure(low - mpq(1, 1 << 80), high))


def test_repetition_and_grouping_do_not_matter():
    """Five steps at once, or three and two; on the lattice of a finer group they are the same sum."""
    values = [
        lattice([(mpq(4), 3, 5)], mpq(1)),
        lattice([(mpq(4), 3, 3), (mpq(4), 3, 2)], mpq(1)),
        lattice([(mpq(4), 3, 1)] * 5, mpq(1)),
    ]
    assert all(x.overlaps(y) for x in values for y in values)
    assert all(x.width < mpq(1, 1 << 60) for x in values)


def test_the_terms_are_a_law():
    """Their sum and what is left out make 1; at least so many are made as asked."""
    with precision(120):
        terms, beyond = noise_terms(mpq(4), 60, least=40)
        assert len(terms) >= 81
        assert (sum(terms, arb(0)) + arb(0).union(beyond)).contains(1)
        assert beyond < arb(2) ** -55


@pytest.mark.parametrize("side", ["forward", "backward"])
@pytest.mark.parametrize("rate", [mpq(1), mpq(1, 4)], ids=str)
@pytest.mark.parametrize("epsilon", [mpq(1, 8), mpq(-1, 8)], ids=str)
def test_the_cells_bracket_one_step(rate, side, epsilon):
    """The grid of one step, subsampled or not, against the pair's own sums."""
    pair = DiscreteGaussian(mpq(2), 3)
    pair = pair if rate == 1 else PoissonSubsampled(pair, rate)
    value = pair.hockey_stick(Level.of_exponent(epsilon), side)
    value = value if isinstance(value, Enclosure) else Enclosure(value, value)
    grid = compose_cells([(NoiseCells(mpq(4), 3, rate, side), 1)], cells=512, bits=128, tail_bits=64)
    found = grid.delta(Level.of_exponent(epsilon))
    assert found.lo <= value.hi
    assert value.lo <= found.hi
    assert found.width < mpq(1, 1000)


def test_what_is_refused():
    """No group, lattices too large, both directions, rates and variances outside."""
    with pytest.raises(InputError, match="at least one group"):
        IntegerNoise([])
    with pytest.raises(LimitError, match="points"):
        IntegerNoise([(mpq(10**12), 1, 1000)])
    with pytest.raises(LimitError, match="terms"):
        noise_terms(mpq(10**12), 60)
    for bad in ((mpq(4), 3, mpq(1), "both"), (mpq(0), 3, mpq(1), "forward"), (mpq(4), 0, mpq(1), "forward")):
        with pytest.raises(InputError):
            NoiseCells(*bad)
    with pytest.raises(InputError, match="rate"):
        NoiseCells(mpq(4), 3, mpq(0), "forward")
