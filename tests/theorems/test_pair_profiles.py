"""The profile of a pair: one answer for a table, its formal copy and its balls, and what the inverses say."""

from __future__ import annotations

import pytest
from flint import arb
from gmpy2 import mpq

from oracle.channels.channel import Channel
from oracle.channels.formal_channel import FormalChannel
from oracle.enclosures import Enclosure, precision, rational_ball, rational_bounds
from oracle.experiments.base import level_logarithm
from oracle.experiments.laplace import Laplace
from oracle.experiments.subsampled import PoissonSubsampled
from oracle.levels import Level
from oracle.theorems.pair_profiles import (
    enclosed_bound,
    no_leakage,
    pair_delta,
    pair_least,
    power_least,
    profile_ball,
    raised_least,
)

TABLE = Channel([["1/10", "3/10", "6/10", "0"], ["1/2", "0", "3/10", "1/5"]])
FORMAL = FormalChannel.from_channel(TABLE)
SKEW = PoissonSubsampled(Laplace(mpq(1)), mpq(1, 3))


@pytest.mark.parametrize("level", [mpq(1), mpq(3, 2), mpq(4), mpq(9)])
def test_a_table_its_formal_copy_and_its_ball_agree(level):
    """The larger of both directions, by definition."""
    p, q = TABLE.rows
    expected = max(sum(max(mpq(0), x - level * y) for x, y in zip(*rows, strict=True)) for rows in ((p, q), (q, p)))
    assert pair_delta(TABLE, Level.rational(level)) == expected == pair_delta(FORMAL, Level.rational(level))
    for pair in (TABLE, FORMAL):
        lo, hi = rational_bounds(profile_ball(pair, level_logarithm(Level.rational(level)))(100))
        assert lo <= expected <= hi < lo + mpq(1, 2**80)


def test_an_asymmetric_experiment_takes_the_larger_direction():
    """Removing is worse than adding under Poisson subsampling."""
    level = Level.rational(mpq(6, 5))
    lo, hi = rational_bounds(profile_ball(SKEW, level_logarithm(level))(100))
    forward = SKEW.hockey_stick(level, "forward")
    assert forward.lo <= hi
    assert lo <= forward.hi
    assert SKEW.hockey_stick(level, "backward").hi < lo


def test_least_levels():
    """The least level of each kind of pair; delta above 1 is 1."""
    assert pair_least(TABLE, mpq(1, 5), 12) == pair_least(FORMAL, mpq(1, 5), 12)
    assert pair_least(TABLE, mpq(0), 12).is_infinite
    assert pair_least(Laplace(mpq(1)), mpq(0), 12) == Level.of_exponent(1)
    assert pair_least(Laplace(mpq(1)), mpq(3), 12) == Level.rational(1)


def test_levels_are_raised_and_powered():
    """Exact where they are; else end by end."""
    assert raised_least(Level.rational(3), mpq(1, 4), 12) == Level.rational(mpq(3, 2))
    assert raised_least(Level.infinite(), mpq(1, 4), 12).is_infinite
    assert raised_least(Level.of_exponent(2), mpq(1), 12) == Level.of_exponent(2)
    found = raised_least(Level.of_exponent(1), mpq(1, 10), 12)
    assert found.overlaps(Enclosure(mpq("0.158565078740429"), mpq("0.158565078740430")))
    assert power_least(Level.rational(3), 2, 12) == Level.rational(9)
    assert power_least(Level.of_exponent(1), 3, 12) == Level.of_exponent(3)
    assert power_least(Level.infinite(), 3, 12).is_infinite
    assert power_least(Enclosure(mpq(1, 3), mpq(2, 3)), 3, 12).contains(mpq(3, 2))


def test_what_may_be_zero_is_enclosed_from_zero():
    """An exact zero ball is 0; one that never leaves 0 ends at the precision limit."""
    assert enclosed_bound(lambda _: arb(0), 12) == 0
    found = enclosed_bound(lambda bits: arb(0, 1) * arb(2) ** -bits, 12)
    assert found.lo == 0
    assert found.reached == 0
    with precision(64):
        third = rational_ball(mpq(1, 3))
    assert enclosed_bound(lambda _: third, 12).contains(mpq(1, 3))


def test_no_leakage():
    """max(0, 1 - a)."""
    assert no_leakage(Level.infinite(), 12) == 0
    assert no_leakage(Level.of_exponent(1), 12) == 0
    assert no_leakage(Level.of_exponent(-1), 12).contains(mpq("0.6321205588285577"))
