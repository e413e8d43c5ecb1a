"""Nonnegative matrices, channels and sparse row-stochastic witnesses, with exact sums and products.

Sums are kept as unreduced (numerator, denominator) pairs: reducing once at the end, or never, is what keeps rows of
ten thousand entries and numbers of a hundred thousand digits affordable.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from .reading import canonical_hash, fields, index, items, nonnegative, positive
from .verdict import Rejected, shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_MOST_PRODUCTS = 20_000_000


@dataclass(frozen=True, slots=True)
class Channel:
    """A matrix with its row sums and the hash of `{"matrix": ...}`."""

    rows: list[list[Fraction]]
    masses: tuple[Fraction, ...]
    digest: str

    @property
    def columns(self) -> int:
        """The number of columns."""
        return len(self.rows[0])


@dataclass(frozen=True, slots=True)
class Witness:
    """A row-stochastic matrix, stored by column as lists of (row, value)."""

    rows: int
    by_column: list[list[tuple[int, Fraction]]]
    entries: int


def matrix(value: object, where: str) -> list[list[Fraction]]:
    """Read a MATRIX: at least one row, all of the same length >= 1, entries >= 0."""
    rows: list[list[Fraction]] = []
    for i, row in enumerate(items(value, where, 1)):
        cells = items(row, f"{where}[{i}]", 1)
        if rows and len(cells) != len(rows[0]):
            raise Rejected(f"expected {len(rows[0])} entries, got {len(cells)}", f"{where}[{i}]")
        rows.append([nonnegative(cell, f"{where}[{i}][{j}]") for j, cell in enumerate(cells)])
    return rows


def matrix_hash(value: object) -> str:
    """Return the hash by which a matrix is named: that of the canonical JSON of `{"matrix": ...}`."""
    return canonical_hash({"matrix": value})


def sum_pairs(pairs: Iterable[tuple[int, int]]) -> tuple[int, int]:
    """Add fractions (numerator, denominator > 0), equal denominators first, then in a balanced tree; not reduced."""
    by_denominator: dict[int, int] = {}
    for above, below in pairs:
        by_denominator[below] = by_denominator.get(below, 0) + above
    parts = sorted((below, above) for below, above in by_denominator.items())
    while len(parts) > 1:
        merged = []
        for k in range(0, len(parts) - 1, 2):
            (below, above), (other_below, other_above) = parts[k], parts[k + 1]
            common = math.gcd(below, other_below)
            step = other_below // common
            merged.append((below * step, above * step + other_above * (below // common)))
        if len(parts) % 2:
            merged.append(parts[-1])
        parts = merged
    return (parts[0][1], parts[0][0]) if parts else (0, 1)


def total(values: Iterable[Fraction]) -> Fraction:
    """Return the exact sum of the values."""
    return Fraction(*sum_pairs((value.numerator, value.denominator) for value in values))


def partial_channel(value: object, where: str, rows: int | None = None) -> Channel:
    """Read a CHANNEL whose rows have any mass > 0; `rows` fixes their number."""
    document = fields(value, ("matrix",), where)
    entries = matrix(document["matrix"], f"{where}.matrix")
    if rows is not None and len(entries) != rows:
        raise Rejected(f"expected {rows} rows, got {len(entries)}", f"{where}.matrix")
    masses = tuple(total(row) for row in entries)
    for i, mass in enumerate(masses):
        if mass == 0:
            raise Rejected("expected a row of positive mass", f"{where}.matrix[{i}]")
    return Channel(entries, masses, matrix_hash(document["matrix"]))


def stochastic_channel(value: object, where: str, rows: int | None = None) -> Channel:
    """Read a CHANNEL whose rows all sum to exactly 1."""
    channel = partial_channel(value, where, rows)
    for i, mass in enumerate(channel.masses):
        if mass != 1:
            raise Rejected(f"the row sums to {shown(mass)}, expected 1", f"{where}.matrix[{i}]")
    return channel


def channel_list(value: object, where: str, rows: int | None = None) -> list[Channel]:
    """Read a list of at least one partial channel."""
    return [partial_channel(item, f"{where}[{k}]", rows) for k, item in enumerate(items(value, where, 1))]


def require_same_masses(channels: Sequence[Channel], where: str) -> None:
    """Reject channels whose lists of row masses differ: between such no refinement is defined."""
    for channel in channels[1:]:
        if channel.masses != channels[0].masses:
            raise Rejected("the channels differ in their row masses", where)


def witness(value: object, rows: int, columns: int, where: str) -> Witness:
    """Read a WITNESS of the given shape: entries strictly sorted by (row, column), > 0, every row summing to 1."""
    document = fields(value, ("rows", "columns", "entries"), where)
    for name, wanted in (("rows", rows), ("columns", columns)):
        if type(document[name]) is not int or document[name] != wanted:
            raise Rejected(f"expected {wanted}", f"{where}.{name}")
    by_column: list[list[tuple[int, Fraction]]] = [[] for _ in range(columns)]
    by_row: list[list[Fraction]] = [[] for _ in range(rows)]
    last = (-1, -1)
    entries = items(document["entries"], f"{where}.entries")
    for k, entry in enumerate(entries):
        place = f"{where}.entries[{k}]"
        triple = items(entry, place)
        if len(triple) != 3:
            raise Rejected("expected [row, column, value]", place)
        position = (index(triple[0], rows, f"{place}[0]"), index(triple[1], columns, f"{place}[1]"))
        if position <= last:
            raise Rejected("expected entries sorted strictly by row, then column", place)
        last = position
        cell = positive(triple[2], f"{place}[2]")
        by_column[position[1]].append((position[0], cell))
        by_row[position[0]].append(cell)
    for i, row in enumerate(by_row):
        above, below = sum_pairs((cell.numerator, cell.denominator) for cell in row)
        if above != below:
            raise Rejected(f"row {i} of the witness does not sum to 1", where)
    return Witness(rows, by_column, len(entries))


def require_work(products: int, where: str) -> None:
    """Reject what would take too many multiplications."""
    if products > _MOST_PRODUCTS:
        raise Rejected(f"too large: {products} products, at most {_MOST_PRODUCTS}", where)


def require_product(
    left: Sequence[Sequence[Fraction]], by: Witness, right: Sequence[Sequence[Fraction]], where: str
) -> None:
    """Check left . by = right exactly (rows x m, m x n, rows x n; the shapes agree by construction)."""
    require_work(len(left) * (by.entries + len(by.by_column)), where)
    for i, (left_row, right_row) in enumerate(zip(left, right, strict=True)):
        for j, (column, wanted) in enumerate(zip(by.by_column, right_row, strict=True)):
            above, below = sum_pairs(
                (left_row[k].numerator * cell.numerator, left_row[k].denominator * cell.denominator)
                for k, cell in column
            )
            if above * wanted.denominator != wanted.numerator * below:
                raise Rejected(f"the product differs from the channel in row {i}, column {j}", where)


def require_dense_product(
    left: list[list[Fraction]], right: list[list[Fraction]], product: list[list[Fraction]], where: str
) -> None:
    """Check left . right = product exactly, shapes included."""
    shape = (len(left[0]), len(product), len(product[0]))
    if shape != (len(right), len(left), len(right[0])):
        raise Rejected("the shapes of the matrices do not fit", where)
    require_work(len(left) * len(right) * len(right[0]), where)
    for i, row in enumerate(left):
        for j, wanted in enumerate(product[i]):
            above, below = sum_pairs(
                (cell.numerator * right[k][j].numerator, cell.denominator * right[k][j].denominator)
                for k, cell in enumerate(row)
                if cell
            )
            if above * wanted.denominator != wanted.numerator * below:
                raise Rejected(f"the product differs in row {i}, column {j}", where)
