"""Composition by conditioning on one step: delta(eps) = E_{L ~ P_1}[delta_2(eps - L)].

For two independent steps D_a = E_{P_1 x P_2}[(1 - a e^(-L_1 - L_2))_+] (outcomes of infinite loss count 1). Given L_1
the inner expectation is the profile of the second step at the level a e^(-L_1). ∎

- :func:`two_step_delta`: both are described by :mod:`oracle.accountant.step_laws`, the second by its profile alone.
  The expectation is a sum over the atoms of the first and one-dimensional integrals of analytic functions over its
  pieces, cut where eps - l(x) crosses a break of the second profile. acb_calc_integrate (Gauss-Legendre with error
  bounds from the values on complex ellipses, adaptive bisection) encloses each. A cut is known only as a ball: over
  that sliver, and over what the law leaves out, the profile is taken as the whole of [0, 1]; the mass there is about
  the working accuracy.
- :func:`bracket_by_first_step`: the rest is any profile, known by enclosures at rational points, the first step a pair
  of cell masses. g(a) = D_a of the rest is convex and falls in a. Over a cell the split pair makes g its chord, so it
  is above; the pooled pair puts the cell's mean q/p into g, which is below by Jensen's inequality. The gap is of second
  order in h.

Reference: F. Johansson, *Numerical integration in arbitrary-precision ball arithmetic*, ICMS 2018.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol

from flint import acb, arb
from gmpy2 import mpq, mpz

from oracle.accountant.loss_cells import LossCells
from oracle.accountant.step_laws import Analytic, Piece, PiecewiseProfile, Step
from oracle.enclosures import Ball, Enclosure, precision, rational_ball, rational_bounds

__all__ = ["Profiled", "bracket_by_first_step", "two_step_delta"]

_EXTRA: Final = 40


class Profiled(Protocol):
    """What follows the first step: a step, or a composition with a piecewise analytic profile."""

    def profile(self, small: arb) -> PiecewiseProfile:
        """Its profile, with a slack of at most about *small*."""


def two_step_delta(first: Step, second: Profiled, epsilon: Ball) -> Ball:
    """The profile of a step together with what follows it at an eps given by balls, by conditioning on the first.

    The radius is about 2^(-bits) of 1, not of the value: small values take more bits, which
    :func:`oracle.enclosures.enclose` finds.
    """

    def ball(bits: int) -> arb:
        working = 2 * bits + _EXTRA
        with precision(working):
            small = arb(2) ** (-bits - 8)
            law, profile, eps = first.law(small), second.profile(small), epsilon(working)
            total = arb(0)
            for atom in law.atoms:
                if atom.loss.is_finite():
                    total += atom.p * profile.at(eps - atom.loss)
                elif atom.loss > 0:
                    total += atom.p
            for piece in law.pieces:
                total += _over_piece(piece, profile, eps, bits)
            left_out = law.p_rest + profile.slack
            return (total + arb(0).union(left_out.upper())).max(arb(0)).min(arb(1))

    return ball


def _over_piece(piece: Piece, profile: PiecewiseProfile, eps: arb, bits: int) -> arb:
    """The integral of p(x) f(eps - l(x)) over a piece, f the function of the profile that holds at x.

    l falls in x, so eps - l(x) grows, and the breaks are met in their order.
    """
    inner = [piece.at_loss(eps - b).max(piece.low).min(piece.high) for b in profile.breaks]
    cuts = [piece.low, *inner, piece.high]
    total = arb(0)
    for i, function in enumerate(profile.functions):
        start, end = cuts[i].upper(), cuts[i + 1].lower()
        if start < end:
            total += _integral(piece, function, eps, start, end, bits)
    for cut in cuts:
        width = (cut.upper() - cut.lower()).upper()
        if width > 0:
            density = abs(piece.p(acb(cut), False).real).upper()
            total += arb(0).union((width * density).upper())
    return total


def _integral(piece: Piece, function: Analytic, eps: arb, start: arb, end: arb, bits: int) -> arb:  # noqa: PLR0913, PLR0917
    def integrand(x: acb, analytic: bool) -> acb:
        return piece.p(x, analytic) * function(eps - piece.loss(x, analytic), analytic)

    tolerance = arb(2) ** -(bits + 8)
    return acb.integral(integrand, acb(start), acb(end), rel_tol=tolerance, abs_tol=tolerance).real


def bracket_by_first_step(cells: LossCells, rest: Callable[[mpq], Enclosure], epsilon: mpq) -> Enclosure:
    """Rationals lo <= delta <= hi of a step (its cells) composed with anything, at a rational eps.

    Args:
        cells: the two pairs of the first step, a few hundred cells of it.
        rest: an enclosure of the profile of everything else at a rational eps of either sign.
        epsilon: rational.
    """
    unit = mpz(1) << cells.bits
    high, low = mpq(cells.upper_infinite), mpq(cells.infinite_low)
    for j, mass in enumerate(cells.upper, cells.start):
        if mass:
            high += mass * rest(epsilon - cells.width * j).hi
    for j, (p, q) in enumerate(zip(cells.p_low, cells.q_high, strict=True), cells.start):
        if p:
            # p g(a q/p) grows with p and falls with q, so any eps that is at least log(a q/p) will do. q is tilted.
            low += p * rest(_shifted_up(epsilon - cells.width * j, p, q, cells.bits)).lo
    return Enclosure(low / unit, min(mpq(1), high / unit))


def _shifted_up(epsilon: mpq, p: int, q: int, bits: int) -> mpq:
    """A rational at least eps + log(q/p), of about *bits* bits."""
    with precision(bits):
        return rational_bounds(rational_ball(epsilon) + rational_ball(mpq(q, p)).log())[1]
