"""The collection of all claims of fernandes2025."""

from __future__ import annotations

from oracle.laws.fernandes2025 import CLAIMS
from oracle.laws.papers import notation_of
from oracle.laws.reproduce import certificates


def test_every_claim_is_there_once() -> None:
    """78 claims, from equation (1) to proposition 4 of the appendix, no id twice."""
    ids = [claim.id for claim in CLAIMS]
    assert len(ids) == len(set(ids)) == 78
    assert (ids[0], ids[-1]) == ("D-DP (1)", "Prop4")


def test_the_signs_are_explained() -> None:
    """Every operator of the formulas is in the list of signs."""
    signs = " ".join(notation_of("fernandes2025"))
    for sign in (
        "T(M)",
        "C(f)",
        "f^α",
        "M^α",
        "⊑",
        "∥",
        "⊕_r",
        "⊞_r",
        "min",
        "err_M(h)",
        "V_h",
        "U:",
        "E =",
        "C_{ε,δ}",
    ):
        assert sign in signs


def test_evaluations_name_their_claim() -> None:
    """Of the 35 certificates, all but two are evaluations, and the checker shows what they are about."""
    documents = certificates(CLAIMS, "fernandes2025").values()
    about = [document["about"] for document in documents if document["certificate"] == "evaluation"]
    assert (len(about), len(set(about))) == (33, 33)
    assert {"fernandes2025/E-par", "fernandes2025/T6.3, 2"} <= set(about)
