"""Privacy profiles: non-increasing functions delta of epsilon >= 0 with values in [0, 1], known analytically.

A profile is evaluated on balls (an enclosure of its values on an interval of epsilon), at exact levels where the value
is rational, and it knows its derivatives and how it ends. It stands for a mechanism, with a symmetric neighbouring
relation, that has the guarantee (epsilon, delta(epsilon)) for every epsilon and nothing more. A profile that leaves out
what its own guarantees imply is not *closed*: then its transform's supremum is enough, and may be more than needed.

A profile read off a noise formula sigma = g(epsilon, delta) is *naive*: it leaves out what its own guarantees imply.
Refinement adds that (theorem 2.1 of Liu et al. 2022): with a = e^epsilon,

    refined(eps) = 1 - (1 + a)·sup_{e >= eps} H(e),    H(e) = (1 - delta(e))/(1 + e^e).

If H increases up to eps* and decreases afterwards, this is 1 - C (1 + a) with C = H(eps*) on [0, eps*], and the naive
profile beyond: :class:`Refined`. For the two formulas that it is offered for this is all that follows (the paper's
refinement looks at pairs only, see :mod:`oracle.gaussian_dp.guarantee_lists`): the full closure is the convex hull in a
of the profile and of its mirror image 1 - a + a·delta(1/a) below a = 1. The line 1 - C (1 + a) is its own mirror image,
lies below the naive profile and touches it at a* = e^eps*, so it is the hull on [1/a*, a*]; and the naive profile is
convex in a from a* on: there g'' >= 0 holds at a* (it touches a line from above), and the sign of g'' changes once
only, from - to + (the formulas' own texts prove that), so nothing beyond a* is cut off either.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import flint
from flint import arb
from gmpy2 import mpq

from oracle.enclosures import DEFAULT_DIGITS, Ball, Enclosure, enclose, parse_digits, precision, rational_bounds
from oracle.errors import UndecidedError
from oracle.experiments.base import level_logarithm
from oracle.gaussian_dp.arguments import EpsilonLike, level_of
from oracle.gaussian_dp.isolation import sign_change

if TYPE_CHECKING:
    from oracle.gaussian_dp.tails import Tail
    from oracle.levels import Level

__all__ = ["Head", "NoiseFormula", "Profile", "Refined", "monotone_range"]

_MARGIN = 16
_CONVEX_BITS = 128
_MOST_DOUBLINGS = 200


def monotone_range(value: Callable[[arb], arb], x: arb) -> arb:
    """The values on a ball of a monotone function that is given at exact points."""
    return value(x) if x.is_exact() else value(x.lower()).union(value(x.upper()))


class Profile(ABC):
    """A non-increasing delta: [0, inf) -> [0, 1]."""

    @abstractmethod
    def point(self, epsilon: arb) -> arb:
        """The value at an exact point epsilon >= 0, at the working precision that is set."""

    @abstractmethod
    def derivatives(self, epsilon: arb) -> tuple[arb, arb]:
        """Enclosures of delta' and delta'' on a ball of epsilon; where delta' jumps, of the values on both sides."""

    @property
    @abstractmethod
    def tail(self) -> Tail:
        """How the profile ends."""

    @abstractmethod
    def to_json(self) -> dict[str, Any]:
        """The profile as JSON."""

    def at(self, epsilon: arb) -> arb:
        """The values on a ball, those below 0 left out, at the working precision that is set."""
        if not epsilon.is_finite():
            return arb.nan()
        low = epsilon.lower().max(arb(0))
        high = epsilon.upper().max(arb(0))
        first = self.point(low)
        return first if epsilon.is_exact() else first.union(self.point(high))

    def ball(self, epsilon: Ball) -> Ball:
        """The value at a real epsilon >= 0 that is given by a ball."""

        def value(bits: int) -> arb:
            with precision(bits + _MARGIN):
                return self.at(epsilon(bits + _MARGIN))

        return value

    def exact(self, level: Level) -> mpq | None:
        """The value at e^epsilon = *level* where it is known to be rational, else None."""
        return mpq(0) if level.is_infinite and self.tail.vanishes else None

    def delta(self, epsilon: EpsilonLike, digits: int = DEFAULT_DIGITS) -> mpq | Enclosure:
        """The value at an epsilon >= 0: exact where it is known to be rational, else an enclosure.

        Raises:
            InputError: for an epsilon below 0.
        """
        level, digits = level_of(epsilon), parse_digits(digits)
        exact = self.exact(level)
        return enclose(self.ball(level_logarithm(level)), digits).clamped() if exact is None else exact

    def derivatives_between(self, low: arb, high: arb) -> tuple[arb, arb]:
        """Enclosures of delta' and delta'' inside the interval from one exact point to another."""
        return self.derivatives(low.union(high))

    def half_overlap(self) -> arb:
        """(1 - delta(0))/2 at the working precision: the number Phi(-G(0)/2), where it is small with its own digits."""
        return (1 - self.point(arb(0))) / 2

    @property
    def head(self) -> Head | None:
        """The head of the form 1 - C (1 + e^eps), if the profile has one."""
        return None

    @property
    def closed(self) -> bool:
        """Whether the profile is all that its guarantees imply together, so that some mechanism has just that one."""
        return True


class Head:
    """The part 1 - C (1 + e^eps) of a profile on [0, end].

    Attributes:
        end: the ball of eps*.
        constant: the ball of C.
    """

    __slots__ = ("constant", "end")

    def __init__(self, end: Ball, constant: Ball) -> None:
        self.end = end
        self.constant = constant


class NoiseFormula(Profile):
    """A naive profile min(1, formula) with one turning point of H(e) = (1 - delta(e))/(1 + e^e), from up to down."""

    def exact(self, level: Level) -> mpq | None:
        """1 where the formula is proved to be at least that, and as for every profile."""
        if level.compare(1) >= 0 and not level.is_infinite:
            with precision(_CONVEX_BITS):
                value = self.at(level_logarithm(level)(_CONVEX_BITS))
            if value >= 1:
                return mpq(1)
        return super().exact(level)

    @abstractmethod
    def start(self) -> arb:
        """An enclosure of the largest epsilon where the profile is 1, from which the formula counts."""

    @abstractmethod
    def convex_from(self, epsilon: arb) -> bool:
        """Whether the formula is proved to be a convex function of e^eps from *epsilon* on, eps* or later."""

    @property
    def closed(self) -> bool:
        """False: see the module's text."""
        return False

    @abstractmethod
    def turning(self, epsilon: arb) -> arb:
        """A function with the sign of -H' from :meth:`start` on: first negative, then positive, with one zero."""

    def refined(self) -> Refined:
        """The profile with everything that its guarantees imply."""
        return Refined(self)


class Refined(Profile):
    """A noise formula with what its guarantees imply: 1 - C (1 + e^eps) up to eps*, the formula beyond.

    Args:
        naive: the formula.
    """

    def __init__(self, naive: NoiseFormula) -> None:
        self.naive = naive
        self._turning: dict[int, tuple[arb, arb]] = {}

    def _head_at(self, bits: int) -> tuple[arb, arb]:
        """Balls of eps* and of C."""
        if bits not in self._turning:
            with precision(bits + _MARGIN):
                low = self.naive.start().upper()
                high = low + 1
                for _ in range(_MOST_DOUBLINGS):
                    if self.naive.turning(high) > 0:
                        break
                    high = 2 * high
                # The sign is -, or the value 0 with a negative slope, at the start itself: step away from it.
                first = low
                step = (high - low) / 2
                while not self.naive.turning(first) < 0 and step > arb(2) ** -bits:
                    first, step = (low + step).mid(), step / 2
                end = sign_change(self.naive.turning, first, high, bits + _MARGIN)
                if end is None:
                    raise UndecidedError("where the refined head of a profile ends", bits)
                self._turning[bits] = (end, (1 - self.naive.at(end)) / (1 + end.exp()))
        return self._turning[bits]

    @property
    def head(self) -> Head:
        """Balls of eps* and C; the balls at *bits* have a relative radius of about 2^-bits."""
        return Head(lambda bits: self._head_at(bits)[0], lambda bits: self._head_at(bits)[1])

    def point(self, epsilon: arb) -> arb:
        """Either formula; on the ball of eps* itself both."""
        end, constant = self._head_at(flint.ctx.prec)
        if epsilon > end:
            return self.naive.point(epsilon)
        value = 1 - constant * (1 + epsilon.exp())
        return value if epsilon < end else value.union(self.naive.point(epsilon))

    def half_overlap(self) -> arb:
        """C, as delta(0) = 1 - 2 C."""
        return self._head_at(flint.ctx.prec)[1]

    def derivatives(self, epsilon: arb) -> tuple[arb, arb]:
        """-C e^eps twice, or those of the formula; where both count, what encloses both."""
        end, constant = self._head_at(flint.ctx.prec)
        if epsilon > end:
            return self.naive.derivatives(epsilon)
        value = -constant * monotone_range(arb.exp, epsilon)
        if epsilon < end:
            return value, value
        first, second = self.naive.derivatives(epsilon.max(end.lower()) if not epsilon.is_exact() else epsilon)
        return value.union(first), value.union(second)

    @property
    def tail(self) -> Tail:
        """The formula's."""
        return self.naive.tail

    @property
    def closed(self) -> bool:
        """Whether the formula is convex in e^eps from eps* on."""
        with precision(_CONVEX_BITS):
            return self.naive.convex_from(self._head_at(_CONVEX_BITS)[0])

    def to_json(self) -> dict[str, Any]:
        """``{"formula": "refined", "of": the formula}``."""
        return {"formula": "refined", "of": self.naive.to_json()}

    def turning_bracket(self, digits: int) -> tuple[mpq, mpq]:
        """Rationals around eps*, about 10^-digits apart."""
        return rational_bounds(self._head_at(digits * 10 // 3 + _MARGIN)[0])
