"""Figure 1 and the comparison of concurrent composition with its bounds: exact data in the order it must have."""

from __future__ import annotations

from itertools import pairwise

import pytest
from gmpy2 import mpq

from oracle.laws.compare import at, curve_at_most, curves_equal
from oracle.laws.figures import Figure
from oracle.laws.vadhan2023.diagram import DRAWN, drawn_probabilities, drawn_view
from oracle.laws.vadhan2023.figures import FIGURES, exchange

BY_ID = {figure.id: figure for figure in FIGURES}


def test_figures_are_there_in_order() -> None:
    """The paper's figure, then ours."""
    assert [figure.id for figure in FIGURES] == ["fig-1", "concurrent"]


@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: figure.id)
def test_every_figure_says_what_it_shows(figure: Figure) -> None:
    """Title, description, note and claims are there; labels are distinct and points inside the axes."""
    assert all((figure.title, figure.description, figure.note, figure.claims))
    for panel in figure.panels:
        labels = [s.label for s in panel.series]
        assert len(set(labels)) == len(labels)
        for series in panel.series:
            assert all(a[0] < b[0] for a, b in pairwise(series.points))
        for x, y in (point for s in panel.series for point in s.points):
            assert panel.x_range[0] <= x <= panel.x_range[1]
            assert panel.y_range[0] <= y <= panel.y_range[1]


def test_the_exchange_is_a_view() -> None:
    """It visits M_1, M_2, M_1, M_2 and returns each time; its probabilities are those of the view."""
    path, queries, answers = exchange()
    assert [y for _, y in queries] == [1, 0, 1, 0]
    assert [y for _, y in answers] == [mpq(1, 2)] * 4
    assert [x for x, _ in path] == list(range(len(DRAWN) + 1))
    view = drawn_view()
    assert (drawn_probabilities(0)[-1], drawn_probabilities(1)[-1]) == (view.p, view.q) == (mpq(9, 16), mpq(1, 16))


def test_curves_are_in_the_order_of_the_bounds() -> None:
    """Sequential orders above the concurrent curve, above N_1 x N_2, above the optimal bound, in every panel."""
    for panel in BY_ID["concurrent"].panels:
        first, second, concurrent, product, optimal = (s.points for s in panel.series)
        for upper, lower in ((first, concurrent), (second, concurrent), (concurrent, product), (product, optimal)):
            assert curve_at_most(lower, upper) <= 0


def test_what_the_panels_show() -> None:
    """Left: interleaving gains and N x N is attained. Middle: the orders differ. Right: N x N is not attained."""
    left, middle, right = ([s.points for s in panel.series] for panel in BY_ID["concurrent"].panels)
    assert [at(points, mpq(1, 4)) for points in left[:3]] == [mpq(9, 80), mpq(9, 80), mpq(1, 16)]
    assert curves_equal(left[2], left[3]) == 0
    assert curves_equal(middle[0], middle[1]) > 0
    assert curves_equal(middle[2], middle[3]) == 0
    assert curves_equal(right[0], right[2]) == 0
    assert curve_at_most(right[2], right[3]) > 0
