"""A campaign: rounds after rounds over all families, in which the subject's domain is learnt and causes are counted.

A round draws from one family with the primitives that the subject has not been seen to decline there. Rounds come in
batches that are planned together from what is known before, so they may be run side by side; the outcome is that of
their order. It depends on the subject, the seed and the number of questions alone, unless a limit of time ends it.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from oracle.conformance.fuzz.causes import Cause
from oracle.conformance.fuzz.questions import Family, families, primitives_of
from oracle.conformance.fuzz.rounds import Round, Task
from oracle.conformance.gaps import VERDICTS
from oracle.conformance.protocol import Hello
from oracle.errors import InputError

__all__ = ["BATCH", "UNJUDGED", "Campaign", "Limits", "Outcome"]

BATCH: Final = 8
"""Rounds that are planned together."""

UNJUDGED: Final = ("declined", "unjudged", "inconclusive")
"""Verdicts that say nothing of an answer."""

_EXAMPLES: Final = 20
_FIRST_EXAMPLES: Final = 8
"""Scenarios of the first round of a family, of which most may be declined."""

_TRIED: Final = 4
_SELDOM: Final = 0.02
_UNTRIED: Final = 4.0
_QUICK: Final = 0.1
"""Seconds for a question that count as quick."""

_MOST_TRIED: Final = 20
_FIRST_TRIED: Final = 500
"""A campaign ends after so many questions for each that is to be judged, and these, however few are judged."""

Event = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Limits:
    """When a campaign ends.

    Attributes:
        questions: judged questions, each counted once; None for no limit.
        until: of the monotonic clock; None for no limit.
    """

    questions: int | None = None
    until: float | None = None


@dataclass(slots=True)
class _Tally:
    """What is known of a family: questions judged and not judged, rounds, how long they took."""

    judged: int = 0
    others: int = 0
    rounds: int = 0
    seconds: float = 0.0

    def weight(self, *, timed: bool) -> float:
        """How likely a question of the family is judged, never 0; a family not yet tried comes first.

        Where time is limited families of quick questions come more often. (Elsewhere time decides nothing, so that a
        campaign can be repeated.)
        """
        if not self.rounds:
            return _UNTRIED
        likely = max((self.judged + 1) / (self.judged + self.others + 2), _SELDOM)
        each = self.seconds / (self.judged + self.others + 1)
        return likely / (_QUICK + each) * _QUICK if timed else likely


@dataclass(slots=True)
class Outcome:
    """The counts of a campaign.

    Attributes:
        verdicts: of distinct questions.
        by_op: the same by op.
        repeats: by cause how many scenarios failed for it, with the one that was shrunk.
        rounds: how many were run.
        tried: questions of all rounds, also those that were asked before in another.
        asked: questions asked in all, also to shrink.
    """

    verdicts: Counter[str] = field(default_factory=Counter)
    by_op: dict[str, Counter[str]] = field(default_factory=dict)
    repeats: Counter[Cause] = field(default_factory=Counter)
    rounds: int = 0
    tried: int = 0
    asked: int = 0

    @property
    def judged(self) -> int:
        """Distinct questions with a verdict that says something of the answer."""
        return sum(count for verdict, count in self.verdicts.items() if verdict not in UNJUDGED)

    def to_json(self) -> Event:
        """As the footer has it."""
        known = (*VERDICTS, "unjudged")
        return {
            "judged": self.judged,
            "asked": self.asked,
            "rounds": self.rounds,
            "counts": {verdict: self.verdicts[verdict] for verdict in known if self.verdicts[verdict]},
            "by_op": {op: dict(sorted(counts.items())) for op, counts in sorted(self.by_op.items())},
            "repeats": [{"cause": cause.to_json(), "count": self.repeats[cause]} for cause in sorted(self.repeats)],
        }


Runner = Callable[[Sequence[Task]], Iterable[Round]]
"""Runs the rounds of a batch and returns them in its order."""


class Campaign:
    """The plan and the memory of a campaign.

    Args:
        hello: what the subject says of itself.
        seed: of all random choices.
        ops: those asked, or empty for all that it offers.

    Raises:
        InputError: if it offers none of them.
    """

    def __init__(self, hello: Hello, seed: int, ops: Sequence[str] = ()) -> None:
        self.outcome = Outcome()
        self.causes: set[Cause] = set()
        self._seed = seed
        self._seen: set[str] = set()
        self._tallies = {family: _Tally() for family in families(hello, ops)}
        self._declined: dict[tuple[Family, str], list[int]] = {}
        if not self._tallies:
            offered = ", ".join(sorted({family.op for family in families(hello)})) or "no op that is generated"
            raise InputError(f"ops that the subject offers and that are generated: {offered}", ", ".join(ops), "--op")

    def run(self, runner: Runner, limits: Limits) -> Iterator[Round]:
        """Run rounds until a limit is reached; each is yielded when it has been taken in."""
        while not self._done(limits):
            for found in runner(self.plan(limits)):
                self.take(found)
                yield found
                if self._done(limits):
                    break

    def plan(self, limits: Limits) -> list[Task]:
        """The next batch; the first ones are of one round, so that a common fault is shrunk once."""
        size = min(BATCH, 1 + self.outcome.rounds // 4)
        return [self._task(self.outcome.rounds + n, limits) for n in range(size)]

    def take(self, done: Round) -> None:
        """Take in a round, in its order."""
        tally, op = self._tallies[done.task.family], done.task.family.op
        tally.rounds += 1
        self.outcome.rounds += 1
        self.outcome.tried += len(done.verdicts)
        self.outcome.asked += done.asked
        self.outcome.repeats.update(done.repeats)
        for digest, verdict in done.verdicts.items():
            if verdict in UNJUDGED:
                tally.others += 1
            else:
                tally.judged += 1
            if digest not in self._seen:
                self._seen.add(digest)
                self.outcome.verdicts[verdict] += 1
                self.outcome.by_op.setdefault(op, Counter())[verdict] += 1
        for kind, (declined, answered) in done.declined.items():
            counts = self._declined.setdefault((done.task.family, kind), [0, 0])
            counts[0] += declined
            counts[1] += answered
        tally.seconds += done.seconds
        if done.cause is not None:
            self.outcome.repeats[done.cause] += 1
            self.causes.add(done.cause)

    def _done(self, limits: Limits) -> bool:
        if limits.until is not None and time.monotonic() >= limits.until:
            return True
        if limits.questions is None:
            return False
        in_vain = self.outcome.tried > _MOST_TRIED * limits.questions + _FIRST_TRIED
        return self.outcome.judged >= limits.questions or in_vain

    def _task(self, index: int, limits: Limits) -> Task:
        choice = random.Random(f"{self._seed}:{index}")  # noqa: S311 - no secret: the same seed, the same campaign
        everything = list(self._tallies)
        timed = limits.until is not None
        (family,) = choice.choices(everything, [self._tallies[one].weight(timed=timed) for one in everything])
        seconds = None if limits.until is None else max(limits.until - time.monotonic(), 0.0)
        seed = choice.getrandbits(48)
        examples = _EXAMPLES if self._tallies[family].rounds else _FIRST_EXAMPLES
        if limits.questions is not None:
            examples = max(1, min(examples, limits.questions - self.outcome.judged))
        return Task(index, seed, family, self._answered(family, choice), examples, frozenset(self.causes), seconds)

    def _answered(self, family: Family, choice: random.Random) -> tuple[str, ...]:
        """The primitives that are not always declined in a family, now and then all of them."""
        all_of_them = primitives_of(family)
        if choice.random() < _SELDOM:
            return all_of_them
        kept = []
        for name in all_of_them:
            declined, answered = self._declined.get((family, _node_name(name)), (0, 0))
            if answered or declined < _TRIED:
                kept.append(name)
        return tuple(kept) or all_of_them


def _node_name(primitive: str) -> str:
    return "geometric" if primitive == "clamped_geometric" else primitive
