"""Speed of the contour accountant: certified values, few and many steps, digits, profiles, distinct parts.

    python tests/benchmarks/bench_accountant.py

Prints the processor time of each case, planning included, beside what is allowed, with the nodes, the relative width
and the value; exits 1 if a case takes longer or misses its digits.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

from gmpy2 import mpq

from oracle.accountant.closed_form_parts import Gaussian
from oracle.accountant.contour import Answer, delta
from oracle.accountant.least_epsilon import least_epsilon
from oracle.accountant.parts import Composition, compose
from oracle.accountant.profiles import profile
from oracle.accountant.subsampled_gaussian import SubsampledGaussian
from oracle.enclosures import Ball, rational_ball
from oracle.exact import parse_number

Case = tuple[str, str, int, str, bool, int, float]
"""sigma, rate, steps, eps, whether it adds, digits, seconds allowed."""

CASES: list[Case] = [
    ("0.8", "0.005", 1000, "1", False, 12, 0.5),
    ("0.8", "0.005", 1000, "1", True, 12, 0.5),
    ("1", "0.01", 10_000, "4", False, 12, 0.5),
    ("1", "0.01", 10_000, "4", True, 12, 0.5),
    ("2", "0.1", 500, "2", False, 12, 0.5),
    ("2", "0.1", 500, "2", True, 12, 0.5),
    ("4", "0.00033", 100_000, "0.1", False, 12, 0.5),
    ("0.5", "0.001", 1000, "1", False, 12, 0.5),
    ("0.5", "0.001", 100_000, "4", False, 12, 0.5),
    ("0.8", "0.005", 30, "1", False, 12, 0.5),
    ("0.8", "0.005", 100_000, "4", False, 12, 0.5),
    ("0.3", "0.0001", 1000, "1", False, 12, 3.0),
    ("0.8", "0.005", 10, "1", False, 12, 1.5),
    ("0.8", "0.005", 5, "1", False, 12, 1.5),
    ("0.8", "0.005", 3, "1", False, 12, 5.0),
    ("0.8", "0.005", 1000, "1", False, 30, 1.0),
    ("0.8", "0.005", 1000, "1", False, 60, 2.5),
    ("1", "0.01", 10_000, "4", False, 30, 1.0),
    ("1", "0.01", 10_000, "4", False, 60, 2.5),
    ("0.3", "0.0001", 1000, "1", False, 30, 6.0),
    ("0.3", "0.0001", 1000, "1", False, 60, 15.0),
]
DISTINCT = [(SubsampledGaussian.of(mpq(60 + i, 100), mpq(10 + 2 * i, 10_000)), 1 + (37 * i) % 200) for i in range(100)]


def ball(eps: mpq) -> Ball:
    """An eps as a ball."""
    return lambda _: rational_ball(eps)


def timed(work: Callable[[], Answer | list[Answer]]) -> tuple[float, Answer | list[Answer]]:
    """Processor seconds and the result."""
    start = time.process_time()
    found = work()
    return time.process_time() - start, found


def report(name: str, digits: int, allowed: float, work: Callable[[], Answer]) -> bool:
    """One line; whether it was in time and reached its digits."""
    seconds, answer = timed(work)
    assert isinstance(answer, Answer)
    value = answer.value
    good = seconds <= allowed and value.reached is None
    width = float(value.width / value.hi) if value.hi else 0.0
    nodes = answer.record.get("nodes", "-")
    print(
        f"{name:44} {digits:3} digits {seconds:8.3f} s of {allowed:5.1f} {nodes:>7} nodes "
        f"width {width:.1e} value {float(value.lo):.12e}{'' if good else '  MISSED'}"
    )
    return good


def composition(case: Case) -> Composition:
    """The parts of a case."""
    sigma, rate, steps, _, adds, _, _ = case
    return compose([(SubsampledGaussian.of(parse_number(sigma), parse_number(rate), adds=adds), steps)])


def report_profile(case: Case, top: mpq) -> bool:
    """Two hundred eps up to *top* against the mean of ten single ones, and the least eps of 1e-5."""
    parts = composition(case)
    singles = 0.0
    for i in range(1, 11):
        eps = ball(top * mpq(i, 10))
        singles += timed(lambda: delta(parts, eps))[0] / 10  # noqa: B023 - called at once
    seconds, found = timed(lambda: profile(parts, [ball(top * mpq(i, 200)) for i in range(1, 201)]))
    assert isinstance(found, list)
    missed = sum(answer.value.reached is not None for answer in found)
    print(
        f"200 eps, sigma {case[0]} rate {case[1]} x{case[2]}: {seconds:.3f} s, {seconds / singles:.1f} times one of 5"
    )
    start = time.process_time()
    least = least_epsilon(parts, mpq(1, 10**5))
    print(f"  least eps of delta 1e-5: {time.process_time() - start:.3f} s, {least}")
    return seconds <= 5 * singles and not missed


def main() -> int:
    """All cases."""
    good = True
    delta(compose([(Gaussian(mpq(1)), 1)]), ball(mpq(1)))
    for case in CASES:
        sigma, rate, steps, eps, adds, digits, allowed = case
        name = f"sigma {sigma} rate {rate} x{steps} eps {eps} {'add' if adds else 'remove'}"
        good &= report(
            name,
            digits,
            allowed,
            lambda c=case: delta(composition(c), ball(parse_number(c[3])), c[5]),  # type: ignore[misc]
        )
    good &= report("100 distinct subsampled Gaussians, eps 3", 12, 5.0, lambda: delta(compose(DISTINCT), ball(mpq(3))))
    for case, top in ((CASES[0], mpq(8)), (CASES[2], mpq(20)), (CASES[6], mpq(2, 5)), (CASES[9], mpq(4))):
        good &= report_profile(case, top)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
