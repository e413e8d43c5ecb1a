"""Certificates of the greatest lower and least upper bound of two-row channels under refinement."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from .curves import Law, Point
from .matrices import Channel, channel_list, partial_channel, require_product, require_same_masses, total, witness
from .reading import fields, index, items, nonnegative_or_infinite, number, positive, require_equal
from .verdict import Accepted, Rejected

if TYPE_CHECKING:
    from collections.abc import Sequence


def _bound(document: dict[str, object], name: str) -> tuple[list[Channel], Channel]:
    """Read the members and their bound, a canonical channel of the same row masses."""
    members = channel_list(document["channels"], "$.channels", 2)
    bound = partial_channel(document[name], f"$.{name}", 2)
    require_same_masses((bound, *members), "$")
    columns = list(zip(*bound.rows, strict=True))
    for k, (p, q) in enumerate(columns):
        if p == 0 == q:
            raise Rejected(f"column {k} is zero, so the channel is not canonical", f"$.{name}")
        # q/p < q'/p' without dividing by zero; with p = p' = 0 it is false, as it should be.
        if k and columns[k - 1][1] * p >= columns[k - 1][0] * q:
            raise Rejected(f"column {k} does not increase q/p, so the channel is not canonical", f"$.{name}")
    return members, bound


def _named(members: Sequence[Channel], name: str, bound: Channel) -> tuple[tuple[str, str], ...]:
    return (*((f"channels[{i}]", member.digest) for i, member in enumerate(members)), (name, bound.digest))


def _require_witnesses(document: dict[str, object], count: int) -> list[object]:
    witnesses = items(document["witnesses"], "$.witnesses")
    if len(witnesses) != count:
        raise Rejected(f"expected {count} witnesses, one per channel, got {len(witnesses)}", "$.witnesses")
    return witnesses


def check_glb(document: dict[str, object]) -> Accepted:
    """Check a `glb` certificate.

    The witnesses give glb . W_i = channels[i], so glb is a lower bound.  Let L be another: T(L) <= T(channels[i]), so
    T(L)(P(S)) <= f - Q(S) for every event S of every member.  Each corner (alpha, beta) of T(glb) is a convex
    combination of such points, so T(L)(alpha) <= beta as T(L) is convex; between corners T(glb) is linear and T(L)
    convex.  So T(L) <= T(glb), that is L refines to glb.
    """
    members, bound = _bound(document, "glb")
    for i, item in enumerate(_require_witnesses(document, len(members))):
        place = f"$.witnesses[{i}]"
        by = witness(item, bound.columns, members[i].columns, place)
        require_product(bound.rows, by, members[i].rows, place)
    laws = [Law(member, f"$.channels[{i}]") for i, member in enumerate(members)]
    wanted = Law(bound, "$.glb").corners()
    corners = items(document["corners"], "$.corners")
    if len(corners) != len(wanted):
        raise Rejected(f"expected {len(wanted)} corners, got {len(corners)}", "$.corners")
    for k, item in enumerate(corners):
        place = f"$.corners[{k}]"
        corner = fields(item, ("alpha", "beta", "combination"), place)
        require_equal(number(corner["alpha"], f"{place}.alpha"), wanted[k][0], "the alpha of T(glb)", f"{place}.alpha")
        require_equal(number(corner["beta"], f"{place}.beta"), wanted[k][1], "the beta of T(glb)", f"{place}.beta")
        if _combined(corner["combination"], laws, f"{place}.combination") != wanted[k]:
            raise Rejected("the combination does not give the corner", f"{place}.combination")
    return Accepted(
        "glb",
        f"glb is the greatest lower bound of the {len(members)} channels: it refines to each of them, and every"
        " channel that refines to each of them refines to it.",
        _named(members, "glb", bound),
    )


def _combined(value: object, laws: Sequence[Law], where: str) -> Point:
    """Return the weighted sum of points of events of the members; the weights are > 0 and sum to 1."""
    weights: list[Fraction] = []
    points: list[Point] = []
    last: tuple[int, bool, Fraction] | None = None
    for k, item in enumerate(items(value, where, 1)):
        place = f"{where}[{k}]"
        term = fields(item, ("member", "level", "weight"), place)
        member = index(term["member"], len(laws), f"{place}.member")
        level = nonnegative_or_infinite(term["level"], f"{place}.level")
        key = (member, level is None, Fraction(0) if level is None else level)
        if last is not None and last >= key:
            raise Rejected("expected terms sorted strictly by member, then level", place)
        last = key
        weights.append(positive(term["weight"], f"{place}.weight"))
        points.append(laws[member].point(level))
    if total(weights) != 1:
        raise Rejected("the weights do not sum to 1", where)
    alphas, betas = (total(w * point[axis] for w, point in zip(weights, points, strict=True)) for axis in (0, 1))
    return alphas, betas


def check_lub(document: dict[str, object]) -> Accepted:
    """Check a `lub` certificate.

    The witnesses give channels[i] . W_i = lub, so lub is an upper bound.  Let U be another, H_h = sum max(0, q - h p).
    Refinement lowers H_h, so at each level h listed H_h(U) <= H_h(member) = H_h(lub): T(U) is above the line
    beta + h alpha = f - H_h(lub).  The levels are all finite ratios h > 0 of lub, so these lines are all segments of
    T(lub) but the horizontal one, which bounds nothing as T(U) >= 0.  So T(U) >= T(lub), that is lub refines to U.
    """
    members, bound = _bound(document, "lub")
    for i, item in enumerate(_require_witnesses(document, len(members))):
        place = f"$.witnesses[{i}]"
        by = witness(item, members[i].columns, bound.columns, place)
        require_product(members[i].rows, by, bound.rows, place)
    laws = [Law(member, f"$.channels[{i}]") for i, member in enumerate(members)]
    law = Law(bound, "$.lub")
    wanted = [ratio for ratio in law.ratios if ratio > 0]
    levels = items(document["levels"], "$.levels")
    if len(levels) != len(wanted):
        raise Rejected(f"expected {len(wanted)} levels, got {len(levels)}", "$.levels")
    for k, item in enumerate(levels):
        place = f"$.levels[{k}]"
        entry = fields(item, ("level", "member"), place)
        level = positive(entry["level"], f"{place}.level")
        require_equal(level, wanted[k], "the ratio of lub", f"{place}.level")
        member = index(entry["member"], len(laws), f"{place}.member")
        if laws[member].hockey_stick(level) != law.hockey_stick(level):
            raise Rejected("the hockey sticks of lub and of the member differ", place)
    return Accepted(
        "lub",
        f"lub is the least upper bound of the {len(members)} channels: each of them refines to it, and it refines to"
        " every channel that each of them refines to.",
        _named(members, "lub", bound),
    )
