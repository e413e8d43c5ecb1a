"""What a suite is made of: files, cases, and what their flags mean, as data.

A case is one question of the protocol with the truth about its answer, one of the shapes of
:mod:`oracle.conformance.truths`. ``binary64`` is the same question with its parameters replaced by doubles (in
hexadecimal), and the truth at those: a library that is given doubles is judged at the doubles it was given.
:mod:`oracle.conformance.cases` reads and writes them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from oracle.conformance.forms import WORDS
from oracle.conformance.truths import Expected
from oracle.errors import InputError
from oracle.exact import Infinity, from_binary64, parse_extended, to_binary64

__all__ = ["Binary64", "Case", "Form", "Note", "NoteKind", "Source", "Suite", "VectorFile", "is_dyadic"]

NoteKind = Literal["soundness", "tightness", "domain", "rounding", "definition", "crash"]

Form = Literal["rational", "binary64"]


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
        return all(is_dyadic(value) for key, value in args.items() if key not in WORDS)
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
