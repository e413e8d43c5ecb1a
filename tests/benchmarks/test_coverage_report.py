"""The committed table of levels: ours keep theirs, and its numbers are made again."""

from __future__ import annotations

import csv
import itertools
from fractions import Fraction
from pathlib import Path

import pytest

from tests.benchmarks.coverage.__main__ import markdown, table
from tests.benchmarks.coverage.rows import OURS, PEER, rows

FOLDER = Path(__file__).parents[2] / "reports" / "statistics"
COMMITTED = list(csv.DictReader((FOLDER / "coverage.csv").read_text(encoding="utf-8").splitlines()))


def test_every_test_on_offer_keeps_its_level():
    """What was found, and what is proved of all else."""
    ours = [row for row in COMMITTED if row["source"] == OURS]
    assert len(ours) > 20
    for row in ours:
        assert Fraction(row["found"]) <= Fraction(row["proved_at_most"] or row["found"]) <= Fraction(row["nominal"])
        assert row["keeps_its_level"] == "yes"


def test_published_rates_of_the_best_threshold():
    """0.1745, 0.3584 and 0.4050 for 20, 100 and 1,000 canaries."""
    rates = [Fraction(row["found"]) for row in COMMITTED if row["method"].endswith("same scores, nothing paid")]
    assert [round(rate * 10_000) for rate in rates] == [1745, 3584, 4050]


def test_the_first_rows_are_made_again():
    """The bounds and the tests of two counts, exactly as committed."""
    made = list(csv.DictReader(table(list(itertools.islice(rows(), 8))).splitlines()))
    assert made == COMMITTED[:8]


@pytest.mark.slow
def test_the_whole_table_is_made_again():
    """Both files, byte for byte."""
    found = list(rows())
    assert {row.source for row in found} == {OURS, PEER}
    assert table(found) == (FOLDER / "coverage.csv").read_text(encoding="utf-8")
    assert markdown(found) == (FOLDER / "coverage.md").read_text(encoding="utf-8")
