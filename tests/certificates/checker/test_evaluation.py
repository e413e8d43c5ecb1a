"""Evaluations: facts, references between them, and what makes a conclusion."""

from __future__ import annotations

import pytest

from oracle.certificates.checker import Rejected, check
from tests.certificates.checker.documents import DOCUMENTS, FIGURE_4_M, certificate, channel
from tests.certificates.checker.test_refinement import accepted

SUM = {"fact": "event_sum", "matrix": [["1/2", "1/3"]], "row": 0, "event": [0, 1], "value": "5/6"}
LOG = {"fact": "bracket", "function": "log", "argument": "2", "lo": "69/100", "hi": "7/10"}
TRUE = {"fact": "compare", "left": "1/3", "relation": "<", "right": "1/2"}


def facts(*items):
    """An evaluation of the given facts."""
    return certificate("evaluation", facts=list(items))


def compare(left, relation, right):
    """A comparison."""
    return {"fact": "compare", "left": left, "relation": relation, "right": right}


@pytest.mark.parametrize("relation", ["<", "<=", "=", ">", ">=", "!="])
@pytest.mark.parametrize(("left", "right", "true"), [("1", "2", "<<=!="), ("2", "2", "<=>=="), ("3", "2", ">>=!=")])
def test_relations(relation, left, right, true):
    """Each relation is what it says."""
    names = {"<<=!=": {"<", "<=", "!="}, "<=>==": {"<=", ">=", "="}, ">>=!=": {">", ">=", "!="}}[true]
    assert accepted(facts(compare(left, relation, right))) == (relation in names)


def test_references_reach_back_only():
    """A reference is to an earlier fact that has a value, or to an end of an earlier bracket."""
    assert accepted(facts(SUM, compare({"fact": 0}, "=", "5/6")))
    assert accepted(facts(LOG, compare({"fact": 0, "end": "lo"}, "=", "69/100")))
    for first, reference in (
        (SUM, {"fact": 1}),
        (SUM, {"fact": 2}),
        (SUM, {"fact": -1}),
        (SUM, {"fact": True}),
        (SUM, {"fact": 0, "end": "lo"}),
        (LOG, {"fact": 0}),
        (LOG, {"fact": 0, "end": "middle"}),
        (TRUE, {"fact": 0}),
        (SUM, {"fact": 0, "value": "5/6"}),
        (SUM, {}),
    ):
        assert not accepted(facts(first, compare(reference, "!=", "7")))


def test_a_conclusion_is_needed():
    """Values and brackets alone conclude nothing."""
    for fact in (SUM, LOG):
        with pytest.raises(Rejected, match="at least one fact"):
            check(facts(fact))
        assert accepted(facts(fact, TRUE))
    assert not accepted(facts())


@pytest.mark.parametrize(
    ("function", "argument", "lo", "hi", "holds"),
    [
        ("exp", "1", "2718281828/1000000000", "2718281829/1000000000", False),
        ("exp", "1", "679570457/250000000", "2718281829/1000000000", True),
        ("exp", "1", "2718281829/1000000000", "3", False),
        ("exp", "0", "1", "1", True),
        ("exp", "-1", "-5", "1/2", True),
        ("exp", "-1", "-5", "1/3", False),
        ("log", "1", "0", "0", True),
        ("log", "3", "1", "11/10", True),
        ("log", "3", "11/10", "2", False),
        ("log", "1/3", "-11/10", "-1", True),
        ("log", "0", "-5", "5", False),
        ("log", "-1", "-5", "5", False),
        ("sin", "0", "0", "0", False),
        ("exp", "1", "3", "2", False),
    ],
)
def test_brackets_are_proved(function, argument, lo, hi, holds):
    """Both ends are proved, and everything is in lowest terms."""
    fact = {"fact": "bracket", "function": function, "argument": argument, "lo": lo, "hi": hi}
    assert accepted(facts(fact, TRUE)) == holds


def test_equivalence_merges_and_drops():
    """Equal ratios merge, zero columns go, order is free; partial masses must agree."""
    left = channel("1/2 0 1/4 1/4", "1/4 0 3/8 3/8")
    for right, same in (
        (channel("1/2 1/2", "3/4 1/4"), True),
        (channel("1/4 1/4 1/2", "1/8 1/8 3/4"), True),
        (channel("1/2 1/2", "1/2 1/2"), False),
        (channel("1/2 1/4", "3/4 1/8"), False),
    ):
        assert accepted(facts({"fact": "equivalent", "left": left, "right": right})) == same


def test_vulnerability_takes_any_number_of_rows():
    """With the identity gain and three rows, V = (1/3) sum of column maxima."""
    three = channel("1/2 1/2", "1 0", "1/4 3/4")
    gain = [["1", "0", "0"], ["0", "1", "0"], ["0", "0", "1"]]
    fact = {"fact": "vulnerability", "channel": three, "gain": gain, "value": "7/12"}
    assert accepted(facts(fact, TRUE))
    assert not accepted(facts({**fact, "value": "29/50"}, TRUE))
    assert not accepted(facts({**fact, "gain": [["1", "0"]]}, TRUE))


def test_products_may_have_any_shape():
    """A row times a column, and the shapes must fit."""
    product = {"fact": "product", "left": [["1", "2"]], "right": [["3"], ["4"]], "product": [["11"]]}
    assert accepted(facts(product))
    for change in ({"product": [["12"]]}, {"product": [["11", "0"]]}, {"right": [["3"]]}, {"left": [["1"], ["2"]]}):
        assert not accepted(facts({**product, **change}))


def test_hockey_sticks_have_directions():
    """Forward is sum max(0, p - a q), backward sum max(0, q - a p)."""
    fact = {"fact": "hockey_stick", "channel": FIGURE_4_M, "level": "1", "direction": "forward", "value": "1/10"}
    assert accepted(facts(fact, TRUE))
    assert accepted(facts({**fact, "level": "0", "value": "1"}, TRUE))
    assert accepted(facts({**fact, "level": "3/2", "direction": "backward", "value": "1/20"}, TRUE))
    assert not accepted(facts({**fact, "level": "3/2", "value": "1/20"}, TRUE))
    assert not accepted(facts({**fact, "level": "inf", "value": "0"}, TRUE))


def test_statement_shows_the_comparison():
    """The sentence shows the numbers compared and the facts they come from."""
    statement = check(DOCUMENTS["evaluation: pre-processing"]).statement
    assert "1/6 (fact 2) < 7/24 (fact 1)" in statement
