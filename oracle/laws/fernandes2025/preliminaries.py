"""Claims of section 2: differential privacy, tests and trade-off functions, channels and leakage."""

from __future__ import annotations

from typing import Final

from gmpy2 import mpq
from hypothesis import strategies as st

from oracle.channels.divergences import hockey_stick
from oracle.channels.galois import tradeoff_of
from oracle.channels.operators import parallel
from oracle.channels.refinement import refines
from oracle.channels.tradeoff import approximate_dp_curve, maximum, minimum
from oracle.channels.worst_case import approximate_dp_channel
from oracle.laws import strategies
from oracle.laws.compare import valid_curve
from oracle.laws.fernandes2025._facts import EVERYTHING, NOTHING, ONE, channel, chord_minimum, curve, error_of
from oracle.laws.fernandes2025._leakage import LEAKAGE
from oracle.laws.fernandes2025._preliminary_errata import ACCEPTANCE, CONTINUITY, RATE_NAMES, SIGNS
from oracle.laws.fernandes2025._preliminary_laws import (
    bounds_law,
    chord_law,
    composed_delta_law,
    composed_refinement_law,
    curve_ends_law,
    curve_value_law,
    dp_curve_law,
    dp_decision_law,
    join_law,
    least_delta,
    least_delta_law,
    likelihood_ratio_tests,
    meet_law,
    neyman_pearson_law,
    test_law,
    tight_claim_law,
    tradeoff_claim_law,
    valid_function_law,
)
from oracle.laws.record import ClaimRecord, Law, fact
from oracle.laws.strategies import (
    alphas,
    rational_levels,
    tradeoff_functions,
    two_row_channels,
)

__all__ = ["CLAIMS"]

M_ALPHA: Final = channel("9/10 1/10", "4/5 1/5")
FIG6: Final = approximate_dp_channel(mpq(2), mpq(1, 20))


def _meet_and_join() -> bool:
    f, g = (tradeoff_of(m) for m in (channel("1/2 1/2", "0 1"), channel("1 0", "1/2 1/2")))
    return minimum([f, g]) == curve(("0", "1/2"), ("1/2", "0"), ("1", "0")) and maximum([f, g]) == curve(
        ("0", "1"), ("1/3", "1/3"), ("1", "0")
    )


def _pure_levels() -> bool:
    own = tradeoff_of(channel("1/2 1/2", "1/4 3/4"))
    return approximate_dp_curve(mpq(2), mpq(0)) <= own and not approximate_dp_curve(mpq(3, 2), mpq(0)) <= own


CLAIMS: tuple[ClaimRecord, ...] = (
    ClaimRecord(
        id="D-DP (1)",
        title="(ε, δ)-differential privacy of a pair",
        statement="A channel M with rows p and q is (ε, δ)-DP when every set S of outputs satisfies both inequalities.",
        formula="p_S <= e^ε q_S + δ and q_S <= e^ε p_S + δ for all S",
        source="section 2.1, equation (1)",
        status="definition",
        laws=(
            Law(
                "the least delta is the largest excess of an event",
                st.tuples(two_row_channels(5), rational_levels(1)),
                least_delta_law,
            ),
            Law(
                "accepted exactly where no event exceeds it",
                st.tuples(two_row_channels(4), rational_levels(1), alphas()),
                dp_decision_law,
            ),
        ),
        facts=(
            fact(
                "[9/10 1/10; 4/5 1/5] at e^ε = 3/2 needs δ = 1/20",
                lambda: least_delta(M_ALPHA.rows, mpq(3, 2)) == mpq(1, 20),
            ),
        ),
        defines=True,
    ),
    ClaimRecord(
        id="R-comp",
        title="basic composition",
        statement="If M is (ε, δ)-DP, then running it twice independently is (2ε, 2δ)-DP, 2δ read as 1 where it "
        "exceeds 1.",
        formula="C_{2ε, min(1, 2δ)} ⊑ M ∥ M",
        source="section 2.1, remark after equation (1)",
        status="holds",
        laws=(
            Law(
                "twice the level, twice the delta",
                st.tuples(two_row_channels(4), rational_levels(1)),
                composed_delta_law,
            ),
            Law(
                "the doubled worst case is refined",
                st.tuples(two_row_channels(4), rational_levels(1)),
                composed_refinement_law,
            ),
        ),
        facts=(
            fact(
                "figure 6: C_{log 4, 1/10} ⊑ C ∥ C for C = C_{log 2, 1/20}",
                lambda: refines(approximate_dp_channel(mpq(4), mpq(1, 10)), parallel([FIG6, FIG6])),
            ),
            fact(
                "figure 6: C ∥ C at e^ε = 4 needs δ = 39/400, less than 1/10",
                lambda: hockey_stick(parallel([FIG6, FIG6]), mpq(4), "both") == mpq(39, 400),
            ),
        ),
    ),
    ClaimRecord(
        id="D-test",
        title="tests and their errors",
        statement="A test φ gives each output the probability with which H0 (the dataset is D0) is rejected. Its "
        "significance "
        "level α_φ is the type I error, its power the probability to reject when D1 is true.",
        formula="φ: Y -> [0, 1], α_φ = E_p[φ], 1 - β_φ = E_q[φ]",
        source="section 2.2, definition of a test",
        status="definition",
        laws=(
            Law(
                "no test is below the curve",
                st.tuples(two_row_channels(5), st.lists(alphas(), min_size=5, max_size=5)),
                test_law,
            ),
        ),
        facts=(
            fact(
                "on [1/2 1/2; 1/4 3/4] rejecting the second output has α = 1/2 and β = 1/4",
                lambda: error_of(channel("1/2 1/2", "1/4 3/4").rows, ONE) == (mpq(1, 2), mpq(3, 4)),
            ),
        ),
        errata=(
            ACCEPTANCE,
            RATE_NAMES,
        ),
        defines=True,
    ),
    ClaimRecord(
        id="L1",
        title="Neyman-Pearson lemma",
        statement="For each level some likelihood ratio test with a finite threshold h >= 0 and a fraction c on "
        "ties has that "
        "level exactly, and it is a most powerful test of the level.",
        formula="φ = 1 if q > h p, c if q = h p, 0 if q < h p: α_φ = α and β_φ = T(p, q)(α)",
        source="section 2.2, Lemma 1",
        status="holds",
        laws=(
            Law(
                "a likelihood ratio test reaches the curve",
                st.tuples(two_row_channels(5), alphas()),
                neyman_pearson_law,
            ),
        ),
        facts=(
            fact(
                "[1/2 1/2 0; 0 1/2 1/2] at α = 0: h = 2 beyond the largest finite ratio, c = 0, β = 1/2",
                lambda: (
                    (mpq(2), mpq(0), mpq(1, 2))
                    in likelihood_ratio_tests(channel("1/2 1/2 0", "0 1/2 1/2").rows, mpq(0))
                ),
            ),
            fact(
                "at α = 1: h = 0, c = 1, β = 0",
                lambda: (mpq(0), ONE, mpq(0)) in likelihood_ratio_tests(channel("1/2 1/2 0", "0 1/2 1/2").rows, ONE),
            ),
        ),
    ),
    ClaimRecord(
        id="D2",
        title="trade-off function of a pair",
        statement="T(p, q) takes a level α to the least type II error of all tests whose type I error is at most α.",
        formula="T(p, q)(α) = inf {β_φ : α_φ <= α}",
        source="section 2.2, Definition 2",
        status="definition",
        laws=(
            Law(
                "the least error over all vertices of the polytope of tests",
                st.tuples(two_row_channels(5), alphas()),
                curve_value_law,
            ),
            Law("where it starts and where it reaches 0", two_row_channels(5), curve_ends_law),
        ),
        facts=(
            fact(
                "[1/2 1/2 0; 0 1/2 1/2] starts at 1/2 and reaches 0 at 1/2",
                lambda: tradeoff_of(channel("1/2 1/2 0", "0 1/2 1/2")) == curve(("0", "1/2"), ("1/2", "0"), ("1", "0")),
            ),
        ),
        defines=True,
    ),
    ClaimRecord(
        id="R-conv",
        title="trade-off functions are convex",
        statement="T(p, q) is convex, continuous, non-increasing, at most 1 - α, and 0 at α = 1.",
        formula="T(λx + (1 - λ)y) <= λ T(x) + (1 - λ) T(y), T(α) <= 1 - α",
        source="section 2.2, remark after Definition 2",
        status="holds",
        laws=(
            Law(
                "the corners are those of a trade-off function",
                two_row_channels(5),
                lambda ask, m: valid_curve(ask.tradeoff(m.rows)),
            ),
            Law("no value is above a chord", st.tuples(two_row_channels(5), alphas(), alphas(), alphas()), chord_law),
        ),
        facts=(
            fact(
                "T(1) = 0 and T(0) = 1 for [1/2 1/2; 1/4 3/4]",
                lambda: [tradeoff_of(channel("1/2 1/2", "1/4 3/4")).at(mpq(a)) for a in (0, 1)] == [1, 0],
            ),
        ),
    ),
    ClaimRecord(
        id="D3",
        title="abstract trade-off functions",
        statement="F is the set of convex functions from [0, 1] to [0, 1] that are continuous at 0 and at most 1 "
        "- α, ordered "
        "pointwise. That they are non-increasing and 0 at 1 follows.",
        formula="f convex, f(α) <= 1 - α, f continuous at 0; f <= g iff f(α) <= g(α) for all α",
        source="section 2.2, Definition 3",
        status="holds_under",
        hypotheses="added: f is continuous at 0",
        laws=(Law("members of F are curves of channels", tradeoff_functions(), valid_function_law),),
        facts=(
            fact(
                "rising corners are not convex: the chord from (0, 0) to (1, 0) passes below (1/2, 1/2)",
                lambda: chord_minimum([(mpq(0), mpq(0)), (ONE, mpq(0))], mpq(1, 2)) < mpq(1, 2),
            ),
        ),
        errata=(CONTINUITY,),
    ),
    ClaimRecord(
        id="R-lat",
        title="trade-off functions are a lattice",
        statement="The pointwise maximum of two members of F is their join. Their meet is the largest member "
        "below both, the lower "
        "convex hull of the pointwise minimum. The least member is 0, the greatest 1 - α.",
        formula="(f ⊔ g)(α) = max(f(α), g(α)); f ⊓ g = conv min(f, g)",
        source="section 2.2, after Definition 3",
        status="holds",
        laws=(
            Law(
                "the join is the pointwise maximum",
                st.tuples(tradeoff_functions(4), tradeoff_functions(4), alphas()),
                join_law,
            ),
            Law(
                "the meet is the least chord",
                st.tuples(tradeoff_functions(4), tradeoff_functions(4), alphas()),
                meet_law,
            ),
            Law("between everything and nothing revealed", two_row_channels(5), bounds_law),
        ),
        facts=(
            fact(
                "the least curve is 0, the greatest 1 - α",
                lambda: (tradeoff_of(EVERYTHING).at(mpq(0)), tradeoff_of(NOTHING).at(mpq(1, 3))) == (mpq(0), mpq(2, 3)),
            ),
            fact(
                "the curves of [1/2 1/2; 0 1] and [1 0; 1/2 1/2] meet in (0, 1/2) (1/2, 0) (1, 0)",
                _meet_and_join,
            ),
        ),
    ),
    ClaimRecord(
        id="D4",
        title="f-differential privacy",
        statement="A mechanism is f-DP when f lies below the trade-off function of every pair of adjacent datasets.",
        formula="f <= T(M(D), M(D'))",
        source="section 2.2, Definition 4",
        status="definition",
        laws=(
            Law(
                "accepted exactly where no event is below f",
                st.tuples(two_row_channels(4), tradeoff_functions(3)),
                tradeoff_claim_law,
            ),
            Law("a channel satisfies its own curve", two_row_channels(5), tight_claim_law),
        ),
        facts=(fact("T([1/2 1/2; 1/4 3/4]) is at least f_{log 2, 0} but not at least f_{log 3/2, 0}", _pure_levels),),
        defines=True,
    ),
    ClaimRecord(
        id="Fig2/E-f",
        title="the curve of (ε, δ)",
        statement="The trade-off function of (ε, δ)-DP is the largest of 0 and two lines of slopes -e^ε and -e^-ε.",
        formula="f(α) = max{0, 1 - δ - e^ε α, e^-ε (1 - δ - α)}; corners (0, 1 - δ), (a, a), (1 - δ, 0), (1, 0), "
        "a = (1 - δ)/(1 + e^ε)",
        source="section 2.2, Proposition on (ε, δ)-DP and Figure 2",
        status="holds_under",
        hypotheses="added: ε >= 0 and 0 <= δ <= 1",
        laws=(
            Law(
                "the three lines are the curve of the worst channel",
                st.tuples(rational_levels(1), strategies.deltas(), alphas()),
                dp_curve_law,
            ),
        ),
        facts=(
            fact(
                "figure 2 with 19/7 for e: (0, 9/10) (63/260, 63/260) (9/10, 0) (1, 0)",
                lambda: (
                    approximate_dp_curve(mpq(19, 7), mpq(1, 10))
                    == curve(("0", "9/10"), ("63/260", "63/260"), ("9/10", "0"), ("1", "0"))
                ),
            ),
        ),
        errata=(SIGNS,),
        proofs=("approximate-dp-curve",),
    ),
    *LEAKAGE,
)
