"""What section 3 prints of the ends of profiles and is not so: with counterexamples that are run and certified."""

from __future__ import annotations

from typing import Final

from gmpy2 import mpq

from oracle.certificates.documents import Certificate
from oracle.enclosures import Enclosure, rational_ball
from oracle.gaussian_dp.examples import OscillatingProfile
from oracle.laws.evidence import Evidence
from oracle.laws.liu2022._values import ONE, bounds, bracket, difference, exponential, first_term, second_term
from oracle.laws.record import Erratum

__all__ = ["BIG_O", "LIMIT", "gaussian_times_square", "oscillating_quotient"]

_KNOTS: Final = (16, 32, 64)
_BETWEEN: Final = ((15, mpq(174, 100)), (31, mpq(187, 100)), (63, mpq(193, 100)))
"""Points 2^j - 1, and numbers that the quotient exceeds there."""
_AT: Final = ((10, 21), (20, 88), (30, 197))
"""Points eps, and powers of ten that delta_1(eps) e^(eps²) exceeds there."""


def oscillating_quotient(epsilon: int) -> Enclosure:
    """eps²/(-2 log delta(eps)) of the profile through the knots (2^j, e^(-4^j)), linear in e^eps between them."""
    profile = OscillatingProfile()
    return bounds(lambda _: rational_ball(mpq(epsilon**2)) / (-2 * profile.at(rational_ball(mpq(epsilon))).log()))


def gaussian_times_square(epsilon: mpq) -> Enclosure:
    """delta_1(eps) e^(eps²)."""
    value, factor = difference(first_term(ONE, epsilon), second_term(ONE, epsilon)), exponential(epsilon**2)
    return Enclosure(value.lo * factor.lo, value.hi * factor.hi)


def _limit_fails() -> bool:
    """The quotient is 1/2 at the knots and comes close to 2 before them."""
    knots = all(oscillating_quotient(x).contains(mpq(1, 2)) for x in _KNOTS)
    return knots and all(oscillating_quotient(x).lo > least for x, least in _BETWEEN)


def _limit_certificate() -> Certificate:
    """At 2^j the quotient is 4^j/(2·4^j); at 2^j - 1 it is at least (2^j - 1)²/(2 (4^(j-1) - log(1 - 1/e)))."""
    evidence = Evidence()
    _, inverse = bracket(evidence, "exp", mpq(-1), 4)
    share = evidence.combination((1, 1), (-1, inverse))
    evidence.compare(share, "=", share.value)
    logarithm, _ = bracket(evidence, "log", share.value, 4)
    for knot, (point, least) in zip(_KNOTS, _BETWEEN, strict=True):
        evidence.compare(evidence.combination((mpq(1, 2 * knot**2), knot**2)), "=", mpq(1, 2))
        # -2 log delta(2^j - 1) <= 2·4^(j-1) - 2 log(1 - 1/e), and least times that is below (2^j - 1)².
        bound = evidence.combination((2 * least, knot**2 // 4), (-2 * least, logarithm))
        evidence.compare(bound, "<", point**2)
    return evidence.certificate()


def _big_o_fails() -> bool:
    """delta_1(eps) e^(eps²) exceeds ever larger powers of ten."""
    return all(gaussian_times_square(mpq(x)).lo > mpq(10) ** power for x, power in _AT)


def _big_o_certificate() -> Certificate:
    """Phi(1/2 - eps) - e^eps Phi(-1/2 - eps) > 10^k e^(-eps²) at 10, 20 and 30."""
    evidence = Evidence()
    for epsilon, power in _AT:
        digits = epsilon**2 * 9 // 20 + 20
        first, _ = bracket(evidence, "normal", mpq(1, 2) - epsilon, digits)
        _, second = bracket(evidence, "normal", -mpq(1, 2) - epsilon, digits)
        _, factor = bracket(evidence, "exp", mpq(epsilon), 6)
        evidence.compare(factor, "=", factor.value)
        delta = evidence.combination((1, first), (-factor.value, second))
        _, square = bracket(evidence, "exp", mpq(-(epsilon**2)), digits)
        evidence.compare(delta, ">", evidence.combination((mpq(10) ** power, square)))
    return evidence.certificate()


LIMIT: Final = Erratum(
    printed="Whether A is GDP is read off the limit in Theorem 3.3, which is 0, √(1/2) and +∞ for the three examples. "
    "(Its formula is missing from the text at hand; the one below is reconstructed, and has these values.)",
    counterexample="Let δ_A go through the knots (ε, δ) = (2^j, e^{-4^j}), j = 0, 1, ..., linear in a = e^ε between "
    "them, and let it be what (1, 1/e)-DP implies on [0, 1]. The knots lie on e^{-ε²}, which is convex in a from "
    "ε = 1/2 on, so δ_A is convex and decreasing in a: it is the profile of a mechanism. At the knots the quotient "
    "ε²/(-2 log δ_A) is 4^j/(2·4^j) = 1/2. At ε = 2^j - 1 the chord gives the knot before it a weight of at least "
    "1 - 1/e, so -log δ_A <= 4^{j-1} - log(1 - 1/e) < 4^{j-1} + 0.46 and the quotient is at least "
    "(2^j - 1)²/(2·4^{j-1} + 0.92), which tends to 2: it exceeds 225/128.92 > 1.74 at ε = 15, 961/512.92 > 1.87 at 31 "
    "and 3969/2048.92 > 1.93 at 63. There is no limit.",
    correction="The criterion is right with the limsup, which always exists: L = limsup ε²/(-2 log δ_A(ε)). Here L = "
    "2: tail conditions hold for μ > √2 and for no μ < √2, although the liminf is 1/2.",
    scope="hypothesis",
    fails=_limit_fails,
    certificate=_limit_certificate,
    summary="the limit may not exist: limsup",
    printed_formula="μ_t = lim_{ε→∞} √(ε²/(-2 log δ_A(ε))) (reconstructed)",
    true_formula="μ_t = limsup_{ε→∞} √(ε²/(-2 log δ_A(ε)))",
)

BIG_O: Final = Erratum(
    printed="A GDP algorithm provides (ε, δ)-DP conditions in which δ must be O(e^{-ε²}) as ε → ∞.",
    counterexample="N(0, 1) against N(1, 1) is 1-GDP, with δ_1(ε) >= φ(ε - 1/2)/((ε + 1/2)² + 3) by the key lemma. So "
    "δ_1(ε) e^{ε²} >= e^{ε²/2 + ε/2 - 1/8}/(√(2π) ((ε + 1/2)² + 3)), which tends to infinity. At ε = 10 it is "
    "2.6378·10^21, at 20 above 10^88, at 30 above 10^197: no constant K has δ_1(ε) <= K e^{-ε²}.",
    correction="δ must be e^{-Ω(ε²)}: for μ-GDP δ(ε) <= Φ(-a) <= e^{-a²/2}/2 with a = ε/μ - μ/2 >= 0, so O(e^{-c ε²}) "
    "for every c < 1/(2μ²), and for δ_μ itself for no c > 1/(2μ²). The printed order is right for μ < √(1/2) only.",
    scope="statement",
    fails=_big_o_fails,
    certificate=_big_o_certificate,
    summary="δ is e^{-Ω(ε²)}, not O(e^{-ε²})",
    printed_formula="δ_A(ε) = O(e^{-ε²})",
    true_formula="δ_A(ε) = e^{-Ω(ε²)}",
)
