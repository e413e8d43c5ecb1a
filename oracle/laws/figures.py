"""Figures as exact data: series of rational points, and where a printed figure and the truth differ."""

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


@dataclass(frozen=True, slots=True)
class Series:
    """Points in order; all but those of role ``point`` are joined by straight lines."""

    label: str
    points: tuple[tuple[mpq, mpq], ...]
    role: Role = "true"


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
    """The points of a figure: exact fractions, and decimals rounded down to 12 digits."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["figure", "panel", "series", "role", "x", "y", "x_decimal", "y_decimal"])
    for panel in figure.panels:
        for series in panel.series:
            for point in series.points:
                writer.writerow([figure.id, panel.title, series.label, series.role, *_cells(point)])
    return out.getvalue()


def _cells(point: Sequence[mpq]) -> list[str]:
    return [to_text(v) for v in point] + [to_decimal(v, _DIGITS, "down") for v in point]
