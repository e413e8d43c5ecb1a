"""Hypothesis strategies for channels, curves, levels and witnesses, biased to the corners where programs fail.

Corners: zero entries, zero columns, equal likelihood ratios, identical rows, disjoint supports, one column, huge and
unrelated denominators, and pairs that refine, or fail to, by a hair's breadth. Every generated object is valid and
exact; each strategy shrinks towards few columns and small numbers.

>>> from hypothesis import given
>>> from oracle.laws.strategies import two_row_channels
>>> @given(two_row_channels())
... def test_my_total_variation(channel): ...
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from gmpy2 import mpq

from oracle.channels.channel import Channel, Rows
from oracle.channels.galois import tradeoff_of
from oracle.channels.testing import two_point_channel
from oracle.channels.tradeoff import TradeoffFunction
from oracle.errors import MissingExtraError
from oracle.levels import Level

try:
    from hypothesis import strategies as st
    from hypothesis.strategies import DrawFn, SearchStrategy
except ImportError:
    raise MissingExtraError("oracle.laws", "conformance") from None

__all__ = [
    "NASTY_CHANNELS",
    "NearPair",
    "alphas",
    "channel_pairs",
    "channels_with_levels",
    "channels_with_witnesses",
    "deltas",
    "gains",
    "levels",
    "many_row_channels",
    "nearly_refining_pairs",
    "partial_families",
    "post_processed",
    "priors",
    "rational_levels",
    "tradeoff_functions",
    "two_row_channels",
    "witnesses",
]

_PRIMES: Final = (2, 3, 5, 7, 11, 13, 101, 997, 7919, 2**61 - 1, 2**89 - 1, 2**127 - 1)
_HUGE: Final = 2**200

NASTY_CHANNELS: Final[tuple[Channel, ...]] = (
    Channel([["1"], ["1"]]),
    Channel([["1", "0"], ["0", "1"]]),
    Channel([["0", "1"], ["1", "0"]]),
    Channel([["1", "0", "0"], ["1", "0", "0"]]),
    Channel([["0", "1/2", "1/2"], ["0", "1/2", "1/2"]]),
    Channel([["1/2", "1/2"], ["1/4", "3/4"]]),
    Channel([["1", "0"], ["1/2", "1/2"]]),
    Channel([["1/2", "1/2"], ["1", "0"]]),
    Channel([["1/4", "0", "1/4", "1/2"], ["1/8", "0", "1/8", "3/4"]]),
    Channel([["0", "1/2", "1/2"], ["1/2", "0", "1/2"]]),
    Channel([["1/3", "0", "1/3", "0", "1/3"], ["0", "1/3", "0", "1/3", "1/3"]]),
    Channel([["0", "0", "1"], ["1/3", "1/3", "1/3"]]),
    Channel([["1/10", "27/40", "9/40", "0"], ["0", "9/40", "27/40", "1/10"]]),
    Channel([["2/3", "1/3"], ["1/3", "2/3"]]),
    Channel([["7/18", "1/3", "5/18"], ["5/18", "1/3", "7/18"]]),
    Channel([[1 - mpq(1, 2**1000), mpq(1, 2**1000)], [mpq(1, 2**1000), 1 - mpq(1, 2**1000)]]),
    Channel([[mpq(1, 2) + mpq(1, 2**500), mpq(1, 2) - mpq(1, 2**500)], [mpq(1, 2), mpq(1, 2)]]),
    Channel([[mpq(1, 10**300), 1 - mpq(1, 10**300)], [mpq(1, 7**200), 1 - mpq(1, 7**200)]]),
    Channel([[mpq(1, 2**89 - 1), 1 - mpq(1, 2**89 - 1)], [mpq(1, 2**127 - 1), 1 - mpq(1, 2**127 - 1)]]),
)
"""Two-row channels picked by hand, each a corner that has broken some implementation."""


def _normalised(weights: Sequence[Any]) -> tuple[mpq, ...]:
    total = sum(weights, mpq(0))
    return tuple(mpq(w) / total for w in weights)


def _weights(columns: int, entry: SearchStrategy[Any]) -> SearchStrategy[tuple[mpq, ...]]:
    """A probability vector from weights of which at least one is positive."""
    return st.lists(entry, min_size=columns, max_size=columns).filter(any).map(_normalised)


def _entries() -> SearchStrategy[SearchStrategy[Any]]:
    """Kinds of weight: few small integers (many zeros and ties), fractions over unrelated primes, huge integers."""
    return st.sampled_from(
        [
            st.integers(0, 3),
            st.sampled_from([0, 0, 1, 2]),
            st.integers(1, 20),
            st.builds(mpq, st.integers(0, 5), st.sampled_from(_PRIMES)),
            st.one_of(st.just(0), st.just(1), st.integers(1, _HUGE)),
        ]
    )


@st.composite
def two_row_channels(draw: DrawFn, max_columns: int = 6) -> Channel:
    """Full two-row channels of at most *max_columns* columns."""
    kind = draw(st.sampled_from(["free", "free", "ratios", "identical", "disjoint", "pool"]))
    pool = [channel for channel in NASTY_CHANNELS if channel.shape[1] <= max_columns]
    if kind == "pool":
        return draw(st.sampled_from(pool))
    columns = draw(st.integers(1, max_columns))
    entry = draw(_entries())
    p = draw(_weights(columns, entry))
    if kind == "identical":
        return Channel([p, p])
    if kind == "ratios":
        # Few ratios for many columns, so that equal ones meet.
        ratios = draw(st.lists(st.sampled_from([0, 1, 1, 2, 3]), min_size=columns, max_size=columns))
        weights = [a * r for a, r in zip(p, ratios, strict=True)]
        return Channel([p, _normalised(weights) if any(weights) else p])
    if kind == "disjoint" and columns > 1:
        split = draw(st.integers(1, columns - 1))
        left, right = draw(_weights(split, entry)), draw(_weights(columns - split, entry))
        zeros = mpq(0)
        return Channel([(*left, *(zeros,) * (columns - split)), (*(zeros,) * split, *right)])
    return Channel([p, draw(_weights(columns, draw(st.sampled_from([entry, st.integers(0, 3)]))))])


@st.composite
def many_row_channels(draw: DrawFn, min_rows: int = 1, max_rows: int = 4, max_columns: int = 5) -> Channel:
    """Full channels of any number of rows; rows repeat now and then."""
    columns = draw(st.integers(1, max_columns))
    entry = draw(_entries())
    rows: list[tuple[mpq, ...]] = []
    for _ in range(draw(st.integers(min_rows, max_rows))):
        fresh = _weights(columns, entry)
        rows.append(draw(st.one_of(fresh, st.sampled_from(rows)) if rows else fresh))
    return Channel(rows)


@st.composite
def partial_families(draw: DrawFn, min_size: int = 2, max_size: int = 3, max_columns: int = 5) -> list[Channel]:
    """Two-row channels that share their pair of row masses (e, f), each in (0, 1]; e = f = 1 included."""
    mass = st.sampled_from([mpq(1), mpq(1, 2), mpq(2, 3), mpq(1, 2**89 - 1), 1 - mpq(1, 2**100)])
    e, f = draw(mass), draw(mass)
    family = draw(st.lists(two_row_channels(max_columns), min_size=min_size, max_size=max_size))
    scaled = [[[v * e for v in c.rows[0]], [v * f for v in c.rows[1]]] for c in family]
    return [Channel(rows, partial=True) for rows in scaled]


@st.composite
def tradeoff_functions(draw: DrawFn, max_segments: int = 5) -> TradeoffFunction:
    """Trade-off functions, built from their slopes and not from a channel: f(0) < 1 and flat ends included."""
    count = draw(st.integers(1, max_segments))
    steps = draw(st.lists(st.integers(1, 12), min_size=count, max_size=count))
    drops = draw(st.lists(st.integers(0, 12), min_size=count, max_size=count))
    jump = draw(st.sampled_from([0, 0, 0, 1, 5]))
    segments = sorted(zip(steps, drops, strict=True), key=lambda s: mpq(s[1], s[0]), reverse=True)
    width, height = sum(steps), sum(drops) + jump
    alpha, beta = mpq(0), mpq(sum(drops), height) if height else mpq(0)
    corners = [(alpha, beta)]
    for step, drop in segments:
        alpha += mpq(step, width)
        beta -= mpq(drop, height) if height else 0
        corners.append((alpha, beta))
    return TradeoffFunction(corners)


def rational_levels(minimum: int = 0) -> SearchStrategy[mpq]:
    """Rational levels a = e^epsilon >= *minimum* (0 or 1), huge and next to 1 included."""
    special = [mpq(0), mpq(1), mpq(2), mpq(3), mpq(1, 3), 1 + mpq(1, 2**200), 1 - mpq(1, 2**200), mpq(10) ** 100]
    free = st.builds(mpq, st.integers(0, 40), st.integers(1, 12))
    return st.one_of(st.sampled_from(special), free).filter(lambda a: a >= minimum)


def levels(minimum: int = 0) -> SearchStrategy[Level]:
    """Levels of every kind: rational, infinite, and e^s for rational s (at least 0 for a *minimum* of 1)."""
    exponents = st.builds(mpq, st.integers(0 if minimum else -30, 30), st.integers(1, 12))
    return st.one_of(
        rational_levels(minimum).map(Level.rational), st.just(Level.infinite()), exponents.map(Level.of_exponent)
    )


def alphas() -> SearchStrategy[mpq]:
    """Rationals in [0, 1], both ends and values next to them included."""
    special = [mpq(0), mpq(1), mpq(1, 2), mpq(1, 2**100), 1 - mpq(1, 2**100)]
    free = st.builds(lambda a, b: mpq(min(a, b), max(a, b)), st.integers(0, 60), st.integers(1, 60))
    return st.one_of(st.sampled_from(special), free)


def deltas() -> SearchStrategy[mpq]:
    """Values of delta in [0, 1], many of them 0."""
    return st.one_of(st.just(mpq(0)), alphas())


def priors(inputs: int) -> SearchStrategy[tuple[mpq, ...]]:
    """Distributions over *inputs* inputs, zero weights included."""
    return _weights(inputs, st.integers(0, 4))


@st.composite
def witnesses(draw: DrawFn, rows: int, max_columns: int = 5) -> Rows:
    """Row-stochastic matrices of *rows* rows: sparse ones, permutations and zero columns included."""
    columns = draw(st.integers(1, max_columns))
    entry = draw(st.sampled_from([st.sampled_from([0, 0, 0, 1]), st.integers(0, 4), st.integers(1, _HUGE)]))
    return tuple(draw(_weights(columns, entry)) for _ in range(rows))


def post_processed(channel: Channel, witness: Rows) -> Channel:
    """channel·W, a channel that *channel* refines to."""
    columns = list(zip(*witness, strict=True))
    rows = [
        [sum((a * b for a, b in zip(row, column, strict=True)), mpq(0)) for column in columns] for row in channel.rows
    ]
    return Channel(rows, partial=True)


class NearPair(NamedTuple):
    """Two channels for which left ⊑ right holds, or fails, by *gap*."""

    left: Channel
    right: Channel
    holds: bool
    gap: mpq


def _spread(channel: Channel, gap: mpq) -> Channel | None:
    """The channel with q-mass moved from its least likelihood ratio to its greatest: it leaks strictly more.

    Moving q-mass g from column i to column j with q_i/p_i < q_j/p_j raises Σ max(0, q - h p) at some h and lowers it
    at none, if the order of the two ratios stays. None where the channel has no two such columns.
    """
    p, q = channel.rows
    inner = [k for k in range(len(p)) if p[k] and q[k]]
    if not inner:
        return None
    low = min(inner, key=lambda k: q[k] / p[k])
    high = max(inner, key=lambda k: q[k] / p[k])
    if q[low] / p[low] == q[high] / p[high]:
        return None
    moved = min(gap, q[low])
    row = list(q)
    row[low] -= moved
    row[high] += moved
    return Channel([p, row])


@st.composite
def nearly_refining_pairs(draw: DrawFn, max_columns: int = 6, min_bits: int = 10, max_bits: int = 1000) -> NearPair:
    """Pairs decided by a gap of 2^-10 to 2^-1000, on both sides.

    Either right is the test of left at some alpha with its power changed by the gap, so that its corner lies just on
    or off T(left); or one of the two is the other with the gap moved between two columns.
    """
    gap = mpq(1, 2 ** draw(st.integers(min_bits, max_bits)))
    channel = draw(two_row_channels(max_columns))
    more = _spread(channel, gap)
    if more is not None and draw(st.booleans()):
        if draw(st.booleans()):
            return NearPair(more, channel, True, gap)
        return NearPair(channel, more, False, gap)
    alpha = draw(alphas())
    beta = tradeoff_of(channel).at(alpha)
    if draw(st.booleans()) and beta >= gap:
        row = (beta - gap, 1 - beta + gap)
        return NearPair(channel, Channel([(1 - alpha, alpha), row]), False, gap)
    if beta + gap <= 1 - alpha:
        row = (beta + gap, 1 - beta - gap)
        return NearPair(channel, Channel([(1 - alpha, alpha), row]), True, gap)
    return NearPair(channel, two_point_channel(channel, alpha), True, mpq(0))


@st.composite
def channels_with_levels(draw: DrawFn, max_columns: int = 5) -> tuple[Channel, mpq]:
    """A two-row channel and a level h >= 0, often exactly one of its finite likelihood ratios q/p."""
    channel = draw(two_row_channels(max_columns))
    ratios = sorted({b / a for a, b in zip(*channel.rows, strict=True) if a})
    return channel, draw(st.one_of(st.sampled_from(ratios), rational_levels()))


@st.composite
def channels_with_witnesses(draw: DrawFn, max_columns: int = 5) -> tuple[Channel, Rows]:
    """A two-row channel C and a post-processor W of as many rows as C has columns."""
    channel = draw(two_row_channels(max_columns))
    return channel, draw(witnesses(channel.shape[1], max_columns))


@st.composite
def gains(draw: DrawFn, inputs: int = 2, max_actions: int = 4) -> Rows:
    """Gain functions, actions x *inputs*, with entries at least 0."""
    entry = st.one_of(st.integers(0, 3).map(mpq), st.builds(mpq, st.integers(0, 20), st.sampled_from(_PRIMES)))
    row = st.lists(entry, min_size=inputs, max_size=inputs).map(tuple)
    return tuple(draw(st.lists(row, min_size=1, max_size=max_actions)))


def channel_pairs(max_columns: int = 4) -> SearchStrategy[tuple[Channel, Channel]]:
    """Two-row channels (left, right): independent ones, right a post-processing of left, and near misses of that."""
    independent = st.tuples(two_row_channels(max_columns), two_row_channels(max_columns))
    refined = channels_with_witnesses(max_columns).map(lambda pair: (pair[0], post_processed(*pair)))
    near = nearly_refining_pairs(max_columns).map(lambda pair: (pair.left, pair.right))
    return st.one_of(independent, refined, near)
