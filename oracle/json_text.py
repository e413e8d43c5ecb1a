"""Strict JSON in, canonical JSON out.

In: duplicate keys, floats, ``NaN`` and over-long numbers are refused with their place,
integers stay exact at any length, a byte-order mark is accepted. Out: sorted keys, no
spaces, UTF-8, one text per value, so that a SHA-256 of it identifies the value.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

from gmpy2 import mpz

from oracle.errors import InputError, LimitError, shorten
from oracle.exact import MAX_DIGITS, JsonFloat

__all__ = ["canonical", "digest", "parse", "read_bytes", "read_text", "refuse_unknown"]

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


_LABELLED = ("query", "answer", "nodes")


class _DuplicateKeyError(ValueError):
    pass


class _Twice(dict[str, Any]):
    """An object that has a key twice, and that key."""

    key: str


def _marked(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    try:
        return _unique(pairs)
    except _DuplicateKeyError as error:
        found = _Twice(pairs)
        found.key = str(error)
        return found


def _read_again(text: str) -> Any:  # noqa: ANN401 - any JSON value
    return json.loads(text, object_pairs_hook=_marked, parse_float=str, parse_int=str, parse_constant=str)


def _twice(text: str) -> tuple[str, str]:
    """The first object with a key twice, outer ones first: the key, and the path of the object."""
    stack: list[tuple[Any, str, bool]] = [(_read_again(text), "", False)]
    while stack:
        value, path, labels = stack.pop()
        if isinstance(value, _Twice):
            return value.key, path.removeprefix(".")
        if isinstance(value, dict):
            steps = (
                (
                    item,
                    f"{path}[{json.dumps(shorten(key))}]" if labels or not key.isidentifier() else f"{path}.{key}",
                    key,
                )
                for key, item in value.items()
            )
            stack += reversed([(item, step, not labels and key in _LABELLED) for item, step, key in steps])
        elif isinstance(value, list):
            stack += reversed([(item, f"{path}[{i}]", False) for i, item in enumerate(value)])
    raise AssertionError("some object has a key twice")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for key, value in pairs:
        if key in result:
            raise _DuplicateKeyError(key)
        result[key] = value
    return result


def _integer(text: str) -> int | mpz:
    if len(text) <= 4000:
        return int(text)
    if len(text) > MAX_DIGITS + 1:
        raise LimitError(f"a number of at most {MAX_DIGITS} digits", f"one of {len(text)} characters")
    return mpz(text)


def parse(text: str, where: str = "") -> Any:  # noqa: ANN401 - any JSON value
    """Read one JSON value; floats come back as :class:`~oracle.exact.JsonFloat`, to be refused in place.

    Raises:
        InputError: for text that is not JSON (with line and column) or a duplicate key (with the path of its object).
    """

    def fail(expected: str, got: str) -> NoReturn:
        raise InputError(expected, got, where) from None

    try:
        return json.loads(
            text.removeprefix("\ufeff"),
            object_pairs_hook=_unique,
            parse_float=JsonFloat,
            parse_int=_integer,
            parse_constant=JsonFloat,
        )
    except _DuplicateKeyError:
        key, path = _twice(text.removeprefix("\ufeff"))
        fail("every key once", f'the key "{shorten(key)}" twice' + (f" in {path}" if path else ""))
    except json.JSONDecodeError as error:
        fail("JSON", f"{error.msg} at line {error.lineno}, column {error.colno}")
    except RecursionError:
        fail("JSON nested at most a few hundred deep", "a deeper one")


def read_bytes(path: Path) -> bytes:
    """Read a file, with errors that name it."""
    try:
        return path.read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise InputError("a readable file", reason.lower(), shorten(str(path), 1000)) from None


def read_text(path: Path) -> str:
    """Read a UTF-8 file (byte-order mark and CRLF accepted), with errors that name it."""
    data = read_bytes(path)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            "UTF-8 text", f"the byte 0x{data[error.start]:02x} at offset {error.start}", str(path)
        ) from None


def refuse_unknown(value: Mapping[str, Any], known: tuple[str, ...], where: str) -> None:
    """Refuse an object with a key that is not in *known*."""
    for key in value:
        if key not in known:
            expected = "only the keys " + ", ".join(known) if known else "no keys"
            raise InputError(expected, f'the key "{shorten(key)}"', where)


def canonical(value: object) -> str:
    """The canonical text of a JSON value: sorted keys, no spaces, non-ASCII kept."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def digest(value: object) -> str:
    """Lower-case hexadecimal SHA-256 of the canonical text in UTF-8."""
    text = canonical(value)
    if _LONE_SURROGATE.search(text):
        raise InputError("text that UTF-8 can hold", "a lone surrogate")
    return hashlib.sha256(text.encode()).hexdigest()


def dump_line(value: object) -> str:
    """A JSON value on one line in the order of its keys, for people and pipes; lone surrogates are escaped."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, default=_plain)
    return text if not _LONE_SURROGATE.search(text) else json.dumps(value, allow_nan=False, default=_plain)


def _plain(value: object) -> int:
    if isinstance(value, mpz):
        return int(value)
    raise TypeError(f"{type(value).__name__} has no JSON form")
