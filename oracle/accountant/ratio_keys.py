"""Integer keys of likelihood ratios: within 1 of 2^B log r, so that sums of keys order products of ratios."""

from __future__ import annotations

from itertools import accumulate

from flint import arb
from gmpy2 import mpq, mpz

from oracle.enclosures import precision, rational_ball, rational_bounds
from oracle.errors import InputError, shorten
from oracle.levels import Level

__all__ = ["level_key", "log_key", "powers"]


def log_key(ratio: mpq, places: int) -> int:
    """An integer within 1 of 2^places log(ratio), for a ratio above 0."""
    bits = places + 32 + max(ratio.numerator.bit_length(), ratio.denominator.bit_length()).bit_length()
    with precision(bits):
        return _nearest(rational_ball(ratio).log() * arb(2) ** places)


def level_key(level: Level, places: int) -> int:
    """An integer within 1 of 2^places log a, for a level other than 0 and infinity."""
    if level.exponent is None and isinstance(level.value, mpq):
        return log_key(level.value, places)
    exponent = level.exponent or mpq(0)
    with precision(places + 32 + exponent.numerator.bit_length()):
        return _nearest(rational_ball(exponent) * arb(2) ** places)


def _nearest(x: arb) -> int:
    """An integer within 1 of every point of a ball of width at most 1/4."""
    lo, hi = rational_bounds(x)
    if hi - lo > mpq(1, 4):
        raise InputError("a ball of width at most 1/4", shorten(str(x)))
    # The floor of middle + 1/2 is within 1/2 of the middle, which is within 1/8 of every point.
    return int((lo + hi + 1) / 2 // 1)


def powers(x: mpz, most: int) -> list[mpz]:
    """The powers 1, x, ..., x^most."""
    return list(accumulate([x] * most, lambda a, b: a * b, initial=mpz(1)))
