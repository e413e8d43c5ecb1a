"""Libraries as their folders of results tell of them: the run, and the root causes of what it found.

A folder has the stream of a run (:mod:`oracle.conformance.streams`), and may have ``findings.json``: a list of root
causes, the worst first. Each is told in two sentences and with the smallest input that shows it, names a script beside
it that shows it with the library alone and the file of what that script printed, and lists the cases it explains.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from oracle.conformance.streams import STREAM_FILE
from oracle.errors import InputError, shorten
from oracle.json_text import parse, read_bytes
from oracle.render.conformance_stream import SEVERITY, Group, Result, Run, read_stream
from oracle.render.conformance_words import answer_text, shown, title, truth_text
from oracle.render.words import printable

__all__ = ["FINDINGS_FILE", "Cause", "Library", "listed", "read_libraries", "read_library"]

FINDINGS_FILE: Final = "findings.json"
"""Name of the root causes in a folder of results."""

_LONGEST: Final = 4000
_SLUG: Final = re.compile(r"[a-z0-9][a-z0-9-]*")
_FILE: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")
_TEXTS: Final = ("class", "verdict", "summary", "library", "version", "op", "answer", "gap", "record")


@dataclass(frozen=True, slots=True)
class Cause:
    """A root cause.

    Attributes:
        slug: its name in the folder.
        facts: the object of the file.
        cases: the cases, and the laws by id, that it explains.
        script: name of the script that shows it.
        output: name of the file with what the script printed.
        source: text of the script, empty where it is not there.
        printed: text of that file, likewise.
    """

    slug: str
    facts: Mapping[str, Any]
    cases: tuple[str, ...]
    script: str = ""
    output: str = ""
    source: str = ""
    printed: str = ""

    @property
    def verdict(self) -> str:
        """The worst verdict of its cases."""
        return str(self.facts["verdict"])

    @property
    def answer(self) -> str:
        """The answer at the smallest input, as people read it and as it came."""
        came = shown(self.facts["answer"], _LONGEST)
        is_double = came.lower().lstrip("+-").startswith("0x")
        return f"{answer_text(came)}, as {came}" if is_double else came

    @property
    def truth(self) -> str:
        """The truth at the smallest input, as people read it."""
        value = self.facts.get("truth")
        return shown(value, _LONGEST) if isinstance(value, str) else truth_text({"enclosure": _ends(value)})

    @property
    def versions(self) -> str:
        """The library and what it ran with."""
        further = self.facts.get("versions")
        found = {self.facts["library"]: self.facts["version"], **(further if isinstance(further, Mapping) else {})}
        return printable(", ".join(f"{name} {version}" for name, version in found.items()))


@dataclass(frozen=True)
class Library:
    """A run and what is known of its findings.

    Attributes:
        run: the run.
        folder: name of its folder of results; empty for a run that is reported alone.
        causes: root causes of its findings.
        files: names of what else is in the folder, such as the report of the run.
    """

    run: Run
    folder: str = ""
    causes: tuple[Cause, ...] = ()
    files: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """Name and version; the name is that of the folder, since several runs may be of one library."""
        return printable(f"{self.folder} {shorten(self.run.version)}".strip()) if self.folder else title(self.run)

    def address(self, name: str) -> str:
        """The address of a file in its folder, from the page beside the folder."""
        return f"./{quote(self.folder)}/{quote(name)}" if self.folder else f"./{quote(name)}"

    @cached_property
    def cause_of(self) -> Mapping[str, Cause]:
        """The cause by the case, or by the id of the law, that it explains."""
        return {case: cause for cause in self.causes for case in cause.cases}


def listed(group: Group, *, loose: bool) -> list[Result]:
    """The results of a group that a reader must look at, the worst first, with the loose ones or without."""
    rank = {verdict: k for k, verdict in enumerate(SEVERITY) if loose or verdict != "loose"}
    found = [result for result in group.results if result.verdict in rank]
    return sorted(found, key=lambda result: (rank[result.verdict], result.case))


def read_libraries(directory: Path) -> list[Library]:
    """Every library that has a folder with a stream in a directory, by name.

    Raises:
        InputError: if there is none, or one cannot be read.
    """
    folders = sorted(path.parent for path in directory.glob(f"*/{STREAM_FILE}"))
    if not folders:
        raise InputError(f"a directory of folders with {STREAM_FILE}", "none in it", str(directory))
    return [read_library(folder) for folder in folders]


def read_library(folder: Path) -> Library:
    """A library from its folder of results.

    Raises:
        InputError: naming what is wrong and where.
    """
    stream = folder / STREAM_FILE
    run = read_stream(_text(stream).splitlines(), str(stream))
    findings = folder / FINDINGS_FILE
    causes = _causes(findings) if findings.exists() else ()
    files = tuple(name for name in ("report.md", STREAM_FILE, "dp-oracle.toml") if (folder / name).is_file())
    return Library(run, folder.name, causes, files)


def _text(path: Path) -> str:
    return read_bytes(path).decode("utf-8", "replace")


def _causes(path: Path) -> tuple[Cause, ...]:
    document = parse(_text(path), str(path))
    if not isinstance(document, Sequence) or isinstance(document, str):
        raise InputError("a list of root causes", shorten(document), str(path))
    causes = tuple(_cause(item, path.parent, f"{path}[{n}]") for n, item in enumerate(document))
    slugs = [cause.slug for cause in causes]
    for n, slug in enumerate(slugs):
        if slug in slugs[:n]:
            raise InputError("slugs that differ", shorten(slug), f"{path}[{n}].slug")
    return causes


def _cause(item: object, folder: Path, where: str) -> Cause:
    if not isinstance(item, Mapping):
        raise InputError("a root cause, an object", shorten(item), where)
    for key in _TEXTS:
        if not isinstance(item.get(key), str):
            raise InputError("a text", shorten(item.get(key)), f"{where}.{key}")
    slug, cases = item.get("slug"), item.get("cases")
    if not isinstance(slug, str) or not _SLUG.fullmatch(slug):
        raise InputError("a name of a-z, 0-9 and -", shorten(slug), f"{where}.slug")
    if not isinstance(cases, Sequence) or isinstance(cases, str) or not all(isinstance(case, str) for case in cases):
        raise InputError("a list of cases", shorten(cases), f"{where}.cases")
    script, output = (_name(item.get(key, ""), f"{where}.{key}") for key in ("script", "output"))
    texts = [_text(folder / name) if name and (folder / name).is_file() else "" for name in (script, output)]
    return Cause(slug, item, tuple(cases), script, output, *texts)


def _ends(value: object) -> object:
    """``{"lo", "hi"}`` as a pair."""
    return [value["lo"], value["hi"]] if isinstance(value, Mapping) and {"lo", "hi"} <= set(value) else value


def _name(value: object, where: str) -> str:
    """The name of a file beside the list, or an empty text."""
    if not isinstance(value, str) or (value and not _FILE.fullmatch(value)):
        raise InputError("the name of a file in the same folder", shorten(value), where)
    return value
