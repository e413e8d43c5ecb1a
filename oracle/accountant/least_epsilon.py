"""The least eps of a delta for a composition, in one direction, bracketed by proved signs.

delta falls and is continuous in eps, strictly falling where it is above P(L = inf) (there Q has mass on the outcomes
with L > eps, of which less than e^(-eps) times that of P is subtracted). So an interval [lo, hi] with
delta(lo) > d >= delta(hi), both proved, contains the least eps >= 0 with delta(eps) <= d. Both ends, and the points
on the way, come from one line around the place; Newton's steps and secants on log delta, in floats, propose where to
look.
"""

from __future__ import annotations

from math import ceil, inf, isfinite, isinf, log
from typing import Final, NamedTuple

from flint import arb
from gmpy2 import mpq, mpz

from oracle.accountant.contour import MAX_NODES, Known, delta
from oracle.accountant.inversion import Inversion
from oracle.accountant.parts import Composition
from oracle.accountant.planning import Setting, epsilon_hint, plan, saddle
from oracle.enclosures import DEFAULT_DIGITS, Enclosure, enclose, precision, rational_ball
from oracle.errors import InputError, LimitError, UndecidedError, shorten
from oracle.exact import INFINITY, Infinity, to_text

__all__ = ["least_epsilon"]

_SPARE: Final = log(16.0)
_ROUNDS: Final = 60
_FEW_ROUNDS: Final = 4
_FEW_NODES: Final = 10_000
_SHRINK: Final = 8
_NEAR: Final = 0.1
_LEAST_SLOPE: Final = 1e-6
_HEIGHT_BITS: Final = 64
_FAR_BELOW: Final = 1e-6
_ZERO: Final = Enclosure(mpq(0), mpq(0))


def least_epsilon(
    composition: Composition,
    bound: mpq,
    digits: int = DEFAULT_DIGITS,
    *,
    max_nodes: int = MAX_NODES,
) -> Enclosure | Infinity:
    """The least eps >= 0 with delta(eps) <= bound (one direction), an enclosure; exactly 0 or inf where it is so.

    Raises:
        InputError: for an empty composition, or a bound outside [0, 1].
        LimitError: where no line within the limits brackets it.
        UndecidedError: where delta(0) or P(L = inf) is too close to the bound to tell.
    """
    if not 0 <= bound <= 1:
        raise InputError("a delta from 0 to 1", shorten(to_text(bound)), "delta")
    known = Known.of(composition, digits)
    with precision(known.bits):
        left = rational_ball(bound) - known.infinite
    if left < 0:
        return INFINITY
    if not left > 0:
        if bound == 0 and not any(part.has_infinite_loss() for part, _ in composition):
            return _largest(known)
        raise UndecidedError("whether P(L = inf) is above delta", known.bits)
    log_left = float(left.log())
    hint, c = epsilon_hint(known.cumulants, log_left)
    if not isfinite(hint):
        raise LimitError("an eps near the one sought", "none found")
    if hint < _NEAR / c and _zero_will_do(known, rational_ball(bound), max_nodes):
        return _ZERO
    place = _approach(known, left, max(hint, 0.0), c, max_nodes)
    if place is not None and place.eps * -place.slope < _NEAR:
        place = _near_zero(known, left, place.slope, max_nodes)
    return _ZERO if place is None else _bracket(known, left, place, max_nodes)


def _largest(known: Known) -> Enclosure | Infinity:
    """The least eps of delta = 0: the largest loss."""
    top = known.top
    if top is None:
        return INFINITY
    return _ZERO if top <= 0 else enclose(lambda _: top, known.digits).clamped(0, mpq(10) ** 100_000)


def _zero_will_do(known: Known, bound: arb, max_nodes: int) -> bool:
    """Whether delta(0) <= bound, proved."""
    for digits in (6, known.digits, 4 * known.digits):
        value = delta(known.composition, lambda _: arb(0), digits, max_nodes=max_nodes).value
        with precision(known.bits):
            if rational_ball(value.hi) <= bound:
                return True
            if rational_ball(value.lo) > bound:
                return False
    raise UndecidedError("whether delta(0) is at most the bound", known.bits)


class _Place(NamedTuple):
    """About where delta has the value sought: eps, and the slope of log delta there, below 0."""

    eps: float
    slope: float


def _approach(known: Known, left: arb, hint: float, c: float, max_nodes: int) -> _Place | None:
    """An eps with log delta_fin within a tenth of the goal; None where delta(0) is found to be small enough.

    Newton's steps with the slope -c, then secants, kept inside what is known: the saddle, from which hint and slope
    come, is far off where one large loss decides.
    """
    goal, bound = float(left.log()), left + known.infinite
    low, high, slope = 0.0, inf, -c
    last: tuple[float, float] | None = None
    for number in range(_ROUNDS):
        height = _height(known, left, hint, max_nodes)
        if abs(height - goal) < _NEAR:
            return _Place(hint, slope)
        if height > goal:
            low = hint
        else:
            high = hint
        if last is not None and hint != last[0] and isfinite(height) and isfinite(last[1]):
            steeper = (height - last[1]) / (hint - last[0])
            slope = steeper if steeper < 0 else slope
        last = hint, height
        following = hint + (goal - height) / slope if isfinite(height) else -inf
        if not low < following < high:
            following = 2 * hint + 1 / c if isinf(high) else (low + high) / 2 if low else high / _SHRINK
        if number == _FEW_ROUNDS and not low and _zero_will_do(known, bound, max_nodes):
            return None
        hint = following
    raise LimitError("an eps near the one sought", "none found")


def _near_zero(known: Known, left: arb, slope: float, max_nodes: int) -> _Place | None:
    """The place by one step of Newton's from eps = 0; None where delta(0) is small enough.

    Raises:
        LimitError: where delta(0) is too close to the goal to tell how far away it is.
    """
    for factor in (1, 2, 4, 8):
        digits = factor * known.digits
        found = delta(known.composition, lambda _: arb(0), digits, max_nodes=max_nodes).value
        with precision(4 * digits + _HEIGHT_BITS):
            low, high = ((rational_ball(end) - known.infinite) / left for end in (found.lo, found.hi))
            if high <= 1:
                return None
            if low > 1 and (high - 1) < 2 * (low - 1):
                return _Place(float(low.log()) / -slope, slope)
    raise LimitError("a delta further from that at eps = 0", "one too close to it")


def _height(known: Known, left: arb, eps: float, max_nodes: int) -> float:
    """About log delta_fin at an eps, or log of a bound far below the goal; -inf where it is only known to be below.

    Raises:
        LimitError: where it may be on either side of the goal.
    """
    at = rational_ball(mpq(*eps.as_integer_ratio()))
    bound = known.bounds(lambda _: at, saddle(known.cumulants, eps), large_losses=False)[1]
    if bound < left * _FAR_BELOW:
        return float(bound.log())
    for nodes in (min(_FEW_NODES, max_nodes), max_nodes):
        found = delta(known.composition, lambda _: at, 3, max_nodes=nodes).value
        with precision(_HEIGHT_BITS):
            low, high = (rational_ball(end) - known.infinite for end in (found.lo, found.hi))
            if low > 0 and (high - low) * 2 < high:
                return float(((low + high) / 2).log())
            if high < left:
                return -inf
    raise LimitError("an inversion that brackets delta", "none within the limits")


def _bracket(known: Known, left: arb, place: _Place, max_nodes: int) -> Enclosure:
    """The enclosure, on one line around the place."""
    digits, (hint, slope) = known.digits, place
    line = _line(known, float(left.log()), place, max_nodes)
    with precision(line.plan.bits):
        log_goal = left.log()

    def excess(eps: mpq) -> arb:
        value = line.at([lambda _: rational_ball(eps)])[0].value
        with precision(line.plan.bits):
            return value.log() - log_goal if value > 0 else arb(0, 1).union(arb.neg_inf())

    places = digits + 2 - ceil(log(max(hint, 1e-300)) / log(10.0))
    unit = mpq(1, mpz(10) ** places) if places >= 0 else mpq(mpz(10) ** -places)
    at = _rounded(mpq(*hint.as_integer_ratio()), unit)
    before: tuple[mpq, float] | None = None
    for _ in range(_ROUNDS):
        height = _middle(excess(at))
        step = -height / slope
        following = _rounded(at + mpq(*step.as_integer_ratio()), unit)
        if before is not None and at != before[0] and abs(following - at) > unit:
            change = float(rational_ball(at - before[0]))
            steeper = (height - before[1]) / change if change else slope
            slope = steeper if steeper < 0 else slope
            following = _rounded(at + mpq(*(-height / slope).as_integer_ratio()), unit)
        if abs(following - at) <= unit:
            at = following
            break
        before, at = (at, height), following
    width = 2 * unit
    for _ in range(2 * digits):
        low, high = max(at - width, mpq(0)), at + width
        at_low = excess(low)
        if low == 0 and at_low <= 0:
            return _ZERO
        if at_low > 0 and excess(high) <= 0:
            reached = next((n for n in range(digits, 0, -1) if (high - low) * mpz(10) ** n <= high), 0)
            return Enclosure(low, high, None if reached == digits else reached)
        width *= 4
    raise LimitError("a bracket of the least eps", "none within the limits")


def _line(known: Known, goal: float, place: _Place, max_nodes: int) -> Inversion:
    """A line for the eps around a place, of as many digits as the limits allow."""
    hint, steepness = place.eps, max(-place.slope, _LEAST_SLOPE)
    reach, saddle_here = 2 * _NEAR / steepness, saddle(known.cumulants, hint)
    # An error of delta is one of eps divided by the slope of log delta.
    wanted = known.digits + max(0, ceil(-log(max(steepness * hint, 1e-300)) / log(10.0))) + 1
    ends = (hint - reach, hint + reach)
    while True:
        target = goal - wanted * log(10.0) - _SPARE
        setting = Setting(known.composition, known.cumulants, ends, (target + 0.2, target - 0.2), max_nodes)
        try:
            return Inversion(known.composition, plan(setting, saddle_here))
        except LimitError:
            if wanted < 2:
                raise
            wanted = wanted * 3 // 4


def _middle(ball: arb) -> float:
    value = float(ball.mid())
    return value if isfinite(value) else 0.0


def _rounded(x: mpq, unit: mpq) -> mpq:
    scaled = x / unit
    return (scaled.numerator // scaled.denominator) * unit
