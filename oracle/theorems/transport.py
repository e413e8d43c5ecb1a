"""Exact optimal transport between two finite laws, with a dual that proves the optimum or a set that forbids a plan.

Given laws mu and nu and costs c >= 0, some of them infinite (forbidden pairs), the least Σ pi(i, j) c(i, j) over all
couplings pi is found with potentials u, v such that u_i + v_j <= c(i, j) everywhere and Σ u mu + Σ v nu = Σ pi c: no
coupling can cost less (Kantorovich duality). If no coupling avoids the forbidden pairs, there is a set A of first
outcomes with mu(A) > nu(N(A)), N(A) being all that is allowed from A (Hall's condition).

*Method.* Successive shortest paths. Reduced costs c - u - v stay nonnegative, and zero where pi is positive. A search
from all rows that have mass left finds the nearest column that still wants some, at distance D; u_i grows by
max(0, D - dist_i), v_j falls by max(0, D - dist_j), which keeps both properties, and the path is then free of reduced
cost. It carries the least of what is left at its ends and what pi has on its steps back. All masses are multiples of
one over a common denominator, so each path carries at least that much and there are finitely many.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from gmpy2 import mpq

from oracle.errors import InputError, LimitError, shorten
from oracle.exact import Extended, Infinity, to_text

__all__ = ["MAX_CELLS", "Obstruction", "Transport", "check_laws", "transport"]

MAX_CELLS: Final = 40_000
"""Most pairs of outcomes of one problem."""

Costs = Sequence[Sequence[Extended]]
Entries = dict[tuple[int, int], mpq]


@dataclass(frozen=True, slots=True)
class Transport:
    """A coupling of least cost, as its positive entries, with potentials that prove it."""

    entries: Entries
    value: mpq
    first_potentials: tuple[mpq, ...]
    second_potentials: tuple[mpq, ...]


@dataclass(frozen=True, slots=True)
class Obstruction:
    """A set of first outcomes whose mass exceeds the second law's mass of all that is allowed from it."""

    event: tuple[int, ...]
    first_mass: mpq
    second_mass: mpq


def check_laws(first: Sequence[mpq], second: Sequence[mpq]) -> None:
    """Refuse lists that are not probability laws."""
    for name, law in (("first", first), ("second", second)):
        if not law or any(value < 0 for value in law):
            raise InputError("at least one outcome, probabilities at least 0", "others", name)
        if sum(law, mpq(0)) != 1:
            raise InputError("probabilities that sum to 1", shorten(to_text(sum(law, mpq(0)))), name)


def transport(first: Sequence[mpq], second: Sequence[mpq], costs: Costs) -> Transport | Obstruction:
    """The least cost of a coupling of two laws; see the module's text.

    Raises:
        InputError: for laws that are none, costs of another shape or a negative cost.
        LimitError: for more than ``MAX_CELLS`` pairs.
    """
    check_laws(first, second)
    if len(costs) != len(first) or any(len(row) != len(second) for row in costs):
        raise InputError(f"costs of {len(first)} rows and {len(second)} columns", "another shape", "costs")
    if any(cost < 0 for row in costs for cost in row):
        raise InputError("costs at least 0", "a negative one", "costs")
    if len(first) * len(second) > MAX_CELLS:
        raise LimitError(f"at most {MAX_CELLS} pairs of outcomes", str(len(first) * len(second)))
    return _Plan(first, second, costs).solve()


@dataclass(slots=True)
class _Search:
    """Distances of rows and columns, the row from which a column was entered, the column through which a row was."""

    rows: dict[int, mpq]
    columns: dict[int, mpq]
    entered: dict[int, int]
    left: dict[int, int]
    target: int | None = None


class _Plan:
    """A partial coupling and its potentials."""

    def __init__(self, first: Sequence[mpq], second: Sequence[mpq], costs: Costs) -> None:
        self.first, self.second = list(first), list(second)
        self.supply, self.demand = list(first), list(second)
        self.allowed = [[(j, mpq(c)) for j, c in enumerate(row) if not isinstance(c, Infinity)] for row in costs]
        self.u = [mpq(0)] * len(first)
        least: dict[int, mpq] = {}
        for row in self.allowed:
            for j, c in row:
                least[j] = min(c, least.get(j, c))
        self.v = [least.get(j, mpq(0)) for j in range(len(second))]
        self.flow: list[dict[int, mpq]] = [{} for _ in second]

    def solve(self) -> Transport | Obstruction:
        while any(self.supply):
            found = self.search()
            if found.target is None:
                return self.obstruction(tuple(sorted(found.rows)))
            reach = found.columns[found.target]
            for i, distance in found.rows.items():
                self.u[i] += max(mpq(0), reach - distance)
            for j, distance in found.columns.items():
                self.v[j] -= max(mpq(0), reach - distance)
            self.augment(found, found.target)
        entries = {(i, j): x for j, column in enumerate(self.flow) for i, x in column.items()}
        cost = {(i, j): c for i, row in enumerate(self.allowed) for j, c in row}
        value = sum((x * cost[at] for at, x in entries.items()), mpq(0))
        return Transport(dict(sorted(entries.items())), value, tuple(self.u), tuple(self.v))

    def obstruction(self, event: tuple[int, ...]) -> Obstruction:
        """The rows of a search without end: all that is allowed from them is full, and full of their mass alone."""
        allowed = sorted({j for i in event for j, _ in self.allowed[i]})
        mass = sum((self.first[i] for i in event), mpq(0))
        return Obstruction(event, mass, sum((self.second[j] for j in allowed), mpq(0)))

    def search(self) -> _Search:
        """Distances from the rows that have mass left, up to the nearest column that wants more."""
        found = _Search({i: mpq(0) for i, left in enumerate(self.supply) if left}, {}, {}, {})
        tentative: dict[int, mpq] = {}
        fresh = list(found.rows)
        while True:
            for i in fresh:
                for j, c in self.allowed[i]:
                    distance = found.rows[i] + c - self.u[i] - self.v[j]
                    if j not in found.columns and (j not in tentative or distance < tentative[j]):
                        tentative[j] = distance
                        found.entered[j] = i
            if not tentative:
                return found
            j = min(tentative, key=tentative.__getitem__)
            found.columns[j] = tentative.pop(j)
            if self.demand[j]:
                found.target = j
                return found
            fresh = [i for i in self.flow[j] if i not in found.rows]
            for i in fresh:
                found.rows[i] = found.columns[j]
                found.left[i] = j

    def augment(self, found: _Search, target: int) -> None:
        """Move mass along the path to *target*: onto (i, j), away from (i, j before), and so on."""
        onto, away = [(found.entered[target], target)], []
        while (i := onto[-1][0]) in found.left:
            j = found.left[i]
            away.append((i, j))
            onto.append((found.entered[j], j))
        source = onto[-1][0]
        amount = min(self.demand[target], self.supply[source], *(self.flow[j][i] for i, j in away))
        for i, j in away:
            self.flow[j][i] -= amount
            if not self.flow[j][i]:
                del self.flow[j][i]
        for i, j in onto:
            self.flow[j][i] = self.flow[j].get(i, mpq(0)) + amount
        self.demand[target] -= amount
        self.supply[source] -= amount
