"""Rational brackets of exp and log contain the truth, which ball arithmetic gives independently."""

from __future__ import annotations

from fractions import Fraction

import pytest
from flint import arb, ctx, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle.certificates.checker import Rejected, series

ctx.prec = 600
NUMBERS = st.fractions(min_value=-1000, max_value=1000) | st.fractions(
    min_value=-1, max_value=1, max_denominator=10**30
)
BITS = st.sampled_from([64, 100, 256])


def exact(value):
    """A dyadic number as a fraction."""
    mantissa, exponent = value
    return Fraction(mantissa) * Fraction(2) ** exponent


def ball(value):
    """A rational number as a ball."""
    return arb(fmpq(value.numerator, value.denominator))


def assert_brackets(bracket, truth, bits):
    """The bracket holds the ball, and is no wider than its size asks for."""
    lo, hi = exact(bracket.lo), exact(bracket.hi)
    assert bool(ball(lo) <= truth)
    assert bool(truth <= ball(hi))
    assert hi - lo <= max(abs(lo), abs(hi), 1) * Fraction(1, 2 ** (bits - 8))


@given(NUMBERS, BITS)
def test_rational(value, bits):
    """A rational is between its bounds, to the bits asked for."""
    bracket = series.rational(value, bits)
    assert exact(bracket.lo) <= value <= exact(bracket.hi)
    assert exact(bracket.hi) - exact(bracket.lo) <= abs(value) / 2 ** (bits - 2)


@given(NUMBERS, NUMBERS, st.integers(-400, 400), BITS)
def test_sums_and_products(left, right, shift, bits):
    """Sums and products of bracketed numbers of very different sizes are bracketed."""
    right *= Fraction(2) ** shift
    first, second = series.rational(left, bits), series.rational(right, bits)
    total, product = series.add(first, second, bits), series.multiply(first, second, bits)
    assert exact(total.lo) <= left + right <= exact(total.hi)
    assert exact(product.lo) <= left * right <= exact(product.hi)
    assert exact(product.hi) - exact(product.lo) <= abs(left * right) / 2 ** (bits - 4)


@settings(deadline=None)
@given(NUMBERS, BITS)
def test_exp(value, bits):
    """The bracket of e^x holds the ball of e^x, relatively narrow."""
    bracket = series.exp(series.rational(value, bits + 80), bits)
    truth = ball(value).exp()
    assert bool(ball(exact(bracket.lo)) <= truth)
    assert bool(truth <= ball(exact(bracket.hi)))
    assert exact(bracket.hi) <= exact(bracket.lo) * (1 + Fraction(1, 2 ** (bits - 8)))


@settings(deadline=None)
@given(st.fractions(min_value=Fraction(1, 10**9), max_value=10**9), BITS)
def test_log(value, bits):
    """The bracket of ln x holds the ball of ln x."""
    assert_brackets(series.log(value, bits), ball(value).log(), bits)


@pytest.mark.parametrize("argument", [10**21, -(10**21), 10**30, -(10**100)])
def test_exp_of_huge_arguments(argument):
    """Between powers of two, whose exponents are integers of any size, and of the right order."""
    bracket = series.exp(series.rational(Fraction(argument), 400), 64)
    assert bracket.lo[0] == bracket.hi[0] == 1
    below, above = sorted((argument, 2 * argument))
    assert below - 2 <= bracket.lo[1] < bracket.hi[1] <= above + 2
    assert series.exp_sign(Fraction(argument), Fraction(1, 7), "$") == (1 if argument > 0 else -1)


def test_exact_values_have_exact_brackets():
    """e^0 = 1 and ln 1 = 0."""
    assert series.exp(series.rational(Fraction(0), 64), 64) == series.ONE
    assert series.log(Fraction(1), 64) == series.ZERO
    assert [series.exp_sign(Fraction(0), Fraction(k), "$") for k in (0, 1, 2)] == [1, 0, -1]


@settings(deadline=None)
@given(NUMBERS, st.fractions(min_value=-5, max_value=10**6))
def test_exp_sign(argument, against):
    """The sign is the one the balls have."""
    difference = ball(argument).exp() - ball(against)
    sign = series.exp_sign(argument, against, "$")
    assert sign == 0 if argument == 0 and against == 1 else bool(difference * sign > 0)


@pytest.mark.parametrize("digits", [10, 30, 100, 150])
def test_exp_sign_of_close_numbers(digits):
    """The number e is told apart from its decimals, cut or rounded up, at any number of digits."""
    with ctx.workprec(1000):
        below = int((arb(1).exp() * arb(10) ** digits).floor().unique_fmpz())
    assert series.exp_sign(Fraction(1), Fraction(below, 10**digits), "$") == 1
    assert series.exp_sign(Fraction(1), Fraction(below + 1, 10**digits), "$") == -1


@pytest.mark.slow
def test_too_close_is_undecided():
    """A number closer than the last precision is rejected as undecided, never guessed."""
    with pytest.raises(Rejected, match="undecided"):
        series.exp_sign(Fraction(1, 10**15000), 1 + Fraction(1, 10**15000) + Fraction(1, 2 * 10**30000), "$")


def test_easy_bounds_decide_arguments_of_any_size():
    """e^r > 1 + r, and e^r < 1/(1 - r) for r < 1, where no precision would do."""
    tiny = Fraction(1, 10**90_000)
    assert series.exp_sign(tiny, 1 + tiny, "$") == 1
    assert series.exp_sign(tiny, 1 / (1 - tiny), "$") == -1
    assert series.exp_sign(-tiny, 1 - tiny, "$") == 1
    assert series.exp_sign(-tiny, 1 / (1 + tiny), "$") == -1
    assert series.exp_sign(Fraction(10**90_000), Fraction(10**90_000), "$") == 1


@pytest.mark.slow
def test_the_precision_grows_with_the_numbers():
    """Between e^s and its neighbours of 3,400 digits the easy bounds are too wide, and 16,384 bits are too few."""
    s = Fraction(1, 10**1700)
    near = 1 + s + s * s / 2
    assert series.exp_sign(s, near, "$") == 1
    assert series.exp_sign(s, near + s**3 / 5, "$") == -1
    assert series.precisions(()) == [64, 256, 1024, 4096, 16384]
    assert series.precisions((s,))[-1] == 16384 + 2 * s.denominator.bit_length() + 2
    assert series.precisions((Fraction(10**90_000),))[-1] == 2**17


def test_sign_is_three_valued():
    """A bracket around zero decides nothing, unless it is zero exactly."""
    brackets = [
        ((1, -9), (1, 5)),
        ((-1, 5), (-1, -9)),
        ((0, 0), (0, 3)),
        ((-1, 0), (1, 0)),
        ((0, 0), (1, 0)),
        ((-1, 0), (0, 0)),
    ]
    assert [series.sign(series.Bracket(*ends)) for ends in brackets] == [1, -1, 0, None, None, None]
