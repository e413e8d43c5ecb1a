"""Likelihood order, canonical form and equivalence of two-row channels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import eq
from typing import Any, Final

from gmpy2 import mpq, mpz

from oracle.channels.channel import Channel, require_two_rows

__all__ = ["LikelihoodOrder", "canonical", "equivalent", "likelihood_order", "ratio_keys", "sorted_channel"]

_KEY_BITS: Final = 2**30
"""Bits that the sort keys of one channel may take."""


@dataclass(frozen=True, slots=True)
class LikelihoodOrder:
    """The columns of a two-row channel in order of increasing likelihood ratio q/p.

    Zero columns are left out and columns of equal ratio form one group. ``p[k] / scale`` and
    ``q[k] / scale`` are the masses of group k; ``columns[starts[k]:starts[k + 1]]`` are its
    columns in the channel. The ratio of (0, q) is infinite and comes last.
    """

    scale: mpz
    p: list[mpz]
    q: list[mpz]
    columns: list[int]
    starts: list[int]

    def group(self, k: int) -> list[int]:
        """Columns of the channel in group k."""
        return self.columns[self.starts[k] : self.starts[k + 1]]

    def ratio(self, k: int) -> mpq | None:
        """q/p of group k, or None for infinite."""
        return mpq(self.q[k], self.p[k]) if self.p[k] else None


def likelihood_order(channel: Channel) -> LikelihoodOrder:
    """Sort the columns by q/p and group equal ratios, in O(n log n).

    The ratios are compared by exact keys, so equal ratios are found by equality.
    """
    known = channel.derived.get("order")
    if known is None:
        known = channel.derived["order"] = _sorted_order(channel)
    order: LikelihoodOrder = known
    return order


def _sorted_order(channel: Channel) -> LikelihoodOrder:
    require_two_rows(channel)
    p, q = channel.numerators
    finite = [i for i, a in enumerate(p) if a]
    infinite = [i for i, a in enumerate(p) if not a and q[i]]
    if len(finite) == len(p):
        keys = ratio_keys(q, p)
        order = sorted(finite, key=keys.__getitem__)
    else:
        keys = ratio_keys([q[i] for i in finite], [p[i] for i in finite])
        order = sorted(range(len(finite)), key=keys.__getitem__)
    columns = [finite[k] for k in order] + infinite
    ordered = list(map(keys.__getitem__, order))
    merged_p, merged_q = list(map(p.__getitem__, columns)), list(map(q.__getitem__, columns))
    repeats = list(map(eq, ordered, ordered[1:]))
    if not any(repeats) and len(infinite) < 2:
        return LikelihoodOrder(channel.scale, merged_p, merged_q, columns, list(range(len(columns) + 1)))
    same = [False, *repeats] if finite else []
    same += [k > 0 for k in range(len(infinite))]
    starts = [k for k, repeated in enumerate(same) if not repeated] + [len(columns)]
    spans = list(pairwise(starts))
    return LikelihoodOrder(
        channel.scale,
        [sum(merged_p[a:b], mpz(0)) for a, b in spans],
        [sum(merged_q[a:b], mpz(0)) for a, b in spans],
        columns,
        starts,
    )


def ratio_keys(numerators: Sequence[mpz], denominators: Sequence[mpz]) -> list[Any]:
    """Keys that order the ratios exactly, equal keys for equal ratios; the denominators are positive.

    The key is floor(2^s a/b) with s twice the length of the largest denominator. Distinct ratios differ by at
    least 1/(b b') > 2^-s, so their keys, being floors of numbers at least 1 apart, differ and keep the order.
    Python integers sort several times faster than rationals. Where the keys would be too large, the ratios
    themselves are the keys.
    """
    shift = 2 * max((b.bit_length() for b in denominators), default=0)
    if shift * len(numerators) <= _KEY_BITS:
        return [int((a << shift) // b) for a, b in zip(numerators, denominators, strict=True)]
    return list(map(mpq, numerators, denominators))


def canonical(channel: Channel) -> Channel:
    """The canonical form: zero columns dropped, equal ratios merged, sorted by q/p increasing.

    Two channels with equal row masses have the same canonical form exactly when each refines the
    other. Labels are dropped, since columns merge.
    """
    order = likelihood_order(channel)
    return sorted_channel(order.p, order.q, order.scale)


def sorted_channel(p: list[mpz], q: list[mpz], scale: mpz) -> Channel:
    """The channel (p, q) / scale whose columns are in canonical form already; its order is known for nothing."""
    channel = Channel.from_numerators((p, q), scale)
    count = len(p)
    channel.derived["order"] = LikelihoodOrder(scale, p, q, list(range(count)), list(range(count + 1)))
    return channel


def equivalent(left: Channel, right: Channel) -> bool:
    """Whether two two-row channels have the same canonical form."""
    return canonical(left) == canonical(right)
