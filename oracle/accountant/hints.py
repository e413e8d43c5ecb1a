"""Binary floats for planning, from exact numbers and back: proposals, never believed."""

from __future__ import annotations

from math import frexp, inf, isfinite, ldexp

from gmpy2 import mpq

from oracle.enclosures import Ball, precision, rational_ball
from oracle.errors import LimitError, shorten
from oracle.exact import from_binary64, to_text

__all__ = ["clipped", "dyadic", "positive_float"]

_BITS = 64
_FARTHEST = 1e280


def positive_float(x: mpq) -> float:
    """About a number above 0.

    Raises:
        LimitError: if it is beyond the range of binary64.
    """
    with precision(_BITS):
        value = float(rational_ball(x))
    if not 0 < value < inf:
        raise LimitError("a parameter within the range of binary64", shorten(to_text(x)))
    return value


def clipped(value: Ball) -> float:
    """About a number, or the nearest end of a range in which products with parameters stay finite."""
    return min(max(float(value(_BITS)), -_FARTHEST), _FARTHEST)


def dyadic(x: float, bits: int = 14) -> mpq:
    """The number rounded towards 0 to *bits* significant bits, exactly.

    Raises:
        LimitError: if it is not finite or 0.
    """
    if not isfinite(x) or x == 0:
        raise LimitError("a proposal that is a finite number other than 0", repr(x))
    mantissa, exponent = frexp(x)
    return from_binary64(ldexp(int(ldexp(mantissa, bits)), exponent - bits))
