"""The grid of privacy losses: the library's default where it fits, coarser by powers of ten where it does not."""

from __future__ import annotations

from typing import Any

import pytest

from oracle.conformance.adapters.loss_grid import DEFAULT_INTERVAL, interval_for
from oracle.errors import Declined
from oracle.mechanisms.parse import mechanism_from

RESPONSE = {"mechanism": "randomized_response", "exp_epsilon": "3"}
GAUSSIAN = {"mechanism": "gaussian", "sigma": "1"}
TABLE = {"matrix": [["1/4", "3/4"], ["1/2", "1/2"]]}


def node(mechanism: str, **fields: Any) -> dict[str, Any]:
    return {"mechanism": mechanism, **fields}


@pytest.mark.parametrize(
    "expression",
    [
        RESPONSE,
        GAUSSIAN,
        TABLE,
        node("laplace", scale="1"),
        node("discrete_laplace", scale="2"),
        node("discrete_laplace", ratio="1/2"),
        node("geometric", ratio="1/2", low=0, high=5, values=[0, 1]),
        node("geometric", ratio="1/2"),
        node("discrete_gaussian", sigma="3"),
        node("gaussian_dp", mu="1"),
        node("k_randomized_response", k=3, epsilon="inf"),
        node("approximate_randomized_response", epsilon="1", delta="1/10"),
        node("exponential", scores=[["0", "1"], ["1", "0"]], epsilon="1"),
        node("compose", of=[RESPONSE, GAUSSIAN]),
        node("visible", r="1/2", left=RESPONSE, right=RESPONSE),
        node("group", size=2, of=node("laplace", scale="1")),
        node("poisson_subsample", rate="1/10", neighbours="add_remove", of=GAUSSIAN),
        node("guarantees", pairs=[{"epsilon": "1", "delta": "0"}]),
    ],
)
def test_moderate_losses_keep_the_default(expression: dict[str, Any]) -> None:
    """Losses within 50 take at most a million points."""
    assert interval_for(mechanism_from(expression)) == DEFAULT_INTERVAL


def test_far_losses_take_a_coarser_grid() -> None:
    """A reach of 10^4 takes a thousand times the default; many runs of a small loss take ten deviations only."""
    assert interval_for(mechanism_from(node("laplace", scale="1/10000"))) == pytest.approx(0.1, rel=1e-12)
    assert interval_for(mechanism_from(node("repeat", times=10000, of=node("laplace", scale="100")))) == 1e-4


def test_losses_beyond_every_grid_are_declined() -> None:
    """A reach beyond 10^6 is not asked for, infinity included."""
    for scale in ("1e-7", "1e-400"):
        with pytest.raises(Declined, match="too far"):
            interval_for(mechanism_from(node("laplace", scale=scale)))


def test_a_table_needs_two_rows() -> None:
    """A pair is meant."""
    with pytest.raises(Declined, match="two rows"):
        interval_for(mechanism_from({"matrix": [["1"], ["1"], ["1"]]}))
