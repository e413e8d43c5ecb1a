"""What a mutant is: the exact engine as a subject, with one fault.

A fault sees a question (operation and arguments) and the engine, and returns what the broken library would answer. It
raises :class:`Untouched` where the fault has no part in the question: then the mutant answers as the engine does.
Any other exception is one that the broken library would raise.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NoReturn

from gmpy2 import mpq

from oracle import operations
from oracle.answers import answer
from oracle.conformance.protocol import Claimed, ClaimKind, Reply
from oracle.errors import Declined, OracleError
from oracle.exact import INFINITY, Extended, Infinity, from_binary64, parse_extended, parse_number, to_binary64, to_text

Args = Mapping[str, Any]

CLAIMS: Mapping[str, ClaimKind] = {
    **dict.fromkeys(("delta", "hockey_stick", "epsilon", "renyi", "mu", "calibrate", "concurrent"), "upper"),
    **dict.fromkeys(("tradeoff", "interactive_tradeoff"), "lower"),
}
"""What every mutant claims, by operation; of all others that the answer is exact."""


def claimed(op: str) -> Claimed:
    """What a mutant claims of its answers to an operation."""
    return Claimed(CLAIMS.get(op, "exact"))


class Untouched(Exception):  # noqa: N818 - it says that a question is not affected, which is no error
    """The fault has no part in the question."""


def _filled(value: Any, scale: str) -> Any:
    """A question with the scale in place of each ``"?"``."""
    if isinstance(value, Mapping):
        return {key: _filled(part, scale) for key, part in value.items()}
    return [_filled(part, scale) for part in value] if isinstance(value, list) else scale if value == "?" else value


class Engine:
    """The exact engine, which answers each question once."""

    def __init__(self) -> None:
        self._known: dict[str, dict[str, Any]] = {}

    def reply(self, op: str, args: Args) -> Reply:
        """The engine's reply."""
        key = json.dumps([op, args], sort_keys=True, default=str)
        if key not in self._known:
            if op == "calibrate":
                self._known[key] = {"value": to_text(self._least_scale(args))}
            else:
                self._known[key] = answer({"id": key, "op": op, "args": args})
        found = self._known[key]
        for kind, name in (("declined", "declined"), ("error", "error")):
            if name in found:
                return Reply(kind, message=found[name])
        return Reply("value", found["value"])

    def _least_scale(self, args: Args) -> mpq:
        """A scale with delta at most the one asked for, above the least by 1e-13 of it, by bisection."""
        goal = parse_number(args["delta"])
        question = {key: value for key, value in args.items() if key not in ("field", "delta")}

        def enough(scale: mpq) -> bool:
            return bool(self.number("delta", _filled(question, to_text(scale))) <= goal)

        low, high = mpq(1), mpq(1)
        while not enough(high):
            low, high = high, 2 * high
        while enough(low):
            low, high = low / 2, low
        while high - low > high * mpq("1e-13"):
            middle = (low + high) / 2
            low, high = (low, middle) if enough(middle) else (middle, high)
        return high

    def value(self, op: str, args: Args) -> Any:
        """The engine's value; :class:`Untouched` where it has none."""
        reply = self.reply(op, args)
        if reply.kind != "value":
            raise Untouched
        return reply.value

    def number(self, op: str, args: Args) -> Extended:
        """The engine's value as a number, the upper end of an enclosure."""
        return upper(self.value(op, args))


Fault = Callable[[Engine, str, Args], Any]


@dataclass(frozen=True)
class Mutant:
    """A broken implementation.

    Attributes:
        name: a slug.
        family: the class of fault it stands for.
        summary: what is wrong.
        ops: the operations in which it is wrong.
        fault: the fault.
        expects: verdicts by which it is to be found.
        blind: it answers the same whatever is asked.
        general: it shows in almost every answer, blind or not, so that finding it says little of a case.
    """

    name: str
    family: str
    summary: str
    ops: tuple[str, ...]
    fault: Fault
    expects: tuple[str, ...] = ("unsound", "wrong")
    blind: bool = False
    general: bool = False

    def reply(self, engine: Engine, op: str, args: Args) -> Reply | None:
        """What it answers; None where that is the engine's own answer."""
        if op not in self.ops:
            return None
        try:
            return Reply("value", self.fault(engine, op, args))
        except Untouched:
            return None
        except Declined as reason:
            return Reply("declined", message=str(reason))
        except (ArithmeticError, ValueError, LookupError, TypeError) as error:
            return Reply("error", message=f"{type(error).__name__}: {error}")


def mutant(
    family: str,
    summary: str,
    *ops: str,
    expects: tuple[str, ...] = ("unsound", "wrong"),
    blind: bool = False,
    general: bool = False,
) -> Callable[[Fault], Mutant]:
    """Make a mutant of a fault; its name is that of the function. A blind one is general."""

    def make(fault: Fault) -> Mutant:
        name = fault.__name__.strip("_").replace("_", "-")
        return Mutant(name, family, summary, ops, fault, expects, blind, general or blind)

    return make


# -- numbers ---------------------------------------------------------------------------------------------------------


def upper(value: Any) -> Extended:
    """The number that a value of the protocol states, the upper end of an enclosure."""
    if isinstance(value, Mapping):
        for name in ("hi", "beta", "moment", "divergence"):
            if name in value:
                return upper(value[name])
    if not isinstance(value, str):
        raise Untouched
    return parse_extended(value)


def finite(value: Any) -> mpq:
    """The same, where it is finite."""
    number = upper(value)
    if isinstance(number, Infinity):
        raise Untouched
    return number


def untouched() -> NoReturn:
    """The fault has no part in the question."""
    raise Untouched


def said(value: object) -> str:
    """A number as text of the protocol: a float is its exact value, and no number is 0, as a careless clip makes it."""
    if isinstance(value, float):
        if math.isinf(value):
            return "inf" if value > 0 else "-inf"
        return "0" if math.isnan(value) else to_text(from_binary64(value))
    return to_text(value) if isinstance(value, Infinity) else to_text(mpq(value))


def double(value: object) -> float:
    """The nearest double, infinite where there is none."""
    number = parse_extended(value)
    if isinstance(number, Infinity):
        return math.inf if number > 0 else -math.inf
    down, up = to_binary64(number, "down"), to_binary64(number, "up")
    if down == up or math.isinf(down) or math.isinf(up):
        return down if math.isinf(up) else up
    return down if number - from_binary64(down) <= from_binary64(up) - number else up


def epsilon_double(args: Args) -> float:
    """Epsilon as a double."""
    if "exp_epsilon" in args:
        level = parse_extended(args["exp_epsilon"])
        if isinstance(level, Infinity):
            return math.inf
        if level == 0:
            return -math.inf
        return _log(level)
    text = args["epsilon"]
    if isinstance(text, str) and text.startswith(("log(", "ln(")):
        return _log(parse_number(text[text.index("(") + 1 : -1]))
    return double(text)


def _log(value: mpq) -> float:
    fraction = Fraction(int(value.numerator), int(value.denominator))
    return math.log(fraction.numerator) - math.log(fraction.denominator)


def level_of(args: Args) -> Extended:
    """e^epsilon as a rational or infinite number; :class:`Untouched` where it is irrational."""
    if "exp_epsilon" in args:
        return parse_extended(args["exp_epsilon"])
    text = args.get("epsilon")
    if isinstance(text, str) and text.startswith(("log(", "ln(")):
        return parse_number(text[text.index("(") + 1 : -1])
    number = parse_extended(text)
    if isinstance(number, Infinity):
        return INFINITY if number > 0 else mpq(0)
    return mpq(1) if number == 0 else untouched()


def without_level(args: Args, **more: Any) -> dict[str, Any]:
    """The arguments without their epsilon, and with others."""
    return {key: value for key, value in args.items() if key not in ("exp_epsilon", "epsilon")} | more


# -- tables and expressions ------------------------------------------------------------------------------------------

_MOST_COLUMNS = 4000


def table(channel: Any) -> tuple[list[mpq], list[mpq]]:
    """The two rows of a rational channel; :class:`Untouched` for anything else."""
    try:
        rows = operations.rational_channel(channel).rows
    except OracleError:
        raise Untouched from None
    if len(rows) != 2 or len(rows[0]) > _MOST_COLUMNS:
        raise Untouched
    return list(rows[0]), list(rows[1])


Rows = tuple[Sequence[Any], Sequence[Any]]


def oriented(args: Args, default: str, measure: Callable[[Any, Any], Any], rows: Rows) -> Any:
    """The measure forward, backward or the larger of the two, as the arguments ask."""
    direction = args.get("direction", default)
    found = []
    if direction in ("forward", "both"):
        found.append(measure(rows[0], rows[1]))
    if direction in ("backward", "both"):
        found.append(measure(rows[1], rows[0]))
    return max(found)


def default_direction(op: str) -> str:
    """The direction that is meant where none is stated."""
    return "forward" if op in ("hockey_stick", "renyi", "tradeoff") else "both"


def doubles(rows: Rows) -> tuple[list[float], list[float]]:
    """The rows in doubles."""
    return [double(p) for p in rows[0]], [double(q) for q in rows[1]]


def walk(value: Any, change: Callable[[dict[str, Any]], dict[str, Any]]) -> Any:
    """A JSON value with each mechanism in it changed, the inner ones first."""
    if isinstance(value, Mapping):
        inner = {key: walk(part, change) for key, part in value.items()}
        return change(inner) if "mechanism" in inner else inner
    return [walk(part, change) for part in value] if isinstance(value, (list, tuple)) else value


def asked(engine: Engine, op: str, args: Args, changed: Args) -> Any:
    """The engine's answer to a changed question; :class:`Untouched` where nothing was changed."""
    if changed == args:
        raise Untouched
    return engine.value(op, changed)


def mechanism(args: Args, *names: str) -> dict[str, Any]:
    """The mechanism asked about, where it is one of those names."""
    node = args.get("channel")
    if not isinstance(node, Mapping) or node.get("mechanism") not in names:
        raise Untouched
    return dict(node)
