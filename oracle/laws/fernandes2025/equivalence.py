"""Claims of section 4: two-row channels and trade-off functions as one order."""

from __future__ import annotations

from typing import Final

from gmpy2 import mpq
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from oracle.channels.canonical import canonical
from oracle.channels.channel import Channel
from oracle.channels.galois import channel_of, tradeoff_of
from oracle.channels.lattice import greatest_lower_bound
from oracle.channels.refinement import refines
from oracle.channels.tradeoff import TradeoffFunction, approximate_dp_curve, minimum
from oracle.laws.fernandes2025._equivalence_errata import (
    BENT,
    CONNECTION,
    CONVERSE,
    FINITE_COLUMNS,
    INFINITE_MEETS,
)
from oracle.laws.fernandes2025._equivalence_laws import (
    algorithm_2,
    below_levels_law,
    claim_channel,
    claim_channel_law,
    claim_curve_law,
    claim_decision_law,
    claim_refinement_law,
    columns_law,
    connection_law,
    equivalence_law,
    facets_of,
    fold_law,
    greatest_law,
    meet_law,
    minimum_of_two,
    minimum_of_two_curve_law,
    minimum_of_two_law,
    pieces_law,
    printed_columns_law,
    round_trip_law,
    segment_law,
)
from oracle.laws.fernandes2025._facts import NOTHING, ONE, ZERO, channel, curve
from oracle.laws.record import ClaimRecord, Law, fact
from oracle.laws.strategies import (
    alphas,
    channel_pairs,
    deltas,
    rational_levels,
    tradeoff_functions,
    two_row_channels,
)

__all__ = ["CLAIMS"]

HALF: Final = mpq(1, 2)
C_FIG5: Final = channel("1/4 1/6 1/3 1/4", "1/2 1/8 1/8 1/4")
M_ALPHA: Final = channel("9/10 1/10", "4/5 1/5")


def bound_pairs() -> SearchStrategy[tuple[TradeoffFunction, Channel]]:
    """A curve and a channel whose own curve often lies below it."""
    free = st.tuples(tradeoff_functions(3), two_row_channels(4))
    below = free.map(lambda pair: (pair[0], channel_of(minimum([pair[0], tradeoff_of(pair[1])]))))
    return st.one_of(free, below)


def satisfied_pairs() -> SearchStrategy[tuple[TradeoffFunction, Channel]]:
    """A curve and a channel that often satisfies it."""
    free = st.tuples(tradeoff_functions(3), two_row_channels(4))
    met = free.map(lambda pair: (minimum([pair[0], tradeoff_of(pair[1])]), pair[1]))
    return st.one_of(free, met)


def split_pairs() -> SearchStrategy[tuple[Channel, Channel]]:
    """A channel, and the same with every column split in two and the order reversed; or any two channels."""
    split = st.tuples(two_row_channels(4), alphas()).map(
        lambda pair: (
            pair[0],
            Channel([[s * v for s in (pair[1], 1 - pair[1]) for v in reversed(row)] for row in pair[0].rows]),
        )
    )
    return st.one_of(split, channel_pairs(4))


def _formula_of_two_curves() -> bool:
    """(1/4, 3/4) on 1 - alpha and (1/2, 1/4) on another curve: the printed columns are not their bound."""
    printed = channel("1/2 1/4 1/4", "1/4 1/2 1/4")
    bound = greatest_lower_bound([channel("3/4 1/4", "3/4 1/4"), BENT])
    return bound == canonical(BENT) and tradeoff_of(printed).at(mpq(1, 4)) == HALF < mpq(5, 8)


CLAIMS: tuple[ClaimRecord, ...] = (
    ClaimRecord(
        id="D13/L2",
        title="the channel of a curve",
        statement="C(f) is the greatest channel below the 2 x 2 channels f^α of all levels α. It exists, has "
        "T(C(f)) = f, and "
        "has finitely many columns exactly when f is piecewise linear: one for each segment, and (0, 1 - f(0)) "
        "if f(0) < 1.",
        formula="C(f) = min over α of [1 - α, α; f(α), 1 - f(α)]",
        source="section 4, Definition 13 and Lemma 2, proof in appendix B.1",
        status="holds_under",
        hypotheses="added: f is continuous at 0; added: f is piecewise linear, for a channel of finitely many columns",
        laws=(
            Law("below the channel of every level", st.tuples(tradeoff_functions(), alphas()), below_levels_law),
            Law("the greatest such", bound_pairs(), greatest_law),
            Law("one column for each segment", tradeoff_functions(), columns_law),
        ),
        facts=(
            fact(
                "(0, 1) (1/2, 1/4) (1, 0) gives [1/2 1/2; 1/4 3/4]",
                lambda: channel_of(curve(("0", "1"), ("1/2", "1/4"), ("1", "0"))) == BENT,
            ),
            fact(
                "(0, 1/2) (1/2, 0) (1, 0), with f(0) < 1, gives [1/2 1/2 0; 0 1/2 1/2]",
                lambda: channel_of(curve(("0", "1/2"), ("1/2", "0"), ("1", "0"))) == channel("1/2 1/2 0", "0 1/2 1/2"),
            ),
        ),
        errata=(
            CONVERSE,
            FINITE_COLUMNS,
        ),
    ),
    ClaimRecord(
        id="E-min2",
        title="the bound of two levels",
        statement="For two levels of one convex f the greatest lower bound of f^α0 and f^α1 has three columns, "
        "read off f.",
        formula="f^α0 min f^α1 = [1 - α1, α1 - α0, α0; f(α1), f(α0) - f(α1), 1 - f(α0)], α0 <= α1",
        source="section 4, after Lemma 2",
        status="holds",
        laws=(
            Law("the printed columns", st.tuples(tradeoff_functions(4), alphas(), alphas()), minimum_of_two_law),
            Law(
                "its curve is the least chord",
                st.tuples(tradeoff_functions(4), alphas(), alphas(), alphas()),
                minimum_of_two_curve_law,
            ),
        ),
        facts=(
            fact(
                "f = T([1/2 1/2; 1/4 3/4]), levels 1/4 and 1/2: [1/2 1/4 1/4; 1/4 3/8 3/8]",
                lambda: (
                    minimum_of_two(tradeoff_of(BENT), mpq(1, 4), HALF) == channel("1/2 1/4 1/4", "1/4 3/8 3/8").rows
                ),
            ),
            fact("the points (1/4, 3/4) and (1/2, 1/4) of two different curves do not fit it", _formula_of_two_curves),
        ),
    ),
    ClaimRecord(
        id="T4.1",
        title="Galois connection",
        statement="A curve f lies below the curve of M exactly when the channel of f is refined by M.",
        formula="f <= T(M) iff C(f) ⊑ M",
        source="section 4, Theorem 4.1",
        status="holds_under",
        hypotheses="added: f is continuous at 0",
        laws=(Law("below at every event exactly where refined", satisfied_pairs(), connection_law),),
        facts=(
            fact(
                "f = f_{log 2, 0} and M = [1/2 1/2; 1/4 3/4]: both sides hold",
                lambda: (
                    approximate_dp_curve(mpq(2), ZERO) <= tradeoff_of(BENT)
                    and refines(channel_of(approximate_dp_curve(mpq(2), ZERO)), BENT)
                ),
            ),
        ),
        errata=(CONNECTION,),
    ),
    ClaimRecord(
        id="T∘C",
        title="T and C are inverse to each other",
        statement="T(C(f)) = f for continuous piecewise linear f, and two channels have one curve exactly when "
        "each refines "
        "the other.",
        formula="T(C(f)) = f; T(A) = T(B) iff A ⊑ B ⊑ A",
        source="section 4, consequence of Theorem 4.1",
        status="holds",
        laws=(
            Law("to a channel and back", tradeoff_functions(), round_trip_law),
            Law("one curve, one canonical form, refined both ways", split_pairs(), equivalence_law),
        ),
        facts=(
            fact(
                "[1/4 1/4 1/2; 1/8 1/8 3/4] has the curve of [1/2 1/2; 1/4 3/4]",
                lambda: tradeoff_of(channel("1/4 1/4 1/2", "1/8 1/8 3/4")) == tradeoff_of(BENT),
            ),
        ),
    ),
    ClaimRecord(
        id="Cor2",
        title="meets of channels and of curves",
        statement="The curve of the greatest lower bound of two channels is the meet of their curves, and so for "
        "finitely many.",
        formula="T(C min C') = T(C) ⊓ T(C')",
        source="section 4, Corollary 2",
        status="holds",
        laws=(
            Law(
                "the least chord between all events",
                st.tuples(channel_pairs(3), alphas()).map(lambda pair: (*pair[0], pair[1])),
                meet_law,
            ),
        ),
        facts=(
            fact(
                "[1/2 1/2; 0 1] and [1 0; 1/2 1/2] meet in [1/2 1/2 0; 0 1/2 1/2]",
                lambda: (
                    greatest_lower_bound([channel("1/2 1/2", "0 1"), channel("1 0", "1/2 1/2")])
                    == channel("1/2 1/2 0", "0 1/2 1/2")
                ),
            ),
        ),
        errata=(INFINITE_MEETS,),
    ),
    ClaimRecord(
        id="PL",
        title="finite channels have piecewise linear curves",
        statement="The curve of a channel of n columns is piecewise linear with at most n + 1 corners, and "
        "between two neighbouring "
        "corners they determine every level.",
        formula="f^{α_i} min f^{α_{i+1}} ⊑ f^α for α_i <= α <= α_{i+1}",
        source="section 4.1",
        status="holds",
        laws=(
            Law("at most n + 1 corners, and straight between them", two_row_channels(5), pieces_law),
            Law(
                "neighbouring corners determine the levels between",
                st.tuples(tradeoff_functions(), alphas()),
                segment_law,
            ),
        ),
        facts=(
            fact(
                "figure 5: four columns of different ratios, five corners",
                lambda: len(tradeoff_of(C_FIG5).corners) == 5,
            ),
            fact(
                "[1/2 1/2 0; 0 1/2 1/2]: three columns, three corners, since f(0) < 1",
                lambda: len(tradeoff_of(channel("1/2 1/2 0", "0 1/2 1/2")).corners) == 3,
            ),
        ),
    ),
    ClaimRecord(
        id="Alg2",
        title="the columns of C(f) from its facets",
        statement="For facets α_0 < ... < α_N = 1, with 0 among them only if f(0) < 1, algorithm 2 emits the N + "
        "1 columns of C(f). "
        "(The algorithm is reconstructed from the formula for C(f).)",
        formula="(α_{i+1} - α_i, f(α_i) - f(α_{i+1})) for i = N - 1, ..., 0, then (α_0, 1 - f(α_0))",
        source="section 4.1, Algorithm 2",
        status="holds",
        hypotheses="convention: 0 is listed as a facet only if f(0) < 1",
        laws=(
            Law("a fold of greatest lower bounds", tradeoff_functions(4), fold_law),
            Law("the emitted columns", tradeoff_functions(), printed_columns_law),
        ),
        facts=(
            fact(
                "(0, 1) (1/2, 1/4) (1, 0) has the facets 1/2 and 1, two columns",
                lambda: algorithm_2(tradeoff_of(BENT), facets_of(tradeoff_of(BENT))) == BENT.rows,
            ),
            fact(
                "with 0 listed although f(0) = 1 it emits a zero column",
                lambda: algorithm_2(tradeoff_of(NOTHING), [ZERO, ONE]) == channel("1 0", "1 0").rows,
            ),
        ),
    ),
    ClaimRecord(
        id="E9",
        title="the channel of (ε, δ)",
        statement="The channel of f_{ε,δ} has four columns: with δ the input is revealed, otherwise it is "
        "randomized response.",
        formula="C(f_{ε,δ}) = [δ, aE, a, 0; 0, a, aE, δ], E = e^ε, a = (1 - δ)/(1 + E)",
        source="section 4.1, equation (9)",
        status="holds",
        hypotheses="ε >= 0",
        laws=(
            Law("its curve", st.tuples(rational_levels(1), deltas()), claim_curve_law),
            Law("its columns", st.tuples(rational_levels(1), deltas()), claim_channel_law),
        ),
        facts=(
            fact(
                "e^ε = 3, δ = 1/10: [1/10 27/40 9/40 0; 0 9/40 27/40 1/10]",
                lambda: (
                    channel_of(approximate_dp_curve(mpq(3), mpq(1, 10)))
                    == channel("1/10 27/40 9/40 0", "0 9/40 27/40 1/10")
                ),
            ),
        ),
        proofs=("approximate-dp-curve",),
    ),
    ClaimRecord(
        id="Cor3",
        title="differential privacy is a refinement",
        statement="M is (ε, δ)-DP exactly when it refines the channel of (ε, δ).",
        formula="M is (ε, δ)-DP iff C_{ε,δ} ⊑ M",
        source="section 4.1, Corollary 3",
        status="holds",
        laws=(
            Law(
                "all events against refinement",
                st.tuples(two_row_channels(4), rational_levels(1), deltas()),
                claim_refinement_law,
            ),
            Law(
                "two decisions agree", st.tuples(two_row_channels(5), rational_levels(1), deltas()), claim_decision_law
            ),
        ),
        facts=(
            fact(
                "[9/10 1/10; 4/5 1/5] refines C_{log 3/2, 1/20} but not C_{log 3/2, 1/25}",
                lambda: (
                    [refines(Channel(claim_channel(mpq(3, 2), d)), M_ALPHA) for d in (mpq(1, 20), mpq(1, 25))]
                    == [True, False]
                ),
            ),
        ),
    ),
)
