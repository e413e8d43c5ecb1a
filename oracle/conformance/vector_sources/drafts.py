"""Questions before they are answered, and the same question in doubles.

*Doubles*: every parameter becomes the nearest double in hexadecimal, ``exp_epsilon`` and ``log(..)`` the double nearest
to epsilon. A row of probabilities is rounded to multiples of 2^-53 and its largest entry takes what is left, so that
the row is a law again and each of its entries a double. Integers (numbers of runs, of answers) stay. Every other number
is written in hexadecimal, which C's ``strtod`` reads as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from gmpy2 import mpq

from oracle.conformance.cases import Source
from oracle.conformance.forms import as_binary64
from oracle.conformance.truths import Expected
from oracle.enclosures import log_enclosure
from oracle.exact import from_binary64, parse_number, to_binary64, to_text

__all__ = ["Question", "Topic", "channel", "in_doubles", "slug", "text"]

Args = dict[str, Any]

_GRID: Final = 1 << 53
_LEAST: Final = Fraction(1, 1 << 44)
_KEPT: Final = ("mechanism", "neighbours", "direction", "inputs", "outputs", "field", "times", "k", "low", "high")
_WHOLE: Final = ("values", "source", "sample", "size")
_LAWS: Final = ("matrix", "post", "pre")


@dataclass(frozen=True, slots=True)
class Question:
    """A case to be.

    Attributes:
        id, summary, args, flags: as in the case.
        engine: answers in place of the operation of that name, for what only the accountant or a search gives.
        confirm: a second way in place of the definitions: takes the arguments and the truth, gives its name.
        rejects: the question has no answer, for this reason.
        doubles: whether the same question is asked in doubles too.
        certified: whether a certificate is stored.
        one_of: further allowed truths, by flag.
    """

    id: str
    summary: str
    args: Args
    flags: tuple[str, ...] = ()
    engine: Callable[[Args], Expected] | None = None
    confirm: Callable[[Args, Expected], str] | None = None
    rejects: str | None = None
    doubles: bool = True
    certified: bool = False
    one_of: Mapping[str, Expected] | None = None


@dataclass(frozen=True, slots=True)
class Topic:
    """A file to be."""

    path: str
    op: str
    summary: str
    sources: tuple[Source, ...]
    questions: Sequence[Question]


def text(value: Fraction | int | str) -> str:
    """The text of a number."""
    return value if isinstance(value, str) else str(Fraction(value))


def slug(value: object) -> str:
    """A number or a word as a part of an id: ``3/4`` is ``3of4``, ``-1/2`` is ``m1of2``, ``0.1`` is ``0p1``."""
    plain = str(value).lower().replace("(", "").replace(")", "").replace("-", "m").replace("/", "of")
    return plain.replace(".", "p").replace("_", "-").replace("+", "")


def channel(*rows: Sequence[Fraction | int | str]) -> dict[str, Any]:
    """A channel document."""
    return {"matrix": [[text(Fraction(value)) for value in row] for row in rows]}


def _double(value: mpq) -> str | None:
    """The nearest double in hexadecimal (the shorter one of two); None where that is no finite number but 0."""
    near = _nearest(value)
    if near in (float("inf"), float("-inf")) or (near == 0 and value != 0):
        return None
    return "0" if near == 0 else near.hex()


def _nearest(value: mpq) -> float:
    down, up = to_binary64(value, "down"), to_binary64(value, "up")
    if down == up or up == float("inf") or down == float("-inf"):
        return down if up == float("inf") else up
    low, high = value - from_binary64(down), from_binary64(up) - value
    return down if low < high or (low == high and not down.hex().split("p")[0].endswith(("1", "3"))) else up


def _law(row: Sequence[object]) -> list[str] | None:
    masses = [Fraction(str(parse_number(value))) for value in row]
    if all(Fraction(_nearest(mpq(mass))) == mass for mass in masses):
        return [text(mass) for mass in masses]
    if any(0 < mass < _LEAST for mass in masses):
        return None
    rounded = [Fraction(round(mass * _GRID), _GRID) for mass in masses]
    largest = max(range(len(masses)), key=lambda n: masses[n])
    rounded[largest] = 1 - sum(rounded[:largest] + rounded[largest + 1 :], Fraction(0))
    return [_double(mpq(mass)) or "0" for mass in rounded]


def _level(key: str, value: object) -> tuple[str, str] | None:
    if value == "inf":
        return "epsilon", "inf"
    if key == "exp_epsilon":
        inside = parse_number(value)
    elif isinstance(value, str) and value.startswith(("log(", "ln(")):
        inside = parse_number(value[value.index("(") + 1 : -1])
    else:
        near = _double(parse_number(value))
        return None if near is None else ("epsilon", near)
    if inside <= 0:
        return None
    near = "0" if inside == 1 else _double(log_enclosure(inside, 40).lo)
    return None if near is None else ("epsilon", near)


def in_doubles(args: Args) -> Args | None:
    """The same question in doubles; None where it has no such form, or is the same in its own."""
    found = _converted(args)
    if found is None or found == args:
        return None
    written: Args = as_binary64(found)
    return written


def _converted(args: Mapping[str, Any]) -> Args | None:
    result: Args = {}
    for key, value in args.items():
        if key in ("exp_epsilon", "epsilon"):
            level = _level(key, value)
            if level is None:
                return None
            result[level[0]] = level[1]
            continue
        new = _field(key, value)
        if new is None:
            return None
        result[key] = new
    return result


def _field(key: str, value: Any) -> Any:  # noqa: ANN401 - a JSON value
    if key in _KEPT or key in _WHOLE or value in ("inf", "?"):
        return value
    if key in _LAWS:
        return _all([_law(row) for row in value])
    if key == "prior":
        return _law(value)
    return _value(key, value)


def _value(key: str, value: Any) -> Any:  # noqa: ANN401 - a JSON value
    if isinstance(value, Mapping):
        return _converted(value)
    if isinstance(value, (list, tuple)):
        return _all([_value(key, part) for part in value])
    exact = parse_number(value)
    if key == "breakpoints" or isinstance(value, int):
        return value if from_binary64(_nearest(exact)) == exact else None
    near = _double(exact)
    return value if near is not None and parse_number(near) == exact and exact.denominator == 1 else near


def _all(parts: list[Any]) -> list[Any] | None:
    return None if any(part is None for part in parts) else parts


def decimal_of(value: mpq) -> str:
    """The exact text of a rational."""
    return to_text(value)
