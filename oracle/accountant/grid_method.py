"""The method ``loss grid``: the split and the pooled pair of every step (:mod:`oracle.accountant.loss_grid`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from flint import arb
from gmpy2 import mpq, mpz

from oracle.accountant.loss_cells import CellSource
from oracle.accountant.loss_grid import GridComposition, compose_cells
from oracle.accountant.methods import Found, Method, with_digits
from oracle.enclosures import Ball, Enclosure, precision, rational_ball, rational_bounds
from oracle.errors import UndecidedError
from oracle.exact import to_text
from oracle.levels import Level

__all__ = ["LossGrid"]

_GRID_CELLS: Final = (1 << 13, 1 << 15)
_GRID_TAIL_BITS: Final = 64
_FIRST_CELLS: Final = 1 << 12
_SMALL_BITS: Final = 16
_MOST_TAIL_BITS: Final = 1 << 11
_MOST_EPSILON: Final = mpq(1 << 24)
_BISECTIONS: Final = 200


class LossGrid(Method):
    """The split and the pooled pair of every step on a grid of losses, composed.

    Args:
        sources: the cells of the steps in the direction meant.
        spread: about the largest loss of a step that matters.
    """

    __slots__ = ("first", "known", "sources")

    def __init__(self, sources: Sequence[tuple[CellSource, int]], spread: mpq = mpq(1)) -> None:  # noqa: B008
        self.sources = sources
        self.first = mpq(1, 4)
        while self.first * _FIRST_CELLS < spread:
            self.first *= 2
        self.known: dict[tuple[int, int], GridComposition] = {}

    def grid(self, cells: int, tail_bits: int) -> GridComposition:
        """The two pairs at so many cells."""
        key = cells, tail_bits
        if key not in self.known:
            bits = 2 * tail_bits
            self.known[key] = compose_cells(self.sources, first=self.first, cells=cells, bits=bits, tail_bits=tail_bits)
        return self.known[key]

    @property
    def name(self) -> str:
        """The method."""
        return "loss grid"

    def value(self, level: Level, digits: int) -> Found:
        """On finer grids, and further out where the value is small, until the digits are had or the last one is."""
        tail_bits, best = _GRID_TAIL_BITS, Enclosure(mpq(0), mpq(1))
        facts: dict[str, str] = {}
        for cells in _GRID_CELLS:
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
                needed = _needed_tail(best.hi, digits)
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
        low, high, tail_bits = mpq(0), mpq(1), _needed_tail(delta, digits)
        while self._ends(high, _GRID_CELLS[0], tail_bits)[1] > delta:
            high *= 2
            if high > _MOST_EPSILON:
                raise UndecidedError("an epsilon at which delta is small enough", 2 * _MOST_TAIL_BITS)
        for cells in _GRID_CELLS:
            # Two falling steps: where the lower bound passes delta, and where the upper one does.
            for end in (0, 1):

                def above(eps: mpq, cells: int = cells, end: int = end) -> bool:
                    return self._ends(eps, cells, tail_bits)[end] > delta

                found = _last(above, low, high, digits)
                low, high = (found[0], high) if end == 0 else (low, found[1])
            if with_digits(Enclosure(low, high), digits).reached is None:
                break
        return with_digits(Enclosure(low, high), digits)

    def _ends(self, eps: mpq, cells: int, tail_bits: int) -> tuple[mpq, mpq]:
        """Bounds of D at an epsilon, on one grid."""
        found = self.grid(cells, tail_bits).delta(Level.of_exponent(eps))
        return found.lo, found.hi


def _last(holds: Callable[[mpq], bool], low: mpq, high: mpq, digits: int) -> tuple[mpq, mpq]:
    """Points (a, b), close, such that the test is found to hold at a (or a = low) and not at b (or b = high)."""
    for _ in range(_BISECTIONS):
        if (high - low) * mpz(10) ** (digits + 2) <= high:
            break
        middle = _short((low + high) / 2)
        if holds(middle):
            low = middle
        else:
            high = middle
    return low, high


def _short(x: mpq) -> mpq:
    """A dyadic rational within 2^-64 of x, relatively."""
    shift = max(0, x.denominator.bit_length() - x.numerator.bit_length()) + 64
    return mpq((x * (mpz(1) << shift)).numerator // (x * (mpz(1) << shift)).denominator, mpz(1) << shift)


def _needed_tail(high: mpq, digits: int) -> int:
    """Bits of a tail that is small beside a value of at most *high*: few different numbers, since grids are kept."""
    small = 0 if not high else max(0, high.denominator.bit_length() - high.numerator.bit_length())
    bits = _GRID_TAIL_BITS
    while bits < min(small + digits * 10 // 3 + 8 if small > _SMALL_BITS else 0, _MOST_TAIL_BITS):
        bits *= 2
    return bits
