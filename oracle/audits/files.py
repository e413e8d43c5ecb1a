"""Writing a report to a directory: all files or none of them half."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from oracle.audits.report import Report
from oracle.errors import InputError
from oracle.json_text import canonical

__all__ = ["report_files", "write_files"]


def report_files(report: Report) -> dict[str, str]:
    """The certificates as ``certificate-01.json``, ..., records as ``record-01.json``, ... and ``report.json``.

    Each is canonical JSON.
    """
    files: dict[str, str] = {}
    for word, documents in (("certificate", report.certificates), ("record", report.records)):
        width = max(2, len(str(len(documents))))
        files |= {f"{word}-{k:0{width}}.json": canonical(d) + "\n" for k, d in enumerate(documents, 1)}
    return {**files, "report.json": report.to_text() + "\n"}


def write_files(directory: Path, files: Mapping[str, str]) -> list[Path]:
    """Write files into a directory, which is made if needed; returns their paths.

    All are written under temporary names first and then renamed, the last one last, so that an
    interrupted run leaves no half file under a final name.

    Raises:
        InputError: if the directory is an existing file, or cannot be written to.
    """
    paths = [directory / name for name in files]
    temporary: list[Path] = []
    try:
        directory.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            temporary.append(directory / f".{name}.{os.getpid()}.tmp")
            temporary[-1].write_text(text, encoding="utf-8", newline="\n")
        for path, final in zip(temporary, paths, strict=True):
            path.replace(final)
    except OSError as error:
        got = (error.strerror or str(error)).lower()
        raise InputError("a directory that can be written to", got, str(directory)) from None
    finally:
        for path in temporary:
            path.unlink(missing_ok=True)
    return paths
