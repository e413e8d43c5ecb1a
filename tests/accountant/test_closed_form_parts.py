"""Gaussian and Laplace parts: transforms against quadrature, cut-offs against transforms."""

from __future__ import annotations

from itertools import pairwise

import pytest
from flint import acb, arb
from gmpy2 import mpq

from oracle.accountant.closed_form_parts import Gaussian, Laplace
from oracle.enclosures import precision, rational_ball
from oracle.errors import InputError

PARTS = [Gaussian(mpq(4)), Gaussian(mpq(1, 9)), Laplace(mpq(1, 2)), Laplace(mpq(3))]
ABSCISSAE = [mpq(1, 2), mpq(3), mpq(-5, 2)]


def by_quadrature(part, z: acb) -> acb:
    """∫ p (p/q)^z, by certified quadrature on the pieces where the loss is analytic; exact for the Laplace tails."""
    if isinstance(part, Gaussian):
        theta = rational_ball(part.theta_squared).sqrt()

        def density(x: acb, _: bool) -> acb:
            return (-((x - theta) ** 2) / 2 + z * (theta * x - theta * theta / 2)).exp() / (2 * arb.pi()).sqrt()

        return acb.integral(density, -20, 30, rel_tol=arb(2) ** -50, abs_tol=arb(2) ** -60)
    theta = rational_ball(part.theta)
    middle = acb.integral(lambda x, _: (-x + z * (theta - 2 * x)).exp() / 2, 0, theta)
    return (z * theta).exp() / 2 + middle + (-(z + 1) * theta).exp() / 2


@pytest.mark.parametrize("part", PARTS, ids=str)
@pytest.mark.parametrize("c", ABSCISSAE, ids=str)
def test_the_table_is_the_transform(part, c):
    """At n = 0 and n = 2, and the moment is the first entry."""
    with precision(80):
        table = part.table(c, mpq(3, 4), 2, 60)
        assert part.moment(rational_ball(c)).overlaps(table[0].real)
        for n in (0, 2):
            truth = by_quadrature(part, acb(rational_ball(c), arb(3 * n) / 4))
            assert abs(table[n] - truth) < table[0].real * arb(10) ** -11


@pytest.mark.parametrize("part", PARTS, ids=str)
@pytest.mark.parametrize("c", ABSCISSAE, ids=str)
def test_the_cut_off_is_above_the_transform_and_falls(part, c):
    """|K(c+it)| <= K(c) phi(t), phi falling, at most 1."""
    with precision(80):
        cut_off = part.cut_off(c)
        table = part.table(c, mpq(1, 4), 60, 60)
        bounds = [cut_off.bound(arb(n) / 4) for n in range(1, 61)]
        for value, bound in zip(table[1:], bounds, strict=True):
            assert abs(value) <= table[0].real * bound * (1 + arb(2) ** -50)
        assert all(later <= earlier <= 1 for earlier, later in pairwise(bounds))


def test_masses_losses_and_variations():
    """Both masses are 1, only Laplace losses are bounded, the variations are those of the pairs."""
    with precision(80):
        assert Gaussian(mpq(1)).largest_loss() is None
        assert Laplace(mpq(2)).largest_loss() == 2
        assert Gaussian(mpq(4)).variation().overlaps((arb(1) / arb(2).sqrt()).erf())
        assert Laplace(mpq(2)).variation().overlaps(1 - arb(-1).exp())
        for part in PARTS:
            assert part.finite_mass() == part.seen_mass() == 1
            assert part.swapped() == part
            assert not part.has_infinite_loss()


@pytest.mark.parametrize("make", [Gaussian, Laplace])
def test_a_parameter_that_is_not_positive_is_refused(make):
    """Theta = 0."""
    with pytest.raises(InputError):
        make(mpq(0))
