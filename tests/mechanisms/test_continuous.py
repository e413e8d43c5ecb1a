"""Continuous and infinite mechanisms: from the expression to the pair, and what is declined."""

from __future__ import annotations

import pytest
from gmpy2 import mpq

from oracle.channels.channel import Channel
from oracle.channels.formal_channel import FormalChannel
from oracle.errors import Declined
from oracle.experiments.discrete_gaussian import DiscreteGaussian
from oracle.experiments.gaussian import Gaussian
from oracle.experiments.laplace import Laplace
from oracle.mechanisms.evaluate import evaluate, evaluate_finite
from oracle.mechanisms.parse import parse_mechanism

GAUSSIAN = {"mechanism": "gaussian", "sigma": "2", "sensitivity": "3"}
LAPLACE = {"mechanism": "laplace", "scale": "2", "sensitivity": "3"}
RESPONSE = {"mechanism": "randomized_response", "exp_epsilon": "3"}


def pair(document):
    return evaluate(parse_mechanism(document))


def test_sensitivity_over_scale_is_what_counts():
    """Theta is their quotient; gaussian_dp states it."""
    assert pair(LAPLACE).theta == mpq(3, 2)
    assert pair(GAUSSIAN).theta == mpq(3, 2)
    assert pair({"mechanism": "gaussian_dp", "mu": "3/2"}).theta == mpq(3, 2)
    assert isinstance(pair({"mechanism": "discrete_gaussian", "sigma": "2", "sensitivity": 3}), DiscreteGaussian)
    assert pair({"mechanism": "gaussian_dp", "mu": "0"}) == Channel([["1"], ["1"]])


def test_discrete_noise_without_a_range_is_a_finite_channel():
    """Outcomes of equal ratio are merged; a rational ratio gives a rational channel."""
    geometric = pair({"mechanism": "geometric", "ratio": "1/2", "sensitivity": "2"})
    assert geometric == Channel([["2/3", "1/6", "1/6"], ["1/6", "1/6", "2/3"]])
    assert pair({"mechanism": "discrete_laplace", "ratio": "1/2", "sensitivity": "2"}) == geometric
    assert isinstance(pair({"mechanism": "discrete_laplace", "scale": "1", "sensitivity": "2"}), FormalChannel)
    assert pair({"mechanism": "geometric", "ratio": "1/2"}).shape == (2, 2)


def test_gaussian_compositions_are_gaussian():
    """Theta² adds up, in nested compositions too."""
    repeated = {"mechanism": "repeat", "times": 3, "of": GAUSSIAN}
    assert pair(repeated).theta_squared == 3 * mpq(9, 4)
    both = {"mechanism": "compose", "of": [repeated, {"mechanism": "gaussian_dp", "mu": "1"}]}
    assert isinstance(pair(both), Gaussian)
    assert pair(both).theta_squared == mpq(31, 4)
    assert isinstance(pair({"mechanism": "repeat", "times": 1, "of": LAPLACE}), Laplace)


@pytest.mark.parametrize(
    "document",
    [
        {"mechanism": "repeat", "times": 2, "of": LAPLACE},
        {"mechanism": "repeat", "times": 0, "of": LAPLACE},
        {"mechanism": "compose", "of": [GAUSSIAN, RESPONSE]},
        {"mechanism": "compose", "of": [GAUSSIAN, LAPLACE]},
        {"mechanism": "visible", "r": "1/2", "left": RESPONSE, "right": GAUSSIAN},
        {"mechanism": "hidden", "r": "1/2", "left": LAPLACE, "right": LAPLACE},
        {"mechanism": "post", "post": [["1"]], "of": LAPLACE},
        {"mechanism": "pre", "pre": [["1", "0"], ["0", "1"]], "of": LAPLACE},
    ],
    ids=lambda d: d["mechanism"],
)
def test_other_combinations_are_declined(document):
    """Never guessed."""
    with pytest.raises(Declined):
        pair(document)


def test_finite_mechanisms_are_none_of_them():
    """They evaluate to tables, and evaluate_finite declines what is none."""
    assert isinstance(pair(RESPONSE), Channel)
    assert isinstance(pair({"mechanism": "repeat", "times": 5, "of": RESPONSE}), Channel)
    assert evaluate_finite(parse_mechanism(RESPONSE)).shape == (2, 2)
    with pytest.raises(Declined, match=r"args\.left\.laplace is not a finite table"):
        evaluate_finite(parse_mechanism(LAPLACE), "args.left")
