"""Section 6: symmetric trade-off functions and their decomposition, Theorem 6.3."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, Final

from gmpy2 import mpq
from hypothesis.strategies import SearchStrategy

from oracle.certificates.documents import Certificate
from oracle.channels.channel import Channel, Rows
from oracle.channels.decomposition import Part, decompose
from oracle.channels.galois import channel_of
from oracle.channels.tradeoff import TradeoffFunction, approximate_dp_curve
from oracle.exact import INFINITY, Extended, Infinity
from oracle.laws.ask import Ask, Curve
from oracle.laws.compare import at, curves_equal, equal, true, worst
from oracle.laws.evidence import Evidence
from oracle.laws.fernandes2025._facts import curve
from oracle.laws.fernandes2025._operators import (
    IDENTITY,
    merged,
    randomized_response,
    scaled,
)
from oracle.laws.record import ClaimRecord, Erratum, Law, fact
from oracle.laws.strategies import tradeoff_functions, two_row_channels

__all__ = ["CLAIMS"]

HALF: Final = mpq(1, 2)
SMALL: Final = two_row_channels(3)
LINE: Final = curve((0, 1), (1, 0))
ZERO: Final = curve((0, 0), (1, 0))


def _inverse_at(f: Curve, beta: mpq) -> mpq:
    """The least α, inf {α : f(α) ≤ β} of a convex curve by definition, segment by segment."""
    if f[0][1] <= beta:
        return f[0][0]
    for (a0, b0), (a1, b1) in pairwise(f):
        if b1 <= beta < b0:
            return a0 + (b0 - beta) * (a1 - a0) / (b0 - b1)
    return f[-1][0]


def _backward_is_inverse(ask: Ask, of: Channel) -> mpq:
    forward, backward = ask.tradeoff(of.rows), ask.tradeoff(of.rows, "backward")
    there = worst(abs(b - _inverse_at(forward, a)) for a, b in backward)
    back = worst(abs(b - _inverse_at(backward, a)) for a, b in forward)
    return max(there, back)


def _symmetrised(ask: Ask, of: Channel) -> mpq:
    both = ask.glb([of.rows, of.rows[::-1]])
    return curves_equal(ask.tradeoff(both), ask.tradeoff(both, "backward"))


def _literal_forces_zero(ask: Ask, of: Channel) -> mpq:
    """f(f(1)) = f(0), so f = f∘f makes f(0) = f(1) = 0: at α = 1 it holds for disjoint supports alone, where f = 0."""
    f = ask.tradeoff(of.rows)
    literal = at(f, at(f, mpq(1))) == at(f, mpq(1))
    return true(literal == (not any(p and q for p, q in zip(*of.rows, strict=True))))


def _literal_certificate() -> Certificate:
    evidence = Evidence()
    inner = evidence.curve_value(LINE, mpq(1))
    outer = evidence.curve_value(LINE, mpq(0))
    evidence.compare(inner, "=", 0)
    evidence.compare(outer, "!=", inner)
    return evidence.certificate()


def _involution_certificate() -> Certificate:
    evidence = Evidence()
    f = approximate_dp_curve(mpq(1), HALF)
    inner = evidence.curve_value(f, mpq(1))
    outer = evidence.curve_value(f, mpq(0))
    evidence.compare(inner, "=", 0)
    evidence.compare(outer, "!=", 1)
    return evidence.certificate()


def _composed(f: TradeoffFunction, alpha: mpq) -> mpq:
    return f.at(f.at(alpha))


def _symmetric_curves() -> SearchStrategy[TradeoffFunction]:
    return tradeoff_functions(3).map(TradeoffFunction.symmetrised)


def _part(exp_epsilon: Extended) -> Rows:
    return IDENTITY if isinstance(exp_epsilon, Infinity) else randomized_response(exp_epsilon)


def _recomposed(ask: Ask, f: TradeoffFunction) -> mpq:
    parts = ask.decompose(f.corners)
    total = equal(sum((weight for weight, _ in parts), mpq(0)), 1)
    choice = merged(*(scaled(weight, _part(level)) for weight, level in parts))
    if total > 0:
        return total
    return curves_equal(ask.tradeoff(choice), f.corners)


def _parts_are_column_pairs(ask: Ask, f: TradeoffFunction) -> mpq:
    """⌊N/2⌋ + 1 parts; part n has weight M_{0n} + M_{0,N−n} (once for the middle) and e^ε = M_{0n}/M_{1n}."""
    p, q = ask.channel_of(f.corners)
    parts = ask.decompose(f.corners)
    last = len(p) - 1
    if len(parts) != last // 2 + 1:
        return mpq(1)
    excess = mpq(0)
    for n, (weight, level) in enumerate(parts):
        excess = max(excess, equal(weight, p[n] + (p[last - n] if 2 * n < last else 0)))
        ratio: Any = equal(level * q[n], p[n]) if isinstance(level, mpq) else abs(q[n])
        excess = max(excess, ratio)
    return excess


def _zero_certificate() -> Certificate:
    evidence = Evidence()
    bottom = channel_of(ZERO)
    evidence.compare(evidence.event_sum(bottom, 1, [0]), "=", 0)
    evidence.compare(evidence.event_sum(bottom, 0, [0]), ">", 0)
    evidence.compare(evidence.curve_value(ZERO, mpq(0)), "<", 1)
    return evidence.certificate()


def _weights_certificate() -> Certificate:
    evidence = Evidence()
    only = evidence.event_sum(channel_of(LINE), 0, [0])
    evidence.compare(evidence.combination((1, only), (1, only)), ">", 1)
    return evidence.certificate()


def _ratio_certificate() -> Certificate:
    evidence = Evidence()
    response = Channel(randomized_response(mpq(2)))
    first, second = evidence.event_sum(response, 0, [0]), evidence.event_sum(response, 1, [0])
    evidence.compare(first, "=", evidence.combination((2, second)))
    low, _ = evidence.bracket("exp", mpq(2), mpq(7), mpq(8))
    evidence.compare(low, ">", 2)
    return evidence.certificate()


def _printed_weights(f: TradeoffFunction) -> mpq:
    """Sum over n ≤ N/2 of M_{0n} + M_{0,N−n}, as printed."""
    p = channel_of(f).rows[0]
    last = len(p) - 1
    return sum((p[n] + p[last - n] for n in range(last // 2 + 1)), mpq(0))


STAIR: Final = curve((0, 1), ("1/4", "1/2"), ("1/2", "1/4"), (1, 0))

CLAIMS: tuple[ClaimRecord, ...] = (
    ClaimRecord(
        id="D-sym",
        title="Symmetric trade-off functions",
        statement=(
            "A trade-off function is symmetric when it is its own inverse: exchanging P and Q does not change it."
        ),
        formula="f = f^{-1}, where f^{-1}(β) = inf {α : f(α) ≤ β}",
        source="section 6, definition before Theorem 6.3",
        status="false_as_stated",
        defines=True,
        laws=(
            Law("the curve of exchanged rows is the inverse", two_row_channels(4), _backward_is_inverse),
            Law("the glb with the exchanged rows is symmetric", SMALL, _symmetrised),
            Law("the condition as printed forces f = 0", two_row_channels(4), _literal_forces_zero),
        ),
        facts=(
            fact(
                "(0, 1), (1/10, 4/5), (1, 0) is not symmetric: its inverse is (0, 1), (4/5, 1/10), (1, 0)",
                lambda: (
                    curve((0, 1), ("1/10", "4/5"), (1, 0)).inverse() == curve((0, 1), ("4/5", "1/10"), (1, 0))
                    and not curve((0, 1), ("1/10", "4/5"), (1, 0)).is_symmetric()
                ),
            ),
            fact("f_{ε,δ} is symmetric (e^ε = 2, δ = 1/2)", approximate_dp_curve(mpq(2), HALF).is_symmetric),
            fact(
                "f∘f is not the identity on it: f(f(3/4)) = f(0) = 1/2",
                lambda: _composed(approximate_dp_curve(mpq(2), HALF), mpq(3, 4)) == HALF,
            ),
            fact(
                "1 − α as printed: f(f(1/4)) = 1/4, not f(1/4) = 3/4", lambda: _composed(LINE, mpq(1, 4)) == mpq(1, 4)
            ),
        ),
        errata=(
            Erratum(
                printed="f is symmetric if f(α) = f(f(α)) for all α in [0, 1].",
                counterexample=(
                    "f(α) = 1 − α is the curve of [1; 1]; exchanging its equal rows changes nothing, so it must be "
                    "symmetric. At α = 1: f(1) = 0, but f(f(1)) = f(0) = 1. In general f(1) = 0 for every f of F, so "
                    "the condition at α = 1 says f(0) = 0, and f = 0 is the only function that is left."
                ),
                correction="Use f = f^{-1} with f^{-1}(β) = inf {α : f(α) ≤ β}.",
                scope="statement",
                fails=lambda: _composed(LINE, mpq(1)) != LINE.at(mpq(1)) and LINE.is_symmetric(),
                certificate=_literal_certificate,
                summary="f = f∘f leaves only zero",
                printed_formula="f(α) = f(f(α)) for all α",
            ),
            Erratum(
                printed="The condition read as f(f(α)) = α.",
                counterexample=(
                    "f(α) = max(0, 1/2 − α), which is f_{ε,δ} for ε = 0, δ = 1/2 and is called symmetric in the paper. "
                    "f(1) = 0 and f(f(1)) = f(0) = 1/2, not 1. (It is symmetric by the correction: f(α) ≤ β from α = "
                    "max(0, 1/2 − β) on, so f^{-1} = f.)"
                ),
                correction="f(f(α)) = α for all α only if f(0) = 1; f = f^{-1} covers f(0) < 1 as well.",
                scope="statement",
                fails=lambda: (
                    _composed(approximate_dp_curve(mpq(1), HALF), mpq(1)) != 1
                    and approximate_dp_curve(mpq(1), HALF).is_symmetric()
                ),
                certificate=_involution_certificate,
                summary="f(f(α)) = α is too strict",
                printed_formula="f(f(α)) = α for all α",
            ),
        ),
    ),
    ClaimRecord(
        id="T6.3",
        title="Symmetric curves are visible choices of randomized responses",
        statement=(
            "The canonical channel M of a finite symmetric curve has mirrored columns 0..N; it is a visible choice of "
            "⌊N/2⌋ + 1 randomized responses, one for each pair n, N − n, where ε = ∞ is allowed and is needed exactly "
            "when f(0) < 1."
        ),
        formula=(
            "C(f) ≡ ⊕_n w_n C_{ε_n,0}, n ≤ N/2, e^{ε_n} = M_{0n}/M_{1n}, w_n = M_{0n} + M_{0,N−n} for n < N/2, "
            "w_{N/2} = M_{0,N/2}"
        ),
        source="section 6, Theorem 6.3",
        status="holds_under",
        hypotheses="added: symmetric means f = f^{-1}; ε_0 = ∞ is allowed (f(0) < 1); the middle weight counts once.",
        laws=(
            Law("the parts compose to the curve", _symmetric_curves(), _recomposed),
            Law("the parts are the column pairs", _symmetric_curves(), _parts_are_column_pairs),
        ),
        facts=(
            fact(
                "(0, 1), (1/4, 1/2), (1/2, 1/4), (1, 0) = 3/4 · C_{log 2,0} + 1/4 · C_{0,0}",
                lambda: decompose(STAIR) == [Part(mpq(3, 4), mpq(2)), Part(mpq(1, 4), mpq(1))],
            ),
            fact("its printed weights sum to 5/4", lambda: _printed_weights(STAIR) == mpq(5, 4)),
            fact(
                "f_{ε,δ} for e^ε = 3, δ = 1/10: 1/10 · C_{∞,0} + 9/10 · C_{log 3,0}",
                lambda: (
                    decompose(approximate_dp_curve(mpq(3), mpq(1, 10)))
                    == [Part(mpq(1, 10), INFINITY), Part(mpq(9, 10), mpq(3))]
                ),
            ),
            fact(
                "Fig. 6's square: 39/400 · C_{∞,0} + 361/720 · C_{log 4,0} + 361/900 · C_{0,0}",
                lambda: (
                    decompose(
                        curve((0, "361/400"), ("361/3600", "361/720"), ("361/720", "361/3600"), ("361/400", 0), (1, 0))
                    )
                    == [Part(mpq(39, 400), INFINITY), Part(mpq(361, 720), mpq(4)), Part(mpq(361, 900), mpq(1))]
                ),
            ),
        ),
        errata=(
            Erratum(
                printed="Real numbers ε_0, ..., ε_{⌊N/2⌋} exist for every finite symmetric f.",
                counterexample=(
                    "f = 0, the curve of C(f) = I = [1 0; 0 1], columns n = 0 and 1, N = 1. The printed ratio "
                    "M_{00}/M_{10} is 1/0. No choice of randomized responses with finite ε will do: all entries of [E "
                    "1; 1 E]/(1 + E) are positive, so the only test with α = 0 never rejects and T(0) = 1, but f(0) = "
                    "0."
                ),
                correction="Allow ε_0 = ∞, which is I (weight 1 − f(0)); it occurs exactly when f(0) < 1.",
                scope="hypothesis",
                fails=lambda: decompose(ZERO)[0].exp_epsilon == INFINITY and channel_of(ZERO).rows[1][0] == 0,
                certificate=_zero_certificate,
                summary="ε = ∞ must be allowed",
                printed_formula="C(f) ≡ ⊕_n w_n C_{ε_n,0} with ε_n < ∞ for all n",
                true_formula="C(f) ≡ ⊕_n w_n C_{ε_n,0} with ε_0 = ∞ iff f(0) < 1, ε_n < ∞ for n ≥ 1",
            ),
            Erratum(
                printed=("Each pair of columns n, N − n has the weight M_{0,n} + M_{0,N−n}, for 0 ≤ n ≤ N/2."),
                counterexample=(
                    "f(α) = 1 − α has C(f) = [1; 1], N = 0: the only weight would be w_0 = M_{00} + M_{00} = 1 + 1 = 2 "
                    "> 1. Also the curve through (0, 1), (1/4, 1/2), (1/2, 1/4), (1, 0) has C(f) = [1/2 1/4 1/4; 1/4 "
                    "1/4 1/2], N = 2: the weights would be w_0 = 1/2 + 1/4 = 3/4 and w_1 = 1/4 + 1/4 = 1/2, together "
                    "5/4."
                ),
                correction="For even N the middle column is one column: its weight is M_{0,N/2}.",
                scope="remark",
                fails=lambda: _printed_weights(LINE) == 2,
                certificate=_weights_certificate,
                summary="the middle column is counted twice",
                printed_formula="w_n = M_{0,n} + M_{0,N−n} for 0 ≤ n ≤ N/2",
                true_formula="w_n = M_{0,n} + M_{0,N−n} for n < N/2, w_{N/2} = M_{0,N/2}",
            ),
            Erratum(
                printed="ε_n is the ratio M_{0n}/M_{1n}.",
                counterexample=(
                    "f = f_{log 2, 0}, C(f) = [2/3 1/3; 1/3 2/3], n = 0: the ratio is (2/3)/(1/3) = 2, but the "
                    "randomized response C_{2,0} has the ratio e^2 > 2.7 · 2.7 > 7, not 2. Since e^x > x for every "
                    "real x, the printed choice is never right."
                ),
                correction="e^{ε_n} is that ratio.",
                scope="remark",
                fails=lambda: decompose(approximate_dp_curve(mpq(2), mpq(0)))[0].exp_epsilon == 2,
                certificate=_ratio_certificate,
                summary="the ratio is e^ε, not ε",
                printed_formula="ε_n = M_{0n}/M_{1n}",
                true_formula="e^{ε_n} = M_{0n}/M_{1n}",
            ),
        ),
    ),
)
