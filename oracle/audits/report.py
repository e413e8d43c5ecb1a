"""The report of an audit: one JSON document that says what was claimed, what holds, and why.

All numbers are exact strings, or ``{"lo", "hi"}`` where a value is transcendental. The document is
deterministic: no time, no path, the same bytes for the same input. Renderers read the document and nothing else.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from shlex import join
from typing import Any, Final, Literal

from oracle import __version__
from oracle.audits.adversary_evidence import interactive_evidence
from oracle.audits.divergence_measures import DivergenceMeasures
from oracle.audits.evidence import evidence_of, json_number, json_probability
from oracle.audits.findings import Finding, Question, Stated
from oracle.audits.limits import limits, unanswered
from oracle.audits.measures import CurveMeasures, LevelMeasures, PairMeasures, largest, smallest
from oracle.audits.shrinking import notes
from oracle.audits.tables import Pair, Table, probabilities_hash
from oracle.certificates.documents import Certificate
from oracle.certificates.records import Record
from oracle.channels.channel import Channel
from oracle.claims import TradeoffClaim
from oracle.enclosures import DEFAULT_DIGITS
from oracle.errors import shorten
from oracle.exact import to_text
from oracle.experiments.base import Experiment
from oracle.interactive.tree import AnswerNode, InteractiveMechanism, QueryNode
from oracle.json_text import canonical, digest
from oracle.mechanisms.evaluate import Pair as Laws

__all__ = ["VERSION", "Report", "build", "curve_files", "input_name"]

VERSION: Final = 1
"""Version of the report's shape; its schema is ``report.schema.json``."""

Json = dict[str, Any]
_NAME_LENGTH: Final = 200

_EXPRESSION_LENGTH: Final = 20_000
_TABLE_CELLS: Final = 64

Outcome = Literal["holds", "refuted", "undecided"]


@dataclass(frozen=True, slots=True)
class Report:
    """The outcome of an audit.

    Attributes:
        document: the whole report as a JSON value.
        inputs: files by name with which the audit can be run again: what was audited and the claimed curves.
    """

    document: Json = field(repr=False)
    inputs: Mapping[str, bytes] = field(default_factory=dict, repr=False)

    @property
    def holds(self) -> bool:
        """Whether every claim holds for every pair."""
        return self.verdict == "holds"

    @property
    def verdict(self) -> Outcome:
        """The verdict in one word: refuted if one claim is for one pair, else undecided if one is."""
        word: Outcome = self.document["verdict"]
        return word

    @property
    def equality(self) -> bool:
        """Whether every claim holds with nothing to spare (see :func:`build`); of counts it is never known."""
        return bool(self.document.get("equality", False))

    @property
    def certificates(self) -> list[Certificate]:
        """The certificates in the order of their results, one for each claim and pair that has no record.

        Of an interactive mechanism the last one is beside them: its simulation by the tight channel, and that it is so.
        """
        return list(self.document["certificates"])

    @property
    def records(self) -> list[Record]:
        """What stands in their place, for an experiment say: what was computed, not proved to the checker."""
        return list(self.document.get("records", ()))

    def to_text(self) -> str:
        """The document as canonical JSON: sorted keys, no spaces, one text for one report."""
        return canonical(self.document)


def build(question: Question, pairs: Sequence[PairMeasures], findings: Sequence[Finding]) -> Report:
    """The report of findings that are already in their order: by claim, the worst pair first.

    ``equality`` of a claim: it holds for all pairs and is attained by one; of the report: that of all claims. The tight
    values, total variation and Bayes error beside the pairs are the worst over all of them.
    """
    table, stated = question.table, question.stated
    channels = [table.pair_channel(pair) for pair in table.pairs]
    claims = []
    for k, item in enumerate(stated):
        mine = [finding for finding in findings if finding.claim == k]
        claims.append(_claim(item, mine, findings.index(mine[0])))
    results = [
        _result(finding, i, channels[finding.pair], question)
        for finding, i in zip(findings, _indices(findings), strict=True)
    ]
    document: Json = {
        "report": "audit",
        "version": VERSION,
        "product": {"name": "fdp-oracle", "version": __version__},
        "input": _input(table),
        "direction": question.direction,
        "digits": question.digits,
        "claims": claims,
        "verdict": _verdict(findings),
        "equality": all(claim["equality"] for claim in claims),
        "total_variation": json_probability(largest(measures.total_variation for measures in pairs)),
        "bayes_error": json_probability(smallest(measures.bayes_error for measures in pairs)),
        "pairs": [_pair(*item) for item in zip(table.pairs, channels, pairs, strict=True)],
        "results": results,
        "certificates": [*(f.certificate for f in findings if f.certificate is not None), *_simulation(table)],
        "records": [finding.record for finding in findings if finding.record is not None],
        "notes": notes(question, list(findings)),
        "declared": {},
        "limits": [*unanswered(question, findings), *limits(question, pairs, findings)],
        "recheck": _recheck(question),
    }
    return Report({**document, "id": digest(document)}, _inputs(question))


def _simulation(table: Table) -> list[Certificate]:
    """For an interactive mechanism, what proves that all values beside the verdicts are those of its tight channel."""
    return [] if table.simulation is None else [table.simulation.certificate()]


def _indices(findings: Sequence[Finding]) -> list[int]:
    """The index of the certificate or record of each finding in its own list."""
    counts = {True: 0, False: 0}
    found = []
    for finding in findings:
        certified = finding.certificate is not None
        found.append(counts[certified])
        counts[certified] += 1
    return found


def _verdict(findings: Sequence[Finding]) -> Outcome:
    found = [finding.holds for finding in findings]
    return "refuted" if False in found else "undecided" if "undecided" in found else "holds"


def curve_files(stated: Sequence[Stated]) -> dict[str, str]:
    """The curves of trade-off claims by the names of their files."""
    curves = [item.claim.curve for item in stated if isinstance(item.claim, TradeoffClaim)]
    return {f"curve-{k:02}.json": canonical(curve.to_json()) + "\n" for k, curve in enumerate(curves, 1)}


def _inputs(question: Question) -> dict[str, bytes]:
    """What an audit of the same needs, by file name: what was audited, byte for byte, and the claimed curves."""
    table = question.table
    if table.data is None:
        return {}
    curves = {name: text.encode() for name, text in curve_files(question.stated).items()}
    return {input_name(table.form): table.data, **curves}


def input_name(form: str) -> str:
    """The name of the file with what was audited."""
    return f"input.{'json' if form == 'python' else form}"


def _recheck(question: Question) -> list[str]:
    """Certificates are checked by the checker; the audit of the same is run with the files beside the report."""
    table = question.table
    checked = ["oracle verify report.json", "python -m oracle.certificates.checker report.json"]
    commands = [] if isinstance(table.channel, Experiment) else checked
    if table.data is None:
        return commands
    curves = iter(curve_files(question.stated))
    words = ["oracle", "audit", input_name(table.form)]
    for item in question.stated:
        words += ["--claim", f"curve={next(curves)}" if isinstance(item.claim, TradeoffClaim) else item.text]
    if table.given:
        words += [word for pair in table.pairs for word in ("--pair", *pair.labels)]
    words += [] if question.direction == "both" else ["--direction", question.direction]
    words += [] if question.digits == DEFAULT_DIGITS else ["--digits", str(question.digits)]
    return [*commands, join(words)]


def _input(table: Table) -> Json:
    finite = not isinstance(table.channel, Experiment)
    rows, columns = (2, None) if isinstance(table.channel, Experiment) else table.channel.shape
    tree = {} if table.simulation is None else {"interactive": _tree(table.simulation.mechanism)}
    return {
        **_contents(table),
        **tree,
        "name": table.name,
        "form": table.form,
        "sha256": table.sha256,
        "parsed_sha256": table.parsed_sha256,
        "shape": {"inputs": rows, "outputs": columns},
        "finite": finite,
        "irrational": not isinstance(table.channel, Channel),
    }


def _tree(mechanism: InteractiveMechanism) -> Json:
    """What a report says of an interactive mechanism; the tree itself is in the certificates."""
    queries, answers = (sum(isinstance(node, kind) for node in mechanism.nodes) for kind in (QueryNode, AnswerNode))
    name = None if mechanism.name is None else shorten(mechanism.name, _NAME_LENGTH)
    sizes = {"nodes": mechanism.size, "query_nodes": queries, "answer_nodes": answers, "depth": mechanism.depth}
    return {"name": name, **sizes}


def _contents(table: Table) -> Json:
    """The mechanism itself: its expression, or a small table."""
    if table.simulation is not None:
        return {}
    if table.expression is not None:
        text = canonical(table.expression)
        return {"expression": json.loads(text)} if len(text) <= _EXPRESSION_LENGTH else {}
    channel = table.channel
    if not isinstance(channel, Channel) or channel.shape[0] * channel.shape[1] > _TABLE_CELLS:
        return {}
    return {"table": channel.to_json()}


def _pair(pair: Pair, channel: Laws, measures: PairMeasures) -> Json:
    curves = {"forward": measures.forward, "backward": measures.backward}
    corners = {
        name: None if c is None else [[json_probability(a), json_probability(b)] for a, b in c]
        for name, c in curves.items()
    }
    return {
        "p": shorten(pair.labels[0], _NAME_LENGTH),
        "q": shorten(pair.labels[1], _NAME_LENGTH),
        "rows": list(pair.rows),
        "sha256": probabilities_hash(channel),
        "total_variation": json_probability(measures.total_variation),
        "bayes_error": json_probability(measures.bayes_error),
        "symmetric": measures.symmetric,
        "tradeoff": corners,
    }


def _claim(stated: Stated, findings: Sequence[Finding], first: int) -> Json:
    """A claim over all pairs; *first* is the index of its worst result."""
    verdict = _verdict(findings)
    claim: Json = {
        "written": stated.written,
        "parsed": stated.claim.to_json(),
        "words": stated.claim.describe(),
        "verdict": verdict,
        "equality": verdict == "holds" and any(finding.equality for finding in findings),
        "worst": first,
        "slack": json_number(smallest(finding.measures.slack for finding in findings)),
    }
    numbers = [finding.measures.tight for finding in findings if isinstance(finding.measures, DivergenceMeasures)]
    if numbers:
        return {**claim, "tight": json_number(largest(numbers))}
    measures = [finding.measures for finding in findings if isinstance(finding.measures, LevelMeasures)]
    return claim if not measures else {**claim, **_tight(measures)}


def _tight(measures: Sequence[LevelMeasures]) -> Json:
    """The least level and delta that serve for all of several pairs."""
    levels = [m.least_level for m in measures]
    exact = [level.value for level in levels if level is not None and level.value is not None]
    return {
        "tight_exp_epsilon": to_text(max(exact)) if len(exact) == len(levels) else None,
        "tight_epsilon": json_number(largest(m.epsilon for m in measures)),
        "tight_delta": json_probability(largest(m.delta for m in measures)),
    }


def _result(finding: Finding, index: int, channel: Laws, question: Question) -> Json:
    claim = question.stated[finding.claim].claim
    common = {"claim": finding.claim, "pair": finding.pair, "holds": finding.holds, "equality": finding.equality}
    proof = finding.certificate or finding.record or {}
    held = finding.holds is True
    if question.table.simulation is not None and finding.certificate is not None:
        evidence = interactive_evidence(proof, claim, question.digits, holds=held)
    else:
        evidence = evidence_of(proof, channel, claim, question.digits, holds=held)
    tail = {"evidence": evidence, "record" if finding.certificate is None else "certificate": index}
    measures = finding.measures
    if isinstance(measures, DivergenceMeasures):
        values = {"tight": json_number(measures.tight), "slack": json_number(measures.slack)}
        return {"about": "divergence", **common, **values, **tail}
    if isinstance(measures, CurveMeasures):
        alpha = None if measures.alpha is None else json_number(measures.alpha)
        where = {"alpha": alpha, "direction": measures.direction}
        return {"about": "tradeoff", **common, "slack": json_number(measures.slack), "least_gap": where, **tail}
    slack = {"slack": json_number(measures.slack), "level_is_least": measures.level_is_least}
    return {"about": "approximate_dp", **common, **_tight([measures]), **slack, **tail}
