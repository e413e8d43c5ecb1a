"""The tight guarantee against every adversary: dynamic programming, enumeration, and the adversaries that reach it."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from gmpy2 import mpq

from oracle.channels.channel import Channel
from oracle.channels.divergences import hockey_stick
from oracle.channels.galois import tradeoff_of
from oracle.channels.tradeoff import TradeoffFunction, minimum
from oracle.errors import InputError, LimitError
from oracle.exact import INFINITY, to_fraction
from oracle.interactive import tightness
from oracle.interactive.adversaries import event_masses, view_channel
from oracle.interactive.tightness import (
    Tightness,
    optimal_adversary,
    tight_channel,
    tight_hockey_stick,
    tight_tradeoff,
)
from oracle.interactive.tree import HALT, AnswerNode, Branch, InteractiveMechanism, QueryNode
from tests.interactive.trees import errors, lower_hull, random_law, random_mechanisms, response, view_laws

LEVELS = [mpq(0), mpq(1, 2), mpq(1), mpq(3, 2), mpq(4), INFINITY]


def by_views(law, level, direction):
    """The hockey stick of the views of one adversary, from the definition."""
    pairs = law if direction == "forward" else [(q, p) for p, q in law]
    if level is INFINITY:
        return sum((p for p, q in pairs if not q), Fraction(0))
    return sum((max(Fraction(0), p - to_fraction(level) * q) for p, q in pairs), Fraction(0))


@pytest.mark.parametrize("seed", range(5))
def test_the_curve_is_the_infimum_over_all_adversaries(seed):
    """On 100 random trees: the hull of the minimum of the trade-off functions of all adversaries' views."""
    for mechanism in random_mechanisms(seed, 20):
        points = [point for law in view_laws(mechanism.root) for point in errors(law)]
        assert [(to_fraction(a), to_fraction(b)) for a, b in tight_tradeoff(mechanism).corners] == lower_hull(points)


@pytest.mark.parametrize("direction", ["forward", "backward"])
def test_hockey_sticks_come_out_the_same_in_three_ways(direction):
    """By (node, level) pairs, from the tight channel, and as the maximum over all adversaries."""
    for mechanism in random_mechanisms(11, 25, 100):
        channel, laws = tight_channel(mechanism), view_laws(mechanism.root)
        for level in LEVELS:
            found = tight_hockey_stick(mechanism, level, direction)
            assert found == hockey_stick(channel, level, direction)
            assert found == max(by_views(law, level, direction) for law in laws)


def test_both_directions_mean_the_larger_stick_and_the_lower_curve():
    """T(Q, P) is the inverse of T(P, Q), and the tight curve of the exchanged mechanism."""
    for mechanism in random_mechanisms(12, 20):
        sticks = [tight_hockey_stick(mechanism, mpq(3, 2), side) for side in ("forward", "backward")]
        assert tight_hockey_stick(mechanism, mpq(3, 2), "both") == max(sticks)
        forward, backward = (tight_tradeoff(mechanism, side) for side in ("forward", "backward"))
        assert backward == forward.inverse() == tight_tradeoff(mechanism.swapped())
        assert tight_tradeoff(mechanism, "both") == minimum([forward, backward])


def test_every_corner_is_reached_by_an_adversary():
    """The masses of its event are the corner's, and its own curve goes through the corner."""
    for mechanism in random_mechanisms(13, 40):
        tight = Tightness(mechanism)
        corners = tight.tradeoff().corners
        plans = tight.corner_adversaries()
        assert len(plans) == len(corners)
        for plan, (alpha, beta) in zip(plans, corners, strict=True):
            assert event_masses(mechanism, plan) == (alpha, 1 - beta)
            assert tradeoff_of(view_channel(mechanism, plan)).at(alpha) == beta


@pytest.mark.parametrize("direction", ["forward", "backward"])
def test_the_optimal_adversary_reaches_the_hockey_stick(direction):
    """P(S) - a Q(S) is the supremum; at infinity the event has no mass under the other law."""
    for mechanism in random_mechanisms(14, 30):
        tight = Tightness(mechanism)
        for level in LEVELS:
            plan, p, q = optimal_adversary(tight, level, direction)
            assert event_masses(mechanism, plan) == (p, q)
            large, small = (p, q) if direction == "forward" else (q, p)
            stick = tight_hockey_stick(mechanism, level, direction)
            assert (large, small) == (stick, 0) if level is INFINITY else large - level * small == stick


def test_a_mixture_of_options_lies_below_each_of_them():
    """At a query node the curve is the hull: options (1/4, 1/2) and (1/2, 1/4) of two answers each."""
    root = QueryNode((("A", response("3/4", "1/2")), ("B", response("1/2", "1/4"))))
    corners = [("0", "1"), ("1/4", "1/2"), ("1/2", "1/4"), ("1", "0")]
    mechanism = InteractiveMechanism(root)
    assert tight_tradeoff(mechanism) == TradeoffFunction(corners)
    assert tight_channel(mechanism) == Channel([["1/2", "1/4", "1/4"], ["1/4", "1/4", "1/2"]])


def test_nothing_is_learned_when_nothing_is_said():
    """A leaf, and queries without answers."""
    nothing = TradeoffFunction([("0", "1"), ("1", "0")])
    for root in (HALT, QueryNode((("A", HALT), ("B", QueryNode((("C", HALT),)))))):
        mechanism = InteractiveMechanism(root)
        assert tight_tradeoff(mechanism) == nothing
        assert [tight_hockey_stick(mechanism, level) for level in (mpq(1, 2), mpq(1))] == [mpq(1, 2), mpq(0)]


def test_impossible_answers_cost_no_error():
    """An answer that only one input gives is an outcome of ratio 0 or infinity, whatever follows."""
    branches = (
        Branch("0", "1/2", "0", response("1/2", "1/3")),
        Branch("1", "1/2", "2/3", response("1", "1/2")),
        Branch("2", "0", "1/3"),
    )
    mechanism = InteractiveMechanism(AnswerNode(branches))
    assert tight_channel(mechanism) == Channel([["1/2", "1/2", "0"], ["0", "1/3", "2/3"]])
    assert tight_hockey_stick(mechanism, INFINITY, "backward") == mpq(2, 3)


def test_a_shared_subtree_is_handled_once():
    """Sixty answers in a row have 2^60 views and 61 columns; the adversary of a corner has as few parts."""
    node = HALT
    for _ in range(60):
        node = response("2/3", "1/3", node, node)
    mechanism = InteractiveMechanism(node)
    tight = Tightness(mechanism)
    assert tight.channel.shape == (2, 61)
    p, q = event_masses(mechanism, tight.adversary(30))
    assert (p, q) == tuple(sum(row[-30:], mpq(0)) for row in tight.channel.rows)
    assert tight_hockey_stick(mechanism, mpq(2)) == hockey_stick(tight.channel, mpq(2))


def test_the_two_ways_agree_on_a_tree_of_many_nodes():
    """Over 2,000 nodes, and the two ways agree at a level."""
    chance = random.Random(8)  # noqa: S311 - a fixed sample

    def grown(budget, asks):
        if budget < 3:
            return HALT
        if asks:
            return QueryNode(tuple((f"q{k}", grown(budget // 2 - 1, asks=False)) for k in range(2)))
        laws = zip(random_law(chance, 2), random_law(chance, 2), strict=True)
        return AnswerNode(
            tuple(Branch(str(k), p, q, grown(budget // 2 - 1, asks=True)) for k, (p, q) in enumerate(laws) if p or q)
        )

    mechanism = InteractiveMechanism(grown(20_000, asks=True))
    assert mechanism.size > 2_000
    assert tight_hockey_stick(mechanism, mpq(2)) == hockey_stick(tight_channel(mechanism), mpq(2))


def test_bad_arguments_are_refused():
    """A negative level, no single direction, more columns than there are."""
    mechanism = InteractiveMechanism(response("1/2", "1/3"))
    tight = Tightness(mechanism)
    with pytest.raises(InputError, match="a level at least 0"):
        tight_hockey_stick(mechanism, mpq(-1))
    with pytest.raises(InputError, match="one direction"):
        optimal_adversary(tight, mpq(1), "both")
    with pytest.raises(InputError, match="from 0 to 2 columns, got 3"):
        tight.adversary(3)


def test_limits_are_named(monkeypatch):
    """Columns of a channel, and pairs of a node and a level."""
    mechanism = InteractiveMechanism(response("1/2", "1/3", response("1/5", "1/3"), response("1/4", "1/7")))
    monkeypatch.setattr(tightness, "MAX_COLUMNS", 3)
    with pytest.raises(LimitError, match="at most 3 columns at each node, got 4"):
        Tightness(mechanism)
    monkeypatch.setattr(tightness, "MAX_STATES", 3)
    with pytest.raises(LimitError, match="at most 3 pairs"):
        tight_hockey_stick(mechanism, mpq(1))


@pytest.mark.parametrize(
    ("limit", "value", "expected"),
    [
        ("MAX_TOTAL_COLUMNS", 9, "tight channels made from at most 9 columns over all nodes"),
        ("MAX_BITS", 9, "tight channels of at most 9 bits over all nodes"),
    ],
)
def test_the_work_over_all_nodes_is_limited(monkeypatch, limit, value, expected):
    """Five answers in a row: no node has many columns, all of them have 15 below them."""
    node = HALT
    for _ in range(5):
        node = response("2/3", "1/3", node, node)
    mechanism = InteractiveMechanism(node)
    assert Tightness(mechanism).channel.shape[1] == 6
    monkeypatch.setattr(tightness, limit, value)
    with pytest.raises(LimitError, match=expected):
        Tightness(mechanism)


def test_the_adversaries_made_together_are_limited(monkeypatch):
    """One for each of the corners of 10 answers is 110 branches; one alone is ten."""
    law = [(mpq(k + 1, 55), mpq(1, 10)) for k in range(10)]
    tight = Tightness(InteractiveMechanism(AnswerNode(tuple(Branch(f"{k}", p, q) for k, (p, q) in enumerate(law)))))
    monkeypatch.setattr(tightness, "MAX_STEPS", 109)
    tight.adversary(3)
    with pytest.raises(LimitError, match="adversaries of at most 109 options and branches"):
        tight.corner_adversaries()
    monkeypatch.setattr(tightness, "MAX_STEPS", 110)
    assert len(tight.corner_adversaries()) == 11
