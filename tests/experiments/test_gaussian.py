"""The Gaussian pair against quadrature of its definition, inverse relations and limits."""

from __future__ import annotations

import mpmath
import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle.enclosures import Enclosure
from oracle.errors import InputError, UndecidedError
from oracle.exact import INFINITY
from oracle.experiments.gaussian import Gaussian
from oracle.levels import Level
from oracle.mechanisms.evaluate import evaluate
from oracle.mechanisms.parse import parse_mechanism
from oracle.special import phi_enclosure
from tests.experiments.reference import as_mpq, hockey_stick_by_quadrature, real, renyi_by_quadrature

THETAS = [mpq(1, 4), mpq(1), mpq(3)]
EPSILONS = [mpq(-2), mpq(-1, 3), mpq(0), mpq(1, 2), mpq(2)]
positive = st.fractions(min_value="1/20", max_value=5, max_denominator=40).map(mpq)
epsilons = st.fractions(min_value=-4, max_value=6, max_denominator=40).map(mpq)


@pytest.mark.parametrize("theta", THETAS, ids=str)
@pytest.mark.parametrize("epsilon", EPSILONS, ids=str)
def test_the_hockey_stick_is_the_integral_of_its_definition(theta, epsilon):
    """Both directions, negative epsilon included, to 25 digits."""
    with mpmath.workdps(40):
        level = mpmath.e ** real(epsilon)
        truths = [as_mpq(hockey_stick_by_quadrature("gaussian", theta, level, swap)) for swap in (False, True)]
    value = Gaussian.of(theta).hockey_stick(Level.of_exponent(epsilon), "both", 20)
    slack = mpq(1, 10**25)
    for truth in truths:
        assert value.lo - slack <= truth <= value.hi + slack
    assert value.width * 10**20 <= value.hi


@settings(deadline=None, max_examples=30)
@given(positive, epsilons)
def test_the_hockey_stick_falls_in_epsilon_and_rises_in_theta(theta, epsilon):
    """Monotone in the level and in the distance of the two laws."""
    here = Gaussian.of(theta).hockey_stick(Level.of_exponent(epsilon), "forward", 15)
    later = Gaussian.of(theta).hockey_stick(Level.of_exponent(epsilon + mpq(1, 10)), "forward", 15)
    further = Gaussian.of(theta + mpq(1, 10)).hockey_stick(Level.of_exponent(epsilon), "forward", 15)
    assert later.hi < here.lo
    assert here.lo <= further.hi


@settings(deadline=None, max_examples=30)
@given(positive, epsilons)
def test_the_levels_a_and_one_over_a_are_tied_by_symmetry(theta, epsilon):
    """D_a(P‖Q) = 1 - a + a D_(1/a)(Q‖P), which is D_(1/a)(P‖Q) by symmetry."""
    pair = Gaussian.of(theta)
    with mpmath.workdps(60):
        a = as_mpq(mpmath.e ** real(epsilon))
    left = pair.hockey_stick(Level.of_exponent(epsilon), "forward", 30)
    right = pair.hockey_stick(Level.of_exponent(-epsilon), "backward", 30)
    slack = mpq(1, 10**25)
    assert 1 - a + a * right.lo - slack <= left.hi
    assert left.lo <= 1 - a + a * right.hi + slack


@settings(deadline=None, max_examples=25)
@given(positive, st.fractions(min_value="1/10000", max_value="9/10", max_denominator=10000).map(mpq))
def test_the_least_epsilon_inverts_the_hockey_stick(theta, delta):
    """Just below it D exceeds delta, just above it does not; at delta >= D_1 it is 0."""
    pair = Gaussian.of(theta)
    least = pair.least_epsilon(delta, "both", 15)
    if isinstance(least, Level):
        assert least == Level.rational(1)
        assert pair.satisfies(Level.rational(1), delta)
        return
    assert least.width * 10**15 <= least.hi
    assert pair.satisfies(Level.of_exponent(least.hi), delta)
    assert not pair.satisfies(Level.of_exponent(least.lo), delta)


@settings(deadline=None, max_examples=25)
@given(positive, st.fractions(min_value="1/1000", max_value="999/1000", max_denominator=1000).map(mpq))
def test_the_trade_off_function_is_its_own_inverse(theta, alpha):
    """T(T(alpha)) = alpha for a symmetric pair, and 1 - D_h - h alpha bounds T from below for every h."""
    pair = Gaussian.of(theta)
    beta = pair.beta(alpha, "forward", 30)
    assert pair.beta(beta.hi, "backward", 30).lo <= alpha <= pair.beta(beta.lo, "backward", 30).hi
    for h in (mpq(1, 3), mpq(1), mpq(4)):
        line = pair.hockey_stick(Level.rational(h), "backward", 30)
        assert 1 - line.hi - h * alpha <= beta.hi


def test_the_trade_off_function_at_one_half_is_phi_of_minus_theta():
    """Phi^(-1)(1/2) = 0."""
    assert Gaussian.of(mpq(2)).beta(mpq(1, 2), "forward", 20).overlaps(phi_enclosure(mpq(-2), 20))


def test_exact_values_are_rationals_and_no_enclosures():
    """Level 0 gives 1, infinity 0; T(0) = 1, T(1) = 0; Rényi is order·theta²/2; delta 0 needs infinite epsilon."""
    pair = Gaussian.of(mpq(3))
    assert pair.hockey_stick(Level.rational(0)) == 1
    assert pair.hockey_stick(Level.infinite()) == 0
    assert (pair.beta(mpq(0)), pair.beta(mpq(1))) == (1, 0)
    assert pair.renyi(mpq(5, 2)).divergence == mpq(45, 4)
    assert pair.renyi(mpq(1)).divergence == mpq(9, 2)
    assert pair.renyi(INFINITY).divergence is INFINITY
    assert pair.least_epsilon(mpq(0)).is_infinite
    assert pair.least_epsilon(mpq(1)) == Level.rational(1)


@pytest.mark.parametrize("order", [mpq(1, 2), mpq(2), mpq(3), mpq(7, 3)], ids=str)
def test_renyi_is_the_integral_of_its_definition(order):
    """Moment and divergence agree with quadrature."""
    with mpmath.workdps(30):
        truth = renyi_by_quadrature("gaussian", mpq(1), order)
        logarithm = as_mpq(mpmath.log(truth) / (real(order) - 1))
    found = Gaussian.of(mpq(1)).renyi(order, "both", 15)
    assert abs(found.divergence - logarithm) < mpq(1, 10**20)
    assert (found.moment is None) == (order.denominator != 1)
    if found.moment is not None:
        assert found.moment.lo <= as_mpq(truth) <= found.moment.hi


def test_a_value_too_small_to_write_is_enclosed_from_zero():
    """Theta = 10^-9 at epsilon 1 is about e^(-5e17)."""
    value = Gaussian.of(mpq(1, 10**9)).hockey_stick(Level.of_exponent(mpq(1)))
    assert (value.lo, value.reached) == (0, 0)
    assert value.hi == mpq(1, mpq(10) ** 99_999)


def test_extreme_parameters_stay_inside_zero_and_one():
    """Huge distances and huge levels."""
    value = Gaussian.of(mpq(10**30)).hockey_stick(Level.of_exponent(mpq(1)))
    assert value.hi == 1
    assert value.lo > 1 - mpq(1, 10**12)
    assert Gaussian.of(mpq(1)).satisfies(Level.of_exponent(mpq(10**40)), mpq(1, 10**1000))


def test_a_delta_beyond_the_precision_limit_is_undecided_and_says_its_bits():
    """A rational within 2^-20000 of the truth is not told from it."""
    pair = Gaussian.of(mpq(1))
    with mpmath.workprec(24000):
        x = (mpmath.erfc(mpmath.sqrt(2) / 4) - mpmath.e * mpmath.erfc(3 * mpmath.sqrt(2) / 4)) / 2
    close = as_mpq(x)
    with pytest.raises(UndecidedError) as caught:
        pair.satisfies(Level.of_exponent(mpq(1)), close)
    assert caught.value.bits == 1 << 14
    assert pair.checks(Level.of_exponent(mpq(1)), close)[0].holds is None
    assert pair.satisfies(Level.of_exponent(mpq(1)), close + mpq(1, 2**4000))
    assert not pair.satisfies(Level.of_exponent(mpq(1)), close - mpq(1, 2**4000))


def test_the_expression_of_a_pair_means_the_same_pair():
    """Also where theta is irrational."""
    for squared in (mpq(4, 9), mpq(2), mpq(3, 7)):
        pair = Gaussian(squared)
        assert evaluate(parse_mechanism(pair.to_json())).theta_squared == squared


def test_irrational_theta_is_the_composition():
    """Theta² = 2 between theta = 7/5 and theta = 3/2."""
    level = Level.of_exponent(mpq(1))
    below, value, above = (
        p.hockey_stick(level) for p in (Gaussian.of(mpq(7, 5)), Gaussian(mpq(2)), Gaussian.of(mpq(3, 2)))
    )
    assert below.hi < value.lo
    assert value.hi < above.lo
    assert isinstance(value, Enclosure)


def test_theta_must_be_above_zero():
    """No distance is no pair of two laws."""
    with pytest.raises(InputError):
        Gaussian(mpq(0))
    with pytest.raises(InputError, match="alpha between 0 and 1"):
        Gaussian.of(mpq(1)).beta(mpq(3, 2))
