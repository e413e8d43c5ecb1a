"""The recursion for trade-off functions: against its definition, real mechanisms and published values."""

from __future__ import annotations

import math
import random
from itertools import pairwise, product

import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle.channels.channel import Channel
from oracle.channels.divergences import hockey_stick
from oracle.channels.galois import tradeoff_of
from oracle.channels.tradeoff import TradeoffFunction, approximate_dp_curve, minimum
from oracle.claims import GaussianDP, TradeoffClaim
from oracle.errors import LimitError
from oracle.statistics.one_run import OneRun, one_run_p_value
from oracle.statistics.one_run_curves import curve_refutation, least_total_mass
from oracle.statistics.one_run_verdicts import one_run_refutes_curve

DOUBLED = approximate_dp_curve(mpq(2), mpq(0))


def feasible(run, curve, tau):
    """A law of the number of right guesses with P[>= v] = tau, made greedily from above; None if there is none.

    By the definition of the r and h: at each step the least mass that h_i >= G(r_(i+1)) asks for.
    """
    m, r, v = run.canaries, run.guesses, run.correct
    masses = {v: tau}
    for i in reversed(range(v)):
        right = sum(j * p for j, p in masses.items() if j > i) / m
        wrong = sum((r - j) * p for j, p in masses.items() if j > i) / m
        if right > 1:
            return None
        masses[i] = max(mpq(0), (_infimum(curve, right) - wrong) * m / (r - i))
    rest = 1 - sum(masses.values())
    return None if rest < 0 else masses | {0: masses.get(0, mpq(0)) + rest}


def _infimum(curve, x):
    """The least a with 1 - f(a) >= x, on the first segment that reaches it."""
    for (a, b), (c, d) in pairwise(curve.corners):
        if 1 - b >= x:
            return a
        if 1 - d >= x:
            return a + (x - (1 - b)) / ((1 - d) - (1 - b)) * (c - a)
    raise AssertionError


@settings(deadline=None, max_examples=120)
@given(
    st.integers(1, 12),
    st.fractions("1/200", 1, max_denominator=200),
    st.sampled_from([DOUBLED, approximate_dp_curve(mpq(3), mpq(1, 20)), TradeoffFunction([["0", "1/2"], ["1", "0"]])]),
    st.data(),
)
def test_the_recursion_says_which_tails_are_possible(canaries, tau, curve, data):
    """Its total is above 1 exactly if no law has that tail and fulfils every inequality."""
    guesses = data.draw(st.integers(1, canaries))
    run = OneRun(canaries, guesses, data.draw(st.integers(0, guesses)))
    law = feasible(run, curve, mpq(tau))
    assert (least_total_mass(run, curve, mpq(tau)) > 1) is (law is None)
    if law is not None:
        assert sum(law.values()) == 1
        assert min(law.values()) >= 0


@settings(deadline=None, max_examples=60)
@given(st.integers(2, 40), st.sampled_from([mpq(1, 20), mpq(1, 3)]), st.data())
def test_rounding_loses_nothing_that_matters(canaries, level, data):
    """The rounded recursion excludes what the exact one excludes by more than 2^-200, and nothing else."""
    guesses = data.draw(st.integers(1, canaries))
    run = OneRun(canaries, guesses, data.draw(st.integers(0, guesses)))
    curve = approximate_dp_curve(mpq(2), mpq(1, 100))
    exact = least_total_mass(run, curve, level)
    found = one_run_refutes_curve(run, TradeoffClaim(curve), level)
    if found:
        assert exact > 1
    else:
        assert exact < 1 + mpq(1, 1 << 200)


@pytest.mark.parametrize("guesses", [4, 8, 15])
def test_the_tail_of_randomised_response_is_possible(guesses):
    """It attains the curve of (E, 0), so that no tail of Bin(r, E/(E + 1)) is excluded; all right is nearly tight."""
    right = mpq(2, 3)
    for v in range(guesses + 1):
        tail = sum(math.comb(guesses, j) * right**j * (1 - right) ** (guesses - j) for j in range(v, guesses + 1))
        assert least_total_mass(OneRun(guesses, guesses, v), DOUBLED, tail) <= 1
    found = curve_refutation(OneRun(guesses, guesses, guesses), TradeoffClaim(DOUBLED), mpq(1, 2))
    assert right**guesses < found.tau <= right**guesses * mpq(102, 100)


def hit_tails(m, channel):
    """P[>= v right] when the output names a guess for each of m coins; row = the coins, column = the guesses."""
    sides = list(product((0, 1), repeat=m))
    law = [mpq(0)] * (m + 1)
    for coins, row in zip(sides, channel, strict=True):
        for guess, p in zip(sides, row, strict=True):
            law[sum(a == b for a, b in zip(coins, guess, strict=True))] += p / len(sides)
    return [sum(law[v:]) for v in range(m + 1)]


def mechanisms(m, sharpness, how_many):
    """Random mechanisms that answer m coins by m guesses, the sharper the likelier right, and all neighbouring rows."""
    chance = random.Random(20240715 + sharpness)  # noqa: S311 - a fixed sample
    sides = list(product((0, 1), repeat=m))
    pairs = [
        (a, b)
        for a, b in product(range(len(sides)), repeat=2)
        if sum(x != y for x, y in zip(sides[a], sides[b], strict=True)) == 1
    ]
    for _ in range(how_many):
        channel = []
        for coins in sides:
            weights = [
                mpq(chance.randint(1, 6)) * (1 + sharpness * sum(a == b for a, b in zip(coins, s, strict=True)))
                for s in sides
            ]
            channel.append([w / sum(weights) for w in weights])
        yield channel, [Channel([channel[a], channel[b]]) for a, b in pairs]


@pytest.mark.parametrize("m", [1, 2, 3])
@pytest.mark.parametrize("sharpness", [0, 1, 4, 20])
def test_no_mechanism_exceeds_the_bounds_of_its_own_guarantees(m, sharpness):
    """For f the minimum over all neighbouring coins, and for (E, delta) at the tight delta of several E."""
    for channel, neighbours in mechanisms(m, sharpness, 6):
        curve = minimum([tradeoff_of(pair) for pair in neighbours])
        for v, tail in enumerate(hit_tails(m, channel)):
            run = OneRun(m, m, v)
            assert not tail or least_total_mass(run, curve, tail) <= 1
            assert tail == 1 or not one_run_refutes_curve(run, TradeoffClaim(curve), tail)
            for exp_epsilon in (mpq(1), mpq(3, 2), mpq(3)):
                delta = max(hockey_stick(pair, exp_epsilon, "forward") for pair in neighbours)
                assert tail <= one_run_p_value(run, exp_epsilon, delta)


@pytest.mark.parametrize(
    ("run", "mu", "low", "high"),
    [
        # Doubles of the algorithm of the paper put r_0 + h_0 above r/m at the higher and below it at the lower tau.
        ((1000, 100, 90), "1/2", "0.0104", "0.0105"),
        ((1000, 300, 250), "1/2", "0.0210", "0.0211"),
        ((1000, 1000, 850), "1/2", "0.00199", "0.00200"),
    ],
)
def test_gaussian_curves_agree_with_the_published_algorithm(run, mu, low, high):
    """The least excluded tau of three digits."""
    found = curve_refutation(OneRun(*run), GaussianDP(mpq(mu)), mpq(1, 20))
    assert mpq(low) < found.tau <= mpq(high)
    assert not one_run_refutes_curve(OneRun(*run), GaussianDP(mpq(mu)), mpq(low))


@pytest.mark.parametrize("mu", ["5/4", "2"])
def test_what_a_gaussian_allows_is_not_refuted(mu):
    """At 1/20, as in the published algorithm."""
    for run in ((1000, 100, 90), (1000, 300, 250), (1000, 1000, 850)):
        assert curve_refutation(OneRun(*run), GaussianDP(mpq(mu)), mpq(1, 20)) is None


def test_no_right_guess_refutes_nothing():
    """And perfect privacy is refuted by many; below 10^-30 no smaller tau is looked for."""
    perfect = TradeoffClaim(TradeoffFunction([["0", "1"], ["1", "0"]]))
    assert curve_refutation(OneRun(10, 10, 0), perfect, mpq(1, 20)) is None
    assert curve_refutation(OneRun(10, 0, 0), perfect, mpq(1, 20)) is None
    found = curve_refutation(OneRun(200, 200, 200), perfect, mpq(1, 20))
    assert found.tau <= mpq(1, 10**30)
    assert curve_refutation(OneRun(200, 200, 200), GaussianDP(mpq(0)), mpq(1, 20)).thresholds


def test_exact_masses_are_for_few_guesses():
    """Their numbers grow with every step."""
    with pytest.raises(LimitError, match="1000 guesses"):
        least_total_mass(OneRun(2000, 1001, 900), DOUBLED, mpq(1, 20))
