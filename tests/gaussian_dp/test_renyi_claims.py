"""Rényi divergences of one order against an epsilon, by mpmath and in the exact cases."""

from __future__ import annotations

import mpmath
import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle.channels.channel import Channel
from oracle.channels.formal_channel import FormalChannel
from oracle.enclosures import Enclosure
from oracle.errors import Declined, InputError
from oracle.exact import INFINITY
from oracle.gaussian_dp.renyi_claims import compare_renyi, divergence_value
from oracle.levels import Level
from oracle.operations import pair_of
from tests.experiments.reference import as_mpq, real
from tests.gaussian_dp.test_concentrated import RESPONSE, WEIGHTS, channel

ORDERS = st.sampled_from([mpq(1, 2), mpq(9, 10), mpq(1), mpq(3, 2), mpq(2), mpq(7), mpq(300), INFINITY])
ONE_SIDED = Channel([[mpq(1, 2), mpq(1, 2), mpq(0)], [mpq(1, 2), mpq(1, 4), mpq(1, 4)]])


def reference(pair: Channel, order, side):
    """D_a by its definition, to 30 digits."""
    p, q = pair.rows if side == "forward" else pair.rows[::-1]
    with mpmath.workdps(60):
        both = [(real(x), real(y)) for x, y in zip(p, q, strict=True)]
        if order is INFINITY:
            return as_mpq(mpmath.log(max(x / y for x, y in both)))
        if order == 1:
            return as_mpq(mpmath.fsum(x * mpmath.log(x / y) for x, y in both))
        a = real(order)
        return as_mpq(mpmath.log(mpmath.fsum(x**a * y ** (1 - a) for x, y in both)) / (a - 1))


@settings(deadline=None, max_examples=60)
@given(WEIGHTS, ORDERS, st.sampled_from(["forward", "backward"]), st.booleans())
def test_the_sign_on_both_sides_of_the_divergence(columns, order, side, formal):
    """Just above it the claim holds, just below it does not; the value is enclosed."""
    pair = channel(columns)
    truth = reference(pair, order, side)
    given_pair = FormalChannel.from_channel(pair) if formal else pair
    value = divergence_value(given_pair, order, side, 15)
    if pair.rows[0] == pair.rows[1]:
        assert value == 0
        assert compare_renyi(given_pair, order, Level.rational(1), side).sign == 0
        return
    assert value.lo - mpq(1, 10**25) <= truth <= value.hi + mpq(1, 10**25)
    assert compare_renyi(given_pair, order, Level.of_exponent(truth * mpq(1001, 1000)), side).sign == -1
    assert compare_renyi(given_pair, order, Level.of_exponent(truth * mpq(999, 1000)), side).sign == 1


@pytest.mark.parametrize("pair", [RESPONSE, FormalChannel.from_channel(RESPONSE)], ids=["rational", "formal"])
def test_equality_at_order_infinity_is_exact(pair):
    """The largest p/q is 3."""
    assert compare_renyi(pair, INFINITY, Level.rational(3), "forward").sign == 0
    assert compare_renyi(pair, INFINITY, Level.rational(mpq(299, 100)), "forward").sign == 1


def test_equality_of_whole_orders_is_exact():
    """M_2 = 7/3 and M_3 = 61/9 of randomized response at 3, so e^eps = 7/3 and e^(2 eps) = 61/9."""
    assert compare_renyi(RESPONSE, mpq(2), Level.rational(mpq(7, 3)), "forward").sign == 0
    assert compare_renyi(RESPONSE, mpq(3), Level.rational(mpq(13, 5)), "forward").sign == 1
    assert compare_renyi(RESPONSE, mpq(3), Level.rational(mpq(53, 20)), "forward").sign == -1
    assert compare_renyi(RESPONSE, mpq(3), Level.rational(mpq(13, 5)), "forward").bits == 0


def test_an_irrational_equality_is_undecided():
    """D_1 = (log 3)/2 is log √3, no rational level."""
    assert compare_renyi(RESPONSE, mpq(1), Level.of_exponent(mpq(549306144334, 10**12)), "forward").sign == 1
    with mpmath.workdps(5100):
        epsilon = as_mpq(mpmath.log(3) / 2)
    assert compare_renyi(RESPONSE, mpq(1), Level.of_exponent(epsilon), "forward").sign is None


def test_infinite_divergences():
    """An outcome p > 0 = q from order 1 on; below order 1 the shared outcomes count; disjoint laws always."""
    assert compare_renyi(ONE_SIDED, mpq(2), Level.rational(10**9), "backward").sign == 1
    assert compare_renyi(ONE_SIDED, INFINITY, Level.rational(10**9), "backward").sign == 1
    assert compare_renyi(ONE_SIDED, mpq(1, 2), Level.rational(10**9), "backward").sign == -1
    assert compare_renyi(ONE_SIDED, mpq(2), Level.infinite(), "backward").sign == -1
    disjoint = Channel([[mpq(1), mpq(0)], [mpq(0), mpq(1)]])
    assert compare_renyi(disjoint, mpq(1, 2), Level.rational(10**9), "forward").sign == 1
    assert divergence_value(ONE_SIDED, mpq(2), "backward") is INFINITY


@pytest.mark.parametrize(
    ("mechanism", "order", "epsilon", "sign"),
    [
        ({"mechanism": "gaussian", "sigma": "1"}, mpq(3), mpq(3, 2), 0),
        ({"mechanism": "gaussian", "sigma": "1"}, mpq(3), mpq(149, 100), 1),
        ({"mechanism": "gaussian", "sigma": "1"}, mpq(1, 2), mpq(1, 2), -1),
        ({"mechanism": "gaussian", "sigma": "1"}, INFINITY, mpq(100), 1),
        ({"mechanism": "laplace", "scale": "2"}, INFINITY, mpq(1, 2), 0),
        ({"mechanism": "laplace", "scale": "1"}, mpq(1), mpq("0.3678794"), 1),
        ({"mechanism": "laplace", "scale": "1"}, mpq(1), mpq("0.3678795"), -1),
        ({"mechanism": "discrete_gaussian", "sigma": "1"}, mpq(2), mpq(1), 0),
    ],
    ids=str,
)
def test_experiments(mechanism, order, epsilon, sign):
    """Exact where the divergence is rational, proved enclosures elsewhere."""
    assert compare_renyi(pair_of(mechanism), order, Level.of_exponent(epsilon), "forward").sign == sign


def test_a_rational_divergence_against_a_rational_level():
    """D_2 = 1 of N(0, 1), N(1, 1) against log 2 and log 3."""
    pair = pair_of({"mechanism": "gaussian", "sigma": "1"})
    assert compare_renyi(pair, mpq(2), Level.rational(2), "forward").sign == 1
    assert compare_renyi(pair, mpq(2), Level.rational(3), "forward").sign == -1


def test_what_is_wrong_or_not_offered():
    """Orders from 0 down are refused; backward orders of a subsampled pair are declined."""
    with pytest.raises(InputError, match="an order above 0"):
        compare_renyi(RESPONSE, mpq(0), Level.rational(2), "forward")
    sampled = pair_of(
        {
            "mechanism": "poisson_subsample",
            "neighbours": "add_remove",
            "rate": "1/2",
            "of": {"mechanism": "gaussian", "sigma": "1"},
        }
    )
    assert compare_renyi(sampled, mpq(2), Level.rational(2), "forward").sign == -1
    with pytest.raises(Declined):
        compare_renyi(sampled, mpq(2), Level.rational(2), "backward")


def test_values_through_the_moment():
    """A rational whole order states the moment; the divergence is its logarithm."""
    found = divergence_value(RESPONSE, mpq(2), "forward", 20)
    assert isinstance(found, Enclosure)
    with mpmath.workdps(40):
        truth = as_mpq(mpmath.log(mpmath.mpf(7) / 3))
    assert found.lo <= truth <= found.hi
    assert found.width * mpq(10) ** 20 <= found.hi
