"""The exact p-value of one run: row 15's numbers, the definition, monotony, the search, and the null of a real game."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle.errors import InputError, LimitError
from oracle.statistics.one_run import OneRun, _Law, largest_refuted_exp_epsilon, one_run_p_value

ROW_15 = OneRun(1000, 100, 90)
DELTA = mpq(1, 10**5)


def defined(run, exp_epsilon, delta):
    """The bound of theorem 5.2, with every i up to the number of canaries."""
    r, v, m = run.guesses, run.correct, run.canaries
    q = Fraction(exp_epsilon, exp_epsilon + 1)
    law = [math.comb(r, j) * q**j * (1 - q) ** (r - j) for j in range(r + 1)]
    beta = sum(law[v:], Fraction(0))
    alpha = max(sum(law[max(v - i, 0) : v], Fraction(0)) / i for i in range(1, m + 1))
    return min(Fraction(1), beta + 2 * m * delta * alpha)


def test_ninety_of_a_hundred_guesses_right():
    """The p-value at E = 4 has a denominator of 72 digits; refuted at 1/20 up to E = 1271/250."""
    found = one_run_p_value(ROW_15, mpq(4), DELTA)
    assert mpq("0.00693517") < found < mpq("0.00693518")
    assert len(str(found.denominator)) == 72
    assert largest_refuted_exp_epsilon(ROW_15, DELTA, mpq(1, 20)) == mpq(1271, 250)
    assert one_run_p_value(ROW_15, mpq(1271, 250), DELTA) <= mpq(1, 20)
    assert one_run_p_value(ROW_15, mpq(5085, 1000), DELTA) > mpq(1, 20)


@settings(deadline=None, max_examples=120)
@given(
    st.integers(1, 14),
    st.fractions(1, 8, max_denominator=12),
    st.sampled_from([Fraction(0), Fraction(1, 1000), Fraction(1, 20), Fraction(1)]),
    st.data(),
)
def test_the_p_value_is_that_of_the_definition(canaries, exp_epsilon, delta, data):
    """With the maximum over all i, not the first one only."""
    guesses = data.draw(st.integers(0, canaries))
    run = OneRun(canaries, guesses, data.draw(st.integers(0, guesses)))
    assert one_run_p_value(run, mpq(exp_epsilon), mpq(delta)) == (
        1 if not run.correct else defined(run, exp_epsilon, delta)
    )


@pytest.mark.parametrize("exp_epsilon", [mpq(1), mpq(3, 2), mpq(4)])
@pytest.mark.parametrize("level", [mpq(1, 20), mpq(1, 3)])
def test_randomised_response_is_refuted_at_most_at_the_level(exp_epsilon, level):
    """The guesses of a mechanism that answers each coin at level E are right Bin(r, E/(E + 1)) times."""
    for guesses in (1, 6, 13):
        right = exp_epsilon / (exp_epsilon + 1)
        rejected = sum(
            math.comb(guesses, v) * right**v * (1 - right) ** (guesses - v)
            for v in range(guesses + 1)
            if one_run_p_value(OneRun(20, guesses, v), exp_epsilon) <= level
        )
        assert rejected <= level


def test_a_mechanism_that_leaks_everything_with_probability_delta():
    """Over all coins of three canaries: all coins with probability delta, else nothing; it is (0, delta)-DP."""
    m, delta = 3, Fraction(1, 10)
    law = {v: Fraction(0) for v in range(m + 1)}
    for coins in product((0, 1), repeat=m):
        for guess in product((0, 1), repeat=m):
            chance = (1 - delta) / 2**m + (delta if guess == coins else 0)
            law[sum(a == b for a, b in zip(coins, guess, strict=True))] += chance / 2**m
    assert sum(law.values()) == 1
    for v in range(m + 1):
        bound = one_run_p_value(OneRun(m, m, v), mpq(1), mpq(delta))
        assert sum(law[j] for j in range(v, m + 1)) <= bound


@settings(deadline=None, max_examples=40)
@given(st.integers(1, 60), st.sampled_from([mpq(1, 20), mpq(1, 100)]), st.sampled_from([1, 10, 1000]), st.data())
def test_the_largest_refuted_level_is_one(canaries, level, grid, data):
    """It is refuted, the next grid point is not; None where not even E = 1 is."""
    guesses = data.draw(st.integers(1, canaries))
    run = OneRun(canaries, guesses, data.draw(st.integers(0, guesses)))
    found = largest_refuted_exp_epsilon(run, mpq(1, 1000), level, grid)
    if found is None:
        assert one_run_p_value(run, mpq(1), mpq(1, 1000)) > level
    else:
        assert (found * grid).denominator == 1
        assert one_run_p_value(run, found, mpq(1, 1000)) <= level
        assert one_run_p_value(run, found + mpq(1, grid), mpq(1, 1000)) > level


@settings(deadline=None, max_examples=80)
@given(st.integers(1, 14), st.fractions(0, 1, max_denominator=20), st.fractions(1, 6, max_denominator=9), st.data())
def test_the_search_uses_a_bound_that_increases(canaries, delta, exp_epsilon, data):
    """It is the p-value or above it, the p-value itself where 2 m delta is at most 1, and it increases with E."""
    guesses = data.draw(st.integers(1, canaries))
    run = OneRun(canaries, guesses, data.draw(st.integers(1, guesses)))

    def increasing(level):
        law = _Law(run, level, mpq(delta))
        return (law.beta + law.largest_increasing()) / law.whole

    found = increasing(mpq(exp_epsilon))
    p_value = one_run_p_value(run, mpq(exp_epsilon), mpq(delta))
    assert min(found, mpq(1)) >= p_value
    assert 2 * canaries * delta > 1 or min(found, mpq(1)) == p_value
    assert found <= increasing(mpq(exp_epsilon) + data.draw(st.sampled_from([mpq(1, 100), mpq(1, 3), mpq(4)])))


@pytest.mark.parametrize(
    ("numbers", "field"),
    [
        ((0, 0, 0), "canaries"),
        ((-1, 0, 0), "canaries"),
        ((10, 11, 0), "guesses"),
        ((10, -1, 0), "guesses"),
        ((10, 5, 6), "correct"),
        ((10, 5, -1), "correct"),
        ((10, 5, 0.5), "correct"),
        ((10, True, 0), "guesses"),
        (("10", 5, 5), "canaries"),
    ],
)
def test_what_is_no_run_is_refused(numbers, field):
    """With the field."""
    with pytest.raises(InputError, match=field):
        OneRun(*numbers)


def test_bad_levels_are_refused():
    """An E below 1, a delta or a level outside its range, and numbers too large to be exact."""
    for exp_epsilon, delta in ((mpq(1, 2), mpq(0)), (mpq(2), mpq(-1)), (mpq(2), mpq(2))):
        with pytest.raises(InputError):
            one_run_p_value(ROW_15, exp_epsilon, delta)
    for level, grid in ((mpq(0), 10), (mpq(1), 10), (mpq(1, 20), 0)):
        with pytest.raises(InputError):
            largest_refuted_exp_epsilon(ROW_15, DELTA, level, grid)
    with pytest.raises(LimitError, match="4194304"):
        one_run_p_value(OneRun(10**5, 10**5, 10**5), 1 + mpq(1, 10**20), DELTA)
    with pytest.raises(LimitError, match="100000 guesses"):
        OneRun(10**6, 100_001, 5)


def test_a_thousand_canaries():
    """All of them guessed."""
    assert one_run_p_value(OneRun(1000, 1000, 850), mpq(4), DELTA) < mpq(1, 1000)
