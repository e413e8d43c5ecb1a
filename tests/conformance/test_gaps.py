"""Gaps, ulps, and the side on which a number is."""

from __future__ import annotations

import math

import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from oracle.conformance.gaps import VERDICTS, WORST_FIRST, Interval, Slack, gap_between, side, ulp
from oracle.conformance.protocol import parse_claimed
from oracle.exact import INFINITY, from_binary64

QUARTER = Interval.point(mpq(1, 4))


@given(st.floats(min_value=5e-324, max_value=1.7e308))
def test_ulp_is_that_of_the_language(x: float) -> None:
    """For a double it is the value of math.ulp."""
    assert ulp(from_binary64(x)) == from_binary64(math.ulp(x))
    assert ulp(-from_binary64(x)) == from_binary64(math.ulp(x))


def test_ulp_of_numbers_between_doubles_is_that_of_their_binade() -> None:
    """1/3 has the ulp of the doubles around it, 0 the least of all."""
    assert ulp(mpq(1, 3)) == mpq(1, 2**54)
    assert ulp(mpq(0)) == mpq(1, 2**1074)


def verdict(claim: str, answer: mpq, truth: Interval = QUARTER) -> str:
    return side(parse_claimed(claim), answer, truth, Slack())[0]


@pytest.mark.parametrize(
    ("claim", "answer", "expected"),
    [
        ("upper", mpq(1, 4), "exact"),
        ("upper", mpq(1, 4) + mpq(1, 10**12), "sound"),
        ("upper", mpq(26, 100), "loose"),
        ("upper", mpq(1, 4) - mpq(1, 10**12), "unsound-rounding"),
        ("upper", mpq(24, 100), "unsound"),
        ("upper", INFINITY, "loose"),
        ("lower", mpq(1, 4) - mpq(1, 10**12), "sound"),
        ("lower", mpq(24, 100), "loose"),
        ("lower", mpq(1, 4) + mpq(1, 10**12), "unsound-rounding"),
        ("lower", mpq(26, 100), "unsound"),
        ("lower", INFINITY, "unsound"),
        ("exact", mpq(1, 4) + mpq(1, 10**30), "wrong"),
        ("exact", mpq(1, 4), "exact"),
        ("nearest", mpq(1, 4) + mpq(1, 2**54), "sound"),
        ("nearest", mpq(1, 4) + mpq(3, 2**54), "wrong"),
        ("nearest:4", mpq(1, 4) + mpq(3, 2**54), "sound"),
        ("nearest", INFINITY, "wrong"),
        ("estimate", mpq(1, 4) + mpq(1, 10**12), "sound"),
        ("estimate", mpq(26, 100), "loose"),
        ("estimate:1/100", mpq(26, 100), "sound"),
        ("estimate:1/101", mpq(26, 100), "wrong"),
        ("estimate", INFINITY, "wrong"),
    ],
)
def test_the_side_of_a_quarter(claim: str, answer: mpq, expected: str) -> None:
    """Each claim has its verdicts at, near and far from the truth."""
    assert verdict(claim, answer) == expected


def test_the_boundary_of_rounding_belongs_to_rounding() -> None:
    """A relative gap of exactly 10^-9 is rounding, one beyond it is material."""
    assert verdict("upper", mpq(1, 4) * (1 - mpq(1, 10**9))) == "unsound-rounding"
    assert verdict("upper", mpq(1, 4) * (1 - mpq(2, 10**9))) == "unsound"


def test_a_small_delta_reported_as_zero_is_unsound() -> None:
    """A truth of 10^-9 or 10^-299 answered with 0 is material; one of 10^-300 and below is not."""
    assert verdict("upper", mpq(0), Interval.point(mpq(1, 10**9))) == "unsound"
    assert verdict("upper", mpq(0), Interval.point(mpq(1, 10**299))) == "unsound"
    assert verdict("upper", mpq(0), Interval.point(mpq(1, 10**300))) == "unsound-rounding"


def test_beside_a_truth_of_zero_only_a_gross_gap_is_material() -> None:
    """A lower bound of 1/2 where the truth is 0 is unsound, one of 10^-12 is rounding."""
    assert verdict("lower", mpq(1, 2), Interval.point(mpq(0))) == "unsound"
    assert verdict("lower", mpq(1, 10**12), Interval.point(mpq(0))) == "unsound-rounding"
    assert verdict("upper", mpq(1, 10**12), Interval.point(mpq(0))) == "loose"


def test_an_infinite_truth_answered_finitely() -> None:
    """It is unsound as an upper bound and loose as a lower one."""
    infinite = Interval.point(INFINITY)
    assert verdict("upper", mpq(700), infinite) == "unsound"
    assert verdict("lower", mpq(700), infinite) == "loose"
    assert verdict("upper", INFINITY, infinite) == "exact"


def test_inside_an_enclosure_a_side_is_not_known() -> None:
    """Strictly inside it is inconclusive for a side and exact for equality; at the ends the side is known."""
    truth = Interval(mpq(1, 4), mpq(26, 100))
    assert verdict("upper", mpq(255, 1000), truth) == "inconclusive"
    assert verdict("exact", mpq(255, 1000), truth) == "exact"
    assert verdict("upper", mpq(26, 100), truth) == "sound"
    assert verdict("lower", mpq(1, 4), truth) == "sound"
    assert verdict("upper", mpq(1, 4), truth) == "unsound-rounding"


def test_a_gap_is_signed_exact_and_short() -> None:
    """It has the exact rational, ulps of the answer and a decimal of three digits, rounded away from zero."""
    gap = gap_between(mpq(1, 4), mpq(250000000000000011595, 10**21))
    assert gap.to_json() == {
        "exact": "-2319/200000000000000000000",
        "relative": "4.64e-17",
        "ulps": "-0.209",
        "decimal": "-1.16e-17",
    }
    assert gap_between(INFINITY, mpq(1)).to_json() == {
        "exact": "inf",
        "relative": "inf",
        "ulps": None,
        "decimal": "+inf",
    }
    assert gap_between(INFINITY, INFINITY).value == 0


@given(st.fractions(0, 1), st.fractions(0, 1))
def test_upper_and_lower_are_mirror_images(answer: object, truth: object) -> None:
    """What is on the right side for one claim is on the wrong side for the other, unless it is exact."""
    a, t = mpq(answer), Interval.point(mpq(truth))  # type: ignore[call-overload]
    upper, lower = verdict("upper", a, t), verdict("lower", a, t)
    assert (upper == "exact") == (lower == "exact") == (a == t.lo)
    assert upper == "exact" or ("unsound" in upper) != ("unsound" in lower)


def test_every_verdict_has_a_rank() -> None:
    """The order of severity covers the closed set."""
    assert sorted(WORST_FIRST) == sorted(VERDICTS)
