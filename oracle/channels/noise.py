"""Noise and replacement as operators: the clamped geometric post-processor and uniform replacement of the output.

Both are the steps of purification, (M ⊞_r U[Y'])·G: with probability 1 - r the output is replaced by a uniform one of
Y', then two-sided geometric noise is added and the result is moved back into the range. Source: Fernandes et al. 2025,
Algorithm 1 and Appendix E; the geometric mechanism on a range is that of Ghosh, Roughgarden and Sundararajan 2009.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from gmpy2 import mpq

from oracle.channels.channel import Channel, Rows
from oracle.channels.operators import choice_weights, size_text
from oracle.errors import InputError, LimitError, shorten
from oracle.exact import to_text

__all__ = ["clamped_geometric", "clamped_geometric_rows", "uniform_replacement"]

_MAX_TABLE_BITS: Final = 1 << 31
"""Bits that the powers of the ratio in one table may take."""


def clamped_geometric(low: int, high: int, ratio: mpq) -> Rows:
    """The (high - low + 1) x (high - low + 1) table of geometric noise on every value of low..high, clamped to it.

    Row v, column z: (1-r)/(1+r) · r^|z-v| inside the range; an end takes all that lies beyond it, r^|z-v|/(1+r).

    Raises:
        InputError: for an empty range, or a ratio outside [0, 1).
        LimitError: for a table too large to hold.
    """
    if low > high:
        raise InputError("low at most high", f"low {size_text(low)}, high {size_text(high)}", "low")
    _check_size(ratio, high - low, high - low + 1)
    return clamped_geometric_rows(low, high, ratio, range(low, high + 1))


def clamped_geometric_rows(low: int, high: int, ratio: mpq, values: Sequence[int]) -> Rows:
    """The rows of that table for some *values* in low..high."""
    if not 0 <= ratio < 1:
        raise InputError("a ratio in [0, 1)", shorten(to_text(ratio)), "ratio")
    if low == high:
        return ((mpq(1),),) * len(values)
    width = high - low
    _check_size(ratio, width, len(values))
    powers = [mpq(1)]
    for _ in range(width):
        powers.append(powers[-1] * ratio)
    tail = 1 / (1 + ratio)
    inner = [(1 - ratio) * tail * power for power in powers]
    rows = []
    for value in values:
        row = [inner[abs(z - value)] for z in range(low, high + 1)]
        row[0], row[-1] = tail * powers[value - low], tail * powers[high - value]
        rows.append(tuple(row))
    return tuple(rows)


def _check_size(ratio: mpq, width: int, rows: int) -> None:
    size = max(ratio.numerator.bit_length(), ratio.denominator.bit_length())
    if size * width * width * rows > 2 * _MAX_TABLE_BITS:
        got = f"{size_text(rows)} rows of powers of the ratio up to {size_text(width)}"
        raise LimitError(f"a table of at most {2 * _MAX_TABLE_BITS} bits", got)


def uniform_replacement(channel: Channel, r: mpq, outputs: Sequence[str] | Sequence[int] | None = None) -> Channel:
    """M ⊞_r U[Y']: the output of M with probability r, otherwise a uniform one of *outputs*.

    Args:
        channel: M, of any number of rows; its columns and labels are kept.
        r: the probability that the output is kept.
        outputs: Y', labels of columns, or their positions where the channel has no labels; all columns by default.

    Raises:
        InputError: for a weight outside [0, 1], and for outputs that are none, repeated or unknown.
    """
    keep, replace = choice_weights(r)
    places = range(channel.shape[1]) if outputs is None else _places(channel, outputs)
    share = replace / len(places)
    chosen = set(places)
    rows = tuple(
        tuple(keep * v + share if y in chosen else keep * v for y, v in enumerate(row)) for row in channel.rows
    )
    return Channel.trusted(rows, channel.inputs, channel.outputs)


def _places(channel: Channel, outputs: Sequence[str] | Sequence[int]) -> list[int]:
    known: Sequence[object] = range(channel.shape[1]) if channel.outputs is None else channel.outputs
    position = {label: y for y, label in enumerate(known)}
    found: list[int] = []
    for i, label in enumerate(outputs):
        if isinstance(label, bool) or label not in position:
            wanted = "the label of an output" if channel.outputs is not None else f"a column from 0 to {len(known) - 1}"
            raise InputError(wanted, shorten(label), f"outputs[{i}]")
        if position[label] in found:
            raise InputError("each output once", f"{shorten(label)} again", f"outputs[{i}]")
        found.append(position[label])
    if not found:
        raise InputError("at least one output", "none", "outputs")
    return found
