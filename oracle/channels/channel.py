"""Channels: exact row-stochastic matrices, rows = inputs, columns = outputs.

A *two-row* channel is one neighbouring pair: P = row 0, Q = row 1. A *partial* channel has
rows of mass at most 1; it arises as a part of a visible choice and is reached from Python only.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import repeat
from typing import Any, Final

from gmpy2 import lcm, mpq, mpz, remove

from oracle.errors import InputError, LimitError, shorten
from oracle.exact import parse_number, to_fraction, to_text
from oracle.json_text import digest, refuse_unknown

__all__ = [
    "Channel",
    "Rows",
    "common_denominator",
    "parse_channel",
    "parse_labels",
    "parse_matrix",
    "require_full",
    "require_two_rows",
    "rounding_advice",
]

Rows = tuple[tuple[mpq, ...], ...]

MAX_SCALED_BITS: Final = 2**33
"""Bits that the entries of one channel may take over their common denominator (1 GiB)."""

_LONG_DECIMAL: Final = 15
_CONTROL: Final = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""Control characters, lone surrogates, and the characters that turn the direction of the text around them."""

_ROUNDING: Final = mpq(1, 10**9)


def common_denominator(values: Iterable[mpq]) -> mpz:
    """Least common multiple of the denominators, by a product tree (fast when they are unrelated)."""
    level: list[mpz] = list({value.denominator for value in values}) or [mpz(1)]
    while len(level) > 1:
        level = [lcm(*level[i : i + 2]) for i in range(0, len(level), 2)]
    return level[0]


class Channel:
    """An exact channel.

    Args:
        rows: one sequence of probabilities for each input; anything :func:`oracle.exact.parse_number`
            accepts (strings, int, Fraction, gmpy2, python-flint; no floats).
        inputs: labels of the rows, or None.
        outputs: labels of the columns, or None.
        partial: accept rows of mass in (0, 1] in place of exactly 1.

    Equality is mathematical: the same probabilities and the same labels. Channels that differ only
    by zero columns, order and equal likelihood ratios compare equal after
    :func:`oracle.channels.canonical.canonical`.

    Raises:
        InputError: for fewer than one row or column, ragged rows, a negative entry, or a row whose
            sum misses 1 (the message says by exactly how much).
    """

    __slots__ = ("_rows", "derived", "inputs", "numerators", "outputs", "scale")

    inputs: tuple[str, ...] | None
    """Labels of the rows, or None."""
    outputs: tuple[str, ...] | None
    """Labels of the columns, or None."""
    scale: mpz
    """A common denominator of every entry."""
    numerators: tuple[tuple[mpz, ...], ...]
    """The probabilities times ``scale``."""
    derived: dict[str, Any]
    """What other modules have computed from this immutable channel, kept to be used again."""

    def __init__(
        self,
        rows: Sequence[Sequence[Any]],
        inputs: Sequence[str] | None = None,
        outputs: Sequence[str] | None = None,
        *,
        partial: bool = False,
    ) -> None:
        self._fill(parse_matrix([_listed(row) for row in rows] if _is_listing(rows) else rows, "matrix"))
        self.inputs = parse_labels(inputs, len(self.rows), "inputs")
        self.outputs = parse_labels(outputs, len(self.rows[0]), "outputs")
        _check_entries(self, "matrix", partial=partial)

    def _fill(self, rows: Rows) -> None:
        self._rows: Rows | None = rows
        self.derived = {}
        scale = common_denominator(value for row in rows for value in row)
        if scale.bit_length() * len(rows) * len(rows[0]) > MAX_SCALED_BITS:
            got = f"{len(rows)} x {len(rows[0])} entries with a common denominator of {scale.bit_length()} bits"
            raise LimitError(f"a channel of at most {MAX_SCALED_BITS} bits in all", got, "matrix")
        self.scale = scale
        self.numerators = tuple(tuple(v.numerator * (scale // v.denominator) for v in row) for row in rows)

    @classmethod
    def trusted(
        cls, rows: Rows, inputs: tuple[str, ...] | None = None, outputs: tuple[str, ...] | None = None
    ) -> Channel:
        """A channel from rows that are a channel by construction; nothing is checked."""
        self = cls.__new__(cls)
        self._fill(rows)
        self.inputs, self.outputs = inputs, outputs
        return self

    @classmethod
    def from_numerators(cls, numerators: Sequence[Sequence[mpz]], scale: mpz) -> Channel:
        """The channel ``numerators / scale``, by construction a channel; nothing is checked."""
        self = cls.__new__(cls)
        self.scale = scale
        self.numerators = tuple(map(tuple, numerators))
        self._rows = None
        self.derived = {}
        self.inputs = self.outputs = None
        return self

    @property
    def rows(self) -> Rows:
        """The probabilities as engine scalars, reduced when first asked for."""
        if self._rows is None:
            self._rows = tuple(tuple(map(mpq, row, repeat(self.scale))) for row in self.numerators)
        return self._rows

    @property
    def matrix(self) -> tuple[tuple[Fraction, ...], ...]:
        """The probabilities as fractions."""
        return tuple(tuple(map(to_fraction, row)) for row in self.rows)

    @property
    def masses(self) -> tuple[mpq, ...]:
        """The mass of every row: all 1 unless the channel is partial."""
        return tuple(mpq(sum(row, mpz(0)), self.scale) for row in self.numerators)

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of rows and columns."""
        return len(self.numerators), len(self.numerators[0])

    @property
    def hash(self) -> str:
        """SHA-256 of the matrix in canonical form, labels left out."""
        return digest({"matrix": self.to_json()["matrix"]})

    def swapped(self) -> Channel:
        """The same pair with P and Q exchanged (two rows)."""
        require_two_rows(self)
        inputs = None if self.inputs is None else self.inputs[::-1]
        return Channel.trusted(self.rows[::-1], inputs, self.outputs)

    def pair(self, first: int, second: int) -> Channel:
        """The two-row channel of rows *first* and *second*."""
        inputs = None if self.inputs is None else (self.inputs[first], self.inputs[second])
        return Channel.trusted((self.rows[first], self.rows[second]), inputs, self.outputs)

    def to_json(self) -> dict[str, Any]:
        """The channel in the shape of the contract; labels only where there are any."""
        document: dict[str, Any] = {"matrix": [[to_text(v) for v in row] for row in self.rows]}
        if self.inputs is not None:
            document["inputs"] = list(self.inputs)
        if self.outputs is not None:
            document["outputs"] = list(self.outputs)
        return document

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Channel):
            return NotImplemented
        return (self.rows, self.inputs, self.outputs) == (other.rows, other.inputs, other.outputs)

    def __hash__(self) -> int:
        return hash((self.rows, self.inputs, self.outputs))

    def __repr__(self) -> str:
        rows, columns = self.shape
        if rows * columns > 16:
            return f"<Channel {rows} x {columns}>"
        return "Channel([" + ", ".join("[" + ", ".join(f'"{v}"' for v in row) + "]" for row in self.rows) + "])"


def _is_listing(value: object) -> bool:
    """Whether a value lists items one by one; text and mappings do not."""
    return isinstance(value, Iterable) and not isinstance(value, (str, bytes, Mapping))


def _listed(row: Any) -> Any:  # noqa: ANN401 - whatever a caller passes as a row
    return list(row) if _is_listing(row) else row


def require_full(channel: Channel, where: str = "channel") -> None:
    """Refuse a partial channel where the question is about probability laws."""
    for i, mass in enumerate(channel.masses):
        if mass != 1:
            raise InputError(
                "rows that sum to 1 (a full channel)", f"a mass of {shorten(to_text(mass))}", f"{where}[{i}]"
            )


def require_two_rows(channel: Channel, where: str = "channel") -> None:
    """Refuse a channel that does not have exactly two rows."""
    if len(channel.numerators) != 2:
        raise InputError("two rows (P and Q)", f"{len(channel.numerators)} rows", where)


def _check_entries(channel: Channel, where: str, *, partial: bool) -> None:
    """Every entry at least 0 and every row sum 1 (partial: in (0, 1])."""
    for i, row in enumerate(channel.rows):
        for j, value in enumerate(row):
            if value < 0:
                raise InputError("a probability at least 0", shorten(to_text(value)), f"{where}[{i}][{j}]")
    for i, mass in enumerate(channel.masses):
        if mass != 1 and not (partial and 0 < mass < 1):
            miss = mass - 1
            word = "exceeds" if miss > 0 else "misses"
            got = f"a sum of {shorten(to_text(mass))}, which {word} 1 by {shorten(to_text(abs(miss)))}"
            got += "" if partial else rounding_advice(channel.rows[i], miss)
            raise InputError("a row that sums to 1", got, f"{where}[{i}]")


def rounding_advice(row: Iterable[mpq], miss: mpq) -> str:
    """Advice for a row that misses 1 by the rounding of doubles, else nothing.

    Its entries are dyadic, or decimals some of which have at least 15 digits after the point.
    """
    places = 0
    for value in row:
        rest, fives = remove(value.denominator, mpz(5))
        rest, twos = remove(rest, mpz(2))
        if rest != 1:
            return ""
        places = max(places, fives, twos)
    if places < _LONG_DECIMAL or abs(miss) > _ROUNDING:
        return ""
    return " (doubles rarely sum to 1 exactly: give exact weights, or make the last entry 1 minus the rest)"


def parse_matrix(value: object, where: str) -> Rows:
    """Read a rectangular matrix of exact numbers with at least one row and one column."""
    if not isinstance(value, (list, tuple)) or not value:
        raise InputError("a list of at least one row", shorten(value), where)
    rows: list[tuple[mpq, ...]] = []
    for i, row in enumerate(value):
        if not isinstance(row, (list, tuple)):
            raise InputError("a row as a list of numbers", shorten(row), f"{where}[{i}]")
        if not row:
            raise InputError("at least one column", "an empty row", f"{where}[{i}]")
        if i and len(row) != len(rows[0]):
            raise InputError(f"{len(rows[0])} columns as in row 0", f"{len(row)}", f"{where}[{i}]")
        rows.append(tuple(parse_number(v, f"{where}[{i}][{j}]") for j, v in enumerate(row)))
    return tuple(rows)


def parse_labels(value: object, count: int, where: str) -> tuple[str, ...] | None:
    """Read *count* distinct labels, or None for none. Labels are data: markup is kept, control characters refused."""
    if value is None:
        return None
    if not isinstance(value, (list, tuple)) or len(value) != count:
        got = f"{len(value)}" if isinstance(value, (list, tuple)) else shorten(value)
        raise InputError(f"a list of {count} labels", got, where)
    seen: dict[str, int] = {}
    for i, label in enumerate(value):
        if not isinstance(label, str):
            raise InputError("a label as text", shorten(label), f"{where}[{i}]")
        if _CONTROL.search(label):
            raise InputError("a label without control characters", ascii(shorten(label)), f"{where}[{i}]")
        if label in seen:
            raise InputError("distinct labels", f'"{shorten(label)}" at {seen[label]} and {i}', where)
        seen[label] = i
    return tuple(value)


def parse_channel(value: object, where: str = "channel") -> Channel:
    """Read ``{"matrix": ..., "inputs": ..., "outputs": ...}``, labels optional, unknown keys refused."""
    if not isinstance(value, Mapping):
        raise InputError('a channel {"matrix": [[...], [...]]}', shorten(value), where)
    refuse_unknown(value, ("matrix", "inputs", "outputs"), where)
    if "matrix" not in value:
        raise InputError('the key "matrix"', "none", where)
    for name in ("inputs", "outputs"):
        if name in value and value[name] is None:
            raise InputError("a list of labels, or no such key", "null", f"{where}.{name}")
    channel = Channel.__new__(Channel)
    channel._fill(parse_matrix(value["matrix"], f"{where}.matrix"))  # noqa: SLF001 - the second constructor of the class
    rows, columns = channel.shape
    channel.inputs = parse_labels(value.get("inputs"), rows, f"{where}.inputs")
    channel.outputs = parse_labels(value.get("outputs"), columns, f"{where}.outputs")
    _check_entries(channel, f"{where}.matrix", partial=False)
    return channel
