"""Where a decreasing positive function takes the value 1: guessed by the secant method, proved by two signs."""

from __future__ import annotations

from collections.abc import Callable

from flint import arb

from oracle.enclosures import COMPARISON_BITS, Ball, Enclosure, enclose, precision
from oracle.errors import UndecidedError

__all__ = ["decreasing_root"]

_MOST_STEPS = 200
_MOST_DOUBLINGS = 2000
_MOST_UNKNOWN = 4


def decreasing_root(function: Callable[[arb], Ball], digits: int) -> Enclosure:
    """Enclosure of an x > 0 with r(x) = 1, for r non-increasing with r(0) > 1 and a limit below 1.

    Args:
        function: from an exact point to the ball of r there.
        digits: of the enclosure.

    The secant method on the logarithm of r, kept inside a bracket of proved signs, finds x; then
    r(x(1 - h)) > 1 > r(x(1 + h)) is proved with h = 10^(-digits-2), and every root lies between. Where that
    cannot be had, the precision doubles.

    Raises:
        UndecidedError: if the precision limit is reached without such a proof.
    """
    bits = 60 + digits * 10 // 3
    while True:
        found = _attempt(function, digits, bits)
        if found is not None:
            return enclose(_constant(found), digits)
        if bits >= COMPARISON_BITS:
            raise UndecidedError("where a decreasing function takes a value", bits)
        bits = min(2 * bits, COMPARISON_BITS)


def _constant(value: arb) -> Ball:
    return lambda _: value


def _attempt(function: Callable[[arb], Ball], digits: int, bits: int) -> arb | None:
    """A ball of relative radius 10^(-digits-2) that is proved to contain the root, or None."""
    with precision(bits):
        return _search(lambda x: function(x)(bits), digits)


def _search(at: Callable[[arb], arb], digits: int) -> arb | None:
    one = arb(1)
    bracket = _bracket(at)
    if bracket is None:
        return None
    low, high = bracket
    x0, y0, x1, y1 = low, _log(at(low)), high, _log(at(high))
    step = arb(10) ** (-digits - 2)
    for _ in range(_MOST_STEPS):
        guess = _secant(x0, y0, x1, y1)
        if guess is None or not low < guess < high:
            guess = ((low + high) / 2).mid()
        value = at(guess)
        if value > one:
            low = guess
        elif value < one:
            high = guess
        unknown = not (value > one or value < one)
        if unknown or abs(guess - x1) < guess * step / 4:
            before, after = (guess * (1 - step)).mid(), (guess * (1 + step)).mid()
            if at(before) > one and at(after) < one:
                return before.union(after)
            if unknown:
                return None
        x0, y0, x1, y1 = x1, y1, guess, _log(value)
    return None


def _bracket(at: Callable[[arb], arb]) -> tuple[arb, arb] | None:
    """Exact points low < high with r(low) > 1 > r(high), low possibly 0; None if a sign is not known."""
    low, high, unknown = arb(0), arb(1), 0
    for _ in range(_MOST_DOUBLINGS):
        value = at(high)
        if value < 1:
            return low, high
        if value > 1:
            low, unknown = high, 0
        else:
            unknown += 1
            if unknown > _MOST_UNKNOWN:
                return None
        high = 2 * high
    return None


def _log(ratio: arb) -> arb:
    """The logarithm of the midpoint, not a number where that is not positive."""
    return arb(ratio.mid()).log().mid()


def _secant(x0: arb, y0: arb, x1: arb, y1: arb) -> arb | None:
    """Where the line through two points meets 0, as an exact point, if it does."""
    if not (y0.is_finite() and y1.is_finite()) or (y0 - y1).contains(0):
        return None
    return (x1 - y1 * (x1 - x0) / (y1 - y0)).mid()
