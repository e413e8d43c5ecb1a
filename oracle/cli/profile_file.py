"""The privacy profile of ``oracle account``: its runs of points, here or on a cluster, and the file they go to.

A profile of several runs is kept beside its file while it is on the way, for ``--resume``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from gmpy2 import mpq

from oracle import __version__
from oracle.accounting import PROFILE_HEADING, PROFILE_RUN, Questions, profile_rows, profile_runs
from oracle.conformance.campaigns import Mapper
from oracle.conformance.streams import STREAM, StreamWriter, read_events
from oracle.errors import InputError, shorten
from oracle.exact import to_text
from oracle.mechanisms.evaluate import Pair
from oracle.writing import require_file, write_file

__all__ = ["Curve", "ProfileFile"]

_SUFFIX: Final = ".partial"


@dataclass(frozen=True, slots=True)
class Curve:
    """The profile that is asked for.

    Attributes:
        expression: the mechanism.
        asked: what else is asked, with the direction and the digits.
        points: how many.
    """

    expression: Mapping[str, Any]
    asked: Questions
    points: int

    @property
    def top(self) -> mpq | None:
        """The last epsilon, where one is asked."""
        return self.asked.last_epsilon

    @property
    def names(self) -> list[str]:
        """What each run is called."""
        firsts = range(0, self.points, PROFILE_RUN)
        if len(firsts) == 1:
            return ["the profile"]
        return [f"points {n + 1} to {min(n + PROFILE_RUN, self.points)} of the profile" for n in firsts]

    def runs(self, pair: Pair, mapper: Mapper, done: int) -> Iterator[list[str]]:
        """The lines of each run after those that are done; a single run shares what the pair has computed before."""
        direction, digits = self.asked.direction, self.asked.digits
        found = profile_runs(pair, self.points, top=self.top, direction=direction)
        if len(found) == 1:
            return map(partial(profile_rows, pair, direction, digits), found[done:])
        return mapper(partial(profile_rows, self.expression, direction, digits), found[done:])

    def to_json(self) -> dict[str, Any]:
        """What tells this profile from others."""
        return {
            "oracle": __version__,
            "mechanism": dict(self.expression),
            "direction": self.asked.direction,
            "digits": self.asked.digits,
            "points": self.points,
            "top": None if self.top is None else to_text(self.top),
        }


class ProfileFile:
    """A profile on the way to its file.

    Args:
        name: of the file.
        curve: what is asked.
        resume: go on with what is kept.

    Attributes:
        path: the file.

    Raises:
        InputError: if the file cannot be written, or what is kept is of another profile.
    """

    def __init__(self, name: str, curve: Curve, *, resume: bool) -> None:
        self.path = require_file(name, "--profile")
        self._partial = self.path.with_name(self.path.name + _SUFFIX)
        self._header = {"event": "header", "stream": STREAM, "profile": curve.to_json()}
        self._names = curve.names
        there = resume and self._partial.exists() and self._partial.stat().st_size
        self._runs = _kept(self._partial, curve.to_json()) if there else []
        self._writer: StreamWriter | None = None

    @property
    def done(self) -> int:
        """How many runs are there."""
        return len(self._runs)

    @property
    def missing(self) -> list[str]:
        """The names of the others."""
        return self._names[self.done :]

    def add(self, lines: Sequence[str]) -> None:
        """Take the lines of the next run."""
        if len(self._names) > 1 and self._writer is None:
            self._writer = StreamWriter(self._partial, resume=bool(self._runs))
            if not self._runs:
                self._writer.write(self._header)
        self._runs.append(list(lines))
        if self._writer is not None:
            self._writer.write({"event": "run", "lines": self._runs[-1]})

    def finish(self) -> None:
        """Write the file; what was kept goes."""
        lines = [PROFILE_HEADING, *(line for run in self._runs for line in run)]
        write_file(str(self.path), ("\n".join(lines) + "\n").encode(), "--profile")
        self.close()
        if len(self._names) > 1:
            self._partial.unlink(missing_ok=True)

    def close(self) -> None:
        """Keep what is there."""
        if self._writer is not None:
            self._writer.close()


def _kept(path: Path, now: Mapping[str, Any]) -> list[list[str]]:
    """The runs that are kept.

    Raises:
        InputError: if they are of another profile than the one that is asked now.
    """
    header, *events = read_events(path)
    before = header.get("profile", {})
    for key, value in now.items():
        if before.get(key) != value:
            kept = f"the {key} of the profile that is kept, {shorten(before.get(key))}"
            raise InputError(kept, shorten(value), str(path))
    return [event["lines"] for event in events if event["event"] == "run"]
