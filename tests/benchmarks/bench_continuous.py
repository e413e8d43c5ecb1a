"""Continuous mechanisms: delta, epsilon, beta of Gaussian, Laplace and discrete Gaussian, in process after start-up."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from timeit import Timer

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from gmpy2 import mpq

import oracle
from oracle.experiments.base import Experiment
from oracle.experiments.discrete_gaussian import DiscreteGaussian
from oracle.experiments.gaussian import Gaussian
from oracle.experiments.laplace import Laplace
from oracle.levels import Level

LIMITS = {15: 100.0, 50: 300.0}
"""Microseconds for one delta of Gaussian or Laplace."""


def microseconds(call: Callable[[], object], number: int = 500) -> float:
    """The least mean of five runs."""
    return min(Timer(call).repeat(5, number)) / number * 1e6


def _report(text: str, call: Callable[[], object], number: int = 500, tail: str = "") -> None:
    print(f"{text}: {microseconds(call, number):.1f} us{tail}")


def _bench_pair(name: str, pair: Experiment) -> None:
    epsilon = Level.of_exponent(mpq(1, 2))
    for digits in (12, 15, 50):
        limited = digits in LIMITS and name != "discrete_gaussian"
        tail = f" (limit {LIMITS[digits]:.0f})" if limited else ""
        _report(f"{name} delta, {digits} digits", partial(pair.hockey_stick, epsilon, "both", digits), tail=tail)
    for delta in (mpq(1, 10), mpq(1, 10**6), mpq(1, 10**100)):
        call = partial(pair.least_epsilon, delta, "both", 15)
        _report(f"{name} least epsilon at {float(delta):.0e}, 15 digits", call, 20)
    _report(f"{name} beta at 1/10, 15 digits", partial(pair.beta, mpq(1, 10), "forward", 15), 100)


def main() -> None:
    """Print a line for each question."""
    pairs = {"gaussian": Gaussian.of(mpq(1)), "laplace": Laplace(mpq(1)), "discrete_gaussian": DiscreteGaussian(mpq(3))}
    for name, pair in pairs.items():
        _bench_pair(name, pair)
    for name, scale in (("gaussian", "sigma"), ("laplace", "scale")):
        document = {"mechanism": name, scale: "1"}
        node = oracle.parse_mechanism(document)
        request = {"id": 1, "op": "delta", "args": {"channel": document, "epsilon": "1/2", "digits": 15}}
        _report(f"oracle.delta of a {name} node, 15 digits", partial(oracle.delta, node, epsilon="1/2", digits=15))
        _report(f"oracle.answer of a {name} request, 15 digits", partial(oracle.answer, request))


if __name__ == "__main__":
    main()
