"""The two verdicts and the words they are given in."""

from __future__ import annotations

import dataclasses
from fractions import Fraction

import pytest

from oracle.certificates.checker.verdict import Accepted, Rejected, brief, quoted, shown


def test_accepted_cannot_be_changed():
    """A verdict is immutable."""
    with pytest.raises(dataclasses.FrozenInstanceError):
        Accepted("glb", "It is.", ()).kind = "lub"


def test_rejected_says_what_and_where():
    """The reason and the place are attributes and make the message."""
    rejected = Rejected("too small", "$.h")
    assert (rejected.reason, rejected.where, str(rejected)) == ("too small", "$.h", "too small (at $.h)")


@pytest.mark.parametrize(
    ("value", "text"),
    [("a\n", "'a\\n'"), ("é", "'\\xe9'"), (None, "null"), (True, "true"), (7, "7"), (10**30, "a long integer")],
)
def test_quoted(value, text):
    """Untrusted values become printable ASCII."""
    assert quoted(value) == text


def test_long_values_are_cut():
    """Long text, numbers and strings of digits are shown by their size."""
    assert quoted("x" * 1000) == f"'{'x' * 80}'... (1000 characters)"
    assert brief("1" * 1000) == f"{'1' * 20}...{'1' * 20} [1000 characters]"
    assert shown(Fraction(1, 3)) == "1/3"
    assert shown(Fraction(1, 2**1000)) == "a number of 1002 bits"
