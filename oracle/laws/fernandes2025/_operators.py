"""The operators of section 5 and the channels of the applications by definition, entry by entry, on plain tables."""

from __future__ import annotations

from gmpy2 import mpq
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from oracle.channels.channel import Channel, Rows
from oracle.laws.ask import Curve
from oracle.laws.closed_forms import geometric_matrix
from oracle.laws.compare import at, valid_curve, worst
from oracle.laws.fernandes2025._facts import event_points
from oracle.laws.strategies import alphas, post_processed, two_row_channels, witnesses

__all__ = [
    "IDENTITY",
    "ONE_COLUMN",
    "SWAP",
    "approximate_dp",
    "below",
    "geometric",
    "hidden_of",
    "is_tradeoff_of",
    "merged",
    "parallel_of",
    "pre_processors",
    "randomized_response",
    "refining_pairs",
    "same_width_pairs",
    "scaled",
    "swapped",
    "uniform",
    "visible_of",
]

ZERO, ONE = mpq(0), mpq(1)
IDENTITY: Rows = ((ONE, ZERO), (ZERO, ONE))
"""I, which reveals the input; C_{∞,0}."""
SWAP: Rows = ((ZERO, ONE), (ONE, ZERO))
"""The identity with its rows exchanged."""
ONE_COLUMN: Rows = ((ONE,), (ONE,))
"""The channel that tells nothing."""


def parallel_of(left: Rows, right: Rows) -> Rows:
    """The channel left ∥ right: the products of the entries of each row."""
    return tuple(tuple(a * b for a in row for b in other) for row, other in zip(left, right, strict=True))


def scaled(weight: mpq, table: Rows) -> Rows:
    """Every entry times *weight*."""
    return tuple(tuple(weight * v for v in row) for row in table)


def visible_of(r: mpq, left: Rows, right: Rows) -> Rows:
    """The channel left ⊕_r right: the columns of both, scaled, side by side."""
    return tuple(a + b for a, b in zip(scaled(r, left), scaled(1 - r, right), strict=True))


def hidden_of(r: mpq, left: Rows, right: Rows) -> Rows:
    """The channel left ⊞_r right: the mixture, column by column."""
    return tuple(
        tuple(r * a + (1 - r) * b for a, b in zip(row, other, strict=True))
        for row, other in zip(left, right, strict=True)
    )


def swapped(table: Rows) -> Rows:
    """The rows in the opposite order."""
    return table[::-1]


def uniform(columns: int, rows: int = 2) -> Rows:
    """The same uniform law in every row."""
    return ((mpq(1, columns),) * columns,) * rows


def randomized_response(exp_epsilon: mpq) -> Rows:
    """C_{ε,0} = [E/(1+E) 1/(1+E); 1/(1+E) E/(1+E)], E = e^ε."""
    low = 1 / (1 + exp_epsilon)
    return ((1 - low, low), (low, 1 - low))


def approximate_dp(exp_epsilon: mpq, delta: mpq) -> Rows:
    """C_{ε,δ} = [δ aE a 0; 0 a aE δ], a = (1 - δ)/(1 + E)."""
    a = (1 - delta) / (1 + exp_epsilon)
    return ((delta, a * exp_epsilon, a, ZERO), (ZERO, a, a * exp_epsilon, delta))


def geometric(size: int, ratio: mpq) -> Rows:
    """Two-sided geometric noise of a *ratio* in [0, 1] added to 0..size-1 and clamped to that range, size >= 2.

    Inside the range a step of k has probability (1 - ratio)/(1 + ratio) · ratio^|k|; an end at distance k takes
    everything beyond it, ratio^k/(1 + ratio).
    """
    return tuple(map(tuple, geometric_matrix(size, ratio)))


def merged(*tables: Rows) -> Rows:
    """Tables of equally many rows side by side."""
    return tuple(tuple(v for row in rows for v in row) for rows in zip(*tables, strict=True))


def is_tradeoff_of(curve: Curve, table: Rows) -> mpq:
    """Excess by which *curve* is not T of the table, every event being looked at.

    T is the lower convex hull of the errors of all events: convex, above none of them, and every corner is one.
    """
    points = sorted(set(event_points(table)))
    above = worst(at(curve, a) - b for a, b in points)
    lost = worst(min(abs(x - a) + abs(y - b) for a, b in points) for x, y in curve)
    return worst([valid_curve(curve), above, lost])


@st.composite
def refining_pairs(draw: DrawFn, max_columns: int = 3) -> tuple[Channel, Channel]:
    """Two channels of which the first refines to the second, by a witness."""
    channel = draw(two_row_channels(max_columns))
    return channel, below(channel, draw(witnesses(channel.shape[1], max_columns)))


def below(channel: Channel, witness: Rows) -> Channel:
    """channel·W."""
    return post_processed(channel, witness)


@st.composite
def same_width_pairs(draw: DrawFn, max_columns: int = 4) -> tuple[Channel, Channel]:
    """Two channels of equally many columns, the narrower one filled up with zero columns."""
    pair = draw(two_row_channels(max_columns)), draw(two_row_channels(max_columns))
    width = max(channel.shape[1] for channel in pair)
    first, second = (Channel([(*row, *(ZERO,) * (width - len(row))) for row in channel.rows]) for channel in pair)
    return first, second


def pre_processors() -> SearchStrategy[Rows]:
    """2 x 2 row-stochastic matrices, the identity, the swap and equal rows among them."""
    return st.tuples(alphas(), alphas()).map(lambda ab: ((1 - ab[0], ab[0]), (1 - ab[1], ab[1])))
