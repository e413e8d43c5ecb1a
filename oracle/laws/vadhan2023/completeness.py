"""Lemma 2.4: suprema of trade-off functions in the paper's order, for finite families, and at 0 for infinite ones.

The order is reversed: the supremum of S is the largest trade-off function below all of S. For finite S it is the lower
convex hull of the minimum. For any S it is the hull closed at 0, h(0) = lim h(alpha) for alpha -> 0: a convex function
on [0, 1] that does not increase is continuous inside, and at 1 as h(alpha) <= 1 - alpha, so 0 is all that is left.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from gmpy2 import mpq
from hypothesis import strategies as st

from oracle.certificates.documents import Certificate
from oracle.channels.galois import channel_of, tradeoff_of
from oracle.channels.lattice import greatest_lower_bound
from oracle.channels.tradeoff import TradeoffFunction
from oracle.interactive.couplings import steepening, supremum_at
from oracle.laws.ask import Ask
from oracle.laws.compare import at, at_most, curve_at_most, curves_equal, equal, valid_curve, worst
from oracle.laws.evidence import Evidence
from oracle.laws.fernandes2025._facts import chord_minimum, curve
from oracle.laws.record import ClaimRecord, Erratum, Law, fact
from oracle.laws.strategies import alphas, tradeoff_functions
from oracle.laws.vadhan2023._facts import ONE, ZERO

__all__ = ["CLAIMS"]

_FAMILIES: Final = st.lists(tradeoff_functions(4), min_size=1, max_size=3)


def _asked_supremum(ask: Ask, family: Sequence[TradeoffFunction]) -> tuple[tuple[mpq, mpq], ...]:
    """The curve of the subject's greatest lower bound of canonical channels."""
    return ask.tradeoff(ask.glb([channel_of(f).rows for f in family]))


def _formula_law(ask: Ask, family: list[TradeoffFunction], alpha: mpq) -> mpq:
    """The subject's supremum is E[F(A(F))] minimised over all pairs of corners, at alpha and at its own corners."""
    asked = _asked_supremum(ask, family)
    excess = valid_curve(asked)
    if excess > 0:
        return excess
    points = [corner for f in family for corner in f.corners]
    return worst(equal(at(asked, x), chord_minimum(points, x)) for x in (alpha, *(x for x, _ in asked)))


def _proved_law(ask: Ask, family: list[TradeoffFunction], alpha: mpq) -> mpq:
    """A random F and A that reach the subject's value, and a line below every member that no F and A get below."""
    found = supremum_at(family, alpha)
    spent = sum((weight * x for weight, _, x in found.mixture), ZERO)
    reached = sum((weight * family[i].at(x) for weight, i, x in found.mixture), ZERO)
    intercept, slope = found.line
    corners = [corner for f in family for corner in f.corners]
    below = worst(at_most(intercept - slope * x, b) for x, b in corners)
    value = at(_asked_supremum(ask, family), alpha)
    weights = sum((weight for weight, _, _ in found.mixture), ZERO)
    return worst(
        [
            equal(value, reached),
            equal(value, intercept - slope * alpha),
            at_most(spent, alpha),
            equal(weights, 1),
            below,
            at_most(ZERO, slope),
        ]
    )


def _least_law(ask: Ask, family: list[TradeoffFunction], other: TradeoffFunction) -> mpq:
    """It is below every member, and whatever is below every member is below it."""
    asked = _asked_supremum(ask, family)
    lower = tradeoff_of(greatest_lower_bound([channel_of(f) for f in (*family, other)])).corners
    members = [curve_at_most(asked, f.corners) for f in family]
    return worst([*members, curve_at_most(lower, asked), valid_curve(asked)])


def _steep_law(ask: Ask, n: int, alpha: mpq) -> mpq:
    """f_n is 1 at 0 and 0 from 1/n on; the supremum of f_1, ..., f_n is f_n, so no finite part shows the jump."""
    pair = channel_of(steepening(n)).rows
    beyond = 1 / mpq(n) + (1 - 1 / mpq(n)) * alpha
    few = _asked_supremum(ask, [steepening(k) for k in {1, (n + 1) // 2, n}])
    return worst(
        [
            equal(ask.beta(pair, ZERO), ONE),
            equal(ask.beta(pair, beyond), ZERO),
            curves_equal(few, steepening(n).corners),
        ]
    )


def _printed_value(alpha: mpq) -> mpq:
    """h(alpha) as printed for S = {f_1, f_2, ...}: A(F) = 0 almost surely at 0, else F = f_n with n >= 1/alpha."""
    if not alpha:
        return ONE
    inverse = 1 / alpha
    return steepening(int(-(-inverse.numerator // inverse.denominator))).at(alpha)


def _jumps_at_zero() -> bool:
    """f_n(0) = 1 for all n tried and h = 0 at 10^-k: a continuous h would be 0 at 0."""
    starts = {steepening(10**k).at(ZERO) for k in range(60)}
    return starts == {ONE} and _printed_value(ZERO) == 1 and not any(_printed_value(mpq(1, 10**k)) for k in range(60))


def _jump_certificate() -> Certificate:
    """f_n(0) = 1 and f_n(1/n) = 0 for n = 1, 10, 100, 1000: what lies below them is 0 from 1/1000 on."""
    evidence = Evidence()
    for n in (1, 10, 100, 1000):
        start = evidence.curve_value(steepening(n), ZERO)
        evidence.compare(start, "=", 1)
        evidence.compare(evidence.curve_value(steepening(n), mpq(1, n)), "<", start)
    return evidence.certificate()


_AT_ZERO: Final = Erratum(
    printed="For S ⊆ F, the set of trade-off functions, sup S is a trade-off function, defined by a formula, and h is "
    "shown to be it. (The formula is missing from the text at hand; it is reconstructed from the proof.)",
    counterexample="Let f_n(α) = max(0, 1 - nα) and S = {f_1, f_2, f_3, ...}. For α > 0 choose F = f_n with n >= 1/α: "
    "f_n(α) = 0, so h(α) = 0. At α = 0 the condition E[A(F)] <= 0 leaves only A(F) = 0, and f_n(0) = 1 for every n, so "
    "h(0) = 1. Hence h is 1 at 0 and 0 on (0, 1]: not continuous, so no trade-off function. The supremum of S is the "
    "function 0: whatever is continuous and below all f_n is 0 on (0, 1] and therefore at 0.",
    correction="Close h at 0: sup S(0) = lim h(α) for α -> 0, and sup S = h on (0, 1]. For finite S nothing changes. "
    "The set of trade-off functions is complete all the same.",
    scope="statement",
    fails=_jumps_at_zero,
    certificate=_jump_certificate,
    summary="infinite suprema must be closed at 0",
    printed_formula="sup S(α) = h(α) = inf{E[F(A(F))] : E[A(F)] <= α} for all α ∈ [0, 1] (reconstructed)",
    true_formula="sup S(α) = h(α) for 0 < α <= 1, sup S(0) = lim h(α) for α -> 0",
)


CLAIMS: tuple[ClaimRecord, ...] = (
    ClaimRecord(
        id="Lemma2.4 completeness",
        title="suprema of trade-off functions",
        statement="Every nonempty set S of trade-off functions has a supremum in the reversed order, the largest "
        "trade-off function below all of S. It is h, the least expected value of F at a point A(F) over random F in S "
        "with E[A(F)] <= α, closed at 0. For finite S it is the lower convex hull of the minimum, and two members "
        "suffice at each α.",
        formula="sup S(α) = inf{E[F(A(F))] : E[A(F)] <= α} for 0 < α <= 1; sup S(0) is the limit for α -> 0",
        source="section 2, Lemma 2.4",
        status="false_as_stated",
        hypotheses="added: S finite, or the formula closed at 0",
        laws=(
            Law("for finite S the formula, over all pairs of points", st.tuples(_FAMILIES, alphas()), _formula_law),
            Law("reached by two members, and not undercut", st.tuples(_FAMILIES, alphas()), _proved_law),
            Law(
                "the largest trade-off function below all of S", st.tuples(_FAMILIES, tradeoff_functions(4)), _least_law
            ),
            Law("f_n is 1 at 0 and 0 from 1/n on", st.tuples(st.integers(1, 10**6), alphas()), _steep_law),
        ),
        facts=(
            fact(
                "(0, 2/3), (1, 0) and (0, 1), (1/4, 1/4), (1, 0): corners (0, 2/3), (1/4, 1/4), (1, 0)",
                lambda: (
                    tradeoff_of(
                        greatest_lower_bound(
                            [
                                channel_of(curve(("0", "2/3"), ("1", "0"))),
                                channel_of(curve(("0", "1"), ("1/4", "1/4"), ("1", "0"))),
                            ]
                        )
                    )
                    == curve(("0", "2/3"), ("1/4", "1/4"), ("1", "0"))
                ),
            ),
            fact("f_n = max(0, 1 - nα): the printed h is 1 at 0 and 0 at every 10^-k", _jumps_at_zero),
        ),
        errata=(_AT_ZERO,),
    ),
)
