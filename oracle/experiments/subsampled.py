"""Poisson subsampling of a pair (P, Q) under add_remove: P' = (1-q) Q + q P, Q' = Q, for a rate 0 < q < 1.

With a' = e^eps' and the base pair's D:

- forward, D_{a'}(P'‖Q) = ∫ max(0, q p - (a' - 1 + q) q_Q): for a' >= 1 - q it is q·D_a(P‖Q) with
  a = (a' - 1 + q)/q = 1 + (a' - 1)/q, and below it is ∫ (p' - a' q_Q) = 1 - a', the integrand being positive;
- backward, D_{a'}(Q‖P') = ∫ max(0, c q_Q - a' q p) with c = 1 - a'(1-q): for c > 0 it is c·D_a(Q‖P) with
  a = a' q/c, and 0 otherwise.

Both levels grow with a'. So suprema of the loss, exact values and comparisons come from the base pair. A test of
(Q, P') has errors (alpha, (1-q)(1-alpha) + q beta) where one of (Q, P) has (alpha, beta): T(Q, P') is that, and
T(P', Q) is its inverse function. Subsampling twice is subsampling once with the product of the rates.

References: N. Li, W. Qardaji and D. Su, ASIACCS 2012; Balle, Barthe and Gaboardi, NeurIPS 2018, theorem 8 (of which
these identities are the white-box form); Y. Zhu, J. Dong and Y.-X. Wang, AISTATS 2022, section 4.
"""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING, Any

from flint import arb
from gmpy2 import mpq

from oracle.channels.renyi import Renyi, is_moment_order
from oracle.enclosures import (
    DEFAULT_DIGITS,
    MAX_REQUESTED_DIGITS,
    Ball,
    Comparison,
    Enclosure,
    compare,
    enclose,
    precision,
    rational_ball,
)
from oracle.errors import Declined, InputError
from oracle.exact import INFINITY, Extended, Infinity, to_text
from oracle.experiments.base import Experiment
from oracle.experiments.bisection import falling_root
from oracle.experiments.gaussian import Gaussian
from oracle.formal import FormalSum
from oracle.levels import Level

if TYPE_CHECKING:
    from oracle.channels.divergences import Direction

__all__ = ["PoissonSubsampled", "poisson_subsampled"]


def poisson_subsampled(base: Experiment, rate: mpq) -> Experiment:
    """The subsampled pair of an experiment at a rate in (0, 1]; at rate 1 the experiment itself."""
    if rate == 1:
        return base
    if isinstance(base, PoissonSubsampled):
        return PoissonSubsampled(base.base, base.rate * rate)
    return PoissonSubsampled(base, rate)


class PoissonSubsampled(Experiment):
    """The pair ((1-q) Q + q P, Q) of a base pair (P, Q).

    Args:
        base: the pair with the record present, and absent.
        rate: q, above 0 and below 1.
    """

    __slots__ = ("base", "rate")

    base: Experiment
    rate: mpq

    def __init__(self, base: Experiment, rate: mpq) -> None:
        if not 0 < rate < 1:
            raise InputError("a rate above 0 and below 1", to_text(rate), "rate")
        self.base, self.rate = base, rate

    @property
    def symmetric(self) -> bool:
        """False: removing and adding the record differ."""
        return False

    def to_json(self) -> dict[str, Any]:
        """``poisson_subsample`` with neighbours add_remove."""
        fields = {"rate": to_text(self.rate), "neighbours": "add_remove"}
        return {"mechanism": "poisson_subsample", **fields, "of": self.base.to_json()}

    def hockey_stick_ball(self, epsilon: Ball, side: Direction) -> Ball:
        """See the module's text; where a ball lies across the end of a formula, the union of what may be."""
        q = self.rate

        def ball(bits: int) -> arb:
            with precision(bits):
                eps, rate = epsilon(bits), rational_ball(q)
                if side == "forward":
                    # log a; log1p keeps the digits where a' is close to 1.
                    rise = eps.expm1() / rate
                    if rise > -1:
                        return rate * self.base.hockey_stick_ball(lambda _: rise.log1p(), side)(bits)
                    return -eps.expm1() if rise <= -1 else (-eps.expm1()).union(rate)
                # c = q - (1-q)(a' - 1).
                rest = rate - (1 - rate) * eps.expm1()
                if rest > 0:
                    level = eps + (rate / rest).log()
                    return rest * self.base.hockey_stick_ball(lambda _: level, side)(bits)
                return arb(0) if rest <= 0 else rest.max(arb(0)).union(arb(0))

        return ball

    def base_level(self, level: mpq, side: Direction) -> tuple[mpq, mpq] | None:
        """(w, a) with D_{a'} = w·D_a of the base, for a rational a'; None where D_{a'} is another formula."""
        q = self.rate
        if side == "forward":
            return (q, 1 + (level - 1) / q) if level >= 1 - q else None
        rest = 1 - level * (1 - q)
        return (rest, level * q / rest) if rest > 0 else None

    def _beyond(self, level: Level, side: Direction) -> bool:
        """Whether the level is at least the supremum of p'/q, where D_{a'} = 0; exact."""
        if level.value is not None:
            scaled = self.base_level(level.value, side) if isinstance(level.value, mpq) else None
            if scaled is None:
                return side == "backward"
            largest = self.base.largest_loss(side)
            return isinstance(largest, Level) and _at_least(Level.rational(scaled[1]), largest)
        one, a = FormalSum.rational(1), level.formal()
        q = self.rate
        if side == "backward" and (one - a.scaled(1 - q)).sign() <= 0:
            return True
        largest = self.base.largest_loss(side)
        if not isinstance(largest, Level) or largest.is_infinite:
            return False
        if side == "forward":
            return (a - one.scaled(1 - q) - largest.formal().scaled(q)).sign() >= 0
        return (a.scaled(q) - largest.formal() * (one - a.scaled(1 - q))).sign() >= 0

    def exact_hockey_stick(self, level: Level, side: Direction) -> mpq | None:
        """Exact where the base pair is, 0 from the largest loss on, and 1 - a' for a rational a' <= 1 - q forward."""
        if self._beyond(level, side):
            return mpq(0)
        value = level.value
        if not isinstance(value, mpq):
            return None
        scaled = self.base_level(value, side)
        if scaled is None:
            return 1 - value
        weight, inner = scaled
        found = mpq(1) if inner == 0 else self.base.exact_hockey_stick(Level.rational(inner), side)
        return None if found is None else weight * found

    def compare_hockey_stick(self, level: Level, bound: mpq, side: Direction) -> Comparison:
        """D_{a'} against the bound as the base's D_a against bound/w, exact where the base decides."""
        exact = self._exact(level, side)
        if exact is not None:
            return Comparison((exact > bound) - (exact < bound), 0)
        if isinstance(level.value, mpq):
            scaled = self.base_level(level.value, side)
            if scaled is not None:
                weight, inner = scaled
                return self.base.compare_hockey_stick(Level.rational(inner), bound / weight, side)
        if bound <= 0:
            # Not exactly 0 by the above, so the value is above 0.
            return Comparison(1, 0)
        return compare(self._ball(level, side), bound)

    def singular_mass(self, side: Direction) -> mpq:
        """The rate times that of the base forward, 0 backward: P' is positive wherever Q is."""
        return self.rate * self.base.singular_mass("forward") if side == "forward" else mpq(0)

    def largest_loss(self, side: Direction, digits: int = DEFAULT_DIGITS) -> Level | Enclosure:
        """The supremum of p'/q: 1 - q + q r forward, 1/((1-q) + q/r) backward.

        r is that of the base pair; for r infinite it is infinite forward and 1/(1-q) backward.
        """
        q, largest = self.rate, self.base.largest_loss(side, digits)
        if isinstance(largest, Level) and largest.is_infinite:
            return largest if side == "forward" else Level.rational(1 / (1 - q))
        if isinstance(largest, Level) and isinstance(largest.value, mpq):
            r = largest.value
            return Level.rational(1 - q + q * r if side == "forward" else 1 / (1 - q + q / r))

        def ball(bits: int) -> arb:
            with precision(bits):
                loss, rate = _loss_ball(self.base.largest_loss(side, digits + bits // 3)), rational_ball(q)
                return (rate * loss.expm1()).log1p() if side == "forward" else -(rate * (-loss).expm1()).log1p()

        return enclose(ball, digits)

    def least_mu(self) -> Extended | Ball:
        """Of a Gaussian base pair of parameter theta: theta itself, whatever the rate.

        At most theta: keeping the outcome with probability q and drawing from Q otherwise turns (P, Q) into (P', Q), so
        T(P', Q) >= T(P, Q) = G_theta. At least theta: forward D_{a'} = q·delta_theta(eps) with eps = log((a'-1+q)/q),
        and eps - log(a') is bounded as a' grows. With the tail eps²/(-2 log delta_m(eps)) -> m² (Mills' ratio:
        log delta_m(eps) = -(eps/m - m/2)²/2 + O(log eps)), log(a')²/(-2 log D_{a'}) -> theta². If the pair were m-GDP
        for an m < theta, D_{a'} <= delta_m(log a') for all a' would make that limit at most m².

        Raises:
            Declined: for another base pair.
        """
        return self.base.least_mu() if isinstance(self.base, Gaussian) else super().least_mu()

    def compare_mu(self, mu: mpq) -> Comparison:
        """Of a Gaussian base pair exactly as that pair."""
        return self.base.compare_mu(mu) if isinstance(self.base, Gaussian) else super().compare_mu(mu)

    def beta_ball(self, alpha: mpq, side: Direction) -> Ball:
        """(1-q)(1-alpha) + q T(Q, P)(alpha) backward; forward the inverse of that, by bisection."""
        if side == "backward":
            return self._inverse_curve(alpha)
        return falling_root(self._inverse_curve, alpha)

    def _inverse_curve(self, alpha: mpq) -> Ball:
        """T(Q, P')(alpha) for 0 < alpha < 1."""
        inner = self.base.beta_ball(alpha, "backward")

        def ball(bits: int) -> arb:
            with precision(bits):
                rate = rational_ball(self.rate)
                return (1 - rate) * rational_ball(1 - alpha) + rate * inner(bits)

        return ball

    def renyi_one_sided(self, order: Extended, side: Direction, digits: int) -> Renyi:
        """Forward, for integer orders n >= 2, E_Q[((1-q) + q P/Q)^n] = Σ_k C(n,k) (1-q)^(n-k) q^k M_k, M_0 = M_1 = 1.

        Order infinity is the logarithm of the largest loss.

        Raises:
            Declined: for other orders, and backward.
        """
        if isinstance(order, Infinity):
            largest = self.largest_loss(side, digits)
            return Renyi(None, largest.epsilon(digits) if isinstance(largest, Level) else largest)
        if side != "forward" or not is_moment_order(order):
            raise Declined("Rényi divergences of a subsampled pair are offered forward, for integer orders from 2")
        n = int(order.numerator)
        if n > _LARGEST_ORDER:
            raise Declined(f"Rényi divergences of a subsampled pair are offered up to order {_LARGEST_ORDER}")
        wanted = digits + 4
        bounds = self._moment_bounds(n, side, wanted)
        # The divergence is about (M - 1)/(n - 1) where M is near 1: the base moments need as many digits more.
        while bounds is not None and wanted < MAX_REQUESTED_DIGITS and _is_wide(bounds, digits):
            wanted = min(2 * wanted, MAX_REQUESTED_DIGITS)
            bounds = self._moment_bounds(n, side, wanted)
        if bounds is None:
            return Renyi(INFINITY, INFINITY)
        lo, hi = bounds

        def ball(bits: int) -> arb:
            with precision(bits):
                return rational_ball(lo).union(rational_ball(hi))

        def divergence(bits: int) -> arb:
            with precision(bits):
                return ball(bits).log() / (n - 1)

        moment = lo if lo == hi else enclose(ball, digits)
        return Renyi(moment, enclose(divergence, digits))

    def _moment_bounds(self, n: int, side: Direction, digits: int) -> tuple[mpq, mpq] | None:
        """Rationals around the moment of order n, from base moments of so many digits; None if it is infinite."""
        q = self.rate
        lo = hi = (1 - q) ** n + n * (1 - q) ** (n - 1) * q
        for k in range(2, n + 1):
            moment = self.base.renyi_one_sided(mpq(k), side, digits).moment
            if moment is None or isinstance(moment, Infinity):
                return None
            weight = comb(n, k) * (1 - q) ** (n - k) * q**k
            ends = (moment.lo, moment.hi) if isinstance(moment, Enclosure) else (moment, moment)
            lo, hi = lo + weight * ends[0], hi + weight * ends[1]
        # By convexity (Jensen) the moment is at least 1.
        return max(lo, mpq(1)), hi


def _is_wide(bounds: tuple[mpq, mpq], digits: int) -> bool:
    """Whether bounds of a moment leave fewer than *digits* digits of its distance from 1."""
    lo, hi = bounds
    return (hi - lo) * mpq(10) ** (digits + 3) > lo - 1


_LARGEST_ORDER = 1000


def _loss_ball(loss: Level | Enclosure) -> arb:
    """A finite largest loss, at the working precision."""
    found = loss.epsilon() if isinstance(loss, Level) else loss
    if isinstance(found, Enclosure):
        return rational_ball(found.lo).union(rational_ball(found.hi))
    if isinstance(found, Infinity):
        raise InputError("a finite loss", str(found))
    return rational_ball(found)


def _at_least(level: Level, other: Level) -> bool:
    """Whether level >= other, exactly."""
    if other.is_infinite:
        return level.is_infinite
    return level.is_infinite or (level.formal() - other.formal()).sign() >= 0
