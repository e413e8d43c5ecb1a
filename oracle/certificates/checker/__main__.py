"""Command line of the checker: `python -m oracle.certificates.checker [--json] FILE...`."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from . import Accepted, Rejected, check_all

if TYPE_CHECKING:
    from collections.abc import Sequence

_EPILOG = """\
A FILE holds one certificate, or an audit report with a list "certificates", all of which are checked.

exit status: 0 all accepted; 1 one rejected or malformed; 2 a file missing or unreadable, or wrong usage

examples:
  python -m oracle.certificates.checker certificate.json
  python -m oracle.certificates.checker --json report.json
"""


def _print(text: str, stream: TextIO) -> None:
    """Write a line the stream can encode; file names may hold anything, also line breaks."""
    encoding = stream.encoding or "ascii"
    printable = "".join(c if c.isprintable() else c.encode("unicode_escape", "surrogatepass").decode() for c in text)
    stream.write(printable.encode(encoding, "backslashreplace").decode(encoding) + "\n")


def _lines(name: str, outcome: Accepted | Rejected) -> list[str]:
    if isinstance(outcome, Rejected):
        return [f"rejected {name}: {outcome.reason} (at {outcome.where})"]
    hashes = [f"  {channel} sha256:{digest}" for channel, digest in outcome.channels]
    return [f"accepted {name}: {outcome.kind}: {outcome.statement}", *hashes]


def _object(file: str, index: int | None, outcome: Accepted | Rejected) -> str:
    found: dict[str, object] = {"file": file, "index": index, "accepted": isinstance(outcome, Accepted)}
    if isinstance(outcome, Rejected):
        found |= {"reason": outcome.reason, "where": outcome.where}
    else:
        channels = [{"name": channel, "sha256": digest} for channel, digest in outcome.channels]
        found |= {"kind": outcome.kind, "statement": outcome.statement, "channels": channels}
    return json.dumps(found, sort_keys=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Check the files, print one verdict per certificate, and return the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m oracle.certificates.checker",
        description="Check certificates independently of the code that made them.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object per certificate and line")
    parser.add_argument("files", nargs="+", metavar="FILE", help="a certificate or an audit report")
    options = parser.parse_args(arguments)
    status = 0
    for file in options.files:
        try:
            data = Path(file).read_bytes()
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            _print(f"unreadable {file}: {reason}", sys.stderr)
            status = 2
            continue
        for index, outcome in check_all(data):
            if isinstance(outcome, Rejected):
                status = max(status, 1)
            if options.json:
                _print(_object(file, index, outcome), sys.stdout)
                continue
            name = file if index is None else f"{file}[{index}]"
            for line in _lines(name, outcome):
                _print(line, sys.stdout)
    return status


if __name__ == "__main__":
    sys.exit(main())
