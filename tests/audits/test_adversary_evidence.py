"""Evidence of audits of interactive mechanisms, against the views of the adversary by enumeration."""

from __future__ import annotations

import pytest
from gmpy2 import mpq

from oracle.audits.adversary_evidence import interactive_evidence
from oracle.audits.run import audit
from oracle.audits.tables import read_table
from oracle.claims import parse_claim
from oracle.errors import Declined, InputError, LimitError
from oracle.interactive.adversaries import strategy_text, views
from oracle.interactive.examples import interleaving
from oracle.interactive.reading import to_json
from oracle.interactive.simulation import mechanism_of_nodes, nodes_to_json
from oracle.interactive.tree import InteractiveMechanism
from oracle.interactive.verdicts import judge_tree
from tests.interactive.trees import random_mechanisms


def in_words(steps):
    """As the adversary's own text has it."""
    return ", ".join(" ".join(step) for step in steps)


@pytest.mark.parametrize("claim", [{"exp_epsilon": "5/4"}, {"epsilon": "1/4", "delta": "1/50"}, {"mu": "1/10"}])
def test_the_strategy_and_the_views_are_those_of_the_adversary(claim):
    """The first questions and views of 20 random trees, of sorted labels, with their numbers and masses."""
    refuted = 0
    for mechanism in random_mechanisms(60, 20, 100):
        # Evidence is in the order of the labels.
        tree = mechanism_of_nodes(nodes_to_json(mechanism))
        verdict = judge_tree(tree, parse_claim(claim))
        if verdict.holds:
            continue
        refuted += 1
        evidence = interactive_evidence(verdict.certificate, parse_claim(claim), 12, holds=False)
        event = [view for view in views(tree, verdict.strategy) if view.rejects]
        assert evidence["views"] == str(len(event))
        assert (evidence["p"], evidence["q"]) == (str(sum(v.p for v in event)), str(sum(v.q for v in event)))
        for shown, view in zip(evidence["event"], event, strict=False):
            assert (in_words(shown["steps"]), shown["p"], shown["q"]) == (view.text, str(view.p), str(view.q))
        asked = set(strategy_text(tree, verdict.strategy))
        assert evidence["questions"] == str(len(asked))
        for item in evidence["strategy"]:
            before = f"after {in_words(item['after'])}: " if item["after"] else "first: "
            assert f"{before}ask {item['ask']}" in asked
    assert refuted > 5


def test_the_inequality_is_the_one_that_is_violated():
    """For each form of claim its two sides, in the direction of the certificate."""
    for claim, left, right in (
        ({"exp_epsilon": "2"}, "P(S)", "delta"),
        ({"exp_epsilon": "1", "delta": "1/4"}, "P(S) - e^epsilon Q(S)", "delta"),
        ({"epsilon": "1/9", "delta": "2/5"}, "P(S) - U Q(S)", "delta"),
        ({"tradeoff": {"breakpoints": [["0", "1"], ["1", "0"]]}}, "1 - Q(S)", "f(P(S))"),
        ({"mu": "1"}, "1 - Q(S)", "Phi(t - mu) <= G_mu(P(S))"),
    ):
        (result,) = audit(interleaving(), [claim]).document["results"]
        rule = result["evidence"]["inequality"]
        assert (rule["left"], rule["right"]) == (left, right)
        low, high = (rule[f"{side}_value"] for side in ("left", "right"))
        high = high if isinstance(high, str) else high["lo"]
        assert (mpq(low) > mpq(high)) == (rule["relation"] == ">")


def test_a_mechanism_in_python_is_a_source():
    """The same report as of its document but for the hash of the data; the data is its document."""
    held = audit(interleaving(), "exp_eps=1,delta=1/2")
    assert (held.verdict, held.equality) == ("holds", True)
    again = audit(to_json(interleaving()), "exp_eps=1,delta=1/2")
    assert again.document == held.document
    table = read_table(interleaving())
    assert table.parsed_sha256 == interleaving().hash
    assert table.pairs[0].labels == ("P", "Q")


def test_what_is_not_decided_of_a_tree_is_declined():
    """A claim of rho among others: nothing is told."""
    with pytest.raises(Declined, match="trade-off and mu claims are decided"):
        audit(interleaving(), ["exp_eps=1,delta=1/2", "rho=1"])


def test_pairs_and_sizes_are_checked(monkeypatch):
    """There are no other inputs; a tree whose tight channels are too large is refused with their size."""
    with pytest.raises(InputError, match="no pairs, since the mechanism is one pair of laws"):
        audit(interleaving(), "eps=1", pairs=[("A", "B")])
    assert audit(interleaving(), "exp_eps=1,delta=1/2", pairs=[("P", "Q")]).holds
    monkeypatch.setattr("oracle.audits.tables._MAX_STATES", 12)
    with pytest.raises(LimitError, match="at most 12 columns at all nodes, got 1"):
        audit(interleaving(), "eps=1")


def test_a_mechanism_that_says_nothing_satisfies_everything():
    """One node, one column."""
    report = audit(InteractiveMechanism(interleaving().nodes[0]), ["eps=0", "mu=0"])
    assert (report.verdict, report.document["input"]["interactive"]["nodes"]) == ("holds", 1)
