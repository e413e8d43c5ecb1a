"""Speed of verdicts from samples, certificate and check included, on one core, best of five.

    python tests/benchmarks/bench_statistics.py

Prints milliseconds of CPU beside what is allowed; exits 1 if a figure is above it.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

from gmpy2 import mpq

from oracle.certificates.checker import check
from oracle.channels.tradeoff import approximate_dp_curve
from oracle.claims import Claim, GaussianDP, TradeoffClaim, parse_claim_text
from oracle.statistics import (
    Count,
    EventCounts,
    OneRun,
    corrected_critical,
    hypergeometric_tail_bounds,
    judge_counts,
    judge_one_run,
    largest_refuted_exp_epsilon,
)

CONFIDENCE = mpq(19, 20)
DOUBLED = parse_claim_text("E=2,delta=1/1000")
FOURFOLD = parse_claim_text("E=4,delta=1e-5")
CURVE = TradeoffClaim(approximate_dp_curve(mpq(4), mpq(1, 10**5)))


def counted(runs: int) -> Callable[[], object]:
    """Three quarters of the runs on D and a quarter of those on D'."""
    counts = EventCounts(Count(3 * runs // 4, runs), Count(runs // 4, runs))
    return lambda: judge_counts(DOUBLED, counts, confidence=CONFIDENCE)


def checked(runs: int) -> Callable[[], object]:
    """The check alone of the certificate of those counts."""
    counts = EventCounts(Count(3 * runs // 4, runs), Count(runs // 4, runs))
    certificate = judge_counts(DOUBLED, counts, confidence=CONFIDENCE).certificate
    return lambda: check(certificate)


def guessed(claim: Claim, guesses: int, correct: int) -> Callable[[], object]:
    """One run with a thousand canaries."""
    return lambda: judge_one_run(claim, OneRun(1000, guesses, correct), confidence=CONFIDENCE)


FIGURES: list[tuple[str, int, Callable[[], object]]] = [
    ("two counts, n = 1,000", 10, counted(1000)),
    ("two counts, n = 10,000", 500, counted(10**4)),
    ("two counts, n = 10^6", 2000, counted(10**6)),
    ("two counts, n = 10^8", 20_000, counted(10**8)),
    ("two counts, n = 10^9", 60_000, counted(10**9)),
    ("    check alone, n = 1,000", 10, checked(1000)),
    ("    check alone, n = 10^8", 20_000, checked(10**8)),
    ("one run, m = 1,000, 90 of 100 right", 50, guessed(FOURFOLD, 100, 90)),
    ("one run, m = 1,000, 850 of 1,000 right", 50, guessed(FOURFOLD, 1000, 850)),
    ("    a trade-off function", 500, guessed(CURVE, 1000, 850)),
    ("    mu = 1/2", 1000, guessed(GaussianDP(mpq(1, 2)), 1000, 850)),
    (
        "    largest refuted E on thousandths",
        500,
        lambda: largest_refuted_exp_epsilon(OneRun(1000, 1000, 850), mpq(1, 10**5), mpq(1, 20)),
    ),
    ("best of 1,001 thresholds, corrected value", 500, lambda: corrected_critical(1000, mpq(1, 20))),
    (
        "hypergeometric tail of 10^9 items",
        5000,
        lambda: hypergeometric_tail_bounds(10**9, 5 * 10**8, 5 * 10**8, 250_010_000, "upper"),
    ),
]


def main() -> int:
    """Print every figure; 0 if all are within their time."""
    missed = 0
    print(f"{'':44} {'ms':>9} {'allowed':>8}")
    for name, allowed, call in FIGURES:
        best = float("inf")
        for _ in range(5):
            start = time.process_time()
            call()
            best = min(best, 1000 * (time.process_time() - start))
        missed += best > allowed
        print(f"{name:44} {best:9.2f} {allowed:8d}" + ("  MISSED" if best > allowed else ""), flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
