"""Compositions of scalar Laplace mechanisms: the exact privacy profile as one exponential sum.

One step is the pair Lap(0, 1), Lap(theta, 1), theta = sensitivity/scale. Its loss is theta with P-mass 1/2, -theta with
P-mass e^(-theta)/2, and has the P-density e^(-(theta-l)/2)/4 in between. So with w = z + 1/2

    K(z) = E_P[e^(zL)] = e^(-theta/2) · (e^(theta w) (w + 1/2) + e^(-theta w) (w - 1/2)) / (2w).

**Theorem.** Compose n = Σ k_i >= 1 steps, k_i of them of theta_i, and let Θ = Σ k_i theta_i. For |eps| < Θ

    delta(eps) = 1 + e^((eps - Θ)/2) · R,
    R = 2^(1-n) · Σ_j Π_i C(k_i, j_i) · [v^(n-1)] (v+1)^(J-1) (v-1)^(n-J-1) e^(vA/2)

where j runs over the vectors 0 <= j_i <= k_i with A = Σ theta_i (2 j_i - k_i) - eps > 0, J = Σ j_i, and a factor of
exponent -1 is its power series at v = 0. delta = 0 for eps >= Θ and delta = 1 - e^eps for eps <= -Θ.

**Proof.** The last two: all losses lie in [-Θ, Θ]. For c > 0, (1 - e^(eps-l))_+ is the absolutely convergent integral
(1/2πi) ∫ e^(z(l-eps))/(z(z+1)) dz over Re z = c, so by Fubini delta(eps) is that of Π K_i(z)^(k_i) e^(-z eps)/(z(z+1)).
Here z(z+1) = (w-1/2)(w+1/2). Expanding the powers, the term of j is Π C(k_i, j_i) · 2^(-n) · e^((eps-Θ)/2) times

    (1/2πi) ∫ e^(wA) (w+1/2)^(J-1) (w-1/2)^(n-J-1) w^(-n) dw    over Re w = c + 1/2,

whose rational factor decays as |w|^(-2). For A <= 0 the contour closes to the right, where there is no pole: 0. For
A >= 0 it closes to the left and the integral is the sum of the residues. At w = 0 the residue is [w^(n-1)] of the other
factors, which under w = v/2 is 2^(n-1) · 2^(2-n) · [v^(n-1)] (v+1)^(J-1) (v-1)^(n-J-1) e^(vA/2). At w = 1/2 there is a
pole only for J = n, where A = Θ - eps > 0; that residue with the factors before it is exactly 1. At w = -1/2 there is
one only for J = 0, where A = -Θ - eps < 0 and the term is 0. ∎

R is rational for a rational eps, so delta is an exact number of :class:`oracle.formal.FormalSum`: its zero and sign are
decided. The pair is symmetric, so is every composition: one direction answers both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import comb, factorial
from typing import TYPE_CHECKING, Final

from flint import arb, fmpq, fmpq_poly, fmpz, fmpz_poly
from gmpy2 import mpq

from oracle.enclosures import Ball, precision, rational_ball
from oracle.errors import InputError, LimitError, shorten
from oracle.exact import to_text
from oracle.formal import FormalSum

if TYPE_CHECKING:
    from oracle.levels import Level

__all__ = ["MAX_STEPS", "LaplaceComposition"]

MAX_STEPS: Final = 2_000
"""Most steps in all; the work of one value grows with the third power of their number."""

_MAX_TERMS: Final = 20_000
"""Most pairs (J, A) of a composition of different scales."""

_MOST_KEPT: Final = 400
"""Up to so many steps the polynomials are kept (40 MB at most), so that many values cost little more than one."""


class LaplaceComposition:
    """A composition of scalar Laplace mechanisms.

    Args:
        groups: (theta, times) of each group of equal steps, theta > 0 rational; equal thetas are counted together.

    Raises:
        InputError: for a theta not above 0 or a negative number of times.
        LimitError: for more than ``MAX_STEPS`` steps, or too many combinations of different scales.
    """

    __slots__ = ("_kept", "_terms", "steps", "total")

    steps: int
    """n, the number of steps."""
    total: mpq
    """Θ, the largest loss."""

    def __init__(self, groups: Sequence[tuple[mpq, int]]) -> None:
        counted = _counted(groups)
        self.steps = sum(counted.values())
        self.total = sum((theta * times for theta, times in counted.items()), mpq(0))
        self._terms = _terms(counted)
        self._kept: dict[int, fmpz_poly] = {}

    def delta(self, epsilon: mpq) -> FormalSum:
        """The exact privacy profile at a rational eps of either sign."""
        one = FormalSum.rational(1)
        if epsilon >= self.total:
            return FormalSum()
        if epsilon <= -self.total:
            return one - FormalSum.exp(epsilon)
        residue = fmpq(0)
        for (ups, shift), ways in self._terms.items():
            if shift > epsilon:
                x = (shift - epsilon) / 2
                residue += ways * self._polynomial(ups)(fmpq(int(x.numerator), int(x.denominator)))
        coefficient = mpq(int(residue.p), int(residue.q)) / int(self._scale())
        return one + FormalSum.exp((epsilon - self.total) / 2).scaled(coefficient)

    def delta_ball(self, epsilon: Ball) -> Ball:
        """The profile at an eps given by balls: a ball of it for every eps of the ball.

        The terms alternate and cancel, so the work is done with more bits.
        """

        def ball(bits: int) -> arb:
            extra = 4 * self.steps + 64
            with precision(bits + extra):
                eps, end = epsilon(bits + extra), rational_ball(self.total)
                if eps >= end:
                    return arb(0)
                if eps <= -end:
                    return -eps.expm1()
                if not self.steps:
                    return (-eps.expm1()).max(arb(0))
                middle = self._middle(eps)
                # A ball of eps across Θ contains it, and the formula gives 0 there.
                if not eps < end:
                    middle = middle.max(arb(0))
                return middle if eps >= -end else middle.union(-eps.expm1())

        return ball

    def delta_at(self, level: Level) -> FormalSum | Ball:
        """The profile at a = e^eps: an exact number for a rational eps, a = 0 and a = inf, else a ball."""
        if level.is_infinite:
            return FormalSum()
        if level.exponent is not None:
            return self.delta(level.exponent)
        value = level.value
        if not isinstance(value, mpq) or not value:
            return FormalSum.rational(1)
        if value == 1:
            return self.delta(mpq(0))
        return self.delta_ball(lambda _: rational_ball(value).log())

    def pieces(self) -> list[tuple[mpq, fmpq_poly]]:
        """(start, R) of each interval of [-Θ, Θ] between neighbouring shifts, R as a polynomial in eps; for n >= 1."""
        found, total = [], fmpq_poly()
        shifts = sorted({shift for _, shift in self._terms}, reverse=True)
        for shift, start in pairwise(shifts):
            half = shift / 2
            inner = fmpq_poly([fmpq(int(half.numerator), int(half.denominator)), fmpq(-1, 2)])
            for (ups, at), ways in self._terms.items():
                if at == shift:
                    total += ways * fmpq_poly(self._polynomial(ups).coeffs())(inner)
            found.append((start, total / self._scale()))
        return found[::-1]

    def _scale(self) -> fmpz:
        """2^(n-1) (n-1)!, the denominator of R over the integer polynomials; for n >= 1."""
        return fmpz(2) ** (self.steps - 1) * fmpz(factorial(self.steps - 1))

    def _middle(self, eps: arb) -> arb:
        """1 + e^((eps - Θ)/2)·R over a ball of eps.

        The summand of j is 0 where A <= 0 and its formula where A >= 0, and is 0 at A = 0 for 0 < J < n (the contour
        closes either way there). So where a ball of A contains 0 the summand is taken as the union of 0 and the formula
        over the part of the ball that is not negative. The summand of J = n, where A = Θ - eps, is the formula itself.
        """
        half = ((eps - rational_ball(self.total)) / 2).exp()
        residue = arb(0)
        for (ups, shift), ways in self._terms.items():
            a = (rational_ball(shift) - eps) / 2
            if a <= 0:
                continue
            doubtful = ups < self.steps and not a > 0
            value = _evaluate(self._polynomial(ups), a.max(arb(0)) if doubtful else a)
            residue += arb(ways) * (value.union(arb(0)) if doubtful else value)
        return 1 + half * residue / arb(self._scale())

    def _polynomial(self, ups: int) -> fmpz_poly:
        known = self._kept.get(ups)
        if known is None:
            known = _residue_polynomial(self.steps, ups)
            if self.steps <= _MOST_KEPT:
                self._kept[ups] = known
        return known


def _counted(groups: Sequence[tuple[mpq, int]]) -> dict[mpq, int]:
    """The number of steps of each theta."""
    found: dict[mpq, int] = {}
    for i, (theta, times) in enumerate(groups):
        if theta <= 0:
            raise InputError("theta above 0", shorten(to_text(theta)), f"groups[{i}]")
        if times < 0:
            raise InputError("a number of times at least 0", shorten(times), f"groups[{i}]")
        if times:
            found[theta] = found.get(theta, 0) + times
    if sum(found.values()) > MAX_STEPS:
        raise LimitError(f"at most {MAX_STEPS} Laplace steps", shorten(sum(found.values())), "groups")
    return found


def _terms(counted: Mapping[mpq, int]) -> dict[tuple[int, mpq], int]:
    """Π C(k_i, j_i) added up over the j of each (J, Σ theta_i (2 j_i - k_i))."""
    terms: dict[tuple[int, mpq], int] = {(0, mpq(0)): 1}
    for theta, times in counted.items():
        if len(terms) * (times + 1) > _MAX_TERMS:
            raise LimitError(f"a composition of at most {_MAX_TERMS} combinations of scales", "more", "groups")
        found: dict[tuple[int, mpq], int] = {}
        for (ups, shift), ways in terms.items():
            for j in range(times + 1):
                key = ups + j, shift + theta * (2 * j - times)
                found[key] = found.get(key, 0) + ways * comb(times, j)
        terms = found
    return terms


def _residue_polynomial(steps: int, ups: int) -> fmpz_poly:
    """(n-1)! · [v^(n-1)] (v+1)^(J-1) (v-1)^(n-J-1) e^(vx) as a polynomial in x, whose coefficients are integers.

    The coefficient of x^m is c_(n-1-m) (n-1)!/m!, with c_i = [v^i] of the two powers.
    """
    up, down = fmpz_poly([1, 1]), fmpz_poly([-1, 1])
    if 0 < ups < steps:
        series = up ** (ups - 1) * down ** (steps - ups - 1)
    else:
        # 1/(v-1) = -Σ v^i and 1/(v+1) = Σ (-v)^i.
        inverse = fmpz_poly([-1] * steps) if ups else fmpz_poly([(-1) ** i for i in range(steps)])
        series = ((up if ups else down) ** (steps - 1)).mul_low(inverse, steps)
    coefficients, factor = [], fmpz(1)
    for m in range(steps - 1, -1, -1):
        coefficients.append(series[steps - 1 - m] * factor)
        factor *= m
    return fmpz_poly(coefficients[::-1])


def _evaluate(polynomial: fmpz_poly, x: arb) -> arb:
    """Horner's rule on balls, at the working precision that is set."""
    total = arb(0)
    for coefficient in reversed(polynomial.coeffs()):
        total = total * x + arb(coefficient)
    return total
