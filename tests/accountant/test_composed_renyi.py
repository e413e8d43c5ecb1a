"""Rényi values and bounds of mu of compositions: against the composed channel, closed forms, and each other."""

from __future__ import annotations

import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle.accountant.composed_renyi import composed_mu_upper, composed_renyi, mu_lower_from_point
from oracle.channels.channel import Channel
from oracle.channels.composition import compose
from oracle.channels.renyi import renyi
from oracle.enclosures import Enclosure
from oracle.errors import InputError
from oracle.exact import INFINITY
from oracle.experiments.gaussian import Gaussian
from oracle.experiments.laplace import Laplace
from oracle.laws.strategies import two_row_channels
from oracle.levels import Level

GENERIC = Channel([["1/2", "1/3", "1/6"], ["1/7", "2/7", "4/7"]])
APPROXIMATE = Channel([["1/10", "6/10", "3/10", "0"], ["0", "3/10", "6/10", "1/10"]])
parts = st.lists(st.tuples(two_row_channels(2), st.integers(0, 3)), max_size=2)


def same(x, y) -> bool:
    """Equal exact values, overlapping enclosures."""
    if isinstance(x, Enclosure) or isinstance(y, Enclosure):
        (a, b), (c, d) = ((v.lo, v.hi) if isinstance(v, Enclosure) else (v, v) for v in (x, y))
        return a <= d and c <= b
    return x == y


@given(parts, st.sampled_from([mpq(1, 2), mpq(1), mpq(2), mpq(5, 2), mpq(4), INFINITY]))
@settings(max_examples=25)
def test_finite_channels_against_their_composition(of, order):
    """Moments exactly, divergences by overlap, in every direction."""
    table = compose(of)
    for direction in ("forward", "backward", "both"):
        found, expected = composed_renyi(of, order, direction), renyi(table, order, direction)
        assert same(found.moment, expected.moment)
        if expected.divergence is not None:
            assert same(found.divergence, expected.divergence)


def test_the_larger_direction_is_taken_after_composing():
    """One step is larger forward, the other backward; the sum of the larger ones would be too large."""
    of = [(GENERIC, 1), (GENERIC.swapped(), 1)]
    both, forward = composed_renyi(of, mpq(3), "both"), composed_renyi(of, mpq(3), "forward")
    assert both.moment == forward.moment
    single = [renyi(GENERIC, mpq(3), side).moment for side in ("forward", "backward")]
    assert forward.moment == single[0] * single[1]
    assert both.moment < max(single) ** 2


def test_gaussian_and_laplace_steps():
    """Divergences of Gaussian pairs are exact, and add to enclosures of others."""
    assert composed_renyi([(Gaussian(mpq(2)), 5)], mpq(3)).divergence == 15
    mixed = composed_renyi([(Gaussian(mpq(2)), 5), (Laplace(mpq(1)), 4)], mpq(3), "both", 20)
    one = Laplace(mpq(1)).renyi(mpq(3), "both", 30).divergence
    assert isinstance(one, Enclosure)
    assert same(mixed.divergence, Enclosure(15 + 4 * one.lo, 15 + 4 * one.hi))
    assert mixed.divergence.width * mpq(10) ** 20 <= mixed.divergence.hi


def test_a_moment_too_long_to_be_exact_is_enclosed():
    """The moment of order 2 of a million steps, to the digits asked for."""
    found = composed_renyi([(Channel([["50001/100000", "49999/100000"], ["1/2", "1/2"]]), 10**6)], mpq(2)).moment
    assert isinstance(found, Enclosure)
    assert found.width * mpq(10) ** 12 <= found.hi
    base = 1 + mpq(4, 10**10)
    assert found.lo > (base**1000) ** 2
    assert found.hi < mpq(10005, 10000)


def test_infinite_losses_make_orders_from_1_on_infinite():
    """Below 1 they count nothing."""
    of = [(APPROXIMATE, 2), (Gaussian(mpq(1)), 1)]
    assert composed_renyi(of, mpq(2)).moment == INFINITY
    assert composed_renyi(of, mpq(1)).divergence == INFINITY
    assert isinstance(composed_renyi(of, mpq(1, 2)).divergence, Enclosure)


def test_nothing_composed():
    """Moment 1, divergence 0."""
    assert composed_renyi([], mpq(2)) == (mpq(1), mpq(0))
    assert composed_renyi([(GENERIC, 0)], mpq(1, 2)).divergence == 0


@pytest.mark.parametrize("call", [lambda: composed_renyi([], mpq(0)), lambda: composed_renyi([(GENERIC, -1)], mpq(2))])
def test_what_is_refused(call):
    """Orders that are not positive, negative numbers of times."""
    with pytest.raises(InputError):
        call()


def test_mu_of_a_composition_from_above():
    """The root of the sum of squares, exact where it is rational; enclosures count with their upper ends."""
    assert composed_mu_upper([(mpq(3), 1), (mpq(2), 4)]) == 5
    found = composed_mu_upper([(mpq(1), 2)])
    assert isinstance(found, Enclosure)
    assert found.lo**2 <= 2 <= found.hi**2
    assert composed_mu_upper([(Enclosure(mpq(1), mpq(2)), 4)]) == 4
    with pytest.raises(InputError):
        composed_mu_upper([(mpq(-1), 1)])


@given(
    st.fractions(min_value="1/5", max_value=4, max_denominator=10).map(mpq),
    st.fractions(min_value=-1, max_value=3, max_denominator=10).map(mpq),
)
@settings(max_examples=40)
def test_mu_from_a_point_of_a_gaussian_profile_is_its_own(theta, epsilon):
    """The root of D_a(mu) = delta between two enclosures of delta contains theta."""
    level = Level.of_exponent(epsilon)
    value = Gaussian.of(theta).hockey_stick(level, "forward", 30)
    assert isinstance(value, Enclosure)
    low, high = (mu_lower_from_point(level, d) for d in (value.lo, value.hi))
    assert (low.lo if isinstance(low, Enclosure) else low) <= theta
    assert theta <= (high.hi if isinstance(high, Enclosure) else high)


def test_mu_from_a_point_that_says_nothing():
    """A delta of at most max(0, 1 - a) holds of the pair P = Q."""
    assert mu_lower_from_point(Level.rational(2), mpq(0)) == 0
    assert mu_lower_from_point(Level.rational(mpq(1, 4)), mpq(3, 4)) == 0
    with pytest.raises(InputError):
        mu_lower_from_point(Level.rational(2), mpq(1))
    with pytest.raises(InputError):
        mu_lower_from_point(Level.infinite(), mpq(1, 2))


def test_the_ends_of_mu_of_a_composition_are_in_order():
    """Ten Gaussian steps: every point gives the root of the sum of squares, within the enclosures."""
    mu = mpq(1, 2)
    upper = composed_mu_upper([(mu, 10)])
    composed = Gaussian(10 * mu * mu)
    for epsilon in (mpq(0), mpq(1), mpq(3)):
        value = composed.hockey_stick(Level.of_exponent(epsilon))
        assert isinstance(value, Enclosure)
        low = mu_lower_from_point(Level.of_exponent(epsilon), value.lo)
        assert isinstance(low, Enclosure)
        assert isinstance(upper, Enclosure)
        assert low.lo <= upper.hi
        assert upper.lo - low.lo < mpq(1, 10**8)
