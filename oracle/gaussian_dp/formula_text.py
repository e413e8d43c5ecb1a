"""Reading a noise formula such as ``4*exp(-2)/eps``, ``exp(-eps^2)`` or ``1/10*eps^(-1)*exp(-eps*(1 + eps)/2)``.

Grammar: + - * / ^ (or **), parentheses, exact numbers (``1/3``, ``0.05``, ``1e-6``), ``eps`` (or ``epsilon``), and the
functions exp, log (or ln) and sqrt. The whole must be a positive product of numbers, powers of eps and exponentials of
polynomials in eps, 1/eps and multiples of log(eps); sums are allowed inside exp. The text is read by Python's parser as
an expression of these forms, never evaluated.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Final

from gmpy2 import mpq

from oracle.errors import Declined, InputError, LimitError, shorten
from oracle.exact import parse_number
from oracle.gaussian_dp.exponents import Exponent
from oracle.gaussian_dp.noise_formulas import ConstantProfile, Reciprocal, SquaredExponential
from oracle.gaussian_dp.product_formulas import ProductFormula
from oracle.gaussian_dp.profiles import NoiseFormula, Profile

__all__ = ["ProfileLike", "parse_formula", "profile_of"]

_LONGEST: Final = 1000
_LARGEST_POWER: Final = 100
_LARGEST_DEGREE: Final = 1000
_MOST_BITS: Final = 400_000
ProfileLike = Profile | str
"""A profile, or the text of a noise formula."""

_NAMES: Final = ("eps", "epsilon")
_SIGNS: Final = {ast.Add: 1, ast.Sub: -1}


@dataclass(frozen=True, slots=True)
class _Product:
    """The number e^E."""

    exponent: Exponent


_Value = Exponent | _Product


def parse_formula(text: str) -> Profile:
    """The refined profile of a noise formula delta = text; the closed family is recognised.

    Returns:
        A refined profile, the formula itself where refining changes nothing, or a constant profile.

    Raises:
        InputError: for a malformed text, a formula that is not positive, or one that increases where it is below 1.
        LimitError: for a text of more than 1,000 characters, a power above 100, powers of eps above 1,000 or numbers
            above 400,000 bits.
        Declined: for a formula that is no product, or has several turning points.
    """
    if not isinstance(text, str):
        raise InputError("a formula as text", shorten(text), "formula")
    if len(text) > _LONGEST:
        raise LimitError(f"at most {_LONGEST} characters", f"{len(text)}", "formula")
    source = text.replace("^", "**").strip()
    try:
        tree = ast.parse(source, mode="eval")
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise InputError('a formula such as "exp(-eps^2)"', f'"{shorten(text)}"', "formula") from None
    exponent = _as_product(_read(tree.body, source)).exponent.simplified()
    found = _recognised(exponent)
    if found is not None:
        return found.refined() if isinstance(found, NoiseFormula) else found
    formula = ProductFormula(exponent, text)
    return formula.refined() if formula.has_head else formula


def profile_of(value: object) -> Profile:
    """A profile, or the refined one of a noise formula's text.

    Raises:
        InputError: for anything else, and as :func:`parse_formula`.
    """
    if isinstance(value, str):
        return parse_formula(value)
    if not isinstance(value, Profile):
        raise InputError('a profile, or a formula such as "exp(-eps^2)"', shorten(value), "profile")
    return value


def _recognised(exponent: Exponent) -> NoiseFormula | ConstantProfile | None:
    """The member of the closed family that e^E is, if it is one."""
    factor = exponent.rational_factor()
    if factor is None:
        return None
    if set(exponent.powers) == {2} and not exponent.log and exponent.powers[2] < 0 and factor >= 1:
        return SquaredExponential(-exponent.powers[2], factor)
    if set(exponent.powers) <= {0} and exponent.log == -1:
        return Reciprocal(factor, exponent.powers.get(0, mpq(0)))
    if not exponent.powers and not exponent.log:
        return ConstantProfile(min(factor, mpq(1)))
    return None


def _read(node: ast.expr, source: str) -> _Value:
    """One node of the expression."""
    if isinstance(node, ast.Constant):
        return Exponent.number(_number(node, source))
    if isinstance(node, ast.Name):
        if node.id == "e":
            raise InputError("exp(...) for a power of e", '"e"', "formula")
        if node.id not in _NAMES:
            raise InputError('"eps"', f'"{shorten(node.id)}"', "formula")
        return Exponent({1: mpq(1)})
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
        inner = _read(node.operand, source)
        return inner if isinstance(node.op, ast.UAdd) else _polynomial(inner).scaled(mpq(-1))
    if isinstance(node, ast.Call):
        return _function(node, source)
    if isinstance(node, ast.BinOp):
        return _operation(node, source)
    raise InputError("numbers, eps, + - * / ^, exp, log and sqrt", type(node).__name__, "formula")


def _number(node: ast.Constant, source: str) -> mpq:
    """A number as it stands in the text: exact."""
    return parse_number(ast.get_source_segment(source, node) or "", "formula")


def _function(node: ast.Call, source: str) -> _Value:
    if not isinstance(node.func, ast.Name) or node.keywords or len(node.args) != 1:
        raise InputError("exp(...), log(...) or sqrt(...)", "another call", "formula")
    name, inner = node.func.id, _read(node.args[0], source)
    if name == "exp":
        return _Product(_polynomial(inner))
    if name in ("log", "ln"):
        return _as_product(inner).exponent
    if name == "sqrt":
        return _Product(_as_product(inner).exponent.scaled(mpq(1, 2)))
    raise InputError("exp, log or sqrt", f'"{shorten(name)}"', "formula")


def _operation(node: ast.BinOp, source: str) -> _Value:
    left, right = _read(node.left, source), _read(node.right, source)
    sign = _SIGNS.get(type(node.op))
    if sign is not None:
        return _polynomial(left) + _polynomial(right).scaled(mpq(sign))
    if isinstance(node.op, ast.Mult):
        if isinstance(left, Exponent) and isinstance(right, Exponent):
            return left.times(right)
        return _Product(_as_product(left).exponent + _as_product(right).exponent)
    if isinstance(node.op, ast.Div):
        if isinstance(left, Exponent) and isinstance(right, Exponent):
            return left.times(_inverse(right))
        return _Product(_as_product(left).exponent + _as_product(right).exponent.scaled(mpq(-1)))
    if isinstance(node.op, ast.Pow):
        return _power(left, _polynomial(right).as_number())
    raise InputError("+, -, *, / or ^", type(node.op).__name__, "formula")


def _power(base: _Value, power: mpq | None) -> _Value:
    if power is None:
        raise Declined("formula: a power must be a number; write exp(...) for others")
    if abs(power) > _LARGEST_POWER:
        raise LimitError(f"a power of at most {_LARGEST_POWER}", shorten(str(power)), "formula")
    if isinstance(base, Exponent) and power.denominator == 1:
        _require_size(base, abs(int(power.numerator)))
        factor = base if power >= 0 else _inverse(base)
        result = Exponent.number(mpq(1))
        for _ in range(abs(int(power.numerator))):
            result = result.times(factor)
        return result
    return _Product(_as_product(base).exponent.scaled(power))


def _require_size(base: Exponent, power: int) -> None:
    """Refuse a power of a polynomial of too high a degree, or of too long a number, before it is made."""
    if not base.powers:
        return
    degree = max(map(abs, base.powers)) * power
    if degree > _LARGEST_DEGREE:
        raise LimitError(f"powers of eps of at most {_LARGEST_DEGREE}", shorten(str(degree)), "formula")
    bits = max(max(c.numerator.bit_length(), c.denominator.bit_length()) for c in base.powers.values())
    if bits * power > _MOST_BITS:
        raise LimitError(f"numbers of at most {_MOST_BITS} bits", f"about {bits * power}", "formula")


def _inverse(value: Exponent) -> Exponent:
    """The inverse of c x^j."""
    if not value.is_polynomial or len(value.powers) != 1:
        if value.as_number() == 0:
            raise InputError("a divisor other than 0", "0", "formula")
        raise Declined("formula: only numbers, powers of eps and exponentials may be divided by")
    ((j, c),) = value.powers.items()
    return Exponent({-j: 1 / c})


def _polynomial(value: _Value) -> Exponent:
    if isinstance(value, Exponent):
        return value
    raise Declined("formula: exponentials may only be multiplied and divided, not added or put into exponents")


def _as_product(value: _Value) -> _Product:
    if isinstance(value, _Product):
        return value
    found = value.monomial()
    if found is None:
        number = value.as_number()
        if (number is not None and number <= 0) or all(c < 0 for c in value.powers.values()):
            raise InputError("a positive formula", "one that is not", "formula")
        raise Declined("formula: only products of numbers, powers of eps and exponentials are offered")
    return _Product(found)
