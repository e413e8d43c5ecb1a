"""Reading mechanism expressions: strict, with the place of every fault."""

from __future__ import annotations

import pytest
from gmpy2 import mpq

from oracle.channels.channel import Channel
from oracle.errors import InputError, LimitError
from oracle.json_text import parse
from oracle.levels import Level
from oracle.mechanisms.parse import OFFERED, mechanism_from, parse_mechanism
from oracle.mechanisms.primitive_nodes import (
    ChannelNode,
    Exponential,
    Geometric,
    KRandomizedResponse,
    RandomizedResponse,
)

TABLE = [["1/2", "1/2"], ["1/4", "3/4"]]
GOOD = [
    {"mechanism": "channel", "matrix": TABLE},
    {"mechanism": "channel", "matrix": [*TABLE, ["0", "1"]], "inputs": ["x", "y", "z"], "outputs": ["a", "b"]},
    {"mechanism": "randomized_response", "exp_epsilon": "3"},
    {"mechanism": "randomized_response", "epsilon": "1/2"},
    {"mechanism": "randomized_response", "exp_epsilon": "inf"},
    {"mechanism": "approximate_randomized_response", "exp_epsilon": "3", "delta": "1/10"},
    {"mechanism": "k_randomized_response", "k": 4, "epsilon": "1"},
    {"mechanism": "geometric", "ratio": "1/2"},
    {"mechanism": "geometric", "ratio": "0", "sensitivity": "3"},
    {"mechanism": "geometric", "ratio": "1/2", "low": -3, "high": 4, "values": [-1, 0]},
    {"mechanism": "exponential", "scores": [["1", "0"], ["0", "1/2"]], "epsilon": "1", "sensitivity": "2"},
    {"mechanism": "tradeoff", "breakpoints": [["0", "1"], ["1/4", "1/4"], ["1", "0"]]},
    {"mechanism": "laplace", "scale": "1/2", "sensitivity": "3"},
    {"mechanism": "gaussian", "sigma": "2", "sensitivity": "1"},
    {"mechanism": "discrete_laplace", "ratio": "1/2", "sensitivity": "1"},
    {"mechanism": "discrete_laplace", "scale": "3", "sensitivity": "2"},
    {"mechanism": "discrete_gaussian", "sigma": "3/2", "sensitivity": "2"},
    {"mechanism": "gaussian_dp", "mu": "1/2"},
    {
        "mechanism": "database",
        "universe": ["a", "b"],
        "kind": "multiset",
        "sources": "set",
        "neighbours": "substitute",
        "table": [{"database": ["a"], "row": ["1/2", "1/2"]}, {"database": ["b"], "row": ["1", "0"]}],
    },
    {"mechanism": "guarantees", "pairs": [{"exp_epsilon": "3", "delta": "1/10"}, {"epsilon": "2", "delta": "0"}]},
]
SAMPLING = {"poisson_subsample", "subsample_without_replacement", "subsample_with_replacement"}
COMPOSITES = {"compose", "repeat", "visible", "hidden", "post", "pre", "group", *SAMPLING}
"""Nodes made of others; test_composites.py and test_sampling.py read them."""


@pytest.mark.parametrize("document", GOOD, ids=lambda d: d["mechanism"])
def test_an_expression_comes_back_as_it_went_in(document):
    """parse, then to_json, is the identity on canonical expressions."""
    node = parse_mechanism(document)
    assert node.to_json() == document
    assert parse_mechanism(node.to_json()) == node
    assert mechanism_from(node) is node


def test_every_spelling_of_a_number_is_the_same_node():
    """Decimals, logarithms and defaults are read exactly."""
    assert parse_mechanism({"mechanism": "randomized_response", "epsilon": "log(3)"}) == RandomizedResponse(
        Level.rational(3)
    )
    assert parse_mechanism({"mechanism": "k_randomized_response", "k": "4", "exp_epsilon": 3}) == KRandomizedResponse(
        4, Level.rational(3)
    )
    assert parse_mechanism({"mechanism": "geometric", "ratio": "0.5"}) == Geometric(mpq(1, 2))
    assert parse_mechanism({"mechanism": "exponential", "scores": [[1], ["0"]], "epsilon": "0.5"}) == Exponential(
        ((mpq(1),), (mpq(0),)), Level.of_exponent(mpq(1, 2)), mpq(1)
    )


def test_a_channel_may_stand_where_an_expression_may():
    """With the key mechanism it is an expression, without it a bare channel; a Channel is taken as it is."""
    channel = Channel(TABLE)
    assert mechanism_from({"matrix": TABLE}) == ChannelNode(channel)
    assert mechanism_from({"mechanism": "channel", "matrix": TABLE}) == ChannelNode(channel)
    assert mechanism_from(channel) == ChannelNode(channel)
    with pytest.raises(InputError, match=r"args\.left"):
        mechanism_from({"matrix": [["1/2", "1/3"]]}, "args.left")
    with pytest.raises(InputError, match='key "mechanism"'):
        parse_mechanism({"matrix": TABLE})


def test_unknown_mechanisms_are_refused_with_the_known_ones():
    """The message lists the language."""
    with pytest.raises(InputError, match=r"args\.channel\.mechanism: .*randomized_response.*no_such_thing"):
        mechanism_from({"mechanism": "no_such_thing", "epsilon": "1"}, "args.channel")
    for name in (None, 3, ["channel"], {}, ""):
        with pytest.raises(InputError, match="known mechanism"):
            parse_mechanism({"mechanism": name})
    for value in ("randomized_response", None, [], 3):
        with pytest.raises(InputError):
            mechanism_from(value)


@pytest.mark.parametrize("document", GOOD, ids=lambda d: d["mechanism"])
def test_unknown_and_missing_fields_are_refused(document):
    """Every node knows its fields exactly; without any field none of them is complete."""
    with pytest.raises(InputError, match='key "colour"'):
        parse_mechanism({**document, "colour": "red"})
    with pytest.raises(InputError):
        parse_mechanism({"mechanism": document["mechanism"]})


EXPONENTIAL = {"mechanism": "exponential", "scores": [["1", "0"], ["0", "1"]], "epsilon": "1"}
CLAMPED = {"mechanism": "geometric", "ratio": "1/2", "low": 0, "high": 4, "values": [1, 2]}


@pytest.mark.parametrize(
    ("document", "place"),
    [
        ({"mechanism": "randomized_response", "epsilon": "-1"}, "m.epsilon"),
        ({"mechanism": "randomized_response", "exp_epsilon": "1/2"}, "m.exp_epsilon"),
        ({"mechanism": "randomized_response", "epsilon": "1", "exp_epsilon": "3"}, "m"),
        ({"mechanism": "approximate_randomized_response", "epsilon": "1"}, "m"),
        ({"mechanism": "approximate_randomized_response", "epsilon": "1", "delta": "11/10"}, "m.delta"),
        ({"mechanism": "approximate_randomized_response", "epsilon": "1", "delta": "-1/10"}, "m.delta"),
        ({"mechanism": "k_randomized_response", "epsilon": "1", "k": 1}, "m.k"),
        ({"mechanism": "k_randomized_response", "epsilon": "1", "k": "5/2"}, "m.k"),
        ({"mechanism": "k_randomized_response", "epsilon": "1", "k": True}, "m.k"),
        ({"mechanism": "geometric", "ratio": "1"}, "m.ratio"),
        ({"mechanism": "geometric", "ratio": "-1/2"}, "m.ratio"),
        ({"mechanism": "geometric", "ratio": "1/2", "sensitivity": "0"}, "m.sensitivity"),
        ({**CLAMPED, "sensitivity": "1"}, "m"),
        ({"mechanism": "geometric", "ratio": "1/2", "low": 0}, "m"),
        ({"mechanism": "geometric", "ratio": "1/2", "low": 0, "high": 4}, "m"),
        ({**CLAMPED, "low": 5}, "m"),
        ({**CLAMPED, "high": "9/2"}, "m.high"),
        ({**CLAMPED, "values": [1]}, "m.values"),
        ({**CLAMPED, "values": "12"}, "m.values"),
        ({**CLAMPED, "values": [1, "3/2"]}, "m.values[1]"),
        ({**CLAMPED, "values": [-1, 2]}, "m.values[0]"),
        ({**CLAMPED, "values": [1, 5]}, "m.values[1]"),
        ({**EXPONENTIAL, "epsilon": "inf"}, "m"),
        ({**EXPONENTIAL, "sensitivity": "0"}, "m.sensitivity"),
        ({**EXPONENTIAL, "scores": [["1", "0"]]}, "m.scores"),
        ({**EXPONENTIAL, "scores": "ab"}, "m.scores"),
        ({**EXPONENTIAL, "scores": [[], []]}, "m.scores[0]"),
        ({**EXPONENTIAL, "scores": [["1", "0"], ["1"]]}, "m.scores[1]"),
        ({**EXPONENTIAL, "scores": [["1", "inf"], ["1", "0"]]}, "m.scores[0][1]"),
        ({**EXPONENTIAL, "scores": [["1", 0.5], ["1", "0"]]}, "m.scores[0][1]"),
        ({"mechanism": "tradeoff", "breakpoints": [["0", "1"], ["1", "1"]]}, "m.breakpoints"),
        ({"mechanism": "laplace", "scale": "0"}, "m.scale"),
        ({"mechanism": "laplace", "scale": "1", "sensitivity": "-1"}, "m.sensitivity"),
        ({"mechanism": "gaussian", "sigma": "0"}, "m.sigma"),
        ({"mechanism": "gaussian", "sigma": "1", "sensitivity": "0"}, "m.sensitivity"),
        ({"mechanism": "discrete_laplace", "scale": "1", "ratio": "1/2"}, "m"),
        ({"mechanism": "discrete_laplace"}, "m"),
        ({"mechanism": "discrete_laplace", "ratio": "1"}, "m.ratio"),
        ({"mechanism": "discrete_laplace", "ratio": "1/2", "sensitivity": "3/2"}, "m.sensitivity"),
        ({"mechanism": "discrete_gaussian", "sigma": "-1"}, "m.sigma"),
        ({"mechanism": "discrete_gaussian", "sigma": "1", "sensitivity": "1/2"}, "m.sensitivity"),
        ({"mechanism": "geometric", "ratio": "1/2", "sensitivity": "1/2"}, "m.sensitivity"),
        ({"mechanism": "gaussian_dp", "mu": "-1"}, "m.mu"),
        ({"mechanism": "guarantees", "pairs": []}, "m.pairs"),
        ({"mechanism": "guarantees", "pairs": [{"epsilon": "1", "delta": "2"}]}, "m.pairs[0].delta"),
        ({"mechanism": "guarantees", "pairs": [{"delta": "0"}]}, "m.pairs[0]"),
        ({"mechanism": "guarantees", "pairs": ["1"]}, "m.pairs[0]"),
        ({"mechanism": "group", "size": 0, "of": {"mechanism": "laplace", "scale": "1"}}, "m.size"),
        ({"mechanism": "group", "size": "3/2", "of": {"mechanism": "laplace", "scale": "1"}}, "m.size"),
        ({"mechanism": "group", "size": 2, "of": {"mechanism": "laplace", "scale": "0"}}, "m.of.scale"),
        ({"mechanism": "channel", "matrix": [["1/2", "1/2"], ["1"]]}, "m.matrix[1]"),
    ],
)
def test_a_fault_is_refused_with_its_place(document, place):
    """The error's place is the field that is wrong."""
    with pytest.raises(InputError) as caught:
        parse_mechanism(document, "m")
    assert caught.value.where == place


def test_a_json_float_is_refused_wherever_a_number_stands():
    """No binary fraction becomes a parameter."""
    for text in (
        '{"mechanism": "randomized_response", "epsilon": 0.5}',
        '{"mechanism": "k_randomized_response", "epsilon": "1", "k": 4.0}',
        '{"mechanism": "geometric", "ratio": 0.5}',
    ):
        with pytest.raises(InputError):
            parse_mechanism(parse(text))


def test_a_number_beyond_the_limit_is_a_limit():
    """The number gate's limit applies to parameters."""
    with pytest.raises(LimitError):
        parse_mechanism({"mechanism": "k_randomized_response", "epsilon": "1", "k": "1e200000"})


def test_every_name_has_a_document():
    """The names offered are those tested here."""
    assert {document["mechanism"] for document in GOOD} | COMPOSITES == set(OFFERED)
