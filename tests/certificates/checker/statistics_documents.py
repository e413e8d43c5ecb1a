"""Hand-made certificates of refutations by samples, worked out on paper; see `documents`.

Ten of ten runs: x^10 <= 1/40 for x = 69/100 (0.02446), not for 70/100 (0.02825); none of ten: 1 - x is the other bound.
"""

from __future__ import annotations

from typing import Any

ALL = {"hits": "10", "runs": "10"}
NONE = {"hits": "0", "runs": "10"}
LOWER = {"bound": "69/100", "level": "1/40"}
UPPER = {"bound": "31/100", "level": "1/40"}
DOUBLED = {"tradeoff": {"breakpoints": [["0", "1"], ["1/3", "1/3"], ["1", "0"]]}}

SEEN = {
    "selection": {"kind": "declared"},
    "confidence": "19/20",
    "counts": {"first": ALL, "second": NONE},
    "larger": "first",
    "statements": "1",
    "lower": LOWER,
    "upper": UPPER,
    "grid": "100",
    "region": "event",
}

STATISTICS: dict[str, tuple[str, dict[str, Any]]] = {
    # 69/100 - 2 * 31/100 = 7/100.
    "count_refutation: all against none": (
        "count_refutation",
        {
            **SEEN,
            "claim": {"exp_epsilon": "2", "delta": "1/100"},
            "direction": "forward",
            "violation": {"level": "2", "excess": "7/100"},
        },
    ),
    # e^(2/3) = 1.9477 <= 39/20; the complement has at least 69/100 on D' and at most 31/100 on D.
    "count_refutation: the complement, one of two": (
        "count_refutation",
        {
            **SEEN,
            "claim": {"epsilon": "2/3", "delta": "0"},
            "selection": {"kind": "family", "size": "2"},
            "confidence": "9/10",
            "region": "complement",
            "direction": "backward",
            "violation": {"level": "39/20", "excess": "171/2000"},
        },
    ),
    # f(31/100) = 38/100 > 31/100.
    "count_refutation: a curve": (
        "count_refutation",
        {
            **SEEN,
            "claim": DOUBLED,
            "selection": {"kind": "split"},
            "direction": "backward",
            "violation": {"alpha": "31/100", "beta": "31/100", "claimed": "19/50"},
        },
    ),
    # Phi(49/100) = 0.6879 <= 69/100 and Phi(-1/100) = 0.4960 > 31/100.
    "count_refutation: mu, either way": (
        "count_refutation",
        {
            **SEEN,
            "claim": {"mu": "1/2"},
            "counts": {"first": NONE, "second": ALL},
            "larger": "second",
            "statements": "2",
            "confidence": "9/10",
            "region": "complement",
            "direction": "backward",
            "violation": {"alpha": "31/100", "beta": "31/100", "threshold": "49/100"},
        },
    ),
    # 256/6561 + 2 * 10/1000 * (1792 + 1792 + 1024)/(3 * 6561) = 0.043701.
    "one_run_refutation: eight of eight": (
        "one_run_refutation",
        {
            "claim": {"exp_epsilon": "2", "delta": "1/1000"},
            "selection": {"kind": "declared"},
            "confidence": "19/20",
            "run": {"canaries": "10", "guesses": "8", "correct": "8"},
            "p_value": "11/250",
            "violation": {"level": "2"},
        },
    ),
    # f^-1(1 - x) = x/2 up to x = 2/3, so that S_8 = 1/25 leads to S_0 > 1; RR of level 2 has (2/3)^8 = 0.03902.
    "one_run_refutation: a curve, one of two": (
        "one_run_refutation",
        {
            "claim": DOUBLED,
            "selection": {"kind": "family", "size": "2"},
            "confidence": "9/10",
            "run": {"canaries": "10", "guesses": "8", "correct": "8"},
            "p_value": "1/25",
            "violation": {},
        },
    ),
    # r_10 = 1/20 and Phi(-1.7) = 0.0446 <= r_10; Phi(-1.95) = 0.025588, S_9 = 0.3059, r_9 = 0.2803;
    # Phi(-0.6) = 0.2743 <= r_9; Phi(-0.85) = 0.1977, S_8 = (10 * 0.1977 + 0.3559)/2 = 1.166.
    "one_run_refutation: mu": (
        "one_run_refutation",
        {
            "claim": {"mu": "1/4"},
            "selection": {"kind": "split"},
            "confidence": "19/20",
            "run": {"canaries": "10", "guesses": "10", "correct": "10"},
            "p_value": "1/20",
            "violation": {"thresholds": ["-17/10", "-3/5"]},
        },
    ),
    # Factors 1, 2, 0, 1: 2^5 = 32 >= 20.
    "e_value_refutation: only on D": (
        "e_value_refutation",
        {
            "claim": {"exp_epsilon": "1", "delta": "0"},
            "selection": {"kind": "declared"},
            "confidence": "19/20",
            "counts": {"both": "3", "only_on_D": "5", "only_on_Dprime": "0", "neither": "2"},
            "larger": "first",
            "bet": "1",
            "level": "1",
            "threshold": "20",
        },
    ),
    # e^(1/2) = 1.6487 <= 5/3. Factors 2/3, 3/2 (only on D'), 1/6, 1: (2/3)^2 (3/2)^12 = (3/2)^10 = 57.67 >= 40.
    "e_value_refutation: on D', one of two": (
        "e_value_refutation",
        {
            "claim": {"epsilon": "1/2", "delta": "0"},
            "selection": {"kind": "family", "size": "2"},
            "confidence": "19/20",
            "counts": {"both": "2", "only_on_D": "0", "only_on_Dprime": "12", "neither": "7"},
            "larger": "second",
            "bet": "1/2",
            "level": "5/3",
            "threshold": "40",
        },
    ),
}
