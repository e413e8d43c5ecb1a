"""The checks of a registry record as lines for a terminal: the verdict first, then what does not agree."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from tabulate import tabulate

from oracle.audits.registry import Check
from oracle.render.words import count, printable

__all__ = ["record_json", "record_text", "verdict_of"]

_ORDER: Final = ("inconsistent", "undecided", "missing", "consistent")


def verdict_of(checks: Sequence[Check]) -> str:
    """One word: inconsistent if one check is, else incomplete if one is undecided or missing, else consistent."""
    outcomes = {check.outcome for check in checks}
    if "inconsistent" in outcomes:
        return "inconsistent"
    return "incomplete" if outcomes & {"undecided", "missing"} else "consistent"


def record_json(name: str, checks: Sequence[Check]) -> dict[str, Any]:
    """The same as JSON."""
    return {"name": name, "verdict": verdict_of(checks), "checks": [check.to_json() for check in checks]}


def record_text(name: str, checks: Sequence[Check]) -> str:
    """A line for each check, those that need a look first."""
    rows = sorted(checks, key=lambda check: _ORDER.index(check.outcome))
    table = [[check.outcome, printable(check.field), printable(check.text)] for check in rows]
    head = f"{verdict_of(checks).upper()}: {printable(name)}, {count(len(checks), 'check')} of its numbers"
    if not table:
        return f"{head}; nothing in it can be checked"
    return f"{head}\n{tabulate(table, ['outcome', 'field', ''], tablefmt='plain', disable_numparse=True)}"
