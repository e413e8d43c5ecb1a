"""Certificates for and against rho-zCDP of a two-row channel: D_a <= rho a for all orders a > 1.

M_a and D_a are those of `moments`.
"""

from __future__ import annotations

from fractions import Fraction

from .claims import DIRECTIONS, ONE_DIRECTION
from .matrices import stochastic_channel
from .moments import GUARD, Epsilon, Side, decide, divergence_sign, negative, sides_meant
from .reading import choice, fields, items, nonnegative, number
from .series import Bracket, add, exp_sign, multiply, rational
from .verdict import Accepted, Rejected, brief

_MOST_TERMS = 400_000


def concentrated_claim(value: object, where: str) -> Fraction:
    """Read the claim {"rho": number >= 0}."""
    return nonnegative(fields(value, ("rho",), where)["rho"], f"{where}.rho")


def check_zcdp_held(document: dict[str, object]) -> Accepted:
    """Check a `zcdp_held` certificate: D_a <= rho a for all a > 1, from finitely many orders.

    psi(a) = log M_a = (a - 1) D_a is convex with psi(1) = 0, and rho-zCDP is psi(a) <= rho a (a - 1).  For each cell
    [a, b] of orders with bounds u >= psi(a), v >= psi(b) the chord through them lies above psi; the difference
    rho x (x - 1) - chord(x) is a convex quadratic, at least 0 at its minimum in the cell.  Beyond the last order a,
    D_x <= D_inf <= rho a <= rho x.
    """
    channel = stochastic_channel(document["channel"], "$.channel", 2)
    rho = concentrated_claim(document["claim"], "$.claim")
    direction = choice(document["direction"], DIRECTIONS, "$.direction")
    cells = fields(document["cells"], sides_meant(direction), "$.cells")
    for name in sides_meant(direction):
        _check_cells(Side(channel, name), rho, cells[name], f"$.cells.{name}")
    return Accepted(
        "zcdp_held",
        f"The channel is rho-zero-concentrated differentially private with rho = {_rho(document)}, direction"
        f" {direction}: D_a <= rho a for all orders a > 1.",
        (("channel", channel.digest),),
    )


def _rho(document: dict[str, object]) -> str:
    return brief(str(fields(document["claim"], ("rho",), "$.claim")["rho"]))


def _check_cells(side: Side, rho: Fraction, value: object, where: str) -> None:
    listed = items(value, where)
    if side.trivial:
        if listed:
            raise Rejected("expected no cells, as the rows are equal", where)
        return
    if side.infinite or not side.columns:
        raise Rejected("the divergence is infinite", where)
    if len(listed) * len(side.columns) > _MOST_TERMS:
        raise Rejected(f"too large: more than {_MOST_TERMS} cells times columns", where)
    order, bound = Fraction(1), Fraction(0)
    for k, item in enumerate(listed):
        place = f"{where}[{k}]"
        pair = items(item, place)
        if len(pair) != 2:
            raise Rejected("expected [order, bound]", place)
        after, upper = number(pair[0], f"{place}[0]"), nonnegative(pair[1], f"{place}[1]")
        if after <= order:
            raise Rejected("expected strictly increasing orders above 1", f"{place}[0]")
        _require_bound(side, after, upper, f"{place}[1]")
        slope = (upper - bound) / (after - order)
        at = order if rho == 0 else min(max((rho + slope) / (2 * rho), order), after)
        if bound + slope * (at - order) > rho * at * (at - 1):
            raise Rejected("the chord of this cell is not below rho a (a - 1)", place)
        order, bound = after, upper
    if exp_sign(rho * order, side.largest(), where) < 0:
        raise Rejected("the largest loss exceeds rho times the last order", where)


def _require_bound(side: Side, order: Fraction, upper: Fraction, where: str) -> None:
    """Reject unless log M_order <= upper."""

    def room(bits: int) -> Bracket:
        value = multiply(side.divergence(order, bits), rational(order - 1, bits + GUARD), bits + GUARD)
        return add(rational(upper, bits + GUARD), negative(value), bits)

    if decide(room, [upper, order], where) < 0:
        raise Rejected("is below the logarithm of the moment", where)


def check_zcdp_refuted(document: dict[str, object]) -> Accepted:
    """Check a `zcdp_refuted` certificate: D_a > rho a at one order a >= 1.

    At order 1, D_1 > rho: as D_a does not decrease in a, D_a > rho a at the orders just above 1.
    """
    channel = stochastic_channel(document["channel"], "$.channel", 2)
    rho = concentrated_claim(document["claim"], "$.claim")
    direction = choice(document["direction"], ONE_DIRECTION, "$.direction")
    order = number(document["order"], "$.order")
    if order < 1:
        raise Rejected("expected an order >= 1", "$.order")
    if divergence_sign(Side(channel, direction), order, Epsilon(None, rho * order), "$.order") <= 0:
        raise Rejected("the divergence does not exceed rho times the order", "$.order")
    return Accepted(
        "zcdp_refuted",
        f"The channel is not rho-zero-concentrated differentially private with rho = {_rho(document)}, direction"
        f" {direction}: D_a > rho a at a = {brief(str(document['order']))}"
        f"{', and so just above' if order == 1 else ''}.",
        (("channel", channel.digest),),
    )
