"""``oracle answer``: the request protocol over standard input and output."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, Final

import click

_MEGABYTE: Final = 2**20

EXAMPLES: Final = """\b
Example:
  echo '{"id": "q1", "op": "delta", "args": {"channel": {"matrix": [["3/4", "1/4"],
    ["1/4", "3/4"]]}, "exp_epsilon": "2"}}' | tr -d '\\n' | oracle answer
  {"id": "q1", "value": "1/4"}

\b
An answer has exactly one of "value", "declined" (not offered) and "error".
Numbers are strings: "9/10", "0.05", "1e-6", "0x1.8p-1", "inf".
"""


class _TooLongError(Exception):
    """The time limit of one request has passed."""


@click.command(epilog=EXAMPLES)
@click.option("--timeout", type=click.FloatRange(min=0), default=0, help="Seconds for one request; 0 for no limit.")
@click.option(
    "--max-megabytes",
    type=click.IntRange(min=1),
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
    from oracle.answers import answer_line  # noqa: PLC0415 - the engine loads when it is needed
    from oracle.json_text import dump_line  # noqa: PLC0415

    for line in _lines(max_megabytes * _MEGABYTE):
        if isinstance(line, str):
            try:
                with _time_limit(timeout):
                    reply = answer_line(line)
                    text = dump_line(reply)
            except _TooLongError:
                text = dump_line(
                    {"id": _identity(line), "error": f"no answer within the time limit (--timeout {timeout:g} s)"}
                )
        else:
            text = dump_line(line)
        sys.stdout.buffer.write(text.encode() + b"\n")
        sys.stdout.buffer.flush()


def _lines(limit: int) -> Iterator[str | dict[str, Any]]:
    """The lines of standard input as text, or the answer to one that is too long or no UTF-8."""
    stream = sys.stdin.buffer
    while chunk := stream.readline(limit + 1):
        if len(chunk) > limit:
            while chunk and not chunk.endswith(b"\n"):
                chunk = stream.readline(limit)
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


def _identity(line: str) -> str | int | None:
    """The id of a request that was cut short."""
    from oracle.json_text import parse  # noqa: PLC0415

    value = parse(line)
    identity = value.get("id") if isinstance(value, dict) else None
    return identity if isinstance(identity, (str, int)) else None


@contextmanager
def _time_limit(seconds: float) -> Iterator[None]:
    """Interrupt the block after *seconds*, between two steps of the interpreter; 0 for no limit."""
    if not seconds or not hasattr(signal, "setitimer"):
        yield
        return

    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise _TooLongError

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
