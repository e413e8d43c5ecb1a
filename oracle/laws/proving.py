"""Symbolic proofs as data: named statements whose every step sympy has checked exactly.

Two kinds of step are enough, and neither samples a number:

- an *identity*: the difference of two expressions cancels to 0;
- a *sign*: under a parametrisation of the whole domain by unknowns that are only known to be >= 0 or > 0 (E = 1 + t for
  E >= 1, r = x/(x + y) for r in [0, 1]), numerator and denominator factor into polynomials without a negative
  coefficient. Such a polynomial is >= 0, and > 0 if one of its terms contains only unknowns that are > 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from oracle.errors import OracleError

if TYPE_CHECKING:
    import sympy

__all__ = ["Derivation", "Domain", "Proof", "ProofError"]

Expression = Any
"""A sympy expression: the library has no types of its own."""


class ProofError(OracleError):
    """A step that sympy does not confirm."""


@dataclass(frozen=True, slots=True)
class Proof:
    """A finished proof.

    Attributes:
        name: as in :data:`oracle.laws.symbolic.PROOFS`.
        statement: what is proved, for all parameters of the domain stated in it.
        claims: ids of the claims that it is about.
        steps: what was checked, in order.
    """

    name: str
    statement: str
    claims: tuple[str, ...]
    steps: tuple[str, ...]


class Domain:
    """Parameters with their ranges, each parametrised by unknowns >= 0."""

    def __init__(self) -> None:
        self._values: dict[sympy.Symbol, Expression] = {}
        self._unknowns: set[sympy.Symbol] = set()
        self._positive: set[sympy.Symbol] = set()
        self._sums: list[Expression] = []

    def _unknown(self, name: str, *, positive: bool) -> sympy.Symbol:
        import sympy  # noqa: PLC0415 - half a second, and only proofs need it

        unknown = sympy.Symbol(name, real=True)
        self._unknowns.add(unknown)
        if positive:
            self._positive.add(unknown)
        return unknown

    def at_least(self, name: str, minimum: int, *, strictly: bool = False) -> sympy.Symbol:
        """A parameter >= (or >) an integer *minimum*."""
        import sympy  # noqa: PLC0415

        parameter = sympy.Symbol(name)
        self._values[parameter] = minimum + self._unknown(f"{name}_t", positive=strictly)
        return parameter

    def between(
        self, name: str, low: Expression = 0, high: Expression = 1, *, above: bool = False, below: bool = False
    ) -> sympy.Symbol:
        """A parameter in [low, high]; *above* and *below* leave out the ends.

        It is written low + (high - low) x/(x + y) with x, y >= 0 and x + y > 0.
        """
        import sympy  # noqa: PLC0415

        parameter = sympy.Symbol(name)
        x = self._unknown(f"{name}_x", positive=above)
        y = self._unknown(f"{name}_y", positive=below)
        self._sums.append(x + y)
        self._values[parameter] = low + (high - low) * x / (x + y)
        return parameter

    def is_positive(self, expression: Expression, *, strictly: bool = True) -> bool:
        """Whether the expression is proved > 0 (or >= 0) on the whole domain; False says nothing."""
        import sympy  # noqa: PLC0415

        reduced = sympy.cancel(sympy.together(sympy.sympify(expression).subs(self._values)))
        if not reduced.free_symbols <= self._unknowns:
            raise ProofError(f"{expression} has a parameter without a range")
        numerator, denominator = sympy.fraction(reduced)
        sign, tops = self._factors(numerator)
        other, bottoms = self._factors(denominator)
        if not all(self._strict(factor) for factor in bottoms):
            return False
        if numerator == 0:
            return not strictly
        wanted = self._strict if strictly else self._weak
        return bool(sign * other > 0) and all(wanted(factor) for factor in tops)

    def _factors(self, polynomial: Expression) -> tuple[Expression, list[Expression]]:
        """A constant, and factors whose signs are turned so that their first coefficient is positive."""
        import sympy  # noqa: PLC0415

        constant, factors = sympy.factor_list(polynomial)
        turned = []
        for factor, power in factors:
            negative = sympy.Poly(factor).coeffs()[0] < 0
            constant *= (-1) ** power if negative else 1
            turned.append(sympy.expand(-factor if negative else factor))
        return constant, turned

    def _weak(self, factor: Expression) -> bool:
        import sympy  # noqa: PLC0415

        return all(c > 0 for c in sympy.Poly(factor).coeffs())

    def _strict(self, factor: Expression) -> bool:
        """No negative coefficient, and a term that is positive or, of x + y > 0, a multiple of x and one of y."""
        import sympy  # noqa: PLC0415

        if not self._weak(factor):
            return False
        polynomial = sympy.Poly(factor)
        terms = [{s for s, e in zip(polynomial.gens, powers, strict=True) if e} for powers, _ in polynomial.terms()]
        if any(term <= self._positive for term in terms):
            return True
        # x/(x + y) has x + y > 0, so one of the two is positive and a factor with a pure power of each is, too.
        pure = {next(iter(term - self._positive)) for term in terms if len(term - self._positive) == 1}
        return any(total.free_symbols <= pure for total in self._sums)


class Derivation:
    """Collects the steps of one proof; a step that is not confirmed raises :class:`ProofError`."""

    def __init__(self) -> None:
        self._steps: list[str] = []

    def identity(self, text: str, left: Expression, right: Expression) -> None:
        """Both sides are equal for all values."""
        import sympy  # noqa: PLC0415

        rest = sympy.cancel(sympy.together(sympy.sympify(left) - sympy.sympify(right)))
        if rest != 0:
            raise ProofError(f"{text}: the sides differ by {rest}")
        self._steps.append(text)

    def identities(
        self, text: str, left: Sequence[Sequence[Expression]], right: Sequence[Sequence[Expression]]
    ) -> None:
        """Two lists of tuples agree entry by entry."""
        if [len(row) for row in left] != [len(row) for row in right]:
            raise ProofError(f"{text}: the shapes differ")
        for first, second in zip(left, right, strict=True):
            for x, y in zip(first, second, strict=True):
                self.identity(text, x, y)
                self._steps.pop()
        self._steps.append(text)

    def positive(self, text: str, expression: Expression, domain: Domain, *, strictly: bool = True) -> None:
        """The expression is > 0 (or >= 0) on the whole domain."""
        if not domain.is_positive(expression, strictly=strictly):
            raise ProofError(f"{text}: the sign of {expression} is not proved")
        self._steps.append(text)

    def done(self, name: str, statement: str, claims: Sequence[str]) -> Proof:
        """The finished proof."""
        return Proof(name, statement, tuple(claims), tuple(self._steps))
