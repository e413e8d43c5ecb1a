"""Subsampled databases a second time: every sample of every database of a pair, with its probability."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, permutations
from typing import Any

from oracle.conformance.vector_sources.expressions import Law, NoSecondWay, Number, number

__all__ = ["sampled_databases"]

Database = frozenset[str]


def _samples(node: Mapping[str, Any], database: Database) -> Iterator[tuple[Database, Fraction]]:
    records = sorted(database)
    if node["mechanism"] == "poisson_subsample":
        rate = number(node["rate"])
        for size in range(len(records) + 1):
            for kept in combinations(records, size):
                yield frozenset(kept), rate**size * (1 - rate) ** (len(records) - size)
    elif node["mechanism"] == "subsample_without_replacement":
        choices = list(combinations(records, int(node["sample"])))
        for kept in choices:
            yield frozenset(kept), Fraction(1, len(choices))
    else:
        raise NoSecondWay("this sampling")


def _sources(node: Mapping[str, Any], table: Mapping[Database, Law]) -> list[Database]:
    if node["mechanism"] == "poisson_subsample":
        return list(table)
    return [frozenset(kept) for kept in combinations(node["of"]["universe"], int(node["source"]))]


def _neighbours(one: Database, other: Database, relation: str) -> bool:
    """Whether *other* is *one* with a record removed, or with a record replaced."""
    if relation == "add_remove":
        return other < one and len(one) == len(other) + 1
    return len(one) == len(other) and len(one - other) == 1


def sampled_databases(node: Mapping[str, Any], level: Number, sides: Sequence[str]) -> tuple[str, Fraction]:
    """The largest hockey stick over all neighbouring databases; forward is the removal of a record."""
    if not isinstance(level, Fraction):
        raise NoSecondWay("a level that is not rational")
    table = {frozenset(line["database"]): [number(v) for v in line["row"]] for line in node["of"]["table"]}
    laws: dict[Database, Law] = {}
    for source in _sources(node, table):
        mixed: Law = [Fraction(0)] * len(next(iter(table.values())))
        for sample, chance in _samples(node, source):
            mixed = [total + chance * mass for total, mass in zip(mixed, table[sample], strict=True)]
        laws[source] = mixed
    worst = Fraction(0)
    for (one, first), (other, second) in permutations(laws.items(), 2):
        if not _neighbours(one, other, node["neighbours"]):
            continue
        for p, q in ((first, second) if side == "forward" else (second, first) for side in sides):
            stick = sum((max(Fraction(0), a - level * b) for a, b in zip(p, q, strict=True)), Fraction(0))
            worst = max(worst, stick)
    return "enumeration of all samples", worst
