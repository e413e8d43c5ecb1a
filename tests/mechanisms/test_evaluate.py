"""Evaluation of the finite mechanisms, each against its definition."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle.channels.channel import Channel
from oracle.channels.divergences import hockey_stick
from oracle.channels.formal_channel import (
    FormalChannel,
    formal_delta,
    formal_epsilon,
    formal_satisfies,
    formal_tradeoff,
)
from oracle.channels.galois import tradeoff_of
from oracle.errors import LimitError
from oracle.levels import Level
from oracle.mechanisms.evaluate import MAX_COLUMNS, evaluate
from oracle.mechanisms.parse import mechanism_from

exp_epsilons = st.fractions(min_value=1, max_value=9, max_denominator=6)
exponents = st.fractions(min_value="1/20", max_value=4, max_denominator=20)


def channel(name: str, **fields):
    """Evaluate one expression."""
    return evaluate(mechanism_from({"mechanism": name, **fields}))


def value_of(number) -> mpmath.mpf:
    """A weight by mpmath, at the caller's precision (no radicals)."""
    return mpmath.fsum(
        mpmath.mpf(int(c.numerator))
        / int(c.denominator)
        * mpmath.exp(mpmath.mpf(int(e.numerator)) / int(e.denominator))
        for (e, _), c in number.terms()
    )


def test_randomized_response_of_the_contract():
    """E = 3 answers truthfully with probability 3/4; E = inf and E = 1 are the ends."""
    assert channel("randomized_response", exp_epsilon="3") == Channel([["3/4", "1/4"], ["1/4", "3/4"]])
    assert channel("randomized_response", epsilon="log(3)") == Channel([["3/4", "1/4"], ["1/4", "3/4"]])
    assert channel("randomized_response", exp_epsilon="inf") == Channel([["1", "0"], ["0", "1"]])
    assert channel("randomized_response", epsilon="0") == Channel([["1/2", "1/2"], ["1/2", "1/2"]])


def test_approximate_randomized_response_of_the_contract():
    """The canonical channel at E = 3, delta = 1/10, with every column kept."""
    assert channel("approximate_randomized_response", exp_epsilon="3", delta="1/10") == Channel(
        [["1/10", "27/40", "9/40", "0"], ["0", "9/40", "27/40", "1/10"]]
    )
    assert channel("approximate_randomized_response", exp_epsilon="inf", delta="1/10") == Channel(
        [["1/10", "9/10", "0", "0"], ["0", "0", "9/10", "1/10"]]
    )
    assert channel("approximate_randomized_response", epsilon="1", delta="1") == Channel(
        [["1", "0", "0", "0"], ["0", "0", "0", "1"]]
    )


def test_k_randomized_response_keeps_every_answer():
    """With k = 4, E = 2: own answer 2/5, each other 1/5; at E = inf the others have probability 0."""
    assert channel("k_randomized_response", k=4, exp_epsilon="2") == Channel(
        [["2/5", "1/5", "1/5", "1/5"], ["1/5", "2/5", "1/5", "1/5"]]
    )
    assert channel("k_randomized_response", k=3, exp_epsilon="inf") == Channel([["1", "0", "0"], ["0", "1", "0"]])


@settings(deadline=None)
@given(st.sampled_from(["randomized_response", "k_randomized_response"]), exp_epsilons, st.integers(2, 5))
def test_randomized_response_has_its_own_epsilon(name, e, k):
    """The largest ratio is E in both directions, and no smaller level does."""
    fields = {"k": k} if name == "k_randomized_response" else {}
    result = channel(name, exp_epsilon=str(e), **fields)
    assert hockey_stick(result, mpq(e), "both") == 0
    if e > 1:
        assert hockey_stick(result, mpq(e) - mpq(1, 10**6), "both") > 0


@settings(deadline=None)
@given(exp_epsilons, st.fractions(min_value=0, max_value=1, max_denominator=20))
def test_approximate_randomized_response_has_exactly_its_delta(e, delta):
    """The hockey stick at E is delta in each direction."""
    result = channel("approximate_randomized_response", exp_epsilon=str(e), delta=str(delta))
    assert hockey_stick(result, mpq(e), "forward") == delta
    assert hockey_stick(result, mpq(e), "backward") == delta


@settings(deadline=None)
@given(exponents, st.fractions(min_value=0, max_value="19/20", max_denominator=20), st.integers(2, 5))
def test_mechanisms_with_a_rational_epsilon_hold_with_equality_at_it(s, delta, k):
    """RR, k-RR and the approximate one are decided at their own irrational level and refuted just below."""
    level, below = Level.of_exponent(mpq(s)), Level.of_exponent(mpq(s) * (1 - mpq(1, 10**30)))
    for result, bound in (
        (channel("randomized_response", epsilon=str(s)), mpq(0)),
        (channel("k_randomized_response", k=k, epsilon=str(s)), mpq(0)),
        (channel("approximate_randomized_response", epsilon=str(s), delta=str(delta)), mpq(delta)),
    ):
        assert isinstance(result, FormalChannel)
        for direction in ("both", "forward", "backward"):
            assert formal_satisfies(result, level, bound, direction).holds
            assert not formal_satisfies(result, below, bound, direction).holds
        assert formal_epsilon(result, bound) == level
        assert formal_delta(result, level) == bound


@settings(deadline=None)
@given(st.integers(0, 6), st.integers(0, 6), st.fractions(min_value=0, max_value="19/20", max_denominator=20))
def test_clamped_geometric_is_the_clamped_sum(first, second, r):
    """Each probability is the mass of the noise that lands there: summed far out, then the tail in closed form."""
    result = channel("geometric", ratio=str(r), low=0, high=6, values=[first, second])
    for row, value in zip(result.rows, (first, second), strict=True):
        masses = [mpq(0)] * 7
        for noise in range(-20, 21):
            masses[min(6, max(0, value + noise))] += mpq((1 - r) / (1 + r) * r ** abs(noise))
        tail = mpq(r**21 / (1 + r))  # Σ_{j > 20} (1-r)/(1+r) r^j
        masses[0] += tail
        masses[6] += tail
        assert list(row) == masses


def test_clamped_geometric_by_hand():
    """Ratio 1/2 on 0..4 (Ghosh, Roughgarden, Sundararajan): neighbouring values differ by a factor 2 at most."""
    result = channel("geometric", ratio="1/2", low=0, high=4, values=[1, 2])
    assert result == Channel([["1/3", "1/3", "1/6", "1/12", "1/12"], ["1/6", "1/6", "1/3", "1/6", "1/6"]])
    assert hockey_stick(result, mpq(2), "both") == 0
    assert channel("geometric", ratio="0", low=0, high=1, values=[0, 1]) == Channel([["1", "0"], ["0", "1"]])
    assert channel("geometric", ratio="1/2", low=3, high=3, values=[3, 3]) == Channel([["1"], ["1"]])


def test_exponential_with_rational_weights_is_a_rational_channel():
    """E = 4 with utilities 1, 0: weight 4^(1/2) = 2."""
    scores = [["1", "0", "0"], ["0", "1", "0"]]
    assert channel("exponential", scores=scores, exp_epsilon="4") == Channel(
        [["1/2", "1/4", "1/4"], ["1/4", "1/2", "1/4"]]
    )
    assert channel("exponential", scores=[["5", "5"], ["0", "0"]], epsilon="1") == Channel(
        [["1/2", "1/2"], ["1/2", "1/2"]]
    )
    assert channel("exponential", scores=[["7"], ["0"]], epsilon="1") == Channel([["1"], ["1"]])


def test_exponential_with_radical_weights_is_decided_at_its_epsilon():
    """E = 2 gives weights √2 and 1: the claim E = 2 holds, and the largest ratio is √2 itself."""
    result = channel("exponential", scores=[["1", "0"], ["0", "1"]], exp_epsilon="2")
    assert isinstance(result, FormalChannel)
    assert formal_satisfies(result, Level.rational(2), mpq(0)).holds
    assert not formal_satisfies(result, Level.rational(mpq(1414, 1000)), mpq(0)).holds
    assert formal_satisfies(result, Level.rational(mpq(1415, 1000)), mpq(0)).holds


def test_exponential_within_its_sensitivity_has_its_epsilon_and_beyond_it_has_not():
    """Sensitivity is declared, not checked: scores that differ by more break the claim."""
    inside = channel("exponential", scores=[["1", "0", "0"], ["0", "1", "0"]], epsilon="1")
    assert formal_satisfies(inside, Level.of_exponent(1), mpq(0)).holds
    assert formal_epsilon(inside, mpq(0)) == Level.of_exponent(mpq(1, 2))
    beyond = channel("exponential", scores=[["3", "0", "0"], ["0", "3", "0"]], epsilon="1")
    assert not formal_satisfies(beyond, Level.of_exponent(1), mpq(0)).holds
    assert formal_epsilon(beyond, mpq(0)) == Level.of_exponent(mpq(3, 2))


def test_the_least_epsilon_of_exponential_with_unequal_totals():
    """Scores (1, 0) against (0, 0): totals differ, and the least epsilon is the logarithm of a quotient of sums."""
    result = channel("exponential", scores=[["1", "0"], ["0", "0"]], epsilon="1")
    least = formal_epsilon(result, mpq(0))
    assert not isinstance(least, Level)
    with mpmath.workdps(40):
        # With r = e^(1/2): p/q of outcome 0 is 2r/(1 + r), q/p of outcome 1 is (1 + r)/2.
        root = mpmath.exp(mpmath.mpf(1) / 2)
        truth = mpmath.log(max(2 * root / (1 + root), (1 + root) / 2))
        low, high = (mpmath.mpf(text) for text in (least.to_json()["lo"], least.to_json()["hi"]))
        assert low <= truth <= high


scores_lists = st.lists(
    st.tuples(*[st.fractions(min_value=-2, max_value=2, max_denominator=2)] * 2), min_size=1, max_size=4
)


@settings(deadline=None)
@given(scores_lists, exponents, st.fractions(min_value="1/2", max_value=3, max_denominator=2))
def test_exponential_probabilities_are_those_of_the_definition(pairs, s, sensitivity):
    """exp(epsilon·u/(2·sensitivity)) over its sum, by mpmath."""
    scores = [[str(pair[i]) for pair in pairs] for i in range(2)]
    result = channel("exponential", scores=scores, epsilon=str(s), sensitivity=str(sensitivity))
    if isinstance(result, Channel):
        result = FormalChannel.from_channel(result)
    with mpmath.workdps(60):
        for i in range(2):
            factors = [s * pair[i] / (2 * sensitivity) for pair in pairs]
            weights = [mpmath.exp(mpmath.mpf(f.numerator) / f.denominator) for f in factors]
            total = value_of(result.totals[i])
            for weight, own in zip(weights, result.rows[i], strict=True):
                assert abs(weight / mpmath.fsum(weights) - value_of(own) / total) < mpmath.mpf(10) ** -55


@settings(deadline=None)
@given(scores_lists, st.integers(2, 5), st.integers(1, 4))
def test_exponential_with_a_square_level_is_the_rational_table(pairs, root, a):
    """With E = root² and integer scores the weights are root^u: the same table by plain fractions."""
    pairs = [(int(u), int(v)) for u, v in pairs]
    scores = [[str(pair[i]) for pair in pairs] for i in range(2)]
    result = channel("exponential", scores=scores, exp_epsilon=str(root**2))
    table = []
    for i in range(2):
        weights = [Fraction(root) ** pair[i] for pair in pairs]
        table.append([weight / sum(weights) for weight in weights])
    assert result == Channel(table)
    level = Level.rational(mpq(a))
    assert formal_delta(FormalChannel.from_channel(result), level) == hockey_stick(result, mpq(a), "both")


def test_a_tradeoff_goes_through_the_map_c():
    """T of the evaluated channel is the curve."""
    node = mechanism_from({"mechanism": "tradeoff", "breakpoints": [["0", "9/10"], ["1/2", "1/10"], ["1", "0"]]})
    assert tradeoff_of(evaluate(node)) == node.curve


def test_a_channel_evaluates_to_itself():
    """Tables of any number of rows keep their labels."""
    table = Channel([["1", "0"], ["1/2", "1/2"], ["0", "1"]], ["a", "b", "c"], ["y", "n"])
    assert evaluate(mechanism_from(table)) is table


def test_columns_are_limited_before_anything_is_computed():
    """A silly size is a limit that names it; the caller may set a smaller one."""
    for fields in ({"k": 10**12}, {"k": MAX_COLUMNS + 1}, {"k": 10**300}):
        with pytest.raises(LimitError, match=f"at most {MAX_COLUMNS} columns"):
            channel("k_randomized_response", exp_epsilon="2", **fields)
    with pytest.raises(LimitError):
        channel("geometric", ratio="1/2", low=0, high=10**9, values=[0, 1])
    with pytest.raises(LimitError, match="bits"):
        channel("geometric", ratio=f"1/{10**2000}", low=0, high=99_000, values=[0, 1])
    node = mechanism_from({"mechanism": "k_randomized_response", "k": 5, "exp_epsilon": "2"})
    with pytest.raises(LimitError):
        evaluate(node, max_columns=4)
    assert evaluate(node, max_columns=5).shape == (2, 5)


def test_the_corner_of_randomized_response_with_epsilon_one_half():
    """There alpha = beta = 1/(1 + e^(1/2)) at the only inner corner."""
    corners = formal_tradeoff(channel("randomized_response", epsilon="1/2"), 15)
    assert corners[0] == (0, 1)
    assert corners[-1] == (1, 0)
    assert corners[1][0].contains(mpq("0.37754066879814543536"))
    assert corners[1][1].contains(mpq("0.37754066879814543536"))
