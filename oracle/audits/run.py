"""Runs an audit: every claim judged for every neighbouring pair, each verdict checked before it is told."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, cast, get_args

from oracle.audits.declared import declare
from oracle.audits.divergence_measures import DivergenceMeasures, measure_divergence
from oracle.audits.files import report_files, write_files
from oracle.audits.findings import Finding, Question, Stated
from oracle.audits.measures import CurveMeasures, LevelMeasures, bounds, measure_curve, measure_level, measure_pair
from oracle.audits.observations import Observations, Seen, read_observations
from oracle.audits.report import Report, build
from oracle.audits.statistics import judge_claims
from oracle.audits.statistics_design import Design, design, under_test
from oracle.audits.statistics_report import build_statistical
from oracle.audits.tables import Source, Table, read_table
from oracle.audits.undecided import undecided_record
from oracle.certificates.checker import Rejected, check, check_report
from oracle.channels.divergences import DIRECTIONS, Direction
from oracle.claims import (
    ApproximateDP,
    Claim,
    DivergenceClaim,
    TradeoffClaim,
    claim_text,
    parse_claim,
    parse_claim_text,
)
from oracle.enclosures import DEFAULT_DIGITS, parse_digits
from oracle.errors import InputError, UncertifiedError, UndecidedError, shorten
from oracle.interactive.verdicts import judge_tree
from oracle.json_text import canonical
from oracle.mechanisms.evaluate import Pair as Laws
from oracle.verdicts import Verdict, judge

__all__ = ["CertificateRefusedError", "ClaimLike", "audit"]

ClaimLike = str | Claim | Mapping[str, Any]
"""The text of ``--claim``, a claim, or its JSON form."""

_WRITTEN_LENGTH: Final = 1000
_CONFIDENCE: Final = "19/20"


class CertificateRefusedError(UndecidedError):
    """The independent checker did not accept a certificate of our own, so no verdict is given."""

    def __init__(self, certificate: str, reason: Rejected) -> None:
        super().__init__(certificate, 0)
        self.reason = reason
        self.args = (f"no verdict: the checker does not accept the certificate of {certificate}: {reason}",)


def audit(  # noqa: PLR0913 - one keyword for each option of the command
    source: Source | Table | Observations | Seen,
    claims: ClaimLike | Sequence[ClaimLike],
    *,
    pairs: Sequence[Sequence[str]] | None = None,
    direction: str = "both",
    digits: int = DEFAULT_DIGITS,
    out: str | Path | None = None,
    event: str | None = None,
    confidence: object = None,
    outcomes: Sequence[str] = (),
    likelier_on: str = "D",
    threshold: str | None = None,
    bet: object = None,
    declared: Mapping[str, str] | None = None,
) -> Report:
    """Decide claims about a table or mechanism, with a certificate for each claim and pair; or test them on counts.

    Args:
        source: a path (JSON, .csv, .tsv), a JSON value, a channel, a mechanism node, an interactive mechanism, or a
            table read before; or counts, in a file or as they are (:mod:`oracle.audits.observations`).
        claims: one or more; every one must hold for every pair.
        pairs: neighbouring pairs of input labels, where the source lists none and has more than two inputs.
        direction: both, or only forward (P against Q) or backward (Q against P).
        digits: of the enclosures of values that are not rational.
        out: a directory for report.json and the certificates; written when all is decided.
        event: with counts, how the event was chosen: "declared", "split" or "family:N". None of what follows goes with
            probabilities.
        confidence: of a refutation; 19/20 unless given.
        outcomes: the names of the outcomes of the event.
        likelier_on: D, Dprime or either: on which input the event was said to be too likely.
        threshold: of canary scores, "T", or "LOW:HIGH" with no guess between.
        bet: of pairs of runs, against the claim.
        declared: facts that the report repeats as declared and not checked, by field (:mod:`oracle.audits.declared`).

    Raises:
        InputError: for malformed input, with its place.
        Declined: for a mechanism or a claim that is not offered.
        UndecidedError: for a comparison beyond the precision limit, or a certificate that the checker refuses, where
            it leaves no verdict at all. Beside other verdicts it is "undecided", and the report says why.
        UncertifiedError: likewise, for a verdict for which the checker accepts no certificate.
    """
    given = {"event": event, "confidence": confidence, "outcomes": outcomes, "threshold": threshold, "bet": bet}
    used = [name for name, value in given.items() if value] + ([] if likelier_on == "D" else ["likelier_on"])
    seen = _observations(source, used)
    if seen is not None:
        if pairs:
            raise InputError("no pairs, since counts are of one pair of inputs", "pairs", "pairs")
        setup = design(
            confidence=_CONFIDENCE if confidence is None else confidence,
            event=event,
            likelier=likelier_on,
            direction=_direction(direction),
            outcomes=outcomes,
            threshold=threshold,
            bet=bet,
        )
        return _finished(_audit_counts(seen, _stated(claims), setup), declared, out)
    table = source if isinstance(source, Table) else read_table(cast("Source", source), pairs)
    if isinstance(source, Table) and pairs:
        raise InputError("the pairs in one place", "a table read before and pairs", "pairs")
    question = Question(table, tuple(_stated(claims)), _direction(direction), parse_digits(digits))
    channels = [table.pair_channel(pair) for pair in table.pairs]
    findings: list[Finding] = []
    faults: list[UndecidedError | UncertifiedError] = []
    for k in range(len(question.stated)):
        found = [_judge(channel, question, k, i, faults) for i, channel in enumerate(channels)]
        findings += sorted(found, key=_worst_first)
    if len(faults) == len(findings):
        raise faults[0]
    report = build(question, [measure_pair(channel, question.digits) for channel in channels], findings)
    return _finished(report, declared, out)


def _finished(report: Report, declared: Mapping[str, str] | None, out: str | Path | None) -> Report:
    """The report with what was declared, as the checker accepts it, and written if that is asked for."""
    told = declare(report, declared or {})
    _check_whole(told)
    if out is not None:
        write_files(Path(out), report_files(told))
    return told


def _observations(source: Source | Table | Observations | Seen, used: Sequence[str]) -> Observations | None:
    """What was counted; None for probabilities, with which no option of counts goes."""
    if isinstance(source, Observations):
        return source
    if isinstance(source, (str, Path, Mapping, *get_args(Seen))):
        return read_observations(cast("str | Path | Mapping[str, Any] | Seen", source), certain=bool(used))
    if used:
        raise InputError(f"counts beside {', '.join(used)}", "probabilities", "source")
    return None


def _audit_counts(seen: Observations, stated: Sequence[Stated], setup: Design) -> Report:
    """Test claims on counts: refuted or undecided, with a certificate of each refutation."""
    test = under_test(seen, [item.claim for item in stated], setup)
    return build_statistical(seen, stated, test, setup, judge_claims(stated, test, setup))


def _check_whole(report: Report) -> None:
    """The checker reads the report as anyone will; what it does not accept is never told."""
    try:
        check_report(json.loads(report.to_text()))
    except Rejected as reason:
        raise CertificateRefusedError("the whole report", reason) from None


def _direction(value: str) -> Direction:
    for known in DIRECTIONS:
        if value == known:
            return known
    raise InputError("forward, backward or both", shorten(value), "direction")


def _judge(
    channel: Laws, question: Question, k: int, pair: int, faults: list[UndecidedError | UncertifiedError]
) -> Finding:
    """The finding on claim *k* for one pair; where there is no verdict, undecided, and the error joins *faults*."""
    claim, direction, digits = question.stated[k].claim, question.direction, question.digits
    why = None
    try:
        verdict = _checked_verdict(channel, question, k, pair)
    except (UndecidedError, UncertifiedError) as error:
        faults.append(error)
        why, bits = str(error), error.bits if isinstance(error, UndecidedError) else 0
        verdict = Verdict("undecided", None, undecided_record(channel, claim, direction, digits, bits), bits)
    measures: LevelMeasures | CurveMeasures | DivergenceMeasures
    if isinstance(claim, DivergenceClaim):
        known = None if verdict.holds == "undecided" else verdict.holds
        measures = measure_divergence(channel, claim, direction, digits, holds=known)
    elif isinstance(claim, ApproximateDP):
        measures = measure_level(channel, claim, direction, digits, holds=verdict.holds is True)
    else:
        measures = measure_curve(channel, claim.curve, direction, digits)
    return Finding(k, pair, verdict.holds, measures, verdict.certificate, verdict.record, why)


def _checked_verdict(channel: Laws, question: Question, k: int, pair: int) -> Verdict:
    """The verdict on claim *k* for one pair, its certificate checked; a record has nothing to check."""
    verdict = _verdict(channel, question, question.stated[k].claim)
    try:
        # Through its text, which is what a reader of the certificate has.
        if verdict.certificate is not None:
            check(json.loads(canonical(verdict.certificate)))
    except Rejected as reason:
        raise CertificateRefusedError(f'the claim "{question.stated[k].written}" for pair {pair + 1}', reason) from None
    return verdict


def _verdict(channel: Laws, question: Question, claim: Claim) -> Verdict:
    simulation = question.table.simulation
    if simulation is None:
        return judge(channel, claim, question.direction, question.digits)
    found = judge_tree(simulation.mechanism, claim, question.direction, simulation)
    return Verdict(found.holds, found.certificate)


def _worst_first(finding: Finding) -> tuple[int, Any, int]:
    """Refuted before undecided before held, less slack before more; then the order of the pairs."""
    return (False, "undecided", True).index(finding.holds), bounds(finding.measures.slack), finding.pair


def _stated(claims: ClaimLike | Sequence[ClaimLike]) -> list[Stated]:
    given = claims if isinstance(claims, Sequence) and not isinstance(claims, str) else [claims]
    if not given:
        raise InputError("at least one claim", "none", "claims")
    return [_one_claim(value) for value in given]


def _one_claim(value: ClaimLike) -> Stated:
    if isinstance(value, Claim):
        return Stated(canonical(value.to_json()), value, claim_text(value))
    if isinstance(value, Mapping):
        claim = parse_claim(value)
        return Stated(canonical(claim.to_json()), claim, claim_text(claim))
    if not isinstance(value, str):
        raise InputError('a claim such as "exp_eps=2,delta=1/4"', shorten(value), "claims")
    claim = parse_claim_text(value)
    written = value.strip()
    if isinstance(claim, TradeoffClaim):
        # The name of the file, not where it lies on this machine.
        written = f"curve={Path(written.partition('=')[2].strip()).name}"
    return Stated(shorten(written, _WRITTEN_LENGTH), claim, written)
