"""Interactive mechanisms in the request protocol: the shapes of values and siblings, and errors with their path."""

from __future__ import annotations

import json

import pytest
from jsonschema import Draft202012Validator

from oracle.answers import OPS, answer_line
from oracle.certificates.checker import check
from oracle.interactive.examples import interleaving, renyi_choice, unattained
from oracle.interactive.reading import to_json
from tests.vectors.fixture_files import SCHEMAS, read_json

M = to_json(interleaving())
TWO = to_json(unattained())
REQUEST = Draft202012Validator(read_json(SCHEMAS / "request.schema.json"))
ANSWER = Draft202012Validator(read_json(SCHEMAS / "answer.schema.json"))
CERTIFICATE = Draft202012Validator(read_json(SCHEMAS / "certificate.schema.json"))


def ask(op, **args):
    """The reply; the request and a reply with a value have the shape of their schemas."""
    request = {"id": "q", "op": op, "args": args}
    reply = answer_line(json.dumps(request))
    if "value" in reply:
        assert REQUEST.is_valid(request)
        assert ANSWER.is_valid(reply)
    return {name: value for name, value in reply.items() if name != "id"}


def test_the_three_ops_are_offered():
    """In the table, hence in hello."""
    assert {"interactive_tradeoff", "simulate", "concurrent"} <= set(OPS)


def test_interactive_tradeoff_has_the_shapes_of_tradeoff():
    """Corners, with alpha also beta, backward T(Q, P); a document or a node."""
    corners = [["0", "3/4"], ["1/4", "1/4"], ["5/8", "0"], ["1", "0"]]
    assert ask("interactive_tradeoff", interactive=M) == {"value": {"breakpoints": corners}}
    found = ask("interactive_tradeoff", interactive=M["interactive"], alpha="1/8")
    assert found == {"value": {"breakpoints": corners, "beta": "1/2"}} == ask("tradeoff", channel=M, alpha="1/8")
    back = ask("interactive_tradeoff", interactive=M, direction="backward")
    assert back["value"]["breakpoints"] == [["0", "5/8"], ["1/4", "1/4"], ["3/4", "0"], ["1", "0"]]
    assert ask("interactive_tradeoff", interactive=None) == {"value": {"breakpoints": [["0", "1"], ["1", "0"]]}}


def test_simulate_gives_a_channel_and_a_certificate():
    """The channel is canonical and of the certificate's tree."""
    value = ask("simulate", interactive=TWO)["value"]
    assert value["channel"] == {"matrix": [["3/4", "1/4", "0"], ["1/4", "5/12", "1/3"]]}
    assert value["certificate"]["states"][-1] == value["channel"]
    assert check(value["certificate"]).kind == "simulation"
    assert CERTIFICATE.is_valid(value["certificate"])


def test_concurrent_at_a_level_is_a_number_beside_what_it_is_compared_with():
    """Vector 13: 7/12, where N x N has 2/3; orders are of places in the list, from 0."""
    found = ask("concurrent", interactives=[TWO, TWO], exp_epsilon="1", direction="forward")
    assert found["value"] == "7/12"
    compared = found["compared"]
    assert (compared["product"], compared["optimal"]) == ("2/3", "2/3")
    assert [item["order"] for item in compared["sequential"]] == [[0, 1], [1, 0]]
    assert compared["guarantees"] == [{"exp_epsilon": "5/3", "delta": "1/3"}] * 2


def test_concurrent_without_a_level_is_a_curve():
    """The corners, and those of each order and of the product."""
    found = ask("concurrent", interactives=[M, M])
    assert found["value"]["breakpoints"] == found["compared"]["product"]["breakpoints"]
    assert found["compared"]["sequential"][0]["value"]["breakpoints"] != found["value"]["breakpoints"]
    assert "optimal" not in found["compared"]
    enclosed = ask("concurrent", interactives=[TWO, M], epsilon="1/2", digits=3)
    assert set(enclosed["value"]) == {"lo", "hi"}


def test_a_tree_stands_where_a_question_is_about_laws():
    """The values of its tight channel, and for Rényi the supremum."""
    assert ask("delta", channel=M, exp_epsilon="1") == {"value": "1/2"}
    assert ask("hockey_stick", channel=M, exp_epsilon="inf") == {"value": "3/8"}
    assert ask("epsilon", channel=M, delta="1/3") == {"value": {"exp_epsilon": "inf", "lo": "inf", "hi": "inf"}}
    assert ask("mu", channel=M) == {"value": "inf"}
    assert ask("renyi", channel=to_json(renyi_choice()), order="2") == {"value": {"moment": "4/3"}}
    assert set(ask("renyi", channel=to_json(renyi_choice()), order="3/2")["value"]["divergence"]) == {"lo", "hi"}
    value = ask("satisfies", channel=M, claim={"exp_epsilon": "1", "delta": "1/2"})["value"]
    assert (value["holds"], value["certificate"]["certificate"]) == (True, "interactive_held")
    value = ask("satisfies", channel=M, claim={"mu": "1"})["value"]
    assert (value["holds"], value["certificate"]["certificate"]) == (False, "interactive_refuted")
    assert CERTIFICATE.is_valid(value["certificate"])


@pytest.mark.parametrize(
    ("op", "args"),
    [
        ("canonical", {"channel": M}),
        ("vulnerability", {"channel": M, "gain": [["1", "0"], ["0", "1"]]}),
        ("lub", {"channels": [M]}),
        ("post", {"channel": M, "post": [["1"]]}),
        ("satisfies", {"channel": M, "claim": {"rho": "1"}}),
    ],
)
def test_what_has_no_meaning_for_a_tree_is_declined(op, args):
    """With the op that has one."""
    assert "the op " in ask(op, **args)["declined"]


BAD = [
    ({"query": {"a": {"answer": {"x": {"p": "1/2", "q": "1"}}}}}, '.query["a"].answer: expected p that sum to 1'),
    ({"answer": {"x": {"p": "1"}}}, '.answer["x"]: expected the probabilities "p" and "q" of both inputs, got no "q"'),
    ({"answer": {"x": {"q": "1"}}}, '.answer["x"]: expected the probabilities "p" and "q" of both inputs, got no "p"'),
    ({"answer": {"x": {"p": "0.5", "q": 0.5}}}, '.answer["x"].q: expected'),
    ({"answer": {"x": {"p": "1", "q": "1"}, "y": {"p": "0", "q": "0"}}}, '.answer["y"]: expected a branch that can be'),
    ({"query": {}}, ".query: expected at least one option"),
    ({"ref": "a"}, '.ref: expected the name of a node of "nodes"'),
    ({"ask": {}}, ": expected a node"),
    (7, ": expected a node"),
]


@pytest.mark.parametrize(("node", "message"), BAD)
def test_bad_nodes_are_named_by_their_path(node, message):
    """As an argument of its own, in a document, and where a channel may stand."""
    assert f"args.interactive{message}" in ask("interactive_tradeoff", interactive=node)["error"]
    document = {"interactive": node}
    assert f"args.interactive.interactive{message}" in ask("simulate", interactive=document)["error"]
    assert f"args.channel.interactive{message}" in ask("delta", channel=document, exp_epsilon="1")["error"]
    assert f"args.channel.interactive{message}" in ask("renyi", channel=document, order="2")["error"]
    assert f"args.channel.interactive{message}" in ask("satisfies", channel=document, claim={"mu": "1"})["error"]
    assert f"args.interactives[0]{message}" in ask("concurrent", interactives=[node])["error"]


def test_a_cycle_and_a_tree_over_the_limit_are_errors():
    """The reference that closes the cycle; the depth."""
    cycle = {"interactive": {"ref": "a"}, "nodes": {"a": {"query": {"x": {"ref": "a"}}}}}
    error = ask("simulate", interactive=cycle)["error"]
    assert error.startswith('args.interactive.nodes["a"].query["x"].ref: expected a tree, got a cycle')
    nodes = {f"n{k}": {"query": {"x": {"ref": f"n{k + 1}"}}} for k in range(1001)}
    long = {"interactive": {"ref": "n0"}, "nodes": {**nodes, "n1001": None}}
    assert "expected a tree of depth at most 1000" in ask("simulate", interactive=long)["error"]
