"""Claims on the first running example, Laplace noise, and on the scale that the paper prints for it.

**Lemma 2.** Let mu_0 = G(0), so that e^(-theta/2)/2 = Phi(-mu_0/2). Then delta_L <= delta_mu0 everywhere: beyond theta
delta_L is 0; before it both agree at 0, and delta_L falls at the rate e^(eps/2) Phi(-mu_0/2), which is at least
e^eps Phi(-eps/mu_0 - mu_0/2), that of delta_mu0. For log Phi(-eps/mu_0 - mu_0/2) is concave in eps with the slope
-h(mu_0/2)/mu_0 at 0, h = phi(t)/Phi(-t) >= t, so it lies below log Phi(-mu_0/2) - eps/2.
"""

from __future__ import annotations

from typing import Final

from flint import arb
from gmpy2 import mpq
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from oracle.certificates.documents import Certificate
from oracle.certificates.gdp_documents import gdp_profile_certificate
from oracle.enclosures import Enclosure, rational_ball
from oracle.errors import UndecidedError
from oracle.gaussian_dp.crossings import crossings
from oracle.gaussian_dp.examples import EXAMPLES
from oracle.gaussian_dp.noise_formulas import LaplaceProfile
from oracle.gaussian_dp.tails import tail_limit
from oracle.gaussian_dp.tight_mu import tight_mu
from oracle.gaussian_dp.transform import transform
from oracle.laws.ask import Ask
from oracle.laws.balle2018._noise import laplace, laplace_profile
from oracle.laws.compare import at_most, equal, true, worst
from oracle.laws.liu2022._subjects import mu_accepted, mu_of, within
from oracle.laws.liu2022._transform import at_zero, required_mu
from oracle.laws.liu2022._values import ONE, ZERO, bounds, delta_of, profile
from oracle.laws.record import ClaimRecord, Erratum, Law, fact
from oracle.levels import Level
from oracle.special import phi

__all__ = ["CLAIMS"]

_TWO: Final = mpq(2)
_LAST: Final = mpq(1, 10**34)


def _formula_mu(theta: mpq) -> Enclosure:
    """-2 Phi^(-1)(e^(-theta/2)/2)."""
    return at_zero(lambda _: (-rational_ball(theta) / 2).exp() / 2)


def _at_zero_law(ask: Ask, sensitivity: mpq, scale: mpq) -> mpq:
    """The least mu is what delta(0) needs, which is the formula's."""
    noise, formula = laplace(sensitivity, scale), _formula_mu(sensitivity / scale)
    needed = required_mu(ZERO, profile(ask, noise, ZERO, 30))
    return worst([equal(mu_of(ask, noise), formula), equal(needed, formula)])


def _everywhere_law(ask: Ask, sensitivity: mpq, scale: mpq, share: mpq) -> mpq:
    """At every eps the profile is the formula, at most delta_mu0, and G at most G(0); G = 0 from theta on."""
    theta = sensitivity / scale
    noise, mu, epsilon = laplace(sensitivity, scale), _formula_mu(theta), theta * share
    value = profile(ask, noise, epsilon, 30)
    excesses = [equal(value, laplace_profile(theta, epsilon)), at_most(value, delta_of(ask, mu.hi, epsilon, 30))]
    if share >= 1:
        return worst([*excesses, true(value == 0)])
    return worst([*excesses, at_most(required_mu(epsilon, value), mu)])


def _half_law(ask: Ask, sensitivity: mpq, share: mpq) -> mpq:
    """With b = Δ/2 the profile is that of theta = 2, for every Δ: the claim of figure 1 holds."""
    noise = laplace(sensitivity, sensitivity / 2)
    value = equal(profile(ask, noise, 2 * share), laplace_profile(_TWO, 2 * share))
    return worst([value, true(mu_accepted(ask, noise, _TWO) and not mu_accepted(ask, noise, ONE))])


def _serves(theta: mpq, mu: mpq) -> bool:
    """Whether mu serves Laplace noise: e^(-theta/2)/2 >= Phi(-mu/2).

    Raises:
        UndecidedError: if the two are not told apart.
    """
    gap = bounds(lambda _: (-rational_ball(theta) / 2).exp() / 2 - phi(-rational_ball(mu) / 2))
    if gap.lo <= 0 <= gap.hi:
        raise UndecidedError("whether mu serves Laplace noise", 256)
    return gap.lo > 0


def _printed_law(ask: Ask, sensitivity: mpq) -> mpq:
    """With b = 2/Δ, theta = Δ²/2: mu serves iff Δ² <= -4 log(2 Phi(-mu/2)), for mu = 1, 2 and 4."""
    noise, theta = laplace(sensitivity, 2 / sensitivity), sensitivity**2 / 2
    return worst(true(mu_accepted(ask, noise, mu) == _serves(theta, mu)) for mu in (ONE, _TWO, mpq(4)))


def _limit(mu: mpq) -> Enclosure:
    """The largest theta for which mu serves, -2 log(2 Phi(-mu/2))."""

    def ball(_: int) -> arb:
        return -2 * (2 * phi(-rational_ball(mu) / 2)).log()

    return bounds(ball)


def _known_mu(theta: str, low: str, digits: int) -> bool:
    """A worked value of the tight mu, by the engine and by the formula, from its first decimals."""
    high = str(mpq(low) + mpq(1, 10**digits))
    found = tight_mu(LaplaceProfile(mpq(theta)), 40)
    return found.where == "zero" and within(found.value, low, high) and within(_formula_mu(mpq(theta)), low, high)


def _known(eps: str, delta: str, needed: str) -> bool:
    """A worked value of delta and of G at theta = 2, from their first 34 decimals."""
    level, noise = Level.of_exponent(mpq(eps)), EXAMPLES["laplace"]
    value, found = noise.delta(level, 40), transform(noise, level, 40)
    own = required_mu(mpq(eps), laplace_profile(_TWO, mpq(eps)))
    return (
        within(value, delta, str(mpq(delta) + _LAST))
        and within(found, needed, str(mpq(needed) + _LAST))
        and isinstance(found, Enclosure)
        and found.overlaps(own)
    )


def _printed_scale_fails() -> bool:
    """Δ = 1 and b = 2/Δ, theta = 1/2: delta(0) < delta_1(0), and the tight mu is below 1."""
    found = tight_mu(LaplaceProfile(mpq(1, 2)), 20).value
    return isinstance(found, Enclosure) and found.hi < 1 and _serves(mpq(1, 2), ONE)


def _printed_scale_certificate() -> Certificate:
    """Laplace noise with theta = 1/2 is 1-GDP."""
    certificate = gdp_profile_certificate(LaplaceProfile(mpq(1, 2)), ONE)
    if certificate is None:
        raise UndecidedError("whether Laplace noise with theta = 1/2 is 1-GDP", 256)
    return certificate


SCALE: Final = Erratum(
    printed="The Laplace mechanism has b = 2/Δ; its profile is below those of 2-GDP and 4-GDP but crosses that of "
    "1-GDP, so it is 2-GDP and 4-GDP but not 1-GDP.",
    counterexample="Take Δ = 1, so b = 2 and θ = Δ/b = 1/2. The profile is [1 - e^{(ε - 1/2)/2}]_+, at ε = 0 "
    "1 - e^{-1/4} = 0.2211..., while δ_1(0) = 1 - 2Φ(-1/2) = 0.3829.... The tight μ is G(0) = -2Φ^{-1}(e^{-1/4}/2) = "
    "0.5617643232110188863..., since the transform is largest at 0: it is 1-GDP and crosses nothing.",
    correction="b = Δ/2, that is θ = 2 for every Δ: then the tight μ is 1.80090519327558068..., and the sentence is "
    "true. With b = 2/Δ, θ = Δ²/2 and the sentence is true iff Δ² lies above 1.9310... and at most at 4.5914..., so "
    "for Δ = 2 (there 2/Δ and Δ/2 are the same), but not for Δ = 1.",
    scope="statement",
    fails=_printed_scale_fails,
    certificate=_printed_scale_certificate,
    summary="b = Δ/2 is meant, not 2/Δ",
    printed_formula="b = 2/Δ",
    true_formula="b = Δ/2",
)


def _scales() -> SearchStrategy[mpq]:
    return st.builds(mpq, st.integers(1, 12), st.integers(1, 8))


def _shares() -> SearchStrategy[mpq]:
    """Eps over theta, beyond 1 as well."""
    return st.builds(mpq, st.integers(0, 10), st.sampled_from([7, 8]))


CLAIMS: tuple[ClaimRecord, ...] = (
    ClaimRecord(
        id="Laplace",
        title="Laplace noise",
        statement="Laplace noise of scale b on sensitivity Δ has this profile with θ = Δ/b. Its transform is largest "
        "at ε = 0, so the tight μ is what its total variation needs; it is 0 from θ on, so the limit of the criterion "
        "is 0.",
        formula="δ(ε) = [1 - exp(ε/2 - Δ/(2b))]_+; tight μ = G(0) = -2 Φ^-1(e^{-θ/2}/2); G = 0 for ε >= θ",
        source="section 2, Figure 1; section 4",
        status="holds",
        laws=(
            Law("the least μ is G(0)", st.tuples(_scales(), _scales()), _at_zero_law),
            Law("below δ_G(0) everywhere", st.tuples(_scales(), _scales(), _shares()), _everywhere_law),
        ),
        facts=(
            fact(
                "liu2022-15-2: θ = 2: μ = 1.8009051932755806822923030284275251...",
                lambda: _known_mu("2", "1.8009051932755806822923030284275251", 34),
            ),
            fact(
                "θ = 1/2: μ = 0.5617643232110188863544...",
                lambda: _known_mu("1/2", "0.5617643232110188863544", 22),
            ),
            fact("θ = 1: μ = 1.03006399762443387...", lambda: _known_mu("1", "1.03006399762443387", 17)),
            fact(
                "liu2022-16-1/2: δ(1/2) = 0.5276334472..., G = 1.7741533812...",
                lambda: _known("1/2", "0.5276334472589852928619534490567320", "1.7741533812527181962276449131089760"),
            ),
            fact(
                "liu2022-16-1: δ(1) = 0.3934693402..., G = 1.6859908712...",
                lambda: _known("1", "0.3934693402873665763962004650088195", "1.6859908712164959565917317007155957"),
            ),
            fact(
                "liu2022-16-3/2: δ(3/2) = 0.2211992169..., G = 1.4985468383...",
                lambda: _known("3/2", "0.2211992169285951317548297330216793", "1.4985468383540025920812147375782624"),
            ),
            fact(
                "liu2022-16-19/10: δ(19/10) = 0.0487705754..., G = 1.1259791443...",
                lambda: _known("19/10", "0.0487705754992859909085746802203478", "1.1259791443518116973837827747235935"),
            ),
            fact(
                "θ = 2: G = 0 from ε = 2 on, the limit is 0",
                lambda: (
                    [transform(EXAMPLES["laplace"], Level.of_exponent(mpq(x))) for x in (2, 3, 1000)] == [0, 0, 0]
                    and tail_limit(EXAMPLES["laplace"].tail) == 0
                ),
            ),
        ),
    ),
    ClaimRecord(
        id="Laplace b",
        title="scale of the Laplace noise drawn",
        statement="With b = Δ/2, that is θ = 2, Laplace noise is 2-GDP and 4-GDP but not 1-GDP, for every Δ: its "
        "profile crosses that of 1-GDP once and stays below those of 2-GDP and 4-GDP.",
        formula="b = Δ/2: θ = 2, tight μ = 1.80090519327558068...",
        source="section 2, before Theorem 2.1 and after Figure 1",
        status="false_as_stated",
        hypotheses="repaired: b = Δ/2 in place of 2/Δ",
        laws=(
            Law("b = Δ/2, for every Δ", st.tuples(_scales(), _shares()), _half_law),
            Law("b = 2/Δ: it depends on Δ", _scales(), _printed_law),
        ),
        facts=(
            fact(
                "θ = 2 crosses δ_1 once, between ε = 1.953 and 1.954, and neither δ_2 nor δ_4",
                lambda: (
                    [len(crossings(EXAMPLES["laplace"], mpq(mu)).places) for mu in (1, 2, 4)] == [1, 0, 0]
                    and within(crossings(EXAMPLES["laplace"], ONE).places[0], "1.953", "1.954")
                ),
            ),
            fact(
                "b = 2/Δ: 1-GDP iff Δ² <= 1.9310..., 2-GDP iff Δ² <= 4.5914...",
                lambda: (
                    within(_limit(ONE), str(mpq("1.9310") / 2), str(mpq("1.9311") / 2))
                    and within(_limit(_TWO), str(mpq("4.5914") / 2), str(mpq("4.5915") / 2))
                ),
            ),
        ),
        errata=(SCALE,),
    ),
)
