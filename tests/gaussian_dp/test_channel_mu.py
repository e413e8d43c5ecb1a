"""Tight mu of finite pairs against the maximum over all events, and of experiments against their profiles."""

from __future__ import annotations

from itertools import product

import mpmath
import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle.channels.channel import Channel
from oracle.channels.formal_channel import FormalChannel
from oracle.channels.profile import delta_at
from oracle.enclosures import Enclosure, compare
from oracle.errors import Declined, InputError
from oracle.exact import INFINITY
from oracle.gaussian_dp.channel_mu import compare_mu, inner_corners, least_mu
from oracle.gaussian_dp.profile import delta_mu, mu_gdp
from oracle.levels import Level
from oracle.operations import pair_of
from tests.experiments.reference import as_mpq, real

WEIGHTS = st.lists(st.tuples(st.integers(1, 9), st.integers(1, 9)), min_size=1, max_size=6)
SLACK = mpq(1, 10**25)


def channel(columns) -> Channel:
    totals = [sum(column[row] for column in columns) for row in (0, 1)]
    return Channel([[mpq(column[row], totals[row]) for column in columns] for row in (0, 1)])


def by_events(pair: Channel):
    """The largest Phi^-1(1 - P(S)) - Phi^-1(1 - Q(S)) over every event S that says anything."""
    p, q = pair.rows
    best = mpq(0)
    with mpmath.workdps(40):
        quantile = lambda x: mpmath.sqrt(2) * mpmath.erfinv(2 * real(x) - 1)  # noqa: E731
        for choice in product((0, 1), repeat=len(p)):
            alpha = sum((x for x, c in zip(p, choice, strict=True) if c), mpq(0))
            beta = 1 - sum((x for x, c in zip(q, choice, strict=True) if c), mpq(0))
            if 0 < alpha < 1 and 0 < beta < 1:
                best = max(best, as_mpq(quantile(1 - alpha) - quantile(beta)))
    return best


@settings(deadline=None, max_examples=40)
@given(WEIGHTS)
def test_the_largest_over_all_events(columns):
    """The corners are enough: no event says more."""
    pair = channel(columns)
    truth, found = by_events(pair), least_mu(pair, 15)
    if found == 0:
        assert pair.rows[0] == pair.rows[1]
        assert truth <= SLACK
        return
    assert found.lo - SLACK <= truth <= found.hi + SLACK
    assert found.width * 10**15 <= found.hi


@settings(deadline=None, max_examples=30)
@given(WEIGHTS)
def test_the_transform_at_every_ratio_is_no_larger(columns):
    """mu_GDP(eps, delta(eps)) at the ratios of the channel is at most the least mu."""
    pair = channel(columns)
    found = least_mu(pair)
    if found == 0:
        return
    for p, q in zip(*pair.rows, strict=True):
        level = Level.rational(max(p / q, q / p))
        least = mu_gdp(level, delta_at(pair, level, "both", 12))
        assert (least.lo if isinstance(least, Enclosure) else least) <= found.hi


@settings(deadline=None, max_examples=30)
@given(WEIGHTS)
def test_both_directions_and_both_kinds_agree(columns):
    """Swapped rows and weights instead of probabilities give overlapping enclosures."""
    pair = channel(columns)
    found, swapped, formal = (least_mu(x) for x in (pair, pair.swapped(), FormalChannel.from_channel(pair)))
    if found == 0:
        assert swapped == formal == 0
        return
    assert found.overlaps(swapped)
    assert found.overlaps(formal)


@settings(deadline=None, max_examples=30)
@given(WEIGHTS)
def test_comparisons_at_the_ends_of_the_enclosure(columns):
    """The least mu is above the lower end less a little and below the upper end more a little."""
    pair = channel(columns)
    found = least_mu(pair)
    if found == 0:
        assert compare_mu(pair, mpq(0)).sign == 0
        assert compare_mu(pair, mpq(1)).sign == -1
        return
    assert compare_mu(pair, found.lo * mpq(999, 1000)).sign == 1
    assert compare_mu(pair, found.hi * mpq(1001, 1000)).sign == -1


@pytest.mark.parametrize(
    "rows",
    [
        [["1/2", "1/2", "0"], ["1/2", "1/4", "1/4"]],
        [["1/2", "1/4", "1/4"], ["1/2", "1/2", "0"]],
        [["1", "0"], ["0", "1"]],
        [["1/10", "27/40", "9/40", "0"], ["0", "9/40", "27/40", "1/10"]],
    ],
)
def test_no_mu_serves(rows):
    """An outcome of probability 0 on one side only."""
    pair = Channel([[mpq(x) for x in row] for row in rows])
    assert least_mu(pair) is INFINITY
    assert least_mu(FormalChannel.from_channel(pair)) is INFINITY
    assert inner_corners(pair) is None
    assert compare_mu(pair, mpq(1000)).sign == 1


def test_outcomes_of_probability_zero_on_both_sides_say_nothing():
    """They are in no corner."""
    pair = Channel([[mpq(3, 4), mpq(0), mpq(1, 4)], [mpq(1, 4), mpq(0), mpq(3, 4)]])
    assert least_mu(pair).overlaps(least_mu(Channel([[mpq(3, 4), mpq(1, 4)], [mpq(1, 4), mpq(3, 4)]])))


@pytest.mark.parametrize("epsilon", ["1/1000", "1", "5", "40"])
def test_randomized_response_in_closed_form(epsilon):
    """The value -2 Phi^-1(1/(1 + e^eps)) with irrational probabilities."""
    found = least_mu(pair_of({"mechanism": "randomized_response", "epsilon": epsilon}), 20)
    with mpmath.workdps(60):
        x = 1 / (1 + mpmath.exp(real(mpq(epsilon))))
        truth = as_mpq(-2 * mpmath.sqrt(2) * mpmath.erfinv(2 * x - 1))
    assert found.lo - SLACK <= truth <= found.hi + SLACK


def test_three_times_randomized_response_given_value():
    """At e^eps = 3 the least mu is 1.34897950039216348..."""
    found = least_mu(pair_of({"mechanism": "randomized_response", "exp_epsilon": "3"}), 18)
    assert found.overlaps(Enclosure(mpq("1.34897950039216348"), mpq("1.34897950039216349")))


def test_ties_between_corners():
    """A symmetric composition has two corners of equal mu; the enclosure is that of both."""
    pair = pair_of({"mechanism": "repeat", "times": 2, "of": {"mechanism": "randomized_response", "exp_epsilon": "2"}})
    assert len(inner_corners(pair)) == 2
    found = least_mu(pair, 30)
    assert found.width * mpq(10) ** 30 <= found.hi


def test_a_thousand_columns():
    """The composition of 999 randomized responses, corners out to 10^-300."""
    base = {"mechanism": "randomized_response", "exp_epsilon": "11/10"}
    found = least_mu(pair_of({"mechanism": "repeat", "times": 999, "of": base}))
    assert found.width * 10**12 <= found.hi
    assert found.overlaps(Enclosure(mpq("3.0126493051228"), mpq("3.0126493051230")))


@pytest.mark.parametrize(
    ("mechanism", "value"),
    [
        ({"mechanism": "gaussian", "sigma": "2/3"}, mpq(3, 2)),
        ({"mechanism": "gaussian_dp", "mu": "5"}, mpq(5)),
        ({"mechanism": "gaussian_dp", "mu": "0"}, mpq(0)),
        ({"mechanism": "repeat", "times": 4, "of": {"mechanism": "gaussian", "sigma": "3"}}, mpq(2, 3)),
    ],
)
def test_gaussian_pairs_are_exact(mechanism, value):
    """The mu is theta where that is rational, with exact comparisons."""
    pair = pair_of(mechanism)
    assert least_mu(pair) == value
    assert compare_mu(pair, value).sign == 0
    assert compare_mu(pair, value + mpq(1, 10**50)).sign == -1


def test_an_irrational_theta():
    """√2, compared exactly although it is enclosed."""
    pair = pair_of({"mechanism": "repeat", "times": 2, "of": {"mechanism": "gaussian", "sigma": "1"}})
    found = least_mu(pair, 30)
    assert found.lo**2 < 2 < found.hi**2
    assert [compare_mu(pair, end).sign for end in (found.lo, found.hi)] == [1, -1]


@pytest.mark.parametrize(
    ("theta", "value"),
    [("1/2", "0.56176432321101888"), ("1", "1.03006399762443387"), ("2", "1.80090519327558068")],
)
def test_laplace_given_values_and_profile(theta, value):
    """mu_0 = G(0); on a grid of eps its delta_mu is at least D, with equality at 0."""
    pair = pair_of({"mechanism": "laplace", "scale": str(1 / mpq(theta))})
    found = least_mu(pair, 16)
    assert found.overlaps(Enclosure(mpq(value), mpq(value) + mpq(1, 10**17)))
    for k in range(20):
        level = Level.of_exponent(mpq(k, 8))
        own = pair.hockey_stick(level, "both", 20)
        assert delta_mu(found.hi, level, 20).hi >= (own.lo if isinstance(own, Enclosure) else own)
    zero = pair.hockey_stick(Level.rational(1), "both", 20)
    assert delta_mu(found.lo, Level.rational(1), 20).lo <= zero.hi


@pytest.mark.parametrize("scale", ["1e-6", "1e100"])
def test_laplace_of_extreme_scale_keeps_its_digits(scale):
    """For theta = 10^6 and 10^-100; small theta gives mu = theta √(π/2) (1 + O(theta))."""
    found = least_mu(pair_of({"mechanism": "laplace", "scale": scale}), 20)
    assert found.width * mpq(10) ** 20 <= found.hi
    if scale == "1e100":
        assert found.overlaps(Enclosure(mpq("1.2533141373e-100"), mpq("1.2533141374e-100")))


def test_poisson_subsampling_of_gaussian_keeps_theta():
    """D is at most delta_theta on a grid, and above delta_m for m = 9/10 theta far out."""
    pair = pair_of(
        {
            "mechanism": "poisson_subsample",
            "neighbours": "add_remove",
            "rate": "1/50",
            "of": {"mechanism": "gaussian", "sigma": "1"},
        }
    )
    assert least_mu(pair) == 1
    assert compare_mu(pair, mpq(99, 100)).sign == 1
    for k in range(12):
        level = Level.of_exponent(mpq(k))
        assert pair.hockey_stick(level, "both", 20).lo <= delta_mu(mpq(1), level, 20).hi
    far = Level.of_exponent(mpq(60))
    assert pair.hockey_stick(far, "forward", 20).lo > delta_mu(mpq(9, 10), far, 20).hi


@pytest.mark.parametrize(
    "mechanism",
    [
        {"mechanism": "discrete_gaussian", "sigma": "2"},
        {
            "mechanism": "poisson_subsample",
            "neighbours": "add_remove",
            "rate": "1/2",
            "of": {"mechanism": "laplace", "scale": "1"},
        },
        {
            "mechanism": "poisson_subsample",
            "neighbours": "substitute",
            "rate": "1/2",
            "of": {"mechanism": "gaussian", "sigma": "1"},
        },
    ],
    ids=lambda m: m["mechanism"],
)
def test_what_is_not_proved_is_declined(mechanism):
    """With the list of what is offered."""
    pair = pair_of(mechanism)
    for ask in (lambda: least_mu(pair), lambda: compare_mu(pair, mpq(1))):
        with pytest.raises(Declined, match="mu is offered for finite tables"):
            ask()


def test_a_negative_mu_is_refused():
    """Before anything is computed."""
    with pytest.raises(InputError, match="mu at least 0"):
        compare_mu(pair_of({"mechanism": "laplace", "scale": "1"}), mpq(-1))


def test_an_equality_of_irrational_numbers_stays_undecided():
    """Two enclosures of one number are never told apart, and nothing is claimed."""
    pair = pair_of({"mechanism": "randomized_response", "exp_epsilon": "3"})
    (corner,) = inner_corners(pair)
    assert compare(corner.mu, corner.mu, 1024).sign is None
