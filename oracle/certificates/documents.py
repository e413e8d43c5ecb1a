"""Certificates: self-contained JSON documents that make a verdict checkable.

Each function turns evidence that the engine has found into one sealed document. The independent checker
(:mod:`oracle.certificates.checker`) reads them; it shares no code with this module. What each kind contains and
why it proves its statement is written down beside the check.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from gmpy2 import mpq

from oracle.channels.canonical import LikelihoodOrder, likelihood_order
from oracle.channels.channel import Channel
from oracle.channels.divergences import Direction, hockey_stick
from oracle.channels.galois import scaled_corners, tradeoff_of
from oracle.channels.lattice import greatest_lower_bound, least_upper_bound
from oracle.channels.profile import Exceedance
from oracle.channels.refinement import GainSeparation, Separation, Witness, witness_of
from oracle.channels.tradeoff import TradeoffFunction
from oracle.claims import ApproximateDP
from oracle.exact import Extended, to_text
from oracle.json_text import digest

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = [
    "Certificate",
    "approximate_dp_held",
    "approximate_dp_refuted",
    "evaluation",
    "greatest_lower_bound_certificate",
    "least_upper_bound_certificate",
    "refinement_certificate",
    "seal",
    "tradeoff_certificate",
    "tradeoff_held",
    "tradeoff_refuted",
]

Certificate = dict[str, Any]


def seal(document: dict[str, Any]) -> Certificate:
    """The document with its digest, the SHA-256 of the canonical text of all the rest."""
    return {**document, "digest": digest(document)}


def _sealed(kind: str, fields: dict[str, Any]) -> Certificate:
    return seal({"certificate": kind, "version": 1, **fields})


def _channel(channel: Channel) -> dict[str, Any]:
    return {"matrix": [[to_text(v) for v in row] for row in channel.rows]}


def _curve(curve: TradeoffFunction) -> list[list[str]]:
    return [[to_text(a), to_text(b)] for a, b in curve.corners]


def refinement_certificate(
    left: Channel, right: Channel, evidence: Witness | Separation | GainSeparation
) -> Certificate:
    """Kind ``refinement``: left·W = right; or a number that is smaller for left than for right.

    That is a hockey stick in kind ``separating_level``, a vulnerability in kind ``separating_gain``.
    """
    pair = {"left": _channel(left), "right": _channel(right)}
    if isinstance(evidence, Witness):
        return _sealed("refinement", {**pair, "witness": evidence.to_json()})
    values = {"left_value": to_text(evidence.left), "right_value": to_text(evidence.right)}
    if isinstance(evidence, GainSeparation):
        gain = [[to_text(g) for g in action] for action in evidence.gain]
        return _sealed("separating_gain", {**pair, "gain": gain, **values})
    return _sealed("separating_level", {**pair, "h": to_text(evidence.level), **values})


def _corner_levels(order: LikelihoodOrder) -> list[str]:
    """The level t of the rejection set {q >= t p} of each corner, for alpha increasing; "inf" is {p = 0}."""
    ratios = [order.ratio(k) for k in reversed(range(len(order.p)))]
    finite = [to_text(ratio) for ratio in ratios if ratio is not None]
    return ["inf", *finite]


def greatest_lower_bound_certificate(channels: Sequence[Channel]) -> Certificate:
    """Kind ``glb``: a witness to each member, and each corner of the bound as a member's own corner.

    A corner of the lower convex hull is always a corner of some member, so one member of weight 1 serves.
    """
    bound = greatest_lower_bound(channels)
    sources: dict[tuple[mpq, mpq], tuple[int, str]] = {}
    for member, channel in reversed(list(enumerate(channels))):
        order = likelihood_order(channel)
        for a, b, level in zip(*scaled_corners(order), _corner_levels(order), strict=True):
            sources[mpq(a) / order.scale, mpq(b) / order.scale] = member, level
    corners = []
    order = likelihood_order(bound)
    for a, b in zip(*scaled_corners(order), strict=True):
        alpha, beta = mpq(a) / order.scale, mpq(b) / order.scale
        member, level = sources[alpha, beta]
        combination = [{"member": member, "level": level, "weight": "1"}]
        corners.append({"alpha": to_text(alpha), "beta": to_text(beta), "combination": combination})
    fields = {"channels": [_channel(c) for c in channels], "glb": _channel(bound), "corners": corners}
    return _sealed("glb", {**fields, "witnesses": [witness_of(bound, channel).to_json() for channel in channels]})


def least_upper_bound_certificate(channels: Sequence[Channel]) -> Certificate:
    """Kind ``lub``: a witness from each member, and for each slope of the bound a member that touches its line."""
    bound = least_upper_bound(channels)
    order = likelihood_order(bound)
    levels = []
    for k in range(len(order.p)):
        ratio = order.ratio(k)
        if ratio is None or not ratio:
            continue
        target = hockey_stick(bound, ratio, "backward")
        member = next(i for i, c in enumerate(channels) if hockey_stick(c, ratio, "backward") == target)
        levels.append({"level": to_text(ratio), "member": member})
    fields = {"channels": [_channel(c) for c in channels], "lub": _channel(bound), "levels": levels}
    return _sealed("lub", {**fields, "witnesses": [witness_of(channel, bound).to_json() for channel in channels]})


def tradeoff_certificate(channel: Channel) -> Certificate:
    """Kind ``tradeoff``: each corner of T(P, Q) with its rejection event and a supporting level."""
    order = likelihood_order(channel)
    corners = tradeoff_of(channel).corners
    slopes = [(b0 - b1) / (a1 - a0) for (a0, b0), (a1, b1) in pairwise(corners)]
    supports = [slopes[0], *slopes]
    fields = [
        {"alpha": to_text(a), "beta": to_text(b), "event": event, "support": to_text(support)}
        for (a, b), event, support in zip(corners, _corner_levels(order), supports, strict=True)
    ]
    return _sealed("tradeoff", {"channel": _channel(channel), "corners": fields})


def approximate_dp_held(
    channel: Channel, claim: ApproximateDP, direction: Direction, level: Extended, witness: Witness
) -> Certificate:
    """Kind ``dp_held``: a witness from the worst-case channel at a rational *level* <= e^epsilon."""
    fields = {"channel": _channel(channel), "claim": claim.to_json(), "direction": direction}
    return _sealed("dp_held", {**fields, "level": to_text(level), "witness": witness.to_json()})


def approximate_dp_refuted(channel: Channel, claim: ApproximateDP, evidence: Exceedance) -> Certificate:
    """Kind ``dp_refuted``: an event whose masses violate the claim at a rational bound >= e^epsilon."""
    fields = {
        "channel": _channel(channel),
        "claim": claim.to_json(),
        "direction": evidence.direction,
        "level": to_text(evidence.bound),
        "event": list(evidence.event),
        "p": to_text(evidence.p),
        "q": to_text(evidence.q),
    }
    return _sealed("dp_refuted", fields)


def tradeoff_held(
    channel: Channel, curve: TradeoffFunction, direction: Direction, witnesses: Mapping[Direction, Witness]
) -> Certificate:
    """Kind ``tradeoff_held``: C(f)·W = channel, for (P, Q) and, backward, for (Q, P)."""
    fields = {"channel": _channel(channel), "tradeoff": _curve(curve), "direction": direction}
    return _sealed("tradeoff_held", {**fields, "witnesses": {k: w.to_json() for k, w in witnesses.items()}})


def tradeoff_refuted(
    channel: Channel,
    curve: TradeoffFunction,
    direction: Direction,
    event: Sequence[int],
    point: tuple[mpq, mpq],
) -> Certificate:
    """Kind ``tradeoff_refuted``: a test whose errors (alpha, beta) lie strictly below the claimed curve."""
    alpha, beta = point
    fields = {
        "channel": _channel(channel),
        "tradeoff": _curve(curve),
        "direction": direction,
        "event": list(event),
        "alpha": to_text(alpha),
        "beta": to_text(beta),
        "claimed": to_text(curve.at(alpha)),
    }
    return _sealed("tradeoff_refuted", fields)


def evaluation(facts: Sequence[dict[str, Any]], about: str | None = None) -> Certificate:
    """Kind ``evaluation``: a list of facts that the checker recomputes one by one.

    *about* says what they are meant for, in at most 80 printable characters; the checker shows it, unchecked.
    """
    return _sealed("evaluation", {"facts": list(facts)} | ({} if about is None else {"about": about}))
