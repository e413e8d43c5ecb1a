"""The discrete Gaussian pair against direct sums of its definition."""

from __future__ import annotations

import mpmath
import pytest
from gmpy2 import mpq

from oracle.enclosures import Enclosure
from oracle.errors import InputError, LimitError
from oracle.exact import INFINITY
from oracle.experiments.discrete_gaussian import DiscreteGaussian
from oracle.levels import Level
from tests.experiments.reference import as_mpq, lattice_pair, real

PARAMETERS = [(mpq(1), 1), (mpq(3, 2), 2), (mpq(7, 2), 5), (mpq(1, 3), 1)]


@pytest.mark.parametrize(("sigma", "sensitivity"), PARAMETERS, ids=str)
@pytest.mark.parametrize("epsilon", [mpq(-2), mpq(0), mpq(1, 2), mpq(3)], ids=str)
def test_the_hockey_stick_is_the_sum_of_its_definition(sigma, sensitivity, epsilon):
    """Σ max(0, p - a q) in both directions."""
    with mpmath.workdps(40):
        p, q = lattice_pair(sigma, sensitivity)
        a = mpmath.e ** real(epsilon)
        truths = [
            as_mpq(mpmath.fsum(max(0, x - a * y) for x, y in zip(*laws, strict=True))) for laws in ((p, q), (q, p))
        ]
    value = DiscreteGaussian(sigma, sensitivity).hockey_stick(Level.of_exponent(epsilon), "both", 25)
    for truth in truths:
        assert value.lo - mpq(1, 10**30) <= truth <= value.hi + mpq(1, 10**30)
    assert value.width * 10**25 <= value.hi


def test_a_level_at_a_jump_of_the_likelihood_ratio_is_no_trouble():
    """At e^((s² - 2sz)/(2σ²)) the outcome z has p = a q exactly."""
    pair = DiscreteGaussian(mpq(1), 1)
    at = Level.of_exponent(mpq(-3, 2))
    around = [pair.hockey_stick(Level.of_exponent(mpq(-3, 2) + step)) for step in (mpq(1, 10**6), mpq(-1, 10**6))]
    value = pair.hockey_stick(at, "forward", 30)
    assert value.width * 10**30 <= value.hi
    assert around[0].lo < value.lo
    assert value.hi < around[1].hi


@pytest.mark.parametrize(("sigma", "sensitivity"), PARAMETERS, ids=str)
@pytest.mark.parametrize("alpha", [mpq(1, 10**9), mpq(1, 10), mpq(1, 2), mpq(99, 100), 1 - mpq(1, 10**12)], ids=str)
def test_the_trade_off_function_is_the_likelihood_ratio_test(sigma, sensitivity, alpha):
    """The greedy test of its definition, rejecting the largest outcomes first."""
    with mpmath.workdps(40):
        p, q = lattice_pair(sigma, sensitivity)
        spent, beta, budget = mpmath.mpf(0), mpmath.mpf(1), real(alpha)
        for x, y in zip(reversed(p), reversed(q), strict=True):
            part = min(mpmath.mpf(1), (budget - spent) / x)
            spent, beta = spent + part * x, beta - part * y
            if part < 1:
                break
    truth = as_mpq(beta)
    for direction in ("forward", "backward"):
        value = DiscreteGaussian(sigma, sensitivity).beta(alpha, direction, 12)
        assert value.lo - mpq(1, 10**30) <= truth <= value.hi + mpq(1, 10**30)


@pytest.mark.parametrize("delta", [mpq(1, 5), mpq(1, 10**6), mpq(1, 10**40)], ids=str)
def test_the_least_epsilon_inverts_the_hockey_stick(delta):
    """Just below it D exceeds delta, at its upper end it does not."""
    pair = DiscreteGaussian(mpq(3, 2), 2)
    least = pair.least_epsilon(delta, "both", 20)
    assert least.width * 10**20 <= least.hi
    assert pair.satisfies(Level.of_exponent(least.hi), delta)
    assert not pair.satisfies(Level.of_exponent(least.lo), delta)


@pytest.mark.parametrize("order", [mpq(1, 2), mpq(3, 2), mpq(2), mpq(4)], ids=str)
def test_renyi_is_the_sum_of_its_definition(order):
    """Exact where (1 - order)·s is an integer, enclosed elsewhere."""
    pair = DiscreteGaussian(mpq(3, 4), 1)
    with mpmath.workdps(40):
        p, q = lattice_pair(mpq(3, 4), 1, 60)
        a = real(order)
        moment = mpmath.fsum(x**a * y ** (1 - a) for x, y in zip(p, q, strict=True))
        truth = as_mpq(mpmath.log(moment) / (a - 1))
    value = pair.renyi(order, "both", 20).divergence
    if order.denominator == 1:
        assert value == order * mpq(8, 9)
    else:
        assert isinstance(value, Enclosure)
    lo, hi = (value.lo, value.hi) if isinstance(value, Enclosure) else (value, value)
    assert lo - mpq(1, 10**30) <= truth <= hi + mpq(1, 10**30)


def test_exact_values():
    """Kullback-Leibler is s²/(2σ²); the loss is unbounded; delta 0 needs infinite epsilon."""
    pair = DiscreteGaussian(mpq(2), 3)
    assert pair.renyi(mpq(1)).divergence == mpq(9, 8)
    assert pair.renyi(INFINITY).divergence is INFINITY
    assert pair.least_epsilon(mpq(0)).is_infinite
    assert pair.hockey_stick(Level.infinite()) == 0
    assert (pair.beta(mpq(0)), pair.beta(mpq(1))) == (1, 0)


def test_bad_parameters_and_too_many_terms_are_refused():
    """A sigma beyond the stated number of terms is a limit, not a hang."""
    with pytest.raises(InputError):
        DiscreteGaussian(mpq(0))
    with pytest.raises(InputError):
        DiscreteGaussian(mpq(1), 0)
    with pytest.raises(LimitError, match="terms"):
        DiscreteGaussian(mpq(10**9)).hockey_stick(Level.rational(1))


@pytest.mark.parametrize(
    ("pair", "epsilon", "at_least", "at_most"),
    [
        (DiscreteGaussian(mpq(2), 3), mpq(10**40), mpq(0), mpq(1, 10**1000)),
        (DiscreteGaussian(mpq(2), 3), mpq(-(10**40)), 1 - mpq(1, 10**12), mpq(1)),
        (DiscreteGaussian(mpq(1, 10**6)), mpq(1), 1 - mpq(1, 10**12), mpq(1)),
        (DiscreteGaussian(mpq(100), 10**7), mpq(1), 1 - mpq(1, 10**12), mpq(1)),
    ],
    ids=lambda value: str(value)[:20],
)
def test_extreme_parameters_have_values(pair, epsilon, at_least, at_most):
    """Levels and distances far out of the range of ordinary numbers."""
    value = pair.hockey_stick(Level.of_exponent(epsilon))
    assert at_least <= value.lo
    assert value.hi <= at_most
