"""Whole audit reports: every part that follows from the certificates is computed again, and the id."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest

from oracle.audits.run import audit
from oracle.certificates.checker import Accepted, Rejected, Unverified, check_all, check_report, measures
from oracle.certificates.checker.measures import measured
from oracle.certificates.checker.reading import canonical_hash
from tests.vectors.fixture_files import MECHANISMS

Path = tuple[str | int, ...]

THREE = {
    "matrix": [["1/2", "1/2", "0"], ["1/3", "1/3", "1/3"], ["1/4", "1/2", "1/4"]],
    "inputs": ["a", "b", "c"],
    "outputs": ["x", "y", "z"],
    "pairs": [["b", "c"], ["a", "b"]],
}
CURVE = {"tradeoff": {"breakpoints": [["0", "2/3"], ["1/2", "1/8"], ["1", "0"]]}}
HIGH = {"tradeoff": {"breakpoints": [["0", "1"], ["1", "0"]]}}
CLAIMS = ["exp_eps=2,delta=1/3", "eps=1,delta=1/3", "exp_eps=3/2", "exp_eps=inf,delta=1/4", "eps=1", CURVE, HIGH]
FORMAL = {"mechanism": "randomized_response", "epsilon": "1/2"}
GAUSSIAN = {"mechanism": "gaussian", "sigma": "1"}

# Texts and choices that nothing in a report follows from: what they say is not certified.
OPEN = {
    *(("product",), ("input", "name"), ("input", "form"), ("input", "sha256"), ("digits",), ("limits",), ("recheck",)),
    ("input", "expression"),
    ("input", "table", "outputs"),
}


def report(source: Any = THREE, claims: Any = CLAIMS, **options: Any) -> dict[str, Any]:
    """The document as a reader has it."""
    return json.loads(audit(source, claims, **options).to_text())


def sealed(document: dict[str, Any]) -> dict[str, Any]:
    """The same with the id that belongs to it."""
    rest = {name: value for name, value in document.items() if name != "id"}
    return {**rest, "id": canonical_hash(rest)}


def outcome(document: dict[str, Any]) -> Accepted | Rejected | Unverified:
    """The outcome of the whole report."""
    found = check_all(json.dumps(document))[0][1]
    assert not (isinstance(found, Rejected) and found.reason.startswith("internal"))
    return found


def leaves(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Every place of a document, containers too."""
    if path:
        yield path, value
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in inner:
        yield from leaves(item, (*path, key))


def changes(value: Any) -> list[Any]:
    """Other values for one place."""
    return [other for other in _candidates(value) if canonical_hash(other) != canonical_hash(value)]


def _candidates(value: Any) -> Iterator[Any]:
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (value + 1, value - 1)
    elif isinstance(value, str):
        yield from ("other", None)
        try:
            yield str(Fraction(value) + Fraction(1, 10**6))
        except ValueError:
            return
    elif isinstance(value, list):
        yield from (value[:-1], [*value, value[0]] if value else [1])
        if len(value) > 1 and value[0] != value[1]:
            yield [value[1], value[0], *value[2:]]
    elif isinstance(value, dict):
        yield {**value, "more": "1"}
        yield {name: item for name, item in value.items() if name != min(value)}
    else:
        yield "0"


def changed(document: dict[str, Any], path: Path, value: Any) -> dict[str, Any]:
    """A copy with another value in one place."""
    result = copy.deepcopy(document)
    place = result
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return result


def is_open(path: Path) -> bool:
    """Whether a place is one of those that are not certified, or of which many values are right."""
    some = "simple" in path or (path[0] == "claims" and path[-1] == "written")
    return some or any(path[: len(start)] == start for start in OPEN)


@pytest.mark.parametrize("direction", ["both", "forward", "backward"])
def test_reports_of_every_kind_are_accepted(direction):
    """Rational, irrational and without certificates."""
    whole, *certificates = check_all(json.dumps(report(direction=direction)))
    assert whole[0] is None
    assert whole[1].kind == "report"
    assert "; not certified: labels" in whole[1].statement
    assert [index for index, _ in certificates] == list(range(14))
    assert all(found.statement.startswith("claim ") for _, found in certificates)
    formal = outcome(report(FORMAL, ["eps=1/2", "eps=1/3", CURVE], direction=direction))
    assert "not certified: the tight values, slack" in formal.statement
    found = outcome(report(GAUSSIAN, ["eps=1,delta=1/5", CURVE], direction=direction))
    assert isinstance(found, Unverified)


def test_the_statement_names_claims_and_pairs():
    """Those refuted and those that hold, with their pairs."""
    statement = outcome(report(claims=["exp_eps=3/2,delta=1/3", "exp_eps=1"])).statement
    assert statement.startswith(
        "REFUTED, as certified: claim exp_eps=3/2,delta=1/3 holds for ('a', 'b'), ('b', 'c'); "
        "claim exp_eps=1 refuted for ('a', 'b'), ('b', 'c'), direction both; "
    )


def test_any_change_without_a_new_id_is_rejected_by_the_id():
    """Whatever is changed, removed or added."""
    document = report(claims=["exp_eps=2", CURVE])
    for path, value in leaves(document):
        if path == ("id",):
            continue
        for other in changes(value):
            assert outcome(changed(document, path, other)).where == "$.id"
    assert outcome({**document, "note": 1}).where == "$.id"
    assert outcome({name: value for name, value in document.items() if name != "id"}).where == "$.id"


@pytest.mark.parametrize(
    ("claims", "direction"),
    [
        (["exp_eps=2,delta=1/3", "exp_eps=3/2"], "both"),
        (["eps=1,delta=1/3", "eps=1/10", "exp_eps=inf,delta=1/4"], "forward"),
        ([CURVE, HIGH], "both"),
    ],
)
def test_a_false_report_with_a_new_id_is_rejected(claims, direction):
    """Every place of a report of a table but names, wording and options: one change, and a new id."""
    document = report(claims=claims, direction=direction)
    for path, value in leaves(document):
        if path == ("id",) or path[0] == "certificates" or is_open(path):
            continue
        for other in changes(value):
            found = outcome(sealed(changed(document, path, other)))
            assert isinstance(found, Rejected), (path, value, other)


@pytest.mark.parametrize(
    ("name", "value"),
    [("large", "1"), ("large", "1/8"), ("small", "1/5"), ("small", "1"), ("small", "0"), ("large", "x"), ("more", "1")],
)
def test_short_bounds_that_are_no_bounds_or_refute_nothing_are_rejected(name, value):
    """Above the larger mass, below the smaller one, too close to each other, no numbers."""
    document = report({"matrix": [["3/4", "1/4"], ["1/4", "3/4"]]}, ["exp_eps=2"])
    path = ("results", 0, "evidence", "simple", name)
    assert isinstance(outcome(sealed(document)), Accepted)
    found = outcome(sealed(changed(document, path, value)))
    assert isinstance(found, Rejected)
    assert found.where.startswith("$.results[0].evidence.simple")


DIVERGENCES = [
    "mu=1",
    "mu=1/10",
    "rdp=2:1/2",
    "rdp=3/2:log(2)",
    "rdp=1:1/1000",
    "rdp=inf:log(2)",
    "rho=1/4",
    "rho=1/99",
]
TWO = {"matrix": [["3/4", "1/8", "1/8"], ["1/2", "1/4", "1/4"]], "inputs": ["a", "b"]}


def is_rough(document: dict[str, Any], path: Path) -> bool:
    """Whether a place is a least rho or its slack, of about three digits, and a text that a claim does not fix."""
    if path[0] not in ("claims", "results") or len(path) < 3 or path[2] not in ("tight", "slack"):
        return False
    claim = path[1] if path[0] == "claims" else document["results"][path[1]]["claim"]
    return "rho" in document["claims"][claim]["parsed"]


@pytest.mark.parametrize(("claims", "direction"), [(DIVERGENCES[:4], "both"), (DIVERGENCES[4:], "backward")])
def test_changes_of_claims_of_one_number_are_rejected_under_a_new_id(claims, direction):
    """Whatever follows from the certificates or from the rest of the report; a rough value may be a little off."""
    document = report(TWO, claims, direction=direction)
    for path, value in leaves(document):
        if path == ("id",) or path[0] == "certificates" or is_open(path) or is_rough(document, path):
            continue
        for other in changes(value):
            found = outcome(sealed(changed(document, path, other)))
            assert isinstance(found, Rejected), (path, value, other)


def test_the_statement_says_that_a_least_rho_is_not_certified():
    """A least mu and the divergence of an order are computed again."""
    found = report(TWO, DIVERGENCES)
    statement = outcome(found).statement
    assert "claim rdp=3/2:log(2) holds for ('a', 'b')" in statement
    assert "computed again except the least rho; not certified: the least rho and its slack beyond" in statement
    assert any("from the channels, except the least rho. " in text for text in found["limits"])
    for claim in ("rdp=2:1/2", "mu=3"):
        found = report(TWO, [claim])
        assert "the least" not in outcome(found).statement
        assert not any("the least" in text for text in found["limits"])
    for said in (statement, *(text for text in found["limits"] if "certifies" in text)):
        assert "claims as written" in said
        assert "commands" in said
        assert "name and form of the input" in said


@pytest.mark.parametrize("claim", ["mu=1/2", "mu=5/4", "mu=1.29", "mu=3"])
@pytest.mark.parametrize("digits", [1, 12, 40])
def test_a_least_mu_is_computed_again(claim, digits):
    """Moved by a thousandth either way, widened, or called exact: held and refuted, by any number of digits."""
    document = json.loads(audit({"matrix": [["9/10", "1/10"], ["1/2", "1/2"]]}, claim, digits=digits).to_text())
    assert isinstance(outcome(document), Accepted)
    stated = document["claims"][0]["tight"]
    low, high = Fraction(stated["lo"]), Fraction(stated["hi"])
    for first, last in (
        (low + (high - low) * 2, high + (high - low) * 2),
        (low - (high - low) * 2, low - (high - low)),
        (low / 2, high),
        (high, high),
    ):
        forged = json.loads(json.dumps(document))
        for item in (forged["claims"][0], forged["results"][0]):
            item["tight"] = {"lo": str(first), "hi": str(last)}
            item["slack"] = {
                "lo": str(Fraction(claim.removeprefix("mu=")) - last),
                "hi": str(Fraction(claim.removeprefix("mu=")) - first),
            }
        found = outcome(sealed(forged))
        assert isinstance(found, Rejected)
        assert found.where == "$.results[0].tight"


def test_a_least_mu_that_is_exact():
    """None serves, or 0 does."""
    for matrix, tight, slack in (
        ([["1", "0"], ["1/2", "1/2"]], "inf", "-inf"),
        ([["1/2", "1/2"], ["1", "0"]], "inf", "-inf"),
        ([["1/2", "1/2"], ["1/2", "1/2"]], "0", "1"),
    ):
        document = json.loads(audit({"matrix": matrix}, "mu=1").to_text())
        assert (document["results"][0]["tight"], document["results"][0]["slack"]) == (tight, slack)
        assert isinstance(outcome(document), Accepted)
        for item in (document["claims"][0], document["results"][0]):
            item["tight"], item["slack"] = ("1/2", "1/2") if tight == "0" else ("3", "-2")
        assert outcome(sealed(document)).where == "$.results[0].tight"


def test_reports_with_certificates_and_records():
    """Unverified as a whole, each certificate accepted; a change of either list is found."""
    document = report(FORMAL, ["eps=1/2", "mu=1", "rho=1/4", "rdp=2:1"])
    (_, whole), *certificates = check_all(json.dumps(document))
    assert isinstance(whole, Unverified)
    assert whole.reason.startswith(
        "1 certificate was accepted; with 3 records of enclosures, not proved, they say HOLDS"
    )
    assert [isinstance(found, Accepted) for _, found in certificates] == [True]
    for path, other in (
        (("results", 1, "record"), 1),
        (("results", 0, "certificate"), 1),
        (("records",), document["records"][:2]),
        (("records",), document["records"][::-1]),
        (("records", 0, "holds"), False),
        (("records", 0, "comparisons", 0, "relation"), ">"),
        (("records", 0, "comparisons", 0, "quantity"), "sigma"),
        (("records", 0, "mechanism"), {"rows": []}),
        (("verdict",), "undecided"),
    ):
        assert isinstance(outcome(sealed(changed(document, path, other))), Rejected), path


@pytest.mark.parametrize(
    ("claim", "command"),
    [
        ({"mu": "1"}, "--claim mu=1 "),
        ({"rho": "1/2"}, "--claim rho=1/2 "),
        ({"order": "2", "epsilon": "1/2"}, "--claim rdp=2:1/2 "),
        ({"order": "2", "exp_epsilon": "3"}, "--claim 'rdp=2:log(3)' "),
        ({"order": "inf", "exp_epsilon": "1"}, "--claim rdp=inf:0 "),
    ],
)
def test_a_record_names_the_command_that_makes_it_again(claim, command):
    """With the claim as the audit takes it; weights of irrational probabilities are no input."""
    record = report(GAUSSIAN, [claim])["records"][0]
    assert command in outcome(record).reason
    formal = report(FORMAL, [claim])["records"][0]
    assert outcome(formal).reason.endswith("make it again with oracle audit")


@pytest.mark.parametrize(
    ("path", "value", "where"),
    [
        (("verdict",), "holds", "$.verdict"),
        (("equality",), True, "$.equality"),
        (("total_variation",), "1/2", "$.total_variation"),
        (("claims", 0, "verdict"), "refuted", "$.claims[0].verdict"),
        (("claims", 0, "words"), "epsilon = log(1), delta = 0", "$.claims[0].words"),
        (("claims", 0, "tight_delta"), "0", "$.claims[0].tight_delta"),
        (("claims", 0, "worst"), 1, "$.claims[0].worst"),
        (("pairs", 0, "sha256"), "0" * 64, "$.pairs[0].sha256"),
        (("pairs", 0, "p"), "c", "$.pairs[0].p"),
        (("pairs", 0, "tradeoff", "forward", 1, 1), "1/9", "$.pairs[0].tradeoff.forward[1][1]"),
        (("results", 0, "tight_exp_epsilon"), "5/4", "$.results[0].tight_exp_epsilon"),
        (("results", 0, "certificate"), 1, "$.results[0].certificate"),
        (("results", 0, "evidence", "witnesses", 0, "rows"), 3, "$.results[0].evidence"),
        (("input", "parsed_sha256"), "0" * 64, "$.input.parsed_sha256"),
        (("input", "table", "matrix", 0, 0), "1/4", "$.input.parsed_sha256"),
        (("input", "shape", "outputs"), 2, "$.input.shape"),
    ],
)
def test_the_false_field_is_named(path, value, where):
    """Where it is."""
    assert outcome(sealed(changed(report(), path, value))).where == where


def test_certificates_are_all_used_and_each_by_its_result():
    """None is left out, given twice, or put in the place of another."""
    document = report(claims=["exp_eps=2,delta=1/3", "exp_eps=3/2"])
    first, second, *rest = document["certificates"]
    for certificates in ([first, *rest], [first, second, *rest, second], [second, first, *rest], [first, first, *rest]):
        assert isinstance(outcome(sealed({**document, "certificates": certificates})), Rejected)
    results = [{**document["results"][0], "pair": document["results"][1]["pair"]}, *document["results"][1:]]
    assert isinstance(outcome(sealed({**document, "results": results})), Rejected)
    fewer = {**document, "results": document["results"][1:], "certificates": document["certificates"][1:]}
    assert isinstance(outcome(sealed(fewer)), Rejected)


def test_certificate_of_a_wider_claim_does_not_do():
    """A certificate that is right proves another claim, direction or pair."""
    document = report(claims="exp_eps=2,delta=1/3")
    for other in (report(claims="exp_eps=3,delta=1/3"), report(claims="exp_eps=2,delta=1/3", direction="forward")):
        assert "about another" in outcome(sealed({**document, "certificates": other["certificates"]})).reason


def test_irrational_reports_are_checked_for_what_their_certificates_say():
    """The verdict, the claim, the event; the values are said not to be certified."""
    document = report(FORMAL, ["eps=1/2", "eps=1/3"])
    for path, value in (
        (("results", 1, "holds"), True),
        (("results", 1, "evidence", "columns"), [1]),
        (("results", 1, "evidence", "inequality", "right"), "other"),
        (("results", 1, "slack"), "1/4"),
        (("results", 0, "level_is_least"), False),
        (("claims", 0, "parsed", "epsilon"), "1/3"),
        (("claims", 1, "tight_delta"), "1/4"),
        (("pairs", 0, "sha256"), "0" * 64),
        (("input", "irrational"), 1),
    ):
        assert isinstance(outcome(sealed(changed(document, path, value))), Rejected), path


def test_reports_of_records_are_checked_as_far_as_that_goes():
    """A verdict that the records do not say is rejected."""
    document = report(GAUSSIAN, ["eps=1,delta=1/5", "eps=1,delta=1/10"])
    for path, value in (
        (("verdict",), "holds"),
        (("records", 0, "holds"), False),
        (("records", 0, "comparisons", 0, "relation"), ">"),
        (("records", 0, "claim", "delta"), "1/6"),
        (("records",), document["records"][:1]),
        (("certificates",), document["records"]),
        (("results", 0, "evidence", "comparisons"), []),
        (("results", 1, "least_gap"), {}),
        (("input", "finite"), True),
    ):
        assert isinstance(outcome(sealed(changed(document, path, value))), Rejected), path


def test_a_report_in_python():
    """The outcome of the whole, and of each certificate."""
    whole, certificates = check_report(report(claims="exp_eps=3/2"))
    assert (whole.kind, [found.kind for found in certificates]) == ("report", ["dp_refuted", "dp_held"])
    with pytest.raises(Rejected, match=r"at \$\.id"):
        check_report({})


def test_a_nested_expression_is_no_obstacle():
    """As deep as expressions may be."""
    mechanism: dict[str, Any] = {"mechanism": "randomized_response", "exp_epsilon": "3"}
    for _ in range(60):
        mechanism = {"mechanism": "repeat", "times": 1, "of": mechanism}
    assert outcome(report(mechanism, "exp_eps=3")).kind == "report"


def test_mechanism_of_many_pairs():
    """A table of the fixtures, with more pairs than are named."""
    found = outcome(report(MECHANISMS / "truncated_geometric_table.json", "exp_eps=2"))
    assert "(compare it with --input FILE)" in found.statement


@pytest.mark.parametrize(
    ("value", "ends"),
    [
        ("1/2", (Fraction(1, 2), Fraction(1, 2))),
        ({"lo": "-0.25", "hi": "1.5e-1"}, (Fraction(-1, 4), Fraction(3, 20))),
        ({"lo": "1/3", "hi": "12e3", "reached": 4}, (Fraction(1, 3), Fraction(12000))),
    ],
)
def test_values_are_read_exactly(value, ends):
    """Exact strings, and enclosures of decimals or ratios."""
    assert measured(value, "$") == ends


@pytest.mark.parametrize(
    "value",
    [
        *("2/4", "0.5", 1, None, [], {}, {"lo": "1", "hi": "0"}, {"lo": "0"}, {"lo": "0", "hi": "1", "x": 1}),
        *({"lo": "nan", "hi": "1"}, {"lo": "1/0", "hi": "1"}, {"lo": "0", "hi": "1", "reached": True}),
    ],
)
def test_other_values_are_rejected(value):
    """Nothing else is a value of a report."""
    with pytest.raises(Rejected):
        measured(value, "$")


def test_values_of_large_pairs_are_said_not_to_be_computed(monkeypatch):
    """The verdict is certified all the same."""
    document = report(claims="exp_eps=2,delta=1/3")
    monkeypatch.setattr(measures, "_MOST_BITS", 1)
    assert "not certified: those of 2 large pairs, labels" in outcome(document).statement
    assert outcome(sealed(changed(document, ("verdict",), "refuted"))).where == "$.verdict"
