"""Differences as a table."""

from __future__ import annotations

from oracle.audits.differences import Difference
from oracle.render.differences import differences_text


def test_values_of_every_kind():
    """Absent, true and false, enclosures, shapes, lists, long numbers."""
    found = [
        Difference("a", None, "1/2"),
        Difference("b", True, False),
        Difference("c", {"lo": "1", "hi": "2"}, "inf"),
        Difference("d", {"inputs": 2, "outputs": 3}, {"inputs": 2, "outputs": None}),
        Difference("e", [1], [2]),
        Difference("f", "1" * 100, "x"),
    ]
    lines = differences_text(found).split("\n")
    assert lines[0] == "6 differences"
    cells = [line.split("  ") for line in lines[2:]]
    shown = [[cell.strip() for cell in line if cell.strip()] for line in cells]
    assert shown == [
        ["a", "-", "1/2"],
        ["b", "yes", "no"],
        ["c", "between 1 and 2", "inf"],
        ["d", "2 inputs, 3 outputs", "2 inputs, infinitely many outputs"],
        ["e", "another one", "another one"],
        ["f", "11111111...1111 (100 digits)", "x"],
    ]


def test_no_difference():
    """In words."""
    assert differences_text([]) == "The reports say the same."
