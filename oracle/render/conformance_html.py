"""Conformance runs as one HTML file: a matrix of libraries and concepts, each cell leading to its cases.

The file needs nothing else: style and script are inside, no request is ever made, and its content security policy lets
nothing run but that one script. Without the script all of it can still be read; with it, it can be searched and walked
through by keyboard. Nothing a subject says is markup here.
"""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections.abc import Iterable, Sequence
from html import escape
from importlib.resources import files
from typing import Final

from oracle.errors import shorten
from oracle.render.conformance_stream import FAULTS, SEVERITY, VERDICTS, Concept, Result, Run
from oracle.render.conformance_words import (
    HEADINGS,
    answer_text,
    coverage,
    explanations,
    gap_text,
    known_entry,
    law_text,
    mismatch_text,
    setting_facts,
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

_LONGEST: Final = 4000
_LONGEST_CELL: Final = 80
_SHOWN_LOOSE: Final = 200
_STATUS: Final = {"CLEAN": "good", "FINDINGS": "bad", "INCOMPLETE": "warn"}
_KEYS: Final = (
    ("/", "search"),
    ("j", "next case"),
    ("k", "previous case"),
    ("Enter", "open or close it"),
    ("e", "open all"),
    ("c", "close all"),
    ("Esc", "clear the search"),
)


def render(runs: Sequence[Run]) -> str:
    """The page about one or more runs, ending in a line break."""
    style, script = _asset("conformance_page.css"), _asset("conformance_page.js")
    policy = f"default-src 'none'; style-src 'sha256-{_hash(style)}'; script-src 'sha256-{_hash(script)}'"
    name = f"{', '.join(title(run) for run in runs)}: conformance"
    suites = ", ".join(dict.fromkeys(printable(run.suite) for run in runs if run.suite)) or "unknown"
    sections = "".join(_run(run, number) for number, run in enumerate(runs, 1))
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(name)}</title>
<style>{style}</style>
</head>
<body>
<header>
<h1>Conformance of differential privacy libraries</h1>
<p class="quiet">Suite {escape(suites)}. Each answer is compared with an exact value or a proved enclosure, on the side
that the library claims. Soundness, tightness and coverage are separate numbers and are never added up.</p>
</header>
<main>
{_matrix(runs)}
{_search(runs)}
{sections}
</main>
<script>{script}</script>
</body>
</html>
"""


def _asset(name: str) -> str:
    return (files("oracle.render") / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _matrix(runs: Sequence[Run]) -> str:
    """Libraries by concepts: answers on the claimed side, of those judged."""
    names = list(dict.fromkeys(concept.name for run in runs for concept in run.concepts))
    head = "".join(f'<th scope="col">{escape(printable(name))}</th>' for name in names)
    rows = []
    for number, run in enumerate(runs, 1):
        by_name = {concept.name: (k, concept) for k, concept in enumerate(run.concepts, 1)}
        cells = "".join(_cell(number, *by_name[name]) if name in by_name else _EMPTY for name in names)
        rows.append(f'<tr><th scope="row"><a href="#run-{number}">{escape(title(run))}</a></th>{cells}</tr>')
    return (
        '<h2 id="matrix">Libraries and concepts</h2>\n'
        "<p>Answers on the claimed side, of those that were judged; then what else needs a look.</p>\n"
        '<div class="scroll"><table id="matrix-table"><thead><tr><th scope="col">library</th>'
        f"{head}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


_LAW_COLOURS: Final = {"holds": "good", "broken": "bad", "broken-rounding": "warn"}
_EMPTY: Final = '<td class="none">not asked</td>'


def _cell(number: int, index: int, concept: Concept) -> str:
    counts = concept.counts
    right = sum(counts[verdict] for verdict in ("exact", "sound", "loose"))
    judged = right + sum(counts[verdict] for verdict in ("unsound", "unsound-rounding", "wrong"))
    also = [f"{counts[verdict]} {verdict}" for verdict in (*SEVERITY[:-1], "declined") if counts[verdict]]
    told = f"{right}/{judged}" if judged else "no answer"
    text = escape("; ".join([told, *also]))
    return f'<td class="{_colour(concept)}"><a href="#run-{number}-concept-{index}">{text}</a></td>'


def _colour(concept: Concept) -> str:
    counts = concept.counts
    if counts["unsound"] or counts["wrong"]:
        return "bad"
    if counts["unsound-rounding"] or any(counts[verdict] for verdict in FAULTS) or counts["inconclusive"]:
        return "warn"
    return "good" if any(counts[verdict] for verdict in ("exact", "sound", "loose")) else "none"


def _search(runs: Sequence[Run]) -> str:
    present = [verdict for verdict in VERDICTS if any(run.counts[verdict] for run in runs)]
    options = "".join(f"<option>{escape(verdict)}</option>" for verdict in present)
    keys = " ".join(f"<kbd>{escape(key)}</kbd> {escape(meaning)}" for key, meaning in _KEYS)
    return (
        '<form class="search" id="search" role="search" hidden>'
        '<label for="query">Search</label>'
        '<input id="query" type="search" autocomplete="off" spellcheck="false" '
        'placeholder="case, operation, flag, text">'
        f'<label for="verdict">Verdict</label><select id="verdict"><option value="">all</option>{options}</select>'
        '<button type="reset">Clear</button><span id="told" role="status" aria-live="polite"></span></form>'
        f'<p class="keys quiet" id="keys" hidden>{keys}</p>'
    )


def _run(run: Run, number: int) -> str:
    word = status(run)
    incomplete = ""
    if not run.complete:
        incomplete = '<p class="warn">The run did not finish: its stream has no footer that says so.</p>'
    facts = [("soundness", soundness(run)), ("tightness", tightness(run)), ("coverage", coverage(run))]
    facts += [(key, shown(run.subject[key], _LONGEST)) for key in ("claims", "accepts") if run.subject.get(key)]
    facts += setting_facts(run)
    concepts = "".join(_concept(run, concept, number, k) for k, concept in enumerate(run.concepts, 1))
    return (
        f'<section id="run-{number}"><h2>{escape(title(run))} '
        f'<span class="word {_STATUS[word]}">{word}</span></h2>{incomplete}{_facts(facts)}'
        f"{_mismatches(run)}{_laws(run)}{concepts}{_all_cases(run, number)}</section>\n"
    )


def _facts(facts: Iterable[tuple[str, str]], *, code: bool = False) -> str:
    opening, closing = ("<code>", "</code>") if code else ("", "")
    items = "".join(
        f"<dt>{escape(printable(name))}</dt><dd>{opening}{escape(value)}{closing}</dd>" for name, value in facts
    )
    return f'<dl class="facts">{items}</dl>'


def _mismatches(run: Run) -> str:
    facts = [(result.case, mismatch_text(result)) for result in run.results if result.mismatch]
    return f"<h3>Known failures that do not fail as stated</h3>{_facts(facts)}" if facts else ""


def _laws(run: Run) -> str:
    if not run.laws:
        return ""
    rows = "".join(
        f'<tr><td class="{_LAW_COLOURS[law.verdict]}">'
        f"{escape(printable(law.verdict))}</td><td>{escape(printable(law.name))}</td>"
        f"<td>{escape(law_text(law))}</td></tr>"
        for law in run.laws_by_severity
    )
    return (
        '<h3>Laws across answers</h3><div class="scroll"><table><thead><tr><th scope="col">verdict</th>'
        f'<th scope="col">law</th><th scope="col"></th></tr></thead><tbody>{rows}</tbody></table></div>'
    )


def _concept(run: Run, concept: Concept, number: int, index: int) -> str:
    rank = {verdict: k for k, verdict in enumerate(SEVERITY)}
    found = sorted((r for r in concept.results if r.verdict in rank), key=lambda r: (rank[r.verdict], r.case))
    serious = [result for result in found if result.verdict != "loose"]
    loose = [result for result in found if result.verdict == "loose"]
    counts = ", ".join(f"{concept.counts[verdict]} {verdict}" for verdict in VERDICTS if concept.counts[verdict])
    worst = f"; largest gap {worst_text(concept)}" if concept.worst else ""
    cases = "".join(_case(run, result) for result in [*serious, *loose[:_SHOWN_LOOSE]])
    more = ""
    if len(loose) > _SHOWN_LOOSE:
        more = (
            f'<p class="quiet">{count(len(loose) - _SHOWN_LOOSE, "more loose answer")} in the table of all cases.</p>'
        )
    return (
        f'<section id="run-{number}-concept-{index}"><h3>{escape(printable(concept.name))}</h3>'
        f'<p class="quiet">{escape(counts + worst)}</p><div data-group="cases">{cases}</div>{more}</section>\n'
    )


def _case(run: Run, result: Result) -> str:
    """A case that needs a look: what was asked and answered, how far off it is, and why that matters."""
    event = result.event
    colour = _verdict_colour(result.verdict)
    gap = f' <span class="gap">{escape(gap_text(result))}</span>' if result.gap else ""
    known = ' <span class="word none">known</span>' if result.known else ""
    facts = [("verdict", f"{result.verdict}: {HEADINGS[result.verdict]}"), ("operation", result.op)]
    facts += [(name, shown(event[name], _LONGEST)) for name in ("summary", "claim") if event.get(name)]
    if event.get("answer") is not None:
        facts.append(("answer", answer_text(event["answer"])))
    if event.get("truth") is not None:
        facts.append(("truth", truth_text(event["truth"])))
    facts += [("gap", gap_text(result))] if result.gap else []
    names = ("reason", "args", "answer", "truth", "gap", "certificate")
    exact = [(name, shown(event[name], _LONGEST)) for name in names if event.get(name) is not None]
    facts += [(f"{flag} ({kind})", text) for flag, kind, text in explanations(result, run.notes)]
    facts += [("known", result.known)] if result.known else []
    entry = "" if result.known or result.verdict in ("loose", "inconclusive") else known_entry(result)
    listing = f"<p>To list it as a known failure:</p><pre>{escape(entry)}</pre>" if entry else ""
    return (
        f'<details class="case" data-verdict="{escape(result.verdict)}"><summary>'
        f'<span class="word {colour}">{escape(result.verdict)}</span> <code>{escape(printable(result.case))}</code>'
        f"{known}{gap}</summary>{_facts(facts)}<p>In full:</p>{_facts(exact, code=True)}{listing}</details>"
    )


def _verdict_colour(verdict: str) -> str:
    if verdict in ("unsound", "wrong"):
        return "bad"
    if verdict in ("exact", "sound"):
        return "good"
    return "none" if verdict == "declined" else "warn"


def _all_cases(run: Run, number: int) -> str:
    rows = "".join(map(_row, run.results))
    head = "".join(f'<th scope="col">{name}</th>' for name in ("verdict", "case", "operation", "answer", "gap"))
    return (
        f'<details class="all" id="run-{number}-all" data-group="all"><summary>All '
        f"{count(len(run.results), 'case')} of {escape(title(run))}</summary>"
        f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div></details>'
    )


def _row(result: Result) -> str:
    texts = (
        printable(result.case),
        printable(result.op),
        shorten(answer_text(result.event.get("answer")), _LONGEST_CELL),
        gap_text(result),
    )
    cells = "".join(f"<td>{escape(text)}</td>" for text in texts)
    verdict = escape(result.verdict)
    return f'<tr data-verdict="{verdict}"><td class="{_verdict_colour(result.verdict)}">{verdict}</td>{cells}</tr>'
