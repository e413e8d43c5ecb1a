"""Bases of a linear program x >= 0, A x = b in integers, kept by blocks of rows.

Rows are scaled to integers, and an artificial column e_r for each row r, which must be 0, makes the first basis. With
δ = |det B|, the products δ B⁻¹ A are integers (Cramer), and those of the next basis follow by an exact division
(Edmonds 1967; Azulay and Pique 2001). b may have any common denominator: it scales x and touches nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import add, mul
from typing import Final, NamedTuple

from gmpy2 import divexact, lcm, mpq, mpz

from oracle.channels.channel import common_denominator

__all__ = ["Basis", "IntegerRows", "integer_rows", "row_factors"]

_ZERO: Final = mpz(0)
_ONE: Final = mpz(1)

_PRIME: Final = 2**31 - 1
_GENERATOR: Final = 48271
"""Powers modulo the prime, a multiplicative generator of random numbers, make up b'."""


class Column(NamedTuple):
    """A column in integers: its block (-1 for none), its dense entries there, and (position, value) in linking rows."""

    block: int
    local: tuple[mpz, ...]
    link: tuple[tuple[int, mpz], ...]


class IntegerRows(NamedTuple):
    """A program in integers: row r times ``factors[r]``, b times ``unit`` besides.

    The artificial columns follow the ``structural`` ones. b is split like a column: by blocks, and on the
    ``linking`` rows.
    """

    columns: list[Column]
    right: tuple[list[list[mpz]], list[mpz]]
    factors: list[mpz]
    unit: mpz
    blocks: tuple[tuple[int, ...], ...]
    linking: list[int]
    structural: int


def row_factors(columns: Iterable[Mapping[int, mpq]], rows: int) -> list[mpz]:
    """The least factor of each row that makes the columns integer."""
    factors = [_ONE] * rows
    for column in columns:
        for r, value in column.items():
            factors[r] = lcm(factors[r], value.denominator)
    return factors


def integer_rows(
    columns: Sequence[Mapping[int, mpq]], right: Sequence[mpq], blocks: tuple[tuple[int, ...], ...]
) -> IntegerRows:
    """Scale A x = b to integers and sort its rows into blocks and linking ones."""
    factors = row_factors(columns, len(right))
    scaled = [b * factor for b, factor in zip(right, factors, strict=True)]
    unit = common_denominator(scaled)
    whole = [b.numerator * (unit // b.denominator) for b in scaled]
    place = {r: (k, i) for k, block in enumerate(blocks) for i, r in enumerate(block)}
    linking = [r for r in range(len(factors)) if r not in place]
    position = {r: i for i, r in enumerate(linking)}

    def integers(column: Mapping[int, mpq]) -> Column:
        entries = {r: value.numerator * (factors[r] // value.denominator) for r, value in column.items()}
        homes = {place[r][0] for r in entries if r in place}
        if len(homes) > 1:
            raise ValueError("a column of a linear program meets two blocks")
        block = homes.pop() if homes else -1
        local = tuple(entries.get(r, _ZERO) for r in blocks[block]) if block >= 0 else ()
        return Column(block, local, tuple((position[r], a) for r, a in entries.items() if r in position and a))

    artificial = [{r: mpq(1, factor)} for r, factor in enumerate(factors)]
    return IntegerRows(
        [integers(column) for column in (*columns, *artificial)],
        ([[whole[r] for r in block] for block in blocks], [whole[r] for r in linking]),
        factors,
        unit,
        blocks,
        linking,
        len(columns),
    )


@dataclass(slots=True)
class Block:
    """The part of a basis in one block.

    ``keys`` are as many of its variables as the block has rows, with an invertible matrix K there;
    ``inverse`` = det·K⁻¹ (keys x rows) is integer, and ``extra`` maps each further variable e to det·K⁻¹ A_e.
    """

    keys: list[int]
    inverse: list[list[mpz]]
    det: mpz
    extra: dict[int, list[mpz]]

    def times_inverse(self, local: Sequence[mpz]) -> list[mpz]:
        """det·K⁻¹·local."""
        return [sum(map(mul, row, local), _ZERO) for row in self.inverse]

    def replace(self, place: int, new: int, column: list[mpz]) -> None:
        """Make *new*, whose det·K⁻¹ A is *column* with column[place] != 0, the key at *place*."""
        pivot, det = column[place], self.det
        row = self.inverse[place]
        self.inverse = [
            row if i == place else [divexact(pivot * a - factor * b, det) for a, b in zip(other, row, strict=True)]
            for i, (other, factor) in enumerate(zip(self.inverse, column, strict=True))
        ]
        for e, old in self.extra.items():
            top = old[place]
            self.extra[e] = [
                top if i == place else divexact(pivot * a - factor * top, det)
                for i, (a, factor) in enumerate(zip(old, column, strict=True))
            ]
        self.keys[place] = new
        self.det = pivot


class Basis:
    """A basis B of an integer program; everything in it is times δ = |det B|.

    Eliminating the keys of every block leaves a square matrix on the linking rows: for each further variable e, of a
    block with keys K and their linking parts L, the column L_e - L_K K⁻¹ A_e. Its inverse is the part of B⁻¹ on
    (further variables) x (linking rows), kept in ``inner``. All else follows from it: the row of B⁻¹ of key number l
    of a block is, on the linking rows, -Σ_e (K⁻¹ A_e)_l inner_e over the further variables of the block.

    The quotients below are integers: each is a sum, over the variables or the rows of one block, of entries of δ B⁻¹
    times integers, and that is an integer vector whatever the block.

    ``values`` maps each basic variable to its value times δ and the unit of b, for b itself; ``tilts`` does so for a
    right side b' chosen by :meth:`tilt`, from which :meth:`sign` breaks ties as if b were b + ε b' with ε
    infinitesimal.
    """

    def __init__(self, rows: IntegerRows) -> None:
        self.rows = rows
        self.columns = rows.columns
        self.structural = first = rows.structural
        self.det = _ONE
        local, link = rows.right
        self.blocks = [Block([first + r for r in block], _identity(len(block)), _ONE, {}) for block in rows.blocks]
        self.inner = dict(zip([first + r for r in rows.linking], _identity(len(rows.linking)), strict=True))
        self.values = dict(zip(self.inner, link, strict=True))
        for block, right in zip(self.blocks, local, strict=True):
            self.values.update(zip(block.keys, right, strict=True))
        self.tilts = dict.fromkeys(self.values, _ZERO)

    def admit(self, v: int, *, inside: bool) -> bool:
        """Pivot column *v* in for an artificial one on which it depends, if there is one; *inside*: in its block."""
        if not 0 <= v < self.structural or v in self.values:
            return True
        block = self.columns[v].block
        if inside and not (block >= 0 and any(key >= self.structural for key in self.blocks[block].keys)):
            return False
        steps = self.direction(v)
        leaving = [w for w in steps if w >= self.structural and not (inside and self.columns[w].block != block)]
        if not leaving:
            return False
        self.pivot(v, min(leaving, key=lambda w: (self.columns[w].block != block, w)), steps)
        return True

    def tilt(self) -> None:
        """Choose b' so that for b' the basic variables, but artificial ones at 0, are positive integers at random."""
        for k, (v, x) in enumerate(self.values.items(), 1):
            self.tilts[v] = self.det * pow(_GENERATOR, k, _PRIME) if x or v < self.structural else _ZERO

    def direction(self, v: int) -> dict[int, mpz]:
        """The entries of δ B⁻¹ A_v that are not 0, by basic variable."""
        home = self.columns[v].block
        own = self.blocks[home].times_inverse(self.columns[v].local) if home >= 0 else []
        scale = self.blocks[home].det if home >= 0 else _ONE
        residual = self._residual(v, own, scale)
        steps = {}
        for e, row in self.inner.items():
            total = _ZERO
            for i, a in residual:
                total += a * row[i]
            if total:
                steps[e] = divexact(total, scale)
        for k, block in enumerate(self.blocks):
            totals = [self.det * a for a in own] if k == home else [_ZERO] * len(block.keys)
            for e, column in block.extra.items():
                if step := steps.get(e):
                    totals = [total - a * step for total, a in zip(totals, column, strict=True)]
            steps.update(
                (key, divexact(total, block.det)) for key, total in zip(block.keys, totals, strict=True) if total
            )
        return steps

    def _residual(self, v: int, own: Sequence[mpz], scale: mpz) -> list[tuple[int, mpz]]:
        """scale·(L_v - L_K K⁻¹ A_v) with *own* = scale·K⁻¹ A_v, as (position, value)."""
        home, _, link = self.columns[v]
        residual = {i: a * scale for i, a in link}
        if home >= 0:
            for factor, key in zip(own, self.blocks[home].keys, strict=True):
                if factor:
                    for i, a in self.columns[key].link:
                        residual[i] = residual.get(i, _ZERO) - factor * a
        return [(i, a) for i, a in residual.items() if a]

    def pivot(self, entering: int, leaving: int, steps: Mapping[int, mpz]) -> None:
        """Exchange a basic variable for a nonbasic one; *steps* is the direction of the latter."""
        old, pivot = self.det, steps[leaving]
        self.det = abs(pivot)
        sign = 1 if pivot > 0 else -1
        home, new = self.columns[leaving].block, self.columns[entering].block
        place = -1 if leaving in self.inner else self.blocks[home].keys.index(leaving)
        row = self._key_row(self.blocks[home], place) if place >= 0 else self.inner.pop(leaving)
        if place < 0 <= home:
            del self.blocks[home].extra[leaving]
        for e, other in self.inner.items():
            step = sign * steps.get(e, _ZERO)
            if step:
                self.inner[e] = [divexact(self.det * a - step * b, old) for a, b in zip(other, row, strict=True)]
            elif self.det != old:
                self.inner[e] = [divexact(self.det * a, old) if a else a for a in other]
        for values in (self.values, self.tilts):
            value = sign * values.pop(leaving)
            for v, x in values.items():
                values[v] = divexact(self.det * x - steps.get(v, _ZERO) * value, old)
            values[entering] = value
        self.inner[entering] = row if sign > 0 else [-a for a in row]
        if new >= 0:
            self.blocks[new].extra[entering] = self.blocks[new].times_inverse(self.columns[entering].local)
        if place >= 0:
            self._succeed(self.blocks[home], place)

    def _key_row(self, block: Block, place: int) -> list[mpz]:
        """The row of δ B⁻¹ of a key, on the linking rows."""
        row = [_ZERO] * len(self.rows.linking)
        for e, column in block.extra.items():
            if factor := column[place]:
                row = [a - factor * b for a, b in zip(row, self.inner[e], strict=True)]
        return [divexact(a, block.det) for a in row]

    def _succeed(self, block: Block, place: int) -> None:
        """Make a key of a further variable of the block, the newest that can be, in place of the key that has left.

        There is one: the key could leave for the entering variable because either that is in the block and has an
        entry at the key, or the key moves with a further variable of the block.
        """
        successor = next(e for e in reversed(block.extra) if block.extra[e][place])
        block.replace(place, successor, block.extra.pop(successor))
        del self.inner[successor]

    def sign(self, v: int) -> int:
        """The sign of a basic variable for b + ε b'."""
        decisive = self.values[v] or self.tilts[v]
        return 1 if decisive > 0 else -1 if decisive else 0

    @property
    def feasible(self) -> bool:
        """Whether the basic variables solve the program: structural ones at least 0, artificial ones 0."""
        first = self.structural
        return all(x >= 0 and (not x or v < first) for v, x in self.values.items())

    def slopes(self) -> dict[int, int]:
        """The slope of the sum of infeasibilities at each basic variable where it is not 0."""
        signs = ((v, self.sign(v)) for v in self.values)
        return {v: sign for v, sign in signs if sign < 0 or (sign and v >= self.structural)}

    def prices(self, slopes: Mapping[int, int]) -> tuple[list[mpz], list[list[mpz]]]:
        """δ c B⁻¹ for the slopes c: on the linking rows, and on each block."""
        link = [_ZERO] * len(self.rows.linking)
        for e, row in self.inner.items():
            if e in slopes and self.columns[e].block < 0:
                link = [s + slopes[e] * a for s, a in zip(link, row, strict=True)]
        for block in self.blocks:
            weights = [slopes.get(key, 0) for key in block.keys]
            part: list[mpz] = []
            for e, column in block.extra.items():
                factor = block.det * slopes.get(e, 0) - sum(map(mul, weights, column), _ZERO)
                if factor:
                    row = [factor * a for a in self.inner[e]]
                    part = list(map(add, part, row)) if part else row
            if part:
                link = [s + divexact(a, block.det) for s, a in zip(link, part, strict=True)]
        return link, [self._block_prices(block, slopes, link) for block in self.blocks]

    def _block_prices(self, block: Block, slopes: Mapping[int, int], link: Sequence[mpz]) -> list[mpz]:
        """δ (c_K - z L_K) K⁻¹, the prices z on the rows of a block from those on the linking rows."""
        targets = []
        for key in block.keys:
            target = self.det * slopes.get(key, 0)
            for i, a in self.columns[key].link:
                target -= link[i] * a
            targets.append(target)
        return [
            divexact(sum(map(mul, targets, column), _ZERO), block.det) for column in zip(*block.inverse, strict=True)
        ]


def _identity(size: int) -> list[list[mpz]]:
    return [[_ONE if i == j else _ZERO for j in range(size)] for i in range(size)]
