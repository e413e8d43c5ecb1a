"""Campaigns: many tasks in this process, in local processes or on a Dask cluster, with the same results everywhere.

A mapper has the contract of the built-in ``map`` for one iterable: the results of a function, in the order of the tasks
and each once. The function must be importable where it runs, tasks and results picklable, and a task must depend on
itself alone: a worker that dies takes its task with it, and another one does it again from the beginning.
"""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, contextmanager
from importlib import import_module
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar

from oracle import __version__
from oracle.errors import IncompleteError, InputError, MissingExtraError, shorten

if TYPE_CHECKING:
    from types import ModuleType

    from distributed import Client, Future  # the type checker is told nothing of it, see pyproject.toml

__all__ = ["Mapper", "campaign", "cluster", "local"]

Task = TypeVar("Task")
Result = TypeVar("Result")

_SECONDS_TO_ANSWER: Final = 5
"""Seconds in which a scheduler must answer, and then in which it must have a worker."""

_SECONDS_WITHOUT_WORKERS: Final = 60
"""Seconds for which a campaign waits for a worker once it has begun."""

_SECONDS_BETWEEN_LOOKS: Final = 2
_TASKS_OUT: Final = 500
"""Tasks that are with the cluster at once; the others wait here."""


class Mapper(Protocol):
    """What maps a function over tasks."""

    def __call__(self, function: Callable[[Task], Result], tasks: Iterable[Task], /) -> Iterator[Result]:
        """The results in the order of the tasks."""


def campaign(address: str | None = None, workers: int = 1) -> AbstractContextManager[Mapper]:
    """A mapper on the cluster at an address, or without one in so many local processes.

    Args:
        address: of a Dask scheduler, such as ``tcp://10.0.0.1:8786``.
        workers: how many local processes; 1 for this one alone.
    """
    return local(workers) if address is None else cluster(address)


@contextmanager
def local(workers: int) -> Iterator[Mapper]:
    """A mapper in so many local processes, or in this one.

    Raises:
        IncompleteError: while mapping, if one of the processes dies.
    """
    if workers <= 1:
        yield map
        return
    context = multiprocessing.get_context("spawn")  # no copy of this process's threads and locks
    with ProcessPoolExecutor(workers, context, initializer=_leave_interrupts) as pool:

        def mapper(function: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterator[Result]:
            try:
                yield from pool.map(function, tasks)
            except BrokenProcessPool:
                raise IncompleteError("a local process died; what it had begun is not done") from None

        try:
            yield mapper
        finally:
            pool.shutdown(cancel_futures=True)


def _leave_interrupts() -> None:
    """Ctrl-C is for the process that waits."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def cluster(address: str) -> Iterator[Mapper]:
    """A mapper on an existing Dask cluster, whose workers have this version of the oracle.

    Args:
        address: of the scheduler.

    Raises:
        MissingExtraError: without ``distributed``.
        InputError: if no scheduler answers there within seconds, or it has no worker that can do the work.
        IncompleteError: while mapping, if the cluster is gone.
    """
    distributed = _distributed()
    client = _connected(distributed, address)
    try:
        _require_workers(client, address)
        yield _Cluster(client, address).map
    finally:
        client.close(_SECONDS_TO_ANSWER)


def _distributed() -> ModuleType:
    try:
        module = import_module("distributed")
    except ModuleNotFoundError:
        raise MissingExtraError("--dask", "cluster") from None
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what matters of it is said in our own errors
    return module


def _connected(distributed: ModuleType, address: str) -> Client:
    try:
        asyncio.run(_require_scheduler(distributed, address))
        client: Client = distributed.Client(address, timeout=_SECONDS_TO_ANSWER, set_as_default=False)
    except Exception as error:  # whatever answers there may send anything
        if isinstance(error, InputError):
            raise
        reason = f"{type(error).__name__}: {error}" if str(error) else f"no answer in {_SECONDS_TO_ANSWER} s"
        expected = "the address of a Dask scheduler that answers, such as tcp://10.0.0.1:8786"
        raise InputError(expected, f'"{shorten(address)}" ({shorten(reason, 200)})', "--dask") from None
    return client


async def _require_scheduler(distributed: ModuleType, address: str) -> None:
    """Ask who is there, since a client that cannot begin takes long to end."""
    async with distributed.rpc(address, timeout=_SECONDS_TO_ANSWER) as remote:
        told = await asyncio.wait_for(remote.identity(), _SECONDS_TO_ANSWER)
    if not isinstance(told, dict) or told.get("type") != "Scheduler":
        kind = told.get("type") if isinstance(told, dict) else told
        raise InputError("the address of a Dask scheduler", f"that of a {shorten(kind)}", "--dask")


def _require_workers(client: Client, address: str) -> None:
    """Refuse a cluster without workers, and workers that have another oracle or none."""
    try:
        client.wait_for_workers(1, timeout=_SECONDS_TO_ANSWER)
    except TimeoutError:
        raise InputError("a cluster with a worker", f"none at {shorten(address)}", "--dask") from None
    for worker, found in client.run(_version, on_error="return").items():
        if found != __version__:
            told = shorten(str(found)) if isinstance(found, str) else f"none ({shorten(str(found))})"
            raise InputError(f"workers that have fdp-oracle {__version__}", f"{told} on {worker}", "--dask")


def _version() -> str:
    return __version__


class _Cluster:
    """A client of a cluster that has workers."""

    def __init__(self, client: Client, address: str) -> None:
        self._client = client
        self._address = address

    def map(self, function: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterator[Result]:
        """The results in order; each is given back once, however often the cluster had to begin its task."""
        rest = iter(tasks)
        out: deque[Future] = deque()
        try:
            while True:
                for task in islice(rest, _TASKS_OUT - len(out)):
                    out.append(self._client.submit(function, task, pure=False))
                if not out:
                    return
                yield self._result(out[0])
                out.popleft()
        finally:
            self._cancel(out)

    def _result(self, future: Future) -> Any:  # noqa: ANN401 - whatever the function gives
        """The result of one task.

        Raises:
            IncompleteError: if the scheduler is gone, no worker comes back, or the task takes worker after worker down.
        """
        from distributed.scheduler import KilledWorker  # noqa: PLC0415 - the extra "cluster"

        alone = 0
        while True:
            try:
                result = future.result(timeout=_SECONDS_BETWEEN_LOOKS)
            except TimeoutError:
                if future.done():
                    raise
            except KilledWorker as error:
                raise IncompleteError(f"a task took several workers of {self._address} down: {error}") from None
            except (CancelledError, OSError) as error:
                if future.done() and not future.cancelled():
                    raise
                raise IncompleteError(f"the cluster at {self._address} is gone: {shorten(str(error))}") from None
            else:
                return result
            alone = 0 if self._has_workers() else alone + _SECONDS_BETWEEN_LOOKS
            if alone >= _SECONDS_WITHOUT_WORKERS:
                raise IncompleteError(f"no worker of {self._address} was left for {alone} s")

    def _has_workers(self) -> bool:
        try:
            return bool(self._client.scheduler_info()["workers"])
        except OSError:  # no scheduler: the futures will say so
            return False

    def _cancel(self, futures: Sequence[Future]) -> None:
        if futures and self._client.status == "running":
            self._client.cancel(list(futures))
