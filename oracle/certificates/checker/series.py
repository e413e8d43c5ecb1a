"""Rational brackets of exp, log and powers, and the sign of e^r - x.

A bracket is a pair of dyadic rationals lo <= truth <= hi, each a pair (m, e) meaning m * 2^e.  Every operation rounds
lo down and hi up to a number of bits, so that brackets of numbers of any size stay small; the exponents are Python
integers, so that e^(10^50) is no special case.
"""

from __future__ import annotations

import functools
import math
from typing import TYPE_CHECKING, NamedTuple

from .verdict import Rejected

if TYPE_CHECKING:
    from collections.abc import Iterable
    from fractions import Fraction

Dyadic = tuple[int, int]

# A sign is asked for at 64 bits, 256, 1024, ... up to a limit that grows with the numbers at hand, as numbers of many
# digits may be as close to one another as they are long; after it the answer is "undecided".
_FIRST = 64
_LIMIT = 16384
_LAST = 1 << 17
# Arguments of exp of at least 2^_LARGE are bracketed between powers of 2 only.
_LARGE = 64
_GUARD = 80


def precisions(numbers: Iterable[Fraction]) -> list[int]:
    """Return the precisions to try for a question about the given numbers: 16384 bits and twice their size at most."""
    sizes = (number.numerator.bit_length() + number.denominator.bit_length() for number in numbers)
    limit = min(_LIMIT + 2 * max(sizes, default=0), _LAST)
    steps = [_FIRST]
    while 4 * steps[-1] < limit:
        steps.append(4 * steps[-1])
    return [*steps, limit]


def undecided(bits: int) -> str:
    """Return the reason of a rejection after the last precision."""
    return f"undecided at {bits} bits"


class Bracket(NamedTuple):
    """Dyadic bounds lo <= truth <= hi."""

    lo: Dyadic
    hi: Dyadic


ONE = Bracket((1, 0), (1, 0))
ZERO = Bracket((0, 0), (0, 0))


def _down(value: Dyadic, bits: int) -> Dyadic:
    mantissa, exponent = value
    excess = mantissa.bit_length() - bits
    return (mantissa >> excess, exponent + excess) if excess > 0 else value


def _up(value: Dyadic, bits: int) -> Dyadic:
    return _negative(_down(_negative(value), bits))


def _negative(value: Dyadic) -> Dyadic:
    return -value[0], value[1]


def _top(value: Dyadic) -> int:
    """Return t with |value| < 2^t, and |value| >= 2^(t-1) unless it is zero."""
    return value[1] + value[0].bit_length()


def _order(left: Dyadic, right: Dyadic) -> int:
    """Return a number with the sign of left - right."""
    signs = [(value[0] > 0) - (value[0] < 0) for value in (left, right)]
    if signs[0] != signs[1] or signs[0] == 0:
        return signs[0] - signs[1]
    if _top(left) != _top(right):
        return signs[0] * (1 if _top(left) > _top(right) else -1)
    low = min(left[1], right[1])  # equal tops: no shift below is longer than a mantissa
    return (left[0] << (left[1] - low)) - (right[0] << (right[1] - low))


def _add_down(left: Dyadic, right: Dyadic, bits: int) -> Dyadic:
    """Return a number of at most `bits` bits that is <= left + right; both have at most `bits` bits."""
    if left[0] == 0 or right[0] == 0:
        return right if left[0] == 0 else left
    if _top(left) < _top(right):
        left, right = right, left
    # An addend below 2^low is too small to matter: 0 and -2^low bound it from below.
    low = _top(left) - 2 * bits - 4
    if _top(right) <= low:
        right = (0 if right[0] > 0 else -1, low)
    base = min(left[1], right[1])
    return _down(((left[0] << (left[1] - base)) + (right[0] << (right[1] - base)), base), bits)


def add(left: Bracket, right: Bracket, bits: int) -> Bracket:
    """Bracket the sum of two bracketed numbers."""
    high = _negative(_add_down(_negative(left.hi), _negative(right.hi), bits))
    return Bracket(_add_down(left.lo, right.lo, bits), high)


def multiply(left: Bracket, right: Bracket, bits: int) -> Bracket:
    """Bracket the product of two bracketed numbers of any signs."""
    corners = sorted(((a[0] * b[0], a[1] + b[1]) for a in left for b in right), key=functools.cmp_to_key(_order))
    return Bracket(_down(corners[0], bits), _up(corners[-1], bits))


def sign(value: Bracket) -> int | None:
    """Return the sign of the bracketed number, or None when the bracket does not decide it."""
    if value.lo[0] > 0:
        return 1
    if value.hi[0] < 0:
        return -1
    return 0 if value.lo[0] == value.hi[0] == 0 else None


def rational(value: Fraction, bits: int) -> Bracket:
    """Bracket a rational number to about `bits` bits."""
    above, below = abs(value.numerator), value.denominator
    shift = bits + below.bit_length() - above.bit_length()
    quotient, rest = divmod(above << max(shift, 0), below << max(-shift, 0))
    bracket = Bracket(_down((quotient, -shift), bits), _up((quotient + (rest > 0), -shift), bits))
    return Bracket(_negative(bracket.hi), _negative(bracket.lo)) if value < 0 else bracket


def _atanh(low: int, high: int, scale: int) -> tuple[int, int]:
    """Bracket 2^scale * atanh(t) for 2^scale * t in [low, high], 0 <= t <= 1/3.

    atanh t = t + t^3/3 + t^5/5 + ...: the lower sum cuts every term down and stops, which is safe as terms are >= 0.
    The upper sum cuts every power up; once the power is at most one unit, the terms left out sum to at most
    1/9 + 1/81 + ... < 1 unit.
    """
    square_low, square_high = low * low >> scale, -(-high * high >> scale)
    below, above, odd, power = 0, 0, 1, low
    while power:
        below += power // odd
        power = power * square_low >> scale
        odd += 2
    odd, power = 1, high
    while power:
        above += -(-power // odd)
        if power == 1:
            above += 1
            break
        power = -(-power * square_high >> scale)
        odd += 2
    return below, above


@functools.lru_cache(maxsize=32)
def _log_two(scale: int) -> tuple[int, int]:
    """Bracket 2^scale * ln 2, from ln 2 = 2 atanh(1/3); as `_atanh`, with short divisions for the multiplications."""
    below, odd, power = 0, 1, (1 << scale) // 3
    while power:
        below += power // odd
        power //= 9
        odd += 2
    above, odd, power = 1, 1, (1 << scale) // 3 + 1
    while power > 1:
        above -= -power // odd
        power = -(-power // 9)
        odd += 2
    return 2 * below, 2 * (above + 1)


def log(value: Fraction, bits: int) -> Bracket:
    """Bracket ln(value), value > 0, with an error of about 2^-bits times the largest of 1 and its size.

    value = y 2^k with 1/2 < y < 2, and ln y = 2 atanh((y - 1)/(y + 1)), whose argument is between -1/3 and 1/3.
    """
    if value == 1:
        return ZERO
    scale = bits + _GUARD
    power = value.numerator.bit_length() - value.denominator.bit_length()
    above, below = value.numerator << max(-power, 0), value.denominator << max(power, 0)
    quotient, rest = divmod(abs(above - below) << scale, above + below)
    low, high = (2 * bound for bound in _atanh(quotient, quotient + (rest > 0), scale))
    if above < below:
        low, high = -high, -low
    two_low, two_high = _log_two(scale)
    low += power * (two_low if power >= 0 else two_high)
    high += power * (two_high if power >= 0 else two_low)
    return Bracket(_down((low, -scale), bits), _up((high, -scale), bits))


def _exp_large(argument: Dyadic) -> Bracket:
    """Bracket e^x for large |x|: with n = floor |x|, 2^n <= e^|x| < 4^(n+1), as 2 < e < 4."""
    mantissa, exponent = abs(argument[0]), argument[1]
    floor = mantissa << exponent if exponent >= 0 else mantissa >> -exponent
    if argument[0] > 0:
        return Bracket((1, floor), (1, 2 * floor + 2))
    return Bracket((1, -2 * floor - 2), (1, -floor))


def _exp_point(argument: Dyadic, bits: int) -> Bracket:
    """Bracket e^x for one dyadic x.

    e^x = 2^k (e^(r/2^j))^(2^j) with r = x - k ln 2 in [0, 1): fixed point with every step rounded down for the lower
    and up for the upper bound, all numbers being >= 0.  Taylor: the upper sum stops once a term is at most one unit;
    as r/2^j <= 1/2, each later term is at most half the one before it, so together they are at most one unit more.
    """
    if argument[0] == 0:
        return ONE
    if _top(argument) > _LARGE:
        return _exp_large(argument)
    halvings = math.isqrt(bits) + 2
    scale = bits + 2 * halvings + _GUARD
    shift = argument[1] + scale
    low = argument[0] << shift if shift >= 0 else argument[0] >> -shift
    high = low if shift >= 0 else -(-argument[0] >> -shift)
    two_low, two_high = _log_two(scale)
    power = low // two_high
    while low - power * (two_high if power >= 0 else two_low) < 0:
        power -= 1
    low -= power * (two_high if power >= 0 else two_low)
    high -= power * (two_low if power >= 0 else two_high)
    low, high = low >> halvings, -(-high >> halvings)
    below = term = 1 << scale
    count = 1
    while term:
        term = (term * low >> scale) // count
        below += term
        count += 1
    above = term = 1 << scale
    count = 1
    while term > 1:
        product = -(-term * high >> scale)
        term = -(-product // count)
        above += term
        count += 1
    above += 1
    for _ in range(halvings):
        below, above = below * below >> scale, -(-above * above >> scale)
    return Bracket(_down((below, power - scale), bits), _up((above, power - scale), bits))


def exp(argument: Bracket, bits: int) -> Bracket:
    """Bracket e^x for x in a bracket; exp is increasing."""
    low = _exp_point(argument.lo, bits)
    return low if argument.lo == argument.hi else Bracket(low.lo, _exp_point(argument.hi, bits).hi)


def add_all(values: Iterable[Bracket], bits: int) -> Bracket:
    """Bracket a sum."""
    result = ZERO
    for value in values:
        result = add(result, value, bits)
    return result


def exp_sign(argument: Fraction, against: Fraction, where: str) -> int:
    """Return the proved sign of e^argument - against.

    Zero happens for argument 0 only (Lindemann: e^r is transcendental for rational r != 0), so refining the brackets
    decides every other case; closer than the last precision is rejected as undecided.  First, arguments of any size:
    e^r > 1 + r for r != 0; with -r for r, for r < 1, e^r < 1/(1 - r).
    """
    if argument == 0:
        return (against < 1) - (against > 1)
    if against <= 0:
        return 1
    if against <= 1 + argument:
        return 1
    if argument < 1 and against * (1 - argument) >= 1:
        return -1
    steps = precisions((argument, against))
    for bits in steps:
        value = exp(rational(argument, bits + _GUARD), bits)
        found = sign(add(value, rational(-against, bits), bits))
        if found:
            return found
    raise Rejected(undecided(steps[-1]), where)
