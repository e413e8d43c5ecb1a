"""Speed of exact composition, each figure from the expression or the table on: nothing is kept between the runs.

    python tests/benchmarks/bench_composition.py

Prints the best of some runs beside the time that is allowed for it; exits 1 if one is above.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import oracle
from oracle.channels.canonical import likelihood_order
from oracle.channels.channel import Channel
from oracle.channels.composition import power
from oracle.channels.galois import scaled_corners

RUNS = 5
K = 10_000
RESPONSES = {"mechanism": "repeat", "times": K, "of": {"mechanism": "randomized_response", "exp_epsilon": "3"}}
UNEVEN = {"mechanism": "repeat", "times": K, "of": {"matrix": [["3/4", "1/4"], ["2/5", "3/5"]]}}
GENERIC = [["1/2", "1/3", "1/6"], ["1/7", "2/7", "4/7"]]
THOUSANDTHS = [["101/1000", "399/1000", "1/2"], ["333/1000", "334/1000", "333/1000"]]


def corners(of: list[list[str]], times: int) -> None:
    """All corners as integers over one denominator."""
    composed = power(Channel(of), times)
    alphas, betas = scaled_corners(likelihood_order(composed))
    assert len(alphas) == len(betas) == times + 2
    assert betas[0] == composed.scale
    assert alphas[-1] == composed.scale


def columns(of: list[list[str]], times: int) -> None:
    """A composition of three columns of independent ratios."""
    assert power(Channel(of), times).shape == (2, (times + 1) * (times + 2) // 2)


FIGURES: list[tuple[str, float, Callable[[], object]]] = [
    (f"delta of {K} randomized responses", 0.2, lambda: oracle.delta(RESPONSES, exp_epsilon="3")),
    ("    at e^epsilon = 3^5000", 0.2, lambda: oracle.delta(RESPONSES, exp_epsilon=str(3**5000))),
    ("    at epsilon = 100 (an enclosure)", 0.2, lambda: oracle.delta(RESPONSES, epsilon="100")),
    (f"epsilon of {K} randomized responses at 1e-6", 0.2, lambda: oracle.epsilon(RESPONSES, "1e-6")),
    ("    at delta = 0", 0.2, lambda: oracle.epsilon(RESPONSES, "0")),
    (f"delta of {K} runs of two uneven columns", 0.2, lambda: oracle.delta(UNEVEN, exp_epsilon="3")),
    (f"{K + 2} corners as integers over one denominator", 0.5, lambda: corners([["3/4", "1/4"], ["1/4", "3/4"]], K)),
    ("100 runs of a generic channel of three columns", 0.1, lambda: columns(GENERIC, 100)),
    ("    with entries in thousandths", 0.1, lambda: columns(THOUSANDTHS, 100)),
]


def seconds(call: Callable[[], object]) -> float:
    """The best of RUNS runs."""
    best = float("inf")
    for _ in range(RUNS):
        start = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - start)
    return best


def main() -> int:
    """Print every figure; 0 if all are within their time."""
    missed = 0
    print(f"{'':52} {'seconds':>8} {'allowed':>8}")
    for name, allowed, call in FIGURES:
        taken = seconds(call)
        missed += taken > allowed
        print(f"{name:52} {taken:8.3f} {allowed:8.1f}{'' if taken <= allowed else '  MISSED'}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
