"""How often the rule "take the best threshold of the same scores" rejects when nothing is wrong: exactly.

m canaries are in or out by fair coins, and their scores are independent of the coins (epsilon = 0), without ties. In
order of decreasing score, the coins are a random walk W_t of steps +1 (in) and -1 (out). The threshold after t scores
guesses "in" for the first t and "out" for the rest and is right (m + 2 W_t - W_m)/2 times, so the best one is right

    B = (m + 2 M - W_m)/2 times,  M = max over 0 <= t <= m of W_t.

By reflection at a, #{M >= a, W_m = b} = #{W_m = 2a - b} for a >= max(b, 0), so that the law of B is rational. Each
fixed threshold is right Bin(m, 1/2) times; a rule that compares B with the critical value of that law rejects too
often: 0.3584 instead of 0.05 for m = 100.

Reference: W. Feller, *An Introduction to Probability Theory and Its Applications* I, 3rd ed. 1968, III.1 (reflection).
"""

from __future__ import annotations

from gmpy2 import bincoef, mpq, mpz

from oracle.errors import InputError, LimitError, shorten
from oracle.statistics.binomial import MOST_EXACT_TRIALS, binomial_upper_tail
from oracle.statistics.clopper_pearson import check_level
from oracle.statistics.searching import last_true

__all__ = ["corrected_critical", "nominal_critical", "null_rejection"]

_HALF = mpq(1, 2)


def _check_canaries(canaries: int) -> None:
    if canaries < 1:
        raise InputError("at least one canary", str(canaries), "canaries")
    if canaries > MOST_EXACT_TRIALS:
        raise LimitError(f"at most {MOST_EXACT_TRIALS} canaries", shorten(canaries), "canaries")


def null_rejection(canaries: int, critical: int) -> mpq:
    """P[the best threshold is right at least *critical* times] when the scores tell nothing, exactly.

    Raises:
        InputError: for no canaries.
        LimitError: for more than 10,000 of them.
    """
    _check_canaries(canaries)
    m, paths = canaries, mpz(0)
    for ups in range(m + 1):
        end = 2 * ups - m
        # B >= critical means M >= (2 critical - m + W_m)/2, and M >= max(W_m, 0) anyway.
        height = max(-(-(2 * critical - m + end) // 2), end, 0)
        reflected = m + 2 * height - end
        if reflected <= 2 * m:
            paths += bincoef(m, reflected // 2)
    return mpq(paths, mpz(1) << m)


def nominal_critical(canaries: int, level: mpq) -> int:
    """The least c with P[Bin(m, 1/2) >= c] <= level: the critical value of a threshold fixed in advance.

    It is m + 1, which rejects never, where even m right guesses are likelier than the level.

    Raises:
        InputError: for no canaries or a level outside (0, 1).
        LimitError: for more than 10,000 canaries.
    """
    _check_canaries(canaries)
    check_level(level)
    return 1 + last_true(lambda c: binomial_upper_tail(canaries, _HALF, c) > level, canaries // 2, canaries + 1)


def corrected_critical(canaries: int, level: mpq) -> int:
    """The least c with P[B >= c] <= level: the critical value of the best threshold; m + 1 where there is none.

    Raises:
        InputError: for no canaries or a level outside (0, 1).
        LimitError: for more than 10,000 canaries.
    """
    _check_canaries(canaries)
    check_level(level)
    return 1 + last_true(lambda c: null_rejection(canaries, c) > level, canaries // 2, canaries + 1)
