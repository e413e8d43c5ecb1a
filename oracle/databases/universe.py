"""Databases over a small universe of records, their neighbours and the path distance.

A database is a set, a multiset or a tuple of records. It is written as a Python tuple: sets and multisets in the order
of the universe, a set without repetition. Two relations, both symmetric and irreflexive:

- *add_remove*: one database is the other with one record more (in a tuple, at any place);
- *substitute*: same size, and one record is replaced by a different one (in a set, by one that it lacks).

The path distance d(x, x') is the least number of steps from x to x': 0 for x = x', infinite where no path leads. In the
space of all databases of a kind it is

====================  ======================================  ============================
kind                  add_remove                              substitute (equal sizes only)
====================  ======================================  ============================
set, multiset         Σ_u abs(x_u - x'_u)                     half of that
tuple                 n + n' - 2·(longest common subsequence) number of differing places
====================  ======================================  ============================

Source: Balle, Barthe and Gaboardi, NeurIPS 2018, section 2. The printed definition of d asks for a chain of neighbours
also from x to x; d(x, x) = 0 is meant.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement, product
from typing import Final, Literal, TypeVar

from oracle.errors import InputError, LimitError, shorten
from oracle.exact import INFINITY, Infinity

__all__ = [
    "KINDS",
    "MAX_DATABASES",
    "RELATIONS",
    "Database",
    "Kind",
    "Relation",
    "Universe",
    "path_distances",
    "text",
]

Database = tuple[str, ...]
Kind = Literal["set", "multiset", "tuple"]
Relation = Literal["add_remove", "substitute"]

KINDS: Final[tuple[Kind, ...]] = ("set", "multiset", "tuple")
RELATIONS: Final[tuple[Relation, ...]] = ("add_remove", "substitute")

MAX_DATABASES: Final = 20_000
"""Most databases that are enumerated."""

Node = TypeVar("Node", bound=Hashable)


def text(database: Database) -> str:
    """A database in a message: ``(a, b)``."""
    return "(" + ", ".join(database) + ")"


@dataclass(frozen=True, slots=True)
class Universe:
    """The databases of one kind over some records.

    Attributes:
        records: distinct records, in the order in which sets and multisets are written.
        kind: set, multiset or tuple.
    """

    records: tuple[str, ...]
    kind: Kind

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise InputError("the kind set, multiset or tuple", shorten(self.kind), "kind")
        if len(set(self.records)) != len(self.records):
            raise InputError("distinct records", "a record again", "universe")

    def database(self, records: Iterable[str], where: str = "") -> Database:
        """The database of these records.

        Raises:
            InputError: for a record that is not of the universe, or one that a set has twice.
        """
        given = tuple(records)
        place = {record: i for i, record in enumerate(self.records)}
        for record in given:
            if record not in place:
                raise InputError("records of the universe", shorten(record), where)
        if self.kind == "set" and len(set(given)) != len(given):
            raise InputError("a set: every record at most once", text(given), where)
        return given if self.kind == "tuple" else tuple(sorted(given, key=place.__getitem__))

    def of_size(self, size: int) -> Iterator[Database]:
        """Every database of a size; none where a set would be larger than the universe."""
        if self.kind == "set":
            return combinations(self.records, size)
        if self.kind == "multiset":
            return combinations_with_replacement(self.records, size)
        return product(self.records, repeat=size)

    def enumerated(self, sizes: Iterable[int]) -> list[Database]:
        """Every database of the sizes.

        Raises:
            LimitError: for more than ``MAX_DATABASES``.
        """
        found: list[Database] = []
        for size in sizes:
            for database in self.of_size(size):
                if len(found) == MAX_DATABASES:
                    raise LimitError(f"at most {MAX_DATABASES} databases", "more")
                found.append(database)
        return found

    def neighbours(self, database: Database, relation: Relation) -> list[Database]:
        """The databases that are one step away, each once."""
        found: dict[Database, None] = {}
        smaller = [(database[:i] + database[i + 1 :], record) for i, record in enumerate(database)]
        if relation == "add_remove":
            found.update(dict.fromkeys(rest for rest, _ in smaller))
            places = range(len(database) + 1) if self.kind == "tuple" else (len(database),)
            larger = [
                (*database[:i], record, *database[i:])
                for record in self.records
                if self.kind != "set" or record not in database
                for i in places
            ]
            found.update((self.database(each), None) for each in larger)
        else:
            for i, (rest, removed) in enumerate(smaller):
                for record in self.records:
                    if record != removed and (self.kind != "set" or record not in rest):
                        found[self.database((*rest[:i], record, *rest[i:]))] = None
        return list(found)

    def distance(self, first: Database, second: Database, relation: Relation) -> int | Infinity:
        """The path distance in the space of all databases of the kind; see the module's table."""
        if relation == "substitute" and len(first) != len(second):
            return INFINITY
        if self.kind != "tuple":
            steps = _total(Counter(first) - Counter(second)) + _total(Counter(second) - Counter(first))
            return steps if relation == "add_remove" else steps // 2
        if relation == "substitute":
            return sum(a != b for a, b in zip(first, second, strict=True))
        return len(first) + len(second) - 2 * _common(first, second)


def _total(counts: Counter[str]) -> int:
    return sum(counts.values())


def _common(first: Database, second: Database) -> int:
    """The length of a longest common subsequence."""
    row = [0] * (len(second) + 1)
    for a in first:
        before = row
        row = [0]
        for j, b in enumerate(second):
            row.append(before[j] + 1 if a == b else max(before[j + 1], row[j]))
    return row[-1]


def path_distances(
    start: Node, nodes: Collection[Node], neighbours: Callable[[Node], Iterable[Node]], most: int | None = None
) -> dict[Node, int]:
    """Distances from *start* to all of *nodes* within *most* steps, along paths inside *nodes*; start has 0."""
    found = {start: 0}
    queue = deque([start])
    while queue:
        node = queue.popleft()
        if most is not None and found[node] >= most:
            continue
        for other in neighbours(node):
            if other in nodes and other not in found:
                found[other] = found[node] + 1
                queue.append(other)
    return found
