"""Certificates of mu-GDP, Rényi orders and zCDP as produced: short, accepted, and within the schema."""

from __future__ import annotations

from fractions import Fraction

import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from oracle.certificates.checker import check
from oracle.certificates.checker.gaussian import require_violated
from oracle.certificates.divergence_documents import gaussian_held, gaussian_refuted, refuting_threshold
from oracle.channels.channel import Channel
from oracle.claims import GaussianDP, parse_claim
from oracle.errors import UndecidedError
from oracle.gaussian_dp.channel_mu import least_mu
from oracle.verdicts import judge
from tests.vectors.fixture_files import SCHEMAS, read_json

WEIGHTS = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=5)
SCHEMA = Draft202012Validator(read_json(SCHEMAS / "certificate.schema.json"))
RESPONSE = Channel([["3/4", "1/4"], ["1/4", "3/4"]])
CLAIMS = st.one_of(
    st.fractions(0, 3, max_denominator=8).map(lambda x: {"mu": str(x)}),
    st.fractions(0, 2, max_denominator=8).map(lambda x: {"rho": str(x)}),
    st.tuples(st.sampled_from(["1/2", "1", "3/2", "2", "5", "inf"]), st.fractions(0, 3, max_denominator=8)).map(
        lambda pair: {"order": pair[0], "epsilon": str(pair[1])}
    ),
)


@settings(deadline=None, max_examples=120)
@given(WEIGHTS, CLAIMS, st.sampled_from(["both", "forward", "backward"]))
def test_every_decided_verdict_has_an_accepted_certificate(columns, stated, direction):
    """Of the kind that its outcome names, about the claim as stated, and within the closed schema."""
    totals = [sum(column[row] for column in columns) for row in (0, 1)]
    if not all(totals):
        return
    pair = Channel([[mpq(column[row], totals[row]) for column in columns] for row in (0, 1)])
    claim = parse_claim(stated)
    verdict = judge(pair, claim, direction)
    if verdict.holds == "undecided":
        assert verdict.certificate is None
        assert verdict.record["holds"] == "undecided"
        return
    certificate = verdict.certificate
    kind = {"mu": "gdp", "rho": "zcdp", "order": "renyi"}[next(iter(stated))]
    assert certificate["certificate"] == f"{kind}_{'held' if verdict.holds else 'refuted'}"
    assert certificate["claim"] == claim.to_json()
    assert check(certificate).kind == certificate["certificate"]
    assert list(SCHEMA.iter_errors(certificate)) == []
    assert verdict.record is None


def test_thresholds_are_as_short_as_they_can_be():
    """Fewer places as the claim leaves more room."""
    for mu, threshold in (("3", "1"), ("1.4", "7/10"), ("1.35", "27/40")):
        assert gaussian_held(RESPONSE, GaussianDP(mpq(mu)), "both")["thresholds"] == [threshold]
    close = least_mu(RESPONSE, 30)
    assert len(gaussian_held(RESPONSE, GaussianDP(close.hi), "both")["thresholds"][0]) > 25


def test_what_is_not_so_has_no_thresholds():
    """A claim on the other side of the least mu is given up at the precision limit, never signed."""
    with pytest.raises(UndecidedError):
        gaussian_held(RESPONSE, GaussianDP(mpq(1)), "both")
    with pytest.raises(UndecidedError):
        gaussian_refuted(RESPONSE, GaussianDP(mpq(2)), "both")


@pytest.mark.parametrize(
    ("alpha", "beta", "mu", "found"),
    [
        ("1/4", "1/4", "1", True),
        ("1/4", "1/4", "27/20", False),
        ("1/4", "3/4", "0", None),
        ("0", "1/2", "5", True),
        ("1/2", "0", "5", True),
        ("1", "0", "0", False),
        ("0", "1", "0", False),
    ],
)
def test_a_point_below_a_gaussian_curve_has_a_threshold(alpha, beta, mu, found):
    """Phi(t) <= 1 - alpha and Phi(t - mu) > beta; on the curve it is undecided, above it there is none."""
    point = mpq(alpha), mpq(beta), mpq(mu)
    if found is None:
        with pytest.raises(UndecidedError):
            refuting_threshold(*point)
        return
    threshold = refuting_threshold(*point)
    assert (threshold is not None) is found
    if threshold is not None:
        require_violated(*(Fraction(str(x)) for x in (threshold, point[2], *point[:2])), "$")
