"""``oracle verify``: the checker as a command, with its exit codes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import oracle
from oracle.certificates.checker import Rejected
from tests.cli.process import ENVIRONMENT, run

WARNER = {"matrix": [["3/4", "1/4"], ["1/4", "3/4"]]}


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    file = tmp_path / "certificate.json"
    file.write_text(json.dumps(oracle.satisfies(WARNER, exp_epsilon=3).certificate), encoding="utf-8")
    return file


@pytest.fixture
def forged(tmp_path: Path, certificate: Path) -> Path:
    file = tmp_path / "forged.json"
    file.write_text(
        certificate.read_text(encoding="utf-8").replace('"exp_epsilon": "3"', '"exp_epsilon": "2"'), encoding="utf-8"
    )
    return file


def test_an_accepted_certificate_says_what_and_about_which_channel(certificate: Path) -> None:
    done = run("verify", str(certificate))
    assert (done.returncode, done.stderr) == (0, "")
    first, second = done.stdout.splitlines()
    assert first.startswith(f"accepted {certificate}: dp_held: The channel is differentially private with e^eps = 3")
    assert second == f"  channel sha256:{oracle.Channel(WARNER['matrix']).hash}"


def test_an_altered_certificate_is_rejected_with_1(forged: Path, certificate: Path) -> None:
    done = run("verify", str(certificate), str(forged))
    assert done.returncode == 1
    assert f"rejected {forged}: " in done.stdout
    assert f"accepted {certificate}: " in done.stdout


def test_as_json_there_is_one_object_for_each(forged: Path, certificate: Path) -> None:
    done = run("verify", "--json", str(certificate), str(forged))
    assert done.returncode == 1
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(item["file"], item["accepted"]) for item in found] == [(str(certificate), True), (str(forged), False)]
    assert found[0]["channels"] == [{"name": "channel", "sha256": oracle.Channel(WARNER["matrix"]).hash}]


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"\xff", b'{"certificate": "dp_held", "certificate": "x"}'])
def test_what_is_no_certificate_is_rejected_with_1(data: bytes, tmp_path: Path) -> None:
    file = tmp_path / "bad.json"
    file.write_bytes(data)
    done = run("verify", str(file))
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.startswith(f"rejected {file}: ")


def test_a_report_and_the_file_it_was_made_of(tmp_path: Path) -> None:
    table = tmp_path / "table.json"
    table.write_text(json.dumps({**WARNER, "inputs": ["yes", "no"]}), encoding="utf-8")
    oracle.audit(table, ["exp_eps=3", "exp_eps=2"], out=tmp_path / "out")
    report = str(tmp_path / "out" / "report.json")
    done = run("verify", report, "--input", str(table))
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert lines[0].startswith(
        f"accepted {report}: report: REFUTED, as certified: claim exp_eps=3 holds for ('yes', 'no'); "
        "claim exp_eps=2 refuted for ('yes', 'no'), direction both; "
    )
    assert lines[3].startswith(
        f"accepted {report}[1]: dp_refuted: claim exp_eps=2, pair ('yes', 'no'): The channel is not"
    )
    assert "for S = {column 0} with P(S) = 3/4" in lines[3]
    assert lines[5] == f"accepted {report}: input: The file given is the input of the report, byte for byte."
    table.write_text(json.dumps(WARNER), encoding="utf-8")
    done = run("verify", report, "--input", str(table))
    assert done.returncode == 1
    assert "rejected" in done.stdout.splitlines()[-1]
    assert "$.input.sha256" in done.stdout.splitlines()[-1]
    assert run("verify", report, "--input", str(tmp_path / "none")).returncode == 2
    assert run("verify", report, report, "--input", str(table)).returncode == 2


def test_records_are_unverified_with_3(tmp_path: Path) -> None:
    mechanism = {"mechanism": "gaussian", "sigma": "1"}
    oracle.audit(mechanism, "eps=1,delta=1/5", out=tmp_path)
    report, record = str(tmp_path / "report.json"), str(tmp_path / "record-01.json")
    done = run("verify", report, record)
    assert (done.returncode, done.stderr) == (3, "")
    first, second = done.stdout.splitlines()
    assert first == (
        f"unverified {report}: no certificate; 1 record of enclosures says HOLDS: make it again with: "
        "oracle audit input.json --claim eps=1,delta=1/5"
    )
    assert second.startswith(
        f"unverified {record}: no certificate, but a record of enclosures: make it again with: echo "
    )
    document = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    (tmp_path / "report.json").write_text(json.dumps({**document, "verdict": "refuted"}), encoding="utf-8")
    assert run("verify", report, record).returncode == 1
    found = json.loads(run("verify", "--json", record).stdout)
    assert (found["accepted"], found["unverified"]) == (False, True)
    verdict = oracle.satisfies(mechanism, epsilon=1, delta="1/5")
    assert (verdict.certificate, verdict.record["record"]) == (None, "enclosure")
    with pytest.raises(Rejected, match="this is a record of enclosures"):
        oracle.verify(verdict.record)


def test_a_table_is_told_from_a_certificate(tmp_path: Path) -> None:
    file = tmp_path / "table.json"
    file.write_text(json.dumps(WARNER), encoding="utf-8")
    done = run("verify", str(file))
    assert done.returncode == 1
    assert "this is a table, not a certificate: use oracle audit" in done.stdout


def test_a_missing_file_is_2(tmp_path: Path) -> None:
    done = run("verify", str(tmp_path / "none.json"))
    assert (done.returncode, done.stdout) == (2, "")
    assert "none.json" in done.stderr


def test_no_file_is_bad_usage() -> None:
    assert run("verify").returncode == 2


def test_a_file_whose_name_starts_with_a_dash_is_a_file(tmp_path: Path, certificate: Path) -> None:
    odd = tmp_path / "--json"
    odd.write_bytes(certificate.read_bytes())
    done = run("verify", "--", "--json", cwd=tmp_path)
    assert done.returncode == 0
    assert done.stdout.startswith("accepted --json: dp_held")


def test_the_checker_alone_says_the_same(certificate: Path, forged: Path) -> None:
    for file in (certificate, forged):
        alone = subprocess.run(
            [sys.executable, "-m", "oracle.certificates.checker", str(file)],
            capture_output=True,
            text=True,
            env=ENVIRONMENT,
            check=False,
        )
        done = run("verify", str(file))
        assert (alone.returncode, alone.stdout, alone.stderr) == (done.returncode, done.stdout, done.stderr)
