"""Writing several files into a directory: all of them or none."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import current_thread, main_thread
from types import FrameType

from oracle.errors import InputError

__all__ = ["require_writable", "write_all"]

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


def write_all(directory: Path, files: Mapping[str, bytes], stale: Sequence[Path] = ()) -> list[Path]:
    """Write files into a directory, which is made if needed; returns their paths.

    All are written under temporary names first and then renamed, the last one last. *stale* files are removed between
    the two. After a fault, an interruption or SIGTERM nothing of the new files is left, nor a folder made for them.

    Args:
        directory: where to.
        files: contents by name; a name may have folders, as in ``figures/1.svg``.
        stale: files to be removed, in that order.

    Raises:
        InputError: if the directory cannot be written to, or a directory is in the way of a file.
    """
    paths = [directory / name for name in files]
    temporary: list[Path] = []
    placed: list[Path] = []
    made: list[Path] = []
    with _terminable():
        try:
            require_writable(directory)
            for path in (*paths, *stale):
                if path.is_dir():
                    raise InputError("no directory in the way of a file", path.name, str(directory))
            for path in paths:
                made += [f for f in (path.parent, *path.parent.parents) if not f.exists() and f not in made]
                path.parent.mkdir(parents=True, exist_ok=True)
                temporary.append(path.parent / f".{path.name}.{os.getpid()}.tmp")
                temporary[-1].write_bytes(files[path.relative_to(directory).as_posix()])
            for path in stale:
                path.unlink(missing_ok=True)
            for path, final in zip(temporary, paths, strict=True):
                placed.append(final)
                path.replace(final)
            made.clear()
            placed.clear()
        except OSError as error:
            raise InputError(_WANTED, (error.strerror or str(error)).lower(), str(directory)) from None
        finally:
            for path in (*temporary, *placed, *sorted(made, reverse=True)):
                _discard(path)
    return paths


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


def _discard(path: Path) -> None:
    """Remove a file, or a folder if it is empty; after a fault this is tried and no more."""
    try:
        if path.is_dir():
            path.rmdir()
        else:
            path.unlink(missing_ok=True)
    except OSError:
        return
