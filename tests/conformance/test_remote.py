"""A subject that is asked by tasks answers as it does here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest

from oracle.conformance.protocol import AdapterError, request
from oracle.conformance.remote import Remote
from oracle.conformance.runs import Settings, run
from oracle.conformance.subjects import InProcess
from tests.conformance.small_suite import small_suite


class Counted:
    """A subject that counts how often it is made."""

    name = "counted"
    version = "1"
    made = 0

    def __init__(self) -> None:
        type(self).made += 1

    def echo(self, values: list[str]) -> list[str]:
        """What came."""
        return values

    def delta(self, **args: Any) -> str:  # noqa: ARG002 - the question does not matter
        """An upper bound of every delta."""
        return "1"


def make() -> InProcess:
    return InProcess(Counted())


def backwards(function: Callable[[Any], Any], tasks: Iterable[Any]) -> Iterator[Any]:
    """A mapper that does the last task first."""
    listed = list(tasks)
    found = [function(task) for task in reversed(listed)]
    return iter(found[::-1])


def test_replies_come_in_the_order_of_the_questions() -> None:
    """However many tasks they are, in whatever order these are done; each task has a subject of its own."""
    questions = [request(str(n), "echo", {"values": [str(n)]}) for n in range(250)]
    Counted.made = 0
    remote = Remote(make, backwards)
    assert [reply.value for reply in remote.ask_many(questions)] == [[str(n)] for n in range(250)]
    assert Counted.made == 4  # one for hello, and one for each hundred questions
    assert remote.ask(questions[7]).value == ["7"]


def test_answers_of_another_version_are_not_mixed_in() -> None:
    """The workers of a cluster may have different libraries."""
    versions = iter(["1", "1", "2"])

    def changing() -> InProcess:
        subject = Counted()
        subject.version = next(versions)
        return InProcess(subject)

    questions = [request(str(n), "echo", {"values": []}) for n in range(101)]
    with pytest.raises(AdapterError, match="counted 1 and counted 2"):
        list(Remote(changing, map).ask_many(questions))


def test_a_run_by_tasks_records_what_a_run_here_records() -> None:
    """Event for event, but for times."""

    def events(many: bool) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        remote = Remote(make, backwards)
        options = {"many": remote.ask_many} if many else {}
        run(lambda: remote if many else make(), small_suite(), sink=found.append, settings=Settings(), **options)
        return [{k: v for k, v in e.items() if k not in ("seconds", "started", "finished")} for e in found]

    assert events(many=True) == events(many=False)
