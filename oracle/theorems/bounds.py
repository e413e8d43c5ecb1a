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

from oracle.channels.divergences import Direction
from oracle.enclosures import (
    DEFAULT_DIGITS,
    Ball,
    Comparison,
    Enclosure,
    precision,
    rational_ball,
)
from oracle.errors import Declined, LimitError, shorten
from oracle.exact import Extended, Infinity
from oracle.experiments.base import Check, Experiment, Value, level_logarithm
from oracle.experiments.roots import decreasing_root
from oracle.levels import Level
from oracle.theorems.groups import black_box_bound, exact_root
from oracle.theorems.pair_profiles import (
    Pair,
    enclosed_bound,
    no_leakage,
    pair_delta,
    pair_least,
    power_least,
    profile_ball,
    raised_least,
)
from oracle.theorems.subsampling import Amplification, base_level

if TYPE_CHECKING:
    from oracle.channels.renyi import Renyi
    from oracle.channels.tradeoff import TradeoffFunction

__all__ = ["MAX_GROUPS", "Pair", "ProfileBound"]

MAX_GROUPS: Final = 2_000
"""Most group sizes whose weight is taken into account one by one."""

_FIRST_BITS: Final = 128

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
            raise LimitError(f"a bound of at most {MAX_GROUPS} group sizes", shorten(amplification.groups), "sample")
        self.amplification, self.pair, self.noise, self.expression = amplification, pair, noise, expression
        self._known_shares: dict[int, list[tuple[int, arb, arb]]] = {}

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
            return profile_ball(self._at(k), epsilon)

        def ball(bits: int) -> arb:
            with precision(bits):
                step = epsilon(bits) / k
                delta = profile_ball(self.pair, lambda _: step)(bits)
                if delta.is_zero():
                    return delta
                if step > 0:
                    factor = epsilon(bits).expm1() / step.expm1()
                else:
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
                if self.amplification.rule == "split":
                    b = (raised - inner).exp()
                    shares = [(1, rational_ball(eta) * (1 - b), arb(1)), (2, rational_ball(eta) * b, arb(0))]
                else:
                    shares = self._shares(bits)
                total, least = arb(0), arb(2) ** -bits
                for k, share, rest in shares:
                    total += share * self._delta(k, lambda _: inner)(bits)
                    if rest < total * least:
                        # No profile exceeds 1, so the terms left over add something from 0 to their weights' sum.
                        return total + rest.union(arb(0))
                return total

        return ball

    def _shares(self, bits: int) -> list[tuple[int, arb, arb]]:
        """Each group size with its weight and the sum of the later weights, at a precision."""
        if bits not in self._known_shares:
            found, rest = [], arb(0)
            for k, weight in reversed(self._groups):
                share = rational_ball(weight)
                found.append((k, share, rest))
                rest = rest + share
            self._known_shares[bits] = found[::-1]
        return self._known_shares[bits]

    def _exact_term(self, k: int, level: Extended) -> Value | None:
        """delta_{M,k} at a rational or infinite base level, where it is known; None where a root is irrational."""
        if k == 1 or self.noise is not None:
            return pair_delta(self._at(k), Level(level))
        if isinstance(level, Infinity):
            limit = pair_delta(self.pair, Level.infinite())
            return mpq(0) if limit == 0 else mpq(1)
        root = exact_root(level, k)
        if root is None:
            # Irrational, but exactly 0 where no outcome gains, and 1 where the black-box bound says nothing.
            found = self._delta(k, level_logarithm(Level.rational(level)))(_FIRST_BITS)
            return mpq(0) if found.is_zero() else mpq(1) if found == 1 else None
        delta = pair_delta(self.pair, Level.rational(root))
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
            return max(mpq(0), 1 - level.value) if isinstance(level.value, mpq) else no_leakage(level, digits)
        if level.compare(1) >= 0:
            value = level.value
            exact = None if value is None else self._exact_bound(value)
            if exact is not None:
                return exact
            return enclosed_bound(self._bound_ball(level_logarithm(level)), digits)
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

        return enclosed_bound(ball, digits)

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
        return raised_least(pair_least(self.pair, delta, digits + 4), self.amplification.eta, digits)

    def _vanishing(self, digits: int) -> Level | Enclosure:
        """Where the bound reaches its limit: where the group profile of the largest size does."""
        k = self._groups[-1][0]
        least = pair_least(self._at(k), mpq(0), digits + 4)
        if self.noise is None and k > 1:
            least = power_least(least, k, digits + 4)
        return raised_least(least, self.amplification.eta, digits)

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
