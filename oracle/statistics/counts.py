"""What was counted before an event is: tables of outcomes, canary scores, pairs of runs; integers, never frequencies.

D is the input whose runs follow P, D' (written ``Dprime`` in files) the one whose runs follow Q. An event S is a set of
outcomes. A threshold turns scores into the guesses of a :class:`~oracle.statistics.one_run.OneRun`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256

from gmpy2 import mpq

from oracle.errors import InputError, LimitError, shorten
from oracle.statistics.events import Count, EventCounts
from oracle.statistics.one_run import OneRun

__all__ = ["MAX_COUNT", "CanaryScores", "CountTable", "PairCounts", "parse_count"]

MAX_COUNT = 10**9
"""Most runs, the largest number for which tails are certified."""

_DIGITS = re.compile(r"[0-9]+")
_FREQUENCY = re.compile(r"[-+]?(?:[0-9]*[.][0-9]*(?:[eE][-+]?[0-9]+)?|[0-9]+/[0-9]+|[0-9.]+[eE][-+]?[0-9]+|[0-9.]+ ?%)")
_COUNTED = "a count, a whole number of runs such as 750"


def parse_count(value: object, where: str) -> int:
    """Read a count: a JSON integer, or text of digits alone.

    Raises:
        InputError: for a negative number, a frequency such as 0.75, 3/4 or 75%, or anything else.
        LimitError: for more than :data:`MAX_COUNT`.
    """
    text = value.strip() if isinstance(value, str) else getattr(value, "text", None)
    if text is not None:
        if _FREQUENCY.fullmatch(text):
            got = f"{shorten(text)}: a count is never made again from a frequency; give the number of runs itself"
            raise InputError(_COUNTED, got, where)
        if text.startswith("-") and _DIGITS.fullmatch(text[1:]):
            raise InputError("a count at least 0", shorten(text), where)
        if not _DIGITS.fullmatch(text):
            raise InputError(_COUNTED, f'"{shorten(text)}"', where)
        if len(text.lstrip("0")) > len(str(MAX_COUNT)):
            raise LimitError(f"a count of at most {MAX_COUNT}", shorten(text), where)
        number = int(text)
    elif isinstance(value, int) and not isinstance(value, bool):
        number = value
    else:
        raise InputError(_COUNTED, shorten(value), where)
    if number < 0:
        raise InputError("a count at least 0", str(number), where)
    if number > MAX_COUNT:
        raise LimitError(f"a count of at most {MAX_COUNT}", str(number), where)
    return number


@dataclass(frozen=True, slots=True)
class PairCounts:
    """Runs in pairs, one on D and one on D': in how many both, only one, or none of the two had the event."""

    both: int
    first_only: int
    second_only: int
    neither: int

    def __post_init__(self) -> None:
        for name, value in self._named().items():
            parse_count(value, name)
        if self.pairs < 1:
            raise InputError("at least one pair of runs", "0", "counts")
        if self.pairs > MAX_COUNT:
            raise LimitError(f"at most {MAX_COUNT} pairs of runs", str(self.pairs), "counts")

    @property
    def pairs(self) -> int:
        """How many pairs of runs there are."""
        return self.both + self.first_only + self.second_only + self.neither

    def to_json(self) -> dict[str, str]:
        """``{"both": ..., "only_on_D": ..., "only_on_Dprime": ..., "neither": ...}``, the counts as strings."""
        return {name: str(value) for name, value in self._named().items()}

    def _named(self) -> dict[str, int]:
        values = (self.both, self.first_only, self.second_only, self.neither)
        return dict(zip(("both", "only_on_D", "only_on_Dprime", "neither"), values, strict=True))

    def swapped(self) -> PairCounts:
        """The same with D and D' exchanged."""
        return PairCounts(self.both, self.second_only, self.first_only, self.neither)


@dataclass(frozen=True, slots=True)
class CountTable:
    """How often each outcome came: in runs on D and on D', and, where there are, in the other runs that choose S.

    Attributes:
        outcomes: the names, each once.
        first: how many of the counted runs on D had each outcome.
        second: the same on D'.
        choosing: the same two lists of runs that only serve to choose the event, or None.

    Raises:
        InputError: for no outcome, lists of different lengths, or an input without a run.
    """

    outcomes: tuple[str, ...]
    first: tuple[int, ...]
    second: tuple[int, ...]
    choosing: tuple[tuple[int, ...], tuple[int, ...]] | None = None

    def __post_init__(self) -> None:
        if not self.outcomes:
            raise InputError("at least one outcome", "none", "counts")
        lists = [("D", self.first), ("D'", self.second)]
        if self.choosing is not None:
            lists += [("D, of those that choose", self.choosing[0]), ("D', of those that choose", self.choosing[1])]
        for name, counts in lists:
            if len(counts) != len(self.outcomes):
                raise InputError(f"{len(self.outcomes)} counts", f"{len(counts)} on {name}", "counts")
            if not sum(counts):
                raise InputError(f"at least one run on {name}", "0: every count is 0", "counts")

    def of(self, event: Sequence[str], where: str = "--outcome") -> EventCounts:
        """The counts of an event, a set of outcomes by their names.

        Raises:
            InputError: for an unknown name, one named twice, no name, or all of them, which is no event to test.
        """
        places = list(self._places(event, where))
        if not 0 < len(places) < len(self.outcomes):
            got = "none of them" if not places else "all of them, which every run has"
            raise InputError("some of the outcomes, not all", got, where)
        first, second = (Count(sum(column[k] for k in places), sum(column)) for column in (self.first, self.second))
        return EventCounts(first, second)

    def _places(self, event: Sequence[str], where: str) -> Iterator[int]:
        known, seen = {name: k for k, name in enumerate(self.outcomes)}, set()
        for name in event:
            if name not in known:
                told = ", ".join(f'"{shorten(outcome)}"' for outcome in self.outcomes[:10])
                more = ", ..." if len(self.outcomes) > 10 else ""
                raise InputError(f"the name of an outcome ({told}{more})", f'"{shorten(name)}"', where)
            if name in seen:
                raise InputError("each outcome once", f'"{shorten(name)}" twice', where)
            seen.add(name)
            yield known[name]

    def chosen(self, exp_epsilon: mpq, *, swapped: bool = False) -> tuple[str, ...]:
        """The event that the choosing runs propose: the outcomes x with p(x) > e^epsilon q(x) by their frequencies.

        This is the event that violates P(S) <= e^epsilon Q(S) the most if the frequencies are right. Where no outcome
        is in it, the one of the largest ratio. The counted runs have no part in it.

        Args:
            exp_epsilon: of the claim, a rational number at least 1.
            swapped: whether Q(S) is to be large.

        Raises:
            InputError: for a table without choosing runs.
        """
        if self.choosing is None:
            wanted = "columns choose_on_D and choose_on_Dprime of the runs that choose the event, or --outcome NAME"
            raise InputError(wanted, "neither", "--event")
        first, second = self.choosing[::-1] if swapped else self.choosing
        p, q = [mpq(c, sum(first)) for c in first], [mpq(c, sum(second)) for c in second]
        found = [name for name, a, b in zip(self.outcomes, p, q, strict=True) if a > exp_epsilon * b]
        if found and len(found) < len(self.outcomes):
            return tuple(found)
        # Half a hit more on each side, so that every ratio is a number.
        ratios = [(a + mpq(1, 2 * sum(first))) / (b + mpq(1, 2 * sum(second))) for a, b in zip(p, q, strict=True)]
        return (self.outcomes[ratios.index(max(ratios))],)


@dataclass(frozen=True, slots=True)
class CanaryScores:
    """The scores of the canaries of one run, each with its name and whether it was in the data.

    Raises:
        InputError: for lists of different lengths, or a name twice.
    """

    names: tuple[str, ...]
    members: tuple[bool, ...]
    scores: tuple[mpq, ...]

    def __post_init__(self) -> None:
        if not len(self.names) == len(self.members) == len(self.scores):
            raise InputError("a name, a membership and a score for each canary", "lists of different lengths", "scores")
        seen: set[str] = set()
        for name in self.names:
            if name in seen:
                raise InputError("each canary once", f'"{shorten(name)}" twice', "scores")
            seen.add(name)

    def guessed(self, above: mpq, below: mpq | None = None) -> OneRun:
        """The guesses of a threshold rule: in where score >= *above*, out where score < *below*, else none.

        Without *below* it is *above*, and there are no abstentions.

        Raises:
            InputError: for *below* > *above*, or where no score leads to a guess.
        """
        low = above if below is None else below
        if low > above:
            raise InputError("out below a threshold that is at most that for in", "the wrong order", "--threshold")
        right = guesses = 0
        for member, score in zip(self.members, self.scores, strict=True):
            if score >= above or score < low:
                guesses += 1
                right += member is (score >= above)
        return OneRun(len(self.scores), guesses, right)

    def halves(self) -> tuple[CanaryScores, CanaryScores]:
        """Two halves, whatever the scores: every second canary in the order of the SHA-256 of the names.

        An order of the names themselves could follow the memberships, as in-1, out-1, in-2, out-2 does.
        """
        order = sorted(
            range(len(self.names)), key=lambda k: sha256(self.names[k].encode("utf-8", "surrogatepass")).digest()
        )
        return self._some(order[::2]), self._some(order[1::2])

    def _some(self, places: Sequence[int]) -> CanaryScores:
        return CanaryScores(
            tuple(self.names[k] for k in places),
            tuple(self.members[k] for k in places),
            tuple(self.scores[k] for k in places),
        )

    def best_threshold(self) -> mpq:
        """The score t for which guessing in from t on and out below is right most often, the least of several."""
        ranked = sorted(zip(self.scores, self.members, strict=True), reverse=True)
        right, best = sum(not member for member in self.members), -1
        threshold = ranked[0][0]
        for k, (score, member) in enumerate(ranked):
            right += 1 if member else -1
            last = k + 1 == len(ranked) or ranked[k + 1][0] != score
            if last and right >= best:
                best, threshold = right, score
        return threshold
