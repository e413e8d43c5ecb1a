"""Writing a report to a directory: all files or none, and none of an earlier report beside them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from oracle.audits.declared import DECLARED_FILE
from oracle.audits.report import Report
from oracle.errors import InputError
from oracle.json_text import canonical, parse, read_text
from oracle.writing import require_replaceable, require_writable, write_all

__all__ = ["report_files", "write_files"]

_REPORT: Final = "report.json"
_OURS = re.compile(
    r"(?:certificate|record|curve)-[0-9]{2,}\.json|input\.(?:json|csv|tsv)"
    r"|report\.(?:html|md)|(?:statement|declared)\.json|tree\.svg"
)


def report_files(report: Report) -> dict[str, bytes]:
    """The files of a report by name, ``report.json`` last.

    ``input.json`` (.csv, .tsv) and ``curve-01.json``, ... are what the audit is run again with, the input byte for
    byte. Certificates are ``certificate-01.json``, ..., records ``record-01.json``, ..., each canonical JSON.
    """
    names = _numbered(len(report.certificates), len(report.records))
    documents = zip(names, [*report.certificates, *report.records], strict=True)
    files = {**report.inputs, **{name: f"{canonical(document)}\n".encode() for name, document in documents}}
    return {**files, _REPORT: f"{report.to_text()}\n".encode()}


def _numbered(certificates: int, records: int) -> list[str]:
    names = []
    for word, count in (("certificate", certificates), ("record", records)):
        width = max(2, len(str(count)))
        names += [f"{word}-{k:0{width}}.json" for k in range(1, count + 1)]
    return names


def write_files(directory: Path, files: Mapping[str, bytes]) -> list[Path]:
    """Write files into a directory, which is made if needed; returns their paths.

    All are written under temporary names first and then renamed, the last one last. The files of an
    earlier report, which its ``report.json`` lists, are removed before that, ``report.json`` first: a directory with
    one is complete. Whatever else lies there is kept. After a fault nothing of the new files is left.

    Raises:
        InputError: if the directory is an existing file, cannot be written to, or holds files that would be taken for
            some of the report and are of no report there.
    """
    return write_all(directory, files, _stale(directory))


def _stale(directory: Path) -> list[Path]:
    """The files of an earlier report in the directory, its ``report.json`` first."""
    require_writable(directory)
    if not directory.is_dir():
        return []
    earlier = directory / _REPORT
    require_replaceable(earlier)
    old = _names(earlier) if earlier.exists() else []
    for path in sorted(directory.iterdir()):
        if _OURS.fullmatch(path.name) and path.name not in old:
            require_replaceable(path)
            wanted = "a directory without files of an audit that has no report.json there"
            raise InputError(wanted, path.name, str(directory))
    return [directory / name for name in old]


def _names(report: Path) -> list[str]:
    """The names of the files that a report in a directory has, itself first."""
    try:
        document = parse(read_text(report), str(report))
    except InputError:
        document = None
    if not isinstance(document, dict) or document.get("report") not in ("audit", "statistical_audit"):
        raise InputError("a directory whose report.json, if any, is of an audit", "another one", str(report.parent))
    counts = [
        len(found) if isinstance(found := document.get(name), list) else 0 for name in ("certificates", "records")
    ]
    source = document.get("input")
    drawing = ["tree.svg"] if isinstance(source, dict) and "interactive" in source else []
    declared = [DECLARED_FILE] if document.get("declared") else []
    return [
        _REPORT,
        "report.html",
        "report.md",
        "statement.json",
        *drawing,
        *declared,
        *_inputs(document),
        *_numbered(counts[0], counts[1]),
    ]


def _inputs(document: Mapping[str, Any]) -> list[str]:
    source, claims = document.get("input"), document.get("claims")
    form = source.get("form") if isinstance(source, dict) else None
    stated = [c.get("parsed") for c in claims if isinstance(c, dict)] if isinstance(claims, list) else []
    curves = [parsed for parsed in stated if isinstance(parsed, dict) and "tradeoff" in parsed]
    names = [f"curve-{k:02}.json" for k in range(1, len(curves) + 1)]
    return (
        [f"input.{'json' if form == 'python' else form}", *names] if form in ("json", "csv", "tsv", "python") else names
    )
