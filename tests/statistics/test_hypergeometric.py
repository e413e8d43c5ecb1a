"""Hypergeometric tails by enumeration of drawings, brackets around exact tails, and Fisher's test at the null."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations

import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle.errors import InputError, LimitError
from oracle.statistics.binomial import binomial_weights
from oracle.statistics.events import Count, EventCounts
from oracle.statistics.hypergeometric import (
    fisher_p_value,
    hypergeometric_lower_tail,
    hypergeometric_tail_bounds,
    hypergeometric_upper_tail,
)


@pytest.mark.parametrize(
    ("items", "marked", "drawn"), [(6, 2, 3), (7, 5, 4), (8, 8, 3), (5, 0, 2), (6, 3, 0), (6, 3, 6)]
)
def test_tails_count_the_drawings(items, marked, drawn):
    """Every set of items is as likely as any other."""
    seen = [sum(i < marked for i in chosen) for chosen in combinations(range(items), drawn)]
    for k in range(-1, items + 2):
        upper = Fraction(sum(x >= k for x in seen), len(seen))
        assert hypergeometric_upper_tail(items, marked, drawn, k) == upper
        assert hypergeometric_lower_tail(items, marked, drawn, k - 1) == 1 - upper


@settings(deadline=None, max_examples=100)
@given(st.integers(1, 2000), st.data())
def test_bounds_contain_the_exact_tail(items, data):
    """Both tails; they are at most 2^-80 apart."""
    marked, drawn = data.draw(st.integers(0, items)), data.draw(st.integers(0, items))
    k = data.draw(st.integers(0, min(marked, drawn)))
    for side, exact in (
        ("upper", hypergeometric_upper_tail(items, marked, drawn, k)),
        ("lower", hypergeometric_lower_tail(items, marked, drawn, k)),
    ):
        lo, hi = hypergeometric_tail_bounds(items, marked, drawn, k, side)
        assert lo <= exact <= hi
        assert hi - lo < mpq(1, 1 << 80)


def test_bounds_of_a_billion_items():
    """Half of them marked and drawn: the tail from the middle on is 1/2 and half the middle term, by symmetry."""
    items = 10**9
    lo, hi = hypergeometric_tail_bounds(items, items // 2, items // 2, items // 4, "upper")
    assert hi - lo < mpq(1, 10**20)
    # The middle term is near 2/sqrt(pi items / 2) = 5.05e-5.
    assert lo > mpq(1, 2) + mpq(2, 10**5)
    assert hi < mpq(1, 2) + mpq(3, 10**5)
    lower = hypergeometric_tail_bounds(items, items // 2, items // 2, items // 4, "lower")
    assert lower[0] <= hi
    assert lo <= lower[1]


@pytest.mark.parametrize("larger", ["first", "second"])
def test_fisher_rejects_at_most_at_the_level(larger):
    """Over all pairs of counts of 7 and 5 runs, for equal probabilities: exactly enumerated."""
    for p in (mpq(1, 10), mpq(1, 3), mpq(1, 2), mpq(9, 10)):
        laws = binomial_weights(7, p), binomial_weights(5, p)
        for level in (mpq(1, 100), mpq(1, 20), mpq(1, 3)):
            rejected = sum(
                laws[0][i] * laws[1][j]
                for i in range(8)
                for j in range(6)
                if fisher_p_value(EventCounts(Count(i, 7), Count(j, 5)), larger) <= level
            )
            assert rejected <= level


def test_fisher_of_the_lady_tasting_tea():
    """All of four cups of eight right: 1/70."""
    assert fisher_p_value(EventCounts(Count(4, 4), Count(0, 4))) == mpq(1, 70)
    assert fisher_p_value(EventCounts(Count(0, 4), Count(4, 4)), "second") == mpq(1, 70)
    assert fisher_p_value(EventCounts(Count(4, 4), Count(0, 4)), "second") == 1
    assert math.comb(8, 4) == 70


def test_bad_arguments_are_refused():
    """No items, more marked or drawn than there are, and too many for exact sums."""
    for arguments in ((0, 0, 0, 0), (5, 6, 1, 1), (5, 1, 6, 1), (5, -1, 2, 1)):
        with pytest.raises(InputError):
            hypergeometric_upper_tail(*arguments)
    with pytest.raises(LimitError, match="20000 items"):
        hypergeometric_upper_tail(20_001, 1, 1, 1)
    with pytest.raises(LimitError, match="1000000000 items"):
        hypergeometric_tail_bounds(10**9 + 1, 1, 1, 1, "upper")
    with pytest.raises(InputError, match="larger"):
        fisher_p_value(EventCounts(Count(1, 2), Count(1, 2)), "both")
