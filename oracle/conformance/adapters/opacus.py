"""opacus' accountants as subjects: Rényi, PRV and GDP, for DP-SGD.

The guarantee of ``get_epsilon`` is an upper bound of :data:`RDP` and of :data:`PRV` ("return upper bound as we want
guarantee, not just estimate"). :data:`GDP` warns that "GDP accounting is experimental and can underestimate privacy
expenditure", so its answers are estimates without a stated error.

The library imports torch, which the accountants do not use; where torch is missing, ``.ci/peers`` puts stand-ins in the
place of the two files that import it. Declined: everything but epsilon of sampled Gaussian noise, its Rényi divergence
(:data:`RDP`) and its calibration (:data:`RDP` and :data:`PRV`), and where the library refuses ("floating point errors
will dominate", "the privacy budget is too low").
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal

from oracle.conformance.adapters.doubles import Rounding, echoed, facts, load, positive
from oracle.conformance.adapters.refusals import declining
from oracle.conformance.adapters.sampled_gaussian import Step, both_directions, steps
from oracle.conformance.adapters.templates import shape
from oracle.errors import Declined
from oracle.exact import Infinity, parse_extended, parse_number
from oracle.levels import parse_level
from oracle.mechanisms.parse import mechanism_from

__all__ = ["GDP", "PRV", "RDP", "OpacusAccountant"]

_UPPER: Final = Rounding()
_MOST_RUNS: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class OpacusAccountant:
    """One of the accountants; the methods are ops of the protocol."""

    kind: Literal["rdp", "prv", "gdp"]

    def hello(self) -> dict[str, Any]:
        """Who answers, and what the library claims."""
        self._library()
        claims = {"epsilon": "estimate" if self.kind == "gdp" else "upper"}
        if self.kind == "rdp":
            claims |= {"renyi": "upper"}
        if self.kind != "gdp":
            claims |= {"calibrate": "upper"}
        return facts("opacus", claims, homepage="https://opacus.ai", accountant=self.kind)

    def echo(self, values: list[Any]) -> list[float]:
        """The same numbers."""
        return echoed(values)

    def epsilon(self, channel: Any, delta: object, direction: str = "both") -> float:  # noqa: ANN401 - JSON values
        """``get_epsilon``."""
        history = self._history(steps(mechanism_from(channel)), direction)
        accountant = self._library(".accountants").create_accountant(self.kind)
        accountant.history = history
        with declining("Floating point errors will dominate"):
            return float(accountant.get_epsilon(delta=self._delta(delta)))

    def renyi(self, channel: Any, order: object, direction: str = "forward") -> dict[str, float]:  # noqa: ANN401
        """``compute_rdp`` at one order, summed over the steps; its values hold for both directions."""
        exact = parse_extended(order)
        if isinstance(exact, Infinity) or exact <= 1:
            raise Declined("divergences are offered of finite orders above 1")
        at = _UPPER.larger(exact)
        compute = self._library(".accountants.analysis.rdp").compute_rdp
        history = self._history(steps(mechanism_from(channel)), "both" if direction == "forward" else direction)
        found = [compute(q=rate, noise_multiplier=noise, steps=runs, orders=at) for noise, rate, runs in history]
        return {"divergence": float(sum(found))}

    def calibrate(self, channel: Any, field: str, delta: object, **level: Any) -> float:  # noqa: ANN401
        """``get_noise_multiplier``; the sensitivity must be 1, so that it is sigma."""
        epsilon = _UPPER.smaller_epsilon(parse_level(level, minimum_one=True))
        found = self._history(steps(shape(channel)), "both")
        if field != "sigma" or len(found) != 1 or found[0][0] != 1:
            raise Declined("the noise multiplier of one kind of step is calibrated")
        _, rate, runs = found[0]
        calibrate = self._library(".accountants.utils").get_noise_multiplier
        asked = {"target_epsilon": epsilon, "target_delta": self._delta(delta), "sample_rate": rate, "steps": runs}
        with declining("The privacy budget is too low"):
            return float(calibrate(**asked, accountant=self.kind))

    def _history(self, found: list[Step], direction: str) -> list[tuple[float, float, int]]:
        """The history of the accountant: (noise multiplier, rate, runs)."""
        both_directions(found, direction)
        if not found or sum(step.runs for step in found) > _MOST_RUNS:
            raise Declined(f"1 to {_MOST_RUNS} steps are asked for")
        if self.kind == "gdp" and len(found) > 1:
            raise Declined("the GDP accountant is of one kind of step")
        return [
            (positive(_UPPER.smaller(step.multiplier), "the noise multiplier"), _UPPER.larger(step.rate), step.runs)
            for step in found
        ]

    @staticmethod
    def _delta(delta: object) -> float:
        at = _UPPER.smaller(parse_number(delta))
        if not 0 < at < 1:
            raise Declined("epsilon is offered for 0 < delta < 1")
        return at

    def _library(self, name: str = "") -> Any:  # noqa: ANN401 - a module without types
        return load(f"opacus{name}", f"opacus-{self.kind}")


RDP: Final = OpacusAccountant("rdp")
"""The Rényi accountant."""

PRV: Final = OpacusAccountant("prv")
"""The accountant of privacy random variables, the default of the library."""

GDP: Final = OpacusAccountant("gdp")
"""The accountant by a central limit theorem."""
