"""The common questions of a pair of laws (P, Q) that is no finite table, answered exactly or enclosed.

An :class:`Experiment` supplies a few balls (its hockey stick at a level given by its logarithm, its trade-off
function at a rational alpha) and exact facts; this module turns them into values with proved digits, least
epsilons and three-valued comparisons. Conventions are those of channels: forward D_a(P‖Q) = ∫ max(0, p - a q),
backward D_a(Q‖P); T(P, Q)(alpha) is the least type II error among tests with P(reject) <= alpha.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

from gmpy2 import mpq

from oracle.channels.divergences import Direction, check_delta, sides
from oracle.channels.renyi import Renyi, check_order, is_moment_order, larger_renyi
from oracle.enclosures import DEFAULT_DIGITS, Ball, Comparison, Enclosure, compare, enclose, rational_ball
from oracle.errors import Declined, InputError, LimitError, UndecidedError, shorten
from oracle.exact import Extended, Infinity, to_text
from oracle.experiments.roots import decreasing_root
from oracle.levels import Level

if TYPE_CHECKING:
    from flint import arb

    from oracle.channels.tradeoff import TradeoffFunction

__all__ = [
    "MAX_PARAMETER_BITS",
    "Check",
    "Experiment",
    "Value",
    "enclose_probability",
    "level_logarithm",
    "moment_value",
    "require_short",
]

MAX_PARAMETER_BITS: Final = 1 << 13
"""Most bits of the numerator and of the denominator of a parameter where the work grows with them (2,466 digits)."""

Value = mpq | Enclosure
"""An exact rational, or a proved enclosure."""


def level_logarithm(level: Level) -> Ball:
    """The ball of epsilon = log a, for a level other than 0 and infinity."""
    exponent = level.exponent
    if exponent is not None:
        return lambda _: rational_ball(exponent)
    value = level.value
    if not isinstance(value, mpq) or not value:
        raise InputError("a finite level above 0", str(value))
    return lambda _: rational_ball(value).log()


@dataclass(frozen=True, slots=True)
class Check:
    """One comparison D_a <= bound in one direction, on which a verdict rests.

    Attributes:
        direction: forward for D_a(P‖Q), backward for D_a(Q‖P).
        level: a.
        bound: the rational that D_a is compared with.
        comparison: the sign of D_a - bound, proved, or None; ``bits`` is 0 where it was decided exactly.
    """

    direction: Direction
    level: Level
    bound: mpq
    comparison: Comparison

    @property
    def holds(self) -> bool | None:
        """Whether D_a <= bound; None if undecided."""
        return self.comparison.at_most

    def require(self) -> bool:
        """The answer, or an error where there is none.

        Raises:
            UndecidedError: with the bits reached.
        """
        holds = self.holds
        if holds is None:
            question = (
                f"the {self.direction} hockey stick at {self.level.describe()} against {shorten(to_text(self.bound))}"
            )
            raise UndecidedError(question, self.comparison.bits)
        return holds


class Experiment(ABC):
    """A pair of laws (P, Q) that is not a finite table.

    Subclasses give the balls and the exact facts below; the methods with a *direction* and *digits* are the
    questions. A value that is rational is answered exactly where the subclass knows it.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def symmetric(self) -> bool:
        """Whether (P, Q) and (Q, P) are the same pair up to a bijection of the outcomes."""

    @abstractmethod
    def to_json(self) -> dict[str, Any]:
        """A mechanism expression of this pair; the same for two experiments with the same parameters."""

    @abstractmethod
    def hockey_stick_ball(self, epsilon: Ball, side: Direction) -> Ball:
        """D_a at a = e^epsilon for an epsilon given by balls (transformed levels included), one direction.

        The ball that results contains D_a for every a in e^(the ball of epsilon).
        """

    @abstractmethod
    def singular_mass(self, side: Direction) -> mpq:
        """The mass of the first law (P forward, Q backward) where the second has none: the limit of D_a."""

    @abstractmethod
    def largest_loss(self, side: Direction, digits: int = DEFAULT_DIGITS) -> Level | Enclosure:
        """The essential supremum of p/q (q/p backward) as a level, or an enclosure of its logarithm."""

    @abstractmethod
    def beta_ball(self, alpha: mpq, side: Direction) -> Ball:
        """T(P, Q)(alpha) (backward: T(Q, P)) for 0 < alpha < 1."""

    @abstractmethod
    def renyi_one_sided(self, order: Extended, side: Direction, digits: int) -> Renyi:
        """Moment (whole orders from 2, if it can be written out) and divergence of an order above 0, one direction."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.to_json()})"

    def exact_hockey_stick(self, level: Level, side: Direction) -> mpq | None:  # noqa: ARG002 - for subclasses
        """D_a where it is known to be rational, at a level other than 0 and infinity; else None."""
        return None

    def least_mu(self) -> Extended | Ball:
        """The least mu for which the pair is mu-GDP, T(P, Q) >= G_mu; exact where it is rational or infinite.

        G_mu is its own inverse function, and T(Q, P) is the inverse of T(P, Q): one direction implies the other.

        Raises:
            Declined: where no proof over all alpha is known.
        """
        raise Declined(
            "mu is offered for finite tables, gaussian, gaussian_dp, laplace, discrete_laplace, geometric, groups of "
            "these, Poisson subsampled gaussian under add_remove, and compositions of all these (bounds, where a part "
            "is not gaussian); no proof over all epsilon is known here"
        )

    def compare_mu(self, mu: mpq) -> Comparison:
        """The sign of the least mu against a rational mu >= 0, proved, or None."""
        least = self.least_mu()
        if isinstance(least, Infinity):
            return Comparison(1, 0)
        return compare(least, mu)

    def least_rho(self) -> mpq | None:
        """The least rho for which the pair is rho-zCDP, where it is known exactly; else None."""
        return None

    def log_moment_ball(self, order: mpq, side: Direction) -> Ball:  # noqa: ARG002 - for subclasses
        """The ball of log ∫ p^a q^(1-a) = (a - 1)·D_a (backward: p and q exchanged) for an order a > 1.

        Raises:
            Declined: where only other orders are offered.
        """
        raise Declined(
            "claims of rho are offered for finite tables, gaussian, discrete_gaussian, laplace and "
            "gaussian_dp; Rényi divergences of every order are not offered here"
        )

    def compare_hockey_stick(self, level: Level, bound: mpq, side: Direction) -> Comparison:
        """The sign of D_a - bound: exact where D_a is, otherwise by balls of growing precision."""
        exact = self._exact(level, side)
        return compare(self._ball(level, side) if exact is None else exact, bound)

    def _sides(self, direction: Direction) -> tuple[Direction, ...]:
        return ("forward",) if self.symmetric else sides(direction)

    def _exact(self, level: Level, side: Direction) -> mpq | None:
        if level.is_infinite:
            return self.singular_mass(side)
        return mpq(1) if level.value == 0 else self.exact_hockey_stick(level, side)

    def _ball(self, level: Level, side: Direction) -> Ball:
        return self.hockey_stick_ball(level_logarithm(level), side)

    def hockey_stick(self, level: Level, direction: Direction = "forward", digits: int = DEFAULT_DIGITS) -> Value:
        """D_a: ∫ max(0, p - a q) (forward), ∫ max(0, q - a p) (backward) or the larger (both), a = *level*.

        At a = 0 it is 1, at a = inf the mass of the first law where the second has none.
        """
        values: list[Value] = []
        for side in self._sides(direction):
            exact = self._exact(level, side)
            values.append(enclose_probability(self._ball(level, side), digits) if exact is None else exact)
        return values[0] if len(values) == 1 else larger(values[0], values[1])

    def least_epsilon(
        self, delta: mpq, direction: Direction = "both", digits: int = DEFAULT_DIGITS
    ) -> Level | Enclosure:
        """The least epsilon >= 0 with D_{e^epsilon} <= delta: a level where it is exact, else an enclosure of epsilon.

        Raises:
            UndecidedError: if delta is closer to D_1 than the precision limit tells.
        """
        check_delta(delta)
        if delta == 1:  # no divergence is larger
            return Level.rational(1)
        found = [self._least_epsilon(delta, side, digits) for side in self._sides(direction)]
        return found[0] if len(found) == 1 else later(found[0], found[1], digits)

    def _least_epsilon(self, delta: mpq, side: Direction, digits: int) -> Level | Enclosure:
        singular = self.singular_mass(side)
        if singular > delta:
            return Level.infinite()
        if singular == delta:
            # An unbounded ratio: the laws differ, and no level will do.
            loss = self.largest_loss(side, digits)
            if isinstance(loss, Level) and loss.is_infinite:
                return loss
        one = Level.rational(1)
        if Check(side, one, delta, self.compare_hockey_stick(one, delta, side)).require():
            return one
        if singular == delta:
            return self.largest_loss(side, digits)
        return self.epsilon_at(delta, side, digits)

    def epsilon_at(self, delta: mpq, side: Direction, digits: int) -> Level | Enclosure:
        """The epsilon > 0 with D_{e^epsilon} = delta, where D_inf < delta < D_1."""

        def ratio(epsilon: arb) -> Ball:
            hockey_stick = self.hockey_stick_ball(lambda _: epsilon, side)
            return lambda bits: hockey_stick(bits) / rational_ball(delta)

        return decreasing_root(ratio, digits)

    def beta(self, alpha: mpq, direction: Direction = "forward", digits: int = DEFAULT_DIGITS) -> Value:
        """T(P, Q)(alpha), the least type II error of a test with P(reject) <= alpha; backward T(Q, P).

        Raises:
            InputError: for an alpha outside [0, 1].
        """
        if not 0 <= alpha <= 1:
            raise InputError("alpha between 0 and 1", shorten(to_text(alpha)), "alpha")
        if alpha == 1:
            return mpq(0)
        if alpha == 0:
            return 1 - self.singular_mass("backward" if direction == "forward" else "forward")
        return enclose_probability(self.beta_ball(alpha, direction), digits)

    def checks(self, level: Level, delta: mpq, direction: Direction = "both") -> list[Check]:
        """The comparisons on which (epsilon, delta)-DP rests, one for each direction that is meant."""
        check_delta(delta)
        return [Check(side, level, delta, self.compare_hockey_stick(level, delta, side)) for side in sides(direction)]

    def curve_checks(self, curve: TradeoffFunction, direction: Direction = "both") -> list[Check]:
        """The comparisons on which f <= T(P, Q) (backward: T(Q, P)) rests, one for each segment and direction.

        f is the largest of its lines beta = c - h·alpha, one for each segment. T(P, Q) lies above such a line exactly
        when the least of beta + h·alpha over all tests is at least c, and that least value is 1 - D_h(Q‖P).
        """
        found = []
        for side in sides(direction):
            other: Direction = "backward" if side == "forward" else "forward"
            for (a0, b0), (a1, b1) in pairwise(curve.corners):
                slope = (b0 - b1) / (a1 - a0)
                level, bound = Level.rational(slope), 1 - (b0 + slope * a0)
                found.append(Check(other, level, bound, self.compare_hockey_stick(level, bound, other)))
        return found

    def satisfies(self, level: Level, delta: mpq, direction: Direction = "both") -> bool:
        """Whether the pair is (epsilon, delta)-DP with e^epsilon = *level*; equality holds.

        Raises:
            UndecidedError: where the precision limit does not tell, with the bits reached.
        """
        return _all_hold(self.checks(level, delta, direction))

    def satisfies_curve(self, curve: TradeoffFunction, direction: Direction = "both") -> bool:
        """Whether f <= T(P, Q) (forward), f <= T(Q, P) (backward) or both; equality holds.

        Raises:
            UndecidedError: where the precision limit does not tell, with the bits reached.
        """
        return _all_hold(self.curve_checks(curve, direction))

    def renyi(self, order: Extended, direction: Direction = "forward", digits: int = DEFAULT_DIGITS) -> Renyi:
        """Rényi moment and divergence of an order above 0, ``INFINITY`` included; see :mod:`oracle.channels.renyi`."""
        check_order(order)
        return larger_renyi([self.renyi_one_sided(order, side, digits) for side in self._sides(direction)])


def require_short(value: mpq, where: str) -> None:
    """Refuse a parameter so long that sums over the integers at its scale are never done."""
    size = max(value.numerator.bit_length(), value.denominator.bit_length())
    if size > MAX_PARAMETER_BITS:
        expected = f"a numerator and a denominator of at most {MAX_PARAMETER_BITS} bits here"
        raise LimitError(expected, f"one of {size} bits", where)


def _all_hold(checks: list[Check]) -> bool:
    """False as soon as one is refuted, whatever else is undecided."""
    return not any(check.holds is False for check in checks) and all(check.require() for check in checks)


def enclose_probability(ball: Ball, digits: int) -> Enclosure:
    """Enclosure of a number that is known to lie between 0 and 1, its ends moved into that range."""
    found = enclose(ball, digits)
    if found.hi <= 1 and found.lo >= 0:
        return found
    return Enclosure(max(found.lo, mpq(0)), min(found.hi, mpq(1)), found.reached)


def moment_value(ball: Ball, order: mpq, digits: int) -> Enclosure | None:
    """Enclosure of a moment where it is asked for (whole orders from 2) and can be written out; else None."""
    if not is_moment_order(order):
        return None
    try:
        return enclose(ball, digits)
    except LimitError:
        return None


def larger(x: Value, y: Value) -> Value:
    """The larger of two values; an enclosure of it where theirs overlap."""
    (x_lo, x_hi), (y_lo, y_hi) = _ends(x), _ends(y)
    if x_lo >= y_hi:
        return x
    if y_lo >= x_hi:
        return y
    return Enclosure(max(x_lo, y_lo), max(x_hi, y_hi))


def _ends(value: Value) -> tuple[mpq, mpq]:
    return (value.lo, value.hi) if isinstance(value, Enclosure) else (value, value)


def later(x: Level | Enclosure, y: Level | Enclosure, digits: int) -> Level | Enclosure:
    """The larger of two epsilons."""
    values = [item.epsilon(digits) if isinstance(item, Level) else item for item in (x, y)]
    first, second = values
    if isinstance(first, Infinity):
        return x if first > 0 else y
    if isinstance(second, Infinity):
        return y if second > 0 else x
    largest = larger(first, second)
    return x if largest is first else y if largest is second else _as_enclosure(largest)


def _as_enclosure(value: Value) -> Enclosure:
    return value if isinstance(value, Enclosure) else Enclosure(value, value)
