"""Integer keys are within 1 of the logarithm they stand for."""

from __future__ import annotations

from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from oracle.accountant.ratio_keys import level_key, log_key, powers
from oracle.enclosures import arb_from_rational, precision
from oracle.levels import Level

ratios = st.fractions(min_value="1/1000000", max_value=10**9, max_denominator=10**6).map(mpq)


@given(ratios, st.integers(1, 80))
def test_a_key_is_within_1_of_the_scaled_logarithm(ratio, places):
    """By a logarithm of many more bits."""
    with precision(400):
        exact = arb_from_rational(ratio, 400).log() * 2**places
        assert abs(exact - log_key(ratio, places)) <= 1
    assert level_key(Level.rational(ratio), places) == log_key(ratio, places)


@given(st.fractions(min_value=-50, max_value=50, max_denominator=1000).map(mpq), st.integers(1, 80))
def test_a_key_of_a_level_e_to_a_rational(exponent, places):
    """Its exponent, scaled; e^0 is the level 1."""
    assert abs(exponent * 2**places - level_key(Level.of_exponent(exponent), places)) <= 1


def test_powers_start_at_1():
    """1, x, x², x³."""
    assert powers(3, 3) == [1, 3, 9, 27]
    assert powers(3, 0) == [1]
