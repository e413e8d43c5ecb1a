"""Noise formulas delta = min(1, e^E(eps)) of one's own, E a sum of powers and logarithms of eps: validated exactly.

The value must not increase where it counts, that is where it is below 1. x E'(x) is a Laurent polynomial, so its sign
changes are known exactly; either there is none and E' <= 0, or there is one, from + to -, and E is at least 0 at 0 and
hence up to there.

The turning points of H(e) = (1 - delta(e))/(1 + e^e): with s = -E' >= 0, H' has the sign of -w,
    w(x) = e^(-E) - 1 - s (1 + e^(-x)).
Where E = 0 (the largest such x is where the formula starts to count) w <= 0. From an X on where s >= s', w increases:
w' = s (e^(-E) + e^(-x)) - s' (1 + e^(-x)) >= (s - s')(1 + e^(-x)) >= 0, as e^(-E) >= 1. In between cells decide, on
each of which w has one sign or is monotone.
"""

from __future__ import annotations

from typing import Any, Final

from flint import arb
from gmpy2 import mpq

from oracle.enclosures import precision, rational_ball, rational_bounds
from oracle.errors import Declined, InputError, UndecidedError
from oracle.exact import INFINITY, Extended
from oracle.gaussian_dp.exponents import Exponent, Powers, nonnegative_from, polynomial_at, sign_changes
from oracle.gaussian_dp.isolation import sign_change
from oracle.gaussian_dp.profiles import NoiseFormula
from oracle.gaussian_dp.tails import Tail

__all__ = ["ProductFormula", "ProductTail"]

_BITS: Final = 128
_MOST_DOUBLINGS: Final = 200
_LEAST_CELL: Final = mpq(1, 1 << 24)


def _sum(*parts: Powers) -> Powers:
    total: Powers = {}
    for part in parts:
        for j, c in part.items():
            total[j] = total.get(j, mpq(0)) + c
    return {j: c for j, c in total.items() if c}


def _sign(x: arb) -> int:
    return 1 if x > 0 else -1 if x < 0 else 0


def _negated(powers: Powers) -> Powers:
    return {j: -c for j, c in powers.items()}


class ProductTail(Tail):
    """delta = e^E(eps) for large eps.

    The highest power d of E decides L = limsup eps²/(-2 log delta): 0 for d > 2, 1/(2|c|) for d = 2 with the
    coefficient c, infinite below.

    Below delta_mu: the logarithm of the key lemma's lower bound over delta is, with P the powers of E,
        F(x) = R(x) - q log x - log(b² + 3) + const,    R = -P - x²/(2 mu²) + x/2,
    and x F' >= x R' - q - 2, as 2 b x/(mu (b² + 3)) <= 2 x/(x + mu²/2) <= 2. That Laurent polynomial is >= 0 from the
    start on, and F(start) >= 0.

    Above it: the logarithm of delta over the upper bound is
        F(x) = S(x) + q log x + log(a² + 1) + const,    S = P + x²/(2 mu²) - x/2,
    and x F' >= x S' + q for a > 0.

    Args:
        exponent: E.
    """

    def __init__(self, exponent: Exponent) -> None:
        self.exponent = exponent

    @property
    def limits(self) -> tuple[Extended, Extended]:
        """L twice."""
        degree = max(self.exponent.powers, default=0)
        if degree > 2:
            return mpq(0), mpq(0)
        if degree < 2:
            return INFINITY, INFINITY
        limit = -1 / (2 * self.exponent.powers[2])
        return limit, limit

    @property
    def vanishes(self) -> bool:
        """Whether E has a positive power or a logarithm."""
        return max(self.exponent.powers, default=0) > 0 or self.exponent.log != 0

    def _start(self, start: arb) -> mpq:
        return rational_bounds(start)[0]

    def below(self, mu_squared: mpq, start: arb) -> bool:
        """By the slope and F(start) >= 0; see the class."""
        rest = Exponent(_sum(_negated(self.exponent.powers), {2: -1 / (2 * mu_squared), 1: mpq(1, 2)}))
        slope = _sum(rest.slope(), {0: -self.exponent.log - 2})
        mu = rational_ball(mu_squared).sqrt()
        a, b = start / mu - mu / 2, start / mu + mu / 2
        if not (a > 0 and nonnegative_from(slope, self._start(start))):
            return False
        value = rest.at(start) - rational_ball(self.exponent.log) * start.log() - (b * b + 3).log()
        value += (mu / (2 * arb.pi()).sqrt()).log() - mu * mu / 8 - self.exponent.constant()
        return bool(value >= 0)

    def above(self, mu_squared: mpq, start: arb) -> bool:
        """By the slope and F(start) > 0; see the class."""
        rest = Exponent(_sum(self.exponent.powers, {2: 1 / (2 * mu_squared), 1: mpq(-1, 2)}), self.exponent.log)
        mu = rational_ball(mu_squared).sqrt()
        a = start / mu - mu / 2
        if not (a > 0 and nonnegative_from(rest.slope(), self._start(start))):
            return False
        value = rest.at(start) + self.exponent.constant() + (a * a + 1).log()
        value += ((2 * arb.pi()).sqrt() / mu).log() + mu * mu / 8
        return bool(value > 0)


class ProductFormula(NoiseFormula):
    """delta = min(1, e^E(eps)).

    Args:
        exponent: E.
        text: how the formula was written.

    Raises:
        InputError: if the formula increases where it is below 1.
        Declined: if H has more than one turning point.
    """

    def __init__(self, exponent: Exponent, text: str = "") -> None:
        self.exponent = exponent
        self.text = text
        self._top = mpq(0)
        with precision(_BITS):
            self._require_falling()
            self._has_head = self._turns()

    def _require_falling(self) -> None:
        slope = self.exponent.slope()
        if not slope:
            return
        changes = sign_changes(slope)
        last = slope[max(slope)]
        if last > 0 or len(changes) > 1:
            raise InputError("a formula that does not increase with epsilon", self.text or "one that does", "formula")
        if changes:
            if not self.exponent.limit_at_zero() >= 0:
                got = f"{self.text or 'one that'} rises near 0, where it is below 1"
                raise InputError("a formula that does not increase where it is below 1", got.strip(), "formula")
            self._top = rational_bounds(changes[0])[1]

    def _falling(self, x: arb) -> arb:
        """The values of s = -E' on a ball of x > 0."""
        return -polynomial_at(self.exponent.slope(), x) / x

    def start(self) -> arb:
        """The largest eps with E = 0; 0 where E is below 0 everywhere."""
        low = rational_ball(self._top)
        if not self._top and not self.exponent.limit_at_zero() > 0:
            return arb(0)
        high = low + 1
        for _ in range(_MOST_DOUBLINGS):
            if self.exponent.at(high) < 0:
                break
            high = 2 * high
        else:
            raise InputError("a formula below 1 in the end", self.text or "one that is not", "formula")
        if not self._top:
            low = high
            for _ in range(_MOST_DOUBLINGS):
                if self.exponent.at(low) > 0:
                    break
                low = low / 2
        found = sign_change(self.exponent.at, low, high, _BITS)
        if found is None:
            raise UndecidedError("where a formula is 1", _BITS)
        return found

    def turning(self, epsilon: arb) -> arb:
        """The function w; see the module's text."""
        s = self._falling(epsilon) if epsilon > 0 else self._slope_at_zero()
        return (-self.exponent.at(epsilon)).exp() - 1 - s * (1 + (-epsilon).exp())

    def _slope_at_zero(self) -> arb:
        return -rational_ball(self.exponent.powers.get(1, mpq(0)))

    def _turns(self) -> bool:
        """Whether H rises at first and turns once; False if it falls throughout.

        Raises:
            Declined: if it does anything else.
            UndecidedError: if its turning points are not found out.
        """
        start = self.start()
        rising = bool(self.exponent.limit_at_zero() >= 0) or bool(self.turning(arb(0)) < 0)
        if not rising and not self.turning(arb(0)) > 0:
            raise UndecidedError("whether a formula turns at 0", _BITS)
        low = rational_bounds(start)[0] if rising else mpq(0)
        signs = [-1 if rising else 1]
        for sign in self._signs(low):
            if sign != signs[-1]:
                signs.append(sign)
        if signs not in ([-1, 1], [1]):
            raise Declined("formula: the refinement of a formula with several turning points is not offered")
        return signs == [-1, 1]

    def _signs(self, low: mpq) -> list[int]:
        """The signs of w from *low* on in their order, with repetitions, the one at *low* itself left out."""
        end = self._rising_from(low)
        bend = self._bend()
        if nonnegative_from(bend, low) if low > 0 else not bend:
            return [1]  # s' <= 0, so that w increases throughout, to a positive value
        signs: list[int] = []
        waiting = [(low, end)]
        while waiting:
            u, v = waiting.pop()
            found = self._cell_signs(u, v, u == low)
            if found:
                signs += found
            elif v - u < _LEAST_CELL:
                raise UndecidedError("the turning points of a formula", _BITS)
            else:
                middle = (u + v) / 2
                waiting += [(middle, v), (u, middle)]
        return signs

    def _rising_from(self, low: mpq) -> mpq:
        """A whole number from which on w is positive and increases: s - s' = -E' + E'' >= 0.

        Raises:
            Declined: if none is found.
        """
        steeper = _sum(_negated(self._derivative()), self._bend())
        end = mpq(-(-low // 1) + 1)
        for _ in range(_MOST_DOUBLINGS):
            if nonnegative_from(steeper, end) and self.turning(rational_ball(end)) > 0:
                return end
            end = 2 * end
        raise Declined("formula: the refinement of this formula is not offered (it falls too slowly)")

    def _cell_signs(self, u: mpq, v: mpq, first: bool) -> list[int]:
        """The signs of w on a cell where it has one, or at the ends of one where it is monotone; [] if neither is seen.

        At the lower end of the first cell the sign is known already.
        """
        cell = rational_ball(u).union(rational_ball(v))
        if u == 0 and first and self._falls_at_first(v):
            return [-1]
        whole = self._whole_sign(rational_ball(u), rational_ball(v))
        if whole:
            return [whole]
        ends = [] if first else [_sign(self.turning(rational_ball(u)))]
        ends.append(_sign(self.turning(rational_ball(v))))
        return ends if _sign(self._rise(cell)) and 0 not in ends else []

    def _falls_at_first(self, v: mpq) -> bool:
        """Whether w < 0 on (0, v] is proved for an E with E(0) = 0 and E'' <= 0.

        Then s increases, so -E <= x s and e^(-E) - 1 <= -E e^(-E) <= x s e^(-E) < s if v e^(-E(v)) < 1.
        """
        if not self.exponent.limit_at_zero().is_zero() or any(c > 0 for c in self.exponent.bend().values()):
            return False
        x = rational_ball(v)
        return bool(x * (-self.exponent.at(x)).exp() < 1)

    def _whole_sign(self, low: arb, high: arb) -> int:
        """The sign of w on a cell, from bounds of its parts at the ends (E falls; balls of wide ranges are coarse)."""
        cell = low.union(high)
        if not cell > 0 and (self.exponent.log or min(self.exponent.powers, default=0) < 0):
            return 0
        s = -polynomial_at(self._derivative(), cell)
        least = (-self.exponent.at(low)).exp() - 1 - s * (1 + (-low).exp())
        most = (-self.exponent.at(high)).exp() - 1 - s * (1 + (-high).exp())
        return 1 if least > 0 else -1 if most < 0 else 0

    def _derivative(self) -> Powers:
        """E'."""
        return {j - 1: c for j, c in self.exponent.slope().items()}

    def _bend(self) -> Powers:
        """E''."""
        return {j - 2: c for j, c in self.exponent.bend().items()}

    def _rise(self, cell: arb) -> arb:
        """The values of w' on a cell."""
        if not cell > 0 and (self.exponent.log or min(self.exponent.powers, default=0) < 0):
            return arb.nan()
        s = -polynomial_at(self._derivative(), cell)
        change = -polynomial_at(self._bend(), cell)
        fall, inverse = (-cell).exp(), (-self.exponent.at(cell)).exp()
        return s * (inverse + fall) - change * (1 + fall)

    def point(self, epsilon: arb) -> arb:
        """min(1, e^E), 1 up to where the formula starts to fall."""
        if epsilon <= rational_ball(self._top) and self._top:
            return arb(1)
        if epsilon.is_zero():
            return self.exponent.limit_at_zero().min(arb(0)).exp()
        return self.exponent.at(epsilon).exp().min(arb(1))

    def derivatives(self, epsilon: arb) -> tuple[arb, arb]:
        """-s delta and (s² - s') delta."""
        value = self.exponent.at(epsilon).exp()
        first = polynomial_at(self._derivative(), epsilon)
        second = polynomial_at(self._bend(), epsilon)
        return first * value, (first**2 + second) * value

    def convex_from(self, epsilon: arb) -> bool:
        """By the sign of x² (E'² + E'' - E'), a Laurent polynomial."""
        slope = Exponent(self.exponent.slope())
        square = slope.times(slope).powers
        signed = _sum(square, self.exponent.bend(), {j + 1: -c for j, c in slope.powers.items()})
        if not signed:
            return True
        return signed[max(signed)] > 0 and all(root < epsilon for root in sign_changes(signed))

    @property
    def closed(self) -> bool:
        """Without a head: whether it is convex from 0 on; with one it is not refined yet."""
        if self._has_head:
            return False
        with precision(_BITS):
            return self.convex_from(arb(0))

    @property
    def has_head(self) -> bool:
        """Whether refining changes it."""
        return self._has_head

    @property
    def tail(self) -> Tail:
        """The same formula."""
        return ProductTail(self.exponent)

    def to_json(self) -> dict[str, Any]:
        """``{"formula": "product", "exponent": E, "text": as it was written}``."""
        return {"formula": "product", "text": self.text, "exponent": self.exponent.to_json()}
