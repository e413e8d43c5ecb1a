"""A subject that is asked elsewhere: each task of a campaign starts it, asks it some questions and ends it.

Every task tells what the subject said of itself, so that answers of another version of a library are never mixed in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any, Final

from oracle.conformance.campaigns import Mapper
from oracle.conformance.protocol import AdapterError, Hello, Reply
from oracle.conformance.subjects import Subject

__all__ = ["Remote"]

_AT_ONCE: Final = 100
"""Questions of one task: enough to be worth starting a subject for, few enough to lose little with a worker."""

Question = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class _Task:
    """What makes a subject, and the questions for it."""

    make: Callable[[], Subject]
    questions: Sequence[Question]


def _ask(task: _Task) -> tuple[Hello, list[Reply]]:
    with closing(task.make()) as subject:
        return subject.hello(), [subject.ask(question) for question in task.questions]


class Remote:
    """A subject on a cluster, with the replies that it would give here.

    Args:
        make: makes the subject where a task runs; picklable.
        mapper: runs the tasks.
    """

    def __init__(self, make: Callable[[], Subject], mapper: Mapper) -> None:
        self._make = make
        self._mapper = mapper
        self._hello: Hello | None = None

    def hello(self) -> Hello:
        """What it says of itself."""
        if self._hello is None:
            [(self._hello, _)] = self._mapper(_ask, [_Task(self._make, ())])
        return self._hello

    def ask(self, question: Question) -> Reply:
        """The reply to one request."""
        [reply] = self.ask_many([question])
        return reply

    def ask_many(self, questions: Sequence[Question]) -> Iterator[Reply]:
        """The replies to many requests, in their order.

        Raises:
            AdapterError: if another worker has another subject, or one that cannot be asked.
            IncompleteError: if the cluster is gone.
        """
        first = self.hello()
        tasks = [_Task(self._make, questions[n : n + _AT_ONCE]) for n in range(0, len(questions), _AT_ONCE)]
        for hello, replies in self._mapper(_ask, tasks):
            if hello != first:
                told = " and ".join(f"{one.name} {one.version}" for one in (first, hello))
                raise AdapterError(f"the workers of the cluster have different subjects: {told}")
            yield from replies

    def close(self) -> None:
        """Each task has ended what it started."""
