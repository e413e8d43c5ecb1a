"""The Poisson-subsampled Gaussian pair as a part.

P = (1-q) N(0,1) + q N(theta,1) and Q = N(0,1) in the remove direction, swapped in the add direction. With r = p/q of
the remove direction (:mod:`oracle.accountant.mixture_line`) the loss is log r(x), x ~ P, and K(z) = M(z+1); in the
add direction it is -log r(x), x ~ N(0,1), and K(z) = M(-z). Both laws have the same null sets. In the add direction
the loss is below -log(1-q), in the remove direction it is unbounded.

K on a line: in the remove direction K(c + it) = M(c + 1 + it); in the add direction the conjugate of K(c + it) is
M(-c + it), so that t >= 0 in both.

Cut-off: the tilted law, of density e^(cL) dP/K(c), is n(x) r(x)^alpha dx/M(alpha), alpha = c + 1 or -c. Two bounds:

- (3) of :mod:`oracle.accountant.mixture_line`, which falls faster than every power and serves few steps;
- the layer cake of the density of ±log r. As d(log r)/dx = theta w/r, w = q e^(theta x - theta²/2), its logarithm is
  -x²/2 + (alpha+1) log r(x) - log w(x) + constant. On a cell it is at least its value at one of the ends when alpha +
  1 <= 0 (log r is convex, being a log-sum-exp of linear functions, so this is concave), and otherwise when log r is
  replaced by its tangent at the cell's midpoint, which is below it. It serves many steps, where 1 - phi is small.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, expm1, inf, log, log1p
from typing import Final

import flint
from flint import acb, arb
from gmpy2 import mpq

from oracle.accountant.closed_form_parts import Gaussian
from oracle.accountant.exponential_sums import exponential_sums
from oracle.accountant.hints import dyadic
from oracle.accountant.layer_cake import UniformMixture, layer_cake
from oracle.accountant.mixture_line import Line, Mixture
from oracle.accountant.mixture_planning import log_moment_hint, parameters, plan_line, window
from oracle.accountant.parts import CutOff, Part
from oracle.enclosures import precision, rational_ball
from oracle.errors import InputError, LimitError, shorten
from oracle.exact import to_text
from oracle.special import phi

__all__ = ["MAX_WORK", "SubsampledGaussian"]

_CELLS: Final = 64
_CELL_DEPTH: Final = 8.0
_CUT_OFF_BITS: Final = 64
_LINE_BITS: Final = 34
_SPARE_BITS: Final = 30
_LARGEST_EXPONENT: Final = 600.0
MAX_WORK: Final = 60_000_000_000
"""Most products of bits in a table, nodes of the line times nodes of the quadrature times bits."""


@dataclass(frozen=True, slots=True)
class SubsampledGaussian(Part):
    """One direction of the Poisson-subsampled Gaussian pair.

    Attributes:
        theta_squared: (sensitivity/sigma)², a rational above 0.
        rate: q, 0 < q < 1 (rate 1 is :class:`oracle.accountant.closed_form_parts.Gaussian`).
        adds: whether it is the add direction, (N(0,1), mixture).
    """

    theta_squared: mpq
    rate: mpq
    adds: bool = False

    def __post_init__(self) -> None:
        if self.theta_squared <= 0:
            raise InputError("theta² above 0", shorten(to_text(self.theta_squared)))
        if not 0 < self.rate < 1:
            raise InputError("a rate above 0 and below 1", shorten(to_text(self.rate)), "rate")

    @classmethod
    def of(cls, sigma: mpq, rate: mpq, *, adds: bool = False) -> SubsampledGaussian:
        """The pair of a noise multiplier sigma > 0 (noise over sensitivity)."""
        if sigma <= 0:
            raise InputError("sigma above 0", shorten(to_text(sigma)), "sigma")
        return cls(1 / (sigma * sigma), rate, adds)

    @property
    def mixture(self) -> Mixture:
        """The two parameters."""
        return Mixture(self.theta_squared, self.rate)

    def swapped(self) -> SubsampledGaussian:
        """The other direction."""
        return SubsampledGaussian(self.theta_squared, self.rate, not self.adds)

    def finite_mass(self) -> arb:
        """1."""
        return arb(1)

    def seen_mass(self) -> arb:
        """1."""
        return arb(1)

    def variation(self) -> arb:
        """The number q (2 Phi(theta/2) - 1)."""
        return rational_ball(self.rate) * (rational_ball(self.theta_squared).sqrt() / arb(8).sqrt()).erf()

    def largest_loss(self) -> arb | None:
        """-log(1-q) in the add direction, never attained; None in the remove direction."""
        return -(-rational_ball(self.rate)).log1p() if self.adds else None

    def large_loss(self, loss: arb) -> tuple[arb, arb]:
        """The x beyond the one with r(x) = e^loss (remove), below the one with 1/r(x) = e^loss (add)."""
        theta, rate = rational_ball(self.theta_squared).sqrt(), rational_ball(self.rate)
        w = ((-loss if self.adds else loss).exp() - 1 + rate) / rate
        if not w > 0:
            return arb(0), arb(0)
        # Any x will do.
        x = (w.log() / theta + theta / 2).mid()
        sign = 1 if self.adds else -1
        plain, moved = phi(sign * x), phi(sign * (x - theta))
        mixed = (1 - rate) * plain + rate * moved
        return (plain, mixed) if self.adds else (mixed, plain)

    def dominating(self) -> Gaussian:
        """The Gaussian pair: with probability 1 - q its outcome is replaced by one of N(0, 1)."""
        return Gaussian(self.theta_squared)

    def hint(self, c: float) -> float:
        """About log K(c)."""
        return log_moment_hint(self.mixture, -c if self.adds else c + 1)

    def jump_hint(self, eps: float) -> float:
        """About log(q·Phi(-x)), x the point of the second component where the loss is eps (remove, eps > 0)."""
        if self.adds or not 0 < eps < _LARGEST_EXPONENT:
            return -inf
        theta, rate = parameters(self.mixture)
        x = log1p(expm1(eps) / rate) / theta - theta / 2
        if x < 1:
            return log(rate)
        return log(rate) - x * x / 2 - 2 * log(x) - log(theta)

    def moment(self, c: arb) -> arb:
        """K(c) by the trapezoid rule on the real line, to about 30 bits less than the working precision."""
        alpha = -c if self.adds else c + 1
        bits = max(flint.ctx.prec - _SPARE_BITS, _LINE_BITS)
        line = plan_line(self.mixture, float(alpha), bits, shifted=False)
        total = sum((node.weight.real for node in line.nodes(self.mixture, alpha)), arb(0))
        return total + arb(0, line.errors(self.mixture, alpha, total).error)

    def _alpha(self, c: mpq) -> mpq:
        return -c if self.adds else c + 1

    def table(self, c: mpq, step: mpq, count: int, bits: int) -> list[acb]:
        """K on the line, by one shifted quadrature for all n."""
        alpha, eta = rational_ball(self._alpha(c)), acb(0, rational_ball(step))
        line = plan_line(self.mixture, float(alpha), bits, shifted=True)
        work = (count + 1) * line.count * (flint.ctx.prec + 64)
        if work > MAX_WORK:
            raise LimitError(f"a table of at most {MAX_WORK} bit products", str(work))
        nodes = line.nodes(self.mixture, alpha)
        weights = [node.weight for node in nodes]
        sums = exponential_sums(weights, [(eta * node.log_ratio).exp() for node in nodes], count)
        errors = line.errors(self.mixture, alpha, sums[0].real)
        radius = arb(0, errors.error)
        error = acb(radius, radius)
        values = [value + error for value in sums]
        values[0] = acb(values[0].real)
        return [value.conjugate() for value in values] if self.adds else values

    def cut_off(self, c: mpq) -> CutOff:
        """The smaller of the two bounds."""
        with precision(_CUT_OFF_BITS):
            alpha = rational_ball(self._alpha(c))
            line = plan_line(self.mixture, float(alpha), _LINE_BITS, shifted=True)
            return _SubsampledCutOff(self.mixture, alpha, line)


class _SubsampledCutOff(CutOff):
    """The smaller of the layer cake and of the absolute sum on a shifted line."""

    __slots__ = ("angles", "cake", "floor", "hints", "moment", "weights")

    def __init__(self, mixture: Mixture, alpha: arb, line: Line) -> None:
        nodes = line.nodes(mixture, alpha)
        total = sum((node.weight.real for node in nodes), arb(0))
        errors = line.errors(mixture, alpha, total)
        # M(alpha) >= sum - error; both bounds are relative to it.
        self.moment = (total - errors.error).lower()
        self.floor = (errors.absolute / self.moment).upper()
        self.weights = [(abs(node.weight) / self.moment).upper() for node in nodes]
        self.angles = [node.log_ratio.imag.lower() for node in nodes]
        self.hints = [(float(w), float(a)) for w, a in zip(self.weights, self.angles, strict=True)]
        self.cake = _cake(mixture, alpha, errors.moment)

    def bound(self, t: arb) -> arb:
        """The smaller of both; each of them falls in t."""
        from_line = self.floor
        for weight, angle in zip(self.weights, self.angles, strict=True):
            from_line += weight * (-t * angle).exp()
        return self.cake.bound(t).min(from_line.upper())

    def hint(self, t: float) -> float:
        """About its logarithm."""
        from_line = float(self.floor) + sum(w * exp(-t * a) for w, a in self.hints)
        return min(self.cake.hint(t), log(from_line) if from_line > 0 else -1e9)


def _cake(mixture: Mixture, alpha: arb, moment: arb) -> UniformMixture:
    """The layer cake of the tilted law of log r; *moment* is an upper bound of M(alpha)."""
    theta, rate = rational_ball(mixture.theta_squared).sqrt(), rational_ball(mixture.rate)
    left, right = window(mixture, float(alpha), _CELL_DEPTH, 1.0, 0.0)
    width = dyadic((right - left) / _CELLS)
    start, step = rational_ball(dyadic(left)), rational_ball(width)
    keep, half, power = 1 - rate, theta * theta / 2, alpha + 1
    convex = bool(power >= 0)

    def node(x: arb) -> tuple[arb, arb]:
        """The logarithm of r and its derivative, at x."""
        w = rate * (theta * x - half).exp()
        r = keep + w
        return r.log(), theta * w / r

    ends = [start + i * step for i in range(_CELLS + 1)]
    losses = [node(x)[0] for x in ends]
    constant = rate.log() - half + theta.log() + moment.log() + (2 * arb.pi()).log() / 2
    bases = [-x * x / 2 - theta * x - constant for x in ends]
    heights = []
    for i in range(_CELLS):
        if convex:
            at, slope = node(ends[i] + step / 2)
            tilt = slope * step / 2
            low, high = power * (at - tilt) + bases[i], power * (at + tilt) + bases[i + 1]
        else:
            low, high = power * losses[i] + bases[i], power * losses[i + 1] + bases[i + 1]
        heights.append(low.min(high).exp().lower())
    return layer_cake(losses, heights)
