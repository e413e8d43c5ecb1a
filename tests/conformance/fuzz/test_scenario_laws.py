"""Laws across the answers of a scenario: found broken where they are, and not where the claims allow it."""

from __future__ import annotations

from typing import Any

import pytest

from oracle.conformance.answer_laws import Answered
from oracle.conformance.fuzz.scenario_laws import breaches
from oracle.conformance.gaps import Slack

BASE: dict[str, Any] = {"matrix": [["3/4", "1/4"], ["1/4", "3/4"]]}
POST = {"mechanism": "post", "post": [["1"], ["1"]], "of": BASE}
GROUP = {"mechanism": "group", "size": 2, "of": BASE}


def told(op: str, value: Any, claim: str = "upper", **args: Any) -> Answered:
    return Answered(f"{op}-{value}", op, "fuzz", args, value, claim)


def broken(*answers: Answered) -> list[str]:
    return [breach.law for breach in breaches(answers, Slack()) if breach.verdict == "broken"]


AT = {"exp_epsilon": "2"}

CASES = [
    (["post-processing-not-worse"], [("delta", "1/4", BASE, AT), ("delta", "1/2", POST, AT)]),
    ([], [("delta", "1/4", BASE, AT), ("delta", "1/4", POST, AT)]),
    ([], [("delta", "1/4", BASE, AT), ("delta", "1/2", POST, {"exp_epsilon": "1"})]),
    (["group-not-better"], [("delta", "1/4", BASE, AT), ("delta", "1/8", GROUP, AT)]),
    ([], [("delta", "1/4", BASE, AT), ("delta", "1/2", GROUP, AT)]),
    (
        ["renyi-increasing"],
        [("renyi", {"divergence": "2"}, BASE, {"order": "2"}), ("renyi", {"divergence": "1"}, BASE, {"order": "3"})],
    ),
    (
        [],
        [("renyi", {"divergence": "inf"}, BASE, {"order": "1"}), ("renyi", {"divergence": "1"}, BASE, {"order": "2"})],
    ),
    ([], [("renyi", {"moment": "2"}, BASE, {"order": "2"}), ("renyi", {"moment": "1"}, BASE, {"order": "3"})]),
]


@pytest.mark.parametrize(("laws", "answers"), CASES)
def test_a_law_is_broken_or_holds(laws: list[str], answers: list[tuple[str, Any, Any, dict[str, Any]]]) -> None:
    """Exactly the laws named are broken."""
    assert broken(*(told(op, value, channel=channel, **point) for op, value, channel, point in answers)) == laws


@pytest.mark.parametrize(
    ("claims", "laws"),
    [
        (("nearest", "nearest"), ["delta-supports-tradeoff"]),
        (("upper", "upper"), ["delta-supports-tradeoff"]),
        (("lower", "upper"), []),
        (("nearest", "lower"), []),
    ],
)
def test_two_accountants_of_one_library(claims: tuple[str, str], laws: list[str]) -> None:
    """That beta = 1/4 at alpha = 0 needs delta >= 1/2 at e^epsilon = 2, unless one of the two claims a lower bound."""
    curve = told("tradeoff", "1/4", claims[0], channel=BASE, alpha="0")
    profile = told("delta", "1/8", claims[1], channel=BASE, **AT)
    assert broken(curve, profile) == laws


def test_the_true_answers_break_no_law() -> None:
    """T(0) = 1, so 1 <= 2 beta + delta holds with delta = 1/4 at level 2."""
    curve = told("tradeoff", "1", "exact", channel=BASE, alpha="0")
    assert broken(curve, told("delta", "1/4", "exact", channel=BASE, **AT)) == []


def test_a_list_is_compared_with_its_members() -> None:
    """The list differs from the single answer in its second place."""
    single = [told("delta", value, channel=BASE, epsilon=at) for at, value in (("0", "1/2"), ("1", "1/4"))]
    listed = told("delta", ["1/2", "1/8"], channel=BASE, epsilons=["0", "1"])
    assert broken(*single, listed) == ["vector-equals-scalar"]
    assert broken(*single, told("delta", ["1/2", "1/4"], channel=BASE, epsilons=["0", "1"])) == []
