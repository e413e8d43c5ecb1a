"""The definitions, by enumeration over ``fractions.Fraction``: an independent way to every fixture's value.

Nothing of the package under test is imported. A law is a list of fractions, a channel a list
of laws. An event is a set of outcomes, and all 2^n of them are looked at, so n stays small.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise, permutations

__all__ = [
    "INFINITE",
    "attains",
    "channel",
    "convex_hull_from_below",
    "delta",
    "exponential",
    "geometric_row",
    "hockey_stick",
    "inverse_at",
    "is_convex_curve",
    "k_randomized_response",
    "least_level",
    "merged_by_ratio",
    "multiply",
    "neighbours",
    "number",
    "permute_and_flip",
    "points_of_tests",
    "product",
    "randomized_response",
    "total_variation",
    "tradeoff_at",
    "truncated_discrete_laplace",
    "value_at",
]

Law = Sequence[Fraction]
Point = tuple[Fraction, Fraction]

INFINITE = "inf"


def number(text: str | int) -> Fraction:
    """The fraction that a number string of the fixtures states."""
    return Fraction(text)


def channel(document: dict[str, object]) -> list[list[Fraction]]:
    """The rows of a channel document."""
    matrix = document["matrix"]
    assert isinstance(matrix, list)
    return [[number(entry) for entry in row] for row in matrix]


@cache
def _events(p: tuple[Fraction, ...], q: tuple[Fraction, ...]) -> frozenset[Point]:
    """The pairs (P(S), Q(S)) that the 2^n events S reach, each once."""
    pairs = {(Fraction(0), Fraction(0))}
    for a, b in zip(p, q, strict=True):
        pairs |= {(first + a, second + b) for first, second in pairs}
    return frozenset(pairs)


def _both_orders(p: Law, q: Law, direction: str) -> list[tuple[Law, Law]]:
    return {"forward": [(p, q)], "backward": [(q, p)], "both": [(p, q), (q, p)]}[direction]


def delta(p: Law, q: Law, level: Fraction, direction: str = "both") -> Fraction:
    """The least delta with P(S) <= level Q(S) + delta for every event S (and with P, Q exchanged)."""
    return max(
        first - level * second
        for upper, lower in _both_orders(p, q, direction)
        for first, second in _events(tuple(upper), tuple(lower))
    )


def least_level(p: Law, q: Law, allowed: Fraction, direction: str = "both") -> Fraction | str:
    """The least level E >= 1 with P(S) <= E Q(S) + allowed for every event S, or ``"inf"``."""
    level = Fraction(1)
    for upper, lower in _both_orders(p, q, direction):
        for first, second in _events(tuple(upper), tuple(lower)):
            if first > allowed and second == 0:
                return INFINITE
            if first > allowed + level * second:
                level = (first - allowed) / second
    return level


def attains(p: Law, q: Law, level: Fraction, allowed: Fraction) -> bool:
    """Whether P(S) = level Q(S) + allowed for an event S with P(S) > 0, in either order."""
    return any(
        first > 0 and first == level * second + allowed
        for upper, lower in _both_orders(p, q, "both")
        for first, second in _events(tuple(upper), tuple(lower))
    )


def total_variation(p: Law, q: Law) -> Fraction:
    """The largest P(S) - Q(S)."""
    return max(first - second for first, second in _events(tuple(p), tuple(q)))


def hockey_stick(p: Law, q: Law, level: Fraction) -> Fraction:
    """The sum of max(0, p - level q) over the outcomes."""
    return sum((max(Fraction(0), a - level * b) for a, b in zip(p, q, strict=True)), Fraction(0))


def points_of_tests(p: Law, q: Law) -> list[Point]:
    """The errors (P(S), mass of Q outside S) of each deterministic test with rejection set S."""
    mass = sum(q, Fraction(0))
    return sorted({(first, mass - second) for first, second in _events(tuple(p), tuple(q))})


def convex_hull_from_below(points: Iterable[Point]) -> list[Point]:
    """The points that no segment between two others passes at or below, by increasing alpha.

    A randomised test mixes deterministic ones, so for the points of all tests these are the
    corners of the trade-off function, the last one at the whole mass of the first law.
    """
    lowest: dict[Fraction, Fraction] = {}
    for alpha, beta in points:
        lowest[alpha] = min(beta, lowest.get(alpha, beta))
    kept = sorted(lowest.items())
    return [
        (alpha, beta)
        for alpha, beta in kept
        if not any(
            left[0] < alpha < right[0] and _on_segment(left, right, alpha) <= beta
            for left, right in combinations(kept, 2)
        )
    ]


def _on_segment(left: Point, right: Point, alpha: Fraction) -> Fraction:
    return left[1] + (right[1] - left[1]) * (alpha - left[0]) / (right[0] - left[0])


def value_at(corners: Sequence[Point], alpha: Fraction) -> Fraction:
    """The curve through the corners at alpha."""
    for left, right in pairwise(corners):
        if left[0] <= alpha <= right[0]:
            return _on_segment(left, right, alpha)
    raise ValueError(alpha)


def tradeoff_at(p: Law, q: Law, alpha: Fraction) -> Fraction:
    """The least type II error of a randomised test of type I error at most alpha.

    An optimum of this linear programme mixes at most two deterministic tests.
    """
    points = points_of_tests(p, q)
    best = min(beta for first, beta in points if first <= alpha)
    for left, right in combinations(points, 2):
        if left[0] <= alpha <= right[0] and left[0] < right[0]:
            best = min(best, _on_segment(left, right, alpha))
    return best


def inverse_at(corners: Sequence[Point], beta: Fraction) -> Fraction:
    """The least alpha at which the curve is at most beta."""
    for left, right in pairwise(corners):
        if left[1] <= beta:
            return left[0]
        if right[1] <= beta:
            return left[0] + (left[1] - beta) * (right[0] - left[0]) / (left[1] - right[1])
    return corners[-1][0]


def is_convex_curve(corners: Sequence[Point]) -> bool:
    """Whether the corners are those of a trade-off function, with no three on a line."""
    slopes = [(right[1] - left[1]) / (right[0] - left[0]) for left, right in pairwise(corners) if right[0] > left[0]]
    return (
        len(slopes) == len(corners) - 1
        and corners[0][0] == 0
        and list(corners[-1]) == [1, 0]
        and all(0 <= beta <= 1 - alpha for alpha, beta in corners)
        and all(left < right <= 0 for left, right in pairwise(slopes))
    )


def merged_by_ratio(p: Law, q: Law) -> list[list[Fraction]]:
    """The canonical channel: no zero column, equal ratios q/p merged, q/p increasing.

    The slope order of (p, q) by q/(p + q) is that of q/p, and it is finite where p = 0.
    """
    columns: dict[Fraction, tuple[Fraction, Fraction]] = {}
    for a, b in zip(p, q, strict=True):
        if a or b:
            old = columns.get(b / (a + b), (Fraction(0), Fraction(0)))
            columns[b / (a + b)] = (old[0] + a, old[1] + b)
    return [list(row) for row in zip(*(columns[key] for key in sorted(columns)), strict=True)]


def multiply(left: Sequence[Law], right: Sequence[Law]) -> list[list[Fraction]]:
    """The matrix product."""
    return [
        [sum((a * b for a, b in zip(row, column, strict=True)), Fraction(0)) for column in zip(*right, strict=True)]
        for row in left
    ]


def product(*laws: Law) -> list[Fraction]:
    """The law of independent outcomes, the last factor fastest."""
    result = [Fraction(1)]
    for law in laws:
        result = [total * mass for total in result for mass in law]
    return result


# The mechanisms of fixtures/mechanisms, each from its own description.


def randomized_response(truth: Fraction) -> list[list[Fraction]]:
    """Warner's randomized response: the true bit with probability *truth*, otherwise the other."""
    return [[truth, 1 - truth], [1 - truth, truth]]


def k_randomized_response(k: int, level: Fraction) -> list[list[Fraction]]:
    """Of k answers the true one is *level* times as likely as each other one."""
    return [[(level if y == x else Fraction(1)) / (level + k - 1) for y in range(k)] for x in range(k)]


def geometric_row(value: int, low: int, high: int, ratio: Fraction, reach: int = 400) -> list[Fraction]:
    """Two-sided geometric noise on *value*, clamped to low..high.

    The mass of the noise at distance k is (1 - r)/(1 + r) r^k. The k < *reach* are added up one
    by one; what lies beyond, r^reach/(1 + r) on either side, is the sum of a geometric series.
    """
    row = [Fraction(0)] * (high - low + 1)
    for noise in range(-reach + 1, reach):
        clamped = min(max(value + noise, low), high)
        row[clamped - low] += (1 - ratio) / (1 + ratio) * ratio ** abs(noise)
    beyond = ratio**reach / (1 + ratio)
    row[0] += beyond
    row[-1] += beyond
    return row


def truncated_discrete_laplace(value: int, bound: int, ratio: Fraction, outcomes: Sequence[int]) -> list[Fraction]:
    """Noise of mass proportional to r^|k| on -bound..bound, added to *value*."""
    total = sum((ratio ** abs(k) for k in range(-bound, bound + 1)), Fraction(0))
    return [ratio ** abs(y - value) / total if abs(y - value) <= bound else Fraction(0) for y in outcomes]


def exponential(scores: Sequence[Fraction], weight_per_score: Fraction) -> list[Fraction]:
    """Weights proportional to weight_per_score^score, the base being e^(epsilon/(2 sensitivity))."""
    weights = [weight_per_score ** int(score) for score in scores]
    total = sum(weights, Fraction(0))
    return [weight / total for weight in weights]


def permute_and_flip(scores: Sequence[int], weight_per_score: Fraction) -> list[Fraction]:
    """McKenna and Sheldon's permute-and-flip, over all orders of the candidates.

    In a uniformly random order each candidate is accepted with probability
    weight_per_score^(score - best) until one is; the best is accepted for certain.
    """
    law = [Fraction(0)] * len(scores)
    orders = list(permutations(range(len(scores))))
    best = max(scores)
    for order in orders:
        reached = Fraction(1, len(orders))
        for candidate in order:
            accept = weight_per_score ** (scores[candidate] - best)
            law[candidate] += reached * accept
            reached *= 1 - accept
    return law


def neighbours(document: dict[str, object]) -> Iterator[tuple[list[Fraction], list[Fraction]]]:
    """The pairs of laws that a table calls neighbours; the two rows of a table without pairs."""
    rows = channel(document)
    pairs = document.get("pairs")
    if pairs is None:
        yield rows[0], rows[1]
        return
    labels = document["inputs"]
    assert isinstance(pairs, list)
    assert isinstance(labels, list)
    for first, second in pairs:
        yield rows[labels.index(first)], rows[labels.index(second)]
