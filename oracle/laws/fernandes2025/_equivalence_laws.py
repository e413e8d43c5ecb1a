"""Laws of section 4, each from the asking side and an example to the excess by which it is broken."""

from __future__ import annotations

from itertools import pairwise

from gmpy2 import mpq

from oracle.channels.channel import Channel, Rows
from oracle.channels.tradeoff import TradeoffFunction
from oracle.exact import to_text
from oracle.laws.ask import Ask
from oracle.laws.compare import at, curves_equal, equal, tables_equal, true, worst
from oracle.laws.fernandes2025._facts import (
    ONE,
    ZERO,
    canonical_rows,
    chord_minimum,
    event_points,
    hockey_stick_of,
    least_type_two_error,
    two_point,
)

__all__ = [
    "algorithm_2",
    "below_levels_law",
    "claim_channel",
    "claim_channel_law",
    "claim_curve_law",
    "claim_decision_law",
    "claim_refinement_law",
    "columns_law",
    "connection_law",
    "equivalence_law",
    "facets_of",
    "fold_law",
    "greatest_law",
    "meet_law",
    "minimum_of_two",
    "minimum_of_two_curve_law",
    "minimum_of_two_law",
    "pieces_law",
    "printed_columns_law",
    "round_trip_law",
    "segment_law",
    "segments",
]


def segments(f: TradeoffFunction) -> Rows:
    """C(f) by its columns: the segments of f, and (0, 1 - f(0)) where f(0) < 1, in order of the posterior."""
    steps = [(ZERO, 1 - f.at(ZERO)), *((a1 - a0, b0 - b1) for (a0, b0), (a1, b1) in pairwise(f.corners))]
    return canonical_rows((tuple(a for a, _ in steps), tuple(b for _, b in steps)))


def below_levels_law(ask: Ask, f: TradeoffFunction, alpha: mpq) -> mpq:
    """C(f) ⊑ f^alpha at every alpha."""
    return true(ask.refines(segments(f), two_point(alpha, f.at(alpha))))


def greatest_law(ask: Ask, f: TradeoffFunction, bound: Channel) -> mpq:
    """A channel is below f^alpha at every corner of f exactly where the subject says that it is below C(f)."""
    below = all(least_type_two_error(bound.rows, a) <= b for a, b in f.corners)
    return true(ask.refines(bound.rows, segments(f)) == below)


def columns_law(ask: Ask, f: TradeoffFunction) -> mpq:
    """The columns of C(f) are the segments of f, and (0, 1 - f(0)) where f(0) < 1."""
    return tables_equal(ask.channel_of(f.corners), segments(f))


def minimum_of_two(f: TradeoffFunction, low: mpq, high: mpq) -> Rows:
    """The printed f^low min f^high for low <= high: three columns, q/p increasing."""
    b0, b1 = f.at(low), f.at(high)
    return (1 - high, high - low, low), (b1, b0 - b1, 1 - b0)


def _levels(x: mpq, y: mpq) -> tuple[mpq, mpq]:
    return min(x, y), max(x, y)


def minimum_of_two_law(ask: Ask, f: TradeoffFunction, x: mpq, y: mpq) -> mpq:
    """The greatest lower bound of two levels of one f has the printed columns, up to canonical form."""
    low, high = _levels(x, y)
    bound = ask.glb([two_point(a, f.at(a)) for a in (low, high)])
    return tables_equal(bound, canonical_rows(minimum_of_two(f, low, high)))


def minimum_of_two_curve_law(ask: Ask, f: TradeoffFunction, x: mpq, y: mpq, alpha: mpq) -> mpq:
    """Its curve is the least chord between (0, 1), the two points and (1, 0)."""
    points = [(ZERO, ONE), *((a, f.at(a)) for a in _levels(x, y)), (ONE, ZERO)]
    corners = ask.tradeoff(ask.glb([two_point(a, f.at(a)) for a in (x, y)]))
    return worst(equal(at(corners, a), chord_minimum(points, a)) for a in (alpha, x, y))


def connection_law(ask: Ask, f: TradeoffFunction, m: Channel) -> mpq:
    """Every event S of M has f(P(S)) <= 1 - Q(S) exactly where the subject says C(f) ⊑ M."""
    below = all(f.at(a) <= b for a, b in event_points(m.rows))
    return true(ask.refines(segments(f), m.rows) == below)


def round_trip_law(ask: Ask, f: TradeoffFunction) -> mpq:
    """T(C(f)) = f."""
    return curves_equal(ask.tradeoff(ask.channel_of(f.corners)), f.corners)


def equivalence_law(ask: Ask, a: Channel, b: Channel) -> mpq:
    """Equal curves, equal canonical forms and refinement both ways are the same."""
    apart = curves_equal(ask.tradeoff(a.rows), ask.tradeoff(b.rows))
    both = ask.refines(a.rows, b.rows) and ask.refines(b.rows, a.rows)
    if canonical_rows(a.rows) == canonical_rows(b.rows):
        return max(apart, true(both))
    return true(not both)


def meet_law(ask: Ask, c: Channel, d: Channel, alpha: mpq) -> mpq:
    """The curve of C min D is the least chord between the events of the two."""
    corners = ask.tradeoff(ask.glb([c.rows, d.rows]))
    points = [*event_points(c.rows), *event_points(d.rows)]
    levels = {alpha, *(a for a, _ in corners if 0 <= a <= 1)}
    return worst(equal(at(corners, a), chord_minimum(points, a)) for a in levels)


def pieces_law(ask: Ask, m: Channel) -> mpq:
    """T(M) has at most one corner more than M has columns, and is the least error halfway between its corners too."""
    corners = ask.tradeoff(m.rows)
    halfway = [(a + b) / 2 for (a, _), (b, _) in pairwise(corners)]
    off_line = worst(equal(at(corners, a), least_type_two_error(m.rows, a)) for a in halfway)
    return max(mpq(len(corners) - m.shape[1] - 1), off_line)


def segment_law(ask: Ask, f: TradeoffFunction, alpha: mpq) -> mpq:
    """Between neighbouring corners the two of them determine f^alpha: f^{a_i} min f^{a_{i+1}} ⊑ f^alpha."""
    left, right = next((x, y) for (x, _), (y, _) in pairwise(f.corners) if x <= alpha <= y)
    return true(ask.refines(minimum_of_two(f, left, right), two_point(alpha, f.at(alpha))))


def fold_law(ask: Ask, f: TradeoffFunction) -> mpq:
    """Algorithm 2 as a fold of greatest lower bounds over the corners, from the first to the last, gives C(f)."""
    first, *others = (two_point(a, b) for a, b in f.corners)
    bound: Rows = first
    for other in others:
        bound = ask.glb([bound, other])
    return tables_equal(bound, ask.channel_of(f.corners)) if others else ZERO


def facets_of(f: TradeoffFunction) -> list[mpq]:
    """The facet points of algorithm 2: the corners' levels, 0 listed only if f(0) < 1."""
    return [a for a, b in f.corners if a or b < 1]


def algorithm_2(f: TradeoffFunction, facets: list[mpq]) -> Rows:
    """The columns that algorithm 2 emits for facets a_0 < ... < a_N = 1: N + 1 of them, q/p increasing."""
    steps = [(y - x, f.at(x) - f.at(y)) for x, y in pairwise(facets)][::-1]
    columns = [*steps, (facets[0], 1 - f.at(facets[0]))]
    return tuple(a for a, _ in columns), tuple(b for _, b in columns)


def printed_columns_law(ask: Ask, f: TradeoffFunction) -> mpq:
    """The emitted columns are C(f) as they stand: none is zero, and q/p increases."""
    return tables_equal(ask.channel_of(f.corners), algorithm_2(f, facets_of(f)))


def claim_channel(level: mpq, delta: mpq) -> Rows:
    """C_{epsilon, delta} as printed, with E = e^epsilon and a = (1 - delta)/(1 + E)."""
    a = (1 - delta) / (1 + level)
    return (delta, a * level, a, ZERO), (ZERO, a, a * level, delta)


def _claim_curve(level: mpq, delta: mpq) -> TradeoffFunction:
    a = (1 - delta) / (1 + level)
    corners = {ZERO: 1 - delta, a: a, 1 - delta: ZERO, ONE: ZERO}
    return TradeoffFunction(list(corners.items()) if delta < 1 else [(0, 0), (1, 0)])


def claim_curve_law(ask: Ask, level: mpq, delta: mpq) -> mpq:
    """T(C_{epsilon, delta}) = f_{epsilon, delta}."""
    return curves_equal(ask.tradeoff(claim_channel(level, delta)), _claim_curve(level, delta).corners)


def claim_channel_law(ask: Ask, level: mpq, delta: mpq) -> mpq:
    """C(f_{epsilon, delta}) has the columns of C_{epsilon, delta}, up to canonical form."""
    expected = canonical_rows(claim_channel(level, delta))
    return tables_equal(ask.channel_of(_claim_curve(level, delta).corners), expected)


def _holds(m: Channel, level: mpq, delta: mpq) -> bool:
    """Both inequalities for every event."""
    return all(hockey_stick_of(rows, level) <= delta for rows in (m.rows, m.rows[::-1]))


def claim_refinement_law(ask: Ask, m: Channel, level: mpq, delta: mpq) -> mpq:
    """M is (epsilon, delta)-DP, by all its events, exactly where the subject says C_{epsilon, delta} ⊑ M."""
    least = max(hockey_stick_of(rows, level) for rows in (m.rows, m.rows[::-1]))
    return worst(
        true(ask.refines(claim_channel(level, d), m.rows) == _holds(m, level, d)) for d in {delta, least, least / 2}
    )


def claim_decision_law(ask: Ask, m: Channel, level: mpq, delta: mpq) -> mpq:
    """The subject's decision of the claim and its decision of the refinement agree."""
    claim = {"exp_epsilon": to_text(level), "delta": to_text(delta)}
    return true(ask.satisfies(m.rows, claim) == ask.refines(claim_channel(level, delta), m.rows))
