"""Zero-concentrated differential privacy: D_a(P‖Q) <= rho·a at every order a > 1, proved over all orders.

psi(a) = log Σ p^a q^(1-a) = (a - 1)·D_a is convex with psi(1) = 0, and rho-zCDP is psi(a) <= rho·a·(a - 1) for all
a > 1. The half-line is cut into cells by orders 1 = a_0 < a_1 < ... < a_n with upper bounds U_i >= psi(a_i), U_0 = 0:

- inside a cell psi lies below the chord of the bounds at its ends, so that chord(a) <= rho·a·(a - 1) on the cell is
  enough; the difference is a quadratic with its minimum at (rho + slope)/(2 rho), where it is evaluated exactly;
- beyond a_n, D_a <= D_∞ <= rho·a_n <= rho·a.

A single order with D_a > rho·a refutes, order 1 (Kullback-Leibler) included: D_a is continuous and does not decrease,
so D_1 > rho leaves D_a > rho·a at orders just above 1. Where the largest D_a/a is rho itself neither ends; that border
is undecided.

References: M. Bun and T. Steinke, *Concentrated differential privacy*, TCC 2016, definition 1.1; T. van Erven and
P. Harremoës, IEEE Transactions on Information Theory 60(7), 2014, theorem 3 and corollary 2 (monotony, convexity).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from flint import arb
from gmpy2 import mpq, mpz

from oracle.channels.channel import Channel
from oracle.channels.divergences import Direction
from oracle.channels.formal_channel import FormalChannel
from oracle.channels.renyi import LossLaw, renyi
from oracle.enclosures import (
    COMPARISON_BITS,
    Ball,
    Enclosure,
    compare,
    enclose,
    precision,
    rational_ball,
    rational_bounds,
)
from oracle.errors import InputError, UndecidedError
from oracle.exact import INFINITY, Extended, Infinity
from oracle.experiments.base import Experiment
from oracle.gaussian_dp.arguments import (
    ExtendedLike,
    NumberLike,
    PairLike,
    directions_of,
    nonnegative,
    number_from,
    pair_of,
)

__all__ = ["Cell", "Finding", "check_rho", "judge_rho", "least_rho", "side_of"]

Pair = Channel | FormalChannel | Experiment
Value = mpq | Enclosure

MOST_CELLS: Final = 4096
"""Most cells of one side; beyond them the border is undecided."""

MOST_TERMS: Final = 200_000
"""Most cells times columns of one side, likewise."""

BITS: Final = 96
"""Working precision of the bounds of psi."""

_BOUND_BITS: Final = 40
_ORDER_BITS: Final = 12
_LOSS_DIGITS: Final = 15
_SHARE: Final = mpq(1, 1000)
_SEARCH_REACH: Final = 24
_SEARCH_STEPS: Final = 20


@dataclass(frozen=True, slots=True)
class Cell:
    """The upper end of a cell, an order above 1, and a rational upper bound of psi there."""

    order: mpq
    bound: mpq


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found of one direction.

    Attributes:
        side: forward for D_a(P‖Q), backward for D_a(Q‖P).
        holds: True, False, or None where neither was proved.
        order: the refuting order, or the order tried at which D_a/a came closest to rho or above it; at least 1.
        ratio: D_a/a there, ``INFINITY`` where it is infinite.
        cells: where it holds, the cells whose last order a_n has D_∞ <= rho·a_n.
        bits: the working precision, 0 where the least rho is known exactly.
    """

    side: Direction
    holds: bool | None
    order: mpq
    ratio: Extended | Enclosure
    cells: tuple[Cell, ...] = ()
    bits: int = BITS


@dataclass(frozen=True, slots=True)
class Side:
    """One direction of a pair: balls of psi at an order above 1 and of D_1, and a rational bound of D_∞."""

    side: Direction
    law: LossLaw | Experiment
    largest: Extended

    @property
    def most_cells(self) -> int:
        """The number of cells at which it is given up."""
        columns = self.law.columns if isinstance(self.law, LossLaw) else 1
        return min(MOST_CELLS, MOST_TERMS // max(1, columns))

    def log_moment(self, order: mpq) -> Ball:
        """The ball of psi(order)."""
        if isinstance(self.law, LossLaw):
            return self.law.log_moment(order)
        return self.law.log_moment_ball(order, self.side)

    def ratio(self, order: mpq, digits: int = _LOSS_DIGITS) -> Enclosure:
        """D_a/a at an order of at least 1, D_1 at 1."""
        return enclose(self.ratio_ball(order), digits)

    def ratio_ball(self, order: mpq) -> Ball:
        """The ball of D_a/a at an order of at least 1."""
        if order == 1:
            return self._first()
        logarithm = self.log_moment(order)

        def ball(bits: int) -> arb:
            with precision(bits):
                return logarithm(bits) / rational_ball(order * (order - 1))

        return ball

    def _first(self) -> Ball:
        if isinstance(self.law, LossLaw):
            return self.law.divergence(mpq(1))
        law = self.law

        def ball(bits: int) -> arb:
            found = law.renyi(mpq(1), self.side, max(1, bits * 3 // 10)).divergence
            with precision(bits):
                return _as_ball(found)

        return ball


def _as_ball(value: object) -> arb:
    if isinstance(value, Enclosure):
        return rational_ball(value.lo).union(rational_ball(value.hi))
    if isinstance(value, mpq):
        return rational_ball(value)
    return arb.nan()


def check_rho(rho: ExtendedLike, where: str = "rho") -> Extended:
    """The number rho, at least 0 and possibly infinite."""
    return number_from(rho, 0, where)


def side_of(pair: Pair, side: Direction) -> Side | None:
    """One direction of a pair; None where P = Q.

    Raises:
        Declined: for an experiment that does not offer the moments of every order.
    """
    if isinstance(pair, Experiment):
        pair.log_moment_ball(mpq(2), side)
        level = pair.largest_loss(side)
        return Side(side, pair, _upper(level if isinstance(level, Enclosure) else level.epsilon(_LOSS_DIGITS)))
    law = LossLaw(pair, side)
    if law.trivial:
        return None
    return Side(side, law, INFINITY if law.infinite else _upper(renyi(pair, INFINITY, side, _LOSS_DIGITS).divergence))


def _upper(value: Extended | Enclosure | None) -> Extended:
    if value is None:
        raise UndecidedError("the largest loss", 0)
    return value.hi if isinstance(value, Enclosure) else value


def judge_rho(pair: PairLike, rho: NumberLike, direction: Direction = "both") -> list[Finding]:
    """Whether a pair is rho-zCDP, in each direction that is meant: proved, refuted at one order, or undecided.

    Raises:
        InputError: for a rho below 0.
        Declined: where the Rényi divergences of every order are not offered.
    """
    laws, claimed, meant = pair_of(pair), nonnegative(rho, "rho"), directions_of(direction)
    if isinstance(laws, Experiment):
        exact = laws.least_rho()
        if exact is not None:
            return [Finding(side, bool(exact <= claimed), mpq(2), exact, bits=0) for side in meant]
        if laws.symmetric:
            meant = meant[:1]
    return [_judge(side_of(laws, side), claimed, side) for side in meant]


def _judge(law: Side | None, rho: mpq, side: Direction) -> Finding:
    if law is None:
        return Finding(side, True, mpq(1), mpq(0), bits=0)
    if isinstance(law.largest, Infinity):
        # D_1 is infinite for a finite table; an experiment with unbounded loss has a least rho of its own or none.
        return Finding(side, False, mpq(1), INFINITY)
    first = compare(law.ratio_ball(mpq(1)), rho)
    if first.sign is None or first.sign > 0:
        holds = None if first.sign is None else False
        return Finding(side, holds, mpq(1), law.ratio(mpq(1)), bits=first.bits)
    # From here on rho > 0: it exceeds D_1 > 0.
    return _cells(law, rho)


def _cells(law: Side, rho: mpq) -> Finding:
    """Bisect [1, D_∞/rho] until every cell is proved, an order refutes, or there are too many cells."""
    side, most = law.side, law.largest
    last = _short_above(_finite(most) / rho, _ORDER_BITS)
    if last <= 1:
        return Finding(side, True, mpq(1), law.ratio(mpq(1)))
    done = [Cell(mpq(1), mpq(0))]
    todo = [Cell(last, _psi_bound(law, last))]
    worst: tuple[mpq, mpq] = (mpq(0), mpq(1))
    while todo:
        low, high = done[-1], todo[-1]
        worst = max(worst, (high.bound / (high.order * (high.order - 1)), high.order))
        if _below(low, high, rho):
            done.append(todo.pop())
            continue
        if worst[1] == high.order and compare(law.ratio_ball(high.order), rho, COMPARISON_BITS // 16).sign == 1:
            return Finding(side, False, high.order, law.ratio(high.order))
        if len(done) + len(todo) > law.most_cells:
            return Finding(side, None, worst[1], law.ratio(worst[1]))
        middle = _middle(low.order, high.order)
        todo.append(Cell(middle, _psi_bound(law, middle)))
    return Finding(side, True, worst[1], law.ratio(worst[1]), tuple(done[1:]))


def _finite(x: Extended) -> mpq:
    if isinstance(x, Infinity):
        raise InputError("a finite largest loss", "inf")
    return x


def _below(low: Cell, high: Cell, rho: mpq) -> bool:
    """Whether the chord of two bounds lies below rho·a·(a - 1) between them, exactly."""
    slope = (high.bound - low.bound) / (high.order - low.order)
    at = min(max((rho + slope) / (2 * rho), low.order), high.order)
    return bool(low.bound + slope * (at - low.order) <= rho * at * (at - 1))


def _psi_bound(law: Side, order: mpq) -> mpq:
    """A short rational at least psi(order)."""
    _, hi = rational_bounds(law.log_moment(order)(BITS))
    return _short_above(max(hi, mpq(0)))


def _short_above(x: mpq, bits: int = _BOUND_BITS) -> mpq:
    """A dyadic rational at least x of about so many significant bits."""
    return -_short_below(-x, bits)


def _short_below(x: mpq, bits: int = _BOUND_BITS) -> mpq:
    """A dyadic rational at most x of about so many significant bits."""
    scale = mpq(2) ** (bits - (x.numerator.bit_length() - x.denominator.bit_length()))
    scaled = x * scale
    return mpq(scaled.numerator // scaled.denominator) / scale


def _middle(low: mpq, high: mpq) -> mpq:
    """A short rational about half-way, measured from order 1 on a logarithmic scale where the cell is wide."""
    x, y = low - 1, high - 1
    if x and y > 4 * x:
        # The middle of the exponents, as a power of two.
        exponents = [(z.numerator.bit_length() - z.denominator.bit_length()) for z in (x, y)]
        found = 1 + mpq(2) ** ((exponents[0] + exponents[1]) // 2)
        if low < found < high:
            return found
    middle = (low + high) / 2
    size = (high - low) / 4
    scale = mpz(1)
    while scale * size < 1:
        scale *= 2
    return mpq((middle * scale).numerator // (middle * scale).denominator, scale)


def least_rho(pair: PairLike, direction: Direction = "both") -> Extended | Enclosure:
    """The least rho for which a pair is rho-zCDP: exact, ``INFINITY``, or an enclosure of about three digits.

    The lower end is below the value of D_a/a at one order; the upper one is proved as by :func:`judge_rho`, or is D_∞
    (D_a <= D_∞ <= D_∞·a).

    Raises:
        Declined: where the Rényi divergences of every order are not offered.
    """
    laws, meant = pair_of(pair), directions_of(direction)
    if isinstance(laws, Experiment):
        exact = laws.least_rho()
        if exact is not None:
            return exact
    found = [side for side in (side_of(laws, s) for s in meant) if side is not None]
    if not found:
        return mpq(0)
    if any(isinstance(side.largest, Infinity) for side in found):
        return INFINITY
    low = max(_best(side) for side in found)
    share = _SHARE
    while share < 1:
        high = _short_above(low * (1 + share))
        if all(_judge(side, high, side.side).holds for side in found):
            return Enclosure(low, high, 3 if share == _SHARE else 0)
        share *= 8
    return Enclosure(low, max(_finite(side.largest) for side in found), 0)


def _best(law: Side) -> mpq:
    """A lower bound of the largest D_a/a, close to it: powers of two for a - 1, then ternary search around the best."""

    def at(order: mpq) -> mpq:
        return _short_below(rational_bounds(law.ratio_ball(order)(BITS))[0])

    grid = [1 + mpq(2) ** k for k in range(-_SEARCH_REACH, _SEARCH_REACH)]
    values = [at(order) for order in grid]
    k = max(range(len(grid)), key=values.__getitem__)
    best, low, high = values[k], grid[max(k - 1, 0)], grid[min(k + 1, len(grid) - 1)]
    for _ in range(_SEARCH_STEPS):
        third = (high - low) / 3
        first, second = _short_above(low + third), _short_above(high - third)
        left, right = at(first), at(second)
        best = max(best, left, right)
        low, high = (first, high) if left < right else (low, second)
    return max(best, at(mpq(1)))
