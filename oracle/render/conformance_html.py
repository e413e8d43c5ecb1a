"""Conformance runs as one HTML file: a matrix of libraries and concepts, each cell leading to its cases.

The file needs nothing else: style and script are inside, no request is ever made, and its content security policy lets
nothing run but that one script. Without the script all of it can still be read; with it, it can be searched and walked
through by keyboard. Nothing a subject says is markup here.
"""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections.abc import Sequence
from html import escape
from importlib.resources import files
from typing import Final
from urllib.parse import quote

from oracle.render.conformance_html_cases import Chapter, facts_list, table, verdict_colour
from oracle.render.conformance_libraries import Library
from oracle.render.conformance_stream import FAULTS, VERDICTS, Group
from oracle.render.conformance_words import (
    ABOUT,
    SHORT_WORDS,
    coverage,
    headline_cells,
    setting_facts,
    short_counts,
    shown,
    soundness,
    status,
    tightness,
    words_of,
    worst_text,
)
from oracle.render.words import printable

__all__ = ["render"]

_NAMED: Final = 3
_STATUS: Final = {"CLEAN": "good", "FINDINGS": "bad", "INCOMPLETE": "warn"}
_EMPTY: Final = '<td class="none">not asked</td>'
_LINES: Final = {"sound": "line", "loose": "line", "declined": "quiet"}
_KEYS: Final = (
    ("/", "search"),
    ("j", "next case"),
    ("k", "previous case"),
    ("Enter", "open or close it"),
    ("n", "next library"),
    ("p", "previous library"),
    ("e", "open all"),
    ("c", "close all"),
    ("Esc", "clear the search"),
)


def render(libraries: Sequence[Library], *, every_case: bool = True, beside: Sequence[str] = ()) -> str:
    """The page about one or more libraries, ending in a line break.

    Args:
        libraries: in the order of the page.
        every_case: tell every case; else those that passed are only counted, and the page stays small.
        beside: names of other pages in the folder, which are linked.
    """
    runs = [library.run for library in libraries]
    chapters = [Chapter(library, number, every_case) for number, library in enumerate(libraries, 1)]
    style, script = _asset("conformance_page.css"), _asset("conformance_page.js")
    policy = f"default-src 'none'; style-src 'sha256-{_hash(style)}'; script-src 'sha256-{_hash(script)}'"
    who = ", ".join(library.title for library in libraries) if len(runs) <= _NAMED else f"{len(runs)} libraries"
    suites = ", ".join(dict.fromkeys(printable(run.suite) for run in runs if run.suite)) or "unknown"
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(who)}: conformance</title>
<style>{style}</style>
</head>
<body class="{"whole" if every_case else "index"}">
<header>
<h1>Conformance of differential privacy libraries</h1>
<p class="quiet">Suite {escape(suites)}. {escape(ABOUT)}</p>{_beside(beside)}
</header>
<main>
{_headlines(chapters)}
{_matrix(chapters)}
{_search(libraries)}
{"".join(map(_section, chapters))}
</main>
<script>{script}</script>
</body>
</html>
"""


def _beside(names: Sequence[str]) -> str:
    if not names:
        return ""
    links = ", ".join(f'<a href="./{quote(name)}">{escape(name)}</a>' for name in names)
    return f'\n<p class="quiet">Also here: {links}.</p>'


def _asset(name: str) -> str:
    return (files("oracle.render") / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _headlines(chapters: Sequence[Chapter]) -> str:
    """The three numbers of each library; of one alone they stand in its own section."""
    if len(chapters) == 1:
        return ""
    rows = []
    for chapter in chapters:
        run, number = chapter.library.run, chapter.number
        cells = "".join(f'<td class="number">{escape(text)}</td>' for text in headline_cells(run).values())
        causes = len(chapter.library.causes)
        told = f'<a href="#run-{number}-causes">{causes}</a>' if causes else "0"
        rows.append(
            f'<tr><th scope="row"><a href="#run-{number}">{chapter.title}</a></th>{cells}'
            f'<td class="number">{told}</td></tr>'
        )
    head = ("library", *headline_cells(chapters[0].library.run), "root causes")
    return f'<h2 id="headlines">Three numbers for each library</h2>{table("headline-table", head, rows)}'


def _matrix(chapters: Sequence[Chapter]) -> str:
    """Libraries by concepts, with the count of each verdict."""
    names = list(dict.fromkeys(group.name for chapter in chapters for group in chapter.library.run.concepts))
    rows = []
    for chapter in chapters:
        run = chapter.library.run
        found = {group.name: _cell(chapter, group, k) for k, group in enumerate(run.concepts, 1)}
        cells = "".join(found.get(name, _EMPTY) for name in names)
        rows.append(f'<tr><th scope="row"><a href="#run-{chapter.number}">{chapter.title}</a></th>{cells}</tr>')
    return (
        '<h2 id="matrix">Libraries and concepts</h2>\n'
        f"<p>{escape(SHORT_WORDS)}</p>\n"
        f"{table('matrix-table', ('library', *map(printable, names)), rows)}"
    )


def _cell(chapter: Chapter, group: Group, index: int) -> str:
    lines = "".join(
        f'<span class="{_LINES.get(name, "fault")}">{number} {escape(name)}</span>'
        for name, number in short_counts(group.counts).items()
    )
    return f'<td class="{_colour(group)}"><a href="#{chapter.target(group, index)}">{lines}</a></td>'


def _colour(group: Group) -> str:
    counts = group.counts
    if counts["unsound"] or counts["wrong"]:
        return "bad"
    if counts["unsound-rounding"] or any(counts[verdict] for verdict in FAULTS) or counts["inconclusive"]:
        return "warn"
    return "good" if any(counts[verdict] for verdict in ("exact", "sound", "loose")) else "none"


def _search(libraries: Sequence[Library]) -> str:
    present = [verdict for verdict in VERDICTS if any(library.run.counts[verdict] for library in libraries)]
    present += [cause.verdict for library in libraries for cause in library.causes]
    options = "".join(f"<option>{escape(printable(verdict))}</option>" for verdict in dict.fromkeys(present))
    keys = " ".join(f"<kbd>{escape(key)}</kbd> {escape(meaning)}" for key, meaning in _KEYS)
    return (
        '<form class="search" id="search" role="search" hidden>'
        '<label for="query">Search</label>'
        '<input id="query" type="search" autocomplete="off" spellcheck="false" '
        'placeholder="library, case, operation, flag, text">'
        f'<label for="verdict">Verdict</label><select id="verdict"><option value="">all</option>{options}</select>'
        '<button type="reset">Clear</button><span id="told" role="status" aria-live="polite"></span></form>'
        f'<p class="keys quiet" id="keys" hidden>{keys}</p>'
    )


def _section(chapter: Chapter) -> str:
    run = chapter.library.run
    word = status(run)
    incomplete = ""
    if not run.complete:
        incomplete = '<p class="warn">The run did not finish: its stream has no footer that says so.</p>'
    warnings = "".join(f'<p class="warn">{escape(shown(reason))}</p>' for reason in run.warnings)
    facts = [("soundness", soundness(run)), ("tightness", tightness(run)), ("coverage", coverage(run))]
    facts += [(key, words_of(run.subject[key])) for key in ("claims", "accepts") if run.subject.get(key)]
    facts.append(("settings", ", ".join(f"{name} {value}" for name, value in setting_facts(run))))
    concepts = "".join(chapter.concept(group, k) for k, group in enumerate(run.concepts, 1))
    return (
        f'<section id="run-{chapter.number}" class="library" data-group="library" data-name="{chapter.title}">'
        f'<h2 tabindex="-1">{chapter.title} <span class="word {_STATUS[word]}">{word}</span></h2>{incomplete}{warnings}'
        f"{facts_list(facts)}{chapter.files()}{_operations(chapter)}{chapter.causes()}{chapter.mismatches()}"
        f"{chapter.laws()}{concepts}{chapter.all_cases()}</section>\n"
    )


def _operations(chapter: Chapter) -> str:
    """Verdicts by op; those of which every case is declined are only named."""
    run = chapter.library.run
    used = [verdict for verdict in VERDICTS if run.counts[verdict]]
    declined = [group for group in run.operations if group.counts["declined"] == len(group.results)]
    names = ", ".join(f"{printable(group.name)} ({len(group.results)})" for group in declined)
    told = f'<p class="quiet">Every case declined: {escape(names)}.</p>' if names else ""
    rows = []
    for group in run.operations:
        if group in declined:
            continue
        counts = "".join(
            f'<td class="number {verdict_colour(verdict) if group.counts[verdict] else ""}">'
            f"{group.counts[verdict] or ''}</td>"
            for verdict in used
        )
        name, worst = escape(printable(group.name)), escape(worst_text(group))
        rows.append(f'<tr><th scope="row">{name}</th>{counts}<td>{worst}</td></tr>')
    found = table(f"run-{chapter.number}-operations", ("op", *used, "largest gap"), rows) if rows else ""
    return f"<h3>Operations</h3>{found}{told}" if run.results else ""
