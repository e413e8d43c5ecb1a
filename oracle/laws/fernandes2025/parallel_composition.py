"""Section 5.1: parallel composition, and the bound that is printed for it."""

from __future__ import annotations

from typing import Final

from gmpy2 import mpq
from hypothesis import strategies as st

from oracle.certificates.documents import Certificate
from oracle.channels.canonical import equivalent
from oracle.channels.channel import Channel
from oracle.channels.divergences import hockey_stick
from oracle.channels.galois import channel_of, tradeoff_of
from oracle.channels.operators import parallel
from oracle.channels.tradeoff import TradeoffFunction, approximate_dp_curve, lower_hull, minimum
from oracle.channels.worst_case import approximate_dp_channel
from oracle.laws.ask import Ask
from oracle.laws.compare import curve_at_most, curves_equal, tables_equal, worst
from oracle.laws.evidence import Evidence
from oracle.laws.fernandes2025._facts import channel, curve, two_point
from oracle.laws.fernandes2025._operators import (
    IDENTITY,
    ONE_COLUMN,
    is_tradeoff_of,
    parallel_of,
    refining_pairs,
)
from oracle.laws.record import ClaimRecord, Erratum, Law, fact
from oracle.laws.strategies import alphas, two_row_channels

__all__ = ["CLAIMS"]

SMALL: Final = two_row_channels(3)
NARROW: Final = two_row_channels(2)
FIG6: Final = approximate_dp_channel(mpq(2), mpq(1, 20))
HALF_KNOWN: Final = channel("0 1/2 1/2", "1/2 0 1/2")
THIRDS: Final = channel("1/3 2/3", "2/3 1/3")
IDENTICAL: Final = Channel(IDENTITY)
NOTHING: Final = Channel(ONE_COLUMN)


def meet_over_facets(left: Channel, right: Channel) -> TradeoffFunction:
    """⊓ of T(f^α ∥ f'^α') over the facets of f = T(left) and f' = T(right), the bound as printed.

    Between two facets f^α is above the glb of theirs, so no other α lowers the ⊓.
    """
    return minimum(
        [
            tradeoff_of(parallel([Channel(two_point(*f)), Channel(two_point(*g))]))
            for f in tradeoff_of(left).corners
            for g in tradeoff_of(right).corners
        ]
    )


def _parallel_entries(ask: Ask, left: Channel, right: Channel) -> mpq:
    return tables_equal(ask.parallel([left.rows, right.rows]), parallel_of(left.rows, right.rows))


def _parallel_by_events(ask: Ask, left: Channel, right: Channel) -> mpq:
    return is_tradeoff_of(ask.tradeoff(ask.parallel([left.rows, right.rows])), parallel_of(left.rows, right.rows))


def _parallel_over_visible(ask: Ask, a: Channel, b: Channel, c: Channel, r: mpq) -> mpq:
    together = ask.parallel([ask.visible(r, a.rows, b.rows), c.rows])
    apart = ask.visible(r, ask.parallel([a.rows, c.rows]), ask.parallel([b.rows, c.rows]))
    return curves_equal(ask.tradeoff(together), ask.tradeoff(apart))


def _meet_is_above(ask: Ask, left: Channel, right: Channel) -> mpq:
    true_curve = ask.tradeoff(ask.parallel([left.rows, right.rows]))
    return worst(
        curve_at_most(true_curve, ask.tradeoff(ask.parallel([two_point(*f), two_point(*g)])))
        for f in tradeoff_of(left).corners
        for g in tradeoff_of(right).corners
    )


def _meet_is_tight_for_two_columns(ask: Ask, left: Channel, right: Channel) -> mpq:
    corners = [
        corner
        for f in tradeoff_of(left).corners
        for g in tradeoff_of(right).corners
        for corner in ask.tradeoff(ask.parallel([two_point(*f), two_point(*g)]))
    ]
    return curves_equal(ask.tradeoff(ask.parallel([left.rows, right.rows])), tuple(lower_hull(corners)))


def _facet_sum(a: mpq) -> mpq:
    """Σ max(0, q − p) of f^a ∥ M in the counterexample to E-par: one minus it bounds α + β from below."""
    facet = Channel(two_point(a, tradeoff_of(HALF_KNOWN).at(a)))
    return hockey_stick(parallel([facet, THIRDS]), mpq(1), "backward")


def _e_par_fails() -> bool:
    bound, truth = meet_over_facets(HALF_KNOWN, THIRDS), tradeoff_of(parallel([HALF_KNOWN, THIRDS]))
    return bound.at(mpq(1, 6)) == mpq(1, 3) > truth.at(mpq(1, 6)) == mpq(1, 6)


def _e_par_certificate() -> Certificate:
    evidence = Evidence()
    truth = evidence.curve_value(parallel([HALF_KNOWN, THIRDS]), mpq(1, 6))
    for facet in (channel("1 0", "1/2 1/2"), channel("1/2 1/2", "0 1")):
        stick = evidence.hockey_stick(parallel([facet, THIRDS]), mpq(1))
        bound = evidence.combination((1, 1), (-1, stick), (-1, "1/6"))
        evidence.compare(truth, "<", bound)
        evidence.compare(bound, "=", mpq(1, 3))
    return evidence.certificate()


def _parallel_of_curves(ask: Ask, f: tuple[Channel, Channel], g: tuple[Channel, Channel]) -> mpq:
    lower = [ask.channel_of(tradeoff_of(pair[0]).corners) for pair in (f, g)]
    return curve_at_most(ask.tradeoff(ask.parallel(lower)), ask.tradeoff(ask.parallel([f[1].rows, g[1].rows])))


def _parallel_equality(ask: Ask, left: Channel, right: Channel) -> mpq:
    own = [ask.channel_of(tradeoff_of(part).corners) for part in (left, right)]
    return curves_equal(ask.tradeoff(ask.parallel(own)), ask.tradeoff(ask.parallel([left.rows, right.rows])))


CLAIMS: tuple[ClaimRecord, ...] = (
    ClaimRecord(
        id="D-par",
        title="Parallel composition",
        statement="Both channels run on the same secret with independent randomness and both outputs are seen.",
        formula="(C ∥ M)(x, (y, z)) = C(x, y) · M(x, z)",
        source="section 5.1",
        status="definition",
        defines=True,
        laws=(
            Law("entries are products", st.tuples(SMALL, SMALL), _parallel_entries),
            Law("curve over all events", st.tuples(SMALL, NARROW), _parallel_by_events),
            Law("distributes over visible choice", st.tuples(NARROW, NARROW, NARROW, alphas()), _parallel_over_visible),
        ),
        facts=(
            fact(
                "Fig. 6 (e^ε = 2, δ = 1/20): corners of T(C ∥ C)",
                lambda: (
                    tradeoff_of(parallel([FIG6, FIG6]))
                    == curve((0, "361/400"), ("361/3600", "361/720"), ("361/720", "361/3600"), ("361/400", 0), (1, 0))
                ),
            ),
            fact(
                "Fig. 6: the (2ε, 2δ) rule gives (0, 9/10), (9/50, 9/50), (9/10, 0), (1, 0), which is below",
                lambda: (
                    approximate_dp_curve(mpq(4), mpq(1, 10))
                    == curve((0, "9/10"), ("9/50", "9/50"), ("9/10", 0), (1, 0))
                    <= tradeoff_of(parallel([FIG6, FIG6]))
                ),
            ),
            fact("the one-column channel is the unit", lambda: equivalent(parallel([THIRDS, NOTHING]), THIRDS)),
            fact("the identity is the zero", lambda: equivalent(parallel([THIRDS, IDENTICAL]), IDENTICAL)),
        ),
    ),
    ClaimRecord(
        id="E-par",
        title="Bound for parallel composition from two-point channels",
        statement=(
            "The lattice minimum of the curves of f^α ∥ f'^α' over all α, α' is a lower bound of T(C ∥ M) as "
            "printed; in truth it is an upper bound when f = T(C) and f' = T(M), with equality when neither channel "
            "has more than two columns."
        ),
        formula="T(C ∥ M) ≤ ⊓_{α, α'} T(f^α ∥ f'^α') for f = T(C), f' = T(M)",
        source="section 5.1, displayed inequality",
        status="false_as_stated",
        laws=(
            Law("the meet is an upper bound", st.tuples(SMALL, NARROW), _meet_is_above),
            Law("equality for two columns", st.tuples(NARROW, NARROW), _meet_is_tight_for_two_columns),
        ),
        facts=(
            fact(
                "counterexample: T(C ∥ M) = (0, 1/2), (1/6, 1/6), (1/2, 0), (1, 0); the meet is the line 1/2 − α",
                lambda: (
                    tradeoff_of(parallel([HALF_KNOWN, THIRDS])) == curve((0, "1/2"), ("1/6", "1/6"), ("1/2", 0), (1, 0))
                    and meet_over_facets(HALF_KNOWN, THIRDS) == curve((0, "1/2"), ("1/2", 0), (1, 0))
                ),
            ),
            fact(
                "counterexample: Σ max(0, q − p) of f^a ∥ M is 1/2 for a ≤ 1/2, 2/3 − a/3 above (a = 0, 1/12, ..., 1)",
                lambda: all(
                    _facet_sum(a) == min(mpq(1, 2), mpq(2, 3) - a / 3) for a in (mpq(k, 12) for k in range(13))
                ),
            ),
            fact(
                "square of [0 1/3 2/3; 1/3 1/3 1/3] at α = 1/9: truth 1/3, meet 10/27",
                lambda: (
                    (
                        tradeoff_of(parallel([channel("0 1/3 2/3", "1/3 1/3 1/3")] * 2)).at(mpq(1, 9)),
                        meet_over_facets(*[channel("0 1/3 2/3", "1/3 1/3 1/3")] * 2).at(mpq(1, 9)),
                    )
                    == (mpq(1, 3), mpq(10, 27))
                ),
            ),
            fact(
                "Fig. 6's own channel at α = 361/3600: truth 361/720, meet 1919/3600",
                lambda: (
                    (
                        tradeoff_of(parallel([FIG6, FIG6])).at(mpq(361, 3600)),
                        meet_over_facets(FIG6, FIG6).at(mpq(361, 3600)),
                    )
                    == (mpq(361, 720), mpq(1919, 3600))
                ),
            ),
        ),
        errata=(
            Erratum(
                printed=(
                    "If T(C) ≥ f and T(M) ≥ f', then T(C ∥ M) is at least the lattice minimum, over all α and α', of "
                    "the curves of f^α ∥ f'^α'."
                ),
                counterexample=(
                    "C = [0 1/2 1/2; 1/2 0 1/2], M = [1/3 2/3; 2/3 1/3], f = T(C), f' = T(M).\n\nLeft side: C ∥ M has "
                    "the columns (0, 1/3), (0, 1/6), (1/6, 0), (1/3, 0), (1/6, 1/3), (1/3, 1/6). Reject on the first, "
                    "second and fifth: α = 0 + 0 + 1/6 = 1/6 and β = 1 − 1/3 − 1/6 − 1/3 = 1/6, so T(C ∥ M)(1/6) ≤ "
                    "1/6.\n\nRight side: any test of a channel X has 1 − α − β = q(S) − p(S) ≤ Σ max(0, q − p), so "
                    "T(X)(x) ≥ 1 − x − Σ max(0, q − p). Since M ⊑ f'^α' (M followed by one of its tests), the curve of "
                    "f^a ∥ M is below that of f^a ∥ f'^α', so it is enough to bound f^a ∥ M for each a.\n\nT(C) has "
                    "the corners (0, 1/2), (1/2, 0), (1, 0): reject on the first column, then on the third too. For 0 "
                    "≤ a ≤ 1/2, f^a = [1 − a, a; 1/2 − a, 1/2 + a], and the columns of f^a ∥ M have q − p = −a/3, a/3 "
                    "− 1/2, 1/3 + a/3, 1/6 − a/3; the first two are ≤ 0, and Σ max(0, q − p) = (1/3 + a/3) + (1/6 − "
                    "a/3) = 1/2. For 1/2 ≤ a ≤ 1, f^a = [1 − a, a; 0, 1], and q − p is (a − 1)/3, 2(a − 1)/3, 2/3 − "
                    "a/3, 1/3 − 2a/3; only the third is > 0, and it is at most 2/3 − 1/6 = 1/2.\n\nSo every curve on "
                    "the right is at least max(0, 1/2 − x), a member of F, and so is ⊓, the greatest member of F below "
                    "them all: at x = 1/6 it is at least 1/3, and 1/6 < 1/3. (The certificate holds the sums for a = 0 "
                    "and a = 1/2.)"
                ),
                correction=(
                    "The ⊓ is an upper bound when f = T(C), f' = T(M), because C ⊑ f^α and M ⊑ f'^α' give C ∥ M ⊑ f^α "
                    "∥ f'^α'. It is not a lower one: f^α carries one test of C, while a test of C ∥ M may use another "
                    "test of C for each output of M. A lower bound is T(C(f) ∥ C(f')), see E-par'."
                ),
                scope="statement",
                fails=_e_par_fails,
                certificate=_e_par_certificate,
                summary="printed lower bound exceeds the curve",
                printed_formula="T(C ∥ M) ≥ ⊓_{α, α'} T(f^α ∥ f'^α') for T(C) ≥ f, T(M) ≥ f'",
            ),
        ),
    ),
    ClaimRecord(
        id="E-par'",
        title="Parallel composition of canonical channels",
        statement=(
            "If T(C) ≥ f and T(M) ≥ f', then T(C ∥ M) is at least the curve of the canonical channels of f and f' in "
            "parallel, and equal to it when f and f' are the curves of C and M."
        ),
        formula="T(C ∥ M) ≥ T(C(f) ∥ C(f')), with equality for f = T(C), f' = T(M)",
        source="correction of the displayed inequality of section 5.1",
        status="holds",
        laws=(
            Law("lower bound", st.tuples(refining_pairs(), refining_pairs()), _parallel_of_curves),
            Law("equality for the channels' own curves", st.tuples(SMALL, SMALL), _parallel_equality),
        ),
        facts=(
            fact(
                "the counterexample to E-par: T(C(f) ∥ C(f'))(1/6) = 1/6",
                lambda: (
                    tradeoff_of(parallel([channel_of(tradeoff_of(c)) for c in (HALF_KNOWN, THIRDS)])).at(mpq(1, 6))
                    == mpq(1, 6)
                ),
            ),
        ),
    ),
)
