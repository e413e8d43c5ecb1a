"""The ends of a composed loss: exact where ratios are rational, and decided close to where they are not."""

from __future__ import annotations

import pytest
from flint import arb
from gmpy2 import mpq

from oracle.accountant.composed_losses import ComposedLosses
from oracle.accountant.constituents import Constituent
from oracle.enclosures import Enclosure, precision, rational_ball, rational_bounds
from oracle.errors import LimitError
from oracle.exact import INFINITY
from oracle.experiments.laplace import Laplace
from oracle.levels import Level
from tests.accountant.examples import gaussian, leaky, response, sgd


def losses(*parts):
    """The ends of a composition."""
    return ComposedLosses([Constituent(pair, times, {"mechanism": "channel"}) for pair, times in parts])


def test_rational_ratios_multiply():
    """Of ten randomized responses 3^10, beyond and inside exactly."""
    found = losses((response(), 10))
    assert found.largest("forward") == found.largest_finite("backward") == Level.rational(3**10)
    assert found.is_beyond(Level.rational(3**10), "forward")
    assert not found.is_inside(Level.rational(3**10), "forward")
    assert found.is_inside(Level.rational(mpq(3**10) - mpq(1, 10**30)), "forward")


@pytest.mark.parametrize("places", [20, 100, 400])
def test_a_level_close_to_an_irrational_loss_is_decided(places):
    """Log 3 + 1/2 to so many places, from either side: no level is either."""
    found = losses((response(), 1), (Laplace(mpq(1, 2)), 1))
    assert isinstance(found.largest("forward"), Enclosure)
    with precision(4 * places + 64):
        low, high = rational_bounds(rational_ball(mpq(3)).log() + arb(1) / 2)
    below, above = (Level.of_exponent(x) for x in (low - mpq(1, 10**places), high + mpq(1, 10**places)))
    assert found.is_beyond(above, "forward")
    assert not found.is_inside(above, "forward")
    assert found.is_inside(below, "forward")
    assert not found.is_beyond(below, "forward")


def test_infinite_losses_have_their_mass():
    """One of them within three steps; the finite ones have an end of their own."""
    found = losses((leaky(3, "1/10"), 3))
    assert found.mass("forward") == 1 - mpq(9, 10) ** 3
    assert found.has_singular("backward")
    assert found.largest("forward") == Level(INFINITY)
    assert found.largest_finite("forward") == Level.rational(27)
    assert found.is_inside(Level.rational(10**100), "forward")
    with precision(80):
        assert found.mass_ball("forward").overlaps(rational_ball(found.mass("forward")))


def test_a_mass_too_long_to_write_is_refused():
    """A ball of it is not."""
    found = losses((leaky(3, "1/1000003"), 10**7))
    assert not found.has_short_mass("forward")
    with pytest.raises(LimitError, match="bits"):
        found.mass("forward")
    with precision(80):
        assert found.mass_ball("forward") > arb("0.9999")


def test_unbounded_losses_have_no_end():
    """A Gaussian step, and removing from a sample; adding to a sample has one."""
    assert losses((gaussian(), 1)).largest_finite("forward") is None
    sampled = losses((sgd(1, "1/3"), 4))
    assert sampled.largest_finite("forward") is None
    assert sampled.largest_finite("backward") == Level.rational(mpq(3, 2) ** 4)
    assert not sampled.is_beyond(Level.rational(10**9), "forward")
