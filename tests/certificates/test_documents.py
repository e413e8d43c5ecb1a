"""Certificate documents by example: exactly the fields of each kind, sealed."""

from __future__ import annotations

import pytest
from gmpy2 import mpq

from oracle.certificates import documents
from oracle.certificates.checker import check
from oracle.channels.channel import Channel
from oracle.channels.refinement import refine
from oracle.channels.tradeoff import TradeoffFunction
from oracle.claims import ApproximateDP, TradeoffClaim
from oracle.exact import INFINITY
from oracle.json_text import digest
from oracle.levels import Level
from oracle.verdicts import judge

WARNER = Channel([["3/4", "1/4"], ["1/4", "3/4"]], inputs=["a", "b"], outputs=["c", "d"])
MATRIX = {"matrix": [["3/4", "1/4"], ["1/4", "3/4"]]}
WEAK = Channel([["7/10", "3/10"], ["3/10", "7/10"]])
JUMP = Channel([["1/10", "9/10", "0"], ["0", "4/5", "1/5"]])


def body(certificate: dict[str, object]) -> dict[str, object]:
    """All fields but the three that every kind has, after checking those and the certificate."""
    check(certificate)
    rest = dict(certificate)
    assert rest.pop("digest") == digest({k: v for k, v in certificate.items() if k != "digest"})
    assert rest.pop("version") == 1
    del rest["certificate"]
    return rest


def test_a_seal_is_the_digest_of_all_the_rest() -> None:
    assert documents.seal({"b": 1, "a": "x"}) == {"b": 1, "a": "x", "digest": digest({"a": "x", "b": 1})}


def test_a_refinement_leaves_labels_out() -> None:
    fields = body(documents.refinement_certificate(WARNER, WEAK, refine(WARNER, WEAK)))
    assert fields == {
        "left": MATRIX,
        "right": {"matrix": [["7/10", "3/10"], ["3/10", "7/10"]]},
        "witness": {
            "rows": 2,
            "columns": 2,
            "entries": [[0, 0, "9/10"], [0, 1, "1/10"], [1, 0, "1/10"], [1, 1, "9/10"]],
        },
    }


def test_a_separating_level_has_both_values() -> None:
    fields = body(documents.refinement_certificate(WEAK, WARNER, refine(WEAK, WARNER)))
    assert fields["h"] == "7/3"
    assert (fields["left_value"], fields["right_value"]) == ("0", "1/6")


def test_a_trade_off_function_has_an_event_and_a_support_for_each_corner() -> None:
    assert body(documents.tradeoff_certificate(JUMP)) == {
        "channel": {"matrix": [["1/10", "9/10", "0"], ["0", "4/5", "1/5"]]},
        "corners": [
            {"alpha": "0", "beta": "4/5", "event": "inf", "support": "8/9"},
            {"alpha": "9/10", "beta": "0", "event": "8/9", "support": "8/9"},
            {"alpha": "1", "beta": "0", "event": "0", "support": "0"},
        ],
    }


def test_a_greatest_lower_bound_names_a_members_own_corner_for_each_of_its_own() -> None:
    first = Channel([["3/4", "1/4"], ["1/2", "1/2"]])
    last = Channel([["1/4", "3/4"], ["0", "1"]])
    fields = body(documents.greatest_lower_bound_certificate([first, last]))
    assert fields["glb"] == {"matrix": [["1/4", "1/2", "1/4"], ["0", "1/2", "1/2"]]}
    assert [corner["combination"] for corner in fields["corners"]] == [
        [{"member": 0, "level": "inf", "weight": "1"}],
        [{"member": 0, "level": "2", "weight": "1"}],
        [{"member": 1, "level": "4/3", "weight": "1"}],
        [{"member": 0, "level": "2/3", "weight": "1"}],
    ]
    assert len(fields["witnesses"]) == 2


def test_a_least_upper_bound_names_a_member_for_each_ratio() -> None:
    first = Channel([["3/4", "1/4"], ["1/2", "1/2"]])
    last = Channel([["1/4", "3/4"], ["0", "1"]])
    fields = body(documents.least_upper_bound_certificate([first, last]))
    assert fields["lub"] == {"matrix": [["1/2", "1/2"], ["1/3", "2/3"]]}
    assert fields["levels"] == [{"level": "2/3", "member": 0}, {"level": "4/3", "member": 1}]


def test_a_held_claim_has_a_rational_level_and_a_witness_from_the_worst_case() -> None:
    fields = body(judge(WARNER, ApproximateDP(Level.rational(4), mpq(0))).certificate)
    assert (fields["claim"], fields["direction"], fields["level"]) == ({"exp_epsilon": "4", "delta": "0"}, "both", "4")
    assert fields["witness"]["rows"] == 4
    fields = body(judge(WARNER, ApproximateDP(Level.of_exponent(2), mpq(0)), "forward").certificate)
    assert (fields["claim"], fields["level"]) == ({"epsilon": "2", "delta": "0"}, "3")
    assert fields["witness"]["rows"] == 3
    fields = body(judge(JUMP, ApproximateDP(Level(INFINITY), mpq(1, 5))).certificate)
    assert (fields["claim"], fields["level"]) == ({"exp_epsilon": "inf", "delta": "1/5"}, "1")


def test_a_refuted_claim_has_the_event_with_both_probabilities() -> None:
    fields = body(judge(WARNER, ApproximateDP(Level.rational(2), mpq(1, 8))).certificate)
    assert fields == {
        "channel": MATRIX,
        "claim": {"exp_epsilon": "2", "delta": "1/8"},
        "direction": "forward",
        "level": "2",
        "event": [0],
        "p": "3/4",
        "q": "1/4",
    }
    fields = body(judge(JUMP, ApproximateDP(Level(INFINITY), mpq(1, 10))).certificate)
    assert (fields["direction"], fields["level"], fields["event"]) == ("backward", "inf", [2])


def test_a_held_trade_off_claim_has_a_witness_for_each_direction() -> None:
    curve = TradeoffFunction([["0", "1"], ["1/4", "1/4"], ["1", "0"]])
    fields = body(judge(WARNER, TradeoffClaim(curve)).certificate)
    assert fields["tradeoff"] == [["0", "1"], ["1/4", "1/4"], ["1", "0"]]
    assert list(fields["witnesses"]) == ["forward", "backward"]
    assert list(body(judge(WARNER, TradeoffClaim(curve), "backward").certificate)["witnesses"]) == ["backward"]


def test_a_refuted_trade_off_claim_has_the_test_and_the_claimed_value() -> None:
    curve = TradeoffFunction([["0", "1"], ["1/4", "1/2"], ["1", "0"]])
    fields = body(judge(WARNER, TradeoffClaim(curve), "backward").certificate)
    assert (fields["direction"], fields["event"]) == ("backward", [0])
    assert (fields["alpha"], fields["beta"], fields["claimed"]) == ("1/4", "1/4", "1/2")


def test_an_evaluation_is_a_list_of_facts() -> None:
    facts = [
        {"fact": "event_sum", "matrix": MATRIX["matrix"], "row": 0, "event": [0], "value": "3/4"},
        {"fact": "compare", "left": {"fact": 0}, "relation": ">", "right": "1/2"},
    ]
    assert body(documents.evaluation(facts)) == {"facts": facts}
    assert body(documents.evaluation(facts, "paper/claim")) == {"facts": facts, "about": "paper/claim"}


@pytest.mark.parametrize("direction", ["both", "forward", "backward"])
def test_the_direction_stands_in_the_certificate(direction: str) -> None:
    certificate = judge(JUMP, ApproximateDP(Level.rational(1), mpq(1, 5)), direction).certificate
    assert (certificate["certificate"], certificate["direction"]) == ("dp_held", direction)
