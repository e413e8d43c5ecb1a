"""Cells of a block of equal steps of a rational channel, from its exact atoms.

A composition of k steps put on a grid step by step spreads its loss k times. Putting on the grid only the m-fold
composition, whose atoms are exact, leaves k/m spreads: the gap is m times smaller at the same width. The atoms are the
multisets of m columns; they are made one after another and added to their cells, so memory grows with the cells alone.

An atom's cell is read off an integer key within m of 2^B log(p/q), as in :mod:`oracle.accountant.meet_in_the_middle`;
where a grid point lies within m of the key, the logarithm is enclosed until the cell is certain.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from math import comb
from typing import Final

from flint import arb, fmpz
from gmpy2 import mpq, mpz

from oracle.accountant.loss_cells import CellMass, LossCells, cell_of_ratio, check_width, make_cells, working_bits
from oracle.accountant.ratio_keys import log_key, powers
from oracle.channels.canonical import canonical, likelihood_order
from oracle.channels.channel import Channel, require_two_rows
from oracle.enclosures import precision
from oracle.errors import InputError, LimitError, shorten

__all__ = ["MAX_ATOMS", "BlockCells"]

MAX_ATOMS: Final = 5_000_000
"""Most atoms of a block; a million takes about a second."""

_PLACES: Final = 52
"""B. Keys of losses up to 2^7 then are CPython's integers of two digits."""


class BlockCells:
    """The *steps*-fold composition of a two-row rational channel as one step, P = row 0.

    Args:
        channel: for the other direction pass ``channel.swapped()``.
        steps: at least 1.

    Raises:
        InputError: for fewer than one step.
        LimitError: for more than ``MAX_ATOMS`` atoms.
    """

    __slots__ = ("_p", "_q", "_scale", "steps")

    steps: int

    def __init__(self, channel: Channel, steps: int) -> None:
        require_two_rows(channel)
        if steps < 1:
            raise InputError("at least one step", shorten(steps), "steps")
        order = likelihood_order(canonical(channel))
        kept = [k for k in range(len(order.p)) if order.p[k] and order.q[k]]
        atoms = comb(steps + len(kept) - 1, steps) if kept else 0
        if atoms > MAX_ATOMS:
            raise LimitError(f"a block of at most {MAX_ATOMS} atoms", shorten(atoms), "steps")
        self.steps = steps
        self._p, self._q, self._scale = [order.p[k] for k in kept], [order.q[k] for k in kept], order.scale

    @classmethod
    def parts(cls, channel: Channel, times: int, most_atoms: int = 200_000) -> list[tuple[BlockCells, int]]:
        """The composition of *times* steps as few blocks, as equal as can be, of at most so many atoms each."""
        require_two_rows(channel)
        columns = sum(1 for p, q in zip(*canonical(channel).rows, strict=True) if p and q)
        largest = 1
        while largest < times and comb(largest + columns, columns - 1 if columns else 0) <= most_atoms:
            largest += 1
        count = -(-times // largest)
        if not count:
            return []
        size, longer = divmod(times, count)
        found = [(cls(channel, size), count - longer)]
        return [*found, (cls(channel, size + 1), longer)] if longer else found

    def cells(self, width: mpq, bits: int, tail_bits: int) -> LossCells:  # noqa: ARG002 - nothing is cut off
        """Every atom in its cell; nothing is left outside."""
        check_width(width)
        p_sums: defaultdict[int, mpz] = defaultdict(mpz)
        q_sums: defaultdict[int, mpz] = defaultdict(mpz)
        if self._p:
            self._fill(width, p_sums, q_sums)
        scale = self._scale**self.steps
        finite = sum(p_sums.values(), mpz(0))
        with precision(working_bits(width, bits, p_sums)):
            unit = _ball(scale)
            masses = [(j, CellMass(_ball(p_sums[j]) / unit, _ball(q_sums[j]) / unit)) for j in sorted(p_sums)]
            infinite = _ball(scale - finite) / unit
            return make_cells(masses, width, bits, below=arb(0), above=arb(0), infinite=infinite)

    def _fill(self, width: mpq, p_sums: defaultdict[int, mpz], q_sums: defaultdict[int, mpz]) -> None:
        """Add every atom to its cell."""
        logs = [log_key(mpq(a, b), _PLACES) for a, b in zip(self._p, self._q, strict=True)]
        times, cell = int(width.denominator), int(width.numerator) << _PLACES
        slack = self.steps * times
        rows = [self._row(logs, r) for r in range(self.steps + 1)]
        for r, key, p, q in self._heads(logs):
            for row_key, row_p, row_q in rows[r]:
                j, rest = divmod((key + row_key) * times, cell)
                mass_p, mass_q = p * row_p, q * row_q
                if not slack < rest < cell - slack:
                    j = cell_of_ratio(mpq(mass_p, mass_q), width)
                p_sums[j] += mass_p
                q_sums[j] += mass_q

    def _row(self, logs: list[int], r: int) -> list[tuple[int, mpz, mpz]]:
        """The multisets of r of the last two columns (of the only one): key, P-mass, Q-mass."""
        if len(logs) == 1:
            return [(r * logs[0], self._p[0] ** r, self._q[0] ** r)]
        (p0, p1), (q0, q1), (l0, l1) = self._p[-2:], self._q[-2:], logs[-2:]
        p0s, p1s, q0s, q1s = powers(p0, r), powers(p1, r), powers(q0, r), powers(q1, r)
        return [
            (c * l0 + (r - c) * l1, comb(r, c) * p0s[c] * p1s[r - c], comb(r, c) * q0s[c] * q1s[r - c])
            for c in range(r + 1)
        ]

    def _heads(self, logs: list[int]) -> Iterator[tuple[int, int, mpz, mpz]]:
        """The choices of all columns but the last two: steps left, key, P-mass, Q-mass with the number of orders."""
        p_powers = [powers(p, self.steps) for p in self._p[:-2]]
        q_powers = [powers(q, self.steps) for q in self._q[:-2]]
        ways = [[mpz(comb(r, c)) for c in range(r + 1)] for r in range(self.steps + 1)]

        def extended(i: int, r: int, key: int, p: mpz, q: mpz) -> Iterator[tuple[int, int, mpz, mpz]]:
            if i == len(p_powers):
                yield r, key, p, q
                return
            for c in range(r + 1):
                w = ways[r][c]
                yield from extended(i + 1, r - c, key + c * logs[i], p * w * p_powers[i][c], q * w * q_powers[i][c])

        return extended(0, self.steps, 0, mpz(1), mpz(1))


def _ball(x: mpz) -> arb:
    return arb(fmpz(int(x)))
