"""The collection of all claims of balle2018, and what their errata say."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from oracle.certificates.checker import check
from oracle.json_text import canonical
from oracle.laws.balle2018 import CLAIMS
from oracle.laws.papers import PAPERS, figures_of, notation_of
from oracle.laws.reproduce import certificates, errata
from oracle.render.reproduction import errata_markdown

PAPER = "balle2018"
CERTIFIED = (
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
    """A summary of three to eight words, a printed formula (theorem 5 is right in print), and a different true one."""
    for entry in errata(CLAIMS):
        assert 3 <= len(entry["summary"].split()) <= 8, entry["id"]
        assert bool(entry["printed_formula"]) == (entry["id"] != "Thm5")
        assert entry["printed_formula"] != entry["true_formula"], entry["id"]


def test_the_named_errata_are_certified() -> None:
    """The nine that the project promises are there, and the independent checker accepts every certificate."""
    assert set(CERTIFIED) <= {entry["id"] for entry in errata(CLAIMS)}
    for document in certificates(CLAIMS, PAPER).values():
        assert check(document).kind == document["certificate"]


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


def test_the_committed_errata_are_these() -> None:
    """Text and certificates as the records have them now; the report is remade when a record changes."""
    folder = Path(__file__).parents[3] / "reports" / PAPER
    text = errata_markdown(PAPERS[PAPER], PAPER, errata(CLAIMS), notation_of(PAPER), figures_of(PAPER))
    assert (folder / "errata.md").read_text(encoding="utf-8") == text
    documents = certificates(CLAIMS, PAPER)
    assert {f"certificates/{path.name}" for path in (folder / "certificates").iterdir()} == set(documents)
    for name, document in documents.items():
        assert (folder / name).read_text(encoding="utf-8") == canonical(document) + "\n"
