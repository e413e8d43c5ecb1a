"""Methods that are exact, or exact to any precision: rational channels, Laplace pairs, discrete Gaussian pairs.

- ``lattice polynomial`` and ``meet in the middle``: rational channels (:mod:`oracle.accountant.meet_in_the_middle`);
  discrete Gaussian pairs (:mod:`oracle.accountant.integer_noise`);
- ``residues``: Laplace pairs, exact in powers of e (:mod:`oracle.accountant.laplace_residues`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from flint import arb
from gmpy2 import mpq

from oracle.accountant.atomic_parts import FiniteChannel
from oracle.accountant.integer_noise import IntegerNoise
from oracle.accountant.laplace_residues import LaplaceComposition
from oracle.accountant.meet_in_the_middle import ExactComposition
from oracle.accountant.methods import Found, Method
from oracle.accountant.parts import compose
from oracle.accountant.planning import Cumulants, epsilon_hint
from oracle.channels.channel import Channel
from oracle.channels.divergences import Direction
from oracle.enclosures import Ball, Comparison, Enclosure, compare, enclose, precision, rational_ball, rational_bounds
from oracle.errors import UndecidedError
from oracle.exact import to_text
from oracle.experiments.base import level_logarithm
from oracle.formal import FormalSum
from oracle.levels import Level

__all__ = ["ExactChannels", "IntegerLattice", "Residues"]

_NEWTON_STEPS: Final = 200
_HINT_BITS: Final = 64
_MOST_HINT: Final = 600.0


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

    @property
    def name(self) -> str:
        """The method."""
        return "residues"

    def value(self, level: Level, digits: int) -> Found:
        """An exponential sum at a rational epsilon."""
        found = self.composition.delta_at(level)
        exact = isinstance(found, FormalSum)
        value = _of_sum(found, digits) if isinstance(found, FormalSum) else enclose(found, digits).clamped()
        return Found(value, self.name, {"steps": str(self.composition.steps), "exact": "yes" if exact else "no"})

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

    @property
    def name(self) -> str:
        """The method."""
        return "lattice polynomial"

    def value(self, level: Level, digits: int) -> Found:
        """From sums over the lattice."""
        value = enclose(self.ball(level_logarithm(level)), digits).clamped()
        return Found(value, self.name, {"spacing of the losses": to_text(self.noise.step)})

    def ball(self, epsilon: Ball) -> Ball:
        """At any precision."""
        return self.noise.hockey_stick_ball(epsilon)
