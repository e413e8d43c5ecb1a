"""The two maps of the Galois connection between two-row channels and trade-off functions.

T takes a channel to its trade-off function, C takes a trade-off function to the canonical
channel that has it: T(C(f)) = f, and C(T(M)) is the canonical form of M (Fernandes et al. 2025,
section 4 and Appendix B; "C(T(M)) = M" as printed holds up to that form).
"""

from __future__ import annotations

from itertools import accumulate, pairwise, repeat

from gmpy2 import mpq, mpz

from oracle.channels.canonical import LikelihoodOrder, likelihood_order
from oracle.channels.channel import Channel, require_full
from oracle.channels.tradeoff import TradeoffFunction

__all__ = ["channel_of", "scaled_corners", "tradeoff_of"]


def scaled_corners(order: LikelihoodOrder) -> tuple[list[mpz], list[mpz]]:
    """Corners of the curve times ``scale``, for alpha increasing from 0.

    Rejecting the outcomes of largest q/p first is optimal (Neyman-Pearson), so the corners are the
    cumulative sums of the groups from the last to the first. The group of infinite ratio
    costs no alpha: it only lowers the corner at alpha = 0.
    """
    p, q = order.p[::-1], order.q[::-1]
    total = sum(order.q, mpz(0))
    alphas = list(accumulate(p, initial=mpz(0)))
    betas = [total - taken for taken in accumulate(q, initial=mpz(0))]
    if p and p[0] == 0:
        return alphas[1:], betas[1:]
    return alphas, betas


def tradeoff_of(channel: Channel) -> TradeoffFunction:
    """T(P, Q): alpha -> least type II error among tests of level at most alpha.

    The corners are minimal, since groups have strictly different ratios.

    Raises:
        InputError: for a partial channel.
    """
    require_full(channel)
    order = likelihood_order(channel)
    scale = repeat(order.scale)
    alphas, betas = (map(mpq, axis, scale) for axis in scaled_corners(order))
    return TradeoffFunction.trusted(zip(alphas, betas, strict=True))


def channel_of(curve: TradeoffFunction) -> Channel:
    """C(f): the canonical channel whose trade-off function is f.

    One column for each segment of the curve, (alpha step, beta step), from the last segment to
    the first, and a column (0, 1 - f(0)) where f(0) < 1.
    """
    corners = curve.corners
    steps = [(a1 - a0, b0 - b1) for (a0, b0), (a1, b1) in pairwise(corners)]
    steps.reverse()
    if corners[0][1] < 1:
        steps.append((mpq(0), 1 - corners[0][1]))
    return Channel.trusted((tuple(a for a, _ in steps), tuple(b for _, b in steps)))
