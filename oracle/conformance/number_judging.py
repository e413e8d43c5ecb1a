"""Verdicts on numbers: one number or enclosure against the truth, a least epsilon, a calibrated scale."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from gmpy2 import mpq

from oracle.answers import answer as ask_engine
from oracle.conformance.gaps import WORST_FIRST, Gap, Interval, Slack, Verdict, gap_between, side
from oracle.conformance.protocol import Claimed
from oracle.conformance.truths import Bounds, Exact, Feeds, LeastEpsilon, Moments
from oracle.enclosures import exp_enclosure, log_enclosure
from oracle.errors import InputError, OracleError, shorten
from oracle.exact import Extended, Infinity, parse_extended, parse_number, to_text
from oracle.levels import Level

__all__ = [
    "Engine",
    "Found",
    "NoAnswerError",
    "Question",
    "against",
    "divergence_of",
    "interval_of",
    "judge_least_epsilon",
    "judge_moments",
    "judge_number",
    "judge_scale",
    "worst_of",
]

_SHARPER: Final = (30, 60)
"""Digits at which the truth is asked again of the engine where its enclosure straddles an answer."""

_CONVERSION_DIGITS: Final = 40
_NAMES: Final = ("beta", "value", "divergence", "mu", "delta", "scale", "sigma")
"""Keys under which an object may hold the one number that the op means."""

Found = tuple[Verdict, Gap | None, str | None]
"""A verdict, the gap where numbers were compared, and why."""


Engine = Callable[[Mapping[str, Any]], Mapping[str, Any]]
"""Answers a request as :func:`oracle.answers.answer` does."""


class NoAnswerError(OracleError):
    """The value is none that the op can have."""


@dataclass(frozen=True, slots=True)
class Question:
    """What was asked, and how it is judged.

    Attributes:
        op, args: as sent.
        claimed: what the subject claims of its answers to the op.
        slack: the boundaries of rounding and tightness.
        engine: answers a request, where the truth is needed with more digits.
    """

    op: str
    args: Mapping[str, Any]
    claimed: Claimed
    slack: Slack
    engine: Engine = ask_engine

    def asked(self, digits: int) -> Interval | None:
        """The engine's own answer to the question with so many digits."""
        return _asked(self.engine, self.op, self.args, digits)


def interval_of(value: object, where: str = "value") -> Interval:
    """The number or enclosure that was answered."""
    if isinstance(value, Mapping):
        if "lo" in value and "hi" in value:
            lo, hi = parse_extended(value["lo"], f"{where}.lo"), parse_extended(value["hi"], f"{where}.hi")
            if lo > hi:
                raise NoAnswerError(f"expected lo <= hi, got {shorten(value)}")
            return Interval(lo, hi)
        named = [name for name in _NAMES if name in value]
        if len(named) == 1:
            return interval_of(value[named[0]], f"{where}.{named[0]}")
        raise NoAnswerError(f"expected a number, got {shorten(value)}")
    if isinstance(value, bool):
        raise NoAnswerError(f"expected a number, got {shorten(value)}")
    return Interval.point(parse_extended(value, where))


def judge_number(question: Question, truth: Interval, value: Any) -> Found:  # noqa: ANN401 - a JSON value
    """A number or enclosure; where the truth's own enclosure straddles it, the engine is asked for more digits."""
    if question.op == "renyi" and isinstance(value, Mapping) and "divergence" not in value and "moment" in value:
        truth = _moment_of(truth, question.args)
        value = value["moment"]
    found = against(question, truth, interval_of(value))
    if found[0] != "inconclusive":
        return found
    for digits in _SHARPER:
        sharper = question.asked(digits)
        if sharper is None:
            break
        again = against(question, sharper, interval_of(value))
        if again[0] != "inconclusive":
            return again
    return found


def against(question: Question, truth: Interval, answer: Interval) -> Found:
    """The verdict on a number or an enclosure."""
    claimed, slack = question.claimed, question.slack
    if answer.known or claimed.kind in ("upper", "lower"):
        verdict, gap = side(claimed, answer.lo if claimed.kind == "lower" else answer.hi, truth, slack)
        reason = "the enclosure of the truth straddles the answer" if verdict == "inconclusive" else None
        return verdict, gap, reason
    if answer.hi < truth.lo or answer.lo > truth.hi:
        gap = gap_between(answer.hi, truth.lo) if answer.hi < truth.lo else gap_between(answer.lo, truth.hi)
        return "wrong", gap, "the enclosure that was answered does not contain the truth"
    if not (answer.lo <= truth.lo and truth.hi <= answer.hi) and not (truth.lo <= answer.lo and answer.hi <= truth.hi):
        return "inconclusive", None, "the enclosures of the truth and of the answer overlap"
    width = gap_between(answer.hi, answer.lo)
    narrow = not isinstance(width.relative, Infinity) and width.relative <= slack.tightness
    return ("exact" if narrow else "loose"), width, None if narrow else "the enclosure that was answered is wide"


def _asked(engine: Engine, op: str, args: Mapping[str, Any], digits: int) -> Interval | None:
    """The engine's own answer, where it is one number or an enclosure of one; None where it is not."""
    found = engine({"id": "truth", "op": op, "args": {**args, "digits": digits}})
    try:
        return interval_of(found["value"]) if "value" in found else None
    except (NoAnswerError, InputError):
        return None


def _order(args: Mapping[str, Any]) -> mpq:
    return parse_number(args.get("order"), "args.order")


def _moment_of(divergence: Interval, args: Mapping[str, Any]) -> Interval:
    """exp((order - 1)·D), the moment of a Rényi divergence D."""
    ends = []
    for end in (divergence.lo, divergence.hi):
        if isinstance(end, Infinity):
            ends.append(Interval.point(end))
        else:
            ball = exp_enclosure((_order(args) - 1) * end, _CONVERSION_DIGITS)
            ends.append(Interval(ball.lo, ball.hi))
    return Interval(ends[0].lo, ends[1].hi)


def divergence_of(moment: Interval, args: Mapping[str, Any]) -> Interval:
    """log(M)/(order - 1), the Rényi divergence of a moment M, for an order above 1."""
    ends = []
    for end in (moment.lo, moment.hi):
        if isinstance(end, Infinity):
            ends.append(Interval.point(end))
        elif end == 1:
            ends.append(Interval.point(mpq(0)))
        else:
            log = log_enclosure(end, _CONVERSION_DIGITS)
            ends.append(Interval(log.lo / (_order(args) - 1), log.hi / (_order(args) - 1)))
    return Interval(ends[0].lo, ends[1].hi)


def judge_least_epsilon(question: Question, expected: LeastEpsilon, value: Any) -> Found:  # noqa: ANN401 - a JSON value
    """Epsilon as a number, or bounds of it, beside them perhaps e^epsilon."""
    truth = Interval(expected.lower, expected.upper)
    level = None if expected.exp_epsilon is None else parse_extended(expected.exp_epsilon)
    if isinstance(value, Mapping) and "exp_epsilon" in value:
        told = parse_extended(value["exp_epsilon"], "value.exp_epsilon")
        if question.claimed.kind == "exact" and level is not None and told != level:
            return "wrong", gap_between(told, level), "exp_epsilon is not the exact one"
        if "lo" not in value:
            return against(
                question, Interval.point(level) if level is not None else _levels(truth), Interval.point(told)
            )
    if isinstance(value, Mapping) and "epsilon" in value and "lo" not in value:
        value = value["epsilon"]
    answer = interval_of(value)
    found = against(question, truth, answer)
    end = answer.lo if question.claimed.kind == "lower" else answer.hi
    if found[0] != "inconclusive" or isinstance(end, Infinity):
        return found
    if level is None or isinstance(level, Infinity):
        sharper = question.asked(_SHARPER[0])
        return found if sharper is None else against(question, sharper, answer)
    exact = log_enclosure(level, _CONVERSION_DIGITS)
    found = against(question, Interval(exact.lo, exact.hi), answer)
    if found[0] != "inconclusive":
        return found
    # e^end against e^epsilon, which is rational: decided, since the two are equal only for end = 0.
    above = Level.of_exponent(end).compare(level) > 0
    return against(question, Interval(exact.lo, end) if above else Interval(end, exact.hi), answer)


def judge_moments(question: Question, expected: Moments, value: Any) -> Found:  # noqa: ANN401 - a JSON value
    """A Rényi moment, the divergence, or both; a bare number is the divergence."""
    told = value if isinstance(value, Mapping) and ("moment" in value or "divergence" in value) else None
    found: list[tuple[str, Found]] = []
    if told is None or "divergence" in told:
        if expected.divergence is None:
            truth = divergence_of(_stated(expected.moment), question.args)
        else:
            truth = _stated(expected.divergence)
        found.append(("divergence", judge_number(question, truth, value if told is None else told["divergence"])))
    if told is not None and "moment" in told:
        if expected.moment is None:
            truth = _moment_of(_stated(expected.divergence), question.args)
        else:
            truth = _stated(expected.moment)
        found.append(("moment", against(question, truth, interval_of(told["moment"]))))
    return worst_of(found)


def _stated(stated: Exact | Bounds | None) -> Interval:
    if isinstance(stated, Bounds):
        return Interval(stated.lower, stated.upper)
    if stated is None or stated.number is None:
        raise InputError("a moment or a divergence", "none", "the truth")
    return Interval.point(stated.number)


def _levels(epsilon: Interval) -> Interval:
    """e^epsilon of an enclosure of epsilon."""
    ends = [x if isinstance(x, Infinity) else exp_enclosure(x, _CONVERSION_DIGITS) for x in (epsilon.lo, epsilon.hi)]
    lo, hi = ends
    return Interval(lo if isinstance(lo, Infinity) else lo.lo, hi if isinstance(hi, Infinity) else hi.hi)


def judge_scale(question: Question, expected: Feeds, value: Any) -> Found:  # noqa: ANN401 - a JSON value
    """A scale, judged by the delta that it gives; the gap is that of the scale where its least is known."""
    answer = interval_of(value)
    scale = answer.lo if question.claimed.kind == "lower" else answer.hi
    if isinstance(scale, Infinity) or scale <= 0:
        return "errored", None, f"expected a scale above 0, got {to_text(scale)}"
    if expected.least is not None:
        found = against(question, Interval(expected.least.lower, expected.least.upper), answer)
        if found[0] != "inconclusive":
            return found
    target = parse_number(expected.at_most)
    got = _asked(question.engine, expected.op, expected.question(to_text(scale)), _SHARPER[0])
    if got is None:
        return "inconclusive", None, "the engine gives no value at the scale that was answered"
    if question.claimed.kind == "lower":
        return "inconclusive", None, "a lower claim on a scale needs its least value"
    # The delta that the scale really gives, seen from the delta that was promised: too large is the wrong side.
    verdict, gap = side(Claimed("upper"), target, got, question.slack)
    if verdict in ("sound", "loose") and question.claimed.kind not in ("upper", "estimate"):
        verdict = "sound" if verdict == "sound" else "wrong"
    reason = f"the scale gives {_text(got)} where {to_text(target)} was promised"
    return verdict, gap, None if verdict in ("exact", "sound") else reason


def _text(value: Interval) -> str:
    """A number or enclosure in a message."""
    return shorten(to_text(value.lo) if value.known else f"[{to_text(value.lo)}, {to_text(value.hi)}]")


def _size(found: Found) -> Extended:
    return mpq(0) if found[1] is None else found[1].relative


def worst_of(found: Sequence[tuple[str, Found]]) -> Found:
    """The worst verdict of several and the largest gap among those of it, with its place."""
    if not found:
        return "exact", None, None
    worst = min(WORST_FIRST.index(one[0]) for _, one in found)
    same = [(where, one) for where, one in found if WORST_FIRST.index(one[0]) == worst]
    where, (verdict, gap, reason) = same[0]
    for place, one in same[1:]:
        if _size(one) > _size((verdict, gap, reason)):
            where, (verdict, gap, reason) = place, one
    if verdict in ("exact", "sound"):
        return verdict, gap, None
    return verdict, gap, f"{where}: {reason}" if reason else where
