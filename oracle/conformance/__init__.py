"""Implementations under test: subjects behind the request protocol, vectors with exact truths, and what the laws say.

:func:`check_conformance` is the whole suite in one call, for one test of a Python library.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from oracle.conformance.checking import check_conformance

__all__ = ["check_conformance"]


def __getattr__(name: str) -> object:
    """Load the suite when it is asked for: pytest imports this package at every start, for its plugin."""
    if name == "check_conformance":
        from oracle.conformance.checking import check_conformance  # noqa: PLC0415

        return check_conformance
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
