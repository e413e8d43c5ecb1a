"""The event stream on disk."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from oracle.conformance.streams import STREAM_FILE, StreamWriter, read_events, stream_path
from oracle.errors import InputError

HEADER = {"event": "header", "stream": 1}


def test_events_are_on_disk_as_soon_as_they_are_written(tmp_path: Path) -> None:
    """Each is a line of its own, readable while the file is open; folders are made."""
    path = tmp_path / "a" / "b" / STREAM_FILE
    with StreamWriter(path) as stream:
        stream.write(HEADER)
        assert read_events(path) == [HEADER]
        stream.write({"event": "result", "case": "é"})
        assert read_events(path)[1]["case"] == "é"
    assert stream_path(path.parent) == path
    assert stream_path(path) == path


def test_a_torn_line_is_left_out_and_cut_off_on_resume(tmp_path: Path) -> None:
    """What was whole stays."""
    path = tmp_path / STREAM_FILE
    path.write_bytes(json.dumps(HEADER).encode() + b'\n{"event": "res')
    assert read_events(path) == [HEADER]
    with StreamWriter(path, resume=True) as stream:
        stream.write({"event": "resume"})
    assert [event["event"] for event in read_events(path)] == ["header", "resume"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        '{"event": "result"}\n',
        '{"event": "header", "stream": 2}\n',
        "no json\n",
        "[]\n",
        '{"event": "header"}\n3\n',
    ],
)
def test_what_is_no_stream_is_refused(tmp_path: Path, text: str) -> None:
    """It begins with a header of this version and is JSON objects."""
    path = tmp_path / STREAM_FILE
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError):
        read_events(path)


def test_a_place_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    """A file where a folder is needed."""
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(InputError):
        StreamWriter(tmp_path / "file" / STREAM_FILE)
