"""How often a test rejects a true claim, and how often a bound misses, by exact enumeration of the counts.

A test is a function of counts, ours or a peer's that computes in floats: only its answers enter, and every probability
is a sum of rational numbers. What is compared with the nominal level is the size, the largest probability of rejection
where the claim holds. For a test whose rejections k1 >= ..., k2 <= ... are monotone, rejection is likeliest where P(S)
is as large as the claim allows for Q(S) = q, which is one number for each q, and between two points of a grid

    P[reject](p, q) <= P[reject](largest p for the upper point, lower point),

so that the size lies between the largest value on the grid and the largest of these.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from gmpy2 import mpq

from oracle.enclosures import precision, rational_ball, rational_bounds
from oracle.errors import InputError
from oracle.special import phi, phi_inverse_ball
from oracle.statistics.binomial import binomial_lower_tail, binomial_upper_tail, binomial_weights
from oracle.statistics.counts import PairCounts
from oracle.statistics.e_values import capital, factors

__all__ = [
    "CountRule",
    "Size",
    "approximate_dp_boundary",
    "gaussian_boundary",
    "outcome_counts",
    "rejection_of_best_outcome",
    "rejection_of_split_outcome",
    "response_share",
    "size_of_counts",
    "size_of_one_run",
    "stopped_rejection",
    "worst_miss",
]

CountRule = Callable[[int, int], bool]
"""A test: whether it rejects for k1 hits on D and k2 on D'."""

Boundary = Callable[[mpq], tuple[mpq, mpq]]
"""The largest P(S) that a claim allows where Q(S) = q, between two rational numbers."""

_POINTS: Final = 200
_BITS: Final = 64


@dataclass(frozen=True, slots=True)
class Size:
    """The largest probability of rejecting a true claim: at least *found*, at most *bound*, a proved enclosure.

    Attributes:
        found: the largest one on the grid, exact.
        at: the Q(S) of it.
        bound: that no point between exceeds; None where the test is not monotone, so that nothing is proved.
    """

    found: mpq
    at: mpq
    bound: mpq | None


def approximate_dp_boundary(exp_epsilon: mpq, delta: mpq) -> Boundary:
    """P(S) <= E Q(S) + delta, and Q(S') <= E P(S') + delta of the complement, for the events of one statement."""

    def largest(q: mpq) -> tuple[mpq, mpq]:
        p = min(mpq(1), exp_epsilon * q + delta, 1 - (1 - q - delta) / exp_epsilon)
        return p, p

    return largest


def gaussian_boundary(mu: mpq) -> Boundary:
    """G_mu <= T(Q, P) at Q(S) = q: P(S) <= 1 - G_mu(q) = Phi(Phi^-1(q) + mu)."""

    def largest(q: mpq) -> tuple[mpq, mpq]:
        if not 0 < q < 1:
            return q, q
        with precision(_BITS):
            return rational_bounds(phi(phi_inverse_ball(q, _BITS) + rational_ball(mu)))

    return largest


def _table(rejects: CountRule, runs: tuple[int, int]) -> list[list[bool]]:
    return [[bool(rejects(k1, k2)) for k2 in range(runs[1] + 1)] for k1 in range(runs[0] + 1)]


def _is_monotone(table: Sequence[Sequence[bool]]) -> bool:
    """Whether a rejection stays one for more hits on D and for fewer on D'."""
    columns = zip(*table, strict=True)
    return all(left >= right for row in table for left, right in pairwise(row)) and all(
        above <= below for column in columns for above, below in pairwise(column)
    )


def _rejection(table: Sequence[Sequence[bool]], p: mpq, q: mpq) -> mpq:
    """The probability of rejection where P(S) = p and Q(S) = q."""
    first, second = binomial_weights(len(table) - 1, p), binomial_weights(len(table[0]) - 1, q)
    total = mpq(0)
    for weight, row in zip(first, table, strict=True):
        total += weight * sum((other for other, hit in zip(second, row, strict=True) if hit), mpq(0))
    return total


def size_of_counts(rejects: CountRule, runs: tuple[int, int], boundary: Boundary, points: int = _POINTS) -> Size:
    """The size of a test of two counts of one event.

    Args:
        rejects: the test; it is asked once for each pair of counts.
        runs: n1 on D and n2 on D'.
        boundary: what the claim allows.
        points: of the grid of Q(S).

    Raises:
        InputError: for a grid of no point.
    """
    if points < 1:
        raise InputError("at least one point", str(points), "points")
    table = _table(rejects, runs)
    grid = [mpq(j, points) for j in range(points + 1)]
    found, at = max((_rejection(table, boundary(q)[0], q), q) for q in grid)
    if not _is_monotone(table):
        return Size(found, at, None)
    bound = max(_rejection(table, boundary(upper)[1], lower) for lower, upper in pairwise(grid))
    return Size(found, at, max(bound, found))


def worst_miss(bound: Callable[[int], mpq], runs: int, *, lower: bool) -> mpq:
    """The largest probability that a one-sided bound of p is wrong, over all p, exactly; the bound increases with k.

    A lower bound L is wrong for p < L(k). Between two values of L that is the event K >= k for one k, whose probability
    increases with p up to the next value of L; so the supremum is the largest P[Bin(n, L(k)) >= k] over k, and likewise
    for an upper bound.

    Raises:
        InputError: for a bound that decreases somewhere, or leaves [0, 1].
    """
    values = [bound(k) for k in range(runs + 1)]
    if any(low > high for low, high in pairwise(values)) or not 0 <= values[0] <= values[-1] <= 1:
        raise InputError("a bound in [0, 1] that does not decrease with k", "another", "bound")
    if lower:
        return max((binomial_upper_tail(runs, p, values.index(p)) for p in values if p > 0), default=mpq(0))
    last = {p: k for k, p in enumerate(values)}
    return max((binomial_lower_tail(runs, p, k) for p, k in last.items() if p < 1), default=mpq(0))


def response_share(exp_epsilon: mpq, delta: mpq) -> mpq:
    """The probability of a right guess about a coin that is published with probability delta, else randomised.

    It is delta + (1 - delta) E/(E + 1). Done for every canary this is (log E, delta)-DP, and for delta = 0 no mechanism
    makes more guesses right.
    """
    return delta + (1 - delta) * exp_epsilon / (exp_epsilon + 1)


def size_of_one_run(rejects: Callable[[int], bool], guesses: int, share: mpq) -> mpq:
    """The probability of rejection where each guess is right with a probability, independently of the others: exact.

    Args:
        rejects: the test, of the number of right guesses.
        guesses: how many there are.
        share: of right ones; for (epsilon, delta) see :func:`response_share`, for mu-GDP it is at most Phi(mu/2), that
            of Gaussian noise on every coin.
    """
    weights = binomial_weights(guesses, share)
    return sum((weight for correct, weight in enumerate(weights) if rejects(correct)), mpq(0))


def stopped_rejection(  # noqa: PLR0913 - one keyword for each part of the set-up
    exp_epsilon: mpq, delta: mpq, *, bet: mpq, threshold: mpq, pairs: int, q: mpq
) -> mpq:
    """The probability that the capital reaches the threshold within so many pairs, at the edge of the claim: exact.

    P(S) = E q + delta, and the two runs of a pair are independent. Whoever stops as soon as it does rejects this often.
    """
    p = exp_epsilon * q + delta
    factors(exp_epsilon, delta, bet)  # refuses a bet out of range
    weights = (p * q, p * (1 - q), (1 - p) * q, (1 - p) * (1 - q))
    alive: dict[tuple[int, int, int, int], mpq] = {(0, 0, 0, 0): mpq(1)}
    reached = mpq(0)
    for _ in range(pairs):
        after: dict[tuple[int, int, int, int], mpq] = defaultdict(mpq)
        for counts, weight in alive.items():
            for k, share in enumerate(weights):
                a, b, c, d = (count + (i == k) for i, count in enumerate(counts))
                after[a, b, c, d] += weight * share
        alive = {}
        for counts, weight in after.items():
            if capital(PairCounts(*counts), exp_epsilon, delta, bet) >= threshold:
                reached += weight
            else:
                alive[counts] = weight
    return reached


def outcome_counts(runs: int, law: Sequence[mpq]) -> Iterator[tuple[tuple[int, ...], mpq]]:
    """Every table of counts of so many runs by outcome, with its multinomial probability."""
    if len(law) == 1:
        yield (runs,), law[0] ** runs
        return
    left = 1 - law[0]
    for k, weight in enumerate(binomial_weights(runs, law[0])):
        rest = [share / left for share in law[1:]] if left else [mpq(1), *([mpq(0)] * (len(law) - 2))]
        for counts, share in outcome_counts(runs - k, rest) if runs > k else [((0,) * (len(law) - 1), mpq(1))]:
            yield (k, *counts), weight * share


def rejection_of_best_outcome(rejects: CountRule, runs: tuple[int, int], law: Sequence[mpq]) -> mpq:
    """The probability that the test rejects for some single outcome, where P = Q: exact.

    This is the false alarm of whoever tests every outcome and reports the best one.
    """
    table = _table(rejects, runs)
    second = list(outcome_counts(runs[1], law))
    total = mpq(0)
    for first, weight in outcome_counts(runs[0], law):
        for other, share in second:
            if any(table[k1][k2] for k1, k2 in zip(first, other, strict=True)):
                total += weight * share
    return total


def rejection_of_split_outcome(
    rejects: CountRule,
    runs: tuple[int, int],
    law: Sequence[mpq],
    choose: Callable[[tuple[int, ...], tuple[int, ...]], Sequence[int]],
    choosing: tuple[int, int],
) -> mpq:
    """The same where other runs choose the event and the counted ones test it, where P = Q: exact.

    Args:
        rejects: the test.
        runs: the counted ones.
        law: of the outcomes, on both inputs.
        choose: the places of the outcomes of the event, from the counts of the other runs.
        choosing: how many of those there are on each input.
    """
    table = _table(rejects, runs)
    chosen: dict[tuple[int, ...], mpq] = defaultdict(mpq)
    others = list(outcome_counts(choosing[1], law))
    for first, a in outcome_counts(choosing[0], law):
        for second, b in others:
            chosen[tuple(choose(first, second))] += a * b
    total = mpq(0)
    for event, weight in chosen.items():
        share = sum((law[k] for k in event), mpq(0))
        total += weight * _rejection(table, share, share)
    return total
