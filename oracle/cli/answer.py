"""``oracle answer``: the request protocol over standard input and output."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Iterator
from typing import Any, BinaryIO, Final

import click

from oracle.cli.timeout_option import seconds
from oracle.time_limits import TooLongError, time_limit

_MEGABYTE: Final = 2**20
_MOST_MEGABYTES: Final = 100_000

EXAMPLES: Final = """\b
Example:
  echo '{"id": "q1", "op": "delta", "args": {"channel": {"matrix": [["3/4", "1/4"],
    ["1/4", "3/4"]]}, "exp_epsilon": "2"}}' | tr -d '\\n' | oracle answer
  {"id": "q1", "value": "1/4"}

\b
An answer has exactly one of "value", "declined" (not offered) and "error".
Numbers are strings: "9/10", "0.05", "1e-6", "0x1.8p-1", "inf".
"""


@click.command(epilog=EXAMPLES)
@click.option("--timeout", type=float, default=0, callback=seconds, help="Seconds for one request; 0 for no limit.")
@click.option(
    "--max-megabytes",
    type=click.IntRange(min=1, max=_MOST_MEGABYTES),
    default=256,
    show_default=True,
    help="Longest request line; a longer one is answered with an error.",
)
@click.option("--json", "as_json", is_flag=True, help="Accepted for uniformity: the output always is JSON lines.")
def answer(timeout: float, max_megabytes: int, as_json: bool) -> None:  # noqa: ARG001 - see --json
    """Answer requests, one JSON object a line, in order, flushing each line.

    A line that is no request gets an error as its answer and the loop goes on. Ends with exit code 0 at the
    end of input.
    """
    from oracle.json_text import dump_line  # noqa: PLC0415 - the engine loads when it is needed

    if sys.stdin is None:  # so Python says that the descriptor was closed at the start
        click.echo("oracle: standard input is closed", err=True)
        sys.exit(3)
    for line in _lines(max_megabytes * _MEGABYTE):
        text = _answered(line, timeout) if isinstance(line, str) else dump_line(line)
        sys.stdout.buffer.write(text.encode() + b"\n")
        sys.stdout.buffer.flush()


def _answered(line: str, timeout: float) -> str:
    """The answer to one line, whatever happens: this is the boundary of the process, and the next line must be read."""
    from oracle.answers import answer_line  # noqa: PLC0415 - the engine loads when it is needed
    from oracle.errors import shorten  # noqa: PLC0415
    from oracle.json_text import dump_line  # noqa: PLC0415

    try:
        with time_limit(timeout):
            return dump_line(answer_line(line))
    except TooLongError:
        error = f"no answer within the time limit (--timeout {timeout:g} s)"
    except Exception as fault:  # noqa: BLE001 - a fault of our own in one request is no reason to leave the others
        traceback.print_exc()
        error = f"internal fault: {shorten(f'{type(fault).__name__}: {fault}')}"
    return dump_line({"id": _identity(line, timeout), "error": error})


def _lines(limit: int) -> Iterator[str | dict[str, Any]]:
    """The lines of standard input as text, or the answer to one that is too long or no UTF-8."""
    stream = sys.stdin.buffer
    while chunk := _read(stream, limit + 1):
        if len(chunk) > limit:
            while chunk and not chunk.endswith(b"\n"):
                chunk = _read(stream, limit)
            yield {
                "id": None,
                "error": f"the line is longer than the size limit (--max-megabytes {limit // _MEGABYTE})",
            }
            continue
        try:
            yield chunk.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            yield {
                "id": None,
                "error": f"expected UTF-8 text, got the byte 0x{chunk[error.start]:02x} at {error.start}",
            }


def _read(stream: BinaryIO, limit: int) -> bytes:
    try:
        return stream.readline(limit)
    except OSError as error:
        click.echo(f"oracle: standard input could not be read: {error.strerror or error}", err=True)
        sys.exit(3)


def _identity(line: str, timeout: float) -> str | int | None:
    """The id of a request that was cut short; None where the line is no request or reading it takes too long again."""
    from oracle.answers import identity  # noqa: PLC0415 - the engine loads when it is needed
    from oracle.errors import OracleError  # noqa: PLC0415
    from oracle.json_text import parse  # noqa: PLC0415

    try:
        with time_limit(timeout):
            return identity(parse(line))
    except (OracleError, TooLongError):
        return None
