"""Work in a process of its own, which hands over each result as it is had and is ended when its time is up.

A limit that waits for the interpreter (:mod:`oracle.time_limits`) lets one long call of arithmetic run on. Where the
system can fork, the work runs in a copy of this process: it needs no second loading of the engine, and can be killed at
any moment. It does not outlive its parent: each holds one end of a pipe, and the system ends the child when the
parent's end closes (where pipes signal that, as on Linux; elsewhere an alarm ends it soon after its time). Without
fork, and without a limit, the work runs here.
"""

from __future__ import annotations

import os
import signal
import time
import traceback
import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self

import click

from oracle.time_limits import TooLongError, time_limit

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

__all__ = ["Clock", "Results", "Worker", "worker"]

_PATIENCE: Final = 0.5
"""Seconds beyond which a result was long in coming."""

_RESERVE: Final = 1.0
_SHARE: Final = 4

_SPARE_SECONDS: Final = 5.0
"""After its time a child whose parent is gone ends itself."""

Work = Callable[[], Iterable[Any]]


class EndedError(Exception):
    """The process of the work was ended from outside, for instance for want of memory."""


class Clock:
    """The time of a command, from now on.

    Attributes:
        end: when it is up, on the clock of :func:`time.monotonic`; None for never.
        nearly: a little before.
    """

    __slots__ = ("end", "nearly")

    def __init__(self, limit: float) -> None:
        self.end = time.monotonic() + limit if limit else None
        self.nearly = None if self.end is None else self.end - min(_RESERVE, limit / _SHARE)


class Worker(ABC):
    """Work under way; leaving it as a context ends it."""

    @abstractmethod
    def items(self, end: float | None) -> Iterator[Any]:
        """Each result as it comes. A second call goes on where the first one stopped.

        Args:
            end: until when, on the clock of :func:`time.monotonic`; None for ever.

        Raises:
            TooLongError: at the end.
            EndedError: where the work was ended from outside.
            Exception: whatever the work raises.
        """

    @abstractmethod
    def ready(self) -> list[Any]:
        """Results that are there, without waiting for others; all of them where the work runs in this process."""

    @abstractmethod
    def close(self) -> None:
        """End the work, and wait until it has ended."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self.close()


def worker(work: Work, end: float | None) -> Worker:
    """Start the work, which is not to go on beyond a time on the clock of :func:`time.monotonic`."""
    return _Here(work) if end is None or not hasattr(os, "fork") else _Child(work, end)


class _Here(Worker):
    """Work in this process, interrupted between two steps of the interpreter."""

    def __init__(self, work: Work) -> None:
        self._iterator = iter(work())
        self._cut = False

    def items(self, end: float | None) -> Iterator[Any]:
        while True:
            left = 0.0 if end is None else end - time.monotonic()
            if self._cut or left < 0:
                raise TooLongError
            try:
                with time_limit(left):
                    item = next(self._iterator)
            except StopIteration:
                return
            except TooLongError:
                self._cut = True
                raise
            yield item

    def ready(self) -> list[Any]:
        return list(self._iterator)

    def close(self) -> None:
        self._cut = True


class _Child(Worker):
    """Work in a forked process."""

    def __init__(self, work: Work, end: float) -> None:
        from multiprocessing import get_context  # noqa: PLC0415 - help is quick

        context = get_context("fork")
        self._results, results = context.Pipe(duplex=False)
        alive, self._alive = os.pipe()
        most = max(end - time.monotonic(), 0.0) + _SPARE_SECONDS

        def run() -> None:
            os.close(self._alive)
            _end_with_the_parent(alive, most)
            _serve(results, work)

        self._process = context.Process(target=run, daemon=True)
        with warnings.catch_warnings():
            # The child uses nothing of other threads, which only a surrounding program has.
            warnings.simplefilter("ignore", DeprecationWarning)
            self._process.start()
        os.close(alive)
        results.close()

    def items(self, end: float | None) -> Iterator[Any]:
        while True:
            left = None if end is None else max(end - time.monotonic(), 0.0)
            if not self._results.poll(left):
                raise TooLongError
            try:
                kind, found = self._results.recv()
            except EOFError:
                raise EndedError from None
            if kind == "end":
                return
            if kind == "error":
                raise _made(*found)
            yield found

    def ready(self) -> list[Any]:
        found: list[Any] = []
        with suppress(TooLongError, EndedError):
            found.extend(self.items(time.monotonic()))
        return found

    def close(self) -> None:
        self._process.kill()
        self._process.join()
        self._process.close()
        self._results.close()
        os.close(self._alive)


def _end_with_the_parent(alive: int, most: float) -> None:
    """Arrange in the child that it ends at once on Ctrl-C, when the pipe closes, and after its time."""
    import fcntl  # noqa: PLC0415 - only where there is fork

    for number in (signal.SIGINT, signal.SIGALRM, signal.SIGIO):
        signal.signal(number, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, most)
    fcntl.fcntl(alive, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(alive, fcntl.F_SETFL, fcntl.fcntl(alive, fcntl.F_GETFL) | os.O_ASYNC)


def _serve(results: Connection[Any, Any], work: Work) -> None:
    """Send each item, or the error that ends them."""
    try:
        for item in work():
            results.send(("item", item))
    except Exception as error:  # noqa: BLE001 - the boundary of the process: the parent raises it again
        results.send(("error", (type(error), error.args, error.__dict__, traceback.format_exc())))
    else:
        results.send(("end", None))


def _made(kind: type[Exception], arguments: tuple[Any, ...], facts: dict[str, Any], trace: str) -> Exception:
    """An error as it was in the child, without calling its constructor, which may take other arguments."""
    error = kind.__new__(kind, *arguments)
    error.__dict__.update(facts)
    error.add_note(trace)
    return error


class Results:
    """The results of a worker as they come; stderr tells of those that were long in coming, or did not come.

    Attributes:
        found: what has come.
        names: what each result is of, in their order.
    """

    __slots__ = ("_ended", "_since", "_source", "found", "names")

    def __init__(self, source: Worker, names: Sequence[str]) -> None:
        self._source, self.names = source, names
        self.found: list[Any] = []
        self._since, self._ended = time.monotonic(), False

    def wait(self, end: float | None, count: int | None = None) -> bool:
        """Whether the first *count* results, or all, have come by then."""
        wanted = len(self.names) if count is None else count
        items = self._source.items(end)
        while len(self.found) < wanted:
            try:
                item = next(items)
            except (TooLongError, EndedError) as error:
                self._ended = isinstance(error, EndedError)
                return False
            self._tell_long(self.names[len(self.found)])
            self.found.append(item)
            self._since = time.monotonic()
        return True

    def wait_for_last(self, end: float | None) -> bool:
        """Whether the work has ended by then, each result of which says more than the one before; the last is kept."""
        try:
            for item in self._source.items(end):
                self.found = [item]
        except (TooLongError, EndedError) as error:
            self._ended = isinstance(error, EndedError)
            self._tell_cut(self.names[0])
            return False
        self._tell_long(self.names[0])
        return True

    def tell_missing(self, count: int | None = None) -> None:
        """Say which of the first *count* results, or all, have not come, and why."""
        for i, name in enumerate(self.names[len(self.found) : count]):
            if i:
                click.echo(f"oracle: {name}: no time left", err=True)
            else:
                self._tell_cut(name)

    def _tell_cut(self, name: str) -> None:
        what = "ended from outside, perhaps for want of memory," if self._ended else "out of time"
        click.echo(f"oracle: {name}: {what} after {time.monotonic() - self._since:.1f} s", err=True)

    def _tell_long(self, name: str) -> None:
        took = time.monotonic() - self._since
        if took > _PATIENCE:
            click.echo(f"oracle: {name}: {took:.1f} s", err=True)
