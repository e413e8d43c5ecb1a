"""Figures as SVG that is the same on every run, and readable without colour or without being seen.

Every series has its own line style and marker besides its colour, every colour has a contrast of at least 4.5:1 with
the white ground, and the drawing carries its title and description as text. matplotlib loads when a figure is drawn.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from html import escape
from typing import TYPE_CHECKING, Any, Final

from oracle.errors import MissingExtraError
from oracle.exact import to_text
from oracle.laws.figures import Figure, Panel, Series

if TYPE_CHECKING:
    from gmpy2 import mpq
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawing

__all__ = ["COLOURS", "draw", "require", "to_svg"]

COLOURS: Final = ("#1f4e9c", "#a3360a", "#1b6b3a", "#6b2d8f", "#4a4a4a", "#8a5a00")
"""Of the series in turn."""

_LINES: Final = ("-", "--", "-.", (0, (1, 1.2)), (0, (6, 1.5, 1, 1.5, 1, 1.5)), (0, (9, 3)))
_MARKERS: Final = ("o", "s", "^", "D", "v", "P")
_POINTS: Final = ("X", "*")
_MARKED: Final = 16
"""Where a line has more points than this, only some carry its marker."""
_WIDTH: Final = {"true": 1.8, "printed": 1.6, "claimed": 1.6, "point": 0.0}
_SUFFIX: Final = {"true": "", "printed": " [printed]", "claimed": " [claimed]", "point": ""}

# The layout in inches: square axes, titles above, the legend below, one line for each series.
_CELL: Final = 5.2
_LEFT: Final = 0.8
_SIDE: Final = 4.1
_TITLES: Final = 0.75
_AXIS_LABEL: Final = 0.75
_LEGEND_LINE: Final = 0.2

_STYLE: Final[dict[Any, Any]] = {
    "svg.hashsalt": "fdp-oracle",
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.size": 9.0,
    "axes.titlesize": 9.0,
    "text.color": "#111111",
    "axes.labelcolor": "#111111",
    "xtick.color": "#111111",
    "ytick.color": "#111111",
    "figure.facecolor": "white",
    "axes.facecolor": "white",
    "path.simplify": False,
}
_METADATA: Final = {"Date": None, "Creator": None, "Format": None, "Type": None}


def require() -> None:
    """Make sure that figures can be drawn.

    Raises:
        MissingExtraError: if matplotlib is not installed.
    """
    try:
        import matplotlib  # noqa: F401, ICN001, PLC0415 - only whether it is there
    except ImportError:
        raise MissingExtraError("drawing figures", "report") from None


@contextmanager
def _settings() -> Iterator[None]:
    """Our style over matplotlib's defaults; nothing of the user's own settings gets in."""
    require()
    import matplotlib as mpl  # noqa: PLC0415

    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(_STYLE)
        yield


def draw(figure: Figure) -> Drawing:
    """The figure as matplotlib draws it, without a display."""
    with _settings():
        return _draw(figure)


def _draw(figure: Figure) -> Drawing:
    from matplotlib.figure import Figure as Drawing  # noqa: PLC0415

    below = _AXIS_LABEL + _LEGEND_LINE * max(len(panel.series) for panel in figure.panels)
    width, height = _CELL * len(figure.panels), below + _SIDE + _TITLES
    drawing = Drawing(figsize=(width, height))
    for k, panel in enumerate(figure.panels):
        place = ((k * _CELL + _LEFT) / width, below / height, _SIDE / width, _SIDE / height)
        _draw_panel(panel, drawing.add_axes(place))
    drawing.suptitle(figure.title, fontsize=11, y=1 - 0.12 / height, va="top")
    return drawing


def _draw_panel(panel: Panel, ax: Axes) -> None:
    lines = points = 0
    for series in panel.series:
        if series.role == "point":
            _draw_points(series, ax, points)
            points += 1
        else:
            _draw_line(series, ax, lines)
            lines += 1
    ax.set(title=panel.title, xlabel=panel.x_label, ylabel=panel.y_label)
    ax.set(xlim=_limits(panel.x_range), ylim=_limits(panel.y_range))
    for axis, ends in ((ax.xaxis, panel.x_range), (ax.yaxis, panel.y_range)):
        ticks = [ends[0] + (ends[1] - ends[0]) * k / 4 for k in range(5)]
        axis.set_ticks([float(tick) for tick in ticks], [to_text(tick) for tick in ticks])
    ax.grid(visible=True, color="#dddddd", linewidth=0.6)
    ax.set_axisbelow(True)
    # Below the axes, so that no curve is covered and every entry has the whole width.
    ax.legend(
        loc="upper center",
        bbox_to_anchor=(0.5, -0.55 / _SIDE),
        borderaxespad=0.0,
        labelspacing=0.35,
        frameon=False,
        handlelength=4.5,
        fontsize=8.5,
    )


def _limits(ends: tuple[mpq, mpq]) -> tuple[float, float]:
    """A range with a margin of 2 in 100."""
    low, high = float(ends[0]), float(ends[1])
    return low - 0.02 * (high - low), high + 0.02 * (high - low)


def _floats(series: Series) -> tuple[Sequence[float], Sequence[float]]:
    return [float(x) for x, _ in series.points], [float(y) for _, y in series.points]


def _draw_line(series: Series, ax: Axes, turn: int) -> None:
    colour, style = COLOURS[turn % len(COLOURS)], _LINES[turn % len(_LINES)]
    ax.plot(
        *_floats(series),
        color=colour,
        linestyle=style,
        linewidth=_WIDTH[series.role],
        marker=_MARKERS[turn % len(_MARKERS)],
        markersize=5,
        markevery=max(1, len(series.points) // _MARKED),
        markerfacecolor=colour if series.role == "true" else "white",
        markeredgecolor=colour,
        label=series.label + _SUFFIX[series.role],
    )


def _draw_points(series: Series, ax: Axes, turn: int) -> None:
    ax.plot(
        *_floats(series),
        linestyle="none",
        marker=_POINTS[turn % len(_POINTS)],
        markersize=9,
        markerfacecolor="#111111",
        markeredgecolor="white",
        markeredgewidth=0.7,
        label=series.label,
        zorder=5,
    )


def to_svg(figure: Figure) -> str:
    """The figure as an SVG document; the same text on every run."""
    with _settings():
        out = io.StringIO()
        _draw(figure).savefig(out, format="svg", metadata=_METADATA)
    return _accessible(out.getvalue(), figure)


def _accessible(svg: str, figure: Figure) -> str:
    """The document with role, title and description, which screen readers announce."""
    start = svg.index("<svg ")
    end = svg.index(">", start)
    names = f'role="img" aria-labelledby="{figure.id}-title {figure.id}-desc"'
    title = f'<title id="{figure.id}-title">{escape(figure.title)}</title>'
    description = f'<desc id="{figure.id}-desc">{escape(f"{figure.description} {figure.note}")}</desc>'
    head = f"{svg[:end]} {names}>\n {title}\n {description}"
    return "\n".join(line.rstrip() for line in (head + svg[end + 1 :]).splitlines()) + "\n"
