"""IBM's diffprivlib as a subject: the scales of its mechanisms, and the totals of its budget accountant.

A mechanism is made for "the privacy parameter epsilon for the mechanism" and delta, so its scale is claimed to be
enough: an upper bound of the least one. ``BudgetAccountant.total`` returns "the total current privacy spend": (epsilon,
delta) that the composition satisfies, by "the accountant rules as given in [KOV17]", an upper bound.

Declined: everything else. The accountant takes guarantees, so a mechanism counts by its own epsilon and delta, and the
slack is what the asked delta leaves after them.
"""

from __future__ import annotations

from typing import Any, Final

from gmpy2 import mpq

from oracle.conformance.adapters.doubles import Rounding, echoed, facts, load, positive
from oracle.conformance.adapters.templates import shape
from oracle.errors import Declined
from oracle.exact import parse_number
from oracle.levels import parse_level
from oracle.mechanisms import nodes
from oracle.mechanisms import primitive_nodes as primitive
from oracle.mechanisms.parse import mechanism_from
from oracle.operations import parse_direction

__all__ = ["ADAPTER", "DiffPrivLib"]

_UPPER: Final = Rounding()
_MOST_SPENDS: Final = 100_000


class DiffPrivLib:
    """The library; the methods are ops of the protocol."""

    def hello(self) -> dict[str, Any]:
        """Who answers, and what the library claims."""
        load("diffprivlib", "diffprivlib")
        claims = {"epsilon": "upper", "calibrate": "upper"}
        return facts("diffprivlib", claims, homepage="https://github.com/IBM/differential-privacy-library")

    def echo(self, values: list[Any]) -> list[float]:
        """The same numbers."""
        return echoed(values)

    def epsilon(self, channel: Any, delta: object, direction: str = "both") -> float:  # noqa: ANN401 - JSON values
        """``BudgetAccountant.total`` of the guarantees of a composition, with the slack that delta leaves."""
        parse_direction(direction)
        spends, asked = _spends(mechanism_from(channel)), parse_number(delta)
        kept = mpq(1)
        for _, spent in spends:
            kept *= 1 - spent
        if not 1 - kept <= asked < 1:
            raise Declined("the accountant is of deltas from what the parts spend to 1")
        slack = _UPPER.smaller(1 - (1 - asked) / kept)
        accountant = load("diffprivlib", "diffprivlib").BudgetAccountant(slack=slack)
        for epsilon, spent in spends:
            accountant.spend(epsilon, _UPPER.larger(spent))
        return float(accountant.total()[0])

    def calibrate(self, channel: Any, field: str, delta: object, **level: Any) -> float:  # noqa: ANN401
        """The scale of the mechanism of a guarantee: sigma of Gaussian noise, the scale of Laplace noise."""
        epsilon = _UPPER.smaller_epsilon(parse_level(level, minimum_one=True))
        guarantee = {"epsilon": epsilon, "delta": _UPPER.smaller(parse_number(delta))}
        if not epsilon:
            raise Declined("a scale is offered for epsilon > 0")
        mechanisms = load("diffprivlib.mechanisms", "diffprivlib")
        match field, shape(channel):
            case "sigma", primitive.Gaussian(sensitivity=sensitivity):
                return float(mechanisms.GaussianAnalytic(**guarantee, sensitivity=_UPPER.larger(sensitivity))._scale)  # noqa: SLF001 - there is no public name for it
            case "sigma", primitive.DiscreteGaussian(sensitivity=sensitivity):
                return float(mechanisms.GaussianDiscrete(**guarantee, sensitivity=int(sensitivity))._scale)  # noqa: SLF001
            case "scale", primitive.Laplace(sensitivity=sensitivity):
                noise = mechanisms.Laplace(**guarantee, sensitivity=_UPPER.larger(sensitivity))
                return float((noise.variance(0) / 2) ** 0.5)
            case "scale", primitive.DiscreteLaplace(sensitivity=sensitivity) if not guarantee["delta"]:
                return float(-1 / mechanisms.Geometric(epsilon=epsilon, sensitivity=int(sensitivity))._scale)  # noqa: SLF001
        raise Declined("calibrations are of Gaussian and Laplace noise, discrete Laplace noise with delta = 0")


def _spends(of: nodes.Mechanism) -> list[tuple[float, mpq]]:  # noqa: PLR0911 - one case for each node
    """The guarantees (epsilon, delta) of the parts of a composition."""
    match of:
        case nodes.Repeat(times=times, of=inside):
            return _limited(_spends(inside), times)
        case nodes.Compose(of=parts):
            return [spend for part in parts for spend in _spends(part)]
        case primitive.RandomizedResponse(level=level) | primitive.KRandomizedResponse(level=level):
            return [(_UPPER.guarantee(level), mpq(0))]
        case primitive.ApproximateRandomizedResponse(level=level, delta=delta):
            return [(_UPPER.guarantee(level), delta)]
        case primitive.Guarantees(pairs=((level, delta),)):
            return [(_UPPER.guarantee(level), delta)]
        case primitive.Laplace(scale=scale, sensitivity=sensitivity):
            return [(positive(_UPPER.larger(sensitivity / scale), "epsilon"), mpq(0))]
        case primitive.DiscreteLaplace(scale=mpq() as scale, sensitivity=sensitivity):
            return [(positive(_UPPER.larger(sensitivity / scale), "epsilon"), mpq(0))]
    raise Declined(f"{nodes.NAMES[type(of)]} has no guarantee that is known here")


def _limited(spends: list[tuple[float, mpq]], times: int) -> list[tuple[float, mpq]]:
    if len(spends) * times > _MOST_SPENDS:
        raise Declined(f"at most {_MOST_SPENDS} spends are asked for")
    return spends * int(times)


ADAPTER: Final = DiffPrivLib()
"""The library as it is installed."""
