"""Clopper-Pearson bounds: best on their grid by the exact tails, known values, errors, and the promised speed."""

from __future__ import annotations

import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle.errors import InputError, LimitError
from oracle.statistics import clopper_pearson
from oracle.statistics.binomial import binomial_lower_tail, binomial_upper_tail
from oracle.statistics.clopper_pearson import default_grid, lower_bound, upper_bound

LEVELS = st.fractions("1/1000000", "999999/1000000", max_denominator=10**6)


@settings(deadline=None, max_examples=120)
@given(st.integers(1, 60), st.integers(1, 500), LEVELS, st.data())
def test_bounds_are_the_best_on_the_grid(runs, grid, level, data):
    """The tail at the bound is at most the level, at the next grid point inwards it is above."""
    hits = data.draw(st.integers(0, runs))
    level = mpq(level)
    lower, upper = lower_bound(hits, runs, level, grid), upper_bound(hits, runs, level, grid)
    assert (lower * grid).denominator == (upper * grid).denominator == 1
    if hits:
        assert binomial_upper_tail(runs, lower, hits) <= level
        assert lower + mpq(1, grid) > 1 or binomial_upper_tail(runs, lower + mpq(1, grid), hits) > level
    else:
        assert lower == 0
    if hits < runs:
        assert binomial_lower_tail(runs, upper, hits) <= level
        assert upper < mpq(1, grid) or binomial_lower_tail(runs, upper - mpq(1, grid), hits) > level
    else:
        assert upper == 1


@pytest.mark.parametrize(
    ("hits", "runs", "lower", "upper"),
    [
        (750, 1000, "7219/10000", "3883/5000"),
        (250, 1000, "1117/5000", "2781/10000"),
        (7500, 10_000, "7413/10000", "1517/2000"),
        (2500, 10_000, "483/2000", "2587/10000"),
        (0, 1000, "0", "37/10000"),
        (1000, 1000, "9963/10000", "1"),
        (75 * 10**6, 10**8, "74991511/100000000", "75008487/100000000"),
    ],
)
def test_known_bounds_at_one_in_forty(hits, runs, lower, upper):
    """On the default grid."""
    assert lower_bound(hits, runs, mpq(1, 40)) == mpq(lower)
    assert upper_bound(hits, runs, mpq(1, 40)) == mpq(upper)


def test_equality_with_the_level_is_kept():
    """One hit in one run: the bound is the level itself."""
    assert lower_bound(1, 1, mpq(1, 40)) == mpq(1, 40)
    assert upper_bound(0, 1, mpq(1, 40)) == mpq(39, 40)


@pytest.mark.parametrize("proposal", [-5, 0, 1, 5000, 10_000, 10**30])
def test_a_bad_proposal_changes_nothing(monkeypatch, proposal):
    """Doubles propose and nothing else."""
    expected = lower_bound(75, 100, mpq(1, 40)), upper_bound(20, 100, mpq(1, 10**9))
    monkeypatch.setattr(clopper_pearson, "propose_lower_bound", lambda *_: proposal)
    assert (lower_bound(75, 100, mpq(1, 40)), upper_bound(20, 100, mpq(1, 10**9))) == expected


@pytest.mark.parametrize("level", [mpq(1, 10**400), 1 - mpq(1, 10**30), mpq(1, 10**9)])
def test_levels_far_out_are_met(level):
    """Beyond the range of doubles, and close to 1."""
    bound = lower_bound(80, 100, level, 10**12)
    assert binomial_upper_tail(100, bound, 80) <= level
    assert binomial_upper_tail(100, bound + mpq(1, 10**12), 80) > level


def test_the_default_grid():
    """At least ten thousand, and the number of runs."""
    assert [default_grid(n) for n in (1, 10**4, 10**4 + 1, 10**6, 10**9)] == [10**4, 10**4, 10**5, 10**6, 10**9]


@pytest.mark.parametrize(
    ("arguments", "match"),
    [
        ((1, 0, mpq(1, 2)), "runs"),
        ((3, 2, mpq(1, 2)), "hits"),
        ((-1, 2, mpq(1, 2)), "hits"),
        ((1, 2, mpq(0)), "level"),
        ((1, 2, mpq(1)), "level"),
        ((1, 2, mpq(1, 2), 0), "grid"),
    ],
)
def test_bad_arguments_are_refused(arguments, match):
    """With the place of the mistake."""
    for bound in (lower_bound, upper_bound):
        with pytest.raises(InputError, match=match):
            bound(*arguments)


def test_too_large_arguments_are_refused():
    """More than 10^9 runs, or a grid of more than 10^18 steps."""
    with pytest.raises(LimitError):
        lower_bound(1, 10**9 + 1, mpq(1, 2))
    with pytest.raises(LimitError):
        lower_bound(1, 2, mpq(1, 2), 10**18 + 1)


@pytest.mark.parametrize("runs", [10**6, 10**8, 10**9])
def test_large_counts(runs):
    """Both bounds of a quarter of the runs."""
    assert lower_bound(runs // 4, runs, mpq(1, 40)) < mpq(1, 4) < upper_bound(runs // 4, runs, mpq(1, 40))
