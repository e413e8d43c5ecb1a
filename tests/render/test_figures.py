"""Figures as SVG: the same on every run, valid, accessible, and readable without colour."""

from __future__ import annotations

import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from gmpy2 import mpq

from oracle.errors import MissingExtraError
from oracle.laws.balle2018.figures import FIGURES as FIGURES_WITH_RANGES
from oracle.laws.fernandes2025.figures import FIGURES
from oracle.laws.figures import Figure, Panel, Series
from oracle.render import figures as drawing

ROOT = Path(__file__).parent.parent.parent
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def drawn() -> dict[str, str]:
    return {figure.id: drawing.to_svg(figure) for figure in FIGURES}


@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: figure.id)
def test_a_figure_is_accessible(figure: Figure, drawn: dict[str, str]) -> None:
    """An image with title and description, both referred to, and its text as text."""
    root = ET.fromstring(drawn[figure.id])  # noqa: S314 - our own document
    title, description = root[0], root[1]
    assert (f"{SVG}svg", "img") == (root.tag, root.get("role"))
    assert (f"{SVG}title", figure.title) == (title.tag, title.text)
    assert (f"{SVG}desc", f"{figure.description} {figure.note}") == (description.tag, description.text)
    assert [title.get("id"), description.get("id")] == root.get("aria-labelledby", "").split()
    texts = {"".join(element.itertext()) for element in root.iter(f"{SVG}text")}
    assert {figure.title, *(panel.title for panel in figure.panels)} <= texts
    for panel in figure.panels:
        assert all(any(text.startswith(series.label) for text in texts) for series in panel.series)


def test_nothing_in_a_figure_depends_on_the_day(drawn: dict[str, str]) -> None:
    """No date, no creator, and no space at the end of a line."""
    for svg in drawn.values():
        assert "dc:date" not in svg
        assert "matplotlib.org" not in svg
        assert all(line == line.rstrip() for line in svg.splitlines())


def test_two_runs_and_two_processes_draw_the_same_bytes(drawn: dict[str, str]) -> None:
    """Drawing again, here and elsewhere, changes nothing, whatever the user's own settings are."""
    figure = FIGURES[-1]
    assert drawn[figure.id] == drawing.to_svg(figure)
    code = (
        "import sys, matplotlib; matplotlib.rcParams['font.size'] = 20; matplotlib.rcParams['lines.linewidth'] = 9\n"
        "from oracle.laws.fernandes2025.figures import FIGURES\n"
        "from oracle.render.figures import to_svg\n"
        "sys.stdout.buffer.write(to_svg(FIGURES[-1]).encode())"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=True)
    assert drawn[figure.id].encode() == done.stdout


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_every_colour_has_contrast_with_the_ground() -> None:
    """At least 4.5:1 against white (WCAG 2 AA)."""
    for colour in drawing.COLOURS:
        assert 1.05 / (luminance(colour) + 0.05) >= 4.5


def test_series_differ_in_more_than_colour() -> None:
    """Within a panel no two lines share a line style or a marker, and no two sets of points a marker."""
    for figure in (*FIGURES, *FIGURES_WITH_RANGES):
        for ax in drawing.draw(figure).axes:
            lines = [line for line in ax.lines if line.get_linestyle() != "None"]
            points = [line for line in ax.lines if line.get_linestyle() == "None"]
            assert len({str(line._unscaled_dash_pattern) for line in lines}) == len(lines)
            assert len({line.get_marker() for line in ax.lines}) == len(lines) + len(points)


def test_a_panel_has_its_own_ranges() -> None:
    """Five ticks from end to end as exact fractions, and a margin of 2 in 100; without ranges the unit square."""
    line = (Series("line", ((mpq(1), mpq(0)), (mpq(3), mpq(1, 2)))),)
    ranged = Panel("a", "x", "y", line, x_range=(mpq(1), mpq(3)), y_range=(mpq(0), mpq(1, 2)))
    figure = Figure("fig-0", "t", "d", ("c",), (ranged, Panel("b", "x", "y", line)), "n")
    left, right = drawing.draw(figure).axes
    assert [tick.get_text() for tick in left.get_xticklabels()] == ["1", "3/2", "2", "5/2", "3"]
    assert [tick.get_text() for tick in left.get_yticklabels()] == ["0", "1/8", "1/4", "3/8", "1/2"]
    assert (left.get_xlim(), left.get_ylim()) == ((0.96, 3.04), (-0.01, 0.51))
    assert [tick.get_text() for tick in right.get_xticklabels()] == ["0", "1/4", "1/2", "3/4", "1"]
    assert (right.get_xlim(), right.get_ylim()) == ((-0.02, 1.02), (-0.02, 1.02))


def test_a_line_of_many_points_carries_few_markers() -> None:
    """Of 33 points every second one is marked, of 20 each."""
    series = tuple(Series(str(n), tuple((mpq(i, n), mpq(i, n)) for i in range(n + 1))) for n in (19, 32))
    (ax,) = drawing.draw(Figure("fig-0", "t", "d", ("c",), (Panel("a", "x", "y", series),), "n")).axes
    assert [line.get_markevery() for line in ax.lines] == [1, 2]


def test_a_title_with_markup_is_text() -> None:
    """Markup in a title or description is escaped."""
    figure = FIGURES[0]
    odd = Figure(figure.id, "a < b & c", "<script>", figure.claims, figure.panels, "note")
    root = ET.fromstring(drawing.to_svg(odd))  # noqa: S314 - our own document
    assert [root[0].text, root[1].text] == ["a < b & c", "<script> note"]


def test_without_matplotlib_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error says which extra draws figures."""
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtraError, match="report"):
        drawing.require()
    with pytest.raises(MissingExtraError, match="report"):
        drawing.to_svg(FIGURES[0])


def test_importing_the_module_loads_no_matplotlib() -> None:
    """It loads when a figure is drawn."""
    code = "import sys, oracle.render.figures; print('matplotlib' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
