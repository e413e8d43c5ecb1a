"""Claims of Liu, Sun, Jiang, Kong: Identification, Amplification and Measurement (NeurIPS 2022)."""

from __future__ import annotations

from oracle.laws.liu2022 import (
    amplification,
    criterion,
    gaussian_profile,
    guarantees,
    icea,
    laplace_noise,
    sgd,
    tails,
    transform,
)
from oracle.laws.record import ClaimRecord

__all__ = ["CLAIMS"]

_ORDER = (
    *("Def profile", "Thm2.1", "refined", "delta_mu", "monotone", "Fig1 shape", "cancellation"),
    *("Def head/tail", "Thm3.1", "key lemma", "Thm3.2/3.3", "O(e^{-eps^2})"),
    *("GDPT, Thm4.1", "measure", "rectify", "eps-DP => GDP", "GDP comp", "Laplace", "Laplace b"),
    *("SGD", "SGD Fig1", "SGD Fig2", "ICEA", "ICEA Fig1", "Fig2 eps->0"),
)
"""The published ids in the paper's order; the modules group them by subject."""

CLAIMS: tuple[ClaimRecord, ...] = tuple(
    sorted(
        (
            *guarantees.CLAIMS,
            *gaussian_profile.CLAIMS,
            *tails.CLAIMS,
            *criterion.CLAIMS,
            *transform.CLAIMS,
            *amplification.CLAIMS,
            *laplace_noise.CLAIMS,
            *sgd.CLAIMS,
            *icea.CLAIMS,
        ),
        key=lambda claim: _ORDER.index(claim.id),
    )
)
"""One record for each published claim id, in the paper's order."""
