"""Verdicts on claims by example: equality holds, and nothing is undecided on a finite channel."""

from __future__ import annotations

import json

import mpmath
import pytest
from gmpy2 import mpq, mpz

from oracle.answers import answer
from oracle.certificates.checker import Rejected, check_text
from oracle.channels.channel import Channel
from oracle.channels.tradeoff import TradeoffFunction
from oracle.claims import ApproximateDP, ConcentratedDP, GaussianDP, RenyiDP, TradeoffClaim
from oracle.enclosures import exp_bracket
from oracle.errors import InputError
from oracle.levels import Level
from oracle.operations import pair_of
from oracle.verdicts import judge
from tests.experiments.reference import as_mpq

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


WARNER_TABLE = {"matrix": [["3/4", "1/4"], ["1/4", "3/4"]]}


def _response(epsilon):
    return {"mechanism": "randomized_response", "epsilon": epsilon}


@pytest.mark.parametrize(
    ("channel", "claim", "holds"),
    [
        (WARNER_TABLE, {"epsilon": "1e-5000"}, False),
        (WARNER_TABLE, {"epsilon": "1e-20000"}, False),
        (WARNER_TABLE, {"epsilon": "1e5000"}, True),
        (_response("1e-5000"), {"epsilon": "1e-5000"}, True),
        (_response("1e-5000"), {"exp_epsilon": "1"}, False),
        (_response("1e-5000"), {"epsilon": "1"}, True),
        (_response("1e20"), {"epsilon": "1e20"}, True),
        (_response("1e20"), {"epsilon": "99999999999999999999"}, False),
        (_response("1e20"), {"exp_epsilon": "1000"}, False),
        (_response("1"), {"epsilon": "1e5000"}, True),
    ],
    ids=map(str, range(10)),
)
def test_certificates_of_extreme_claims_are_accepted(channel, claim, holds):
    """Exponents of thousands of digits, tiny and huge; equality with a mechanism's own epsilon."""
    reply = answer({"id": 1, "op": "satisfies", "args": {"channel": channel, "claim": claim}})
    assert reply["value"]["holds"] is holds
    check_text(json.dumps(reply["value"]["certificate"]))


@pytest.mark.parametrize("digits", [1000, 4000])
def test_certificates_of_deltas_of_many_digits_are_accepted(digits):
    """delta(1/2) = 3/4 - e^(1/2)/4 cut and rounded up at that many digits."""
    lo, hi = exp_bracket(mpq(1, 2), digits * 4)
    scale = mpz(10) ** digits
    cut = (mpq(3, 4) - hi / 4) * scale // 1
    assert cut == (mpq(3, 4) - lo / 4) * scale // 1
    for delta, holds in ((mpq(cut) / scale, False), (mpq(cut + 1) / scale, True)):
        claim = {"epsilon": "1/2", "delta": str(delta)}
        reply = answer({"id": 1, "op": "satisfies", "args": {"channel": WARNER_TABLE, "claim": claim}})
        assert reply["value"]["holds"] is holds
        check_text(json.dumps(reply["value"]["certificate"]))


def test_the_level_of_a_refutation_is_short():
    """e^(1/2) = 1.648... against 3: a fraction of one digit does."""
    verdict = answer({"id": 1, "op": "satisfies", "args": {"channel": WARNER_TABLE, "claim": {"epsilon": "1/2"}}})
    assert verdict["value"]["certificate"]["level"] == "5/2"


def test_a_verdict_without_a_certificate_is_an_error(monkeypatch):
    """The engine hands out nothing that its own checker rejects."""

    def reject(_document):
        raise Rejected("undecided at 64 bits", "$.level")

    monkeypatch.setattr("oracle.verdicts.check", reject)
    reply = answer({"id": 1, "op": "satisfies", "args": {"channel": WARNER_TABLE, "claim": {"epsilon": "1/2"}}})
    assert reply.keys() == {"id", "error"}
    assert "the claim is refuted, but the independent checker accepts no certificate of it: " in reply["error"]
    assert "undecided at 64 bits" in reply["error"]


def test_mu_of_irrational_probabilities_is_recorded_with_digits_that_tell() -> None:
    pair = pair_of({"mechanism": "randomized_response", "epsilon": "1"})
    near = mpq("1.232035385344901")
    verdict = judge(pair, GaussianDP(near))
    assert verdict.certificate is None
    (item,) = verdict.record["comparisons"]
    assert item["quantity"] == "mu"
    assert item["relation"] == ("<" if verdict.holds else ">")
    assert not mpq(item["value"]["lo"]) <= near <= mpq(item["value"]["hi"])


def test_an_undecided_order_is_a_record_with_its_bits() -> None:
    with mpmath.workdps(5100):
        epsilon = as_mpq(mpmath.log(3) / 2)
    verdict = judge(WARNER, RenyiDP(mpq(1), Level.of_exponent(epsilon)))
    assert verdict.holds == "undecided"
    assert verdict.reached == verdict.record["bits"] > 1000
    assert verdict.certificate is None
    assert {item["relation"] for item in verdict.record["comparisons"]} == {"undecided"}


def test_an_undecided_rho_names_the_matrix() -> None:
    with mpmath.workdps(5100):
        rho = as_mpq(mpmath.log(3) / 2)
    verdict = judge(WARNER, ConcentratedDP(rho))
    assert verdict.holds == "undecided"
    assert verdict.record["mechanism"] == {"matrix": [["3/4", "1/4"], ["1/4", "3/4"]]}


def test_one_refuted_direction_refutes_both() -> None:
    claim = RenyiDP(mpq(2), Level.rational(3))
    assert judge(ONE_SIDED, claim, "forward").holds
    both = judge(ONE_SIDED, claim)
    assert not both.holds
    assert both.certificate["direction"] == "backward"


def test_records_of_rho_hold_their_cells() -> None:
    verdict = judge(pair_of({"mechanism": "laplace", "scale": "1"}), ConcentratedDP(mpq("0.37")))
    (item,) = verdict.record["comparisons"]
    assert verdict.holds is True
    orders = [mpq(order) for order, _ in item["cells"]]
    assert orders == sorted(orders)
    assert orders[-1] * mpq("0.37") >= 1
