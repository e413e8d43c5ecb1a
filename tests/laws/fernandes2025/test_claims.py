"""The collection of all claims of fernandes2025."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from oracle.json_text import canonical
from oracle.laws.fernandes2025 import CLAIMS
from oracle.laws.papers import PAPERS, figures_of, notation_of
from oracle.laws.reproduce import certificates, errata, printed_formula
from oracle.render.reproduction import errata_markdown


def test_every_claim_is_there_once() -> None:
    """78 claims, from equation (1) to proposition 4 of the appendix, no id twice."""
    ids = [claim.id for claim in CLAIMS]
    assert len(ids) == len(set(ids)) == 78
    assert (ids[0], ids[-1]) == ("D-DP (1)", "Prop4")


def test_names_are_unique_within_a_claim() -> None:
    """A finding is named by its claim and its law or worked value."""
    for claim in CLAIMS:
        names = Counter([law.name for law in claim.laws] + [value.name for value in claim.facts])
        assert max(names.values(), default=1) == 1, claim.id


def test_every_claim_that_is_not_as_printed_says_what_is_true() -> None:
    """An erratum with a correction accompanies each status other than holds and definition."""
    for claim in CLAIMS:
        if claim.status not in ("holds", "definition"):
            assert claim.errata, claim.id
        assert all(erratum.correction and erratum.counterexample for erratum in claim.errata)


def test_every_erratum_has_a_summary_and_both_formulas() -> None:
    """Four to seven words for the index; the printed formula is never the true one."""
    for entry in errata(CLAIMS):
        assert 4 <= len(entry["summary"].split()) <= 7, entry["id"]
        assert entry["printed_formula"], entry["id"]
        assert entry["printed_formula"] != entry["true_formula"], entry["id"]


def test_a_claim_that_is_not_as_printed_shows_the_printed_formula() -> None:
    """Beside the true one; not where only a remark or proof beside the claim is wrong."""
    for claim in CLAIMS:
        wrong = any(erratum.scope != "remark" for erratum in claim.errata)
        assert bool(printed_formula(claim)) == wrong, claim.id


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


def test_the_committed_errata_are_these() -> None:
    """Text and certificates as the records have them now; the report is remade when a record changes."""
    folder = Path(__file__).parents[3] / "reports" / "fernandes2025"
    signs, figures = notation_of("fernandes2025"), figures_of("fernandes2025")
    text = errata_markdown(PAPERS["fernandes2025"], "fernandes2025", errata(CLAIMS), signs, figures)
    assert (folder / "errata.md").read_text(encoding="utf-8") == text
    documents = certificates(CLAIMS, "fernandes2025")
    assert {f"certificates/{path.name}" for path in (folder / "certificates").iterdir()} == set(documents)
    for name, document in documents.items():
        assert (folder / name).read_text(encoding="utf-8") == canonical(document) + "\n"
