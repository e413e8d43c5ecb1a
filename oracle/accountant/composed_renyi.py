"""Rényi moments and divergences, and bounds of mu, of compositions.

The moment M_a = E_P[(p/q)^(a-1)] of a product of pairs is the product of their moments, so divergences add up:
D_a(Π P_i ‖ Π Q_i) = Σ k_i D_a(P_i‖Q_i) for every order a > 0, also for order 1 and infinity. In the direction "both"
the larger is taken after composing, since the worst direction of the parts may differ.

**mu.** If part i is mu_i-GDP, T(P_i, Q_i) >= G_{mu_i}, the composition is sqrt(Σ k_i mu_i²)-GDP: refinement is kept
under products, and Gaussian pairs compose so. That is an upper end of the least mu. A lower end comes from any point of
the profile: the Gaussian D_a grows with mu, so a composition with D_a >= d at one a has mu at least the m at which
the Gaussian pair has D_a = d.

References: I. Mironov, *Rényi differential privacy*, CSF 2017, proposition 1; J. Dong, A. Roth and W. J. Su, *Gaussian
differential privacy*, JRSS B 84(1), 2022, theorem 4 and corollary 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from flint import arb
from gmpy2 import mpq

from oracle.accountant.subsampled_renyi import subsampled_gaussian_renyi
from oracle.channels.channel import Channel
from oracle.channels.divergences import Direction, sides
from oracle.channels.formal_rows import FormalChannel
from oracle.channels.renyi import Renyi, check_order, larger_renyi, renyi
from oracle.enclosures import DEFAULT_DIGITS, Ball, Enclosure, enclose, precision, rational_ball, rational_bounds
from oracle.errors import Declined, InputError, LimitError, shorten
from oracle.exact import INFINITY, Extended, Infinity, to_text
from oracle.experiments.base import Experiment, level_logarithm
from oracle.experiments.roots import decreasing_root
from oracle.experiments.subsampled import PoissonSubsampled
from oracle.levels import Level
from oracle.special import phi, square_root

__all__ = ["composed_mu_upper", "composed_renyi", "mu_lower_from_point"]

Pair = Channel | FormalChannel | Experiment
Value = Extended | Enclosure

_MOST_POWER_BITS: Final = 1 << 24
"""Most bits of an exact moment of a composition (5 million digits); a longer one is enclosed."""

_GUARD: Final = 3


def composed_renyi(
    parts: Sequence[tuple[Pair, int]],
    order: Extended,
    direction: Direction = "forward",
    digits: int = DEFAULT_DIGITS,
) -> Renyi:
    """Moment (whole orders from 2) and divergence of a composition; see :class:`oracle.channels.renyi.Renyi`.

    Exact where every part's is: the moment of rational channels, the divergence of Gaussian pairs. A moment that cannot
    be written out is None.

    Args:
        parts: (pair, times).
        order: above 0; ``INFINITY`` for the largest loss.
        direction: forward, backward or both.
        digits: of values that are not exact.

    Raises:
        InputError: for an order not above 0 or a negative number of times.
    """
    check_order(order)
    for i, (_, times) in enumerate(parts):
        if times < 0:
            raise InputError("a number of times at least 0", shorten(to_text(mpq(times))), f"of[{i}]")
    return larger_renyi([_one_sided(parts, order, side, digits) for side in sides(direction)])


def _one_sided(parts: Sequence[tuple[Pair, int]], order: Extended, side: Direction, digits: int) -> Renyi:
    # n relative errors of 10^-d make at most about n 10^-d in a product, and no more than 10^-d in a sum of terms >= 0.
    steps = sum(times for _, times in parts)
    more = digits + _GUARD + len(str(steps))
    found = [(_of(pair, order, side, more), times) for pair, times in parts if times]
    moment: Value | None = mpq(1)
    divergence: Value | None = mpq(0)
    for value, times in found:
        moment = None if value.moment is None else _product(moment, _power(value.moment, times, more))
        divergence = _sum(divergence, value.divergence, times)
    if isinstance(order, Infinity) or order.denominator != 1 or order < 2:
        moment = None
    return Renyi(_rounded(moment, digits), _rounded(divergence, digits))


def _of(pair: Pair, order: Extended, side: Direction, digits: int) -> Renyi:
    if not isinstance(pair, Experiment):
        return renyi(pair, order, side, digits)
    try:
        return pair.renyi(order, side, digits)
    except Declined:
        if isinstance(pair, PoissonSubsampled) and not isinstance(order, Infinity):
            return subsampled_gaussian_renyi(pair, order, side, digits)
        raise


def _ends(x: mpq | Enclosure) -> tuple[mpq, mpq]:
    return (x.lo, x.hi) if isinstance(x, Enclosure) else (x, x)


def _power(x: Value, times: int, digits: int) -> Value | None:
    """The value x^times for an x >= 0: exact where it is short enough, else enclosed; None where it is too large."""
    if isinstance(x, Infinity):
        return x
    lo, hi = _ends(x)
    bits = max(lo.numerator.bit_length(), lo.denominator.bit_length())
    if lo == hi and (lo == 1 or bits * times <= _MOST_POWER_BITS):
        return lo**times
    with precision(4 * digits + 64 + times.bit_length()):
        value = rational_ball(lo).union(rational_ball(hi)) ** times
        try:
            return Enclosure(*rational_bounds(value))
        except LimitError:
            return None


def _product(x: Value | None, y: Value | None) -> Value | None:
    """The value x y for x, y >= 1; infinite where one is."""
    if x is None or y is None:
        return None
    if isinstance(x, Infinity) or isinstance(y, Infinity):
        return INFINITY
    (x_lo, x_hi), (y_lo, y_hi) = _ends(x), _ends(y)
    return _interval(x_lo * y_lo, x_hi * y_hi)


def _sum(x: Value | None, y: Value | None, times: int) -> Value | None:
    """The value x + times y for x, y >= 0."""
    if isinstance(x, Infinity) or isinstance(y, Infinity):
        return INFINITY
    if x is None or y is None:
        return None
    (x_lo, x_hi), (y_lo, y_hi) = _ends(x), _ends(y)
    return _interval(x_lo + times * y_lo, x_hi + times * y_hi)


def _interval(lo: mpq, hi: mpq) -> mpq | Enclosure:
    return lo if lo == hi else Enclosure(lo, hi)


def _rounded(x: Value | None, digits: int) -> Value | None:
    """The ends of an enclosure as decimals of little more than the digits asked for, rounded outwards."""
    if not isinstance(x, Enclosure) or x.lo <= 0:
        return x
    low = enclose(_between(x.lo, x.lo), digits + 1).lo
    high = enclose(_between(x.hi, x.hi), digits + 1).hi
    return Enclosure(low, high, enclose(_between(x.lo, x.hi), digits).reached)


def _between(lo: mpq, hi: mpq) -> Ball:
    """A ball of everything between two rationals."""

    def ball(bits: int) -> arb:
        with precision(bits):
            return rational_ball(lo).union(rational_ball(hi))

    return ball


def composed_mu_upper(parts: Sequence[tuple[mpq | Enclosure, int]], digits: int = DEFAULT_DIGITS) -> mpq | Enclosure:
    """The number sqrt(Σ k_i mu_i²): a composition of mu_i-GDP parts is so much GDP.

    Args:
        parts: (mu, times); of an enclosure of the least mu the upper end counts, since that is proved to do.
        digits: of the answer where it is irrational.

    Raises:
        InputError: for a mu below 0 or a negative number of times.
    """
    total = mpq(0)
    for i, (mu, times) in enumerate(parts):
        most = _ends(mu)[1]
        if most < 0 or times < 0:
            raise InputError("mu and times at least 0", f"{shorten(to_text(most))}, {times}", f"of[{i}]")
        total += times * most * most
    return square_root(total, digits)


def mu_lower_from_point(level: Level, delta: mpq, digits: int = DEFAULT_DIGITS) -> mpq | Enclosure:
    """The mu of the Gaussian pair with D_a = delta: a pair with D_a >= delta is not less than so much GDP.

    Its lower end is a lower end of the least mu of every composition whose profile is at least *delta* at a = *level*.

    Args:
        level: a, other than 0 and infinity.
        delta: below 1.
        digits: of the answer.

    Raises:
        InputError: for a delta of 1 or more, or a level of 0 or infinity.
    """
    if delta >= 1 or level.is_infinite or level.value == 0:
        raise InputError("delta below 1 at a finite level above 0", f"{shorten(to_text(delta))} at {level.describe()}")
    # mu = 0 has D_a = max(0, 1 - a).
    if delta <= 0 or level.compare(1 - delta) <= 0:
        return mpq(0)
    epsilon = level_logarithm(level)

    def ratio(mu: arb) -> Ball:
        """(1 - D_a)/(1 - delta), which falls in mu."""

        def ball(bits: int) -> arb:
            with precision(bits):
                eps, rest = epsilon(bits), rational_ball(1 - delta)
                if mu == 0:
                    return eps.exp().min(arb(1)) / rest
                half, shift = mu / 2, eps / mu
                # 1 - Phi(x) = Phi(-x).
                return (phi(shift - half) + eps.exp() * phi(-half - shift)) / rest

        return ball

    return decreasing_root(ratio, digits)
