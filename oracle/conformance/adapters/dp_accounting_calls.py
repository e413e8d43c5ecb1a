"""Mechanism expressions in the words of dp-accounting: privacy loss distributions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache, reduce
from typing import Any, Final

from gmpy2 import mpq

from oracle.channels.divergences import Direction
from oracle.conformance.adapters.doubles import Rounding, load, log_nearest, nearest, positive
from oracle.errors import Declined
from oracle.levels import Level
from oracle.mechanisms import nodes
from oracle.mechanisms import primitive_nodes as primitive
from oracle.operations import rational_channel

__all__ = ["distribution", "grouped", "library", "noise_parameter"]

_TABLES: Final = (primitive.ChannelNode, primitive.TradeoffNode, primitive.Exponential)


def library(name: str = "") -> Any:  # noqa: ANN401 - a module without types
    """A module of the library."""
    return load(f"dp_accounting{name}", "dp-accounting")


@lru_cache(32)
def distribution(  # noqa: C901, PLR0911 - one case for each node
    of: nodes.Mechanism, side: Direction, pessimistic: bool, interval: float
) -> Any:  # noqa: ANN401 - an object without types
    """The privacy loss distribution of a mechanism, of one direction or of both.

    Raises:
        Declined: where the library has none.
    """
    pld, rounding = library(".pld.privacy_loss_distribution"), Rounding(pessimistic)
    options = {"pessimistic_estimate": pessimistic, "value_discretization_interval": interval}

    def part(inside: nodes.Mechanism) -> Any:  # noqa: ANN401
        return distribution(inside, side, pessimistic, interval)

    match of:
        case nodes.Repeat(times=0) | nodes.Compose(of=()):
            return pld.identity(interval, pessimistic)
        case nodes.Repeat(times=times, of=inside):
            return part(inside).self_compose(times)
        case nodes.Compose(of=parts):
            return reduce(lambda left, right: left.compose(right), map(part, parts))
        case nodes.Visible(r=r, left=left, right=right):
            return part(left).compute_mixture(part(right), nearest(r))
        case nodes.Group(size=size, of=inside):
            return part(grouped(inside, size))
        case nodes.PoissonSubsample(rate=rate, neighbours=neighbours, of=inside):
            if neighbours == "add_remove" and side != "both" and rate < 1:
                raise Declined("the two directions of a subsampled mechanism are offered together")
            return _noise(inside, rounding, options | _sampling(rate, neighbours, inside, rounding))
        case primitive.RandomizedResponse(level=level):
            return pld.from_randomized_response(noise_parameter(2, level, rounding), 2, **options)
        case primitive.KRandomizedResponse(k=k, level=level):
            return pld.from_randomized_response(noise_parameter(k, level, rounding), k, **options)
        case primitive.ApproximateRandomizedResponse(level=level, delta=delta):
            return _worst(level, delta, rounding, interval)
        case primitive.Guarantees(pairs=((level, delta),)):
            return _worst(level, delta, rounding, interval)
    if isinstance(of, _TABLES) or (isinstance(of, primitive.Geometric) and of.values is not None):
        return _table(of, side, options)
    return _noise(of, rounding, options)


def _table(of: nodes.Mechanism, side: Direction, options: Mapping[str, Any]) -> Any:  # noqa: ANN401
    """Of a finite table; P is the upper distribution, Q the lower one."""
    rows = rational_channel(of, merged=isinstance(of, primitive.TradeoffNode)).rows
    if len(rows) != 2:
        raise Declined("a pair of two rows is needed")
    upper, lower = ({y: log_nearest(x) for y, x in enumerate(row)} for row in rows)
    if side == "backward":
        upper, lower = lower, upper
    pld = library(".pld.privacy_loss_distribution")
    return pld.from_two_probability_mass_functions(lower, upper, symmetric=side != "both", **options)


def _worst(level: Level, delta: mpq, rounding: Rounding, interval: float) -> Any:  # noqa: ANN401
    """The worst distribution of one (epsilon, delta) guarantee."""
    if not rounding.upper:
        raise Declined("guarantees have no optimistic estimate")
    common, pld = library(".pld.common"), library(".pld.privacy_loss_distribution")
    if level.is_infinite:
        raise Declined("guarantees are of finite epsilon")
    parameters = common.DifferentialPrivacyParameters(rounding.larger_epsilon(level), rounding.larger(delta))
    return pld.from_privacy_parameters(parameters, interval)


def noise_parameter(k: int, level: Level, rounding: Rounding) -> float:
    """The probability k/(E + k - 1) of an answer drawn from all k; less of it is less private."""
    if level.is_infinite or level.compare(1) == 0:
        raise Declined("randomized response is offered for 0 < epsilon < inf")
    low, high = level.bracket(200)
    return positive(rounding.smaller(k / ((high if rounding.upper else low) + k - 1)), "the noise parameter")


def _sampling(rate: mpq, neighbours: str, inside: nodes.Mechanism, rounding: Rounding) -> dict[str, Any]:
    sampled: dict[str, Any] = {"sampling_prob": positive(rounding.larger(rate), "the rate")}
    if neighbours == "substitute":
        if not isinstance(inside, (primitive.Gaussian, primitive.GaussianDP)):
            raise Declined("under substitution only subsampled Gaussian noise is offered")
        sampled["neighboring_relation"] = library().NeighboringRelation.REPLACE_ONE
    return sampled


def _noise(  # noqa: PLR0911 - one case for each node
    of: nodes.Mechanism, rounding: Rounding, options: Mapping[str, Any]
) -> Any:  # noqa: ANN401
    """Of additive noise, subsampled where the options say so."""
    pld = library(".pld.privacy_loss_distribution")
    if not rounding.upper:
        options = {**options, "use_connect_dots": False}  # that construction is of pessimistic estimates
    match of:
        case primitive.Laplace(scale=scale, sensitivity=sensitivity):
            parameter = positive(rounding.smaller(scale), "the scale")
            return pld.from_laplace_mechanism(parameter, positive(rounding.larger(sensitivity)), **options)
        case primitive.Gaussian(sigma=sigma, sensitivity=sensitivity):
            deviation = positive(rounding.smaller(sigma), "sigma")
            return pld.from_gaussian_mechanism(deviation, positive(rounding.larger(sensitivity)), **options)
        case primitive.GaussianDP(mu=mu):
            return pld.from_gaussian_mechanism(1.0, positive(rounding.larger(mu), "mu"), **options)
        case primitive.DiscreteGaussian(sigma=sigma, sensitivity=sensitivity):
            deviation = positive(rounding.smaller(sigma), "sigma")
            return pld.from_discrete_gaussian_mechanism(deviation, int(sensitivity), **options)
        case primitive.DiscreteLaplace(scale=mpq() as scale, sensitivity=sensitivity):
            parameter = positive(rounding.larger(1 / scale), "1/scale")
            return pld.from_discrete_laplace_mechanism(parameter, int(sensitivity), **options)
        case primitive.DiscreteLaplace(ratio=mpq() as ratio, sensitivity=sensitivity):
            parameter = positive(rounding.larger_epsilon(Level(1 / ratio)), "log(1/ratio)")
            return pld.from_discrete_laplace_mechanism(parameter, int(sensitivity), **options)
        case primitive.Geometric(ratio=ratio, sensitivity=sensitivity, values=None):
            whole = int((sensitivity or mpq(1)).numerator)
            return _noise(primitive.DiscreteLaplace(None, ratio, whole), rounding, options)
    raise Declined(f"{nodes.NAMES[type(of)]} is not offered")


def grouped(of: nodes.Mechanism, size: int) -> nodes.Mechanism:
    """Additive noise for inputs that differ in *size* records: its sensitivity times the size."""
    match of:
        case primitive.Laplace() | primitive.Gaussian():
            return replace(of, sensitivity=of.sensitivity * size)
        case primitive.DiscreteLaplace() | primitive.DiscreteGaussian():
            return replace(of, sensitivity=of.sensitivity * size)
        case primitive.GaussianDP(mu=mu):
            return primitive.GaussianDP(mu * size)
    raise Declined("groups are offered of additive noise")
