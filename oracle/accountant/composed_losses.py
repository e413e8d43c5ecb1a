"""The ends of the privacy loss of a composition: mass of infinite loss, largest finite loss, levels beyond them.

Losses of independent steps add, so the largest loss is the sum of the largest ones, and what P has where Q has nothing
is 1 - Π (1 - s_i)^(k_i). At a level that is at least the largest finite ratio D_a is that mass; below the supremum of
p/q it is more than 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from flint import arb
from gmpy2 import mpq

from oracle.accountant.constituents import Constituent
from oracle.accountant.pair_facts import MAX_POWER_BITS, as_ball, at_least, singular, summed_loss
from oracle.channels.divergences import Direction
from oracle.enclosures import DEFAULT_DIGITS, Enclosure, precision, rational_ball
from oracle.errors import LimitError
from oracle.experiments.base import level_logarithm
from oracle.levels import Level

__all__ = ["ComposedLosses"]

_COMPARISON_DIGITS: Final = (DEFAULT_DIGITS, 60, 300, 1000)
_BITS_PER_DIGIT: Final = 4


class ComposedLosses:
    """The ends of the loss, in either direction.

    Args:
        constituents: pooled.
    """

    __slots__ = ("_constituents", "_finite")

    def __init__(self, constituents: Sequence[Constituent]) -> None:
        self._constituents = constituents
        self._finite: dict[Direction, Level | Enclosure] = {}

    def has_singular(self, side: Direction) -> bool:
        """Whether the first law has mass where the second has none."""
        return any(singular(item.pair, side) for item in self._constituents)

    def has_short_mass(self, side: Direction) -> bool:
        """Whether the mass of infinite loss can be written out."""
        bits = [
            (1 - mass).denominator.bit_length() * item.times
            for item in self._constituents
            if (mass := singular(item.pair, side))
        ]
        return sum(bits) <= MAX_POWER_BITS

    def mass_ball(self, side: Direction) -> arb:
        """The mass of infinite loss, at the working precision."""
        rest = arb(1)
        for item in self._constituents:
            rest *= rational_ball(1 - singular(item.pair, side)) ** item.times
        return 1 - rest

    def mass(self, side: Direction) -> mpq:
        """The mass of infinite loss.

        Raises:
            LimitError: where it is too long to write out.
        """
        if not self.has_short_mass(side):
            expected = f"a mass of infinite loss of at most {MAX_POWER_BITS} bits"
            raise LimitError(expected, "a longer one")
        rest = mpq(1)
        for item in self._constituents:
            rest *= (1 - singular(item.pair, side)) ** item.times
        return 1 - rest

    def largest(self, side: Direction, digits: int = DEFAULT_DIGITS) -> Level | Enclosure:
        """The product of the largest ratios; an enclosure of its logarithm where that is no level."""
        return summed_loss([(item.pair, item.times) for item in self._constituents], side, digits)

    def largest_finite(self, side: Direction, digits: int = DEFAULT_DIGITS) -> Level | Enclosure | None:
        """The same where mass of infinite loss is left aside; None where finite losses are unbounded."""
        if digits != DEFAULT_DIGITS or side not in self._finite:
            pairs = [(item.pair, item.times) for item in self._constituents]
            found = summed_loss(pairs, side, digits, finite=True)
            if digits != DEFAULT_DIGITS:
                return found
            self._finite[side] = found
        known = self._finite[side]
        return None if isinstance(known, Level) and known.is_infinite else known

    def is_beyond(self, level: Level, side: Direction) -> bool:
        """Whether a level is proved to be at least the largest finite ratio."""
        loss = self.largest_finite(side)
        if loss is None:
            return False
        if isinstance(loss, Level):
            return at_least(level, loss)
        return _sign_against(level, lambda digits: self.largest_finite(side, digits)) > 0

    def is_inside(self, level: Level, side: Direction) -> bool:
        """Whether a level is proved to be below the supremum of p/q, so that D_a > 0."""
        loss = self.largest(side)
        if isinstance(loss, Level):
            return loss.is_infinite or not at_least(level, loss)
        return _sign_against(level, lambda digits: self.largest(side, digits)) < 0


def _sign_against(level: Level, loss: Callable[[int], Level | Enclosure | None]) -> int:
    """The sign of the logarithm of a level less a loss that is enclosed to any digits; 0 where it is not decided."""
    for digits in _COMPARISON_DIGITS:
        bits = digits * _BITS_PER_DIGIT
        with precision(bits):
            gap = level_logarithm(level)(bits) - as_ball(loss(digits))
        if gap > 0 or gap < 0:
            return 1 if gap > 0 else -1
    return 0
