"""Claims of section 1 on trade-off functions: their definition, which functions they are, and (epsilon, delta)-DP."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from gmpy2 import mpq
from hypothesis import strategies as st

from oracle.channels.channel import Channel
from oracle.channels.divergences import hockey_stick
from oracle.channels.galois import channel_of, tradeoff_of
from oracle.channels.tradeoff import TradeoffFunction, approximate_dp_curve
from oracle.errors import InputError
from oracle.exact import to_text
from oracle.laws.ask import Ask, breakpoints
from oracle.laws.compare import at, curves_equal, equal, tables_equal, true, valid_curve, worst
from oracle.laws.fernandes2025._facts import canonical_rows, channel, curve, exact, least_type_two_error
from oracle.laws.record import ClaimRecord, Law, fact
from oracle.laws.strategies import (
    alphas,
    channels_with_levels,
    deltas,
    rational_levels,
    tradeoff_functions,
    two_row_channels,
)
from oracle.laws.vadhan2023._facts import ONE, ZERO, response, response_curve

__all__ = ["CLAIMS"]

_VECTOR: Final = channel("1/2 1/3 1/6", "1/6 1/3 1/2")
_ONE_SIDED: Final = channel("1 0", "1/2 1/2")
"""D_2 is 0 in one order and 1/2 in the other."""


def _definition_law(ask: Ask, m: Channel, alpha: mpq) -> mpq:
    """The subject's value at alpha is the least over all vertices of the tests of level alpha, in both orders."""
    backward = at(ask.tradeoff(m.rows, "backward"), alpha)
    return max(
        equal(ask.beta(m.rows, alpha), least_type_two_error(m.rows, alpha)),
        equal(backward, least_type_two_error(m.rows[::-1], alpha)),
    )


def _necessary_law(ask: Ask, m: Channel) -> mpq:
    """The subject's curve has the four properties, and is that of the pair which its curve gives back."""
    asked = ask.tradeoff(m.rows)
    excess = valid_curve(asked)
    return excess if excess > 0 else tables_equal(ask.channel_of(asked), canonical_rows(m.rows))


def _sufficient_law(ask: Ask, f: TradeoffFunction, alpha: mpq) -> mpq:
    """A curve with the four properties is T of a pair of laws: of the subject's canonical pair, by definition."""
    pair = ask.channel_of(f.corners)
    sums = worst(abs(sum(row, ZERO) - 1) for row in pair)
    if sums > 0:
        return sums
    return max(curves_equal(ask.tradeoff(pair), f.corners), equal(f.at(alpha), least_type_two_error(pair, alpha)))


def _formula_law(ask: Ask, a: mpq, delta: mpq, alpha: mpq) -> mpq:
    """The subject's T(RR_{epsilon, delta}) at alpha and at its corners is the printed maximum."""
    rows = response(a, delta)
    asked = ask.tradeoff(rows)
    corners = [equal(b, response_curve(a, delta, x)) for x, b in asked]
    return worst([*corners, equal(ask.beta(rows, alpha), response_curve(a, delta, alpha))])


def _both_directions_law(ask: Ask, m: Channel, a: mpq, delta: mpq) -> mpq:
    """f_{epsilon, delta} is below T(X, X') exactly where both divergences are at most delta."""
    excess = ZERO
    for bound in (delta, max(hockey_stick(m, a), hockey_stick(m.swapped(), a))):
        f = breakpoints(approximate_dp_curve(a, bound))
        below = ask.satisfies(m.rows, {"tradeoff": f}, "forward")
        sides = [exact(ask.hockey_stick(m.rows, a, side)) for side in ("forward", "backward")]
        private = ask.satisfies(m.rows, {"exp_epsilon": to_text(a), "delta": to_text(bound)})
        excess = max(excess, true(below == all(d <= bound for d in sides)), true(below == private))
    return excess


def _duality_law(ask: Ask, m: Channel, a: mpq) -> mpq:
    """D_a(X'‖X) = max(1 - f(alpha) - a alpha) and D_a(X‖X') = max(1 - alpha - a f(alpha)); corners attain them."""
    corners = ask.tradeoff(m.rows)
    backward = max(1 - b - a * x for x, b in corners)
    forward = max(1 - x - a * b for x, b in corners)
    return max(equal(ask.hockey_stick(m.rows, a), forward), equal(ask.hockey_stick(m.rows, a, "backward"), backward))


def _is_refused(*corners: Sequence[Any]) -> bool:
    try:
        TradeoffFunction(corners)
    except InputError:
        return True
    return False


def _continuity_is_needed() -> bool:
    """A test of level 0 is the best of those of levels 1/n in the limit: f = 0 at all 1/n forces f(0) = 0."""
    values = [tradeoff_of(channel("1 0", "0 1")).at(x) for x in (*(mpq(1, 10**k) for k in range(50)), ZERO)]
    return not any(values) and _is_refused(("0", "1"), ("0", "0"), ("1", "0"))


def _edges() -> bool:
    """The curve for epsilon = 0 and delta = 0 is 1 - alpha; for delta = 1 it is 0, whatever epsilon is."""
    line = tradeoff_of(Channel(response(ONE, ZERO))) == approximate_dp_curve(ONE, ZERO) == curve((0, 1), (1, 0))
    nothing = [tradeoff_of(Channel(response(a, ONE))) == curve((0, 0), (1, 0)) for a in (ONE, mpq(3))]
    half = tradeoff_of(Channel(response(ONE, mpq(1, 2)))) == curve((0, "1/2"), ("1/2", 0), (1, 0))
    return line and all(nothing) and half


CLAIMS: tuple[ClaimRecord, ...] = (
    ClaimRecord(
        id="Def1.6 T",
        title="the trade-off function",
        statement="T(Y, Y')(α) is the least type II error of a test of Y against Y' whose type I error is at most α. "
        "The infimum is attained: reject the outcomes of largest y'/y first.",
        formula="T(Y, Y')(α) = inf{1 - E_{Y'}[φ] : E_Y[φ] <= α, 0 <= φ <= 1}",
        source="section 1, Definition 1.6",
        status="definition",
        laws=(
            Law(
                "the least over the vertices of the tests, both orders",
                st.tuples(two_row_channels(5), alphas()),
                _definition_law,
            ),
        ),
        facts=(
            fact(
                "vadhan2023-01b: (1/2, 1/3, 1/6) and (1/6, 1/3, 1/2): corners (0, 1), (1/6, 1/2), (1/2, 1/6), (1, 0)",
                lambda: (
                    tradeoff_of(_VECTOR) == curve(("0", "1"), ("1/6", "1/2"), ("1/2", "1/6"), ("1", "0"))
                    and least_type_two_error(_VECTOR.rows, mpq(1, 6)) == mpq(1, 2)
                ),
            ),
        ),
        defines=True,
    ),
    ClaimRecord(
        id="Prop1.7",
        title="which functions are trade-off functions",
        statement="A function from [0, 1] to [0, 1] is T of some pair of laws exactly when it is convex, continuous, "
        "non-increasing and at most 1 - x. A piecewise linear one is T of the pair with one outcome for each segment.",
        formula="f = T(P, P') for some P, P' iff f is convex, continuous, non-increasing, f(x) <= 1 - x",
        source="section 1, Proposition 1.7",
        status="holds",
        laws=(
            Law("every T has the four properties, and a canonical pair", two_row_channels(5), _necessary_law),
            Law(
                "every curve with the four properties is T of a pair",
                st.tuples(tradeoff_functions(), alphas()),
                _sufficient_law,
            ),
        ),
        facts=(
            fact(
                "not convex: (0, 1/4), (1/2, 1/4), (1, 0) is refused",
                lambda: _is_refused(("0", "1/4"), ("1/2", "1/4"), ("1", "0")),
            ),
            fact(
                "increasing: (0, 1/4), (1/4, 1/2), (1, 0) is refused",
                lambda: _is_refused(("0", "1/4"), ("1/4", "1/2"), ("1", "0")),
            ),
            fact(
                "above 1 - x: (0, 1), (1/2, 3/4), (1, 0) is refused",
                lambda: _is_refused(("0", "1"), ("1/2", "3/4"), ("1", "0")),
            ),
            fact("not continuous: 1 at 0 and 0 elsewhere is refused", _continuity_is_needed),
            fact(
                "(0, 3/4), (1/4, 1/4), (1/2, 0), (1, 0) is T of [1/2 1/4 1/4 0; 0 1/4 1/2 1/4]",
                lambda: (
                    channel_of(curve(("0", "3/4"), ("1/4", "1/4"), ("1/2", "0"), ("1", "0")))
                    == channel("1/2 1/4 1/4 0", "0 1/4 1/2 1/4")
                ),
            ),
        ),
    ),
    ClaimRecord(
        id="f_{eps,delta}",
        title="the trade-off function of (ε, δ)",
        statement="The largest of three lines is the trade-off function of randomised response RR_{ε,δ}, with corners "
        "(0, 1-δ), (c, c), (1-δ, 0) and (1, 0), c = (1-δ)/(1+e^ε). It is so for ε = 0 and for δ = 0 and 1, too.",
        formula="f_{ε,δ}(α) = max{0, 1 - δ - e^ε α, e^{-ε}(1 - δ - α)} = T(RR_{ε,δ}(0), RR_{ε,δ}(1))(α)",
        source="section 1, after the definition of f-DP",
        status="holds",
        laws=(
            Law(
                "the maximum is T of randomised response",
                st.tuples(rational_levels(1), deltas(), alphas()),
                _formula_law,
            ),
        ),
        facts=(
            fact(
                "vadhan2023-01: e^ε = 3, δ = 1/10: corners (0, 9/10), (9/40, 9/40), (9/10, 0), (1, 0)",
                lambda: (
                    tradeoff_of(Channel(response(mpq(3), mpq(1, 10))))
                    == curve(("0", "9/10"), ("9/40", "9/40"), ("9/10", "0"), ("1", "0"))
                    == approximate_dp_curve(mpq(3), mpq(1, 10))
                ),
            ),
            fact("ε = 0 and δ = 0: 1 - α; δ = 1: 0; ε = 0 and δ = 1/2: max(0, 1/2 - α)", _edges),
        ),
    ),
    ClaimRecord(
        id="DP<=>f",
        title="(ε, δ)-DP is f-DP",
        statement="T(X, X') is at least f_{ε,δ} exactly when the hockey-stick divergence at e^ε is at most δ in both "
        "orders. Of one ordered pair both are needed; over a symmetric neighbouring relation this is (ε, δ)-DP.",
        formula="T(X, X') >= f_{ε,δ} iff D_a(X‖X') <= δ and D_a(X'‖X) <= δ, a = e^ε; D_a(X'‖X) = max_α (1 - "
        "T(X, X')(α) - a α)",
        source="section 1, after the definition of f-DP",
        status="holds",
        hypotheses="neighbours can be exchanged",
        laws=(
            Law(
                "below T exactly where both divergences obey the bound",
                st.tuples(two_row_channels(4), rational_levels(1), alphas()),
                _both_directions_law,
            ),
            Law("duality of curve and divergence", channels_with_levels(), _duality_law),
        ),
        facts=(
            fact(
                "(1, 0) and (1/2, 1/2): D_2 is 0 in this order, 1/2 in the other, and T(0) = 1/2 < f_{log 2, 0}(0) = 1",
                lambda: (
                    (
                        hockey_stick(_ONE_SIDED, mpq(2)),
                        hockey_stick(_ONE_SIDED, mpq(2), "backward"),
                        tradeoff_of(_ONE_SIDED).at(ZERO),
                        response_curve(mpq(2), ZERO, ZERO),
                    )
                    == (ZERO, mpq(1, 2), mpq(1, 2), ONE)
                ),
            ),
        ),
    ),
)
