"""Claims of Balle, Barthe, Gaboardi: Privacy Amplification by Subsampling (NeurIPS 2018)."""

from __future__ import annotations

from oracle.laws.balle2018 import (
    amplification,
    compatible_couplings,
    divergences,
    group_privacy,
    incompatible,
    joint_convexity,
    lower_bounds,
    output_perturbation,
    privacy_loss,
    profiles,
    with_replacement,
)
from oracle.laws.record import ClaimRecord

__all__ = ["CLAIMS"]

CLAIMS: tuple[ClaimRecord, ...] = (
    *divergences.CLAIMS,
    *profiles.CLAIMS,
    *joint_convexity.CLAIMS,
    *output_perturbation.CLAIMS,
    *privacy_loss.CLAIMS,
    *group_privacy.CLAIMS,
    *compatible_couplings.CLAIMS,
    *amplification.CLAIMS,
    *with_replacement.CLAIMS,
    *incompatible.CLAIMS,
    *lower_bounds.CLAIMS,
)
"""One record for each published claim id, in the paper's order."""
