"""A conformance run on a terminal: the three numbers first, one line for each concept, then the worst cases."""

from __future__ import annotations

from typing import Final

from tabulate import tabulate

from oracle.errors import shorten
from oracle.render.conformance_stream import VERDICTS, Result, Run
from oracle.render.conformance_words import (
    answer_text,
    coverage,
    gap_text,
    law_text,
    mismatch_text,
    shown,
    soundness,
    status,
    tightness,
    title,
    truth_text,
    worst_text,
)
from oracle.render.words import count, printable

__all__ = ["render"]

_MOST_ROWS: Final = 20
_LONGEST_CELL: Final = 36
_COLOURS: Final = {"CLEAN": "\x1b[1;32m", "FINDINGS": "\x1b[1;31m", "INCOMPLETE": "\x1b[1;33m"}
_RESET: Final = "\x1b[0m"


def render(run: Run, *, colour: bool = False, written: bool = False) -> str:
    """The run as text, without a final line break.

    Args:
        run: the stream.
        colour: mark the first word for a terminal.
        written: there are report files to point to for what is cut.
    """
    word = status(run)
    if colour:
        word = f"{_COLOURS[word]}{word}{_RESET}"
    mismatches = [result for result in run.results if result.mismatch]
    lines = [
        f"{word}: {title(run)}, suite {printable(run.suite)}",
        f"  soundness  {soundness(run)}",
        f"  tightness  {tightness(run)}",
        f"  coverage   {coverage(run)}",
        "",
        _concepts(run),
    ]
    if run.attention:
        lines += ["", *_attention(run, written=written)]
    broken = [law for law in run.laws_by_severity if law.broken]
    if broken:
        rows = [[printable(law.name), law.verdict, law_text(law)] for law in broken[:_MOST_ROWS]]
        heads = ["law across answers", "verdict", ""]
        lines += ["", _table(rows, heads), *_more(len(broken), "breach", written=written)]
    lines += ["", *(f"{printable(r.case)}: {mismatch_text(r)}" for r in mismatches)] if mismatches else []
    if not run.complete:
        lines += ["", "The run did not finish: the stream has no footer that says so. Go on with --resume."]
    return "\n".join(lines)


def _concepts(run: Run) -> str:
    used = [verdict for verdict in VERDICTS if run.counts[verdict]]
    rows = []
    for concept in run.concepts:
        counts = [str(concept.counts[verdict] or "") for verdict in used]
        rows.append([printable(concept.name), *counts, worst_text(concept)])
    return _table(rows, ["concept", *used, "largest gap"])


def _attention(run: Run, *, written: bool) -> list[str]:
    rows = [
        [
            result.verdict + (" (known)" if result.known else ""),
            printable(result.case),
            shorten(_said(result), _LONGEST_CELL),
            shorten(truth_text(result.event.get("truth")), _LONGEST_CELL),
            gap_text(result),
        ]
        for result in run.attention[:_MOST_ROWS]
    ]
    table = _table(rows, ["verdict", "case", "answer", "truth", "gap"])
    return [table, *_more(len(run.attention), "case", written=written)]


def _said(result: Result) -> str:
    """What was answered, or why nothing was."""
    answer = result.event.get("answer")
    return shown(result.event.get("reason")) if answer is None else answer_text(answer)


def _table(rows: list[list[str]], headers: list[str]) -> str:
    return tabulate(rows, headers, tablefmt="plain", disable_numparse=True)


def _more(rows: int, what: str, *, written: bool) -> list[str]:
    more = rows - _MOST_ROWS
    where = "in the report" if written else "(all of them with --out or --json)"
    return [f"... {count(more, f'more {what}')} {where}"] if more > 0 else []
