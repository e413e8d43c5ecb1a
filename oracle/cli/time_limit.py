"""A limit of time for a piece of work: it is interrupted between two steps of the interpreter."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

import click

__all__ = ["MOST_SECONDS", "TooLongError", "seconds", "time_limit"]

MOST_SECONDS: Final = 10**8


class TooLongError(Exception):
    """The time limit has passed."""


def seconds(_context: click.Context, _option: click.Parameter, value: float) -> float:
    """Refuse what no timer takes, NaN too."""
    if not 0 <= value <= MOST_SECONDS:
        raise click.BadParameter(f"expected seconds from 0 to {MOST_SECONDS}, got {value}")
    return value


@contextmanager
def time_limit(limit: float) -> Iterator[None]:
    """Interrupt the block after so many seconds; 0 for no limit.

    Raises:
        TooLongError: when the time is up.
    """
    if not limit or not hasattr(signal, "setitimer"):
        yield
        return

    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise TooLongError

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, limit)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
