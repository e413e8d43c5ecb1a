"""Section 7 and Appendix E.2: Poisson sub-sampling as pre-processing."""

from __future__ import annotations

from itertools import product as choices
from typing import Final

from gmpy2 import mpq
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from oracle.certificates.documents import Certificate
from oracle.channels.channel import Channel, Rows
from oracle.channels.galois import tradeoff_of
from oracle.channels.operators import pre_process
from oracle.laws.ask import Ask
from oracle.laws.closed_forms import gain_at_b, subsampled_corners
from oracle.laws.compare import curve_at_most, curves_equal, equal, tables_equal, true
from oracle.laws.evidence import Evidence
from oracle.laws.fernandes2025._facts import canonical_rows, channel, curve, exact, product
from oracle.laws.fernandes2025._operators import IDENTITY, approximate_dp, hidden_of, swapped
from oracle.laws.record import ClaimRecord, Erratum, Law, fact
from oracle.laws.strategies import alphas, deltas, rational_levels, two_row_channels, witnesses

__all__ = ["CLAIMS"]

ZERO, HALF, ONE = mpq(0), mpq(1, 2), mpq(1)
E8: Final = mpq(19, 7)
"""A rational in place of e in figure 8, where ε = 1."""


def sampler(gamma: mpq) -> Rows:
    """P: without the extra record nothing changes, with it the record is in the sample with probability γ."""
    return ((ONE, ZERO), (1 - gamma, gamma))


def _poisson(records: int, gamma: mpq) -> Rows:
    """Every sample of D and of D' = D + one record, each record drawn with probability γ.

    Row 0 is the law of the sample of D, row 1 that of D'; a column is a subset of D', the extra record last.
    """
    first, second = [], []
    for taken in choices((0, 1), repeat=records + 1):
        weight = ONE
        for one in taken[:-1]:
            weight *= gamma if one else 1 - gamma
        first.append(ZERO if taken[-1] else weight)
        second.append(weight * (gamma if taken[-1] else 1 - gamma))
    return tuple(first), tuple(second)


def _sampled(exp_epsilon: mpq, delta: mpq, gamma: mpq) -> Channel:
    return pre_process(sampler(gamma), Channel(approximate_dp(exp_epsilon, delta)))


# --- laws -------------------------------------------------------------------------------------------------------------


def _entries(ask: Ask, level: mpq, delta: mpq, gamma: mpq) -> mpq:
    a, keep = (1 - delta) / (1 + level), 1 - gamma
    high = a * level
    table = (
        (delta, high, a, ZERO),
        (keep * delta, keep * high + gamma * a, keep * a + gamma * high, gamma * delta),
    )
    return tables_equal(ask.pre(sampler(gamma), approximate_dp(level, delta)), table)


def _sampling_by_subsets(ask: Ask, records: int, gamma: mpq) -> mpq:
    """The samples of D and D' tell D from D' just as P·I does: which other records are in the sample tells nothing."""
    return tables_equal(ask.canonical(ask.pre(sampler(gamma), IDENTITY)), canonical_rows(_poisson(records, gamma)))


def _corner_points(ask: Ask, level: mpq, delta: mpq, gamma: mpq) -> mpq:
    curve_ = ask.tradeoff(ask.pre(sampler(gamma), approximate_dp(level, delta)))
    return curves_equal(curve_, tuple(subsampled_corners(level, delta, gamma)))


def _gain_at_b(ask: Ask, level: mpq, delta: mpq, gamma: mpq) -> mpq:
    a, worst_case = (1 - delta) / (1 + level), approximate_dp(level, delta)
    sampled = exact(ask.beta(ask.pre(sampler(gamma), worst_case), a))
    gain: mpq = gain_at_b(level, delta, gamma)
    return max(equal(sampled - exact(ask.beta(worst_case, a)), gain), -gain)


def _affine_law(ask: Ask, of: Channel, gamma: mpq, alpha: mpq) -> mpq:
    sampled = ask.beta(ask.pre(sampler(gamma), of.rows), alpha)
    return equal(sampled, gamma * exact(ask.beta(of.rows, alpha)) + (1 - gamma) * (1 - alpha))


Family = tuple[mpq, mpq, tuple[Channel, ...]]


@st.composite
def _families(draw: DrawFn, size: int, max_columns: int = 3) -> Family:
    """E, δ and (ε, δ)-DP pairs with equally many outputs, each made from C_{ε,δ} by a witness."""
    level, delta = draw(rational_levels(1)), draw(deltas())
    worst_case = Channel(approximate_dp(level, delta))
    makers = [draw(witnesses(4, max_columns)) for _ in range(size)]
    width = max(len(maker[0]) for maker in makers)
    padded = [tuple((*row, *(ZERO,) * (width - len(row))) for row in maker) for maker in makers]
    return level, delta, tuple(Channel(product(worst_case.rows, maker)) for maker in padded)


def _worst_case_is_below(ask: Ask, family: Family, gamma: mpq) -> mpq:
    level, delta, (of,) = family
    low = ask.tradeoff(ask.pre(sampler(gamma), approximate_dp(level, delta)))
    return curve_at_most(low, ask.tradeoff(ask.pre(sampler(gamma), of.rows)))


def _mixture_is_above(ask: Ask, family: Family, gamma: mpq) -> mpq:
    """One further record: the samples ∅ and {m} of D, each with and without the extra record."""
    level, delta, pairs = family
    weights = (1 - gamma, gamma)
    without, extra = (
        product((weights,), tuple(p.rows[0] for p in pairs)),
        product((weights,), tuple(p.rows[1] for p in pairs)),
    )
    table = (without[0], hidden_of(1 - gamma, without, extra)[0])
    low = ask.tradeoff(ask.pre(sampler(gamma), approximate_dp(level, delta)))
    return curve_at_most(low, ask.tradeoff(table))


def _asymmetric_exactly_when(ask: Ask, level: mpq, delta: mpq, gamma: mpq) -> mpq:
    table = ask.pre(sampler(gamma), approximate_dp(level, delta))
    symmetric = curves_equal(ask.tradeoff(table), ask.tradeoff(table, "backward")) <= 0
    return true(symmetric == (gamma in (0, 1) or (level == 1 and delta == 0)))


def _symmetric_cases() -> bool:
    """γ = 1, γ = 0, and ε = δ = 0: the sampled profile is symmetric in all three."""
    cases = [_sampled(mpq(2), ZERO, ONE), _sampled(mpq(2), HALF, ZERO), _sampled(ONE, ZERO, HALF)]
    return all(tradeoff_of(case).is_symmetric() for case in cases)


def _symmetric_certificate() -> Certificate:
    evidence = Evidence()
    table = Channel(evidence.product(sampler(HALF), ((HALF, HALF), (HALF, HALF))))
    evidence.equivalent(table, Channel(swapped(table.rows)))
    whole = Channel(evidence.product(sampler(ONE), channel("2/3 1/3", "1/3 2/3")))
    evidence.equivalent(whole, Channel(swapped(whole.rows)))
    return evidence.certificate()


PARAMETERS: Final = st.tuples(rational_levels(1), deltas(), alphas())
FIG8: Final = _sampled(E8, mpq(1, 10), mpq(1, 5))

CLAIMS: tuple[ClaimRecord, ...] = (
    ClaimRecord(
        id="Alg3/P",
        title="Poisson sub-sampling as a pre-processor",
        statement=(
            "D' has one record more than D. Poisson sampling leaves the extra record out with probability 1 − γ, which "
            "is the pre-processor P before the mechanism; the entries of P·C_{ε,δ} follow."
        ),
        formula=("P = [1 0; 1−γ γ]; P·C_{ε,δ} = [δ aE a 0; (1−γ)δ (1−γ)aE+γa (1−γ)a+γaE γδ], E = e^ε, a = (1−δ)/(1+E)"),
        source="section 7, Algorithm 3, and Appendix E.2 (matrices printed column by column)",
        status="holds",
        proofs=("subsampled-corners",),
        laws=(
            Law("entries", PARAMETERS, _entries),
            Law("samples enumerated", st.tuples(st.integers(0, 3), alphas()), _sampling_by_subsets),
        ),
        facts=(
            fact(
                "e^ε = 19/7, δ = 1/10, γ = 1/5: [1/10 171/260 63/260 0; 2/25 747/1300 423/1300 1/50]",
                lambda: channel("1/10 171/260 63/260 0", "2/25 747/1300 423/1300 1/50") == FIG8,
            ),
            fact(
                "e^ε = 3, δ = 0, γ = 1/4: [0 3/4 1/4 0; 0 5/8 3/8 0]",
                lambda: _sampled(mpq(3), ZERO, mpq(1, 4)) == channel("0 3/4 1/4 0", "0 5/8 3/8 0"),
            ),
        ),
    ),
    ClaimRecord(
        id="S-pts",
        title="Corners of the sub-sampled canonical channel",
        statement=(
            "The curve of P·C_{ε,δ} has the corners A, B, C, D; sampling raises the curve at B by the stated gain."
        ),
        formula=(
            "A = (0, 1−γδ), B = (a, (1−γ)(δ+aE)+γa), C = (1−δ, (1−γ)δ), D = (1, 0); "
            "gain at B = (1−γ)δ + a(1−γ)(E−1) ≥ 0"
        ),
        source="Appendix E.2, the four points and the difference below them",
        status="holds",
        proofs=(
            "subsampled-corners",
            "gain-at-b",
            "preprocessing-line",
        ),
        laws=(Law("the four points", PARAMETERS, _corner_points), Law("gain at B", PARAMETERS, _gain_at_b)),
        facts=(
            fact(
                "figure 8 (ε = 1, δ = 1/10, γ = 1/5, e replaced by 19/7): (0, 49/50), (63/260, 851/1300), (9/10, "
                "2/25), (1, 0)",
                lambda: tradeoff_of(FIG8) == curve((0, "49/50"), ("63/260", "851/1300"), ("9/10", "2/25"), (1, 0)),
            ),
            fact(
                "its gain at B is 134/325",
                lambda: tradeoff_of(FIG8).at(mpq(63, 260)) - mpq(63, 260) == mpq(134, 325),
            ),
            fact(
                "e^ε = 3, δ = 0, γ = 1/4: (0, 1), (1/4, 5/8), (1, 0)",
                lambda: tradeoff_of(_sampled(mpq(3), ZERO, mpq(1, 4))) == curve((0, 1), ("1/4", "5/8"), (1, 0)),
            ),
            fact(
                "e^ε = 1, δ = 1/3, γ = 1/2: B is on the line from A to C: (0, 5/6), (2/3, 1/6), (1, 0)",
                lambda: tradeoff_of(_sampled(ONE, mpq(1, 3), HALF)) == curve((0, "5/6"), ("2/3", "1/6"), (1, 0)),
            ),
            fact(
                "γ = 0: nothing is learnt",
                lambda: tradeoff_of(_sampled(mpq(2), mpq(1, 6), ZERO)) == curve((0, 1), (1, 0)),
            ),
        ),
    ),
    ClaimRecord(
        id="S-id",
        title="Curve after sub-sampling",
        statement="Sampling mixes the curve of any mechanism with that of no information (not in the paper).",
        formula="T(P·M)(α) = γ T(M)(α) + (1 − γ)(1 − α)",
        source="follows from section 5.4 and Appendix E.2",
        status="holds",
        proofs=("preprocessing-line",),
        laws=(Law("mixed curve", st.tuples(two_row_channels(4), alphas(), alphas()), _affine_law),),
        facts=(
            fact(
                "[9/10 1/10; 1/2 1/2], γ = 1/5: (0, 1), (1/10, 41/50), (1, 0)",
                lambda: (
                    tradeoff_of(pre_process(sampler(mpq(1, 5)), channel("9/10 1/10", "1/2 1/2")))
                    == curve((0, 1), ("1/10", "41/50"), (1, 0))
                ),
            ),
        ),
    ),
    ClaimRecord(
        id="S-worst",
        title="The canonical channel is the worst case under sub-sampling",
        statement=(
            "If M is (ε, δ)-DP, the sampled M is at least as private as the sampled canonical channel; so is the whole "
            "mixture over the samples of the other records."
        ),
        formula="f_{ε,δ} ≤ T(M) and ≤ T of the rows exchanged imply T(P·C_{ε,δ}) ≤ T(P·M)",
        source="Appendix E.2, paragraph on the worst (ε, δ)-DP channel",
        status="holds",
        laws=(
            Law("one pair", st.tuples(_families(1), alphas()), _worst_case_is_below),
            Law("mixture over samples", st.tuples(_families(2), alphas()), _mixture_is_above),
        ),
        facts=(
            fact(
                "e^ε = 19/7, δ = 1/10, γ = 1/5 and M = C_{log 2,0}, which is (1, 1/10)-DP",
                lambda: tradeoff_of(FIG8) <= tradeoff_of(_sampled(mpq(2), ZERO, mpq(1, 5))),
            ),
        ),
    ),
    ClaimRecord(
        id="S-asym",
        title="The sub-sampled profile is not symmetric",
        statement="The curve of P·C_{ε,δ} differs from its inverse exactly when 0 < γ < 1 and ε > 0 or δ > 0.",
        formula="T(P·C_{ε,δ}) ≠ T(P·C_{ε,δ})^{-1} iff 0 < γ < 1 and (ε, δ) ≠ (0, 0)",
        source="Appendix E.2, last paragraph",
        status="holds_under",
        hypotheses="added: 0 < γ < 1, and ε > 0 or δ > 0.",
        laws=(Law("exactly when", PARAMETERS, _asymmetric_exactly_when),),
        facts=(
            fact(
                "figure 8: the inverse has the corners (0, 1), (2/25, 9/10), (851/1300, 63/260), (49/50, 0), (1, 0)",
                lambda: (
                    tradeoff_of(FIG8).inverse()
                    == curve((0, 1), ("2/25", "9/10"), ("851/1300", "63/260"), ("49/50", 0), (1, 0))
                ),
            ),
        ),
        errata=(
            Erratum(
                printed=("The privacy profile of the sub-sampled mechanism is not symmetric (no condition stated)."),
                counterexample=(
                    "The inverse of a curve is the curve of the channel with its rows exchanged. First, ε = δ = 0 and "
                    "γ = 1/2: C_{0,0} is [1/2 1/2; 1/2 1/2] (zero columns left out), P = [1 0; 1/2 1/2], and P·C_{0,0} "
                    "= [1/2 1/2; 1/2 1/2]: its rows are equal, so exchanging them changes nothing. Second, γ = 1, e^ε "
                    "= 2, δ = 0: P = [1 0; 0 1] and P·C_{ε,0} = [2/3 1/3; 1/3 2/3]; with its rows exchanged it is [1/3 "
                    "2/3; 2/3 1/3], the same columns in another order, with the same curve."
                ),
                correction="Not symmetric exactly when 0 < γ < 1 and ε > 0 or δ > 0.",
                scope="hypothesis",
                fails=_symmetric_cases,
                certificate=_symmetric_certificate,
                summary="symmetric for degenerate γ or (ε, δ)",
                printed_formula="T(P·C_{ε,δ}) ≠ T(P·C_{ε,δ})^{-1}",
            ),
        ),
    ),
)
