"""One claim without a verdict leaves the verdicts on the others as they are; mu is decided on every fixture."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from oracle.audits import run
from oracle.audits.run import audit
from oracle.audits.tables import read_table
from oracle.audits.undecided import undecided_record
from oracle.certificates.checker import Unverified, check, check_report
from oracle.certificates.checker.records import check_record
from oracle.channels.channel import Channel
from oracle.claims import parse_claim, parse_claim_text
from oracle.errors import Declined, UncertifiedError
from oracle.experiments.base import Experiment
from oracle.render import markdown, terminal
from tests.vectors.fixture_files import FIXTURES, SCHEMAS, read_json

SCHEMA = Draft202012Validator(read_json(SCHEMAS / "report.schema.json"))
HALF = {"matrix": [["9/10", "1/10"], ["1/2", "1/2"]]}
SLOW = {"sparse_vector", "sparse_vector_monotone", "sparse_vector_never_halts", "sparse_vector_two_above"}
FILES = sorted(
    path for room in ("mechanisms", "interactive") for path in (FIXTURES / room).iterdir() if path.stem != "index"
)
CURVE = {"tradeoff": {"breakpoints": [["0", "1"], ["1/2", "1/4"], ["1", "0"]]}}


@pytest.mark.slow
@pytest.mark.parametrize(
    "path",
    [pytest.param(p, id=p.name, marks=[pytest.mark.slow] if p.stem in SLOW else []) for p in FILES],
)
def test_mu_is_decided_on_every_fixture(path: Path) -> None:
    """At 0, 1/8, 1/4, 1/2, 1 and 2: once it holds it holds for every larger mu, and no certificate is refused.

    Only a mechanism that is no finite table may be one of which no mu is offered.
    """
    claims = [f"mu={mu}" for mu in ("0", "1/8", "1/4", "1/2", "1", "2")]
    table = read_table(path)
    try:
        report = audit(table, claims)
    except Declined:
        assert isinstance(table.channel, Experiment)
        return
    told = [claim["verdict"] for claim in report.document["claims"]]
    assert set(told) <= {"holds", "refuted"}
    assert told == sorted(told, reverse=True)


@pytest.mark.parametrize("mu", ["0", "1/8", "1", "6/5", "2"])
@pytest.mark.parametrize(
    "matrix",
    [
        [["9/10", "1/10"], ["1/2", "1/2"]],
        [["1/2", "1/2"], ["1/10", "9/10"]],
        [["1/10", "9/10"], ["1/2", "1/2"]],
        [["1/2", "1/2"], ["9/10", "1/10"]],
        [["1/2", "1/4", "1/4"], ["1/4", "1/4", "1/2"]],
        [["1/2", "1/2"], ["0", "1"]],
        [["0", "1"], ["1/2", "1/2"]],
    ],
)
def test_a_corner_with_an_error_of_one_half(matrix, mu) -> None:
    """The quantile of 1/2 is exactly 0: the threshold is still above it where it must be."""
    for direction in ("both", "forward", "backward"):
        report = audit({"matrix": matrix}, f"mu={mu}", direction=direction)
        assert report.verdict in ("holds", "refuted")
        (certificate,) = report.certificates
        assert check(certificate).kind.startswith("gdp_")


@pytest.fixture
def without_mu(monkeypatch):
    """No certificate of a mu is accepted."""

    def refuse(judge):
        def judged(subject, claim, *rest):
            if "mu" in claim.to_json():
                raise UncertifiedError(False, "Phi(t) is above 1 - alpha (at $.threshold)")
            return judge(subject, claim, *rest)

        return judged

    monkeypatch.setattr(run, "judge", refuse(run.judge))
    monkeypatch.setattr(run, "judge_tree", refuse(run.judge_tree))


@pytest.mark.usefixtures("without_mu")
@pytest.mark.parametrize(
    "source", [HALF, {"mechanism": "randomized_response", "epsilon": "1"}, FIXTURES / "interactive/interleaving.json"]
)
def test_the_other_claims_keep_their_certificates(source) -> None:
    """The claim itself is undecided, with the value it bounds and the reason; the checker reads the whole."""
    report = audit(source, ["eps=2", "mu=1"])
    first, second = report.document["claims"]
    assert second["verdict"] == "undecided"
    assert first == audit(source, "eps=2").document["claims"][0]
    assert "certificate" in report.document["results"][first["worst"]]
    assert list(SCHEMA.iter_errors(report.document)) == []
    assert isinstance(check_report(json.loads(report.to_text()))[0], Unverified)
    (said,) = (text for text in report.document["limits"] if text.startswith("No verdict on "))
    reason = "the claim is refuted, but the independent checker accepts no certificate of it: Phi(t) is above"
    assert reason in said
    shown = terminal.render(report.document)
    assert "  no verdict        mu=1, pair P, Q: " in shown
    assert "against 1, no certificate that the checker accepts" in shown
    assert f"- {said}" in markdown.render(report.document)


@pytest.mark.usefixtures("without_mu")
def test_no_verdict_at_all_is_an_error() -> None:
    """Of one claim, or of several that all fail, the first error is raised; it does not speak of limits."""
    for claims in ("mu=1", ["mu=1", "mu=2"]):
        with pytest.raises(UncertifiedError, match="the claim is refuted") as error:
            audit(HALF, claims)
        assert "limit" not in str(error.value)


@pytest.mark.parametrize("stated", ["eps=1,delta=1/8", "exp_eps=2", "mu=1", "rho=1/3", "rdp=3/2:1/4", "rdp=inf:1"])
def test_the_record_has_the_values_that_the_claim_bounds(stated) -> None:
    """Each with the claimed bound and undecided beside it."""
    record = undecided_record(Channel(HALF["matrix"]), parse_claim_text(stated), "both", 12, 64)
    check_record(record)
    assert record["holds"] == "undecided"
    assert {item["relation"] for item in record["comparisons"]} == {"undecided"}
    assert record["bits"] == 64


def test_a_curve_is_compared_line_by_line() -> None:
    """The lines beta = 1 - 3/2 alpha and beta = 1/2 - 1/2 alpha: D_h against 1 - c, in the opposite direction."""
    record = undecided_record(Channel(HALF["matrix"]), parse_claim(CURVE), "forward", 12, 0)
    found = [(item["direction"], item["exp_epsilon"], item["bound"], item["value"]) for item in record["comparisons"]]
    assert found == [("backward", "3/2", "0", "7/20"), ("backward", "1/2", "1/2", "1/2")]
