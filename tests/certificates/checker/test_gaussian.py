"""Certificates for and against mu-GDP: thresholds, events, and what proves nothing."""

from __future__ import annotations

from fractions import Fraction

import pytest
from gmpy2 import mpq
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from oracle.certificates.checker import Rejected, check
from oracle.certificates.divergence_documents import gaussian_held, gaussian_refuted
from oracle.channels.channel import Channel
from oracle.claims import GaussianDP
from oracle.gaussian_dp.channel_mu import compare_mu
from tests.certificates.checker import divergence_truth
from tests.certificates.checker.divergence_documents import EQUAL, ONE_SIDED
from tests.certificates.checker.test_curves import WEIGHTS, two_rows
from tests.certificates.checker.test_moments import changed

MUS = st.fractions(0, 4, max_denominator=12)


@settings(deadline=None, max_examples=60)
@given(WEIGHTS, MUS, st.sampled_from(["both", "forward", "backward"]))
def test_the_verdict_has_a_certificate_that_is_true(columns, mu, direction):
    """One kind is accepted, and its statement holds for every event."""
    document = two_rows(columns)
    pair, claim = Channel([[mpq(x) for x in row] for row in document["matrix"]]), GaussianDP(mpq(mu))
    sign = compare_mu(pair, claim.mu).sign
    assume(sign is not None)
    if sign <= 0:
        made = gaussian_held(pair, claim, direction)
        assert divergence_truth.gdp_held(made)
    else:
        made = gaussian_refuted(pair, claim, direction)
        assert divergence_truth.gdp_refuted(made)
        assert made["direction"] == ("backward" if direction == "backward" else "forward")
    assert check(made).kind == made["certificate"]


@pytest.mark.parametrize(
    ("name", "fields", "reason"),
    [
        ("gdp_held: randomized response", {"thresholds": ["27/41"]}, "Phi.t. is below 1 - alpha"),
        ("gdp_held: randomized response", {"thresholds": ["28/40"]}, "lowest terms"),
        ("gdp_held: randomized response", {"thresholds": ["7/10"]}, "Phi.t - mu. is above beta"),
        ("gdp_held: randomized response", {"thresholds": []}, "expected 1 thresholds, got 0"),
        ("gdp_held: randomized response", {"claim": {"mu": "4/3"}}, "Phi.t - mu. is above beta"),
        ("gdp_held: randomized response", {"claim": {"mu": "-1"}}, "expected a number >= 0"),
        ("gdp_held: randomized response", {"channel": ONE_SIDED}, "T.0. < 1"),
        ("gdp_held: two corners", {"thresholds": ["1/8", "27/40"]}, "Phi.t. is below"),
        (
            "gdp_held: two corners",
            {"channel": {"matrix": ONE_SIDED["matrix"][::-1]}, "thresholds": ["100"]},
            "Phi.t - mu. is above beta",
        ),
        ("gdp_refuted: randomized response", {"threshold": "7/10"}, "Phi.t. is above 1 - alpha"),
        ("gdp_refuted: randomized response", {"threshold": "1/2"}, "does not violate the claim"),
        ("gdp_refuted: randomized response", {"threshold": None}, "expected a canonical number"),
        ("gdp_refuted: randomized response", {"claim": {"mu": "27/20"}}, "does not violate the claim"),
        ("gdp_refuted: randomized response", {"alpha": "1/3"}, "the alpha of the event"),
        ("gdp_refuted: randomized response", {"beta": "1/3"}, "the beta of the event"),
        ("gdp_refuted: randomized response", {"event": [0]}, "the alpha of the event"),
        ("gdp_refuted: randomized response", {"direction": "both"}, "expected one of forward, backward"),
        ("gdp_refuted: no mu serves", {"threshold": "3"}, "does not violate the claim"),
        ("gdp_refuted: no mu serves", {"direction": "backward"}, "the alpha of the event"),
    ],
)
def test_what_proves_nothing_is_rejected(name, fields, reason):
    """With the reason."""
    with pytest.raises(Rejected, match=reason):
        check(changed(name, **fields))


def test_equal_rows_have_no_corner_and_need_no_threshold():
    """mu-GDP for every mu from 0 on; no event refutes."""
    for mu in ("0", "1"):
        assert check(changed("gdp_held: equal rows", claim={"mu": mu})).kind == "gdp_held"
    fields = {"channel": EQUAL, "claim": {"mu": "0"}, "event": [0], "alpha": "1/3", "beta": "2/3", "threshold": "0"}
    with pytest.raises(Rejected, match=r"Phi.t. is above|does not violate"):
        check(changed("gdp_refuted: randomized response", **fields))


def test_where_no_mu_serves_any_claim_is_refuted():
    """Also a mu of a million, on both kinds of infinite corner, by a whole threshold."""
    for rows in (ONE_SIDED["matrix"], ONE_SIDED["matrix"][::-1], [["1", "0"], ["0", "1"]]):
        pair = Channel([[mpq(x) for x in row] for row in rows])
        for mu in (0, 5, 10**6):
            made = gaussian_refuted(pair, GaussianDP(mpq(mu)), "both")
            assert Fraction(made["threshold"]).denominator == 1
            assert check(made).kind == "gdp_refuted"


def test_a_thousand_corners_are_checked_quickly():
    """The composition of 999 randomized responses at a mu just above its own; thresholds are short."""
    from oracle.operations import pair_of  # noqa: PLC0415 - here only

    base = {"mechanism": "randomized_response", "exp_epsilon": "11/10"}
    pair = pair_of({"mechanism": "repeat", "times": 999, "of": base})
    made = gaussian_held(pair, GaussianDP(mpq(302, 100)), "both")
    assert len(made["thresholds"]) == 999
    assert max(map(len, made["thresholds"])) < 20
    assert check(made).kind == "gdp_held"
