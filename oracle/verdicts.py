"""Decides a claim about a pair of laws and returns the verdict with its certificate or record.

Every verdict on a finite channel about (epsilon, delta) or a trade-off function is true or false; there is no tolerance
and no "undecided". Equality holds. A verdict on an experiment comes with a record instead, and is "undecided" where the
precision limit does not tell; so may be one about mu, rho or a Rényi order.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

from gmpy2 import mpq

from oracle.certificates.checker import Rejected, check
from oracle.certificates.divergence_documents import (
    concentrated_held,
    concentrated_refuted,
    gaussian_held,
    gaussian_refuted,
    renyi_held,
    renyi_refuted,
)
from oracle.certificates.documents import (
    Certificate,
    approximate_dp_held,
    approximate_dp_refuted,
    seal,
    tradeoff_held,
    tradeoff_refuted,
)
from oracle.certificates.records import (
    RELATIONS,
    Record,
    divergence_record,
    enclosure_record,
    outcome,
    value_json,
)
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
from oracle.claims import (
    ApproximateDP,
    Claim,
    ConcentratedDP,
    DivergenceClaim,
    EventClaim,
    GaussianDP,
    RenyiDP,
    claim_text,
)
from oracle.enclosures import DEFAULT_DIGITS, MAX_REQUESTED_DIGITS, Comparison, Enclosure
from oracle.errors import UncertifiedError
from oracle.exact import Extended, Infinity, to_text
from oracle.experiments.base import Experiment
from oracle.gaussian_dp.channel_mu import compare_mu, least_mu
from oracle.gaussian_dp.concentrated import judge_rho
from oracle.gaussian_dp.renyi_claims import compare_renyi, divergence_value

__all__ = ["Verdict", "judge"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a claim holds of a pair in a direction, with evidence of exactly that.

    Attributes:
        holds: True or False, for an experiment also "undecided".
        certificate: a sealed document that the independent checker accepts; None where there is a record.
        record: what was computed (:mod:`oracle.certificates.records`), which proves nothing to the checker: for an
            experiment, for what is undecided, and for mu, rho or a Rényi order of irrational probabilities; else None.
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
    if isinstance(claim, DivergenceClaim):
        return _judge_divergence(channel, claim, direction, digits)
    if isinstance(channel, Experiment):
        return _judge_experiment(channel, claim, direction, digits)
    if isinstance(channel, FormalChannel):
        return _judge_formal(channel, claim, direction)
    require_full(channel)
    if isinstance(claim, ApproximateDP):
        return _judge_approximate_dp(channel, claim, direction)
    return _judge_tradeoff(channel, claim.curve, direction)


def _judge_divergence(
    pair: Channel | FormalChannel | Experiment,
    claim: DivergenceClaim,
    direction: Direction,
    digits: int,
) -> Verdict:
    """Decide a claim of mu, of one Rényi order or of rho."""
    if isinstance(pair, Channel):
        require_full(pair)
    if isinstance(claim, GaussianDP):
        return _judge_mu(pair, claim, direction, digits)
    if isinstance(claim, RenyiDP):
        return _judge_order(pair, claim, direction, digits)
    return _judge_rho(pair, claim, direction)


def _judge_mu(
    pair: Channel | FormalChannel | Experiment, claim: GaussianDP, direction: Direction, digits: int
) -> Verdict:
    comparison = compare_mu(pair, claim.mu)
    if isinstance(pair, Channel) and comparison.sign is not None:
        if comparison.sign <= 0:
            return _certified(True, gaussian_held(pair, claim, direction))
        return _certified(False, gaussian_refuted(pair, claim, direction))
    value = _apart(lambda n: least_mu(pair, n), claim.mu, comparison, digits)
    item = {"quantity": "mu", "value": value_json(value), **_related(comparison), "bound": to_text(claim.mu)}
    return _recorded(pair, claim, direction, [item])


def _judge_order(
    pair: Channel | FormalChannel | Experiment, claim: RenyiDP, direction: Direction, digits: int
) -> Verdict:
    found = {side: compare_renyi(pair, claim.order, claim.level, side) for side in sides(direction)}
    refuting = next((side for side, comparison in found.items() if comparison.sign == 1), None)
    if isinstance(pair, Channel) and (refuting or all(comparison.sign is not None for comparison in found.values())):
        if refuting is None:
            return _certified(True, renyi_held(pair, claim, direction))
        return _certified(False, renyi_refuted(pair, claim, refuting))
    items = []
    epsilon = claim.level.epsilon(MAX_REQUESTED_DIGITS)
    for side, comparison in found.items():
        value = _apart(partial(divergence_value, pair, claim.order, side), epsilon, comparison, digits)
        stated = {"quantity": "renyi", "direction": side, "order": to_text(claim.order), "value": value_json(value)}
        items.append({**stated, **_related(comparison), "bound": _epsilon_text(claim)})
    return _recorded(pair, claim, direction, items)


def _epsilon_text(claim: RenyiDP) -> str:
    return claim_text(claim).partition(":")[2]


def _judge_rho(pair: Channel | FormalChannel | Experiment, claim: ConcentratedDP, direction: Direction) -> Verdict:
    findings = judge_rho(pair, claim.rho, direction)
    refuted = next((finding for finding in findings if finding.holds is False), None)
    if isinstance(pair, Channel) and (refuted or all(finding.holds for finding in findings)):
        if refuted is None:
            return _certified(True, concentrated_held(pair, claim, direction, findings))
        return _certified(False, concentrated_refuted(pair, claim, refuted))
    items = []
    for finding in findings:
        equal = finding.holds is True and finding.ratio == claim.rho
        sign = None if finding.holds is None else 1 if finding.holds is False else 0 if equal else -1
        stated = {"quantity": "rho", "direction": finding.side, "order": to_text(finding.order)}
        cells = [[to_text(cell.order), to_text(cell.bound)] for cell in finding.cells]
        related = _related(Comparison(sign, finding.bits))
        item = {**stated, "value": value_json(finding.ratio), **related, "bound": to_text(claim.rho)}
        items.append({**item, "cells": cells} if finding.holds else item)
    return _recorded(pair, claim, direction, items)


def _related(comparison: Comparison) -> dict[str, Any]:
    return {"relation": RELATIONS[comparison.sign], "bits": comparison.bits}


def _apart(
    value_at: Callable[[int], Extended | Enclosure],
    claimed: Extended | Enclosure,
    comparison: Comparison,
    digits: int,
) -> Extended | Enclosure:
    """A value with digits enough to show that it is not what is claimed, where that was proved, within the limit."""
    value = value_at(digits)
    while comparison.sign and digits < MAX_REQUESTED_DIGITS and _overlap(value, claimed):
        digits = min(2 * digits, MAX_REQUESTED_DIGITS)
        value = value_at(digits)
    return value


def _overlap(value: Extended | Enclosure, claimed: Extended | Enclosure) -> bool:
    if not isinstance(value, Enclosure) or isinstance(claimed, Infinity):
        return False
    return value.contains(claimed) if isinstance(claimed, mpq) else value.overlaps(claimed)


def _recorded(
    pair: Channel | FormalChannel | Experiment, claim: Claim, direction: Direction, items: list[Record]
) -> Verdict:
    record = divergence_record(pair, claim, direction, items)
    holds = record["holds"]
    return Verdict(holds, None, record, record["bits"] if holds == "undecided" else None)


def _judge_experiment(pair: Experiment, claim: EventClaim, direction: Direction, digits: int) -> Verdict:
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


def _judge_formal(channel: FormalChannel, claim: EventClaim, direction: Direction) -> Verdict:
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
