"""What is true of the claims of every paper: statuses, counterexamples, errata, and wrong subjects that are noticed."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from oracle.certificates.checker import check
from oracle.json_text import canonical
from oracle.laws.harness import Profile, run_claim
from oracle.laws.papers import PAPERS, claims_of, figures_of, notation_of
from oracle.laws.record import ClaimRecord, Erratum, Law
from oracle.laws.reproduce import certificates, errata, printed_formula
from oracle.render.reproduction import errata_markdown
from tests.laws.broken_subjects import first_to_break

CLAIMS = {f"{paper}: {claim.id}": claim for paper in PAPERS for claim in claims_of(paper)}
ERRATA = {f"{name}: {i}": erratum for name, claim in CLAIMS.items() for i, erratum in enumerate(claim.errata)}
LAWS = {f"{name}: {law.name}": law for name, claim in CLAIMS.items() for law in claim.laws}
EXAMPLES = {"vadhan2023": 6}
FEW = 4

NOT_PRINTED = {("balle2018", "Thm5"), ("liu2022", "SGD Fig1")}
"""Errata without a printed formula: a figure whose numbers cannot be told, and a theorem that is right in print."""


@pytest.mark.parametrize("few", [True, pytest.param(False, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", CLAIMS)
def test_the_recorded_status_is_derived(name: str, few: bool) -> None:
    """Every law, worked value and counterexample of the claim gives the status that is recorded."""
    claim = CLAIMS[name]
    examples = FEW if few else EXAMPLES.get(name.partition(":")[0], 10)
    result = run_claim(claim, Profile("test", examples, True))
    assert result.rederived == claim.status, result.problems


@pytest.mark.parametrize("erratum", ERRATA.values(), ids=ERRATA)
def test_each_counterexample_is_certified(erratum: Erratum) -> None:
    """The printed form fails when it is run, and the independent checker accepts the evidence."""
    document = erratum.certificate()
    assert erratum.fails()
    assert check(document).kind == document["certificate"]


@pytest.mark.slow
@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
def test_each_law_notices_a_wrong_subject(law: Law) -> None:
    """At least one subject with one wrong answer breaks the law, on an input that is shown."""
    found = first_to_break(law)
    assert found is not None
    assert found.worst is not None
    assert found.worst > 0


@pytest.mark.parametrize("claim", CLAIMS.values(), ids=CLAIMS)
def test_names_are_unique_within_a_claim(claim: ClaimRecord) -> None:
    """A finding is named by its claim and its law or worked value."""
    names = Counter([law.name for law in claim.laws] + [value.name for value in claim.facts])
    assert max(names.values(), default=1) == 1


@pytest.mark.parametrize("claim", CLAIMS.values(), ids=CLAIMS)
def test_a_claim_that_is_not_as_printed_says_what_is_true(claim: ClaimRecord) -> None:
    """An erratum with a counterexample and a correction accompanies each status other than holds and definition."""
    assert claim.errata or claim.status in {"holds", "definition"}
    assert all(erratum.correction and erratum.counterexample for erratum in claim.errata)


@pytest.mark.parametrize("paper", PAPERS)
def test_every_erratum_has_a_line_for_the_index_and_both_formulas(paper: str) -> None:
    """A summary of three to eight words, a printed formula and a different true one."""
    for entry in errata(claims_of(paper)):
        assert 3 <= len(entry["summary"].split()) <= 8, entry["id"]
        assert bool(entry["printed_formula"]) == ((paper, entry["id"]) not in NOT_PRINTED), entry["id"]
        assert entry["printed_formula"] != entry["true_formula"], entry["id"]


@pytest.mark.parametrize("claim", CLAIMS.values(), ids=CLAIMS)
def test_a_claim_that_is_not_as_printed_shows_the_printed_formula(claim: ClaimRecord) -> None:
    """Beside the true one; not where only a remark or proof beside the claim is wrong."""
    wrong = any(erratum.scope != "remark" for erratum in claim.errata)
    assert bool(printed_formula(claim)) == wrong


@pytest.mark.parametrize("paper", PAPERS)
def test_the_committed_errata_are_these(paper: str) -> None:
    """Text and certificates as the records have them now; the report is remade when a record changes."""
    folder, claims = Path(__file__).parents[2] / "reports" / paper, claims_of(paper)
    text = errata_markdown(PAPERS[paper], paper, errata(claims), notation_of(paper), figures_of(paper))
    assert (folder / "errata.md").read_text(encoding="utf-8") == text
    documents = certificates(claims, paper)
    assert {f"certificates/{path.name}" for path in (folder / "certificates").iterdir()} == set(documents)
    for name, document in documents.items():
        assert (folder / name).read_text(encoding="utf-8") == canonical(document) + "\n"
        assert check(document).kind == document["certificate"]
