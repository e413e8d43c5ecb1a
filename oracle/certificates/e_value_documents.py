"""Certificates of refutations by e-values: a claim, four counts of pairs, and the bet that was made against it.

The checker multiplies the four powers again; what makes the product an e-value is written down there.
"""

from __future__ import annotations

from collections.abc import Mapping

from gmpy2 import mpq

from oracle.certificates.documents import Certificate, seal
from oracle.exact import to_text

__all__ = ["e_value_refutation"]


def e_value_refutation(  # noqa: PLR0913 - one keyword for each field
    *,
    claim: Mapping[str, str],
    counts: Mapping[str, str],
    selection: Mapping[str, str],
    larger: str,
    confidence: mpq,
    bet: mpq,
    level: mpq,
    threshold: mpq,
) -> Certificate:
    """Kind ``e_value_refutation``: a bet against the claim has reached (size of the family)/(1 - confidence).

    Args:
        claim: (epsilon, delta), as JSON.
        counts: of pairs of runs: both, only_on_D, only_on_Dprime, neither.
        selection: how the event was chosen, as JSON.
        larger: the law under which the event was said to be more likely, "first" (on D) or "second".
        confidence: of the refutation.
        bet: that was fixed before the runs.
        level: a rational number that is at least e^epsilon.
        threshold: what the capital reaches.
    """
    fields = {
        "claim": dict(claim),
        "counts": dict(counts),
        "selection": dict(selection),
        "larger": larger,
        "confidence": to_text(confidence),
        "bet": to_text(bet),
        "level": to_text(level),
        "threshold": to_text(threshold),
    }
    return seal({"certificate": "e_value_refutation", "version": 1, **fields})
