"""The evidence beside an answer to ``refines``, checked by exact multiplication: a witness, a level or a gain.

A *witness* of left ⊑ right is ``{"rows", "columns", "entries"}``, the nonzero entries ``[row, column, value]`` of a
row-stochastic matrix W with left·W = right. Against it stand a level ``h`` >= 0 with
Σ max(0, q - h p) smaller for left than for right (two rows), or a ``gain`` >= 0, one row for each action and one
column for each input, whose sum over the outputs of the best action's gain is smaller for left than for right. An
answer may leave its evidence out; what it states is checked whatever it claims of its numbers, since a product either
is the other channel or is not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gmpy2 import mpq

from oracle.conformance.number_judging import NoAnswerError
from oracle.errors import shorten
from oracle.exact import parse_number
from oracle.operations import rational_channel

__all__ = ["fault_of_evidence"]

Rows = Sequence[Sequence[mpq]]


def fault_of_evidence(args: Mapping[str, Any], holds: bool, value: Mapping[str, Any]) -> str | None:
    """What is wrong with the evidence of an answer that is right; None if nothing is, or none is stated.

    Args:
        args: of the question: left and right.
        holds: the answer.
        value: where its evidence is, under ``witness`` or under ``h`` or ``gain``.

    Raises:
        NoAnswerError: for evidence that has not the shape of any.
        InputError: for a number in it that is none.
    """
    stated = next((key for key in (("witness",) if holds else ("h", "gain")) if value.get(key) is not None), None)
    if stated is None:
        return None
    left, right = (rational_channel(args[side], f"args.{side}").rows for side in ("left", "right"))
    if stated == "witness":
        return _fault_of_witness(left, right, value["witness"])
    if stated == "gain":
        gain = _gain(value["gain"], len(left))
        return None if _vulnerability(gain, left) < _vulnerability(gain, right) else "the gain does not separate them"
    level = parse_number(value["h"], "value.h")
    if level < 0 or len(left) != 2:
        raise NoAnswerError(f"expected a level h >= 0 about two rows, got {shorten(value['h'])}")
    return None if _stick(left, level) < _stick(right, level) else "the level h does not separate the channels"


def _fault_of_witness(left: Rows, right: Rows, witness: Any) -> str | None:  # noqa: ANN401 - a JSON value
    rows, columns = len(left[0]), len(right[0])
    if not isinstance(witness, Mapping) or not isinstance(witness.get("entries"), list):
        raise NoAnswerError(f'expected a witness {{"rows", "columns", "entries"}}, got {shorten(witness)}')
    if (witness.get("rows"), witness.get("columns")) != (rows, columns):
        return f"the witness is not a matrix of {rows} rows and {columns} columns"
    matrix = [[mpq(0)] * columns for _ in range(rows)]
    for n, entry in enumerate(witness["entries"]):
        if not isinstance(entry, list) or len(entry) != 3 or not all(type(place) is int for place in entry[:2]):
            raise NoAnswerError(f"expected entries [row, column, value], got {shorten(entry)}")
        i, j = entry[:2]
        if not (0 <= i < rows and 0 <= j < columns):
            return f"an entry of the witness lies outside it: {shorten(entry)}"
        matrix[i][j] += parse_number(entry[2], f"value.witness.entries[{n}]")
    if any(min(row) < 0 or sum(row) != 1 for row in matrix):
        return "a row of the witness is no probability distribution"
    product = [
        [sum((a * w[j] for a, w in zip(row, matrix, strict=True)), mpq(0)) for j in range(columns)] for row in left
    ]
    same = all(tuple(made) == tuple(row) for made, row in zip(product, right, strict=True))
    return None if same else "the product of left and the witness is not right"


def _stick(rows: Rows, level: mpq) -> mpq:
    """Σ max(0, q - h p)."""
    return sum((max(mpq(0), q - level * p) for p, q in zip(*rows, strict=True)), mpq(0))


def _gain(value: Any, inputs: int) -> list[list[mpq]]:  # noqa: ANN401 - a JSON value
    if not isinstance(value, list) or not value or any(not isinstance(g, list) or len(g) != inputs for g in value):
        raise NoAnswerError(f"expected a gain with {inputs} numbers for each action, got {shorten(value)}")
    gain = [[parse_number(g, "value.gain") for g in action] for action in value]
    if any(g < 0 for action in gain for g in action):
        raise NoAnswerError(f"expected a gain of at least 0, got {shorten(value)}")
    return gain


def _vulnerability(gain: Rows, rows: Rows) -> mpq:
    """Σ over the outputs of the best action's gain, each input of weight 1."""
    columns = list(zip(*rows, strict=True))
    best = (max(sum(g * c for g, c in zip(action, column, strict=True)) for action in gain) for column in columns)
    return sum(best, mpq(0))
