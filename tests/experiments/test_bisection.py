"""Roots by bisection: contained at every precision, narrow, also where the root is a dyadic number."""

from __future__ import annotations

import pytest
from flint import arb
from gmpy2 import mpq

from oracle.enclosures import enclose, precision, rational_ball
from oracle.experiments.bisection import falling_root


def cubic(x):
    """1 - x³ as a ball."""

    def ball(bits):
        with precision(bits):
            return 1 - rational_ball(x) ** 3

    return ball


@pytest.mark.parametrize("root", [mpq(1, 3), mpq(1, 2), mpq(3, 4), mpq(999, 1000), mpq(1, 10**30)])
@pytest.mark.parametrize("digits", [3, 15, 60])
def test_the_root_is_enclosed(root, digits):
    """The value at a rational root leads back to it, at the digits asked for."""
    found = enclose(falling_root(cubic, 1 - root**3), digits)
    assert found.reached is None
    assert found.contains(root)


def test_without_a_proved_sign_the_whole_interval_stands():
    """A function whose ball says nothing leaves [0, 1]."""
    ball = falling_root(lambda _: lambda _: arb(0, 1), mpq(0))(64)
    assert ball.contains(0)
    assert ball.contains(1)
