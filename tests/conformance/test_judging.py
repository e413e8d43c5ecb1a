"""The verdict on one reply, for each shape of truth."""

from __future__ import annotations

import math
from typing import Any

import pytest

from oracle.conformance.cases import read_expected
from oracle.conformance.gaps import VERDICTS
from oracle.conformance.judging import FAILING, Judgement, fails, judge
from oracle.conformance.protocol import Reply, parse_claimed


def judged(
    claim: str, expected: dict[str, Any], value: object, op: str = "delta", args: dict[str, Any] | None = None
) -> Judgement:
    return judge(op, args or {}, parse_claimed(claim), read_expected(expected), Reply("value", value))


def verdict(*given: Any) -> str:
    return judged(*given).verdict


def test_a_quarter_at_the_double_nearest_to_log_2_is_below_the_truth() -> None:
    """The truth at the double is 1/4 + 1.16e-17; 0.25 is the nearest double and on the wrong side by rounding."""
    truth = {
        "enclosure": ["250000000000000011595/1000000000000000000000", "250000000000000011596/1000000000000000000000"]
    }
    found = judged("upper", truth, "0.25")
    assert found.verdict == "unsound-rounding"
    assert found.gap is not None
    assert found.gap.to_json()["decimal"] == "-1.16e-17"
    assert verdict("upper", truth, math.nextafter(0.25, 1).hex()) == "sound"
    assert verdict("nearest", truth, "0.25") == "sound"
    assert verdict("exact", truth, "0.25") == "wrong"
    assert found.truth == truth


def test_an_enclosure_is_judged_by_the_end_that_bears_the_claim() -> None:
    """An upper claim is on hi, a lower one on lo, any other is that the enclosure contains the truth."""
    truth = {"exact": "1/3"}
    answer = {"lo": "0.333333333333", "hi": "0.333333333334"}
    assert verdict("upper", truth, answer) == "sound"
    assert verdict("lower", truth, answer) == "sound"
    assert verdict("exact", truth, answer) == "exact"
    assert verdict("upper", truth, {"lo": "0", "hi": "1"}) == "loose"
    assert verdict("exact", truth, {"lo": "0", "hi": "1"}) == "loose"
    assert verdict("exact", truth, {"lo": "0", "hi": "0.333"}) == "wrong"
    assert verdict("exact", truth, {"lo": "0.34", "hi": "1"}) == "wrong"
    assert verdict("estimate", truth, {"lo": "1/2", "hi": "1/4"}) == "errored"


def test_enclosures_that_only_overlap_are_inconclusive() -> None:
    """Neither contains the other, so the answer may or may not contain the truth."""
    assert verdict("exact", {"enclosure": ["1/4", "1/2"]}, {"lo": "1/3", "hi": "3/4"}) == "inconclusive"


def test_an_answer_inside_the_enclosure_of_the_truth_is_decided_with_more_digits() -> None:
    """The engine is asked again; 0.22119921692859512 is below 1 - exp(-1/4) = 0.221199216928595131..."""
    args = {"channel": {"mechanism": "laplace", "scale": "1"}, "epsilon": "1/2"}
    coarse = {"enclosure": ["0.2211992", "0.2211993"]}
    assert judged("upper", coarse, "0.22119921692859512", "delta", args).verdict == "unsound-rounding"
    assert judged("upper", coarse, "0.22119921692859514", "delta", args).verdict == "sound"
    assert judged("upper", coarse, "0.22119921692859512", "no-such-op", args).verdict == "inconclusive"


@pytest.mark.parametrize(
    "value",
    ["nan", "50%", "", None, True, ["1"], {"x": "1"}, {"lo": "0"}, "1/0", "0x1.8"],
)
def test_a_value_that_is_no_number_is_errored(value: object) -> None:
    """The reason says what was expected."""
    found = judged("upper", {"exact": "1/4"}, value)
    assert found.verdict == "errored"
    assert "malformed" in (found.reason or "")


def test_the_number_may_stand_under_the_name_of_its_op() -> None:
    """{"beta": x}, {"mu": x} and the like are that number."""
    assert verdict("lower", {"exact": "1/4"}, {"beta": "1/4"}, "tradeoff") == "exact"
    assert verdict("upper", {"exact": "1/4"}, {"mu": "0.25"}, "mu") == "exact"


def test_replies_without_a_value_keep_their_kind() -> None:
    """declined, error, crashed and timeout become the verdicts of those names."""
    for kind, expected in (
        ("declined", "declined"),
        ("error", "errored"),
        ("crashed", "crashed"),
        ("timeout", "timeout"),
    ):
        found = judge("delta", {}, parse_claimed("upper"), read_expected({"exact": "0"}), Reply(kind, message="why"))  # type: ignore[arg-type]
        assert (found.verdict, found.reason) == (expected, "why")


def test_a_question_without_an_answer_must_be_refused() -> None:
    """An error is right, a value is wrong, declining is counted apart."""
    truth = read_expected({"rejects": "row 0 misses 1 by 1/6"})
    claim = parse_claimed("upper")
    assert judge("delta", {}, claim, truth, Reply("error", message="rows")).verdict == "exact"
    assert judge("delta", {}, claim, truth, Reply("error", message="nan", malformed=True)).verdict == "errored"
    assert judge("delta", {}, claim, truth, Reply("declined")).verdict == "declined"
    assert judge("delta", {}, claim, truth, Reply("value", "0")).verdict == "wrong"
    assert judge("delta", {}, claim, truth, Reply("crashed")).verdict == "crashed"


def test_relations() -> None:
    """A relation is equal or wrong; a conservative "no" to satisfies is only loose."""
    yes, no = {"relation": True}, {"relation": False}
    assert verdict("exact", yes, True, "refines") == "exact"
    assert verdict("upper", yes, False, "refines") == "wrong"
    assert verdict("nearest", no, {"holds": True}, "satisfies") == "wrong"
    assert verdict("upper", yes, False, "satisfies") == "loose"
    assert verdict("upper", no, True, "satisfies") == "unsound"
    assert verdict("exact", yes, {"holds": "undecided"}, "satisfies") == "declined"
    assert verdict("exact", yes, "true", "refines") == "errored"


def test_one_of_takes_the_best_and_names_its_flag() -> None:
    """Each allowed truth is tried."""
    truth = {
        "one_of": [
            {"flag": "AddRemove", "expected": {"exact": "1/4"}},
            {"flag": "Substitute", "expected": {"exact": "1/2"}},
        ]
    }
    found = judged("upper", truth, "1/2")
    assert (found.verdict, found.flag, found.truth) == ("exact", "Substitute", {"exact": "1/2"})
    assert judged("upper", truth, "1/8").verdict == "unsound"
    assert judged("exact", truth, "1/3").verdict == "wrong"


def test_which_verdicts_fail() -> None:
    """Five always, rounding with strict, loose with tightness."""
    assert tuple(v for v in VERDICTS if fails(v)) == FAILING
    assert {v for v in VERDICTS if fails(v, strict=True)} - set(FAILING) == {"unsound-rounding"}
    assert {v for v in VERDICTS if fails(v, tightness=True)} - set(FAILING) == {"loose"}
