"""Table 1 and the plots of the bounds: exact data, consistent with the claims' worked values."""

from __future__ import annotations

from itertools import pairwise

import pytest
from gmpy2 import mpq

from oracle.laws.balle2018.figures import FIGURES
from oracle.laws.compare import at
from oracle.laws.figures import Figure, Series
from oracle.laws.papers import figures_of
from oracle.theorems.subsampling import with_replacement

BY_ID = {figure.id: figure for figure in FIGURES}


def series(figure: str, label: str) -> Series:
    (found,) = (s for panel in BY_ID[figure].panels for s in panel.series if s.label == label)
    return found


def test_table_and_figure_are_there_in_order() -> None:
    """Table 1, then the supplement's figure 1."""
    assert [figure.id for figure in figures_of("balle2018")] == ["table-1", "fig-1"]


@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: figure.id)
def test_every_figure_says_what_it_shows(figure: Figure) -> None:
    """Title, description, note and claims are there; labels are distinct and points inside the axes."""
    assert all((figure.title, figure.description, figure.note, figure.claims))
    for panel in figure.panels:
        labels = [s.label for s in panel.series]
        assert len(set(labels)) == len(labels)
        for x, y in (point for s in panel.series for point in s.points):
            assert panel.x_range[0] <= x <= panel.x_range[1]
            assert panel.y_range[0] <= y <= panel.y_range[1]


def test_lines_run_from_left_to_right() -> None:
    """Every series has strictly increasing x."""
    for figure in FIGURES:
        for panel in figure.panels:
            for line in panel.series:
                assert all(a[0] < b[0] for a, b in pairwise(line.points))


@pytest.mark.parametrize(("n", "m"), [(10, 10), (5, 3), (3, 2), (2, 2)])
def test_the_weights_are_the_theorems(n: int, m: int) -> None:
    """The drawn weights are those with which the engine bounds sampling with replacement."""
    points = series("table-1", f"n = {n}, m = {m}").points
    assert [y for _, y in points] == with_replacement(n, m, "substitute").weights()


def test_the_rates_end_where_the_text_says() -> None:
    """At rate 1 the amplification parameter is 2101/3125 for n = 5."""
    points = series("table-1", "with replacement, n = 5").points
    assert points[-1] == (mpq(1), mpq(2101, 3125))
    assert "2101/3125" in BY_ID["table-1"].note


def test_known_groups_are_below_derived_ones() -> None:
    """On each pair of axes, at every drawn point of the derived bound; the drawn chords are above the convex curve."""
    for known, derived in (
        ("group of 2, known", "group of 2, derived from δ"),
        ("with replacement, groups known", "with replacement, groups derived"),
    ):
        line = series("fig-1", known).points
        assert all(at(line, x) <= y + mpq(1, 200) for x, y in series("fig-1", derived).points)


def test_bounds_under_substitution_are_above_the_truth() -> None:
    """At every drawn level; at e^ε' = 3/2 the values are 1/32, 1/8 and 11/64."""
    true, seven, supplement = (s.points for s in BY_ID["fig-1"].panels[2].series)
    for (x, y), (x7, y7), (xs, ys) in zip(true, seven, supplement, strict=True):
        assert x == x7 == xs
        assert y <= y7 <= ys
    at_three_halves = [dict(points)[mpq(3, 2)] for points in (true, seven, supplement)]
    assert at_three_halves == [mpq(1, 32), mpq(1, 8), mpq(11, 64)]
