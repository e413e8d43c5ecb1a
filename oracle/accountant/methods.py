"""The methods by which delta of a composition is had, one direction at a time, and what each leaves behind.

Every method answers at a level a = e^eps with an exact number or an enclosure and the facts on which it rests, and can
give the profile as balls. In the order in which they are preferred (:func:`method_for`):

- ``lattice polynomial`` and ``meet in the middle``: rational channels, exact
  (:mod:`oracle.accountant.meet_in_the_middle`); discrete Gaussian pairs (:mod:`oracle.accountant.integer_noise`);
- ``residues``: Laplace pairs, exact in powers of e (:mod:`oracle.accountant.laplace_residues`);
- ``conditioning``: two steps, or one step beside Laplace pairs (:mod:`oracle.accountant.conditioning`);
- ``contour``: everything else (:mod:`oracle.accountant.contour`), and
- ``loss grid`` where that has too few digits (:mod:`oracle.accountant.loss_grid`).

An enclosure that has not the digits asked for says how many it has.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from flint import arb
from gmpy2 import mpq, mpz

from oracle.accountant import contour
from oracle.accountant.atomic_parts import FiniteChannel
from oracle.accountant.integer_noise import IntegerNoise
from oracle.accountant.laplace_residues import LaplaceComposition
from oracle.accountant.least_epsilon import least_epsilon
from oracle.accountant.loss_cells import CellSource
from oracle.accountant.loss_grid import GridComposition, compose_cells
from oracle.accountant.meet_in_the_middle import ExactComposition
from oracle.accountant.parts import Composition as Parts
from oracle.accountant.parts import compose
from oracle.accountant.planning import Cumulants, epsilon_hint
from oracle.accountant.profiles import profile
from oracle.channels.channel import Channel
from oracle.channels.divergences import Direction
from oracle.enclosures import (
    DEFAULT_DIGITS,
    Ball,
    Comparison,
    Enclosure,
    compare,
    enclose,
    precision,
    rational_ball,
    rational_bounds,
)
from oracle.errors import LimitError, UndecidedError
from oracle.exact import INFINITY, Infinity, parse_number, to_decimal, to_text
from oracle.experiments.base import level_logarithm
from oracle.experiments.roots import decreasing_root
from oracle.formal import FormalSum
from oracle.levels import Level

__all__ = [
    "Conditioning",
    "Contour",
    "ExactChannels",
    "Found",
    "IntegerLattice",
    "LossGrid",
    "Method",
    "Residues",
    "narrower",
]

_MOST_BALL_DIGITS: Final = 120
_MOST_CONDITIONING_BITS: Final = 1 << 13
_GRID_CELLS: Final = (1 << 13, 1 << 16)
_GRID_TAIL_BITS: Final = 64
_MOST_TAIL_BITS: Final = 1 << 11
_COMPARISON_DIGITS: Final = (12, 30, 60)
_GUARD: Final = 4
_MOST_EPSILON: Final = mpq(1 << 24)
_NEWTON_STEPS: Final = 200
_BISECTIONS: Final = 200
_HINT_BITS: Final = 64
_MOST_HINT: Final = 600.0


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


class ExactChannels(Method):
    """Rational channels, exactly.

    Raises:
        LimitError: for halves of too many atoms, where the composed channel is no better.
    """

    __slots__ = ("composition", "parts", "side")

    def __init__(self, channels: Sequence[tuple[Channel, int]], side: Direction) -> None:
        self.composition, self.side = ExactComposition(channels), side
        self.parts = compose(
            (FiniteChannel.of(channel if side == "forward" else channel.swapped()), times)
            for channel, times in channels
        )

    @property
    def name(self) -> str:
        """The method."""
        return "meet in the middle" if self.composition.method == "meet in the middle" else "lattice polynomial"

    def _exact(self, level: Level) -> FormalSum:
        return self.composition.hockey_stick(level, self.side)

    def value(self, level: Level, digits: int) -> Found:
        """Exact at a rational level."""
        return Found(_of_sum(self._exact(level), digits), self.name, {})

    def compare(self, level: Level, bound: mpq) -> Comparison:
        """Exact."""
        return Comparison((self._exact(level) - FormalSum.rational(bound)).sign(), 0)

    def ball(self, epsilon: Ball) -> Ball:
        """From the two ends of the ball, between which D falls."""

        def ball(bits: int) -> arb:
            with precision(bits):
                low, high = rational_bounds(epsilon(bits))
                least = self._exact(Level.of_exponent(high)).ball(bits)
                return least if low == high else least.union(self._exact(Level.of_exponent(low)).ball(bits))

        return ball

    def epsilon_at(self, delta: mpq, digits: int) -> Level:  # noqa: ARG002 - exact
        """The level at which D = delta, by Newton's method on levels, which ends.

        D_a is convex, falls, and is P(S) - a Q(S) between neighbouring ratios. A step from a goes to the zero
        (P(S) - delta)/Q(S) of that line less delta, which lies on or left of the zero of D - delta, and once there the
        steps grow, strictly, until that is reached: at a line that is D's own at its zero. The start is a guess.
        """
        level = self._guess(delta)
        for _ in range(_NEWTON_STEPS):
            p, q = self.composition.masses(Level.rational(level), self.side)
            # To the right of all finite ratios Q(S) = 0; before that delta is met.
            following = max((p - delta) / q, mpq(1)) if q else (level + 1) / 2
            if following == level:
                return Level.rational(level)
            level = following
        raise UndecidedError("the least level of a composition", 0)

    def _guess(self, delta: mpq) -> mpq:
        """About the level sought, at least 1."""
        infinite = self.composition.masses(Level.infinite(), self.side)[0]
        with precision(_HINT_BITS):
            hint, _ = epsilon_hint(Cumulants(self.parts), float(rational_ball(delta - infinite).log()))
            level = arb(min(max(hint, 0.0), _MOST_HINT)).exp()
            return max(mpq(int(level.mid().fmpq().p), int(level.mid().fmpq().q)), mpq(1))


def _of_sum(total: FormalSum, digits: int) -> mpq | Enclosure:
    exact = total.as_rational()
    return enclose(total.ball, digits).clamped() if exact is None else exact


class Residues(Method):
    """Laplace pairs.

    Raises:
        LimitError: for too many steps or combinations of scales.
    """

    __slots__ = ("composition",)

    def __init__(self, groups: Sequence[tuple[mpq, int]]) -> None:
        self.composition = LaplaceComposition(groups)

    def value(self, level: Level, digits: int) -> Found:
        """An exponential sum at a rational epsilon."""
        found = self.composition.delta_at(level)
        exact = isinstance(found, FormalSum)
        value = _of_sum(found, digits) if isinstance(found, FormalSum) else enclose(found, digits).clamped()
        return Found(value, "residues", {"steps": str(self.composition.steps), "exact": "yes" if exact else "no"})

    def compare(self, level: Level, bound: mpq) -> Comparison:
        """Exact at a rational epsilon."""
        found = self.composition.delta_at(level)
        if isinstance(found, FormalSum):
            return Comparison((found - FormalSum.rational(bound)).sign(), 0)
        return compare(found, bound)

    def ball(self, epsilon: Ball) -> Ball:
        """At any precision."""
        return self.composition.delta_ball(epsilon)


class IntegerLattice(Method):
    """Discrete Gaussian pairs on one lattice of losses.

    Raises:
        LimitError: for a lattice of too many points.
    """

    __slots__ = ("noise",)

    def __init__(self, groups: Sequence[tuple[mpq, int, int]]) -> None:
        self.noise = IntegerNoise(groups)

    def value(self, level: Level, digits: int) -> Found:
        """From sums over the lattice."""
        value = enclose(self.ball(level_logarithm(level)), digits).clamped()
        return Found(value, "lattice polynomial", {"spacing of the losses": to_text(self.noise.step)})

    def ball(self, epsilon: Ball) -> Ball:
        """At any precision."""
        return self.noise.hockey_stick_ball(epsilon)


class Conditioning(Method):
    """Two steps, or a step and a piecewise analytic profile, by one certified integral.

    Args:
        integral: the profile, of absolute accuracy about 2^-bits.
        rescue: what is asked where that is not had within the limits.
    """

    __slots__ = ("integral", "rescue")

    def __init__(self, integral: Callable[[Ball], Ball], rescue: Method) -> None:
        self.integral, self.rescue = integral, rescue

    def value(self, level: Level, digits: int) -> Found:
        """The integral at the precision that the digits need."""
        ball, bits = self.integral(level_logarithm(level)), 40 + digits * 10 // 3
        while bits <= _MOST_CONDITIONING_BITS:
            try:
                known = ball(bits)
            except UndecidedError:
                break
            if known.is_finite() and known > 0:
                value = enclose(lambda _, known=known: known, digits)  # type: ignore[misc]
                if value.reached is None:
                    return Found(value.clamped(), "conditioning", {"bits": str(bits)})
            bits *= 2
        return self.rescue.value(level, digits)

    def ball(self, epsilon: Ball) -> Ball:
        """At any precision within the limits."""
        return self.integral(epsilon)

    def epsilon_at(self, delta: mpq, digits: int) -> Level | Enclosure:
        """By balls; else by what comes next."""
        try:
            return super().epsilon_at(delta, digits)
        except UndecidedError:
            return self.rescue.epsilon_at(delta, digits)


class Contour(Method):
    """Any parts, by a line of the contour integral.

    Args:
        parts: in the direction meant.
        rescue: what is asked where too few digits are reached; None for nothing.
    """

    __slots__ = ("parts", "rescue")

    def __init__(self, parts: Parts, rescue: Method | None) -> None:
        self.parts, self.rescue = parts, rescue

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


class LossGrid(Method):
    """The split and the pooled pair of every step on a grid of losses, composed.

    Args:
        sources: the cells of the steps in the direction meant.
    """

    __slots__ = ("known", "sources")

    def __init__(self, sources: Sequence[tuple[CellSource, int]]) -> None:
        self.sources = sources
        self.known: dict[tuple[int, int], GridComposition] = {}

    def grid(self, cells: int, tail_bits: int) -> GridComposition:
        """The two pairs at so many cells."""
        key = cells, tail_bits
        if key not in self.known:
            bits = 2 * tail_bits
            self.known[key] = compose_cells(self.sources, cells=cells, bits=bits, tail_bits=tail_bits)
        return self.known[key]

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
        return Found(value, "loss grid", facts)

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
        low, high = mpq(0), mpq(1)
        while self._ends(high, _GRID_CELLS[0])[1] > delta:
            high *= 2
            if high > _MOST_EPSILON:
                raise UndecidedError("an epsilon at which delta is small enough", 2 * _MOST_TAIL_BITS)
        for cells in _GRID_CELLS:
            # Two falling steps: where the lower bound passes delta, and where the upper one does.
            left = _last(lambda eps, n=cells: self._ends(eps, n)[0] > delta, low, high, digits)[0]  # type: ignore[misc]
            right = _last(lambda eps, n=cells: self._ends(eps, n)[1] > delta, left, high, digits)[1]  # type: ignore[misc]
            low, high = left, right
            if with_digits(Enclosure(low, high), digits).reached is None:
                break
        return with_digits(Enclosure(low, high), digits)

    def _ends(self, eps: mpq, cells: int) -> tuple[mpq, mpq]:
        """Bounds of D at an epsilon, on one grid."""
        tail_bits = _GRID_TAIL_BITS
        while True:
            found = self.grid(cells, tail_bits).delta(Level.of_exponent(eps))
            needed = _needed_tail(found.hi, DEFAULT_DIGITS)
            if needed <= tail_bits:
                return found.lo, found.hi
            tail_bits = needed


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
    """Bits of a tail that is small beside a value of at most *high*."""
    small = 0 if not high else max(0, high.denominator.bit_length() - high.numerator.bit_length())
    return min(_MOST_TAIL_BITS, max(_GRID_TAIL_BITS, small + digits * 10 // 3 + 8) if small > 8 else _GRID_TAIL_BITS)


def with_digits(value: Enclosure, digits: int) -> Enclosure:
    """The same, its ends as decimals of a few more digits rounded outwards, with what was reached of the digits."""
    low = parse_number(to_decimal(value.lo, digits + _GUARD, "down"))
    high = parse_number(to_decimal(value.hi, digits + _GUARD, "up"))
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
