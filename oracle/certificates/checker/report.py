"""Checking a whole audit report: its identity, its shape, and that everything it says follows from its certificates.

First the `id` is computed again, so that nothing was changed since the report was made.  An id is no signature, so the
rest is computed again too: every claim has one result for every pair; each result names one certificate of the right
kind, claim, direction and channel, and all are used; verdicts, order, totals and evidence follow.  The values of
rational pairs are computed again from the channels in the certificates.

Not certified, and said so: names and labels, claims as written, limits and commands, the product, that a file or an
expression has these probabilities (the hash of the file can be compared), the least rho, of which only the side of the
claimed one is proved, and the values of pairs with irrational probabilities.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from .findings import Finding, Reader, combined, ends, rank, word
from .interactive_report import check_tree, tight_channel
from .reading import canonical_hash, choice, fields, items, require_plain
from .records import records_outcome
from .report_parts import boolean, check_probabilities, count, read_declared, read_input, read_pair, require, text
from .stated import claim_text, claim_words
from .statistics_report import check_statistical_report
from .verdict import Accepted, Rejected, Unverified, quoted

Check = Callable[[object], Accepted]
Document = dict[str, object]

_DEEPEST = 600
_NAMED = 4
_MOST_DIGITS = 1000
_TOP = (
    *("report", "version", "id", "product", "input", "direction", "digits", "claims", "verdict", "equality", "pairs"),
    *("total_variation", "bayes_error", "results", "certificates", "records", "notes", "declared"),
    *("limits", "recheck"),
)
_CLAIM = ("written", "parsed", "words", "verdict", "equality", "worst", "slack")
_TIGHT = {
    "approximate_dp": ("tight_exp_epsilon", "tight_epsilon", "tight_delta"),
    "tradeoff": (),
    "divergence": ("tight",),
}
_OPEN = (
    "labels, claims as written, notes, declared facts, limits, recheck commands, product, name and form of the input,"
    " and that it gives these probabilities"
)


@dataclass(frozen=True, slots=True)
class Shape:
    """The parts of a report that its results refer to, each of the right shape."""

    document: Document
    source: Document
    claims: list[Document]
    pairs: list[Document]
    finite: bool
    irrational: bool


def check_report(document: Document, check: Check) -> tuple[Accepted | Unverified, list[Accepted]]:
    """Check a report; return its outcome and that of each certificate, which `check` checks.

    A report without certificates is `Unverified`.  Raise `Rejected`, with the field, for everything else.
    """
    require_plain(document, _DEEPEST)
    rest = {name: value for name, value in document.items() if name != "id"}
    if document.get("id") != canonical_hash(rest):
        raise Rejected("is not the hash of the rest: the report was changed", "$.id")
    if document.get("report") == "statistical_audit":
        return check_statistical_report(document, check)
    shape = _shape(document)
    certificates = items(document["certificates"], "$.certificates")
    records = items(document["records"], "$.records")
    results = items(document["results"], "$.results", 1)
    beside = 1 if "interactive" in shape.source else 0
    if len(certificates) + len(records) != len(results) + beside or (certificates and not shape.finite):
        wanted = "certificate or record" if shape.finite else "record"
        place = "$.certificates" if shape.finite else "$.records"
        raise Rejected(f"expected one {wanted} for each result and nothing else", place)
    accepted = [_certificate(item, k, check) for k, item in enumerate(certificates)]
    for k, found in enumerate(accepted):
        same = (found.kind == "formal_claim") is shape.irrational
        require(
            same, "does not fit the kind of the certificates", f"$.certificates[{k}]" if k else "$.input.irrational"
        )
    check_tree(shape.source, shape.pairs, certificates, accepted)
    last = certificates[-1] if beside else None
    decided = certificates[: len(certificates) - beside]
    deciding: dict[str, Sequence[object]] = {"certificate": decided, "record": records}
    reader = Reader(document, shape.claims, shape.pairs, deciding, tight_channel(last))
    findings = [reader.finding(item, k) for k, item in enumerate(results)]
    _covers(findings, len(shape.claims), len(shape.pairs))
    told = [_claim(claim, k, findings) for k, claim in enumerate(shape.claims)]
    verdict = word(finding.holds for finding in findings)
    require(document["verdict"] == verdict, "does not follow from the results", "$.verdict")
    equality = all(claim["equality"] is True for claim in shape.claims)
    require(document["equality"] is equality, "does not follow from the claims", "$.equality")
    for name, largest in (("total_variation", True), ("bayes_error", False)):
        stated = [pair[name] for pair in shape.pairs]
        most = combined(stated, [f"$.pairs[{k}].{name}" for k in range(len(stated))], largest=largest)
        require(ends(document[name], f"$.{name}") == most, "does not follow from the pairs", f"$.{name}")
    names = [f"{_told(shape, finding)}: " for finding in findings if "certificate" in finding.result]
    names += ["the mechanism: "] * beside
    accepted = [replace(item, statement=name + item.statement) for name, item in zip(names, accepted, strict=True)]
    if records:
        return records_outcome(document, verdict), accepted
    require(verdict != "undecided", "expected holds or refuted", "$.verdict")
    statement = _statement(shape, verdict, told, findings, len(reader.uncomputed))
    return Accepted("report", statement, ()), accepted


def _certificate(item: object, k: int, check: Check) -> Accepted:
    try:
        return check(item)
    except Rejected as rejected:
        raise Rejected(rejected.reason, f"$.certificates[{k}]{rejected.where.removeprefix('$')}") from None


def _shape(document: Document) -> Shape:
    """Read the closed objects of a report that are not results."""
    fields(document, _TOP, "$")
    require(document["report"] == "audit", 'expected "audit"', "$.report")
    require(type(document["version"]) is int and document["version"] == 1, "expected version 1", "$.version")
    product = fields(document["product"], ("name", "version"), "$.product")
    for name in product:
        text(product[name], f"$.product.{name}")
    choice(document["direction"], ("both", "forward", "backward"), "$.direction")
    require(count(document["digits"], 1, "$.digits") <= _MOST_DIGITS, "expected fewer digits", "$.digits")
    for name in ("limits", "recheck"):
        for k, sentence in enumerate(items(document[name], f"$.{name}", 1)):
            text(sentence, f"$.{name}[{k}]")
    for k, sentence in enumerate(items(document["notes"], "$.notes")):
        text(sentence, f"$.notes[{k}]")
    read_declared(document["declared"])
    source = read_input(document["input"])
    finite, irrational = (
        boolean(source["finite"], "$.input.finite"),
        boolean(source["irrational"], "$.input.irrational"),
    )
    rows = fields(source["shape"], ("inputs", "outputs"), "$.input.shape")
    inputs = count(rows["inputs"], 2, "$.input.shape.inputs")
    if finite:
        count(rows["outputs"], 1, "$.input.shape.outputs")
    else:
        require(rows["outputs"] is None and irrational, "expected no number of outputs", "$.input.shape.outputs")
    pairs = [read_pair(item, inputs, f"$.pairs[{k}]") for k, item in enumerate(items(document["pairs"], "$.pairs", 1))]
    named = [tuple(sorted(items(pair["rows"], "$.pairs"), key=str)) for pair in pairs]
    require(len(set(named)) == len(named), "expected each pair once", "$.pairs")
    check_probabilities(source, pairs)
    claims = []
    for k, item in enumerate(items(document["claims"], "$.claims", 1)):
        where = f"$.claims[{k}]"
        words, kind = claim_words(item.get("parsed") if isinstance(item, dict) else None, f"{where}.parsed")
        claim = fields(item, (*_CLAIM, *_TIGHT[kind]), where)
        text(claim["written"], f"{where}.written")
        require(claim["words"] == words, "are not the words for the claim as parsed", f"{where}.words")
        claims.append(claim)
    return Shape(document, source, claims, pairs, finite, irrational)


def _covers(findings: Sequence[Finding], claims: int, pairs: int) -> None:
    """Every claim has a result for every pair, by claim, the worst pair first."""
    if sorted((finding.claim, finding.pair) for finding in findings) != [
        (c, p) for c in range(claims) for p in range(pairs)
    ]:
        raise Rejected("expected one result for each claim and pair", "$.results")
    keys = [(finding.claim, rank(finding.holds), finding.slack, finding.pair) for finding in findings]
    require(keys == sorted(keys), "expected the results by claim, the worst pair first", "$.results")


def _claim(claim: Document, k: int, findings: Sequence[Finding]) -> str:
    """Check a claim over all pairs; return its verdict."""
    where = f"$.claims[{k}]"
    mine = [finding for finding in findings if finding.claim == k]
    verdict = word(finding.holds for finding in mine)
    require(claim["verdict"] == verdict, "does not follow from the results", f"{where}.verdict")
    equality = verdict == "holds" and any(finding.equality for finding in mine)
    require(claim["equality"] is equality, "does not follow from the results", f"{where}.equality")
    worst = count(claim["worst"], 0, f"{where}.worst")
    require(worst == mine[0].index, "is not the first result of the claim", f"{where}.worst")
    names = ["slack", *(name for name in ("tight_epsilon", "tight_delta", "tight") if name in claim)]
    for name in names:
        places = [f"$.results[{finding.index}].{name}" for finding in mine]
        found = combined([finding.result[name] for finding in mine], places, largest=name != "slack")
        require(ends(claim[name], f"{where}.{name}") == found, "does not follow from the results", f"{where}.{name}")
    if "tight_delta" in claim:
        levels = [finding.result["tight_exp_epsilon"] for finding in mine]
        known = None not in levels
        most = combined(levels, [where] * len(levels), largest=True) if known else None
        stated = claim["tight_exp_epsilon"]
        found_level = None if stated is None else ends(stated, f"{where}.tight_exp_epsilon")
        require(found_level == most, "does not follow from the results", f"{where}.tight_exp_epsilon")
    return verdict


def _told(shape: Shape, finding: Finding) -> str:
    pair = shape.pairs[finding.pair]
    return f"claim {claim_text(shape.claims[finding.claim]['parsed'])}, pair ({quoted(pair['p'])}, {quoted(pair['q'])})"


def _statement(shape: Shape, verdict: str, told: Sequence[str], findings: Sequence[Finding], large: int) -> str:
    """What the certificates prove together, and what of the report they do not."""
    parts = []
    for k, outcome in enumerate(told):
        hit = [finding for finding in findings if finding.claim == k and word([finding.holds]) == outcome]
        named = ", ".join(
            f"({quoted(shape.pairs[finding.pair]['p'])}, {quoted(shape.pairs[finding.pair]['q'])})"
            for finding in hit[:_NAMED]
        )
        more = f" and {len(hit) - _NAMED} more pairs" if len(hit) > _NAMED else ""
        parts.append(f"claim {claim_text(shape.claims[k]['parsed'])} {outcome} for {named}{more}")
    values = "tight values, slack, total variation, Bayes error and corners"
    if shape.irrational:
        tail = f"not certified: the {values}, as probabilities are irrational; {_OPEN}"
    else:
        left = f"those of {large} large pairs, " if large else ""
        least = any(isinstance(claim["parsed"], dict) and "rho" in claim["parsed"] for claim in shape.claims)
        but = " except the least rho" if least else ""
        left += "the least rho and its slack beyond their signs, " if least else ""
        tail = f"the {values} computed again{but}; not certified: {left}{_OPEN}"
    if shape.source["sha256"] is not None:
        tail += ", nor the hash of the file (compare it with --input FILE)"
    return f"{verdict.upper()}, as certified: {'; '.join(parts)}, direction {shape.document['direction']}; {tail}."
