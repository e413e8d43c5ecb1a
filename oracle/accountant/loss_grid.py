"""Certified two-sided privacy profile of any composition by refinement alone: split above, pool below.

Every step is put on one grid of losses in two ways (:mod:`oracle.accountant.loss_cells`): the split pair above it and
the pooled pair below it under refinement. Composition is convolution over the grid, done on integer polynomials:

- *Above.* The P-masses u_j are convolved. The sum of two losses l_i and l_j is l_(i+j), so the product of split pairs
  lives on the grid again. Products of integers in units of 2^(-2 bits) are rounded up to units of 2^(-bits). Mass above
  the window counts as infinite, mass below it is moved up to its first point: both only raise the profile.
- *Below.* Of every step the number of the cell is told, of the composition the sum of the numbers, and only on the
  event that no partial sum leaves its window. P-masses are rounded down, Q-masses (times e^(h s)) up. Summed over the
  sums s, max(0, P_s - a Q_s), with the mass of infinite loss, is at most the profile: it is the hockey stick of a
  post-processing of the restriction of (P, Q) to an event, with less P and more Q.

Masses of infinite loss join as x + y - x y, which grows in both, with all roundings in their direction.

Both errors are of second order in the width h: in the split pair each step's loss is spread by at most h/2 around its
value, in the pooled pair the loss within a cell is averaged. So for a smooth composed loss the gap falls by four when h
is halved. Convolving k steps of N cells costs O(log k) products of polynomials.

What is proved does not rest on the choice of width and windows, which come from floats: any choice brackets the truth.
The method shares nothing with the contour integral but the laws of the steps, so it is an independent check of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from flint import arb, arb_poly, fmpz_poly
from gmpy2 import mpq, mpz

from oracle.accountant.grid_planning import LossHints, Window, Windows, proposed_width
from oracle.accountant.loss_cells import CellSource, LossCells
from oracle.enclosures import Enclosure, precision, rational_ball, rational_bounds
from oracle.errors import InputError, LimitError, shorten
from oracle.levels import Level

__all__ = ["GridComposition", "compose_cells", "grid_delta"]

MAX_WINDOW: Final = 1 << 23
"""Most cells of a composition."""

_DEFAULT_CELLS: Final = 1 << 15
_DEFAULT_BITS: Final = 128
_DEFAULT_TAIL_BITS: Final = 64

Parts = Sequence[tuple[CellSource, int]]


@dataclass(frozen=True, slots=True)
class GridComposition:
    """The two pairs of a composition on the grid, for any number of levels.

    Attributes:
        cells: their masses; ``start`` is the least loss of ``upper`` over h, and the least sum of cell numbers.
    """

    cells: LossCells

    def delta(self, level: Level) -> Enclosure:
        """Rationals lo <= D_a(P‖Q) <= hi at a = *level*."""
        cells = self.cells
        unit = mpz(1) << cells.bits
        if level.is_infinite:
            return Enclosure(mpq(cells.infinite_low, unit), min(mpq(1), mpq(cells.upper_infinite, unit)))
        if level.value == 0:
            return Enclosure(mpq(1), mpq(1))
        return Enclosure(self._low(level), min(mpq(1), self._high(level)))

    def _low(self, level: Level) -> mpq:
        """Infinite mass plus Σ max(0, P_s - a Q_s) at an a that is at least the level.

        Q_s = q_s e^(-h s). The factor a e^(-h s) is carried from sum to sum as an integer in units of 2^(-places),
        rounded up.
        """
        cells = self.cells
        places = cells.bits + 64
        with precision(places + 32):
            unit = arb(2) ** places
            lead = (rational_ball(_logarithm_bounds(level, places)[1] - cells.width * cells.start)).exp() * unit
            factor = -int(-rational_bounds(lead)[1] // 1)
            fall = -int(-rational_bounds(rational_ball(-cells.width).exp() * unit)[1] // 1)
        total = 0
        for p, q in zip(cells.p_low, cells.q_high, strict=True):
            if (gain := (p << places) - factor * q) > 0:
                total += gain
            factor = (factor * fall >> places) + 1
        return mpq(total + (cells.infinite_low << places), mpz(1) << (cells.bits + places))

    def _high(self, level: Level) -> mpq:
        """Infinite mass plus Σ_{l_j >= eps} u_j (1 - e^(eps - l_j)) at an eps that is at most that of the level."""
        cells = self.cells
        epsilon = _logarithm_bounds(level, cells.bits + 32)[0]
        quotient = epsilon / cells.width
        first = max(-int(-quotient.numerator // quotient.denominator) - cells.start, 0)
        masses = cells.upper[first:]
        unit = mpz(1) << cells.bits
        if not masses:
            return mpq(cells.upper_infinite, unit)
        with precision(cells.bits + 64 + len(masses).bit_length()):
            ratio = rational_ball(-cells.width).exp()
            lead = rational_ball(epsilon - cells.width * (cells.start + first)).exp()
            falling = lead * _polynomial_at(masses, ratio)
            high = rational_bounds(arb(sum(masses)) - falling)[1]
        return (high + cells.upper_infinite) / unit


def _polynomial_at(coefficients: Sequence[int], x: arb) -> arb:
    return arb_poly(fmpz_poly(coefficients))(x)


def _logarithm_bounds(level: Level, bits: int) -> tuple[mpq, mpq]:
    """Rationals at most and at least eps."""
    if level.exponent is not None:
        return level.exponent, level.exponent
    value = level.value
    if not isinstance(value, mpq) or value <= 0:
        raise InputError("a finite level above 0", str(value), "epsilon")
    with precision(bits + value.numerator.bit_length().bit_length() + 8):
        return rational_bounds(rational_ball(value).log())


def grid_delta(
    parts: Parts,
    level: Level,
    *,
    cells: int = _DEFAULT_CELLS,
    bits: int = _DEFAULT_BITS,
    tail_bits: int = _DEFAULT_TAIL_BITS,
) -> Enclosure:
    """Rationals lo <= delta <= hi of a composition, one direction (that of the sources).

    Args:
        parts: (step, times).
        level: a = e^eps.
        cells: about how many cells the composed loss is spread over; the gap falls with its square.
        bits: of the unit of mass, 2^(-bits).
        tail_bits: P-mass of about 2^(-tail_bits) is cut off; choose it well beyond log2(1/delta).
    """
    return compose_cells(parts, cells=cells, bits=bits, tail_bits=tail_bits).delta(level)


def compose_cells(  # noqa: PLR0913 - one parameter for each choice
    parts: Parts,
    *,
    width: mpq | None = None,
    first: mpq = mpq(1, 4),  # noqa: B008 - immutable
    cells: int = _DEFAULT_CELLS,
    bits: int = _DEFAULT_BITS,
    tail_bits: int = _DEFAULT_TAIL_BITS,
) -> GridComposition:
    """The two pairs of a composition; see :func:`grid_delta`.

    Args:
        parts: (step, times).
        width: h; by default the power of two that spreads the composed loss over about *cells* cells.
        first: the largest width that is tried, a power of two.
        cells: see above.
        bits: see above.
        tail_bits: see above.

    Raises:
        InputError: for a negative number of times.
        LimitError: if a window has more than ``MAX_WINDOW`` cells.
    """
    for i, (_, times) in enumerate(parts):
        if times < 0:
            raise InputError("a number of times at least 0", shorten(times), f"of[{i}]")
    present = [(source, times) for source, times in parts if times]
    # Every step loses a tail, so each is cut a little further out.
    step_tail = tail_bits + sum(times for _, times in present).bit_length()
    if width is None:
        width = proposed_width(present, cells, step_tail, first)
    laws = [source.cells(width, bits, step_tail) for source, _ in present]
    windows = Windows([LossHints(law) for law in laws], tail_bits)
    composed = _nothing(width, bits)
    done = [0] * len(laws)
    for i, (law, (_, times)) in enumerate(zip(laws, present, strict=True)):
        power = _power(law, times, windows.of_one(i, width))
        done[i] = times
        composed = _product(composed, power, windows.window(done, width))
    return GridComposition(composed)


def _nothing(width: mpq, bits: int) -> LossCells:
    """The step that tells nothing."""
    one = 1 << bits
    return LossCells(width, bits, 0, [one], 0, [one], [one], 0)


def _power(law: LossCells, times: int, window: Callable[[int], Window]) -> LossCells:
    """The composition of *times* >= 1 of one law, by squaring from the highest bit on; window(m) is that of m steps."""
    result, count = law, 1
    for bit in bin(times)[3:]:
        result, count = _product(result, result, window(2 * count)), 2 * count
        if bit == "1":
            result, count = _product(result, law, window(count + 1)), count + 1
    return result


def _product(left: LossCells, right: LossCells, window: Window) -> LossCells:
    """The two pairs of the composition of two, cut to a window."""
    bits, start = left.bits, left.start + right.start
    unit = fmpz_poly([1 << bits])
    square = left is right

    def convolved(x: list[int], y: list[int], *, up: bool) -> list[int]:
        first = fmpz_poly(x)
        product = first * (first if square else fmpz_poly(y))
        if up:
            product += fmpz_poly([(1 << bits) - 1] * (len(x) + len(y) - 1))
        # FLINT divides coefficients by a constant; of integers that are not negative that is the floor.
        values = [int(c) for c in (product // unit).coeffs()]
        return values + [0] * (len(x) + len(y) - 1 - len(values))  # zeros at the end are not stored

    upper = convolved(left.upper, right.upper, up=True)
    p_low = convolved(left.p_low, right.p_low, up=False)
    q_high = convolved(left.q_high, right.q_high, up=True)
    end = start + len(upper) - 1
    first = min(max(window.first, start), end)
    last = max(min(window.last, end), first)
    if last - first >= MAX_WINDOW:
        raise LimitError(f"a window of at most {MAX_WINDOW} cells", shorten(last - first + 1), "cells")
    a, b = first - start, last - start + 1
    kept = upper[a : b + 1]
    kept[0] += sum(upper[:a])
    return LossCells(
        left.width,
        bits,
        first,
        kept,
        min(_joined(left.upper_infinite, right.upper_infinite, bits, up=True) + sum(upper[b + 1 :]), 1 << bits),
        p_low[a : b + 1],
        q_high[a : b + 1],
        _joined(left.infinite_low, right.infinite_low, bits, up=False),
    )


def _joined(x: int, y: int, bits: int, *, up: bool) -> int:
    """The value x + y - x y in units of 2^(-bits), rounded up or down."""
    return x + y - (x * y >> bits if up else -(-x * y >> bits))
