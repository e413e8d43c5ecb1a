"""Parts whose transform is a closed form: the Gaussian and the Laplace pair.

- Gaussian pair N(0,1), N(theta,1): the loss is N(theta²/2, theta²), K(z) = e^(theta² z(z+1)/2), so |K(c+it)| = K(c)
  e^(-theta² t²/2).
- Laplace pair Lap(0,1), Lap(theta,1): the loss is theta on x < 0, theta - 2x on (0, theta), -theta beyond, so
  K(z) = ((z+1) e^(theta z) + z e^(-theta(z+1)))/(2z+1). For c >= 0, |2z/(2z+1)| <= 1 and |(z+1)/(2z+1)| falls in t:
  its square is (1/4)(1 + (1 + 2 Re(..))...), explicitly ((c+1)² + t²)/((2c+1)² + 4t²), which falls from its value at
  0 to 1/4 because (c+1)/(2c+1) >= 1/2. So |K(c+it)| <= e^(theta c) √(((c+1)²+t²)/((2c+1)²+4t²)) + e^(-theta(c+1))/2.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, log, log1p

from flint import acb, arb
from gmpy2 import mpq

from oracle.accountant.hints import positive_float
from oracle.accountant.parts import CutOff, Part
from oracle.enclosures import precision, rational_ball
from oracle.errors import InputError, shorten
from oracle.exact import to_text
from oracle.special import phi

__all__ = ["Gaussian", "Laplace"]

_CUT_OFF_BITS = 64


def _points(c: mpq, step: mpq, count: int) -> list[acb]:
    re, eta = rational_ball(c), rational_ball(step)
    return [acb(re, n * eta) for n in range(count + 1)]


@dataclass(frozen=True, slots=True)
class Gaussian(Part):
    """The pair N(0,1), N(theta,1); theta² > 0 is rational."""

    theta_squared: mpq

    def __post_init__(self) -> None:
        if self.theta_squared <= 0:
            raise InputError("theta² above 0", shorten(to_text(self.theta_squared)))

    def swapped(self) -> Gaussian:
        """Itself, by reflection."""
        return self

    def finite_mass(self) -> arb:
        """1."""
        return arb(1)

    def seen_mass(self) -> arb:
        """1."""
        return arb(1)

    def variation(self) -> arb:
        """2 Phi(theta/2) - 1."""
        return (rational_ball(self.theta_squared).sqrt() / arb(8).sqrt()).erf()

    def large_loss(self, loss: arb) -> tuple[arb, arb]:
        """The x below the one with theta²/2 - theta x = loss."""
        theta = rational_ball(self.theta_squared).sqrt()
        # Any x will do.
        x = (theta / 2 - loss / theta).mid()
        return phi(x), phi(x - theta)

    def largest_loss(self) -> None:
        """None: the loss is unbounded."""
        return

    def hint(self, c: float) -> float:
        """theta² c(c+1)/2."""
        return positive_float(self.theta_squared) * c * (c + 1) / 2

    def moment(self, c: arb) -> arb:
        """K(c)."""
        return (rational_ball(self.theta_squared) * c * (c + 1) / 2).exp()

    def table(self, c: mpq, step: mpq, count: int, bits: int) -> list[acb]:  # noqa: ARG002 - closed form
        """K on the line."""
        half = rational_ball(self.theta_squared) / 2
        return [(z * (z + 1) * half).exp() for z in _points(c, step, count)]

    def cut_off(self, c: mpq) -> CutOff:  # noqa: ARG002 - the same at every abscissa
        """e^(-theta² t²/2)."""
        return _GaussianCutOff(self.theta_squared)


class _GaussianCutOff(CutOff):
    __slots__ = ("rate", "theta_squared")

    def __init__(self, theta_squared: mpq) -> None:
        self.theta_squared = theta_squared
        self.rate = positive_float(theta_squared) / 2

    def bound(self, t: arb) -> arb:
        """See the module's text."""
        return (-rational_ball(self.theta_squared) * t * t / 2).exp().upper()

    def hint(self, t: float) -> float:
        """Its logarithm."""
        return -self.rate * t * t


@dataclass(frozen=True, slots=True)
class Laplace(Part):
    """The pair Lap(0,1), Lap(theta,1) for a rational theta > 0."""

    theta: mpq

    def __post_init__(self) -> None:
        if self.theta <= 0:
            raise InputError("theta above 0", shorten(to_text(self.theta)))

    def swapped(self) -> Laplace:
        """Itself, by reflection."""
        return self

    def finite_mass(self) -> arb:
        """1."""
        return arb(1)

    def seen_mass(self) -> arb:
        """1."""
        return arb(1)

    def variation(self) -> arb:
        """1 - e^(-theta/2)."""
        return -(-rational_ball(self.theta) / 2).expm1()

    def largest_loss(self) -> arb:
        """The level theta."""
        return rational_ball(self.theta)

    def hint(self, c: float) -> float:
        """About log K(c), c other than -1/2, by K(c) = K(-1-c)."""
        theta = positive_float(self.theta)
        a = max(c, -1 - c)
        small = a / (a + 1) * exp(max(-theta * (2 * a + 1), -700.0))
        return theta * a + log((a + 1) / (2 * a + 1)) + log1p(small)

    def moment(self, c: arb) -> arb:
        """K(c)."""
        return _laplace(rational_ball(self.theta), acb(c)).real

    def table(self, c: mpq, step: mpq, count: int, bits: int) -> list[acb]:  # noqa: ARG002 - closed form
        """K on the line."""
        theta = rational_ball(self.theta)
        return [_laplace(theta, z) for z in _points(c, step, count)]

    def cut_off(self, c: mpq) -> CutOff:
        """See the module's text."""
        return _LaplaceCutOff(self.theta, c)


def _laplace(theta: arb, z: acb) -> acb:
    return ((z + 1) * (z * theta).exp() + z * (-(z + 1) * theta).exp()) / (2 * z + 1)


class _LaplaceCutOff(CutOff):
    __slots__ = ("c", "far", "near")

    def __init__(self, theta: mpq, c: mpq) -> None:
        with precision(_CUT_OFF_BITS):
            # K(z) = K(-1 - z): the pair is symmetric.
            scale, at = rational_ball(theta), rational_ball(c if c > 0 else -1 - c)
            moment = _laplace(scale, acb(at)).real
            self.c = at
            self.near = ((scale * at).exp() / moment).upper()
            self.far = ((-scale * (at + 1)).exp() / (2 * moment)).upper()

    def bound(self, t: arb) -> arb:
        """See the module's text; never above 1."""
        square = t.lower() * t.lower()
        decay = (((self.c + 1) ** 2 + square) / ((2 * self.c + 1) ** 2 + 4 * square)).sqrt()
        return (self.near * decay + self.far).min(arb(1)).upper()

    def hint(self, t: float) -> float:
        """Its logarithm."""
        c = float(self.c)
        decay = (((c + 1) ** 2 + t * t) / ((2 * c + 1) ** 2 + 4 * t * t)) ** 0.5
        return min(0.0, log(float(self.near) * decay + float(self.far)))
