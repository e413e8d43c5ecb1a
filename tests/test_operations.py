"""The Python names of the operations by example."""

from __future__ import annotations

import time
from fractions import Fraction

import pytest

import oracle
from oracle.answers import answer, answer_line
from oracle.channels.channel import Channel
from oracle.channels.tradeoff import TradeoffFunction
from oracle.claims import parse_claim
from oracle.enclosures import Enclosure
from oracle.errors import Declined, InputError
from oracle.exact import INFINITY
from oracle.operations import Epsilon, finite, parse_direction, rational_channel, tradeoff_corners

WARNER = Channel([["3/4", "1/4"], ["1/4", "3/4"]])
NODE = {"mechanism": "randomized_response", "exp_epsilon": "3"}
IRRATIONAL = {"mechanism": "randomized_response", "epsilon": "1"}
IDENTITY = {"matrix": [["1", "0"], ["0", "1"]]}


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


def test_hockey_sticks_take_any_level_and_direction() -> None:
    channel = Channel([["1/10", "9/10", "0"], ["0", "4/5", "1/5"]])
    assert oracle.hockey_stick(channel, exp_epsilon=0) == 1
    assert oracle.hockey_stick(channel, exp_epsilon="inf") == Fraction(1, 10)
    assert oracle.hockey_stick(channel, exp_epsilon="inf", direction="backward") == Fraction(1, 5)
    assert oracle.hockey_stick(channel, epsilon="log(2)", direction="both") == Fraction(1, 5)
    assert oracle.delta(channel, exp_epsilon=2) == Fraction(1, 5)
    assert oracle.delta(channel, exp_epsilon=2, direction="forward") == Fraction(1, 10)


def test_an_irrational_value_is_enclosed_to_the_digits_asked_for() -> None:
    value = oracle.delta(WARNER, epsilon="1/2", digits=20)
    assert isinstance(value, Enclosure)
    assert value.lower < Fraction("0.33781968232496796328783730304646") < value.upper
    assert value.upper - value.lower < Fraction(1, 10**19)


def test_epsilon_is_exact_as_a_level_and_enclosed_as_a_number() -> None:
    least = oracle.epsilon(WARNER, "1/4", digits=20)
    assert least.exp_epsilon == 2
    assert least.lo < Fraction("0.693147180559945309417232121458") < least.hi
    assert oracle.epsilon(WARNER, "1/2") == Epsilon(Fraction(1), Fraction(0), Fraction(0))
    assert oracle.epsilon(IDENTITY, "1/2") == Epsilon(INFINITY, INFINITY, INFINITY)
    assert oracle.epsilon(IDENTITY, 1) == Epsilon(Fraction(1), Fraction(0), Fraction(0))


def test_the_epsilon_of_an_irrational_channel() -> None:
    assert oracle.epsilon(IRRATIONAL, 0) == Epsilon(None, Fraction(1), Fraction(1))


@pytest.mark.parametrize("delta", ["-1/10", "11/10"])
def test_delta_lies_in_0_1(delta: str) -> None:
    with pytest.raises(InputError, match="delta: expected delta between 0 and 1"):
        oracle.epsilon(WARNER, delta)


def test_the_trade_off_function_at_an_alpha_and_backward() -> None:
    channel = Channel([["9/10", "1/10"], ["1/2", "1/2"]])
    assert oracle.tradeoff(channel, "1/20") == Fraction(3, 4)
    assert oracle.tradeoff(channel, direction="backward") == oracle.tradeoff(channel).inverse()
    assert tradeoff_corners(channel) == list(oracle.tradeoff(channel).breakpoints)
    for mechanism in (channel, IRRATIONAL):
        with pytest.raises(InputError, match="alpha: expected alpha between 0 and 1, got 2"):
            oracle.tradeoff(mechanism, 2)


def test_the_whole_curve_of_an_irrational_channel_is_declined_and_its_corners_enclosed() -> None:
    with pytest.raises(Declined, match="the probabilities are irrational"):
        oracle.tradeoff(IRRATIONAL)
    first, middle, last = tradeoff_corners(IRRATIONAL)
    assert (first, last) == ((0, 1), (1, 0))
    assert all(isinstance(v, Enclosure) for v in middle)
    assert isinstance(oracle.tradeoff(IRRATIONAL, "1/3"), Enclosure)


@pytest.mark.parametrize("direction", ["sideways", "", None, 1, ["forward"]])
def test_a_direction_is_one_of_three(direction: object) -> None:
    with pytest.raises(InputError, match="direction: expected forward, backward or both, got"):
        parse_direction(direction)
    with pytest.raises(InputError, match="direction: expected forward, backward, got"):
        oracle.tradeoff(WARNER, direction=direction)


def test_both_has_no_trade_off_function() -> None:
    with pytest.raises(InputError, match="direction: expected forward, backward, got both"):
        oracle.tradeoff(WARNER, direction="both")


def test_bounds_of_a_family() -> None:
    first, last = Channel([["3/4", "1/4"], ["1/2", "1/2"]]), Channel([["1/4", "3/4"], ["0", "1"]])
    assert oracle.glb([first, last]) == Channel([["1/4", "1/2", "1/4"], ["0", "1/2", "1/2"]])
    assert oracle.lub([first, last]) == Channel([["1/2", "1/2"], ["1/3", "2/3"]])


def test_the_channel_of_a_curve_or_its_json() -> None:
    curve = TradeoffFunction([["0", "1"], ["1/4", "1/4"], ["1", "0"]])
    assert oracle.channel_of(curve) == oracle.channel_of(curve.to_json()) == WARNER


def test_vulnerability_takes_a_gain_function_and_a_prior() -> None:
    gain = [["1", "0"], ["0", "1"]]
    assert oracle.vulnerability(WARNER, gain) == Fraction(3, 4)
    assert oracle.vulnerability(WARNER, gain, ["1", "0"]) == 1


def test_a_claim_is_given_by_name_as_json_or_as_an_object() -> None:
    claim = {"exp_epsilon": "2", "delta": "1/4"}
    by_name = oracle.satisfies(WARNER, exp_epsilon=2, delta="1/4")
    assert by_name.holds
    assert by_name == oracle.satisfies(WARNER, claim) == oracle.satisfies(WARNER, parse_claim(claim))
    assert not oracle.satisfies(WARNER, epsilon="1/2").holds
    assert oracle.satisfies(WARNER, {"tradeoff": oracle.tradeoff(WARNER).to_json()}, direction="forward").holds


@pytest.mark.parametrize(
    ("claim", "message"),
    [
        ({"exp_epsilon": "1/2"}, "exp_epsilon: expected epsilon at least 0"),
        ({"epsilon": "-1"}, "epsilon: expected epsilon at least 0"),
        ({"exp_epsilon": "2", "delta": "2"}, "delta: expected delta between 0 and 1"),
        ({}, "expected exactly one of"),
    ],
)
def test_a_claim_out_of_range_is_refused(claim: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        oracle.satisfies(WARNER, claim)
    with pytest.raises(InputError, match=message):
        oracle.satisfies(WARNER, **claim)


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


@pytest.mark.parametrize("name", HUGE)
def test_huge_parameters_are_answered_or_refused_in_seconds(name):
    """What would run for minutes is refused before it begins, in a message of a line that names the limit."""
    mechanism, op = HUGE[name]
    before = time.perf_counter()
    reply = answer({"id": 1, "op": op, "args": {"channel": mechanism, **MORE.get(op, {})}})
    assert time.perf_counter() - before < 5
    assert "value" in reply or ("at most" in reply["error"] and len(reply["error"]) < 400)


@pytest.mark.parametrize("value", [None, 5, "abc", {}])
def test_what_is_no_list_of_channels_is_refused(value):
    for operation in (oracle.glb, oracle.lub, oracle.parallel):
        with pytest.raises(InputError, match="channels: expected a list of channels"):
            operation(value)


def test_no_epsilon_gives_delta_0_to_gaussian_noise():
    """Whatever its scale: the ratio is unbounded."""
    for sigma in ("1", "1e-99999", "1e99999"):
        assert oracle.epsilon(_noise("gaussian", sigma=sigma), 0).exp_epsilon == INFINITY


@pytest.mark.parametrize("character", ["\u202e", "\u2066", "\u200f", "\u200e"])
def test_labels_do_not_turn_the_text_around_them(character):
    reply = answer(
        {"id": 1, "op": "canonical", "args": {"channel": {"matrix": [["1"], ["1"]], "outputs": [character]}}}
    )
    assert "a label without control characters" in reply["error"]
    joined = {"matrix": [["1"], ["1"]], "outputs": ["a\u200db"]}
    assert "value" in answer({"id": 1, "op": "post", "args": {"channel": joined, "post": [["1"]]}})


def test_a_name_that_no_file_can_have_is_bad_input():
    for name in ("\ud800", "a\0b"):
        with pytest.raises(InputError, match="a readable file"):
            oracle.audit(name, "eps=1")


def test_an_id_of_any_length_is_repeated_or_refused_in_words():
    assert answer_line('{"id": ' + "9" * 4000 + ', "op": "echo", "args": {"values": []}}')["id"] == int("9" * 4000)
    reply = answer_line('{"id": ' + "9" * 5000 + ', "op": "hello"}')
    assert reply["error"].startswith("id: expected an integer id of at most 4000 digits, got 999")


def test_mu_and_claims_in_python() -> None:
    """Exact where it is, enclosed otherwise, and claims as mappings or values."""
    assert oracle.mu({"mechanism": "gaussian", "sigma": "4"}) == Fraction(1, 4)
    found = oracle.mu({"mechanism": "randomized_response", "exp_epsilon": "3"}, digits=20)
    assert Fraction("1.348979500392163") < found.lower < found.upper < Fraction("1.348979500392164")
    assert oracle.mu({"matrix": [["1", "0"], ["0", "1"]]}) == oracle.INFINITY
    assert oracle.satisfies({"mechanism": "gaussian", "sigma": "4"}, {"mu": "1/4"}).holds is True
    with pytest.raises(oracle.InputError):
        oracle.mu({"mechanism": "gaussian", "sigma": "4"}, direction="up")
