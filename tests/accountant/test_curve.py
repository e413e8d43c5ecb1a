"""T at one alpha from the profile: around exact curves of tables, Gaussian and Laplace pairs, and of poor profiles."""

from __future__ import annotations

import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle.accountant.curve import beta_enclosure
from oracle.accountant.methods import Found
from oracle.channels.channel import Channel
from oracle.channels.divergences import hockey_stick
from oracle.enclosures import Enclosure
from oracle.experiments.gaussian import Gaussian
from oracle.experiments.laplace import Laplace
from oracle.operations import tradeoff

ALPHAS = [mpq(1, 1000), mpq(1, 7), mpq(1, 2), mpq(19, 20)]


def of_experiment(pair):
    """The backward profile of a pair with an experiment's digits."""
    return lambda levels, digits: [Found(pair.hockey_stick(a, "backward", digits), "", {}) for a in levels]


def of_channel(channel):
    """The exact backward profile of a table."""
    return lambda levels, _: [Found(hockey_stick(channel, a.value, "backward"), "", {}) for a in levels]


@pytest.mark.parametrize("alpha", ALPHAS, ids=str)
@pytest.mark.parametrize("pair", [Gaussian(mpq(1)), Gaussian(mpq(9)), Laplace(mpq(1)), Laplace(mpq(3))], ids=str)
def test_of_pairs_with_a_closed_form(pair, alpha):
    """G_mu and the Laplace curve, from their profiles to eight digits."""
    found = beta_enclosure(of_experiment(pair), alpha, 8)
    expected = pair.beta(alpha, "forward", 20)
    assert found.overlaps(expected if isinstance(expected, Enclosure) else Enclosure(expected, expected))
    assert found.width <= found.hi / 10**6


weights = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=2, max_size=4)


@settings(max_examples=25)
@given(
    weights.filter(lambda rows: all(sum(column) for column in zip(*rows, strict=True))),
    st.fractions("1/50", "49/50", max_denominator=50).map(mpq),
)
def test_of_tables(columns, alpha):
    """The exact value of a piecewise linear curve, infinite and zero losses included, is enclosed."""
    p, q = zip(*columns, strict=True)
    channel = Channel([[mpq(x, sum(row)) for x in row] for row in (p, q)])
    found = beta_enclosure(of_channel(channel), alpha, 6)
    assert found.contains(tradeoff(channel, direction="forward").at(alpha))


def test_of_a_profile_known_to_few_digits():
    """Wide values of the profile make a wide enclosure that still holds and says what it reached."""
    pair, alpha = Gaussian(mpq(1)), mpq(1, 7)

    def coarse(levels, _):
        values = [pair.hockey_stick(a, "backward", 12) for a in levels]
        unit = mpq(1, 1000)
        return [Found(Enclosure(max(v.lo - unit, mpq(0)), v.hi + unit), "", {}) for v in values]

    found = beta_enclosure(coarse, alpha, 8)
    assert found.overlaps(pair.beta(alpha))
    assert found.reached is not None
    assert found.width >= mpq(1, 1000)


@pytest.mark.parametrize("alpha", [mpq(3, 50), mpq(1, 3), mpq(17, 19)], ids=str)
@pytest.mark.parametrize("digits", [1, 2, 3, 6, 12])
def test_a_kink_may_lie_between_any_two_of_the_points(alpha, digits):
    """Of equal laws T = 1 - alpha; also with few digits, where the points are far apart."""
    same = Channel([["1/2", "1/2"], ["1/2", "1/2"]])
    assert beta_enclosure(of_channel(same), alpha, digits).contains(1 - alpha)
    response = Channel([["3/4", "1/4"], ["1/4", "3/4"]])
    exact = tradeoff(response, direction="forward").at(alpha)
    assert beta_enclosure(of_channel(response), alpha, digits).contains(exact)
