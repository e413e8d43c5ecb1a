"""The pair of the latest mechanism that was asked about: the next question is often about the same one.

A pair keeps what was derived from it, so that a second question about a composition costs a fraction of the first. What
is derived may be unfinished where an answer was interrupted, or failed, and the pair is forgotten then.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

from oracle.json_text import canonical
from oracle.mechanisms.evaluate import Pair
from oracle.operations.arguments import pair_of

__all__ = ["forgotten_unless_done", "latest_pair"]


class _Latest(threading.local):
    """The pair, by its expression in canonical words."""

    def __init__(self) -> None:
        self.pairs: dict[str, Pair] = {}


_LATEST: Final = _Latest()


def latest_pair(channel: Any, where: str = "channel") -> Pair:  # noqa: ANN401 - a JSON value
    """The pair of an expression, the one that is kept if the latest question was about the same words.

    Tables are not kept: reading one costs as much as comparing it.
    """
    try:
        words = canonical(channel) if isinstance(channel, Mapping) and "mechanism" in channel else None
    except (TypeError, ValueError, RecursionError):  # what is no JSON is refused, in its place, when it is read
        words = None
    if words is None:
        return pair_of(channel, where)
    if words not in _LATEST.pairs:
        _LATEST.pairs.clear()
        _LATEST.pairs[words] = pair_of(channel, where)
    return _LATEST.pairs[words]


@contextmanager
def forgotten_unless_done() -> Iterator[None]:
    """Forget the pair if the block does not come to its end."""
    try:
        yield
    except BaseException:
        _LATEST.pairs.clear()
        raise
