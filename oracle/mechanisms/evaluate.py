"""From a mechanism expression to its channel, exactly.

The result is a rational :class:`Channel` whenever every probability is rational, and otherwise a
:class:`FormalChannel`, whose comparisons are exact too. All columns are kept, in the order of the
definition, those of probability 0 included.
"""

from __future__ import annotations

from functools import singledispatch
from typing import TYPE_CHECKING, Final

from gmpy2 import mpq

from oracle.channels.channel import Channel
from oracle.channels.composition import compose
from oracle.channels.formal_channel import FormalChannel
from oracle.channels.formal_operators import formal_compose, formal_hidden, formal_post, formal_pre, formal_visible
from oracle.channels.galois import channel_of
from oracle.channels.operators import hidden, parallel, post_process, pre_process, visible
from oracle.errors import Declined, LimitError
from oracle.exact import Infinity
from oracle.formal import FormalSum
from oracle.mechanisms.nodes import (
    NAMES,
    ApproximateRandomizedResponse,
    ChannelNode,
    Compose,
    Exponential,
    Geometric,
    Hidden,
    KRandomizedResponse,
    Mechanism,
    Post,
    Pre,
    RandomizedResponse,
    Repeat,
    TradeoffNode,
    Visible,
)

if TYPE_CHECKING:
    from oracle.levels import Level

__all__ = ["MAX_COLUMNS", "evaluate"]

MAX_COLUMNS: Final = 100_000
"""Most columns of an evaluated mechanism, unless the caller says otherwise."""

_MAX_TABLE_BITS: Final = 1 << 31

Finite = Channel | FormalChannel


def evaluate(mechanism: Mechanism, *, max_columns: int = MAX_COLUMNS) -> Finite:
    """The channel of a finite mechanism.

    Raises:
        Declined: for a mechanism that is not finite.
        LimitError: for more than *max_columns* columns, or a table too large to hold.
    """
    name = NAMES[type(mechanism)]
    if isinstance(mechanism, (Compose, Repeat, Visible, Hidden, Post, Pre)):
        channel = _combine(mechanism, max_columns)
        if channel.shape[1] > max_columns:
            raise LimitError(f"at most {max_columns} columns", f"{channel.shape[1]}", name)
        return channel
    columns = _columns(mechanism)
    if columns > max_columns:
        got = f"{columns}" if columns < 10**20 else "more than 10^20"
        raise LimitError(f"at most {max_columns} columns", got, name)
    return _evaluate(mechanism)


def _columns(mechanism: Mechanism) -> int:
    """Columns of the result, known before any of them is computed."""
    if isinstance(mechanism, ChannelNode):
        return mechanism.channel.shape[1]
    if isinstance(mechanism, KRandomizedResponse):
        return mechanism.k
    if isinstance(mechanism, Geometric):
        return 0 if mechanism.low is None or mechanism.high is None else mechanism.high - mechanism.low + 1
    if isinstance(mechanism, Exponential):
        return len(mechanism.scores[0])
    if isinstance(mechanism, TradeoffNode):
        return len(mechanism.curve.corners)
    return 4 if isinstance(mechanism, ApproximateRandomizedResponse) else 2


@singledispatch
def _evaluate(mechanism: Mechanism) -> Finite:
    raise Declined(f"the mechanism {type(mechanism).__name__} is not finite")


@_evaluate.register
def _(mechanism: ChannelNode) -> Finite:
    return mechanism.channel


@_evaluate.register
def _(mechanism: TradeoffNode) -> Finite:
    return channel_of(mechanism.curve)


@_evaluate.register
def _(mechanism: RandomizedResponse) -> Finite:
    return _truthful(2, mechanism.level)


@_evaluate.register
def _(mechanism: KRandomizedResponse) -> Finite:
    return _truthful(mechanism.k, mechanism.level)


def _truthful(k: int, level: Level) -> Finite:
    """Weight E on the own answer and 1 on each of the k - 1 others, for inputs 0 and 1."""
    if level.is_infinite:
        own, other = FormalSum.rational(1), FormalSum()
    else:
        own, other = level.formal(), FormalSum.rational(1)
    rows = [[other] * k, [other] * k]
    rows[0][0] = rows[1][1] = own
    return _simplest(FormalChannel(rows))


@_evaluate.register
def _(mechanism: ApproximateRandomizedResponse) -> Finite:
    """Row 0 times 1 + E is (delta·(1+E), (1-delta)·E, 1-delta, 0); its limit at E = inf is (delta, 1-delta, 0, 0)."""
    delta = mechanism.delta
    if mechanism.level.is_infinite:
        row = (delta, 1 - delta, mpq(0), mpq(0))
        return Channel.trusted((row, row[::-1]))
    level, one = mechanism.level.formal(), FormalSum.rational(1)
    weights = [(level + one).scaled(delta), level.scaled(1 - delta), one.scaled(1 - delta), FormalSum()]
    return _simplest(FormalChannel([weights, weights[::-1]]))


@_evaluate.register
def _(mechanism: Geometric) -> Finite:
    """Interior mass (1-r)/(1+r)·r^|z-v|; the ends take the tails, r^|z-v|/(1+r) (Σ_{j>=d} r^j = r^d/(1-r))."""
    if mechanism.values is None or mechanism.low is None or mechanism.high is None:
        raise Declined("geometric without low, high and values (an infinite mechanism) is not offered yet")
    low, high, r = mechanism.low, mechanism.high, mechanism.ratio
    if low == high:
        return Channel.trusted(((mpq(1),), (mpq(1),)))
    width = high - low
    size = max(r.numerator.bit_length(), r.denominator.bit_length())
    if size * width * width > _MAX_TABLE_BITS:
        raise LimitError(f"a table of at most {_MAX_TABLE_BITS} bits", f"powers of the ratio up to {width}")
    powers = [mpq(1)]
    for _step in range(width):
        powers.append(powers[-1] * r)
    tail = 1 / (1 + r)
    inner = (1 - r) * tail
    rows = []
    for value in mechanism.values:
        row = [inner * powers[abs(z - value)] for z in range(low, high + 1)]
        row[0], row[-1] = tail * powers[value - low], tail * powers[high - value]
        rows.append(tuple(row))
    return Channel.trusted((rows[0], rows[1]))


@_evaluate.register
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
    return _simplest(FormalChannel(rows))


def _power(level: Level, exponent: mpq) -> FormalSum:
    """The finite level, at least 1, to a rational power."""
    if level.exponent is not None:
        return FormalSum.exp(level.exponent * exponent)
    if level.value is None or isinstance(level.value, Infinity):
        raise LimitError("a finite epsilon", "inf")
    return FormalSum.power(level.value, exponent)


def _simplest(channel: FormalChannel) -> Finite:
    """The rational channel if all probabilities are rational, else the channel itself."""
    return channel.as_channel() or channel


def _formal(channel: Finite) -> FormalChannel:
    return channel if isinstance(channel, FormalChannel) else FormalChannel.from_channel(channel)


@singledispatch
def _combine(mechanism: Mechanism, limit: int) -> Finite:
    raise TypeError(f"{type(mechanism).__name__} is not made of other mechanisms")


@_combine.register
def _(mechanism: Compose, limit: int) -> Finite:
    return _composed([(evaluate(part, max_columns=limit), 1) for part in mechanism.of], "compose", limit)


@_combine.register
def _(mechanism: Repeat, limit: int) -> Finite:
    return _composed([(evaluate(mechanism.of, max_columns=limit), mechanism.times)], "repeat", limit)


def _composed(parts: list[tuple[Finite, int]], name: str, limit: int) -> Finite:
    """Two rows: equal ratios merged. Another number: every column, since there is no one order to merge by."""
    rational = [(channel, times) for channel, times in parts if isinstance(channel, Channel)]
    try:
        if len(rational) < len(parts):
            return _simplest(formal_compose([(_formal(channel), times) for channel, times in parts]))
        if all(channel.shape[0] == 2 for channel, _ in rational):  # noqa: PLR2004
            return compose(rational, max_columns=limit)
        return _every_column(rational, limit)
    except LimitError as error:
        raise LimitError(error.expected, error.got, name) from None


def _every_column(parts: list[tuple[Channel, int]], limit: int) -> Channel:
    """The parallel composition without merging; a part of one column tells nothing, however often it runs."""
    runs = [Channel.trusted(((mpq(1),),) * parts[0][0].shape[0])]
    columns = 1
    for channel, times in parts:
        for _ in range(times if channel.shape[1] > 1 else 0):
            columns *= channel.shape[1]
            if columns > limit:
                raise LimitError(f"at most {limit} columns", f"at least {columns}")
            runs.append(channel)
    return parallel(runs, max_columns=limit)


@_combine.register
def _(mechanism: Visible, limit: int) -> Finite:
    left, right = (evaluate(part, max_columns=limit) for part in (mechanism.left, mechanism.right))
    if isinstance(left, Channel) and isinstance(right, Channel):
        return visible(mechanism.r, left, right)
    return _simplest(formal_visible(mechanism.r, _formal(left), _formal(right)))


@_combine.register
def _(mechanism: Hidden, limit: int) -> Finite:
    left, right = (evaluate(part, max_columns=limit) for part in (mechanism.left, mechanism.right))
    if isinstance(left, Channel) and isinstance(right, Channel):
        return hidden(mechanism.r, left, right)
    return _simplest(formal_hidden(mechanism.r, _formal(left), _formal(right)))


@_combine.register
def _(mechanism: Post, limit: int) -> Finite:
    channel = evaluate(mechanism.of, max_columns=limit)
    if isinstance(channel, Channel):
        return post_process(channel, mechanism.matrix)
    return _simplest(formal_post(channel, mechanism.matrix))


@_combine.register
def _(mechanism: Pre, limit: int) -> Finite:
    channel = evaluate(mechanism.of, max_columns=limit)
    if isinstance(channel, Channel):
        return pre_process(mechanism.matrix, channel)
    return _simplest(formal_pre(mechanism.matrix, channel))
