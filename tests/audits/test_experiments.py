"""Audits of mechanisms that are no finite table: records in the place of certificates."""

from __future__ import annotations

import json

import mpmath
import pytest
from click.testing import CliRunner
from gmpy2 import mpq
from jsonschema import Draft202012Validator

from oracle.audits.run import audit
from oracle.audits.tables import probabilities_hash
from oracle.certificates.checker.__main__ import main as checker
from oracle.cli.audit import audit as command
from oracle.errors import InputError
from oracle.experiments.gaussian import Gaussian
from oracle.render import markdown, terminal
from tests.experiments.reference import as_mpq
from tests.vectors.fixture_files import SCHEMAS, read_json

GAUSSIAN = {"mechanism": "gaussian", "sigma": "1"}
LAPLACE = {"mechanism": "laplace", "scale": "1"}
REPORT = Draft202012Validator(read_json(SCHEMAS / "report.schema.json"))


def undecided_delta() -> str:
    with mpmath.workprec(24000):
        x = (mpmath.erfc(mpmath.sqrt(2) / 4) - mpmath.e * mpmath.erfc(3 * mpmath.sqrt(2) / 4)) / 2
    return str(as_mpq(x))


def run(*arguments):
    result = CliRunner().invoke(command, list(arguments))
    return result.exit_code, result.stdout


@pytest.mark.parametrize(
    ("mechanism", "claim", "verdict", "equality"),
    [
        (LAPLACE, "eps=1", "holds", True),
        (LAPLACE, "eps=999/1000", "refuted", False),
        (LAPLACE, "eps=1/2,delta=1/4", "holds", False),
        (GAUSSIAN, "eps=1,delta=0.12694", "holds", False),
        (GAUSSIAN, "eps=1,delta=0.12693", "refuted", False),
        (GAUSSIAN, "eps=1", "refuted", False),
        ({"mechanism": "gaussian_dp", "mu": "1"}, "E=1,delta=2/5", "holds", False),
        ({"mechanism": "discrete_gaussian", "sigma": "2", "sensitivity": 2}, "eps=3,delta=1e-3", "refuted", False),
        ({"mechanism": "repeat", "times": 2, "of": GAUSSIAN}, "eps=1,delta=3/10", "holds", False),
    ],
    ids=str,
)
def test_verdicts_validate_and_come_with_records_only(mechanism, claim, verdict, equality):
    """The report has its schema, one record for the result and no certificate."""
    report = audit(mechanism, claim)
    document = json.loads(report.to_text())
    assert list(REPORT.iter_errors(document)) == []
    assert (report.verdict, report.equality) == (verdict, equality)
    assert report.certificates == []
    assert len(report.records) == 1
    assert document["results"][0]["record"] == 0
    assert document["input"]["finite"] is False
    assert document["pairs"][0]["tradeoff"] == {"forward": None, "backward": None}
    for text in (terminal.render(document), markdown.render(document)):
        assert "no finite list of corners" in text
        assert "accept" not in text


def test_tight_values_and_slack():
    """The least epsilon and delta, the slack with its sign, total variation and Bayes error."""
    document = audit(LAPLACE, "eps=1/2,delta=1/4").document
    claim = document["claims"][0]
    assert mpq(claim["tight_delta"]["lo"]) < mpq("0.2211992169285951318") < mpq(claim["tight_delta"]["hi"])
    assert mpq(claim["slack"]["lo"]) < mpq(1, 4) - mpq("0.2211992169285951318") < mpq(claim["slack"]["hi"])
    assert mpq(claim["tight_epsilon"]["lo"]) < mpq("0.42463585509643814") < mpq(claim["tight_epsilon"]["hi"])
    assert claim["tight_exp_epsilon"] is None
    total, error = document["total_variation"], document["bayes_error"]
    assert (1 - mpq(total["hi"])) / 2 <= mpq(error["hi"])
    assert mpq(error["lo"]) <= (1 - mpq(total["lo"])) / 2


def test_trade_off_claims_are_compared_line_by_line():
    """A flat end lies below the curve of a Gaussian, the line to (1, 0) does not."""
    for corners, verdict in (
        ([["0", "1/2"], ["1/5", "1/5"], ["1/2", "0"], ["1", "0"]], "holds"),
        ([["0", "1"], ["1/4", "1/4"], ["1", "0"]], "refuted"),
    ):
        document = audit(GAUSSIAN, {"tradeoff": {"breakpoints": corners}}).document
        assert document["verdict"] == verdict
        assert list(REPORT.iter_errors(document)) == []
        assert document["results"][0]["least_gap"]["alpha"] is None
        assert (mpq(document["claims"][0]["slack"]["lo"]) > 0) == (verdict == "holds")
        assert "over the lines of f" in terminal.render(document)


def test_the_command_writes_records_and_exits_as_the_verdict_says(tmp_path):
    """Exit codes 0, 1 and 3; to the checker a report that has nothing but records is unverified."""
    path = tmp_path / "m.json"
    path.write_text(json.dumps(GAUSSIAN))
    assert run(str(path), "--claim", "eps=1,delta=1/5", "--out", str(tmp_path / "out"))[0] == 0
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == [
        "input.json",
        "record-01.json",
        "report.html",
        "report.json",
        "report.md",
    ]
    assert checker([str(tmp_path / "out" / "report.json")]) == 3
    assert checker([str(tmp_path / "out" / "record-01.json")]) == 3
    assert run(str(path), "--claim", "eps=1,delta=1/10")[0] == 1
    code, text = run(str(path), "--claim", f"eps=1,delta={undecided_delta()}")
    assert code == 3
    assert text.startswith("UNDECIDED")
    assert run(str(path), "--claim", f"eps=1,delta={undecided_delta()}", "--claim", "eps=1,delta=1/10")[0] == 1


def test_an_undecided_report_validates():
    """Also in Markdown it says what was reached."""
    document = audit(GAUSSIAN, f"eps=1,delta={undecided_delta()}").document
    assert document["verdict"] == document["results"][0]["holds"] == "undecided"
    assert list(REPORT.iter_errors(json.loads(json.dumps(document)))) == []
    assert "undecided at 16384 bits" in markdown.render(document)


def test_the_same_pair_has_the_same_hash_and_no_other_pairs():
    """Sensitivity 2 at sigma 2 is sensitivity 1 at sigma 1."""
    document = audit({"mechanism": "gaussian", "sigma": "2", "sensitivity": "2"}, "eps=1,delta=1/5").document
    assert document["input"]["parsed_sha256"] == probabilities_hash(Gaussian.of(mpq(1)))
    assert audit(Gaussian.of(mpq(1)), "eps=1,delta=1/5").holds
    with pytest.raises(InputError, match="one pair of laws"):
        audit(GAUSSIAN, "eps=1", pairs=[["a", "b"]])
