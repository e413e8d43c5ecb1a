"""Rényi divergences of the subsampled Gaussian pair: against finite sums, quadrature and the data-processing bound."""

from __future__ import annotations

from itertools import pairwise

import pytest
from flint import acb, arb
from gmpy2 import mpq

from oracle.accountant.subsampled_renyi import subsampled_gaussian_renyi
from oracle.enclosures import Enclosure, precision, rational_ball, rational_bounds
from oracle.errors import Declined
from oracle.experiments.gaussian import Gaussian
from oracle.experiments.laplace import Laplace
from oracle.experiments.subsampled import PoissonSubsampled

PAIRS = [PoissonSubsampled(Gaussian(mpq(1)), mpq(1, 10)), PoissonSubsampled(Gaussian(mpq(9, 4)), mpq(1, 2))]
SIDES = ["forward", "backward"]


def by_quadrature(pair, order, side) -> Enclosure:
    """Log ∫ p^a q^(1-a) / (a - 1) on [-25, 35]: outside it is less than 2^-90 for these pairs."""
    with precision(120):
        theta, rate, a = rational_ball(pair.base.theta_squared).sqrt(), rational_ball(pair.rate), rational_ball(order)
        power = a if side == "forward" else 1 - a

        def integrand(x: acb, analytic: bool) -> acb:
            ratio = 1 - rate + rate * (theta * x - theta * theta / 2).exp()
            return (-x * x / 2).exp() / (2 * arb.pi()).sqrt() * ratio.pow(acb(power), analytic=analytic)

        value = acb.integral(integrand, -25, 35, rel_tol=arb(2) ** -70, abs_tol=arb(2) ** -80).real
        value += arb(0).union(arb(2) ** -80)
        return Enclosure(*rational_bounds(value.log() / (a - 1)))


@pytest.mark.parametrize("pair", PAIRS, ids=["sparse", "dense"])
@pytest.mark.parametrize("order", [mpq(2), mpq(3), mpq(8)], ids=str)
def test_whole_orders_are_finite_sums(pair, order):
    """Σ C(n, k) (1-q)^(n-k) q^k e^(k (k-1) theta²/2)."""
    found = subsampled_gaussian_renyi(pair, order, "forward", 15)
    expected = pair.renyi(order, "forward", 15)
    assert found.divergence.overlaps(expected.divergence)
    assert found.moment.overlaps(expected.moment)


@pytest.mark.parametrize("pair", PAIRS, ids=["sparse", "dense"])
@pytest.mark.parametrize("order", [mpq(3, 2), mpq(2), mpq(9, 2)], ids=str)
@pytest.mark.parametrize("side", SIDES)
def test_every_order_is_an_integral(pair, order, side):
    """By certified adaptive quadrature; no moment is stated of other orders."""
    found = subsampled_gaussian_renyi(pair, order, side, 15)
    assert found.divergence.overlaps(by_quadrature(pair, order, side))
    assert found.divergence.width <= found.divergence.hi / 10**14
    assert (found.moment is None) == (order.denominator != 1)


@pytest.mark.parametrize("side", SIDES)
def test_it_grows_with_the_order_and_is_below_that_of_the_base(side):
    """D_a <= a theta²/2."""
    values = [subsampled_gaussian_renyi(PAIRS[0], mpq(n, 2), side, 12).divergence for n in range(3, 12)]
    assert all(x.hi < y.lo for x, y in pairwise(values))
    assert all(value.hi < mpq(n, 4) for n, value in enumerate(values, 3))


def test_what_is_declined():
    """Orders up to 1, and other bases."""
    with pytest.raises(Declined):
        subsampled_gaussian_renyi(PAIRS[0], mpq(1), "forward", 12)
    with pytest.raises(Declined):
        subsampled_gaussian_renyi(PoissonSubsampled(Laplace(mpq(1)), mpq(1, 2)), mpq(2), "forward", 12)
