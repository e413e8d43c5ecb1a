"""autodp as a subject: its mechanisms, composed and subsampled by their Rényi divergences.

The library is for "provable DP guarantees" by RDP, approximate DP and f-DP: ``get_eps``, ``get_approx_delta`` and
``get_RDP`` are upper bounds, ``get_fDP`` ("false negative rate as a function of false positive rate") is a lower one.
Gaussian noise is ``ExactGaussianMechanism``, "the Gaussian mechanism to use in practice with tight direct computation
of everything", and is composed by ``ComposeGaussian``.

Declined: one direction alone of a subsampled mechanism, tables, relations, discrete noise but the Gaussian one.
"""

from __future__ import annotations

from typing import Any, Final

from oracle.conformance.adapters.doubles import Rounding, echoed, facts, load, positive
from oracle.conformance.adapters.templates import shape
from oracle.errors import Declined
from oracle.exact import Infinity, parse_extended, parse_number
from oracle.levels import parse_level
from oracle.mechanisms import nodes
from oracle.mechanisms import primitive_nodes as primitive
from oracle.mechanisms.parse import mechanism_from
from oracle.mechanisms.relations import walk
from oracle.operations import parse_direction

__all__ = ["ADAPTER", "AutoDP"]

_UPPER: Final = Rounding()


class AutoDP:
    """The library; the methods are ops of the protocol."""

    def hello(self) -> dict[str, Any]:
        """Who answers, and what the library claims."""
        _library("mechanism_zoo")
        claims = dict.fromkeys(("delta", "hockey_stick", "epsilon", "renyi", "calibrate"), "upper")
        return facts("autodp", claims | {"tradeoff": "lower"}, homepage="https://github.com/yuxiangw/autodp")

    def echo(self, values: list[Any]) -> list[float]:
        """The same numbers."""
        return echoed(values)

    def delta(self, channel: Any, direction: str = "both", **level: Any) -> float:  # noqa: ANN401 - JSON values
        """``get_approx_delta``."""
        at = _UPPER.smaller_epsilon(parse_level(level, minimum_one=False))
        if not 0 <= at < float("inf"):
            raise Declined("delta is offered at finite epsilon >= 0")
        return float(_asked(channel, direction).get_approx_delta(at))

    def hockey_stick(self, channel: Any, direction: str = "forward", **level: Any) -> float:  # noqa: ANN401
        """The same question, by default of one direction."""
        return self.delta(channel, direction, **level)

    def epsilon(self, channel: Any, delta: object, direction: str = "both") -> float:  # noqa: ANN401
        """``get_eps``, "the smallest eps of multiple calculations"."""
        return float(_asked(channel, direction).get_eps(_UPPER.smaller(parse_number(delta))))

    def renyi(self, channel: Any, order: object, direction: str = "forward") -> dict[str, float]:  # noqa: ANN401
        """``get_RDP``; its values hold for both directions."""
        exact = parse_extended(order)
        if not isinstance(exact, Infinity) and exact < 1:
            raise Declined("divergences are offered of orders of at least 1")
        at = float(exact) if isinstance(exact, Infinity) else _UPPER.larger(exact)
        return {"divergence": float(_asked(channel, "both" if direction == "forward" else direction).get_RDP(at))}

    def tradeoff(self, channel: Any, alpha: object = None, direction: str = "forward") -> float:  # noqa: ANN401
        """``get_fDP``; a larger alpha is less private."""
        if alpha is None:
            raise Declined("the false negative rate is offered at one false positive rate")
        return float(_asked(channel, direction).get_fDP(_UPPER.larger(parse_number(alpha))))

    def calibrate(self, channel: Any, field: str, delta: object, **level: Any) -> float:  # noqa: ANN401
        """``ana_gaussian_calibrator``, of one Gaussian mechanism with sensitivity 1."""
        epsilon, at = _UPPER.smaller_epsilon(parse_level(level, minimum_one=True)), _UPPER.smaller(parse_number(delta))
        of = shape(channel)
        if field != "sigma" or not isinstance(of, primitive.Gaussian) or of.sensitivity != 1 or not (epsilon and at):
            raise Declined("sigma is calibrated of Gaussian noise with sensitivity 1, for epsilon > 0 and delta > 0")
        calibrator = _library("calibrator_zoo").ana_gaussian_calibrator()
        return float(calibrator(_library("mechanism_zoo").ExactGaussianMechanism, epsilon, at).params["sigma"])


def _library(name: str) -> Any:  # noqa: ANN401 - a module without types
    return load(f"autodp.{name}", "autodp")


def _asked(channel: object, direction: str) -> Any:  # noqa: ANN401 - an object of the library
    of = mechanism_from(channel)
    if parse_direction(direction) != "both" and any(isinstance(part, nodes.PoissonSubsample) for part in walk(of)):
        raise Declined("the two directions of a subsampled mechanism are offered together")
    return _mechanism(of)


def _mechanism(of: nodes.Mechanism) -> Any:  # noqa: ANN401, C901, PLR0911 - one case for each node
    """The mechanism of the library."""
    zoo = _library("mechanism_zoo")
    match of:
        case nodes.Repeat(times=times, of=inside) if times:
            return _composed([inside], [times])
        case nodes.Compose(of=parts) if parts:
            return _composed(list(parts), [1] * len(parts))
        case nodes.PoissonSubsample(rate=rate, neighbours="add_remove", of=inside):
            sample = _library("transformer_zoo").AmplificationBySampling(PoissonSampling=True)
            improved = isinstance(inside, (primitive.Gaussian, primitive.GaussianDP))
            return sample(_mechanism(inside), _UPPER.larger(rate), improved_bound_flag=improved)
        case primitive.Gaussian(sigma=sigma, sensitivity=sensitivity):
            return zoo.ExactGaussianMechanism(positive(_UPPER.smaller(sigma / sensitivity), "sigma"))
        case primitive.GaussianDP(mu=mu):
            return zoo.ExactGaussianMechanism(positive(_UPPER.smaller(1 / mu), "1/mu"))
        case primitive.DiscreteGaussian(sigma=sigma, sensitivity=sensitivity):
            return zoo.DiscreteGaussianMechanism(positive(_UPPER.smaller(sigma / sensitivity), "sigma"))
        case primitive.Laplace(scale=scale, sensitivity=sensitivity):
            return zoo.LaplaceMechanism(positive(_UPPER.smaller(scale / sensitivity), "the scale"))
        case primitive.RandomizedResponse(level=level) if not level.is_infinite:
            high = level.bracket(200)[1]
            return zoo.RandresponseMechanism(_UPPER.larger(high / (high + 1)))
        case primitive.KRandomizedResponse(level=level):
            return zoo.PureDP_Mechanism(_UPPER.guarantee(level))
        case primitive.Exponential(level=level) if _within_sensitivity(of):
            return zoo.ExponentialMechanism(_UPPER.guarantee(level))
    raise Declined(f"{nodes.NAMES[type(of)]} is not offered")


def _within_sensitivity(of: primitive.Exponential) -> bool:
    """Whether the two lists of scores are no farther apart than the sensitivity, so that epsilon is a guarantee."""
    return all(abs(x - y) <= of.sensitivity for x, y in zip(*of.scores, strict=True))


def _composed(parts: list[nodes.Mechanism], runs: list[int]) -> Any:  # noqa: ANN401
    transformers = _library("transformer_zoo")
    normal = all(isinstance(part, (primitive.Gaussian, primitive.GaussianDP)) for part in parts)
    compose = transformers.ComposeGaussian() if normal else transformers.Composition()
    return compose([_mechanism(part) for part in parts], runs)


ADAPTER: Final = AutoDP()
"""The library as it is installed."""
