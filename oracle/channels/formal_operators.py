"""The operators on two-row channels of irrational probabilities, by their unnormalised weights.

A weight stands for w / Z with Z the total of its row, so parts are brought to one denominator by multiplying with
the totals of the other parts; nothing is ever rounded. The rational counterparts are in
:mod:`oracle.channels.operators` and :mod:`oracle.channels.composition`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from gmpy2 import mpq, mpz

from oracle.channels.channel import Rows
from oracle.channels.formal_rows import FormalChannel
from oracle.channels.operators import matched_columns, require_stochastic
from oracle.errors import InputError, LimitError
from oracle.formal import FormalSum

__all__ = ["MAX_PRODUCTS", "formal_compose", "formal_hidden", "formal_post", "formal_pre", "formal_visible"]

MAX_PRODUCTS: Final = 100_000
"""Most products of columns that one step of a composition makes."""


def _choice(r: mpq, left: FormalChannel, right: FormalChannel) -> list[tuple[list[FormalSum], list[FormalSum]]]:
    """For each row the weights r·w·Z' of left and (1 - r)·w'·Z of right: both over the denominator Z·Z'."""
    if not 0 <= r <= 1:
        raise InputError("a weight between 0 and 1", str(r), "r")
    return [
        (
            [(w * right.totals[x]).scaled(r) for w in left.rows[x]],
            [(w * left.totals[x]).scaled(1 - r) for w in right.rows[x]],
        )
        for x in range(2)
    ]


def formal_visible(r: mpq, left: FormalChannel, right: FormalChannel) -> FormalChannel:
    """Visible choice left ⊕_r right: columns of left, then of right."""
    return FormalChannel([first + second for first, second in _choice(r, left, right)])


def formal_hidden(r: mpq, left: FormalChannel, right: FormalChannel) -> FormalChannel:
    """Hidden choice left ⊞_r right, columns matched by output label or, without labels, by position."""
    outputs, places = matched_columns(left, right)
    width = left.shape[1] if outputs is None else len(outputs)
    rows = []
    for first, second in _choice(r, left, right):
        row = [*first, *(FormalSum() for _ in range(width - len(first)))]
        for place, weight in zip(places, second, strict=True):
            row[place] += weight
        rows.append(row)
    return FormalChannel(rows, None, outputs)


def formal_pre(matrix: Rows, channel: FormalChannel) -> FormalChannel:
    """Pre-processing P·M for a 2 x 2 row-stochastic P."""
    if [len(row) for row in matrix] != [2, 2]:
        raise InputError("a 2 x 2 matrix", f"{len(matrix)} x {len(matrix[0])}", "pre")
    require_stochastic(matrix, "pre")
    zp, zq = channel.totals
    columns = list(zip(*channel.rows, strict=True))
    rows = [[(w * zq).scaled(a) + (v * zp).scaled(b) for w, v in columns] for a, b in matrix]
    return FormalChannel(rows, None, channel.outputs)


def formal_post(channel: FormalChannel, matrix: Rows) -> FormalChannel:
    """Post-processing M·W for a row-stochastic W with one row for each column of M."""
    if len(matrix) != channel.shape[1]:
        raise InputError(f"{channel.shape[1]} rows, one for each column of the channel", f"{len(matrix)}", "post")
    require_stochastic(matrix, "post")
    columns = list(zip(*matrix, strict=True))
    rows = [
        [FormalSum.sum(w.scaled(c) for w, c in zip(row, column, strict=True) if c) for column in columns]
        for row in channel.rows
    ]
    return FormalChannel(rows, channel.inputs)


def formal_compose(parts: Sequence[tuple[FormalChannel, int]]) -> FormalChannel:
    """Parallel composition of every part taken *times* times, columns of equal ratio merged at each step.

    Raises:
        LimitError: if a step would make more than MAX_PRODUCTS products of columns.
    """
    one = [FormalSum.rational(1)]
    result = FormalChannel([one, one])
    for channel, times in parts:
        if times:
            power = _power(_merged(channel), times)
            result = power if result.shape[1] == 1 else _product(result, power)
    return result


def _power(channel: FormalChannel, times: int) -> FormalChannel:
    """The channel composed with itself: in closed form for two columns, else by repeated squaring."""
    if channel.shape[1] == 2 and times > 1:  # noqa: PLR2004 - a binomial
        _require_products(times + 1)
        return FormalChannel([_binomial(first, second, times) for first, second in channel.rows])
    result: FormalChannel | None = None
    square, rest = channel, times
    while True:
        if rest & 1:
            result = square if result is None else _product(result, square)
        rest >>= 1
        if not rest:
            return square if result is None else result
        square = _product(square, square)


def _binomial(first: FormalSum, second: FormalSum, times: int) -> list[FormalSum]:
    """The terms C(k, j) first^(k-j) second^j, j = 0..k."""
    powers = [[FormalSum.rational(1)], [FormalSum.rational(1)]]
    for base, of in zip((first, second), powers, strict=True):
        for _ in range(times):
            of.append(of[-1] * base)
    choose, terms = mpz(1), []
    for j in range(times + 1):
        terms.append((powers[0][times - j] * powers[1][j]).scaled(mpq(choose)))
        choose = choose * (times - j) // (j + 1)
    return terms


def _merged(channel: FormalChannel) -> FormalChannel:
    groups = channel.groups()
    return FormalChannel([[g.p for g in groups], [g.q for g in groups]])


def _require_products(count: int) -> None:
    if count > MAX_PRODUCTS:
        raise LimitError(f"a composition step of at most {MAX_PRODUCTS} products of columns", f"{count}")


def _product(left: FormalChannel, right: FormalChannel) -> FormalChannel:
    _require_products(left.shape[1] * right.shape[1])
    rows = [[a * b for a in left.rows[x] for b in right.rows[x]] for x in range(2)]
    return _merged(FormalChannel(rows))
