"""Mechanisms on databases as exact tables: profiles, group profiles, the pair of the worst case, subsampling.

The profile of M under a relation is delta_M(a) = sup over x ~ x' of D_a(M(x)‖M(x')), the group profile
delta_{M,k}(a) the same over 0 < d(x, x') <= k, with d the path distance inside the databases of the table. The
supremum over no pairs is 0 (as D_a >= 0, for a >= 1). Pairs are oriented for *add_remove*: forward is (x, x') with
the record removed in x'; for *substitute* every pair is meant in both orders.

**The pair of the worst case.** Let G be the greatest lower bound of the channels (M(x), M(x')) of all oriented pairs.
Its trade-off function is the convex hull of their minimum, and a hockey stick backward at h is
1 - min(beta + h·alpha) over the curve. A linear function has the same least value over a set of curves as over the
hull, so D_h of G is the largest D_h of the pairs, at every level and in each direction (the inverse curves have the
inverse hull). So one channel has the profile of the whole mechanism and dominates every pair. Rényi divergences of G
are upper bounds only.

Source: Balle, Barthe and Gaboardi, NeurIPS 2018, sections 2 and 3.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from gmpy2 import mpq

from oracle.channels.channel import Channel, common_denominator
from oracle.channels.divergences import Direction, hockey_stick
from oracle.channels.lattice import greatest_lower_bound
from oracle.databases.subsampling import Sampler
from oracle.databases.universe import Database, Relation, Universe, path_distances, text
from oracle.errors import InputError, LimitError, shorten
from oracle.exact import Extended, to_text

__all__ = ["MAX_PAIRS", "DatabaseMechanism"]

MAX_PAIRS: Final = 20_000
"""Most pairs of databases that are compared."""

_NO_PAIR: Final = Channel.trusted(((mpq(1),), (mpq(1),)))


@dataclass(frozen=True)
class DatabaseMechanism:
    """A mechanism given by the law of its output on each of some databases.

    Attributes:
        universe: the kind of database and the records.
        table: the row of every database, all of the same length.
    """

    universe: Universe
    table: Mapping[Database, tuple[mpq, ...]]

    def __post_init__(self) -> None:
        if not self.table:
            raise InputError("at least one database", "none", "table")
        width = len(next(iter(self.table.values())))
        for database, row in self.table.items():
            if len(row) != width:
                raise InputError(f"{width} outputs as in the first row", f"{len(row)}", text(database))
            if any(value < 0 for value in row):
                raise InputError("probabilities at least 0", "a negative one", text(database))
            total = sum(row, mpq(0))
            if total != 1:
                raise InputError("a row that sums to 1", f"a sum of {shorten(to_text(total))}", text(database))

    def __hash__(self) -> int:
        return hash((self.universe, tuple(self.table.items())))

    @property
    def outputs(self) -> int:
        """The number of outputs."""
        return len(next(iter(self.table.values())))

    def pair(self, first: Database, second: Database) -> Channel:
        """The two-row channel (M(first), M(second))."""
        return Channel.trusted((self.table[first], self.table[second]))

    def pairs(self, relation: Relation) -> Iterator[tuple[Database, Database]]:
        """The neighbouring pairs: (larger, smaller) for add_remove, both orders for substitute."""
        for first in self.table:
            for second in self.universe.neighbours(first, relation):
                if second in self.table and (relation == "substitute" or len(first) > len(second)):
                    yield first, second

    def profile(self, level: Extended, relation: Relation, direction: Direction = "both") -> mpq:
        """delta_M(a): the largest D_a of a neighbouring pair, 0 if there is none."""
        return max((hockey_stick(self.pair(*each), level, direction) for each in self.pairs(relation)), default=mpq(0))

    def group_profile(self, k: int, level: Extended, relation: Relation) -> mpq:
        """delta_{M,k}(a): the largest D_a, either order, of databases at a path distance from 1 to k."""
        best = mpq(0)
        for first in self.table:
            near = path_distances(first, self.table, lambda x: self.universe.neighbours(x, relation), k)
            for second, steps in near.items():
                if steps:
                    best = max(best, hockey_stick(self.pair(first, second), level))
        return best

    def worst_case(self, relation: Relation) -> Channel:
        """The greatest lower bound of all oriented pairs, which has the profile of the mechanism; see above.

        Raises:
            LimitError: for more than ``MAX_PAIRS`` pairs.
        """
        channels: dict[tuple[tuple[mpq, ...], tuple[mpq, ...]], Channel] = {}
        for count, (first, second) in enumerate(self.pairs(relation)):
            if count == MAX_PAIRS:
                raise LimitError(f"at most {MAX_PAIRS} neighbouring pairs", "more")
            rows = self.table[first], self.table[second]
            if rows[0] != rows[1]:
                channels.setdefault(rows, Channel.trusted(rows))
        return greatest_lower_bound(list(channels.values())) if channels else _NO_PAIR

    def subsampled(self, sources: Universe, databases: Iterable[Database], sampler: Sampler) -> DatabaseMechanism:
        """The mechanism x -> Σ_y S(x)(y) M(y) on *databases* of *sources*, row by row.

        Raises:
            InputError: for a sample that is not in the table.
        """
        scale = common_denominator(value for row in self.table.values() for value in row)
        numerators = {
            database: [value.numerator * (scale // value.denominator) for value in row]
            for database, row in self.table.items()
        }
        table: dict[Database, tuple[mpq, ...]] = {}
        for database in databases:
            row = [mpq(0)] * self.outputs
            for sample, weight in sampler(database).items():
                if sample not in numerators:
                    got = f"none for {text(sample)}, a sample of {text(database)}"
                    raise InputError("a row for every sample", got, "table")
                for y, value in enumerate(numerators[sample]):
                    row[y] += weight * value
            table[database] = tuple(value / scale for value in row)
        return DatabaseMechanism(sources, table)
