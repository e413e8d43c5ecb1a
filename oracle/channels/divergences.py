"""Hockey sticks at rational levels, total variation and Bayes error of two-row channels.

D_a(P‖Q) = Σ max(0, p - a q) is the *forward* hockey stick at level a = e^epsilon, D_a(Q‖P) the *backward*
one; the larger of both is delta at epsilon = log a. Every value here is exact.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import Literal

from gmpy2 import mpq, mpz

from oracle.channels.channel import Channel, require_two_rows
from oracle.errors import InputError, shorten
from oracle.exact import Extended, Infinity, to_text

__all__ = [
    "DIRECTIONS",
    "Direction",
    "bayes_error",
    "check_delta",
    "hockey_stick",
    "oriented",
    "sides",
    "total_variation",
]

Direction = Literal["both", "forward", "backward"]
DIRECTIONS: tuple[Direction, ...] = ("both", "forward", "backward")


def sides(direction: Direction) -> tuple[Direction, ...]:
    """The one-sided directions that *direction* means."""
    return ("forward", "backward") if direction == "both" else (direction,)


def oriented(channel: Channel, direction: Direction) -> tuple[tuple[mpq, ...], tuple[mpq, ...]]:
    """The rows as (P, Q) for forward and (Q, P) for backward."""
    require_two_rows(channel)
    p, q = channel.rows
    return (p, q) if direction == "forward" else (q, p)


def hockey_stick(channel: Channel, level: Extended, direction: Direction = "forward") -> mpq:
    """Σ max(0, p - a q) (forward), Σ max(0, q - a p) (backward) or the larger (both), a = *level* >= 0.

    At a = inf the value is the mass of the first law where the second is 0.
    """
    require_two_rows(channel)
    if level < 0:
        raise InputError("a level at least 0", to_text(level), "exp_epsilon")
    if direction == "both":
        return max(hockey_stick(channel, level, "forward"), hockey_stick(channel, level, "backward"))
    p, q = channel.numerators if direction == "forward" else channel.numerators[::-1]
    if isinstance(level, Infinity):
        return mpq(sum((a for a, b in zip(p, q, strict=True) if not b), mpz(0)), channel.scale)
    up, down = level.numerator, level.denominator
    order = channel.derived.get("order")
    if order is not None:
        # Sorted before: the columns with p > a q are the first or, backward, the last ones.
        p, q = (order.p, order.q) if direction == "forward" else (order.q[::-1], order.p[::-1])
        count = bisect_left(range(len(p)), True, key=lambda k: p[k] * down <= q[k] * up)
        return mpq(sum(p[:count], mpz(0)) * down - sum(q[:count], mpz(0)) * up, channel.scale * down)
    total = sum((gap for a, b in zip(p, q, strict=True) if (gap := a * down - b * up) > 0), mpz(0))
    return mpq(total, channel.scale * down)


def total_variation(channel: Channel) -> mpq:
    """Total variation distance of P and Q, the hockey stick at level 1 of full rows."""
    return hockey_stick(channel, mpq(1))


def bayes_error(channel: Channel) -> mpq:
    """Least error probability of guessing the row at prior 1/2: (1 - total variation) / 2."""
    return (1 - total_variation(channel)) / 2


def check_delta(delta: mpq, where: str = "delta") -> mpq:
    """Refuse a delta outside [0, 1]."""
    if not 0 <= delta <= 1:
        raise InputError("delta between 0 and 1", shorten(to_text(delta)), where)
    return delta
