"""Tables in CSV and TSV: a line for each outcome, a column for each input, cells read as text, exactly.

The columns are the outcome and then one probability for each input; exactly two columns are P and Q without
outcome names. The first line is a header if its first cell is ``outcome`` or ``output``, in any case, or if none of its
probability cells is a number; a cell that only consists of the characters of numbers (a ``50%``, a ``1/0``) or is a
``nan`` counts as one, so that it is refused in its place rather than taken for a name.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock
from typing import Final

from gmpy2 import mpq

from oracle.channels.channel import Channel, parse_labels, rounding_advice
from oracle.errors import InputError, LimitError, shorten
from oracle.exact import parse_number, to_text

__all__ = ["SEPARATORS", "Line", "read_delimited", "read_lines", "require_cells"]

SEPARATORS: Final = {"csv": ",", "tsv": "\t"}
"""The character between cells, by the form."""

_FIELD_LIMIT: Final = 1 << 20
"""Most characters of a cell: more than a number of the largest accepted size takes."""

_NUMERAL = re.compile(r"[-+./%0-9eE]*[0-9][-+./%0-9eE]*")
_DECIMAL_COMMA = re.compile(r"[-+]?[0-9]*,[0-9]+(?:[eE][-+]?[0-9]+)?")
_HEADS: Final = ("outcome", "outcomes", "output", "outputs")
_LIMIT_LOCK: Final = Lock()


@dataclass(frozen=True, slots=True)
class Line:
    """The cells of one record, spaces around them removed, and the number of the line it ends on."""

    number: int
    cells: tuple[str, ...]


def read_delimited(text: str, separator: str, where: str) -> Channel:
    """Read a table of at least two inputs; the channel has a row for each input.

    Args:
        text: the file, without a byte-order mark; any line ends.
        separator: the character between cells.
        where: the file's name, for errors.

    Raises:
        InputError: naming line and column, for a ragged line, an empty cell, anything that is not a number,
            a ``%``, a negative number, repeated names, or a column that does not sum to exactly 1.
    """
    lines = read_lines(text, separator, where)
    require_cells(lines, separator, where)
    width = len(lines[0].cells)
    first = 0 if width == 2 else 1
    named = lines[0].cells[0].lower() in _HEADS
    if named and width == 2:
        wanted = "the columns outcome and one for each of at least two inputs"
        raise InputError(wanted, "one input", f"{where} line {lines[0].number}")
    header = None if not named and any(_is_numeral(cell) for cell in lines[0].cells[first:]) else lines[0]
    body = lines[1:] if header else lines
    if not body:
        raise InputError("at least one outcome", "only a header", where)
    names = header.cells if header else tuple(str(k + 1) for k in range(width))
    inputs = parse_labels(list(header.cells[first:]), width - first, f"{where} header") if header else None
    outputs = _outcomes(body, names[0], where) if first else None
    rows = tuple(tuple(_probabilities(body, k, names[k], where)) for k in range(first, width))
    channel = Channel.trusted(rows, inputs, outputs)
    for k, mass in enumerate(channel.masses):
        if mass != 1:
            word, miss = ("exceeds", mass - 1) if mass > 1 else ("misses", 1 - mass)
            got = f"a sum of {shorten(to_text(mass))}, which {word} 1 by {shorten(to_text(miss))}"
            got += _header_advice(channel, labelled=header is not None) or rounding_advice(rows[k], miss)
            raise InputError(
                "a column that sums to 1", got, f"{where} column {shorten(names[first + k]) or first + k + 1}"
            )
    return channel


def require_cells(lines: list[Line], separator: str, where: str) -> None:
    """Refuse lines that have not as many cells as the first one, at least two; other separators are named."""
    first = lines[0]
    width = len(first.cells)
    others = {",": "commas", ";": "semicolons", "\t": "tabs"}
    seen = next((cut for cut in others if cut != separator and cut in "".join(first.cells)), None)
    if seen and (width == 1 or any(len(line.cells) != width for line in lines)):
        wanted = 'cells between ","' if separator == "," else "cells between tabs"
        advice = {",": "use .csv or --format csv", "\t": "use .tsv or --format tsv"}
        got = f"{others[seen]} ({advice.get(seen, 'and a decimal has a point: 0.5')})"
        raise InputError(wanted, got, f"{where} line {first.number}")
    if width < 2:
        wanted = "the columns outcome and one for each input, or the two columns P and Q"
        raise InputError(wanted, "one column", f"{where} line {first.number}")
    for line in lines:
        if len(line.cells) != width:
            commas = separator == "," and len(line.cells) == 2 * width - (width > 2)
            got = f"{len(line.cells)}" + (" (a decimal has a point, not a comma: 0.5)" if commas else "")
            if len(line.cells) == width + 1 and not line.cells[-1]:
                got += f" (column {width + 1} is empty: the line ends with a separator)"
            raise InputError(f"{width} cells as in the first line", got, f"{where} line {line.number}")


def _header_advice(channel: Channel, *, labelled: bool) -> str:
    """A hint where the columns sum to 1 without the first line, which was taken for probabilities."""
    if labelled or channel.shape[1] < 2 or any(sum(row[1:]) != 1 for row in channel.rows):
        return ""
    return " (is line 1 a header? its labels look like numbers; call its first cell outcome)"


def read_lines(text: str, separator: str, where: str) -> list[Line]:
    """All records, at least one; empty lines are skipped.

    Raises:
        InputError: for quotes that do not match, a byte-order mark inside, or nothing at all.
    """
    if (place := text.find("\ufeff")) >= 0:
        line = text.count("\n", 0, place) + 1
        raise InputError("a byte-order mark at the start of the file only", "one inside", f"{where} line {line}")
    with _field_limit():
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
        try:
            records = ((reader.line_num, tuple(cell.strip(" \t") for cell in record)) for record in reader)
            lines = [Line(number, cells) for number, cells in records if cells not in ((), ("",))]
        except csv.Error as error:
            wanted = f'cells between "{separator}"' if separator != "\t" else "cells between tabs"
            got = f"a line that is malformed ({error})"
            raise InputError(wanted, got, f"{where} line {reader.line_num}") from None
    if not lines:
        raise InputError("at least one outcome", "an empty file", where)
    return lines


@contextmanager
def _field_limit() -> Iterator[None]:
    """Raise the csv module's (global) limit for the time of one reading."""
    with _LIMIT_LOCK:
        before = csv.field_size_limit(_FIELD_LIMIT)
        try:
            yield
        finally:
            csv.field_size_limit(before)


def _is_numeral(cell: str) -> bool:
    """Whether a cell of the first line is, or was meant as, a number."""
    if _NUMERAL.fullmatch(cell) or cell.lower().lstrip("+-") in ("nan", "inf", "infinity"):
        return True
    try:
        parse_number(cell)
    except LimitError:
        return True
    except InputError:
        return False
    return True


def _outcomes(body: list[Line], column: str, where: str) -> tuple[str, ...] | None:
    seen: dict[str, int] = {}
    for line in body:
        name = line.cells[0]
        place = f"{where} line {line.number}, column {shorten(column) or 1}"
        if not name:
            raise InputError("the name of an outcome", "an empty cell", place)
        if name in seen:
            raise InputError("each outcome once", f'"{shorten(name)}", which is in line {seen[name]} too', place)
        seen[name] = line.number
    return parse_labels(list(seen), len(seen), f"{where} outcomes")


def _probabilities(body: list[Line], column: int, name: str, where: str) -> Iterator[mpq]:
    shown = shorten(name) or column + 1
    for line in body:
        cell = line.cells[column]
        place = f"{where} line {line.number}, column {shown}"
        if not cell:
            raise InputError("a probability", "an empty cell", place)
        if _DECIMAL_COMMA.fullmatch(cell):
            raise InputError("a number with a decimal point", f'"{shorten(cell)}", with a comma', place)
        value = parse_number(cell, place)
        if value < 0:
            raise InputError("a probability at least 0", f'"{shorten(cell)}"', place)
        yield value
