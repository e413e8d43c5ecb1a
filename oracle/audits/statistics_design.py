"""The design of an audit from samples: the options, what is tested, and how its event or its guesses came about.

Everything here is fixed before the counted runs, or is paid for (:mod:`oracle.statistics.selection`): an event that the
oracle picks itself is picked by other runs, or is the best of a family as large as what it looks at.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from gmpy2 import mpq

from oracle.audits.observations import Observations
from oracle.channels.divergences import Direction
from oracle.claims import ApproximateDP, Claim
from oracle.errors import InputError, shorten
from oracle.exact import parse_number
from oracle.statistics.counts import CanaryScores, CountTable, PairCounts
from oracle.statistics.e_values import level_above
from oracle.statistics.events import EventCounts, Larger
from oracle.statistics.one_run import OneRun
from oracle.statistics.selection import Selection, parse_confidence, parse_selection

__all__ = ["Design", "UnderTest", "design", "under_test"]

_INPUTS: Final[dict[str, Larger]] = {"D": "first", "Dprime": "second", "either": "either"}
Thresholds = tuple[mpq, mpq]
"""Scores below the first are guessed out, from the second on in."""


@dataclass(frozen=True, slots=True)
class Design:
    """How an audit from samples was set up, before its counts.

    Attributes:
        confidence: of a refutation.
        selection: how the event was chosen.
        likelier: D, Dprime or either: on which input the event was said to be too likely.
        direction: of the claims.
        outcomes: the names of the event's outcomes, empty where the file says it.
        thresholds: of canary scores, or None.
        bet: of pairs of runs, or None.
    """

    confidence: mpq
    selection: Selection
    likelier: str = "D"
    direction: Direction = "both"
    outcomes: tuple[str, ...] = ()
    thresholds: Thresholds | None = None
    bet: mpq | None = None

    @property
    def larger(self) -> Larger:
        """The law under which the event was said to be too likely."""
        return _INPUTS[self.likelier]

    @property
    def wager(self) -> mpq:
        """The bet of pairs of runs.

        Raises:
            InputError: if there is none.
        """
        if self.bet is None:
            raise InputError("the bet that was fixed before the pairs were run: --bet 1/4", "none", "--bet")
        return self.bet

    @property
    def level(self) -> mpq:
        """What the confidence leaves for one member of the family."""
        return (1 - self.confidence) / self.selection.size


@dataclass(frozen=True, slots=True)
class UnderTest:
    """What is tested.

    Attributes:
        counts: of an event, of pairs of runs, or of the guesses of one run.
        outcomes: of the event, where they have names.
        thresholds: by which the guesses were made of scores.
        how: how the event came about, in words.
    """

    counts: EventCounts | PairCounts | OneRun
    outcomes: tuple[str, ...] | None
    thresholds: Thresholds | None
    how: str


def design(  # noqa: PLR0913 - one keyword for each option of the command
    *,
    confidence: object,
    event: str | None,
    likelier: str = "D",
    direction: Direction = "both",
    outcomes: Sequence[str] = (),
    threshold: str | None = None,
    bet: object = None,
) -> Design:
    """Read the options of an audit from samples.

    Args:
        confidence: above 0 and below 1.
        event: "declared", "split" or "family:N"; None where it was not said, which is an error.
        likelier: D, Dprime or either.
        direction: of the claims.
        outcomes: of the event.
        threshold: "T", or "LOW:HIGH" with no guess between.
        bet: a number above 0.

    Raises:
        InputError: for an event or an input other than these, a confidence outside (0, 1), thresholds in the wrong
            order, or a bet that is not above 0.
    """
    if event is None:
        raise InputError('how the event was chosen: "declared", "split" or "family:N"', "nothing", "--event")
    selection = parse_selection(event)
    if likelier not in _INPUTS:
        raise InputError("D, Dprime or either", shorten(likelier), "--likelier-on")
    limits = None
    if threshold is not None:
        parts = threshold.split(":")
        if len(parts) > 2:
            raise InputError("a threshold T, or LOW:HIGH", f'"{shorten(threshold)}"', "--threshold")
        numbers = [parse_number(part.strip(), "--threshold") for part in parts]
        limits = numbers[0], numbers[-1]
        if limits[0] > limits[1]:
            raise InputError("LOW:HIGH with LOW at most HIGH", f'"{shorten(threshold)}"', "--threshold")
    wager = None if bet is None else parse_number(bet, "--bet")
    if wager is not None and wager <= 0:
        raise InputError("a bet above 0", str(wager), "--bet")
    sure = parse_confidence(confidence, "--confidence")
    return Design(sure, selection, likelier, direction, tuple(outcomes), limits, wager)


def under_test(observations: Observations, claims: Sequence[Claim], setup: Design) -> UnderTest:
    """The event, its counts and how it was chosen.

    Raises:
        InputError: for an option that does not fit what was seen, an event that is not named where it has to be, or a
            family smaller than the number of events that the oracle would look at itself.
    """
    seen = observations.seen
    _require_fitting(seen, setup)
    if isinstance(seen, CountTable):
        return _event(seen, claims, setup)
    if isinstance(seen, CanaryScores):
        return _guesses(seen, claims, setup)
    if isinstance(seen, OneRun):
        return UnderTest(seen, None, None, "guesses as given")
    how = 'S is that "in" was guessed; D is in, D\' is out' if observations.confusion else "an event as given"
    return UnderTest(seen, None, None, how)


def _require_fitting(seen: object, setup: Design) -> None:
    """Refuse an option that says nothing of what was seen."""
    given: dict[str, tuple[bool, Any, str]] = {
        "--outcome": (bool(setup.outcomes), CountTable, "counts by outcome"),
        "--threshold": (setup.thresholds is not None, CanaryScores, "canary scores"),
        "--bet": (setup.bet is not None, PairCounts, "pairs of runs"),
        "--likelier-on": (setup.likelier != "D", (CountTable, EventCounts, PairCounts), "runs on two inputs"),
        "--direction": (setup.direction != "both", (CountTable, EventCounts), "counts of an event"),
    }
    for option, (used, kinds, words) in given.items():
        if used and not isinstance(seen, kinds):
            raise InputError(f"{option} with {words} only", "other counts", option)
    if isinstance(seen, PairCounts) and setup.wager and setup.likelier == "either":
        raise InputError("D or Dprime, as a bet is made on one of the two", "either", "--likelier-on")


def _event(table: CountTable, claims: Sequence[Claim], setup: Design) -> UnderTest:
    kind = setup.selection.kind
    if setup.outcomes:
        names, how = setup.outcomes, f"S is as {'chosen before' if kind == 'split' else 'named'}"
    elif kind == "split":
        names = table.chosen(_level(claims), swapped=setup.likelier == "Dprime")
        how = "S was chosen by the other runs: the outcomes that violate the first claim by their frequencies there"
    elif kind == "family":
        count = len(table.outcomes)
        if setup.selection.size < count:
            wanted = f"--outcome NAME, or a family of at least the {count} outcomes, each of which is looked at"
            raise InputError(wanted, f"family:{setup.selection.size}", "--event")
        names, how = (_likeliest(table, setup.likelier),), f"S is the best of the {count} single outcomes"
    elif len(table.outcomes) == 2:
        names, how = table.outcomes[:1], "S is the first of the two outcomes"
    else:
        wanted = "--outcome NAME, the event that was declared (repeat for a set of outcomes)"
        raise InputError(wanted, f"{len(table.outcomes)} outcomes and no event", "--event")
    return UnderTest(table.of(names), tuple(names), None, how)


def _level(claims: Sequence[Claim]) -> mpq:
    """e^epsilon of the first claim, from above, by which the choosing runs are judged; 1 for other claims."""
    first = claims[0]
    return level_above(first) if isinstance(first, ApproximateDP) and not first.level.is_infinite else mpq(1)


def _likeliest(table: CountTable, likelier: str) -> str:
    """The outcome with the largest ratio of frequencies, in the direction that is meant."""
    first, second = sum(table.first), sum(table.second)
    ratios = [mpq((2 * a + 1) * second, (2 * b + 1) * first) for a, b in zip(table.first, table.second, strict=True)]
    score = {"D": lambda r: r, "Dprime": lambda r: 1 / r, "either": lambda r: max(r, 1 / r)}[likelier]
    return max(zip(map(score, ratios), range(0, -len(ratios), -1), table.outcomes, strict=True))[2]


def _guesses(scores: CanaryScores, claims: Sequence[Claim], setup: Design) -> UnderTest:
    kind, used = setup.selection.kind, scores
    if setup.thresholds is not None:
        # For delta = 0 the p-value holds given the scores, and so for any number of guesses; for others that number has
        # to be fixed before the run (Steinke et al., theorem 5.2), which a rule that may abstain does not do.
        pure = all(isinstance(claim, ApproximateDP) and not claim.delta for claim in claims)
        if setup.thresholds[0] != setup.thresholds[1] and not pure:
            wanted = "one threshold T, as the number of guesses must be fixed before the run unless delta = 0"
            raise InputError(wanted, "LOW:HIGH, with abstentions between", "--threshold")
        limits, how = setup.thresholds, "guesses by the threshold as given"
    elif kind == "declared":
        raise InputError("--threshold T, the rule of the guesses that was declared", "none", "--event")
    elif kind == "split":
        choosing, used = scores.halves()
        best = choosing.best_threshold()
        limits, how = (
            (best, best),
            "guesses about every second canary, by the hash of its name, by the best threshold of the others",
        )
    else:
        count = len(set(scores.scores))
        if setup.selection.size < count:
            wanted = f"--threshold T, or a family of at least the {count} different scores, each of which is looked at"
            raise InputError(wanted, f"family:{setup.selection.size}", "--event")
        best = scores.best_threshold()
        limits, how = (best, best), f"guesses by the best of the {count} thresholds"
    return UnderTest(used.guessed(limits[1], limits[0]), None, limits, how)
