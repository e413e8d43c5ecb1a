"""From a mechanism expression to its pair of laws where that is no finite table."""

from __future__ import annotations

from collections.abc import Callable

from oracle.accountant.composition import composed
from oracle.accountant.constituents import Constituent
from oracle.errors import Declined, LimitError
from oracle.experiments import discrete_gaussian, gaussian, laplace
from oracle.experiments.base import Experiment
from oracle.mechanisms.database_node import DatabaseNode
from oracle.mechanisms.groups import without_groups
from oracle.mechanisms.nodes import MAX_DEPTH, NAMES, Compose, Group, Hidden, Mechanism, Post, Pre, Repeat, Visible
from oracle.mechanisms.primitive_nodes import DiscreteGaussian, Gaussian, GaussianDP, Laplace
from oracle.mechanisms.primitives import Finite
from oracle.mechanisms.sampling import Subsample, is_finite, subsampled_experiment
from oracle.theorems.bounds import Pair, ProfileBound

__all__ = ["bag", "composition_of_tables", "experiment_of"]

_Known = dict[int, Experiment | None]
_Tables = Callable[[Mechanism], Finite]


def experiment_of(mechanism: Mechanism, finite: _Tables) -> Experiment | None:
    """The pair of laws of a continuous or infinite mechanism without ``group`` nodes; None for a finite one.

    A composition of Gaussian pairs is one, theta² = Σ theta_i²; others are a
    :class:`~oracle.accountant.composition.Composition`. *finite* gives the table of a finite part, for compositions and
    for the theorems about subsampling.

    Raises:
        Declined: for a composition with a part of which only a bound is known, a choice or a processing of such a
            mechanism.
    """
    return _experiment(mechanism, finite, {})


def _experiment(mechanism: Mechanism, finite: _Tables, known: _Known) -> Experiment | None:
    if id(mechanism) not in known:
        known[id(mechanism)] = _found(mechanism, finite, known)
    return known[id(mechanism)]


def _found(mechanism: Mechanism, finite: _Tables, known: _Known) -> Experiment | None:
    if isinstance(mechanism, (Compose, Repeat)):
        runs = bag(mechanism)
        if all(_experiment(of, finite, known) is None for of, _ in runs):
            return None
        pair = composed(_constituent(of, times, finite, known) for of, times in runs)
        return pair if isinstance(pair, Experiment) else None
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


def _constituent(of: Mechanism, times: int, finite: _Tables, known: _Known) -> Constituent:
    pair = _experiment(of, finite, known)
    if isinstance(pair, ProfileBound):
        raise Declined("composition of a mechanism of which only a bound is known is not offered")
    return Constituent(finite(of) if pair is None else pair, times, of.to_json())


def composition_of_tables(mechanism: Compose | Repeat, finite: _Tables) -> Experiment | None:
    """A composition of finite mechanisms as the accountant takes it, without its table; None if it is one step."""
    pair = composed(Constituent(finite(of), times, of.to_json()) for of, times in bag(mechanism))
    return pair if isinstance(pair, Experiment) else None


def bag(mechanism: Mechanism) -> list[tuple[Mechanism, int]]:
    """The mechanisms that a composition is made of in the end, and how often each is run, at least once.

    Raises:
        LimitError: for mechanisms nested deeper than MAX_DEPTH.
    """
    return list(_bag(mechanism, {}, 0).values())


_Bag = dict[int, tuple[Mechanism, int]]


def _bag(mechanism: Mechanism, known: dict[int, _Bag], depth: int) -> _Bag:
    """By identity, each object asked once however often it stands in the expression."""
    if depth > MAX_DEPTH:
        raise LimitError(f"at most {MAX_DEPTH} mechanisms inside one another", "more")
    if not isinstance(mechanism, (Compose, Repeat)):
        return {id(mechanism): (mechanism, 1)}
    if id(mechanism) not in known:
        times = mechanism.times if isinstance(mechanism, Repeat) else 1
        found: _Bag = {}
        for part in mechanism.of if isinstance(mechanism, Compose) else (mechanism.of,) * bool(times):
            for key, (of, count) in _bag(part, known, depth + 1).items():
                found[key] = of, found.get(key, (of, 0))[1] + times * count
        known[id(mechanism)] = found
    return known[id(mechanism)]
