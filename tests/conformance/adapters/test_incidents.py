"""The committed list of public reports says of each what the committed streams say."""

from __future__ import annotations

import json
import re

import pytest

from tests.conformance.adapters.findings import REPORTS

ROW = re.compile(r"\| `([a-z0-9-]+)` \| `([a-z0-9/-]+)` \| ([a-z-]+) \|")
ROWS = ROW.findall((REPORTS / "incidents.md").read_text(encoding="utf-8"))


def verdicts(name: str) -> dict[str, str]:
    lines = (REPORTS / name / "stream.jsonl").read_text(encoding="utf-8").splitlines()
    return {event["case"]: event["verdict"] for event in map(json.loads, lines) if event["event"] == "result"}


@pytest.mark.parametrize("name", sorted({row[0] for row in ROWS}))
def test_the_verdicts_are_those_of_the_stream(name: str) -> None:
    """For each row about a library."""
    stream = verdicts(name)
    assert [row for row in ROWS if row[0] == name] == [
        (name, case, stream.get(case)) for library, case, _ in ROWS if library == name
    ]


def test_the_list_has_its_rows() -> None:
    """Fourteen that show and eleven that do not."""
    assert len(ROWS) == 25
