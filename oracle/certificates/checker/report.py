"""Checking a whole audit report: its identity, its shape, and that everything it says follows from its certificates.

First the `id` is computed again, so that nothing was changed since the report was made.  An id is no signature, so the
rest is computed again too: every claim has one result for every pair; each result names one certificate of the right
kind, claim, direction and channel, and all are used; verdicts, order, totals and evidence follow.  The values of
rational pairs are computed again from the channels in the certificates.

Not certified, and said so: names and labels, the wording of claims and limits, that a file or an expression has these
probabilities (the hash of the file can be compared), and the values of pairs with irrational probabilities.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from .findings import Finding, Reader, claim_text, claim_words, combined, ends, rank, word
from .matrices import matrix, matrix_hash
from .reading import canonical_hash, choice, fields, index, items, require_plain
from .records import records_outcome
from .verdict import Accepted, Rejected, Unverified, quoted

Check = Callable[[object], Accepted]
Document = dict[str, object]

_HEX = re.compile(r"[0-9a-f]{64}")
_DEEPEST = 600
_NAMED = 4
_LONGEST_LABEL = 200
_MOST_DIGITS = 1000
_TOP = (
    *("report", "version", "id", "product", "input", "direction", "digits", "claims", "verdict", "equality", "pairs"),
    *("total_variation", "bayes_error", "results", "certificates", "records", "limits", "recheck"),
)
_INPUT = ("name", "form", "sha256", "parsed_sha256", "shape", "finite", "irrational")
_PAIR = ("p", "q", "rows", "sha256", "total_variation", "bayes_error", "symmetric", "tradeoff")
_CLAIM = ("written", "parsed", "words", "verdict", "equality", "worst", "slack")
_TIGHT = ("tight_exp_epsilon", "tight_epsilon", "tight_delta")
_OPEN = "labels, wording, and that the input gives these probabilities"


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
    shape = _shape(document)
    certificates = items(document["certificates"], "$.certificates")
    records = items(document["records"], "$.records")
    results = items(document["results"], "$.results", 1)
    if len(certificates if shape.finite else records) != len(results) or (records if shape.finite else certificates):
        wanted = "certificate" if shape.finite else "record"
        raise Rejected(f"expected one {wanted} for each result and nothing else", f"$.{wanted}s")
    accepted = [_certificate(item, k, check) for k, item in enumerate(certificates)]
    for k, found in enumerate(accepted):
        same = (found.kind == "formal_claim") is shape.irrational
        _require(
            same, "does not fit the kind of the certificates", f"$.certificates[{k}]" if k else "$.input.irrational"
        )
    reader = Reader(document, shape.claims, shape.pairs, certificates or records)
    findings = [reader.finding(item, k) for k, item in enumerate(results)]
    _covers(findings, len(shape.claims), len(shape.pairs))
    told = [_claim(claim, k, findings) for k, claim in enumerate(shape.claims)]
    verdict = word(finding.holds for finding in findings)
    _require(document["verdict"] == verdict, "does not follow from the results", "$.verdict")
    equality = all(claim["equality"] is True for claim in shape.claims)
    _require(document["equality"] is equality, "does not follow from the claims", "$.equality")
    for name, largest in (("total_variation", True), ("bayes_error", False)):
        stated = [pair[name] for pair in shape.pairs]
        most = combined(stated, [f"$.pairs[{k}].{name}" for k in range(len(stated))], largest=largest)
        _require(ends(document[name], f"$.{name}") == most, "does not follow from the pairs", f"$.{name}")
    if not shape.finite:
        return records_outcome(document, verdict), []
    _require(not shape.irrational or verdict != "undecided", "expected holds or refuted", "$.verdict")
    names = [f"{_told(shape, finding)}: " for finding in findings]
    accepted = [replace(item, statement=name + item.statement) for name, item in zip(names, accepted, strict=True)]
    statement = _statement(shape, verdict, told, findings, len(reader.uncomputed))
    return Accepted("report", statement, ()), accepted


def _require(condition: bool, reason: str, where: str) -> None:
    if not condition:
        raise Rejected(reason, where)


def _certificate(item: object, k: int, check: Check) -> Accepted:
    try:
        return check(item)
    except Rejected as rejected:
        raise Rejected(rejected.reason, f"$.certificates[{k}]{rejected.where.removeprefix('$')}") from None


def _text(value: object, where: str) -> str:
    if not isinstance(value, str) or not value:
        raise Rejected("expected text", where)
    return value


def _hash(value: object, where: str) -> None:
    if not isinstance(value, str) or not _HEX.fullmatch(value):
        raise Rejected("expected a SHA-256", where)


def _boolean(value: object, where: str) -> bool:
    if not isinstance(value, bool):
        raise Rejected("expected true or false", where)
    return value


def _count(value: object, least: int, where: str) -> int:
    if type(value) is not int or value < least:
        raise Rejected(f"expected an integer of at least {least}", where)
    return value


def _shape(document: Document) -> Shape:
    """Read the closed objects of a report that are not results."""
    fields(document, _TOP, "$")
    _require(document["report"] == "audit", 'expected "audit"', "$.report")
    _require(type(document["version"]) is int and document["version"] == 1, "expected version 1", "$.version")
    product = fields(document["product"], ("name", "version"), "$.product")
    for name in product:
        _text(product[name], f"$.product.{name}")
    choice(document["direction"], ("both", "forward", "backward"), "$.direction")
    _require(_count(document["digits"], 1, "$.digits") <= _MOST_DIGITS, "expected fewer digits", "$.digits")
    for name in ("limits", "recheck"):
        for k, sentence in enumerate(items(document[name], f"$.{name}", 1)):
            _text(sentence, f"$.{name}[{k}]")
    source = _input(document["input"])
    finite, irrational = (
        _boolean(source["finite"], "$.input.finite"),
        _boolean(source["irrational"], "$.input.irrational"),
    )
    rows = fields(source["shape"], ("inputs", "outputs"), "$.input.shape")
    count = _count(rows["inputs"], 2, "$.input.shape.inputs")
    if finite:
        _count(rows["outputs"], 1, "$.input.shape.outputs")
    else:
        _require(rows["outputs"] is None and irrational, "expected no number of outputs", "$.input.shape.outputs")
    pairs = [_pair(item, count, f"$.pairs[{k}]") for k, item in enumerate(items(document["pairs"], "$.pairs", 1))]
    named = [tuple(sorted(items(pair["rows"], "$.pairs"), key=str)) for pair in pairs]
    _require(len(set(named)) == len(named), "expected each pair once", "$.pairs")
    _probabilities(source, pairs)
    claims = []
    for k, item in enumerate(items(document["claims"], "$.claims", 1)):
        where = f"$.claims[{k}]"
        level = isinstance(item, dict) and "tight_delta" in item
        claim = fields(item, (*_CLAIM, *_TIGHT) if level else _CLAIM, where)
        _text(claim["written"], f"{where}.written")
        words, by_level = claim_words(claim["parsed"], f"{where}.parsed")
        _require(claim["words"] == words, "are not the words for the claim as parsed", f"{where}.words")
        _require(level is by_level, "expected tight values for a claim of epsilon and delta only", where)
        claims.append(claim)
    return Shape(document, source, claims, pairs, finite, irrational)


def _input(value: object) -> Document:
    optional = [name for name in ("expression", "table") if isinstance(value, dict) and name in value]
    _require(len(optional) < 2, "expected an expression or a table", "$.input")
    source = fields(value, (*_INPUT, *optional), "$.input")
    _text(source["name"], "$.input.name")
    choice(source["form"], ("json", "csv", "tsv", "python"), "$.input.form")
    if source["sha256"] is not None or source["form"] != "python":
        _hash(source["sha256"], "$.input.sha256")
    _hash(source["parsed_sha256"], "$.input.parsed_sha256")
    if "expression" in source:
        expression = source["expression"]
        named = isinstance(expression, dict) and isinstance(expression.get("mechanism"), str)
        _require(named, "expected a mechanism expression", "$.input.expression")
    return source


def _pair(value: object, inputs: int, where: str) -> Document:
    pair = fields(value, _PAIR, where)
    for name in ("p", "q"):
        _require(isinstance(pair[name], str), "expected a label", f"{where}.{name}")
    rows = [index(row, inputs, f"{where}.rows") for row in items(pair["rows"], f"{where}.rows")]
    _require(len(rows) == 2 and rows[0] != rows[1], "expected two different rows", f"{where}.rows")
    _hash(pair["sha256"], f"{where}.sha256")
    _boolean(pair["symmetric"], f"{where}.symmetric")
    fields(pair["tradeoff"], ("forward", "backward"), f"{where}.tradeoff")
    return pair


def _probabilities(source: Document, pairs: Sequence[Document]) -> None:
    """The hashes of a table and of its pairs belong together."""
    if "table" not in source:
        shape = fields(source["shape"], ("inputs", "outputs"), "$.input.shape")
        for k, pair in enumerate(pairs):
            same = pair["rows"] != [0, 1] or shape["inputs"] != 2 or pair["sha256"] == source["parsed_sha256"]
            _require(same, "is not the hash of the input", f"$.pairs[{k}].sha256")
        return
    where = "$.input.table"
    value = source["table"]
    labels = [name for name in ("inputs", "outputs") if isinstance(value, dict) and name in value]
    table = fields(value, ("matrix", *labels), where)
    rows = matrix(table["matrix"], f"{where}.matrix")
    texts = items(table["matrix"], where)
    _require(
        source["shape"] == {"inputs": len(rows), "outputs": len(rows[0])}, "is not that of the table", "$.input.shape"
    )
    for name in labels:
        listed = items(table[name], f"{where}.{name}")
        fits = len(listed) == len(rows if name == "inputs" else rows[0]) and len(set(map(str, listed))) == len(listed)
        _require(
            fits and all(isinstance(label, str) for label in listed), "expected a label for each", f"{where}.{name}"
        )
    found = matrix_hash(table["matrix"])
    _require(source["parsed_sha256"] == found, "is not the hash of the table", "$.input.parsed_sha256")
    names = items(table["inputs"], where) if "inputs" in table else ["P", "Q"]
    _require(len(names) == len(rows), "expected a label for each", f"{where}.inputs")
    for k, pair in enumerate(pairs):
        first, second = (index(row, len(rows), "$.pairs") for row in items(pair["rows"], "$.pairs"))
        same = pair["sha256"] == matrix_hash([texts[first], texts[second]])
        _require(same, "is not the hash of these rows of the table", f"$.pairs[{k}].sha256")
        for name, row in (("p", first), ("q", second)):
            label = str(names[row])
            # A label that is long or not printable is written in another way.
            plain = label.isprintable() and len(label) <= _LONGEST_LABEL
            _require(not plain or pair[name] == label, "is not the label of its row", f"$.pairs[{k}].{name}")


def _covers(findings: Sequence[Finding], claims: int, pairs: int) -> None:
    """Every claim has a result for every pair, by claim, the worst pair first."""
    if sorted((finding.claim, finding.pair) for finding in findings) != [
        (c, p) for c in range(claims) for p in range(pairs)
    ]:
        raise Rejected("expected one result for each claim and pair", "$.results")
    keys = [(finding.claim, rank(finding.holds), finding.slack, finding.pair) for finding in findings]
    _require(keys == sorted(keys), "expected the results by claim, the worst pair first", "$.results")


def _claim(claim: Document, k: int, findings: Sequence[Finding]) -> str:
    """Check a claim over all pairs; return its verdict."""
    where = f"$.claims[{k}]"
    mine = [finding for finding in findings if finding.claim == k]
    verdict = word(finding.holds for finding in mine)
    _require(claim["verdict"] == verdict, "does not follow from the results", f"{where}.verdict")
    equality = verdict == "holds" and any(finding.equality for finding in mine)
    _require(claim["equality"] is equality, "does not follow from the results", f"{where}.equality")
    worst = _count(claim["worst"], 0, f"{where}.worst")
    _require(worst == mine[0].index, "is not the first result of the claim", f"{where}.worst")
    names = ["slack", *(["tight_epsilon", "tight_delta"] if "tight_delta" in claim else [])]
    for name in names:
        places = [f"$.results[{finding.index}].{name}" for finding in mine]
        found = combined([finding.result[name] for finding in mine], places, largest=name != "slack")
        _require(ends(claim[name], f"{where}.{name}") == found, "does not follow from the results", f"{where}.{name}")
    if "tight_delta" in claim:
        levels = [finding.result["tight_exp_epsilon"] for finding in mine]
        known = None not in levels
        most = combined(levels, [where] * len(levels), largest=True) if known else None
        stated = claim["tight_exp_epsilon"]
        found_level = None if stated is None else ends(stated, f"{where}.tight_exp_epsilon")
        _require(found_level == most, "does not follow from the results", f"{where}.tight_exp_epsilon")
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
        tail = f"the {values} computed again; not certified: {left}{_OPEN}"
    if shape.source["sha256"] is not None:
        tail += ", nor the hash of the file (compare it with --input FILE)"
    return f"{verdict.upper()}, as certified: {'; '.join(parts)}, direction {shape.document['direction']}; {tail}."
