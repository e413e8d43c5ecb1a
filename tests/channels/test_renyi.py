"""Rényi divergences of two-row channels: by definition, exact where exact, limits and order."""

from __future__ import annotations

from itertools import pairwise

import mpmath
import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle.answers import answer
from oracle.channels.channel import Channel
from oracle.channels.formal_channel import FormalChannel
from oracle.channels.renyi import LossLaw, Renyi, check_order, larger_renyi, renyi
from oracle.enclosures import Enclosure, enclose
from oracle.errors import InputError, LimitError
from oracle.exact import INFINITY
from oracle.formal import FormalSum
from oracle.laws.strategies import two_row_channels
from tests.experiments.reference import as_mpq, real

WARNER = Channel([["3/4", "1/4"], ["1/4", "3/4"]])
ORDERS = [mpq(1, 2), mpq(1), mpq(3, 2), mpq(2), mpq(3), INFINITY]


def by_definition(rows, order):
    """The divergence from its sum, in mpmath; None for infinity."""
    pairs = [(p, q) for p, q in zip(*rows, strict=True) if p]
    if any(q == 0 for _, q in pairs) and order >= 1:
        return None
    if order is INFINITY or order == INFINITY:
        return mpmath.log(max(real(p) / real(q) for p, q in pairs))
    a = real(order)
    if order == 1:
        return mpmath.fsum(real(p) * mpmath.log(real(p) / real(q)) for p, q in pairs)
    total = mpmath.fsum(real(p) ** a * real(q) ** (1 - a) for p, q in pairs if q)
    return None if total == 0 else mpmath.log(total) / (a - 1)


def bounds(value):
    return (value.lo, value.hi) if isinstance(value, Enclosure) else (value, value)


@settings(deadline=None, max_examples=60)
@given(two_row_channels(), st.sampled_from(ORDERS), st.sampled_from(["forward", "backward"]))
def test_the_value_is_that_of_the_definition(channel, order, direction):
    """Sums in mpmath with 60 digits, zero entries and infinite losses included."""
    rows = channel.rows if direction == "forward" else channel.rows[::-1]
    found = renyi(channel, order, direction, 20)
    with mpmath.workdps(60):
        truth = by_definition(rows, order)
        if found.divergence is None:
            assert order in (2, 3)
            assert truth is not None
            assert abs(mpmath.log(real(found.moment)) / (real(order) - 1) - truth) < mpmath.mpf(10) ** -40
            return
        if truth is None:
            assert found.divergence is INFINITY
            return
        lo, hi = bounds(found.divergence)
        assert lo - mpq(1, 10**40) <= as_mpq(mpmath.mpf(truth)) <= hi + mpq(1, 10**40)


@settings(deadline=None, max_examples=40)
@given(two_row_channels(), st.sampled_from([mpq(1, 2), mpq(1), mpq(2), mpq(5, 2)]))
def test_formal_rows_give_the_same_as_rational_ones(channel, order):
    """The same probabilities written as exponential sums."""
    rational, formal = renyi(channel, order, "both", 15), renyi(FormalChannel.from_channel(channel), order, "both", 15)
    assert formal.moment == rational.moment
    if rational.divergence is not None:
        (a, b), (c, d) = bounds(rational.divergence), bounds(formal.divergence)
        assert a <= d
        assert c <= b


@settings(deadline=None, max_examples=40)
@given(two_row_channels())
def test_the_divergence_rises_with_the_order_and_is_zero_for_equal_laws_only(channel):
    """Monotone in the order; exactly "0" when P = Q."""
    found = [renyi(channel, order, "forward", 25).divergence for order in (mpq(1, 2), mpq(1), mpq(3, 2), INFINITY)]
    ends = [bounds(value) for value in found]
    for (lo, _), (_, hi) in pairwise(ends):
        assert lo <= hi
    equal = channel.rows[0] == channel.rows[1]
    assert all((value == 0) == equal for value in found if not isinstance(value, Enclosure))
    assert not equal or found == [0, 0, 0, 0]


def test_examples():
    """Contract line c61, and an infinite loss."""
    assert renyi(WARNER, mpq(2)) == Renyi(mpq(7, 3), None)
    assert renyi(WARNER, mpq(3)) == Renyi(mpq(27, 4) + mpq(1, 36), None)
    certain = Channel([["1/2", "1/2", "0"], ["0", "1/2", "1/2"]])
    assert renyi(certain, mpq(2)) == Renyi(INFINITY, INFINITY)
    assert renyi(certain, mpq(1)) == Renyi(None, INFINITY)
    assert isinstance(renyi(certain, mpq(1, 2)).divergence, Enclosure)
    assert renyi(Channel([["1", "0"], ["0", "1"]]), mpq(1, 2)) == Renyi(None, INFINITY)


def test_irrational_randomized_response_has_its_own_epsilon_as_max_divergence():
    """Log max p/q = 1, exactly; the moment of order 2 is (e² + e^(-1))/(1 + e)."""
    e, one = FormalSum.exp(1), FormalSum.rational(1)
    pair = FormalChannel([[e, one], [one, e]])
    assert renyi(pair, INFINITY) == Renyi(None, mpq(1))
    value = renyi(pair, mpq(2), "both", 20)
    with mpmath.workdps(40):
        truth = (mpmath.e**2 + 1 / mpmath.e) / (1 + mpmath.e)
        logarithm = mpmath.log(truth)
    assert value.moment.contains(as_mpq(truth))
    assert value.divergence.contains(as_mpq(logarithm))


def test_rows_of_different_totals_are_normalised():
    """P = (e, 1)/(1+e), Q = (1, 1)/2: Σ p²/q = 2(e² + 1)/(1+e)²."""
    e, one = FormalSum.exp(1), FormalSum.rational(1)
    value = renyi(FormalChannel([[e, one], [one, one]]), mpq(2), "forward", 20)
    with mpmath.workdps(40):
        assert value.moment.contains(as_mpq(2 * (mpmath.e**2 + 1) / (1 + mpmath.e) ** 2))


def test_the_larger_of_two_directions():
    """Field by field; an infinity wins, overlapping enclosures merge."""
    low, high = Enclosure(mpq(1), mpq(3)), Enclosure(mpq(2), mpq(4))
    assert larger_renyi([Renyi(None, low), Renyi(None, high)]) == Renyi(None, high)
    assert larger_renyi([Renyi(None, Enclosure(mpq(1), mpq(5))), Renyi(None, high)]).divergence == Enclosure(
        mpq(2), mpq(5)
    )
    assert larger_renyi([Renyi(mpq(1), INFINITY), Renyi(INFINITY, low)]) == Renyi(INFINITY, INFINITY)
    skewed = Channel([["1/2", "1/2"], ["1/10", "9/10"]])
    assert renyi(skewed, mpq(2), "both").moment == max(renyi(skewed, mpq(2), d).moment for d in ("forward", "backward"))


def test_orders_have_a_domain_and_exact_moments_a_limit():
    """0 and below are refused; a moment of a million terms of digits is a limit."""
    for order in (mpq(0), mpq(-1)):
        with pytest.raises(InputError, match="an order above 0"):
            check_order(order)
    with pytest.raises(LimitError):
        renyi(WARNER, mpq(10**10))
    with pytest.raises(InputError):
        renyi(Channel([["1"], ["1"], ["1"]]), mpq(2))


LONG = {"matrix": [["1", "0"], ["1e-90000", "0." + "9" * 90000]]}
NODE = {"mechanism": "randomized_response", "exp_epsilon": "3"}
E_NODE = {"mechanism": "randomized_response", "epsilon": "1"}


@pytest.mark.parametrize(
    ("channel", "order"),
    [
        (LONG, "1e5"),
        (LONG, "100"),
        (LONG, "1e99999"),
        (NODE, "1e6"),
        (NODE, "1e99999"),
        (E_NODE, "1e99999"),
        (E_NODE, "1e-99999"),
        ({"mechanism": "randomized_response", "epsilon": "1e99999"}, "3/2"),
        ({"mechanism": "discrete_gaussian", "sigma": "2"}, "1e-99999"),
    ],
    ids=map(str, range(9)),
)
def test_what_is_never_done_is_refused_at_once(channel, order):
    """Numerators and denominators are counted before any power is taken; too large a power would end the process."""
    reply = answer({"id": 1, "op": "renyi", "args": {"channel": channel, "order": order}})
    assert "at most" in reply["error"]
    assert len(reply["error"]) < 300


@pytest.mark.parametrize("formal", [False, True])
@pytest.mark.parametrize("side", ["forward", "backward"])
def test_the_law_of_the_loss_gives_the_same_divergences(formal, side):
    """Of several orders of one pair, order 1 included, with the facts that decide infinite cases."""
    channel = Channel([["1/2", "1/4", "1/4", "0"], ["1/8", "1/8", "3/4", "0"]])
    pair = FormalChannel.from_channel(channel) if formal else channel
    law = LossLaw(pair, side)
    assert (law.infinite, law.trivial, law.disjoint, law.columns) == (False, False, False, 3)
    for order in (mpq(1, 2), mpq(1), mpq(3, 2), mpq(7)):
        rows = channel.rows if side == "forward" else channel.rows[::-1]
        truth = as_mpq(by_definition(rows, order))
        found = enclose(law.divergence(order), 12)
        assert found.lo - mpq(1, 10**14) <= truth <= found.hi + mpq(1, 10**14)


def test_the_law_of_the_loss_of_special_pairs():
    """Equal rows, disjoint rows, and an outcome of probability 0 on one side."""
    equal = LossLaw(Channel([["1/2", "1/2"], ["1/2", "1/2"]]), "forward")
    disjoint = LossLaw(Channel([["1", "0"], ["0", "1"]]), "forward")
    lone = Channel([["1/2", "1/2", "0"], ["1/2", "1/4", "1/4"]])
    assert (equal.trivial, equal.largest_ratio) == (True, 1)
    assert (disjoint.disjoint, disjoint.infinite, disjoint.largest_ratio) == (True, True, 0)
    assert [LossLaw(lone, side).infinite for side in ("forward", "backward")] == [False, True]
    assert LossLaw(lone, "forward").largest_ratio == 2
