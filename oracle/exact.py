"""Exact numbers, in and out: the only gate between text, Python numbers and the engine.

Inside the oracle every exact scalar is a ``gmpy2.mpq`` (always in lowest terms).
At the public surface it is a ``fractions.Fraction``; in documents it is a string.
``INFINITY`` and ``NEGATIVE_INFINITY`` are the two infinite values; they are no floats.

A Python float never becomes a number by accident: :func:`parse_number` refuses it, and
:func:`from_binary64` is the explicit way in. The ways out are :func:`to_text` (exact),
:func:`to_decimal` and :func:`to_binary64`, the last two with a named direction.
"""

from __future__ import annotations

import math
import re
from fractions import Fraction
from functools import cache, total_ordering
from operator import index
from typing import Any, Final, Literal

from gmpy2 import mpq, mpz

from oracle.errors import InputError, LimitError, shorten

__all__ = [
    "INFINITY",
    "MAX_DIGITS",
    "NEGATIVE_INFINITY",
    "Direction",
    "Extended",
    "Infinity",
    "JsonFloat",
    "from_binary64",
    "parse_extended",
    "parse_number",
    "readable",
    "round_decimal",
    "to_binary64",
    "to_decimal",
    "to_fraction",
    "to_text",
]

MAX_DIGITS: Final = 100_000
"""Most decimal digits that one input number may need when written out."""

_MAX_BITS: Final = 332_193  # 10^100,000 is between 2^332,192 and 2^332,193
_DIGITS_PER_BIT: Final = (30103, 100_000)  # log10(2), rounded up

Direction = Literal["down", "up"]

_RATIONAL = re.compile(r"([+-]?[0-9]+)/([0-9]+)")
_DECIMAL = re.compile(r"([+-]?)([0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE]([+-]?[0-9]+))?")
_HEX = re.compile(r"([+-]?)0[xX]([0-9a-fA-F]+(?:\.[0-9a-fA-F]*)?|\.[0-9a-fA-F]+)[pP]([+-]?[0-9]+)")

_NUMBER = 'a number such as "9/10", "0.05", "1e-6" or "0x1.8p-1"'


@total_ordering
class Infinity:
    """One of the two infinite values, ordered against every exact number."""

    __slots__ = ("_sign",)

    def __init__(self, sign: int) -> None:
        self._sign = sign

    def __repr__(self) -> str:
        return "INFINITY" if self._sign > 0 else "NEGATIVE_INFINITY"

    def __str__(self) -> str:
        return "inf" if self._sign > 0 else "-inf"

    def __float__(self) -> float:
        return math.inf * self._sign

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Infinity) and other._sign == self._sign

    def __lt__(self, other: object) -> bool:
        if isinstance(other, Infinity):
            return self._sign < other._sign
        return self._sign < 0

    def __hash__(self) -> int:
        return hash((Infinity, self._sign))

    def __reduce__(self) -> str:
        return repr(self)


INFINITY: Final = Infinity(1)
NEGATIVE_INFINITY: Final = Infinity(-1)

Extended = mpq | Infinity


class JsonFloat:
    """A JSON number with a point or an exponent (or ``NaN``), kept as text so that it is refused in its place."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return f"the JSON float {shorten(self.text)}"


def parse_extended(value: object, where: str = "") -> Extended:
    """Read a number or one of ``"inf"``, ``"-inf"``; see :func:`parse_number`."""
    if isinstance(value, Infinity):
        return value
    if isinstance(value, str) and value in ("inf", "+inf", "-inf"):
        return NEGATIVE_INFINITY if value[0] == "-" else INFINITY
    return parse_number(value, where)


def parse_number(value: object, where: str = "") -> mpq:
    """Read one finite exact number.

    Accepted: strings (``"p/q"``, decimals, hexadecimal binary64 such as ``"0x1.8p-1"``),
    ``int``, ``Fraction``, ``gmpy2.mpz``/``mpq``, python-flint ``fmpz``/``fmpq``, and any
    other object with integer ``numerator`` and ``denominator``. A decimal is what it says:
    ``"0.1"`` is 1/10.

    Raises:
        InputError: for a float (quote it, or use :func:`from_binary64`), a bool, a percentage,
            ``nan``, an infinity, a zero denominator or any other text.
        LimitError: for a number of more than ``MAX_DIGITS`` digits.
    """
    if isinstance(value, str):
        return _parse_text(value, where)
    if isinstance(value, mpq):
        return _within_limit(value, where)
    if isinstance(value, JsonFloat):
        raise InputError(f'the number as a string: quote it, "{shorten(value.text)}"', repr(value), where)
    if isinstance(value, (bool, float)):
        hint = 'the number as a string, such as "0.1" (or oracle.exact.from_binary64 for the double itself)'
        raise InputError(hint if isinstance(value, float) else _NUMBER, f"the {type(value).__name__} {value!r}", where)
    if isinstance(value, (int, mpz)):
        return _within_limit(mpq(value), where)
    return _within_limit(_from_ratio(value, where), where)


def _from_ratio(value: object, where: str) -> mpq:
    """Read Fraction, fmpq, fmpz: whatever states an integer numerator and denominator."""
    numerator: Any = getattr(value, "numerator", None)
    denominator: Any = getattr(value, "denominator", None)
    if numerator is None and hasattr(value, "p") and hasattr(value, "q"):
        numerator, denominator = value.p, value.q
    if callable(numerator):
        numerator, denominator = numerator(), denominator() if callable(denominator) else denominator
    try:
        if numerator is None and type(value).__module__.startswith("flint"):
            return mpq(index(value))  # type: ignore[arg-type]
        return mpq(index(numerator), index(denominator))
    except (TypeError, ValueError, ZeroDivisionError):
        shown = shorten(value) if isinstance(value, (list, dict, tuple, type(None))) else type(value).__name__
        raise InputError(_NUMBER, shown, where) from None


@cache
def _largest() -> mpz:
    return mpz(10) ** MAX_DIGITS - 1


def readable(value: Extended) -> bool:
    """Whether a number is within the size that :func:`parse_extended` reads."""
    return isinstance(value, Infinity) or not (_too_long(value.numerator) or _too_long(value.denominator))


def _too_long(value: mpz) -> bool:
    return value.bit_length() >= _MAX_BITS and abs(value) > _largest()


def _within_limit(value: mpq, where: str) -> mpq:
    if not readable(value):
        raise LimitError(f"a number of at most {MAX_DIGITS} digits", "a longer one", where)
    return value


def _parse_text(text: str, where: str) -> mpq:
    if len(text) > 2 * MAX_DIGITS + 2:
        raise LimitError(f"a number of at most {MAX_DIGITS} digits", f"text of {len(text)} characters", where)
    if match := _RATIONAL.fullmatch(text):
        numerator, denominator = match.groups()
        if max(len(numerator), len(denominator)) > MAX_DIGITS + 1:
            raise LimitError(f"a number of at most {MAX_DIGITS} digits", shorten(text), where)
        if mpz(denominator) == 0:
            raise InputError("a denominator other than 0", f'"{shorten(text)}"', where)
        return _within_limit(mpq(mpz(numerator), mpz(denominator)), where)
    if match := _DECIMAL.fullmatch(text):
        sign, digits, exponent = match.groups()
        return _positional(sign, digits, exponent or "0", 10, where)
    if match := _HEX.fullmatch(text):
        sign, digits, exponent = match.groups()
        return _positional(sign, digits, exponent, 16, where)
    if text.lower().lstrip("+-") in ("inf", "infinity", "nan"):
        raise InputError("a finite number", f'"{shorten(text)}"', where)
    hint = f"{_NUMBER} (no % sign: write 1/2 for 50%)" if "%" in text else _NUMBER
    raise InputError(hint, f'"{shorten(text)}"', where)


def _positional(sign: str, digits: str, exponent: str, base: int, where: str) -> mpq:
    """Value of digits * step^exponent, step 10 for decimals and 2 for hexadecimals."""
    whole, _, fraction = digits.partition(".")
    magnitude = exponent.lstrip("+-").lstrip("0")
    shift = (int(magnitude or "0") if len(magnitude) <= 8 else 10**8) * (-1 if exponent[0] == "-" else 1)
    step, per_digit, limit = (10, 1, MAX_DIGITS) if base == 10 else (2, 4, _MAX_BITS)
    mantissa = mpz((whole + fraction).lstrip("0") or "0", base)
    shift -= per_digit * len(fraction)
    if mantissa and (abs(shift) > limit or len(digits) > MAX_DIGITS + 1):
        got = shorten(f"{sign}{digits}{'e' if base == 10 else 'p'}{exponent}")
        raise LimitError(f"a number of at most {MAX_DIGITS} digits", got, where)
    power = mpz(step) ** min(abs(shift), limit)
    value = mpq(mantissa * power) if shift >= 0 else mpq(mantissa, power)
    return _within_limit(-value if sign == "-" else value, where)


def from_binary64(value: float) -> mpq:
    """The exact rational value of a Python float: the only way in for one.

    ``from_binary64(0.1)`` is 3602879701896397/36028797018963968, not 1/10.

    Raises:
        InputError: for NaN and the infinities.
    """
    if not isinstance(value, float):
        raise InputError("a float", type(value).__name__)
    if not math.isfinite(value):
        raise InputError("a finite float", repr(value))
    return mpq(*value.as_integer_ratio())


def to_binary64(value: mpq, direction: Direction) -> float:
    """The nearest double at or below (``"down"``) or at or above (``"up"``) *value*.

    Below the smallest and above the largest double the answer is the one on the named
    side: 0.0 or the smallest subnormal, the largest double or an infinity.
    """
    try:
        near = math.nan if direction not in ("down", "up") else _nearest(value)
    except OverflowError:
        near = math.copysign(math.inf, -1 if value < 0 else 1)
    if math.isnan(near):
        raise InputError('a direction "down" or "up"', repr(direction))
    exact_side: Extended = INFINITY if near > 0 else NEGATIVE_INFINITY
    if not math.isinf(near):
        exact_side = mpq(*near.as_integer_ratio())
    if direction == "down" and exact_side > value:
        return math.nextafter(near, -math.inf)
    if direction == "up" and exact_side < value:
        return math.nextafter(near, math.inf)
    return near


def _nearest(value: mpq) -> float:
    return int(value.numerator) / int(value.denominator)


def to_fraction(value: mpq) -> Fraction:
    """The same number as a ``fractions.Fraction``."""
    # The two are coprime, so the division of the constructor, which is quadratic in the digits, is left out.
    fraction: Any = object.__new__(Fraction)
    fraction._numerator, fraction._denominator = int(value.numerator), int(value.denominator)  # noqa: SLF001
    return fraction  # type: ignore[no-any-return]


def to_text(value: Extended | Fraction) -> str:
    """The one exact text of a number: ``"p/q"`` in lowest terms, ``"p"``, ``"0"``, ``"inf"``."""
    # str of a Fraction refuses integers beyond the interpreter's limit of digits; that of an mpq does not.
    return str(mpq(value)) if isinstance(value, Fraction) else str(value)


def to_decimal(value: mpq, digits: int, direction: Direction) -> str:
    """Decimal text of at most *digits* significant digits, rounded towards the named side.

    The result is at or below *value* for ``"down"`` and at or above it for ``"up"``; it is
    the closest such decimal of that many digits, and exact where the digits suffice.
    """
    whole, scale = _significant(value, digits, direction)
    return ("-" if whole < 0 else "") + _place_point(str(abs(whole)), scale) if whole else "0"


def round_decimal(value: mpq, digits: int, direction: Direction) -> mpq:
    """The number that :func:`to_decimal` writes, however small or large it is."""
    whole, scale = _significant(value, digits, direction)
    power = mpz(10) ** abs(scale)
    return mpq(whole, power) if scale >= 0 else mpq(whole * power)


def _significant(value: mpq, digits: int, direction: Direction) -> tuple[mpz, int]:
    """Integers n and s for which n / 10^s is *value* rounded to so many significant digits; n is 0 only for 0."""
    if value == 0:
        return mpz(0), 0
    scale = digits - 1 - _floor_log10(abs(value))
    power = mpz(10) ** abs(scale)
    scaled = value * power if scale >= 0 else value / power
    # gmpy2 rounds // down, whatever the sign.
    whole = scaled.numerator // scaled.denominator
    return (whole + 1 if direction == "up" and whole != scaled else whole), scale


def _floor_log10(value: mpq) -> int:
    """The integer e with 10^e <= value < 10^(e+1), for a positive value."""
    bits = value.numerator.bit_length() - value.denominator.bit_length()
    guess = bits * _DIGITS_PER_BIT[0] // _DIGITS_PER_BIT[1]
    while _power_of_ten(guess) > value:
        guess -= 1
    while _power_of_ten(guess + 1) <= value:
        guess += 1
    return guess


def _power_of_ten(exponent: int) -> mpq:
    power = mpz(10) ** abs(exponent)
    return mpq(power) if exponent >= 0 else mpq(1, power)


def _place_point(whole: str, scale: int) -> str:
    """Write the integer *whole* times 10^-scale without trailing zeros."""
    stripped = whole.rstrip("0")
    scale -= len(whole) - len(stripped)
    exponent = len(stripped) - 1 - scale
    if scale <= 0 and exponent < 21:
        return stripped + "0" * -scale
    if -7 <= exponent < 21:
        padded = stripped.rjust(scale + 1, "0")
        return f"{padded[:-scale]}.{padded[-scale:]}"
    mantissa = stripped[0] + ("." + stripped[1:] if len(stripped) > 1 else "")
    return f"{mantissa}e{exponent}"
