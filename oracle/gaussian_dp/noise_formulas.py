"""The noise formulas sigma = g(epsilon, delta) of a closed family, solved for delta, and the Laplace profile.

Each is non-increasing with values in [0, 1]; where the formula exceeds 1 it says nothing and the profile is 1.

References: Y. Liu, K. Sun, B. Jiang and L. Kong, NeurIPS 2022, section 2; B. Balle, G. Barthe and M. Gaboardi,
NeurIPS 2018, theorem 3 (Laplace); B. Ghazi, R. Pagh and A. Velingkar, 2019 (the invisibility cloak encoder).
"""

from __future__ import annotations

from typing import Any

from flint import arb
from gmpy2 import mpq

from oracle.enclosures import rational_ball
from oracle.errors import InputError, shorten
from oracle.exact import to_text
from oracle.gaussian_dp.arguments import NumberLike, finite, probability
from oracle.gaussian_dp.profiles import NoiseFormula, Profile, monotone_range
from oracle.gaussian_dp.tails import ConstantTail, ReciprocalTail, SquaredExponentialTail, Tail, VanishingTail
from oracle.levels import Level

__all__ = ["ConstantProfile", "LaplaceProfile", "Reciprocal", "SquaredExponential"]


class SquaredExponential(NoiseFormula):
    """delta = min(1, B e^(-c eps²)), B >= 1, c > 0: what sigma = A √(log(B/delta))/eps solves to, c = (sigma/A)².

    H' has the sign of -r with r(x) = e^(c x²) - B - 2 c B x (1 + e^(-x)). Where the formula counts, e^(c x²) >= B, so
    r'' = 2c (e^(c x²) (1 + 2 c x²) + B e^(-x) (2 - x)) >= 2 c B (1 - e^(-3)) > 0, as (2 - x) e^(-x) >= -e^(-3); at
    the first such x, r = -2 c B x (1 + e^(-x)) <= 0, where r = 0 only for x = 0, with r'(0) = -4 c B < 0. A convex
    function that starts so and tends to infinity has one zero and changes its sign there. In a = e^eps the second
    derivative of delta has the sign of delta'' - delta' = 2c (2 c x² + x - 1) delta, which changes once, from - to +.

    Args:
        rate: c.
        factor: B.
    """

    def __init__(self, rate: NumberLike, factor: NumberLike = 1) -> None:
        self.rate = finite(rate, "rate")
        self.factor = finite(factor, "factor")
        if self.rate <= 0:
            raise InputError("a rate above 0", shorten(to_text(self.rate)), "rate")
        if self.factor < 1:
            raise InputError("a factor of at least 1", shorten(to_text(self.factor)), "factor")

    def _formula(self, x: arb) -> arb:
        return rational_ball(self.factor) * (-rational_ball(self.rate) * x**2).exp()

    def point(self, epsilon: arb) -> arb:
        """min(1, B e^(-c eps²))."""
        return self._formula(epsilon).min(arb(1))

    def derivatives(self, epsilon: arb) -> tuple[arb, arb]:
        """-2 c x delta and (4 c² x² - 2c) delta."""
        c, value = rational_ball(self.rate), monotone_range(self._formula, epsilon)
        return -2 * c * epsilon * value, (4 * (c * epsilon) ** 2 - 2 * c) * value

    def convex_from(self, epsilon: arb) -> bool:  # noqa: ARG002 - see the class
        """True."""
        return True

    def start(self) -> arb:
        """√(log(B)/c)."""
        return (rational_ball(self.factor).log() / rational_ball(self.rate)).sqrt() if self.factor > 1 else arb(0)

    def turning(self, epsilon: arb) -> arb:
        """r; see the class."""
        c, factor = rational_ball(self.rate), rational_ball(self.factor)
        return (c * epsilon**2).exp() - factor - 2 * c * factor * epsilon * (1 + (-epsilon).exp())

    @property
    def tail(self) -> Tail:
        """The same formula."""
        return SquaredExponentialTail(self.factor, self.rate)

    def to_json(self) -> dict[str, Any]:
        """``{"formula": "squared_exponential", "factor", "rate"}``."""
        return {"formula": "squared_exponential", "factor": to_text(self.factor), "rate": to_text(self.rate)}


class Reciprocal(NoiseFormula):
    """delta = min(1, k/eps), k = factor·e^exponent > 0: what m = 10 log(n/(eps delta)) solves to.

    H' has the sign of -r with r(x) = x² - k x - k (1 + e^(-x)): on [k, inf) r' = 2x - k + k e^(-x) > 0, and
    r(k) = -k (1 + e^(-k)) < 0. In a = e^eps the second derivative of delta has the sign of delta'' - delta' > 0.

    Args:
        factor: above 0.
        exponent: any rational.
    """

    def __init__(self, factor: NumberLike, exponent: NumberLike = 0) -> None:
        self.factor = finite(factor, "factor")
        self.exponent = finite(exponent, "exponent")
        if self.factor <= 0:
            raise InputError("a factor above 0", shorten(to_text(self.factor)), "factor")

    def coefficient(self, bits: int = 0) -> arb:  # noqa: ARG002 - a Ball at the working precision that is set
        """K."""
        return rational_ball(self.factor) * rational_ball(self.exponent).exp()

    def point(self, epsilon: arb) -> arb:
        """min(1, k/eps)."""
        return (self.coefficient() / epsilon).min(arb(1)) if epsilon > 0 else arb(1)

    def derivatives(self, epsilon: arb) -> tuple[arb, arb]:
        """-k/x² and 2k/x³."""
        k = self.coefficient()
        return -k / epsilon**2, 2 * k / epsilon**3

    def convex_from(self, epsilon: arb) -> bool:  # noqa: ARG002 - see the class
        """True."""
        return True

    def start(self) -> arb:
        """K."""
        return self.coefficient()

    def turning(self, epsilon: arb) -> arb:
        """r; see the class."""
        k = self.coefficient()
        return epsilon**2 - k * epsilon - k * (1 + (-epsilon).exp())

    @property
    def tail(self) -> Tail:
        """The same formula."""
        return ReciprocalTail(self.coefficient)

    def to_json(self) -> dict[str, Any]:
        """``{"formula": "reciprocal", "factor", "exponent"}``."""
        return {"formula": "reciprocal", "factor": to_text(self.factor), "exponent": to_text(self.exponent)}


class LaplaceProfile(Profile):
    """delta = max(0, 1 - e^((eps - theta)/2)), theta = sensitivity/scale > 0: the tight profile of Laplace noise.

    It belongs to a mechanism, so it is its own closure: there is nothing to refine.

    Args:
        theta: above 0.
    """

    def __init__(self, theta: NumberLike) -> None:
        self.theta = finite(theta, "theta")
        if self.theta <= 0:
            raise InputError("theta above 0", shorten(to_text(self.theta)), "theta")

    def _past(self, epsilon: arb) -> arb:
        return (epsilon - rational_ball(self.theta)) / 2

    def point(self, epsilon: arb) -> arb:
        """max(0, 1 - e^((eps - theta)/2))."""
        return (-self._past(epsilon).expm1()).max(arb(0))

    def derivatives(self, epsilon: arb) -> tuple[arb, arb]:
        """-e^((eps - theta)/2)/2 and half of that; 0 beyond theta; around theta what encloses both."""
        past = self._past(epsilon)
        if past >= 0:
            return arb(0), arb(0)
        first = -past.min(arb(0)).exp() / 2
        if not past < 0:
            first = first.union(arb(0))
        return first, first / 2

    def derivatives_between(self, low: arb, high: arb) -> tuple[arb, arb]:
        """The values at the two ends, if the interval does not reach beyond theta."""
        if not high <= rational_ball(self.theta):
            return self.derivatives(low.union(high))
        first = -((self._past(low)).exp().union(self._past(high).exp())) / 2
        return first, first / 2

    def half_overlap(self) -> arb:
        """e^(-theta/2)/2."""
        return self._past(arb(0)).exp() / 2

    def exact(self, level: Level) -> mpq | None:
        """0 at theta and beyond."""
        beyond = level.is_infinite or level.exponent == self.theta
        beyond = beyond or (level.exponent is not None and level.exponent > self.theta)
        if not beyond and level.exponent is None and isinstance(level.value, mpq):
            beyond = Level.of_exponent(self.theta).compare(level.value) < 0
        return mpq(0) if beyond else None

    @property
    def tail(self) -> Tail:
        """0 from theta on."""
        return VanishingTail(lambda _: rational_ball(self.theta))

    def to_json(self) -> dict[str, Any]:
        """``{"formula": "laplace", "theta"}``."""
        return {"formula": "laplace", "theta": to_text(self.theta)}


class ConstantProfile(Profile):
    """The same delta at every epsilon: what the one guarantee (0, delta) implies.

    Args:
        value: from 0 to 1.
    """

    def __init__(self, value: NumberLike) -> None:
        self.value = probability(value)

    def point(self, epsilon: arb) -> arb:  # noqa: ARG002 - constant
        """Delta."""
        return rational_ball(self.value)

    def derivatives(self, epsilon: arb) -> tuple[arb, arb]:  # noqa: ARG002 - constant
        """0 twice."""
        return arb(0), arb(0)

    def exact(self, level: Level) -> mpq | None:  # noqa: ARG002 - constant
        """Delta."""
        return self.value

    @property
    def tail(self) -> Tail:
        """Delta for ever."""
        return ConstantTail(lambda _: rational_ball(self.value)) if self.value else VanishingTail(lambda _: arb(0))

    def to_json(self) -> dict[str, Any]:
        """``{"formula": "constant", "delta"}``."""
        return {"formula": "constant", "delta": to_text(self.value)}
