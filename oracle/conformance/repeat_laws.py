"""The law ``same-question-same-answer``: what is asked again is answered as before.

Some of the questions that a number answered, spread over the run, are asked once more at its end, the last one first,
so that an answer that depends on what was asked before it shows. Numbers must be equal; of two enclosures some number
must be in both. A question that is then not answered breaks the law by all of its answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from gmpy2 import mpq

from oracle.conformance.answer_laws import Answered, Breach, LawReport, Ledger, number_of
from oracle.conformance.gaps import Interval, Slack, gap_between
from oracle.conformance.protocol import Reply

__all__ = ["LAW", "repeat_report", "repeated"]

LAW: Final = "same-question-same-answer"

_MOST: Final = 16


def repeated(answers: Sequence[Answered]) -> list[Answered]:
    """The answers whose questions are asked again, the last of them first."""
    numbers = [answered for answered in answers if number_of(answered.value) is not None]
    step = max(1, -(-len(numbers) // _MOST))
    return numbers[::step][::-1]


def repeat_report(replies: Sequence[tuple[Reply, Answered]], slack: Slack | None = None) -> LawReport:
    """Compare what is answered now with what was answered first.

    Args:
        replies: to the questions of :func:`repeated`.
        slack: what counts as rounding.
    """
    ledger = Ledger(slack or Slack())
    for reply, first in replies:
        before = number_of(first.value)
        now = number_of(reply.value) if reply.kind == "value" else None
        if before is None:
            continue
        if now is None:
            ledger.checked[LAW] += 1
            reason = f"asked again it was answered with {reply.kind}: {reply.message}"
            gap = gap_between(mpq(0), before.lo)
            ledger.breaches[LAW].append(Breach(LAW, (first.case,), first.op, first.concept, "broken", gap, reason))
            continue
        _compare(ledger, now, before, first)
    return LawReport(LAW, ledger.checked[LAW], tuple(ledger.breaches[LAW]))


def _compare(ledger: Ledger, now: Interval, before: Interval, first: Answered) -> None:
    reason = "asked again the answer was another"
    if now.lo > before.lo:
        ledger.require(LAW, now, before, reason, first)
    else:
        ledger.require(LAW, before, now, reason, first, answer="large")
