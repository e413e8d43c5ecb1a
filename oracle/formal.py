"""Exact numbers of the form Σ c · e^s · Π p^r, with decidable equality and sign.

Here c and s are rational, the p are primes and 0 < r < 1 is rational. These numbers are
closed under +, - and ·. They hold every probability weight of the finite mechanisms whose
epsilon is rational, so that equality with a mechanism's own epsilon is decided exactly.

Zero is decided by the canonical form. **Theorem.** A sum with distinct keys (s, Π p^r) and
nonzero rational coefficients is nonzero unless it is empty. **Proof.** Group the terms by s:
Σ_s A_s e^s with A_s = Σ_j c_j Π_p p^(r_jp). By Besicovitch (*On the linear independence of
fractional powers of integers*, J. London Math. Soc. 15, 1940, 3-6) the products Π p^(r_p)
with 0 <= r_p < 1 for distinct exponent vectors are linearly independent over the rationals,
so each A_s with a term is a nonzero algebraic number. By the Lindemann-Weierstrass theorem
(A. Baker, *Transcendental Number Theory*, 1975, theorem 1.4) the e^s for distinct algebraic
s are linearly independent over the algebraic numbers, so the whole is nonzero. ∎

Hence :meth:`FormalSum.is_zero` is "no terms", == is equality of term tables, and the sign of a
nonzero sum is found by ball evaluation with growing precision, which ends because the value
is not 0 (the stated precision limit aside).
"""

from __future__ import annotations

from functools import cache, reduce
from typing import TYPE_CHECKING, Final

from flint import arb, fmpq, fmpz
from gmpy2 import iroot, mpq, mpz

from oracle.enclosures import (
    DEFAULT_DIGITS,
    Enclosure,
    enclose,
    precision,
)
from oracle.enclosures import sign as ball_sign
from oracle.errors import InputError, LimitError, shorten
from oracle.exact import INFINITY, NEGATIVE_INFINITY, Extended, to_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

__all__ = ["FormalSum", "Key", "product_sign", "ratio_enclosure"]

Roots = tuple[tuple[int, mpq], ...]
Key = tuple[mpq, Roots]
"""The transcendental and the algebraic part of a term: s, and the (p, r) sorted by p."""

_LARGEST_COFACTOR: Final = mpz(10) ** 45  # factored in well under a second
_MAX_COFACTOR_BITS: Final = 4096
_FACTORED: Final = "a base whose prime factors are found quickly"

_MAX_POWER_BITS: Final = 1 << 22
_MAX_EXPONENT_BITS: Final = 1 << 15
"""Most bits of the whole part of an exponent that is evaluated (about 9,800 digits)."""

_ONE_KEY: Final[Key] = (mpq(0), ())
_CHEAP_BITS: Final = 512


class FormalSum:
    """An immutable exact number Σ c · e^s · Π p^r; see the module's text for its theory."""

    __slots__ = ("_hash", "_terms")

    _terms: dict[Key, mpq]
    _hash: int | None

    def __init__(self, terms: Mapping[Key, mpq] | None = None) -> None:
        """Take a table of terms whose keys are already canonical; zero coefficients are dropped."""
        self._terms = {key: c for key, c in (terms or {}).items() if c}
        self._hash = None

    @classmethod
    def rational(cls, x: mpq | int) -> FormalSum:
        """The rational number x."""
        return cls({_ONE_KEY: mpq(x)})

    @classmethod
    def exp(cls, s: mpq | int) -> FormalSum:
        """e^s."""
        return cls({(mpq(s), ()): mpq(1)})

    @classmethod
    def power(cls, base: mpq | int, exponent: mpq | int) -> FormalSum:
        """base^exponent for a rational base > 0.

        Raises:
            InputError: for a base that is not positive.
            LimitError: if the exponent is no integer and the base is not factored quickly, or the
                rational part of the result is too long.
        """
        base, exponent = mpq(base), mpq(exponent)
        if base <= 0:
            raise InputError("a positive base", shorten(base))
        if exponent.denominator == 1:
            return cls.rational(_integer_power(base, exponent.numerator))
        if (root := _exact_root(base, exponent.denominator)) is not None:
            return cls.rational(_integer_power(root, exponent.numerator))
        orders = [(p, k) for p, k in _factor(base.numerator)] + [(p, -k) for p, k in _factor(base.denominator)]
        coefficient, roots = mpq(1), []
        for p, k in sorted(orders):
            power = exponent * k
            whole = power.numerator // power.denominator
            coefficient *= _integer_power(mpq(p), whole)
            if power != whole:
                roots.append((p, power - whole))
        return cls({(mpq(0), tuple(roots)): coefficient})

    def __repr__(self) -> str:
        return f"FormalSum({self})"

    def __str__(self) -> str:
        if not self._terms:
            return "0"
        return " + ".join(_term_text(key, c) for key, c in self.terms())

    def __eq__(self, other: object) -> bool:
        """Equality of the numbers (exact, by the theorem of this module)."""
        if isinstance(other, FormalSum):
            return self._terms == other._terms
        return NotImplemented

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(frozenset(self._terms.items()))
        return self._hash

    def __add__(self, other: FormalSum) -> FormalSum:
        return FormalSum.sum((self, other))

    def __sub__(self, other: FormalSum) -> FormalSum:
        return FormalSum.sum((self, -other))

    def __neg__(self) -> FormalSum:
        return FormalSum({key: -c for key, c in self._terms.items()})

    def __mul__(self, other: FormalSum) -> FormalSum:
        result: dict[Key, mpq] = {}
        for (s1, roots1), c1 in self._terms.items():
            for (s2, roots2), c2 in other._terms.items():
                factor, roots = _merge_roots(roots1, roots2)
                key = (s1 + s2, roots)
                result[key] = result.get(key, mpq(0)) + c1 * c2 * factor
        return FormalSum(result)

    @classmethod
    def sum(cls, parts: Iterable[FormalSum]) -> FormalSum:
        """The sum of any number of formal sums, in one pass."""
        result: dict[Key, mpq] = {}
        for part in parts:
            for key, c in part._terms.items():  # noqa: SLF001 - its own class
                result[key] = result.get(key, mpq(0)) + c
        return cls(result)

    def scaled(self, factor: mpq) -> FormalSum:
        """The product with a rational number."""
        return FormalSum({key: c * factor for key, c in self._terms.items()})

    def shifted(self, s: mpq) -> FormalSum:
        """The product with e^s."""
        return FormalSum({(key[0] + s, key[1]): c for key, c in self._terms.items()})

    def inverse(self) -> FormalSum | None:
        """1/x where this has a single term, else None (the quotient may leave this class of numbers)."""
        if len(self._terms) != 1:
            return None
        ((key, c),) = self._terms.items()
        return _inverse_term(key, c)

    @property
    def size(self) -> int:
        """Number of terms."""
        return len(self._terms)

    def is_zero(self) -> bool:
        """Whether the number is 0: exactly when there is no term (theorem of this module)."""
        return not self._terms

    def sign(self) -> int:
        """-1, 0 or 1: exact.

        Raises:
            UndecidedError: if a nonzero value is too close to 0 for the stated precision limit.
        """
        if not self._terms:
            return 0
        if all(c > 0 for c in self._terms.values()):
            return 1
        if all(c < 0 for c in self._terms.values()):
            return -1
        return self._sign_of_two() or ball_sign(self.ball, "the sign of an exponential sum")

    def _sign_of_two(self) -> int:
        """The sign of c·e^s - d·e^t for s != t and c, d > 0 where easy bounds of e^(s-t) tell it from d/c, else 0.

        e^x > 1 + x for x != 0; with -x for x, for x < 1, e^x < 1/(1 - x).
        """
        if len(self._terms) != 2 or any(roots for _, roots in self._terms):
            return 0
        ((s, _), c), ((t, _), d) = self._terms.items()
        x, bound = s - t, -d / c
        if bound <= 1 + x:
            return 1 if c > 0 else -1
        return 0 if x >= 1 or bound * (1 - x) < 1 else -1 if c > 0 else 1

    def ball(self, bits: int) -> arb:
        """A ball that contains the number; each term has about *bits* correct bits.

        Raises:
            LimitError: for an exponent whose whole part is too long, as many bits being lost in e^s.
        """
        # e^s loses as many bits as the integer part of s has.
        largest = max((abs(s) for s, _ in self._terms), default=mpq(0))
        extra = max(0, largest.numerator.bit_length() - largest.denominator.bit_length())
        if extra > _MAX_EXPONENT_BITS:
            raise LimitError(f"an exponent of e of at most {_MAX_EXPONENT_BITS} bits", f"one of {extra} bits")
        with precision(bits + extra + 16):
            total = arb(0)
            for (s, roots), c in self._terms.items():
                term = _arb(c)
                if s:
                    term *= _arb(s).exp()
                for p, r in roots:
                    term *= (arb(p).log() * _arb(r)).exp()
                total += term
            return total

    def as_rational(self) -> mpq | None:
        """The number as a rational if it is one, else None (exact, by the theorem)."""
        if not self._terms:
            return mpq(0)
        return self._terms.get(_ONE_KEY) if len(self._terms) == 1 else None

    def terms(self) -> list[tuple[Key, mpq]]:
        """The terms (key, coefficient), strictly sorted by s, then by the list of (p, r)."""
        return sorted(self._terms.items())

    def to_json(self) -> list[dict[str, object]]:
        """SUM of the certificate documents: ``[{"coefficient", "exp", "roots"}, ...]``; [] is 0."""
        return [
            {"coefficient": to_text(c), "exp": to_text(s), "roots": {str(p): to_text(r) for p, r in roots}}
            for (s, roots), c in self.terms()
        ]

    def ratio_to(self, other: FormalSum) -> FormalSum | None:
        """The single term c · e^s · Π p^r with self = term · other, or None if there is none.

        The zero sum is 0 times any other. The only candidates have the key that carries the
        least e-exponent (with one of its radicals) of *other* to one of *self*; each is verified
        by multiplication, so an answer is exact. A quotient that is a single term is always found:
        multiplication by a term maps the keys of *other* one to one onto those of *self*.
        """
        if other.is_zero():
            return None
        if self.is_zero():
            return FormalSum()
        if len(self._terms) != len(other._terms):
            return None
        least = min(key[0] for key in self._terms)
        anchor = min(other._terms)
        divisor = _inverse_term(anchor, other._terms[anchor])
        for key, c in self._terms.items():
            if key[0] == least:
                candidate = FormalSum({key: c}) * divisor
                if candidate * other == self:
                    return candidate
        return None


def _inverse_term(key: Key, c: mpq) -> FormalSum:
    """1/(c · e^s · Π p^r), with p^(-r) = p^(1-r) / p."""
    s, roots = key
    denominator = c
    for p, _ in roots:
        denominator *= p
    return FormalSum({(-s, tuple((p, 1 - r) for p, r in roots)): 1 / denominator})


def _term_text(key: Key, c: mpq) -> str:
    s, roots = key
    factors = [] if c == 1 and (s or roots) else [str(c)]
    factors += [f"exp({s})"] if s else []
    factors += [f"{p}^({r})" for p, r in roots]
    return "*".join(factors)


def _merge_roots(left: Roots, right: Roots) -> tuple[mpz, Roots]:
    """Product of two radicals: an integer times a canonical radical."""
    if not left or not right:
        return mpz(1), left or right
    table = dict(left)
    factor = mpz(1)
    for p, r in right:
        total = table.get(p, mpq(0)) + r
        if total >= 1:
            factor *= p
            total -= 1
        if total:
            table[p] = total
        else:
            del table[p]
    return factor, tuple(sorted(table.items()))


def _integer_power(base: mpq, exponent: mpz) -> mpq:
    size = max(base.numerator.bit_length(), base.denominator.bit_length())
    if base != 1 and size * abs(exponent) > _MAX_POWER_BITS:
        raise LimitError(f"a power of at most {_MAX_POWER_BITS} bits", "a longer one")
    return base ** int(exponent) if base != 1 else mpq(1)


def _exact_root(base: mpq, degree: mpz) -> mpq | None:
    """The rational root base^(1/degree) if there is one."""
    if degree > base.numerator.bit_length() + base.denominator.bit_length():
        return None
    above, exact_above = iroot(base.numerator, int(degree))
    below, exact_below = iroot(base.denominator, int(degree))
    return mpq(above, below) if exact_above and exact_below else None


@cache
def _factor(n: mpz) -> tuple[tuple[int, int], ...]:
    """Prime factorisation of n >= 1 as ((p, multiplicity), ...).

    Trial division takes out the small primes. What is left is accepted if prime, replaced by its
    root if it is a perfect power, and otherwise factored if it has few digits.
    """
    found: dict[int, int] = {}
    for p in _small_primes():
        while n % p == 0:
            n //= p
            found[p] = found.get(p, 0) + 1
    if n.bit_length() > _MAX_COFACTOR_BITS:
        raise LimitError(_FACTORED, f"a cofactor of {n.bit_length()} bits")
    # n has no prime factor below 2^13, so a degree of n is at most its bit length over 13.
    degree = next((k for k in range(n.bit_length() // 13, 1, -1) if iroot(n, k)[1]), 1)
    n = iroot(n, degree)[0]
    for p, k in _factor_cofactor(n):
        found[p] = found.get(p, 0) + degree * k
    return tuple(sorted(found.items()))


def _factor_cofactor(n: mpz) -> list[tuple[int, int]]:
    if n == 1:
        return []
    value = fmpz(int(n))
    if value.is_prime():
        return [(int(n), 1)]
    if n > _LARGEST_COFACTOR:
        raise LimitError(_FACTORED, f"a composite cofactor of {n.bit_length()} bits")
    return [(int(p), int(k)) for p, k in value.factor()]


@cache
def _small_primes() -> tuple[int, ...]:
    sieve = bytearray([1]) * 10_000
    sieve[:2] = b"\0\0"
    for k in range(2, 100):
        if sieve[k]:
            sieve[k * k :: k] = bytes(len(sieve[k * k :: k]))
    return tuple(k for k, prime in enumerate(sieve) if prime)


def _arb(x: mpq) -> arb:
    """A ball for x at the working precision."""
    return arb(fmpq(int(x.numerator), int(x.denominator)))


def product_sign(left: Sequence[FormalSum], right: Sequence[FormalSum]) -> int:
    """Sign of Π left - Π right, exact: balls first, the expanded sum only when they do not decide.

    The balls of the factors cost one evaluation a term; expansion costs the product of the numbers
    of terms. The answer is the same, since the expansion decides every case that is left.
    """
    common = list(right)
    rest = []
    for factor in left:
        if factor in common and factor.sign() > 0:
            common.remove(factor)
        else:
            rest.append(factor)
    if not rest and not common:
        return 0
    bits = 64
    while bits <= _CHEAP_BITS:
        with precision(bits):
            difference = _product_ball(rest, bits) - _product_ball(common, bits)
        if difference > 0:
            return 1
        if difference < 0:
            return -1
        bits *= 2
    return (_product(rest) - _product(common)).sign()


def _product(factors: Sequence[FormalSum]) -> FormalSum:
    return reduce(lambda acc, factor: acc * factor, factors, FormalSum.rational(1))


def _product_ball(factors: Sequence[FormalSum], bits: int) -> arb:
    return reduce(lambda acc, factor: acc * factor.ball(bits), factors, arb(1))


def ratio_enclosure(num: FormalSum, den: FormalSum, digits: int = DEFAULT_DIGITS) -> Extended | Enclosure:
    """num/den: the exact rational if it is one, else an enclosure with that many digits.

    num/den is rational exactly when num = c · den for a rational c, which the canonical forms
    decide. A denominator of 0 gives an infinity of the numerator's sign.

    Raises:
        InputError: for 0/0.
    """
    if den.is_zero():
        if num.is_zero():
            raise InputError("a quotient other than 0/0", "0/0")
        return INFINITY if num.sign() > 0 else NEGATIVE_INFINITY
    quotient = num.ratio_to(den)
    if quotient is not None and (value := quotient.as_rational()) is not None:
        return value

    def ball(bits: int) -> arb:
        with precision(bits):
            return num.ball(bits) / den.ball(bits)

    return enclose(ball, digits)
