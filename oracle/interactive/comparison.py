"""A concurrent composition beside what bounds it: each sequential order, N_1 x ... x N_k, and the theorems.

At every level, in every direction,

    each sequential order  <=  concurrent  <=  N_1 x ... x N_k  <=  optimal composition  <=  basic composition,

where the last two know of each mechanism only that it is (log a_j, delta_j)-DP; delta_j is the least one for the
given a_j, both directions. Everything is exact. Sources: Vadhan and Zhang, STOC 2023, theorems 1.3 and 1.4;
:mod:`oracle.theorems.composition_bounds` for the bounds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from math import factorial
from typing import Final, Self

from gmpy2 import mpq

from oracle.channels.channel import Channel
from oracle.channels.composition import compose
from oracle.channels.divergences import Direction, hockey_stick
from oracle.channels.galois import tradeoff_of
from oracle.channels.tradeoff import TradeoffFunction
from oracle.enclosures import DEFAULT_DIGITS
from oracle.errors import InputError, LimitError
from oracle.exact import Extended
from oracle.interactive.adversaries import Strategy
from oracle.interactive.concurrent import concurrent_composition, sequential_composition
from oracle.interactive.tightness import Tightness, optimal_adversary, tight_channel
from oracle.interactive.tree import InteractiveMechanism
from oracle.theorems.composition_bounds import (
    AdvancedBound,
    Guarantee,
    advanced_composition,
    basic_composition,
    optimal_delta,
    vadhan_wang_bound,
)

__all__ = ["MAX_ORDERS", "Comparison", "ComparisonRow"]

MAX_ORDERS: Final = 24
"""Most sequential orders that are looked at unless they are named."""


@dataclass(frozen=True, slots=True)
class ComparisonRow:
    """The hockey sticks at one level.

    Attributes:
        level: a.
        concurrent: of the concurrent composition: the supremum over all adversaries.
        sequential: of each sequential order.
        product: of N_1 x ... x N_k, the bound of theorem 1.4.
        optimal: the optimal composition bound from (log a_j, delta_j), for both directions at once.
    """

    level: Extended
    concurrent: mpq
    sequential: tuple[mpq, ...]
    product: mpq
    optimal: mpq

    @property
    def interleaving_gains(self) -> bool:
        """Whether interleaving reveals more than every sequential order at this level."""
        return all(value < self.concurrent for value in self.sequential)

    @property
    def bound_attained(self) -> bool:
        """Whether the bound of theorem 1.4 is attained at this level."""
        return self.concurrent == self.product


@dataclass(frozen=True, slots=True)
class Comparison:
    """The tight channels of a concurrent composition and of what it is compared with.

    Attributes:
        mechanisms: the components.
        composition: their concurrent composition.
        parts: their tight channels N_j.
        concurrent: the tight channel of the concurrent composition.
        orders: the sequential orders, as indices from 0.
        sequential: the tight channel of each order.
        product: N_1 x ... x N_k, canonical.
    """

    mechanisms: tuple[InteractiveMechanism, ...]
    composition: InteractiveMechanism
    parts: tuple[Channel, ...]
    concurrent: Channel
    orders: tuple[tuple[int, ...], ...]
    sequential: tuple[Channel, ...]
    product: Channel

    @classmethod
    def of(cls, mechanisms: Sequence[InteractiveMechanism], orders: Sequence[Sequence[int]] | None = None) -> Self:
        """Compare; *orders* are all k! ones by default.

        Raises:
            LimitError: for more than ``MAX_ORDERS`` orders, or too large a composition.
        """
        if orders is None:
            if factorial(min(len(mechanisms), 10)) > MAX_ORDERS:
                got = f"the orders of {len(mechanisms)} mechanisms"
                raise LimitError(f"at most {MAX_ORDERS} sequential orders unless they are named", got, "orders")
            orders = list(permutations(range(len(mechanisms))))
        composition = concurrent_composition(mechanisms)
        parts = tuple(tight_channel(mechanism) for mechanism in mechanisms)
        trees = [sequential_composition(mechanisms, order) for order in orders]
        # Orders that exchange equal mechanisms give equal trees but for their labels.
        names = [mechanism.hash for mechanism in mechanisms]
        known: dict[tuple[str, ...], Channel] = {}
        for order, tree in zip(orders, trees, strict=True):
            key = tuple(names[j] for j in order)
            if key not in known:
                known[key] = tight_channel(tree)
        return cls(
            tuple(mechanisms),
            composition,
            parts,
            tight_channel(composition),
            tuple(map(tuple, orders)),
            tuple(known[tuple(names[j] for j in order)] for order in orders),
            compose([(part, 1) for part in parts]),
        )

    @property
    def curve(self) -> TradeoffFunction:
        """The tight trade-off function of the concurrent composition, forward."""
        return tradeoff_of(self.concurrent)

    def adversary(self, level: Extended, direction: Direction = "forward") -> tuple[Strategy, mpq, mpq]:
        """An interleaving and event that attain the concurrent hockey stick in one direction, with P(S) and Q(S)."""
        return optimal_adversary(Tightness(self.composition), level, direction)

    def guarantees(self, exp_epsilons: Sequence[mpq]) -> list[Guarantee]:
        """For each component (a_j, the least delta_j at a_j in both directions).

        Raises:
            InputError: for another number of levels than of components, or a level below 1.
        """
        if len(exp_epsilons) != len(self.parts):
            raise InputError(
                f"{len(self.parts)} levels, one for each mechanism", f"{len(exp_epsilons)}", "exp_epsilons"
            )
        for j, a in enumerate(exp_epsilons):
            if a < 1:
                raise InputError("an exp_epsilon at least 1", f"{a}", f"exp_epsilons[{j}]")
        return [Guarantee(a, hockey_stick(n, a, "both")) for a, n in zip(exp_epsilons, self.parts, strict=True)]

    def rows(
        self, levels: Sequence[Extended], exp_epsilons: Sequence[mpq], direction: Direction = "both"
    ) -> list[ComparisonRow]:
        """The hockey sticks at each of the *levels*, with the optimal bound from the components' *exp_epsilons*."""
        known = self.guarantees(exp_epsilons)
        return [
            ComparisonRow(
                level,
                hockey_stick(self.concurrent, level, direction),
                tuple(hockey_stick(channel, level, direction) for channel in self.sequential),
                hockey_stick(self.product, level, direction),
                optimal_delta(known, level),
            )
            for level in levels
        ]

    def basic(self, exp_epsilons: Sequence[mpq]) -> Guarantee:
        """The basic composition bound from the components' levels."""
        return basic_composition(self.guarantees(exp_epsilons))

    def vadhan_wang(self, exp_epsilons: Sequence[mpq]) -> Guarantee:
        """The bound of Vadhan and Wang from the largest level and delta, which every component satisfies."""
        return vadhan_wang_bound(*self._weakest(exp_epsilons), len(self.parts))

    def advanced(self, exp_epsilons: Sequence[mpq], slack: mpq, digits: int = DEFAULT_DIGITS) -> AdvancedBound:
        """The advanced composition bound from the largest level and delta, which every component satisfies."""
        return advanced_composition(*self._weakest(exp_epsilons), len(self.parts), slack, digits)

    def _weakest(self, exp_epsilons: Sequence[mpq]) -> Guarantee:
        known = self.guarantees(exp_epsilons)
        return Guarantee(max(part.exp_epsilon for part in known), max(part.delta for part in known))
