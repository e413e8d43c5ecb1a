"""Rational brackets of Phi against ball arithmetic, and proved signs."""

from __future__ import annotations

from fractions import Fraction

import pytest
from flint import arb, ctx, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle.certificates.checker import Rejected, normal
from oracle.certificates.checker.normal import normal_sign

POINTS = st.fractions(min_value=-12, max_value=12, max_denominator=1000)


def ball(x: Fraction) -> arb:
    return arb(fmpq(x.numerator, x.denominator))


def phi(x: Fraction) -> arb:
    return (-ball(x) / arb(2).sqrt()).erfc() / 2


@settings(deadline=None, max_examples=150)
@given(POINTS, st.sampled_from([16, 64, 200]))
def test_brackets_contain_phi_and_are_narrow(x, bits):
    """Lower end, truth, upper end; the width is about 2^-bits."""
    before, ctx.prec = ctx.prec, bits + 100
    low, high = normal.normal(x, bits)
    truth = phi(x)
    assert not ball(low) > truth
    assert not ball(high) < truth
    assert high - low <= Fraction(1, 1 << (bits - 8))
    assert 0 <= low <= high <= 1
    ctx.prec = before


def test_a_long_argument_is_rounded_outwards():
    """A rational of a thousand digits between two short ones."""
    x = Fraction(10**1000 + 1, 3 * 10**1000)
    low, high = normal.normal(x, 64)
    before, ctx.prec = ctx.prec, 300
    assert ball(low) < phi(x) < ball(high)
    ctx.prec = before


@pytest.mark.parametrize("scale", [10, 64, 1000])
def test_the_root_of_two_pi(scale):
    """Within about ten units for each place, from the rounded terms of Machin's series."""
    before, ctx.prec = ctx.prec, scale + 60
    low, high = normal._root_of_two_pi(scale)
    truth = (2 * arb.pi()).sqrt() * arb(2) ** scale
    assert arb(low) < truth < arb(high)
    assert high - low <= 10 * scale
    ctx.prec = before


@settings(deadline=None, max_examples=100)
@given(POINTS, POINTS)
def test_signs(x, y):
    """Phi(x) against a number just beside Phi(y): the sign of x - y where they differ."""
    low, high = normal.normal(y, 64)
    if x < y:
        assert normal_sign(x, high, "$") == -1
    if x > y:
        assert normal_sign(x, low, "$") == 1


@settings(deadline=None, max_examples=150)
@given(st.fractions(min_value="1/1000", max_value=60, max_denominator=1000), st.sampled_from([16, 64, 200, 700]))
def test_tails_have_a_small_relative_error(x, bits):
    """By the series and by the continued fraction."""
    before, ctx.prec = ctx.prec, bits + 200
    low, high = normal.tail(x, bits)
    truth = (ball(x) / arb(2).sqrt()).erfc() / 2
    lower, upper = (arb(m) * arb(2) ** e for m, e in (low, high))
    assert not lower > truth
    assert not upper < truth
    assert (upper - lower) * arb(2) ** (bits - 10) < truth
    ctx.prec = before


@pytest.mark.parametrize(
    ("x", "value", "sign"),
    [
        ("0", "1/2", 0),
        ("0", "1/3", 1),
        ("0", "2/3", -1),
        ("-5", "0", 1),
        ("5", "1", -1),
        ("-1000000", "0", 1),
        ("1000000", "1", -1),
        ("-1/1000", "1/2", -1),
        ("1/1000", "1/2", 1),
        ("-3", "7/10", -1),
        ("3", "3/10", 1),
        ("-200", "1/1000000", -1),
        ("200", "999999/1000000", 1),
        ("-1000000000000000000000", "1/1000000", -1),
    ],
)
def test_signs_at_the_ends_and_far_out(x, value, sign):
    """0 is exact; far out the exponents decide."""
    assert normal_sign(Fraction(x), Fraction(value), "$") == sign


def test_signs_next_to_a_tiny_tail():
    """Phi(-90) = 10^-1761.3...: powers of ten on both sides of it, mirrored at 1/2."""
    for exponent, sign in ((1761, -1), (1762, 1)):
        value = Fraction(1, 10**exponent)
        assert normal_sign(Fraction(-90), value, "$") == sign
        assert normal_sign(Fraction(90), 1 - value, "$") == -sign


def test_what_is_too_close_is_rejected():
    """A number within 2^-19,000 of Phi(1), of more digits than that, asks for more steps than there are."""
    low, high = normal.normal(Fraction(1), 19_000)
    with pytest.raises(Rejected, match="too far out or too close"):
        normal_sign(Fraction(1), (low + high) / 2, "$")


def test_what_takes_too_many_steps_is_rejected():
    """A tail to a million bits."""
    with pytest.raises(Rejected, match="too far out or too close"):
        normal.tail(Fraction(3), 1_000_000)


TINY, FAR = Fraction(1, 10**100_000), Fraction(10**100_000)


@pytest.mark.parametrize(
    ("x", "value", "expected"),
    [
        (TINY, Fraction(1, 2) + TINY * Fraction(398942, 10**6), 1),
        (TINY, Fraction(1, 2) + TINY * Fraction(398943, 10**6), -1),
        (-TINY, Fraction(1, 2) - TINY * Fraction(398942, 10**6), -1),
        (-TINY, Fraction(1, 2) - TINY * Fraction(398943, 10**6), 1),
        (-TINY, Fraction(1, 2), -1),
        (-TINY, Fraction(1, 3), 1),
        (TINY, Fraction(1, 2), 1),
        (Fraction(1, 3**60_000), Fraction(1, 2) + TINY, 1),
        (FAR, 1 - TINY, 1),
        (-FAR, TINY, -1),
    ],
)
def test_long_arguments_are_decided(x, value, expected):
    """The density at 0 is 0.3989422...: near 0 the slope decides, far out the tail, whatever the digits."""
    assert normal_sign(x, value, "$") == expected


def test_the_slope_near_0_is_that_of_phi():
    """From 2^-40 to 1: where the slope decides, it is as in ball arithmetic; below 1e-3 it decides slopes 1e-6 off."""
    before, ctx.prec = ctx.prec, 400
    for k in range(41):
        x = Fraction(1, 2**k) * Fraction(999, 1000)
        for shift in (Fraction(-1, 10**6), Fraction(1, 10**6), Fraction(-1, 9), Fraction(1, 9)):
            slope = Fraction(3989422804014327, 10**16) + shift
            found = normal._near_zero(x * x, slope)
            truth = (phi(x) - arb(1) / 2) / ball(x) - ball(slope)
            assert found in (0, 1 if truth > 0 else -1)
            assert found or k < 10
    ctx.prec = before


def test_what_is_too_close_or_too_far_out_has_its_own_reason():
    """No question ends in an internal error."""
    digits = Fraction(39894228040143267793994605993438186847585863116493, 10**50)  # fifty of the density at 0
    near = Fraction(1, 2) + TINY * digits
    assert normal_sign(TINY, near, "$") == 1
    for x, value in ((FAR, 1 - Fraction(1, 10**250_000)), (-FAR, Fraction(1, 10**250_000))):
        with pytest.raises(Rejected, match="too far out: more than 256 bits before the point"):
            normal_sign(x, value, "$")


@pytest.mark.parametrize("x", [FAR, -FAR, Fraction(1001), TINY, -TINY])
def test_brackets_of_long_arguments(x):
    """Narrow, and on the right side of 1/2."""
    low, high = normal.normal(x, 100)
    assert high - low <= Fraction(1, 1 << 100)
    assert low >= Fraction(1, 2) if x > 1 else high <= Fraction(1, 2) if x < -1 else low <= Fraction(1, 2) <= high
