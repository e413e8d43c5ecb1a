"""Rational brackets of the standard normal distribution function Phi, and the sign of Phi(x) - v.

Everything comes from the tail 1 - Phi(x) for x > 0, bracketed with a small relative error in one of two ways:

- x >= 1: the tail is phi(x) R(x), phi(x) = e^(-x^2/2)/sqrt(2 pi), with Laplace's continued fraction
  R(x) = 1/(x + 1/(x + 2/(x + 3/(x + ...)))).  With D_k = x + (k + 1)/D_(k+1), x < D_k < x + (k + 1)/x, as all D are
  above x; backwards from such bounds every step is monotone.
- else, or where that takes more steps: 1/2 - phi(x) S(x), S(x) = x + x^3/3 + x^5/(3 5) + x^7/(3 5 7) + ..., all terms
  positive, in fixed point, once with every step rounded down and once up.
"""

from __future__ import annotations

import functools
import math
from fractions import Fraction

from .series import Bracket, Dyadic, add, exp, multiply, precisions, rational, sign, undecided
from .verdict import Rejected

_GUARD = 32
_MOST_STEPS = 20_000
_ONE_HALF = Fraction(1, 2)
_FAR = Fraction(1000)
_FAR_BITS = 64
_FAR_TAIL_BITS = 700_000  # 1 - Phi(1000) < e^(-500,000) < 2^-700,000
_MOST_WHOLE_BITS = 256
_NEAR_BITS = 256

Ends = tuple[Fraction, Fraction]


def _arctan_of_inverse(n: int, scale: int) -> tuple[int, int]:
    """Bracket 2^scale atan(1/n), n >= 2, by the alternating series.

    A power is floor(2^scale/n^(2k+1)), as floors of quotients nest, and a term is cut down by less than 1; after the
    first power 0 the terms left out sum to less than 1 in size.
    """
    total, power, odd = 0, (1 << scale) // n, 1
    count = 1
    while power:
        total += power // odd if count % 2 else -(power // odd)
        power //= n * n
        odd += 2
        count += 1
    return total - count, total + count


@functools.lru_cache(maxsize=16)
def _root_of_two_pi(scale: int) -> tuple[int, int]:
    """Bracket 2^scale sqrt(2 pi), with pi = 16 atan(1/5) - 4 atan(1/239) (Machin)."""
    five, other = _arctan_of_inverse(5, scale), _arctan_of_inverse(239, scale)
    low, high = 16 * five[0] - 4 * other[1], 16 * five[1] - 4 * other[0]
    return math.isqrt(2 * low << scale), math.isqrt(2 * high << scale) + 1


def _ceiling(above: int, below: int) -> int:
    return -(-above // below)


def _series_down(x: int, scale: int) -> int:
    """Return an integer at most 2^scale S(x/2^scale), x >= 0: terms are >= 0, so that cutting and stopping are safe."""
    square, term, total, odd = x * x >> scale, x, 0, 1
    while term:
        total += term
        odd += 2
        term = (term * square >> scale) // odd
    return total


def _series_up(x: int, scale: int) -> int:
    """Return an integer at least 2^scale S(x/2^scale), x >= 0.

    It stops at a term of at most one unit from which on each term is at most half the one before it, so that those left
    out sum to at most one unit.
    """
    square, term, total, odd = -(-x * x >> scale), x, 0, 1
    while term > 1 or 2 * square > (odd + 2) << scale:
        total += term
        odd += 2
        term = -((-term * square >> scale) // odd)
    return total + term + 1


def _fraction_steps(x: int, bits: int) -> int:
    """Return how many levels of the continued fraction give about so many bits at x >= 1.

    A proposal found by trial, as the error falls like e^(-c x sqrt(steps)): the bracket itself says what was reached.
    """
    return 8 + bits * bits // (5 * x * x) + bits // 4


def _mills(low: int, high: int, scale: int, steps: int) -> tuple[int, int]:
    """Bracket 2^scale R(x) for 2^scale x in [low, high], x >= 1, from so many levels of the continued fraction."""
    unit = 1 << 2 * scale
    below, above = low, high + _ceiling((steps + 1) * unit, low)
    for k in range(steps, 0, -1):
        below, above = low + k * unit // above, high + _ceiling(k * unit, below)
    return unit // above, _ceiling(unit, below)


def density(low: int, high: int, scale: int) -> Bracket:
    """Bracket e^(-x^2/2)/sqrt(2 pi) for 2^scale x in [low, high], low >= 0."""
    points: list[Dyadic] = [(-x * x, -2 * scale - 1) for x in (high, low)]
    root_low, root_high = _root_of_two_pi(scale)
    unit = 1 << 2 * scale
    factor = Bracket((unit // root_high, -scale), (_ceiling(unit, root_low), -scale))
    return multiply(exp(Bracket(points[0], points[1]), scale), factor, scale)


def tail(x: Fraction, bits: int) -> Bracket:
    """Bracket 1 - Phi(x), x > 0, with a relative error of about 2^-bits."""
    whole = x.numerator // x.denominator
    if whole.bit_length() > _MOST_WHOLE_BITS:
        raise Rejected(f"too far out: more than {_MOST_WHOLE_BITS} bits before the point")
    steps = _fraction_steps(whole, bits + _GUARD) if whole else _MOST_STEPS
    # Of the series about x^2 terms rise and `bits` fall. Below 1 there is no continued fraction.
    fraction = whole > 0 and steps <= 2 * whole * whole + bits
    if fraction:
        scale = bits + _GUARD + 3 * whole.bit_length()
    else:
        # 1 - Phi(x) > phi(x)/(x + 1) > 2^(-3 x^2/4 - x - 2) is what is left of 1/2.
        scale = bits + _GUARD + 3 * (whole + 1) * (whole + 1) // 4 + whole + 4
    if min(steps, scale) > _MOST_STEPS:
        raise Rejected(f"too far out or too close: more than {_MOST_STEPS} steps")
    low = (x.numerator << scale) // x.denominator
    high = _ceiling(x.numerator << scale, x.denominator)
    height = density(low, high, scale)
    if steps <= 2 * whole * whole + bits:
        ratio = _mills(low, high, scale, steps)
        return multiply(height, Bracket((ratio[0], -scale), (ratio[1], -scale)), bits + _GUARD)
    sums = Bracket((_series_down(low, scale), -scale), (_series_up(high, scale), -scale))
    half = multiply(height, sums, scale)
    left = Bracket((-half.hi[0], half.hi[1]), (-half.lo[0], half.lo[1]))
    rest = add(Bracket((1, -1), (1, -1)), left, scale)
    return Bracket(rest.lo if rest.lo[0] > 0 else (0, 0), rest.hi)


def _fraction(value: Dyadic, bits: int, *, up: bool) -> Fraction:
    """Return a dyadic number of [0, 1/2] as a fraction, rounded down or up to a multiple of 2^-bits."""
    mantissa, shift = value[0], value[1] + bits
    if shift >= 0:
        return Fraction(mantissa << shift, 1 << bits)
    return Fraction(-(-mantissa >> -shift) if up else mantissa >> -shift, 1 << bits)


def normal(x: Fraction, bits: int) -> Ends:
    """Bracket Phi(x) with an error of about 2^-bits."""
    if x == 0:
        return _ONE_HALF, _ONE_HALF
    if abs(x) > _FAR and bits + _GUARD <= _FAR_TAIL_BITS:
        low, high = Fraction(0), Fraction(1, 1 << bits + _GUARD)
    else:
        found = tail(abs(x), bits)
        low, high = (_fraction(end, bits + _GUARD, up=up) for end, up in ((found.lo, False), (found.hi, True)))
        high = min(high, _ONE_HALF)
    return (low, high) if x < 0 else (1 - high, 1 - low)


def _near_zero(square: Fraction, slope: Fraction) -> int:
    """Return the sign of (Phi(x) - 1/2)/x - slope for x^2 = square < 1 where it is plain, otherwise 0.

    The quotient is the mean of the density c e^(-t^2/2), c = 1/sqrt(2 pi), from 0 to x: it is at most c and, as
    e^(-t^2/2) is at least 1 - t^2/2, at least c (1 - x^2/6).  So the smaller x, the more is decided, whatever its
    digits.
    """
    low, high = _root_of_two_pi(_NEAR_BITS)
    unit = 1 << _NEAR_BITS
    if slope * low >= unit:
        return -1
    return 1 if slope * high <= unit * (1 - square / 6) else 0


def normal_sign(x: Fraction, value: Fraction, where: str) -> int:
    """Return the proved sign of Phi(x) - value, 0 for Phi(0) = 1/2 only; what is too close is rejected as undecided."""
    if not 0 < value < 1:
        return 1 if value <= 0 else -1
    if x == 0:
        return (value < _ONE_HALF) - (value > _ONE_HALF)
    if (x > 0) != (value > _ONE_HALF):
        return 1 if x > 0 else -1
    if abs(x) < 1 and (near := _near_zero(x * x, (value - _ONE_HALF) / x)):
        return near if x > 0 else -near
    rest = 1 - value if x > 0 else value
    if abs(x) > _FAR and sign(add(tail(_FAR, _FAR_BITS), rational(-rest, _FAR_BITS), _FAR_BITS)) == -1:
        return 1 if x > 0 else -1  # as tails decrease
    steps = precisions((x, value))
    for bits in steps:
        found = sign(add(tail(abs(x), bits), rational(-rest, bits + _GUARD), bits + _GUARD))
        if found:
            return -found if x > 0 else found
    raise Rejected(undecided(steps[-1]), where)
