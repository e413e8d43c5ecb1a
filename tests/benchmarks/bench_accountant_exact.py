"""Speed and accuracy of the exact and independent methods of the accountant, on one core, one run of each.

    python tests/benchmarks/bench_accountant_exact.py

Prints CPU seconds beside what is allowed, the relative width of the answer, and peak memory so far; exits 1 if a figure
is above its time or an answer wider than its aim.
"""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable

from gmpy2 import mpq

import oracle
from oracle.accountant.conditioning import two_step_delta
from oracle.accountant.continuous_cells import ContinuousCells, GaussianLoss, LaplaceLoss, SubsampledLoss
from oracle.accountant.laplace_profile import LaplaceProfile
from oracle.accountant.laplace_residues import LaplaceComposition
from oracle.accountant.loss_cells import FiniteCells
from oracle.accountant.loss_grid import grid_delta
from oracle.accountant.meet_in_the_middle import ExactComposition
from oracle.accountant.step_laws import GaussianStep
from oracle.accountant.subsampled_steps import subsampled
from oracle.channels.channel import Channel
from oracle.enclosures import Enclosure, enclose, rational_ball
from oracle.exact import parse_number, to_text
from oracle.levels import Level

RESPONSE = Channel([["3/4", "1/4"], ["1/4", "3/4"]])
SIX = Channel(
    [[mpq(k, 2742) for k in (229, 612, 513, 402, 667, 319)], [mpq(k, 2616) for k in (640, 108, 377, 520, 271, 700)]]
)
FOUR = Channel([[mpq(k, 1000) for k in (101, 399, 200, 300)], [mpq(k, 1000) for k in (333, 334, 233, 100)]])


def exact(channel: Channel, times: int, level: Level) -> Enclosure:
    """The exact value, as an enclosure of 30 digits."""
    return enclose(ExactComposition([(channel, times)]).hockey_stick(level).ball, 30)


def laplace(times: int, epsilon: int) -> Enclosure:
    """The exact value, as an enclosure of 30 digits."""
    return enclose(LaplaceComposition([(mpq(1), times)]).delta(mpq(epsilon)).ball, 30)


def sampled(sigma: float, rate: float, side: str = "forward") -> ContinuousCells:
    """The Poisson-subsampled Gaussian, its parameters the doubles nearest the decimals."""
    s, q = mpq(*sigma.as_integer_ratio()), mpq(*rate.as_integer_ratio())
    return ContinuousCells(SubsampledLoss(GaussianLoss(1 / s**2), q), "forward" if side == "forward" else "backward")


def twice(sigma: float, rate: float, digits: int) -> Enclosure:
    """Two equal steps by one integral."""
    s, q = mpq(*sigma.as_integer_ratio()), mpq(*rate.as_integer_ratio())
    step = subsampled(GaussianStep(1 / s**2), q)
    return enclose(two_step_delta(step, step, lambda _: rational_ball(mpq(1))), digits)


def gaussian_and_laplace(times: int) -> Enclosure:
    """A Gaussian step and many Laplace steps by one integral."""
    rest = LaplaceProfile(LaplaceComposition([(mpq(1, 4), times)]))
    return enclose(two_step_delta(GaussianStep(mpq(1)), rest, lambda _: rational_ball(mpq(2))), 12)


def six_hundred() -> Enclosure:
    """A six-column channel a hundred times, as an account has it: in four blocks of 25 (142,506 atoms each)."""
    rows = [[to_text(mass) for mass in row] for row in SIX.rows]
    steps = {"mechanism": "repeat", "times": 100, "of": {"matrix": rows}}
    value = oracle.account(steps, epsilon=24, digits=9, direction="forward").entries[0]["value"]
    return Enclosure(parse_number(value["lo"]), parse_number(value["hi"]))


FIGURES: list[tuple[str, float, mpq, Callable[[], Enclosure]]] = [
    ("Laplace k = 50", 0.05, mpq(1, 10**30), lambda: laplace(50, 20)),
    ("Laplace k = 400", 0.5, mpq(1, 10**30), lambda: laplace(400, 200)),
    ("randomized response k = 10,000", 0.2, mpq(1, 10**30), lambda: exact(RESPONSE, 10_000, Level.of_exponent(5000))),
    ("four columns k = 100", 0.3, mpq(1, 10**30), lambda: exact(FOUR, 100, Level.rational(100))),
    ("six columns k = 60", 2.5, mpq(1, 10**30), lambda: exact(SIX, 60, Level.rational(8))),
    ("six columns k = 100 (enclosed)", 10, mpq(1, 10**9), six_hundred),
    ("subsampled Gaussian twice, 12 digits", 0.1, mpq(1, 10**12), lambda: twice(0.8, 0.005, 12)),
    ("    60 digits", 1, mpq(1, 10**60), lambda: twice(0.8, 0.005, 60)),
    ("Gaussian and 20 Laplace steps, 12 digits", 2, mpq(1, 10**12), lambda: gaussian_and_laplace(20)),
    (
        "grid: Gaussian k = 64",
        2,
        mpq(1, 10**4),
        lambda: grid_delta([(ContinuousCells(GaussianLoss(mpq(1))), 64)], Level.of_exponent(40)),
    ),
    (
        "grid: Laplace k = 50",
        2,
        mpq(1, 10**5),
        lambda: grid_delta([(ContinuousCells(LaplaceLoss(mpq(1))), 50)], Level.of_exponent(20)),
    ),
    ("grid: six columns k = 40", 1, mpq(1, 10**5), lambda: grid_delta([(FiniteCells(SIX), 40)], Level.rational(8))),
    (
        "grid: DP-SGD 0.8, 0.005, k = 1000, remove",
        10,
        mpq(1, 1000),
        lambda: grid_delta([(sampled(0.8, 0.005), 1000)], Level.of_exponent(1)),
    ),
    (
        "    add",
        10,
        mpq(1, 100),
        lambda: grid_delta([(sampled(0.8, 0.005, "backward"), 1000)], Level.of_exponent(1)),
    ),
    (
        "grid: DP-SGD 1, 0.01, k = 10,000",
        20,
        mpq(1, 1000),
        lambda: grid_delta([(sampled(1.0, 0.01), 10_000)], Level.of_exponent(4), cells=1 << 17),
    ),
    (
        "grid: DP-SGD 0.3, 1e-4, k = 1000",
        20,
        mpq(1, 1000),
        lambda: grid_delta([(sampled(0.3, 0.0001), 1000)], Level.of_exponent(1)),
    ),
    (
        "grid: DP-SGD 0.8, 0.005, k = 3",
        5,
        mpq(1, 10**5),
        lambda: grid_delta([(sampled(0.8, 0.005), 3)], Level.of_exponent(1), cells=1 << 14),
    ),
]


def main() -> int:
    """Print every figure; 0 if all are within their time and aim."""
    missed = 0
    print(f"{'':44} {'seconds':>8} {'allowed':>8} {'width':>9} {'aim':>9} {'MB':>6}")
    for name, allowed, aim, call in FIGURES:
        start = time.process_time()
        found = call()
        taken = time.process_time() - start
        width = found.width / found.hi
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        bad = taken > allowed or width > aim
        missed += bad
        line = f"{name:44} {taken:8.3f} {allowed:8.2f} {float(width):9.1e} {float(aim):9.1e} {memory:6d}"
        print(line + ("  MISSED" if bad else ""), flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
