"""A method by which delta of a composition is had, in one direction, and what it leaves behind.

Every method answers at a level a = e^eps with an exact number or an enclosure and the facts on which it rests, and can
give the profile as balls. An enclosure that has not the digits asked for says how many it has. The methods are in
:mod:`oracle.accountant.exact_methods`, :mod:`oracle.accountant.integral_methods` and
:mod:`oracle.accountant.grid_method`; :mod:`oracle.accountant.choice` chooses.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from flint import arb
from gmpy2 import mpq, mpz

from oracle.enclosures import Ball, Comparison, Enclosure, rational_ball
from oracle.exact import round_decimal
from oracle.experiments.roots import decreasing_root
from oracle.levels import Level

__all__ = ["Found", "Method", "compare_digits", "narrower", "with_digits"]

_COMPARISON_DIGITS: Final = (12, 30, 60)
_GUARD: Final = 4


@dataclass(frozen=True, slots=True)
class Found:
    """A value of the profile.

    Attributes:
        value: exact where it is rational and known to be, else an enclosure.
        method: how it was had.
        facts: what it rests on, by name: parameters, precision, bounds of error terms rounded up.
    """

    value: mpq | Enclosure
    method: str
    facts: dict[str, str]

    @property
    def reached(self) -> bool:
        """Whether it has the digits that were asked for."""
        return not isinstance(self.value, Enclosure) or self.value.reached is None

    @property
    def ends(self) -> tuple[mpq, mpq]:
        """The value as lo <= value <= hi."""
        return (self.value.lo, self.value.hi) if isinstance(self.value, Enclosure) else (self.value, self.value)


class Method(ABC):
    """delta of one composition in one direction; levels other than 0 and infinity."""

    __slots__ = ()

    @property
    @abstractmethod
    def name(self) -> str:
        """What it is called in an answer."""

    @abstractmethod
    def value(self, level: Level, digits: int) -> Found:
        """D_a at a = *level*."""

    @abstractmethod
    def ball(self, epsilon: Ball) -> Ball:
        """D_a at a = e^epsilon for an epsilon given by balls, for every a of the ball."""

    def values(self, levels: Sequence[Level], digits: int) -> list[Found]:
        """D_a at each level."""
        return [self.value(level, digits) for level in levels]

    def compare(self, level: Level, bound: mpq) -> Comparison:
        """The sign of D_a - bound, or None where it is not proved."""
        return compare_digits(lambda digits: self.value(level, digits), bound)

    def epsilon_at(self, delta: mpq, digits: int) -> Level | Enclosure:
        """The least epsilon with D_{e^epsilon} <= delta, where D_inf < delta < D_1."""

        def ratio(epsilon: arb) -> Ball:
            stick = self.ball(lambda _: epsilon)
            return lambda bits: stick(bits) / rational_ball(delta)

        return decreasing_root(ratio, digits)


def compare_digits(value: Callable[[int], Found], bound: mpq) -> Comparison:
    """Compare with a bound at growing numbers of digits; the bits of the answer are about those of the digits."""
    bits = 0
    for digits in _COMPARISON_DIGITS:
        found = value(digits)
        low, high = found.ends
        bits = 0 if low == high else digits * 10 // 3
        if low > bound or high < bound or low == high:
            return Comparison((low > bound) - (high < bound), bits)
    return Comparison(None, bits)


def with_digits(value: Enclosure, digits: int) -> Enclosure:
    """The same, its ends as decimals of a few more digits rounded outwards, with what was reached of the digits."""
    low = round_decimal(value.lo, digits + _GUARD, "down")
    high = round_decimal(value.hi, digits + _GUARD, "up")
    largest = max(abs(low), abs(high))
    reached = next((n for n in range(digits, 0, -1) if (high - low) * mpz(10) ** n <= largest), 0)
    return Enclosure(low, high, None if reached == digits else reached)


def narrower(first: Found, second: Found, digits: int) -> Found:
    """What two proofs of the same value have in common, under the name of the one that says more."""
    (a, b), (c, d) = first.ends, second.ends
    low, high = max(a, c), min(b, d)
    best = first if b - a <= d - c else second
    value: mpq | Enclosure = low if low == high else with_digits(Enclosure(low, high), digits)
    return Found(value, best.method, best.facts)
