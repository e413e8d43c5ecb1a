"""What an audit measures of one pair for a claim of mu, of a Rényi order or of rho: the least number that serves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final

from gmpy2 import mpq

from oracle.audits.measures import Laws, Value, bounds, largest
from oracle.channels.divergences import Direction, sides
from oracle.claims import ConcentratedDP, DivergenceClaim, GaussianDP, RenyiDP
from oracle.enclosures import MAX_REQUESTED_DIGITS, Enclosure
from oracle.exact import INFINITY, NEGATIVE_INFINITY, Extended, Infinity, to_decimal
from oracle.gaussian_dp.channel_mu import compare_mu, least_mu
from oracle.gaussian_dp.concentrated import least_rho
from oracle.gaussian_dp.renyi_claims import compare_renyi, divergence_value

__all__ = ["DivergenceMeasures", "measure_divergence"]

_RHO_DIGITS: Final = 6
_LARGEST_SIGN: Final = {1: 2, None: 1, 0: 0, -1: -1}


@dataclass(frozen=True, slots=True)
class DivergenceMeasures:
    """How a claim of mu, of a Rényi order or of rho stands to a pair.

    Attributes:
        tight: the least mu, the divergence of the order, or the least rho, the larger of the directions meant; infinite
            where there is none. A least rho is exact or enclosed to about three digits, in ``reached``.
        slack: what is claimed less that, negative infinity where that is infinite; 0 exactly where they are equal.
        attained: whether the claim holds and they are equal.
    """

    tight: Value
    slack: Value
    attained: bool


def measure_divergence(
    channel: Laws, claim: DivergenceClaim, direction: Direction, digits: int, *, holds: bool | None
) -> DivergenceMeasures:
    """The least number that serves, and how far the claimed one is from it.

    Args:
        channel: the pair.
        claim: of mu, of an order or of rho.
        direction: both, forward or backward.
        digits: of enclosures; more are taken where that many do not show the proved sign of the slack.
        holds: the verdict, None where it is undecided.
    """
    if isinstance(claim, ConcentratedDP):
        return _concentrated(channel, claim, direction, holds)
    claimed: Value
    if isinstance(claim, GaussianDP):
        claimed, sign = claim.mu, compare_mu(channel, claim.mu).sign
        tight = partial(least_mu, channel)
    else:
        claimed = claim.level.epsilon(MAX_REQUESTED_DIGITS)
        found = [compare_renyi(channel, claim.order, claim.level, side).sign for side in sides(direction)]
        sign = max(found, key=_LARGEST_SIGN.__getitem__)
        tight = partial(_divergence, channel, claim, direction)
    return _measured(tight, claimed, sign, digits)


def _divergence(channel: Laws, claim: RenyiDP, direction: Direction, digits: int) -> Value:
    return largest(divergence_value(channel, claim.order, side, digits) for side in sides(direction))


def _measured(tight_at: Callable[[int], Value], claimed: Value, sign: int | None, digits: int) -> DivergenceMeasures:
    tight = tight_at(digits)
    slack = mpq(0) if sign == 0 else _difference(claimed, tight)
    wanted = digits
    while sign and wanted < MAX_REQUESTED_DIGITS and isinstance(slack, Enclosure) and slack.contains(mpq(0)):
        wanted = min(2 * wanted, MAX_REQUESTED_DIGITS)
        tight = tight_at(wanted)
        slack = _difference(claimed, tight)
    return DivergenceMeasures(tight, _rounded(slack, digits + 3), slack == 0)


def _rounded(value: Value, digits: int) -> Value:
    """An enclosure with ends of that many significant digits, rounded outwards."""
    if not isinstance(value, Enclosure):
        return value
    low, high = mpq(to_decimal(value.lo, digits, "down")), mpq(to_decimal(value.hi, digits, "up"))
    return Enclosure(low, high, value.reached)


def _difference(claimed: Value, tight: Value) -> Value:
    """The claimed number less the tight one; 0 where both are infinite."""
    if isinstance(tight, Infinity):
        return mpq(0) if isinstance(claimed, Infinity) else NEGATIVE_INFINITY
    if isinstance(claimed, Infinity):
        return INFINITY
    (least, most), (low, high) = bounds(claimed), bounds(tight)
    return least - low if least == most and low == high else Enclosure(least - high, most - low)


def _concentrated(channel: Laws, claim: ConcentratedDP, direction: Direction, holds: bool | None) -> DivergenceMeasures:
    """The least rho, its enclosure cut at the claimed one where the verdict says on which side it lies."""
    found: Extended | Enclosure = least_rho(channel, direction)
    if isinstance(found, Enclosure) and holds is not None:
        low, high = (found.lo, min(found.hi, claim.rho)) if holds else (max(found.lo, claim.rho), found.hi)
        found = Enclosure(low, high, found.reached)
    slack = _difference(claim.rho, found)
    return DivergenceMeasures(_rounded(found, _RHO_DIGITS), _rounded(slack, _RHO_DIGITS), bool(slack == 0))
