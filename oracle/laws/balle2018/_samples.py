"""Subsampling by definition: every draw is listed. Sizes, distances and profiles are counted, not looked up.

Databases are written in the order of their records, so that draws that give the same set or multiset meet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import permutations, product
from math import comb, factorial
from typing import Any

from gmpy2 import mpq

from oracle.channels.channel import Rows
from oracle.databases.universe import Database
from oracle.exact import INFINITY, Extended, Infinity, to_text
from oracle.laws.balle2018._facts import ONE, ZERO
from oracle.laws.balle2018._mechanisms import Space

__all__ = [
    "Sample",
    "binomial_weight",
    "distances",
    "excess",
    "group_profile",
    "level_between",
    "membership_rows",
    "on_the_same_outcomes",
    "poisson",
    "poisson_node",
    "replacing",
    "replacing_node",
    "response",
    "steps",
    "taking",
    "taking_node",
]

Sample = dict[Database, mpq]
"""The law of a sample: databases of positive probability."""


def _collected(draws: Iterable[tuple[Iterable[str], mpq]]) -> Sample:
    law: Sample = {}
    for records, weight in draws:
        if weight:
            y = tuple(sorted(records))
            law[y] = law.get(y, ZERO) + weight
    return law


def poisson(x: Database, rate: mpq) -> Sample:
    """Every record tossed for: kept with probability *rate*."""

    def draws() -> Iterable[tuple[list[str], mpq]]:
        for kept in product((False, True), repeat=len(x)):
            weight = ONE
            for one in kept:
                weight *= rate if one else 1 - rate
            yield [u for u, one in zip(x, kept, strict=True) if one], weight

    return _collected(draws())


def taking(x: Database, m: int) -> Sample:
    """Take m records, one after the other, without putting them back."""
    weight = mpq(factorial(len(x) - m), factorial(len(x)))
    return _collected((drawn, weight) for drawn in permutations(x, m))


def replacing(x: Database, m: int) -> Sample:
    """Draw m records one after the other, each put back."""
    weight = ONE / len(x) ** m
    return _collected((drawn, weight) for drawn in product(x, repeat=m))


def on_the_same_outcomes(*laws: Sample, outcomes: Sequence[Database] | None = None) -> tuple[list[Database], Rows]:
    """The outcomes of several laws and their probabilities; with *outcomes* on those, in their order."""
    known = sorted({y for law in laws for y in law}) if outcomes is None else list(outcomes)
    return known, tuple(tuple(law.get(y, ZERO) for y in known) for law in laws)


def level_between(eta: mpq, level: mpq) -> mpq:
    """The level a' = 1 + eta (a - 1)."""
    return 1 + eta * (level - 1)


def binomial_weight(n: int, m: int, k: int) -> mpq:
    """C(m,k) (1/n)^k (1-1/n)^(m-k), with 0^0 = 1."""
    return comb(m, k) * mpq(1, n) ** k * (1 - mpq(1, n)) ** (m - k)


def excess(table: Rows, level: mpq) -> mpq:
    """The larger of Σ [p - aq]_+ and Σ [q - ap]_+."""
    p, q = table
    there = sum((max(ZERO, a - level * b) for a, b in zip(p, q, strict=True)), ZERO)
    return max(there, sum((max(ZERO, b - level * a) for a, b in zip(p, q, strict=True)), ZERO))


def distances(space: Space, first: Sequence[Database], second: Sequence[Database]) -> list[list[Extended]]:
    """Path distances from each of *first* to each of *second*; of sets and multisets from the counts of the records."""
    tuples = space.universe if space.kind == "tuple" else None

    def one(y: Database, z: Database) -> Extended:
        if tuples is not None:
            found = tuples.distance(y, z, space.relation)
            return found if isinstance(found, Infinity) else mpq(found)
        if space.relation == "substitute" and len(y) != len(z):
            return INFINITY
        moved = sum(abs(y.count(u) - z.count(u)) for u in space.records)
        return mpq(moved // 2 if space.relation == "substitute" else moved)

    return [[one(y, z) for z in second] for y in first]


def steps(distance: mpq) -> int:
    """A finite distance as an int."""
    return int(distance.numerator)


def group_profile(space: Space, rows: Rows, level: mpq) -> Callable[[int], mpq]:
    """The map k -> the largest excess of two databases at a distance of at most k, 0 for none; *level* >= 1."""
    known = space.databases
    table = distances(space, known, known)
    found: dict[Extended, mpq] = {}
    for i, row in enumerate(table):
        for j in range(i):
            found[row[j]] = max(found.get(row[j], ZERO), excess((rows[i], rows[j]), level))
    return lambda k: max((value for distance, value in found.items() if distance <= k), default=ZERO)


def response(p: mpq) -> Rows:
    """Randomised response R_p: row b is the law of the answer for the bit b."""
    return (p, 1 - p), (1 - p, p)


def membership_rows(databases: Iterable[Database], v: str, p: mpq) -> Rows:
    """M_{v,p}: randomised response about whether v is in the database."""
    table = response(p)
    return tuple(table[int(v in database)] for database in databases)


def poisson_node(rate: mpq, relation: str, of: dict[str, Any]) -> dict[str, Any]:
    """Poisson subsampling as the protocol writes it."""
    return {"mechanism": "poisson_subsample", "rate": to_text(rate), "neighbours": relation, "of": of}


def taking_node(n: int, m: int, of: dict[str, Any], relation: str = "substitute") -> dict[str, Any]:
    """Drawing m of n without replacement as the protocol writes it."""
    sizes = {"source": n, "sample": m, "neighbours": relation}
    return {"mechanism": "subsample_without_replacement", **sizes, "of": of}


def replacing_node(n: int, m: int, of: dict[str, Any], relation: str = "substitute") -> dict[str, Any]:
    """Drawing m of n with replacement as the protocol writes it."""
    sizes = {"source": n, "sample": m, "neighbours": relation}
    return {"mechanism": "subsample_with_replacement", **sizes, "of": of}
