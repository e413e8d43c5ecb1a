"""Gain functions, priors and vulnerabilities by example."""

from __future__ import annotations

import pytest
from gmpy2 import mpq

from oracle.channels.channel import Channel
from oracle.channels.gains import (
    parse_gain,
    parse_prior,
    posterior_vulnerability,
    prior_vulnerability,
    uniform_prior,
)
from oracle.errors import InputError

FIGURE_3 = Channel([["2/5", "3/5"], ["4/5", "1/5"]])
BAYES = parse_gain([["1", "0"], ["0", "1"]], 2)


def test_the_example_of_figure_3() -> None:
    assert posterior_vulnerability(FIGURE_3, parse_gain([["3/5", "0"], ["0", "1"]], 2)) == mpq(29, 50)


def test_bayes_vulnerability_of_three_rows() -> None:
    channel = Channel([["1/2", "1/2", "0"], ["0", "1/2", "1/2"], ["1/2", "0", "1/2"]])
    gain = parse_gain([["1", "0", "0"], ["0", "1", "0"], ["0", "0", "1"]], 3)
    assert posterior_vulnerability(channel, gain) == mpq(1, 2)
    assert prior_vulnerability(gain, uniform_prior(3)) == mpq(1, 3)


def test_the_prior_weighs_the_rows() -> None:
    prior = parse_prior(["1/4", "3/4"], 2)
    assert prior_vulnerability(BAYES, prior) == mpq(3, 4)
    assert posterior_vulnerability(FIGURE_3, BAYES, prior) == mpq(3, 4)
    assert posterior_vulnerability(FIGURE_3, BAYES) == mpq(7, 10)


@pytest.mark.parametrize(
    ("gain", "message"),
    [
        ([], "args.gain: expected a list of at least one row, got []"),
        ([[]], "args.gain[0]: expected at least one column"),
        ([["1"]], "args.gain: expected 2 columns, one for each input, got 1"),
        ([["1", "0"], ["1"]], "args.gain[1]: expected 2 columns as in row 0, got 1"),
        ([["1", "-1/2"]], "args.gain[0][1]: expected a gain at least 0, got -1/2"),
        ([["1", "x"]], "args.gain[0][1]: expected a number such as"),
        ("11", "args.gain: expected a list of at least one row, got 11"),
    ],
)
def test_a_bad_gain_function_is_refused(gain: object, message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_gain(gain, 2, "args.gain")
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("prior", "message"),
    [
        (["1"], "args.prior: expected a list of 2 probabilities, got 1 numbers"),
        ("1/2", "args.prior: expected a list of 2 probabilities, got 1/2"),
        (["3/2", "-1/2"], "args.prior[1]: expected a probability at least 0, got -1/2"),
        (["1/2", "1/3"], "args.prior: expected probabilities that sum to 1, got a sum of 5/6"),
        (["1/2", "nan"], "args.prior[1]: expected a finite number"),
    ],
)
def test_a_bad_prior_is_refused(prior: object, message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_prior(prior, 2, "args.prior")
    assert message in str(caught.value)
