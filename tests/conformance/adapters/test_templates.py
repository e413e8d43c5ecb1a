"""Templates of calibration: a scale in every place that asks for one."""

from __future__ import annotations

import pytest

from oracle.conformance.adapters.templates import filled, shape
from oracle.errors import InputError
from oracle.mechanisms.parse import mechanism_from

GAUSSIAN = {"mechanism": "gaussian", "sigma": "?"}
RUNS = {"mechanism": "compose", "of": [GAUSSIAN, {"mechanism": "laplace", "scale": "?"}]}


def test_every_question_mark_is_replaced() -> None:
    """Inside objects and lists, and nothing else."""
    assert filled(RUNS, "1/2") == {
        "mechanism": "compose",
        "of": [{"mechanism": "gaussian", "sigma": "1/2"}, {"mechanism": "laplace", "scale": "1/2"}],
    }


def test_the_shape_has_the_scale_1() -> None:
    """It is the mechanism with 1 in each place."""
    assert shape(RUNS) == mechanism_from(filled(RUNS, "1"))


def test_a_mechanism_without_a_place_is_refused() -> None:
    """Nothing is asked for."""
    with pytest.raises(InputError, match='"\\?"'):
        shape({"mechanism": "gaussian", "sigma": "1"})
