"""Poisson subsampling of additive noise under substitution, against integrals over half-lines and formal numbers."""

from __future__ import annotations

import mpmath
import pytest
from gmpy2 import mpq

from oracle.enclosures import Enclosure
from oracle.errors import Declined, InputError
from oracle.exact import INFINITY, to_text
from oracle.experiments.gaussian import Gaussian
from oracle.experiments.laplace import Laplace
from oracle.experiments.substituted import SubstitutedGaussian, SubstitutedLaplace
from oracle.levels import Level

CASES = [(mpq(1), mpq(1, 5)), (mpq(3, 2), mpq(9, 10)), (mpq(1, 4), mpq(1, 100)), (mpq(2), mpq(1))]
LEVELS = [
    *map(Level.rational, (mpq(1, 20), mpq(1, 2), mpq(1), mpq(101, 100), mpq(2), mpq(12), mpq(200))),
    *map(Level.of_exponent, (mpq(-1, 10), mpq(1, 3), mpq(-4))),
]
ALPHAS = [mpq(1, 10**6), mpq(1, 100), mpq(1, 4), mpq(2, 5), mpq(1, 2), mpq(9, 10), mpq(9999, 10**4)]
KINDS = pytest.mark.parametrize("kind", [SubstitutedGaussian, SubstitutedLaplace])
IDS = pytest.mark.parametrize(("theta", "rate"), CASES, ids=to_text)


def real(x):
    """A rational as a number of mpmath."""
    return mpmath.mpf(int(x.numerator)) / int(x.denominator)


def level_value(level):
    """e^epsilon with mpmath."""
    return real(level.value) if level.value is not None else mpmath.exp(real(level.exponent))


def tails(kind, theta, rate):
    """P'(X > x) and Q'(X > x), and the two densities."""
    q = real(rate)

    def tail(x):
        if kind is SubstitutedGaussian:
            return mpmath.ncdf(-x)
        return mpmath.exp(-x) / 2 if x >= 0 else 1 - mpmath.exp(x) / 2

    def density(x):
        return mpmath.npdf(x) if kind is SubstitutedGaussian else mpmath.exp(-abs(x)) / 2

    return [(lambda x, f=f, s=s: (1 - q) * f(x) + q * f(x - s * real(theta))) for f in (tail, density) for s in (1, -1)]


def by_definition(kind, theta, rate, a):
    """Sup over half-lines of P'(X > x) - a Q'(X > x): the ratio grows, so its threshold is found by bisection."""
    first, second, p, q = tails(kind, theta, rate)
    low, high = mpmath.mpf(-60), mpmath.mpf(60)
    if p(high) <= a * q(high):
        return mpmath.mpf(0)
    if p(low) >= a * q(low):
        return 1 - a
    for _ in range(160):
        middle = (low + high) / 2
        low, high = (low, middle) if p(middle) > a * q(middle) else (middle, high)
    return max(first(high) - a * second(high), 1 - a, 0)


def ends(value):
    """Both ends of a value."""
    return (value.lo, value.hi) if isinstance(value, Enclosure) else (value, value)


@KINDS
@IDS
def test_hockey_stick_by_definition(kind, theta, rate):
    """The gain of the best half-line with mpmath, both directions (the pair is symmetric)."""
    pair = kind(theta, rate)
    with mpmath.workdps(50):
        for level in LEVELS:
            expected = by_definition(kind, theta, rate, level_value(level))
            for direction in ("forward", "backward"):
                lo, hi = ends(pair.hockey_stick(level, direction, 15))
                assert real(lo) - mpmath.mpf(10) ** -40 <= expected <= real(hi) + mpmath.mpf(10) ** -40
                assert (hi - lo) * 10**15 <= hi


@KINDS
def test_at_rate_1_the_pair_is_that_of_twice_the_sensitivity(kind):
    """N(theta) against N(-theta)."""
    twice = Gaussian.of(mpq(3)) if kind is SubstitutedGaussian else Laplace(mpq(3))
    pair = kind(mpq(3, 2), mpq(1))
    for level in LEVELS:
        (lo, hi), (low, high) = ends(pair.hockey_stick(level, "both", 20)), ends(twice.hockey_stick(level, "both", 20))
        assert max(lo, low) <= min(hi, high)
    for alpha in (mpq(1, 50), mpq(1, 3), mpq(99, 100)):
        (lo, hi), (low, high) = ends(pair.beta(alpha, "forward", 20)), ends(twice.beta(alpha, "forward", 20))
        assert max(lo, low) <= min(hi, high)


@KINDS
@IDS
@pytest.mark.parametrize("delta", [mpq(0), mpq(1, 10**5), mpq(1, 200)])
def test_epsilon_inverts_delta(kind, theta, rate, delta):
    """The least epsilon is satisfied, anything below its enclosure is refuted."""
    pair = kind(theta, rate)
    least = pair.least_epsilon(delta, "both", 12)
    if isinstance(least, Level):
        assert pair.satisfies(least, delta)
        return
    assert pair.satisfies(Level.of_exponent(least.hi), delta)
    assert not pair.satisfies(Level.of_exponent(least.lo), delta)


@KINDS
@IDS
@pytest.mark.parametrize("alpha", ALPHAS)
def test_trade_off_by_definition(kind, theta, rate, alpha):
    """Reject X < t: alpha = P'(X < t), beta = Q'(X > t), with t by bisection."""
    with mpmath.workdps(50):
        first, second, _, _ = tails(kind, theta, rate)
        low, high = mpmath.mpf(-60), mpmath.mpf(60)
        for _ in range(200):
            middle = (low + high) / 2
            low, high = (middle, high) if 1 - first(middle) < real(alpha) else (low, middle)
        expected = second(high)
        lo, hi = ends(kind(theta, rate).beta(alpha, "forward", 15))
        assert real(lo) - mpmath.mpf(10) ** -40 <= expected <= real(hi) + mpmath.mpf(10) ** -40
        assert (hi - lo) * 10**15 <= hi


def test_laplace_decides_exactly():
    """On the first segment of the claims that touch: the largest loss itself, and values a hair beside."""
    pair = SubstitutedLaplace(mpq(1), mpq(1, 4))
    assert pair.hockey_stick(Level.rational(3)) == 0
    assert pair.hockey_stick(Level.rational(mpq(1, 3))) == mpq(2, 3)
    check = pair.compare_hockey_stick(Level.of_exponent(mpq(1, 5)), mpq(1, 10), "forward")
    assert check.bits == 0
    tight = pair.hockey_stick(Level.of_exponent(mpq(1, 5)), "forward", 100)
    assert pair.satisfies(Level.of_exponent(mpq(1, 5)), tight.hi)
    assert not pair.satisfies(Level.of_exponent(mpq(1, 5)), tight.lo)
    for s in (mpq(-1, 5), mpq(-4)):
        tight = pair.hockey_stick(Level.of_exponent(s), "forward", 100)
        assert pair.satisfies(Level.of_exponent(s), tight.hi)
        assert not pair.satisfies(Level.of_exponent(s), tight.lo)
    assert SubstitutedLaplace(mpq(1), mpq(1)).least_epsilon(mpq(0)) == Level.of_exponent(mpq(2))


@KINDS
def test_limits_expression_and_refusals(kind):
    """Largest loss, the expression, Rényi divergences and parameters outside their range."""
    pair = kind(mpq(1, 2), mpq(1, 5))
    assert pair.singular_mass("forward") == 0
    assert pair.symmetric
    name, scale = ("gaussian", "sigma") if kind is SubstitutedGaussian else ("laplace", "scale")
    assert pair.to_json() == {
        "mechanism": "poisson_subsample",
        "rate": "1/5",
        "neighbours": "substitute",
        "of": {"mechanism": name, scale: "2"},
    }
    divergence = pair.renyi(INFINITY).divergence
    assert divergence == INFINITY or isinstance(divergence, Enclosure)
    with pytest.raises(Declined):
        pair.renyi(mpq(2))
    for theta, rate in ((mpq(0), mpq(1)), (mpq(1), mpq(0)), (mpq(1), mpq(2))):
        with pytest.raises(InputError):
            kind(theta, rate)
