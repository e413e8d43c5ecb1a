"""A reproduction as tables and Markdown, with its proofs and figures."""

from __future__ import annotations

from typing import Any

import pytest

from oracle.laws.fernandes2025.figures import FIGURES
from oracle.laws.proving import Proof
from oracle.render.reproduction import cell, claims_markdown, errata_markdown, results_table, text

PROOF = Proof("a-proof", "For all x, x_1 = x_1.", ("Fig9",), ("step",))


def results(rederived: str = "holds") -> dict[str, Any]:
    row = {"id": "Fig9", "status": "holds", "rederived": rederived, "cases": 40, "worst": None}
    return {"paper": "paper2025", "claims": [row, row | {"id": "D|1", "worst": "-1/2"}]}


def record(identity: str, *proofs: Proof) -> dict[str, Any]:
    words = {"statement": "a < b", "formula": "a*b", "source": "section 1", "hypotheses": ""}
    return {"id": identity, **words, "proofs": list(proofs)}


ERRATUM = {
    "id": "Fig9",
    "title": "visible choice",
    "source": "figure 9",
    "scope": "statement",
    "printed": "an average",
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
    assert r"| D\|1 | a \< b | a\*b |" in claims_markdown("Title", results(), [record("Fig9"), record("D|1")])


def test_proofs_are_listed_once_with_their_claims() -> None:
    """A proof that two claims share has one line."""
    markdown = claims_markdown("Title", results(), [record("Fig9", PROOF), record("D|1", PROOF)])
    assert markdown.count("`a-proof`") == 1
    assert r"- `a-proof` (Fig9, D\|1): For all x, x\_1 = x\_1." in markdown


def test_without_proofs_and_figures_there_are_no_empty_sections() -> None:
    """Only the table."""
    markdown = claims_markdown("Title", results(), [record("Fig9"), record("D|1")])
    assert "##" not in markdown


def test_figures_are_shown_with_their_data_and_note() -> None:
    """The description is the alternative text."""
    figure = FIGURES[-1]
    markdown = claims_markdown("Title", results(), [record("Fig9"), record("D|1")], [figure])
    assert "### Figure 9: Visible choice" in markdown
    assert f"![{text(figure.description)}](figures/fig-9.svg)" in markdown
    assert "Data: [fig-9.csv](figures/fig-9.csv)." in markdown
    assert text(figure.note) in markdown


def test_an_erratum_links_its_certificate_and_figures() -> None:
    """Only the figures of its own claim."""
    markdown = errata_markdown("Title", "paper2025", [ERRATUM], FIGURES)
    assert "Certificate: [certificates/Fig9.json](certificates/Fig9.json)" in markdown
    assert "Figure 9: [redrawn](figures/fig-9.svg), [data](figures/fig-9.csv)." in markdown
    assert "fig-2" not in markdown
    assert "(#fig9)" in markdown
    assert '<a id="fig9"></a>' in markdown
