"""From a mechanism that is not made of others to its channel, exactly.

The result is a rational :class:`Channel` whenever every probability is rational, and otherwise a
:class:`FormalChannel`, whose comparisons are exact too. All columns are kept, in the order of the
definition, those of probability 0 included.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import singledispatch
from typing import TYPE_CHECKING, Any, Final

from gmpy2 import mpq

from oracle.channels.channel import Channel
from oracle.channels.discrete_laplace import discrete_laplace, discrete_laplace_formal
from oracle.channels.formal_channel import FormalChannel
from oracle.channels.galois import channel_of
from oracle.channels.guarantees import guarantee_channel
from oracle.channels.noise import clamped_geometric_rows
from oracle.errors import Declined, InputError, LimitError
from oracle.exact import Infinity
from oracle.formal import FormalSum
from oracle.mechanisms.database_node import DatabaseNode
from oracle.mechanisms.nodes import NAMES, Mechanism
from oracle.mechanisms.primitive_nodes import (
    ApproximateRandomizedResponse,
    ChannelNode,
    DiscreteLaplace,
    Exponential,
    GaussianDP,
    Geometric,
    Guarantees,
    KRandomizedResponse,
    RandomizedResponse,
    TradeoffNode,
)

if TYPE_CHECKING:
    from oracle.levels import Level

__all__ = ["Finite", "columns", "primitive", "simplest"]

Finite = Channel | FormalChannel


def columns(mechanism: Mechanism) -> int:
    """Columns of the result (at most), known before any of them is computed."""
    count = _COLUMNS.get(type(mechanism))
    return 2 if count is None else count(mechanism)


def _geometric_columns(mechanism: Geometric) -> int:
    if mechanism.low is None or mechanism.high is None:
        return _whole(mechanism.sensitivity) + 1
    return mechanism.high - mechanism.low + 1


_COLUMNS: Final[dict[type[Mechanism], Callable[[Any], int]]] = {
    ChannelNode: lambda node: node.channel.shape[1],
    KRandomizedResponse: lambda node: node.k,
    ApproximateRandomizedResponse: lambda _: 4,
    Geometric: _geometric_columns,
    DiscreteLaplace: lambda node: node.sensitivity + 1,
    Guarantees: lambda node: 4 * len(node.pairs),
    Exponential: lambda node: len(node.scores[0]),
    TradeoffNode: lambda node: len(node.curve.corners),
}


def _whole(sensitivity: mpq | None) -> int:
    """The sensitivity of a geometric node, 1 by default."""
    return 1 if sensitivity is None else int(sensitivity.numerator)


@singledispatch
def primitive(mechanism: Mechanism) -> Finite:
    """The channel of a mechanism that is not made of others.

    Raises:
        Declined: for a mechanism that is not finite.
        LimitError: for a table too large to hold.
    """
    raise Declined(f"{NAMES[type(mechanism)]} is not a finite table")


@primitive.register
def _(mechanism: ChannelNode) -> Finite:
    return mechanism.channel


@primitive.register
def _(mechanism: DatabaseNode) -> Finite:
    return mechanism.mechanism.worst_case(mechanism.neighbours)


@primitive.register
def _(mechanism: TradeoffNode) -> Finite:
    return channel_of(mechanism.curve)


@primitive.register
def _(mechanism: RandomizedResponse) -> Finite:
    return _truthful(2, mechanism.level)


@primitive.register
def _(mechanism: KRandomizedResponse) -> Finite:
    return _truthful(mechanism.k, mechanism.level)


def _truthful(k: int, level: Level) -> Finite:
    """Weight E on the own answer and 1 on each of the k - 1 others, for inputs 0 and 1."""
    if level.value is None:
        weights = [level.formal()] + [FormalSum.rational(1)] * (k - 1)
        return simplest(FormalChannel([weights, [weights[1], weights[0], *weights[2:]]]))
    own, other = (mpq(1), mpq(0)) if isinstance(level.value, Infinity) else (level.value, mpq(1))
    total = own + (k - 1) * other
    row = (own / total, other / total) + (other / total,) * (k - 2)
    return Channel.trusted((row, (row[1], row[0], *row[2:])))


@primitive.register
def _(mechanism: ApproximateRandomizedResponse) -> Finite:
    """Row 0 times 1 + E is (delta·(1+E), (1-delta)·E, 1-delta, 0); its limit at E = inf is (delta, 1-delta, 0, 0)."""
    delta = mechanism.delta
    if mechanism.level.is_infinite:
        row = (delta, 1 - delta, mpq(0), mpq(0))
        return Channel.trusted((row, row[::-1]))
    level, one = mechanism.level.formal(), FormalSum.rational(1)
    weights = [(level + one).scaled(delta), level.scaled(1 - delta), one.scaled(1 - delta), FormalSum()]
    return simplest(FormalChannel([weights, weights[::-1]]))


@primitive.register
def _(mechanism: Geometric) -> Finite:
    """Interior mass (1-r)/(1+r)·r^|z-v|; the ends take the tails, r^|z-v|/(1+r) (Σ_{j>=d} r^j = r^d/(1-r)).

    Without a range the outcomes of equal ratio are merged, which leaves one more than the sensitivity.
    """
    if mechanism.values is None or mechanism.low is None or mechanism.high is None:
        return discrete_laplace(mechanism.ratio, _whole(mechanism.sensitivity))
    first, second = clamped_geometric_rows(mechanism.low, mechanism.high, mechanism.ratio, mechanism.values)
    return Channel.trusted((first, second))


@primitive.register
def _(mechanism: DiscreteLaplace) -> Finite:
    if mechanism.ratio is not None:
        return discrete_laplace(mechanism.ratio, mechanism.sensitivity)
    if mechanism.scale is None:
        raise InputError("exactly one of scale and ratio", "neither")
    return discrete_laplace_formal(mechanism.scale, mechanism.sensitivity)


@primitive.register
def _(mechanism: GaussianDP) -> Finite:
    """0-GDP alone is finite: the two laws are the same."""
    if mechanism.mu:
        raise Declined("gaussian_dp is not finite")
    return Channel.trusted(((mpq(1),), (mpq(1),)))


@primitive.register
def _(mechanism: Guarantees) -> Finite:
    channel = guarantee_channel(mechanism.pairs)
    return simplest(channel) if isinstance(channel, FormalChannel) else channel


@primitive.register
def _(mechanism: Exponential) -> Finite:
    """Weights e^(epsilon·(score - lowest)/(2·sensitivity)): a factor common to a row cancels."""
    rows = []
    for scores in mechanism.scores:
        lowest = min(scores)
        cache: dict[mpq, FormalSum] = {}
        for score in scores:
            if score not in cache:
                cache[score] = _power(mechanism.level, (score - lowest) / (2 * mechanism.sensitivity))
        rows.append([cache[score] for score in scores])
    return simplest(FormalChannel(rows))


def _power(level: Level, exponent: mpq) -> FormalSum:
    """The finite level, at least 1, to a rational power."""
    if level.exponent is not None:
        return FormalSum.exp(level.exponent * exponent)
    if level.value is None or isinstance(level.value, Infinity):
        raise LimitError("a finite epsilon", "inf")
    return FormalSum.power(level.value, exponent)


def simplest(channel: FormalChannel) -> Finite:
    """The rational channel if all probabilities are rational, else the channel itself."""
    return channel.as_channel() or channel
