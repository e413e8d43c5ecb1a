"""Figures as exact data: series of rational points or enclosures, and where a printed figure and the truth differ."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from gmpy2 import mpq

from oracle.exact import to_decimal, to_text

__all__ = ["Figure", "Panel", "Role", "Series", "to_csv"]

Role = Literal["true", "printed", "claimed", "point"]
"""``true``: a curve of exact corners. ``printed``: what the paper or its plotting code draws and is not the curve it is
said to be. ``claimed``: what a printed formula says. ``point``: single points."""

_DIGITS: Final = 12
_ENDS: Final = 20
_EXACT: Final = ("x", "y", "x_decimal", "y_decimal")
_ENCLOSED: Final = ("x", "y", "y_upper")


@dataclass(frozen=True, slots=True)
class Series:
    """Points in order; all but those of role ``point`` are joined by straight lines.

    Attributes:
        label: as in the legend.
        points: (x, y), exact; where y is not rational, (x, proved lower bound of y).
        role: see :data:`Role`.
        upper: where y is not rational the proved upper bounds, one for each point; otherwise empty.
    """

    label: str
    points: tuple[tuple[mpq, mpq], ...]
    role: Role = "true"
    upper: tuple[mpq, ...] = ()


@dataclass(frozen=True, slots=True)
class Panel:
    """One pair of axes, each from 0 to 1 unless told otherwise."""

    title: str
    x_label: str
    y_label: str
    series: tuple[Series, ...]
    x_range: tuple[mpq, mpq] = (mpq(0), mpq(1))
    y_range: tuple[mpq, mpq] = (mpq(0), mpq(1))


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of a paper.

    Attributes:
        id: as in file names, "fig-2".
        title: a few words.
        description: one sentence that says what is to be seen, for readers who do not see it.
        claims: ids of the claims that it belongs to.
        panels: one or more pairs of axes.
        note: where what is printed differs from what is drawn here, and by how much, or that it does not.
    """

    id: str
    title: str
    description: str
    claims: tuple[str, ...]
    panels: tuple[Panel, ...]
    note: str


def to_csv(figure: Figure) -> str:
    """The points of a figure: exact fractions, and decimals rounded down to 12 digits.

    Where a figure has enclosures, ``y`` is the lower and ``y_upper`` the upper end instead, as decimals.
    """
    enclosed = any(series.upper for panel in figure.panels for series in panel.series)
    header = ["figure", "panel", "series", "role", *(_ENCLOSED if enclosed else _EXACT)]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(header)
    for panel in figure.panels:
        for series in panel.series:
            uppers = series.upper or [y for _, y in series.points]
            for (x, y), upper in zip(series.points, uppers, strict=True):
                cells = _enclosure_cells(x, y, upper) if enclosed else _cells((x, y))
                writer.writerow([figure.id, panel.title, series.label, series.role, *cells])
    return out.getvalue()


def _cells(point: Sequence[mpq]) -> list[str]:
    return [to_text(v) for v in point] + [to_decimal(v, _DIGITS, "down") for v in point]


def _enclosure_cells(x: mpq, lower: mpq, upper: mpq) -> list[str]:
    """X as a fraction, and the two ends, rounded outwards where they are no decimals of 20 digits."""
    return [to_text(x), to_decimal(lower, _ENDS, "down"), to_decimal(upper, _ENDS, "up")]
