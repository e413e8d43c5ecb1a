"""Subsampling as an exact finite distribution over sub-databases.

With x a database of n records, each at its place:

- Poisson(γ): every place is kept with probability γ, independently;
- without replacement: m of the n places, every choice equally likely;
- with replacement: m draws of a place, each uniform and independent. The samples are multisets (of a set too), or
  tuples of a tuple; on multisets the law is multinomial, w(y) = (m!/n^m) Π_u x_u^(y_u)/y_u!.

Samples that are the same database are one outcome. Source: Balle, Barthe and Gaboardi, NeurIPS 2018, sections 2 and 4;
the multinomial law is printed there with x_u in place of x_u^(y_u), which gives 0 as soon as U has a record outside x.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from itertools import combinations, combinations_with_replacement, product
from math import comb, factorial
from typing import Final

from gmpy2 import mpq, mpz

from oracle.databases.universe import Database, Kind
from oracle.errors import InputError, LimitError, shorten
from oracle.exact import to_text

__all__ = [
    "MAX_SAMPLES",
    "Distribution",
    "Sampler",
    "check_rate",
    "check_sizes",
    "poisson",
    "sampled_with_replacement",
    "sampled_without_replacement",
    "with_replacement",
    "without_replacement",
]

Distribution = dict[Database, mpq]
"""Databases of positive probability."""

Sampler = Callable[[Database], Distribution]

MAX_SAMPLES: Final = 100_000
"""Most choices of places that one distribution enumerates."""


def check_rate(rate: mpq, where: str = "rate") -> mpq:
    """Refuse a sampling rate outside [0, 1]."""
    if not 0 <= rate <= 1:
        raise InputError("a rate between 0 and 1", shorten(to_text(rate)), where)
    return rate


def check_sizes(source: int, sample: int, *, replacement: bool) -> None:
    """Refuse sizes that mean nothing: an empty source to draw from, or more distinct places than there are."""
    if sample < 0:
        raise InputError("a sample of at least 0 records", shorten(sample), "sample")
    if source < 1:
        raise InputError("a source of at least 1 record", shorten(source), "source")
    if not replacement and sample > source:
        got = f"{shorten(sample)} of {shorten(source)}"
        raise InputError("a sample at most as large as its source, without replacement", got, "sample")


def _check_choices(count: int) -> None:
    if count > MAX_SAMPLES:
        raise LimitError(f"at most {MAX_SAMPLES} samples of a database", "more")


def _collected(weighted: Iterable[tuple[Database, mpq]]) -> Distribution:
    law: Distribution = {}
    for database, weight in weighted:
        law[database] = law.get(database, mpq(0)) + weight
    return law


def poisson(database: Database, rate: mpq) -> Distribution:
    """Every place kept with probability *rate*."""
    check_rate(rate)
    n = len(database)
    if n >= MAX_SAMPLES.bit_length():
        raise LimitError(f"at most {MAX_SAMPLES} samples of a database", f"2^{n}")
    sizes = [rate**k * (1 - rate) ** (n - k) for k in range(n + 1)]
    return _collected((kept, weight) for k, weight in enumerate(sizes) if weight for kept in combinations(database, k))


def without_replacement(database: Database, sample: int) -> Distribution:
    """*sample* of the places, every choice equally likely."""
    if not 0 <= sample <= len(database):
        raise InputError("a sample at most as large as its database", f"{shorten(sample)} of {len(database)}", "sample")
    choices = comb(len(database), sample)
    _check_choices(choices)
    return _collected((kept, mpq(1, choices)) for kept in combinations(database, sample))


def with_replacement(database: Database, sample: int, kind: Kind) -> Distribution:
    """*sample* uniform draws of a place; multisets for a set or multiset (written in its order), tuples for a tuple."""
    n = len(database)
    check_sizes(n, sample, replacement=True)
    if kind == "tuple":
        _check_choices(n**sample)
        weight = mpq(1, mpz(n) ** sample)
        return _collected((drawn, weight) for drawn in product(database, repeat=sample))
    counts = Counter(database)
    _check_choices(comb(len(counts) + sample - 1, sample))
    law: Distribution = {}
    for drawn in combinations_with_replacement(counts, sample):
        # counts keeps the order of the database, in which equal records stand together.
        weight = mpq(factorial(sample), mpz(n) ** sample)
        for record, times in Counter(drawn).items():
            weight = weight * mpz(counts[record]) ** times / factorial(times)
        law[drawn] = weight
    return law


def sampled_without_replacement(sample: int) -> Sampler:
    """The sampler of *sample* distinct places."""
    return lambda database: without_replacement(database, sample)


def sampled_with_replacement(sample: int, kind: Kind) -> Sampler:
    """The sampler of *sample* draws from databases of a kind."""
    return lambda database: with_replacement(database, sample, kind)
