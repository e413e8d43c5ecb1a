"""Claims about formal channels: decided exactly, with a refuting event or a document to check.

A claim is (epsilon, delta)-DP or a trade-off function, in one direction or both. Equality holds. Every
decision is the sign of an exponential sum (:mod:`oracle.formal`), so there is no undecided
case but the stated precision limit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from oracle.channels.divergences import Direction, check_delta, sides
from oracle.channels.formal_rows import exceeding, forward_quotient
from oracle.exact import to_text
from oracle.levels import Level

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gmpy2 import mpq

    from oracle.channels.formal_rows import FormalChannel
    from oracle.channels.tradeoff import TradeoffFunction

__all__ = [
    "FormalVerdict",
    "curve_claim",
    "formal_claim_document",
    "formal_satisfies",
    "formal_satisfies_curve",
    "level_claim",
]


class FormalVerdict(NamedTuple):
    """Whether a claim holds; if not, the direction it fails in and an event that shows it."""

    holds: bool
    direction: Direction | None
    event: tuple[int, ...] | None


def _refuting_event(channel: FormalChannel, level: Level, bound: mpq) -> tuple[int, ...] | None:
    """Sorted columns of {p > a q} if P(S) - a·Q(S) > bound there, else None: then D_a(P‖Q) <= bound."""
    groups = exceeding(channel, level)
    quotient = forward_quotient(channel, groups, level)
    if (quotient.num - quotient.den.scaled(bound)).sign() <= 0:
        return None
    return tuple(sorted(y for g in groups for y in g.columns))


def formal_satisfies(channel: FormalChannel, level: Level, delta: mpq, direction: Direction = "both") -> FormalVerdict:
    """Whether the pair is (epsilon, delta)-DP, e^epsilon = *level*: exact, and equality holds.

    A refuting event S has P(S) > e^epsilon · Q(S) + delta in its direction (Q and P for backward).
    """
    check_delta(delta)
    for side in sides(direction):
        event = _refuting_event(channel.oriented(side), level, delta)
        if event is not None:
            return FormalVerdict(holds=False, direction=side, event=event)
    return FormalVerdict(holds=True, direction=None, event=None)


def formal_satisfies_curve(
    channel: FormalChannel, curve: TradeoffFunction, direction: Direction = "both"
) -> FormalVerdict:
    """Whether f <= T(P, Q) (forward), f <= T(Q, P) (backward) or both: exact, and equality holds.

    f is the largest of its lines beta = c - h·alpha, one for each segment, on [0, 1] (its corners are convex).
    T(P, Q) lies above such a line exactly when the least of beta + h·alpha over all tests is at least c, and
    that least value is 1 - Σ max(0, q - h p). So f <= T(P, Q) if and only if Σ max(0, q - h p) <= 1 - c for each.
    At alpha = 0 both sides are continuous. A refuting event S has Q(S) - h·P(S) > 1 - c for one of them.
    """
    for side in sides(direction):
        pair = channel.oriented(side).swapped()
        for (a0, b0), (a1, b1) in zip(curve.corners, curve.corners[1:], strict=False):
            slope = (b0 - b1) / (a1 - a0)
            event = _refuting_event(pair, Level.rational(slope), 1 - (b0 + slope * a0))
            if event is not None:
                return FormalVerdict(holds=False, direction=side, event=event)
    return FormalVerdict(holds=True, direction=None, event=None)


def level_claim(level: Level, delta: mpq) -> dict[str, Any]:
    """The claim (epsilon, delta) as certificate documents state it."""
    return {**level.to_json(), "delta": to_text(delta)}


def curve_claim(curve: TradeoffFunction) -> dict[str, Any]:
    """The claim of a trade-off function as certificate documents state it."""
    return {"tradeoff": [[to_text(a), to_text(b)] for a, b in curve.corners]}


def formal_claim_document(
    channel: FormalChannel, claim: Mapping[str, Any], direction: Direction, verdict: FormalVerdict
) -> dict[str, Any]:
    """The certificate document of kind ``formal_claim``, without its digest.

    Args:
        channel: the channel; its unnormalised weights are the document's rows.
        claim: from :func:`level_claim` or :func:`curve_claim`.
        direction: the direction claimed; a refutation states the one it fails in instead.
        verdict: from :func:`formal_satisfies` or :func:`formal_satisfies_curve` for that claim and direction.
    """
    return {
        "certificate": "formal_claim",
        "version": 1,
        "rows": [[weight.to_json() for weight in row] for row in channel.rows],
        "claim": dict(claim),
        "direction": direction if verdict.direction is None else verdict.direction,
        "holds": verdict.holds,
        "event": None if verdict.event is None else list(verdict.event),
    }
