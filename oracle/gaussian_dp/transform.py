"""The GDP transform G(eps) = mu_GDP(eps, delta(eps)) of a profile: the mu that each single guarantee needs.

A mechanism with the profile delta is mu-GDP if and only if G(eps) <= mu for every eps >= 0, so its tight mu is the
supremum of G. The transform keeps the order of profiles, and that of delta_mu is the constant mu.

Reference: Y. Liu, K. Sun, B. Jiang and L. Kong, NeurIPS 2022, definition of the GDPT and theorem 4.1.
"""

from __future__ import annotations

import flint
from flint import arb
from gmpy2 import mpq

from oracle.enclosures import DEFAULT_DIGITS, Ball, Enclosure, enclose, parse_digits
from oracle.errors import InputError
from oracle.exact import INFINITY, Extended
from oracle.experiments.base import level_logarithm
from oracle.gaussian_dp.arguments import EpsilonLike, level_of
from oracle.gaussian_dp.formula_text import ProfileLike, profile_of
from oracle.gaussian_dp.profile import delta_mu_ball, mu_gdp_ball
from oracle.gaussian_dp.profiles import Profile
from oracle.special import phi, phi_inverse

__all__ = ["delta_mu_at", "delta_mu_derivatives", "transform", "transform_at", "transform_at_zero", "transform_ball"]


def transform_ball(profile: Profile, epsilon: Ball) -> Ball:
    """G at a real eps >= 0 that is given by a ball."""
    return mu_gdp_ball(epsilon, profile.ball(epsilon))


def transform_at_zero(profile: Profile) -> arb:
    """G(0) = -2 Phi^(-1)((1 - delta(0))/2), at the working precision that is set."""
    return -2 * phi_inverse(profile.half_overlap())


def transform_at(profile: Profile, epsilon: arb) -> arb:
    """The values of G on a ball, at the working precision that is set."""
    bits = flint.ctx.prec
    return transform_ball(profile, lambda _: epsilon)(bits)


def transform(profile: ProfileLike, epsilon: EpsilonLike, digits: int = DEFAULT_DIGITS) -> Extended | Enclosure:
    """G at an epsilon: 0 where delta is 0, infinite where it is 1, otherwise an enclosure.

    Args:
        profile: a profile, or the text of a noise formula, such as "exp(-eps^2)".
        epsilon: as in :mod:`oracle.gaussian_dp.arguments`.
        digits: of the enclosure.

    Raises:
        InputError: for an epsilon below 0 or an infinite one.
    """
    delta, level, digits = profile_of(profile), level_of(epsilon, minimum_one=False), parse_digits(digits)
    if level.compare(1) < 0 or level.is_infinite:
        raise InputError("a finite epsilon of at least 0", level.describe(), "epsilon")
    exact = delta.exact(level)
    if exact is not None and exact in (0, 1):
        return INFINITY if exact else mpq(0)
    return enclose(transform_ball(delta, level_logarithm(level)), digits)


def delta_mu_at(mu: arb, epsilon: arb) -> arb:
    """The values of delta_mu on a ball of eps, at the working precision that is set."""
    return delta_mu_ball(lambda _: mu, lambda _: epsilon)(flint.ctx.prec)


def delta_mu_derivatives(mu: arb, epsilon: arb) -> tuple[arb, arb]:
    """Enclosures of the derivatives of delta_mu in eps on a ball of eps >= 0.

    With a = eps/mu - mu/2, b = a + mu, Mills' ratio m and e^eps phi(b) = phi(a): delta_mu' = -e^eps Phi(-b) =
    -phi(a) m(b) and delta_mu'' = phi(a)/mu - e^eps Phi(-b) = phi(a)·(1/mu - m(b)), where m decreases.
    """
    a, b = epsilon / mu - mu / 2, epsilon / mu + mu / 2
    density = (-(a**2) / 2).exp() / (2 * arb.pi()).sqrt()
    near = _mills(b) if b.is_exact() else _mills(b.lower()).union(_mills(b.upper()))
    return -density * near, density * (1 / mu - near)


def _mills(t: arb) -> arb:
    """Phi(-t)/phi(t)."""
    return phi(-t) * (t * t / 2).exp() * (2 * arb.pi()).sqrt()
