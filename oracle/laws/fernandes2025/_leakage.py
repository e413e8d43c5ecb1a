"""Claims of section 2.3: refinement, gain functions and vulnerability."""

from __future__ import annotations

from typing import Final

from gmpy2 import mpq
from hypothesis import strategies as st

from oracle.channels.gains import posterior_vulnerability
from oracle.channels.operators import post_process
from oracle.channels.refinement import refines
from oracle.laws import strategies
from oracle.laws.fernandes2025._facts import EVERYTHING, ONE, channel
from oracle.laws.fernandes2025._preliminary_laws import (
    data_processing_law,
    gain_order_law,
    post_processing_law,
    posterior_hull_law,
    refinement_decision_law,
    shuffle_law,
    vulnerability_law,
)
from oracle.laws.record import ClaimRecord, Law, fact
from oracle.laws.strategies import (
    channel_pairs,
    channels_with_witnesses,
    two_row_channels,
)

__all__ = ["LEAKAGE"]

M_ALPHA: Final = channel("9/10 1/10", "4/5 1/5")
C_ALPHA: Final = channel("9/10 1/10", "1/2 1/2")
C_FIG3: Final = channel("2/5 3/5", "4/5 1/5")
G_FIG3: Final = ((mpq(3, 5), mpq(0)), (mpq(0), ONE))


def _two_gains() -> bool:
    values = [posterior_vulnerability(c, G_FIG3) for c in (EVERYTHING, channel("1/2 1/2", "1/4 3/4"))]
    return values == [mpq(4, 5), mpq(21, 40)]


LEAKAGE: tuple[ClaimRecord, ...] = (
    ClaimRecord(
        id="D5",
        title="refinement",
        statement="C is refined by C' when C' is C followed by a post-processing W, the witness.",
        formula="C ⊑ C' iff C·W = C' for some row-stochastic W",
        source="section 2.3, Definition 5",
        status="definition",
        laws=(
            Law("every post-processing is a refinement", channels_with_witnesses(5), post_processing_law),
            Law("refined exactly where every test is matched", channel_pairs(4), refinement_decision_law),
        ),
        facts=(
            fact(
                "[9/10 1/10; 1/2 1/2] ⊑ [9/10 1/10; 4/5 1/5] and not conversely",
                lambda: refines(C_ALPHA, M_ALPHA) and not refines(M_ALPHA, C_ALPHA),
            ),
            fact(
                "the same with the witness [37/40 3/40; 27/40 13/40]",
                lambda: post_process(C_ALPHA, channel("37/40 3/40", "27/40 13/40").rows) == M_ALPHA,
            ),
        ),
        defines=True,
    ),
    ClaimRecord(
        id="D6",
        title="gain functions and vulnerability",
        statement="The vulnerability of a channel under the uniform prior is what the best action at each "
        "posterior gains, averaged.",
        formula="V_g[u ▹ C] = Σ_y Pr(y) max_a Σ_x δ^y(x) g(a, x) = 1/2 Σ_y max_a Σ_x g(a, x) C(x, y)",
        source="section 2.3, Definition 6 and Figure 3",
        status="definition",
        laws=(
            Law(
                "the average over the posteriors", st.tuples(two_row_channels(5), strategies.gains()), vulnerability_law
            ),
        ),
        facts=(
            fact(
                "figure 3: C = [2/5 3/5; 4/5 1/5], g = [3/5 0; 0 1] has V = 29/50",
                lambda: posterior_vulnerability(C_FIG3, G_FIG3) == mpq(29, 50),
            ),
        ),
        defines=True,
    ),
    ClaimRecord(
        id="Q1",
        title="labels do not matter",
        statement="The vulnerability does not depend on the labels or the order of the outputs.",
        formula="V_g(C) = V_g(C·Π) for every permutation Π of the columns",
        source="section 2.3, first of the properties of QIF",
        status="holds",
        laws=(
            Law(
                "columns in another order",
                st.tuples(two_row_channels(5), strategies.gains(), st.permutations(range(5))),
                shuffle_law,
            ),
        ),
        facts=(
            fact(
                "figure 3 with its columns exchanged: V = 29/50 again",
                lambda: posterior_vulnerability(channel("3/5 2/5", "1/5 4/5"), G_FIG3) == mpq(29, 50),
            ),
        ),
    ),
    ClaimRecord(
        id="Q2",
        title="refinement is the order of all vulnerabilities",
        statement="C ⊑ C' exactly when no gain function gains more from C' than from C. For two rows hockey "
        "sticks decide.",
        formula="C ⊑ C' iff V_g[u ▹ C] >= V_g[u ▹ C'] for all g",
        source="section 2.3, second of the properties of QIF",
        status="holds",
        laws=(
            Law(
                "post-processing gains nothing",
                st.tuples(channels_with_witnesses(4), strategies.gains()).map(lambda t: (*t[0], t[1])),
                data_processing_law,
            ),
            Law("hockey-stick gains decide", channel_pairs(4), gain_order_law),
        ),
        facts=(
            fact(
                "[1 0; 0 1] gains more than [1/2 1/2; 1/4 3/4] at g = [3/5 0; 0 1]: 4/5 against 21/40",
                _two_gains,
            ),
        ),
    ),
    ClaimRecord(
        id="Q4",
        title="two posteriors",
        statement="A channel with exactly two posteriors is refined by another exactly when it encloses all "
        "posteriors of the other. "
        "(One posterior will do too.)",
        formula="C ⊑ C' iff every posterior of C' lies between the two of C",
        source="section 2.3, fourth of the properties of QIF",
        status="holds",
        laws=(
            Law(
                "posteriors enclosed",
                st.one_of(
                    st.tuples(two_row_channels(2), two_row_channels(4)),
                    channels_with_witnesses(2).map(lambda cw: (cw[0], strategies.post_processed(*cw))),
                ),
                posterior_hull_law,
            ),
        ),
        facts=(
            fact(
                "three posteriors do not do: [1/2 1/2 0; 0 1/2 1/2] encloses those of [1 0; 0 1] but is not "
                "refined by it",
                lambda: not refines(channel("1/2 1/2 0", "0 1/2 1/2"), EVERYTHING),
            ),
        ),
    ),
)
