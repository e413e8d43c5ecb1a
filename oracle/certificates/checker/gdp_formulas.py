"""Rational brackets of formulas delta(eps), of what they imply, and of delta_mu; see `gdp_profile`.

Each bracket is a pair of fractions around the truth at a number of bits.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from .normal import Ends, normal
from .reading import choice, fields, number, positive, probability
from .series import Bracket, exp, rational
from .verdict import Rejected, brief

_STEPS = (96, 384, 1536)
LARGEST = 1 << 14
_LARGEST_SIZE = 4096
_GUARD = 40

_FIELDS = {
    "squared_exponential": ("factor", "rate"),
    "reciprocal": ("factor", "exponent"),
    "laplace": ("theta",),
    "constant": ("delta",),
}


class Formula(NamedTuple):
    """A formula and its numbers, in the order of the table above."""

    name: str
    numbers: tuple[Fraction, ...]


def read_formula(value: object) -> Formula:
    """Read a formula with its numbers in their ranges."""
    if not isinstance(value, dict) or "formula" not in value:
        raise Rejected("expected an object with a formula", "$.profile")
    name = choice(value["formula"], _FIELDS, "$.profile.formula")
    given = fields(value, ("formula", *_FIELDS[name]), "$.profile")
    numbers = []
    for field in _FIELDS[name]:
        place = f"$.profile.{field}"
        if field == "delta":
            found = probability(given[field], place)
        else:
            found = number(given[field], place) if field == "exponent" else positive(given[field], place)
        if (field == "delta" and not found) or (name == "squared_exponential" and field == "factor" and found < 1):
            raise Rejected("out of its range", place)
        require_size(found, place)
        numbers.append(found)
    return Formula(name, tuple(numbers))


def formula_text(formula: Formula) -> str:
    """Return the formula for a statement."""
    shown = [brief(str(x)) for x in formula.numbers]
    return {
        "squared_exponential": "delta = min(1, {} exp(-{} eps^2))",
        "reciprocal": "delta = min(1, {} exp({})/eps)",
        "laplace": "delta = max(0, 1 - exp((eps - {})/2))",
        "constant": "delta = {}",
    }[formula.name].format(*shown)


def require_size(x: Fraction, where: str) -> None:
    """Reject numbers whose exponentials would be too long, and long ones."""
    if abs(x) > LARGEST or x.denominator.bit_length() > _LARGEST_SIZE:
        raise Rejected(f"too large: at most {LARGEST} and {_LARGEST_SIZE} bits are accepted", where)


def decide(holds: Callable[[int], bool | None], reason: str, where: str) -> None:
    """Reject unless the statement is proved at one of the precisions."""
    for bits in _STEPS:
        found = holds(bits)
        if found is not None:
            if not found:
                raise Rejected(reason, where)
            return
    raise Rejected(f"undecided at {_STEPS[-1]} bits", where)


def above(left: Ends, right: Ends, *, strict: bool = False) -> bool | None:
    """Whether left >= right (or left > right), where the brackets decide it."""
    if left[0] > right[1] or (not strict and left[0] == right[1]):
        return True
    return False if left[1] < right[0] or (strict and left[1] == right[0]) else None


def exp_ends(x: Fraction, bits: int) -> Ends:
    """Bracket e^x, x <= LARGEST; below -LARGEST by 0 and that of e^-LARGEST."""
    if x > LARGEST:
        raise Rejected(f"an exponent beyond {LARGEST}")
    if x < -LARGEST:
        return Fraction(0), exp_ends(Fraction(-LARGEST), bits)[1]
    bracket: Bracket = exp(rational(x, bits + _GUARD), bits)
    low, high = (Fraction(m << max(e, 0), 1 << max(-e, 0)) for m, e in bracket)
    return low, high


def delta_mu(mu: Fraction, x: Fraction, bits: int) -> Ends:
    """Bracket the profile of mu-GDP at x >= 0."""
    if mu == 0:
        return Fraction(0), Fraction(0)
    first, second, factor = normal(mu / 2 - x / mu, bits), normal(-mu / 2 - x / mu, bits), exp_ends(x, bits)
    return first[0] - factor[1] * second[1], first[1] - factor[0] * second[0]


def delta_at(formula: Formula, x: Fraction, bits: int) -> Ends:
    """Bracket the formula at x > 0 (laplace and constant also at 0), at most 1."""
    name, numbers = formula
    if name == "constant":
        return numbers[0], numbers[0]
    if name == "laplace":
        low, high = exp_ends((x - numbers[0]) / 2, bits)
        return max(Fraction(0), 1 - high), max(Fraction(0), 1 - low)
    if name == "reciprocal":
        low, high = (factor * numbers[0] / x for factor in exp_ends(numbers[1], bits))
    else:
        low, high = (factor * numbers[0] for factor in exp_ends(-numbers[1] * x * x, bits))
    return min(Fraction(1), low), min(Fraction(1), high)


def half_exp(formula: Formula, bits: int) -> Ends:
    """Bracket e^(-theta/2)/2."""
    low, high = exp_ends(-formula.numbers[0] / 2, bits)
    return low / 2, high / 2


def turning_sign(formula: Formula, x: Fraction, bits: int) -> Ends:
    """Bracket r(x), x > 0."""
    low, high = exp_ends(-x, bits)
    if formula.name == "reciprocal":
        k = [formula.numbers[0] * factor for factor in exp_ends(formula.numbers[1], bits)]
        return x * x - k[1] * (x + 1 + high), x * x - k[0] * (x + 1 + low)
    factor, rate = formula.numbers
    power = exp_ends(rate * x * x, bits)
    return power[0] - factor * (1 + 2 * rate * x * (1 + high)), power[1] - factor * (1 + 2 * rate * x * (1 + low))


def require_counting(formula: Formula, x: Fraction, where: str) -> None:
    """Reject unless the formula is below 1 at x > 0, where r has its meaning."""
    one = Fraction(1), Fraction(1)
    decide(lambda bits: above(one, delta_at(formula, x, bits), strict=True), "the formula is not below 1 there", where)
