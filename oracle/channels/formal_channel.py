"""Questions about two-row channels whose probabilities are exponential sums, answered exactly.

These are the mechanisms whose epsilon is rational rather than the logarithm of a rational: their
probabilities are irrational, yet every comparison is decided exactly, because it is the sign of
a sum Σ c · e^s · Π p^r. No decision here uses a tolerance. A value that is rational is
returned as that rational, any other as an enclosure.

Conventions are those of the rational channels: columns in order of increasing ratio q/p;
alpha = P(S), beta = 1 - Q(S) for rejection sets S of large q/p; forward hockey stick
Σ max(0, p - a q), backward Σ max(0, q - a p).
"""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

from gmpy2 import mpq

from oracle.channels.divergences import Direction, check_delta, sides
from oracle.channels.formal_claims import (
    FormalVerdict,
    curve_claim,
    formal_claim_document,
    formal_satisfies,
    formal_satisfies_curve,
    level_claim,
)
from oracle.channels.formal_rows import FormalChannel, Quotient, Value, exceeding, forward_quotient
from oracle.enclosures import DEFAULT_DIGITS, Enclosure, enclose, precision
from oracle.errors import InputError, shorten
from oracle.exact import to_text
from oracle.formal import FormalSum, product_sign
from oracle.levels import Level

if TYPE_CHECKING:
    from collections.abc import Sequence

    from flint import arb

__all__ = [
    "FormalChannel",
    "FormalVerdict",
    "curve_claim",
    "formal_beta",
    "formal_claim_document",
    "formal_delta",
    "formal_epsilon",
    "formal_hockey_stick",
    "formal_satisfies",
    "formal_satisfies_curve",
    "formal_tradeoff",
    "formal_vulnerability",
    "level_claim",
]

_ZERO = FormalSum()
_ONE = FormalSum.rational(1)


def _probability(quotient: Quotient, digits: int) -> Value:
    """The value of a quotient that is a number from 0 to 1, enclosed within these."""
    value = quotient.value(digits)
    return value.clamped() if isinstance(value, Enclosure) else value


def _hockey_quotient(channel: FormalChannel, level: Level, direction: Direction) -> Quotient:
    quotients = []
    for side in sides(direction):
        pair = channel.oriented(side)
        quotients.append(forward_quotient(pair, exceeding(pair, level), level))
    return quotients[0] if len(quotients) == 1 or quotients[0].compare(quotients[1]) >= 0 else quotients[1]


def formal_hockey_stick(
    channel: FormalChannel, level: Level, direction: Direction = "forward", digits: int = DEFAULT_DIGITS
) -> Value:
    """Σ max(0, p - a q) (forward), Σ max(0, q - a p) (backward) or the larger (both).

    At a = inf the value is the mass of the first law where the second is 0.
    """
    return _probability(_hockey_quotient(channel, level, direction), digits)


def formal_delta(
    channel: FormalChannel, level: Level, direction: Direction = "both", digits: int = DEFAULT_DIGITS
) -> Value:
    """The least delta with (epsilon, delta)-DP at a given epsilon: the hockey stick at e^epsilon."""
    return formal_hockey_stick(channel, level, direction, digits)


def formal_tradeoff(channel: FormalChannel, digits: int = DEFAULT_DIGITS) -> list[tuple[Value, Value]]:
    """The corners (alpha, beta) of T(P, Q), alpha increasing, each number exact or enclosed.

    The corners are minimal: the groups have exactly different ratios.
    """
    total_p, total_q = channel.totals
    return [
        (_probability(Quotient(a, total_p), digits), _probability(Quotient(b, total_q), digits))
        for a, b in _corners(channel)
    ]


def _corners(channel: FormalChannel) -> list[tuple[FormalSum, FormalSum]]:
    """Corners as (alpha · Z_P, beta · Z_Q): reject the groups of largest ratio first."""
    groups = channel.groups()
    alphas = list(accumulate((g.p for g in reversed(groups)), initial=_ZERO))
    betas = list(accumulate((g.q for g in groups), initial=_ZERO))[::-1]
    first = 1 if groups[-1].p.is_zero() else 0
    return list(zip(alphas[first:], betas[first:], strict=True))


def formal_beta(channel: FormalChannel, alpha: mpq, digits: int = DEFAULT_DIGITS) -> Value:
    """T(P, Q)(alpha), the least type II error among tests of level at most alpha, 0 <= alpha <= 1.

    Raises:
        InputError: for an alpha outside [0, 1].
    """
    if not 0 <= alpha <= 1:
        raise InputError("alpha between 0 and 1", shorten(to_text(alpha)), "alpha")
    total_p, total_q = channel.totals
    target = total_p.scaled(alpha)
    corners = _corners(channel)
    # The first corner whose alpha is at least the one asked for; the last corner has alpha = 1.
    low, high = 0, len(corners) - 1
    while low < high:
        middle = (low + high) // 2
        if (corners[middle][0] - target).sign() < 0:
            low = middle + 1
        else:
            high = middle
    a1, b1 = corners[low]
    if low == 0 or a1 == target:
        return _probability(Quotient(b1, total_q), digits)
    # On the segment of group (w, v): beta · Z_Q = b1 + (a1 - alpha · Z_P) · v / w.
    a0, b0 = corners[low - 1]
    w, v = a1 - a0, b0 - b1
    inverse = w.inverse()
    if inverse is not None:
        return _probability(Quotient(b1 + (a1 - target) * v * inverse, total_q), digits)
    return _probability(Quotient(b1 * w + (a1 - target) * v, w * total_q), digits)


def formal_epsilon(
    channel: FormalChannel, delta: mpq, direction: Direction = "both", digits: int = DEFAULT_DIGITS
) -> Level | Enclosure:
    """The least epsilon >= 0 with D_{e^epsilon} <= delta.

    The answer is a :class:`Level` where e^epsilon is rational or infinite, or epsilon is rational;
    otherwise an enclosure of epsilon itself.
    """
    check_delta(delta)
    least: Quotient | None = None
    for side in sides(direction):
        candidate = _least_level(channel.oriented(side), delta)
        if candidate is None:
            return Level.infinite()
        if least is None or candidate.compare(least) > 0:
            least = candidate
    if least is None or least.compare(Quotient(_ONE, _ONE)) <= 0:
        return Level.rational(1)
    return _level_of(least, digits)


def _least_level(channel: FormalChannel, delta: mpq) -> Quotient | None:
    """The least level a >= 0 with D_a(P‖Q) <= delta, or None if there is none.

    D_a is non-increasing and piecewise linear in a; between neighbouring ratios p/q of the groups it
    equals P(S) - a·Q(S) with S the groups of larger or equal ratio. Take the last group, in order of falling p/q,
    at whose ratio D is still at most delta: the line of its S meets delta at (P(S) - delta)/Q(S), at or
    below that ratio and above the next, where D exceeds delta. Without a next group S has Q(S) = 1, and
    the level is 1 - delta <= 1.
    """
    total_p, total_q = channel.totals
    groups = channel.groups()
    threshold = total_p.scaled(delta)
    certain = groups[0].p if groups[0].q.is_zero() else _ZERO
    if (certain - threshold).sign() > 0:
        return None
    finite = groups[1:] if groups[0].q.is_zero() else groups
    p_sums = list(accumulate((g.p for g in finite), initial=certain))[1:]
    q_sums = list(accumulate(g.q for g in finite))
    # D at the ratio (p/Z_P)/(q/Z_Q) of group k exceeds delta exactly when
    # (P_k - delta·Z_P)·q > p·Q_k. At the first group it is the certain mass alone, within delta.
    low, high = 1, len(finite)
    while low < high:
        middle = (low + high) // 2
        group = finite[middle]
        if ((p_sums[middle] - threshold) * group.q - group.p * q_sums[middle]).sign() > 0:
            high = middle
        else:
            low = middle + 1
    excess, mass = p_sums[low - 1] - threshold, q_sums[low - 1]
    if total_p == total_q:
        return Quotient(excess, mass)
    return Quotient(excess * total_q, mass * total_p)


def _level_of(level: Quotient, digits: int) -> Level | Enclosure:
    """The level num/den > 1 as an exact level where it is one, else an enclosure of its logarithm."""
    quotient = level.num.ratio_to(level.den)
    if quotient is not None:
        if (value := quotient.as_rational()) is not None:
            return Level.rational(value)
        ((s, roots), c), *_ = quotient.terms()
        if c == 1 and not roots:
            return Level.of_exponent(s)

    def ball(bits: int) -> arb:
        with precision(bits):
            return (level.num.ball(bits) / level.den.ball(bits)).log()

    return enclose(ball, digits)


def formal_vulnerability(
    channel: FormalChannel,
    gain: Sequence[Sequence[mpq]],
    prior: Sequence[mpq] | None = None,
    digits: int = DEFAULT_DIGITS,
) -> Value:
    """V = Σ_y max_a Σ_x prior[x] · gain[a][x] · C[x][y], the prior uniform by default.

    Raises:
        InputError: for a gain without actions or not two columns wide, or a prior that is no
            distribution on the two inputs.
    """
    first, second = (mpq(1, 2), mpq(1, 2)) if prior is None else tuple(prior)
    if first < 0 or second < 0 or first + second != 1:
        raise InputError("a prior of two probabilities that sum to 1", f"{first}, {second}", "prior")
    if not gain or any(len(action) != 2 for action in gain):
        raise InputError("a gain of at least one action on two inputs", f"{len(gain)} actions", "gain")
    total_p, total_q = channel.totals
    actions = [(first * action[0], second * action[1]) for action in gain]
    of_p, of_q = [], []
    for group in channel.groups():
        best = actions[0]
        for action in actions[1:]:
            # The sign of d0 · p + d1 · q with d the difference of the two actions.
            left = (FormalSum.rational(action[0] - best[0]), group.p, total_q)
            right = (FormalSum.rational(best[1] - action[1]), group.q, total_p)
            if product_sign(left, right) > 0:
                best = action
        of_p.append(group.p.scaled(best[0]))
        of_q.append(group.q.scaled(best[1]))
    won_p, won_q = FormalSum.sum(of_p), FormalSum.sum(of_q)
    if total_p == total_q:
        return Quotient(won_p + won_q, total_p).value(digits)
    return Quotient(won_p * total_q + won_q * total_p, total_p * total_q).value(digits)
