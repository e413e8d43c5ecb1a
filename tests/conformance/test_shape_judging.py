"""Curves and channels, corner by corner and number by number."""

from __future__ import annotations

import pytest

from tests.conformance.test_judging import judged, verdict

CURVE = {"breakpoints": [["0", "1"], ["1/4", "1/4"], ["1", "0"]]}
CHANNEL = {"exact": {"matrix": [["1/2", "1/2"], ["1/4", "3/4"]], "outputs": ["a", "b"]}}


def test_the_same_curve_with_other_corners_is_exact() -> None:
    """Corners on a line change nothing; a bare list is a curve too."""
    points = [["0", "1"], ["1/8", "5/8"], ["1/4", "1/4"], ["1", "0"]]
    assert verdict("exact", CURVE, {"breakpoints": points}, "tradeoff") == "exact"
    assert verdict("lower", CURVE, points, "tradeoff") == "exact"


def test_a_curve_is_below_above_or_both() -> None:
    """A lower claim is loose below and unsound above, wherever it is above."""
    below = [["0", "1"], ["1/4", "1/5"], ["1", "0"]]
    above = [["0", "1"], ["1/4", "1/3"], ["1", "0"]]
    crossing = [["0", "9/10"], ["1/4", "1/4"], ["1", "1/100"]]
    assert verdict("lower", CURVE, below, "tradeoff") == "loose"
    found = judged("lower", CURVE, above, "tradeoff")
    assert (found.verdict, found.reason) == ("unsound", "at alpha = 1/4")
    assert judged("lower", CURVE, crossing, "tradeoff").reason == "at alpha = 1"
    assert verdict("upper", CURVE, above, "tradeoff") == "loose"
    assert verdict("exact", CURVE, below, "tradeoff") == "wrong"


def test_between_its_corners_a_curve_counts_too() -> None:
    """The corners of the answer are all on the truth, and the chord between two of them is above it."""
    assert verdict("lower", CURVE, [["0", "1"], ["1", "0"]], "tradeoff") == "unsound"


def test_a_curve_that_jumps_at_zero_has_its_lower_value_there() -> None:
    """(0, 1) before (0, 1/2) is the same curve as (0, 1/2) alone."""
    truth = {"breakpoints": [["0", "1/2"], ["1", "0"]]}
    assert verdict("exact", truth, [["0", "1"], ["0", "1/2"], ["1", "0"]], "tradeoff") == "exact"


def test_rounded_corners_are_within_ulps() -> None:
    """Corners at the doubles next to 1/10 and 4/5 are the nearest curve."""
    truth = {"breakpoints": [["0", "1"], ["1/10", "4/5"], ["1", "0"]]}
    answer = [["0", "1"], [(0.1).hex(), (0.8).hex()], ["1", "0"]]
    assert verdict("nearest", truth, answer, "tradeoff") == "sound"
    assert verdict("nearest", truth, [["0", "1"], ["0.1", "0.8001"], ["1", "0"]], "tradeoff") == "wrong"


@pytest.mark.parametrize(
    "value",
    [
        "1/2",
        [],
        [["0", "1"]],
        [["1/10", "1"], ["1", "0"]],
        [["0", "1"], ["1/2"]],
        [["0", "1"], ["3/4", "0"], ["1/2", "0"], ["1", "0"]],
        {"corners": []},
    ],
)
def test_what_is_no_curve_is_errored(value: object) -> None:
    """Corners go from alpha = 0 to alpha = 1."""
    assert verdict("lower", CURVE, value, "tradeoff") == "errored"


def test_a_channel_may_be_its_matrix_and_leave_out_labels() -> None:
    """Shape and every number count, in order."""
    matrix = [["1/2", "0.5"], ["1/4", "3/4"]]
    assert verdict("exact", CHANNEL, {"matrix": matrix}, "canonical") == "exact"
    assert verdict("exact", CHANNEL, matrix, "canonical") == "exact"
    assert verdict("exact", CHANNEL, {"matrix": matrix, "outputs": ["a", "c"]}, "canonical") == "wrong"
    assert verdict("exact", CHANNEL, [["1/2", "1/2"], ["3/4", "1/4"]], "canonical") == "wrong"
    assert judged("exact", CHANNEL, [["1"], ["1"]], "canonical").verdict == "wrong"
    assert verdict("exact", CHANNEL, "1/2", "canonical") == "wrong"
    assert verdict("exact", CHANNEL, {"inputs": []}, "canonical") == "wrong"


def test_the_worst_number_names_its_place() -> None:
    """The entry with the largest relative gap among the wrong ones."""
    found = judged("nearest", CHANNEL, [["1/2", "1/2"], ["0.3", "0.7"]], "canonical")
    assert found.verdict == "wrong"
    assert found.reason is not None
    assert found.reason.startswith("value.matrix[1][0]")
    near = judged("nearest", CHANNEL, [[(0.5).hex(), "1/2"], ["0.25", "0.75"]], "canonical")
    assert near.verdict == "exact"


def test_a_list_of_parts() -> None:
    """Objects in a list are compared key by key."""
    truth = {"exact": [{"weight": "3/4", "exp_epsilon": "2"}, {"weight": "1/4", "exp_epsilon": "inf"}]}
    assert (
        verdict("exact", truth, [{"weight": "0.75", "exp_epsilon": "2"}, {"weight": "1/4", "exp_epsilon": "inf"}])
        == "exact"
    )
    assert verdict("exact", truth, [{"weight": "0.75", "exp_epsilon": "2"}]) == "wrong"
    assert verdict("exact", truth, [{"weight": "0.75"}, {"weight": "1/4"}]) == "wrong"
