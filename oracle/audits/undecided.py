"""A finding without a verdict: what stands in a report where the precision, or the checker, gives no answer.

Its record (:mod:`oracle.certificates.records`) has the values that the claim bounds, enclosed, and "undecided" beside
each, so that the other claims of the same audit keep their verdicts and certificates.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from gmpy2 import mpq

from oracle.audits.measures import bounds, measure_level
from oracle.certificates.records import RELATIONS, Record, divergence_record, value_json
from oracle.channels.divergences import Direction, sides
from oracle.claims import ApproximateDP, Claim, ConcentratedDP, GaussianDP, RenyiDP, claim_text
from oracle.enclosures import Enclosure
from oracle.exact import Infinity, to_text
from oracle.gaussian_dp.channel_mu import least_mu
from oracle.gaussian_dp.renyi_claims import divergence_value
from oracle.levels import Level

if TYPE_CHECKING:
    from oracle.audits.measures import Laws, Value
    from oracle.channels.tradeoff import TradeoffFunction

__all__ = ["undecided_record"]

_OPPOSITE: dict[str, Direction] = {"forward": "backward", "backward": "forward"}


def undecided_record(pair: Laws, claim: Claim, direction: Direction, digits: int, bits: int) -> Record:
    """The record of a claim on which there is no verdict.

    Args:
        pair: the two laws.
        claim: of any kind.
        direction: that was asked.
        digits: of the values.
        bits: the working precision that was reached; 0 where it is the checker that accepts no certificate.
    """
    compared = _compared(pair, claim, direction, digits)
    undecided = {"relation": RELATIONS[None], "bits": bits}
    return divergence_record(pair, claim, direction, [{**item, **undecided} for item in compared])


def _compared(pair: Laws, claim: Claim, direction: Direction, digits: int) -> list[Record]:
    """What is compared, with its value and bound, in each direction that is meant."""
    if isinstance(claim, GaussianDP):
        return [{"quantity": "mu", "value": value_json(least_mu(pair, digits)), "bound": to_text(claim.mu)}]
    found: list[Record] = []
    for side in sides(direction):
        if isinstance(claim, RenyiDP):
            stated = {"quantity": "renyi", "direction": side, "order": to_text(claim.order)}
            value: Value = divergence_value(pair, claim.order, side, digits)
            found.append({**stated, "value": value_json(value), "bound": claim_text(claim).partition(":")[2]})
        elif isinstance(claim, ConcentratedDP):
            value = _half(divergence_value(pair, mpq(2), side, digits))
            stated = {"quantity": "rho", "direction": side, "order": "2"}
            found.append({**stated, "value": value_json(value), "bound": to_text(claim.rho)})
        elif isinstance(claim, ApproximateDP):
            found.append(_hockey_stick(pair, claim, side, digits))
        else:
            found += [_hockey_stick(pair, line, _OPPOSITE[side], digits) for line in _lines(claim.curve)]
    return found


def _half(value: Value) -> Value:
    if isinstance(value, Infinity):
        return value
    low, high = bounds(value)
    return Enclosure(low / 2, high / 2) if isinstance(value, Enclosure) else low / 2


def _hockey_stick(pair: Laws, claim: ApproximateDP, side: Direction, digits: int) -> Record:
    value = measure_level(pair, claim, side, digits, holds=False).delta
    return {"direction": side, **claim.level.to_json(), "value": value_json(value), "bound": to_text(claim.delta)}


def _lines(curve: TradeoffFunction) -> list[ApproximateDP]:
    """The lines beta = c - h·alpha of f: T >= the line is D_h <= 1 - c in the opposite direction."""
    found = []
    for (a0, b0), (a1, b1) in pairwise(curve.corners):
        slope = (b0 - b1) / (a1 - a0)
        found.append(ApproximateDP(Level.rational(slope), 1 - b0 - slope * a0))
    return found
