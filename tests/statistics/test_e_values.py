"""E-values of pairs: expectation at most 1 under the claim, Ville's bound by enumeration, and the verdicts."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction

import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from oracle.certificates.checker import Accepted, check
from oracle.claims import parse_claim_text
from oracle.errors import Declined, InputError, LimitError
from oracle.statistics.counts import PairCounts
from oracle.statistics.e_values import capital, factors, judge_pairs, largest_bet, level_above
from oracle.statistics.selection import Selection

CONFIDENCE = mpq(19, 20)
PAIRS = PairCounts(30, 60, 5, 30)

unit = st.integers(0, 12).map(lambda k: mpq(k, 12))
levels = st.integers(4, 16).map(lambda k: mpq(k, 4))


@given(unit, unit, levels, unit, st.integers(1, 8))
def test_the_expectation_is_at_most_1_under_the_claim(p, q, level, delta, eighths):
    """For independent and for fully dependent pairs alike: only P(S) and Q(S) count."""
    bet = largest_bet(level, delta) * eighths / 8
    both, first, second, neither = factors(level, delta, bet)
    assert min(both, first, second, neither) >= 0
    expected = 1 + bet * (p - level * q - delta)
    independent = both * p * q + first * p * (1 - q) + second * (1 - p) * q + neither * (1 - p) * (1 - q)
    low = min(p, q)
    coupled = both * low + first * (p - low) + second * (q - low) + neither * (1 - max(p, q))
    assert independent == coupled == expected
    assert expected <= 1 or p > level * q + delta


@pytest.mark.parametrize(("p", "q", "level", "delta"), [("1/2", "1/2", "1", "0"), ("3/4", "1/4", "2", "1/4")])
def test_the_capital_reaches_the_threshold_rarely_at_any_time(p, q, level, delta):
    """By enumeration of 12 pairs at the edge of the claim: the capital is ever 4 with probability at most 1/4."""
    p, q, level, delta = map(Fraction, (p, q, level, delta))
    bet = 1 / (level + delta) / 2
    change = factors(*(mpq(x.numerator, x.denominator) for x in (level, delta, bet)))
    weights = (p * q, p * (1 - q), (1 - p) * q, (1 - p) * (1 - q))
    alive, reached = {mpq(1): Fraction(1)}, Fraction(0)
    for _ in range(12):
        after: dict[mpq, Fraction] = defaultdict(Fraction)
        for value, weight in alive.items():
            for factor, share in zip(change, weights, strict=True):
                if value * factor >= 4:
                    reached += weight * share
                else:
                    after[value * factor] += weight * share
        alive = after
    assert 0 < reached <= Fraction(1, 4)


def test_the_capital_is_the_product_of_the_factors():
    """Pair by pair, in any order."""
    level, delta, bet = mpq(3, 2), mpq(1, 10), mpq(1, 4)
    value = mpq(1)
    for x, y, count in ((1, 1, 3), (1, 0, 5), (0, 1, 2), (0, 0, 4)):
        for _ in range(count):
            value *= 1 + bet * (x - level * y - delta)
    assert capital(PairCounts(3, 5, 2, 4), level, delta, bet) == value


def test_a_refutation_has_a_certificate():
    """The capital reaches 1/level; one pair less of evidence, and it does not."""
    claim = parse_claim_text("eps=1/2,delta=1/100")
    verdict = judge_pairs(claim, PAIRS, bet=mpq(1, 4), confidence=CONFIDENCE)
    assert verdict.refuted
    assert verdict.threshold == 20
    assert verdict.capital == capital(PAIRS, verdict.exp_epsilon, claim.delta, mpq(1, 4))
    accepted = check(verdict.certificate)
    assert isinstance(accepted, Accepted)
    assert "epsilon = 1/2, delta = 1/100 is refuted: P(S) > e^eps Q(S) + delta" in accepted.statement
    few = judge_pairs(claim, PairCounts(3, 6, 1, 3), bet=mpq(1, 4), confidence=CONFIDENCE)
    assert (few.refuted, few.certificate) == (False, None)
    assert "below 20" in few.statement


def test_equality_refutes():
    """Capital exactly 1/level: Ville's inequality has at least in it."""
    claim = parse_claim_text("eps=0")
    verdict = judge_pairs(claim, PairCounts(0, 2, 0, 0), bet=mpq(1), confidence=mpq(3, 4))
    assert (verdict.capital, verdict.threshold, verdict.refuted) == (4, 4, True)
    check(verdict.certificate)
    above = judge_pairs(claim, PairCounts(0, 2, 0, 0), bet=mpq(1), confidence=mpq(3, 4) + mpq(1, 10**9))
    assert not above.refuted


def test_the_other_input_and_a_family():
    """Q(S) too large is the statement with the inputs exchanged; one of N needs N times the capital."""
    claim = parse_claim_text("eps=1/2")
    forward = judge_pairs(claim, PAIRS, bet=mpq(1, 4), confidence=CONFIDENCE)
    backward = judge_pairs(claim, PAIRS.swapped(), bet=mpq(1, 4), confidence=CONFIDENCE, larger="second")
    assert forward.capital == backward.capital
    assert "Q(S) > e^eps P(S) + delta" in check(backward.certificate).statement
    assert not judge_pairs(claim, PAIRS, bet=mpq(1, 4), confidence=CONFIDENCE, larger="second").refuted
    family = judge_pairs(claim, PAIRS, bet=mpq(1, 4), confidence=CONFIDENCE, selection=Selection("family", 7))
    assert (family.threshold, family.refuted) == (140, True)
    assert "one of a family of 7" in check(family.certificate).statement


def test_many_pairs_are_checked_by_rounding():
    """The checker bounds the capital of a hundred thousand pairs from below, and refuses what does not reach."""
    claim = parse_claim_text("E=2")
    many = PairCounts(20_000, 50_000, 11_000, 19_000)
    verdict = judge_pairs(claim, many, bet=mpq(1, 20), confidence=CONFIDENCE)
    assert verdict.refuted
    check(verdict.certificate)
    assert not judge_pairs(
        claim, PairCounts(20_000, 40_000, 21_000, 19_000), bet=mpq(1, 20), confidence=CONFIDENCE
    ).refuted


def test_the_level_of_an_irrational_claim_is_rounded_up():
    """A larger E is a weaker claim, so that what refutes it refutes the claim."""
    claim = parse_claim_text("eps=1/2")
    assert claim.level.compare(level_above(claim)) < 0
    assert level_above(parse_claim_text("eps=log(3)")) == 3


@pytest.mark.parametrize("bet", [mpq(0), mpq(-1, 4), mpq(2, 3)])
def test_bets_out_of_range(bet):
    """At most 1/(E + delta), so that no pair makes the capital negative."""
    with pytest.raises(InputError, match="expected a bet above 0 and at most"):
        judge_pairs(parse_claim_text("E=2"), PAIRS, bet=bet, confidence=CONFIDENCE)


def test_what_is_not_offered():
    """Other claims, an infinite epsilon, more than a million pairs, a bet of many digits."""
    with pytest.raises(Declined):
        judge_pairs(parse_claim_text("mu=1"), PAIRS, bet=mpq(1, 4), confidence=CONFIDENCE)
    with pytest.raises(Declined):
        judge_pairs(parse_claim_text("eps=inf"), PAIRS, bet=mpq(1, 4), confidence=CONFIDENCE)
    with pytest.raises(LimitError):
        capital(PairCounts(10**6, 1, 0, 0), mpq(2), mpq(0), mpq(1, 4))
    with pytest.raises(LimitError):
        capital(PAIRS, mpq(2), mpq(0), mpq(1, 10**20))
