"""The least upper bound of several (epsilon, delta) guarantees."""

from __future__ import annotations

import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle.channels.channel import Channel
from oracle.channels.formal_channel import FormalChannel, formal_beta, formal_satisfies
from oracle.channels.galois import tradeoff_of
from oracle.channels.guarantees import _lines, _of_lines, guarantee_channel
from oracle.channels.lattice import least_upper_bound
from oracle.channels.worst_case import approximate_dp_channel
from oracle.enclosures import Enclosure
from oracle.errors import Declined, InputError
from oracle.levels import Level

deltas = st.fractions(min_value=0, max_value=1, max_denominator=12).map(mpq)
exponents = st.sampled_from([mpq(0), mpq(1, 3), mpq(1), mpq(2)])
rational_levels = st.sampled_from([mpq(1), mpq(3, 2), mpq(3), mpq(7)])


@settings(deadline=None, max_examples=40)
@given(st.lists(st.tuples(rational_levels, deltas), min_size=1, max_size=4))
def test_the_envelope_of_lines_is_the_least_upper_bound_of_the_lattice(pairs):
    """The way for irrational levels, taken with rational ones, gives the channel of the other way."""
    levels = [(Level.rational(a), d) for a, d in pairs]
    by_lines = _of_lines([line for level, delta in levels for line in _lines(level, delta)]).as_channel()
    expected = guarantee_channel(levels)
    assert tradeoff_of(by_lines) == tradeoff_of(expected)
    assert expected == least_upper_bound([approximate_dp_channel(a, d) for a, d in pairs])


@settings(deadline=None, max_examples=30)
@given(st.lists(st.tuples(exponents, deltas), min_size=1, max_size=3), st.fractions(0, 1, max_denominator=20).map(mpq))
def test_the_curve_is_the_largest_of_the_curves(pairs, alpha):
    """At a rational alpha, against enclosures of each f of its own channel."""
    levels = [(Level.of_exponent(s), d) for s, d in pairs]
    channel = guarantee_channel(levels)
    ends = []
    for one in [channel, *(guarantee_channel([pair]) for pair in levels)]:
        formal = one if isinstance(one, FormalChannel) else FormalChannel.from_channel(one)
        value = formal_beta(formal, alpha, 20)
        ends.append((value.lo, value.hi) if isinstance(value, Enclosure) else (value, value))
    (lo, hi), *others = ends
    assert max(a for a, _ in others) <= hi
    assert lo <= max(b for _, b in others)


def test_every_guarantee_holds_of_the_bound_and_no_better_one():
    """With equality at its own levels where the guarantee matters."""
    pairs = [(Level.of_exponent(mpq(1)), mpq(1, 10)), (Level.of_exponent(mpq(2)), mpq(1, 100))]
    channel = guarantee_channel(pairs)
    for level, delta in pairs:
        assert formal_satisfies(channel, level, delta).holds
        assert not formal_satisfies(channel, level, delta - mpq(1, 10**20)).holds


def test_extreme_guarantees():
    """Delta 1 and infinite epsilon say nothing, epsilon 0 and delta 0 say all."""
    one = Level.of_exponent(mpq(1))
    nothing = guarantee_channel([(Level.infinite(), mpq(1, 2))])
    assert tradeoff_of(nothing).at(mpq(0)) == 0
    assert guarantee_channel([(Level.rational(1), mpq(0))]) == Channel([["1"], ["1"]])
    with_nothing = guarantee_channel([(one, mpq(1, 10)), (Level.infinite(), mpq(0))])
    assert with_nothing.groups()[0].p == guarantee_channel([(one, mpq(1, 10))]).groups()[0].p


def test_bad_and_too_many_guarantees():
    """None, a level below 1, a delta above 1, and more irrational ones than are offered."""
    for wrong in ([], [(Level.rational(mpq(1, 2)), mpq(0))], [(Level.rational(1), mpq(2))]):
        with pytest.raises(InputError):
            guarantee_channel(wrong)
    with pytest.raises(Declined, match="more than 6"):
        guarantee_channel([(Level.of_exponent(mpq(k)), mpq(1, 10 + k)) for k in range(1, 9)])
