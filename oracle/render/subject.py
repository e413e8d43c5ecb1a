"""What the laws say about a subject, as a terminal table and as Markdown."""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import log
from typing import Any, Final

from tabulate import tabulate

from oracle.errors import shorten
from oracle.render.reproduction import cell, text

__all__ = ["findings_markdown", "findings_table"]

_MEANING: Final = {
    "holds": "no example breaks it",
    "rounding": "broken, never by more than 10^-9 in this search",
    "material": "broken by more than 10^-9; a wrong decision or a wrong shape counts as 1",
    "declined": "the subject does not offer what the law asks",
    "error": "the subject gave no answer that can be read",
}
_SHOWN: Final = 240
_EXACT: Final = 48
_LONG: Final = re.compile(r"[0-9]{10,}")
_NEAR: Final = 100


def findings_table(document: Mapping[str, Any]) -> str:
    """One line for each law: claim, law, verdict, cases and largest excess."""
    rows = [
        [row["claim"], row["law"], row["verdict"], row["cases"], row["worst_decimal"] or ""] for row in document["laws"]
    ]
    table = tabulate(rows, headers=["claim", "law", "verdict", "cases", "worst"], disable_numparse=True)
    return f"{table}\n\n{_summary(document)}"


def _summary(document: Mapping[str, Any]) -> str:
    return ", ".join(f"{count} {verdict}" for verdict, count in document["counts"].items() if count)


def findings_markdown(title: str, document: Mapping[str, Any]) -> str:
    """The findings: counts, a table of all laws, and the shrunk input of each that is broken."""
    subject = document["subject"]
    lines = [
        f"# Laws of {document['paper']} against {text(subject['name'])}",
        "",
        f"{title}.",
        "",
        f"The subject is `{subject['name']}` ({text(str(subject['version']))}), asked through the request",
        "protocol. Inputs are exact rationals; the subject rounds them itself, and its answers are compared as the",
        "exact values of its doubles. An excess is by how much a law is broken: above 0 it is a violation, on the",
        "wrong side of the law. It is absolute, so where a level of 10^100 scales both sides it is large too. Decimals",
        "are rounded up; the exact numbers are in",
        f"[{subject['name']}.json]({subject['name']}.json).",
        "",
        "| verdict | laws | meaning |",
        "|---|---|---|",
        *(f"| {name} | {document['counts'][name]} | {meaning} |" for name, meaning in _MEANING.items()),
        "",
        "| claim | law | verdict | cases | worst excess |",
        "|---|---|---|---|---|",
    ]
    for row in document["laws"]:
        texts = [row["claim"], row["law"], row["verdict"], str(row["cases"]), row["worst_decimal"] or ""]
        lines.append("| " + " | ".join(map(cell, texts)) + " |")
    for verdict, heading in (
        ("material", "Broken materially"),
        ("rounding", "Broken by rounding"),
        ("error", "Errors"),
    ):
        rows = [row for row in document["laws"] if row["verdict"] == verdict]
        if rows:
            lines += ["", f"## {heading}", *(line for row in rows for line in _section(row))]
    return "\n".join(lines) + "\n"


def _readable(example: str) -> str:
    """The example with long integers next to a power written as such: (2^100-1) in place of its 31 digits."""
    return _LONG.sub(lambda found: _power(int(found[0])) or found[0], example)


def _power(value: int) -> str | None:
    for base in (2, 7, 10):
        exponent = round(log(value) / log(base))
        rest = value - base**exponent
        if abs(rest) < _NEAR:
            return f"({base}^{exponent}{rest:+d})" if rest else f"{base}^{exponent}"
    return None


def _section(row: Mapping[str, Any]) -> list[str]:
    lines = ["", f"- **{text(row['claim'])}**, {text(row['law'])}."]
    if row["example"] is not None:
        lines.append(f"  Input: {text(shorten(_readable(row['example']), _SHOWN))}.")
    if row["excess"] is not None:
        exact = f" (exactly {row['excess']})" if len(row["excess"]) <= _EXACT else ""
        lines.append(f"  Excess on it: {row['excess_decimal']}{exact}; largest met: {row['worst_decimal']}.")
    return lines
