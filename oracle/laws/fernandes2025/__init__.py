"""Claims of Fernandes, McIver, Sadeghi: Composition Theorems for f-Differential Privacy (arXiv 2512.21358)."""

from __future__ import annotations

from oracle.laws.fernandes2025 import (
    appendix,
    compositions,
    equivalence,
    modelling,
    preliminaries,
    purification,
    purity,
    subsampling,
    symmetry,
    uncovered,
    universal,
)
from oracle.laws.record import ClaimRecord

__all__ = ["CLAIMS"]

CLAIMS: tuple[ClaimRecord, ...] = (
    *preliminaries.CLAIMS,
    *modelling.CLAIMS,
    *equivalence.CLAIMS,
    *compositions.CLAIMS,
    *universal.CLAIMS,
    *symmetry.CLAIMS,
    *purification.CLAIMS,
    *purity.CLAIMS,
    *uncovered.CLAIMS,
    *subsampling.CLAIMS,
    *appendix.CLAIMS,
)
"""One record for each published claim id, in the paper's order."""
