"""The measurement algorithm: two numbers from finitely many values of a profile that enclose sup G on the head.

On a grid 0 = e_0 < ... < e_n = eps_h,
    mu- = max_i mu_GDP(e_i, delta(e_{i+1}))  <=  sup_{[0, eps_h]} G  <=  mu+ = max_i mu_GDP(e_{i+1}, delta(e_i)),
since mu_GDP increases in both arguments and delta does not increase: for eps in [e_i, e_{i+1}],
mu_GDP(e_i, delta(e_{i+1})) <= G(eps) <= mu_GDP(e_{i+1}, delta(e_i)). With a tail condition (eps_h, mu+) the mechanism
is mu+-GDP; in any case it is not mu-GDP for a mu below mu-.

Reference: Y. Liu, K. Sun, B. Jiang and L. Kong, NeurIPS 2022, section 4 (the algorithm itself is reconstructed).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from flint import arb
from gmpy2 import mpq

from oracle.enclosures import DEFAULT_DIGITS, Enclosure, enclose, parse_digits, precision, rational_ball
from oracle.errors import InputError, LimitError, shorten
from oracle.exact import INFINITY, Extended, to_text
from oracle.gaussian_dp.arguments import NumberLike, positive
from oracle.gaussian_dp.formula_text import ProfileLike, profile_of
from oracle.gaussian_dp.profile import mu_gdp_ball
from oracle.gaussian_dp.tails import tail_start

if TYPE_CHECKING:
    from collections.abc import Callable

    from oracle.gaussian_dp.profiles import Profile

__all__ = ["Measurement", "measure"]

_MOST_POINTS: Final = 10_000
_ROUGH_BITS: Final = 64


@dataclass(frozen=True, slots=True)
class Measurement:
    """What the algorithm says.

    Attributes:
        lower: mu-, exactly 0, or an enclosure.
        upper: mu+, an enclosure, or ``INFINITY`` where delta(0) = 1.
        points: the number of intervals of the grid.
        tail: whether delta <= delta_mu+ is proved beyond the grid, so that the mechanism is mu+-GDP.
    """

    lower: Extended | Enclosure
    upper: Extended | Enclosure
    points: int
    tail: bool


def measure(profile: ProfileLike, step: NumberLike, end: NumberLike, digits: int = DEFAULT_DIGITS) -> Measurement:
    """The pair (mu-, mu+) on the grid 0, step, 2·step, ..., end.

    Raises:
        InputError: for a step or an end that is not positive, or an end that is no multiple of the step.
        LimitError: for more than 10,000 intervals.
    """
    delta, digits = profile_of(profile), parse_digits(digits)
    width, last = positive(step, "step"), positive(end, "end")
    count = last / width
    if count.denominator != 1:
        raise InputError(f"a multiple of the step {to_text(width)}", shorten(to_text(last)), "end")
    if count > _MOST_POINTS:
        raise LimitError(f"at most {_MOST_POINTS} intervals", shorten(str(count)), "end")
    intervals = int(count.numerator)
    grid = [width * k for k in range(intervals + 1)]
    lower = _largest([(a, b) for a, b in pairwise(grid)], delta, digits)
    upper = _largest([(b, a) for a, b in pairwise(grid)], delta, digits)
    covered = isinstance(upper, Enclosure) and _tail_from(delta, upper.hi, last)
    return Measurement(lower, upper, intervals, covered)


def _tail_from(profile: Profile, mu: mpq, end: mpq) -> bool:
    """Whether the tail argument goes through from the end of the grid on."""
    proof = tail_start(profile.tail, mu * mu, "below", end)
    if proof is None:
        return False
    with precision(_ROUGH_BITS):
        return profile.tail.below(mu * mu, rational_ball(end))


def _largest(pairs: list[tuple[mpq, mpq]], profile: Profile, digits: int) -> Extended | Enclosure:
    """The largest mu_GDP(x, delta(y)) over pairs (x, y): low precision finds out which may be it."""

    def ball(x: mpq, y: mpq) -> Callable[[int], arb]:
        return mu_gdp_ball(lambda _: rational_ball(x), profile.ball(lambda _: rational_ball(y)))

    rough = [ball(x, y)(_ROUGH_BITS) for x, y in pairs]
    if any(value == arb.pos_inf() for value in rough):
        return INFINITY
    with precision(_ROUGH_BITS):
        least = max((value.lower() for value in rough if value.is_finite()), default=arb(0))
        kept = [pair for pair, value in zip(pairs, rough, strict=True) if not value < least]
        if all(value.is_zero() for value in rough):
            return mpq(0)

    def largest(bits: int) -> arb:
        values = [ball(x, y)(bits) for x, y in kept]
        with precision(bits):
            result = values[0]
            for value in values[1:]:
                result = result.max(value)
            return result

    return enclose(largest, digits)
