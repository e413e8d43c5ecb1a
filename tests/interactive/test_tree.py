"""Trees: validation with paths, sharing, hashes, limits."""

from __future__ import annotations

import pickle
from fractions import Fraction

import pytest
from gmpy2 import mpq

from oracle.errors import InputError, LimitError
from oracle.interactive import tree
from oracle.interactive.tree import (
    HALT,
    AnswerNode,
    Branch,
    InteractiveMechanism,
    Leaf,
    QueryNode,
    children,
    postorder,
    size,
)
from tests.interactive.trees import random_mechanisms, response


def test_there_is_one_leaf():
    """Also after pickling."""
    assert Leaf() is HALT
    assert pickle.loads(pickle.dumps(HALT)) is HALT  # noqa: S301 - our own bytes


def test_probabilities_become_exact_numbers():
    """Text, integers and fractions, no floats."""
    branch = Branch("0", "0.25", Fraction(1, 3))
    assert (branch.p, branch.q) == (mpq(1, 4), mpq(1, 3))
    with pytest.raises(InputError, match=r"p: expected the number as a string"):
        Branch("0", 0.25, 1)


def test_equal_subtrees_become_one_object():
    """Two equal answers are one node of the mechanism; what stands alone is kept as it is."""
    alone = response("1/2", "1/3")
    root = QueryNode((("A", response("3/4", "1/4")), ("B", response("3/4", "1/4")), ("C", alone)))
    mechanism = InteractiveMechanism(root)
    first, second, third = children(mechanism.root)
    assert first is second
    assert third is alone
    assert (size(root), mechanism.size) == (5, 4)
    assert mechanism.nodes[-1] is mechanism.root
    assert InteractiveMechanism(mechanism.root).root is mechanism.root


def test_postorder_has_children_first():
    """Every distinct node once, below its parents."""
    for mechanism in random_mechanisms(3, 20):
        order = postorder(mechanism.root)
        places = {id(node): k for k, node in enumerate(order)}
        assert len(places) == len(order) == mechanism.size
        assert all(places[id(child)] < places[id(node)] for node in order for child in children(node))


def test_the_hash_ignores_the_order_and_nothing_else():
    """Options and branches in another order give the same hash, another probability or label another one."""
    a, b = response("1/2", "1/3"), response("1/4", "1/3")
    one = InteractiveMechanism(QueryNode((("A", a), ("B", b))))
    turned = AnswerNode(a.branches[::-1])
    assert one.hash == InteractiveMechanism(QueryNode((("B", b), ("A", turned))), "a name").hash
    assert one.hash != InteractiveMechanism(QueryNode((("A", b), ("B", a)))).hash
    assert one.hash != InteractiveMechanism(QueryNode((("A", a), ("C", b)))).hash
    assert one.hash != one.swapped().hash
    assert one.hash == one.swapped().swapped().hash


@pytest.mark.parametrize(
    ("root", "message"),
    [
        (QueryNode(()), r"interactive\.query: expected at least one option"),
        (AnswerNode(()), r"interactive\.answer: expected at least one branch"),
        (QueryNode((("A", HALT), ("A", HALT))), r"interactive\.query: expected distinct labels"),
        (QueryNode(((1, HALT),)), r"interactive\.query: expected a label as text"),
        (QueryNode((("a\nb", HALT),)), r"interactive\.query: expected a label without control characters"),
        (QueryNode((("A", "B"),)), r'interactive\.query\["A"\]: expected a node'),
        (
            QueryNode((("A", AnswerNode((Branch("0", "1/2", "1"),))),)),
            r'interactive\.query\["A"\]\.answer: expected p that sum to 1, got a sum of 1/2, which misses 1 by 1/2',
        ),
        (
            AnswerNode((Branch("0", "1", "1"), Branch("1", "0", "0"))),
            r'interactive\.answer\["1"\]: expected a branch that can be reached',
        ),
        (
            AnswerNode((Branch("0", "3/2", "1"), Branch("1", "-1/2", "0"))),
            r'interactive\.answer\["1"\]\.p: expected a probability at least 0, got -1/2',
        ),
        (
            AnswerNode((Branch("0", "1", "1", QueryNode(())),)),
            r'interactive\.answer\["0"\]\.then\.query: expected at least one option',
        ),
    ],
)
def test_what_is_no_tree_is_refused_with_its_path(root, message):
    """One fault each."""
    with pytest.raises(InputError, match=message):
        InteractiveMechanism(root)


def test_a_cycle_is_refused_with_its_path():
    """A node that is made to contain itself."""
    inner = QueryNode((("B", HALT),))
    root = QueryNode((("A", inner),))
    object.__setattr__(inner, "options", (("B", root),))
    with pytest.raises(InputError, match=r'interactive\.query\["A"\]\.query\["B"\]: expected a tree, got a cycle'):
        InteractiveMechanism(root)


def test_a_deep_tree_needs_no_recursion_and_a_deeper_one_is_refused():
    """A thousand questions in a row; one more is over the limit."""
    node = HALT
    for _ in range(1000):
        node = QueryNode((("a", node), ("b", HALT)))
    mechanism = InteractiveMechanism(node)
    assert (mechanism.depth, mechanism.size) == (1000, 1001)
    assert len(mechanism.hash) == 64
    with pytest.raises(LimitError, match="depth at most 1000"):
        InteractiveMechanism(QueryNode((("a", node),)))


def test_too_many_nodes_are_refused(monkeypatch):
    """The limit counts distinct nodes."""
    monkeypatch.setattr(tree, "MAX_NODES", 3)
    root = QueryNode((("A", response("1/2", "1/3")), ("B", response("1/4", "1/3"))))
    with pytest.raises(LimitError, match="at most 3 distinct nodes"):
        InteractiveMechanism(root)


def test_a_name_is_checked():
    """Text without control characters."""
    assert InteractiveMechanism(HALT, "a name").name == "a name"
    with pytest.raises(InputError, match="name: expected a name without control characters"):
        InteractiveMechanism(HALT, "a\x00")
