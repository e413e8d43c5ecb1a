"""The engine answers the lines of fixtures/vectors/contract.jsonl."""

from __future__ import annotations

import copy

import pytest

from tests.vectors.contract_judge import complaints
from tests.vectors.fixture_files import VECTORS, read_lines

LINES = read_lines(VECTORS / "contract.jsonl")
BY_ID = {line["request"]["id"]: line for line in LINES}

LATER: dict[str, str] = {}
"""Lines about an op or a node that is declined for now, with its name; a line that passes has to leave."""


def names_in(value: object) -> set[str]:
    """Every mechanism that is named at any depth."""
    if isinstance(value, dict):
        own = {str(value["mechanism"])} if "mechanism" in value else set()
        return own.union(*map(names_in, value.values()))
    return set().union(*map(names_in, value)) if isinstance(value, list) else set()


@pytest.mark.parametrize("line", LINES, ids=BY_ID)
def test_line_is_answered_rightly_or_declined_as_listed(line):
    """The answer is right, or the line is listed and its op or node is declined by name."""
    from oracle.answers import OPS, answer  # noqa: PLC0415 - the judge below is tested without the engine

    request = line["request"]
    given = answer(copy.deepcopy(request))
    found = complaints(request, line["answer"], given)
    if request["id"] not in LATER:
        assert found == []
        return
    missing = LATER[request["id"]]
    assert found != []
    assert set(given) == {"id", "declined"}
    assert missing in given["declined"]
    assert missing in names_in(request) or (request["op"] == missing and missing not in OPS)


def test_lines_are_numbered():
    """Ids c01, c02, ... in order, the answer with the id of its request."""
    assert list(BY_ID) == [f"c{i + 1:02}" for i in range(68)]
    assert all(line["answer"]["id"] == line["request"]["id"] for line in LINES)


@pytest.mark.parametrize("line", LINES, ids=BY_ID)
def test_given_answer_is_right(line):
    """The judge accepts the answer that the file gives."""
    assert complaints(line["request"], line["answer"], line["answer"]) == []


WRONG = [
    ("c04", {"value": {"breakpoints": [["0", "1"], ["1/10", "8/10"], ["1", "0"]]}}),
    ("c09", {"error": "not declined"}),
    ("c12", {"declined": "no error"}),
    ("c12", {"error": ""}),
    ("c12", {"error": "both", "value": "0"}),
    ("c13", {"value": {"holds": False, "h": "1", "left": "0", "right": "1"}}),
    ("c13", {"value": {"holds": True, "witness": {"rows": 2, "columns": 2, "entries": [[0, 0, "1"], [1, 1, "1"]]}}}),
    ("c14", {"value": {"holds": False, "h": "8/9", "left": "1/9", "right": "38/90"}}),
    ("c14", {"value": {"holds": False, "h": "0", "left": "1", "right": "1"}}),
    ("c15", {"value": {"holds": True, "witness": {"rows": 2, "columns": 2, "entries": [[1, 1, "1"], [0, 0, "1"]]}}}),
    ("c16", {"value": {"holds": True, "witness": {"rows": 3, "columns": 1, "entries": [[0, 0, "1"], [1, 0, "1"]]}}}),
    ("c32", {"value": "2/8"}),
    ("c32", {"value": {"lo": "0.25", "hi": "0.25"}}),
    ("c36", {"value": 1}),
    ("c41", {"value": {"lo": "0.3378", "hi": "0.3379"}}),
    ("c41", {"value": {"lo": "0.33781968232499", "hi": "0.337819682325"}}),
    ("c41", {"value": "0.3378196823249679633"}),
    ("c51", {"value": {"exp_epsilon": "4", "lo": "1.098612288668109591", "hi": "1.098612288668109791"}}),
    ("c51", {"value": {"lo": "1.098612288668109591", "hi": "1.098612288668109791"}}),
    ("c53", {"value": {"exp_epsilon": "1", "lo": "0", "hi": "1e-30"}}),
    ("c55", {"value": {"holds": "true"}}),
    ("c55", {"value": {"holds": False, "certificate": {}}}),
]


@pytest.mark.parametrize(("name", "outcome"), WRONG, ids=[f"{name}-{i}" for i, (name, _) in enumerate(WRONG)])
def test_wrong_answer_is_found(name, outcome):
    """The judge refuses a wrong value, a wrong outcome, unproved evidence and a wide or missing enclosure."""
    line = BY_ID[name]
    assert complaints(line["request"], line["answer"], {"id": name, **outcome}) != []
    assert complaints(line["request"], line["answer"], {"id": "other", **line["answer"]} | {"id": "other"}) != []


RIGHT = [
    ("c12", {"error": "any text"}),
    ("c14", {"value": {"holds": False, "h": "1", "left": "1/10", "right": "2/5"}}),
    ("c41", {"value": {"lo": "0.3378196823249", "hi": "0.3378196823252"}}),
    ("c51", {"value": {"exp_epsilon": "3", "lo": "1.0986122886681", "hi": "1.0986122886682"}, "method": "sorted"}),
    ("c55", {"value": {"holds": True, "certificate": {}}, "evidence": []}),
]


@pytest.mark.parametrize(("name", "outcome"), RIGHT, ids=[f"{name}-{i}" for i, (name, _) in enumerate(RIGHT)])
def test_other_right_answer_is_accepted(name, outcome):
    """Another text, level, enclosure or sibling is right where the contract says so."""
    line = BY_ID[name]
    assert complaints(line["request"], line["answer"], {"id": name, **outcome}) == []
