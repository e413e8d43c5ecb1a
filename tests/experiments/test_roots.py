"""Roots of decreasing functions: contained, narrow, and undecided where no proof is had."""

from __future__ import annotations

import flint
import pytest
from gmpy2 import mpq

from oracle.enclosures import precision, rational_ball
from oracle.errors import UndecidedError
from oracle.experiments.roots import decreasing_root


@pytest.mark.parametrize("root", [mpq(1, 10**30), mpq(1, 3), mpq(1), mpq(1000), mpq(10**40)], ids=str)
def test_the_root_of_an_exponential_is_found(root):
    """r(x) = 2^(1 - x/root) takes the value 1 at the root."""

    def function(x):
        def ball(bits):
            with precision(bits):
                return flint.arb(2) ** (1 - x / rational_ball(root))

        return ball

    for digits in (5, 30):
        found = decreasing_root(function, digits)
        assert found.contains(root)
        assert found.width * mpq(10) ** digits <= found.hi


def test_a_jump_over_the_value_is_enclosed():
    """A step function that jumps over 1 has its jump enclosed."""

    def function(x):
        return lambda _: flint.arb(2) if x < flint.arb(1) / 3 else flint.arb(0.5)

    assert decreasing_root(function, 5).contains(mpq(1, 3))


def test_a_function_that_is_never_known_is_undecided():
    """A ball that always contains 1 tells nothing."""
    with pytest.raises(UndecidedError):
        decreasing_root(lambda _: lambda _: flint.arb(1, 1), 5)
