"""What the laws of liu2022 ask a subject and compute for themselves: profiles, integrals of the density, quantiles.

Nothing here uses the engine's profile of mu-GDP: values come from Phi, from e^x, or by rigorous quadrature.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import accumulate
from typing import Any, Final, Literal

from flint import acb, arb
from gmpy2 import mpq

from oracle.channels.channel import Channel, Rows
from oracle.enclosures import Ball, Enclosure, precision, rational_ball, rational_bounds
from oracle.exact import Extended, Infinity, to_text
from oracle.gaussian_dp.rounding import decimal_floor
from oracle.laws.ask import Ask, Number, matrix
from oracle.laws.balle2018._facts import number
from oracle.laws.evidence import Evidence, Ref
from oracle.special import phi, phi_inverse_ball

__all__ = [
    "BITS",
    "ONE",
    "ZERO",
    "bounds",
    "bracket",
    "critical_epsilons",
    "delta_of",
    "density_integral",
    "difference",
    "digits_for",
    "exponential",
    "first_term",
    "gaussian_dp",
    "guarantees_node",
    "height",
    "middle",
    "profile",
    "second_term",
    "slope_integral",
    "worst_rows",
]

ZERO, ONE = mpq(0), mpq(1)
BITS: Final = 256


def bounds(ball: Ball, bits: int = BITS) -> Enclosure:
    """What a ball proves at one precision; a value that is exactly 0 is welcome."""
    with precision(bits):
        return Enclosure(*rational_bounds(ball(bits)))


def gaussian_dp(mu: mpq) -> dict[str, Any]:
    """The pair N(0, 1), N(mu, 1) as the protocol writes it."""
    return {"mechanism": "gaussian_dp", "mu": to_text(mu)}


def guarantees_node(pairs: list[tuple[mpq, mpq]]) -> dict[str, Any]:
    """Several guarantees (e^eps, delta) at once, as the protocol writes them."""
    return {
        "mechanism": "guarantees",
        "pairs": [{"exp_epsilon": to_text(a), "delta": to_text(d)} for a, d in pairs],
    }


def profile(ask: Ask, of: Channel | Rows | Mapping[str, Any], epsilon: mpq, digits: int = 20) -> Number:
    """The subject's delta at a real epsilon."""
    channel = dict(of) if isinstance(of, Mapping) else matrix(of)
    return number(ask.value("delta", {"channel": channel, "epsilon": to_text(epsilon), "digits": digits}))


def delta_of(ask: Ask, mu: mpq, epsilon: mpq, digits: int = 20) -> Number:
    """The subject's delta_mu(eps)."""
    return profile(ask, gaussian_dp(mu), epsilon, digits)


def height(value: Extended | Enclosure) -> Extended:
    """The upper end of a subject's number, infinite where that is."""
    return value.hi if isinstance(value, Enclosure) else value


def middle(value: Number | Infinity) -> mpq | Infinity:
    """One rational in the place of a subject's number."""
    return (value.lo + value.hi) / 2 if isinstance(value, Enclosure) else value


def difference(x: Number, y: Number) -> Enclosure:
    """X - y of two numbers, each exact or enclosed."""
    low, high = (x.lo, x.hi) if isinstance(x, Enclosure) else (x, x)
    return Enclosure(low - (y.hi if isinstance(y, Enclosure) else y), high - (y.lo if isinstance(y, Enclosure) else y))


def digits_for(table: Rows) -> int:
    """Digits at which a delta next to 1 is told from 1, for probabilities as long as those of a table."""
    longest = max(v.denominator.bit_length() for row in table for v in row)
    return min(20 + longest * 31 // 100, 1000)


def critical_epsilons(table: Rows, mu: mpq) -> list[mpq]:
    """0, and for each inner corner of T(P, Q) the |eps| at which it comes closest to the limit of mu-GDP, about.

    The corner (alpha, beta) gives the line 1 - beta - a alpha of D_a(Q‖P), a = e^eps; delta_mu has the slope -alpha in
    a where Phi(-eps/mu - mu/2) = alpha. So delta <= delta_mu at these places, in both orders of the two laws, is the
    same as mu-GDP. For laws with the same null sets.
    """
    columns = sorted((c for c in zip(*table, strict=True) if any(c)), key=lambda c: c[1] / c[0], reverse=True)
    alphas = [alpha for alpha in accumulate(p for p, _ in columns) if alpha < 1]
    places = [ZERO]
    for alpha in alphas:
        with precision(BITS):
            eps = -rational_ball(mu) * (phi_inverse_ball(alpha, BITS) + rational_ball(mu) / 2)
            places.append(abs(rational_bounds(eps.mid())[0]))
    return places


def bracket(
    evidence: Evidence, function: Literal["exp", "log", "normal"], argument: mpq, digits: int
) -> tuple[Ref, Ref]:
    """A bracket of e^x, log x or Phi(x) by two neighbouring multiples of 10^-digits."""

    def ball(_: int) -> arb:
        x = rational_ball(argument)
        return x.exp() if function == "exp" else x.log() if function == "log" else phi(x)

    low = decimal_floor(bounds(ball, 4 * digits + BITS).lo, digits)
    return evidence.bracket(function, argument, low, low + mpq(10) ** -digits)


def worst_rows(level: mpq, delta: mpq) -> Rows:
    """The channel of (eps0, delta0): an answer that gives the input away with probability delta0, else a0 : 1."""
    small = (1 - delta) / (1 + level)
    return (delta, level * small, small, ZERO), (ZERO, small, level * small, delta)


def exponential(x: mpq, factor: mpq = ONE) -> Enclosure:
    """factor·e^x."""
    return bounds(lambda _: rational_ball(factor) * rational_ball(x).exp())


def first_term(mu: mpq, epsilon: mpq) -> Enclosure:
    """Phi(-eps/mu + mu/2)."""
    return bounds(lambda _: phi(rational_ball(mu / 2 - epsilon / mu)))


def second_term(mu: mpq, epsilon: mpq) -> Enclosure:
    """e^eps Phi(-eps/mu - mu/2)."""
    return bounds(lambda _: rational_ball(epsilon).exp() * phi(rational_ball(-mu / 2 - epsilon / mu)))


def _integral(function: Callable[[acb], acb], low: mpq, high: mpq) -> Enclosure:
    def ball(_: int) -> arb:
        found = acb.integral(lambda z, _: function(z), acb(rational_ball(low)), acb(rational_ball(high)))
        return found.real

    return bounds(ball)


def density_integral(epsilon: mpq, low: mpq, high: mpq) -> Enclosure:
    """∫ phi(eps/m - m/2) dm over [low, high], 0 < low: delta_high(eps) - delta_low(eps)."""

    def density(m: acb) -> acb:
        a = rational_ball(epsilon) / m - m / 2
        return (-a * a / 2).exp() / (2 * arb.pi()).sqrt()

    return _integral(density, low, high)


def slope_integral(mu: mpq, low: mpq, high: mpq) -> Enclosure:
    """∫ e^x Phi(-x/mu - mu/2) dx over [low, high]: delta_mu(low) - delta_mu(high)."""

    def slope(x: acb) -> acb:
        b = x / rational_ball(mu) + rational_ball(mu) / 2
        return x.exp() * (b / arb(2).sqrt()).erfc() / 2

    return _integral(slope, low, high)
