"""Symmetric decomposition: weights and levels by hand, and back by the visible choice of the parts."""

from __future__ import annotations

import pytest
from gmpy2 import mpq
from hypothesis import given

from oracle.channels.canonical import canonical, equivalent
from oracle.channels.channel import Channel
from oracle.channels.decomposition import Part, decompose, recompose
from oracle.channels.galois import channel_of, tradeoff_of
from oracle.channels.operators import visible
from oracle.channels.tradeoff import TradeoffFunction, approximate_dp_curve
from oracle.errors import InputError
from oracle.exact import INFINITY, Infinity
from oracle.laws.strategies import deltas, rational_levels, tradeoff_functions


@given(tradeoff_functions())
def test_the_parts_make_the_curve(curve):
    """Weights above 0 that sum to 1, levels strictly decreasing to at least 1, the curve given back."""
    symmetric = curve.symmetrised()
    parts = decompose(symmetric)
    assert sum(part.weight for part in parts) == 1
    assert all(part.weight > 0 for part in parts)
    finite = [part.exp_epsilon for part in parts if not isinstance(part.exp_epsilon, Infinity)]
    assert finite == sorted(set(finite), reverse=True)
    assert all(level >= 1 for level in finite)
    assert [isinstance(part.exp_epsilon, Infinity) for part in parts] == [
        i < len(parts) - len(finite) for i in range(len(parts))
    ]
    assert len(parts) - len(finite) == (symmetric.corners[0][1] < 1)
    assert tradeoff_of(recompose(parts)) == symmetric
    assert canonical(recompose(parts)) == channel_of(symmetric)
    # The paper's count: floor(N/2) + 1 parts for N + 1 columns.
    assert len(parts) == (channel_of(symmetric).shape[1] - 1) // 2 + 1


@given(tradeoff_functions())
def test_the_parts_are_a_visible_choice_of_randomized_responses(curve):
    """Folding ⊕ over the parts one by one gives the same channel."""
    parts = decompose(curve.symmetrised())
    result, weight = None, mpq(0)
    for part in parts:
        truth = mpq(1)
        if not isinstance(part.exp_epsilon, Infinity):
            truth = part.exp_epsilon / (1 + part.exp_epsilon)
        response = Channel([[truth, 1 - truth], [1 - truth, truth]])
        weight += part.weight
        result = response if result is None else visible(part.weight / weight, response, result)
    assert result is not None
    assert equivalent(result, recompose(parts))


@given(rational_levels(1), deltas())
def test_an_approximate_guarantee_is_delta_of_everything_and_the_rest_pure(level, delta):
    """C_{eps,delta} ≡ C_{inf,0} ⊕_delta C_{eps,0}."""
    expected = [Part(delta, INFINITY), Part(1 - delta, level)]
    assert decompose(approximate_dp_curve(level, delta)) == [part for part in expected if part.weight]


@pytest.mark.parametrize(
    ("corners", "parts"),
    [
        ([("0", "1"), ("1", "0")], [("1", "1")]),
        ([("0", "0"), ("1", "0")], [("1", "inf")]),
        ([("0", "1"), ("1/4", "1/2"), ("1/2", "1/4"), ("1", "0")], [("3/4", "2"), ("1/4", "1")]),
        ([("0", "2/3"), ("2/3", "0"), ("1", "0")], [("1/3", "inf"), ("2/3", "1")]),
    ],
)
def test_small_curves_by_hand(corners, parts):
    """The middle column's weight is taken once, and epsilon = inf exactly when f(0) < 1."""
    found = decompose(TradeoffFunction(corners))
    assert found == [Part(mpq(w), INFINITY if e == "inf" else mpq(e)) for w, e in parts]


@given(tradeoff_functions())
def test_a_curve_that_is_not_its_own_inverse_is_refused(curve):
    """Only symmetric curves have such a decomposition: every visible choice of the responses is symmetric."""
    if curve.is_symmetric():
        assert decompose(curve)
        return
    with pytest.raises(InputError, match=r"^tradeoff: expected a symmetric trade-off function"):
        decompose(curve)
