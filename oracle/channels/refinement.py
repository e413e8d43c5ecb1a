"""Refinement of channels, always with evidence.

C ⊑ M ("M leaks no more") when a row-stochastic *witness* W has C·W = M. For two rows this is the
same as T(C) <= T(M) (Fernandes et al. 2025, Theorem 3.1 and Corollary 1), so a refusal has a
*separating level* h >= 0 with Σ max(0, q - h p) strictly smaller for C than for M. Both answers cost
O(n + m) steps after sorting. For other numbers of rows a refusal has a *separating gain* function, and
:mod:`oracle.channels.refinement_many` decides.

All in exact arithmetic: whatever the gap, an answer comes and is right.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from gmpy2 import lcm, mpq, mpz

from oracle.channels.canonical import LikelihoodOrder, likelihood_order
from oracle.channels.channel import Channel, Rows
from oracle.channels.divergences import hockey_stick
from oracle.channels.galois import scaled_corners
from oracle.channels.refinement_many import GainSeparation, couple_or_separate
from oracle.errors import InputError
from oracle.exact import to_text

__all__ = ["GainSeparation", "Separation", "Witness", "refine", "refines", "witness_of"]

Entry = tuple[int, int, mpq]
_Column = tuple[mpz, mpz]


@dataclass(frozen=True, slots=True)
class Witness:
    """A row-stochastic matrix as its nonzero entries, sorted by row, then column."""

    rows: int
    columns: int
    entries: tuple[Entry, ...]

    @property
    def holds(self) -> bool:
        """True: the refinement holds."""
        return True

    def __bool__(self) -> bool:
        return True

    def product(self, channel: Channel) -> Rows:
        """The rows of channel·W."""
        result = [[mpq(0)] * self.columns for _ in channel.rows]
        for i, j, weight in self.entries:
            for row, target in zip(channel.rows, result, strict=True):
                target[j] += row[i] * weight
        return tuple(map(tuple, result))

    def to_json(self) -> dict[str, Any]:
        """The sparse shape of the contract."""
        return {
            "rows": self.rows,
            "columns": self.columns,
            "entries": [[i, j, to_text(weight)] for i, j, weight in self.entries],
        }


@dataclass(frozen=True, slots=True)
class Separation:
    """A level h at which the left channel's hockey stick is strictly below the right one's."""

    level: mpq
    left: mpq
    right: mpq

    @property
    def holds(self) -> bool:
        """False: the refinement does not hold."""
        return False

    def __bool__(self) -> bool:
        return False


def refines(left: Channel, right: Channel) -> bool:
    """Whether left ⊑ right, that is, whether some witness W has left·W = right."""
    return isinstance(refine(left, right), Witness)


def refine(left: Channel, right: Channel) -> Witness | Separation | GainSeparation:
    """Decide left ⊑ right for channels of equal row masses, with evidence either way.

    The evidence against it is a level for two rows, a gain function for any other number.

    Raises:
        InputError: for different numbers of rows, or row masses that differ.
        LimitError: for too many columns of more than two rows
            (:data:`oracle.channels.refinement_many.MAX_VARIABLES`).
    """
    if len(left.rows) != len(right.rows):
        raise InputError(f"{len(left.rows)} rows as in left", f"{len(right.rows)} rows", "right")
    if left.masses != right.masses:
        raise InputError("two channels of equal row masses", "different ones", "right")
    if len(left.rows) != 2:
        outcome = couple_or_separate(left, right)
        if isinstance(outcome, GainSeparation):
            return outcome
        return Witness(left.shape[1], right.shape[1], tuple(outcome))
    left_order, right_order = likelihood_order(left), likelihood_order(right)
    level = _separating_level(left_order, right_order)
    if level is not None:
        return Separation(level, hockey_stick(left, level, "backward"), hockey_stick(right, level, "backward"))
    return Witness(left.shape[1], right.shape[1], tuple(_couple(left, left_order, right, right_order)))


def witness_of(left: Channel, right: Channel) -> Witness:
    """A witness of left ⊑ right, which another computation has already proved to hold."""
    evidence = refine(left, right)
    if isinstance(evidence, Witness):
        return evidence
    raise ArithmeticError("two ways to one answer disagree: a refinement that must hold was refused")


def _separating_level(left: LikelihoodOrder, right: LikelihoodOrder) -> mpq | None:
    """A level at which left ⊑ right fails, or None if it holds.

    T(left) is convex and T(right) piecewise linear, so T(left) <= T(right) if and only if it holds at
    the corners of T(right). Where a corner (a, b) lies strictly below T(left), take the segment of
    T(left) over a, of slope -h: every test of left has beta + h·alpha at least the segment's value, and
    (a, b) has less. Since Σ max(0, q - h p) is 1 - min(beta + h·alpha), h separates.
    """
    scale = lcm(left.scale, right.scale)
    lift, drop = scale // left.scale, scale // right.scale
    alphas, betas = scaled_corners(left)
    k, last = 0, len(alphas) - 2
    for a, b in zip(*scaled_corners(right), strict=True):
        x, y = a * drop, b * drop
        while k < last and alphas[k + 1] * lift < x:
            k += 1
        a0, b0, a1, b1 = alphas[k] * lift, betas[k] * lift, alphas[k + 1] * lift, betas[k + 1] * lift
        if b0 * (a1 - x) + b1 * (x - a0) > y * (a1 - a0):
            return mpq(b0 - b1, a1 - a0)
    return None


def _couple(
    left: Channel, left_order: LikelihoodOrder, right: Channel, right_order: LikelihoodOrder
) -> Iterator[Entry]:
    """Entries of a witness of left ⊑ right: the left-curtain martingale coupling.

    Columns are vectors (p, q). Each column v of *right*, taken by increasing ratio, is filled from the
    nearest remaining columns of *left* around it: l, the largest ratio below v, and r, the smallest
    ratio at or above it. With cross(a, b) = a_p b_q - a_q b_p (positive for ratio a < ratio b),

        cross(v, r)·l + cross(l, v)·r = cross(l, r)·v,

    so t·cross(v, r) of l and t·cross(l, v) of r fill t·cross(l, r) of v, with t the largest that
    exhausts l, r or v; if r is parallel to v it serves alone. Each step exhausts a column of *left* or
    fills one of *right*: at most n + m steps. That the two sides never run dry is the existence of the
    left-curtain coupling for measures in convex order (Beiglböck and Juillet 2016, Theorem 4.18), applied to
    the posteriors; convex order is T(left) <= T(right), which the caller has decided.
    """
    scale = lcm(left.scale, right.scale)
    targets = _columns(right, scale // right.scale)
    remaining = _Remaining(_columns(left, scale // left.scale), left_order.columns)
    rows: list[list[tuple[int, mpq]]] = [[] for _ in range(left.shape[1])]
    for j in right_order.columns:
        for i, weight in remaining.fill(targets[j]).items():
            rows[i].append((j, weight))
    for i, row in enumerate(rows):
        # A zero column of left contributes nothing, but its row must be stochastic too.
        row.sort()
        for j, weight in row or [(0, mpq(1))]:
            yield i, j, weight


class _Remaining:
    """What is left of the columns of *left*.

    A stack of those below the current target's ratio, nearest on top, with their shares, and a queue of the
    others, nearest first; ``share`` is what is left of the queue's head.
    """

    __slots__ = ("columns", "head", "queue", "share", "stack")

    def __init__(self, columns: Sequence[_Column], order: Iterable[int]) -> None:
        self.columns = columns
        self.queue = iter(order)
        self.stack: list[tuple[int, mpq]] = []
        self._next()

    def _next(self) -> None:
        self.head, self.share = next(self.queue, None), mpq(1)

    def fill(self, target: _Column) -> dict[int, mpq]:
        """Take what fills the column *target* completely: shares of columns of left."""
        vp, vq = target
        while self.head is not None and (column := self.columns[self.head])[0] * vq > column[1] * vp:
            self.stack.append((self.head, self.share))
            self._next()
        taken: dict[int, mpq] = defaultdict(mpq)
        missing = mpq(1)
        while missing:
            if self.head is None:
                raise ArithmeticError("the coupling ran dry although the curves are ordered")
            rp, rq = self.columns[self.head]
            above = vp * rq - vq * rp
            if above:
                missing -= self._cross(target, self.head, above, missing, taken)
            else:
                # r is parallel to v: v = size·r with size = v/r in either nonzero coordinate.
                size = mpq(vp, rp) if rp else mpq(vq, rq)
                step = min(self.share, missing * size)
                taken[self.head] += step
                self.share -= step
                missing -= step / size
            if not self.share:
                self._next()
        return taken

    def _cross(self, target: _Column, head: int, above: mpz, missing: mpq, taken: dict[int, mpq]) -> mpq:
        """One step between the top of the stack and the head of the queue; returns how much of the target it fills."""
        (vp, vq), (rp, rq) = target, self.columns[head]
        i, share = self.stack[-1]
        lp, lq = self.columns[i]
        below, across = lp * vq - lq * vp, lp * rq - lq * rp
        exhausts_left = share / above
        t = min(exhausts_left, self.share / below, missing / across)
        used = t * above
        taken[i] += used
        if t == exhausts_left:
            self.stack.pop()
        else:
            self.stack[-1] = (i, share - used)
        used = t * below
        taken[head] += used
        self.share -= used
        return t * across


def _columns(channel: Channel, factor: mpz) -> list[_Column]:
    """The columns as integer vectors (p, q) over a common scale."""
    p, q = channel.numerators
    if factor == 1:
        return list(zip(p, q, strict=True))
    return [(a * factor, b * factor) for a, b in zip(p, q, strict=True)]
