"""Audits in one run of a trade-off function: the recursion of Mahloujifar, Melis and Chaudhuri, with a proof.

The game is that of :mod:`oracle.statistics.one_run`, with m canaries and at most r guesses. Let p_j be the
probability of j correct guesses, and averaged over the canaries, with total mass S_i = p_i + ... + p_r,

    r_i = sum over j >= i of (j/m) p_j      = P[the guess about it is right and at least i guesses are],
    h_i = sum over j >= i of ((r - j)/m) p_j = P[the guess about it is wrong and at least i guesses are right].

Fix a canary and the coins of the others, and let A be "the guess about it is *in*, and at least k - 1 of the other
guesses are right". With the canary in, A is "right, and at least k are"; with it out, A is within "wrong, and at least
k - 1 are". The two laws are f-DP neighbours, so the one is at most F = 1 - f of the other; the same with in and out
exchanged. F is concave, so the inequality passes to the averages: r_k <= F(h_(k-1)), h_(k-1) >= G(r_k) with the inverse
function G(x) = inf{a : F(a) >= x} = f^(-1)(1 - x).

How large can S_v = tau be? Mass above v may be moved to v, and mass at any i < v beyond what h_i >= G(r_(i+1)) asks for
may be moved to i - 1: both lower the r and raise the h, as fewer guesses than r would lower the h only. So the least
masses are those of the recursion h_i = max(h_(i+1), G(r_(i+1))), and tau is impossible if their total S_0 is above 1.
In terms of S alone,

    S_v = tau,  S_i = max(S_(i+1), (m G(r_(i+1)) + S_(i+1) + ... + S_v)/(r - i)),
    r_i = (i S_i + S_(i+1) + ... + S_v)/m,

every right side is increasing in the S before it, so that each may be rounded down. If S_0 > 1, then v or more correct
guesses have a probability below tau.

Reference: S. Mahloujifar, L. Melis and K. Chaudhuri, *Auditing f-differential privacy in one run*, ICML 2025,
arXiv:2410.22235, whose algorithm stops at r_0 + h_0 = r/m, the same as S_0 = 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from gmpy2 import mpq, mpz

from oracle.channels.tradeoff import TradeoffFunction
from oracle.claims import GaussianDP, TradeoffClaim
from oracle.enclosures import precision, rational_ball, rational_bounds
from oracle.errors import LimitError
from oracle.special import phi, phi_inverse_ball
from oracle.statistics.one_run import OneRun
from oracle.statistics.searching import last_true

__all__ = ["CurveRefutation", "curve_refutation", "least_total_mass"]

_BITS: Final = 256
_UNIT: Final = mpz(1) << _BITS
_PLACES: Final = mpz(10) ** 9
_LEAST_TAU: Final = mpq(1, mpz(10) ** 30)
_MOST_EXACT_GUESSES: Final = 1000


def least_total_mass(run: OneRun, curve: TradeoffFunction, tau: mpq) -> mpq:
    """S_0, exactly: more than 1 if *tau* is no possible probability of v or more correct guesses.

    It is cut off where an r_i exceeds 1, which is impossible as well; then the answer is that of S_i > 1.

    Raises:
        LimitError: for more than 1,000 guesses, whose numbers grow with every step.
    """
    if run.guesses > _MOST_EXACT_GUESSES:
        raise LimitError(f"at most {_MOST_EXACT_GUESSES} guesses for exact masses", str(run.guesses), "guesses")
    m, r, v = run.canaries, run.guesses, run.correct
    mirrored = curve.inverse()
    right, wrong = tau * v / m, tau * (r - v) / m
    for i in reversed(range(v)):
        if right > 1:
            break
        more = max(wrong, mirrored.at(1 - right))
        right, wrong = right + mpq(i, r - i) * (more - wrong), more
    return (right + wrong) * m / r if r else tau


@dataclass(frozen=True, slots=True)
class CurveRefutation:
    """That v or more correct guesses have a probability below *tau* under the claim.

    Attributes:
        tau: the bound of the p-value.
        thresholds: for a claim of mu, a t with Phi(t) <= r_(i+1) for each step i = v - 1, v - 2, ... taken; else empty.
    """

    tau: mpq
    thresholds: tuple[mpq, ...]


def curve_refutation(run: OneRun, claim: TradeoffClaim | GaussianDP, level: mpq) -> CurveRefutation | None:
    """The least tau of three digits that the recursion, rounded down, excludes; None if it does not exclude *level*.

    Whatever tau it excludes, it excludes every larger one. Below 10^-30 none is tried.
    """
    if _steps(run, claim, level) is None:
        return None
    tau, tried = level, mpq(1)
    while tried > _LEAST_TAU:
        tried /= 10
        if tried < tau and _steps(run, claim, tried) is None:
            break
        tau = min(tau, tried)

    def possible(j: int) -> bool:
        trial = tried * (100 + j) / 100
        return trial < tau and _steps(run, claim, trial) is None

    tau = min(tau, tried * (101 + last_true(possible, 450, 900)) / 100)
    return CurveRefutation(tau, _steps(run, claim, tau) or ())


def _gaussian_inverse(x: mpq, mu: mpq) -> tuple[mpq, mpq]:
    """A short t with Phi(t) <= x, and a number that is at most Phi(t - mu) <= G(x) = Phi(Phi^(-1)(x) - mu)."""
    inside = min(x, 1 - mpq(1, _PLACES))
    low = rational_bounds(phi_inverse_ball(inside, _BITS))[0]
    threshold = mpq((low * _PLACES).numerator // (low * _PLACES).denominator, _PLACES)
    with precision(_BITS):
        value = rational_bounds(phi(rational_ball(threshold - mu)))[0]
    return threshold, max(value, mpq(0))


def _steps(run: OneRun, claim: TradeoffClaim | GaussianDP, tau: mpq) -> tuple[mpq, ...] | None:
    """The thresholds of the steps (of a claim of mu) until S_i > 1; None if that is not reached."""
    m, r = run.canaries, run.guesses
    mirrored = claim.curve.inverse() if isinstance(claim, TradeoffClaim) else None
    thresholds: list[mpq] = []
    mass = total = tau.numerator * _UNIT // tau.denominator
    for i in reversed(range(run.correct)):
        share = mpq(i * mass + total, m * _UNIT)  # r_(i+1), at most S_(i+1) r/m
        if mirrored is not None:
            lost = mirrored.at(1 - share)
        elif isinstance(claim, GaussianDP):
            threshold, lost = _gaussian_inverse(share, claim.mu)
            thresholds.append(threshold)
        needed = (m * lost * _UNIT + total) / (r - i)
        more = needed.numerator // needed.denominator
        if more <= mass:
            return None  # h_i = h_(i+1) and r_i = r_(i+1): nothing changes any more
        mass, total = more, total + more
        if mass > _UNIT:
            return tuple(thresholds)
    return None
