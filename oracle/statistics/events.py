"""What two counts of one event prove about a claim: bounds of P(S) and Q(S), and an inequality between them.

An event S was seen in k1 of n1 independent runs on D (law P) and in k2 of n2 runs on D' (law Q). A statement says under
which law S is more likely; say P. With levels a1 + a2 (:mod:`oracle.statistics.selection`), Clopper-Pearson bounds hold
together with confidence 1 - a1 - a2: P(S) >= x and Q(S) <= y. They refute, without any further cost,

- P(S) <= E Q(S) + delta            if x > E y + delta,
- Q(S') <= E P(S') + delta          if 1 - y > E (1 - x) + delta, by the complement S' of S,
- f <= T(Q, P), S being rejected    if f(y) > 1 - x: T(Q, P)(y) <= T(Q, P)(Q(S)) <= 1 - P(S) <= 1 - x,
- f <= T(P, Q), S' being rejected   if f(1 - x) > y,

mu-GDP being the claim of f = G_mu. The answer is "refuted" or "undecided": counts never prove that a claim holds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal

from gmpy2 import mpq

from oracle.certificates.divergence_documents import refuting_threshold
from oracle.certificates.statistics_documents import count_refutation
from oracle.channels.divergences import Direction
from oracle.claims import ApproximateDP, Claim, EventClaim, GaussianDP, TradeoffClaim
from oracle.errors import Declined, InputError, UndecidedError, shorten
from oracle.exact import round_decimal, to_text
from oracle.levels import Level
from oracle.statistics.clopper_pearson import check_counts, default_grid, lower_bound, upper_bound
from oracle.statistics.selection import DECLARED, Selection, tail_levels

__all__ = [
    "Count",
    "CountVerdict",
    "EventCounts",
    "Inequality",
    "JointBounds",
    "Larger",
    "Law",
    "event_bounds",
    "exp_epsilon_bound",
    "judge_counts",
]

Law = Literal["first", "second"]
"""P, the law of the runs on D, or Q, that of the runs on D'."""

Larger = Literal["first", "second", "either"]
"""The law under which S is more likely; "either" makes two statements of it."""

_LETTER: Final[dict[Law, str]] = {"first": "P", "second": "Q"}
_OTHER: Final[dict[Law, Law]] = {"first": "second", "second": "first"}
_FIRST_BITS: Final = 32
_FIRST_DIGITS: Final = 8

ASSUMPTIONS: Final = (
    "the runs are independent, and those on one input have one law",
    "the inputs are neighbours in the sense of the claim, and the program that ran is the mechanism of the claim",
)
_CHOSEN: Final = {
    "declared": "the event and the input on which it is more likely were fixed before the counted runs",
    "split": "the runs on which the event was chosen are not among the counted ones",
    "family": "the family, fixed before the counted runs, holds every statement that might have been reported",
}


@dataclass(frozen=True, slots=True)
class Count:
    """How many runs gave the event, out of how many.

    Raises:
        InputError: for a count that is no whole number, negative, or above the number of runs, and for no runs.
        LimitError: for more than 10^9 runs.
    """

    hits: int
    runs: int

    def __post_init__(self) -> None:
        for name, value in (("hits", self.hits), ("runs", self.runs)):
            if isinstance(value, bool) or not isinstance(value, int):
                raise InputError("a whole number", shorten(value), name)
        check_counts(self.hits, self.runs)

    def to_json(self) -> dict[str, str]:
        """``{"hits": "750", "runs": "1000"}``."""
        return {"hits": str(self.hits), "runs": str(self.runs)}


@dataclass(frozen=True, slots=True)
class EventCounts:
    """The counts of one event: first in the runs on D (law P), second in those on D' (law Q)."""

    first: Count
    second: Count

    def ordered(self, larger: Law) -> tuple[Count, Count]:
        """The count of the law under which the event is more likely, then the other one.

        Raises:
            InputError: for a law that is neither "first" nor "second".
        """
        if larger not in _LETTER:
            raise InputError('"first" or "second"', shorten(larger), "larger")
        return (self.first, self.second) if larger == "first" else (self.second, self.first)


@dataclass(frozen=True, slots=True)
class JointBounds:
    """Bounds of the probability of S under two laws, which hold together with confidence 1 - a1 - a2.

    Attributes:
        larger: the law under which S is more likely.
        lower: x, at most its probability of S.
        upper: y, at least the other law's.
        levels: (a1, a2), of the lower and of the upper bound.
        grid: both bounds are multiples of 1/grid, and the next ones inwards are not proved.
    """

    larger: Law
    lower: mpq
    upper: mpq
    levels: tuple[mpq, mpq]
    grid: int

    def regions(self) -> tuple[tuple[Literal["event", "complement"], Law, mpq, mpq], ...]:
        """S and its complement: the law under which it is more likely, a bound below that and above the other."""
        return (
            ("event", self.larger, self.lower, self.upper),
            ("complement", _OTHER[self.larger], 1 - self.upper, 1 - self.lower),
        )


@dataclass(frozen=True, slots=True)
class Inequality:
    """One inequality that a claim asserts, and what the bounds say of it.

    Attributes:
        direction: that of the claim it belongs to.
        region: "event" for S, "complement" for its complement.
        larger: the law under which the region is more likely.
        lower: the bound below its probability of the region.
        upper: the bound above the other law's probability.
        violated: whether the bounds refute it.
        words: the inequality with its numbers, true as it stands.
        violation: what the certificate states of a violated one.
    """

    direction: Literal["forward", "backward"]
    region: Literal["event", "complement"]
    larger: Law
    lower: mpq
    upper: mpq
    violated: bool
    words: str
    violation: dict[str, str] | None


@dataclass(frozen=True, slots=True)
class CountVerdict:
    """What counts say of a claim.

    Attributes:
        refuted: True, or False for undecided.
        direction: the direction refuted, else the one asked about.
        bounds: the joint bounds, one for each statement tried; the refuting ones first.
        inequalities: what the claim asserts of the event and its complement, the refuted one first.
        levels: (a1, a2), of the lower and the upper bound.
        statement: the verified inequality in words.
        assumptions: what no arithmetic can check.
        certificate: a sealed document that the independent checker accepts; None where it is undecided.
    """

    refuted: bool
    direction: Direction
    bounds: tuple[JointBounds, ...]
    inequalities: tuple[Inequality, ...]
    levels: tuple[mpq, mpq]
    statement: str
    assumptions: tuple[str, ...]
    certificate: dict[str, Any] | None


def event_bounds(
    counts: EventCounts, larger: Law, lower_level: mpq, upper_level: mpq, grid: int | None = None
) -> JointBounds:
    """The best bounds on the grid, by default the larger of the two default grids.

    Raises:
        InputError: for a level outside (0, 1) or a grid below 1.
        UndecidedError: if a tail of more than 10,000 runs is too close to its level.
    """
    high, low = counts.ordered(larger)
    size = max(default_grid(high.runs), default_grid(low.runs)) if grid is None else grid
    lower = lower_bound(high.hits, high.runs, lower_level, size)
    upper = upper_bound(low.hits, low.runs, upper_level, size)
    return JointBounds(larger, lower, upper, (lower_level, upper_level), size)


def _statements(
    counts: EventCounts, confidence: mpq, selection: Selection, larger: Larger, grid: int | None
) -> tuple[JointBounds, ...]:
    laws: tuple[Law, ...] = ("first", "second") if larger == "either" else (larger,)
    lower_level, upper_level = tail_levels(confidence, selection, len(laws))
    return tuple(event_bounds(counts, law, lower_level, upper_level, grid) for law in laws)


def _check_direction(direction: Direction) -> None:
    if direction not in ("both", "forward", "backward"):
        raise InputError('"both", "forward" or "backward"', shorten(direction), "direction")


def exp_epsilon_bound(  # noqa: PLR0913 - what is asked, and how
    counts: EventCounts,
    delta: mpq,
    *,
    confidence: mpq,
    selection: Selection = DECLARED,
    direction: Direction = "both",
    larger: Larger = "first",
    grid: int | None = None,
) -> mpq:
    """The number B such that every claim (epsilon, delta) with e^epsilon < B is refuted, with the stated confidence.

    It is the largest (x - delta)/y over the event and its complement, and 1 where no claim is refuted.

    Raises:
        InputError: for a confidence outside (0, 1).
        UndecidedError: if a tail of more than 10,000 runs is too close to its level.
    """
    _check_direction(direction)
    best = mpq(1)
    for bounds in _statements(counts, confidence, selection, larger, grid):
        for _, law, lower, upper in bounds.regions():
            if direction in ("both", "forward" if law == "first" else "backward"):
                best = max(best, (lower - delta) / upper)
    return best


def judge_counts(  # noqa: PLR0913 - what is asked, and how
    claim: Claim,
    counts: EventCounts,
    *,
    confidence: mpq,
    selection: Selection = DECLARED,
    direction: Direction = "both",
    larger: Larger = "first",
    grid: int | None = None,
) -> CountVerdict:
    """Whether counts refute a claim with the stated confidence, and the certificate if they do.

    Args:
        claim: (epsilon, delta), a trade-off function or mu.
        counts: of one event.
        confidence: strictly between 0 and 1.
        selection: how the event was chosen.
        direction: of the claim.
        larger: the law under which the event was said to be more likely.
        grid: of the bounds; None for :func:`event_bounds`' own.

    Raises:
        Declined: for a claim of rho or a Rényi order.
        InputError: for a confidence outside (0, 1).
        UndecidedError: if a tail of more than 10,000 runs is too close to its level.
    """
    _check_direction(direction)
    if not isinstance(claim, EventClaim | GaussianDP):
        raise Declined("counts test claims of (epsilon, delta), a trade-off function or mu")
    tried = _statements(counts, confidence, selection, larger, grid)
    levels = tried[0].levels
    assumptions = (*ASSUMPTIONS, _CHOSEN[selection.kind])
    found: list[tuple[JointBounds, Inequality]] = []
    for bounds in tried:
        for region, law, lower, upper in bounds.regions():
            inequality = _inequality(claim, region, law, lower, upper)
            if direction in ("both", inequality.direction):
                found.append((bounds, inequality))
    found.sort(key=lambda pair: not pair[1].violated)
    bounds, first = found[0]
    ordered = (bounds, *(other for other in tried if other is not bounds))
    inequalities = tuple(inequality for _, inequality in found)
    if not first.violated:
        words = "; ".join(inequality.words for inequality in inequalities)
        text = " ".join(_proved(each, counts, confidence) for each in ordered)
        text = f"{text} They do not refute the claim: {words}."
        return CountVerdict(False, direction, ordered, inequalities, levels, text, assumptions, None)
    certificate = count_refutation(
        claim=claim,
        direction=first.direction,
        counts={"first": counts.first.to_json(), "second": counts.second.to_json()},
        selection=selection.to_json(),
        larger=bounds.larger,
        statements=len(tried),
        confidence=confidence,
        bounds=(bounds.lower, bounds.upper),
        levels=levels,
        grid=bounds.grid,
        region=first.region,
        violation=first.violation or {},
    )
    text = f"{_proved(bounds, counts, confidence)} The claim is refuted: {first.words}."
    return CountVerdict(True, first.direction, ordered, inequalities, levels, text, assumptions, certificate)


def _proved(bounds: JointBounds, counts: EventCounts, confidence: mpq) -> str:
    """The two tail inequalities and what follows from them, in words; bounds 0 and 1 need none."""
    high, low = counts.ordered(bounds.larger)
    more, less = _LETTER[bounds.larger], _LETTER[_OTHER[bounds.larger]]
    lower, upper = to_text(bounds.lower), to_text(bounds.upper)
    below, above = (shorten(to_text(level)) for level in bounds.levels)
    tails = []
    if bounds.lower:
        tails.append(f"P[Bin({high.runs}, {lower}) >= {high.hits}] <= {below}")
    if bounds.upper < 1:
        tails.append(f"P[Bin({low.runs}, {upper}) <= {low.hits}] <= {above}")
    return (
        f"{' and '.join(tails) or 'Nothing excludes any probability'}, so that with confidence at least"
        f" {shorten(to_text(confidence))} {more}(S) >= {lower} and {less}(S) <= {upper}."
    )


def _inequality(
    claim: EventClaim | GaussianDP, region: Literal["event", "complement"], larger: Law, lower: mpq, upper: mpq
) -> Inequality:
    if isinstance(claim, ApproximateDP):
        words, violation = _approximate(claim, lower, upper)
        direction: Literal["forward", "backward"] = "forward" if larger == "first" else "backward"
    else:
        # The law under which the region is less likely is the null: forward, T(P, Q), is S rejected by a test of P.
        direction = "forward" if larger == "second" else "backward"
        alpha, beta = upper, 1 - lower
        words, violation = (
            _tradeoff(claim, alpha, beta) if isinstance(claim, TradeoffClaim) else _gaussian(claim, alpha, beta)
        )
    return Inequality(direction, region, larger, lower, upper, violation is not None, words, violation)


def _approximate(claim: ApproximateDP, lower: mpq, upper: mpq) -> tuple[str, dict[str, str] | None]:
    """Whether lower > E upper + delta, at a rational E >= e^epsilon."""
    least, delta = claim.delta, shorten(to_text(claim.delta))
    if claim.level.is_infinite:
        return f"{to_text(upper)} is above 0, so that an infinite epsilon allows every {to_text(lower)}", None
    excess = lower - least
    refuted = excess > 0 and (not upper or claim.level.compare(excess / upper) < 0)
    if not refuted:
        scale = to_text(claim.level.value) if isinstance(claim.level.value, mpq) else "e^epsilon"
        return f"{to_text(lower)} <= {shorten(scale)} * {to_text(upper)} + {delta}", None
    level = _level_below(claim.level, excess / upper)
    value = lower - level * upper
    words = f"{to_text(lower)} - {shorten(to_text(level))} * {to_text(upper)} = {shorten(to_text(value))} > {delta}"
    return words, {"level": to_text(level), "excess": to_text(value)}


def _level_below(level: Level, most: mpq) -> mpq:
    """e^epsilon itself where it is rational, else a decimal between it and *most*, which is proved to be above it."""
    if level.value is not None:
        return level.bracket(_FIRST_BITS)[1]
    digits = _FIRST_DIGITS
    while True:
        high = round_decimal(level.bracket(4 * digits)[1], digits, "up")
        if high < most:
            return high
        digits *= 2


def _tradeoff(claim: TradeoffClaim, alpha: mpq, beta: mpq) -> tuple[str, dict[str, str] | None]:
    """Whether f(alpha) > beta for bounds above the two errors of a test."""
    claimed = claim.curve.at(alpha)
    point = {"alpha": to_text(alpha), "beta": to_text(beta)}
    said = shorten(to_text(claimed))
    if claimed <= beta:
        return f"f({point['alpha']}) = {said} <= {point['beta']}", None
    return f"f({point['alpha']}) = {said} > {point['beta']}", {**point, "claimed": to_text(claimed)}


def _gaussian(claim: GaussianDP, alpha: mpq, beta: mpq) -> tuple[str, dict[str, str] | None]:
    """Whether G_mu(alpha) > beta for bounds above the two errors of a test."""
    point = {"alpha": to_text(alpha), "beta": to_text(beta)}
    try:
        threshold = refuting_threshold(alpha, beta, claim.mu)
    except UndecidedError:
        return f"G_mu({point['alpha']}) is too close to {point['beta']} to tell", None
    if threshold is None:
        return f"G_mu({point['alpha']}) <= {point['beta']}", None
    text = to_text(threshold)
    words = f"G_mu({point['alpha']}) >= Phi({text} - mu) > {point['beta']}"
    return words, {**point, "threshold": text}
