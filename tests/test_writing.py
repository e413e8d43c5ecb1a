"""Writing several files: all or none, whatever stops it."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from oracle.errors import InputError
from oracle.writing import require_writable, write_all


def test_names_may_have_folders(tmp_path):
    """Folders are made as needed; files that were there are replaced, others kept."""
    target = tmp_path / "a" / "b"
    assert write_all(target, {"x": b"1", "f/y": b"2"}) == [target / "x", target / "f" / "y"]
    write_all(target, {"x": b"3"})
    assert {p.name: p.read_bytes() for p in target.rglob("*") if p.is_file()} == {"x": b"3", "y": b"2"}


def test_a_directory_in_the_way_of_a_file_is_found_before_anything_is_renamed(tmp_path):
    """Nothing is written or removed."""
    (tmp_path / "b").mkdir()
    (tmp_path / "old").write_text("old")
    with pytest.raises(InputError, match="no directory in the way of a file"):
        write_all(tmp_path, {"a": b"1", "b": b"2"}, [tmp_path / "old"])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["b", "old"]


def test_termination_leaves_nothing(tmp_path, monkeypatch):
    """SIGTERM while the second file is written: no temporary file and no new folder stays."""
    whole = Path.write_bytes

    def killed(self, data):
        if ".b." in self.name:
            os.kill(os.getpid(), signal.SIGTERM)
        return whole(self, data)

    before = signal.getsignal(signal.SIGTERM)
    monkeypatch.setattr(Path, "write_bytes", killed)
    with pytest.raises(KeyboardInterrupt):
        write_all(tmp_path / "new" / "folder", {"a": b"1", "d/b": b"2", "c": b"3"})
    assert list(tmp_path.iterdir()) == []
    assert signal.getsignal(signal.SIGTERM) is before


@pytest.mark.parametrize("place", ["file", "file/below", "file/below/more"])
def test_a_file_in_the_way_is_refused_before_any_work(tmp_path, place):
    (tmp_path / "file").write_text("mine")
    with pytest.raises(InputError, match="a directory that can be written to"):
        require_writable(tmp_path / place)
    assert (tmp_path / "file").read_text() == "mine"


def test_a_directory_that_is_there_or_can_be_made_is_accepted(tmp_path):
    """Nothing is made."""
    require_writable(tmp_path)
    require_writable(tmp_path / "a" / "b")
    assert list(tmp_path.iterdir()) == []
