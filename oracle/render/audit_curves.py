"""The curves that a report's plots show: the claimed trade-off function, the true one and the privacy profile.

All of them are read off the numbers of the report and rounded to a grid far finer than a pixel, for drawing only.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

from gmpy2 import mpq

from oracle.enclosures import Enclosure
from oracle.errors import LimitError
from oracle.exact import Infinity
from oracle.experiments.gaussian import Gaussian
from oracle.levels import Level, parse_level

__all__ = [
    "DIGITS",
    "Curve",
    "claimed_curve",
    "claimed_epsilon",
    "excess",
    "level_of",
    "middle",
    "profile",
    "refuting_point",
    "true_corners",
    "value_at",
]

DIGITS: Final = 12
_BITS: Final = 64
_GRID: Final = 1 << 40
_FARTHEST: Final = mpq(1000)
_FEW: Final = 200
_FINEST: Final = 1500
"""Of a unit, a distance that is not seen."""

_GAUSSIAN_POINTS: Final = 48

Json = Mapping[str, Any]
Point = tuple[mpq, mpq]
Curve = list[Point]


def middle(value: str | Json | Enclosure | mpq) -> mpq:
    """A number of the report on the grid of 2^-40: an enclosure by its middle."""
    if isinstance(value, Enclosure):
        exact = (value.lo + value.hi) / 2
    else:
        exact = (mpq(value["lo"]) + mpq(value["hi"])) / 2 if isinstance(value, Mapping) else mpq(value)
    return mpq(exact.numerator * _GRID // exact.denominator, _GRID)


def true_corners(pair: Json, direction: str) -> Curve | None:
    """The corners of T(P, Q), or for *backward* of T(Q, P); None where the report leaves them out."""
    trade = pair["tradeoff"]
    corners = trade["forward"] if direction == "forward" or pair["symmetric"] else trade["backward"]
    return None if corners is None else _thinned([(middle(a), middle(b)) for a, b in corners])


def _thinned(corners: Curve) -> Curve:
    """No two points of many within a third of a pixel, the first and the last one kept."""
    kept = corners[:1]
    for a, b in corners[1:-1]:
        if len(corners) <= _FEW or max(a - kept[-1][0], kept[-1][1] - b) * _FINEST > 1:
            kept.append((a, b))
    return [*kept, corners[-1]]


def _level(parsed: Json) -> mpq | None:
    """e^epsilon of a claim; None where it is infinite, or as good as that."""
    level = parse_level(parsed, minimum_one=True)
    try:
        return None if level.is_infinite else _rounded(level)
    except LimitError:
        # Too large to write out: not to be told from infinity in a drawing.
        return None


def _rounded(level: Level) -> mpq:
    low, high = level.bracket(_BITS)
    return (low + high) / 2


def claimed_epsilon(parsed: Json) -> mpq | None:
    """Epsilon of an (epsilon, delta) claim; None where it is too large for a drawing, or the claim is another one."""
    if "delta" not in parsed:
        return None
    epsilon = parse_level(parsed, minimum_one=True).epsilon(DIGITS)
    if isinstance(epsilon, Infinity):
        return None
    value = middle(epsilon) if isinstance(epsilon, Enclosure) else epsilon
    return value if value <= _FARTHEST else None


def claimed_curve(parsed: Json) -> Curve | None:
    """The trade-off function that is claimed; None for claims that are not about one (rho, a Rényi order)."""
    if "tradeoff" in parsed:
        return _thinned([(middle(a), middle(b)) for a, b in parsed["tradeoff"]["breakpoints"]])
    if "mu" in parsed:
        return _gaussian(mpq(parsed["mu"]))
    if "delta" not in parsed:
        return None
    rest, level = 1 - middle(parsed["delta"]), _level(parsed)
    if level is None:
        return [(mpq(0), rest), (mpq(0), mpq(0)), (mpq(1), mpq(0))]
    knee = rest / (1 + level)
    return [(mpq(0), rest), (knee, knee), (rest, mpq(0)), (mpq(1), mpq(0))]


def _gaussian(mu: mpq) -> Curve:
    """Points of G_mu: it is its own inverse, so those with alpha below beta come mirrored."""
    if not mu:
        return [(mpq(0), mpq(1)), (mpq(1), mpq(0))]
    points = [(mpq(0), mpq(1))]
    for k in range(1, _GAUSSIAN_POINTS):
        alpha = mpq(k * k, 2 * _GAUSSIAN_POINTS**2)
        beta = middle(_enclosed(Gaussian(mu * mu).beta(alpha, "forward", DIGITS)))
        if beta <= alpha:
            break
        points.append((alpha, beta))
    return [*points, *((b, a) for a, b in reversed(points))]


def _enclosed(value: mpq | Enclosure) -> Enclosure:
    return value if isinstance(value, Enclosure) else Enclosure(value, value)


def value_at(curve: Sequence[Point], alpha: mpq) -> mpq:
    """The curve at alpha, straight between its points; 0 to the right of the last, the first beta to the left."""
    k = bisect_left(curve, (alpha,))
    # Of a vertical piece the lowest point.
    while k + 1 < len(curve) and curve[k + 1][0] == alpha:
        k += 1
    if k == len(curve):
        return mpq(0)
    (c, d) = curve[k]
    if k == 0 or c == alpha:
        return d
    a, b = curve[k - 1]
    return b + (d - b) * (alpha - a) / (c - a)


def excess(claimed: Sequence[Point], true: Sequence[Point]) -> list[list[Point]]:
    """The regions where the true curve lies below the claimed one, each as the corners of a polygon."""
    stops = sorted({a for a, _ in claimed} | {a for a, _ in true})
    gaps = [(a, value_at(claimed, a) - value_at(true, a)) for a in stops]
    # Both curves are straight between two stops, so that they cross there at most once.
    crossings = [a + (c - a) * g / (g - h) for (a, g), (c, h) in pairwise(gaps) if g * h < 0]
    regions: list[list[mpq]] = []
    current: list[mpq] = []
    for a in sorted({*stops, *crossings}):
        gap = value_at(claimed, a) - value_at(true, a)
        if gap >= 0:
            current.append(a)
        if gap <= 0:
            regions += [current] if len(current) > 1 else []
            current = [a] if gap == 0 else []
    regions += [current] if len(current) > 1 else []
    polygons = []
    for region in regions:
        if any((value_at(claimed, a) - value_at(true, a)) * _FINEST > 1 for a in region):
            above = [(a, value_at(claimed, a)) for a in region]
            polygons.append(above + [(a, value_at(true, a)) for a in reversed(region)])
    return polygons


def refuting_point(result: Json) -> Point | None:
    """The point of T(P, Q) at which the event of a refuted claim lies: its two errors; None without such an event."""
    evidence = result["evidence"]
    if result["holds"] is not False or evidence["kind"] not in {"event", "adversary"}:
        return None
    p, q = middle(evidence["p"]), middle(evidence["q"])
    # P is rejected on the event where Q gains on it: for (epsilon, delta) that is backward, for curves forward.
    forward = evidence["direction"] == "forward"
    return (1 - p, q) if forward == (result["about"] == "approximate_dp") else (p, 1 - q)


def profile(forward: Sequence[Point], level: mpq, direction: str) -> mpq:
    """D_a(P‖Q) (forward), D_a(Q‖P) (backward) or the larger at a = *level*, from the corners of T(P, Q)."""
    sides = []
    if direction != "backward":
        sides.append(max(1 - a - level * b for a, b in forward))
    if direction != "forward":
        sides.append(max(1 - b - level * a for a, b in forward))
    return max(mpq(0), *sides)


def level_of(epsilon: mpq) -> mpq:
    """e^epsilon, rounded."""
    return _rounded(Level.of_exponent(epsilon))
