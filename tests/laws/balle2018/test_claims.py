"""The collection of all claims of balle2018, and what their errata say."""

from __future__ import annotations

from collections import Counter

from oracle.laws.balle2018 import CLAIMS
from oracle.laws.papers import notation_of
from oracle.laws.reproduce import errata

PAPER = "balle2018"
NAMED = (
    *("Def.D middle", "maxcoupling", "Thm5", "Thm6b", "WR law"),
    *("incompat d_s", "incompat d_r", "psi_p", "Lemma12"),
)


def test_every_claim_is_there_once() -> None:
    """42 claims, from the definition of differential privacy to the supplement's plots, no id twice."""
    ids = [claim.id for claim in CLAIMS]
    assert len(ids) == len(set(ids)) == 42
    assert (ids[0], ids[22], ids[-1]) == ("Def.DP", "(5)", "Fig1 (suppl.)")


def test_statuses() -> None:
    """How many claims hold, hold under a further hypothesis, are false as printed, or define."""
    assert Counter(claim.status for claim in CLAIMS) == {
        "holds": 25,
        "holds_under": 6,
        "false_as_stated": 7,
        "definition": 4,
    }


def test_the_named_errata_are_there() -> None:
    """Those that the project promises."""
    assert set(NAMED) <= {entry["id"] for entry in errata(CLAIMS)}


def test_the_signs_are_explained() -> None:
    """Every name of the formulas is in the list of signs."""
    signs = " ".join(notation_of(PAPER))
    for sign in (
        "D_α",
        "δ_M(ε)",
        "δ_{M,k}(ε)",
        "[u]_+",
        "TV",
        "η:",
        "R_p",
        "ψ_p",
        "M_{v,p}",
        "d_r",
        "d_s",
        "~r",
        "x_u",
    ):
        assert sign in signs, sign
