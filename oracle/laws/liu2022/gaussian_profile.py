"""Claims of section 2 and figure 1 on the profile delta_mu of mu-GDP: what it is, how it grows, its shape near 0."""

from __future__ import annotations

from math import isqrt
from typing import Final

from flint import arb
from gmpy2 import mpq
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from oracle.certificates.documents import Certificate
from oracle.channels.channel import Channel
from oracle.enclosures import Enclosure, rational_ball
from oracle.exact import Infinity, to_text
from oracle.gaussian_dp.profile import delta_mu
from oracle.laws.ask import Ask
from oracle.laws.balle2018._facts import exact
from oracle.laws.balle2018._noise import gaussian_excess
from oracle.laws.compare import at_most, equal, true, worst
from oracle.laws.evidence import Evidence
from oracle.laws.liu2022._samples import tails_of_mu
from oracle.laws.liu2022._values import (
    ONE,
    ZERO,
    bounds,
    bracket,
    critical_epsilons,
    delta_of,
    density_integral,
    difference,
    digits_for,
    exponential,
    first_term,
    middle,
    profile,
    second_term,
    slope_integral,
)
from oracle.laws.record import ClaimRecord, Erratum, Law, fact
from oracle.laws.strategies import two_row_channels
from oracle.levels import Level
from oracle.special import phi

__all__ = ["CLAIMS"]

_MARGIN: Final = mpq(1, 50)
"""How far from its least mu a channel is asked about."""
_STEP: Final = mpq(1, 100)


def _integrated_law(ask: Ask, mu: mpq, times: mpq) -> mpq:
    """The excess of N(0, 1) over e^eps N(mu, 1), integrated."""
    return equal(delta_of(ask, mu, mu * times, 15), gaussian_excess(mu, mu * times))


def _formula_law(ask: Ask, mu: mpq, distance: mpq) -> mpq:
    """The two terms of the formula, far out as well; eps = mu (distance + mu/2)."""
    epsilon = mu * (distance + mu / 2)
    value = difference(first_term(mu, epsilon), second_term(mu, epsilon))
    return equal(delta_of(ask, mu, epsilon), value)


def _excesses(ask: Ask, m: Channel, mu: mpq) -> list[Enclosure]:
    """delta_M - delta_mu at the places that decide."""
    digits, places = digits_for(m.rows), critical_epsilons(m.rows, mu)
    return [difference(profile(ask, m, eps, digits), delta_of(ask, mu, eps, digits)) for eps in places]


def _characterisation_law(ask: Ask, m: Channel) -> mpq:
    """A little above the least mu the profile is below delta_mu and the claim accepted, a little below it neither."""
    least = middle(ask.mu(m.rows))

    def accepted(mu: mpq) -> bool:
        return ask.satisfies(m.rows, {"mu": to_text(mu)})

    if isinstance(least, Infinity):
        left = exact(ask.delta(m.rows, least))
        far = isqrt(2 * left.denominator.bit_length()) + 1
        # delta_1 < e^(-far²/2)/2 < 1/denominator at eps = far + 1/2.
        beyond = difference(profile(ask, m, far + mpq(1, 2)), delta_of(ask, ONE, far + mpq(1, 2)))
        return true(beyond.lo > 0 and not accepted(ONE))
    if least == 0:
        return worst([true(accepted(ZERO)), at_most(ask.delta(m.rows, 1), 0)])
    above, below = least * (1 + _MARGIN), least * (1 - _MARGIN)
    fits = worst(excess.lo for excess in _excesses(ask, m, above))
    exceeds = any(excess.lo > 0 for excess in _excesses(ask, m, below))
    return worst([fits, true(exceeds), true(accepted(above) and not accepted(below))])


def _in_mu_law(ask: Ask, mu: mpq, more: mpq, times: mpq) -> mpq:
    """What delta_mu(eps) grows by from one mu to another is the integral of phi(eps/m - m/2), which is positive."""
    epsilon = mu * times
    grown = difference(delta_of(ask, mu + more, epsilon, 30), delta_of(ask, mu, epsilon, 30))
    integral = density_integral(epsilon, mu, mu + more)
    return worst([equal(grown, integral), true(integral.lo > 0)])


def _in_epsilon_law(ask: Ask, mu: mpq, times: mpq, more: mpq) -> mpq:
    """What delta_mu falls by from one eps to another is the integral of e^x Phi(-x/mu - mu/2), which is positive."""
    low, high = mu * times, mu * (times + more)
    fallen = difference(delta_of(ask, mu, low, 30), delta_of(ask, mu, high, 30))
    integral = slope_integral(mu, low, high)
    return worst([equal(fallen, integral), true(integral.lo > 0)])


def _second_difference(ask: Ask, mu: mpq, start: mpq, step: mpq) -> Enclosure:
    """delta_mu(x) - 2 delta_mu(x + h) + delta_mu(x + 2h), proved to enough digits for its sign."""
    first, second, third = (delta_of(ask, mu, start + k * step, 60) for k in range(3))
    return difference(difference(first, second), difference(second, third))


def _convex_law(ask: Ask, mu: mpq, start: mpq, step: mpq) -> mpq:
    """For mu <= 6/5 delta_mu is convex, near 0 and everywhere: Mills' ratio is below 1/mu at mu/2 and decreases."""
    return -_second_difference(ask, mu, mu * start, mu * step).lo


def _concave_law(ask: Ask, mu: mpq, step: mpq) -> mpq:
    """For mu >= 5/4 delta_mu is concave near 0, on [0, 1/50] at least."""
    return _second_difference(ask, mu, ZERO, step).hi


def _terms_law(ask: Ask, mu: mpq, distance: mpq) -> mpq:
    """Phi(-a) - delta_mu is the second term; both are at most e^(-a²/2)/2, and they differ by at most mu/a of it."""
    epsilon = mu * (distance + mu / 2)
    first, value = first_term(mu, epsilon), delta_of(ask, mu, epsilon)
    second = difference(first, value)
    limit = exponential(-distance * distance / 2, mpq(1, 2))
    share = Enclosure(first.lo * mu / distance, first.hi * mu / distance)
    return worst([equal(second, second_term(mu, epsilon)), at_most(first, limit), at_most(value, share)])


def _digits_law(ask: Ask, mu: mpq, distance: mpq) -> mpq:
    """The difference keeps 20 digits, however close the two terms are."""
    epsilon = mu * (distance + mu / 2)
    value = delta_of(ask, mu, epsilon)
    true_value = difference(first_term(mu, epsilon), second_term(mu, epsilon))
    if not isinstance(value, Enclosure):
        return equal(value, true_value)
    return worst([equal(value, true_value), value.width - value.hi / mpq(10) ** 19])


def _known(mu: str, eps: str, low: str, high: str) -> bool:
    """A worked value of delta_mu, given between two decimals."""
    value = delta_mu(mpq(mu), Level.of_exponent(mpq(eps)), 40)
    return isinstance(value, Enclosure) and mpq(low) <= value.lo and value.hi <= mpq(high)


def _bend(mu: mpq) -> int:
    """The sign of the second derivative of delta_mu at 0, phi(mu/2)/mu - Phi(-mu/2)."""

    def ball(_: int) -> arb:
        half = rational_ball(mu) / 2
        return (-half * half / 2).exp() / (2 * arb.pi()).sqrt() / rational_ball(mu) - phi(-half)

    value = bounds(ball)
    return 1 if value.lo > 0 else -1 if value.hi < 0 else 0


def _ratio(mu: mpq, epsilon: mpq) -> Enclosure:
    """Second term over first term."""
    first, second = first_term(mu, epsilon), second_term(mu, epsilon)
    return Enclosure(second.lo / first.hi, second.hi / first.lo)


def _scaled_within(value: Enclosure, power: int, low: str, high: str) -> bool:
    """Whether value·10^power lies between two decimals."""
    return mpq(low) <= value.lo * mpq(10) ** power and value.hi * mpq(10) ** power <= mpq(high)


def _cancellation_fails() -> bool:
    """At mu = 1 the first term is 1/2 at eps = 1/2 and falls from there; at 20 both terms are below 10^-84."""
    return first_term(ONE, mpq(1, 2)).hi <= mpq(1, 2) and first_term(ONE, mpq(20)).hi < mpq(10) ** -84


def _cancellation_certificate() -> Certificate:
    """Phi(0) = 1/2, the two terms at eps = 20, and that the second one is more than 95/100 of the first."""
    evidence = Evidence()
    _, half = evidence.bracket("normal", ZERO, mpq(1, 2), mpq(1, 2))
    evidence.compare(half, "<", 1)
    low, high = bracket(evidence, "normal", mpq(-39, 2), 90)
    evidence.compare(high, "<", mpq(10) ** -84)
    factor, _ = bracket(evidence, "exp", mpq(20), 0)
    evidence.compare(factor, "=", factor.value)
    far, _ = bracket(evidence, "normal", mpq(-41, 2), 100)
    second = evidence.combination((factor.value, far))
    evidence.compare(second, ">", evidence.combination((mpq(95, 100), high)))
    evidence.compare(second, "<", low)
    return evidence.certificate()


CANCELLATION: Final = Erratum(
    printed="Both the first and the second term of δ_μ converge to 1 as ε → ∞.",
    counterexample="Take μ = 1. The first term is Φ(1/2 - ε): exactly Φ(0) = 1/2 at ε = 1/2, and decreasing, so it "
    "does not come near 1 any more; and the second one is below it, since δ_1 > 0. At ε = 20 they are "
    "Φ(-19.5) = 5.489...·10^-85 and e^20 Φ(-20.5) = 5.222...·10^-85.",
    correction="Both terms converge to 0, and their ratio to 1: with a = ε/μ - μ/2 > 0 the first is Φ(-a) < "
    "e^{-a²/2}/2 and the difference at most μ/a of it. So the warning stands: of the digits of the two "
    "terms, their difference keeps fewer and fewer.",
    scope="statement",
    fails=_cancellation_fails,
    certificate=_cancellation_certificate,
    summary="both terms tend to 0, not 1",
    printed_formula="Φ(-ε/μ + μ/2) → 1, e^ε Φ(-ε/μ - μ/2) → 1",
)


def _times() -> SearchStrategy[mpq]:
    """Eps over mu."""
    return st.builds(mpq, st.integers(0, 24), st.sampled_from([3, 4]))


def _moderate() -> SearchStrategy[mpq]:
    return st.builds(mpq, st.integers(1, 40), st.sampled_from([8, 5]))


def _positive() -> SearchStrategy[mpq]:
    return st.builds(mpq, st.integers(1, 20), st.sampled_from([4, 10]))


CLAIMS: tuple[ClaimRecord, ...] = (
    ClaimRecord(
        id="delta_mu",
        title="profile of mu-GDP",
        statement="A is μ-GDP if and only if its profile is at most δ_μ at every ε >= 0, and δ_μ is the profile of "
        "N(0, 1) against N(μ, 1).",
        formula="δ_μ(ε) = Φ(-ε/μ + μ/2) - e^ε Φ(-ε/μ - μ/2); A is μ-GDP iff δ_A <= δ_μ on [0, ∞)",
        source="section 2, after the refined profile",
        status="holds",
        hypotheses="μ > 0; the neighbouring relation is symmetric",
        laws=(
            Law("the excess integrated", st.tuples(_moderate(), _times()), _integrated_law),
            Law("the two terms, far out", tails_of_mu(), _formula_law),
            Law("μ-GDP is δ_A <= δ_μ everywhere", two_row_channels(4), _characterisation_law),
        ),
        facts=(
            fact(
                "liu2022-04a: δ_1(0) = 0.382924922548026207275...",
                lambda: _known(
                    "1", "0", "0.382924922548026207275409221216675479", "0.382924922548026207275409221216675480"
                ),
            ),
            fact(
                "liu2022-04b: δ_1(1) = 0.126936737506643945800...",
                lambda: _known(
                    "1", "1", "0.126936737506643945800829624757766880", "0.126936737506643945800829624757766881"
                ),
            ),
            fact(
                "liu2022-04d: δ_1(5) = 0.000000579372169191949...",
                lambda: _known(
                    "1", "5", "0.000000579372169191949410420681779021", "0.000000579372169191949410420681779022"
                ),
            ),
            fact(
                "liu2022-04e: δ_4(2) = 0.887309233283397599410...",
                lambda: _known(
                    "4", "2", "0.887309233283397599410615680627327066", "0.887309233283397599410615680627327067"
                ),
            ),
            fact(
                "liu2022-04f: δ_{1/2}(1) = 0.006829594983114575384...",
                lambda: _known(
                    "1/2", "1", "0.006829594983114575384235012879926872", "0.006829594983114575384235012879926873"
                ),
            ),
        ),
    ),
    ClaimRecord(
        id="monotone",
        title="monotony of the profile",
        statement="δ_μ(ε) increases strictly in μ and decreases strictly in ε, with these derivatives (the densities "
        "in the two terms cancel, as e^ε φ(ε/μ + μ/2) = φ(ε/μ - μ/2)).",
        formula="d/dμ δ_μ(ε) = φ(ε/μ - μ/2) > 0; d/dε δ_μ(ε) = -e^ε Φ(-ε/μ - μ/2) < 0",
        source="section 4, after the two features of the GDPT",
        status="holds",
        hypotheses="μ > 0, ε >= 0",
        laws=(
            Law("in μ", st.tuples(_moderate(), _positive(), _times()), _in_mu_law),
            Law("in ε", st.tuples(_moderate(), _times(), _positive()), _in_epsilon_law),
        ),
        facts=(
            fact(
                "from μ = 1 to 2 at ε = 1: the integral of φ(1/m - m/2), between 0.3829 and 0.3830",
                lambda: (
                    mpq("0.3829") < density_integral(ONE, ONE, mpq(2)).lo
                    and density_integral(ONE, ONE, mpq(2)).hi < mpq("0.3830")
                ),
            ),
        ),
    ),
    ClaimRecord(
        id="Fig1 shape",
        title="shape near 0",
        statement="Near ε = 0 the profile δ_μ is convex in ε for μ = 1 and concave for μ = 4. The sign of its second "
        "derivative is that of 1/μ - m(ε/μ + μ/2), m decreasing, so the switch is at the one μ with μ m(μ/2) = 1: up "
        "to it δ_μ is convex everywhere, above it concave first and convex later.",
        formula="δ_1''(0) > 0 > δ_4''(0); the switch is at μ = 1.22400636192496152...",
        source="section 2, Figure 1 (right) and the text below it",
        status="holds",
        laws=(
            Law(
                "convex for μ <= 6/5",
                st.tuples(
                    st.builds(mpq, st.integers(2, 24), st.just(20)),
                    _times(),
                    st.builds(mpq, st.integers(1, 20), st.just(40)),
                ),
                _convex_law,
            ),
            Law(
                "concave near 0 for μ >= 5/4",
                st.tuples(
                    st.builds(lambda k: mpq(5, 4) + mpq(k, 8), st.integers(0, 60)),
                    st.builds(lambda k: _STEP / k, st.integers(1, 9)),
                ),
                _concave_law,
            ),
        ),
        facts=(
            fact("δ_1''(0) > 0 and δ_4''(0) < 0", lambda: (_bend(ONE), _bend(mpq(4))) == (1, -1)),
            fact(
                "the switch lies between 1.22400636192496152 and 1.22400636192496153",
                lambda: (_bend(mpq("1.22400636192496152")), _bend(mpq("1.22400636192496153"))) == (1, -1),
            ),
        ),
    ),
    ClaimRecord(
        id="cancellation",
        title="the two terms for large epsilon",
        statement="As ε → ∞ both terms of δ_μ converge to 0 and their ratio to 1, so that most digits cancel in the "
        "difference. It can be had to any number of digits all the same.",
        formula="Φ(-ε/μ + μ/2) → 0, e^ε Φ(-ε/μ - μ/2) → 0, their ratio → 1",
        source="section 2, after Figure 1",
        status="false_as_stated",
        laws=(
            Law("both terms vanish and their ratio tends to 1", tails_of_mu(), _terms_law),
            Law("the difference keeps its digits", tails_of_mu(), _digits_law),
        ),
        facts=(
            fact(
                "liu2022-06: at μ = 1, ε = 20 the terms are 0.5489·10^-84 and 0.5222·10^-84, the ratio 0.9514",
                lambda: (
                    _scaled_within(
                        first_term(ONE, mpq(20)),
                        84,
                        "0.5489115475660409947547764277878704",
                        "0.5489115475660409947547764277878705",
                    )
                    and _scaled_within(
                        second_term(ONE, mpq(20)),
                        84,
                        "0.5222644805123860182282979975835720",
                        "0.5222644805123860182282979975835721",
                    )
                    and _scaled_within(
                        _ratio(ONE, mpq(20)),
                        0,
                        "0.9514547158429947264498083569396392",
                        "0.9514547158429947264498083569396393",
                    )
                ),
            ),
            fact(
                "the ratio is above 0.998 at μ = 1, ε = 1000",
                lambda: _ratio(ONE, mpq(1000)).lo > mpq(998, 1000),
            ),
        ),
        errata=(CANCELLATION,),
    ),
)
