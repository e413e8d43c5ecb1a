"""Pages, declared facts, statements and registry records through the command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from oracle.cli.audit import audit
from oracle.cli.verify import verify
from oracle.errors import InputError
from oracle.fixtures import fixture

TABLE = {"matrix": [["3/4", "1/4"], ["1/4", "3/4"]], "outputs": ["yes", "no"]}


def called(*arguments: str) -> Result:
    return CliRunner().invoke(audit, arguments)


@pytest.fixture
def table(tmp_path: Path) -> str:
    """A table in a file."""
    (tmp_path / "table.json").write_text(json.dumps(TABLE), encoding="utf-8")
    return str(tmp_path / "table.json")


def test_the_page_that_is_written_verifies(table, tmp_path):
    """By the report inside it and by what it shows; against the input too."""
    out = tmp_path / "out"
    assert called(table, "--claim", "exp_eps=3", "--out", str(out)).exit_code == 0
    result = CliRunner().invoke(verify, [str(out / "report.html"), "--input", table])
    assert result.exit_code == 0
    assert result.stdout.splitlines()[-1].endswith("The page shows the report inside it, character for character.")


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("<h1>HOLDS", "<h1>REFUTED", "the page does not show the report inside it"),
        ('"holds"', '"refuted"', "the report was changed"),
        ("</main>", "<script>alert(1)</script></main>", "no script beside"),
        ('id="report"', 'id="other"', "a page with one report in it"),
    ],
)
def test_a_page_that_was_changed_is_rejected(table, tmp_path, old, new, told):
    """What it shows, what it holds, and anything that would run."""
    called(table, "--claim", "exp_eps=3", "--out", str(tmp_path / "out"))
    page = tmp_path / "out" / "report.html"
    page.write_text(page.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    result = CliRunner().invoke(verify, [str(page)])
    assert result.exit_code == 1
    assert told in result.stdout
    assert json.loads(CliRunner().invoke(verify, [str(page), "--json"]).stdout.splitlines()[-1])["accepted"] is False


def test_a_byte_that_is_no_text_is_a_difference(table, tmp_path):
    """Rejected, not a fault."""
    called(table, "--claim", "exp_eps=3", "--out", str(tmp_path / "out"))
    page = tmp_path / "out" / "report.html"
    page.write_bytes(page.read_bytes().replace(b"</body>", b"\xff</body>"))
    result = CliRunner().invoke(verify, [str(page)])
    assert result.exit_code == 1
    assert "the page does not show the report inside it" in result.stdout


def test_a_page_of_another_version_cannot_be_compared(table, tmp_path, monkeypatch):
    """Its report is checked, what it shows is not: exit 3."""
    called(table, "--claim", "exp_eps=3", "--out", str(tmp_path / "out"))
    monkeypatch.setattr("oracle.__version__", "99.0")
    result = CliRunner().invoke(verify, [str(tmp_path / "out" / "report.html")])
    assert result.exit_code == 3
    assert "unverified" in result.stdout.splitlines()[-1]


def test_declared_facts_are_in_every_view(table, tmp_path):
    """Named as declared and not checked; the report says how the same is declared again."""
    out = tmp_path / "out"
    (tmp_path / "facts.toml").write_text('unit = "one user"\n', encoding="utf-8")
    facts = ("--declare", str(tmp_path / "facts.toml"), "--declare", "setting=Central")
    result = called(table, "--claim", "exp_eps=3", *facts, "--out", str(out))
    assert "declared          2 facts, not checked" in result.stdout
    assert "- privacy unit&#58; one user" in (out / "report.md").read_text(encoding="utf-8")
    page = (out / "report.html").read_text(encoding="utf-8")
    assert "<li>privacy unit: one user</li>" in page
    assert "<dt>privacy unit (declared)</dt><dd>one user</dd>" in page
    document = json.loads((out / "report.json").read_text(encoding="utf-8"))
    assert document["recheck"][-1] == "oracle audit input.json --claim exp_eps=3 --declare declared.json"
    again = called(str(out / "input.json"), "--claim", "exp_eps=3", "--declare", str(out / "declared.json"), "--json")
    assert json.loads(again.stdout)["declared"] == document["declared"]


def test_a_statement_is_written_beside_the_report(table, tmp_path):
    """About the very bytes of report.json."""
    out = tmp_path / "out"
    assert called(table, "--claim", "exp_eps=3", "--out", str(out), "--statement").exit_code == 0
    statement = json.loads((out / "statement.json").read_text(encoding="utf-8"))
    assert statement["subject"][0]["name"] == "report.json"
    # A later audit without one leaves none behind.
    assert called(table, "--claim", "exp_eps=3", "--out", str(out)).exit_code == 0
    assert not (out / "statement.json").exists()


def test_a_statement_needs_a_place(table):
    """It is a file."""
    result = called(table, "--claim", "exp_eps=3", "--statement")
    assert isinstance(result.exception, InputError)
    assert "--out DIR" in str(result.exception)


@pytest.mark.parametrize(
    ("name", "code", "word"),
    [
        ("google_mobility", 0, "CONSISTENT"),
        ("census_demographic_and_housing", 1, "INCONSISTENT"),
        ("apple_iconic_scenes", 1, "INCONSISTENT"),
        ("uber", 3, "INCOMPLETE"),
    ],
)
def test_records_of_the_registry(name, code, word):
    """The exit code says whether the numbers agree."""
    path = str(fixture(f"registry/{name}.yaml"))
    result = called(path)
    assert result.exit_code == code
    assert result.stdout.startswith(f"{word}: {name}.yaml")
    assert json.loads(called(path, "--json").stdout)["verdict"] == word.lower()


def test_a_record_stands_alone():
    """No claims and no report of it."""
    path = str(fixture("registry/uber.yaml"))
    assert isinstance(called(path, "--claim", "eps=1").exception, InputError)
    assert isinstance(called(path, "--out", "x").exception, InputError)
