"""The privacy profile of a finite list of (epsilon, delta) guarantees: naive, refined pairwise, and all that follows.

For guarantees (a_i, delta_i), a_i = e^eps_i >= 1, of a symmetric relation:

* naive(a): the least delta_i with a_i <= a, 1 if there is none;
* refined(a): the least delta that a single one of them implies (theorem 2.1 of Liu et al. 2022);
* implied(a): the least delta that all of them together imply. The divergence a -> D_a is convex and non-increasing
  with D_0 = 1, and D_{1/a}(Q‖P) <= 1 - (1 - delta)/a for a guarantee (a, delta), so it lies below the lower convex hull
  of (0, 1), the points (a_i, delta_i), their mirror images (1/a_i, 1 - (1 - delta_i)/a_i), and a horizontal ray at the
  end. That is attained: it is the profile of the least upper bound of the worst-case channels C_{eps_i, delta_i},
  :func:`oracle.channels.guarantees.guarantee_channel`.

implied <= refined <= naive, all three may differ: (log 2, 1/4) and (log 5, 0) imply (log 3, 1/6), of which the
refinement, "all pairs inferred" in the paper, sees 1/4 only.

At an infinite a_i the worst case tells its inputs apart, whatever delta_i < 1 is: such a guarantee counts at a = inf.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cmp_to_key
from itertools import pairwise
from typing import TYPE_CHECKING

from gmpy2 import mpq

from oracle.channels.formal_rows import Quotient
from oracle.channels.guarantees import guarantee_channel
from oracle.channels.tradeoff import lower_hull
from oracle.enclosures import DEFAULT_DIGITS, Enclosure, parse_digits
from oracle.errors import InputError, shorten
from oracle.exact import to_text
from oracle.formal import FormalSum
from oracle.gaussian_dp.arguments import EpsilonLike, level_of
from oracle.gaussian_dp.channel_mu import least_mu
from oracle.gaussian_dp.guarantee_order import (
    Guarantee,
    GuaranteeLike,
    check_guarantee,
    compare_levels,
    implied_delta,
)

if TYPE_CHECKING:
    from oracle.channels.channel import Channel
    from oracle.channels.formal_channel import FormalChannel
    from oracle.exact import Extended
    from oracle.levels import Level

__all__ = ["GuaranteeList"]


class GuaranteeList:
    """Finitely many guarantees of one mechanism with a symmetric relation.

    Args:
        guarantees: at least one, each (epsilon, delta) or {"exp_epsilon" or "epsilon", "delta"}, where a bare number is
            epsilon itself (:func:`~oracle.gaussian_dp.guarantee_order.check_guarantee`). In the list kept, epsilon
            increases and delta decreases strictly: what another guarantee of the list implies naively is dropped.

    Raises:
        InputError: for none, an epsilon below 0 or a delta outside [0, 1].
    """

    def __init__(self, guarantees: Sequence[GuaranteeLike]) -> None:
        given = _read(guarantees, "guarantees")
        given.sort(key=cmp_to_key(_order))
        self.guarantees: list[Guarantee] = []
        for guarantee in given:
            if not self.guarantees or guarantee.delta < self.guarantees[-1].delta:
                self.guarantees.append(guarantee)

    @classmethod
    def of_profile(cls, values: Sequence[GuaranteeLike]) -> GuaranteeList:
        """The list whose deltas are stated to be the exact values of a privacy profile at these levels.

        Raises:
            InputError: also where that cannot be: a value that increases, or is more than what the others imply (the
                profile of a symmetric relation is convex in e^eps, with its mirror image).
        """
        result = cls(values)
        for i, (level, delta) in enumerate(_read(values, "values")):
            found = result.implied(level)
            if found != delta:
                shown = found.lo if isinstance(found, Enclosure) else found
                got = (
                    f"{shorten(to_text(delta))} at {level.describe()}, where the others imply {shorten(to_text(shown))}"
                )
                raise InputError("a delta that the other values allow", got, f"values[{i}].delta")
        return result

    def naive(self, epsilon: EpsilonLike) -> mpq:
        """The least delta_i with eps_i <= eps, 1 if there is none: exact at every level."""
        level = level_of(epsilon)
        found = [g.delta for g in self.guarantees if compare_levels(g.level, level) <= 0]
        return min(found, default=mpq(1))

    def refined(self, epsilon: EpsilonLike, digits: int = DEFAULT_DIGITS) -> mpq | Enclosure:
        """The least delta that one of the guarantees implies: exact where all candidates are, else an enclosure."""
        level = level_of(epsilon)
        values = [implied_delta(g, level, digits=digits) for g in self.guarantees]
        exact = [value for value in values if not isinstance(value, Enclosure)]
        others = [value for value in values if isinstance(value, Enclosure)]
        if not others:
            return min(exact)
        lo = min([*exact, *(value.lo for value in others)])
        hi = min([*exact, *(value.hi for value in others)])
        return lo if lo == hi else Enclosure(lo, hi)

    def implied(self, epsilon: EpsilonLike, digits: int = DEFAULT_DIGITS) -> mpq | Enclosure:
        """The least delta that they imply together: exact where it is known to be rational, else an enclosure."""
        level, digits = level_of(epsilon), parse_digits(digits)
        if level.is_infinite:
            return self.guarantees[-1].delta
        finite = [g for g in self.guarantees if not g.level.is_infinite]
        points = [(g.level.value, g.delta) for g in finite if isinstance(g.level.value, mpq)]
        if isinstance(level.value, mpq) and len(points) == len(finite):
            return _on_hull(points, level.value)
        return _lowest_chord(finite, level).value(digits)

    def channel(self) -> Channel | FormalChannel:
        """The least upper bound of the worst-case channels: its profile is :meth:`implied`."""
        return guarantee_channel([(g.level, g.delta) for g in self.guarantees])

    def tight_mu(self, digits: int = DEFAULT_DIGITS) -> Extended | Enclosure:
        """The least mu that the guarantees imply, from the corners of that channel; infinite without a delta of 0."""
        return least_mu(self.channel(), digits)


def _read(guarantees: Sequence[GuaranteeLike], where: str) -> list[Guarantee]:
    if isinstance(guarantees, (str, Mapping)) or not isinstance(guarantees, Sequence):
        raise InputError("a list of guarantees", shorten(guarantees), where)
    if not guarantees:
        raise InputError("at least one guarantee", "none", where)
    return [check_guarantee(item, f"{where}[{i}]") for i, item in enumerate(guarantees)]


def _order(left: Guarantee, right: Guarantee) -> int:
    return compare_levels(left.level, right.level) or (left.delta > right.delta) - (left.delta < right.delta)


def _on_hull(points: Sequence[tuple[mpq, mpq]], a: mpq) -> mpq:
    """The hull at a >= 1 for rational levels."""
    mirrored = [(1 / x, 1 - (1 - y) / x) for x, y in points]
    hull = lower_hull([(mpq(0), mpq(1)), *mirrored, *points])
    for (x0, y0), (x1, y1) in pairwise(hull):
        if x0 <= a <= x1:
            return y0 + (y1 - y0) * (a - x0) / (x1 - x0)
    return hull[-1][1]


def _lowest_chord(guarantees: Sequence[Guarantee], level: Level) -> Quotient:
    """The hull at a >= 1 for any levels: the lowest chord over a of two of the points, or a point at or before a."""
    one, a = FormalSum.rational(1), level.formal()
    points = [(FormalSum(), one)]
    for g in guarantees:
        x, inverse = g.level.formal(), g.level.formal().inverse()
        if inverse is None:
            raise InputError("a level of one term", g.level.describe(), "guarantees")
        points += [(x, FormalSum.rational(g.delta)), (inverse, one - inverse.scaled(1 - g.delta))]
    before = [point for point in points if (point[0] - a).sign() <= 0]
    after = [point for point in points if (point[0] - a).sign() > 0]
    lowest = Quotient(before[0][1], one)
    for x0, y0 in before:
        options = [Quotient(y0, one), *(Quotient(y0 * (x1 - a) + y1 * (a - x0), x1 - x0) for x1, y1 in after)]
        for option in options:
            if option.compare(lowest) < 0:
                lowest = option
    return lowest
