"""Claims of section 3 on output perturbation: the profiles of Laplace and Gaussian noise, exactly and classically.

**The classical bound for every theta.** Let u = eps/theta, 0 < eps < 1 and t = u - theta/2. By theorem 5
delta(eps) <= Pr[L > eps] = Pr[z > t] for a standard normal z. If t >= 0, this is at most e^(-t²/2)/2 =
e^(-u²/2) e^(eps/2 - theta²/8)/2 < 0.83 e^(-u²/2). If t < 0, then u² < eps/2 < 1/2 and 1.25 e^(-u²/2) > 1.25 e^(-1/4) >
0.97; either u <= 2/3, where 1.25 e^(-u²/2) > 1, or theta = eps/u < 3/2 and t > 2/3 - 3/4 > -1/10, so that Pr[z > t] <
0.55. The same steps bound delta by 1.25 e^(-u²/2) for every eps with t >= 0 up to eps = 2 log(5/2).
"""

from __future__ import annotations

from typing import Any

from gmpy2 import mpq
from hypothesis import strategies as st

from oracle.certificates.documents import Certificate
from oracle.enclosures import rational_ball
from oracle.exact import to_text
from oracle.laws.ask import Ask
from oracle.laws.balle2018._facts import ONE, ZERO
from oracle.laws.balle2018._noise import (
    bounds,
    exponential,
    gaussian,
    gaussian_excess,
    laplace,
    laplace_excess,
    laplace_profile,
    profile,
)
from oracle.laws.compare import at_most, equal, true, worst
from oracle.laws.evidence import Evidence
from oracle.laws.record import ClaimRecord, Erratum, Law, fact
from oracle.operations import delta

__all__ = ["CLAIMS", "epsilons", "scales"]

TRIPLES = ((3, 4, 5), (5, 12, 13), (8, 15, 17))


def scales() -> st.SearchStrategy[mpq]:
    """Sensitivities and scales from 1/8 to 12."""
    return st.builds(mpq, st.integers(1, 12), st.integers(1, 8))


def epsilons() -> st.SearchStrategy[mpq]:
    """Rational epsilons from 0 to 8."""
    return st.one_of(st.just(ZERO), st.builds(mpq, st.integers(0, 24), st.integers(3, 8)))


def _laplace_law(ask: Ask, sensitivity: mpq, scale: mpq, epsilon: mpq) -> mpq:
    """The formula, at eps, -eps, theta and -theta; and an exact 0 from theta on."""
    theta = sensitivity / scale
    mechanism = laplace(sensitivity, scale)
    excesses = []
    for e in (epsilon, -epsilon, theta, -theta, theta + epsilon):
        asked = profile(ask, mechanism, e)
        excesses.append(equal(asked, laplace_profile(theta, e)))
        if e >= theta:
            excesses.append(true(asked == ZERO))
    return worst(excesses)


def _half_lines_law(ask: Ask, sensitivity: mpq, scale: mpq, epsilon: mpq, t: mpq) -> mpq:
    """No half-line exceeds the profile, and the one up to (theta - eps)/2 reaches it for |eps| <= theta."""
    theta = sensitivity / scale
    asked = profile(ask, laplace(sensitivity, scale), epsilon)
    excess = at_most(laplace_excess(theta, epsilon, t), asked)
    if epsilon <= theta:
        excess = max(excess, equal(laplace_excess(theta, epsilon, (theta - epsilon) / 2), asked))
    return excess


def _sensitivity_law(mechanism: Any) -> Any:  # noqa: ANN401 - laplace or gaussian
    """Inputs that are closer than the sensitivity need no larger delta: the supremum is at the sensitivity."""

    def law(ask: Ask, first: mpq, second: mpq, scale: mpq, epsilon: mpq) -> mpq:
        near, far = sorted((first, second))
        values = [profile(ask, mechanism(d, scale), epsilon) for d in (near, far)]
        return at_most(values[0], values[1])

    return law


def _classical_law(ask: Ask, sensitivity: mpq, sigma: mpq, epsilon: mpq) -> mpq:
    """The bound delta <= 1.25 e^(-eps²/(2 theta²)) for 0 < eps < 1."""
    u = epsilon * sigma / sensitivity
    return at_most(profile(ask, gaussian(sensitivity, sigma), epsilon), exponential(-u * u / 2, mpq(5, 4)))


def _calibrated_law(ask: Ask, sensitivity: mpq, epsilon: mpq, target: mpq) -> mpq:
    """With sigma² >= 2 Δ² log(1.25/delta)/eps² the subject accepts (eps, delta)."""
    root = bounds(lambda _: (2 * rational_ball(mpq(5, 4) / target).log()).sqrt())
    mechanism = gaussian(sensitivity, sensitivity * root.hi / epsilon)
    claim = {"epsilon": to_text(epsilon), "delta": to_text(target)}
    return true(ask.value("satisfies", {"channel": mechanism, "claim": claim})["holds"] is True)


def _gaussian_law(ask: Ask, sensitivity: mpq, sigma: mpq, epsilon: mpq) -> mpq:
    """The integral of the excess, at eps and -eps, in both orders."""
    theta = sensitivity / sigma
    mechanism = gaussian(sensitivity, sigma)
    excesses = [
        equal(profile(ask, mechanism, e, side), gaussian_excess(theta, e))
        for e, side in ((epsilon, "both"), (-epsilon, "forward"), (epsilon, "backward"))
    ]
    return worst(excesses)


def _coordinates_law(ask: Ask, triple: tuple[int, int, int], unit: mpq, epsilon: mpq) -> mpq:
    """Two coordinates with differences 3 t and 4 t are one with 5 t: only the l2 distance matters."""
    parts = [gaussian(unit * side, ONE) for side in triple[:2]]
    asked = profile(ask, {"mechanism": "compose", "of": parts}, epsilon)
    return equal(asked, gaussian_excess(unit * triple[2], epsilon))


def _below_classical(theta: mpq, epsilon: mpq, factor: mpq = ONE) -> bool:
    """Whether delta is provably below factor·1.25 e^(-eps²/(2 theta²))."""
    u = epsilon / theta
    return gaussian_excess(theta, epsilon).hi < exponential(-u * u / 2, factor * mpq(5, 4)).lo


def _above_classical(theta: mpq, epsilon: mpq, factor: mpq = ONE) -> bool:
    """Whether delta is provably above factor·1.25 e^(-eps²/(2 theta²))."""
    u = epsilon / theta
    return gaussian_excess(theta, epsilon).lo > exponential(-u * u / 2, factor * mpq(5, 4)).hi


def _argument_fails() -> bool:
    """With delta_M(e^eps) the formula at theta = 1/2, eps = 0 would be delta_M(1), which is smaller than it is."""
    formula, at_one = gaussian_excess(mpq(1, 2), ZERO), gaussian_excess(mpq(1, 2), ONE)
    return at_most(formula, at_one) > 0


def _argument_certificate() -> Certificate:
    """phi(0) theta e^(-theta²/8) <= formula at 0, and delta(1) <= Pr[z > 7/4] <= e^(-49/32)/2, theta = 1/2."""
    evidence = Evidence()
    centre, _ = evidence.bracket("exp", mpq(-1, 32), mpq(969, 1000), mpq(970, 1000))
    _, tail = evidence.bracket("exp", mpq(-49, 32), mpq(216, 1000), mpq(217, 1000))
    # √(2π) < 251/100, since 2π < 6.2832 < 6.3001.
    formula = evidence.combination((mpq(1, 2) / mpq(251, 100), centre))
    at_one = evidence.combination((mpq(1, 2), tail))
    evidence.compare(formula, ">", at_one)
    return evidence.certificate()


def _sensitivity_certificate() -> Certificate:
    """f(x) = 0 and f(x') = 1 on the only pair of neighbours."""
    evidence = Evidence()
    printed = evidence.combination((1, 0), (-1, 0))
    meant = evidence.combination((1, 1), (-1, 0))
    evidence.compare(printed, "<", meant)
    return evidence.certificate()


ARGUMENT = Erratum(
    printed="δ_M(e^ε) = Φ(θ/2 - ε/θ) - e^ε Φ(-θ/2 - ε/θ), where δ_M is a function of ε everywhere else.",
    counterexample="Take θ = 1/2 and ε = 0, so that the left-hand side is δ_M(1). The right-hand side is "
    "Φ(1/4) - Φ(-1/4) >= (1/2) e^{-1/32}/√(2π) > (1/2)·0.969/2.51 > 0.193, the density being smallest at the ends. "
    "But δ_M(1) <= Pr[L > 1] = Pr[z > 1/θ - θ/2] = Pr[z > 7/4] <= e^{-49/32}/2 < 0.109.",
    correction="δ_M(ε) stands on the left.",
    scope="remark",
    fails=_argument_fails,
    certificate=_argument_certificate,
    summary="the argument is ε, not e^ε",
    printed_formula="δ_M(e^ε) = Φ(θ/2 - ε/θ) - e^ε Φ(-θ/2 - ε/θ)",
)

PRIME = Erratum(
    printed="The L2 global sensitivity is Δ = sup_{x ~ x'} ‖f(x) - f(x)‖_2.",
    counterexample="Let f(x) = 0 and f(x') = 1 on two neighbours. Printed, Δ = |0 - 0| = 0 (or |1 - 1| = 0); meant is "
    "|1 - 0| = 1. With Δ = 0 the formula divides by θ = 0.",
    correction="Δ = sup_{x ~ x'} ‖f(x) - f(x')‖_2.",
    scope="remark",
    fails=lambda: max(abs(f - f) for f in (ZERO, ONE)) != abs(ONE - ZERO),
    certificate=_sensitivity_certificate,
    summary="a prime is missing in Δ",
    printed_formula="Δ = sup_{x ~ x'} ‖f(x) - f(x)‖_2",
    true_formula="Δ = sup_{x ~ x'} ‖f(x) - f(x')‖_2",
)


CLAIMS: tuple[ClaimRecord, ...] = (
    ClaimRecord(
        id="Thm3",
        title="profile of the Laplace mechanism",
        statement="Laplace noise of scale b on a function of sensitivity Δ has the profile [1 - e^{(ε-θ)/2}]_+ with "
        "θ = Δ/b. The formula goes on for -θ <= ε < 0; below -θ the value is 1 - e^ε. The supremum over the pairs "
        "is that of two inputs whose values differ by Δ, whether or not a pair attains Δ.",
        formula="δ_M(ε) = [1 - exp((ε - θ)/2)]_+, θ = Δ/b",
        source="section 3, Theorem 3",
        status="holds",
        hypotheses="ε >= 0, Δ > 0; f takes real values (one dimension)",
        laws=(
            Law("the formula, and an exact 0 from θ on", st.tuples(scales(), scales(), epsilons()), _laplace_law),
            Law(
                "no half-line exceeds it and one reaches it",
                st.tuples(scales(), scales(), epsilons(), st.builds(mpq, st.integers(-20, 20), st.integers(1, 4))),
                _half_lines_law,
            ),
            Law(
                "smaller distances need no more",
                st.tuples(scales(), scales(), scales(), epsilons()),
                _sensitivity_law(laplace),
            ),
        ),
        facts=(
            fact(
                "θ = 2, ε = 1: 1 - e^{-1/2} = 0.39346934...; reading ε - θ/2 in the exponent would give 0",
                lambda: (
                    mpq("0.39346934") < bounds(lambda _: -rational_ball(mpq(-1, 2)).expm1()).lo
                    and equal(laplace_profile(mpq(2), ONE), laplace_excess(mpq(2), ONE, mpq(1, 2))) <= 0
                    and max(ZERO, -(ONE - mpq(2) / 2)) == 0
                ),
            ),
            fact(
                "θ = 1/2, ε = 0: 0.2211992169 < δ < 0.2211992170",
                lambda: (
                    mpq("0.2211992169") < laplace_excess(mpq(1, 2), ZERO, mpq(1, 4)).lo
                    and laplace_excess(mpq(1, 2), ZERO, mpq(1, 4)).hi < mpq("0.2211992170")
                ),
            ),
            fact("θ = 2, ε = 2: exactly 0", lambda: delta(laplace(mpq(2), ONE), epsilon="2") == 0),
        ),
    ),
    ClaimRecord(
        id="classical Gauss",
        title="classical bound for Gaussian noise",
        statement="For ε in (0, 1) the Gaussian mechanism has δ(ε) <= 1.25 e^{-ε²/(2θ²)}, that is, it is (ε, δ)-DP if "
        "σ² >= 2Δ² log(1.25/δ)/ε². For larger ε the bound fails for some θ.",
        formula="δ_M(ε) <= (5/4) exp(-ε²/(2θ²)) for 0 < ε < 1, θ = Δ/σ",
        source="section 3, Privacy Profiles, before Theorem 4",
        status="holds",
        hypotheses="0 < ε < 1",
        laws=(
            Law(
                "the bound on (0, 1)",
                st.tuples(scales(), scales(), st.builds(mpq, st.integers(1, 20), st.integers(21, 24))),
                _classical_law,
            ),
            Law(
                "the calibrated noise is private",
                st.tuples(
                    scales(),
                    st.builds(mpq, st.integers(1, 20), st.integers(21, 24)),
                    st.builds(mpq, st.integers(1, 20), st.sampled_from([21, 1000, 10**9])),
                ),
                _calibrated_law,
            ),
        ),
        facts=(
            fact(
                "the restriction is needed: at θ = 4, ε = 6 δ is between 1.47 and 1.48 times the bound",
                lambda: (
                    _above_classical(mpq(4), mpq(6), mpq(147, 100)) and _below_classical(mpq(4), mpq(6), mpq(148, 100))
                ),
            ),
            fact("at θ = 4, ε = 2 it still holds", lambda: _below_classical(mpq(4), mpq(2))),
        ),
    ),
    ClaimRecord(
        id="Thm4",
        title="profile of the Gaussian mechanism",
        statement="Gaussian noise N(0, σ²I) on a function of L2 sensitivity Δ has this profile for every ε, θ = Δ/σ. "
        "Only the L2 distance of the two values matters, in any dimension.",
        formula="δ_M(ε) = Φ(θ/2 - ε/θ) - e^ε Φ(-θ/2 - ε/θ)",
        source="section 3, Theorem 4",
        status="holds",
        hypotheses="Δ > 0",
        laws=(
            Law("the excess integrated", st.tuples(scales(), scales(), epsilons()), _gaussian_law),
            Law(
                "several coordinates",
                st.tuples(st.sampled_from(TRIPLES), st.builds(mpq, st.integers(1, 4), st.integers(8, 40)), epsilons()),
                _coordinates_law,
            ),
            Law(
                "smaller distances need no more",
                st.tuples(scales(), scales(), scales(), epsilons()),
                _sensitivity_law(gaussian),
            ),
        ),
        facts=(
            fact(
                "θ = 1, ε = 1: 0.126936737506643 < δ < 0.126936737506644",
                lambda: (
                    mpq("0.126936737506643") < gaussian_excess(ONE, ONE).lo
                    and gaussian_excess(ONE, ONE).hi < mpq("0.126936737506644")
                ),
            ),
            fact(
                "θ = 1/4, ε = 2: 5.0921e-17 < δ < 5.0922e-17",
                lambda: (
                    mpq(50921, 10**21) < gaussian_excess(mpq(1, 4), mpq(2)).lo
                    and gaussian_excess(mpq(1, 4), mpq(2)).hi < mpq(50922, 10**21)
                ),
            ),
        ),
        errata=(ARGUMENT, PRIME),
    ),
)
