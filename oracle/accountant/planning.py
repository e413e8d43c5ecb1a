"""Where to put the line: abscissa, step, number of nodes, precision. Proposals in floats, never believed.

Any choice gives a valid enclosure, a poor one a wide one. With Λ = log K of the composition (convex, as a hint):

- the saddle c* minimises G(c) = Λ(c) - c eps - log(c(c+1)), and delta is about e^(G(c*))/√(2 pi G''(c*)), which
  fixes the scale of the tolerance tau = rtol·delta;
- T must make the alias bounds of :mod:`oracle.accountant.aliasing` at most tau: T >= min over c' > c of
  (Λ(c') - c' eps + log D(c') - log tau)/(c' - c), and T >= min over s >= 1 of (Λ(-s) + s eps + log C_s - log tau)/(c
  + s); both are minima of a convex function over a positive affine one, so they have no other local minimum;
- t must make the cut-off tail at most tau; the number of nodes is N = T t/(2 pi).

Any c > 0 and any c < -1 will do, and c far from c* only costs bits, log2(F(c)/delta), while T falls with c' - c and c
+ s. Near the order where the moments of a subsampled mechanism begin to explode there is no usable c' much above c*,
so that the best c is far to the left, often below -1: sigma = 0.3, rate 1e-4, 1000 steps take 166,000 nodes at c* =
0.92 and fewer than 5,000 at c = -15.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil, exp, inf, isfinite, log, log1p, pi, sqrt
from typing import Final

from gmpy2 import mpq

from oracle.accountant.hints import dyadic
from oracle.accountant.parts import Composition, CutOff
from oracle.errors import LimitError

__all__ = ["Cumulants", "Plan", "Setting", "epsilon_hint", "estimate", "plan", "saddle"]

_GOLDEN: Final = (sqrt(5) - 1) / 2
_LEAST: Final = 1e-4
_MOST: Final = 1e7
_FEW_NODES: Final = 200
_MANY_NODES: Final = 3000
_NEAR: Final = (1.0, 0.9)
_LOST_BITS: Final = 128.0
_MANY_BITS: Final = 60.0
_NODE_BITS: Final = 256
"""The bits at which a line may have the most nodes; at more it may have fewer."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A proposal.

    Attributes:
        c: the abscissa.
        step: eta.
        count: N, the last node.
        right: c' > c of the bound of the high aliases.
        left: s >= 1 of the bound of the low aliases.
        bits: working precision.
        quadrature_bits: relative accuracy asked of every K(c + i n eta).
    """

    c: mpq
    step: mpq
    count: int
    right: mpq
    left: mpq
    bits: int
    quadrature_bits: int


@dataclass(frozen=True, slots=True)
class Setting:
    """What a line is to serve.

    Attributes:
        composition: the parts.
        cumulants: its Λ.
        eps: the ends of a range of eps (equal for one eps).
        goals: about log of the tolerance of one error term at the two ends.
        max_nodes: the most nodes.
    """

    composition: Composition
    cumulants: Cumulants
    eps: tuple[float, float]
    goals: tuple[float, float]
    max_nodes: int


@dataclass(frozen=True, slots=True)
class _Proposal:
    """A line: its numbers of nodes and of bits beyond those of the tolerance, where it lies, and its bounds."""

    nodes: float
    lost: float
    c: float
    period: float
    t: float
    right: float
    left: float

    @property
    def cost(self) -> float:
        """Nodes, those of many bits counted more than once."""
        longer = max(1.0, self.lost / _LOST_BITS)
        return self.nodes * longer * sqrt(longer)


class Cumulants:
    """About Λ(c) = Σ k_j log K_j(c), remembered."""

    __slots__ = ("composition", "known")

    def __init__(self, composition: Composition) -> None:
        self.composition = composition
        self.known: dict[float, float] = {}

    def __call__(self, c: float) -> float:
        """About Λ(c), for c > 0 or c < -1; 0 at c = -1 (masses are left to the proof)."""
        if c == -1:
            return 0.0
        if not isfinite(c):
            return inf
        if c not in self.known:
            self.known[c] = self._sum(c)
        return self.known[c]

    def _sum(self, c: float) -> float:
        value = 0.0
        try:
            for part, times in self.composition:
                value += times * part.hint(c)
                if not value < inf:
                    return inf
        except LimitError:
            return inf
        return value if isfinite(value) else inf


def minimise(f: Callable[[float], float], low: float, high: float, steps: int = 32) -> float:
    """About the minimiser of a function with one local minimum, by golden section; inf counts as the right side."""
    a, b = low, high
    x, y = b - _GOLDEN * (b - a), a + _GOLDEN * (b - a)
    fx, fy = f(x), f(y)
    for _ in range(steps):
        if fx < fy or fy == inf:
            b, y, fy = y, x, fx
            x = b - _GOLDEN * (b - a)
            fx = f(x)
        else:
            a, x, fx = x, y, fy
            y = a + _GOLDEN * (b - a)
            fy = f(y)
    return x if fx < fy else y


def saddle(cumulants: Cumulants, eps: float) -> float:
    """About the c that minimises G."""

    def objective(v: float) -> float:
        c = exp(v)
        return cumulants(c) - c * eps - v - log1p(c)

    return exp(minimise(objective, log(_LEAST), log(_MOST), 34))


def estimate(cumulants: Cumulants, eps: float, c: float) -> float:
    """About log delta at eps, c being the saddle."""
    middle, _, curvature = _expansion(cumulants, c)
    return min(middle - c * eps - log(2 * pi * curvature) / 2, 0.0)


def _expansion(cumulants: Cumulants, c: float) -> tuple[float, float, float]:
    """About Λ(c) - log(c(c+1)) and its first two derivatives."""
    step = 0.02 * c
    below, middle, above = (cumulants(x) - log(x) - log1p(x) for x in (c - step, c, c + step))
    curvature = (above + below - 2 * middle) / (step * step)
    if not isfinite(curvature) or curvature <= 0:
        curvature = 1 / (c * c)
    return middle, (above - below) / (2 * step), curvature


def epsilon_hint(cumulants: Cumulants, log_delta: float) -> tuple[float, float]:
    """About the eps where log delta_fin is as given, and its saddle: both move one way with c, so c is bisected."""
    low, high = log(_LEAST), log(_MOST)
    for _ in range(44):
        middle = (low + high) / 2
        c = exp(middle)
        value, slope, curvature = _expansion(cumulants, c)
        if not isfinite(slope) or value - c * slope - log(2 * pi * curvature) / 2 < log_delta:
            high = middle
        else:
            low = middle
    c = exp(low)
    return _expansion(cumulants, c)[1], c


def _period(setting: Setting, c: float) -> tuple[float, float, float]:
    """T with its c' > c and s > -c, good for both ends of the range.

    Both bounds are log-linear in eps while log delta is about concave in it, so what serves the ends serves between.
    """
    least, most = max(c, 0.0), max(-c, 1.0)
    ends = list(zip(setting.eps, setting.goals, strict=True))

    def right(v: float) -> float:
        other = least + exp(v)
        constant = setting.cumulants(other) + other * log(other) - (1 + other) * log1p(other)
        return max(constant - other * eps - goal for eps, goal in ends) / (other - c)

    def left(v: float) -> float:
        s = most + exp(v)
        constant = setting.cumulants(-s) + (s - 1) * log(s - 1) - s * log(s)
        return max(constant + s * eps - goal for eps, goal in ends) / (c + s)

    best_right = minimise(right, log(0.02 * least + 1e-3), log(20 * abs(c) + 20), 16)
    best_left = minimise(left, log(0.05), log(3 * abs(c) + 40.0), 14)
    beyond, s = left(best_left), most + exp(best_left)
    if c > 0:
        plain = max(eps - goal for eps, goal in ends) / (c + 1)
        if plain <= beyond:
            beyond, s = plain, 1.0
    return max(right(best_right), beyond, 1e-9), least + exp(best_right), s


def _decay(cut_offs: Sequence[tuple[CutOff, float]], t: float) -> float:
    return sum(times * cut_off.hint(t) for cut_off, times in cut_offs)


def _cut(cut_offs: Sequence[tuple[CutOff, float]], size: float, target: float, period: float, most: float) -> float:
    """About the t from which the tail is below e^target: size + decay(t) - log(t/2)... <= target; at most *most*."""

    def excess(v: float) -> float:
        return size + _decay(cut_offs, exp(v)) - log(pi) - v - target

    low, high = log(2 * pi / period), log(most)
    if excess(high) > 0:
        return inf
    if excess(low) <= 0:
        return exp(low)
    for _ in range(24):
        middle = (low + high) / 2
        if excess(middle) > 0:
            low = middle
        else:
            high = middle
    return exp(high)


def _proposal(setting: Setting, c: float) -> _Proposal | None:
    """The line at one abscissa, or None if it has too many nodes."""
    if not isfinite(setting.cumulants(c)):
        return None
    ends = list(zip(setting.eps, setting.goals, strict=True))
    period, right, left = _period(setting, c)
    if not isfinite(period):
        return None
    first = setting.goals[0]
    size = max(setting.cumulants(c) - c * eps - (goal - first) for eps, goal in ends)
    try:
        falls = [(part.cut_off(dyadic(c)), float(times)) for part, times in setting.composition]
    except LimitError:
        return None
    t = _cut(falls, size, first, period, 2 * pi * setting.max_nodes / period)
    return _Proposal(t * period / (2 * pi), _lost_bits(setting, c), c, period, t, right, left) if isfinite(t) else None


def _lost_bits(setting: Setting, c: float) -> float:
    """About log2 of the size of F at the abscissa in tolerances."""
    nearest = min(abs(c), abs(c + 1))
    goals = zip(setting.eps, setting.goals, strict=True)
    return max(setting.cumulants(c) - c * e - log(2 * nearest) - goal for e, goal in goals) / log(2)


def _search(setting: Setting, c: float) -> _Proposal | None:
    """The best of a few abscissas: c/2, near c where F is much larger there, then further and further left of -1."""
    best = _proposal(setting, c / 2)
    tried = [c / 2]
    if best is not None and best.lost > _lost_bits(setting, c) + _MANY_BITS:
        near = [other for share in _NEAR if (other := _proposal(setting, share * c)) is not None]
        return min([best, *near], key=lambda other: other.cost)
    for distance in (0.5, 2.0, 8.0, 32.0, 128.0):
        if best is not None and best.cost < _FEW_NODES:
            return best
        at = -1 - distance * max(c, 0.5)
        other = _proposal(setting, at)
        tried.append(at)
        if other is not None and (best is None or other.cost < best.cost):
            best = other
        elif best is not None:
            break
    if best is None:
        return _proposal(setting, c)
    if best.cost < _MANY_NODES:
        return best
    for factor in (2.0, 0.5):
        at = -1 - factor * (-1 - best.c) if best.c < 0 else factor * best.c
        other = _proposal(setting, at) if at not in tried else None
        if other is not None and other.cost < best.cost:
            best = other
    return best


def plan(setting: Setting, c: float, *, abscissa: float | None = None) -> Plan:
    """The line of few nodes for all eps of a range.

    Args:
        setting: the composition, the range and its tolerances.
        c: about the saddle in the middle of the range.
        abscissa: the abscissa to use, if the caller has chosen it.

    Raises:
        LimitError: if no line of few enough nodes is found.
    """
    best = _search(setting, c) if abscissa is None else _proposal(setting, abscissa)
    if best is None:
        raise LimitError(f"an inversion of at most {setting.max_nodes} nodes", "one of more")
    at = best.c
    step = dyadic(2 * pi / best.period)
    count = ceil(best.t / float(step)) + 1
    times = sum(times for _, times in setting.composition)
    lost = max(best.lost, 0.0) + 1.5 * log(times + 1) / log(2)
    phase = log(2 + best.t * (max(abs(e) for e in setting.eps) + best.period)) / log(2)
    accuracy = ceil(lost) + 8
    bits = ceil(lost + phase + log(count + 1) / log(2)) + 24
    if count * max(bits, _NODE_BITS) > setting.max_nodes * _NODE_BITS:
        raise LimitError(f"an inversion of at most {setting.max_nodes * _NODE_BITS} bits of nodes", str(count * bits))
    return Plan(dyadic(at), step, count, dyadic(best.right), dyadic(best.left), bits, accuracy)
