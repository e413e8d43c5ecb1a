"""The collection of claims of liu2022, and what their errata say."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from oracle.certificates.checker import check
from oracle.json_text import canonical
from oracle.laws.liu2022 import CLAIMS
from oracle.laws.papers import PAPERS, figures_of, notation_of
from oracle.laws.reproduce import certificates, errata
from oracle.render.reproduction import errata_markdown

PAPER = "liu2022"
IDS = (
    *("Def profile", "Thm2.1", "refined", "delta_mu", "monotone", "Fig1 shape", "cancellation"),
    *("Def head/tail", "Thm3.1", "key lemma", "Thm3.2/3.3", "O(e^{-eps^2})"),
    *("GDPT, Thm4.1", "measure", "rectify", "eps-DP => GDP", "GDP comp", "Laplace", "Laplace b"),
    *("SGD", "SGD Fig1", "SGD Fig2", "ICEA", "ICEA Fig1", "Fig2 eps->0"),
)
CERTIFIED = ("refined", "cancellation", "Thm3.2/3.3", "O(e^{-eps^2})", "Laplace b", "ICEA Fig1")


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


def test_names_are_unique_within_a_claim() -> None:
    """A finding is named by its claim and its law or worked value."""
    for claim in CLAIMS:
        names = Counter([law.name for law in claim.laws] + [value.name for value in claim.facts])
        assert max(names.values(), default=1) == 1, claim.id


def test_every_claim_that_is_not_as_printed_has_an_erratum() -> None:
    """A counterexample and a correction accompany each status other than holds and definition."""
    for claim in CLAIMS:
        if claim.status not in {"holds", "definition"}:
            assert claim.errata, claim.id


def test_every_erratum_has_a_line_for_the_index_and_both_formulas() -> None:
    """A summary of three to eight words, a printed formula (but for what cannot be told) and a different true one."""
    for entry in errata(CLAIMS):
        assert 3 <= len(entry["summary"].split()) <= 8, entry["id"]
        assert bool(entry["printed_formula"]) == (entry["id"] != "SGD Fig1")
        assert entry["printed_formula"] != entry["true_formula"], entry["id"]


def test_the_named_errata_are_certified() -> None:
    """Those that the project promises are there, and the independent checker accepts every certificate."""
    assert set(CERTIFIED) <= {entry["id"] for entry in errata(CLAIMS)}
    for document in certificates(CLAIMS, PAPER).values():
        assert check(document).kind == document["certificate"]


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


def test_the_committed_errata_are_these() -> None:
    """Text and certificates as the records have them now; the report is remade when a record changes."""
    folder = Path(__file__).parents[3] / "reports" / PAPER
    text = errata_markdown(PAPERS[PAPER], PAPER, errata(CLAIMS), notation_of(PAPER), figures_of(PAPER))
    assert (folder / "errata.md").read_text(encoding="utf-8") == text
    documents = certificates(CLAIMS, PAPER)
    assert {f"certificates/{path.name}" for path in (folder / "certificates").iterdir()} == set(documents)
    for name, document in documents.items():
        assert (folder / name).read_text(encoding="utf-8") == canonical(document) + "\n"
