"""Whole reports on interactive mechanisms: everything but names and wording follows from the certificates."""

from __future__ import annotations

import json

import pytest

from oracle.certificates.checker import Rejected, check_all
from oracle.interactive.examples import interleaving, unattained
from oracle.interactive.reading import to_json
from tests.certificates.checker.test_report import changed, changes, is_open, leaves, outcome, report, sealed
from tests.vectors.fixture_files import FIXTURES, read_json

TREE = to_json(interleaving())
OTHER = to_json(unattained())
CURVE = {"tradeoff": {"breakpoints": [["0", "2/3"], ["1/2", "1/8"], ["1", "0"]]}}
CLAIMS = ["exp_eps=1,delta=1/2", "eps=1,delta=1/4", "exp_eps=inf,delta=1/3", "mu=1", CURVE]


def test_a_report_names_what_is_certified():
    """Each certificate by its claim, the simulation by the mechanism; the values are computed again from it."""
    (_, whole), *certificates = check_all(json.dumps(report(TREE, CLAIMS)))
    assert whole.kind == "report"
    assert "corners computed again; not certified: labels, claims as written, notes," in whole.statement
    kinds = [found.kind for _, found in certificates]
    assert kinds == ["interactive_held", *["interactive_refuted"] * 4, "simulation"]
    assert certificates[-1][1].statement.startswith("the mechanism: For every adversary the view")


@pytest.mark.parametrize(
    ("claims", "direction"),
    [(CLAIMS[:3], "both"), (["eps=1,delta=1/4", "exp_eps=2"], "backward"), ([CURVE, "mu=1", "mu=1/9"], "forward")],
)
def test_a_false_report_with_a_new_id_is_rejected(claims, direction):
    """Every place but names, wording and options: one change, and a new id."""
    document = report(OTHER, claims, direction=direction)
    for path, value in leaves(document):
        if path == ("id",) or path[0] == "certificates" or is_open(path) or path == ("input", "interactive", "name"):
            continue
        if path[0] == "input" and path[-1] == "interactive":
            assert isinstance(outcome(sealed(changed(document, path, {**value, "more": 1}))), Rejected)
            continue
        if is_least_mu(document, path):
            continue
        for other in changes(value):
            found = outcome(sealed(changed(document, path, other)))
            assert isinstance(found, Rejected), (path, value, other)


def is_least_mu(document, path):
    """Whether a place is a least mu or its slack, of which the statement says that they are not certified."""
    if path[0] not in ("claims", "results") or len(path) < 3 or path[2] not in ("tight", "slack"):
        return False
    claim = path[1] if path[0] == "claims" else document["results"][path[1]]["claim"]
    return "mu" in document["claims"][claim]["parsed"]


def test_certificates_of_another_tree_do_not_do():
    """A right certificate of the same claim, about another mechanism; the simulation of another one."""
    document, other = report(TREE, ["eps=1,delta=1/4"]), report(OTHER, ["eps=1,delta=1/4"])
    for k, where in ((0, "$.certificates[0]"), (1, "$.certificates[1]")):
        certificates = list(document["certificates"])
        certificates[k] = other["certificates"][k]
        found = outcome(sealed({**document, "certificates": certificates}))
        assert (found.reason, found.where) == ("is about another tree", where)


def test_the_simulation_is_the_last_certificate_and_there_once():
    """Left out, twice, in another place, or with a record in the place of a certificate."""
    document = report(TREE, ["eps=1,delta=1/4", "exp_eps=2"])
    first, second, simulation = document["certificates"]
    for certificates in (
        [first, second],
        [first, second, simulation, simulation],
        [simulation, first, second],
        [first, simulation, second],
        [first, second, first],
        [],
    ):
        assert isinstance(outcome(sealed({**document, "certificates": certificates})), Rejected)
    record = report({"mechanism": "gaussian", "sigma": "1"}, ["eps=1"])["records"][0]
    beside = {**document, "certificates": [first, simulation], "records": [record]}
    assert outcome(sealed(beside)).where == "$.results[1].certificate"


def test_a_table_has_no_certificates_of_trees():
    """Nor a tree those of a table."""
    table = report({"matrix": [["3/4", "1/4"], ["1/4", "3/4"]]}, ["exp_eps=3"])
    tree = report(TREE, ["eps=1,delta=1/4"])
    mixed = {**table, "certificates": tree["certificates"][:1]}
    assert outcome(sealed(mixed)).reason == "is about an interactive mechanism, unlike the report"
    mixed = {**tree, "certificates": [*table["certificates"], tree["certificates"][-1]]}
    assert outcome(sealed(mixed)).reason == "expected a claim on an interactive mechanism"
    both = {**tree, "input": {**tree["input"], "expression": {"mechanism": "gaussian"}}}
    assert "expected an expression, a table or an interactive mechanism" in outcome(sealed(both)).reason


def test_long_lists_are_cut_and_counted():
    """Of 15 questions twelve are listed, of more than six views six; the counts are those of the certificate."""
    node: object = None
    for _ in range(7):
        node = {"answer": {"0": {"p": "1/2", "q": "1/3", "then": node}, "1": {"p": "1/2", "q": "2/3", "then": node}}}
    asking = read_json(FIXTURES / "interactive/sparse_vector_never_halts.json")
    for tree, name, total, most in (
        (asking, "strategy", "questions", 12),
        ({"interactive": node}, "event", "views", 6),
    ):
        document = report(tree, ["eps=1/100"])
        evidence = document["results"][0]["evidence"]
        assert len(evidence[name]) == most < int(evidence[total])
        assert outcome(document).kind == "report"
        for key, other in ((total, str(most)), (name, evidence[name][::-1]), (name, evidence[name][:-1])):
            path = ("results", 0, "evidence", key)
            assert isinstance(outcome(sealed(changed(document, path, other))), Rejected)
