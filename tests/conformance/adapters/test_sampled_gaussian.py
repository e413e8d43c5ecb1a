"""Compositions of sampled Gaussian noise as lists of steps."""

from __future__ import annotations

from typing import Any

import pytest
from gmpy2 import mpq

from oracle.conformance.adapters.sampled_gaussian import Step, both_directions, steps
from oracle.errors import Declined
from oracle.mechanisms.parse import mechanism_from

GAUSSIAN = {"mechanism": "gaussian", "sigma": "3", "sensitivity": "2"}
SAMPLED = {"mechanism": "poisson_subsample", "rate": "1/10", "neighbours": "add_remove", "of": GAUSSIAN}


def repeated(times: int, of: dict[str, Any]) -> dict[str, Any]:
    return {"mechanism": "repeat", "times": times, "of": of}


def test_steps_have_multiplier_rate_and_runs() -> None:
    """Repetitions multiply, parts of a composition follow each other, and what is never run is left out."""
    expression = repeated(3, {"mechanism": "compose", "of": [SAMPLED, repeated(2, GAUSSIAN), repeated(0, GAUSSIAN)]})
    assert steps(mechanism_from(expression)) == [Step(mpq(3, 2), mpq(1, 10), 3), Step(mpq(3, 2), mpq(1), 6)]
    assert steps(mechanism_from({"mechanism": "gaussian_dp", "mu": "4"})) == [Step(mpq(1, 4), mpq(1), 1)]


@pytest.mark.parametrize(
    "expression",
    [
        {"mechanism": "laplace", "scale": "1"},
        {**SAMPLED, "of": {"mechanism": "laplace", "scale": "1"}},
        {**SAMPLED, "of": SAMPLED},
        {**SAMPLED, "neighbours": "substitute"},
    ],
)
def test_other_mechanisms_are_declined(expression: dict[str, Any]) -> None:
    """Only Gaussian noise, sampled at most once, under add or remove."""
    with pytest.raises(Declined):
        steps(mechanism_from(expression))


def test_one_direction_of_a_sampled_mechanism_is_declined() -> None:
    """Without a sample the directions are the same."""
    sampled, plain = steps(mechanism_from(SAMPLED)), steps(mechanism_from(GAUSSIAN))
    with pytest.raises(Declined, match="together"):
        both_directions(sampled, "forward")
    both_directions(sampled, "both")
    both_directions(plain, "backward")
