"""Composition bounds: the formula against the definition, the worst-case channel, and each other."""

from __future__ import annotations

from itertools import product
from math import prod

import mpmath
import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from oracle.channels.divergences import hockey_stick
from oracle.enclosures import Enclosure
from oracle.errors import InputError, LimitError
from oracle.exact import INFINITY
from oracle.theorems.composition_bounds import (
    Guarantee,
    advanced_composition,
    basic_composition,
    optimal_channel,
    optimal_delta,
    optimal_exp_epsilon,
    vadhan_wang_bound,
)

LEVELS = [mpq(1), mpq(3, 2), mpq(2), mpq(3)]
DELTAS = [mpq(0), mpq(1, 100), mpq(1, 10), mpq(1)]
PARTS = st.lists(st.tuples(st.sampled_from(LEVELS), st.sampled_from(DELTAS)), min_size=1, max_size=4)
TARGETS = st.sampled_from([mpq(0), mpq(1, 2), mpq(1), mpq(5, 4), mpq(2), mpq(9, 2), mpq(6), mpq(81)])


def by_subsets(parts, level):
    """delta_g as printed: the sum over every subset S."""
    levels = [a for a, _ in parts]
    total = mpq(0)
    for chosen in product((False, True), repeat=len(parts)):
        inside = prod((a for a, c in zip(levels, chosen, strict=True) if c), start=mpq(1))
        outside = prod((a for a, c in zip(levels, chosen, strict=True) if not c), start=mpq(1))
        total += max(mpq(0), inside - level * outside)
    certain = prod((1 - d for _, d in parts), start=mpq(1))
    return 1 - certain * (1 - total / prod((1 + a for a in levels), start=mpq(1)))


@given(PARTS, TARGETS)
def test_the_optimum_is_the_sum_over_subsets_and_the_hockey_stick_of_the_worst_case(parts, level):
    """Counting equal levels together changes nothing, and C_{eps, delta} attains the value in either order."""
    found = optimal_delta(parts, level)
    assert by_subsets(parts, level) == found
    channel = optimal_channel(parts)
    assert hockey_stick(channel, level) == found == hockey_stick(channel, level, "backward")


@given(PARTS)
def test_the_basic_bound_is_never_below_the_optimum(parts):
    """At e^epsilon = Π a_i the optimum is 1 - Π(1 - delta_i), at most Σ delta_i."""
    basic = basic_composition(parts)
    best = optimal_delta(parts, basic.exp_epsilon)
    assert best == 1 - prod((1 - d for _, d in parts), start=mpq(1))
    assert best <= basic.delta


@given(PARTS, st.sampled_from([mpq(0), mpq(1, 20), mpq(1, 3), mpq(1)]))
def test_the_least_level_is_least(parts, delta):
    """The delta is met there, and exceeded at every level below."""
    level = optimal_exp_epsilon(parts, delta)
    if level == INFINITY:
        assert optimal_delta(parts, INFINITY) > delta
        return
    assert optimal_delta(parts, level) <= delta
    assert level == 1 or optimal_delta(parts, 1 + (level - 1) * mpq(999, 1000)) > delta


@pytest.mark.parametrize("a", LEVELS)
@pytest.mark.parametrize("delta", DELTAS)
@pytest.mark.parametrize("k", [1, 2, 5])
def test_the_bound_of_vadhan_and_wang_is_never_below_basic_composition(a, delta, k):
    """(k eps, Σ a^i delta) is (k eps, k delta) or worse, and the same at epsilon = 0."""
    theirs, basic = vadhan_wang_bound(a, delta, k), basic_composition([(a, delta)] * k)
    assert theirs.exp_epsilon == basic.exp_epsilon
    assert theirs.delta == min(1, sum(a**i * delta for i in range(k)))
    assert theirs.delta >= basic.delta
    assert a > 1 or theirs == basic


@pytest.mark.parametrize(
    ("a", "k", "slack"), [(mpq(2), 1, mpq(1, 2)), (mpq(11, 10), 100, mpq(1, 10**6)), (3, 7, "1e-9")]
)
def test_advanced_composition_overlaps_mpmath(a, k, slack):
    """The value at 60 digits in another arithmetic lies in the enclosure, and delta is k delta + delta'."""
    a, slack = mpq(a), mpq(mpq("1/1000000000") if slack == "1e-9" else slack)
    found = advanced_composition(a, mpq(1, 1000), k, slack, digits=30)
    with mpmath.workdps(60):
        eps = mpmath.log(mpmath.mpf(int(a.numerator)) / int(a.denominator))
        small = mpmath.mpf(int(slack.numerator)) / int(slack.denominator)
        expected = mpmath.sqrt(2 * k * mpmath.log(1 / small)) * eps + k * eps * (mpmath.e**eps - 1)
        text = mpmath.nstr(expected, 45, strip_zeros=False)
    around = Enclosure(mpq(text) * (1 - mpq(1, 10**40)), mpq(text) * (1 + mpq(1, 10**40)))
    assert isinstance(found.epsilon, Enclosure)
    assert found.epsilon.overlaps(around)
    assert found.epsilon.width * mpq(10) ** 30 <= found.epsilon.hi
    assert found.delta == k * mpq(1, 1000) + slack


@pytest.mark.parametrize("k", [1, 4, 30])
def test_advanced_composition_is_above_the_optimum(k):
    """The optimal delta at any level above e^epsilon' is at most k delta + delta'."""
    a, delta, slack = mpq(11, 10), mpq(1, 500), mpq(1, 100)
    bound = advanced_composition(a, delta, k, slack)
    assert isinstance(bound.epsilon, Enclosure)
    # 1 + x + x²/2 <= e^x for x >= 0, so the level is below e^epsilon' and the comparison is the harder one.
    level = 1 + bound.epsilon.lo + bound.epsilon.lo**2 / 2
    assert optimal_delta([(a, delta)] * k, level) <= bound.delta


def test_advanced_composition_without_epsilon_is_exact():
    """At epsilon = 0 epsilon' is 0."""
    assert advanced_composition(mpq(1), mpq(1, 4), 3, mpq(1, 2)) == (0, 1)


def test_a_thousand_parts():
    """One more part makes the optimum larger, and the order of 120 parts of three levels does not matter."""
    many = optimal_delta([(mpq(11, 10), mpq(0))] * 1000, mpq(3))
    assert optimal_delta([(mpq(11, 10), mpq(0))] * 999, mpq(3)) < many < 1
    mixed = [(a, mpq(1, 10**6)) for a in LEVELS[1:] for _ in range(40)]
    assert optimal_delta(mixed, mpq(7)) == optimal_delta(mixed[::-1], mpq(7))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: optimal_delta([], mpq(1)), "at least one guarantee"),
        (lambda: optimal_delta([(mpq(1, 2), mpq(0))], mpq(1)), r"parts\[0\]: expected a finite exp_epsilon at least 1"),
        (lambda: optimal_delta([(INFINITY, mpq(0))], mpq(1)), "a finite exp_epsilon at least 1, got inf"),
        (lambda: optimal_delta([(mpq(2), mpq(3, 2))], mpq(1)), r"parts\[0\]\.delta: expected delta between 0 and 1"),
        (lambda: optimal_delta([(mpq(2), mpq(0))], mpq(-1)), "a level at least 0"),
        (lambda: vadhan_wang_bound(mpq(2), mpq(0), 0), "times: expected at least one mechanism"),
        (lambda: advanced_composition(mpq(2), mpq(0), 2, mpq(1)), "slack: expected a slack"),
        (lambda: optimal_exp_epsilon([(mpq(2), mpq(0))], mpq(2)), "delta between 0 and 1"),
    ],
)
def test_bad_input_is_refused(call, message):
    """The message says what was expected and where."""
    with pytest.raises(InputError, match=message):
        call()


def test_too_many_terms_are_refused():
    """30 different levels have 2^30 subsets."""
    parts = [(mpq(2) + mpq(1, n), mpq(0)) for n in range(1, 31)]
    with pytest.raises(LimitError, match="at most 1000000 terms, got 1073741824"):
        optimal_delta(parts, mpq(2))


def test_a_guarantee_is_a_pair():
    """Results feed the next bound as they are."""
    first = basic_composition([(mpq(2), mpq(1, 10)), (mpq(3), mpq(0))])
    assert first == Guarantee(mpq(6), mpq(1, 10))
    assert optimal_delta([first, first], mpq(36)) == mpq(19, 100)
