"""Closed forms of the worked mechanisms, for numbers and for symbols alike.

Every function takes and returns exact scalars of one kind (``gmpy2.mpq``, ``Fraction`` or a sympy expression): the
symbolic proofs read them with symbols, figures and tests with numbers, so both speak of the same formulas.

Notation: E = e^epsilon >= 1, a = (1 - delta)/(1 + E), u = (1 - r)/4, columns are pairs (p, q), corners (alpha, beta).
Source: Fernandes et al. 2025, sections 2 and 5, Appendix E.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

__all__ = [
    "approximate_dp_columns",
    "approximate_dp_corners",
    "column_order_bound",
    "cumulative_corners",
    "gain_at_b",
    "geometric_matrix",
    "post_processed_row",
    "purification_threshold",
    "purified_columns",
    "subsampled_columns",
    "subsampled_corners",
]

Scalar = Any
Column = tuple[Scalar, Scalar]


def cumulative_corners(columns: Sequence[Column]) -> list[Column]:
    """Corners of the tests that reject the last columns first: (Σ p, 1 - Σ q), from no column to all of them."""
    alpha, beta = columns[0][0] * 0, columns[0][0] * 0 + 1
    corners = [(alpha, beta)]
    for p, q in reversed(columns):
        alpha, beta = alpha + p, beta - q
        corners.append((alpha, beta))
    return corners


def approximate_dp_columns(E: Scalar, delta: Scalar) -> list[Column]:
    """C_{epsilon, delta}: (delta, 0), (aE, a), (a, aE), (0, delta), in the order of increasing q/p."""
    a = (1 - delta) / (1 + E)
    zero = delta * 0
    return [(delta, zero), (a * E, a), (a, a * E), (zero, delta)]


def approximate_dp_corners(E: Scalar, delta: Scalar) -> list[Column]:
    """Corners of f_{epsilon, delta}: (0, 1 - delta), (a, a), (1 - delta, 0), (1, 0)."""
    a = (1 - delta) / (1 + E)
    zero = delta * 0
    return [(zero, 1 - delta), (a, a), (1 - delta, zero), (zero + 1, zero)]


def subsampled_columns(E: Scalar, delta: Scalar, gamma: Scalar) -> list[Column]:
    """P·C_{epsilon, delta} for Poisson sub-sampling at rate gamma, P = [1 0; 1 - gamma gamma]."""
    return [(p, (1 - gamma) * p + gamma * q) for p, q in approximate_dp_columns(E, delta)]


def subsampled_corners(E: Scalar, delta: Scalar, gamma: Scalar) -> list[Column]:
    """The points A, B, C, D of the sub-sampled worst case."""
    a = (1 - delta) / (1 + E)
    zero = delta * 0
    return [
        (zero, 1 - gamma * delta),
        (a, (1 - gamma) * (delta + a * E) + gamma * a),
        (1 - delta, (1 - gamma) * delta),
        (zero + 1, zero),
    ]


def gain_at_b(E: Scalar, delta: Scalar, gamma: Scalar) -> Scalar:
    """How far sub-sampling lifts the curve at alpha = a: (1 - gamma) (delta + a (E - 1))."""
    a = (1 - delta) / (1 + E)
    return (1 - gamma) * delta + a * (1 - gamma) * (E - 1)


def purified_columns(E: Scalar, delta: Scalar, r: Scalar) -> list[Column]:
    """D = C_{epsilon, delta} ⊞_r U on four outputs, the middle columns of C outermost as the paper sorts them."""
    u = (1 - r) / 4
    last, middle, mirrored, first = approximate_dp_columns(E, delta)
    return [(r * p + u, r * q + u) for p, q in (middle, last, first, mirrored)]


def column_order_bound(delta: Scalar, r: Scalar) -> Scalar:
    """What E must exceed, for delta < 1/2, so that the middle columns of C are the extreme ones of D."""
    return 1 / (1 - 2 * delta) + 4 * r * (1 - delta) * delta / ((1 - r) * (1 - 2 * delta))


def geometric_matrix(size: int, ratio: Scalar) -> list[list[Scalar]]:
    """The clamped two-sided geometric post-processor on 0..size-1.

    Row i, column j: ratio^|i - j| (1 - ratio)/(1 + ratio), and ratio^|i - j|/(1 + ratio) for the two end columns.
    """
    return [
        [ratio ** abs(i - j) * (1 if j in (0, size - 1) else 1 - ratio) / (1 + ratio) for j in range(size)]
        for i in range(size)
    ]


def post_processed_row(row: Sequence[Scalar], matrix: Sequence[Sequence[Scalar]]) -> list[Scalar]:
    """row·matrix."""
    return [
        sum((row[i] * matrix[i][j] for i in range(1, len(row))), row[0] * matrix[0][j]) for j in range(len(matrix[0]))
    ]


def purification_threshold(E: Scalar, delta: Scalar, r: Scalar, ratio: Scalar) -> Scalar:
    """The least e^epsilon' for which Z, the sorted D through the geometric post-processor, is purely epsilon'-DP.

    (ra(E + ρ³) + ρ r delta + u(1 + ρ + ρ² + ρ³)) / (ra(1 + ρ³E) + ρ² r delta + u(1 + ρ + ρ² + ρ³)), ρ the ratio.
    """
    a, u = (1 - delta) / (1 + E), (1 - r) / 4
    rest = u * (1 + ratio + ratio**2 + ratio**3)
    most = r * a * (E + ratio**3) + ratio * r * delta + rest
    least = r * a * (1 + ratio**3 * E) + ratio**2 * r * delta + rest
    return most / least
