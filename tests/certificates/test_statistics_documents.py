"""Certificates about samples as they are made: of the shape of the schema, accepted as text, and never unchecked."""

from __future__ import annotations

import json

import pytest
from gmpy2 import mpq
from jsonschema import Draft202012Validator

from oracle.certificates.checker import check_text
from oracle.certificates.statistics_documents import count_refutation, one_run_refutation
from oracle.channels.tradeoff import approximate_dp_curve
from oracle.claims import GaussianDP, TradeoffClaim, parse_claim_text
from oracle.errors import UncertifiedError
from oracle.statistics import Count, EventCounts, OneRun, Selection, judge_counts, judge_one_run
from tests.vectors.fixture_files import SCHEMAS, read_json

SCHEMA = Draft202012Validator(read_json(SCHEMAS / "certificate.schema.json"))
CLAIMS = {
    "rational": parse_claim_text("E=2,delta=1/1000"),
    "transcendental": parse_claim_text("eps=1/2"),
    "curve": TradeoffClaim(approximate_dp_curve(mpq(2), mpq(1, 1000))),
    "mu": GaussianDP(mpq(1, 2)),
}
SELECTIONS = [Selection("declared"), Selection("split"), Selection("family", 12)]


@pytest.mark.parametrize("claim", CLAIMS.values(), ids=CLAIMS)
@pytest.mark.parametrize("selection", SELECTIONS, ids=lambda s: s.kind)
def test_what_is_made_has_the_shape_of_the_schema(claim, selection):
    """Two counts and one run, every claim, every selection."""
    counts = EventCounts(Count(900, 1000), Count(100, 1000))
    options = {"confidence": mpq(9, 10), "selection": selection}
    made = [
        judge_counts(claim, counts, **options).certificate,
        judge_counts(claim, counts, larger="either", **options).certificate,
        judge_one_run(claim, OneRun(400, 400, 398), **options).certificate,
    ]
    for certificate in made:
        assert [error.message for error in SCHEMA.iter_errors(certificate)] == []
        assert check_text(json.dumps(certificate)).kind == certificate["certificate"]


def test_what_the_checker_rejects_is_not_handed_out():
    """Bounds that are not proved, and a p-value that is none."""
    counts = {"first": {"hits": "750", "runs": "1000"}, "second": {"hits": "250", "runs": "1000"}}
    fields = {
        "claim": CLAIMS["rational"],
        "direction": "forward",
        "counts": counts,
        "selection": {"kind": "declared"},
        "larger": "first",
        "statements": 1,
        "confidence": mpq(19, 20),
        "bounds": (mpq(7219, 10_000), mpq(2781, 10_000)),
        "levels": (mpq(1, 40), mpq(1, 40)),
        "grid": 10_000,
        "region": "event",
        "violation": {"level": "2", "excess": "1657/10000"},
    }
    assert count_refutation(**fields)["certificate"] == "count_refutation"
    with pytest.raises(UncertifiedError, match="the tail is above its level"):
        count_refutation(**{**fields, "levels": (mpq(1, 41), mpq(1, 40))})
    with pytest.raises(UncertifiedError, match="the p-value is above its bound"):
        one_run_refutation(
            claim=CLAIMS["rational"],
            run={"canaries": "10", "guesses": "8", "correct": "6"},
            selection={"kind": "declared"},
            confidence=mpq(19, 20),
            p_value=mpq(1, 20),
            violation={"level": "2"},
        )
