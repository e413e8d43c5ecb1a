"""Verdicts on claims by example: equality holds, and nothing is undecided on a finite channel."""

from __future__ import annotations

import pytest
from gmpy2 import mpq

from oracle.channels.channel import Channel
from oracle.channels.tradeoff import TradeoffFunction
from oracle.claims import ApproximateDP, TradeoffClaim
from oracle.errors import InputError
from oracle.levels import Level
from oracle.verdicts import judge

WARNER = Channel([["3/4", "1/4"], ["1/4", "3/4"]])
ONE_SIDED = Channel([["1", "0"], ["1/2", "1/2"]])


@pytest.mark.parametrize(
    ("level", "delta", "holds"),
    [
        ("3", "0", True),
        ("2.9999999999999999999999999", "0", False),
        ("2", "1/4", True),
        ("2", "0.2499999999999999999999999", False),
        ("1", "1/2", True),
        ("1", "1", True),
    ],
)
def test_equality_holds_and_less_does_not(level: str, delta: str, holds: bool) -> None:
    assert judge(WARNER, ApproximateDP(Level.rational(mpq(level)), mpq(delta))).holds is holds


def test_an_irrational_epsilon_is_decided() -> None:
    assert not judge(WARNER, ApproximateDP(Level.of_exponent(mpq("1.0986122886681096")), mpq(0))).holds
    assert judge(WARNER, ApproximateDP(Level.of_exponent(mpq("1.0986122886681099")), mpq(0))).holds


def test_the_direction_matters() -> None:
    claim = ApproximateDP(Level.rational(2), mpq(0))
    assert judge(ONE_SIDED, claim, "forward").holds
    assert not judge(ONE_SIDED, claim, "backward").holds
    assert not judge(ONE_SIDED, claim).holds
    assert judge(ONE_SIDED, claim).certificate["direction"] == "backward"


def test_a_trade_off_claim_in_each_direction() -> None:
    claim = TradeoffClaim(TradeoffFunction([["0", "1/2"], ["1", "0"]]))
    assert judge(ONE_SIDED, claim, "forward").holds
    assert not judge(ONE_SIDED, claim, "backward").holds
    assert not judge(ONE_SIDED, claim).holds


def test_no_finite_epsilon_holds_of_disjoint_rows_below_delta_1() -> None:
    identity = Channel([["1", "0"], ["0", "1"]])
    for level in (Level.rational(10**100), Level.of_exponent(10**9), Level.infinite()):
        assert not judge(identity, ApproximateDP(level, mpq(999, 1000))).holds
        assert judge(identity, ApproximateDP(level, mpq(1))).holds


def test_a_partial_channel_has_no_verdict() -> None:
    partial = Channel([["1/2"], ["1/2"]], partial=True)
    for claim in (ApproximateDP(Level.rational(1), mpq(0)), TradeoffClaim(TradeoffFunction([["0", "1"], ["1", "0"]]))):
        with pytest.raises(InputError, match=r"expected rows that sum to 1 \(a full channel\), got a mass of 1/2"):
            judge(partial, claim)


def test_only_pairs_have_a_verdict() -> None:
    with pytest.raises(InputError, match="two rows"):
        judge(Channel([["1"]] * 3), ApproximateDP(Level.rational(1), mpq(0)))
