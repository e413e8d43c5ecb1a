"""A lower bound of delta that one large loss gives: of the event that some step has one.

Let A_j be an event of step j of finite losses, with masses p_j and q_j under P and Q, and A the event that every loss
is finite and A_j happens in some step. With f_j = P(L_j < inf) and s_j = Q(P_j > 0) its masses are

    P(A) = Π f_j^(k_j) - Π (f_j - p_j)^(k_j),   Q(A) = Π s_j^(k_j) - Π (s_j - q_j)^(k_j),

and E_P[max(0, 1 - e^(eps-L)); L < inf] >= P(A) - e^eps Q(A), as the integrand is at least 1 - e^(eps-L), on A, and at
least 0. So delta(eps) <= d needs e^eps >= (P(L = inf) + P(A) - d)/Q(A). Where the two laws of a step hardly overlap,
this and the total variation enclose delta to all its digits.
"""

from __future__ import annotations

from typing import Final

from flint import arb
from gmpy2 import mpq

from oracle.accountant.parts import Composition
from oracle.enclosures import rational_bounds

__all__ = ["large_loss_bound", "large_loss_epsilon", "large_loss_masses"]

_BEYOND: Final = (0, 2, 16, 128)
"""How far beyond eps a loss is large."""

_LOSSES: Final = tuple(2.0 ** (i / 2) for i in range(-40, 81))


def large_loss_masses(composition: Composition, loss: arb) -> tuple[arb, arb]:
    """Balls, at the working precision, of a number at most P(A) and one at least Q(A), A_j about {L_j > loss}."""
    finite = seen = arb(1)
    without_p = without_q = arb(0)
    for part, times in composition:
        f, s = part.finite_mass(), part.seen_mass()
        finite, seen = finite * f**times, seen * s**times
        p, q = part.large_loss(loss)
        if p > 0 and q > 0:
            without_p += times * _log_rest((p / f).lower())
            without_q += times * _log_rest((q / s).upper())
    return -finite * without_p.expm1(), -seen * without_q.expm1()


def _log_rest(share: arb) -> arb:
    return (-share).log1p() if share < 1 else arb.neg_inf()


def large_loss_bound(composition: Composition, eps: arb) -> arb:
    """An exact ball, at least 0, of a number that is at most delta_fin(eps)."""
    best = arb(0)
    for more in _BEYOND:
        p, q = large_loss_masses(composition, eps + more)
        best = best.max((p - eps.exp() * q).lower())
    return best


def large_loss_epsilon(composition: Composition, left: arb) -> mpq:
    """A number that is at most every eps >= 0 with delta_fin(eps) <= *left*."""
    best = mpq(0)
    for loss in _LOSSES:
        p, q = large_loss_masses(composition, arb(loss))
        if p > left and q > 0:
            eps = ((p - left) / q).log()
            if eps.is_finite():
                best = max(best, rational_bounds(eps)[0])
    return best
