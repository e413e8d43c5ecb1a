"""One round finds a mutant's fault and shrinks it; of the exact engine it finds nothing."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from gmpy2 import mpq

from oracle.answers import answer
from oracle.conformance.fuzz.asking import Asker
from oracle.conformance.fuzz.questions import Family, families, primitives_of
from oracle.conformance.fuzz.rounds import Round, Task, run_round
from oracle.conformance.fuzz.truth import Truths
from oracle.conformance.number_judging import interval_of
from oracle.conformance.protocol import Claimed, Hello, Reply
from oracle.conformance.subjects import exact_engine
from oracle.exact import to_text
from oracle.json_text import canonical
from tests.conformance.fuzz.subjects import MutantSubject, asker

SAMPLE = [
    ("no-positive-part", Family("delta", "alone"), ("table",), "delta", "unsound"),
    ("everything-is-perfectly-private", Family("delta", "alone"), ("randomized_response",), "delta", "unsound"),
    ("exponential-raises", Family("delta", "alone"), ("randomized_response",), "delta", "errored"),
    ("infinite-becomes-zero", Family("epsilon", "alone"), ("table",), "epsilon", "unsound"),
    ("negative-epsilon-clipped", Family("delta", "alone"), ("table",), "delta", "unsound"),
    ("nothing-is-refused", Family("delta", "malformed"), ("table",), "delta", "wrong"),
]


def searched(
    name: str | None, family: Family, primitives: tuple[str, ...], examples: int = 60, *, strict: bool = False
) -> Round:
    return run_round(Task(0, 1, family, primitives, examples), asker(name, strict=strict))


@pytest.mark.parametrize(("name", "family", "primitives", "op", "verdict"), SAMPLE, ids=[row[0] for row in SAMPLE])
def test_a_mutant_is_found_and_shrunk(
    name: str, family: Family, primitives: tuple[str, ...], op: str, verdict: str
) -> None:
    """The finding is of the op and verdict that the mutant is made for, and the smallest question is short."""
    done = searched(name, family, primitives)
    assert done.found is not None
    cause, (shown, *_) = done.found.problem.cause, done.found.problem.judged
    assert (cause.op, cause.verdict) == (op, verdict)
    assert done.cause == cause
    assert len(json.dumps(shown.probe.args)) <= 120
    assert done.found.repeatable


def test_a_shrunk_question_fails_as_it_was_found() -> None:
    """Asked alone, the smallest question fails for the cause that the round names."""
    done = searched("negative-epsilon-clipped", Family("delta", "alone"), ("table",))
    assert done.found is not None
    shown = done.found.problem.judged[0]
    fresh = asker("negative-epsilon-clipped")
    reply = fresh.again(shown)
    assert (reply.kind, reply.value) == (shown.reply.kind, shown.reply.value)
    assert shown.judgement is not None
    assert shown.judgement.verdict == "unsound"
    assert shown.judgement.gap is not None
    assert shown.judgement.gap.value < 0


def test_a_law_across_answers_is_found_where_no_answer_alone_is_wrong() -> None:
    """Answers that are all above the truth and increase with epsilon break a law; both answers are shown."""

    class Rising(MutantSubject):
        def ask(self, question):
            reply = super().ask(question)
            risen = reply.kind == "value" and "exp_epsilon" in question["args"]
            return Reply("value", "1") if risen else reply

    subject = Rising(ops=("delta",))
    asking = Asker(subject, subject.hello(), Truths(exact_engine()))
    done = run_round(Task(0, 1, Family("delta", "alone"), ("randomized_response",), 60), asking)
    assert done.found is not None
    assert done.found.problem.cause.detail == "delta-decreasing"
    assert done.found.problem.breach is not None
    assert len(done.found.problem.judged) == 2


class Estimating:
    """Deltas with up to 6/10,000 more than the truth, by the length of the question."""

    def __init__(self, claim: Claimed) -> None:
        self._claim = claim

    def hello(self) -> Hello:
        """One op."""
        return Hello("estimating", "1", ("delta",), {"delta": self._claim})

    def ask(self, question: Mapping[str, Any]) -> Reply:
        """The truth and a little more."""
        told = answer({**question, "args": {**question["args"], "digits": 40}})["value"]
        more = mpq(len(canonical(question["args"])) % 7, 10_000)
        return Reply("value", to_text(interval_of(told).hi + more))

    def close(self) -> None:
        """Nothing is left to end."""


@pytest.mark.parametrize(("claim", "breaks"), [("estimate:1/1000", False), ("upper", True)])
def test_estimates_may_break_a_law_within_their_error(claim: str, breaks: bool) -> None:
    """What is claimed of them allows it; upper bounds that are not monotone do not fit together."""
    kind, _, error = claim.partition(":")
    subject = Estimating(Claimed(kind, mpq(error) if error else None))
    by = Asker(subject, subject.hello(), Truths(exact_engine()))
    done = run_round(Task(0, 1, Family("delta", "alone"), ("table",), 40), by)
    assert (done.cause is not None) is breaks
    assert done.cause is None or done.cause.verdict == "law"


class Raising(Estimating):
    """Fails at everything in the same way."""

    def ask(self, _question: Mapping[str, Any]) -> Reply:
        """An error."""
        return Reply("error", message="TypeError: always the same")


@pytest.mark.parametrize("shape", ["repeat", "group", "compose", "visible", "repeated_poisson"])
def test_a_finding_is_shown_by_a_part_of_the_mechanism_where_that_fails_alike(shape: str) -> None:
    """A round draws one shape; the smallest question has none of it."""
    subject = Raising(Claimed("upper"))
    by = Asker(subject, subject.hello(), Truths(exact_engine()))
    done = run_round(Task(0, 1, Family("delta", shape), ("randomized_response",), 10), by)
    assert done.found is not None
    channel = done.found.problem.judged[0].probe.args["channel"]
    assert channel["mechanism"] == "randomized_response"
    assert done.cause == done.found.problem.cause


def test_known_causes_are_counted_and_not_shrunk() -> None:
    """A cause that is known ends no round; the scenarios that fail for it are counted."""
    family, primitives = Family("epsilon", "alone"), ("table",)
    first = searched("infinite-becomes-zero", family, primitives)
    assert first.cause is not None
    again = run_round(Task(1, 1, family, primitives, 60, frozenset({first.cause})), asker("infinite-becomes-zero"))
    assert again.repeats[first.cause] > 0
    assert again.cause != first.cause


def test_rounding_is_found_only_where_it_is_asked_for() -> None:
    """A double below the truth is unsound by rounding alone, which counts with strict."""
    family, primitives = Family("delta", "alone"), ("randomized_response",)
    assert searched("rounded-down", family, primitives).found is None
    strict = searched("rounded-down", family, primitives, strict=True).found
    assert strict is not None
    assert strict.problem.cause.verdict == "unsound-rounding"


def test_a_round_is_determined_by_its_task() -> None:
    """Two runs ask the same questions, in the same order, and find the same."""
    rows = [searched("infinite-becomes-zero", Family("epsilon", "alone"), ("table",)) for _ in range(2)]
    assert rows[0].verdicts == rows[1].verdicts
    assert rows[0].cause == rows[1].cause
    assert rows[0].found is not None
    assert rows[1].found is not None
    assert rows[0].found.problem.judged[0].probe == rows[1].found.problem.judged[0].probe


CLEAN = [family for family in families(MutantSubject().hello()) if family.shape in ("alone", "malformed", "post")]


@pytest.mark.parametrize("family", CLEAN, ids=lambda family: f"{family.op}-{family.shape}")
def test_the_exact_engine_is_clean(family: Family) -> None:
    """Of the engine's own answers, strictly judged, no question and no law fails."""
    done = searched(None, family, primitives_of(family), 5, strict=True)
    assert done.found is None
