"""The method ``loss grid``: the split and the pooled pair of every step (:mod:`oracle.accountant.loss_grid`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from flint import arb
from gmpy2 import mpq, mpz

from oracle.accountant.grid_tables import GridTables
from oracle.accountant.loss_cells import CellSource
from oracle.accountant.loss_grid import compose_cells
from oracle.accountant.methods import Found, Method, with_digits
from oracle.enclosures import MAX_REQUESTED_DIGITS, Ball, Enclosure, precision, rational_ball, rational_bounds
from oracle.errors import UndecidedError
from oracle.exact import to_text
from oracle.levels import Level

__all__ = ["FINE_SIZES", "LossGrid", "Size"]


class Size(NamedTuple):
    """The size of a grid.

    Attributes:
        cells: about how many.
        tail_bits: of the tail that is left out.
        digits: for more digits it is not tried.
    """

    cells: int
    tail_bits: int
    digits: int = MAX_REQUESTED_DIGITS


_SIZES: Final = (Size(1 << 13, 64), Size(1 << 15, 64))
FINE_SIZES: Final = (Size(1 << 13, 64, 7), Size(1 << 19, 40))
"""For few sources that are quickly put into cells."""

_FIRST_CELLS: Final = 1 << 12
_SMALL_BITS: Final = 16
_MOST_TAIL_BITS: Final = 1 << 9
_MOST_EPSILON: Final = mpq(1 << 24)
_BISECTIONS: Final = 200
_PART: Final = 64


class LossGrid(Method):
    """The split and the pooled pair of every step on a grid of losses, composed.

    Args:
        sources: the cells of the steps in the direction meant.
        spread: about the largest loss of a step that matters.
        sizes: those that are tried.
    """

    __slots__ = ("first", "known", "sizes", "sources")

    def __init__(
        self,
        sources: Sequence[tuple[CellSource, int]],
        spread: mpq = mpq(1),  # noqa: B008
        sizes: Sequence[Size] = _SIZES,
    ) -> None:
        self.sources, self.sizes = sources, sizes
        self.first = mpq(1, 4)
        while self.first * _FIRST_CELLS < spread:
            self.first *= 2
        self.known: dict[tuple[int, int], GridTables] = {}

    def grid(self, cells: int, tail_bits: int) -> GridTables:
        """The two pairs at so many cells."""
        key = cells, tail_bits
        if key not in self.known:
            bits = 2 * tail_bits
            composed = compose_cells(self.sources, first=self.first, cells=cells, bits=bits, tail_bits=tail_bits)
            self.known[key] = GridTables(composed.cells)
        return self.known[key]

    @property
    def name(self) -> str:
        """The method."""
        return "loss grid"

    def value(self, level: Level, digits: int) -> Found:
        """On finer grids, and further out where the value is small, until the digits are had or the last one is."""
        best = Enclosure(mpq(0), mpq(1))
        facts: dict[str, str] = {}
        for cells, least, most in self.sizes:
            if digits > most:
                continue
            tail_bits = _needed_tail(best.hi, digits, least)
            while True:
                grid = self.grid(cells, tail_bits)
                found = grid.delta(level)
                best = Enclosure(max(best.lo, found.lo), min(best.hi, found.hi))
                facts = {
                    "width of a cell": to_text(grid.cells.width),
                    "cells": str(len(grid.cells.upper)),
                    "unit of mass": f"2^-{grid.cells.bits}",
                    "tail": f"2^-{tail_bits}",
                }
                needed = _needed_tail(best.hi, digits, least)
                if needed <= tail_bits:
                    break
                tail_bits = needed
            best = with_digits(best, digits)
            if best.reached is None:
                break
        value: mpq | Enclosure = best if best.lo != best.hi else best.lo
        return Found(value, self.name, facts)

    def ball(self, epsilon: Ball) -> Ball:
        """From the two ends of the ball, between which D falls."""

        def ball(bits: int) -> arb:
            with precision(bits):
                low, high = rational_bounds(epsilon(bits))
                least = self.value(Level.of_exponent(high), bits * 3 // 10).ends[0]
                return rational_ball(least).union(
                    rational_ball(self.value(Level.of_exponent(low), bits * 3 // 10).ends[1])
                )

        return ball

    def epsilon_at(self, delta: mpq, digits: int) -> Enclosure:
        """Between an epsilon with delta proved above and one with it proved at or below, on finer and finer grids."""
        low, high, (cells, least, _) = mpq(0), mpq(1), self.sizes[0]
        while self._ends(high, cells, _needed_tail(delta, digits, least))[1] > delta:
            high *= 2
            if high > _MOST_EPSILON:
                raise UndecidedError("an epsilon at which delta is small enough", 2 * _MOST_TAIL_BITS)
        for cells, least, _ in self.sizes:
            tail_bits = _needed_tail(delta, digits, least)

            def ends(eps: mpq, cells: int = cells, tail_bits: int = tail_bits) -> tuple[mpq, mpq]:
                return self._ends(eps, cells, tail_bits)

            low, high = _bracket(ends, delta, low, high, digits)
            if with_digits(Enclosure(low, high), digits).reached is None:
                break
        return with_digits(Enclosure(low, high), digits)

    def _ends(self, eps: mpq, cells: int, tail_bits: int) -> tuple[mpq, mpq]:
        """Bounds of D at an epsilon, on one grid."""
        found = self.grid(cells, tail_bits).delta(Level.of_exponent(eps))
        return found.lo, found.hi


def _bracket(ends: Callable[[mpq], tuple[mpq, mpq]], delta: mpq, low: mpq, high: mpq, digits: int) -> tuple[mpq, mpq]:
    """Points (a, b) with delta proved above at a (or a = low) and at or below at b (or b = high), close together.

    Bisection until a point is met at which neither is proved; then on either side of it, to a small part of the gap.
    """
    middle = low
    for _ in range(_BISECTIONS):
        if (high - low) * mpz(10) ** (digits + 2) <= high:
            return low, high
        middle = _short((low + high) / 2)
        least, most = ends(middle)
        if least > delta:
            low = middle
        elif most <= delta:
            high = middle
        else:
            break
    inner, outer = middle, middle
    while (inner - low) * _PART > high - low:
        point = _short((low + inner) / 2)
        low, inner = (point, inner) if ends(point)[0] > delta else (low, point)
    while (high - outer) * _PART > high - low:
        point = _short((outer + high) / 2)
        outer, high = (outer, point) if ends(point)[1] <= delta else (point, high)
    return low, high


def _short(x: mpq) -> mpq:
    """A dyadic rational within 2^-64 of x, relatively."""
    shift = max(0, x.denominator.bit_length() - x.numerator.bit_length()) + 64
    return mpq((x * (mpz(1) << shift)).numerator // (x * (mpz(1) << shift)).denominator, mpz(1) << shift)


def _needed_tail(high: mpq, digits: int, least: int) -> int:
    """Bits of a tail that is small beside a value of at most *high*: few different numbers, since grids are kept."""
    small = 0 if not high else max(0, high.denominator.bit_length() - high.numerator.bit_length())
    bits = least
    while bits < min(small + digits * 10 // 3 + 8 if small > _SMALL_BITS else 0, _MOST_TAIL_BITS):
        bits *= 2
    return bits
