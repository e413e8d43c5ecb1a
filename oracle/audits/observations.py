"""Reading what was seen in runs: counts, confusion tables, canary scores, guesses of one run, pairs of runs.

    CSV    outcome,n_on_D,n_on_Dprime                   a line for each outcome, how many runs on each input had it;
                                                        with choose_on_D,choose_on_Dprime of other runs, which only
                                                        choose the event
           TP,FP,TN,FN                                  one line: in or out was guessed of members (D) and others (D')
           canary,member,score                          a line for each canary of one run; member is in or out
    JSON   {"outcomes": [...], "on_D": [...], "on_Dprime": [...]}, also "choose_on_D" and "choose_on_Dprime"
           {"hits_on_D": k1, "runs_on_D": n1, "hits_on_Dprime": k2, "runs_on_Dprime": n2}
           {"TP": ..., "FP": ..., "TN": ..., "FN": ...}
           {"m": canaries, "guesses": ..., "correct": ...}
           {"both": ..., "only_on_D": ..., "only_on_Dprime": ..., "neither": ...}

TSV is read as CSV is; the columns may stand in any order. Counts are whole numbers. Frequencies are refused, and so is
an array of scores that does not say whose they are: scores and memberships that were joined by their place alone are
wrong as soon as one of them is sorted.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from oracle.audits.delimited import SEPARATORS, Line, read_lines
from oracle.errors import InputError, shorten
from oracle.exact import parse_number, to_text
from oracle.json_text import canonical, digest, parse, read_bytes, refuse_unknown
from oracle.statistics.counts import CanaryScores, CountTable, PairCounts, parse_count
from oracle.statistics.events import Count, EventCounts
from oracle.statistics.one_run import OneRun

__all__ = ["Observations", "Seen", "observations_from_bytes", "read_observations", "to_json"]

Seen = CountTable | EventCounts | CanaryScores | OneRun | PairCounts
"""What was seen, by its form."""

_NAME_LENGTH: Final = 200
_HIT_KEYS: Final = ("hits_on_D", "runs_on_D", "hits_on_Dprime", "runs_on_Dprime")
_CONFUSION: Final = ("TP", "FP", "TN", "FN")
_ONE_RUN: Final = ("m", "guesses", "correct")
_PAIRS: Final = ("both", "only_on_D", "only_on_Dprime", "neither")
_TABLE: Final = ("outcomes", "on_D", "on_Dprime")
_CHOOSING: Final = ("choose_on_D", "choose_on_Dprime")
_COUNTS: Final = ("outcome", "n_on_D", "n_on_Dprime")
_SCORES: Final = ("canary", "member", "score")
_SYNONYMS: Final = {"identifier": "canary", "id": "canary", "in/out": "member", "membership": "member"}
_MEMBERS: Final = {"in": True, "1": True, "true": True, "out": False, "0": False, "false": False}
_MARKS: Final = (*_HIT_KEYS, *_CONFUSION, *_ONE_RUN, *_PAIRS[1:3], *_TABLE[1:])
"""Keys that only counts have; "both" alone could be anything."""

_WANTED: Final = (
    "counts: the columns outcome,n_on_D,n_on_Dprime or TP,FP,TN,FN or canary,member,score, or JSON such as "
    '{"m": 1000, "guesses": 100, "correct": 90}'
)
_JOINED: Final = "scores joined with their canaries: the columns canary,member,score"


@dataclass(frozen=True, slots=True)
class Observations:
    """What was seen in runs, and where it was read.

    Attributes:
        seen: the counts or scores.
        name: the last part of the file's path, or what it is.
        form: json, csv, tsv or python.
        sha256: hash of the bytes as given; None for a value from Python.
        data: the bytes as given, of a value from Python its JSON.
        confusion: whether it was a confusion table, whose event is that "in" was guessed.
    """

    seen: Seen
    name: str
    form: str
    sha256: str | None
    data: bytes = field(repr=False, compare=False)
    confusion: bool = False

    def to_json(self) -> dict[str, Any]:
        """What was seen, as JSON, whatever form it came in."""
        return to_json(self.seen)

    @property
    def parsed_sha256(self) -> str:
        """Hash of that JSON: the same for CSV and for JSON of the same counts."""
        return digest(self.to_json())


def to_json(seen: Seen) -> dict[str, Any]:
    """What was seen, as JSON."""
    if isinstance(seen, CountTable):
        table = {"outcomes": list(seen.outcomes), "on_D": list(seen.first), "on_Dprime": list(seen.second)}
        chosen = zip(_CHOOSING, seen.choosing or (), strict=False)
        return {**table, **{name: list(counts) for name, counts in chosen}}
    if isinstance(seen, EventCounts):
        values = (seen.first.hits, seen.first.runs, seen.second.hits, seen.second.runs)
        return dict(zip(_HIT_KEYS, values, strict=True))
    if isinstance(seen, OneRun):
        return {"m": seen.canaries, "guesses": seen.guesses, "correct": seen.correct}
    if isinstance(seen, PairCounts):
        return {name: int(value) for name, value in seen.to_json().items()}
    rows = zip(seen.names, seen.members, seen.scores, strict=True)
    return {"canaries": [[name, "in" if member else "out", to_text(score)] for name, member, score in rows]}


def read_observations(
    source: str | Path | Mapping[str, Any] | Seen, form: str | None = None, *, certain: bool = True
) -> Observations | None:
    """Read counts from a file or a Python value.

    Args:
        source: a path, the JSON value, or what was seen as it is.
        form: json, csv or tsv in the place of what the ending of the path says.
        certain: whether it is known that these are counts; otherwise None is returned of what does not look so.

    Raises:
        InputError: for anything malformed, with its place; LimitError for counts above 10^9.
    """
    if isinstance(source, (str, Path)):
        path = Path(source)
        ending = path.suffix.lower().removeprefix(".")
        known = form or (ending if ending in SEPARATORS else None)
        return observations_from_bytes(read_bytes(path), str(source), name=path.name, form=known, certain=certain)
    if isinstance(source, (CountTable, EventCounts, CanaryScores, OneRun, PairCounts)):
        value: object = to_json(source)
        return Observations(source, "(Python value)", "python", None, canonical(value).encode())
    if not certain and not _keys_fit(source):
        return None
    seen = _from_value(source, "counts")
    confusion = "TP" in source
    return Observations(seen, "(Python value)", "python", None, canonical(dict(source)).encode(), confusion)


def observations_from_bytes(
    data: bytes, where: str, *, name: str = "", form: str | None = None, certain: bool = True
) -> Observations | None:
    """Read the bytes of a file; *where* names it in errors. It is JSON unless *form* is csv or tsv.

    Where it is not *certain* that these are counts, None is returned of what does not look so.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if not certain:
            return None
        raise InputError("UTF-8 text", f"the byte 0x{data[error.start]:02x} at offset {error.start}", where) from None
    if form in SEPARATORS:
        if not certain and not _header_fits(text, SEPARATORS[form]):
            return None
        seen, confusion = _from_lines(read_lines(text, SEPARATORS[form], where), where)
    else:
        if not certain and not any(f'"{key}"' in text for key in _MARKS):
            return None
        value = parse(text, where)
        if not certain and not (isinstance(value, Mapping) and _keys_fit(value)):
            return None
        seen, confusion = _from_value(value, where), isinstance(value, Mapping) and "TP" in value
    shown = shorten(name or where, _NAME_LENGTH)
    return Observations(seen, shown, form or "json", hashlib.sha256(data).hexdigest(), data, confusion)


def _keys_fit(value: Mapping[str, Any]) -> bool:
    """Whether an object has a key that only counts have."""
    return any(key in value for key in _MARKS)


def _header_fits(text: str, separator: str) -> bool:
    """Whether the first line has the columns of counts, or without outcomes those of a confusion table or of scores."""
    first = next((line for line in io.StringIO(text) if line.strip()), "")
    columns = {_column(cell.strip().strip('"')) for cell in first.split(separator)}
    if columns & {*_COUNTS[1:], *_CHOOSING}:
        return True
    return "outcome" not in columns and (set(_CONFUSION) <= columns or bool(columns & {"score", "scores"}))


def _column(cell: str) -> str:
    """The name of a column as it is known, whatever its case."""
    known = {name.lower(): name for name in (*_COUNTS, *_CHOOSING, *_CONFUSION, *_SCORES)} | _SYNONYMS
    return known.get(cell.lower(), cell)


def _from_value(value: object, where: str) -> Seen:
    if isinstance(value, list):
        raise InputError(_JOINED, f"a bare array of {len(value)} items", where)
    if not isinstance(value, Mapping):
        raise InputError(_WANTED, shorten(value), where)
    for names, read in _READERS.items():
        if any(name in value for name in names):
            refuse_unknown(value, (*names, *(_CHOOSING if names is _TABLE else ())), where)
            for name in names:
                if name not in value:
                    raise InputError(f"the key {name} beside {', '.join(n for n in names if n != name)}", "none", where)
            return read(value, where)
    if "scores" in value or "score" in value:
        raise InputError(_JOINED, "an object of scores", where)
    raise InputError(_WANTED, shorten(f"the keys {', '.join(map(str, value))}"), where)


def _table(value: Mapping[str, Any], where: str) -> CountTable:
    names = value["outcomes"]
    if not isinstance(names, list) or not all(isinstance(name, str) and name for name in names):
        raise InputError("a list of names", shorten(names), f"{where}.outcomes")
    keys = [key for key in (*_TABLE[1:], *_CHOOSING) if key in value]
    return _counted(names, {key: _counts(value, key, where) for key in keys}, where)


def _counts(value: Mapping[str, Any], key: str, where: str) -> list[int]:
    found = value[key]
    if not isinstance(found, list):
        raise InputError("a list of counts, one for each outcome", shorten(found), f"{where}.{key}")
    return [parse_count(item, f"{where}.{key}[{k}]") for k, item in enumerate(found)]


def _counted(names: Sequence[str], counts: Mapping[str, Sequence[int]], where: str) -> CountTable:
    """The table of named outcomes; both of the choosing columns or none."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise InputError("each outcome once", f'"{shorten(name)}" twice', where)
        seen.add(name)
    given = [key for key in _CHOOSING if key in counts]
    if len(given) == 1:
        raise InputError(f"both of {' and '.join(_CHOOSING)}", f"{given[0]} alone", where)
    choosing = (tuple(counts[_CHOOSING[0]]), tuple(counts[_CHOOSING[1]])) if given else None
    return CountTable(tuple(names), tuple(counts["on_D"]), tuple(counts["on_Dprime"]), choosing)


def _hits(value: Mapping[str, Any], where: str) -> EventCounts:
    k1, n1, k2, n2 = (parse_count(value[key], f"{where}.{key}") for key in _HIT_KEYS)
    for hits, runs, name in ((k1, n1, "D"), (k2, n2, "Dprime")):
        if not runs:
            raise InputError("at least one run", "0", f"{where}.runs_on_{name}")
        if hits > runs:
            raise InputError(f"at most the {runs} runs_on_{name}", str(hits), f"{where}.hits_on_{name}")
    return EventCounts(Count(k1, n1), Count(k2, n2))


def _confusion(value: Mapping[str, Any], where: str) -> EventCounts:
    """The event that "in" was guessed: TP of TP + FN members (D), FP of FP + TN others (D')."""
    found = {key: parse_count(value[key], f"{where}.{key}") for key in _CONFUSION}
    for names, group in ((("TP", "FN"), "member"), (("FP", "TN"), "non-member")):
        if not found[names[0]] + found[names[1]]:
            raise InputError(f"at least one {group}, {names[0]} + {names[1]}", "0", where)
    return EventCounts(Count(found["TP"], found["TP"] + found["FN"]), Count(found["FP"], found["FP"] + found["TN"]))


def _one_run(value: Mapping[str, Any], where: str) -> OneRun:
    m, guesses, correct = (parse_count(value[key], f"{where}.{key}") for key in _ONE_RUN)
    for number, word in ((m, "m"), (guesses, "guesses")):
        if not number:
            raise InputError("at least 1", "0", f"{where}.{word}")
    if guesses > m:
        raise InputError(f"at most the {m} canaries of m", str(guesses), f"{where}.guesses")
    if correct > guesses:
        raise InputError(f"at most the {guesses} guesses", str(correct), f"{where}.correct")
    return OneRun(m, guesses, correct)


def _pairs(value: Mapping[str, Any], where: str) -> PairCounts:
    return PairCounts(*(parse_count(value[key], f"{where}.{key}") for key in _PAIRS))


_READERS: Final[dict[tuple[str, ...], Callable[[Mapping[str, Any], str], Seen]]] = {
    _HIT_KEYS: _hits,
    _CONFUSION: _confusion,
    _ONE_RUN: _one_run,
    _PAIRS: _pairs,
    _TABLE: _table,
}


def _from_lines(lines: Sequence[Line], where: str) -> tuple[Seen, bool]:
    """What a file of lines says, and whether it is a confusion table."""
    columns = [_column(cell) for cell in lines[0].cells]
    place = f"{where} line {lines[0].number}"
    for k, column in enumerate(columns):
        if column in columns[:k]:
            raise InputError("each column once", f'"{shorten(column)}" twice', place)
    for names, optional in ((_COUNTS, _CHOOSING), (_CONFUSION, ()), (_SCORES, ())):
        if set(names) <= set(columns) <= {*names, *optional}:
            break
    else:
        scores = any(column in ("score", "scores") for column in columns)
        got = f"the columns {', '.join(columns)}" if len(lines) > 1 else ", ".join(columns)
        raise InputError(_JOINED if scores else _WANTED, shorten(got), place)
    for line in lines[1:]:
        if len(line.cells) != len(columns):
            wanted = f"{len(columns)} cells as in the first line"
            raise InputError(wanted, str(len(line.cells)), f"{where} line {line.number}")
    if len(lines) == 1:
        raise InputError("at least one line of counts", "only a header", where)
    if names is _CONFUSION:
        if len(lines) > 2:
            raise InputError("one line of counts", str(len(lines) - 1), where)
        return _confusion(dict(zip(columns, lines[1].cells, strict=True)), where), True
    return (_scores if names is _SCORES else _lines_of_counts)(columns, lines[1:], where), False


def _cells(columns: Sequence[str], name: str, lines: Sequence[Line], where: str) -> Iterator[tuple[str, str]]:
    """Each cell of a column, none empty, with its place."""
    k = columns.index(name)
    for line in lines:
        place = f"{where} line {line.number}, column {name}"
        if not line.cells[k]:
            raise InputError("no empty cell", "one", place)
        yield line.cells[k], place


def _lines_of_counts(columns: Sequence[str], lines: Sequence[Line], where: str) -> CountTable:
    names = [cell for cell, _ in _cells(columns, "outcome", lines, where)]
    counts = {
        name.removeprefix("n_"): [parse_count(*item) for item in _cells(columns, name, lines, where)]
        for name in columns
        if name != "outcome"
    }
    return _counted(names, counts, where)


def _scores(columns: Sequence[str], lines: Sequence[Line], where: str) -> CanaryScores:
    names = tuple(cell for cell, _ in _cells(columns, "canary", lines, where))
    members = []
    for cell, place in _cells(columns, "member", lines, where):
        if cell.lower() not in _MEMBERS:
            raise InputError("in or out", f'"{shorten(cell)}"', place)
        members.append(_MEMBERS[cell.lower()])
    for member, word in ((True, "in"), (False, "out")):
        if member not in members:
            raise InputError(f"at least one canary that is {word}", "none", where)
    scores = tuple(parse_number(*item) for item in _cells(columns, "score", lines, where))
    return CanaryScores(names, tuple(members), scores)
