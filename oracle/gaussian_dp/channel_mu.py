"""The least mu for which a finite two-row channel is mu-GDP, enclosed, with a proof at the corners of its curve.

mu-GDP is T(P, Q) >= G_mu with G_mu(alpha) = Phi(Phi^(-1)(1 - alpha) - mu). One direction is enough: T(Q, P) is the
inverse function of T(P, Q), taking inverses keeps the order of decreasing curves, and G_mu is its own inverse.

Corners are enough. f = T(P, Q) is linear between its corners and G_mu is convex. Where f >= G_mu at both ends of a
segment, f is at least the chord of G_mu there, hence at least G_mu. At an inner corner (alpha, beta), 0 < alpha < 1 and
0 < beta < 1, f >= G_mu reads mu >= Phi^(-1)(1 - alpha) - Phi^(-1)(beta). At the last corner (1, 0) both are 0. At the
first one G_mu(0) = 1, so f(0) < 1 (an outcome of P-mass 0 and Q-mass above 0) allows no mu, and neither does f = 0
before alpha = 1 (an outcome of Q-mass 0 and P-mass above 0), where G_mu > 0. So

    mu(M) = max over inner corners of Phi^(-1)(1 - alpha) - Phi^(-1)(beta),

infinite in those two cases, and exactly 0 where there is no inner corner, P = Q.

Source: Liu, Sun, Jiang and Kong, NeurIPS 2022, section 4 (the transform); Dong, Roth and Su 2022, section 2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from flint import arb
from gmpy2 import mpq, mpz

from oracle.channels.canonical import likelihood_order
from oracle.channels.channel import Channel, require_full
from oracle.channels.formal_channel import FormalChannel
from oracle.channels.galois import scaled_corners
from oracle.enclosures import DEFAULT_DIGITS, Ball, Comparison, Enclosure, compare, enclose, parse_digits, precision
from oracle.exact import INFINITY, Extended, Infinity
from oracle.experiments.base import Experiment
from oracle.formal import FormalSum
from oracle.gaussian_dp.arguments import NumberLike, PairLike, nonnegative, pair_of
from oracle.special import phi_inverse

__all__ = ["Corner", "Corners", "channel_mu_ball", "compare_mu", "inner_corners", "leading", "least_mu"]

_SEARCH_BITS: Final = 64


@dataclass(frozen=True, slots=True)
class Corner:
    """An inner corner (alpha, beta) of T(P, Q) by balls of its four probabilities, each relatively accurate.

    Attributes:
        alpha: P-mass of the rejection set, and ``above``, 1 - alpha.
        beta: Q-mass of the rest, and ``power``, 1 - beta.
    """

    alpha: Ball
    above: Ball
    beta: Ball
    power: Ball

    def quantiles(self, bits: int) -> tuple[arb, arb]:
        """The balls of Phi^(-1)(1 - alpha) and Phi^(-1)(beta)."""
        with precision(bits):
            first = _quantile(self.above(bits), self.alpha(bits))
            return first, _quantile(self.beta(bits), self.power(bits))

    def mu(self, bits: int) -> arb:
        """The ball of Phi^(-1)(1 - alpha) - Phi^(-1)(beta)."""
        with precision(bits):
            first, second = self.quantiles(bits)
            return first - second


def _quantile(p: arb, rest: arb) -> arb:
    """The number Phi^(-1)(p), from p and rest = 1 - p."""
    return phi_inverse(p) if p < rest else -phi_inverse(rest)


Corners = list[Corner]


def inner_corners(channel: Channel | FormalChannel) -> Corners | None:
    """The corners of T(P, Q) with 0 < alpha < 1, alpha increasing; None where f(0) < 1 or f is 0 before alpha = 1.

    Raises:
        InputError: for a channel that is not two full rows.
    """
    if isinstance(channel, FormalChannel):
        return _formal_corners(channel)
    require_full(channel)
    order = likelihood_order(channel)
    if not order.p[-1] or not order.q[0]:
        return None
    alphas, betas = scaled_corners(order)
    scale, whole = order.scale, arb(int(order.scale))
    return [
        Corner(*(_share(part, whole) for part in (alpha, scale - alpha, beta, scale - beta)))
        for alpha, beta in zip(alphas[1:-1], betas[1:-1], strict=True)
    ]


def _share(part: mpz, whole: arb) -> Ball:
    """The quotient of two integers, without reducing it to lowest terms first."""
    return lambda _: arb(int(part)) / whole


def _formal_corners(channel: FormalChannel) -> Corners | None:
    """The same for irrational probabilities: all sums are of weights, without subtractions."""
    groups = channel.groups()
    if groups[-1].p.is_zero() or groups[0].q.is_zero():
        return None
    total_p, total_q = channel.totals
    corners = []
    for k in reversed(range(1, len(groups))):
        kept, rejected = groups[:k], groups[k:]
        parts = ((rejected, "p", total_p), (kept, "p", total_p), (kept, "q", total_q), (rejected, "q", total_q))
        corners.append(Corner(*(_mass(FormalSum.sum(getattr(g, row) for g in s), t) for s, row, t in parts)))
    return corners


def _mass(weight: FormalSum, total: FormalSum) -> Ball:
    return lambda bits: weight.ball(bits) / total.ball(bits)


def channel_mu_ball(channel: Channel | FormalChannel) -> Extended | Ball:
    """The least mu of a finite channel: exactly 0, ``INFINITY``, or a ball.

    At a low precision every corner is enclosed; those that lie below another are left out, and the ball is that of the
    largest of the rest, whether or not one of them is proved to be it.
    """
    corners = inner_corners(channel)
    if corners is None:
        return INFINITY
    if not corners:
        return mpq(0)
    left = leading(corners)

    def ball(bits: int) -> arb:
        with precision(bits):
            largest = left[0].mu(bits)
            for corner in left[1:]:
                largest = largest.max(corner.mu(bits))
            return largest

    return ball


def leading(corners: Corners) -> Corners:
    """The corners that may have the largest mu: those not proved to lie below another one."""
    found = [corner.mu(_SEARCH_BITS) for corner in corners]
    with precision(_SEARCH_BITS):
        known = [value for value in found if value.is_finite()]
        highest = max((value.lower() for value in known), default=None)
        return [c for c, value in zip(corners, found, strict=True) if highest is None or not value < highest]


def least_mu(pair: PairLike, digits: int = DEFAULT_DIGITS) -> Extended | Enclosure:
    """The least mu for which a pair is mu-GDP: exact where it is rational, ``INFINITY``, or an enclosure.

    Args:
        pair: a channel of two rows or its matrix, or an experiment.
        digits: of the enclosure.

    Raises:
        Declined: for an experiment for which no proof over all epsilon is known.
    """
    laws, digits = pair_of(pair), parse_digits(digits)
    found = laws.least_mu() if isinstance(laws, Experiment) else channel_mu_ball(laws)
    return found if isinstance(found, (mpq, Infinity)) else enclose(found, digits)


def compare_mu(pair: PairLike, mu: NumberLike) -> Comparison:
    """The sign of the least mu of a pair against a rational mu >= 0, proved, or None.

    Raises:
        InputError: for a mu below 0.
        Declined: as for :func:`least_mu`.
    """
    laws, claimed = pair_of(pair), nonnegative(mu, "mu")
    if isinstance(laws, Experiment):
        return laws.compare_mu(claimed)
    found = channel_mu_ball(laws)
    return Comparison(1, 0) if isinstance(found, Infinity) else compare(found, claimed)
