"""A subject asked the questions of scenarios, each judged against the truth and remembered.

The truth is that of the question in the form in which it was sent: a subject that takes doubles is asked doubles, and
judged at their exact values. While the subject works on an answer, the engine works on the truth.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any, Final

from oracle.conformance.answer_laws import Answered, Breach
from oracle.conformance.forms import Form, form_for
from oracle.conformance.fuzz.causes import Cause, cause_of_answer, cause_of_law
from oracle.conformance.fuzz.questions import Probe, Scenario
from oracle.conformance.fuzz.scenario_laws import breaches
from oracle.conformance.fuzz.truth import Truths, is_bound
from oracle.conformance.gaps import Slack
from oracle.conformance.judging import Judgement, fails, judge
from oracle.conformance.pipes import Piped
from oracle.conformance.protocol import Hello, Reply, request
from oracle.conformance.subjects import Subject
from oracle.conformance.truths import Expected, Rejects
from oracle.conformance.vector_sources.drafts import in_doubles
from oracle.errors import OracleError
from oracle.json_text import canonical

__all__ = ["Asker", "Judged", "Problem"]

_WRONG_SIDE: Final = ("unsound", "unsound-rounding", "wrong")
_NO_MORE: Final = ("declined", "timeout")
"""Replies after which the other questions of a scenario would most likely get the same."""

_BELOW_A_BOUND: Final = "below the bound of a theorem, which does not show that the answer is below the loss itself"


@dataclass(frozen=True, slots=True)
class Judged:
    """A question as it was sent, what came back, and the verdict on it.

    Attributes:
        probe: the question in the form in which it was sent.
        reply: what came back.
        judgement: None where the engine has no truth for it, or nothing was answered to judge.
        expected: the truth, or None.
    """

    probe: Probe
    reply: Reply
    judgement: Judgement | None
    expected: Expected | None

    @property
    def verdict(self) -> str:
        """The verdict, or ``unjudged`` where the truth is not known."""
        return "unjudged" if self.judgement is None else self.judgement.verdict


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong in the answers to a scenario.

    Attributes:
        cause: by which findings are told apart.
        judged: the answers that show it; the first is the one to look at.
        breach: the law that is broken, where it is one.
    """

    cause: Cause
    judged: tuple[Judged, ...]
    breach: Breach | None = None


class Asker:
    """A subject, and what is remembered of its answers.

    Args:
        subject: asked one question at a time.
        hello: what it says of itself.
        truths: of the questions.
        strict: ``unsound-rounding`` is a problem too, and laws that are broken by rounding.
        slack: the boundaries of rounding and tightness.
    """

    def __init__(
        self,
        subject: Subject,
        hello: Hello,
        truths: Truths,
        *,
        strict: bool = False,
        slack: Slack | None = None,
    ) -> None:
        self.hello = hello
        self.asked = 0
        self._subject = subject
        self._strict = strict
        self._slack = slack or Slack()
        self._truths = truths
        self._known: dict[str, Judged] = {}
        self._pool = ThreadPoolExecutor(1) if isinstance(subject, Piped) else None

    def close(self) -> None:
        """End the thread that waits for the subject; the subject itself is its owner's."""
        if self._pool is not None:
            self._pool.shutdown()

    def forget(self) -> None:
        """Forget the answers, and which truths took too long."""
        self._known.clear()
        self._truths.forget()

    def judged(self, scenario: Scenario) -> list[Judged]:
        """The answers to a scenario; after one that is declined, or does not come in time, the rest is not asked."""
        found = []
        for probe in scenario.probes:
            found.append(self._one(probe, scenario.rejects))
            if found[-1].reply.kind in _NO_MORE:
                break
        return found

    def problems(self, found: Sequence[Judged]) -> list[Problem]:
        """What is wrong in the answers to one scenario, in the order of its questions, then the laws."""
        return [problem for one in found if (problem := self._failure(one))] or self._broken_laws(found)

    def showing(self, scenario: Scenario, cause: Cause) -> Problem | None:
        """What in the answers to a scenario fails for a cause; no more is asked than it takes to know."""
        found: list[Judged] = []
        for probe in scenario.probes:
            found.append(self._one(probe, scenario.rejects))
            problem = self._failure(found[-1])
            if problem is not None and problem.cause == cause:
                return problem
            if found[-1].reply.kind in _NO_MORE:
                break
        if cause.verdict != "law":
            return None
        return next((problem for problem in self.problems(found) if problem.cause == cause), None)

    def again(self, judged: Judged) -> Reply:
        """The reply to a question that was asked before, asked once more."""
        return self._subject.ask(self._request(judged.probe))

    def _failure(self, one: Judged) -> Problem | None:
        if one.judgement is None or not fails(one.judgement.verdict, strict=self._strict):
            return None
        claimed = self.hello.claim(one.probe.op)
        return Problem(cause_of_answer(one.probe, claimed, one.reply, one.judgement), (one,))

    def _broken_laws(self, found: Sequence[Judged]) -> list[Problem]:
        by_name = {str(n): one for n, one in enumerate(found) if _has_value(one)}
        answers = [
            Answered(name, one.probe.op, "fuzz", one.probe.args, one.reply.value, self.hello.claim(one.probe.op).kind)
            for name, one in by_name.items()
        ]
        problems = [
            Problem(cause_of_law(breach.op, breach.law), tuple(by_name[name] for name in breach.cases), breach)
            for breach in breaches(answers, self._slack)
            if breach.verdict == "broken" or self._strict
        ]
        return [problem for problem in problems if not self._allowed(problem.judged)]

    def _allowed(self, judged: Sequence[Judged]) -> bool:
        """Whether answers that break a law may do so by what is claimed, or known, of them.

        Estimates within the errors that are stated may differ by as much. A theorem's bounds at two levels need not be
        related as the losses are.
        """
        if any(is_bound(one.probe.args) for one in judged):
            return True
        near = [one for one in judged if self.hello.claim(one.probe.op).kind in ("nearest", "estimate")]
        return bool(near) and all(one.verdict in ("exact", "sound") for one in judged)

    @staticmethod
    def _key(probe: Probe) -> str:
        return canonical([probe.op, probe.args])

    def _request(self, probe: Probe) -> dict[str, Any]:
        self.asked += 1
        return request(f"fuzz-{self.asked}", probe.op, probe.args)

    def _one(self, probe: Probe, rejects: str | None) -> Judged:
        key = self._key(probe)
        if key not in self._known:
            self._known[key] = self._asked(probe, rejects)
        return self._known[key]

    def _asked(self, probe: Probe, rejects: str | None) -> Judged:
        form = self._form(probe.args)
        if form is None:
            reply = Reply("declined", message="the question has no form that the subject accepts")
            return Judged(probe, reply, None, None)
        sent = Probe(probe.op, form.args)
        if self._pool is None:
            reply = self._subject.ask(self._request(sent))
            expected = None if reply.kind == "declined" else self._truths.of(sent, rejects)
        else:
            waiting = self._pool.submit(self._subject.ask, self._request(sent))
            expected = self._truths.of(sent, rejects)
            reply = waiting.result()
        return Judged(sent, reply, self._judgement(sent, expected, reply), expected)

    def _form(self, args: Mapping[str, Any]) -> Form | None:
        try:
            return form_for(self.hello, args, in_doubles(dict(args)))
        except OracleError:
            return None  # a number of a malformed question is none that a double could stand for

    def _judgement(self, sent: Probe, expected: Expected | None, reply: Reply) -> Judgement | None:
        if reply.kind == "declined" or expected is None:
            return None
        found = judge(sent.op, sent.args, self.hello.claim(sent.op), expected, reply, self._slack, self._truths.answer)
        if found.verdict in _WRONG_SIDE and is_bound(sent.args):
            return replace(found, verdict="inconclusive", reason=_BELOW_A_BOUND)
        return found


def _has_value(one: Judged) -> bool:
    return one.reply.kind == "value" and not isinstance(one.expected, Rejects)
