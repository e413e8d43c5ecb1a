"""Mechanisms on small spaces of databases as examples of laws: a kind, a relation, and a row for each database."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from gmpy2 import mpq
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from oracle.channels.channel import Channel, Rows
from oracle.databases.universe import Database, Kind, Relation, Universe
from oracle.exact import Infinity, to_text
from oracle.laws.strategies import many_row_channels

__all__ = ["SPACES", "Space", "laws_on_the_same_outcomes", "mechanisms"]


class Space(NamedTuple):
    """All databases of some sizes over a few records, and a neighbouring relation."""

    kind: Kind
    records: tuple[str, ...]
    sizes: tuple[int, ...]
    relation: Relation

    @property
    def universe(self) -> Universe:
        """The universe of its databases."""
        return Universe(self.records, self.kind)

    @property
    def databases(self) -> list[Database]:
        """The databases, smaller ones first."""
        return self.universe.enumerated(self.sizes)

    def are_neighbours(self, first: Database, second: Database) -> bool:
        """The relation by definition, from the counts of the records (sets, multisets) or the places (tuples)."""
        if self.relation == "substitute":
            if len(first) != len(second):
                return False
            if self.kind == "tuple":
                return sum(a != b for a, b in zip(first, second, strict=True)) == 1
            return sum(abs(first.count(u) - second.count(u)) for u in self.records) == 2
        longer, shorter = sorted((first, second), key=len, reverse=True)
        if len(longer) != len(shorter) + 1:
            return False
        if self.kind == "tuple":
            return any(longer[:i] + longer[i + 1 :] == shorter for i in range(len(longer)))
        return all(longer.count(u) >= shorter.count(u) for u in self.records)

    def pairs(self) -> Iterator[tuple[int, int]]:
        """Places of neighbouring databases, each unordered pair once."""
        known = self.databases
        for j, second in enumerate(known):
            for i in range(j):
                if self.are_neighbours(known[i], second):
                    yield i, j

    def distances(self, start: int) -> dict[int, int]:
        """Least number of steps from a database to each that is reached, 0 for itself, ring by ring."""
        edges = list(self.pairs())
        found = {start: 0}
        for steps in range(1, len(self.databases)):
            ends = [*edges, *((j, i) for i, j in edges)]
            fresh = {j for i, j in ends if found.get(i) == steps - 1 and j not in found}
            found.update(dict.fromkeys(fresh, steps))
        return found

    def distance(self, i: int, j: int) -> int | Infinity:
        """The path distance by its closed form in the counts of the records."""
        known = self.databases
        return self.universe.distance(known[i], known[j], self.relation)

    def to_json(self, rows: Rows) -> dict[str, Any]:
        """The mechanism with these rows as the protocol writes it."""
        table = [
            {"database": list(database), "row": [to_text(v) for v in row]}
            for database, row in zip(self.databases, rows, strict=True)
        ]
        fields = {"universe": list(self.records), "kind": self.kind, "neighbours": self.relation}
        return {"mechanism": "database", **fields, "table": table}


SPACES: Final = (
    Space("set", ("a",), (0, 1), "add_remove"),
    Space("set", ("a", "b"), (0, 1, 2), "add_remove"),
    Space("multiset", ("a",), (0, 1, 2, 3), "add_remove"),
    Space("multiset", ("a", "b"), (0, 1, 2), "add_remove"),
    Space("tuple", ("a", "b"), (0, 1, 2), "add_remove"),
    Space("set", ("a", "b", "c"), (1, 2), "substitute"),
    Space("multiset", ("a", "b"), (2, 3), "substitute"),
    Space("tuple", ("a", "b"), (2,), "substitute"),
    Space("set", ("a", "b"), (2,), "substitute"),
)
"""Small spaces of every kind under both relations; the last one has no neighbours at all."""


@st.composite
def mechanisms(draw: DrawFn, max_columns: int = 3) -> tuple[Space, Channel]:
    """A space and a mechanism on it, its rows in the order of the space's databases."""
    space = draw(st.sampled_from(SPACES))
    size = len(space.databases)
    return space, draw(many_row_channels(size, size, max_columns))


@st.composite
def laws_on_the_same_outcomes(draw: DrawFn, count: int, max_columns: int = 4) -> tuple[tuple[mpq, ...], ...]:
    """*count* laws on the same outcomes; some are equal now and then."""
    return draw(many_row_channels(count, count, max_columns)).rows
