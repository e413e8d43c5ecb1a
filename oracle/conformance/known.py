"""Known failures: ``dp-oracle.toml`` in the adopter's repository, exact, explained, and failing as stated.

.. code-block:: toml

    suite = "2026.12"

    [[known]]
    case = "hockey-stick/disjoint-*"
    verdict = "errored"
    reason = "IndexError in tail truncation when all mass is at infinity"
    issue = "https://..."

``case`` is the id of a case or of a broken law, or a pattern with ``*``, ``?`` and ``[...]``. An entry that matches
nothing in the suite is an error; a case it matches that has another verdict, a pass included, is a finding.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import translate
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from oracle.conformance.gaps import VERDICTS
from oracle.errors import InputError, shorten
from oracle.json_text import read_text

__all__ = ["LAW_VERDICTS", "Known", "KnownEntry", "known_text", "read_known"]

LAW_VERDICTS: Final = ("broken", "broken-rounding")
"""Verdicts of a law that is broken."""

_MARKS: Final = frozenset("*?[")
_KEYS: Final = ("case", "verdict", "reason", "issue")


@dataclass(frozen=True, slots=True)
class KnownEntry:
    """One known failure.

    Attributes:
        case: id or pattern.
        verdict: how it fails.
        reason: why.
        issue: where it is reported, or empty.
    """

    case: str
    verdict: str
    reason: str
    issue: str = ""

    @property
    def is_pattern(self) -> bool:
        """Whether it may be about several cases."""
        return not _MARKS.isdisjoint(self.case)


@dataclass(frozen=True)
class Known:
    """The known failures of a subject.

    Attributes:
        suite: the version of the suite they are about.
        entries: in the order of the file; for a case its own entry counts, else the first pattern that matches.
        source: the file, for errors.
    """

    suite: str
    entries: tuple[KnownEntry, ...] = ()
    source: str = field(default="the known failures", compare=False)

    @cached_property
    def _own(self) -> Mapping[str, KnownEntry]:
        return {entry.case: entry for entry in self.entries}

    @cached_property
    def _patterns(self) -> Sequence[tuple[re.Pattern[str], KnownEntry]]:
        return [(re.compile(translate(entry.case)), entry) for entry in self.entries if entry.is_pattern]

    def entry(self, identity: str) -> KnownEntry | None:
        """The entry about a case or law, if there is one."""
        found = self._own.get(identity)
        return found or next((entry for pattern, entry in self._patterns if pattern.match(identity)), None)

    def require_used(self, suite: str, cases: Iterable[str]) -> None:
        """Refuse another suite, and an entry that matches no case.

        Raises:
            InputError: naming the file and the entry.
        """
        if self.suite != suite:
            raise InputError(
                f'suite = "{suite}", which is installed (oracle known --write gives the entries anew)',
                f'"{shorten(self.suite)}"',
                self.source,
            )
        identities = set(cases)
        patterns = {entry.case: pattern for pattern, entry in self._patterns}
        for entry in self.entries:
            if entry.case.startswith("law:") or entry.case in identities:
                continue
            if entry.case not in patterns or not any(map(patterns[entry.case].match, identities)):
                raise InputError("entries that match a case of the suite", f'"{shorten(entry.case)}"', self.source)


def read_known(path: Path) -> Known:
    """Read a file of known failures.

    Raises:
        InputError: if there is none, or it is malformed, naming the place.
    """
    where = str(path)
    if not path.exists():
        raise InputError("a file of known failures, which oracle known --write makes", "none", where)
    try:
        document = tomllib.loads(read_text(path))
    except tomllib.TOMLDecodeError as error:
        raise InputError("TOML", str(error), where) from None
    for key in document:
        if key not in ("suite", "known"):
            raise InputError("only the keys suite, known", f'the key "{shorten(key)}"', where)
    suite, entries = document.get("suite"), document.get("known", [])
    if not isinstance(suite, str):
        raise InputError("the version of the suite as text", shorten(suite), f"{where}: suite")
    if not isinstance(entries, list):
        raise InputError("tables [[known]]", shorten(entries), f"{where}: known")
    read = tuple(_entry(entry, f"{where}: known[{n}]") for n, entry in enumerate(entries))
    for case, count in Counter(entry.case for entry in read).items():
        if count > 1:
            raise InputError("each case once", f'"{shorten(case)}" {count} times', f"{where}: known")
    return Known(suite, read, where)


def _entry(value: object, where: str) -> KnownEntry:
    if not isinstance(value, dict):
        raise InputError("a table", shorten(value), where)
    for key in value:
        if key not in _KEYS:
            raise InputError("only the keys " + ", ".join(_KEYS), f'the key "{shorten(key)}"', where)
    for key in _KEYS[:3]:
        if not isinstance(value.get(key), str) or not value[key]:
            raise InputError("text that is not empty", shorten(value.get(key)), f"{where}.{key}")
    issue = value.get("issue", "")
    if not isinstance(issue, str):
        raise InputError("text", shorten(issue), f"{where}.issue")
    if value["verdict"] not in (*VERDICTS, *LAW_VERDICTS):
        raise InputError("one of the verdicts", f'"{shorten(value["verdict"])}"', f"{where}.verdict")
    return KnownEntry(value["case"], value["verdict"], value["reason"], issue)


def known_text(suite: str, failures: Sequence[Mapping[str, Any]], before: Known | None = None) -> str:
    """The text of a file of known failures, from the failing events of a stream.

    Args:
        suite: the version of the suite.
        failures: events ``result`` and ``law`` that fail.
        before: earlier entries, whose reason and issue are kept where they still say the same case and verdict.
    """
    lines = [
        "# Known failures, written by oracle known --write. Each must keep failing in the way stated here.",
        f"suite = {_quoted(suite)}",
    ]
    for event in failures:
        identity = event["case"] if event["event"] == "result" else event["id"]
        entry = None if before is None else before.entry(identity)
        kept = entry if entry is not None and entry.verdict == event["verdict"] else None
        reason = kept.reason if kept else _reason(event)
        lines += ["", "[[known]]", f"case = {_quoted(identity)}", f"verdict = {_quoted(event['verdict'])}"]
        lines += [f"reason = {_quoted(reason)}", f"issue = {_quoted(kept.issue if kept else '')}"]
    return "\n".join(lines) + "\n"


def _reason(event: Mapping[str, Any]) -> str:
    gap = event.get("gap")
    parts = [] if not gap else [f"answer - truth = {gap['decimal']}"]
    if event.get("reason"):
        parts.append(str(event["reason"]))
    return "; ".join(parts) or str(event["verdict"])


def _quoted(text: str) -> str:
    """A basic string of TOML: JSON's escapes are a part of its own, save that DEL must be escaped too."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
