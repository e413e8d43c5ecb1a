"""What two counts refute: row 14's numbers, both regions and directions, and the null by exact enumeration."""

from __future__ import annotations

import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle.certificates.checker import check
from oracle.channels.channel import Channel
from oracle.channels.galois import tradeoff_of
from oracle.channels.tradeoff import TradeoffFunction, approximate_dp_curve
from oracle.claims import ApproximateDP, GaussianDP, TradeoffClaim, parse_claim_text
from oracle.errors import Declined, InputError, LimitError
from oracle.levels import Level
from oracle.statistics.binomial import binomial_weights
from oracle.statistics.events import Count, EventCounts, event_bounds, exp_epsilon_bound, judge_counts
from oracle.statistics.selection import Selection

CONFIDENCE = mpq(19, 20)
CLAIM = parse_claim_text("E=2,delta=1/1000")


def counts(k1, n1, k2, n2):
    return EventCounts(Count(k1, n1), Count(k2, n2))


def judged(claim, counted, **options):
    """The verdict at confidence 19/20; a certificate is there exactly if it is refuted."""
    verdict = judge_counts(claim, counted, confidence=CONFIDENCE, **options)
    assert verdict.refuted is (verdict.certificate is not None)
    assert verdict.refuted is verdict.inequalities[0].violated
    return verdict


@pytest.mark.parametrize(
    ("counted", "lower", "upper", "excess", "bound"),
    [
        ((750, 1000, 250, 1000), "7219/10000", "2781/10000", "1657/10000", "25958/10000"),
        ((7500, 10_000, 2500, 10_000), "7413/10000", "2587/10000", "2239/10000", "28654/10000"),
    ],
)
def test_randomised_response_of_level_3_is_refuted_at_2(counted, lower, upper, excess, bound):
    """The counts expected of randomised response with E = 3; bounds of E cut off to four decimals."""
    verdict = judged(CLAIM, counts(*counted))
    assert (verdict.refuted, verdict.direction, verdict.levels) == (True, "forward", (mpq(1, 40), mpq(1, 40)))
    assert (verdict.bounds[0].lower, verdict.bounds[0].upper) == (mpq(lower), mpq(upper))
    assert verdict.certificate["violation"] == {"level": "2", "excess": excess}
    least = exp_epsilon_bound(counts(*counted), mpq(0), confidence=CONFIDENCE)
    assert mpq(bound) <= least < mpq(bound) + mpq(1, 10_000)
    assert f"P[Bin({counted[1]}, {lower}) >= {counted[0]}] <= 1/40" in verdict.statement
    assert f"{lower} - 2 * {upper} = {excess} > 1/1000" in verdict.statement


@pytest.mark.parametrize("larger", ["first", "second", "either"])
@pytest.mark.parametrize("swapped", [False, True])
def test_the_counts_of_a_readme_refute_nothing(larger, swapped):
    """TP 487, TN 1, FP 512, FN 0: not even epsilon = 0, whichever law was said to be the larger one."""
    guessed_in = counts(512, 513, 487, 487) if swapped else counts(487, 487, 512, 513)
    verdict = judged(parse_claim_text("E=1"), guessed_in, larger=larger)
    assert not verdict.refuted
    assert "do not refute" in verdict.statement
    assert exp_epsilon_bound(guessed_in, mpq(0), confidence=CONFIDENCE, larger=larger) == 1


def test_the_complement_refutes_the_other_direction_at_no_cost():
    """990 and 500 of 1000: the event gives less than 2, its complement more than 25."""
    counted = counts(990, 1000, 500, 1000)
    claim = parse_claim_text("E=20")
    assert judged(claim, counted).direction == "backward"
    assert judged(claim, counted).certificate["region"] == "complement"
    assert not judged(claim, counted, direction="forward").refuted
    assert judged(claim, counted, direction="backward").levels == (mpq(1, 40), mpq(1, 40))
    assert exp_epsilon_bound(counted, mpq(0), confidence=CONFIDENCE) > 25
    assert exp_epsilon_bound(counted, mpq(0), confidence=CONFIDENCE, direction="forward") < 2


def test_swapped_inputs_swap_the_direction():
    """Counts exchanged, the other law said to be larger."""
    counted, other = counts(750, 1000, 250, 1000), counts(250, 1000, 750, 1000)
    first, second = judged(CLAIM, counted), judged(CLAIM, other, larger="second")
    assert (first.direction, second.direction) == ("forward", "backward")
    assert first.certificate["violation"] == second.certificate["violation"]
    assert not judged(CLAIM, other).refuted
    assert judged(CLAIM, other, larger="either").levels == (mpq(1, 80), mpq(1, 80))
    assert judged(CLAIM, other, larger="either").certificate["statements"] == "2"


def test_one_of_twelve_is_tested_at_a_twelfth_of_the_level():
    """1/480 each, with bounds computed anew, not scaled."""
    verdict = judged(CLAIM, counts(750, 1000, 250, 1000), selection=Selection("family", 12))
    assert verdict.levels == (mpq(1, 480), mpq(1, 480))
    assert verdict.bounds[0] == event_bounds(counts(750, 1000, 250, 1000), "first", mpq(1, 480), mpq(1, 480))
    assert mpq(70, 100) < verdict.bounds[0].lower < mpq(7219, 10_000)
    assert not judged(CLAIM, counts(560, 1000, 250, 1000), selection=Selection("family", 12)).refuted
    assert judged(CLAIM, counts(590, 1000, 250, 1000)).refuted


def test_curves_are_refuted_like_the_claims_they_stand_for():
    """The curve of (E, delta) is refuted exactly if (E, delta) is, both directions together."""
    refuted = []
    for k1, k2 in ((750, 250), (900, 300), (700, 400), (250, 20), (999, 800), (30, 0)):
        for exp_epsilon in (mpq(3, 2), mpq(2), mpq(5, 2), mpq(4)):
            curve = TradeoffClaim(approximate_dp_curve(exp_epsilon, mpq(1, 1000)))
            claim = ApproximateDP(Level.rational(exp_epsilon), mpq(1, 1000))
            refuted.append(judged(curve, counts(k1, 1000, k2, 1000)).refuted)
            assert refuted[-1] is judged(claim, counts(k1, 1000, k2, 1000)).refuted
    assert True in refuted
    assert False in refuted


def test_an_asymmetric_curve_has_two_directions():
    """For f(alpha) = max(0, 1 - 3 alpha): f(1 - x) > y is forward, f(y) > 1 - x is backward."""
    curve = TradeoffClaim(TradeoffFunction([["0", "1"], ["1/3", "0"], ["1", "0"]]))
    found = {}
    for name, counted in (("one", (9200, 3800)), ("both", (9990, 100)), ("none", (7000, 2500))):
        pair = counts(counted[0], 10_000, counted[1], 10_000)
        found[name] = [judged(curve, pair, direction=side).refuted for side in ("forward", "backward")]
    assert found == {"one": [True, False], "both": [True, True], "none": [False, False]}
    forward, backward = (judged(curve, counts(9990, 10_000, 100, 10_000), direction=s) for s in ("forward", "backward"))
    assert (forward.certificate["region"], backward.certificate["region"]) == ("complement", "event")


@pytest.mark.parametrize(("mu", "refuted"), [("0", True), ("1", True), ("117/100", True), ("118/100", False)])
def test_mu_is_refuted_below_that_of_the_bounds(mu, refuted):
    """Phi^-1(7219/10000) - Phi^-1(2781/10000) = 1.1768."""
    assert judged(GaussianDP(mpq(mu)), counts(750, 1000, 250, 1000)).refuted is refuted


@pytest.mark.parametrize(("epsilon", "refuted"), [("0.95", True), ("0.9539", True), ("0.954", False), ("inf", False)])
def test_a_transcendental_level_is_bounded_by_a_decimal(epsilon, refuted):
    """log(7219/2781) = 0.95391; the level in the certificate is above e^epsilon."""
    verdict = judged(parse_claim_text(f"eps={epsilon}"), counts(750, 1000, 250, 1000))
    assert verdict.refuted is refuted
    if refuted:
        level = mpq(verdict.certificate["violation"]["level"])
        assert Level.of_exponent(mpq(epsilon)).compare(level) < 0
        assert level < mpq(7219, 2781)


def test_equality_of_bounds_is_no_refutation():
    """Where x = 2 y + delta exactly."""
    bounds = judged(CLAIM, counts(750, 1000, 250, 1000)).bounds[0]
    delta = bounds.lower - 2 * bounds.upper
    assert not judged(ApproximateDP(Level.rational(2), delta), counts(750, 1000, 250, 1000)).refuted
    assert judged(ApproximateDP(Level.rational(2), delta - mpq(1, 10**30)), counts(750, 1000, 250, 1000)).refuted


@settings(deadline=None, max_examples=40)
@given(
    st.sampled_from(["E=1", "E=2,delta=1/10", "eps=1/2,delta=1/100", "mu=1/3", "mu=0"]),
    st.sampled_from(["first", "second", "either"]),
    st.sampled_from([Selection("declared"), Selection("split"), Selection("family", 3)]),
    st.data(),
)
def test_every_refutation_has_an_accepted_certificate(text, larger, selection, data):
    """With the confidence in its statement; and a bound of E that agrees."""
    n1, n2 = data.draw(st.integers(1, 80)), data.draw(st.integers(1, 80))
    counted = counts(data.draw(st.integers(0, n1)), n1, data.draw(st.integers(0, n2)), n2)
    claim = parse_claim_text(text)
    verdict = judged(claim, counted, larger=larger, selection=selection)
    if verdict.refuted:
        assert check(verdict.certificate).statement.startswith("With confidence at least 19/20 the claim ")
    if isinstance(claim, ApproximateDP):
        least = exp_epsilon_bound(counted, claim.delta, confidence=CONFIDENCE, larger=larger, selection=selection)
        assert verdict.refuted is (claim.level.compare(least) < 0)


NULLS = [
    # A pair (P(S), Q(S)) that satisfies the claim, the last ones with equality.
    ("E=1", "1/2", "1/2"),
    ("E=1", "1/10", "1/10"),
    ("E=2,delta=1/10", "1/2", "1/5"),
    ("E=2,delta=1/10", "7/10", "3/10"),
    ("eps=1/2", "3/5", "2/5"),
    ("mu=1", "2/3", "1/3"),
]


@pytest.mark.parametrize(("text", "p", "q"), NULLS)
@pytest.mark.parametrize("larger", ["first", "either"])
def test_a_true_claim_is_refuted_at_most_at_the_level(text, p, q, larger):
    """The exact probability over all pairs of counts of 9 and 6 runs, at several confidences."""
    claim, first, second = parse_claim_text(text), binomial_weights(9, mpq(p)), binomial_weights(6, mpq(q))
    for confidence in (mpq(1, 2), mpq(4, 5), mpq(19, 20)):
        rejected = sum(
            first[i] * second[j]
            for i in range(10)
            for j in range(7)
            if judge_counts(claim, counts(i, 9, j, 6), confidence=confidence, larger=larger).refuted
        )
        assert rejected <= 1 - confidence


def test_the_null_of_a_curve_is_refuted_at_most_at_the_level():
    """The curve of a channel itself, tested by each of its events."""
    rows = [[mpq(1, 2), mpq(1, 3), mpq(1, 6)], [mpq(1, 6), mpq(1, 3), mpq(1, 2)]]
    claim = TradeoffClaim(tradeoff_of(Channel(rows)))
    for event in ((0,), (2,), (0, 1)):
        first, second = (binomial_weights(7, sum(row[k] for k in event)) for row in rows)
        rejected = sum(
            first[i] * second[j]
            for i in range(8)
            for j in range(8)
            if judge_counts(claim, counts(i, 7, j, 7), confidence=mpq(2, 3)).refuted
        )
        assert rejected <= mpq(1, 3)


def test_other_claims_are_declined():
    """Of rho and of Rényi orders."""
    for text in ("rho=1/2", "rdp=2:1"):
        with pytest.raises(Declined):
            judged(parse_claim_text(text), counts(750, 1000, 250, 1000))


@pytest.mark.parametrize(
    ("hits", "runs"), [(1001, 1000), (-1, 1000), (0, 0), (0.75, 1000), ("750", 1000), (True, 1000), (1, 1000.0)]
)
def test_what_is_no_count_is_refused(hits, runs):
    """Frequencies, counts above the runs, negative ones, no runs."""
    with pytest.raises(InputError):
        Count(hits, runs)


def test_bad_options_are_refused():
    """A confidence outside (0, 1), a law of another name, a grid of nothing, too many runs."""
    counted = counts(750, 1000, 250, 1000)
    for confidence in (mpq(0), mpq(1), mpq(95)):
        with pytest.raises(InputError, match="confidence"):
            judge_counts(CLAIM, counted, confidence=confidence)
    with pytest.raises(InputError, match="larger"):
        judged(CLAIM, counted, larger="both")
    with pytest.raises(InputError, match="direction"):
        judged(CLAIM, counted, direction="first")
    with pytest.raises(InputError, match="grid"):
        judged(CLAIM, counted, grid=0)
    with pytest.raises(LimitError):
        Count(1, 10**9 + 1)


@pytest.mark.parametrize("runs", [1000, 10**6, 10**8])
def test_many_runs(runs):
    """With certificate and check."""
    assert judged(CLAIM, counts(3 * runs // 4, runs, runs // 4, runs)).refuted
