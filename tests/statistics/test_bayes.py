"""Bayesian regions: against sums by definition, symmetries, the corners of the region, and the published example."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import comb

import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle.channels.tradeoff import TradeoffFunction, approximate_dp_curve
from oracle.errors import InputError, LimitError
from oracle.statistics.bayes import credible_exp_epsilon, curve_credibility, region_credibility
from oracle.statistics.events import Count, EventCounts


def counts(k1: int, n1: int, k2: int, n2: int) -> EventCounts:
    return EventCounts(Count(k1, n1), Count(k2, n2))


small = st.integers(0, 5).flatmap(lambda n: st.tuples(st.integers(0, n + 1), st.just(n + 1)))


@given(small, small)
@settings(max_examples=40)
def test_the_ends_of_the_region(first, second):
    """For E = 1 and delta = 0 it is the line y = x, which has probability 0; for delta = 1 it is everything."""
    seen = counts(*first, *second)
    assert region_credibility(seen, mpq(1), mpq(0)) == 0
    assert region_credibility(seen, mpq(1), mpq(1)) == 1
    assert region_credibility(seen, mpq(7), mpq(1)) == 1


def by_definition(seen: EventCounts, d: Fraction) -> Fraction:
    """P[|y - x| <= d] for the posteriors, from P[y <= x + d] as a double sum over the terms of both densities."""

    def density(count: Count) -> list[Fraction]:
        n, k = count.runs, count.hits
        scale = (n + 1) * comb(n, k)
        return [Fraction(0)] * k + [Fraction(scale * comb(n - k, j) * (-1) ** j) for j in range(n - k + 1)]

    first, second = density(seen.first), density(seen.second)

    def below(shift: Fraction, start: Fraction, stop: Fraction) -> Fraction:
        """The integral over x in [start, stop] of f2(x) F1(x + shift)."""
        total = Fraction(0)
        for i, a in enumerate(first):
            for j, b in enumerate(second):
                for m in range(i + 2):
                    power = j + m + 1
                    weight = comb(i + 1, m) * shift ** (i + 1 - m)
                    total += a * b * Fraction(1, i + 1) * weight * (stop**power - start**power) / power
        return total

    def mass(start: Fraction, stop: Fraction) -> Fraction:
        return sum((b * (stop ** (j + 1) - start ** (j + 1)) / (j + 1) for j, b in enumerate(second)), Fraction(0))

    one, zero = Fraction(1), Fraction(0)
    return below(d, zero, one - d) + mass(one - d, one) - below(-d, d, one)


@pytest.mark.parametrize("d", [Fraction(1, 10), Fraction(1, 3), Fraction(9, 10)])
@pytest.mark.parametrize("seen", [counts(3, 4, 1, 5), counts(0, 1, 2, 2), counts(2, 6, 5, 6)])
def test_the_region_of_e_1_by_its_definition(seen, d):
    """|y - x| <= d, term by term."""
    expected = by_definition(seen, d)
    assert region_credibility(seen, mpq(1), mpq(d.numerator, d.denominator)) == mpq(
        expected.numerator, expected.denominator
    )


def test_the_region_of_two_runs_by_integration():
    """One run each, k1 = 1 and k2 = 0: the densities are 2y and 2(1 - x).

    For E = 2 and delta = 0 the region is max(x/2, 2x - 1) <= y <= min(2x, (1 + x)/2), over which 2(1 - x) 2y is
    integrated: first over y, then by Simpson's rule.
    """
    seen = counts(1, 1, 0, 1)

    def antiderivative(corners: list[tuple[Fraction, Fraction]]) -> Fraction:
        """The integral of 2(1 - x) y(x)^2 along a line, by Simpson's rule, exact for cubics."""
        total = Fraction(0)
        for (x0, y0), (x1, y1) in pairwise(corners):
            ends = [(x0, y0), ((x0 + x1) / 2, (y0 + y1) / 2), (x1, y1)]
            values = [2 * (1 - x) * y * y for x, y in ends]
            total += (x1 - x0) * (values[0] + 4 * values[1] + values[2]) / 6
        return total

    third = Fraction(1, 3)
    above = [(Fraction(0), Fraction(0)), (third, 2 * third), (Fraction(1), Fraction(1))]
    below = [(Fraction(0), Fraction(0)), (2 * third, third), (Fraction(1), Fraction(1))]
    expected = antiderivative(above) - antiderivative(below)
    assert region_credibility(seen, mpq(2), mpq(0)) == mpq(expected.numerator, expected.denominator)


@given(small, small, st.integers(4, 12), st.integers(0, 4))
@settings(max_examples=30)
def test_symmetries(first, second, quarters, tenths):
    """Exchanging the inputs, and taking the complement of the event, change nothing: both directions are meant."""
    level, delta = mpq(quarters, 4), mpq(tenths, 10)
    value = region_credibility(counts(*first, *second), level, delta)
    assert 0 <= value <= 1
    assert region_credibility(counts(*second, *first), level, delta) == value
    (k1, n1), (k2, n2) = first, second
    assert region_credibility(counts(n1 - k1, n1, n2 - k2, n2), level, delta) == value
    assert value <= region_credibility(counts(*first, *second), level + 1, delta)


def test_a_curve_that_is_not_symmetric_is_meant_in_both_directions():
    """It allows what its inverse does."""
    curve = TradeoffFunction([["0", "9/10"], ["1/4", "1/4"], ["1", "0"]])
    seen = counts(4, 6, 1, 5)
    assert curve_credibility(seen, curve) == curve_credibility(seen, curve.inverse())
    assert curve_credibility(seen, approximate_dp_curve(mpq(3), mpq(0))) == region_credibility(seen, mpq(3), mpq(0))


def test_the_published_example_is_credible_and_no_confidence():
    """Counts (487, 1, 512, 0) at 95 %: positive by uniform priors, though nothing is refuted with that confidence."""
    seen = counts(487, 487, 512, 513)
    bound = credible_exp_epsilon(seen, mpq(0), mpq(19, 20))
    assert bound == mpq(551, 500)
    most = mpq(1, 20)
    assert region_credibility(seen, bound, mpq(0)) <= most < region_credibility(seen, bound + mpq(1, 1000), mpq(0))


def test_no_bound_and_bad_arguments():
    """1 where the smallest epsilon is credible; a credibility outside (0, 1); too many runs."""
    assert credible_exp_epsilon(counts(5, 10, 5, 10), mpq(1, 2), mpq(19, 20)) == 1
    with pytest.raises(InputError):
        credible_exp_epsilon(counts(5, 10, 5, 10), mpq(0), mpq(1))
    with pytest.raises(LimitError):
        region_credibility(counts(5, 4000, 5, 10), mpq(2), mpq(0))
