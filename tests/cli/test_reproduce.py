"""``oracle reproduce``."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from oracle.certificates.checker import check
from oracle.cli.reproduce import reproduce
from oracle.errors import InputError, MissingExtraError
from tests.cli.process import run

PAPER = "fernandes2025"


def test_without_a_paper_the_papers_are_listed() -> None:
    """Key and title, or both as JSON."""
    done = run("reproduce")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"{PAPER}  Fernandes")
    assert PAPER in json.loads(run("reproduce", "--json").stdout)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("no-such",), "one of the papers"),
        ((PAPER, "--only", "no-such"), "--only"),
        ((PAPER, "--only", "E-ced", "--subject", "no-such"), "one of the subjects float64"),
    ],
)
def test_unknown_names_are_bad_input(arguments: tuple[str, ...], message: str) -> None:
    """Exit 2, and nothing on stdout."""
    done = run("reproduce", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr


def test_a_claim_is_reproduced_with_its_figure(tmp_path: Path) -> None:
    """Table, errata, certificates, and the figure with its data, linked from both texts."""
    done = run("reproduce", PAPER, "--only", "Fig9", "--json", "--out", str(tmp_path))
    assert done.returncode == 0, done.stderr
    (row,) = json.loads(done.stdout)["claims"]
    assert (row["id"], row["status"], row["rederived"]) == ("Fig9", "false_as_stated", "false_as_stated")
    written = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()}
    assert {"claims.md", "claims.json", "errata.md", "figures/fig-9.svg", "figures/fig-9.csv"} <= written
    assert not any("fig-2" in name for name in written)
    for name in ("claims.md", "errata.md"):
        text = (tmp_path / name).read_text(encoding="utf-8")
        assert "figures/fig-9.svg" in text
        assert "figures/fig-9.csv" in text
        assert "3/25 too high" in text
    for path in (tmp_path / "certificates").iterdir():
        found = check(json.loads(path.read_text(encoding="utf-8")))
        assert found.statement.endswith("About: 'fernandes2025/Fig9' (not checked).")


def test_a_float_subject_has_findings(tmp_path: Path) -> None:
    """Exit 1, and a report with a shrunk input for each law that breaks."""
    done = run("reproduce", PAPER, "--only", "E-ced", "--subject", "float64", "--json", "--out", str(tmp_path))
    assert done.returncode == 1
    found = json.loads(done.stdout)
    assert found == json.loads((tmp_path / "float64.json").read_text(encoding="utf-8"))
    broken = [row for row in found["laws"] if row["verdict"] in {"rounding", "material"}]
    assert broken
    text = (tmp_path / "float64.md").read_text(encoding="utf-8")
    for row in broken:
        assert row["example"]
        assert row["excess_decimal"] in text
    assert {"float64.json", "float64.md"} == {path.name for path in tmp_path.iterdir()}


def test_a_float_subject_without_findings_exits_0() -> None:
    """A claim whose laws hold for doubles too; nothing is written without --out."""
    done = run("reproduce", PAPER, "--only", "Q1", "--subject", "float64")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("1 holds\n")


@pytest.mark.parametrize("module", ["hypothesis", "matplotlib"])
def test_without_an_extra_nothing_is_run(module: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both extras of --out are named before the first claim, whichever is missing, and nothing is written."""
    monkeypatch.setitem(sys.modules, module, None)
    result = CliRunner().invoke(reproduce, [PAPER, "--only", "Fig9", "--out", str(tmp_path)])
    assert isinstance(result.exception, MissingExtraError)
    assert result.exception.extras == ("conformance", "report")
    assert not result.stdout
    assert not list(tmp_path.iterdir())


def test_figures_are_not_needed_without_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Running the claims needs the extra conformance alone."""
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    result = CliRunner().invoke(reproduce, [PAPER, "--only", "E-ced", "--jobs", "1"])
    assert result.exit_code == 0
    monkeypatch.setitem(sys.modules, "hypothesis", None)
    result = CliRunner().invoke(reproduce, [PAPER])
    assert isinstance(result.exception, MissingExtraError)
    assert result.exception.extras == ("conformance",)


@pytest.mark.parametrize("place", ["file", "file/below", ""])
def test_a_place_that_cannot_be_written_to_is_refused_before_anything_runs(tmp_path, monkeypatch, place) -> None:
    (tmp_path / "file").write_text("mine")
    monkeypatch.setattr("oracle.laws.reproduce.run_claims", lambda *_: pytest.fail("it ran"))
    out = str(tmp_path / place) if place else ""
    done = CliRunner().invoke(reproduce, ["fernandes2025", "--out", out])
    assert isinstance(done.exception, InputError) or done.exit_code == 2
    assert (tmp_path / "file").read_text() == "mine"
