"""Answers and truths in few words."""

from __future__ import annotations

from typing import Any

import pytest

from oracle.conformance.fuzz.asking import Judged
from oracle.conformance.fuzz.questions import Probe
from oracle.conformance.fuzz.wording import few_digits, told_answer, told_truth
from oracle.conformance.protocol import Reply


@pytest.mark.parametrize(
    ("value", "told"),
    [("1/3", "0.333333333333"), ("0x1.8p-1", "0.75"), ("inf", "inf"), ({"divergence": "0"}, '{"divergence": "0"}')],
)
def test_a_number_has_few_digits_and_is_cut_off(value: object, told: str) -> None:
    assert few_digits(value) == told


def test_a_failure_is_told_by_its_kind_and_message() -> None:
    failed = Judged(Probe("delta", {}), Reply("error", message="ValueError: no root"), None, None)
    assert told_answer(failed) == "error (ValueError: no root)"


@pytest.mark.parametrize(
    ("truth", "told"),
    [
        ({"exact": "1/3"}, "0.333333333333"),
        ({"enclosure": ["0.1", "0.2"]}, "0.1 to 12 digits"),
        ({"epsilon": {"lo": "inf", "hi": "inf"}}, "inf to 12 digits"),
        ({"renyi": {"divergence": {"exact": "1152"}}}, "1152"),
        ({"feeds": {}, "at_most": "1/4"}, "a scale that gives a delta of at most 0.25"),
        ({"rejects": "alpha is negative"}, "none: alpha is negative"),
    ],
)
def test_a_truth_is_told_by_its_kind(truth: dict[str, Any], told: str) -> None:
    assert told_truth(truth) == told
