"""Planning: the test of counts as its critical values, its power by enumeration, and the smallest violations."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest
from gmpy2 import mpq

from oracle.channels.tradeoff import approximate_dp_curve
from oracle.claims import TradeoffClaim, parse_claim_text
from oracle.errors import InputError
from oracle.statistics.events import Count, EventCounts, judge_counts
from oracle.statistics.planning import CountTest, least_allowed, least_found, least_found_in_one_run

LEVELS = (mpq(1, 20), mpq(1, 20))
CLAIMS = [
    parse_claim_text("E=2,delta=1/100"),
    parse_claim_text("eps=1/2"),
    parse_claim_text("mu=1/2"),
    TradeoffClaim(approximate_dp_curve(mpq(3, 2), mpq(1, 20))),
]


def weight(n: int, p: Fraction, k: int) -> Fraction:
    return comb(n, k) * p**k * (1 - p) ** (n - k)


@pytest.mark.parametrize("direction", ["both", "forward", "backward"])
@pytest.mark.parametrize("claim", CLAIMS, ids=["rational", "irrational", "mu", "curve"])
def test_critical_counts_are_those_of_the_verdicts(claim, direction):
    """For every k1 and k2 of 9 and 11 runs."""
    test = CountTest(claim, (9, 11), LEVELS, direction)
    for k1 in range(10):
        most = test.most(k1)
        for k2 in range(12):
            seen = EventCounts(Count(k1, 9), Count(k2, 11))
            refuted = judge_counts(claim, seen, confidence=mpq(9, 10), direction=direction).refuted
            assert refuted == (most is not None and k2 <= most)


def test_the_power_of_few_runs_by_enumeration():
    """Every count is a strip of its own, so the bound is the power itself, up to the rounding of tails."""
    claim, t = parse_claim_text("E=3/2"), Fraction(9, 10)
    test = CountTest(claim, (9, 11), LEVELS)
    exact = Fraction(0)
    for k1 in range(10):
        for k2 in range(12):
            seen = EventCounts(Count(k1, 9), Count(k2, 11))
            if judge_counts(claim, seen, confidence=mpq(9, 10)).refuted:
                exact += weight(9, t, k1) * weight(11, 1 - t, k2)
    bound = test.power(mpq(9, 10))
    assert 0 < exact - Fraction(str(bound)) < Fraction(1, 10**12)


def test_the_power_of_many_runs_is_a_lower_bound():
    """With a strip for several counts it is below the sum over all of them, and not far."""
    test = CountTest(parse_claim_text("E=2"), (120, 120), LEVELS)
    t = Fraction(3, 4)
    exact = Fraction(0)
    for k1 in range(121):
        most = test.most(k1)
        if most is not None:
            exact += weight(120, t, k1) * sum(weight(120, 1 - t, k2) for k2 in range(most + 1))
    bound = Fraction(str(test.power(mpq(3, 4))))
    assert bound < exact < bound + Fraction(1, 10)


def test_the_smallest_violation_is_found_and_the_next_is_not_proved_to_be():
    """At t the bound is at least 1/2, one step of the grid below it is not."""
    test = CountTest(parse_claim_text("E=2"), (200, 150), LEVELS)
    found = least_found(test)
    assert found is not None
    assert found.power == test.power(found.t) >= mpq(1, 2) > test.power(found.t - mpq(1, 2000))
    assert found.exp_epsilon(mpq(0)) == found.t / (1 - found.t) > 2
    assert least_found(test, mpq(9, 10)).t > found.t


def test_too_few_runs_find_nothing():
    """Two runs on each input refute no claim at this level."""
    assert least_found(CountTest(parse_claim_text("E=2"), (2, 2), LEVELS)) is None


def test_the_smallest_violation_of_one_run():
    """The least share of right guesses that is critical half of the time, by its definition."""
    found = least_found_in_one_run(90, 100)
    t = Fraction(str(found.t))

    def tail(share: Fraction) -> Fraction:
        return sum((weight(100, share, k) for k in range(90, 101)), Fraction(0))

    assert tail(t) >= Fraction(1, 2) > tail(t - Fraction(1, 2000))
    assert least_found_in_one_run(None, 100) is None


@pytest.mark.parametrize("x", ["1/10", "1/2", "9/10", "1"])
def test_least_allowed_is_where_the_claim_is_met(x):
    """For (epsilon, delta) and its own curve alike, in each direction."""
    p = mpq(x)
    claim = parse_claim_text("E=2,delta=1/10")
    curve = TradeoffClaim(approximate_dp_curve(mpq(2), mpq(1, 10)))
    y = least_allowed(claim, p)
    assert y == max(0, (p - mpq(1, 10)) / 2, 1 - mpq(1, 10) - 2 * (1 - p))
    assert least_allowed(curve, p) == y
    assert least_allowed(parse_claim_text("eps=inf"), p) == 0


@pytest.mark.parametrize("probability", [mpq(0), mpq(1), mpq(-1)])
def test_probabilities_are_checked(probability):
    """Strictly between 0 and 1."""
    with pytest.raises(InputError):
        least_found(CountTest(parse_claim_text("E=2"), (5, 5), LEVELS), probability)
