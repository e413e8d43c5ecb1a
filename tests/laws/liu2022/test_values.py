"""What the laws of liu2022 compute for themselves, against the engine and against worked values."""

from __future__ import annotations

import pytest
from gmpy2 import mpq

from oracle.certificates.checker import check
from oracle.channels.channel import Channel
from oracle.enclosures import Enclosure
from oracle.gaussian_dp.channel_mu import least_mu
from oracle.gaussian_dp.guarantee_order import Guarantee, worst_case
from oracle.gaussian_dp.profile import delta_mu
from oracle.laws.compare import equal
from oracle.laws.evidence import Evidence
from oracle.laws.liu2022._values import (
    bracket,
    critical_epsilons,
    density_integral,
    difference,
    digits_for,
    first_term,
    second_term,
    slope_integral,
    worst_rows,
)
from oracle.levels import Level

WARNER = Channel([["3/4", "1/4"], ["1/4", "3/4"]])


def delta(mu: mpq, epsilon: mpq) -> mpq | Enclosure:
    return delta_mu(mu, Level.of_exponent(epsilon), 30)


@pytest.mark.parametrize(("mu", "epsilon"), [("1", "0"), ("1/2", "1"), ("4", "2"), ("3", "100")])
def test_the_two_terms_make_the_profile(mu: str, epsilon: str) -> None:
    """Their difference is the engine's delta_mu."""
    value = difference(first_term(mpq(mu), mpq(epsilon)), second_term(mpq(mu), mpq(epsilon)))
    assert equal(value, delta(mpq(mu), mpq(epsilon))) <= 0
    assert value.width < value.hi / mpq(10) ** 30


def test_the_integrals_are_differences_of_the_profile() -> None:
    """In mu from 1 to 2 at eps = 1, and in eps from 1/2 to 3 at mu = 1."""
    one, half = mpq(1), mpq(1, 2)
    in_mu = difference(delta(mpq(2), one), delta(one, one))
    in_epsilon = difference(delta(one, half), delta(one, mpq(3)))
    assert in_mu.overlaps(density_integral(one, one, mpq(2)))
    assert in_epsilon.overlaps(slope_integral(one, half, mpq(3)))
    assert max(density_integral(one, one, mpq(2)).width, slope_integral(one, half, mpq(3)).width) < mpq(1, 10**60)


def test_the_worst_case_is_the_engines() -> None:
    """Written column by column it is the engine's worst-case channel, up to the order of columns."""
    found = worst_case(Guarantee(Level.rational(mpq(3)), mpq(1, 10)))
    assert isinstance(found, Channel)
    columns = sorted(zip(*worst_rows(mpq(3), mpq(1, 10)), strict=True))
    assert columns == sorted(zip(*found.rows, strict=True))


def test_the_critical_place_of_randomised_response() -> None:
    """At its least mu the one inner corner is touched at eps = 0; at half of it at mu (3 mu/2)/2 apart."""
    least = least_mu(WARNER)
    assert isinstance(least, Enclosure)
    places = critical_epsilons(WARNER.rows, least.lo)
    assert places[0] == 0
    assert len(places) == 2
    assert places[1] < mpq(1, 10**10)
    mu = least.lo / 2
    # Phi^-1(1/4) = -least/2, so eps = -mu (-mu + mu/2) = mu²/2.
    assert abs(critical_epsilons(WARNER.rows, mu)[1] - mu * mu / 2) < mpq(1, 10**10)


def test_digits_grow_with_the_probabilities() -> None:
    """20 digits for short ones, 321 for ones of 1000 bits, and at most 1000."""
    tiny = mpq(1, 2**1000)
    assert digits_for(WARNER.rows) == 20
    assert 320 <= digits_for(((tiny, 1 - tiny), (1 - tiny, tiny))) <= 332
    assert digits_for(((mpq(1, 2**9000), 1 - mpq(1, 2**9000)),)) == 1000


@pytest.mark.parametrize(
    ("function", "argument", "low"),
    [("exp", "1", "2.718"), ("log", "2", "0.693"), ("normal", "-1/2", "0.308")],
)
def test_brackets_are_neighbouring_decimals(function: str, argument: str, low: str) -> None:
    """With three digits after the point; the checker accepts them."""
    evidence = Evidence()
    first, second = bracket(evidence, function, mpq(argument), 3)
    assert (first.value, second.value) == (mpq(low), mpq(low) + mpq(1, 1000))
    evidence.compare(first, "<", second)
    assert check(evidence.certificate()).kind == "evaluation"
