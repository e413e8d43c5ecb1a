"""Noise distributions a second time: profile, trade-off function and moments by closed forms and sums in mpmath.

A pair answers D_a(P‖Q) and D_a(Q‖P) at a level a >= 0 and T(P, Q) at alpha, as mpmath numbers of 160 digits of working
precision. Sources: the Gaussian profile is theorem 8 of Balle and Wang (ICML 2018); that of Laplace noise is an
integral of two exponentials; the discrete Gaussian is that of Canonne, Kamath and Steinke (2020), summed.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from oracle.conformance.vector_sources.expressions import Law, mp, real

__all__ = ["Gaussian", "Laplace", "Lattice", "Pair", "Real", "Table", "normal_quantile", "normal_tail"]

Real = Any
"""An mpmath number."""


class Pair:
    """Two laws P and Q."""

    def stick(self, level: Real, direction: str) -> Real:
        """D_a(P‖Q), backward D_a(Q‖P), both the larger, at a = level >= 0."""
        if direction == "both":
            return max(self.stick(level, "forward"), self.stick(level, "backward"))
        if level == 0:
            return mp.mpf(1)
        return self.forward(level) if direction == "forward" else self.backward(level)

    def forward(self, level: Real) -> Real:
        """D_a(P‖Q) at a > 0."""
        raise NotImplementedError

    def backward(self, level: Real) -> Real:
        """D_a(Q‖P) at a > 0, by D_a(Q‖P) = 1 - a + a D_{1/a}(P‖Q)."""
        return 1 - level + level * self.forward(1 / level)

    def beta(self, alpha: Real, direction: str) -> Real:
        """T(P, Q) at alpha; backward T(Q, P)."""
        raise NotImplementedError

    def moment(self, order: Real, direction: str) -> Real:
        """Σ p^order q^(1-order), for an order other than 1."""
        raise NotImplementedError

    def relative_entropy(self, direction: str) -> Real:
        """Σ p log(p/q)."""
        raise NotImplementedError

    def largest_ratio(self, direction: str) -> Real:
        """Sup p/q."""
        raise NotImplementedError


class Table(Pair):
    """A finite pair."""

    def __init__(self, p: Law, q: Law) -> None:
        self.p, self.q = p, q

    def forward(self, level: Real) -> Real:
        """As of every pair."""
        return mp.fsum(max(mp.mpf(0), real(a) - level * real(b)) for a, b in zip(self.p, self.q, strict=True))

    def backward(self, level: Real) -> Real:
        """As of every pair."""
        return Table(self.q, self.p).forward(level)


def normal_tail(x: Real) -> Real:
    """Phi(x), by the complementary error function."""
    return mp.erfc(-x / mp.sqrt(2)) / 2


def normal_quantile(p: Real) -> Real:
    """X with Phi(x) = p, by Newton's iteration on the smaller tail."""
    if p > 0.5:
        return -normal_quantile(1 - p)
    x = -mp.sqrt(-2 * mp.log(p)) if p < 0.02 else mp.sqrt(2 * mp.pi) * (p - mp.mpf(1) / 2)
    for _ in range(200):
        step = (normal_tail(x) - p) * mp.sqrt(2 * mp.pi) * mp.exp(x * x / 2)
        step /= 1 + x * step / 2
        x -= step
        if abs(step) < mp.mpf(10) ** (-mp.dps + 10) * (1 + abs(x)):
            return x
    raise ArithmeticError("Newton's iteration did not settle")


class Gaussian(Pair):
    """N(0, 1) and N(theta, 1), theta² rational."""

    def __init__(self, square: Fraction) -> None:
        self.theta = mp.sqrt(real(square))

    def forward(self, level: Real) -> Real:
        """As of every pair."""
        if not self.theta:
            return max(mp.mpf(0), 1 - level)
        x = mp.log(level)
        return normal_tail(self.theta / 2 - x / self.theta) - level * normal_tail(-self.theta / 2 - x / self.theta)

    def backward(self, level: Real) -> Real:
        """As of every pair."""
        return self.forward(level)

    def beta(self, alpha: Real, direction: str) -> Real:  # noqa: ARG002 - symmetric
        """As of every pair."""
        return 1 - alpha if alpha in (0, 1) else normal_tail(-normal_quantile(alpha) - self.theta)

    def moment(self, order: Real, direction: str) -> Real:  # noqa: ARG002 - symmetric
        """As of every pair."""
        return mp.exp(order * (order - 1) * self.theta**2 / 2)

    def relative_entropy(self, direction: str) -> Real:  # noqa: ARG002 - symmetric
        """As of every pair."""
        return self.theta**2 / 2

    def largest_ratio(self, direction: str) -> Real:  # noqa: ARG002 - symmetric
        """As of every pair."""
        return mp.inf if self.theta else mp.mpf(1)


class Laplace(Pair):
    """Laplace noise of scale 1 at 0 and at theta."""

    def __init__(self, theta: Fraction) -> None:
        self.theta = real(theta)

    def forward(self, level: Real) -> Real:
        """As of every pair."""
        x = mp.log(level)
        if x >= self.theta:
            return mp.mpf(0)
        return 1 - level if x <= -self.theta else -mp.expm1((x - self.theta) / 2)

    def backward(self, level: Real) -> Real:
        """As of every pair."""
        return self.forward(level)

    def beta(self, alpha: Real, direction: str) -> Real:  # noqa: ARG002 - symmetric
        """As of every pair."""
        growth = mp.exp(self.theta)
        if alpha <= 1 / (2 * growth):
            return 1 - growth * alpha
        return (1 - alpha) / growth if alpha >= mp.mpf(1) / 2 else 1 / (4 * growth * alpha)

    def moment(self, order: Real, direction: str) -> Real:  # noqa: ARG002 - symmetric
        """As of every pair."""
        a, theta = order, self.theta
        if a == mp.mpf(1) / 2:
            return (1 + theta / 2) * mp.exp(-theta / 2)
        return a / (2 * a - 1) * mp.exp((a - 1) * theta) + (a - 1) / (2 * a - 1) * mp.exp(-a * theta)

    def relative_entropy(self, direction: str) -> Real:  # noqa: ARG002 - symmetric
        """As of every pair."""
        return self.theta + mp.expm1(-self.theta)

    def largest_ratio(self, direction: str) -> Real:  # noqa: ARG002 - symmetric
        """As of every pair."""
        return mp.exp(self.theta)


class Lattice(Pair):
    """Discrete Gaussian noise of variance sigma² at 0 and at s, summed outwards until nothing is left to add."""

    def __init__(self, sigma: Fraction, s: int) -> None:
        self.sigma, self.s = real(sigma), s
        self.total = self._sum(lambda _: mp.mpf(1), 0, 1) + self._sum(lambda _: mp.mpf(1), -1, -1)

    def weight(self, z: int) -> Real:
        """e^(-z²/(2 sigma²))."""
        return mp.exp(-(mp.mpf(z) ** 2) / (2 * self.sigma**2))

    def _sum(self, factor: Callable[[int], Real], start: int, step: int) -> Real:
        """Σ weight(z) factor(z) from a start outwards, past the largest term."""
        total, z = mp.mpf(0), start
        while True:
            term = self.weight(z) * factor(z)
            total += term
            if abs(z) > 5 * self.s and z * step > 0 and abs(term) < total * mp.mpf(10) ** -120:
                return total
            z += step

    def _threshold(self, level: Real) -> int:
        """The largest z with p(z) > a q(z): log p/q = (s² - 2 s z)/(2 sigma²)."""
        edge = (mp.mpf(self.s) ** 2 - 2 * self.sigma**2 * mp.log(level)) / (2 * self.s)
        return int(mp.ceil(edge)) - 1

    def forward(self, level: Real) -> Real:
        """As of every pair."""
        last = self._threshold(level)

        def ratio(z: int) -> Real:
            return 1 - level * self.weight(z - self.s) / self.weight(z)

        if last > 10 * (self.sigma + self.s):
            rest = self._sum(lambda z: -ratio(z), last + 1, 1)
            return 1 - level + rest / self.total
        return self._sum(ratio, last, -1) / self.total

    def backward(self, level: Real) -> Real:
        """As of every pair."""
        return self.forward(level)

    def moment(self, order: Real, direction: str) -> Real:  # noqa: ARG002 - symmetric
        """As of every pair."""

        def power(z: int) -> Real:
            return mp.exp((order - 1) * (mp.mpf(self.s) ** 2 - 2 * self.s * z) / (2 * self.sigma**2))

        far = int(mp.ceil(order * self.s)) + 5 * self.s + 1
        inner = mp.fsum(self.weight(z) * power(z) for z in range(-far, far + 1))
        return (inner + self._sum(power, far + 1, 1) + self._sum(power, -far - 1, -1)) / self.total

    def relative_entropy(self, direction: str) -> Real:  # noqa: ARG002 - symmetric
        """As of every pair."""
        return mp.mpf(self.s) ** 2 / (2 * self.sigma**2)

    def largest_ratio(self, direction: str) -> Real:  # noqa: ARG002 - symmetric
        """As of every pair."""
        return mp.inf
