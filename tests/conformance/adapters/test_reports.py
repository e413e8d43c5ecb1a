"""The committed conformance reports are of the suite as it is, complete, and what the streams beside them say."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from oracle.conformance.adapters.libraries import LIBRARIES
from oracle.conformance.cases import installed_suite
from oracle.conformance.known import read_known
from oracle.render import conformance_badge, conformance_markdown
from oracle.render.conformance_stream import Run, read_stream

REPORTS = Path(__file__).parents[3] / "reports/conformance"
NAMES = tuple(LIBRARIES)


def run_of(name: str) -> Run:
    stream = REPORTS / name / "stream.jsonl"
    return read_stream(stream.read_text(encoding="utf-8").splitlines(), str(stream))


@pytest.mark.parametrize("name", NAMES)
def test_a_report_is_of_the_suite_as_it_is(name: str) -> None:
    """The stream names the manifest of the installed suite and has an end."""
    lines = (REPORTS / name / "stream.jsonl").read_text(encoding="utf-8").splitlines()
    header, footer = json.loads(lines[0]), json.loads(lines[-1])
    assert header["manifest"] == installed_suite().digest
    assert (footer["event"], footer["complete"]) == ("footer", True)


@pytest.mark.parametrize("name", NAMES)
def test_the_views_say_what_the_stream_says(name: str) -> None:
    """Nothing is edited by hand, and every failure is listed as known."""
    run = run_of(name)
    assert (REPORTS / name / "report.md").read_text(encoding="utf-8") == conformance_markdown.render(run)
    assert (REPORTS / name / "badge.json").read_text(encoding="utf-8") == conformance_badge.render(run)
    known = read_known(REPORTS / name / "dp-oracle.toml")
    assert known.suite == installed_suite().version
