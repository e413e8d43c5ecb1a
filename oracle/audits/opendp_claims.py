"""The privacy map of an OpenDP measurement as a claim: what the library says of it, to be audited.

Only the map of a measurement is visible, not its law. It is asked at one distance of the inputs, and what it returns is
claimed of the mechanism whose table or expression the audit is about. Doubles are taken at their exact values: the
library states an upper bound as a double, and that double is the claim. The library is not needed here: a measurement
is told by its ``map`` and ``output_measure``.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import Any, Final

from oracle.claims import Claim, parse_claim
from oracle.errors import Declined, InputError, shorten
from oracle.exact import from_binary64, to_text

__all__ = ["claim_of_measurement"]

_PAIR: Final = 2


def claim_of_measurement(measurement: Any, distance: object, delta: float | None = None) -> Claim:  # noqa: ANN401
    """The claim that a measurement makes of inputs at a distance.

    Args:
        measurement: an object with ``map`` and ``output_measure``, as ``opendp.mod.Measurement`` has them.
        distance: of the inputs, in the unit of the measurement's input metric; handed on as it is.
        delta: where the map gives a privacy profile, the delta at which its epsilon is the claim.

    Returns:
        (epsilon, delta) for max-divergence, approximate or smoothed; rho for zero-concentrated divergence.

    Raises:
        InputError: for something else, a profile without a *delta*, or numbers that make no claim.
        Declined: for another measure.
    """
    if not hasattr(measurement, "map") or not hasattr(measurement, "output_measure"):
        raise InputError("an object with map and output_measure", shorten(measurement), "measurement")
    measure, found = str(measurement.output_measure), measurement.map(distance)
    if measure == "ZeroConcentratedDivergence":
        return parse_claim({"rho": _number(found)}, "map")
    if measure == "MaxDivergence":
        return _approximate(found, 0.0)
    if measure == "Approximate(MaxDivergence)":
        if not isinstance(found, Sequence) or len(found) != _PAIR:
            raise InputError("a pair of epsilon and delta", shorten(found), "map")
        return _approximate(*found)
    if measure == "SmoothedMaxDivergence":
        if delta is None:
            raise InputError("a delta, at which the profile's epsilon is the claim", "none", "delta")
        if not hasattr(found, "epsilon"):
            raise InputError("a privacy profile with the method epsilon", shorten(found), "map")
        return _approximate(found.epsilon(delta), delta)
    raise Declined(f"the measure {shorten(measure)} makes no claim of (epsilon, delta) or rho")


def _approximate(epsilon: object, delta: object) -> Claim:
    level = "inf" if epsilon == float("inf") else _number(epsilon)
    return parse_claim({"epsilon": level, "delta": _number(delta)}, "map")


def _number(value: object) -> str:
    """A double at its exact value."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not isfinite(value):
        raise InputError("a finite double", shorten(value), "map")
    return to_text(from_binary64(float(value)))
