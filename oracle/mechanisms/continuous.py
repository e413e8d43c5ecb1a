"""From a mechanism expression to its pair of laws where that is no finite table."""

from __future__ import annotations

from collections.abc import Callable

from gmpy2 import mpq

from oracle.errors import Declined
from oracle.experiments import discrete_gaussian, gaussian, laplace
from oracle.experiments.base import Experiment
from oracle.mechanisms.database_node import DatabaseNode
from oracle.mechanisms.groups import without_groups
from oracle.mechanisms.nodes import NAMES, Compose, Group, Hidden, Mechanism, Post, Pre, Repeat, Visible
from oracle.mechanisms.primitive_nodes import DiscreteGaussian, Gaussian, GaussianDP, Laplace
from oracle.mechanisms.primitives import Finite
from oracle.mechanisms.sampling import Subsample, is_finite, subsampled_experiment
from oracle.theorems.bounds import Pair

__all__ = ["experiment_of"]

_Known = dict[int, Experiment | None]
_Tables = Callable[[Mechanism], Finite]


def experiment_of(mechanism: Mechanism, finite: _Tables) -> Experiment | None:
    """The pair of laws of a continuous or infinite mechanism without ``group`` nodes; None for a finite one.

    A composition of Gaussian pairs is one, theta² = Σ theta_i². *finite* gives the table of a finite part, for the
    theorems about subsampling.

    Raises:
        Declined: for another composition, a choice or a processing of such a mechanism.
    """
    return _experiment(mechanism, finite, {})


def _experiment(mechanism: Mechanism, finite: _Tables, known: _Known) -> Experiment | None:
    if id(mechanism) not in known:
        known[id(mechanism)] = _found(mechanism, finite, known)
    return known[id(mechanism)]


def _found(mechanism: Mechanism, finite: _Tables, known: _Known) -> Experiment | None:
    if isinstance(mechanism, (Compose, Repeat)):
        if isinstance(mechanism, Compose):
            return _composed([(_experiment(of, finite, known), 1) for of in mechanism.of])
        # No run at all is a finite matter.
        return _composed([(_experiment(mechanism.of, finite, known), mechanism.times)]) if mechanism.times else None
    if isinstance(mechanism, Subsample):
        base = None if isinstance(mechanism.of, DatabaseNode) else _experiment(mechanism.of, finite, known)
        if is_finite(mechanism, base):
            return None
        of = mechanism.of
        return subsampled_experiment(mechanism, base, lambda: finite(of), _noise(of, finite))
    parts: tuple[Mechanism, ...] = ()
    if isinstance(mechanism, (Post, Pre)):
        parts = (mechanism.of,)
    elif isinstance(mechanism, (Visible, Hidden)):
        parts = (mechanism.left, mechanism.right)
    if any(_experiment(of, finite, known) is not None for of in parts):
        raise Declined(f"{NAMES[type(mechanism)]} of continuous mechanisms is not offered yet")
    return _primitive(mechanism)


def _primitive(mechanism: Mechanism) -> Experiment | None:
    if isinstance(mechanism, Laplace):
        return laplace.Laplace(mechanism.sensitivity / mechanism.scale)
    if isinstance(mechanism, Gaussian):
        return gaussian.Gaussian.of(mechanism.sensitivity / mechanism.sigma)
    if isinstance(mechanism, DiscreteGaussian):
        return discrete_gaussian.DiscreteGaussian(mechanism.sigma, mechanism.sensitivity)
    if isinstance(mechanism, GaussianDP) and mechanism.mu:
        return gaussian.Gaussian.of(mechanism.mu)
    return None


def _noise(of: Mechanism, finite: _Tables) -> Callable[[int], Pair] | None:
    """The pair at k times the sensitivity, for additive noise."""
    try:
        without_groups(Group(2, of))
    except Declined:
        return None

    def scaled(k: int) -> Pair:
        group = without_groups(Group(k, of))
        return experiment_of(group, finite) or finite(group)

    return scaled


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
