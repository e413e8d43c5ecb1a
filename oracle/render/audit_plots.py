"""Plots of a report as inline SVG: the claimed trade-off function against the true one, and the privacy profile.

Each plot is described by its title and a sentence for those who do not see it. Lines differ by their strokes, not by
colour alone; colours are those of the page, by class.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from gmpy2 import mpq

from oracle.exact import to_decimal
from oracle.render.audit_curves import (
    Curve,
    Point,
    claimed_curve,
    claimed_epsilon,
    excess,
    level_of,
    middle,
    profile,
    refuting_point,
    true_corners,
    value_at,
)
from oracle.render.html_parts import text
from oracle.render.words import number, short

__all__ = ["profile_plot", "tradeoff_plot"]

Json = Mapping[str, Any]

_WIDTH: Final = 480
_HEIGHT: Final = 400
_LEFT: Final = 56
_RIGHT: Final = 16
_TOP: Final = 16
_BOTTOM: Final = 48
_TICKS: Final = 6
_POINTS: Final = 96
_FAR: Final = mpq(4)
_ROOM: Final = mpq(6, 5)


class _Axes:
    """From the corner (0, 0) to (right, top), in the units of the plot."""

    def __init__(self, right: mpq, top: mpq) -> None:
        self.right, self.top = right, top

    def at(self, point: Point) -> str:
        """The place of a point, in pixels with two decimals, at most on the frame."""
        x, y = min(point[0] / self.right, mpq(1)), min(point[1] / self.top, mpq(1))
        return f"{_pixels(_LEFT + x * (_WIDTH - _LEFT - _RIGHT))},{_pixels(_HEIGHT - _BOTTOM - y * self._height)}"

    @property
    def _height(self) -> int:
        return _HEIGHT - _TOP - _BOTTOM

    def frame(self, across: str, upwards: str) -> str:
        """The two axes with ticks and names."""
        marks, bottom = [], _HEIGHT - _BOTTOM
        for tick in _ticks(self.right):
            x, _ = self.at((tick, mpq(0))).split(",")
            marks.append(f'<path class="grid" d="M{x} {_TOP}V{bottom}"/>')
            marks.append(f'<text x="{x}" y="{bottom + 16}" text-anchor="middle">{_tick(tick)}</text>')
        for tick in _ticks(self.top):
            _, y = self.at((mpq(0), tick)).split(",")
            marks.append(f'<path class="grid" d="M{_LEFT} {y}H{_WIDTH - _RIGHT}"/>')
            marks.append(f'<text x="{_LEFT - 6}" y="{y}" dy="4" text-anchor="end">{_tick(tick)}</text>')
        middle_x, middle_y = (_LEFT + _WIDTH - _RIGHT) // 2, (_TOP + _HEIGHT - _BOTTOM) // 2
        marks.append(f'<text x="{middle_x}" y="{_HEIGHT - 8}" text-anchor="middle">{text(across)}</text>')
        turned = f'transform="rotate(-90 14 {middle_y})"'
        marks.append(f'<text x="14" y="{middle_y}" text-anchor="middle" {turned}>{text(upwards)}</text>')
        return "".join(marks)

    def line(self, points: Iterable[Point], kind: str) -> str:
        """A line through points."""
        return f'<polyline class="{kind}" points="{" ".join(map(self.at, points))}"/>'

    def area(self, points: Iterable[Point]) -> str:
        """A region that is claimed and not true."""
        return f'<polygon class="gap" points="{" ".join(map(self.at, points))}"/>'

    def mark(self, point: Point) -> str:
        """A ring about a point."""
        x, y = self.at(point).split(",")
        return f'<circle class="mark" cx="{x}" cy="{y}" r="6"/>'


def _pixels(value: mpq) -> str:
    hundredths = int((value * 100 + mpq(1, 2)) // 1)
    return f"{hundredths // 100}.{hundredths % 100:02}"


def _ticks(end: mpq) -> list[mpq]:
    """From 0 to the end in steps of 1, 2 or 5 times a power of ten, six steps at the most."""
    step = mpq(1)
    while step * _TICKS >= end:
        step /= 10
    while step * _TICKS < end:
        step *= 10
    step = next((step / part for part in (5, 2) if step / part * _TICKS >= end), step)
    return [step * k for k in range(int(end // step) + 1)]


def _tick(value: mpq) -> str:
    return to_decimal(value, 3, "down")


def tradeoff_plot(document: Json, index: int) -> str | None:
    """The plot for the worst pair of a claim; None where there are no corners, or the claim is not about a curve."""
    claim = document["claims"][index]
    result = document["results"][claim["worst"]]
    pair = document["pairs"][result["pair"]]
    claimed = claimed_curve(claim["parsed"])
    sides = ["forward", "backward"] if document["direction"] == "both" else [document["direction"]]
    names = {"forward": "T(P, Q)", "backward": "T(Q, P)"}
    drawn: list[tuple[str, Curve]] = []
    if pair["symmetric"]:
        names = dict.fromkeys(sides, "T(P, Q) = T(Q, P)" if len(sides) == 2 else names[sides[0]])
        sides = sides[:1]
    for side in sides:
        corners = true_corners(pair, side)
        if corners is not None:
            drawn.append((side, corners))
    if claimed is None or not drawn:
        return None
    axes = _Axes(mpq(1), mpq(1))
    shapes = [axes.frame("alpha (type I error)", "beta (type II error)")]
    for _, corners in drawn:
        shapes += [
            f'<polygon class="gap" points="{" ".join(map(axes.at, area))}"/>' for area in excess(claimed, corners)
        ]
    shapes += [axes.line(corners, side) for side, corners in drawn]
    shapes.append(axes.line(claimed, "claimed"))
    point = _marked(result, drawn)
    if point is not None:
        shapes.append(axes.mark(point))
    entries = [("claimed", "claimed"), *((side, names[side]) for side, _ in drawn)]
    entries += [("gap", "claimed but not so")] if result["holds"] is False else []
    entries += [] if point is None else [("mark", "where it is refuted")]
    return _svg("Trade-off function, claimed and true", _told(result, point, names), shapes, entries)


def _marked(result: Json, drawn: Sequence[tuple[str, Curve]]) -> Point | None:
    """Where a refuted claim is refuted, on a curve that is drawn."""
    where = result.get("least_gap")
    if result["holds"] is False and where is not None and where["alpha"] is not None:
        alpha = middle(where["alpha"])
        corners = dict(drawn).get(where["direction"], drawn[0][1])
        return alpha, value_at(corners, alpha)
    point = refuting_point(result)
    if point is None or drawn[0][0] == "forward":
        return point
    return point[::-1]


def _told(result: Json, point: Point | None, names: Mapping[str, str]) -> str:
    curves = list(dict.fromkeys(names.values()))
    true, lies = " and ".join(curves), "lies" if len(curves) == 1 else "lie"
    if point is not None:
        near = ", ".join(to_decimal(value, 6, "down") for value in point)
        where = (
            f"most of all at ({near})" if result["about"] == "tradeoff" else f"an event with errors ({near}) shows it"
        )
        return f"{true} {lies} below the claimed trade-off function; {where}."
    if result["holds"] is True:
        return f"{true} {lies} nowhere below the claimed trade-off function."
    return f"{true} beside the claimed trade-off function."


def profile_plot(document: Json, index: int) -> str | None:
    """Delta over epsilon for the worst pair of an (epsilon, delta) claim; None for others, and without corners."""
    claim = document["claims"][index]
    result = document["results"][claim["worst"]]
    pair = document["pairs"][result["pair"]]
    corners, claimed_delta = true_corners(pair, "forward"), claim["parsed"].get("delta")
    if claimed_delta is None or corners is None:
        return None
    delta, epsilon = mpq(claimed_delta), claimed_epsilon(claim["parsed"])
    tight = None if result["tight_epsilon"] == "inf" else middle(result["tight_epsilon"])
    known = [value for value in (epsilon, tight) if value]
    right = max(known) * _ROOM if known and (tight is not None or epsilon) else _FAR
    grid = [right * k / _POINTS for k in range(_POINTS + 1)]
    points = [(e, profile(corners, level_of(e), document["direction"])) for e in grid]
    axes = _Axes(right, max(points[0][1], delta, mpq(1, 10**6)) * _ROOM)
    shapes = [axes.frame("epsilon", "delta"), axes.line(points, "forward")]
    entries = [("forward", "least delta")]
    if epsilon is not None:
        shapes.append(axes.line([(mpq(0), delta), (epsilon, delta), (epsilon, mpq(0))], "claimed"))
        shapes.append(axes.mark((epsilon, delta)))
        entries += [("claimed", "claimed"), ("mark", "the claim")]
    told = f"The least delta falls from {number(pair['total_variation'], 'up')} at epsilon 0"
    if epsilon is not None:
        told += f"; at the claimed epsilon it is {number(result['tight_delta'], 'up')}, claimed: {short(claimed_delta)}"
    return _svg("Privacy profile: the least delta at each epsilon", f"{told}.", shapes, entries)


def _svg(title: str, told: str, shapes: Iterable[str], entries: Iterable[tuple[str, str]]) -> str:
    """The figure: drawing, legend and the sentence that it shows."""
    keys = "".join(f"<li>{_key(kind)} {text(name)}</li>" for kind, name in entries)
    return (
        f'<figure><svg role="img" viewBox="0 0 {_WIDTH} {_HEIGHT}"><title>{text(title)}</title>'
        f"<desc>{text(told)}</desc>{''.join(shapes)}</svg>"
        f'<ul class="legend">{keys}</ul><figcaption>{text(title)}. {text(told)}</figcaption></figure>'
    )


def _key(kind: str) -> str:
    shape = {
        "gap": '<rect class="gap" x="1" y="1" width="30" height="10"/>',
        "mark": '<circle class="mark" cx="16" cy="6" r="5"/>',
    }.get(kind, f'<path class="{kind}" d="M0 6H32"/>')
    return f'<svg class="key" viewBox="0 0 32 12" aria-hidden="true">{shape}</svg>'
