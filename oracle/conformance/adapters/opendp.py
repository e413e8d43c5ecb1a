"""OpenDP as a subject: measurements, their privacy maps, and the profiles they are cast to.

Every privacy map is claimed to be an upper bound with conservative rounding. A measurement is pure (its map gives
epsilon) or zero-concentrated (rho). The delta at an epsilon is that of the profile to which the library casts the
measurement; a pure one has two casts, through (epsilon, 0) and through zCDP: both are bounds, so the smaller counts.

Declined, since the library has no map for it: tables, trade-off functions, relations between channels, Poisson
subsampling, and compositions of measurements on different domains. Its profiles are of epsilon >= 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from importlib.metadata import version
from typing import Any, Final

from oracle.claims import ApproximateDP, ConcentratedDP, parse_claim
from oracle.conformance.adapters.doubles import Rounding, echoed
from oracle.conformance.adapters.opendp_calibration import least_scale
from oracle.conformance.adapters.opendp_calls import measured
from oracle.conformance.adapters.opendp_measured import Measured, library
from oracle.errors import Declined
from oracle.exact import INFINITY, parse_extended, parse_number, to_fraction
from oracle.levels import parse_level
from oracle.mechanisms.parse import mechanism_from
from oracle.operations import parse_direction

__all__ = ["ADAPTER", "OpenDP"]

_UPPER: Final = Rounding()


@dataclass(frozen=True, slots=True)
class OpenDP:
    """The library; the methods are ops of the protocol."""

    def hello(self) -> dict[str, Any]:
        """Who answers, and what the library claims."""
        library()
        claims = dict.fromkeys(("delta", "hockey_stick", "epsilon", "renyi", "satisfies", "calibrate"), "upper")
        return {
            "name": "opendp",
            "version": version("opendp"),
            "ops": ["hello", "echo", *claims],
            "claims": claims,
            "accepts": {"epsilon": ["exp_epsilon", "epsilon"], "numbers": "rational"},
            "language": "Rust, through Python",
            "homepage": "https://opendp.org",
        }

    def echo(self, values: list[Any]) -> list[float]:
        """The same numbers."""
        return echoed(values)

    def delta(self, channel: Any, direction: str = "both", **level: Any) -> float:  # noqa: ANN401 - JSON values
        """The least delta that a profile of the measurement has at the epsilon; a bound of both directions."""
        parse_direction(direction)
        asked = parse_level(level, minimum_one=False)
        if asked.compare(1) < 0:
            raise Declined("profiles are of epsilon >= 0")
        at = _UPPER.smaller_epsilon(asked)
        return measured(mechanism_from(channel)).least(lambda profile: profile.delta(at))

    def hockey_stick(self, channel: Any, direction: str = "forward", **level: Any) -> float:  # noqa: ANN401
        """The same: a bound of both directions is one of each."""
        return self.delta(channel, direction, **level)

    def epsilon(self, channel: Any, delta: object, direction: str = "both") -> float:  # noqa: ANN401
        """The least epsilon that a profile of the measurement has at the delta."""
        parse_direction(direction)
        at = _UPPER.smaller(parse_number(delta))
        return measured(mechanism_from(channel)).least(lambda profile: profile.epsilon(at))

    def renyi(self, channel: Any, order: object, direction: str = "forward") -> dict[str, float | Fraction]:  # noqa: ANN401
        """Order times rho, which is what rho-zCDP means; of a pure measurement at most its epsilon."""
        parse_direction(direction)
        at = parse_extended(order)
        if at <= 0:
            raise Declined("rho-zCDP says nothing of orders that are not above 0")
        found: Measured = measured(mechanism_from(channel))
        if at == INFINITY:
            if found.epsilon is None:
                raise Declined("rho-zCDP bounds no divergence of infinite order")
            return {"divergence": found.epsilon}
        rho = found.rho
        bounds = [rho if rho == float("inf") else Fraction(rho) * to_fraction(parse_number(order))]
        if found.epsilon is not None:
            bounds.append(found.epsilon)
        return {"divergence": min(bounds)}

    def satisfies(self, channel: Any, claim: Any, direction: str = "both") -> bool:  # noqa: ANN401
        """Whether the measurement passes the library's own check of an (epsilon, delta) or a rho."""
        parse_direction(direction)
        stated, found = parse_claim(claim), measured(mechanism_from(channel))
        match stated:
            case ApproximateDP(level=level, delta=delta):
                return found.passes(_UPPER.smaller_epsilon(level), _UPPER.smaller(delta))
            case ConcentratedDP(rho=rho):
                return bool(found.concentrated().measurement.check(found.distance, _UPPER.smaller(rho)))
        raise Declined("checks are of (epsilon, delta) and of rho")

    def calibrate(self, channel: Any, field: str, delta: object, **level: Any) -> float:  # noqa: ANN401
        """The least scale that passes the library's check of a guarantee."""
        if field not in ("sigma", "scale"):
            raise Declined("calibrations are of sigma or scale")
        epsilon = _UPPER.smaller_epsilon(parse_level(level, minimum_one=True))
        return least_scale(channel, epsilon, _UPPER.smaller(parse_number(delta)))


ADAPTER: Final = OpenDP()
"""The library as it is installed."""
