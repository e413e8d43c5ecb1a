"""The neighbouring relation that an expression states; parts that state different ones do not go together.

A subsampling node and a ``database`` node say over which relation their pair ranges. A theorem about subsampling takes
its base over a certain relation: add_remove for Poisson, substitution for samples of a fixed size (a ``database`` node
right below is enumerated instead and may say either). Other nodes say nothing: their author knows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from oracle.databases.universe import Relation
from oracle.errors import InputError, LimitError
from oracle.mechanisms.database_node import DatabaseNode
from oracle.mechanisms.nodes import MAX_DEPTH, NAMES, FixedSizeSubsample, Mechanism, PoissonSubsample

__all__ = ["parts_of", "relation_of", "walk"]


def parts_of(mechanism: Mechanism) -> tuple[Mechanism, ...]:
    """The mechanisms that stand directly inside another one."""
    values = (getattr(mechanism, field.name) for field in fields(mechanism))
    members = (member for value in values for member in (value if isinstance(value, tuple) else (value,)))
    return tuple(member for member in members if isinstance(member, Mechanism))


def walk(mechanism: Mechanism) -> Iterator[Mechanism]:
    """A mechanism and all that stand inside it, each object once however often it is used."""
    met: set[int] = set()
    waiting = [mechanism]
    while waiting:
        part = waiting.pop()
        if id(part) not in met:
            met.add(id(part))
            yield part
            waiting += reversed(parts_of(part))


def relation_of(mechanism: Mechanism, where: str = "") -> Relation | None:
    """The relation that the expression states for its pair, or None where it states none.

    Raises:
        InputError: for parts over different relations, or a subsampling node above a base of the wrong one.
        LimitError: for mechanisms nested deeper than MAX_DEPTH.
    """
    return _stated(mechanism, where, {}, 0)


def _stated(mechanism: Mechanism, where: str, known: dict[int, Relation | None], depth: int) -> Relation | None:
    """The same, each object asked once."""
    if depth > MAX_DEPTH:
        raise LimitError(f"at most {MAX_DEPTH} mechanisms inside one another", "more", where)
    if id(mechanism) not in known:
        known[id(mechanism)] = _found(mechanism, where, known, depth + 1)
    return known[id(mechanism)]


def _found(mechanism: Mechanism, where: str, known: dict[int, Relation | None], depth: int) -> Relation | None:
    if isinstance(mechanism, DatabaseNode):
        return mechanism.neighbours
    if isinstance(mechanism, (PoissonSubsample, FixedSizeSubsample)):
        if not isinstance(mechanism.of, DatabaseNode):
            needed = "add_remove" if isinstance(mechanism, PoissonSubsample) else "substitute"
            stated = _stated(mechanism.of, where, known, depth)
            if stated not in (None, needed):
                expected = f"a mechanism over {needed} neighbours inside {NAMES[type(mechanism)]}"
                raise InputError(expected, f"one over {stated} neighbours", where)
        return mechanism.neighbours
    stated_by = {_stated(part, where, known, depth) for part in parts_of(mechanism)} - {None}
    if len(stated_by) > 1:
        raise InputError("parts over one neighbouring relation", "both add_remove and substitute", where)
    return next(iter(stated_by), None)
