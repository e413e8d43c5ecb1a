"""The truth about the answer to one question of the suite, and the strict way in and out of its JSON form.

A truth is one of

====================  ===============================================================================================
``exact``             the value itself: a number as text, or the JSON value the operation returns (a channel, a list)
``enclosure``         two rationals lo <= truth <= hi, proved, far narrower than a double
``epsilon``           a least epsilon: e^epsilon where it is rational or infinite, and bounds of epsilon itself
``breakpoints``       the corners (alpha, beta) of a trade-off function
``relation``          true or false
``rejects``           the question has no answer, and why: an error is right, a declined answer is ``declined`` as
                      everywhere (it shows nothing), a value is wrong
``renyi``             the Rényi moment, the divergence, or both, each ``exact`` or ``enclosure``; an answer with either
                      is judged by that one
``one_of``            several of the above, each with the flag that allows it
``feeds``             the answer is a scale: put in place of ``"?"`` into another question, whose true answer must be
                      at most ``at_most``; ``least`` encloses the least scale for which it is
====================  ===============================================================================================


Numbers stay the texts of the file; :attr:`Bounds.lower` and the like read them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, NoReturn

from gmpy2 import mpq

from oracle.errors import InputError, shorten
from oracle.exact import Extended, parse_extended, parse_number
from oracle.json_text import refuse_unknown

__all__ = [
    "Allowed",
    "Bounds",
    "Corners",
    "Exact",
    "Expected",
    "Feeds",
    "LeastEpsilon",
    "Moments",
    "OneOf",
    "Rejects",
    "Relation",
    "closed_object",
    "expected_document",
    "number_text",
    "plain_list",
    "read_expected",
    "refuse",
    "text_of",
]


@dataclass(frozen=True, slots=True)
class Exact:
    """The value itself: a number as text in lowest terms (or ``"inf"``), or the JSON value of the operation."""

    value: Any

    @property
    def number(self) -> Extended | None:
        """The number, or None where the value is no number."""
        return parse_extended(self.value) if isinstance(self.value, str) else None


@dataclass(frozen=True, slots=True)
class Bounds:
    """lo <= truth <= hi, two rationals as text."""

    lo: str
    hi: str

    @property
    def lower(self) -> mpq:
        """The lower bound."""
        return parse_number(self.lo)

    @property
    def upper(self) -> mpq:
        """The upper bound."""
        return parse_number(self.hi)


@dataclass(frozen=True, slots=True)
class LeastEpsilon:
    """The least epsilon >= 0: e^epsilon where it is rational or infinite, and lo <= epsilon <= hi (``"inf"`` too)."""

    lo: str
    hi: str
    exp_epsilon: str | None = None

    @property
    def lower(self) -> Extended:
        """The lower bound of epsilon."""
        return parse_extended(self.lo)

    @property
    def upper(self) -> Extended:
        """The upper bound of epsilon."""
        return parse_extended(self.hi)


@dataclass(frozen=True, slots=True)
class Corners:
    """The corners (alpha, beta) of a trade-off function, minimal, first alpha = 0, last (1, 0)."""

    points: tuple[tuple[str, str], ...]

    @property
    def numbers(self) -> list[tuple[mpq, mpq]]:
        """The corners as numbers."""
        return [(parse_number(a), parse_number(b)) for a, b in self.points]


@dataclass(frozen=True, slots=True)
class Moments:
    """The Rényi moment Σ p^order q^(1-order) (whole orders of at least 2) and the divergence, at least one of them."""

    moment: Exact | Bounds | None = None
    divergence: Exact | Bounds | None = None


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation that holds or does not."""

    holds: bool


@dataclass(frozen=True, slots=True)
class Rejects:
    """The question has no answer: an error is right, a declined answer counts as ``declined``, a value is wrong."""

    reason: str


@dataclass(frozen=True, slots=True)
class Allowed:
    """One allowed truth, with the flag that allows it."""

    flag: str
    expected: Expected


@dataclass(frozen=True, slots=True)
class OneOf:
    """Several allowed truths."""

    allowed: tuple[Allowed, ...]


@dataclass(frozen=True, slots=True)
class Feeds:
    """The answer is a scale, put in place of each ``"?"`` into another question.

    Attributes:
        op: the operation of that question.
        args: its arguments, with ``"?"`` where the answer goes.
        at_most: the true answer of that question must be at most this number.
        least: bounds of the least scale for which it is; None where that is not known.
    """

    op: str
    args: Mapping[str, Any]
    at_most: str
    least: Bounds | None = None

    def question(self, scale: str) -> dict[str, Any]:
        """The arguments with the scale put in."""
        filled: dict[str, Any] = _replaced(self.args, scale)
        return filled


Expected = Exact | Bounds | LeastEpsilon | Corners | Moments | Relation | Rejects | OneOf | Feeds


def _replaced(value: Any, scale: str) -> Any:  # noqa: ANN401 - any JSON value
    if isinstance(value, Mapping):
        return {key: _replaced(part, scale) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_replaced(part, scale) for part in value]
    return scale if value == "?" else value


def refuse(expected: str, got: object, where: str) -> NoReturn:
    """Raise the error of a malformed document."""
    raise InputError(expected, got if isinstance(got, str) else shorten(got), where)


def closed_object(value: object, known: tuple[str, ...], where: str, optional: tuple[str, ...] = ()) -> dict[str, Any]:
    """An object with all the *known* keys, some of the *optional* ones, and no other."""
    if not isinstance(value, dict):
        refuse("an object", value, where)
    refuse_unknown(value, known + optional, where)
    for key in known:
        if key not in value:
            refuse(f'the key "{key}"', "an object without it", where)
    return value


def text_of(value: object, where: str) -> str:
    """A text that is not empty."""
    if not isinstance(value, str) or not value:
        refuse("text", value, where)
    return value


def plain_list(value: object, where: str) -> list[Any]:
    """A list."""
    if not isinstance(value, list):
        refuse("a list", value, where)
    return value


def number_text(value: object, where: str, *, extended: bool = False) -> str:
    """The text of a number; *extended* allows the infinite ones."""
    text = text_of(value, where)
    (parse_extended if extended else parse_number)(text, where)
    return text


def read_expected(value: object, where: str = "expected") -> Expected:
    """Read a truth.

    Raises:
        InputError: where it is none of the shapes of this module.
    """
    if isinstance(value, dict) and "feeds" in value:
        return _feeds(value, where)
    if not isinstance(value, dict) or len(value) != 1:
        refuse("one of the shapes of a truth", value, where)
    ((kind, content),) = value.items()
    if kind not in _READERS:
        refuse("one of the shapes of a truth", value, where)
    return _READERS[kind](content, f"{where}.{kind}")


def _exact(content: object, where: str) -> Exact:
    return Exact(number_text(content, where, extended=True) if isinstance(content, str) else content)


def _epsilon(content: object, where: str) -> LeastEpsilon:
    parts = closed_object(content, ("lo", "hi"), where, ("exp_epsilon",))
    least = LeastEpsilon(**{key: number_text(part, f"{where}.{key}", extended=True) for key, part in parts.items()})
    if not 0 <= least.lower <= least.upper:
        refuse("0 <= lo <= hi", content, where)
    return least


def _corners(content: object, where: str) -> Corners:
    pairs = [plain_list(pair, where) for pair in plain_list(content, where)]
    if not pairs or any(len(pair) != 2 for pair in pairs):
        refuse("pairs of numbers", content, where)
    return Corners(tuple((number_text(a, where), number_text(b, where)) for a, b in pairs))


def _renyi(content: object, where: str) -> Moments:
    parts = closed_object(content, (), where, ("moment", "divergence"))
    numbers: dict[str, Exact | Bounds] = {}
    for key, part in parts.items():
        number = read_expected(part, f"{where}.{key}")
        if not isinstance(number, Bounds) and not (isinstance(number, Exact) and number.number is not None):
            refuse("a number or an enclosure", part, f"{where}.{key}")
        numbers[key] = number
    if not numbers:
        refuse("a moment or a divergence", content, where)
    return Moments(**numbers)


def _relation(content: object, where: str) -> Relation:
    if not isinstance(content, bool):
        refuse("true or false", content, where)
    return Relation(content)


def _rejects(content: object, where: str) -> Rejects:
    return Rejects(text_of(content, where))


def _bounds(content: object, where: str) -> Bounds:
    pair = plain_list(content, where)
    if len(pair) != 2:
        refuse("two numbers", content, where)
    bounds = Bounds(number_text(pair[0], where), number_text(pair[1], where))
    if not bounds.lower <= bounds.upper:
        refuse("lo <= hi", content, where)
    return bounds


def _feeds(value: dict[str, Any], where: str) -> Feeds:
    parts = closed_object(value, ("feeds", "at_most"), where, ("least",))
    question = closed_object(parts["feeds"], ("op", "args"), f"{where}.feeds")
    if not isinstance(question["args"], dict):
        refuse("an object", question["args"], f"{where}.feeds.args")
    least = _bounds(parts["least"], f"{where}.least") if "least" in parts else None
    at_most = number_text(parts["at_most"], f"{where}.at_most")
    return Feeds(text_of(question["op"], f"{where}.feeds.op"), question["args"], at_most, least)


def _one_of(content: object, where: str) -> OneOf:
    allowed = []
    for n, item in enumerate(plain_list(content, where)):
        at = f"{where}[{n}]"
        parts = closed_object(item, ("flag", "expected"), at)
        expected = read_expected(parts["expected"], f"{at}.expected")
        if isinstance(expected, OneOf):
            refuse("a single truth", "one_of", at)
        allowed.append(Allowed(text_of(parts["flag"], f"{at}.flag"), expected))
    if len(allowed) < 2:
        refuse("at least two", content, where)
    return OneOf(tuple(allowed))


_READERS: Final[Mapping[str, Callable[[object, str], Expected]]] = {
    "exact": _exact,
    "enclosure": _bounds,
    "epsilon": _epsilon,
    "breakpoints": _corners,
    "renyi": _renyi,
    "relation": _relation,
    "rejects": _rejects,
    "one_of": _one_of,
}


def expected_document(expected: Expected) -> dict[str, Any]:
    """The JSON form of a truth."""
    match expected:
        case Exact(value):
            document = {"exact": value}
        case Bounds(lo, hi):
            document = {"enclosure": [lo, hi]}
        case LeastEpsilon(lo, hi, level):
            document = {"epsilon": ({} if level is None else {"exp_epsilon": level}) | {"lo": lo, "hi": hi}}
        case Corners(points):
            document = {"breakpoints": [list(point) for point in points]}
        case Moments(moment, divergence):
            stated = {"moment": moment, "divergence": divergence}
            document = {"renyi": {key: expected_document(part) for key, part in stated.items() if part is not None}}
        case Relation(holds):
            document = {"relation": holds}
        case Rejects(reason):
            document = {"rejects": reason}
        case OneOf(allowed):
            choices = [{"flag": one.flag, "expected": expected_document(one.expected)} for one in allowed]
            document = {"one_of": choices}
        case Feeds(op, args, at_most, least):
            bounds = {} if least is None else {"least": [least.lo, least.hi]}
            document = {"feeds": {"op": op, "args": args}, "at_most": at_most} | bounds
    return document
