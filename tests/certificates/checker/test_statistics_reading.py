"""Reading counts, confidences and selections of certificates about samples: strict, and the arithmetic of levels."""

from __future__ import annotations

from fractions import Fraction

import pytest

from oracle.certificates.checker.statistics_reading import between, require_level, selection, whole
from oracle.certificates.checker.verdict import Rejected


@pytest.mark.parametrize("value", ["-1", "01", "1.0", "1/2", " 1", "", "9", 1, True, None, "1" * 19, "\u0661"])
def test_counts_are_decimal_strings_in_a_range(value):
    """Whatever else there is, is rejected."""
    assert [whole(str(k), "$", 0, 8) for k in (0, 8)] == [0, 8]
    with pytest.raises(Rejected, match="whole number from 0 to 8"):
        whole(value, "$", 0, 8)


@pytest.mark.parametrize("value", ["0", "1", "-1/2", "3/2", "2/4", "0.5", 1, None])
def test_confidences_are_between_0_and_1(value):
    """Both ends excluded, lowest terms."""
    assert between("19/20", "$") == Fraction(19, 20)
    with pytest.raises(Rejected):
        between(value, "$")


def test_how_the_event_was_chosen():
    """The number of statements that share the level, and words."""
    assert selection({"kind": "declared"}, "$")[0] == selection({"kind": "split"}, "$")[0] == 1
    members, words = selection({"kind": "family", "size": "12"}, "$")
    assert members == 12
    assert "family of 12" in words


@pytest.mark.parametrize(
    "value",
    [
        None,
        "declared",
        {},
        {"kind": "best"},
        {"kind": None},
        {"kind": "declared", "size": "1"},
        {"kind": "split", "size": "2"},
        {"kind": "family"},
        {"kind": "family", "size": "0"},
        {"kind": "family", "size": 2},
        {"kind": "family", "size": "2", "more": "0"},
    ],
)
def test_other_selections_are_rejected(value):
    """No family of size 0, no size without a family."""
    with pytest.raises(Rejected):
        selection(value, "$")


def test_levels_add_up():
    """Equality is allowed."""
    require_level(Fraction(1, 20), Fraction(19, 20), 1, "$")
    require_level(Fraction(1, 240), Fraction(19, 20), 12, "$")
    for used, members in ((Fraction(1, 20), 2), (Fraction(1, 19), 1)):
        with pytest.raises(Rejected, match="add up to more"):
            require_level(used, Fraction(19, 20), members, "$")
