"""What section 4 prints and is not so: each with a counterexample that is run and certified."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from gmpy2 import mpq

from oracle.certificates.documents import Certificate
from oracle.channels.channel import Channel
from oracle.channels.galois import tradeoff_of
from oracle.channels.lattice import greatest_lower_bound
from oracle.channels.refinement import refines
from oracle.laws.evidence import Evidence
from oracle.laws.fernandes2025._facts import EVERYTHING, NOTHING, ONE, ZERO, channel, two_point
from oracle.laws.fernandes2025._preliminary_errata import jump, jump_certificate, jump_is_no_curve
from oracle.laws.record import Erratum

__all__ = ["BENT", "CONNECTION", "CONVERSE", "FINITE_COLUMNS", "INFINITE_MEETS"]

HALF: Final = mpq(1, 2)
BENT: Final = channel("1/2 1/2", "1/4 3/4")


def _identity_is_least() -> bool:
    """[1 0; 0 1] is below f^alpha for the jump f at levels on a grid, as below everything."""
    return all(refines(EVERYTHING, Channel(two_point(a, jump(a)))) for a in (mpq(k, 4) for k in range(5)))


def _converse_fails() -> bool:
    return _identity_is_least() and jump_is_no_curve()


def _connection_fails() -> bool:
    """Whether C(f) ⊑ M holds for M = C(f) = [1 0; 0 1], while f <= T(M) fails at 0."""
    return _converse_fails() and refines(EVERYTHING, EVERYTHING) and not jump(ZERO) <= tradeoff_of(EVERYTHING).at(ZERO)


def _connection_certificate() -> Certificate:
    evidence = Evidence()
    for alpha in (ZERO, HALF, ONE):
        evidence.product(EVERYTHING, two_point(alpha, jump(alpha)))
    evidence.compare(evidence.curve_value(EVERYTHING, HALF), "=", jump(HALF))
    evidence.compare(evidence.curve_value(EVERYTHING, ZERO), "<", jump(ZERO))
    return evidence.certificate()


def _square(alpha: mpq) -> mpq:
    return (1 - alpha) ** 2


def _no_finite_bound() -> bool:
    """Whether the bounds over 2, 3 and 5 levels of (1 - alpha)^2 all miss the level halfway to the first of them."""
    missed = []
    for parts in (1, 2, 4):
        bound = greatest_lower_bound(
            [Channel(two_point(a, _square(a))) for a in (mpq(k, parts) for k in range(parts + 1))]
        )
        between = mpq(1, 2 * parts)
        missed.append(bound.shape[1] == parts and tradeoff_of(bound).at(between) > _square(between))
    return all(missed)


def _no_finite_bound_certificate() -> Certificate:
    evidence = Evidence()
    for bound, between in ((NOTHING, HALF), (BENT, mpq(1, 4))):
        square = evidence.combination((1 - between, 1 - between))
        evidence.compare(evidence.curve_value(bound, between), ">", square)
    return evidence.certificate()


def _certain(k: int) -> Channel:
    """[1 - 1/k, 1/k; 0, 1], whose curve is max(0, 1 - k alpha)."""
    return Channel(two_point(mpq(1, k), ZERO))


def _infinite_meet_fails() -> bool:
    """Whether the jump is below all curves, 1 at 0, and the channels' only common bound has 0 there.

    A common lower bound has a continuous curve that is 0 at every 1/k, so 0 at 0; [1 0; 0 1] is one. That
    no channel of the family is a common bound is checked for the first few.
    """
    family = [_certain(k) for k in range(1, 7)]
    grid = [mpq(k, 12) for k in range(13)]
    above = all(jump(a) <= tradeoff_of(c).at(a) for c in family for a in grid)
    bounds = all(refines(EVERYTHING, c) for c in family) and not any(refines(c, d) for c, d in pairwise(family))
    return above and bounds and tradeoff_of(EVERYTHING).at(ZERO) < jump(ZERO)


def _infinite_meet_certificate() -> Certificate:
    evidence = Evidence()
    bound = evidence.curve_value(EVERYTHING, ZERO)
    for k in (1, 2, 4):
        evidence.product(EVERYTHING, _certain(k))
        evidence.compare(evidence.curve_value(_certain(k), mpq(1, k)), "=", 0)
        start = evidence.curve_value(_certain(k), ZERO)
        evidence.compare(start, "=", 1)
        evidence.compare(bound, "<", start)
    return evidence.certificate()


CONVERSE: Final = Erratum(
    printed="For every f of F, convex and at most 1 − α, C(f) is a channel, and C is a converse of T.",
    counterexample=(
        "Let f(0) = 1 and f(α) = 0 for α > 0: convex, and at most 1 − α. Let X be a channel with X ⊑ f^α for every α. "
        "For α > 0, f^α = [1 − α, α; 0, 1] has the test 'second output' with errors (α, 0), and X can only tell more, "
        "so T(X)(α) = 0. T(X) is continuous, so T(X)(0) = 0 too: T(X) = 0 = T(I), I = [1 0; 0 1]. I itself is such an "
        "X, since I·f^α = f^α. So C(f), the greatest such X, is I, and T(C(f))(0) = 0 while f(0) = 1."
    ),
    correction="Assume f continuous at 0; then T(C(f)) = f.",
    scope="hypothesis",
    fails=_converse_fails,
    certificate=jump_certificate,
    summary="C is no converse at jumps",
    printed_formula="T(C(f)) = f for every convex f(α) ≤ 1 − α",
    true_formula="T(C(f)) = f for every convex f(α) ≤ 1 − α that is continuous at 0",
)

FINITE_COLUMNS: Final = Erratum(
    printed="C(f) is a two-row channel, a matrix, for every f of F.",
    counterexample=(
        "Let f(α) = (1 − α)². With the levels 0 and 1 alone, f^0 = [1 0; 1 0] and f^1 = [0 1; 0 1] tell nothing: their "
        "greatest lower bound is [1; 1], whose curve at 1/2 is 1/2, above f(1/2) = 1/4. With the level 1/2 as well it "
        "is f^{1/2} = [1/2 1/2; 1/4 3/4], whose curve at 1/4, half-way between its corners (0, 1) and (1/2, 1/4), is "
        "5/8, above f(1/4) = 9/16. It never ends: the curve of a matrix of n columns consists of at most n straight "
        "pieces, while T(C(f)) must be f, which is nowhere straight."
    ),
    correction=(
        "C(f) has finitely many columns exactly when f is piecewise linear, to which the appendix says that the main "
        "part of the paper is restricted; otherwise it is an abstract channel, with infinitely many."
    ),
    scope="hypothesis",
    fails=_no_finite_bound,
    certificate=_no_finite_bound_certificate,
    summary="C(f) may need infinitely many columns",
    printed_formula="C(f) has finitely many columns for every f of F",
    true_formula=(
        "C(f) has finitely many columns iff f is piecewise linear with finitely many pieces (f of F, continuous at 0)"
    ),
)

CONNECTION: Final = Erratum(
    printed="For every f of F, convex and at most 1 − α: f ≤ T(M) if and only if C(f) ⊑ M.",
    counterexample=(
        "Let f(0) = 1 and f(α) = 0 for α > 0: convex, and at most 1 − α. Let X be a channel with X ⊑ f^α for every α. "
        "For α > 0, f^α = [1 − α, α; 0, 1] has the test 'second output' with errors (α, 0), and X can only tell more, "
        "so T(X)(α) = 0. T(X) is continuous, so T(X)(0) = 0 too: T(X) = 0, and X ≡ I = [1 0; 0 1]. Since I·f^α = f^α, "
        "I is the greatest channel below every f^α: C(f) = I. Take M = I. Then C(f) ⊑ M (with W = I), but T(M)(0) = 0 "
        "< 1 = f(0), so f ≤ T(M) is false."
    ),
    correction="Assume f continuous at 0. (That f ≤ T(M) implies C(f) ⊑ M holds without it.)",
    scope="hypothesis",
    fails=_connection_fails,
    certificate=_connection_certificate,
    summary="the connection fails at jumps",
    printed_formula="f ≤ T(M) iff C(f) ⊑ M, for every convex f(α) ≤ 1 − α",
    true_formula="f ≤ T(M) iff C(f) ⊑ M, for every convex f(α) ≤ 1 − α that is continuous at 0",
)

INFINITE_MEETS: Final = Erratum(
    printed=("With F as defined the same is used for infinitely many channels (all levels α in section 5.1)."),
    counterexample=(
        "Let C_k = [1 − 1/k, 1/k; 0, 1] for k = 1, 2, 3, ... Its test 'second output' has errors (1/k, 0), so "
        "T(C_k)(α) = max(0, 1 − kα). The pointwise minimum over k is g(0) = 1 and g(α) = 0 for α > 0 (take k ≥ 1/α). g "
        "is convex and at most 1 − α, so it is itself the meet in F as printed, with the value 1 at 0. But a channel X "
        "⊑ C_k for all k has T(X)(1/k) ≤ T(C_k)(1/k) = 0 for all k; T(X) is continuous, so T(X)(0) = 0. So the curve "
        "of the channels' greatest lower bound, I = [1 0; 0 1], is 0 at 0, not 1."
    ),
    correction="It holds for finite meets, and for infinite ones if F asks for continuity at 0.",
    scope="remark",
    fails=_infinite_meet_fails,
    certificate=_infinite_meet_certificate,
    summary="infinite meets fail at α = 0",
    printed_formula="T(min_k C_k) = ⊓_k T(C_k) for infinitely many channels, F without continuity",
    true_formula="T(C min C') = T(C) ⊓ T(C'), for infinitely many channels if F asks for continuity at 0",
)
