"""Clopper-Pearson bounds of a probability, as the best rational on a stated grid.

For k successes in n independent trials of probability p, the lower bound p_L = j/grid is the largest with
P[Bin(n, p_L) >= k] <= level, the upper bound q_U the smallest with P[Bin(n, q_U) <= k] <= level. A true p below p_L has
a tail at most that of p_L, so p < p_L is found in a share of at most *level* of all experiments: with confidence
1 - level, p >= p_L; and likewise p <= q_U. Doubles propose a grid point, balls or exact sums decide it and its
neighbour, so that a bad proposal costs time and nothing else.

Reference: C. J. Clopper and E. S. Pearson, Biometrika 26(4), 1934, doi:10.1093/biomet/26.4.404.
"""

from __future__ import annotations

from typing import Final

from gmpy2 import mpq

from oracle.errors import InputError, LimitError, shorten
from oracle.exact import to_text
from oracle.statistics.binomial import MOST_TRIALS, compare_binomial_tail
from oracle.statistics.proposals import propose_lower_bound
from oracle.statistics.searching import last_true

__all__ = ["LEAST_GRID", "MOST_GRID", "default_grid", "lower_bound", "upper_bound"]

LEAST_GRID: Final = 10_000
MOST_GRID: Final = 10**18


def default_grid(runs: int) -> int:
    """The grid when none is asked for: the least power of ten that is at least 10,000 and the number of trials."""
    grid = LEAST_GRID
    while grid < runs:
        grid *= 10
    return grid


def check_counts(hits: int, runs: int) -> None:
    """Refuse what is no count out of a number of trials.

    Raises:
        InputError: for no trial, a negative count or one above the trials.
        LimitError: for more than 10^9 trials.
    """
    if runs < 1:
        raise InputError("at least one run", str(runs), "runs")
    if runs > MOST_TRIALS:
        raise LimitError(f"at most {MOST_TRIALS} runs", shorten(runs), "runs")
    if not 0 <= hits <= runs:
        raise InputError(f"a count from 0 to {runs}", shorten(hits), "hits")


def check_level(level: mpq) -> None:
    """Refuse a level that is not strictly between 0 and 1."""
    if not 0 < level < 1:
        raise InputError("a level above 0 and below 1", shorten(to_text(level)), "level")


def lower_bound(hits: int, runs: int, level: mpq, grid: int | None = None) -> mpq:
    """The largest j/grid with P[Bin(runs, j/grid) >= hits] <= level; 0 for no hit.

    Raises:
        InputError: for counts that are none, a level outside (0, 1) or a grid below 1.
        LimitError: for more than 10^9 runs or a grid above 10^18.
        UndecidedError: if a tail of more than 10,000 runs is too close to the level.
    """
    check_counts(hits, runs)
    check_level(level)
    size = _grid(grid, runs)
    if hits == 0:
        return mpq(0)

    def at_most(j: int) -> bool:
        return compare_binomial_tail(runs, mpq(j, size), hits, "upper", level) <= 0

    proposal = propose_lower_bound(hits, runs, level, size)
    return mpq(last_true(at_most, proposal, size), size)


def upper_bound(hits: int, runs: int, level: mpq, grid: int | None = None) -> mpq:
    """The smallest j/grid with P[Bin(runs, j/grid) <= hits] <= level; 1 where every run is a hit.

    The failures have the lower bound 1 - j/grid. Errors are those of :func:`lower_bound`.
    """
    check_counts(hits, runs)
    return 1 - lower_bound(runs - hits, runs, level, grid)


def _grid(grid: int | None, runs: int) -> int:
    if grid is None:
        return default_grid(runs)
    if grid < 1:
        raise InputError("a grid of at least 1 step", shorten(grid), "grid")
    if grid > MOST_GRID:
        raise LimitError(f"a grid of at most {MOST_GRID} steps", shorten(grid), "grid")
    return grid
