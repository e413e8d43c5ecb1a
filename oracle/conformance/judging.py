"""The judge: one verdict for each answer, by what was claimed of it and by the truth about the question really asked.

==================  =============================================================================  ===================
verdict             meaning                                                                        fails a run
==================  =============================================================================  ===================
exact               equals the truth, or lies inside its enclosure                                 no
sound               on the claimed side, within the tightness slack (or the ulps or error stated)  no
loose               on the claimed side, beyond the slack                                          with ``--tightness``
unsound             on the wrong side, materially                                                  yes
unsound-rounding    on the wrong side, within the rounding slack                                   with ``--strict``
wrong               for ``exact``, ``nearest`` and relations: not equal                            yes
declined            the subject does not offer it                                                  no
errored             it tried and failed, or its answer is malformed                                yes
crashed, timeout    no answer came                                                                 yes
inconclusive        the enclosure of the truth straddles the answer                                no
==================  =============================================================================  ===================

What may be answered: see :func:`judge`. Certificates beside a verdict are the business of ``oracle verify``; the
witness of a refinement, or what speaks against it, is multiplied out here (:mod:`.refinement_evidence`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from oracle.answers import answer
from oracle.conformance.gaps import VERDICTS, WORST_FIRST, Gap, Interval, Slack, Verdict
from oracle.conformance.number_judging import (
    Engine,
    Found,
    NoAnswerError,
    Question,
    judge_least_epsilon,
    judge_moments,
    judge_number,
    judge_scale,
)
from oracle.conformance.protocol import Claimed, Reply
from oracle.conformance.refinement_evidence import fault_of_evidence
from oracle.conformance.shape_judging import judge_curve, judge_structure
from oracle.conformance.truths import (
    Bounds,
    Corners,
    Exact,
    Expected,
    Feeds,
    LeastEpsilon,
    Moments,
    OneOf,
    Rejects,
    Relation,
    expected_document,
)
from oracle.errors import InputError, shorten

__all__ = ["FAILING", "VERDICTS", "Gap", "Judgement", "Slack", "Verdict", "fails", "judge"]

FAILING: Final[tuple[Verdict, ...]] = ("unsound", "wrong", "errored", "crashed", "timeout")
"""Verdicts that fail a run in every setting."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """The verdict on one answer.

    Attributes:
        verdict: one of :data:`VERDICTS`.
        gap: how far from the truth, where numbers were compared.
        reason: why, where the verdict does not say it all.
        truth: the JSON form of the truth it was held against.
        flag: for one of several truths, the flag that allows this one.
    """

    verdict: Verdict
    gap: Gap | None
    reason: str | None
    truth: Mapping[str, Any]
    flag: str | None = None


def fails(verdict: Verdict, *, strict: bool = False, tightness: bool = False) -> bool:
    """Whether a verdict fails a run in these settings."""
    return verdict in FAILING or (strict and verdict == "unsound-rounding") or (tightness and verdict == "loose")


def judge(  # noqa: PLR0913, PLR0917 - the question in its parts
    op: str,
    args: Mapping[str, Any],
    claimed: Claimed,
    expected: Expected,
    reply: Reply,
    slack: Slack | None = None,
    engine: Engine = answer,
) -> Judgement:
    """Judge one reply.

    A number may be answered as text, as an enclosure ``{"lo", "hi"}`` that is to contain the truth, or in an object
    under the name the op gives it (``beta``, ``divergence``, ...). A bare number for ``renyi`` is the divergence and is
    converted where the truth is a moment; one for ``epsilon`` is epsilon. A relation is true, false or
    ``{"holds": ...}``; evidence that ``refines`` states beside it must be right too.
    A claim of a side judges the end of an enclosure that bears it, and for ``satisfies`` allows
    "no" where the truth is "yes" (``loose``).

    A question that has no answer (``rejects``) is answered right by an error, though not by a malformed answer; a
    declined answer to it is ``declined``, as to any other question, and a value is ``wrong``.

    Args:
        op: the operation asked.
        args: its arguments as they were sent; the truth must be that of these.
        claimed: what the subject claims of its answers to this op.
        expected: the truth.
        reply: what came back.
        slack: the boundaries of rounding and tightness.
        engine: asked for more digits of the truth where its enclosure straddles the answer.
    """
    question = Question(op, args, claimed, slack or Slack(), engine)
    if isinstance(expected, OneOf):
        found = [(allowed, _verdict(question, allowed.expected, reply)) for allowed in expected.allowed]
        allowed, (verdict, gap, reason) = max(found, key=lambda pair: WORST_FIRST.index(pair[1][0]))
        return Judgement(verdict, gap, reason, expected_document(allowed.expected), allowed.flag)
    verdict, gap, reason = _verdict(question, expected, reply)
    return Judgement(verdict, gap, reason, expected_document(expected))


def _verdict(question: Question, expected: Expected, reply: Reply) -> Found:
    if reply.kind == "value":
        try:
            return _judged(question, expected, reply.value)
        except (NoAnswerError, InputError) as error:
            return "errored", None, f"the answer is malformed: {error}"
    if isinstance(expected, Rejects) and reply.kind == "error" and not reply.malformed:
        return "exact", None, None
    kinds: dict[str, Verdict] = {
        "declined": "declined",
        "error": "errored",
        "crashed": "crashed",
        "timeout": "timeout",
    }
    return kinds[reply.kind], None, reply.message or None


def _judged(question: Question, expected: Expected, value: Any) -> Found:  # noqa: ANN401, PLR0911 - one return a shape
    match expected:
        case Rejects(reason):
            return "wrong", None, f"a value was answered where the question has none: {reason}"
        case Relation(holds):
            return _relation(question, holds, value)
        case Corners():
            return judge_curve(question, expected.numbers, value)
        case LeastEpsilon():
            return judge_least_epsilon(question, expected, value)
        case Moments():
            return judge_moments(question, expected, value)
        case Feeds():
            return judge_scale(question, expected, value)
        case Bounds():
            return judge_number(question, Interval(expected.lower, expected.upper), value)
        case Exact():
            number = expected.number
            if number is not None:
                return judge_number(question, Interval.point(number), value)
            return judge_structure(question, expected.value, value)
    raise TypeError(type(expected).__name__)


def _relation(question: Question, holds: bool, value: object) -> Found:
    told = value.get("holds") if isinstance(value, Mapping) else value
    if told == "undecided":
        return "declined", None, "answered undecided"
    if not isinstance(told, bool):
        raise NoAnswerError(f'expected true, false or {{"holds": ...}}, got {shorten(value)}')
    if told == holds:
        fault = None
        if question.op == "refines" and isinstance(value, Mapping):
            fault = fault_of_evidence(question.args, holds, value)
        return ("exact" if fault is None else "wrong"), None, fault
    if question.op == "satisfies" and question.claimed.kind in ("upper", "lower"):
        if holds:
            return "loose", None, "a claim that holds was not confirmed"
        return "unsound", None, "a claim that is false was confirmed"
    return "wrong", None, f"answered {'true' if told else 'false'}, which is not so"
