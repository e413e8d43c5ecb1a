"""The event stream of a run: JSON lines, append-only; without a footer the run did not finish.

===========  =======================================================================================================
event        keys
===========  =======================================================================================================
``header``   stream, suite, manifest, schema, oracle, subject (its ``hello``), platform, settings, offered, notes (the
             meaning of each flag), started
``resume``   at: an interrupted run went on here
``result``   case, op, concept, topic, summary, flags, claim, form, verdict, gap, answer, reason, flag, seconds; args,
             truth and certificate where it is no pass; ``known`` where it fails as is known, else ``mismatch``
``law``      id, law, op, concept, cases, verdict (holds, broken, broken-rounding); checked, or gap and reason
``warning``  reason, case: what was odd and not in the way
``footer``   complete, counts, laws, known, mismatches, findings, exit, seconds, finished
===========  =======================================================================================================

The JSON Schema of an event is ``conformance_stream``.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any, Final, Self

from oracle.errors import InputError, shorten
from oracle.json_text import dump_line, read_bytes
from oracle.writing import require_replaceable

__all__ = ["STREAM", "STREAM_FILE", "StreamWriter", "read_events", "stream_path"]

STREAM: Final = 1
"""Version of the stream."""

STREAM_FILE: Final = "stream.jsonl"
"""Name of the stream in a folder of results."""


def stream_path(path: Path) -> Path:
    """The stream itself, or that of a folder of results."""
    return path / STREAM_FILE if path.is_dir() else path


def read_events(path: Path) -> list[dict[str, Any]]:
    """The events of a stream; a last line that was cut off is left out.

    Raises:
        InputError: for a file that is no stream.
    """
    events, _ = _whole(path)
    if not events or events[0].get("event") != "header":
        raise InputError("a stream that begins with a header", "none", str(path))
    if events[0].get("stream") != STREAM:
        raise InputError(f"a stream of version {STREAM}", shorten(events[0].get("stream")), str(path))
    return events


def _whole(path: Path) -> tuple[list[dict[str, Any]], int]:
    """The events, and how many bytes of the file they are."""
    data = read_bytes(path)
    events, end = [], 0
    for number, line in enumerate(data.splitlines(keepends=True), 1):
        if not line.endswith(b"\n"):
            break
        event = _event(line)
        if event is None:
            raise InputError(
                "one event a line, a JSON object", shorten(line.decode("utf-8", "replace")), f"{path}:{number}"
            )
        events.append(event)
        end += len(line)
    return events, end


def _event(line: bytes) -> dict[str, Any] | None:
    try:
        event = json.loads(line)
    except ValueError:
        return None
    return event if isinstance(event, dict) and isinstance(event.get("event"), str) else None


class StreamWriter:
    """Appends events to a file, each flushed to it as it is written.

    Args:
        path: the file; an existing one is replaced, unless *resume*.
        resume: append to what is there, after cutting off a torn last line.
    """

    def __init__(self, path: Path, *, resume: bool = False) -> None:
        require_replaceable(path)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if resume and path.exists():
                _, end = _whole(path)
                os.truncate(path, end)
            self._file: IO[bytes] = path.open("ab" if resume else "wb")
        except OSError as error:
            raise InputError(
                "a file that can be written to", (error.strerror or str(error)).lower(), str(path)
            ) from None

    def write(self, event: Mapping[str, Any]) -> None:
        """Append one event."""
        self._file.write(dump_line(event).encode() + b"\n")
        self._file.flush()

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
