"""The number gate: what comes in, what is refused, and the three ways out."""

from __future__ import annotations

import copy
import math
import pickle
from decimal import Decimal
from fractions import Fraction

import flint
import gmpy2
import numpy as np
import pytest
import sympy
from gmpy2 import mpq, mpz
from hypothesis import given
from hypothesis import strategies as st

from oracle.errors import InputError, LimitError
from oracle.exact import (
    INFINITY,
    MAX_DIGITS,
    NEGATIVE_INFINITY,
    Infinity,
    JsonFloat,
    from_binary64,
    parse_extended,
    parse_number,
    readable,
    to_binary64,
    to_decimal,
    to_fraction,
    to_text,
)

ACCEPTED = [
    ("9/10", "9/10"),
    ("-6/4", "-3/2"),
    ("+6/4", "3/2"),
    ("007/14", "1/2"),
    ("0/5", "0"),
    ("0.1", "1/10"),
    (".5", "1/2"),
    ("5.", "5"),
    ("-0.25", "-1/4"),
    ("1e-6", "1/1000000"),
    ("1E3", "1000"),
    ("1e0000000003", "1000"),
    ("1e-0000000003", "1/1000"),
    ("1e+2", "100"),
    ("0e999999999999", "0"),
    ("-0", "0"),
    ("0x1.8p-1", "3/4"),
    ("0X1P+4", "16"),
    ("0x1p+0000000004", "16"),
    ("0x.8p0", "1/2"),
    ("-0x1.999999999999ap-4", "-3602879701896397/36028797018963968"),
    (3, "3"),
    (-3, "-3"),
    (Fraction(2, 6), "1/3"),
    (mpz(7), "7"),
    (mpq(2, 6), "1/3"),
    (flint.fmpz(7), "7"),
    (flint.fmpq(2, 6), "1/3"),
    (sympy.Rational(2, 6), "1/3"),
    (sympy.Integer(7), "7"),
    (np.int64(7), "7"),
]

REFUSED = [
    (0.5, "expected the number as a string"),
    (math.nan, "expected the number as a string"),
    (np.float64(0.5), "expected the number as a string"),
    (np.float32(0.5), "expected a number such as"),
    (np.bool_(1), "expected a number such as"),
    (True, "got the bool True"),
    (None, "got null"),
    ([], "got []"),
    ({}, "got {}"),
    (b"1", "got bytes"),
    (1j, "got complex"),
    (Decimal("0.5"), "got Decimal"),
    (gmpy2.mpfr("0.5"), "got mpfr"),
    (flint.arb(1), "got arb"),
    (sympy.pi, "got Pi"),
    (sympy.Float("0.5"), "got Float"),
    (INFINITY, "got Infinity"),
    (JsonFloat("0.5"), 'quote it, "0.5", got the JSON float 0.5'),
    ("", 'got ""'),
    (" 1", 'got " 1"'),
    ("1 ", 'got "1 "'),
    ("1_000", 'got "1_000"'),
    ("1,5", 'got "1,5"'),
    ("--1", 'got "--1"'),
    ("1/2/3", 'got "1/2/3"'),
    ("1/-2", 'got "1/-2"'),
    ("0.5/2", 'got "0.5/2"'),
    ("1e", 'got "1e"'),
    (".", 'got "."'),
    ("0x1", 'got "0x1"'),
    ("0xp1", 'got "0xp1"'),
    ("١", "got"),
    ("1\n", "got"),
    ("1/0", "expected a denominator other than 0"),
    ("nan", 'expected a finite number, got "nan"'),
    ("inf", 'expected a finite number, got "inf"'),
    ("-Infinity", 'expected a finite number, got "-Infinity"'),
    ("50%", "(no % sign: write 1/2 for 50%)"),
]


@pytest.mark.parametrize(("value", "text"), ACCEPTED, ids=repr)
def test_an_exact_number_comes_in_as_what_it_says(value: object, text: str) -> None:
    number = parse_number(value)
    assert isinstance(number, mpq)
    assert str(number) == text


@pytest.mark.parametrize(("value", "message"), REFUSED, ids=repr)
def test_anything_else_is_refused_with_its_place(value: object, message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_number(value, "matrix[0][1]")
    assert str(caught.value).startswith("matrix[0][1]: expected ")
    assert message in str(caught.value)
    assert caught.value.where == "matrix[0][1]"


class Ratio:
    """Something that calls itself a ratio."""

    def __init__(self, numerator: object, denominator: object) -> None:
        self.numerator = numerator
        self.denominator = denominator


@pytest.mark.parametrize(("top", "bottom"), [(0.5, 1), (1, 2.0), ("1", "2"), (1, 0), (None, 1), (1, None)])
def test_a_ratio_of_anything_but_integers_is_refused_and_not_truncated(top: object, bottom: object) -> None:
    with pytest.raises(InputError, match="got Ratio"):
        parse_number(Ratio(top, bottom))


def test_a_ratio_of_integers_comes_in() -> None:
    assert parse_number(Ratio(-6, 4)) == mpq(-3, 2)


@pytest.mark.parametrize(
    "text",
    [
        "9" * MAX_DIGITS,
        "1/" + "9" * MAX_DIGITS,
        "9" * MAX_DIGITS + "/1",
        f"1e{MAX_DIGITS - 1}",
        f"1e-{MAX_DIGITS - 1}",
        "0x1p-332192",
        "0." + "0" * (MAX_DIGITS - 2) + "1",
    ],
    ids=lambda text: f"{text[:6]}-{len(text)}",
)
def test_a_number_of_the_most_digits_comes_in(text: str) -> None:
    assert parse_number(text) != 0


@pytest.mark.parametrize(
    "value",
    [
        "1" + "0" * MAX_DIGITS,
        "1" * (MAX_DIGITS + 1),
        "1/" + "1" * (MAX_DIGITS + 1),
        "1" * (MAX_DIGITS + 1) + "/3",
        f"1e{MAX_DIGITS}",
        f"1e-{MAX_DIGITS}",
        "1e999999999999999999",
        "1e-999999999999999999",
        "0x1p999999",
        "0x1p-999999999999999999",
        "0." + "0" * (MAX_DIGITS + 1) + "1",
        "1" * 1_000_000,
        10**MAX_DIGITS,
        Fraction(1, 10**MAX_DIGITS),
        mpz(10) ** MAX_DIGITS,
    ],
    ids=lambda value: value[:6] if isinstance(value, str) else type(value).__name__,
)
def test_a_longer_number_is_beyond_the_limit(value: object) -> None:
    with pytest.raises(LimitError, match="expected a number of at most 100000 digits"):
        parse_number(value, "args.alpha")


@pytest.mark.parametrize(
    ("value", "within"),
    [
        (mpq(10) ** MAX_DIGITS - 1, True),
        (mpq(10) ** MAX_DIGITS, False),
        (1 / mpq(10) ** (MAX_DIGITS - 1), True),
        (-1 / mpq(10) ** MAX_DIGITS, False),
        (INFINITY, True),
    ],
    ids=["most digits", "one more", "tiny", "tinier", "infinite"],
)
def test_what_can_be_read_again_is_told_before_it_is_written(value: mpq | Infinity, within: bool) -> None:
    """The same limit as that of the gate."""
    assert readable(value) is within
    if not within:
        with pytest.raises(LimitError):
            parse_number(value)


@pytest.mark.parametrize(("text", "value"), [("inf", INFINITY), ("+inf", INFINITY), ("-inf", NEGATIVE_INFINITY)])
def test_an_infinity_comes_in_where_one_is_allowed(text: str, value: Infinity) -> None:
    assert parse_extended(text) is value
    assert parse_extended(value) is value


@pytest.mark.parametrize("value", ["Inf", "infinity", "nan", math.inf])
def test_other_spellings_of_infinity_are_refused(value: object) -> None:
    with pytest.raises(InputError):
        parse_extended(value, "exp_epsilon")


def test_the_infinities_are_ordered_against_every_number() -> None:
    for number in (mpq(10) ** 5000, Fraction(1, 3), 0):
        assert NEGATIVE_INFINITY < number < INFINITY
        assert number > NEGATIVE_INFINITY
        assert number <= INFINITY
        assert number != INFINITY
    assert max(mpq(3), INFINITY) is INFINITY
    assert not INFINITY < INFINITY  # noqa: PLR0124
    assert NEGATIVE_INFINITY < INFINITY


def test_the_infinities_are_one_value_each() -> None:
    assert pickle.loads(pickle.dumps(INFINITY)) is INFINITY  # noqa: S301 - our own bytes
    assert copy.deepcopy(NEGATIVE_INFINITY) is NEGATIVE_INFINITY
    assert len({INFINITY, NEGATIVE_INFINITY, Infinity(1)}) == 2
    assert (str(INFINITY), str(NEGATIVE_INFINITY)) == ("inf", "-inf")
    assert (float(INFINITY), float(NEGATIVE_INFINITY)) == (math.inf, -math.inf)


def test_a_float_comes_in_through_its_own_door_as_the_double_it_is() -> None:
    assert str(from_binary64(0.1)) == "3602879701896397/36028797018963968"
    assert from_binary64(-0.0) == 0
    assert from_binary64(5e-324) == mpq(1, 2**1074)


@pytest.mark.parametrize(
    ("value", "message"), [(math.nan, "got nan"), (math.inf, "got inf"), ("0.1", "got str"), (1, "got int")]
)
def test_that_door_takes_finite_floats_only(value: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        from_binary64(value)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_double_survives_the_way_in_and_out(value: float) -> None:
    number = from_binary64(value)
    assert number == Fraction(value)
    assert to_binary64(number, "down") == to_binary64(number, "up") == value
    assert parse_number(value.hex()) == number


@given(st.fractions())
def test_binary64_rounds_to_the_named_side(value: Fraction) -> None:
    number = mpq(value)
    low, high = to_binary64(number, "down"), to_binary64(number, "up")
    assert Fraction(low) <= value <= Fraction(high)
    assert high in (low, math.nextafter(low, math.inf))


def test_binary64_at_its_ends() -> None:
    tiny, huge = mpq(1, 2**2000), mpq(2) ** 2000
    greatest = math.nextafter(math.inf, 0)
    assert (to_binary64(tiny, "down"), to_binary64(tiny, "up")) == (0, 5e-324)
    assert (to_binary64(-tiny, "down"), to_binary64(-tiny, "up")) == (-5e-324, 0)
    assert (to_binary64(huge, "down"), to_binary64(huge, "up")) == (greatest, math.inf)
    assert (to_binary64(-huge, "down"), to_binary64(-huge, "up")) == (-math.inf, -greatest)


@pytest.mark.parametrize("direction", ["nearest", None, ""])
def test_a_direction_must_be_named(direction: object) -> None:
    with pytest.raises(InputError, match='expected a direction "down" or "up"'):
        to_binary64(mpq(1, 3), direction)


@pytest.mark.parametrize(
    ("number", "digits", "down", "up"),
    [
        (mpq(1, 3), 5, "0.33333", "0.33334"),
        (mpq(-1, 3), 5, "-0.33334", "-0.33333"),
        (mpq(2, 3), 1, "0.6", "0.7"),
        (mpq(1, 8), 3, "0.125", "0.125"),
        (mpq(1, 8), 2, "0.12", "0.13"),
        (mpq(999, 1000), 2, "0.99", "1"),
        (mpq(0), 3, "0", "0"),
        (mpq(123456), 3, "123000", "124000"),
        (mpq(10) ** 30, 3, "1e30", "1e30"),
        (mpq(10) ** 30 + 1, 3, "1e30", "1.01e30"),
        (mpq(1, 10**9), 3, "1e-9", "1e-9"),
        (mpq(1, 3 * 10**8), 4, "3.333e-9", "3.334e-9"),
        (mpq(1, 10**7), 2, "0.0000001", "0.0000001"),
    ],
)
def test_a_decimal_is_rounded_to_the_named_side(number: mpq, digits: int, down: str, up: str) -> None:
    assert to_decimal(number, digits, "down") == down
    assert to_decimal(number, digits, "up") == up


@given(st.fractions().filter(bool), st.integers(1, 30))
def test_a_decimal_is_the_closest_of_its_length_on_the_named_side(value: Fraction, digits: int) -> None:
    number = mpq(value)
    low, high = (parse_number(to_decimal(number, digits, side)) for side in ("down", "up"))
    assert low <= number <= high
    exponent = -1
    while abs(number) >= mpq(10) ** (exponent + 1):
        exponent += 1
    while abs(number) < mpq(10) ** exponent:
        exponent -= 1
    step = mpq(10) ** (exponent - digits + 1)
    assert high - low in (0, step)
    assert (high == low) == ((number / step).denominator == 1)


def test_the_exact_text_is_lowest_terms() -> None:
    assert [to_text(v) for v in (mpq(2, 4), mpq(4, 2), mpq(0), INFINITY, Fraction(-1, 3))] == [
        "1/2",
        "2",
        "0",
        "inf",
        "-1/3",
    ]


def test_the_exact_text_of_a_fraction_has_no_limit_of_digits() -> None:
    text = to_text(Fraction(1, 10**6000))
    assert text == "1/1" + "0" * 6000
    assert parse_number(text) == mpq(1, mpz(10) ** 6000)


@given(st.fractions())
def test_text_and_fraction_are_lossless(value: Fraction) -> None:
    number = parse_number(value)
    assert to_fraction(number) == value
    assert parse_number(to_text(number)) == number
