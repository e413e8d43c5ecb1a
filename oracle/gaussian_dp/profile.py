"""The profile delta_mu of mu-GDP and its inverse in mu, enclosed to any number of digits.

delta_mu(eps) = Phi(-eps/mu + mu/2) - e^eps Phi(-eps/mu - mu/2) is the privacy profile of N(0, 1) against N(mu, 1); a
mechanism with a symmetric neighbouring relation is mu-GDP exactly when its profile is at most delta_mu at every
eps >= 0 (Dong, Roth and Su 2022, corollary 1; Liu, Sun, Jiang and Kong 2022, section 2). delta_0 = 0.

Monotony. With a = eps/mu - mu/2, b = eps/mu + mu/2 and the density phi: b² - a² = 2 eps, so e^eps phi(b) = phi(a), and
    d/dmu  delta_mu(eps) = phi(a)·(eps/mu² + 1/2) - phi(a)·(eps/mu² - 1/2) = phi(a) > 0,
    d/deps delta_mu(eps) = -phi(a)/mu + phi(a)/mu - e^eps Phi(-b) = -e^eps Phi(-b) < 0.
So the least and the largest value over a box of (mu, eps) stand in two of its corners, and mu_GDP(eps, delta), the mu
with delta_mu(eps) = delta, increases in both arguments. Balls are evaluated at those corners: wide balls give ranges
that cannot be narrower.

References: J. Dong, A. Roth and W. J. Su, *Gaussian differential privacy*, JRSS B 84(1), 2022; Y. Liu, K. Sun, B. Jiang
and L. Kong, *Identification, amplification and measurement: a bridge to Gaussian differential privacy*, NeurIPS 2022.
"""

from __future__ import annotations

from typing import Final

from flint import arb
from gmpy2 import mpq

from oracle.enclosures import DEFAULT_DIGITS, Ball, Enclosure, enclose, parse_digits, precision, rational_ball
from oracle.errors import InputError, shorten
from oracle.exact import INFINITY, Extended, Infinity, parse_extended, to_text
from oracle.experiments.base import level_logarithm
from oracle.experiments.gaussian import gaussian_hockey_stick, gaussian_overlap
from oracle.gaussian_dp.arguments import EpsilonLike, ExtendedLike, NumberLike, level_of, probability
from oracle.special import phi_inverse

__all__ = ["check_mu", "delta_mu", "delta_mu_ball", "mu_gdp", "mu_gdp_ball"]

_ROUGH_BITS: Final = 64
_MARGIN: Final = 16
_MOST_STEPS: Final = 400
_HALF: Final = arb(1) / 2
_FAR: Final = 1 << 12
"""From a = eps/mu - mu/2 >= 2^12 on, delta_mu < Phi(-a) < e^(-a²/2) < 10^-99,999."""


def check_mu(mu: ExtendedLike, where: str = "mu") -> Extended:
    """The number mu, at least 0 and possibly infinite."""
    number = parse_extended(mu, where)
    if number < 0:
        raise InputError("mu at least 0", shorten(to_text(number)), where)
    return number


def delta_mu_ball(mu: Ball, epsilon: Ball) -> Ball:
    """delta_mu(eps) for a real mu >= 0 and a real eps given by balls.

    The ball at *bits* has a relative radius of about 2^-bits where mu and eps are known well enough; it contains
    delta_m(e) for every m >= 0 of the ball of mu and every e of the ball of eps.
    """

    def ball(bits: int) -> arb:
        working = bits + _guard(mu(_ROUGH_BITS), epsilon(_ROUGH_BITS))
        with precision(working):
            return _range(mu(working), epsilon(working))

    return ball


def _guard(mu: arb, epsilon: arb) -> int:
    """Bits to add so that the cancellation between the two terms of delta_mu does no harm."""
    with precision(_ROUGH_BITS):
        return _MARGIN + _size(1 / mu) + 3 * _size(abs(epsilon) / mu + mu)


def _size(x: arb) -> int:
    """A whole number at least log2(1 + x) for a finite x >= 0, otherwise 64."""
    if not x.is_finite():
        return _ROUGH_BITS
    mantissa, exponent = x.abs_upper().man_exp()
    return max(1, int(mantissa).bit_length() + int(exponent) + 1)


def _range(mu: arb, epsilon: arb) -> arb:
    """The values of delta over a box, from its two extreme corners, at the working precision."""
    if not (mu.is_finite() and epsilon.is_finite()):
        return arb.nan()
    if mu.is_exact() and epsilon.is_exact():
        return _point(mu, epsilon)
    low = _point(mu.lower(), epsilon.upper())
    return low.union(_point(mu.upper(), epsilon.lower()))


def _point(mu: arb, epsilon: arb) -> arb:
    """Delta at an exact point, within [0, 1]; a mu below 0 counts as 0, where delta is max(0, 1 - e^eps)."""
    if mu > 0:
        return gaussian_hockey_stick(mu, epsilon).max(arb(0)).min(arb(1))
    return arb(0) if epsilon >= 0 else -epsilon.expm1()


def delta_mu(mu: ExtendedLike, epsilon: EpsilonLike, digits: int = DEFAULT_DIGITS) -> mpq | Enclosure:
    """The value of delta_mu at eps: exact where it is 0 or 1 (or mu = 0), otherwise an enclosure.

    Args:
        mu: at least 0; ``INFINITY`` gives 1 at every finite eps.
        epsilon: any eps, as in :mod:`oracle.gaussian_dp.arguments`; at eps = -inf the value is 1, at eps = inf it is 0.
        digits: of the enclosure. A value below 10^-99,999 is enclosed by 0 and that.

    Raises:
        InputError: for a mu below 0.
    """
    mu, digits = check_mu(mu), parse_digits(digits)
    level = level_of(epsilon, minimum_one=False)
    if level.is_infinite:
        if isinstance(mu, Infinity):
            raise InputError("a finite mu where epsilon is infinite", "both are")
        return mpq(0)
    if level.value == 0 or isinstance(mu, Infinity):
        return mpq(1)
    if mu == 0:
        if level.compare(1) >= 0:
            return mpq(0)
        if isinstance(level.value, mpq):
            return 1 - level.value
    finite, logarithm = mu, level_logarithm(level)
    if finite:
        with precision(_ROUGH_BITS):
            m = rational_ball(finite)
            if logarithm(_ROUGH_BITS) / m - m / 2 > _FAR:
                return Enclosure(mpq(0), mpq(1, 10**99_999), 0)
    return enclose(delta_mu_ball(_constant(finite), logarithm), digits).clamped()


def _constant(x: mpq) -> Ball:
    return lambda _: rational_ball(x)


def mu_gdp_ball(epsilon: Ball, delta: Ball) -> Ball:
    """mu_GDP(eps, delta) for a real eps >= 0 and a real delta in [0, 1] given by balls.

    It is the mu with delta_mu(eps) = delta: 0 for delta = 0, infinite (a ball that is not finite) for delta = 1. The
    ball at *bits* has a relative radius of about 2^-bits where eps and delta are known well enough, and contains
    mu_GDP(e, d) for every e >= 0 and d in [0, 1] of their balls. Both its ends are proved by the sign of
    delta_mu(eps) - delta there; where no sign is had at the working precision the ball is not finite.
    """

    def ball(bits: int) -> arb:
        working = bits + 2 * _MARGIN
        with precision(working):
            eps, d = epsilon(working), delta(working)
            if not (eps.is_finite() and d.is_finite()):
                return arb.nan()
            low_eps, high_eps, low_d, high_d = eps.lower().max(arb(0)), eps.upper().max(arb(0)), d.lower(), d.upper()
        low = _root(low_eps, low_d, bits)
        high = low if eps.is_exact() and d.is_exact() else _root(high_eps, high_d, bits)
        with precision(working):
            return low.lower().union(high.upper()) if low.is_finite() and high.is_finite() else high

    return ball


def _root(epsilon: arb, delta: arb, bits: int) -> arb:
    """A ball that contains mu_GDP(eps, delta) at an exact point; not finite where the proof fails."""
    if delta <= 0:
        return arb(0)
    if delta >= 1:
        return arb.pos_inf()
    if epsilon.is_zero():
        with precision(bits + _MARGIN):
            return _at_zero(delta)
    start = _below(epsilon, delta)
    guard = _guard(start, epsilon)
    guess = _newton(start, epsilon, delta, guard, bits)
    with precision(bits + guard + _MARGIN):
        for widening in (0, 6, 24, bits // 2):
            step = guess * arb(2) ** (widening - bits)
            low, high = (guess - step).lower(), (guess + step).upper()
            if low > 0 and _sign(low, epsilon, delta) < 0 < _sign(high, epsilon, delta):
                return low.union(high)
    return arb.nan()


def _at_zero(delta: arb) -> arb:
    """The mu with 2 Phi(mu/2) - 1 = delta, in closed form."""
    if delta < _HALF:
        return 2 * arb(2).sqrt() * delta.erfinv()
    return -2 * phi_inverse((1 - delta) / 2)


def _below(epsilon: arb, delta: arb) -> arb:
    """A start below the root, up to rounding.

    delta_mu(eps) < Phi(-a) with a = eps/mu - mu/2, so a < z with z = Phi^(-1)(1 - delta), that is
    mu > sqrt(z² + 2 eps) - z.
    """
    with precision(_ROUGH_BITS):
        z = -phi_inverse(delta) if delta < _HALF else phi_inverse(1 - delta)
        root = (z * z + 2 * epsilon).sqrt()
        return (2 * epsilon / (root + z) if z > 0 else root - z).mid()


def _newton(start: arb, epsilon: arb, delta: arb, guard: int, bits: int) -> arb:
    """An exact point near the root; only a proposal, proved by signs afterwards.

    Newton's method on log delta_mu - log delta (concave in mu) or, for a delta above 1/2, on
    log(1 - delta) - log(1 - delta_mu) (convex in mu); the derivative of delta_mu is the density phi(a). The precision
    starts low and doubles once the steps are small.
    """
    x, reached, least = start, _ROUGH_BITS, arb(2) ** -(_ROUGH_BITS // 2)
    for _ in range(_MOST_STEPS):
        with precision(reached + guard):
            a = epsilon / x - x / 2
            density = (-a * a / 2).exp() / (2 * arb.pi()).sqrt()
            if delta < _HALF:
                value = gaussian_hockey_stick(x, epsilon)
                step = ((delta / value).log() * value / density).mid()
            else:
                value = gaussian_overlap(x, epsilon)
                step = ((value / (1 - delta)).log() * value / density).mid()
            if not step.is_finite():
                return x
            moved = (x + step).mid()
            x, small = (moved, abs(step) < x * least) if moved > 0 else ((x / 2).mid(), False)
        if small:
            if reached >= bits:
                return x
            reached = min(2 * reached - 2 * _MARGIN, bits)
            least = arb(2) ** -(reached // 2)
    return x


def _sign(mu: arb, epsilon: arb, delta: arb) -> int:
    """The sign of delta_mu(eps) - delta, 0 where it is not had at the working precision."""
    small = delta < _HALF
    gap = gaussian_hockey_stick(mu, epsilon) - delta if small else (1 - delta) - gaussian_overlap(mu, epsilon)
    return 1 if gap > 0 else -1 if gap < 0 else 0


def mu_gdp(epsilon: EpsilonLike, delta: NumberLike, digits: int = DEFAULT_DIGITS) -> Extended | Enclosure:
    """mu_GDP(eps, delta): the mu with delta_mu(eps) = delta, eps >= 0.

    It is the least mu for which the guarantee (eps, delta) is implied by mu-GDP. 0 for delta = 0, ``INFINITY`` for
    delta = 1, and for a delta above 0 at eps = inf; otherwise an enclosure with *digits* digits.

    Raises:
        InputError: for an eps below 0 or a delta outside [0, 1].
    """
    level, bound, digits = level_of(epsilon), probability(delta), parse_digits(digits)
    if bound == 0:
        return mpq(0)
    if bound == 1 or level.is_infinite:
        return INFINITY
    logarithm = _constant(mpq(0)) if level.value == 1 else level_logarithm(level)
    return enclose(mu_gdp_ball(logarithm, _constant(bound)), digits)
