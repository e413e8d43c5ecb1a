"""Answers by definition, in fractions, slowly: nothing here is taken from the package under test.

Rows are sequences of ``Fraction``. Events are all 2^n subsets of the columns; the test polytope is the hull of their
points (P(S), mass(Q) - Q(S)); refinement is a linear feasibility problem, given to z3 over the reals.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import chain, combinations, pairwise
from math import comb

import z3

Row = Sequence[Fraction]
Rows = Sequence[Row]
Point = tuple[Fraction, Fraction]

ZERO = Fraction(0)


def events(columns: int) -> Iterator[tuple[int, ...]]:
    """Every subset of the columns."""
    return chain.from_iterable(combinations(range(columns), size) for size in range(columns + 1))


def mass(row: Row, event: Sequence[int]) -> Fraction:
    """Probability of the event."""
    return sum((row[i] for i in event), ZERO)


def test_points(p: Row, q: Row) -> set[Point]:
    """(type I error, type II error) of every deterministic test."""
    total = sum(q, ZERO)
    return {(mass(p, event), total - mass(q, event)) for event in events(len(p))}


test_points.__test__ = False


def hull(points: set[Point]) -> list[Point]:
    """Corners of the lower convex hull, by gift wrapping: from each corner on along the least slope."""
    start = min(points)
    corners = [start]
    while True:
        x, y = corners[-1]
        ahead = [point for point in points if point[0] > x]
        if not ahead:
            return corners
        # Of equal slopes the farthest point, so that no three corners are on a line.
        corners.append(min(ahead, key=lambda point: ((point[1] - y) / (point[0] - x), -point[0])))


def tradeoff(rows: Rows) -> list[Point]:
    """Corners of T(P, Q)."""
    return hull(test_points(*rows))


def value(points: set[Point], alpha: Fraction) -> Fraction:
    """T(alpha): the least type II error of mixtures of two tests whose type I error is exactly or at most alpha."""
    best = min(b for a, b in points if a <= alpha)
    for a, b in points:
        for c, d in points:
            if a < alpha < c:
                best = min(best, b + (d - b) * (alpha - a) / (c - a))
    return best


def interpolate(corners: Sequence[Point], alpha: Fraction) -> Fraction:
    """Value of a curve given by its corners."""
    for (a, b), (c, d) in pairwise(corners):
        if a <= alpha <= c:
            return b + (d - b) * (alpha - a) / (c - a)
    raise AssertionError(alpha)


def hockey_stick(p: Row, q: Row, level: Fraction) -> Fraction:
    """The maximum over events of P(S) - a Q(S)."""
    return max(mass(p, event) - level * mass(q, event) for event in events(len(p)))


def least_level(p: Row, q: Row, delta: Fraction) -> Fraction | None:
    """The least a >= 1 with P(S) <= a Q(S) + delta for every event, None for infinite: each event is one line."""
    best = Fraction(1)
    for event in events(len(p)):
        excess, below = mass(p, event) - delta, mass(q, event)
        if below:
            best = max(best, excess / below)
        elif excess > 0:
            return None
    return best


def curve_order(left: Rows, right: Rows) -> bool:
    """T(left) <= T(right), at every test of right."""
    below = tradeoff(left)
    return all(interpolate(below, a) <= b for a, b in test_points(*right))


def has_witness(left: Rows, right: Rows) -> bool:
    """Whether some row-stochastic W has left·W = right, decided by z3 over the reals."""
    solver = z3.SolverFor("QF_LRA")
    n, m = len(left[0]), len(right[0])
    w = [[z3.Real(f"w{i}_{j}") for j in range(m)] for i in range(n)]
    for row in w:
        solver.add(z3.Sum(row) == 1, *(entry >= 0 for entry in row))
    for source, target in zip(left, right, strict=True):
        for j in range(m):
            product = z3.Sum([exact(source[i]) * w[i][j] for i in range(n)])
            solver.add(product == exact(target[j]))
    decision = solver.check()
    assert decision != z3.unknown
    return decision == z3.sat


def exact(value: Fraction) -> z3.RatNumRef:
    """The number in z3."""
    return z3.Q(value.numerator, value.denominator)


def product(left: Rows, right: Rows) -> list[list[Fraction]]:
    """left·right."""
    return [
        [sum((a * b for a, b in zip(row, col, strict=True)), ZERO) for col in zip(*right, strict=True)] for row in left
    ]


def dense(rows: int, columns: int, entries: Sequence[tuple[int, int, object]]) -> list[list[Fraction]]:
    """A witness with its zeros."""
    matrix = [[ZERO] * columns for _ in range(rows)]
    for i, j, weight in entries:
        assert matrix[i][j] == 0
        matrix[i][j] = Fraction(str(weight))
    return matrix


def is_stochastic(matrix: Rows) -> bool:
    """Nonnegative entries, rows that sum to 1."""
    return all(sum(row, ZERO) == 1 and all(v >= 0 for v in row) for row in matrix)


def merged(rows: Rows) -> list[Row]:
    """Canonical form: columns grouped by posterior q/(p+q), zero columns left out, in order of it."""
    groups: dict[Fraction, list[Fraction]] = {}
    for p, q in zip(*rows, strict=True):
        if p + q:
            group = groups.setdefault(q / (p + q), [ZERO, ZERO])
            group[0] += p
            group[1] += q
    ordered = [groups[posterior] for posterior in sorted(groups)]
    return [[column[0] for column in ordered], [column[1] for column in ordered]]


def vulnerability(rows: Rows, gain: Rows, prior: Row) -> Fraction:
    """The expected gain of the best action after each output, from the joint distribution."""
    total = ZERO
    for y in range(len(rows[0])):
        joint = [prior[x] * rows[x][y] for x in range(len(rows))]
        total += max(sum((g * j for g, j in zip(action, joint, strict=True)), ZERO) for action in gain)
    return total


def folded_randomized_response(truth: Fraction, k: int) -> list[list[Fraction]]:
    """So many (k) independent randomized responses, outputs merged by the number of lies: k + 1 columns."""
    lie = 1 - truth
    p = [comb(k, i) * truth ** (k - i) * lie**i for i in range(k + 1)]
    return [p, p[::-1]]


def unmerged_randomized_response(truth: Fraction, k: int) -> list[list[Fraction]]:
    """The same with all 2^k columns."""
    rows = [[Fraction(1)], [Fraction(1)]]
    single = [[truth, 1 - truth], [1 - truth, truth]]
    for _ in range(k):
        rows = [[a * b for a in row for b in one] for row, one in zip(rows, single, strict=True)]
    return rows


def breakpoints(families: Sequence[Rows]) -> list[Fraction]:
    """Every finite ratio q/p of the channels, 0, the midpoints between neighbours and one beyond the last.

    Between two neighbours every hockey stick of these channels is linear in h. If a function linear there equals a
    convex one at both ends and in the middle, it equals it throughout; so these points decide such an equality.
    """
    ratios = sorted({ZERO} | {q / p for rows in families for p, q in zip(*rows, strict=True) if p})
    middles = [(a + b) / 2 for a, b in pairwise(ratios)]
    return sorted([*ratios, *middles, ratios[-1] + 1])
