"""The order of guarantees against the worst-case channels and a grid of implied deltas."""

from __future__ import annotations

import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle.channels.channel import Channel
from oracle.channels.divergences import hockey_stick
from oracle.channels.formal_channel import FormalChannel
from oracle.enclosures import Enclosure
from oracle.errors import InputError
from oracle.gaussian_dp.guarantee_order import Guarantee, compare_levels, implied_delta, implies, worst_case
from oracle.levels import Level

RELATIONS = pytest.mark.parametrize("relation", ["symmetric", "one-sided"])
L = Level.rational


def guarantee(a, delta):
    """The guarantee at a rational level."""
    return Guarantee(L(mpq(a)), mpq(delta))


def largest(channel, a, relation):
    """The divergence that the relation bounds."""
    forward = hockey_stick(channel, a, "forward")
    return max(forward, hockey_stick(channel, a, "backward")) if relation == "symmetric" else forward


@RELATIONS
@settings(max_examples=40, deadline=None)
@given(
    a0=st.fractions(1, 9, max_denominator=12),
    delta0=st.fractions(0, 1, max_denominator=12),
    a=st.fractions(1, 9, max_denominator=12),
)
def test_the_worst_case_attains_the_implied_delta(relation, a0, delta0, a):
    """Exactly, so that nothing smaller is implied."""
    given_one = guarantee(a0, delta0)
    least = implied_delta(given_one, L(mpq(a)), relation)
    assert least == largest(worst_case(given_one, relation), mpq(a), relation)
    assert implies(given_one, Guarantee(L(mpq(a)), least), relation)
    if least > 0:
        assert not implies(given_one, Guarantee(L(mpq(a)), least * mpq(999, 1000)), relation)


@RELATIONS
@settings(max_examples=40, deadline=None)
@given(weights=st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=2, max_size=5))
def test_every_channel_obeys_what_its_guarantees_imply(relation, weights):
    """The divergence at a is at most what the divergence at a0 implies."""
    rows = [[w[i] for w in weights] for i in (0, 1)]
    if not all(map(sum, rows)):
        return
    channel = Channel([[mpq(x, sum(row)) for x in row] for row in rows])
    for a0 in (mpq(1), mpq(3, 2), mpq(4)):
        have = Guarantee(L(a0), largest(channel, a0, relation))
        for a in (mpq(1), mpq(5, 4), mpq(2), mpq(5)):
            assert largest(channel, a, relation) <= implied_delta(have, L(a), relation)


def test_one_sided_guarantees_imply_less():
    """The channel (1, 0), (1/3, 2/3) has D_3 = 0 and D_1 = 2/3, more than the symmetric 1/2."""
    assert implied_delta(guarantee(3, 0), L(1)) == mpq(1, 2)
    assert implied_delta(guarantee(3, 0), L(1), "one-sided") == mpq(2, 3)
    channel = Channel([[1, 0], [mpq(1, 3), mpq(2, 3)]])
    assert hockey_stick(channel, mpq(3)) == 0
    assert hockey_stick(channel, mpq(1)) == mpq(2, 3)
    assert not implies(guarantee(3, 0), guarantee(1, mpq(1, 2)), "one-sided")


@RELATIONS
def test_transcendental_levels_are_decided_exactly(relation):
    """Equality with an irrational right-hand side, at the same level, and enclosures in between."""
    one = Level.of_exponent(1)
    have = Guarantee(one, mpq(1, 3))
    assert implies(have, have, relation)
    assert implied_delta(have, Level.of_exponent(2), relation) == mpq(1, 3)
    found = implied_delta(have, Level.of_exponent(mpq(1, 2)), relation, 30)
    assert isinstance(found, Enclosure)
    assert implies(have, Guarantee(Level.of_exponent(mpq(1, 2)), found.hi), relation)
    assert not implies(have, Guarantee(Level.of_exponent(mpq(1, 2)), found.lo - mpq(1, 10**30)), relation)
    assert isinstance(worst_case(have, relation), FormalChannel)
    assert implied_delta(guarantee(3, 0), one, relation).lo > implied_delta(guarantee(mpq(29, 10), 0), one, relation).hi


@RELATIONS
def test_infinite_levels(relation):
    """A guarantee at infinity says nothing at finite levels, and any implies one there."""
    infinite = Guarantee(Level.infinite(), mpq(1, 4))
    assert implied_delta(infinite, L(100), relation) == 1
    assert implied_delta(infinite, Level.infinite(), relation) == mpq(1, 4)
    assert implied_delta(guarantee(3, mpq(1, 10)), Level.infinite(), relation) == mpq(1, 10)


def test_levels_are_ordered():
    """Rational, transcendental and infinite ones."""
    order = [L(1), Level.of_exponent(mpq(1, 2)), L(2), L(mpq(27, 10)), Level.of_exponent(1), L(3), Level.infinite()]
    for i, left in enumerate(order):
        for j, right in enumerate(order):
            assert compare_levels(left, right) == (i > j) - (i < j)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: implied_delta(guarantee(mpq(1, 2), 0), L(1)), "epsilon at least 0"),
        (lambda: implied_delta(guarantee(2, 2), L(1)), "delta"),
        (lambda: implied_delta(guarantee(2, 0), L(mpq(1, 2))), "epsilon at least 0"),
        (lambda: implies(guarantee(2, 0), guarantee(2, -1)), "delta"),
        (lambda: worst_case(guarantee(2, 0), "both"), "one-sided"),
    ],
)
def test_bad_input(call, message):
    """Epsilon below 0, delta outside [0, 1], an unknown relation."""
    with pytest.raises(InputError, match=message):
        call()
