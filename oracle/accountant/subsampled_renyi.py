"""Rényi divergences of the Poisson subsampled Gaussian pair at every order above 1, in both directions.

The moment M_a = E_P[(p/q)^(a-1)] = K(a - 1) is the transform of the loss (:mod:`oracle.accountant.subsampled_gaussian`)
at a real point, which the trapezoid rule gives to any accuracy; D_a = log(M_a)/(a - 1). Forward, at whole orders, there
is a finite sum (:mod:`oracle.experiments.subsampled`), the second way.

Reference: I. Mironov, K. Talwar and L. Zhang, *Rényi differential privacy of the sampled Gaussian mechanism*,
arXiv:1908.10530, 2019, section 3.
"""

from __future__ import annotations

from typing import Final

from flint import arb
from gmpy2 import mpq

from oracle.accountant.subsampled_gaussian import SubsampledGaussian
from oracle.channels.divergences import Direction
from oracle.channels.renyi import Renyi
from oracle.enclosures import Ball, enclose, precision, rational_ball
from oracle.errors import Declined
from oracle.experiments.base import moment_value
from oracle.experiments.gaussian import Gaussian
from oracle.experiments.subsampled import PoissonSubsampled

__all__ = ["subsampled_gaussian_renyi"]

_EXTRA: Final = 24


def subsampled_gaussian_renyi(pair: PoissonSubsampled, order: mpq, side: Direction, digits: int) -> Renyi:
    """Moment (whole orders from 2) and divergence of an order above 1, one direction.

    Raises:
        Declined: for an order of at most 1, or a base that is no Gaussian pair.
        LimitError: where the quadrature is out of reach.
    """
    base = pair.base
    if not isinstance(base, Gaussian) or order <= 1:
        raise Declined("Rényi divergences of a subsampled pair are offered for gaussian, and for orders above 1")
    part = SubsampledGaussian(base.theta_squared, pair.rate, adds=side == "backward")

    def moment(bits: int) -> arb:
        with precision(bits + _EXTRA):
            return part.table(order - 1, mpq(1), 1, bits + _EXTRA)[0].real

    def divergence(bits: int) -> arb:
        with precision(bits + _EXTRA):
            return moment(bits).log() / rational_ball(order - 1)

    ball: Ball = divergence
    return Renyi(moment_value(moment, order, digits), enclose(ball, digits))
