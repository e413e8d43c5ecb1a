"""Decides a claim about an interactive mechanism: does it hold of every adversary's view?

A claim that is (epsilon, delta), a trade-off function or mu-GDP, which is the trade-off function G_mu, holds of every
view if and only if it holds of the tight channel N (:mod:`oracle.interactive.tightness`). Held, the certificate has the
simulation by N and the evidence for N; refuted, an adversary and an event of its views, recomputed from the tree. There
is no tolerance; equality holds. Only a mu that no precision tells from the least one is left undecided.

Claims of rho and of a Rényi order are declined: N may exceed every view there
(:mod:`oracle.interactive.renyi`), so that neither does N refute nor would its failure to hold be an answer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gmpy2 import mpq

from oracle.certificates.checker import Rejected, check
from oracle.certificates.divergence_documents import gaussian_held, gaussian_refuted
from oracle.certificates.documents import Certificate
from oracle.certificates.simulation_documents import (
    Violation,
    approximate_dp_evidence,
    gaussian_evidence,
    interactive_held_certificate,
    interactive_refuted_certificate,
    tradeoff_evidence,
)
from oracle.channels.channel import Channel
from oracle.channels.divergences import Direction, sides
from oracle.channels.galois import channel_of
from oracle.channels.profile import Exceedance, exceedance, least_level
from oracle.channels.refinement import witness_of
from oracle.channels.tradeoff import TradeoffFunction
from oracle.channels.worst_case import approximate_dp_channel
from oracle.claims import ApproximateDP, Claim, GaussianDP, RenyiDP, TradeoffClaim
from oracle.errors import Declined, UncertifiedError, UndecidedError
from oracle.exact import to_text
from oracle.gaussian_dp.channel_mu import compare_mu
from oracle.interactive.adversaries import Strategy, complement, positions_to_json
from oracle.interactive.simulation import Simulation, nodes_to_json, simulate
from oracle.interactive.tightness import Tightness, optimal_adversary
from oracle.interactive.tree import InteractiveMechanism

__all__ = ["TreeVerdict", "judge_tree"]


@dataclass(frozen=True, slots=True)
class TreeVerdict:
    """Whether a claim holds of every adversary's view, with evidence of exactly that.

    Attributes:
        holds: True or False.
        certificate: a sealed document, kind ``interactive_held`` or ``interactive_refuted``.
        channel: the tight channel N of the mechanism.
        strategy: where the claim is refuted, the adversary with the event that shows it.
        direction: where the claim is refuted, the direction in which it is.
        p, q: where the claim is refuted, the probabilities of the event on the first and the second input.
    """

    holds: bool
    certificate: Certificate
    channel: Channel
    strategy: Strategy | None = None
    direction: Direction | None = None
    p: mpq | None = None
    q: mpq | None = None


def judge_tree(
    mechanism: InteractiveMechanism,
    claim: Claim,
    direction: Direction = "both",
    known: Tightness | Simulation | None = None,
) -> TreeVerdict:
    """Decide *claim* for every adversary of the mechanism, in one direction or in both.

    Args:
        mechanism: the tree.
        claim: (epsilon, delta), a trade-off function or mu.
        direction: forward: P(S) <= e^epsilon Q(S) + delta, f <= T(P, Q), P and Q being the laws of a view on the first
            and the second input; backward: exchanged; both.
        known: the tight channels or the whole simulation, where they are known.

    Raises:
        LimitError: if a tight channel has too many columns.
        Declined: for a claim of another form.
        UncertifiedError: if e^epsilon has to be compared with numbers too long for the checker.
        UndecidedError: if a claimed mu is not told from the least one within the precision limit.
    """
    if not isinstance(claim, ApproximateDP | TradeoffClaim | GaussianDP):
        raise Declined(
            "of interactive mechanisms (epsilon, delta), trade-off and mu claims are decided. The supremum of a Rényi "
            "divergence over all adversaries is the answer of the op renyi; ask oracle answer " + _renyi_request(claim)
        )
    if known is None:
        known = Tightness(mechanism)
    if isinstance(claim, TradeoffClaim):
        return _judge_tradeoff(known, claim, direction)
    if isinstance(claim, GaussianDP):
        return _judge_mu(known, claim, direction)
    return _judge_approximate_dp(known, claim, direction)


def _renyi_request(claim: Claim) -> str:
    """The request for the claimed order, or for order 2 where a claim of rho is about all orders."""
    order = to_text(claim.order) if isinstance(claim, RenyiDP) else "2"
    args = f'"channel": {{"interactive": ...}}, "order": "{order}", "direction": "both"'
    return f'{{"id": 1, "op": "renyi", "args": {{{args}}}}}'


def _tight(known: Tightness | Simulation) -> Tightness:
    return known.tight if isinstance(known, Simulation) else known


def _held(
    known: Tightness | Simulation,
    claim: ApproximateDP | TradeoffClaim | GaussianDP,
    direction: Direction,
    evidence: dict[str, Any],
) -> TreeVerdict:
    """The verdict that the claim holds, with the simulation by N and the evidence that it holds of N."""
    simulation = known if isinstance(known, Simulation) else simulate(known.mechanism, known)
    return TreeVerdict(
        True, interactive_held_certificate(simulation.parts(), claim, direction, evidence), simulation.channel
    )


def _judge_approximate_dp(known: Tightness | Simulation, claim: ApproximateDP, direction: Direction) -> TreeVerdict:
    tight = _tight(known)
    channel = tight.channel
    evidence = exceedance(channel, claim.level, claim.delta, direction)
    if evidence is not None:
        return _checked(_refuted_approximate_dp(tight, claim, evidence), exact=claim.level.exponent is None)
    level = claim.level.value
    if level is None or claim.level.is_infinite:
        level = least_level(channel, claim.delta, direction)
    witness = witness_of(approximate_dp_channel(level, claim.delta, direction), channel)
    held = _held(known, claim, direction, approximate_dp_evidence(level, witness))
    return _checked(held, exact=claim.level.exponent is None)


def _refuted_approximate_dp(tight: Tightness, claim: ApproximateDP, found: Exceedance) -> TreeVerdict:
    """The adversary and event of the largest excess at the rational bound at which N violates the claim."""
    strategy, p, q = optimal_adversary(tight, found.bound, found.direction)
    return _refuted(tight, claim, strategy, Violation(found.direction, (), found.bound, p, q))


def _judge_tradeoff(known: Tightness | Simulation, claim: TradeoffClaim, direction: Direction) -> TreeVerdict:
    tight = _tight(known)
    channel = tight.channel
    for side in sides(direction):
        violation = _violation(tight, claim.curve, side)
        if violation is not None:
            strategy, found = violation
            return _refuted(tight, claim, strategy, found)
    pairs: dict[Direction, Channel] = {
        side: channel if side == "forward" else channel.swapped() for side in sides(direction)
    }
    worst = channel_of(claim.curve)
    evidence = tradeoff_evidence({side: witness_of(worst, pair) for side, pair in pairs.items()})
    return _held(known, claim, direction, evidence)


def _judge_mu(known: Tightness | Simulation, claim: GaussianDP, direction: Direction) -> TreeVerdict:
    """G_mu is convex, so it is below the curves of all views exactly if it is below T(N); it is its own inverse."""
    tight = _tight(known)
    channel = tight.channel
    comparison = compare_mu(channel, claim.mu)
    if comparison.sign is None:
        raise UndecidedError(f"whether the least mu is at most {claim.mu}", comparison.bits)
    if comparison.sign <= 0:
        thresholds = gaussian_held(channel, claim, direction)["thresholds"]
        return _checked(_held(known, claim, direction, gaussian_evidence(thresholds)), exact=False)
    found = gaussian_refuted(channel, claim, direction)
    side: Direction = found["direction"]
    # N is canonical: the event of a corner is its last columns, and backward its first ones.
    columns, taken = channel.shape[1], len(found["event"])
    strategy = tight.adversary(taken) if side == "forward" else complement(tight.adversary(columns - taken))
    p, q = (sum((row[k] for k in found["event"]), mpq(0)) for row in channel.rows)
    violation = Violation(side, (), mpq(found["threshold"]), p, q)
    return _checked(_refuted(tight, claim, strategy, violation), exact=False)


def _violation(tight: Tightness, curve: TradeoffFunction, side: Direction) -> tuple[Strategy, Violation] | None:
    """The corner of T at which the claimed curve exceeds it most; f is convex and T linear between corners.

    Forward the corners are those of T(P, Q), reached by rejecting on the last columns of N. Backward T(Q, P) is meant,
    whose tests reject on the first columns: the complements.
    """
    p, q = tight.channel.rows
    columns = len(p)
    best: tuple[mpq, int, mpq, mpq] | None = None
    first, second = mpq(0), mpq(0)
    for taken in range(columns + 1):
        # The event of the last *taken* columns forward, of the first *taken* columns backward.
        if taken:
            k = columns - taken if side == "forward" else taken - 1
            first += p[k]
            second += q[k]
        alpha, beta = (first, 1 - second) if side == "forward" else (second, 1 - first)
        excess = curve.at(alpha) - beta
        if excess > 0 and (best is None or excess > best[0]):
            best = excess, taken, first, second
    if best is None:
        return None
    _, taken, first, second = best
    strategy = tight.adversary(taken) if side == "forward" else complement(tight.adversary(columns - taken))
    return strategy, Violation(side, (), curve.at(first if side == "forward" else second), first, second)


def _refuted(
    tight: Tightness, claim: ApproximateDP | TradeoffClaim | GaussianDP, strategy: Strategy, found: Violation
) -> TreeVerdict:
    tests, _ = positions_to_json(tight.mechanism, strategy)
    whole = Violation(found.direction, tests, found.bound, found.p, found.q)
    certificate = interactive_refuted_certificate(nodes_to_json(tight.mechanism), claim, whole)
    return TreeVerdict(False, certificate, tight.channel, strategy, found.direction, found.p, found.q)


def _checked(verdict: TreeVerdict, *, exact: bool) -> TreeVerdict:
    """Hand out a comparison of transcendental numbers only if the checker, whose precision is limited, follows it."""
    if not exact:
        try:
            check(verdict.certificate)
        except Rejected as reason:
            raise UncertifiedError(verdict.holds, str(reason)) from None
    return verdict
