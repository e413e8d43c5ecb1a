"""Rectification: the effect of each operation on profiles, exactly, and on the tight mu."""

from __future__ import annotations

import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle.channels.channel import Channel
from oracle.channels.divergences import hockey_stick
from oracle.channels.galois import tradeoff_of
from oracle.channels.refinement import refines
from oracle.channels.tradeoff import approximate_dp_curve, maximum
from oracle.channels.worst_case import approximate_dp_channel
from oracle.errors import InputError
from oracle.exact import INFINITY
from oracle.gaussian_dp.profile import mu_gdp
from oracle.gaussian_dp.rectification import clip_ratio, mix_with_uniform, mixing_level, subsample
from oracle.levels import Level

WEIGHTS = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=2, max_size=5).filter(
    lambda w: all(sum(pair[i] for pair in w) for i in (0, 1))
)
SHARE = st.fractions(0, 1, max_denominator=9)


def channel_of(weights):
    """Two rows of these weights."""
    rows = [[pair[i] for pair in weights] for i in (0, 1)]
    return Channel([[mpq(x, sum(row)) for x in row] for row in rows])


@settings(max_examples=40, deadline=None)
@given(weights=WEIGHTS, rate=SHARE)
def test_subsampling_is_an_identity(weights, rate):
    """D_{a'}(P'‖Q) = q D_a(P‖Q) at a' = 1 + q (a - 1)."""
    channel = channel_of(weights)
    sampled = subsample(channel, mpq(rate)).channel
    for a in (mpq(1), mpq(3, 2), mpq(4)):
        assert hockey_stick(sampled, 1 + mpq(rate) * (a - 1)) == mpq(rate) * hockey_stick(channel, a)


@settings(max_examples=40, deadline=None)
@given(weights=WEIGHTS, weight=SHARE)
def test_mixing_bounds_every_ratio(weights, weight):
    """At the level of the worst case nothing is left, and the witness gives the channel."""
    channel = channel_of(weights)
    mixed = mix_with_uniform(channel, mpq(weight))
    assert mixed.witness.product(channel) == mixed.channel.rows
    level = mixing_level(channel.shape[1], mpq(weight)).value
    for side in ("forward", "backward"):
        assert hockey_stick(mixed.channel, level, side) == 0 or weight == 0


@settings(max_examples=40, deadline=None)
@given(weights=WEIGHTS, bound=st.fractions(1, 6, max_denominator=6))
def test_clipping_gives_the_least_channel_with_bounded_ratios(weights, bound):
    """Its curve is the maximum of two, it is a post-processing, and what is clipped already stays as it is."""
    channel = channel_of(weights)
    clipped = clip_ratio(channel, mpq(bound))
    assert clipped.witness.product(channel) == clipped.channel.rows
    assert tradeoff_of(clipped.channel) == maximum([tradeoff_of(channel), approximate_dp_curve(mpq(bound), mpq(0))])
    assert hockey_stick(clipped.channel, mpq(bound), "forward") == 0
    assert hockey_stick(clipped.channel, mpq(bound), "backward") == 0
    again = clip_ratio(clipped.channel, mpq(bound)).channel
    assert refines(again, clipped.channel)
    assert refines(clipped.channel, again)


def test_the_worst_case_after_clipping():
    """C_{eps, delta} clipped at B <= e^eps is randomised response at B; beyond, the maximum of the curves."""
    worst = approximate_dp_channel(mpq(3), mpq(1, 10))
    clipped = clip_ratio(worst, mpq(2))
    assert tradeoff_of(clipped.channel) == approximate_dp_curve(mpq(2), mpq(0))
    assert clipped.tight_mu(20).overlaps(mu_gdp(Level.rational(1), mpq(1, 3), 20))
    wider = clip_ratio(worst, mpq(9)).channel
    assert tradeoff_of(wider).at(mpq(0)) == 1
    assert [hockey_stick(wider, mpq(a)) for a in (3, 5, 9)] == [mpq(1, 10), mpq(1, 15), 0]


def test_mu_becomes_finite():
    """The channel that tells all has none; mixed and clipped it has."""
    open_one = Channel([[1, 0], [0, 1]])
    assert clip_ratio(open_one, INFINITY).tight_mu() == INFINITY
    assert mix_with_uniform(open_one, mpq(1, 2)).tight_mu(12).overlaps(mu_gdp(Level.rational(1), mpq(1, 2), 12))
    assert subsample(open_one, mpq(1, 2)).tight_mu() == INFINITY
    assert mix_with_uniform(open_one, mpq(1)).tight_mu() == 0
    assert mixing_level(2, mpq(0)).is_infinite


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: subsample(Channel([[1], [1], [1]]), mpq(1, 2)), "two rows"),
        (lambda: subsample(Channel([[1], [1]]), mpq(2)), "between 0 and 1"),
        (lambda: mix_with_uniform(Channel([[1], [1]]), mpq(-1)), "between 0 and 1"),
        (lambda: mixing_level(0, mpq(1, 2)), "outputs: expected a whole number, at least 1"),
        (lambda: clip_ratio(Channel([[1], [1]]), mpq(1, 2)), "at least 1"),
    ],
)
def test_bad_input(call, message):
    """Wrong shapes and numbers out of range."""
    with pytest.raises(InputError, match=message):
        call()
