"""Square root, the standard normal distribution function, its logarithm and its inverse, as balls and enclosures.

The functions on balls work at python-flint's current working precision and enclose the value at every
point of their argument. The enclosures are proved and have the digits asked for (:func:`oracle.enclosures.enclose`).

Phi(x) = (1/√(2π)) ∫_{-∞}^x e^(-t²/2) dt = erfc(-x/√2)/2.

References: F. Johansson, *Computing hypergeometric functions rigorously*, ACM Transactions on Mathematical
Software 45(3), 2019 (erfc); R. D. Gordon, Annals of Mathematical Statistics 12(3), 1941 (bounds of Mills' ratio).
"""

from __future__ import annotations

from typing import Final

import flint
from flint import arb
from gmpy2 import iroot, mpq

from oracle.enclosures import DEFAULT_DIGITS, Enclosure, enclose, precision, rational_ball
from oracle.errors import InputError, shorten

__all__ = [
    "exact_square_root",
    "log_phi",
    "log_phi_enclosure",
    "phi",
    "phi_enclosure",
    "phi_inverse",
    "phi_inverse_ball",
    "phi_inverse_enclosure",
    "square_root",
]

_FAR: Final = 1 << 20
"""Below -_FAR the bounds of Mills' ratio are considered for log Phi."""


def phi(x: arb) -> arb:
    """Phi(x), the probability that a standard normal variable is at most x; relatively accurate in the left tail."""
    return (x / -arb(2).sqrt()).erfc() / 2


def log_phi(x: arb) -> arb:
    """The logarithm of Phi(x), accurate in both tails."""
    if x > 0:
        return (-phi(-x)).log1p()
    if x < -_FAR:
        # For y = -x > 0: phi(y)/y · (1 - 1/y²) < Phi(-y) < phi(y)/y with phi the density (Gordon 1941), so the
        # logarithm is log(phi(y)/y) + log(1 - t/y²) with 0 < t < 1. The term left over is below 2/y².
        y = -x
        rest = (1 - arb(0).union(arb(1)) / (y * y)).log()
        far = -(y * y) / 2 - (y * (2 * arb.pi()).sqrt()).log() + rest
        if rest.rad() < abs(far) * arb(2) ** (-flint.ctx.prec):
            return far
    return phi(x).log()


def phi_inverse(p: arb) -> arb:
    """The x with Phi(x) = p, for a ball inside (0, 1); relatively accurate for small p."""
    return -arb(2).sqrt() * (2 * p).erfcinv()


def phi_inverse_ball(p: mpq, bits: int) -> arb:
    """A ball for the x with Phi(x) = p, 0 < p < 1, relatively accurate near both ends; exactly 0 for p = 1/2."""
    with precision(bits):
        half = mpq(1, 2)
        if p == half:
            return arb(0)
        return phi_inverse(rational_ball(p)) if p < half else -phi_inverse(rational_ball(1 - p))


def exact_square_root(x: mpq) -> mpq | None:
    """The rational square root of x >= 0 if there is one."""
    if x < 0:
        raise InputError("a number at least 0", shorten(x))
    top, exact_top = iroot(x.numerator, 2)
    bottom, exact_bottom = iroot(x.denominator, 2)
    return mpq(top, bottom) if exact_top and exact_bottom else None


def square_root(x: mpq, digits: int = DEFAULT_DIGITS) -> mpq | Enclosure:
    """√x for x >= 0: the rational where it is one, else an enclosure."""
    exact = exact_square_root(x)
    if exact is not None:
        return exact

    def ball(bits: int) -> arb:
        with precision(bits):
            return rational_ball(x).sqrt()

    return enclose(ball, digits)


def phi_enclosure(x: mpq, digits: int = DEFAULT_DIGITS) -> mpq | Enclosure:
    """Phi(x): exactly 1/2 at 0, else an enclosure (the value is then transcendental)."""
    if x == 0:
        return mpq(1, 2)

    def ball(bits: int) -> arb:
        with precision(bits):
            return phi(rational_ball(x))

    return enclose(ball, digits)


def log_phi_enclosure(x: mpq, digits: int = DEFAULT_DIGITS) -> Enclosure:
    """Enclosure of log Phi(x)."""

    def ball(bits: int) -> arb:
        with precision(bits):
            return log_phi(rational_ball(x))

    return enclose(ball, digits)


def phi_inverse_enclosure(p: mpq, digits: int = DEFAULT_DIGITS) -> mpq | Enclosure:
    """The x with Phi(x) = p, 0 < p < 1: exactly 0 at 1/2, else an enclosure.

    Raises:
        InputError: for p outside (0, 1).
    """
    if not 0 < p < 1:
        raise InputError("a probability above 0 and below 1", shorten(p))
    if p == mpq(1, 2):
        return mpq(0)
    return enclose(lambda bits: phi_inverse_ball(p, bits), digits)
