"""What section 3 prints and is not so: each with a counterexample that is run and certified."""

from __future__ import annotations

from typing import Final

from gmpy2 import mpq

from oracle.certificates.documents import Certificate
from oracle.channels.divergences import hockey_stick
from oracle.channels.galois import tradeoff_of
from oracle.channels.refinement import refines
from oracle.channels.testing import error_at, two_point_channel
from oracle.laws.evidence import Evidence
from oracle.laws.fernandes2025._facts import EVERYTHING, NOTHING, ZERO, channel, product
from oracle.laws.record import Erratum

__all__ = ["COLUMN_ORDER", "LARGE_ERRORS", "LEVEL_ZERO", "MAXIMAL_LEVEL", "STEEP"]

HALF: Final = mpq(1, 2)
STEEP: Final = channel("1/2 1/2", "0 1")


def _braces_exchange_columns() -> bool:
    """Whether R as printed, with 1 in column 0 where q >= h p, misses M^alpha on [1 0; 0 1] at h = 1."""
    p, q = EVERYTHING.rows
    printed = tuple((mpq(b >= a), mpq(b < a)) for a, b in zip(p, q, strict=True))
    return product(EVERYTHING.rows, printed) != two_point_channel(EVERYTHING, error_at(EVERYTHING, mpq(1))).rows


def _braces_certificate() -> Certificate:
    evidence = Evidence()
    result = evidence.product(EVERYTHING, [["0", "1"], ["1", "0"]])
    alpha = evidence.event_sum(EVERYTHING, 0, [1])
    accepted = evidence.combination((1, 1), (-1, alpha))
    evidence.compare(evidence.event_sum(result, 0, [0]), "!=", accepted)
    return evidence.certificate()


def _large_beta() -> bool:
    """Whether T(M)(0) exceeds 1 - T(M)(0) for the channel that reveals nothing."""
    beta = tradeoff_of(NOTHING).at(ZERO)
    return not beta <= 1 - beta


def _large_beta_certificate() -> Certificate:
    evidence = Evidence()
    beta = evidence.curve_value(NOTHING, ZERO)
    evidence.compare(beta, ">", evidence.combination((1, 1), (-1, beta)))
    return evidence.certificate()


def _maximal_level_fails() -> bool:
    """Whether h = 2, and any larger one, satisfies err_C(h) <= alpha without separating the two channels."""
    premise = refines(two_point_channel(STEEP, HALF), two_point_channel(NOTHING, HALF))
    strict = tradeoff_of(STEEP).at(HALF) < tradeoff_of(NOTHING).at(HALF)
    allowed = all(error_at(NOTHING, h) <= HALF for h in map(mpq, (2, 4, 1000)))
    separated = any(
        hockey_stick(NOTHING, h, "backward") < hockey_stick(STEEP, h, "backward") for h in map(mpq, (2, 4, 1000))
    )
    return premise and strict and allowed and not separated


def _maximal_level_certificate() -> Certificate:
    evidence = Evidence()
    below = evidence.curve_value(STEEP, HALF)
    evidence.compare(below, "<", evidence.curve_value(NOTHING, HALF))
    # At h = 2 no outcome of [1; 1] has q >= 2 p, so the rejection set is empty.
    evidence.compare(evidence.event_sum(NOTHING, 0, []), "<=", HALF)
    printed = evidence.hockey_stick(NOTHING, mpq(2))
    evidence.compare(printed, "=", evidence.hockey_stick(STEEP, mpq(2)))
    # At h = 1, the largest h with err_C(h) >= 1/2, the conclusion does hold.
    evidence.compare(evidence.event_sum(NOTHING, 0, [0]), ">=", HALF)
    repaired = evidence.hockey_stick(NOTHING, mpq(1))
    evidence.compare(repaired, "<", evidence.hockey_stick(STEEP, mpq(1)))
    return evidence.certificate()


def _level_zero_fails() -> bool:
    """Whether h = 0, which is below (1 - p)/alpha, does not separate the same two channels."""
    p = tradeoff_of(STEEP).at(HALF)
    low, high = (hockey_stick(two_point_channel(m, HALF), ZERO, "backward") for m in (NOTHING, STEEP))
    return (1 - p) / HALF > 0 and not high > low


def _level_zero_certificate() -> Certificate:
    evidence = Evidence()
    p = evidence.curve_value(STEEP, HALF)
    evidence.compare(p, "<", evidence.curve_value(NOTHING, HALF))
    evidence.compare(evidence.combination((2, 1), (-2, p)), ">", 0)
    low = evidence.hockey_stick(two_point_channel(NOTHING, HALF), ZERO)
    evidence.compare(low, "=", evidence.hockey_stick(two_point_channel(STEEP, HALF), ZERO))
    return evidence.certificate()


COLUMN_ORDER: Final = Erratum(
    printed="In the two braces, column 0 of R^h has the 1 where q_i ≥ h p_i, and column 1 elsewhere.",
    counterexample=(
        "Take M = [1 0; 0 1] and h = 1. Of its outputs (1, 0) and (0, 1) only the second has q ≥ p. Read this way, R "
        "is 1 in column 1 for the first output and in column 0 for the second: R = [0 1; 1 0] and M·R = [0 1; 1 0]. "
        "But α = err_M(1) = 0 (the p of the second output) and T(M)(0) = 0, so M^0 = [1 − 0, 0; 0, 1 − 0] = [1 0; 0 "
        "1]. The two columns are exchanged."
    ),
    correction="Column 1 (reject) has the 1 where q_i ≥ h p_i, column 0 (accept) elsewhere.",
    scope="remark",
    fails=_braces_exchange_columns,
    certificate=_braces_certificate,
    summary="columns of R^h are exchanged",
    printed_formula="R^h_{i,0} = 1 iff q_i ≥ h p_i, R^h_{i,1} = 1 − R^h_{i,0}",
    true_formula="R^h_{i,1} = 1 iff q_i ≥ h p_i, R^h_{i,0} = 1 − R^h_{i,1}",
)

LARGE_ERRORS: Final = Erratum(
    printed="The proof assumes without loss of generality that the type II errors are at most 1/2.",
    counterexample=(
        "Take C = M = [1; 1] at α = 0: T(C)(0) = 1 − 0 = 1, so p = 1 > 0 = 1 − p. (Figure 4 itself has T(M)(1/10) = "
        "4/5 > 1/5.) The case cannot be brought back to p ≤ 1/2 by exchanging the columns accept and reject of C^0 = "
        "[1 0; 1 0]: that gives [0 1; 0 1], a test with α = 1 in place of α = 0."
    ),
    correction=(
        "The assumption is not needed: at one level α the test channel with the smaller type II error is refined by "
        "the other, whatever the errors are."
    ),
    scope="remark",
    fails=_large_beta,
    certificate=_large_beta_certificate,
    summary="β ≤ 1/2 loses generality",
    printed_formula="p ≤ 1 − p for p = T(C)(α), without loss of generality",
    true_formula="0 ≤ p ≤ 1 − α for p = T(C)(α), and every such p occurs",
)

MAXIMAL_LEVEL: Final = Erratum(
    printed="The proof picks h maximal such that err_C(h) ≤ α.",
    counterexample=(
        "Take C = [1; 1], M = [1/2 1/2; 0 1], α = 1/2. T(C)(1/2) = 1 − 1/2 = 1/2. M's second output (1/2, 1) alone is "
        "a test with α = 1/2 and β = 1 − 1 = 0, so T(M)(1/2) = 0 < 1/2. C's one output (1, 1) has q ≥ h p only for h ≤ "
        "1, so err_C(h) = 0 ≤ 1/2 for every h > 1: there is no largest h. Nor does a large h help. At h ≥ 2 the sum Σ "
        "max(0, q − h p) is max(0, 1 − h) = 0 for C and max(0, 0 − h/2) + max(0, 1 − h/2) = 0 for M: equal, so V_h(C) "
        "< V_h(M) fails."
    ),
    correction=(
        "Pick h maximal such that err_C(h) ≥ α. In the example that is h = 1: max(0, 1 − 1) = 0 for C against max(0, 0 "
        "− 1/2) + max(0, 1 − 1/2) = 1/2 for M. At α = 0, where err_C(h) ≥ 0 for all h, take the largest finite q_i/p_i "
        "of C."
    ),
    scope="remark",
    fails=_maximal_level_fails,
    certificate=_maximal_level_certificate,
    summary="the proof's level h need not exist",
    printed_formula="h = max {h : err_C(h) ≤ α}",
    true_formula="h = max {h : err_C(h) ≥ α} for α > 0; any h ≥ every finite q_i/p_i of C for α = 0",
)

LEVEL_ZERO: Final = Erratum(
    printed="The proof says that every h < (1 − p)/α, with p = T(M)(α), has V_h(M) > V_h(C).",
    counterexample=(
        "Take C = [1; 1], M = [1/2 1/2; 0 1], α = 1/2. M's second output alone is a test with α = 1/2 and β = 0, so p "
        "= T(M)(1/2) = 0 < 1/2 = T(C)(1/2), and (1 − p)/α = 2. At h = 0 < 2 the sum Σ max(0, q − 0 · p) = Σ q is 1 for "
        "every channel, so V_0(M) = V_0(C) = 1/2, and likewise for M^α and C^α."
    ),
    correction=(
        "Between M^α and C^α the inequality holds for p/(1 − α) < h < (1 − p)/α, in the example for 0 < h < 2."
    ),
    scope="remark",
    fails=_level_zero_fails,
    certificate=_level_zero_certificate,
    summary="the range of h starts too low",
    printed_formula="V_h(M) > V_h(C) for every 0 ≤ h < (1 − p)/α, p = T(M)(α)",
    true_formula="V_h(M^α) > V_h(C^α) for p/(1 − α) < h < (1 − p)/α, p = T(M)(α)",
)
