"""The vectors of the conformance suite: what a case is, and the strict way in and out of its files.

A suite is a folder with one JSON file for each topic, ``<concept>/<topic>.json``, and a ``MANIFEST.json`` with the hash
of each. A file asks one operation of the protocol many times; a case is one question with the truth about its answer.

The truth is one of the shapes of :mod:`oracle.conformance.truths`.

``binary64`` is the same question with
its parameters replaced by doubles (in hexadecimal), and the truth at those: a library that is given doubles is judged
at the doubles it was given.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Final, Literal, get_args

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
from oracle.exact import Infinity, from_binary64, parse_extended, to_binary64
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

NoteKind = Literal["soundness", "tightness", "domain", "rounding", "definition", "crash"]

Form = Literal["rational", "binary64"]

_ID: Final = re.compile(r"[a-z0-9]+(?:[-./][a-z0-9]+)*")
_FLAG: Final = re.compile(r"[A-Z][A-Za-z0-9]*")
_MAX_ID: Final = 60
_SHA256: Final = re.compile(r"[0-9a-f]{64}")
_WORDS: Final = ("mechanism", "neighbours", "direction", "inputs", "outputs", "field", "mode")


@dataclass(frozen=True, slots=True)
class Binary64:
    """The same question with its parameters replaced by doubles, and the truth at those."""

    args: Mapping[str, Any]
    expected: Expected


@dataclass(frozen=True, slots=True)
class Source:
    """Where a case or a fact comes from."""

    key: str
    locator: str
    url: str | None = None


@dataclass(frozen=True, slots=True)
class Note:
    """What a flag means.

    Attributes:
        kind: what is at stake.
        description: what the flagged cases have in common.
        effect: what an implementation that gets them wrong does to its users.
        links: public reports.
    """

    kind: NoteKind
    description: str
    effect: str
    links: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Case:
    """One question and its truth.

    Attributes:
        id: a permanent slug, unique in the suite.
        concept, op: of its file.
        summary: what the case is.
        flags: each explained in the notes of its file.
        args: the arguments of the request.
        expected: the truth.
        confirmed: the second way that gave the same truth.
        binary64: the same question in doubles, where its parameters are not doubles as they stand.
        certificate: a document for the independent checker.
        withdrawn: why the case no longer counts; the erratum says more.
    """

    id: str
    concept: str
    op: str
    summary: str
    flags: tuple[str, ...]
    args: Mapping[str, Any]
    expected: Expected
    confirmed: str
    binary64: Binary64 | None = None
    certificate: Mapping[str, Any] | None = None
    withdrawn: str | None = None

    @property
    def dyadic(self) -> bool:
        """Whether every number of the arguments is a double as it stands."""
        return is_dyadic(self.args)

    def arguments(self, form: Form = "rational") -> Mapping[str, Any] | None:
        """The arguments in one form; None where the question cannot be asked in doubles."""
        if form == "rational":
            return self.args
        return self.binary64.args if self.binary64 else self.args if self.dyadic else None

    def truth(self, form: Form = "rational") -> Expected:
        """The truth about the arguments of that form."""
        return self.binary64.expected if form == "binary64" and self.binary64 else self.expected

    def request(self, form: Form = "rational") -> dict[str, Any] | None:
        """The request of the protocol; None where the question cannot be asked in doubles."""
        args = self.arguments(form)
        return None if args is None else {"id": self.id, "op": self.op, "args": args}


@dataclass(frozen=True, slots=True)
class VectorFile:
    """The cases of one topic, all of one operation.

    Attributes:
        path: ``<concept>/<topic>.json``, below the folder of the suite.
        concept, op, summary: of all its cases.
        sources: of the definitions and formulas.
        notes: the meaning of each flag its cases use.
        cases: in the order of the file.
    """

    path: str
    concept: str
    op: str
    summary: str
    sources: tuple[Source, ...]
    notes: Mapping[str, Note]
    cases: tuple[Case, ...]


@dataclass(frozen=True)
class Suite:
    """All the files of a suite.

    Attributes:
        version: calendar version of the data, such as ``2026.12``.
        files: in the order of the manifest.
        digest: SHA-256 of the manifest, which has the hash of each file.
        directory: where it was read from.
    """

    version: str
    files: tuple[VectorFile, ...]
    digest: str
    directory: Path = field(compare=False)

    @cached_property
    def cases(self) -> Mapping[str, Case]:
        """Every case by its id, in order, the withdrawn ones too."""
        return {case.id: case for file in self.files for case in file.cases}

    @cached_property
    def notes(self) -> Mapping[str, Note]:
        """Every flag of the suite; a flag means the same in every file."""
        return {flag: note for file in self.files for flag, note in file.notes.items()}

    @property
    def concepts(self) -> tuple[str, ...]:
        """The concepts, in order."""
        return tuple(dict.fromkeys(file.concept for file in self.files))

    def select(self, ops: Sequence[str] = (), concepts: Sequence[str] = ()) -> Iterator[Case]:
        """The cases that count, of some operations and concepts, or of all."""
        for case in self.cases.values():
            if not case.withdrawn and (not ops or case.op in ops) and (not concepts or case.concept in concepts):
                yield case


def is_dyadic(args: object) -> bool:
    """Whether every number in some arguments is exactly a double; ``"inf"`` is, a logarithm is not."""
    if isinstance(args, Mapping):
        return all(is_dyadic(value) for key, value in args.items() if key not in _WORDS)
    if isinstance(args, (list, tuple)):
        return all(is_dyadic(value) for value in args)
    if args is None or isinstance(args, bool) or args == "?":
        return True
    try:
        number = parse_extended(args)
    except InputError:
        return False
    if isinstance(number, Infinity):
        return True
    near = to_binary64(number, "down")
    return abs(near) != float("inf") and from_binary64(near) == number


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


def installed_suite() -> Suite:
    """The suite that comes with the oracle."""
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
