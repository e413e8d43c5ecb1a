"""The composition of pairs of laws as one pair: every question of an experiment, answered by the accountant.

(P, Q) is the product of the pairs (P_i, Q_i), each taken k_i times: "forward" is that of every part, so the parts are
to be pairs over one neighbouring relation, in the same orientation (remove forward, add backward). A mechanism that is
chosen adaptively, of which every step is dominated by its pair, is dominated by the composition.

Losses of independent steps add (:mod:`oracle.accountant.composed_losses`), and Rényi divergences. delta comes from
:mod:`oracle.accountant.methods`, T from delta (:mod:`oracle.accountant.curve`).

The least mu is at most √(Σ k_i mu_i²). For Gaussian pairs and their Poisson subsampling it is that: a subsampled step
has P' >= q P, so D_a of the composition is at least r D_{a/r} of the composition G of the Gaussian pairs, r = Π q_i;
and if it were m-GDP with an m below mu(G), the limit log(a)²/(-2 log D_a) -> mu(G)² of the tail, which the factor r
does not change (:meth:`oracle.experiments.subsampled.PoissonSubsampled.least_mu`), would be at most m². In general a
lower end is that of those parts alone, or comes from a point of the profile.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any, Final

from flint import arb
from gmpy2 import mpq

from oracle.accountant.chernoff import bounds_at_once, epsilon_bounds
from oracle.accountant.choice import grid_for, method_for
from oracle.accountant.composed_losses import ComposedLosses
from oracle.accountant.composed_renyi import composed_mu_upper, composed_renyi, mu_lower_from_point
from oracle.accountant.constituents import Constituent, Pair, contour_part, pooled
from oracle.accountant.curve import beta_enclosure
from oracle.accountant.exact_methods import ExactChannels, Residues
from oracle.accountant.grid_method import LossGrid
from oracle.accountant.integral_methods import Conditioning
from oracle.accountant.methods import Found, Method, compare_digits, narrower, with_digits
from oracle.accountant.pair_facts import (
    as_ball,
    at_least,
    interval,
    is_symmetric,
    log_moment,
    part_mu,
    tail_mu,
)
from oracle.accountant.parts import Composition as Parts
from oracle.accountant.parts import compose
from oracle.channels.channel import Channel
from oracle.channels.divergences import Direction
from oracle.channels.renyi import Renyi
from oracle.enclosures import (
    DEFAULT_DIGITS,
    Ball,
    Comparison,
    Enclosure,
    precision,
    rational_ball,
    rational_bounds,
)
from oracle.errors import Declined, InputError, LimitError, UndecidedError
from oracle.exact import INFINITY, Extended, Infinity
from oracle.experiments.base import Check, Experiment, Value, larger
from oracle.experiments.gaussian import Gaussian
from oracle.levels import Level

__all__ = ["BOUND_DIGITS", "SAME", "Composition", "composed"]

_LOSS_BITS: Final = 128
BOUND_DIGITS: Final = 6
"""Digits of bounds that are known at once."""

_MU_POINTS: Final = (mpq(0), mpq(1), mpq(4), mpq(16))
_MU_DIGITS: Final = 12

SAME: Final = Channel.trusted(((mpq(1),), (mpq(1),)))
"""The pair of no step at all."""


def composed(constituents: Iterable[Constituent]) -> Pair:
    """The pair of a composition: one of its own where it is one step or a Gaussian pair, else a :class:`Composition`.

    Raises:
        InputError: for a number of times below 0.
        Declined: for a pair that is not offered in compositions.
    """
    found = pooled(constituents)
    if not found:
        return SAME
    return found[0].pair if len(found) == 1 and found[0].times == 1 else Composition(found)


class Composition(Experiment):
    """The composition of pairs of laws.

    Args:
        constituents: pooled, at least two steps in all.
    """

    # cached_property needs a dictionary.
    __slots__ = ("__dict__", "_found", "_grids", "_methods", "constituents", "losses")

    constituents: tuple[Constituent, ...]
    losses: ComposedLosses

    def __init__(self, constituents: Sequence[Constituent]) -> None:
        if not constituents:
            raise InputError("at least one step", "none")
        self.constituents = tuple(constituents)
        self._methods: dict[Direction, Method] = {}
        self._grids: dict[Direction, LossGrid | None] = {}
        self.losses = ComposedLosses(self.constituents)
        self._found: dict[tuple[Level, Direction, int], Found] = {}

    @property
    def finite(self) -> bool:
        """Whether it is a finite table, though one too large to hold."""
        return not any(isinstance(item.pair, Experiment) for item in self.constituents)

    @cached_property
    def symmetric(self) -> bool:
        """Whether every part is."""
        return all(is_symmetric(item.pair) for item in self.constituents)

    def to_json(self) -> dict[str, Any]:
        """``compose`` or ``repeat``."""
        parts = [item.to_json() for item in self.constituents]
        return parts[0] if len(parts) == 1 else {"mechanism": "compose", "of": parts}

    def method(self, side: Direction) -> Method:
        """The method of one direction."""
        if side not in self._methods:
            self._methods[side] = method_for(self.constituents, side)
        return self._methods[side]

    def grid(self, side: Direction) -> LossGrid | None:
        """The loss grid of one direction, where there is one; its tables are kept."""
        if side not in self._grids:
            self._grids[side] = grid_for(self.constituents, side)
        return self._grids[side]

    def singular_mass(self, side: Direction) -> mpq:
        """The number 1 - Π (1 - s_i)^(k_i).

        Raises:
            LimitError: where that is too long to write out.
        """
        return self.losses.mass(side)

    def largest_loss(self, side: Direction, digits: int = DEFAULT_DIGITS) -> Level | Enclosure:
        """The product of the largest ratios; an enclosure of its logarithm where that is no level."""
        return self.losses.largest(side, digits)

    def exact_hockey_stick(self, level: Level, side: Direction) -> mpq | None:
        """Beyond the losses of either direction, and wherever the method is exact."""
        if self.losses.is_beyond(level, side):
            return self.singular_mass(side) if self.losses.has_short_mass(side) else None
        other: Direction = "backward" if side == "forward" else "forward"
        value = level.value
        # D_a(P‖Q) = 1 - a + a D_{1/a}(Q‖P).
        far = isinstance(value, mpq) and value < 1 and self.losses.is_beyond(Level.rational(1 / value), other)
        if isinstance(value, mpq) and far and self.losses.has_short_mass(other):
            return 1 - value + value * self.singular_mass(other)
        if isinstance(self.method(side), ExactChannels):
            found = self.method(side).value(level, DEFAULT_DIGITS).value
            return None if isinstance(found, Enclosure) else found
        return None

    def _parts(self, side: Direction) -> Parts | None:
        """The parts of a contour integral, where all are known."""
        found = [(contour_part(item.pair, side), item.times) for item in self.constituents]
        known = [(part, times) for part, times in found if part is not None]
        return compose(known) if len(known) == len(found) else None

    def found(self, level: Level, side: Direction, digits: int = DEFAULT_DIGITS) -> Found:
        """D_a in one direction, with the method and the facts on which it rests."""
        key = level, side, digits
        if key not in self._found:
            self._found[key] = self._made(level, side, digits)
        return self._found[key]

    def _made(self, level: Level, side: Direction, digits: int) -> Found:
        exact, method = self._exact(level, side), self.method(side)
        if exact is None:
            return self._enclosed(level, side, digits)
        if isinstance(method, ExactChannels):
            return Found(exact, method.name, {})
        return Found(exact, "exact zero" if not exact else "closed form", {})

    def _enclosed(self, level: Level, side: Direction, digits: int) -> Found:
        """By the method, unless its errors are of 1 and the bounds known at once say as much or more."""
        method = self.method(side)
        if not isinstance(method, (LossGrid, Conditioning)):
            return method.value(level, digits)
        low, high = self._at_once(level, side)
        at_once = Found(with_digits(Enclosure(low, high), digits), "bounds", {})
        return at_once if at_once.reached else narrower(method.value(level, digits), at_once, digits)

    def all_found(self, levels: Sequence[Level], direction: Direction, digits: int = DEFAULT_DIGITS) -> list[Found]:
        """The values at several levels, the larger direction of each, from tables shared between them."""
        for side in self._sides(direction):
            missing = [a for a in dict.fromkeys(levels) if (a, side, digits) not in self._found]
            plain = [a for a in missing if self._exact(a, side) is None]
            for level, found in zip(plain, self.method(side).values(plain, digits), strict=True):
                self._found[level, side, digits] = found
        return [self.larger_found(level, direction, digits) for level in levels]

    def larger_found(self, level: Level, direction: Direction, digits: int = DEFAULT_DIGITS) -> Found:
        """The value in one direction or the larger of both, with the method that had it."""
        found = [self.found(level, side, digits) for side in self._sides(direction)]
        if len(found) == 1:
            return found[0]
        value = larger(found[0].value, found[1].value)
        leading = next((f for f in found if f.value is value), found[0])
        if isinstance(value, Enclosure) and value.reached is None:
            value = with_digits(value, digits)
        return Found(value, leading.method, leading.facts)

    def hockey_stick(self, level: Level, direction: Direction = "forward", digits: int = DEFAULT_DIGITS) -> Value:
        """D_a; see :meth:`oracle.experiments.base.Experiment.hockey_stick`."""
        return self.larger_found(level, direction, digits).value

    def bounds(self, level: Level, direction: Direction) -> Enclosure:
        """What is known of D_a at once: Chernoff's bound, total variation, 1 - a and one large loss."""
        ends = []
        for side in self._sides(direction):
            exact = self._exact(level, side)
            if exact is not None:
                ends.append((exact, exact))
                continue
            ends.append(self._at_once(level, side))
        low, high = (max(end[i] for end in ends) for i in (0, 1))
        return with_digits(Enclosure(low, high), BOUND_DIGITS)

    def _at_once(self, level: Level, side: Direction) -> tuple[mpq, mpq]:
        parts = self._parts(side)
        if parts is None:
            return mpq(0), mpq(1)
        try:
            return bounds_at_once(parts, level)
        except LimitError:
            return mpq(0), mpq(1)

    def hockey_stick_ball(self, epsilon: Ball, side: Direction) -> Ball:
        """D_a as balls, of as many digits as the method gives."""
        return self.method(side).ball(epsilon)

    def compare_hockey_stick(self, level: Level, bound: mpq, side: Direction) -> Comparison:
        """The sign of D_a - bound: exact where D_a is, else from enclosures of growing numbers of digits."""
        exact = self._exact(level, side)
        if exact is not None:
            return Comparison((exact > bound) - (exact < bound), 0)
        if bound <= 0 and self.losses.is_inside(level, side):
            return Comparison(1, 0)
        method = self.method(side)
        if isinstance(method, (ExactChannels, Residues)):
            return method.compare(level, bound)
        low, high = self._at_once(level, side)
        if high < bound or low > bound:
            return Comparison(1 if low > bound else -1, _LOSS_BITS)
        return compare_digits(lambda digits: self.found(level, side, digits), bound)

    def least_epsilon(
        self, delta: mpq, direction: Direction = "both", digits: int = DEFAULT_DIGITS
    ) -> Level | Enclosure:
        """As for every pair, with what was reached of the digits where the two directions overlap."""
        found = super().least_epsilon(delta, direction, digits)
        return with_digits(found, digits) if isinstance(found, Enclosure) else found

    def _least_epsilon(self, delta: mpq, side: Direction, digits: int) -> Level | Enclosure:
        """As for every pair; where that is not decided within the limits, between 0 and Chernoff's bound."""
        try:
            if self.losses.has_short_mass(side):
                if self.losses.has_singular(side) and self.singular_mass(side) == delta:
                    return self._at_the_mass(side)
                return super()._least_epsilon(delta, side, digits)
            return self._least_by_balls(delta, side, digits)
        except (LimitError, UndecidedError):
            least, most = self.epsilon_bounds(delta, side)
            if most is None:
                raise
            return with_digits(Enclosure(least, most), digits)

    def _at_the_mass(self, side: Direction) -> Level | Enclosure:
        """Where delta is the mass of infinite loss: the largest finite loss, at least 0."""
        loss, one = self.losses.largest_finite(side), Level.rational(1)
        if loss is None:
            return Level.infinite()
        if isinstance(loss, Level):
            return loss if at_least(loss, one) else one
        return one if loss.hi <= 0 else loss.clamped(0, loss.hi)

    def _least_by_balls(self, delta: mpq, side: Direction, digits: int) -> Level | Enclosure:
        """The same where the mass of infinite loss is too long a number to compare exactly."""
        with precision(_LOSS_BITS):
            left = rational_ball(delta) - self.losses.mass_ball(side)
        if left < 0:
            return Level.infinite()
        if not left > 0:
            raise UndecidedError("delta against the mass of infinite loss", _LOSS_BITS)
        one = Level.rational(1)
        if Check(side, one, delta, self.compare_hockey_stick(one, delta, side)).require():
            return one
        return self.epsilon_at(delta, side, digits)

    def epsilon_at(self, delta: mpq, side: Direction, digits: int) -> Level | Enclosure:
        """By the method's own search."""
        return self.method(side).epsilon_at(delta, digits)

    def epsilon_bounds(self, delta: mpq, side: Direction) -> tuple[mpq, mpq | None]:
        """What is known at once of the least epsilon >= 0 with D at most delta; None where no upper bound is known."""
        parts = self._parts(side)
        if parts is None:
            return mpq(0), None
        try:
            return epsilon_bounds(parts, delta)
        except LimitError:
            return mpq(0), None

    def beta(self, alpha: mpq, direction: Direction = "forward", digits: int = DEFAULT_DIGITS) -> Value:
        """T(P, Q)(alpha) from the profile of (Q, P) (backward: of (P, Q))."""
        if not 0 < alpha < 1:
            return super().beta(alpha, direction, digits)
        other: Direction = "backward" if direction == "forward" or self.symmetric else "forward"
        side = "forward" if self.symmetric else other
        return beta_enclosure(lambda levels, n: self.all_found(levels, side, n), alpha, digits)

    def beta_ball(self, alpha: mpq, side: Direction) -> Ball:
        """T as balls, of as many digits as the search gives."""

        def ball(bits: int) -> arb:
            digits = min(max(bits * 3 // 10, 3), DEFAULT_DIGITS)
            with precision(bits):
                return as_ball(self.beta(alpha, side, digits))

        return ball

    def renyi_one_sided(self, order: Extended, side: Direction, digits: int) -> Renyi:
        """Moments multiply, divergences add."""
        return composed_renyi([(item.pair, item.times) for item in self.constituents], order, side, digits)

    def log_moment_ball(self, order: mpq, side: Direction) -> Ball:
        """Σ k_i log of the moments of the parts.

        Raises:
            Declined: for an unbounded loss; the proof over all orders needs a largest one.
        """
        loss = self.largest_loss(side)
        if isinstance(loss, Level) and loss.is_infinite:
            raise Declined("claims of rho on a composition are offered where its parts are finite tables or laplace")
        balls = [(log_moment(item.pair, order, side), item.times) for item in self.constituents]

        def ball(bits: int) -> arb:
            with precision(bits):
                return sum((times * one(bits) for one, times in balls), arb(0))

        return ball

    def least_mu(self) -> Extended | Ball:
        """The least mu: exact or a ball for Gaussian pairs, subsampled or not, else an interval; see the module's text.

        Raises:
            Declined: where no mu of a part is known.
        """
        tail = sum((item.times * t for item in self.constituents if (t := tail_mu(item.pair))), mpq(0))
        if all(tail_mu(item.pair) for item in self.constituents):
            return Gaussian(tail).least_mu()
        parts = [(part_mu(item.pair), item.times) for item in self.constituents]
        if any(isinstance(mu, Infinity) for mu, _ in parts):
            return INFINITY
        high = composed_mu_upper([(mu, times) for mu, times in parts if not isinstance(mu, Infinity)])
        low = rational_bounds(rational_ball(tail).sqrt())[0] if tail else mpq(0)
        for eps in _MU_POINTS:
            level = Level.of_exponent(eps)
            delta = self.found(level, "forward", _MU_DIGITS).ends[0]
            point = mu_lower_from_point(level, delta) if 0 < delta < 1 else mpq(0)
            low = max(low, point.lo if isinstance(point, Enclosure) else point)
        top = high.hi if isinstance(high, Enclosure) else high
        return lambda bits: interval(min(low, top), top, bits)
