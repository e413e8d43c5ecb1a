"""Tails of the binomial law: exact for up to 10,000 trials, in certified brackets for up to 10^9.

P[Bin(n, p) >= k] = sum over j >= k of C(n, j) p^j (1 - p)^(n - j), and for 1 <= k <= n it is the regularised incomplete
beta function I_p(k, n - k + 1) (Johnson, Kemp and Kotz, *Univariate Discrete Distributions*, 3rd ed. 2005, eq. 3.34).
The exact sum uses integers over the denominator b^n of p = a/b; brackets are balls of that function, rounded outwards.
The independent checker sums ratios of neighbouring terms instead.
"""

from __future__ import annotations

from typing import Final, Literal

from flint import arb
from gmpy2 import bincoef, mpq, mpz

from oracle.enclosures import compare, precision, rational_ball, rational_bounds
from oracle.errors import InputError, LimitError, UndecidedError, shorten
from oracle.exact import to_text

__all__ = [
    "MOST_EXACT_TRIALS",
    "MOST_TRIALS",
    "Side",
    "binomial_lower_tail",
    "binomial_tail_bounds",
    "binomial_upper_tail",
    "binomial_weights",
    "compare_binomial_tail",
]

Side = Literal["upper", "lower"]
"""Which tail: "upper" is P[X >= k], "lower" is P[X <= k]."""

MOST_EXACT_TRIALS: Final = 10_000
MOST_TRIALS: Final = 10**9

_GUARD: Final = 32
_FEW_TRIALS: Final = 2000
"""Up to so many trials the exact sum is at least as fast as a ball."""

_ROUGH_BITS: Final = 128
"""Up to this precision a comparison of up to 10,000 trials is tried with balls before the exact sum."""

_MOST_BITS: Final = 512
"""Beyond this precision balls of the function take seconds; a tail that close to its level is left undecided."""


def check_trials(n: int, k: int, most: int = MOST_TRIALS) -> None:
    """Refuse what is no count of successes among at most *most* trials; k may be one step outside 0..n.

    Raises:
        InputError: for n < 1, or k outside -1..n + 1.
        LimitError: for more trials than *most*.
    """
    if n < 1:
        raise InputError("at least one trial", str(n), "n")
    if n > most:
        raise LimitError(f"at most {most} trials", shorten(n), "n")
    if not -1 <= k <= n + 1:
        raise InputError(f"a count from 0 to {n}", shorten(k), "k")


def check_probability(p: mpq, name: str = "p") -> None:
    """Refuse a number outside [0, 1]."""
    if not 0 <= p <= 1:
        raise InputError("a probability from 0 to 1", shorten(to_text(p)), name)


def binomial_weights(n: int, p: mpq) -> list[mpq]:
    """P[Bin(n, p) = j] for j = 0..n, exactly.

    Raises:
        InputError: for p outside [0, 1] or n < 1.
        LimitError: for more than 10,000 trials.
    """
    check_trials(n, 0, MOST_EXACT_TRIALS)
    check_probability(p)
    q = 1 - p
    rising, falling = [mpq(1)], [mpq(1)]
    for _ in range(n):
        rising.append(rising[-1] * p)
        falling.append(falling[-1] * q)
    return [bincoef(n, j) * rising[j] * falling[n - j] for j in range(n + 1)]


def _sum_from(n: int, k: int, a: mpz, c: mpz) -> mpz:
    """The sum over j = k..n of C(n, j) a^j c^(n - j), for 0 <= k <= n and a, c > 0.

    Each term is the one before it times (n - j) a / ((j + 1) c), a division without remainder.
    """
    term = bincoef(n, k) * a**k * c ** (n - k)
    total = term
    for j in range(k, n):
        term = term * ((n - j) * a) // ((j + 1) * c)
        total += term
    return total


def binomial_upper_tail(n: int, p: mpq, k: int) -> mpq:
    """P[Bin(n, p) >= k], exactly.

    Raises:
        InputError: for p outside [0, 1] or a k that is no count.
        LimitError: for more than 10,000 trials.
    """
    check_trials(n, k, MOST_EXACT_TRIALS)
    check_probability(p)
    if k <= 0 or p == 1:
        return mpq(k <= n)
    if k > n or p == 0:
        return mpq(0)
    a, b = p.numerator, p.denominator
    whole = b**n
    # The shorter of the two tails is summed.
    shorter = _sum_from(n, k, a, b - a) if 2 * k > n else whole - _sum_from(n, n - k + 1, b - a, a)
    return mpq(shorter, whole)


def binomial_lower_tail(n: int, p: mpq, k: int) -> mpq:
    """P[Bin(n, p) <= k], exactly: the upper tail of the number of failures."""
    check_trials(n, k, MOST_EXACT_TRIALS)
    check_probability(p)
    return binomial_upper_tail(n, 1 - p, n - k)


def _tail_ball(n: int, p: mpq, k: int, bits: int) -> arb:
    """A ball for P[Bin(n, p) >= k] with 1 <= k <= n."""
    with precision(bits):
        return rational_ball(p).beta_lower(arb(k), arb(n - k + 1), True)


def _as_upper(n: int, p: mpq, k: int, side: Side) -> tuple[mpq, int]:
    """The p and k of the upper tail that equals the tail asked for."""
    return (p, k) if side == "upper" else (1 - p, n - k)


def binomial_tail_bounds(n: int, p: mpq, k: int, side: Side, bits: int = 64) -> tuple[mpq, mpq]:
    """Rationals lo <= P <= hi for the tail of at most 10^9 trials, at most 2^-bits apart; equal where it is 0 or 1.

    Raises:
        InputError: for p outside [0, 1] or a k that is no count.
        LimitError: for more than 10^9 trials.
        UndecidedError: if 512 bits of precision are not enough.
    """
    check_trials(n, k)
    check_probability(p)
    p, k = _as_upper(n, p, k, side)
    if k <= 0 or k > n or p in (0, 1):
        exact = mpq(k <= 0 or (p == 1 and k <= n))
        return exact, exact
    working = bits + _GUARD
    while working <= _MOST_BITS:
        ball = _tail_ball(n, p, k, working)
        if ball.rad() < arb(2) ** -(bits + 1):
            lo, hi = rational_bounds(ball)
            return max(lo, mpq(0)), min(hi, mpq(1))
        working *= 2
    raise UndecidedError("a binomial tail", _MOST_BITS)


def compare_binomial_tail(n: int, p: mpq, k: int, side: Side, level: mpq) -> int:
    """The sign, -1, 0 or 1, of (tail - level): proved, by balls or, up to 10,000 trials, by the exact sum.

    Raises:
        InputError, LimitError: as :func:`binomial_tail_bounds`.
        UndecidedError: for more than 10,000 trials, if the two are closer than 512 bits tell.
    """
    check_trials(n, k)
    check_probability(p)
    p, k = _as_upper(n, p, k, side)
    if k <= 0 or k > n or p in (0, 1):
        tail = mpq(k <= 0 or (p == 1 and k <= n))
        return (tail > level) - (tail < level)
    if n > _FEW_TRIALS:
        small = n <= MOST_EXACT_TRIALS
        found = compare(lambda bits: _tail_ball(n, p, k, bits), level, _ROUGH_BITS if small else _MOST_BITS)
        if found.sign is not None:
            return found.sign
        if not small:
            raise UndecidedError("a binomial tail against its level", found.bits)
    tail = binomial_upper_tail(n, p, k)
    return (tail > level) - (tail < level)
