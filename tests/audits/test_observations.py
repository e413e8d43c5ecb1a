"""Reading observations: one value whatever the form, what is taken for counts, and what is left to tables."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from gmpy2 import mpq

from oracle.audits.observations import observations_from_bytes, read_observations, to_json
from oracle.errors import InputError
from oracle.statistics.counts import CanaryScores, CountTable, PairCounts
from oracle.statistics.events import Count, EventCounts
from oracle.statistics.one_run import OneRun
from tests.vectors.fixture_files import MECHANISMS

TABLE = CountTable(("a", "b"), (3, 1), (0, 5), ((1, 2), (3, 4)))
CASES = [
    (
        "csv",
        "outcome,n_on_D,n_on_Dprime,choose_on_D,choose_on_Dprime\na,3,0,1,3\nb,1,5,2,4\n",
        {
            "outcomes": ["a", "b"],
            "on_D": [3, 1],
            "on_Dprime": [0, 5],
            "choose_on_D": [1, 2],
            "choose_on_Dprime": [3, 4],
        },
        TABLE,
    ),
    ("csv", "TP,FP,TN,FN\n3,1,4,2\n", {"TP": 3, "FP": 1, "TN": 4, "FN": 2}, EventCounts(Count(3, 5), Count(1, 5))),
]


@pytest.mark.parametrize(("form", "text", "value", "seen"), CASES)
def test_lines_and_json_are_the_same(form, text, value, seen):
    """The same counts and the same hash as parsed; columns in any order, names in any case, TSV as CSV."""
    first = observations_from_bytes(text.encode(), "f", form=form)
    second = observations_from_bytes(json.dumps(value).encode(), "f")
    assert first.seen == second.seen == read_observations(value).seen == seen
    assert first.parsed_sha256 == second.parsed_sha256 == read_observations(seen).parsed_sha256
    assert first.confusion is second.confusion is ("TP" in value)
    assert first.sha256 != second.sha256
    columns = [line.split(",")[::-1] for line in text.splitlines()]
    turned = "\r\n".join("\t".join(line) for line in [[cell.upper() for cell in columns[0]], *columns[1:]])
    assert observations_from_bytes(b"\xef\xbb\xbf" + turned.encode(), "f", form="tsv").seen == seen


@pytest.mark.parametrize(
    "seen",
    [
        TABLE,
        EventCounts(Count(3, 5), Count(1, 9)),
        OneRun(10, 5, 3),
        PairCounts(1, 2, 3, 4),
    ],
)
def test_what_is_written_is_read(seen):
    """The canonical JSON of what was seen is a form of input."""
    value = to_json(seen)
    assert read_observations(value).seen == seen
    assert read_observations(seen).to_json() == value
    assert json.loads(read_observations(seen).data) == value


def test_scores_are_exact():
    """Decimals are decimals; members by word, digit or truth value; other names of the columns."""
    text = "in/out,identifier,score\nIN,x,0.1\n0,y,1/3\ntrue,z,-1e-3\n"
    found = observations_from_bytes(text.encode(), "f", form="csv").seen
    assert found == CanaryScores(("x", "y", "z"), (True, False, True), (mpq(1, 10), mpq(1, 3), mpq(-1, 1000)))
    assert to_json(found) == {"canaries": [["x", "in", "1/10"], ["y", "out", "1/3"], ["z", "in", "-1/1000"]]}


@pytest.mark.parametrize("path", sorted(MECHANISMS.iterdir()), ids=lambda path: path.name)
def test_probabilities_are_not_taken_for_counts(path):
    """Unless it is said that they are counts."""
    assert read_observations(path, certain=False) is None
    with pytest.raises(InputError):
        read_observations(path)


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("outcome,TP,FP\na,1/2,1/2\nb,1/2,1/2\n", "csv"),
        ("outcome,score,TP,FP,TN,FN\na,1,1,1,1,1\n", "csv"),
        ("\xff", "csv"),
        ("[1]", None),
        ('{"both": 1}', None),
        ("", "csv"),
    ],
)
def test_what_looks_otherwise_is_left_to_tables(text, form):
    """None, so that the reader of tables says what is wrong."""
    assert observations_from_bytes(text.encode("latin-1"), "f", form=form, certain=False) is None


def test_the_name_of_a_file_is_its_last_part(tmp_path: Path):
    """Not where it lies, and cut where it is long."""
    path = tmp_path / ("x" * 180 + ".json")
    path.write_text('{"m": 3, "guesses": 2, "correct": 1}')
    found = read_observations(path)
    assert (found.name, found.form) == (path.name, "json")
    assert read_observations({"m": 3, "guesses": 2, "correct": 1}).name == "(Python value)"


def test_bytes_that_are_no_text():
    """Named with their offset."""
    with pytest.raises(InputError, match=r"f: expected UTF-8 text, got the byte 0xff at offset 1"):
        observations_from_bytes(b"{\xff}", "f")
