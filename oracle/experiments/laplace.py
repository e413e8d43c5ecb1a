"""The pair Lap(0, 1), Lap(theta, 1): the scalar Laplace mechanism, theta = sensitivity/scale.

With a = e^eps: D_a = 0 for eps >= theta, 1 - e^((eps - theta)/2) for |eps| <= theta and 1 - e^eps below -theta.
T(alpha) = 1 - e^theta alpha for alpha <= e^(-theta)/2, e^(-theta)/(4 alpha) up to 1/2, e^(-theta)(1 - alpha) from
there on. The pair is symmetric (reflection). Every comparison with a rational number is decided exactly: it comes down
to a power of e with a rational exponent against a rational number.

References: C. Dwork, F. McSherry, K. Nissim and A. Smith, TCC 2006; Balle, Barthe and Gaboardi, NeurIPS 2018,
theorem 3; I. Mironov, *Rényi differential privacy*, CSF 2017, proposition 6.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flint import arb
from gmpy2 import mpq

from oracle.channels.renyi import Renyi
from oracle.enclosures import DEFAULT_DIGITS, Ball, Comparison, Enclosure, enclose, precision, rational_ball
from oracle.errors import InputError, shorten
from oracle.exact import Extended, Infinity, to_text
from oracle.experiments.base import Experiment, moment_value
from oracle.levels import Level
from oracle.special import phi_inverse

if TYPE_CHECKING:
    from oracle.channels.divergences import Direction

__all__ = ["Laplace"]

_HALF = mpq(1, 2)


class Laplace(Experiment):
    """The pair Lap(0, 1), Lap(theta, 1) for a rational theta > 0."""

    __slots__ = ("theta",)

    theta: mpq

    def __init__(self, theta: mpq) -> None:
        if theta <= 0:
            raise InputError("theta above 0", shorten(to_text(theta)))
        self.theta = theta

    @property
    def symmetric(self) -> bool:
        """True: reflection exchanges the laws."""
        return True

    def to_json(self) -> dict[str, Any]:
        """``laplace`` with sensitivity 1."""
        return {"mechanism": "laplace", "scale": to_text(1 / self.theta)}

    def hockey_stick_ball(self, epsilon: Ball, side: Direction) -> Ball:  # noqa: ARG002 - symmetric
        """D_a; the formulas agree where they meet, so a ball across a boundary takes the union."""

        def ball(bits: int) -> arb:
            with precision(bits):
                theta, eps = rational_ball(self.theta), epsilon(bits)
                if eps <= -theta:
                    return -eps.expm1()
                if eps >= theta:
                    return arb(0)
                middle = -((eps - theta) / 2).expm1()
                if not eps < theta:
                    middle = middle.max(arb(0))
                return middle if eps >= -theta else middle.union(-eps.expm1())

        return ball

    def singular_mass(self, side: Direction) -> mpq:  # noqa: ARG002 - symmetric
        """0: both laws have the same null sets."""
        return mpq(0)

    def largest_loss(self, side: Direction, digits: int = DEFAULT_DIGITS) -> Level:  # noqa: ARG002
        """The level e^theta."""
        return Level.of_exponent(self.theta)

    def exact_hockey_stick(self, level: Level, side: Direction) -> mpq | None:  # noqa: ARG002 - symmetric
        """0 from e^theta on, 1 - a up to e^(-theta) for a rational a; every other value is transcendental."""
        if _against(level, self.theta) >= 0:
            return mpq(0)
        if isinstance(level.value, mpq) and _against(level, -self.theta) <= 0:
            return 1 - level.value
        return None

    def compare_hockey_stick(self, level: Level, bound: mpq, side: Direction) -> Comparison:
        """The sign of D_a - bound, exactly: for d < 1 and |eps| <= theta, D_a > d iff a < (1 - d)² e^theta."""
        exact = self._exact(level, side)
        if exact is not None:
            return Comparison((exact > bound) - (exact < bound), 0)
        rest = 1 - bound
        if rest <= 0:
            return Comparison(-1, 0)
        s = level.exponent
        if s is None:
            value = level.value
            return Comparison(Level.of_exponent(self.theta).compare(value / rest**2), 0)  # type: ignore[operator]
        if s <= -self.theta:
            return Comparison(-level.compare(rest), 0)
        return Comparison(-Level.of_exponent(s - self.theta).compare(rest**2), 0)

    def epsilon_at(self, delta: mpq, side: Direction, digits: int) -> Level | Enclosure:  # noqa: ARG002
        """The number theta + 2 log(1 - delta), for 0 < delta < D_1."""

        def ball(bits: int) -> arb:
            with precision(bits):
                return rational_ball(self.theta) + 2 * (-rational_ball(delta)).log1p()

        return enclose(ball, digits)

    def beta_ball(self, alpha: mpq, side: Direction) -> Ball:  # noqa: ARG002 - symmetric
        """T(alpha); the piece is chosen by an exact comparison."""
        theta = self.theta
        steep = Level.of_exponent(-theta).compare(2 * alpha) >= 0

        def ball(bits: int) -> arb:
            with precision(bits):
                a = rational_ball(alpha)
                if steep:
                    return 1 - rational_ball(theta).exp() * a
                tail = rational_ball(-theta).exp()
                return tail / (4 * a) if alpha <= _HALF else tail * (1 - a)

        return ball

    def least_mu(self) -> Ball:
        """The number mu_0 = -2 Phi^(-1)(e^(-theta/2)/2), which is that of delta alone, at epsilon = 0.

        2 Phi(mu/2) - 1 = delta_mu(0) is at least D_1 = 1 - e^(-theta/2) exactly from mu_0 on. At mu_0 the profile lies
        below delta_mu for every eps >= 0: from theta on D = 0; before it D falls at the rate e^((eps-theta)/2)/2, and
        delta_mu at e^eps Phi(-eps/mu - mu/2) (:mod:`oracle.gaussian_dp.profile`), which are equal at 0. The second is
        at most the first everywhere: Phi(-eps/mu - mu/2) <= e^(-eps/2) Phi(-mu/2), since log Phi is concave with the
        derivative h(t) = phi(t)/Phi(-t) > t at -t, so that the logarithm of the left falls at least at the rate
        h(mu/2)/mu >= 1/2. The pair is symmetric, so eps >= 0 is enough.
        """

        def ball(bits: int) -> arb:
            with precision(bits + 8):
                half = rational_ball(self.theta) / 2
                if half < 1:
                    # 1 - e^(-theta/2) = erf(mu/√8), without cancellation for small theta.
                    return arb(8).sqrt() * (-(-half).expm1()).erfinv()
                return -2 * phi_inverse((-half).exp() / 2)

        return ball

    def log_moment_ball(self, order: mpq, side: Direction) -> Ball:  # noqa: ARG002 - symmetric
        """The logarithm of the moment in :meth:`renyi_one_sided`, for an order above 0 other than 1."""
        lead, rest = self._moment_parts(order)

        def ball(bits: int) -> arb:
            with precision(bits):
                return rational_ball(lead) + rest(bits).log()

        return ball

    def _moment_parts(self, order: mpq) -> tuple[mpq, Ball]:
        """The moment as e^lead · rest: with the larger exponential taken out a large theta does no harm."""
        theta = self.theta
        lead = max((order - 1) * theta, -order * theta)

        def rest(bits: int) -> arb:
            with precision(bits):
                if order == _HALF:
                    return rational_ball(1 + theta / 2)
                up, down = order / (2 * order - 1), (order - 1) / (2 * order - 1)
                rise = rational_ball((order - 1) * theta - lead).exp()
                fall = rational_ball(-order * theta - lead).exp()
                return rational_ball(up) * rise + rational_ball(down) * fall

        return lead, rest

    def renyi_one_sided(self, order: Extended, side: Direction, digits: int) -> Renyi:
        """From the moment a/(2a-1)·e^((a-1)theta) + (a-1)/(2a-1)·e^(-a theta).

        Its limit at a = 1/2 is (1 + theta/2)·e^(-theta/2). Order 1: theta + e^(-theta) - 1. Order infinity: theta.
        """
        theta = self.theta
        if isinstance(order, Infinity):
            return Renyi(None, theta)

        def kullback_leibler(bits: int) -> arb:
            with precision(bits):
                return rational_ball(theta) + rational_ball(-theta).expm1()

        if order == 1:
            return Renyi(None, enclose(kullback_leibler, digits))
        lead, rest = self._moment_parts(order)
        logarithm = self.log_moment_ball(order, side)

        def moment(bits: int) -> arb:
            with precision(bits):
                return rational_ball(lead).exp() * rest(bits)

        def divergence(bits: int) -> arb:
            with precision(bits):
                return logarithm(bits) / rational_ball(order - 1)

        return Renyi(moment_value(moment, order, digits), enclose(divergence, digits))


def _against(level: Level, s: mpq) -> int:
    """The sign of a - e^s, exactly."""
    if level.exponent is not None:
        return (level.exponent > s) - (level.exponent < s)
    if s == 0 or level.is_infinite:
        return level.compare(1)
    return -Level.of_exponent(s).compare(level.value)  # type: ignore[arg-type]
