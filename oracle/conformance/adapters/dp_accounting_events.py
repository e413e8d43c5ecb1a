"""Mechanism expressions in the words of dp-accounting: events of its Rényi accountant."""

from __future__ import annotations

from typing import Any

from gmpy2 import mpq

from oracle.conformance.adapters.doubles import Rounding, positive
from oracle.conformance.adapters.dp_accounting_calls import grouped, library, noise_parameter
from oracle.errors import Declined
from oracle.mechanisms import nodes
from oracle.mechanisms import primitive_nodes as primitive

__all__ = ["event"]


def event(of: nodes.Mechanism, rounding: Rounding) -> Any:  # noqa: ANN401, PLR0911 - one case for each node
    """The event of a mechanism for the accountants of the library.

    Raises:
        Declined: where it has none.
    """
    events = library()
    match of:
        case nodes.Repeat(times=times, of=inside):
            return events.SelfComposedDpEvent(event(inside, rounding), times)
        case nodes.Compose(of=parts):
            return events.ComposedDpEvent([event(part, rounding) for part in parts])
        case nodes.Group(size=size, of=inside):
            return event(grouped(inside, size), rounding)
        case nodes.PoissonSubsample(rate=rate, neighbours="add_remove", of=inside):
            return events.PoissonSampledDpEvent(rounding.larger(rate), event(inside, rounding))
        case primitive.Gaussian(sigma=sigma, sensitivity=sensitivity):
            return events.GaussianDpEvent(_multiplier(sigma, sensitivity, rounding))
        case primitive.GaussianDP(mu=mu):
            return events.GaussianDpEvent(_multiplier(mpq(1), mu, rounding))
        case primitive.Laplace(scale=scale, sensitivity=sensitivity):
            return events.LaplaceDpEvent(_multiplier(scale, sensitivity, rounding))
        case primitive.RandomizedResponse(level=level):
            return events.RandomizedResponseDpEvent(noise_parameter(2, level, rounding), 2)
        case primitive.KRandomizedResponse(k=k, level=level):
            return events.RandomizedResponseDpEvent(noise_parameter(k, level, rounding), k)
    raise Declined(f"the Rényi accountant has no event for {nodes.NAMES[type(of)]}")


def _multiplier(noise: mpq, sensitivity: mpq, rounding: Rounding) -> float:
    """Noise per sensitivity."""
    if sensitivity <= 0:
        raise Declined("a sensitivity above 0 is needed")
    return positive(rounding.smaller(noise / sensitivity), "the noise multiplier")
