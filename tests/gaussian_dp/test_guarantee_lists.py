"""Lists of guarantees: naive, refined and implied profiles against each other and the least upper bound's channel."""

from __future__ import annotations

import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle.channels.divergences import hockey_stick
from oracle.enclosures import Enclosure
from oracle.errors import InputError
from oracle.exact import INFINITY
from oracle.gaussian_dp.guarantee_lists import GuaranteeList
from oracle.gaussian_dp.profile import mu_gdp
from oracle.levels import Level

L = Level.rational
PAIR = st.tuples(st.fractions(1, 8, max_denominator=6), st.fractions(0, 1, max_denominator=8))


def listed(*pairs):
    """A list at rational levels."""
    return GuaranteeList([(L(mpq(a)), mpq(delta)) for a, delta in pairs])


def test_all_three_differ():
    """(log 2, 1/4) and (log 5, 0) imply (log 3, 1/6); one alone implies 1/4."""
    guarantees = listed((2, mpq(1, 4)), (5, 0))
    assert guarantees.naive(L(3)) == guarantees.refined(L(3)) == mpq(1, 4)
    assert guarantees.implied(L(3)) == mpq(1, 6)
    assert guarantees.naive(L(1)) == 1
    assert guarantees.refined(L(1)) == guarantees.implied(L(1)) == mpq(1, 2)


@settings(max_examples=60, deadline=None)
@given(pairs=st.lists(PAIR, min_size=1, max_size=5), a=st.fractions(1, 10, max_denominator=7))
def test_implied_is_the_profile_of_the_least_upper_bound(pairs, a):
    """Two ways: the hull in e^eps, and the hockey sticks of the channel; and the order of the three."""
    guarantees = listed(*pairs)
    level = L(mpq(a))
    channel = guarantees.channel()
    found = guarantees.implied(level)
    assert found == max(hockey_stick(channel, mpq(a), side) for side in ("forward", "backward"))
    assert found <= guarantees.refined(level) <= guarantees.naive(level)


def test_the_order_and_repetitions_do_not_matter():
    """What another one implies naively is dropped."""
    one = listed((5, 0), (2, mpq(1, 4)), (3, mpq(1, 4)), (2, mpq(1, 2)))
    assert [g.delta for g in one.guarantees] == [mpq(1, 4), mpq(0)]


def test_transcendental_levels():
    """Exact at the guarantees themselves, enclosures between, around the value of nearby rational levels."""
    guarantees = GuaranteeList([(Level.of_exponent(1), mpq(1, 4)), (Level.of_exponent(2), mpq(0))])
    assert guarantees.implied(Level.of_exponent(1)) == guarantees.naive(Level.of_exponent(1)) == mpq(1, 4)
    assert guarantees.implied(Level.of_exponent(3)) == 0
    middle = guarantees.implied(Level.of_exponent(mpq(3, 2)), 25)
    assert isinstance(middle, Enclosure)
    close = listed((mpq("2.71828182845904"), mpq(1, 4)), (mpq("7.389056098930650"), 0))
    assert abs(close.implied(L(mpq("4.48168907033806"))) - middle.lo) < mpq(1, 10**12)
    refined = guarantees.refined(Level.of_exponent(mpq(1, 2)), 20)
    assert refined.overlaps(guarantees.implied(Level.of_exponent(mpq(1, 2)), 20))


def test_stated_profiles_may_contradict_themselves():
    """A value above the chord of two others, above what one implies by symmetry, or one that increases."""
    one, two, five = L(1), L(2), L(5)
    good = GuaranteeList.of_profile([(one, mpq(1, 2)), (two, mpq(1, 4)), (five, mpq(0))])
    assert good.implied(L(3)) == mpq(1, 6)
    for values in (
        [(one, mpq(3, 4)), (two, mpq(1, 4))],
        [(two, mpq(1, 4)), (L(3), mpq(1, 5)), (five, mpq(0))],
        [(one, mpq(1, 4)), (two, mpq(1, 2))],
        [(Level.of_exponent(1), mpq(1, 2)), (Level.of_exponent(2), mpq(49, 100)), (Level.of_exponent(3), mpq(0))],
    ):
        with pytest.raises(InputError, match="that the other values allow"):
            GuaranteeList.of_profile(values)


def test_infinite_levels():
    """The last delta."""
    guarantees = GuaranteeList([(L(2), mpq(1, 4)), (Level.infinite(), mpq(0))])
    assert guarantees.implied(Level.infinite()) == guarantees.naive(Level.infinite()) == 0
    assert guarantees.implied(L(50)) == mpq(1, 4)


def test_tight_mu():
    """One pure guarantee gives -2 Phi^(-1)(1/(1 + a)), a delta that stays above 0 no mu."""
    one = listed((3, 0)).tight_mu(20)
    assert one.overlaps(mu_gdp(L(1), mpq(1, 2), 20))
    assert listed((2, mpq(1, 4)), (5, 0)).tight_mu(20).hi < listed((5, 0)).tight_mu(20).lo
    assert listed((2, mpq(1, 4))).tight_mu() == INFINITY


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: GuaranteeList([]), "at least one"),
        (lambda: listed((mpq(1, 2), 0)), "epsilon at least 0"),
        (lambda: listed((2, 2)), "delta"),
        (lambda: listed((2, 0)).naive(L(mpq(1, 2))), "epsilon at least 0"),
    ],
)
def test_bad_input(make, message):
    """No guarantee, epsilon below 0, delta outside [0, 1]."""
    with pytest.raises(InputError, match=message):
        make()
