"""Operations that return a number, by example."""

from __future__ import annotations

from fractions import Fraction

import pytest

import oracle
from oracle.channels.channel import Channel
from oracle.enclosures import Enclosure
from oracle.errors import InputError
from oracle.exact import INFINITY
from oracle.operations import Epsilon

WARNER = Channel([["3/4", "1/4"], ["1/4", "3/4"]])

IRRATIONAL = {"mechanism": "randomized_response", "epsilon": "1"}

IDENTITY = {"matrix": [["1", "0"], ["0", "1"]]}


def _noise(name, **fields):
    return {"mechanism": name, **fields}


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


def test_vulnerability_takes_a_gain_function_and_a_prior() -> None:
    gain = [["1", "0"], ["0", "1"]]
    assert oracle.vulnerability(WARNER, gain) == Fraction(3, 4)
    assert oracle.vulnerability(WARNER, gain, ["1", "0"]) == 1


def test_no_epsilon_gives_delta_0_to_gaussian_noise():
    """Whatever its scale: the ratio is unbounded."""
    for sigma in ("1", "1e-99999", "1e99999"):
        assert oracle.epsilon(_noise("gaussian", sigma=sigma), 0).exp_epsilon == INFINITY
