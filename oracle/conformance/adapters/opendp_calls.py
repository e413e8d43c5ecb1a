"""Mechanism expressions in the words of OpenDP: measurements with the distance of the two inputs."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import lru_cache
from typing import Final

from gmpy2 import mpq

from oracle.conformance.adapters.doubles import Rounding, positive
from oracle.conformance.adapters.opendp_measured import Measured, library
from oracle.errors import Declined
from oracle.exact import from_binary64
from oracle.levels import Level
from oracle.mechanisms import nodes
from oracle.mechanisms import primitive_nodes as primitive

__all__ = ["measured"]

_UPPER: Final = Rounding()
_BITS: Final = 200
_LARGEST_DISTANCE: Final = 2**31 - 1
_MOST_CATEGORIES: Final = 100_000
_MOST_PARTS: Final = 100_000


@lru_cache(32)
def measured(of: nodes.Mechanism) -> Measured:  # noqa: PLR0911 - one case for each node
    """The measurement that a mechanism expression means.

    Raises:
        Declined: where the library has none.
    """
    match of:
        case nodes.Repeat(times=times, of=inside) if times:
            return _composed([measured(inside)] * _limited(times, _MOST_PARTS, "parts"))
        case nodes.Compose(of=parts) if parts:
            return _composed([measured(part) for part in parts])
        case nodes.Group(size=size, of=inside):
            alone = measured(inside)
            if alone.domain not in ("reals", "integers"):
                raise Declined("groups are offered of additive noise")
            return replace(alone, distance=alone.distance * size)
        case nodes.SubsampleWithoutReplacement(source=source, sample=sample, neighbours="substitute", of=inside):
            return _amplified(measured(inside), int(source), int(sample))
        case primitive.RandomizedResponse(level=level):
            response = library().m.make_randomized_response_bool(_truth(2, level))
            return Measured(response, 1, pure=True, domain="bool")
        case primitive.KRandomizedResponse(k=k, level=level):
            categories = list(range(_limited(k, _MOST_CATEGORIES, "categories")))
            response = library().m.make_randomized_response(categories, _truth(k, level))
            return Measured(response, 1, pure=True, domain=f"{k} categories")
        case primitive.Exponential():
            return _selection(of)
    return _noise(of)


def _limited(count: int, most: int, what: str) -> int:
    if count > most:
        raise Declined(f"{count} {what} are more than the {most} that are asked for")
    return int(count)


def _truth(k: int, level: Level) -> float:
    """The probability E/(E + k - 1) of the own answer; more of it is less private."""
    if level.is_infinite:
        return 1.0
    high = level.bracket(_BITS)[1]
    return _UPPER.larger(high / (high + k - 1))


def _noise(of: nodes.Mechanism) -> Measured:  # noqa: PLR0911 - one case for each node
    """Additive noise, on reals or on integers."""
    dp = library()
    reals = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
    integers = dp.atom_domain(T="i32"), dp.absolute_distance(T="i32")
    match of:
        case primitive.Laplace(scale=scale, sensitivity=sensitivity):
            noise = dp.m.make_laplace(*reals, scale=_scale(scale))
            return Measured(noise, _UPPER.larger(sensitivity), pure=True, domain="reals")
        case primitive.Gaussian(sigma=sigma, sensitivity=sensitivity):
            noise = dp.m.make_gaussian(*reals, scale=_scale(sigma))
            return Measured(noise, _UPPER.larger(sensitivity), pure=False, domain="reals")
        case primitive.GaussianDP(mu=mu):
            return Measured(dp.m.make_gaussian(*reals, scale=1.0), _UPPER.larger(mu), pure=False, domain="reals")
        case primitive.DiscreteGaussian(sigma=sigma, sensitivity=sensitivity):
            noise = dp.m.make_gaussian(*integers, scale=_scale(sigma))
            return Measured(noise, _whole(sensitivity), pure=False, domain="integers")
        case primitive.DiscreteLaplace(scale=scale, ratio=ratio, sensitivity=sensitivity):
            noise = dp.m.make_laplace(*integers, scale=_scale(scale) if scale else _scale_of(ratio or mpq(0)))
            return Measured(noise, _whole(sensitivity), pure=True, domain="integers")
        case primitive.Geometric(ratio=ratio, values=None, sensitivity=sensitivity):
            noise = dp.m.make_geometric(*integers, scale=_scale_of(ratio))
            return Measured(noise, _whole(sensitivity or mpq(1)), pure=True, domain="integers")
        case primitive.Geometric(ratio=ratio, values=(first, second), low=low, high=high):
            noise = dp.m.make_geometric(*integers, scale=_scale_of(ratio), bounds=(low, high))
            return Measured(noise, _whole(abs(first - second)), pure=True, domain="integers")
    raise Declined(f"{nodes.NAMES[type(of)]} is not offered")


def _scale(scale: mpq) -> float:
    return positive(_UPPER.smaller(scale), "the scale")


def _scale_of(ratio: mpq) -> float:
    """The scale -1/log(ratio), rounded down."""
    epsilon = positive(_UPPER.larger_epsilon(Level(1 / ratio)), "log(1/ratio)")
    return positive(math.nextafter(1 / epsilon, 0), "the scale")


def _whole(distance: mpq | int) -> int:
    return _limited(int(mpq(distance).numerator), _LARGEST_DISTANCE, "units of distance")


def _selection(of: primitive.Exponential) -> Measured:
    """The exponential mechanism as the argmax of scores with Gumbel noise of scale 2·sensitivity/epsilon, under zCDP.

    The distance is that of the two lists of scores, so the map is about the pair itself.
    """
    dp = library()
    epsilon = positive(_UPPER.larger_epsilon(of.level), "epsilon")
    scale = positive(math.nextafter(_UPPER.smaller(2 * of.sensitivity / from_binary64(epsilon)), 0), "the scale")
    space = dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.linf_distance(T=float)
    selection = dp.m.make_noisy_max(*space, dp.zero_concentrated_divergence(), scale=scale)
    distance = max(abs(x - y) for x, y in zip(*of.scores, strict=True))
    return Measured(selection, _UPPER.larger(distance), pure=False, domain="scores")


def _composed(parts: list[Measured]) -> Measured:
    """Sequential composition; where the measures differ, all are cast to zCDP."""
    first = parts[0]
    if any((part.domain, part.distance) != (first.domain, first.distance) for part in parts):
        raise Declined("measurements on one domain at one distance compose")
    pure = all(part.pure for part in parts)
    members = [part.measurement if pure else part.concentrated().measurement for part in parts]
    return replace(first, measurement=library().c.make_composition(members), pure=pure)


def _amplified(inside: Measured, source: int, sample: int) -> Measured:
    """A simple random sample from a population: the map of a pure measurement on samples of a fixed size."""
    if not inside.pure:
        raise Declined("amplification is offered of pure measurements")
    dp = library()
    space = dp.vector_domain(dp.atom_domain(T=int), size=sample), dp.change_one_distance()
    epsilon = inside.epsilon
    on_samples = dp.m.make_user_measurement(
        *space, dp.max_divergence(), lambda _: 0, lambda distance: distance * epsilon, TO=int
    )
    amplified = dp.c.make_population_amplification(on_samples, source)
    return Measured(amplified, 1, pure=True, domain=f"{sample} of {source} records")
