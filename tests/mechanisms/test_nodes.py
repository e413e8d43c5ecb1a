"""Nodes made of others are values with a JSON form, and every node has its name."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields, replace
from typing import get_args

import pytest
from gmpy2 import mpq

from oracle.levels import Level
from oracle.mechanisms.nodes import (
    NAMES,
    Choice,
    Compose,
    FixedSizeSubsample,
    Group,
    Hidden,
    Mechanism,
    PoissonSubsample,
    Post,
    Pre,
    Repeat,
    SubsampleWithoutReplacement,
    SubsampleWithReplacement,
    Visible,
)
from oracle.mechanisms.parse import OFFERED
from oracle.mechanisms.primitive_nodes import GaussianDP, RandomizedResponse

BIT = RandomizedResponse(Level.rational(3))
BIT_JSON = {"mechanism": "randomized_response", "exp_epsilon": "3"}
OTHER = GaussianDP(mpq(1, 2))
OTHER_JSON = {"mechanism": "gaussian_dp", "mu": "1/2"}
FLIP = ((mpq(0), mpq(1)), (mpq(1), mpq(0)))
FLIP_JSON = [["0", "1"], ["1", "0"]]


@pytest.mark.parametrize(
    ("node", "document"),
    [
        (Group(2, BIT), {"mechanism": "group", "size": 2, "of": BIT_JSON}),
        (Group(10**15 + 1, BIT), {"mechanism": "group", "size": "1000000000000001", "of": BIT_JSON}),
        (Compose((BIT, OTHER)), {"mechanism": "compose", "of": [BIT_JSON, OTHER_JSON]}),
        (Repeat(10**15, BIT), {"mechanism": "repeat", "times": 10**15, "of": BIT_JSON}),
        (
            Visible(mpq(1, 3), BIT, OTHER),
            {"mechanism": "visible", "r": "1/3", "left": BIT_JSON, "right": OTHER_JSON},
        ),
        (
            Hidden(mpq(1, 3), BIT, OTHER),
            {"mechanism": "hidden", "r": "1/3", "left": BIT_JSON, "right": OTHER_JSON},
        ),
        (Post(FLIP, BIT), {"mechanism": "post", "post": FLIP_JSON, "of": BIT_JSON}),
        (Pre(FLIP, BIT), {"mechanism": "pre", "pre": FLIP_JSON, "of": BIT_JSON}),
        (
            PoissonSubsample(mpq(1, 10), "add_remove", BIT),
            {"mechanism": "poisson_subsample", "rate": "1/10", "neighbours": "add_remove", "of": BIT_JSON},
        ),
        (
            SubsampleWithoutReplacement(5, 2, "substitute", BIT),
            {
                "mechanism": "subsample_without_replacement",
                "source": 5,
                "sample": 2,
                "neighbours": "substitute",
                "of": BIT_JSON,
            },
        ),
        (
            SubsampleWithReplacement(5, 2, "add_remove", BIT),
            {
                "mechanism": "subsample_with_replacement",
                "source": 5,
                "sample": 2,
                "neighbours": "add_remove",
                "of": BIT_JSON,
            },
        ),
    ],
)
def test_a_node_has_the_json_form_of_the_contract(node: Mechanism, document: dict[str, object]) -> None:
    """Parts in their own form, integers as numbers up to 10^15, and the name that the language gives the node."""
    assert node.to_json() == document
    assert NAMES[type(node)] == document["mechanism"]


def test_every_node_has_a_name_that_parsing_knows() -> None:
    """The nodes of the union are the nodes with a name, and a name is given once."""
    assert set(get_args(Mechanism)) == set(NAMES)
    assert sorted(NAMES.values()) == sorted({*OFFERED})


@pytest.mark.parametrize(
    ("base", "nodes"),
    [
        (Choice, (Visible(mpq(1, 3), BIT, OTHER), Hidden(mpq(1, 3), BIT, OTHER))),
        (
            FixedSizeSubsample,
            (SubsampleWithoutReplacement(5, 2, "substitute", BIT), SubsampleWithReplacement(5, 2, "substitute", BIT)),
        ),
    ],
)
def test_nodes_that_share_their_fields_are_different(base: type, nodes: tuple[Mechanism, Mechanism]) -> None:
    """Equal fields make equal nodes of one class, unequal ones of two, all immutable and without a dictionary."""
    left, right = nodes
    assert left != right
    for node in nodes:
        assert isinstance(node, base)
        assert node == replace(node)
        assert hash(node) == hash(replace(node))
        assert type(replace(node)) is type(node)
        assert not hasattr(node, "__dict__")
        for field in fields(node):
            with pytest.raises(FrozenInstanceError):
                setattr(node, field.name, getattr(node, field.name))
