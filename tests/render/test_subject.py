"""What the laws say about a subject, as text."""

from __future__ import annotations

from typing import Any

from oracle.render.subject import findings_markdown, findings_table


def row(verdict: str, **more: Any) -> dict[str, Any]:
    blank = dict.fromkeys(("worst", "worst_decimal", "excess", "excess_decimal", "example"))
    return {"claim": "C1", "law": f"a {verdict} law", "verdict": verdict, "cases": 40, **blank, **more}


BROKEN = {"worst": "1/4", "worst_decimal": "+0.25", "excess": "1/8", "excess_decimal": "+0.125"}
DOCUMENT = {
    "paper": "paper2025",
    "subject": {"name": "float64", "version": "NumPy 2.0"},
    "counts": {"holds": 1, "rounding": 0, "material": 1, "declined": 1, "error": 1},
    "laws": [
        row("holds", worst="0", worst_decimal="0"),
        row("material", example=f"[{2**100 - 1}/{2**100} | 0]; {10**40}; {10**30 + 12345}", **BROKEN),
        row("declined"),
        row("error", example="op: <no> answer"),
    ],
}


def test_the_table_has_a_line_for_each_law_and_a_sum() -> None:
    """Counts of 0 are left out."""
    text = findings_table(DOCUMENT)
    for one in DOCUMENT["laws"]:
        assert one["law"] in text
    assert text.endswith("1 holds, 1 material, 1 declined, 1 error")
    assert "+0.25" in text


def test_broken_laws_show_their_input_and_size() -> None:
    """The shrunk input with powers written short, the exact excess, and the largest one met."""
    text = findings_markdown("Title", DOCUMENT)
    assert "The subject is `float64` (NumPy 2.0), asked" in text
    assert "Input: \\[(2^100-1)/2^100 \\| 0\\]; 10^40; 1000000000000000000000000012345." in text
    assert "Excess on it: +0.125 (exactly 1/8); largest met: +0.25." in text
    assert "## Broken materially" in text
    assert "## Broken by rounding" not in text


def test_errors_are_shown_as_text() -> None:
    """What went wrong, with markup escaped."""
    text = findings_markdown("Title", DOCUMENT)
    assert "## Errors" in text
    assert "op: \\<no\\> answer" in text


def test_long_numbers_are_cut() -> None:
    """An excess that is too long for a line is left to the JSON file, a long input is cut."""
    long = DOCUMENT | {"laws": [row("material", **BROKEN | {"excess": "1/" + "7" * 60}, example="1 " * 500)]}
    text = findings_markdown("Title", long)
    assert "exactly" not in text
    assert "(1000 characters)" in text
