"""From raw samples to counts: a line for each run, counted by outcome, by threshold, in halves or in pairs.

Counts are made once, from the runs themselves, so that no frequency is ever turned back into a count.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, Final

from gmpy2 import mpq

from oracle.audits.delimited import read_lines
from oracle.errors import InputError, shorten
from oracle.exact import parse_number, to_text
from oracle.statistics.counts import CountTable, PairCounts

__all__ = ["Samples", "count_outcomes", "count_pairs", "counts_csv", "read_samples", "read_two_samples"]

Samples = tuple[Sequence[str], Sequence[str]]
"""The outcomes of the runs on D, and of those on D', each in the order of the runs."""

_INPUTS: Final = {"D": 0, "Dprime": 1, "D'": 1}
_NEEDS_QUOTES: Final = (",", '"', "\n", "\r")


def read_samples(text: str, separator: str, where: str) -> Samples:
    """Read lines ``input,outcome`` under that header, input being D or Dprime (or D').

    Raises:
        InputError: naming the line, for another header or input, an empty outcome, or an input without runs.
    """
    lines = read_lines(text, separator, where)
    header = [cell.lower() for cell in lines[0].cells]
    if header != ["input", "outcome"]:
        wanted = "the columns input,outcome, or two files of samples, of D and of D'"
        raise InputError(wanted, shorten(", ".join(lines[0].cells)), f"{where} line {lines[0].number}")
    found: tuple[list[str], list[str]] = ([], [])
    for line in lines[1:]:
        place = f"{where} line {line.number}"
        if len(line.cells) != 2 or not line.cells[1]:
            raise InputError("an input and an outcome", shorten(", ".join(line.cells)), place)
        if line.cells[0] not in _INPUTS:
            raise InputError("the input D or Dprime", f'"{shorten(line.cells[0])}"', place)
        found[_INPUTS[line.cells[0]]].append(line.cells[1])
    for samples, name in zip(found, ("D", "Dprime"), strict=True):
        if not samples:
            raise InputError(f"at least one run on {name}", "none", where)
    return found


def read_two_samples(texts: tuple[str, str], where: tuple[str, str]) -> Samples:
    """Read two files with an outcome on each line; empty lines are skipped.

    Raises:
        InputError: for a file without an outcome.
    """
    found = tuple([line.strip() for line in text.splitlines() if line.strip()] for text in texts)
    for samples, place in zip(found, where, strict=True):
        if not samples:
            raise InputError("an outcome on each line", "an empty file", place)
    return found[0], found[1]


def count_outcomes(samples: Samples, thresholds: Sequence[mpq] = (), *, split: bool = False) -> CountTable:
    """Count the runs by outcome, in the order of the names, or by the intervals between thresholds, the highest first.

    Args:
        samples: of the runs.
        thresholds: different numbers; then every outcome must be a number.
        split: whether the first, third, ... run on each input only serves to choose the event.

    Raises:
        InputError: for an outcome that is no number, a threshold twice, or an input with a single run to split.
    """
    name: Callable[[str, str], str] = _interval_of(thresholds) if thresholds else lambda outcome, _: outcome
    named = [
        [name(outcome, f"run {k + 1} on {which}") for k, outcome in enumerate(runs)]
        for runs, which in zip(samples, ("D", "Dprime"), strict=True)
    ]
    outcomes = _intervals(thresholds) if thresholds else sorted({*named[0], *named[1]})
    if not split:
        return CountTable(tuple(outcomes), _counted(named[0], outcomes), _counted(named[1], outcomes))
    for runs, which in zip(named, ("D", "Dprime"), strict=True):
        if len(runs) < 2:
            raise InputError(f"at least two runs on {which} to split", str(len(runs)), "--split")
    choosing = _counted(named[0][::2], outcomes), _counted(named[1][::2], outcomes)
    return CountTable(tuple(outcomes), _counted(named[0][1::2], outcomes), _counted(named[1][1::2], outcomes), choosing)


def _counted(runs: Sequence[str], outcomes: Sequence[str]) -> tuple[int, ...]:
    found = Counter(runs)
    return tuple(found[outcome] for outcome in outcomes)


def _interval_of(thresholds: Sequence[mpq]) -> Callable[[str, str], str]:
    ordered = sorted(thresholds)
    if len(set(ordered)) != len(ordered):
        raise InputError("different thresholds", ", ".join(to_text(t) for t in thresholds), "--threshold")
    names = _intervals(thresholds)[::-1]
    return lambda outcome, place: names[bisect_right(ordered, parse_number(outcome, place))]


def _intervals(thresholds: Sequence[mpq]) -> list[str]:
    """The names of the intervals, the highest first."""
    texts = [to_text(t) for t in sorted(thresholds)]
    between = [f"{low} <= x < {high}" for low, high in pairwise(texts)]
    return [f"x >= {texts[-1]}", *reversed(between), f"x < {texts[0]}"]


def count_pairs(samples: Samples, event: Sequence[str], thresholds: Sequence[mpq] = ()) -> PairCounts:
    """Count the pairs of the first runs on D and D', the second ones, ... by which of the two had the event.

    Raises:
        InputError: for different numbers of runs, or an event that no run could have (a name that never came).
    """
    first, second = samples
    if len(first) != len(second):
        raise InputError("as many runs on Dprime as on D, to make pairs", f"{len(first)} and {len(second)}", "--pairs")
    table = count_outcomes(samples, thresholds)
    table.of(event)
    name: Callable[[str, str], str] = _interval_of(thresholds) if thresholds else lambda outcome, _: outcome
    found = Counter((name(a, "D") in event, name(b, "Dprime") in event) for a, b in zip(first, second, strict=True))
    return PairCounts(found[True, True], found[True, False], found[False, True], found[False, False])


def counts_csv(table: CountTable) -> str:
    """The counts as CSV, as ``oracle audit`` reads them."""
    names = ["outcome", "n_on_D", "n_on_Dprime"]
    columns: list[Sequence[Any]] = [[_cell(name) for name in table.outcomes], table.first, table.second]
    if table.choosing is not None:
        names += ["choose_on_D", "choose_on_Dprime"]
        columns += table.choosing
    return "".join(f"{','.join(map(str, row))}\n" for row in [names, *zip(*columns, strict=True)])


def _cell(text: str) -> str:
    quoted = text.replace('"', '""')
    return f'"{quoted}"' if any(mark in text for mark in _NEEDS_QUOTES) else text
