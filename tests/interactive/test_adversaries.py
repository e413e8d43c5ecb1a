"""Deterministic adversaries, their views and events."""

from __future__ import annotations

import pytest
from gmpy2 import mpq

from oracle.errors import InputError, LimitError
from oracle.exact import to_fraction
from oracle.interactive.adversaries import (
    ACCEPT,
    REJECT,
    Ask,
    Hear,
    complement,
    count_strategies,
    count_views,
    event_masses,
    positions_to_json,
    strategies,
    strategy_text,
    view_channel,
    views,
)
from oracle.interactive.tree import HALT, InteractiveMechanism, QueryNode
from tests.interactive.trees import adversaries, random_mechanisms, response, view_laws

# Ask once; after 0 choose A or B, after 1 it is over.
CHOICE = QueryNode((("A", response("1", "1/2")), ("B", response("1/2", "1"))))
TWICE = InteractiveMechanism(QueryNode((("first", response("3/4", "1/2", CHOICE)),)))


def test_enumeration_is_the_definition():
    """The same number of adversaries and the same laws of views, in the same order, as by recursion."""
    for mechanism in random_mechanisms(5, 25, 60):
        listed = strategies(mechanism)
        assert len(listed) == count_strategies(mechanism) == adversaries(mechanism.root)
        found = [[(to_fraction(v.p), to_fraction(v.q)) for v in views(mechanism, s)] for s in listed]
        assert found == view_laws(mechanism.root)
        assert [count_views(mechanism, s) for s in listed] == list(map(len, found))


def test_views_are_named_by_their_path():
    """What was asked and heard; different texts for different views."""
    plan = Ask("first", Hear((Ask("B", Hear((ACCEPT, REJECT))), ACCEPT)))
    channel = view_channel(TWICE, plan)
    assert channel.outputs == (
        "ask first, hear 0, ask B, hear 0",
        "ask first, hear 0, ask B, hear 1",
        "ask first, hear 1",
    )
    assert channel.rows == ((mpq(3, 8), mpq(3, 8), mpq(1, 4)), (mpq(1, 2), mpq(0), mpq(1, 2)))
    assert event_masses(TWICE, plan) == (mpq(3, 8), mpq(0))
    assert event_masses(TWICE, complement(plan)) == (mpq(5, 8), mpq(1))


def test_labels_that_are_no_words_are_quoted():
    """So that the text of a view cannot be mistaken for another."""
    mechanism = InteractiveMechanism(QueryNode((("a, hear 0", HALT),)))
    assert view_channel(mechanism, strategies(mechanism)[0]).outputs == ('ask "a, hear 0"',)
    assert view_channel(InteractiveMechanism(HALT), ACCEPT).outputs == ("(nothing)",)


def test_the_masses_of_an_event_are_sums_over_views():
    """With every second view in the event, by listing and by dynamic programming."""
    for mechanism in random_mechanisms(6, 20, 40):
        for plan in strategies(mechanism)[:3]:
            marked = _marked(plan, [0])
            found = views(mechanism, marked)
            sums = tuple(sum((getattr(v, name) for v in found if v.rejects), mpq(0)) for name in ("p", "q"))
            assert event_masses(mechanism, marked) == sums


def _marked(plan, count):
    """The strategy with every second end rejecting."""
    if isinstance(plan, Ask):
        return Ask(plan.option, _marked(plan.then, count))
    if isinstance(plan, Hear):
        return Hear(tuple(_marked(rest, count) for rest in plan.then))
    count[0] += 1
    return REJECT if count[0] % 2 else ACCEPT


def test_a_strategy_may_depend_on_the_history():
    """The same node after two answers: two by two choices."""
    mechanism = InteractiveMechanism(response("1/2", "1/3", CHOICE, CHOICE))
    assert count_strategies(mechanism) == 4
    assert len({tuple(v.text for v in views(mechanism, s)) for s in strategies(mechanism)}) == 4


def test_a_strategy_is_told_in_words():
    """First questions first."""
    plan = Ask("first", Hear((Ask("A", Hear((ACCEPT, ACCEPT))), ACCEPT)))
    assert strategy_text(TWICE, plan) == ["first: ask first", "after ask first, hear 0: ask A"]


def test_strategies_become_tests_of_a_certificate():
    """Shared parts once, options by their place in the order of labels."""
    plan = Ask("first", Hear((Ask("B", Hear((ACCEPT, ACCEPT))), ACCEPT)))
    tests, places = positions_to_json(TWICE, plan, plan)
    assert places == [len(tests) - 1] * 2
    assert tests[0] == {"node": 0, "end": False}
    assert [test for test in tests if "ask" in test] == [
        {"node": 3, "ask": 1, "then": 1},
        {"node": 5, "ask": 0, "then": 3},
    ]


@pytest.mark.parametrize(
    ("plan", "message"),
    [
        (ACCEPT, "a strategy for a QueryNode"),
        (Ask("second", ACCEPT), "one of the options first"),
        (Ask("first", Hear((ACCEPT,))), "a strategy for a AnswerNode"),
        (Ask("first", Hear((ACCEPT, ACCEPT))), "a strategy for a QueryNode"),
        (Ask("first", Hear((Ask("A", Hear((ACCEPT, ACCEPT))), Ask("A", ACCEPT)))), "a strategy for a Leaf"),
    ],
)
def test_a_strategy_that_does_not_fit_is_refused(plan, message):
    """Too short, too long, another option, another number of branches."""
    with pytest.raises(InputError, match=message):
        views(TWICE, plan)


def test_limits_are_named():
    """Adversaries, views, histories, and the size of the count itself."""
    mechanism = InteractiveMechanism(response("1/2", "1/3", CHOICE, CHOICE))
    with pytest.raises(LimitError, match="at most 3 adversaries, got 4"):
        strategies(mechanism, 3)
    with pytest.raises(LimitError, match="at most 3 views, got 4"):
        views(mechanism, strategies(mechanism)[0], 3)
    with pytest.raises(LimitError, match="at most 2 histories"):
        strategy_text(mechanism, strategies(mechanism)[0], 2)
    node = CHOICE
    for _ in range(30):
        node = response("1/2", "1/3", node, node)
    with pytest.raises(LimitError, match="100,000 digits"):
        count_strategies(InteractiveMechanism(node))
