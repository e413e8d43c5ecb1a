"""Composition theorems for (epsilon, delta): optimal, basic, advanced, and the bound of Vadhan and Wang.

All are about k mechanisms of which the i-th is (log a_i, delta_i)-DP, a_i = e^epsilon_i a rational of at least 1. Each
holds for adaptive composition, and for concurrent composition of interactive mechanisms (Vadhan and Zhang 2023,
theorem 1.3). Everything is an upper bound of delta, or of epsilon, and only the optimal one cannot be lowered.

*Optimal* (Kairouz, Oh and Viswanath, ICML 2015, theorem 3.3, for equal parts; Murtagh and Vadhan, TCC 2016-A, theorem
1.5, for any):

    delta_g = 1 - Π(1 - delta_i) · (1 - Π(1 + a_i)^-1 · Σ_S max(0, Π_{i in S} a_i - a_g Π_{i not in S} a_i)),

S over all subsets. It is the hockey stick at level a_g of the composition of the channels C_{epsilon_i, delta_i},
and exact in the a's. Parts with equal a are counted together: a term depends only on how many of each are in S.
*Proof.* A column of C_{epsilon, delta} other than the certain (delta, 0) is (1 - delta)/(1 + a) times (a, 1) or
(1, a), or the impossible (0, delta). A tuple with a certain column and no impossible one contributes its whole P;
the tuples without either contribute Π(1 - delta_i) times the positive part; all tuples of the first kind together have
P = 1 - Π(1 - delta_i), since P of an impossible column is 0.

*Basic* (Dwork, Kenthapadi, McSherry, Mironov and Naor, Eurocrypt 2006): (Σ epsilon_i, Σ delta_i).

*Advanced* (Dwork, Rothblum and Vadhan, FOCS 2010, theorem III.3): k equal parts are (epsilon', k delta + delta')-DP
with epsilon' = sqrt(2k ln(1/delta')) epsilon + k epsilon (e^epsilon - 1), for 0 < delta' < 1.

*Vadhan and Wang* (TCC 2021), for concurrent composition: (k epsilon, (a^k - 1)/(a - 1) · delta); at epsilon = 0, where
the printed fraction is 0/0, its limit k delta. It is never below the basic bound.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Final, NamedTuple

from flint import arb
from gmpy2 import mpq, mpz

from oracle.channels.channel import Channel
from oracle.channels.composition import compose
from oracle.channels.divergences import check_delta
from oracle.channels.profile import least_level
from oracle.channels.worst_case import approximate_dp_channel
from oracle.enclosures import DEFAULT_DIGITS, Enclosure, enclose, precision, rational_ball
from oracle.errors import InputError, LimitError, shorten
from oracle.exact import Extended, Infinity, to_text

__all__ = [
    "MAX_TERMS",
    "AdvancedBound",
    "Guarantee",
    "advanced_composition",
    "basic_composition",
    "optimal_channel",
    "optimal_delta",
    "optimal_exp_epsilon",
    "vadhan_wang_bound",
]

MAX_TERMS: Final = 1_000_000
"""Most terms of the optimal bound after equal levels are counted together."""

_MAX_BITS: Final = 1 << 32
"""Most bits of all terms of the optimal bound together."""


class Guarantee(NamedTuple):
    """An (epsilon, delta) guarantee, for both orders of the pair.

    Attributes:
        exp_epsilon: a = e^epsilon, a rational of at least 1.
        delta: in [0, 1].
    """

    exp_epsilon: mpq
    delta: mpq


class AdvancedBound(NamedTuple):
    """What advanced composition proves.

    Attributes:
        epsilon: epsilon', as a rational where it is 0, else enclosed; the upper end is a bound.
        delta: k delta + delta', never more than 1.
    """

    epsilon: mpq | Enclosure
    delta: mpq


def _check(parts: Sequence[tuple[Extended, mpq]]) -> list[Guarantee]:
    if not parts:
        raise InputError("at least one guarantee", "none", "parts")
    checked = []
    for i, (level, delta) in enumerate(parts):
        if isinstance(level, Infinity) or level < 1:
            raise InputError("a finite exp_epsilon at least 1", shorten(to_text(level)), f"parts[{i}]")
        checked.append(Guarantee(level, check_delta(delta, f"parts[{i}].delta")))
    return checked


def _check_times(times: int) -> None:
    if times < 1:
        raise InputError("at least one mechanism", f"{times}", "times")


def _groups(parts: Sequence[Guarantee]) -> list[tuple[mpq, int]]:
    """Each level with the number of parts that have it."""
    counts: dict[mpq, int] = {}
    for part in parts:
        counts[part.exp_epsilon] = counts.get(part.exp_epsilon, 0) + 1
    return list(counts.items())


def optimal_delta(parts: Sequence[tuple[Extended, mpq]], level: Extended) -> mpq:
    """The least delta for which every composition of such mechanisms is (log level, delta)-DP, exactly.

    Args:
        parts: (a_i, delta_i), at least one.
        level: a_g >= 0; infinite gives 1 - Π(1 - delta_i).

    Raises:
        InputError: for a level that is not finite and at least 1, or a delta outside [0, 1].
        LimitError: for more than ``MAX_TERMS`` terms, or terms too long to hold.
    """
    checked = _check(parts)
    if level < 0:
        raise InputError("a level at least 0", shorten(to_text(level)), "exp_epsilon")
    certain = prod((1 - part.delta for part in checked), start=mpq(1))
    if isinstance(level, Infinity) or not certain:
        return 1 - certain
    groups = _groups(checked)
    _check_size(groups, level)
    # A term of n equal parts u/v with j in S: Π_S a / Π(1 + a) = u^j v^(n-j)/(u + v)^n, and the other product is
    # the mirrored u^(n-j) v^j/(u + v)^n: integers over one denominator.
    terms = [(mpz(1), mpz(1))]
    scale = mpz(1)
    for a, n in groups:
        terms = _products(terms, _binomial_terms(a.numerator, a.denominator, n))
        scale *= (a.numerator + a.denominator) ** n
    up, down = level.numerator, level.denominator
    gain = sum((gap for inside, outside in terms if (gap := inside * down - outside * up) > 0), mpz(0))
    return 1 - certain * (1 - mpq(gain, scale * down))


def _check_size(groups: Sequence[tuple[mpq, int]], level: mpq) -> None:
    count = prod(n + 1 for _, n in groups)
    bits = sum(n * (a.numerator.bit_length() + a.denominator.bit_length()) for a, n in groups)
    bits += level.numerator.bit_length() + level.denominator.bit_length()
    if count > MAX_TERMS:
        raise LimitError(f"an optimal bound of at most {MAX_TERMS} terms", f"{shorten(count)}", "parts")
    if count * bits > _MAX_BITS:
        raise LimitError(f"an optimal bound of at most {_MAX_BITS} bits", f"{count} terms of {bits} bits", "parts")


def _binomial_terms(u: mpz, v: mpz, n: int) -> list[tuple[mpz, mpz]]:
    """C(n, j) · (u^j v^(n-j), u^(n-j) v^j) for j = 0..n."""
    values, term = [], v**n
    for j in range(n + 1):
        values.append(term)
        term = term * ((n - j) * u) // ((j + 1) * v)
    return list(zip(values, reversed(values), strict=True))


def _products(left: Sequence[tuple[mpz, mpz]], right: Sequence[tuple[mpz, mpz]]) -> list[tuple[mpz, mpz]]:
    return [(a * c, b * d) for a, b in left for c, d in right]


def optimal_channel(parts: Sequence[tuple[Extended, mpq]]) -> Channel:
    """The composition of the channels C_{epsilon_i, delta_i}, canonical: the worst case that attains the optimum.

    Raises:
        InputError: as :func:`optimal_delta`.
        LimitError: if the channel is too large.
    """
    counts: dict[Guarantee, int] = {}
    for part in _check(parts):
        counts[part] = counts.get(part, 0) + 1
    return compose([(approximate_dp_channel(*part), times) for part, times in counts.items()])


def optimal_exp_epsilon(parts: Sequence[tuple[Extended, mpq]], delta: mpq) -> Extended:
    """The least e^epsilon >= 1 for which every composition is (epsilon, delta)-DP, exactly; INFINITY for none."""
    return least_level(optimal_channel(parts), check_delta(delta))


def basic_composition(parts: Sequence[tuple[Extended, mpq]]) -> Guarantee:
    """(Π a_i, min(1, Σ delta_i)): an upper bound for both."""
    checked = _check(parts)
    level = prod((part.exp_epsilon for part in checked), start=mpq(1))
    return Guarantee(level, min(mpq(1), sum((part.delta for part in checked), mpq(0))))


def vadhan_wang_bound(exp_epsilon: Extended, delta: mpq, times: int) -> Guarantee:
    """(a^k, min(1, Σ_{i<k} a^i · delta)) for k concurrent (log a, delta)-DP mechanisms: an upper bound for both."""
    _check_times(times)
    part = _check([(exp_epsilon, delta)])[0]
    a = part.exp_epsilon
    factor = mpq(times) if a == 1 else (a**times - 1) / (a - 1)
    return Guarantee(a**times, min(mpq(1), factor * delta))


def advanced_composition(
    exp_epsilon: Extended, delta: mpq, times: int, slack: mpq, digits: int = DEFAULT_DIGITS
) -> AdvancedBound:
    """The pair (epsilon', k delta + delta') of advanced composition for k mechanisms that are (log a, delta)-DP.

    Args:
        exp_epsilon: a.
        delta: of each mechanism.
        times: k >= 1.
        slack: delta' in (0, 1).
        digits: of the enclosure of epsilon'.
    """
    _check_times(times)
    part = _check([(exp_epsilon, delta)])[0]
    if not 0 < slack < 1:
        raise InputError("a slack delta' above 0 and below 1", shorten(to_text(slack)), "slack")
    total = min(mpq(1), times * delta + slack)
    a = part.exp_epsilon
    if a == 1:
        return AdvancedBound(mpq(0), total)

    def ball(bits: int) -> arb:
        with precision(bits):
            epsilon = rational_ball(a).log()
            spread = (-2 * times * rational_ball(slack).log()).sqrt()
            return epsilon * (spread + times * rational_ball(a - 1))

    return AdvancedBound(enclose(ball, digits), total)
