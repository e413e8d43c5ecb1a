"""The bound of a subsampling theorem as the profile of a mechanism: delta and epsilon, never more than upper bounds.

The base is given by one pair (P, Q) whose profile, the larger of both directions, bounds that of the mechanism under
the relation that the theorem needs. Group profiles are those of the pair at k times the sensitivity where the noise is
additive, and the black-box bound of the profile otherwise. With a = 1 + (a' - 1)/eta,

    B(a') = Σ_k w_k delta_{M,k}(a)  for a' >= 1,      B(a') = 1 - a' + a' B(1/a')  for a' < 1,

the latter since the relation is symmetric: D_a'(P‖Q) = 1 - a' + a' D_{1/a'}(Q‖P).

What is rational is answered exactly: at a rational level every term of a finite rational pair whose root a^(1/k)
is rational, and whatever the base pair knows; otherwise the bound itself is enclosed. It falls with a', so the
least epsilon at which it is at most delta is an upper bound of the mechanism's.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from flint import arb
from gmpy2 import mpq

from oracle.channels import profile as profiles
from oracle.channels.canonical import likelihood_order
from oracle.channels.channel import Channel
from oracle.channels.divergences import Direction
from oracle.channels.formal_channel import FormalChannel, formal_delta, formal_epsilon
from oracle.enclosures import (
    DEFAULT_DIGITS,
    Ball,
    Comparison,
    Enclosure,
    enclose,
    precision,
    rational_ball,
    rational_bounds,
)
from oracle.errors import Declined, LimitError
from oracle.exact import Extended, Infinity
from oracle.experiments.base import Check, Experiment, Value, level_logarithm
from oracle.experiments.roots import decreasing_root
from oracle.formal import FormalSum
from oracle.levels import Level
from oracle.theorems.groups import black_box_bound, exact_root
from oracle.theorems.subsampling import Amplification, base_level

if TYPE_CHECKING:
    from oracle.channels.renyi import Renyi
    from oracle.channels.tradeoff import TradeoffFunction

__all__ = ["MAX_GROUPS", "Pair", "ProfileBound"]

Pair = Channel | FormalChannel | Experiment

MAX_GROUPS: Final = 2_000
"""Most group sizes whose weight is taken into account one by one."""

_MOST_BITS: Final = 1 << 12
"""Precision at which a bound that may be exactly 0 is no longer narrowed."""

_NOTHING_OF_ONE: Final = "is a bound for both directions together; it states nothing of one alone"


class ProfileBound(Experiment):
    """What a theorem proves of a subsampled mechanism.

    Args:
        amplification: the theorem's eta and weights.
        pair: the base pair.
        noise: k -> the pair at k times the distance, where the noise is additive; None for the black-box bound.
        expression: the mechanism expression of the subsampled mechanism.
    """

    def __init__(
        self,
        amplification: Amplification,
        pair: Pair,
        noise: Callable[[int], Pair] | None,
        expression: dict[str, Any],
    ) -> None:
        if amplification.groups > MAX_GROUPS:
            raise LimitError(f"a bound of at most {MAX_GROUPS} group sizes", str(amplification.groups), "sample")
        self.amplification, self.pair, self.noise, self.expression = amplification, pair, noise, expression

    @property
    def symmetric(self) -> bool:
        """True: the relation is symmetric, and the bound is for both directions."""
        return True

    def to_json(self) -> dict[str, Any]:
        """The subsampled mechanism."""
        return self.expression

    @cached_property
    def _groups(self) -> list[tuple[int, mpq]]:
        """The group sizes of positive weight; at a = inf for weights that depend on a."""
        return [(k, w) for k, w in enumerate(self.amplification.weights(mpq(2)), 1) if w]

    def _at(self, k: int) -> Pair:
        return self.pair if k == 1 or self.noise is None else self.noise(k)

    def _delta(self, k: int, epsilon: Ball) -> Ball:
        """The bound on delta_{M,k} at a level a >= 1 given by its logarithm."""
        if k == 1 or self.noise is not None:
            return _profile_ball(self._at(k), epsilon)

        def ball(bits: int) -> arb:
            with precision(bits):
                step = epsilon(bits) / k
                delta = _profile_ball(self.pair, lambda _: step)(bits)
                if delta.is_zero():
                    return delta
                factor = sum(((i * step).exp() for i in range(k)), arb(0))
                return (factor * delta).min(arb(1))

        return ball

    def _bound_ball(self, epsilon: Ball) -> Ball:
        """B at a level a' >= 1 given by its logarithm."""
        eta = self.amplification.eta

        def ball(bits: int) -> arb:
            with precision(bits):
                raised = epsilon(bits)
                inner = (raised.expm1() / rational_ball(eta)).log1p().max(arb(0))
                total = arb(0)
                for k, weight in self._groups:
                    share = rational_ball(weight)
                    if self.amplification.rule == "split":
                        b = (raised - inner).exp()
                        share = rational_ball(eta) * (1 - b if k == 1 else b)
                    total += share * self._delta(k, lambda _: inner)(bits)
                return total

        return ball

    def _exact_term(self, k: int, level: Extended) -> Value | None:
        """delta_{M,k} at a rational or infinite base level, where it is known; None where a root is irrational."""
        if k == 1 or self.noise is not None:
            return _delta(self._at(k), Level(level))
        if isinstance(level, Infinity):
            limit = _delta(self.pair, Level.infinite())
            return mpq(0) if limit == 0 else mpq(1)
        root = exact_root(level, k)
        if root is None:
            return None
        delta = _delta(self.pair, Level.rational(root))
        return black_box_bound(k, root, delta) if isinstance(delta, mpq) else None

    def _exact_bound(self, level: Extended) -> mpq | None:
        """B at a rational or infinite a' >= 1 where every term is rational."""
        inner = base_level(self.amplification.eta, level)
        total = mpq(0)
        for k, weight in enumerate(self.amplification.weights(inner), 1):
            term = self._exact_term(k, inner) if weight else mpq(0)
            if not isinstance(term, mpq):
                return None
            total += weight * term
        return total

    def bound(self, level: Level, digits: int = DEFAULT_DIGITS) -> Value:
        """B(a'): a rational, or an enclosure of it, never above 1."""
        if not self.amplification.eta:
            # Nothing of the differing record is ever sampled.
            return max(mpq(0), 1 - level.value) if isinstance(level.value, mpq) else _tail(level, digits)
        if level.compare(1) >= 0:
            value = level.value
            exact = None if value is None else self._exact_bound(value)
            if exact is not None:
                return exact
            return _enclosed(self._bound_ball(level_logarithm(level)), digits)
        if level.value == 0:
            return mpq(1)
        if isinstance(level.value, mpq):
            exact = self._exact_bound(1 / level.value)
            if exact is not None:
                return 1 - level.value + level.value * exact
        logarithm = level_logarithm(level)
        above = self._bound_ball(lambda bits: -logarithm(bits))

        def ball(bits: int) -> arb:
            with precision(bits):
                eps = logarithm(bits)
                return -eps.expm1() + eps.exp() * above(bits)

        return _enclosed(ball, digits)

    def hockey_stick(self, level: Level, direction: Direction = "forward", digits: int = DEFAULT_DIGITS) -> Value:
        """The bound on delta, for both directions together.

        Raises:
            Declined: for one direction.
        """
        self._require_both(direction)
        return self.bound(level, digits)

    def least_epsilon(
        self, delta: mpq, direction: Direction = "both", digits: int = DEFAULT_DIGITS
    ) -> Level | Enclosure:
        """The least epsilon >= 0 at which the bound is at most delta.

        Raises:
            Declined: for one direction.
        """
        self._require_both(direction)
        eta = self.amplification.eta
        at_zero = mpq(0) if not eta else self.bound(Level.rational(1))
        if (at_zero.hi if isinstance(at_zero, Enclosure) else at_zero) <= delta:
            return Level.rational(1)
        limit = self._exact_bound(Level.infinite().value)  # type: ignore[arg-type]
        if limit is not None and limit > delta:
            return Level.infinite()
        if len(self._groups) == 1 and self._groups[0][0] == 1 and self.amplification.rule != "split":
            return self._through_base(delta / self._groups[0][1], digits)
        if not delta or limit == delta:
            return self._vanishing(digits)
        bound = self._bound_ball

        def ratio(epsilon: arb) -> Ball:
            total = bound(lambda _: epsilon)
            return lambda bits: total(bits) / rational_ball(delta)

        return decreasing_root(ratio, digits)

    def _through_base(self, delta: mpq, digits: int) -> Level | Enclosure:
        """1 + eta (a - 1) for the least level a of the base at delta: one group size, so that B falls with it."""
        return _raised(_least(self.pair, delta, digits + 4), self.amplification.eta, digits)

    def _vanishing(self, digits: int) -> Level | Enclosure:
        """Where the bound reaches its limit: where the group profile of the largest size does."""
        k = self._groups[-1][0]
        least = _least(self._at(k), mpq(0), digits + 4)
        if self.noise is None and k > 1:
            least = _power(least, k, digits + 4)
        return _raised(least, self.amplification.eta, digits)

    def checks(self, level: Level, delta: mpq, direction: Direction = "both") -> list[Check]:
        """One comparison that proves the claim; a bound refutes nothing.

        Raises:
            Declined: where the bound is above delta, or not proved to be at most delta, and for one direction.
        """
        self._require_both(direction)
        value = self.bound(level)
        top = value.hi if isinstance(value, Enclosure) else value
        if top > delta:
            name = self.amplification.theorem
            raise Declined(f"the bound of {name} exceeds delta at this epsilon; it proves and refutes nothing")
        sign = 0 if value == delta else -1
        return [Check("both", level, delta, Comparison(sign, 0))]

    def curve_checks(self, curve: TradeoffFunction, direction: Direction = "both") -> list[Check]:  # noqa: ARG002
        """Declined."""
        raise Declined(f"the bound of {self.amplification.theorem} is about delta and epsilon; no trade-off claims")

    def beta(self, alpha: mpq, direction: Direction = "forward", digits: int = DEFAULT_DIGITS) -> Value:  # noqa: ARG002
        """Declined."""
        raise Declined(f"the bound of {self.amplification.theorem} is about delta and epsilon; no trade-off function")

    def renyi(
        self,
        order: Extended,  # noqa: ARG002
        direction: Direction = "forward",  # noqa: ARG002
        digits: int = DEFAULT_DIGITS,  # noqa: ARG002
    ) -> Renyi:
        """Declined."""
        raise Declined(f"the bound of {self.amplification.theorem} is about delta and epsilon; no Rényi divergence")

    def _require_both(self, direction: Direction) -> None:
        if direction != "both":
            raise Declined(f"{self.amplification.theorem} {_NOTHING_OF_ONE}")

    def hockey_stick_ball(self, epsilon: Ball, side: Direction) -> Ball:  # noqa: ARG002
        """Declined: a bound is no base of another theorem here."""
        raise Declined("subsampling of a bound is not offered")

    def singular_mass(self, side: Direction) -> mpq:  # noqa: ARG002
        """Declined."""
        raise Declined("subsampling of a bound is not offered")

    def largest_loss(self, side: Direction, digits: int = DEFAULT_DIGITS) -> Level | Enclosure:  # noqa: ARG002
        """Declined."""
        raise Declined("subsampling of a bound is not offered")

    def beta_ball(self, alpha: mpq, side: Direction) -> Ball:  # noqa: ARG002
        """Declined."""
        raise Declined("subsampling of a bound is not offered")

    def renyi_one_sided(self, order: Extended, side: Direction, digits: int) -> Renyi:  # noqa: ARG002
        """Declined."""
        raise Declined("subsampling of a bound is not offered")


def _delta(pair: Pair, level: Level, digits: int = DEFAULT_DIGITS) -> Value:
    if isinstance(pair, Channel):
        return profiles.delta_at(pair, level, "both", digits)
    if isinstance(pair, FormalChannel):
        return formal_delta(pair, level, "both", digits)
    return pair.hockey_stick(level, "both", digits)


def _least(pair: Pair, delta: mpq, digits: int) -> Level | Enclosure:
    """The least level a >= 1 of the pair at min(delta, 1)."""
    bounded = min(delta, mpq(1))
    if isinstance(pair, Channel):
        return Level(profiles.least_level(pair, bounded, "both"))
    if isinstance(pair, FormalChannel):
        return formal_epsilon(pair, bounded, "both", digits)
    return pair.least_epsilon(bounded, "both", digits)


def _profile_ball(pair: Pair, epsilon: Ball) -> Ball:
    """The larger of both directions at a level given by its logarithm; exactly 0 where every gain is negative."""
    if isinstance(pair, Experiment):
        if pair.symmetric:
            return pair.hockey_stick_ball(epsilon, "forward")
        both = [pair.hockey_stick_ball(epsilon, side) for side in _SIDES]
        return lambda bits: both[0](bits).max(both[1](bits))
    columns = _columns(pair)

    def ball(bits: int) -> arb:
        with precision(bits):
            a = epsilon(bits).exp()
            forward = backward = arb(0)
            for first, second in columns:
                p, q = first(bits), second(bits)
                forward += (p - a * q).max(arb(0))
                backward += (q - a * p).max(arb(0))
            return forward.max(backward)

    return ball


_SIDES: Final[tuple[Direction, Direction]] = ("forward", "backward")


def _columns(pair: Channel | FormalChannel) -> list[tuple[Ball, Ball]]:
    """The probabilities of the groups of equal likelihood ratio."""
    if isinstance(pair, Channel):
        order = likelihood_order(pair)
        return [
            (_constant(mpq(p, order.scale)), _constant(mpq(q, order.scale)))
            for p, q in zip(order.p, order.q, strict=True)
        ]
    total_p, total_q = pair.totals
    return [(_quotient(g.p, total_p), _quotient(g.q, total_q)) for g in pair.groups()]


def _quotient(weight: FormalSum, total: FormalSum) -> Ball:
    return lambda bits: weight.ball(bits) / total.ball(bits)


def _constant(x: mpq) -> Ball:
    return lambda _: rational_ball(x)


def _enclosed(ball: Ball, digits: int) -> Value:
    """The value of a ball in [0, 1]; exactly 0 where the ball is, [0, hi] where it may be 0 at the precision limit."""
    bits = 40 + digits * 10 // 3
    while True:
        value = ball(bits)
        if value.is_zero():
            return mpq(0)
        if value > 0:
            found = enclose(ball, digits)
            return Enclosure(found.lo, min(found.hi, mpq(1)), found.reached)
        if bits >= _MOST_BITS:
            return Enclosure(mpq(0), min(rational_bounds(value)[1], mpq(1)), 0)
        bits *= 2


def _tail(level: Level, digits: int) -> Value:
    """max(0, 1 - a) for a transcendental or infinite level."""
    if level.is_infinite or level.compare(1) >= 0:
        return mpq(0)
    logarithm = level_logarithm(level)

    def ball(bits: int) -> arb:
        with precision(bits):
            return -logarithm(bits).expm1()

    return enclose(ball, digits)


def _raised(least: Level | Enclosure, eta: mpq, digits: int) -> Level | Enclosure:
    """The logarithm of 1 + eta (a - 1) for a least level a >= 1, as a level where it is one."""
    if isinstance(least, Level):
        if least.is_infinite or eta == 1:
            return least
        if isinstance(least.value, mpq):
            return Level.rational(1 + eta * (least.value - 1))
    return _mapped(least, lambda x: (rational_ball(eta) * x.expm1()).log1p(), digits)


def _power(least: Level | Enclosure, k: int, digits: int) -> Level | Enclosure:
    """The level a^k of a least level a >= 1."""
    if isinstance(least, Level):
        if least.exponent is not None:
            return Level.of_exponent(k * least.exponent)
        return Level.rational(least.value**k) if isinstance(least.value, mpq) else least
    return _mapped(least, lambda x: k * x, digits)


def _mapped(least: Level | Enclosure, function: Callable[[arb], arb], digits: int) -> Enclosure:
    """An increasing function of a least epsilon above 0, end by end."""
    value = least.epsilon() if isinstance(least, Level) else least
    ends = (value.lo, value.hi) if isinstance(value, Enclosure) else (value, value)

    def at(end: Extended) -> Enclosure:
        def ball(bits: int) -> arb:
            with precision(bits):
                return function(rational_ball(end))  # type: ignore[arg-type]

        return enclose(ball, digits + 2)

    found = [at(end) for end in ends]
    return Enclosure(found[0].lo, found[1].hi)
