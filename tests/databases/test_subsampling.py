"""Subsampling against the definition: every choice of places, one by one, with plain fractions."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations, product
from math import factorial, prod

import pytest
from gmpy2 import mpq

from oracle.databases.subsampling import MAX_SAMPLES, poisson, with_replacement, without_replacement
from oracle.errors import InputError, LimitError

DATABASES = [(), ("a",), ("a", "b"), ("a", "a", "b"), ("a", "b", "c"), ("b", "a", "b")]


def plain(law):
    """The law with plain fractions."""
    return {database: Fraction(int(w.numerator), int(w.denominator)) for database, w in law.items()}


def poisson_by_places(database, rate):
    """Every subset of places, with its probability."""
    law = Counter()
    for kept in product((False, True), repeat=len(database)):
        weight = Fraction(1)
        for keep in kept:
            weight *= rate if keep else 1 - rate
        law[tuple(x for x, keep in zip(database, kept, strict=True) if keep)] += weight
    return {database: w for database, w in law.items() if w}


@pytest.mark.parametrize("database", DATABASES)
@pytest.mark.parametrize("rate", [Fraction(0), Fraction(1), Fraction(1, 3), Fraction(5, 7)])
def test_poisson(database, rate):
    """Independent places; rates 0 and 1 are point masses."""
    assert plain(poisson(database, mpq(rate))) == poisson_by_places(database, rate)


@pytest.mark.parametrize("database", DATABASES)
def test_without_replacement(database):
    """Every choice of m places, m = 0 and m = n included."""
    for m in range(len(database) + 1):
        choices = list(combinations(database, m))
        law = {y: Fraction(n, len(choices)) for y, n in Counter(choices).items()}
        assert plain(without_replacement(database, m)) == law


@pytest.mark.parametrize("database", DATABASES[1:])
@pytest.mark.parametrize("m", [0, 1, 2, 4])
def test_with_replacement(database, m):
    """Every sequence of draws; as multisets they are counted by content."""
    drawn = list(product(database, repeat=m))
    law = {y: Fraction(n, len(drawn)) for y, n in Counter(drawn).items()}
    assert plain(with_replacement(database, m, "tuple")) == law
    ordered = tuple(sorted(database))
    sorted_draws = Counter(tuple(sorted(y)) for y in drawn)
    assert plain(with_replacement(ordered, m, "multiset")) == {
        y: Fraction(n, len(drawn)) for y, n in sorted_draws.items()
    }


def test_the_multinomial_law_as_printed_is_no_law():
    """With x_u in place of x_u^(y_u) every weight is 0 once a record of the universe is outside x."""
    x = Counter({"a": 1, "b": 1, "c": 0})
    law = with_replacement(("a", "b"), 2, "set")
    corrected = {y: Fraction(2, 4) * prod(Fraction(x[u] ** y.count(u), factorial(y.count(u))) for u in x) for y in law}
    printed = {y: Fraction(2, 4) * prod(Fraction(x[u], factorial(y.count(u))) for u in x) for y in law}
    assert plain(law) == corrected
    assert set(printed.values()) == {0}


def test_what_is_refused():
    """Rates outside [0, 1], samples larger than the source, an empty source, too many samples."""
    for rate in (mpq(-1), mpq(3, 2)):
        with pytest.raises(InputError, match="rate"):
            poisson(("a",), rate)
    for sample in (-1, 2):
        with pytest.raises(InputError, match="at most as large"):
            without_replacement(("a",), sample)
    with pytest.raises(InputError, match="source"):
        with_replacement((), 1, "set")
    with pytest.raises(InputError, match="at least 0"):
        with_replacement(("a",), -1, "set")
    with pytest.raises(LimitError, match=str(MAX_SAMPLES)):
        poisson(("a",) * 40, mpq(1, 2))
    with pytest.raises(LimitError, match=str(MAX_SAMPLES)):
        with_replacement(("a", "b"), 40, "tuple")
