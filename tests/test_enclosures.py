"""Enclosures: containment of the truth, outward rounding, limits."""

from __future__ import annotations

from fractions import Fraction

import flint
import mpmath
import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle.enclosures import (
    DEFAULT_DIGITS,
    MAX_BITS,
    MAX_REQUESTED_DIGITS,
    Comparison,
    Enclosure,
    arb_from_rational,
    compare,
    enclose,
    exp_bracket,
    exp_enclosure,
    log_enclosure,
    parse_digits,
    precision,
    rational_bounds,
    sign,
)
from oracle.errors import InputError, LimitError, UndecidedError
from oracle.exact import to_decimal

rationals = st.fractions(min_value=-50, max_value=50, max_denominator=1000).map(mpq)


def truth(function, x: mpq, digits: int = 80) -> mpq:
    """The value of an mpmath function, far more accurate than what is tested against it."""
    with mpmath.workdps(digits):
        value = function(mpmath.mpf(int(x.numerator)) / int(x.denominator))
        mantissa, exponent = int(value.man), int(value.exp)
    magnitude = mpq(mantissa) * mpq(2) ** exponent
    return -magnitude if value < 0 and magnitude > 0 else magnitude


def relative_width(enclosure: Enclosure) -> mpq:
    return enclosure.width / max(abs(enclosure.lo), abs(enclosure.hi))


@settings(deadline=None)
@given(rationals, st.integers(1, 40))
def test_exp_enclosure_contains_the_value_of_mpmath_and_is_narrow(x, digits):
    """The value lies in its enclosure, whose relative width is at most 10^-digits."""
    enclosure = exp_enclosure(x, digits)
    if x:
        assert enclosure.contains(truth(mpmath.exp, x))
    assert relative_width(enclosure) <= mpq(1, 10**digits)


@settings(deadline=None)
@given(rationals.filter(lambda x: x > 0 and x != 1), st.integers(1, 40))
def test_log_enclosure_contains_the_value_of_mpmath_and_is_narrow(x, digits):
    """The value lies in its enclosure, whose relative width is at most 10^-digits."""
    enclosure = log_enclosure(x, digits)
    assert enclosure.contains(truth(mpmath.log, x))
    assert relative_width(enclosure) <= mpq(1, 10**digits)


@settings(deadline=None)
@given(rationals, st.integers(8, 200))
def test_exp_bracket_contains_the_value_of_mpmath(x, bits):
    """The bracket of e^x is positive, ordered, contains the value and has about the width promised."""
    lo, hi = exp_bracket(x, bits)
    assert 0 < lo <= truth(mpmath.exp, x, 120) <= hi
    assert (hi - lo) / hi <= mpq(1, 2 ** (bits - 2))


@settings(deadline=None)
@given(rationals, st.integers(4, 200))
def test_the_ball_of_a_rational_contains_it(x, bits):
    """A ball made from a rational contains it at every precision."""
    lo, hi = rational_bounds(arb_from_rational(x, bits))
    assert lo <= x <= hi


def test_the_bracket_of_exp_0_is_exactly_1():
    """e^0 is no enclosure."""
    assert exp_bracket(mpq(0), 10) == (1, 1)


@pytest.mark.parametrize("x", [mpq(0), mpq(-1), mpq(1)])
def test_log_of_one_or_of_nothing_positive_is_refused(x):
    """Log 1 is exactly 0, which has no relative width; other inputs have no logarithm."""
    with pytest.raises(InputError):
        log_enclosure(x)


def test_the_precision_grows_until_a_logarithm_close_to_0_has_its_digits():
    """The value of log(1 + 10^-3000) needs about 10,000 bits before it has 12 digits."""
    x = mpq(1, 10**3000)
    enclosure = log_enclosure(1 + x)
    # The logarithm of 1 + x lies between x - x^2/2 and x.
    assert enclosure.lo < x
    assert enclosure.hi > x - x * x / 2
    assert relative_width(enclosure) <= mpq(1, 10**DEFAULT_DIGITS)


def test_the_text_of_an_enclosure_is_its_exact_decimals():
    """The JSON form says exactly the two ends."""
    enclosure = log_enclosure(mpq(3), 5)
    document = enclosure.to_json()
    assert {key: mpq(text) for key, text in document.items()} == {"lo": enclosure.lo, "hi": enclosure.hi}
    assert document["lo"].startswith("1.09861")
    assert Enclosure(mpq(1, 3), mpq(-1) + 2).to_json() == {"lo": "1/3", "hi": "1"}
    assert Enclosure(mpq(-5, 4), mpq(0)).to_json() == {"lo": "-1.25", "hi": "0"}


def test_an_enclosure_is_ordered():
    """An enclosure with lo > hi is refused, equal ends are not."""
    with pytest.raises(InputError):
        Enclosure(mpq(2), mpq(1))
    assert Enclosure(mpq(1), mpq(1)).width == 0


def test_contains_and_overlaps_mean_closed_intervals():
    """The ends belong to an enclosure."""
    enclosure = Enclosure(mpq(1), mpq(2))
    assert enclosure.contains(mpq(1))
    assert enclosure.contains(mpq(2))
    assert not enclosure.contains(mpq(201, 100))
    assert enclosure.overlaps(Enclosure(mpq(2), mpq(3)))
    assert not enclosure.overlaps(Enclosure(mpq(21, 10), mpq(3)))


def test_the_public_ends_are_fractions():
    """Lower and upper are fractions.Fraction."""
    enclosure = Enclosure(mpq(1, 3), mpq(2, 3))
    assert (enclosure.lower, enclosure.upper) == (Fraction(1, 3), Fraction(2, 3))
    assert type(enclosure.lower) is Fraction


def test_sign_uses_more_bits_until_it_is_certain():
    """A number of 2^-1000 is positive, and its negative negative."""
    assert sign(lambda bits: arb_from_rational(mpq(1, 2**1000) + 1, bits) - 1, "tiny") == 1
    assert sign(lambda bits: 1 - arb_from_rational(mpq(1, 2**1000) + 1, bits), "tiny") == -1


def test_sign_of_an_undecidable_ball_names_the_question_and_the_limit():
    """At the limit the answer is an error, not a guess."""
    with pytest.raises(UndecidedError, match="is it 0") as caught:
        sign(lambda bits: flint.arb(0, 1), "is it 0")  # noqa: ARG005
    assert caught.value.bits == MAX_BITS


def test_an_enclosure_that_stays_wide_says_the_digits_reached():
    """The best enclosure comes back with the digits it has."""
    enclosure = enclose(lambda bits: flint.arb(1000, 1), 12)  # noqa: ARG005
    assert enclosure.reached == 2
    assert enclosure.contains(mpq(999))
    assert enclosure.contains(mpq(1001))
    assert enclose(lambda bits: flint.arb(1), 12).reached is None  # noqa: ARG005


def test_a_coarse_ball_is_asked_for_more_bits_until_the_digits_are_there():
    """A ball of relative radius 2^(-9/20 of the bits) has 12 digits only on a later call."""
    enclosure = enclose(lambda bits: 1 + flint.arb(0, 1) / flint.arb(2) ** (9 * bits // 20), 12)
    assert enclosure.contains(mpq(1))
    assert enclosure.reached is None
    assert relative_width(enclosure) <= mpq(1, 10**12)


def test_values_out_of_range_are_a_limit():
    """e^(10^30) has too many digits to write out; a ball that is never finite is undecided."""
    with pytest.raises(LimitError):
        exp_enclosure(mpq(10**30))
    with pytest.raises(UndecidedError):
        enclose(lambda bits: flint.arb.nan(), 12)  # noqa: ARG005
    with pytest.raises(LimitError):
        rational_bounds(flint.arb.pos_inf())


def test_the_global_precision_is_restored_even_after_an_error():
    """python-flint's context is as it was."""
    before = flint.ctx.prec
    with precision(777):
        assert flint.ctx.prec == 777
    with pytest.raises(ZeroDivisionError), precision(777):
        _ = 1 // 0
    assert flint.ctx.prec == before
    log_enclosure(mpq(2), 200)
    assert flint.ctx.prec == before


def test_digits_are_a_whole_number_from_1_to_the_limit():
    """Strings and integers are read alike; the rest is refused with its place."""
    assert parse_digits(30) == 30
    assert parse_digits("30") == 30
    assert parse_digits(MAX_REQUESTED_DIGITS) == 1000
    for wrong in (0, -3, "1/2", 2.0, True, None, "many"):
        with pytest.raises(InputError, match=r"args\.digits"):
            parse_digits(wrong, "args.digits")
    with pytest.raises(LimitError):
        parse_digits(MAX_REQUESTED_DIGITS + 1)


def test_comparisons_are_three_valued():
    """Less, equal and greater are proved; equal irrational numbers stay undecided at the limit, with its bits."""

    def root(bits):
        with precision(bits):
            return flint.arb(2).sqrt()

    def same_root(bits):
        with precision(bits):
            return 2 / flint.arb(2).sqrt()

    assert compare(mpq(1), mpq(2)) == Comparison(-1, 0)
    assert compare(mpq(2), mpq(2)).at_most is True
    assert compare(root, mpq(3, 2)).sign == -1
    assert compare(mpq(3, 2), root).sign == 1
    assert compare(root, mpq(3, 2)).at_most is True
    assert compare(mpq(3, 2), root).at_most is False
    assert compare(lambda _: flint.arb(2), lambda _: flint.arb(2)).sign == 0
    undecided = compare(root, same_root, 500)
    assert (undecided.sign, undecided.at_most, undecided.bits) == (None, None, 500)


@settings(deadline=None)
@given(st.integers(-(10**40), 10**40), st.integers(-300, 300), st.integers(1, 30))
def test_a_dyadic_ball_is_rounded_outwards_to_the_closest_decimals(mantissa, exponent, digits):
    """An exact ball becomes the closest decimals below and above, of 3 digits more than asked for."""
    exact = mpq(mantissa) * mpq(2) ** exponent
    if not mantissa:
        return
    with precision(200):
        ball = flint.arb(mantissa) * flint.arb(2) ** exponent
    value = enclose(lambda _: ball, digits)
    assert value.lo == mpq(to_decimal(exact, digits + 3, "down"))
    assert value.hi == mpq(to_decimal(exact, digits + 3, "up"))


def test_values_too_small_to_write_are_enclosed_from_zero():
    """Below 2^-2^23 the ends are 0 and 10^-99999 on the side of the sign, and no digit is reached."""
    tiny = mpq(1, 10**99_999)
    small = flint.arb(2) ** -(1 << 24)
    assert enclose(lambda _: small) == Enclosure(mpq(0), tiny, 0)
    assert enclose(lambda _: -small) == Enclosure(-tiny, mpq(0), 0)
    assert enclose(lambda _: small * flint.arb(0, 1)) == Enclosure(-tiny, tiny, 0)


def test_a_radius_far_below_the_midpoint_is_enlarged_and_not_refused():
    """1 plus a ball around 0 of radius 2^-2^30 still has an enclosure."""
    value = enclose(lambda _: 1 + flint.arb(0, 1) * flint.arb(2) ** -(1 << 30), 12)
    assert value.contains(mpq(1))
    assert relative_width(value) <= mpq(1, 10**12)
    lo, hi = rational_bounds(1 + flint.arb(0, 1) * flint.arb(2) ** -(1 << 30))
    assert lo < 1 < hi


def test_an_enclosure_of_a_probability_is_cut_to_what_it_can_be():
    """Ends beyond 0 and 1 say nothing; the digits reached stay."""
    assert Enclosure(mpq(-1, 10), mpq(1, 10)).clamped() == Enclosure(mpq(0), mpq(1, 10))
    assert Enclosure(mpq(9, 10), mpq(11, 10), 3).clamped() == Enclosure(mpq(9, 10), mpq(1), 3)
    assert Enclosure(mpq(-3), mpq(-2)).clamped(-5, 5) == Enclosure(mpq(-3), mpq(-2))
