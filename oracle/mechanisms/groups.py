"""Group privacy of mechanisms whose noise is added: the sensitivity is multiplied, which is a value and no bound.

For additive noise the inputs of a group of k records differ by at most k times the sensitivity, and the pair at that
distance is the worst. A composition is taken apart into its parts. Any other mechanism has only the black-box bound
delta_k(eps) <= (e^eps - 1)/(e^(eps/k) - 1) · delta(eps/k), which is offered for a mechanism as a whole and declined
inside another one.
"""

from __future__ import annotations

from dataclasses import replace

from gmpy2 import mpq

from oracle.errors import Declined, LimitError
from oracle.mechanisms.nodes import (
    MAX_DEPTH,
    NAMES,
    Choice,
    Compose,
    FixedSizeSubsample,
    Group,
    Mechanism,
    PoissonSubsample,
    Post,
    Pre,
    Repeat,
)
from oracle.mechanisms.primitive_nodes import (
    DiscreteGaussian,
    DiscreteLaplace,
    Gaussian,
    GaussianDP,
    Geometric,
    Laplace,
)

__all__ = ["without_groups"]


def without_groups(mechanism: Mechanism, where: str = "") -> Mechanism:
    """The same mechanism with every ``group`` node replaced by what it means; itself if there is none.

    Raises:
        Declined: for a group of a mechanism that has only the black-box bound.
        LimitError: for mechanisms nested deeper than MAX_DEPTH.
    """
    return _resolve(mechanism, where, 0, {})


def _resolve(mechanism: Mechanism, where: str, depth: int, known: dict[int, Mechanism]) -> Mechanism:
    """Parts that stand in several places are resolved once; *known* is by identity, and keeps nothing alive."""
    if depth > MAX_DEPTH:
        raise LimitError(f"at most {MAX_DEPTH} mechanisms inside one another", "more", where)
    if id(mechanism) not in known:
        known[id(mechanism)] = _resolved(mechanism, where, depth, known)
    return known[id(mechanism)]


def _resolved(mechanism: Mechanism, where: str, depth: int, known: dict[int, Mechanism]) -> Mechanism:
    def part(of: Mechanism, field: str) -> Mechanism:
        return _resolve(of, f"{where}.{field}" if where else field, depth + 1, known)

    if isinstance(mechanism, Group):
        return _scaled(part(mechanism.of, "of"), mechanism.size, {})
    if isinstance(mechanism, Compose):
        parts = tuple(part(of, f"of[{i}]") for i, of in enumerate(mechanism.of))
        changed = any(new is not old for new, old in zip(parts, mechanism.of, strict=True))
        return replace(mechanism, of=parts) if changed else mechanism
    if isinstance(mechanism, (Repeat, Post, Pre, PoissonSubsample, FixedSizeSubsample)):
        of = part(mechanism.of, "of")
        return mechanism if of is mechanism.of else replace(mechanism, of=of)
    if isinstance(mechanism, Choice):
        left, right = part(mechanism.left, "left"), part(mechanism.right, "right")
        same = left is mechanism.left and right is mechanism.right
        return mechanism if same else replace(mechanism, left=left, right=right)
    return mechanism


def _scaled(mechanism: Mechanism, size: int, done: dict[int, Mechanism]) -> Mechanism:
    """The mechanism at *size* times its distance; *done* is by identity, for parts that stand in several places."""
    if size == 1:
        return mechanism
    if id(mechanism) not in done:
        done[id(mechanism)] = _scale(mechanism, size, done)
    return done[id(mechanism)]


def _scale(mechanism: Mechanism, size: int, done: dict[int, Mechanism]) -> Mechanism:
    if isinstance(mechanism, (Laplace, Gaussian, GaussianDP)):
        return _further(mechanism, size)
    if isinstance(mechanism, (DiscreteLaplace, DiscreteGaussian)):
        return replace(mechanism, sensitivity=mechanism.sensitivity * size)
    if isinstance(mechanism, Geometric) and mechanism.values is None:
        return replace(mechanism, sensitivity=(mechanism.sensitivity or mpq(1)) * size)
    if isinstance(mechanism, Repeat):
        return replace(mechanism, of=_scaled(mechanism.of, size, done))
    if isinstance(mechanism, Compose):
        return Compose(tuple(_scaled(of, size, done) for of in mechanism.of))
    name = NAMES[type(mechanism)]
    raise Declined(f"group privacy of {name} has a black-box bound only, which is not offered inside another mechanism")


def _further(mechanism: Laplace | Gaussian | GaussianDP, size: int) -> Mechanism:
    if isinstance(mechanism, GaussianDP):
        return GaussianDP(mechanism.mu * size)
    return replace(mechanism, sensitivity=mechanism.sensitivity * size)
