"""Pairs of joint laws: an answer and what follows it, members drawn from one pair, couplings that are not the best."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from gmpy2 import mpq
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from oracle.channels.channel import Channel, Rows
from oracle.laws.ask import Curve, Table
from oracle.laws.compare import at
from oracle.laws.strategies import two_row_channels
from oracle.laws.vadhan2023._facts import ONE, ZERO, mix

__all__ = [
    "Answered",
    "answered_channels",
    "chain_rule_by_definition",
    "joint_rows",
    "marginal",
    "mixed_coupling",
    "tensor",
]

Answered = tuple[Channel, tuple[Channel, ...]]
"""The laws (X, X') of an answer, and for each answer x the laws (Y_x, Y'_x) of what follows."""


@st.composite
def answered_channels(draw: DrawFn, answers: int = 3, columns: int = 3) -> Answered:
    """An answer and what follows each, answers of probability 0 on one input or both included."""
    first = draw(two_row_channels(answers))
    count = first.shape[1]
    parts = draw(st.lists(two_row_channels(columns), min_size=count, max_size=count))
    return first, tuple(parts)


def joint_rows(first: Table, parts: Sequence[Table]) -> Rows:
    """The laws of the pair (x, y): X(x) Y_x(y) and X'(x) Y'_x(y), answer by answer."""
    pairs = [(row, list(zip(first[row], parts, strict=True))) for row in (0, 1)]
    return tuple(tuple(a * v for a, part in answers for v in part[row]) for row, answers in pairs)


def tensor(kernels: Sequence[Rows]) -> Rows:
    """The kernel that draws from all kernels independently, given the same outcome; the last one fastest."""
    rows = []
    for i in range(len(kernels[0])):
        row = [ONE]
        for kernel in kernels:
            row = [a * v for a in row for v in kernel[i]]
        rows.append(tuple(row))
    return tuple(rows)


def marginal(joint: Table, sizes: Sequence[int], k: int) -> Rows:
    """Member k of joint laws over tuples of outcomes, the last fastest."""
    rows = []
    for row in joint:
        law = [ZERO] * sizes[k]
        for outcome, value in zip(product(*map(range, sizes)), row, strict=True):
            law[outcome[k]] += value
        rows.append(tuple(law))
    return tuple(rows)


def mixed_coupling(first: Sequence[mpq], second: Sequence[mpq], weight: mpq) -> tuple[mpq, ...]:
    """The independent coupling of two laws, mixed with *weight* of the one that fills their table from its corner."""
    corner = [ZERO] * (len(first) * len(second))
    left, below = list(first), list(second)
    for i in range(len(first)):
        for j in range(len(second)):
            step = min(left[i], below[j])
            corner[i * len(second) + j] = step
            left[i] -= step
            below[j] -= step
    return mix(weight, [a * b for a in first for b in second], corner)


def chain_rule_by_definition(first: Table, curves: Sequence[Curve], alpha: mpq) -> mpq:
    """inf{Σ X'(x) f_x(α_x) : Σ X(x) α_x <= α}, over the vertices: all α_x but one at corners, that one at the limit."""
    p, q = first
    values = []
    for fixed in product(*([a for a, _ in curve] for curve in curves)):
        for free, mass in enumerate(p):
            used = sum((p[k] * fixed[k] for k in range(len(p)) if k != free), ZERO)
            rest = (alpha - used) / mass if mass else ONE
            if used <= alpha and rest >= 0:
                chosen = [*fixed[:free], min(ONE, rest), *fixed[free + 1 :]]
                values.append(sum((b * at(f, x) for b, f, x in zip(q, curves, chosen, strict=True)), ZERO))
    return min(values)
