"""The collection of claims of vadhan2023, and what their errata say."""

from __future__ import annotations

from oracle.laws.reproduce import errata
from oracle.laws.vadhan2023 import CLAIMS
from oracle.laws.vadhan2023.notation import NOTATION

PAPER = "vadhan2023"
STATUSES = {
    "Def1.1": "definition",
    "Def1.2": "definition",
    "Def Comp, ConComp": "definition",
    "Thm1.1/1.2 (VW21)": "holds",
    "VW21": "holds",
    "Def1.6 T": "definition",
    "Prop1.7": "holds",
    "f_{eps,delta}": "holds",
    "DP<=>f": "holds",
    "Def gen.distance": "definition",
    "Lemma2.1/2.2": "holds",
    "Lemma2.3": "holds",
    "Lemma2.4 completeness": "false_as_stated",
    "det adversaries": "holds",
    "Blackwell": "holds",
    "KOV RR": "holds",
    "Lemma1.6/3.1": "holds",
    "coupling, Renyi": "false_as_stated",
    "Def3.4, KL chain": "holds",
    "Renyi chain": "false_as_stated",
    "(10), Lemma1.7/3.3": "holds",
    "continuity": "holds",
    "Thm1.5/4.1": "holds",
    "Thm4.1 for Renyi": "false_as_stated",
    "Thm1.4": "holds",
    "Thm1.3": "holds",
    "MV16/KOV15": "holds",
    "interleaving": "holds",
    "Thm5.1, Lem5.2": "holds",
    "Lem5.3/5.4/5.5": "holds",
    "Fig1": "definition",
}
VECTORS = (
    *("01", "01b", "03", "04", "07a", "07b", "07c", "07e", "07f"),
    *("082", "083", "09", "11", "12", "13"),
)
NAMED = (
    *("Lemma2.1/2.2", "Lemma2.4 completeness", "coupling, Renyi", "Renyi chain"),
    *("continuity", "Thm4.1 for Renyi", "Thm1.4"),
)


def test_claims_are_there_once_and_in_order() -> None:
    """The 31 ids in the paper's order, no id twice."""
    assert [claim.id for claim in CLAIMS] == list(STATUSES)
    assert len(STATUSES) == 31


def test_statuses() -> None:
    """What each claim is."""
    assert {claim.id: claim.status for claim in CLAIMS} == STATUSES


def test_the_given_values_are_facts() -> None:
    """Each vector of the paper stands in the name of a worked value."""
    names = [value.name for claim in CLAIMS for value in claim.facts]
    for vector in VECTORS:
        assert sum(name.startswith(f"{PAPER}-{vector}:") for name in names) >= 1, vector


def test_the_named_errata_are_there() -> None:
    """Those that the project promises."""
    assert set(NAMED) <= {entry["id"] for entry in errata(CLAIMS)}


def test_the_signs_are_explained() -> None:
    """Every name of the formulas is in the list of signs."""
    signs = " ".join(NOTATION)
    for sign in (
        "D_a",
        "D_∞",
        "D_α",
        "T(X, X')",
        "f_{ε,δ}",
        "⪯",
        "RR_ε",
        "RR_{ε,δ}",
        "view(B",
        "ConComp",
        "[u]_+",
        "A(F)",
        "Y_x",
        "ChainRule",
    ):
        assert sign in signs, sign
