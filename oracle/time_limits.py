"""A limit of time for a piece of work: it is interrupted between two steps of the interpreter."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

__all__ = ["TooLongError", "time_limit"]


class TooLongError(BaseException):
    """The time is over. It is no Exception, so that the work itself, which may be foreign, does not catch it."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Interrupt the block after so many seconds, if it runs in the main thread.

    One call of compiled code is not interrupted, it is waited for; a limit that must hold needs a process of its own.

    Args:
        seconds: 0 for no limit.

    Raises:
        TooLongError: when the time is up.
    """
    interruptible = threading.current_thread() is threading.main_thread() and hasattr(signal, "setitimer")
    if not seconds or not interruptible:
        yield
        return

    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise TooLongError

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
