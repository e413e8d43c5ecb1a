"""``oracle judge``: answers to the conformance suite, judged against the exact truth."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import click

EXAMPLES = """\b
Examples:
  oracle emit > cases.jsonl
  ./your-program < cases.jsonl > answers.jsonl
  oracle judge cases.jsonl answers.jsonl --out report
  oracle emit --op delta | ./your-program | oracle judge -
  oracle judge answers.jsonl --claim delta=upper --claim tradeoff=lower

\b
With ANSWERS alone a case is found by its id in the installed suite. With CASES too, a
request that is in no suite is judged by the answer of the oracle itself, and a request
without an answer makes the result incomplete.
Claims are those of the answer to hello, or of --claim: upper, lower, nearest, nearest:ULPS,
exact, estimate, estimate:ERROR; OP=CLAIM for one op.

\b
Exit codes: 0 clean, 1 findings, 2 bad usage or an adapter that changes numbers,
3 incomplete (requests without an answer).
"""


@click.command(epilog=EXAMPLES)
@click.argument("files", nargs=-1, required=True, metavar="[CASES] ANSWERS|-")
@click.option("--claim", "stated", multiple=True, metavar="[OP=]CLAIM", help="What is claimed; repeat for several.")
@click.option("--op", "ops", multiple=True, metavar="OP", help="Only this op; repeat for several.")
@click.option("--known", "known_file", metavar="FILE", help="Known failures (dp-oracle.toml).")
@click.option("--strict", is_flag=True, help="Fail for the wrong side by rounding alone, too.")
@click.option("--tightness", is_flag=True, help="Fail for answers that are on the claimed side and loose, too.")
@click.option("--out", metavar="DIR", help="Write the stream and the reports into DIR, made if missing.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead of tables.")
def judge(  # noqa: PLR0917 - one parameter for each option
    files: tuple[str, ...],
    stated: tuple[str, ...],
    ops: tuple[str, ...],
    known_file: str | None,
    strict: bool,
    tightness: bool,
    out: str | None,
    as_json: bool,
) -> None:
    """Judge answers to the conformance suite, one JSON object a line, in any order."""
    # The engine loads when it is needed, so that help is quick.
    from oracle.cli.conformance_options import remove_reports, report, suite_with  # noqa: PLC0415
    from oracle.conformance.answer_files import judge_answers, read_answers, read_requests  # noqa: PLC0415
    from oracle.conformance.checking import known_from  # noqa: PLC0415
    from oracle.conformance.protocol import Claimed, parse_claimed  # noqa: PLC0415
    from oracle.conformance.recording import Settings  # noqa: PLC0415
    from oracle.conformance.streams import STREAM_FILE, StreamWriter  # noqa: PLC0415
    from oracle.errors import InputError  # noqa: PLC0415

    if len(files) > 2:
        raise InputError("one or two files, [CASES] ANSWERS", f"{len(files)}", "oracle judge")
    claims: dict[str, Claimed] = {}
    every = None
    for text in stated:
        op, equals, claim = text.partition("=")
        if equals:
            claims[op] = parse_claimed(claim, "--claim")
        else:
            every = parse_claimed(text, "--claim")
    suite, known = suite_with(ops, ()), known_from(known_file)
    requests = None
    if len(files) == 2:
        with _lines(files[0]) as lines:
            requests = read_requests(lines, files[0])
    with _lines(files[-1]) as lines:
        answers = read_answers(lines)
    events: list[dict[str, object]] = []
    settings = Settings(ops=ops, strict=strict, tightness=tightness)
    recorder = judge_answers(
        suite,
        answers,
        sink=events.append,
        requests=requests,
        settings=settings,
        claims=claims,
        every=every,
        known=known,
    )
    directory = None if out is None else Path(out)
    if directory is not None:
        remove_reports(directory)
        with StreamWriter(directory / STREAM_FILE) as stream:
            for event in events:
                stream.write(event)
    report(events, out=directory, as_json=as_json)
    if recorder.exit_code:
        raise SystemExit(recorder.exit_code)
    raise SystemExit(0 if events[-1]["complete"] else 3)


@contextmanager
def _lines(name: str) -> Iterator[Iterator[str]]:
    """The lines of a file or of standard input; bytes that are no UTF-8 become replacement characters."""
    from oracle.errors import InputError  # noqa: PLC0415

    if name == "-":
        yield _decoded(sys.stdin.buffer)
        return
    try:
        with Path(name).open("rb") as stream:
            yield _decoded(stream)
    except (OSError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise InputError("a readable file", reason.lower(), name) from None


def _decoded(stream: IO[bytes]) -> Iterator[str]:
    for line in stream:
        yield line.decode("utf-8-sig", "replace")
