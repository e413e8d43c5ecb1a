"""The errors of the oracle: one small tree, each also the built-in error it resembles.

A message says what was expected, what came, and where. The facts are kept as
attributes, so a caller never has to parse a message.
"""

from __future__ import annotations

__all__ = [
    "Declined",
    "InputError",
    "LimitError",
    "MissingExtraError",
    "OracleError",
    "UndecidedError",
    "shorten",
]

_SHOWN = 80


def shorten(value: object, limit: int = _SHOWN) -> str:
    """Show a value in a message, cut to *limit* characters with its length stated."""
    try:
        text = value if isinstance(value, str) else repr(value)
    except ValueError:  # an integer beyond the interpreter's limit of digits, alone or inside
        text = f"a value of type {type(value).__name__} with a very long integer"
    text = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text[: limit + 1])
    if len(text) <= limit:
        return text
    return f"{text[:limit]}... ({len(value)} characters)" if isinstance(value, str) else f"{text[:limit]}..."


class OracleError(Exception):
    """Root of everything the oracle raises on purpose."""


class InputError(OracleError, ValueError):
    """Malformed or contradictory input.

    Attributes:
        expected: what would have been accepted.
        got: what came, as text.
        where: the place, such as ``args.channel.matrix[0][1]``, or an empty string.
    """

    def __init__(self, expected: str, got: object, where: str = "") -> None:
        self.expected = expected
        self.got = got if isinstance(got, str) else shorten(got)
        self.where = where
        place = f"{where}: " if where else ""
        super().__init__(f"{place}expected {expected}, got {self.got}")


class LimitError(InputError):
    """An input or a result beyond a stated size limit."""


class Declined(OracleError):  # noqa: N818 - the protocol's own word, and not a fault
    """A question outside the domain that the oracle states for itself."""


class UndecidedError(OracleError, ArithmeticError):
    """A comparison that the stated precision limit does not decide.

    Attributes:
        bits: the working precision reached, in bits.
    """

    def __init__(self, question: str, bits: int) -> None:
        self.question = question
        self.bits = bits
        super().__init__(f"{question}: undecided at {bits} bits")


class MissingExtraError(OracleError, ImportError):
    """A command needs an optional dependency that is not installed."""

    def __init__(self, what: str, extra: str) -> None:
        self.extra = extra
        super().__init__(f"{what} needs the extra '{extra}': pip install 'fdp-oracle[{extra}]'")
