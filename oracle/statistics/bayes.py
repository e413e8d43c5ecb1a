"""Bayesian regions exactly: with uniform priors, the posterior probability that the two probabilities obey a claim.

Let x = Q(S) and y = P(S) have independent uniform priors. After k2 of n2 and k1 of n1 their posteriors are the Beta
distributions with the integer parameters (k2 + 1, n2 - k2 + 1) and (k1 + 1, n1 - k1 + 1), of distribution function F(t)
= P[Bin(n + 1, t) >= k + 1], a polynomial. A claim f <= T(P, Q) and f <= T(Q, P), with g = max(f, f^-1), allows

    g(1 - x) <= y <= 1 - g(x),

S and its complement as rejection sets of either law, so that the posterior probability of what it allows is

    integral over x in [0, 1] of  f2(x) (F1(1 - g(x)) - F1(g(1 - x))) dx,

a sum of integrals of polynomials between rational corners: a rational number (Zanella-Béguelin et al., *Bayesian
Estimation of Differential Privacy*, ICML 2023, section 4, with their Jeffreys priors replaced by uniform ones).

This is a credible statement: its probability is about the priors, and it is no confidence. How often it is wrong where
the claim holds is a matter of the probabilities themselves; see :mod:`oracle.statistics.coverage`.
"""

from __future__ import annotations

from itertools import pairwise
from math import comb
from typing import Final

from flint import fmpq, fmpq_poly
from gmpy2 import mpq

from oracle.channels.tradeoff import TradeoffFunction, approximate_dp_curve, maximum
from oracle.errors import InputError, LimitError
from oracle.statistics.events import Count, EventCounts

__all__ = ["credible_exp_epsilon", "curve_credibility", "region_credibility"]

_MOST_RUNS: Final = 4000
_MOST_STEPS: Final = 40
"""Doublings of the grid on the way to a bound on the claim: e^epsilon up to 2^40."""


def region_credibility(counts: EventCounts, exp_epsilon: mpq, delta: mpq) -> mpq:
    """The posterior probability that S and its complement obey (epsilon, delta), in both directions: exact.

    Args:
        counts: of the event.
        exp_epsilon: e^epsilon, rational, at least 1.
        delta: from 0 to 1.
    """
    return curve_credibility(counts, approximate_dp_curve(exp_epsilon, delta))


def curve_credibility(counts: EventCounts, curve: TradeoffFunction) -> mpq:
    """The posterior probability that S and its complement obey f <= T(P, Q) and f <= T(Q, P): exact.

    Raises:
        LimitError: for more than 4000 runs on the two inputs together.
    """
    runs = counts.first.runs + counts.second.runs
    if runs > _MOST_RUNS:
        raise LimitError(f"at most {_MOST_RUNS} runs on the two inputs together", str(runs), "counts")
    both = maximum([curve, curve.inverse()])
    density, distribution = _density(counts.second), _distribution(counts.first)
    above = sum(
        (_integral(density, distribution, (a0, 1 - b0), (a1, 1 - b1)) for (a0, b0), (a1, b1) in pairwise(both.corners)),
        fmpq(0),
    )
    below = sum(
        (_integral(density, distribution, (1 - a1, b1), (1 - a0, b0)) for (a0, b0), (a1, b1) in pairwise(both.corners)),
        fmpq(0),
    )
    return mpq(str(above - below))


def _integral(density: fmpq_poly, distribution: fmpq_poly, left: tuple[mpq, mpq], right: tuple[mpq, mpq]) -> fmpq:
    """The integral of density(x) distribution(y) along the segment from *left* to *right*, x increasing."""
    (x0, y0), (x1, y1) = left, right
    slope = (y1 - y0) / (x1 - x0)
    line = fmpq_poly([_flint(y0 - slope * x0), _flint(slope)])
    primitive = (density * distribution(line)).integral()
    return primitive(_flint(x1)) - primitive(_flint(x0))


def _density(count: Count) -> fmpq_poly:
    """The density of the posterior: (n + 1) C(n, k) x^k (1 - x)^(n - k)."""
    n, k = count.runs, count.hits
    return (n + 1) * comb(n, k) * fmpq_poly([0] * k + [1]) * fmpq_poly([1, -1]) ** (n - k)


def _distribution(count: Count) -> fmpq_poly:
    """The distribution function of the posterior, the primitive of its density that is 0 at 0."""
    return _density(count).integral()


def _flint(value: mpq) -> fmpq:
    return fmpq(int(value.numerator), int(value.denominator))


def credible_exp_epsilon(counts: EventCounts, delta: mpq, credibility: mpq, grid: int = 1000) -> mpq:
    """The largest j/grid > 1 such that the posterior probability of (log(j/grid), delta) is at most 1 - credibility.

    The probability increases with epsilon, so every smaller epsilon has no more. It is 1, which bounds nothing, where
    there is no such j.

    Raises:
        InputError: for a credibility outside (0, 1).
        LimitError: for more than 4000 runs on the two inputs together, or a bound above 2^40.
    """
    if not 0 < credibility < 1:
        raise InputError("a credibility above 0 and below 1", str(credibility), "credibility")
    most = 1 - credibility

    def little(j: int) -> bool:
        return region_credibility(counts, mpq(j, grid), delta) <= most

    low, step = grid, 1
    while little(low + step):
        low, step = low + step, 2 * step
        if step > grid << _MOST_STEPS:
            raise LimitError("a bound of at most 2^40", "a larger one", "exp_epsilon")
    high = low + step
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if little(middle) else (low, middle)
    return mpq(low, grid)
