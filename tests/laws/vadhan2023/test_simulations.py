"""The certificate about simulation and the Rényi divergence, by what it says."""

from __future__ import annotations

from oracle.laws.vadhan2023._renyi_errata import SIMULATION


def test_the_counterexample_simulates_both_options() -> None:
    """The certificate multiplies N by both kernels: [1/2 1/2; 1/4 3/4] and [0 1; 1/4 3/4]."""
    document = SIMULATION.certificate()
    products = [item["product"] for item in document["facts"] if item["fact"] == "product"]
    assert products == [[["1/2", "1/2"], ["1/4", "3/4"]], [["0", "1"], ["1/4", "3/4"]]]
