"""Exact privacy profile of compositions of rational channels: meet in the middle.

The k-fold composition of a channel of n columns has up to C(k+n-1, n-1) ratios. Its hockey stick needs only those of
two halves. Let x range over the atoms of the first half (a multiset of outputs each: mass times the number of its
orders), y over those of the second, with masses (p_x, q_x) and (p_y, q_y). Then

    D_a(P‖Q) = certain + Σ_{x,y} max(0, p_x p_y - a q_x q_y),

where ``certain`` is the P-mass of the tuples to which Q gives none, and the sums run over finite ratios. A pair
counts exactly when r_x r_y > a for the ratios r = p/q. With both halves sorted by r, the y that count with x are a
final stretch that grows with x, so with suffix sums of p_y and q_y all pairs are added up in one pass. The answer
is P(S) - a Q(S), an exact number.

**Comparisons without error.** Atoms carry integer keys, K within k of 2^B log r: sums of integers within 1 of
2^B log r_i, one for each of the k outputs. With E within 1 of 2^B log a, a pair with |K_x + K_y - E| > k + 1 is decided
by that sign. The few other pairs are compared by p_x p_y against a q_x q_y and added one by one. So no order of atoms
with close keys matters, and nothing rests on a tolerance. Atoms of equal ratio are merged where their keys are
neighbours: that only saves work.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate, pairwise
from math import comb, prod
from typing import Final, NamedTuple

from gmpy2 import mpq, mpz

from oracle.accountant.ratio_keys import level_key, log_key, powers
from oracle.channels.canonical import canonical, likelihood_order
from oracle.channels.channel import Channel, require_two_rows
from oracle.channels.composition import compose, composition_size
from oracle.channels.divergences import Direction, hockey_stick, sides
from oracle.channels.operators import size_text
from oracle.channels.profile import Profile
from oracle.errors import InputError, LimitError, shorten
from oracle.exact import to_text
from oracle.formal import FormalSum
from oracle.levels import Level

__all__ = ["MAX_HALF_ATOMS", "ExactComposition", "MeetInTheMiddle", "half_sizes"]

MAX_HALF_ATOMS: Final = 500_000
"""Most atoms of one half (about 350 bytes each)."""

_COLUMN_COST: Final = 10
"""A column of a composed channel of several variables costs about as much as so many atoms of the halves."""

_KEY_BITS: Final = 60
"""Bits of a key where the losses allow it: CPython's integers of two digits."""

_LEAST_PLACES: Final = 40


class _Half(NamedTuple):
    """Atoms sorted by key; masses times the scale of the half."""

    keys: list[int]
    p: list[mpz]
    q: list[mpz]


class _Law(NamedTuple):
    """The columns of finite, nonzero ratio of one part."""

    p: list[mpz]
    q: list[mpz]
    scale: mpz


def _laws(parts: Sequence[tuple[Channel, int]]) -> list[tuple[_Law, int]]:
    """The parts of at least two columns, equal ones counted together."""
    found: dict[tuple[tuple[mpq, ...], ...], tuple[_Law, int]] = {}
    for i, (channel, times) in enumerate(parts):
        require_two_rows(channel, f"of[{i}]")
        if times < 0:
            raise InputError("a number of times at least 0", shorten(to_text(mpq(times))), f"of[{i}]")
        reduced = canonical(channel)
        if not times or reduced.shape[1] == 1:
            continue
        order = likelihood_order(reduced)
        kept = [k for k in range(len(order.p)) if order.p[k] and order.q[k]]
        law = _Law([order.p[k] for k in kept], [order.q[k] for k in kept], order.scale)
        found[reduced.rows] = law, found.get(reduced.rows, (law, 0))[1] + times
    return list(found.values())


def _count(law: _Law, times: int) -> int:
    """The number of multisets of *times* of its columns."""
    return comb(times + len(law.p) - 1, times) if law.p else int(not times)


def _split(laws: Sequence[tuple[_Law, int]]) -> tuple[list[tuple[_Law, int]], list[tuple[_Law, int]]]:
    """Two halves of the steps with about as many atoms each: half of every part, an odd step where there are fewer."""
    first, second = [(law, times // 2) for law, times in laws], [(law, times // 2) for law, times in laws]
    sizes = [prod(_count(law, times) for law, times in first)] * 2
    odd = [i for i, (_, times) in enumerate(laws) if times % 2]
    for i in sorted(odd, key=lambda i: -len(laws[i][0].p)):
        side = 0 if sizes[0] <= sizes[1] else 1
        law, times = (first, second)[side][i]
        (first, second)[side][i] = law, times + 1
        sizes[side] = sizes[side] // max(1, _count(law, times)) * _count(law, times + 1)
    return first, second


def half_sizes(parts: Sequence[tuple[Channel, int]]) -> tuple[int, int]:
    """The numbers of atoms of the two halves, before any work is done."""
    halves = _split(_laws(parts))
    first, second = (prod(_count(law, times) for law, times in half) for half in halves)
    return first, second


class MeetInTheMiddle:
    """The composition of two-row rational channels, each taken a number of times, for exact values of its profile.

    The halves are made once and serve every level and both directions.

    Args:
        parts: (channel, times).

    Raises:
        InputError: for a channel that has not two rows, or a negative number of times.
        LimitError: if a half has more than ``MAX_HALF_ATOMS`` atoms.
    """

    __slots__ = ("_certain", "_halves", "_places", "_scale", "_slack")

    def __init__(self, parts: Sequence[tuple[Channel, int]]) -> None:
        laws = _laws(parts)
        first, second = _split(laws)
        size = max(prod(_count(law, times) for law, times in half) for half in (first, second))
        if size > MAX_HALF_ATOMS:
            raise LimitError(f"halves of at most {MAX_HALF_ATOMS} atoms", f"one of {size_text(size)}")
        self._scale = prod((law.scale**times for law, times in laws), start=mpz(1))
        self._certain = {
            "forward": self._scale - prod((sum(law.p, mpz(0)) ** times for law, times in laws), start=mpz(1)),
            "backward": self._scale - prod((sum(law.q, mpz(0)) ** times for law, times in laws), start=mpz(1)),
        }
        steps = sum(times for _, times in laws)
        self._slack = steps
        self._places = _places(laws, steps)
        one = _half(first, self._places)
        # Equal halves are one object; the second is not made again.
        self._halves = one, one if first == second else _half(second, self._places)

    @property
    def sizes(self) -> tuple[int, int]:
        """The numbers of atoms of the halves after merging."""
        return len(self._halves[0].keys), len(self._halves[1].keys)

    def singular_mass(self, side: Direction) -> mpq:
        """The mass of the first law (P forward, Q backward) where the second has none."""
        return mpq(self._certain[side], self._scale)

    def hockey_stick(self, level: Level, direction: Direction = "forward") -> FormalSum:
        """D_a of the composition at a = *level*: exact; P(S) - a Q(S), rational for a rational a."""
        found = [self._one_sided(level, side) for side in sides(direction)]
        return found[0] if len(found) == 1 or (found[0] - found[1]).sign() >= 0 else found[1]

    def _one_sided(self, level: Level, side: Direction) -> FormalSum:
        if level.value == 0:
            return FormalSum.rational(1)
        p, q = self.masses(level, side)
        return FormalSum.rational(p) if not q else FormalSum.rational(p) - level.formal().scaled(q)

    def masses(self, level: Level, side: Direction) -> tuple[mpq, mpq]:
        """(P(S), Q(S)) of the outcomes S with p > a q, for a level above 0; so D_a = P(S) - a Q(S)."""
        certain = self._certain[side]
        if level.is_infinite:
            return mpq(certain, self._scale), mpq(0)
        oriented = self._halves if side == "forward" else tuple(map(_reversed, self._halves))
        if side == "backward" and self._halves[0] is self._halves[1]:
            oriented = oriented[0], oriented[0]
        p, q = _pairs(oriented[0], oriented[1], level, self._places, self._slack)
        return mpq(certain + p, self._scale), mpq(q, self._scale)


def _places(laws: Sequence[tuple[_Law, int]], steps: int) -> int:
    """B, so that keys have about ``_KEY_BITS`` bits where that leaves at least ``_LEAST_PLACES``."""
    largest = max(
        (abs(a.bit_length() - b.bit_length()) + 1 for law, _ in laws for a, b in zip(law.p, law.q, strict=True)),
        default=1,
    )
    return max(_LEAST_PLACES, _KEY_BITS - (largest * max(steps, 1)).bit_length())


def _half(parts: Sequence[tuple[_Law, int]], places: int) -> _Half:
    """Every tuple of multisets of the parts, sorted by key, neighbours of equal ratio merged."""
    keys, p, q = [0], [mpz(1)], [mpz(1)]
    steps = 0
    for law, times in parts:
        if not times:
            continue
        more_keys, more_p, more_q = _multisets(law, times, places)
        first, steps = not steps, steps + times
        if first:
            keys, p, q = more_keys, more_p, more_q
            continue
        keys = [a + b for a in keys for b in more_keys]
        p = [a * b for a in p for b in more_p]
        q = [a * b for a in q for b in more_q]
    order = sorted(range(len(keys)), key=keys.__getitem__)
    return _merged(
        _Half(list(map(keys.__getitem__, order)), list(map(p.__getitem__, order)), list(map(q.__getitem__, order))),
        2 * steps,
    )


def _multisets(law: _Law, times: int, places: int) -> tuple[list[int], list[mpz], list[mpz]]:
    """Keys and masses of all multisets of *times* columns, each with the number of its orders.

    Columns are chosen one after another: of r steps that are left, c take this column in C(r, c) ways. The last two
    columns are one row of a table for each r.
    """
    if not law.p:
        return [], [], []
    logs = [log_key(mpq(a, b), places) for a, b in zip(law.p, law.q, strict=True)]
    open_ = {times: ([0], [mpz(1)], [mpz(1)])}
    for i in range(len(logs) - 2):
        p_powers, q_powers = powers(law.p[i], times), powers(law.q[i], times)
        after: dict[int, tuple[list[int], list[mpz], list[mpz]]] = {r: ([], [], []) for r in range(times + 1)}
        for r, (keys, p, q) in open_.items():
            for c in range(r + 1):
                ways, shift = comb(r, c), c * logs[i]
                a, b = ways * p_powers[c], ways * q_powers[c]
                into = after[r - c]
                into[0].extend([key + shift for key in keys])
                into[1].extend([mass * a for mass in p])
                into[2].extend([mass * b for mass in q])
        open_ = after
    keys, p, q = [], [], []
    for r, (some_keys, some_p, some_q) in open_.items():
        row_keys, row_p, row_q = _last_row(law, logs, r)
        keys += [a + b for a in some_keys for b in row_keys]
        p += [a * b for a in some_p for b in row_p]
        q += [a * b for a in some_q for b in row_q]
    return keys, p, q


def _last_row(law: _Law, logs: Sequence[int], r: int) -> tuple[list[int], list[mpz], list[mpz]]:
    """The multisets of r of the last two columns (of the only one)."""
    if len(logs) == 1:
        return [r * logs[0]], [law.p[0] ** r], [law.q[0] ** r]
    (p0, p1), (q0, q1), (l0, l1) = law.p[-2:], law.q[-2:], logs[-2:]
    ways = [comb(r, c) for c in range(r + 1)]
    return (
        [c * l0 + (r - c) * l1 for c in range(r + 1)],
        [w * a * b for w, a, b in zip(ways, powers(p0, r), reversed(powers(p1, r)), strict=True)],
        [w * a * b for w, a, b in zip(ways, powers(q0, r), reversed(powers(q1, r)), strict=True)],
    )


def _merged(half: _Half, slack: int) -> _Half:
    """The atoms with neighbours of equal ratio merged; keys further apart than *slack* have different ratios."""
    keys, p, q = half
    if all(b - a > slack for a, b in pairwise(keys)):
        return half
    into = _Half([], [], [])
    for key, a, b in zip(keys, p, q, strict=True):
        if into.keys and key - into.keys[-1] <= slack and into.p[-1] * b == a * into.q[-1]:
            into.p[-1] += a
            into.q[-1] += b
        else:
            into.keys.append(key)
            into.p.append(a)
            into.q.append(b)
    return into


def _reversed(half: _Half) -> _Half:
    """The atoms for (Q, P): ratios inverted, so keys negated and the order turned round."""
    return _Half([-key for key in reversed(half.keys)], half.q[::-1], half.p[::-1])


def _pairs(xs: _Half, ys: _Half, level: Level, places: int, steps: int) -> tuple[mpz, mpz]:
    """(Σ p_x p_y, Σ q_x q_y) over the pairs with p_x p_y > a q_x q_y; see the module's text."""
    target, slack = level_key(level, places), steps + 1
    p_after = list(accumulate(reversed(ys.p), initial=mpz(0)))[::-1]
    q_after = list(accumulate(reversed(ys.q), initial=mpz(0)))[::-1]
    keys, counts = ys.keys, _exceeds(level)
    # keys[sure:] are proved to count with x, keys[:maybe] not to.
    sure = maybe = len(keys)
    total_p, total_q = mpz(0), mpz(0)
    for key, p, q in zip(xs.keys, xs.p, xs.q, strict=True):
        above, least = target + slack - key, target - slack - key
        while sure and keys[sure - 1] > above:
            sure -= 1
        while maybe and keys[maybe - 1] >= least:
            maybe -= 1
        sum_p, sum_q = p_after[sure], q_after[sure]
        for k in range(maybe, sure):
            if counts(p * ys.p[k], q * ys.q[k]):
                sum_p += ys.p[k]
                sum_q += ys.q[k]
        if sum_p:
            total_p += p * sum_p
            total_q += q * sum_q
    return total_p, total_q


def _exceeds(level: Level) -> Callable[[mpz, mpz], bool]:
    """Whether p > a q, exactly, as a function of p and q > 0."""
    if isinstance(level.value, mpq):
        up, down = level.value.numerator, level.value.denominator
        return lambda p, q: p * down > q * up
    return lambda p, q: level.compare(mpq(p, q)) < 0


class ExactComposition:
    """The exact profile of a composition of rational channels by the method that suits its size.

    The composed channel is made where it has few columns (:mod:`oracle.channels.composition`: a polynomial power, a
    lattice), else its halves are.

    Attributes:
        method: ``"polynomial power"`` or ``"meet in the middle"``.
    """

    __slots__ = ("_channel", "_halves", "method")

    method: str

    def __init__(self, parts: Sequence[tuple[Channel, int]]) -> None:
        size = composition_size(parts)
        halves = max(half_sizes(parts))
        self._channel = self._halves = None
        cost = size.columns if size.variables <= 1 else size.columns * _COLUMN_COST
        if cost <= halves * 2 or halves > MAX_HALF_ATOMS:
            self._channel = compose(parts)
            self.method = "polynomial power"
        else:
            self._halves = MeetInTheMiddle(parts)
            self.method = "meet in the middle"

    def hockey_stick(self, level: Level, direction: Direction = "forward") -> FormalSum:
        """D_a at a = *level*: exact."""
        if self._halves is not None:
            return self._halves.hockey_stick(level, direction)
        channel = self._channel
        if channel is None:
            raise InputError("a composition that was made", "none")
        return _of_channel(channel, level, direction)

    def masses(self, level: Level, side: Direction) -> tuple[mpq, mpq]:
        """(P(S), Q(S)) of the outcomes S with p > a q, in one direction, for a level above 0."""
        if self._halves is not None:
            return self._halves.masses(level, side)
        if self._channel is None:
            raise InputError("a composition that was made", "none")
        profile = Profile(self._channel, side)
        return profile.masses(profile.support(level))


def _of_channel(channel: Channel, level: Level, direction: Direction) -> FormalSum:
    """D_a of a channel, a rational number or P(S) - e^s Q(S)."""
    if level.exponent is None and level.value is not None:
        return FormalSum.rational(hockey_stick(channel, level.value, direction))
    found = []
    for side in sides(direction):
        profile = Profile(channel, side)
        p, q = profile.masses(profile.support(level))
        found.append(FormalSum.rational(p) - level.formal().scaled(q))
    return found[0] if len(found) == 1 or (found[0] - found[1]).sign() >= 0 else found[1]
