"""One round: a run of hypothesis over one family, which ends with a finding shrunk to the smallest question, or none.

Of a scenario that fails for a cause not yet known the shrinker keeps what fails for the same cause: the same op, the
same verdict, the same class. A round is determined by its task and by the subject, so rounds may be run anywhere and in
any order.
"""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from oracle.conformance.fuzz.asking import Asker, Judged, Problem
from oracle.conformance.fuzz.causes import Cause
from oracle.conformance.fuzz.questions import Family, Probe, Scenario, scenarios
from oracle.conformance.truths import Rejects
from oracle.errors import MissingExtraError
from oracle.json_text import canonical

try:
    from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings
except ImportError:
    raise MissingExtraError("oracle fuzz", "conformance") from None

__all__ = ["Found", "Round", "Task", "run_round"]

_SHRINK_SECONDS: Final = 20.0
"""Shrinking ends after so long, with the smallest scenario so far."""


@dataclass(frozen=True, slots=True)
class Task:
    """A round to be run.

    Attributes:
        index: its place in the campaign.
        seed: of its random choices.
        family: what it draws from.
        primitives: of which the expressions are made.
        examples: most scenarios.
        known: causes that are found already, which are counted and not shrunk.
        seconds: no scenario is begun after so long; None for no limit.
    """

    index: int
    seed: int
    family: Family
    primitives: tuple[str, ...]
    examples: int
    known: frozenset[Cause] = frozenset()
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """A finding of a round.

    Attributes:
        problem: as shrunk.
        first: the questions before shrinking.
        shrinks: how many scenarios were tried to shrink it.
        seconds: how long that took.
        complete: whether shrinking came to its end.
        repeatable: whether the question that shows it was answered the same when it was asked again.
    """

    problem: Problem
    first: tuple[Probe, ...]
    shrinks: int
    seconds: float
    complete: bool
    repeatable: bool


@dataclass(slots=True)
class Round:
    """What a round came to.

    Attributes:
        task: what was run.
        verdicts: by the digest of a question its verdict, without those asked to shrink.
        declined: by kind of node how many first questions were declined, and how many not.
        repeats: scenarios that fail for a cause that is known.
        cause: of the finding, or None.
        found: the finding, or None.
        asked: questions asked, those to shrink among them.
        seconds: how long the search took, without the shrinking.
    """

    task: Task
    verdicts: dict[str, str] = field(default_factory=dict)
    declined: dict[str, list[int]] = field(default_factory=dict)
    repeats: Counter[Cause] = field(default_factory=Counter)
    cause: Cause | None = None
    found: Found | None = None
    asked: int = 0
    seconds: float = 0.0


class _FailsError(Exception):
    """A scenario fails for the cause that is being shrunk."""


class _Search:
    """The state of a round while hypothesis runs it."""

    def __init__(self, task: Task, asker: Asker, until: float) -> None:
        self.round = Round(task)
        self.problem: Problem | None = None
        self.first: tuple[Probe, ...] = ()
        self.shrinks = 0
        self.started = 0.0
        self.complete = True
        self._tried: dict[str, Problem | None] = {}
        self._asker = asker
        self._until = until

    def once(self, scenario: Scenario) -> None:
        """Run one scenario; raises where it fails for the cause of this round."""
        problem = self._searched(scenario) if self.problem is None else self._shrunk(scenario, self.problem.cause)
        if problem is not None:
            self.problem = problem
            raise _FailsError(problem.cause)

    def _searched(self, scenario: Scenario) -> Problem | None:
        if time.monotonic() > self._until:
            return None
        found = self._asker.judged(scenario)
        self._count(scenario, found)
        seen: set[Cause] = set()
        for problem in self._asker.problems(found):
            if problem.cause not in self.round.task.known:
                self.first, self.started = tuple(one.probe for one in found), time.monotonic()
                self._tried[_key(scenario)] = problem
                return problem
            seen.add(problem.cause)
        self.round.repeats.update(seen)
        return None

    def _shrunk(self, scenario: Scenario, cause: Cause) -> Problem | None:
        key = _key(scenario)
        if key not in self._tried:
            if time.monotonic() > self.started + _SHRINK_SECONDS:
                self.complete = False
                return None
            self.shrinks += 1
            self._tried[key] = self._asker.showing(scenario, cause)
        return self._tried[key]

    def _count(self, scenario: Scenario, found: Sequence[Judged]) -> None:
        for one in found:
            digest = hashlib.sha256(canonical([one.probe.op, one.probe.args]).encode()).hexdigest()[:16]
            self.round.verdicts[digest] = "declined" if one.reply.kind == "declined" else one.verdict
        declined = found[0].reply.kind == "declined"
        for kind in scenario.kinds:
            self.round.declined.setdefault(kind, [0, 0])[0 if declined else 1] += 1


def _key(scenario: Scenario) -> str:
    return canonical([[probe.op, probe.args] for probe in scenario.probes])


def run_round(task: Task, asker: Asker) -> Round:
    """Run one round with a subject."""
    asker.forget()
    before, start = asker.asked, time.monotonic()
    search = _Search(task, asker, float("inf") if task.seconds is None else start + task.seconds)
    options: Any = settings(
        max_examples=task.examples,
        database=None,
        deadline=None,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
        verbosity=Verbosity.quiet,
        report_multiple_bugs=False,
        print_blob=False,
    )
    strategy = scenarios(task.family, task.primitives, asker.hello)
    try:
        seed(task.seed)(options(given(strategy)(search.once)))()
    except _FailsError:
        search.round.found = _found(search, asker)
        search.round.cause = search.round.found.problem.cause
    end = time.monotonic() if search.round.found is None else search.started
    search.round.seconds = end - start
    search.round.asked = asker.asked - before
    return search.round


def _found(search: _Search, asker: Asker) -> Found:
    assert search.problem is not None  # noqa: S101 - the search has failed with it
    problem = _unwrapped(search.problem, asker)
    seconds = time.monotonic() - search.started
    shown = problem.judged[0]
    again = asker.again(shown)
    repeatable = (again.kind, again.value) == (shown.reply.kind, shown.reply.value)
    return Found(problem, search.first, search.shrinks, seconds, search.complete, repeatable)


def _unwrapped(problem: Problem, asker: Asker) -> Problem:
    """The problem of a part of the mechanism, where one fails for the same cause: a family draws one shape alone."""
    tried = (asker.showing(Scenario((part,)), problem.cause) for part in _parts(problem))
    smaller = next((found for found in tried if found is not None), None)
    return problem if smaller is None else _unwrapped(smaller, asker)


def _parts(problem: Problem) -> Iterator[Probe]:
    """The question of the problem about each part of its mechanism; none of a law, or where there is no answer."""
    shown = problem.judged[0]
    channel = shown.probe.args.get("channel")
    if problem.breach is not None or isinstance(shown.expected, Rejects) or not isinstance(channel, Mapping):
        return
    inner = channel.get("of", ())
    parts = [inner] if isinstance(inner, Mapping) else [*inner]
    for part in [*parts, *(channel[side] for side in ("left", "right") if side in channel)]:
        yield Probe(shown.probe.op, {**shown.probe.args, "channel": part})
