"""Writing several files into a directory: all of them or none, and what was there before stays unless all are.

One rule for all commands: a named folder is made where it is missing, with its parents; the folder of a named file must
be there. Only regular files are replaced.
"""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import current_thread, main_thread
from types import FrameType

from oracle.errors import InputError, shorten

__all__ = ["require_file", "require_replaceable", "require_writable", "write_all", "write_file"]

_WANTED = "a directory that can be written to"


def require_writable(directory: Path) -> None:
    """Refuse, before any work is done, a directory that is a file, or that could not be made or written to.

    Raises:
        InputError: with the reason.
    """
    try:
        nearest = next(path for path in (directory, *directory.absolute().parents) if path.exists())
    except OSError as error:
        raise InputError(_WANTED, (error.strerror or str(error)).lower(), str(directory)) from None
    if not nearest.is_dir():
        raise InputError(
            _WANTED, "a file" if nearest == directory else f"the file {nearest} in its way", str(directory)
        )
    if not os.access(nearest, os.W_OK | os.X_OK):
        raise InputError(_WANTED, "permission denied", str(directory))


def require_replaceable(path: Path) -> None:
    """Refuse a place in which something lies that is no regular file: a directory, a device, a pipe, a link to these.

    Raises:
        InputError: naming what is there.
    """
    try:
        kind = _in_the_way(path)
    except OSError as error:
        raise InputError(_WANTED, (error.strerror or str(error)).lower(), str(path.parent)) from None
    if kind is not None:
        raise InputError(f"no {kind} in the way of a file", path.name, str(path.parent))


def _in_the_way(path: Path) -> str | None:
    """What lies in the place of a file that is no regular file, or None."""
    if not path.exists():
        return "link to nothing" if path.is_symlink() else None
    kinds = {"directory": Path.is_dir, "pipe": Path.is_fifo, "socket": Path.is_socket}
    if path.is_file():
        return None
    return next((name for name, found in kinds.items() if found(path)), "device")


def require_file(name: str, where: str) -> Path:
    """The path of a file to be written, refused before any work is done if it cannot be.

    The folder of a named file must be there; it is not made. (A named folder is made: :func:`require_writable`.)

    Args:
        name: as it was given.
        where: the option that it was given to.

    Raises:
        InputError: for empty text, a folder that is not there or cannot be written to, or something other than a
            regular file in its place.
    """
    path = Path(name)
    if not path.name:
        raise InputError("a file", "a directory" if name else "empty text", where)
    require_writable(path.parent)
    if not path.parent.is_dir():
        raise InputError("a file in a directory that is there", f"no directory {shorten(str(path.parent))}", where)
    require_replaceable(path)
    return path


def write_file(name: str, data: bytes, where: str) -> Path:
    """Write one file as :func:`write_all` does, in a folder that is there; returns its path.

    Raises:
        InputError: see :func:`require_file`.
    """
    path = require_file(name, where)
    write_all(path.parent, {path.name: data})
    return path


def write_all(directory: Path, files: Mapping[str, bytes], stale: Sequence[Path] = ()) -> list[Path]:
    """Write files into a directory, which is made with its parents if needed; returns their paths.

    All are written under temporary names first and then renamed, the last one last. *stale* files are removed between
    the two. After a fault, an interruption or SIGTERM nothing of the new files is left, nor a folder made for them, and
    what they were to replace is there as before.

    Args:
        directory: where to.
        files: contents by name; a name may have folders, as in ``figures/1.svg``.
        stale: files to be removed, in that order.

    Raises:
        InputError: if the directory cannot be written to, or something other than a regular file is in the way of a
            file.
    """
    paths = [directory / name for name in files]
    work = _Work()
    with _terminable():
        try:
            require_writable(directory)
            for path in (*paths, *stale):
                require_replaceable(path)
            for path in paths:
                work.write(path, files[path.relative_to(directory).as_posix()])
            for path in (*paths, *stale):
                work.save(path)
            work.place(paths, stale)
        except OSError as error:
            raise InputError(_WANTED, (error.strerror or str(error)).lower(), str(directory)) from None
        finally:
            work.finish()
    return paths


class _Work:
    """What has been done so far, and how it is taken back.

    Attributes:
        temporary: the new files under their temporary names.
        made: folders that were made.
        saved: (second name or copy, name) of each file that is to be replaced or removed.
        begun: whether files have been replaced or removed.
        placed: (temporary name, name) of the files that were to be renamed: those that were have lost the former.
        done: whether everything was.
    """

    def __init__(self) -> None:
        self.temporary: list[Path] = []
        self.made: list[Path] = []
        self.saved: list[tuple[Path, Path]] = []
        self.placed: list[tuple[Path, Path]] = []
        self.begun = self.done = False

    def write(self, path: Path, data: bytes) -> None:
        """Write a file under a temporary name, its folder made if needed."""
        self.made += [f for f in (path.parent, *path.parent.parents) if not f.exists() and f not in self.made]
        path.parent.mkdir(parents=True, exist_ok=True)
        self.temporary.append(path.parent / f".{path.name}.{os.getpid()}.tmp")
        self.temporary[-1].write_bytes(data)

    def save(self, path: Path) -> None:
        """Keep what lies in the place of a file: a second link to it, or a copy where there are no links."""
        if not path.exists():
            return
        kept = path.parent / f".{path.name}.{os.getpid()}.old"
        self.saved.append((kept, path))
        kept.unlink(missing_ok=True)
        try:
            os.link(path, kept, follow_symlinks=False)
        except OSError:
            shutil.copy2(path, kept, follow_symlinks=False)

    def place(self, paths: Sequence[Path], stale: Sequence[Path]) -> None:
        """Remove the stale files and rename the new ones."""
        self.begun = True
        for path in stale:
            path.unlink(missing_ok=True)
        for temporary, path in zip(self.temporary, paths, strict=True):
            self.placed.append((temporary, path))
            temporary.replace(path)
        self.done = True

    def finish(self) -> None:
        """Remove what is left over; unless everything was done, all that was."""
        if self.begun and not self.done:
            for temporary, path in self.placed:
                if not temporary.exists():
                    _discard(path)
            for kept, path in self.saved:
                _restore(kept, path)
        else:
            for kept, _ in self.saved:
                _discard(kept)
        for path in (*self.temporary, *(() if self.done else sorted(self.made, reverse=True))):
            _discard(path)


@contextmanager
def _terminable() -> Iterator[None]:
    """Turn SIGTERM into an interruption for the time of a block, so that what the block has begun is taken back."""
    if current_thread() is not main_thread():
        yield
        return

    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _restore(kept: Path, path: Path) -> None:
    """Put a file back under its name; where that fails it stays under the other one."""
    try:
        # Of two names of one file the first would stay: such a renaming does nothing.
        if os.path.lexists(path) and path.lstat().st_ino == kept.lstat().st_ino:
            kept.unlink()
        else:
            kept.replace(path)
    except OSError:
        return


def _discard(path: Path) -> None:
    """Remove a file, or a folder if it is empty; after a fault this is tried and no more."""
    try:
        if path.is_dir():
            path.rmdir()
        else:
            path.unlink(missing_ok=True)
    except OSError:
        return
