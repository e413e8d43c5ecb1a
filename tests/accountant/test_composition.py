"""Compositions as pairs: certified values, orders of steps, closed forms, infinite losses, directions, T, Rényi, mu."""

from __future__ import annotations

from fractions import Fraction

import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle.accountant import contour
from oracle.accountant.choice import grid_for
from oracle.accountant.composition import Composition, composed
from oracle.accountant.conditioning import two_step_delta
from oracle.accountant.constituents import Constituent, contour_part, step_of
from oracle.accountant.pair_facts import part_mu
from oracle.accountant.parts import compose as composed_parts
from oracle.answers import answer
from oracle.channels.channel import Channel
from oracle.channels.composition import compose
from oracle.channels.divergences import hockey_stick
from oracle.channels.renyi import renyi
from oracle.channels.tradeoff import TradeoffFunction
from oracle.enclosures import Enclosure, enclose, precision, rational_ball, rational_bounds
from oracle.errors import Declined, InputError, LimitError, UndecidedError
from oracle.exact import INFINITY, parse_number
from oracle.experiments.base import level_logarithm
from oracle.experiments.discrete_gaussian import DiscreteGaussian
from oracle.experiments.gaussian import Gaussian
from oracle.experiments.laplace import Laplace
from oracle.experiments.subsampled import PoissonSubsampled
from oracle.levels import Level
from oracle.operations import tradeoff

RESPONSE = Channel([["3/4", "1/4"], ["1/4", "3/4"]])
GENERIC = Channel([["1/2", "1/3", "1/6"], ["1/7", "2/7", "4/7"]])
APPROXIMATE = Channel([["1/10", "27/40", "9/40", "0"], ["0", "9/40", "27/40", "1/10"]])
GAUSSIAN = Gaussian(mpq(1))
SAMPLED = PoissonSubsampled(Gaussian(mpq(25, 16)), mpq(1, 10))
SAMPLED_LAPLACE = PoissonSubsampled(Laplace(mpq(1)), mpq(1, 4))
NOISE = DiscreteGaussian(mpq(2), 3)
SIDES = ["forward", "backward"]
LEVELS = [Level.of_exponent(mpq(1, 2)), Level.rational(mpq(4, 3)), Level.of_exponent(mpq(-1, 4))]


def together(*parts):
    """The composition of (pair, times)."""
    return composed(Constituent(pair, times, {"mechanism": "channel"}) for pair, times in parts)


def around(value) -> Enclosure:
    """An exact value or an enclosure as an enclosure."""
    return value if isinstance(value, Enclosure) else Enclosure(value, value)


def sampled_gaussian(sigma: float, rate: float, times: int):
    """The doubles taken exactly."""
    gaussian = {"mechanism": "gaussian", "sigma": str(Fraction(sigma)), "sensitivity": "1"}
    rate = str(Fraction(rate))
    step = {"mechanism": "poisson_subsample", "rate": rate, "neighbours": "add_remove", "of": gaussian}
    return {"mechanism": "repeat", "times": times, "of": step}


A1, B, D = sampled_gaussian(0.8, 0.005, 1000), sampled_gaussian(1.0, 0.01, 10000), sampled_gaussian(0.3, 0.0001, 1000)
J, M = sampled_gaussian(0.8, 0.005, 30), sampled_gaussian(2.0, 0.1, 500)
E = {"mechanism": "repeat", "times": 64, "of": {"mechanism": "gaussian", "sigma": "1", "sensitivity": "1"}}
F = {"mechanism": "repeat", "times": 50, "of": {"mechanism": "laplace", "scale": "1", "sensitivity": "1"}}
G = {"mechanism": "repeat", "times": 1000, "of": {"mechanism": "randomized_response", "exp_epsilon": "3"}}
CERTIFIED = [
    ("A1 remove", A1, 1, "forward", "0.000449401376605174521", "0.000449401376605237145", "contour"),
    ("A1 add", A1, 1, "backward", "3.11819344885988046e-6", "3.11819344886011029e-6", "contour"),
    ("B remove", B, 4, "forward", "0.00285662868830635624", "0.00285662868830656728", "contour"),
    ("B add", B, 4, "backward", "0.00146193185583212457", "0.00146193185583223222", "contour"),
    ("D remove", D, 1, "forward", "0.00663118463114897944", "0.00663118463114945254", "contour"),
    ("D add", D, 1, "backward", "0", "0", "exact zero"),
    ("E", E, 40, "forward", "0.132089945622995869", "0.132089945622995870", None),
    ("F", F, 20, "forward", "0.333582055142111422", "0.333582055142111423", "residues"),
    ("G", G, 600, "forward", "0.0410233540410574861", "0.0410233540410574862", None),
    ("J remove", J, 1, "forward", "9.07491199423812447e-7", "9.07491199423930167e-7", "contour"),
    ("J add", J, 1, "backward", "0", "0", "exact zero"),
    ("M remove", M, 2, "forward", "0.0541403397114652400", "0.0541403397114692248", "contour"),
    ("M add", M, 2, "backward", "0.0449967610348702430", "0.0449967610348735579", "contour"),
]


@pytest.mark.parametrize(
    ("mechanism", "epsilon", "direction", "low", "high", "method"),
    [
        pytest.param(*case[1:], id=case[0], marks=pytest.mark.slow if case[0] == "D remove" else ())
        for case in CERTIFIED
    ],
)
def test_certified_values(mechanism, epsilon, direction, low, high, method):  # noqa: PLR0917 - one case
    """Enclosures of another program, by other quadratures: ours overlap them, to twelve digits; the method is named."""
    args = {"channel": mechanism, "epsilon": str(epsilon), "direction": direction}
    reply = answer({"id": 1, "op": "delta", "args": args})
    value = reply["value"]
    ends = (value["lo"], value["hi"]) if isinstance(value, dict) else (value, value)
    found, expected = (Enclosure(parse_number(a, "lo"), parse_number(b, "hi")) for a, b in (ends, (low, high)))
    assert found.overlaps(expected)
    assert found.width <= found.hi / 10**12
    assert "reached" not in reply
    assert reply.get("method") == method


MIXED = {
    "atoms and sampled": [(RESPONSE, 2), (SAMPLED, 3)],
    "laplace and gaussian": [(Laplace(mpq(1)), 2), (GAUSSIAN, 1)],
    "infinite and sampled": [(APPROXIMATE, 2), (SAMPLED, 2)],
    "finite": [(GENERIC, 3), (RESPONSE, 2)],
    "laplace and finite": [(Laplace(mpq(1)), 3), (GENERIC, 1)],
    "noise and gaussian": [(NOISE, 2), (GAUSSIAN, 2)],
    "all": [(SAMPLED, 2), (GENERIC, 1), (Laplace(mpq(1, 2)), 1), (GAUSSIAN, 1), (NOISE, 1)],
}


@pytest.mark.parametrize("name", MIXED)
@pytest.mark.parametrize("side", SIDES)
def test_the_order_of_the_steps_does_not_matter(name, side):
    """Parts in order, and one by one from the last: values overlap."""
    parts = MIXED[name]
    one = together(*parts)
    other = together(*[(pair, 1) for pair, times in reversed(parts) for _ in range(times)])
    found, again = (around(x.found(LEVELS[0], side).value) for x in (one, other))
    assert found.overlaps(again)
    assert max(found.width, again.width) <= found.hi / 10**9


def test_repeat_is_compose():
    """A repetition and a composition of copies, nested or not, are one expression in the end."""
    step = {"mechanism": "laplace", "scale": "2", "sensitivity": "1"}
    sampled = sampled_gaussian(1.0, 0.125, 2)
    nested = {"mechanism": "repeat", "times": 2, "of": {"mechanism": "compose", "of": [step, sampled]}}
    flat = {"mechanism": "compose", "of": [sampled, step, step, sampled]}
    replies = [answer({"id": 1, "op": "delta", "args": {"channel": m, "epsilon": "1"}}) for m in (nested, flat)]
    first, second = (
        Enclosure(parse_number(r["value"]["lo"], "lo"), parse_number(r["value"]["hi"], "hi")) for r in replies
    )
    assert first.overlaps(second)
    assert replies[0]["method"] == replies[1]["method"] == "contour"


@pytest.mark.parametrize(
    "pair",
    [RESPONSE, GAUSSIAN, SAMPLED, NOISE, Laplace(mpq(1))],
    ids=["response", "gaussian", "sampled", "noise", "laplace"],
)
def test_one_step_is_the_pair_itself(pair):
    """So is it beside steps that tell nothing."""
    same = Channel([["1/2", "1/2"], ["1/2", "1/2"]])
    found = together((pair, 1), (same, 5), (GENERIC, 0))
    assert found is pair or found == pair or found.to_json() == pair.to_json()


def test_no_step_is_the_trivial_pair():
    """P = Q: delta is max(0, 1 - a)."""
    nothing = together((SAMPLED, 0))
    assert hockey_stick(nothing, mpq(1)) == 0
    assert hockey_stick(nothing, mpq(1, 3)) == mpq(2, 3)


@pytest.mark.parametrize("level", LEVELS, ids=str)
def test_gaussian_steps_are_one(level):
    """theta² adds up, also beside a channel, where it is one part and not three."""
    found = together((Gaussian(mpq(1)), 2), (Gaussian(mpq(1, 2)), 4))
    assert isinstance(found, Gaussian)
    assert found.theta_squared == 4
    mixed = [together((RESPONSE, 2), *gaussians) for gaussians in ([(Gaussian(mpq(2)), 1)], [(Gaussian(mpq(1, 2)), 4)])]
    first, second = (around(x.hockey_stick(level)) for x in mixed)
    assert first.overlaps(second)


TWO = {
    "sampled": (SAMPLED, SAMPLED),
    "sampled and gaussian": (SAMPLED, GAUSSIAN),
    "laplace": (Laplace(mpq(1)), Laplace(mpq(1))),
    "laplace and sampled": (Laplace(mpq(1)), SAMPLED),
    "response and sampled": (RESPONSE, SAMPLED),
    "sampled laplace": (SAMPLED_LAPLACE, SAMPLED_LAPLACE),
}


@pytest.mark.parametrize("name", TWO)
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("level", [Level.of_exponent(mpq(1, 8)), Level.rational(mpq(3, 4))], ids=str)
def test_two_steps_are_a_one_dimensional_integral(name, side, level):
    """E D(eps - L): over the loss of the second step of the profile of the first."""
    first, second = TWO[name]
    found = around(together((first, 1), (second, 1)).hockey_stick(level, side))
    steps = step_of(second, side), step_of(first, side)
    expected = Enclosure(*rational_bounds(two_step_delta(*steps, level_logarithm(level))(80)))
    assert found.overlaps(expected)
    assert max(found.width, expected.width) <= mpq(1, 10**11)


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("level", LEVELS, ids=str)
def test_finite_compositions_are_exact(side, level):
    """The composed channel, column by column; the contour and the grid enclose it."""
    found = together((GENERIC, 3), (RESPONSE, 2))
    value = around(found.hockey_stick(level, side, 20))
    table = compose([(GENERIC, 3), (RESPONSE, 2)])
    p, q = table.rows if side == "forward" else table.swapped().rows
    with precision(160):
        a = level_logarithm(level)(160).exp()
        expected = sum((max_ball(rational_ball(x) - a * rational_ball(y)) for x, y in zip(p, q, strict=True)), a * 0)
    assert value.overlaps(Enclosure(*rational_bounds(expected)))
    assert value.width <= mpq(1, 10**19)
    assert around(found.grid(side).grid(512, 64).delta(level)).overlaps(value)
    parts = composed_parts([(contour_part(item.pair, side), item.times) for item in found.constituents])
    assert contour.delta(parts, level_logarithm(level), 6).value.overlaps(value)


def max_ball(x):
    """The larger of a ball and 0."""
    return x.max(x * 0)


@pytest.mark.parametrize("level", LEVELS, ids=str)
@pytest.mark.parametrize("side", SIDES)
def test_mass_of_infinite_loss_stands_apart(level, side):
    """D of an approximate step beside others is 1/10 + 9/10 D with the step that it is where it is finite."""
    found = around(together((APPROXIMATE, 1), (SAMPLED, 3)).hockey_stick(level, side))
    rest = around(together((RESPONSE, 1), (SAMPLED, 3)).hockey_stick(level, side))
    # Its finite columns are 9/10 of (3/4, 1/4), (1/4, 3/4).
    assert found.overlaps(Enclosure(mpq(1, 10) + rest.lo * 9 / 10, mpq(1, 10) + rest.hi * 9 / 10))


def test_what_infinite_losses_do():
    """The singular mass is 1 - (9/10)^k; no epsilon is enough below it, and D is that at infinity."""
    found = together((APPROXIMATE, 3), (GAUSSIAN, 1))
    mass = 1 - mpq(9, 10) ** 3
    assert found.singular_mass("forward") == found.singular_mass("backward") == mass
    assert found.hockey_stick(Level.infinite()) == mass
    assert found.least_epsilon(mass - mpq(1, 10**9)).is_infinite
    assert found.least_epsilon(mass).is_infinite
    assert isinstance(found.least_epsilon(mass + mpq(1, 100)), Enclosure)
    assert found.largest_loss("forward").is_infinite
    assert found.hockey_stick(LEVELS[0]).lo > mass


@pytest.mark.parametrize("name", MIXED)
def test_directions_are_dual(name):
    """D_a(P‖Q) = 1 - a + a D_{1/a}(Q‖P); both is the larger; exchanged channels exchange the directions."""
    found, a = together(*MIXED[name]), mpq(4, 3)
    forward, backward = (around(found.hockey_stick(Level.rational(a), side)) for side in SIDES)
    dual = around(found.hockey_stick(Level.rational(1 / a), "backward"))
    assert forward.overlaps(Enclosure(1 - a + a * dual.lo, 1 - a + a * dual.hi))
    both = around(found.hockey_stick(Level.rational(a), "both"))
    assert both.overlaps(Enclosure(max(forward.lo, backward.lo), max(forward.hi, backward.hi)))
    if name == "laplace and finite":
        turned = together((Laplace(mpq(1)), 3), (GENERIC.swapped(), 1))
        assert around(turned.hockey_stick(Level.rational(a))).overlaps(backward)
        assert not forward.overlaps(backward)


@pytest.mark.parametrize("side", SIDES)
def test_beyond_the_largest_loss_delta_is_the_singular_mass(side):
    """At the sum of the largest losses it is exactly that, just below it more."""
    found = Composition([Constituent(pair, times, {}) for pair, times in ((RESPONSE, 2), (Laplace(mpq(1)), 1))])
    loss = found.largest_loss(side, 30)
    with precision(200):
        true = 2 * rational_ball(mpq(3)).log() + 1
    assert loss.overlaps(Enclosure(*rational_bounds(true)))
    assert found.hockey_stick(Level.of_exponent(loss.hi + mpq(1, 10**9)), side) == 0
    assert around(found.hockey_stick(Level.of_exponent(loss.lo - mpq(1, 10)), side)).lo > 0
    with_infinite = together((APPROXIMATE, 2), (RESPONSE, 1))
    assert with_infinite.hockey_stick(Level.rational(mpq(27)), side) == mpq(19, 100)
    assert with_infinite.hockey_stick(Level.rational(mpq(26)), side) > mpq(19, 100)


@pytest.mark.parametrize("direction", SIDES)
@pytest.mark.parametrize("alpha", [mpq(1, 20), mpq(1, 3), mpq(9, 10)], ids=str)
def test_t_of_finite_parts_is_the_curve_of_the_table(direction, alpha):
    """From the profile, around the exact value."""
    found = together((GENERIC, 2), (RESPONSE, 2))
    curve = tradeoff(compose([(GENERIC, 2), (RESPONSE, 2)]), direction=direction)
    assert isinstance(curve, TradeoffFunction)
    value = around(found.beta(alpha, direction, 8))
    assert value.contains(curve.at(alpha))
    assert value.width <= mpq(1, 10**7)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("atoms and sampled", marks=pytest.mark.slow),
        pytest.param("infinite and sampled", marks=pytest.mark.slow),
        "laplace and gaussian",
        "laplace and finite",
    ],
)
def test_t_lies_on_the_supporting_lines_of_the_profile(name):
    """No line 1 - D_h - h alpha is above T, T(Q, P) undoes T(P, Q), and the ends are exact."""
    found, alpha = together(*MIXED[name]), mpq(1, 5)
    value = around(found.beta(alpha, "forward", 6))
    for h in (mpq(1, 4), mpq(1, 2), mpq(1), mpq(2), mpq(5)):
        line = around(found.hockey_stick(Level.rational(h), "backward", 8))
        assert 1 - line.hi - h * alpha <= value.hi
    assert found.beta(mpq(0)) == 1 - found.singular_mass("backward")
    assert found.beta(mpq(1)) == 0
    again = [around(found.beta(beta, "backward", 6)) for beta in (value.lo, value.hi)]
    assert again[1].lo <= alpha <= again[0].hi
    assert value.width <= mpq(1, 10**5)


@pytest.mark.parametrize("order", [mpq(5, 2), mpq(7, 2)], ids=str)
@pytest.mark.parametrize("side", SIDES)
def test_renyi_divergences_add_up(order, side):
    """Σ k_i D(P_i‖Q_i), and of whole orders moments multiply."""
    parts = [(GENERIC, 3), (SAMPLED, 2), (Laplace(mpq(1)), 1)]
    found = together(*parts).renyi(order, side, 15)
    sums = [around(together((pair, 1), (GAUSSIAN, 1)).renyi(order, side, 20).divergence) for pair, _ in parts]
    # Each with a Gaussian step, which has order/2.
    low, high = (
        sum((times * (end - order / 2) for end, (_, times) in zip(ends, parts, strict=True)), mpq(0))
        for ends in ([s.lo for s in sums], [s.hi for s in sums])
    )
    assert found.divergence.overlaps(Enclosure(low, high))
    assert found.divergence.width <= mpq(1, 10**13)
    finite = together((GENERIC, 3), (RESPONSE, 2)).renyi(mpq(2), side)
    moments = [renyi(channel, mpq(2), side).moment for channel in (GENERIC, RESPONSE)]
    assert finite.moment == moments[0] ** 3 * moments[1] ** 2


def test_mu_of_gaussian_steps_is_the_square_root_of_a_sum():
    """Subsampled or not: √(2·25/16 + 1/8 + 3/4) = 2; sqrt 2 is enclosed."""
    found = together((SAMPLED, 2), (Gaussian(mpq(7, 8)), 1))
    assert found.least_mu() == 2
    assert found.compare_mu(mpq(2)).sign == 0
    root = together((PoissonSubsampled(GAUSSIAN, mpq(1, 2)), 2)).least_mu()
    value = enclose(root, 12)
    assert value.lo**2 < 2 < value.hi**2


def test_mu_of_mixed_steps_is_enclosed():
    """The upper end dominates at every level tried; at the lower end less 1/1000 some level refutes it."""
    found = together((RESPONSE, 2), (Laplace(mpq(1)), 1), (GAUSSIAN, 1))
    value = enclose(found.least_mu(), 6)
    squares = [around(part_square(pair)) for pair in (RESPONSE, Laplace(mpq(1)))]
    assert value.hi**2 >= 2 * squares[0].lo + squares[1].lo + 1
    assert 1 < value.lo < value.hi
    eps = [Level.of_exponent(mpq(n)) for n in (0, 1, 4)]
    deltas = [around(found.hockey_stick(level)) for level in eps]
    above = [around(Gaussian(value.hi**2).hockey_stick(level)) for level in eps]
    below = [around(Gaussian((value.lo - mpq(1, 1000)) ** 2).hockey_stick(level)) for level in eps]
    assert all(d.lo <= g.hi for d, g in zip(deltas, above, strict=True))
    assert any(d.lo > g.hi for d, g in zip(deltas, below, strict=True))
    assert together((APPROXIMATE, 1), (GAUSSIAN, 1)).least_mu() == INFINITY


def part_square(pair) -> Enclosure:
    """The square of the least mu of one part."""
    mu = around(part_mu(pair))
    return Enclosure(mu.lo**2, mu.hi**2)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("atoms and sampled", marks=pytest.mark.slow),
        pytest.param("infinite and sampled", marks=pytest.mark.slow),
        "laplace and gaussian",
        "laplace and finite",
    ],
)
def test_claims_are_decided_on_either_side_and_not_between(name):
    """Above the enclosure they hold, below they fail, at a number inside of it that no digits tell apart neither."""
    found, level = together(*MIXED[name]), LEVELS[0]
    value = around(found.hockey_stick(level, "forward", 30))
    assert found.compare_hockey_stick(level, value.hi + mpq(1, 10**20), "forward").sign == -1
    assert found.compare_hockey_stick(level, value.lo - mpq(1, 10**20), "forward").sign == 1
    assert found.satisfies(level, value.hi + mpq(1, 10**20), "forward")
    assert not found.satisfies(level, value.lo - mpq(1, 10**20), "forward")
    narrow = around(found.hockey_stick(level, "forward", 60))
    with pytest.raises(UndecidedError):
        found.satisfies(level, (narrow.lo + narrow.hi) / 2, "forward")


def test_claims_on_exact_compositions_are_always_decided():
    """Equality holds, the least excess fails."""
    found = together((GENERIC, 3), (RESPONSE, 2))
    value = found.hockey_stick(Level.rational(mpq(2)), "both")
    assert isinstance(value, type(mpq(1)))
    assert found.satisfies(Level.rational(mpq(2)), value)
    assert not found.satisfies(Level.rational(mpq(2)), value - mpq(1, 10**80))


def test_the_least_epsilon_is_the_inverse_of_delta():
    """D at its lower end is at least the bound, at its upper end at most."""
    found, bound = together((RESPONSE, 2), (SAMPLED, 3)), mpq(1, 1000)
    for side in SIDES:
        epsilon = found.least_epsilon(bound, side, 10)
        assert around(found.hockey_stick(Level.of_exponent(epsilon.lo), side)).hi >= bound
        assert around(found.hockey_stick(Level.of_exponent(epsilon.hi), side)).lo <= bound
        assert epsilon.width <= epsilon.hi / 10**9
    assert found.least_epsilon(mpq(9, 10)).value == 1


def test_bounds_known_at_once_hold():
    """They contain the value, in each direction and the larger one."""
    for parts in MIXED.values():
        found = together(*parts)
        for direction in (*SIDES, "both"):
            assert found.bounds(LEVELS[0], direction).overlaps(around(found.hockey_stick(LEVELS[0], direction)))


def test_what_is_refused():
    """A negative number of times, nothing at all, pairs under substitution, masses that are too long, other alphas."""
    with pytest.raises(InputError, match="at least 0"):
        together((GENERIC, -1))
    with pytest.raises(InputError, match="at least one step"):
        Composition([])
    with pytest.raises(Declined, match="composition is offered for"):
        together((PoissonSubsampled(SAMPLED, mpq(1, 2)), 2))
    with pytest.raises(LimitError, match="mass of infinite loss"):
        together((APPROXIMATE, 10**9), (GAUSSIAN, 1))
    with pytest.raises(InputError, match="alpha between 0 and 1"):
        together((GENERIC, 2)).beta(mpq(3, 2))


weights = st.integers(1, 6)


@st.composite
def channels(draw):
    """Two-row channels of two or three columns, one of them perhaps of infinite loss."""
    n = draw(st.integers(2, 3))
    rows = [[draw(weights) for _ in range(n)] for _ in range(2)]
    if n == 3 and draw(st.booleans()):
        rows[1][0] = 0
    return Channel([[mpq(x, sum(row)) for x in row] for row in rows])


fractions = st.fractions(min_value="1/4", max_value=2, max_denominator=8).map(mpq)
rates = st.sampled_from([mpq(1, 100), mpq(1, 8), mpq(1, 2)])
pairs = st.one_of(
    channels(),
    fractions.map(Gaussian),
    fractions.map(Laplace),
    st.builds(lambda theta, rate: PoissonSubsampled(Gaussian(theta), rate), fractions, rates),
    st.builds(lambda theta, rate: PoissonSubsampled(Laplace(theta), rate), fractions, rates),
    st.builds(DiscreteGaussian, st.sampled_from([mpq(1), mpq(2), mpq(5, 2)]), st.integers(1, 2)),
)
expressions = st.lists(st.tuples(pairs, st.integers(1, 4)), min_size=1, max_size=3)
epsilons = st.fractions(min_value=-1, max_value=3, max_denominator=16).map(mpq)


def check_ways(parts, epsilon, side, cells):
    """The value by the method chosen, the contour, the grid and, where finite, column by column: all overlap."""
    found = together(*parts)
    if not isinstance(found, Composition):
        return
    level = Level.of_exponent(epsilon)
    values = [around(found.hockey_stick(level, side)), found.bounds(level, side)]
    known = [(contour_part(item.pair, side), item.times) for item in found.constituents]
    if all(part is not None for part, _ in known):
        line = composed_parts(known)
        values.append(contour.delta(line, level_logarithm(level), 3, max_nodes=400).value)
    grid = grid_for(found.constituents, side)
    if grid is not None:
        values.append(grid.grid(cells, 64).delta(level))
    assert len(values) >= 3
    if all(isinstance(item.pair, Channel) for item in found.constituents):
        table = compose([(item.pair, item.times) for item in found.constituents])
        p, q = (table if side == "forward" else table.swapped()).rows
        with precision(100):
            a = rational_ball(epsilon).exp()
            terms = [max_ball(rational_ball(x) - a * rational_ball(y)) for x, y in zip(p, q, strict=True)]
            values.append(Enclosure(*rational_bounds(sum(terms, a * 0))))
    for i, value in enumerate(values):
        assert all(value.overlaps(other) for other in values[:i])


@settings(max_examples=40)
@given(expressions, epsilons, st.sampled_from(SIDES))
def test_every_way_to_a_random_composition_agrees(parts, epsilon, side):
    """Method, bounds, contour, loss grid, columns."""
    check_ways(parts, epsilon, side, 128)


@pytest.mark.slow
@settings(max_examples=60)
@given(expressions, epsilons, st.sampled_from(SIDES))
def test_every_way_to_many_random_compositions_agrees(parts, epsilon, side):
    """The same, more of them on a finer grid."""
    check_ways(parts, epsilon, side, 512)
