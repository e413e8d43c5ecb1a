"""What is asked of each pair: the same of a channel, of its formal twin and of an experiment."""

from __future__ import annotations

import pytest
from gmpy2 import mpq

from oracle.accountant.pair_facts import (
    as_ball,
    at_least,
    interval,
    is_symmetric,
    largest_ratio,
    log_moment,
    part_mu,
    singular,
    tail_mu,
)
from oracle.channels.channel import Channel
from oracle.channels.renyi import renyi
from oracle.enclosures import Enclosure, precision, rational_ball, rational_bounds
from oracle.exact import INFINITY
from oracle.experiments.gaussian import Gaussian
from oracle.experiments.laplace import Laplace
from oracle.experiments.subsampled import PoissonSubsampled
from oracle.levels import Level

RESPONSE = Channel([["3/4", "1/4"], ["1/4", "3/4"]])
GENERIC = Channel([["1/2", "1/3", "1/6"], ["1/7", "2/7", "4/7"]])
HALF = Channel([["1/10", "9/10"], ["0", "1"]])
SAMPLED = PoissonSubsampled(Gaussian(mpq(4)), mpq(1, 10))


def test_intervals_and_balls_hold_their_ends():
    """Rationals and enclosures."""
    third = mpq(1, 3)
    with precision(60):
        for ball in (interval(mpq(0), third, 60), as_ball(Enclosure(mpq(0), third))):
            low, high = rational_bounds(ball)
            assert low <= 0 < third <= high
        low, high = rational_bounds(as_ball(third))
        assert low <= third <= high < low + mpq(1, 1 << 50)


@pytest.mark.parametrize(
    ("level", "other", "holds"),
    [
        (Level.rational(mpq(3)), Level.rational(mpq(3)), True),
        (Level.rational(mpq(2)), Level.rational(mpq(3)), False),
        (Level.of_exponent(mpq(11, 10)), Level.rational(mpq(3)), True),
        (Level.of_exponent(mpq(1)), Level.rational(mpq(3)), False),
        (Level.infinite(), Level.rational(mpq(3)), True),
    ],
)
def test_levels_are_compared_exactly(level, other, holds):
    """e^(11/10) > 3 > e."""
    assert at_least(level, other) is holds


def test_symmetry():
    """Exchanged rows that are a permutation of the columns."""
    assert is_symmetric(RESPONSE)
    assert is_symmetric(Gaussian(mpq(1)))
    assert not is_symmetric(GENERIC)
    assert not is_symmetric(HALF)
    assert not is_symmetric(SAMPLED)


def test_masses_and_losses():
    """On either side."""
    assert [singular(HALF, side) for side in ("forward", "backward")] == [mpq(1, 10), 0]
    assert singular(SAMPLED, "forward") == 0
    assert largest_ratio(GENERIC, "forward", 12) == Level.rational(mpq(7, 2))
    assert largest_ratio(GENERIC, "backward", 12) == Level.rational(mpq(24, 7))
    assert largest_ratio(HALF, "forward", 12).is_infinite
    assert largest_ratio(HALF, "backward", 12) == Level.rational(mpq(10, 9))
    assert largest_ratio(SAMPLED, "backward", 12) == Level.rational(mpq(10, 9))
    assert largest_ratio(Laplace(mpq(2)), "forward", 12) == Level.of_exponent(mpq(2))


def test_log_moments():
    """Of order 3: log of the exact moment of a channel; a (a - 1)/2 theta² of a Gaussian pair."""
    with precision(100):
        moment = rational_ball(renyi(GENERIC, mpq(3), "forward").moment)
        assert log_moment(GENERIC, mpq(3), "forward")(90).overlaps(moment.log())
        assert log_moment(Laplace(mpq(1)), mpq(3), "forward")(90) > 0


def test_mu_of_parts():
    """Theta of Gaussian pairs and their subsampling, an enclosure of a channel's, infinite with infinite losses."""
    assert tail_mu(Gaussian(mpq(4))) == tail_mu(SAMPLED) == 4
    assert tail_mu(Laplace(mpq(1))) is None
    assert tail_mu(PoissonSubsampled(Laplace(mpq(1)), mpq(1, 2))) is None
    assert tail_mu(GENERIC) is None
    assert part_mu(Gaussian(mpq(4))) == 2
    assert part_mu(HALF) == INFINITY
    found = part_mu(RESPONSE)
    # Of total variation 1/2, so 2 Phi(mu/2) - 1 >= 1/2; 2 Phi^-1(3/4) = 1.3489795...
    assert mpq("1.3489795") < found.lo <= found.hi < mpq("1.3489796")
