"""The error of a step in t: what the sum over a grid of a vertical line adds to delta, and bounds of it.

Let delta_fin(x) = E_P[max(0, 1 - e^(x-L)); L < inf] for every real x, and fix c > 0 with K(c) < inf and a step
eta > 0, T = 2 pi/eta. With F(z) = K(z) e^(-z eps)/(z(z+1)),

    S := (eta/2pi) Σ_{n in Z} F(c + i n eta) = Σ_{m in Z} e^(mTc) delta_fin(eps + mT)  for c > 0.                  (1)

Proof. g(x) = e^(cx) delta_fin(x) is at least 0, continuous (dominated convergence) and, by Fubini,
∫ g(x) e^(itx) dx = E[∫_{-inf}^L e^((c+it)x)(1 - e^(x-L)) dx; L < inf] = E[e^((c+it)L); L < inf]·(1/(c+it) - 1/(c+1+it))
= K(z)/(z(z+1)) at z = c + it; in particular g is integrable. delta_fin falls, so on an interval of length T the terms
of Σ_m g(x + mT) are at most e^(2cT)/T times the integral of g over the neighbouring interval of length T to the left:
the sum converges uniformly on bounded sets and is a continuous function of period T. Its Fourier coefficients are
(1/T) K(z)/(z(z+1)) at z = c - 2 pi i m/T up to sign of m, and are summable, being at most K(c)/(T|z|²). A continuous
function with a summable Fourier series is its sum everywhere. At x = eps, times e^(-c eps), this is (1).

All terms of (1) are at least 0, and the term m = 0 is the answer. With p = P(L < inf), q = Q(P > 0) = E[e^(-L); L <
inf]:

Low aliases, m < 0. max(0, 1 - e^y) = 1 - e^y + max(0, e^y - 1), so delta_fin(x) = p - q e^x + R(x) with
0 <= R(x) = E[max(0, e^(x-L) - 1); L < inf], and for s >= 1, max(0, e^y - 1) <= C_s e^(sy), where
C_s = max_y (e^y - 1) e^(-sy) = (s-1)^(s-1)/s^s, attained at e^y = s/(s-1) (C_1 = 1, the limit). Hence
R(x) <= C_s K(-s) e^(sx), and the sum over m = -1, -2, ... is

    p/(e^(cT) - 1) - q e^eps/(e^((c+1)T) - 1) + [0, C_s K(-s) e^(s eps)/(e^((c+s)T) - 1)].                       (2)

With s = 1 it is the bound delta_fin <= p. Without the factors p and q a lower bound would be wrong where losses are
infinite.

High aliases, m > 0. For c' > max(c, 0), max(0, 1 - e^(-y)) <= D e^(c'y) with D = c'^c'/(1+c')^(1+c'), attained at
e^(-y) = c'/(1+c'). So 0 <= delta_fin(x) <= D K(c') e^(-c'x) (Chernoff), and the sum over m = 1, 2, ... lies in

    [0, D K(c') e^(-c' eps) r/(1 - r)],  r = e^(-(c'-c)T).                                                          (3)

Abscissa c < -1. Now g(x) = e^(cx) R(x), at least 0, continuous and, R being increasing with 0 <= R(x) <= q e^x,
integrable with ∫ g(x) e^(itx) dx = E[∫_L^inf e^((c+it)x)(e^(x-L) - 1) dx; L < inf] = K(z)/(z(z+1)) again, if K(c) <
inf (the two terms are -1/(z+1) + 1/z). So S = Σ_m e^(mTc) R(eps + mT), by the same proof with the neighbouring
interval to the right. Its term m = 0 is R(eps) = delta_fin(eps) - p + q e^eps; the terms m < 0 lie between 0 and the
last term of (2), s > -c; those with m > 0 are e^(mTc)(delta_fin(eps + mT) - p + q e^(eps + mT)), which sum to
-p/(e^(-cT) - 1) + q e^eps/(e^(-(c+1)T) - 1) and an amount in (3). As 1 + 1/(e^(-y) - 1) = -1/(e^y - 1), the known
terms add up to the first two of (2), as they stand:

    delta_fin(eps) = S - (p/(e^(cT) - 1) - q e^eps/(e^((c+1)T) - 1)) - [0, last term of (2)] - [0, (3)]

for c > 0 and for c < -1 alike, with s >= 1, s > -c, c' > 0, c' > c.
"""

from __future__ import annotations

from dataclasses import dataclass

from flint import arb

__all__ = ["LineMasses", "chernoff", "high_aliases", "low_aliases"]


@dataclass(frozen=True, slots=True)
class LineMasses:
    """Balls of p = P(L < inf), q = Q(P > 0) and of the moments that bound the aliases.

    Attributes:
        finite: p.
        seen: q.
        left: s >= 1.
        left_moment: K(-s).
        right: c' > c.
        right_moment: K(c').
    """

    finite: arb
    seen: arb
    left: arb
    left_moment: arb
    right: arb
    right_moment: arb


def chernoff(c: arb, moment: arb, eps: arb) -> arb:
    """The bound D K(c) e^(-c eps) of delta_fin(eps), c > 0."""
    return (c * c.log() - (1 + c) * c.log1p() - c * eps).exp() * moment


def low_aliases(c: arb, period: arb, eps: arb, masses: LineMasses) -> tuple[arb, arb]:
    """The two terms of (2) that are known and the upper bound of the third."""
    s = masses.left
    known = masses.finite / (c * period).expm1() - masses.seen * eps.exp() / ((c + 1) * period).expm1()
    constant = arb(1) if s == 1 else ((s - 1) * (s - 1).log() - s * s.log()).exp()
    return known, constant * masses.left_moment * (s * eps).exp() / ((c + s) * period).expm1()


def high_aliases(c: arb, period: arb, eps: arb, masses: LineMasses) -> arb:
    """The upper bound of (3); its lower bound is 0."""
    return chernoff(masses.right, masses.right_moment, eps) / ((masses.right - c) * period).expm1()
