"""Strict reading of certificate documents: JSON text, closed objects, canonical numbers, indices and the digest.

Everything here fails closed: what is not expressly allowed raises `Rejected`.  Numbers are exact; no float is made.
"""

from __future__ import annotations

import hashlib
import json
import re
from fractions import Fraction
from typing import TYPE_CHECKING, NoReturn

from .verdict import Rejected, quoted

if TYPE_CHECKING:
    from collections.abc import Iterable

# The deepest legitimate document has 7 levels (an entry of a matrix of a fact of an evaluation).
_DEEPEST = 12
# Python may refuse int(text) above as few as 640 digits, so longer numbers are assembled from pieces of this length.
_PIECE = 512
_NUMBER = re.compile(r"0|(-?[1-9][0-9]*)(?:/([1-9][0-9]*))?")
_JSON_INTEGER = re.compile(r"0|-?[1-9][0-9]*")
_HEX = re.compile(r"[0-9a-f]{64}")


def parse(data: bytes | str) -> object:
    """Parse strict JSON in UTF-8: no duplicate key, float, NaN, infinity, trailing text or overlong integer."""
    if isinstance(data, bytes | bytearray):
        try:
            data = bytes(data).decode("utf-8")
        except UnicodeDecodeError as error:
            raise Rejected(f"expected UTF-8, byte {error.start} is not") from None
    if not isinstance(data, str):
        raise Rejected("expected bytes or a string of JSON")
    try:
        return json.loads(
            data,
            object_pairs_hook=_object,
            parse_float=_no_float,
            parse_constant=_no_constant,
            parse_int=_json_integer,
        )
    except json.JSONDecodeError as error:
        raise Rejected(f"not JSON: {error.msg} at character {error.pos}") from None
    except RecursionError:
        raise Rejected("nested too deeply") from None


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    result = dict(pairs)
    if len(result) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise Rejected(f"duplicate key {quoted(key)}")
            seen.add(key)
    return result


def _no_float(text: str) -> NoReturn:
    raise Rejected(f"a JSON float {quoted(text)}; numbers are strings")


def _no_constant(text: str) -> NoReturn:
    raise Rejected(f"{quoted(text)} is not JSON")


def _json_integer(text: str) -> int:
    if len(text) > _PIECE or not _JSON_INTEGER.fullmatch(text):
        raise Rejected(f"expected a short JSON integer, got {quoted(text)}")
    return int(text)


def require_plain(document: object, deepest: int = _DEEPEST) -> None:
    """Reject whatever parsed JSON cannot hold: other types, subclasses, deep nesting, integers beyond 64 bits."""
    level: list[object] = [document]
    depth = 0
    while level:
        if depth > deepest:
            raise Rejected(f"nested more than {deepest} deep")
        below: list[object] = []
        for value in level:
            kind = type(value)
            if kind is str or kind is bool or value is None:
                continue
            if isinstance(value, int) and kind is int:
                if value.bit_length() > 64:
                    raise Rejected("an integer beyond 64 bits")
            elif isinstance(value, list) and kind is list:
                below.extend(value)
            elif isinstance(value, dict) and kind is dict:
                if any(type(key) is not str for key in value):
                    raise Rejected("a key that is not a string")
                below.extend(value.values())
            else:
                raise Rejected(f"a value that is not plain JSON: {quoted(kind.__name__)}")
        level = below
        depth += 1


def canonical_hash(value: object) -> str:
    """Return the lower-case hex SHA-256 of the canonical JSON of a plain value."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    try:
        return hashlib.sha256(text.encode("utf-8")).hexdigest()
    except UnicodeEncodeError:
        raise Rejected("a lone surrogate cannot be encoded in UTF-8") from None


def require_digest(document: dict[str, object]) -> None:
    """Check that `digest` is the hash of the rest of the document."""
    digest = document["digest"]
    if not isinstance(digest, str) or not _HEX.fullmatch(digest):
        raise Rejected("expected 64 lower-case hexadecimal digits", "$.digest")
    if canonical_hash({key: value for key, value in document.items() if key != "digest"}) != digest:
        raise Rejected("the digest does not match the document", "$.digest")


def fields(value: object, names: Iterable[str], where: str) -> dict[str, object]:
    """Read an object that has exactly the given keys."""
    if not isinstance(value, dict):
        raise Rejected(f"expected an object, got {quoted(value)}", where)
    wanted = set(names)
    missing, extra = sorted(wanted - value.keys()), sorted(value.keys() - wanted)
    if missing:
        raise Rejected(f"missing field {quoted(missing[0])}", where)
    if extra:
        raise Rejected(f"unknown field {quoted(extra[0])}", where)
    return value


def items(value: object, where: str, least: int = 0) -> list[object]:
    """Read a list of at least the given length."""
    if not isinstance(value, list):
        raise Rejected(f"expected a list, got {quoted(value)}", where)
    if len(value) < least:
        raise Rejected(f"expected at least {least} items, got {len(value)}", where)
    return value


def choice(value: object, allowed: Iterable[str], where: str) -> str:
    """Read one of the given strings."""
    names = list(allowed)
    if not isinstance(value, str) or value not in names:
        raise Rejected(f"expected one of {', '.join(names)}, got {quoted(value)}", where)
    return value


def index(value: object, bound: int, where: str) -> int:
    """Read a JSON integer (not a boolean) with 0 <= value < bound."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < bound:
        raise Rejected(f"expected an index from 0 to {bound - 1}, got {quoted(value)}", where)
    return value


def event(value: object, columns: int, where: str, least: int = 0) -> list[int]:
    """Read a strictly increasing list of column indices."""
    indices = [index(item, columns, f"{where}[{k}]") for k, item in enumerate(items(value, where, least))]
    for k in range(1, len(indices)):
        if indices[k - 1] >= indices[k]:
            raise Rejected("expected strictly increasing indices", f"{where}[{k}]")
    return indices


def integer(digits: str) -> int:
    """Convert decimal digits, with an optional minus sign, whatever their number (halving, subquadratic)."""
    if digits[0] == "-":
        return -integer(digits[1:])
    powers: dict[int, int] = {}

    def convert(start: int, stop: int) -> int:
        length = stop - start
        if length <= _PIECE:
            return int(digits[start:stop])
        low = length // 2
        if low not in powers:
            powers[low] = 10**low
        return convert(start, stop - low) * powers[low] + convert(stop - low, stop)

    return convert(0, len(digits))


def number(value: object, where: str) -> Fraction:
    """Read a canonical number string: an integer, or p/q in lowest terms with q >= 2."""
    match = _NUMBER.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        raise Rejected(f"expected a canonical number string, got {quoted(value)}", where)
    above, below = match.groups()
    if above is None:
        return Fraction(0)
    if below is None:
        return Fraction(integer(above))
    denominator = integer(below)
    result = Fraction(integer(above), denominator)
    if denominator < 2 or result.denominator != denominator:
        raise Rejected("expected lowest terms", where)
    return result


def nonnegative(value: object, where: str) -> Fraction:
    """Read a canonical number >= 0."""
    result = number(value, where)
    if result < 0:
        raise Rejected("expected a number >= 0", where)
    return result


def positive(value: object, where: str) -> Fraction:
    """Read a canonical number > 0."""
    result = number(value, where)
    if result <= 0:
        raise Rejected("expected a number > 0", where)
    return result


def probability(value: object, where: str) -> Fraction:
    """Read a canonical number from 0 to 1."""
    result = number(value, where)
    if not 0 <= result <= 1:
        raise Rejected("expected a number from 0 to 1", where)
    return result


def nonnegative_or_infinite(value: object, where: str) -> Fraction | None:
    """Read a canonical number >= 0, or "inf", which is returned as None."""
    return None if value == "inf" and isinstance(value, str) else nonnegative(value, where)


def require_equal(stated: Fraction, found: Fraction, what: str, where: str) -> None:
    """Reject unless a stated number is the one that was computed."""
    if stated != found:
        raise Rejected(f"{what} is not the stated number", where)
