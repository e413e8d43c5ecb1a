"""Appendix B: from channels to curves and back, facets, and minima as limits."""

from __future__ import annotations

from itertools import accumulate, pairwise

from gmpy2 import mpq
from hypothesis import strategies as st

from oracle.certificates.documents import Certificate
from oracle.channels.canonical import equivalent
from oracle.channels.channel import Channel, Rows
from oracle.channels.galois import channel_of, tradeoff_of
from oracle.channels.refinement import refines
from oracle.channels.testing import two_point_channel
from oracle.laws.ask import Ask
from oracle.laws.compare import curves_equal, equal, tables_equal, true, worst
from oracle.laws.evidence import Evidence
from oracle.laws.fernandes2025._facts import (
    canonical_rows,
    channel,
    curve,
    two_point,
)
from oracle.laws.fernandes2025._operators import ONE_COLUMN
from oracle.laws.fernandes2025.two_channels import (
    Column,
    Columns,
    columns_of,
    glb_of,
    several_ratios,
    table_of,
)
from oracle.laws.record import ClaimRecord, Erratum, Law, fact
from oracle.laws.strategies import alphas, two_row_channels

__all__ = ["CLAIMS"]

ZERO, HALF = mpq(0), mpq(1, 2)


def _round_trip(ask: Ask, of: Channel) -> mpq:
    return tables_equal(ask.channel_of(ask.tradeoff(of.rows)), canonical_rows(of.rows))


def _curve_kept(ask: Ask, of: Channel) -> mpq:
    curve_ = ask.tradeoff(of.rows)
    return curves_equal(ask.tradeoff(ask.channel_of(curve_)), curve_)


def _columns_lost_certificate() -> Certificate:
    evidence = Evidence()
    halves, one = channel("1/2 1/2", "1/2 1/2"), Channel(ONE_COLUMN)
    evidence.equivalent(halves, one)
    evidence.compare(evidence.event_sum(halves, 0, [0]), "!=", evidence.event_sum(one, 0, [0]))
    return evidence.certificate()


def _facets(columns: Columns) -> list[tuple[mpq, mpq]]:
    """(α_k, T(α_k)) with α_k = p_n + … + p_{n−k} for columns of increasing ratio."""
    alphas_ = list(accumulate(p for p, _ in reversed(columns)))
    powers = list(accumulate(q for _, q in reversed(columns)))
    return [(a, 1 - power) for a, power in zip(alphas_, powers, strict=True)]


def _neighbouring_facets(ask: Ask, of: Channel) -> mpq:
    """M^{α_k} min M^{α_{k+1}} = the middle column p_{n−k−1}, what is before it, and what is after it."""
    columns = columns_of(canonical_rows(of.rows))
    facets = _facets(columns)
    excess = []
    for (a0, b0), (a1, b1) in pairwise(facets):
        middle = ((1 - a1, a1 - a0, a0), (b1, b0 - b1, 1 - b0))
        excess.append(
            tables_equal(ask.canonical(ask.glb([two_point(a0, b0), two_point(a1, b1)])), canonical_rows(middle))
        )
    return worst(excess)


def _skipped_facet(ask: Ask, *columns: Column) -> mpq:
    """M^{α0} min M^{α2} merges the two columns between them."""
    facets = _facets(list(columns))
    *rest, third, second, last = columns
    before = (sum((p for p, _ in rest), ZERO), sum((q for _, q in rest), ZERO))
    between = (second[0] + third[0], second[1] + third[1])
    bound = ask.glb([two_point(*facets[0]), two_point(*facets[2])])
    return tables_equal(ask.canonical(bound), canonical_rows(table_of([before, between, last])))


def _between_facets(ask: Ask, of: Channel, share: mpq) -> mpq:
    """At α = α_k + λ p the test channel is the printed one, and the minimum of the two facets refines to it."""
    columns = columns_of(canonical_rows(of.rows))
    facets = _facets(columns)
    excess = []
    for k, ((a0, b0), (a1, b1)) in enumerate(pairwise(facets)):
        p, q = columns[len(columns) - 2 - k]
        alpha = a0 + share * p
        printed = ((1 - a1 + (1 - share) * p, alpha), (b1 + (1 - share) * q, 1 - b0 + share * q))
        value = ask.beta(of.rows, alpha)
        excess.append(equal(value, printed[1][0]) if p else ZERO)
        excess.append(true(ask.refines(ask.glb([two_point(a0, b0), two_point(a1, b1)]), printed)))
    return worst(excess)


def _share_certificate() -> Certificate:
    evidence = Evidence()
    table = channel("1/2 1/2", "1/4 3/4")
    first = evidence.event_sum(table, 0, [1])
    evidence.compare(evidence.combination((1, first), (1, "3/4")), ">", 1)
    evidence.compare(evidence.combination((1, first), ("3/4", evidence.event_sum(table, 0, [0]))), "<=", 1)
    return evidence.certificate()


def _finite_meets_decrease(ask: Ask, of: Channel, levels: tuple[mpq, ...]) -> mpq:
    """The glb of M^α over more and more α goes down, stays above M, and is M once every facet is in."""
    tests = [two_point_channel(of, alpha).rows for alpha in levels]
    bounds = [ask.glb(tests[: k + 1]) for k in range(len(tests))]
    steps = [true(ask.refines(later, earlier)) for earlier, later in pairwise(bounds)]
    above = true(ask.refines(of.rows, bounds[-1]))
    facets = [two_point_channel(of, alpha).rows for alpha, _ in tradeoff_of(of).corners]
    whole = curves_equal(ask.tradeoff(ask.glb([*tests, *facets])), ask.tradeoff(of.rows))
    return worst([*steps, above, whole])


def _sampled_square(count: int) -> list[Rows]:
    """f^α of f(x) = (1 − x)² at the multiples of 1/count."""
    return [two_point(mpq(i, count), (1 - mpq(i, count)) ** 2) for i in range(count + 1)]


def _distance_to_square(count: int) -> mpq:
    """Largest gap of the glb over (1 − x)²: on each interval it is a chord, and the gap is largest at the middle."""
    bound = tradeoff_of(glb_of(_sampled_square(count)))
    middles = [mpq(2 * i + 1, 2 * count) for i in range(count)]
    return max(bound.at(x) - (1 - x) ** 2 for x in middles)


CLAIMS: tuple[ClaimRecord, ...] = (
    ClaimRecord(
        id="Prop-CT",
        title="From a channel to its curve and back",
        statement=(
            "C(T(M)) is the canonical form of M: equal to M up to zero columns, order and columns of equal ratio."
        ),
        formula="C(T(M)) ≡ M",
        source="Appendix B.1, proposition after Algorithm 4",
        status="false_as_stated",
        laws=(
            Law("canonical form", two_row_channels(5), _round_trip),
            Law("curve kept", two_row_channels(5), _curve_kept),
        ),
        facts=(
            fact(
                "[1/2 1/2; 1/2 1/2] becomes [1; 1]",
                lambda: channel_of(tradeoff_of(channel("1/2 1/2", "1/2 1/2"))) == Channel(ONE_COLUMN),
            ),
            fact(
                "[1/6 1/3 1/2 0; 1/3 2/3 0 0] becomes [1/2 1/2; 0 1]",
                lambda: channel_of(tradeoff_of(channel("1/6 1/3 1/2 0", "1/3 2/3 0 0"))) == channel("1/2 1/2", "0 1"),
            ),
        ),
        errata=(
            Erratum(
                printed="C(T(M)) = M for finite M; the same columns of M are recovered.",
                counterexample=(
                    "M = [1/2 1/2; 1/2 1/2]. Every test has p(S) = q(S), so β = 1 − α and T(M)(α) = 1 − α, one "
                    "straight segment. C(f) has one column for each segment, so C(T(M)) = [1; 1]: one column, where M "
                    "has two."
                ),
                correction=(
                    "C(T(M)) ≡ M, equality after zero columns are dropped and columns of equal ratio are merged."
                ),
                scope="statement",
                fails=lambda: (
                    channel_of(tradeoff_of(channel("1/2 1/2", "1/2 1/2"))).shape != (2, 2)
                    and equivalent(channel("1/2 1/2", "1/2 1/2"), Channel(ONE_COLUMN))
                ),
                certificate=_columns_lost_certificate,
                summary="columns may merge or vanish",
                printed_formula="C(T(M)) = M",
            ),
        ),
    ),
    ClaimRecord(
        id="B-demo",
        title="First steps of Algorithm 4 on the facets of a channel",
        statement=(
            "For columns of increasing ratio, the minimum of the test channels of two facets has the columns between "
            "them merged, and refines to the test channel of every α between them."
        ),
        formula=(
            "α_k = p_n + … + p_{n−k}; M^{α_k} min M^{α_{k+1}} = [1−α_{k+1} p_{n−k−1} α_k; T(α_{k+1}) q_{n−k−1} "
            "1−T(α_k)] ⊑ M^α for α = α_k + λ p_{n−k−1}, 0 ≤ λ ≤ 1"
        ),
        source="Appendix B.1, demonstration of the first steps of Algorithm 4",
        status="holds",
        laws=(
            Law("neighbouring facets", two_row_channels(4), _neighbouring_facets),
            Law("a facet skipped", several_ratios().map(tuple), _skipped_facet),
            Law("between facets", st.tuples(two_row_channels(3), alphas()), _between_facets),
        ),
        facts=(
            fact(
                "[1/2 1/4 1/4; 1/4 1/4 1/2]: M^{1/4} min M^{1/2} = M",
                lambda: (
                    glb_of([two_point(mpq(1, 4), HALF), two_point(HALF, mpq(1, 4))])
                    == channel("1/2 1/4 1/4", "1/4 1/4 1/2")
                ),
            ),
        ),
        errata=(
            Erratum(
                printed=(
                    "α between the neighbouring facets α_k and α_{k+1} = α_k + p_{n−k−1} is written without the factor "
                    "p."
                ),
                counterexample=(
                    "M = [1/2 1/2; 1/4 3/4], columns 0 and 1, n = 1: the facets are α_0 = p_1 = 1/2 and α_1 = p_1 + "
                    "p_0 = 1. With λ = 3/4 the printed α is 1/2 + 3/4 = 5/4 > 1, no error probability. With the factor "
                    "p_0 = 1/2 it is 1/2 + 3/4 · 1/2 = 7/8, between the facets. The matrix that follows in print has "
                    "the factor."
                ),
                correction="α = α_k + λ p_{n−k−1}.",
                scope="remark",
                fails=lambda: _facets(columns_of(channel("1/2 1/2", "1/4 3/4").rows))[0][0] + mpq(3, 4) > 1,
                certificate=_share_certificate,
                summary="a factor p_{n−k−1} is missing",
                printed_formula="α = α_k + λ_{n−k−1}, 0 < λ < 1",
                true_formula="α = α_k + λ p_{n−k−1}, 0 ≤ λ ≤ 1",
            ),
        ),
    ),
    ClaimRecord(
        id="Prop4",
        title="Infinite minima as limits of finite ones",
        statement=(
            "The greatest lower bound of infinitely many two-column channels is the limit of those of its finite "
            "subsets, which go down. (Exact here: finite subsets; and the distance to the limit for f(x) = (1 − x)².)"
        ),
        formula="min_{i ∈ I} A_i = lim over finite S ⊆ I of min_{i ∈ S} A_i",
        source="Appendix B.1, Proposition 4 (abstract channels)",
        status="holds",
        hypotheses="In the space of abstract channels; as curves, pointwise for α > 0 (see Cor2 at α = 0).",
        laws=(
            Law(
                "finite minima go down to the channel",
                st.tuples(two_row_channels(3), st.lists(alphas(), min_size=1, max_size=4).map(tuple)),
                _finite_meets_decrease,
            ),
        ),
        facts=(
            fact(
                "(1 − x)² sampled at multiples of 1/k: the bound is above it by at most 1/(4k²), for k = 1, 2, 4, 8, "
                "16",
                lambda: all(_distance_to_square(k) == mpq(1, 4 * k * k) for k in (1, 2, 4, 8, 16)),
            ),
            fact(
                "each refinement of the sample is below the one before",
                lambda: all(refines(glb_of(_sampled_square(2 * k)), glb_of(_sampled_square(k))) for k in (1, 2, 4, 8)),
            ),
            fact(
                "k = 2: corners (0, 1), (1/2, 1/4), (1, 0)",
                lambda: tradeoff_of(glb_of(_sampled_square(2))) == curve((0, 1), ("1/2", "1/4"), (1, 0)),
            ),
        ),
    ),
)
