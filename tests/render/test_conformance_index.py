"""Several conformance runs as Markdown: counts, root causes and a line for each failing case."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from oracle.render.conformance_index import render
from oracle.render.conformance_libraries import Library, read_libraries
from tests.render.conformance_streams import hostile, write_libraries


@pytest.fixture
def index(tmp_path: Path) -> str:
    write_libraries(tmp_path)
    return render(read_libraries(tmp_path))


def rows_after(text: str, heading: str) -> list[list[str]]:
    """The rows of the first table after a heading, without its head."""
    table = re.search(r"(?:^\|.*\n)+", text[text.index(heading) :], re.MULTILINE)
    assert table is not None
    return [line[2:-2].split(" | ") for line in table[0].splitlines()[2:]]


def test_the_three_numbers_stand_in_a_row_for_each_library(index: str) -> None:
    """The name leads to the report of the run, where there is one."""
    other, some = rows_after(index, "## Three numbers")
    assert other[:3] == ["other 2", "CLEAN", "0 of 1"]
    assert some[:3] == [r"[some\-lower 1\.2\.3](./some-lower/report.md)", "FINDINGS", "3 of 7"]
    assert some[-1] == "1"


def test_the_matrix_counts_verdicts_the_worst_first(index: str) -> None:
    """A cell for each concept."""
    other, some = rows_after(index, "## Libraries and concepts")
    assert other == ["other 2", "1 sound", "not asked", "not asked", "not asked"]
    worst_first = "1 unsound, 1 wrong, 1 rounding, 1 crashed, 1 timeout, 1 errored, 1 inconclusive"
    assert some[1:] == ["not asked", f"{worst_first}, 2 sound, 1 loose, 1 declined", "1 sound", "1 declined"]


def test_each_failing_case_has_a_line_and_leads_to_its_cause(index: str) -> None:
    """Those that passed are not listed."""
    rows = rows_after(index, "### Cases that need a look")
    wrong_and_failed = ["unsound", "wrong", "crashed", "timeout", "errored", "unsound-rounding", "inconclusive"]
    assert [row[0] for row in rows] == wrong_and_failed
    assert rows[0][1:4] == ["`profile/unsound`", "`delta`", "1&#47;4"]
    assert rows[0][4:] == ["1&#47;4", r"\-1&#47;8, \+3 ulp", r"tiny\-delta"]


def test_a_root_cause_is_told_with_its_script(index: str) -> None:
    """Two sentences, the smallest input, the truth, the versions."""
    told = index[index.index("### Root causes") : index.index("### Broken laws")]
    for part in (
        r"**tiny\-delta** (failing\-open, unsound, 2 cases): A small delta becomes 0\.",
        '`delta {"epsilon": "1"}`',
        "`1e-40 to 1.1e-40`",
        "`somelib 1.2.3, numpy 2.4`",
        r"[tiny\-delta\.py](./some-lower/tiny-delta.py) and [tiny\-delta\.txt](./some-lower/tiny-delta.txt)",
    ):
        assert part in told


def test_what_a_subject_says_does_not_act() -> None:
    """No tag, link or emphasis, and the tables keep their columns."""
    text = render([Library(hostile(), "some")])
    assert "<script" not in text
    assert "<img" not in text
    assert "](javascript" not in text
    assert "\x1b" not in text
    assert {len(row) for row in rows_after(text, "### Cases that need a look")} == {7}
