"""Claims from JSON and from ``--claim`` text."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from gmpy2 import mpq

from oracle.channels.tradeoff import TradeoffFunction
from oracle.claims import (
    ApproximateDP,
    ConcentratedDP,
    GaussianDP,
    RenyiDP,
    TradeoffClaim,
    claim_text,
    parse_claim,
    parse_claim_text,
)
from oracle.errors import InputError
from oracle.exact import INFINITY
from oracle.levels import Level

CURVE = {"breakpoints": [["0", "1"], ["1/4", "1/4"], ["1", "0"]]}


@pytest.mark.parametrize(
    ("value", "claim"),
    [
        ({"exp_epsilon": "2", "delta": "1/4"}, ApproximateDP(Level.rational(2), mpq(1, 4))),
        ({"exp_epsilon": "1"}, ApproximateDP(Level.rational(1), mpq(0))),
        ({"epsilon": "log(3)"}, ApproximateDP(Level.rational(3), mpq(0))),
        ({"epsilon": "1/2", "delta": "1"}, ApproximateDP(Level.of_exponent(mpq(1, 2)), mpq(1))),
        ({"epsilon": "0"}, ApproximateDP(Level.rational(1), mpq(0))),
        ({"exp_epsilon": "inf"}, ApproximateDP(Level(INFINITY), mpq(0))),
        ({"tradeoff": CURVE}, TradeoffClaim(TradeoffFunction(CURVE["breakpoints"]))),
        ({"mu": "0.5"}, GaussianDP(mpq(1, 2))),
        ({"mu": 0}, GaussianDP(mpq(0))),
        ({"rho": "1/8"}, ConcentratedDP(mpq(1, 8))),
        ({"order": "2", "epsilon": "1/2"}, RenyiDP(mpq(2), Level.of_exponent(mpq(1, 2)))),
        ({"order": "3/2", "epsilon": "log(3)"}, RenyiDP(mpq(3, 2), Level.rational(3))),
        ({"order": "inf", "exp_epsilon": "3"}, RenyiDP(INFINITY, Level.rational(3))),
        ({"order": "1/2", "epsilon": "inf"}, RenyiDP(mpq(1, 2), Level(INFINITY))),
    ],
)
def test_a_claim_is_read_and_written_back(value: dict[str, object], claim: object) -> None:
    assert parse_claim(value) == claim
    assert parse_claim(claim.to_json()) == claim


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("eps=1", "args.claim: expected a claim such as"),
        ([], "args.claim: expected a claim such as"),
        ({}, 'args.claim: expected exactly one of "exp_epsilon" and "epsilon", got neither'),
        ({"delta": "1/4"}, 'args.claim: expected exactly one of "exp_epsilon" and "epsilon", got neither'),
        ({"exp_epsilon": "2", "epsilon": "1"}, 'got both "exp_epsilon" and "epsilon"'),
        (
            {"exp_epsilon": "1/2"},
            "args.claim.exp_epsilon: expected epsilon at least 0 (exp_epsilon at least 1), got 1/2",
        ),
        ({"exp_epsilon": "-1"}, "args.claim.exp_epsilon: expected exp_epsilon at least 0, got -1"),
        ({"epsilon": "-1/2"}, "args.claim.epsilon: expected epsilon at least 0, got -1/2"),
        ({"epsilon": "log(1/2)"}, "args.claim.epsilon: expected epsilon at least 0, got log(1/2)"),
        ({"epsilon": "-inf"}, "args.claim.epsilon: expected epsilon at least 0, got -inf"),
        ({"epsilon": "log(0)"}, "args.claim.epsilon: expected the logarithm of a positive number"),
        ({"epsilon": 0.5}, "args.claim.epsilon: expected"),
        ({"epsilon": None}, "args.claim.epsilon: expected"),
        ({"exp_epsilon": "2", "delta": "-1/10"}, "args.claim.delta: expected delta between 0 and 1, got -1/10"),
        ({"exp_epsilon": "2", "delta": "1.1"}, "args.claim.delta: expected delta between 0 and 1, got 11/10"),
        ({"exp_epsilon": "2", "delta": None}, "args.claim.delta: expected a number such as"),
        ({"exp_epsilon": "2", "eps": "1"}, "args.claim: expected only the keys exp_epsilon, epsilon, delta, tradeoff"),
        ({"tradeoff": CURVE, "delta": "0"}, 'args.claim: expected only the keys tradeoff, got the key "delta"'),
        ({"mu": "-1"}, "args.claim.mu: expected mu at least 0, got -1"),
        ({"rho": "-1/2"}, "args.claim.rho: expected rho at least 0, got -1/2"),
        ({"mu": "inf"}, "args.claim.mu: expected"),
        ({"mu": 0.5}, "args.claim.mu: expected"),
        ({"mu": "1", "rho": "1"}, 'args.claim: expected only the keys mu, got the key "rho"'),
        ({"mu": "1", "delta": "0"}, 'args.claim: expected only the keys mu, got the key "delta"'),
        ({"order": "0", "epsilon": "1"}, "args.claim.order: expected an order above 0, got 0"),
        ({"order": "-2", "epsilon": "1"}, "args.claim.order: expected an order above 0, got -2"),
        ({"order": "2"}, 'args.claim: expected exactly one of "exp_epsilon" and "epsilon", got neither'),
        ({"order": "2", "epsilon": "-1"}, "args.claim.epsilon: expected epsilon at least 0, got -1"),
        ({"order": "2", "epsilon": "1", "delta": "0"}, 'got the key "delta"'),
        ({"tradeoff": {"breakpoints": []}}, "args.claim.tradeoff.breakpoints: expected a list of at least two corners"),
    ],
)
def test_a_bad_claim_is_refused_with_its_place(value: object, message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_claim(value, "args.claim")
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("exp_eps=2,delta=1/4", ApproximateDP(Level.rational(2), mpq(1, 4))),
        (" exp_epsilon = 2 , delta = 0.25 ", ApproximateDP(Level.rational(2), mpq(1, 4))),
        ("E=2,delta=1/4", ApproximateDP(Level.rational(2), mpq(1, 4))),
        ("delta=1/4,E=2", ApproximateDP(Level.rational(2), mpq(1, 4))),
        ("eps=log(3)", ApproximateDP(Level.rational(3), mpq(0))),
        ("epsilon=ln(9/4)", ApproximateDP(Level.rational(mpq(9, 4)), mpq(0))),
        ("eps=0.5", ApproximateDP(Level.of_exponent(mpq(1, 2)), mpq(0))),
        ("mu=1", GaussianDP(mpq(1))),
        (" mu = 0.5 ", GaussianDP(mpq(1, 2))),
        ("rho=1/2", ConcentratedDP(mpq(1, 2))),
        ("rdp=2:1/2", RenyiDP(mpq(2), Level.of_exponent(mpq(1, 2)))),
        ("rdp= 3/2 : log(3) ", RenyiDP(mpq(3, 2), Level.rational(3))),
        ("rdp=inf:1", RenyiDP(INFINITY, Level.of_exponent(mpq(1)))),
    ],
)
def test_the_text_of_a_claim_is_read(text: str, claim: object) -> None:
    assert parse_claim_text(text) == claim


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", '--claim: expected a claim such as "exp_eps=2,delta=1/4"'),
        ("eps", 'got "eps"'),
        ("eps=", 'got "eps="'),
        ("eps=1,", 'got ""'),
        ("epsilon:1", 'got "epsilon:1"'),
        ("sigma=1", 'got "sigma=1"'),
        ("eps=1,epsilon=2", 'expected each name once, got "epsilon" again'),
        ("eps=1,exp_eps=2", 'got both "exp_epsilon" and "epsilon"'),
        ("delta=1/4", 'add eps=..., e.g. "eps=0,delta=1/4"'),
        ("eps=-1", "--claim.epsilon: expected epsilon at least 0, got -1"),
        ("exp_eps=1/2", "--claim.exp_epsilon: expected epsilon at least 0"),
        ("exp_eps=2,delta=2", "--claim.delta: expected delta between 0 and 1, got 2"),
        ("exp_eps=50%", "no % sign"),
        ("eps=nan", "--claim.epsilon: expected"),
        ("curve=a.json,delta=0", "--claim: expected curve=FILE alone"),
        ("mu=-1", "--claim.mu: expected mu at least 0, got -1"),
        ("mu=1,delta=0", "--claim: expected mu= alone"),
        ("rho=1,mu=1", "--claim: expected mu= alone"),
        ("rdp=2", '--claim: expected an order and an epsilon such as "rdp=2:1/2"'),
        ("rdp=0:1", "--claim.order: expected an order above 0, got 0"),
        ("rdp=2:-1", "--claim.epsilon: expected epsilon at least 0, got -1"),
        ("curve=no-such-file.json", "no-such-file.json: expected a readable file, got no such file or directory"),
    ],
)
def test_text_that_is_no_claim_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_claim_text(text)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "eps=1/2,delta=1/8",
        "exp_eps=3,delta=0",
        "mu=1/2",
        "rho=2",
        "rdp=2:1/2",
        "rdp=3/2:log(3)",
        "rdp=inf:0",
        "rdp=2:inf",
    ],
)
def test_a_claim_is_written_as_it_may_be_given(text: str) -> None:
    assert claim_text(parse_claim_text(text)) == text
    assert claim_text(parse_claim({"tradeoff": CURVE})) == ""


def test_a_curve_is_read_from_its_file_and_its_errors_name_the_file(tmp_path: Path) -> None:
    file = tmp_path / "curve.json"
    file.write_text("\ufeff" + json.dumps(CURVE), encoding="utf-8")
    assert parse_claim_text(f"curve={file}") == TradeoffClaim(TradeoffFunction(CURVE["breakpoints"]))
    file.write_text('{"breakpoints": [["0", "1"], ["1/2", "3/4"], ["1", "0"]]}', encoding="utf-8")
    with pytest.raises(InputError, match=r"curve\.json\.breakpoints\[1\]\[1\]: expected beta between 0 and 1 - alpha"):
        parse_claim_text(f"curve={file}")


def test_claims_say_what_they_are() -> None:
    assert parse_claim({"exp_epsilon": "3", "delta": "1/4"}).describe() == "epsilon = log(3), delta = 1/4"
    assert parse_claim({"epsilon": "1/2"}).describe() == "epsilon = 1/2, delta = 0"
    assert parse_claim({"tradeoff": CURVE}).describe() == "trade-off function with 3 corners"
    assert parse_claim({"mu": "1/2"}).describe() == "mu = 1/2"
    assert parse_claim({"rho": "1/2"}).describe() == "rho = 1/2"
    assert parse_claim({"order": "2", "exp_epsilon": "3"}).describe() == "order 2, epsilon = log(3)"


@pytest.mark.parametrize("text", ["mu=sqrt(3)", "rho=sqrt(2)/2"])
def test_a_root_is_no_claim(text):
    """The error says what to write."""
    with pytest.raises(InputError, match=r"as a rational number \(for a root one just above it, such as"):
        parse_claim_text(text)
