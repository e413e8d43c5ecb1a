"""delta_mu and its inverse against mpmath at high precision, monotony, ranges over balls, and the given vectors."""

from __future__ import annotations

import mpmath
import pytest
from flint import arb
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle.enclosures import Enclosure, precision, rational_ball
from oracle.errors import InputError
from oracle.exact import INFINITY
from oracle.gaussian_dp.profile import delta_mu, delta_mu_ball, mu_gdp, mu_gdp_ball
from oracle.levels import Level
from tests.experiments.reference import as_mpq, real

MUS = st.fractions(min_value="1/1000", max_value=20, max_denominator=1000).map(mpq)
EPSILONS = st.fractions(min_value=0, max_value=30, max_denominator=100).map(mpq)
DELTAS = st.fractions(min_value="1/100000", max_value="99999/100000", max_denominator=100000).map(mpq)


def at(epsilon) -> Level:
    return Level.of_exponent(mpq(epsilon))


def reference(mu, epsilon, digits: int):
    """The definition by mpmath's erfc, with digits enough for the cancellation."""
    with mpmath.workdps(digits):
        m, e = real(mu), real(epsilon)
        low, high = (e / m - m / 2) / mpmath.sqrt(2), (e / m + m / 2) / mpmath.sqrt(2)
        return as_mpq((mpmath.erfc(low) - mpmath.exp(e) * mpmath.erfc(high)) / 2)


@pytest.mark.parametrize(
    ("mu", "epsilon", "value"),
    [
        ("1", "0", "0.382924922548026207275409221216675479"),
        ("1", "1", "0.126936737506643945800829624757766880"),
        ("1", "5", "0.000000579372169191949410420681779021"),
        ("4", "2", "0.887309233283397599410615680627327066"),
        ("1/2", "1", "0.006829594983114575384235012879926872"),
    ],
)
def test_given_values(mu, epsilon, value):
    """Vectors liu2022-04a to 04f: both enclosures contain the same number."""
    found = delta_mu(mpq(mu), at(epsilon), 25)
    assert found.overlaps(Enclosure(mpq(value), mpq(value) + mpq(1, 10**36)))
    assert found.width * 10**25 <= found.hi


@pytest.mark.parametrize("mu", ["1/1000000", "1/100", "1", "10", "100"])
@pytest.mark.parametrize("epsilon", ["0", "1/10000000", "1/1000", "1", "20", "1000"])
def test_no_cancellation_from_tiny_to_huge(mu, epsilon):
    """Digits are relative wherever the value can be written; smaller ones are enclosed by 0 and 10^-99,999."""
    found = delta_mu(mpq(mu), at(epsilon), 15)
    if found.reached == 0:
        assert (found.lo, found.hi) == (0, mpq(1, 10**99_999))
        gap = mpq(epsilon) / mpq(mu) - mpq(mu) / 2
        # e^(-gap²/2)·10^99,999 < 1 where gap² > 460,512.
        assert gap**2 > 460_512
        return
    assert found.width * 10**15 <= found.hi
    gap = mpq(epsilon) / mpq(mu) - mpq(mu) / 2
    if gap < 40:
        truth = reference(mpq(mu), mpq(epsilon), 120 + int(gap**2))
        assert found.lo * (1 - mpq(1, 10**30)) <= truth <= found.hi * (1 + mpq(1, 10**30))


def test_a_thousand_digits():
    """At the contract's limit."""
    found = delta_mu(mpq(1), at(1), 1000)
    assert found.width * mpq(10) ** 1000 <= found.hi
    assert found.contains(found.lo)
    assert found.overlaps(delta_mu(mpq(1), at(1), 300))
    inverse = mu_gdp(at(1), mpq(1, 7), 1000)
    assert inverse.width * mpq(10) ** 1000 <= inverse.hi


def test_the_ends():
    """A mu of 0 gives max(0, 1 - e^eps), infinite mu 1, infinite eps 0, eps = -inf 1."""
    assert delta_mu(mpq(0), at(1)) == 0
    assert delta_mu(mpq(0), Level.rational(1)) == 0
    assert delta_mu(mpq(0), Level.rational(mpq(1, 3))) == mpq(2, 3)
    assert delta_mu(mpq(0), at(-1)).overlaps(Enclosure(mpq("0.632120558828557"), mpq("0.632120558828558")))
    assert delta_mu(INFINITY, at(1)) == 1
    assert delta_mu(mpq(3), Level.infinite()) == 0
    assert delta_mu(mpq(3), Level.rational(0)) == 1
    for wrong in (lambda: delta_mu(mpq(-1), at(1)), lambda: delta_mu(INFINITY, Level.infinite())):
        with pytest.raises(InputError):
            wrong()


@settings(deadline=None, max_examples=60)
@given(MUS, EPSILONS)
def test_the_definition(mu, epsilon):
    """Enclosures contain the value of the definition."""
    gap = mu and epsilon / mu
    if gap > 60:
        return
    found = delta_mu(mu, at(epsilon), 15)
    truth = reference(mu, epsilon, 80 + int(gap**2))
    assert found.lo * (1 - mpq(1, 10**30)) <= truth <= found.hi + mpq(1, 10**40)


@settings(deadline=None, max_examples=60)
@given(EPSILONS, DELTAS)
def test_the_inverse_brackets_delta(epsilon, delta):
    """delta_mu at the lower end is at most delta, at the upper end at least."""
    found = mu_gdp(at(epsilon), delta, 15)
    assert found.width * 10**15 <= found.hi
    assert delta_mu(found.lo, at(epsilon), 40).lo <= delta
    assert delta_mu(found.hi, at(epsilon), 40).hi >= delta


@pytest.mark.parametrize("epsilon", ["0", "1/1000000", "1", "1000"])
@pytest.mark.parametrize("delta", ["1e-5000", "1e-300", "1e-10", "1/2", "1-"])
def test_the_inverse_at_extreme_deltas(epsilon, delta):
    """Relative digits for a delta next to 0 and next to 1."""
    value = 1 - mpq(1, 10**60) if delta == "1-" else mpq(1, 10**5000) if delta == "1e-5000" else mpq(delta)
    found = mu_gdp(at(epsilon), value, 20)
    assert found.width * 10**20 <= found.hi
    low, high = (delta_mu(end, at(epsilon), 60) for end in (found.lo, found.hi))
    assert (1 - low.hi if value > mpq(1, 2) else low.lo) <= (1 - value if value > mpq(1, 2) else value) * 2
    assert low.lo <= value <= high.hi


def test_the_inverse_at_its_ends():
    """0 for delta = 0; infinite for delta = 1 and for an infinite eps; 2 Phi^-1((1 + delta)/2) at eps = 0."""
    assert mu_gdp(at(1), mpq(0)) == 0
    assert mu_gdp(at(1), mpq(1)) is INFINITY
    assert mu_gdp(Level.infinite(), mpq(1, 2)) is INFINITY
    assert mu_gdp(Level.infinite(), mpq(0)) == 0
    # delta_(1.34898)(0) = 1/2.
    assert mu_gdp(Level.rational(1), mpq(1, 2)).overlaps(Enclosure(mpq("1.348979500392163"), mpq("1.348979500392164")))
    for level, delta in ((Level.rational(mpq(1, 2)), mpq(1, 2)), (at(-1), mpq(1, 2)), (at(1), mpq(2))):
        with pytest.raises(InputError):
            mu_gdp(level, delta)


@settings(deadline=None, max_examples=30)
@given(MUS, EPSILONS, st.integers(1, 40))
def test_balls_give_ranges(mu, epsilon, size):
    """Of a wide box the range contains the values at its corners and middle, and is no wider than they say."""
    with precision(80):
        width = arb(2) ** -size
        wide_mu = arb(rational_ball(mu).mid(), width)
        wide_epsilon = arb(rational_ball(epsilon).mid(), width)
        found = delta_mu_ball(lambda _: wide_mu, lambda _: wide_epsilon)(64)
        for m in (mu, mu + mpq(1, 2**size) / 2):
            for e in (epsilon, epsilon + mpq(1, 2**size) / 2):
                exact = delta_mu_ball(lambda _, m=m: rational_ball(m), lambda _, e=e: rational_ball(e))(64)
                assert exact.overlaps(found)
        # The hull of two ends in [0, 1], its radius rounded up.
        assert abs(found - arb(0.5)) <= arb(0.5) + arb(2) ** -20


@settings(deadline=None, max_examples=30)
@given(st.fractions("1/100", 10, max_denominator=100).map(mpq), DELTAS)
def test_balls_of_the_inverse_are_monotone(epsilon, delta):
    """The inverse rises in eps and in delta, and a wide ball of either contains the values inside."""
    with precision(100):
        step = mpq(1, 1000)
        above = min(delta + step, mpq(999_999, 1_000_000))
        exact = mu_gdp_ball(lambda _: rational_ball(epsilon), lambda _: rational_ball(delta))(64)
        later = mu_gdp_ball(lambda _: rational_ball(epsilon + step), lambda _: rational_ball(above))(64)
        wide = mu_gdp_ball(
            lambda _: rational_ball(epsilon).union(rational_ball(epsilon + step)),
            lambda _: rational_ball(delta).union(rational_ball(above)),
        )(64)
        assert exact < later
        assert wide.overlaps(exact)
        assert wide.overlaps(later)
        assert wide.lower() <= exact.upper()
        assert wide.upper() >= later.lower()


def test_balls_without_an_answer_are_not_finite():
    """A delta of 1, a delta ball that reaches 1, and balls that are not finite."""
    one = mu_gdp_ball(lambda _: arb(1), lambda _: arb(1))(64)
    reaching = mu_gdp_ball(lambda _: arb(1), lambda _: arb(0.5, 0.6))(64)
    unknown = mu_gdp_ball(lambda _: arb.nan(), lambda _: arb(0.5))(64)
    assert not any(ball.is_finite() for ball in (one, reaching, unknown))
    assert not delta_mu_ball(lambda _: arb.pos_inf(), lambda _: arb(1))(64).is_finite()
    assert mu_gdp_ball(lambda _: arb(1), lambda _: arb(0))(64) == 0
