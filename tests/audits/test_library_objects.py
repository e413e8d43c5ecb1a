"""Events and measurements of the released libraries, as they come."""

from __future__ import annotations

from fractions import Fraction

import pytest

import oracle

pytestmark = pytest.mark.peer


def test_events_of_dp_accounting():
    """The library's own objects: DP-SGD, and randomized response with its exact level."""
    from dp_accounting import dp_event  # noqa: PLC0415 - in its environment only

    step = dp_event.PoissonSampledDpEvent(0.25, dp_event.GaussianDpEvent(1.5))
    found = oracle.expression_of_event(dp_event.SelfComposedDpEvent(step, 3))
    assert (found["times"], found["of"]["rate"], found["of"]["of"]["sigma"]) == (3, "1/4", "3/2")
    report = oracle.audit(dp_event.RandomizedResponseDpEvent(0.5, 2), "exp_eps=3")
    assert report.equality


def test_measurements_of_opendp():
    """Its map is an upper bound, so that the claim holds of the mechanism, and not one with half the epsilon."""
    import opendp.prelude as dp  # noqa: PLC0415 - in its environment only

    dp.enable_features("contrib")
    measurement = dp.m.make_randomized_response_bool(0.75)
    claim = oracle.claim_of_measurement(measurement, 1)
    table = {"matrix": [["3/4", "1/4"], ["1/4", "3/4"]]}
    assert oracle.audit(table, claim).holds
    half = {"epsilon": str(Fraction(claim.to_json()["epsilon"]) / 2)}
    assert oracle.audit(table, half).verdict == "refuted"
