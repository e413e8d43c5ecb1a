"""Audits from samples: what counts say of claims, with the choice of the event paid for: refuted or undecided.

Counts never show that a claim holds. Of a refutation there is a certificate, which the independent checker has
accepted; of what is left undecided it is said at which confidence these counts would refute, and which violation as
many runs would have found.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from gmpy2 import mpq

from oracle.audits.findings import Stated
from oracle.audits.statistics_design import Design, UnderTest
from oracle.certificates.checker import Rejected, check
from oracle.certificates.documents import Certificate
from oracle.channels.divergences import Direction
from oracle.claims import ApproximateDP, Claim, EventClaim, GaussianDP
from oracle.errors import UndecidedError
from oracle.json_text import canonical
from oracle.levels import Level
from oracle.statistics.e_values import EValueVerdict, judge_pairs
from oracle.statistics.events import CountVerdict, EventCounts, judge_counts
from oracle.statistics.one_run import OneRun, largest_refuted_exp_epsilon
from oracle.statistics.one_run_verdicts import OneRunVerdict, judge_one_run
from oracle.statistics.planning import CountTest, Violation, least_found, least_found_in_one_run
from oracle.statistics.searching import last_true
from oracle.statistics.selection import tail_levels

__all__ = ["Bound", "CountFinding", "judge_claims"]

_LEVEL_GRID: Final = 1000
_PLANNED_RUNS: Final = 10**8
_BOUNDED_GUESSES: Final = 20_000
_PLANNED_GUESSES: Final = 5000
"""Above these nothing is searched that takes many p-values, each of which takes seconds."""


@dataclass(frozen=True, slots=True)
class Bound:
    """How far counts refute: every e^epsilon below *exp_epsilon*.

    *certificate* is that of *exp_epsilon* itself, where that is refuted as well; with None the certificate of the
    claim has the bounds of P(S) and Q(S) that prove it.
    """

    exp_epsilon: mpq
    certificate: Certificate | None


@dataclass(frozen=True, slots=True)
class CountFinding:
    """What was found of one claim.

    Attributes:
        refuted: otherwise it is undecided.
        statement: the verified inequality in words, or the one that fails.
        certificate: of a refutation.
        bound: how far these counts refute (epsilon, delta) claims with the claimed delta. None for other claims.
        least_level: the least multiple of 1/1000 that refutes in the place of 1 - confidence; None if none does.
        violation: the smallest one that as many runs find with probability 1/2; None if there is none, or too many
            runs to tell quickly.
    """

    refuted: bool
    statement: str
    certificate: Certificate | None
    bound: Bound | None = None
    least_level: mpq | None = None
    violation: Violation | None = None
    assumptions: tuple[str, ...] = ()


def judge_claims(stated: Sequence[Stated], test: UnderTest, setup: Design) -> list[CountFinding]:
    """What the counts say of every claim; each certificate accepted by the checker.

    Raises:
        Declined: for a claim that these counts do not test.
        UndecidedError: for a certificate that the checker refuses.
    """
    return [_finding(item, test, setup) for item in stated]


def _finding(stated: Stated, test: UnderTest, setup: Design) -> CountFinding:
    claim = stated.claim
    verdict = _verdict(claim, test, setup)
    if not verdict.refuted:
        found = CountFinding(False, verdict.statement, None, assumptions=verdict.assumptions)
        least = _least_level(claim, test, setup, verdict)
        return replace(found, least_level=least, violation=_violation(claim, test, setup))
    _check(verdict.certificate, stated)
    bound = _bound(claim, test, setup, verdict)
    if bound is not None and bound.certificate is not None:
        _check(bound.certificate, stated)
    return CountFinding(True, verdict.statement, verdict.certificate, bound, assumptions=verdict.assumptions)


def _check(certificate: Certificate | None, stated: Stated) -> None:
    """Have the checker accept a certificate, through its text, which is what a reader of it has."""
    try:
        check(json.loads(canonical(certificate)))
    except Rejected as reason:
        question = f'the checker does not accept the certificate of "{stated.written}": {reason}'
        raise UndecidedError(question, 0) from None


def _verdict(claim: Claim, test: UnderTest, setup: Design) -> CountVerdict | OneRunVerdict | EValueVerdict:
    counts = test.counts
    if isinstance(counts, OneRun):
        return judge_one_run(claim, counts, confidence=setup.confidence, selection=setup.selection)
    if isinstance(counts, EventCounts):
        return judge_counts(
            claim,
            counts,
            confidence=setup.confidence,
            selection=setup.selection,
            direction=setup.direction,
            larger=setup.larger,
        )
    return judge_pairs(
        claim,
        counts,
        bet=setup.wager,
        confidence=setup.confidence,
        selection=setup.selection,
        larger="first" if setup.likelier == "D" else "second",
    )


def _bound(
    claim: Claim, test: UnderTest, setup: Design, verdict: CountVerdict | OneRunVerdict | EValueVerdict
) -> Bound | None:
    """Up to which e^epsilon, at the claimed delta, the counts refute."""
    if not isinstance(claim, ApproximateDP):
        return None
    if isinstance(verdict, CountVerdict):
        sides = verdict.bounds[0].regions()
        directions = {"first": "forward", "second": "backward"}
        kept = [side for side in sides if setup.direction in ("both", directions[side[1]])]
        return Bound(max((lower - claim.delta) / upper for _, _, lower, upper in kept if upper), None)
    if isinstance(test.counts, OneRun) and test.counts.guesses <= _BOUNDED_GUESSES:
        largest = largest_refuted_exp_epsilon(test.counts, claim.delta, setup.level)
        if largest is not None:
            strongest = ApproximateDP(Level.rational(largest), claim.delta)
            return Bound(largest, _verdict(strongest, test, setup).certificate)
    return None


def _least_level(
    claim: Claim, test: UnderTest, setup: Design, verdict: CountVerdict | OneRunVerdict | EValueVerdict
) -> mpq | None:
    """The least multiple of 1/1000 below 1 that refutes in the place of 1 - confidence."""
    known = None
    if isinstance(verdict, OneRunVerdict) and verdict.p_value is not None:
        known = verdict.p_value * setup.selection.size
    elif isinstance(verdict, EValueVerdict):
        known = setup.selection.size / verdict.capital if verdict.capital else mpq(1)
    if known is not None:
        scaled = known * _LEVEL_GRID
        j = int(-(-scaled.numerator // scaled.denominator))
        return mpq(j, _LEVEL_GRID) if j < _LEVEL_GRID else None

    def undecided(j: int) -> bool:
        return not j or not _verdict(claim, test, replace(setup, confidence=1 - mpq(j, _LEVEL_GRID))).refuted

    j = last_true(undecided, _LEVEL_GRID // 10, _LEVEL_GRID) + 1
    return None if j == _LEVEL_GRID else mpq(j, _LEVEL_GRID)


def _violation(claim: Claim, test: UnderTest, setup: Design) -> Violation | None:
    """The smallest violation that as many runs find with probability 1/2."""
    counts = test.counts
    if isinstance(counts, OneRun):
        return _one_run_violation(claim, counts, setup)
    if not isinstance(counts, EventCounts) or not isinstance(claim, EventClaim | GaussianDP):
        return None
    first, second = counts.ordered("second" if setup.likelier == "Dprime" else "first")
    if max(first.runs, second.runs) > _PLANNED_RUNS:
        return None
    mirrored: dict[Direction, Direction] = {"both": "both", "forward": "backward", "backward": "forward"}
    direction = mirrored[setup.direction] if setup.likelier == "Dprime" else setup.direction
    levels = tail_levels(setup.confidence, setup.selection, 2 if setup.likelier == "either" else 1)
    return least_found(CountTest(claim, (first.runs, second.runs), levels, direction))


def _one_run_violation(claim: Claim, run: OneRun, setup: Design) -> Violation | None:
    if run.guesses > _PLANNED_GUESSES:
        return None

    def undecided(correct: int) -> bool:
        tried = UnderTest(replace(run, correct=correct), None, None, "")
        return not _verdict(claim, tried, setup).refuted

    critical = last_true(undecided, run.correct, run.guesses + 1) + 1
    return least_found_in_one_run(critical if critical <= run.guesses else None, run.guesses)
