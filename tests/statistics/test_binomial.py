"""Binomial tails: exact sums against the definition, balls around them, comparisons of either sign and equality."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle.errors import InputError, LimitError
from oracle.statistics.binomial import (
    binomial_lower_tail,
    binomial_tail_bounds,
    binomial_upper_tail,
    binomial_weights,
    compare_binomial_tail,
)

PROBABILITIES = st.fractions(0, 1, max_denominator=60)


def defined(n, p, k):
    """P[Bin(n, p) >= k], term by term."""
    return sum((math.comb(n, j) * p**j * (1 - p) ** (n - j) for j in range(max(k, 0), n + 1)), Fraction(0))


@settings(deadline=None, max_examples=150)
@given(st.integers(1, 25), PROBABILITIES, st.data())
def test_tails_are_sums_of_the_terms(n, p, data):
    """Upper, lower and their sum, for every count from one below 0 to one above n."""
    k = data.draw(st.integers(-1, n + 1))
    q = mpq(p)
    assert binomial_upper_tail(n, q, k) == defined(n, p, k)
    assert binomial_lower_tail(n, q, k) == 1 - defined(n, p, k + 1)


@settings(deadline=None, max_examples=100)
@given(st.integers(1, 25), PROBABILITIES)
def test_weights_are_the_law(n, p):
    """Each term by definition, their sum 1."""
    found = binomial_weights(n, mpq(p))
    assert found == [math.comb(n, j) * p**j * (1 - p) ** (n - j) for j in range(n + 1)]
    assert sum(found) == 1


@settings(deadline=None, max_examples=60)
@given(st.integers(1, 1000), PROBABILITIES, st.data())
def test_bounds_contain_the_exact_tail(n, p, data):
    """Both tails, at two precisions."""
    k, side = data.draw(st.integers(0, n)), data.draw(st.sampled_from(["upper", "lower"]))
    exact = (binomial_upper_tail if side == "upper" else binomial_lower_tail)(n, mpq(p), k)
    for bits in (64, 200):
        lo, hi = binomial_tail_bounds(n, mpq(p), k, side, bits)
        assert lo <= exact <= hi
        assert lo >= 0
        assert hi <= 1
        assert hi - lo <= mpq(1, 1 << bits)


@settings(deadline=None, max_examples=12)
@given(st.integers(1, 300) | st.integers(2001, 2400), st.fractions(0, 1, max_denominator=12), st.data())
def test_comparisons_are_those_of_the_exact_tail(n, p, data):
    """Also against the tail itself, and against numbers a hair away from it."""
    k, side = data.draw(st.integers(0, n)), data.draw(st.sampled_from(["upper", "lower"]))
    exact = (binomial_upper_tail if side == "upper" else binomial_lower_tail)(n, mpq(p), k)
    hair = mpq(1, 1 << 3000)
    assert [compare_binomial_tail(n, mpq(p), k, side, exact + shift) for shift in (-hair, 0, hair)] == [1, 0, -1]


@pytest.mark.parametrize("n", [10**6, 10**8, 10**9])
def test_bounds_of_large_numbers_are_narrow_and_add_up(n):
    """Both tails at a count overlap 1 plus the probability of that count, which is between 0 and 1/sqrt(n)."""
    k = n // 3 + int(n**0.5)
    upper = binomial_tail_bounds(n, mpq(1, 3), k, "upper", 96)
    lower = binomial_tail_bounds(n, mpq(1, 3), k, "lower", 96)
    assert upper[1] - upper[0] <= mpq(1, 1 << 96)
    assert upper[1] + lower[1] >= 1
    assert upper[0] + lower[0] <= 1 + mpq(1, 10**3)


@pytest.mark.parametrize(
    ("n", "k", "p", "level", "expected"),
    [
        # The true value is between 0.0238134718 and 0.0238134719.
        (10**4, 7500, "7413/10000", "238134718/10000000000", 1),
        (10**4, 7500, "7413/10000", "238134719/10000000000", -1),
        (1, 1, "1/40", "1/40", 0),
    ],
)
def test_known_tails(n, k, p, level, expected):
    """Values with many digits, and equality."""
    assert compare_binomial_tail(n, mpq(p), k, "upper", mpq(level)) == expected


@pytest.mark.parametrize("call", [binomial_upper_tail, binomial_lower_tail])
def test_bad_arguments_are_refused(call):
    """No trials, probabilities outside [0, 1], counts that are none, and too many trials for exact sums."""
    for n, p, k in ((0, mpq(1, 2), 0), (5, mpq(3, 2), 1), (5, mpq(-1, 2), 1), (5, mpq(1, 2), 7), (5, mpq(1, 2), -2)):
        with pytest.raises(InputError):
            call(n, p, k)
    with pytest.raises(LimitError, match="10000 trials"):
        call(10_001, mpq(1, 2), 1)
    with pytest.raises(LimitError, match="1000000000 trials"):
        binomial_tail_bounds(10**9 + 1, mpq(1, 2), 1, "upper")
