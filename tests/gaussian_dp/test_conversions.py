"""Conversions from and to mu-GDP, each against the pairs that attain it or that it must bound."""

from __future__ import annotations

import mpmath
import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle.channels.worst_case import approximate_dp_channel
from oracle.enclosures import Enclosure
from oracle.errors import InputError
from oracle.exact import INFINITY
from oracle.experiments.gaussian import Gaussian
from oracle.gaussian_dp import conversions
from oracle.gaussian_dp.channel_mu import least_mu
from oracle.gaussian_dp.concentrated import judge_rho, least_rho
from oracle.gaussian_dp.conversions import Conversion
from oracle.levels import Level
from oracle.operations import pair_of
from tests.experiments.reference import as_mpq, real

MUS = st.fractions("1/20", 5, max_denominator=40).map(mpq)


def test_composition():
    """3-4-5, the empty one, and an irrational one."""
    assert conversions.composed_mu([mpq(3), mpq(4)]) == Conversion(mpq(5), "exact")
    assert conversions.composed_mu([]).value == 0
    value = conversions.composed_mu([mpq(1), mpq(1)], 30).value
    assert value.lo**2 < 2 < value.hi**2
    with pytest.raises(InputError, match=r"mu\[1\]"):
        conversions.composed_mu([mpq(1), mpq(-1)])


@settings(deadline=None, max_examples=20)
@given(MUS, MUS)
def test_composition_is_that_of_the_mechanisms(first, second):
    """The least mu of composed Gaussian mechanisms."""
    parts = [{"mechanism": "gaussian_dp", "mu": str(mu)} for mu in (first, second)]
    assert least_mu(pair_of({"mechanism": "compose", "of": parts})) == conversions.composed_mu([first, second]).value


def test_groups():
    """Size times mu, as the Gaussian mechanism at that sensitivity."""
    assert conversions.group_mu(mpq(1, 2), 3) == Conversion(mpq(3, 2), "exact")
    group = {"mechanism": "group", "size": 3, "of": {"mechanism": "gaussian", "sigma": "2"}}
    assert least_mu(pair_of(group)) == mpq(3, 2)
    with pytest.raises(InputError, match="at least 1"):
        conversions.group_mu(mpq(1), 0)


@settings(deadline=None, max_examples=20)
@given(MUS, st.fractions(0, 5, max_denominator=20).map(mpq))
def test_delta_and_epsilon_invert_one_another(mu, epsilon):
    """The least eps at delta_mu(eps) is eps, up to the enclosures."""
    level = Level.of_exponent(epsilon)
    delta = conversions.delta_of_mu(mu, level, 30).value
    low = conversions.epsilon_of_mu(mu, delta.hi, 15).value
    high = conversions.epsilon_of_mu(mu, delta.lo, 15).value
    assert (low.lo if isinstance(low, Enclosure) else low) <= epsilon
    assert (high.hi if isinstance(high, Enclosure) else high) >= epsilon


def test_epsilon_at_the_ends():
    """None at delta = 0, 0 from delta_mu(0) on and for mu = 0."""
    assert conversions.epsilon_of_mu(mpq(1), mpq(0)).value is INFINITY
    assert conversions.epsilon_of_mu(mpq(1), mpq(1, 2)).value == 0
    assert conversions.epsilon_of_mu(mpq(0), mpq(0)).value == 0


@pytest.mark.parametrize("level", ["1", "2", "3", "100"])
def test_pure_dp_to_mu_is_the_mu_of_the_worst_case(level):
    """Randomized response has it."""
    found = conversions.mu_of_guarantee(Level.rational(mpq(level)), mpq(0), 20).value
    worst = least_mu(approximate_dp_channel(mpq(level), mpq(0), "both"), 20)
    assert found == worst == 0 if level == "1" else found.overlaps(worst)


def test_pure_dp_of_any_size():
    """Of eps = 10^-30 the digits are relative (mu = eps √(π/8)·2 + ...); a delta above 0 or eps = inf give no mu."""
    small = conversions.mu_of_guarantee(Level.of_exponent(mpq(1, 10**30)), mpq(0), 20).value
    assert small.width * mpq(10) ** 20 <= small.hi
    with mpmath.workdps(60):
        truth = as_mpq(mpmath.sqrt(8) * mpmath.erfinv(mpmath.tanh(mpmath.mpf("1e-30") / 2)))
    assert small.lo <= truth <= small.hi
    assert conversions.mu_of_guarantee(Level.rational(2), mpq(1, 10)).value is INFINITY
    assert conversions.mu_of_guarantee(Level.infinite(), mpq(0)).value is INFINITY
    with pytest.raises(InputError, match="epsilon at least 0"):
        conversions.mu_of_guarantee(Level.rational(mpq(1, 2)), mpq(0))


def test_a_point_of_a_profile_is_a_lower_bound():
    """The profile of randomized response at 2: its least mu is no smaller."""
    pair = pair_of({"mechanism": "randomized_response", "exp_epsilon": "3"})
    bound = conversions.mu_of_point(Level.rational(2), mpq(1, 4))
    assert bound.kind == "lower"
    assert bound.value.lo <= least_mu(pair).hi


@settings(deadline=None, max_examples=20)
@given(MUS, st.fractions("1/100", "99/100", max_denominator=100).map(mpq))
def test_the_curve(mu, alpha):
    """Phi(Phi^-1(1 - alpha) - mu) by mpmath."""
    found = conversions.curve_of_mu(mu, alpha, 15).value
    with mpmath.workdps(40):
        z = mpmath.sqrt(2) * mpmath.erfinv(1 - 2 * real(alpha))
        truth = as_mpq(mpmath.ncdf(z - real(mu)))
    assert found.lo * (1 - mpq(1, 10**25)) <= truth <= found.hi * (1 + mpq(1, 10**25))


def test_the_curve_at_its_ends():
    """1 at alpha = 0, 0 at 1, 1 - alpha for mu = 0, 0 inside for an infinite mu."""
    assert [conversions.curve_of_mu(mpq(2), mpq(a)).value for a in (0, 1)] == [1, 0]
    assert conversions.curve_of_mu(mpq(0), mpq(1, 3)).value == mpq(2, 3)
    assert [conversions.curve_of_mu(INFINITY, mpq(a)).value for a in ("0", "1/2")] == [1, 0]
    with pytest.raises(InputError, match="alpha between 0 and 1"):
        conversions.curve_of_mu(mpq(1), mpq(2))


@settings(deadline=None, max_examples=20)
@given(MUS, st.sampled_from([mpq(1, 2), mpq(1), mpq(2), mpq(7, 3)]))
def test_renyi_and_rho(mu, order):
    """Those of the Gaussian mechanism; of randomized response they bound what is measured."""
    assert conversions.renyi_of_mu(mu, order).value == Gaussian.of(mu).renyi(order).divergence
    assert conversions.rho_of_mu(mu).value == least_rho(Gaussian.of(mu))
    pair = pair_of({"mechanism": "randomized_response", "exp_epsilon": "3"})
    rho = conversions.rho_of_mu(least_mu(pair).hi).value
    assert all(finding.holds for finding in judge_rho(pair, rho))


def test_renyi_at_infinity():
    """Infinite unless mu is 0."""
    assert conversions.renyi_of_mu(mpq(1), INFINITY).value is INFINITY
    assert conversions.renyi_of_mu(mpq(0), INFINITY).value == 0
    with pytest.raises(InputError, match="an order above 0"):
        conversions.renyi_of_mu(mpq(1), mpq(0))


def test_rho_back_to_mu_is_one_sided():
    """√(2 rho) is attained by Gaussian mechanisms, and below the least mu of Laplace."""
    assert conversions.mu_of_least_rho(mpq(1, 8)) == Conversion(mpq(1, 2), "lower")
    assert conversions.mu_of_least_rho(INFINITY).value is INFINITY
    laplace = pair_of({"mechanism": "laplace", "scale": "1"})
    bound = conversions.mu_of_least_rho(least_rho(laplace).lo).value
    assert bound.lo <= least_mu(laplace).hi


@pytest.mark.parametrize("level", [Level.rational(3), Level.of_exponent(mpq(1, 2)), Level.rational(1)], ids=str)
def test_rho_of_pure_dp_bounds_the_worst_case(level):
    """eps²/2 for randomized response."""
    found = conversions.rho_of_guarantee(level)
    assert found.kind == "upper"
    value = found.value.hi if isinstance(found.value, Enclosure) else found.value
    pair = pair_of({"mechanism": "randomized_response", **level.to_json()})
    assert all(finding.holds for finding in judge_rho(pair, value))
    assert conversions.rho_of_guarantee(Level.infinite()).value is INFINITY


@settings(deadline=None, max_examples=20)
@given(MUS, st.fractions(0, 10, max_denominator=20).map(mpq))
def test_delta_of_rho_bounds_delta_of_the_gaussian(mu, epsilon):
    """The Gaussian mechanism is mu²/2-zCDP, so its delta is no larger."""
    level = Level.of_exponent(epsilon)
    bound = conversions.delta_of_rho(mu * mu / 2, level, 20)
    delta = conversions.delta_of_mu(mu, level, 20).value
    assert bound.kind == "upper"
    assert delta.lo <= (bound.value.hi if isinstance(bound.value, Enclosure) else bound.value)


def test_delta_of_rho_at_the_ends():
    """1 up to eps = rho, 0 at eps = inf and for rho = 0."""
    assert conversions.delta_of_rho(mpq(1), Level.infinite()).value == 0
    assert conversions.delta_of_rho(mpq(0), Level.rational(2)).value == 0
    assert conversions.delta_of_rho(mpq(0), Level.rational(mpq(1, 2))).value == 1
    assert conversions.delta_of_rho(mpq(1), Level.rational(0)).value == 1
    assert conversions.delta_of_rho(mpq(2), Level.of_exponent(mpq(1))).value.hi == 1


@pytest.mark.parametrize("order", [mpq(3, 2), mpq(4), mpq(20)])
def test_every_order_bounds_delta_of_the_gaussian(order):
    """The least of the bounds over all orders is below Bun and Steinke's."""
    for mu, epsilon in ((mpq(1), mpq(2)), (mpq(1, 2), mpq(3)), (mpq(2), mpq(9))):
        level, rho = Level.of_exponent(epsilon), mu * mu / 2
        bound = conversions.delta_of_rho_at_order(rho, level, order, 20)
        assert bound.kind == "upper"
        assert conversions.delta_of_mu(mu, level, 20).value.lo <= bound.value.hi
        best = (epsilon + rho) / (2 * rho)
        at_best = conversions.delta_of_rho_at_order(rho, level, best, 20).value
        assert at_best.hi < conversions.delta_of_rho(rho, level, 20).value.lo


def test_an_order_of_one_bounds_nothing():
    """Refused; the bound is stated for orders above 1."""
    with pytest.raises(InputError, match="an order above 1"):
        conversions.delta_of_rho_at_order(mpq(1), Level.rational(2), 1)
