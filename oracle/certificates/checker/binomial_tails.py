"""Proofs that a tail of the binomial law is at most a level, or above it, in integers.

The terms w_j = C(n, j) p^j (1 - p)^(n - j), p = a/b, c = b - a, have the ratios (n - j) a/((j + 1) c), which decrease
in j.  Up to 10,000 trials the sum of w_j/w_k over j >= k is found exactly, by splitting the range in halves.  Beyond,
the terms are followed from w_k = 1 in both directions, in fixed point, each step rounded so that what is to be proved
gets harder: as all w_j sum to 1, P[X >= k] <= level is (1 - level) U <= level L for the sums U over j >= k and L over
j < k.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

from .verdict import Rejected

MOST_TRIALS = 10**9
_MOST_EXACT = 10_000
_MOST_EXACT_BITS = 1 << 24
_MOST_BITS = 4096
_UNIT = 1 << 128
_SMALL = 1 << 40
_MOST_STEPS = 1 << 22


def upper_tail_at_most(n: int, p: Fraction, k: int, level: Fraction, where: str) -> bool:
    """Whether P[Bin(n, p) >= k] <= level, for 0 <= p <= 1, 0 <= k <= n and 0 < level < 1.

    What is too close or too far out to be told is rejected, for more than 10,000 trials.
    """
    if k == 0 or p == 1:
        return False
    if p == 0:
        return True
    bits = p.denominator.bit_length()
    if max(bits, level.denominator.bit_length()) > _MOST_BITS:
        raise Rejected(f"too large: a probability or a level of more than {_MOST_BITS} bits", where)
    if n <= _MOST_EXACT and n * bits <= _MOST_EXACT_BITS:
        return _exact_at_most(n, p, k, level)
    return _rounded_at_most(n, p, k, level, where)


def lower_tail_at_most(n: int, p: Fraction, k: int, level: Fraction, where: str) -> bool:
    """Whether P[Bin(n, p) <= k] <= level: the upper tail of the number of failures."""
    return upper_tail_at_most(n, 1 - p, n - k, level, where)


def _exact_at_most(n: int, p: Fraction, k: int, level: Fraction) -> bool:
    a, b = p.numerator, p.denominator
    c = b - a

    def split(low: int, high: int) -> tuple[int, int, int]:
        """Product of the ratios' numerators, of their denominators, and the sum of the products, over [low, high)."""
        if high - low == 1:
            return (n - low) * a, (low + 1) * c, (low + 1) * c
        middle = (low + high) // 2
        first, second = split(low, middle), split(middle, high)
        return first[0] * second[0], first[1] * second[1], first[2] * second[1] + first[0] * second[2]

    _, below, above = split(k, n + 1)
    tail: int = math.comb(n, k) * a**k * c ** (n - k) * above
    most: int = level.numerator * below * b**n
    return tail * level.denominator <= most


def _terms_up(n: int, p: Fraction, k: int) -> Iterator[tuple[int, int]]:
    """The ratios of the terms above k, outwards."""
    a, c = p.numerator, p.denominator - p.numerator
    return (((n - j) * a, (j + 1) * c) for j in range(k, n))


def _terms_down(n: int, p: Fraction, k: int) -> Iterator[tuple[int, int]]:
    """The ratios of the terms below k, outwards."""
    a, c = p.numerator, p.denominator - p.numerator
    return ((j * c, (n - j + 1) * a) for j in range(k, 0, -1))


def _above(ratios: Iterator[tuple[int, int]], where: str) -> int:
    """Return an integer at least the sum of the terms after the unit, each rounded up.

    Once a term is small and its ratio r below 1, those left out sum to at most r/(1 - r) times it, as ratios decrease.
    """
    term, total = _UNIT, 0
    for steps, (over, under) in enumerate(ratios):
        term = -(-term * over // under)
        total += term
        if term <= _SMALL and over < under:
            return total - (-term * over // (under - over))
        if steps > _MOST_STEPS:
            raise Rejected(f"too far out: more than {_MOST_STEPS} terms", where)
    return total


def _below(ratios: Iterator[tuple[int, int]], where: str, enough: int) -> int:
    """Return an integer at most the sum of the terms after the unit, each rounded down; stop at enough."""
    term, total = _UNIT, 0
    for steps, (over, under) in enumerate(ratios):
        term = term * over // under
        total += term
        if total >= enough or not term:
            break
        if steps > _MOST_STEPS:
            raise Rejected(f"too far out: more than {_MOST_STEPS} terms", where)
    return total


def _rounded_at_most(n: int, p: Fraction, k: int, level: Fraction, where: str) -> bool:
    """Prove that the tail is at most the level, or that it is above it; reject where neither is proved.

    What is likelier is tried first: terms that rise from k on are many.
    """
    proofs = (_proves_at_most, _proves_above) if k > n * p else (_proves_above, _proves_at_most)
    for proves in proofs:
        if proves(n, p, k, level, where):
            return proves is _proves_at_most
    raise Rejected("a tail is too close to its level to tell", where)


def _proves_at_most(n: int, p: Fraction, k: int, level: Fraction, where: str) -> bool:
    """Whether (1 - level) U <= level L, U rounded up and L rounded down."""
    share, rest = level.numerator, level.denominator - level.numerator
    wanted = -(-rest * (_UNIT + _above(_terms_up(n, p, k), where)) // share)
    return _below(_terms_down(n, p, k), where, wanted) >= wanted


def _proves_above(n: int, p: Fraction, k: int, level: Fraction, where: str) -> bool:
    """Whether (1 - level) U > level L, U rounded down and L rounded up."""
    share, rest = level.numerator, level.denominator - level.numerator
    wanted = share * _above(_terms_down(n, p, k), where) // rest + 1
    return _UNIT + _below(_terms_up(n, p, k), where, wanted - _UNIT) >= wanted
