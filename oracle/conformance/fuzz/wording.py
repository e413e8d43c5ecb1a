"""Answers and truths in few words, for people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from oracle.conformance.fuzz.asking import Judged
from oracle.errors import OracleError, shorten
from oracle.exact import Infinity, parse_extended, to_decimal
from oracle.json_text import dump_line

__all__ = ["few_digits", "told_answer", "told_truth"]


def told_answer(one: Judged) -> str:
    """What came back: the value with few digits, or the kind of the failure and its message."""
    if one.reply.kind != "value":
        return f"{one.reply.kind} ({shorten(one.reply.message, 100)})"
    return few_digits(one.reply.value)


def few_digits(value: object) -> str:
    """A number with few digits, anything else cut short."""
    try:
        number = parse_extended(value)
    except OracleError:
        return shorten(value, 100)
    return str(number) if isinstance(number, Infinity) else to_decimal(number, 12, "down")


def told_truth(truth: Mapping[str, Any]) -> str:
    """A truth with few digits."""
    ((kind, content), *_) = truth.items()
    match kind:
        case "exact":
            text = few_digits(content)
        case "enclosure":
            text = f"{few_digits(content[0])} to 12 digits"
        case "epsilon":
            text = f"{few_digits(content['lo'])} to 12 digits"
        case "renyi":
            text = told_truth(content.get("divergence") or content["moment"])
        case "feeds":
            text = f"a scale that gives a delta of at most {few_digits(truth['at_most'])}"
        case "rejects":
            text = f"none: {content}"
        case _:
            text = shorten(dump_line(truth), 120)
    return text
