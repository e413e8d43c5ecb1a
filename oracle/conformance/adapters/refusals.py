"""What a library refuses in words of its own is outside of what it offers, and declined."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from oracle.errors import Declined

__all__ = ["declining"]


@contextmanager
def declining(*texts: str) -> Iterator[None]:
    """Turn a ``ValueError`` of the library that says one of these into a declined answer.

    Any other error stays one: the library tried and failed.

    Raises:
        Declined: with the library's message.
    """
    try:
        yield
    except ValueError as error:
        if any(text in str(error) for text in texts):
            raise Declined(str(error)) from error
        raise
