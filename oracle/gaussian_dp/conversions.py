"""Between mu-GDP and other notions of privacy, each with what the number is: exact, an upper or a lower bound.

"Exact" means: every mechanism with the premise has the conclusion, and some mechanism with the premise has no better
one. An upper bound need not be attained; a lower bound says what cannot be undercut.

References: J. Dong, A. Roth and W. J. Su, *Gaussian differential privacy*, JRSS B 84(1), 2022 (corollaries 1 to 3,
theorem 2.14); M. Bun and T. Steinke, *Concentrated differential privacy*, TCC 2016 (proposition 1.4, lemma 3.5);
Y. Liu, K. Sun, B. Jiang and L. Kong, NeurIPS 2022, section 5.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

from flint import arb
from gmpy2 import mpq

from oracle.channels.divergences import check_delta
from oracle.channels.renyi import check_order
from oracle.enclosures import DEFAULT_DIGITS, Enclosure, enclose, precision, rational_ball
from oracle.errors import InputError, shorten
from oracle.exact import INFINITY, NEGATIVE_INFINITY, Extended, Infinity, to_text
from oracle.experiments.base import level_logarithm
from oracle.experiments.gaussian import Gaussian
from oracle.gaussian_dp.concentrated import check_rho
from oracle.gaussian_dp.profile import check_mu, delta_mu, mu_gdp
from oracle.levels import Level
from oracle.special import phi_inverse, square_root

__all__ = [
    "Conversion",
    "composed_mu",
    "curve_of_mu",
    "delta_of_mu",
    "delta_of_rho",
    "epsilon_of_mu",
    "group_mu",
    "mu_of_guarantee",
    "mu_of_least_rho",
    "mu_of_point",
    "renyi_of_mu",
    "rho_of_guarantee",
    "rho_of_mu",
]

Value = Extended | Enclosure


class Conversion(NamedTuple):
    """A number, and what it is: "exact", an "upper" bound or a "lower" bound."""

    value: Value
    kind: Literal["exact", "upper", "lower"]


def composed_mu(parts: Iterable[mpq], digits: int = DEFAULT_DIGITS) -> Conversion:
    """Exact: the composition of mu_i-GDP mechanisms is √(Σ mu_i²)-GDP, attained by Gaussian mechanisms.

    Raises:
        InputError: for a mu below 0.
    """
    total = mpq(0)
    for k, mu in enumerate(parts):
        check_mu(mu, f"mu[{k}]")
        total += mu * mu
    return Conversion(square_root(total, digits), "exact")


def group_mu(mu: mpq, size: int) -> Conversion:
    """Exact: a mu-GDP mechanism is (size·mu)-GDP for groups of *size* records, attained by the Gaussian mechanism."""
    check_mu(mu)
    if size < 1:
        raise InputError("a number of records, at least 1", shorten(size), "size")
    return Conversion(size * mu, "exact")


def delta_of_mu(mu: Extended, level: Level, digits: int = DEFAULT_DIGITS) -> Conversion:
    """Exact: a mu-GDP mechanism is (eps, delta_mu(eps))-DP, attained by the Gaussian mechanism."""
    return Conversion(delta_mu(mu, level, digits), "exact")


def epsilon_of_mu(mu: mpq, delta: mpq, digits: int = DEFAULT_DIGITS) -> Conversion:
    """Exact: the least eps >= 0 with delta_mu(eps) <= delta; infinite for delta = 0 and mu > 0."""
    check_mu(mu)
    check_delta(delta)
    if not mu:
        return Conversion(mpq(0), "exact")
    least = Gaussian.of(mu).least_epsilon(delta, "both", digits)
    value = least.epsilon(digits) if isinstance(least, Level) else least
    return Conversion(value, "exact")


def mu_of_guarantee(level: Level, delta: mpq, digits: int = DEFAULT_DIGITS) -> Conversion:
    """Exact: the least mu that (eps, delta)-DP implies, -2 Phi^(-1)(1/(1 + e^eps)) for delta = 0.

    Randomized response attains it. A delta above 0 implies no mu, since an outcome of probability delta may have
    probability 0 on the other side; so does an infinite eps.

    Raises:
        InputError: for an eps below 0 or a delta outside [0, 1].
    """
    check_delta(delta)
    if level.compare(1) < 0:
        raise InputError("epsilon at least 0", level.describe(), "epsilon")
    if delta or level.is_infinite:
        return Conversion(INFINITY, "exact")
    if level.value == 1:
        return Conversion(mpq(0), "exact")
    epsilon = level_logarithm(level)

    def ball(bits: int) -> arb:
        with precision(bits + 16):
            # tanh(eps/2) = 1 - 2/(1 + e^eps) = erf(mu/√8): no cancellation for a small eps.
            half = epsilon(bits + 16) / 2
            return arb(8).sqrt() * half.tanh().erfinv() if half < 1 else -2 * phi_inverse(1 / (1 + (2 * half).exp()))

    return Conversion(enclose(ball, digits), "exact")


def mu_of_point(level: Level, delta: mpq, digits: int = DEFAULT_DIGITS) -> Conversion:
    """Lower bound: where delta(eps) = delta is attained, the mechanism is mu-GDP for no mu below mu_GDP(eps, delta)."""
    return Conversion(mu_gdp(level, delta, digits), "lower")


def curve_of_mu(mu: Extended, alpha: mpq, digits: int = DEFAULT_DIGITS) -> Conversion:
    """Exact: the value G_mu(alpha) of the trade-off function of N(0, 1) and N(mu, 1), below which no test's beta lies.

    Raises:
        InputError: for a mu below 0 or an alpha outside [0, 1].
    """
    check_mu(mu)
    if not 0 <= alpha <= 1:
        raise InputError("alpha between 0 and 1", shorten(to_text(alpha)), "alpha")
    if mu == 0 or alpha in (0, 1):
        return Conversion(1 - alpha, "exact")
    if isinstance(mu, Infinity):
        return Conversion(mpq(0), "exact")
    return Conversion(Gaussian.of(mu).beta(alpha, "forward", digits), "exact")


def renyi_of_mu(mu: mpq, order: Extended) -> Conversion:
    """Exact: a mu-GDP mechanism has a Rényi divergence of at most order·mu²/2, attained by the Gaussian mechanism.

    mu-GDP makes its pair a post-processing of N(0, 1), N(mu, 1), which raises no divergence. Order infinity: infinite.

    Raises:
        InputError: for a mu below 0 or an order that is not above 0.
    """
    check_mu(mu)
    check_order(order)
    if isinstance(order, Infinity):
        return Conversion(INFINITY if mu else mpq(0), "exact")
    return Conversion(order * mu * mu / 2, "exact")


def rho_of_mu(mu: mpq) -> Conversion:
    """Exact: a mu-GDP mechanism is mu²/2-zCDP, attained by the Gaussian mechanism. The converse is false."""
    check_mu(mu)
    return Conversion(mu * mu / 2, "exact")


def mu_of_least_rho(rho: Extended, digits: int = DEFAULT_DIGITS) -> Conversion:
    """Lower bound: a mechanism whose least rho is this one is mu-GDP for no mu below √(2 rho).

    Otherwise it would be mu²/2-zCDP with mu²/2 < rho. No upper bound is stated.
    """
    check_rho(rho)
    return Conversion(rho if isinstance(rho, Infinity) else square_root(2 * rho, digits), "lower")


def rho_of_guarantee(level: Level) -> Conversion:
    """Upper bound: an eps-DP mechanism is eps²/2-zCDP (Bun and Steinke, proposition 1.4), as a bound at most eps²/2."""
    if level.compare(1) < 0:
        raise InputError("epsilon at least 0", level.describe(), "epsilon")
    epsilon = level.epsilon()
    if isinstance(epsilon, Enclosure):
        logarithm = level_logarithm(level)

        def ball(bits: int) -> arb:
            with precision(bits):
                return logarithm(bits) ** 2 / 2

        return Conversion(enclose(ball), "upper")
    return Conversion(epsilon if isinstance(epsilon, Infinity) else epsilon * epsilon / 2, "upper")


def delta_of_rho(rho: mpq, level: Level, digits: int = DEFAULT_DIGITS) -> Conversion:
    """Upper bound: a rho-zCDP mechanism is (eps, e^(-(eps - rho)²/(4 rho)))-DP for eps >= rho; below that 1.

    Bun and Steinke, lemma 3.5: D_a <= rho·a at the order a = (eps + rho)/(2 rho) and Markov's inequality.
    """
    check_rho(rho)
    epsilon = level.epsilon(digits)
    if epsilon == NEGATIVE_INFINITY or (not rho and level.compare(1) < 0):
        return Conversion(mpq(1), "upper")
    if level.is_infinite or not rho:
        return Conversion(mpq(0), "upper")
    logarithm = level_logarithm(level)

    def ball(bits: int) -> arb:
        with precision(bits):
            gap = (logarithm(bits) - rational_ball(rho)).max(arb(0))
            return (-gap * gap / (4 * rational_ball(rho))).exp()

    return Conversion(enclose(ball, digits).clamped(), "upper")
