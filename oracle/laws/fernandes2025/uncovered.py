"""Appendix E.1: the worked example whose replacement does not cover every output."""

from __future__ import annotations

from typing import Final

from gmpy2 import mpq
from hypothesis import strategies as st

from oracle.channels.canonical import canonical, equivalent
from oracle.channels.channel import Channel
from oracle.channels.galois import tradeoff_of
from oracle.channels.operators import post_process, visible
from oracle.laws.ask import Ask
from oracle.laws.compare import tables_equal
from oracle.laws.fernandes2025._facts import canonical_rows, channel
from oracle.laws.fernandes2025._operators import (
    IDENTITY,
    approximate_dp,
    hidden_of,
    uniform,
)
from oracle.laws.fernandes2025.purification import (
    G6,
    by_ratio,
    largest_ratio,
)
from oracle.laws.record import ClaimRecord, Law, fact
from oracle.laws.strategies import alphas, deltas, rational_levels

__all__ = ["CLAIMS"]

ZERO: Final = mpq(0)


def uncovered(delta1: mpq, delta2: mpq, r: mpq) -> Channel:
    """D' = C' ⊞_r (uniform on the middle four), C' = I ⊕_{δ2} C_{ε,δ1} with I's outputs at the ends, e^ε = 3."""
    inner = approximate_dp(mpq(3), delta1)
    first = (delta2, *((1 - delta2) * v for v in inner[0]), ZERO)
    whole = (first, first[::-1])
    middle = ((ZERO, *(mpq(1, 4),) * 4, ZERO),) * 2
    return Channel(hidden_of(r, whole, middle))


def _total_delta(ask: Ask, level: mpq, first: mpq, second: mpq) -> mpq:
    choice = ask.canonical(ask.visible(second, IDENTITY, approximate_dp(level, first)))
    return tables_equal(choice, canonical_rows(approximate_dp(level, second + (1 - second) * first)))


def _uncovered_as_choice(ask: Ask, level: mpq, deltas_: tuple[mpq, mpq], r: mpq) -> mpq:
    """D' = I ⊕_{rδ2} (C_{ε,δ1} ⊞_ρ U), ρ = r (1 − δ2)/(1 − r δ2)."""
    first, second = deltas_
    weight = r * second
    if weight == 1:
        return ZERO
    inner = approximate_dp(level, first)
    whole = ask.visible(second, IDENTITY, inner)
    mixed = ask.hidden(r, whole, ((ZERO, ZERO, *(mpq(1, 4),) * 4),) * 2)
    rho = r * (1 - second) / (1 - weight)
    return tables_equal(mixed, ask.visible(weight, IDENTITY, ask.hidden(rho, inner, uniform(4))))


R_PRIME: Final = mpq(60, 79)
CASE_A: Final = uncovered(mpq(1, 19), mpq(1, 20), R_PRIME)
CASE_B: Final = uncovered(mpq(1, 10), mpq(1, 20), R_PRIME)

CLAIMS: tuple[ClaimRecord, ...] = (
    ClaimRecord(
        id="E1-D'",
        title="Worked example: replacement on the middle four of six outputs",
        statement=(
            "C' = I ⊕_{δ2} C_{ε,δ1} is C_{ε,δ} of the total δ; replacement on C_{ε,δ1}'s outputs leaves I with weight "
            "r'δ2, so the result is not pure."
        ),
        formula=("C' ≡ C_{ε,δ2+(1−δ2)δ1}; D' = C' ⊞_{r'} U = I ⊕_{r'δ2} (C_{ε,δ1} ⊞_ρ U), ρ = r'(1 − δ2)/(1 − r'δ2)"),
        source="Appendix E.1, non-covering case (its numbers are lost in the text that was used)",
        status="holds",
        proofs=(
            "nested-visible-choice",
            "non-covering",
        ),
        laws=(
            Law("total δ", st.tuples(rational_levels(1), deltas(), deltas()), _total_delta),
            Law(
                "replacement under a visible choice",
                st.tuples(rational_levels(1), st.tuples(deltas(), deltas()), alphas()),
                _uncovered_as_choice,
            ),
        ),
        facts=(
            fact(
                "r' = 60/79 (.7595) is exactly ρ = 3/4 at δ2 = 1/20",
                lambda: (
                    R_PRIME * mpq(19, 20) / (1 - R_PRIME / 20) == mpq(3, 4)
                    and abs(R_PRIME - mpq("0.7595")) < mpq(1, 20000)
                ),
            ),
            fact(
                "δ1 = 1/19 (total δ = 1/10): D' row 0 is 3/79 31/316 181/316 73/316 19/316 0",
                lambda: CASE_A.rows[0] == channel("3/79 31/316 181/316 73/316 19/316 0").rows[0],
            ),
            fact(
                "δ1 = 1/10 (total δ = 29/200): D' row 0 is 3/79 209/1580 1729/3160 703/3160 19/316 0",
                lambda: CASE_B.rows[0] == channel("3/79 209/1580 1729/3160 703/3160 19/316 0").rows[0],
            ),
            fact(
                "both curves reach 0 at 76/79",
                lambda: all(
                    next(a for a, b in tradeoff_of(d).corners if not b) == mpq(76, 79) for d in (CASE_A, CASE_B)
                ),
            ),
            fact(
                "δ1 = 1/19, label order: Z' row 0 is 443/2528 5/32 321/1264 243/1264 281/2528 281/2528",
                lambda: (
                    post_process(CASE_A, G6).rows[0]
                    == channel("443/2528 5/32 321/1264 243/1264 281/2528 281/2528").rows[0]
                ),
            ),
            fact(
                "δ1 = 1/10, label order: Z' row 0 is 287/1580 257/1580 789/3160 297/1580 689/6320 689/6320",
                lambda: (
                    post_process(CASE_B, G6).rows[0]
                    == channel("287/1580 257/1580 789/3160 297/1580 689/6320 689/6320").rows[0]
                ),
            ),
            fact(
                "sorted order: largest ratios 625/303 and 6169/3003, both above 2",
                lambda: (
                    [largest_ratio(post_process(by_ratio(d), G6)) for d in (CASE_A, CASE_B)]
                    == [mpq(625, 303), mpq(6169, 3003)]
                ),
            ),
            fact(
                "C' ≡ C_{log 3,1/10} for δ1 = 1/19, δ2 = 1/20",
                lambda: equivalent(
                    canonical(visible(mpq(1, 20), Channel(IDENTITY), Channel(approximate_dp(mpq(3), mpq(1, 19))))),
                    Channel(approximate_dp(mpq(3), mpq(1, 10))),
                ),
            ),
        ),
    ),
)
