"""DpEvent objects and their JSON form as expressions."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest

import oracle
from oracle.errors import Declined, InputError
from oracle.json_text import parse
from oracle.mechanisms.dp_events import expression_of_event, is_dp_event


@dataclass
class GaussianDpEvent:
    """A stand-in with the library's class name and field."""

    noise_multiplier: float


@dataclass
class PoissonSampledDpEvent:
    """Likewise."""

    sampling_probability: float
    event: Any


@dataclass
class SelfComposedDpEvent:
    """Likewise."""

    event: Any
    count: int


@dataclass
class ZCDpEvent:
    """Likewise; a guarantee, not a mechanism."""

    rho: float


def test_an_event_is_read_by_its_class_and_fields():
    """Doubles at their exact values."""
    event = SelfComposedDpEvent(PoissonSampledDpEvent(0.1, GaussianDpEvent(1.5)), 10)
    found = expression_of_event(event)
    sampled = {"mechanism": "poisson_subsample", "rate": str(Fraction(0.1)), "neighbours": "add_remove"}
    assert found == {
        "mechanism": "repeat",
        "times": 10,
        "of": {**sampled, "of": {"mechanism": "gaussian", "sigma": "3/2"}},
    }
    assert oracle.parse_mechanism(found)


EVENTS = {
    '{"class_name": "NoOpDpEvent"}': {"mechanism": "channel", "matrix": [["1"], ["1"]]},
    '{"class_name": "NonPrivateDpEvent"}': {"mechanism": "channel", "matrix": [["1", "0"], ["0", "1"]]},
    '{"class_name": "LaplaceDpEvent", "noise_multiplier": 0.5}': {"mechanism": "laplace", "scale": "1/2"},
    '{"class_name": "DiscreteLaplaceDpEvent", "noise_parameter": 0.25, "sensitivity": 2}': {
        "mechanism": "discrete_laplace",
        "scale": "4",
        "sensitivity": "2",
    },
    '{"class_name": "RandomizedResponseDpEvent", "noise_parameter": 0.5, "num_buckets": 2}': {
        "mechanism": "k_randomized_response",
        "k": 2,
        "exp_epsilon": "3",
    },
    '{"class_name": "ComposedDpEvent", "events": [{"class_name": "NoOpDpEvent"}]}': {
        "mechanism": "compose",
        "of": [{"mechanism": "channel", "matrix": [["1"], ["1"]]}],
    },
    '{"class_name": "SampledWithoutReplacementDpEvent", "source_dataset_size": 10, "sample_size": 2, "event": '
    '{"class_name": "GaussianDpEvent", "noise_multiplier": 1.0, "module_name": "dp_accounting.dp_event"}}': {
        "mechanism": "subsample_without_replacement",
        "source": 10,
        "sample": 2,
        "neighbours": "substitute",
        "of": {"mechanism": "gaussian", "sigma": "1"},
    },
}


@pytest.mark.parametrize("text", EVENTS)
def test_events_in_json(text):
    """Numbers with a point are doubles here; what comes out is an expression that is read."""
    found = expression_of_event(parse(text))
    assert found == EVENTS[text]
    assert oracle.parse_mechanism(found)


def test_randomized_response_of_the_library_is_ours():
    """Kept with probability 1 - p + p/k."""
    event = {"class_name": "RandomizedResponseDpEvent", "noise_parameter": "3/10", "num_buckets": 3}
    assert oracle.delta(expression_of_event(event), exp_epsilon=1) == Fraction(7, 10)


@pytest.mark.parametrize(
    ("event", "error", "message"),
    [
        (ZCDpEvent(1.0), Declined, "event: ZCDpEvent is no mechanism"),
        (GaussianDpEvent(0.0), InputError, r"event\.noise_multiplier: expected a number above 0"),
        (GaussianDpEvent(float("nan")), InputError, r"event\.noise_multiplier: expected a finite number"),
        ({"class_name": "NoOpDpEvent", "extra": 1}, InputError, "the fields of NoOpDpEvent"),
        (SelfComposedDpEvent(GaussianDpEvent(1.0), 1.5), InputError, "a whole number"),
        ({"class_name": "GaussianDpEvent"}, InputError, "event: expected the field noise_multiplier"),
        ({"class_name": "ComposedDpEvent", "events": "abc"}, InputError, "a list of events"),
        (SelfComposedDpEvent({"mechanism": "gaussian"}, 2), InputError, r"event\.event: expected a DpEvent"),
        (5, InputError, "a DpEvent"),
        (
            {"class_name": "RandomizedResponseDpEvent", "noise_parameter": 2, "num_buckets": 2},
            InputError,
            "a noise_parameter of at most 1",
        ),
    ],
)
def test_what_is_refused(event, error, message):
    """With the place inside the event."""
    with pytest.raises(error, match=message):
        expression_of_event(event)


def test_events_nested_without_end_are_refused():
    """An event that holds itself."""
    event = SelfComposedDpEvent(None, 1)
    event.event = event
    with pytest.raises(InputError, match="at most 100 deep"):
        expression_of_event(event)


def test_expressions_are_no_events():
    """Told by the class name."""
    assert not is_dp_event({"mechanism": "gaussian", "sigma": "1"})
    assert is_dp_event(GaussianDpEvent(1.0))
