"""A reproduction as tables and Markdown, with its proofs and figures."""

from __future__ import annotations

from typing import Any

import pytest

from oracle.laws.fernandes2025.figures import FIGURES
from oracle.laws.liu2022.figures import FIGURES as ENCLOSED
from oracle.laws.proving import Proof
from oracle.render.reproduction import NOT_PRINTED, cell, claims_markdown, errata_markdown, results_table, text

PROOF = Proof("a-proof", "For all x, x_1 = x_1.", ("Fig9",), ("step",))


def results(rederived: str = "holds") -> dict[str, Any]:
    row = {"id": "Fig9", "status": "holds", "rederived": rederived, "cases": 40, "worst": None}
    return {"paper": "paper2025", "claims": [row, row | {"id": "D|1", "worst": "-1/2"}]}


def record(identity: str, *proofs: Proof) -> dict[str, Any]:
    words = {"statement": "a < b", "printed": "a+b", "formula": "a*b", "source": "section 1", "hypotheses": ""}
    return {"id": identity, **words, "proofs": list(proofs)}


ERRATUM = {
    "id": "Fig9",
    "title": "visible choice",
    "source": "figure 9",
    "scope": "statement",
    "summary": "an average for a mix",
    "printed": "an average",
    "printed_formula": "f|g",
    "true_formula": "f <= g - 1",
    "counterexample": "at 3/70",
    "correction": "a mix",
    "certificate": "certificates/Fig9.json",
}


@pytest.mark.parametrize(("rederived", "mark"), [("holds", "yes"), ("unconfirmed", "NO: unconfirmed")])
def test_a_status_that_differs_is_marked(rederived: str, mark: str) -> None:
    """In the terminal and in Markdown."""
    assert mark in results_table(results(rederived))
    markdown = claims_markdown("Title", results(rederived), [record("Fig9"), record("D|1")])
    assert ("NOT re-derived" in markdown) == (rederived != "holds")


def test_markup_in_texts_is_text() -> None:
    """Characters of a formula start no markup, and a cell has one line."""
    assert text("a*b|[c]_d") == r"a\*b\|\[c\]\_d"
    assert cell("a\nb|") == r"a b\|"
    assert r"| D\|1 | a \< b | a+b | a\*b |" in claims_markdown("Title", results(), [record("Fig9"), record("D|1")])


def test_proofs_are_listed_once_with_their_claims() -> None:
    """A proof that two claims share has one line."""
    markdown = claims_markdown("Title", results(), [record("Fig9", PROOF), record("D|1", PROOF)])
    assert markdown.count("`a-proof`") == 1
    assert r"- `a-proof` (Fig9, D\|1): For all x, x\_1 = x\_1." in markdown


def test_without_proofs_and_figures_there_are_no_empty_sections() -> None:
    """Only the table."""
    markdown = claims_markdown("Title", results(), [record("Fig9"), record("D|1")])
    assert [line for line in markdown.splitlines() if line.startswith("##")] == ["## Claims"]


def test_signs_are_listed_before_the_table() -> None:
    """One line for each, in both texts; what each status means stands above the claims."""
    claims = claims_markdown("Title", results(), [record("Fig9"), record("D|1")], ["f_x: a curve", "g: a gain"])
    errata = errata_markdown("Title", "paper2025", [ERRATUM], ["f_x: a curve", "g: a gain"])
    for markdown in (claims, errata):
        assert "## Notation\n\n- f\\_x: a curve\n- g: a gain\n\n## " in markdown
    assert claims.index("- false\\_as\\_stated: the printed formula fails") < claims.index("## Notation")


def test_typed_relations_become_signs() -> None:
    """<=, >=, -> and a minus between spaces, not a hyphen."""
    assert text("a <= b - c >= d -> e-f") == "a ≤ b − c ≥ d → e-f"


def test_an_erratum_shows_both_formulas() -> None:
    """Under each other in a table of two rows; no table where no formula is printed."""
    markdown = errata_markdown("Title", "paper2025", [ERRATUM])
    assert "| printed | f\\|g |\n| true | f ≤ g − 1 |\n" in markdown
    assert "| | formula |" not in errata_markdown("Title", "paper2025", [ERRATUM | {"printed_formula": ""}])


def test_the_index_of_errata_has_summaries() -> None:
    """The kind of the erratum where it has none."""
    assert "| [Fig9](#fig9) | an average for a mix |" in errata_markdown("Title", "paper2025", [ERRATUM])
    plain = errata_markdown("Title", "paper2025", [ERRATUM | {"summary": ""}])
    assert "| [Fig9](#fig9) | false as stated |" in plain


def test_commands_are_relative_to_the_folder_of_the_file() -> None:
    """Wherever the report was written, its own certificates are meant."""
    markdown = errata_markdown("Title", "paper2025", [ERRATUM])
    assert "from this folder:\n\n    oracle verify certificates/*.json\n" in markdown
    assert "reports/" not in markdown


def test_figures_are_shown_with_their_data_and_note() -> None:
    """The description is the alternative text."""
    figure = FIGURES[-1]
    markdown = claims_markdown("Title", results(), [record("Fig9"), record("D|1")], figures=[figure])
    assert "### Figure 9: Visible choice" in markdown
    assert f"![{text(figure.description)}](figures/fig-9.svg)" in markdown
    assert "Data: [fig-9.csv](figures/fig-9.csv)." in markdown
    assert text(figure.note) in markdown


def test_an_erratum_links_its_certificate_and_figures() -> None:
    """Only the figures of its own claim."""
    markdown = errata_markdown("Title", "paper2025", [ERRATUM], figures=FIGURES)
    assert "Certificate: [certificates/Fig9.json](certificates/Fig9.json)" in markdown
    assert "Figure 9: [redrawn](figures/fig-9.svg), [data](figures/fig-9.csv)." in markdown
    assert "fig-2" not in markdown
    assert "(#fig9)" in markdown
    assert '<a id="fig9"></a>' in markdown


UNCLAIMED = ERRATUM | {
    "printed": f"{NOT_PRINTED}the analogue is f.",
    "printed_formula": f"{NOT_PRINTED}f",
    "summary": "",
}


@pytest.mark.parametrize("scope", ["statement", "remark"])
def test_what_the_paper_does_not_claim_is_no_error_of_it(scope: str) -> None:
    """Its entry says so in place of the scope, and the head of the errata explains the words."""
    markdown = errata_markdown("Title", "paper2025", [UNCLAIMED | {"scope": scope}])
    assert "**Not printed:** the analogue is f." in markdown
    assert "**Printed.**" not in markdown
    assert markdown.count("no error of the paper: what a reader may expect beside it is false") == 2
    assert 'An entry that begins with "Not printed" is no error of the paper.' in markdown
    assert "Not printed" not in errata_markdown("Title", "paper2025", [ERRATUM])


def test_the_table_of_claims_says_what_is_not_claimed() -> None:
    """Above the table, where there is such a claim only."""
    unclaimed = record("D|1") | {"printed": f"{NOT_PRINTED}f"}
    assert 'begins with "Not printed"' in claims_markdown("Title", results(), [record("Fig9"), unclaimed])
    assert "Not printed" not in claims_markdown("Title", results(), [record("Fig9"), record("D|1")])


def test_figures_say_whether_they_are_exact() -> None:
    """Exact corners, proved bounds, or both."""
    records = [record("Fig9"), record("D|1")]
    assert "exact fractions.\n" in claims_markdown("Title", results(), records, figures=FIGURES)
    enclosed = claims_markdown("Title", results(), records, figures=ENCLOSED)
    assert "Redrawn with proved bounds; the data list x exactly and both ends of the enclosure of y.\n" in enclosed
    both = claims_markdown("Title", results(), records, figures=(*FIGURES, *ENCLOSED))
    assert "exact corners, with exact fractions as data, or with proved bounds; then the data list x exactly" in both


def test_the_note_of_a_figure_of_many_errata_stands_once() -> None:
    """With the first of more than two; the others lead there."""
    figure = FIGURES[-1]
    entries = [ERRATUM | {"certificate": f"certificates/Fig9-{k}.json"} for k in range(3)]
    markdown = errata_markdown("Title", "paper2025", entries, figures=[figure])
    assert markdown.count(text(figure.note)) == 1
    assert markdown.index(text(figure.note)) < markdown.index('<a id="fig9-1"></a>')
    assert markdown.count("[data](figures/fig-9.csv). See [Fig9](#fig9-0).") == 2
    assert errata_markdown("Title", "paper2025", entries[:2], figures=[figure]).count(text(figure.note)) == 2
