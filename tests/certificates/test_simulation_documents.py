"""Documents about interactive mechanisms: what the producers write, against hand-made ones."""

from __future__ import annotations

from gmpy2 import mpq

from oracle.certificates.simulation_documents import (
    SimulationParts,
    Violation,
    approximate_dp_evidence,
    interactive_held_certificate,
    interactive_refuted_certificate,
    simulation_certificate,
    tradeoff_evidence,
)
from oracle.channels.channel import Channel
from oracle.channels.refinement import Witness
from oracle.channels.tradeoff import TradeoffFunction
from oracle.claims import ApproximateDP, TradeoffClaim
from oracle.exact import INFINITY
from oracle.levels import Level
from tests.certificates.checker.documents import DOCUMENTS

RESPONSE = Channel([["3/4", "1/4"], ["1/2", "1/2"]])
NOTHING = Channel([["1"], ["1"]])
IDENTITY = Witness(2, 2, ((0, 0, mpq(1)), (1, 1, mpq(1))))
MERGED = Witness(2, 1, ((0, 0, mpq(1)), (1, 0, mpq(1))))


def test_a_simulation_is_written_as_by_hand():
    """All fields and the digest."""
    expected = DOCUMENTS["simulation: one question or none"]
    parts = SimulationParts(expected["nodes"], [NOTHING, RESPONSE, RESPONSE], [(), (IDENTITY,), (IDENTITY, MERGED)])
    assert simulation_certificate(parts) == expected


def test_a_claim_that_holds_is_written_as_by_hand():
    """(epsilon, delta) with its level and witness, a trade-off function with its witnesses."""
    expected = DOCUMENTS["interactive_held: epsilon = log 2"]
    parts = SimulationParts(expected["nodes"], [NOTHING, RESPONSE], [(), (IDENTITY,)])
    entries = ((0, 0, mpq(1)), (1, 0, mpq(1)), (2, 0, mpq(1, 4)), (2, 1, mpq(3, 4)), (3, 1, mpq(1)))
    evidence = approximate_dp_evidence(mpq(2), Witness(4, 2, entries))
    claim = ApproximateDP(Level.rational(2), mpq(0))
    assert interactive_held_certificate(parts, claim, "both", evidence) == expected
    curve = TradeoffClaim(TradeoffFunction([("0", "1"), ("1/4", "1/2"), ("1", "0")]))
    written = interactive_held_certificate(parts, curve, "forward", tradeoff_evidence({"forward": IDENTITY}))
    assert written == DOCUMENTS["interactive_held: its own curve"]


def test_a_claim_that_is_refuted_is_written_as_by_hand():
    """The level or the claimed value as the bound; an infinite level is written as inf."""
    expected = DOCUMENTS["interactive_refuted: backward"]
    claim = ApproximateDP(Level.of_exponent(mpq(2, 5)), mpq(1, 10))
    found = Violation("backward", expected["tests"], mpq(3, 2), mpq(1, 4), mpq(1, 2))
    assert interactive_refuted_certificate(expected["nodes"], claim, found) == expected
    infinite = Violation("backward", expected["tests"], INFINITY, mpq(1, 4), mpq(1, 2))
    assert interactive_refuted_certificate(expected["nodes"], claim, infinite)["bound"] == "inf"
    expected = DOCUMENTS["interactive_refuted: no perfect privacy"]
    curve = TradeoffClaim(TradeoffFunction([("0", "1"), ("1", "0")]))
    found = Violation("forward", expected["tests"], mpq(3, 4), mpq(1, 4), mpq(1, 2))
    assert interactive_refuted_certificate(expected["nodes"], curve, found) == expected
