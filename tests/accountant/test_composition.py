"""Compositions as experiments: section 5's values as requests, exact facts, all questions, limits."""

from __future__ import annotations

import pytest
from flint import arb
from gmpy2 import mpq

from oracle import answer
from oracle.accountant.composition import SAME, Composition, composed
from oracle.accountant.constituents import Constituent
from oracle.channels.channel import Channel
from oracle.channels.composition import power
from oracle.channels.divergences import hockey_stick
from oracle.channels.galois import tradeoff_of
from oracle.channels.profile import least_level
from oracle.channels.renyi import renyi
from oracle.claims import ApproximateDP
from oracle.enclosures import Enclosure, rational_ball
from oracle.errors import Declined, InputError, LimitError
from oracle.exact import INFINITY, from_binary64, parse_number, to_text
from oracle.experiments.discrete_gaussian import DiscreteGaussian
from oracle.experiments.gaussian import Gaussian
from oracle.experiments.laplace import Laplace
from oracle.experiments.subsampled import poisson_subsampled
from oracle.experiments.substituted import SubstitutedLaplace
from oracle.levels import Level
from oracle.verdicts import judge
from tests.accountant.examples import SIX, at, composition, gaussian, leaky, response, sgd

# The certified values of the method page: expression, epsilon, direction, enclosure.
SGD = [
    (0.8, 0.005, 1000, "1", "forward", "0.000449401376605174521", "0.000449401376605237145"),
    (0.8, 0.005, 1000, "1", "backward", "3.11819344885988046e-6", "3.11819344886011029e-6"),
    (1.0, 0.01, 10000, "4", "forward", "0.00285662868830635624", "0.00285662868830656728"),
    (1.0, 0.01, 10000, "4", "backward", "0.00146193185583212457", "0.00146193185583223222"),
    (0.3, 0.0001, 1000, "1", "forward", "0.00663118463114897944", "0.00663118463114945254"),
    (0.8, 0.005, 30, "1", "forward", "9.07491199423812447e-7", "9.07491199423930167e-7"),
    (2.0, 0.1, 500, "2", "forward", "0.0541403397114652400", "0.0541403397114692248"),
    (2.0, 0.1, 500, "2", "backward", "0.0449967610348702430", "0.0449967610348735579"),
]


def ask(op: str, channel: dict, **args: object) -> dict:
    """The answer to a request."""
    return answer({"id": 1, "op": op, "args": {"channel": channel, **args}})


def expression(sigma: float, rate: float, steps: int) -> dict:
    """DP-SGD whose parameters are the doubles nearest the decimals."""
    fields = {"rate": to_text(from_binary64(rate)), "neighbours": "add_remove"}
    noise = {"mechanism": "gaussian", "sigma": to_text(from_binary64(sigma))}
    return {"mechanism": "repeat", "times": steps, "of": {"mechanism": "poisson_subsample", **fields, "of": noise}}


def enclosure(value: dict | str) -> Enclosure:
    """A value of an answer."""
    ends = value if isinstance(value, dict) else {"lo": value, "hi": value}
    return Enclosure(parse_number(ends["lo"]), parse_number(ends["hi"]))


@pytest.mark.parametrize("case", SGD, ids=str)
def test_certified_values_as_requests(case):
    """Twelve digits, overlapping the certified enclosure, with the method and what it rests on."""
    sigma, rate, steps, epsilon, direction, low, high = case
    found = ask("delta", expression(sigma, rate, steps), epsilon=epsilon, direction=direction)
    value = enclosure(found["value"])
    assert value.overlaps(Enclosure(parse_number(low), parse_number(high)))
    assert value.width * 10**12 <= value.hi
    assert (found["method"], "reached" in found) == ("contour", False)
    (evidence,) = found["evidence"]
    assert evidence["direction"] == direction
    assert {"abscissa", "step", "nodes", "bits", "tail", "high aliases", "low aliases"} <= set(evidence["facts"])


def test_the_other_certified_values():
    """Exact zeros beyond the largest loss, a Gaussian closed form, residues, a lattice polynomial."""
    for sigma, rate, steps in ((0.3, 0.0001, 1000), (0.8, 0.005, 30)):
        zero = ask("delta", expression(sigma, rate, steps), epsilon="1", direction="backward")
        assert (zero["value"], zero["method"]) == ("0", "exact zero")
    gaussians = ask(
        "delta", {"mechanism": "repeat", "times": 64, "of": {"mechanism": "gaussian", "sigma": "1"}}, epsilon="40"
    )
    assert enclosure(gaussians["value"]).overlaps(Enclosure(mpq("0.132089945622995869"), mpq("0.132089945622995870")))
    laplace = ask(
        "delta", {"mechanism": "repeat", "times": 50, "of": {"mechanism": "laplace", "scale": "1"}}, epsilon="20"
    )
    assert enclosure(laplace["value"]).overlaps(Enclosure(mpq("0.333582055142111422"), mpq("0.333582055142111423")))
    assert laplace["method"] == "residues"
    warner = {"mechanism": "randomized_response", "exp_epsilon": "3"}
    responses = ask("delta", {"mechanism": "repeat", "times": 1000, "of": warner}, epsilon="600")
    assert enclosure(responses["value"]).overlaps(Enclosure(mpq("0.0410233540410574861"), mpq("0.0410233540410574862")))


def test_the_larger_direction_is_both():
    """With the evidence of each."""
    found = ask("delta", expression(0.8, 0.005, 1000), epsilon="1")
    assert enclosure(found["value"]).overlaps(Enclosure(mpq("0.000449401376605174"), mpq("0.000449401376605238")))
    assert [item["direction"] for item in found["evidence"]] == ["forward", "backward"]


@pytest.mark.parametrize("side", ["forward", "backward"])
def test_six_columns_beyond_a_table_are_exact(side):
    """Thirty steps as a channel and as a composition; at rational levels and for the least level."""
    table, found = power(SIX, 24, max_columns=200_000), composition((SIX, 24))
    for level in (mpq(3), mpq(10**9)):
        assert found.hockey_stick(Level.rational(level), side) == hockey_stick(table, level, side)
    assert found.least_epsilon(mpq(1, 1000), side) == Level(least_level(table, mpq(1, 1000), side))
    assert found.found(Level.rational(3), side).method == "meet in the middle"


def test_a_composition_of_tables_is_the_same_pair_as_its_table():
    """T at several alpha, Rényi moments, singular mass, largest loss."""
    table, found = power(leaky(), 3), composition((leaky(), 3))
    curve = tradeoff_of(table)
    for alpha in (mpq(1, 100), mpq(1, 3), mpq(9, 10)):
        assert found.beta(alpha).contains(curve.at(alpha))
    assert found.beta(mpq(0)) == curve.at(mpq(0))
    assert found.singular_mass("forward") == 1 - mpq(9, 10) ** 3
    assert found.largest_loss("forward").is_infinite
    assert found.least_epsilon(mpq(271, 1000)) == Level.rational(27)
    plain = composition((response(), 3), (response(2), 2))
    assert plain.largest_loss("backward") == Level.rational(27 * 4)
    assert (
        plain.renyi(mpq(3)).moment
        == renyi(power(response(), 3), mpq(3)).moment * renyi(power(response(2), 2), mpq(3)).moment
    )


@pytest.mark.slow
@pytest.mark.parametrize("direction", ["forward", "backward"])
@pytest.mark.parametrize("pair", [Gaussian(mpq(1)), Laplace(mpq(2))], ids=["gaussian", "laplace"])
def test_one_step_and_a_harmless_one_are_one(pair, direction):
    """The subsampled pair beside noise of theta = 1e-30: T, delta and the least epsilon overlap the closed forms."""
    base = poisson_subsampled(pair, mpq(1, 4))
    found = Composition([Constituent(base, 1, {}), Constituent(Gaussian(mpq(1, 10**60)), 1, {})])
    slack = mpq(1, 10**20)
    exact, value = base.hockey_stick(at("1/8"), direction, 15), found.hockey_stick(at("1/8"), direction, 4)
    assert exact.lo - slack <= value.hi
    assert value.lo <= exact.hi + slack
    beta, curve = base.beta(mpq(1, 5), direction, 15), found.beta(mpq(1, 5), direction, 4)
    assert beta.lo - slack <= curve.hi
    assert curve.lo <= beta.hi + slack
    assert curve.width < mpq(1, 10**4)


def test_the_curve_of_a_gaussian_composition_is_a_gaussian_curve():
    """A composition forced upon Gaussian parts against T = Phi(Phi^-1(1 - alpha) - theta)."""
    found = Composition([Constituent(gaussian(2), 3, {}), Constituent(gaussian(3), 1, {})])
    closed = Gaussian(mpq(3, 4) + mpq(1, 9))
    for alpha in (mpq(1, 1000), mpq(1, 10), mpq(1, 2)):
        value = found.beta(alpha, "forward", 10)
        assert value.reached is None
        assert value.overlaps(closed.beta(alpha, "forward", 15))
    assert found.least_epsilon(mpq(1, 10**5)).overlaps(closed.least_epsilon(mpq(1, 10**5)))
    assert found.least_mu() is not None
    assert Enclosure(mpq("0.9279"), mpq("0.9280")).contains(mpq(str(found.least_mu()(64).mid().str(6, radius=False))))


def test_the_curve_has_kinks_where_losses_have_atoms():
    """Three Laplace steps at alpha = 1/10, where the supporting slope is e: twelve digits."""
    value = composition((Laplace(mpq(1)), 3)).beta(mpq(1, 10))
    assert value.reached is None
    assert value.width * 10**12 <= value.hi


def test_levels_from_nought_to_infinity():
    """1 at a = 0, the singular mass at infinity, 1 - a where all losses are larger."""
    found = composition((Laplace(mpq(1)), 1), (leaky(), 1))
    assert found.hockey_stick(Level.rational(0)) == 1
    assert found.hockey_stick(Level.infinite()) == mpq(1, 10)
    both = composition((Laplace(mpq(1)), 1), (response(), 1))
    assert both.hockey_stick(Level.rational(mpq(1, 100))) == mpq(99, 100)
    assert both.hockey_stick(Level.rational(100)) == 0
    assert both.found(Level.rational(100), "forward").method == "exact zero"


def test_the_least_epsilon_meets_delta():
    """Delta is above the bound at its lower end and at most the bound at its upper end, for every kind of method."""
    parts = [
        [(sgd(1, "1/20"), 40)],
        [(sgd(1, "1/10"), 2)],
        [(Laplace(mpq(1)), 4)],
        [(Laplace(mpq(1)), 2), (response(), 3)],
        [(DiscreteGaussian(mpq(2)), 4)],
        [(DiscreteGaussian(mpq(2)), 2), (response(), 2)],
    ]
    bound = mpq(1, 1000)
    for chosen in parts:
        found = composition(*chosen)
        least = found.least_epsilon(bound, "forward", 6)
        assert isinstance(least, Enclosure)
        low, high = (found.found(Level.of_exponent(end), "forward", 12).ends for end in (least.lo, least.hi))
        assert low[1] >= bound >= high[0]


def test_a_bound_at_one_needs_no_epsilon():
    """Delta at 0 is below the bound: e^epsilon = 1 exactly; no delta below the singular mass is met."""
    found = composition((Laplace(mpq(1, 10)), 2))
    assert found.least_epsilon(mpq(1, 2)) == Level.rational(1)
    assert found.least_epsilon(mpq(0)) == Level.of_exponent(mpq(1, 5))
    assert composition((leaky(), 2), (gaussian(), 1)).least_epsilon(mpq(1, 100)).is_infinite


def test_mu_is_exact_for_gaussian_steps_and_bracketed_elsewhere():
    """sqrt(Σ theta²) whatever the rate; infinite with infinite losses; between a point and the sum of squares else."""
    assert composition((sgd(2, "1/100"), 16)).least_mu() == 2
    assert composition((leaky(), 1), (gaussian(), 1)).least_mu() == INFINITY
    mixed = composition((gaussian(), 1), (response(), 1))
    ball = mixed.least_mu()(64)
    assert rational_ball(mpq(1)) <= ball.upper()
    assert arb(1) < ball.upper() < arb(2)
    assert mixed.compare_mu(mpq(2)).sign == -1
    assert mixed.compare_mu(mpq(1)).sign in (1, None)


def test_renyi_divergences_add_up():
    """Of orders between whole ones, backward too."""
    found, step = composition((sgd(1, "1/100"), 10)), sgd(1, "1/100")
    two = found.renyi(mpq(2), "forward")
    assert two.divergence.overlaps(
        Enclosure(10 * step.renyi(mpq(2)).divergence.lo, 10 * step.renyi(mpq(2)).divergence.hi)
    )
    assert found.renyi(mpq(5, 2), "backward").divergence.hi < found.renyi(mpq(5, 2), "forward").divergence.lo


def test_claims_are_judged_with_a_record():
    """The record names method and facts, and says what its comparisons say."""
    found = composition((sgd(1, "1/20"), 40))
    for delta, holds in ((mpq(1, 100), True), (mpq(1, 10**6), False)):
        verdict = judge(found, ApproximateDP(at(1), delta))
        assert verdict.holds is holds
        assert verdict.certificate is None
        assert verdict.record["holds"] is holds
        assert all(item["method"] and "bits" in item["facts"] for item in verdict.record["comparisons"])
    with pytest.raises(Declined, match="rho"):
        found.log_moment_ball(mpq(2), "forward")


def test_rho_of_laplace_steps_is_that_of_their_moments():
    """(order - 1)·D_order of three steps is three times that of one."""
    one, three = Laplace(mpq(1)), composition((Laplace(mpq(1)), 3))
    ball = three.log_moment_ball(mpq(3), "forward")(80) - 3 * one.log_moment_ball(mpq(3), "forward")(80)
    assert ball.contains(0)


def test_equal_and_idle_parts_are_gathered():
    """Gaussian ones become one, equal channels are counted, P = Q and no run at all are left out."""
    assert composed([]) == SAME
    assert composed([Constituent(Channel([["1/2", "1/2"]] * 2), 5, {}), Constituent(Laplace(mpq(1)), 0, {})]) == SAME
    assert composed([Constituent(gaussian(), 3, {})]).theta_squared == 3
    swapped = Channel([["1/4", "1/4", "1/2"], ["3/4", "1/8", "1/8"]])
    found = composition((swapped, 1), (Laplace(mpq(1)), 2), (swapped, 3), (Laplace(mpq(1)), 1))
    assert [item.times for item in found.constituents] == [4, 3]


def test_what_is_not_offered_is_declined_or_refused():
    """Pairs under substitution, negative times."""
    with pytest.raises(Declined, match="substitution"):
        composition((SubstitutedLaplace(mpq(1), mpq(1, 2)), 2))
    with pytest.raises(InputError, match="whole number of times"):
        composition((Laplace(mpq(1)), -1))
    with pytest.raises(InputError, match="at least one step"):
        Composition([])


def test_masses_too_long_to_write_are_balls():
    """A million steps of mass 1e-9: the value is enclosed, the exact mass is refused."""
    found = composition((leaky(2, "1/1000000000"), 10**6), (gaussian(), 1))
    with pytest.raises(LimitError, match="infinite loss"):
        found.singular_mass("forward")
    assert found.found(at(10**6), "forward", 4).ends[0] > mpq("0.000999")
    assert found.least_epsilon(mpq(1, 10**4)).is_infinite


def test_bounds_are_at_hand_without_work():
    """They contain the value, at one level and for the least epsilon."""
    found = composition((sgd(1, "1/20"), 40))
    low, high = found.found(at(1), "forward").ends
    bounds = found.bounds(at(1), "forward")
    assert bounds.lo <= low
    assert high <= bounds.hi < 1
    least = found.least_epsilon(mpq(1, 1000), "forward")
    low, high = found.epsilon_bounds(mpq(1, 1000), "forward")
    assert 0 < low <= least.lo
    assert least.hi <= high


def test_many_levels_are_one_by_one_the_same():
    """Shared tables and single values overlap."""
    found, single = composition((sgd(1, "1/20"), 40)), composition((sgd(1, "1/20"), 40))
    levels = [at(to_text(mpq(i, 4))) for i in range(6)]
    for level, value in zip(levels, found.all_found(levels, "both", 8), strict=True):
        low, high = single.larger_found(level, "both", 8).ends
        assert Enclosure(*value.ends).overlaps(Enclosure(low, high))


@pytest.mark.slow
def test_subsampling_of_a_composition_keeps_its_identities():
    """A rate q on a whole composition: q D_a(base) at the base level, forward."""
    base = composition((gaussian(2), 1), (response(), 2))
    pair = poisson_subsampled(base, mpq(1, 10))
    value = pair.hockey_stick(Level.rational(mpq(11, 10)), "forward", 6)
    inner = base.hockey_stick(Level.rational(2), "forward", 15)
    assert value.overlaps(Enclosure(inner.lo / 10, inner.hi / 10))


@pytest.mark.slow
def test_a_hundred_steps_of_six_columns_have_nine_digits():
    """Blocks of 25 steps on half a million cells; the cells of a coarse grid have a point in common with them."""
    p = [mpq(k, 2742) for k in (229, 612, 513, 402, 667, 319)]
    q = [mpq(k, 2616) for k in (640, 108, 377, 520, 271, 700)]
    found = composition((Channel([p, q]), 100))
    fine, coarse = found.found(at(24), "forward", 9), found.found(at(24), "forward", 4)
    assert (fine.method, fine.reached, coarse.reached) == ("loss grid", True, True)
    (a, b), (c, d) = fine.ends, coarse.ends
    assert max(a, c) <= min(b, d)
    assert (b - a) * 10**9 <= b
