"""Methods by certified integrals: one-dimensional, over the loss of one step, and along a line in the complex plane.

``conditioning`` takes two steps, or one step beside Laplace pairs (:mod:`oracle.accountant.conditioning`); ``contour``
takes everything (:mod:`oracle.accountant.contour`). Where one has too few digits the next is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from flint import arb
from gmpy2 import mpq, mpz

from oracle.accountant import contour
from oracle.accountant.grid_method import LossGrid
from oracle.accountant.least_epsilon import least_epsilon
from oracle.accountant.methods import Found, Method, narrower
from oracle.accountant.parts import Composition
from oracle.accountant.profiles import profile
from oracle.enclosures import Ball, Enclosure, enclose, precision, rational_ball, rational_bounds
from oracle.errors import LimitError, UndecidedError
from oracle.exact import INFINITY, Infinity
from oracle.experiments.base import level_logarithm
from oracle.levels import Level

__all__ = ["Conditioning", "Contour"]

_MOST_BALL_DIGITS: Final = 120
_TINY: Final = mpq(1, mpz(1) << 64)
"""Below this a loss grid, whose errors are of 1, says more than bounds known at once only after very long work."""

_MOST_CONDITIONING_BITS: Final = 1 << 13
_OUT_OF_REACH: Final = mpq(1, mpz(1) << _MOST_CONDITIONING_BITS)
_SMALL: Final = arb(2) ** -100
_SMALL_DELTA: Final = mpq(1, mpz(1) << 100)


class Conditioning(Method):
    """Two steps, or a step and a piecewise analytic profile, by one certified integral.

    Args:
        integral: the profile, of absolute accuracy about 2^-bits.
        rescue: what is asked where that is not had within the limits.
    """

    __slots__ = ("integral", "rescue")

    def __init__(self, integral: Callable[[Ball], Ball], rescue: Method) -> None:
        self.integral, self.rescue = integral, rescue

    @property
    def name(self) -> str:
        """The method."""
        return "conditioning"

    def value(self, level: Level, digits: int) -> Found:
        """The integral at the precision that the digits need."""
        ball, bits = self.integral(level_logarithm(level)), 40 + digits * 10 // 3
        found: Found | None = None
        while bits <= _MOST_CONDITIONING_BITS:
            try:
                known = ball(bits)
            except UndecidedError:
                break
            if known < _SMALL and found is None:
                # The error is one of 1: the contour integral, whose error is one of delta, takes fewer bits.
                found = self.rescue.value(level, digits)
                if found.reached or found.ends[1] < _OUT_OF_REACH:
                    return found
            if known.is_finite() and known > 0:
                value = enclose(lambda _, known=known: known, digits)  # type: ignore[misc]
                if value.reached is None:
                    return Found(value.clamped(), self.name, {"bits": str(bits)})
            bits *= 2
        return found or self.rescue.value(level, digits)

    def ball(self, epsilon: Ball) -> Ball:
        """At any precision within the limits."""
        return self.integral(epsilon)

    def epsilon_at(self, delta: mpq, digits: int) -> Level | Enclosure:
        """By balls, a small delta by what comes next first; else by the other of the two."""
        first, second = super().epsilon_at, self.rescue.epsilon_at
        if delta < _SMALL_DELTA:
            first, second = second, first
        try:
            return first(delta, digits)
        except (LimitError, UndecidedError):
            return second(delta, digits)


class Contour(Method):
    """Any parts, by a line of the contour integral.

    Args:
        parts: in the direction meant.
        rescue: what is asked where too few digits are reached; None for nothing.
    """

    __slots__ = ("parts", "rescue")

    def __init__(self, parts: Composition, rescue: Method | None) -> None:
        self.parts, self.rescue = parts, rescue

    @property
    def name(self) -> str:
        """The method."""
        return "contour"

    def value(self, level: Level, digits: int) -> Found:
        """delta, or what was reached, with the bound of each error term."""
        return self._best(contour.delta(self.parts, level_logarithm(level), digits), level, digits)

    def values(self, levels: Sequence[Level], digits: int) -> list[Found]:
        """Lines of nodes shared between the levels."""
        answers = profile(self.parts, [level_logarithm(level) for level in levels], digits)
        return [self._best(answer, level, digits) for answer, level in zip(answers, levels, strict=True)]

    def _best(self, answer: contour.Answer, level: Level, digits: int) -> Found:
        value: mpq | Enclosure = answer.value
        if answer.value.lo == answer.value.hi:
            value = answer.value.lo
        found = Found(value, answer.method, answer.record)
        if found.reached or self.rescue is None:
            return found
        if found.ends[1] < _TINY and isinstance(self.rescue, LossGrid):
            return found
        return narrower(found, self.rescue.value(level, digits), digits)

    def ball(self, epsilon: Ball) -> Ball:
        """As many digits as the bits hold, up to a limit."""
        known: dict[int, Enclosure] = {}

        def ball(bits: int) -> arb:
            digits = min(max(bits * 3 // 10, 3), _MOST_BALL_DIGITS)
            if digits not in known:
                found = contour.delta(self.parts, epsilon, digits).value
                if found.reached is not None and self.rescue is not None:
                    other = self.rescue.ball(epsilon)(bits)
                    low, high = rational_bounds(other)
                    found = Enclosure(max(low, found.lo), min(high, found.hi))
                known[digits] = found
            with precision(bits):
                return rational_ball(known[digits].lo).union(rational_ball(known[digits].hi))

        return ball

    def epsilon_at(self, delta: mpq, digits: int) -> Level | Enclosure:
        """On one line around the place; else by what comes next."""
        try:
            found: Enclosure | Infinity = least_epsilon(self.parts, delta, digits)
        except (LimitError, UndecidedError):
            if self.rescue is None:
                raise
            return self.rescue.epsilon_at(delta, digits)
        if isinstance(found, Infinity):
            return Level(INFINITY)
        return Level.rational(1) if found.hi == 0 else found
