"""Every small change of a JSON document: numbers nudged, strings swapped, keys, items and types changed."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from tests.certificates.checker.documents import KINDS, Document, canonical_json, sealed

Path = tuple[str | int, ...]

_WORDS = (
    *("both", "forward", "backward", "inf", "-inf", "nan", "<", "<=", "=", ">", ">=", "!=", "exp", "log", "normal"),
    *("lo", "hi", "compare", "event_sum", "product", "bracket", "combination", "equivalent"),
    *("maximal", "nearest", "finite", "first", "second", "event", "complement", "declared", "split", "family", ""),
)
_NUDGES = (Fraction(1), Fraction(-1), Fraction(1, 1000), Fraction(-1, 1000), Fraction(1, 7))


def _number(text: str) -> Fraction | None:
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        return None


def _strings(text: str) -> Iterator[Any]:
    yield from (None, True, 1, 0.5, [], [text], {}, {"fact": 0}, text + " ", text + "\n", "+" + text)
    number = _number(text)
    if number is None:
        yield from _WORDS
        yield from KINDS
        yield from (text.upper(), "0", "1", "1/2", "0" * 64)
        return
    yield from ("inf", "0", "1", "2", "1/2", f"{number.numerator * 2}/{number.denominator * 2}", "0" + text, "-" + text)
    yield from (text.translate(str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩")), f"{number.numerator}/0", text + ".0")
    yield from (str(number + nudge) for nudge in _NUDGES)
    yield from (str(-number), str(number * 2), str(number / 2), str(1 - number))
    if number:
        yield str(1 / number)


def _scalars(value: Any) -> Iterator[Any]:
    if isinstance(value, str):
        yield from _strings(value)
    elif isinstance(value, bool):
        yield from (not value, int(value), str(value).lower(), None)
    elif isinstance(value, int):
        yield from (
            value + 1,
            value - 1,
            value + 2,
            -value - 1,
            float(value),
            str(value),
            value == 1,
            None,
            10**30,
            [value],
        )
    elif value is None:
        yield from (False, 0, "", [], [0], {})


def _lists(items: list[Any]) -> Iterator[Any]:
    yield from ([], None, {}, "", items[::-1], [*items, None])
    for k, item in enumerate(items):
        rest = items[:k] + items[k + 1 :]
        yield rest
        yield [*items[:k], item, *items[k:]]
        yield [*rest, item]
        for j in range(k + 1, len(items)):
            swapped = list(items)
            swapped[k], swapped[j] = items[j], item
            yield swapped


def _objects(fields: dict[str, Any]) -> Iterator[Any]:
    yield from ([], None, {}, {**fields, "extra": "0"}, {**fields, "": None})
    keys = list(fields)
    for key in keys:
        rest = {name: value for name, value in fields.items() if name != key}
        yield rest
        yield {**rest, key.upper() + "_": fields[key]}
        for other in keys:
            if key < other:
                yield {**fields, key: fields[other], other: fields[key]}
    for renamed, name in (("exp_epsilon", "epsilon"), ("epsilon", "exp_epsilon"), ("channel", "tradeoff")):
        if renamed in fields:
            yield {name if key == renamed else key: value for key, value in fields.items()}


def _places(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    yield path, value
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _places(item, (*path, key))
    elif isinstance(value, list):
        for k, item in enumerate(value):
            yield from _places(item, (*path, k))


def _replaced(document: Any, path: Path, value: Any) -> Any:
    if not path:
        return value
    copied = copy.copy(document)
    copied[path[0]] = _replaced(document[path[0]], path[1:], value)
    return copied


def tampered(document: Document) -> Iterator[Any]:
    """Every document that differs from the given one in one place, the digest left as it was."""
    original = canonical_json(document)
    seen = {original}
    for path, value in _places(document):
        if isinstance(value, dict):
            changes = _objects(value)
        elif isinstance(value, list):
            changes = _lists(value)
        else:
            changes = _scalars(value)
        for change in changes:
            candidate = _replaced(document, path, change)
            text = canonical_json(candidate)
            if text not in seen:
                seen.add(text)
                yield candidate


def resealed(document: Document) -> Iterator[Document]:
    """Every such document with the digest that belongs to it; a change of the digest alone is left out."""
    original = canonical_json(document)
    for candidate in tampered(document):
        if isinstance(candidate, dict) and "digest" in candidate:
            fresh = sealed(candidate)
            if canonical_json(fresh) != original:
                yield fresh
