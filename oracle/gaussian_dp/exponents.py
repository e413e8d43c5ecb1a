"""Exponents E(x) = sum_j c_j x^j + q log x + sum_i w_i log r_i with rational coefficients, for formulas e^E, x > 0.

The sums are finite, j any integer, r_i > 0. These are closed under addition and rational multiples, and contain the
logarithm of every product of rational numbers, powers of x, and exponentials of such polynomials.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import comb
from typing import Any

import flint
from flint import arb, fmpz_poly
from gmpy2 import gcd, iroot, lcm, mpq, mpz

from oracle.enclosures import rational_ball, rational_bounds
from oracle.errors import InputError, UndecidedError
from oracle.exact import to_text

__all__ = ["Exponent", "Powers", "nonnegative_from", "polynomial_at", "sign_changes"]

Powers = dict[int, mpq]
"""A Laurent polynomial: from the power of x to its coefficient, none of them 0."""


def _cleaned(powers: Mapping[int, mpq]) -> Powers:
    return {j: c for j, c in sorted(powers.items()) if c}


def nonnegative_from(powers: Powers, start: mpq) -> bool:
    """Whether a Laurent polynomial is proved to be >= 0 for all x >= start > 0.

    Times a power of x it is a polynomial, and that one, written in y = x - start, has no negative coefficient: enough,
    not necessary, but true of every polynomial with a positive leading coefficient from some start on.
    """
    if not powers:
        return True
    least = min(powers)
    coefficients = [powers.get(j, mpq(0)) for j in range(least, max(powers) + 1)]
    for k in range(len(coefficients)):
        shifted = sum((c * comb(j, k) * start ** (j - k) for j, c in enumerate(coefficients) if j >= k), mpq(0))
        if shifted < 0:
            return False
    return True


class Exponent:
    """E(x).

    Args:
        powers: c_j by j.
        log: q.
        logs: w_i by r_i.
    """

    __slots__ = ("log", "logs", "powers")

    def __init__(self, powers: Mapping[int, mpq], log: mpq | int = 0, logs: Mapping[mpq, mpq] | None = None) -> None:
        self.powers = _cleaned(powers)
        self.log = mpq(log)
        self.logs = {r: w for r, w in sorted((logs or {}).items()) if w and r != 1}

    @classmethod
    def number(cls, x: mpq) -> Exponent:
        """The constant x."""
        return cls({0: x})

    def __add__(self, other: Exponent) -> Exponent:
        powers, logs = dict(self.powers), dict(self.logs)
        for j, c in other.powers.items():
            powers[j] = powers.get(j, mpq(0)) + c
        for r, w in other.logs.items():
            logs[r] = logs.get(r, mpq(0)) + w
        return Exponent(powers, self.log + other.log, logs)

    def scaled(self, factor: mpq) -> Exponent:
        """The product with a rational number."""
        return Exponent(
            {j: c * factor for j, c in self.powers.items()},
            self.log * factor,
            {r: w * factor for r, w in self.logs.items()},
        )

    @property
    def is_polynomial(self) -> bool:
        """Whether there is no logarithm."""
        return not self.log and not self.logs

    def as_number(self) -> mpq | None:
        """The rational number that it is, if it is one by its form."""
        return self.powers.get(0, mpq(0)) if self.is_polynomial and set(self.powers) <= {0} else None

    def times(self, other: Exponent) -> Exponent:
        """The product of two Laurent polynomials, or with a number.

        Raises:
            InputError: for another product with a logarithm.
        """
        for left, right in ((self, other), (other, self)):
            factor = left.as_number()
            if factor is not None:
                return right.scaled(factor)
        if not (self.is_polynomial and other.is_polynomial):
            raise InputError("a logarithm times a number", "a logarithm times something else")
        powers: Powers = {}
        for j, c in self.powers.items():
            for k, d in other.powers.items():
                powers[j + k] = powers.get(j + k, mpq(0)) + c * d
        return Exponent(powers)

    def monomial(self) -> Exponent | None:
        """The logarithm of c x^j, where this is that with c > 0; otherwise None."""
        if not self.is_polynomial or len(self.powers) != 1:
            return None
        ((j, c),) = self.powers.items()
        return Exponent({}, j, {c: mpq(1)}) if c > 0 else None

    def slope(self) -> Powers:
        """The Laurent polynomial x E'(x)."""
        powers = {j: j * c for j, c in self.powers.items()}
        powers[0] = powers.get(0, mpq(0)) + self.log
        return _cleaned(powers)

    def bend(self) -> Powers:
        """The Laurent polynomial x² E''(x)."""
        powers = {j: j * (j - 1) * c for j, c in self.powers.items()}
        powers[0] = powers.get(0, mpq(0)) - self.log
        return _cleaned(powers)

    def constant(self) -> arb:
        """sum_i w_i log r_i as a ball."""
        return sum((rational_ball(w) * rational_ball(r).log() for r, w in self.logs.items()), arb(0))

    def at(self, x: arb) -> arb:
        """E on a ball of x > 0 (x = 0 is allowed without negative powers and without q)."""
        value = self.constant() + polynomial_at(self.powers, x)
        return value + rational_ball(self.log) * x.log() if self.log else value

    def limit_at_zero(self) -> arb:
        """The limit for x -> 0 from above, infinite values included."""
        negative = [j for j in self.powers if j < 0]
        if negative:
            return arb.pos_inf() if self.powers[min(negative)] > 0 else arb.neg_inf()
        if self.log:
            return arb.pos_inf() if self.log < 0 else arb.neg_inf()
        return self.constant() + rational_ball(self.powers.get(0, mpq(0)))

    def rational_factor(self) -> mpq | None:
        """The product of r_i^w_i, where all w_i are whole numbers."""
        result = mpq(1)
        for r, w in self.logs.items():
            if w.denominator != 1:
                return None
            result *= r ** int(w.numerator) if w > 0 else 1 / r ** int(-w.numerator)
        return result

    def simplified(self) -> Exponent:
        """The same exponent with the product of r_i^w_i multiplied out: a rational and roots that are not rational.

        The r_i are written by pairwise coprime integers b_j > 1 that are no k-th powers for k in the denominator of
        their own weight. Then b_j^(n/d) in lowest terms is rational only for d = 1, and as no prime is in two b_j, the
        whole is a rational exactly when every weight is whole. Whole parts go into one rational of weight 1.
        """
        if all(w.denominator == 1 for w in self.logs.values()):
            factor = self.rational_factor()
            return Exponent(self.powers, self.log, {} if factor is None else {factor: mpq(1)})
        factor, logs = mpq(1), dict[mpq, mpq]()
        for base, weight in _coprime(self.logs).items():
            root, power = _rooted(base, weight)
            whole = int(power.numerator // power.denominator)
            factor *= mpq(root) ** whole if whole >= 0 else 1 / mpq(root) ** -whole
            logs[mpq(root)] = power - whole
        logs[factor] = logs.get(factor, mpq(0)) + 1
        return Exponent(self.powers, self.log, logs)

    def to_json(self) -> dict[str, object]:
        """``{"powers": {...}, "log": q, "logs": {...}}`` as texts."""
        return {
            "powers": {str(j): to_text(c) for j, c in self.powers.items()},
            "log": to_text(self.log),
            "logs": {to_text(r): to_text(w) for r, w in self.logs.items()},
        }


def _coprime(logs: Mapping[mpq, mpq]) -> dict[mpz, mpq]:
    """The product of r^w by pairwise coprime integers above 1, none of weight 0.

    Two that share g, n = g n' and m = g m', become n', m' and g: n^w m^v = n'^w m'^v g^(w + v). The product of all
    integers falls each time.
    """
    found: dict[mpz, mpq] = {}
    waiting = [(n, w) for r, v in logs.items() for n, w in ((r.numerator, v), (r.denominator, -v))]
    while waiting:
        n, w = waiting.pop()
        if n == 1 or not w:
            continue
        for m in found:
            g = gcd(m, n)
            if g > 1:
                v = found.pop(m)
                waiting += [(n // g, w), (m // g, v), (g, w + v)]
                break
        else:
            found[n] = w
    return found


def _rooted(base: mpz, weight: mpq) -> tuple[mpz, mpq]:
    """The same power of a base that is no k-th power for a k in the denominator of its weight."""
    k, rest = 2, weight.denominator
    while rest > 1 and k <= base.bit_length():
        if rest % k:
            k += 1
            continue
        rest //= k
        root, exact = iroot(base, k)
        if exact:
            base, weight = root, weight * k
    return base, weight


def polynomial_at(powers: Powers, x: arb) -> arb:
    """A Laurent polynomial on a ball of x."""
    return sum((rational_ball(c) * x**j for j, c in powers.items()), arb(0))


def sign_changes(powers: Powers) -> list[arb]:
    """Balls of the places x > 0 where a Laurent polynomial other than 0 changes its sign, increasing: exact in number.

    They are the positive roots of odd multiplicity; python-flint isolates the complex roots of integer polynomials and
    gives the real ones an imaginary part of exactly 0.

    Raises:
        UndecidedError: if the sign of a root is not seen at the working precision.
    """
    least, common = min(powers), mpz(1)
    for c in powers.values():
        common = lcm(common, c.denominator)
    whole = [powers.get(j, mpq(0)) * common for j in range(least, max(powers) + 1)]
    found = []
    if len(whole) == 1:
        return []
    roots: list[Any] = fmpz_poly([int(c.numerator) for c in whole]).complex_roots()  # pairs, unlike what its stubs say
    for place, multiplicity in roots:
        if not place.imag.is_zero():
            continue
        root = place.real
        if not (root > 0 or root < 0):
            raise UndecidedError("the sign of a root", flint.ctx.prec)
        if root > 0 and multiplicity % 2:
            found.append(root)
    return sorted(found, key=lambda root: rational_bounds(root)[0])
