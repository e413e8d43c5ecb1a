"""Section 5: hidden choice and pre-processing, beside the modules on parallel composition and visible choice."""

from __future__ import annotations

from functools import partial
from typing import Final

from gmpy2 import mpq
from hypothesis import strategies as st

from oracle.certificates.documents import Certificate
from oracle.channels.canonical import equivalent
from oracle.channels.channel import Channel, Rows
from oracle.channels.galois import tradeoff_of
from oracle.channels.operators import hidden, pre_process
from oracle.channels.refinement import refines
from oracle.laws.ask import Ask
from oracle.laws.compare import curve_at_most, curves_equal, tables_equal, true
from oracle.laws.evidence import Evidence
from oracle.laws.fernandes2025 import parallel_composition, visible_choice
from oracle.laws.fernandes2025._facts import channel, curve, product
from oracle.laws.fernandes2025._operators import (
    IDENTITY,
    ONE_COLUMN,
    SWAP,
    hidden_of,
    pre_processors,
    refining_pairs,
    same_width_pairs,
    swapped,
)
from oracle.laws.record import ClaimRecord, Erratum, Law, fact
from oracle.laws.strategies import alphas, two_row_channels

__all__ = ["CLAIMS"]

HALF: Final = mpq(1, 2)
SMALL: Final = two_row_channels(3)
TOLD: Final = channel("1 0", "1/2 1/2")
IDENTICAL: Final = Channel(IDENTITY)
NOTHING: Final = Channel(ONE_COLUMN)


def _hidden_entries(ask: Ask, pair: tuple[Channel, Channel], r: mpq) -> mpq:
    left, right = (c.rows for c in pair)
    return tables_equal(ask.hidden(r, left, right), hidden_of(r, left, right))


def _pre_entries(ask: Ask, pre: Rows, of: Channel) -> mpq:
    return tables_equal(ask.pre(pre, of.rows), product(pre, of.rows))


def _pre_improves(ask: Ask, pre: Rows, of: Channel) -> mpq:
    determinant = pre[0][0] * pre[1][1] - pre[0][1] * pre[1][0]
    before = of.rows if determinant >= 0 else swapped(of.rows)
    return curve_at_most(ask.tradeoff(before), ask.tradeoff(ask.pre(pre, of.rows)))


def _pre_monotone(ask: Ask, pre: Rows, pair: tuple[Channel, Channel]) -> mpq:
    return true(ask.refines(ask.pre(pre, pair[0].rows), ask.pre(pre, pair[1].rows)))


def _pre_over_minimum(ask: Ask, pre: Rows, a: Channel, b: Channel) -> mpq:
    together = ask.pre(pre, ask.glb([a.rows, b.rows]))
    apart = ask.glb([ask.pre(pre, a.rows), ask.pre(pre, b.rows)])
    return curves_equal(ask.tradeoff(together), ask.tradeoff(apart))


def _pre_certificate() -> Certificate:
    evidence = Evidence()
    swapped_rows = evidence.product(SWAP, TOLD)
    before = evidence.curve_value(TOLD, HALF)
    after = evidence.curve_value(Channel(swapped_rows), HALF)
    evidence.compare(before, ">", after)
    return evidence.certificate()


OTHER_CLAIMS: Final = (
    ClaimRecord(
        id="D-hid",
        title="Hidden choice",
        statement="One of two channels is run, the first with probability r, and the output does not tell which.",
        formula="C ⊞_r M = r·C + (1 − r)·M, columns matched by label",
        source="section 5.3",
        status="definition",
        defines=True,
        laws=(Law("entries are mixtures", st.tuples(same_width_pairs(), alphas()), _hidden_entries),),
        facts=(
            fact(
                "I ⊞_{1/2} swap tells nothing",
                lambda: hidden(HALF, IDENTICAL, Channel(SWAP)) == channel("1/2 1/2", "1/2 1/2"),
            ),
            fact(
                "not monotone: swap ≡ I, yet swap ⊞_{1/2} I has the curve 1 − α and I ⊞_{1/2} I the curve 0",
                lambda: (
                    equivalent(Channel(SWAP), IDENTICAL)
                    and tradeoff_of(hidden(HALF, Channel(SWAP), IDENTICAL)) == curve((0, 1), (1, 0))
                    and tradeoff_of(hidden(HALF, IDENTICAL, IDENTICAL)) == curve((0, 0), (1, 0))
                ),
            ),
        ),
    ),
    ClaimRecord(
        id="D-pre",
        title="Pre-processing",
        statement=(
            "The secret is replaced at random before the channel runs. For a 2 x 2 pre-processor this never lowers the "
            "curve if its determinant is at least 0; otherwise it is the curve of the exchanged rows that it never "
            "lowers. It keeps refinement, and distributes over min."
        ),
        formula="P·M; T(M) ≤ T(P·M) if det P ≥ 0, T(swap·M) ≤ T(P·M) if det P ≤ 0",
        source="section 5.4",
        status="definition",
        defines=True,
        laws=(
            Law("entries of the product", st.tuples(pre_processors(), SMALL), _pre_entries),
            Law("never lowers the curve, up to a swap", st.tuples(pre_processors(), SMALL), _pre_improves),
            Law("keeps refinement", st.tuples(pre_processors(), refining_pairs()), _pre_monotone),
            Law("distributes over min", st.tuples(pre_processors(), SMALL, SMALL), _pre_over_minimum),
        ),
        facts=(
            fact(
                "swap·[1 0; 1/2 1/2]: the curve (0, 1/2), (1, 0) becomes (0, 1), (1/2, 0), (1, 0)",
                lambda: (
                    tradeoff_of(TOLD) == curve((0, "1/2"), (1, 0))
                    and tradeoff_of(pre_process(SWAP, TOLD)) == curve((0, 1), ("1/2", 0), (1, 0))
                ),
            ),
            fact(
                "the same at α = 5/12: 7/24 becomes 1/6",
                lambda: (
                    (tradeoff_of(TOLD).at(mpq(5, 12)), tradeoff_of(pre_process(SWAP, TOLD)).at(mpq(5, 12)))
                    == (mpq(7, 24), mpq(1, 6))
                ),
            ),
            fact(
                "[2/3 1/3; 1/4 3/4]·[1/4 1/4 1/2; 1/2 1/4 1/4] = [1/3 1/4 5/12; 7/16 1/4 5/16]",
                lambda: (
                    pre_process(channel("2/3 1/3", "1/4 3/4").rows, channel("1/4 1/4 1/2", "1/2 1/4 1/4"))
                    == channel("1/3 1/4 5/12", "7/16 1/4 5/16")
                ),
            ),
            fact(
                "refinement is kept: swap·[1 0; 1/2 1/2] ⊑ swap·(one column)",
                partial(refines, Channel(product(SWAP, TOLD.rows)), NOTHING),
            ),
        ),
        errata=(
            Erratum(
                printed=(
                    "Pre-processing is one of the operators under which privacy cannot get worse; the law marked "
                    "'Pre-processing' in section 6 is T(C) ≤ T(C·Q), read with section 5.4 as T(M) ≤ T(P·M)."
                ),
                counterexample=(
                    "P = [0 1; 1 0], M = [1 0; 1/2 1/2] with the columns (1, 1/2), (0, 1/2). T(M) is the line from (0, "
                    "1/2), reject on the second column, to (1, 0), so T(M)(1/2) = 1/4. P·M exchanges the rows: [1/2 "
                    "1/2; 1 0]. Rejecting on its first column has α = 1/2 and β = 1 − 1 = 0, so T(P·M)(1/2) = 0 < 1/4."
                ),
                correction=(
                    "T(M) ≤ T(P·M) for every M exactly when det P ≥ 0 (the determinant); with det P < 0 the curve of M "
                    "with its rows exchanged is the lower bound. C·Q is a post-processing of C, for which T(C) ≤ "
                    "T(C·Q) always holds."
                ),
                scope="remark",
                fails=lambda: not tradeoff_of(TOLD) <= tradeoff_of(pre_process(SWAP, TOLD)),
                certificate=_pre_certificate,
                summary="pre-processing may lower the curve",
                printed_formula="T(M) ≤ T(P·M) for every row-stochastic P",
                true_formula="T(M) ≤ T(P·M) if det P ≥ 0, T([0 1; 1 0]·M) ≤ T(P·M) if det P ≤ 0",
            ),
        ),
    ),
)

CLAIMS: tuple[ClaimRecord, ...] = (*parallel_composition.CLAIMS, *visible_choice.CLAIMS, *OTHER_CLAIMS)
