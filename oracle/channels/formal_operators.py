"""The operators on two-row channels of irrational probabilities, by their unnormalised weights.

A weight stands for w / Z with Z the total of its row, so parts are brought to one denominator by multiplying with
the totals of the other parts; nothing is ever rounded. The rational counterparts are in
:mod:`oracle.channels.operators` and :mod:`oracle.channels.composition`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Final

from gmpy2 import mpq, mpz

from oracle.channels.channel import Rows
from oracle.channels.formal_rows import FormalChannel
from oracle.channels.operators import choice_weights, common_inputs, matched_columns, require_stochastic, size_text
from oracle.errors import InputError, LimitError
from oracle.formal import FormalSum

__all__ = [
    "MAX_PRODUCTS",
    "formal_compose",
    "formal_hidden",
    "formal_parallel",
    "formal_post",
    "formal_pre",
    "formal_visible",
]

MAX_PRODUCTS: Final = 100_000
"""Most products of columns that one step of a composition makes."""

MAX_TERMS: Final = 400_000
"""Most products of two terms c · e^s · Π p^r that one step makes: a second or so."""

_SHORT_BITS: Final = 512
"""Bits of an exponent that cost next to nothing."""


def _choice(r: mpq, left: FormalChannel, right: FormalChannel) -> list[tuple[list[FormalSum], list[FormalSum]]]:
    """For each row the weights r·w·Z' of left and (1 - r)·w'·Z of right: both over the denominator Z·Z'."""
    first, second = choice_weights(r)
    _require_terms(
        [
            (_size(pair.rows[x]), other.totals[x].size)
            for x in range(2)
            for pair, other in ((left, right), (right, left))
        ]
    )
    return [
        (
            [(w * right.totals[x]).scaled(first) for w in left.rows[x]],
            [(w * left.totals[x]).scaled(second) for w in right.rows[x]],
        )
        for x in range(2)
    ]


def formal_visible(r: mpq, left: FormalChannel, right: FormalChannel) -> FormalChannel:
    """Visible choice left ⊕_r right: columns of left, then of right."""
    return FormalChannel([first + second for first, second in _choice(r, left, right)], common_inputs((left, right)))


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
    return FormalChannel(rows, common_inputs((left, right)), outputs)


def formal_pre(matrix: Rows, channel: FormalChannel) -> FormalChannel:
    """Pre-processing P·M for a 2 x 2 row-stochastic P."""
    if [len(row) for row in matrix] != [2, 2]:
        raise InputError("a 2 x 2 matrix", f"{len(matrix)} x {len(matrix[0])}", "pre")
    require_stochastic(matrix, "pre")
    _require_terms([(_size(channel.rows[x]), channel.totals[1 - x].size) for x in range(2)])
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


def formal_parallel(parts: Sequence[FormalChannel]) -> FormalChannel:
    """Parallel composition without merging: every column, lexicographic, the last part fastest.

    Raises:
        LimitError: if a step would make more than MAX_PRODUCTS products of columns or MAX_TERMS of terms.
    """
    product = reduce(_every_product, parts)
    outputs = product.outputs if len(parts) == 1 else None
    return FormalChannel(product.rows, common_inputs(parts), outputs)


def _every_product(left: FormalChannel, right: FormalChannel) -> FormalChannel:
    _require_products(left.shape[1] * right.shape[1])
    _require_terms(
        [(_size(left.rows[x]), _size(right.rows[x])) for x in range(2)], max(_longest(left), _longest(right))
    )
    return FormalChannel([[a * b for a in left.rows[x] for b in right.rows[x]] for x in range(2)])


def formal_compose(parts: Sequence[tuple[FormalChannel, int]]) -> FormalChannel:
    """Parallel composition of every part taken *times* times, columns of equal ratio merged at each step.

    A part whose columns all have one ratio tells nothing and is left out.

    Raises:
        LimitError: if a step would make more than MAX_PRODUCTS products of columns or MAX_TERMS of terms.
    """
    one = [FormalSum.rational(1)]
    result = FormalChannel([one, one])
    for channel, times in parts:
        merged = _merged(channel)
        if times and merged.shape[1] > 1:
            power = _power(merged, times)
            result = power if result.shape[1] == 1 else _product(result, power)
    return result


def _power(channel: FormalChannel, times: int) -> FormalChannel:
    """The channel composed with itself: in closed form for two columns, else by repeated squaring."""
    if channel.shape[1] == 2 and times > 1:
        _require_products(times + 1)
        sizes = [(weight.size - 1, weight.size) for row in channel.rows for weight in row]
        # The j-th power of n positive terms has at least j (n - 1) + 1 of them; all powers up to k are made.
        _require_terms([(times * times * a // 2 + times, b) for a, b in sizes])
        power = FormalChannel([_binomial(first, second, times) for first, second in channel.rows])
        # Products of two nonzero ratios differ; with a weight of 0 several columns have the ratio 0, infinite or 0/0.
        return _merged(power) if any(w.is_zero() for row in channel.rows for w in row) else power
    # All squares first: what is too large shows there, before the other products are made.
    squares = [channel]
    for _ in range(times.bit_length() - 1):
        squares.append(_product(squares[-1], squares[-1]))
    return reduce(_product, (square for j, square in enumerate(squares) if times >> j & 1))


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
        raise LimitError(f"a composition step of at most {MAX_PRODUCTS} products of columns", size_text(count))


def _size(row: Sequence[FormalSum]) -> int:
    """Terms of all weights of a row."""
    return sum(weight.size for weight in row)


def _longest(channel: FormalChannel) -> int:
    """Bits of the longest exponent of a term, numerator and denominator together."""
    exponents = {s for row in channel.rows for weight in row for (s, _), _ in weight.terms()}
    return max((s.numerator.bit_length() + s.denominator.bit_length() for s in exponents), default=0)


def _require_terms(pairs: Sequence[tuple[int, int]], bits: int = 0) -> None:
    """Refuse products of so many terms with so many; a term whose exponent has many bits counts for several."""
    count = sum(a * b for a, b in pairs)
    if count > MAX_TERMS:
        raise LimitError(f"a step of at most {MAX_TERMS} products of exponential terms", size_text(count))
    if count * bits > MAX_TERMS * _SHORT_BITS:
        expected = f"a step of at most {MAX_TERMS} products of exponential terms with exponents of {_SHORT_BITS} bits"
        raise LimitError(f"{expected}, or as many fewer as they are longer", f"{count} of {bits} bits")


def _product(left: FormalChannel, right: FormalChannel) -> FormalChannel:
    return _merged(_every_product(left, right))
