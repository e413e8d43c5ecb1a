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

from flint import arb
from gmpy2 import mpq

from oracle.accountant.contour import Known
from oracle.accountant.hints import clipped, dyadic
from oracle.accountant.inversion import upper_moment
from oracle.accountant.large_losses import large_loss_epsilon
from oracle.accountant.parts import Composition, compose
from oracle.accountant.planning import epsilon_hint, saddle
from oracle.enclosures import DEFAULT_DIGITS, precision, rational_ball, rational_bounds
from oracle.errors import LimitError
from oracle.experiments.base import level_logarithm
from oracle.levels import Level

__all__ = ["bounds_at_once", "epsilon_bounds"]

_BITS: Final = 64
_MOST_BITS: Final = 1 << 20


def bounds_at_once(composition: Composition, level: Level) -> tuple[mpq, mpq]:
    """Rationals around delta at a level other than 0 and infinity."""
    known, epsilon = Known.of(composition, DEFAULT_DIGITS), level_logarithm(level)
    low, high = known.bounds(epsilon, saddle(known.cumulants, clipped(epsilon)))
    with precision(known.bits):
        # Smaller numbers are long to write out, and say no more.
        least = arb(2) ** -_MOST_BITS
        low = low if low > least else arb(0)
        ends = [rational_bounds(known.infinite + bound) for bound in (low, high.max(least))]
    return max(ends[0][0], mpq(0)), min(ends[1][1], mpq(1))


def epsilon_bounds(composition: Composition, delta: mpq) -> tuple[mpq, mpq | None]:
    """Rationals around the least eps >= 0 with delta(eps) <= *delta*; None for a number that is not known.

    From above total variation and Chernoff's bound, of the composition or of Gaussian pairs instead of their
    subsampling; from below one large loss (:mod:`oracle.accountant.large_losses`).
    """
    known = Known.of(composition, DEFAULT_DIGITS)
    with precision(known.bits):
        left = rational_ball(delta) - known.infinite
        if known.apart <= rational_ball(delta):
            return mpq(0), mpq(0)
        low = large_loss_epsilon(composition, left)
    most = _chernoff_epsilon(composition, delta)
    if most is None:
        most = _chernoff_epsilon(compose((part.dominating(), times) for part, times in composition), delta)
    return low, most


def _chernoff_epsilon(composition: Composition, delta: mpq) -> mpq | None:
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
