"""The Kullback-Leibler divergence of interactive mechanisms: exact as a sum of logarithms, compared exactly.

KL(P‖Q) = Σ p log(p/q) obeys the chain rule KL(X, Y) = KL(X) + E_x KL(Y | x) (Vadhan and Zhang, STOC 2023, section 3),
so the supremum over adversaries goes up the tree,

    leaf 0,      query node  max over the options,      answer node  Σ_b p_b (log(p_b/q_b) + value of branch b),

a branch with p_b = 0 counting 0 and one with q_b = 0 < p_b making it infinite. In a concurrent composition the
suprema of the components add up, by induction over tuples of nodes as for moments (:mod:`oracle.interactive.renyi`).

Values are Σ c_i log r_i with rationals r_i > 0 and c_i. Written over pairwise coprime integers, whose logarithms are
linearly independent over the rationals, such a sum is 0 exactly when all coefficients are; otherwise a ball of growing
precision has its sign. So the maximum at a query node is decided, never guessed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Final

from flint import arb
from gmpy2 import mpq, remove

from oracle.channels.composition import coprime_base
from oracle.channels.divergences import Direction
from oracle.enclosures import DEFAULT_DIGITS, Enclosure, compare, enclose, precision, rational_ball, sign
from oracle.errors import InputError
from oracle.exact import INFINITY, Infinity
from oracle.interactive.tree import AnswerNode, InteractiveMechanism, QueryNode

__all__ = ["LogSum", "tight_kullback_leibler"]

_CHEAP_BITS: Final = 512
"""Precision at which the sign of most sums shows, before they are factored."""


@dataclass(frozen=True, slots=True)
class LogSum:
    """The number Σ c log r over its ``terms`` (r, c): rationals r > 0, r != 1, in increasing order, and c != 0.

    Equality of objects is that of terms; :meth:`sign` of the difference decides equality of numbers.
    """

    terms: tuple[tuple[mpq, mpq], ...] = ()

    @classmethod
    def of(cls, terms: Iterable[tuple[mpq, mpq]]) -> LogSum:
        """The sum of c log r over pairs (r, c) in any order, equal r added up."""
        total: dict[mpq, mpq] = {}
        for r, c in terms:
            if r <= 0:
                raise InputError("a logarithm of a positive number", f"{r}", "r")
            total[r] = total.get(r, mpq(0)) + c
        return cls(tuple((r, c) for r, c in sorted(total.items()) if c and r != 1))

    def __add__(self, other: LogSum) -> LogSum:
        return LogSum.of((*self.terms, *other.terms))

    def __neg__(self) -> LogSum:
        return self.scaled(mpq(-1))

    def __sub__(self, other: LogSum) -> LogSum:
        return self + -other

    def scaled(self, factor: mpq) -> LogSum:
        """The number times a rational."""
        return LogSum(tuple((r, c * factor) for r, c in self.terms)) if factor else LogSum()

    def independent(self) -> dict[int, mpq]:
        """The number as Σ c_b log b over pairwise coprime integers b >= 2; empty exactly for 0."""
        base = coprime_base(value for r, _ in self.terms for value in (r.numerator, r.denominator))
        found = {}
        for b in base:
            powers = ((c, remove(r.numerator, b)[1] - remove(r.denominator, b)[1]) for r, c in self.terms)
            coefficient = sum((c * power for c, power in powers), mpq(0))
            if coefficient:
                found[int(b)] = coefficient
        return found

    def ball(self, bits: int) -> arb:
        """A ball that contains the number."""
        with precision(bits):
            return sum((rational_ball(c) * rational_ball(r).log() for r, c in self.terms), arb(0))

    def sign(self) -> int:
        """-1, 0 or 1, exactly: by a ball of moderate precision, and where that contains 0 by the coprime integers."""
        known = compare(self.ball, mpq(0), _CHEAP_BITS).sign
        if known is not None:
            return known
        return sign(self.ball, "the sign of a sum of logarithms") if self.independent() else 0

    def enclosure(self, digits: int = DEFAULT_DIGITS) -> mpq | Enclosure:
        """0 exactly, or an enclosure."""
        return enclose(self.ball, digits) if self.independent() else mpq(0)


def _larger(x: LogSum | Infinity, y: LogSum | Infinity) -> LogSum | Infinity:
    """The larger number; the first of equal ones."""
    if isinstance(x, Infinity) or isinstance(y, Infinity):
        return INFINITY
    return x if (y - x).sign() <= 0 else y


def tight_kullback_leibler(mechanism: InteractiveMechanism, direction: Direction = "forward") -> LogSum | Infinity:
    """The supremum over all adversaries of KL(P‖Q) (forward), KL(Q‖P) (backward) or the larger, exactly."""
    if direction == "both":
        return _larger(tight_kullback_leibler(mechanism), tight_kullback_leibler(mechanism, "backward"))
    values: dict[int, LogSum | Infinity] = {}
    for node in mechanism.nodes:
        value: LogSum | Infinity = LogSum()
        if isinstance(node, QueryNode):
            value = reduce(_larger, (values[id(child)] for _, child in node.options))
        elif isinstance(node, AnswerNode):
            value = _answer(node, values, direction)
        values[id(node)] = value
    return values[id(mechanism.root)]


def _answer(node: AnswerNode, values: Mapping[int, LogSum | Infinity], direction: Direction) -> LogSum | Infinity:
    terms: list[tuple[mpq, mpq]] = []
    for branch in node.branches:
        p, q = (branch.p, branch.q) if direction == "forward" else (branch.q, branch.p)
        below = values[id(branch.then)]
        if not p:
            continue
        if not q or isinstance(below, Infinity):
            return INFINITY
        terms.append((p / q, p))
        terms += below.scaled(p).terms
    return LogSum.of(terms)
