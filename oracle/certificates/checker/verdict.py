"""The outcomes of checking: `Accepted`, the exception `Rejected`, and `Unverified` for what has no certificate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

_LONGEST_SHOWN = 80
_MOST_COLUMNS = 12


@dataclass(frozen=True, slots=True)
class Accepted:
    """A certificate that was checked and holds.

    `kind` is the kind of certificate, `statement` one plain ASCII sentence of what was proved, `channels` the pairs
    (name in the document, lower-case hex SHA-256 of its canonical JSON) of everything the statement is about.
    """

    kind: str
    statement: str
    channels: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Unverified:
    """A document that holds together and has nothing to check: a record, or a report of records only.

    `reason` says so, and how to make the record again.
    """

    reason: str


class Rejected(ValueError):  # noqa: N818 - a verdict, the counterpart of Accepted
    """A document that proves nothing: malformed, tampered with, false, or too hard to decide.

    `reason` says what is wrong, `where` is the path of the offending value ("$" is the document).
    """

    def __init__(self, reason: str, where: str = "$") -> None:
        super().__init__(reason, where)
        self.reason = reason
        self.where = where

    def __str__(self) -> str:
        return f"{self.reason} (at {self.where})"


def quoted(text: object) -> str:
    """Return untrusted text (or any other JSON scalar) as short printable ASCII."""
    if isinstance(text, str):
        if len(text) > _LONGEST_SHOWN:
            return f"{text[:_LONGEST_SHOWN]!a}... ({len(text)} characters)"
        return ascii(text)
    if text is None or isinstance(text, bool):
        return {None: "null", True: "true", False: "false"}[text]
    if isinstance(text, int) and text.bit_length() <= 64:
        return str(text)
    return {dict: "an object", list: "a list", int: "a long integer"}.get(type(text), "a value of another type")


def shown(number: Fraction) -> str:
    """Return a number for a message: in full when short, otherwise its size."""
    bits = number.numerator.bit_length() + number.denominator.bit_length()
    return str(number) if bits <= 300 else f"a number of {bits} bits"


def columns_text(columns: Sequence[int]) -> str:
    """Return the columns of an event for a statement, of many the first ones."""
    listed = ", ".join(map(str, columns[:_MOST_COLUMNS]))
    more = f", ... ({len(columns)} in all)" if len(columns) > _MOST_COLUMNS else ""
    return f"{{{'column' if len(columns) == 1 else 'columns'} {listed}{more}}}" if columns else "{} (no column)"


def brief(text: str) -> str:
    """Return a canonical number string for a statement, the middle of a long one left out and counted."""
    if len(text) <= _LONGEST_SHOWN:
        return text
    return f"{text[:20]}...{text[-20:]} [{len(text)} characters]"
