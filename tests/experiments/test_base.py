"""What holds of every pair of laws."""

from __future__ import annotations

import pytest

from oracle.experiments.base import Experiment
from oracle.levels import Level
from oracle.mechanisms.evaluate import evaluate
from oracle.mechanisms.parse import mechanism_from

SAMPLED = {"mechanism": "poisson_subsample", "rate": "99/100", "neighbours": "add_remove"}
LAPLACE = {"mechanism": "laplace", "scale": "4", "sensitivity": "3"}


@pytest.mark.parametrize(
    "expression",
    [
        LAPLACE,
        {"mechanism": "gaussian", "sigma": "1/100"},
        {**SAMPLED, "of": LAPLACE},
        {"mechanism": "repeat", "times": 10, "of": {**SAMPLED, "of": LAPLACE}},
    ],
    ids=lambda expression: expression["mechanism"],
)
def test_the_least_epsilon_at_delta_1_is_0_without_any_work(
    expression: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """No divergence is above 1, whatever the pair."""
    pair = evaluate(mechanism_from(expression))
    assert isinstance(pair, Experiment)
    monkeypatch.setattr(type(pair), "_least_epsilon", None)
    assert pair.least_epsilon(1) == Level.rational(1)
