"""Claims of section 3 on which algorithms are GDP for some mu, and how fast their delta vanishes."""

from __future__ import annotations

from typing import Final

from flint import arb
from gmpy2 import mpq
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from oracle.channels.channel import Channel
from oracle.enclosures import Enclosure, rational_ball
from oracle.exact import Infinity
from oracle.gaussian_dp.examples import OscillatingProfile
from oracle.gaussian_dp.tails import SquaredExponentialTail, tail_satisfies, tail_start
from oracle.laws.ask import Ask, Number
from oracle.laws.compare import at_most, equal, worst
from oracle.laws.liu2022._samples import overlapping_channels, tails_of_mu
from oracle.laws.liu2022._tail_errata import BIG_O, LIMIT, gaussian_times_square, oscillating_quotient
from oracle.laws.liu2022._values import (
    ONE,
    ZERO,
    bounds,
    delta_of,
    difference,
    exponential,
    first_term,
    height,
    profile,
    second_term,
)
from oracle.laws.record import ClaimRecord, Law, fact

__all__ = ["CLAIMS"]

_RATIOS: Final = (mpq(1, 4), mpq(1, 2), mpq(4, 5), mpq(5, 4), mpq(2), mpq(6))
"""mu² over 1/(2c)."""


def _minus_two_log(value: Number) -> Enclosure:
    """-2 log delta."""
    low, high = (value.lo, value.hi) if isinstance(value, Enclosure) else (value, value)
    return Enclosure(
        bounds(lambda _: -2 * rational_ball(high).log()).lo, bounds(lambda _: -2 * rational_ball(low).log()).hi
    )


def _quotient_law(ask: Ask, mu: mpq, distance: mpq) -> mpq:
    """-2 log delta_mu differs from eps²/mu² by eps - mu²/4 and a logarithm, so that the quotient tends to mu²."""
    epsilon = mu * (distance + mu / 2)
    found = _minus_two_log(delta_of(ask, mu, epsilon))

    def expected(square: mpq) -> Enclosure:
        """eps²/mu² - eps + mu²/4 + 2 log(√(2 pi) s/mu)."""
        rational = (epsilon / mu) ** 2 - epsilon + mu * mu / 4
        logarithm = bounds(lambda _: 2 * ((2 * arb.pi()).sqrt() * rational_ball(square / mu)).log())
        return Enclosure(rational + logarithm.lo, rational + logarithm.hi)

    return worst(
        [
            at_most(expected(distance**2 + 1), found),
            at_most(found, expected((distance + mu) ** 2 + 3)),
        ]
    )


def _criterion_law(ask: Ask, mu: mpq, ratio: mpq, factor: mpq, later: mpq) -> mpq:
    """B e^(-c eps²) is below delta_mu from some eps on if mu² > 1/(2c), and above it if mu² < 1/(2c)."""
    rate = ratio / (2 * mu * mu)
    relation = "below" if ratio > 1 else "above"
    proof = tail_start(SquaredExponentialTail(factor, rate), mu * mu, relation)
    if proof is None:
        return ONE
    epsilon = proof.start + later
    formula, value = exponential(-rate * epsilon**2, factor), delta_of(ask, mu, epsilon)
    terms = difference(first_term(mu, epsilon), second_term(mu, epsilon))
    return worst([equal(value, terms), at_most(formula, value) if ratio > 1 else at_most(value, formula)])


def _upper_law(ask: Ask, m: Channel, distance: mpq) -> mpq:
    """A mu-GDP channel has delta <= Phi(-a) <= e^(-a²/2)/2, mu its least one, eps = mu (a + mu/2)."""
    mu = height(ask.mu(m.rows))
    if isinstance(mu, Infinity):
        return ONE
    value = profile(ask, m, mu * (distance + mu / 2))
    return worst([at_most(value, bounds(lambda _: _normal_tail(distance))), at_most(value, _half_square(distance))])


def _normal_tail(distance: mpq) -> arb:
    """Phi(-a)."""
    return (rational_ball(distance) / arb(2).sqrt()).erfc() / 2


def _half_square(distance: mpq) -> Enclosure:
    return exponential(-distance * distance / 2, mpq(1, 2))


def _gaussian_upper_law(ask: Ask, mu: mpq, distance: mpq) -> mpq:
    """The same of the Gaussian pair, for which it is close: delta_mu is at least mu/(b² + 3) of e^(-a²/2)/3."""
    value = delta_of(ask, mu, mu * (distance + mu / 2))
    share = mu / ((distance + mu) ** 2 + 3)
    return worst([at_most(value, _half_square(distance)), at_most(exponential(-(distance**2) / 2, share / 3), value)])


def _no_constant_law(ask: Ask, mu: mpq, ratio: mpq, power: int, later: mpq) -> mpq:
    """For c > 1/(2 mu²) and every K, here 10^power, K e^(-c eps²) is below delta_mu in the end."""
    return _criterion_law(ask, mu, ratio, mpq(10) ** power, later)


def _moderate() -> SearchStrategy[mpq]:
    return st.builds(mpq, st.integers(1, 16), st.sampled_from([2, 5]))


def _later() -> SearchStrategy[mpq]:
    return st.builds(mpq, st.integers(0, 40), st.sampled_from([1, 7]))


def _squared_within(value: Enclosure, low: str, high: str) -> bool:
    """Whether an enclosure lies within one unit of two neighbouring decimals."""
    return Enclosure(mpq(low), mpq(high)).overlaps(value) and value.width < mpq(1, 10**40)


def _limit_value(epsilon: str, low: str, high: str) -> bool:
    """√(eps²/(-2 log delta_{1/2}(eps)))."""
    eps, mu = mpq(epsilon), mpq(1, 2)
    value = difference(first_term(mu, eps), second_term(mu, eps))
    squared = _minus_two_log(value)
    found = Enclosure(
        bounds(lambda _: rational_ball(eps) / rational_ball(squared.hi).sqrt()).lo,
        bounds(lambda _: rational_ball(eps) / rational_ball(squared.lo).sqrt()).hi,
    )
    return mpq(low) <= found.lo and found.hi <= mpq(high)


CLAIMS: tuple[ClaimRecord, ...] = (
    ClaimRecord(
        id="Thm3.2/3.3",
        title="criterion for GDP",
        statement="Let L be the limsup of ε²/(-2 log δ_A(ε)) and μ_t = √L. A is GDP if and only if μ_t is finite; a "
        "tail condition holds for every μ > μ_t and for no μ < μ_t. At μ = μ_t both happen. The limit need not exist.",
        formula="μ_t = limsup_{ε→∞} √(ε²/(-2 log δ_A(ε))); GDP iff μ_t < ∞",
        source="section 3, Theorems 3.2 and 3.3",
        status="holds_under",
        hypotheses="added: limsup in place of lim, which may not exist",
        laws=(
            Law("the quotient of δ_μ tends to μ²", tails_of_mu(), _quotient_law),
            Law(
                "B e^{-cε²} against δ_μ, from some ε on",
                st.tuples(_moderate(), st.sampled_from(_RATIOS), st.sampled_from([ONE, mpq(5), mpq(1, 9)]), _later()),
                _criterion_law,
            ),
        ),
        facts=(
            fact(
                "liu2022-08-1/2: for δ_{1/2} the root is 0.4967..., 0.5004..., 0.50006... at ε = 10, 100, 1000",
                lambda: (
                    _limit_value("10", "0.496729762824458855911589014800", "0.496729762824458855911589014801")
                    and _limit_value("100", "0.500472668855247732341944813659", "0.500472668855247732341944813660")
                    and _limit_value("1000", "0.500060405301967625571196414294", "0.500060405301967625571196414295")
                ),
            ),
            fact(
                "liu2022-19: the oscillating profile has 1.745..., 1/2, 1.873..., 1/2 at ε = 15, 16, 31, 32",
                lambda: (
                    _squared_within(
                        oscillating_quotient(15), "1.745313339622323117207976644317", "1.745313339622323117207976644318"
                    )
                    and oscillating_quotient(16).contains(mpq(1, 2))
                    and _squared_within(
                        oscillating_quotient(31), "1.873596203904776484147868122599", "1.873596203904776484147868122600"
                    )
                    and oscillating_quotient(32).contains(mpq(1, 2))
                ),
            ),
            fact(
                "it has tail conditions for μ = 3/2 and none for 7/5, although the liminf is 1/2",
                lambda: (
                    tail_satisfies(OscillatingProfile().tail, mpq(3, 2)) is True
                    and tail_satisfies(OscillatingProfile().tail, mpq(7, 5)) is False
                    and OscillatingProfile().tail.limits == (mpq(1, 2), mpq(2))
                ),
            ),
            fact(
                "the border μ_t = 1: e^{-ε²/2} has a 1-tail (2δ_1, with the same limit, has none: δ_1(50) > 0)",
                lambda: (
                    tail_satisfies(SquaredExponentialTail(ONE, mpq(1, 2)), ONE) is True
                    and SquaredExponentialTail(ONE, mpq(1, 2)).limits == (ONE, ONE)
                    and difference(first_term(ONE, mpq(50)), second_term(ONE, mpq(50))).lo > 0
                ),
            ),
        ),
        errata=(LIMIT,),
    ),
    ClaimRecord(
        id="O(e^{-eps^2})",
        title="how fast delta must vanish",
        statement="The δ of a GDP algorithm is e^{-Ω(ε²)} as ε → ∞: for μ-GDP it is O(e^{-cε²}) for every c < 1/(2μ²), "
        "and δ_μ itself is not for any c > 1/(2μ²).",
        formula="δ_A(ε) <= Φ(-a) <= e^{-a²/2}/2, a = ε/μ - μ/2 >= 0",
        source="section 3, after Theorem 3.3",
        status="false_as_stated",
        laws=(
            Law(
                "the bound for every channel with its least μ",
                st.tuples(overlapping_channels(4), st.sampled_from([ZERO, mpq(1, 9), mpq(1, 2), ONE, mpq(2)])),
                _upper_law,
            ),
            Law("the bound for δ_μ, and how close it is", tails_of_mu(), _gaussian_upper_law),
            Law(
                "no constant for a larger c",
                st.tuples(_moderate(), st.sampled_from([mpq(5, 4), mpq(2), mpq(6)]), st.integers(0, 12), _later()),
                _no_constant_law,
            ),
        ),
        facts=(
            fact(
                "liu2022-07: δ_1(10) e^100 = 2637770274074637734091.4032...",
                lambda: (
                    mpq("2637770274074637734091.403223012748855272792186914891") <= gaussian_times_square(mpq(10)).lo
                    and gaussian_times_square(mpq(10)).hi
                    <= mpq("2637770274074637734091.403223012748855272792186914892")
                ),
            ),
            fact(
                "for μ = 1/2 the printed order is right: δ_{1/2}(10) e^100 < 10^-40",
                lambda: (
                    difference(first_term(mpq(1, 2), mpq(10)), second_term(mpq(1, 2), mpq(10))).hi
                    < exponential(mpq(-100), mpq(10) ** -40).lo
                ),
            ),
        ),
        errata=(BIG_O,),
    ),
)
