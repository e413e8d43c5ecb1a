"""The rows of the coverage table: what is enumerated, at which nominal level, and the exact result."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from gmpy2 import mpq

from oracle.channels.tradeoff import approximate_dp_curve
from oracle.claims import ApproximateDP, Claim, TradeoffClaim, parse_claim_text
from oracle.enclosures import Enclosure
from oracle.levels import Level
from oracle.special import phi_enclosure
from oracle.statistics.bayes import region_credibility
from oracle.statistics.best_threshold import corrected_critical, nominal_critical, null_rejection
from oracle.statistics.clopper_pearson import lower_bound, upper_bound
from oracle.statistics.counts import CountTable
from oracle.statistics.coverage import (
    Boundary,
    CountRule,
    approximate_dp_boundary,
    gaussian_boundary,
    rejection_of_best_outcome,
    rejection_of_split_outcome,
    response_share,
    size_of_counts,
    size_of_one_run,
    stopped_rejection,
    worst_miss,
)
from oracle.statistics.events import Count, EventCounts, judge_counts
from oracle.statistics.hypergeometric import fisher_p_value
from oracle.statistics.one_run import OneRun
from oracle.statistics.one_run_verdicts import judge_one_run
from oracle.statistics.selection import DECLARED, Selection
from tests.benchmarks.coverage import peers

LEVEL = mpq(1, 20)
OURS, PEER = "this project", "elsewhere"
_THIRDS = (mpq(1, 3), mpq(1, 3), mpq(1, 3))
_TWENTY = (20, 20)


@dataclass(frozen=True)
class Row:
    """One line of the table.

    Attributes:
        source: this project, or elsewhere.
        method: what is enumerated.
        setting: numbers of runs and the claim that holds.
        found: the largest probability of a false alarm (or a miss) that was found, exact.
        bound: that none exceeds, where it is proved; the same as *found* where that is the supremum itself.
    """

    source: str
    method: str
    setting: str
    found: mpq
    bound: mpq | None

    @property
    def keeps(self) -> bool:
        """Whether the rate is at most its nominal level, as far as it was looked at."""
        return max(self.found, self.bound or mpq(0)) <= LEVEL


def rows() -> Iterator[Row]:
    """Every row, ours first."""
    yield from _bounds()
    yield from _two_counts()
    yield from _selections()
    yield from _one_runs()
    yield from _bets()
    yield from _elsewhere()


def _exact(source: str, method: str, setting: str, found: mpq) -> Row:
    return Row(source, method, setting, found, found)


def _bounds() -> Iterator[Row]:
    for runs in (10, 20, 50):
        for lower, bound in ((True, lower_bound), (False, upper_bound)):
            name = f"Clopper-Pearson {'lower' if lower else 'upper'} bound on the grid of 1/10000"
            miss = worst_miss(lambda k, runs=runs, bound=bound: bound(k, runs, LEVEL), runs, lower=lower)
            yield _exact(OURS, name, f"n = {runs}, every p", miss)


def _seen(k1: int, k2: int, runs: tuple[int, int]) -> EventCounts:
    return EventCounts(Count(k1, runs[0]), Count(k2, runs[1]))


def _rule(claim: Claim, runs: tuple[int, int], selection: Selection = DECLARED, larger: str = "first") -> CountRule:
    def rejects(k1: int, k2: int) -> bool:
        return judge_counts(
            claim, _seen(k1, k2, runs), confidence=1 - LEVEL, selection=selection, larger=larger
        ).refuted

    return rejects


def _claims() -> Iterator[tuple[str, Claim, Boundary]]:
    for level, delta in (("1", "0"), ("2", "0"), ("3", "0"), ("2", "1/10")):
        words = f"e^epsilon = {level}" + (f", delta = {delta}" if delta != "0" else "")
        claim = ApproximateDP(Level.rational(mpq(level)), mpq(delta))
        yield words, claim, approximate_dp_boundary(mpq(level), mpq(delta))
    curve = TradeoffClaim(approximate_dp_curve(mpq(2), mpq(1, 10)))
    yield "f of (log 2, 1/10)", curve, approximate_dp_boundary(mpq(2), mpq(1, 10))
    yield "mu = 1", parse_claim_text("mu=1"), gaussian_boundary(mpq(1))


def _two_counts() -> Iterator[Row]:
    for words, claim, boundary in _claims():
        size = size_of_counts(_rule(claim, _TWENTY), _TWENTY, boundary)
        yield Row(OURS, "two counts, event declared", f"20 and 20 runs, {words}", size.found, size.bound)
    size = size_of_counts(
        _rule(parse_claim_text("E=2"), _TWENTY, larger="either"), _TWENTY, approximate_dp_boundary(mpq(2), mpq(0))
    )
    yield Row(OURS, "two counts, likelier on either input", "20 and 20 runs, e^epsilon = 2", size.found, size.bound)

    def fisher(k1: int, k2: int) -> bool:
        return fisher_p_value(_seen(k1, k2, _TWENTY)) <= LEVEL

    size = size_of_counts(fisher, _TWENTY, approximate_dp_boundary(mpq(1), mpq(0)))
    yield Row(OURS, "Fisher's exact test", "20 and 20 runs, epsilon = 0", size.found, size.bound)


def _selections() -> Iterator[Row]:
    runs, claim = (15, 15), parse_claim_text("E=1")
    paid = rejection_of_best_outcome(_rule(claim, runs, Selection("family", 3)), runs, _THIRDS)
    yield _exact(
        OURS, "the best of a family of 3 events", "15 and 15 runs, 3 equally likely outcomes, epsilon = 0", paid
    )

    def choose(first: tuple[int, ...], second: tuple[int, ...]) -> list[int]:
        table = CountTable(("0", "1", "2"), (1, 1, 1), (1, 1, 1), (first, second))
        return [int(name) for name in table.chosen(mpq(1))]

    split = rejection_of_split_outcome(_rule(claim, runs), runs, _THIRDS, choose, (8, 8))
    setting = "8 and 8 runs choose, 15 and 15 count, 3 equally likely outcomes, epsilon = 0"
    yield _exact(OURS, "an event chosen on other runs", setting, split)
    for canaries in (20, 100, 1000):
        rate = null_rejection(canaries, corrected_critical(canaries, LEVEL))
        yield _exact(OURS, "best threshold of the same scores, its own law", f"{canaries} canaries, epsilon = 0", rate)


def _one_runs() -> Iterator[Row]:
    for level, delta in (("1", "0"), ("4", "0"), ("4", "1/1000")):
        claim = ApproximateDP(Level.rational(mpq(level)), mpq(delta))
        words = f"e^epsilon = {level}" + (f", delta = {delta}" if delta != "0" else "")
        share = response_share(mpq(level), mpq(delta))
        yield _one_run("one run, exact p-value", claim, f"100 guesses, {words}", share)
    method = "one run, recursion for a trade-off function"
    curve = TradeoffClaim(approximate_dp_curve(mpq(3), mpq(0)))
    yield _one_run(method, curve, "30 guesses, f of log 3", response_share(mpq(3), mpq(0)))
    gaussian = phi_enclosure(mpq(1, 2))
    share = gaussian.hi if isinstance(gaussian, Enclosure) else gaussian
    yield _one_run(method, parse_claim_text("mu=1"), "30 guesses, mu = 1", share)


def _one_run(method: str, claim: Claim, setting: str, share: mpq) -> Row:
    guesses = int(setting.split(maxsplit=1)[0])

    def rejects(correct: int) -> bool:
        return judge_one_run(claim, OneRun(guesses, guesses, correct), confidence=1 - LEVEL).refuted

    size = size_of_one_run(rejects, guesses, share)
    # For (log E, 0) no mechanism makes more of the guesses right.
    worst = isinstance(claim, ApproximateDP) and not claim.delta
    return Row(OURS, method, setting, size, size if worst else None)


def _bets() -> Iterator[Row]:
    for level, delta, bet in (("1", "0", "1/2"), ("2", "1/10", "1/4")):
        found = max(
            stopped_rejection(mpq(level), mpq(delta), bet=mpq(bet), threshold=1 / LEVEL, pairs=20, q=mpq(j, 10))
            for j in range(11)
            if mpq(level) * mpq(j, 10) + mpq(delta) <= 1
        )
        setting = f"20 pairs, stopped as soon as it rejects, e^epsilon = {level}, delta = {delta}"
        yield Row(OURS, f"e-value with the bet {bet}", setting, found, None)


def _elsewhere() -> Iterator[Row]:
    for level in ("61/50", "2"):

        def credible(k1: int, k2: int, level: str = level) -> bool:
            return region_credibility(_seen(k1, k2, _TWENTY), mpq(level), mpq(0)) <= LEVEL

        size = size_of_counts(credible, _TWENTY, approximate_dp_boundary(mpq(level), mpq(0)), 50)
        method = "posterior probability of the region, uniform priors"
        yield Row(PEER, method, f"20 and 20 runs, e^epsilon = {level}", size.found, size.bound)
    yield from _in_doubles(float(LEVEL))
    unpaid = rejection_of_best_outcome(
        lambda k1, k2: fisher_p_value(_seen(k1, k2, (15, 15))) <= LEVEL, (15, 15), _THIRDS
    )
    setting = "15 and 15 runs, 3 equally likely outcomes, epsilon = 0"
    yield _exact(PEER, "Fisher's exact test of the best outcome, nothing paid", setting, unpaid)
    for canaries in (20, 100, 1000):
        rate = null_rejection(canaries, nominal_critical(canaries, LEVEL))
        yield _exact(PEER, "best threshold of the same scores, nothing paid", f"{canaries} canaries, epsilon = 0", rate)


def _in_doubles(level: float) -> Iterator[Row]:
    for name, bound in (("Clopper-Pearson in doubles", peers.clopper_pearson), ("Jeffreys", peers.jeffreys)):
        for e in (1, 3):
            rule = peers.rectangle(bound, _TWENTY, e, 0.0, level)
            size = size_of_counts(rule, _TWENTY, approximate_dp_boundary(mpq(e), mpq(0)))
            yield Row(PEER, f"{name}, half the level each", f"20 and 20 runs, e^epsilon = {e}", size.found, size.bound)
    yield from _misses(peers.jeffreys, "Jeffreys")
    for e in (1, 3):
        rule = peers.normal_test(_TWENTY, e, 0.0, level)
        size = size_of_counts(rule, _TWENTY, approximate_dp_boundary(mpq(e), mpq(0)))
        yield Row(PEER, "normal approximation (Wald)", f"20 and 20 runs, e^epsilon = {e}", size.found, size.bound)
    runs = (49, 49)
    plain = peers.rectangle(peers.clopper_pearson, runs, 1, 0.0, level)
    for method, rule in (
        ("Clopper-Pearson in doubles, half the level each", plain),
        ("the same, counts rebuilt as int((k/n)*n)", peers.rebuilt(plain, runs)),
    ):
        size = size_of_counts(rule, runs, approximate_dp_boundary(mpq(1), mpq(0)), 50)
        yield Row(PEER, method, "49 and 49 runs, e^epsilon = 1", size.found, size.bound)


def _misses(bound: Callable[[int, int, float], float], name: str) -> Iterator[Row]:
    for runs in (10, 20, 50):
        miss = worst_miss(lambda k, runs=runs: mpq(bound(k, runs, float(LEVEL))), runs, lower=True)
        yield _exact(PEER, f"{name} lower bound", f"n = {runs}, every p", miss)
