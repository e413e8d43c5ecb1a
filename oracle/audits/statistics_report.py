"""The report of an audit from samples: what was counted, how the event was chosen, what is refuted and why.

It is a document of its own kind, ``"report": "statistical_audit"``, beside that of :mod:`oracle.audits.report`: refuted
or undecided, never "holds". Numbers are exact strings, and the document is deterministic. The words that a certificate
proves stand in it as the independent checker says them.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from shlex import join
from typing import Any, Final

from oracle import __version__
from oracle.audits.findings import Stated
from oracle.audits.observations import Observations
from oracle.audits.report import VERSION, Report, curve_files, input_name
from oracle.audits.statistics import CountFinding
from oracle.audits.statistics_design import Design, UnderTest
from oracle.certificates.checker import check
from oracle.certificates.documents import Certificate
from oracle.claims import ApproximateDP, TradeoffClaim
from oracle.exact import to_text
from oracle.json_text import canonical, digest
from oracle.statistics.counts import CanaryScores, CountTable
from oracle.statistics.events import EventCounts
from oracle.statistics.one_run import OneRun

__all__ = ["build_statistical"]

Json = dict[str, Any]
_MOST_OUTCOMES: Final = 64

_LIMITS: Final = (
    "Undecided is no sign that a claim holds: counts never prove that one does.",
    "Two inputs are compared, with the mechanism as it ran; nothing is said of any other pair.",
    (
        "What nothing certifies: that the counts are those of the runs, the assumptions, names, claims as written, "
        "declared facts, these sentences, the commands, product, least levels and the violations that would have been "
        "found."
    ),
)
_TOGETHER: Final = "The bounds of P(S) and Q(S) hold together, so all refutations together have the stated confidence."
_APART: Final = "Each refutation has the stated confidence by itself; of several claims all together have less."


def build_statistical(
    observations: Observations,
    stated: Sequence[Stated],
    test: UnderTest,
    setup: Design,
    findings: Sequence[CountFinding],
) -> Report:
    """The report of what was found of each claim."""
    certificates: list[Certificate] = []
    claims = [_claim(item, finding, certificates) for item, finding in zip(stated, findings, strict=True)]
    together = isinstance(test.counts, EventCounts)
    document: Json = {
        "report": "statistical_audit",
        "version": VERSION,
        "product": {"name": "fdp-oracle", "version": __version__},
        "input": _input(observations),
        "confidence": to_text(setup.confidence),
        "selection": setup.selection.to_json(),
        "direction": setup.direction,
        "tested": _tested(test, setup),
        "claims": claims,
        "verdict": "refuted" if any(finding.refuted for finding in findings) else "undecided",
        "certificates": certificates,
        "assumptions": list(dict.fromkeys(sentence for finding in findings for sentence in finding.assumptions)),
        "declared": {},
        "limits": [*_LIMITS, *([] if len(stated) == 1 else [_TOGETHER if together else _APART])],
        "recheck": _recheck(observations, stated, setup, certified=bool(certificates)),
    }
    files = {name: text.encode() for name, text in curve_files(stated).items()}
    return Report({**document, "id": digest(document)}, {input_name(observations.form): observations.data, **files})


def _input(observations: Observations) -> Json:
    seen = observations.seen
    large = isinstance(seen, CanaryScores) or (isinstance(seen, CountTable) and len(seen.outcomes) > _MOST_OUTCOMES)
    return {
        "name": observations.name,
        "form": observations.form,
        "sha256": observations.sha256,
        "parsed_sha256": observations.parsed_sha256,
        **({} if large else {"observations": observations.to_json()}),
    }


def _tested(test: UnderTest, setup: Design) -> Json:
    counts = test.counts
    if isinstance(counts, OneRun):
        limits = None if test.thresholds is None else [to_text(t) for t in test.thresholds]
        return {"kind": "one_run", "how": test.how, "run": counts.to_json(), "thresholds": limits}
    event = {"how": test.how, "likelier_on": setup.likelier}
    if isinstance(counts, EventCounts):
        outcomes = None if test.outcomes is None else list(test.outcomes)
        both = {"first": counts.first.to_json(), "second": counts.second.to_json()}
        return {"kind": "event", **event, "outcomes": outcomes, "counts": both}
    bet = {} if setup.bet is None else {"bet": to_text(setup.bet)}
    return {"kind": "pairs", **event, "counts": counts.to_json(), **bet}


def _claim(stated: Stated, finding: CountFinding, certificates: list[Certificate]) -> Json:
    """One claim; its certificates join the list. Of a refutation the statement is that of the checker."""
    index = bound = None
    statement = finding.statement
    if finding.certificate is not None:
        index, statement = len(certificates), check(json.loads(canonical(finding.certificate))).statement
        certificates.append(finding.certificate)
    if finding.bound is not None:
        bound = {"exp_epsilon": to_text(finding.bound.exp_epsilon), "certificate": index}
        if finding.bound.certificate is not None:
            if finding.bound.certificate != finding.certificate:
                certificates.append(finding.bound.certificate)
            bound["certificate"] = len(certificates) - 1
    return {
        "written": stated.written,
        "parsed": stated.claim.to_json(),
        "words": stated.claim.describe(),
        "verdict": "refuted" if finding.refuted else "undecided",
        "statement": statement,
        "certificate": index,
        "bound": bound,
        "least_level": None if finding.least_level is None else to_text(finding.least_level),
        "violation": _violation(stated, finding),
    }


def _violation(stated: Stated, finding: CountFinding) -> Json | None:
    found, claim = finding.violation, stated.claim
    if found is None:
        return None
    level = to_text(found.exp_epsilon(claim.delta)) if isinstance(claim, ApproximateDP) else None
    return {"t": to_text(found.t), "exp_epsilon": level}


def _recheck(observations: Observations, stated: Sequence[Stated], setup: Design, *, certified: bool) -> list[str]:
    """The checker, where there is a certificate, and the audit of the same with the files beside the report."""
    curves = iter(curve_files(stated))
    words = ["oracle", "audit", input_name(observations.form)]
    for item in stated:
        words += ["--claim", f"curve={next(curves)}" if isinstance(item.claim, TradeoffClaim) else item.text]
    kind = setup.selection.kind
    words += ["--event", f"family:{setup.selection.size}" if kind == "family" else kind]
    words += ["--confidence", to_text(setup.confidence)]
    words += [word for name in setup.outcomes for word in ("--outcome", name)]
    words += [] if setup.likelier == "D" else ["--likelier-on", setup.likelier]
    words += [] if setup.direction == "both" else ["--direction", setup.direction]
    if setup.thresholds is not None:
        words += ["--threshold", ":".join(to_text(t) for t in dict.fromkeys(setup.thresholds))]
    words += [] if setup.bet is None else ["--bet", to_text(setup.bet)]
    checked = ["oracle verify report.json", "python -m oracle.certificates.checker report.json"]
    return [*(checked if certified else []), join(words)]
