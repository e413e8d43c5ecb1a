"""Where a falling function on (0, 1) takes a value, by bisection with proved signs."""

from __future__ import annotations

from collections.abc import Callable

from flint import arb
from gmpy2 import mpq

from oracle.enclosures import Ball, precision, rational_ball

__all__ = ["falling_root"]

_GUARD = 30


def falling_root(function: Callable[[mpq], Ball], value: mpq) -> Ball:
    """The x in [0, 1) with f(x) = *value*, for f strictly falling there with f(0) > value > f(1).

    The ball at *bits* is an interval with f proved above the value at its lower and below it at its upper end (or at
    the ends 0 and 1). It is halved until it is narrower than 2^-bits of its upper end; where the sign at a point is not
    proved, that point's immediate neighbours are tried, and otherwise the interval stands.
    """

    def ball(bits: int) -> arb:
        working = bits + _GUARD

        def sign(x: mpq) -> int:
            with precision(working):
                gap = function(x)(working) - rational_ball(value)
            return 1 if gap > 0 else -1 if gap < 0 else 0

        low, high = mpq(0), mpq(1)
        scale = 1
        while low == 0 and scale <= 4 * bits:
            point = mpq(1, 1 << scale)
            known = sign(point)
            if known == 0:
                break
            low, high = (point, high) if known > 0 else (low, point)
            scale *= 2
        while (high - low) * (1 << bits) > high:
            middle = (low + high) / 2
            known = sign(middle)
            if known:
                low, high = (middle, high) if known > 0 else (low, middle)
                continue
            step = middle / (1 << (bits + 2))
            if sign(middle - step) > 0 and sign(middle + step) < 0:
                low, high = middle - step, middle + step
            break
        with precision(working):
            return rational_ball(low).union(rational_ball(high))

    return ball
