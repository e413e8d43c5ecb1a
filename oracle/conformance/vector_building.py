"""The vectors, made: every truth from the engine, confirmed by a second way, and no truth changed unseen.

A truth is the answer of the oracle to the very request, with 25 digits where it is no rational number. The second way
(:mod:`oracle.conformance.vector_sources.second_answers`) uses nothing of the engine: where both are rational they are
equal, otherwise the 60 digits of the second lie inside the enclosure of the first. Building is deterministic. A case
that exists keeps its question and its truth: what would change either is refused unless the errata name its id. (An
enclosure of an existing case stays as it is written where the new one overlaps it: both hold the truth.)
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from oracle.conformance.cases import (
    MANIFEST,
    MANIFEST_SCHEMA,
    Binary64,
    Case,
    Suite,
    VectorFile,
    file_text,
    read_file,
    read_suite,
)
from oracle.conformance.forms import WORDS
from oracle.conformance.truths import (
    Allowed,
    Bounds,
    Expected,
    Feeds,
    LeastEpsilon,
    Moments,
    OneOf,
    expected_document,
)
from oracle.conformance.vector_sources.certificates import certificate_of
from oracle.conformance.vector_sources.confirming import VectorError, answered
from oracle.conformance.vector_sources.drafts import Question, Topic, in_doubles
from oracle.conformance.vector_sources.flags import NOTES
from oracle.conformance.vector_sources.incident_notes import GENERAL
from oracle.conformance.vector_sources.topics import topics
from oracle.errors import InputError
from oracle.exact import parse_extended, to_text
from oracle.json_text import canonical, read_text

__all__ = [
    "ERRATA",
    "SUITE",
    "VectorError",
    "build",
    "built_files",
    "drift",
    "errata_ids",
    "manifest_text",
    "same_truth",
]

SUITE: Final = "2026.12"
"""The calendar version of the data."""

ERRATA: Final = "ERRATA.md"

_ERRATUM: Final = re.compile(r"^\| `([^`]+)` \|", re.MULTILINE)

Progress = Callable[[str, int, int], None]
"""Told the path of a file that is done, how many are, and of how many."""


def _case(topic: Topic, question: Question) -> Case:
    """One case, answered and confirmed in both forms.

    Raises:
        VectorError: where the ways disagree.
    """
    truth, how = answered(question, topic.op, question.args)
    expected: Expected = truth
    if question.one_of:
        others = (Allowed(flag, other) for flag, other in question.one_of.items())
        expected = OneOf((Allowed(question.flags[0], truth), *others))
    doubles = None
    if question.doubles and question.rejects is None and not question.one_of:
        args = in_doubles(question.args)
        if args is not None:
            doubles = Binary64(args, answered(question, topic.op, args)[0])
    return Case(
        id=question.id,
        concept=topic.path.partition("/")[0],
        op=topic.op,
        summary=question.summary,
        flags=_flags(question),
        args=question.args,
        expected=expected,
        confirmed=how,
        binary64=doubles,
        certificate=certificate_of(topic.op, question.args, truth) if question.certified else None,
    )


def _flags(question: Question) -> tuple[str, ...]:
    """The flags of a question, with the general one where a report is named."""
    reported = any(flag.startswith(GENERAL) for flag in question.flags)
    return tuple(sorted({*question.flags, GENERAL})) if reported else question.flags


def built_files(
    chosen: Callable[[Topic], bool] = lambda _: True, before: Mapping[str, Case] | None = None
) -> Iterator[VectorFile]:
    """The files of the suite (of the chosen topics), each case answered and confirmed.

    Args:
        chosen: which topics.
        before: the cases that exist, whose enclosures are kept where the new ones overlap them.
    """
    for topic in topics():
        if not chosen(topic):
            continue
        made = (_case(topic, question) for question in topic.questions)
        cases = tuple(_kept((before or {}).get(case.id), case) for case in made)
        flags = {flag for case in cases for flag in case.flags}
        flags |= {one.flag for case in cases if isinstance(case.expected, OneOf) for one in case.expected.allowed}
        notes = {flag: NOTES[flag] for flag in sorted(flags)}
        yield VectorFile(topic.path, topic.path.partition("/")[0], topic.op, topic.summary, topic.sources, notes, cases)


def _kept(old: Case | None, new: Case) -> Case:
    """The new case, with the old truths where they say the same of the same question."""
    if old is None or _plain([old.op, old.args]) != _plain([new.op, new.args]):
        return new
    if same_truth(old.expected, new.expected):
        new = replace(new, expected=old.expected)
    one, other = old.binary64, new.binary64
    if one and other and _plain(one.args) == _plain(other.args) and same_truth(one.expected, other.expected):
        new = replace(new, binary64=replace(other, expected=one.expected))
    return new


def same_truth(old: Expected, new: Expected) -> bool:
    """Whether two truths are equal, or enclosures of what may be the same number."""
    match old, new:
        case Bounds(), Bounds():
            return old.lower <= new.upper and new.lower <= old.upper
        case LeastEpsilon(), LeastEpsilon():
            return old.exp_epsilon == new.exp_epsilon and old.lower <= new.upper and new.lower <= old.upper
        case Moments(), Moments():
            return _both(old.moment, new.moment) and _both(old.divergence, new.divergence)
        case Feeds(), Feeds():
            asked = [_plain([truth.op, truth.args, truth.at_most]) for truth in (old, new)]
            return asked[0] == asked[1] and _both(old.least, new.least)
        case _:
            return old == new


def _both(old: Expected | None, new: Expected | None) -> bool:
    return old is new if old is None or new is None else same_truth(old, new)


def manifest_text(files: Sequence[tuple[VectorFile, bytes]], version: str = SUITE) -> str:
    """The manifest of some files and their bytes."""
    entries = [
        {
            "path": file.path,
            "sha256": hashlib.sha256(data).hexdigest(),
            "concept": file.concept,
            "op": file.op,
            "cases": len(file.cases),
        }
        for file, data in files
    ]
    count = sum(len(file.cases) for file, _ in files)
    document = {"schema": MANIFEST_SCHEMA, "suite": version, "cases": count, "files": entries}
    return json.dumps(document, indent=2) + "\n"


def errata_ids(directory: Path) -> set[str]:
    """The ids that the errata name."""
    path = directory / ERRATA
    return set(_ERRATUM.findall(read_text(path))) if path.exists() else set()


def drift(old: Mapping[str, Case], new: Mapping[str, Case], allowed: set[str]) -> list[str]:
    """What would change unseen: the question or the truth of a case that exists, or a case that is gone.

    Args:
        old: the cases as they are.
        new: the cases to be.
        allowed: the ids that the errata name.
    """
    problems = []
    for name, before in old.items():
        after = new.get(name)
        if name in allowed:
            continue
        if after is None:
            problems.append(f"{name}: gone; an id stays, marked as withdrawn, with an erratum")
        elif _identity(before) != _identity(after):
            problems.append(f"{name}: its question or truth would change, which needs an erratum and a new id")
    return problems


def _plain(value: Any) -> str:  # noqa: ANN401 - a JSON value
    """A text that is the same for questions that differ in the notation of their numbers alone."""

    def read(part: Any) -> Any:  # noqa: ANN401 - a JSON value
        if isinstance(part, Mapping):
            return {key: member if key in WORDS else read(member) for key, member in part.items()}
        if isinstance(part, (list, tuple)):
            return [read(member) for member in part]
        try:
            return part if part is None or isinstance(part, bool) else to_text(parse_extended(part))
        except InputError:
            return part

    return canonical(read(value))


def _identity(case: Case) -> str:
    doubles = None
    if case.binary64 is not None:
        doubles = [case.binary64.args, expected_document(case.binary64.expected)]
    return _plain([case.op, case.args, expected_document(case.expected), doubles])


def _with_withdrawn(file: VectorFile, suite: Suite | None, errata: set[str]) -> VectorFile:
    """The file, with the cases it had that are asked no more and that the errata name: their ids stay."""
    old = next((known for known in suite.files if known.path == file.path), None) if suite else None
    asked = {case.id for case in file.cases}
    gone = [case for case in (old.cases if old else ()) if case.id not in asked and case.id in errata]
    marked = tuple(replace(case, withdrawn=case.withdrawn or f"see {ERRATA}") for case in gone)
    notes = {flag: NOTES[flag] for case in gone for flag in case.flags}
    return replace(file, cases=file.cases + marked, notes=dict(sorted({**file.notes, **notes}.items())))


def build(directory: Path, progress: Progress | None = None) -> dict[str, bytes]:
    """Every file of the suite by its name below the folder, the manifest last; nothing is written.

    Args:
        directory: the suite as it is; it may be empty.
        progress: is told of each file.

    Raises:
        VectorError: where two ways disagree, or an existing case would change without an erratum.
    """
    suite = read_suite(directory) if (directory / MANIFEST).exists() else None
    before, errata = suite.cases if suite else {}, errata_ids(directory)
    count, files = len(topics()), []
    for made in built_files(before=before):
        file = _with_withdrawn(made, suite, errata)
        files.append(file)
        if progress is not None:
            progress(file.path, len(files), count)
    cases = {case.id: case for file in files for case in file.cases}
    if sum(len(file.cases) for file in files) != len(cases):
        raise VectorError("an id occurs twice")
    problems = drift(before, cases, errata)
    if problems:
        raise VectorError("\n".join(problems[:20]))
    texts = [(file, file_text(file).encode()) for file in files]
    for file, data in texts:
        if file_text(read_file(data.decode(), file.path)).encode() != data:
            raise VectorError(f"{file.path} does not read back as it was written")
    return {file.path: data for file, data in texts} | {MANIFEST: manifest_text(texts).encode()}
