"""The running examples of liu2022 as named profiles, and a profile for which the limit of the criterion fails to exist.

Laplace: noise of scale b, theta = Delta/b. SGD: sigma = A √(log(B/delta))/eps, the paper's figures with A = 2, B = 1,
sigma = 2. ICEA: m > 10 log(n/(eps delta)), with m = 20 messages and n = 4 users. The last two are refined.

Reference: Y. Liu, K. Sun, B. Jiang and L. Kong, NeurIPS 2022, section 2.
"""

from __future__ import annotations

from typing import Any, Final

from flint import arb
from gmpy2 import mpq

from oracle.gaussian_dp.arguments import NumberLike, positive, whole
from oracle.gaussian_dp.noise_formulas import LaplaceProfile, Reciprocal, SquaredExponential
from oracle.gaussian_dp.profiles import Head, Profile, Refined
from oracle.gaussian_dp.tails import SquaredExponentialTail, Tail

__all__ = ["EXAMPLES", "OscillatingProfile", "icea", "laplace", "noisy_sgd"]


def laplace(sensitivity: NumberLike, scale: NumberLike) -> LaplaceProfile:
    """Laplace noise of that scale: theta = sensitivity/scale."""
    return LaplaceProfile(positive(sensitivity, "sensitivity") / positive(scale, "scale"))


def noisy_sgd(sigma: NumberLike, A: NumberLike, B: NumberLike) -> Refined:
    """Noise sigma = A √(log(B/delta))/eps solved for delta, refined: B e^(-(sigma/A)² eps²) naively."""
    return SquaredExponential((positive(sigma, "sigma") / positive(A, "A")) ** 2, B).refined()


def icea(messages: int, users: int) -> Refined:
    """Messages m = 10 log(n/(eps delta)) solved for delta, refined: n e^(-m/10)/eps naively."""
    return Reciprocal(mpq(whole(users, "users")), mpq(-whole(messages, "messages"), 10)).refined()


EXAMPLES: Final[dict[str, Profile]] = {
    "laplace": LaplaceProfile(mpq(2)),
    "sgd": noisy_sgd(mpq(2), mpq(2), mpq(1)),
    "icea": icea(20, 4),
}
"""The three profiles of the paper's figures; Laplace with b = Delta/2 (the paper's b = 2/Delta means that: errata)."""


class OscillatingTail(Tail):
    """e^(-eps²) <= delta <= e^(-eps²/4) from eps = 1 on, each reached in the limit; see :class:`OscillatingProfile`."""

    def __init__(self) -> None:
        self.least = SquaredExponentialTail(mpq(1), mpq(1))
        self.most = SquaredExponentialTail(mpq(1), mpq(1, 4))

    @property
    def limits(self) -> tuple[mpq, mpq]:
        """1/2 and 2: there is no limit."""
        return mpq(1, 2), mpq(2)

    def below(self, mu_squared: mpq, start: arb) -> bool:
        """By the upper bound."""
        return bool(start >= 1) and self.most.below(mu_squared, start)

    def above(self, mu_squared: mpq, start: arb) -> bool:
        """By the lower bound."""
        return bool(start >= 1) and self.least.above(mu_squared, start)


class OscillatingProfile(Profile):
    """Piecewise linear in a = e^eps through the knots (eps, delta) = (2^j, e^(-4^j)), j = 0, 1, ...

    On [0, 1] it is what the guarantee (1, 1/e) implies, the line 1 - (1 - 1/e)(1 + a)/(1 + e). Its knots lie on
    g = e^(-eps²), which as a function of a is convex for eps >= 1/2 (its second derivative has the sign of
    2 eps² + eps - 1), so the chords are convex together, the first line with them (its slope -0.17 is below the first
    chord's, -0.08): it is the profile of a mechanism.

    The quotient eps²/(-2 log delta) is 1/2 at every knot, and at least 1/2 from eps = 1 on as the chords lie above g.
    On [2^j, 2^(j+1)] delta <= e^(-4^j), so it is at most 4^(j+1)/(2·4^j) = 2. At eps = 2^(j+1) - s, with
    A = e^(2^(j+1)), the chord is at least e^(-4^j)·(A - a)/A = e^(-4^j)(1 - e^(-s)): for a fixed s the quotient tends
    to 2 there. So the liminf is 1/2 and the limsup 2.
    """

    @property
    def head(self) -> Head:
        """The first line, with C = (1 - 1/e)/(1 + e)."""
        return Head(lambda _: arb(1), lambda _: -self._line(-1)[2])

    def _knots(self, epsilon: arb) -> int:
        """The j with 2^j <= eps < 2^(j+1), -1 for an eps below 1; for an exact eps."""
        j = -1
        while arb(2) ** (j + 1) <= epsilon:
            j += 1
        return j

    def _line(self, j: int) -> tuple[arb, arb, arb]:
        """(a, delta, slope) of the piece that starts at knot j; for j = -1 of the first piece, at a = 1."""
        e = arb(1).exp()
        if j < 0:
            slope = -(1 - 1 / e) / (1 + e)
            return arb(1), 1 + 2 * slope, slope
        low, high = (arb(2) ** j).exp(), (arb(2) ** (j + 1)).exp()
        first, second = (-(arb(4) ** j)).exp(), (-(arb(4) ** (j + 1))).exp()
        return low, first, (second - first) / (high - low)

    def point(self, epsilon: arb) -> arb:
        """The chord."""
        j = self._knots(epsilon)
        low, value, slope = self._line(j)
        if j >= 0 and epsilon == arb(2) ** j:
            return value
        return value + slope * (epsilon.exp() - low)

    def derivatives(self, epsilon: arb) -> tuple[arb, arb]:
        """Slope·e^eps twice, on a ball of several pieces what encloses all."""
        pieces = range(self._knots(epsilon.lower()), self._knots(epsilon.upper()) + 1)
        values = [self._line(j)[2] * epsilon.exp() for j in pieces]
        result = values[0]
        for value in values[1:]:
            result = result.union(value)
        return result, result

    @property
    def tail(self) -> Tail:
        """Without a limit."""
        return OscillatingTail()

    def to_json(self) -> dict[str, Any]:
        """``{"formula": "oscillating"}``."""
        return {"formula": "oscillating"}
