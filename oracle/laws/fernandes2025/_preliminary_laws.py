"""Laws of section 2, each from the asking side and an example to the excess by which it is broken."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from gmpy2 import mpq

from oracle.channels.channel import Channel, Rows
from oracle.channels.galois import channel_of, tradeoff_of
from oracle.channels.tradeoff import TradeoffFunction
from oracle.channels.worst_case import approximate_dp_channel
from oracle.exact import parse_number, to_text
from oracle.laws.ask import Ask, breakpoints, matrix
from oracle.laws.compare import at, at_most, equal, tables_equal, true, valid_channel, valid_curve, worst
from oracle.laws.fernandes2025._facts import (
    EVERYTHING,
    NOTHING,
    ONE,
    chord_minimum,
    event_points,
    exact,
    hockey_stick_of,
    least_type_two_error,
    mass,
    product,
)

__all__ = [
    "bounds_law",
    "chord_law",
    "composed_delta_law",
    "composed_refinement_law",
    "curve_ends_law",
    "curve_value_law",
    "data_processing_law",
    "dp_curve_law",
    "dp_decision_law",
    "gain_order_law",
    "join_law",
    "least_delta",
    "least_delta_law",
    "likelihood_ratio_tests",
    "meet_law",
    "neyman_pearson_law",
    "post_processing_law",
    "posterior_hull_law",
    "refinement_decision_law",
    "shuffle_law",
    "test_law",
    "tight_claim_law",
    "tradeoff_claim_law",
    "valid_function_law",
    "vulnerability_law",
]


def least_delta(table: Rows, level: mpq) -> mpq:
    """The largest excess p_S - E q_S or q_S - E p_S over all events S."""
    return max(hockey_stick_of(table, level), hockey_stick_of(table[::-1], level))


def least_delta_law(ask: Ask, m: Channel, level: mpq) -> mpq:
    """The subject's delta is the largest excess of an event."""
    return equal(ask.delta(m.rows, level), least_delta(m.rows, level))


def dp_decision_law(ask: Ask, m: Channel, level: mpq, delta: mpq) -> mpq:
    """The subject accepts (epsilon, delta) exactly where no event exceeds it, the boundary itself included."""
    least = least_delta(m.rows, level)
    return worst(
        true(ask.satisfies(m.rows, {"exp_epsilon": to_text(level), "delta": to_text(d)}) == (least <= d))
        for d in (delta, least)
    )


def composed_delta_law(ask: Ask, m: Channel, level: mpq) -> mpq:
    """M ∥ M at e^{2 epsilon} needs no more than twice the delta of M at e^epsilon."""
    doubled = min(ONE, 2 * least_delta(m.rows, level))
    return at_most(ask.delta(ask.parallel([m.rows, m.rows]), level * level), doubled)


def composed_refinement_law(ask: Ask, m: Channel, level: mpq) -> mpq:
    """The worst channel of (2 epsilon, 2 delta) is refined by M ∥ M."""
    doubled = min(ONE, 2 * least_delta(m.rows, level))
    left = approximate_dp_channel(level * level, doubled)
    twice = tuple(tuple(a * b for a in row for b in row) for row in m.rows)
    return true(ask.refines(left.rows, twice))


def test_law(ask: Ask, m: Channel, weights: Sequence[mpq]) -> mpq:
    """No test φ has a type II error below the curve at its own significance level."""
    p, q = m.rows
    level = sum((a * w for a, w in zip(p, weights, strict=False)), mpq(0))
    power = sum((b * w for b, w in zip(q, weights, strict=False)), mpq(0))
    return at_most(ask.beta(m.rows, level), 1 - power)


test_law.__test__ = False  # type: ignore[attr-defined]  # the field's name, not a pytest test


def likelihood_ratio_tests(table: Rows, alpha: mpq) -> list[tuple[mpq, mpq, mpq]]:
    """(h, c, type II error) of likelihood ratio tests of level exactly alpha; h is 0, a finite ratio or beyond all."""
    p, q = table
    ratios = {b / a for a, b in zip(p, q, strict=True) if a}
    found = []
    for h in sorted({mpq(0), *ratios, max(ratios) + 1}):
        above = [i for i in range(len(p)) if q[i] > h * p[i]]
        equal_ratio = [i for i in range(len(p)) if q[i] == h * p[i]]
        left, available = alpha - mass(p, above), mass(p, equal_ratio)
        if 0 <= left <= available:
            c = left / available if available else mpq(0)
            found.append((h, c, 1 - mass(q, above) - c * mass(q, equal_ratio)))
    return found


def neyman_pearson_law(ask: Ask, m: Channel, alpha: mpq) -> mpq:
    """Some likelihood ratio test has level exactly alpha, and each one of that level reaches the curve."""
    found = likelihood_ratio_tests(m.rows, alpha)
    beta = ask.beta(m.rows, alpha)
    return worst([true(bool(found)), *(equal(beta, error) for _, _, error in found)])


def curve_value_law(ask: Ask, m: Channel, alpha: mpq) -> mpq:
    """T(p, q)(alpha) is the least type II error over the vertices of the polytope of tests."""
    return equal(ask.beta(m.rows, alpha), least_type_two_error(m.rows, alpha))


def curve_ends_law(ask: Ask, m: Channel) -> mpq:
    """T starts at 1 - Q(p = 0), and reaches 0 first at 1 - P(q = 0)."""
    p, q = m.rows
    start = 1 - sum((b for a, b in zip(p, q, strict=True) if not a), mpq(0))
    end = 1 - sum((a for a, b in zip(p, q, strict=True) if not b), mpq(0))
    corners = ask.tradeoff(m.rows)
    first_zero = min((a for a, b in corners if not b), default=ONE)
    return worst([equal(corners[0][1], start), equal(first_zero, end)])


def chord_law(ask: Ask, m: Channel, x: mpq, y: mpq, share: mpq) -> mpq:
    """T at a mixture of two levels is at most the mixture of its values."""
    values = [exact(ask.beta(m.rows, z)) for z in (x, y, share * x + (1 - share) * y)]
    return at_most(values[2], share * values[0] + (1 - share) * values[1])


def valid_function_law(ask: Ask, f: TradeoffFunction) -> mpq:
    """What the subject makes of a member of F and back is a member of F: 1 at most at 0, 0 at 1, falling, convex."""
    return valid_curve(ask.tradeoff(ask.channel_of(f.corners)))


def join_law(ask: Ask, f: TradeoffFunction, g: TradeoffFunction, alpha: mpq) -> mpq:
    """The least upper bound is the pointwise maximum: at every corner involved and halfway between neighbours."""
    joined = ask.tradeoff(ask.lub([channel_of(f).rows, channel_of(g).rows]))
    levels = sorted({alpha, *(a for a, _ in (*f.corners, *g.corners, *joined) if 0 <= a <= 1)})
    halfway = [(a + b) / 2 for a, b in pairwise(levels)]
    return worst(equal(at(joined, a), max(at(f.corners, a), at(g.corners, a))) for a in (*levels, *halfway))


def meet_law(ask: Ask, f: TradeoffFunction, g: TradeoffFunction, alpha: mpq) -> mpq:
    """The greatest lower bound is the lower convex hull of the two curves: their least chord."""
    met = ask.tradeoff(ask.glb([channel_of(f).rows, channel_of(g).rows]))
    points = [*f.corners, *g.corners]
    return worst(equal(at(met, a), chord_minimum(points, a)) for a in {alpha, *(a for a, _ in points)})


def bounds_law(ask: Ask, m: Channel) -> mpq:
    """Every channel lies between the one that reveals everything and the one that reveals nothing."""
    return true(ask.refines(EVERYTHING.rows, m.rows) and ask.refines(m.rows, NOTHING.rows))


def tradeoff_claim_law(ask: Ask, m: Channel, f: TradeoffFunction) -> mpq:
    """M is f-DP exactly when every event S has f(P(S)) <= 1 - Q(S); both orders of the pair for both."""
    claim = {"tradeoff": breakpoints(f)}
    forward, backward = (all(f.at(a) <= b for a, b in event_points(rows)) for rows in (m.rows, m.rows[::-1]))
    answers = [(ask.satisfies(m.rows, claim, "forward"), forward), (ask.satisfies(m.rows, claim, "backward"), backward)]
    answers.append((ask.satisfies(m.rows, claim), forward and backward))
    return true(all(said == meant for said, meant in answers))


def tight_claim_law(ask: Ask, m: Channel) -> mpq:
    """M satisfies its own curve, which is the largest it can claim."""
    return true(ask.satisfies(m.rows, {"tradeoff": breakpoints(tradeoff_of(m))}, "forward"))


def dp_curve_law(ask: Ask, level: mpq, delta: mpq, alpha: mpq) -> mpq:
    """The curve of the channel of (epsilon, delta) is the printed maximum of three lines."""
    lines = (mpq(0), 1 - delta - level * alpha, (1 - delta - alpha) / level)
    return equal(ask.beta(approximate_dp_channel(level, delta).rows, alpha), max(lines))


def post_processing_law(ask: Ask, c: Channel, witness: Rows) -> mpq:
    """C ⊑ C·W for every row-stochastic W, and where the subject gives a witness of its own, that proves it."""
    right = product(c.rows, witness)
    value = ask.value("refines", {"left": matrix(c), "right": matrix(right)})
    if not value["holds"] or "witness" not in value:
        return true(bool(value["holds"]))
    found = [[mpq(0)] * len(right[0]) for _ in witness]
    for i, j, weight in value["witness"]["entries"]:
        found[i][j] += parse_number(weight)
    own = tuple(map(tuple, found))
    return max(valid_channel(own), tables_equal(product(c.rows, own), right))


def refinement_decision_law(ask: Ask, left: Channel, right: Channel) -> mpq:
    """Refinement of two-row channels holds exactly when each test of the right one is matched by one of the left."""
    matched = all(least_type_two_error(left.rows, a) <= b for a, b in event_points(right.rows))
    return true(ask.refines(left.rows, right.rows) == matched)


def vulnerability_law(ask: Ask, m: Channel, gain: Rows) -> mpq:
    """The subject's vulnerability is the average, by marginals, of the best gain at each posterior."""
    total = mpq(0)
    for a, b in zip(*m.rows, strict=True):
        marginal = (a + b) / 2
        if marginal:
            posterior = a / (a + b), b / (a + b)
            total += marginal * max(g * posterior[0] + k * posterior[1] for g, k in gain)
    return equal(ask.vulnerability(m.rows, gain), total)


def shuffle_law(ask: Ask, m: Channel, gain: Rows, order: Sequence[int]) -> mpq:
    """The order of the columns is of no consequence to the vulnerability."""
    kept = [i for i in order if i < m.shape[1]]
    shuffled = tuple(tuple(row[i] for i in kept) for row in m.rows)
    return equal(ask.vulnerability(m.rows, gain), ask.vulnerability(shuffled, gain))


def data_processing_law(ask: Ask, c: Channel, witness: Rows, gain: Rows) -> mpq:
    """Post-processing never helps the adversary: V_g(C·W) <= V_g(C)."""
    return at_most(ask.vulnerability(product(c.rows, witness), gain), ask.vulnerability(c.rows, gain))


def gain_order_law(ask: Ask, left: Channel, right: Channel) -> mpq:
    """If no gain function of the hockey-stick family prefers the right channel, it is refined by the left one.

    The gain (D1 earns 1) against (D0 earns h) has V_g = (h + Σ max(0, q - h p)) / 2. The finite likelihood ratios of
    the left channel suffice: between them, from 0 to the first, and beyond the last its sum is linear, while the
    right one's is convex, equal to it at 0, and falls beyond the last, where the left one's is constant.
    """
    levels = {b / a for a, b in zip(*left.rows, strict=True) if a}
    preferred = any(hockey_stick_of(right.rows, h) > hockey_stick_of(left.rows, h) for h in levels)
    if not ask.refines(left.rows, right.rows):
        return true(preferred)
    stakes = [((mpq(0), ONE), (h, mpq(0))) for h in levels]
    surplus = worst(at_most(ask.vulnerability(right.rows, g), ask.vulnerability(left.rows, g)) for g in stakes)
    return max(true(not preferred), surplus)


def posterior_hull_law(ask: Ask, two: Channel, other: Channel) -> mpq:
    """A channel of at most two posteriors refines to another exactly when it encloses all posteriors of it."""
    inner, outer = ({b / (a + b) for a, b in zip(*c.rows, strict=True) if a + b} for c in (other, two))
    enclosed = min(outer) <= min(inner) and max(inner) <= max(outer)
    return true(ask.refines(two.rows, other.rows) == enclosed)
