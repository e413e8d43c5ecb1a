"""Mechanisms that are not made of others: sizes known beforehand, and the tables that the noise room makes."""

from __future__ import annotations

import pytest
from gmpy2 import mpq

from oracle.channels.channel import Channel
from oracle.channels.formal_channel import FormalChannel
from oracle.channels.noise import clamped_geometric
from oracle.errors import Declined
from oracle.mechanisms.parse import parse_mechanism
from oracle.mechanisms.primitive_nodes import Geometric
from oracle.mechanisms.primitives import columns, primitive, simplest

RESPONSE = {"mechanism": "randomized_response", "exp_epsilon": "3"}


@pytest.mark.parametrize(
    "document",
    [
        RESPONSE,
        {"mechanism": "randomized_response", "epsilon": "1/2"},
        {"mechanism": "approximate_randomized_response", "exp_epsilon": "3", "delta": "1/10"},
        {"mechanism": "k_randomized_response", "k": 5, "epsilon": "1"},
        {"mechanism": "k_randomized_response", "k": 2, "exp_epsilon": "inf"},
        {"mechanism": "geometric", "ratio": "1/2", "low": -1, "high": 4, "values": [0, 1]},
        {"mechanism": "exponential", "scores": [["1", "0", "2"], ["0", "1", "0"]], "epsilon": "1"},
        {"mechanism": "channel", "matrix": [["1/2", "1/2", "0"]] * 3},
    ],
    ids=lambda document: document["mechanism"],
)
def test_the_number_of_columns_is_known_beforehand(document):
    """It is that of the table that is made."""
    node = parse_mechanism(document)
    assert primitive(node).shape[1] == columns(node)


def test_clamped_geometric_takes_its_rows_from_the_post_processor():
    """Two rows of one table."""
    table = clamped_geometric(-1, 4, mpq(1, 3))
    assert primitive(Geometric(mpq(1, 3), None, -1, 4, (2, 0))).rows == (table[3], table[1])


def test_simplest_is_rational_exactly_where_all_probabilities_are():
    """E = 3 is, epsilon = 1/2 is not."""
    rational = primitive(parse_mechanism(RESPONSE))
    assert isinstance(rational, Channel)
    assert simplest(FormalChannel.from_channel(rational)) == rational
    irrational = primitive(parse_mechanism({"mechanism": "randomized_response", "epsilon": "1/2"}))
    assert isinstance(irrational, FormalChannel)
    assert simplest(irrational) is irrational


def test_a_mechanism_made_of_others_is_no_primitive():
    """It has no table of its own."""
    with pytest.raises(Declined):
        primitive(parse_mechanism({"mechanism": "repeat", "times": 2, "of": RESPONSE}))
