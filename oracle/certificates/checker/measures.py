"""What a report says of a pair beside its verdicts, computed again from the channel in its certificates.

D_a forward is sum max(0, p - a q), backward sum max(0, q - a p).  Of a rational pair everything is exact, save what a
level e^s or a logarithm makes transcendental: that is held against rational brackets.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from fractions import Fraction

from .claims import ONE_DIRECTION, PrivacyClaim
from .curves import Curve, Law, curve_value
from .matrices import Channel
from .normal import normal
from .reading import fields, integer, number
from .series import Bracket, Dyadic, exp, exp_sign, log, precisions, rational, undecided
from .verdict import Rejected

Ends = tuple[Fraction, Fraction]
Bracketed = Callable[[int], Ends]

_DECIMAL = re.compile(r"(-?)([0-9]+)(?:\.([0-9]+))?(?:e(-?[0-9]{1,6}))?")
_RATIO = re.compile(r"(-?[0-9]+)/([0-9]+)")
_GUARD = 80
_MOST_BITS = 1 << 25
_FAR = 100


def _end(value: object, where: str) -> Fraction:
    """Read an end of an enclosure: a decimal, or a ratio."""
    if isinstance(value, str):
        if (match := _DECIMAL.fullmatch(value)) is not None:
            sign, whole, part, power = match.groups(default="")
            digits = Fraction(integer(whole + part), 10 ** len(part)) * Fraction(10) ** int(power or "0")
            return -digits if sign else digits
        if (match := _RATIO.fullmatch(value)) is not None and (below := integer(match[2])):
            return Fraction(integer(match[1]), below)
    raise Rejected("expected a decimal or a ratio", where)


def measured(value: object, where: str) -> Ends:
    """Read a finite value as lo <= value <= hi: a canonical number, or an object of the two ends."""
    if not isinstance(value, dict):
        exact = number(value, where)
        return exact, exact
    enclosure = fields(value, ("lo", "hi", "reached") if "reached" in value else ("lo", "hi"), where)
    reached = enclosure.get("reached", 0)
    if type(reached) is not int or reached < 0:
        raise Rejected("expected a number of digits", f"{where}.reached")
    low, high = _end(enclosure["lo"], f"{where}.lo"), _end(enclosure["hi"], f"{where}.hi")
    if low > high:
        raise Rejected("expected lo <= hi", where)
    return low, high


def require_value(stated: object, found: Bracketed | Fraction, where: str, digits: int = 0) -> None:
    """Reject unless the stated value is the one found: equal where that is exact, else an enclosure of it.

    An enclosure has the given digits, or those it says it reached: hi - lo is at most 10^-digits of the larger end.
    """
    low, high = measured(stated, where)
    if isinstance(found, Fraction):
        if not low == high == found:
            raise Rejected("is not what follows from the channel", where)
        return
    if isinstance(stated, dict):
        digits = int(str(stated.get("reached", digits)))
    if (high - low) * 10**digits > max(abs(low), abs(high)):
        raise Rejected(f"is wider than {digits} digits", where)
    steps = precisions((low, high))
    for bits in steps:
        least, most = found(bits)
        if low <= least and most <= high:
            return
        if high < least or most < low:
            raise Rejected("is not what follows from the channel", where)
    raise Rejected(undecided(steps[-1]), where)


def _fraction(value: Dyadic) -> Fraction:
    mantissa, exponent = value
    return Fraction(mantissa << exponent) if exponent >= 0 else Fraction(mantissa, 1 << -exponent)


def bounds_of(bracket: Bracket) -> Ends:
    """Return a bracket as two rationals."""
    return _fraction(bracket.lo), _fraction(bracket.hi)


def logarithm(level: Fraction) -> Bracketed | Fraction:
    """Return ln(level), level >= 1: 0 at 1, and irrational elsewhere."""
    return Fraction(0) if level == 1 else lambda bits: bounds_of(log(level, bits))


def is_too_large(channel: Channel) -> bool:
    """Whether the columns over their common denominator take more room than the values beside a verdict are worth."""
    unit = 1
    for below in {cell.denominator for row in channel.rows for cell in row}:
        unit = math.lcm(unit, below)
        if unit.bit_length() * channel.columns * 2 > _MOST_BITS:
            return True
    return False


class PairValues:
    """The hockey sticks and trade-off curves of a rational pair, both ways."""

    def __init__(self, channel: Channel, where: str) -> None:
        swapped = Channel(channel.rows[::-1], channel.masses[::-1], channel.digest)
        # A Law measures row 1 against row 0, which is backward for the channel itself.
        self._laws = {"backward": Law(channel, where), "forward": Law(swapped, where)}
        self.curves: dict[str, Curve] = {
            "forward": self._laws["backward"].corners(),
            "backward": self._laws["forward"].corners(),
        }
        self.total_variation = self._laws["forward"].hockey_stick(Fraction(1))

    def hockey_stick(self, side: str, claim: PrivacyClaim, where: str) -> Bracketed | Fraction:
        """Return D_a at the claim's a = e^epsilon; exact unless a is transcendental and an event needs it."""
        law = self._laws[side]
        if not claim.epsilon:
            level = Fraction(1) if claim.epsilon is not None else claim.exp_epsilon
            return law.event(None)[1] if level is None else law.hockey_stick(level)
        exponent = claim.epsilon
        low, high = 0, len(law.ratios)
        while low < high:
            middle = (low + high) // 2
            if exp_sign(exponent, law.ratios[middle], where) < 0:
                high = middle
            else:
                low = middle + 1
        small, large = law.event(law.ratios[low] if low < len(law.ratios) else None)
        if small == 0:
            return large

        def bracket(bits: int) -> Ends:
            # e^s is below a ratio of the channel here, hence no larger than it.
            below, above = bounds_of(exp(rational(exponent, bits + _GUARD), bits))
            return large - above * small, large - below * small

        return bracket

    def delta(self, sides: tuple[str, ...], claim: PrivacyClaim, where: str) -> Bracketed | Fraction:
        """Return the largest D_a of the sides."""
        found = [self.hockey_stick(side, claim, where) for side in sides]
        exact = [value for value in found if isinstance(value, Fraction)]
        if len(exact) == len(found):
            return max(exact)

        def bracket(bits: int) -> Ends:
            ends = [(value, value) if isinstance(value, Fraction) else value(bits) for value in found]
            return max(low for low, _ in ends), max(high for _, high in ends)

        return bracket

    def least_level(self, sides: tuple[str, ...], delta: Fraction) -> Fraction | None:
        """Return the least a >= 1 with D_a <= delta on every side, None if no finite a serves.

        D_a does not increase in a and is linear between neighbouring ratios: up to the ratio r_k it is
        Q(S) - a P(S) with S = {q >= r_k p}, and beyond the last ratio it is the mass where p = 0.
        """
        best = Fraction(1)
        for side in sides:
            law = self._laws[side]
            if law.event(None)[1] > delta:
                return None
            low, high = 0, len(law.ratios)
            while low < high:
                middle = (low + high) // 2
                if law.hockey_stick(law.ratios[middle]) <= delta:
                    high = middle
                else:
                    low = middle + 1
            if low < len(law.ratios):
                small, large = law.event(law.ratios[low])
                best = max(best, (large - delta) / small)
        return best

    def least_gap(self, sides: tuple[str, ...], claimed: Curve) -> tuple[Fraction, Fraction, str]:
        """Return the least T - f with its alpha and direction.

        It is taken at the corners of T, then of f, where T and f are not both 0 or both 1, as they then must be.
        """
        found = []
        for side in sides:
            own = self.curves[side]
            least = (Fraction(0), Fraction(0))
            for alphas in ([alpha for alpha, _ in own], [alpha for alpha, _ in claimed]):
                pairs = [(curve_value(own, alpha), curve_value(claimed, alpha), alpha) for alpha in alphas]
                gaps = [(beta - f, alpha) for beta, f, alpha in pairs if not (beta == f and beta in (0, 1))]
                if gaps:
                    least = min(gaps)
                    break
            found.append((*least, side))
        return min(found, key=lambda item: item[0])


def sides_of(direction: str) -> tuple[str, ...]:
    """Return the single directions that a direction means."""
    return ONE_DIRECTION if direction == "both" else (direction,)


def require_corners(stated: object, found: Curve, where: str) -> None:
    """Reject unless the stated corners are exactly those of the curve."""
    if not isinstance(stated, list) or len(stated) != len(found):
        raise Rejected("are not the corners of the channel", where)
    for k, (corner, point) in enumerate(zip(stated, found, strict=True)):
        if not isinstance(corner, list) or len(corner) != 2:
            raise Rejected("expected [alpha, beta]", f"{where}[{k}]")
        for i, (value, exact) in enumerate(zip(corner, point, strict=True)):
            require_value(value, exact, f"{where}[{k}][{i}]")


def require_normal(stated: object, point: Fraction, digits: int, where: str) -> None:
    """Reject unless the stated value is that of Phi; far out in a tail it is read as a probability only."""
    if abs(point) > _FAR:
        low, high = measured(stated, where)
        if low < 0 or high > 1:
            raise Rejected("expected a probability", where)
        return
    require_value(stated, Fraction(1, 2) if point == 0 else lambda bits: normal(point, bits), where, digits)
