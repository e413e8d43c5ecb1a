"""Claims about interactive mechanisms: verdicts with certificates that the checker accepts."""

from __future__ import annotations

import json

import pytest
from gmpy2 import mpq

from oracle.answers import answer
from oracle.certificates.checker import check
from oracle.channels.divergences import DIRECTIONS
from oracle.channels.tradeoff import TradeoffFunction, approximate_dp_curve, maximum
from oracle.claims import ApproximateDP, GaussianDP, TradeoffClaim, parse_claim
from oracle.enclosures import Enclosure
from oracle.errors import Declined
from oracle.gaussian_dp.channel_mu import least_mu
from oracle.interactive.adversaries import event_masses, views
from oracle.interactive.reading import parse_interactive
from oracle.interactive.simulation import simulate
from oracle.interactive.tightness import Tightness, tight_hockey_stick, tight_tradeoff
from oracle.interactive.tree import InteractiveMechanism, QueryNode
from oracle.interactive.verdicts import judge_tree
from oracle.levels import Level
from tests.certificates.checker import truth
from tests.interactive.trees import random_mechanisms, response
from tests.test_exact_path import Exact

CHOICE = InteractiveMechanism(QueryNode((("A", response("3/4", "1/2")), ("B", response("1/2", "1/4")))))


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_a_rational_claim_holds_exactly_up_to_the_hockey_stick(direction):
    """At equality it holds; at any less it is refuted by an event of views with the stated masses."""
    for mechanism in random_mechanisms(30, 12, 100):
        delta = tight_hockey_stick(mechanism, mpq(3, 2), direction)
        verdict = judge_tree(mechanism, ApproximateDP(Level.rational(mpq(3, 2)), delta), direction)
        assert verdict.holds
        assert check(verdict.certificate).kind == "interactive_held"
        if not delta:
            continue
        verdict = judge_tree(mechanism, ApproximateDP(Level.rational(mpq(3, 2)), delta * mpq(999, 1000)), direction)
        assert not verdict.holds
        assert check(verdict.certificate).kind == "interactive_refuted"
        event = [view for view in views(mechanism, verdict.strategy) if view.rejects]
        masses = (sum((view.p for view in event), mpq(0)), sum((view.q for view in event), mpq(0)))
        assert masses == (verdict.p, verdict.q) == event_masses(mechanism, verdict.strategy)
        large, small = masses if verdict.direction == "forward" else masses[::-1]
        assert large - mpq(3, 2) * small > delta * mpq(999, 1000)


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_a_tradeoff_claim_holds_exactly_up_to_the_tight_curve(direction):
    """Its own curve holds; a curve that is higher somewhere is refuted."""
    above = approximate_dp_curve(mpq(2), mpq(1, 10))
    for mechanism in random_mechanisms(31, 15, 100):
        curve = tight_tradeoff(mechanism, direction)
        verdict = judge_tree(mechanism, TradeoffClaim(curve), direction)
        assert verdict.holds
        assert check(verdict.certificate).kind == "interactive_held"
        higher = maximum([curve, above])
        verdict = judge_tree(mechanism, TradeoffClaim(higher), direction)
        assert verdict.holds == (higher == curve)
        assert check(verdict.certificate).kind == f"interactive_{'held' if verdict.holds else 'refuted'}"


@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        ({"epsilon": "log(2)"}, True),
        ({"epsilon": "7/10"}, True),
        ({"epsilon": "69/100"}, False),
        ({"exp_epsilon": "inf", "delta": "0"}, True),
        ({"exp_epsilon": "1", "delta": "1/4"}, True),
        ({"exp_epsilon": "1", "delta": "1/5"}, False),
        ({"epsilon": "1/2", "delta": "1/10"}, True),
        ({"epsilon": "1/2", "delta": "1/100"}, False),
    ],
)
def test_claims_of_every_form_are_decided(claim, holds):
    """The choice of (3/4, 1/4 | 1/2, 1/2) and (1/2, 1/2 | 1/4, 3/4) is (log 2, 0)-DP and no better."""
    verdict = judge_tree(CHOICE, parse_claim(claim))
    assert verdict.holds == holds
    assert check(verdict.certificate).kind == f"interactive_{'held' if holds else 'refuted'}"
    assert truth.is_true(verdict.certificate)


def test_an_infinite_epsilon_is_refuted_by_views_that_one_input_never_gives():
    """Delta below the mass of the answer 0, which the first input never gives."""
    mechanism = InteractiveMechanism(QueryNode((("A", response("0", "1/3")), ("B", response("1/2", "1/3")))))
    for delta, holds in (("1/3", True), ("1/4", False)):
        verdict = judge_tree(mechanism, parse_claim({"exp_epsilon": "inf", "delta": delta}))
        assert verdict.holds == holds
        assert check(verdict.certificate).kind == f"interactive_{'held' if holds else 'refuted'}"
    assert (verdict.direction, verdict.p, verdict.q) == ("backward", 0, mpq(1, 3))
    assert [view.text for view in views(mechanism, verdict.strategy) if view.rejects] == ["ask A, hear 0"]


def test_one_direction_may_hold_where_the_other_does_not():
    """The answer 0 comes from the second input only."""
    mechanism = InteractiveMechanism(response("0", "1/3"))
    claim = parse_claim({"exp_epsilon": "2", "delta": "0"})
    assert judge_tree(mechanism, claim, "forward").holds
    assert not judge_tree(mechanism, claim, "backward").holds
    assert judge_tree(mechanism, claim, "both").direction == "backward"


def test_a_curve_is_refuted_where_it_is_most_too_high():
    """Perfect privacy, 1 - alpha, against the tight curve (0, 1), (1/4, 1/2), (1/2, 1/4), (1, 0)."""
    claim = TradeoffClaim(TradeoffFunction([("0", "1"), ("1", "0")]))
    verdict = judge_tree(CHOICE, claim)
    assert (verdict.direction, verdict.p, verdict.q) == ("forward", mpq(1, 4), mpq(1, 2))
    assert verdict.certificate["bound"] == "3/4"


def test_no_float_is_asked_for():
    """Probabilities whose ``__float__`` raises, through reading, both verdicts and both directions."""
    branches = {"0": {"p": Exact("3/4"), "q": Exact("1/2")}, "1": {"p": Exact("1/4"), "q": Exact("1/2")}}
    mechanism = parse_interactive({"interactive": {"query": {"A": {"answer": branches}, "B": None}}})
    for level, holds in (("2", True), ("5/4", False)):
        assert judge_tree(mechanism, parse_claim({"exp_epsilon": Exact(level)})).holds == holds
    assert simulate(mechanism).channel.rows == ((mpq(3, 4), mpq(1, 4)), (mpq(1, 2), mpq(1, 2)))


def test_known_tight_channels_are_used():
    """The same verdict."""
    claim = parse_claim({"exp_epsilon": "2"})
    known = judge_tree(CHOICE, claim, "both", Tightness(CHOICE))
    assert known.certificate == judge_tree(CHOICE, claim).certificate

    assert judge_tree(CHOICE, claim, "both", simulate(CHOICE)).certificate == known.certificate


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_a_claim_of_mu_is_decided_as_of_the_tight_channel(direction):
    """Held just above the least mu of N, refuted just below it, by an event of views below G_mu."""
    decided = 0
    for mechanism in random_mechanisms(32, 20, 100):
        channel = Tightness(mechanism).channel
        least = least_mu(channel)
        if not isinstance(least, Enclosure):
            assert judge_tree(mechanism, parse_claim({"mu": "1000"}), direction).holds == (least == 0)
            continue
        decided += 1
        for claimed, holds in ((least.hi, True), (least.lo, False)):
            verdict = judge_tree(mechanism, GaussianDP(claimed), direction)
            assert verdict.holds is holds
            assert check(verdict.certificate).kind == f"interactive_{'held' if holds else 'refuted'}"
            if not holds:
                assert event_masses(mechanism, verdict.strategy) == (verdict.p, verdict.q)
                assert truth.is_true(verdict.certificate)
    assert decided >= 3


def test_claims_of_other_forms_are_declined():
    """Not decided, and not guessed; what to ask instead is a request that is answered."""
    for claim, order in (({"rho": "1/2"}, "2"), ({"order": "3", "epsilon": "1"}, "3")):
        with pytest.raises(Declined, match=r"\(epsilon, delta\), trade-off and mu claims are decided") as declined:
            judge_tree(CHOICE, parse_claim(claim))
        request = json.loads(str(declined.value).partition("oracle answer ")[2].replace("...", "null"))
        assert (request["op"], request["args"]["order"]) == ("renyi", order)
        request["args"]["channel"] = {"interactive": {"query": {"stop": None}}}
        assert answer(request)["value"] == {"moment": "1"}
