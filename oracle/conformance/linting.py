"""The rules a folder of vectors keeps, each broken one named with its place.

Files and manifest read strictly and are written in their one form; nothing lies beside them that they do not list;
ids, flags and notes belong together; a summary states a fact; an enclosure is far narrower than a double; a question
that has an answer is a request of the protocol; every certificate is accepted by the independent checker; the errata
name cases that exist.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from gmpy2 import mpq

from oracle.certificates.verify import Rejected, verify
from oracle.conformance.cases import MANIFEST, Case, Suite, VectorFile, file_text, is_dyadic, read_suite
from oracle.conformance.truths import Bounds, Expected, Feeds, LeastEpsilon, Moments, OneOf, Rejects
from oracle.conformance.vector_building import ERRATA, errata_ids, manifest_text
from oracle.conformance.vector_sources.flags import NOTES
from oracle.errors import InputError, MissingExtraError
from oracle.exact import Infinity
from oracle.fixtures import fixture
from oracle.json_text import parse, read_bytes, read_text

__all__ = ["BESIDE", "lint"]

BESIDE: Final = ("README.md", ERRATA, "VERSION.json", "vectors-v1.schema.json")
"""What may lie beside the vectors."""

_WIDEST: Final = mpq(1, 10**17)
_LONGEST_SUMMARY: Final = 160
_ADVICE: Final = re.compile(r"\b(?:should|must|please)\b")


def lint(directory: Path) -> list[str]:
    """Every broken rule of a folder of vectors, or that it cannot be read.

    Raises:
        MissingExtraError: without the package that checks JSON Schemas.
    """
    schemas = {name: _validator(name) for name in ("vectors-v1", "request")}
    try:
        suite = read_suite(directory)
    except InputError as error:
        return [str(error)]
    problems = [*_files(suite), *_errata(suite)]
    for file in suite.files:
        problems += _file(file, schemas["vectors-v1"], directory)
        for case in file.cases:
            problems += [f"{case.id}: {problem}" for problem in _case(case, schemas["request"])]
    return problems


def _validator(name: str) -> Any:  # noqa: ANN401 - a validator of the extra
    try:
        from jsonschema import Draft202012Validator  # noqa: PLC0415 - an extra
    except ImportError:
        raise MissingExtraError("the lint of the vectors", "conformance") from None
    return Draft202012Validator(parse(read_text(fixture(f"schemas/{name}.schema.json"))))


def _files(suite: Suite) -> Iterator[str]:
    texts = [(file, file_text(file).encode()) for file in suite.files]
    for file, text in texts:
        if read_bytes(suite.directory / file.path) != text:
            yield f"{file.path}: not in the one form of a file of vectors"
    if read_bytes(suite.directory / MANIFEST) != manifest_text(texts, suite.version).encode():
        yield f"{MANIFEST}: not in its one form"
    if [file.path for file in suite.files] != sorted(file.path for file in suite.files):
        yield f"{MANIFEST}: files out of order"
    listed = {MANIFEST, *BESIDE, *(file.path for file in suite.files)}
    for path in sorted(suite.directory.rglob("*")):
        name = path.relative_to(suite.directory).as_posix()
        if path.is_file() and name not in listed:
            yield f"{name}: not listed in {MANIFEST}"


def _errata(suite: Suite) -> Iterator[str]:
    named = errata_ids(suite.directory)
    for name in sorted(named - set(suite.cases)):
        yield f"{ERRATA}: no case {name}"
    for case in suite.cases.values():
        if case.withdrawn and case.id not in named:
            yield f"{case.id}: withdrawn without an erratum"


def _file(file: VectorFile, schema: Any, directory: Path) -> Iterator[str]:  # noqa: ANN401 - as above
    document = parse(read_text(directory / file.path), file.path)
    for error in schema.iter_errors(document):
        yield f"{file.path}: {error.json_path}: {error.message[:200]}"
    used = {flag for case in file.cases for flag in case.flags}
    used |= {one.flag for case in file.cases if isinstance(case.expected, OneOf) for one in case.expected.allowed}
    for flag in sorted(set(file.notes) - used):
        yield f"{file.path}: the flag {flag} is explained and not used"
    for flag, note in file.notes.items():
        if NOTES.get(flag) != note:
            yield f"{file.path}: the flag {flag} is explained in other words than everywhere"
    if not file.sources:
        yield f"{file.path}: no source"


def _case(case: Case, schema: Any) -> Iterator[str]:  # noqa: ANN401 - as above
    if len(case.summary) > _LONGEST_SUMMARY or "\n" in case.summary or _ADVICE.search(case.summary):
        yield "a summary is one line of facts"
    if list(case.flags) != sorted(case.flags):
        yield "flags out of order"
    if ("Dyadic" in case.flags) and not is_dyadic(case.args):
        yield "flagged Dyadic, and it is not"
    forms = [(case.args, case.expected)]
    if case.binary64 is not None:
        forms.append((case.binary64.args, case.binary64.expected))
    for args, expected in forms:
        if _too_wide(expected):
            yield "an enclosure wider than 1e-17 of its value"
        if not isinstance(expected, (Rejects, Feeds)):
            yield from _request(case, args, schema)
    if case.certificate is not None:
        try:
            verify(dict(case.certificate))
        except Rejected as reason:
            yield f"the certificate is rejected: {reason}"


def _request(case: Case, args: Mapping[str, Any], schema: Any) -> Iterator[str]:  # noqa: ANN401 - as above
    for error in schema.iter_errors({"id": case.id, "op": case.op, "args": args}):
        yield f"no request of the protocol: {error.message[:200]}"


def _too_wide(expected: Expected) -> bool:
    match expected:
        case Bounds():
            return expected.upper - expected.lower > _WIDEST * max(abs(expected.lower), abs(expected.upper))
        case LeastEpsilon():
            lower, upper = expected.lower, expected.upper
            if isinstance(lower, Infinity) or isinstance(upper, Infinity):
                return lower != upper
            return upper - lower > _WIDEST * upper
        case Moments(moment, divergence):
            return any(_too_wide(part) for part in (moment, divergence) if part is not None)
        case Feeds(least=Bounds() as least):
            return _too_wide(least)
        case _:
            return False
