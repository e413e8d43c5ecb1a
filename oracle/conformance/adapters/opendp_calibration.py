"""The least scale for a guarantee, as OpenDP's ``binary_search_param`` finds it through the privacy map."""

from __future__ import annotations

from typing import Any

from oracle.conformance.adapters.opendp_calls import measured
from oracle.conformance.adapters.opendp_measured import library
from oracle.conformance.adapters.templates import filled, shape
from oracle.errors import Declined
from oracle.exact import from_binary64, to_text
from oracle.mechanisms.parse import mechanism_from

__all__ = ["least_scale"]


def least_scale(template: Any, epsilon: float, delta: float) -> float:  # noqa: ANN401 - a JSON value
    """The least scale with which the measurement passes the library's own check of (epsilon, delta).

    A pure measurement is checked against epsilon alone, any other with its profile at the given delta.

    Raises:
        Declined: where the library has no measurement.
    """
    dp = library()
    sample = measured(shape(template))

    def measurement(scale: float) -> Any:  # noqa: ANN401 - an object of the library
        if scale <= 0:
            raise Declined(f"the library's search asks for a measurement of scale {scale}, which has no meaning here")
        found = measured(mechanism_from(filled(template, to_text(from_binary64(scale)))))
        if found.pure:
            return found.measurement
        return dp.c.make_fix_delta(dp.c.make_zCDP_to_approxDP(found.measurement), delta)

    guarantee = epsilon if sample.pure else (epsilon, delta)
    return float(dp.binary_search_param(measurement, d_in=sample.distance, d_out=guarantee, T=float))
