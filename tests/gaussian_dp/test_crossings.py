"""Crossings: the complete lists for the paper's examples, against signs on a grid."""

from __future__ import annotations

from itertools import pairwise

import pytest
from flint import arb
from gmpy2 import mpq

from oracle.enclosures import precision, rational_ball
from oracle.errors import InputError, UndecidedError
from oracle.gaussian_dp.crossings import crosses, crossings
from oracle.gaussian_dp.examples import EXAMPLES, OscillatingProfile
from oracle.gaussian_dp.formula_text import parse_formula
from oracle.gaussian_dp.isolation import sign_change
from oracle.gaussian_dp.noise_formulas import SquaredExponential
from oracle.gaussian_dp.rounding import decimal_floor, dyadic_floor
from oracle.gaussian_dp.tight_mu import tight_mu
from oracle.gaussian_dp.transform import delta_mu_at

SIGNS = {
    ("laplace", 1): (1, -1),
    ("laplace", 2): (-1,),
    ("laplace", 4): (-1,),
    ("sgd", 1): (1, -1),
    ("sgd", 2): (-1,),
    ("sgd", 4): (-1,),
    ("icea", 1): (1,),
    ("icea", 2): (1, -1, 1),
    ("icea", 4): (-1, 1),
}
OTHERS = {
    "oscillating": OscillatingProfile(),
    "slow": SquaredExponential(mpq(1, 20), mpq(5)).refined(),
    "interior": parse_formula("0.3*exp(-eps^3)"),
    "heavy": parse_formula("1/9*exp(-eps)"),
}


def check_on_grid(profile, mu, found):
    """The signs of delta - delta_mu between the places are those that were found."""
    with precision(300):
        for k in range(1, 120):
            x = mpq(k, 7)
            before = sum(place.hi < x for place in found.places)
            if any(place.lo <= x <= place.hi for place in found.places):
                continue
            gap = profile.at(rational_ball(x)) - delta_mu_at(rational_ball(mu), rational_ball(x))
            assert gap > 0 if found.signs[before] > 0 else gap < 0, x


@pytest.mark.parametrize(("name", "mu"), SIGNS)
def test_the_examples(name, mu):
    """Which curves cross is what figure 1 left open: ICEA does not meet delta_1, SGD meets delta_1 alone."""
    answer, found = crosses(EXAMPLES[name], mpq(mu), 20)
    assert found.signs == SIGNS[name, mu]
    assert answer is (len(found.signs) > 1)
    assert len(found.places) == len(found.signs) - 1
    assert all(a.hi < b.lo for a, b in pairwise(found.places))
    assert all(place.width * mpq(10) ** 20 <= place.hi for place in found.places)
    check_on_grid(EXAMPLES[name], mpq(mu), found)


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize("mu", [mpq(1, 2), mpq(1), mpq(3, 2), mpq(2)])
def test_other_profiles(name, mu):
    """The signs on a grid."""
    answer, found = crosses(OTHERS[name], mu)
    if answer is None:
        assert not mu * mu > OTHERS[name].tail.limits[1]
        return
    check_on_grid(OTHERS[name], mu, found)


def test_touching_is_undecided():
    """At the tight mu of Laplace, to more digits than are looked at, the profiles meet at 0 or do not."""
    mu = tight_mu(EXAMPLES["laplace"], 100).value.hi
    assert crosses(EXAMPLES["laplace"], mu) == (None, None)
    with pytest.raises(UndecidedError):
        crossings(EXAMPLES["laplace"], mu)


def test_mu_zero_is_refused():
    """The curve delta_0 is 0."""
    with pytest.raises(InputError, match="mu above 0"):
        crossings(EXAMPLES["sgd"], mpq(0))


@pytest.mark.parametrize("bits", [30, 200, 3000])
def test_sign_changes_are_narrow_and_proved(bits):
    """The root of x² - 2, of a flat x^9, and of a steep exponential."""
    for function, low, high in (
        (lambda x: x * x - 2, arb(0), arb(2)),
        (lambda x: 2 - x * x, arb(1), arb(1000)),
        (lambda x: (x - 1) ** 9, arb(0), arb(3)),
        (lambda x: x.exp() - 10**9, arb(0), arb(100)),
    ):
        found = sign_change(function, low, high, bits)
        with precision(bits + 40):
            assert function(found.lower()) * function(found.upper()) <= 0
            assert found.rad() <= 4 * arb(2) ** -bits * abs(found)


def test_no_sign_change():
    """Equal signs at the ends, or none known."""
    assert sign_change(lambda x: x * x + 1, arb(0), arb(1), 50) is None
    assert sign_change(lambda x: x, arb(0), arb(1), 50) is None


@pytest.mark.parametrize("x", [mpq(0), mpq(1, 3), mpq(-1, 3), mpq(22, 7), mpq(5)])
def test_rounding_down(x):
    """The floor to binary and decimal places."""
    for found, unit in ((dyadic_floor(x, 5), mpq(1, 32)), (decimal_floor(x, 3), mpq(1, 1000))):
        assert found <= x < found + unit
        assert (found / unit).denominator == 1
