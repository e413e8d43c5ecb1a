"""The mu that a guarantee needs, by its definition, and the refined profiles of SGD and ICEA, from their formulas.

Nothing here uses the engine's transform or profiles: a mu is found by bisection and Newton's method and proved by the
signs of delta_mu(eps) - delta on both sides of it, delta_mu being its two terms.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from flint import arb
from gmpy2 import mpq

from oracle.enclosures import Ball, Enclosure, precision, rational_ball, rational_bounds
from oracle.errors import UndecidedError
from oracle.laws.ask import Number
from oracle.laws.liu2022._values import BITS, ONE, ZERO, bounds
from oracle.special import phi, phi_inverse

__all__ = ["ICEA", "SGD", "Formula", "at_zero", "real", "required_mu"]

_BISECTIONS: Final = 16
_NEWTON_STEPS: Final = 5
_FIRST_STEP: Final = mpq(1, 1 << 70)


def real(epsilon: mpq) -> Ball:
    """A rational epsilon as a ball."""
    return lambda _: rational_ball(epsilon)


def _terms(mu: arb, epsilon: arb) -> arb:
    return phi(mu / 2 - epsilon / mu) - epsilon.exp() * phi(-mu / 2 - epsilon / mu)


def _proposal(epsilon: arb, target: arb) -> arb:
    """A point near the mu with delta_mu(eps) = target, not proved."""
    low, high = arb(0), arb(1)
    while _terms(high, epsilon) < target:
        low, high = high, 2 * high
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        if _terms(middle, epsilon) < target:
            low = middle
        else:
            high = middle
    x = ((low + high) / 2).mid()
    for _ in range(_NEWTON_STEPS):
        a = epsilon / x - x / 2
        density = (-a * a / 2).exp() / (2 * arb.pi()).sqrt()
        value = _terms(x, epsilon)
        # Of log delta_mu for a small delta, which is nearly straight there, else of delta_mu itself.
        step = ((target / value).log() * value if 2 * target < 1 else target - value) / density
        if not step.is_finite():
            break
        x = (x + step).mid()
    return x


def required_mu(epsilon: mpq, delta: Number) -> Enclosure:
    """mu_GDP(eps, delta): the mu with delta_mu(eps) = delta, for delta < 1 by 10^-60 at least.

    Raises:
        UndecidedError: if the signs around the proposed mu are not had.
    """
    least, most = (delta.lo, delta.hi) if isinstance(delta, Enclosure) else (delta, delta)
    if most <= 0:
        return Enclosure(ZERO, ZERO)
    with precision(BITS):
        eps, low, high = (rational_ball(x) for x in (epsilon, least, most))
        centre = _proposal(eps, high)
        a = eps / centre - centre / 2
        density = (-a * a / 2).exp() / (2 * arb.pi()).sqrt()
        step = (centre * rational_ball(_FIRST_STEP) + 2 * (high - low) / density).mid()
        for _ in range(8):
            left, right = (centre - step).mid(), (centre + step).mid()
            above = _terms(right, eps) > high
            below = left > 0 and _terms(left, eps) < low
            if above and (below or least <= 0):
                return Enclosure(rational_bounds(left)[0] if below else ZERO, rational_bounds(right)[1])
            step *= 16
    raise UndecidedError("the mu of a guarantee", BITS)


def at_zero(half_overlap: Ball) -> Enclosure:
    """G(0) = -2 Phi^(-1)((1 - delta(0))/2) from (1 - delta(0))/2."""
    return bounds(lambda bits: -2 * phi_inverse(half_overlap(bits)))


@dataclass(frozen=True)
class Formula:
    """A noise formula solved for delta, and its refinement 1 - C (1 + e^eps) up to eps*.

    H(e) = (1 - delta(e))/(1 + e^e) rises up to eps* and falls afterwards; C = H(eps*).

    Attributes:
        name: that of the running example.
        value: the formula, before it is cut at 1.
        falling: a function with the sign of -H' where the formula counts, increasing at its zero eps*.
        turning: rationals around eps*.
    """

    name: str
    value: Callable[[arb], arb]
    falling: Callable[[arb], arb]
    turning: tuple[mpq, mpq]

    def turns_there(self) -> bool:
        """Whether eps* is proved to lie between its bounds."""

        def sign(x: mpq) -> Enclosure:
            return bounds(lambda _: self.falling(rational_ball(x)))

        low, high = self.turning
        return sign(low).hi < 0 < sign(high).lo

    def naive(self, epsilon: Ball) -> Enclosure:
        """min(1, formula), eps > 0."""
        return bounds(lambda bits: self.value(epsilon(bits)).min(arb(1)))

    @cached_property
    def constant(self) -> Enclosure:
        """C: at least H at a point; at most (1 - delta(high))/(1 + e^low), as numerator and denominator increase."""
        low, high = self.turning

        def quotient(above: mpq, below: mpq) -> Enclosure:
            return bounds(lambda _: (1 - self.value(rational_ball(above))) / (1 + rational_ball(below).exp()))

        return Enclosure(quotient(high, high).lo, quotient(high, low).hi)

    def constant_ball(self, _: int = 0) -> arb:
        """C as a ball."""
        low, high = (rational_ball(x) for x in (self.constant.lo, self.constant.hi))
        return low.union(high)

    def refined(self, epsilon: Ball) -> Enclosure:
        """Delta with everything that the guarantees imply."""

        def ball(bits: int) -> arb:
            x = epsilon(bits)
            if x > rational_ball(self.turning[1]):
                return self.value(x)
            head = 1 - self.constant_ball() * (1 + x.exp())
            return head if x < rational_ball(self.turning[0]) else head.union(self.value(x))

        return bounds(ball)

    def transform(self, epsilon: mpq) -> Enclosure:
        """G of the refined profile."""
        return required_mu(epsilon, self.refined(real(epsilon))) if epsilon else at_zero(self.constant_ball)

    def naive_transform(self, epsilon: mpq) -> Enclosure:
        """G of the formula as it stands, where that is below 1."""
        return required_mu(epsilon, self.naive(real(epsilon)))


def _around(text: str) -> tuple[mpq, mpq]:
    digits = len(text.partition(".")[2])
    return mpq(text), mpq(text) + ONE / mpq(10) ** digits


def _coefficient() -> arb:
    return 4 * arb(-2).exp()


SGD: Final = Formula(
    "sgd",
    lambda x: (-x * x).exp(),
    lambda x: (x * x).exp() - 1 - 2 * x * (1 + (-x).exp()),
    _around("1.18784889958051325833094582519840538"),
)
"""e^(-eps²): sigma = 2 √(log(1/delta))/eps at sigma = 2."""
ICEA: Final = Formula(
    "icea",
    lambda x: _coefficient() / x,
    lambda x: x * x - _coefficient() * (x + 1 + (-x).exp()),
    _around("1.15660703536557801753673534354586280"),
)
"""4 e^-2/eps: 20 = 10 log(4/(eps delta))."""
