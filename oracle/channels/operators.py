"""Operators on channels: parallel composition, visible and hidden choice, pre- and post-processing.

All keep every column, zero columns included, in a stated order. Input labels are kept where all parts agree on
them. Source of the operators: Fernandes et al. 2025, section 5.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from math import prod
from typing import Final, Protocol

from gmpy2 import mpq, mpz

from oracle.channels.channel import MAX_SCALED_BITS, Channel, Rows
from oracle.errors import InputError, LimitError, shorten
from oracle.exact import to_text

__all__ = [
    "MAX_COLUMNS",
    "choice_weights",
    "common_inputs",
    "hidden",
    "matched_columns",
    "parallel",
    "post_process",
    "pre_process",
    "require_same_inputs",
    "require_stochastic",
    "size_text",
    "visible",
]

MAX_COLUMNS: Final = 1_000_000
"""Most columns that an operator makes."""

Labels = tuple[str, ...] | None


class Labelled(Protocol):
    """Whatever has rows and columns with labels or without."""

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of rows and columns."""

    @property
    def inputs(self) -> Labels:
        """Labels of the rows, or None."""

    @property
    def outputs(self) -> Labels:
        """Labels of the columns, or None."""


def common_inputs(channels: Sequence[Labelled]) -> Labels:
    """The labels of the rows on which all channels agree, or None."""
    first = channels[0].inputs
    return first if all(channel.inputs == first for channel in channels) else None


def require_same_inputs(channels: Sequence[Labelled], names: Sequence[str]) -> None:
    """Refuse channels of different numbers of rows."""
    rows = channels[0].shape[0]
    for channel, name in zip(channels, names, strict=True):
        if channel.shape[0] != rows:
            raise InputError(f"{rows} rows as in {names[0]}", f"{channel.shape[0]} rows", name)


def size_text(count: int) -> str:
    """A size in a message: its digits, or that there are too many of them to write out."""
    if abs(count) < 10**20:
        return str(count)
    return "more than 10^20" if count > 0 else "less than -10^20"


def _relabelled(channel: Channel, inputs: Labels, outputs: Labels = None) -> Channel:
    channel.inputs, channel.outputs = inputs, outputs
    return channel


def parallel(channels: Sequence[Channel], *, max_columns: int = MAX_COLUMNS) -> Channel:
    """Parallel composition: (C ∥ M)(x, (y, z)) = C(x, y) M(x, z), every column, the last factor fastest.

    Raises:
        LimitError: for more than *max_columns* columns, or a product that would not fit in memory.
    """
    if not channels:
        raise InputError("at least one channel", "an empty list", "channels")
    require_same_inputs(channels, [f"channels[{i}]" for i in range(len(channels))])
    columns = prod(channel.shape[1] for channel in channels)
    if columns > max_columns:
        raise LimitError(f"at most {max_columns} columns", f"a product of {size_text(columns)}", "channels")
    bits = sum(channel.scale.bit_length() for channel in channels)
    if channels[0].shape[0] * columns * bits > MAX_SCALED_BITS:
        got = f"{columns} columns of up to {bits} bits"
        raise LimitError(f"a product of at most {MAX_SCALED_BITS} bits in all", got, "channels")
    rows = [
        reduce(lambda done, row: [a * b for a in done for b in row], factors)
        for factors in zip(*(map(list, channel.numerators) for channel in channels), strict=True)
    ]
    product = Channel.from_numerators(rows, prod((channel.scale for channel in channels), start=mpz(1)))
    return _relabelled(product, common_inputs(channels), channels[0].outputs if len(channels) == 1 else None)


def choice_weights(r: mpq) -> tuple[mpq, mpq]:
    """The weights (r, 1 - r) of a choice, r in [0, 1]."""
    if not 0 <= r <= 1:
        raise InputError("a weight between 0 and 1", shorten(to_text(r)), "r")
    return r, 1 - r


def visible(r: mpq, left: Channel, right: Channel) -> Channel:
    """Visible choice left ⊕_r right: columns r·left, then (1 - r)·right, also for r = 0 and r = 1."""
    weights = choice_weights(r)
    require_same_inputs((left, right), ("left", "right"))
    rows = tuple(
        tuple(weight * v for weight, row in zip(weights, pair, strict=True) for v in row)
        for pair in zip(left.rows, right.rows, strict=True)
    )
    return Channel.trusted(rows, common_inputs((left, right)))


def hidden(r: mpq, left: Channel, right: Channel) -> Channel:
    """Hidden choice left ⊞_r right = r·left + (1 - r)·right, columns matched by output label.

    The columns are left's labels, then those that only right has; a missing label is a zero column. Two
    channels without labels match by position and must have equally many columns; a labelled and an
    unlabelled one do not match.
    """
    weights = choice_weights(r)
    require_same_inputs((left, right), ("left", "right"))
    outputs, places = matched_columns(left, right)
    width = left.shape[1] if outputs is None else len(outputs)
    rows = []
    for first, second in zip(left.rows, right.rows, strict=True):
        row = [weights[0] * v for v in first] + [mpq(0)] * (width - len(first))
        for place, v in zip(places, second, strict=True):
            row[place] += weights[1] * v
        rows.append(tuple(row))
    return Channel.trusted(tuple(rows), common_inputs((left, right)), outputs)


def matched_columns(left: Labelled, right: Labelled) -> tuple[Labels, list[int]]:
    """Output labels of a hidden choice, and the place of each column of *right* among them.

    Left's labels come first, then those that only right has. Without labels: None, and places by position.
    """
    if (left.outputs is None) != (right.outputs is None):
        without = "left" if left.outputs is None else "right"
        raise InputError("output labels on both channels or on none", f"none on {without}", f"{without}.outputs")
    if left.outputs is None or right.outputs is None:
        if left.shape[1] != right.shape[1]:
            raise InputError(f"{left.shape[1]} columns as in left", f"{right.shape[1]} columns", "right")
        return None, list(range(left.shape[1]))
    known = set(left.outputs)
    outputs = left.outputs + tuple(label for label in right.outputs if label not in known)
    position = {label: i for i, label in enumerate(outputs)}
    return outputs, [position[label] for label in right.outputs]


def require_stochastic(matrix: Rows, where: str) -> None:
    """Refuse a matrix with a negative entry or a row that does not sum to 1."""
    for i, row in enumerate(matrix):
        for j, value in enumerate(row):
            if value < 0:
                raise InputError("a probability at least 0", shorten(to_text(value)), f"{where}[{i}][{j}]")
        total = sum(row, mpq(0))
        if total != 1:
            raise InputError("a row that sums to 1", f"a sum of {shorten(to_text(total))}", f"{where}[{i}]")


def _product(left: Rows, right: Rows) -> Rows:
    columns = list(zip(*right, strict=True))
    return tuple(
        tuple(sum((a * b for a, b in zip(row, column, strict=True) if a and b), mpq(0)) for column in columns)
        for row in left
    )


def pre_process(matrix: Rows, channel: Channel) -> Channel:
    """Pre-processing P·M: the input of M is drawn from a row of P. Not monotone under refinement of M."""
    if len(matrix[0]) != channel.shape[0]:
        raise InputError(f"{channel.shape[0]} columns, one for each row of the channel", f"{len(matrix[0])}", "pre")
    require_stochastic(matrix, "pre")
    return Channel.trusted(_product(matrix, channel.rows), None, channel.outputs)


def post_process(channel: Channel, matrix: Rows) -> Channel:
    """Post-processing M·W: every output of M is replaced by a draw from a row of W. M ⊑ M·W."""
    if len(matrix) != channel.shape[1]:
        raise InputError(f"{channel.shape[1]} rows, one for each column of the channel", f"{len(matrix)}", "post")
    require_stochastic(matrix, "post")
    return Channel.trusted(_product(channel.rows, matrix), channel.inputs)
