"""The piecewise analytic profile of a composition of Laplace mechanisms, as what follows another step.

Between neighbouring values of Σ theta_i (2 j_i - k_i) the theorem of :mod:`oracle.accountant.laplace_residues` has the
same terms, so there the profile is 1 + e^((eps - Θ)/2)·R(eps) with R one polynomial with rational coefficients. So a
Gaussian, subsampled or finite step together with any number of Laplace steps is a single integral
(:func:`oracle.accountant.conditioning.two_step_delta`); any number of Gaussian steps is one.
"""

from __future__ import annotations

from typing import Final

import flint
from flint import acb, arb, fmpq, fmpq_poly

from oracle.accountant.laplace_residues import LaplaceComposition
from oracle.accountant.step_laws import Analytic, PiecewiseProfile
from oracle.enclosures import precision, rational_ball
from oracle.errors import LimitError, shorten

__all__ = ["MAX_PROFILE_STEPS", "LaplaceProfile"]

MAX_PROFILE_STEPS: Final = 200
"""Most steps; every evaluation of the integrand evaluates a polynomial of so high a degree."""


class LaplaceProfile:
    """The profile of a composition of at least one Laplace step.

    Raises:
        LimitError: for more than ``MAX_PROFILE_STEPS`` steps, or none.
    """

    __slots__ = ("composition",)

    composition: LaplaceComposition

    def __init__(self, composition: LaplaceComposition) -> None:
        if not 1 <= composition.steps <= MAX_PROFILE_STEPS:
            raise LimitError(f"1 to {MAX_PROFILE_STEPS} Laplace steps", shorten(composition.steps), "groups")
        self.composition = composition

    def profile(self, small: arb) -> PiecewiseProfile:  # noqa: ARG002 - exact
        """1 - e^eps, then one exponential times a polynomial for each interval, then 0."""
        pieces = self.composition.pieces()
        functions = [_piece(polynomial, self.composition) for _, polynomial in pieces]
        breaks = [rational_ball(start) for start, _ in pieces]
        return PiecewiseProfile(
            (*breaks, rational_ball(self.composition.total)),
            (lambda epsilon, _: -epsilon.expm1(), *functions, lambda _, __: acb(0)),
            arb(0),
        )


def _piece(polynomial: fmpq_poly, composition: LaplaceComposition) -> Analytic:
    """The function 1 + e^((eps - Θ)/2)·R(eps); R's terms cancel, about two bits a step."""
    coefficients: list[fmpq] = polynomial.coeffs()
    extra = 4 * composition.steps + 16

    def value(epsilon: acb, _: bool) -> acb:
        with precision(flint.ctx.prec + extra):
            total = acb(0)
            for coefficient in reversed(coefficients):
                total = total * epsilon + arb(coefficient)
            return 1 + ((epsilon - rational_ball(composition.total)) / 2).exp() * total

    return value
