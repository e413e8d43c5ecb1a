"""Quantities of the paper by definition: randomised response, bounds over all subsets, kernels by programming."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import prod

from gmpy2 import mpq

from oracle.channels.channel import Rows
from oracle.channels.exact_lp import Infeasible, Program, solve
from oracle.exact import INFINITY, Extended, Infinity
from oracle.laws.ask import Number
from oracle.laws.compare import at_most

__all__ = [
    "at_most_extended",
    "kernel",
    "largest_ratio",
    "mix",
    "moment_of",
    "optimal_by_subsets",
    "parallel_rows",
    "pure_response",
    "response",
    "response_curve",
]

ZERO, ONE = mpq(0), mpq(1)
Part = tuple[mpq, mpq]
"""(a, delta), for (log a, delta)-DP."""


def response(a: mpq, delta: mpq) -> Rows:
    """RR_{epsilon, delta} of KOV15 with a = e^epsilon: the bit itself with probability delta, else a noisy one.

    Outcomes: "it is 0", 0, 1, "it is 1". Rows: bit 0, bit 1.
    """
    truth, lie = (1 - delta) * a / (1 + a), (1 - delta) / (1 + a)
    return (delta, truth, lie, ZERO), (ZERO, lie, truth, delta)


def pure_response(a: mpq) -> Rows:
    """RR_epsilon with a = e^epsilon: the bit with probability a/(1 + a), else the other one."""
    return (a / (1 + a), 1 / (1 + a)), (1 / (1 + a), a / (1 + a))


def response_curve(a: mpq, delta: mpq, alpha: mpq) -> mpq:
    """f_{epsilon, delta}(alpha) as printed, with a = e^epsilon."""
    return max(ZERO, 1 - delta - a * alpha, (1 - delta - alpha) / a)


def moment_of(table: Rows, order: int) -> Extended:
    """Σ p^order q^(1 - order) over p > 0; infinite where q = 0 < p."""
    total = ZERO
    for p, q in zip(*table, strict=True):
        if p and not q:
            return INFINITY
        total += p * (p / q) ** (order - 1) if p else ZERO
    return total


def largest_ratio(table: Rows) -> Extended:
    """The largest p/q over p > 0, which is e^D for the max-divergence D; infinite where q = 0 < p."""
    ratios = [p / q if q else INFINITY for p, q in zip(*table, strict=True) if p]
    return max(ratios)


def at_most_extended(x: Number | Infinity, y: Number | Infinity) -> mpq:
    """Excess of x over y where either may be infinite; an infinite excess counts as 1."""
    if isinstance(y, Infinity):
        return ZERO
    return ONE if isinstance(x, Infinity) else at_most(x, y)


def mix(weight: mpq, rest: Sequence[mpq], law: Sequence[mpq]) -> tuple[mpq, ...]:
    """(1 - weight)·rest + weight·law."""
    return tuple((1 - weight) * a + weight * b for a, b in zip(rest, law, strict=True))


def parallel_rows(tables: Sequence[Rows]) -> Rows:
    """The product laws, one outcome for each tuple of outcomes, the last fastest."""
    rows: list[tuple[mpq, ...]] = [(ONE,), (ONE,)]
    for table in tables:
        rows = [tuple(a * b for a in row for b in law) for row, law in zip(rows, table, strict=True)]
    return rows[0], rows[1]


def _subsets(size: int) -> Iterator[frozenset[int]]:
    for count in range(size + 1):
        yield from map(frozenset, combinations(range(size), count))


def optimal_by_subsets(parts: Sequence[Part], level: mpq) -> mpq:
    """delta_g of MV16 at e^epsilon_g = *level*, term by term over all subsets S of the parts."""
    total = ZERO
    for inside in _subsets(len(parts)):
        first = prod((a for i, (a, _) in enumerate(parts) if i in inside), start=ONE)
        second = prod((a for i, (a, _) in enumerate(parts) if i not in inside), start=ONE)
        total += max(ZERO, first - level * second)
    uncertain = prod((1 - delta for _, delta in parts), start=ONE)
    return 1 - uncertain * (1 - total / prod((1 + a for a, _ in parts), start=ONE))


def kernel(left: Rows, right: Rows) -> Rows | None:
    """A row-stochastic W with left·W = right, or None where linear programming proves that there is none."""
    columns, targets, count = len(left[0]), len(right[0]), len(left)
    variables: list[dict[int, mpq]] = []
    for i in range(columns):
        for j in range(targets):
            entries = {r * targets + j: row[i] for r, row in enumerate(left) if row[i]}
            variables.append({**entries, count * targets + i: ONE})
    right_hand = [*(v for row in right for v in row), *(ONE for _ in range(columns))]
    found = solve(Program(tuple(variables), tuple(right_hand)))
    if isinstance(found, Infeasible):
        return None
    return tuple(tuple(found.values.get(i * targets + j, ZERO) for j in range(targets)) for i in range(columns))
