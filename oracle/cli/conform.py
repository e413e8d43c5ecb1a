"""``oracle conform``: the conformance suite asked of a library, live."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

import click

from oracle.cli.campaign_options import (
    command_option,
    dask_option,
    ops_option,
    progress,
    python_option,
    require_one_place,
    subject_maker,
    timeout_option,
    workers_option,
)

if TYPE_CHECKING:
    from oracle.conformance.runs import Maker, Many

EXAMPLES = """\b
Examples:
  oracle conform float64
  oracle conform dp-accounting --out report -n 2
  oracle conform autodp --python .peers/numpy1/bin/python
  oracle conform my_library.oracle_adapter:ADAPTER --op delta --known dp-oracle.toml
  oracle conform --cmd "./your-program --quiet" --timeout 10 --out report
  oracle conform --cmd "./your-program" --out report --resume
  oracle conform dp-accounting --dask tcp://10.0.0.1:8786 --out report

\b
NAME is float64, or a library that must be installed: dp-accounting,
dp-accounting-optimistic, dp-accounting-rdp, opendp, prv-accountant,
prv-accountant-lower, riskcal, gdpnum, dp-accelerator, opacus-rdp, opacus-prv,
opacus-gdp, qif, autodp, fourier-accountant, diffprivlib; or module:object for a
Python object with methods named after ops. --python is where it is installed, if
not here; that Python needs fdp-oracle too. --cmd starts a program that reads one
request a line and writes one answer a line; it is started again after a crash or
a timeout.

\b
--out DIR gets stream.jsonl, written as the answers come, and at the end report.md,
junit.xml, report.html and badge.json. Interrupted, the run goes on with --resume.
--dask asks on the workers of a cluster, which have this version of the oracle and the
library; the answers and their order are those of a run here.

\b
Exit codes: 0 clean, 1 findings, 2 bad usage or an adapter that cannot be asked,
3 incomplete.
"""


@click.command(epilog=EXAMPLES)
@click.argument("name", required=False, metavar="[NAME]")
@command_option
@ops_option
@click.option("--concept", "concepts", multiple=True, metavar="NAME", help="Only this concept; repeat for several.")
@click.option("--known", "known_file", metavar="FILE", help="Known failures (dp-oracle.toml).")
@click.option("--strict", is_flag=True, help="Fail for the wrong side by rounding alone, too.")
@click.option("--tightness", is_flag=True, help="Fail for answers that are on the claimed side and loose, too.")
@workers_option("How many are asked at once.")
@dask_option
@python_option
@timeout_option(60)
@click.option("--out", metavar="DIR", help="Write the stream and the reports into DIR, made if missing.")
@click.option("--resume", is_flag=True, help="Go on with the interrupted run in DIR.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead of tables.")
def conform(  # noqa: PLR0917 - one parameter for each option
    name: str | None,
    command: str | None,
    ops: tuple[str, ...],
    concepts: tuple[str, ...],
    known_file: str | None,
    strict: bool,
    tightness: bool,
    workers: int,
    dask: str | None,
    python: str | None,
    timeout: float,
    out: str | None,
    resume: bool,
    as_json: bool,
) -> None:
    """Ask a library every question of the conformance suite and judge its answers.

    Each answer is held against the exact truth by what the library claims of it: upper and lower bounds
    must be on their side, however close. Headline numbers are soundness, tightness and coverage.
    """
    # The engine loads when it is needed, so that help is quick.
    from oracle.cli.conformance_options import report, suite_with  # noqa: PLC0415
    from oracle.conformance.checking import known_from  # noqa: PLC0415
    from oracle.conformance.runs import Settings, run  # noqa: PLC0415
    from oracle.errors import IncompleteError, InputError  # noqa: PLC0415

    make = subject_maker(name, command, timeout, python)
    require_one_place(dask, workers, "oracle conform")
    if resume and out is None:
        raise InputError("--out DIR with the interrupted run", "none", "--resume")
    suite, known = suite_with(ops, concepts), known_from(known_file)
    settings = Settings(ops=ops, concepts=concepts, strict=strict, tightness=tightness, timeout=timeout)
    directory = None if out is None else Path(out)
    with _place(dask, make) as (make_there, many):
        earlier = [] if directory is None else _earlier(directory, resume=resume)
        if earlier and earlier[-1]["event"] == "footer":
            report(earlier, out=directory, as_json=as_json)
            raise SystemExit(earlier[-1]["exit"])
        events = list(earlier)
        with _recorded(events, directory) as sink, progress("asking") as told:
            try:
                run(
                    make_there,
                    suite,
                    sink=sink,
                    settings=settings,
                    known=known,
                    earlier=earlier,
                    workers=workers,
                    many=many,
                    progress=told,
                )
            except (KeyboardInterrupt, IncompleteError) as error:
                reason = str(error) or "interrupted"
                hint = "; go on with --resume" if directory is not None else ""
                click.echo(f"oracle: {reason}, the run is incomplete{hint}", err=True)
    if events:
        report(events, out=directory, as_json=as_json)
    complete = bool(events) and events[-1]["event"] == "footer"
    raise SystemExit(events[-1]["exit"] if complete else 3)


def _earlier(directory: Path, *, resume: bool) -> list[dict[str, Any]]:
    """The events of the interrupted run in a folder; without *resume* its reports make room for new ones."""
    from oracle.cli.conformance_options import REPORT_FILES, remove_reports  # noqa: PLC0415
    from oracle.conformance.streams import STREAM_FILE, read_events  # noqa: PLC0415
    from oracle.writing import require_replaceable, require_writable  # noqa: PLC0415

    require_writable(directory)
    stream = directory / STREAM_FILE
    for path in (stream, *(directory / name for name in REPORT_FILES)):
        require_replaceable(path)
    there = resume and stream.exists() and stream.stat().st_size
    events = read_events(stream) if there else []
    if not events:
        remove_reports(directory)
        stream.unlink(missing_ok=True)
    return events


@contextmanager
def _recorded(events: list[dict[str, Any]], directory: Path | None) -> Iterator[Callable[[dict[str, Any]], None]]:
    """What takes the events: the list, and the stream in the folder. SIGTERM interrupts, so that programs are ended."""
    from oracle.conformance.streams import STREAM_FILE, StreamWriter  # noqa: PLC0415

    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, stop)
    try:
        if directory is None:
            yield events.append
            return
        with StreamWriter(directory / STREAM_FILE, resume=True) as stream:

            def sink(event: dict[str, Any]) -> None:
                events.append(event)
                stream.write(event)

            yield sink
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def _place(address: str | None, make: Maker) -> Iterator[tuple[Maker, Many | None]]:
    """What makes the subject where it is asked, and what asks many questions at once there."""
    if address is None:
        yield make, None
        return
    from oracle.conformance.campaigns import cluster  # noqa: PLC0415
    from oracle.conformance.remote import Remote  # noqa: PLC0415

    with cluster(address) as mapper:
        remote = Remote(make, mapper)
        yield lambda: remote, remote.ask_many
