"""Decides a claim about a pair of laws and returns the verdict with its certificate or record.

Every verdict on a finite channel is true or false; there is no tolerance and no "undecided". Equality holds. A
verdict on an experiment comes with a record instead, and is "undecided" where the precision limit does not tell.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from oracle.certificates.checker import Rejected, check
from oracle.certificates.documents import (
    Certificate,
    approximate_dp_held,
    approximate_dp_refuted,
    seal,
    tradeoff_held,
    tradeoff_refuted,
)
from oracle.certificates.records import Record, enclosure_record, outcome
from oracle.channels.channel import Channel, require_full
from oracle.channels.divergences import Direction, sides
from oracle.channels.formal_channel import (
    FormalChannel,
    curve_claim,
    formal_claim_document,
    formal_satisfies,
    formal_satisfies_curve,
    level_claim,
)
from oracle.channels.galois import channel_of, tradeoff_of
from oracle.channels.profile import exceedance, least_level
from oracle.channels.refinement import witness_of
from oracle.channels.testing import event_at_alpha
from oracle.channels.tradeoff import TradeoffFunction
from oracle.channels.worst_case import approximate_dp_channel
from oracle.claims import ApproximateDP, Claim
from oracle.enclosures import DEFAULT_DIGITS
from oracle.errors import UncertifiedError
from oracle.experiments.base import Experiment

__all__ = ["Verdict", "judge"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a claim holds of a pair in a direction, with evidence of exactly that.

    Attributes:
        holds: True or False, for an experiment also "undecided".
        certificate: a sealed document that the independent checker accepts; None for an experiment.
        record: for an experiment what was computed (:mod:`oracle.certificates.records`), which proves nothing to the
            checker; else None.
        reached: the working precision in bits, where the verdict is "undecided".
    """

    holds: bool | Literal["undecided"]
    certificate: Certificate | None
    record: Record | None = None
    reached: int | None = None


def judge(
    channel: Channel | FormalChannel | Experiment,
    claim: Claim,
    direction: Direction = "both",
    digits: int = DEFAULT_DIGITS,
) -> Verdict:
    """Decide *claim* for a two-row channel or an experiment, in one direction or in both, with evidence.

    *digits* is the precision of the values in a record.
    """
    if isinstance(channel, Experiment):
        return _judge_experiment(channel, claim, direction, digits)
    if isinstance(channel, FormalChannel):
        return _judge_formal(channel, claim, direction)
    require_full(channel)
    if isinstance(claim, ApproximateDP):
        return _judge_approximate_dp(channel, claim, direction)
    return _judge_tradeoff(channel, claim.curve, direction)


def _judge_experiment(pair: Experiment, claim: Claim, direction: Direction, digits: int) -> Verdict:
    if isinstance(claim, ApproximateDP):
        checks = pair.checks(claim.level, claim.delta, direction)
    else:
        checks = pair.curve_checks(claim.curve, direction)
    holds = outcome(checks)
    record = enclosure_record(pair, claim, direction, checks, digits)
    return Verdict(holds, None, record, record["bits"] if holds == "undecided" else None)


def _judge_approximate_dp(channel: Channel, claim: ApproximateDP, direction: Direction) -> Verdict:
    evidence = exceedance(channel, claim.level, claim.delta, direction)
    if evidence is not None:
        refuted = approximate_dp_refuted(channel, claim, evidence)
        return Verdict(False, refuted) if claim.level.exponent is None else _certified(False, refuted)
    # The claim's own rational level where it has one; else the least level at which the channel holds, which
    # is rational and at most e^epsilon.
    level = claim.level.value
    if level is None or claim.level.is_infinite:
        level = least_level(channel, claim.delta, direction)
    witness = witness_of(approximate_dp_channel(level, claim.delta, direction), channel)
    held = approximate_dp_held(channel, claim, direction, level, witness)
    return Verdict(True, held) if claim.level.exponent is None else _certified(True, held)


def _judge_tradeoff(channel: Channel, curve: TradeoffFunction, direction: Direction) -> Verdict:
    """The claim f <= T is decided at the corners of T, since f is convex and T linear between them."""
    for side in sides(direction):
        pair = channel if side == "forward" else channel.swapped()
        below = [(curve.at(a) - b, a, b) for a, b in tradeoff_of(pair).corners]
        excess, alpha, beta = max(below, key=lambda item: item[0])
        if excess > 0:
            event = event_at_alpha(pair, alpha)
            return Verdict(False, tradeoff_refuted(channel, curve, side, event, (alpha, beta)))
    worst = channel_of(curve)
    pairs = {side: channel if side == "forward" else channel.swapped() for side in sides(direction)}
    witnesses = {side: witness_of(worst, pair) for side, pair in pairs.items()}
    return Verdict(True, tradeoff_held(channel, curve, direction, witnesses))


def _judge_formal(channel: FormalChannel, claim: Claim, direction: Direction) -> Verdict:
    if isinstance(claim, ApproximateDP):
        verdict = formal_satisfies(channel, claim.level, claim.delta, direction)
        stated = level_claim(claim.level, claim.delta)
    else:
        verdict = formal_satisfies_curve(channel, claim.curve, direction)
        stated = curve_claim(claim.curve)
    return _certified(verdict.holds, seal(formal_claim_document(channel, stated, direction, verdict)))


def _certified(holds: bool, certificate: Certificate) -> Verdict:
    """A verdict whose certificate the checker has accepted.

    Where e^s is compared with numbers of many digits the checker, whose precision is limited, may not follow the
    engine; what it would reject is not handed out.

    Raises:
        UncertifiedError: if the checker rejects the certificate.
    """
    try:
        check(certificate)
    except Rejected as reason:
        raise UncertifiedError(holds, str(reason)) from None
    return Verdict(holds, certificate)
