"""Certificates about interactive mechanisms: a simulation by one pair of laws, a claim held, a claim refuted.

As in :mod:`oracle.certificates.documents`; why each kind proves its statement is written down beside the check,
:mod:`oracle.certificates.checker.simulation` and :mod:`oracle.certificates.checker.trees`. The parts are
plain JSON, the kernels and states those of a simulation, the tests those of a refutation:

    NODES    a list, children before parents, the root last: null, {"query": [[label, index], ...]} or
             {"answer": [[label, p, q, index], ...]}, sorted by label
    TESTS    a list of strategies with their events: {"node", "end"}, {"node", "ask", "then"} or {"node", "hear"}
    KERNELS  for each node a list of witnesses: none at a leaf, one for each option of a query node, one for all answers
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from oracle.certificates.documents import Certificate, seal
from oracle.claims import ApproximateDP, GaussianDP, TradeoffClaim
from oracle.exact import to_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gmpy2 import mpq

    from oracle.channels.channel import Channel
    from oracle.channels.divergences import Direction
    from oracle.channels.refinement import Witness
    from oracle.exact import Extended

__all__ = [
    "SimulationParts",
    "Violation",
    "approximate_dp_evidence",
    "gaussian_evidence",
    "interactive_held_certificate",
    "interactive_refuted_certificate",
    "simulation_certificate",
    "tradeoff_evidence",
]

Json = Any
Claimed = ApproximateDP | TradeoffClaim | GaussianDP


@dataclass(frozen=True, slots=True)
class SimulationParts:
    """What says how one pair of laws simulates a mechanism.

    Attributes:
        nodes: the tree.
        states: for each node the pair of laws of what is carried there; that of the root is N.
        kernels: for each node what is drawn next.
    """

    nodes: Sequence[Json]
    states: Sequence[Channel]
    kernels: Sequence[Sequence[Witness]]

    def to_json(self) -> dict[str, Json]:
        """The fields of a certificate."""
        matrices = [{"matrix": [[to_text(v) for v in row] for row in channel.rows]} for channel in self.states]
        witnesses = [[witness.to_json() for witness in group] for group in self.kernels]
        return {"version": 1, "nodes": list(self.nodes), "states": matrices, "kernels": witnesses}


@dataclass(frozen=True, slots=True)
class Violation:
    """An adversary with an event of views that violates a claim.

    Attributes:
        direction: forward or backward.
        tests: strategies with their events; the last one is meant.
        bound: for an (epsilon, delta) claim a rational level U >= e^epsilon (or infinity) at which it is violated; for
            a trade-off claim its value at the type I error of the event; for a mu claim a threshold t with
            Phi(t) <= 1 - alpha and Phi(t - mu) > beta, (alpha, beta) being the errors of rejecting on the event.
        p, q: the probabilities of the event on the first and the second input.
    """

    direction: Direction
    tests: Sequence[Json]
    bound: Extended
    p: mpq
    q: mpq


def _claim(claim: Claimed) -> Json:
    if not isinstance(claim, TradeoffClaim):
        return claim.to_json()
    return {"tradeoff": [[to_text(a), to_text(b)] for a, b in claim.curve.corners]}


def simulation_certificate(parts: SimulationParts) -> Certificate:
    """Kind ``simulation``: one pair of laws and kernels that reproduce every adversary's view, and that it is tight."""
    return seal({"certificate": "simulation", **parts.to_json()})


def approximate_dp_evidence(level: Extended, witness: Witness) -> Json:
    """The evidence that N is (log level, delta)-DP: a witness from the worst-case channel of that claim."""
    return {"level": to_text(level), "witness": witness.to_json()}


def tradeoff_evidence(witnesses: Mapping[Direction, Witness]) -> Json:
    """The evidence that N is f-DP: C(f)·W = N for (P, Q) and, backward, for (Q, P)."""
    return {"witnesses": {direction: witness.to_json() for direction, witness in witnesses.items()}}


def gaussian_evidence(thresholds: Sequence[str]) -> Json:
    """The evidence that N is mu-GDP: for each inner corner (a, b) a t with Phi(t) >= 1 - a and Phi(t - mu) <= b."""
    return {"thresholds": list(thresholds)}


def interactive_held_certificate(
    parts: SimulationParts, claim: Claimed, direction: Direction, evidence: Json
) -> Certificate:
    """Kind ``interactive_held``: a simulation by N, and *evidence* that N satisfies the claim."""
    said = {"claim": _claim(claim), "direction": direction, "evidence": evidence}
    return seal({"certificate": "interactive_held", **parts.to_json(), **said})


def interactive_refuted_certificate(nodes: Sequence[Json], claim: Claimed, found: Violation) -> Certificate:
    """Kind ``interactive_refuted``: an adversary and an event of its views that violate the claim."""
    masses = {"bound": to_text(found.bound), "p": to_text(found.p), "q": to_text(found.q)}
    said = {"claim": _claim(claim), "direction": found.direction, "tests": list(found.tests), **masses}
    return seal({"certificate": "interactive_refuted", "version": 1, "nodes": list(nodes), **said})
