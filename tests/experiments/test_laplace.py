"""The Laplace pair against quadrature, against formal numbers, and at its own epsilon."""

from __future__ import annotations

import mpmath
import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle.channels.tradeoff import TradeoffFunction
from oracle.enclosures import Enclosure
from oracle.errors import InputError
from oracle.exact import INFINITY
from oracle.experiments.laplace import Laplace
from oracle.formal import FormalSum, ratio_enclosure
from oracle.levels import Level
from tests.experiments.reference import as_mpq, hockey_stick_by_quadrature, real, renyi_by_quadrature

positive = st.fractions(min_value="1/20", max_value=5, max_denominator=40).map(mpq)
epsilons = st.fractions(min_value=-6, max_value=6, max_denominator=40).map(mpq)
probabilities = st.fractions(min_value="1/1000", max_value="999/1000", max_denominator=1000).map(mpq)


@pytest.mark.parametrize("theta", [mpq(1, 2), mpq(2)], ids=str)
@pytest.mark.parametrize("epsilon", [mpq(-3), mpq(-1), mpq(0), mpq(1, 3), mpq(19, 10)], ids=str)
def test_the_hockey_stick_is_the_integral_of_its_definition(theta, epsilon):
    """Both directions, every piece of the formula, to 25 digits."""
    with mpmath.workdps(40):
        level = mpmath.e ** real(epsilon)
        truths = [as_mpq(hockey_stick_by_quadrature("laplace", theta, level, swap)) for swap in (False, True)]
    value = Laplace(theta).hockey_stick(Level.of_exponent(epsilon), "both", 20)
    lo, hi = (value.lo, value.hi) if isinstance(value, Enclosure) else (value, value)
    for truth in truths:
        assert lo - mpq(1, 10**25) <= truth <= hi + mpq(1, 10**25)


def formal_hockey_stick(theta: mpq, s: mpq) -> FormalSum:
    """The closed form as an exact exponential sum."""
    one = FormalSum.rational(1)
    if s >= theta:
        return FormalSum()
    return one - FormalSum.exp((s - theta) / 2 if s >= -theta else s)


@settings(deadline=None)
@given(positive, epsilons)
def test_the_hockey_stick_is_the_formal_number(theta, epsilon):
    """The same number in exact exponential sums: equal where rational, overlapping where enclosed."""
    value = Laplace(theta).hockey_stick(Level.of_exponent(epsilon), "forward", 20)
    truth = ratio_enclosure(formal_hockey_stick(theta, epsilon), FormalSum.rational(1), 25)
    assert value == truth if not isinstance(truth, Enclosure) else value.overlaps(truth)


@settings(deadline=None)
@given(positive, epsilons, probabilities)
def test_every_comparison_is_exact(theta, epsilon, delta):
    """The verdict is the sign of a formal number, decided without a precision."""
    pair = Laplace(theta)
    exceeds = (formal_hockey_stick(theta, epsilon) - FormalSum.rational(delta)).sign() > 0
    assert pair.satisfies(Level.of_exponent(epsilon), delta) == (not exceeds)
    assert all(check.comparison.bits == 0 for check in pair.checks(Level.of_exponent(epsilon), delta))


@settings(deadline=None)
@given(positive, st.fractions(min_value="1/100", max_value=100, max_denominator=100).map(mpq), probabilities)
def test_comparisons_at_rational_levels_agree_with_enclosures(theta, level, delta):
    """The value enclosed to 40 digits lies on the side that the exact comparison says."""
    pair = Laplace(theta)
    value = pair.hockey_stick(Level.rational(level), "forward", 40)
    lo, hi = (value.lo, value.hi) if isinstance(value, Enclosure) else (value, value)
    if pair.satisfies(Level.rational(level), delta):
        assert lo <= delta
    else:
        assert hi > delta


@settings(deadline=None)
@given(positive)
def test_its_own_epsilon_holds_with_equality_and_nothing_less_does(theta):
    """Epsilon = theta at delta 0 is true, never undecided; the least epsilon is exactly theta."""
    pair = Laplace(theta)
    own = Level.of_exponent(theta)
    assert pair.satisfies(own, mpq(0))
    assert not pair.satisfies(Level.of_exponent(theta - mpq(1, 10**50)), mpq(0))
    assert pair.least_epsilon(mpq(0)) == own
    assert pair.hockey_stick(own) == 0
    assert pair.renyi(INFINITY).divergence == theta


@settings(deadline=None)
@given(positive, probabilities)
def test_the_least_epsilon_inverts_the_hockey_stick(theta, delta):
    """Just below it D exceeds delta, at its upper end it does not."""
    pair = Laplace(theta)
    least = pair.least_epsilon(delta, "both", 20)
    if isinstance(least, Level):
        assert least == Level.rational(1)
        assert pair.satisfies(Level.rational(1), delta)
        return
    assert pair.satisfies(Level.of_exponent(least.hi), delta)
    assert not pair.satisfies(Level.of_exponent(least.lo), delta)


@settings(deadline=None)
@given(positive, probabilities)
def test_the_trade_off_function_is_its_own_inverse(theta, alpha):
    """T(T(alpha)) = alpha for a symmetric pair."""
    pair = Laplace(theta)
    beta = pair.beta(alpha, "forward", 30)
    assert pair.beta(beta.hi, "backward", 30).lo <= alpha <= pair.beta(beta.lo, "backward", 30).hi


@pytest.mark.parametrize("order", [mpq(1, 2), mpq(1), mpq(2), mpq(3), mpq(5, 2), mpq(1, 3)], ids=str)
def test_renyi_is_the_integral_of_its_definition(order):
    """Moment and divergence agree with quadrature, order 1/2 (a removable singularity) included."""
    with mpmath.workdps(30):
        truth = renyi_by_quadrature("laplace", mpq(3, 2), order)
        logarithm = as_mpq(truth if order == 1 else mpmath.log(truth) / (real(order) - 1))
    found = Laplace(mpq(3, 2)).renyi(order, "both", 15)
    assert found.divergence.lo - mpq(1, 10**20) <= logarithm <= found.divergence.hi + mpq(1, 10**20)
    assert (found.moment is None) == (order.denominator != 1 or order == 1)


def test_a_trade_off_claim_that_touches_holds():
    """The curve of epsilon = theta alone, with a rational level just above e^theta; below it is refuted."""
    pair = Laplace(mpq(1))
    over = mpq(2718281828459045236, 10**18)
    under = mpq(2718281828459045235, 10**18)
    for level, holds in ((over, True), (under, False)):
        corner = 1 / (1 + level)
        curve = TradeoffFunction([[0, 1], [corner, corner], [1, 0]])
        assert pair.satisfies_curve(curve) is holds
        assert pair.satisfies_curve(curve, "forward") is holds


def test_theta_must_be_above_zero():
    """No distance is no pair of two laws."""
    with pytest.raises(InputError):
        Laplace(mpq(0))


def test_extreme_parameters_have_values():
    """A huge theta: the divergence is theta nearly, the moment is too large to write and left out."""
    pair = Laplace(mpq(10**30))
    for order in (mpq(2), mpq(1), mpq(5, 2)):
        found = pair.renyi(order)
        assert found.moment is None
        assert found.divergence.contains(mpq(10**30)) or found.divergence.hi > mpq(10**30) * (1 - mpq(1, 10**11))
    assert pair.beta(mpq(1, 3)).lo == 0
    assert pair.hockey_stick(Level.of_exponent(mpq(1))).hi == 1
    tiny = Laplace(mpq(1, 10**30)).renyi(mpq(1), "both", 10).divergence
    assert tiny.lo < mpq(1, 2 * 10**60) * (1 + mpq(1, 10**9))
    assert tiny.hi > mpq(1, 2 * 10**60) * (1 - mpq(1, 10**9))
