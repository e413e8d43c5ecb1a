"""fourier-accountant as a subject: delta and epsilon of sampled Gaussian noise by the fast Fourier transform.

The functions "rely on numerical approximations, which are influenced by choice of parameters nx and L" and state no
error: estimates. They are called with their defaults, for the remove or add relation (``get_delta_R`` and
``get_epsilon_R``).

It is "for the subsampled Gaussian mechanism". Declined: every other mechanism and op, a rate of 1, and what the library
refuses: epsilon of at most 0, and "epsilon out of [-L,L] window".
"""

from __future__ import annotations

from typing import Any, Final

from oracle.conformance.adapters.doubles import Rounding, echoed, facts, load, positive
from oracle.conformance.adapters.refusals import declining
from oracle.conformance.adapters.sampled_gaussian import Step, both_directions, steps
from oracle.errors import Declined
from oracle.exact import parse_number
from oracle.levels import parse_level
from oracle.mechanisms.parse import mechanism_from

__all__ = ["ADAPTER", "FourierAccountant"]

_NAME: Final = "fourier-accountant"
_UPPER: Final = Rounding()
_MOST_STEPS: Final = 2**62


class FourierAccountant:
    """The library; the methods are ops of the protocol."""

    def hello(self) -> dict[str, Any]:
        """Who answers, and what the library claims."""
        load("fourier_accountant", _NAME)
        claims = dict.fromkeys(("delta", "hockey_stick", "epsilon"), "estimate")
        return facts(_NAME, claims, homepage="https://github.com/DPBayes/PLD-Accountant")

    def echo(self, values: list[Any]) -> list[float]:
        """The same numbers."""
        return echoed(values)

    def delta(self, channel: Any, direction: str = "both", **level: Any) -> float:  # noqa: ANN401 - JSON values
        """``get_delta_R``."""
        at = _UPPER.smaller_epsilon(parse_level(level, minimum_one=False))
        if not 0 < at < float("inf"):
            raise Declined("epsilon must be above 0 and finite")
        asked = _asked(steps(mechanism_from(channel)), direction)
        return float(load("fourier_accountant", _NAME).get_delta_R(target_eps=at, **asked))

    def hockey_stick(self, channel: Any, direction: str = "forward", **level: Any) -> float:  # noqa: ANN401
        """The same question, by default of one direction."""
        return self.delta(channel, direction, **level)

    def epsilon(self, channel: Any, delta: object, direction: str = "both") -> float:  # noqa: ANN401
        """``get_epsilon_R``."""
        at = _UPPER.smaller(parse_number(delta))
        if not 0 < at < 1:
            raise Declined("epsilon is offered for 0 < delta < 1")
        asked = _asked(steps(mechanism_from(channel)), direction)
        with declining("Epsilon out of [-L,L] window"):
            return float(load("fourier_accountant", _NAME).get_epsilon_R(target_delta=at, **asked))


def _asked(found: list[Step], direction: str) -> dict[str, Any]:
    """The arguments: a noise level, a rate and a number of runs for each step."""
    both_directions(found, direction)
    if not found or max(step.runs for step in found) > _MOST_STEPS:
        raise Declined(f"1 to {_MOST_STEPS} steps are asked for")
    if any(step.rate == 1 for step in found):
        raise Declined("the library is for subsampled noise, of a rate below 1")
    array = load("numpy", _NAME).array
    return {
        "sigma": array([positive(_UPPER.smaller(step.multiplier), "the noise multiplier") for step in found]),
        "q": array([_UPPER.larger(step.rate) for step in found]),
        "ncomp": array([step.runs for step in found]),
    }


ADAPTER: Final = FourierAccountant()
"""The library as it is installed."""
