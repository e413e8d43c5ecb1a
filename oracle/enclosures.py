"""Certified enclosures [lo, hi] of real numbers, over python-flint's ball arithmetic.

A *ball* (``flint.arb``) is a midpoint and a radius that together contain the true value
(inclusion principle). Here a real number is given as a function ``bits -> ball``; it is
called with growing precision until the wanted digits or the sign are certain. An
enclosure is proved, never estimated: both ends are rounded outwards.

Reference: F. Johansson, *Arb: efficient arbitrary-precision midpoint-radius interval
arithmetic*, IEEE Transactions on Computers 66(8), 2017, doi:10.1109/TC.2017.2690633.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import flint
from flint import arb, fmpq
from gmpy2 import mpq, mpz

from oracle.errors import InputError, LimitError, UndecidedError
from oracle.exact import parse_number, to_decimal, to_fraction

if TYPE_CHECKING:
    from fractions import Fraction

__all__ = [
    "DEFAULT_DIGITS",
    "MAX_BITS",
    "MAX_REQUESTED_DIGITS",
    "Ball",
    "Enclosure",
    "arb_from_rational",
    "enclose",
    "exp_ball",
    "exp_bracket",
    "exp_enclosure",
    "log_enclosure",
    "parse_digits",
    "precision",
    "rational_bounds",
    "sign",
]

MAX_REQUESTED_DIGITS: Final = 1000
"""Most digits that a question may ask for."""

DEFAULT_DIGITS: Final = 12
"""Digits of an enclosure when the question names none."""

MAX_BITS: Final = 1 << 20
"""Highest working precision, in bits (about 315,000 decimal digits)."""

_START_BITS: Final = 64
_MAX_EXPONENT: Final = 1 << 23
"""Largest binary exponent of a ball that is written out as a rational."""

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
            raise InputError("lo <= hi", f"lo={self.lo}, hi={self.hi}")

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

    def to_json(self) -> dict[str, str]:
        """``{"lo": text, "hi": text}``: exact decimals where an end is one, else ``"p/q"``."""
        return {"lo": _decimal_text(self.lo), "hi": _decimal_text(self.hi)}


def _decimal_text(x: mpq) -> str:
    """The exact decimal text of *x* if it has one, else its ``"p/q"``."""
    rest = x.denominator
    twos = fives = 0
    while rest % 2 == 0:
        rest, twos = rest // 2, twos + 1
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    if rest != 1:
        return str(x)
    scaled = abs(x * mpz(10) ** max(twos, fives)).numerator
    return to_decimal(x, len(scaled.digits()), "down")


@contextmanager
def precision(bits: int) -> Iterator[None]:
    """Run a block with python-flint's (global) working precision set to *bits*, then restore it."""
    before = flint.ctx.prec
    flint.ctx.prec = bits
    try:
        yield
    finally:
        flint.ctx.prec = before


def arb_from_rational(x: mpq, bits: int) -> arb:
    """A ball of about *bits* bits that contains *x*."""
    with precision(bits):
        return arb(fmpq(int(x.numerator), int(x.denominator)))


def rational_bounds(ball: arb) -> tuple[mpq, mpq]:
    """The exact ends of a ball: mid - rad and mid + rad, both dyadic rationals.

    Raises:
        LimitError: if the ball is not finite, or its exponent is beyond about 2,500,000 digits.
    """
    if not ball.is_finite():
        raise LimitError("a finite value", "one beyond the range of ball arithmetic")
    mid, rad = _dyadic(ball.mid()), _dyadic(ball.rad())
    return mid - rad, mid + rad


def _dyadic(x: arb) -> mpq:
    mantissa, exponent = x.man_exp()
    e = int(exponent)
    if abs(e) > _MAX_EXPONENT:
        raise LimitError(f"a value of at most {_MAX_EXPONENT} binary places", "one beyond them")
    m = mpz(int(mantissa))
    return mpq(m << e) if e >= 0 else mpq(m, mpz(1) << -e)


def enclose(ball: Ball, digits: int = DEFAULT_DIGITS) -> Enclosure:
    """Enclosure of a nonzero real number with hi - lo <= 10^(-digits) * max(|lo|, |hi|).

    Both ends are decimals, rounded outwards, so the text of the enclosure is exact.
    *ball* must not stand for exactly 0: no relative width would ever be reached.

    Raises:
        UndecidedError: if not even one enclosure is had at ``MAX_BITS``.
        LimitError: if the value is too large or too small to write out.
    """
    wanted = mpq(1, mpz(10) ** digits)
    bits = min(MAX_BITS, 40 + digits * 10 // 3)
    while True:
        value = ball(bits)
        if value.is_finite():
            # digits + 3 significant digits: each end moves by less than 10^(-digits-2) of itself.
            lo, hi = rational_bounds(value)
            lo, hi = mpq(to_decimal(lo, digits + 3, "down")), mpq(to_decimal(hi, digits + 3, "up"))
            largest = max(abs(lo), abs(hi))
            if hi - lo <= wanted * largest:
                return Enclosure(lo, hi)
            if bits >= MAX_BITS:
                return Enclosure(lo, hi, _digits_of(hi - lo, largest, digits))
        elif bits >= MAX_BITS:
            raise UndecidedError("an enclosure of the value", bits)
        bits = min(MAX_BITS, 2 * bits)


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
        raise InputError("a positive number other than 1", str(x))

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
        raise InputError(f"a whole number of digits from 1 to {MAX_REQUESTED_DIGITS}", str(number), where)
    if number > MAX_REQUESTED_DIGITS:
        raise LimitError(f"at most {MAX_REQUESTED_DIGITS} digits", str(number), where)
    return int(number.numerator)
