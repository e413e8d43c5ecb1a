"""Poisson subsampling of continuous pairs against the definition: best events, a finite table, inverse relations."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import pytest
from gmpy2 import mpq

from oracle.answers import answer
from oracle.channels.channel import Channel
from oracle.channels.divergences import hockey_stick
from oracle.enclosures import Enclosure
from oracle.errors import Declined, InputError
from oracle.exact import INFINITY, to_text
from oracle.experiments.discrete_gaussian import DiscreteGaussian
from oracle.experiments.gaussian import Gaussian
from oracle.experiments.laplace import Laplace
from oracle.experiments.subsampled import PoissonSubsampled, poisson_subsampled
from oracle.levels import Level

BASES = {
    "gaussian": Gaussian.of(mpq(3, 2)),
    "laplace": Laplace(mpq(1)),
    "discrete gaussian": DiscreteGaussian(mpq(2), 3),
}
RATES = [mpq(1, 100), mpq(1, 5), mpq(9, 10)]
LEVELS = [
    *map(Level.rational, (mpq(1, 20), mpq(1, 2), mpq(1), mpq(101, 100), mpq(2), mpq(12))),
    *map(Level.of_exponent, (mpq(-1, 10), mpq(1, 3))),
]
SIDES = ["forward", "backward"]


def real(x):
    """A rational as a number of mpmath."""
    return mpmath.mpf(int(x.numerator)) / int(x.denominator)


def level_value(level):
    """e^epsilon with mpmath."""
    return real(level.value) if level.value is not None else mpmath.exp(real(level.exponent))


def laws(name):
    """The distribution functions of P and Q, and the point left of which p/q exceeds a ratio."""
    base = BASES[name]
    theta = real(base.theta)
    if name == "gaussian":

        def gaussian_where(ratio):
            return theta / 2 - mpmath.log(ratio) / theta

        return mpmath.ncdf, (lambda x: mpmath.ncdf(x - theta)), gaussian_where

    def cdf(x):
        return mpmath.exp(x) / 2 if x < 0 else 1 - mpmath.exp(-x) / 2

    def where(r):
        # p/q = e^(theta - 2x) on [0, theta].
        loss = mpmath.log(r)
        return mpmath.inf if loss < -theta else -mpmath.inf if loss > theta else (theta - loss) / 2

    return cdf, (lambda x: cdf(x - theta)), where


def by_definition(name, rate, a, side):
    """P'(S) - a Q'(S) for the best half-line S: the ratio p/q falls along the line, and so does ((1-q) + q p/q)."""
    first, second, where = laws(name)
    q = real(rate)

    def mixed(x):
        return q * first(x) + (1 - q) * second(x)

    if side == "forward":
        # p' > a q' iff p/q > (a - 1 + q)/q: left of a point.
        threshold = (a - 1 + q) / q
        point = mpmath.inf if threshold <= 0 else where(threshold)
        return max(mixed(point) - a * second(point), 0) if point != -mpmath.inf else mpmath.mpf(0)
    # q' > a p' iff p/q < (1/a - 1 + q)/q: right of a point.
    threshold = (1 / a - 1 + q) / q
    if threshold <= 0:
        return mpmath.mpf(0)
    point = where(threshold)
    if point == mpmath.inf:
        return mpmath.mpf(0)
    return max((1 - second(point)) - a * (1 - mixed(point)), 0)


def ends(value):
    """Both ends of a value."""
    return (value.lo, value.hi) if isinstance(value, Enclosure) else (value, value)


@pytest.mark.parametrize("name", ["gaussian", "laplace"])
@pytest.mark.parametrize("rate", RATES, ids=to_text)
@pytest.mark.parametrize("side", SIDES)
def test_hockey_stick_by_definition(name, rate, side):
    """The gain of the best event with mpmath, at levels on both sides of 1 and of the ends."""
    pair = PoissonSubsampled(BASES[name], rate)
    with mpmath.workdps(50):
        for level in LEVELS:
            expected = by_definition(name, rate, level_value(level), side)
            lo, hi = ends(pair.hockey_stick(level, side, 15))
            slack = mpmath.mpf(10) ** -40
            assert real(lo) - slack <= expected <= real(hi) + slack
            assert (hi - lo) * 10**15 <= hi


@pytest.mark.parametrize("side", SIDES)
def test_the_discrete_gaussian_against_its_table(side):
    """Masses from -80 to 80 as a finite table (what is left out is below 1e-300), subsampled by mixing the rows."""
    base, rate = BASES["discrete gaussian"], mpq(1, 5)
    with mpmath.workdps(60):
        weights = [mpmath.exp(-mpmath.mpf(z * z) / 8) for z in range(-83, 84)]
        total = sum(weights)
        cut = [mpq(int(w / total * 2**190), 2**190) for w in weights]
    p, q = [*cut, *[mpq(0)] * 3], [*[mpq(0)] * 3, *cut]
    mixed = [rate * x + (1 - rate) * y for x, y in zip(p, q, strict=True)]
    rows = [[*row, 1 - sum(row)] for row in (mixed, q)]
    table = Channel(rows)
    for level in (mpq(1, 2), mpq(1), mpq(6, 5), mpq(3)):
        lo, hi = ends(PoissonSubsampled(base, rate).hockey_stick(Level.rational(level), side, 15))
        assert lo - mpq(1, 2**160) <= hockey_stick(table, level, side) <= hi + mpq(1, 2**160)


@pytest.mark.parametrize("name", BASES)
@pytest.mark.parametrize("rate", RATES, ids=to_text)
@pytest.mark.parametrize("direction", [*SIDES, "both"])
@pytest.mark.parametrize("delta", [mpq(0), mpq(1, 10**6), mpq(1, 200)])
def test_epsilon_inverts_delta(name, rate, direction, delta):
    """The least epsilon is satisfied, anything below its enclosure is refuted."""
    pair = PoissonSubsampled(BASES[name], rate)
    least = pair.least_epsilon(delta, direction, 12)
    if isinstance(least, Level):
        assert pair.satisfies(least, delta, direction)
        if isinstance(least.value, mpq) and least.value > 1:
            assert not pair.satisfies(Level.rational(least.value - mpq(1, 10**6)), delta, direction)
        return
    assert pair.satisfies(Level.of_exponent(least.hi), delta, direction)
    assert not pair.satisfies(Level.of_exponent(least.lo), delta, direction)


@pytest.mark.parametrize("name", BASES)
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("alpha", [mpq(1, 1000), mpq(1, 10), mpq(1, 2), mpq(999, 1000)])
def test_the_trade_off_function_touches_its_lines(name, side, alpha):
    """T(alpha) is at least every line 1 - D_h - h·alpha, and the lines near its slope come close."""
    pair = PoissonSubsampled(BASES[name], mpq(1, 5))
    other = "backward" if side == "forward" else "forward"
    lo, hi = ends(pair.beta(alpha, side, 15))
    step = mpq(1, 10**4)
    before, after = (ends(pair.beta(alpha + s * alpha * (1 - alpha) * step, side, 25)) for s in (-1, 1))
    slope = (before[0] - after[0]) / (2 * alpha * (1 - alpha) * step)
    lines = []
    for h in (slope, slope * mpq(9, 10), slope * mpq(11, 10), mpq(1)):
        value = ends(pair.hockey_stick(Level.rational(h), other, 20))
        assert 1 - value[0] - h * alpha >= 1 - value[1] - h * alpha
        assert 1 - value[1] - h * alpha <= hi
        lines.append(1 - value[1] - h * alpha)
    assert lo - max(lines) <= mpq(1, 10**4)


def test_the_two_trade_off_functions_are_inverse():
    """T(P, Q') after T(Q', P) is the identity."""
    pair = PoissonSubsampled(Gaussian.of(mpq(1)), mpq(1, 3))
    alpha = mpq(1, 7)
    beta = pair.beta(alpha, "backward", 30)
    low, high = (pair.beta(end, "forward", 20) for end in (beta.hi, beta.lo))
    assert low.lo <= alpha <= high.hi
    assert high.hi - low.lo < mpq(1, 10**15)


def test_exact_decisions():
    """Where the base decides: Laplace at its own level, and the bound 1/(1-q) on adding a record."""
    pair = PoissonSubsampled(Laplace(mpq(1)), mpq(1, 4))
    # At e^(1/2) neither way is within reach of a rational bound; at the bound of a Gaussian it is an equality.
    gaussian = PoissonSubsampled(Gaussian.of(mpq(1)), mpq(1, 4))
    assert gaussian.least_epsilon(mpq(0), "backward") == Level.rational(mpq(4, 3))
    assert gaussian.hockey_stick(Level.rational(mpq(4, 3)), "backward") == 0
    assert not gaussian.satisfies(Level.rational(mpq(4, 3) - mpq(1, 10**50)), mpq(0), "backward")
    assert gaussian.hockey_stick(Level.rational(mpq(1, 2)), "forward") == mpq(1, 2)
    assert gaussian.least_epsilon(mpq(0), "forward") == Level.infinite()
    assert pair.hockey_stick(Level.rational(2), "forward") == 0
    assert pair.hockey_stick(Level.of_exponent(mpq(1)), "both") == 0
    assert pair.hockey_stick(Level.infinite(), "both") == 0
    least = pair.least_epsilon(mpq(0), "forward", 20)
    with mpmath.workdps(40):
        assert real(least.lo) <= mpmath.log(1 + (mpmath.e - 1) / 4) <= real(least.hi)


def test_subsampling_twice_is_once_with_the_product():
    """Rates multiply; rate 1 changes nothing."""
    base = Laplace(mpq(1))
    twice = poisson_subsampled(poisson_subsampled(base, mpq(1, 2)), mpq(1, 3))
    assert isinstance(twice, PoissonSubsampled)
    assert (twice.base, twice.rate) == (base, mpq(1, 6))
    assert poisson_subsampled(base, mpq(1)) is base
    with pytest.raises(InputError, match="rate"):
        PoissonSubsampled(base, mpq(0))


@pytest.mark.parametrize("order", [2, 3, 6])
def test_renyi_moments_forward(order):
    """E_Q[((1-q) + q P/Q)^n] by quadrature; infinite order is the largest loss; other orders are declined."""
    pair = PoissonSubsampled(Gaussian.of(mpq(1)), mpq(1, 5))
    with mpmath.workdps(30):
        q = mpmath.mpf(1) / 5
        expected = mpmath.quad(
            lambda x: mpmath.npdf(x, 1) * (1 - q + q * mpmath.npdf(x, 0) / mpmath.npdf(x, 1)) ** order,
            [-40, -20, -10, -5, 0, 5, 10, 20],
        )
        moment = pair.renyi(mpq(order)).moment
        assert (
            real(moment.lo) * (1 - mpmath.mpf(10) ** -20) <= expected <= real(moment.hi) * (1 + mpmath.mpf(10) ** -20)
        )
    assert pair.renyi(INFINITY).divergence == INFINITY
    assert ends(pair.renyi(INFINITY, "backward").divergence)[0] > 0
    for bad, direction in ((mpq(3, 2), "forward"), (mpq(2), "backward"), (mpq(1001), "forward")):
        with pytest.raises(Declined):
            pair.renyi(bad, direction)


def test_expression():
    """The pair says which mechanism it is."""
    pair = PoissonSubsampled(Gaussian.of(mpq(1, 2)), mpq(1, 5))
    assert pair.to_json() == {
        "mechanism": "poisson_subsample",
        "rate": "1/5",
        "neighbours": "add_remove",
        "of": {"mechanism": "gaussian", "sigma": "2"},
    }
    assert not pair.symmetric


def test_renyi_of_a_subsampled_gaussian_has_the_digits_asked_for() -> None:
    """Order 2 is 1 + rate² (e^(1/sigma²) - 1), also where the moment is hardly above 1."""
    for sigma, digits in (("1", 30), ("1000000", 12)):
        of = {"mechanism": "gaussian", "sigma": sigma}
        channel = {"mechanism": "poisson_subsample", "rate": "1/5", "neighbours": "add_remove", "of": of}
        request = {"id": 1, "op": "renyi", "args": {"channel": channel, "order": "2", "digits": digits}}
        reply = answer(request)
        assert "reached" not in reply
        divergence = reply["value"]["divergence"]
        lo, hi = Fraction(divergence["lo"]), Fraction(divergence["hi"])
        assert 0 < lo <= hi <= lo * (1 + Fraction(1, 10**digits))
        with mpmath.workdps(60):
            truth = mpmath.log1p(mpmath.expm1(1 / mpmath.mpf(sigma) ** 2) / 25)
            assert mpmath.mpf(divergence["lo"]) <= truth <= mpmath.mpf(divergence["hi"])
