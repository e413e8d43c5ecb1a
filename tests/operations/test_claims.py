"""Claims decided from Python."""

from __future__ import annotations

from fractions import Fraction

import pytest

import oracle
from oracle.channels.channel import Channel
from oracle.claims import parse_claim
from oracle.errors import InputError

WARNER = Channel([["3/4", "1/4"], ["1/4", "3/4"]])


def test_a_claim_is_given_by_name_as_json_or_as_an_object() -> None:
    claim = {"exp_epsilon": "2", "delta": "1/4"}
    by_name = oracle.satisfies(WARNER, exp_epsilon=2, delta="1/4")
    assert by_name.holds
    assert by_name == oracle.satisfies(WARNER, claim) == oracle.satisfies(WARNER, parse_claim(claim))
    assert not oracle.satisfies(WARNER, epsilon="1/2").holds
    assert oracle.satisfies(WARNER, {"tradeoff": oracle.tradeoff(WARNER).to_json()}, direction="forward").holds


@pytest.mark.parametrize(
    ("claim", "message"),
    [
        ({"exp_epsilon": "1/2"}, "exp_epsilon: expected epsilon at least 0"),
        ({"epsilon": "-1"}, "epsilon: expected epsilon at least 0"),
        ({"exp_epsilon": "2", "delta": "2"}, "delta: expected delta between 0 and 1"),
        ({}, "expected exactly one of"),
    ],
)
def test_a_claim_out_of_range_is_refused(claim: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        oracle.satisfies(WARNER, claim)
    with pytest.raises(InputError, match=message):
        oracle.satisfies(WARNER, **claim)


def test_mu_and_claims_in_python() -> None:
    """Exact where it is, enclosed otherwise, and claims as mappings or values."""
    assert oracle.mu({"mechanism": "gaussian", "sigma": "4"}) == Fraction(1, 4)
    found = oracle.mu({"mechanism": "randomized_response", "exp_epsilon": "3"}, digits=20)
    assert Fraction("1.348979500392163") < found.lower < found.upper < Fraction("1.348979500392164")
    assert oracle.mu({"matrix": [["1", "0"], ["0", "1"]]}) == oracle.INFINITY
    assert oracle.satisfies({"mechanism": "gaussian", "sigma": "4"}, {"mu": "1/4"}).holds is True
    with pytest.raises(oracle.InputError):
        oracle.mu({"mechanism": "gaussian", "sigma": "4"}, direction="up")
