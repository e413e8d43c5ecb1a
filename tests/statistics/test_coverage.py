"""Coverage: enumeration against definitions, and the size of every test on offer against its level."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb

import pytest
from gmpy2 import mpq

from oracle.channels.tradeoff import approximate_dp_curve
from oracle.claims import ApproximateDP, TradeoffClaim, parse_claim_text
from oracle.errors import InputError
from oracle.levels import Level
from oracle.statistics.bayes import region_credibility
from oracle.statistics.best_threshold import corrected_critical, nominal_critical, null_rejection
from oracle.statistics.clopper_pearson import lower_bound, upper_bound
from oracle.statistics.counts import CountTable
from oracle.statistics.coverage import (
    approximate_dp_boundary,
    gaussian_boundary,
    outcome_counts,
    rejection_of_best_outcome,
    rejection_of_split_outcome,
    response_share,
    size_of_counts,
    size_of_one_run,
    stopped_rejection,
    worst_miss,
)
from oracle.statistics.events import Count, EventCounts, judge_counts
from oracle.statistics.hypergeometric import fisher_p_value
from oracle.statistics.one_run import OneRun
from oracle.statistics.one_run_verdicts import judge_one_run
from oracle.statistics.selection import Selection

LEVEL = mpq(1, 20)
CONFIDENCE = mpq(19, 20)
RUNS = (12, 10)
THIRDS = (mpq(1, 3), mpq(1, 3), mpq(1, 3))


def seen(k1: int, k2: int, runs: tuple[int, int] = RUNS) -> EventCounts:
    return EventCounts(Count(k1, runs[0]), Count(k2, runs[1]))


def rule(claim, runs=RUNS, selection=None, larger="first"):
    """Our test of two counts."""
    chosen = selection or Selection("declared")

    def rejects(k1: int, k2: int) -> bool:
        return judge_counts(claim, seen(k1, k2, runs), confidence=CONFIDENCE, selection=chosen, larger=larger).refuted

    return rejects


def test_rejection_is_the_sum_over_all_runs():
    """Of a test of three runs each, by enumeration of single runs."""
    q = Fraction(1, 4)

    def rejects(k1: int, k2: int) -> bool:
        return k1 >= 2 + k2

    total = Fraction(0)
    for first in product((0, 1), repeat=3):
        for second in product((0, 1), repeat=3):
            if rejects(sum(first), sum(second)):
                hits = sum(first) + sum(second)
                total += q**hits * (1 - q) ** (6 - hits)
    size = size_of_counts(rejects, (3, 3), lambda _: (mpq(1, 4), mpq(1, 4)), 4)
    found = size_of_counts(rejects, (3, 3), approximate_dp_boundary(mpq(1), mpq(0)), 4)
    assert found.found >= mpq(total.numerator, total.denominator)
    assert size.found >= mpq(total.numerator, total.denominator)
    assert found.bound is not None
    assert found.bound >= found.found


@pytest.mark.parametrize(("level", "delta"), [("1", "0"), ("2", "0"), ("3", "1/10"), ("1", "1/5")])
def test_the_test_of_two_counts_has_its_level(level, delta):
    """Between a value that is attained and a proved bound, both at most 1/20."""
    claim = ApproximateDP(Level.rational(mpq(level)), mpq(delta))
    size = size_of_counts(rule(claim), RUNS, approximate_dp_boundary(mpq(level), mpq(delta)))
    assert size.bound is not None
    assert size.found <= size.bound <= LEVEL


def test_a_statement_left_open_has_its_level():
    """Likelier on either input: no monotone test, so only the grid is looked at, from both sides."""
    claim = parse_claim_text("E=1")
    size = size_of_counts(rule(claim, larger="either"), RUNS, approximate_dp_boundary(mpq(1), mpq(0)), 50)
    assert size.bound is None
    assert 0 < size.found <= LEVEL


def test_claims_of_curves_have_their_level():
    """The same claim as a curve, whose null hypothesis is the same."""
    claim = TradeoffClaim(approximate_dp_curve(mpq(2), mpq(1, 10)))
    size = size_of_counts(rule(claim), RUNS, approximate_dp_boundary(mpq(2), mpq(1, 10)), 50)
    assert size.bound is not None
    assert size.found <= size.bound <= LEVEL


def test_claims_of_mu_have_their_level():
    """The largest P(S) that mu-GDP allows is irrational, and lies between two rational numbers."""
    low, high = gaussian_boundary(mpq(1))(mpq(1, 4))
    assert mpq(62, 100) < low < high < mpq(63, 100)
    size = size_of_counts(rule(parse_claim_text("mu=1")), RUNS, gaussian_boundary(mpq(1)), 50)
    assert size.bound is not None
    assert 0 < size.found <= size.bound <= LEVEL


def test_fishers_test_has_its_level():
    """For epsilon = 0."""

    def rejects(k1: int, k2: int) -> bool:
        return fisher_p_value(seen(k1, k2)) <= LEVEL

    size = size_of_counts(rejects, RUNS, approximate_dp_boundary(mpq(1), mpq(0)), 100)
    assert LEVEL / 4 < size.found <= LEVEL


def test_a_credible_region_has_no_level():
    """Uniform priors reject epsilon = 0.2 too often where it holds: credible is not confident."""
    level = mpq(61, 50)

    def rejects(k1: int, k2: int) -> bool:
        return region_credibility(seen(k1, k2), level, mpq(0)) <= LEVEL

    size = size_of_counts(rejects, RUNS, approximate_dp_boundary(level, mpq(0)), 50)
    assert size.found > LEVEL


@pytest.mark.parametrize("runs", [1, 7, 30])
def test_clopper_pearson_bounds_miss_as_rarely_as_they_say(runs):
    """At most the level, over every p, and on a fine grid close to it."""
    for lower, bound in ((True, lower_bound), (False, upper_bound)):
        miss = worst_miss(lambda k, bound=bound: bound(k, runs, LEVEL, 10**6), runs, lower=lower)
        assert LEVEL * mpq(999, 1000) < miss <= LEVEL


def test_worst_miss_by_definition():
    """A bound that is too large is caught at the p just below it, wherever that is."""
    bounds = [Fraction(0), Fraction(1, 10), Fraction(1, 2), Fraction(9, 10)]

    def wrong(p: Fraction) -> Fraction:
        return sum((comb(3, k) * p**k * (1 - p) ** (3 - k) for k in range(4) if p < bounds[k]), Fraction(0))

    miss = worst_miss(lambda k: mpq(bounds[k].numerator, bounds[k].denominator), 3, lower=True)
    near = max(wrong(Fraction(j, 1000) - Fraction(1, 10**9)) for j in range(1, 1001))
    assert 0 <= Fraction(str(miss)) - near < Fraction(1, 10**8)
    mirrored = worst_miss(lambda k: 1 - mpq(bounds[3 - k].numerator, bounds[3 - k].denominator), 3, lower=False)
    assert mirrored == miss
    assert worst_miss(lambda _: mpq(0), 3, lower=True) == 0
    assert worst_miss(lambda _: mpq(1), 3, lower=False) == 0


@pytest.mark.parametrize("values", [["1/2", "0"], ["0", "2"], ["-1", "0"]])
def test_bounds_that_are_not_monotone_are_refused(values):
    """The supremum is only known for those that are."""
    with pytest.raises(InputError):
        worst_miss(lambda k: mpq(values[k]), 1, lower=True)


@pytest.mark.parametrize(("level", "delta"), [("1", "0"), ("4", "0"), ("2", "1/1000")])
def test_the_test_of_one_run_has_its_level(level, delta):
    """For the mechanism that makes the most guesses right."""
    claim = ApproximateDP(Level.rational(mpq(level)), mpq(delta))

    def rejects(correct: int) -> bool:
        return judge_one_run(claim, OneRun(40, 40, correct), confidence=CONFIDENCE).refuted

    size = size_of_one_run(rejects, 40, response_share(mpq(level), mpq(delta)))
    assert 0 < size <= LEVEL


def test_one_run_of_a_curve_has_its_level():
    """The recursion for randomised response with E = 3, against that mechanism on every canary."""
    claim = TradeoffClaim(approximate_dp_curve(mpq(3), mpq(0)))

    def rejects(correct: int) -> bool:
        return judge_one_run(claim, OneRun(20, 20, correct), confidence=CONFIDENCE).refuted

    assert size_of_one_run(rejects, 20, response_share(mpq(3), mpq(0))) <= LEVEL


def test_one_run_of_mu_has_its_level():
    """The recursion for 1-GDP, against Gaussian noise on every coin: Phi(1/2) = 0.6915."""

    def rejects(correct: int) -> bool:
        return judge_one_run(parse_claim_text("mu=1"), OneRun(20, 20, correct), confidence=CONFIDENCE).refuted

    assert 0 < size_of_one_run(rejects, 20, mpq(6915, 10_000)) <= LEVEL


@pytest.mark.parametrize("q", ["1/10", "1/2"])
def test_bets_may_be_stopped_at_any_time(q):
    """Stopping as soon as the capital is 20 rejects a true claim with probability at most 1/20."""
    rejected = stopped_rejection(mpq(3, 2), mpq(1, 10), bet=mpq(1, 2), threshold=mpq(20), pairs=16, q=mpq(q))
    assert 0 < rejected <= LEVEL


def test_stopping_of_a_walk_by_enumeration():
    """For epsilon = 0 and q = 1/2: every sequence of five pairs, by hand."""
    bet, reached = mpq(1), Fraction(0)
    for path in product((0, 1, 1, 2), repeat=5):  # neither or both, and each of the two ways of one
        value = mpq(1)
        for step in path:
            value *= {0: 1 - bet, 1: mpq(1), 2: 1 + bet}[step]
            if value >= 4:
                reached += Fraction(1, 4**5)
                break
    found = stopped_rejection(mpq(1), mpq(0), bet=bet, threshold=mpq(4), pairs=5, q=mpq(1, 2))
    assert found == mpq(reached.numerator, reached.denominator)


def test_outcome_counts_are_multinomial():
    """All tables of counts, each with its probability."""
    law = (mpq(1, 2), mpq(1, 3), mpq(1, 6))
    found = dict(outcome_counts(3, law))
    assert len(found) == 10
    assert sum(found.values()) == 1
    assert found[1, 1, 1] == 6 * law[0] * law[1] * law[2]
    assert found[0, 2, 1] == 3 * law[1] ** 2 * law[2]
    assert dict(outcome_counts(2, (mpq(1), mpq(0), mpq(0)))) == {
        **dict.fromkeys(dict(outcome_counts(2, law)), mpq(0)),
        (2, 0, 0): mpq(1),
    }


def test_a_family_has_its_level_and_the_best_of_it_without_paying_has_not():
    """Three outcomes, ten runs each, P = Q: the best of three at a third of the level, and at the whole level."""
    claim, runs = parse_claim_text("E=1"), (10, 10)
    paid = rejection_of_best_outcome(rule(claim, runs, Selection("family", 3)), runs, THIRDS)
    unpaid = rejection_of_best_outcome(lambda k1, k2: fisher_p_value(seen(k1, k2, runs)) <= LEVEL, runs, THIRDS)
    assert paid <= LEVEL < unpaid


def test_a_split_has_its_level():
    """Five runs on each input choose the event, ten test it."""
    claim, runs = parse_claim_text("E=1"), (10, 10)

    def choose(first: tuple[int, ...], second: tuple[int, ...]) -> list[int]:
        names = ("a", "b", "c")
        table = CountTable(names, (1, 1, 1), (1, 1, 1), (first, second))
        return [names.index(name) for name in table.chosen(mpq(1))]

    assert 0 < rejection_of_split_outcome(rule(claim, runs), runs, THIRDS, choose, (5, 5)) <= LEVEL


def test_the_best_threshold_of_the_same_scores():
    """Published rejection rates of the uncorrected rule, and the corrected one at its level."""
    rates = [null_rejection(m, nominal_critical(m, LEVEL)) for m in (20, 100)]
    assert [int(rate * 10000 + mpq(1, 2)) for rate in rates] == [1745, 3584]
    assert all(null_rejection(m, corrected_critical(m, LEVEL)) <= LEVEL for m in (20, 100))
