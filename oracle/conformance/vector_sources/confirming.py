"""The truth of a question from the engine, and its confirmation by a second way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from oracle.answers import answer
from oracle.conformance.truths import (
    Bounds,
    Corners,
    Exact,
    Expected,
    LeastEpsilon,
    Moments,
    Rejects,
    Relation,
    expected_document,
)
from oracle.conformance.vector_sources.drafts import Question
from oracle.conformance.vector_sources.expressions import NoSecondWay, Undefined, infinite, mp, number, real
from oracle.conformance.vector_sources.second_answers import second
from oracle.enclosures import log_enclosure
from oracle.errors import OracleError
from oracle.exact import parse_number, to_decimal
from oracle.json_text import canonical

__all__ = ["DIGITS", "VectorError", "answered", "confirmed_by", "expected_of", "truth_of"]

DIGITS: Final = 25
"""Digits of an enclosure."""

_SLACK: Final = mp.mpf(10) ** -60

Value = Any
"""A Fraction, an mpmath number, ``"inf"``, a matrix, corners, a truth value or Rényi values by name."""


class VectorError(OracleError, ValueError):
    """A truth that two ways do not agree on, or that would change unseen."""


def truth_of(op: str, args: Mapping[str, Any]) -> tuple[Expected, Any]:
    """The oracle's own answer as a truth, and the answer as it came.

    Raises:
        VectorError: where the enclosure has fewer digits than asked for.
    """
    reply = answer({"id": "vector", "op": op, "args": {**args, "digits": DIGITS}})
    if "value" not in reply:
        return Rejects(str(reply.get("error") or reply.get("declined"))), reply
    if "reached" in reply:
        raise VectorError(f"{op} reached {reply['reached']} digits only: {canonical(args)[:200]}")
    return expected_of(op, args, reply["value"]), reply["value"]


def expected_of(op: str, args: Mapping[str, Any], value: Any) -> Expected:  # noqa: ANN401 - a JSON value
    """The oracle's value, asked with :data:`DIGITS` digits, as a truth."""
    if op == "epsilon":
        return LeastEpsilon(value["lo"], value["hi"], value.get("exp_epsilon"))
    if op in ("tradeoff", "interactive_tradeoff"):
        return _number(value["beta"]) if "alpha" in args else Corners(tuple((a, b) for a, b in value["breakpoints"]))
    if op in ("refines", "satisfies"):
        return Relation(value["holds"])
    if op == "simulate":
        return Exact({"channel": value["channel"]})
    if op == "renyi":
        return _with_divergence(args, Moments(**{key: _number(part) for key, part in value.items()}))
    return _number(value)


def _number(value: Any) -> Exact | Bounds:  # noqa: ANN401 - a JSON value
    if isinstance(value, Mapping) and set(value) == {"lo", "hi"}:
        return Bounds(value["lo"], value["hi"])
    return Exact(value)


def _with_divergence(args: Mapping[str, Any], truth: Moments) -> Moments:
    """log(moment)/(order - 1) beside a moment that stands alone."""
    moment = truth.moment
    if moment is None or truth.divergence is not None:
        return truth
    if isinstance(moment, Exact) and moment.value in (infinite, "1"):
        return Moments(moment, Exact(infinite if moment.value == infinite else "0"))
    order = parse_number(args["order"])
    ends = [parse_number(end) for end in ((moment.value,) * 2 if isinstance(moment, Exact) else (moment.lo, moment.hi))]
    low, high = (log_enclosure(end, DIGITS + 5) for end in ends)
    lo = to_decimal(low.lo / (order - 1), DIGITS + 1, "down")
    return Moments(moment, Bounds(lo, to_decimal(high.hi / (order - 1), DIGITS + 1, "up")))


def answered(question: Question, op: str, args: dict[str, Any]) -> tuple[Expected, str]:
    """The truth about some arguments of a question, and the name of the way that confirmed it.

    Raises:
        VectorError: where there is no answer and one was expected, or the other way round, or the ways disagree.
    """
    truth, raw = (question.engine(args), None) if question.engine else truth_of(op, args)
    if isinstance(truth, Rejects) != (question.rejects is not None):
        raise VectorError(f"{question.id}: {expected_document(truth)}")
    how = question.confirm(args, truth) if question.confirm else confirmed_by(op, args, truth, raw, question.id)
    return (truth if question.rejects is None else Rejects(question.rejects)), how


def confirmed_by(op: str, args: Mapping[str, Any], truth: Expected, raw: Value, name: str) -> str:
    """The name of the second way, which must agree.

    Raises:
        VectorError: where it does not, or there is none.
    """
    if op == "refines" and isinstance(truth, Relation) and len(args["left"]["matrix"]) != 2:
        return _evidence_holds(args, raw)
    try:
        how, value = second(op, args)
    except Undefined:
        if isinstance(truth, Rejects):
            return "definition"
        raise VectorError(f"{name}: the definition gives no answer, the engine {expected_document(truth)}") from None
    except NoSecondWay as reason:
        raise VectorError(f"{name}: no second way to {reason}") from None
    except NotImplementedError:
        raise VectorError(f"{name}: no second way to this measure of its mechanism") from None
    if not agrees(truth, value):
        raise VectorError(f"{name}: the engine says {expected_document(truth)}, {how} says {value}")
    return how


def agrees(truth: Expected, value: Value) -> bool:  # noqa: PLR0911 - one for each shape
    """Whether a second answer confirms a truth: equal where both are rational, else inside the enclosure."""
    match truth:
        case Exact(text) if isinstance(text, str):
            return _same(text, value)
        case Exact(document) if isinstance(document, Mapping):
            table = document.get("channel", document)
            return bool([[number(v) for v in row] for row in table["matrix"]] == value)
        case Exact(list(parts)):
            return len(parts) == len(value) and all(
                number(part["weight"]) == weight and _same(part["exp_epsilon"], level)
                for part, (weight, level) in zip(parts, value, strict=True)
            )
        case Bounds(lo, hi):
            return _inside(lo, hi, value)
        case Corners(points):
            return bool([(number(a), number(b)) for a, b in points] == value)
        case Relation(holds):
            return holds is value
        case LeastEpsilon():
            return _same_epsilon(truth, value)
        case Moments(moment, divergence):
            stated = {"moment": moment, "divergence": divergence}
            return all(agrees(part, value[key]) for key, part in stated.items() if part is not None)
        case _:
            return False


def _same(text: str, value: Value) -> bool:
    if text == infinite or value in (infinite, mp.inf):
        return text == infinite and value in (infinite, mp.inf)
    exact = number(text)
    if isinstance(value, Fraction):
        return exact == value
    return bool(abs(real(exact) - value) <= _SLACK * max(abs(value), 1))


def _inside(lo: str, hi: str, value: Value) -> bool:
    if value in (infinite, mp.inf):
        return False
    at, slack = real(value), abs(real(value)) * _SLACK
    return bool(real(number(lo)) - slack <= at <= real(number(hi)) + slack)


def _same_epsilon(truth: LeastEpsilon, level: Value) -> bool:
    """A least epsilon against e^epsilon."""
    if level == infinite:
        return truth.lo == infinite and truth.exp_epsilon in (infinite, None)
    if truth.exp_epsilon is not None and not _same(truth.exp_epsilon, level):
        return False
    return _inside(truth.lo, truth.hi, mp.log(real(level)) if level != 1 else mp.mpf(0))


def _evidence_holds(args: Mapping[str, Any], raw: Mapping[str, Any]) -> str:
    """The evidence about more than two rows, multiplied out in fractions: it decides the relation by itself."""
    left, right = ([[number(v) for v in row] for row in args[side]["matrix"]] for side in ("left", "right"))
    if raw["holds"]:
        width = len(right[0])
        witness = [[Fraction(0)] * width for _ in left[0]]
        for i, j, value in raw["witness"]["entries"]:
            witness[i][j] = number(value)
        made = [[sum(a * w[j] for a, w in zip(row, witness, strict=True)) for j in range(width)] for row in left]
        if made != right or any(sum(row) != 1 or min(row) < 0 for row in witness):
            raise VectorError("a witness that does not multiply out")
        return "witness multiplied out"
    gain = [[number(v) for v in row] for row in raw["gain"]]
    if not _gained(gain, left) < _gained(gain, right):
        raise VectorError("a gain function that does not separate")
    return "separating gain evaluated"


def _gained(gain: Sequence[Sequence[Fraction]], table: Sequence[Sequence[Fraction]]) -> Fraction:
    """What the best action for each outcome gains, summed under the prior of weight 1 for each input."""
    columns = zip(*table, strict=True)
    gains = (max(sum(g * c for g, c in zip(action, column, strict=True)) for action in gain) for column in columns)
    return sum(gains, Fraction(0))
