"""Square roots, Phi, log Phi and the inverse: containment of mpmath's values, and inverse relations."""

from __future__ import annotations

import mpmath
import pytest
from flint import arb
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle.enclosures import Enclosure, precision
from oracle.errors import InputError
from oracle.special import (
    exact_square_root,
    log_phi,
    log_phi_enclosure,
    phi,
    phi_enclosure,
    phi_inverse_ball,
    phi_inverse_enclosure,
    square_root,
)
from tests.experiments.reference import as_mpq, real

points = st.fractions(min_value=-30, max_value=30, max_denominator=500).map(mpq)
probabilities = st.fractions(min_value="1/100000", max_value="99999/100000", max_denominator=100000).map(mpq)


def phi_by_mpmath(x: mpq, digits: int = 90):
    with mpmath.workdps(digits):
        return mpmath.erfc(-real(x) / mpmath.sqrt(2)) / 2


@settings(deadline=None)
@given(points.filter(bool), st.integers(1, 50))
def test_phi_and_its_logarithm_contain_the_values_of_mpmath(x, digits):
    """Relative width 10^-digits in both tails."""
    value, logarithm = phi_enclosure(x, digits), log_phi_enclosure(x, digits)
    truth = phi_by_mpmath(x, 400)
    assert value.contains(as_mpq(truth))
    assert value.width * mpq(10) ** digits <= value.hi
    with mpmath.workdps(400):
        assert logarithm.contains(as_mpq(mpmath.log(truth)))
    assert logarithm.width * mpq(10) ** digits <= -logarithm.lo


@settings(deadline=None)
@given(probabilities, st.integers(1, 50))
def test_the_inverse_of_phi_contains_the_value_and_goes_back(p, digits):
    """Phi of the two ends lies around p."""
    value = phi_inverse_enclosure(p, digits)
    if p == mpq(1, 2):
        assert value == 0
        return
    assert value.width * mpq(10) ** digits <= max(abs(value.lo), abs(value.hi))
    below, above = phi_by_mpmath(value.lo), phi_by_mpmath(value.hi)
    slack = mpq(1, 10**85)
    assert as_mpq(below) - slack <= p <= as_mpq(above) + slack


@settings(deadline=None)
@given(st.fractions(min_value=0, max_value=10**6, max_denominator=1000).map(mpq))
def test_square_roots_are_exact_where_they_are_rational(x):
    """The square of a rational has that root, and the root of any number squares back around it."""
    assert square_root(x * x) == exact_square_root(x * x) == x
    value = square_root(x, 20)
    if isinstance(value, Enclosure):
        assert value.lo**2 < x < value.hi**2
    else:
        assert value**2 == x


@pytest.mark.parametrize("x", ["-1e5", "-3e6", "-1e20", "-1e40"])
def test_the_logarithm_of_phi_far_in_the_tail_obeys_the_bounds_of_mills_ratio(x):
    """-y²/2 - log(y√(2π)) + log(1 - 1/y²) < log Phi(-y) < -y²/2 - log(y√(2π))."""
    with mpmath.workdps(150):
        y = -real(mpq(x))
        above = -y * y / 2 - mpmath.log(y * mpmath.sqrt(2 * mpmath.pi))
        below = above + mpmath.log1p(-1 / y**2)
    value = log_phi_enclosure(mpq(x), 60)
    assert value.lo <= as_mpq(above)
    assert as_mpq(below) <= value.hi


def test_exact_values():
    """Phi(0) = 1/2, and the ball of the inverse at 1/2 is exactly 0."""
    assert phi_enclosure(mpq(0)) == mpq(1, 2)
    assert phi_inverse_ball(mpq(1, 2), 100).is_zero()
    assert square_root(mpq(0)) == 0


def test_balls_in_are_balls_out():
    """The ball of phi on an interval contains phi at its ends."""
    with precision(100):
        wide = phi(arb(0, 1))
        assert wide.contains(phi(arb(-1)).mid())
        assert wide.contains(phi(arb(1)).mid())
        assert log_phi(arb(0, 1)).contains(log_phi(arb("0.5")).mid())


@pytest.mark.parametrize("p", [mpq(0), mpq(1), mpq(-1, 2), mpq(3, 2)])
def test_the_inverse_has_a_domain(p):
    """0 and 1 have no finite inverse."""
    with pytest.raises(InputError):
        phi_inverse_enclosure(p)
    if p < 0:
        with pytest.raises(InputError):
            exact_square_root(p)
