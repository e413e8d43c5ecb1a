"""Proposals of Clopper-Pearson bounds in double precision, which nothing relies on: whoever asks verifies them exactly.

This is the one module of the room that computes with floats.
"""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Final

from gmpy2 import mpq

__all__ = ["propose_lower_bound"]

_ROUNDS: Final = 60
_MOST_LEVELS: Final = 200_000
_TINY: Final = 1e-300
_LEAST_LOG: Final = -600.0
_NEAR_ONE: Final = 1 - 1e-15


def propose_lower_bound(hits: int, runs: int, level: mpq, grid: int) -> int:
    """A j, most likely the largest with P[Bin(runs, j/grid) >= hits] <= level; for 1 <= hits <= runs, 0 < level < 1."""
    return math.floor(_root(hits, runs, level) * grid)


def _root(hits: int, runs: int, level: mpq) -> float:
    """A double near the p with P[Bin(runs, p) >= hits] = level: Newton steps on the logarithm of the tail."""
    a, b = float(hits), float(runs - hits + 1)
    target = math.log(int(level.numerator)) - math.log(int(level.denominator))
    z = NormalDist().inv_cdf(min(math.exp(target), _NEAR_ONE)) if target > _LEAST_LOG else -math.sqrt(-2 * target)
    share = hits / runs
    centre, width = share + z * z / (2 * runs), -z * math.sqrt((share * (1 - share) + z * z / (4 * runs)) / runs)
    x = (centre - width) / (1 + z * z / runs)
    low, high = 0.0, 1.0
    for _ in range(_ROUNDS):
        if not low < x < high:
            x = (low + high) / 2
        value, slope = _log_tail(a, b, x)
        if value < target:
            low = x
        else:
            high = x
        step = (target - value) / slope if slope else 0.0
        if abs(step) <= 1e-15 * x or high - low <= 1e-15 * high:
            break
        x += step
    return min(max(x, low), high)


def _log_tail(a: float, b: float, x: float) -> tuple[float, float]:
    """The logarithm of I_x(a, b) in doubles, and its derivative."""
    front = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    if x < (a + 1) / (a + b + 2):
        fraction = max(_fraction(a, b, x) / a, _TINY)
        return front + math.log(fraction), 1 / (x * (1 - x) * fraction)
    rest = math.exp(front) * _fraction(b, a, 1 - x) / b
    tail = max(1 - rest, _TINY)
    return math.log(tail), math.exp(front) / (x * (1 - x) * tail)


def _fraction(a: float, b: float, x: float) -> float:
    """The continued fraction of I_x(a, b) (DLMF 8.17.22) by the modified Lentz algorithm, in doubles."""
    c, d = 1.0, 1 / _away(1 - (a + b) * x / (a + 1))
    value = d
    for m in range(1, _MOST_LEVELS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        change = 1.0
        for term in (even, odd):
            d, c = 1 / _away(1 + term * d), _away(1 + term / c)
            change = c * d
            value *= change
        if abs(change - 1) < 1e-16:
            break
    return value


def _away(x: float) -> float:
    """A double that may be divided by."""
    return x if abs(x) > _TINY else _TINY
