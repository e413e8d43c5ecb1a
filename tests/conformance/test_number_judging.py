"""Least epsilons, Rényi values and calibrated scales."""

from __future__ import annotations

import math
from typing import Any

import pytest
from gmpy2 import mpq

from oracle.enclosures import log_enclosure
from tests.conformance.test_judging import judged, verdict

LOG2 = {"epsilon": {"exp_epsilon": "2", "lo": "0.6931471805599452", "hi": "0.6931471805599454"}}
INFINITE = {"epsilon": {"exp_epsilon": "inf", "lo": "inf", "hi": "inf"}}


def test_a_double_is_held_against_the_logarithm_exactly() -> None:
    """math.log(2) is below log 2 by 2.32e-17, which its stored bounds do not show and e^epsilon = 2 does."""
    found = judged("upper", LOG2, math.log(2).hex(), "epsilon")
    assert found.verdict == "unsound-rounding"
    assert found.gap is not None
    assert found.gap.to_json()["decimal"] == "-2.32e-17"
    assert verdict("upper", LOG2, math.nextafter(math.log(2), 1).hex(), "epsilon") == "sound"


def test_a_number_of_a_hundred_digits_is_decided() -> None:
    """The sign of exp(x) - 2 decides however close x is."""
    bounds = log_enclosure(mpq(2), 100)
    assert verdict("upper", LOG2, str(bounds.lo), "epsilon") == "unsound-rounding"
    assert verdict("upper", LOG2, str(bounds.hi), "epsilon") == "sound"


def test_epsilon_may_be_bounds_or_a_level() -> None:
    """{"exp_epsilon", "lo", "hi"}, {"exp_epsilon"} alone and {"epsilon"} are read."""
    assert (
        verdict("exact", LOG2, {"exp_epsilon": "2", "lo": "0.6931471805", "hi": "0.6931471806"}, "epsilon") == "exact"
    )
    assert verdict("exact", LOG2, {"exp_epsilon": "3", "lo": "0.69", "hi": "0.7"}, "epsilon") == "wrong"
    assert verdict("upper", LOG2, {"exp_epsilon": "2"}, "epsilon") == "exact"
    assert verdict("upper", LOG2, {"exp_epsilon": "19/10"}, "epsilon") == "unsound"
    assert verdict("upper", LOG2, {"epsilon": "0.7"}, "epsilon") == "loose"


def test_infinite_epsilon() -> None:
    """Inf is exact; a finite bound is unsound."""
    assert verdict("exact", INFINITE, {"exp_epsilon": "inf", "lo": "inf", "hi": "inf"}, "epsilon") == "exact"
    assert verdict("upper", INFINITE, "inf", "epsilon") == "exact"
    assert verdict("upper", INFINITE, "1000000", "epsilon") == "unsound"
    assert verdict("upper", LOG2, "inf", "epsilon") == "loose"


MOMENT = {"renyi": {"moment": {"exact": "7/3"}}}
BOTH = {
    "renyi": {
        "moment": {"exact": "7/3"},
        "divergence": {"enclosure": ["0.84729786038720361", "0.84729786038720362"]},
    }
}


@pytest.mark.parametrize("truth", [MOMENT, BOTH, {"exact": {"moment": "7/3"}}])
def test_a_moment_and_its_divergence_are_the_same_truth(truth: dict[str, Any]) -> None:
    """A bare number is the divergence log(7/3) = 0.84729786038720361...; the moment is under its name."""
    args = {"order": "2"}
    assert verdict("exact", truth, {"moment": "7/3"}, "renyi", args) == "exact"
    assert verdict("upper", truth, "0.8473", "renyi", args) == "loose"
    assert verdict("upper", truth, "0.8472", "renyi", args) == "unsound"
    assert verdict("upper", truth, {"divergence": "0.8472"}, "renyi", args) == "unsound"
    assert verdict("upper", truth, {"moment": "2.3"}, "renyi", args) == "unsound"


def test_the_worst_of_moment_and_divergence_counts() -> None:
    """A right moment does not excuse a wrong divergence."""
    answer = {"moment": "7/3", "divergence": "0.8"}
    assert verdict("upper", BOTH, answer, "renyi", {"order": "2"}) == "unsound"


def test_a_divergence_alone_judges_a_moment() -> None:
    """exp((order - 1) D) is the moment."""
    truth = {"renyi": {"divergence": {"enclosure": ["0.84729786038720361", "0.84729786038720362"]}}}
    assert verdict("upper", truth, {"moment": "2.34"}, "renyi", {"order": "2"}) == "loose"
    assert verdict("upper", truth, {"moment": "2.33"}, "renyi", {"order": "2"}) == "unsound"


GAUSSIAN = {"op": "delta", "args": {"channel": {"mechanism": "gaussian", "sigma": "?"}, "epsilon": "1"}}


def test_a_scale_is_judged_by_the_delta_it_gives() -> None:
    """Sigma = 1.06 and 1.05 at epsilon 1 give deltas of 0.1075 and 0.1105; 0.11 was promised."""
    truth = {"feeds": GAUSSIAN, "at_most": "11/100"}
    assert verdict("upper", truth, "1.06", "calibrate") == "loose"
    assert verdict("exact", truth, "1.06", "calibrate") == "wrong"
    found = judged("upper", truth, "1.05", "calibrate")
    assert found.verdict == "unsound"
    assert "was promised" in (found.reason or "")
    assert verdict("upper", truth, "0", "calibrate") == "errored"
    assert verdict("upper", truth, "-1", "calibrate") == "errored"
    assert verdict("upper", truth, "inf", "calibrate") == "errored"
    assert verdict("lower", truth, "1.06", "calibrate") == "inconclusive"


def test_bounds_of_the_least_scale_decide_without_the_engine() -> None:
    """Outside of them the gap is that of the scale; inside, the delta decides."""
    truth = {"feeds": GAUSSIAN, "at_most": "11/100", "least": ["1.0", "1.2"]}
    assert judged("upper", truth, "1.3", "calibrate").verdict == "loose"
    assert judged("upper", truth, "0.9", "calibrate").verdict == "unsound"
    assert judged("upper", truth, "1.05", "calibrate").verdict == "unsound"
    assert judged("upper", truth, "1.06", "calibrate").verdict == "loose"
    assert judged("lower", truth, "0.9", "calibrate").verdict == "loose"
