"""The tight mu of a privacy profile, the supremum of its transform G over all epsilon >= 0, with a proof.

It is G(0) where the head's lemma (:mod:`oracle.gaussian_dp.upper_bound`), and a bound below G(0) on the rest, prove
that; the tail's limit mu_t where that bound is proved everywhere (G comes as close to it as one likes); otherwise it is
enclosed between a value of G and a proved upper bound. None exists where delta(0) = 1 or the tail's limsup is infinite.

Reference: Y. Liu, K. Sun, B. Jiang and L. Kong, NeurIPS 2022, theorems 3.2, 3.3 and 4.1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from flint import arb
from gmpy2 import mpq

from oracle.enclosures import (
    DEFAULT_DIGITS,
    MAX_REQUESTED_DIGITS,
    Ball,
    Enclosure,
    compare,
    enclose,
    parse_digits,
    precision,
    rational_ball,
    rational_bounds,
)
from oracle.errors import UndecidedError
from oracle.exact import INFINITY, Extended, Infinity
from oracle.gaussian_dp.arguments import NumberLike, nonnegative
from oracle.gaussian_dp.cells import CELL_BITS, Cell, rising_cell
from oracle.gaussian_dp.channel_mu import compare_mu
from oracle.gaussian_dp.formula_text import ProfileLike, profile_of
from oracle.gaussian_dp.guarantee_lists import GuaranteeList
from oracle.gaussian_dp.isolation import sign_change
from oracle.gaussian_dp.noise_formulas import LaplaceProfile
from oracle.gaussian_dp.profiles import Profile
from oracle.gaussian_dp.rounding import decimal_floor, dyadic_floor
from oracle.gaussian_dp.tails import TailProof, tail_start
from oracle.gaussian_dp.transform import (
    delta_mu_at,
    delta_mu_derivatives,
    transform_at,
    transform_at_zero,
    transform_ball,
)
from oracle.gaussian_dp.upper_bound import Maximum, RootMu, UpperProof, head_end, prove_from, prove_mu
from oracle.special import phi, square_root

__all__ = ["GdpDecision", "TightMu", "decide_mu", "tight_mu"]

Where = Literal["zero", "interior", "limit", "nowhere", "corner"]

_SCAN_BITS: Final = 64
_SCAN_POINTS: Final = 72
_FIRST_POINT: Final = mpq(1, 16)
_RATIO: Final = mpq(8, 7)
_POINT_BITS: Final = 20
_TOUCH_DIGITS: Final = 24
_SLACKS: Final = (12, 9, 7, 5, 4, 3, 2, 1)


@dataclass(frozen=True, slots=True)
class TightMu:
    """The tight mu of a profile: of a mechanism that has it, if it is closed, otherwise enough and perhaps too much.

    Attributes:
        value: exactly 0, ``INFINITY``, a rational, or an enclosure.
        where: the supremum of G is at eps = 0, at some eps inside, the limit for eps -> inf, or there is none; of a
            list of guarantees it is had at a corner of their trade-off function.
        at: an enclosure of that eps inside, otherwise None.
        proof: of the upper bound on the rest; None for an infinite value, 0, or a corner.
        reason: one line for people.
    """

    value: Extended | Enclosure
    where: Where
    at: Enclosure | None
    proof: UpperProof | None
    reason: str


@dataclass(frozen=True, slots=True)
class GdpDecision:
    """Whether a profile is at most delta_mu everywhere: the profile of a mu-GDP mechanism, if it is closed.

    Attributes:
        holds: True, False, or None where neither is proved.
        proof: where it holds, for mu > 0; None for a list of guarantees, whose corners decide.
        epsilon: where it does not, an epsilon at which delta > delta_mu is proved; None likewise.
        tail: where it does not, a whole half-line with delta > delta_mu, if that is how it was found.
    """

    holds: bool | None
    proof: UpperProof | None = None
    epsilon: mpq | None = None
    tail: TailProof | None = None


def tight_mu(profile: ProfileLike | GuaranteeList, digits: int = DEFAULT_DIGITS) -> TightMu:
    """The supremum of G over eps >= 0, with the proof that it is one.

    Args:
        profile: a profile, the text of a noise formula such as "exp(-eps^2)", or a list of guarantees.
        digits: of the enclosure.

    Returns:
        An enclosure with fewer digits than asked for (``reached``) where no finer upper bound was proved.

    Raises:
        UndecidedError: if no upper bound at all is proved.
    """
    digits = parse_digits(digits)
    if isinstance(profile, GuaranteeList):
        return _of_list(profile, digits)
    return _tight(profile_of(profile), digits)


def _of_list(guarantees: GuaranteeList, digits: int) -> TightMu:
    value = guarantees.tight_mu(digits)
    if isinstance(value, Infinity):
        return TightMu(
            value, "nowhere", None, None, "no delta is 0 at a finite epsilon: in the end above every delta_mu"
        )
    if value == 0:
        return TightMu(value, "zero", None, None, "delta(0) = 0: nothing leaks")
    reason = "the largest Phi^(-1)(1 - alpha) - Phi^(-1)(beta) at the corners of their trade-off function"
    return TightMu(value, "corner", None, None, reason)


def _tight(profile: Profile, digits: int) -> TightMu:
    with precision(CELL_BITS):
        first = profile.at(arb(0))
    if first >= 1:
        return TightMu(INFINITY, "nowhere", None, None, "delta(0) = 1: G(0) is infinite")
    limsup = profile.tail.limits[1]
    if isinstance(limsup, Infinity):
        reason = "eps²/(-2 log delta) is unbounded" if profile.tail.vanishes else "delta does not tend to 0"
        return TightMu(INFINITY, "nowhere", None, None, f"{reason}: delta is above every delta_mu in the end")
    if first.is_zero():
        return TightMu(mpq(0), "zero", None, None, "delta(0) = 0: nothing leaks")
    if isinstance(profile, LaplaceProfile):
        value = _at_zero(profile, digits)
        proof = prove_mu(profile, (value.hi + mpq(1, 1 << _POINT_BITS)) ** 2)
        return TightMu(value, "zero", None, proof, "G(eps) <= G(0) by lemma 2")
    return _search(profile, digits, limsup)


def _constant(x: mpq) -> Ball:
    return lambda _: rational_ball(x)


def _at_zero(profile: Profile, digits: int) -> Enclosure:
    def ball(bits: int) -> arb:
        with precision(bits):
            return transform_at_zero(profile)

    return enclose(ball, digits)


def _lower(profile: Profile, epsilon: mpq) -> mpq:
    """A lower bound of G; 0 where none is had."""
    with precision(_SCAN_BITS):
        value = transform_at(profile, rational_ball(epsilon))
    return rational_bounds(value)[0] if value.is_finite() else mpq(0)


def _search(profile: Profile, digits: int, limsup: mpq) -> TightMu:
    grid = _grid(profile)
    values = [_lower(profile, x) for x in grid]
    best = max(range(len(grid)), key=lambda k: values[k])
    zero = _at_zero(profile, DEFAULT_DIGITS).lo
    with precision(_SCAN_BITS):
        limit = rational_bounds(rational_ball(limsup).sqrt())[0]
    found = None
    if zero > max(values[best], limit):
        found = _supremum_at_zero(profile, zero, max(values[best], limit), digits)
    elif limsup and limit > max(values[best], zero):
        proof = prove_mu(profile, limsup)
        if proof is not None:
            reason = "G comes as close to the tail's limit as one likes and does not exceed it"
            found = TightMu(square_root(limsup, digits), "limit", None, proof, reason)
    if found is None:
        maximum = _maximum(profile, grid, best, 4 * digits + 2 * CELL_BITS)
        found = _supremum_inside(profile, maximum, max(zero, limit, values[best]), min(digits, MAX_REQUESTED_DIGITS))
    return found


def _grid(profile: Profile) -> list[mpq]:
    """Points from the head's end on: only to find out where to look."""
    start = head_end(profile)
    return [dyadic_floor(start + _FIRST_POINT * (_RATIO**k), _POINT_BITS) for k in range(_SCAN_POINTS)]


def _supremum_at_zero(profile: Profile, zero: mpq, other: mpq, digits: int) -> TightMu | None:
    """The value G(0), if a mu below G(0) is proved on the rest; *other* is a value of G there."""
    start = head_end(profile)
    cells: list[Cell] = []
    if profile.head is None:
        first = rising_cell(profile, lambda: transform_at_zero(profile), mpq(0), equal=True)
        if first is None:
            return None
        cells, start = [first], first.end
    for share in (mpq(1, 2), mpq(7, 8), mpq(127, 128)):
        between = other + share * (zero - other)
        mu = dyadic_floor(between, _POINT_BITS)
        proof = prove_from(profile, RootMu((mu if mu > other else between) ** 2), start)
        if proof is not None:
            begin = cells[0].start if cells else start
            proof = UpperProof(proof.mu, proof.mu_squared, proof.head, begin, (*cells, *proof.cells), proof.tail)
            reason = "G(eps) <= G(0) on the head, and G is below that on the rest"
            return TightMu(_at_zero(profile, digits), "zero", None, proof, reason)
    return None


def _supremum_inside(profile: Profile, place: arb | None, lower: mpq, digits: int) -> TightMu:
    """Between a value of G, at its maximum where that is known, and the least upper bound that is proved."""
    maximum, at = None, None
    if place is not None:
        at = Enclosure(*rational_bounds(place))
        point = decimal_floor((at.lo + at.hi) / 2, digits + 4)
        maximum = Maximum(point, 4 * digits + 2 * CELL_BITS)
        lower = max(lower, enclose(transform_ball(profile, _constant(point)), digits + 6).lo)
    for slack in (digits + 1, *(k for k in _SLACKS if k <= digits)):
        mu = decimal_floor(lower * (1 + mpq(10) ** -slack), slack + 3) + mpq(10) ** (-slack - 3)
        proof = None if maximum is None else prove_mu(profile, mu * mu, maximum)
        if proof is None and slack <= _SLACKS[0]:
            proof = prove_mu(profile, mu * mu)
        if proof is not None:
            value = Enclosure(lower, mu, None if slack > digits else slack - 1)
            return TightMu(value, "interior", at, proof, "between a value of G and a proved upper bound")
    raise UndecidedError("an upper bound of the transform", 4 * digits + 2 * CELL_BITS)


def _maximum(profile: Profile, grid: list[mpq], best: int, bits: int) -> arb | None:
    """A ball around a zero of G' between the neighbours of the best point of the grid, if the signs there show one."""

    def slope(x: arb) -> arb:
        # delta(x) = delta_mu(x) at mu = G(x): delta' = delta_mu' + phi(a) G', phi(a) > 0.
        return profile.derivatives(x)[0] - delta_mu_derivatives(transform_at(profile, x), x)[0]

    left, right = grid[max(best - 1, 0)], grid[min(best + 1, len(grid) - 1)]
    with precision(bits):
        return sign_change(slope, rational_ball(left), rational_ball(right), bits)


def decide_mu(profile: ProfileLike | GuaranteeList, mu: NumberLike) -> GdpDecision:
    """Whether delta <= delta_mu at every eps >= 0, with evidence either way; undecided where G comes too close to mu.

    Args:
        profile: a profile, the text of a noise formula such as "exp(-eps^2)", or a list of guarantees.
        mu: at least 0.

    Raises:
        InputError: for a mu below 0.
    """
    claimed = nonnegative(mu, "mu")
    if isinstance(profile, GuaranteeList):
        return GdpDecision(compare_mu(profile.channel(), claimed).at_most)
    return _decide(profile_of(profile), claimed)


def _decide(profile: Profile, mu: mpq) -> GdpDecision:
    with precision(CELL_BITS):
        first = profile.at(arb(0))
    if first.is_zero():
        return GdpDecision(True)
    if _exceeds_at_zero(profile, mu):
        return GdpDecision(False, epsilon=mpq(0))
    if mu == 0:
        return GdpDecision(None)
    above = tail_start(profile.tail, mu * mu, "above", head_end(profile) + mpq(1, 1 << _POINT_BITS))
    if above is not None:
        return GdpDecision(False, epsilon=above.start, tail=above)
    proof = prove_mu(profile, mu * mu)
    return GdpDecision(True, proof) if proof is not None else _decide_inside(profile, mu)


def _decide_inside(profile: Profile, mu: mpq) -> GdpDecision:
    """The same by the maximum of G inside."""
    grid = _grid(profile)
    best = max(range(len(grid)), key=lambda k: _lower(profile, grid[k]))
    place = _maximum(profile, grid, best, 2 * CELL_BITS)
    point = grid[best] if place is None else decimal_floor(rational_bounds(place)[0], _TOUCH_DIGITS)
    if _exceeds(profile, mu, point):
        return GdpDecision(False, epsilon=point)
    proof = prove_mu(profile, mu * mu, Maximum(point, 2 * CELL_BITS))
    return GdpDecision(None) if proof is None else GdpDecision(True, proof)


def _exceeds_at_zero(profile: Profile, mu: mpq) -> bool:
    """The same at 0, where delta(0) > delta_mu(0) says Phi(-mu/2) > (1 - delta(0))/2."""

    def overlap(bits: int) -> arb:
        with precision(bits):
            return profile.half_overlap()

    def bound(bits: int) -> arb:
        with precision(bits):
            return phi(-rational_ball(mu) / 2)

    return compare(bound, overlap).sign == 1


def _exceeds(profile: Profile, mu: mpq, epsilon: mpq) -> bool:
    """Whether delta > delta_mu is proved at a point."""

    def bound(bits: int) -> arb:
        with precision(bits):
            return delta_mu_at(rational_ball(mu), rational_ball(epsilon))

    return compare(profile.ball(_constant(epsilon)), bound).sign == 1
