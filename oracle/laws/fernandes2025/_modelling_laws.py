"""Laws of section 3, each from the asking side and an example to the excess by which it is broken."""

from __future__ import annotations

from gmpy2 import mpq

from oracle.channels.channel import Channel, Rows
from oracle.laws.ask import Ask
from oracle.laws.compare import at, at_most, curve_at_most, curves_equal, equal, tables_equal, true, worst
from oracle.laws.fernandes2025._facts import (
    ONE,
    error_of,
    event_points,
    exact,
    hockey_stick_of,
    least_type_two_error,
    product,
    test_of_level,
    two_point,
)

__all__ = [
    "at_one_level_law",
    "best_test_law",
    "both_orders_law",
    "curve_of_two_point_law",
    "error_law",
    "events_law",
    "finite_levels_law",
    "hockey_stick_gain_law",
    "hockey_stick_law",
    "hockey_stick_order_law",
    "monotone_law",
    "ordered_curves_law",
    "reflecting_law",
    "same_level_strict_law",
    "separating_level",
    "separation_law",
    "test_channel_law",
    "two_point_refines_law",
    "value_law",
]


def both_orders_law(ask: Ask, m: Channel) -> mpq:
    """T(M) of the pair backward is T of the channel with its rows exchanged."""
    return curves_equal(ask.tradeoff(m.rows, "backward"), ask.tradeoff(m.rows[::-1]))


def events_law(ask: Ask, m: Channel) -> mpq:
    """No event lies below T(M), and each corner of it is the best of all tests at its level."""
    corners = ask.tradeoff(m.rows)
    below = worst(at(corners, a) - b for a, b in event_points(m.rows))
    best = worst(equal(b, least_type_two_error(m.rows, a)) for a, b in corners)
    return max(below, best)


def test_channel_law(ask: Ask, m: Channel, level: mpq) -> mpq:
    """M·R^h is M^alpha at alpha = err_M(h)."""
    alpha, _ = error_of(m.rows, level)
    expected = two_point(alpha, exact(ask.beta(m.rows, alpha)))
    return tables_equal(ask.post(m.rows, test_of_level(m.rows, level)), expected)


test_channel_law.__test__ = False  # type: ignore[attr-defined]  # the field's name, not a pytest test


def two_point_refines_law(ask: Ask, m: Channel, alpha: mpq) -> mpq:
    """M ⊑ M^alpha at every alpha, corner or not."""
    return true(ask.refines(m.rows, two_point(alpha, least_type_two_error(m.rows, alpha))))


def curve_of_two_point_law(ask: Ask, m: Channel, alpha: mpq) -> mpq:
    """T(M^alpha) joins (0, 1), (alpha, T(M)(alpha)) and (1, 0): it touches T(M) at alpha and is above it elsewhere."""
    beta = least_type_two_error(m.rows, alpha)
    corners = ask.tradeoff(two_point(alpha, beta))
    return max(equal(at(corners, alpha), beta), curve_at_most(ask.tradeoff(m.rows), corners))


def error_law(ask: Ask, m: Channel, level: mpq) -> mpq:
    """T(M)(err_M(h)) is 1 minus the power of the test that rejects where q >= h p."""
    alpha, power = error_of(m.rows, level)
    return equal(ask.beta(m.rows, alpha), 1 - power)


def hockey_stick_law(ask: Ask, m: Channel, level: mpq) -> mpq:
    """2 V_h is the largest Q(S) - h P(S) over events."""
    return equal(ask.hockey_stick(m.rows, level, "backward"), hockey_stick_of(m.rows, level))


def hockey_stick_gain_law(ask: Ask, m: Channel, level: mpq) -> mpq:
    """Staking h on D0 against 1 on D1 (the gain h raised by h on D0, which is then never negative) gains V_h + h/2.

    The excess is taken relative to the stake where that is above 1.
    """
    stake = ((mpq(0), ONE), (level, mpq(0)))
    excess = equal(ask.vulnerability(m.rows, stake), (hockey_stick_of(m.rows, level) + level) / 2)
    return excess / max(ONE, level)


def _ratios(table: Rows) -> set[mpq]:
    return {b / a for a, b in zip(*table, strict=True) if a}


def finite_levels_law(ask: Ask, c: Channel, m: Channel, level: mpq) -> mpq:
    """C <=_h M at the finite likelihood ratios of M decides it at every h >= 0.

    Between those the sum of M is linear, beyond the last constant; that of C is convex and falls; both are 1 at 0.
    """
    if any(hockey_stick_of(c.rows, h) > hockey_stick_of(m.rows, h) for h in _ratios(m.rows)):
        return true(not ask.refines(m.rows, c.rows))
    return at_most(ask.hockey_stick(c.rows, level, "backward"), ask.hockey_stick(m.rows, level, "backward"))


def value_law(ask: Ask, m: Channel, level: mpq) -> mpq:
    """V_h(M) = (1 - f(alpha) - h alpha) / 2 = V_h(M^alpha) at alpha = err_M(h), f = T(M)."""
    alpha, _ = error_of(m.rows, level)
    beta = exact(ask.beta(m.rows, alpha))
    value = ask.hockey_stick(m.rows, level, "backward")
    averaged = ask.hockey_stick(two_point(alpha, least_type_two_error(m.rows, alpha)), level, "backward")
    return max(equal(value, 1 - beta - level * alpha), equal(value, averaged))


def same_level_strict_law(ask: Ask, alpha: mpq, low: mpq, high: mpq) -> mpq:
    """Of two tests of one level the one with the smaller type II error is strictly refined by the other."""
    c, m = (two_point(alpha, (1 - alpha) * share) for share in sorted((low, high)))
    return true(ask.refines(c, m) and ask.refines(m, c) == (c == m))


def ordered_curves_law(ask: Ask, c: Channel, witness: Rows, alpha: mpq) -> mpq:
    """T(C) <= T(M) gives C^alpha ⊑ M^alpha; the curves are ordered here since M is C·W."""
    m = product(c.rows, witness)
    left, right = (two_point(alpha, least_type_two_error(rows, alpha)) for rows in (c.rows, m))
    return true(ask.refines(left, right))


def at_one_level_law(ask: Ask, c: Channel, m: Channel, alpha: mpq) -> mpq:
    """C^alpha ⊑ M^alpha exactly where T(C)(alpha) <= T(M)(alpha): at one level any two such channels compare."""
    b, d = (least_type_two_error(rows, alpha) for rows in (c.rows, m.rows))
    left, right = two_point(alpha, b), two_point(alpha, d)
    return true(ask.refines(left, right) == (b <= d) and ask.refines(right, left) == (d <= b))


def separating_level(c: Rows, alpha: mpq) -> mpq:
    """The largest h with err_C(h) >= alpha; for alpha = 0, where every h has that, the largest finite ratio of C.

    err_C falls in steps, each taken up to and including a finite ratio of C, so the largest h is one of them.
    """
    return max(h for h in _ratios(c) | {mpq(0)} if error_of(c, h)[0] >= alpha)


def separation_law(ask: Ask, c: Channel, m: Channel, alpha: mpq) -> mpq:
    """Where T(M)(alpha) < T(C)(alpha), so that M^alpha ⊏ C^alpha, that level has V_h(C) < V_h(M)."""
    if least_type_two_error(m.rows, alpha) >= least_type_two_error(c.rows, alpha):
        # Then the other way round, if the two differ at all.
        c, m = m, c
        if least_type_two_error(m.rows, alpha) == least_type_two_error(c.rows, alpha):
            return mpq(0)
    h = separating_level(c.rows, alpha)
    low, high = (hockey_stick_of(rows, h) for rows in (c.rows, m.rows))
    said_low, said_high = (ask.hockey_stick(rows, h, "backward") for rows in (c.rows, m.rows))
    return worst([true(low < high), at_most(said_low, high), at_most(low, said_high)])


def hockey_stick_order_law(ask: Ask, c: Channel, m: Channel) -> mpq:
    """C <=_h M, by events at the finite ratios of M, exactly where the subject says M ⊑ C."""
    below = all(hockey_stick_of(c.rows, h) <= hockey_stick_of(m.rows, h) for h in _ratios(m.rows))
    return true(ask.refines(m.rows, c.rows) == below)


def monotone_law(ask: Ask, c: Channel, witness: Rows) -> mpq:
    """T(C) <= T(C·W)."""
    return curve_at_most(ask.tradeoff(c.rows), ask.tradeoff(product(c.rows, witness)))


def reflecting_law(ask: Ask, c: Channel, m: Channel) -> mpq:
    """T(C) <= T(M), by the best test of C at the level of each event of M, exactly where C ⊑ M."""
    below = all(least_type_two_error(c.rows, a) <= b for a, b in event_points(m.rows))
    return true(ask.refines(c.rows, m.rows) == below)


def best_test_law(ask: Ask, m: Channel, level: mpq) -> mpq:
    """The test at h is the best for the trade-off of the two errors at price h: no corner of T(M) is cheaper."""
    alpha, power = error_of(m.rows, level)
    return worst((1 - power + level * alpha) - (b + level * a) for a, b in ask.tradeoff(m.rows))
