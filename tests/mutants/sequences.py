"""Faults that no single answer shows: answers that contradict each other, and lists that differ from their members."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from gmpy2 import mpq

from oracle.conformance.answer_laws import Answered, Breach, check_laws
from oracle.conformance.cases import Case
from oracle.conformance.protocol import Reply
from oracle.conformance.repeat_laws import repeat_report, repeated
from oracle.conformance.vector_query_laws import vector_questions, vector_report
from oracle.exact import Infinity, to_text
from tests.mutants.base import Engine, Untouched, claimed, finite, said, upper

OPS = ("delta", "hockey_stick", "epsilon", "tradeoff")

_VECTOR = "a vector query that differs from the scalar one"
_LAW = "answers that contradict each other"

Answers = list[Answered]


@dataclass(frozen=True)
class LawMutant:
    """A broken implementation that a law across answers finds.

    Attributes:
        name: a slug.
        family: the class of fault it stands for.
        summary: what is wrong.
        law: the law that it breaks.
        breaches: finds the breaches, given the engine's answers.
    """

    name: str
    family: str
    summary: str
    law: str
    breaches: Callable[[Sequence[Answered]], list[Breach]]


def exact_answers(engine: Engine, cases: Sequence[Case]) -> Answers:
    """The engine's answers, the upper end of an enclosure for the enclosure."""
    found = []
    for case in cases:
        reply = engine.reply(case.op, case.args)
        if case.op in OPS and reply.kind == "value":
            value = _points(reply.value)
            found.append(Answered(case.id, case.op, case.concept, case.args, value, claimed(case.op).kind))
    return found


def _points(value: Any) -> Any:
    if isinstance(value, Mapping) and {"lo", "hi"} <= set(value):
        return value["hi"]
    if isinstance(value, Mapping):
        return {key: _points(part) for key, part in value.items()}
    return [_points(part) for part in value] if isinstance(value, list) else value


def _material(found: Sequence[Breach]) -> list[Breach]:
    return [breach for breach in found if breach.verdict == "broken"]


def _changed(law: str, summary: str, op: str) -> Callable[[Callable[[Answered, mpq], mpq]], LawMutant]:
    """A mutant that changes each number of one operation."""

    def make(change: Callable[[Answered, mpq], mpq]) -> LawMutant:
        def altered(answered: Answered) -> Answered:
            if answered.op != op:
                return answered
            try:
                number = upper(answered.value)
            except Untouched:
                return answered
            if isinstance(number, Infinity):
                return answered
            value = to_text(change(answered, number))
            return replace(answered, value={"beta": value} if op == "tradeoff" else value)

        def breaches(answers: Sequence[Answered]) -> list[Breach]:
            reports = check_laws([altered(answered) for answered in answers])
            return _material([breach for report in reports if report.law == law for breach in report.breaches])

        return LawMutant(change.__name__.strip("_").replace("_", "-"), _LAW, summary, law, breaches)

    return make


def _mechanism(answered: Answered) -> Mapping[str, Any]:
    channel = answered.args.get("channel")
    return channel if isinstance(channel, Mapping) else {}


@_changed("delta-in-unit-interval", "delta is not cut off at 1", "delta")
def delta_above_one(_: Answered, number: mpq) -> mpq:
    return 3 * number


@_changed("delta-decreasing", "delta counts from the wrong end: 1 - delta", "delta")
def delta_increases(_: Answered, number: mpq) -> mpq:
    return 1 - number


@_changed("epsilon-decreasing", "the reciprocal of epsilon", "epsilon")
def epsilon_increases(_: Answered, number: mpq) -> mpq:
    return 1 / (1 + number)


@_changed("epsilon-inverts-delta", "half of epsilon, as for half of the sensitivity", "epsilon")
def epsilon_halved(_: Answered, number: mpq) -> mpq:
    return number / 2


@_changed("composition-above-part", "the deltas of a composition are averaged over its runs", "delta")
def runs_averaged(answered: Answered, number: mpq) -> mpq:
    node = _mechanism(answered)
    times = int(node["times"]) if node.get("mechanism") == "repeat" else 1
    return number / (10 * times) if times > 1 else number


@_changed("subsampling-not-worse", "the delta of a sample is divided by its rate", "delta")
def divided_by_the_rate(answered: Answered, number: mpq) -> mpq:
    node = _mechanism(answered)
    if node.get("mechanism") != "poisson_subsample" or finite(node["rate"]) == 0:
        return number
    return min(mpq(1), number / finite(node["rate"]) ** 3)


@_changed("tradeoff-below-diagonal", "beta with the truncation mass of both laws added", "tradeoff")
def beta_above_the_diagonal(answered: Answered, number: mpq) -> mpq:
    return number + mpq(1, 4) if "alpha" in answered.args else number


@_changed("tradeoff-decreasing", "power in place of beta", "tradeoff")
def power_increases(_: Answered, number: mpq) -> mpq:
    return 1 - number


@_changed("tradeoff-convex", "beta rounded up to a tenth", "tradeoff")
def beta_in_tenths(_: Answered, number: mpq) -> mpq:
    return mpq(-((-number * 10) // 1), 10)


def _listed(name: str, summary: str, answer: Callable[[Sequence[Answered]], list[str]]) -> LawMutant:
    """A mutant that answers lists of epsilons in its own way."""

    def breaches(answers: Sequence[Answered]) -> list[Breach]:
        replies = [(answer(singles), singles) for _, singles in vector_questions(answers)]
        return _material(vector_report(replies).breaches)

    return LawMutant(name, _VECTOR, summary, "vector-equals-scalar", breaches)


def _value(answered: Answered) -> str:
    return said(upper(answered.value))


def _in_single_precision(singles: Sequence[Answered]) -> list[str]:
    return [said(mpq(round(mpq(_value(one)) * 2**20), 2**20)) for one in singles]


def _running_least(singles: Sequence[Answered]) -> list[str]:
    """As when a suffix sum is taken from the wrong end: each entry is that of the next epsilon."""
    values = [_value(one) for one in singles]
    return [*values[1:], values[-1]]


def _fresh_noise(answers: Sequence[Answered]) -> list[Breach]:
    """As of an accountant that draws samples anew for every question."""
    replies = []
    for first in repeated(answers):
        number = upper(first.value)
        drawn = number if isinstance(number, Infinity) else number * mpq(1001, 1000)
        replies.append((Reply("value", said(drawn)), first))
    return _material(repeat_report(replies).breaches)


LAW_MUTANTS: tuple[LawMutant, ...] = (
    *(value for value in list(vars().values()) if isinstance(value, LawMutant)),
    LawMutant(
        "fresh-noise-at-every-call",
        "answers that change from call to call",
        "an estimate from samples that are drawn anew for every question",
        "same-question-same-answer",
        _fresh_noise,
    ),
    _listed("list-shifted", "each entry of a list is that of the next epsilon", _running_least),
    _listed(
        "list-reversed", "a list comes back in the order of decreasing epsilon", lambda s: [_value(o) for o in s][::-1]
    ),
    _listed("list-on-a-grid", "a list is answered from a grid of 2^-20", _in_single_precision),
    _listed("list-too-short", "the last epsilon of a list is not answered", lambda s: [_value(o) for o in s][:-1]),
)
"""Every mutant that a law finds."""
