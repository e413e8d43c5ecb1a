"""The least noise for a guarantee, as dp-accounting finds it: ``get_smallest_*_noise`` of its accountant.

Each returns "the smallest parameter for which the mechanism satisfies the desired privacy guarantee", within a stated
tolerance above the least one, so a scale is claimed to be no smaller than that.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from oracle.conformance.adapters.doubles import Rounding, positive
from oracle.conformance.adapters.dp_accounting_calls import library
from oracle.errors import Declined
from oracle.mechanisms import nodes
from oracle.mechanisms import primitive_nodes as primitive

__all__ = ["smallest_noise"]


def smallest_noise(of: nodes.Mechanism, epsilon: float, delta: float, rounding: Rounding) -> float | Fraction:
    """The scale (sigma for Gaussian noise) with which the mechanism is (epsilon, delta)-DP.

    Args:
        of: the mechanism with any scale, which is not looked at.
        epsilon: of the guarantee.
        delta: of the guarantee.
        rounding: of the other parameters.

    Raises:
        Declined: where the library offers no calibration.
    """
    accountant, common = library(".pld.accountant"), library(".pld.common")
    guarantee: Any = common.DifferentialPrivacyParameters(epsilon, delta)
    runs, once = (of.times, of.of) if isinstance(of, nodes.Repeat) else (1, of)
    match once:
        case primitive.Gaussian(sensitivity=sensitivity) if delta > 0:
            found = accountant.get_smallest_gaussian_noise(guarantee, runs, positive(rounding.larger(sensitivity)))
            return float(found)
        case primitive.Laplace(sensitivity=sensitivity):
            found = accountant.get_smallest_laplace_noise(guarantee, runs, positive(rounding.larger(sensitivity)))
            return float(found)
        case primitive.DiscreteLaplace(sensitivity=sensitivity, ratio=None):
            found = accountant.get_smallest_discrete_laplace_noise(guarantee, runs, sensitivity)
            return 1 / Fraction(found)  # the library's parameter is 1/scale
        case nodes.PoissonSubsample(rate=rate, neighbours="add_remove", of=primitive.Gaussian(sensitivity=sensitivity)):
            found = accountant.get_smallest_subsampled_gaussian_noise(
                guarantee, runs, positive(rounding.larger(sensitivity)), positive(rounding.larger(rate), "the rate")
            )
            return float(found)
    raise Declined(f"no calibration of {nodes.NAMES[type(once)]} for delta = {delta} is offered")
