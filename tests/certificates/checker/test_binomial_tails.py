"""Proofs about binomial tails: exact sums, rounded ones, both answers, the border, and what is too far out."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle.certificates.checker import binomial_tails
from oracle.certificates.checker.binomial_tails import lower_tail_at_most, upper_tail_at_most
from oracle.certificates.checker.verdict import Rejected
from oracle.statistics.binomial import compare_binomial_tail

PROBABILITIES = st.fractions(0, 1, max_denominator=60)
LEVELS = st.fractions("1/1000", "999/1000", max_denominator=1000)


def tail(n, p, k):
    """P[Bin(n, p) >= k] by definition."""
    return sum((math.comb(n, j) * p**j * (1 - p) ** (n - j) for j in range(k, n + 1)), Fraction(0))


@settings(deadline=None, max_examples=100)
@given(st.integers(1, 40), PROBABILITIES, LEVELS, st.data())
def test_both_tails_by_definition(n, p, level, data):
    """Exact, also at the tail itself, where equality is at most."""
    k = data.draw(st.integers(0, n))
    upper, lower = tail(n, p, k), 1 - (tail(n, p, k + 1) if k < n else 0)
    assert upper_tail_at_most(n, p, k, level, "$") is (upper <= level)
    assert lower_tail_at_most(n, p, k, level, "$") is (lower <= level)
    for exact, found in ((upper, upper_tail_at_most), (lower, lower_tail_at_most)):
        if 0 < exact < 1:
            assert found(n, p, k, exact, "$")
            assert not found(n, p, k, exact - Fraction(1, 10**300), "$")


@settings(deadline=None, max_examples=60)
@given(st.integers(1, 120), PROBABILITIES, LEVELS, st.data())
def test_rounded_sums_answer_like_exact_ones(n, p, level, data):
    """For few trials too, and at a distance of 2^-90 from the tail."""
    k = data.draw(st.integers(1, n))
    exact = tail(n, p, k)
    if not 0 < p < 1:
        return
    for at in (level, exact * (1 + Fraction(1, 1 << 90)), exact * (1 - Fraction(1, 1 << 90))):
        if 0 < at < 1 and at != exact:
            assert binomial_tails._rounded_at_most(n, p, k, at, "$") is (exact <= at)


@settings(deadline=None, max_examples=300)
@given(st.integers(1, 60), PROBABILITIES, st.integers(1, 9), st.data())
def test_coarse_rounding_never_proves_what_is_false(n, p, bits, data):
    """With a unit of a few bits, close to the tail: right, or not told; the small terms cut off at two units."""
    k = data.draw(st.integers(1, n))
    exact = tail(n, p, k)
    at = exact * (1 + data.draw(st.sampled_from([0, 1, -1])) * Fraction(1, 1 << data.draw(st.integers(2, 60))))
    if not 0 < p < 1 or not 0 < at < 1:
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(binomial_tails, "_UNIT", 1 << bits)
        patch.setattr(binomial_tails, "_SMALL", 2)
        assert not binomial_tails._proves_at_most(n, p, k, at, "$") or exact <= at
        assert not binomial_tails._proves_above(n, p, k, at, "$") or exact > at


@pytest.mark.parametrize("n", [10_001, 10**6, 10**8, pytest.param(10**9, marks=pytest.mark.slow)])
@pytest.mark.parametrize("p", [Fraction(1, 3), Fraction(999, 1000)])
def test_many_trials_answer_like_balls(n, p):
    """Counts some deviations away from the mean, levels on both sides of the tail."""
    deviation = math.isqrt(int(n * p * (1 - p)))
    for steps in (-1, 2):
        k = min(n, int(n * p) + steps * deviation)
        for level in (Fraction(1, 1000), Fraction(1, 40), Fraction(9, 10)):
            for side, found in (("upper", upper_tail_at_most), ("lower", lower_tail_at_most)):
                sign = compare_binomial_tail(n, mpq(p), k, side, mpq(level))
                assert found(n, p, k, level, "$") is (sign <= 0)


def test_the_ends():
    """No count is always reached; probability 0 reaches no other, probability 1 reaches all."""
    half = Fraction(1, 2)
    for n in (10, 10**6):
        assert not upper_tail_at_most(n, half, 0, half, "$")
        assert not lower_tail_at_most(n, half, n, half, "$")
        assert upper_tail_at_most(n, Fraction(0), 1, half, "$")
        assert not upper_tail_at_most(n, Fraction(1), n, half, "$")
        assert lower_tail_at_most(n, Fraction(1), n - 1, half, "$")


def test_far_from_the_mean():
    """A tail near 0 or 1 is told at once, although the mean is hundreds of millions of terms away."""
    n, far = 10**9, Fraction(1, 10)
    for level in (Fraction(1, 10**30), Fraction(1, 2), 1 - Fraction(1, 10**30)):
        assert upper_tail_at_most(n, far, 9 * 10**8, level, "$")
        assert not upper_tail_at_most(n, 1 - far, 10**8, level, "$")
        assert lower_tail_at_most(n, 1 - far, 10**8, level, "$")


def test_what_cannot_be_told_is_rejected(monkeypatch):
    """A tail within 2^-120 of its level, a probability of many digits, more terms than the limit."""
    n, p = 20_001, Fraction(1, 2)
    with pytest.raises(Rejected, match="too close"):
        upper_tail_at_most(n, p, (n + 1) // 2, Fraction(1, 2), "$")
    tiny = Fraction(1, 1 << 5000)
    for probability, level in ((tiny, p), (p, tiny)):
        with pytest.raises(Rejected, match="too large"):
            upper_tail_at_most(10, probability, 3, level, "$")
    monkeypatch.setattr(binomial_tails, "_MOST_STEPS", 50)
    for k, level in ((10_200, Fraction(1, 40)), (9_800, Fraction(39, 40))):
        with pytest.raises(Rejected, match="too far out: more than 50 terms"):
            upper_tail_at_most(n, p, k, level, "$")
