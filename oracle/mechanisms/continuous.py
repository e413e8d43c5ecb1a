"""From a mechanism expression to its pair of laws where that is no finite table."""

from __future__ import annotations

from gmpy2 import mpq

from oracle.errors import Declined
from oracle.experiments import discrete_gaussian, gaussian, laplace
from oracle.experiments.base import Experiment
from oracle.mechanisms.nodes import (
    NAMES,
    Compose,
    DiscreteGaussian,
    Gaussian,
    GaussianDP,
    Hidden,
    Laplace,
    Mechanism,
    Post,
    Pre,
    Repeat,
    Visible,
)

__all__ = ["experiment_of"]

_Known = dict[int, Experiment | None]


def experiment_of(mechanism: Mechanism) -> Experiment | None:
    """The pair of laws of a continuous or infinite mechanism without ``group`` nodes; None for a finite one.

    A composition of Gaussian pairs is one, theta² = Σ theta_i².

    Raises:
        Declined: for another composition, a choice or a processing of such a mechanism.
    """
    return _experiment(mechanism, {})


def _experiment(mechanism: Mechanism, known: _Known) -> Experiment | None:
    if id(mechanism) not in known:
        known[id(mechanism)] = _found(mechanism, known)
    return known[id(mechanism)]


def _found(mechanism: Mechanism, known: _Known) -> Experiment | None:
    if isinstance(mechanism, Laplace):
        return laplace.Laplace(mechanism.sensitivity / mechanism.scale)
    if isinstance(mechanism, Gaussian):
        return gaussian.Gaussian.of(mechanism.sensitivity / mechanism.sigma)
    if isinstance(mechanism, DiscreteGaussian):
        return discrete_gaussian.DiscreteGaussian(mechanism.sigma, mechanism.sensitivity)
    if isinstance(mechanism, GaussianDP):
        return gaussian.Gaussian.of(mechanism.mu) if mechanism.mu else None
    if isinstance(mechanism, Repeat):
        of = _experiment(mechanism.of, known)
        # No run at all is a finite matter.
        return _composed([(of, mechanism.times)]) if mechanism.times else None
    if isinstance(mechanism, Compose):
        return _composed([(_experiment(of, known), 1) for of in mechanism.of])
    parts: tuple[Mechanism, ...] = ()
    if isinstance(mechanism, (Post, Pre)):
        parts = (mechanism.of,)
    elif isinstance(mechanism, (Visible, Hidden)):
        parts = (mechanism.left, mechanism.right)
    if any(_experiment(of, known) is not None for of in parts):
        raise Declined(f"{NAMES[type(mechanism)]} of continuous mechanisms is not offered yet")
    return None


def _composed(parts: list[tuple[Experiment | None, int]]) -> Experiment | None:
    found = [(part, times) for part, times in parts if part is not None]
    if not found:
        return None
    if len(found) == 1 and len(parts) == 1 and found[0][1] == 1:
        return found[0][0]
    total = mpq(0)
    for part, times in found:
        if len(found) < len(parts) or not isinstance(part, gaussian.Gaussian):
            raise Declined("composition of continuous mechanisms is not offered yet, other than of Gaussian ones")
        total += times * part.theta_squared
    return gaussian.Gaussian(total)
