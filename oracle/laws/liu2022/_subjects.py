"""Inputs for the claims of section 4, and what the laws ask a subject about them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gmpy2 import mpq
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from oracle.channels.channel import Channel, Rows
from oracle.enclosures import Enclosure
from oracle.exact import to_text
from oracle.laws.ask import Ask, Number, SubjectError, Table
from oracle.laws.balle2018._facts import number

__all__ = [
    "finite_mu",
    "grids",
    "mu_accepted",
    "mu_of",
    "plain_channels",
    "processed_channels",
    "randomised_response",
    "within",
]


@st.composite
def plain_channels(draw: DrawFn, max_columns: int = 4, largest: int = 12) -> Channel:
    """Two-row channels of small positive weights, with different rows: log(54)-DP, so that a finite mu serves."""
    columns = draw(st.integers(2, max_columns))
    weights = st.lists(st.integers(1, largest), min_size=columns, max_size=columns)
    rows = [[mpq(w, sum(row)) for w in row] for row in (draw(weights), draw(weights))]
    if rows[0] == rows[1]:
        share = mpq(1, columns + 1)
        rows = [[2 * share, *[share] * (columns - 1)], [*[share] * (columns - 1), 2 * share]]
    return Channel(rows)


@st.composite
def processed_channels(draw: DrawFn) -> tuple[Channel, Rows]:
    """A plain channel and a post-processing of it that keeps its rows positive."""
    channel = draw(plain_channels(3, 6))
    weights = st.lists(st.integers(1, 4), min_size=2, max_size=2)
    witness = [[mpq(w, sum(row)) for w in row] for row in (draw(weights) for _ in range(channel.shape[1]))]
    return channel, Channel(witness).rows


def grids() -> SearchStrategy[tuple[int, mpq]]:
    """A number of intervals, and the end of the grid."""
    return st.tuples(st.integers(2, 4), st.sampled_from([mpq(4), mpq(9, 2), mpq(5)]))


def randomised_response(level: mpq) -> Channel:
    """The truth with probability a/(1 + a), a = e^eps."""
    return Channel([[level / (1 + level), 1 / (1 + level)], [1 / (1 + level), level / (1 + level)]])


def mu_of(ask: Ask, mechanism: Mapping[str, Any], digits: int = 20) -> Number:
    """The subject's least mu of a mechanism that has a finite one."""
    return number(ask.value("mu", {"channel": dict(mechanism), "digits": digits}))


def finite_mu(ask: Ask, table: Table) -> Number:
    """The subject's least mu of a table that has a finite one.

    Raises:
        SubjectError: if the subject says that there is none.
    """
    found = ask.mu(table)
    if not isinstance(found, (mpq, Enclosure)):
        raise SubjectError("mu: a finite number was expected, got inf")
    return found


def mu_accepted(ask: Ask, mechanism: Mapping[str, Any], mu: mpq) -> bool:
    """Whether the subject accepts mu-GDP for a mechanism."""
    args = {"channel": dict(mechanism), "claim": {"mu": to_text(mu)}}
    return ask.value("satisfies", args)["holds"] is True


def within(value: object, low: str, high: str) -> bool:
    """Whether an enclosure lies between two decimals."""
    return isinstance(value, Enclosure) and mpq(low) <= value.lo and value.hi <= mpq(high)
