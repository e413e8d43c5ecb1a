"""Certificates for and against claims on a two-row channel: (epsilon, delta) and a trade-off function."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from .curves import Curve, curve, curve_hash, curve_text, curve_value
from .matrices import Channel, require_product, stochastic_channel, total, witness
from .reading import (
    choice,
    event,
    fields,
    nonnegative,
    nonnegative_or_infinite,
    number,
    probability,
    require_equal,
)
from .series import exp_sign
from .verdict import Accepted, Rejected, brief, columns_text

DIRECTIONS = ("both", "forward", "backward")
ONE_DIRECTION = ("forward", "backward")


@dataclass(frozen=True, slots=True)
class PrivacyClaim:
    """The claim "(epsilon, delta)": e^epsilon is `exp_epsilon` when that is not None, e^`epsilon` otherwise.

    Both are None for an infinite epsilon.  `text` says it in words.
    """

    exp_epsilon: Fraction | None
    epsilon: Fraction | None
    delta: Fraction
    text: str

    def compare_level(self, level: Fraction, where: str) -> int:
        """Return the proved sign of e^epsilon - level."""
        if self.epsilon is not None:
            return exp_sign(self.epsilon, level, where)
        if self.exp_epsilon is None:
            return 1
        return (self.exp_epsilon > level) - (self.exp_epsilon < level)


def privacy_claim(value: object, where: str) -> PrivacyClaim:
    """Read a LEVELCLAIM with a delta: exactly one of `exp_epsilon` (>= 1 or "inf") and `epsilon` (>= 0)."""
    name = "epsilon" if isinstance(value, dict) and "epsilon" in value else "exp_epsilon"
    claim = fields(value, (name, "delta"), where)
    delta = probability(claim["delta"], f"{where}.delta")
    place = f"{where}.{name}"
    level_name = "e^eps" if name == "exp_epsilon" else "eps"
    text = f"{level_name} = {brief(str(claim[name]))}, delta = {brief(str(claim['delta']))}"
    if name == "epsilon":
        return PrivacyClaim(None, nonnegative(claim[name], place), delta, text)
    level = nonnegative_or_infinite(claim[name], place)
    if level is not None and level < 1:
        raise Rejected("expected a number >= 1", place)
    return PrivacyClaim(level, None, delta, text)


def worst_case(direction: str, level: Fraction, delta: Fraction) -> list[list[Fraction]]:
    """Return the channel that refines to exactly the channels that are (ln level, delta)-DP in the direction."""
    if direction == "both":
        low = (1 - delta) / (1 + level)
        zero = Fraction(0)
        return [[delta, low * level, low, zero], [zero, low, low * level, delta]]
    kept = (1 - delta) / level
    rows = [[delta, 1 - delta, Fraction(0)], [Fraction(0), kept, 1 - kept]]
    return rows if direction == "forward" else rows[::-1]


def check_dp_held(document: dict[str, object]) -> Accepted:
    """Check a `dp_held` certificate: the worst case W0 of (ln E, delta) refines to the channel, and E <= e^epsilon.

    With D_E(P||Q) = sum max(0, p - E q), forward: columns (delta, 0), (1-delta, (1-delta)/E), (0, rest) give
    D_E = delta + 0 + 0.  Both: columns (delta, 0), (aE, a), (a, aE), (0, delta) give delta + 0 + 0 + 0, and by symmetry
    the same backward, as E >= 1.  Post-processing lowers D_E, max(0, .) being sublinear, so D_E <= delta for the
    channel.  D is non-increasing in its level, so D_{e^epsilon} <= D_E <= delta; that is P(S) <= e^epsilon Q(S) + delta
    for all S.
    """
    channel = stochastic_channel(document["channel"], "$.channel", 2)
    claim = privacy_claim(document["claim"], "$.claim")
    direction = choice(document["direction"], DIRECTIONS, "$.direction")
    level = number(document["level"], "$.level")
    if level < 1:
        raise Rejected("expected a number >= 1", "$.level")
    if claim.compare_level(level, "$.level") < 0:
        raise Rejected("the level is above e^epsilon of the claim", "$.level")
    worst = worst_case(direction, level, claim.delta)
    by = witness(document["witness"], len(worst[0]), channel.columns, "$.witness")
    require_product(worst, by, channel.rows, "$.witness")
    return Accepted(
        "dp_held", f"The channel is differentially private with {claim.text}, {_meaning(direction)}.", _of(channel)
    )


def _meaning(direction: str) -> str:
    forward, backward = "P(S) <= e^eps Q(S) + delta", "Q(S) <= e^eps P(S) + delta"
    said = {"both": f"{forward} and {backward}", "forward": forward, "backward": backward}[direction]
    return f"direction {direction}: {said} for every event S"


def _of(channel: Channel) -> tuple[tuple[str, str], ...]:
    return (("channel", channel.digest),)


def check_dp_refuted(document: dict[str, object]) -> Accepted:
    """Check a `dp_refuted` certificate: an event with p - U q > delta (backward q - U p), and U >= e^epsilon.

    Then p - e^epsilon q >= p - U q > delta.  U = "inf" needs q = 0, and then p - e^epsilon q = p for every epsilon.
    """
    channel = stochastic_channel(document["channel"], "$.channel", 2)
    claim = privacy_claim(document["claim"], "$.claim")
    direction = choice(document["direction"], ONE_DIRECTION, "$.direction")
    level = nonnegative_or_infinite(document["level"], "$.level")
    columns = event(document["event"], channel.columns, "$.event", 1)
    masses = []
    for name, row in (("p", channel.rows[0]), ("q", channel.rows[1])):
        masses.append(total(row[k] for k in columns))
        require_equal(probability(document[name], f"$.{name}"), masses[-1], "the mass of the event", f"$.{name}")
    large, small = masses if direction == "forward" else masses[::-1]
    if level is None:
        if small != 0:
            raise Rejected('the level "inf" needs an event of mass 0 in the other row', "$.event")
        excess = large
    elif claim.compare_level(level, "$.level") > 0:
        raise Rejected("the level is below e^epsilon of the claim", "$.level")
    else:
        excess = large - level * small
    if excess <= claim.delta:
        raise Rejected("the event does not violate the claim", "$.event")
    rows = "P(S) > e^eps Q(S) + delta" if direction == "forward" else "Q(S) > e^eps P(S) + delta"
    return Accepted(
        "dp_refuted",
        f"The channel is not differentially private with {claim.text}, direction {direction}: {rows} for S ="
        f" {columns_text(columns)} with P(S) = {brief(str(document['p']))} and Q(S) = {brief(str(document['q']))}.",
        _of(channel),
    )


def _curve_channel(corners: Curve) -> list[list[Fraction]]:
    """Return C(f), the channel whose trade-off function is f: a column per segment from the last to the first."""
    segments = list(pairwise(corners))[::-1]
    first = [right[0] - left[0] for left, right in segments]
    second = [left[1] - right[1] for left, right in segments]
    if corners[0][1] < 1:
        first.append(Fraction(0))
        second.append(1 - corners[0][1])
    return [first, second]


def _both(document: dict[str, object], channel: Channel) -> tuple[tuple[str, str], ...]:
    return (*_of(channel), ("tradeoff", curve_hash(document["tradeoff"])))


def check_tradeoff_held(document: dict[str, object]) -> Accepted:
    """Check a `tradeoff_held` certificate: C(f) refines to the channel (forward), to it with rows swapped (backward).

    T(C(f)) = f, the columns of C(f) being the segments of f, and post-processing raises T.
    """
    channel = stochastic_channel(document["channel"], "$.channel", 2)
    corners = curve(document["tradeoff"], "$.tradeoff")
    direction = choice(document["direction"], DIRECTIONS, "$.direction")
    wanted = ONE_DIRECTION if direction == "both" else (direction,)
    witnesses = fields(document["witnesses"], wanted, "$.witnesses")
    worst = _curve_channel(corners)
    for name in wanted:
        place = f"$.witnesses.{name}"
        by = witness(witnesses[name], len(worst[0]), channel.columns, place)
        require_product(worst, by, channel.rows if name == "forward" else channel.rows[::-1], place)
    said = {"forward": "f <= T(P, Q)", "backward": "f <= T(Q, P)", "both": "f <= T(P, Q) and f <= T(Q, P)"}[direction]
    return Accepted(
        "tradeoff_held",
        f"The channel is f-differentially private, direction {direction}: {said}, f being"
        f" {curve_text(document['tradeoff'])}.",
        _both(document, channel),
    )


def check_tradeoff_refuted(document: dict[str, object]) -> Accepted:
    """Check a `tradeoff_refuted` certificate: rejecting on the event has errors (alpha, beta) with beta < f(alpha)."""
    channel = stochastic_channel(document["channel"], "$.channel", 2)
    corners = curve(document["tradeoff"], "$.tradeoff")
    direction = choice(document["direction"], ONE_DIRECTION, "$.direction")
    columns = event(document["event"], channel.columns, "$.event")
    null, other = channel.rows if direction == "forward" else channel.rows[::-1]
    alpha, beta = total(null[k] for k in columns), 1 - total(other[k] for k in columns)
    claimed = curve_value(corners, alpha)
    for name, value in (("alpha", alpha), ("beta", beta), ("claimed", claimed)):
        require_equal(probability(document[name], f"$.{name}"), value, f"the {name} of the event", f"$.{name}")
    if claimed <= beta:
        raise Rejected("the event does not violate the claim", "$.event")
    curve_name = "T(P, Q)" if direction == "forward" else "T(Q, P)"
    at, errs, says = (brief(str(document[name])) for name in ("alpha", "beta", "claimed"))
    return Accepted(
        "tradeoff_refuted",
        f"The channel is not f-differentially private, direction {direction}: {curve_name}({at}) <= {errs} < {says} ="
        f" f({at}), the test that rejects on S = {columns_text(columns)},"
        f" f being {curve_text(document['tradeoff'])}.",
        _both(document, channel),
    )
