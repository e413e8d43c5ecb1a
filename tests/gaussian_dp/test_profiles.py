"""Profiles and noise formulas against their definitions in mpmath, their derivatives, and what refining means."""

from __future__ import annotations

from itertools import pairwise

import mpmath
import pytest
from flint import arb
from gmpy2 import mpq

from oracle.enclosures import Enclosure, enclose, precision, rational_ball
from oracle.errors import InputError
from oracle.exact import INFINITY
from oracle.gaussian_dp.examples import EXAMPLES, OscillatingProfile, icea, laplace, noisy_sgd
from oracle.gaussian_dp.guarantee_lists import GuaranteeList
from oracle.gaussian_dp.noise_formulas import ConstantProfile, LaplaceProfile, Reciprocal, SquaredExponential
from oracle.gaussian_dp.transform import transform
from oracle.levels import Level
from tests.experiments.reference import real
from tests.gaussian_dp import reference

NAIVE = {
    "sgd": (SquaredExponential(mpq(1)), reference.squared_exponential(1, 1)),
    "steep": (SquaredExponential(mpq(7, 3), mpq(20)), reference.squared_exponential("7/3", 20)),
    "flat": (SquaredExponential(mpq(1, 5), mpq(3)), reference.squared_exponential("1/5", 3)),
    "icea": (Reciprocal(mpq(4), -2), reference.reciprocal(4, -2)),
    "tiny": (Reciprocal(mpq(1, 50)), reference.reciprocal("1/50", 0)),
}
ALL = {
    **{name: pair[0] for name, pair in NAIVE.items()},
    **{f"refined {name}": pair[0].refined() for name, pair in NAIVE.items()},
    "laplace": LaplaceProfile(mpq(2)),
    "constant": ConstantProfile(mpq(1, 3)),
    "oscillating": OscillatingProfile(),
}
POINTS = [mpq(0), mpq(1, 100), mpq(1, 2), mpq(1), mpq(6, 5), mpq(2), mpq(31, 8), mpq(9)]


def at(x):
    """The level of an epsilon."""
    return Level.of_exponent(x)


def ends(value):
    """Lower and upper end of an exact or enclosed value."""
    return (value.lo, value.hi) if isinstance(value, Enclosure) else (value, value)


@pytest.mark.parametrize("name", NAIVE)
def test_naive_values(name):
    """The formula cut at 1, by mpmath."""
    profile, expected = NAIVE[name]
    with mpmath.workdps(reference.DIGITS):
        for x in POINTS:
            low, high = ends(profile.delta(at(x), 20))
            slack = mpmath.mpf(10) ** -35
            assert real(low) - slack <= expected(real(x)) <= real(high) + slack


@pytest.mark.parametrize("name", NAIVE)
def test_refined_values(name):
    """At most the supremum over a grid, and close to it."""
    profile, naive = NAIVE[name][0].refined(), NAIVE[name][1]
    with mpmath.workdps(20):
        for x in (mpq(0), mpq(1, 2), mpq(2)):
            low, high = ends(profile.delta(at(x), 12))
            bound = reference.refined(naive, real(x), 4, 1000)
            assert real(low) <= bound + mpmath.mpf(10) ** -12
            assert bound - real(high) < mpmath.mpf(1) / 1000


@pytest.mark.parametrize("name", NAIVE)
def test_nothing_more_follows_from_a_refined_profile(name):
    """The hull of many of its own guarantees is never below it, and the profile never below the hull by a grid step."""
    profile = NAIVE[name][0].refined()
    grid = [mpq(3, 2) ** k for k in range(1, 9)]
    guarantees = GuaranteeList([(Level.rational(a), ends(profile.delta(Level.rational(a), 15))[1]) for a in grid])
    assert profile.closed
    for a in (mpq(1), mpq(5, 4), mpq(2), mpq(5), mpq(20)):
        assert ends(profile.delta(Level.rational(a), 15))[0] <= guarantees.implied(Level.rational(a))
    assert not NAIVE[name][0].closed


@pytest.mark.parametrize("name", ALL)
def test_profiles_fall_and_stay_between_0_and_1(name):
    """Also over balls: the value on an interval contains the values at its points."""
    profile = ALL[name]
    with precision(100):
        values = [profile.at(rational_ball(x)) for x in POINTS]
        assert all(not after > before for before, after in pairwise(values))
        assert all(not value > 1 and not value < 0 for value in values)
        for x, y in pairwise(POINTS):
            wide = profile.at(rational_ball(x).union(rational_ball(y)))
            assert wide.overlaps(profile.at(rational_ball((x + y) / 2)))
            assert not profile.at(rational_ball(x)) > wide.upper()


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("x", [mpq(3, 10), mpq(4, 5), mpq(7, 4), mpq(5, 2), mpq(19, 4)])
def test_derivatives_are_those_of_differences(name, x):
    """A quotient of differences lies in the enclosure of the derivative over the interval, twice."""
    profile, h = ALL[name], mpq(1, 1 << 20)
    with precision(200):
        low, middle, high = (profile.at(rational_ball(x + k * h)) for k in (-1, 0, 1))
        cell = rational_ball(x - h).union(rational_ball(x + h))
        if name in NAIVE and low >= 1:
            return
        first, second = profile.derivatives(cell)
        step = rational_ball(h)
        assert first.overlaps((high - low) / (2 * step))
        assert second.overlaps((high - 2 * middle + low) / step**2)


def test_enclosures_have_their_digits():
    """A thousand digits of a refined value."""
    value = EXAMPLES["sgd"].delta(at(mpq(0)), 1000)
    assert value.reached is None
    assert value.width * mpq(10) ** 1000 <= value.hi


def test_exact_values():
    """0 beyond theta, 0 at infinity where the profile vanishes, the constant everywhere."""
    smooth = LaplaceProfile(mpq(2))
    assert smooth.delta(at(mpq(2))) == smooth.delta(at(mpq(3))) == smooth.delta(Level.rational(8)) == 0
    assert smooth.delta(Level.rational(7)).lo > 0
    assert EXAMPLES["icea"].delta(Level.infinite()) == smooth.delta(Level.infinite()) == 0
    assert ConstantProfile(mpq(1, 3)).delta(Level.infinite()) == mpq(1, 3)
    assert NAIVE["sgd"][0].delta(at(mpq(0))) == NAIVE["icea"][0].delta(at(mpq(1, 2))) == 1
    assert transform(NAIVE["icea"][0], at(mpq(1, 2))) == INFINITY
    assert transform(NAIVE["sgd"][0], at(mpq(1, 10**6)), 8).lo > 9


def test_the_head_is_tangent():
    """At eps* the line and the formula agree in value and slope: H is largest there."""
    for name, (naive, _) in NAIVE.items():
        head = naive.refined().head
        with precision(200):
            end, constant = head.end(150), head.constant(150)
            value, slope = naive.at(end), naive.derivatives(end)[0]
            assert value.overlaps(1 - constant * (1 + end.exp())), name
            assert slope.overlaps(-constant * end.exp()), name


def test_named_examples_are_their_formulas():
    """The paper's parameters."""
    assert EXAMPLES["sgd"].to_json() == SquaredExponential(mpq(1)).refined().to_json()
    assert noisy_sgd(mpq(3), mpq(2), mpq(5, 4)).naive.to_json() == SquaredExponential(mpq(9, 4), mpq(5, 4)).to_json()
    assert icea(20, 4).naive.to_json() == Reciprocal(mpq(4), mpq(-2)).to_json()
    assert laplace(mpq(1), mpq(1, 2)).to_json() == EXAMPLES["laplace"].to_json()


def test_the_oscillating_profile_meets_its_knots():
    """e^(-4^j) at 2^j, and its bounds in between."""
    profile = OscillatingProfile()
    with precision(100):
        for j in range(5):
            assert profile.at(arb(2) ** j).overlaps((-(arb(4) ** j)).exp())
    for x in (mpq(3, 2), mpq(5), mpq(31)):
        value = enclose(profile.ball(lambda _, x=x: rational_ball(x)), 20)
        with precision(100):
            assert rational_ball(value.hi) > (-(rational_ball(x) ** 2)).exp()
            assert rational_ball(value.lo) < (-(rational_ball(x) ** 2) / 4).exp()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: SquaredExponential(mpq(0)), "rate above 0"),
        (lambda: SquaredExponential(mpq(1), mpq(1, 2)), "factor of at least 1"),
        (lambda: Reciprocal(mpq(0)), "factor above 0"),
        (lambda: LaplaceProfile(mpq(0)), "theta above 0"),
        (lambda: ConstantProfile(mpq(2)), "delta"),
        (lambda: laplace(mpq(1), mpq(0)), "scale"),
        (lambda: icea(0, 4), "messages"),
        (lambda: noisy_sgd(mpq(1), mpq(-1), mpq(1)), "A: expected A above 0"),
        (lambda: EXAMPLES["sgd"].delta(Level.rational(mpq(1, 2))), "epsilon at least 0"),
    ],
)
def test_bad_input(make, message):
    """Numbers out of their range."""
    with pytest.raises(InputError, match=message):
        make()
