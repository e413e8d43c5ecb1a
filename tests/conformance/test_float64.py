"""The float64 subject: right up to rounding, exact about what it says, and clear about what it does not offer."""

from __future__ import annotations

import sys
from importlib import reload
from typing import Any

import pytest
from gmpy2 import mpq
from hypothesis import given, settings

from oracle import answers
from oracle.channels.channel import Channel
from oracle.conformance import float64
from oracle.errors import MissingExtraError
from oracle.exact import parse_extended
from oracle.laws.ask import Ask
from oracle.laws.compare import curves_equal, equal, tables_equal
from oracle.laws.strategies import alphas, deltas, rational_levels, tradeoff_functions, two_row_channels

FLOAT, EXACT = Ask(float64.answer), Ask(answers.answer)
ROUNDING = mpq(1, 10**12)
PAIR = {"matrix": [["9/10", "1/10"], ["1/2", "1/2"]]}
TAME = Channel([["1/4", "1/6", "1/3", "1/4"], ["1/2", "1/8", "1/8", "1/4"]])


def value(op: str, **args: Any) -> Any:
    return float64.answer({"id": 1, "op": op, "args": args})["value"]


def test_echo_keeps_every_double() -> None:
    """Numbers come back as the double they were, in hexadecimal."""
    said = ["0x1.8p-1", "0x0.0000000000001p-1022", "1/3", "inf", "0", "-0x1p-1"]
    back = value("echo", values=said)
    assert back[:5] == ["0x1.8000000000000p-1", "0x0.0000000000001p-1022", "0x1.5555555555555p-2", "inf", "0"]
    assert parse_extended(said[-1]) == parse_extended(back[-1])


def test_hello_names_what_is_offered() -> None:
    """Every op but the two about the protocol claims the nearest double."""
    hello = value("hello")
    assert (hello["name"], hello["protocol"]) == ("float64", 1)
    assert set(hello["ops"]) == set(hello["claims"]) | {"hello", "echo"}
    assert set(hello["ops"]) <= set(answers.OPS)


@pytest.mark.parametrize(
    ("op", "args"),
    [
        ("satisfies", {"channel": PAIR, "claim": {"exp_epsilon": "5"}}),
        ("renyi", {"channel": PAIR, "order": "2"}),
        ("tradeoff", {"channel": {"mechanism": "randomized_response", "exp_epsilon": "3"}}),
        ("tradeoff", {"channel": {"matrix": [["1"], ["1"], ["1"]]}}),
        ("hidden", {"r": "1/2", "left": PAIR | {"outputs": ["a", "b"]}, "right": PAIR}),
    ],
)
def test_what_is_not_offered_is_declined(op: str, args: dict[str, Any]) -> None:
    """Declined, never guessed."""
    reply = float64.answer({"id": 7, "op": op, "args": args})
    assert (7, {"id", "declined"}) == (reply["id"], set(reply))


@pytest.mark.parametrize(
    ("op", "args"),
    [
        ("tradeoff", {}),
        ("tradeoff", {"channel": {"matrix": [["1/2", "1/2"], ["1"]]}}),
        ("post", {"channel": PAIR, "post": [["1"]]}),
        ("delta", {"channel": PAIR, "exp_epsilon": 0.5}),
        ("echo", {"values": ["one"]}),
        ("echo", {"values": ["1/0"]}),
    ],
)
def test_bad_input_is_an_error(op: str, args: dict[str, Any]) -> None:
    """An error says what went wrong."""
    reply = float64.answer({"id": 7, "op": op, "args": args})
    assert set(reply) == {"id", "error"}
    assert reply["error"]


def test_worked_values() -> None:
    """Dyadic inputs give exact answers."""
    half = Channel([["1/2", "1/2"], ["1/4", "3/4"]]).rows
    assert ((0, 1), (mpq(1, 2), mpq(1, 4)), (1, 0)) == FLOAT.tradeoff(half)
    assert FLOAT.delta(half, 1) == mpq(1, 4)
    assert FLOAT.exp_epsilon(half, mpq(0)) == 2
    assert FLOAT.refines(half, half)
    assert not FLOAT.refines(((mpq(1),), (mpq(1),)), half)
    assert FLOAT.hockey_stick(half, 0) == 1
    identity = Channel([["1", "0"], ["0", "1"]]).rows
    assert FLOAT.hockey_stick(identity, parse_extended("inf")) == 1
    assert str(FLOAT.exp_epsilon(identity, mpq(1, 2))) == "inf"
    assert tables_equal(FLOAT.lub([identity, half]), EXACT.lub([identity, half])) == 0
    assert tables_equal(FLOAT.glb([identity, half]), EXACT.glb([identity, half])) == 0
    corners = ((mpq(0), mpq(1, 2)), (mpq(1, 2), mpq(0)), (mpq(1), mpq(0)))
    assert EXACT.decompose(corners) == FLOAT.decompose(corners)


def test_the_pointwise_maximum_has_its_crossing() -> None:
    """The least upper bound of crossing curves has a corner where they cross."""
    left, right = Channel([["3/4", "1/4"], ["1/2", "1/2"]]).rows, Channel([["1/4", "3/4"], ["0", "1"]]).rows
    assert tables_equal(FLOAT.lub([left, right]), EXACT.lub([left, right])) < ROUNDING


@settings(deadline=None, max_examples=50)
@given(two_row_channels(5), two_row_channels(5), alphas())
def test_curves_and_compositions_are_right_up_to_rounding(left: Channel, right: Channel, alpha: mpq) -> None:
    """Against the exact engine, on every kind of channel."""
    f, g = left.rows, right.rows
    assert curves_equal(FLOAT.tradeoff(f), EXACT.tradeoff(f)) < ROUNDING
    assert curves_equal(FLOAT.tradeoff(f, "backward"), EXACT.tradeoff(f, "backward")) < ROUNDING
    assert equal(FLOAT.beta(f, alpha), EXACT.beta(f, alpha)) < ROUNDING
    for op in ("parallel", "glb", "lub"):
        ours, theirs = getattr(FLOAT, op)([f, g]), getattr(EXACT, op)([f, g])
        assert curves_equal(FLOAT.tradeoff(ours), EXACT.tradeoff(theirs)) < ROUNDING
    assert tables_equal(FLOAT.visible(alpha, f, g), EXACT.visible(alpha, f, g)) < ROUNDING
    square = ((1 - alpha, alpha), (alpha, 1 - alpha))
    assert tables_equal(FLOAT.pre(square, f), EXACT.pre(square, f)) < ROUNDING
    merge = tuple((alpha, 1 - alpha) for _ in f[0])
    assert tables_equal(FLOAT.post(f, merge), EXACT.post(f, merge)) < ROUNDING
    assert tables_equal(FLOAT.hidden(alpha, f, f), EXACT.hidden(alpha, f, f)) < ROUNDING


@settings(deadline=None, max_examples=50)
@given(two_row_channels(5), rational_levels().filter(lambda a: a < 10**6))
def test_divergences_are_right_up_to_rounding(channel: Channel, level: mpq) -> None:
    """Hockey sticks, deltas and vulnerabilities."""
    f = channel.rows
    for direction in ("forward", "backward", "both"):
        assert equal(FLOAT.delta(f, level, direction), EXACT.delta(f, level, direction)) < ROUNDING
    gain = ((mpq(0), mpq(0)), (mpq(1, 3), mpq(1)))
    assert equal(FLOAT.vulnerability(f, gain), EXACT.vulnerability(f, gain)) < ROUNDING


@settings(deadline=None, max_examples=50)
@given(deltas())
def test_least_levels_are_right_up_to_rounding(delta: mpq) -> None:
    """The least e^epsilon at a delta, in every direction."""
    for direction in ("forward", "backward", "both"):
        level, truth = (ask.exp_epsilon(TAME.rows, delta, direction) for ask in (FLOAT, EXACT))
        assert isinstance(level, mpq)
        assert abs(level - truth) < ROUNDING


@settings(deadline=None, max_examples=50)
@given(tradeoff_functions())
def test_curves_survive_the_way_to_a_channel(curve: Any) -> None:
    """C(f) has the curve f, up to rounding."""
    assert curves_equal(FLOAT.tradeoff(FLOAT.channel_of(curve.corners)), curve.corners) < ROUNDING


def test_without_numpy_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error says which extra the subject needs."""
    monkeypatch.setitem(sys.modules, "numpy", None)
    with pytest.raises(MissingExtraError, match="conformance"):
        reload(float64)
