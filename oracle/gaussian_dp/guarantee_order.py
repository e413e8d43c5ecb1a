"""The partial order of (epsilon, delta) guarantees: which one implies which, exactly.

With a0 = e^eps0 and a = e^eps, both at least 1, (eps0, delta0) implies (eps, delta) if and only if

    symmetric relation:   delta >= delta0 + (1 - delta0)·max(0, a0 - a)/(1 + a0),
    one-sided guarantee:  delta >= delta0 + (1 - delta0)·max(0, a0 - a)/a0.

Proof. The divergence a -> D_a = sum max(0, p - a q) is convex and non-increasing in a, with D_0 = 1. One-sided: on
[0, a0] it lies below the chord from (0, 1) to (a0, delta0), which is the right-hand side; beyond a0 it is at most
delta0. Symmetric: D_a(P‖Q) = 1 - a + a·D_{1/a}(Q‖P) holds for every a > 0, so D_{1/a0} <= 1 - (1 - delta0)/a0, and the
chord from there to (a0, delta0), of slope -(1 - delta0)/(1 + a0), is the right-hand side on [1, a0]. Conversely the
worst-case channel of (eps0, delta0), :func:`worst_case`, has exactly these divergences at every a >= 1, so nothing
smaller is implied.

At a0 = inf the quotient is 1 for a finite a and 0 for a = inf.

References: Y. Liu, K. Sun, B. Jiang and L. Kong, NeurIPS 2022, theorem 2.1 (symmetric); N. Fernandes et al. 2025,
corollary 3 (the worst-case channel).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from gmpy2 import mpq

from oracle.channels.channel import Channel
from oracle.channels.formal_channel import FormalChannel
from oracle.channels.formal_rows import Quotient
from oracle.channels.guarantees import guarantee_channel
from oracle.channels.worst_case import approximate_dp_channel
from oracle.enclosures import DEFAULT_DIGITS, Enclosure, parse_digits
from oracle.errors import InputError, shorten
from oracle.formal import FormalSum
from oracle.gaussian_dp.arguments import EpsilonLike, NumberLike, level_of, probability
from oracle.json_text import refuse_unknown
from oracle.levels import LEVEL_FIELDS, Level

__all__ = [
    "Guarantee",
    "GuaranteeLike",
    "Relation",
    "check_guarantee",
    "compare_levels",
    "implied_delta",
    "implies",
    "worst_case",
]

Relation = Literal["symmetric", "one-sided"]
"""Whether a guarantee bounds both D_a(P‖Q) and D_a(Q‖P), or the first alone."""

_ZERO = FormalSum()
_ONE = FormalSum.rational(1)


class Guarantee(NamedTuple):
    """The guarantee (epsilon, delta), as :func:`check_guarantee` reads it.

    Attributes:
        level: e^epsilon, at least 1, possibly infinite.
        delta: from 0 to 1.
    """

    level: Level
    delta: mpq


GuaranteeLike = Guarantee | tuple[EpsilonLike, NumberLike] | Mapping[str, object]


def check_guarantee(guarantee: GuaranteeLike, where: str = "guarantee") -> Guarantee:
    """Read a guarantee: a pair (epsilon, delta) or an object of the two, as a claim is written in JSON.

    ``("log(2)", "1/4")`` and ``{"exp_epsilon": "2", "delta": "1/4"}`` are the same. A bare number is epsilon itself;
    without a "delta" it is 0.

    Raises:
        InputError: for anything else, an epsilon below 0 or a delta outside [0, 1].
    """
    given: object = guarantee
    if isinstance(given, Mapping):
        refuse_unknown(given, (*LEVEL_FIELDS, "delta"), where)
        delta: object = given.get("delta", 0)
        epsilon: object = {name: value for name, value in given.items() if name != "delta"}
    elif isinstance(given, (tuple, list)) and len(given) == 2:
        epsilon, delta = given
    else:
        raise InputError('(epsilon, delta) or {"exp_epsilon": ..., "delta": ...}', shorten(given), where)
    at = where if isinstance(given, Mapping) else f"{where}.epsilon"
    return Guarantee(level_of(epsilon, at), probability(delta, f"{where}.delta"))


def compare_levels(left: Level, right: Level) -> int:
    """The sign of left - right, -1, 0 or 1: exact.

    Raises:
        UndecidedError: if a rational level is closer to a transcendental one than the precision limit tells.
    """
    if left.is_infinite or right.is_infinite:
        return int(left.is_infinite) - int(right.is_infinite)
    if right.exponent is None and right.value is not None:
        return left.compare(_rational(right))
    if left.exponent is None:
        return -right.compare(_rational(left))
    if right.exponent is None:
        raise InputError("a level", right.describe())
    return (left.exponent > right.exponent) - (left.exponent < right.exponent)


def _rational(level: Level) -> mpq:
    if not isinstance(level.value, mpq):
        raise InputError("a rational level", level.describe())
    return level.value


def _implied(given: Guarantee, level: Level, relation: Relation) -> Quotient:
    """The least implied delta as a quotient of exponential sums; see the module's text."""
    delta = FormalSum.rational(given.delta)
    if compare_levels(level, given.level) >= 0:
        return Quotient(delta, _ONE)
    if given.level.is_infinite:
        return Quotient(_ONE, _ONE)
    a0, a = given.level.formal(), level.formal()
    den = a0 + _ONE if relation == "symmetric" else a0
    return Quotient(delta * den + (a0 - a).scaled(1 - given.delta), den)


def implied_delta(
    given: GuaranteeLike, epsilon: EpsilonLike, relation: Relation = "symmetric", digits: int = DEFAULT_DIGITS
) -> mpq | Enclosure:
    """The least delta at *epsilon* that *given* implies: exact where rational, else an enclosure.

    Raises:
        InputError: for an epsilon below 0 or a delta outside [0, 1].
    """
    _check(relation)
    return _implied(check_guarantee(given, "given"), level_of(epsilon), relation).value(parse_digits(digits))


def implies(given: GuaranteeLike, wanted: GuaranteeLike, relation: Relation = "symmetric") -> bool:
    """Whether every pair of laws with the first guarantee has the second one: exact.

    Raises:
        InputError: for an epsilon below 0 or a delta outside [0, 1].
        UndecidedError: if two different irrational numbers are too close for the precision limit.
    """
    _check(relation)
    have, need = check_guarantee(given, "given"), check_guarantee(wanted, "wanted")
    return _implied(have, need.level, relation).compare(Quotient(FormalSum.rational(need.delta), _ONE)) <= 0


def worst_case(given: GuaranteeLike, relation: Relation = "symmetric") -> Channel | FormalChannel:
    """The channel with the guarantee whose D_a, at every a >= 1, is the least implied delta.

    It shows that the order is tight: where :func:`implies` is false, this channel has the first guarantee and not the
    second. Symmetric: randomised response that fails openly with probability delta0; one-sided: D_a(P‖Q) alone.
    """
    _check(relation)
    check_guarantee(given, "given")
    level, delta = check_guarantee(given, "given")
    if level.value is not None:
        return approximate_dp_channel(level.value, delta, "both" if relation == "symmetric" else "forward")
    if relation == "symmetric":
        return guarantee_channel([(level, delta)])
    # The rows [delta, 1 - delta, 0; 0, (1 - delta)/a0, 1 - (1 - delta)/a0], the second times a0.
    a0, rest = level.formal(), FormalSum.rational(1 - delta)
    return FormalChannel([[FormalSum.rational(delta), rest, _ZERO], [_ZERO, rest, a0 - rest]])


def _check(relation: str) -> None:
    if relation not in ("symmetric", "one-sided"):
        raise InputError('"symmetric" or "one-sided"', relation, "relation")
