"""Exponential sums: ring laws, exact zero, exact sign."""

from __future__ import annotations

import mpmath
import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle.enclosures import Enclosure, rational_bounds
from oracle.errors import InputError, LimitError
from oracle.exact import INFINITY, NEGATIVE_INFINITY
from oracle.formal import FormalSum, product_sign, ratio_enclosure

small = st.fractions(min_value=-3, max_value=3, max_denominator=6).map(mpq)
factors = st.one_of(
    small.map(FormalSum.rational),
    small.map(FormalSum.exp),
    st.builds(FormalSum.power, st.sampled_from([mpq(2), mpq(3), mpq(6), mpq(8, 9), mpq(5, 4)]), small),
)
terms = st.builds(lambda left, right, c: (left * right).scaled(c), factors, factors, small)
sums = st.lists(terms, max_size=4).map(FormalSum.sum)

ZERO, ONE = FormalSum(), FormalSum.rational(1)
E = FormalSum.exp(1)
ROOT2 = FormalSum.power(2, mpq(1, 2))


def value_of(number: FormalSum) -> mpmath.mpf:
    """The number by mpmath, at the working precision of the caller."""

    def as_mpf(x: mpq) -> mpmath.mpf:
        return mpmath.mpf(int(x.numerator)) / int(x.denominator)

    total = mpmath.mpf(0)
    for (s, roots), c in number.terms():
        term = as_mpf(c) * mpmath.exp(as_mpf(s))
        for p, r in roots:
            term *= mpmath.mpf(p) ** as_mpf(r)
        total += term
    return total


@settings(deadline=None)
@given(sums, sums, sums)
def test_addition_and_multiplication_make_a_commutative_ring(a, b, c):
    """Associativity, commutativity, distributivity, units and inverses of addition."""
    assert a + b == b + a
    assert (a + b) + c == a + (b + c)
    assert a * b == b * a
    assert (a * b) * c == a * (b * c)
    assert a * (b + c) == a * b + a * c
    assert a + ZERO == a
    assert a * ONE == a
    assert a * ZERO == ZERO
    assert a - a == ZERO
    assert a.scaled(mpq(-1)) == -a
    assert hash(a + b) == hash(b + a)


@settings(deadline=None)
@given(sums)
def test_sign_is_that_of_mpmath(number):
    """Sign and zero agree with the value at 60 digits, where that tells."""
    with mpmath.workdps(60):
        value = value_of(number)
        if number.is_zero():
            assert abs(value) < mpmath.mpf(10) ** -40
        elif abs(value) > mpmath.mpf(10) ** -40:
            assert number.sign() == (1 if value > 0 else -1)
        else:
            assert number.sign() != 0
    assert (number.sign() == 0) == number.is_zero()


@settings(deadline=None)
@given(sums, st.integers(20, 120))
def test_the_ball_contains_the_value(number, bits):
    """The ball at any precision contains mpmath's value at 100 digits."""
    lo, hi = rational_bounds(number.ball(bits))
    with mpmath.workdps(100):
        value = value_of(number)
        low, high = (mpmath.mpf(int(end.numerator)) / int(end.denominator) for end in (lo, hi))
        slack = mpmath.mpf(10) ** -90
        assert low - slack <= value <= high + slack


@settings(deadline=None)
@given(st.fractions(min_value="1/50", max_value=50, max_denominator=50).map(mpq), small, small)
def test_powers_of_one_base_add_their_exponents(base, r, s):
    """b^r · b^s = b^(r+s) exactly."""
    assert FormalSum.power(base, r) * FormalSum.power(base, s) == FormalSum.power(base, r + s)


@settings(deadline=None)
@given(small, small)
def test_exponentials_add_their_exponents(r, s):
    """e^r · e^s = e^(r+s) exactly."""
    assert FormalSum.exp(r) * FormalSum.exp(s) == FormalSum.exp(r + s)
    assert FormalSum.exp(r).shifted(s) == FormalSum.exp(r + s)


@settings(deadline=None)
@given(terms.filter(lambda t: not t.is_zero()), sums)
def test_a_single_term_is_invertible_and_found_as_a_quotient(term, number):
    """For a term t: t · (1/t) = 1, and (t · x)/x is t again."""
    inverse = term.inverse()
    assert inverse is not None
    assert term * inverse == ONE
    if not number.is_zero():
        assert (term * number).ratio_to(number) == term


def test_radicals_are_reduced_to_primes():
    """√8 = 2√2, √2·√3 = √6, √2·√2 = 2, (4/9)^(1/2) = 2/3."""
    assert FormalSum.power(8, mpq(1, 2)) == ROOT2.scaled(mpq(2))
    assert ROOT2 * FormalSum.power(3, mpq(1, 2)) == FormalSum.power(6, mpq(1, 2))
    assert (ROOT2 * ROOT2).as_rational() == 2
    assert FormalSum.power(mpq(4, 9), mpq(1, 2)).as_rational() == mpq(2, 3)
    assert FormalSum.power(mpq(1, 2), mpq(1, 2)).terms() == [((0, ((2, mpq(1, 2)),)), mpq(1, 2))]
    assert FormalSum.power(mpq(7), mpq(-2)).as_rational() == mpq(1, 49)


def test_zero_is_decided_where_no_precision_would():
    """(√2 + e)² - 2 - 2√2·e - e² is 0; with 1/10^200 more it is positive."""
    square = (ROOT2 + E) * (ROOT2 + E)
    difference = square - FormalSum.rational(2) - (ROOT2 * E).scaled(mpq(2)) - FormalSum.exp(2)
    assert difference.is_zero()
    assert difference.sign() == 0
    assert (difference + FormalSum.rational(mpq(1, 10**200))).sign() == 1


def test_a_sign_that_needs_many_bits():
    """A rational that agrees with e to 300 digits is told from it."""
    with mpmath.workdps(320):
        below = mpq(int(mpmath.floor(mpmath.e * mpmath.mpf(10) ** 300)), 10**300)
    assert (E - FormalSum.rational(below)).sign() == 1
    assert (E - FormalSum.rational(below + mpq(1, 10**300))).sign() == -1


def test_equality_is_that_of_numbers():
    """Other types are never equal; only rational numbers have a rational value."""
    assert ROOT2 != 2
    assert FormalSum.rational(0) == ZERO
    assert ZERO.as_rational() == 0
    assert E.as_rational() is None
    assert (ONE + E).inverse() is None
    assert (ONE + E).ratio_to(ZERO) is None
    assert ZERO.ratio_to(E) == ZERO


def test_the_document_form_is_sorted_and_canonical():
    """Terms come by exponent, then by radical."""
    number = E.scaled(mpq(3)) + FormalSum.rational(mpq(-1, 2)) + ROOT2 + FormalSum.exp(mpq(-1, 2))
    assert number.to_json() == [
        {"coefficient": "1", "exp": "-1/2", "roots": {}},
        {"coefficient": "-1/2", "exp": "0", "roots": {}},
        {"coefficient": "1", "exp": "0", "roots": {"2": "1/2"}},
        {"coefficient": "3", "exp": "1", "roots": {}},
    ]
    assert ZERO.to_json() == []
    assert str(ZERO) == "0"
    assert str(ROOT2 + E.scaled(mpq(3))) == "2^(1/2) + 3*exp(1)"
    assert repr(ONE) == "FormalSum(1)"


def test_large_bases_are_factored_or_refused():
    """Perfect powers, primes and small cofactors are taken apart; a hard composite is a limit."""
    prime = 10**60 + 7
    assert FormalSum.power(mpq(prime) ** 4, mpq(1, 2)).as_rational() == mpq(prime) ** 2
    assert FormalSum.power(mpq(prime) ** 3, mpq(1, 2)).terms() == [((0, ((prime, mpq(1, 2)),)), prime)]
    assert FormalSum.power(10**24 + 7, mpq(1, 2)).inverse() is not None
    with pytest.raises(LimitError):
        FormalSum.power(prime * (10**60 + 37 * 10**30 + 1), mpq(1, 2))
    with pytest.raises(LimitError):
        FormalSum.power(mpq(2) ** 10**6 + 1, mpq(1, 3))
    with pytest.raises(LimitError):
        FormalSum.power(3, 10**9)
    assert FormalSum.power(1, mpq(10**9)) == ONE


@pytest.mark.parametrize("base", [0, -2])
def test_a_base_that_is_not_positive_is_refused(base):
    """Powers are defined for positive bases only."""
    with pytest.raises(InputError):
        FormalSum.power(base, mpq(1, 2))


@settings(deadline=None)
@given(st.lists(sums, max_size=3), st.lists(sums, max_size=3), st.lists(sums, max_size=1))
def test_the_sign_of_a_difference_of_products_is_that_of_its_expansion(left, right, common):
    """Balls first, cancellation of common factors and expansion all give the same answer."""
    left, right = [*left, *common], [*common, *right]
    expanded = ONE, ONE
    for factor in left:
        expanded = expanded[0] * factor, expanded[1]
    for factor in right:
        expanded = expanded[0], expanded[1] * factor
    assert product_sign(left, right) == (expanded[0] - expanded[1]).sign()


def test_equal_products_of_different_factors_compare_equal():
    """(1+e)(1+√2) against 1 + e + √2 + e√2: no ball decides it, the expansion does."""
    assert product_sign((ONE + E, ONE + ROOT2), (ONE + E + ROOT2 + E * ROOT2,)) == 0


def test_a_ratio_is_exact_when_it_is_rational_and_enclosed_otherwise():
    """num/den is a rational exactly when num is a rational multiple of den."""
    number = E + ROOT2
    assert ratio_enclosure(number.scaled(mpq(2, 3)), number) == mpq(2, 3)
    assert ratio_enclosure(ZERO, number) == 0
    enclosure = ratio_enclosure(number, ONE + E, 30)
    assert isinstance(enclosure, Enclosure)
    with mpmath.workdps(60):
        truth = (mpmath.e + mpmath.sqrt(2)) / (1 + mpmath.e)
        low, high = mpmath.mpf(enclosure.to_json()["lo"]), mpmath.mpf(enclosure.to_json()["hi"])
        assert low <= truth <= high
    assert enclosure.width <= enclosure.hi * mpq(1, 10**30)


def test_a_ratio_with_a_zero_denominator_is_infinite_or_refused():
    """x/0 has the sign of x; 0/0 is an error."""
    assert ratio_enclosure(E, ZERO) == INFINITY
    assert ratio_enclosure(-E, ZERO) == NEGATIVE_INFINITY
    with pytest.raises(InputError):
        ratio_enclosure(ZERO, ZERO)
