"""Appendix B: greatest lower bounds of two channels of two columns, and their order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from gmpy2 import mpq
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from oracle.certificates.documents import Certificate
from oracle.channels.channel import Channel, Rows
from oracle.channels.lattice import greatest_lower_bound
from oracle.laws.ask import Ask, Table
from oracle.laws.compare import equal, tables_equal, true
from oracle.laws.evidence import Evidence
from oracle.laws.fernandes2025._facts import (
    canonical_rows,
    channel,
    hockey_stick_of,
)
from oracle.laws.record import ClaimRecord, Erratum, Law, fact
from oracle.laws.strategies import two_row_channels

__all__ = ["CLAIMS", "Column", "Columns", "columns_of", "glb_of", "posterior", "several_ratios", "table_of"]

ZERO, HALF, ONE = mpq(0), mpq(1, 2), mpq(1)
Column = tuple[mpq, mpq]
Columns = list[Column]
"""A channel by its columns (p, q)."""


def columns_of(table: Table) -> Columns:
    """The columns, least posterior q/(p + q) first; there is no zero column."""
    return sorted(zip(*table, strict=True), key=posterior)


def posterior(column: Column) -> mpq:
    """q/(p + q) of a column, the posterior probability of the second input under the uniform prior."""
    return column[1] / (column[0] + column[1])


def table_of(columns: Sequence[Column]) -> Rows:
    """The two rows of a list of columns."""
    first, second = zip(*columns, strict=True)
    return tuple(first), tuple(second)


FALLBACK: Final = ((mpq(4, 7), mpq(1, 7)), (mpq(2, 7), mpq(2, 7)), (mpq(1, 7), mpq(4, 7)))


@st.composite
def several_ratios(draw: DrawFn, max_columns: int = 5) -> Columns:
    """At least three columns of distinct increasing ratio that sum to (1, 1)."""
    columns = columns_of(canonical_rows(draw(two_row_channels(max_columns)).rows))
    if len(columns) < 3:
        # Mixed with a channel that is known to have three ratios.
        columns = columns_of(canonical_rows(table_of([(p / 2, q / 2) for p, q in [*columns, *FALLBACK]])))
    return columns


def _ordered_triples() -> SearchStrategy[Columns]:
    """The least, the greatest and all other columns added up between them."""
    return several_ratios().map(_merged_middle)


def _merged_middle(columns: Columns) -> Columns:
    low, high = columns[0], columns[-1]
    return [low, (1 - low[0] - high[0], 1 - low[1] - high[1]), high]


def glb_of(members: Sequence[Rows]) -> Channel:
    """Greatest lower bound of tables, by the engine."""
    return greatest_lower_bound([Channel(table) for table in members])


def _pair(triple: Columns) -> tuple[Rows, Rows]:
    """A = [a 1−a; b 1−b] and R = [1−r r; 1−s s] for the columns (a, b), middle, (r, s)."""
    (a, b), (m, n), (r, s) = triple
    return ((a, m + r), (b, n + s)), ((a + m, r), (b + n, s))


def _chain(left: Table, right: Table, centroid: mpq) -> bool:
    """Least posterior of A ≤ that of R < centroid < greatest of A ≤ that of R."""
    (low, high), (least, most) = columns_of(left), columns_of(right)
    return posterior(low) <= posterior(least) < centroid < posterior(high) <= posterior(most)


def _formula(left: Table, right: Table) -> Rows:
    """[a e−a−r r; b f−b−s s], what is printed for A min R."""
    (a, b), (c, d) = columns_of(left)
    r, s = columns_of(right)[1]
    return (a, a + c - a - r, r), (b, b + d - b - s, s)


def _minimum_of_two(ask: Ask, triple: Columns) -> mpq:
    left, right = _pair(triple)
    chain = true(_chain(left, right, HALF))
    return max(chain, tables_equal(ask.canonical(ask.glb([left, right])), canonical_rows(_formula(left, right))))


def _incomparable_means_chain(ask: Ask, first: Channel, second: Channel) -> mpq:
    """Two channels of two nonzero columns are comparable, or one is A and the other R of the chain."""
    left, right = first.rows, second.rows
    tables = [left, right]
    if any(len(table[0]) != 2 or not all(a + b for a, b in zip(*table, strict=True)) for table in tables):
        return ZERO
    comparable = ask.refines(left, right) or ask.refines(right, left)
    chains = [pair for pair in ((left, right), (right, left)) if _chain(*pair, HALF)]
    if comparable or not chains:
        return true(comparable)
    return tables_equal(ask.canonical(ask.glb(tables)), canonical_rows(_formula(*chains[0])))


def _partial_minimum(ask: Ask, triple: Columns, masses: tuple[mpq, mpq]) -> mpq:
    """Rows of mass (e, f): asked on the rows divided by their masses, which keeps every refinement."""
    e, f = masses
    left, right = _pair(triple)
    first, second = ((tuple(e * v for v in table[0]), tuple(f * v for v in table[1])) for table in (left, right))
    chain = true(_chain(first, second, f / (e + f)))
    bound = ask.canonical(ask.glb([left, right]))
    again = (tuple(e * v for v in bound[0]), tuple(f * v for v in bound[1]))
    return max(chain, tables_equal(again, canonical_rows(_formula(first, second))))


def _zero_column_certificate() -> Certificate:
    evidence = Evidence()
    zero = channel("0 1", "0 1")
    parts = [evidence.event_sum(zero, row, [0]) for row in (0, 1)]
    evidence.compare(evidence.combination((1, parts[0]), (1, parts[1])), "=", 0)
    return evidence.certificate()


def _undefined(table: Table) -> bool:
    try:
        columns_of(table)
    except ZeroDivisionError:
        return True
    return False


PARTIAL_A: Final = Channel([["1/3", "1/3"], ["0", "2/3"]], partial=True)
PARTIAL_R: Final = Channel([["2/3", "0"], ["1/3", "1/3"]], partial=True)


def _incomparable_by_sticks() -> bool:
    """At h = 1/2 A tells more, at h = 2 R does."""
    a, r = PARTIAL_A.rows, PARTIAL_R.rows
    half, two = HALF, mpq(2)
    return hockey_stick_of(a, half) > hockey_stick_of(r, half) and hockey_stick_of(a, two) < hockey_stick_of(r, two)


def _centroid_fails() -> bool:
    left, right = PARTIAL_A.rows, PARTIAL_R.rows
    return _incomparable_by_sticks() and not _chain(left, right, mpq(1, 3)) and _chain(left, right, HALF)


def _centroid_certificate() -> Certificate:
    evidence = Evidence()
    f = evidence.event_sum(PARTIAL_R, 1, [0, 1])
    printed = evidence.combination((HALF, f))
    evidence.compare(printed, "=", mpq(1, 3))
    p, q = (evidence.event_sum(PARTIAL_R, row, [0]) for row in (0, 1))
    # posterior < 1/3 would be q < (p + q)/3
    evidence.compare(q, ">=", evidence.combination((mpq(1, 3), p), (mpq(1, 3), q)))
    # incomparable: divided by 2/3 both are full channels, and each has the larger hockey stick at one level
    normalised = [Channel([[v * mpq(3, 2) for v in row] for row in part.rows]) for part in (PARTIAL_A, PARTIAL_R)]
    for full in normalised:
        evidence.product(((mpq(2, 3), ZERO), (ZERO, mpq(2, 3))), full)
    first, second = normalised
    evidence.compare(evidence.hockey_stick(first, HALF), ">", evidence.hockey_stick(second, HALF))
    evidence.compare(evidence.hockey_stick(first, mpq(2)), "<", evidence.hockey_stick(second, mpq(2)))
    return evidence.certificate()


def _steepest(ask: Ask, table: Rows) -> mpq:
    """1/(1 + σ) with σ the steepness of T at α = 0, infinite when T(0) < 1."""
    corners = ask.tradeoff(table)
    start = corners[0][1]
    if start < 1:
        return ZERO
    width, beta = next((a, b) for a, b in corners if a > 0)
    return width / (width + (start - beta))


def _least_share(table: Table) -> mpq:
    """Min a/(a + b) over the columns (a, b)."""
    return min((a / (a + b) for a, b in zip(*table, strict=True)), default=ONE)


def _order_is_steepness(ask: Ask, of: Channel) -> mpq:
    if not all(a + b for a, b in zip(*of.rows, strict=True)):
        return ZERO
    return equal(_steepest(ask, of.rows), _least_share(of.rows))


def _order_follows_refinement(ask: Ask, first: Channel, second: Channel) -> mpq:
    tables = [canonical_rows(of.rows) for of in (first, second)]
    return true(not ask.refines(*tables) or _least_share(tables[0]) <= _least_share(tables[1]))


CLAIMS: tuple[ClaimRecord, ...] = (
    ClaimRecord(
        id="Prop1",
        title="Greatest lower bound of two 2 x 2 channels",
        statement=(
            "Of two incomparable 2 x 2 channels A holds the least and R the greatest posterior (or the other way "
            "round), and A min R has three columns: A's least, R's greatest, and what is left."
        ),
        formula=(
            "b/(a+b) ≤ (1−s)/(2−r−s) < 1/2 < (1−b)/(2−a−b) ≤ s/(r+s) implies "
            "[a 1−a; b 1−b] min [1−r r; 1−s s] = [a 1−a−r r; b 1−b−s s]"
        ),
        source="Appendix B.1, Proposition 1 (middle column reconstructed)",
        status="holds_under",
        hypotheses="added: no zero column, so that every posterior is defined.",
        laws=(
            Law("three columns", _ordered_triples(), _minimum_of_two),
            Law(
                "incomparable means the chain",
                st.tuples(two_row_channels(2), two_row_channels(2)),
                _incomparable_means_chain,
            ),
        ),
        facts=(
            fact(
                "[1/2 1/2; 1/8 7/8] min [7/8 1/8; 1/2 1/2] = [1/2 3/8 1/8; 1/8 3/8 1/2]",
                lambda: (
                    greatest_lower_bound([channel("1/2 1/2", "1/8 7/8"), channel("7/8 1/8", "1/2 1/2")])
                    == channel("1/2 3/8 1/8", "1/8 3/8 1/2")
                ),
            ),
        ),
        errata=(
            Erratum(
                printed="Any two 2 x 2 channels, the posteriors of their columns compared.",
                counterexample=(
                    "A = [a 1−a; b 1−b] with a = b = 0 is [0 1; 0 1]. Its first column is (0, 0), and the posterior "
                    "b/(a + b) is 0/0: the chain cannot be evaluated."
                ),
                correction=(
                    "Exclude zero columns. A 2 x 2 channel with one has the other column (1, 1), tells nothing and is "
                    "above every other in ⊑, so nothing is lost."
                ),
                scope="hypothesis",
                fails=lambda: _undefined(channel("0 1", "0 1").rows),
                certificate=_zero_column_certificate,
                summary="zero columns make posteriors 0/0",
                printed_formula="b/(a+b) ≤ (1−s)/(2−r−s) < 1/2 < (1−b)/(2−a−b) ≤ s/(r+s) for all 2 x 2 channels",
                true_formula=(
                    "b/(a+b) ≤ (1−s)/(2−r−s) < 1/2 < (1−b)/(2−a−b) ≤ s/(r+s) for 2 x 2 channels without zero column"
                ),
            ),
        ),
    ),
    ClaimRecord(
        id="Prop2",
        title="The same for partial channels",
        statement=(
            "For two incomparable 2 x 2 partial channels of the same row masses (e, f) the greatest lower bound has "
            "the same three-column form. The posteriors lie on both sides of the centroid f/(e + f)."
        ),
        formula=("b/(a+b) ≤ (f−s)/(e+f−r−s) < f/(e+f) < (f−b)/(e+f−a−b) ≤ s/(r+s); A min R = [a e−a−r r; b f−b−s s]"),
        source="Appendix B.1, Proposition 2",
        status="false_as_stated",
        hypotheses="Equal row masses (e, f), as in the text; no zero column.",
        laws=(
            Law(
                "three columns, centroid f/(e + f)",
                st.tuples(
                    _ordered_triples(),
                    st.sampled_from([(ONE, ONE), (mpq(2, 3), mpq(2, 3)), (HALF, mpq(3, 8)), (mpq(1, 5), ONE)]),
                ),
                _partial_minimum,
            ),
        ),
        facts=(
            fact(
                "[1/3 1/3; 0 2/3] min [2/3 0; 1/3 1/3] = [1/3 1/3 0; 0 1/3 1/3]",
                lambda: (
                    greatest_lower_bound([PARTIAL_A, PARTIAL_R])
                    == Channel([["1/3", "1/3", "0"], ["0", "1/3", "1/3"]], partial=True)
                ),
            ),
            fact(
                "unequal masses: [1/4 1/4; 1/16 5/16] min [3/8 1/8; 3/16 3/16] = [1/4 1/8 1/8; 1/16 1/8 3/16]",
                lambda: (
                    greatest_lower_bound(
                        [
                            Channel([["1/4", "1/4"], ["1/16", "5/16"]], partial=True),
                            Channel([["3/8", "1/8"], ["3/16", "3/16"]], partial=True),
                        ]
                    )
                    == Channel([["1/4", "1/8", "1/8"], ["1/16", "1/8", "3/16"]], partial=True)
                ),
            ),
            fact("A and R of the counterexample are incomparable", _incomparable_by_sticks),
        ),
        errata=(
            Erratum(
                printed="The middle of the chain of posteriors is m = f/2.",
                counterexample=(
                    "e = f = 2/3, A = [a e−a; b f−b] = [1/3 1/3; 0 2/3], R = [e−r r; f−s s] = [2/3 0; 1/3 1/3]. They "
                    "are incomparable, since Σ max(0, q − h p) orders them both ways: at h = 1/2 it is max(0, 0 − 1/6) "
                    "+ max(0, 2/3 − 1/6) = 1/2 for A and max(0, 1/3 − 1/3) + max(0, 1/3 − 0) = 1/3 for R; at h = 2 it "
                    "is 0 + max(0, 2/3 − 2/3) = 0 for A and 0 + 1/3 for R. The posteriors q/(p + q) are 0 and (2/3)/1 "
                    "= 2/3 for A, (1/3)/1 = 1/3 and 1 for R. The printed chain would be 0 ≤ 1/3 < f/2 < 2/3 ≤ 1, but "
                    "f/2 = 1/3, and 1/3 < 1/3 is false."
                ),
                correction=(
                    "The middle is the centroid f/(e + f), the posterior before any output; in the example 1/2."
                ),
                scope="statement",
                fails=_centroid_fails,
                certificate=_centroid_certificate,
                summary="the centroid is f/(e + f)",
                printed_formula="b/(a+b) ≤ (f−s)/(e+f−r−s) < f/2 < (f−b)/(e+f−a−b) ≤ s/(r+s)",
                true_formula="b/(a+b) ≤ (f−s)/(e+f−r−s) < f/(e+f) < (f−b)/(e+f−a−b) ≤ s/(r+s)",
            ),
        ),
    ),
    ClaimRecord(
        id="D15",
        title="Order of 2 x 2 channels by their least posterior",
        statement=(
            "Channels are ordered by the least posterior probability of the first input; it is 1/(1 + σ) for the "
            "steepness σ of the curve at α = 0."
        ),
        formula="C before D iff min{a/(a+b), a'/(a'+b')} < min{c/(c+d), c'/(c'+d')}; ties in any order",
        source="Appendix B.1, Definition 15",
        status="holds_under",
        hypotheses=(
            "added: no zero column. (Proposition 1 uses the posteriors of the second input, which orders from the "
            "other end.)"
        ),
        laws=(
            Law("least posterior is steepness", two_row_channels(4), _order_is_steepness),
            Law(
                "refinement does not reverse it",
                st.tuples(two_row_channels(2), two_row_channels(2)),
                _order_follows_refinement,
            ),
        ),
        facts=(
            fact(
                "[1/2 1/2; 1/4 3/4]: min{2/3, 2/5} = 2/5",
                lambda: _least_share(channel("1/2 1/2", "1/4 3/4").rows) == mpq(2, 5),
            ),
            fact(
                "a tie: [0 1; 1/2 1/2] and [0 1; 1/4 3/4], both 0",
                lambda: (
                    _least_share(channel("0 1", "1/2 1/2").rows) == _least_share(channel("0 1", "1/4 3/4").rows) == 0
                ),
            ),
        ),
        errata=(
            Erratum(
                printed="The order is defined for all 2 x 2 channels.",
                counterexample=(
                    "C = [a a'; b b'] = [0 1; 0 1] has a = b = 0, so a/(a + b) is 0/0 and the minimum is not defined."
                ),
                correction=(
                    "Leave out zero columns, or put such a channel last: it tells nothing and is above every other in "
                    "⊑."
                ),
                scope="hypothesis",
                fails=lambda: _undefined(channel("0 1", "0 1").rows),
                certificate=_zero_column_certificate,
                summary="zero columns have no place",
                printed_formula=(
                    "C before D iff min{a/(a+b), a'/(a'+b')} < min{c/(c+d), c'/(c'+d')}, for all 2 x 2 channels"
                ),
                true_formula=(
                    "C before D iff min{a/(a+b), a'/(a'+b')} < min{c/(c+d), c'/(c'+d')}, for 2 x 2 channels without "
                    "zero column"
                ),
            ),
        ),
    ),
)
