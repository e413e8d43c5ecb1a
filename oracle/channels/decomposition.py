"""Symmetric decomposition: a symmetric trade-off function as a visible choice of pure randomized responses.

The channel C(f) of a symmetric f has its columns in mirrored pairs (p, q), (q, p). Each pair is randomized response
at e^epsilon = p/q, taken with weight p + q; an unpaired middle column tells nothing (epsilon = 0). Source: Fernandes et
al. 2025, Theorem 6.3, as repaired: the ratio itself is e^epsilon, the middle weight is not doubled, and epsilon = inf
is needed exactly when f(0) < 1.
"""

from __future__ import annotations

from dataclasses import dataclass

from gmpy2 import mpq

from oracle.channels.channel import Channel
from oracle.channels.galois import channel_of
from oracle.channels.tradeoff import TradeoffFunction
from oracle.errors import InputError
from oracle.exact import INFINITY, Extended, Infinity

__all__ = ["Part", "decompose", "recompose"]


@dataclass(frozen=True, slots=True)
class Part:
    """Randomized response at *exp_epsilon*, revealed and used with probability *weight*."""

    weight: mpq
    exp_epsilon: Extended


def decompose(curve: TradeoffFunction) -> list[Part]:
    """The parts of a symmetric curve, exp_epsilon decreasing, INFINITY first; the weights sum to 1.

    Raises:
        InputError: for a curve that is not its own inverse.
    """
    if not curve.is_symmetric():
        raise InputError("a symmetric trade-off function (its own inverse)", "one that is not", "tradeoff")
    p, q = channel_of(curve).rows
    count = len(p)
    parts = [Part(p[n] + q[n], p[n] / q[n] if q[n] else INFINITY) for n in range(count // 2)]
    if count % 2:
        parts.append(Part(p[count // 2], mpq(1)))
    return parts


def recompose(parts: list[Part]) -> Channel:
    """The visible choice of the parts: its trade-off function is the curve that was decomposed."""
    first: list[mpq] = []
    second: list[mpq] = []
    for part in parts:
        own = part.weight
        if not isinstance(part.exp_epsilon, Infinity):
            own = part.weight * part.exp_epsilon / (1 + part.exp_epsilon)
        first += [own, part.weight - own]
        second += [part.weight - own, own]
    return Channel([first, second])
