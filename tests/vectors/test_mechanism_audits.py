"""``oracle audit`` says of every file of fixtures/mechanisms what its index says.

The command runs in this process; the report is held against its schema and its certificates go to the
independent checker.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator

from oracle.certificates.checker import check
from oracle.cli.main import cli
from tests.vectors.fixture_files import MECHANISMS, SCHEMAS, read_json

INDEX = read_json(MECHANISMS / "index.json")
REPORT = Draft202012Validator(read_json(SCHEMAS / "report.schema.json"))
CERTIFICATE = Draft202012Validator(read_json(SCHEMAS / "certificate.schema.json"))
AUDITS = [
    pytest.param(entry["file"], audit, id=f"{entry['file']}-{'+'.join(audit['claims'])}")
    for entry in INDEX
    for audit in entry["audits"]
]


def run(file: str, *options: str) -> tuple[int, str]:
    """Exit code and output of the command."""
    result = CliRunner().invoke(cli, ["audit", str(MECHANISMS / file), *options], catch_exceptions=False)
    return result.exit_code, result.stdout


@pytest.mark.parametrize(("file", "audit"), AUDITS)
def test_audit_says_what_the_index_says(file: str, audit: dict[str, Any]) -> None:
    """Exit code, verdict, equality, tight values, total variation; a valid report; accepted certificates."""
    code, output = run(file, *(word for claim in audit["claims"] for word in ("--claim", claim)), "--json")
    report = json.loads(output)
    assert list(REPORT.iter_errors(report)) == []
    assert code == {"holds": 0, "refuted": 1}[audit["verdict"]]
    assert report["verdict"] == audit["verdict"]
    assert [claim["written"] for claim in report["claims"]] == audit["claims"]
    if len(audit["claims"]) == 1:
        assert report["equality"] == report["claims"][0]["equality"] == audit["equality"]
    found = report["claims"][0] | {"total_variation": report["total_variation"]}
    stated = ("tight_exp_epsilon", "tight_epsilon", "tight_delta", "total_variation")
    assert {key: found[key] for key in stated if key in audit} == {key: audit[key] for key in stated if key in audit}
    evidence = [*report["certificates"], *report["records"]]
    assert len(evidence) == len(report["results"]) == len(report["claims"]) * len(report["pairs"])
    for certificate in report["certificates"]:
        assert list(CERTIFICATE.iter_errors(certificate)) == []
        check(certificate)


@pytest.mark.parametrize("entry", INDEX, ids=lambda entry: entry["file"])
def test_summary_begins_with_the_verdict(entry: dict[str, Any]) -> None:
    """The first line of the summary tells the verdict of the first audit."""
    audit = entry["audits"][0]
    options = [word for claim in audit["claims"] for word in ("--claim", claim)]
    code, output = run(entry["file"], *options)
    assert audit["verdict"].upper() in output.splitlines()[0].upper()
    assert code == {"holds": 0, "refuted": 1}[audit["verdict"]]


def test_forms_of_one_table_have_one_parsed_hash() -> None:
    """The hash of what was parsed does not depend on the form of the file."""
    for names in (("warner_randomized_response", "json", "csv"), ("optimised_unary_encoding", "json", "csv")):
        files = [f"{names[0]}.{form}" for form in names[1:]]
        inputs = [json.loads(run(file, "--claim", "exp_eps=3", "--json")[1])["input"] for file in files]
        assert inputs[0]["parsed_sha256"] == inputs[1]["parsed_sha256"]
        assert inputs[0]["sha256"] != inputs[1]["sha256"]


def test_trade_off_claim(tmp_path: Path) -> None:
    """A curve as a claim: held where it is T itself, refuted just above; the report is valid either way."""
    curve = tmp_path / "curve.json"
    for corner, verdict in (("1/4", "holds"), ("0.2500001", "refuted")):
        curve.write_text(json.dumps({"breakpoints": [["0", "1"], [corner, corner], ["1", "0"]]}), encoding="utf-8")
        code, output = run("warner_randomized_response.csv", "--claim", f"curve={curve}", "--json")
        report = json.loads(output)
        assert list(REPORT.iter_errors(report)) == []
        assert (report["verdict"], code) == (verdict, {"holds": 0, "refuted": 1}[verdict])
        assert [check(certificate).kind for certificate in report["certificates"]] == [
            {"holds": "tradeoff_held", "refuted": "tradeoff_refuted"}[verdict]
        ]


def test_report_with_another_key_is_no_report() -> None:
    """The schema of the report is closed, at the top and inside."""
    report = json.loads(run("warner_randomized_response.json", "--claim", "exp_eps=2", "--json")[1])
    assert list(REPORT.iter_errors(report)) == []
    for place in (report, report["input"], report["claims"][0], report["pairs"][0], report["results"][0]):
        place["note"] = ""
        assert list(REPORT.iter_errors(report)) != []
        del place["note"]
        key = next(iter(place))
        removed = place.pop(key)
        assert list(REPORT.iter_errors(report)) != []
        place[key] = removed
