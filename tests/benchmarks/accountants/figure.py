"""The gaps of all values as one SVG: a strip for each claim of each peer, wrong sides on a shaded ground."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import log10
from typing import Final

from tests.benchmarks.accountants.rows import Row

__all__ = ["draw"]

_LEFT: Final = 190
_WIDTH: Final = 940
_STRIP: Final = 26
_TOP: Final = 84
_BOTTOM: Final = 64
_LEAST: Final = -16
_MOST: Final = 6
_CENTRE: Final = (_LEFT + _WIDTH) / 2
_UNIT: Final = (_WIDTH - _LEFT) / 2 / (_MOST - _LEAST)
_RIGHT_COLOUR: Final = "#1f4e9c"
_WRONG_COLOUR: Final = "#a3360a"
_ESTIMATE_COLOUR: Final = "#4a4a4a"
_TITLE: Final = "Relative gap of each accountant's value to the certified value"
_DESCRIPTION: Final = (
    "One strip for each claim of each peer, one mark for each case: a circle where delta was asked, a diamond where "
    "epsilon was. The distance from the middle is the size of the relative gap on a logarithmic scale. Right of the "
    "middle is the side that the claim promises, left of it, on the shaded ground, the wrong side. Estimates promise "
    "no side: left of the middle they are too small."
)


def _place(row: Row) -> float | None:
    """The x of a mark, None for a value that is not finite."""
    if row.verdict is None or row.verdict.gap is None:
        return None
    gap = row.verdict.gap
    size = min(max(log10(abs(gap)) - _LEAST, 0.0), _MOST - _LEAST) if gap else 0.0
    left = row.verdict.side == "wrong" if row.claim != "estimate" else gap < 0
    return _CENTRE - size * _UNIT if left else _CENTRE + size * _UNIT


def _mark(x: float, y: float, row: Row) -> str:
    wrong = row.verdict is not None and row.verdict.side == "wrong"
    colour = _WRONG_COLOUR if wrong else _ESTIMATE_COLOUR if row.claim == "estimate" else _RIGHT_COLOUR
    style = f'fill="{colour if wrong else "none"}" stroke="{colour}" stroke-width="1.2"'
    title = f"<title>{escape(row.case.label())}: {escape(row.value)}</title>"
    if row.case.epsilon is not None:
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.6" {style}>{title}</circle>'
    points = f"{x:.1f},{y - 5:.1f} {x + 5:.1f},{y:.1f} {x:.1f},{y + 5:.1f} {x - 5:.1f},{y:.1f}"
    return f'<polygon points="{points}" {style}>{title}</polygon>'


def _text(x: float, y: float, text: str, *, anchor: str = "middle", size: int = 12, weight: str = "normal") -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" font-weight="{weight}">'
        f"{escape(text)}</text>"
    )


def draw(rows: Sequence[Row]) -> str:
    """The SVG."""
    strips = list(dict.fromkeys((row.peer, row.claim) for row in rows if row.claim))
    bottom = _TOP + _STRIP * len(strips)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH + 20} {bottom + _BOTTOM}" role="img"',
        'aria-labelledby="title description" font-family="sans-serif" fill="#111111">',
        f'<title id="title">{_TITLE}</title>',
        f'<desc id="description">{_DESCRIPTION}</desc>',
        f'<rect width="{_WIDTH + 20}" height="{bottom + _BOTTOM}" fill="white"/>',
        f'<rect x="{_LEFT}" y="{_TOP}" width="{_CENTRE - _LEFT}" height="{bottom - _TOP}" fill="#f6e6df"/>',
        _text(_LEFT, 24, _TITLE, anchor="start", size=15, weight="bold"),
        _text((_LEFT + _CENTRE) / 2, _TOP - 34, "wrong side of the truth (estimates: too small)"),
        _text((_CENTRE + _WIDTH) / 2, _TOP - 34, "the side that was promised (estimates: too large)"),
    ]
    for exponent in range(_LEAST, _MOST + 1, 2):
        for x in dict.fromkeys((_CENTRE - (exponent - _LEAST) * _UNIT, _CENTRE + (exponent - _LEAST) * _UNIT)):
            parts.append(f'<line x1="{x:.1f}" y1="{_TOP}" x2="{x:.1f}" y2="{bottom}" stroke="#dddddd"/>')
            label = "≤1e-16" if exponent == _LEAST else f"1e{exponent}" if exponent < _MOST else "≥1e6"
            if exponent % 4 == 0 or exponent == _MOST:
                parts.append(_text(x, _TOP - 10, label, size=10))
                parts.append(_text(x, bottom + 16, label, size=10))
    for i, (peer, claim) in enumerate(strips):
        y = _TOP + _STRIP * (i + 0.5)
        parts.append(f'<line x1="{_LEFT}" y1="{y:.1f}" x2="{_WIDTH}" y2="{y:.1f}" stroke="#bbbbbb"/>')
        parts.append(_text(_LEFT - 10, y + 4, f"{peer}, {claim}", anchor="end"))
        for row in rows:
            x = _place(row)
            if (row.peer, row.claim) == (peer, claim) and x is not None:
                parts.append(_mark(x, y, row))
    legend = "circle: δ asked, diamond: ε asked; filled: proved to be on the wrong side; scale: |value/truth − 1|"
    parts.append(f'<line x1="{_CENTRE:.1f}" y1="{_TOP}" x2="{_CENTRE:.1f}" y2="{bottom}" stroke="#111111"/>')
    parts.append(_text(_CENTRE, bottom + 42, legend))
    return "\n".join([*parts, "</svg>"]) + "\n"
