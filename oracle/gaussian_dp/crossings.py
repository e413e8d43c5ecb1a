"""All places where a profile meets the profile delta_mu, on the whole half-line, proved complete.

D = delta - delta_mu. Near the end a tail argument gives D one sign for ever. The rest is cut into cells until on each
D has one sign, by delta(u) < delta_mu(v) or delta(v) > delta_mu(u) (both functions are non-increasing), or D' has one
sign: then D is monotone there and has a zero exactly if its signs at the two ends differ, and only one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import flint
from flint import arb
from gmpy2 import mpq

from oracle.enclosures import (
    DEFAULT_DIGITS,
    Enclosure,
    enclose,
    parse_digits,
    precision,
    rational_ball,
    rational_bounds,
)
from oracle.errors import UndecidedError
from oracle.gaussian_dp.arguments import NumberLike, positive
from oracle.gaussian_dp.formula_text import ProfileLike, profile_of
from oracle.gaussian_dp.isolation import sign_change
from oracle.gaussian_dp.profiles import Profile
from oracle.gaussian_dp.tails import TailProof, tail_start
from oracle.gaussian_dp.transform import delta_mu_at, delta_mu_derivatives

__all__ = ["Crossings", "crosses", "crossings"]

_CELL_BITS: Final = 128
_LEAST_CELL: Final = mpq(1, 1 << 30)


@dataclass(frozen=True, slots=True)
class Crossings:
    """Where delta - delta_mu changes its sign.

    Attributes:
        places: enclosures of the zeros, increasing; at each the sign changes.
        signs: the sign before the first place, between, and after the last: one more than places.
        cells: how many cells cover [0, tail.start].
        tail: the proof of the last sign.
    """

    places: tuple[Enclosure, ...]
    signs: tuple[int, ...]
    cells: int
    tail: TailProof


def crossings(profile: ProfileLike, mu: NumberLike, digits: int = DEFAULT_DIGITS) -> Crossings:
    """All eps >= 0 with delta(eps) = delta_mu(eps).

    Raises:
        InputError: for a mu of 0 or below.
        UndecidedError: if the two profiles come too close without a proved crossing (they may touch), or the tail's
            sign is not proved.
    """
    delta, claimed, digits = profile_of(profile), positive(mu, "mu"), parse_digits(digits)
    tail = _tail(delta, claimed)
    last = -1 if tail.relation == "below" else 1
    with precision(_CELL_BITS):
        cells = _cells(delta, rational_ball(claimed), mpq(0), tail.start)
    signs: list[int] = []
    places: list[Enclosure] = []
    for start, end, before, after in cells:
        if before != after:
            places.append(_place(delta, claimed, start, end, digits))
        if not signs or before != signs[-1]:
            signs.append(before)
        if after != signs[-1]:
            signs.append(after)
    if signs[-1] != last:
        raise UndecidedError("the sign of delta - delta_mu where the tail begins", _CELL_BITS)
    return Crossings(tuple(places), tuple(signs), len(cells), tail)


def crosses(profile: ProfileLike, mu: NumberLike, digits: int = DEFAULT_DIGITS) -> tuple[bool | None, Crossings | None]:
    """Whether the two profiles cross somewhere, with the complete list; None where it is not decided."""
    try:
        found = crossings(profile, mu, digits)
    except UndecidedError:
        return None, None
    return bool(found.places), found


def _tail(profile: Profile, mu: mpq) -> TailProof:
    least = mpq(0)
    if profile.head is not None:
        with precision(_CELL_BITS):
            least = rational_bounds(profile.head.end(_CELL_BITS))[1]
    for relation in ("below", "above"):
        found = tail_start(profile.tail, mu * mu, relation, least)
        if found is not None:
            return found
    raise UndecidedError("the sign of delta - delta_mu for large epsilon", _CELL_BITS)


def _cells(profile: Profile, mu: arb, start: mpq, stop: mpq) -> list[tuple[mpq, mpq, int, int]]:
    """Cells (u, v, sign of D at u, sign of D at v) end to end, D without a zero or monotone on each."""
    done: list[tuple[mpq, mpq, int, int]] = []
    waiting = [(mpq(k), mpq(k + 1)) for k in reversed(range(int(start.numerator), int(stop.numerator)))]
    known: dict[mpq, tuple[arb, arb]] = {}

    def values(x: mpq) -> tuple[arb, arb]:
        if x not in known:
            ball = rational_ball(x)
            known[x] = profile.at(ball), delta_mu_at(mu, ball)
        return known[x]

    while waiting:
        u, v = waiting.pop()
        (left, left_mu), (right, right_mu) = values(u), values(v)
        if left < right_mu:
            done.append((u, v, -1, -1))
            continue
        if right > left_mu:
            done.append((u, v, 1, 1))
            continue
        ends = _sign(left - left_mu), _sign(right - right_mu)
        if 0 not in ends:
            low, high = rational_ball(u), rational_ball(v)
            slope = profile.derivatives_between(low, high)[0] - delta_mu_derivatives(mu, low.union(high))[0]
            if slope > 0 or slope < 0:
                done.append((u, v, *ends))
                continue
        if v - u < _LEAST_CELL:
            raise UndecidedError("whether a profile meets delta_mu", flint.ctx.prec)
        middle = (u + v) / 2
        waiting += [(middle, v), (u, middle)]
    return done


def _sign(x: arb) -> int:
    return 1 if x > 0 else -1 if x < 0 else 0


def _place(profile: Profile, mu: mpq, start: mpq, end: mpq, digits: int) -> Enclosure:
    """The one zero in a cell whose ends, dyadic rationals, have opposite signs."""

    def gap(x: arb) -> arb:
        return profile.at(x) - delta_mu_at(rational_ball(mu), x)

    def ball(bits: int) -> arb:
        with precision(bits):
            low, high = rational_ball(start), rational_ball(end)
        return sign_change(gap, low, high, bits) or arb.nan()

    return enclose(ball, digits)
