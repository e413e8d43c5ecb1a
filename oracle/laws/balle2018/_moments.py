"""Moments of the privacy loss from profiles: theorem 6 integrated exactly, piece by piece.

With t = e^eps the integral of theorem 6 is ∫_1^∞ (t^(s-1) D_t(P‖Q) + t^(-s-2) D_t(Q‖P)) dt. A profile of discrete laws
is linear in t between neighbouring likelihood ratios, so that its values at the ratios and at 1 are all that is
needed: with D_t = u - v t on [t_0, t_1],

    ∫ t^(s-1) (u - v t) dt = [u t^s/s - v t^(s+1)/(s+1)],   ∫ t^(-s-2) (u - v t) dt = [-u t^(-s-1)/(s+1) + v t^(-s)/s].
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations, pairwise

from gmpy2 import mpq
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from oracle.channels.channel import Channel, Rows
from oracle.exact import INFINITY, Extended
from oracle.laws.balle2018._facts import ONE, ZERO

__all__ = [
    "Piecewise",
    "integral",
    "largest",
    "moment_of",
    "nodes",
    "piece_weights",
    "symmetric_pairs",
]

Piecewise = list[tuple[mpq, mpq]]
"""Values of a profile at increasing levels from 1; linear between them, constant from the last on."""


def moment_of(table: Rows, s: int) -> Extended:
    """phi(s) = E[e^(sL)] = Σ p (p/q)^s, over p > 0; infinite where q = 0 < p."""
    total = ZERO
    for p, q in zip(*table, strict=True):
        if p and not q:
            return INFINITY
        total += p * (p / q) ** s if p else ZERO
    return total


def nodes(tables: Iterable[Rows]) -> list[mpq]:
    """1 and the finite likelihood ratios above 1 in either order: between them all profiles are linear."""
    found = {ONE}
    for table in tables:
        for p, q in zip(*table, strict=True):
            if p and q:
                found.add(max(p / q, q / p))
    return sorted(found)


def piece_weights(t0: mpq, t1: mpq, s: int, *, upper: bool) -> tuple[mpq, mpq]:
    """Weights of D at t0 and at t1 in the integral of t^(s-1) D (upper) or t^(-s-2) D over one linear piece."""

    def antiderivative(u: mpq, v: mpq, t: mpq) -> mpq:
        if upper:
            return u * t**s / s - v * t ** (s + 1) / (s + 1)
        return v * t**-s / s - u * t ** (-s - 1) / (s + 1)

    width = t1 - t0
    weights = []
    for at_start, at_end in ((ONE, ZERO), (ZERO, ONE)):
        v = (at_start - at_end) / width
        u = at_start + v * t0
        weights.append(antiderivative(u, v, t1) - antiderivative(u, v, t0))
    return weights[0], weights[1]


def integral(forward: Piecewise, backward: Piecewise, s: int) -> Extended:
    """1 + s(s+1) times the integral, for a whole s >= 1; infinite where the forward profile does not reach 0."""
    if forward[-1][1]:
        return INFINITY
    total = ZERO
    for profile, upper in ((forward, True), (backward, False)):
        for (t0, d0), (t1, d1) in pairwise(profile):
            start, end = piece_weights(t0, t1, s, upper=upper)
            total += start * d0 + end * d1
    last, constant = backward[-1]
    total += constant * last ** (-s - 1) / (s + 1)
    return 1 + s * (s + 1) * total


def largest(profiles: Sequence[Callable[[mpq], mpq]], levels: Sequence[mpq]) -> Piecewise:
    """The largest of several profiles that are linear between *levels*: its values there and where two cross."""
    values = [[profile(t) for profile in profiles] for t in levels]
    found = {t: max(row) for t, row in zip(levels, values, strict=True)}
    for (t0, row0), (t1, row1) in pairwise(zip(levels, values, strict=True)):
        lines = list(zip(row0, row1, strict=True))
        for (a0, a1), (b0, b1) in combinations(lines, 2):
            before, after = a0 - b0, a1 - b1
            if before * after < 0:
                share = before / (before - after)
                found[t0 + (t1 - t0) * share] = max(x + (y - x) * share for x, y in lines)
    return sorted(found.items())


@st.composite
def symmetric_pairs(draw: DrawFn) -> Channel:
    """Two-row channels with D_a(P‖Q) = D_a(Q‖P) for all a and finite losses: mirrored columns and an equal one."""
    sides = draw(st.lists(st.tuples(st.integers(1, 9), st.integers(1, 9)), min_size=1, max_size=2))
    both = draw(st.integers(0, 20))
    total = mpq(sum(a + b for a, b in sides) + both)
    first = [v for a, b in sides for v in (a, b)]
    second = [v for a, b in sides for v in (b, a)]
    return Channel([[v / total for v in (*row, *((both,) if both else ()))] for row in (first, second)])
