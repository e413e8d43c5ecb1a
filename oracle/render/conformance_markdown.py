"""A conformance run as Markdown, for the job summary of a pipeline. Nothing a subject says is markup here."""

from __future__ import annotations

from typing import Final

from oracle.render.conformance_stream import VERDICTS, Result, Run
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
from oracle.render.markdown import code, escape, table
from oracle.render.words import count

__all__ = ["render"]

_MOST: Final = 30
_LONGEST: Final = 400


def render(run: Run) -> str:
    """The run as GitHub-flavoured Markdown, ending in a line break."""
    parts = [
        f"# {status(run)}: {escape(title(run))}",
        table(
            ["", ""],
            [
                ["soundness", escape(soundness(run))],
                ["tightness", escape(tightness(run))],
                ["coverage", escape(coverage(run))],
            ],
        ),
        *_settings(run),
        "## Concepts",
        _concepts(run),
        *_mismatches(run),
        *_laws(run),
        *_cases(run),
    ]
    if run.warnings:
        parts.insert(1, "\n".join(f"- {escape(shown(reason))}" for reason in run.warnings))
    if not run.complete:
        parts.insert(1, "**The run did not finish**: the stream has no footer that says so. Nothing below is final.")
    return "\n\n".join(parts) + "\n"


def _settings(run: Run) -> list[str]:
    items = [["suite", code(run.suite or "unknown")]]
    items += [[escape(key), code(value)] for key, value in setting_facts(run)]
    for key in ("claims", "accepts"):
        if run.subject.get(key) is not None:
            items.append([key, code(shown(run.subject[key], _LONGEST))])
    return [table(["about", ""], items)]


def _concepts(run: Run) -> str:
    used = [verdict for verdict in VERDICTS if run.counts[verdict]]
    rows = [
        [code(concept.name), *(str(concept.counts[verdict] or "") for verdict in used), escape(worst_text(concept))]
        for concept in run.concepts
    ]
    total = ["all", *(str(run.counts[verdict]) for verdict in used), ""]
    return table(["concept", *used, "largest gap"], [*rows, total])


def _mismatches(run: Run) -> list[str]:
    lines = [f"- {code(r.case)}: {escape(mismatch_text(r))}" for r in run.results if r.mismatch]
    return ["## Known failures that do not fail as stated", "\n".join(lines)] if lines else []


def _laws(run: Run) -> list[str]:
    if not run.laws:
        return []
    rows = [[escape(law.name), escape(law.verdict), escape(law_text(law))] for law in run.laws_by_severity]
    return ["## Laws across answers", table(["law", "verdict", ""], rows[:_MOST]), *_more(len(rows), "line")]


def _cases(run: Run) -> list[str]:
    parts: list[str] = []
    for verdict, meaning in HEADINGS.items():
        found = [result for result in run.attention if result.verdict == verdict]
        if found:
            parts += [f"## {verdict.capitalize()}: {meaning} ({len(found):,})"]
            parts += [_case(result, run) for result in found[:_MOST]]
            parts += _more(len(found), "case")
    return parts


def _case(result: Result, run: Run) -> str:
    summary = f" {escape(shown(result.event['summary']))}" if result.event.get("summary") else ""
    lines = [f"- {code(result.case)} ({escape(result.op)}){summary}"]
    lines += [f"  - {key}: {code(text)}" for key, text in _facts(result) if text]
    if result.gap:
        lines.append(f"  - gap: {code(gap_text(result))}")
    lines += [f"  - {flag} ({kind}): {escape(text)}" for flag, kind, text in explanations(result, run.notes)]
    if result.known:
        lines.append(f"  - known: {escape(result.known)}")
    elif result.verdict not in ("loose", "inconclusive"):
        lines.append(f"  - to list it as known: {code('; '.join(known_entry(result).splitlines()))}")
    return "\n".join(lines)


def _facts(result: Result) -> list[tuple[str, str]]:
    event = result.event
    exact = shown(event.get("answer"), _LONGEST)
    read = answer_text(event.get("answer"))
    return [
        ("asked", shown(event.get("args"), _LONGEST)),
        ("answer", exact if read == exact else f"{read}, as {exact}"),
        ("reason", shown(event.get("reason"), _LONGEST)),
        ("truth", truth_text(event.get("truth"))),
    ]


def _more(rows: int, what: str) -> list[str]:
    more = rows - _MOST
    return [f"... {count(more, f'more {what}')} in the stream."] if more > 0 else []
