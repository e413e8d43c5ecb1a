"""The committed reports: everything that has certificates verifies, and each comes from the command that is given."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from oracle.certificates.checker import Accepted, check_all
from oracle.cli.audit import audit
from oracle.cli.verify import verify

ROOT = Path(__file__).parent.parent
REPORTS = ROOT / "reports"
README = (REPORTS / "README.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"(?:`|^    )(oracle [^`\n]+)", README, re.MULTILINE)
CERTIFIED = sorted(
    {*REPORTS.rglob("report.json"), *REPORTS.rglob("certificate-*.json"), *REPORTS.glob("*/certificates/*")}
)


def name(path: Path) -> str:
    return str(path.relative_to(REPORTS))


@pytest.mark.parametrize("path", CERTIFIED, ids=name)
def test_every_report_and_certificate_verifies(path: Path) -> None:
    assert all(isinstance(outcome, Accepted) for _, outcome in check_all(path.read_bytes()))


def test_there_are_audits_among_them() -> None:
    assert {"audits/opendp-480/report.json", "audits/truncated-discrete-laplace/report.json"} <= {*map(name, CERTIFIED)}


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_names_what_is_there(command: str) -> None:
    paths = [word for word in shlex.split(command) if word.startswith(("fixtures/", "reports/"))]
    assert all(list(ROOT.glob(path)) for path in paths)


@pytest.mark.parametrize("folder", sorted(path.parent for path in REPORTS.rglob("report.json")), ids=name)
def test_the_command_of_an_audit_makes_the_same_files(folder: Path, tmp_path: Path, monkeypatch) -> None:
    (command,) = [words for words in map(shlex.split, COMMANDS) if words[-1] == str(folder.relative_to(ROOT))]
    monkeypatch.chdir(ROOT)
    result = CliRunner().invoke(audit, [*command[2:-1], str(tmp_path)])
    assert result.exit_code in {0, 1}
    found = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert found == {path.name: path.read_bytes() for path in folder.iterdir()}
    assert CliRunner().invoke(verify, [str(folder / "report.json"), "--input", command[2]]).exit_code == 0
