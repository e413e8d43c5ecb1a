"""The figures' data: exact, consistent with the claims' worked values, and complete."""

from __future__ import annotations

import csv
import io
from itertools import pairwise

import pytest
from gmpy2 import mpq

from oracle.laws.compare import at, curve_at_most, curves_equal, valid_curve
from oracle.laws.fernandes2025.figures import FIGURES
from oracle.laws.figures import Figure, Series, to_csv
from oracle.laws.papers import figures_of

BY_ID = {figure.id: figure for figure in FIGURES}


def corners(*pairs: str) -> tuple[tuple[mpq, mpq], ...]:
    return tuple((mpq(a), mpq(b)) for a, b in (pair.split(",") for pair in pairs))


def series(figure: str, label: str) -> Series:
    (found,) = (s for panel in BY_ID[figure].panels for s in panel.series if s.label == label)
    return found


def test_figures_2_to_9_are_there_in_order() -> None:
    """One figure for each printed one, as the paper numbers them."""
    assert [f"fig-{n}" for n in range(2, 10)] == [figure.id for figure in figures_of("fernandes2025")]


@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: figure.id)
def test_every_figure_says_what_it_shows(figure: Figure) -> None:
    """Title, description, note and claims are there, and labels are distinct within a panel."""
    assert all((figure.title, figure.description, figure.note, figure.claims))
    for panel in figure.panels:
        labels = [s.label for s in panel.series]
        assert len(set(labels)) == len(labels)
        assert all(0 <= v <= 1 for s in panel.series for point in s.points for v in point)


@pytest.mark.parametrize("figure", ["fig-2", "fig-6", "fig-7", "fig-8", "fig-9"])
def test_curves_are_trade_off_functions(figure: str) -> None:
    """Everything that is joined over α is convex and below 1 - α."""
    for panel in BY_ID[figure].panels:
        assert max(valid_curve(s.points) for s in panel.series if s.role != "point") <= 0


@pytest.mark.parametrize(
    ("figure", "label", "expected"),
    [
        ("fig-2", "f for ε, δ", corners("0,9/10", "63/260,63/260", "9/10,0", "1,0")),
        ("fig-3", "V of C = 29/50", corners("1/2,29/50")),
        ("fig-4", "V of C = 37/200", corners("1/2,37/200")),
        ("fig-4", "V of M = 7/200", corners("1/2,7/200")),
        ("fig-6", "T(C ∥ C)", corners("0,361/400", "361/3600,361/720", "361/720,361/3600", "361/400,0", "1,0")),
        ("fig-6", "(2ε, 2δ) rule", corners("0,9/10", "9/50,9/50", "9/10,0", "1,0")),
        (
            "fig-7",
            "D, hidden choice with U",
            corners("0,1", "37/160,69/160", "47/160,47/160", "69/160,37/160", "1,0"),
        ),
        (
            "fig-7",
            "Z = D·G, columns sorted (text)",
            corners("0,1", "157/640,349/640", "3/8,3/8", "349/640,157/640", "1,0"),
        ),
        (
            "fig-7",
            "D·G, columns as labelled (plot)",
            corners("0,1", "9/40,27/40", "67/160,67/160", "27/40,9/40", "1,0"),
        ),
        ("fig-8", "sub-sampled, P·C", corners("0,49/50", "63/260,851/1300", "9/10,2/25", "1,0")),
        (
            "fig-9",
            "visible choice, true",
            corners("0,93/100", "3/70,471/700", "177/700,177/700", "471/700,3/70", "93/100,0", "1,0"),
        ),
    ],
)
def test_worked_values(figure: str, label: str, expected: tuple[tuple[mpq, mpq], ...]) -> None:
    """Corners and points that the paper or the claims' worked values give."""
    assert expected == series(figure, label).points


def test_the_non_covering_curve_reaches_zero_early() -> None:
    """T(D') hits 0 at 76/79, and the two orders of the columns give the ratios that the note names."""
    assert corners("76/79,0")[0] in series("fig-7", "D', hidden choice with U").points
    for label, ratio in (("D'·G, columns sorted", "6169/3003"), ("Z' = D'·G, columns as labelled (plot)", "1148/689")):
        (a0, b0), (a1, b1) = series("fig-7", label).points[:2]
        assert mpq(ratio) == (b0 - b1) / (a1 - a0)
        assert ratio in BY_ID["fig-7"].note


def test_averages_lie_on_the_chords() -> None:
    """The vulnerability of figures 3 to 5 is the chord's value over the prior 1/2."""
    for figure, chord, point in (
        ("fig-3", "posteriors of C, joined", "V of C = 29/50"),
        ("fig-4", "posteriors of C at α, joined", "V of C = 37/200"),
        ("fig-4", "posteriors of M at α, joined", "V of M = 7/200"),
    ):
        ((x, y),) = series(figure, point).points
        assert y == at(series(figure, chord).points, x)
    (left, right) = BY_ID["fig-5"].panels
    assert left.series[-1].points == right.series[-1].points == corners("1/2,19/80")
    assert mpq(19, 80) == at(right.series[1].points, mpq(1, 2))


def test_the_printed_average_is_too_high_by_3_25() -> None:
    """Figure 9's pointwise average is nowhere below the true curve and 3/25 above it at 3/70."""
    average, truth = series("fig-9", "pointwise average").points, series("fig-9", "visible choice, true").points
    assert curve_at_most(truth, average) <= 0
    assert mpq(3, 25) == curve_at_most(average, truth)
    assert mpq(3, 25) == at(average, mpq(3, 70)) - at(truth, mpq(3, 70))


def test_the_claimed_parallel_bound_is_too_high() -> None:
    """Figure 6's ⊓ formula is above the true curve: 1919/3600 where 361/720 is true."""
    claimed, truth = series("fig-6", "printed formula with ⊓").points, series("fig-6", "T(C ∥ C)").points
    assert curve_at_most(truth, claimed) <= 0
    assert (mpq(361, 720), mpq(1919, 3600)) == (at(truth, mpq(361, 3600)), at(claimed, mpq(361, 3600)))
    rule = series("fig-6", "(2ε, 2δ) rule").points
    assert curve_at_most(rule, truth) <= 0
    assert curves_equal(rule, truth) > 0


def test_sub_sampling_gains_most_at_b() -> None:
    """Figure 8: the gain at B is 134/325."""
    sampled, original = series("fig-8", "sub-sampled, P·C").points, series("fig-8", "C").points
    assert mpq(134, 325) == curve_at_most(sampled, original)


@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: figure.id)
def test_the_csv_holds_every_point_exactly(figure: Figure) -> None:
    """Reading the file back gives the points; decimals are at or below them, by less than 10^-11."""
    rows = list(csv.DictReader(io.StringIO(to_csv(figure))))
    points = [(s.label, *p) for panel in figure.panels for s in panel.series for p in s.points]
    assert points == [(row["series"], mpq(row["x"]), mpq(row["y"])) for row in rows]
    for row in rows:
        for name in ("x", "y"):
            assert 0 <= mpq(row[name]) - mpq(row[f"{name}_decimal"]) < mpq(1, 10**11)
    assert "\r" not in to_csv(figure)


def test_lines_run_from_left_to_right() -> None:
    """Every joined series has strictly increasing x."""
    for figure in FIGURES:
        for panel in figure.panels:
            for line in panel.series:
                assert line.role == "point" or all(a[0] < b[0] for a, b in pairwise(line.points))
