"""Command line of the checker: `python -m oracle.certificates.checker [--json] [--input TABLE] FILE...`."""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from . import Accepted, Rejected, Unverified, check_all
from .pages import report_in
from .reading import parse

if TYPE_CHECKING:
    from collections.abc import Sequence

    from . import Outcome

_EPILOG = """\
A FILE holds one certificate, or an audit report, of which everything is checked that follows from its certificates;
of a report.html the report inside it is checked, not what the page shows.

exit status: 0 all accepted; 1 one rejected or malformed; 2 a file missing or unreadable, or wrong usage;
3 there is no certificate, only records of enclosures, or the output could not be written

examples:
  python -m oracle.certificates.checker certificate.json
  python -m oracle.certificates.checker --json report.json
  python -m oracle.certificates.checker report.html
  python -m oracle.certificates.checker report.json --input table.csv
"""


def _print(text: str, stream: TextIO) -> None:
    """Write a line the stream can encode; file names may hold anything, also line breaks."""
    encoding = stream.encoding or "ascii"
    printable = "".join(c if c.isprintable() else c.encode("unicode_escape", "surrogatepass").decode() for c in text)
    stream.write(printable.encode(encoding, "backslashreplace").decode(encoding) + "\n")


def _lines(name: str, outcome: Outcome) -> list[str]:
    if isinstance(outcome, Rejected):
        return [f"rejected {name}: {outcome.reason} (at {outcome.where})"]
    if isinstance(outcome, Unverified):
        return [f"unverified {name}: {outcome.reason}"]
    hashes = [f"  {channel} sha256:{digest}" for channel, digest in outcome.channels]
    return [f"accepted {name}: {outcome.kind}: {outcome.statement}", *hashes]


def _object(file: str, index: int | None, outcome: Outcome) -> str:
    found: dict[str, object] = {"file": file, "index": index, "accepted": isinstance(outcome, Accepted)}
    if isinstance(outcome, Rejected):
        found |= {"reason": outcome.reason, "where": outcome.where}
    elif isinstance(outcome, Unverified):
        found |= {"reason": outcome.reason, "unverified": True}
    else:
        channels = [{"name": channel, "sha256": digest} for channel, digest in outcome.channels]
        found |= {"kind": outcome.kind, "statement": outcome.statement, "channels": channels}
    return json.dumps(found, sort_keys=True)


def _compared(report: bytes, table: bytes) -> Accepted | Rejected:
    """Compare the bytes of a table with the hash in a report that was found to hold together."""
    document = parse(report)
    source = document.get("input") if isinstance(document, dict) else None
    if not isinstance(source, dict):
        return Rejected("only an audit report names its input", "$")
    if source.get("sha256") is None:
        return Rejected("the report was made of a value in Python, not of a file", "$.input.sha256")
    if source["sha256"] != hashlib.sha256(table).hexdigest():
        return Rejected("is not the SHA-256 of the file given as input", "$.input.sha256")
    return Accepted("input", "The file given is the input of the report, byte for byte.", ())


def _read(file: str) -> bytes | None:
    try:
        return Path(file).read_bytes()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        _print(f"unreadable {file}: {reason}", sys.stderr)
        return None


def _checked(data: bytes, table: bytes | None) -> list[tuple[int | None, Outcome]]:
    """The outcomes for a file, or for the report in a page, and of the comparison with a table."""
    try:
        document = report_in(data)
    except Rejected as rejected:
        return [(None, rejected)]
    outcomes = check_all(document)
    if table is not None and not isinstance(outcomes[0][1], Rejected):
        outcomes.append((None, _compared(document, table)))
    return outcomes


def _status(outcomes: Sequence[Outcome]) -> int:
    if any(isinstance(outcome, Rejected) for outcome in outcomes):
        return 1
    return 3 if any(isinstance(outcome, Unverified) for outcome in outcomes) else 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Check the files, print one verdict per certificate, and return the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m oracle.certificates.checker",
        description="Check certificates independently of the code that made them.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object per certificate and line")
    parser.add_argument("--input", metavar="TABLE", help="the file that the (one) report was made of, to be compared")
    parser.add_argument("files", nargs="+", metavar="FILE", help="a certificate or an audit report")
    options = parser.parse_args(arguments)
    if options.input is not None and len(options.files) != 1:
        parser.error("--input goes with one report")
    table = None if options.input is None else _read(options.input)
    unreadable = options.input is not None and table is None
    found: list[Outcome] = []
    for file in options.files:
        data = _read(file)
        if data is None:
            unreadable = True
            continue
        outcomes = _checked(data, table)
        found += [outcome for _, outcome in outcomes]
        for index, outcome in outcomes:
            if options.json:
                _print(_object(file, index, outcome), sys.stdout)
                continue
            name = file if index is None else f"{file}[{index}]"
            for line in _lines(name, outcome):
                _print(line, sys.stdout)
    return 2 if unreadable else _status(found)


def _run() -> int:
    """Run, and return 3 where the verdicts cannot be written: Python's own exit status 1 would read as "rejected"."""
    if sys.stdout is None:  # so Python says that the descriptor was closed at the start
        reason = "standard output is closed"
    else:
        try:
            status = main()
            sys.stdout.flush()
        except OSError as error:
            reason = error.strerror or str(error)
            # What is still in the buffer must not be tried again at the end.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        except KeyboardInterrupt:
            reason = "interrupted"
        else:
            return status
    if sys.stderr is not None:
        sys.stderr.write(f"not finished: {reason}\n")
    return 3


if __name__ == "__main__":
    sys.exit(_run())
