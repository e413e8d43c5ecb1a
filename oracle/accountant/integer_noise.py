"""The discrete Gaussian pair beside other methods: its compositions on a lattice, and its cells on a loss grid.

P(x) ∝ e^(-x²/(2 sigma²)) on the integers, Q the same law moved by s. The loss at x is s²/(2 sigma²) - (s/sigma²) x.

**Lattice.** Let g be the largest rational of which every s_i/sigma_i² is a whole multiple m_i. The loss of a
composition is L_0 - g·M with L_0 = Σ k_i s_i²/(2 sigma_i²) and M = Σ m_i x_i over all steps, a whole number whose law
under P is a product of polynomials. With w_M its masses,

    D_a(P‖Q) = Σ_M w_M max(0, 1 - e^(eps - L_0 + g M)) = Σ_{M < (L_0 - eps)/g} w_M - e^(eps - L_0) Σ w_M e^(g M),

by two tables of partial sums. The pair is symmetric (x -> s - x), so is every composition.

Tails. E[e^(tX)] = e^(t² sigma²/2) Theta(t sigma²)/Theta(0) with Theta(a) = Σ_x e^(-(x+a)²/(2 sigma²)) =
√(2 pi) sigma Σ_n e^(-2 pi² sigma² n²) cos(2 pi n a) (Poisson summation), which is largest at a = 0. So X is
sub-Gaussian with variance sigma², a sum M of independent ones with V = Σ k_i m_i² sigma_i², and P(|M| > W) <=
2 e^(-W²/(2V)). Every partial product is cut at a W; on the event that no partial sum leaves its window all is as
without cuts, and whatever the rest holds adds a number between 0 and its probability.

**Cells.** Of one step, Poisson subsampled at a rate q or not (q = 1), P' = (1-q) Q + q P: every integer up to a reach
is put into the cell of its loss log(1 - q + q e^l), and what lies further out to either side of the grid.

Reference: C. Canonne, G. Kamath and T. Steinke, *The discrete Gaussian for differential privacy*, NeurIPS 2020,
corollary 17 (sub-Gaussian with variance sigma²).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import gcd, isqrt
from typing import Final

from flint import arb, arb_poly
from gmpy2 import mpq

from oracle.accountant.loss_cells import (
    CellMass,
    LossCells,
    cell_of_loss,
    check_width,
    make_cells,
    mirrored,
    working_bits,
)
from oracle.channels.divergences import Direction
from oracle.enclosures import Ball, precision, rational_ball, rational_bounds
from oracle.errors import InputError, LimitError, shorten
from oracle.exact import to_text

__all__ = ["MAX_LENGTH", "MAX_REACH", "IntegerNoise", "NoiseCells", "noise_terms"]

MAX_LENGTH: Final = 1 << 20
"""Most points of a lattice."""

MAX_REACH: Final = 200_000
"""Most integers on one side of a step that are summed one by one."""

_EXTRA: Final = 40
_KEPT: Final = 4

Group = tuple[mpq, int, int]
"""(sigma², s, times)."""


class IntegerNoise:
    """A composition of discrete Gaussian pairs.

    Args:
        groups: (sigma², s, times) with times at least 1.

    Raises:
        InputError: for no group at all.
        LimitError: for a lattice of more than ``MAX_LENGTH`` points at 128 bits.
    """

    __slots__ = ("_multiples", "_spread", "_tables", "groups", "origin", "step")

    groups: tuple[Group, ...]
    origin: mpq
    """L_0."""
    step: mpq
    """The spacing g of the losses."""

    def __init__(self, groups: Sequence[Group]) -> None:
        if not groups:
            raise InputError("at least one group", "none")
        self.groups = tuple(groups)
        slopes = [s / variance for variance, s, _ in groups]
        self.step = _common_divisor(slopes)
        self._multiples = [int((slope / self.step).numerator) for slope in slopes]
        self._spread = [m * m * variance for m, (variance, _, _) in zip(self._multiples, groups, strict=True)]
        self.origin = sum((times * s * s / (2 * variance) for variance, s, times in groups), mpq(0))
        _check_length(self._reach(self._total(), 2 * _EXTRA + 48))
        self._tables = lru_cache(maxsize=_KEPT)(self._made)

    def _total(self) -> mpq:
        return sum((times * v for v, (_, _, times) in zip(self._spread, self.groups, strict=True)), mpq(0))

    def _reach(self, variance: mpq, bits: int) -> int:
        """A W with 2 e^(-W²/(2V)) <= 2^(-bits): W² >= 2 V (bits + 1) log 2, and log 2 < 7/10."""
        square = variance * (bits + 1) * 14 / 10
        return isqrt(int(square.numerator // square.denominator)) + 1

    def hockey_stick_ball(self, epsilon: Ball) -> Ball:
        """D_a at a = e^epsilon, in both directions; the radius is about 2^-bits of 1."""

        def ball(bits: int) -> arb:
            working = bits + _EXTRA
            first, masses, tilted, left_out = self._tables(working)
            with precision(working):
                eps, origin, step = epsilon(working), rational_ball(self.origin), rational_ball(self.step)
                found: arb | None = None
                # D falls in eps, so the ends of its ball bound it.
                for end in (eps.lower(), eps.upper()):
                    # Points with M < (L_0 - eps)/g count; one that may lie on the border adds 0 or its own term, 0.
                    lo, hi = (_ceiling(x) for x in rational_bounds((origin - end) / step))
                    if hi - lo > 1:
                        return arb(0).union(arb(1))
                    scale = (end - origin).exp()
                    for at in (lo, hi):
                        count = min(max(at - first, 0), len(masses) - 1)
                        value = masses[count] - scale * tilted[count]
                        found = value if found is None else found.union(value)
                total = (found or arb(0)).max(arb(0)) + arb(0).union(left_out)
                return total.min(arb(1))

        return ball

    def _made(self, bits: int) -> tuple[int, list[arb], list[arb], arb]:
        """The first M, the sums of w_M and of w_M e^(gM) over the first 0, 1, ... points, and the mass left out."""
        with precision(bits):
            law, first, outside = _point(), 0, arb(0)
            done = mpq(0)
            for variance, m, spread, (_, _, times) in zip(
                [v for v, _, _ in self.groups], self._multiples, self._spread, self.groups, strict=True
            ):
                power, start, missing = self._power(variance, m, spread, times, bits)
                law, first, outside = law * power, first + start, outside + missing
                done += times * spread
                law, first, missing = self._cut(law, first, done, bits, 1)
                outside += missing
            step = rational_ball(self.step)
            masses, tilted = [arb(0)], [arb(0)]
            factor, fall = (step * first).exp(), step.exp()
            for w in law.coeffs():
                masses.append(masses[-1] + w)
                tilted.append(tilted[-1] + w * factor)
                factor *= fall
            return first, masses, tilted, outside.upper()

    def _power(self, variance: mpq, m: int, spread: mpq, times: int, bits: int) -> tuple[arb_poly, int, arb]:
        """The law of m times the sum of so many steps: polynomial, its first point, the mass left out."""
        base, start, outside = _one_step(variance, m, bits + times.bit_length())
        outside *= times
        law, first, count = base, start, 1
        for bit in bin(times)[3:]:
            law, first, count = law * law, 2 * first, 2 * count
            law, first, missing = self._cut(law, first, count * spread, bits, times // count + 1)
            outside += missing
            if bit == "1":
                law, first, count = law * base, first + start, count + 1
                law, first, missing = self._cut(law, first, count * spread, bits, times // count + 1)
                outside += missing
        return law, first, outside

    def _cut(self, law: arb_poly, first: int, variance: mpq, bits: int, uses: int) -> tuple[arb_poly, int, arb]:
        """The window |M| <= W of a partial sum that is used so many times, and what all its uses leave out."""
        reach = self._reach(variance, bits + uses.bit_length())
        _check_length(reach)
        coefficients = law.coeffs()
        skip = max(0, -reach - first)
        kept = coefficients[skip : max(reach - first + 1, skip)]
        if len(kept) == len(coefficients):
            return law, first, arb(0)
        return arb_poly(kept), first + skip, arb(2) ** -bits


def _check_length(reach: int) -> None:
    if 2 * reach + 1 > MAX_LENGTH:
        raise LimitError(f"a lattice of at most {MAX_LENGTH} points", shorten(2 * reach + 1))


def _point() -> arb_poly:
    return arb_poly([1])


def _one_step(variance: mpq, m: int, bits: int) -> tuple[arb_poly, int, arb]:
    """The law of m X."""
    terms, outside = noise_terms(variance, bits)
    reach = (len(terms) - 1) // 2
    coefficients = [arb(0)] * (2 * reach * m + 1)
    for i, w in enumerate(terms):
        coefficients[i * m] = w
    return arb_poly(coefficients), -reach * m, outside


def noise_terms(variance: mpq, bits: int, least: int = 0) -> tuple[list[arb], arb]:
    """P(x) for |x| <= R, R >= *least*, at the working precision, and an upper bound, about 2^(-bits), of the rest.

    The terms beyond R fall at least by the factor e^(-R/sigma²), and the normaliser is at least 1.
    """
    square = variance * (bits + 2) * 14 / 10
    reach = max(isqrt(int(square.numerator // square.denominator)) + 2, least)
    if reach > MAX_REACH:
        raise LimitError(f"a sum of at most {MAX_REACH} terms on either side", shorten(reach), "sigma")
    twice = 2 * variance
    weights = [rational_ball(-x * x / twice).exp() for x in range(reach + 2)]
    ratio = rational_ball(-mpq(reach + 1) / variance).exp()
    beyond = (2 * weights[reach + 1] / (1 - ratio)).upper()
    total = 2 * sum(weights[1 : reach + 1], arb(0)) + 1
    norm = total + arb(0).union(beyond)
    inside = [w / norm for w in weights[: reach + 1]]
    return inside[:0:-1] + inside, beyond


def _common_divisor(values: Sequence[mpq]) -> mpq:
    """The largest rational of which all are whole multiples."""
    numerator, denominator = 0, 1
    for x in values:
        p, q = int(x.numerator), int(x.denominator)
        numerator, denominator = gcd(numerator * q, p * denominator), denominator * q
    return mpq(numerator, denominator)


def _ceiling(x: mpq) -> int:
    return -int(-x.numerator // x.denominator)


class NoiseCells:
    """One discrete Gaussian step, at a rate in (0, 1], as cells of a loss grid in one direction."""

    __slots__ = ("rate", "sensitivity", "side", "variance")

    def __init__(self, variance: mpq, sensitivity: int, rate: mpq, side: Direction) -> None:
        if side == "both":
            raise InputError("one direction, forward or backward", "both", "direction")
        if variance <= 0 or sensitivity < 1 or not 0 < rate <= 1:
            got = f"{shorten(to_text(variance))}, {shorten(sensitivity)}, {shorten(to_text(rate))}"
            raise InputError("sigma² above 0, a sensitivity of at least 1 and a rate in (0, 1]", got)
        self.variance, self.sensitivity, self.rate, self.side = variance, sensitivity, rate, side

    def cells(self, width: mpq, bits: int, tail_bits: int) -> LossCells:
        """Integers up to a reach in their cells; further out lies at most about 2^(-tail_bits) on either side.

        log(1 - q + q e^l) is on no grid point of a rational width for a rational l other than 0, by the theorem of
        Lindemann and Weierstrass on 1, e^l and e^(h j); nor is l for q = 1 taken for one: there it is exact.
        """
        check_width(width)
        s = self.sensitivity
        with precision(_EXTRA):
            reach = (len(noise_terms(self.variance, tail_bits + 2)[0]) - 1) // 2
        outcomes = range(-reach, s + reach + 1)
        indices = [self._cell(mpq(s * s - 2 * s * x) / (2 * self.variance), width) for x in outcomes]
        with precision(working_bits(width, bits, indices)):
            terms, beyond = noise_terms(self.variance, tail_bits + 2, reach + s)
            middle, keep, rate = (len(terms) - 1) // 2, rational_ball(1 - self.rate), rational_ball(self.rate)
            sums: dict[int, CellMass] = {}
            for j, x in zip(indices, outcomes, strict=True):
                p, q = terms[middle + x], terms[middle + x - s]
                before = sums.get(j, CellMass(arb(0), arb(0)))
                sums[j] = CellMass(before.p + keep * q + rate * p, before.q + q)
            # Of P and of Q, at most so much lies beyond -R or beyond s + R.
            rest = arb(0).union(beyond)
            masses = sorted(sums.items(), key=lambda item: item[0])
            if self.side == "backward":
                masses = mirrored(masses)
            return make_cells(masses, width, bits, below=rest, above=rest, infinite=arb(0))

    def _cell(self, loss: mpq, width: mpq) -> int:
        if self.rate == 1 or not loss:
            quotient = loss / width
            return int(quotient.numerator // quotient.denominator)

        def ball(bits: int) -> arb:
            with precision(bits):
                return (rational_ball(self.rate) * rational_ball(loss).expm1()).log1p()

        return cell_of_loss(ball, width, False)
