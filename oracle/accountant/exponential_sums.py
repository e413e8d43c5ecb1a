"""Exponential sums at equally spaced points, as one matrix product: Σ_j w_j e^(n x_j) for n = 0, ..., N.

With n = aB + b, 0 <= b < B, the sum is Σ_j (w_j e^(aB x_j))·e^(b x_j), entry (a, b) of a matrix product
(A × J)(J × B) with A·B > N. The powers come from a tree, e^(b x) = e^(floor(b/2) x)·e^(ceil(b/2) x), of depth log2 B:
each product of rectangular complex balls may widen the radius by up to √2 beyond the sum of the relative errors, so a
chain of B products could lose B/2 bits, a tree loses log2 B.

All arithmetic is in balls: the results contain the sums.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt
from typing import Final

from flint import acb, acb_mat

__all__ = ["exponential_sums", "polynomial_values", "power_table"]

_MOST_ENTRIES: Final = 200_000


def power_table(bases: Sequence[acb], count: int) -> list[list[acb]]:
    """Rows b = 0, ..., count - 1 of the powers x^b of the numbers given (count at least 1)."""
    rows = [[acb(1)] * len(bases), list(bases)]
    for b in range(2, count):
        low, high = rows[b // 2], rows[b - b // 2]
        rows.append([x * y for x, y in zip(low, high, strict=True)])
    return rows[:count]


def exponential_sums(weights: Sequence[acb], bases: Sequence[acb], count: int) -> list[acb]:
    """Balls of Σ_j w_j x_j^n, x_j the bases, for n = 0, ..., count; few terms at a time, to bound the memory."""
    width = isqrt(count) + 1
    rows = count // width + 1
    block = max(_MOST_ENTRIES // (width + rows), 16)
    total: acb_mat | None = None
    for start in range(0, len(weights), block):
        product = _block(weights[start : start + block], bases[start : start + block], width, rows)
        total = product if total is None else total + product
    return total.entries()[: count + 1] if total is not None else [acb(0)] * (count + 1)


def _block(weights: Sequence[acb], bases: Sequence[acb], width: int, rows: int) -> acb_mat:
    """Σ_j w_j x_j^(aB + b) as a matrix of entries (a, b), B = *width*."""
    fine = power_table(bases, width)
    giant = [x * y for x, y in zip(fine[width // 2], fine[width - width // 2], strict=True)] if width > 1 else bases
    left = acb_mat([[w * x for w, x in zip(weights, row, strict=True)] for row in power_table(giant, rows)])
    return left * acb_mat(fine).transpose()


def polynomial_values(coefficients: Sequence[acb], points: Sequence[acb]) -> list[acb]:
    """Balls of Σ_n f_n x^n at each of the points."""
    count = len(coefficients)
    width = isqrt(count - 1) + 1
    rows = (count + width - 1) // width
    padded = [*coefficients, *([acb(0)] * (rows * width - count))]
    fine = power_table(points, width + 1)
    coarse = power_table(fine[width], rows)
    inner = acb_mat(rows, width, padded) * acb_mat(fine[:width])
    table = inner.tolist()
    return [sum((coarse[a][e] * table[a][e] for a in range(rows)), acb(0)) for e in range(len(points))]
