"""The least eps of a delta for a composition, in one direction, bracketed by proved signs.

delta falls and is continuous in eps, strictly falling where it is above P(L = inf) (there Q has mass on the outcomes
with L > eps, of which less than e^(-eps) times that of P is subtracted). So an interval [lo, hi] with
delta(lo) > d >= delta(hi), both proved, contains the least eps >= 0 with delta(eps) <= d. Both ends, and the points
on the way, come from one line around the place; Newton's steps and secants on log delta, in floats, propose where to
look.
"""

from __future__ import annotations

from math import ceil, inf, isfinite, log
from typing import Final

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
_ROUNDS: Final = 12
_NEAR: Final = 0.1


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
    if hint < _NEAR / c and _zero_will_do(known, bound, max_nodes):
        return Enclosure(mpq(0), mpq(0))
    hint = _approach(known, left, max(hint, 0.0), c, max_nodes)
    return _bracket(known, left, hint, c, max_nodes)


def _largest(known: Known) -> Enclosure | Infinity:
    """The least eps of delta = 0: the largest loss."""
    top = known.top
    if top is None:
        return INFINITY
    return (
        Enclosure(mpq(0), mpq(0)) if top <= 0 else enclose(lambda _: top, known.digits).clamped(0, mpq(10) ** 100_000)
    )


def _zero_will_do(known: Known, bound: mpq, max_nodes: int) -> bool:
    """Whether delta(0) <= bound, proved."""
    for digits in (6, known.digits, 4 * known.digits):
        value = delta(known.composition, lambda _: arb(0), digits, max_nodes=max_nodes).value
        if value.hi <= bound:
            return True
        if value.lo > bound:
            return False
    raise UndecidedError("whether delta(0) is at most the bound", known.bits)


def _approach(known: Known, left: arb, hint: float, c: float, max_nodes: int) -> float:
    """An eps with log delta_fin within a tenth of the goal, by Newton's steps with the slope -c."""
    goal = float(left.log())
    slope, last = -c, None
    for _ in range(_ROUNDS):
        at = rational_ball(mpq(*hint.as_integer_ratio()))
        found = delta(known.composition, lambda _, at=at: at, 3, max_nodes=max_nodes).value  # type: ignore[misc]
        with precision(64):
            value = rational_ball((found.lo + found.hi) / 2) - known.infinite
            height = float(value.log()) if value > 0 else -inf
        if found.lo <= 0 or not isfinite(height):
            raise LimitError("an inversion that brackets delta", "none within the limits")
        if abs(height - goal) < _NEAR:
            return hint
        if last is not None and hint != last[0]:
            slope = min((height - last[1]) / (hint - last[0]), -1e-6)
        last = (hint, height)
        hint = max(hint + (goal - height) / slope, hint / 4)
        if not isfinite(hint):
            break
    raise LimitError("an eps near the one sought", "none found")


def _bracket(known: Known, left: arb, hint: float, c: float, max_nodes: int) -> Enclosure:
    """The enclosure, on one line around the hint."""
    digits, saddle_here = known.digits, saddle(known.cumulants, hint)
    line = _line(known, float(left.log()), hint, c, max_nodes)
    with precision(line.plan.bits):
        log_goal = left.log()

    def excess(eps: mpq) -> arb:
        value = line.at([lambda _: rational_ball(eps)])[0].value
        with precision(line.plan.bits):
            return value.log() - log_goal if value > 0 else arb(0, 1).union(arb.neg_inf())

    places = digits + 2 - ceil(log(max(hint, 1e-300)) / log(10.0))
    unit = mpq(1, mpz(10) ** places) if places >= 0 else mpq(mpz(10) ** -places)
    at, slope = _rounded(mpq(*hint.as_integer_ratio()), unit), -saddle_here
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
            return Enclosure(mpq(0), mpq(0))
        if at_low > 0 and excess(high) <= 0:
            reached = next((n for n in range(digits, 0, -1) if (high - low) * mpz(10) ** n <= high), 0)
            return Enclosure(low, high, None if reached == digits else reached)
        width *= 4
    raise LimitError("a bracket of the least eps", "none within the limits")


def _line(known: Known, goal: float, hint: float, c: float, max_nodes: int) -> Inversion:
    """A line for the eps around the hint, of as many digits as the limits allow."""
    reach, saddle_here = 2 * _NEAR / max(c, 1e-6), saddle(known.cumulants, hint)
    # An error of delta is one of eps divided by the slope of log delta, about -c.
    wanted = known.digits + max(0, ceil(-log(max(saddle_here * hint, 1e-300)) / log(10.0))) + 1
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
