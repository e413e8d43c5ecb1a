"""Two checks of a value of delta that share nothing with it but the laws of the steps.

- *Second line*: the contour integral on another abscissa, with another step, window and alias bounds. Both enclosures
  are proved, so they must overlap.
- *Loss grid*: the split and the pooled pair of every step, composed by refinement alone (split ⊑ M ⊑ pooled), must
  bracket the value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from gmpy2 import mpq

from oracle.accountant import contour
from oracle.accountant.choice import grid_for
from oracle.accountant.constituents import Constituent, contour_part
from oracle.accountant.grid_method import LossGrid
from oracle.accountant.methods import with_digits
from oracle.accountant.parts import Composition, compose
from oracle.channels.divergences import Direction
from oracle.enclosures import DEFAULT_DIGITS, Enclosure
from oracle.errors import LimitError
from oracle.exact import to_text
from oracle.experiments.base import level_logarithm
from oracle.levels import Level

__all__ = ["GRID_CELLS", "CrossCheck", "cross_check"]

GRID_CELLS: Final = 1 << 13
"""Cells of the check by a loss grid."""

_TAIL_BITS: Final = 64
_MOST_TAIL_BITS: Final = 1 << 10


@dataclass(frozen=True, slots=True)
class CrossCheck:
    """One check.

    Attributes:
        method: ``loss grid``, or that of :class:`oracle.accountant.contour.Answer`.
        value: what it proves of delta.
        agrees: whether that has a point in common with the value checked.
        facts: what it rests on.
    """

    method: str
    value: Enclosure
    agrees: bool
    facts: dict[str, str]


def cross_check(  # noqa: PLR0913 - the value and what is at hand
    constituents: Sequence[Constituent],
    level: Level,
    side: Direction,
    value: Enclosure,
    *,
    digits: int = DEFAULT_DIGITS,
    grid: LossGrid | None = None,
) -> list[CrossCheck]:
    """The checks that there are of a value in one direction, at a level other than 0 and infinity.

    *grid* is the loss grid of the composition in that direction, where one is at hand: its tables are kept.
    """
    found: list[CrossCheck] = []
    known = [(contour_part(item.pair, side), item.times) for item in constituents]
    parts = [(part, times) for part, times in known if part is not None]
    if len(parts) == len(known):
        found += _lines(compose(parts), level, value, digits)
    grid = grid or grid_for(constituents, side)
    if grid is not None:
        tail_bits = _TAIL_BITS
        while tail_bits < min(_MOST_TAIL_BITS, 2 * _small_bits(value)):
            tail_bits *= 2
        try:
            composed = grid.grid(GRID_CELLS, tail_bits)
        except LimitError:
            return found
        bracket = with_digits(composed.delta(level), digits)
        facts = {"width of a cell": to_text(composed.cells.width)}
        found.append(CrossCheck("loss grid", bracket, bracket.overlaps(value), facts))
    return found


def _lines(parts: Composition, level: Level, value: Enclosure, digits: int) -> list[CrossCheck]:
    """The contour integral on the planner's abscissa, and on a second one."""
    epsilon = level_logarithm(level)
    first = contour.delta(parts, epsilon, digits)
    answers, abscissa = [first], contour.second_abscissa(first)
    if abscissa is not None:
        answers.append(contour.delta(parts, epsilon, digits, abscissa=abscissa))
    return [CrossCheck(item.method, item.value, item.value.overlaps(value), item.record) for item in answers]


def _small_bits(value: Enclosure) -> int:
    """About -log2 of an upper end."""
    high = value.hi
    return max(0, high.denominator.bit_length() - high.numerator.bit_length()) if high > mpq(0) else 0
