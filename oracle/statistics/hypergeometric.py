"""Tails of the hypergeometric law: exact for up to 20,000 items, in certified brackets for up to 10^9; Fisher's test.

Of N items K are marked; n are drawn without replacement; X is the number of marked ones among them.
P[X >= k] = sum over j >= k of C(K, j) C(N - K, n - j) / C(N, n). Neighbouring terms have the ratio
(K - j)(n - j) / ((j + 1)(N - K - n + j + 1)), which decreases in j. The exact sum starts at k; the brackets start at
the mode with the term 2^96 and round every later term once down and once up.

Reference: R. A. Fisher, *The Design of Experiments*, 1935, section II (the exact test of two proportions).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from gmpy2 import bincoef, mpq, mpz

from oracle.errors import InputError, LimitError, shorten
from oracle.statistics.binomial import MOST_TRIALS, Side
from oracle.statistics.events import EventCounts, Law

__all__ = [
    "MOST_EXACT_ITEMS",
    "fisher_p_value",
    "hypergeometric_lower_tail",
    "hypergeometric_tail_bounds",
    "hypergeometric_upper_tail",
]

MOST_EXACT_ITEMS: Final = 20_000
_UNIT: Final = mpz(1) << 96
_SMALL: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class _Urn:
    """N items, K of them marked, n drawn."""

    items: int
    marked: int
    drawn: int

    @property
    def least(self) -> int:
        """The least number of marked items that can be drawn."""
        return max(0, self.drawn + self.marked - self.items)

    @property
    def most(self) -> int:
        """The largest number of marked items that can be drawn."""
        return min(self.marked, self.drawn)

    def ratio(self, j: int) -> tuple[int, int]:
        """The ratio of the term of j + 1 to that of j: numerator and denominator."""
        return (self.marked - j) * (self.drawn - j), (j + 1) * (self.items - self.marked - self.drawn + j + 1)


def _urn(items: int, marked: int, drawn: int, most: int) -> _Urn:
    if items < 1:
        raise InputError("at least one item", str(items), "items")
    if items > most:
        raise LimitError(f"at most {most} items", shorten(items), "items")
    for name, count in (("marked", marked), ("drawn", drawn)):
        if not 0 <= count <= items:
            raise InputError(f"a count from 0 to {items}", shorten(count), name)
    return _Urn(items, marked, drawn)


def hypergeometric_upper_tail(items: int, marked: int, drawn: int, k: int) -> mpq:
    """P[X >= k], exactly.

    Raises:
        InputError: for no item, or more marked or drawn items than items.
        LimitError: for more than 20,000 items.
    """
    urn = _urn(items, marked, drawn, MOST_EXACT_ITEMS)
    if k <= urn.least:
        return mpq(1)
    if k > urn.most:
        return mpq(0)
    term = bincoef(marked, k) * bincoef(items - marked, drawn - k)
    total = mpz(term)
    for j in range(k, urn.most):
        above, below = urn.ratio(j)
        term = term * above // below
        total += term
    return mpq(total, bincoef(items, drawn))


def hypergeometric_lower_tail(items: int, marked: int, drawn: int, k: int) -> mpq:
    """P[X <= k], exactly: the upper tail of the number of unmarked items drawn."""
    _urn(items, marked, drawn, MOST_EXACT_ITEMS)
    return hypergeometric_upper_tail(items, items - marked, drawn, drawn - k)


def hypergeometric_tail_bounds(items: int, marked: int, drawn: int, k: int, side: Side) -> tuple[mpq, mpq]:
    """Rationals lo <= P <= hi for a tail among at most 10^9 items, about 2^-96 times the number of terms apart.

    Raises:
        InputError: for no item, or more marked or drawn items than items.
        LimitError: for more than 10^9 items.
    """
    urn = _urn(items, marked, drawn, MOST_TRIALS)
    if side == "lower":
        urn, k = _Urn(items, items - marked, drawn), drawn - k
    if k <= urn.least or k > urn.most:
        exact = mpq(k <= urn.least)
        return exact, exact
    part, rest = _sums(urn, k)
    return mpq(part[0], part[0] + rest[1]), mpq(part[1], part[1] + rest[0])


def _sums(urn: _Urn, k: int) -> tuple[list[mpz], list[mpz]]:
    """Lower and upper sums of the terms j >= k, and of the terms j < k, where the term of the mode is the unit.

    Both ways from the mode the ratios of neighbours decrease. Once a term is small and the ratio r below 1, the terms
    left out sum to at most r/(1 - r) times it, which is added to both upper sums.
    """
    mode = (urn.marked + 1) * (urn.drawn + 1) // (urn.items + 2)
    sums: tuple[list[mpz], list[mpz]] = ([mpz(0), mpz(0)], [mpz(0), mpz(0)])
    own = sums[0 if mode >= k else 1]
    own[0] += _UNIT
    own[1] += _UNIT
    for step, last in ((1, urn.most), (-1, urn.least)):
        low = high = _UNIT
        for j in range(mode, last, step):
            above, below = urn.ratio(j) if step > 0 else urn.ratio(j - 1)[::-1]
            low, high = low * above // below, -(-high * above // below)
            end = sums[0 if j + step >= k else 1]
            end[0] += low
            end[1] += high
            if high <= _SMALL and above < below:
                left = -(-high * above // (below - above))
                sums[0][1] += left
                sums[1][1] += left
                break
    return sums


def fisher_p_value(counts: EventCounts, larger: Law = "first") -> mpq:
    """The exact p-value of Fisher's test that P(S) = Q(S), against an S more likely under the law *larger*.

    Given the number of all hits, those of one group are hypergeometric if P(S) = Q(S), whatever that is. It tests the
    claim epsilon = 0, delta = 0 by one event.

    Raises:
        LimitError: for more than 20,000 runs in all.
    """
    high, low = counts.ordered(larger)
    return hypergeometric_upper_tail(high.runs + low.runs, high.hits + low.hits, high.runs, high.hits)
