"""The chain rule of trade-off functions: what a first answer and what follows it give together.

For laws X, X' of the first answer and trade-off functions f_x of what follows each answer x,

    ChainRule_{X,X'}({f_x})(alpha) = inf{ Σ_x X'(x) f_x(alpha_x) : Σ_x X(x) alpha_x <= alpha }.

If T(Y_x, Y'_x) = f_x for every x, this is T((X, Y_X), (X', Y'_{X'})), with equality: a test of the pair is a test phi_x
for each x, with type I error Σ X(x) alpha_x and type II error Σ X'(x) beta_x, and beta_x can be anything from
f_x(alpha_x) up. So with C(f_x) in the place of (Y_x, Y'_x) the joint channel has the columns (X(x) u, X'(x) w), one for
each x and column (u, w) of C(f_x), and its curve is the chain rule: the segments of the f_x, scaled by (X(x), X'(x)),
in the order of their slopes. An x with X(x) = 0 costs no alpha and adds nothing, as f_x(1) = 0; one with X'(x) = 0 adds
no beta.

Source: Vadhan and Zhang, STOC 2023, equation (10), lemmas 1.7 and 3.3 (reconstructed: the printed formula is lost in
the available text).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from gmpy2 import mpq

from oracle.certificates.documents import Certificate, tradeoff_certificate
from oracle.channels.channel import Channel
from oracle.channels.galois import channel_of, tradeoff_of
from oracle.channels.tradeoff import TradeoffFunction
from oracle.errors import InputError, shorten
from oracle.exact import to_text
from oracle.interactive.tightness import answer_channel
from oracle.interactive.tree import HALT, Branch
from oracle.theorems.transport import check_laws

__all__ = ["Allocation", "allocate", "chain_rule", "chain_rule_certificate", "chain_rule_channel"]


@dataclass(frozen=True, slots=True)
class Allocation:
    """An optimal choice of the alpha_x at one alpha, with its proof.

    Attributes:
        alphas: alpha_x for each x; Σ X(x) alpha_x <= alpha.
        value: Σ X'(x) f_x(alpha_x), the least there is.
        multiplier: a number m >= 0 with value = Σ_x min_t (X'(x) f_x(t) + m X(x) t) - m alpha. Whatever alphas are
            allowed, Σ X' f_x(alpha_x) >= Σ (X' f_x(alpha_x) + m X alpha_x) - m alpha >= that, so none does better.
    """

    alphas: tuple[mpq, ...]
    value: mpq
    multiplier: mpq


def chain_rule_channel(first: Sequence[mpq], second: Sequence[mpq], curves: Sequence[TradeoffFunction]) -> Channel:
    """The channel of the pair (x, column of C(f_x)); answers that neither law gives are left out."""
    _check(first, second, curves)
    branches = [Branch(str(k), a, b, HALT) for k, (a, b) in enumerate(zip(first, second, strict=True))]
    reached = [(b, channel_of(f)) for b, f in zip(branches, curves, strict=True) if b.p or b.q]
    return answer_channel(tuple(b for b, _ in reached), [channel for _, channel in reached])


def chain_rule(first: Sequence[mpq], second: Sequence[mpq], curves: Sequence[TradeoffFunction]) -> TradeoffFunction:
    """ChainRule_{X,X'}({f_x}), *first* being X and *second* X'; exact.

    Raises:
        InputError: for laws that are none, or numbers of answers and curves that differ.
    """
    return tradeoff_of(chain_rule_channel(first, second, curves))


def chain_rule_certificate(
    first: Sequence[mpq], second: Sequence[mpq], curves: Sequence[TradeoffFunction]
) -> Certificate:
    """A certificate, kind ``tradeoff``, that the joint channel has exactly the corners of the chain rule."""
    return tradeoff_certificate(chain_rule_channel(first, second, curves))


def allocate(first: Sequence[mpq], second: Sequence[mpq], curves: Sequence[TradeoffFunction], alpha: mpq) -> Allocation:
    """The alpha_x that reach the infimum at *alpha*, and the multiplier that proves it.

    Greedy: whole segments are taken in the order of their scaled slopes until alpha is used up.
    """
    _check(first, second, curves)
    if not 0 <= alpha <= 1:
        raise InputError("alpha between 0 and 1", shorten(to_text(alpha)), "alpha")
    segments: list[tuple[mpq, int, mpq]] = []
    alphas = [mpq(0)] * len(first)
    for k, (a, b, curve) in enumerate(zip(first, second, curves, strict=True)):
        if not a:
            alphas[k] = mpq(1)
            continue
        for (x0, y0), (x1, y1) in pairwise(curve.corners):
            segments.append((-b * (y0 - y1) / (a * (x1 - x0)), k, x1 - x0))
    segments.sort()
    left, multiplier = alpha, mpq(0)
    for slope, k, length in segments:
        step = min(length, left / first[k])
        alphas[k] += step
        left -= step * first[k]
        if step < length:
            multiplier = -slope
            break
    value = sum((b * curve.at(t) for b, curve, t in zip(second, curves, alphas, strict=True)), mpq(0))
    return Allocation(tuple(alphas), value, multiplier)


def _check(first: Sequence[mpq], second: Sequence[mpq], curves: Sequence[TradeoffFunction]) -> None:
    check_laws(first, second)
    if not len(first) == len(second) == len(curves):
        got = f"{len(first)}, {len(second)} and {len(curves)}"
        raise InputError("as many answers in both laws as trade-off functions", got, "curves")
