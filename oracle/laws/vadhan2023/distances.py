"""Claims of section 2 on generalised distances: post-processing, convexity, deterministic adversaries."""

from __future__ import annotations

from functools import reduce
from typing import Final

from gmpy2 import mpq
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from oracle.channels.channel import Channel, Rows
from oracle.channels.galois import tradeoff_of
from oracle.exact import Infinity
from oracle.interactive.adversaries import strategies, view_channel
from oracle.interactive.examples import unattained
from oracle.interactive.tightness import tight_channel, tight_hockey_stick
from oracle.interactive.tree import InteractiveMechanism
from oracle.laws.ask import Ask, Table
from oracle.laws.compare import at, at_most, curve_at_most, equal, tables_equal, true, valid_curve, worst
from oracle.laws.fernandes2025._facts import channel, chord_minimum, exact, least_type_two_error
from oracle.laws.record import ClaimRecord, Law, fact
from oracle.laws.strategies import alphas, channels_with_witnesses, many_row_channels, rational_levels
from oracle.laws.trees import attacked_mechanisms, interactive_mechanisms, numbered
from oracle.laws.vadhan2023._convexity_errata import (
    MAX_DIVERGENCE,
    ORDER_TWO,
    POINTS,
    exceeds_average,
)
from oracle.laws.vadhan2023._facts import ONE, ZERO, at_most_extended, largest_ratio, mix, moment_of

__all__ = ["CLAIMS"]

_Pairs = tuple[Rows, mpq]
"""Two pairs of laws on the same outcomes, as rows P0, Q0, P1, Q1, and the weight of the second pair."""

_PRINTED: Final = channel("1/2 1/2", "1/5 4/5", "2/5 3/5", "1/6 5/6")
"""P0, Q0, P1, Q1 of the worked example."""

_SPLIT: Final = channel("1 0", "1/2 1/2").rows, channel("1/2 1/2", "0 1").rows

_ORDERS: Final = (2, 3, 5)


def _two_pairs(max_columns: int = 4) -> SearchStrategy[_Pairs]:
    return st.tuples(many_row_channels(4, 4, max_columns).map(lambda c: c.rows), alphas())


def _parts(laws: Rows, weight: mpq) -> tuple[Rows, Rows, Rows]:
    """The two pairs and their mixture."""
    p0, q0, p1, q1 = laws
    return (p0, q0), (p1, q1), (mix(weight, p0, p1), mix(weight, q0, q1))


def _processed_law(ask: Ask, m: Channel, w: Rows) -> mpq:
    """A post-processing does not increase T in its reversed order, e^D_inf and hockey sticks."""
    after = ask.post(m.rows, w)
    ratios = ask.exp_epsilon(after, ZERO, "forward"), ask.exp_epsilon(m.rows, ZERO, "forward")
    sticks = [at_most(ask.hockey_stick(after, a), ask.hockey_stick(m.rows, a)) for a in (mpq(1, 2), ONE, mpq(2))]
    curves = curve_at_most(ask.tradeoff(m.rows), ask.tradeoff(after))
    return worst([curves, at_most_extended(*ratios), *sticks])


def _processed_moment_law(ask: Ask, m: Channel, w: Rows) -> mpq:
    """A post-processing increases no moment."""
    after = ask.post(m.rows, w)
    return worst(at_most_extended(ask.moment(after, k), ask.moment(m.rows, k)) for k in _ORDERS)


def _every_adversary_law(ask: Ask, m: InteractiveMechanism, level: mpq) -> mpq:
    """The least distance of an interactive mechanism is the supremum over adversaries: trade-off, hockey stick."""
    every = [view_channel(m, strategy).rows for strategy in strategies(m)]
    tight = tight_channel(m)
    stick = max(exact(ask.hockey_stick(rows, level)) for rows in every)
    curves = [curve_at_most(ask.tradeoff(tight.rows), ask.tradeoff(rows)) for rows in every]
    return worst([equal(ask.hockey_stick(tight.rows, level), stick), *curves])


def _uncertainty(row: tuple[mpq, ...]) -> mpq:
    """1 - max_x Pr[X = x] of the first law alone: no function of X increases it."""
    return 1 - max(row)


def _convexity_is_needed() -> bool:
    """1 - max Pr[X = x] is 0 for the laws (1, 0) and (0, 1), and 1/2 for the mixture; merging outcomes lowers it."""
    first, second = (ONE, ZERO), (ZERO, ONE)
    mixed = mix(mpq(1, 2), first, second)
    values = [_uncertainty(row) for row in (first, second, mixed, (mixed[0] + mixed[1],))]
    return values == [0, 0, mpq(1, 2), 0]


def _max_divergence_law(ask: Ask, laws: Rows, weight: mpq) -> mpq:
    """e^D_inf of the mixture is at most the larger of the two, and all three are the largest ratios."""
    tables = _parts(laws, weight)
    first, second, mixed = (ask.exp_epsilon(table, ZERO, "forward") for table in tables)
    by_definition = worst(
        true(asked == largest_ratio(table)) for asked, table in zip((first, second, mixed), tables, strict=True)
    )
    return max(by_definition, at_most_extended(mixed, max(first, second)))


def _moment_law(ask: Ask, laws: Rows, weight: mpq) -> mpq:
    """The moment of the mixture is at most the larger one; the subject's moments are the sums."""
    tables = _parts(laws, weight)
    excess = ZERO
    for order in _ORDERS:
        first, second, mixed = (ask.moment(table, order) for table in tables)
        for asked, table in zip((first, second, mixed), tables, strict=True):
            found = moment_of(table, order)
            excess = max(excess, at_most_extended(asked, found), at_most_extended(found, asked))
        larger = first if at_most_extended(second, first) <= 0 else second
        excess = max(excess, at_most_extended(mixed, larger))
    return excess


def _jointly_convex_law(ask: Ask, laws: Rows, weight: mpq) -> mpq:
    """The moment itself is jointly convex, so the average of the two bounds that of the mixture."""
    tables = _parts(laws, weight)
    excess = ZERO
    for order in _ORDERS:
        mixed = ask.moment(tables[2], order)
        bound = ZERO
        for share, table in ((1 - weight, tables[0]), (weight, tables[1])):
            moment = ask.moment(table, order) if share else ZERO
            if isinstance(moment, Infinity):
                break
            bound += share * exact(moment)
        else:
            excess = max(excess, at_most_extended(mixed, bound))
    return excess


def _mixture_law(ask: Ask, laws: Rows, weight: mpq) -> mpq:
    """T of a mixture is at least the largest trade-off function below the parts."""
    first, second, mixed = _parts(laws, weight)
    hidden = ask.hidden(1 - weight, first, second)
    bound = ask.tradeoff(ask.glb([first, second]))
    return max(tables_equal(hidden, mixed), curve_at_most(bound, ask.tradeoff(hidden)))


def _mixture_by_definition_law(ask: Ask, laws: Rows, weight: mpq, alpha: mpq) -> mpq:
    """The same at one alpha: the best test of the mixture against the best chord between tests of the parts."""
    first, second, mixed = _parts(laws, weight)
    points = [*ask.tradeoff(first), *ask.tradeoff(second)]
    return at_most(chord_minimum(points, alpha), least_type_two_error(mixed, alpha))


def _randomised(ask: Ask, views: list[Rows], weights: tuple[mpq, ...]) -> Table:
    """The view of an adversary that first draws which of several it will be, its coins seen."""
    table: Table = views[0]
    total = weights[0]
    for rows, weight in zip(views[1:], weights[1:], strict=True):
        total += weight
        table = ask.visible(1 - weight / total, table, rows)
    return table


def _no_better_law(ask: Ask, m: InteractiveMechanism, numbers: tuple[int, ...], weights: tuple[mpq, ...]) -> mpq:
    """A randomised adversary has no trade-off function below, no hockey stick above, all deterministic ones."""
    chosen = [view_channel(m, strategy).rows for strategy in numbered(m, numbers)]
    mixed = _randomised(ask, chosen, weights)
    every = [view_channel(m, strategy).rows for strategy in strategies(m)]
    curve = curve_at_most(ask.tradeoff(ask.glb(every)), ask.tradeoff(mixed))
    sticks = []
    for level in (mpq(1, 2), ONE, mpq(2)):
        largest = max(exact(ask.hockey_stick(rows, level)) for rows in every)
        sticks.append(at_most(ask.hockey_stick(mixed, level), largest))
    return worst([curve, *sticks])


def _supremum_law(ask: Ask, m: InteractiveMechanism, level: mpq) -> mpq:
    """Node by node, without adversaries, as over all deterministic ones: the tight pair and the hockey stick."""
    every = [view_channel(m, strategy).rows for strategy in strategies(m)]
    stick = max(exact(ask.hockey_stick(rows, level)) for rows in every)
    return max(tables_equal(ask.glb(every), tight_channel(m).rows), equal(tight_hockey_stick(m, level), stick))


def _asked_supremum_law(ask: Ask, m: InteractiveMechanism) -> mpq:
    """The subject's curve of the mechanism is the largest convex one below all tests of all views, in both orders."""
    excess = ZERO
    for side in ("forward", "backward"):
        asked = ask.interactive_tradeoff(m, side)
        excess = max(excess, valid_curve(asked))
        if excess > 0:
            return excess
        rows = [view_channel(m, strategy).rows for strategy in strategies(m)]
        tables = rows if side == "forward" else [table[::-1] for table in rows]
        points = [corner for table in tables for corner in tradeoff_of(Channel(table)).corners]
        excess = max(excess, worst(equal(at(asked, x), chord_minimum(points, x)) for x, _ in (*asked, *points)))
    return excess


def _no_single_adversary() -> bool:
    """A: 0 with 0 | 1/3, B: 0 with 1/4 | 3/4. The tight curve is A's at 0 and B's at 1/4, neither's throughout."""
    mechanism = unattained()
    asks_a, asks_b = (tradeoff_of(view_channel(mechanism, strategy)).corners for strategy in strategies(mechanism))
    tight = tradeoff_of(tight_channel(mechanism)).corners
    points = [(at(f, ZERO), at(f, mpq(1, 4))) for f in (asks_a, asks_b, tight)]
    return points == [(mpq(2, 3), mpq(1, 2)), (ONE, mpq(1, 4)), (mpq(2, 3), mpq(1, 4))]


def _halves(first: Rows, second: Rows) -> Rows:
    return _parts((*first, *second), mpq(1, 2))[2]


def _worked_moments() -> bool:
    p0, q0, p1, q1 = _PRINTED.rows
    moments = [moment_of(table, 2) for table in (_halves((p0, q0), (p1, q1)), (p0, q0), (p1, q1))]
    squared = reduce(lambda x, y: x * y, [mpq(795, 539)] * 2)
    return moments == [mpq(795, 539), mpq(25, 16), mpq(174, 125)] and squared > mpq(25, 16) * mpq(174, 125)


CLAIMS: tuple[ClaimRecord, ...] = (
    ClaimRecord(
        id="Def gen.distance",
        title="generalised distance of probability laws",
        statement="A partially ordered set and a distance in it that no post-processing increases and that is jointly "
        "convex in this sense: if D(X_i, X'_i) is at most d for every i, then so is D(X_I, X'_I) for a random I drawn "
        "alike on both sides. Max-divergence, Rényi divergence, hockey-stick divergence, and the trade-off function "
        "in the reversed order are such distances. An interactive mechanism is d-DP when every adversary's view is.",
        formula="D(g(X), g(X')) ⪯ D(X, X'); D(X_i, X'_i) ⪯ d for all i implies D(X_I, X'_I) ⪯ d",
        source="section 2, definitions of a generalised distance and of d-D DP",
        status="definition",
        laws=(
            Law("post-processing increases no distance", channels_with_witnesses(4), _processed_law),
            Law("nor a Rényi moment of order 2, 3 or 5", channels_with_witnesses(4), _processed_moment_law),
            Law(
                "of an interactive mechanism the largest over all adversaries is meant",
                st.tuples(interactive_mechanisms(max_adversaries=12), rational_levels()),
                _every_adversary_law,
            ),
        ),
        facts=(
            fact(
                "the first property alone does not give the second: 1 - max Pr[X = x] for (1, 0), (0, 1), (1/2, 1/2)",
                _convexity_is_needed,
            ),
        ),
        defines=True,
    ),
    ClaimRecord(
        id="Lemma2.1/2.2",
        title="joint convexity of max-divergence and Rényi divergence",
        statement="The divergence of two mixtures is at most the larger of the divergences of the parts, which is "
        "joint convexity in the paper's sense. The average of the divergences is no bound, so neither is jointly "
        "convex in the usual sense; the moment e^{(α-1)D_α} is.",
        formula="D(λP_0 + (1-λ)P_1 ‖ λQ_0 + (1-λ)Q_1) <= max{D(P_0‖Q_0), D(P_1‖Q_1)} for D = D_∞ and D = D_α, α > 1",
        source="section 2, Lemmas 2.1 and 2.2",
        status="holds",
        hypotheses="joint convexity as in the definition of a generalised distance: a bound of all parts bounds the "
        "mixture",
        laws=(
            Law("max-divergence", _two_pairs(), _max_divergence_law),
            Law("Rényi moments of orders 2, 3, 5", _two_pairs(3), _moment_law),
            Law("the moments are jointly convex in the usual sense", _two_pairs(3), _jointly_convex_law),
        ),
        facts=(
            fact(
                "vadhan2023-03: e^{D_2} = 795/539 of the mixture, 25/16 and 174/125: (795/539)² > 25/16·174/125",
                _worked_moments,
            ),
            fact(
                "(1, 0)‖(1/3, 2/3) and (0, 1)‖(0, 1): 3, 1, and 9/5 of the mixture, below 3",
                lambda: (
                    [moment_of(table, 2) for table in (*POINTS, _halves(*POINTS))] == [3, 1, mpq(9, 5)]
                    and exceeds_average(mpq(9, 5), mpq(3), ONE)
                ),
            ),
        ),
        errata=(MAX_DIVERGENCE, ORDER_TWO),
    ),
    ClaimRecord(
        id="Lemma2.3",
        title="joint convexity of f-DP",
        statement="If every pair (X_i, X'_i) has a trade-off function of at least f, then so has the mixture over a "
        "random index I that is drawn alike on both sides, whether I is seen or not.",
        formula="T(X_i, X'_i) >= f for all i implies T(X_I, X'_I) >= f",
        source="section 2, Lemma 2.3",
        status="holds",
        laws=(
            Law("T of the mixture is above the greatest lower bound", _two_pairs(), _mixture_law),
            Law(
                "at one α, tests against chords",
                st.tuples(_two_pairs(3), alphas()).map(lambda e: (*e[0], e[1])),
                _mixture_by_definition_law,
            ),
        ),
        facts=(
            fact(
                "halves of [1 0; 1/2 1/2] and [1/2 1/2; 0 1], T = 3/8 and 1/2 at 1/4: T = 1/4, the bound",
                lambda: (
                    [tradeoff_of(Channel(table)).at(mpq(1, 4)) for table in (*_SPLIT, _halves(*_SPLIT))]
                    == [mpq(3, 8), mpq(1, 2), chord_minimum([(ZERO, mpq(1, 2)), (mpq(1, 2), ZERO)], mpq(1, 4))]
                ),
            ),
        ),
    ),
    ClaimRecord(
        id="det adversaries",
        title="deterministic adversaries suffice",
        statement="The distance of an interactive mechanism is the supremum over deterministic adversaries: a "
        "randomised one is a mixture of these, its coins being part of its view. It is found node by node, without "
        "listing adversaries. For trade-off functions the supremum need not be that of a single adversary.",
        formula="sup_B D(view(B, M(x)), view(B, M(x'))) over all B = the same over deterministic B",
        source="section 2, after Lemma 2.4",
        status="holds",
        laws=(
            Law("a randomised adversary does no better", attacked_mechanisms(3), _no_better_law),
            Law(
                "node by node as over all deterministic adversaries",
                st.tuples(interactive_mechanisms(), rational_levels()),
                _supremum_law,
            ),
            Law("the curve of an interactive mechanism", interactive_mechanisms(), _asked_supremum_law),
        ),
        facts=(
            fact(
                "A: 0 | 1/3, B: 1/4 | 3/4: the tight curve is 2/3 at 0 by A, 1/4 at 1/4 by B; no adversary has both",
                _no_single_adversary,
            ),
        ),
    ),
)
