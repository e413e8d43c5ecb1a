"""Appendix B: Algorithm 4, beside the modules on two channels and on limits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from gmpy2 import mpq
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from oracle.certificates.documents import Certificate
from oracle.channels.canonical import canonical
from oracle.channels.channel import Channel, Rows
from oracle.channels.refinement import refines, witness_of
from oracle.laws.ask import Ask, Table
from oracle.laws.compare import curves_equal, tables_equal, true, worst
from oracle.laws.evidence import Evidence
from oracle.laws.fernandes2025 import limits, two_channels
from oracle.laws.fernandes2025._facts import (
    canonical_rows,
    channel,
    least_type_two_error,
    two_point,
)
from oracle.laws.fernandes2025.two_channels import (
    Columns,
    columns_of,
    glb_of,
    posterior,
    table_of,
)
from oracle.laws.record import ClaimRecord, Erratum, Law, fact
from oracle.laws.strategies import alphas, two_row_channels

__all__ = ["CLAIMS"]

ZERO: Final = mpq(0)


def _first_posterior(columns: Columns) -> mpq:
    return posterior(columns[0])


def peel(members: Sequence[Rows], *, once: bool = False) -> Rows:
    """Algorithm 4: take the least column of the least channel, drop it everywhere, go on with what is left.

    With *once* the channels are sorted at the start only; otherwise the least one is selected anew at every step.
    A channel above the selected one does not change the minimum and is dropped.
    """
    rest = sorted((columns_of(table) for table in members), key=_first_posterior)
    found: Columns = []
    while True:
        if not once:
            rest.sort(key=_first_posterior)
        first = rest[0]
        others = rest[1:] if once else [c for c in rest[1:] if posterior(c[-1]) > posterior(first[-1])]
        if not others:
            return table_of([*found, *first])
        (a, b), (c, d) = first
        found.append((a, b))
        rest = [[(c - r, d - s), (r, s)] for _, (r, s) in others]


Family = tuple[Rows, ...]


def _two_column_families() -> SearchStrategy[Family]:
    full = two_row_channels(2).map(lambda of: canonical_rows(of.rows)).filter(lambda rows: len(rows[0]) == 2)
    return st.lists(full, min_size=2, max_size=4).map(tuple)


def _peeled(ask: Ask, *members: Rows) -> mpq:
    return tables_equal(ask.canonical(ask.glb(members)), canonical_rows(peel(members)))


def _hull_of_points(ask: Ask, first: Channel, second: Channel, alpha: mpq) -> mpq:
    """The glb is below every member, and above every common lower bound, of which the parallel composition is one."""
    members = [first.rows, second.rows]
    bound = ask.glb(members)
    least = worst(true(ask.refines(bound, member)) for member in members)
    below = true(ask.refines(ask.parallel(members), bound))
    high = min(least_type_two_error(member, alpha) for member in members)
    return worst([least, below, _excess(ask, bound, alpha, high)])


def _excess(ask: Ask, bound: Table, alpha: mpq, high: mpq) -> mpq:
    value = ask.beta(bound, alpha)
    return (value if isinstance(value, mpq) else value.lo) - high


def _associative(ask: Ask, a: Channel, b: Channel, c: Channel) -> mpq:
    left = ask.glb([ask.glb([a.rows, b.rows]), c.rows])
    right = ask.glb([a.rows, ask.glb([b.rows, c.rows])])
    turned = ask.glb([c.rows, b.rows, a.rows])
    return max(
        curves_equal(ask.tradeoff(left), ask.tradeoff(right)), curves_equal(ask.tradeoff(left), ask.tradeoff(turned))
    )


FIFTHS: Final = tuple(two_point(mpq(a), mpq(b)) for a, b in (("0", "2/5"), ("2/5", "1/5"), ("3/5", "0")))
TWENTIETHS: Final = tuple(two_point(mpq(a), mpq(b)) for a, b in (("1/4", "1/2"), ("1/2", "3/10"), ("3/4", "0")))


def _sorted_once_fails() -> bool:
    wrong, right = Channel(peel(FIFTHS, once=True)), glb_of(FIFTHS)
    return refines(wrong, right) and not refines(right, wrong)


def _sorted_once_certificate() -> Certificate:
    evidence = Evidence()
    bound = glb_of(FIFTHS)
    for table in FIFTHS:
        member = Channel(table)
        witness = witness_of(bound, member)
        dense = [[ZERO] * witness.columns for _ in range(witness.rows)]
        for i, j, v in witness.entries:
            dense[i][j] = v
        evidence.product(bound, dense)
    x = mpq(1, 5)
    evidence.compare(evidence.curve_value(Channel(peel(FIFTHS, once=True)), x), "<", evidence.curve_value(bound, x))
    return evidence.certificate()


def _pairwise_incomparable(members: Sequence[Rows]) -> bool:
    channels = [Channel(table) for table in members]
    return not any(refines(a, b) for a in channels for b in channels if a is not b)


PEELING: Final = (
    ClaimRecord(
        id="Prop3/Alg4",
        title="Greatest lower bound of finitely many 2 x 2 channels",
        statement=(
            "Peel: take the least column of the least channel, write each other minimum with it, drop the column and "
            "go on with the partial channels that are left, selecting the least of them anew. The result is the "
            "greatest lower bound; min is associative and commutative."
        ),
        formula=(
            "M_1 min M_i = [a 1−a−c_i' c_i'; b 1−b−d_i' d_i'], M_i' = [1−a−c_i' c_i'; 1−b−d_i' d_i'] for i ≥ 2, "
            "recursively"
        ),
        source="Appendix B.1, Proposition 3 and Algorithm 4 (its listing is lost in the text that was used)",
        status="holds_under",
        hypotheses="added: the least channel is selected anew at every step; channels above it are dropped.",
        laws=(
            Law("peeling gives the greatest lower bound", _two_column_families(), _peeled),
            Law(
                "greatest lower bound",
                st.tuples(two_row_channels(3), two_row_channels(3), alphas()),
                _hull_of_points,
            ),
            Law(
                "associative and commutative",
                st.tuples(two_row_channels(3), two_row_channels(3), two_row_channels(3)),
                _associative,
            ),
        ),
        facts=(
            fact(
                "points (0, 2/5), (2/5, 1/5), (3/5, 0): the bound is [2/5 3/5 0; 0 2/5 3/5]; sorted once, "
                "[2/5 1/5 2/5 0; 0 1/5 1/5 3/5]",
                lambda: (
                    glb_of(FIFTHS) == channel("2/5 3/5 0", "0 2/5 3/5")
                    and Channel(peel(FIFTHS, once=True)) == channel("2/5 1/5 2/5 0", "0 1/5 1/5 3/5")
                ),
            ),
            fact(
                "points (1/4, 1/2), (1/2, 3/10), (3/4, 0): the bound is [1/4 1/2 1/4; 0 1/2 1/2]",
                lambda: (
                    glb_of(TWENTIETHS)
                    == canonical(Channel(peel(TWENTIETHS)))
                    == channel("1/4 1/2 1/4", "0 1/2 1/2")
                    != canonical(Channel(peel(TWENTIETHS, once=True)))
                ),
            ),
            fact(
                "both families are pairwise incomparable",
                lambda: all(map(_pairwise_incomparable, (FIFTHS, TWENTIETHS))),
            ),
        ),
        errata=(
            Erratum(
                printed=("The channels are sorted once by their least posteriors, then peeled in that order."),
                counterexample=(
                    "M1 = [2/5 3/5; 0 1], M2 = [3/5 2/5; 1/5 4/5], M3 = [1 0; 2/5 3/5]. The posteriors q/(p + q) of "
                    "their first columns are 0 < (1/5)/(4/5) = 1/4 < (2/5)/(7/5) = 2/7, the least ones. No two are "
                    "comparable: at α = 0, 2/5, 3/5 the curves are 1, 1/3, 0 for M1; 1, 1/5, 2/15 for M2; 2/5, 6/25, "
                    "4/25 for M3, and each pair is ordered both ways.\n\nPeeling M1's first column (2/5, 0) writes the "
                    "minima as M1 min M2 = [2/5 1/5 2/5; 0 1/5 4/5] and M1 min M3 = [2/5 3/5 0; 0 2/5 3/5], and leaves "
                    "M2' = [1/5 2/5; 1/5 4/5] and M3' = [3/5 0; 2/5 3/5]. Their least posteriors are (1/5)/(2/5) = 1/2 "
                    "and (2/5)/1 = 2/5: the order has changed.\n\nGoing on with M2' peels (1/5, 1/5) and leaves of M3' "
                    "the last column (0, 3/5) and the rest (2/5, 1/5); the result is [2/5 1/5 2/5 0; 0 1/5 1/5 3/5]. "
                    "Its test that rejects on (0, 3/5) and (1/5, 1/5) has α = 1/5 and β = 1 − 4/5 = 1/5.\n\nGoing on "
                    "with M3', the least, peels (3/5, 2/5) and drops M2', whose posteriors 1/2 and 2/3 lie between "
                    "those of M3', 2/5 and 1; the result is [2/5 3/5 0; 0 2/5 3/5]. It is below M1, M2 and M3, and its "
                    "curve, from (0, 2/5) to (3/5, 0), is 2/5 − 2/3 · 1/5 = 4/15 at α = 1/5, more than 1/5. So the "
                    "first result is not the greatest lower bound."
                ),
                correction=("Select the channel of least posterior anew at every step, and drop those above it."),
                scope="hypothesis",
                fails=_sorted_once_fails,
                certificate=_sorted_once_certificate,
                summary="sorting once goes wrong",
                printed_formula="peel M_1, M_2', M_3'', ... with M_1, M_2, M_3, ... sorted once",
                true_formula=("peel M_1, then the least of M_2', M_3', ..., and so on, selected anew at every step"),
            ),
        ),
    ),
)

CLAIMS: tuple[ClaimRecord, ...] = (*two_channels.CLAIMS, *PEELING, *limits.CLAIMS)
