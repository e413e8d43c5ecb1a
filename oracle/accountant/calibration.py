"""The smallest noise, the most steps or the largest rate at which a target (epsilon, delta) is met, between two proofs.

The parameter x is real and positive (noise, rate) or a whole number (steps). A pair for each x is given; whether it is
(epsilon, delta)-DP is decided by proved comparisons. The answer is an interval of which one end is proved to meet the
target and the other proved not to: of noise the upper end meets it, of a rate the lower one; of a number of steps they
are k and k + 1. Where x orders the pairs by refinement there is one border, and it lies between: more Gaussian or
Laplace noise is post-processing of less (N(0, s²) + N(0, t²) is N(0, s² + t²); a Laplace variable of a larger scale is
the smaller one plus an independent one, its characteristic function (1 + s² t²)/(1 + u² t²) being that of a law for
u >= s); at a lower Poisson rate one sees the output at the higher one with probability q'/q, and one on the database
without the record else; and fewer steps are post-processing of more. Of other noise the ends alone are claimed.

log delta is about linear in log x over short ways, so false position on it, in floats, proposes where to look; of a
delta of 0, which has no logarithm, x is bisected.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from gmpy2 import mpq, mpz

from oracle.enclosures import DEFAULT_DIGITS, Enclosure, precision, rational_ball
from oracle.errors import InputError, UndecidedError, shorten
from oracle.exact import from_binary64, round_decimal, to_text

__all__ = ["AT_ONCE", "Calibrated", "calibrate", "calibrate_steps"]

AT_ONCE: Final = 0
"""Digits that ask for no more of delta than the bounds known at once."""

_COARSE: Final = (AT_ONCE, 4)
_TRIALS: Final = 60
_SLOW: Final = 24
_ASIDE: Final = mpq(1001, 1000)
_STEPS: Final = 60
_WIDER: Final = 12
_MOST_STEPS: Final = 1 << 62
_BITS: Final = 64
_BITS_PER_DIGIT: Final = 4
_FAR: Final = 1e6


@dataclass(frozen=True, slots=True)
class Calibrated:
    """Where the target begins to be met.

    Attributes:
        lo: the lower end.
        hi: the upper end.
        sufficient: the end that is proved to meet the target, ``lo`` or ``hi``; the other is proved not to, or is the
            end of the range (rate 1 meets it: ``lo`` = ``hi`` = 1).
        reached: the digits reached, where they are fewer than those asked for.
    """

    lo: mpq
    hi: mpq
    sufficient: Literal["lo", "hi"]
    reached: int | None = None


def calibrate(
    delta: Callable[[mpq, int], Enclosure],
    target: mpq,
    *,
    grows: bool,
    most: mpq | None = None,
    digits: int = DEFAULT_DIGITS,
) -> Iterator[Calibrated]:
    """The border of a real parameter x > 0: narrower and narrower, the last one with the digits that were reached.

    Args:
        delta: (x, digits) -> an enclosure of delta, the larger of the directions meant; ``AT_ONCE`` digits are none.
        target: the delta to be met, at least 0.
        grows: whether delta grows with x (a rate) or falls (noise).
        most: the largest x, for a rate.
        digits: of the border.

    Raises:
        InputError: for a target below 0.
        UndecidedError: if no x is found that is proved to meet the target, or none that is proved not to.
    """
    if target < 0:
        raise InputError("a delta of at least 0", shorten(to_text(target)), "delta")
    search = _Search(delta, target, grows, digits)
    if most is not None:
        all_of_it = search.met(most)
        if all_of_it is None:
            raise UndecidedError(f"whether {to_text(most)} meets the target", 0)
        if all_of_it:
            yield Calibrated(most, most, "lo")
            return
    low, high = search.bracket(most)
    yield search.stated(low, high)
    yield search.narrowed(low, high)


class _Search:
    """delta along x; met from some x on upwards, or downwards if it grows."""

    def __init__(self, delta: Callable[[mpq, int], Enclosure], target: mpq, grows: bool, digits: int) -> None:
        self.delta, self.target, self.grows, self.digits = delta, target, grows, digits

    def met(self, x: mpq) -> bool | None:
        """Whether the target is met, where that is proved."""
        wanted = (*_COARSE, self.digits + 4, 2 * self.digits + 8)
        return _met(lambda digits: self.delta(x, digits), self.target, wanted)

    def stated(self, low: mpq, high: mpq) -> Calibrated:
        """Two ends with the digits that they have."""
        return Calibrated(low, high, "lo" if self.grows else "hi", _reached(low, high, self.digits))

    def bracket(self, most: mpq | None) -> tuple[mpq, mpq]:
        """Some low < high of which the one is proved to meet the target and the other not to."""
        low: mpq | None = None
        high, x = most, mpq(1) if most is None else most / 2
        for i in range(_TRIALS):
            factor = mpq(2) if i < _SLOW else mpq(2) ** (i - _SLOW + 2)
            found = self.met(x)
            if found is None:
                # Too close to the border to tell, or too far out.
                x *= _ASIDE
                continue
            if found is self.grows:
                low, x = x, x * factor
            else:
                high, x = x, x / factor
            if low is not None and high is not None:
                return low, high
        raise UndecidedError("a parameter on either side of the target", 0)

    def height(self, x: mpq) -> float:
        """About log(delta/target)."""
        found = self.delta(x, self.digits + 4)
        with precision(_BITS + self.digits * _BITS_PER_DIGIT):
            ratio = rational_ball((found.lo + found.hi) / 2 / self.target)
            value = float(ratio.log().mid()) if ratio > 0 else -_FAR
        return max(min(value, _FAR), -_FAR)

    def bisected(self, low: mpq, high: mpq) -> mpq:
        """About where the target begins to be met, by bisection."""
        share = mpq(1, mpz(10) ** (self.digits + 1))
        while high - low > share * high:
            x = (low + high) / 2
            found = self.met(x)
            if found is None:
                return x
            low, high = (x, high) if found is self.grows else (low, x)
        return high

    def place(self, low: mpq, high: mpq) -> mpq:
        """About where delta is the target, by false position with halved weights (Illinois)."""
        if not self.target:
            return self.bisected(low, high)
        at_low, at_high, last = self.height(low), self.height(high), 0
        share, x = mpq(1, mpz(10) ** (self.digits + 1)), low
        for _ in range(_STEPS):
            if (at_low > 0) == (at_high > 0):
                break
            before, weight = x, from_binary64(at_low / (at_low - at_high))
            x = _decimal(low + (high - low) * weight, self.digits + 3)
            if not low < x < high:
                break
            value = self.height(x)
            if (value > 0) == (at_low > 0):
                low, at_low = x, value
                at_high, last = (at_high / 2, 1) if last == 1 else (at_high, 1)
            else:
                high, at_high = x, value
                at_low, last = (at_low / 2, -1) if last == -1 else (at_low, -1)
            if abs(x - before) <= share * x or value == 0:
                break
        return x

    def narrowed(self, low: mpq, high: mpq) -> Calibrated:
        """Proved ends around the place that was found."""
        place, width = self.place(low, high), mpq(1, 4 * mpz(10) ** self.digits)
        for _ in range(_WIDER):
            left = max(_decimal(place * (1 - width), self.digits + 2), low)
            right = min(_decimal(place * (1 + width), self.digits + 2, up=True), high)
            if self.met(left) is self.grows and self.met(right) is (not self.grows):
                low, high = left, right
                break
            width *= 8
        return self.stated(low, high)


def _reached(low: mpq, high: mpq, digits: int) -> int | None:
    """The digits that two ends have in common, None where they are as many as asked for."""
    reached = next((n for n in range(digits, 0, -1) if (high - low) * mpz(10) ** n <= high), 0)
    return None if reached == digits else reached


def _decimal(x: mpq, digits: int, *, up: bool = False) -> mpq:
    """The decimal of so many digits next to an x > 0, at or below it unless *up*."""
    return round_decimal(x, digits, "up" if up else "down")


def _met(delta: Callable[[int], Enclosure], target: mpq, digits: Sequence[int]) -> bool | None:
    for wanted in digits:
        found = delta(wanted)
        if found.hi <= target:
            return True
        if found.lo > target:
            return False
    return None


def calibrate_steps(delta: Callable[[int, int], Enclosure], target: mpq) -> Iterator[Calibrated]:
    """The most steps k that meet a target, proved, k + 1 proved not to: at last ``lo`` = k, ``hi`` = k + 1.

    By bisection; every pair of ends on the way is given, with the digits that it has.

    Args:
        delta: (k, digits) -> an enclosure of delta of k steps, k >= 1.
        target: the delta to be met.

    Raises:
        UndecidedError: where a comparison is not decided, or even 2^62 steps meet the target.
    """

    def met(k: int) -> bool:
        wanted = (*_COARSE, DEFAULT_DIGITS, 2 * DEFAULT_DIGITS)
        found = True if not k else _met(lambda n: delta(k, n), target, wanted)
        if found is None:
            raise UndecidedError(f"whether {k} steps meet the target", 0)
        return found

    low, high = 0, 1
    while met(high):
        low, high = high, 2 * high
        if high > _MOST_STEPS:
            raise UndecidedError("a number of steps that does not meet the target", 0)
    while high - low > 1:
        middle = (low + high) // 2
        yield Calibrated(mpq(low), mpq(high), "lo", _reached(mpq(low), mpq(high), DEFAULT_DIGITS) or 0)
        low, high = (middle, high) if met(middle) else (low, middle)
    yield Calibrated(mpq(low), mpq(high), "lo")
