"""Witnesses, levels and gains beside an answer to ``refines`` are multiplied out."""

from __future__ import annotations

from typing import Any

import pytest

from oracle.answers import answer
from oracle.conformance.cases import read_expected
from oracle.conformance.judging import Judgement, judge
from oracle.conformance.protocol import Reply, parse_claimed

FINE = {"matrix": [["3/4", "1/4"], ["1/4", "3/4"]]}
COARSE = {"matrix": [["5/8", "3/8"], ["3/8", "5/8"]]}
WITNESS = {"rows": 2, "columns": 2, "entries": [[0, 0, "3/4"], [0, 1, "1/4"], [1, 0, "1/4"], [1, 1, "3/4"]]}
THREE = {"matrix": [["1/2", "1/2"], ["1/2", "1/2"], ["1/2", "1/2"]]}
OTHER = {"matrix": [["1", "0"], ["1/2", "1/2"], ["0", "1"]]}


def judged(left: Any, right: Any, value: Any, claim: str = "exact") -> Judgement:
    truth = read_expected({"relation": bool(answer_of(left, right)["holds"])})
    return judge("refines", {"left": left, "right": right}, parse_claimed(claim), truth, Reply("value", value))


def answer_of(left: Any, right: Any) -> Any:
    return answer({"id": "x", "op": "refines", "args": {"left": left, "right": right}})["value"]


def test_the_evidence_of_the_engine_is_right() -> None:
    """A witness, a level and a gain, under whatever claim."""
    for left, right in ((FINE, COARSE), (COARSE, FINE), (OTHER, THREE), (THREE, OTHER)):
        for claim in ("exact", "nearest", "upper"):
            assert judged(left, right, answer_of(left, right), claim).verdict == "exact"


def test_evidence_may_be_left_out() -> None:
    """A bare truth value, or an object without it."""
    assert judged(FINE, COARSE, True).verdict == "exact"
    assert judged(FINE, COARSE, {"holds": True, "witness": None}).verdict == "exact"
    assert judged(COARSE, FINE, {"holds": False}).verdict == "exact"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"rows": 3}, "not a matrix of 2 rows"),
        ({"entries": [[0, 0, "1"], [1, 1, "1"]]}, "the product of left and the witness"),
        ({"entries": [[0, 0, "1/2"], [1, 1, "1"]]}, "no probability distribution"),
        ({"entries": [[0, 0, "3/2"], [0, 1, "-1/2"], [1, 1, "1"]]}, "no probability distribution"),
        ({"entries": [[0, 2, "1"], [1, 1, "1"]]}, "outside it"),
        ({"entries": [[0, 0, "0.7500000001"], *WITNESS["entries"][1:]]}, "no probability distribution"),
    ],
)
def test_a_wrong_witness_is_wrong(change: dict[str, Any], reason: str) -> None:
    """However right the truth value beside it."""
    found = judged(FINE, COARSE, {"holds": True, "witness": WITNESS | change})
    assert found.verdict == "wrong"
    assert reason in (found.reason or "")


@pytest.mark.parametrize(
    "witness",
    [
        {},
        [],
        "yes",
        {"rows": 2, "columns": 2, "entries": [[0, 0]]},
        {"entries": [["0", 0, "1"]], "rows": 2, "columns": 2},
    ],
)
def test_a_malformed_witness_is_an_error(witness: Any) -> None:
    """It is no evidence at all."""
    assert judged(FINE, COARSE, {"holds": True, "witness": witness}).verdict == "errored"


def test_what_does_not_separate_is_wrong() -> None:
    """A level or a gain at which left is not below right; negative ones are malformed."""
    assert judged(COARSE, FINE, {"holds": False, "h": "100"}).verdict == "wrong"
    assert judged(COARSE, FINE, {"holds": False, "h": "-1"}).verdict == "errored"
    assert judged(THREE, OTHER, {"holds": False, "gain": [["1", "1", "1"]]}).verdict == "wrong"
    assert judged(THREE, OTHER, {"holds": False, "gain": [["1", "-1", "1"]]}).verdict == "errored"
    assert judged(THREE, OTHER, {"holds": False, "gain": [["1"]]}).verdict == "errored"
    assert judged(THREE, OTHER, {"holds": False, "h": "1"}).verdict == "errored"
