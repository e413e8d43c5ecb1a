"""Google's dp-accounting as a subject: privacy loss distributions, the Rényi accountant, and its calibrations.

The library says of its distributions that ``pessimistic_estimate=True`` gives "an upper estimate to the real value",
and False a lower one: :data:`ADAPTER` is judged on the first claim, :data:`OPTIMISTIC` on the second. Tables are passed
as natural logarithms of the probabilities, as ``from_two_probability_mass_functions`` takes them.

Declined, since the library does not compute it: one direction of a subsampled mechanism (its answers are about both
together), trade-off functions, relations between channels, and subsampling of anything but additive noise.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from importlib.metadata import version
from typing import Any, Final

from oracle.conformance.adapters.doubles import Rounding, echoed
from oracle.conformance.adapters.dp_accounting_calibration import smallest_noise
from oracle.conformance.adapters.dp_accounting_calls import distribution, library
from oracle.conformance.adapters.dp_accounting_events import event
from oracle.conformance.adapters.loss_grid import interval_for
from oracle.conformance.adapters.templates import shape
from oracle.errors import Declined
from oracle.exact import Infinity, parse_extended, parse_number
from oracle.levels import parse_level
from oracle.mechanisms import nodes
from oracle.mechanisms.parse import mechanism_from
from oracle.mechanisms.primitive_nodes import KRandomizedResponse, RandomizedResponse
from oracle.mechanisms.relations import walk
from oracle.operations import parse_direction

__all__ = ["ADAPTER", "OPTIMISTIC", "DPAccounting"]


@dataclass(frozen=True, slots=True)
class DPAccounting:
    """The library with one of its two kinds of estimate; the methods are ops of the protocol."""

    pessimistic: bool = True

    def hello(self) -> dict[str, Any]:
        """Who answers, and what the library claims."""
        library()
        bounds = ["delta", "hockey_stick", "epsilon"]
        claims = dict.fromkeys(bounds, "upper" if self.pessimistic else "lower")
        if self.pessimistic:
            claims |= {"renyi": "upper", "calibrate": "upper"}
        return {
            "name": "dp-accounting",
            "version": version("dp-accounting"),
            "ops": ["hello", "echo", *claims],
            "claims": claims,
            "accepts": {"epsilon": ["exp_epsilon", "epsilon"], "numbers": "rational"},
            "language": "Python",
            "homepage": "https://github.com/google/differential-privacy",
            "inputs": "tables as natural logarithms of the probabilities, each the nearest double",
            "estimate": "pessimistic" if self.pessimistic else "optimistic",
        }

    def echo(self, values: list[Any]) -> list[float]:
        """The same numbers."""
        return echoed(values)

    def delta(self, channel: Any, direction: str = "both", **level: Any) -> float:  # noqa: ANN401 - JSON values
        """``get_delta_for_epsilon``."""
        at = self._rounding.smaller_epsilon(parse_level(level, minimum_one=False))
        return float(self._distribution(channel, direction).get_delta_for_epsilon(at))

    def hockey_stick(self, channel: Any, direction: str = "forward", **level: Any) -> float:  # noqa: ANN401
        """The same question, by default of one direction."""
        return self.delta(channel, direction, **level)

    def epsilon(self, channel: Any, delta: object, direction: str = "both") -> float:  # noqa: ANN401
        """``get_epsilon_for_delta``."""
        at = self._rounding.smaller(parse_number(delta))
        return float(self._distribution(channel, direction).get_epsilon_for_delta(at))

    def renyi(self, channel: Any, order: object, direction: str = "forward") -> dict[str, float]:  # noqa: ANN401
        """The Rényi accountant at one order; its values hold for both directions."""
        if not self.pessimistic:
            raise Declined("the Rényi accountant has no optimistic estimate")
        parse_direction(direction)
        mechanism, exact = mechanism_from(channel), parse_extended(order)
        if isinstance(exact, Infinity) or exact < 1:
            raise Declined("the Rényi accountant is of finite orders of at least 1")
        at = self._rounding.larger(exact)
        relation = library().NeighboringRelation[_relation(mechanism)]
        accountant = library(".rdp").RdpAccountant([at], relation)
        try:
            accountant.compose(event(mechanism, self._rounding))
        except library().UnsupportedEventError as error:
            raise Declined(str(error)) from error
        return {"divergence": float(accountant.rdp[0])}

    def calibrate(self, channel: Any, field: str, delta: object, **level: Any) -> float | Fraction:  # noqa: ANN401
        """The smallest noise of the library's accountant for a guarantee."""
        if not self.pessimistic or field not in ("sigma", "scale"):
            raise Declined("calibrations are of sigma or scale, and pessimistic")
        epsilon = self._rounding.smaller_epsilon(parse_level(level, minimum_one=True))
        return smallest_noise(shape(channel), epsilon, self._rounding.smaller(parse_number(delta)), self._rounding)

    @property
    def _rounding(self) -> Rounding:
        return Rounding(self.pessimistic)

    def _distribution(self, channel: object, direction: str) -> Any:  # noqa: ANN401 - an object of the library
        mechanism = mechanism_from(channel)
        return distribution(mechanism, parse_direction(direction), self.pessimistic, interval_for(mechanism))


def _relation(mechanism: nodes.Mechanism) -> str:
    """Randomized response needs a relation that replaces; without subsampling it makes no other difference."""
    if any(isinstance(part, (RandomizedResponse, KRandomizedResponse)) for part in walk(mechanism)):
        return "REPLACE_ONE"
    return "ADD_OR_REMOVE_ONE"


ADAPTER: Final = DPAccounting()
"""The pessimistic estimates."""

OPTIMISTIC: Final = DPAccounting(pessimistic=False)
"""The optimistic estimates, claimed to be lower bounds."""
