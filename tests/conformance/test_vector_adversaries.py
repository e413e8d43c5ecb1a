"""Interactive mechanisms and decompositions a second time, against values that follow from their definitions."""

from __future__ import annotations

from fractions import Fraction

import pytest

from oracle.conformance.vector_sources.expressions import NoSecondWay, Undefined
from oracle.conformance.vector_sources.second_answers import second
from oracle.fixtures import fixture
from oracle.json_text import parse, read_text

F = Fraction
RESPONSE = {
    "interactive": {"query": {"ask": {"answer": {"1": {"p": "3/4", "q": "1/4"}, "0": {"p": "1/4", "q": "3/4"}}}}}
}
INTERLEAVING = parse(read_text(fixture("interactive/interleaving.json")))


def delta(*trees, **level):
    return second("concurrent", {"interactives": list(trees), **level})[1]


def test_a_single_response_is_its_table():
    """Its curve, its table, and two of them at once: (9/16, 6/16, 1/16) and reversed."""
    corners = [(0, 1), (F(1, 4), F(1, 4)), (1, 0)]
    assert second("interactive_tradeoff", {"interactive": RESPONSE})[1] == corners
    assert second("interactive_tradeoff", {"interactive": RESPONSE, "alpha": "1/8"})[1] == F(5, 8)
    assert second("simulate", {"interactive": RESPONSE})[1] == [[F(3, 4), F(1, 4)], [F(1, 4), F(3, 4)]]
    assert delta(RESPONSE, RESPONSE, exp_epsilon="2") == F(9, 16) - F(2, 16)


def test_interleaving_reveals_more_than_either_order():
    """11/16 at e^eps = 1 and 5/8 at 2, where one after the other reaches 21/32 and 39/64."""
    assert delta(INTERLEAVING, INTERLEAVING, exp_epsilon="1") == F(11, 16)
    assert delta(INTERLEAVING, INTERLEAVING, exp_epsilon="2") == F(5, 8)


def test_named_nodes_and_ends():
    """A reference is followed, a halt reveals nothing, a bare node stands for a document."""
    twice = {
        "interactive": {"query": {"ask": {"answer": {"1": {"p": "1", "q": "1", "then": {"ref": "again"}}}}}},
        "nodes": {"again": RESPONSE["interactive"]},
    }
    assert delta(twice, exp_epsilon="2") == delta(RESPONSE, exp_epsilon="2") == F(1, 4)
    assert delta({"interactive": {"halt": True}}, {"interactive": None}, exp_epsilon="1") == 0
    assert second("interactive_tradeoff", {"interactive": RESPONSE["interactive"]})[1][1] == (F(1, 4), F(1, 4))


@pytest.mark.parametrize(
    "tree",
    [
        {"interactive": {"answer": {"0": {"p": "1/2", "q": "1"}}}},
        {"interactive": {"answer": {"0": {"p": "3/2", "q": "1/2"}, "1": {"p": "-1/2", "q": "1/2"}}}},
        {"interactive": {"query": {}}},
        {"interactive": {"ref": "nowhere"}},
    ],
)
def test_what_is_no_mechanism_has_no_answer(tree):
    """Masses that do not sum to 1 or are negative, no option, a reference to nothing."""
    with pytest.raises(Undefined):
        second("interactive_tradeoff", {"interactive": tree})


def test_too_many_adversaries_are_not_looked_at():
    """Which says nothing about the question."""
    choice = {"query": {"a": RESPONSE["interactive"]["query"]["ask"], "b": None}}
    wide = {"answer": {str(n): {"p": "1/16", "q": "1/16", "then": choice} for n in range(16)}}
    with pytest.raises(NoSecondWay):
        second("interactive_tradeoff", {"interactive": {"interactive": wide}})


@pytest.mark.parametrize(
    ("points", "parts"),
    [
        ([["0", "1"], ["1/4", "1/4"], ["1", "0"]], [(1, 3)]),
        ([["0", "9/10"], ["9/40", "9/40"], ["9/10", "0"], ["1", "0"]], [(F(1, 10), "inf"), (F(9, 10), 3)]),
        ([["0", "1"], ["1/5", "1/2"], ["1/2", "1/5"], ["1", "0"]], [(F(7, 10), F(5, 2)), (F(3, 10), 1)]),
        ([["0", "1"], ["1", "0"]], [(1, 1)]),
        ([["0", "0"], ["1", "0"]], [(1, "inf")]),
    ],
)
def test_decompositions(points, parts):
    """The weights sum to 1, the levels fall, and a middle column tells nothing."""
    assert second("decompose", {"tradeoff": {"breakpoints": points}})[1] == parts


def test_a_curve_that_is_not_symmetric_has_no_decomposition():
    """It is not its own inverse."""
    with pytest.raises(Undefined):
        second("decompose", {"tradeoff": {"breakpoints": [["0", "1"], ["1/10", "1/2"], ["1", "0"]]}})
