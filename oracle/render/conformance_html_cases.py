"""Cases, laws and root causes as parts of the HTML page of conformance runs (:mod:`oracle.render.conformance_html`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import Final

from oracle.errors import shorten
from oracle.render.conformance_libraries import Cause, Library, listed
from oracle.render.conformance_stream import Group, Result
from oracle.render.conformance_words import (
    HEADINGS,
    answer_text,
    explanations,
    gap_text,
    known_entry,
    law_text,
    mismatch_text,
    shown,
    truth_text,
    worst_text,
)
from oracle.render.words import count, printable

__all__ = ["Chapter", "facts_list", "table", "verdict_colour"]

_LONGEST: Final = 4000
_LONGEST_OF_MANY: Final = 600
_LONGEST_CELL: Final = 80
_LONGEST_SOURCE: Final = 6000
_SHOWN_LOOSE: Final = 200
_LAW_COLOURS: Final = {"holds": "good", "broken": "bad", "broken-rounding": "warn"}


def verdict_colour(verdict: str) -> str:
    """The class of a verdict in the style of the page."""
    if verdict in ("unsound", "wrong", "broken"):
        return "bad"
    if verdict in ("exact", "sound"):
        return "good"
    return "none" if verdict == "declined" else "warn"


def facts_list(facts: Iterable[tuple[str, str]], *, code: bool = False) -> str:
    """Names with their texts; nothing in them is markup."""
    opening, closing = ("<code>", "</code>") if code else ("", "")
    items = "".join(
        f"<dt>{escape(printable(name))}</dt><dd>{opening}{escape(value)}{closing}</dd>" for name, value in facts
    )
    return f'<dl class="facts">{items}</dl>'


def table(identity: str, head: Sequence[str], rows: Sequence[str]) -> str:
    """A table of ready rows, which scrolls by itself."""
    columns = "".join(f'<th scope="col">{escape(name)}</th>' for name in head)
    return (
        f'<div class="scroll" tabindex="0"><table id="{identity}"><thead><tr>{columns}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


@dataclass(frozen=True)
class Chapter:
    """What the page says of the cases of one library.

    Attributes:
        library: the library.
        number: of its section, from 1.
        every_case: whether loose cases are told too, every case is in a table, and each failure has the entry that
            lists it as known; else passing cases are counted and no more.
    """

    library: Library
    number: int
    every_case: bool

    @property
    def title(self) -> str:
        """Name and version of the library, escaped."""
        return escape(self.library.title)

    @cached_property
    def anchors(self) -> Mapping[str, str]:
        """The id on the page by case or by the id of a law."""
        told = [result.case for group in self.library.run.concepts for result in self._told(group)]
        laws = [law.identity for law in self.library.run.laws_by_severity]
        cases = {case: f"run-{self.number}-case-{n}" for n, case in enumerate(told, 1)}
        return cases | {law: f"run-{self.number}-law-{n}" for n, law in enumerate(laws, 1)}

    def _told(self, group: Group) -> list[Result]:
        found = listed(group, loose=self.every_case)
        serious = [result for result in found if result.verdict != "loose"]
        return serious + [result for result in found if result.verdict == "loose"][:_SHOWN_LOOSE]

    def mismatches(self) -> str:
        """Known failures that fail otherwise."""
        facts = [(result.case, mismatch_text(result)) for result in self.library.run.results if result.mismatch]
        return f"<h3>Known failures that do not fail as stated</h3>{facts_list(facts)}" if facts else ""

    def laws(self) -> str:
        """A table of the laws."""
        laws = self.library.run.laws_by_severity
        if not laws:
            return ""
        rows = [
            f'<tr id="{self.anchors[law.identity]}"><td class="{_LAW_COLOURS[law.verdict]}">'
            f"{escape(printable(law.verdict))}</td><td>{escape(printable(law.name))}</td>"
            f"<td>{escape(law_text(law))}{self._cause_link(law.identity)}</td></tr>"
            for law in laws
        ]
        return f"<h3>Laws across answers</h3>{table(f'run-{self.number}-laws', ('verdict', 'law', ''), rows)}"

    def causes(self) -> str:
        """The root causes, each with the script that shows it."""
        if not self.library.causes:
            return ""
        parts = "".join(map(self._cause, self.library.causes))
        return f'<h3 id="run-{self.number}-causes">Root causes</h3><div data-group="causes">{parts}</div>'

    def _cause(self, cause: Cause) -> str:
        facts = cause.facts
        gap = f' <span class="gap">{escape(printable(facts["gap"]))}</span>' if facts["gap"] else ""
        told = [("op", shown(facts["op"])), ("smallest input", shown(facts.get("input"), _LONGEST))]
        told += [("answer", cause.answer), ("truth", cause.truth)]
        told += [("case with the record", shown(facts["record"]))] if facts["record"] else []
        told.append(("versions", cause.versions))
        links = ", ".join(self._case_link(case) for case in cause.cases)
        return (
            f'<details class="case cause" id="{self._cause_id(cause)}" data-verdict="{escape(cause.verdict)}"><summary>'
            f'<span class="word {verdict_colour(cause.verdict)}">{escape(printable(cause.verdict))}</span> '
            f"<strong>{escape(cause.slug)}</strong> {escape(printable(facts['class']))}, "
            f"{count(len(cause.cases), 'case')}{gap}</summary><p>{escape(shown(facts['summary'], _LONGEST))}</p>"
            f'{facts_list(told)}{self._script(cause)}<p class="cases">Explains {links}.</p></details>'
        )

    def _script(self, cause: Cause) -> str:
        links = [self._file_link(name) for name in (cause.script, cause.output) if name]
        text = f"<p>Shown by {' and '.join(links)}:</p>" if links else ""
        return text + "".join(
            f"<pre>{escape(_lines(source))}</pre>" for source in (cause.source, cause.printed) if source
        )

    def _file_link(self, name: str) -> str:
        return f'<a href="{escape(self.library.address(name))}">{escape(name)}</a>'

    def files(self) -> str:
        """Links to the files of the folder."""
        links = ", ".join(map(self._file_link, self.library.files))
        return f"<p>In its folder: {links}.</p>" if links else ""

    def _cause_id(self, cause: Cause) -> str:
        return f"run-{self.number}-cause-{cause.slug}"

    def _case_link(self, case: str) -> str:
        text, anchor = escape(printable(case)), self.anchors.get(case)
        return f'<a href="#{anchor}">{text}</a>' if anchor else text

    def _cause_link(self, case: str) -> str:
        cause = self.library.cause_of.get(case)
        if cause is None:
            return ""
        return f'<p>Root cause: <a href="#{self._cause_id(cause)}">{escape(cause.slug)}</a></p>'

    def concept(self, group: Group, index: int) -> str:
        """The cases of a concept that need a look; empty where there are none and passing cases are only counted."""
        told = self._told(group)
        if not told and not self.every_case:
            return ""
        worst = f"; largest gap {worst_text(group)}" if group.worst else ""
        counts = ", ".join(f"{number} {verdict}" for verdict, number in group.counts_by_verdict.items())
        cases = "".join(map(self._case, told))
        more, text = group.counts["loose"] - _SHOWN_LOOSE, ""
        if more > 0 and self.every_case:
            text = f'<p class="quiet">{count(more, "more loose answer")} in the table of all cases.</p>'
        return (
            f'<section id="{self.concept_id(index)}"><h3>{escape(printable(group.name))}</h3>'
            f'<p class="quiet">{escape(counts + worst)}</p><div data-group="cases">{cases}</div>{text}</section>\n'
        )

    def concept_id(self, index: int) -> str:
        """The id of the section of a concept, which are counted from 1."""
        return f"run-{self.number}-concept-{index}"

    def target(self, group: Group, index: int) -> str:
        """Where the cell of a concept leads: to its cases, or to the library where none is told."""
        return self.concept_id(index) if self.every_case or self._told(group) else f"run-{self.number}"

    def _case(self, result: Result) -> str:
        """A case that needs a look: what was asked and answered, how far off it is, and why that matters."""
        event, longest = result.event, _LONGEST if self.every_case else _LONGEST_OF_MANY
        colour = verdict_colour(result.verdict)
        gap = f' <span class="gap">{escape(gap_text(result))}</span>' if result.gap else ""
        known = ' <span class="word none">known</span>' if result.known else ""
        facts = [("verdict", f"{result.verdict}: {HEADINGS[result.verdict]}"), ("operation", result.op)]
        facts += [(name, shown(event[name], longest)) for name in ("summary", "claim") if event.get(name)]
        if event.get("answer") is not None:
            facts.append(("answer", answer_text(event["answer"])))
        if event.get("truth") is not None:
            facts.append(("truth", truth_text(event["truth"])))
        facts += [("gap", gap_text(result))] if result.gap else []
        names = ("reason", "args", "answer", "truth", *(("gap", "certificate") if self.every_case else ()))
        exact = [(name, shown(event[name], longest)) for name in names if event.get(name) is not None]
        facts += [(f"{flag} ({kind})", text) for flag, kind, text in explanations(result, self.library.run.notes)]
        facts += [("known", result.known)] if result.known else []
        return (
            f'<details class="case" id="{self.anchors[result.case]}" data-verdict="{escape(result.verdict)}"><summary>'
            f'<span class="word {colour}">{escape(result.verdict)}</span> <code>{escape(printable(result.case))}</code>'
            f"{known}{gap}</summary>{self._cause_link(result.case)}{facts_list(facts)}"
            f"<p>In full:</p>{facts_list(exact, code=True)}{self._known_entry(result)}</details>"
        )

    def _known_entry(self, result: Result) -> str:
        if not self.every_case or result.known or result.verdict in ("loose", "inconclusive"):
            return ""
        return f"<p>To list it as a known failure:</p><pre>{escape(known_entry(result))}</pre>"

    def all_cases(self) -> str:
        """A table of every case; empty where passing cases are only counted."""
        if not self.every_case:
            return ""
        results = self.library.run.results
        head = ("verdict", "case", "operation", "answer", "gap")
        return (
            f'<details class="all" id="run-{self.number}-all" data-group="all"><summary>All '
            f"{count(len(results), 'case')} of {self.title}</summary>"
            f"{table(f'run-{self.number}-cases', head, list(map(_row, results)))}</details>"
        )


def _lines(text: str) -> str:
    """A text of several lines, each printable."""
    cut = text if len(text) <= _LONGEST_SOURCE else text[:_LONGEST_SOURCE] + "\n..."
    return "\n".join(map(printable, cut.splitlines()))


def _row(result: Result) -> str:
    texts = (
        printable(result.case),
        printable(result.op),
        shorten(answer_text(result.event.get("answer")), _LONGEST_CELL),
        gap_text(result),
    )
    cells = "".join(f"<td>{escape(text)}</td>" for text in texts)
    verdict = escape(result.verdict)
    return f'<tr data-verdict="{verdict}"><td class="{verdict_colour(result.verdict)}">{verdict}</td>{cells}</tr>'
