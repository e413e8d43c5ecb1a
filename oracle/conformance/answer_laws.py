"""Laws across the answers of one subject: what must hold between them whatever the truth is.

==========================  =========================================================================================
``delta-in-unit-interval``  0 <= delta <= 1
``delta-decreasing``        delta does not increase in epsilon, for one channel and direction
``epsilon-decreasing``      the least epsilon does not increase in delta
``epsilon-inverts-delta``   the least epsilon at d is at most eps where delta(e^eps) <= d (not asked of upper bounds),
                            and at least eps where delta(e^eps) > d (not asked of lower bounds)
``composition-above-part``  delta of a composition is not below that of a part, nor of fewer repetitions
``subsampling-not-worse``   Poisson sampling (add or remove) does not increase delta at e^eps >= 1, nor a lower rate
``tradeoff-below-diagonal`` f(alpha) <= 1 - alpha, save for answers claimed to be upper bounds
``tradeoff-decreasing``     f does not increase
``tradeoff-convex``         f is convex, on the alphas of one channel or the corners of one answer
==========================  =========================================================================================

An answered enclosure may be any number of it, whatever is claimed: of two answers the ends are compared that favour the
subject, so that a law is found broken only if it fails for every choice of numbers within the enclosures. It is
``broken`` where its excess is material (beyond 10^-9 relative to the larger side, or absolute at 0), else
``broken-rounding``. Questions that have no answer (``rejects``) are no part of any law; the recorder leaves them out.
Lists of epsilons: :mod:`oracle.conformance.vector_query_laws`; questions asked again:
:mod:`oracle.conformance.repeat_laws`.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final, Literal

from gmpy2 import mpq

from oracle.conformance.gaps import Gap, Interval, Slack, gap_between
from oracle.conformance.number_judging import NoAnswerError, interval_of
from oracle.enclosures import log_enclosure
from oracle.errors import OracleError
from oracle.exact import Extended, Infinity, parse_number, to_text
from oracle.levels import Level, parse_level

__all__ = ["LAWS", "Answered", "Breach", "LawReport", "Ledger", "check_laws", "key_of", "number_of"]

LAWS: Final = (
    "delta-in-unit-interval",
    "delta-decreasing",
    "epsilon-decreasing",
    "epsilon-inverts-delta",
    "composition-above-part",
    "subsampling-not-worse",
    "tradeoff-below-diagonal",
    "tradeoff-decreasing",
    "tradeoff-convex",
)

_DELTAS: Final = ("delta", "hockey_stick")
_LEVEL_BITS: Final = 128
_LOG_DIGITS: Final = 40
_ZERO: Final = Interval.point(mpq(0))
_ONE: Final = Interval.point(mpq(1))
_DEFAULTS: Final = {"delta": "both", "epsilon": "both"}


@dataclass(frozen=True, slots=True)
class Answered:
    """A question and the value that was answered.

    Attributes:
        case: its id.
        op, concept: of the case.
        args: as sent.
        value: the answer.
        claim: kind of claim of the op.
    """

    case: str
    op: str
    concept: str
    args: Mapping[str, Any]
    value: Any
    claim: str = "upper"


@dataclass(frozen=True, slots=True)
class Breach:
    """Answers that break a law.

    Attributes:
        law: its name.
        cases: the answers' cases.
        op, concept: of the first.
        verdict: ``broken`` or ``broken-rounding``.
        gap: the signed distance of the answer that a law bounds (in a law about two answers the one it is named
            after: the larger composition, the sample, the later point) from its bound.
        reason: what does not hold.
    """

    law: str
    cases: tuple[str, ...]
    op: str
    concept: str
    verdict: str
    gap: Gap
    reason: str

    @property
    def identity(self) -> str:
        """``law:<name>:<cases>``, by which a known failure names it."""
        return f"law:{self.law}:{'+'.join(self.cases)}"


@dataclass(frozen=True, slots=True)
class LawReport:
    """What was found about one law: how many comparisons, and those that break it."""

    law: str
    checked: int
    breaches: tuple[Breach, ...]


@dataclass(frozen=True, slots=True)
class _Delta:
    """An answered delta with its level, as brackets of e^epsilon."""

    answered: Answered
    channel: str
    direction: str
    level: Level
    at: tuple[Extended, Extended]
    value: Interval


Side = Literal["small", "large"]


class Ledger:
    """Comparisons made, and those that failed."""

    def __init__(self, slack: Slack) -> None:
        self.slack = slack
        self.checked: dict[str, int] = defaultdict(int)
        self.breaches: dict[str, list[Breach]] = defaultdict(list)

    def require(
        self, law: str, small: Interval, large: Interval, reason: str, *of: Answered, answer: Side = "small"
    ) -> None:
        """Note whether small <= large is possible; the gap of a breach is that of the *answer* from the other side."""
        self.checked[law] += 1
        low, high = small.lo, large.hi
        if low <= high:
            return
        gap = gap_between(low, high) if answer == "small" else gap_between(high, low)
        verdict = "broken"
        if not isinstance(low, Infinity) and not isinstance(high, Infinity):
            # An excess beside 0, where nothing is relative, is rounding if it is below the slack itself.
            largest = max(abs(low), abs(high)) if low and high else mpq(1)
            if largest <= self.slack.negligible or low - high <= self.slack.rounding * largest:
                verdict = "broken-rounding"
        cases = tuple(dict.fromkeys(answered.case for answered in of))
        self.breaches[law].append(Breach(law, cases, of[0].op, of[0].concept, verdict, gap, reason))


def key_of(value: object) -> str:
    """A text that is the same for equal JSON values."""
    return json.dumps(value, sort_keys=True, default=str)


def number_of(value: object) -> Interval | None:
    """The number or enclosure answered; None where it is neither, which is left to the judge."""
    try:
        return interval_of(value)
    except (NoAnswerError, OracleError):
        return None


def _levels(answers: Sequence[Answered]) -> Iterator[_Delta]:
    for answered in answers:
        value = number_of(answered.value) if answered.op in _DELTAS else None
        if value is None or "channel" not in answered.args:
            continue
        try:
            level = parse_level(answered.args, minimum_one=False)
            at: tuple[Extended, Extended]
            at = (level.value, level.value) if level.value is not None else level.bracket(_LEVEL_BITS)
        except OracleError:
            continue
        direction = answered.args.get("direction", _DEFAULTS.get(answered.op, "forward"))
        yield _Delta(answered, key_of(answered.args["channel"]), str(direction), level, at, value)


def check_laws(answers: Sequence[Answered], slack: Slack | None = None) -> list[LawReport]:
    """Every law on all the answers that it is about.

    Args:
        answers: those with a value.
        slack: what counts as rounding.
    """
    ledger = Ledger(slack or Slack())
    deltas = list(_levels(answers))
    _unit_interval(ledger, deltas)
    groups: dict[tuple[str, str], list[_Delta]] = defaultdict(list)
    for delta in deltas:
        groups[delta.channel, delta.direction].append(delta)
    for group in groups.values():
        group.sort(key=lambda delta: delta.at[0])
        for first, second in pairwise(group):
            if first.at[1] <= second.at[0] and first.at != second.at:
                reason = "delta increases with epsilon"
                ledger.require("delta-decreasing", second.value, first.value, reason, first.answered, second.answered)
    _epsilons(ledger, answers, groups)
    _mechanisms(ledger, groups)
    _tradeoffs(ledger, answers)
    return [LawReport(law, ledger.checked[law], tuple(ledger.breaches[law])) for law in LAWS if ledger.checked[law]]


def _unit_interval(ledger: Ledger, deltas: Sequence[_Delta]) -> None:
    for delta in deltas:
        ledger.require("delta-in-unit-interval", delta.value, _ONE, "delta is above 1", delta.answered)
        ledger.require("delta-in-unit-interval", _ZERO, delta.value, "delta is below 0", delta.answered, answer="large")


_Least = tuple[mpq, Interval, Answered]
_Groups = Mapping[tuple[str, str], Sequence[_Delta]]


def _least_epsilons(answers: Sequence[Answered]) -> dict[tuple[str, str], list[_Least]]:
    """(delta, epsilon, answer) by channel and direction, delta increasing."""
    groups: dict[tuple[str, str], list[_Least]] = defaultdict(list)
    for answered in answers:
        if answered.op != "epsilon" or "channel" not in answered.args:
            continue
        value = answered.value
        least = number_of(value["epsilon"] if isinstance(value, Mapping) and "epsilon" in value else value)
        at = _size(answered.args.get("delta"))
        if least is not None and at is not None:
            side = str(answered.args.get("direction", "both"))
            groups[key_of(answered.args["channel"]), side].append((at, least, answered))
    for group in groups.values():
        group.sort(key=lambda member: member[0])
    return groups


def _epsilons(ledger: Ledger, answers: Sequence[Answered], deltas: _Groups) -> None:
    for key, group in _least_epsilons(answers).items():
        for (d0, e0, first), (d1, e1, second) in pairwise(group):
            if d0 < d1:
                ledger.require("epsilon-decreasing", e1, e0, "epsilon increases with delta", first, second)
        for delta in deltas.get(key, ()):
            level = _log(delta.level)
            for least in group if level is not None else ():
                _inverse(ledger, delta, level or _ZERO, least)


def _inverse(ledger: Ledger, delta: _Delta, level: Interval, found: _Least) -> None:
    at, least, answered = found
    claims = (answered.claim, delta.answered.claim)
    law = "epsilon-inverts-delta"
    if delta.value.hi <= at:
        if "upper" not in claims:
            reason = "epsilon at this delta is above one at which delta was answered to be no larger"
            ledger.require(law, least, level, reason, answered, delta.answered)
    elif delta.value.lo > at and "lower" not in claims:
        reason = "epsilon at this delta is below one at which delta was answered to be larger"
        ledger.require(law, level, least, reason, answered, delta.answered, answer="large")


def _log(level: Level) -> Interval | None:
    """Bounds of epsilon where it is at least 0."""
    if level.exponent is not None:
        return Interval.point(level.exponent) if level.exponent > 0 else None
    if level.value is None or level.value < 1:
        return None
    if isinstance(level.value, Infinity):
        return Interval.point(level.value)
    if level.value == 1:
        return _ZERO
    found = log_enclosure(level.value, _LOG_DIGITS)
    return Interval(found.lo, found.hi)


_ByLevel = Mapping[tuple[str, str], Mapping[tuple[Extended, Extended], _Delta]]


def _mechanisms(ledger: Ledger, groups: _Groups) -> None:
    """Composition and subsampling, at equal levels."""
    by_level = {key: {delta.at: delta for delta in group} for key, group in groups.items()}
    families: dict[tuple[str, str, str], list[tuple[mpq, tuple[str, str]]]] = defaultdict(list)
    for channel, side in groups:
        node = json.loads(channel)
        kind = node.get("mechanism") if isinstance(node, dict) else None
        of = [] if kind is None else node.get("of", [])
        if kind in ("compose", "repeat"):
            for part in dict.fromkeys(map(key_of, of if kind == "compose" else [of])):
                _compare(ledger, by_level, "composition-above-part", (part, side), (channel, side))
        sampled = kind == "poisson_subsample" and node.get("neighbours") == "add_remove"
        if sampled:
            _compare(ledger, by_level, "subsampling-not-worse", (channel, side), (key_of(of), side))
        size = _size(node.get("times" if kind == "repeat" else "rate")) if kind == "repeat" or sampled else None
        if size is not None:
            law = "composition-above-part" if kind == "repeat" else "subsampling-not-worse"
            families[law, key_of(of), side].append((size, (channel, side)))
    for (law, _, _), members in families.items():
        members.sort(key=lambda member: member[0])
        for (_, fewer), (_, more) in pairwise(members):
            _compare(ledger, by_level, law, fewer, more)


def _compare(ledger: Ledger, by_level: _ByLevel, law: str, small: tuple[str, str], large: tuple[str, str]) -> None:
    """Require of delta that it is not larger for *small* than for *large*, at each level that both have."""
    others = by_level.get(large, {})
    for at, low in by_level.get(small, {}).items():
        high = others.get(at)
        if high is not None and (law == "composition-above-part" or at[0] >= 1):
            reason = "delta of the composition is below that of a part, or of fewer repetitions"
            answer: Side = "large"
            if law == "subsampling-not-worse":
                reason, answer = "sampling, or a lower rate of it, increases delta", "small"
            ledger.require(law, low.value, high.value, reason, low.answered, high.answered, answer=answer)


def _size(value: object) -> mpq | None:
    try:
        return parse_number(value)
    except OracleError:
        return None


_Point = tuple[mpq, Interval, Answered]


def _tradeoffs(ledger: Ledger, answers: Sequence[Answered]) -> None:
    groups: dict[tuple[str, str], list[_Point]] = defaultdict(list)
    for answered in answers:
        if answered.op != "tradeoff" or "channel" not in answered.args:
            continue
        side = (key_of(answered.args["channel"]), str(answered.args.get("direction", "forward")))
        key = side if "alpha" in answered.args else ("", answered.case)
        groups[key] += [(alpha, beta, answered) for alpha, beta in _points(answered)]
    for group in groups.values():
        group.sort(key=lambda member: member[0])
        for alpha, beta, answered in group:
            if answered.claim != "upper":
                diagonal = Interval.point(1 - alpha)
                ledger.require("tradeoff-below-diagonal", beta, diagonal, "beta is above 1 - alpha", answered)
        for (_, b0, first), (_, b1, second) in pairwise(group):
            ledger.require("tradeoff-decreasing", b1, b0, "beta increases with alpha", first, second)
        for before, middle, after in zip(group, group[1:], group[2:], strict=False):
            _convex(ledger, before, middle, after)


def _convex(ledger: Ledger, before: _Point, middle: _Point, after: _Point) -> None:
    (a0, b0, _), (a1, b1, _), (a2, b2, _) = before, middle, after
    ends = (b0.hi, b2.hi)
    if a0 < a1 < a2 and not any(isinstance(end, Infinity) for end in ends):
        chord = b0.hi + (b2.hi - b0.hi) * (a1 - a0) / (a2 - a0)  # type: ignore[operator]
        reason = f"beta at alpha = {to_text(a1)} is above the chord of its neighbours"
        ledger.require("tradeoff-convex", b1, Interval.point(chord), reason, before[2], middle[2], after[2])


def _points(answered: Answered) -> list[tuple[mpq, Interval]]:
    """The points of the curve that an answer states: beta at its alpha, or every corner."""
    value = answered.value
    try:
        if "alpha" in answered.args:
            beta = number_of(value)
            return [] if beta is None else [(parse_number(answered.args["alpha"]), beta)]
        corners = value.get("breakpoints") if isinstance(value, Mapping) else value
        if not isinstance(corners, (list, tuple)):
            return []
        return [(parse_number(a), Interval.point(parse_number(b))) for a, b in corners]
    except (OracleError, ValueError, TypeError):
        return []
