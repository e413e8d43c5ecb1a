"""Group privacy: noise that is added at several times its distance, and what has a bound only."""

from __future__ import annotations

import pytest
from gmpy2 import mpq

from oracle.errors import Declined, LimitError
from oracle.mechanisms.evaluate import evaluate
from oracle.mechanisms.groups import without_groups
from oracle.mechanisms.nodes import Compose, Group
from oracle.mechanisms.parse import parse_mechanism
from oracle.mechanisms.primitive_nodes import Laplace
from oracle.theorems.bounds import ProfileBound


def group(size, **of):
    return parse_mechanism({"mechanism": "group", "size": size, "of": of})


@pytest.mark.parametrize(
    ("of", "expected"),
    [
        ({"mechanism": "laplace", "scale": "2"}, {"mechanism": "laplace", "scale": "2", "sensitivity": "3"}),
        (
            {"mechanism": "gaussian", "sigma": "2", "sensitivity": "1/2"},
            {"mechanism": "gaussian", "sigma": "2", "sensitivity": "3/2"},
        ),
        ({"mechanism": "geometric", "ratio": "1/2"}, {"mechanism": "geometric", "ratio": "1/2", "sensitivity": "3"}),
        (
            {"mechanism": "discrete_laplace", "scale": "1"},
            {"mechanism": "discrete_laplace", "scale": "1", "sensitivity": "3"},
        ),
        (
            {"mechanism": "discrete_gaussian", "sigma": "1", "sensitivity": 2},
            {"mechanism": "discrete_gaussian", "sigma": "1", "sensitivity": "6"},
        ),
        ({"mechanism": "gaussian_dp", "mu": "1/2"}, {"mechanism": "gaussian_dp", "mu": "3/2"}),
    ],
    ids=lambda d: d["mechanism"],
)
def test_the_sensitivity_is_multiplied(of, expected):
    """A value, in the node's own terms."""
    assert without_groups(group(3, **of)) == parse_mechanism(expected)


def test_groups_go_through_compositions_and_into_one_another():
    """Group of group multiplies; the parts of a composition are scaled one by one."""
    inner = {"mechanism": "group", "size": 2, "of": {"mechanism": "gaussian", "sigma": "1"}}
    node = group(
        3,
        mechanism="compose",
        of=[inner, {"mechanism": "repeat", "times": 2, "of": {"mechanism": "gaussian_dp", "mu": "1"}}],
    )
    assert evaluate(node).theta_squared == 36 + 2 * 9
    plain = parse_mechanism(
        {"mechanism": "repeat", "times": 2, "of": {"mechanism": "randomized_response", "epsilon": "1"}}
    )
    assert without_groups(plain) is plain
    response = {"mechanism": "randomized_response", "exp_epsilon": "3"}
    choice = {
        "mechanism": "visible",
        "r": "1/2",
        "left": response,
        "right": {"mechanism": "group", "size": 2, "of": {"mechanism": "geometric", "ratio": "1/2"}},
    }
    processed = {"mechanism": "pre", "pre": [["1", "0"], ["0", "1"]], "of": choice}
    assert evaluate(parse_mechanism(processed)).shape == (2, 5)


def test_a_group_of_one_is_the_mechanism_itself():
    """Whatever it is."""
    assert (
        without_groups(group(1, mechanism="randomized_response", epsilon="1")).to_json()["mechanism"]
        == "randomized_response"
    )


@pytest.mark.parametrize(
    "of",
    [
        {"mechanism": "randomized_response", "epsilon": "1"},
        {"mechanism": "geometric", "ratio": "1/2", "low": 0, "high": 4, "values": [0, 1]},
        {"matrix": [["1"], ["1"]]},
    ],
    ids=str,
)
def test_the_black_box_bound_is_marked_and_declined_inside(of):
    """A bound is not offered in the place of a value."""
    assert isinstance(evaluate(parse_mechanism({"mechanism": "group", "size": 2, "of": of})), ProfileBound)
    inside = {"mechanism": "compose", "of": [{"mechanism": "group", "size": 2, "of": of}]}
    with pytest.raises(Declined, match="black-box bound"):
        evaluate(parse_mechanism(inside))


def test_depth_has_a_limit_and_shared_parts_are_resolved_once():
    """A part that stands in two places on each of 60 levels would else take 2^60 steps."""
    node = Laplace(mpq(1), mpq(1))
    for _ in range(150):
        node = Group(2, node)
    with pytest.raises(LimitError):
        without_groups(node)
    shared = parse_mechanism({"mechanism": "gaussian", "sigma": "1"})
    for _ in range(60):
        shared = Compose((shared, shared))
    assert evaluate(shared).theta_squared == 2**60
    assert evaluate(Group(3, shared)).theta_squared == 9 * 2**60
