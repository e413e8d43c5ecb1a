"""A question with a list of epsilons has the answers of the single questions."""

from __future__ import annotations

from typing import Any

from oracle.conformance.answer_laws import Answered
from oracle.conformance.vector_query_laws import vector_questions, vector_report

GAUSSIAN = {"mechanism": "gaussian", "sigma": "1"}


def told(case: str, op: str, value: Any, claim: str = "upper", **args: Any) -> Answered:
    return Answered(case, op, "concept", {"channel": GAUSSIAN, **args}, value, claim)


def test_vector_questions_have_the_answers_of_single_ones() -> None:
    """Epsilons of one channel are asked again in one list, increasing."""
    singles = [
        told("a", "delta", "0.3", epsilon="1"),
        told("b", "delta", "0.4", epsilon="1/2"),
        told("c", "delta", "0.4", epsilon="1/2"),
        told("d", "delta", "0.1", exp_epsilon="9"),
        told("e", "delta", "0.5", epsilon="1", direction="forward"),
    ]
    ((args, group),) = vector_questions(singles)
    assert args == {"channel": GAUSSIAN, "epsilons": ["1/2", "1"]}
    assert vector_report([(["0.4", "0.3"], group)]).breaches == ()
    assert [b.verdict for b in vector_report([(["0.4", "0.2"], group)]).breaches] == ["broken"]
    assert [b.verdict for b in vector_report([(["0.4"], group)]).breaches] == ["broken"]
    assert len(vector_report([("0.4", group)]).breaches) == 1


def test_enclosures_are_compared_by_what_they_have_in_common() -> None:
    """Those that overlap may be one number; those that do not are two."""
    single = told("a", "delta", {"lo": "0.30", "hi": "0.31"}, epsilon="1")
    assert vector_report([([{"lo": "0.305", "hi": "0.32"}], [single])]).breaches == ()
    assert vector_report([(["0.31"], [single])]).breaches == ()
    assert [b.verdict for b in vector_report([([{"lo": "0.32", "hi": "0.33"}], [single])]).breaches] == ["broken"]
    assert [b.verdict for b in vector_report([(["0.29"], [single])]).breaches] == ["broken"]
