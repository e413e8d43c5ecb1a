"""Where rounds are run: a subject and an engine for each process that takes part, started when first needed."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from oracle.conformance.adapters.libraries import LIBRARIES, serving_command
from oracle.conformance.campaigns import Mapper
from oracle.conformance.fuzz.asking import Asker
from oracle.conformance.fuzz.rounds import Round, Task, run_round
from oracle.conformance.fuzz.truth import Truths, engine
from oracle.conformance.pipes import Piped
from oracle.conformance.protocol import Hello
from oracle.conformance.subjects import Subject

__all__ = ["Asked", "Origin", "close", "in_place", "mapped"]


@dataclass(frozen=True, slots=True)
class Asked:
    """How a subject is started and asked.

    Attributes:
        name: of a library, or ``module:object``; or None.
        command: of a program on a pipe, if there is no name.
        python: the interpreter of a name's adapter; by default the one that runs.
        timeout: seconds for one answer.
        truth_seconds: for one truth.
        strict: rounding on the wrong side is a problem too.
    """

    name: str | None = None
    command: str | None = None
    python: str | None = None
    timeout: float = 10
    truth_seconds: float = 2
    strict: bool = False

    @property
    def interpreter(self) -> str:
        """The Python that has the library."""
        return self.python or sys.executable

    @property
    def target(self) -> str | None:
        """``module:object`` of the adapter, or None for a program."""
        if self.name is None:
            return None
        return LIBRARIES[self.name].adapter if self.name in LIBRARIES else self.name

    def subject(self) -> Subject:
        """The subject, started when it is first asked."""
        return Piped(self.command or serving_command(str(self.name), self.python), self.timeout)


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a finding comes from.

    Attributes:
        hello: of the subject.
        asked: how the subject is started.
        seed: of the campaign.
    """

    hello: Hello
    asked: Asked
    seed: int


@dataclass(frozen=True, slots=True)
class _Open:
    """What a process keeps for a subject."""

    subject: Subject
    engine: Subject
    asker: Asker

    def close(self) -> None:
        self.asker.close()
        self.subject.close()
        self.engine.close()


_OPEN: Final[dict[Asked, _Open]] = {}


def _opened(asked: Asked) -> Asker:
    if asked not in _OPEN:
        subject, truths = asked.subject(), engine(asked.truth_seconds)
        asker = Asker(subject, subject.hello(), Truths(truths, asked.truth_seconds), strict=asked.strict)
        _OPEN[asked] = _Open(subject, truths, asker)
    return _OPEN[asked].asker


def in_place(asked: Asked, task: Task) -> Round:
    """Run a round with the subject of this process."""
    return run_round(task, _opened(asked))


def close() -> None:
    """End the subjects of this process; those of others end with them."""
    while _OPEN:
        _OPEN.popitem()[1].close()


def mapped(asked: Asked, mapper: Mapper, tasks: Sequence[Task]) -> Iterator[Round]:
    """Run a batch of rounds wherever the mapper runs them."""
    found: Iterable[Round] = mapper(partial(in_place, asked), tasks)
    yield from found
