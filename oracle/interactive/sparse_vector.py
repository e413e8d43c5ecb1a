"""The sparse vector technique with geometric noise as a finite interactive mechanism, correct and broken.

*Above threshold.* A noisy threshold s = T + rho is drawn once. To each query the mechanism answers ``above`` if
(true answer + nu) >= s and ``below`` otherwise, nu drawn anew each time; it stops after the first *cutoff* answers
``above``, or after *queries* answers. rho and nu are two-sided geometric, Pr[z] = (1 - r)/(1 + r) · r^|z|, of ratios r1
and r2. The adversary chooses a pair (u, v) of true answers on the two inputs from a list; |u - v| <= 1.

**Guarantee** (Dwork and Roth 2014, section 3.6; Lyu, Su and Li, PVLDB 2017, algorithm 1): e^epsilon = r1^-1
r2^(-2 cutoff), and r1^-1 r2^-cutoff where u <= v for all pairs, or u >= v for all (*monotone*). *Proof.* A view has
P = Σ_s Pr[T + rho = s] Π_below Pr[nu < s - u] Π_above Pr[nu >= s - u], s over all integers. Compare the term of s for
the first input with that of s + 1 for the second: the first factor grows by at most r1^-1; Pr[nu < s - u] <= Pr[nu <
s + 1 - v] since v <= u + 1; and s + 1 - v <= s - u + 2, so that Pr[nu >= s - u] <= r2^-2 Pr[nu >= s + 1 - v]. The shift
maps the integers onto themselves, so the sums compare as the terms do. If u <= v always, s + 1 - v <= s - u + 1 and
r2^-1 does; for the other order take s with s, where Pr[nu < s - v] <= Pr[nu < s - u] and Pr[nu >= s - v] <=
r2^-1 Pr[nu >= s - u].

The hidden threshold is what makes the answers dependent: the probability of an answer is the ratio of the masses of
two histories, each a sum over s. It does not depend on the order of the history, so subtrees are shared by the
true answers that were answered in each way. Below all answers and above all of them each factor is a polynomial in
r2^|s|, so the infinite sum is a finite sum of geometric series and every probability is rational: nothing is truncated
but the number of answers, which makes the communication finite.

*Clamping.* Clamping u + nu to a range that contains every value of s and one value below and above would
change no answer. Clamping s does: the shift leaves the range, and the proof fails at its end. With ``clamp`` the noisy
threshold is moved into a range, and the guarantee is what the tree says it is.

**Broken variants**: no noise on the queries; one nu for all queries (not refreshed), each with views that are
possible on one input only; no noise on the threshold, where each ``below`` costs as much as an ``above``; and a cutoff
larger than the noise was chosen for (Lyu, Su and Li show such defects of algorithms in use).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from gmpy2 import mpq

from oracle.errors import InputError, LimitError, shorten
from oracle.exact import to_text
from oracle.interactive.tree import HALT, MAX_NODES, AnswerNode, Branch, InteractiveMechanism, Node, QueryNode

__all__ = ["EVERY_PAIR", "SparseVector", "sparse_vector"]

EVERY_PAIR: Final = ((0, 0), (0, 1), (1, 0), (1, 1))
"""The pairs of true answers 0 and 1 of a query of sensitivity 1."""

_MAX_SPREAD: Final = 1_000
"""Largest distance between true answers, the threshold and the ends of the clamping range."""

_Values = tuple[int, ...]
_History = tuple[tuple[_Values, _Values], tuple[_Values, _Values]]
"""For each input the true answers, in increasing order, that were answered ``below`` and ``above``."""


@dataclass(frozen=True, slots=True)
class SparseVector:
    """The parameters of a sparse vector mechanism.

    Attributes:
        threshold_ratio: r1 in (0, 1), or None for no noise on the threshold.
        query_ratio: r2 in (0, 1), or None for no noise on the answers.
        queries: most answers, at least 1.
        pairs: the pairs (u, v) of true answers on the first and second input that may be asked for, |u - v| <= 1.
        threshold: T.
        cutoff: how many answers ``above`` end the interaction, at least 1.
        refreshed: False for one noise nu for all queries.
        clamp: a range (low, high) that the noisy threshold is moved into, or None.
    """

    threshold_ratio: mpq | None
    query_ratio: mpq | None
    queries: int
    pairs: tuple[tuple[int, int], ...] = EVERY_PAIR
    threshold: int = 0
    cutoff: int = 1
    refreshed: bool = True
    clamp: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        self._check_numbers()
        for u, v in self.pairs:
            if abs(u - v) > 1:
                raise InputError("true answers that differ by at most 1", f"{u} and {v}", "pairs")
        if self.clamp is not None and self.clamp[0] > self.clamp[1]:
            raise InputError("a range (low, high), low at most high", shorten(list(self.clamp)), "clamp")
        ends = [*self.values, self.threshold, *(self.clamp or ())]
        if max(ends) - min(ends) > _MAX_SPREAD:
            raise LimitError(f"values at most {_MAX_SPREAD} apart", f"{max(ends) - min(ends)}", "pairs")

    def _check_numbers(self) -> None:
        for name in ("threshold_ratio", "query_ratio"):
            ratio = getattr(self, name)
            if ratio is not None and not 0 < ratio < 1:
                raise InputError("a ratio above 0 and below 1, or None", shorten(to_text(ratio)), name)
        for name in ("queries", "cutoff"):
            if getattr(self, name) < 1:
                raise InputError("at least 1", f"{getattr(self, name)}", name)
        if not self.pairs or len(set(self.pairs)) < len(self.pairs):
            raise InputError("a list of distinct pairs of true answers", shorten(list(self.pairs)), "pairs")
        if not self.refreshed and self.query_ratio is None:
            raise InputError("a query_ratio where its noise is not refreshed", "none", "refreshed")

    @property
    def values(self) -> list[int]:
        """Every true answer that occurs, increasing."""
        return sorted({value for pair in self.pairs for value in pair})

    @property
    def monotone(self) -> bool:
        """Whether all pairs differ in the same direction, if at all."""
        return all(u <= v for u, v in self.pairs) or all(u >= v for u, v in self.pairs)

    @property
    def exp_epsilon(self) -> mpq:
        """The e^epsilon of the theorem, which holds for refreshed noise on both sides, not clamped.

        Raises:
            InputError: where the theorem says nothing.
        """
        if self.threshold_ratio is None or self.query_ratio is None or not self.refreshed or self.clamp is not None:
            raise InputError("refreshed noise on threshold and queries, not clamped", "another variant", "exp_epsilon")
        return 1 / (self.threshold_ratio * self.query_ratio ** ((1 if self.monotone else 2) * self.cutoff))

    def mass(self, below: Counter[int], above: Counter[int]) -> mpq:
        """The probability that true answers *below* were answered so and *above* so, in whatever order."""
        if self.refreshed and self.query_ratio is not None:
            return self._sum_over_thresholds(self.query_ratio, below, above)
        # One variable D = s - nu (s alone without nu) decides every answer: max(below) < D <= min(above).
        more_than_below = self._exceeds(max(below)) if below else mpq(1)
        more_than_above = self._exceeds(min(above)) if above else mpq(0)
        return max(mpq(0), more_than_below - more_than_above)

    def _exceeds(self, value: int) -> mpq:
        """Pr[D > value], which is the probability of a single answer ``below``."""
        if self.query_ratio is not None:
            return self._sum_over_thresholds(self.query_ratio, Counter([value]), Counter())
        r = self.threshold_ratio
        if r is not None and self.clamp is None:
            return _upper_tail(r, value + 1 - self.threshold)
        return sum((weight for s, weight in self._window(value, value).items() if s > value), mpq(0))

    def _window(self, low: int, high: int) -> dict[int, mpq]:
        """The law of the noisy threshold: all of it where it is bounded, else from min(low, T) to max(high, T)."""
        r, center = self.threshold_ratio, self.threshold
        if r is not None and self.clamp is None:
            return {s: _point(r, s - center) for s in range(min(low, center), max(high, center) + 1)}
        first, last = self.clamp or (center, center)
        if r is None or first == last:
            return {min(max(center, first), last): mpq(1)}
        inside = {s: _point(r, s - center) for s in range(first + 1, last)}
        return {first: _upper_tail(r, center - first), **inside, last: _upper_tail(r, last - center)}

    def _sum_over_thresholds(self, r2: mpq, below: Counter[int], above: Counter[int]) -> mpq:
        asked = [*below, *above, self.threshold]
        low, high = min(asked), max(asked)
        total = mpq(0)
        for s, weight in self._window(low, high).items():
            term = weight
            for u, n in below.items():
                term *= (1 - _upper_tail(r2, s - u)) ** n
            for u, n in above.items():
                term *= _upper_tail(r2, s - u) ** n
            total += term
        r1 = self.threshold_ratio
        if r1 is None or self.clamp is not None:
            return total
        # At s = high + t, t >= 1, with y = r2^t, Pr[nu >= s - u] = y r2^(high - u)/(1 + r2), and at s = low - t
        # Pr[nu < s - u] = y r2^(1 + u - low)/(1 + r2).
        upper = [[(r2 ** (high - u) / (1 + r2), n) for u, n in counts.items()] for counts in (above, below)]
        lower = [[(r2 ** (1 + u - low) / (1 + r2), n) for u, n in counts.items()] for counts in (below, above)]
        total += _point(r1, high - self.threshold) * _series(r1, r2, *upper)
        return total + _point(r1, self.threshold - low) * _series(r1, r2, *lower)


def _point(r: mpq, z: int) -> mpq:
    """Pr[Z = z] of two-sided geometric noise: (1 - r)/(1 + r) r^|z|."""
    return (1 - r) / (1 + r) * r ** abs(z)


def _upper_tail(r: mpq, m: int) -> mpq:
    """Pr[Z >= m]: r^m/(1 + r) for m >= 1, and 1 - Pr[Z >= 1 - m] otherwise."""
    return r**m / (1 + r) if m >= 1 else 1 - r ** (1 - m) / (1 + r)


def _series(r1: mpq, r2: mpq, linear: Iterable[tuple[mpq, int]], complement: Iterable[tuple[mpq, int]]) -> mpq:
    """Σ over t >= 1 of r1^t Π (b y)^n Π (1 - b y)^n at y = r2^t, over the pairs (b, n) of either list.

    The product is a polynomial Σ c_j y^j, and Σ_t (r1 r2^j)^t = x/(1 - x) at x = r1 r2^j.
    """
    coefficients = [mpq(1)]
    for b, n in linear:
        coefficients = [mpq(0)] * n + [c * b**n for c in coefficients]
    for b, n in complement:
        for _ in range(n):
            coefficients = [x - b * y for x, y in zip([*coefficients, mpq(0)], [mpq(0), *coefficients], strict=True)]
    total = mpq(0)
    for j, c in enumerate(coefficients):
        x = r1 * r2**j
        total += c * x / (1 - x)
    return total


def sparse_vector(parameters: SparseVector, name: str | None = None) -> InteractiveMechanism:
    """The tree of a sparse vector mechanism: options ``u|v``, answers ``below`` and ``above``.

    A history that has probability 0 on one input goes on with the law of the other, since its own is then undefined.
    Nodes: for each number of answers one query node for each two multisets of true answers that can have got them; for
    :data:`EVERY_PAIR` and cutoff 1 these are (t + 1)² after t answers. Each has an answer node for each pair.

    Raises:
        LimitError: for a tree of more than ``MAX_NODES`` nodes.
    """
    return InteractiveMechanism(_Histories(parameters).tree(), name)


class _Histories:
    """The nodes of a sparse vector tree, one query node for each history up to order."""

    def __init__(self, parameters: SparseVector) -> None:
        self.parameters = parameters
        self.masses: dict[tuple[_Values, _Values], mpq] = {}
        self.nodes: dict[_History, Node] = {}

    def tree(self) -> Node:
        """The root. Histories are built from the longest to the empty one, which has everything that it needs."""
        nothing: _History = (((), ()), ((), ()))
        levels: list[set[_History]] = [{nothing}]
        count = 1
        for _ in range(self.parameters.queries - 1):
            following = (after for history in levels[-1] for after in self._afterwards(history))
            levels.append({after for after in following if not self._ended(after) and self._possible(after)})
            count += len(levels[-1])
            if count * (len(self.parameters.pairs) + 1) > MAX_NODES:
                raise LimitError(f"at most {MAX_NODES} distinct nodes", "more", "queries")
        for level in reversed(levels):
            for history in level:
                self.nodes[history] = self._query(history)
        return self.nodes[nothing]

    def _afterwards(self, history: _History) -> Iterator[_History]:
        return (_answered(history, pair, above) for pair in self.parameters.pairs for above in (False, True))

    def _ended(self, history: _History) -> bool:
        below, above = map(len, history[0])
        return above == self.parameters.cutoff or below + above == self.parameters.queries

    def _possible(self, history: _History) -> bool:
        """Whether one input at least has the history; fresh noise on every answer makes all histories possible."""
        given = self.parameters
        return (given.refreshed and given.query_ratio is not None) or any(map(self._mass, history))

    def _query(self, history: _History) -> Node:
        return QueryNode(tuple((f"{u}|{v}", self._answer(history, (u, v))) for u, v in self.parameters.pairs))

    def _answer(self, history: _History, pair: tuple[int, int]) -> Node:
        below, above = _answered(history, pair, False), _answered(history, pair, True)
        masses = [(self._mass(before), self._mass(after)) for before, after in zip(history, below, strict=True)]
        # The history is possible on one input at least.
        other = next(after / before for before, after in masses if before)
        p, q = (after / before if before else other for before, after in masses)
        branches = (("below", p, q, below), ("above", 1 - p, 1 - q, above))
        return AnswerNode(tuple(Branch(label, p, q, self._then(after)) for label, p, q, after in branches if p or q))

    def _then(self, history: _History) -> Node:
        return HALT if self._ended(history) else self.nodes[history]

    def _mass(self, answers: tuple[_Values, _Values]) -> mpq:
        if answers not in self.masses:
            below, above = answers
            self.masses[answers] = self.parameters.mass(Counter(below), Counter(above))
        return self.masses[answers]


def _answered(history: _History, pair: tuple[int, int], above: bool) -> _History:
    """The history with one more answer to a pair of true answers."""
    first, second = (
        (b, tuple(sorted((*a, value)))) if above else (tuple(sorted((*b, value))), a)
        for (b, a), value in zip(history, pair, strict=True)
    )
    return first, second
