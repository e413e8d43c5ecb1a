"""The committed searches are complete, and the page about them, and the list of public reports, say what they found."""

from __future__ import annotations

import json
import re

import pytest

from oracle.conformance.adapters.libraries import LIBRARIES
from tests.conformance.adapters.searches import PAGE, REPORTS, page, search_of
from tests.conformance.adapters.test_incidents import ROWS

FOUND = re.compile(r"^\| (.+) \| `([a-z0-9-]+)` \| `([a-z0-9-]+)` \| ([^|]+) \|$", re.MULTILINE)
AGAIN = FOUND.findall((REPORTS / "incidents.md").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", LIBRARIES)
def test_a_search_has_come_to_its_end(name: str) -> None:
    """It judged questions of the library, in the version of the report beside it."""
    found = search_of(name)
    header = json.loads((REPORTS / name / "stream.jsonl").read_text(encoding="utf-8").splitlines()[0])
    assert found["campaign"] == "fuzz"
    assert found["judged"] > 0
    assert found["exit"] == bool(found["findings"])
    assert [found["subject"][key] for key in ("name", "version")] == [
        header["subject"][key] for key in ("name", "version")
    ]


def test_the_page_says_what_the_searches_found() -> None:
    """Nothing is edited by hand."""
    assert PAGE.read_text(encoding="utf-8") == page()


@pytest.mark.parametrize(("name", "slug"), [(name, slug) for _, name, slug, _ in AGAIN])
def test_a_report_that_is_found_again_is_among_the_findings(name: str, slug: str) -> None:
    """By its cause, in the search of the library."""
    assert slug in {entry["slug"] for entry in search_of(name)["findings"]}


def test_at_least_half_of_what_still_shows_is_found_again() -> None:
    """Of the fourteen rows that show."""
    showing = {name for name, _, _ in ROWS[:14]}
    assert len(AGAIN) >= 7
    assert {name for _, name, _, _ in AGAIN} <= showing
