"""The subsampled Gaussian part: its table, its cut-off and its hints."""

from __future__ import annotations

from itertools import pairwise

import pytest
from flint import arb
from gmpy2 import mpq

from oracle.accountant.subsampled_gaussian import SubsampledGaussian
from oracle.enclosures import precision, rational_ball
from oracle.errors import InputError, LimitError

PARTS = [
    SubsampledGaussian(mpq(25, 16), mpq(1, 200)),
    SubsampledGaussian(mpq(25, 16), mpq(1, 200), adds=True),
    SubsampledGaussian(mpq(100, 9), mpq(1, 10)),
    SubsampledGaussian(mpq(1, 4), mpq(9, 10), adds=True),
]


@pytest.mark.parametrize("part", PARTS, ids=str)
@pytest.mark.parametrize("c", [mpq(1, 2), mpq(6), mpq(-9)], ids=str)
def test_tables_of_different_accuracy_overlap(part, c):
    """A coarse and a fine quadrature, the moment on the real line, and the conjugate symmetry at n = 0."""
    with precision(140):
        coarse, fine = part.table(c, mpq(1, 2), 8, 20), part.table(c, mpq(1, 2), 8, 90)
        assert all(x.overlaps(y) for x, y in zip(coarse, fine, strict=True))
        assert fine[0].imag == 0
        assert part.moment(rational_ball(c)).overlaps(fine[0].real)
        assert all(value.rad() <= fine[0].real * arb(2) ** -80 for value in fine)


@pytest.mark.parametrize("part", PARTS[:2], ids=str)
def test_removing_and_adding_are_tied(part):
    """K of the swapped pair at z is K at -1 - z."""
    with precision(100):
        here, there = part.table(mpq(2), mpq(1), 3, 60), part.swapped().table(mpq(-3), mpq(1), 3, 60)
        assert all(x.conjugate().overlaps(y) for x, y in zip(here, there, strict=True))


@pytest.mark.parametrize("part", PARTS, ids=str)
@pytest.mark.parametrize("c", [mpq(1, 2), mpq(6), mpq(-9)], ids=str)
def test_the_cut_off_is_above_the_transform_and_falls(part, c):
    """|K(c+it)| <= K(c) phi(t) from small to large t, both bounds alike."""
    with precision(100):
        cut_off = part.cut_off(c)
        for step in (mpq(1, 10), mpq(20)):
            table = part.table(c, step, 40, 70)
            bounds = [cut_off.bound(rational_ball(n * step)) for n in range(1, 41)]
            for value, bound in zip(table[1:], bounds, strict=True):
                assert abs(value).lower() <= table[0].real * bound
            assert all(later <= earlier for earlier, later in pairwise(bounds))
            assert bounds[-1] < bounds[0]


def test_the_loss_is_bounded_when_adding():
    """-log(1-q) and no bound; both laws see each other whole."""
    with precision(80):
        assert PARTS[1].largest_loss().overlaps(-rational_ball(mpq(199, 200)).log())
        assert PARTS[0].largest_loss() is None
        assert PARTS[0].finite_mass() == PARTS[0].seen_mass() == 1
        half = (arb(5) / 4 / arb(8).sqrt()).erf()
        assert PARTS[0].variation().overlaps(half / 200)


@pytest.mark.parametrize(("theta_squared", "rate"), [(0, mpq(1, 2)), (1, 0), (1, 1), (1, -1)])
def test_parameters_outside_their_range_are_refused(theta_squared, rate):
    """Theta = 0 and rates that are no proper subsampling."""
    with pytest.raises(InputError):
        SubsampledGaussian(mpq(theta_squared), mpq(rate))
    with pytest.raises(InputError):
        SubsampledGaussian.of(mpq(0), mpq(1, 2))


def test_what_would_take_too_long_is_refused():
    """A sigma of 1/1000 needs too many nodes; a table of 10^8 entries too many products."""
    with pytest.raises(LimitError):
        SubsampledGaussian.of(mpq(1, 1000), mpq(1, 2)).table(mpq(1), mpq(1), 3, 60)
    with pytest.raises(LimitError, match="products"):
        PARTS[0].table(mpq(1), mpq(1), 10**8, 60)
