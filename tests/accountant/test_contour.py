"""delta of compositions: certified values, closed forms, exact channels, other abscissae, limits."""

from __future__ import annotations

from math import comb

import pytest
from flint import arb
from gmpy2 import mpq

from oracle.accountant.atomic_parts import DiscreteGaussian, FiniteChannel
from oracle.accountant.closed_form_parts import Gaussian, Laplace
from oracle.accountant.contour import delta, second_abscissa
from oracle.accountant.parts import compose, swapped
from oracle.accountant.subsampled_gaussian import SubsampledGaussian
from oracle.channels.channel import Channel
from oracle.channels.composition import power
from oracle.channels.divergences import hockey_stick
from oracle.enclosures import Enclosure, precision, rational_ball
from oracle.errors import InputError
from oracle.exact import from_binary64, parse_number
from oracle.experiments.gaussian import Gaussian as GaussianPair
from oracle.experiments.subsampled import poisson_subsampled
from oracle.levels import Level

# Poisson-subsampled Gaussian (parameters are the doubles nearest the decimals), eps, remove or add, enclosure.
CERTIFIED = [
    (0.8, 0.005, 1000, 1, "remove", "0.000449401376605174521", "0.000449401376605237145"),
    (0.8, 0.005, 1000, 1, "add", "3.11819344885988046e-6", "3.11819344886011029e-6"),
    (1.0, 0.01, 10000, 4, "remove", "0.00285662868830635624", "0.00285662868830656728"),
    (1.0, 0.01, 10000, 4, "add", "0.00146193185583212457", "0.00146193185583232222"),
    (0.8, 0.005, 30, 1, "remove", "9.07491199423812447e-7", "9.07491199423930167e-7"),
    (2.0, 0.1, 500, 2, "remove", "0.0541403397114652400", "0.0541403397114692248"),
    (2.0, 0.1, 500, 2, "add", "0.0449967610348702430", "0.0449967610348735579"),
]
HARDEST = (0.3, 0.0001, 1000, 1, "remove", "0.00663118463114897944", "0.00663118463114945254")


def at(eps):
    """An eps as a ball."""
    return lambda _: rational_ball(mpq(eps))


def dpsgd(sigma: str, rate: str, steps: int, *, adds: bool = False):
    """A composition of one subsampled Gaussian."""
    return compose([(SubsampledGaussian.of(parse_number(sigma), parse_number(rate), adds=adds), steps)])


def narrow(value: Enclosure, digits: int) -> bool:
    """Whether the enclosure has the digits."""
    return value.reached is None and value.width * 10**digits <= value.hi


@pytest.mark.parametrize("case", [*CERTIFIED, HARDEST], ids=str)
def test_certified_values_are_reproduced(case):
    """The enclosure overlaps the certified one and has 12 digits."""
    sigma, rate, steps, eps, side, low, high = case
    part = SubsampledGaussian.of(from_binary64(sigma), from_binary64(rate), adds=side == "add")
    answer = delta(compose([(part, steps)]), at(eps))
    assert answer.method == "contour"
    assert answer.value.overlaps(Enclosure(parse_number(low), parse_number(high)))
    assert narrow(answer.value, 12)


@pytest.mark.parametrize(
    ("composition", "eps"),
    [
        (dpsgd("0.8", "0.005", 1000), 1),
        (dpsgd("0.8", "0.005", 1000, adds=True), 1),
        (dpsgd("0.8", "0.005", 30), 1),
        (dpsgd("4", "0.00033", 100000), mpq(1, 10)),
        (compose([(Laplace(mpq(1)), 30), (Gaussian(mpq(1, 4)), 1)]), 5),
        (compose([(DiscreteGaussian(mpq(4)), 10), (Gaussian(mpq(1)), 1)]), 3),
    ],
)
@pytest.mark.parametrize("abscissa", [mpq(1, 2), mpq(-7, 2)])
def test_another_abscissa_gives_an_overlapping_enclosure(composition, eps, abscissa):
    """The planner's own line against one right of 0 and one left of -1, of ten digits."""
    own, other = delta(composition, at(eps), 14).value, delta(composition, at(eps), 10, abscissa=abscissa).value
    assert own.overlaps(other)
    assert narrow(own, 14)
    assert narrow(other, 10)


@pytest.mark.parametrize(("digits", "eps"), [(12, 40), (30, 40), (60, 20), (12, -5)])
def test_a_composition_of_gaussians_is_a_gaussian(digits, eps):
    """Against the closed form with theta² = Σ theta_i²."""
    value = delta(compose([(Gaussian(mpq(1)), 60), (Gaussian(mpq(1, 4)), 16)]), at(eps), digits).value
    assert value.overlaps(GaussianPair(mpq(64)).hockey_stick(Level.of_exponent(mpq(eps)), "forward", digits + 5))
    assert narrow(value, digits)


def test_a_rate_close_to_one_is_close_to_the_gaussian():
    """Rate 1 - 1e-9, ten steps: delta differs by at most 1e-8 from that at q = 1, which is above."""
    value = delta(dpsgd("2", "0.999999999", 10), at(1), 14).value
    closed = GaussianPair(mpq(10, 4)).hockey_stick(Level.of_exponent(mpq(1)), "forward", 20)
    assert closed.hi - mpq(1, 10**8) <= value.lo
    assert value.hi <= closed.hi


@pytest.mark.parametrize(("side", "adds"), [("forward", False), ("backward", True)])
def test_two_steps_of_which_one_is_harmless_are_one(side, adds):
    """A Gaussian of theta = 1e-40 beside one subsampled step, against the closed form of that step."""
    part = SubsampledGaussian(mpq(1), mpq(1, 4), adds=adds)
    value = delta(compose([(part, 1), (Gaussian(mpq(1, 10**16)), 1)]), at(mpq(1, 8)), 6).value
    closed = poisson_subsampled(GaussianPair(mpq(1)), mpq(1, 4)).hockey_stick(Level.of_exponent(mpq(1, 8)), side, 20)
    # The second step has total variation below 1e-8 and delta is 1-Lipschitz in it, up to e^eps.
    assert value.lo - mpq(3, 10**8) <= closed.hi
    assert closed.lo <= value.hi
    assert value.width < mpq(1, 10**4)


@pytest.mark.parametrize("eps", [mpq(-1), mpq(1, 3), mpq(2), mpq(7, 2)])
def test_randomized_response_beside_a_gaussian_is_a_binomial_mixture(eps):
    """Twenty randomized responses and one Gaussian against Σ_j P(j) D(eps - loss_j), twelve digits."""
    composition = compose([(FiniteChannel.of(Channel([["3/4", "1/4"], ["1/4", "3/4"]])), 20), (Gaussian(mpq(1, 4)), 1)])
    value = delta(composition, at(eps)).value
    total = arb(0)
    with precision(120):
        for j in range(21):
            loss = (20 - 2 * j) * arb(3).log()
            ball = GaussianPair(mpq(1, 4)).hockey_stick_ball(lambda _, loss=loss: rational_ball(eps) - loss, "forward")(
                120
            )
            total += comb(20, j) * rational_ball(mpq(3, 4) ** (20 - j) * mpq(1, 4) ** j) * ball
        assert rational_ball(value.lo) <= total <= rational_ball(value.hi)
    assert narrow(value, 12)


@pytest.mark.parametrize("eps", ["0.25", "1"])
@pytest.mark.parametrize("times", [1, 3])
def test_a_channel_with_infinite_losses_is_enclosed(eps, times):
    """The channel C_{log 3, 1/10}: few digits, as nothing falls off, and the exact value inside."""
    channel = Channel([["1/10", "27/40", "9/40", "0"], ["0", "9/40", "27/40", "1/10"]])
    answer = delta(compose([(FiniteChannel.of(channel), times)]), lambda _: arb(eps).exp().log(), 3, max_nodes=4000)
    level = Level.of_exponent(parse_number(eps))
    low, high = level.bracket(200)
    product = power(channel, times)
    assert hockey_stick(product, high) <= answer.value.hi
    assert answer.value.lo <= hockey_stick(product, low)
    assert answer.value.width < mpq(1, 20)


def test_beyond_the_largest_loss_delta_is_the_infinite_mass():
    """Exactly 0 for thirty add steps at eps = 1; 1 - 0.9² for two steps of the channel above at eps = 3."""
    answer = delta(dpsgd("0.8", "0.005", 30, adds=True), at(1))
    assert answer.method == "exact zero"
    assert answer.value == Enclosure(mpq(0), mpq(0))
    assert "largest finite loss" in answer.record
    channel = Channel([["1/10", "27/40", "9/40", "0"], ["0", "9/40", "27/40", "1/10"]])
    assert delta(compose([(FiniteChannel.of(channel), 2)]), at(3)).value.contains(mpq(19, 100))


@pytest.mark.parametrize(
    ("composition", "eps"),
    [
        (dpsgd("0.001", "0.001", 10), 1),
        (dpsgd("1000000", "0.01", 1000), 1),
        (dpsgd("1", "1e-9", 1000), 1),
        (dpsgd("1", "0.01", 100), 10**4),
        (compose([(Gaussian(mpq(10) ** 700), 1)]), 1),
        (compose([(Gaussian(mpq(1)), 1)]), mpq(10) ** 400),
        (compose([(FiniteChannel.of(Channel([["1", "0"], ["0", "1"]])), 3)]), 1),
    ],
)
def test_what_is_out_of_reach_is_bounded(composition, eps):
    """Extreme parameters: an enclosure within [0, 1] that says how few digits it has, or an exact end."""
    answer = delta(composition, at(eps), max_nodes=2000)
    assert 0 <= answer.value.lo <= answer.value.hi <= 1
    assert answer.value.reached is not None or answer.value.width * 10**12 <= answer.value.hi


def test_the_total_variation_bounds_what_no_line_reaches():
    """Sigma 1/1000, rate 1/1000, ten steps: at most 1 - 0.999^10."""
    value = delta(dpsgd("0.001", "0.001", 10), at(1)).value
    assert value.hi <= (1 - mpq(999, 1000) ** 10) * (1 + mpq(1, 1000))


@pytest.mark.parametrize("side", [False, True])
@pytest.mark.parametrize("eps", [4, 5])
def test_tiny_values_of_adding(side, eps):
    """Thirty digits of 300 steps of rate 1/50: quadrature to the power of large negative abscissas."""
    composition = compose([(SubsampledGaussian.of(mpq(2), mpq(1, 50), adds=side), 300)])
    answer = delta(composition, at(eps), 30)
    assert narrow(answer.value, 30)
    assert answer.value.overlaps(delta(composition, at(eps), 6, abscissa=second_abscissa(answer)).value)


def test_faint_noise_differences_are_in_reach():
    """Sigma 10^6: of one direction and the other, and by the variance of the sum."""
    for times in (5, 1000):
        forward = delta(dpsgd("1000000", "1/2", times), at(0)).value
        backward = delta(swapped(dpsgd("1000000", "1/2", times)), at(0)).value
        assert narrow(forward, 12)
        assert forward.overlaps(backward)
        # delta(0) = 2 Phi(mu/2) - 1 of a Gaussian of mu = q √k/sigma, up to terms of order mu³.
        gaussian = GaussianPair(mpq(times, 4 * 10**12)).hockey_stick(Level.rational(mpq(1)), "forward", 20)
        assert abs(forward.hi - gaussian.hi) < gaussian.hi / 10**6


def test_the_bound_near_1_is_told_at_once():
    """2^30 Laplace steps, and 10^9 subsampled ones: delta is 1 to every digit asked for."""
    for composition in (compose([(Laplace(mpq(1)), 1 << 30)]), dpsgd("1", "0.5", 10**9)):
        answer = delta(composition, at(1), 12)
        assert (answer.method, answer.value.reached) == ("bounds", None)
        assert answer.value.lo > 1 - mpq(1, 10**12)


def test_an_epsilon_beyond_binary64():
    """No saddle, and a bound that is about 0."""
    answer = delta(dpsgd("0.8", "0.005", 1000), at(mpq(10) ** 400))
    assert (answer.method, answer.value.lo) == ("bounds", 0)
    assert answer.value.hi < mpq(1, 1 << 10_000)


def test_many_different_parts_share_one_line():
    """Twelve distinct subsampled Gaussians with a Laplace and a Gaussian, remove and add, against another abscissa."""
    parts = [(SubsampledGaussian.of(mpq(60 + 3 * i, 100), mpq(10 + i, 2000)), 3 + i) for i in range(12)]
    composition = compose([*parts, (Laplace(mpq(1, 10)), 5), (Gaussian(mpq(1, 9)), 1)])
    for side in (composition, swapped(composition)):
        value = delta(side, at(2)).value
        assert narrow(value, 12)
        assert value.overlaps(delta(side, at(2), 8, abscissa=mpq(-2)).value)


def test_tiny_values_have_their_digits():
    """A delta near 4e-248, where one large loss decides and the saddle misjudges the scale."""
    value = delta(dpsgd("4", "0.00033", 100000), at(1), 8).value
    assert narrow(value, 8)
    assert mpq(1, 10**248) < value.lo < mpq(1, 10**247)


@pytest.mark.parametrize("digits", [30, 60])
def test_more_digits_refine_fewer(digits):
    """30 and 60 digits lie inside the 12-digit enclosure."""
    composition = dpsgd("1", "0.01", 10000)
    few, many = delta(composition, at(4), 12).value, delta(composition, at(4), digits).value
    assert few.lo <= many.lo <= many.hi <= few.hi
    assert narrow(many, digits)


def test_the_record_names_line_and_errors():
    """Abscissa, step, nodes, bits and the bound of every error term."""
    record = delta(dpsgd("1", "0.01", 10000), at(4)).record
    assert {"abscissa", "step", "nodes", "bits", "low aliases", "high aliases", "tail"} <= set(record)
    assert parse_number(record["tail"]) >= 0
    assert "quadrature and rounding" in record


@pytest.mark.parametrize(("steps", "eps"), [(10000, 4), (100, mpq(1, 2))])
def test_the_second_abscissa_is_another_line(steps, eps):
    """Another c and step, and an overlapping enclosure of all digits."""
    composition = dpsgd("1", "0.01", steps)
    first = delta(composition, at(eps))
    second = delta(composition, at(eps), abscissa=second_abscissa(first))
    assert first.plan.c != second.plan.c
    assert first.value.overlaps(second.value)
    assert narrow(second.value, 12)
    assert second_abscissa(delta(dpsgd("0.8", "0.005", 30, adds=True), at(1))) is None


def test_bad_requests_are_refused():
    """No parts, and an abscissa between -1 and 0."""
    with pytest.raises(InputError, match="at least one part"):
        delta((), at(1))
    with pytest.raises(InputError, match="abscissa"):
        delta(dpsgd("1", "0.01", 10), at(1), abscissa=mpq(-1, 2))


@pytest.mark.slow
@pytest.mark.parametrize("eps", [5, mpq(501, 100)])
def test_near_the_largest_loss_the_value_or_a_bound_is_given(eps):
    """The add direction within 0.3% of its largest loss, 5.0125."""
    value = delta(dpsgd("0.8", "0.005", 1000, adds=True), at(eps)).value
    assert 0 <= value.lo <= value.hi < mpq(1, 10**300)
