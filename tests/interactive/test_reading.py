"""Reading and writing interactive mechanisms as JSON."""

from __future__ import annotations

import json

import pytest
from jsonschema import Draft202012Validator

from oracle.errors import InputError, LimitError
from oracle.interactive import reading
from oracle.interactive.reading import interactive_from, is_interactive, parse_interactive, to_json
from oracle.interactive.tree import HALT, InteractiveMechanism, QueryNode, children
from tests.interactive.trees import random_mechanisms, response
from tests.vectors.fixture_files import SCHEMAS, read_json

SCHEMA = Draft202012Validator(read_json(SCHEMAS / "interactive.schema.json"))
ANSWER = {"answer": {"0": {"p": "3/4", "q": "0.5"}, "1": {"p": "1/4", "q": "1/2", "then": {"halt": True}}}}


def test_what_is_written_is_read_back():
    """The same hash, name and size; the text has the shape of the schema."""
    for k, mechanism in enumerate(random_mechanisms(4, 40)):
        named = InteractiveMechanism(mechanism.root, f"tree {k}")
        document = json.loads(json.dumps(to_json(named)))
        assert SCHEMA.is_valid(document)
        again = parse_interactive(document)
        assert (again.hash, again.name, again.size) == (mechanism.hash, f"tree {k}", mechanism.size)


def test_the_forms_of_a_leaf_are_the_same():
    """Null, halt and a missing then."""
    forms = [{"interactive": form} for form in (None, {"halt": True})]
    assert [parse_interactive(form).root for form in forms] == [HALT, HALT]
    root = parse_interactive({"interactive": ANSWER}).root
    assert children(root) == (HALT, HALT)


def test_a_shared_subtree_is_written_once():
    """References on both sides."""
    shared = response("1/2", "1/3")
    root = QueryNode((("A", response("1/4", "1/2", shared, shared)), ("B", shared)))
    document = to_json(InteractiveMechanism(root))
    assert list(document["nodes"]) == ["n0"]
    assert document["interactive"]["query"]["B"] == {"ref": "n0"}
    first, second = children(parse_interactive(document).root)
    assert children(first) == (second, second)


def test_a_long_chain_is_written_in_pieces():
    """A thousand nodes in a row pass through the JSON reader."""
    node = HALT
    for _ in range(1000):
        node = QueryNode((("a", node), ("b", HALT)))
    mechanism = InteractiveMechanism(node)
    assert parse_interactive(json.loads(json.dumps(to_json(mechanism)))).hash == mechanism.hash


def test_nesting_without_text_is_read_without_recursion():
    """A Python object nested as deep as the limit; a deeper one is over it."""
    value = None
    for _ in range(1000):
        value = {"query": {"a": value}}
    assert parse_interactive({"interactive": value}).depth == 1000
    for _ in range(2000):
        value = {"query": {"a": value}}
    with pytest.raises(LimitError, match="depth at most 1000"):
        parse_interactive({"interactive": value})


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ([], r"expected an interactive mechanism"),
        ({"name": "a"}, r'expected the key "interactive"'),
        ({"interactive": None, "extra": 1}, r"expected only the keys interactive, name, nodes"),
        ({"interactive": None, "name": 3}, r"name: expected a name as text"),
        ({"interactive": None, "nodes": []}, r'nodes: expected an object {"name": NODE}'),
        ({"interactive": 5}, r"interactive: expected a node"),
        ({"interactive": {"query": {"A": 5}}}, r'interactive\.query\["A"\]: expected a node'),
        ({"interactive": {"ask": {}}}, r'interactive: expected a node: .*, got the key "ask"'),
        ({"interactive": {"query": {}, "answer": {}}}, r"interactive: expected a node"),
        ({"interactive": {"halt": False}}, r"interactive\.halt: expected true"),
        ({"interactive": {"query": []}}, r"interactive\.query: expected options"),
        ({"interactive": {"query": {}}}, r"interactive\.query: expected at least one option"),
        ({"interactive": {"answer": [1]}}, r"interactive\.answer: expected branches"),
        ({"interactive": {"answer": {"0": []}}}, r'interactive\.answer\["0"\]: expected a branch'),
        (
            {"interactive": {"query": {"A": {"answer": {"0": {"p": "1"}}}}}},
            r'interactive\.query\["A"\]\.answer\["0"\]: expected the probabilities "p" and "q" .*, got no "q"',
        ),
        (
            {"interactive": {"answer": {"0": {"p": "1", "q": "1", "next": None}}}},
            r'interactive\.answer\["0"\]: expected only the keys p, q, then',
        ),
        (
            {"interactive": {"query": {"A": {"answer": {"0": {"p": 0.5, "q": 1}}}}}},
            r'interactive\.query\["A"\]\.answer\["0"\]\.p: expected the number as a string',
        ),
        (
            {"interactive": {"answer": {"0": {"p": "1/2", "q": "1"}, "1": {"p": "1/3", "q": "0"}}}},
            r"interactive\.answer: expected p that sum to 1, got a sum of 5/6",
        ),
        (
            {"interactive": {"answer": {"0": {"p": "1", "q": "1"}, "1": {"p": "0", "q": "0"}}}},
            r'interactive\.answer\["1"\]: expected a branch that can be reached',
        ),
        ({"interactive": {"ref": "x"}}, r'interactive\.ref: expected the name of a node of "nodes", got "x"'),
        ({"interactive": {"ref": 1}}, r"interactive\.ref: expected the name of a node as text"),
        ({"interactive": None, "nodes": {"x": None}}, r'nodes\["x"\]: expected only named nodes that are referred to'),
        (
            {"interactive": {"ref": "x"}, "nodes": {"x": {"query": {"A": {"ref": "x"}}}}},
            r'nodes\["x"\]\.query\["A"\]\.ref: expected a tree, got a cycle: "x" is below itself',
        ),
        (
            {"interactive": {"ref": "x"}, "nodes": {"x": {"ref": "y"}, "y": {"ref": "x"}}},
            r'nodes\["y"\]\.ref: expected a tree, got a cycle',
        ),
    ],
)
def test_malformed_documents_are_refused_with_their_path(document, message):
    """One fault each."""
    with pytest.raises(InputError, match=message):
        parse_interactive(document)


def test_the_path_starts_where_the_caller_says():
    """A file name before the path."""
    with pytest.raises(InputError, match=r"tree\.json\.interactive\.query: expected at least one option"):
        parse_interactive({"interactive": {"query": {}}}, "tree.json")


def test_too_many_nodes_are_refused(monkeypatch):
    """The limit names itself."""
    monkeypatch.setattr(reading, "MAX_NODES", 2)
    with pytest.raises(LimitError, match="at most 2 nodes"):
        parse_interactive({"interactive": {"query": {"A": ANSWER, "B": ANSWER}}})


def test_a_mechanism_may_be_given_in_three_ways():
    """As itself, as its document, as the node of its root; the place of an error is that of the node."""
    whole = parse_interactive({"interactive": ANSWER})
    assert interactive_from(whole) is whole
    assert interactive_from({"interactive": ANSWER}).hash == interactive_from(ANSWER).hash == whole.hash
    assert interactive_from(None).root is HALT
    assert [is_interactive(value) for value in (whole, {"interactive": 1}, ANSWER, None)] == [True, True, False, False]
    with pytest.raises(InputError, match=r'^here\.query\["A"\]: expected a node'):
        interactive_from({"query": {"A": 5}}, "here")
    with pytest.raises(InputError, match=r'^here\.interactive\.query\["A"\]: expected a node'):
        interactive_from({"interactive": {"query": {"A": 5}}}, "here")
