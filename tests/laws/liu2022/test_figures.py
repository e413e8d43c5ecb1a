"""Figures 1 and 2: enclosures, consistent with the claims' worked values and with one another."""

from __future__ import annotations

import csv
import io
from itertools import pairwise

import pytest
from gmpy2 import mpq

from oracle.gaussian_dp.examples import EXAMPLES
from oracle.laws.figures import Figure, Panel, Series, to_csv
from oracle.laws.liu2022._transform import ICEA, SGD, Formula, real
from oracle.laws.liu2022.figures import FIGURES, grid, measured_steps
from oracle.laws.papers import figures_of

BY_ID = {figure.id: figure for figure in FIGURES}


def panel(figure: str, number: int) -> dict[str, Series]:
    return {series.label: series for series in BY_ID[figure].panels[number].series}


def between(series: Series, x: str, low: str, high: str) -> bool:
    """Whether the enclosure drawn at x lies between two decimals."""
    place = [point[0] for point in series.points].index(mpq(x))
    return mpq(low) <= series.points[place][1] <= series.upper[place] <= mpq(high)


def test_both_figures_are_there_in_order() -> None:
    """Figure 1, then figure 2."""
    assert [figure.id for figure in figures_of("liu2022")] == ["fig-1", "fig-2"]


@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: figure.id)
def test_every_figure_says_what_it_shows(figure: Figure) -> None:
    """Title, description, note and claims are there; labels are distinct and enclosures inside the axes."""
    assert all((figure.title, figure.description, figure.note, figure.claims))
    for axes in figure.panels:
        labels = [s.label for s in axes.series]
        assert len(set(labels)) == len(labels)
        for series in axes.series:
            for (x, low), high in zip(series.points, series.upper, strict=True):
                assert axes.x_range[0] <= x <= axes.x_range[1]
                assert axes.y_range[0] <= low <= high <= axes.y_range[1]


def test_lines_run_from_left_to_right() -> None:
    """Every series has strictly increasing x."""
    for series in (s for figure in FIGURES for axes in figure.panels for s in axes.series):
        assert all(a[0] < b[0] for a, b in pairwise(series.points))


def test_enclosures_are_narrow() -> None:
    """No enclosure is wider than 10^-12 of its upper end; exact values are enclosed by themselves."""
    for series in (s for figure in FIGURES for axes in figure.panels for s in axes.series):
        for (_, low), high in zip(series.points, series.upper, strict=True):
            assert (high - low) * 10**12 <= high


def test_a_mechanism_looks_alike_in_all_panels() -> None:
    """Style goes by the place among the lines: Laplace noise is the first, SGD the second, ICEA the third."""
    for axes in (*BY_ID["fig-1"].panels, BY_ID["fig-2"].panels[0]):
        labels = [series.label for series in axes.series]
        assert [label.partition(",")[0] for label in labels[:3]] == ["Laplace noise", "SGD", "ICEA"]
    assert BY_ID["fig-2"].panels[1].series[1].label == "G of SGD"


@pytest.mark.parametrize(("formula", "label"), [(SGD, "SGD"), (ICEA, "ICEA")])
def test_the_profiles_are_those_of_the_formulas(formula: Formula, label: str) -> None:
    """At every drawn point the enclosure overlaps that of the laws, refined and naive; refined is not above naive."""
    lines = panel("fig-1", 0)
    refined, naive = lines[f"{label}, refined"], lines[f"{label}, naive"]
    for (x, low), high, (_, naive_low), naive_high in zip(
        refined.points, refined.upper, naive.points, naive.upper, strict=True
    ):
        own = formula.refined(real(x))
        assert own.lo <= high
        assert low <= own.hi
        assert low <= naive_high
        if x:
            assert formula.naive(real(x)).lo <= naive_high
            assert naive_low <= formula.naive(real(x)).hi


def test_worked_values_are_on_the_curves() -> None:
    """delta_1(1), delta_4(2), delta of SGD at 0, G of SGD at 2, of ICEA at 20 and of Laplace noise at 1."""
    right, transforms = panel("fig-1", 1), panel("fig-2", 0)
    assert between(right["δ_μ, μ = 1"], "1", "0.1269367375066", "0.1269367375067")
    assert between(right["δ_μ, μ = 4"], "2", "0.8873092332833", "0.8873092332834")
    assert between(right["SGD"], "0", "0.6466850897655", "0.6466850897656")
    assert between(transforms["SGD"], "2", "0.9790433827896", "0.9790433827897")
    assert between(transforms["ICEA"], "20", "4.8106851630739", "4.8106851630740")
    assert between(transforms["Laplace noise, θ = 2"], "1", "1.6859908712164", "1.6859908712165")


def test_the_drawn_crossings() -> None:
    """Two of ICEA with the curve of mu = 2, one each of SGD and Laplace noise with that of mu = 1."""
    places = [x for x, _ in panel("fig-1", 1)["crossings, ε to 12 digits"].points]
    known = ("1.0931352659114", "1.9244526792910", "1.9531175990892", "3.0523809034897")
    assert all(mpq(text) <= x < mpq(text) + mpq(1, 10**12) for x, text in zip(places, known, strict=True))


def test_icea_is_drawn_above_the_first_curve() -> None:
    """At every drawn point, as the figure's note says."""
    lines = panel("fig-1", 1)
    for (_, low), high in zip(lines["ICEA"].points, lines["δ_μ, μ = 1"].upper, strict=True):
        assert low > high


def test_the_transform_of_sgd_lies_between_the_cells() -> None:
    """In the middle of each cell; the maxima are the two numbers drawn as lines."""
    low, high = measured_steps(EXAMPLES["sgd"])
    for (x, least), (_, most) in zip(low, high, strict=True):
        middle = SGD.transform(x)
        assert least.hi < middle.lo
        assert middle.hi < most.lo
    lines = panel("fig-2", 1)
    for label, cells in (("μ-, their maximum", low), ("μ+, their maximum", high)):
        line = lines[label]
        assert max(g.lo for _, g in cells) <= line.upper[0]
        assert line.points[0][1] <= max(g.hi for _, g in cells)


def test_the_grid_joins_its_pieces() -> None:
    """End points that two pieces share are there once."""
    assert grid((2, mpq(0), mpq(1)), (1, mpq(1), mpq(3))) == [0, mpq(1, 2), 1, 3]


def test_data_with_enclosures_have_both_ends() -> None:
    """Rounded outwards to 20 digits where they are longer; exact points of the same figure have two equal ends."""
    third = mpq(1, 3)
    lines = (
        Series("enclosed", ((third, mpq("0.25")),), upper=(third,)),
        Series("exact", ((mpq(1), mpq(1, 2)),)),
    )
    text = to_csv(Figure("fig-0", "t", "d", ("c",), (Panel("p", "x", "y", lines),), "n"))
    header, first, second = csv.reader(io.StringIO(text))
    assert header[4:] == ["x", "y", "y_upper"]
    assert first[4:] == ["1/3", "0.25", "0.33333333333333333334"]
    assert second[4:] == ["1", "0.5", "0.5"]
