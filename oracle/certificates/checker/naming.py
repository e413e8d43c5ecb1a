"""What the facts of an `evaluation` certificate say, in words: T(M1)(1/6) = 1/6 (fact 0) < 1/3, where M1 = [...].

Everything here is made from the facts themselves after they were checked, never from words in the document.  Matrices
are called M1, M2, ... and curves f1, f2, ... in the order in which they are mentioned; small ones are printed in full.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .verdict import brief

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_MOST_ENTRIES = 12
_MOST_TERMS = 6
_MOST_COLUMNS = 12
_HEX_SHOWN = 16


class Namer:
    """Words for checked facts; `hashes` maps "facts[k].field" to the hash of the matrix or curve there."""

    def __init__(self, facts: Sequence[Mapping[str, Any]], hashes: Mapping[str, str]) -> None:
        self._facts = facts
        self._hashes = hashes
        self._labels: dict[str, str] = {}
        self._texts: dict[str, str] = {}

    def conclusion(self, k: int) -> str:
        """Return fact k, a comparison, product or equivalence, as a formula."""
        fact = self._facts[k]
        if fact["fact"] == "product":
            left, right, product = (self._matrix(k, name) for name in ("left", "right", "product"))
            return f"{left}*{right} = {product}"
        if fact["fact"] == "equivalent":
            left, right = (self._matrix(k, name) for name in ("left", "right"))
            return f"{left} and {right} are equal up to zero columns, order and columns of equal ratio"
        left, right = self._said(fact["left"]), self._said(fact["right"])
        if fact["relation"] == "=" and isinstance(fact["left"], dict) and isinstance(fact["right"], str):
            return left  # its own value, which is the number on the right
        return f"{left} {fact['relation']} {right}"

    def legend(self) -> str:
        """Return what the labels stand for that were used so far."""
        return ", ".join(f"{label} = {self._texts[label]}" for label in self._texts)

    def _said(self, reference: object) -> str:
        """Return a number, or an earlier fact by what it is, its value and its index."""
        if not isinstance(reference, dict):
            return brief(str(reference))
        k, end = reference["fact"], reference.get("end")
        if end is not None:
            return f"{self._bound(k, end)} (fact {k})"
        return f"{self._quantity(k)} = {brief(self._facts[k]['value'])} (fact {k})"

    def _bound(self, k: int, end: str) -> str:
        fact = self._facts[k]
        side = "lower" if end == "lo" else "upper"
        function = "Phi" if fact["function"] == "normal" else fact["function"]
        return f"the {side} bound {brief(fact[end])} of {function}({brief(fact['argument'])})"

    def _quantity(self, k: int) -> str:
        """Return what the value of fact k is the value of."""
        fact = self._facts[k]
        kind = fact["fact"]
        if kind == "event_sum":
            return self._event_sum(k)
        if kind == "curve_value":
            of = self._curve(k) if "tradeoff" in fact else f"T({self._matrix(k, 'channel')})"
            return f"{of}({brief(fact['alpha'])})"
        if kind == "hockey_stick":
            first, second = ("p", "q") if fact["direction"] == "forward" else ("q", "p")
            level = fact["level"]
            rest = {"0": "", "1": f" - {second}"}.get(level, f" - {brief(level)} {second}")
            return f"sum max(0, {first}{rest}) of {self._matrix(k, 'channel')}"
        if kind == "vulnerability":
            return f"V_g({self._matrix(k, 'channel')}) for g = {self._matrix(k, 'gain')}"
        return self._combination(k)

    def _event_sum(self, k: int) -> str:
        fact = self._facts[k]
        event = fact["event"]
        columns = f"column{'s' if len(event) > 1 else ''} {', '.join(map(str, event))}" if event else "no column"
        if len(event) > _MOST_COLUMNS:
            columns = f"{len(event)} columns"
        return f"row {fact['row']} of {self._matrix(k, 'matrix')} over {columns}"

    def _combination(self, k: int) -> str:
        """Return a sum of coefficient * quantity; a combination inside is named by its index, so nothing grows."""
        terms = self._facts[k]["terms"]
        if len(terms) > _MOST_TERMS:
            return f"a combination of {len(terms)} terms"
        text = ""
        for coefficient, reference in terms:
            sign, size = ("-", coefficient[1:]) if coefficient.startswith("-") else ("+", coefficient)
            quantity = self._term(reference)
            product = quantity if size == "1" else f"{brief(size)} * {quantity}"
            text += f" {sign} {product}" if text else f"{'-' if sign == '-' else ''}{product}"
        return text

    def _term(self, reference: object) -> str:
        if not isinstance(reference, dict):
            number = brief(str(reference))
            return f"({number})" if number.startswith("-") else number
        k, end = reference["fact"], reference.get("end")
        if end is not None:
            return f"[{self._bound(k, end)}]"
        return f"[fact {k}]" if self._facts[k]["fact"] == "combination" else f"[{self._quantity(k)}]"

    def _matrix(self, k: int, name: str) -> str:
        value = self._facts[k][name]
        rows = value["matrix"] if isinstance(value, dict) else value
        short = len(rows) * len(rows[0]) <= _MOST_ENTRIES
        full = f"[{'; '.join(' '.join(map(brief, row)) for row in rows)}]" if short else None
        return self._label("M", k, name, full, f"the {len(rows)} x {len(rows[0])} matrix")

    def _curve(self, k: int) -> str:
        corners = self._facts[k]["tradeoff"]
        short = 2 * len(corners) <= _MOST_ENTRIES
        full = f"the curve through {', '.join(f'({brief(a)}, {brief(b)})' for a, b in corners)}" if short else None
        return self._label("f", k, "tradeoff", full, f"the curve of {len(corners)} corners")

    def _label(self, letter: str, k: int, name: str, full: str | None, size: str) -> str:
        """Return the label of a matrix or curve, a new one at its first mention."""
        digest = self._hashes[f"facts[{k}].{name}"]
        if digest not in self._labels:
            label = f"{letter}{sum(1 for known in self._texts if known[0] == letter) + 1}"
            self._labels[digest] = label
            self._texts[label] = full if full is not None else f"{size} sha256:{digest[:_HEX_SHOWN]}..."
        return self._labels[digest]
