"""Claims of section 4: the GDP transform and theorem 4.1, and the measurement algorithm that encloses its supremum."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from gmpy2 import mpq
from hypothesis import strategies as st

from oracle.channels.channel import Channel, Rows
from oracle.enclosures import Enclosure, rational_ball
from oracle.exact import INFINITY, Infinity
from oracle.gaussian_dp.examples import EXAMPLES
from oracle.gaussian_dp.measurement import Measurement, measure
from oracle.gaussian_dp.noise_formulas import LaplaceProfile
from oracle.gaussian_dp.profile import mu_gdp
from oracle.laws.ask import Ask, Number
from oracle.laws.balle2018._facts import channel
from oracle.laws.balle2018._noise import laplace
from oracle.laws.compare import at_most, equal, worst
from oracle.laws.liu2022._subjects import finite_mu, grids, mu_of, plain_channels, processed_channels, within
from oracle.laws.liu2022._transform import required_mu
from oracle.laws.liu2022._values import (
    ONE,
    ZERO,
    bounds,
    critical_epsilons,
    delta_of,
    exponential,
    gaussian_dp,
    profile,
)
from oracle.laws.record import ClaimRecord, Law, fact
from oracle.levels import Level
from oracle.special import phi_inverse_ball

__all__ = ["CLAIMS"]

_NEAR: Final = 1 - mpq(1, 10**9)
"""How much of the least mu the transform reaches at the places where it is largest, which are known roughly."""
_Pieces = list[tuple[mpq, mpq]]


def _transform(ask: Ask, table: Rows, epsilon: mpq) -> Enclosure:
    """G(eps) from the subject's delta."""
    return required_mu(epsilon, profile(ask, table, epsilon, 30))


def _constant_law(ask: Ask, mu: mpq, times: mpq) -> mpq:
    """The transform of delta_mu is mu; the subject's least mu of that pair as well."""
    epsilon = mu * times
    found = required_mu(epsilon, delta_of(ask, mu, epsilon, 30))
    return worst([equal(found, mu), equal(mu_of(ask, gaussian_dp(mu)), mu)])


def _supremum_law(ask: Ask, m: Channel, epsilon: mpq) -> mpq:
    """G exceeds the least mu nowhere, and comes within a billionth of it near the place of the worst corner."""
    least = finite_mu(ask, m.rows)
    places = critical_epsilons(m.rows, least.hi if isinstance(least, Enclosure) else least)
    found = [_transform(ask, m.rows, eps) for eps in (*places, epsilon)]
    reached = max(g.hi for g in found)
    return worst([*(at_most(g, least) for g in found), at_most(least, reached / _NEAR)])


def _order_law(ask: Ask, processed: tuple[Channel, Rows], epsilon: mpq) -> mpq:
    """A post-processing has a smaller delta, hence a smaller G, at every eps, and a smaller least mu."""
    m, witness = processed
    after = ask.post(m.rows, witness)
    below = [at_most(profile(ask, after, epsilon), profile(ask, m.rows, epsilon))]
    below.append(at_most(_transform(ask, after, epsilon), _transform(ask, m.rows, epsilon)))
    return worst([*below, at_most(finite_mu(ask, after), finite_mu(ask, m.rows))])


def _pieces(intervals: int, end: mpq) -> _Pieces:
    return list(pairwise(end * k / intervals for k in range(intervals + 1)))


def _measured(deltas: dict[mpq, Number], pieces: _Pieces) -> tuple[Number, Number]:
    """The two numbers mu- and mu+, from values of delta at the ends of the pieces."""
    lower = [required_mu(a, deltas[b]) for a, b in pieces]
    upper = [required_mu(b, deltas[a]) for a, b in pieces]
    first, second = (Enclosure(max(g.lo for g in gs), max(g.hi for g in gs)) for gs in (lower, upper))
    return first, second


def _measure_law(ask: Ask, m: Channel, grid: tuple[int, mpq]) -> mpq:
    """mu- <= mu <= mu+ where delta is 0 beyond the grid, so that the head is everything; halving the step improves."""
    intervals, end = grid
    fine = _pieces(2 * intervals, end)
    deltas = {x: profile(ask, m.rows, x) for x in (ZERO, *(b for _, b in fine))}
    least = finite_mu(ask, m.rows)
    low, high = _measured(deltas, _pieces(intervals, end))
    better_low, better_high = _measured(deltas, fine)
    chain = (low, better_low, least, better_high, high)
    return worst([*(at_most(x, y) for x, y in pairwise(chain)), at_most(deltas[end], 0)])


def _engine_law(ask: Ask, theta: mpq, grid: tuple[int, mpq]) -> mpq:
    """The engine's algorithm on Laplace noise gives the two numbers that follow from the subject's values of delta."""
    intervals, end = grid
    pieces = _pieces(intervals, end)
    deltas = {x: profile(ask, laplace(theta, ONE), x) for x in (ZERO, *(b for _, b in pieces))}
    found = measure(LaplaceProfile(theta), end / intervals, end)
    pairs = zip(_measured(deltas, pieces), (found.lower, found.upper), strict=True)
    return worst(equal(own, theirs) for own, theirs in pairs if not isinstance(theirs, Infinity))


def _vector(name: str, step: str, end: str, lower: str, upper: str) -> bool:
    """A worked pair of the measurement algorithm: the first 34 decimals of mu- and mu+."""
    found = measure(EXAMPLES[name], mpq(step), mpq(end), 40)
    last = mpq(1, 10**34)
    return within(found.lower, lower, str(mpq(lower) + last)) and within(found.upper, upper, str(mpq(upper) + last))


def _fine(name: str, end: str) -> Measurement:
    return measure(EXAMPLES[name], mpq(1, 20), mpq(end))


def _grows() -> bool:
    """Whether mu- of ICEA on a longer grid exceeds mu+ on a shorter one, and 4."""
    short, long = _fine("icea", "3").upper, measure(EXAMPLES["icea"], ONE, mpq(20)).lower
    return isinstance(short, Enclosure) and isinstance(long, Enclosure) and long.lo > max(short.hi, mpq(4))


def _quantile(p: mpq) -> Enclosure:
    return bounds(lambda bits: phi_inverse_ball(p, bits))


def _inner_maximum() -> bool:
    """At [1/2 1/2; 1/4 3/4] the corner (1/2, 1/4) needs -Phi^(-1)(1/4), more than G(0) = -2 Phi^(-1)(3/8)."""
    table = channel("1/2 1/2", "1/4 3/4").rows
    tight = bounds(lambda bits: -phi_inverse_ball(mpq(1, 4), bits))
    at_zero = required_mu(ZERO, mpq(1, 4))
    place = critical_epsilons(table, tight.hi)[1]
    # D_a(P‖Q) = 1/2 - a/4 is the larger of the two at 1 <= a <= 2.
    value = bounds(lambda _: rational_ball(mpq(1, 2)) - rational_ball(place).exp() / 4)
    return (
        within(tight, "0.674489", "0.674490")
        and within(at_zero, "0.637278", "0.637279")
        and mpq("0.22746") < place < mpq("0.22747")
        and required_mu(place, value).hi > tight.lo * _NEAR
        and at_zero.contains(-2 * _quantile(mpq(3, 8)).lo)
    )


def _at_the_ends() -> bool:
    """mu_GDP(eps, 0) = 0 and mu_GDP(eps, 1) is infinite, at eps = 0 and elsewhere."""
    levels = [Level.rational(ONE), Level.rational(mpq(3))]
    return all(mu_gdp(level, ZERO) == 0 and mu_gdp(level, ONE) == INFINITY for level in levels)


def _inversions_agree(rate: mpq, epsilon: mpq) -> bool:
    """The engine's mu_GDP(eps, e^(-rate eps)) overlaps ours."""
    delta = exponential(-rate * epsilon)
    level = Level.of_exponent(epsilon)
    found = [mu_gdp(level, end, 30) for end in (delta.lo, delta.hi)]
    own = required_mu(epsilon, delta)
    return all(isinstance(g, Enclosure) and g.overlaps(own) for g in found)


CLAIMS: tuple[ClaimRecord, ...] = (
    ClaimRecord(
        id="GDPT, Thm4.1",
        title="GDP transform",
        statement="G_A(ε) is the μ that the guarantee (ε, δ_A(ε)) needs. A larger profile has a larger transform, that "
        "of δ_μ is the constant μ, A is μ-GDP if and only if G_A(ε) <= μ for every ε, and the tight μ is the supremum "
        "of G_A.",
        formula="G_A(ε) = μ_GDP(ε, δ_A(ε)); A is μ-GDP iff G_A <= μ; tight μ = sup_ε G_A(ε)",
        source="section 4, definition of the GDPT and Theorem 4.1",
        status="holds",
        hypotheses="the neighbouring relation is symmetric; δ_A is the profile, so that all that is implied is in it",
        laws=(
            Law(
                "the transform of δ_μ is μ",
                st.tuples(
                    st.builds(mpq, st.integers(1, 40), st.sampled_from([8, 5])),
                    st.builds(mpq, st.integers(0, 24), st.sampled_from([3, 4])),
                ),
                _constant_law,
            ),
            Law(
                "the least μ is the supremum",
                st.tuples(plain_channels(), st.builds(mpq, st.integers(0, 20), st.just(7))),
                _supremum_law,
            ),
            Law(
                "order is preserved",
                st.tuples(processed_channels(), st.builds(mpq, st.integers(0, 8), st.just(5))),
                _order_law,
            ),
        ),
        facts=(
            fact("at δ = 0 the transform is 0, at δ = 1 infinite", _at_the_ends),
            fact(
                "[1/2 1/2; 1/4 3/4]: largest inside, 0.674489... at ε = 0.2274..., while G(0) = 0.637278...",
                _inner_maximum,
            ),
            fact(
                "two inversions agree, at (1, e^-1), (3, e^-5) and (10, e^-40)",
                lambda: all(
                    _inversions_agree(mpq(rate), mpq(eps)) for rate, eps in (("1", "1"), ("5/3", "3"), ("4", "10"))
                ),
            ),
        ),
    ),
    ClaimRecord(
        id="measure",
        title="measurement algorithm",
        statement="On a grid 0 = ε_0 < ... < ε_n = ε_h two maxima of finitely many values enclose the supremum of the "
        "transform on [0, ε_h], since μ_GDP increases in both arguments and δ_A does not increase. No μ below μ- "
        "serves; with a tail condition from ε_h on, μ+ does. (The algorithm is missing from the text at hand; this is "
        "our own form.)",
        formula="μ- = max_i μ_GDP(ε_i, δ_A(ε_{i+1})) <= sup_{[0, ε_h]} G_A <= μ+ = max_i μ_GDP(ε_{i+1}, δ_A(ε_i))",
        source="section 4, measurement",
        status="holds",
        laws=(
            Law("between the two numbers, and finer is better", st.tuples(plain_channels(3), grids()), _measure_law),
            Law(
                "the engine's algorithm on Laplace noise",
                st.tuples(st.builds(mpq, st.integers(1, 12), st.sampled_from([2, 5])), grids()),
                _engine_law,
            ),
        ),
        facts=(
            fact(
                "liu2022-18-Laplace2-1/5: [1.6598907817919872851..., 1.9330243594367471709...] up to ε = 2",
                lambda: _vector(
                    "laplace",
                    "1/5",
                    "2",
                    "1.6598907817919872851889627850649624",
                    "1.9330243594367471709321813798255794",
                ),
            ),
            fact(
                "liu2022-18-Laplace2-1/20: [1.7661625754186991530..., 1.8350687129992475358...] up to ε = 2",
                lambda: _vector(
                    "laplace",
                    "1/20",
                    "2",
                    "1.7661625754186991530232364722691072",
                    "1.8350687129992475358645670520976437",
                ),
            ),
            fact(
                "liu2022-18-SGD-1/5: [1.7104472558560918877..., 1.9866951382839254332...] up to ε = 3",
                lambda: _vector(
                    "sgd", "1/5", "3", "1.7104472558560918877310694419497779", "1.9866951382839254332622345900501376"
                ),
            ),
            fact(
                "liu2022-18-SGD-1/20: [1.8217079012442824647..., 1.8900244074626934023...] up to ε = 3",
                lambda: _vector(
                    "sgd", "1/20", "3", "1.8217079012442824647828658067373030", "1.8900244074626934023118460197654159"
                ),
            ),
            fact(
                "with the tail proved: Laplace noise (θ = 2) and SGD are μ+-GDP",
                lambda: _fine("laplace", "2").tail and _fine("sgd", "3").tail,
            ),
            fact(
                "ICEA has no tail condition: μ- up to ε = 20 exceeds μ+ up to 3, and 4",
                lambda: not _fine("icea", "3").tail and _grows(),
            ),
        ),
    ),
)
