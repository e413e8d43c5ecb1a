"""Continuous mechanisms: delta, epsilon, beta of Gaussian, Laplace and discrete Gaussian, in process after start-up."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from timeit import Timer

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from gmpy2 import mpq

import oracle
from oracle.experiments.discrete_gaussian import DiscreteGaussian
from oracle.experiments.gaussian import Gaussian
from oracle.experiments.laplace import Laplace
from oracle.levels import Level

LIMITS = {15: 100.0, 50: 300.0}
"""Microseconds for one delta of Gaussian or Laplace."""


def microseconds(call: Callable[[], object], number: int = 500) -> float:
    """The least mean of five runs."""
    return min(Timer(call).repeat(5, number)) / number * 1e6


def main() -> None:
    """Print a line for each question."""
    epsilon = Level.of_exponent(mpq(1, 2))
    pairs = {"gaussian": Gaussian.of(mpq(1)), "laplace": Laplace(mpq(1)), "discrete_gaussian": DiscreteGaussian(mpq(3))}
    for digits in (12, 15, 50):
        limit = f" (limit {LIMITS[digits]:.0f})" if digits in LIMITS else ""
        for name, pair in pairs.items():
            said = limit if name != "discrete_gaussian" else ""
            print(
                f"{name} delta, {digits} digits: {microseconds(lambda: pair.hockey_stick(epsilon, 'both', digits)):.1f} us{said}"
            )
    for name, document in {
        "gaussian": {"mechanism": "gaussian", "sigma": "1"},
        "laplace": {"mechanism": "laplace", "scale": "1"},
    }.items():
        node = oracle.parse_mechanism(document)
        request = {"id": 1, "op": "delta", "args": {"channel": document, "epsilon": "1/2", "digits": 15}}
        print(
            f"oracle.delta of a {name} node, 15 digits: {microseconds(lambda: oracle.delta(node, epsilon='1/2', digits=15)):.1f} us"
        )
        print(f"oracle.answer of a {name} request, 15 digits: {microseconds(lambda: oracle.answer(request)):.1f} us")
    for name, pair in pairs.items():
        for delta in (mpq(1, 10), mpq(1, 10**6), mpq(1, 10**100)):
            text = f"{name} least epsilon at {float(delta):.0e}, 15 digits"
            print(f"{text}: {microseconds(lambda: pair.least_epsilon(delta, 'both', 15), 20):.0f} us")
        print(
            f"{name} beta at 1/10, 15 digits: {microseconds(lambda: pair.beta(mpq(1, 10), 'forward', 15), 100):.0f} us"
        )


if __name__ == "__main__":
    main()
