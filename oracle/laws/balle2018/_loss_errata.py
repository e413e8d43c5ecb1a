"""What section 3 prints of the privacy loss and is not so: each with a counterexample that is run and certified."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from gmpy2 import mpq

from oracle.certificates.documents import Certificate
from oracle.channels.channel import Channel, Rows
from oracle.channels.divergences import hockey_stick
from oracle.laws.balle2018._facts import NOTHING, ONE, ZERO, channel, divergence
from oracle.laws.balle2018._moments import integral, largest, moment_of, nodes, piece_weights
from oracle.laws.evidence import Evidence, Ref
from oracle.laws.record import Erratum

__all__ = ["MIXED", "SUPREMUM", "A", "B", "fortieths", "tails"]

A: Final = channel("2/3 1/3", "1/3 2/3")
B: Final = channel("3/7 1/7 3/7", "1/7 3/7 3/7")
"""Two symmetric pairs: A has the larger divergence up to e^eps = 5/4, B from there on."""


def tails(table: Rows, level: mpq, upper_strict: bool, lower_strict: bool, *, lower: bool = True) -> mpq:
    """Pr[L > eps] - a Pr[L' < -eps], a = *level* > 0, from p > a q and q/p < 1/a; weak where a flag is False."""
    p, q = table
    columns = list(zip(p, q, strict=True))
    up = sum((a for a, b in columns if a and (a > level * b or (not upper_strict and a == level * b))), ZERO)
    down = sum((b for a, b in columns if b and (level * b < a or (not lower_strict and level * b == a))), ZERO)
    return up - level * down if lower else up


def _mixed_strictness_fails() -> bool:
    """At one outcome and eps = 0: weak and strict, strict and weak, both different from D_1."""
    mixed = [tails(NOTHING.rows, ONE, upper, not upper) for upper in (False, True)]
    return all(value != divergence(NOTHING.rows, ONE) for value in mixed)


def _mixed_certificate() -> Certificate:
    """Pr[L >= 0] = 1 while no outcome has L' < 0, and the other way round; D_1 = 0."""
    evidence = Evidence()
    at_zero, none = evidence.event_sum(NOTHING, 0, [0]), evidence.event_sum(NOTHING, 1, [])
    first = evidence.combination((1, at_zero), (-1, none))
    above, at_most_zero = evidence.event_sum(NOTHING, 0, []), evidence.event_sum(NOTHING, 1, [0])
    second = evidence.combination((1, above), (-1, at_most_zero))
    divergence_at_one = evidence.hockey_stick(NOTHING, ONE, "forward")
    evidence.compare(first, "!=", divergence_at_one)
    evidence.compare(second, "!=", divergence_at_one)
    return evidence.certificate()


def _both_sides(pairs: list[Channel]) -> tuple[mpq, mpq]:
    """The largest phi(1) and the printed formula at s = 1, for symmetric pairs without infinite losses."""
    tables = [m.rows for m in pairs]
    profiles = [lambda t, m=m: hockey_stick(m, t) for m in pairs]
    delta = largest(profiles, nodes(tables))
    sides = [*(moment_of(table, 1) for table in tables), integral(delta, delta, 1)]
    finite = [value for value in sides if isinstance(value, mpq)]
    return max(finite[:-1]), finite[-1]


def fortieths() -> tuple[mpq, mpq]:
    """Both sides for another two pairs."""
    return _both_sides([channel("3/4 1/4", "1/4 3/4"), channel("9/40 1/40 3/4", "1/40 9/40 3/4")])


def _supremum_fails() -> bool:
    sup, formula = _both_sides([A, B])
    return sup < formula


def _supremum_certificate() -> Certificate:
    """Both moments as products p·(p/q), the formula as a combination of the larger hockey sticks at 1, 5/4, 2 and 3.

    At every level the larger one of A and B is compared with the other; between the levels both are linear.
    """
    evidence = Evidence()
    moments = []
    for m in (A, B):
        p, q = m.rows
        moments.append(evidence.event_sum(evidence.product([p], [[a / b] for a, b in zip(p, q, strict=True)]), 0, [0]))
    levels = [ONE, mpq(5, 4), mpq(2), mpq(3)]
    values: list[Ref] = []
    for t, winner, other in zip(levels, (A, A, B, B), (B, B, A, A), strict=True):
        value = evidence.hockey_stick(winner, t, "forward")
        evidence.compare(value, ">=", evidence.hockey_stick(other, t, "forward"))
        values.append(value)
    weights = [ZERO] * len(levels)
    for k, (t0, t1) in enumerate(pairwise(levels)):
        for upper in (True, False):
            start, end = piece_weights(t0, t1, 1, upper=upper)
            weights[k] += 2 * start
            weights[k + 1] += 2 * end
    formula = evidence.combination((1, 1), *zip(weights, values, strict=True))
    for value in moments:
        evidence.compare(value, "<", formula)
    return evidence.certificate()


MIXED: Final = Erratum(
    printed="Both inequalities are strict in print, which is right. The text does not say that this matters; with an "
    "atom of the loss at ε, Pr[L >= ε] - e^ε Pr[L' < -ε] and Pr[L > ε] - e^ε Pr[L' <= -ε] are easily taken for the "
    "same (L = L_{x,x'}, L' = L_{x',x}).",
    counterexample="Take one outcome, μ = μ' = (1), and ε = 0: L = L' = log(1/1) = 0 and D_1 = [1 - 1]_+ = 0. But "
    "Pr[L >= 0] - Pr[L' < 0] = 1 - 0 = 1 and Pr[L > 0] - Pr[L' <= 0] = 0 - 1 = -1. (With μ = (2/3, 1/3), "
    "μ' = (1/3, 2/3) and e^ε = 2 they are 2/3 and -2/3, and D_2 = 0.)",
    correction="Both strict, as printed, or both weak.",
    scope="remark",
    fails=_mixed_strictness_fails,
    certificate=_mixed_certificate,
    summary="one strict, one weak inequality is wrong",
)

SUPREMUM: Final = Erratum(
    printed="If D_{e^ε}(μ‖μ') = D_{e^ε}(μ'‖μ) for every pair, then sup φ(s) = 1 + s(s+1) ∫_0^∞ (e^{sε} + e^{-(s+1)ε}) "
    "δ_M(ε) dε.",
    counterexample="Let M have two pairs of neighbours, A = (2, 1)/3 | (1, 2)/3 and B = (3, 1, 3)/7 | (1, 3, 3)/7, "
    "both symmetric, and s = 1. φ(1) = Σ μ²/μ': φ_A(1) = 4/3 + 1/6 = 3/2 and φ_B(1) = 9/7 + 1/21 + 3/7 = 37/21, so "
    "the largest is 37/21 = 740/420. With t = e^ε the profiles are max(0, (2 - t)/3) and max(0, (3 - t)/7), which "
    "cross at t = 5/4, so δ_M is (2 - t)/3 up to 5/4 and (3 - t)/7 up to 3. In t the integral is ∫_1^3 (1 + t^{-3}) "
    "δ_M dt, and F(t) = ct - t²/2 - c/(2t²) + 1/t has the derivative (1 + t^{-3})(c - t). For c = 2 it grows from 3/2 "
    "to 1503/800 on [1, 5/4], for c = 3 from 2247/800 to 14/3 on [5/4, 3]. So the integral is (303/800)/3 + "
    "(4459/2400)/7 = 101/800 + 637/2400 = 47/120, and the formula is 1 + 2·47/120 = 107/60 = 749/420, more than "
    "740/420.",
    correction="<= holds; = holds where one pair has the largest divergence at every ε, in particular for each single "
    "pair.",
    scope="statement",
    fails=_supremum_fails,
    certificate=_supremum_certificate,
    summary="supremum and integral do not commute",
    printed_formula="sup_{x ~ x'} φ(s) = 1 + s(s+1) ∫_0^∞ (e^{sε} + e^{-(s+1)ε}) δ_M(ε) dε",
)
