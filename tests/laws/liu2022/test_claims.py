"""The collection of claims of liu2022, and what their errata say."""

from __future__ import annotations

from collections import Counter

from oracle.laws.liu2022 import CLAIMS
from oracle.laws.papers import notation_of
from oracle.laws.reproduce import errata

PAPER = "liu2022"
IDS = (
    *("Def profile", "Thm2.1", "refined", "delta_mu", "monotone", "Fig1 shape", "cancellation"),
    *("Def head/tail", "Thm3.1", "key lemma", "Thm3.2/3.3", "O(e^{-eps^2})"),
    *("GDPT, Thm4.1", "measure", "rectify", "eps-DP => GDP", "GDP comp", "Laplace", "Laplace b"),
    *("SGD", "SGD Fig1", "SGD Fig2", "ICEA", "ICEA Fig1", "Fig2 eps->0"),
)
NAMED = ("refined", "cancellation", "Thm3.2/3.3", "O(e^{-eps^2})", "Laplace b", "ICEA Fig1")


def test_every_claim_is_there_once() -> None:
    """All 25, from the profile to the transforms near 0, in the paper's order."""
    assert tuple(claim.id for claim in CLAIMS) == IDS


def test_statuses() -> None:
    """How many claims hold, hold under a further hypothesis, are false as printed, or define."""
    assert Counter(claim.status for claim in CLAIMS) == {
        "holds": 16,
        "holds_under": 2,
        "false_as_stated": 5,
        "definition": 2,
    }


def test_the_named_errata_are_there() -> None:
    """Those that the project promises."""
    assert set(NAMED) <= {entry["id"] for entry in errata(CLAIMS)}


def test_the_signs_are_explained() -> None:
    """Every name of the formulas is in the list of signs."""
    signs = " ".join(notation_of(PAPER))
    for sign in (
        "[u]_+",
        "D_a",
        "δ_A(ε)",
        "δ^(ε)",
        "δ_μ(ε)",
        "Φ",
        "φ",
        "m(t)",
        "G_μ",
        "μ_GDP",
        "μ_t",
        "limsup",
        "ε*",
        "θ",
    ):
        assert sign in signs, sign
