"""Bounds of a pair: against the theorem's sum from independent profiles, exact where rational, never refuting."""

from __future__ import annotations

import mpmath
import pytest
from gmpy2 import mpq

from oracle.channels.channel import Channel
from oracle.channels.formal_channel import FormalChannel
from oracle.enclosures import Enclosure
from oracle.errors import Declined, LimitError
from oracle.exact import INFINITY
from oracle.experiments.gaussian import Gaussian
from oracle.experiments.laplace import Laplace
from oracle.formal import FormalSum
from oracle.levels import Level
from oracle.theorems.bounds import MAX_GROUPS, ProfileBound
from oracle.theorems.subsampling import poisson, with_replacement, without_replacement

RESPONSE = Channel([["3/4", "1/4"], ["1/4", "3/4"]])
E_RESPONSE = FormalChannel(
    [[FormalSum.exp(mpq(1)), FormalSum.rational(1)], [FormalSum.rational(1), FormalSum.exp(mpq(1))]]
)
THEOREMS = [
    without_replacement(10, 2, "substitute"),
    with_replacement(10, 3, "substitute"),
    with_replacement(7, 2, "add_remove"),
    poisson(mpq(1, 5), "substitute"),
]
LEVELS = [mpq(1, 3), mpq(1), mpq(11, 10), mpq(3, 2), mpq(2), mpq(9)]


def real(x):
    """A rational as a number of mpmath."""
    return mpmath.mpf(int(x.numerator)) / int(x.denominator)


def delta_of(pair, a):
    """The larger hockey stick of a base pair at a >= 1, from the textbook formula."""
    if isinstance(pair, Channel):
        return max(mpmath.mpf(3) / 4 - a / 4, 0)
    if isinstance(pair, FormalChannel):
        return max((mpmath.e - a) / (mpmath.e + 1), 0)
    theta = real(pair.theta)
    eps = mpmath.log(a)
    if isinstance(pair, Laplace):
        return max(1 - mpmath.exp((eps - theta) / 2), 0) if a < mpmath.exp(theta) else mpmath.mpf(0)
    return mpmath.ncdf(theta / 2 - eps / theta) - a * mpmath.ncdf(-theta / 2 - eps / theta)


def by_formula(theorem, pair, noise, raised):
    """The sum of the theorem at a' >= 1 with mpmath."""
    eta = real(theorem.eta)
    a = 1 + (raised - 1) / eta
    b = raised / a
    total = mpmath.mpf(0)
    for k in range(1, theorem.groups + 1):
        weight = (eta * (1 - b), eta * b)[k - 1] if theorem.rule == "split" else real(theorem.weight(k))
        if k == 1 or noise is not None:
            delta = delta_of(pair if k == 1 else noise(k), a)
        else:
            root = a ** (mpmath.mpf(1) / k)
            delta = min(sum(root**i for i in range(k)) * delta_of(pair, root), 1)
        total += weight * delta
    return total


PAIRS = {
    "response": (RESPONSE, None),
    "response at epsilon 1": (E_RESPONSE, None),
    "gaussian": (Gaussian.of(mpq(1)), lambda k: Gaussian.of(mpq(k))),
    "laplace": (Laplace(mpq(2)), lambda k: Laplace(mpq(2 * k))),
    "laplace, black-box": (Laplace(mpq(2)), None),
}


@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.parametrize("theorem", THEOREMS, ids=lambda t: f"{t.theorem} {t.groups}")
def test_the_bound_is_the_sum_of_the_theorem(theorem, name):
    """At every level, below 1 through D_a(P‖Q) = 1 - a + a D_{1/a}(Q‖P); rationals are exact, others enclosed."""
    pair, noise = PAIRS[name]
    bound = ProfileBound(theorem, pair, noise, {})
    with mpmath.workdps(40):
        for level in LEVELS:
            a = real(level)
            value = by_formula(theorem, pair, noise, max(a, 1 / a))
            expected = value if level >= 1 else 1 - a + a * value
            found = bound.hockey_stick(Level.rational(level), "both", 15)
            lo, hi = (found.lo, found.hi) if isinstance(found, Enclosure) else (found, found)
            slack = mpmath.mpf(10) ** -30
            assert real(lo) - slack <= expected <= real(hi) + slack
            assert (hi - lo) * 10**15 <= hi


@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.parametrize("theorem", THEOREMS, ids=lambda t: f"{t.theorem} {t.groups}")
@pytest.mark.parametrize("delta", [mpq(0), mpq(1, 10**6), mpq(1, 50)])
def test_epsilon_inverts_delta(theorem, name, delta):
    """At the epsilon answered the bound is at most delta; just below, it is more."""
    bound = ProfileBound(theorem, *PAIRS[name], {})
    least = bound.least_epsilon(delta, "both", 15)
    if isinstance(least, Level):
        if least.is_infinite:
            assert delta == 0
            return
        above, below = least, least.bracket(60)[0] - mpq(1, 10**9)
        below_level = Level.rational(max(below, mpq(1)))
    else:
        above, below_level = Level.of_exponent(least.hi), Level.of_exponent(least.lo)
    value = bound.bound(above, 15)
    assert (value.lo if isinstance(value, Enclosure) else value) <= delta + mpq(1, 10**14)
    if below_level.compare(1) > 0:
        under = bound.bound(below_level, 15)
        assert (under.hi if isinstance(under, Enclosure) else under) > delta


def test_exact_values():
    """Rational wherever every root is: theorem 9 always, theorem 10 at epsilon 0, at perfect powers, in the limit."""
    ninth = ProfileBound(THEOREMS[0], RESPONSE, None, {})
    assert ninth.bound(Level.rational(mpq(11, 10))) == mpq(3, 40)
    assert ninth.least_epsilon(mpq(0)) == Level.rational(mpq(7, 5))
    tenth = ProfileBound(with_replacement(2, 2, "substitute"), RESPONSE, None, {})
    # a = 9/4: w = (1/2, 1/4), delta_1(9/4) = 3/16, delta_2 = (1 + 3/2)·delta_1(3/2) = 15/16.
    assert tenth.bound(Level.rational(1 + mpq(3, 4) * mpq(5, 4))) == mpq(1, 2) * mpq(3, 16) + mpq(1, 4) * mpq(15, 16)
    assert tenth.bound(Level.rational(1)) == mpq(1, 2) * mpq(1, 2) + mpq(1, 4)
    assert tenth.bound(Level.infinite()) == 0
    assert tenth.bound(Level.rational(0)) == 1
    assert ProfileBound(without_replacement(3, 0, "substitute"), RESPONSE, None, {}).bound(Level.rational(1)) == 0


def test_a_bound_proves_and_never_refutes():
    """A claim that the bound covers is proved; any other is declined."""
    bound = ProfileBound(THEOREMS[0], RESPONSE, None, {"mechanism": "x"})
    (check,) = bound.checks(Level.rational(mpq(7, 5)), mpq(0))
    assert check.holds is True
    with pytest.raises(Declined, match="proves and refutes nothing"):
        bound.checks(Level.rational(mpq(6, 5)), mpq(0))
    assert bound.to_json() == {"mechanism": "x"}


def test_what_is_declined():
    """One direction, trade-off functions, Rényi divergences, a bound as a base, too many groups."""
    bound = ProfileBound(THEOREMS[0], RESPONSE, None, {})
    for call in (
        lambda: bound.hockey_stick(Level.rational(1), "forward"),
        lambda: bound.least_epsilon(mpq(0), "backward"),
        lambda: bound.beta(mpq(1, 2)),
        lambda: bound.renyi(INFINITY),
        lambda: bound.singular_mass("forward"),
    ):
        with pytest.raises(Declined):
            call()
    with pytest.raises(LimitError, match=str(MAX_GROUPS)):
        ProfileBound(with_replacement(10, MAX_GROUPS + 1, "substitute"), RESPONSE, None, {})
