"""Composition of many two-row channels with equal likelihood ratios merged, exactly.

The loss ratio of a tuple of outputs is the product of the parts' ratios, so merging is collecting like terms of
a polynomial: write every ratio as a product of powers of pairwise coprime integers b_1, ..., b_d (which are
multiplicatively independent), take one variable for each b, and let a column of mass p be the term p·x^e, e its
exponents. The k-fold composition is the k-th power, a heterogeneous one a product. For randomized response this is
(3 + x)^k: k + 1 columns in place of 2^k.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import prod
from typing import Final, NamedTuple

import flint
from flint import fmpz, fmpz_mpoly_ctx, fmpz_poly
from gmpy2 import divexact, gcd, mpq, mpz, remove

from oracle.channels.canonical import LikelihoodOrder, canonical, likelihood_order, sorted_channel
from oracle.channels.channel import Channel, Rows, require_two_rows
from oracle.channels.operators import MAX_COLUMNS, parallel, size_text
from oracle.enclosures import arb_from_rational, precision, rational_bounds
from oracle.errors import InputError, LimitError, shorten
from oracle.exact import to_text

__all__ = ["CompositionSize", "compose", "composition_size", "coprime_base", "power"]

Exponents = tuple[int, ...]

_MAX_VARIABLES: Final = 12
"""Beyond this many base numbers the exponents gain nothing, and products are merged pair by pair."""

_DENSE: Final = 8
"""Coefficients for each column up to which a polynomial in one variable is held with its zeros."""

_MAX_SCALE_BITS: Final = 1 << 25
"""Most bits of the common denominator of a composition (10 million digits)."""

_MAX_BITS: Final = 1 << 32
"""Most bits of all masses of a composition (512 MiB)."""


def power(channel: Channel, times: int, *, max_columns: int = MAX_COLUMNS) -> Channel:
    """The k-fold composition of a two-row channel with itself, canonical; k = 0 is the channel that tells nothing."""
    return compose([(channel, times)], max_columns=max_columns)


def compose(parts: Sequence[tuple[Channel, int]], *, max_columns: int = MAX_COLUMNS) -> Channel:
    """The parallel composition of every channel taken *times* times, canonical.

    Raises:
        LimitError: if the result may have more than *max_columns* columns, or would not fit in memory.
    """
    for i, (channel, times) in enumerate(parts):
        require_two_rows(channel, f"of[{i}]")
        if times < 0:
            raise InputError("a number of times at least 0", shorten(to_text(mpq(times))), f"of[{i}]")
    parts = _gathered([(canonical(channel), times) for channel, times in parts if times])
    if not parts:
        return Channel.trusted(((mpq(1),), (mpq(1),)))
    laws = [_Law.of(likelihood_order(channel), times) for channel, times in parts]
    _check_scale(laws)
    if len(laws) == 1 and len(laws[0].p) <= 2:
        return _binomial_channel(laws[0], max_columns)
    base = _base(laws)
    if len(base) > _MAX_VARIABLES:
        return _pairwise(parts, max_columns)
    return _Lattice(laws, base, max_columns).channel()


class CompositionSize(NamedTuple):
    """What :func:`compose` would make, known before it is made.

    Attributes:
        columns: at least its number of columns of finite, nonzero ratio; above 10^20 it says no more than that.
        variables: of how many variables its polynomials are; 1 for at most two columns, whose powers are binomial.
    """

    columns: int
    variables: int


def composition_size(parts: Sequence[tuple[Channel, int]]) -> CompositionSize:
    """The size of a composition, for a choice of method.

    Beside :func:`compose` there is a method that makes about the square root of so many columns, for single values of
    the profile: :mod:`oracle.accountant.meet_in_the_middle`.
    """
    gathered = _gathered([(canonical(channel), times) for channel, times in parts if times])
    laws = [_Law.of(likelihood_order(channel), times) for channel, times in gathered]
    if len(laws) == 1 and len(laws[0].p) <= 2:
        return CompositionSize(1 + laws[0].times * (len(laws[0].p) - 1) if laws[0].p else 0, 1)
    base = _base(laws)
    if len(base) > _MAX_VARIABLES:
        return CompositionSize(prod(_choices(law.times, len(law.p)) for law in laws), len(base))
    return CompositionSize(_Lattice(laws, base, None).columns, len(base))


def _base(laws: Sequence[_Law]) -> list[mpz]:
    """A coprime base of all ratios, or more than ``_MAX_VARIABLES`` numbers where every base has as many."""
    values = (value for law in laws for ratio in law.ratios for value in (ratio.numerator, ratio.denominator))
    return coprime_base(values, most=_MAX_VARIABLES)


def _gathered(parts: list[tuple[Channel, int]]) -> list[tuple[Channel, int]]:
    """Equal channels counted together, those that tell nothing left out: composition commutes."""
    found: dict[Rows, tuple[Channel, int]] = {}
    for channel, times in parts:
        if channel.shape[1] > 1:
            known, before = found.get(channel.rows, (channel, 0))
            found[channel.rows] = known, before + times
    return list(found.values())


def _check_scale(laws: Sequence[_Law]) -> None:
    bits = sum((law.scale.bit_length() - 1) * law.times for law in laws)
    if bits > _MAX_SCALE_BITS:
        got = f"one of {size_text(bits)} bits"
        raise LimitError(f"a composition with a denominator of at most {_MAX_SCALE_BITS} bits", got)


@dataclass(frozen=True, slots=True)
class _Law:
    """The columns of finite, nonzero likelihood ratio of one part, times its scale."""

    p: list[mpz]
    q: list[mpz]
    ratios: list[mpq]
    scale: mpz
    times: int

    @classmethod
    def of(cls, order: LikelihoodOrder, times: int) -> _Law:
        kept = [k for k in range(len(order.p)) if order.p[k] and order.q[k]]
        p, q = [order.p[k] for k in kept], [order.q[k] for k in kept]
        return cls(p, q, list(map(mpq, q, p)), order.scale, times)


def coprime_base(values: Iterable[mpz], most: int | None = None) -> list[mpz]:
    """Pairwise coprime integers >= 2 such that each of *values* is a product of their powers.

    Factor refinement: two members old = g^i a and new = g^j b with the common factor g are replaced by g, a and b,
    whose product is smaller. The base that has been reached is pairwise coprime at every moment, and refining it never
    makes it shorter, so with *most* the work stops as soon as there are more; the result then is not a base.
    """
    base: list[mpz] = []
    pending = [mpz(value) for value in set(values) if value > 1]
    while pending and (most is None or len(base) <= most):
        new = pending.pop()
        for i, old in enumerate(base):
            common = gcd(old, new)
            if common > 1:
                del base[i]
                pending += [v for v in (common, remove(old, common)[0], remove(new, common)[0]) if v > 1]
                break
        else:
            base.append(new)
    return sorted(base)


def _exponents(ratio: mpq, base: Sequence[mpz]) -> Exponents:
    return tuple(remove(ratio.numerator, b)[1] - remove(ratio.denominator, b)[1] for b in base)


def _check_columns(columns: int, laws: Sequence[_Law], max_columns: int) -> None:
    """Refuse a result of up to so many columns, or of so many digits in all."""
    if columns > max_columns:
        raise LimitError(f"a composition of at most {max_columns} columns", f"one of up to {size_text(columns)}")
    bits = sum((law.scale.bit_length() - 1) * law.times for law in laws)
    if columns * bits * 2 > _MAX_BITS:
        got = f"up to {columns} columns of {bits} bits"
        raise LimitError(f"a composition of at most {_MAX_BITS} bits in all", got)


def _choices(times: int, kinds: int) -> int:
    """Ways to choose *times* of so many kinds, C(times + kinds - 1, times); some number above 10^20 for any more."""
    count = 1
    for i in range(1, kinds):
        count = count * (times + i) // i
        if count > 10**20:
            break
    return count


def _with_ends(p: list[mpz], q: list[mpz], scale: mpz) -> Channel:
    """The channel of the columns of finite, nonzero ratio in order, what is missing to 1 on either side beside them."""
    certain, impossible = scale - sum(p, mpz(0)), scale - sum(q, mpz(0))
    if certain:
        p, q = [certain, *p], [mpz(0), *q]
    if impossible:
        p, q = [*p, mpz(0)], [*q, impossible]
    return sorted_channel(p, q, scale)


def _binomial_channel(law: _Law, max_columns: int) -> Channel:
    """The composition of at most two columns of finite ratio: ratio0^(k-j) ratio1^j increases with j."""
    _check_columns(1 + law.times * (len(law.p) - 1) if law.p else 0, [law], max_columns)
    scale = law.scale**law.times
    if len(law.p) < 2:
        p, q = ([mass**law.times for mass in row] for row in (law.p, law.q))
        return _with_ends(p, q, scale)
    p = _binomial(law.p[0], law.p[1], law.times)
    q = p[::-1] if law.q == law.p[::-1] else _binomial(law.q[0], law.q[1], law.times)
    return _with_ends(p, q, scale)


class _Lattice:
    """The product of the parts as polynomials over the exponents of the ratios; without *max_columns* only its size."""

    def __init__(self, laws: Sequence[_Law], base: Sequence[mpz], max_columns: int | None) -> None:
        self.laws, self.base = laws, base
        self.exponents = [[_exponents(ratio, base) for ratio in law.ratios] for law in laws]
        # The least exponent of each variable is taken out of every part, so that none is negative.
        self.lows = [tuple(map(min, zip(*rows, strict=True))) if rows and base else () for rows in self.exponents]
        spans = self._spans()
        choices = prod(_choices(law.times, len(law.p)) for law in laws)
        self.columns = min(prod(spans), choices) if all(law.p for law in laws) else 0
        if max_columns is None:
            return
        _check_columns(self.columns, laws, max_columns)
        self.dense = len(base) == 1 and spans[0] <= _DENSE * self.columns
        self.scale = prod((law.scale**law.times for law in laws), start=mpz(1))

    def _spans(self) -> list[int]:
        """The number of exponents that each variable may have."""
        return [
            1 + sum(law.times * (max(e[d] for e in rows) - low[d]) for law, rows, low in self._parts() if rows)
            for d in range(len(self.base))
        ]

    def _parts(self) -> Iterable[tuple[_Law, list[Exponents], Exponents]]:
        return zip(self.laws, self.exponents, self.lows, strict=True)

    def channel(self) -> Channel:
        """The composed channel: ratio 0 first, the finite ratios in increasing order, infinite last."""
        p_terms, q_terms = self._terms(first=True), self._terms(first=False)
        ordered = self._sorted(list(p_terms))
        p, q = [p_terms[e] for e in ordered], [q_terms[e] for e in ordered]
        return _with_ends(p, q, self.scale)

    def _terms(self, *, first: bool) -> dict[Exponents, mpz]:
        if any(not law.p for law in self.laws):
            return {}
        masses = [law.p if first else law.q for law in self.laws]
        if not self.base:
            totals = (sum(m, mpz(0)) ** law.times for m, law in zip(masses, self.laws, strict=True))
            return {(): prod(totals, start=mpz(1))}
        if self.dense:
            return self._univariate(masses)
        return self._multivariate(masses)

    def _univariate(self, masses: Sequence[Sequence[mpz]]) -> dict[Exponents, mpz]:
        product = fmpz_poly([1])
        for (law, rows, low), values in zip(self._parts(), masses, strict=True):
            factor = [0] * (1 + max(e[0] for e in rows) - low[0])
            for (e,), value in zip(rows, values, strict=True):
                factor[e - low[0]] += int(value)
            product *= fmpz_poly(factor) ** law.times
        return {(e,): mpz(int(value)) for e, value in enumerate(product.coeffs()) if value != 0}

    def _multivariate(self, masses: Sequence[Sequence[mpz]]) -> dict[Exponents, mpz]:
        context = fmpz_mpoly_ctx.get([f"x{d}" for d in range(len(self.base))], flint.Ordering.lex)
        product = context.constant(1)
        for (law, rows, low), values in zip(self._parts(), masses, strict=True):
            factor: dict[Exponents, fmpz] = {}
            for e, value in zip(rows, values, strict=True):
                key = tuple(a - b for a, b in zip(e, low, strict=True))
                factor[key] = factor.get(key, fmpz(0)) + int(value)
            product *= context.from_dict(factor) ** law.times
        return {tuple(map(int, e)): mpz(int(value)) for e, value in product.to_dict().items()}

    def _sorted(self, terms: list[Exponents]) -> list[Exponents]:
        """Exponent vectors in order of increasing ratio Π b^e.

        One base number b >= 2: the order of the exponents. Otherwise the order of Σ e_d log b_d, from integer
        bounds of the logarithms at growing precision until every two neighbours are told apart; distinct
        vectors have distinct ratios, so that ends.
        """
        if len(self.base) < 2:
            return sorted(terms)
        reach = max((abs(v) for e in terms for v in e), default=0)
        bits = 64
        while True:
            logs = [_log_numerator(b, bits) for b in self.base]
            keyed = sorted((sum(v * log for v, log in zip(e, logs, strict=True)), e) for e in terms)
            # Each logarithm is off by less than 1 in units of 2^-bits, so a key is off by less than reach·d.
            slack = 2 * reach * len(logs)
            if all(b[0] - a[0] > slack for a, b in pairwise(keyed)):
                return [e for _, e in keyed]
            bits *= 2


def _log_numerator(b: mpz, bits: int) -> int:
    """An integer within 1 of 2^bits log b."""
    with precision(bits + b.bit_length().bit_length() + 16):
        lo, hi = rational_bounds(arb_from_rational(mpq(b), flint.ctx.prec).log())
    return int((lo + hi) / 2 * (mpz(1) << bits) // 1)


def _binomial(a: mpz, b: mpz, times: int) -> list[mpz]:
    """The terms C(k, j) a^(k-j) b^j, each from the one before by an exact division."""
    term = a**times
    terms = [term]
    for j in range(times):
        term = divexact(term * ((times - j) * b), (j + 1) * a)
        terms.append(term)
    return terms


def _pairwise(parts: Sequence[tuple[Channel, int]], max_columns: int) -> Channel:
    """Products of two channels at a time, each made canonical, powers by repeated squaring."""
    result: Channel | None = None

    def times(left: Channel | None, right: Channel) -> Channel:
        return right if left is None else canonical(parallel([left, right], max_columns=max_columns))

    for channel, count in parts:
        square, rest = channel, count
        while True:
            if rest & 1:
                result = times(result, square)
            rest >>= 1
            if not rest:
                break
            square = times(square, square)
    if result is None:
        raise InputError("at least one part", "none")
    return result
