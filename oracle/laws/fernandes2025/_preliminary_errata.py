"""What section 2 prints and is not so: each with a counterexample that is run and certified."""

from __future__ import annotations

from typing import Final

from gmpy2 import mpq

from oracle.certificates.documents import Certificate
from oracle.channels.galois import tradeoff_of
from oracle.laws.evidence import Evidence
from oracle.laws.fernandes2025._facts import EVERYTHING, NOTHING, ONE, error_of
from oracle.laws.record import Erratum

__all__ = ["ACCEPTANCE", "CONTINUITY", "RATE_NAMES", "SIGNS", "jump", "jump_certificate", "jump_is_no_curve"]


def _accept_by_the_third_clause() -> bool:
    """Whether E_p[φ] differs from the chance that a true H0 is rejected when φ(y) is the chance to accept it."""
    p, phi = NOTHING.rows[0], (mpq(0),)
    level = sum((a * w for a, w in zip(p, phi, strict=True)), mpq(0))
    return level != sum((a * (1 - w) for a, w in zip(p, phi, strict=True)), mpq(0))


def _accept_certificate() -> Certificate:
    evidence = Evidence()
    significance = evidence.event_sum(NOTHING, 0, [])
    rejected = evidence.event_sum(NOTHING, 0, [0])
    evidence.compare(significance, "!=", rejected)
    return evidence.certificate()


def _rates_are_swapped() -> bool:
    """The test that always says H1: false positives among true H0 against its type I error, and so on."""
    alpha, power = error_of(NOTHING.rows, mpq(0))
    false_negatives = 1 - power
    return alpha != false_negatives


def _rates_certificate() -> Certificate:
    evidence = Evidence()
    type_one = evidence.event_sum(NOTHING, 0, [0])
    caught = evidence.event_sum(NOTHING, 1, [0])
    false_negatives = evidence.combination((1, 1), (-1, caught))
    evidence.compare(type_one, "!=", false_negatives)
    return evidence.certificate()


def jump(alpha: mpq) -> mpq:
    """The function that is 1 at 0 and 0 elsewhere: convex, from [0, 1] to [0, 1], at most 1 - alpha."""
    return mpq(0) if alpha else ONE


def jump_is_no_curve() -> bool:
    """Whether the jump passes the printed conditions, while the one channel with its values above 0 misses it at 0."""
    grid = [mpq(k, 4) for k in range(5)]
    admitted = all(0 <= jump(a) <= 1 - a for a in grid) and all(
        jump((a + b) / 2) <= (jump(a) + jump(b)) / 2 for a in grid for b in grid
    )
    only = tradeoff_of(EVERYTHING)
    return admitted and all(only.at(a) == jump(a) for a in grid[1:]) and only.at(mpq(0)) != jump(mpq(0))


def jump_certificate() -> Certificate:
    """Facts of the jump: the identity has its value 0 at 1/2 and at 1, but 0 and not 1 at 0."""
    evidence = Evidence()
    for alpha in (mpq(1, 2), ONE):
        evidence.compare(evidence.curve_value(EVERYTHING, alpha), "=", jump(alpha))
    evidence.compare(evidence.curve_value(EVERYTHING, mpq(0)), "<", jump(mpq(0)))
    return evidence.certificate()


def _negative_epsilon_leaves_f() -> bool:
    level, delta, alpha = mpq(1, 2), mpq(0), mpq(0)
    return max(mpq(0), 1 - delta - level * alpha, (1 - delta - alpha) / level) > 1 - alpha


def _negative_epsilon_certificate() -> Certificate:
    evidence = Evidence()
    line = evidence.combination((2, 1), (-2, 0), (-2, 0))
    evidence.compare(line, ">", evidence.combination((1, 1), (-1, 0)))
    return evidence.certificate()


ACCEPTANCE: Final = Erratum(
    printed=(
        "φ(y) = 0 means that H0 is accepted, φ(y) = 1 that H1 is, and φ(y) = c that H0 is accepted with probability c."
    ),
    counterexample=(
        "Take a channel with one output, [1; 1], and φ = 0. The first clause accepts H0 always. The last clause, at c "
        "= 0, accepts it with probability 0: a contradiction. The level α_φ = E_p[φ] = 1 · 0 = 0 is the chance to "
        "reject a true H0, which agrees with the first clause; by the last clause that chance is 1 · (1 − 0) = 1."
    ),
    correction="φ(y) = c means that H0 is rejected with probability c.",
    scope="remark",
    fails=_accept_by_the_third_clause,
    certificate=_accept_certificate,
    summary="a test rejects, not accepts, with φ(y)",
    printed_formula="α_φ = E_p[φ], φ(y) = Pr(accept H0 | y)",
    true_formula="α_φ = E_p[φ], φ(y) = Pr(reject H0 | y)",
)

RATE_NAMES: Final = Erratum(
    printed=("Type I and type II errors are the false negative and the false positive rate, in this order."),
    counterexample=(
        "A positive is an answer H1; it is false if D0 was run. A negative is an answer H0; it is false if D1 was run. "
        "Take one output, [1; 1], and the test that always says H1, φ = 1. Its type I error is α_φ = E_p[φ] = 1. Its "
        "false negative rate is 1 − E_q[φ] = 1 − 1 = 0. So α_φ = 1 is not the false negative rate 0."
    ),
    correction="The type I error is the false positive rate, the type II error the false negative rate.",
    scope="remark",
    fails=_rates_are_swapped,
    certificate=_rates_certificate,
    summary="false positive and false negative exchanged",
    printed_formula="α_φ = false negative rate, β_φ = false positive rate",
    true_formula="α_φ = false positive rate, β_φ = false negative rate",
)

CONTINUITY: Final = Erratum(
    printed=("F consists of all convex f: [0, 1] → [0, 1] with f(α) ≤ 1 − α, and is equivalent to two-row channels."),
    counterexample=(
        "Let f(0) = 1 and f(α) = 0 for α > 0. It is convex: between 0 and any α > 0 it is 0, and a chord is never "
        "below 0. It is at most 1 − α. But no channel M has T(M) = f: T(M) is a broken line through finitely many "
        "corners, the first of them at α = 0, so it is continuous there; with T(M)(α) = 0 for all α > 0 it has T(M)(0) "
        "= 0, as I = [1 0; 0 1] has, and f(0) = 1."
    ),
    correction=(
        "Ask for continuity at 0 too. (Inside (0, 1) convexity gives it, and at 1 the bounds 0 ≤ f(α) ≤ 1 − α do.)"
    ),
    scope="hypothesis",
    fails=jump_is_no_curve,
    certificate=jump_certificate,
    summary="F must ask for continuity at 0",
    printed_formula="F = {f: [0, 1] → [0, 1] convex, f(α) ≤ 1 − α}",
    true_formula="F = {f: [0, 1] → [0, 1] convex, continuous at 0, f(α) ≤ 1 − α}",
)

SIGNS: Final = Erratum(
    printed=("f_{ε,δ} is a trade-off function for the ε and δ at hand; neither is bounded where it is defined."),
    counterexample=(
        "Take e^ε = 1/2, so e^-ε = 2, and δ = 0. At α = 0 the third part is 2 · (1 − 0 − 0) = 2, hence f(0) ≥ 2. A "
        "member of F has f(0) ≤ 1 − 0 = 1."
    ),
    correction="Assume ε ≥ 0 and 0 ≤ δ ≤ 1.",
    scope="hypothesis",
    fails=_negative_epsilon_leaves_f,
    certificate=_negative_epsilon_certificate,
    summary="ε and δ need their bounds",
    printed_formula="f_{ε,δ}(α) = max{0, 1 − δ − e^ε α, e^-ε (1 − δ − α)}, a member of F for real ε, δ",
    true_formula="f_{ε,δ}(α) = max{0, 1 − δ − e^ε α, e^-ε (1 − δ − α)}, a member of F for ε ≥ 0, 0 ≤ δ ≤ 1",
)
