"""``oracle count``: raw samples of a mechanism, a line for each run, as the counts that ``oracle audit`` takes."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from oracle.audits.samples import Samples

EXAMPLES = """\b
Examples:
  oracle count runs.csv > counts.csv
  oracle count on_D.txt on_Dprime.txt --threshold 1/2 > counts.csv
  oracle count runs.csv --split > counts.csv
  oracle count runs.csv --pairs --outcome yes > pairs.json

\b
FILES is one CSV with the columns input,outcome (input is D or Dprime), - is stdin; or two
files, of the runs on D and on D', with an outcome on each line.
--threshold T counts numbers by the intervals between the thresholds: x >= T, x < T. Fix
them before the runs, or declare how many you looked at (oracle audit --event family:N).
--split lets the first, third, ... run on each input choose the event, and counts the others.
--pairs counts the first runs on D and D' as one pair, the second ones as the next, ...: for
e-values (oracle audit --bet), which may be looked at after every pair.

\b
Exit codes: 0 done, 2 bad usage or input.
"""


@click.command(epilog=EXAMPLES)
@click.argument("files", metavar="FILES", nargs=-1, required=True)
@click.option("--threshold", "thresholds", multiple=True, metavar="T", help="Count by intervals; repeat for several.")
@click.option("--split", is_flag=True, help="Half of the runs choose the event, the others are counted.")
@click.option("--pairs", is_flag=True, help="Count pairs of runs; needs --outcome.")
@click.option("--outcome", "event", multiple=True, metavar="NAME", help="With --pairs: the event; repeat for several.")
@click.option("--out", metavar="FILE", help="Write into FILE instead of stdout.")
@click.option("--json", "as_json", is_flag=True, help="JSON instead of CSV; pairs always are JSON.")
def count(  # noqa: PLR0917 - one parameter for each option
    files: tuple[str, ...],
    thresholds: tuple[str, ...],
    split: bool,
    pairs: bool,
    event: tuple[str, ...],
    out: str | None,
    as_json: bool,
) -> None:
    """Count raw samples, so that no count is ever made again from a frequency.

    Prints how many runs on each of two neighbouring inputs had each outcome.
    """
    # The engine loads when it is needed, so that help is quick.
    from oracle.audits.observations import to_json  # noqa: PLC0415
    from oracle.audits.samples import count_outcomes, count_pairs, counts_csv  # noqa: PLC0415
    from oracle.exact import parse_number  # noqa: PLC0415
    from oracle.json_text import dump_line  # noqa: PLC0415
    from oracle.writing import require_file, write_file  # noqa: PLC0415

    if len(files) > 2:
        raise click.UsageError("one file with the columns input,outcome, or two files of samples")
    if pairs and (split or not event):
        raise click.UsageError("--pairs goes with --outcome and without --split")
    if event and not pairs:
        raise click.UsageError("--outcome goes with --pairs; of counts, oracle audit is told the event")
    if out is not None:
        require_file(out, "--out")
    samples = _samples(files)
    limits = [parse_number(text, "--threshold") for text in thresholds]
    if pairs:
        text = f"{dump_line(to_json(count_pairs(samples, event, limits)))}\n"
    else:
        table = count_outcomes(samples, limits, split=split)
        text = f"{dump_line(to_json(table))}\n" if as_json else counts_csv(table)
    if out is None:
        sys.stdout.buffer.write(text.encode())
        sys.stdout.buffer.flush()
    else:
        write_file(out, text.encode(), "--out")


def _samples(files: tuple[str, ...]) -> Samples:
    from oracle.audits.delimited import SEPARATORS  # noqa: PLC0415
    from oracle.audits.samples import read_samples, read_two_samples  # noqa: PLC0415

    texts = [_text(file) for file in files]
    if len(files) == 2:
        return read_two_samples((texts[0], texts[1]), (files[0], files[1]))
    form = "tsv" if files[0].lower().endswith(".tsv") else "csv"
    return read_samples(texts[0], SEPARATORS[form], "stdin" if files[0] == "-" else files[0])


def _text(file: str) -> str:
    from oracle.errors import InputError  # noqa: PLC0415
    from oracle.json_text import read_text  # noqa: PLC0415

    if file != "-":
        return read_text(Path(file))
    try:
        return sys.stdin.buffer.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError("UTF-8 text", f"a byte that is not, at offset {error.start}", "stdin") from None
