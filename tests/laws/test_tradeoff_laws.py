"""Laws of trade-off functions and of the two maps T and C, against the test polytope itself."""

from __future__ import annotations

from itertools import pairwise

from gmpy2 import mpq
from hypothesis import given

from oracle.channels.canonical import canonical
from oracle.channels.channel import Channel
from oracle.channels.galois import channel_of, tradeoff_of
from oracle.channels.refinement import refines
from oracle.channels.testing import error_at, event_at_alpha, rejection_set, two_point_channel
from oracle.channels.testing import test_channel as channel_of_test
from oracle.channels.tradeoff import TradeoffFunction, approximate_dp_curve, lower_hull, maximum, minimum
from oracle.channels.worst_case import approximate_dp_channel
from oracle.exact import to_fraction
from oracle.laws.strategies import alphas, deltas, rational_levels, tradeoff_functions, two_row_channels
from tests.laws import reference


@given(two_row_channels())
def test_t_is_the_hull_of_all_events(channel: Channel) -> None:
    assert list(tradeoff_of(channel).breakpoints) == reference.tradeoff(channel.matrix)


@given(two_row_channels(5), alphas())
def test_t_at_alpha_is_the_best_mixture_of_two_tests(channel: Channel, alpha: mpq) -> None:
    points = reference.test_points(*channel.matrix)
    assert tradeoff_of(channel)(alpha) == reference.value(points, to_fraction(alpha))


@given(two_row_channels())
def test_t_is_a_valid_trade_off_function_with_minimal_corners(channel: Channel) -> None:
    curve = tradeoff_of(channel)
    assert TradeoffFunction(curve.corners).corners == curve.corners


@given(two_row_channels())
def test_c_of_t_is_the_canonical_form(channel: Channel) -> None:
    assert channel_of(tradeoff_of(channel)) == canonical(channel)


@given(tradeoff_functions())
def test_t_of_c_is_the_curve(curve: TradeoffFunction) -> None:
    assert tradeoff_of(channel_of(curve)) == curve


@given(tradeoff_functions())
def test_c_of_a_curve_is_a_canonical_channel(curve: TradeoffFunction) -> None:
    channel = channel_of(curve)
    assert Channel(channel.rows) == channel
    assert canonical(channel) == channel


@given(tradeoff_functions(), two_row_channels())
def test_t_and_c_are_a_galois_connection(curve: TradeoffFunction, channel: Channel) -> None:
    assert (curve <= tradeoff_of(channel)) == refines(channel_of(curve), channel)


@given(tradeoff_functions())
def test_the_inverse_twice_is_the_curve(curve: TradeoffFunction) -> None:
    assert curve.inverse().inverse() == curve
    assert TradeoffFunction(curve.inverse().corners) == curve.inverse()


@given(tradeoff_functions(), alphas())
def test_the_inverse_is_the_least_alpha_with_a_value_at_most_beta(curve: TradeoffFunction, beta: mpq) -> None:
    alpha = curve.inverse().at(beta)
    assert curve.at(alpha) <= beta
    # alpha is least: it is 0, or the curve is above beta just before it, since it is convex and falling there.
    assert alpha == 0 or curve.at(alpha - alpha / 2**200) > beta


@given(two_row_channels())
def test_t_of_the_swapped_pair_is_the_inverse(channel: Channel) -> None:
    assert tradeoff_of(channel.swapped()) == tradeoff_of(channel).inverse()


@given(tradeoff_functions())
def test_the_symmetrised_curve_is_the_largest_symmetric_one_below(curve: TradeoffFunction) -> None:
    symmetric = curve.symmetrised()
    assert symmetric.is_symmetric()
    assert symmetric <= curve
    assert curve.is_symmetric() == (symmetric == curve)
    assert symmetric == minimum([curve, curve.inverse()])


@given(tradeoff_functions(), tradeoff_functions())
def test_the_order_is_pointwise(f: TradeoffFunction, g: TradeoffFunction) -> None:
    places = {a for curve in (f, g) for a, _ in curve.corners}
    assert (f <= g) == all(f.at(a) <= g.at(a) for a in places)
    assert (f >= g) == (g <= f)


@given(tradeoff_functions(), tradeoff_functions(), alphas())
def test_the_maximum_is_pointwise(f: TradeoffFunction, g: TradeoffFunction, alpha: mpq) -> None:
    assert maximum([f, g]).at(alpha) == max(f.at(alpha), g.at(alpha))


@given(tradeoff_functions(), tradeoff_functions())
def test_the_maximum_is_a_valid_curve_and_equal_at_every_corner_and_between(
    f: TradeoffFunction, g: TradeoffFunction
) -> None:
    top = maximum([f, g])
    assert TradeoffFunction(top.corners).corners == top.corners
    places = [a for a, _ in top.corners]
    places += [(a + b) / 2 for a, b in pairwise(places)]
    assert all(top.at(a) == max(f.at(a), g.at(a)) for a in places)


@given(tradeoff_functions(), tradeoff_functions(), tradeoff_functions())
def test_the_minimum_is_the_largest_curve_below(
    f: TradeoffFunction, g: TradeoffFunction, below: TradeoffFunction
) -> None:
    low = minimum([f, g])
    assert TradeoffFunction(low.corners).corners == low.corners
    assert low <= f
    assert low <= g
    assert (below <= low) == (below <= f and below <= g)
    common = minimum([below, f, g])
    assert common <= low


@given(tradeoff_functions(), tradeoff_functions())
def test_minimum_and_maximum_absorb_each_other(f: TradeoffFunction, g: TradeoffFunction) -> None:
    assert minimum([f, maximum([f, g])]) == f
    assert maximum([f, minimum([f, g])]) == f
    assert maximum([f, f]) == minimum([f, f]) == f


@given(two_row_channels(), alphas())
def test_a_channel_refines_to_its_test_at_every_alpha(channel: Channel, alpha: mpq) -> None:
    assert refines(channel, two_point_channel(channel, alpha))


@given(two_row_channels(), rational_levels())
def test_the_test_at_a_level_gives_m_alpha(channel: Channel, level: mpq) -> None:
    alpha = error_at(channel, level)
    test = channel_of_test(channel, level)
    product = reference.product(channel.matrix, test.matrix)
    assert [tuple(row) for row in product] == list(two_point_channel(channel, alpha).matrix)


@given(two_row_channels())
def test_the_event_of_each_corner_has_its_errors(channel: Channel) -> None:
    p, q = channel.matrix
    for alpha, beta in tradeoff_of(channel).corners:
        event = event_at_alpha(channel, alpha)
        assert (reference.mass(p, event), 1 - reference.mass(q, event)) == (to_fraction(alpha), to_fraction(beta))


@given(two_row_channels(), rational_levels())
def test_err_is_the_mass_of_the_rejection_set(channel: Channel, level: mpq) -> None:
    p, q = channel.matrix
    h = to_fraction(level)
    assert rejection_set(channel, level) == tuple(i for i in range(len(p)) if q[i] >= h * p[i])
    assert to_fraction(error_at(channel, level)) == sum(a for a, b in zip(p, q, strict=True) if b >= h * a)
    assert error_at(channel, mpq(0)) == 1


@given(rational_levels(1), deltas())
def test_the_curve_of_an_approximate_claim_is_the_one_of_its_worst_case(level: mpq, delta: mpq) -> None:
    curve = approximate_dp_curve(level, delta)
    assert TradeoffFunction(curve.corners) == curve
    assert tradeoff_of(approximate_dp_channel(level, delta)) == curve
    assert curve.is_symmetric()


@given(rational_levels(1), deltas(), alphas())
def test_the_curve_of_an_approximate_claim_is_its_formula(level: mpq, delta: mpq, alpha: mpq) -> None:
    formula = max(mpq(0), 1 - delta - level * alpha, (1 - delta - alpha) / level)
    assert approximate_dp_curve(level, delta).at(alpha) == formula


@given(two_row_channels())
def test_the_hull_agrees_with_gift_wrapping(channel: Channel) -> None:
    points = reference.test_points(*channel.matrix)
    exact = lower_hull([(mpq(a.numerator, a.denominator), mpq(b.numerator, b.denominator)) for a, b in points])
    assert [(to_fraction(a), to_fraction(b)) for a, b in exact] == reference.hull(points)
