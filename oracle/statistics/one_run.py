"""Audits in one run: the exact p-value of correct guesses about canaries, for (epsilon, delta).

Each of m canaries is included or not by its own fair coin; the mechanism runs once; the auditor guesses r of the coins
and abstains from the rest, and v guesses are correct. If the mechanism is (epsilon, delta)-DP, E = e^epsilon, and
W ~ Bin(r, E/(E + 1)), then

    P[at least v correct] <= beta + 2 m delta alpha,  beta = P[W >= v],  alpha = max over i >= 1 of P[v - i <= W < v]/i.

With delta > 0 that is not so in the lower tail: of m = r = 3 and v = 1, the mechanism that is uniform on {-1, 1}^3 but
for 1/10 moved from -s, s the coins, to (1, 1, 1) is (0, 1/10)-DP and has at least one right guess with probability
77/80, where the bound says 76/80. Worst cases found by linear programming for m up to 30 exceed the bound only where it
is above 7/8, so that it is believed, and a claim refuted, only up to :data:`MOST_P_VALUE`.

For rational E and delta this is a rational number. The probabilities of W rise to the mode and fall from there, so that
the averages P[v - i <= W < v]/i rise, once they do, to one maximum and fall after it.

Reference: T. Steinke, M. Nasr and M. Jagielski, *Privacy auditing with one (1) training run*, NeurIPS 2023,
arXiv:2305.08846, theorem 5.2. Claims of a trade-off function are in :mod:`oracle.statistics.one_run_curves`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from gmpy2 import bincoef, mpq, mpz

from oracle.errors import InputError, LimitError, shorten
from oracle.exact import to_text
from oracle.statistics.clopper_pearson import check_level
from oracle.statistics.searching import last_true

__all__ = ["MOST_CANARIES", "MOST_P_VALUE", "OneRun", "largest_refuted_exp_epsilon", "one_run_p_value"]

MOST_CANARIES: Final = 10**9
MOST_P_VALUE: Final = mpq(1, 2)
"""The largest bound on which a refutation rests where delta is above 0."""

_MOST_GUESSES: Final = 100_000
_MOST_BITS: Final = 1 << 22
"""Of the exact denominator (a + b)^r, where e^epsilon = a/b."""

_DEFAULT_GRID: Final = 1000


@dataclass(frozen=True, slots=True)
class OneRun:
    """The outcome of one run with canaries.

    Attributes:
        canaries: m, how many were included or not, each by its own fair coin.
        guesses: r, of how many a guess was made; the auditor abstained from the rest.
        correct: v, how many guesses were right.

    Raises:
        InputError: for what is no whole number, no canaries, more guesses than canaries, more correct than guesses.
        LimitError: for more than 10^9 canaries or 100,000 guesses.
    """

    canaries: int
    guesses: int
    correct: int

    def __post_init__(self) -> None:
        for name in ("canaries", "guesses", "correct"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int):
                raise InputError("a whole number", shorten(value), name)
        if self.canaries < 1:
            raise InputError("at least one canary", str(self.canaries), "canaries")
        if self.canaries > MOST_CANARIES:
            raise LimitError(f"at most {MOST_CANARIES} canaries", shorten(self.canaries), "canaries")
        if not 0 <= self.guesses <= self.canaries:
            raise InputError(f"a number of guesses from 0 to {self.canaries}", shorten(self.guesses), "guesses")
        if self.guesses > _MOST_GUESSES:
            raise LimitError(f"at most {_MOST_GUESSES} guesses", shorten(self.guesses), "guesses")
        if not 0 <= self.correct <= self.guesses:
            raise InputError(f"a number of correct guesses from 0 to {self.guesses}", shorten(self.correct), "correct")

    def to_json(self) -> dict[str, str]:
        """``{"canaries": "1000", "guesses": "100", "correct": "90"}``."""
        return {"canaries": str(self.canaries), "guesses": str(self.guesses), "correct": str(self.correct)}


def one_run_p_value(run: OneRun, exp_epsilon: mpq, delta: mpq = mpq(0)) -> mpq:  # noqa: B008 - a number is immutable
    """The bound of P[at least v correct] for an (epsilon, delta)-DP mechanism, at most 1, exactly.

    Raises:
        InputError: for exp_epsilon < 1 or a delta outside [0, 1].
        LimitError: for guesses and an exp_epsilon whose exact tail has a denominator of more than 2^22 bits.
    """
    law = _Law(run, exp_epsilon, delta)
    return min(mpq(1), (law.beta + law.allowed * law.largest_average()) / law.whole)


def largest_refuted_exp_epsilon(run: OneRun, delta: mpq, level: mpq, grid: int = _DEFAULT_GRID) -> mpq | None:
    """The largest E = j/grid such that, with confidence 1 - level, no claim up to it holds; None below E = 1.

    E is chosen by the data, so that the probability that a true claim is among the refuted ones has to be bounded, not
    that of one claim. Write the p-value as the largest of (1 - s) f(v) + s f(v - i) over i, s = 2 m delta/i and
    f(k) = P[W >= k]. The f increase with E. With 1 - min(1, s) for 1 - s each expression increases with E, and so does
    their maximum: it is at most *level* at E only if it is at the true E' <= E, which happens with a probability of at
    most *level*. It is at least the p-value, and equal where 2 m delta is at most i, hence always if it is at most 1.

    Raises:
        InputError: for a level outside (0, 1), a grid below 1 or a delta outside [0, 1].
        LimitError: as :func:`one_run_p_value`.
    """
    check_level(level)
    level = min(level, MOST_P_VALUE) if delta else level
    if grid < 1:
        raise InputError("a grid of at least 1 step", shorten(grid), "grid")

    def refuted(j: int) -> bool:
        law = _Law(run, 1 + mpq(j, grid), delta)
        return law.beta + law.largest_increasing() <= level * law.whole

    if not refuted(0):
        return None
    end = grid
    while refuted(end):
        end *= 2
    return 1 + mpq(last_true(refuted, end // 2, end), grid)


class _Law:
    """The law of W times (a + b)^r, in integers, where e^epsilon = a/b.

    Attributes:
        beta: P[W >= v], and ``whole``, 1, in these units.
        allowed: 2 m delta.
    """

    __slots__ = ("_a", "_b", "_r", "_v", "allowed", "beta", "whole")

    def __init__(self, run: OneRun, exp_epsilon: mpq, delta: mpq) -> None:
        if exp_epsilon < 1:
            raise InputError("an exp_epsilon of at least 1", shorten(to_text(exp_epsilon)), "exp_epsilon")
        if not 0 <= delta <= 1:
            raise InputError("a delta from 0 to 1", shorten(to_text(delta)), "delta")
        self._r, self._v = run.guesses, run.correct
        self._a, self._b = exp_epsilon.numerator, exp_epsilon.denominator
        bits = (self._a + self._b).bit_length()
        if self._r * bits > _MOST_BITS:
            got = f"{self._r} guesses and a number of {bits} bits"
            raise LimitError(f"guesses times bits of exp_epsilon of at most {_MOST_BITS}", got, "exp_epsilon")
        self.allowed = 2 * run.canaries * delta
        self.whole = (self._a + self._b) ** self._r
        term = self._first()
        self.beta = term
        for j in range(self._v, self._r):
            term = term * ((self._r - j) * self._a) // ((j + 1) * self._b)
            self.beta += term

    def _first(self) -> mpz:
        """The term of v."""
        return bincoef(self._r, self._v) * self._a**self._v * self._b ** (self._r - self._v)

    def _below(self) -> Iterator[tuple[int, mpz, mpz]]:
        """For i = 1..v: i, the term of v - i, and the sum of the terms from v - 1 down to v - i."""
        term, total = self._first(), mpz(0)
        for i in range(1, self._v + 1):
            j = self._v - i
            term = term * ((j + 1) * self._b) // ((self._r - j) * self._a)
            total += term
            yield i, term, total

    def largest_average(self) -> mpq:
        """The largest average of the terms of v - 1, ..., v - i over i; 0 where there is none or delta is 0."""
        best = mpq(0)
        for i, term, total in self._below() if self.allowed else ():
            if term * i < total:
                break
            best = mpq(total, i)
        return best

    def largest_increasing(self) -> mpq:
        """The largest s (sum of the terms of v - 1, ..., v - i) + max(0, s - 1) beta over i, s = 2 m delta/i."""
        best = mpq(0)
        for i, term, total in self._below() if self.allowed else ():
            if term * i < total and i > self.allowed:
                break
            best = max(best, self.allowed * total / i + max(self.allowed / i - 1, mpq(0)) * self.beta)
        return best
