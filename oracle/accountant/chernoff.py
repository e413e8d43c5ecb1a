"""What is known of delta and epsilon of a composition at once, without an inversion: bounds that always hold.

With K the transform and D_c = c^c/(1+c)^(1+c), delta_fin(eps) <= D_c K(c) e^(-c eps) for every c > 0
(:mod:`oracle.accountant.aliasing`). So delta(eps) <= d as soon as

    eps >= (log D_c + log K(c) - log(d - P(L = inf)))/c.

Reference: M. Bun and T. Steinke, *Concentrated differential privacy*, TCC 2016; the factor D_c is that of C. Canonne,
G. Kamath and T. Steinke, *The discrete Gaussian for differential privacy*, NeurIPS 2020, proposition 12.
"""

from __future__ import annotations

from math import isfinite
from typing import Final

from gmpy2 import mpq

from oracle.accountant.contour import Known
from oracle.accountant.hints import dyadic
from oracle.accountant.inversion import upper_moment
from oracle.accountant.parts import Composition
from oracle.accountant.planning import epsilon_hint, saddle
from oracle.enclosures import DEFAULT_DIGITS, precision, rational_ball, rational_bounds
from oracle.errors import LimitError
from oracle.experiments.base import level_logarithm
from oracle.levels import Level

__all__ = ["chernoff_bounds", "chernoff_epsilon"]

_BITS: Final = 64
_MOST_EXPONENT: Final = 2.0**20


def chernoff_bounds(composition: Composition, level: Level) -> tuple[mpq, mpq]:
    """Rationals around delta at a level other than 0 and infinity."""
    known, epsilon = Known.of(composition, DEFAULT_DIGITS), level_logarithm(level)
    at = float(epsilon(_BITS))
    c = saddle(known.cumulants, at) if isfinite(at) else at
    # Beyond the largest loss there is no saddle; a bound of e^(-2^20) is small enough.
    c = min(c, _MOST_EXPONENT / max(1.0, abs(at)))
    with precision(known.bits):
        low, high = rational_bounds(known.infinite + known.bounds(epsilon, c))
    return max(low, mpq(0)), min(max(high, mpq(0)), mpq(1))


def chernoff_epsilon(composition: Composition, delta: mpq) -> mpq | None:
    """An eps >= 0 at which delta(eps) <= *delta*; None where no c is found at which K is within reach."""
    known = Known.of(composition, DEFAULT_DIGITS)
    with precision(known.bits):
        left = rational_ball(delta) - known.infinite
        if not left > 0:
            return None
        hint, c = epsilon_hint(known.cumulants, float(left.log()))
    if not isfinite(hint) or not isfinite(known.cumulants(c)):
        return None
    with precision(_BITS):
        try:
            at = rational_ball(dyadic(c))
            logarithm = at * at.log() - (1 + at) * at.log1p() + upper_moment(composition, at).log() - left.log()
            return max(rational_bounds(logarithm / at)[1], mpq(0))
        except LimitError:
            return None
