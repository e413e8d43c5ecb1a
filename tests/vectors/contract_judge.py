"""Judges an answer against one line of fixtures/vectors/contract.jsonl, by the rules of the README there.

Plain ``fractions``; nothing of the package is imported.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from tests.vectors import by_definition as definition

__all__ = ["DIGITS", "complaints"]

DIGITS = 12
ANY_TEXT = "..."
OUTCOMES = ("value", "declined", "error")


def complaints(request: dict[str, Any], expected: dict[str, Any], answer: Any) -> list[str]:
    """What is wrong with an answer; an empty list for a right one."""
    if not isinstance(answer, dict) or answer.get("id") != expected["id"]:
        return ["no answer with the id of the request"]
    (outcome,) = (key for key in OUTCOMES if key in expected)
    given = [key for key in OUTCOMES if key in answer]
    if given != [outcome]:
        return [f"expected {outcome}, got {' and '.join(given) or 'nothing'}"]
    if outcome != "value":
        text = answer[outcome]
        return [] if isinstance(text, str) and text and expected[outcome] in (ANY_TEXT, text) else [f"text {text!r}"]
    return _value(request, expected["value"], answer["value"])


def _value(request: dict[str, Any], expected: Any, value: Any) -> list[str]:
    """Evidence is checked, enclosures are compared as such, the rest letter for letter."""
    if request["op"] == "refines":
        return _refinement(request["args"], expected, value)
    if isinstance(expected, dict) and isinstance(value, dict):
        value = {key: item for key, item in value.items() if key != "certificate"}
        if set(value) != set(expected):
            return [f"keys {sorted(value)}, expected {sorted(expected)}"]
        if {"lo", "hi"} <= set(expected):
            found = _enclosure(expected, value)
            return found + _plain({**expected, "lo": "", "hi": ""}, {**value, "lo": "", "hi": ""})
        return [line for key in expected for line in _value(request, expected[key], value[key])]
    return _plain(expected, value)


def _plain(expected: Any, value: Any) -> list[str]:
    same = value == expected and type(value) is type(expected)
    return [] if same or (expected == ANY_TEXT and isinstance(value, str)) else [f"{value!r}, expected {expected!r}"]


def _enclosure(expected: dict[str, str], value: dict[str, Any]) -> list[str]:
    """Overlap with the given enclosure, and hi - lo <= 10^-12 max(|lo|, |hi|); exact ends are exact."""
    ends = value["lo"], value["hi"]
    if not all(isinstance(end, str) for end in ends):
        return [f"ends {ends!r}"]
    if expected["lo"] == expected["hi"]:
        return [] if ends == (expected["lo"], expected["hi"]) else [f"ends {ends!r}"]
    lo, hi = map(Fraction, ends)
    found = []
    if not lo <= hi or (hi - lo) * 10**DIGITS > max(abs(lo), abs(hi)):
        found.append(f"too wide: {ends!r}")
    if hi < Fraction(expected["lo"]) or Fraction(expected["hi"]) < lo:
        found.append(f"{ends!r} misses {expected!r}")
    return found


def _refinement(args: dict[str, Any], expected: dict[str, Any], value: Any) -> list[str]:
    """A witness by multiplication, a level by its sums."""
    if not isinstance(value, dict) or value.get("holds") is not expected["holds"]:
        return [f"expected holds = {expected['holds']}"]
    if set(value) != set(expected):
        return [f"keys {sorted(value)}"]
    left, right = definition.channel(args["left"]), definition.channel(args["right"])
    if expected["holds"]:
        return _witness(left, right, value["witness"])
    h, *stated = (Fraction(value[key]) for key in ("h", "left", "right"))
    sums = [definition.hockey_stick(rows[1], rows[0], h) for rows in (left, right)]
    return [] if h >= 0 and stated == sums and sums[0] < sums[1] else [f"no separation: {value!r}"]


def _witness(left: list[list[Fraction]], right: list[list[Fraction]], witness: dict[str, Any]) -> list[str]:
    if set(witness) != {"rows", "columns", "entries"}:
        return [f"keys {sorted(witness)}"]
    if (witness["rows"], witness["columns"]) != (len(left[0]), len(right[0])):
        return ["shape of the witness"]
    places = [(i, j) for i, j, _ in witness["entries"]]
    if places != sorted(set(places)):
        return ["entries not sorted"]
    dense = [[Fraction(0)] * witness["columns"] for _ in range(witness["rows"])]
    for i, j, text in witness["entries"]:
        dense[i][j] = Fraction(text)
        if text != str(dense[i][j]) or dense[i][j] <= 0:
            return [f"entry {text!r}"]
    if any(sum(row) != 1 for row in dense):
        return ["a row that does not sum to 1"]
    return [] if definition.multiply(left, dense) == right else ["the product is another channel"]
