"""Whole reports of audits from samples: accepted as made; with one change and a new id, rejected at that place."""

from __future__ import annotations

import copy
import json
from functools import cache
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from oracle.audits.run import audit
from oracle.certificates.checker import Accepted, Rejected, Unverified, check_all
from oracle.json_text import digest
from tests.vectors.fixture_files import SCHEMAS, read_json

TABLE = {"outcomes": ["a", "b", "c"], "on_D": [70, 20, 10], "on_Dprime": [20, 20, 60]}
HITS = {"hits_on_D": 750, "runs_on_D": 1000, "hits_on_Dprime": 250, "runs_on_Dprime": 1000}
ONE_RUN = {"m": 1000, "guesses": 100, "correct": 90}
PAIRS = {"both": 30, "only_on_D": 60, "only_on_Dprime": 5, "neither": 30}
CURVE = {"tradeoff": {"breakpoints": [["0", "1"], ["9/20", "9/20"], ["1", "0"]]}}
REPORTS: dict[str, tuple[Any, list[Any], dict[str, Any]]] = {
    "event": (TABLE, ["E=2,delta=1/1000", "E=9", "mu=1", CURVE], {"event": "declared", "outcomes": ["a"]}),
    "hits": (HITS, ["E=2"], {"event": "family:12"}),
    "either": (HITS, ["E=2", "eps=1/2"], {"event": "declared", "likelier_on": "either", "direction": "forward"}),
    "one run": (ONE_RUN, ["E=4,delta=1e-5", "E=6"], {"event": "declared"}),
    "pairs": (PAIRS, ["eps=1/2", "eps=1"], {"event": "declared", "bet": "1/4"}),
}
FREE = {
    ("name",),
    ("product",),
    ("written",),
    ("how",),
    ("limits",),
    ("recheck",),
    ("assumptions",),
    ("form",),
    ("declared",),
}
"""Names and wording, of which the statement says that they are not certified."""


@cache
def text_of(name: str) -> str:
    """A report as its text, made once."""
    source, claims, options = REPORTS[name]
    return audit(source, claims, **options).to_text()


def report(name: str) -> dict[str, Any]:
    """A report as its JSON value."""
    return json.loads(text_of(name))


def outcome(document: dict[str, Any]) -> Accepted | Rejected | Unverified:
    """What the checker says of the report as a whole, with a new id."""
    rest = {key: value for key, value in document.items() if key != "id"}
    return check_all(json.dumps({**rest, "id": digest(rest)}))[0][1]


@pytest.mark.parametrize("name", REPORTS)
def test_a_report_is_accepted_with_all_its_certificates(name):
    """And says which claims are refuted, and what is not certified."""
    (_, whole), *certificates = check_all(json.dumps(report(name)))
    assert isinstance(whole, Accepted)
    assert whole.statement.startswith("REFUTED, with the confidence of each certificate: claim ")
    assert "not certified: that the counts are those of the runs" in whole.statement
    assert certificates
    assert all(isinstance(found, Accepted) for _, found in certificates)


@pytest.mark.parametrize("name", REPORTS)
def test_a_report_has_its_schema(name):
    """And so have its certificates."""
    document = report(name)
    schemas = {key: read_json(SCHEMAS / f"{key}.schema.json") for key in ("statistical_report", "certificate")}
    assert not list(Draft202012Validator(schemas["statistical_report"]).iter_errors(document))
    for certificate in document["certificates"]:
        assert not list(Draft202012Validator(schemas["certificate"]).iter_errors(certificate))
    for path in [("claims", 0, "verdict"), ("tested", "kind"), ("input", "parsed_sha256"), ("confidence",)]:
        broken = changed(document, path, "holds")
        assert list(Draft202012Validator(schemas["statistical_report"]).iter_errors(broken))


def test_a_report_without_a_refutation_is_unverified():
    """Nothing was proved, so nothing is accepted."""
    document = json.loads(audit(HITS, ["E=5", "mu=3"], event="declared").to_text())
    found = outcome(document)
    assert isinstance(found, Unverified)
    assert "claim exp_eps=5 undecided; claim mu=3 undecided" in found.reason


def leaves(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[tuple[Any, ...], Any]]:
    """Every scalar with its path."""
    if isinstance(value, dict):
        return [leaf for key, item in value.items() for leaf in leaves(item, (*path, key))]
    if isinstance(value, list):
        return [leaf for k, item in enumerate(value) for leaf in leaves(item, (*path, k))]
    return [(path, value)]


def changed(document: dict[str, Any], path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    """A copy with one value in another's place."""
    copied = copy.deepcopy(document)
    place = copied
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return copied


def others(value: Any) -> list[Any]:
    """Other values of the same and of other types."""
    if isinstance(value, str):
        return [f"{value}0", "2", "declared", "second", 1, None]
    return [value + 1 if isinstance(value, int) else "1", None if value is not None else 0, "x", []]


def is_free(document: dict[str, Any], path: tuple[Any, ...]) -> bool:
    """Whether a place is one of those of which the statement says that nothing certifies them."""
    if any((key,) in FREE for key in path) or path[0] == "id":
        return True
    if path[:2] == ("input", "sha256") or path[:2] == ("tested", "thresholds"):
        return True
    undecided = path[0] == "claims" and document["claims"][path[1]]["verdict"] == "undecided"
    return undecided and path[2] in ("statement", "least_level", "violation")


@pytest.mark.parametrize("name", REPORTS)
def test_every_changed_value_is_rejected(name):
    """Counts, levels, bounds, words, indices: one change and a new id."""
    document = report(name)
    for path, value in leaves(document):
        if path[0] == "certificates" or is_free(document, path):
            continue
        for other in others(value):
            if other == value or (path[-1] == "direction" and other == "both"):
                continue
            found = outcome(changed(document, path, other))
            assert isinstance(found, Rejected), (path, value, other)


@pytest.mark.parametrize("name", REPORTS)
def test_a_missing_or_added_field_is_rejected(name):
    """In every object of the report."""
    document = report(name)
    for path in [(), ("input",), ("tested",), ("claims", 0), ("product",)]:
        place = document
        for key in path:
            place = place[key]
        for key in place:
            if (key, path) in {("id", ()), ("observations", ("input",))}:
                continue
            copied = copy.deepcopy(document)
            inner = copied
            for step in path:
                inner = inner[step]
            del inner[key]
            assert isinstance(outcome(copied), Rejected), (path, key)
        assert isinstance(outcome(changed(document, (*path, "more"), 1)), Rejected)


def test_the_id_is_the_hash_of_the_rest():
    """A change without a new id is seen at once."""
    document = {**report("hits"), "verdict": "undecided"}
    found = check_all(json.dumps(document))[0][1]
    assert isinstance(found, Rejected)
    assert found.where == "$.id"


def test_certificates_of_other_counts_do_not_do():
    """A right certificate about other counts, one that no claim names, one of another kind."""
    first, other = report("hits"), json.loads(audit({**HITS, "hits_on_D": 760}, "E=2", event="family:12").to_text())
    swapped = {**first, "certificates": other["certificates"]}
    swapped["claims"] = [{**first["claims"][0], "statement": other["claims"][0]["statement"]}]
    assert outcome(swapped).where == "$.claims[0].certificate"
    spare = {**first, "certificates": [*first["certificates"], *other["certificates"]]}
    assert outcome(spare).where == "$.certificates"
    kind = {**first, "certificates": report("pairs")["certificates"]}
    assert outcome(kind).where == "$.claims[0].certificate"


def test_an_undecided_claim_cannot_be_called_refuted():
    """There is no certificate that it could name."""
    document = report("event")
    document["claims"][1] = {**document["claims"][1], "verdict": "refuted", "least_level": None, "violation": None}
    assert outcome(document).where == "$.claims[1].certificate"
    document["claims"][1] = {**document["claims"][1], "certificate": 0}
    assert outcome(document).where == "$.claims[1].certificate"


def test_a_refuted_claim_may_be_weakened_only_as_a_whole():
    """Undecided says less, but then its certificate is one that no claim names."""
    document = report("hits")
    document["claims"][0] |= {"verdict": "undecided", "certificate": None, "bound": None}
    assert outcome(document).where == "$.certificates"
