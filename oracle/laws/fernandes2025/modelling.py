"""Claims of section 3: tests as channels, hockey sticks as gains, and refinement as the order of curves."""

from __future__ import annotations

from typing import Final

from gmpy2 import mpq
from hypothesis import strategies as st

from oracle.channels.divergences import hockey_stick
from oracle.channels.galois import tradeoff_of
from oracle.channels.operators import post_process
from oracle.channels.refinement import Separation, refine, refines, witness_of
from oracle.channels.testing import error_at, test_channel, two_point_channel
from oracle.laws.fernandes2025._facts import EVERYTHING, NOTHING, ZERO, channel, curve, error_of
from oracle.laws.fernandes2025._modelling_errata import (
    COLUMN_ORDER,
    LARGE_ERRORS,
    LEVEL_ZERO,
    MAXIMAL_LEVEL,
    STEEP,
)
from oracle.laws.fernandes2025._modelling_laws import (
    at_one_level_law,
    best_test_law,
    both_orders_law,
    curve_of_two_point_law,
    error_law,
    events_law,
    finite_levels_law,
    hockey_stick_gain_law,
    hockey_stick_law,
    hockey_stick_order_law,
    monotone_law,
    ordered_curves_law,
    reflecting_law,
    same_level_strict_law,
    separating_level,
    separation_law,
    test_channel_law,
    two_point_refines_law,
    value_law,
)
from oracle.laws.record import ClaimRecord, Law, fact
from oracle.laws.strategies import (
    alphas,
    channel_pairs,
    channels_with_levels,
    channels_with_witnesses,
    rational_levels,
    two_row_channels,
)

__all__ = ["CLAIMS"]

M_ALPHA: Final = channel("9/10 1/10", "4/5 1/5")
C_ALPHA: Final = channel("9/10 1/10", "1/2 1/2")
WITNESS: Final = channel("37/40 3/40", "27/40 13/40")
C_FIG5: Final = channel("1/4 1/6 1/3 1/4", "1/2 1/8 1/8 1/4")
HALF: Final = mpq(1, 2)


def _unique_witness() -> bool:
    """The witness of the example, the only one since C^alpha is invertible (determinant 9/20 - 1/20)."""
    (a, b), (c, d) = C_ALPHA.rows
    found = witness_of(C_ALPHA, M_ALPHA).entries
    entries = tuple((i, j, v) for i, row in enumerate(WITNESS.rows) for j, v in enumerate(row))
    return a * d - b * c != 0 and found == entries and post_process(C_ALPHA, WITNESS.rows) == M_ALPHA


def _figure_5() -> bool:
    alpha, power = error_of(C_FIG5.rows, mpq(3, 5))
    values = [hockey_stick(c, mpq(3, 5), "backward") / 2 for c in (C_FIG5, two_point_channel(C_FIG5, alpha))]
    return (alpha, 1 - power, *values) == (mpq(2, 3), mpq(1, 8), mpq(19, 80), mpq(19, 80))


def _separates(level: mpq, alpha: mpq) -> bool:
    """The repaired level on [1; 1] against [1/2 1/2; 0 1]."""
    low, high = (hockey_stick(m, level, "backward") for m in (NOTHING, STEEP))
    return separating_level(NOTHING.rows, alpha) == level and low < high


CLAIMS: tuple[ClaimRecord, ...] = (
    ClaimRecord(
        id="D8",
        title="the curve of a channel",
        statement="The trade-off function of a two-row channel is that of its rows, in their order.",
        formula="T(M) = T(M_D0, M_D1)",
        source="section 3, Definition 8",
        status="definition",
        laws=(
            Law("rows exchanged is the other direction", two_row_channels(5), both_orders_law),
            Law("the lower boundary of all events", two_row_channels(5), events_law),
        ),
        facts=(
            fact(
                "T([9/10 1/10; 1/2 1/2]) = (0, 1) (1/10, 1/2) (1, 0)",
                lambda: tradeoff_of(C_ALPHA) == curve(("0", "1"), ("1/10", "1/2"), ("1", "0")),
            ),
        ),
        defines=True,
    ),
    ClaimRecord(
        id="L-R",
        title="a test as a post-processor",
        statement="The test that rejects where q >= h p, as a channel from outputs to (accept, reject), takes M "
        "to M^α with "
        "α its significance level.",
        formula="R^h_{i,1} = 1 iff q_i >= h p_i, R^h_{i,0} = 1 - R^h_{i,1}: M·R^h = M^α, α = err_M(h)",
        source="section 3, before Definition 9",
        status="holds",
        laws=(Law("the test takes M to its 2 x 2 channel", channels_with_levels(5), test_channel_law),),
        facts=(
            fact(
                "[1/2 1/2; 1/4 3/4] at h = 1: R = [1 0; 0 1], M·R = M = M^{1/2}",
                lambda: test_channel(channel("1/2 1/2", "1/4 3/4"), mpq(1)) == EVERYTHING,
            ),
        ),
        errata=(COLUMN_ORDER,),
    ),
    ClaimRecord(
        id="D9",
        title="the 2 x 2 channel of a level",
        statement="M^α is the channel of the best test at level α: accept or reject. M is refined by it at every α.",
        formula="M^α = [1 - α, α; T(M)(α), 1 - T(M)(α)] and M ⊑ M^α",
        source="section 3, Definition 9",
        status="holds",
        laws=(
            Law("M is refined by it", st.tuples(two_row_channels(5), alphas()), two_point_refines_law),
            Law("its curve touches that of M", st.tuples(two_row_channels(5), alphas()), curve_of_two_point_law),
        ),
        facts=(
            fact(
                "[1/2 1/2; 1/4 3/4] at α = 1/4, no corner: [3/4 1/4; 5/8 3/8]",
                lambda: two_point_channel(channel("1/2 1/2", "1/4 3/4"), mpq(1, 4)) == channel("3/4 1/4", "5/8 3/8"),
            ),
        ),
    ),
    ClaimRecord(
        id="D10",
        title="the error of the test at h",
        statement="The test that rejects where q >= h p has type I error err_M(h), and its type II error is the "
        "curve there.",
        formula="err_M(h) = Σ_{q_i >= h p_i} p_i, T(M)(err_M(h)) = 1 - Σ_{q_i >= h p_i} q_i, h >= 0",
        source="section 3, Definition 10",
        status="holds",
        laws=(
            Law("its type II error is on the curve", channels_with_levels(5), error_law),
            Law("no test is cheaper at price h", channels_with_levels(5), best_test_law),
        ),
        facts=(
            fact("err(0) = 1 for [1 0; 0 1]", lambda: error_at(EVERYTHING, ZERO) == 1),
            fact(
                "a zero column counts for nothing", lambda: error_of(channel("1 0", "1 0").rows, mpq(2)) == (ZERO, ZERO)
            ),
        ),
    ),
    ClaimRecord(
        id="D11/D12",
        title="hockey-stick gains and their order",
        statement="The gain that stakes h on D0 against 1 on D1, or nothing, has vulnerability half the hockey "
        "stick at h. "
        "C is below M in the hockey-stick order when this holds at every h >= 0; the finite ratios of M decide.",
        formula="V_h[u ▹ M] = 1/2 Σ max(0, q_i - h p_i); C <=_h M iff V_h(C) <= V_h(M) for all h >= 0",
        source="section 3, Definitions 11 and 12",
        status="definition",
        laws=(
            Law("the largest surplus of an event", channels_with_levels(5), hockey_stick_law),
            Law("the vulnerability of the raised gain", channels_with_levels(5), hockey_stick_gain_law),
            Law(
                "the finite ratios of M decide",
                st.tuples(channel_pairs(3), rational_levels()).map(lambda t: (t[0][1], t[0][0], t[1])),
                finite_levels_law,
            ),
        ),
        facts=(
            fact("V_0 is 1/2 for every channel", lambda: hockey_stick(M_ALPHA, ZERO, "backward") == 1),
            fact(
                "[1/2 1/2; 1/4 3/4] at h = 1: V = 1/8",
                lambda: hockey_stick(channel("1/2 1/2", "1/4 3/4"), mpq(1), "backward") / 2 == mpq(1, 8),
            ),
        ),
        defines=True,
    ),
    ClaimRecord(
        id="E-V",
        title="hockey sticks from the curve",
        statement="The hockey-stick vulnerability is read off the curve at the level of the test at h, and is "
        "the same for "
        "the 2 x 2 channel there.",
        formula="V_h(M) = 1/2 (1 - f(α) - hα) = V_h(M^α), f = T(M), α = err_M(h)",
        source="section 3.1, before Theorem 3.1, and Figure 5",
        status="holds",
        laws=(Law("the sum, the curve and the average agree", channels_with_levels(5), value_law),),
        facts=(
            fact("figure 5: C = [1/4 1/6 1/3 1/4; 1/2 1/8 1/8 1/4], h = 3/5: α = 2/3, f = 1/8, V = 19/80", _figure_5),
        ),
    ),
    ClaimRecord(
        id="Ex3",
        title="example of two tests",
        statement="At level 1/10 a channel with type II error 1/2 is strictly refined by one with 4/5, and the "
        "hockey "
        "sticks show it.",
        formula="C^α = [9/10 1/10; 1/2 1/2] ⊏ M^α = [9/10 1/10; 4/5 1/5]",
        source="section 3.1, example and Figure 4",
        status="holds",
        laws=(
            Law("the smaller error is strictly below", st.tuples(alphas(), alphas(), alphas()), same_level_strict_law),
        ),
        facts=(
            fact("the only witness is [37/40 3/40; 27/40 13/40]", _unique_witness),
            fact("M^α is not refined by C^α", lambda: isinstance(refine(M_ALPHA, C_ALPHA), Separation)),
            fact(
                "figure 4, h = 13/10: V_h(C^α) = 37/200 and V_h(M^α) = 7/200",
                lambda: (
                    [hockey_stick(c, mpq(13, 10), "backward") / 2 for c in (C_ALPHA, M_ALPHA)]
                    == [mpq(37, 200), mpq(7, 200)]
                ),
            ),
        ),
    ),
    ClaimRecord(
        id="T3.1(1)",
        title="ordered curves give ordered tests",
        statement="If the curve of C is below that of M, then at every level the test channel of C is refined by "
        "that of M.",
        formula="T(C) <= T(M) implies C^α ⊑ M^α for all α",
        source="section 3.1, Theorem 3.1(1)",
        status="holds",
        laws=(
            Law(
                "tests of ordered curves",
                st.tuples(channels_with_witnesses(4), alphas()).map(lambda t: (*t[0], t[1])),
                ordered_curves_law,
            ),
            Law(
                "exactly where the curves are ordered at the level",
                st.tuples(channel_pairs(4), alphas()).map(lambda t: (*t[0], t[1])),
                at_one_level_law,
            ),
        ),
        facts=(fact("the example of section 3", lambda: refines(C_ALPHA, M_ALPHA)),),
        errata=(LARGE_ERRORS,),
    ),
    ClaimRecord(
        id="T3.1(2)",
        title="a separating hockey stick",
        statement="If the test channel of M at some level is strictly refined by that of C, a hockey stick tells "
        "C from M. "
        "The largest h with err_C(h) >= α does; at α = 0 any h from the largest finite ratio of C on does.",
        formula="M^α ⊏ C^α implies V_h(C) < V_h(M) for some h >= 0",
        source="section 3.1, Theorem 3.1(2), proof in appendix A.1",
        status="holds",
        laws=(
            Law(
                "the largest h with err_C(h) >= α separates",
                st.tuples(channel_pairs(4), alphas()).map(lambda t: (*t[0], t[1])),
                separation_law,
            ),
        ),
        facts=(
            fact("C = [1; 1], M = [1/2 1/2; 0 1], α = 1/2: h = 1", lambda: _separates(mpq(1), HALF)),
            fact("the same at α = 0, where every h has err_C(h) >= 0: h = 1 again", lambda: _separates(mpq(1), ZERO)),
        ),
        errata=(
            MAXIMAL_LEVEL,
            LEVEL_ZERO,
        ),
    ),
    ClaimRecord(
        id="T3.1(3)",
        title="the hockey-stick order is refinement",
        statement="C is below M in the hockey-stick order exactly when M is refined by C.",
        formula="C <=_h M iff M ⊑ C",
        source="section 3.1, Theorem 3.1(3)",
        status="holds",
        laws=(
            Law("hockey sticks against refinement", channel_pairs(4).map(lambda t: t[::-1]), hockey_stick_order_law),
        ),
        facts=(
            fact(
                "[9/10 1/10; 4/5 1/5] ⋢ [9/10 1/10; 1/2 1/2]: at h = 2 the sums are 0 and 3/10",
                lambda: [hockey_stick(c, mpq(2), "backward") for c in (M_ALPHA, C_ALPHA)] == [ZERO, mpq(3, 10)],
            ),
        ),
    ),
    ClaimRecord(
        id="Cor1",
        title="T is monotone",
        statement="If C is refined by M, its curve lies below that of M. The converse holds too.",
        formula="C ⊑ M implies T(C) <= T(M)",
        source="section 3.1, Corollary 1",
        status="holds",
        laws=(
            Law("post-processing raises the curve", channels_with_witnesses(5), monotone_law),
            Law("refined exactly where the curve is below", channel_pairs(4), reflecting_law),
        ),
        facts=(fact("the example of section 3", lambda: tradeoff_of(C_ALPHA) <= tradeoff_of(M_ALPHA)),),
    ),
)
