"""Values of profiles by another library (mpmath), from the definitions alone."""

from __future__ import annotations

import mpmath
from gmpy2 import mpq

from tests.experiments.reference import real

DIGITS = 40


def delta_mu(mu, x):
    """Phi(-x/mu + mu/2) - e^x Phi(-x/mu - mu/2)."""
    near, far = ((x / mu + sign * mu / 2) / mpmath.sqrt(2) for sign in (-1, 1))
    return (mpmath.erfc(near) - mpmath.exp(x) * mpmath.erfc(far)) / 2


def squared_exponential(rate, factor):
    """min(1, B e^(-c x²))."""
    return lambda x: min(mpmath.mpf(1), real(mpq(factor)) * mpmath.exp(-real(mpq(rate)) * x * x))


def reciprocal(factor, exponent):
    """min(1, B e^s/x)."""
    return lambda x: min(mpmath.mpf(1), real(mpq(factor)) * mpmath.exp(real(mpq(exponent))) / x) if x else mpmath.mpf(1)


def refined(naive, x, most=8, steps=4000):
    """1 - (1 + e^x)·sup (1 - naive(e))/(1 + e^e) over a grid of e >= x: an upper bound, close to the truth."""
    best = max(
        (1 - naive(e)) / (1 + mpmath.exp(e)) for e in (x + mpmath.mpf(k) * most / steps for k in range(steps + 1))
    )
    return 1 - (1 + mpmath.exp(x)) * best
