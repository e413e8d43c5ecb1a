"""The differences of two reports as a table for a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tabulate import tabulate

from oracle.audits.differences import Difference
from oracle.render.words import count, printable, short

__all__ = ["differences_text"]

_LONGEST = 60


def differences_text(found: Sequence[Difference]) -> str:
    """A line for each difference; the same in words where there is none."""
    if not found:
        return "The reports say the same."
    rows = [[printable(item.field), _shown(item.old), _shown(item.new)] for item in found]
    table = tabulate(rows, ["field", "old", "new"], tablefmt="plain", disable_numparse=True)
    return f"{count(len(found), 'difference')}\n{table}"


def _shown(value: Any) -> str:  # noqa: ANN401 - a value of a report
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping) and set(value) == {"lo", "hi"}:
        return f"between {short(value['lo'])} and {short(value['hi'])}"
    if isinstance(value, Mapping) and set(value) == {"inputs", "outputs"}:
        return f"{value['inputs']} inputs, {value['outputs'] or 'infinitely many'} outputs"
    if isinstance(value, (Mapping, list)):
        return "another one"
    text = printable(str(value))
    return text if len(text) <= _LONGEST else short(text)
