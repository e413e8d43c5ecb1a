"""Compositions of Poisson-subsampled Gaussian noise, the only mechanism that accountants of DP-SGD know."""

from __future__ import annotations

from dataclasses import dataclass

from gmpy2 import mpq

from oracle.errors import Declined
from oracle.mechanisms import nodes
from oracle.mechanisms import primitive_nodes as primitive
from oracle.operations import parse_direction

__all__ = ["Step", "both_directions", "steps"]


@dataclass(frozen=True, slots=True)
class Step:
    """Runs of Gaussian noise on a sample.

    Attributes:
        multiplier: sigma over the sensitivity.
        rate: the probability of a record to be in the sample; 1 for all.
        runs: how often.
    """

    multiplier: mpq
    rate: mpq
    runs: int


def steps(of: nodes.Mechanism, runs: int = 1) -> list[Step]:
    """The steps of a composition; those of no run are left out.

    Raises:
        Declined: where a part is no Gaussian noise, sampled or not, under add or remove.
    """
    match of:
        case nodes.Repeat(times=times, of=inside):
            return steps(inside, runs * times)
        case nodes.Compose(of=parts):
            return [step for part in parts for step in steps(part, runs)]
        case nodes.PoissonSubsample(rate=rate, neighbours="add_remove", of=inside):
            if not isinstance(inside, (primitive.Gaussian, primitive.GaussianDP)):
                raise Declined("samples are offered of Gaussian noise")
            return [Step(step.multiplier, rate, runs) for step in steps(inside, runs)]
        case primitive.Gaussian(sigma=sigma, sensitivity=sensitivity) if sensitivity > 0:
            return [Step(sigma / sensitivity, mpq(1), runs)] if runs else []
        case primitive.GaussianDP(mu=mu) if mu > 0:
            return [Step(1 / mu, mpq(1), runs)] if runs else []
    raise Declined(f"{nodes.NAMES[type(of)]} is not offered: only Gaussian noise, and Poisson samples with it")


def both_directions(of: list[Step], direction: str) -> None:
    """Check that an answer about both directions together is one to the question.

    Raises:
        Declined: where one direction alone of a subsampled mechanism is asked for.
    """
    if parse_direction(direction) != "both" and any(step.rate < 1 for step in of):
        raise Declined("the two directions of a subsampled mechanism are offered together")
