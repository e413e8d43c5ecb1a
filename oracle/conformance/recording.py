"""What a run records: events of verdicts, counts, known failures and laws, and in the end the exit code.

The exit code is 0 if there is no finding and 1 if there is one. A finding is an answer that fails in the settings of
the run and is no known failure, a known failure that does not fail as stated, and a law that is broken.
"""

from __future__ import annotations

import json
import platform
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Final

from gmpy2 import mpq

from oracle import __version__
from oracle.conformance.answer_laws import Answered, LawReport
from oracle.conformance.cases import SCHEMA, Case, Suite
from oracle.conformance.forms import Form
from oracle.conformance.gaps import VERDICTS, Slack
from oracle.conformance.judging import Judgement, fails, judge
from oracle.conformance.known import Known
from oracle.conformance.protocol import Hello, Reply
from oracle.conformance.streams import STREAM
from oracle.conformance.truths import Expected, Rejects
from oracle.errors import shorten
from oracle.exact import to_decimal

__all__ = ["BOUND_FLAG", "Recorder", "Settings"]

Event = dict[str, Any]

BOUND_FLAG: Final = "BoundByTheorem"
"""Flag of truths that are a theorem's bound: a library that knows more of the mechanism may answer below them."""

_WRONG_SIDE: Final = ("unsound", "unsound-rounding")
_BELOW_A_BOUND: Final = "below the bound of a theorem, which does not show that the answer is below the loss itself"
_PASSING: Final = ("exact", "sound", "declined")
_LONGEST_ANSWER: Final = 20_000
_SHOWN_ANSWER: Final = 2_000


@dataclass(frozen=True, slots=True)
class Settings:
    """How a run is made and judged.

    Attributes:
        ops: the ops asked, or empty for all.
        concepts: the concepts asked, or empty for all.
        slack: the boundaries of rounding and tightness.
        strict: ``unsound-rounding`` fails.
        tightness: ``loose`` fails.
        timeout: seconds for one answer.
        laws: whether laws across the answers are checked.
    """

    ops: tuple[str, ...] = ()
    concepts: tuple[str, ...] = ()
    slack: Slack = field(default_factory=Slack)
    strict: bool = False
    tightness: bool = False
    timeout: float = 60
    laws: bool = True

    def to_json(self) -> dict[str, Any]:
        """As the header has it."""
        return {
            "ops": list(self.ops) or None,
            "concepts": list(self.concepts) or None,
            "rounding": _short(self.slack.rounding),
            "negligible": _short(self.slack.negligible),
            "tightness_slack": _short(self.slack.tightness),
            "strict": self.strict,
            "tightness": self.tightness,
            "timeout": f"{self.timeout:g}",
            "laws": self.laws,
        }


def _short(value: mpq) -> str:
    return to_decimal(value, 3, "up")


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


class Recorder:
    """Turns replies into events and keeps the counts.

    Args:
        suite: where the cases are from.
        settings: of the run.
        sink: what takes each event as it comes.
        known: the known failures.
    """

    def __init__(
        self, suite: Suite, settings: Settings, sink: Callable[[Event], None], known: Known | None = None
    ) -> None:
        self.suite = suite
        self.settings = settings
        self.known = known or Known(suite.version)
        self.counts: Counter[str] = Counter()
        self.laws: Counter[str] = Counter()
        self.known_count = 0
        self.findings = 0
        self.mismatches: list[dict[str, str]] = []
        self._sink = sink
        self._topics = {case.id: file.path for file in suite.files for case in file.cases}
        self._answered: dict[str, Answered] = {}
        self._broken: set[str] = set()

    @property
    def answered(self) -> Sequence[Answered]:
        """The questions to which a value was answered, in the order of the suite."""
        order = {identity: n for n, identity in enumerate(self._topics)}
        return sorted(self._answered.values(), key=lambda one: order.get(one.case, len(order)))

    @property
    def exit_code(self) -> int:
        """0 without findings, 1 with."""
        return 1 if self.findings else 0

    def header(self, hello: Hello | None, offered: int, **further: object) -> Event:
        """Write the header."""
        event: Event = {
            "event": "header",
            "stream": STREAM,
            "suite": self.suite.version,
            "manifest": self.suite.digest,
            "schema": SCHEMA,
            "oracle": __version__,
            "subject": hello.to_json() if hello else {"name": "answers", "version": ""},
            "platform": f"{platform.system()} {platform.machine()}, Python {platform.python_version()}",
            "settings": self.settings.to_json(),
            "offered": offered,
            "notes": {
                flag: {"kind": n.kind, "description": n.description, "effect": n.effect, "links": list(n.links)}
                for flag, n in self.suite.notes.items()
            },
            "started": _now(),
            **further,
        }
        self._sink(event)
        return event

    def resume(self) -> None:
        """Write that an interrupted run goes on."""
        self._sink({"event": "resume", "at": _now()})

    def warning(self, reason: str, case: str | None = None) -> None:
        """Write a warning."""
        self._sink({"event": "warning", "reason": reason} | ({} if case is None else {"case": case}))

    def result(self, case: Case, hello: Hello, form: Form | None, reply: Reply) -> Event:
        """Judge one reply and write the result."""
        claimed = hello.claim(case.op)
        args = case.args if form is None else form.args
        doubles = form is not None and form.binary64
        expected = case.truth("binary64" if doubles else "rational")
        judgement = judge(case.op, args, claimed, expected, reply, self.settings.slack)
        if BOUND_FLAG in case.flags and judgement.verdict in _WRONG_SIDE:
            judgement = replace(judgement, verdict="inconclusive", reason=_BELOW_A_BOUND)
        event = self._event(case, str(claimed), judgement, reply)
        event["form"] = "binary64" if doubles else "rational"
        if judgement.verdict not in _PASSING:
            event |= {"args": args, "truth": judgement.truth}
            if case.certificate is not None:
                event["certificate"] = case.certificate
        for warning in reply.warnings:
            self.warning(warning, case.id)
        self._count(event)
        self._sink(event)
        if reply.kind == "value":
            self._remember(case, args, expected, reply.value, claimed.kind)
        return event

    def _event(self, case: Case, claim: str, judgement: Judgement, reply: Reply) -> Event:
        answer = reply.value
        if reply.kind == "value" and len(json.dumps(answer, default=str)) > _LONGEST_ANSWER:
            answer = shorten(answer, _SHOWN_ANSWER)
        return {
            "event": "result",
            "case": case.id,
            "op": case.op,
            "concept": case.concept,
            "topic": self._topics.get(case.id, ""),
            "summary": case.summary,
            "flags": list(case.flags),
            "claim": claim,
            "verdict": judgement.verdict,
            "gap": None if judgement.gap is None else judgement.gap.to_json(),
            "answer": answer,
            "reason": judgement.reason,
            "flag": judgement.flag,
            "seconds": round(reply.seconds, 4),
        }

    def earlier(self, event: Event, hello: Hello, form: Form | None) -> None:
        """Take over a result of the interrupted run, which the stream has already."""
        self._count(event)
        case = self.suite.cases.get(event["case"])
        if case is not None and form is not None and event.get("answer") is not None:
            expected = case.truth("binary64" if form.binary64 else "rational")
            self._remember(case, form.args, expected, event["answer"], hello.claim(case.op).kind)

    def _remember(self, case: Case, args: Mapping[str, Any], expected: Expected, value: object, claim: str) -> None:
        """Keep a value for the laws, which are about questions that have an answer."""
        if case.op in ("delta", "hockey_stick", "epsilon", "tradeoff") and not isinstance(expected, Rejects):
            self._answered[case.id] = Answered(case.id, case.op, case.concept, args, value, claim)

    def _count(self, event: Event) -> None:
        """Count a result, and compare it with what is known."""
        verdict = event["verdict"]
        self.counts[verdict] += 1
        self._compare_with_known(event, event["case"], self._fails(verdict))

    def _compare_with_known(self, event: Event, identity: str, failing: bool) -> None:
        entry = self.known.entry(identity)
        if entry is None:
            self.findings += failing
            return
        if entry.verdict == event["verdict"]:
            event["known"] = {"reason": entry.reason, "issue": entry.issue}
            self.known_count += 1
            return
        self.findings += 1
        self.mismatches.append({"case": identity, "expected": entry.verdict, "got": event["verdict"]})
        event["mismatch"] = entry.verdict

    def _fails(self, verdict: Any) -> bool:  # noqa: ANN401 - one of the verdicts
        return fails(verdict, strict=self.settings.strict, tightness=self.settings.tightness)

    def law(self, report: LawReport) -> None:
        """Write what was found about a law: an event for each breach, or one that it holds."""
        for breach in report.breaches:
            self.laws[breach.verdict] += 1
            self._broken.add(breach.identity)
            event: Event = {
                "event": "law",
                "id": breach.identity,
                "law": breach.law,
                "op": breach.op,
                "concept": breach.concept,
                "cases": list(breach.cases),
                "verdict": breach.verdict,
                "gap": breach.gap.to_json(),
                "reason": breach.reason,
            }
            self._compare_with_known(event, breach.identity, breach.verdict == "broken" or self.settings.strict)
            self._sink(event)
        if not report.breaches:
            self.laws["holds"] += 1
            law = {"id": f"law:{report.law}", "law": report.law, "verdict": "holds", "checked": report.checked}
            self._sink({"event": "law", "op": None, "concept": None, "cases": [], **law})

    def footer(self, seconds: float, *, complete: bool = True) -> Event:
        """Write the footer; it is what makes a stream complete. A law that is known to break and holds is a finding."""
        for entry in self.known.entries if self.settings.laws else ():
            cases = entry.case.split(":")[-1].split("+")
            if entry.case.startswith("law:") and entry.case not in self._broken and self._answered.keys() >= set(cases):
                self.findings += 1
                self.mismatches.append({"case": entry.case, "expected": entry.verdict, "got": "holds"})
        event: Event = {
            "event": "footer",
            "complete": complete,
            "counts": {verdict: self.counts[verdict] for verdict in VERDICTS},
            "laws": {verdict: self.laws[verdict] for verdict in ("holds", "broken", "broken-rounding")},
            "known": self.known_count,
            "mismatches": self.mismatches,
            "findings": self.findings,
            "exit": self.exit_code if complete or self.findings else 3,
            "seconds": round(seconds, 3),
            "finished": _now(),
        }
        self._sink(event)
        return event
