"""The numbers beside a verdict, against their definitions over all events and tests."""

from __future__ import annotations

from fractions import Fraction

import pytest
from gmpy2 import mpq
from hypothesis import assume, given
from hypothesis import strategies as st

from oracle.audits import measures
from oracle.audits.measures import (
    bounds,
    event_mass,
    largest,
    measure_curve,
    measure_level,
    measure_pair,
    smallest,
)
from oracle.audits.run import audit
from oracle.channels.channel import Channel
from oracle.channels.formal_channel import FormalChannel
from oracle.channels.tradeoff import TradeoffFunction
from oracle.claims import ApproximateDP, parse_claim
from oracle.enclosures import Enclosure
from oracle.exact import INFINITY, from_binary64, to_fraction
from oracle.formal import FormalSum
from oracle.mechanisms.evaluate import evaluate
from oracle.mechanisms.parse import parse_mechanism
from oracle.render import markdown, terminal
from oracle.verdicts import judge
from tests.vectors import by_definition as definition

DIRECTIONS = st.sampled_from(["both", "forward", "backward"])
LEVELS = st.sampled_from([Fraction(1), Fraction(3, 2), Fraction(2), Fraction(3), Fraction(7)])
DELTAS = st.sampled_from([Fraction(0), Fraction(1, 10), Fraction(1, 4), Fraction(1, 2), Fraction(1)])


@st.composite
def pairs(draw):
    """Two laws on few outcomes, zeros and equal columns likely."""
    columns = draw(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=5))
    rows = list(zip(*columns, strict=True))
    assume(all(map(sum, rows)))
    return [[Fraction(value, sum(row)) for value in row] for row in rows]


def formal(rows) -> FormalChannel:
    """The same pair with probabilities as exponential sums."""
    return FormalChannel.from_channel(Channel(rows))


def irrational(**fields: object) -> FormalChannel:
    """Randomized response and the like with a rational epsilon."""
    channel = evaluate(parse_mechanism(fields))
    assert isinstance(channel, FormalChannel)
    return channel


@given(pairs())
def test_pair_measures_by_definition(rows):
    """Total variation over all events, Bayes error over all guesses, corners over all tests."""
    p, q = rows
    found = measure_pair(Channel(rows), 12)
    assert found.total_variation == definition.total_variation(p, q)
    assert found.bayes_error == min((a + b) / 2 for a, b in definition.points_of_tests(p, q))
    forward = definition.convex_hull_from_below(definition.points_of_tests(p, q))
    backward = definition.convex_hull_from_below(definition.points_of_tests(q, p))
    assert list(found.forward) == forward
    assert list(found.backward or found.forward) == backward
    assert found.symmetric == (forward == backward) == (found.backward is None)


@given(pairs())
def test_formal_pair_measures_are_the_rational_ones(rows):
    """Two ways to the same numbers."""
    assert measure_pair(formal(rows), 12) == measure_pair(Channel(rows), 12)


@given(pairs(), LEVELS, DELTAS, DIRECTIONS)
def test_level_measures_by_definition(rows, level, delta, direction):
    """Least level, least delta, slack and equality over all events."""
    p, q = rows
    claim = parse_claim({"exp_epsilon": level, "delta": delta})
    assert isinstance(claim, ApproximateDP)
    channel = Channel(rows)
    holds = judge(channel, claim, direction).holds
    found = measure_level(channel, claim, direction, 12, holds=holds)
    reached = definition.delta(p, q, level, direction)
    assert (found.delta, found.slack) == (reached, delta - reached)
    assert str(found.least_level.value) == str(definition.least_level(p, q, delta, direction))
    assert found.level_is_least == (found.least_level.value == level)
    assert holds == (found.slack >= 0)
    if direction == "both":
        assert found.attained == (holds and definition.attains(p, q, level, delta))
    assert measure_level(formal(rows), claim, direction, 12, holds=holds) == found


@given(pairs(), st.sampled_from(["1/2", "3"]), DELTAS, DIRECTIONS)
def test_level_measures_at_a_transcendental_level(rows, epsilon, delta, direction):
    """The rational and the formal way give overlapping enclosures, and the sign of the slack is the verdict."""
    claim = parse_claim({"epsilon": epsilon, "delta": delta})
    channel = Channel(rows)
    holds = judge(channel, claim, direction).holds
    one = measure_level(channel, claim, direction, 20, holds=holds)
    other = measure_level(formal(rows), claim, direction, 20, holds=holds)
    assert (one.least_level, one.attained) == (other.least_level, other.attained)
    for first, second in ((one.delta, other.delta), (one.slack, other.slack)):
        assert max(bounds(first)[0], bounds(second)[0]) <= min(bounds(first)[1], bounds(second)[1])
    lo, hi = bounds(one.slack)
    assert lo >= 0 if holds else hi < 0
    assert bounds(one.delta)[0] <= delta - lo
    assert delta - hi <= bounds(one.delta)[1]


CURVES = [
    [("0", "1"), ("1", "0")],
    [("0", "1"), ("1/4", "1/4"), ("1", "0")],
    [("0", "1/2"), ("1/2", "0"), ("1", "0")],
    [("0", "9/10"), ("1/10", "1/2"), ("1/2", "1/10"), ("1", "0")],
    [("0", "0"), ("1", "0")],
]


@given(pairs(), st.sampled_from(CURVES), DIRECTIONS)
def test_curve_measures_by_definition(rows, corners, direction):
    """The least T - f where they are not bound to meet, and its sign is the verdict."""
    p, q = rows
    curve = TradeoffFunction(corners)
    orders = {"forward": [(p, q)], "backward": [(q, p)], "both": [(p, q), (q, p)]}[direction]
    least = []
    for first, second in orders:
        hull = definition.convex_hull_from_below(definition.points_of_tests(first, second))
        claimed = [(a, definition.value_at(hull, to_fraction(a))) for a, _ in curve.corners]
        gaps = [
            [b - curve(a) for a, b in points if (b, curve(a)) not in ((0, 0), (1, 1))] for points in (hull, claimed)
        ]
        least.append(min(gaps[0] or gaps[1] or [Fraction(0)]))
    channel = Channel(rows)
    claim = parse_claim({"tradeoff": curve.to_json()})
    found = measure_curve(channel, curve, direction, 12)
    assert found.slack == min(least)
    assert judge(channel, claim, direction).holds == (found.slack >= 0)
    assert measure_curve(formal(rows), curve, direction, 12).slack == found.slack


def test_curve_that_only_meets_where_both_are_zero_is_not_attained():
    """T of a pair with an outcome that Q never gives is 0 before 1; a low curve is no equality."""
    channel = Channel([["1/2", "1/2", 0], [0, "1/2", "1/2"]])
    curve = TradeoffFunction([("0", "1/10"), ("1/10", "0"), ("1", "0")])
    found = measure_curve(channel, curve, "both", 12)
    assert (found.slack, found.alpha) == (Fraction(2, 5), 0)


def test_pure_curve_that_leaves_room_is_not_attained():
    """Every curve through (0, 1) meets there; that is no equality, not even for identical rows."""
    curve = TradeoffFunction([("0", "1"), ("1/10", "1/10"), ("1", "0")])
    assert measure_curve(Channel([["3/4", "1/4"], ["1/4", "3/4"]]), curve, "both", 12).slack == Fraction(1, 6)
    same = Channel([["1/2", "1/2"], ["1/2", "1/2"]])
    for channel in (same, FormalChannel.from_channel(same)):
        found = measure_curve(channel, curve, "both", 12)
        assert (found.slack, found.alpha) == (Fraction(4, 5), Fraction(1, 10))
        assert measure_curve(channel, TradeoffFunction([(0, 1), (1, 0)]), "both", 12).slack == 0


def test_irrational_randomized_response():
    """Its own epsilon is attained, exactly; every probability is enclosed."""
    channel = irrational(mechanism="randomized_response", epsilon="1/2")
    claim = parse_claim({"epsilon": "1/2"})
    found = measure_level(channel, claim, "both", 12, holds=True)
    assert (found.epsilon, found.delta, found.slack, found.attained) == (mpq(1, 2), 0, 0, True)
    pair = measure_pair(channel, 30)
    # (t - 1)/(t + 1) with t = e^(1/2) is tanh(1/4).
    assert isinstance(pair.total_variation, Enclosure)
    assert mpq("0.24491866240370912927780113149") < pair.total_variation.lo
    assert pair.total_variation.hi < mpq("0.24491866240370912927780113150")
    assert pair.symmetric
    p, q = (event_mass(channel, row, [0], 30) for row in (0, 1))
    assert bounds(p)[0] - bounds(q)[1] <= pair.total_variation.hi
    assert event_mass(channel, 0, [0, 1], 30) == 1


def test_irrational_curve_is_compared_exactly():
    """The own curve of randomized response is irrational; a rational one below it leaves a positive, small slack."""
    channel = irrational(mechanism="randomized_response", epsilon="1/2")
    corner = mpq("0.377540668798145")  # just below 1/(1 + e^(1/2))
    curve = TradeoffFunction([(0, 1), (corner, corner), (1, 0)])
    found = measure_curve(channel, curve, "both", 12)
    assert isinstance(found.slack, Enclosure)
    assert 0 < found.slack.lo <= found.slack.hi < mpq("1e-14")
    above = TradeoffFunction([(0, 1), (corner + mpq("1e-15"), corner + mpq("1e-15")), (1, 0)])
    assert bounds(measure_curve(channel, above, "forward", 12).slack)[1] < 0


def test_asymmetric_irrational_pair_has_both_curves():
    """T(Q, P) is written out where it differs."""
    one, e = FormalSum.rational(1), FormalSum.exp(1)
    found = measure_pair(FormalChannel([[e, one, one], [one, one, one]]), 12)
    assert not found.symmetric
    assert found.backward is not None
    assert len(found.forward) == len(found.backward) == 3


def test_disjoint_rows_are_never_close():
    """No epsilon serves; delta 1 does."""
    channel = Channel([[1, 0], [0, 1]])
    claim = parse_claim({"exp_epsilon": "1000", "delta": "1/2"})
    found = measure_level(channel, claim, "both", 12, holds=False)
    assert (found.least_level.value, found.epsilon, found.delta) == (INFINITY, INFINITY, 1)


def test_extremes_of_exact_values_and_enclosures():
    """The result encloses the true extreme, and is exact where that is known."""
    wide, exact = Enclosure(mpq(1), mpq(3)), mpq(2)
    assert largest([wide, exact]) == Enclosure(mpq(2), mpq(3))
    assert smallest([wide, exact]) == Enclosure(mpq(1), mpq(2))
    assert largest([wide, mpq(4)]) == 4
    assert largest([mpq(4), INFINITY]) == INFINITY


def test_corners_too_long_to_write_are_left_out(monkeypatch):
    """Beyond the limit neither curve is written; whether they are the same is still known."""
    row = [mpq(1, 7), mpq(2, 7), mpq(4, 7)]
    channel = Channel([row, row[::-1]])
    assert measure_pair(channel, 12).forward is not None
    monkeypatch.setattr(measures, "_MAX_CORNER_BITS", 20)
    found = measure_pair(channel, 12)
    assert (found.forward, found.backward, found.symmetric) == (None, None, True)
    document = audit(channel, "exp_eps=4").document
    assert document["pairs"][0]["tradeoff"] == {"forward": None, "backward": None}
    assert "left out" in terminal.render(document)
    assert "Left out" in markdown.render(document)


class Unfloatable(Fraction):
    """A number that no float path survives."""

    def __float__(self):
        pytest.fail("a float was made")


def test_no_float_is_made():
    """The exact paths never ask for a float."""
    rows = [[Unfloatable(3, 4), Unfloatable(1, 4)], [Unfloatable(1, 4), Unfloatable(3, 4)]]
    found = measure_pair(Channel(rows), 12)
    assert found.total_variation == to_fraction(from_binary64(0.5))
