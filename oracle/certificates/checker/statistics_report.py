"""Checking a whole report of an audit from samples: every refutation in it is that of a certificate about its counts.

Each refuted claim names a certificate of the kind that fits what was counted, with the same claim, counts, choice of
the event and confidence, and says what the certificate was found to prove; all certificates are used.  How far the
counts refute follows from the bounds in the certificate, or from a certificate of that claim.  The counts of an event
are summed again from the outcomes, where those are in the report.

Not certified, and said so: that the counts are those of the runs, the assumptions, what is said of undecided claims,
names, claims as written, declared facts, limits and commands, the product.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from .claims import PrivacyClaim
from .reading import canonical_hash, choice, fields, items, number
from .report_parts import count, read_declared, require, text
from .report_parts import sha256 as hexadecimal
from .stated import claim_text, claim_words, read_claim
from .statistics_reading import between, selection, whole
from .verdict import Accepted, Rejected, Unverified

Check = Callable[[object], Accepted]
Document = dict[str, object]

_TOP = (
    *("report", "version", "id", "product", "input", "confidence", "selection", "direction", "tested", "claims"),
    *("verdict", "certificates", "assumptions", "declared", "limits", "recheck"),
)
_INPUT = ("name", "form", "sha256", "parsed_sha256")
_CLAIM = ("written", "parsed", "words", "verdict", "statement", "certificate", "bound", "least_level", "violation")
_EVENT = ("kind", "how", "likelier_on")
_TESTED = {
    "event": (*_EVENT, "outcomes", "counts"),
    "pairs": (*_EVENT, "counts", "bet"),
    "one_run": ("kind", "how", "run", "thresholds"),
}
_KINDS = {"event": "count_refutation", "pairs": "e_value_refutation", "one_run": "one_run_refutation"}
_LAWS = {"D": "first", "Dprime": "second"}
_HITS = (("hits_on_D", "runs_on_D"), ("hits_on_Dprime", "runs_on_Dprime"))
_LISTS = ("outcomes", "on_D", "on_Dprime", "choose_on_D", "choose_on_Dprime")
_PAIRS = ("both", "only_on_D", "only_on_Dprime", "neither")
_MOST = 10**9
_OPEN = (
    "not certified: that the counts are those of the runs, how the event was chosen, the assumptions, what is said of"
    " undecided claims, names, claims as written, declared facts, limits, recheck commands and product"
)


def check_statistical_report(document: Document, check: Check) -> tuple[Accepted | Unverified, list[Accepted]]:
    """Check a report whose id is right; return its outcome and that of each certificate."""
    fields(document, _TOP, "$")
    require(type(document["version"]) is int and document["version"] == 1, "expected version 1", "$.version")
    product = fields(document["product"], ("name", "version"), "$.product")
    for name in product:
        text(product[name], f"$.product.{name}")
    for name in ("assumptions", "limits", "recheck"):
        for k, sentence in enumerate(items(document[name], f"$.{name}", 1)):
            text(sentence, f"$.{name}[{k}]")
    read_declared(document["declared"])
    between(document["confidence"], "$.confidence")
    selection(document["selection"], "$.selection")
    choice(document["direction"], ("both", "forward", "backward"), "$.direction")
    source = _input(document["input"])
    tested = _tested(document["tested"])
    if "observations" in source:
        _require_counted(source["observations"], tested)
    certificates = items(document["certificates"], "$.certificates")
    accepted = [_certificate(item, k, check) for k, item in enumerate(certificates)]
    claims = [_claim(item, k) for k, item in enumerate(items(document["claims"], "$.claims", 1))]
    used: set[int] = set()
    for k, claim in enumerate(claims):
        used |= _Refutation(document, tested, certificates, accepted, claim, f"$.claims[{k}]").used()
    require(used == set(range(len(certificates))), "expected no certificate that no claim names", "$.certificates")
    verdict = "refuted" if any(claim["verdict"] == "refuted" for claim in claims) else "undecided"
    require(document["verdict"] == verdict, "does not follow from the claims", "$.verdict")
    told = "; ".join(f"claim {claim_text(claim['parsed'])} {claim['verdict']}" for claim in claims)
    if verdict == "undecided":
        reason = f"no certificate: {told}. Counts prove nothing of a claim that they do not refute; {_OPEN}"
        return Unverified(reason), accepted
    statement = f"REFUTED, with the confidence of each certificate: {told}; {_OPEN}."
    return Accepted("report", statement, ()), accepted


def _certificate(item: object, k: int, check: Check) -> Accepted:
    try:
        return check(item)
    except Rejected as rejected:
        raise Rejected(rejected.reason, f"$.certificates[{k}]{rejected.where.removeprefix('$')}") from None


def _input(value: object) -> Document:
    seen = ("observations",) if isinstance(value, dict) and "observations" in value else ()
    source = fields(value, (*_INPUT, *seen), "$.input")
    text(source["name"], "$.input.name")
    choice(source["form"], ("json", "csv", "tsv", "python"), "$.input.form")
    if source["sha256"] is not None or source["form"] != "python":
        hexadecimal(source["sha256"], "$.input.sha256")
    hexadecimal(source["parsed_sha256"], "$.input.parsed_sha256")
    if seen:
        found = canonical_hash(source["observations"])
        require(source["parsed_sha256"] == found, "is not the hash of the observations", "$.input.parsed_sha256")
    return source


def _tested(value: object) -> Document:
    """Read what is tested; the certificates have the same counts, so these need no closer look."""
    kind = choice(value.get("kind") if isinstance(value, dict) else None, _TESTED, "$.tested.kind")
    tested = fields(value, _TESTED[kind], "$.tested")
    text(tested["how"], "$.tested.how")
    if kind == "one_run":
        run = fields(tested["run"], ("canaries", "guesses", "correct"), "$.tested.run")
        most = whole(run["canaries"], "$.tested.run.canaries", 1, _MOST)
        guesses = whole(run["guesses"], "$.tested.run.guesses", 0, most)
        whole(run["correct"], "$.tested.run.correct", 0, guesses)
        if tested["thresholds"] is not None:
            place = "$.tested.thresholds"
            limits = [number(item, place) for item in items(tested["thresholds"], place)]
            require(len(limits) == 2 and limits[0] <= limits[1], "expected two in order", place)
        return tested
    laws = _LAWS if kind == "pairs" else {**_LAWS, "either": ""}
    choice(tested["likelier_on"], laws, "$.tested.likelier_on")
    if kind == "pairs":
        counts = fields(tested["counts"], _PAIRS, "$.tested.counts")
        for name in _PAIRS:
            whole(counts[name], f"$.tested.counts.{name}", 0, _MOST)
        number(tested["bet"], "$.tested.bet")
        return tested
    counts = fields(tested["counts"], ("first", "second"), "$.tested.counts")
    for law in ("first", "second"):
        place = f"$.tested.counts.{law}"
        found = fields(counts[law], ("hits", "runs"), place)
        whole(found["hits"], f"{place}.hits", 0, whole(found["runs"], f"{place}.runs", 1, _MOST))
    if tested["outcomes"] is not None:
        for k, outcome in enumerate(items(tested["outcomes"], "$.tested.outcomes", 1)):
            text(outcome, f"$.tested.outcomes[{k}]")
    return tested


def _require_counted(observations: object, tested: Document) -> None:
    """The counts that are tested are those of the observations."""
    where = "$.input.observations"
    if not isinstance(observations, dict):
        raise Rejected("expected an object", where)
    if tested["kind"] == "one_run":
        found = _strings(fields(observations, ("m", "guesses", "correct"), where), where)
        expected: object = {"canaries": found["m"], "guesses": found["guesses"], "correct": found["correct"]}
        require(tested["run"] == expected, "are not those of the observations", "$.tested.run")
        return
    if tested["kind"] == "pairs":
        expected = dict(_strings(fields(observations, _PAIRS, where), where))
    elif "outcomes" in observations:
        expected = _summed(observations, tested["outcomes"], where)
    else:
        require(tested["outcomes"] is None, "expected no names of outcomes", "$.tested.outcomes")
        found = _strings(fields(observations, (name for names in _HITS for name in names), where), where)
        first, second = ({"hits": found[hits], "runs": found[runs]} for hits, runs in _HITS)
        expected = {"first": first, "second": second}
    require(tested["counts"] == expected, "are not those of the observations", "$.tested.counts")


def _strings(values: Mapping[str, object], where: str) -> dict[str, str]:
    return {name: str(count(value, 0, f"{where}.{name}")) for name, value in values.items()}


def _summed(observations: Document, event: object, where: str) -> object:
    """The counts of an event, from those of all outcomes."""
    chosen = [name for name in _LISTS[3:] if name in observations]
    table = fields(observations, (*_LISTS[:3], *chosen), where)
    names = [text(item, f"{where}.outcomes") for item in items(table["outcomes"], f"{where}.outcomes", 1)]
    places = {name: k for k, name in enumerate(names)}
    require(len(chosen) in (0, 2) and len(places) == len(names), "expected each name once", where)
    lists = {
        name: [count(item, 0, f"{where}.{name}") for item in items(table[name], where)]
        for name in (*_LISTS[1:3], *chosen)
    }
    require(all(len(column) == len(names) for column in lists.values()), "expected a count for each outcome", where)
    hits = [places.get(str(name), -1) for name in items(event, "$.tested.outcomes", 1)]
    require(-1 not in hits and len(set(hits)) == len(hits), "expected outcomes, each once", "$.tested.outcomes")
    sides = [
        {"hits": str(sum(lists[name][k] for k in hits)), "runs": str(sum(lists[name]))}
        for name in ("on_D", "on_Dprime")
    ]
    return {"first": sides[0], "second": sides[1]}


def _claim(value: object, k: int) -> Document:
    where = f"$.claims[{k}]"
    claim = fields(value, _CLAIM, where)
    text(claim["written"], f"{where}.written")
    text(claim["statement"], f"{where}.statement")
    words, _ = claim_words(claim["parsed"], f"{where}.parsed")
    require(claim["words"] == words, "are not the words for the claim as parsed", f"{where}.words")
    choice(claim["verdict"], ("refuted", "undecided"), f"{where}.verdict")
    if claim["least_level"] is not None:
        between(claim["least_level"], f"{where}.least_level")
    if claim["violation"] is not None:
        _violation(claim, f"{where}.violation")
    closed = ("certificate", "bound") if claim["verdict"] == "undecided" else ("least_level", "violation")
    for name in closed:
        require(claim[name] is None, f"expected none of a claim that is {claim['verdict']}", f"{where}.{name}")
    return claim


def _violation(claim: Document, where: str) -> None:
    """Read the violation P(S) = t, Q(S) = 1 - t, whose e^epsilon follows from t."""
    found = fields(claim["violation"], ("t", "exp_epsilon"), where)
    t, stated = between(found["t"], f"{where}.t"), read_claim(claim["parsed"], where)
    level = None if found["exp_epsilon"] is None else number(found["exp_epsilon"], f"{where}.exp_epsilon")
    expected = (t - stated.delta) / (1 - t) if isinstance(stated, PrivacyClaim) else None
    require(level == expected, "is not that of t", f"{where}.exp_epsilon")


class _Refutation:
    """A claim with the certificates that it names."""

    def __init__(  # noqa: PLR0913, PLR0917 - the parts of a report
        self,
        document: Document,
        tested: Document,
        certificates: Sequence[object],
        accepted: Sequence[Accepted],
        claim: Document,
        where: str,
    ) -> None:
        self._document, self._tested, self._claim, self._where = document, tested, claim, where
        self._certificates, self._accepted = certificates, accepted

    def used(self) -> set[int]:
        """Check a refuted claim; return the indices of its certificates, none for one that is undecided."""
        claim, where = self._claim, self._where
        if claim["verdict"] == "undecided":
            return set()
        k, certificate = self._named(claim["certificate"], f"{where}.certificate")
        require(certificate["claim"] == claim["parsed"], "is that of another claim", f"{where}.certificate")
        said = self._accepted[k].statement
        require(claim["statement"] == said, "is not what the certificate proves", f"{where}.statement")
        return {k} if claim["bound"] is None else {k, self._bound(certificate, k)}

    def _named(self, value: object, where: str) -> tuple[int, Document]:
        """The certificate of an index, which is about what the report is about."""
        k = count(value, 0, where)
        require(k < len(self._certificates), "is no certificate of the report", where)
        certificate = self._certificates[k]
        tested = self._tested
        fits = self._accepted[k].kind == _KINDS[str(tested["kind"])]
        require(fits and isinstance(certificate, dict), "is a certificate of another kind", where)
        document = certificate if isinstance(certificate, dict) else {}
        for name in ("confidence", "selection"):
            require(document[name] == self._document[name], f"has another {name}", where)
        same = [name for name in ("counts", "bet", "run") if name in tested]
        for name in same:
            require(document[name] == tested[name], f"is about another {name}", where)
        if tested["kind"] != "one_run" and tested["likelier_on"] != "either":
            require(document["larger"] == _LAWS[str(tested["likelier_on"])], "is about another statement", where)
        if tested["kind"] == "event":
            laws = "2" if tested["likelier_on"] == "either" else "1"
            require(document["statements"] == laws, "is about another number of statements", where)
            meant = self._document["direction"] in ("both", document["direction"])
            require(meant, "is about another direction", where)
        return k, document

    def _bound(self, certificate: Document, own: int) -> int:
        """Check how far the counts refute; return the index of the certificate that proves it."""
        where = f"{self._where}.bound"
        bound = fields(self._claim["bound"], ("exp_epsilon", "certificate"), where)
        level = number(bound["exp_epsilon"], f"{where}.exp_epsilon")
        claim = read_claim(self._claim["parsed"], where)
        if not isinstance(claim, PrivacyClaim) or self._tested["kind"] == "pairs":
            raise Rejected("expected none", where)
        k, proof = self._named(bound["certificate"], f"{where}.certificate")
        if self._tested["kind"] == "one_run":
            same = proof["claim"] == {"exp_epsilon": bound["exp_epsilon"], "delta": str(claim.delta)}
            require(same, "is that of another claim", f"{where}.certificate")
            return k
        require(k == own, "is not the certificate of the claim", f"{where}.certificate")
        found = _largest(certificate, claim.delta, str(self._document["direction"]))
        require(level == found, "does not follow from the bounds", f"{where}.exp_epsilon")
        return k


def _largest(certificate: Document, delta: Fraction, direction: str) -> Fraction:
    """The largest (u - delta)/v for S and its complement, u and v being the bounds of a count refutation."""
    x, y = (number(fields(certificate[name], ("bound", "level"), "$")["bound"], "$") for name in ("lower", "upper"))
    own, other = ("forward", "backward") if certificate["larger"] == "first" else ("backward", "forward")
    sides = [(x, y, own), (1 - y, 1 - x, other)]
    return max((u - delta) / v for u, v, named in sides if v and direction in ("both", named))
