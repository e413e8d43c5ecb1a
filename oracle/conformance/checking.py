"""The Python door: a library's own test asks the whole suite in one call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from tabulate import tabulate

from oracle.conformance.cases import Case, Suite, installed_suite
from oracle.conformance.judging import fails
from oracle.conformance.known import Known, read_known
from oracle.conformance.runs import Settings, run
from oracle.conformance.subjects import InProcess
from oracle.errors import InputError, shorten

__all__ = [
    "check_conformance",
    "failing_events",
    "failure_table",
    "failures_to_know",
    "known_from",
    "run_in_process",
]

Event = Mapping[str, Any]

_MOST_ROWS: Final = 40
_SHOWN: Final = 34
_LONGEST_REASON: Final = 160


def check_conformance(
    subject: object,
    ops: Sequence[str] | None = None,
    known: Known | Path | str | None = None,
    *,
    strict: bool = False,
    tightness: bool = False,
) -> None:
    """Ask a Python object every case of the installed suite; return if there is no finding.

    .. code-block:: python

        def test_conformance():
            check_conformance("my_library.oracle_adapter:ADAPTER", known="dp-oracle.toml")

    Args:
        subject: an object with methods named after ops, or its name ``pkg.mod:OBJ``.
        ops: the ops asked; by default all that the object offers.
        known: the known failures, or the file of them.
        strict: also fail for answers on the wrong side by rounding alone.
        tightness: also fail for answers on the claimed side that are not tight.

    Raises:
        AssertionError: with a table of the findings.
        AdapterError: if the object cannot be asked.
        InputError: for an op that the suite does not have.
    """
    suite = installed_suite()
    wanted = tuple(ops or ())
    offered = dict.fromkeys(case.op for case in suite.select())
    for op in wanted:
        if op not in offered:
            raise InputError("ops of the suite: " + ", ".join(offered), shorten(op), "ops")
    settings = Settings(ops=wanted, strict=strict, tightness=tightness)
    events = run_in_process(subject, suite, None, settings, known_from(known))
    if events[-1]["findings"]:
        raise AssertionError(failure_table(events))


def known_from(known: Known | Path | str | None) -> Known | None:
    """The known failures, read where they are a file."""
    return read_known(Path(known)) if isinstance(known, (str, Path)) else known


def run_in_process(
    subject: object, suite: Suite, cases: Sequence[Case] | None, settings: Settings, known: Known | None
) -> list[dict[str, Any]]:
    """Run a suite on a Python object in this process; returns the events."""
    events: list[dict[str, Any]] = []
    run(lambda: InProcess(subject), suite, cases, sink=events.append, settings=settings, known=known)
    return events


def failing_events(events: Sequence[Event]) -> list[Event]:
    """The results and laws of a stream that are findings under its settings, the known ones left out."""
    settings = events[0].get("settings", {})
    strict, tightness = bool(settings.get("strict")), bool(settings.get("tightness"))
    found = []
    for event in events:
        failing = _is_failure(event, strict=strict, tightness=tightness)
        if (failing and "known" not in event) or "mismatch" in event:
            found.append(event)
    return found


def failures_to_know(events: Sequence[Event], *, strict: bool = False, tightness: bool = False) -> list[Event]:
    """The results and laws of a stream that fail, known or not, under its settings or these."""
    settings = events[0].get("settings", {})
    strict, tightness = strict or bool(settings.get("strict")), tightness or bool(settings.get("tightness"))
    return [event for event in events if _is_failure(event, strict=strict, tightness=tightness)]


def _is_failure(event: Event, *, strict: bool, tightness: bool) -> bool:
    if event["event"] == "result":
        return fails(event["verdict"], strict=strict, tightness=tightness)
    if event["event"] == "law":
        return event["verdict"] == "broken" or (strict and event["verdict"] == "broken-rounding")
    return False


def failure_table(events: Sequence[Event]) -> str:
    """A table of the findings of a stream, the first ones if there are many."""
    found, footer, header = failing_events(events), events[-1], events[0]
    rows = []
    for event in found[:_MOST_ROWS]:
        what = event["case"] if event["event"] == "result" else event["law"]
        verdict = event["verdict"] + (f" (known as {event['mismatch']})" if "mismatch" in event else "")
        gap = (event.get("gap") or {}).get("decimal", "")
        why = event.get("reason") or f"answer {shorten(event.get('answer'), _SHOWN)}"
        rows.append((what, verdict, gap, shorten(why, _LONGEST_REASON)))
    table = tabulate(rows, headers=("case", "verdict", "answer - truth", "why"), disable_numparse=True)
    more = f"\n... and {len(found) - _MOST_ROWS} more" if len(found) > _MOST_ROWS else ""
    subject = header["subject"]
    fixed = [f"{m['case']} is known as {m['expected']} and is {m['got']}" for m in footer.get("mismatches", [])]
    changed = "\nKnown failures that do not fail as stated:\n  " + "\n  ".join(fixed) if fixed else ""
    counts = ", ".join(f"{count} {verdict}" for verdict, count in footer["counts"].items() if count)
    head = f"{subject['name']} {subject['version']}, suite {header['suite']}: {footer['findings']} findings ({counts})"
    return f"{head}\n{table}{more}{changed}"
