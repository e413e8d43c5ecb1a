"""Certificates about interactive mechanisms: what each of their conditions refuses."""

from __future__ import annotations

import copy

import pytest

from oracle.certificates.checker import Rejected, check
from tests.certificates.checker.documents import DOCUMENTS, certificate, channel, sha256, witness
from tests.certificates.checker.test_couplings import changed

SIMULATION = DOCUMENTS["simulation: one question or none"]
HELD = DOCUMENTS["interactive_held: epsilon = log 2"]
CURVE = DOCUMENTS["interactive_held: its own curve"]
REFUTED = DOCUMENTS["interactive_refuted: backward"]
BELOW = DOCUMENTS["interactive_refuted: no perfect privacy"]
GAUSSIAN = DOCUMENTS["interactive_held: mu = 1"]
NOT_GAUSSIAN = DOCUMENTS["interactive_refuted: mu = 1/2"]

ANSWER = {"answer": [["0", "3/4", "1/2", 0], ["1", "1/4", "1/2", 0]]}
OTHER = {"answer": [["0", "1/2", "1/4", 0], ["1", "1/2", "3/4", 0]]}
IDENTITY = witness(2, 2, (0, 0, "1"), (1, 1, "1"))
# Options (3/4, 1/4 | 1/2, 1/2) and (1/2, 1/2 | 1/4, 3/4): the hull has the corners (1/4, 1/2) of the one and (1/2, 1/4)
# of the other, and N three columns, of which A merges the first two and B the last two.
TWO_OPTIONS = certificate(
    "simulation",
    nodes=[None, ANSWER, OTHER, {"query": [["A", 1], ["B", 2]]}],
    states=[
        channel("1", "1"),
        channel("3/4 1/4", "1/2 1/2"),
        channel("1/2 1/2", "1/4 3/4"),
        channel("1/2 1/4 1/4", "1/4 1/4 1/2"),
    ],
    kernels=[
        [],
        [IDENTITY],
        [IDENTITY],
        [
            witness(3, 2, (0, 0, "1"), (1, 0, "1"), (2, 1, "1")),
            witness(3, 2, (0, 0, "1"), (1, 1, "1"), (2, 1, "1")),
        ],
    ],
)


def edited(document, path, value):
    """The document with one value replaced, sealed again."""
    copied = copy.deepcopy(document)
    inside = copied
    for key in path[:-1]:
        inside = inside[key]
    inside[path[-1]] = value
    return changed(copied)


def test_a_bound_of_two_options_is_accepted():
    """The statement names the nodes and the corners."""
    accepted = check(TWO_OPTIONS)
    assert accepted.statement == (
        "For every adversary the view of the interactive mechanism of 4 nodes is, on both inputs, distributed as a"
        " post-processing of one sample of N, and T(N), with 4 corners, is the largest trade-off function below those"
        " of all views."
    )
    assert [name for name, _ in accepted.channels] == ["interactive", "N"]


def test_statements_name_the_claim_and_the_event():
    """Held and refuted, all forms of claims."""
    assert "is differentially private with e^eps = 2, delta = 0, direction both" in check(HELD).statement
    assert "is f-differentially private, direction forward: f <= T(P, Q)" in check(CURVE).statement
    assert "Q(S) > e^eps P(S) + delta" in check(REFUTED).statement
    assert "P(S) = 1/4 and Q(S) = 1/2." in check(REFUTED).statement
    assert "1 - Q(S) < f(P(S)) = 3/4" in check(BELOW).statement
    assert "is mu-Gaussian differentially private with mu = 1, direction both" in check(GAUSSIAN).statement
    assert "with mu = 1/2, direction forward: 1 - Q(S) < G_mu(P(S))" in check(NOT_GAUSSIAN).statement
    assert [name for name, _ in check(CURVE).channels] == ["interactive", "N", "tradeoff"]
    assert [name for name, _ in check(BELOW).channels] == ["interactive", "tradeoff"]


@pytest.mark.parametrize(
    ("path", "value", "reason"),
    [
        (("nodes", 3), {"query": [["B", 2], ["A", 1]]}, "strictly sorted labels"),
        (("nodes", 3), {"query": [["A", 1], ["A", 2]]}, "strictly sorted labels"),
        (("nodes", 3), {"query": [["A", 1], ["B", 3]]}, "expected an index from 0 to 2"),
        (("nodes", 3), {"query": [["A", 1], ["B", 1]]}, "does not follow from the root"),
        (("nodes", 3), {"query": []}, "at least 1"),
        (("nodes", 3), {"query": [["A"], ["B", 2]]}, "expected 2 items, got 1"),
        (("nodes", 3), {"query": [[1, 1], ["B", 2]]}, "expected a label"),
        (("nodes", 2), {"ask": []}, "missing field"),
        (("nodes", 2, "answer", 0), ["0", "1/2", "1/4"], "expected 4 items, got 3"),
        (("nodes", 2, "answer", 0, 1), "1/3", "the p do not sum to 1"),
        (("nodes", 2, "answer", 0, 2), "1/3", "the q do not sum to 1"),
        (("nodes", 2, "answer"), [["0", "1", "1", 0], ["1", "0", "0", 0]], "neither input can produce"),
        (("nodes", 2, "answer", 0, 1), "3/2", "from 0 to 1"),
        (("states",), [], "expected 4 items, one for each node"),
        (("states", 3), channel("1/2 1/4 1/8", "1/4 1/4 1/2"), "sums to 7/8"),
        (("states", 3), channel("1/4 1/2 1/4", "1/4 1/4 1/2"), "the product differs"),
        (("states", 0), channel("1/2 1/2", "1/2 1/2"), "expected 4"),
        (("kernels",), [[]], "expected 4 items, one for each node"),
        (("kernels", 0), [IDENTITY], "expected 0 witnesses"),
        (("kernels", 3), [IDENTITY], "expected 2 witnesses"),
        (("kernels", 3, 1), witness(3, 2, (0, 0, "1"), (1, 0, "1"), (2, 1, "1")), "the product differs"),
        (("kernels", 2, 0), witness(2, 2, (0, 1, "1"), (1, 0, "1")), "the product differs"),
    ],
)
def test_what_is_rejected_of_a_simulation(path, value, reason):
    """One condition fails at a time."""
    with pytest.raises(Rejected, match=reason):
        check(edited(TWO_OPTIONS, path, value))


def test_a_pair_that_leaks_more_than_any_adversary_is_no_simulation_of_this_kind():
    """At a query node: N may say more than is needed and still simulate; then a corner is one of no option."""
    revealing = edited(SIMULATION, ("states", 2), channel("1 0", "0 1"))
    kernels = [[], [IDENTITY], [witness(2, 2, (0, 0, "3/4"), (0, 1, "1/4"), (1, 0, "1/2"), (1, 1, "1/2"))]]
    kernels[2].append(witness(2, 1, (0, 0, "1"), (1, 0, "1")))
    with pytest.raises(Rejected, match="a corner of the trade-off function is a corner of no option"):
        check(changed(revealing, kernels=kernels))


# The answer (3/4, 1/4 | 1/2, 1/2) from one sample of (1, 0 | 0, 1), and from one of itself with the column 0 in halves.
REVEALED = witness(2, 2, (0, 0, "3/4"), (0, 1, "1/4"), (1, 0, "1/2"), (1, 1, "1/2"))
HALVES = channel("3/8 3/8 1/4", "1/4 1/4 1/2")
JOINED = witness(3, 2, (0, 0, "1"), (1, 0, "1"), (2, 1, "1"))


@pytest.mark.parametrize(("state", "kernel"), [(channel("1 0", "0 1"), REVEALED), (HALVES, JOINED)])
def test_an_answer_that_is_drawn_from_several_columns_is_refused(state, kernel):
    """At an answer node the sample may say more than the answers; one that only lists a column twice is refused too."""
    document = certificate(
        "simulation", nodes=[None, ANSWER], states=[channel("1", "1"), state], kernels=[[], [kernel]]
    )
    with pytest.raises(Rejected, match="drawn from one column"):
        check(document)


def test_a_leaf_at_which_something_is_learned_is_refused():
    """The state of the leaf tells the inputs apart, and every kernel simulates all the same."""
    both = channel("3/4 0 1/4 0", "0 1/2 0 1/2")
    identity = witness(4, 4, *((k, k, "1") for k in range(4)))
    document = certificate(
        "simulation", nodes=[None, ANSWER], states=[channel("1 0", "0 1"), both], kernels=[[], [identity]]
    )
    with pytest.raises(Rejected, match="at a leaf there is nothing to be learned"):
        check(document)


TESTS = [
    {"node": 0, "end": False},
    {"node": 0, "end": True},
    {"node": 1, "hear": [0, 0]},
    {"node": 3, "ask": 0, "then": 2},
    {"node": 2, "hear": [0, 1]},
    {"node": 3, "ask": 1, "then": 4},
]
# Of the last test: the answer 1 of option B, P(S) = 1/2 and Q(S) = 3/4.
REFUTED_OF_TWO = changed(BELOW, nodes=TWO_OPTIONS["nodes"], tests=TESTS, bound="1/2", p="1/2", q="3/4")


def test_an_adversary_of_two_options_is_accepted():
    """It is not perfectly private: 1 - Q(S) = 1/4 < 1/2."""
    assert "P(S) = 1/2 and Q(S) = 3/4" in check(REFUTED_OF_TWO).statement


@pytest.mark.parametrize(
    ("path", "value", "reason"),
    [
        (("tests",), [], "at least 1"),
        (("tests", 0), {"node": 0}, "missing field 'end'"),
        (("tests", 0), [], "expected an object"),
        (("tests", 0, "end"), 1, "expected true or false"),
        (("tests", 0, "node"), 4, "expected an index"),
        (("tests", 2, "hear"), [0], "expected 2 tests"),
        (("tests", 2, "hear"), [0, 2], "expected an index from 0 to 1"),
        (("tests", 2), {"node": 1, "ask": 0, "then": 0}, "expected hear"),
        (("tests", 3), {"node": 3, "hear": [2, 2]}, "expected ask"),
        (("tests", 3, "ask"), 1, "a test of another node"),
        (("tests", 3, "ask"), 2, "expected an index from 0 to 1"),
    ],
)
def test_what_is_rejected_of_an_adversary(path, value, reason):
    """One condition fails at a time."""
    with pytest.raises(Rejected, match=reason):
        check(edited(REFUTED_OF_TWO, path, value))


@pytest.mark.parametrize(
    ("document", "path", "value", "reason"),
    [
        (HELD, ("claim", "exp_epsilon"), "3/2", "above e.epsilon"),
        (HELD, ("claim", "delta"), "1/5", "the product differs"),
        (HELD, ("claim",), {"mu": "1"}, "missing field 'thresholds'"),
        (GAUSSIAN, ("claim",), {"mu": "3/5"}, "above beta of its corner"),
        (GAUSSIAN, ("claim",), {"mu": "1", "delta": "0"}, "unknown field 'delta'"),
        (GAUSSIAN, ("evidence", "thresholds"), ["3/5"], "below 1 - alpha of its corner"),
        (GAUSSIAN, ("evidence", "thresholds"), [], "expected 1 thresholds"),
        (GAUSSIAN, ("evidence",), {"level": "2", "witness": IDENTITY}, "missing field 'thresholds'"),
        (GAUSSIAN, ("kernels", 1, 0), witness(2, 2, (0, 1, "1"), (1, 0, "1")), "the product differs"),
        (NOT_GAUSSIAN, ("claim",), {"mu": "7/10"}, "does not violate"),
        (NOT_GAUSSIAN, ("bound",), "7/10", "above 1 - alpha"),
        (NOT_GAUSSIAN, ("bound",), "inf", "expected a canonical number"),
        (NOT_GAUSSIAN, ("direction",), "backward", "above 1 - alpha"),
        (NOT_GAUSSIAN, ("p",), "1/3", "not the stated number"),
        (HELD, ("evidence",), {"witnesses": {}}, "missing field"),
        (HELD, ("evidence", "level"), "1/2", "expected a number >= 1"),
        (HELD, ("direction",), "forward", "expected 3"),
        (HELD, ("kernels", 1, 0), witness(2, 2, (0, 1, "1"), (1, 0, "1")), "the product differs"),
        (CURVE, ("direction",), "both", "missing field 'backward'"),
        (CURVE, ("claim", "tradeoff"), [["0", "1"], ["1", "0"]], "expected 1"),
        (CURVE, ("evidence",), {"level": "2", "witness": IDENTITY}, "missing field"),
        (REFUTED, ("direction",), "forward", "does not violate"),
        (REFUTED, ("direction",), "both", "expected one of"),
        (REFUTED, ("p",), "1/3", "not the stated number"),
        (REFUTED, ("q",), "1/3", "not the stated number"),
        (REFUTED, ("bound",), "7/5", "below e.epsilon"),
        (REFUTED, ("bound",), "inf", "mass 0"),
        (REFUTED, ("claim", "delta"), "1/8", "does not violate"),
        (REFUTED, ("tests",), [{"node": 0, "end": True}], "test of the root"),
        (BELOW, ("bound",), "1/2", "not the stated number"),
        (BELOW, ("claim", "tradeoff"), [["0", "1"], ["1/4", "1/2"], ["1", "0"]], "not the stated number"),
        (BELOW, ("direction",), "backward", "not the stated number"),
    ],
)
def test_what_is_rejected_of_a_verdict(document, path, value, reason):
    """One condition fails at a time."""
    with pytest.raises(Rejected, match=reason):
        check(edited(document, path, value))


def test_equality_is_no_violation():
    """The event reaches the claimed curve and does not go below it."""
    curve = [["0", "1"], ["1/4", "1/2"], ["1", "0"]]
    with pytest.raises(Rejected, match="does not violate"):
        check(changed(BELOW, claim={"tradeoff": curve}, bound="1/2"))


def test_an_infinite_level_is_refuted_by_an_answer_of_one_input():
    """The answer 1 comes from the second input only."""
    only = {"answer": [["0", "1", "1/2", 0], ["1", "0", "1/2", 0]]}
    fields = {"bound": "inf", "p": "0", "q": "1/2", "claim": {"exp_epsilon": "inf", "delta": "1/3"}}
    document = changed(REFUTED, nodes=[None, only, REFUTED["nodes"][2]], **fields)
    assert check(document).kind == "interactive_refuted"


def test_the_hash_of_a_tree_is_that_of_its_nodes():
    """From the definition: the hash of null, of the answer, of the query."""
    leaf = sha256(None)
    answer = sha256({"answer": {"0": ["3/4", "1/2", leaf], "1": ["1/4", "1/2", leaf]}})
    assert dict(check(REFUTED).channels)["interactive"] == sha256({"query": {"A": answer, "B": leaf}})
