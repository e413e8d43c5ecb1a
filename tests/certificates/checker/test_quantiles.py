"""Quantiles and the least mu of the checker against the engine's ball arithmetic."""

from __future__ import annotations

from fractions import Fraction

import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle.certificates.checker.curves import Law
from oracle.certificates.checker.matrices import stochastic_channel
from oracle.certificates.checker.quantiles import Quantile, least_mu
from oracle.channels.channel import Channel
from oracle.enclosures import Enclosure, enclose
from oracle.exact import INFINITY
from oracle.gaussian_dp import channel_mu
from oracle.special import phi_inverse_ball

SMALL = Fraction(1, 10**30)
POINTS = [
    *(Fraction(1, 3), Fraction(2, 3), Fraction(1587, 10000), Fraction(1, 10**12), 1 - Fraction(1, 10**12), SMALL),
    *(1 - SMALL, Fraction(1, 2) + SMALL, Fraction(1, 2) - SMALL, Fraction(1, 10**1000)),
]


def overlaps(ends: tuple[Fraction, Fraction], truth: Enclosure) -> bool:
    low, high = (mpq(end.numerator, end.denominator) for end in ends)
    return bool(low <= truth.hi and truth.lo <= high)


@pytest.mark.parametrize("p", POINTS, ids=lambda p: str(float(p)))
def test_a_quantile_is_bracketed_to_any_precision(p) -> None:
    """Each bracket has the true value, is about as narrow as asked for, and lies within the one before."""
    truth = enclose(lambda bits: phi_inverse_ball(mpq(p.numerator, p.denominator), bits), 400)
    quantile = Quantile(p)
    before = None
    for bits in (0, 8, 24, 64, 256, 1024):
        low, high = ends = quantile.bracket(bits)
        assert overlaps(ends, truth)
        assert high - low <= max(Fraction(2, 1 << bits), Fraction(1, 16) if bits == 0 else 0)
        assert before is None or before[0] <= low <= high <= before[1]
        before = ends


def test_the_quantile_of_one_half_is_zero() -> None:
    """Exactly, at every precision."""
    assert Quantile(Fraction(1, 2)).bracket(1000) == (0, 0)


@settings(deadline=None, max_examples=60)
@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=6))
def test_the_least_mu_is_that_of_the_engine(columns) -> None:
    """Infinite, 0, or a bracket that meets the engine's enclosure."""
    totals = [sum(column[row] for column in columns) for row in (0, 1)]
    if not all(totals):
        return
    rows = [[Fraction(column[row], totals[row]) for column in columns] for row in (0, 1)]
    truth = channel_mu.least_mu(Channel(rows), 30)
    channel = stochastic_channel({"matrix": [[str(x) for x in row] for row in rows]}, "$", 2)
    found = least_mu(Law(channel, "$").corners())
    if found is None:
        assert truth is INFINITY
    elif isinstance(found, Fraction):
        assert found == truth == 0
    else:
        for bits in (0, 16, 64, 128):
            low, high = ends = found(bits)
            assert overlaps(ends, truth)
            assert high - low <= Fraction(4, 1 << bits)
