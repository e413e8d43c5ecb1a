"""Section 6: bounds and monotonicity of the operators, Theorems 6.1 and 6.2."""

from __future__ import annotations

from typing import Final

from gmpy2 import mpq
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from oracle.certificates.documents import Certificate
from oracle.channels.canonical import equivalent
from oracle.channels.channel import Channel, Rows
from oracle.channels.galois import tradeoff_of
from oracle.channels.operators import hidden, parallel, post_process, visible
from oracle.channels.tradeoff import TradeoffFunction
from oracle.laws.ask import Ask
from oracle.laws.compare import at, curve_at_most, tables_equal, true, worst
from oracle.laws.evidence import Evidence
from oracle.laws.fernandes2025._facts import channel, curve
from oracle.laws.fernandes2025._operators import (
    IDENTITY,
    ONE_COLUMN,
    SWAP,
    below,
    hidden_of,
    refining_pairs,
    same_width_pairs,
    visible_of,
)
from oracle.laws.record import ClaimRecord, Erratum, Law, fact
from oracle.laws.strategies import alphas, two_row_channels, witnesses

__all__ = ["CLAIMS"]

HALF: Final = mpq(1, 2)
SMALL: Final = two_row_channels(3)
IDENTICAL: Final = Channel(IDENTITY)
SWAPPED: Final = Channel(SWAP)
NOTHING: Final = Channel(ONE_COLUMN)
THIRDS: Final = channel("1/3 2/3", "2/3 1/3")
LINE: Final = curve((0, 1), (1, 0))
ZERO: Final = curve((0, 0), (1, 0))


# --- Theorem 6.1 ------------------------------------------------------------------------------------------------------


def _parallel_below_both(ask: Ask, left: Channel, right: Channel) -> mpq:
    both = ask.tradeoff(ask.parallel([left.rows, right.rows]))
    return worst(curve_at_most(both, ask.tradeoff(part.rows)) for part in (left, right))


def _parallel_below_glb(ask: Ask, left: Channel, right: Channel) -> mpq:
    return true(ask.refines(ask.parallel([left.rows, right.rows]), ask.glb([left.rows, right.rows])))


def _visible_between(ask: Ask, left: Channel, right: Channel, p: mpq) -> mpq:
    middle = ask.tradeoff(ask.visible(p, left.rows, right.rows))
    low, high = (ask.tradeoff(bound([left.rows, right.rows])) for bound in (ask.glb, ask.lub))
    return max(curve_at_most(low, middle), curve_at_most(middle, high))


def _visible_below_pointwise_maximum(ask: Ask, left: Channel, right: Channel, p: mpq) -> mpq:
    f, g = ask.tradeoff(left.rows), ask.tradeoff(right.rows)
    middle = ask.tradeoff(ask.visible(p, left.rows, right.rows))
    return worst(at(middle, a) - max(at(f, a), at(g, a)) for a, _ in (*f, *g, *middle))


@st.composite
def _post_processings(draw: DrawFn, max_columns: int = 3) -> tuple[Channel, Rows]:
    of = draw(two_row_channels(max_columns))
    return of, draw(witnesses(of.shape[1], max_columns))


def _post_processing_improves(ask: Ask, of: tuple[Channel, Rows]) -> mpq:
    return curve_at_most(ask.tradeoff(of[0].rows), ask.tradeoff(ask.post(of[0].rows, of[1])))


def _visible_below_hidden(ask: Ask, pair: tuple[Channel, Channel], p: mpq) -> mpq:
    left, right = (c.rows for c in pair)
    mixed = ask.tradeoff(ask.hidden(p, left, right))
    low = ask.tradeoff(ask.glb([left, right]))
    return max(curve_at_most(ask.tradeoff(ask.visible(p, left, right)), mixed), curve_at_most(low, mixed))


def _hiding_is_post_processing(ask: Ask, pair: tuple[Channel, Channel], p: mpq) -> mpq:
    """C ⊞ D = (C ⊕ D)·[I; I]: the post-processing forgets which one was run."""
    left, right = (c.rows for c in pair)
    width = len(left[0])
    forget = tuple(tuple(mpq(i % width == j) for j in range(width)) for i in range(2 * width))
    return tables_equal(ask.post(ask.visible(p, left, right), forget), ask.hidden(p, left, right))


def _pad(table: Rows, columns: int) -> Rows:
    return tuple((*row, *(mpq(0),) * columns) for row in table)


def _exchange(ask: Ask, pair: tuple[Channel, Channel], other: Channel, p: mpq, r: mpq) -> mpq:
    d, e = (c.rows for c in pair)
    c = other.rows
    outer = 1 - r + r * p
    if not outer:
        return mpq(0)
    inner = r * p / outer
    left = ask.hidden(r, ask.visible(p, d, c), _pad(e, len(c[0])))
    right = ask.visible(outer, ask.hidden(inner, d, e), c)
    return tables_equal(left, right)


def _hidden_over_visible(ask: Ask, pair: tuple[Channel, Channel], other: Channel, p: mpq, r: mpq) -> mpq:
    d, e = (c.rows for c in pair)
    c = other.rows
    left = ask.visible(p, ask.hidden(r, d, e), c)
    right = ask.hidden(r, ask.visible(p, d, c), ask.visible(p, e, c))
    return tables_equal(left, right)


def _same_weights(d: Rows, e: Rows, c: Rows, weight: mpq) -> tuple[TradeoffFunction, TradeoffFunction]:
    """Curves of (D ⊕ C) ⊞ E and (D ⊞ E) ⊕ C with the same weight everywhere."""
    left = hidden_of(weight, visible_of(weight, d, c), _pad(e, len(c[0])))
    right = visible_of(weight, hidden_of(weight, d, e), c)
    return tradeoff_of(Channel(left)), tradeoff_of(Channel(right))


def _exchange_certificate() -> Certificate:
    evidence = Evidence()
    left = hidden_of(HALF, visible_of(HALF, ONE_COLUMN, IDENTITY), _pad(ONE_COLUMN, 2))
    right = visible_of(HALF, hidden_of(HALF, ONE_COLUMN, ONE_COLUMN), IDENTITY)
    first, second = (evidence.curve_value(Channel(side), mpq(0)) for side in (left, right))
    evidence.compare(first, "!=", second)
    return evidence.certificate()


def _between_by_values() -> bool:
    middle = tradeoff_of(visible(HALF, IDENTICAL, NOTHING))
    strict = ZERO.at(mpq(0)) < middle.at(mpq(0)) < LINE.at(mpq(0))
    return middle == curve((0, "1/2"), ("1/2", 0), (1, 0)) and ZERO <= middle <= LINE and strict


def _hidden_example() -> tuple[mpq, mpq]:
    left, right = channel("1/2 1/4 1/4", "1/6 1/3 1/2"), channel("1/3 1/3 1/3", "1/3 1/3 1/3")
    x, p = mpq(1, 3), mpq(2, 3)
    return tradeoff_of(visible(p, left, right)).at(x), tradeoff_of(hidden(p, left, right)).at(x)


BOUNDS: Final = (
    ClaimRecord(
        id="T6.1(1)",
        title="Parallel composition is below both parts",
        statement="Seeing both outputs reveals at least as much as seeing either one.",
        formula="T(C ∥ D) ≤ T(C) ⊓ T(D)",
        source="section 6, Theorem 6.1 (1)",
        status="holds",
        laws=(
            Law("below both curves", st.tuples(SMALL, SMALL), _parallel_below_both),
            Law("refines to the greatest lower bound", st.tuples(SMALL, SMALL), _parallel_below_glb),
        ),
        facts=(
            fact("equality with the one-column channel", lambda: equivalent(parallel([THIRDS, NOTHING]), THIRDS)),
            fact(
                "strict for [1/3 2/3; 2/3 1/3] with itself: T(C ∥ C)(1/9) = 5/9 < 7/9",
                lambda: (
                    (tradeoff_of(parallel([THIRDS, THIRDS])).at(mpq(1, 9)), tradeoff_of(THIRDS).at(mpq(1, 9)))
                    == (mpq(5, 9), mpq(7, 9))
                ),
            ),
        ),
    ),
    ClaimRecord(
        id="T6.1(2)",
        title="Visible choice is between the parts",
        statement=(
            "A visible choice is at least as private as the lattice minimum and at most as the maximum of its parts."
        ),
        formula="T(C) ⊓ T(D) ≤ T(C ⊕_p D) ≤ T(C) ⊔ T(D), 0 ≤ p ≤ 1",
        source="section 6, Theorem 6.1 (2)",
        status="holds",
        laws=(
            Law("between glb and lub", st.tuples(SMALL, SMALL, alphas()), _visible_between),
            Law("below the pointwise maximum", st.tuples(SMALL, SMALL, alphas()), _visible_below_pointwise_maximum),
        ),
        facts=(
            fact(
                "I ⊕_{1/2} (one column): 0 ≤ (0, 1/2), (1/2, 0), (1, 0) ≤ 1 − α, both strict",
                _between_by_values,
            ),
        ),
    ),
    ClaimRecord(
        id="T6.1(3)",
        title="Post-processing (printed as pre-processing)",
        statement=(
            "Multiplying by a row-stochastic Q on the right never lowers the curve. It is post-processing of C; read "
            "as pre-processing it says that C·Q is above its pre-processor C."
        ),
        formula="T(C) ≤ T(C·Q), Q row-stochastic",
        source="section 6, Theorem 6.1 (3)",
        status="holds",
        laws=(Law("never lowers the curve", st.tuples(_post_processings()), _post_processing_improves),),
        facts=(
            fact(
                "I·[37/40 3/40; 27/40 13/40] has the corners (0, 1), (3/40, 27/40), (1, 0)",
                lambda: (
                    tradeoff_of(post_process(IDENTICAL, channel("37/40 3/40", "27/40 13/40").rows))
                    == curve((0, 1), ("3/40", "27/40"), (1, 0))
                ),
            ),
            fact(
                "it is not T(Q) ≤ T(C·Q): C = swap, Q = [1 0; 1/2 1/2] at 1/2: 1/4 > 0",
                lambda: (
                    tradeoff_of(channel("1 0", "1/2 1/2")).at(HALF) == mpq(1, 4)
                    and tradeoff_of(post_process(SWAPPED, channel("1 0", "1/2 1/2").rows)).at(HALF) == 0
                ),
            ),
        ),
    ),
    ClaimRecord(
        id="T6.1(4)",
        title="Visible choice is below hidden choice",
        statement="Hiding which channel was run never lowers the curve. There is no upper bound by the parts' maximum.",
        formula="T(C) ⊓ T(D) ≤ T(C ⊕_p D) ≤ T(C ⊞_p D)",
        source="section 6, Theorem 6.1 (4)",
        status="holds",
        laws=(
            Law("below the hidden choice", st.tuples(same_width_pairs(3), alphas()), _visible_below_hidden),
            Law("hiding is a post-processing", st.tuples(same_width_pairs(3), alphas()), _hiding_is_post_processing),
        ),
        facts=(
            fact(
                "no bound above: I ⊞_{1/2} swap has the curve 1 − α, I and swap the curve 0",
                lambda: (
                    tradeoff_of(hidden(HALF, IDENTICAL, SWAPPED)) == LINE
                    and tradeoff_of(IDENTICAL) == tradeoff_of(SWAPPED) == ZERO
                ),
            ),
            fact(
                "[1/2 1/4 1/4; 1/6 1/3 1/2] with 2/3, uniform with 1/3: visible 4/9 at α = 1/3, hidden 22/45",
                lambda: _hidden_example() == (mpq(4, 9), mpq(22, 45)),
            ),
        ),
    ),
    ClaimRecord(
        id="T6.1(5)",
        title="Exchange of hidden and visible choice on disjoint outputs",
        statement=(
            "D and E answer on the same outputs, C on others. Running D or C visibly and mixing E in without a mark is "
            "the same as mixing D and E without a mark and choosing C visibly, with weights changed accordingly."
        ),
        formula="(D ⊕_p C) ⊞_r E ≡ (D ⊞_{r'} E) ⊕_{p'} C with p' = 1 − r + r p and r' = r p / p'",
        source="section 6, Theorem 6.1 (5); the formula is lost in the text that was used, and is reconstructed",
        status="holds_under",
        hypotheses="added: p' > 0; E is extended by 0 on C's outputs; the weights change as stated.",
        laws=(
            Law("exchange", st.tuples(same_width_pairs(3), SMALL, alphas(), alphas()), _exchange),
            Law(
                "hidden distributes over visible",
                st.tuples(same_width_pairs(3), SMALL, alphas(), alphas()),
                _hidden_over_visible,
            ),
        ),
        facts=(
            fact(
                "D = I, E uniform, C one column, p = r = 1/2: p' = 3/4, r' = 1/3, [1/2 1/4 1/4; 1/4 1/2 1/4]",
                lambda: (
                    hidden_of(HALF, visible_of(HALF, IDENTITY, ONE_COLUMN), _pad(((HALF, HALF), (HALF, HALF)), 1))
                    == visible_of(mpq(3, 4), hidden_of(mpq(1, 3), IDENTITY, ((HALF, HALF), (HALF, HALF))), ONE_COLUMN)
                    == channel("1/2 1/4 1/4", "1/4 1/2 1/4").rows
                ),
            ),
            fact(
                "the same with the weights unchanged: (0, 1), (1/4, 1/2), (1/2, 1/4) against (0, 1), (1/8, 5/8), (5/8, "
                "1/8)",
                lambda: (
                    _same_weights(IDENTITY, ((HALF, HALF), (HALF, HALF)), ONE_COLUMN, HALF)
                    == (
                        curve((0, 1), ("1/4", "1/2"), ("1/2", "1/4"), (1, 0)),
                        curve((0, 1), ("1/8", "5/8"), ("5/8", "1/8"), (1, 0)),
                    )
                ),
            ),
        ),
        errata=(
            Erratum(
                printed="The exchange read with the same weights on both sides.",
                counterexample=(
                    "D = E = [1; 1] on one output, C = I = [1 0; 0 1] on two others, p = r = 1/2; columns in this "
                    "order of outputs. Left: D ⊕_p C = [1/2 1/2 0; 1/2 0 1/2], and mixing in E = [1 0 0; 1 0 0] half "
                    "the time gives [3/4 1/4 0; 3/4 0 1/4]. Right: D ⊞_r E = [1; 1], and ⊕_p C gives [1/2 1/2 0; 1/2 0 "
                    "1/2]. At α = 0 a test may reject only on the last output, where p = 0: T(0) = 1 − 1/4 = 3/4 on "
                    "the left and 1 − 1/2 = 1/2 on the right."
                ),
                correction=(
                    "The outer weight becomes p' = 1 − r + r p and the inner one r' = r p / p'; in the example p' = "
                    "3/4, r' = 1/3."
                ),
                scope="hypothesis",
                fails=lambda: len(set(_same_weights(ONE_COLUMN, ONE_COLUMN, IDENTITY, HALF))) == 2,
                certificate=_exchange_certificate,
                summary="the exchange changes the weights",
                printed_formula="(D ⊕_p C) ⊞_r E ≡ (D ⊞_r E) ⊕_p C",
            ),
        ),
    ),
)


# --- Theorem 6.2 ------------------------------------------------------------------------------------------------------


def _parallel_monotone(ask: Ask, pair: tuple[Channel, Channel], other: Channel) -> mpq:
    low, high = (ask.tradeoff(ask.parallel([c.rows, other.rows])) for c in pair)
    return curve_at_most(low, high)


def _visible_monotone(ask: Ask, pair: tuple[Channel, Channel], other: Channel, p: mpq) -> mpq:
    low, high = (ask.visible(p, c.rows, other.rows) for c in pair)
    return max(curve_at_most(ask.tradeoff(low), ask.tradeoff(high)), true(ask.refines(low, high)))


@st.composite
def _right_factors(draw: DrawFn, max_columns: int = 3) -> tuple[Channel, Rows, Rows]:
    """C, Q and Q·W."""
    of, first = draw(_post_processings(max_columns))
    return of, first, below(Channel(first), draw(witnesses(len(first[0]), max_columns))).rows


def _right_factor_monotone(ask: Ask, of: tuple[Channel, Rows, Rows]) -> mpq:
    low, high = (ask.tradeoff(ask.post(of[0].rows, factor)) for factor in of[1:])
    return curve_at_most(low, high)


MONOTONY: Final = (
    ClaimRecord(
        id="T6.2(1)",
        title="Parallel composition is monotone",
        statement="Replacing a part by one that it refines to never lowers the curve of a parallel composition.",
        formula="C ⊑ C' implies T(C ∥ Q) ≤ T(C' ∥ Q)",
        source="section 6, Theorem 6.2 (1)",
        status="holds",
        laws=(Law("monotone", st.tuples(refining_pairs(), SMALL), _parallel_monotone),),
        facts=(
            fact(
                "C = I ⊑ one column, Q = [1/3 2/3; 2/3 1/3]: 0 ≤ T(Q)",
                lambda: (
                    tradeoff_of(parallel([IDENTICAL, THIRDS])) == ZERO
                    and tradeoff_of(parallel([NOTHING, THIRDS])) == tradeoff_of(THIRDS)
                ),
            ),
        ),
    ),
    ClaimRecord(
        id="T6.2(2)",
        title="Visible choice is monotone",
        statement="Replacing a part by one that it refines to never lowers the curve of a visible choice.",
        formula="C ⊑ C' implies T(C ⊕_p Q) ≤ T(C' ⊕_p Q)",
        source="section 6, Theorem 6.2 (2)",
        status="holds",
        laws=(Law("monotone", st.tuples(refining_pairs(), SMALL, alphas()), _visible_monotone),),
        facts=(
            fact(
                "C = I ⊑ one column, Q one column, p = 1/2: (0, 1/2), (1/2, 0), (1, 0) against 1 − α",
                lambda: (
                    tradeoff_of(visible(HALF, IDENTICAL, NOTHING)) == curve((0, "1/2"), ("1/2", 0), (1, 0))
                    and tradeoff_of(visible(HALF, NOTHING, NOTHING)) == LINE
                ),
            ),
        ),
    ),
    ClaimRecord(
        id="T6.2(3)",
        title="Post-processing is monotone in its right factor (printed as pre-processing)",
        statement=(
            "Replacing Q by one that it refines to never lowers the curve of C·Q. The left factor has no such law."
        ),
        formula="Q ⊑ Q' implies T(C·Q) ≤ T(C·Q')",
        source="section 6, Theorem 6.2 (3)",
        status="holds",
        laws=(Law("monotone", st.tuples(_right_factors()), _right_factor_monotone),),
        facts=(
            fact(
                "not in the left factor: C = I ≡ C' = swap, Q = [1 0; 1/2 1/2]: (0, 1/2), (1, 0) and (0, 1), (1/2, 0), "
                "(1, 0)",
                lambda: (
                    equivalent(IDENTICAL, SWAPPED)
                    and tradeoff_of(post_process(IDENTICAL, channel("1 0", "1/2 1/2").rows))
                    == curve((0, "1/2"), (1, 0))
                    and tradeoff_of(post_process(SWAPPED, channel("1 0", "1/2 1/2").rows))
                    == curve((0, 1), ("1/2", 0), (1, 0))
                ),
            ),
        ),
    ),
)

CLAIMS: tuple[ClaimRecord, ...] = (*BOUNDS, *MONOTONY)
