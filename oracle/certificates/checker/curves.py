"""Trade-off curves and two-row laws: CURVE documents, T(P, Q) of a channel, and the `tradeoff` certificate.

For a two-row channel with columns (p_y, q_y), T(P, Q)(alpha) is the least 1 - Q-mass of a randomised test whose
P-mass is alpha.  By Neyman and Pearson its corners are the points of the events
S_t = {y: q_y >= t p_y, (p_y, q_y) != (0, 0)}.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from fractions import Fraction
from typing import TYPE_CHECKING

from .matrices import Channel, stochastic_channel
from .reading import canonical_hash, fields, items, nonnegative, nonnegative_or_infinite, number, require_equal
from .verdict import Accepted, Rejected, brief

if TYPE_CHECKING:
    from collections.abc import Sequence

Point = tuple[Fraction, Fraction]
Curve = list[Point]

# The common-denominator form of a channel may take this many bits in all.
_MOST_BITS = 1 << 31
_SHOWN_CORNERS = 6


class Law:
    """The masses of the events S_t of a two-row channel, by bisection in the sorted ratios.

    `ratios` are the distinct finite q/p in increasing order.  The columns are integers over one common denominator;
    `_p[k]` and `_q[k]` are the sums over all columns of ratio >= ratios[k], columns with p = 0 included, and the last
    item is the sum over the columns with p = 0 alone.
    """

    def __init__(self, channel: Channel, where: str) -> None:
        first, second = channel.rows
        unit = 1
        for below in {cell.denominator for row in channel.rows for cell in row}:
            unit = math.lcm(unit, below)
            if unit.bit_length() * len(first) * 2 > _MOST_BITS:
                raise Rejected("too large: the common denominator of the channel", where)
        points = [
            (p.numerator * (unit // p.denominator), q.numerator * (unit // q.denominator))
            for p, q in zip(first, second, strict=True)
        ]
        columns = sorted((Fraction(q, p), p, q) for p, q in points if p)
        self.ratios: list[Fraction] = []
        self._unit = unit
        self._p, self._q = [0], [sum(q for p, q in points if p == 0)]
        for ratio, p, q in reversed(columns):
            if not self.ratios or self.ratios[-1] != ratio:
                self.ratios.append(ratio)
                self._p.append(self._p[-1])
                self._q.append(self._q[-1])
            self._p[-1] += p
            self._q[-1] += q
        self.ratios.reverse()
        self._p.reverse()
        self._q.reverse()
        self._mass = sum(q for _, q in points)

    def event(self, level: Fraction | None) -> Point:
        """Return (P(S_t), Q(S_t)); level None means infinity, the event {p = 0 < q}."""
        k = len(self.ratios) if level is None else bisect_left(self.ratios, level)
        return Fraction(self._p[k], self._unit), Fraction(self._q[k], self._unit)

    def point(self, level: Fraction | None) -> Point:
        """Return (P(S_t), f - Q(S_t)), f the mass of row 1: the errors of the test that rejects on S_t."""
        p, q = self.event(level)
        return p, Fraction(self._mass, self._unit) - q

    def hockey_stick(self, level: Fraction) -> Fraction:
        """Return sum max(0, q - h p) = Q(S_h) - h P(S_h), for h >= 0."""
        k = bisect_left(self.ratios, level)
        above = level.denominator * self._q[k] - level.numerator * self._p[k]
        return Fraction(above, self._unit * level.denominator)

    def corners(self) -> Curve:
        """Return the corners of the curve in order of increasing alpha, from (0, f - mass where p = 0) to (e, 0)."""
        return [
            (Fraction(p, self._unit), Fraction(self._mass - q, self._unit))
            for p, q in zip(reversed(self._p), reversed(self._q), strict=True)
        ]


def slope(left: Point, right: Point) -> Fraction:
    """Return the slope of a segment, left to right."""
    return (right[1] - left[1]) / (right[0] - left[0])


def require_curve(corners: Sequence[Point], where: str) -> None:
    """Check the shape of a CURVE: from (0, b <= 1) to (1, 0), non-increasing, strictly convex at every corner."""
    if len(corners) < 2:
        raise Rejected("expected at least 2 corners", where)
    if corners[0][0] != 0 or corners[0][1] > 1:
        raise Rejected("expected the first corner at alpha = 0 with beta <= 1", f"{where}[0]")
    if corners[-1][0] != 1 or corners[-1][1] != 0:
        raise Rejected('expected the last corner to be ("1", "0")', f"{where}[{len(corners) - 1}]")
    before: Fraction | None = None
    for k in range(1, len(corners)):
        if corners[k - 1][0] >= corners[k][0]:
            raise Rejected("expected strictly increasing alphas", f"{where}[{k}]")
        steepness = slope(corners[k - 1], corners[k])
        if steepness > 0:
            raise Rejected("expected non-increasing betas", f"{where}[{k}]")
        if before is not None and before >= steepness:
            raise Rejected("expected strictly increasing slopes", f"{where}[{k - 1}]")
        before = steepness


def curve(value: object, where: str) -> Curve:
    """Read a CURVE."""
    corners: Curve = []
    for k, item in enumerate(items(value, where, 2)):
        pair = items(item, f"{where}[{k}]")
        if len(pair) != 2:
            raise Rejected("expected [alpha, beta]", f"{where}[{k}]")
        corners.append((nonnegative(pair[0], f"{where}[{k}][0]"), nonnegative(pair[1], f"{where}[{k}][1]")))
    require_curve(corners, where)
    return corners


def curve_hash(value: object) -> str:
    """Return the hash by which a curve is named: that of the canonical JSON of `{"breakpoints": ...}`."""
    return canonical_hash({"breakpoints": value})


def curve_text(value: object) -> str:
    """Return a checked CURVE document for a statement, a long one by size and hash."""
    corners = items(value, "$")
    if len(corners) > _SHOWN_CORNERS:
        return f"the curve of {len(corners)} corners with hash {curve_hash(value)}"
    pairs = (items(corner, "$") for corner in corners)
    return "the curve " + " ".join(f"({', '.join(brief(str(text)) for text in pair)})" for pair in pairs)


def curve_value(corners: Sequence[Point], alpha: Fraction) -> Fraction:
    """Return the value at alpha, first alpha <= alpha <= last, by interpolation between the corners."""
    k = bisect_right(corners, alpha, key=lambda corner: corner[0]) - 1
    if corners[k][0] == alpha:
        return corners[k][1]
    return corners[k][1] + slope(corners[k], corners[k + 1]) * (alpha - corners[k][0])


def check_tradeoff(document: dict[str, object]) -> Accepted:
    """Check a `tradeoff` certificate: the stated corners are those of T(P, Q).

    Each corner is the point of an event, so T is at most the stated curve (T is convex).  The line through each
    consecutive pair of corners, beta + h alpha = c, has c = 1 - sum max(0, q - h p), the least value of beta + h alpha
    over all tests, so T is at least the stated curve.
    """
    channel = stochastic_channel(document["channel"], "$.channel", 2)
    law = Law(channel, "$.channel")
    corners: Curve = []
    levels: list[Fraction | None] = []
    supports: list[Fraction] = []
    texts: list[object] = []
    for k, item in enumerate(items(document["corners"], "$.corners", 2)):
        place = f"$.corners[{k}]"
        corner = fields(item, ("alpha", "beta", "event", "support"), place)
        corners.append((number(corner["alpha"], f"{place}.alpha"), number(corner["beta"], f"{place}.beta")))
        texts.append([corner["alpha"], corner["beta"]])
        levels.append(nonnegative_or_infinite(corner["event"], f"{place}.event"))
        supports.append(nonnegative(corner["support"], f"{place}.support"))
    require_curve(corners, "$.corners")
    if levels[0] is not None:
        raise Rejected('the event of the first corner must be "inf"', "$.corners[0].event")
    for k, (corner_point, level) in enumerate(zip(corners, levels, strict=True)):
        if law.point(level) != corner_point:
            raise Rejected("the corner is not the point of its event", f"$.corners[{k}]")
        segment = (corners[0], corners[1]) if k == 0 else (corners[k - 1], corner_point)
        steepness = -slope(*segment)
        require_equal(supports[k], steepness, "the steepness of the segment", f"$.corners[{k}].support")
        if k and corner_point[1] + steepness * corner_point[0] != 1 - law.hockey_stick(steepness):
            raise Rejected("the segment that ends in this corner is not supporting", f"$.corners[{k}]")
    return Accepted(
        "tradeoff", f"T(P, Q) of the channel is exactly {curve_text(texts)}.", (("channel", channel.digest),)
    )
