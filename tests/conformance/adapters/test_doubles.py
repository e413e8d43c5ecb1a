"""Conversion to doubles: each number goes to the side that keeps the claim, and libraries load when they are asked."""

from __future__ import annotations

import math

import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from oracle.conformance.adapters.doubles import Rounding, echoed, load, log_nearest, nearest, positive
from oracle.conformance.protocol import AWKWARD, AdapterError, echoes
from oracle.errors import Declined
from oracle.exact import from_binary64
from oracle.levels import Level

UPPER, LOWER = Rounding(), Rounding(upper=False)
positive_rationals = st.fractions(min_value=0, max_value=10**6).map(mpq).filter(bool)


@given(positive_rationals)
def test_an_upper_bound_gets_less_noise_and_more_leak(x: mpq) -> None:
    """Rounded towards less privacy for an upper claim and towards more for a lower one, by one double at most."""
    for smaller, larger in ((UPPER.smaller(x), UPPER.larger(x)), (LOWER.larger(x), LOWER.smaller(x))):
        assert from_binary64(smaller) <= x <= from_binary64(larger)
        assert larger in {smaller, math.nextafter(smaller, math.inf)}


@given(positive_rationals)
def test_a_level_is_rounded_as_its_logarithm(x: mpq) -> None:
    """The epsilon that is asked at lies below log(x) and the one of a mechanism above, or is exactly it."""
    low, high = UPPER.smaller_epsilon(Level(x)), UPPER.larger_epsilon(Level(x))
    below, above = Level.of_exponent(from_binary64(low)), Level.of_exponent(from_binary64(high))
    assert below.compare(x) <= 0 <= above.compare(x)
    assert high in {low, math.nextafter(low, math.inf)}
    assert (LOWER.larger_epsilon(Level(x)), LOWER.smaller_epsilon(Level(x))) == (low, high)


@pytest.mark.parametrize(("level", "epsilon"), [(mpq(0), -math.inf), (mpq(1), 0.0)])
def test_levels_with_an_exact_logarithm(level: mpq, epsilon: float) -> None:
    """0 and 1 have the logarithms -inf and 0 in every direction."""
    assert {UPPER.smaller_epsilon(Level(level)), UPPER.larger_epsilon(Level(level))} == {epsilon}
    assert UPPER.smaller_epsilon(Level.infinite()) == math.inf


def test_logarithms_of_probabilities() -> None:
    """log(0) is -inf, log(1) is 0, and a probability below the doubles still has its logarithm."""
    assert log_nearest(mpq(0)) == -math.inf
    assert log_nearest(mpq(1)) == 0
    assert log_nearest(mpq(1, 2)) == -0.6931471805599453
    assert -2303 < log_nearest(mpq(1, 10**1000)) < -2302


def test_the_nearest_double() -> None:
    """Ties go to even."""
    assert nearest(mpq(1, 10)) == 0.1
    assert nearest(mpq(2**53 + 1)) == 2.0**53


def test_echo_keeps_awkward_doubles() -> None:
    """What the adapter makes of numbers is the numbers."""
    assert echoes([x.hex() for x in echoed(list(AWKWARD))]) is None
    assert echoed(["inf", "-inf"]) == [math.inf, -math.inf]


@pytest.mark.parametrize("x", [0.0, math.inf, -1.0])
def test_a_parameter_out_of_range_is_declined(x: float) -> None:
    """A library is asked about doubles above 0 only."""
    with pytest.raises(Declined, match="the scale"):
        positive(x, "the scale")


def test_the_epsilon_of_a_mechanism_is_finite_and_above_0() -> None:
    """Rounded towards less privacy; 0 and infinity are declined."""
    assert UPPER.guarantee(Level.of_exponent(mpq(1, 3))) > mpq(1, 3) > LOWER.guarantee(Level.of_exponent(mpq(1, 3)))
    for level in (Level.rational(1), Level.infinite()):
        with pytest.raises(Declined, match="epsilon"):
            UPPER.guarantee(level)


def test_a_library_that_is_not_there() -> None:
    """The error has the command that installs it."""
    with pytest.raises(AdapterError, match=r"No module named 'no_such_library'.* -m pip install qif==\S+, or"):
        load("no_such_library", "qif")
