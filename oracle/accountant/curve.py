"""The trade-off function at one alpha from the privacy profile, with proved bounds on either side.

T(P, Q) is the largest of its supporting lines: T(alpha) = max over h >= 0 of g(h), g(h) = 1 - D_h(Q‖P) - h alpha (the
least of beta + h alpha over all tests is 1 - D_h(Q‖P)). g is concave, as D_h is convex in h.

- Every h gives a lower bound.
- Take h_1 < ... < h_6. By concavity g lies on [h_i, h_(i+1)] below the line through its values at h_(i-1) and h_i and
  below the one through those at h_(i+1) and h_(i+2): so on [h_2, h_3], [h_3, h_4] and [h_4, h_5] what the two lines
  allow bounds it. Where g(h_2) <= g(h_3) it is at most g(h_2) left of h_2, and where g(h_4) >= g(h_5) at most g(h_5)
  right of h_5, so those three bounds are enough. (Two more points than one interval needs: a maximum between h_2 and
  h_3 may well leave g(h_2) <= g(h_3).) Of values known by enclosures, the slopes are taken at their ends.

The error is of second order in the spacing. The place of the maximum is searched with few digits; that search proves
nothing and need not: a poor place makes a wide enclosure.

Reference: J. Dong, A. Roth and W. J. Su, *Gaussian differential privacy*, JRSS B 84(1), 2022, proposition 2.12.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from gmpy2 import mpq, mpz

from oracle.accountant.methods import Found, with_digits
from oracle.enclosures import Enclosure, rational_ball
from oracle.exact import from_binary64
from oracle.levels import Level

__all__ = ["beta_enclosure"]

Values = Callable[[Sequence[Level], int], list[Found]]

_COARSE_DIGITS: Final = 6
_COARSE: Final = mpq(1, 64)
_COARSE_STEPS: Final = 200
_FINE_STEPS: Final = 40
_ATTEMPTS: Final = 3
_GUARD: Final = 6
_OFFSETS: Final = (-5, -3, -1, 1, 3, 5)
_MOST_SPACING: Final = mpq(1, 8)


def beta_enclosure(values: Values, alpha: mpq, digits: int) -> Enclosure:
    """T(alpha) for 0 < alpha < 1.

    Args:
        values: D_h(Q‖P) at several levels h with so many digits.
        alpha: see above.
        digits: wanted; those reached are stated.
    """
    wanted = 3 * digits // 2 + _GUARD
    spacing = min(mpq(1, mpz(10) ** (digits // 2 + 1)), _MOST_SPACING)
    place = _place(values, alpha, spacing, wanted)
    best = Enclosure(mpq(0), 1 - alpha)
    for _ in range(_ATTEMPTS):
        points = [place * (1 + i * spacing) for i in _OFFSETS]
        found = _bounds(values, points, alpha, wanted)
        best = Enclosure(max(best.lo, found.lo), max(best.lo, min(best.hi, found.hi)))
        done = with_digits(best, digits)
        if done.reached is None:
            return done
        spacing = min(spacing * 8, _MOST_SPACING)
    return with_digits(best, digits)


def _bounds(values: Values, points: Sequence[mpq], alpha: mpq, digits: int) -> Enclosure:
    """What six points say of the maximum of g; the upper bound is 1 - alpha where they do not enclose its place."""
    found = [item.ends for item in values([Level.rational(h) for h in points], digits)]
    lows = [1 - high - h * alpha for h, (_, high) in zip(points, found, strict=True)]
    highs = [1 - low - h * alpha for h, (low, _) in zip(points, found, strict=True)]
    least = max(*lows, mpq(0))
    if lows[2] < highs[1] or lows[3] < highs[4]:
        return Enclosure(least, max(least, 1 - alpha))
    most, place = max(_between(points, lows, highs, i) for i in (1, 2, 3))
    if points[1] < place < points[4] and place not in points:
        # Where g has a kink the lines meet at it.
        h = _rounded(place, (points[2] - points[1]) / (1 << digits))
        least = max(least, 1 - values([Level.rational(h)], digits)[0].ends[1] - h * alpha)
    return Enclosure(least, max(least, most))


def _between(points: Sequence[mpq], lows: Sequence[mpq], highs: Sequence[mpq], i: int) -> tuple[mpq, mpq]:
    """An upper bound of g between the points i and i + 1, and where it is had: by the lines on either side."""
    rise = (highs[i] - lows[i - 1]) / (points[i] - points[i - 1])
    fall = (highs[i + 1] - lows[i + 2]) / (points[i + 2] - points[i + 1])
    width = points[i + 1] - points[i]
    # The first line is highs[i] + rise t, the second highs[i + 1] + fall (width - t), 0 <= t <= width. The larger of
    # their least value is at an end or where they meet.
    places = [mpq(0), width]
    if rise + fall:
        places.append(min(max((highs[i + 1] + fall * width - highs[i]) / (rise + fall), mpq(0)), width))
    return max((min(highs[i] + rise * t, highs[i + 1] + fall * (width - t)), points[i] + t) for t in places)


def _place(values: Values, alpha: mpq, spacing: mpq, digits: int) -> mpq:
    """About the h at which g is largest, where -dD_h/dh falls through alpha."""

    def excess(h: mpq, width: mpq, wanted: int) -> float:
        ends = values([Level.rational(h * (1 - width)), Level.rational(h * (1 + width))], wanted)
        first, second = ((item.ends[0] + item.ends[1]) / 2 for item in ends)
        slope = (first - second) / (2 * h * width) - alpha
        return float(rational_ball(slope))

    low, high = mpq(1), mpq(1)
    at = excess(low, _COARSE, _COARSE_DIGITS)
    factor = mpq(2)
    for _ in range(_COARSE_STEPS):
        if at > 0:
            low, high = high, high * factor
            if excess(high, _COARSE, _COARSE_DIGITS) <= 0:
                break
        else:
            low, high = low / factor, low
            if excess(low, _COARSE, _COARSE_DIGITS) > 0:
                break
        factor = min(factor * factor, mpq(1 << 16))
    while high > low * (1 + 2 * _COARSE):
        middle = _geometric(low, high)
        low, high = (middle, high) if excess(middle, _COARSE, _COARSE_DIGITS) > 0 else (low, middle)
    low, high = low * (1 - 2 * _COARSE), high * (1 + 2 * _COARSE)
    return _refined(lambda h: excess(h, spacing, digits), low, high, spacing)


def _refined(excess: Callable[[mpq], float], low: mpq, high: mpq, spacing: mpq) -> mpq:
    """The zero of a falling function in a bracket, to about the spacing: false position, weights halved (Illinois)."""
    at_low, at_high = excess(low), excess(high)
    if not at_low > 0 > at_high:
        return (low + high) / 2
    last = 0
    middle = low
    for _ in range(_FINE_STEPS):
        share = from_binary64(at_low / (at_low - at_high))
        middle = _rounded(low + (high - low) * min(max(share, mpq(1, 64)), mpq(63, 64)), spacing)
        value = excess(middle)
        if value > 0:
            moved, low, at_low = middle - low, middle, value
            at_high, last = (at_high / 2, 1) if last == 1 else (at_high, 1)
        else:
            moved, high, at_high = high - middle, middle, value
            at_low, last = (at_low / 2, -1) if last == -1 else (at_low, -1)
        if min(moved, high - low) < middle * spacing / 4:
            break
    return middle


def _rounded(x: mpq, spacing: mpq) -> mpq:
    """The number to a few binary places beyond the spacing."""
    scale = mpz(1) << (
        spacing.denominator.bit_length() + 8 + max(0, x.denominator.bit_length() - x.numerator.bit_length())
    )
    return mpq((x * scale).numerator // (x * scale).denominator, scale)


def _geometric(low: mpq, high: mpq) -> mpq:
    """A number between, about √(low·high)."""
    if high < 4 * low:
        return (low + high) / 2
    shift = (high / low).numerator.bit_length() - (high / low).denominator.bit_length()
    return low * (mpz(1) << max(shift // 2, 1))
