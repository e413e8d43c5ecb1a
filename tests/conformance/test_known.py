"""The file of known failures."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle.conformance.known import Known, KnownEntry, known_text, read_known
from oracle.errors import InputError

GOOD = """
suite = "2026.12"
[[known]]
case = "hockey-stick/disjoint-*"
verdict = "errored"
reason = "IndexError"
issue = "https://example.org/1"
[[known]]
case = "law:delta-decreasing:a+b"
verdict = "broken"
reason = "noise"
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "dp-oracle.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_entries_are_ids_and_patterns(tmp_path: Path) -> None:
    """The first that matches counts; an issue may be left out."""
    known = read_known(written(tmp_path, GOOD))
    assert known.suite == "2026.12"
    entry = known.entry("hockey-stick/disjoint-3")
    assert entry is not None
    assert (entry.verdict, entry.issue) == ("errored", "https://example.org/1")
    assert known.entry("hockey-stick/other") is None
    law = known.entry("law:delta-decreasing:a+b")
    assert law is not None
    assert law.issue == ""


def test_an_entry_that_matches_nothing_is_refused(tmp_path: Path) -> None:
    """As is another suite; laws are looked at after the run."""
    known = read_known(written(tmp_path, GOOD))
    known.require_used("2026.12", ["hockey-stick/disjoint-1", "other"])
    with pytest.raises(InputError, match="disjoint"):
        known.require_used("2026.12", ["other"])
    with pytest.raises(InputError, match=r"2027\.1"):
        known.require_used("2027.1", ["hockey-stick/disjoint-1"])


@pytest.mark.parametrize(
    "text",
    [
        "",
        "suite = 3",
        'suite = "1"\nextra = 1',
        'suite = "1"\nknown = 3',
        'suite = "1"\nknown = [3]',
        'suite = "1"\n[[known]]\ncase = "a"\nverdict = "errored"',
        'suite = "1"\n[[known]]\ncase = "a"\nverdict = "bad"\nreason = "r"',
        'suite = "1"\n[[known]]\ncase = ""\nverdict = "errored"\nreason = "r"',
        'suite = "1"\n[[known]]\ncase = "a"\nverdict = "errored"\nreason = "r"\nissue = 1',
        'suite = "1"\n[[known]]\ncase = "a"\nverdict = "errored"\nreason = "r"\nwhy = "x"',
        GOOD + GOOD.partition("\n[[known]]")[1] + GOOD.partition("\n[[known]]")[2],
        "suite = ",
    ],
)
def test_a_malformed_file_is_refused(tmp_path: Path, text: str) -> None:
    """With its place."""
    with pytest.raises(InputError, match=r"dp-oracle\.toml"):
        read_known(written(tmp_path, text))


FAILURE = {"event": "result", "case": "delta/e2", "verdict": "unsound", "reason": None, "gap": {"decimal": "-0.1"}}


def test_where_there_is_no_file_the_command_that_makes_it_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="oracle known --write makes, got none"):
        read_known(tmp_path / "dp-oracle.toml")


def test_what_is_written_reads_back(tmp_path: Path) -> None:
    """Reason and gap are in it; earlier reasons and issues are kept while the verdict is the same."""
    law = {"event": "law", "id": "law:tradeoff-convex:a+b+c", "verdict": "broken", "reason": "not convex", "gap": None}
    known = read_known(written(tmp_path, known_text("2026.12", [FAILURE, law])))
    assert known.entries == (
        KnownEntry("delta/e2", "unsound", "answer - truth = -0.1"),
        KnownEntry("law:tradeoff-convex:a+b+c", "broken", "not convex"),
    )
    before = Known(
        "2026.12", (KnownEntry("delta/*", "unsound", "mine", "https://x"), KnownEntry("law:*", "holds", "old"))
    )
    again = read_known(written(tmp_path, known_text("2026.12", [FAILURE, law], before)))
    assert again.entries[0] == KnownEntry("delta/e2", "unsound", "mine", "https://x")
    assert again.entries[1].reason == "not convex"


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30))
def test_any_reason_survives_toml(reason: str) -> None:
    """Quotes, backslashes, control characters and line breaks."""
    text = known_text("2026.12", [{**FAILURE, "gap": None, "reason": reason}])
    assert tomllib.loads(text)["known"][0]["reason"] == reason
