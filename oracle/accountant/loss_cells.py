"""One step on a grid of losses: two finite pairs, one above and one below the step under refinement.

The grid points are l_j = h j, cell j is [l_j, l_(j+1)), and (p_j, q_j) are the masses that P and Q give to it.

- **Split** (above). An outcome of masses (p, q) with loss l = log(p/q) in cell j is replaced by two, of losses l_j and
  l_(j+1), that keep both masses: p = u + v, q = u e^(-l_j) + v e^(-l_(j+1)), so

      v = (p - q e^(l_j)) / (1 - e^(-h)),    u = p - v,

  both >= 0 exactly because l lies in the cell. Merging the two gives the outcome back, so the step is a post-processing
  of the split pair. u and v are linear in (p, q): they are formed from the totals of the cell.
- **Pool** (below). Only the number of the cell is told: masses (p_j, q_j). It is a post-processing of the step.

Post-processing one step post-processes every composition that contains it, so the composed profiles bracket the truth.
The split pair has the ratio e^(l_j) at l_j, so its P-masses say everything, and the profile of a composition is
Σ u_j (1 - e^(eps - l_j))_+ plus the mass of infinite loss. It grows with every u_j and with the infinite mass, and when
mass is moved to a larger loss. The profile of the pooled pair is Σ max(0, p_j - a q_j) over the cells of any event, and
it falls when p_j gets smaller or q_j larger. q_j is held as q_j e^(h j), which is about p_j: so the rounding is small
beside p_j - a q_j whatever a is; and since cell numbers add up under composition, the factors multiply. All masses are
held as integers times 2^(-bits), rounded in these directions; P-mass above the grid counts as infinite above and is
left out below.

Source of the two pairs in privacy accounting: S. Meiser and E. Mohammadi, *Tight on budget?*, CCS 2018; V. Doroshenko
et al., *Connect the dots*, PoPETs 2022 (which proves the split pair to be the least one above on its grid).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final, NamedTuple, Protocol

import flint
from flint import arb
from gmpy2 import mpq, mpz

from oracle.channels.canonical import likelihood_order
from oracle.channels.channel import Channel, require_two_rows
from oracle.channels.formal_rows import FormalChannel
from oracle.enclosures import Ball, precision, rational_ball, rational_bounds
from oracle.errors import InputError, LimitError, UndecidedError, shorten
from oracle.exact import to_text
from oracle.formal import FormalSum

__all__ = [
    "MAX_CELLS",
    "CellMass",
    "CellSource",
    "FiniteCells",
    "FormalCells",
    "LossCells",
    "cell_of_loss",
    "cell_of_ratio",
    "check_width",
    "grid_exponential",
    "make_cells",
    "mirrored",
    "working_bits",
]

MAX_CELLS: Final = 1 << 22
"""Most cells of one step."""

_MOST_BITS: Final = 1 << 14


@dataclass(frozen=True, slots=True)
class LossCells:
    """The two pairs of one step, or of a composition of several.

    All masses are integers in units of 2^(-bits).

    Attributes:
        width: h.
        bits: of the unit.
        start: j of the first grid point of ``upper`` and of the first cell of ``p_low``.
        upper: at least the P-mass of the split pair at each grid point.
        upper_infinite: at least its P-mass of infinite loss.
        p_low: at most the P-mass of the pooled pair in each cell (of each sum of cell numbers).
        q_high: at least its Q-mass times e^(h j), j the number of the cell.
        infinite_low: at most the P-mass of infinite loss.
    """

    width: mpq
    bits: int
    start: int
    upper: list[int]
    upper_infinite: int
    p_low: list[int]
    q_high: list[int]
    infinite_low: int


class CellMass(NamedTuple):
    """Balls of the masses that P and Q give to one cell."""

    p: arb
    q: arb


class CellSource(Protocol):
    """A step whose cells can be had at any width."""

    def cells(self, width: mpq, bits: int, tail_bits: int) -> LossCells:
        """The two pairs at h = *width*; P-mass of about 2^(-tail_bits) on either side may be put at the ends."""


def check_width(width: mpq) -> mpq:
    """Refuse a width that is not above 0."""
    if width <= 0:
        raise InputError("a width above 0", shorten(to_text(width)), "width")
    return width


def grid_exponential(width: mpq, index: int) -> arb:
    """The ball of e^(h j), at the working precision that is set."""
    return rational_ball(width * index).exp()


def make_cells(  # noqa: PLR0913 - one parameter for each kind of mass
    masses: Sequence[tuple[int, CellMass]],
    width: mpq,
    bits: int,
    *,
    below: arb,
    above: arb,
    infinite: arb,
) -> LossCells:
    """The two pairs from the masses of the cells, at a working precision that makes them good to *bits* bits.

    Args:
        masses: (j, masses of cell j), the j all different.
        width: h.
        bits: of the unit.
        below: a ball that contains the P-mass of losses below all cells; it is moved up to the first grid point.
        above: the same of finite losses above all cells; it counts as infinite above.
        infinite: a ball that contains the P-mass of infinite loss.
    """
    indices = [j for j, _ in masses]
    first, last = min(indices, default=0), max(indices, default=0)
    if last - first >= MAX_CELLS:
        raise LimitError(f"at most {MAX_CELLS} cells", shorten(last - first + 1), "width")
    unit, count = arb(2) ** bits, last - first + 1
    upper, p_low, q_high = [0] * (count + 1), [0] * count, [0] * count
    share = -rational_ball(-width).expm1()
    for j, (p, q) in masses:
        p_high, tilted = _up(p * unit), q * grid_exponential(width, j)
        at_end = (p - tilted) / share
        # Both parts lie between 0 and p.
        upper[j - first + 1] += min(_up(at_end * unit), p_high)
        upper[j - first] += min(_up((p - at_end) * unit), p_high)
        p_low[j - first] += _down(p * unit)
        q_high[j - first] += _up(tilted * unit)
    upper[0] += _up(below * unit)
    return LossCells(width, bits, first, upper, _up((above + infinite) * unit), p_low, q_high, _down(infinite * unit))


def _up(x: arb) -> int:
    """The least integer that is at least 0 and at every point of a ball."""
    return max(0, _whole(x.upper().ceil()))


def _down(x: arb) -> int:
    """The largest integer that is at most every point of a ball, at least 0."""
    return max(0, _whole(x.lower().floor()))


def _whole(x: arb) -> int:
    value = x.unique_fmpz()
    if value is None:
        raise UndecidedError("a mass as a whole number of units", flint.ctx.prec)
    return int(value)


class _CellSums:
    """The masses of cells, added up."""

    def __init__(self) -> None:
        self._sums: dict[int, CellMass] = {}

    def add(self, j: int, p: arb, q: arb) -> None:
        """Add an outcome to cell j."""
        before = self._sums.get(j)
        self._sums[j] = CellMass(p, q) if before is None else CellMass(before.p + p, before.q + q)

    def total(self) -> list[tuple[int, CellMass]]:
        """The masses of each cell."""
        return sorted(self._sums.items(), key=lambda item: item[0])


class FiniteCells:
    """A two-row rational channel in one direction (P = row 0); for the other pass ``channel.swapped()``."""

    __slots__ = ("channel",)

    channel: Channel

    def __init__(self, channel: Channel) -> None:
        require_two_rows(channel)
        self.channel = channel

    def cells(self, width: mpq, bits: int, tail_bits: int) -> LossCells:
        """Every column in its cell, but for columns at either end whose P-mass is at most 2^(-tail_bits) in all."""
        check_width(width)
        order = likelihood_order(self.channel)
        columns = list(zip(order.p, order.q, strict=True))
        finite = [(p, q) for p, q in columns if p and q]
        certain = sum((p for p, q in columns if not q), mpz(0))
        small = order.scale >> tail_bits
        # The order is that of falling losses.
        above = _light(finite, small)
        below = _light(finite[above:][::-1], small)
        kept = finite[above : len(finite) - below]
        indices = [cell_of_ratio(mpq(p, q), width) for p, q in kept]
        with precision(working_bits(width, bits, indices)):

            def ball(x: mpz) -> arb:
                return rational_ball(mpq(x, order.scale))

            cells = _CellSums()
            for j, (p, q) in zip(indices, kept, strict=True):
                cells.add(j, ball(p), ball(q))
            return make_cells(
                cells.total(),
                width,
                bits,
                below=ball(sum((p for p, _ in finite[len(finite) - below :]), mpz(0))),
                above=ball(sum((p for p, _ in finite[:above]), mpz(0))),
                infinite=ball(certain),
            )


def _light(columns: Sequence[tuple[mpz, mpz]], small: mpz) -> int:
    """How many of the first columns have a P-mass of at most *small* in all."""
    return sum(1 for total in accumulate(p for p, _ in columns) if total <= small)


class FormalCells:
    """A two-row channel of exponential sums in one direction, P = row 0."""

    __slots__ = ("channel",)

    channel: FormalChannel

    def __init__(self, channel: FormalChannel) -> None:
        self.channel = channel

    def cells(self, width: mpq, bits: int, tail_bits: int) -> LossCells:  # noqa: ARG002 - nothing is cut off
        """Every group of equal ratio in its cell; a ratio e^s on a grid point is recognised."""
        check_width(width)
        total_p, total_q = self.channel.totals
        groups = [g for g in self.channel.groups() if not g.p.is_zero()]
        finite = [g for g in groups if not g.q.is_zero()]
        indices = []
        for g in finite:
            ratio = (g.p * total_q).ratio_to(g.q * total_p)
            terms = ratio.terms() if ratio is not None else []
            if len(terms) == 1 and terms[0][1] == 1 and not terms[0][0][1]:
                exponent = terms[0][0][0]
                indices.append(int((exponent / width).numerator // (exponent / width).denominator))
            else:
                indices.append(cell_of_loss(_log_quotient(g.p * total_q, g.q * total_p), width, False))
        working = working_bits(width, bits, indices)
        with precision(working):
            norm_p, norm_q = total_p.ball(working), total_q.ball(working)
            cells = _CellSums()
            for j, g in zip(indices, finite, strict=True):
                cells.add(j, g.p.ball(working) / norm_p, g.q.ball(working) / norm_q)
            certain = sum((g.p.ball(working) for g in groups if g.q.is_zero()), arb(0)) / norm_p
            return make_cells(cells.total(), width, bits, below=arb(0), above=arb(0), infinite=certain)


def cell_of_ratio(ratio: mpq, width: mpq) -> int:
    """The cell of the loss log(ratio)."""

    def ball(bits: int) -> arb:
        with precision(bits):
            return rational_ball(ratio).log()

    return cell_of_loss(ball, width, ratio == 1)


def _log_quotient(p: FormalSum, q: FormalSum) -> Ball:
    def ball(bits: int) -> arb:
        with precision(bits):
            return (p.ball(bits) / q.ball(bits)).log()

    return ball


def cell_of_loss(loss: Ball, width: mpq, zero: bool) -> int:
    """The j with h j <= l < h (j+1), for a loss that is 0 or on no grid point.

    A logarithm of a rational other than 1 is irrational (Lindemann), so it is on no grid point of a rational h.
    """
    if zero:
        return 0
    bits = 64
    while bits <= _MOST_BITS:
        with precision(bits):
            lo, hi = rational_bounds(loss(bits) / rational_ball(width))
        low, high = lo.numerator // lo.denominator, hi.numerator // hi.denominator
        if low == high:
            return int(low)
        bits *= 2
    raise UndecidedError("the cell of a loss", _MOST_BITS)


def working_bits(width: mpq, bits: int, indices: Iterable[int]) -> int:
    """Bits that leave *bits* after division by 1 - e^(-h) and multiplication by e^(h j) q <= p e^h."""
    largest = max((abs(j) for j in indices), default=0)
    return bits + 48 + max(0, width.denominator.bit_length() - width.numerator.bit_length()) + largest.bit_length()


def mirrored(cells: Sequence[tuple[int, CellMass]]) -> list[tuple[int, CellMass]]:
    """The cells of (Q, P) from those of (P, Q): losses change sign, [h j, h (j+1)) becomes cell -j-1.

    An outcome whose loss is a grid point may stand in either of the cells that it borders: u or v is then 0.
    """
    return [(-j - 1, CellMass(q, p)) for j, (p, q) in reversed(cells)]
