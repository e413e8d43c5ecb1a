"""Subsampled and exchanged steps: finite ones against their tables, and how they are made of each other."""

from __future__ import annotations

import pytest
from flint import arb
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle.accountant.step_laws import FiniteStep, GaussianStep, LaplaceStep
from oracle.accountant.subsampled_steps import Exchanged, SubsampledStep, exchanged, subsampled
from oracle.channels.channel import Channel
from oracle.channels.divergences import hockey_stick
from oracle.enclosures import precision, rational_ball
from oracle.errors import Declined, InputError
from oracle.laws.strategies import two_row_channels

GAUSSIAN, LAPLACE = GaussianStep(mpq(2)), LaplaceStep(mpq(3, 2))
epsilons = st.fractions(min_value=-3, max_value=3, max_denominator=50).map(mpq)


@given(two_row_channels(5), epsilons, st.sampled_from([mpq(1, 3), mpq(1)]))
@settings(max_examples=60)
def test_finite_channels(channel, epsilon, rate):
    """The profile at e^eps, subsampled or not, in both directions."""
    p, q = channel.rows
    table = Channel([[rate * x + (1 - rate) * y for x, y in zip(p, q, strict=True)], q])
    step = subsampled(FiniteStep(channel), rate)
    assert isinstance(step, FiniteStep)
    assert step.channel == table
    with precision(160):
        a = rational_ball(epsilon).exp()
        for oriented, rows in ((step, table.rows), (exchanged(step), table.rows[::-1])):
            terms = [(rational_ball(x) - a * rational_ball(y)).max(arb(0)) for x, y in zip(*rows, strict=True)]
            assert oriented.profile(arb(0)).at(rational_ball(epsilon)).overlaps(sum(terms, arb(0)))
        assert step.profile(arb(0)).at(arb(0)).overlaps(rational_ball(hockey_stick(table, mpq(1))))


def test_steps_made_of_steps():
    """Symmetric pairs stay themselves, exchanging twice is nothing, subsampling twice multiplies the rates."""
    thin = subsampled(GAUSSIAN, mpq(1, 2))
    assert exchanged(GAUSSIAN) is GAUSSIAN
    assert exchanged(LAPLACE) is LAPLACE
    assert isinstance(exchanged(thin), Exchanged)
    assert exchanged(exchanged(thin)) is thin
    assert subsampled(GAUSSIAN, mpq(1)) is GAUSSIAN
    twice = subsampled(thin, mpq(1, 3))
    assert isinstance(twice, SubsampledStep)
    assert twice.rate == mpq(1, 6)
    with pytest.raises(Declined):
        subsampled(exchanged(thin), mpq(1, 2))


@pytest.mark.parametrize(
    "call",
    [
        lambda: SubsampledStep(GAUSSIAN, mpq(1)),
        lambda: subsampled(GAUSSIAN, mpq(0)),
        lambda: subsampled(GAUSSIAN, mpq(3, 2)),
    ],
)
def test_rates_outside_their_range_are_refused(call):
    """0 and below, above 1; 1 where it is no subsampling."""
    with pytest.raises(InputError):
        call()
