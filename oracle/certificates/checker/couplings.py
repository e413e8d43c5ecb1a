"""Certificates of couplings of two finite laws: maximal or nearest ones, that there is none, and one of least cost."""

from __future__ import annotations

from fractions import Fraction

from .matrices import require_work, total
from .reading import (
    canonical_hash,
    choice,
    event,
    index,
    items,
    nonnegative,
    nonnegative_or_infinite,
    number,
    positive,
    require_equal,
)
from .verdict import Accepted, Rejected, brief

_Entries = list[tuple[int, int, Fraction]]
_Table = list[list[Fraction | None]]


def check_coupling(document: dict[str, object]) -> Accepted:
    """Check a `coupling` certificate: entries >= 0 with the two laws as marginals, and a fact about their places.

    `maximal`: the mass on the diagonal is the sum of min(first, second). A coupling has at most the smaller marginal in
    each diagonal place, so none has more there, and the probability that the two differ is the total variation.
    `nearest`: each entry lies where the distance is finite and the least among the outcomes that second gives.
    """
    first, second = _laws(document)
    fact = choice(document["fact"], ("maximal", "nearest"), "$.fact")
    entries = _coupling(document, first, second)
    if fact == "maximal":
        if document["distances"] is not None:
            raise Rejected("expected null, a maximal coupling needs no distances", "$.distances")
        if len(first) != len(second):
            raise Rejected("a maximal coupling needs laws on the same outcomes", "$.second")
        agreed = total(value for i, j, value in entries if i == j)
        if agreed != total(min(a, b) for a, b in zip(first, second, strict=True)):
            raise Rejected("a coupling with more mass on the diagonal exists", "$.entries")
        return _accepted(
            document,
            "The entries are a coupling of first and second, and none has more mass on the diagonal:"
            f" the two differ with probability {brief(str(1 - agreed))}.",
        )
    table = _table(document["distances"], "$.distances", first, second)
    for k, (i, j, _) in enumerate(entries):
        if j not in _allowed(table[i], second, fact):
            raise Rejected("a place that is not at the least finite distance", f"$.entries[{k}]")
    return _accepted(
        document,
        "The entries are a coupling of first and second on pairs of finite distance, each as near as second allows.",
        "distances",
    )


def check_no_coupling(document: dict[str, object]) -> Accepted:
    """Check a `no_coupling` certificate: an event of first outcomes has more mass than second has on what it may meet.

    A coupling on allowed pairs carries the event's mass into the outcomes allowed from it, whose mass bounds it.
    """
    first, second = _laws(document)
    fact = choice(document["fact"], ("nearest", "finite"), "$.fact")
    table = _table(document["distances"], "$.distances", first, second)
    chosen = event(document["event"], len(first), "$.event", 1)
    allowed = {j for i in chosen for j in _allowed(table[i], second, fact)}
    masses = []
    for name, mass in (
        ("event_mass", total(first[i] for i in chosen)),
        ("allowed_mass", total(second[j] for j in allowed)),
    ):
        require_equal(nonnegative(document[name], f"$.{name}"), mass, "the mass", f"$.{name}")
        masses.append(mass)
    if masses[0] <= masses[1]:
        raise Rejected("the event has no more mass than what is allowed from it", "$.event")
    pairs = "at the least finite distance" if fact == "nearest" else "of finite distance"
    return _accepted(
        document,
        f"No coupling of first and second lives on pairs {pairs}: the event has mass"
        f" {brief(str(document['event_mass']))}, what is allowed from it {brief(str(document['allowed_mass']))}.",
        "distances",
    )


def check_transport(document: dict[str, object]) -> Accepted:
    """Check a `transport` certificate: a coupling of cost value, and potentials u_i + v_j <= c_ij of the same value.

    For any coupling pi the sum of pi c is at least that of pi (u + v) = sum u first + sum v second.
    """
    first, second = _laws(document)
    table = _table(document["costs"], "$.costs", first, second)
    entries = _coupling(document, first, second)
    value = nonnegative(document["value"], "$.value")
    paid = []
    for k, (i, j, mass) in enumerate(entries):
        cost = table[i][j]
        if cost is None:
            raise Rejected("mass where the cost is infinite", f"$.entries[{k}]")
        paid.append(mass * cost)
    require_equal(value, total(paid), "the cost of the coupling", "$.value")
    potentials = []
    for name, law in (("first_potentials", first), ("second_potentials", second)):
        given = items(document[name], f"$.{name}")
        if len(given) != len(law):
            raise Rejected(f"expected {len(law)} potentials, got {len(given)}", f"$.{name}")
        potentials.append([number(item, f"$.{name}[{k}]") for k, item in enumerate(given)])
    for i, (row, u) in enumerate(zip(table, potentials[0], strict=True)):
        for j, (cost, v) in enumerate(zip(row, potentials[1], strict=True)):
            if cost is not None and u + v > cost:
                raise Rejected(f"the potentials exceed the cost in row {i}, column {j}", "$.first_potentials")
    dual = total(
        u * mass for law, us in zip((first, second), potentials, strict=True) for mass, u in zip(law, us, strict=True)
    )
    require_equal(value, dual, "the value of the potentials", "$.value")
    return _accepted(
        document,
        f"The least cost of a coupling of first and second is {brief(str(document['value']))}: the entries cost that,"
        " and the potentials prove that none costs less.",
        "costs",
    )


def _accepted(document: dict[str, object], statement: str, *tables: str) -> Accepted:
    named = tuple((name, canonical_hash(document[name])) for name in ("first", "second", *tables))
    return Accepted(str(document["certificate"]), statement, named)


def _laws(document: dict[str, object]) -> tuple[list[Fraction], list[Fraction]]:
    laws = []
    for name in ("first", "second"):
        law = [nonnegative(item, f"$.{name}[{k}]") for k, item in enumerate(items(document[name], f"$.{name}", 1))]
        if total(law) != 1:
            raise Rejected("the probabilities do not sum to 1", f"$.{name}")
        laws.append(law)
    require_work(len(laws[0]) * len(laws[1]), "$")
    return laws[0], laws[1]


def _coupling(document: dict[str, object], first: list[Fraction], second: list[Fraction]) -> _Entries:
    """Read entries sorted strictly by (row, column), > 0, whose marginals are the two laws."""
    entries: _Entries = []
    by_row: list[list[Fraction]] = [[] for _ in first]
    by_column: list[list[Fraction]] = [[] for _ in second]
    last = (-1, -1)
    for k, item in enumerate(items(document["entries"], "$.entries", 1)):
        place = f"$.entries[{k}]"
        triple = items(item, place)
        if len(triple) != 3:
            raise Rejected("expected [row, column, value]", place)
        i, j = index(triple[0], len(first), f"{place}[0]"), index(triple[1], len(second), f"{place}[1]")
        if (i, j) <= last:
            raise Rejected("expected entries sorted strictly by row, then column", place)
        last = (i, j)
        value = positive(triple[2], f"{place}[2]")
        entries.append((i, j, value))
        by_row[i].append(value)
        by_column[j].append(value)
    for law, sums, name in ((first, by_row, "row"), (second, by_column, "column")):
        for k, (mass, values) in enumerate(zip(law, sums, strict=True)):
            if total(values) != mass:
                raise Rejected(f"{name} {k} does not sum to its probability", "$.entries")
    return entries


def _table(value: object, where: str, first: list[Fraction], second: list[Fraction]) -> _Table:
    """Read a table of numbers >= 0 or "inf" (None), one row for each outcome of first."""
    rows = items(value, where)
    if len(rows) != len(first):
        raise Rejected(f"expected {len(first)} rows, got {len(rows)}", where)
    table: _Table = []
    for i, row in enumerate(rows):
        cells = items(row, f"{where}[{i}]")
        if len(cells) != len(second):
            raise Rejected(f"expected {len(second)} entries, got {len(cells)}", f"{where}[{i}]")
        table.append([nonnegative_or_infinite(cell, f"{where}[{i}][{j}]") for j, cell in enumerate(cells)])
    return table


def _allowed(row: list[Fraction | None], second: list[Fraction], fact: str) -> set[int]:
    """The outcomes that second gives at a finite distance; for `nearest` those at the least one."""
    finite = {j: d for j, (d, mass) in enumerate(zip(row, second, strict=True)) if mass and d is not None}
    least = min(finite.values(), default=None)
    return {j for j, d in finite.items() if fact == "finite" or d == least}
