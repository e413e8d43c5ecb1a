"""Certificates of greatest lower and least upper bounds."""

from __future__ import annotations

import copy

import pytest

from oracle.certificates.checker import Rejected, check
from tests.certificates.checker.documents import GLB_FIELDS, LUB_FIELDS, certificate, channel, witness

ONE_MEMBER = {
    "channels": [channel("1/2 1/2", "1/4 3/4")],
    "glb": channel("1/2 1/2", "1/4 3/4"),
    "witnesses": [witness(2, 2, (0, 0, "1"), (1, 1, "1"))],
    "corners": [
        {"alpha": "0", "beta": "1", "combination": [{"member": 0, "level": "inf", "weight": "1"}]},
        {"alpha": "1/2", "beta": "1/4", "combination": [{"member": 0, "level": "3/2", "weight": "1"}]},
        {"alpha": "1", "beta": "0", "combination": [{"member": 0, "level": "1/2", "weight": "1"}]},
    ],
}


def rejection(kind, fields):
    """The verdict on a document that must be rejected."""
    with pytest.raises(Rejected) as rejected:
        check(certificate(kind, **fields))
    return rejected.value


def test_a_lower_bound_that_is_not_the_greatest_is_rejected():
    """The identity is below every channel, but its corner (0, 0) is a combination of no events."""
    bottom = {
        **copy.deepcopy(ONE_MEMBER),
        "glb": channel("1 0", "0 1"),
        "witnesses": [witness(2, 2, (0, 0, "1/2"), (0, 1, "1/2"), (1, 0, "1/4"), (1, 1, "3/4"))],
        "corners": [
            {"alpha": "0", "beta": "0", "combination": [{"member": 0, "level": "inf", "weight": "1"}]},
            {"alpha": "1", "beta": "0", "combination": [{"member": 0, "level": "0", "weight": "1"}]},
        ],
    }
    assert check(certificate("glb", **ONE_MEMBER)).kind == "glb"
    assert rejection("glb", bottom).where == "$.corners[0].combination"


def test_an_upper_bound_that_is_not_the_least_is_rejected():
    """The channel of one column is above every channel, but its hockey stick is below those of the members."""
    top = {
        **copy.deepcopy(LUB_FIELDS),
        "lub": channel("1", "1"),
        "witnesses": [witness(2, 1, (0, 0, "1"), (1, 0, "1"))] * 2,
        "levels": [{"level": "1", "member": 0}],
    }
    assert rejection("lub", top).where == "$.levels[0]"


@pytest.mark.parametrize(
    ("columns", "reason"),
    [
        (("1/2 0 1/2", "1/4 0 3/4"), "zero"),
        (("1/2 1/2", "3/4 1/4"), "increase"),
        (("1/2 1/4 1/4", "1/4 3/8 3/8"), "increase"),
        (("1/2 1/2 0 0", "1/4 1/4 1/4 1/4"), "increase"),
        (("0 1/2 1/2", "1/4 1/4 1/2"), "increase"),
        (("1/2 1/2 0", "0 0 1"), "increase"),
    ],
)
def test_bound_must_be_canonical(columns, reason):
    """Zero columns, equal ratios and other orders are rejected, for ratio 0 and infinity too."""
    assert reason in rejection("glb", {**ONE_MEMBER, "glb": channel(*columns)}).reason
    assert reason in rejection("lub", {**LUB_FIELDS, "lub": channel(*columns)}).reason


@pytest.mark.parametrize(
    "combination",
    [
        [],
        [{"member": 0, "level": "3/2", "weight": "1/2"}],
        [{"member": 0, "level": "3/2", "weight": "1/2"}, {"member": 0, "level": "3/2", "weight": "1/2"}],
        [{"member": 0, "level": "3/2", "weight": "2"}, {"member": 0, "level": "2", "weight": "-1"}],
        [{"member": 1, "level": "3/2", "weight": "1"}],
        [{"member": 0, "level": "1/2", "weight": "1/2"}, {"member": 0, "level": "inf", "weight": "1/2"}],
        [{"member": 0, "level": "inf", "weight": "1/2"}, {"member": 0, "level": "1/2", "weight": "1/2"}],
        [{"member": 0, "level": "-1", "weight": "1"}],
    ],
)
def test_combination_must_give_the_corner(combination):
    """Weights are positive and sum to 1, terms are strictly sorted, and the sum of points is the corner."""
    fields = copy.deepcopy(ONE_MEMBER)
    fields["corners"][1]["combination"] = combination
    assert rejection("glb", fields).where.startswith("$.corners[1].combination")


def test_every_corner_and_level_is_needed():
    """Lists of corners, levels and witnesses have exactly the right length."""
    for kind, fields, name in (("glb", GLB_FIELDS, "corners"), ("lub", LUB_FIELDS, "levels")):
        for key in (name, "witnesses"):
            assert rejection(kind, {**fields, key: fields[key][:-1]}).where == f"$.{key}"
            assert rejection(kind, {**fields, key: [*fields[key], fields[key][-1]]}).where == f"$.{key}"


def test_partial_bounds():
    """A glb of partial channels of equal masses is accepted; with another mass there is none."""
    halves = copy.deepcopy(ONE_MEMBER)
    halves["channels"] = [channel("1/4 1/4", "1/4 3/4")]
    halves["glb"] = channel("1/4 1/4", "1/4 3/4")
    halves["corners"][1] |= {"alpha": "1/4", "combination": [{"member": 0, "level": "3", "weight": "1"}]}
    halves["corners"][2] |= {"alpha": "1/2", "combination": [{"member": 0, "level": "0", "weight": "1"}]}
    assert check(certificate("glb", **halves)).kind == "glb"
    assert "masses" in rejection("glb", {**halves, "channels": ONE_MEMBER["channels"]}).reason


def test_lub_of_disjoint_supports_needs_no_level():
    """The identity has the ratios 0 and infinity only, so nothing is to be compared."""
    identity = channel("1 0", "0 1")
    same = witness(2, 2, (0, 0, "1"), (1, 1, "1"))
    document = certificate("lub", channels=[identity], lub=identity, witnesses=[same], levels=[])
    assert check(document).kind == "lub"
