"""The privacy profile of a two-row channel: delta at a level, the least level at a delta, refuting events.

One direction at a time: D_a of (P, Q) forward, of (Q, P) backward. Levels are rational or e^s with s
rational; every comparison is exact in both cases, since e^s never equals a rational for s other than 0.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gmpy2 import mpq, mpz

from oracle.channels.canonical import likelihood_order
from oracle.channels.channel import Channel, require_two_rows
from oracle.channels.divergences import Direction, sides
from oracle.enclosures import DEFAULT_DIGITS, Enclosure, arb_from_rational, enclose, exp_ball, precision
from oracle.errors import InputError, LimitError
from oracle.exact import INFINITY, Extended, Infinity

if TYPE_CHECKING:
    from flint import arb

    from oracle.levels import Level

__all__ = ["Exceedance", "Profile", "delta_at", "exceedance", "least_level", "profiles"]


@dataclass(frozen=True, slots=True)
class Exceedance:
    """An event that refutes (epsilon, delta): P(S) - U·Q(S) > delta for a rational U >= e^epsilon.

    ``p`` and ``q`` are the masses that row 0 and row 1 of the channel give the event; in the backward
    direction the roles of the rows are exchanged. ``bound`` is U, INFINITY for epsilon = inf.
    """

    direction: Direction
    event: tuple[int, ...]
    p: mpq
    q: mpq
    bound: Extended


class Profile:
    """The one-sided privacy profile a -> D_a of a channel, sorted once for many questions.

    The groups of equal likelihood ratio are in order of decreasing loss ratio p/q, q = 0 first; ``p[k]`` and ``q[k]``
    are the masses of group k, times ``scale``. The hockey stick at a is reached on a prefix:
    D_a = P(S) - a·Q(S) with S = {p > a q}.
    """

    def __init__(self, channel: Channel, direction: Direction) -> None:
        require_two_rows(channel)
        if direction == "both":
            raise InputError("one direction, forward or backward", "both", "direction")
        self.channel = channel
        self.direction: Direction = direction
        self.scale = channel.scale
        order = likelihood_order(channel)
        self.p, self.q = (order.p, order.q) if direction == "forward" else (order.q[::-1], order.p[::-1])
        self.certain = 0 if self.q[0] else 1

    def masses(self, count: int) -> tuple[mpq, mpq]:
        """Masses (first law, second law) of the first *count* groups."""
        return mpq(sum(self.p[:count], mpz(0)), self.scale), mpq(sum(self.q[:count], mpz(0)), self.scale)

    @property
    def infinite_loss_mass(self) -> mpq:
        """Mass of the first law on outcomes that the second never gives: the profile's limit."""
        return self.masses(self.certain)[0]

    def support(self, level: Level) -> int:
        """How many groups have p > a q; the loss ratios fall, so they are a prefix."""
        value = level.value
        if isinstance(value, Infinity):
            return self.certain
        if value is None:
            return self._first(lambda k: level.compare(mpq(self.p[k], self.q[k])) >= 0)
        up, down = value.numerator, value.denominator
        return self._first(lambda k: self.p[k] * down <= self.q[k] * up)

    def _first(self, fails: Callable[[int], bool]) -> int:
        """The first group of finite loss ratio at which a condition that stays true becomes true."""
        return bisect_left(range(len(self.p)), True, lo=self.certain, key=fails)

    def delta(self, level: Level, digits: int = DEFAULT_DIGITS) -> mpq | Enclosure:
        """D_a: exact for a rational level and where the event has no mass under the second law."""
        p, q = self.masses(self.support(level))
        if not q or level.is_infinite:
            return p
        if level.exponent is None:
            return p - level.value * q  # type: ignore[operator]
        exponent = level.exponent

        def ball(bits: int) -> arb:
            with precision(bits):
                return arb_from_rational(p, bits) - exp_ball(exponent, bits) * arb_from_rational(q, bits)

        return enclose(ball, digits)

    def exceeds(self, level: Level, delta: mpq) -> bool:
        """Whether D_a > delta, exactly."""
        p, q = self.masses(self.support(level))
        if not q or level.is_infinite:
            return p > delta
        # D_a > delta if and only if a < (p - delta) / q.
        return level.compare((p - delta) / q) < 0

    def least_level(self, delta: mpq) -> Extended:
        """The least level a >= 1 with D_a <= delta, or INFINITY if there is none.

        D_a falls as a grows; between neighbouring loss ratios it is the line P(S) - a·Q(S) of one prefix S. At the
        ratio of group k it is taken on the first k groups. The first group whose ratio gives more than delta
        names the line on which delta is met; past the last group that line is 1 - a, met below 1.
        """
        if self.infinite_loss_mass > delta:
            return INFINITY
        over, under = delta.numerator * self.scale, delta.denominator
        # Bisection that carries the masses of the first *low* groups along, so that each mass is added about twice.
        low, high = self.certain, len(self.p)
        p_low, q_low = sum(self.p[:low], mpz(0)), sum(self.q[:low], mpz(0))
        while low < high:
            middle = (low + high) // 2
            p, q = sum(self.p[low:middle], p_low), sum(self.q[low:middle], q_low)
            if (p * under - over) * self.q[middle] > self.p[middle] * q * under:
                high = middle
            else:
                low, p_low, q_low = middle + 1, p + self.p[middle], q + self.q[middle]
        return max(mpq(p_low * under - over, q_low * under), mpq(1)) if q_low else mpq(1)

    def refuting_event(self, level: Level, delta: mpq) -> Exceedance:
        """An event of the fewest outcomes that proves D_a > delta (which must be so).

        For U >= e^epsilon the outcomes of largest gain p - U q come first; as few of them are taken as
        exceed delta. A transcendental level is replaced by a rational one (:meth:`_rational_above`).
        """
        bound = level.value if level.value is not None else self._rational_above(level, delta)
        event = self._fewest(bound, delta)
        if event is None:
            raise ArithmeticError("two ways to one answer disagree: no event exceeds a delta that is exceeded")
        p, q = (mpq(sum((row[i] for i in event), mpq(0))) for row in self.channel.rows)
        return Exceedance(self.direction, tuple(event), p, q, bound)

    def _rational_above(self, level: Level, delta: mpq) -> Extended:
        """A rational U > e^epsilon that still refutes, as short as there is one far enough from e^epsilon.

        With S = {p > a q} every U < top = (P(S) - delta)/Q(S) refutes, and e^epsilon < top. U is the fraction of least
        denominator between the middle of (an upper bound of e^epsilon, top) and top, so that it is told from e^epsilon
        at about the precision that tells top. INFINITY where Q(S) = 0 and e^epsilon is out of the range of brackets,
        since then S refutes at every level.
        """
        p, q = self.masses(self.support(level))
        bits = 64
        while True:
            try:
                above = level.bracket(bits)[1]
            except LimitError:
                if q:
                    raise
                return INFINITY
            if not q:
                return above if p - above * q > delta else INFINITY
            top = (p - delta) / q
            if above < top:
                return simplest_between((above + top) / 2, top)
            bits *= 2

    def _fewest(self, bound: Extended, delta: mpq) -> list[int] | None:
        p, q = self.channel.numerators if self.direction == "forward" else self.channel.numerators[::-1]
        if isinstance(bound, Infinity):
            gains = {i: a for i, (a, b) in enumerate(zip(p, q, strict=True)) if a and not b}
            missing = delta * self.scale
        else:
            up, down = bound.numerator, bound.denominator
            gains = {i: gain for i, (a, b) in enumerate(zip(p, q, strict=True)) if (gain := a * down - b * up) > 0}
            missing = delta * self.scale * down
        event = []
        for i in sorted(gains, key=lambda i: (-gains[i], i)):
            event.append(i)
            missing -= gains[i]
            if missing < 0:
                return sorted(event)
        return None


def simplest_between(low: mpq, high: mpq) -> mpq:
    """The fraction of least denominator in [low, high), for 0 <= low < high, by continued fractions.

    An integer in the interval is simplest. Otherwise both ends have the same whole part w, and w + 1/x is simplest for
    the simplest x in the interval of the reciprocals of what is left, (1/(high - w), 1/(low - w)].
    """
    # The ends change places at every step, and one of them is closed: low at first, then high, and so on.
    wholes: list[mpz] = []
    low_closed = True
    while True:
        whole = low.numerator // low.denominator
        candidate = whole if low_closed and whole == low else whole + 1
        if candidate < high or (not low_closed and candidate == high):
            break
        wholes.append(whole)
        if low == whole:
            # low is open here and high closed, so any x from 1/(high - whole) on will do.
            least = 1 / (high - whole)
            candidate = -(-least.numerator // least.denominator)
            break
        low, high = 1 / (high - whole), 1 / (low - whole)
        low_closed = not low_closed
    value = mpq(candidate)
    for whole in reversed(wholes):
        value = whole + 1 / value
    return value


def profiles(channel: Channel, direction: Direction) -> list[Profile]:
    """The one-sided profiles that *direction* means."""
    return [Profile(channel, side) for side in sides(direction)]


def delta_at(
    channel: Channel, level: Level, direction: Direction = "both", digits: int = DEFAULT_DIGITS
) -> mpq | Enclosure:
    """delta(epsilon) = D_a at a = e^epsilon in the given direction; ``both`` is the larger of the two.

    The larger is decided exactly: two different rational values p - a q and p' - a q' compare by the level
    against the rational where their lines cross.
    """
    best, *others = profiles(channel, direction)
    for other in others:
        if _larger(other, best, level):
            best = other
    return best.delta(level, digits)


def _larger(first: Profile, second: Profile, level: Level) -> bool:
    """Whether the first profile is strictly larger at the level."""
    p, q = first.masses(first.support(level))
    r, s = second.masses(second.support(level))
    if level.is_infinite or q == s:
        return p > r
    # p - a q > r - a s  iff  a (s - q) > r - p.
    crossing = (r - p) / (s - q)
    return level.compare(crossing) > 0 if s > q else level.compare(crossing) < 0


def least_level(channel: Channel, delta: mpq, direction: Direction = "both") -> Extended:
    """The least level a >= 1 at which the channel is (log a, delta)-DP in the direction, or INFINITY."""
    return max(profile.least_level(delta) for profile in profiles(channel, direction))


def exceedance(channel: Channel, level: Level, delta: mpq, direction: Direction = "both") -> Exceedance | None:
    """None if the channel is (epsilon, delta)-DP in the direction, else an event that refutes it."""
    for profile in profiles(channel, direction):
        if profile.exceeds(level, delta):
            return profile.refuting_event(level, delta)
    return None
