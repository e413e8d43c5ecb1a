"""Every mechanism of the fixtures: the report validates, and its certificates pass the checker on their own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator

from oracle.cli.audit import audit
from tests.vectors.fixture_files import MECHANISMS, SCHEMAS, read_json

ROOT = Path(__file__).parents[2]
INDEX = read_json(MECHANISMS / "index.json")
REPORT = Draft202012Validator(read_json(SCHEMAS / "report.schema.json"))
CERTIFICATE = Draft202012Validator(read_json(SCHEMAS / "certificate.schema.json"))
CODES = {"holds": 0, "refuted": 1}
CURVE = {"breakpoints": [["0", "9/10"], ["1/4", "1/8"], ["1", "0"]]}


def reports(folder: Path) -> list[Path]:
    """Write the report of every audit of the index and of two more claims, and check the verdicts."""
    curve = folder / "curve.json"
    curve.write_text(json.dumps(CURVE))
    found = []
    for entry in INDEX:
        asked = [*entry["audits"], {"claims": [f"curve={curve}"]}, {"claims": ["eps=1/3,delta=1/7"]}]
        for k, stated in enumerate(asked):
            target = folder / f"{entry['file']}-{k}"
            claims = [word for claim in stated["claims"] for word in ("--claim", claim)]
            result = CliRunner().invoke(audit, [str(MECHANISMS / entry["file"]), *claims, "--out", str(target)])
            document = read_json(target / "report.json")
            verdict = document["verdict"]
            assert verdict == stated.get("verdict", verdict)
            assert result.exit_code == CODES[verdict]
            assert result.stdout.startswith(verdict.upper())
            found.append(target / "report.json")
    return found


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """The reports, written once."""
    return reports(tmp_path_factory.mktemp("reports"))


@pytest.mark.slow
def test_reports_validate(written):
    """Each report against its closed schema, each certificate against its own."""
    for path in written:
        document = read_json(path)
        assert list(REPORT.iter_errors(document)) == []
        for certificate in document["certificates"]:
            assert list(CERTIFICATE.iter_errors(certificate)) == []
        files = sorted(path.parent.glob("certificate-*.json"))
        assert [read_json(file) for file in files] == document["certificates"]


def test_schema_of_the_report_is_closed(written):
    """One more key anywhere, or one less, is refused."""
    document = read_json(written[0])
    places = [document, document["input"], document["claims"][0], document["pairs"][0], document["results"][0]]
    for place in [*places, document["results"][0]["evidence"], document["pairs"][0]["tradeoff"]]:
        place["note"] = "1"
        assert list(REPORT.iter_errors(document)) != []
        del place["note"]
        key = next(iter(place))
        value = place.pop(key)
        assert list(REPORT.iter_errors(document)) != []
        place[key] = value
    assert list(REPORT.iter_errors(document)) == []


def test_checker_accepts_every_certificate(written):
    """In a process of its own, from the files alone; reports of continuous laws have records and nothing to check."""
    certified = [path for path in written if read_json(path)["certificates"]]
    assert all(read_json(path)["records"] for path in written if path not in certified)
    command = [sys.executable, "-m", "oracle.certificates.checker", "--json", *map(str, certified)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    outcomes = [json.loads(line) for line in done.stdout.splitlines()]
    # One more for each report as a whole.
    assert len(outcomes) == len(certified) + sum(len(read_json(path)["certificates"]) for path in written)
    assert all(outcome["accepted"] for outcome in outcomes)


def test_checker_rejects_a_report_with_one_changed_certificate(written, tmp_path):
    """A report is as good as its certificates."""
    document = read_json(written[0])
    document["certificates"][0]["version"] = 2
    path = tmp_path / "report.json"
    path.write_text(json.dumps(document))
    command = [sys.executable, "-m", "oracle.certificates.checker", str(path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1


def test_checker_names_the_channel_as_the_report_does(written):
    """The hash of a pair is the one that the checker prints, for rational and irrational probabilities."""
    certified = [path for path in written if read_json(path)["certificates"]]
    for path in (certified[0], certified[-1]):
        command = [sys.executable, "-m", "oracle.certificates.checker", "--json", str(path)]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
        outcome = json.loads(done.stdout.splitlines()[1])
        assert outcome["channels"][0]["sha256"] == read_json(path)["pairs"][0]["sha256"]
