"""The strict way into and out of the files of vectors, whose data :mod:`oracle.conformance.case_records` describes.

A suite is a folder with one JSON file for each topic, ``<concept>/<topic>.json``, and a ``MANIFEST.json`` with the hash
of each. A file asks one operation of the protocol many times.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, get_args

from oracle.conformance.case_records import (
    Binary64,
    Case,
    Note,
    NoteKind,
    Source,
    Suite,
    VectorFile,
    is_dyadic,
)
from oracle.conformance.truths import (
    Allowed,
    Bounds,
    Corners,
    Exact,
    Expected,
    Feeds,
    LeastEpsilon,
    Moments,
    OneOf,
    Rejects,
    Relation,
    closed_object,
    expected_document,
    plain_list,
    read_expected,
    refuse,
    text_of,
)
from oracle.errors import InputError
from oracle.fixtures import fixture
from oracle.json_text import parse, read_bytes, read_text

__all__ = [
    "MANIFEST",
    "SCHEMA",
    "Allowed",
    "Binary64",
    "Bounds",
    "Case",
    "Corners",
    "Exact",
    "Expected",
    "Feeds",
    "LeastEpsilon",
    "Moments",
    "Note",
    "NoteKind",
    "OneOf",
    "Rejects",
    "Relation",
    "Source",
    "Suite",
    "VectorFile",
    "expected_document",
    "file_document",
    "file_text",
    "installed_suite",
    "is_dyadic",
    "read_expected",
    "read_file",
    "read_suite",
]

SCHEMA: Final = "oracle/vectors/v1"
"""What a file of vectors says it is."""

MANIFEST: Final = "MANIFEST.json"
MANIFEST_SCHEMA: Final = "oracle/vectors-manifest/v1"

_ID: Final = re.compile(r"[a-z0-9]+(?:[-./][a-z0-9]+)*")
_FLAG: Final = re.compile(r"[A-Z][A-Za-z0-9]*")
_MAX_ID: Final = 60
_SHA256: Final = re.compile(r"[0-9a-f]{64}")


def _read_source(value: object, where: str) -> Source:
    parts = closed_object(value, ("key", "locator"), where, ("url",))
    return Source(**{key: text_of(part, f"{where}.{key}") for key, part in parts.items()})


def _read_note(value: object, where: str) -> Note:
    parts = closed_object(value, ("kind", "description", "effect"), where, ("links",))
    if parts["kind"] not in get_args(NoteKind):
        refuse("one of " + ", ".join(get_args(NoteKind)), parts["kind"], f"{where}.kind")
    links = tuple(text_of(link, f"{where}.links") for link in plain_list(parts.get("links", []), f"{where}.links"))
    described = text_of(parts["description"], f"{where}.description")
    return Note(parts["kind"], described, text_of(parts["effect"], f"{where}.effect"), links)


_CASE: Final = ("id", "summary", "flags", "args", "expected", "confirmed")
_CASE_OPTIONAL: Final = ("binary64", "certificate", "withdrawn")


def _read_case(value: object, concept: str, op: str, notes: Mapping[str, Note], where: str) -> Case:
    parts = closed_object(value, _CASE, where, _CASE_OPTIONAL)
    name = text_of(parts["id"], f"{where}.id")
    if not _ID.fullmatch(name) or len(name) > _MAX_ID:
        refuse(f"a slug of at most {_MAX_ID} characters", name, f"{where}.id")
    flags = tuple(text_of(flag, f"{name}.flags") for flag in plain_list(parts["flags"], f"{name}.flags"))
    expected = read_expected(parts["expected"], f"{name}.expected")
    allowing = tuple(one.flag for one in expected.allowed) if isinstance(expected, OneOf) else ()
    for flag in flags + allowing:
        if flag not in notes:
            refuse("a flag that the notes of the file explain", flag, f"{name}.flags")
    if len(set(flags)) != len(flags):
        refuse("each flag once", parts["flags"], f"{name}.flags")
    for key in ("args", "certificate"):
        if key in parts and not isinstance(parts[key], dict):
            refuse("an object", parts[key], f"{name}.{key}")
    doubles = None
    if "binary64" in parts:
        form = closed_object(parts["binary64"], ("args", "expected"), f"{name}.binary64")
        if not isinstance(form["args"], dict) or not is_dyadic(form["args"]):
            refuse("arguments whose numbers are doubles", form["args"], f"{name}.binary64.args")
        doubles = Binary64(form["args"], read_expected(form["expected"], f"{name}.binary64.expected"))
    return Case(
        id=name,
        concept=concept,
        op=op,
        summary=text_of(parts["summary"], f"{name}.summary"),
        flags=flags,
        args=parts["args"],
        expected=expected,
        confirmed=text_of(parts["confirmed"], f"{name}.confirmed"),
        binary64=doubles,
        certificate=parts.get("certificate"),
        withdrawn=text_of(parts["withdrawn"], f"{name}.withdrawn") if "withdrawn" in parts else None,
    )


def read_file(text: str, path: str) -> VectorFile:
    """Read one file of vectors.

    Args:
        text: its JSON text.
        path: ``<concept>/<topic>.json``.

    Raises:
        InputError: for an unknown or missing key, a flag without a note, an id twice, a number that is none.
    """
    keys = ("schema", "concept", "op", "summary", "sources", "notes", "cases")
    parts = closed_object(parse(text, path), keys, path)
    if parts["schema"] != SCHEMA:
        refuse(f'the schema "{SCHEMA}"', parts["schema"], f"{path}.schema")
    concept, op = text_of(parts["concept"], f"{path}.concept"), text_of(parts["op"], f"{path}.op")
    if path.partition("/")[0] != concept:
        refuse("the concept that the folder names", concept, f"{path}.concept")
    if not isinstance(parts["notes"], dict):
        refuse("an object", parts["notes"], f"{path}.notes")
    notes = {}
    for flag, note in parts["notes"].items():
        if not _FLAG.fullmatch(flag):
            refuse("a flag such as TinyDelta", flag, f"{path}.notes")
        notes[flag] = _read_note(note, f"{path}.notes.{flag}")
    sources = tuple(
        _read_source(source, f"{path}.sources[{n}]") for n, source in enumerate(plain_list(parts["sources"], path))
    )
    cases = tuple(
        _read_case(case, concept, op, notes, f"{path}.cases[{n}]")
        for n, case in enumerate(plain_list(parts["cases"], path))
    )
    if len({case.id for case in cases}) != len(cases):
        refuse("each id once", "an id twice", path)
    return VectorFile(path, concept, op, text_of(parts["summary"], f"{path}.summary"), sources, notes, cases)


def read_suite(directory: Path) -> Suite:
    """Read a suite, each file checked against its hash in the manifest.

    Raises:
        InputError: where a file is missing, changed or malformed, an id occurs twice, or a flag has two meanings.
    """
    manifest = directory / MANIFEST
    data = read_bytes(manifest)
    parts = closed_object(
        parse(read_text(manifest), str(manifest)), ("schema", "suite", "cases", "files"), str(manifest)
    )
    if parts["schema"] != MANIFEST_SCHEMA:
        refuse(f'the schema "{MANIFEST_SCHEMA}"', parts["schema"], f"{manifest}.schema")
    files = []
    for n, entry in enumerate(plain_list(parts["files"], f"{manifest}.files")):
        files.append(_read_listed(directory, entry, f"{manifest}.files[{n}]"))
    names = [case.id for file in files for case in file.cases]
    if len(set(names)) != len(names):
        twice = next(name for n, name in enumerate(names) if name in names[:n])
        refuse("each id once in the suite", f"{twice} twice", str(directory))
    if parts["cases"] != len(names):
        refuse(f"{len(names)} cases", parts["cases"], f"{manifest}.cases")
    meanings: dict[str, Note] = {}
    for file in files:
        for flag, note in file.notes.items():
            if meanings.setdefault(flag, note) != note:
                refuse("one meaning for each flag", flag, file.path)
    version = text_of(parts["suite"], f"{manifest}.suite")
    return Suite(version, tuple(files), hashlib.sha256(data).hexdigest(), directory)


def _read_listed(directory: Path, entry: object, where: str) -> VectorFile:
    parts = closed_object(entry, ("path", "sha256", "concept", "op", "cases"), where)
    path = text_of(parts["path"], f"{where}.path")
    if path.startswith("/") or ".." in path.split("/") or "\\" in path:
        refuse("a path below the folder of the suite", path, f"{where}.path")
    if not _SHA256.fullmatch(text_of(parts["sha256"], f"{where}.sha256")):
        refuse("a SHA-256", parts["sha256"], f"{where}.sha256")
    data = read_bytes(directory / path)
    if hashlib.sha256(data).hexdigest() != parts["sha256"]:
        refuse("the file that the manifest has the hash of", "a changed file", str(directory / path))
    try:
        file = read_file(data.decode(), path)
    except UnicodeDecodeError:
        raise InputError("UTF-8 text", "other bytes", str(directory / path)) from None
    if (parts["concept"], parts["op"], parts["cases"]) != (file.concept, file.op, len(file.cases)):
        refuse("the concept, operation and count of the file", entry, where)
    return file


@cache
def installed_suite() -> Suite:
    """The suite that comes with the oracle, read once."""
    return read_suite(fixture("vectors/v1"))


def _case_document(case: Case) -> dict[str, Any]:
    document: dict[str, Any] = {
        "id": case.id,
        "summary": case.summary,
        "flags": list(case.flags),
        "args": case.args,
        "expected": expected_document(case.expected),
    }
    if case.binary64 is not None:
        form = {"args": case.binary64.args, "expected": expected_document(case.binary64.expected)}
        document["binary64"] = form
    document["confirmed"] = case.confirmed
    if case.certificate is not None:
        document["certificate"] = case.certificate
    if case.withdrawn is not None:
        document["withdrawn"] = case.withdrawn
    return document


def file_document(file: VectorFile) -> dict[str, Any]:
    """The JSON form of a file of vectors."""
    sources = [{"key": s.key, "locator": s.locator} | ({} if s.url is None else {"url": s.url}) for s in file.sources]
    notes = {
        flag: {"kind": n.kind, "description": n.description, "effect": n.effect, "links": list(n.links)}
        for flag, n in sorted(file.notes.items())
    }
    return {
        "schema": SCHEMA,
        "concept": file.concept,
        "op": file.op,
        "summary": file.summary,
        "sources": sources,
        "notes": notes,
        "cases": [_case_document(case) for case in file.cases],
    }


def file_text(file: VectorFile) -> str:
    """The one text of a file of vectors: its head spread out, then one case a line."""
    document = file_document(file)
    cases = document.pop("cases")
    head = json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False).removesuffix("\n}")
    lines = ",\n".join("    " + json.dumps(case, ensure_ascii=False, allow_nan=False) for case in cases)
    return f'{head},\n  "cases": [\n{lines}\n  ]\n}}\n'
