"""Certificates of refinement: a row-stochastic witness for it; a hockey-stick level or a gain function against it."""

from __future__ import annotations

from fractions import Fraction

from .curves import Law
from .matrices import (
    Channel,
    matrix,
    partial_channel,
    require_product,
    require_same_masses,
    require_work,
    sum_pairs,
    total,
    witness,
)
from .reading import nonnegative, require_equal
from .verdict import Accepted, Rejected, brief


def check_refinement(document: dict[str, object]) -> Accepted:
    """Check a `refinement` certificate: left . W = right for a row-stochastic W, the definition of refinement."""
    left = partial_channel(document["left"], "$.left")
    right = partial_channel(document["right"], "$.right", len(left.rows))
    require_same_masses((left, right), "$")
    by = witness(document["witness"], left.columns, right.columns, "$.witness")
    require_product(left.rows, by, right.rows, "$.witness")
    return Accepted(
        "refinement",
        "left refines to right: left * W = right for the row-stochastic witness W.",
        (("left", left.digest), ("right", right.digest)),
    )


def check_separating_level(document: dict[str, object]) -> Accepted:
    """Check a `separating_level` certificate: sum max(0, q - h p) of left is below that of right.

    For a row-stochastic W with left . W = right the sum could only fall from left to right: max(0, .) is convex and
    positively homogeneous, so max(0, sum_i w_i x_i) <= sum_i w_i max(0, x_i), and every row of W sums to 1.
    """
    left = partial_channel(document["left"], "$.left", 2)
    right = partial_channel(document["right"], "$.right", 2)
    require_same_masses((left, right), "$")
    level = nonnegative(document["h"], "$.h")
    values = []
    for name, channel in (("left", left), ("right", right)):
        value = Law(channel, f"$.{name}").hockey_stick(level)
        place = f"$.{name}_value"
        require_equal(nonnegative(document[f"{name}_value"], place), value, f"the hockey stick of {name}", place)
        values.append(value)
    if values[0] >= values[1]:
        raise Rejected("the level does not separate: left_value must be below right_value", "$")
    return Accepted(
        "separating_level",
        f"left does not refine to right: at h = {brief(str(document['h']))} the sum of max(0, q - h p) is"
        f" {brief(str(document['left_value']))} for left and {brief(str(document['right_value']))} for right.",
        (("left", left.digest), ("right", right.digest)),
    )


def check_separating_gain(document: dict[str, object]) -> Accepted:
    """Check a `separating_gain` certificate: the vulnerability of left is below that of right.

    V_g(X) = (1/rows) sum_y max_a sum_x g(a, x) X(x, y).  For a row-stochastic W with left . W = right it could only
    fall from left to right: column y of right is the sum of W(i, y) times column i of left, so its maximum is at most
    the sum over i of W(i, y) times the maximum at column i, and every row of W sums to 1.
    """
    left = partial_channel(document["left"], "$.left")
    right = partial_channel(document["right"], "$.right", len(left.rows))
    require_same_masses((left, right), "$")
    gain = matrix(document["gain"], "$.gain")
    if len(gain[0]) != len(left.rows):
        raise Rejected(f"expected {len(left.rows)} columns, one for each row of the channels", "$.gain")
    values = []
    for name, channel in (("left", left), ("right", right)):
        value = _vulnerability(channel, gain, f"$.{name}")
        place = f"$.{name}_value"
        require_equal(nonnegative(document[f"{name}_value"], place), value, f"the vulnerability of {name}", place)
        values.append(value)
    if values[0] >= values[1]:
        raise Rejected("the gain function does not separate: left_value must be below right_value", "$")
    return Accepted(
        "separating_gain",
        "left does not refine to right: for the gain function and the uniform prior the vulnerability is"
        f" {brief(str(document['left_value']))} for left and {brief(str(document['right_value']))} for right.",
        (("left", left.digest), ("right", right.digest)),
    )


def _vulnerability(channel: Channel, gain: list[list[Fraction]], where: str) -> Fraction:
    require_work(len(gain) * len(channel.rows) * channel.columns, where)
    best = []
    for column in zip(*channel.rows, strict=True):
        gains = (
            sum_pairs(
                (g.numerator * c.numerator, g.denominator * c.denominator) for g, c in zip(row, column, strict=True)
            )
            for row in gain
        )
        best.append(max(Fraction(*pair) for pair in gains))
    return total(best) / len(channel.rows)
