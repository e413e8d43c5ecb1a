"""The node ``database``: a mechanism as a table over small databases, to be asked or subsampled exactly.

    {"mechanism": "database", "universe": ["a", "b"], "kind": "set", "neighbours": "add_remove",
     "table": [{"database": [], "row": ["1/2", "1/2"]}, {"database": ["a"], "row": ["1/4", "3/4"]}, ...]}

``kind`` is set, multiset or tuple. Its pair is that of the worst case over the neighbouring databases of the table:
their greatest lower bound, which has the largest delta of all pairs at every level and in each direction, forward being
the removal of a record (see :mod:`oracle.databases.tables`). ``sources`` (the kind by default) is the kind of the
databases that ``subsample_*`` draw from: samples with replacement of a set are multisets.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from gmpy2 import mpq

from oracle.channels.channel import parse_labels
from oracle.databases.tables import DatabaseMechanism
from oracle.databases.universe import KINDS, MAX_DATABASES, RELATIONS, Database, Kind, Relation, Universe, text
from oracle.errors import InputError, LimitError, shorten
from oracle.exact import parse_number, to_text
from oracle.json_text import refuse_unknown

__all__ = ["DatabaseNode", "database_node", "parse_relation"]

Choice = TypeVar("Choice", bound=str)

_FIELDS: Final = ("universe", "kind", "neighbours", "table")


@dataclass(frozen=True, slots=True)
class DatabaseNode:
    """A table over databases, the relation under which it is asked and the kind of databases it is sampled from."""

    mechanism: DatabaseMechanism
    neighbours: Relation
    sources: Kind

    def to_json(self) -> dict[str, Any]:
        """The expression in the shape of the contract."""
        universe = self.mechanism.universe
        table = [
            {"database": list(database), "row": [to_text(value) for value in row]}
            for database, row in self.mechanism.table.items()
        ]
        fields = {"universe": list(universe.records), "kind": universe.kind, "sources": self.sources}
        return {"mechanism": "database", **fields, "neighbours": self.neighbours, "table": table}


def _one_of(value: object, known: tuple[Choice, ...], where: str) -> Choice:
    for choice in known:
        if value == choice:
            return choice
    raise InputError("one of " + ", ".join(known), shorten(value), where)


def parse_relation(value: Mapping[str, Any], where: str) -> Relation:
    """Read the mandatory ``neighbours``: add_remove or substitute."""
    if "neighbours" not in value:
        raise InputError('the key "neighbours" (add_remove or substitute, no default)', "none", where)
    return _one_of(value["neighbours"], RELATIONS, f"{where}.neighbours" if where else "neighbours")


def database_node(value: Mapping[str, Any], where: str) -> DatabaseNode:
    """Read a ``database`` node.

    Raises:
        InputError: for unknown or missing fields, databases twice or outside the universe, and rows that are no laws.
        LimitError: for more than ``MAX_DATABASES`` databases.
    """
    refuse_unknown(value, ("mechanism", *_FIELDS, "sources"), where)
    for field in _FIELDS:
        if field not in value and field != "neighbours":
            raise InputError(f'the key "{field}"', "none", where)
    relation = parse_relation(value, where)
    prefix = f"{where}." if where else ""
    given = value["universe"]
    if not isinstance(given, (list, tuple)):
        raise InputError("a list of records", shorten(given), f"{prefix}universe")
    records = parse_labels(given, len(given), f"{prefix}universe")
    universe = Universe(records or (), _one_of(value["kind"], KINDS, f"{prefix}kind"))
    sources = _one_of(value.get("sources", universe.kind), KINDS, f"{prefix}sources")
    entries = value["table"]
    if not isinstance(entries, (list, tuple)) or not entries:
        raise InputError("a list of at least one database with its row", shorten(entries), f"{prefix}table")
    if len(entries) > MAX_DATABASES:
        raise LimitError(f"at most {MAX_DATABASES} databases", str(len(entries)), f"{prefix}table")
    table: dict[Database, tuple[mpq, ...]] = {}
    for i, entry in enumerate(entries):
        place = f"{prefix}table[{i}]"
        database, row = _entry(entry, universe, place)
        if database in table:
            raise InputError("each database once", f"{text(database)} again", place)
        table[database] = row
    try:
        return DatabaseNode(DatabaseMechanism(universe, table), relation, sources)
    except InputError as error:
        raise InputError(error.expected, error.got, f"{prefix}table {error.where}") from None


def _entry(entry: object, universe: Universe, where: str) -> tuple[Database, tuple[mpq, ...]]:
    if not isinstance(entry, Mapping):
        raise InputError('an object with "database" and "row"', shorten(entry), where)
    refuse_unknown(entry, ("database", "row"), where)
    for field in ("database", "row"):
        if not isinstance(entry.get(field), (list, tuple)):
            raise InputError(f'a list "{field}"', shorten(entry.get(field)), where)
    for record in entry["database"]:
        if not isinstance(record, str):
            raise InputError("records as text", shorten(record), f"{where}.database")
    row = tuple(parse_number(cell, f"{where}.row[{j}]") for j, cell in enumerate(entry["row"]))
    if not row:
        raise InputError("at least one output", "an empty row", f"{where}.row")
    return universe.database(entry["database"], f"{where}.database"), row
