"""Whatever may stand for a mechanism, a level or a direction, and what may not."""

from __future__ import annotations

from fractions import Fraction

import pytest

import oracle
from oracle.answers import answer
from oracle.channels.channel import Channel
from oracle.channels.tradeoff import TradeoffFunction
from oracle.errors import Declined, InputError
from oracle.operations import finite, parse_direction, rational_channel

WARNER = Channel([["3/4", "1/4"], ["1/4", "3/4"]])

NODE = {"mechanism": "randomized_response", "exp_epsilon": "3"}

IRRATIONAL = {"mechanism": "randomized_response", "epsilon": "1"}

LONG = "9" * 100_000


def _repeat(times, of):
    return {"mechanism": "repeat", "times": times, "of": of}


def _noise(name, **fields):
    return {"mechanism": name, **fields}


HUGE = {
    "a group far apart": (_noise("group", size=LONG, of=_noise("discrete_gaussian", sigma="2")), "delta"),
    "a wide discrete Gaussian": (_noise("discrete_gaussian", sigma="9" * 5000), "delta"),
    "a far discrete Gaussian": (_noise("discrete_gaussian", sigma="1", sensitivity=LONG), "delta"),
    "a thin discrete Gaussian": (_noise("discrete_gaussian", sigma="1e-99999"), "epsilon"),
    "a thin Gaussian": (_noise("gaussian", sigma="1e-99999"), "epsilon"),
    "an exponent": (_noise("discrete_laplace", scale="1e-99999"), "delta"),
    "guarantees": (_noise("guarantees", pairs=[{"epsilon": "1e99999"}, {"epsilon": "1", "delta": "1/5"}]), "tradeoff"),
    "an irrational repetition": (_repeat(30, _noise("k_randomized_response", k=3, epsilon="1e-99999")), "canonical"),
    "a rational repetition": (_repeat(20, _noise("randomized_response", exp_epsilon=LONG)), "canonical"),
    "its corners": (_repeat(20, _noise("randomized_response", exp_epsilon=LONG)), "tradeoff"),
    "draws": (
        _noise(
            "subsample_with_replacement",
            source="1e99999",
            sample="1e99999",
            neighbours="substitute",
            of=_noise("randomized_response", exp_epsilon="2"),
        ),
        "delta",
    ),
    "noise under substitution": (
        _noise(
            "poisson_subsample",
            rate="1/2",
            neighbours="substitute",
            of=_noise("geometric", ratio="1/2", sensitivity="1e99999"),
        ),
        "delta",
    ),
}

MORE = {"delta": {"exp_epsilon": "2"}, "epsilon": {"delta": "1/100"}}


@pytest.mark.parametrize("mechanism", [WARNER, NODE, WARNER.to_json(), oracle.parse_mechanism(NODE)], ids=type)
def test_a_channel_a_node_or_its_json_may_stand_for_a_mechanism(mechanism: object) -> None:
    assert oracle.delta(mechanism, exp_epsilon=2) == Fraction(1, 4)
    assert oracle.epsilon(mechanism, 0).exp_epsilon == 3
    assert oracle.tradeoff(mechanism) == TradeoffFunction([["0", "1"], ["1/4", "1/4"], ["1", "0"]])
    assert oracle.refines(mechanism, WARNER)
    assert oracle.canonical(mechanism) == WARNER


def test_numbers_are_strings_ints_fractions_and_no_floats() -> None:
    assert oracle.delta(WARNER, exp_epsilon="3/2") == oracle.delta(WARNER, exp_epsilon=Fraction(3, 2)) == Fraction(3, 8)
    with pytest.raises(InputError, match="exp_epsilon: expected the number as a string"):
        oracle.delta(WARNER, exp_epsilon=1.5)
    assert oracle.delta(WARNER, exp_epsilon=oracle.from_binary64(1.5)) == Fraction(3, 8)


def test_a_level_is_stated_once() -> None:
    for levels in ({}, {"exp_epsilon": 2, "epsilon": 1}):
        with pytest.raises(InputError, match='expected exactly one of "exp_epsilon" and "epsilon"'):
            oracle.hockey_stick(WARNER, **levels)


@pytest.mark.parametrize("direction", ["sideways", "", None, 1, ["forward"]])
def test_a_direction_is_one_of_three(direction: object) -> None:
    with pytest.raises(InputError, match="direction: expected forward, backward or both, got"):
        parse_direction(direction)
    with pytest.raises(InputError, match="direction: expected forward, backward, got"):
        oracle.tradeoff(WARNER, direction=direction)


def test_an_irrational_channel_is_declined_where_the_operation_is_rational() -> None:
    with pytest.raises(Declined, match=r"channels\[1\]: the probabilities are irrational"):
        oracle.glb([WARNER, IRRATIONAL])
    with pytest.raises(Declined, match="left: the probabilities are irrational"):
        oracle.refines(IRRATIONAL, WARNER)
    assert not isinstance(finite(IRRATIONAL), Channel)
    assert rational_channel(NODE) == WARNER


def test_operations_on_laws_refuse_partial_channels() -> None:
    partial = Channel([["1/2", "1/4"], ["1/4", "1/2"]], partial=True)
    for ask in (lambda: oracle.tradeoff(partial), lambda: oracle.satisfies(partial, exp_epsilon=2)):
        with pytest.raises(InputError, match=r"expected rows that sum to 1 \(a full channel\), got a mass of 3/4"):
            ask()
    assert oracle.canonical(partial).masses == partial.masses


@pytest.mark.parametrize("mechanism", [None, 3, "rr", [["1"]], {"matrix": []}, {"mechanism": "no-such"}, {}])
def test_what_is_no_mechanism_is_refused(mechanism: object) -> None:
    with pytest.raises(InputError):
        oracle.delta(mechanism, exp_epsilon=1)


@pytest.mark.parametrize("name", HUGE)
def test_huge_parameters_are_answered_or_refused_at_once(name):
    """What would run for minutes is refused before it begins, in a message of a line that names the limit."""
    mechanism, op = HUGE[name]
    reply = answer({"id": 1, "op": op, "args": {"channel": mechanism, **MORE.get(op, {})}})
    assert "value" in reply or ("at most" in reply["error"] and len(reply["error"]) < 400)


@pytest.mark.parametrize("character", ["\u202e", "\u2066", "\u200f", "\u200e"])
def test_labels_do_not_turn_the_text_around_them(character):
    reply = answer(
        {"id": 1, "op": "canonical", "args": {"channel": {"matrix": [["1"], ["1"]], "outputs": [character]}}}
    )
    assert "a label without control characters" in reply["error"]
    joined = {"matrix": [["1"], ["1"]], "outputs": ["a\u200db"]}
    assert "value" in answer({"id": 1, "op": "post", "args": {"channel": joined, "post": [["1"]]}})
