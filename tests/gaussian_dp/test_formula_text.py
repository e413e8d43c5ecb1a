"""Noise formulas of one's own: what is read, recognised, validated and refused."""

from __future__ import annotations

import random

import mpmath
import pytest
from flint import arb
from gmpy2 import mpq

from oracle.enclosures import precision, rational_ball, rational_bounds
from oracle.errors import Declined, InputError, LimitError
from oracle.gaussian_dp.exponents import Exponent, nonnegative_from, polynomial_at, sign_changes
from oracle.gaussian_dp.formula_text import parse_formula
from oracle.gaussian_dp.noise_formulas import ConstantProfile, Reciprocal, SquaredExponential
from oracle.gaussian_dp.product_formulas import ProductFormula
from oracle.gaussian_dp.profiles import Refined
from tests.experiments.reference import real

FORMULAS = {
    "exp(-eps^2/3 - eps)": lambda x: mpmath.exp(-x * x / 3 - x),
    "exp(eps - eps**2)": lambda x: mpmath.exp(x - x * x),
    "eps^(-2)*exp(-epsilon^2/2)": lambda x: mpmath.exp(-x * x / 2) / x**2,
    "sqrt(2)*exp(-0.5*eps^2)/(3*eps)": lambda x: mpmath.sqrt(2) * mpmath.exp(-x * x / 2) / (3 * x),
    "1e-3*exp(-(eps+1/2)^2)": lambda x: mpmath.exp(-((x + mpmath.mpf(1) / 2) ** 2)) / 1000,
    "exp(-3*log(eps) - ln(5))": lambda x: x**-3 / 5,
    "exp(-eps)/2": lambda x: mpmath.exp(-x) / 2,
    "2/5*exp(-eps^2/8)": lambda x: 2 * mpmath.exp(-x * x / 8) / 5,
    "exp(-eps^6)": lambda x: mpmath.exp(-(x**6)),
    "exp(1/eps - eps)": lambda x: mpmath.exp(1 / x - x),
}


@pytest.mark.parametrize("text", FORMULAS)
def test_values_are_those_of_the_text(text):
    """Far enough out, where the formula itself is the refined profile too."""
    profile = parse_formula(text)
    with mpmath.workdps(40), precision(100):
        for x in (mpq(3), mpq(9, 2), mpq(8)):
            low, high = rational_bounds(profile.at(rational_ball(x)))
            slack = mpmath.mpf(10) ** -36
            assert real(low) - slack <= FORMULAS[text](real(x)) <= real(high) + slack


@pytest.mark.parametrize("text", FORMULAS)
def test_refining_is_the_largest_implication(text):
    """No guarantee of the formula implies less at 0, and one close to eps* implies as much."""
    profile = parse_formula(text)
    naive = profile.naive if isinstance(profile, Refined) else profile
    with precision(100):
        zero = profile.at(arb(0))
        heights = []
        for k in range(1, 400):
            x = rational_ball(mpq(k, 64))
            heights.append((1 - naive.at(x)) / (1 + x.exp()))
            assert not 1 - 2 * heights[-1] < zero
        start = (1 - naive.at(arb(0))) / 2
        best = max([*heights, start], key=lambda ball: rational_bounds(ball)[0])
        assert 1 - 2 * best < zero + rational_ball(mpq(1, 500))


def test_the_closed_family_is_recognised():
    """So that certificates can be made."""
    assert parse_formula("exp(-eps^2)").naive.to_json() == SquaredExponential(mpq(1)).to_json()
    assert parse_formula("5/4*exp(-(2*eps)^2)").naive.to_json() == SquaredExponential(mpq(4), mpq(5, 4)).to_json()
    assert parse_formula("4*exp(-2)/eps").naive.to_json() == Reciprocal(mpq(4), -2).to_json()
    assert parse_formula("1/3").to_json() == ConstantProfile(mpq(1, 3)).to_json()
    assert parse_formula("7").to_json() == ConstantProfile(mpq(1)).to_json()
    assert isinstance(parse_formula("1/2*exp(-eps)").naive, ProductFormula)


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("sqrt(4)/2*exp(-eps^2)", "exp(-eps^2)"),
        ("sqrt(2)*sqrt(1/2)*exp(-eps^2)", "exp(-eps^2)"),
        ("4^(1/2)*exp(-eps^2)/2", "exp(-eps^2)"),
        ("sqrt(12)*sqrt(3)/6*exp(-eps^2)", "exp(-eps^2)"),
        ("sqrt(2)*2^(1/3)*exp(-eps^2)/2^(5/6)", "exp(-eps^2)"),
        ("exp(log(1/2)*2 + log(9)/2 + log(4/3) - eps^2)", "exp(-eps^2)"),
        ("(9/4)^(3/2)*exp(-eps^2)", "27/8*exp(-eps^2)"),
        ("8^(1/3)*exp(-2)/eps", "2*exp(-2)/eps"),
        ("(1/36)^(-1/2)*sqrt(sqrt(sqrt(256)))/eps", "12/eps"),
        ("sqrt(1/16)", "1/4"),
        ("(10^60)^(1/60)*exp(-eps^2)", "10*exp(-eps^2)"),
    ],
)
def test_constant_factors_are_multiplied_out(text, plain):
    """A product of powers of rationals that is rational is that rational."""
    found, expected = parse_formula(text), parse_formula(plain)
    assert getattr(found, "naive", found).to_json() == getattr(expected, "naive", expected).to_json()


@pytest.mark.parametrize(
    ("text", "logs"),
    [
        ("sqrt(2)*exp(-eps^2)", {"2": "1/2"}),
        ("sqrt(4)/2*exp(eps - eps^2)", {}),
        ("sqrt(8)*exp(-eps^2)", {"8": "1/2"}),
        ("sqrt(2/3)*exp(-eps)", {"1/3": "1", "2": "1/2", "3": "1/2"}),
        ("12^(1/2)*18^(1/3)*exp(-eps)", {"2": "1/3", "3": "1/6", "6": "1"}),
        ("1e602^(1/7)*exp(-eps)", {"1" + "0" * 86: "1"}),
    ],
)
def test_roots_that_are_left_are_of_coprime_integers(text, logs):
    """Each is irrational, and so is the product; whole powers are one rational."""
    found = parse_formula(text)
    assert getattr(found, "naive", found).exponent.to_json()["logs"] == logs


def test_simplifying_keeps_the_value():
    """Of random products of powers: the same constant in ball arithmetic; a rational one exactly when all is whole."""
    chance = random.Random(8)  # noqa: S311 - a fixed sample
    for _ in range(300):
        logs = {mpq(chance.randint(1, 72), chance.randint(1, 72)): mpq(chance.randint(-6, 6), chance.randint(1, 6))}
        logs |= {mpq(chance.randint(1, 72)): mpq(chance.randint(-6, 6), chance.randint(1, 6)) for _ in range(3)}
        exponent = Exponent({}, 0, logs)
        simple = exponent.simplified()
        with precision(200):
            assert exponent.constant().overlaps(simple.constant())
        primes = [n for n in range(2, 73) if all(n % k for k in range(2, n))]
        by_prime = [
            sum((w * (_valuation(r.numerator, n) - _valuation(r.denominator, n)) for r, w in logs.items()), mpq(0))
            for n in primes
        ]
        assert (simple.rational_factor() is not None) == all(e.denominator == 1 for e in by_prime)


def _valuation(n, prime):
    """How often the prime divides n."""
    return 0 if n % prime else 1 + _valuation(n // prime, prime)


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("eps*exp(-eps^2)", InputError, "rises near 0"),
        ("exp(eps)", InputError, "does not increase"),
        ("1/5*exp(-(eps-1)^2/50)", InputError, "rises near 0"),
        ("exp(-eps^2 + 10*eps - 30)", InputError, "rises near 0"),
        ("exp(1/(3*eps^3) - eps + 2*log(eps))", InputError, "does not increase"),
        ("-eps", InputError, "positive"),
        ("0", InputError, "positive"),
        ("1/0", InputError, "divisor other than 0"),
        ("-exp(-eps)", Declined, "exponentials"),
        ("exp(-eps^2) + 1", Declined, "exponentials"),
        ("(1 + eps)*exp(-eps)", Declined, "only products"),
        ("exp(-eps)/(1 + eps)", Declined, "only products"),
        ("1/(1 + eps)", Declined, "divided by"),
        ("exp(-exp(eps))", Declined, "exponentials"),
        ("2^eps", Declined, "a power must be a number"),
        ("9/10*exp(-eps^2/8)", Declined, "several turning points"),
        ("exp(-eps*log(eps))", InputError, "a logarithm times a number"),
        ("exp(-eps^200)", LimitError, "power of at most 100"),
        ("((10^100)^100)^100*exp(-eps^2)", LimitError, "numbers of at most 400000 bits"),
        ("((1 + eps)^100)^100", LimitError, "powers of eps of at most 1000, got 10000"),
        ("x", InputError, '"eps"'),
        ("sin(eps)", InputError, "exp, log or sqrt"),
        ("exp(eps, 1)", InputError, "exp"),
        ("__import__('os').system('true')", InputError, "exp"),
        ("'a'", InputError, "a number"),
        ("True", InputError, "a number"),
        ("[1]", InputError, "List"),
        ("eps % 2", InputError, "Mod"),
        ("exp(", InputError, "a formula such as"),
        ("", InputError, "a formula such as"),
        ("1" * 2000, LimitError, "1000 characters"),
        (3, InputError, "a formula as text"),
    ],
)
def test_what_is_refused(text, error, message):
    """Formulas that are no profiles, not offered, or no formulas."""
    with pytest.raises(error, match=message):
        parse_formula(text)


def test_closed_or_not():
    """Convexity in e^eps decides whether more follows."""
    assert parse_formula("exp(-eps^2/3 - eps)").closed
    assert parse_formula("1/100*exp(-eps)").closed
    assert not parse_formula("0.3*exp(-eps^3)").closed
    assert not parse_formula("2/5*exp(-eps^2/8)").closed


@pytest.mark.parametrize(
    ("powers", "places"),
    [
        ({2: 1, 0: -2}, [mpq("1.414213562373")]),
        ({3: 1, 2: -3, 1: 3, 0: -1}, [mpq(1)]),
        ({2: 1, 1: -2, 0: 1}, []),
        ({1: mpq(1, 3), -1: mpq(-4, 3)}, [mpq(2)]),
        ({2: 1, 0: 1}, []),
        ({5: 7}, []),
        ({3: 1, 2: -6, 1: 11, 0: -6}, [mpq(1), mpq(2), mpq(3)]),
    ],
)
def test_sign_changes_of_laurent_polynomials(powers, places):
    """Roots of odd multiplicity above 0."""
    with precision(100):
        found = sign_changes({j: mpq(c) for j, c in powers.items()})
        assert len(found) == len(places)
        for ball, place in zip(found, places, strict=True):
            assert abs(ball - rational_ball(place)) < rational_ball(mpq(1, 10**10))


def test_half_lines_of_laurent_polynomials():
    """Proved from late starts on, never where a value is negative."""
    powers = {2: mpq(1), 1: mpq(-5), -1: mpq(-7)}
    assert nonnegative_from(powers, mpq(6))
    assert not nonnegative_from(powers, mpq(5))
    assert nonnegative_from({}, mpq(1))
    assert not nonnegative_from({3: mpq(-1)}, mpq(100))
    with precision(60):
        assert polynomial_at(powers, arb(6)) > 0 > polynomial_at(powers, arb(5))


def test_exponents_are_closed_under_what_is_offered():
    """Sums, multiples, products of polynomials, and their derivatives by differences."""
    one = Exponent({2: mpq(-1), -1: mpq(3)}, mpq(1, 2), {mpq(5): mpq(-2)})
    two = one + one.scaled(mpq(-1))
    assert (two.powers, two.log, two.logs) == ({}, 0, {})
    assert Exponent({1: mpq(1), 0: mpq(1)}).times(Exponent({1: mpq(1), 0: mpq(-1)})).powers == {0: -1, 2: 1}
    assert one.to_json() == {"powers": {"-1": "3", "2": "-1"}, "log": "1/2", "logs": {"5": "-2"}}
    with precision(300):
        x, h = arb(2), arb(2) ** -80
        left, middle, right = one.at(x - h), one.at(x), one.at(x + h)
        assert abs((right - left) / (2 * h) - polynomial_at(one.slope(), x) / x) < arb(2) ** -60
        assert abs((right - 2 * middle + left) / h**2 - polynomial_at(one.bend(), x) / x**2) < arb(2) ** -60
