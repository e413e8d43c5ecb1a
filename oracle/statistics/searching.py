"""Searches over whole numbers for the last one that satisfies a predicate which, once false, stays false."""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["last_true"]


def last_true(holds: Callable[[int], bool], guess: int, end: int) -> int:
    """The last j with 0 <= j < end for which a predicate holds; it is taken to hold at 0 and to fail at *end*.

    Steps double away from the guess until the change is enclosed, then it is halved. Whatever the predicate, it holds
    at the answer and fails at the next number, or these are 0 and *end*.
    """
    low, high = 0, end
    at, step = min(max(guess, 1), end - 1), 1
    while high - low > 1:
        if holds(at):
            low, at = at, at + step
        else:
            high, at = at, at - step
        step *= 2
        if not low < at < high:
            at = (low + high) // 2
    return low
