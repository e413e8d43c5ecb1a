"""The values of a result about a Renyi order, computed again from the channel in its certificate."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from .matrices import stochastic_channel
from .measures import Ends, bounds_of, require_value
from .moments import Side, divergence_sign, renyi_claim
from .reading import fields
from .series import log
from .verdict import Rejected

Document = dict[str, object]


def check_divergence(document: Document, result: Document, sides: tuple[str, ...], digits: int, where: str) -> None:
    """Reject a tight value or a slack that is not what follows from the channel; the tight value is the larger side."""
    channel = stochastic_channel(fields(document, document.keys(), "$")["channel"], "$.channel", 2)
    claim = renyi_claim(document["claim"], "$.claim")
    found = [Side(channel, name) for name in sides]
    leaking = [side for side in found if not side.trivial]
    from_one = claim.order is None or claim.order >= 1
    if any(not side.columns or (side.infinite and from_one) for side in leaking):
        _require(result["tight"], "inf", f"{where}.tight")
        _require(result["slack"], "0" if claim.epsilon.infinite else "-inf", f"{where}.slack")
        return

    def tight(bits: int) -> Ends:
        return _largest(leaking, claim.order, bits)

    require_value(result["tight"], tight if leaking else Fraction(0), f"{where}.tight", digits)
    if claim.epsilon.infinite:
        _require(result["slack"], "inf", f"{where}.slack")
        return
    if max(divergence_sign(side, claim.order, claim.epsilon, f"{where}.slack") for side in found) == 0:
        _require(result["slack"], "0", f"{where}.slack")
        return

    def rest(bits: int) -> Ends:
        least, most = bounds_of(claim.epsilon.bracket(bits))
        low, high = tight(bits) if leaking else (Fraction(0), Fraction(0))
        return least - high, most - low

    exact = claim.epsilon.exponent if not leaking else None
    require_value(result["slack"], rest if exact is None else exact, f"{where}.slack")


def _require(stated: object, wanted: str, where: str) -> None:
    if stated != wanted:
        raise Rejected(f'expected "{wanted}"', where)


def _largest(sides: Sequence[Side], order: Fraction | None, bits: int) -> Ends:
    """Bracket the largest D_order of sides whose rows differ, each finite."""
    ends = [_divergence(side, order, bits) for side in sides]
    return max(low for low, _ in ends), max(high for _, high in ends)


def _divergence(side: Side, order: Fraction | None, bits: int) -> Ends:
    if order is None:
        return bounds_of(log(side.largest(), bits))
    if order == 1:
        return bounds_of(side.first(bits))
    return bounds_of(side.divergence(order, bits))
