"""Joint convexity in the usual sense fails for max-divergence and Rényi divergence: counterexamples, certified.

The usual sense is D(mixture) <= λ D_0 + (1-λ) D_1. For λ = 1/2 and D = log M this is M(mixture)² <= M_0·M_1.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from gmpy2 import mpq

from oracle.certificates.documents import Certificate
from oracle.channels.channel import Rows
from oracle.exact import Extended, Infinity
from oracle.laws.evidence import Evidence, Ref
from oracle.laws.record import Erratum
from oracle.laws.vadhan2023._facts import largest_ratio, mix, moment_of

__all__ = ["MAX_DIVERGENCE", "ORDER_TWO", "POINTS", "exceeds_average"]

_HALF: Final = mpq(1, 2)

_EQUAL: Final[Rows] = ((mpq(0), mpq(1)), (mpq(0), mpq(1)))
POINTS: Final[tuple[Rows, Rows]] = (((mpq(1), mpq(0)), (mpq(1, 3), mpq(2, 3))), _EQUAL)
"""(1, 0) against (1/3, 2/3), and (0, 1) against itself."""
_COINS: Final[tuple[Rows, Rows]] = (((mpq(1), mpq(0)), (_HALF, _HALF)), _EQUAL)
"""(1, 0) against (1/2, 1/2), and (0, 1) against itself."""


def exceeds_average(mixed: mpq, first: mpq, second: mpq) -> bool:
    """Whether log(mixed) > (log(first) + log(second))/2."""
    return mixed * mixed > first * second


def _mixture(pairs: tuple[Rows, Rows]) -> Rows:
    (p0, q0), (p1, q1) = pairs
    return mix(_HALF, p0, p1), mix(_HALF, q0, q1)


def _breaks(pairs: tuple[Rows, Rows], measure: Callable[[Rows], Extended]) -> bool:
    """Whether the measure of the mixture is above the geometric mean of those of the two pairs, all finite."""
    found = [measure(table) for table in (_mixture(pairs), *pairs)]
    finite = [value for value in found if not isinstance(value, Infinity)]
    return len(finite) == len(found) and exceeds_average(*finite)


def _ratio_exceeds() -> bool:
    return _breaks(_COINS, largest_ratio)


def _moment_exceeds() -> bool:
    return _breaks(POINTS, lambda table: moment_of(table, 2))


def _mixed(evidence: Evidence, pairs: tuple[Rows, Rows]) -> Rows:
    """The mixtures as products of the weights with the two laws, which the certificate states."""
    (p0, q0), (p1, q1) = pairs
    weights = [[_HALF, _HALF]]
    return evidence.product(weights, (p0, p1))[0], evidence.product(weights, (q0, q1))[0]


def _moment(evidence: Evidence, rows: Rows) -> Ref:
    """Σ p²/q as Σ r·p with r = p/q, each r·q = p being a fact of its own; outcomes of mass 0 are left out."""
    terms: list[tuple[mpq, Ref]] = []
    for k, (p, q) in enumerate(zip(*rows, strict=True)):
        if p:
            mass = evidence.event_sum(rows, 0, [k])
            evidence.compare(evidence.combination((p / q, evidence.event_sum(rows, 1, [k]))), "=", mass)
            terms.append((p / q, mass))
    return evidence.combination(*terms)


def _squares(evidence: Evidence, mixed: Ref, first: Ref, second: Ref) -> None:
    """mixed² > first·second, the factors being tied to the values that were found."""
    evidence.compare(mixed, "=", mixed.value)
    evidence.compare(first, "=", first.value)
    square = evidence.combination((mixed.value, mixed))
    evidence.compare(square, ">", evidence.combination((first.value, second)))


def _moment_certificate() -> Certificate:
    evidence = Evidence()
    mixed = _moment(evidence, _mixed(evidence, POINTS))
    _squares(evidence, mixed, *(_moment(evidence, rows) for rows in POINTS))
    return evidence.certificate()


def _ratio_certificate() -> Certificate:
    """The mixture has an outcome of ratio 2; the first pair has no ratio above 2, the second none above 1."""
    evidence = Evidence()
    rows = _mixed(evidence, _COINS)
    mixed = evidence.combination((2, evidence.event_sum(rows, 1, [0])))
    evidence.compare(evidence.event_sum(rows, 0, [0]), "=", mixed)
    for pair, ratio in zip(_COINS, (2, 1), strict=True):
        for k in range(2):
            bound = evidence.combination((ratio, evidence.event_sum(pair, 1, [k])))
            evidence.compare(evidence.event_sum(pair, 0, [k]), "<=", bound)
    two = evidence.combination((1, 2))
    evidence.compare(evidence.combination((2, two)), ">", evidence.combination((1, two)))
    return evidence.certificate()


MAX_DIVERGENCE: Final = Erratum(
    printed="Not printed: the analogue that a reader may expect is joint convexity of max-divergence in the usual "
    "sense of the word. What the paper calls joint convexity is a common bound, if D(X_i, X'_i) ⪯ d for all i, then "
    "D(X_I, X'_I) ⪯ d; it claims this, and it is true. (The formula of Lemma 2.1 is missing from the text at hand.)",
    counterexample="Take λ = 1/2, P_0 = (1, 0), Q_0 = (1/2, 1/2) and P_1 = "
    "Q_1 = (0, 1). The largest ratios are 1/(1/2) = 2 and 1, so the average of the max-divergences is (log 2)/2. The "
    "mixtures are (1/2, 1/2) and (1/4, 3/4), with the ratio (1/2)/(1/4) = 2: the max-divergence is log 2, and log 2 > "
    "(log 2)/2, as 2² > 2·1.",
    correction="It is quasi-convex: the mixture has at most the larger of the two. That is the paper's joint "
    "convexity, and all that it uses.",
    scope="remark",
    fails=_ratio_exceeds,
    certificate=_ratio_certificate,
    summary="quasi-convex, not jointly convex",
    printed_formula="Not printed: the analogue that a reader may expect is D_∞(mixture) <= λ D_∞(P_0‖Q_0) + "
    "(1-λ) D_∞(P_1‖Q_1)",
    true_formula="D_∞(mixture) <= max{D_∞(P_0‖Q_0), D_∞(P_1‖Q_1)}",
)

ORDER_TWO: Final = Erratum(
    printed="Not printed: the analogue that a reader may expect is joint convexity of the Rényi divergence of order "
    "α > 1 in the usual sense of the word. As for max-divergence, the paper means and claims a common bound, which is "
    "true. (The formula of Lemma 2.2 is missing from the text at hand.)",
    counterexample="Let α = 2. Take λ = 1/2, P_0 = (1, 0), Q_0 = (1/3, 2/3) and P_1 = Q_1 = "
    "(0, 1). Then e^{D_2} = Σ p²/q is 1/(1/3) = 3 and 1. The mixtures are (1/2, 1/2) and (1/6, 5/6), with e^{D_2} = "
    "(1/4)/(1/6) + (1/4)/(5/6) = 3/2 + 3/10 = 9/5. Now (9/5)² = 81/25 > 3·1, so D_2 of the mixture "
    "exceeds the average.",
    correction="It is quasi-convex, which is the paper's joint convexity; and e^{(α-1)D_α} is jointly convex in the "
    "usual sense.",
    scope="remark",
    fails=_moment_exceeds,
    certificate=_moment_certificate,
    summary="quasi-convex, not jointly convex",
    printed_formula="Not printed: the analogue that a reader may expect is D_α(mixture) <= λ D_α(P_0‖Q_0) + "
    "(1-λ) D_α(P_1‖Q_1)",
    true_formula="D_α(mixture) <= max{D_α(P_0‖Q_0), D_α(P_1‖Q_1)}",
)
