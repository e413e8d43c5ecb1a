"""Between mu-GDP and other notions of privacy, each with what the number is: exact, an upper or a lower bound.

"Exact" means: every mechanism with the premise has the conclusion, and some mechanism with the premise has no better
one. An upper bound need not be attained; a lower bound says what cannot be undercut.

Numbers are exact: integers, fractions, or text such as "1/2" and "0.05"; floats are refused. An epsilon may also be
"log(3)", {"exp_epsilon": "3"} or a level (:mod:`oracle.gaussian_dp.arguments`).

References: J. Dong, A. Roth and W. J. Su, *Gaussian differential privacy*, JRSS B 84(1), 2022 (corollaries 1 to 3,
theorem 2.14); M. Bun and T. Steinke, *Concentrated differential privacy*, TCC 2016 (proposition 1.4, lemma 3.5);
Y. Liu, K. Sun, B. Jiang and L. Kong, NeurIPS 2022, section 5; C. Canonne, G. Kamath and T. Steinke, *The discrete
Gaussian for differential privacy*, NeurIPS 2020 (proposition 12).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

from flint import arb
from gmpy2 import mpq

from oracle.channels.renyi import check_order
from oracle.enclosures import DEFAULT_DIGITS, Enclosure, enclose, parse_digits, precision, rational_ball
from oracle.errors import InputError, shorten
from oracle.exact import INFINITY, NEGATIVE_INFINITY, Extended, Infinity, parse_extended, to_text
from oracle.experiments.base import level_logarithm
from oracle.experiments.gaussian import Gaussian
from oracle.gaussian_dp.arguments import (
    EpsilonLike,
    ExtendedLike,
    NumberLike,
    finite,
    level_of,
    nonnegative,
    probability,
    whole,
)
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
    "delta_of_rho_at_order",
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


def composed_mu(parts: Iterable[NumberLike], digits: int = DEFAULT_DIGITS) -> Conversion:
    """Exact: the composition of mu_i-GDP mechanisms is √(Σ mu_i²)-GDP, attained by Gaussian mechanisms.

    Raises:
        InputError: for a mu below 0.
    """
    if isinstance(parts, str) or not isinstance(parts, Iterable):
        raise InputError("several mu", shorten(parts), "parts")
    total = mpq(0)
    for k, mu in enumerate(parts):
        total += nonnegative(mu, f"mu[{k}]") ** 2
    return Conversion(square_root(total, parse_digits(digits)), "exact")


def group_mu(mu: NumberLike, size: int) -> Conversion:
    """Exact: a mu-GDP mechanism is (size·mu)-GDP for groups of *size* records, attained by the Gaussian mechanism."""
    return Conversion(whole(size, "size") * nonnegative(mu, "mu"), "exact")


def delta_of_mu(mu: ExtendedLike, epsilon: EpsilonLike, digits: int = DEFAULT_DIGITS) -> Conversion:
    """Exact: a mu-GDP mechanism is (eps, delta_mu(eps))-DP, attained by the Gaussian mechanism."""
    return Conversion(delta_mu(mu, epsilon, digits), "exact")


def epsilon_of_mu(mu: NumberLike, delta: NumberLike, digits: int = DEFAULT_DIGITS) -> Conversion:
    """Exact: the least eps >= 0 with delta_mu(eps) <= delta; infinite for delta = 0 and mu > 0."""
    m, bound, digits = nonnegative(mu, "mu"), probability(delta), parse_digits(digits)
    if not m:
        return Conversion(mpq(0), "exact")
    least = Gaussian.of(m).least_epsilon(bound, "both", digits)
    value = least.epsilon(digits) if isinstance(least, Level) else least
    return Conversion(value, "exact")


def mu_of_guarantee(epsilon: EpsilonLike, delta: NumberLike, digits: int = DEFAULT_DIGITS) -> Conversion:
    """Exact: the least mu that (eps, delta)-DP implies, -2 Phi^(-1)(1/(1 + e^eps)) for delta = 0.

    Randomized response attains it. A delta above 0 implies no mu, since an outcome of probability delta may have
    probability 0 on the other side; so does an infinite eps.

    Raises:
        InputError: for an eps below 0 or a delta outside [0, 1].
    """
    level, bound, digits = level_of(epsilon), probability(delta), parse_digits(digits)
    if bound or level.is_infinite:
        return Conversion(INFINITY, "exact")
    if level.value == 1:
        return Conversion(mpq(0), "exact")
    logarithm = level_logarithm(level)

    def ball(bits: int) -> arb:
        with precision(bits + 16):
            # tanh(eps/2) = 1 - 2/(1 + e^eps) = erf(mu/√8): no cancellation for a small eps.
            half = logarithm(bits + 16) / 2
            return arb(8).sqrt() * half.tanh().erfinv() if half < 1 else -2 * phi_inverse(1 / (1 + (2 * half).exp()))

    return Conversion(enclose(ball, digits), "exact")


def mu_of_point(epsilon: EpsilonLike, delta: NumberLike, digits: int = DEFAULT_DIGITS) -> Conversion:
    """Lower bound: where delta(eps) = delta is attained, the mechanism is mu-GDP for no mu below mu_GDP(eps, delta)."""
    return Conversion(mu_gdp(epsilon, delta, digits), "lower")


def curve_of_mu(mu: ExtendedLike, alpha: NumberLike, digits: int = DEFAULT_DIGITS) -> Conversion:
    """Exact: the value G_mu(alpha) of the trade-off function of N(0, 1) and N(mu, 1), below which no test's beta lies.

    Raises:
        InputError: for a mu below 0 or an alpha outside [0, 1].
    """
    m, error, digits = check_mu(mu), finite(alpha, "alpha"), parse_digits(digits)
    if not 0 <= error <= 1:
        raise InputError("alpha between 0 and 1", shorten(to_text(error)), "alpha")
    if m == 0 or error in (0, 1):
        return Conversion(1 - error, "exact")
    if isinstance(m, Infinity):
        return Conversion(mpq(0), "exact")
    return Conversion(Gaussian.of(m).beta(error, "forward", digits), "exact")


def renyi_of_mu(mu: NumberLike, order: ExtendedLike) -> Conversion:
    """Exact: a mu-GDP mechanism has a Rényi divergence of at most order·mu²/2, attained by the Gaussian mechanism.

    mu-GDP makes its pair a post-processing of N(0, 1), N(mu, 1), which raises no divergence. Order infinity: infinite.

    Raises:
        InputError: for a mu below 0 or an order that is not above 0.
    """
    m, a = nonnegative(mu, "mu"), check_order(parse_extended(order, "order"))
    if isinstance(a, Infinity):
        return Conversion(INFINITY if m else mpq(0), "exact")
    return Conversion(a * m * m / 2, "exact")


def rho_of_mu(mu: NumberLike) -> Conversion:
    """Exact: a mu-GDP mechanism is mu²/2-zCDP, attained by the Gaussian mechanism. The converse is false."""
    return Conversion(nonnegative(mu, "mu") ** 2 / 2, "exact")


def mu_of_least_rho(rho: ExtendedLike, digits: int = DEFAULT_DIGITS) -> Conversion:
    """Lower bound: a mechanism whose least rho is this one is mu-GDP for no mu below √(2 rho).

    Otherwise it would be mu²/2-zCDP with mu²/2 < rho. No upper bound is stated.
    """
    least = check_rho(rho)
    return Conversion(least if isinstance(least, Infinity) else square_root(2 * least, parse_digits(digits)), "lower")


def rho_of_guarantee(epsilon: EpsilonLike) -> Conversion:
    """Upper bound: an eps-DP mechanism is eps²/2-zCDP (Bun and Steinke, proposition 1.4), as a bound at most eps²/2."""
    level = level_of(epsilon)
    value = level.epsilon()
    if isinstance(value, Enclosure):
        logarithm = level_logarithm(level)

        def ball(bits: int) -> arb:
            with precision(bits):
                return logarithm(bits) ** 2 / 2

        return Conversion(enclose(ball), "upper")
    return Conversion(value if isinstance(value, Infinity) else value * value / 2, "upper")


def delta_of_rho(rho: NumberLike, epsilon: EpsilonLike, digits: int = DEFAULT_DIGITS) -> Conversion:
    """Upper bound: a rho-zCDP mechanism is (eps, e^(-(eps - rho)²/(4 rho)))-DP for eps >= rho; below that 1.

    Bun and Steinke, lemma 3.5: D_a <= rho·a at the order a = (eps + rho)/(2 rho) and Markov's inequality.
    """
    r, level, digits = nonnegative(rho, "rho"), level_of(epsilon, minimum_one=False), parse_digits(digits)
    if level.epsilon(digits) == NEGATIVE_INFINITY or (not r and level.compare(1) < 0):
        return Conversion(mpq(1), "upper")
    if level.is_infinite or not r:
        return Conversion(mpq(0), "upper")
    logarithm = level_logarithm(level)

    def ball(bits: int) -> arb:
        with precision(bits):
            gap = (logarithm(bits) - rational_ball(r)).max(arb(0))
            return (-gap * gap / (4 * rational_ball(r))).exp()

    return Conversion(enclose(ball, digits).clamped(), "upper")


def delta_of_rho_at_order(
    rho: NumberLike, epsilon: EpsilonLike, order: NumberLike, digits: int = DEFAULT_DIGITS
) -> Conversion:
    """Upper bound: a rho-zCDP mechanism is (eps, e^((a-1)(a rho - eps)) (1 - 1/a)^a/(a-1))-DP, for every order a > 1.

    Canonne, Kamath and Steinke 2020, proposition 12: delta is the mean of max(0, 1 - e^(eps - Z)), Z the privacy loss,
    and 1 - e^(-x) <= e^((a-1) x) (1 - 1/a)^a/(a-1), with equality where e^(-x) = 1 - 1/a; the mean of e^((a-1) Z) is at
    most e^((a-1) a rho).

    Raises:
        InputError: for an order of at most 1, or an infinite epsilon.
    """
    r, level, a = nonnegative(rho, "rho"), level_of(epsilon, minimum_one=False), finite(order, "order")
    if a <= 1:
        raise InputError("an order above 1", shorten(to_text(a)), "order")
    logarithm = level_logarithm(level)

    def ball(bits: int) -> arb:
        with precision(bits):
            exponent = rational_ball(a - 1) * (rational_ball(a * r) - logarithm(bits))
            bound = (exponent + rational_ball(a) * rational_ball(1 - 1 / a).log()).exp() / rational_ball(a - 1)
            return bound.min(arb(1))

    return Conversion(enclose(ball, parse_digits(digits)).clamped(), "upper")
