"""The errors of the oracle: one small tree, each also the built-in error it resembles.

A message says what was expected, what came, and where. The facts are kept as
attributes, so a caller never has to parse a message.
"""

from __future__ import annotations

from json import JSONEncoder

__all__ = [
    "Declined",
    "IncompleteError",
    "InputError",
    "LimitError",
    "MissingExtraError",
    "OracleError",
    "UncertifiedError",
    "UndecidedError",
    "shorten",
]

_SHOWN = 80
_NUMBERS = ("int", "Fraction", "mpz", "mpq")


def shorten(value: object, limit: int = _SHOWN) -> str:
    """Show a value in a message, cut to *limit* characters with its length stated.

    Text stands for itself, a number (of any length) for its exact text, what JSON has a word for as JSON has it, and
    anything else as Python shows it.
    """
    text = value if isinstance(value, str) else _shown(value, limit)
    text = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text[: limit + 1])
    if len(text) <= limit:
        return text
    return f"{text[:limit]}... ({len(value)} characters)" if isinstance(value, str) else f"{text[:limit]}..."


def _shown(value: object, limit: int) -> str:
    """The text of a value that is no text, or as much of it as is needed to cut it after *limit* characters."""
    if type(value).__name__ in _NUMBERS:
        from gmpy2 import mpq  # noqa: PLC0415 - --help loads no engine

        return str(mpq(value))  # type: ignore[call-overload]  # the interpreter refuses to write long integers
    try:
        if value is None or isinstance(value, (bool, list, dict, tuple)):
            return _json_text(value, limit)
        return repr(value)
    except (ValueError, TypeError, RecursionError):  # a very long integer, a circle or a key that is no text inside
        return f"a value of type {type(value).__name__} that is too long or deep to show"


def _json_text(value: object, limit: int) -> str:
    text = ""
    for piece in JSONEncoder(ensure_ascii=False, default=repr).iterencode(value):
        text += piece
        if len(text) > limit:
            break
    return text


class OracleError(Exception):
    """Root of everything the oracle raises on purpose. It survives pickling, with its facts."""

    def __reduce__(self) -> tuple[object, ...]:
        return _restored, (type(self), self.args, self.__dict__)


def _restored(kind: type[OracleError], args: tuple[object, ...], facts: dict[str, object]) -> OracleError:
    """An error as it was, without calling its constructor, whose parameters are the facts and not the message."""
    error = kind.__new__(kind, *args)
    error.__dict__.update(facts)
    return error


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


class IncompleteError(OracleError):
    """Work that was begun and cannot be finished, for a reason outside of it, such as a cluster that is gone."""


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


class UncertifiedError(OracleError, ArithmeticError):
    """A verdict that the engine has reached, but for which the independent checker accepts no certificate of ours.

    Attributes:
        holds: the verdict.
        reason: the checker's.
    """

    def __init__(self, holds: bool, reason: str) -> None:
        self.holds = holds
        self.reason = reason
        verdict = "the claim holds" if holds else "the claim is refuted"
        super().__init__(
            f"the verdict is that {verdict}, but the independent checker accepts no certificate of it: {reason}"
        )


class MissingExtraError(OracleError, ImportError):
    """A command needs optional dependencies that are not installed.

    Attributes:
        extras: the names of the extras that it needs.
    """

    def __init__(self, what: str, *extras: str) -> None:
        self.extras = extras
        names, joined = " and ".join(f"'{extra}'" for extra in extras), ",".join(extras)
        super().__init__(
            f"{what} needs the extra{'s' if len(extras) > 1 else ''} {names}: "
            f"pip install '.[{joined}]' in a checkout, or pip install 'fdp-oracle[{joined}]'"
        )
