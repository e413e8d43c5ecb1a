"""A limit of time: the work is interrupted, whatever it catches, and nothing of the limit is left."""

from __future__ import annotations

import signal
import threading
from contextlib import suppress

import pytest

from oracle.time_limits import TooLongError, time_limit


def work_that_catches_errors() -> None:
    while True:
        with suppress(Exception):
            sum(range(1000))


def test_work_is_interrupted_although_it_catches_every_error() -> None:
    with pytest.raises(TooLongError), time_limit(0.05):
        work_that_catches_errors()


@pytest.mark.parametrize("seconds", [0, 1000])
def test_work_within_its_time_leaves_no_timer_and_the_handler_of_before(seconds: float) -> None:
    before = signal.getsignal(signal.SIGALRM)
    with time_limit(seconds):
        pass
    assert signal.getsignal(signal.SIGALRM) is before
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_an_error_of_the_work_passes_and_ends_the_timer() -> None:
    with pytest.raises(ZeroDivisionError), time_limit(1000):
        _ = 1 // 0
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_outside_the_main_thread_there_is_no_limit() -> None:
    """Signals reach the main thread alone."""
    found = []

    def work() -> None:
        with time_limit(0.001):
            found.append(signal.getitimer(signal.ITIMER_REAL))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert found == [(0.0, 0.0)]
