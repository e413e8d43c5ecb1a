"""Continuous and infinite mechanisms: from the expression to the pair, and what is declined."""

from __future__ import annotations

import pytest
from gmpy2 import mpq

from oracle.accountant.composition import Composition
from oracle.channels.channel import Channel
from oracle.channels.formal_channel import FormalChannel
from oracle.errors import Declined, LimitError
from oracle.experiments.discrete_gaussian import DiscreteGaussian
from oracle.experiments.gaussian import Gaussian
from oracle.experiments.laplace import Laplace
from oracle.mechanisms.evaluate import evaluate, evaluate_finite
from oracle.mechanisms.parse import parse_mechanism

GAUSSIAN = {"mechanism": "gaussian", "sigma": "2", "sensitivity": "3"}
LAPLACE = {"mechanism": "laplace", "scale": "2", "sensitivity": "3"}
RESPONSE = {"mechanism": "randomized_response", "exp_epsilon": "3"}
SUBSTITUTED = {"mechanism": "poisson_subsample", "rate": "1/5", "neighbours": "substitute", "of": LAPLACE}
BOUND = {
    "mechanism": "subsample_without_replacement",
    "source": 10,
    "sample": 2,
    "neighbours": "substitute",
    "of": GAUSSIAN,
}


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
    ("document", "parts"),
    [
        ({"mechanism": "repeat", "times": 2, "of": LAPLACE}, [(Laplace, 2)]),
        ({"mechanism": "compose", "of": [GAUSSIAN, RESPONSE, GAUSSIAN]}, [(Gaussian, 1), (Channel, 1)]),
        (
            {"mechanism": "repeat", "times": 3, "of": {"mechanism": "compose", "of": [LAPLACE, RESPONSE, LAPLACE]}},
            [(Laplace, 6), (Channel, 3)],
        ),
    ],
    ids=["laplace", "gaussian", "nested"],
)
def test_other_compositions_count_their_parts(document, parts):
    """Equal parts together, Gaussian ones as one, whatever the nesting."""
    found = pair(document)
    assert isinstance(found, Composition)
    assert [(type(item.pair), item.times) for item in found.constituents] == parts
    assert pair(found.to_json()).to_json() == found.to_json()


def test_no_run_at_all_tells_nothing():
    """Of a continuous mechanism, alone or beside others."""
    none = {"mechanism": "repeat", "times": 0, "of": LAPLACE}
    assert pair(none) == Channel([["1"], ["1"]])
    assert pair({"mechanism": "compose", "of": [none, RESPONSE]}) == pair(RESPONSE)
    assert isinstance(pair({"mechanism": "compose", "of": [none, GAUSSIAN]}), Gaussian)


def test_a_composition_too_large_for_a_table_is_no_table():
    """Two-row tables are composed without one; evaluate_finite refuses, and other shapes are refused."""
    large = {"mechanism": "repeat", "times": 10**6, "of": RESPONSE}
    assert isinstance(pair(large), Composition)
    assert pair(large).finite
    with pytest.raises(LimitError, match="at most 100000 columns"):
        evaluate_finite(parse_mechanism(large))
    with pytest.raises(LimitError):
        pair({"mechanism": "repeat", "times": 10**6, "of": {"matrix": [["1/2", "1/2"], ["1/3", "2/3"], ["1", "0"]]}})


@pytest.mark.parametrize(
    "document",
    [
        {"mechanism": "compose", "of": [GAUSSIAN, BOUND]},
        {"mechanism": "repeat", "times": 2, "of": SUBSTITUTED},
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
