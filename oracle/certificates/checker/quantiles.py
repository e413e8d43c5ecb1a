"""Rational brackets of the quantiles of the standard normal law, and of the least mu of a two-row channel.

The least mu is the largest Phi^-1(1 - a) - Phi^-1(b) over the corners (a, b) of T(P, Q) with 0 < a < 1 (0 < b < 1):
at a corner that number is the mu with G_mu(a) = b, T is linear between its corners and G_mu is convex, hence below its
chords.  It is infinite if T(0) < 1, or if T is 0 before a = 1, and 0 if there is no such corner.

A quantile is 0 for 1/2, else, up to its sign, the x > 0 with tail(x) = v < 1/2, tail = 1 - Phi.  Multiples of 1/16 and
then halving come close; tail is convex there, so that Newton's method from the left approaches x from the left.  What
it proposes is proved by the signs of tail - v on both sides.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from fractions import Fraction

from .measures import bounds_of, require_value
from .normal import density, tail
from .series import Bracket, add, rational, sign
from .verdict import Rejected

Ends = tuple[Fraction, Fraction]
Corner = tuple[Fraction, Fraction]

_GUARD = 32
_UNIT = 16
_SIGN_BITS = 64
_FIRST = 3
_ROUNDS = (8, 24, 48)
_HALF = Fraction(1, 2)


@functools.lru_cache(maxsize=4096)
def _step(k: int) -> Bracket:
    """Bracket tail(k/16), k >= 1."""
    return tail(Fraction(k, _UNIT), _SIGN_BITS)


class Quantile:
    """Phi^-1(p), 0 < p < 1, in a bracket that is made smaller as far as is asked for."""

    def __init__(self, p: Fraction) -> None:
        self._above = p > _HALF
        self._share = 1 - p if self._above else p
        self._ends: Ends = (Fraction(0), Fraction(0))
        if p != _HALF:
            self._ends = self._near()

    def _sign(self, found: Bracket, bits: int) -> int | None:
        """The sign of a bracket of a tail less the share."""
        return sign(add(found, rational(-self._share, bits + _GUARD), bits + _GUARD))

    def _near(self) -> Ends:
        """Neighbouring multiples of 1/16, or such a pair with one between them that is too close to tell."""
        low, high = 0, _UNIT
        while self._sign(_step(high), _SIGN_BITS) != -1:
            low, high = (high, 2 * high) if self._sign(_step(high), _SIGN_BITS) == 1 else (low, 2 * high)
        while high - low > 1:
            middle = (low + high) // 2
            found = self._sign(_step(middle), _SIGN_BITS)
            if found is None:
                break
            low, high = (middle, high) if found == 1 else (low, middle)
        return Fraction(low, _UNIT), Fraction(high, _UNIT)

    def bracket(self, bits: int) -> Ends:
        """Return two ends about 2^-bits apart."""
        low, high = self._ends
        if high - low > Fraction(2, 1 << bits):
            low, high = self._ends = self._refined(bits)
        return (low, high) if self._above else (-high, -low)

    def _refined(self, bits: int) -> Ends:
        low, high = self._ends
        while high - low > 1 / (8 * (high + 1)):
            middle = (low + high) / 2
            found = self._sign(tail(middle, _SIGN_BITS), _SIGN_BITS)
            if found is None:
                break
            low, high = (middle, high) if found == 1 else (low, middle)
        x, reached = max(low, Fraction(1, _UNIT * _UNIT)), _FIRST
        while reached < bits + _GUARD:
            reached = min(2 * reached, bits + _GUARD)
            scale = reached + _GUARD
            x = Fraction(max(1, (x.numerator << scale) // x.denominator), 1 << scale)
            excess = bounds_of(tail(x, scale))[0] - self._share
            place = (x.numerator << scale) // x.denominator
            x += excess / bounds_of(density(place, place, scale))[0]
        return self._proved(x, bits, low, high)

    def _proved(self, x: Fraction, bits: int, low: Fraction, high: Fraction) -> Ends:
        """The ends x - 2^-bits and x + 2^-bits, or further ones within the known bracket, by the signs there."""
        for slack in (0, 8, bits // 2):
            step = Fraction(1, 1 << max(0, bits - slack))
            middle = Fraction((x.numerator << bits + _GUARD) // x.denominator, 1 << bits + _GUARD)
            first, last = max(low, middle - step), min(high, middle + step)
            if (first == low or self._sign(tail(first, bits + _GUARD), bits) == 1) and (
                last == high or self._sign(tail(last, bits + _GUARD), bits) == -1
            ):
                return first, last
        raise Rejected(f"a quantile is undecided at {bits} bits")


def least_mu(corners: Sequence[Corner]) -> Callable[[int], Ends] | Fraction | None:
    """Return the least mu of a channel whose T(P, Q) has these corners; None where no mu serves.

    A corner of which the bracket lies below another is left out before the others are looked at more closely.
    """
    if corners[0][1] != 1 or corners[-2][1] == 0:
        return None
    inner = corners[1:-1]
    if not inner:
        return Fraction(0)
    waiting = [(Quantile(1 - alpha), Quantile(beta)) for alpha, beta in inner]

    def bracket(bits: int) -> Ends:
        for rough in (0, *(k for k in _ROUNDS if k < bits), bits):
            found = [(first.bracket(rough), second.bracket(rough)) for first, second in waiting]
            ends = [(low[0] - high[1], low[1] - high[0]) for low, high in found]
            least = max(low for low, _ in ends)
            waiting[:] = [pair for pair, (_, most) in zip(waiting, ends, strict=True) if most >= least]
        return least, max(most for _, most in ends)

    return bracket


def check_least_mu(
    corners: Sequence[Corner], claimed: Fraction, result: dict[str, object], digits: int, where: str
) -> None:
    """Reject a tight mu or a slack that is not what follows from the corners of T(P, Q)."""
    found = least_mu(corners)
    if found is None:
        for name, wanted in (("tight", "inf"), ("slack", "-inf")):
            if result[name] != wanted:
                raise Rejected(f'expected "{wanted}"', f"{where}.{name}")
        return
    require_value(result["tight"], found, f"{where}.tight", digits)
    if isinstance(found, Fraction):
        require_value(result["slack"], claimed - found, f"{where}.slack")
        return
    least = found

    def rest(bits: int) -> Ends:
        low, high = least(bits)
        return claimed - high, claimed - low

    require_value(result["slack"], rest, f"{where}.slack")
