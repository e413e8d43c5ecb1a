"""The table of true against nominal levels: ``python -m tests.benchmarks.coverage --out reports/statistics``.

Everything is enumerated exactly, in about a minute, and the files are the same on every machine.
"""

from __future__ import annotations

import argparse
import csv
import io
from collections.abc import Sequence
from pathlib import Path

from oracle.exact import to_decimal, to_text
from oracle.writing import write_all
from tests.benchmarks.coverage.rows import LEVEL, OURS, PEER, Row, rows

_DIGITS = 4
_HEADS = ("method", "setting", "true level", "")
_INTRODUCTION = """\
# True against nominal levels

How often a method is wrong where it should not be: a test rejects a claim that holds, a bound misses the truth.
Nominal is 1/20 = 0.05 everywhere. Every probability is an exact sum over all counts, nothing is simulated; the numbers
are rounded up, and `coverage.csv` has them as fractions. Made by
`python -m tests.benchmarks.coverage --out reports/statistics`.

Where the worst case is the largest of a grid, a second number is proved to exceed all others between its points (the
test being monotone in both counts); a single number is the supremum itself, or, marked \\*, the largest that was looked
at.
"""
_TITLES = {
    OURS: "## What this project offers",
    PEER: "## Methods as other tools have them",
}
_NOTES = """\
The methods of the second table are short functions of double-precision arithmetic in
`tests/benchmarks/coverage/peers.py` (the posterior probability, Fisher's test and the best threshold are exact),
audited as methods and not as releases of a tool. Credible regions are about their priors and promise no level; they
are here because they are often read as confidence bounds.
"""


def main() -> None:
    """Enumerate, and write coverage.md and coverage.csv."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.coverage", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="folder of the table")
    found = list(rows())
    write_all(parser.parse_args().out, {"coverage.md": markdown(found).encode(), "coverage.csv": table(found).encode()})


def markdown(found: Sequence[Row]) -> str:
    """The table for readers."""
    parts = [_INTRODUCTION]
    for source, title in _TITLES.items():
        lines = [_HEADS, ["---"] * len(_HEADS), *(_line(row) for row in found if row.source == source)]
        parts += [title, "\n".join("| " + " | ".join(line) + " |" for line in lines)]
    return "\n\n".join(part.rstrip() for part in [*parts, _NOTES]) + "\n"


def _line(row: Row) -> list[str]:
    shown = to_decimal(row.found, _DIGITS, "up")
    if row.bound is None:
        shown += " \\*"
    elif row.bound != row.found:
        shown += f" (at most {to_decimal(row.bound, _DIGITS, 'up')})"
    return [row.method, row.setting, shown, "keeps its level" if row.keeps else "**too often**"]


def table(found: Sequence[Row]) -> str:
    """The table for programs."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["source", "method", "setting", "nominal", "found", "proved_at_most", "keeps_its_level"])
    for row in found:
        bound = "" if row.bound is None else to_text(row.bound)
        keeps = "yes" if row.keeps else "no"
        writer.writerow([row.source, row.method, row.setting, to_text(LEVEL), to_text(row.found), bound, keeps])
    return text.getvalue()


if __name__ == "__main__":
    main()
