"""How the event was chosen, and the arithmetic of levels."""

from __future__ import annotations

import pytest
from gmpy2 import mpq

from oracle.errors import InputError, LimitError
from oracle.statistics.selection import DECLARED, Selection, parse_confidence, parse_selection, tail_levels


@pytest.mark.parametrize(
    ("text", "selection", "document"),
    [
        ("declared", DECLARED, {"kind": "declared"}),
        ("split", Selection("split"), {"kind": "split"}),
        ("family:12", Selection("family", 12), {"kind": "family", "size": "12"}),
        ("family:1", Selection("family", 1), {"kind": "family", "size": "1"}),
    ],
)
def test_the_three_ways(text, selection, document):
    """As text, as a value and as JSON."""
    assert parse_selection(text) == selection
    assert selection.to_json() == document


@pytest.mark.parametrize("text", ["", "Declared", "family", "family:", "family:0", "family:-1", "family:1.5", "best"])
def test_what_says_nothing_is_refused(text):
    """A family of size 0, and an event of which nobody says how it was chosen."""
    with pytest.raises(InputError, match=r"declared|at least 1 member"):
        parse_selection(text)


@pytest.mark.parametrize("arguments", [("family", 0), ("declared", 2), ("split", 3), ("best", 1)])
def test_impossible_values_are_refused(arguments):
    """As from text."""
    with pytest.raises(InputError):
        Selection(*arguments)


@pytest.mark.parametrize("value", ["0", "1", "-1/2", "3/2", 0.95, "95%", "nan", None, ""])
def test_a_confidence_is_between_0_and_1(value):
    """Floats and percentages are refused as everywhere."""
    with pytest.raises(InputError):
        parse_confidence(value)


def test_what_no_certificate_could_hold_is_refused():
    """Families and confidences of too many digits."""
    with pytest.raises(LimitError, match="members"):
        Selection("family", 10**18 + 1)
    with pytest.raises(LimitError, match="3300 bits"):
        parse_confidence(1 - mpq(1, 10**1000))


@pytest.mark.parametrize("size", [1, 2, 12, 10**6])
@pytest.mark.parametrize("statements", [1, 2])
@pytest.mark.parametrize("share", [mpq(1, 2), mpq(1, 3)])
def test_levels_add_up_over_the_family(size, statements, share):
    """For one of twelve, each bound has 1/480 of 1/20."""
    first, second = tail_levels(mpq(19, 20), Selection("family", size), statements, share)
    assert (first + second) * size * statements == mpq(1, 20)
    assert first == share * (first + second)
    assert tail_levels(mpq(19, 20), Selection("family", 12)) == (mpq(1, 480), mpq(1, 480))


def test_levels_refuse_what_is_no_share():
    """Nor three statements for one event."""
    for statements, share in ((0, mpq(1, 2)), (3, mpq(1, 2)), (1, mpq(0)), (1, mpq(1))):
        with pytest.raises(InputError):
            tail_levels(mpq(19, 20), DECLARED, statements, share)
