"""Trade-off functions: convex piecewise-linear curves on [0, 1] with f(alpha) <= 1 - alpha.

A curve is stored as its corners (alpha, beta), minimal (no three on a line), the first at
alpha = 0, the last (1, 0). Continuity at 0 is part of the definition used here: without it
f <= T(M) is no longer the same as C(f) ⊑ M (Fernandes et al. 2025, Theorem 4.1, as corrected).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from typing import Any, TypeVar

from gmpy2 import mpq, mpz

from oracle.errors import InputError, shorten
from oracle.exact import Extended, Infinity, parse_number, to_fraction, to_text
from oracle.json_text import refuse_unknown

__all__ = [
    "Corner",
    "TradeoffFunction",
    "approximate_dp_curve",
    "lower_hull",
    "maximum",
    "minimum",
    "parse_tradeoff",
    "upper_envelope",
]

Corner = tuple[mpq, mpq]
_Number = TypeVar("_Number", mpz, mpq)


def lower_hull(points: Iterable[tuple[_Number, _Number]]) -> list[tuple[_Number, _Number]]:
    """Corners of the lower convex hull of points, for alpha increasing (Andrew's monotone chain).

    Of points with equal alpha the lowest counts. Coordinates are rationals, or integers over a common scale.
    """
    hull: list[tuple[_Number, _Number]] = []
    for x, y in sorted(points):
        if hull and hull[-1][0] == x:
            continue
        while len(hull) > 1:
            (x0, y0), (x1, y1) = hull[-2], hull[-1]
            # The middle point stays exactly when it lies strictly below the chord from the first to the new one.
            if (x1 - x0) * (y - y0) > (y1 - y0) * (x - x0):
                break
            hull.pop()
        hull.append((x, y))
    return hull


class TradeoffFunction:
    """A trade-off function given by corners (alpha, beta).

    Args:
        corners: pairs of exact numbers, first alpha = 0, last (1, 0); collinear corners are
            accepted and dropped.

    Raises:
        InputError: for corners that do not increase in alpha, rise in beta, are not convex, lie above
            1 - alpha, or do not start at 0 and end at (1, 0). Two corners at alpha = 0 are a jump there.
    """

    __slots__ = ("_alphas", "corners")

    corners: tuple[Corner, ...]

    def __init__(self, corners: Sequence[Sequence[Any]]) -> None:
        self.corners = _minimal(_parse_corners(corners, "breakpoints"))
        self._alphas: list[mpq] | None = None

    @classmethod
    def trusted(cls, corners: Iterable[Corner]) -> TradeoffFunction:
        """A curve from minimal corners that are valid by construction; nothing is checked."""
        self = cls.__new__(cls)
        self.corners = tuple(corners)
        self._alphas = None
        return self

    @property
    def breakpoints(self) -> tuple[tuple[Fraction, Fraction], ...]:
        """The corners as fractions."""
        return tuple((to_fraction(a), to_fraction(b)) for a, b in self.corners)

    def __call__(self, alpha: object) -> Fraction:
        """The value at an exact alpha in [0, 1], as a fraction."""
        return to_fraction(self.at(parse_number(alpha, "alpha")))

    def at(self, alpha: mpq) -> mpq:
        """The value at alpha in [0, 1], by exact interpolation."""
        if not 0 <= alpha <= 1:
            raise InputError("alpha between 0 and 1", shorten(to_text(alpha)), "alpha")
        if self._alphas is None:
            self._alphas = [a for a, _ in self.corners]
        k = min(bisect_right(self._alphas, alpha), len(self.corners) - 1)
        return _between(self.corners[k - 1], self.corners[k], alpha)

    def __eq__(self, other: object) -> bool:
        return self.corners == other.corners if isinstance(other, TradeoffFunction) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.corners)

    def __le__(self, other: TradeoffFunction) -> bool:
        """Pointwise order: self(alpha) <= other(alpha) for every alpha.

        Between corners of *other* that curve is a chord; self is convex, hence below the chord of its
        own values there. So the corners of *other* decide.
        """
        return all(self.at(a) <= b for a, b in other.corners)

    def __ge__(self, other: TradeoffFunction) -> bool:
        return other <= self

    def inverse(self) -> TradeoffFunction:
        """f^{-1}(beta) = inf{alpha : f(alpha) <= beta}; of T(P, Q) it is T(Q, P)."""
        mirrored = [(b, a) for a, b in self.corners if b > 0]
        zero = next(a for a, b in self.corners if b == 0)
        points = [(mpq(0), zero), *reversed(mirrored)]
        if points[-1][0] < 1:
            points.append((mpq(1), mpq(0)))
        return TradeoffFunction.trusted(points)

    def is_symmetric(self) -> bool:
        """Whether f is its own inverse (the condition f = f∘f printed in places is another one)."""
        return self == self.inverse()

    def symmetrised(self) -> TradeoffFunction:
        """The largest symmetric curve below f: the lattice minimum of f and its inverse."""
        return minimum([self, self.inverse()])

    def to_json(self) -> dict[str, Any]:
        """The curve in the shape of the contract."""
        return {"breakpoints": [[to_text(a), to_text(b)] for a, b in self.corners]}

    def __repr__(self) -> str:
        if len(self.corners) > 8:
            return f"<TradeoffFunction with {len(self.corners)} corners>"
        return "TradeoffFunction([" + ", ".join(f'("{a}", "{b}")' for a, b in self.corners) + "])"


def minimum(curves: Sequence[TradeoffFunction]) -> TradeoffFunction:
    """Lattice minimum: the largest curve below all of them, the lower convex hull of their pointwise minimum."""
    _require_some(curves)
    return TradeoffFunction.trusted(lower_hull(corner for curve in curves for corner in curve.corners))


def maximum(curves: Sequence[TradeoffFunction]) -> TradeoffFunction:
    """Pointwise maximum of curves, which is convex again."""
    _require_some(curves)
    return TradeoffFunction.trusted(upper_envelope([curve.corners for curve in curves]))


def upper_envelope(curves: Sequence[Sequence[Corner]]) -> list[Corner]:
    """Corners of the pointwise maximum of convex piecewise-linear curves over the same interval."""
    return reduce(_upper_of_two, (list(curve) for curve in curves))


def _upper_of_two(f: list[Corner], g: list[Corner]) -> list[Corner]:
    points: list[Corner] = []
    before, a0, b0 = mpq(0), f[0][1], g[0][1]
    for alpha, a, b in _merged(f, g):
        if (a0 - b0) * (a - b) < 0:
            # Both are linear from *before* to *alpha*: they cross where their gap interpolates to 0.
            share = (a0 - b0) / ((a0 - b0) - (a - b))
            points.append((before + share * (alpha - before), a0 + share * (a - a0)))
        points.append((alpha, max(a, b)))
        before, a0, b0 = alpha, a, b
    return lower_hull(points)


def _merged(f: Sequence[Corner], g: Sequence[Corner]) -> Iterator[tuple[mpq, mpq, mpq]]:
    """Both curves at every alpha where one of them has a corner: one pass over the two lists."""
    i = j = 0
    while i < len(f) and j < len(g):
        (x, a), (y, b) = f[i], g[j]
        if x == y:
            yield x, a, b
            i, j = i + 1, j + 1
        elif x < y:
            yield x, a, _between(g[j - 1], g[j], x)
            i += 1
        else:
            yield y, _between(f[i - 1], f[i], y), b
            j += 1


def _between(left: Corner, right: Corner, alpha: mpq) -> mpq:
    """Value at alpha of the line through two corners."""
    (a0, b0), (a1, b1) = left, right
    return b0 + (b1 - b0) * (alpha - a0) / (a1 - a0)


def _require_some(curves: Sequence[TradeoffFunction]) -> None:
    if not curves:
        raise InputError("at least one trade-off function", "none")


def approximate_dp_curve(exp_epsilon: Extended, delta: mpq) -> TradeoffFunction:
    """f_{epsilon, delta} = max(0, 1 - delta - E alpha, (1 - delta - alpha) / E), E = e^epsilon >= 1.

    Corners (0, 1 - delta), (a, a), (1 - delta, 0), (1, 0) with a = (1 - delta) / (1 + E)
    (Fernandes et al. 2025, section 2). E must be finite: the limit is not continuous at 0.
    """
    if isinstance(exp_epsilon, Infinity) or exp_epsilon < 1:
        raise InputError("a finite exp_epsilon at least 1", to_text(exp_epsilon), "exp_epsilon")
    if not 0 <= delta <= 1:
        raise InputError("delta between 0 and 1", shorten(to_text(delta)), "delta")
    a = (1 - delta) / (1 + exp_epsilon)
    points = [(mpq(0), 1 - delta), (a, a), (1 - delta, mpq(0)), (mpq(1), mpq(0))]
    return TradeoffFunction.trusted(lower_hull(points))


def _parse_corners(value: object, where: str) -> list[Corner]:
    if not isinstance(value, (list, tuple)) or len(value) < 2:
        raise InputError("a list of at least two corners [alpha, beta]", shorten(value), where)
    corners: list[Corner] = []
    for i, pair in enumerate(value):
        if not isinstance(pair, (list, tuple)) or len(pair) != 2:
            raise InputError("a corner [alpha, beta]", shorten(pair), f"{where}[{i}]")
        corners.append((parse_number(pair[0], f"{where}[{i}][0]"), parse_number(pair[1], f"{where}[{i}][1]")))
    _check_curve(corners, where)
    return corners


def _check_curve(corners: Sequence[Corner], where: str) -> None:
    """Refuse corners that are no trade-off function: ends, range, order, monotony, convexity."""
    if corners[0][0] != 0:
        raise InputError("the first corner at alpha = 0", shorten(to_text(corners[0][0])), f"{where}[0][0]")
    last_alpha, last_beta = corners[-1]
    if last_alpha != 1 or last_beta:
        raise InputError('the last corner ("1", "0")', shorten(f"({last_alpha}, {last_beta})"), where)
    for i, (alpha, beta) in enumerate(corners):
        if not 0 <= beta <= 1 - alpha:
            got = f"{shorten(to_text(beta))} at alpha = {shorten(to_text(alpha))}"
            raise InputError("beta between 0 and 1 - alpha", got, f"{where}[{i}][1]")
        if i and alpha <= corners[i - 1][0]:
            jump = alpha == corners[i - 1][0]
            got = f"two corners at {shorten(to_text(alpha))} (a jump)" if jump else shorten(to_text(alpha))
            raise InputError("alpha strictly increasing", got, f"{where}[{i}][0]")
        if i and beta > corners[i - 1][1]:
            got = f"{shorten(to_text(beta))} after {shorten(to_text(corners[i - 1][1]))}"
            raise InputError("beta non-increasing", got, f"{where}[{i}][1]")
    for i in range(2, len(corners)):
        (x0, y0), (x1, y1), (x2, y2) = corners[i - 2 : i + 1]
        if (y1 - y0) * (x2 - x1) > (y2 - y1) * (x1 - x0):
            got = f"a slope that falls at alpha = {shorten(to_text(x1))}"
            raise InputError("a convex curve", got, f"{where}[{i - 1}]")


def _minimal(corners: Sequence[Corner]) -> tuple[Corner, ...]:
    return tuple(lower_hull(corners))


def parse_tradeoff(value: object, where: str = "tradeoff") -> TradeoffFunction:
    """Read ``{"breakpoints": [["0", "1"], ..., ["1", "0"]]}``."""
    if not isinstance(value, Mapping):
        raise InputError('a trade-off function {"breakpoints": [...]}', shorten(value), where)
    refuse_unknown(value, ("breakpoints",), where)
    if "breakpoints" not in value:
        raise InputError('the key "breakpoints"', "none", where)
    return TradeoffFunction.trusted(_minimal(_parse_corners(value["breakpoints"], f"{where}.breakpoints")))
