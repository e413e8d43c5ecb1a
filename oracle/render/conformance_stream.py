"""A conformance run as its stream of events tells it: what every conformance report is made from, and nothing else.

A stream (:mod:`oracle.conformance.streams`) has one JSON object a line: a ``header``, a ``result`` for each case, a
``law`` for each law across answers or each breach of one, and a ``footer``. A stream without a footer, or with a half
line at its end, is of a run that did not finish: it is read all the same and is not complete. After a resumed run a
case may stand twice; the later line counts.

Three numbers are kept apart, and never blended into one:

* **soundness**: how many answers are on the wrong side of the truth (or not equal to it, where equality is claimed);
* **tightness**: the median and the largest relative slack |answer - truth|/|truth| of the answers on the right side;
* **coverage**: how many of the cases offered were answered with a value.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, cast

from gmpy2 import mpq

from oracle.conformance.gaps import Verdict
from oracle.conformance.judging import fails
from oracle.errors import InputError, OracleError, shorten
from oracle.exact import Infinity, parse_extended

__all__ = [
    "FAULTS",
    "RIGHT",
    "SEVERITY",
    "VERDICTS",
    "WRONG_SIDE",
    "Group",
    "Law",
    "Result",
    "Run",
    "read_stream",
]

Json = Mapping[str, Any]

RIGHT: Final = ("exact", "sound", "loose")
"""An answer on the side that is claimed."""

WRONG_SIDE: Final = ("unsound", "wrong", "unsound-rounding")
"""An answer on the wrong side, or not equal where equality is claimed; the worst first."""

FAULTS: Final = ("crashed", "timeout", "errored")
"""No answer: the subject tried and failed."""

SEVERITY: Final = (*WRONG_SIDE[:2], *FAULTS, WRONG_SIDE[2], "inconclusive", "loose")
"""Verdicts that a reader must look at, the most severe first."""

VERDICTS: Final = (*RIGHT, *WRONG_SIDE, *FAULTS, "inconclusive", "declined")
"""Every verdict, in the order of the columns of a table."""


@dataclass(frozen=True, slots=True)
class Result:
    """What was found about one case.

    Attributes:
        case, op, concept, flags, verdict: as the event says.
        event: the event itself, for what not every stream has.
    """

    case: str
    op: str
    concept: str
    flags: tuple[str, ...]
    verdict: str
    event: Json

    @property
    def gap(self) -> Json:
        """The gap: ``exact``, ``relative``, ``ulps`` and ``decimal`` as text; empty where there is none."""
        found = self.event.get("gap")
        return found if isinstance(found, Mapping) else {}

    @property
    def known(self) -> str | None:
        """The reason under which this failure is listed as known."""
        return _known(self.event)

    @property
    def mismatch(self) -> str | None:
        """The verdict with which it is listed as known, where it has another one: a finding, even if it passes now."""
        found = self.event.get("mismatch")
        return None if found is None else str(found)

    @property
    def slack(self) -> mpq | Infinity | None:
        """|gap| relative to |truth|; None without a gap or where only a truth of 0 makes it infinite."""
        relative, exact = _number(self.gap.get("relative")), _number(self.gap.get("exact"))
        return None if isinstance(relative, Infinity) and not isinstance(exact, Infinity) else relative


@dataclass(frozen=True, slots=True)
class Law:
    """One breach of a law across answers, or that a law holds.

    Attributes:
        name: of the law.
        verdict: ``holds``, ``broken`` or ``broken-rounding``.
        event: the event itself.
    """

    name: str
    verdict: str
    event: Json

    @property
    def identity(self) -> str:
        """What tells this breach from others of the law."""
        return str(self.event.get("id", self.name))

    @property
    def broken(self) -> bool:
        """Whether answers break it, if only by rounding."""
        return self.verdict != "holds"

    @property
    def known(self) -> str | None:
        """The reason under which this breach is listed as known."""
        return _known(self.event)


@dataclass(frozen=True)
class Group:
    """The results of one concept, or of one op.

    Attributes:
        name: the concept, or the op.
        results: in the order of the stream.
    """

    name: str
    results: tuple[Result, ...]

    @cached_property
    def counts(self) -> Counter[str]:
        """Results by verdict."""
        return Counter(result.verdict for result in self.results)

    @property
    def counts_by_verdict(self) -> dict[str, int]:
        """The counts that are not 0, in the order of the columns of a table."""
        return {verdict: self.counts[verdict] for verdict in VERDICTS if self.counts[verdict]}

    @cached_property
    def worst(self) -> Result | None:
        """The result with the largest relative gap, those on the wrong side before all others."""
        measured = [result for result in self.results if result.gap.get("exact") not in (None, "0")]
        return max(measured, key=_badness, default=None)


@dataclass(frozen=True)
class Run:
    """A whole stream.

    Attributes:
        header: who was asked, with which suite and settings.
        results: one for each case, in the order of their first lines.
        laws: one for each law that holds and for each breach of another.
        footer: the last event, or None where the run did not finish.
        complete: whether the footer says so.
        warnings: what was odd about the whole of it.
    """

    header: Json
    results: tuple[Result, ...]
    laws: tuple[Law, ...] = ()
    footer: Json | None = None
    complete: bool = field(default=False)
    warnings: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Name of the subject."""
        return str(self.subject.get("name", "subject"))

    @property
    def version(self) -> str:
        """Version of the subject."""
        return str(self.subject.get("version", ""))

    @property
    def subject(self) -> Json:
        """The subject's hello."""
        found = self.header.get("subject")
        return found if isinstance(found, Mapping) else {}

    @property
    def suite(self) -> str:
        """Version of the suite."""
        return str(self.header.get("suite", ""))

    @property
    def settings(self) -> Json:
        """Settings of the run, such as strict."""
        found = self.header.get("settings")
        return found if isinstance(found, Mapping) else {}

    @property
    def notes(self) -> Json:
        """The meaning of the flags."""
        found = self.header.get("notes")
        return found if isinstance(found, Mapping) else {}

    @cached_property
    def counts(self) -> Counter[str]:
        """Results by verdict."""
        return Counter(result.verdict for result in self.results)

    @cached_property
    def concepts(self) -> tuple[Group, ...]:
        """The results by concept, in the order of the stream."""
        return _grouped(self.results, lambda result: result.concept)

    @cached_property
    def operations(self) -> tuple[Group, ...]:
        """The results by op, in the order of the stream."""
        return _grouped(self.results, lambda result: result.op)

    @cached_property
    def attention(self) -> tuple[Result, ...]:
        """Results that a reader must look at, the most severe first, then by concept and case; loose ones are last."""
        rank = {verdict: k for k, verdict in enumerate(SEVERITY)}
        found = [result for result in self.results if result.verdict in rank]
        return tuple(sorted(found, key=lambda result: (rank[result.verdict], result.concept, result.case)))

    @property
    def right(self) -> int:
        """Answers on the right side."""
        return sum(self.counts[verdict] for verdict in RIGHT)

    @property
    def wrong(self) -> int:
        """Answers on the wrong side."""
        return sum(self.counts[verdict] for verdict in WRONG_SIDE)

    @property
    def answered(self) -> int:
        """Cases answered with a value (or rightly refused)."""
        return self.right + self.wrong + self.counts["inconclusive"]

    @property
    def faults(self) -> int:
        """Cases in which the subject failed to answer."""
        return sum(self.counts[verdict] for verdict in FAULTS)

    @property
    def law_count(self) -> int:
        """Laws that were checked."""
        return len({law.name for law in self.laws})

    @property
    def broken_laws(self) -> int:
        """Laws that the answers break by more than rounding."""
        return len({law.name for law in self.laws if law.verdict == "broken"})

    @property
    def laws_by_severity(self) -> Sequence[Law]:
        """Breaches first."""
        rank = ("broken", "broken-rounding", "holds")
        return sorted(self.laws, key=lambda law: (rank.index(law.verdict), law.name))

    @cached_property
    def slacks(self) -> Sequence[mpq | Infinity]:
        """The relative slack of every answer on the right side that has one, in increasing order."""
        return sorted(r.slack for r in self.results if r.verdict in RIGHT and r.slack is not None)

    @property
    def median_slack(self) -> mpq | Infinity | None:
        """The (lower) median of the slacks."""
        return self.slacks[(len(self.slacks) - 1) // 2] if self.slacks else None

    @property
    def fails(self) -> bool:
        """Whether the run has findings under its settings; a known failure that fails as stated is none."""
        if self.footer is not None and isinstance(self.footer.get("findings"), int):
            return bool(self.footer["findings"])
        return any(map(self.is_finding, self.results)) or any(map(self.is_breach, self.laws))

    def is_finding(self, result: Result) -> bool:
        """Whether a result fails the run."""
        return result.mismatch is not None or (result.known is None and self.failing(result.verdict))

    def is_breach(self, law: Law) -> bool:
        """Whether a law fails the run."""
        failing = law.verdict == "broken" or (law.broken and bool(self.settings.get("strict")))
        return law.event.get("mismatch") is not None or (law.known is None and failing)

    def failing(self, verdict: str) -> bool:
        """Whether a verdict is a finding under the settings of the run."""
        strict, tightness = bool(self.settings.get("strict")), bool(self.settings.get("tightness"))
        return fails(cast("Verdict", verdict), strict=strict, tightness=tightness)


def _grouped(results: Iterable[Result], key: Callable[[Result], str]) -> tuple[Group, ...]:
    groups: dict[str, list[Result]] = {}
    for result in results:
        groups.setdefault(key(result), []).append(result)
    return tuple(Group(name, tuple(members)) for name, members in groups.items())


def _known(event: Json) -> str | None:
    found = event.get("known")
    return str(found.get("reason", "listed")) if isinstance(found, Mapping) else None


def _number(value: object) -> mpq | Infinity | None:
    if not isinstance(value, str):
        return None
    try:
        return parse_extended(value)
    except OracleError:
        return None


def _badness(result: Result) -> tuple[bool, bool, mpq | Infinity]:
    slack = result.slack
    return result.verdict in WRONG_SIDE, slack is None, mpq(0) if slack is None else slack


def read_stream(lines: Iterable[str], where: str = "stream") -> Run:
    """Read a stream, finished or not.

    Args:
        lines: its lines.
        where: what it is called in an error.

    Raises:
        InputError: for a line that is no event, but for the last one, or a result without its fields.
    """
    reader = _Reader()
    torn = ""
    for n, line in enumerate(lines, 1):
        if torn:
            raise InputError("a JSON object", torn, f"{where}, line {n - 1}")
        if not line.strip():
            continue
        try:
            event = json.loads(line, parse_float=str)
        except ValueError:
            torn = shorten(line.strip())
        else:
            reader.take(event, f"{where}, line {n}")
    return reader.run(where, torn=bool(torn))


@dataclass(slots=True)
class _Reader:
    """The events met so far."""

    header: Json | None = None
    footer: Json | None = None
    results: dict[str, Result] = field(default_factory=dict)
    laws: dict[str, Law] = field(default_factory=dict)
    warnings: dict[str, None] = field(default_factory=dict)

    def take(self, event: object, where: str) -> None:
        """One event."""
        if not isinstance(event, dict) or not isinstance(event.get("event"), str):
            raise InputError('an object with the key "event"', event, where)
        match event["event"]:
            case "header" | "resume":
                self.header, self.footer = self.header or event, None
                self.laws.clear()
            case "result":
                result = _result(event, where)
                self.results[result.case] = result
            case "law":
                law = _law(event, where)
                self.laws[law.identity] = law
            case "warning" if event.get("case") is None:
                self.warnings[str(event.get("reason", ""))] = None
            case "footer":
                self.footer = event

    def run(self, where: str, *, torn: bool = False) -> Run:
        """All of it."""
        if self.header is None or self.header["event"] != "header":
            raise InputError("a header as the first event", "none", where)
        complete = self.footer is not None and self.footer.get("complete") is True and not torn
        results, laws, warnings = tuple(self.results.values()), tuple(self.laws.values()), tuple(self.warnings)
        return Run(self.header, results, laws, self.footer, complete, warnings)


def _law(event: Json, where: str) -> Law:
    name, verdict = event.get("law"), event.get("verdict")
    if not isinstance(name, str) or verdict not in ("holds", "broken", "broken-rounding"):
        raise InputError("a law that holds, broken or broken-rounding", event, where)
    return Law(name, verdict, event)


def _result(event: Json, where: str) -> Result:
    for key in ("case", "op", "concept", "verdict"):
        if not isinstance(event.get(key), str):
            raise InputError("a text", event.get(key), f"{where}: {key}")
    if event["verdict"] not in VERDICTS:
        raise InputError(f"one of {', '.join(VERDICTS)}", event["verdict"], f"{where}: verdict")
    flags = event.get("flags", [])
    return Result(event["case"], event["op"], event["concept"], tuple(map(str, flags)), event["verdict"], event)
