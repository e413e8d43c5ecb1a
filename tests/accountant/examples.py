"""Compositions for the tests of the accountant: expressions, and random ones."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from gmpy2 import mpq

from oracle.accountant.composition import Composition, composed
from oracle.accountant.constituents import Constituent, Pair
from oracle.channels.channel import Channel
from oracle.channels.discrete_laplace import discrete_laplace
from oracle.exact import to_text
from oracle.experiments.discrete_gaussian import DiscreteGaussian
from oracle.experiments.gaussian import Gaussian
from oracle.experiments.laplace import Laplace
from oracle.experiments.subsampled import poisson_subsampled
from oracle.levels import Level

Json = dict[str, Any]


def response(ratio: int | str = 3) -> Channel:
    """Randomized response."""
    e = mpq(ratio)
    return Channel.trusted(((e / (1 + e), 1 / (1 + e)), (1 / (1 + e), e / (1 + e))))


def leaky(ratio: int = 3, delta: str = "1/10") -> Channel:
    """The worst case of (log ratio, delta)-privacy, with infinite losses."""
    d, a = mpq(delta), (1 - mpq(delta)) / (1 + ratio)
    return Channel.trusted(((d, a * ratio, a, mpq(0)), (mpq(0), a, a * ratio, d)))


SIX = Channel([["1/3", "1/4", "1/6", "1/8", "1/12", "1/24"], ["1/24", "1/12", "1/8", "1/6", "1/4", "1/3"]])


def gaussian(sigma: str | int = 1) -> Gaussian:
    """Sensitivity 1."""
    return Gaussian.of(1 / mpq(sigma))


def sgd(sigma: str | int, rate: str) -> Pair:
    """The Poisson subsampled Gaussian pair."""
    return poisson_subsampled(gaussian(sigma), mpq(rate))


def composition(*parts: tuple[Pair, int]) -> Composition:
    """A composition of at least two steps."""
    found = composed(Constituent(pair, times, {"mechanism": "channel"}) for pair, times in parts)
    assert isinstance(found, Composition)
    return found


def at(epsilon: str | int) -> Level:
    """The level e^epsilon."""
    return Level.of_exponent(mpq(epsilon))


def random_channel(random: Random, columns: int) -> Channel:
    """A channel of small fractions, symmetric or not, now and then with an outcome that one of the laws has not."""
    rows, gap = [], random.randrange(2 * columns) if random.random() < 0.3 else None
    for i in range(2):
        weights = [0 if i * columns + j == gap else random.randint(1, 9) for j in range(columns)]
        rows.append([mpq(w, sum(weights)) for w in weights])
    if random.random() < 0.3:
        rows[1] = rows[0][::-1]
    return Channel.trusted(tuple(map(tuple, rows)))


def random_pair(random: Random) -> Pair:
    """A pair of moderate privacy."""
    theta = mpq(random.randint(2, 20), 10)
    base = Gaussian.of(theta) if random.random() < 0.7 else Laplace(theta)
    makers: list[Callable[[], Pair]] = [
        lambda: response(to_text(1 + mpq(random.randint(1, 30), 10))),
        lambda: random_channel(random, random.randint(2, 5)),
        lambda: Laplace(theta),
        lambda: Gaussian.of(theta),
        lambda: DiscreteGaussian(mpq(random.randint(2, 12), 2), random.randint(1, 2)),
        lambda: leaky(random.randint(2, 4), f"1/{random.randint(20, 200)}"),
        lambda: discrete_laplace(mpq(random.randint(1, 8), 10), random.randint(1, 2)),
        lambda: poisson_subsampled(base, mpq(random.randint(1, 40), 100)),
    ]
    return random.choice(makers)()


def random_composition(random: Random) -> Composition:
    """One to four kinds of steps, each up to a dozen times."""
    while True:
        count = random.randint(1, 4)
        parts = [(random_pair(random), random.randint(1, 12)) for _ in range(count)]
        found = composed(Constituent(pair, times, {}) for pair, times in parts)
        if isinstance(found, Composition):
            return found
