"""Verdicts on one run: refuted with an accepted certificate, or undecided, for every kind of claim and selection."""

from __future__ import annotations

from itertools import product

import pytest
from gmpy2 import mpq

from oracle.certificates.checker import check
from oracle.channels.tradeoff import approximate_dp_curve
from oracle.claims import ApproximateDP, GaussianDP, TradeoffClaim, parse_claim_text
from oracle.errors import Declined, InputError
from oracle.levels import Level
from oracle.statistics.one_run import OneRun, largest_refuted_exp_epsilon, one_run_p_value
from oracle.statistics.one_run_verdicts import judge_one_run, one_run_refutes_curve
from oracle.statistics.selection import Selection

RUN = OneRun(1000, 100, 90)
CONFIDENCE = mpq(19, 20)
CURVE = TradeoffClaim(approximate_dp_curve(mpq(4), mpq(1, 10**5)))


def judged(claim, run=RUN, **options):
    """The verdict; a certificate is there exactly if it is refuted, and is accepted."""
    verdict = judge_one_run(claim, run, confidence=CONFIDENCE, **options)
    assert verdict.refuted is (verdict.certificate is not None)
    if verdict.refuted:
        assert check(verdict.certificate).kind == "one_run_refutation"
        assert mpq(verdict.certificate["p_value"]) <= verdict.level
        assert "the claim is refuted" in verdict.statement
    else:
        assert "does not refute" in verdict.statement
    return verdict


def test_ninety_of_a_hundred_refute_level_4():
    """The p-value is kept exactly; its bound in the certificate has twelve digits."""
    verdict = judged(parse_claim_text("E=4,delta=1e-5"))
    assert verdict.refuted
    assert verdict.p_value == one_run_p_value(RUN, mpq(4), mpq(1, 10**5))
    bound = mpq(verdict.certificate["p_value"])
    assert verdict.p_value <= bound < verdict.p_value + mpq(1, 10**14)
    assert "<= 0.00693518 <= 1/20" in verdict.statement


@pytest.mark.parametrize(
    ("text", "refuted"),
    [("E=5.084,delta=1e-5", True), ("E=5.085,delta=1e-5", False), ("eps=1.626,delta=1e-5", True), ("eps=inf", False)],
)
def test_the_border(text, refuted):
    """The largest refuted E on the grid of thousandths, e^1.626 = 5.0835 below it, and an infinite epsilon."""
    assert judged(parse_claim_text(text)).refuted is refuted


def test_a_transcendental_level_is_tested_at_a_decimal_above_it():
    """Four digits where they refute, eight where four do not."""
    for epsilon, digits in (("13/10", 4), ("1.626", 8)):
        level = mpq(judged(parse_claim_text(f"eps={epsilon},delta=1e-5")).certificate["violation"]["level"])
        assert Level.of_exponent(mpq(epsilon)).compare(level) < 0
        assert (level * 10 ** (digits - 1)).denominator == 1


def test_a_family_shares_the_level():
    """At 1/20 for one of seven rules, the p-value of 0.0069 is still below 1/140; for one of eight it is not."""
    claim = parse_claim_text("E=4,delta=1e-5")
    assert judged(claim, selection=Selection("family", 7)).level == mpq(1, 140)
    assert judged(claim, selection=Selection("family", 7)).refuted
    assert not judged(claim, selection=Selection("family", 8)).refuted
    assert judged(claim, selection=Selection("split")).refuted


def test_curves_and_mu_are_tested_by_the_recursion():
    """With thresholds for mu, nothing for a curve, and no p-value where it is undecided."""
    assert judged(CURVE).certificate["violation"] == {}
    assert len(judged(GaussianDP(mpq(1, 2))).certificate["violation"]["thresholds"]) == 27
    assert judged(GaussianDP(mpq(2))).p_value is None
    assert one_run_refutes_curve(RUN, CURVE, mpq(1, 20))
    assert not one_run_refutes_curve(RUN, GaussianDP(mpq(2)), mpq(1, 20))


def test_a_guess_that_is_never_right_refutes_nothing():
    """Whatever the claim."""
    for claim in (parse_claim_text("E=1"), CURVE, GaussianDP(mpq(0))):
        assert not judged(claim, OneRun(100, 100, 0)).refuted
        assert not judged(claim, OneRun(100, 0, 0)).refuted


def test_other_claims_are_declined():
    """Of rho and of Rényi orders; and a confidence outside (0, 1) is refused."""
    for text in ("rho=1/2", "rdp=2:1"):
        with pytest.raises(Declined):
            judged(parse_claim_text(text))
    with pytest.raises(InputError, match="confidence"):
        judge_one_run(CURVE, RUN, confidence=mpq(1))


@pytest.mark.parametrize("text", ["E=4,delta=1e-5", "eps=1.3,delta=1e-5"])
def test_a_thousand_canaries(text):
    """With certificate and check, at a rational and at an irrational level."""
    assert judge_one_run(parse_claim_text(text), OneRun(1000, 1000, 850), confidence=CONFIDENCE).refuted


def test_the_bound_fails_in_the_lower_tail_and_refutes_nothing_there():
    """Uniform on {-1, 1}^3 but for 1/10 moved from -s to (1, 1, 1): (0, 1/10)-DP, above the bound of theorem 5.2.

    At least one guess is right with probability 77/80; the bound says 76/80, at which nothing is refuted.
    """
    coins = list(product((-1, 1), repeat=3))
    target, tenth = (1, 1, 1), mpq(1, 10)
    laws = {}
    for s in coins:
        law = dict.fromkeys(coins, mpq(1, 8))
        law[tuple(-x for x in s)] -= tenth
        law[target] += tenth
        laws[s] = law
    for s, t in product(coins, repeat=2):
        assert sum(max(laws[s][x] - laws[t][x], 0) for x in coins) <= tenth
    right = sum(laws[s][x] for s in coins for x in coins if any(a == b for a, b in zip(s, x, strict=True))) / 8
    run, claim = OneRun(3, 3, 1), ApproximateDP(Level.rational(1), tenth)
    assert right == mpq(77, 80)
    assert one_run_p_value(run, mpq(1), tenth) == mpq(76, 80)
    assert not judge_one_run(claim, run, confidence=mpq(1, 20)).refuted
    assert largest_refuted_exp_epsilon(run, tenth, mpq(19, 20)) is None
