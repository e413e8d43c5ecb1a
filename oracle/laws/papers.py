"""The papers whose claims are programs, and where their records live."""

from __future__ import annotations

from importlib import import_module
from typing import Final

from oracle.errors import InputError, shorten
from oracle.laws.figures import Figure
from oracle.laws.record import ClaimRecord

__all__ = ["PAPERS", "claims_of", "figures_of", "notation_of"]

PAPERS: Final = {
    "fernandes2025": "Fernandes, McIver, Sadeghi: Composition Theorems for f-Differential Privacy (arXiv 2512.21358)",
    "balle2018": "Balle, Barthe, Gaboardi: Privacy Amplification by Subsampling (NeurIPS 2018)",
    "vadhan2023": "Vadhan, Zhang: Concurrent Composition Theorems for Differential Privacy (STOC 2023)",
    "liu2022": "Liu, Sun, Jiang, Kong: Identification, Amplification and Measurement (NeurIPS 2022)",
}
"""Citation keys with the papers' titles."""


def claims_of(paper: str) -> tuple[ClaimRecord, ...]:
    """The records of a paper, in its own order.

    Raises:
        InputError: for a paper that has none.
    """
    if paper not in PAPERS:
        raise InputError("one of the papers " + ", ".join(PAPERS), f'"{shorten(paper)}"', "PAPER")
    claims: tuple[ClaimRecord, ...] = import_module(f"oracle.laws.{paper}").CLAIMS
    return claims


def figures_of(paper: str) -> tuple[Figure, ...]:
    """The redrawn figures of a paper of :data:`PAPERS`, in its own order."""
    figures: tuple[Figure, ...] = import_module(f"oracle.laws.{paper}.figures").FIGURES
    return figures


def notation_of(paper: str) -> tuple[str, ...]:
    """The signs that the claims and errata of a paper of :data:`PAPERS` use, one entry for each line of a list."""
    notation: tuple[str, ...] = import_module(f"oracle.laws.{paper}.notation").NOTATION
    return notation
