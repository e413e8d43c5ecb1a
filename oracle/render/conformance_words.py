"""Numbers and sentences of a conformance report as people read them; what its views share."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from gmpy2 import mpq

from oracle.errors import OracleError, shorten
from oracle.exact import Infinity, parse_extended, to_decimal
from oracle.render.conformance_stream import FAULTS, WRONG_SIDE, Group, Law, Result, Run
from oracle.render.words import count, printable, short

__all__ = [
    "ABOUT",
    "HEADINGS",
    "SHORT_WORDS",
    "answer_text",
    "coverage",
    "explanations",
    "gap_text",
    "headline_cells",
    "known_entry",
    "law_text",
    "mismatch_text",
    "percent",
    "setting_facts",
    "short_counts",
    "shown",
    "small",
    "soundness",
    "status",
    "tightness",
    "title",
    "truth_text",
    "words_of",
    "worst_text",
]

ABOUT: Final = (
    "Each answer is compared with an exact value or a proved enclosure, on the side that the library claims. "
    "Soundness, tightness and coverage are separate numbers and are never added up."
)
"""What a report of several libraries is about."""

SHORT_WORDS: Final = (
    "Cases by verdict: sound is exact or on the claimed side within the slack, loose on the claimed side beyond it, "
    "rounding on the wrong side by rounding alone."
)
"""What the words of :func:`short_counts` mean."""

HEADINGS: Final = {
    "unsound": "on the wrong side, materially",
    "wrong": "not equal to the truth",
    "crashed": "the program died",
    "timeout": "no answer in time",
    "errored": "tried and failed",
    "unsound-rounding": "on the wrong side by rounding",
    "inconclusive": "our enclosure cannot decide",
    "loose": "on the right side, beyond the slack",
}
"""What a verdict means, in a few words."""

_DIGITS: Final = 3
_DOUBLE_DIGITS: Final = 17
_HUGE: Final = re.compile(r"e\+?[1-9][0-9]")
_LONGEST: Final = 160
_LONG: Final = 4000
_LONGEST_TITLE: Final = 80


def title(run: Run) -> str:
    """``name version``, cut to a bearable length."""
    return printable(shorten(f"{run.name} {run.version}".strip(), _LONGEST_TITLE))


def status(run: Run) -> str:
    """The first word of the report: INCOMPLETE, FINDINGS or CLEAN."""
    if not run.complete:
        return "INCOMPLETE"
    return "FINDINGS" if run.fails else "CLEAN"


def soundness(run: Run) -> str:
    """Answers that are wrong or on the wrong side, by which verdict, and how many of them are known."""
    judged = run.right + run.wrong
    parts = [f"{run.counts[verdict]} {verdict}" for verdict in WRONG_SIDE if run.counts[verdict]]
    known = sum(result.verdict in WRONG_SIDE and result.known is not None for result in run.results)
    parts += [f"{known} of them known"] if known else []
    told = f" ({', '.join(parts)})" if parts else ""
    laws = f"; {run.broken_laws} of {count(run.law_count, 'law')} across answers broken" if run.laws else ""
    return f"{run.wrong:,} of {count(judged, 'judged answer')} wrong or on the wrong side{told}{laws}"


def tightness(run: Run) -> str:
    """Median and largest relative slack of the answers on the right side."""
    if run.median_slack is None:
        return "no answer with a slack to measure"
    loose = f"; {run.counts['loose']:,} loose" if run.counts["loose"] else ""
    return f"median relative slack {small(run.median_slack)}, largest {small(run.slacks[-1])}{loose}"


def coverage(run: Run) -> str:
    """Cases answered, of those offered."""
    offered = len(run.results)
    parts = [f"{run.counts[name]:,} {name}" for name in ("declined", *FAULTS, "inconclusive") if run.counts[name]]
    told = f" ({', '.join(parts)})" if parts else ""
    return f"{run.answered:,} of {count(offered, 'case')} answered, {percent(run.answered, offered)}{told}"


def headline_cells(run: Run) -> dict[str, str]:
    """The three numbers as cells of a table, by the headings of their columns."""
    offered, slacks = len(run.results), run.slacks
    return {
        "wrong or on the wrong side": f"{run.wrong:,} of {run.right + run.wrong:,}",
        "by rounding alone": f"{run.counts['unsound-rounding']:,}",
        "median slack": "" if run.median_slack is None else small(run.median_slack),
        "largest slack": small(slacks[-1]) if slacks else "",
        "answered": f"{run.answered:,} of {offered:,}, {percent(run.answered, offered)}",
        "declined": f"{run.counts['declined']:,}",
        "errors": f"{run.faults:,}",
        "laws broken": f"{run.broken_laws} of {run.law_count}",
    }


def short_counts(counts: Counter[str]) -> dict[str, int]:
    """Counts of verdicts as a cell of a matrix has them, the worst first: exact is sound, and no count is 0."""
    merged = {"unsound": counts["unsound"], "wrong": counts["wrong"], "rounding": counts["unsound-rounding"]}
    merged |= {verdict: counts[verdict] for verdict in (*FAULTS, "inconclusive")}
    merged |= {"sound": counts["exact"] + counts["sound"], "loose": counts["loose"], "declined": counts["declined"]}
    return {name: number for name, number in merged.items() if number}


def words_of(value: object) -> str:
    """An object of the stream as words, ``delta: upper; epsilon: upper``; anything else as it is."""
    if not isinstance(value, Mapping):
        return shown(value, _LONG)
    pairs = ((key, ", ".join(map(str, x)) if isinstance(x, list) else shown(x)) for key, x in value.items())
    return printable(shorten("; ".join(f"{key}: {text}" for key, text in pairs), _LONG))


def setting_facts(run: Run) -> list[tuple[str, str]]:
    """The settings that are set, as name and value."""
    return [(printable(str(key)), shown(value)) for key, value in run.settings.items() if value is not None]


def percent(part: int, whole: int) -> str:
    """A share in per cent, rounded down: 100% is all of them."""
    return f"{100 * part // whole}%" if whole else "none offered"


def small(value: mpq | Infinity) -> str:
    """A non-negative number in three digits, rounded up."""
    return str(value) if isinstance(value, Infinity) or value == 0 else to_decimal(value, _DIGITS, "up")


def gap_text(result: Result) -> str:
    """The signed gap as a decimal, then in ulps of the answer where those are few enough to mean something."""
    gap = result.gap
    parts = [str(gap[key]) for key in ("decimal", "exact") if gap.get(key) is not None][:1]
    ulps = gap.get("ulps")
    if isinstance(ulps, str) and not _HUGE.search(ulps):
        parts.append(f"{shorten(ulps, 24)} ulp")
    return printable(shorten(", ".join(parts), _LONGEST))


def truth_text(truth: object) -> str:
    """A truth as people read it: a number, the digits that its enclosure proves, yes or no, or why there is none."""
    if not isinstance(truth, Mapping):
        return shown(truth)
    match next(iter(truth.items()), ("", None)):
        case ("exact", str(number)):
            text = short(printable(number))
        case ("enclosure", [lo, hi]) | ("epsilon", {"lo": lo, "hi": hi}):
            text = _digits(lo, hi)
        case ("relation", bool(holds)):
            text = "true" if holds else "false"
        case ("rejects", str(reason)):
            text = f"no answer: {shown(reason)}"
        case _:
            text = shown(truth)
    return text


def answer_text(value: object) -> str:
    """An answer as people read it: a double as a decimal of 17 digits, bounds as one number where they are one."""
    if isinstance(value, str) and "x" in value.lower():
        return _decimal(value)
    if isinstance(value, Mapping) and {"lo", "hi"} <= set(value):
        lo, hi = (answer_text(value[key]) for key in ("lo", "hi"))
        return lo if lo == hi else f"{lo} to {hi}"
    if isinstance(value, Mapping) and len(value) == 1:
        ((name, only),) = value.items()
        return f"{printable(str(name))} {answer_text(only)}" if isinstance(only, str) else shown(value)
    return shown(value)


def _decimal(text: str) -> str:
    try:
        number = parse_extended(text)
    except OracleError:
        return shown(text)
    return str(number) if isinstance(number, Infinity) else to_decimal(number, _DOUBLE_DIGITS, "down")


def _digits(lo: object, hi: object) -> str:
    """The decimal that both ends begin with, or the two ends."""
    first, last = _decimal(str(lo)), _decimal(str(hi))
    return first if str(lo) == str(hi) else f"{first}..." if first == last else f"{first} to {last}"


def worst_text(group: Group) -> str:
    """The largest gap of a concept or op, and its case."""
    return f"{gap_text(group.worst)} in {group.worst.case}" if group.worst else ""


def shown(value: object, longest: int = _LONGEST) -> str:
    """A JSON value of the stream as one printable line, cut to a bearable length."""
    if value is None:
        return ""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return printable(shorten(text, longest))


def explanations(result: Result, notes: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """Why a case matters: flag, kind, and description with effect, for each of its flags that is explained."""
    found = []
    for flag in result.flags:
        note = notes.get(flag)
        if isinstance(note, Mapping):
            sentences = [f"{str(note[key]).strip().rstrip('.')}." for key in ("description", "effect") if note.get(key)]
            found.append((printable(flag), printable(str(note.get("kind", ""))), printable(" ".join(sentences))))
    return found


def mismatch_text(result: Result) -> str:
    """How it differs from what is listed as known; empty if it does not."""
    return printable(f"listed as {result.mismatch}, but is {result.verdict}") if result.mismatch else ""


def known_entry(result: Result) -> str:
    """The entry for dp-oracle.toml that lists this failure as known."""
    case, verdict = (json.dumps(text, ensure_ascii=True) for text in (result.case, result.verdict))
    return f'[[known]]\ncase = {case}\nverdict = {verdict}\nreason = "..."'


def law_text(law: Law) -> str:
    """What broke a law and in which cases, or how many comparisons it held in."""
    if not law.broken:
        return f"{shown(law.event.get('checked', ''))} comparisons"
    cases = law.event.get("cases")
    where = f" in {', '.join(map(str, cases))}" if isinstance(cases, list) and cases else ""
    gap = law.event.get("gap")
    size = f" (gap {gap['decimal']})" if isinstance(gap, Mapping) and gap.get("decimal") else ""
    known = f", known: {law.known}" if law.known else ""
    return shown(f"{law.event.get('reason') or 'broken'}{where}{size}{known}", 2 * _LONGEST)
