"""The form in which a question is asked of a subject: exact or in doubles, a level under the name it accepts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from gmpy2 import mpq

from oracle.conformance.protocol import Hello
from oracle.errors import InputError, shorten
from oracle.exact import INFINITY, NEGATIVE_INFINITY, parse_extended, parse_number, to_binary64, to_text

__all__ = ["WORDS", "Form", "as_binary64", "form_for"]

_LOG = re.compile(r"(?:log|ln)\((.*)\)", re.DOTALL)
WORDS: Final = (
    *("mechanism", "direction", "neighbours", "field", "kind", "sources", "relation", "unit"),
    *("inputs", "outputs", "universe", "database", "name", "ref"),
)
"""Keys whose values are words or labels, never numbers."""


@dataclass(frozen=True, slots=True)
class Form:
    """The form in which a case is asked: its args, and whether they and the truth are those of its binary64 form."""

    args: Mapping[str, Any]
    binary64: bool


def form_for(hello: Hello, args: Mapping[str, Any], binary64: Mapping[str, Any] | None) -> Form | None:
    """How a case is asked of a subject: its args, or its binary64 form; None if in no form that is accepted.

    To a subject that takes doubles each number goes as a double in hexadecimal.

    Args:
        hello: what the subject accepts.
        args: the args of the case.
        binary64: the args of its binary64 form, if it has one.
    """
    exact = hello.numbers == "rational"
    told = _with_epsilon(args, hello.epsilon, exact=exact)
    if exact:
        return None if told is None else Form(told, binary64=False)
    doubles = None if binary64 is None else _with_epsilon(binary64, hello.epsilon, exact=False)
    for form, other in ((told, False), (doubles, True)):
        try:
            if form is not None:
                return Form(as_binary64(form), binary64=other)
        except InputError:
            continue  # some number is no double
    return None


def _with_epsilon(value: Any, accepted: tuple[str, ...], *, exact: bool) -> Any:  # noqa: ANN401 - a JSON value
    """The value with each level in a form that is accepted, without changing it; None if there is none."""
    if isinstance(value, (list, tuple)):
        members = [_with_epsilon(member, accepted, exact=exact) for member in value]
        return None if any(m is None and v is not None for m, v in zip(members, value, strict=True)) else members
    if not isinstance(value, Mapping):
        return value
    told: dict[str, Any] = {}
    for key, member in value.items():
        name, kept = key, _with_epsilon(member, accepted, exact=exact)
        if key in ("exp_epsilon", "epsilon") and key not in accepted:
            name, kept = accepted[0], _rewritten(key, member, exact=exact)
        if kept is None and member is not None:
            return None
        told[name] = kept
    return told


def _rewritten(key: str, value: object, *, exact: bool) -> str | None:
    """A level under its other name: log(a) and a, and the ones that are doubles in both; None if there is none."""
    try:
        if key == "exp_epsilon":
            level = parse_extended(value)
            simple = {mpq(0): "-inf", mpq(1): "0", INFINITY: "inf"}.get(level)
            return simple or (f"log({to_text(level)})" if exact else None)
        if isinstance(value, str) and (match := _LOG.fullmatch(value)):
            inside = parse_number(match[1])
            return to_text(inside) if inside > 0 else None
        return {mpq(0): "1", INFINITY: "inf", NEGATIVE_INFINITY: "0"}.get(parse_extended(value))
    except InputError:
        return None


def as_binary64(value: Any) -> Any:  # noqa: ANN401 - a JSON value
    """The value with each number that is text written as a double in hexadecimal.

    Raises:
        InputError: if one of them is no double.
    """
    if isinstance(value, Mapping):
        return {key: member if key in WORDS else as_binary64(member) for key, member in value.items()}
    if isinstance(value, (list, tuple)):
        return [as_binary64(member) for member in value]
    if not isinstance(value, str):
        return value
    if value in ("?", "inf", "+inf", "-inf"):
        return value
    exact = parse_number(value)
    if to_binary64(exact, "down") != to_binary64(exact, "up"):
        raise InputError("a number that is a double", shorten(value))
    return "0" if exact == 0 else to_binary64(exact, "down").hex()
