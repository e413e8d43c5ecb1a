"""The command that compares two reports."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from oracle.audits.run import audit
from oracle.cli.diff import diff
from oracle.errors import InputError
from oracle.render.audit_html import render

FAIR = {"matrix": [["3/4", "1/4"], ["1/4", "3/4"]]}
WIDER = {"matrix": [["4/5", "1/5"], ["1/5", "4/5"]]}


def written(folder: Path, name: str, table: dict) -> str:
    """A report, or the page of one, in a file."""
    report = audit(table, "exp_eps=3")
    text = render(report.document) if name.endswith(".html") else report.to_text()
    (folder / name).write_text(text, encoding="utf-8")
    return str(folder / name)


def called(*arguments: str) -> Result:
    return CliRunner().invoke(diff, arguments)


def test_reports_that_say_the_same(tmp_path):
    """Exit 0, a page against the report inside another."""
    result = called(written(tmp_path, "a.json", FAIR), written(tmp_path, "b.html", FAIR))
    assert (result.exit_code, result.stdout) == (0, "The reports say the same.\n")


def test_what_changed_is_told(tmp_path):
    """Exit 1; the verdict comes first."""
    files = written(tmp_path, "a.json", FAIR), written(tmp_path, "b.json", WIDER)
    result = called(*files)
    assert result.exit_code == 1
    assert result.stdout.splitlines()[2].split() == ["verdict", "holds", "refuted"]
    found = json.loads(called(*files, "--json").stdout)["differences"]
    assert found[0] == {"field": "verdict", "old": "holds", "new": "refuted"}


@pytest.mark.parametrize("text", ["{}", "no JSON", '{"certificate": "dp_held"}', "<!DOCTYPE html><p>nothing</p>"])
def test_what_is_no_report_is_refused(tmp_path, text):
    """With the file's name."""
    (tmp_path / "x").write_text(text, encoding="utf-8")
    result = called(written(tmp_path, "a.json", FAIR), str(tmp_path / "x"))
    assert isinstance(result.exception, InputError)
    assert "an audit report that the checker accepts" in str(result.exception)


def test_a_report_that_was_changed_is_refused(tmp_path):
    """Nothing is compared with it."""
    file = written(tmp_path, "a.json", FAIR)
    Path(file).write_text(Path(file).read_text(encoding="utf-8").replace('"holds"', '"refuted"'), encoding="utf-8")
    result = called(file, file)
    assert "the report was changed" in str(result.exception)


def test_a_page_that_shows_something_else_is_refused(tmp_path):
    """Though the report inside it is the same."""
    page = Path(written(tmp_path, "a.html", FAIR))
    page.write_text(page.read_text(encoding="utf-8").replace("<h1>HOLDS", "<h1>REFUTED"), encoding="utf-8")
    result = called(written(tmp_path, "b.json", FAIR), str(page))
    assert "a page that shows the report inside it" in str(result.exception)
