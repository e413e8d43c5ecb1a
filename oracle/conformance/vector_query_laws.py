"""The law ``vector-equals-scalar``: a question with a list of epsilons has the answers of the single questions.

Numbers must be equal, enclosures must overlap: two answers to one question differ only where no number is in both.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from typing import Any, Final

from gmpy2 import mpq

from oracle.conformance.answer_laws import Answered, Breach, LawReport, Ledger, key_of, number_of
from oracle.conformance.gaps import Slack, gap_between
from oracle.errors import OracleError
from oracle.exact import Extended, parse_extended

__all__ = ["LAW", "vector_questions", "vector_report"]

LAW: Final = "vector-equals-scalar"


def vector_questions(answers: Sequence[Answered]) -> list[tuple[dict[str, Any], list[Answered]]]:
    """Questions with a list of epsilons, and the answers to the single questions in its order."""
    groups: dict[str, list[Answered]] = defaultdict(list)
    for answered in answers:
        if answered.op == "delta" and isinstance(answered.args.get("epsilon"), str):
            rest = {key: value for key, value in answered.args.items() if key != "epsilon"}
            if number_of(answered.value) is not None:
                groups[key_of(rest)].append(answered)
    questions = []
    for common, group in groups.items():
        chosen = list({answered.args["epsilon"]: answered for answered in group}.values())
        if len(chosen) > 1:
            chosen.sort(key=lambda answered: _ordered(answered.args["epsilon"]))
            questions.append(({**json.loads(common), "epsilons": [one.args["epsilon"] for one in chosen]}, chosen))
    return questions


def _ordered(epsilon: str) -> Extended:
    try:
        return parse_extended(epsilon)
    except OracleError:
        return mpq(0)


def vector_report(replies: Sequence[tuple[Any, Sequence[Answered]]], slack: Slack | None = None) -> LawReport:
    """Compare the answers to :func:`vector_questions` with those of the single questions.

    Args:
        replies: what was answered to each list, with the answers to the single questions in its order.
        slack: what counts as rounding.
    """
    ledger = Ledger(slack or Slack())
    for value, singles in replies:
        listed = value if isinstance(value, (list, tuple)) else []
        for told, single in zip(listed, singles, strict=False):
            many, one = number_of(told), number_of(single.value)
            if many is not None and one is not None:
                reason = "the vector query differs from the scalar"
                if many.lo > one.lo:
                    ledger.require(LAW, many, one, reason, single)
                else:
                    ledger.require(LAW, one, many, reason, single, answer="large")
        if len(listed) != len(singles):
            ledger.checked[LAW] += 1
            reason = f"{len(singles)} epsilons were asked and {len(listed)} answers came"
            gap = gap_between(mpq(len(listed)), mpq(len(singles)))
            cases = tuple(single.case for single in singles)
            ledger.breaches[LAW].append(Breach(LAW, cases, "delta", singles[0].concept, "broken", gap, reason))
    return LawReport(LAW, ledger.checked[LAW], tuple(ledger.breaches[LAW]))
