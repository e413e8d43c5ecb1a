"""One large loss as a lower bound: against exact values, and where it says everything."""

from __future__ import annotations

import mpmath
import pytest
from flint import arb
from gmpy2 import mpq

from oracle.accountant.atomic_parts import FiniteChannel
from oracle.accountant.closed_form_parts import Gaussian, Laplace
from oracle.accountant.contour import delta
from oracle.accountant.large_losses import large_loss_bound, large_loss_epsilon, large_loss_masses
from oracle.accountant.parts import compose
from oracle.accountant.subsampled_gaussian import SubsampledGaussian
from oracle.channels.channel import Channel
from oracle.channels.composition import compose as composed_channel
from oracle.channels.divergences import hockey_stick
from oracle.channels.profile import Profile
from oracle.enclosures import precision, rational_ball
from oracle.levels import Level

LEAKY = Channel([["1/10", "27/40", "9/40", "0"], ["0", "9/40", "27/40", "1/10"]])
SKEW = Channel([["1/2", "1/3", "1/6"], ["1/7", "2/7", "4/7"]])
SAMPLED = SubsampledGaussian.of(mpq(1, 2), mpq(1, 50))
BAGS = [
    [(SAMPLED, 40)],
    [(SAMPLED.swapped(), 40)],
    [(Gaussian(mpq(1, 4)), 3)],
    [(SAMPLED, 5), (Gaussian(mpq(1, 9)), 1), (FiniteChannel.of(LEAKY), 2)],
]


@pytest.mark.parametrize("bag", BAGS, ids=str)
@pytest.mark.parametrize("epsilon", ["-1/2", "0", "1/4", "2", "6"])
def test_the_bound_is_below_the_contour_integral(bag, epsilon):
    """Of the finite losses, so that the mass of infinite loss is to be added."""
    parts, eps = compose(bag), mpq(epsilon)
    with precision(80):
        bound = large_loss_bound(parts, rational_ball(eps))
        infinite = 1 - rational_ball(mpq(81, 100)) if len(bag) > 1 else arb(0)
        total = bound + infinite
    value = delta(parts, lambda _: rational_ball(eps), 8).value
    assert total <= rational_ball(value.hi)


@pytest.mark.parametrize(("channel", "times"), [(LEAKY, 1), (LEAKY, 4), (SKEW, 1), (SKEW, 3)])
@pytest.mark.parametrize("loss", ["-3/2", "0", "1/3", "1"])
def test_masses_of_the_event_in_finite_channels(channel, times, loss):
    """By the sum over all tuples of columns with finite losses of which one is beyond."""
    parts, limit = compose([(FiniteChannel.of(channel), times)]), mpq(loss)
    columns = [(p, q) for p, q in zip(*channel.rows, strict=True) if p and q]
    beyond = [(p, q) for p, q in columns if not Level.of_exponent(limit).compare(p / q) >= 0]
    expected = [
        sum(c[i] for c in columns) ** times - sum(c[i] for c in columns if c not in beyond) ** times for i in (0, 1)
    ]
    with precision(100):
        p, q = large_loss_masses(parts, rational_ball(limit))
        spare = rational_ball(mpq(1, 1 << 90))
        assert rational_ball(expected[0]) - spare < p.lower() <= rational_ball(expected[0]).upper()
        assert rational_ball(expected[1]).lower() <= q.upper() < rational_ball(expected[1]) + spare


def test_the_bound_is_exact_for_one_step_with_one_loss_beyond():
    """P(S) - a Q(S) of that column."""
    with precision(64):
        bound = large_loss_bound(compose([(FiniteChannel.of(SKEW), 1)]), rational_ball(mpq(2)).log())
        value = rational_ball(hockey_stick(SKEW, mpq(2), "forward"))
        assert value * (1 - rational_ball(mpq(1, 1 << 40))) < bound <= value.upper()


def test_laws_that_hardly_overlap_are_told_apart_to_all_digits():
    """A thousand steps of noise 1/1000 at rate 1/100: delta is the chance that one of them is taken."""
    parts = compose([(SubsampledGaussian.of(mpq(1, 1000), mpq(1, 100)), 1000)])
    found = delta(parts, lambda _: arb(1000), 30)
    truth = 1 - mpq(99, 100) ** 1000
    assert (found.method, found.value.reached) == ("bounds", None)
    assert found.value.lo <= truth <= found.value.hi


def test_a_rare_loss_far_out():
    """A thousand steps of rate 1e-9: at most a thousand times, and about, the delta of one."""
    q, mu, eps = mpmath.mpf(10) ** -9, mpmath.mpf(1), mpmath.mpf(1)
    with mpmath.workdps(60):
        level = mpmath.log(1 + mpmath.expm1(eps) / q)
        one = q * (mpmath.ncdf(-level / mu + mu / 2) - mpmath.exp(level) * mpmath.ncdf(-level / mu - mu / 2))
        parts = compose([(SubsampledGaussian.of(mpq(1), mpq(1, 10**9)), 1000)])
        with precision(80):
            bound = large_loss_bound(parts, arb(1))
        low = mpmath.mpf(bound.mid().str(30, radius=False))
        assert one < low < 1000 * one


@pytest.mark.parametrize("bound", [mpq(1, 10), mpq(1, 10**6), mpq(1, 10**40)], ids=str)
def test_the_epsilon_is_not_enough(bound):
    """Delta there is at least what is asked for."""
    parts = compose([(SAMPLED, 40)])
    with precision(100):
        epsilon = large_loss_epsilon(parts, rational_ball(bound))
    value = delta(parts, lambda _: rational_ball(epsilon), 8).value
    assert value.hi >= bound


def test_parts_without_such_an_event_bound_nothing():
    """Laplace pairs have exact methods."""
    parts = compose([(Laplace(mpq(1)), 5)])
    assert large_loss_bound(parts, arb(0)) == 0
    assert large_loss_epsilon(parts, rational_ball(mpq(1, 10))) == 0
    assert Profile(composed_channel([(LEAKY, 2)]), "forward").infinite_loss_mass == mpq(19, 100)
