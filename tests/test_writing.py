"""Writing several files: all or none, whatever stops it."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import stat
from pathlib import Path

import pytest

from oracle.errors import InputError
from oracle.writing import require_file, require_writable, write_all, write_file


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


def _directory(path):
    path.mkdir()


def _pipe(path):
    os.mkfifo(path)


def _socket(path):
    with socket.socket(socket.AF_UNIX) as opened:
        opened.bind(os.path.relpath(path))


def _link_to_a_pipe(path):
    os.mkfifo(path.parent / "other")
    path.symlink_to(path.parent / "other")


def _link_to_nothing(path):
    path.symlink_to(path.parent / "nowhere")


def _link_to_a_directory(path):
    (path.parent / "other").mkdir()
    path.symlink_to(path.parent / "other")


def _device(path):
    try:
        os.mknod(path, 0o600 | stat.S_IFCHR, os.makedev(1, 3))
    except PermissionError:
        pytest.skip("only a privileged user makes a device")


IN_THE_WAY = [
    (_directory, "directory"),
    (_pipe, "pipe"),
    (_socket, "socket"),
    (_link_to_a_pipe, "pipe"),
    (_link_to_nothing, "link to nothing"),
    (_link_to_a_directory, "directory"),
    (_device, "device"),
]


@pytest.mark.parametrize(("make", "kind"), IN_THE_WAY)
def test_only_a_regular_file_is_replaced(tmp_path, monkeypatch, make, kind):
    """Whatever else has the name of a file, or of one to be removed, is refused and stays, and so does all else."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "first").write_text("old")
    make(tmp_path / "x")
    before = {path.name: path.lstat() for path in tmp_path.iterdir()}
    for files, stale in (({"first": b"new", "x": b"1"}, []), ({"first": b"new"}, [tmp_path / "x"])):
        with pytest.raises(InputError, match=f"no {kind} in the way of a file, got x"):
            write_all(tmp_path, files, stale)
    with pytest.raises(InputError, match=f"no {kind} in the way of a file"):
        require_file(str(tmp_path / "x"), "--file")
    assert {path.name: path.lstat() for path in tmp_path.iterdir()} == before
    assert (tmp_path / "first").read_text() == "old"


def test_a_link_to_a_file_makes_room_and_its_file_stays(tmp_path):
    """The new file has the name; what the link led to is as it was."""
    (tmp_path / "mine").write_text("mine")
    (tmp_path / "x").symlink_to(tmp_path / "mine")
    write_all(tmp_path, {"x": b"new"})
    assert not (tmp_path / "x").is_symlink()
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"mine": "mine", "x": "new"}


@pytest.mark.parametrize("links", [True, False])
@pytest.mark.parametrize("broken", ["a", "b", "c"])
@pytest.mark.parametrize("fault", [KeyboardInterrupt, OSError(28, "No space left on device")])
def test_a_renaming_that_fails_leaves_what_was_there(tmp_path, monkeypatch, links, broken, fault):
    """The first, a later or the last of three: each old file has its bytes, a removed one is back, nothing else is."""
    old = {"a": "old a", "c": "old c", "stale": "old stale", "other": "other"}
    for name, text in old.items():
        (tmp_path / name).write_text(text)
    whole = Path.replace

    def failing(self, target):
        if target.name == broken and self.suffix == ".tmp":
            raise fault
        return whole(self, target)

    def no_link(*_arguments, **_options):
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(Path, "replace", failing)
    if not links:
        monkeypatch.setattr(os, "link", no_link)
    with pytest.raises(InputError if isinstance(fault, OSError) else fault):
        write_all(tmp_path, {"a": b"1", "b": b"2", "c": b"3"}, [tmp_path / "stale"])
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == old


@pytest.mark.parametrize("method", ["link", "copy2"])
def test_a_file_that_cannot_be_kept_is_not_replaced(tmp_path, monkeypatch, method):
    """Nothing is renamed before all that is to be replaced is kept; an interruption there leaves nothing either."""
    (tmp_path / "a").write_text("old")

    def failing(*_arguments, **_options):
        raise OSError(5, "Input/output error")

    def interrupted(*_arguments, **_options):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "link", interrupted if method == "link" else failing)
    monkeypatch.setattr(shutil, "copy2", failing)
    with pytest.raises(KeyboardInterrupt if method == "link" else InputError):
        write_all(tmp_path, {"a": b"new"})
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"a": "old"}


def test_one_file_needs_its_folder(tmp_path):
    """It is not made; a folder that is named is, with its parents."""
    with pytest.raises(InputError, match="--svg: expected a file in a directory that is there, got no directory"):
        write_file(str(tmp_path / "new" / "x"), b"1", "--svg")
    assert list(tmp_path.iterdir()) == []
    assert write_file(str(tmp_path / "x"), b"1", "--svg").read_bytes() == b"1"


@pytest.mark.parametrize(("name", "got"), [("", "empty text"), ("/", "a directory"), (".", "a directory")])
def test_one_file_needs_a_name(name, got):
    with pytest.raises(InputError, match=f"--svg: expected a file, got {got}"):
        require_file(name, "--svg")
