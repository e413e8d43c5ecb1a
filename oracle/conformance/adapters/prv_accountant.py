"""Microsoft's prv-accountant as a subject: the two ends of its numerical composition of privacy random variables.

``compute_delta`` and ``compute_epsilon`` "return lower bound ..., estimate ... and upper bound": :data:`ADAPTER`
answers the upper end and is judged as an upper bound, :data:`LOWER` the lower one. ``eps_error`` is 0.1 ("typically
around 0.1"); ``delta_error`` is a thousandth of delta ("typically around 10^-3 delta"). Where delta is asked for, its
estimate at the error of the library's example, 10^-10, says what a thousandth is, down to 10^-15.

The random variable of a subsampled mechanism is that of a record removed, the worse direction of Gaussian noise. A pure
guarantee (randomized response) is its ``PureDPMechanism``, an approximate one its ``ApproximateDPMechanism``.

Declined: a record added to a subsampled mechanism, tables, discrete noise, everything but delta and epsilon, and where
the library refuses ("floating point errors will dominate").
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from oracle.conformance.adapters.doubles import Rounding, echoed, facts, load, positive
from oracle.conformance.adapters.loss_grid import interval_for
from oracle.conformance.adapters.refusals import declining
from oracle.errors import Declined
from oracle.exact import parse_number
from oracle.levels import parse_level
from oracle.mechanisms import nodes
from oracle.mechanisms import primitive_nodes as primitive
from oracle.mechanisms.parse import mechanism_from
from oracle.operations import parse_direction

__all__ = ["ADAPTER", "LOWER", "PRVAccountant"]

_NAME: Final = "prv-accountant"
_EPS_ERROR: Final = 0.1
_DELTA_ERROR: Final = 1e-10
_LEAST_DELTA_ERROR: Final = 1e-15
_MOST_RUNS: Final = 1_000_000
_MOST_PARTS: Final = 20


@dataclass(frozen=True, slots=True)
class PRVAccountant:
    """The library with one of the two ends of its answers; the methods are ops of the protocol."""

    upper: bool = True

    def hello(self) -> dict[str, Any]:
        """Who answers, and what the library claims."""
        load("prv_accountant", _NAME)
        claims = dict.fromkeys(("delta", "hockey_stick", "epsilon"), "upper" if self.upper else "lower")
        return facts(
            _NAME,
            claims,
            homepage="https://github.com/microsoft/prv_accountant",
            end="upper" if self.upper else "lower",
        )

    def echo(self, values: list[Any]) -> list[float]:
        """The same numbers."""
        return echoed(values)

    def delta(self, channel: Any, direction: str = "both", **level: Any) -> float:  # noqa: ANN401 - JSON values
        """One end of ``compute_delta``."""
        at, of = self._rounding.smaller_epsilon(parse_level(level, minimum_one=False)), mechanism_from(channel)
        accountant, runs = self._accountant(of, direction, _DELTA_ERROR)
        error = max(accountant.compute_delta(at, runs)[1] / 1000, _LEAST_DELTA_ERROR)
        if error < _DELTA_ERROR:
            accountant, runs = self._accountant(of, direction, error)
        return float(accountant.compute_delta(at, runs)[2 if self.upper else 0])

    def hockey_stick(self, channel: Any, direction: str = "forward", **level: Any) -> float:  # noqa: ANN401
        """The same question, by default of one direction."""
        return self.delta(channel, direction, **level)

    def epsilon(self, channel: Any, delta: object, direction: str = "both") -> float:  # noqa: ANN401
        """One end of ``compute_epsilon``."""
        at = self._rounding.smaller(parse_number(delta))
        if not 0 < at < 1:
            raise Declined("the errors of the library are stated for 0 < delta < 1")
        accountant, runs = self._accountant(mechanism_from(channel), direction, at / 1000)
        with declining("Floating point errors will dominate"):
            return float(accountant.compute_epsilon(at, runs)[2 if self.upper else 0])

    @property
    def _rounding(self) -> Rounding:
        return Rounding(self.upper)

    def _accountant(self, of: nodes.Mechanism, direction: str, delta_error: float) -> tuple[Any, list[int]]:
        """The accountant of a composition, with the number of runs of each part."""
        side = parse_direction(direction)
        parts = list(_parts(of, 1))
        if not parts or len(parts) > _MOST_PARTS or sum(runs for _, runs in parts) > _MOST_RUNS:
            raise Declined(f"compositions of 1 to {_MOST_PARTS} kinds and at most {_MOST_RUNS} runs are asked for")
        if side == "backward" and any(isinstance(part, nodes.PoissonSubsample) for part, _ in parts):
            raise Declined("the random variable of a subsampled mechanism is that of a record removed")
        prvs, runs = [self._variable(part) for part, _ in parts], [count for _, count in parts]
        accountant = load("prv_accountant", _NAME).PRVAccountant(
            prvs=prvs, max_self_compositions=runs, eps_error=_eps_error(of), delta_error=delta_error
        )
        return accountant, runs

    def _variable(self, of: nodes.Mechanism) -> Any:  # noqa: ANN401, PLR0911 - one case for each node
        """The privacy random variable of one part."""
        variables, rounding = load("prv_accountant.privacy_random_variables", _NAME), self._rounding
        match of:
            case primitive.Gaussian(sigma=sigma, sensitivity=sensitivity):
                multiplier = positive(rounding.smaller(sigma), "sigma")
                return variables.GaussianMechanism(multiplier, positive(rounding.larger(sensitivity)))
            case primitive.GaussianDP(mu=mu):
                return variables.GaussianMechanism(1.0, positive(rounding.larger(mu), "mu"))
            case primitive.Laplace(scale=scale, sensitivity=sensitivity):
                return variables.LaplaceMechanism(positive(rounding.larger(sensitivity / scale), "sensitivity/scale"))
            case nodes.PoissonSubsample(rate=rate, neighbours="add_remove", of=primitive.Gaussian() as inside):
                multiplier = positive(rounding.smaller(inside.sigma / inside.sensitivity), "the noise multiplier")
                return variables.PoissonSubsampledGaussianMechanism(rounding.larger(rate), multiplier)
            case primitive.RandomizedResponse(level=level):
                return variables.PureDPMechanism(rounding.guarantee(level))
            case primitive.KRandomizedResponse(level=level) if self.upper:
                return variables.PureDPMechanism(rounding.guarantee(level))
            case primitive.ApproximateRandomizedResponse(level=level, delta=delta):
                return variables.ApproximateDPMechanism(rounding.guarantee(level), rounding.larger(delta))
        raise Declined(f"{nodes.NAMES[type(of)]} is not offered")


def _eps_error(of: nodes.Mechanism) -> float:
    """The recommended error, or a larger one where the losses reach so far that the grid would not fit in memory."""
    return _EPS_ERROR * max(1.0, interval_for(of))


def _parts(of: nodes.Mechanism, runs: int) -> Iterator[tuple[nodes.Mechanism, int]]:
    """The mechanisms of a composition with the number of times that each is run."""
    match of:
        case nodes.Repeat(times=times, of=inside):
            yield from _parts(inside, runs * times)
        case nodes.Compose(of=parts):
            for part in parts:
                yield from _parts(part, runs)
        case _ if runs:
            yield of, runs


ADAPTER: Final = PRVAccountant()
"""The upper ends."""

LOWER: Final = PRVAccountant(upper=False)
"""The lower ends."""
