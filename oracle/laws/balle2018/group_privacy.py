"""Claims of section 3 on group privacy: the bound from the profile alone, and what knowing the mechanism adds.

**White-box is never worse.** The black-box bound holds for every mechanism, and the white-box profile of additive noise
is the value itself, so it is at most the bound. For Laplace noise with eps < k theta and u = (eps/k - theta)/2 < 0
directly: 1 - e^(ku) = (1 - e^u) Σ_{i<k} e^(iu), and u < eps/k for theta > 0 and eps >= 0, so each e^(iu) with i >= 1 is
below e^(i eps/k): for k >= 2 the improvement is strict. From eps = k theta on both sides are 0.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any, Final

from gmpy2 import mpq
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from oracle.certificates.documents import Certificate
from oracle.channels.channel import Channel, Rows
from oracle.enclosures import Enclosure, rational_ball
from oracle.exact import to_text
from oracle.laws.ask import Ask, Number
from oracle.laws.balle2018._facts import NOTHING, ONE, ZERO, divergence_both, exact
from oracle.laws.balle2018._noise import (
    bounds,
    gaussian,
    gaussian_excess,
    laplace,
    laplace_profile,
    profile,
)
from oracle.laws.balle2018.output_perturbation import epsilons, scales
from oracle.laws.compare import at_most, equal, true
from oracle.laws.evidence import Evidence
from oracle.laws.record import ClaimRecord, Erratum, Law, fact
from oracle.laws.strategies import many_row_channels, rational_levels
from oracle.theorems.groups import black_box_bound

__all__ = ["CLAIMS"]

TENTHS: Final = tuple((1 - mpq(i, 10), mpq(i, 10)) for i in range(4))
"""M(i) says 1 with probability i/10, on the path 0 - 1 - 2 - 3."""


def _factor(root: mpq, k: int) -> mpq:
    """Σ_{i<k} a^(i/k) with root = a^(1/k), which is (a - 1)/(a^(1/k) - 1) for a > 1 and k for a = 1."""
    return sum((root**i for i in range(k)), ZERO)


def _steps(ask: Ask, rows: Rows, root: mpq) -> mpq:
    """The largest delta, asked of the subject, of two inputs next to each other on the path."""
    return max(exact(ask.delta((x, y), root)) for x, y in pairwise(rows))


def _path_law(ask: Ask, m: Channel, root: mpq) -> mpq:
    """On a path of k steps the ends need at most the factor times the largest delta of a step, at a and a^(1/k)."""
    k = m.shape[0] - 1
    ends = ask.delta((m.rows[0], m.rows[-1]), root**k)
    return at_most(ends, _factor(root, k) * _steps(ask, m.rows, root))


def _accepted_law(ask: Ask, m: Channel, root: mpq) -> mpq:
    """The footnote's form: (eps, delta) for each step gives (k eps, factor·delta) for the ends."""
    k = m.shape[0] - 1
    delta = min(ONE, _factor(root, k) * _steps(ask, m.rows, root))
    ends = (m.rows[0], m.rows[-1])
    return true(ask.satisfies(ends, {"exp_epsilon": to_text(root**k), "delta": to_text(delta)}))


@st.composite
def _leaking_paths(draw: DrawFn) -> tuple[int, mpq]:
    """k, and a step 1/n with n >= k."""
    k = draw(st.integers(1, 5))
    return k, mpq(1, draw(st.integers(k, 20)))


def _tight_law(ask: Ask, k: int, step: mpq) -> mpq:
    """Bernoulli(i/n) at eps = 0 attains the bound: k/n at distance k against 1/n for each step."""
    rows = tuple((1 - i * step, i * step) for i in range(k + 1))
    return equal(ask.delta((rows[0], rows[-1]), ONE), black_box_bound(k, ONE, _steps(ask, rows, ONE)))


def _black_box(delta: Number, epsilon: mpq, k: int) -> Enclosure:
    """Σ_{i<k} e^(i eps/k) times bounds of a delta."""
    factor = bounds(lambda _: sum((rational_ball(i * epsilon / k).exp() for i in range(1, k)), rational_ball(ONE)))
    low, high = (delta.lo, delta.hi) if isinstance(delta, Enclosure) else (delta, delta)
    return Enclosure(factor.lo * low, factor.hi * high)


def _white_box_law(mechanism: Any) -> Any:  # noqa: ANN401 - laplace or gaussian
    """At k times the sensitivity the subject needs no more than the black-box bound from its own profile."""

    def law(ask: Ask, sensitivity: mpq, scale: mpq, epsilon: mpq, k: int) -> mpq:
        white = profile(ask, mechanism(k * sensitivity, scale), epsilon)
        step = profile(ask, mechanism(sensitivity, scale), epsilon / k)
        return at_most(white, _black_box(step, epsilon, k))

    return law


def _group_node_law(mechanism: Any) -> Any:  # noqa: ANN401 - laplace or gaussian
    """The subject's group of k is its mechanism at k times the sensitivity, by the triangle inequality."""

    def law(ask: Ask, sensitivity: mpq, scale: mpq, epsilon: mpq, k: int) -> mpq:
        group = {"mechanism": "group", "size": k, "of": mechanism(sensitivity, scale)}
        theta = k * sensitivity / scale
        closed = laplace_profile(theta, epsilon) if mechanism is laplace else gaussian_excess(theta, epsilon)
        return equal(profile(ask, group, epsilon), closed)

    return law


def _noise_parameters() -> st.SearchStrategy[Any]:
    return st.tuples(scales(), scales(), epsilons(), st.integers(1, 5))


def _improves(white: Number, black: Enclosure) -> bool:
    """Whether the white-box value is provably below the bound."""
    return (white.hi if isinstance(white, Enclosure) else white) < black.lo


def _division_certificate() -> Certificate:
    """The divisor e^(eps/k) - 1 at eps = 0, and D_1 of two equal laws, which the bound should be finite for."""
    evidence = Evidence()
    evidence.compare(evidence.combination((1, 1), (-1, 1)), "=", 0)
    evidence.compare(evidence.hockey_stick(NOTHING, ONE, "forward"), "=", 0)
    return evidence.certificate()


def _printed_factor(level: mpq, root: mpq) -> mpq:
    return (level - 1) / (root - 1)


def _divides_by_zero() -> bool:
    try:
        _printed_factor(ONE, ONE)
    except ZeroDivisionError:
        return True
    return False


def _nothing_to_improve() -> bool:
    """Laplace, theta = 1, k = 2, eps = 2: both sides are exactly 0."""
    white, step = laplace_profile(mpq(2), mpq(2)), laplace_profile(ONE, ONE)
    return not _improves(white, _black_box(step, mpq(2), 2))


def _nothing_certificate() -> Certificate:
    """With exponents (2 - 2)/2 and (1 - 1)/2 both profiles are 1 - e^0."""
    evidence = Evidence()
    lo, hi = evidence.bracket("exp", ZERO, ONE, ONE)
    white = evidence.combination((1, 1), (-1, lo))
    step = evidence.combination((1, 1), (-1, hi))
    evidence.compare(white, "=", 0)
    evidence.compare(white, ">=", step)
    return evidence.certificate()


AT_ZERO: Final = Erratum(
    printed="δ_{M,k}(ε) <= (e^ε - 1) δ_M(ε/k)/(e^{ε/k} - 1), for every ε >= 0.",
    counterexample="At ε = 0 the divisor is e^0 - 1 = 1 - 1 = 0 and the factor 0/0.",
    correction="Read the factor as Σ_{i<k} e^{iε/k}, which is k at ε = 0.",
    scope="remark",
    fails=_divides_by_zero,
    certificate=_division_certificate,
    summary="the factor is 0/0 at ε = 0",
    printed_formula="δ_{M,k}(ε) <= (e^ε - 1)/(e^{ε/k} - 1) δ_M(ε/k)",
    true_formula="δ_{M,k}(ε) <= (Σ_{i<k} e^{iε/k}) δ_M(ε/k)",
)

NOTHING_LEFT: Final = Erratum(
    printed="White-box bounds improve on the black-box one for all ranges of parameters, for Laplace and Gaussian "
    "noise.",
    counterexample="Take Laplace noise with θ = 1, k = 2 and ε = 2 = kθ. White-box: [1 - e^{(2-2)/2}]_+ = 0. "
    "Black-box: (e^2 - 1)/(e - 1)·[1 - e^{(1-1)/2}]_+ = 0 as well. So 0 < 0 fails; so it does for k = 1.",
    correction="They are never worse; for Laplace noise they are strictly better for k >= 2 and ε < kθ.",
    scope="remark",
    fails=_nothing_to_improve,
    certificate=_nothing_certificate,
    summary="not strictly better from ε = kθ on",
    printed_formula="δ at kΔ < (Σ_{i<k} e^{iε/k}) δ_M(ε/k)",
)


CLAIMS: tuple[ClaimRecord, ...] = (
    ClaimRecord(
        id="group std",
        title="group privacy from the profile alone",
        statement="A group of k changes what it says by at most the factor Σ_{i<k} e^{iε/k} times the profile at ε/k. "
        "Equivalently, (ε, δ)-DP for neighbours gives (kε, δ (e^{kε} - 1)/(e^ε - 1)) at distance k.",
        formula="δ_{M,k}(ε) <= (e^ε - 1)/(e^{ε/k} - 1) δ_M(ε/k) = (Σ_{i<k} e^{iε/k}) δ_M(ε/k)",
        source="section 3, Group-privacy Profiles, and footnote 5",
        status="holds",
        hypotheses="ε >= 0; at ε = 0 the factor is k",
        laws=(
            Law(
                "the two ends of a path",
                st.tuples(many_row_channels(2, 5, 4), rational_levels(1)),
                _path_law,
            ),
            Law(
                "accepted in the footnote's form",
                st.tuples(many_row_channels(2, 5, 3), rational_levels(1)),
                _accepted_law,
            ),
            Law("attained at ε = 0", _leaking_paths(), _tight_law),
        ),
        facts=(
            fact(
                "Bernoulli(i/10) at distance 3, ε = 0: δ_1 = 1/10, δ_3 = 3/10 = 3·1/10",
                lambda: (
                    divergence_both(TENTHS[:2], ONE) == mpq(1, 10)
                    and divergence_both((TENTHS[0], TENTHS[3]), ONE) == 3 * mpq(1, 10)
                ),
            ),
            fact(
                "a = 8, k = 3: (8 - 1)/(2 - 1) = 7 = 1 + 2 + 4",
                lambda: _printed_factor(mpq(8), mpq(2)) == 7 == _factor(mpq(2), 3),
            ),
        ),
        errata=(AT_ZERO,),
    ),
    ClaimRecord(
        id="white-box",
        title="white-box group privacy of additive noise",
        statement="For Laplace and Gaussian noise the group profile is the profile at k times the sensitivity. It is "
        "never above the black-box bound, and for Laplace noise strictly below it for k >= 2 and ε < kθ.",
        formula="δ_{M,k}(ε) = δ at kΔ <= (Σ_{i<k} e^{iε/k}) δ_M(ε/k)",
        source="section 3, Group-privacy Profiles",
        status="holds",
        laws=(
            Law("Laplace: never above the black-box bound", _noise_parameters(), _white_box_law(laplace)),
            Law("Gaussian: never above the black-box bound", _noise_parameters(), _white_box_law(gaussian)),
            Law("Laplace: the group is k times the sensitivity", _noise_parameters(), _group_node_law(laplace)),
            Law("Gaussian: the group is k times the sensitivity", _noise_parameters(), _group_node_law(gaussian)),
        ),
        facts=(
            fact(
                "Laplace, θ = 1, k = 2, ε = 1: white-box below 0.394, black-box above 0.585",
                lambda: (
                    _improves(laplace_profile(mpq(2), ONE), Enclosure(mpq("0.394"), ONE))
                    and _black_box(laplace_profile(ONE, mpq(1, 2)), ONE, 2).lo > mpq("0.585")
                ),
            ),
            fact(
                "Gaussian, θ = 1, k = 2, ε = 1: strictly below the black-box bound",
                lambda: _improves(gaussian_excess(mpq(2), ONE), _black_box(gaussian_excess(ONE, mpq(1, 2)), ONE, 2)),
            ),
            fact(
                "Laplace is strictly better on a grid of θ, k >= 2 and ε < kθ",
                lambda: all(
                    _improves(
                        laplace_profile(k * theta, e * k * theta / 4),
                        _black_box(laplace_profile(theta, e * theta / 4), e * k * theta / 4, k),
                    )
                    for theta in (mpq(1, 10), ONE, mpq(3))
                    for k in (2, 3, 5)
                    for e in range(4)
                ),
            ),
        ),
        errata=(NOTHING_LEFT,),
    ),
)
