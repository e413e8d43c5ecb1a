"""Sums of c e^s b^r: reading, arithmetic, and proved signs."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle.certificates.checker import Rejected, sums
from tests.certificates.checker.documents import weight


def read(*terms):
    """A SUM of the given terms."""
    return sums.read_sum(list(terms), "$")


def sign(*form):
    """The proved sign of a form."""
    return sums.Signs().sign(list(form), "$")


HALF = Fraction(1, 2)
ROOT_TWO = read(weight("1", b2="1/2"))


@pytest.mark.parametrize(
    "terms",
    [
        [weight("0")],
        [weight("1"), weight("1")],
        [weight("1", "1"), weight("1")],
        [weight("1", b3="1/2"), weight("1", b2="1/2")],
        [weight("1", b1="1/2")],
        [weight("1", b2="1")],
        [weight("1", b2="3/2")],
        [weight("1", b2="0")],
        [weight("1", **{"b1/2": "1/2"})],
        [weight("1", b02="1/2")],
        [weight("1", **{"b-2": "1/2"})],
        [{"coefficient": "1", "exp": "0"}],
        [{"coefficient": "1", "exp": "0", "roots": []}],
        "1",
    ],
)
def test_what_is_no_sum_is_rejected(terms):
    """Terms are nonzero, strictly sorted, and have integer bases >= 2 and exponents between 0 and 1."""
    with pytest.raises(Rejected):
        sums.read_sum(terms, "$")


def test_terms_are_sorted_as_numbers():
    """Bases compare as integers and exponents as rationals, not as text."""
    assert len(read(weight("1", "-1/2"), weight("1", "-1/3"), weight("1", b3="1/2"), weight("1", b10="1/2"))) == 4


def test_products_collect_roots():
    """2^(1/2) 2^(1/2) = 2, 2^(2/3) 2^(2/3) = 2 2^(1/3), and e^s e^-s = 1."""
    third = read(weight("1", b2="2/3"))
    assert sums.times(ROOT_TWO, ROOT_TWO) == sums.constant(Fraction(2))
    assert sums.times(third, third) == read(weight("2", b2="1/3"))
    assert sums.times(sums.exponential(HALF), sums.exponential(-HALF)) == sums.constant(Fraction(1))
    assert sums.plus(ROOT_TWO, sums.scaled(ROOT_TWO, Fraction(-1))) == {}


@given(st.fractions(), st.fractions())
def test_rational_forms_have_exact_signs(left, right):
    """A form of rational numbers is never undecided, however close."""
    found = sign((sums.constant(left),), (sums.constant(-right),))
    assert found == (left > right) - (left < right)


def test_signs_of_irrational_forms():
    """The square root of 2 against decimals and against e^(1/3), and identities that multiply out to zero."""
    assert sign((ROOT_TWO,), (sums.constant(Fraction(-141421356, 10**8)),)) == 1
    assert sign((ROOT_TWO,), (sums.constant(Fraction(-141421357, 10**8)),)) == -1
    assert sign((ROOT_TWO,), (sums.scaled(sums.exponential(Fraction(1, 3)), Fraction(-1)),)) == 1
    assert sign((ROOT_TWO, ROOT_TWO), (sums.constant(Fraction(-2)),)) == 0
    assert sign() == 0


def test_hidden_zero_is_undecided():
    """4^(1/2) - 2 is zero, but not when like terms are collected: it is rejected, not taken for zero."""
    with pytest.raises(Rejected, match="undecided"):
        sign((read(weight("1", b4="1/2")),), (sums.constant(Fraction(-2)),))


def test_expanding_too_much_is_rejected():
    """A form of too many terms is not multiplied out."""
    many = {(Fraction(k), ()): Fraction(1) for k in range(2000)}
    with pytest.raises(Rejected, match="too large"):
        sums.expand([(many, many)], "$")
