"""``oracle fuzz``: a search for questions that a library answers wrongly, shrunk and told apart by cause."""

from __future__ import annotations

import re
import signal
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any, Final

import click

from oracle.cli.campaign_options import (
    command_option,
    dask_option,
    ops_option,
    progress,
    python_option,
    require_one_place,
    timeout_option,
    workers_option,
)

if TYPE_CHECKING:
    from oracle.conformance.fuzz.campaign import Campaign, Limits
    from oracle.conformance.fuzz.causes import Cause
    from oracle.conformance.fuzz.places import Asked, Origin
    from oracle.conformance.fuzz.rounds import Round
    from oracle.conformance.streams import StreamWriter

EXAMPLES = """\b
Examples:
  oracle fuzz dp-accounting --minutes 5 --out fuzz
  oracle fuzz float64 --op tradeoff --op delta --questions 500 --seed 7
  oracle fuzz my_library.oracle_adapter:ADAPTER --strict --out fuzz
  oracle fuzz --cmd "./your-program --quiet" --questions 2000 --out fuzz --resume

\b
NAME and --cmd are those of oracle conform. Nothing is known of the library beforehand:
questions are drawn from the whole mechanism language, its extreme regions included, and
those that the library declines are soon asked no more.

\b
A finding is shrunk to the smallest question that fails in the same way, and written to
--out DIR as a folder: finding.json, reproduce.py (the library alone), output.txt (what
that printed), record.json and certificates of the truth, vector.json to pin it. Findings
of one cause are counted, not written again; findings.json lists them.

\b
The same seed and number of questions find the same, but for questions whose answer or
truth takes about as long as its limit. With --minutes quick questions are asked more
often, a slow truth is given up early, and the clock decides the end.

\b
Exit codes: 0 nothing found, 1 findings, 2 bad usage or an adapter that cannot be asked,
3 interrupted: go on with --resume.
"""

_QUESTIONS: Final = 1000
_MOST_QUESTIONS: Final = 10**9
_MOST_MINUTES: Final = 10**6
_MOST_SEED: Final = 2**63 - 1
_SHOWN: Final = 60
_FOLDER: Final = re.compile(r"[0-9]{2,}-")
_QUICK_TRUTH_SECONDS: Final = 0.5
"""Where time is limited a slow truth is given up early, for the sake of many quick ones."""

Event = dict[str, Any]


@click.command(epilog=EXAMPLES)
@click.argument("name", required=False, metavar="[NAME]")
@command_option
@ops_option
@click.option("--minutes", type=click.FloatRange(0, _MOST_MINUTES, min_open=True), help="End after so long.")
@click.option(
    "--questions",
    type=click.IntRange(1, _MOST_QUESTIONS),
    help=f"End with the round in which so many are judged; {_QUESTIONS} where no --minutes are given.",
)
@click.option("--seed", type=click.IntRange(0, _MOST_SEED), default=0, show_default=True, help="Of the random choices.")
@click.option("--strict", is_flag=True, help="The wrong side by rounding alone is a finding, too.")
@workers_option("Local processes that search.")
@dask_option
@python_option
@timeout_option(10)
@click.option("--out", metavar="DIR", help="Write the findings and the journal into DIR, made if missing.")
@click.option("--resume", is_flag=True, help="Go on with the interrupted campaign in DIR.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead of a table.")
def fuzz(  # noqa: PLR0917 - one parameter for each option
    name: str | None,
    command: str | None,
    ops: tuple[str, ...],
    minutes: float | None,
    questions: int | None,
    seed: int,
    strict: bool,
    workers: int,
    dask: str | None,
    python: str | None,
    timeout: float,
    out: str | None,
    resume: bool,
    as_json: bool,
) -> None:
    """Search for questions that a library answers wrongly.

    Mechanisms and questions are generated, each answer is held against the exact truth by what the
    library claims of it, answers are held against each other, and what fails is shrunk.
    """
    # The engine loads when it is needed, so that help is quick.
    from oracle.cli.campaign_options import subject_maker  # noqa: PLC0415
    from oracle.conformance.fuzz.places import Asked, close  # noqa: PLC0415
    from oracle.errors import IncompleteError, InputError  # noqa: PLC0415

    subject_maker(name, command, timeout, python)  # refuses what is no subject
    require_one_place(dask, workers, "oracle fuzz")
    if resume and out is None:
        raise InputError("--out DIR with the interrupted campaign", "none", "--resume")
    asked = Asked(name, command, python, timeout, strict=strict)
    if minutes is not None:
        asked = replace(asked, truth_seconds=_QUICK_TRUTH_SECONDS)
    directory = None if out is None else Path(out)
    settings = {
        "seed": seed,
        "ops": sorted(ops),
        "strict": strict,
        "timeout": f"{timeout:g}",
        "questions": questions,
        "minutes": minutes,
    }
    if questions is None and minutes is None:
        questions = _QUESTIONS
    stream: StreamWriter | None = None
    try:
        work = _begun(asked, settings, directory, resume=resume)
        stream = work.stream
        if work.footer is None:
            with _terminable(), ExitStack() as stack:
                _search(work, _limits(questions, minutes), _place(stack, dask, workers), questions)
    except (KeyboardInterrupt, IncompleteError) as error:
        reason = str(error) or "interrupted"
        hint = "; go on with --resume" if directory is not None else ""
        click.echo(f"oracle: {reason}, the campaign is incomplete{hint}", err=True)
        raise SystemExit(3) from None
    finally:
        close()
        if stream is not None:
            stream.close()
    _report(work, as_json=as_json)
    assert work.footer is not None  # noqa: S101 - the search has ended
    raise SystemExit(work.footer["exit"])


@dataclass
class _Work:
    """A campaign with its journal and its findings.

    Attributes:
        asked, origin, campaign: who is asked, where findings come from, the plan.
        header: the first event.
        stream: takes each event, or None without a folder.
        directory: of the files, or None.
        entries: of the index, by cause, with the folder.
        footer: the last event, if the campaign has ended.
    """

    asked: Asked
    origin: Origin
    campaign: Campaign
    header: Event
    stream: StreamWriter | None
    directory: Path | None
    entries: dict[Cause, tuple[str, Mapping[str, Any], list[str]]] = field(default_factory=dict)
    footer: Event | None = None

    def write(self, event: Event) -> None:
        """Write an event to the journal, if there is one."""
        if self.stream is not None:
            self.stream.write(event)


def _begun(asked: Asked, settings: Mapping[str, Any], directory: Path | None, *, resume: bool) -> _Work:
    """The campaign, new or as the journal has it; the folder is looked at before any work."""
    from oracle.conformance.fuzz.campaign import Campaign  # noqa: PLC0415
    from oracle.conformance.fuzz.journal import JOURNAL, header, replayed, require_same, resumed  # noqa: PLC0415
    from oracle.conformance.fuzz.places import Origin  # noqa: PLC0415
    from oracle.conformance.runs import smoke_test  # noqa: PLC0415
    from oracle.conformance.streams import StreamWriter, read_events  # noqa: PLC0415
    from oracle.errors import InputError  # noqa: PLC0415
    from oracle.writing import require_replaceable, require_writable  # noqa: PLC0415

    earlier: list[Event] = []
    if directory is not None:
        require_writable(directory)
        journal = directory / JOURNAL
        require_replaceable(journal)
        there = journal.exists() and journal.stat().st_size
        if there and not resume:
            raise InputError("a new folder, or --resume", f"one with the journal {journal}", "--out")
        if not there and (found := _like_ours(directory)):
            raise InputError("a folder without findings", f"one with {found}, and no journal of it", "--out")
        earlier = read_events(journal) if there else []
    subject = asked.subject()
    try:
        hello = subject.hello()
        smoke_test(subject, hello)
    finally:
        subject.close()
    campaign = Campaign(hello, settings["seed"], settings["ops"])
    begin = header(hello, settings)
    if earlier:
        require_same(earlier, begin)
    stream = None if directory is None else StreamWriter(directory / JOURNAL, resume=True)
    work = _Work(asked, Origin(hello, asked, settings["seed"]), campaign, begin, stream, directory)
    for event in earlier:
        if event["event"] == "round":
            done = replayed(event)
            campaign.take(done)
            if event["folder"] is not None and done.cause is not None:
                work.entries[done.cause] = _entry(directory or Path(), event["folder"])
        elif event["event"] == "footer":
            work.footer = event
            click.echo("oracle: this campaign had come to its end; a new folder for more questions", err=True)
    if work.footer is None:
        work.write(resumed() if earlier else begin)
    return work


def _like_ours(directory: Path) -> Path | None:
    """A file or folder there that has a name which this command would write to."""
    from oracle.conformance.fuzz.findings import INDEX  # noqa: PLC0415

    there = sorted(directory.iterdir()) if directory.is_dir() else []
    return next((path for path in there if path.name == INDEX or _FOLDER.match(path.name)), None)


def _entry(directory: Path, folder: str) -> tuple[str, Mapping[str, Any], list[str]]:
    """What is kept of a finding, from its files."""
    from oracle.json_text import parse, read_text  # noqa: PLC0415

    place = directory / folder
    document = parse(read_text(place / "finding.json"), str(place))
    return folder, document, sorted(path.name for path in place.iterdir())


def _limits(questions: int | None, minutes: float | None) -> Limits:
    from oracle.conformance.fuzz.campaign import Limits  # noqa: PLC0415

    return Limits(questions, None if minutes is None else time.monotonic() + 60 * minutes)


def _place(stack: ExitStack, dask: str | None, workers: int) -> Any:  # noqa: ANN401 - a mapper
    from oracle.conformance.campaigns import campaign  # noqa: PLC0415

    return stack.enter_context(campaign(dask, workers))


def _search(work: _Work, limits: Limits, mapper: Any, questions: int | None) -> None:  # noqa: ANN401 - a mapper
    from oracle.conformance.fuzz.findings import INDEX, index_entry, index_text  # noqa: PLC0415
    from oracle.conformance.fuzz.journal import round_event  # noqa: PLC0415
    from oracle.conformance.fuzz.places import mapped  # noqa: PLC0415
    from oracle.writing import write_all  # noqa: PLC0415

    start = time.monotonic()
    outcome = work.campaign.outcome
    with progress("asking") as told:
        for done in work.campaign.run(lambda tasks: mapped(work.asked, mapper, tasks), limits):
            folder = None
            if done.cause is not None and done.cause not in work.entries:
                folder = _kept(work, done, done.cause)
            work.write(round_event(done, folder))
            if told is not None:
                told(outcome.judged, questions or outcome.judged)
    entries = [
        index_entry(document, folder, outcome.repeats[cause], files)
        for cause, (folder, document, files) in sorted(work.entries.items())
    ]
    if work.directory is not None:
        write_all(work.directory, {INDEX: index_text(entries)})
    work.footer = {
        "event": "footer",
        **outcome.to_json(),
        "findings": entries,
        "exit": 1 if entries else 0,
        "seconds": round(time.monotonic() - start, 3),
    }
    work.write(work.footer)


def _kept(work: _Work, done: Round, cause: Cause) -> str:
    """Write the files of a new finding; returns the folder."""
    from oracle.conformance.fuzz.findings import document_of, files_of  # noqa: PLC0415
    from oracle.writing import write_all  # noqa: PLC0415

    folder = f"{len(work.entries) + 1:02d}-{cause.slug}"
    if work.directory is None:
        work.entries[cause] = (folder, document_of(done, work.origin), [])
        return folder
    files = files_of(done, work.origin)
    write_all(work.directory / folder, files)
    work.entries[cause] = (folder, document_of(done, work.origin), sorted(files))
    click.echo(f"found {work.directory / folder}", err=True)
    return folder


@contextmanager
def _terminable() -> Iterator[None]:
    """SIGTERM interrupts, so that programs are ended."""

    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


# -- what is printed -------------------------------------------------------------------------------------------------


def _report(work: _Work, *, as_json: bool) -> None:
    from oracle.errors import shorten  # noqa: PLC0415
    from oracle.json_text import dump_line  # noqa: PLC0415

    assert work.footer is not None  # noqa: S101 - the search has ended
    footer = {key: value for key, value in work.footer.items() if key != "event"}
    if as_json:
        head = {key: value for key, value in work.header.items() if key != "event"}
        click.echo(dump_line({**head, **footer}).encode())
        return
    subject = work.header["subject"]
    click.echo(f"{shorten(subject['name'])} {shorten(subject['version'])}, seed {work.header['settings']['seed']}")
    click.echo(_counts(footer))
    click.echo(_table(footer["findings"]) if footer["findings"] else "nothing found")
    if work.directory is not None:
        click.echo(f"wrote {work.directory}")


def _counts(footer: Mapping[str, Any]) -> str:
    from tabulate import tabulate  # noqa: PLC0415

    verdicts = [verdict for verdict in footer["counts"] if footer["counts"][verdict]]
    rows = [[op, *(counts.get(verdict, "") for verdict in verdicts)] for op, counts in footer["by_op"].items()]
    rows.append(["all", *(footer["counts"][verdict] for verdict in verdicts)])
    head = f"{footer['judged']} questions judged in {footer['rounds']} rounds, {footer['asked']} asked with shrinking"
    return f"{head}\n\n{tabulate(rows, ['op', *verdicts])}\n"


def _table(findings: Sequence[Mapping[str, Any]]) -> str:
    from tabulate import tabulate  # noqa: PLC0415

    from oracle.errors import shorten  # noqa: PLC0415
    from oracle.json_text import dump_line  # noqa: PLC0415

    rows = [
        [
            entry["verdict"],
            entry["class"],
            entry["op"],
            shorten(dump_line(entry["input"]), _SHOWN),
            shorten(entry["answer"], _SHOWN),
            entry["gap"],
            entry["repeats"],
        ]
        for entry in findings
    ]
    return tabulate(rows, ["verdict", "class", "op", "question", "answer", "gap", "times"], disable_numparse=True)
