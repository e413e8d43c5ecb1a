"""What the commands of the conformance suite share: the suite with checked selections, and the reports of a stream."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import click

from oracle.conformance.cases import Suite, installed_suite
from oracle.conformance.checking import failing_events
from oracle.errors import InputError, shorten
from oracle.json_text import dump_line
from oracle.render import (
    conformance_badge,
    conformance_html,
    conformance_junit,
    conformance_markdown,
    conformance_terminal,
)
from oracle.render.conformance_libraries import Library
from oracle.render.conformance_stream import read_stream
from oracle.writing import require_replaceable, write_all

__all__ = ["REPORT_FILES", "remove_reports", "report", "suite_with"]

REPORT_FILES: Final = ("report.md", "junit.xml", "report.html", "badge.json")
"""The reports beside the stream in a folder of results."""

Event = Mapping[str, Any]


def suite_with(ops: Sequence[str], concepts: Sequence[str]) -> Suite:
    """The installed suite, which must have these ops and concepts.

    Raises:
        InputError: naming what there is.
    """
    suite = installed_suite()
    offered = dict.fromkeys(case.op for case in suite.select())
    for given, known, option in ((ops, offered, "--op"), (concepts, suite.concepts, "--concept")):
        for name in given:
            if name not in known:
                raise InputError("one of " + ", ".join(known), f'"{shorten(name)}"', option)
    return suite


def remove_reports(directory: Path) -> None:
    """Remove the reports of an earlier run from a folder.

    Raises:
        InputError: if something other than a regular file has the name of one.
    """
    for name in REPORT_FILES:
        require_replaceable(directory / name)
    for name in REPORT_FILES:
        (directory / name).unlink(missing_ok=True)


def report(events: Sequence[Event], *, out: Path | None, as_json: bool) -> None:
    """Print what a stream says, and write the reports.

    Args:
        events: the stream.
        out: folder for the reports.
        as_json: print one JSON document instead of tables.
    """
    run = read_stream(map(dump_line, events), "the stream")
    if out is not None:
        files = {
            "report.md": conformance_markdown.render(run),
            "junit.xml": conformance_junit.render(run),
            "report.html": conformance_html.render([Library(run)]),
            "badge.json": conformance_badge.render(run),
        }
        write_all(out, {name: text.encode("utf-8", "backslashreplace") for name, text in files.items()})
    if as_json:
        footer = {key: value for key, value in events[-1].items() if key != "event"} if run.footer else {}
        header = {key: value for key, value in events[0].items() if key not in ("event", "notes")}
        document = {**header, "complete": False, **footer, "failures": failing_events(events)}
        click.echo(dump_line(document).encode())
    else:
        colour = sys.stdout.isatty() and "NO_COLOR" not in os.environ
        for event in events:
            if event["event"] == "warning" and "case" not in event:
                click.echo(f"oracle: warning: {event['reason']}", err=True)
        text = conformance_terminal.render(run, colour=colour, written=out is not None)
        encoding = sys.stdout.encoding or "ascii"
        click.echo(text.encode(encoding, "backslashreplace").decode(encoding))
    if out is not None:
        for name in REPORT_FILES:
            click.echo(f"wrote {out / name}", err=as_json)
