"""Proposals for the loss grid, in floats: where partial compositions live, and how fine a grid that allows.

Nothing here is a bound. A bad proposal makes a wide bracket, never a wrong one: what leaves a window is accounted for
in :mod:`oracle.accountant.loss_grid`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gmpy2 import mpq

from oracle.accountant.loss_cells import CellSource, LossCells

__all__ = ["LossHints", "Window", "Windows", "proposed_width"]

_FIRST_WIDTH = mpq(1, 4)
_FARTHEST = 4
_MOST_STEP_CELLS = 8
"""A step may have so many times the cells that are asked for."""


@dataclass(frozen=True, slots=True)
class Window:
    """Where a partial composition is kept, in grid points: [first, last]."""

    first: int
    last: int


class LossHints:
    """Float cumulants of the loss of one step under P: proposals for windows, never a bound.

    Neighbouring cells are taken together up to a small share of the mass and of the range, so that no spread is lost
    that matters to the sum of many steps.
    """

    _SHARE = 4000

    def __init__(self, cells: LossCells) -> None:
        total = sum(cells.p_low) or 1
        h = float(cells.width)
        longest = max(1, len(cells.p_low) // self._SHARE)
        self.losses: list[float] = []
        self.weights: list[float] = []
        mass = moment = length = 0
        for j, m in enumerate(cells.p_low):
            mass, moment, length = mass + m, moment + j * m, length + 1
            if mass * self._SHARE >= total or length >= longest or j == len(cells.p_low) - 1:
                # A share below the range of binary64 has no weight.
                if mass / total > 0:
                    self.losses.append((cells.start + moment / mass + 0.5) * h)
                    self.weights.append(mass / total)
                mass = moment = length = 0
        if not self.losses:
            self.losses, self.weights = [0.0], [1.0]

    def cumulant(self, s: float) -> float:
        """The logarithm of E[e^(s L)]."""
        exponents = [s * x for x in self.losses]
        top = max(exponents)
        return top + math.log(sum(w * math.exp(e - top) for w, e in zip(self.weights, exponents, strict=True)))


class Windows:
    """Windows of partial compositions from Chernoff bounds in floats."""

    _SLOPES = tuple(2.0 ** (i / 2) for i in range(-16, 22))

    def __init__(self, hints: Sequence[LossHints], tail_bits: int) -> None:
        self.tail = tail_bits * math.log(2)
        self.rise = [[hint.cumulant(s) for s in self._SLOPES] for hint in hints]
        self.fall = [[hint.cumulant(-s) for s in self._SLOPES] for hint in hints]
        self.ends = [(min(hint.losses), max(hint.losses)) for hint in hints]

    def losses(self, counts: Sequence[int]) -> tuple[float, float]:
        """Losses below and above which the composition of so many of each step hardly ever is."""
        high = min(
            (sum(k * c[i] for k, c in zip(counts, self.rise, strict=True)) + self.tail) / s
            for i, s in enumerate(self._SLOPES)
        )
        low = max(
            -(sum(k * c[i] for k, c in zip(counts, self.fall, strict=True)) + self.tail) / s
            for i, s in enumerate(self._SLOPES)
        )
        least = sum(k * e[0] for k, e in zip(counts, self.ends, strict=True))
        most = sum(k * e[1] for k, e in zip(counts, self.ends, strict=True))
        return max(low, least), min(high, most)

    def window(self, counts: Sequence[int], width: mpq) -> Window:
        """The same in grid points, a few more on either side (cells are numbered from their lower ends)."""
        low, high = self.losses(counts)
        steps, h = sum(counts), float(width)
        return Window(math.floor(low / h) - steps - 1, math.ceil(high / h) + steps + 1)

    def of_one(self, i: int, width: mpq) -> Callable[[int], Window]:
        """The window of m times step i, as a function of m."""

        def window(times: int) -> Window:
            counts = [0] * len(self.ends)
            counts[i] = times
            return self.window(counts, width)

        return window


def proposed_width(
    parts: Sequence[tuple[CellSource, int]], cells: int, tail_bits: int, first: mpq = _FIRST_WIDTH
) -> mpq:
    """A power of two, at most *first*, that spreads the composed loss over about so many cells.

    A coarse grid is refined until the window, as seen on it, has them, or a single step has several times as many. It
    shows too large a spread rather than too small a one.
    """
    width = first
    while True:
        laws = [source.cells(width, 64, min(tail_bits, 60)) for source, _ in parts]
        low, high = Windows([LossHints(law) for law in laws], tail_bits).losses([times for _, times in parts])
        missing = cells * float(width) / max(high - low, 1e-12)
        room = _MOST_STEP_CELLS * cells / max((len(law.p_low) for law in laws), default=1)
        factor = min(_FARTHEST, math.ceil(math.log2(max(missing, 1))), math.floor(math.log2(max(room, 1))))
        if factor < _FARTHEST or width <= mpq(1, 1 << 40):
            # Close enough: a finer grid would show much the same spread.
            return width / (1 << max(factor, 0))
        width /= 1 << factor
