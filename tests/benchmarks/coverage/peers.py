"""Statistical methods as other tools have them, in double precision: the functions whose answers are enumerated.

Each is written down here from its definition, as short as it goes; what is audited is the method, not a release of a
tool.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from statistics import NormalDist

from mpmath import fp

__all__ = ["clopper_pearson", "jeffreys", "normal_test", "rebuilt", "rectangle"]

Bound = Callable[[int, int, float], float]
"""A lower bound of p at a level, from k of n."""


def _solve(tail: Callable[[float], float], level: float) -> float:
    """The p at which an increasing function reaches the level."""
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if tail(middle) < level else (low, middle)
    return low


def clopper_pearson(hits: int, runs: int, level: float) -> float:
    """The p with P[Bin(n, p) >= k] = level, by the incomplete beta function."""
    if hits == 0:
        return 0.0
    return _solve(lambda p: float(fp.betainc(hits, runs - hits + 1, 0, p, regularized=True)), level)


def jeffreys(hits: int, runs: int, level: float) -> float:
    """The quantile of Beta(k + 1/2, n - k + 1/2); 0 for no hit, as is usual."""
    if hits == 0:
        return 0.0
    return _solve(lambda p: float(fp.betainc(hits + 0.5, runs - hits + 0.5, 0, p, regularized=True)), level)


def rectangle(
    bound: Bound, runs: tuple[int, int], exp_epsilon: float, delta: float, level: float
) -> Callable[[int, int], bool]:
    """Reject (epsilon, delta) by bounds of both probabilities, each at half the level."""

    def rejects(k1: int, k2: int) -> bool:
        lower = bound(k1, runs[0], level / 2)
        upper = 1 - bound(runs[1] - k2, runs[1], level / 2)
        return lower > exp_epsilon * upper + delta

    return rejects


def normal_test(runs: tuple[int, int], exp_epsilon: float, delta: float, level: float) -> Callable[[int, int], bool]:
    """Reject where p - e^epsilon q - delta is large in its estimated standard deviations (Wald)."""
    critical = NormalDist().inv_cdf(1 - level)

    def rejects(k1: int, k2: int) -> bool:
        p, q = k1 / runs[0], k2 / runs[1]
        variance = p * (1 - p) / runs[0] + exp_epsilon**2 * q * (1 - q) / runs[1]
        excess = p - exp_epsilon * q - delta
        return excess > 0 and excess > critical * math.sqrt(variance)

    return rejects


def rebuilt(rejects: Callable[[int, int], bool], runs: tuple[int, int]) -> Callable[[int, int], bool]:
    """The same test on counts that are made again from frequencies as int((k/n)*n), which truncates some of them."""
    return lambda k1, k2: rejects(int((k1 / runs[0]) * runs[0]), int((k2 / runs[1]) * runs[1]))
