"""Poisson subsampling of additive noise under substitution: one record at +theta replaced by one at -theta.

Noise N(mu) is N moved by mu. A kept record moves the sum by +theta in the first database and by -theta in the
second, an absent one not at all, so with the rate q, 0 < q <= 1, the pair is

    P' = (1-q) N(0) + q N(theta),     Q' = (1-q) N(0) + q N(-theta),

theta being the sensitivity under add_remove over the scale of the noise. Reflection exchanges P' and Q'. The ratio
p'/q' grows along the line, so {p' > a q'} is a half-line x > x_a.

Gaussian. With u = e^(theta x) and c = q e^(-theta²/2), p' = a q' reads (1-q) + c u = a ((1-q) + c/u), a quadratic
equation with one positive root, u = (B + √(B² + 4 a c²))/(2c) for B = (1-q)(a-1). Then x_a = log(u)/theta and
D_a = (1-q)(1-a) Phi(-x_a) + q (Phi(theta - x_a) - a Phi(-theta - x_a)).

Laplace of scale 1. Left of -theta and right of theta the ratio is constant, 1/r and r with r = ((1-q) + q e^theta)/K,
K = (1-q) + q e^(-theta). On [0, theta] it is ((1-q) + q e^(2x-theta))/K. Putting x_a into P'(x > x_a) - a Q'(x > x_a)
gives, for 1 <= a <= r,

    D_a = q - e^(-theta/2) √(q (a K - (1-q))),

0 from r on, and D_a = 1 - a + a D_{1/a} for a < 1 (reflection). T is the largest of the lines 1 - D_h - h·alpha:
1 - r·alpha for alpha <= K e^(-theta)/2, then 1 - q - alpha (1-q)/K + q K e^(-theta)/(4 alpha) for alpha <= K/2, where
T(alpha) = alpha, and beyond that the inverse of these (T is its own inverse).

Source: the pair is that of Balle, Barthe and Gaboardi, NeurIPS 2018, end of section 4 (w_1, w_1' and w_0).
"""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any

from flint import arb
from gmpy2 import mpq

from oracle.channels.renyi import Renyi
from oracle.enclosures import DEFAULT_DIGITS, Ball, Comparison, Enclosure, enclose, precision, rational_ball
from oracle.errors import Declined, InputError, shorten
from oracle.exact import Extended, Infinity, to_text
from oracle.experiments.base import Experiment
from oracle.experiments.bisection import falling_root
from oracle.formal import FormalSum
from oracle.levels import Level
from oracle.special import phi

if TYPE_CHECKING:
    from oracle.channels.divergences import Direction

__all__ = ["SubstitutedGaussian", "SubstitutedLaplace"]


class _Substituted(Experiment):
    """What the two have in common: theta > 0, the rate q, symmetry."""

    __slots__ = ("rate", "theta")

    theta: mpq
    rate: mpq

    def __init__(self, theta: mpq, rate: mpq) -> None:
        if theta <= 0:
            raise InputError("theta above 0", shorten(to_text(theta)))
        if not 0 < rate <= 1:
            raise InputError("a rate above 0 and at most 1", shorten(to_text(rate)), "rate")
        self.theta, self.rate = theta, rate

    @property
    def symmetric(self) -> bool:
        """True: reflection exchanges the laws."""
        return True

    def to_json(self) -> dict[str, Any]:
        """``poisson_subsample`` with neighbours substitute, of noise of sensitivity 1."""
        fields = {"rate": to_text(self.rate), "neighbours": "substitute"}
        return {"mechanism": "poisson_subsample", **fields, "of": self._noise(to_text(1 / self.theta))}

    @abstractmethod
    def _noise(self, scale: str) -> dict[str, Any]:
        """The expression of the noise at sensitivity 1."""

    def singular_mass(self, side: Direction) -> mpq:  # noqa: ARG002 - symmetric
        """0: both laws have the same null sets."""
        return mpq(0)

    def renyi_one_sided(self, order: Extended, side: Direction, digits: int) -> Renyi:
        """Order infinity, the logarithm of the largest loss.

        Raises:
            Declined: for any other order.
        """
        if not isinstance(order, Infinity):
            raise Declined("Rényi divergences of finite order are not offered for subsampling under substitution")
        largest = self.largest_loss(side, digits)
        return Renyi(None, largest.epsilon(digits) if isinstance(largest, Level) else largest)


class SubstitutedGaussian(_Substituted):
    """The pair of Gaussian noise of standard deviation 1."""

    __slots__ = ()

    def _noise(self, scale: str) -> dict[str, Any]:
        return {"mechanism": "gaussian", "sigma": scale}

    def largest_loss(self, side: Direction, digits: int = DEFAULT_DIGITS) -> Level:  # noqa: ARG002
        """Infinite."""
        return Level.infinite()

    def hockey_stick_ball(self, epsilon: Ball, side: Direction) -> Ball:  # noqa: ARG002 - symmetric
        """See the module's text."""

        def ball(bits: int) -> arb:
            with precision(bits):
                theta, q, eps = rational_ball(self.theta), rational_ball(self.rate), epsilon(bits)
                a, keep = eps.exp(), q * (-theta * theta / 2).exp()
                shift = (1 - q) * eps.expm1()
                root = (shift * shift + 4 * a * keep * keep).sqrt()
                # The form without cancellation: (B + √(B²+4ac²))/(2c) = 2ac/(√(B²+4ac²) - B).
                u = (root + shift) / (2 * keep) if eps >= 0 else 2 * a * keep / (root - shift)
                x = u.log() / theta
                gained = phi(theta - x) - a * phi(-theta - x)
                return q * gained - shift * phi(-x)

        return ball

    def beta_ball(self, alpha: mpq, side: Direction) -> Ball:  # noqa: ARG002 - symmetric
        """Reject x < t: alpha = (1-q) Phi(t) + q Phi(t-theta), beta = (1-q) Phi(-t) + q Phi(-t-theta).

        Found by bisection of s in (0, 1) with t = log(1-s) - log(s), along which alpha falls.
        """

        def point(s: mpq) -> arb:
            return (rational_ball(1 - s) / rational_ball(s)).log()

        def errors(t: arb, sign: int) -> arb:
            theta, q = rational_ball(self.theta), rational_ball(self.rate)
            return (1 - q) * phi(sign * t) + q * phi(sign * t - theta)

        def first(s: mpq) -> Ball:
            def ball(bits: int) -> arb:
                with precision(bits):
                    return errors(point(s), 1)

            return ball

        where = falling_root(first, alpha)

        def ball(bits: int) -> arb:
            s = where(bits)
            with precision(bits):
                lower, upper = arb(s.lower()), arb(s.upper())
                ends = [arb(0) if end <= 0 else errors(((1 - end) / end).log(), -1) for end in (lower, upper)]
                return ends[0].union(ends[1])

        return ball


class SubstitutedLaplace(_Substituted):
    """The pair of Laplace noise of scale 1; every comparison with a rational is exact."""

    __slots__ = ()

    def _noise(self, scale: str) -> dict[str, Any]:
        return {"mechanism": "laplace", "scale": scale}

    def _mixed(self, sign: int) -> FormalSum:
        """(1-q) + q e^(±theta)."""
        return FormalSum.rational(1 - self.rate) + FormalSum.exp(sign * self.theta).scaled(self.rate)

    def _against_largest(self, level: Level) -> int:
        """The sign of a - r, exactly."""
        return (level.formal() * self._mixed(-1) - self._mixed(1)).sign()

    def largest_loss(self, side: Direction, digits: int = DEFAULT_DIGITS) -> Level | Enclosure:  # noqa: ARG002
        """The logarithm of r; r = e^(2 theta) at rate 1."""
        if self.rate == 1:
            return Level.of_exponent(2 * self.theta)

        def ball(bits: int) -> arb:
            with precision(bits):
                return (self._mixed(1).ball(bits) / self._mixed(-1).ball(bits)).log()

        return enclose(ball, digits)

    def hockey_stick_ball(self, epsilon: Ball, side: Direction) -> Ball:  # noqa: ARG002 - symmetric
        """See the module's text; a ball across an end of the formula takes what is common to both or the union."""

        def above_one(eps: arb) -> arb:
            """D_a for eps >= 0."""
            theta, q = rational_ball(self.theta), rational_ball(self.rate)
            low, high = ((1 - q) + q * (sign * theta).exp() for sign in (-1, 1))
            if eps.exp() * low >= high:
                return arb(0)
            # a K - (1-q) = K (a-1) + q e^(-theta), which is positive for a >= 1.
            inner = low * eps.expm1() + q * (-theta).exp()
            return (q - ((-theta / 2).exp() * (q * inner.max(arb(0))).sqrt())).max(arb(0))

        def ball(bits: int) -> arb:
            with precision(bits):
                eps = epsilon(bits)
                if eps >= 0:
                    return above_one(eps)
                if eps < 0:
                    return -eps.expm1() + eps.exp() * above_one(-eps)
                return above_one(eps).union(-eps.expm1() + eps.exp() * above_one(-eps))

        return ball

    def exact_hockey_stick(self, level: Level, side: Direction) -> mpq | None:  # noqa: ARG002 - symmetric
        """0 from r on, 1 - a up to 1/r for a rational a."""
        if level.compare(1) >= 0:
            return mpq(0) if self._against_largest(level) >= 0 else None
        value = level.value
        if isinstance(value, mpq) and value and self._against_largest(Level.rational(1 / value)) >= 0:
            return 1 - value
        return None

    def compare_hockey_stick(self, level: Level, bound: mpq, side: Direction) -> Comparison:
        """The sign of D_a - d, exactly.

        For 1 <= a <= r, D_a > d iff q - d > 0 and (q-d)² e^theta > q (a K - (1-q)). For 1/r <= a < 1, with
        X = a q - (d - 1 + a), D_a > d iff D_{1/a} > (d-1+a)/a iff X > 0 and X² e^theta > q a (K - a (1-q)). Below,
        D_a is 1 - a.
        """
        exact = self._exact(level, side)
        if exact is not None:
            return Comparison((exact > bound) - (exact < bound), 0)
        q, a = self.rate, level.formal()
        if level.compare(1) >= 0:
            gap = FormalSum.rational(q - bound)
            inner = (a * self._mixed(-1) - FormalSum.rational(1 - q)).scaled(q)
        elif self._against_largest(_inverse(level)) < 0:
            gap = a.scaled(q - 1) - FormalSum.rational(bound - 1)
            inner = (a * (self._mixed(-1) - a.scaled(1 - q))).scaled(q)
        else:
            return Comparison(-level.compare(1 - bound), 0)
        if gap.sign() <= 0:
            return Comparison(-1, 0)
        return Comparison((gap * gap * FormalSum.exp(self.theta) - inner).sign(), 0)

    def beta_ball(self, alpha: mpq, side: Direction) -> Ball:  # noqa: ARG002 - symmetric
        """T(alpha), the piece chosen by exact comparisons."""
        q, theta = self.rate, self.theta
        small = self._mixed(-1)
        first_end = (small * FormalSum.exp(-theta)).scaled(mpq(1, 2)) - FormalSum.rational(alpha)
        before_middle = small.scaled(mpq(1, 2)) - FormalSum.rational(alpha)
        # By symmetry the last piece begins at T(K e^(-theta)/2) = 1 - ((1-q) + q e^theta) e^(-theta)/2.
        last_end = FormalSum.rational(1 - alpha) - (self._mixed(1) * FormalSum.exp(-theta)).scaled(mpq(1, 2))

        def ball(bits: int) -> arb:
            with precision(bits):
                low, high = (self._mixed(sign).ball(bits) for sign in (-1, 1))
                x, rest, fall = rational_ball(alpha), rational_ball(1 - q), rational_ball(-theta).exp()
                c = rational_ball(q) * low * fall
                if first_end.sign() >= 0:
                    return 1 - high / low * x
                if before_middle.sign() >= 0:
                    return rest - x * rest / low + c / (4 * x)
                if last_end.sign() <= 0:
                    return (1 - x) * low / high
                # beta² (1-q)/K + beta (alpha - 1 + q) - c/4 = 0, its positive root without cancellation.
                linear = x - rest
                return (c / 2) / (linear + (linear * linear + rest * c / low).sqrt())

        return ball


def _inverse(level: Level) -> Level:
    """The level 1/a of a finite level a > 0."""
    if level.exponent is not None:
        return Level(None, -level.exponent)
    value = level.value
    if not isinstance(value, mpq):
        raise InputError("a finite level", str(value))
    return Level.rational(1 / value)
