"""Direct mpmath values for the tests of this folder: the definitions, by quadrature and by summation."""

from __future__ import annotations

import mpmath
from gmpy2 import mpq

__all__ = ["as_mpq", "density_pair", "hockey_stick_by_quadrature", "lattice_pair", "real", "renyi_by_quadrature"]


def real(x) -> mpmath.mpf:
    """A rational as an mpmath number."""
    x = mpq(x)
    return mpmath.mpf(int(x.numerator)) / int(x.denominator)


def as_mpq(value) -> mpq:
    """The exact rational value of an mpmath number."""
    sign, mantissa, exponent, _ = value._mpf_
    magnitude = mpq(int(mantissa)) * mpq(2) ** int(exponent)
    return -magnitude if sign else magnitude


def density_pair(kind: str, theta):
    """Densities of (P, Q) at unit scale, Q moved by theta."""
    t = real(theta)
    if kind == "gaussian":
        return mpmath.npdf, (lambda x: mpmath.npdf(x - t))
    return (lambda x: mpmath.e ** (-abs(x)) / 2), (lambda x: mpmath.e ** (-abs(x - t)) / 2)


def hockey_stick_by_quadrature(kind: str, theta, level, swap: bool = False):
    """∫ max(0, p - a q), split where the integrand has kinks."""
    p, q = density_pair(kind, theta)
    if swap:
        p, q = q, p
    t, a = real(theta), level
    edge = t / 2 - mpmath.log(a) / t if kind == "gaussian" else (t - mpmath.log(a)) / 2
    cuts = sorted({-60 - t, mpmath.mpf(0), t, edge, t - edge, 60 + 2 * t})
    cuts = [c for c in cuts if -60 - t <= c <= 60 + 2 * t]
    return mpmath.quad(lambda x: max(mpmath.mpf(0), p(x) - a * q(x)), cuts)


def renyi_by_quadrature(kind: str, theta, order):
    """∫ p^a q^(1-a), or ∫ p log(p/q) at order 1."""
    p, q = density_pair(kind, theta)
    t, a = real(theta), real(order)
    cuts = [-80 - 4 * t, -10, 0, t, 10 + t, 80 + 4 * t]
    if order == 1:
        return mpmath.quad(lambda x: p(x) * mpmath.log(p(x) / q(x)) if p(x) else 0, cuts)
    return mpmath.quad(lambda x: p(x) ** a * q(x) ** (1 - a), cuts)


def lattice_pair(sigma, sensitivity: int, reach: int = 120):
    """The discrete Gaussian pair as two lists of probabilities on -reach..reach."""
    s = real(sigma)
    weight = lambda z: mpmath.e ** (-(mpmath.mpf(z) ** 2) / (2 * s * s))  # noqa: E731
    places = range(-reach, reach + 1)
    total = mpmath.fsum(weight(z) for z in range(-3 * reach, 3 * reach + 1))
    return [weight(z) / total for z in places], [weight(z - sensitivity) / total for z in places]
