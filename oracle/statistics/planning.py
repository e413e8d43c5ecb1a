"""Planning: the smallest violation that a number of runs finds with a stated probability.

The violation is of the symmetric kind P(S) = t, Q(S) = 1 - t, which for t = (e^epsilon + delta)/(e^epsilon + 1) is that
of the worst case of (epsilon, delta): t = 3/4 is randomised response with e^epsilon = 3. A test of two counts refutes
for (k1, k2) if and only if k2 <= K(k1), where K does not decrease, so that with independent counts

    power(t) = sum over k of P[Bin(n1, t) = k] P[Bin(n2, 1 - t) <= K(k)]
             >= sum over strips [k_i, k_{i+1}) of P[k_i <= Bin(n1, t) < k_{i+1}] P[Bin(n2, 1 - t) <= K(k_i)]

with equality where each strip is one k and all k are covered. What is returned is proved to be found with at least the
probability asked for; with more than a few dozen runs a slightly smaller violation may be found as often.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import isqrt
from typing import Final

from gmpy2 import mpq

from oracle.channels.divergences import Direction
from oracle.claims import EventClaim, GaussianDP, TradeoffClaim
from oracle.enclosures import precision, rational_ball, rational_bounds
from oracle.errors import InputError
from oracle.special import phi, phi_inverse_ball
from oracle.statistics.binomial import binomial_tail_bounds, compare_binomial_tail
from oracle.statistics.clopper_pearson import default_grid, lower_bound
from oracle.statistics.searching import last_true

__all__ = ["CountTest", "Violation", "least_allowed", "least_found", "least_found_in_one_run"]

_BITS: Final = 64
_LEAST_GRID: Final = 1000
_STRIPS: Final = 10
_FEW: Final = 50
_WIDTHS: Final = 4
"""Standard deviations around the mean that the strips cover."""

_HALF: Final = mpq(1, 2)


def least_allowed(claim: EventClaim | GaussianDP, x: mpq, direction: Direction = "both") -> mpq:
    """The y such that P(S) >= x and Q(S) < y together violate the claim, for S or its complement; 0 for none.

    For (epsilon, delta) it is the larger of (x - delta)/E, from P(S) <= E Q(S) + delta forward, and
    1 - delta - E (1 - x), from the complement backward; for f the larger of f(1 - x), from T(P, Q) and the complement
    forward, and f^-1(1 - x), from T(Q, P) backward. Irrational values are rounded down.
    """
    if isinstance(claim, GaussianDP):
        return _gaussian(x, claim.mu)
    if isinstance(claim, TradeoffClaim):
        sides = claim.curve.at(1 - x), claim.curve.inverse().at(1 - x)
    elif claim.level.is_infinite:
        sides = mpq(0), mpq(0)
    else:
        level = claim.level.bracket(_BITS)[1]
        sides = (x - claim.delta) / level, 1 - claim.delta - level * (1 - x)
    chosen = sides if direction == "both" else sides[:1] if direction == "forward" else sides[1:]
    return max(mpq(0), *chosen)


def _gaussian(x: mpq, mu: mpq) -> mpq:
    """A bound below G_mu(1 - x) = Phi(Phi^-1(x) - mu), its own inverse."""
    if not 0 < x < 1:
        return x
    with precision(_BITS):
        return rational_bounds(phi(phi_inverse_ball(x, _BITS) - rational_ball(mu)))[0]


@dataclass(frozen=True)
class CountTest:
    """The test of two counts: it refutes where the bounds p_L of P(S) and q_U of Q(S) do, each on the grid.

    Attributes:
        claim: that is tested.
        runs: n1 of the law under which S is likelier, n2 of the other.
        levels: a1 and a2 of the two bounds.
        direction: of the claim, if S is likelier under P.
    """

    claim: EventClaim | GaussianDP
    runs: tuple[int, int]
    levels: tuple[mpq, mpq]
    direction: Direction = "both"

    @cached_property
    def _known(self) -> dict[int, int | None]:
        return {}

    def most(self, hits: int) -> int | None:
        """K(k1): the largest k2 with which k1 hits refute; None if not even 0 does."""
        if hits not in self._known:
            self._known[hits] = self._find(hits)
        return self._known[hits]

    def _find(self, hits: int) -> int | None:
        n1, n2 = self.runs
        grid = max(default_grid(n1), default_grid(n2))
        scaled = least_allowed(self.claim, lower_bound(hits, n1, self.levels[0], grid), self.direction) * grid
        y = mpq(-(-scaled.numerator // scaled.denominator) - 1, grid)  # the last grid point strictly below
        if y <= 0:
            return None
        guess = _whole(n2 * y) - 2 * isqrt(_whole(n2 * y * (1 - y)))
        found = last_true(
            lambda j: compare_binomial_tail(n2, y, j - 1, "lower", self.levels[1]) <= 0, guess + 1, n2 + 1
        )
        return found - 1 if found else None

    def power(self, t: mpq) -> mpq:
        """A proved lower bound of the probability that the test refutes where P(S) = t and Q(S) = 1 - t."""
        n1, n2 = self.runs
        edges = _edges(n1, t)
        # P[X >= k] at the lower ends of the strips, and 0 beyond the last.
        tails = [*(binomial_tail_bounds(n1, t, k, "upper") for k in edges), (mpq(0), mpq(0))]
        total = mpq(0)
        for k, (least, _), (_, beyond) in zip(edges, tails, tails[1:], strict=False):
            most = self.most(k)
            if most is not None and least > beyond:
                total += (least - beyond) * binomial_tail_bounds(n2, 1 - t, most, "lower")[0]
        return total

    def guess(self, grid: int) -> int:
        """A j for which the expected counts of t = 1/2 + j/(2 grid) just refute, which is about half of the time."""
        n1, n2 = self.runs

        def left(j: int) -> bool:
            t = _t(j, grid)
            most = self.most(_whole(n1 * t))
            return most is None or most < n2 * (1 - t)

        return last_true(left, grid // 4, grid)


@dataclass(frozen=True, slots=True)
class Violation:
    """A violation P(S) = t, Q(S) = 1 - t that is found with probability at least *power*, a proved bound."""

    t: mpq
    power: mpq

    def exp_epsilon(self, delta: mpq) -> mpq:
        """The E for which (log E, delta) holds with equality of such a pair: (t - delta)/(1 - t)."""
        return (self.t - delta) / (1 - self.t)


def _edges(n: int, t: mpq) -> list[int]:
    """The lower ends of the strips of counts around the mean n t, every count where there are few."""
    mean = _whole(n * t)
    width = _WIDTHS * (isqrt(_whole(n * t * (1 - t))) + 1)
    low, high = max(0, mean - width), min(n, mean + width)
    step = 1 if high - low <= _FEW else (high - low) // _STRIPS
    return list(range(low, high + 1, step))


def least_found(test: CountTest, probability: mpq = _HALF, grid: int | None = None) -> Violation | None:
    """The smallest t = 1/2 + j/(2 grid) below 1 that the test is proved to find with at least the probability.

    None where no such t is: the runs are too few to find any violation. The grid is the least power of ten that is at
    least 1000 and ten times the root of the number of runs, if none is given.

    Raises:
        InputError: for a probability that is not between 0 and 1.
    """
    size = _grid(max(test.runs)) if grid is None else grid
    return _least(test.power, probability, size, test.guess(size))


def least_found_in_one_run(
    critical: int | None, guesses: int, probability: mpq = _HALF, grid: int | None = None
) -> Violation | None:
    """The same for guesses about the canaries of one run, each right with probability t.

    Args:
        critical: the least number of correct guesses that refutes; None where not even all of them do.
        guesses: how many there are.
        probability: with which the violation is to be found.
        grid: of t.
    """
    if critical is None:
        return None
    size = _grid(guesses) if grid is None else grid
    guess = max(0, 2 * size * critical // guesses - size)
    return _least(lambda t: binomial_tail_bounds(guesses, t, critical, "upper")[0], probability, size, guess)


def _least(power: Callable[[mpq], mpq], probability: mpq, grid: int, guess: int) -> Violation | None:
    """The first t of the grid after the last one with power(t) < probability; power increases but for the strips."""
    if not 0 < probability < 1:
        raise InputError("a probability above 0 and below 1", str(probability), "probability")
    j = last_true(lambda j: power(_t(j, grid)) < probability, guess, grid) + 1
    return None if j == grid else Violation(_t(j, grid), power(_t(j, grid)))


def _grid(runs: int) -> int:
    """A grid that is finer than the spread of a frequency."""
    grid = _LEAST_GRID
    while grid < 10 * isqrt(runs):
        grid *= 10
    return grid


def _whole(value: mpq) -> int:
    return int(value.numerator // value.denominator)


def _t(j: int, grid: int) -> mpq:
    return _HALF + mpq(j, 2 * grid)
