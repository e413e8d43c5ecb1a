"""Many levels of one loss grid: sums over final stretches, made once, so that a level costs a few steps.

*Above.* With u_j the P-masses of the split pair at the losses l_j = h j and U_m = Σ_{j >= m} u_j, V_m = Σ_{j >= m} u_j
e^(-l_j), the profile of the split pair is the infinite mass plus U_m - a V_m for the first m with l_m >= eps.

*Below.* P(S) - a Q(S) is at most D_a for every event S. Among the stretches S = {s >= m} of sums of cell numbers that
is about largest where p_s - a q_s changes sign, which bisection finds; the bound holds wherever it ends.

:meth:`oracle.accountant.loss_grid.GridComposition.delta` adds up afresh for every level: the second way.
"""

from __future__ import annotations

from itertools import accumulate
from typing import Final

from flint import arb
from gmpy2 import mpq, mpz

from oracle.accountant.loss_cells import LossCells
from oracle.enclosures import Enclosure, precision, rational_ball, rational_bounds
from oracle.experiments.base import level_logarithm
from oracle.levels import Level

__all__ = ["GridTables"]

_EXTRA: Final = 64
_NEAR: Final = 2


class GridTables:
    """The two pairs of a composition on the grid, for levels other than 0 and infinity.

    Attributes:
        cells: their masses.
    """

    __slots__ = ("_bits", "_low_p", "_low_q", "_up_p", "_up_q", "cells")

    def __init__(self, cells: LossCells) -> None:
        self.cells = cells
        self._bits = cells.bits + _EXTRA + len(cells.upper).bit_length()
        with precision(self._bits):
            fall = rational_ball(-cells.width).exp()
            lead = rational_ball(-cells.width * cells.start).exp()
            factors = list(accumulate([fall] * len(cells.upper), lambda x, y: x * y, initial=lead))
            self._up_p, self._up_q = _suffix_sums(cells.upper), _suffix_balls(cells.upper, factors)
            self._low_p, self._low_q = _suffix_sums(cells.p_low), _suffix_balls(cells.q_high, factors)

    def delta(self, level: Level) -> Enclosure:
        """Rationals lo <= D_a(P‖Q) <= hi at a = *level*."""
        unit = mpz(1) << self.cells.bits
        with precision(self._bits):
            epsilon = level_logarithm(level)(self._bits)
            low, high = rational_bounds(epsilon)
            a = epsilon.exp()
            first = self._index(low)
            above = arb(self._up_p[first]) - a * self._up_q[first]
            most = rational_bounds(above)[1] + self.cells.upper_infinite
            least = max((rational_bounds(self._below(m, a))[0] for m in self._starts(high, a)), default=mpq(0))
        bound = (max(least, mpq(0)) + self.cells.infinite_low) / unit
        return Enclosure(bound, max(bound, min(mpq(1), most / unit)))

    def _index(self, epsilon: mpq) -> int:
        """The first grid point whose loss is at least epsilon, counted from the start."""
        quotient = epsilon / self.cells.width
        first = -int(-quotient.numerator // quotient.denominator) - self.cells.start
        return min(max(first, 0), len(self.cells.upper))

    def _below(self, m: int, a: arb) -> arb:
        return arb(self._low_p[m]) - a * self._low_q[m]

    def _starts(self, epsilon: mpq, a: arb) -> range:
        """Stretches that begin about where p_s - a q_s becomes positive."""
        low, high = 0, min(self._index(epsilon) + 1, len(self.cells.p_low))
        while low < high:
            middle = (low + high) // 2
            gain = self._below(middle, a) - self._below(middle + 1, a)
            low, high = (low, middle) if gain > 0 else (middle + 1, high)
        return range(max(low - _NEAR, 0), min(low + _NEAR, len(self.cells.p_low)) + 1)


def _suffix_sums(masses: list[int]) -> list[int]:
    return list(accumulate(reversed(masses), initial=0))[::-1]


def _suffix_balls(masses: list[int], factors: list[arb]) -> list[arb]:
    products = [mass * factor for mass, factor in zip(masses, factors, strict=False)]
    return list(accumulate(reversed(products), initial=arb(0)))[::-1]
