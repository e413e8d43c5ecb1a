"""Nodes made of no others are values with a JSON form."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest
from gmpy2 import mpq

from oracle.channels.channel import Channel
from oracle.channels.tradeoff import TradeoffFunction
from oracle.levels import Level
from oracle.mechanisms.primitive_nodes import (
    ApproximateRandomizedResponse,
    ChannelNode,
    Exponential,
    Geometric,
    KRandomizedResponse,
    RandomizedResponse,
    TradeoffNode,
)


@pytest.mark.parametrize(
    ("node", "document"),
    [
        (
            ChannelNode(Channel([["1/2", "1/2"], ["1", "0"]], ["D0", "D1"], ["a", "b"])),
            {
                "mechanism": "channel",
                "matrix": [["1/2", "1/2"], ["1", "0"]],
                "inputs": ["D0", "D1"],
                "outputs": ["a", "b"],
            },
        ),
        (RandomizedResponse(Level.rational(3)), {"mechanism": "randomized_response", "exp_epsilon": "3"}),
        (
            ApproximateRandomizedResponse(Level.of_exponent(1), mpq(1, 10)),
            {"mechanism": "approximate_randomized_response", "epsilon": "1", "delta": "1/10"},
        ),
        (
            KRandomizedResponse(4, Level.infinite()),
            {"mechanism": "k_randomized_response", "k": 4, "exp_epsilon": "inf"},
        ),
        (Geometric(mpq(1, 2)), {"mechanism": "geometric", "ratio": "1/2"}),
        (Geometric(mpq(1, 2), mpq(2)), {"mechanism": "geometric", "ratio": "1/2", "sensitivity": "2"}),
        (
            Geometric(mpq(1, 2), None, 0, 4, (1, 2)),
            {"mechanism": "geometric", "ratio": "1/2", "low": 0, "high": 4, "values": [1, 2]},
        ),
        (
            Exponential(((mpq(1), mpq(0)), (mpq(0), mpq(1, 2))), Level.of_exponent(1), mpq(1)),
            {
                "mechanism": "exponential",
                "scores": [["1", "0"], ["0", "1/2"]],
                "epsilon": "1",
                "sensitivity": "1",
            },
        ),
        (
            TradeoffNode(TradeoffFunction([(0, "9/10"), (1, 0)])),
            {"mechanism": "tradeoff", "breakpoints": [["0", "9/10"], ["1", "0"]]},
        ),
    ],
)
def test_a_node_has_the_json_form_of_the_contract(node, document):
    """Every number is an exact string, levels keep the spelling that is exact."""
    assert node.to_json() == document


def test_nodes_are_immutable_values():
    """Equal parameters make equal, equally hashed nodes, and no field can be set."""
    node = KRandomizedResponse(4, Level.rational(3))
    assert node == KRandomizedResponse(4, Level.rational(3))
    assert hash(node) == hash(KRandomizedResponse(4, Level.rational(3)))
    with pytest.raises(FrozenInstanceError):
        node.k = 5  # type: ignore[misc]
