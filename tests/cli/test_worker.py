"""Work in a process of its own: results as they come, the limit, errors, and that nothing is left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from time import monotonic
from typing import Any

import pytest

from oracle.cli import worker as module
from oracle.cli.worker import Clock, EndedError, Results, worker
from oracle.errors import InputError
from oracle.time_limits import TooLongError
from tests.cli.process import ENVIRONMENT

FAR = 10_000.0
NO_FORK = pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")


def endless() -> Any:
    """One call into a library of C that no signal handler interrupts, for longer than any test."""
    return pow(3, 3**25)


def one_then_endless() -> Iterator[int]:
    """A result that is there, and one that never comes."""
    yield 1
    yield endless()


@pytest.fixture(params=["forked", "here"])
def _place(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """With fork, and as where there is none."""
    if request.param == "here":
        monkeypatch.delattr(os, "fork")


@pytest.mark.usefixtures("_place")
def test_results_come_in_their_order() -> None:
    """All of them, with a limit and without."""
    for end in (monotonic() + FAR, None):
        with worker(lambda: iter([1, "two", {"three": 3}]), end) as source:
            assert list(source.items(end)) == [1, "two", {"three": 3}]


@pytest.mark.usefixtures("_place")
def test_an_error_of_the_work_is_raised_with_its_facts() -> None:
    """An error whose constructor takes other arguments than its message; results before it have come."""

    def work() -> Iterator[int]:
        yield 1
        raise InputError("a number", "x", "args.k")

    end = monotonic() + FAR
    with worker(work, end) as source:
        items = source.items(end)
        assert next(items) == 1
        with pytest.raises(InputError, match=r"^args\.k: expected a number, got x") as caught:
            next(items)
    assert (caught.value.expected, caught.value.got, caught.value.where) == ("a number", "x", "args.k")


@NO_FORK
def test_a_call_that_no_signal_interrupts_is_ended() -> None:
    """The results before it are kept, a later wait goes on, and the process is gone."""
    end = monotonic() + FAR
    with worker(one_then_endless, end) as source:
        items = source.items(end)
        assert next(items) == 1
        with pytest.raises(TooLongError):
            next(source.items(monotonic()))
        assert source.ready() == []
        process = source._process
        pid = process.pid
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_without_fork_work_is_interrupted_between_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """And then it is over: there is no second wait."""
    monkeypatch.delattr(os, "fork")

    def work() -> Iterator[int]:
        while True:
            pass
        yield 1

    source = worker(work, monotonic() + 0.01)
    for end in (monotonic() + 0.01, monotonic() + FAR):
        with pytest.raises(TooLongError):
            next(source.items(end))


@NO_FORK
def test_a_process_ended_from_outside_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    """As by the system for want of memory."""

    def work() -> Iterator[int]:
        yield 1
        os.kill(os.getpid(), signal.SIGKILL)
        yield 2

    end = monotonic() + FAR
    with worker(work, end) as source:
        results = Results(source, ["one", "two", "three"])
        assert results.wait(end, 1)
        assert not results.wait(end)
        with pytest.raises(EndedError):
            next(source.items(end))
        results.tell_missing()
    lines = capsys.readouterr().err.splitlines()
    assert lines[0].startswith("oracle: two: ended from outside, perhaps for want of memory, after ")
    assert lines[1:] == ["oracle: three: no time left"]


@pytest.mark.usefixtures("_place")
def test_of_results_that_say_more_and_more_the_last_is_kept(capsys: pytest.CaptureFixture[str]) -> None:
    """At the end of the work, or of the time."""
    end = monotonic() + FAR
    with worker(lambda: iter([1, 2, 3]), end) as source:
        results = Results(source, ["the border"])
        assert results.wait_for_last(end)
        assert results.found == [3]
    assert capsys.readouterr().err == ""


@NO_FORK
def test_what_is_proved_when_the_time_is_up_is_kept(capsys: pytest.CaptureFixture[str]) -> None:
    """And the work is named on stderr."""
    end = monotonic() + FAR
    with worker(one_then_endless, end) as source:
        results = Results(source, ["the border"])
        while not results.found:
            assert not results.wait_for_last(monotonic() + 0.1)
        assert results.found == [1]
    assert "oracle: the border: out of time after " in capsys.readouterr().err


def test_a_long_wait_is_told(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """With the name of the result; a short one is not."""
    monkeypatch.setattr(module, "_PATIENCE", -1)
    with worker(lambda: [1], None) as source:
        assert Results(source, ["the first"]).wait(None)
    assert capsys.readouterr().err == "oracle: the first: 0.0 s\n"
    monkeypatch.setattr(module, "_PATIENCE", FAR)
    with worker(lambda: [1], None) as source:
        assert Results(source, ["the first"]).wait(None)
    assert capsys.readouterr().err == ""


def test_a_clock_without_a_limit_has_no_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """With one, the reserve is a quarter of it, at most a second."""
    monkeypatch.setattr(module.time, "monotonic", lambda: 100.0)
    times = [(clock.nearly, clock.end) for clock in map(Clock, (0, 2, 60))]
    assert times == [(None, None), (101.5, 102.0), (159.0, 160.0)]


SCRIPT = """
import sys
from time import monotonic
from oracle.cli.worker import worker

def work():
    yield "ready"
    yield pow(3, 3**25)

end = monotonic() + 10_000
with worker(work, end) as source:
    for item in source.items(end):
        print(item, flush=True)
"""


@NO_FORK
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the child ends after its time")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_the_work_ends_with_its_parent(number: signal.Signals) -> None:
    """Killed, ended or interrupted: nothing holds the output open any more."""
    command = [sys.executable, "-c", SCRIPT]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=ENVIRONMENT) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == b"ready\n"
        parent.send_signal(number)
        assert parent.stdout.read() == b""
        assert parent.wait() != 0
