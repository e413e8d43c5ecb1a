"""The merged channel of discrete Laplace noise against the infinite sums of its definition."""

from __future__ import annotations

import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from oracle.channels.canonical import canonical
from oracle.channels.discrete_laplace import discrete_laplace, discrete_laplace_formal
from oracle.channels.divergences import hockey_stick
from oracle.channels.formal_channel import formal_epsilon, formal_hockey_stick, formal_satisfies
from oracle.errors import InputError, LimitError
from oracle.exact import INFINITY
from oracle.levels import Level

ratios = st.fractions(min_value=0, max_value="9/10", max_denominator=10).map(mpq)


@given(ratios, st.integers(1, 6), st.sampled_from([mpq(1, 4), mpq(1), mpq(3, 2), mpq(5)]))
def test_the_hockey_stick_is_the_sum_of_the_definition(ratio, sensitivity, level):
    """The sum over -n..n+s; what is left out is at most both tails, 2 r^(n+1)/(1 + r) times 1 + a."""
    n = 60
    mass = [(1 - ratio) / (1 + ratio) * ratio ** abs(z) if ratio or not z else mpq(0) for z in range(-n, n + 1)]
    pad = [mpq(0)] * sensitivity
    p, q = mass + pad, pad + mass
    partial = sum((max(mpq(0), x - level * y) for x, y in zip(p, q, strict=True)), mpq(0))
    left_out = 2 * ratio ** (n + 1) * (1 + level) + ratio ** (n + 1 - sensitivity) * (1 + level)
    value = hockey_stick(discrete_laplace(ratio, sensitivity), level)
    assert abs(value - partial) <= left_out


@given(ratios, st.integers(1, 8))
def test_rows_are_stochastic_symmetric_and_already_merged(ratio, sensitivity):
    """One column more than the sensitivity, all of different ratios."""
    channel = discrete_laplace(ratio, sensitivity)
    assert channel.masses == (1, 1)
    assert channel.rows[0] == channel.rows[1][::-1]
    assert channel.shape[1] == sensitivity + 1
    assert canonical(channel).shape[1] == (sensitivity + 1 if ratio else 2)


def test_the_level_of_a_formal_one_is_exactly_sensitivity_over_scale():
    """At its own epsilon it is pure, just below it is not."""
    channel = discrete_laplace_formal(mpq(3, 2), 4)
    assert channel.shape == (2, 5)
    assert formal_epsilon(channel, mpq(0)) == Level.of_exponent(mpq(8, 3))
    assert formal_satisfies(channel, Level.of_exponent(mpq(8, 3)), mpq(0)).holds
    assert not formal_satisfies(channel, Level.of_exponent(mpq(8, 3) - mpq(1, 10**30)), mpq(0)).holds


def test_a_formal_one_lies_between_two_rational_ones():
    """e^(-1) is between 0.367879441171442321 and 0.367879441171442322; D falls as the ratio rises."""
    value = formal_hockey_stick(discrete_laplace_formal(mpq(1), 3), Level.rational(2), "both", 30)
    low, high = mpq("0.367879441171442321"), mpq("0.367879441171442322")
    assert hockey_stick(discrete_laplace(high, 3), mpq(2)) <= value.lo
    assert value.hi <= hockey_stick(discrete_laplace(low, 3), mpq(2))


def test_the_ratio_zero_tells_the_inputs_apart():
    """No noise at all."""
    assert hockey_stick(discrete_laplace(mpq(0), 2), INFINITY) == 1


def test_bad_parameters_and_sizes_are_refused():
    """A ratio of 1, no sensitivity, and tables too large to hold."""
    for wrong in (
        lambda: discrete_laplace(mpq(1), 1),
        lambda: discrete_laplace(mpq(1, 2), 0),
        lambda: discrete_laplace_formal(mpq(0), 1),
    ):
        with pytest.raises(InputError):
            wrong()
    for large in (lambda: discrete_laplace(mpq(1, 3), 10**6), lambda: discrete_laplace_formal(mpq(1), 10**5)):
        with pytest.raises(LimitError):
            large()
