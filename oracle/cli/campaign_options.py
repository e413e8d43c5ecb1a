"""What the commands that run campaigns share: options, who is asked and where, and a bar on the terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import click

if TYPE_CHECKING:
    from oracle.conformance.subjects import Subject

__all__ = [
    "command_option",
    "dask_option",
    "ops_option",
    "progress",
    "python_option",
    "require_one_place",
    "subject_maker",
    "timeout_option",
    "workers_option",
]

_MOST_SECONDS: Final = 10**6
_MOST_WORKERS: Final = 64

Progress = Callable[[int, int], None]
Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]

command_option: Final = click.option(
    "--cmd", "command", metavar="COMMAND", help="A program on a pipe, in the shell's quoting."
)
"""The option as a decorator; its parameter is ``command``."""

ops_option: Final = click.option("--op", "ops", multiple=True, metavar="OP", help="Only this op; repeat for several.")
"""The option as a decorator; its parameter is ``ops``."""

dask_option: Final = click.option(
    "--dask",
    metavar="ADDRESS",
    help='Run on the Dask cluster whose scheduler has this address, as tcp://host:8786; needs the extra "cluster".',
)
"""The option as a decorator; its parameter is ``dask``."""

python_option: Final = click.option(
    "--python",
    envvar="ORACLE_PYTHON",
    metavar="PATH",
    help="A Python with the library and fdp-oracle, for libraries that share no environment with this one.",
)
"""The option as a decorator; its parameter is ``python``."""


def workers_option(words: str) -> Decorator:
    """The option ``-n`` as a decorator; its parameter is ``workers``."""
    return click.option("-n", "workers", type=click.IntRange(1, _MOST_WORKERS), default=1, help=words)


def timeout_option(seconds: int) -> Decorator:
    """The option ``--timeout`` as a decorator, with its default; its parameter is ``timeout``."""
    kind = click.FloatRange(0, _MOST_SECONDS, min_open=True)
    return click.option("--timeout", type=kind, default=seconds, show_default=True, help="Seconds for one answer.")


def require_one_place(dask: str | None, workers: int, command: str) -> None:
    """Refuse local processes beside a cluster.

    Raises:
        InputError: where both are given.
    """
    from oracle.errors import InputError  # noqa: PLC0415 - the engine loads when needed

    if dask is not None and workers > 1:
        raise InputError("-n or --dask", "both", command)


@contextmanager
def progress(what: str) -> Iterator[Progress | None]:
    """What is told how many are done, of how many: a bar on a terminal, None elsewhere."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console  # noqa: PLC0415 - for a terminal alone
    from rich.progress import MofNCompleteColumn, Progress, TimeRemainingColumn  # noqa: PLC0415

    columns = (*Progress.get_default_columns()[:2], MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def subject_maker(
    name: str | None, command: str | None, timeout: float, python: str | None = None
) -> Callable[[], Subject]:
    """What makes the subject, in this process or in one of a cluster: a program on a pipe.

    Args:
        name: of a library, or ``module:object``.
        command: the program, in the shell's quoting; one of the two is given.
        timeout: seconds for one answer.
        python: the interpreter that runs the adapter of a name; by default the one that runs here.

    Raises:
        InputError: for both or neither, or a name that is unknown.
    """
    from oracle.conformance.adapters.libraries import serving_command  # noqa: PLC0415 - the engine loads when needed
    from oracle.errors import InputError  # noqa: PLC0415

    if (name is None) == (command is None):
        raise InputError("either NAME or --cmd", "both" if name else "neither", "the subject")
    if name is not None:
        serving_command(name)
    return partial(_subject, name, command, timeout, python)


def _subject(name: str | None, command: str | None, timeout: float, python: str | None) -> Subject:
    """The program; without *python* that of a name is started by the Python that runs here."""
    from oracle.conformance.adapters.libraries import serving_command  # noqa: PLC0415
    from oracle.conformance.pipes import Piped  # noqa: PLC0415

    return Piped(command or serving_command(str(name), python), timeout)
