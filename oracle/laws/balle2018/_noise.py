"""Laplace and Gaussian noise by definition: masses of half-lines, the excess integrated, all as proved bounds.

Scale 1, P centred at 0 and Q at theta > 0. The likelihood ratio p/q does not increase in z, so among all events a
half-line {z <= t} has the largest P(E) - a Q(E): for the Gaussian p > a q iff z < theta/2 - eps/theta, for Laplace
noise t = (theta - eps)/2 where |eps| <= theta.
"""

from __future__ import annotations

from typing import Any, Final

from flint import acb, arb
from gmpy2 import mpq

from oracle.enclosures import Ball, Enclosure, precision, rational_ball, rational_bounds
from oracle.exact import to_text
from oracle.laws.ask import Ask, Number
from oracle.laws.balle2018._facts import ONE, number

__all__ = [
    "bounds",
    "exponential",
    "gaussian",
    "gaussian_excess",
    "laplace",
    "laplace_excess",
    "laplace_profile",
    "profile",
]

_BITS: Final = 128
_REACH: Final = mpq(12)
"""Below min(t, 0) - 12 the Gaussian has less mass than e^-72, or e^-72 times that of a tail beyond t."""


def bounds(ball: Ball, bits: int = _BITS) -> Enclosure:
    """What a ball proves at one precision; a value that is exactly 0 is welcome."""
    with precision(bits):
        return Enclosure(*rational_bounds(ball(bits)))


def exponential(x: mpq, factor: mpq = ONE) -> Enclosure:
    """factor·e^x."""
    return bounds(lambda _: rational_ball(factor) * rational_ball(x).exp())


def laplace(sensitivity: mpq, scale: mpq) -> dict[str, Any]:
    """The Laplace mechanism as the protocol writes it."""
    return {"mechanism": "laplace", "scale": to_text(scale), "sensitivity": to_text(sensitivity)}


def gaussian(sensitivity: mpq, sigma: mpq) -> dict[str, Any]:
    """The Gaussian mechanism as the protocol writes it."""
    return {"mechanism": "gaussian", "sigma": to_text(sigma), "sensitivity": to_text(sensitivity)}


def profile(ask: Ask, mechanism: dict[str, Any], epsilon: mpq, direction: str = "both") -> Number:
    """The subject's delta at epsilon, any real one."""
    args = {"channel": mechanism, "epsilon": to_text(epsilon), "direction": direction}
    return number(ask.value("delta" if direction == "both" else "hockey_stick", args))


def _laplace_mass(t: mpq) -> arb:
    """Mass of {z <= t} under Laplace noise of scale 1."""
    tail = rational_ball(-abs(t)).exp() / 2
    return tail if t <= 0 else 1 - tail


def laplace_excess(theta: mpq, epsilon: mpq, t: mpq) -> Enclosure:
    """P(z <= t) - e^eps Q(z <= t)."""
    return bounds(lambda _: _laplace_mass(t) - rational_ball(epsilon).exp() * _laplace_mass(t - theta))


def laplace_profile(theta: mpq, epsilon: mpq) -> Number:
    """The formula of theorem 3, continued below -theta: [1 - e^((eps - theta)/2)]_+, then 1 - e^eps."""
    if epsilon >= theta:
        return mpq(0)
    exponent = (epsilon - theta) / 2 if epsilon >= -theta else epsilon
    return bounds(lambda _: -rational_ball(exponent).expm1())


def gaussian_excess(theta: mpq, epsilon: mpq) -> Enclosure:
    """∫ over z < theta/2 - eps/theta of (p - e^eps q), by rigorous quadrature and a bound of the tail.

    Below a point x < 0 the integrand is at most p, whose tail is at most e^(-x²/2)/2.
    """
    end = theta / 2 - epsilon / theta
    start = min(end, mpq(0)) - _REACH

    def ball(_: int) -> arb:
        shift, factor = acb(rational_ball(theta)), acb(rational_ball(epsilon).exp())

        def integrand(z: acb, _: bool) -> acb:
            return (-z * z / 2).exp() - factor * (-(z - shift) * (z - shift) / 2).exp()

        low, high = rational_ball(start), rational_ball(end)
        scale = (2 * arb.pi()).sqrt()
        inner = acb.integral(integrand, acb(low), acb(high)).real / scale
        return inner + arb(0).union((-low * low / 2).exp() / 2)

    return bounds(ball)
