"""The law of one step's privacy loss, as the accountant sees it: its transform, its masses and its decay.

For a pair (P, Q) let L = log(p/q) with the outcome drawn from P. A *part* answers for the law of L (one direction; the
other is that of ``swapped()``):

- K(z) = E_P[e^(zL); L < inf] for real and complex z (below K is finite for every Re z > 0, which is asked of a part);
- P(L < inf), the finite mass, and Q(P > 0) = E_P[e^(-L); L < inf], which is K(-1), the mass of Q that P can see;
- a *cut-off*: a falling function phi with |K(c + i tau)| <= K(c)·phi(t) for all tau >= t;
- the largest finite loss, if there is one.

Everything that enters a bound is a ball. A *hint* is a binary float, used to choose where to compute and never
believed.

Losses of independent steps add, so K of a composition is the product of the K of its parts, its masses are products.
Composition is commutative: a composition is a bag of parts, equal parts pooled with their number.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from math import inf
from typing import TYPE_CHECKING

from flint import acb, arb

from oracle.errors import InputError, shorten

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from gmpy2 import mpq

__all__ = ["Composition", "CutOff", "NoCutOff", "Part", "compose", "swapped"]


class CutOff(ABC):
    """A falling bound of |K(c + i tau)|/K(c)."""

    @abstractmethod
    def bound(self, t: arb) -> arb:
        """A number phi(t) in [0, 1], as a ball, with |K(c + i tau)| <= K(c)·phi(t) for all tau >= t > 0."""

    @abstractmethod
    def hint(self, t: float) -> float:
        """About log phi(t), for planning only."""


class NoCutOff(CutOff):
    """phi = 1: all that is known of a law with atoms."""

    def bound(self, t: arb) -> arb:  # noqa: ARG002 - constant
        """1, as |E[e^(zL)]| <= E[|e^(zL)|]."""
        return arb(1)

    def hint(self, t: float) -> float:  # noqa: ARG002 - constant
        """0."""
        return 0.0


class Part(ABC):
    """One step's privacy loss in one direction. Parts are immutable, and equal where their laws are given alike."""

    __slots__ = ()

    @abstractmethod
    def finite_mass(self) -> arb:
        """P(L < inf), at the working precision."""

    @abstractmethod
    def seen_mass(self) -> arb:
        """Q(P > 0) = K(-1), at the working precision."""

    @abstractmethod
    def variation(self) -> arb:
        """The total variation of P and Q, at the working precision."""

    @abstractmethod
    def moment(self, c: arb) -> arb:
        """K(c) for a real c, at the working precision; 0, -1/2 and -1 are not asked for.

        Raises:
            LimitError: where it is out of reach.
        """

    @abstractmethod
    def table(self, c: mpq, step: mpq, count: int, bits: int) -> list[acb]:
        """Balls of K(c + i n·step) for n = 0, ..., count, at the working precision.

        Args:
            c: the abscissa, above 0.
            step: eta, above 0.
            count: the last n.
            bits: errors other than those of rounding are to be about 2^-bits K(c).

        Raises:
            LimitError: where it is out of reach.
        """

    @abstractmethod
    def cut_off(self, c: mpq) -> CutOff:
        """A cut-off at the abscissa c > 0."""

    @abstractmethod
    def largest_loss(self) -> arb | None:
        """The essential supremum of the finite losses at the working precision, or None if there is none."""

    @abstractmethod
    def hint(self, c: float) -> float:
        """About log K(c); inf where the part is not to be used at that abscissa."""

    def jump_hint(self, eps: float) -> float:  # noqa: ARG002 - for subclasses
        """About log delta of this one step at eps where its loss has a tail that the saddle may miss; else -inf."""
        return -inf

    def large_loss(self, loss: arb) -> tuple[arb, arb]:  # noqa: ARG002 - for subclasses
        """Masses under P and Q of one event of finite losses, about {L > loss}; 0 and 0 where none is at hand."""
        return arb(0), arb(0)

    def dominating(self) -> Part:
        """A part of a pair of which this one is post-processing, and whose transform is always within reach."""
        return self

    @abstractmethod
    def swapped(self) -> Part:
        """The part of (Q, P)."""

    def has_infinite_loss(self) -> bool:
        """Whether P(L = inf) > 0."""
        return False


Composition = tuple[tuple[Part, int], ...]
"""Distinct parts, each with the number of times it occurs (at least 1)."""


def compose(parts: Mapping[Part, int] | Iterable[tuple[Part, int]]) -> Composition:
    """The composition of parts, equal ones pooled, those that occur 0 times left out.

    Raises:
        InputError: for a number of times that is negative or not whole.
    """
    pooled: dict[Part, int] = {}
    for part, times in parts.items() if hasattr(parts, "items") else parts:
        if not isinstance(times, int) or isinstance(times, bool) or times < 0:
            raise InputError("a whole number of times, at least 0", shorten(times), "times")
        if times:
            pooled[part] = pooled.get(part, 0) + times
    return tuple(pooled.items())


def swapped(composition: Composition) -> Composition:
    """The composition with P and Q exchanged."""
    return compose((part.swapped(), times) for part, times in composition)
