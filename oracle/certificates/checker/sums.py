"""Exact sums of c * e^s * b1^r1 * b2^r2 ... with rational c, s and 0 < r < 1, and the proved signs of their forms.

A sum is a dictionary from (s, ((b1, r1), ...)) to the coefficient c, like terms collected and zero coefficients left
out, so that the empty dictionary is zero.  (A sum that is not empty may still be zero, as 4^(1/2) - 2 is: its sign is
then undecided, and never taken to be zero.)
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from .reading import fields, integer, items, number
from .series import ONE, Bracket, add_all, exp, exp_sign, log, multiply, precisions, rational, sign, undecided
from .verdict import Rejected, quoted

if TYPE_CHECKING:
    from collections.abc import Sequence

Roots = tuple[tuple[int, Fraction], ...]
Power = tuple[Fraction, Roots]
Sum = dict[Power, Fraction]
# A form is a list of products of sums; its value is the sum of the products.
Form = list[tuple[Sum, ...]]

_UNIT: Power = (Fraction(0), ())
_EXTRA_BITS = 80
_MOST_TERMS = 1_000_000


def constant(value: Fraction) -> Sum:
    """Return a rational number as a sum."""
    return {_UNIT: value} if value else {}


def exponential(exponent: Fraction) -> Sum:
    """Return e^exponent as a sum."""
    return {(exponent, ()): Fraction(1)}


def read_sum(value: object, where: str) -> Sum:
    """Read a SUM: terms strictly sorted by (exp, sorted list of (base, root))."""
    result: Sum = {}
    last: Power | None = None
    for k, item in enumerate(items(value, where)):
        place = f"{where}[{k}]"
        term = fields(item, ("coefficient", "exp", "roots"), place)
        coefficient = number(term["coefficient"], f"{place}.coefficient")
        if coefficient == 0:
            raise Rejected("expected a nonzero coefficient", f"{place}.coefficient")
        power = (number(term["exp"], f"{place}.exp"), _roots(term["roots"], f"{place}.roots"))
        if last is not None and last >= power:
            raise Rejected("expected terms sorted strictly by exp, then roots", place)
        last = power
        result[power] = coefficient
    return result


def _roots(value: object, where: str) -> Roots:
    if not isinstance(value, dict):
        raise Rejected("expected an object of roots", where)
    roots = []
    for base, root in value.items():
        place = f"{where}[{quoted(base)}]"
        if number(base, place).denominator != 1 or integer(base) < 2:
            raise Rejected("expected an integer base >= 2", place)
        exponent = number(root, place)
        if not 0 < exponent < 1:
            raise Rejected("expected an exponent between 0 and 1", place)
        roots.append((integer(base), exponent))
    return tuple(sorted(roots))


def plus(*terms: Sum) -> Sum:
    """Add sums, collecting like terms."""
    result: Sum = {}
    for term in terms:
        for power, coefficient in term.items():
            result[power] = result.get(power, Fraction(0)) + coefficient
    return {power: coefficient for power, coefficient in result.items() if coefficient}


def scaled(term: Sum, factor: Fraction) -> Sum:
    """Multiply a sum by a rational number."""
    return {power: coefficient * factor for power, coefficient in term.items()} if factor else {}


def times(left: Sum, right: Sum) -> Sum:
    """Multiply two sums, collecting like terms; a root whose exponents reach 1 leaves its base in the coefficient."""
    result: Sum = {}
    for (left_exp, left_roots), left_coefficient in left.items():
        for (right_exp, right_roots), right_coefficient in right.items():
            coefficient = left_coefficient * right_coefficient
            roots = dict(left_roots)
            for base, root in right_roots:
                exponent = root + roots.pop(base, Fraction(0))
                coefficient *= base ** int(exponent)
                if exponent != 1:
                    roots[base] = exponent % 1
            power = (left_exp + right_exp, tuple(sorted(roots.items())))
            result[power] = result.get(power, Fraction(0)) + coefficient
    return {power: coefficient for power, coefficient in result.items() if coefficient}


class Signs:
    """Signs of forms, with the brackets of the powers that occur kept per precision."""

    def __init__(self) -> None:
        self._powers: dict[tuple[Power, int], Bracket] = {}
        self._logs: dict[tuple[int, int], Bracket] = {}
        self._sums: dict[tuple[int, int], tuple[Sum, Bracket]] = {}

    def _power(self, power: Power, bits: int) -> Bracket:
        if power == _UNIT:
            return ONE
        key = (power, bits)
        if key not in self._powers:
            fine = bits + _EXTRA_BITS
            parts = [rational(power[0], fine)]
            for base, exponent in power[1]:
                if (base, fine) not in self._logs:
                    self._logs[base, fine] = log(Fraction(base), fine)
                parts.append(multiply(self._logs[base, fine], rational(exponent, fine), fine))
            self._powers[key] = exp(add_all(parts, fine), bits)
        return self._powers[key]

    def _value(self, term: Sum, bits: int) -> Bracket:
        # Keyed by identity: the sum is kept beside its bracket, so no other can take its place in memory.
        key = (id(term), bits)
        if key not in self._sums:
            parts = (
                multiply(rational(coefficient, bits), self._power(power, bits), bits)
                for power, coefficient in term.items()
            )
            self._sums[key] = (term, add_all(parts, bits))
        return self._sums[key][1]

    def sign(self, form: Form, where: str) -> int:
        """Return the proved sign of a form: 0 only if it vanishes when multiplied out and like terms are collected."""
        bits, *finer = precisions(())
        found = self._product_sign(form, bits)
        if found is not None:
            return found
        expanded = expand(form, where)
        if len(expanded) <= 1:
            # One term has the sign of its coefficient, as powers are positive.
            return next(((c > 0) - (c < 0) for c in expanded.values()), 0)
        # Divided by e^s for the largest s: only differences of exponents are left, however large they are themselves.
        largest = max(exponent for exponent, _ in expanded)
        shifted = {(exponent - largest, roots): c for (exponent, roots), c in expanded.items()}
        if len(shifted) == 2 and not any(roots for _, roots in shifted):
            return _two_terms(shifted, where)
        _, *finer = precisions(x for (exponent, _), c in shifted.items() for x in (exponent, c))
        for bits in finer:
            found = self._product_sign(form, bits)
            if found is None:
                found = sign(self._value(shifted, bits))
            if found is not None:
                return found
        raise Rejected(undecided(finer[-1]), where)

    def _product_sign(self, form: Form, bits: int) -> int | None:
        products = []
        for factors in form:
            product = ONE
            for factor in factors:
                product = multiply(product, self._value(factor, bits), bits)
            products.append(product)
        return sign(add_all(products, bits))


def _two_terms(term: Sum, where: str) -> int:
    """Return the proved sign of c + d e^r: that of c if d has it too, else that of d (e^r - (-c/d))."""
    (_, last), (power, first) = sorted(term.items(), reverse=True)
    if (last > 0) == (first > 0):
        return 1 if last > 0 else -1
    return exp_sign(power[0], -last / first, where) * (1 if first > 0 else -1)


def expand(form: Sequence[tuple[Sum, ...]], where: str) -> Sum:
    """Multiply a form out and collect like terms."""
    size = 0
    for factors in form:
        product = 1
        for factor in factors:
            product *= len(factor)
        size += product
    if size > _MOST_TERMS:
        raise Rejected(f"too large: {size} terms when multiplied out, at most {_MOST_TERMS}", where)
    result: list[Sum] = []
    for factors in form:
        term = constant(Fraction(1))
        for factor in factors:
            term = times(term, factor)
        result.append(term)
    return plus(*result)
