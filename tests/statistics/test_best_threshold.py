"""The rule of the best threshold at the null: brute force over all coins, published cases, the corrected value."""

from __future__ import annotations

from itertools import product

import pytest
from gmpy2 import mpq

from oracle.errors import InputError, LimitError
from oracle.statistics.best_threshold import corrected_critical, nominal_critical, null_rejection
from oracle.statistics.binomial import binomial_upper_tail


@pytest.mark.parametrize("canaries", [1, 2, 3, 6, 9])
def test_the_law_is_that_of_all_coins(canaries):
    """Every sequence of coins and every threshold."""
    best = []
    for coins in product((True, False), repeat=canaries):
        right = [sum(coins[:t]) + sum(not coin for coin in coins[t:]) for t in range(canaries + 1)]
        best.append(max(right))
    for critical in range(canaries + 2):
        share = mpq(sum(b >= critical for b in best), len(best))
        assert null_rejection(canaries, critical) == share


@pytest.mark.parametrize(
    ("canaries", "critical", "corrected", "low", "high"),
    [(20, 15, 17, "0.1744", "0.1745"), (100, 59, 64, "0.3584", "0.3585"), (1000, 527, 545, "0.4050", "0.4051")],
)
def test_the_rule_rejects_far_too_often(canaries, critical, corrected, low, high):
    """At a nominal level of 1/20."""
    level = mpq(1, 20)
    assert nominal_critical(canaries, level) == critical
    assert mpq(low) < null_rejection(canaries, critical) < mpq(high)
    assert corrected_critical(canaries, level) == corrected


@pytest.mark.parametrize("level", [mpq(1, 20), mpq(1, 3), mpq(1, 10**6)])
def test_critical_values_are_the_least_ones(level):
    """For fixed and for best thresholds; with too few canaries nothing can be rejected."""
    for canaries in (1, 4, 5, 30):
        nominal, corrected = nominal_critical(canaries, level), corrected_critical(canaries, level)
        half = mpq(1, 2)
        assert binomial_upper_tail(canaries, half, nominal) <= level < binomial_upper_tail(canaries, half, nominal - 1)
        assert null_rejection(canaries, corrected) <= level < null_rejection(canaries, corrected - 1)
        assert nominal <= corrected <= canaries + 1
    assert nominal_critical(4, mpq(1, 20)) == 5


def test_bad_arguments_are_refused():
    """No canaries, too many, and a level that is none."""
    with pytest.raises(InputError, match="canary"):
        null_rejection(0, 1)
    with pytest.raises(LimitError):
        nominal_critical(10_001, mpq(1, 20))
    with pytest.raises(InputError, match="level"):
        corrected_critical(10, mpq(1))
