"""Strict YAML: scalars as text, and what is refused, with its line."""

from __future__ import annotations

import pytest

from oracle.errors import InputError
from oracle.yaml_text import parse_yaml


def test_every_scalar_is_the_text_that_stands_there():
    """Numbers, dates and truth values too; nothing becomes a float."""
    text = "a: 1.0e-10\nb: yes\nc: 2020-01-01\nd: ['1', 0x10]\ne:\n"
    assert parse_yaml(text, "x") == {"a": "1.0e-10", "b": "yes", "c": "2020-01-01", "d": ["1", "0x10"], "e": ""}


def test_an_empty_document_is_empty_text():
    """Comments alone too."""
    assert parse_yaml("# nothing\n", "x") == ""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: 1\na: 2\n", r"x\.yaml:2: expected each key once, got a twice"),
        ("a: &b 1\n", r"x\.yaml:1: expected YAML without anchors and aliases"),
        ("a: [1\n", r"x\.yaml:\d: expected YAML"),
        ("? [1]\n: 2\n", r"x\.yaml:1: expected a key that is text"),
        ("--- 1\n--- 2\n", r"expected YAML"),
        ("\n".join("  " * k + "a:" for k in range(60)), "at most 50 levels"),
        ("a: \x00", "expected YAML"),
        ("a: " + "[" * 5000 + "]" * 5000, "at most 50 levels"),
    ],
)
def test_what_is_refused(text, message):
    """With what was expected and the line."""
    with pytest.raises(InputError, match=message):
        parse_yaml(text, "x.yaml")
