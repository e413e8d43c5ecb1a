"""What the report of an audit does not say, in sentences: how far it goes, and how far its certificates do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from oracle.audits.divergence_measures import DivergenceMeasures
from oracle.audits.findings import Finding, Question
from oracle.audits.measures import PairMeasures
from oracle.channels.formal_channel import FormalChannel
from oracle.claims import ConcentratedDP, GaussianDP
from oracle.enclosures import Enclosure
from oracle.errors import shorten
from oracle.experiments.base import Experiment
from oracle.experiments.subsampled import PoissonSubsampled

__all__ = ["limits", "unanswered"]

_LABEL_LENGTH: Final = 200

_CERTIFIED: Final = {
    False: "The certificates prove the verdicts. The checker computes the values beside them again, from the "
    "channels{but}.",
    True: "The certificates prove the verdicts. The other values are exact or enclosed, without one of their own.",
}
_OPEN: Final = (
    "What nothing certifies: labels, claims as written, these sentences, the commands, product, name and form of the "
    "input, and that it gives these probabilities."
)


def limits(question: Question, pairs: Sequence[PairMeasures], findings: Sequence[Finding]) -> list[str]:
    """What the report does not say."""
    table, direction = question.table, question.direction
    finite = not isinstance(table.channel, Experiment)
    rows, count = 2 if isinstance(table.channel, Experiment) else table.channel.shape[0], len(table.pairs)
    said = {
        "both": "Both orders of each pair are judged.",
        "forward": "Only the direction forward is judged: P(S) against Q(S), not Q(S) against P(S).",
        "backward": "Only the direction backward is judged: Q(S) against P(S), not P(S) against Q(S).",
    }[direction]
    told = [
        f"{count} {'pair' if count == 1 else 'pairs'} of {rows} inputs judged; nothing is said of any other.",
        said,
        "The probabilities are taken as given: samplers, floating point, timing, other side channels are not seen.",
        "One run is judged. Composition, tuning and repeated use are outside."
        if table.simulation is None
        else "One interaction is judged, with every adversary that asks as the tree allows. What several interactions "
        "reveal together, one after the other or interleaved, is outside.",
        _certified(question, findings)
        if finite
        else "No certificate proves the verdicts: the mechanism is no finite table. The records say what was computed, "
        "with proved enclosures lo <= value <= hi, and the audit makes them again.",
    ]
    if isinstance(table.channel, FormalChannel):
        told.append(
            "Probabilities are irrational; values that are not rational are proved enclosures lo <= value <= hi."
        )
    if any(
        isinstance(m, DivergenceMeasures) and isinstance(m.tight, Enclosure) and m.tight.reached
        for m in (finding.measures for finding in findings)
    ):
        told.append("The least rho is enclosed to about three digits.")
    if isinstance(table.channel, PoissonSubsampled) and any(isinstance(s.claim, GaussianDP) for s in question.stated):
        told.append(
            "The least mu of a Poisson subsampled Gaussian mechanism is that of the mechanism itself, whatever the "
            "rate: mu-GDP is about every epsilon at once, and far out in its tail the loss falls no faster. Sampling "
            "amplifies epsilon and delta, not mu."
        )
    if finite and any(measures.forward is None for measures in pairs):
        told.append("Trade-off corners are left out where writing them exactly would take more than 80 megabytes.")
    return told


def unanswered(question: Question, findings: Sequence[Finding]) -> list[str]:
    """Why a claim has no verdict for a pair, where another has one."""
    found = []
    for finding in findings:
        if finding.why is not None:
            labels = ", ".join(shorten(label, _LABEL_LENGTH) for label in question.table.pairs[finding.pair].labels)
            found.append(f"No verdict on {question.stated[finding.claim].written}, pair {labels}: {finding.why}.")
    return found


def _certified(question: Question, findings: Sequence[Finding]) -> str:
    """How far the certificates of a finite table go."""
    table = question.table
    missing = sum(finding.certificate is None for finding in findings)
    if not missing:
        rho = any(isinstance(stated.claim, ConcentratedDP) for stated in question.stated)
        said = _CERTIFIED[isinstance(table.channel, FormalChannel)].format(but=", except the least rho" if rho else "")
        return f"{said} {_OPEN}"
    if missing == len(findings):
        return "No certificate proves the verdicts. The records say what was computed, with proved enclosures."
    return (
        f"The certificates prove the verdicts of {len(findings) - missing} of {len(findings)} results; the records say "
        "what was computed for the others, with proved enclosures."
    )
