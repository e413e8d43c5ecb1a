"""Certified enclosures [lo, hi] of real numbers, over python-flint's ball arithmetic.

A *ball* (``flint.arb``) is a midpoint and a radius that together contain the true value
(inclusion principle). Here a real number is given as a function ``bits -> ball``; it is
called with growing precision until the wanted digits or the sign are certain. An
enclosure is proved, never estimated: both ends are rounded outwards.

Reference: F. Johansson, *Arb: efficient arbitrary-precision midpoint-radius interval
arithmetic*, IEEE Transactions on Computers 66(8), 2017, doi:10.1109/TC.2017.2690633.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

import flint
from flint import arb, fmpq
from gmpy2 import mpq, mpz, remove

from oracle.errors import InputError, LimitError, UndecidedError, shorten
from oracle.exact import parse_number, to_decimal, to_fraction

if TYPE_CHECKING:
    from fractions import Fraction

__all__ = [
    "COMPARISON_BITS",
    "DEFAULT_DIGITS",
    "MAX_BITS",
    "MAX_REQUESTED_DIGITS",
    "Ball",
    "Comparison",
    "Enclosure",
    "arb_from_rational",
    "compare",
    "enclose",
    "exp_ball",
    "exp_bracket",
    "exp_enclosure",
    "log_enclosure",
    "parse_digits",
    "precision",
    "rational_ball",
    "rational_bounds",
    "sign",
]

MAX_REQUESTED_DIGITS: Final = 1000
"""Most digits that a question may ask for."""

DEFAULT_DIGITS: Final = 12
"""Digits of an enclosure when the question names none."""

MAX_BITS: Final = 1 << 20
"""Highest working precision, in bits (about 315,000 decimal digits)."""

COMPARISON_BITS: Final = 1 << 14
"""Highest precision of a comparison that may have no answer (about 4,900 decimal digits)."""

_START_BITS: Final = 64
_MAX_EXPONENT: Final = 1 << 23
"""Largest binary exponent of a ball that is written out as a rational."""

_MOST_CACHED: Final = 2048
_MOST_BELOW: Final = 1 << 16
_TINY_DIGITS: Final = 99_999
"""A value too small to write out is enclosed between 0 and 10^-99,999, which every reader of numbers accepts."""

Ball = Callable[[int], arb]
"""A real number as a function from working precision in bits to a ball that contains it."""


@dataclass(frozen=True, slots=True)
class Enclosure:
    """Two rationals with lo <= truth <= hi.

    Attributes:
        lo: the lower end.
        hi: the upper end.
        reached: the digits reached, when they are fewer than those asked for.
    """

    lo: mpq
    hi: mpq
    reached: int | None = None

    def __post_init__(self) -> None:
        if self.lo > self.hi:
            raise InputError("lo <= hi", f"lo={shorten(self.lo)}, hi={shorten(self.hi)}")

    @property
    def lower(self) -> Fraction:
        """The lower end as a ``fractions.Fraction``."""
        return to_fraction(self.lo)

    @property
    def upper(self) -> Fraction:
        """The upper end as a ``fractions.Fraction``."""
        return to_fraction(self.hi)

    @property
    def width(self) -> mpq:
        """The length hi - lo, at least 0."""
        return self.hi - self.lo

    def contains(self, x: mpq) -> bool:
        """Whether lo <= x <= hi."""
        return bool(self.lo <= x <= self.hi)

    def overlaps(self, other: Enclosure) -> bool:
        """Whether the two closed intervals have a point in common."""
        return bool(self.lo <= other.hi and other.lo <= self.hi)

    def clamped(self, least: mpq | int = 0, most: mpq | int = 1) -> Enclosure:
        """The part within [least, most], for a truth that is known to lie there (a probability, say)."""
        return Enclosure(max(self.lo, mpq(least)), min(self.hi, mpq(most)), self.reached)

    def to_json(self) -> dict[str, str]:
        """``{"lo": text, "hi": text}``: exact decimals where an end is one, else ``"p/q"``."""
        return {"lo": _decimal_text(self.lo), "hi": _decimal_text(self.hi)}


def _decimal_text(x: mpq) -> str:
    """The exact decimal text of *x* if it has one, else its ``"p/q"``."""
    rest, fives = remove(x.denominator, 5)
    twos = rest.bit_length() - 1
    if rest != mpz(1) << twos:
        return str(x)
    scaled = abs(x * mpz(10) ** max(twos, fives)).numerator
    return to_decimal(x, len(scaled.digits()), "down")


class _Precision:
    """python-flint's global working precision, set for a block."""

    __slots__ = ("before", "bits")

    def __init__(self, bits: int) -> None:
        self.bits = bits

    def __enter__(self) -> None:
        self.before = flint.ctx.prec
        flint.ctx.prec = self.bits

    def __exit__(self, *_: object) -> None:
        flint.ctx.prec = self.before


def precision(bits: int) -> AbstractContextManager[None]:
    """Run a block with python-flint's (global) working precision set to *bits*, then restore it."""
    return _Precision(bits)


def rational_ball(x: mpq) -> arb:
    """A ball that contains *x*, at the working precision that is set."""
    return arb(fmpq(int(x.numerator), int(x.denominator)))


def arb_from_rational(x: mpq, bits: int) -> arb:
    """A ball of about *bits* bits that contains *x*."""
    with precision(bits):
        return rational_ball(x)


def rational_bounds(ball: arb) -> tuple[mpq, mpq]:
    """The ends of a ball: mid - rad and mid + rad, both dyadic rationals.

    A radius below 2^-65,536 units in the last place of the midpoint is enlarged to that.

    Raises:
        LimitError: if the ball is not finite, or its exponent is beyond about 2,500,000 digits.
    """
    lo, hi, exponent = _dyadic_ends(ball)
    if exponent >= 0:
        return mpq(lo << exponent), mpq(hi << exponent)
    scale = mpz(1) << -exponent
    return mpq(lo, scale), mpq(hi, scale)


def _dyadic_ends(ball: arb) -> tuple[mpz, mpz, int]:
    """Integers lo <= hi and e such that the ball is [lo * 2^e, hi * 2^e]; see :func:`rational_bounds`."""
    if not ball.is_finite():
        raise LimitError("a finite value", "one beyond the range of ball arithmetic")
    mid, mid_exponent = _mantissa(ball.mid())
    if ball.is_exact():
        return mid, mid, mid_exponent
    if mid and abs(ball.rad()) < arb(2) ** (mid_exponent - _MOST_BELOW):
        rad, rad_exponent = mpz(1), mid_exponent - _MOST_BELOW
    else:
        rad, rad_exponent = _mantissa(ball.rad())
    if not mid:
        return -rad, rad, rad_exponent
    if mid_exponent >= rad_exponent:
        mid <<= mid_exponent - rad_exponent
        return mid - rad, mid + rad, rad_exponent
    rad <<= rad_exponent - mid_exponent
    return mid - rad, mid + rad, mid_exponent


def _mantissa(x: arb) -> tuple[mpz, int]:
    mantissa, exponent = x.man_exp()
    e = int(exponent)
    if abs(e) > _MAX_EXPONENT:
        raise LimitError(f"a value of at most {_MAX_EXPONENT} binary places", "one beyond them")
    return mpz(int(mantissa)), e


def _power_of_ten(exponent: int) -> mpz:
    return _small_power_of_ten(exponent) if exponent <= _MOST_CACHED else mpz(10) ** exponent


@cache
def _small_power_of_ten(exponent: int) -> mpz:
    return mpz(10) ** exponent


def _scaled(mantissa: mpz, exponent: int, places: int) -> tuple[mpz, bool]:
    """The floor of mantissa * 2^exponent * 10^places, and whether it is exact; for a mantissa >= 0."""
    # 10^places is 5^places * 2^places, but a cached power of ten and one shift are faster than that.
    top, bottom = mantissa, mpz(1)
    if places >= 0:
        top = top * _power_of_ten(places)
    else:
        bottom = _power_of_ten(-places)
    if exponent >= 0:
        top <<= exponent
    elif places >= 0:
        whole = top >> -exponent
        return whole, whole << -exponent == top
    else:
        bottom <<= -exponent
    whole = top // bottom
    return whole, whole * bottom == top


def _outward(mantissa: mpz, exponent: int, digits: int, *, up: bool) -> mpq:
    """The closest decimal of *digits* significant digits at or above (up) or below mantissa * 2^exponent."""
    if not mantissa:
        return mpq(0)
    magnitude = abs(mantissa)
    # 0.30103 exceeds log10(2) by less than 5e-9, so the guess is off by at most 1 within _MAX_EXPONENT.
    places = digits - 1 - (magnitude.bit_length() - 1 + exponent) * 30103 // 100_000
    limit = _power_of_ten(digits)
    whole, exact = _scaled(magnitude, exponent, places)
    while whole >= limit:
        places -= 1
        whole, exact = _scaled(magnitude, exponent, places)
    while whole * 10 < limit:
        places += 1
        whole, exact = _scaled(magnitude, exponent, places)
    if not exact and up == (mantissa > 0):
        whole += 1
    if mantissa < 0:
        whole = -whole
    return mpq(whole, _power_of_ten(places)) if places >= 0 else mpq(whole * _power_of_ten(-places))


def enclose(ball: Ball, digits: int = DEFAULT_DIGITS) -> Enclosure:
    """Enclosure of a nonzero real number with hi - lo <= 10^(-digits) * max(|lo|, |hi|).

    Both ends are decimals, rounded outwards, so the text of the enclosure is exact.
    *ball* must not stand for exactly 0: no relative width would ever be reached. A value too small
    to write out is enclosed by 0 and 10^-99,999, and ``reached`` is 0.

    Raises:
        UndecidedError: if not even one enclosure is had at ``MAX_BITS``.
        LimitError: if the value is too large to write out.
    """
    bits = min(MAX_BITS, 40 + digits * 10 // 3)
    while True:
        value = ball(bits)
        if value.is_finite():
            if abs(value) < _least_written():
                tiny = mpq(1, mpz(10) ** _TINY_DIGITS)
                return Enclosure(mpq(0) if value > 0 else -tiny, mpq(0) if value < 0 else tiny, 0)
            # digits + 3 significant digits: each end moves by less than 10^(-digits-2) of itself.
            low, high, exponent = _dyadic_ends(value)
            lo = _outward(low, exponent, digits + 3, up=False)
            hi = _outward(high, exponent, digits + 3, up=True)
            largest = max(abs(lo), abs(hi))
            if (hi - lo) * _power_of_ten(digits) <= largest:
                return Enclosure(lo, hi)
            if bits >= MAX_BITS:
                return Enclosure(lo, hi, _digits_of(hi - lo, largest, digits))
        elif bits >= MAX_BITS:
            raise UndecidedError("an enclosure of the value", bits)
        bits = min(MAX_BITS, 2 * bits)


@cache
def _least_written() -> arb:
    """2^-2^23: what is smaller is not written out."""
    return arb(2) ** -_MAX_EXPONENT


def _digits_of(width: mpq, largest: mpq, most: int) -> int:
    """The largest n in 0..most with width <= 10^(-n) * largest, or 0."""
    return max((n for n in range(most + 1) if width * mpz(10) ** n <= largest), default=0)


def sign(ball: Ball, question: str) -> int:
    """The sign, -1 or 1, of a real number that the caller knows to be nonzero.

    Raises:
        UndecidedError: if the ball still contains 0 at ``MAX_BITS``; *question* names it.
    """
    bits = _START_BITS
    while True:
        value = ball(bits)
        if value > 0:
            return 1
        if value < 0:
            return -1
        if bits >= MAX_BITS:
            raise UndecidedError(question, bits)
        bits = min(MAX_BITS, 2 * bits)


class Comparison(NamedTuple):
    """The answer to a comparison of two real numbers.

    Attributes:
        sign: -1, 0 or 1 for less, equal or greater, each proved; None if undecided.
        bits: the working precision reached.
    """

    sign: int | None
    bits: int

    @property
    def at_most(self) -> bool | None:
        """Whether the first number is at most the second: True, False, or None if undecided."""
        return None if self.sign is None else self.sign <= 0


def compare(left: Ball | mpq, right: Ball | mpq, most_bits: int = COMPARISON_BITS) -> Comparison:
    """Compare two real numbers with growing precision: three-valued, never a guess.

    Two rationals are compared exactly. Balls prove equality only where both are exact, so two
    equal irrational numbers stay undecided.

    Args:
        left: a real number.
        right: another.
        most_bits: the precision at which it is given up.
    """
    if isinstance(left, mpq) and isinstance(right, mpq):
        return Comparison((left > right) - (left < right), 0)
    bits = min(_START_BITS, most_bits)
    while True:
        with precision(bits):
            x = rational_ball(left) if isinstance(left, mpq) else left(bits)
            y = rational_ball(right) if isinstance(right, mpq) else right(bits)
        if x < y:
            return Comparison(-1, bits)
        if x > y:
            return Comparison(1, bits)
        if x <= y and x >= y:
            return Comparison(0, bits)
        if bits >= most_bits:
            return Comparison(None, bits)
        bits = min(most_bits, 2 * bits)


def exp_ball(x: mpq, bits: int) -> arb:
    """A ball for e^x of relative radius about 2^-bits, whatever the size of x."""
    extra = max(0, x.numerator.bit_length() - x.denominator.bit_length()) + 8
    with precision(min(bits + extra, 4 * MAX_BITS)):
        return arb_from_rational(x, flint.ctx.prec).exp()


def exp_bracket(x: mpq, bits: int) -> tuple[mpq, mpq]:
    """Rationals lo <= e^x <= hi, both positive, of relative width about 2^-bits.

    For x = 0 both ends are exactly 1.

    Raises:
        LimitError: if e^x is too large or too small to write out.
    """
    if x == 0:
        return mpq(1), mpq(1)
    lo, hi = rational_bounds(exp_ball(x, max(bits, 8)))
    return lo, hi


def exp_enclosure(x: mpq, digits: int = DEFAULT_DIGITS) -> Enclosure:
    """Enclosure of e^x; see :func:`enclose`."""
    return enclose(lambda bits: exp_ball(x, bits), digits)


def log_enclosure(x: mpq, digits: int = DEFAULT_DIGITS) -> Enclosure:
    """Enclosure of log x for a rational x > 0 other than 1 (log 1 is exactly 0, not an enclosure).

    Raises:
        InputError: for x <= 0 and for x = 1.
    """
    if x <= 0 or x == 1:
        raise InputError("a positive number other than 1", shorten(x))

    def ball(bits: int) -> arb:
        with precision(bits):
            return arb_from_rational(x, bits).log()

    return enclose(ball, digits)


def parse_digits(value: object, where: str = "digits") -> int:
    """Read the optional argument ``digits``: a whole number from 1 to ``MAX_REQUESTED_DIGITS``.

    Raises:
        InputError: for anything but a whole number of at least 1.
        LimitError: for more digits than the limit.
    """
    number = parse_number(value, where)
    if number.denominator != 1 or number < 1:
        raise InputError(f"a whole number of digits from 1 to {MAX_REQUESTED_DIGITS}", shorten(number), where)
    if number > MAX_REQUESTED_DIGITS:
        raise LimitError(f"at most {MAX_REQUESTED_DIGITS} digits", shorten(number), where)
    return int(number.numerator)
