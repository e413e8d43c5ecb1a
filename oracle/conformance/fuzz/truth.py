"""The truth of a generated question from the exact engine, and the documents that show it."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final, TypeVar

from oracle.answers import answer
from oracle.conformance.fuzz.questions import Probe
from oracle.conformance.number_judging import interval_of
from oracle.conformance.pipes import Piped
from oracle.conformance.protocol import request
from oracle.conformance.subjects import Subject
from oracle.conformance.truths import Bounds, Exact, Expected, Feeds, LeastEpsilon, Moments, Rejects
from oracle.conformance.vector_sources.certificates import certificate_of
from oracle.conformance.vector_sources.confirming import expected_of
from oracle.errors import InputError, LimitError, OracleError
from oracle.exact import parse_number, to_text
from oracle.json_text import canonical
from oracle.operations import pair_of, satisfies
from oracle.theorems.bounds import ProfileBound
from oracle.time_limits import TooLongError, time_limit

__all__ = ["Truths", "certificates", "engine", "is_bound", "record"]

_DIGITS: Final = 15
_RECORD_DIGITS: Final = 30
_RECORD_SECONDS: Final = 20
_LARGE_SCALE: Final = str(2**40)
_LEVELS: Final = ("exp_epsilon", "epsilon")

_Truth = TypeVar("_Truth", bound=Expected)


def engine(seconds: float) -> Subject:
    """The exact engine in a process of its own, which may take so many seconds for a question."""
    program = [sys.executable, "-c", "from oracle.cli.main import main; main()", "answer", "--timeout", f"{seconds:g}"]
    return Piped(program, 2 * seconds)


class Truths:
    """The truths that an engine gives.

    Args:
        engine: asked one question at a time.
        seconds: after which the engine gives up; of a channel for which it did, the op is not asked again.
    """

    def __init__(self, engine: Subject, seconds: float = math.inf) -> None:
        self._engine = engine
        self._seconds = seconds
        self._slow: set[str] = set()
        self._count = 0

    def forget(self) -> None:
        """Forget for which channels the engine gave up."""
        self._slow.clear()

    def of(self, probe: Probe, rejects: str | None = None) -> Expected | None:
        """The truth; None where the engine has none, or none in time."""
        if rejects is not None:
            return Rejects(rejects)
        try:
            return self._known(probe)
        except LimitError:  # a number of the answer is beyond computing with
            return None

    def answer(self, question: Mapping[str, Any]) -> Mapping[str, Any]:
        """The answer to a request: its ``value``, or ``error`` where the engine has none, or none in time."""
        op, args = question["op"], question["args"]
        about = canonical([op, args.get("channel", args)])
        if about in self._slow:
            return {"error": "no answer in time to a question about this channel"}
        reply = self._engine.ask(question)
        if reply.kind != "value" and reply.seconds >= self._seconds:
            self._slow.add(about)
        return {"value": reply.value} if reply.kind == "value" else {"error": reply.message}

    def _known(self, probe: Probe) -> Expected | None:
        if probe.op == "calibrate":
            return self._scale(probe)
        if "epsilons" in probe.args:
            return None
        op, args = _asked(probe)
        value = self._value(op, args)
        return None if value is None else _readable(expected_of(op, args, value))

    def _value(self, op: str, args: Mapping[str, Any]) -> Any:  # noqa: ANN401 - a JSON value
        self._count += 1
        return self.answer(request(f"truth-{self._count}", op, {**args, "digits": _DIGITS})).get("value")

    def _scale(self, probe: Probe) -> Expected | None:
        """What is asked of a scale, if a large one meets it: else there is none to be found."""
        asked = {key: value for key, value in probe.args.items() if key not in ("field", "delta")}
        wanted = Feeds("delta", asked, str(probe.args["delta"]))
        value = self._value("delta", wanted.question(_LARGE_SCALE))
        if value is None or interval_of(value).hi > parse_number(wanted.at_most):
            return None
        return wanted


def _asked(probe: Probe) -> tuple[str, Mapping[str, Any]]:
    """The question of the engine that has the same answer."""
    if probe.op == "total_variation":
        return "delta", {**probe.args, "exp_epsilon": "1", "direction": "forward"}
    return probe.op, probe.args


def _readable(expected: _Truth) -> _Truth | None:
    """A truth without the numbers that are beyond computing with; None where nothing is left of it."""
    match expected:
        case Bounds() | LeastEpsilon():
            try:
                return expected if expected.lower <= expected.upper else None
            except InputError:
                return None
        case Moments(moment, divergence):
            moment, divergence = (None if part is None else _readable(part) for part in (moment, divergence))
            kept = replace(expected, moment=moment, divergence=divergence)
            return None if kept == Moments() else kept
    return expected


def is_bound(args: Mapping[str, Any]) -> bool:
    """Whether the engine's value is a theorem's bound, below which the loss itself may be."""
    try:
        return "channel" in args and isinstance(pair_of(args["channel"]), ProfileBound)
    except OracleError:
        return False


def record(probe: Probe, expected: Expected | None, told: Any) -> dict[str, Any]:  # noqa: ANN401 - a JSON value
    """The engine's full answer to the question, with the way it was had: it can be asked again by anyone.

    Of a calibration it is the delta that the scale which was answered gives.
    """
    op, args = _asked(probe)
    if isinstance(expected, Feeds) and isinstance(told, str):
        op, args = expected.op, expected.question(told)
    asked = request("record", op, {**args, "digits": _RECORD_DIGITS})
    try:
        with time_limit(_RECORD_SECONDS):
            return {"request": asked, "answer": answer(asked)}
    except TooLongError:
        return {"request": asked, "answer": {"id": "record", "error": f"no answer within {_RECORD_SECONDS} s"}}


def certificates(probe: Probe, expected: Expected, told: Any) -> list[dict[str, Any]]:  # noqa: ANN401 - a JSON value
    """Documents for ``oracle verify``: of the truth, and that the answer as a guarantee does not hold.

    Empty where the pair has none: the record has the truth then.
    """
    found = []
    for make in (_of_truth, _against_answer):
        try:
            with time_limit(_RECORD_SECONDS):
                document = make(probe, expected, told)
        except (OracleError, ArithmeticError, KeyError, TooLongError):
            continue  # a document that states nothing about this question is left out, never a false one
        if document is not None and document not in found:
            found.append(document)
    return found


def _of_truth(probe: Probe, expected: Expected, _told: object) -> dict[str, Any] | None:
    return certificate_of(probe.op, probe.args, expected)


def _against_answer(probe: Probe, expected: Expected, told: Any) -> dict[str, Any] | None:  # noqa: ANN401
    """That the pair is not (epsilon, delta)-DP with the delta, or the epsilon, that was answered."""
    if not isinstance(expected, (Exact, Bounds)) and probe.op != "epsilon":
        return None
    args = probe.args
    if probe.op in ("delta", "hockey_stick"):
        claim = {key: args[key] for key in _LEVELS if key in args} | {"delta": to_text(interval_of(told).hi)}
    elif probe.op == "epsilon":
        claim = {"epsilon": to_text(interval_of(told).hi), "delta": args["delta"]}
    else:
        return None
    direction = args.get("direction", "forward" if probe.op == "hockey_stick" else "both")
    verdict = satisfies(args["channel"], claim, direction=direction)
    return None if verdict.holds else verdict.certificate
