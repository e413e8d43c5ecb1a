"""Where a function changes its sign: guessed by the secant method, proved by a sign on each side."""

from __future__ import annotations

from collections.abc import Callable

from flint import arb

from oracle.enclosures import precision

__all__ = ["sign_change"]

_GUARD = 32
_MOST_STEPS = 100
_MOST_GUESSES = 3


def sign_change(function: Callable[[arb], arb], low: arb, high: arb, bits: int) -> arb | None:
    """A ball [l, h] within [low, high] at whose ends the function has proved, opposite signs.

    Every continuous function has a zero in it; a function that changes its sign once in [low, high] changes it there.

    Args:
        function: from an exact point to a ball of the value there, at the working precision that is set.
        low: an exact point; the sign there must be proved at *bits*.
        high: another, above it, where the sign is the opposite.
        bits: the width aimed at is 2^-bits of the larger end.

    Returns:
        The ball, wider than aimed at where no sign nearer is had; None if the signs at the ends are not had.
    """
    with precision(bits + _GUARD):
        start, end = function(low), function(high)
        if not ((start < 0 and end > 0) or (start > 0 and end < 0)):
            return None
        bracket = _Bracket(function, low, high, rising=bool(end > 0))
        step = arb(2) ** (-bits - 2)
        x0, y0, x1, y1 = low, start.mid(), high, end.mid()
        halved, tried = bracket.width, 0
        for _ in range(_MOST_STEPS + 6 * bits):
            if bracket.width <= 4 * step * abs(bracket.high):
                break
            tried += 1
            if bracket.width < halved / 2:
                halved, tried = bracket.width, 0
            # Three guesses that did not halve the bracket: it is done by force.
            guess = None if tried > _MOST_GUESSES else _secant(x0, y0, x1, y1)
            if guess is None or not bracket.low < guess < bracket.high:
                guess, tried = ((bracket.low + bracket.high) / 2).mid(), 0
            value = function(guess)
            known = bracket.cut(guess, value)
            if not known or abs(guess - x1) < 2 * step * abs(guess):
                width = step * abs(guess)
                sides = [bracket.look(point) for point in ((guess - width).mid(), (guess + width).mid())]
                if not any(sides):
                    break
            x0, y0, x1, y1 = x1, y1, guess, value.mid()
        return bracket.low.union(bracket.high)


class _Bracket:
    """Two exact points at which the function has opposite signs."""

    def __init__(self, function: Callable[[arb], arb], low: arb, high: arb, *, rising: bool) -> None:
        self.function = function
        self.low = low
        self.high = high
        self.rising = rising

    @property
    def width(self) -> arb:
        return self.high - self.low

    def cut(self, point: arb, value: arb) -> bool:
        """Move one end to a point inside, by the sign of the value there; False if that is not known."""
        if not (value > 0 or value < 0):
            return False
        if bool(value > 0) == self.rising:
            self.high = point
        else:
            self.low = point
        return True

    def look(self, point: arb) -> bool:
        """Cut at a point, if it lies inside and the sign there is had."""
        return bool(self.low < point < self.high) and self.cut(point, self.function(point))


def _secant(x0: arb, y0: arb, x1: arb, y1: arb) -> arb | None:
    """Where the line through two points meets 0, as an exact point, if it does."""
    fall = y1 - y0
    if fall.contains(0):
        return None
    guess = (x1 - y1 * (x1 - x0) / fall).mid()
    return guess if guess.is_finite() else None
