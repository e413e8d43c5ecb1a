"""Conformance runs of several libraries as Markdown: the matrix, the root causes, and every failing case in a line.

It is the text of :mod:`oracle.render.conformance_html` for several libraries. Nothing a subject says is markup here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from urllib.parse import quote

from oracle.errors import shorten
from oracle.render.conformance_libraries import Cause, Library, listed
from oracle.render.conformance_stream import Group, Law, Result
from oracle.render.conformance_words import (
    ABOUT,
    SHORT_WORDS,
    answer_text,
    gap_text,
    headline_cells,
    law_text,
    short_counts,
    shown,
    status,
    truth_text,
)
from oracle.render.markdown import code, escape, table
from oracle.render.words import count, printable

__all__ = ["render"]

_LONGEST: Final = 300
_LONGEST_CELL: Final = 60


def render(libraries: Sequence[Library], beside: Sequence[str] = ()) -> str:
    """The page about several libraries as GitHub-flavoured Markdown, ending in a line break.

    Args:
        libraries: in the order of the page.
        beside: names of other pages in the folder, which are linked.
    """
    suites = ", ".join(dict.fromkeys(library.run.suite for library in libraries if library.run.suite)) or "unknown"
    parts = [
        "# Conformance of differential privacy libraries",
        f"Suite {escape(suites)}. {ABOUT}",
        *([f"Also here: {', '.join(f'[{escape(name)}](./{quote(name)})' for name in beside)}."] if beside else []),
        "## Three numbers for each library",
        _headlines(libraries),
        "## Libraries and concepts",
        SHORT_WORDS,
        _matrix(libraries),
        *(part for library in libraries for part in _library(library)),
    ]
    return "\n\n".join(parts) + "\n"


def _link(library: Library, text: str, name: str) -> str:
    return f"[{escape(text)}]({library.address(name)})" if name else escape(text)


def _headlines(libraries: Sequence[Library]) -> str:
    rows = []
    for library in libraries:
        report = "report.md" if "report.md" in library.files else ""
        cells = [escape(text) for text in headline_cells(library.run).values()]
        rows.append([_link(library, library.title, report), status(library.run), *cells, str(len(library.causes))])
    names = headline_cells(libraries[0].run)
    return table(["library", "", *names, "root causes"], rows)


def _matrix(libraries: Sequence[Library]) -> str:
    names = list(dict.fromkeys(group.name for library in libraries for group in library.run.concepts))
    rows = []
    for library in libraries:
        groups = {group.name: group for group in library.run.concepts}
        cells = [_cell(groups[name]) if name in groups else "not asked" for name in names]
        rows.append([escape(library.title), *cells])
    return table(["library", *map(code, names)], rows)


def _cell(group: Group) -> str:
    return ", ".join(f"{number} {name}" for name, number in short_counts(group.counts).items())


def _library(library: Library) -> list[str]:
    run = library.run
    found = [result for group in run.concepts for result in listed(group, loose=False)]
    broken = [law for law in run.laws_by_severity if law.broken]
    parts = [f"## {escape(library.title)}", _operations(library)]
    if not run.complete:
        parts.insert(1, "**The run did not finish**: the stream has no footer that says so.")
    if run.warnings:
        parts.insert(1, "\n".join(f"- {escape(shown(reason))}" for reason in run.warnings))
    if library.causes:
        parts += ["### Root causes", "\n\n".join(_cause(library, cause) for cause in library.causes)]
    if broken:
        parts += [
            "### Broken laws",
            table(["verdict", "law", "", "root cause"], [_law(library, law) for law in broken]),
        ]
    if found:
        head = ["verdict", "case", "op", "answer", "truth", "gap", "root cause"]
        parts += ["### Cases that need a look", table(head, [_case(library, result) for result in found])]
    return parts


def _operations(library: Library) -> str:
    rows = [
        [code(group.name), _cell(group)]
        for group in library.run.operations
        if group.counts["declined"] < len(group.results)
    ]
    return table(["op", "cases"], rows) if rows else "Every case is declined."


def _cause(library: Library, cause: Cause) -> str:
    facts = cause.facts
    head = f"- **{escape(cause.slug)}** ({escape(facts['class'])}, {escape(cause.verdict)}, "
    lines = [f"{head}{count(len(cause.cases), 'case')}): {escape(shown(facts['summary'], 4 * _LONGEST))}"]
    told = [
        ("smallest input", f"{facts['op']} {shown(facts.get('input'), _LONGEST)}"),
        ("answer", shorten(cause.answer, _LONGEST)),
        ("truth", shorten(cause.truth, _LONGEST)),
        ("gap", facts["gap"]),
        ("case with the record", facts["record"]),
        ("versions", cause.versions),
    ]
    lines += [f"  - {name}: {code(printable(text))}" for name, text in told if text]
    links = [_link(library, name, name) for name in (cause.script, cause.output) if name]
    lines += [f"  - shown by {' and '.join(links)}"] if links else []
    return "\n".join(lines)


def _cause_name(library: Library, case: str) -> str:
    cause = library.cause_of.get(case)
    return "" if cause is None else escape(cause.slug)


def _law(library: Library, law: Law) -> list[str]:
    return [law.verdict, code(law.name), escape(law_text(law)), _cause_name(library, law.identity)]


def _case(library: Library, result: Result) -> list[str]:
    answer = answer_text(result.event.get("answer")) or shown(result.event.get("reason"))
    return [
        result.verdict,
        code(result.case),
        code(result.op),
        escape(shorten(answer, _LONGEST_CELL)),
        escape(shorten(truth_text(result.event.get("truth")), _LONGEST_CELL)),
        escape(gap_text(result)),
        _cause_name(library, result.case),
    ]
