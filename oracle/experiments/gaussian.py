"""The pair N(0, 1), N(theta, 1): the Gaussian mechanism, theta = sensitivity/sigma, and its compositions.

D_a = Phi(theta/2 - eps/theta) - e^eps Phi(-theta/2 - eps/theta), a = e^eps, for every real eps, and
T(alpha) = Phi(Phi^(-1)(1 - alpha) - theta). The pair is symmetric (reflection), and a composition of Gaussian pairs is
again one, with theta² = Σ theta_i². In any dimension the worst case of L2 sensitivity is this pair.

References: B. Balle and Y.-X. Wang, *Improving the Gaussian mechanism for differential privacy*, ICML 2018, theorem 8;
Balle, Barthe and Gaboardi, NeurIPS 2018, theorem 4; J. Dong, A. Roth and W. J. Su, *Gaussian differential privacy*,
JRSS B 84(1), 2022, section 2.2; I. Mironov, *Rényi differential privacy*, CSF 2017, proposition 7.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flint import arb
from gmpy2 import mpq

from oracle.channels.renyi import Renyi
from oracle.enclosures import DEFAULT_DIGITS, Ball, Comparison, Enclosure, compare, precision, rational_ball
from oracle.errors import InputError, shorten
from oracle.exact import INFINITY, Extended, Infinity, to_text
from oracle.experiments.base import Experiment, moment_value, require_short
from oracle.levels import Level
from oracle.special import exact_square_root, log_phi, phi, phi_inverse_ball

if TYPE_CHECKING:
    from oracle.channels.divergences import Direction

__all__ = ["Gaussian", "gaussian_hockey_stick", "gaussian_overlap"]

_LARGE = 1 << 12
"""From this epsilon on e^eps Phi(.) is formed as one exponential."""


def gaussian_hockey_stick(theta: arb, epsilon: arb) -> arb:
    """D_a = Phi(theta/2 - eps/theta) - e^eps Phi(-theta/2 - eps/theta) of the pair, at the working precision.

    The two terms cancel: for theta -> 0 and for eps/theta -> ∞ about log2(1 + 1/theta) + 3·log2(1 + eps/theta + theta)
    bits are lost, which the caller adds to the working precision.
    """
    half, shift = theta / 2, epsilon / theta
    return phi(half - shift) - _second_term(half, shift, epsilon)


def gaussian_overlap(theta: arb, epsilon: arb) -> arb:
    """The number 1 - D_a = Phi(eps/theta - theta/2) + e^eps Phi(-theta/2 - eps/theta), a sum without cancellation."""
    half, shift = theta / 2, epsilon / theta
    return phi(shift - half) + _second_term(half, shift, epsilon)


def _second_term(half: arb, shift: arb, epsilon: arb) -> arb:
    """The product e^eps Phi(-theta/2 - eps/theta)."""
    if epsilon < _LARGE:
        return epsilon.exp() * phi(-half - shift)
    return (epsilon + log_phi(-half - shift)).exp()


class Gaussian(Experiment):
    """The pair N(0, 1), N(theta, 1).

    Args:
        theta_squared: theta², a rational above 0; theta itself may be irrational.
    """

    __slots__ = ("theta", "theta_squared")

    theta_squared: mpq
    theta: mpq | None

    def __init__(self, theta_squared: mpq) -> None:
        if theta_squared <= 0:
            raise InputError("theta² above 0", shorten(to_text(theta_squared)))
        self.theta_squared = theta_squared
        self.theta = exact_square_root(theta_squared)

    @classmethod
    def of(cls, theta: mpq) -> Gaussian:
        """The pair of a rational theta > 0."""
        return cls(theta * theta)

    @property
    def symmetric(self) -> bool:
        """True: reflection exchanges the laws."""
        return True

    def to_json(self) -> dict[str, Any]:
        """``gaussian`` with sensitivity 1; for an irrational theta = √(m/n²) a repetition, m times theta = 1/n."""
        if self.theta is not None:
            return {"mechanism": "gaussian", "sigma": to_text(1 / self.theta)}
        # theta² = p/q = (p q)·(1/q)².
        p, q = self.theta_squared.numerator, self.theta_squared.denominator
        return {"mechanism": "repeat", "times": int(p * q), "of": {"mechanism": "gaussian", "sigma": str(q)}}

    def _theta(self) -> arb:
        """The ball of theta at the working precision."""
        return rational_ball(self.theta_squared).sqrt() if self.theta is None else rational_ball(self.theta)

    def hockey_stick_ball(self, epsilon: Ball, side: Direction) -> Ball:  # noqa: ARG002 - symmetric
        """D_a; see the module's text."""

        def ball(bits: int) -> arb:
            with precision(bits):
                return gaussian_hockey_stick(self._theta(), epsilon(bits))

        return ball

    def epsilon_at(self, delta: mpq, side: Direction, digits: int) -> Level | Enclosure:
        """As for every pair, for a theta that is not too long."""
        require_short(self.theta_squared, "theta")
        return super().epsilon_at(delta, side, digits)

    def singular_mass(self, side: Direction) -> mpq:  # noqa: ARG002 - symmetric
        """0: both laws have the same null sets."""
        return mpq(0)

    def largest_loss(self, side: Direction, digits: int = DEFAULT_DIGITS) -> Level:  # noqa: ARG002
        """Infinite: the privacy loss is unbounded."""
        return Level.infinite()

    def beta_ball(self, alpha: mpq, side: Direction) -> Ball:  # noqa: ARG002 - symmetric
        """Phi(-Phi^(-1)(alpha) - theta)."""

        def ball(bits: int) -> arb:
            with precision(bits):
                return phi(-phi_inverse_ball(alpha, bits) - self._theta())

        return ball

    def least_mu(self) -> Extended | Ball:
        """The parameter theta: T(P, Q) = G_theta."""
        return self._theta_ball if self.theta is None else self.theta

    def _theta_ball(self, bits: int) -> arb:
        with precision(bits):
            return self._theta()

    def compare_mu(self, mu: mpq) -> Comparison:
        """Theta² against mu², exactly."""
        return compare(self.theta_squared, mu * mu)

    def least_rho(self) -> mpq:
        """Half of theta²: D_a = a·theta²/2 at every order."""
        return self.theta_squared / 2

    def renyi_one_sided(self, order: Extended, side: Direction, digits: int) -> Renyi:  # noqa: ARG002
        """D = order·theta²/2, exactly; the moment is e^(order·(order-1)·theta²/2)."""
        if isinstance(order, Infinity):
            return Renyi(None, INFINITY)
        divergence = order * self.theta_squared / 2
        exponent = (order - 1) * divergence

        def ball(bits: int) -> arb:
            with precision(bits):
                return rational_ball(exponent).exp()

        return Renyi(moment_value(ball, order, digits), divergence)
