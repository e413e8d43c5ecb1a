"""Trade-off functions by example: what makes one, evaluation, order, lattice, inverse."""

from __future__ import annotations

from fractions import Fraction

import pytest
from gmpy2 import mpq

from oracle.channels.tradeoff import (
    TradeoffFunction,
    approximate_dp_curve,
    lower_hull,
    maximum,
    minimum,
    parse_tradeoff,
    upper_envelope,
)
from oracle.errors import InputError
from oracle.exact import INFINITY

DIAGONAL = TradeoffFunction([["0", "1"], ["1", "0"]])
ZERO = TradeoffFunction([["0", "0"], ["1", "0"]])
HALF = TradeoffFunction([["0", "1/2"], ["1/4", "1/4"], ["1", "0"]])
SYMMETRIC = TradeoffFunction([["0", "1"], ["1/4", "1/4"], ["1", "0"]])

BAD = [
    ([["0", "1"], ["1/2", "3/4"], ["1", "0"]], "[1][1]: expected beta between 0 and 1 - alpha, got 3/4 at alpha = 1/2"),
    ([["0", "2"], ["1", "0"]], "[0][1]: expected beta between 0 and 1 - alpha, got 2 at alpha = 0"),
    ([["0", "1"], ["1/2", "-1/4"], ["1", "0"]], "[1][1]: expected beta between 0 and 1 - alpha, got -1/4"),
    ([["0", "1/4"], ["1/2", "1/2"], ["1", "0"]], "[1][1]: expected beta non-increasing, got 1/2 after 1/4"),
    ([["0", "1/2"], ["1/2", "1/2"], ["1", "0"]], "[1]: expected a convex curve, got a slope that falls at alpha = 1/2"),
    (
        [["0", "1"], ["0", "1/2"], ["1", "0"]],
        "[1][0]: expected alpha strictly increasing, got two corners at 0 (a jump)",
    ),
    ([["0", "1"], ["1/2", "1/4"], ["1/4", "1/4"], ["1", "0"]], "[2][0]: expected alpha strictly increasing, got 1/4"),
    ([["1/4", "1/2"], ["1", "0"]], "[0][0]: expected the first corner at alpha = 0, got 1/4"),
    ([["0", "1"], ["1/2", "0"]], 'expected the last corner ("1", "0"), got (1/2, 0)'),
    ([["0", "1"]], "expected a list of at least two corners [alpha, beta]"),
    ([], "expected a list of at least two corners"),
    ("0110", "expected a list of at least two corners"),
    (None, "expected a list of at least two corners"),
    ([["0", "1"], ["1"]], '[1]: expected a corner [alpha, beta], got ["1"]'),
    ([["0", "1"], "10"], "[1]: expected a corner [alpha, beta], got 10"),
    ([["0", 0.5], ["1", "0"]], "[0][1]: expected the number as a string"),
    ([["0", "nan"], ["1", "0"]], "[0][1]: expected a finite number"),
]


@pytest.mark.parametrize(("corners", "message"), BAD, ids=[m[:60] for _, m in BAD])
def test_what_is_no_trade_off_function_is_refused_with_its_place(corners: object, message: str) -> None:
    with pytest.raises(InputError) as caught:
        TradeoffFunction(corners)
    assert str(caught.value).startswith("breakpoints")
    assert message in str(caught.value)
    with pytest.raises(InputError) as caught:
        parse_tradeoff({"breakpoints": corners}, "args.tradeoff")
    assert str(caught.value).startswith("args.tradeoff.breakpoints")
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([], 'args.tradeoff: expected a trade-off function {"breakpoints": [...]}, got []'),
        ({}, 'args.tradeoff: expected the key "breakpoints", got none'),
        ({"breakpoints": [], "x": 1}, 'args.tradeoff: expected only the keys breakpoints, got the key "x"'),
    ],
)
def test_a_bad_document_is_refused(value: object, message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_tradeoff(value, "args.tradeoff")
    assert str(caught.value) == message


def test_collinear_corners_are_accepted_and_dropped() -> None:
    curve = TradeoffFunction([["0", "1"], ["1/4", "3/4"], ["1/2", "1/2"], ["1", "0"]])
    assert curve == DIAGONAL
    assert len(curve.corners) == 2
    assert hash(curve) == hash(DIAGONAL)


def test_a_curve_round_trips_through_json_and_fractions() -> None:
    assert HALF.to_json() == {"breakpoints": [["0", "1/2"], ["1/4", "1/4"], ["1", "0"]]}
    assert parse_tradeoff(HALF.to_json()) == HALF
    assert HALF.breakpoints[1] == (Fraction(1, 4), Fraction(1, 4))
    assert TradeoffFunction(HALF.breakpoints) == HALF


@pytest.mark.parametrize(("alpha", "beta"), [("0", "1/2"), ("1/8", "3/8"), ("1/4", "1/4"), ("5/8", "1/8"), ("1", "0")])
def test_values_are_interpolated_exactly(alpha: str, beta: str) -> None:
    assert HALF(alpha) == Fraction(beta)
    assert HALF.at(mpq(alpha)) == mpq(beta)


@pytest.mark.parametrize("alpha", ["-1/10", "11/10"])
def test_alpha_lies_in_0_1(alpha: str) -> None:
    with pytest.raises(InputError, match="alpha: expected alpha between 0 and 1, got"):
        HALF(alpha)


def test_the_order_is_pointwise_and_partial() -> None:
    steep = TradeoffFunction([["0", "1"], ["1/8", "1/8"], ["1", "0"]])
    assert HALF >= ZERO
    assert HALF <= DIAGONAL
    assert not HALF <= steep  # noqa: SIM300 - a curve, not a constant
    assert not steep <= HALF


def test_equality_of_other_things() -> None:
    assert HALF != "curve"
    assert HALF != SYMMETRIC


@pytest.mark.parametrize(
    ("curve", "inverse"),
    [
        (DIAGONAL, DIAGONAL),
        (ZERO, ZERO),
        (SYMMETRIC, SYMMETRIC),
        (HALF, TradeoffFunction([["0", "1"], ["1/4", "1/4"], ["1/2", "0"], ["1", "0"]])),
        (TradeoffFunction([["0", "1"], ["1/2", "0"], ["1", "0"]]), TradeoffFunction([["0", "1/2"], ["1", "0"]])),
    ],
)
def test_inverses(curve: TradeoffFunction, inverse: TradeoffFunction) -> None:
    assert curve.inverse() == inverse
    assert inverse.inverse() == curve
    assert curve.is_symmetric() == (curve == inverse)


def test_symmetrising_takes_the_lattice_minimum_with_the_inverse() -> None:
    assert HALF.symmetrised() == TradeoffFunction([["0", "1/2"], ["1/4", "1/4"], ["1/2", "0"], ["1", "0"]])
    assert SYMMETRIC.symmetrised() == SYMMETRIC


def test_the_minimum_is_a_hull_and_not_pointwise() -> None:
    f = TradeoffFunction([["0", "1"], ["1/4", "1/4"], ["1", "0"]])
    g = TradeoffFunction([["0", "1/2"], ["1", "0"]])
    low = minimum([f, g])
    assert low == HALF
    steps = [TradeoffFunction([["0", "1"], [a, b], ["1", "0"]]) for a, b in (("1/8", "1/2"), ("1/2", "1/8"))]
    assert minimum(steps).at(mpq(5, 16)) == mpq(5, 16)
    assert min(curve.at(mpq(5, 16)) for curve in steps) > mpq(5, 16)


def test_the_maximum_crosses_where_the_curves_do() -> None:
    steps = [TradeoffFunction([["0", "1"], [a, b], ["1", "0"]]) for a, b in (("1/8", "1/2"), ("1/2", "1/8"))]
    top = maximum(steps)
    assert (mpq(4, 11), mpq(4, 11)) in top.corners
    assert TradeoffFunction(top.corners) == top


@pytest.mark.parametrize("function", [minimum, maximum])
def test_bounds_of_no_curve_do_not_exist(function) -> None:
    with pytest.raises(InputError, match="expected at least one trade-off function, got none"):
        function([])


def test_the_hull_takes_the_lowest_of_equal_alphas_and_drops_the_middle_of_three_on_a_line() -> None:
    points = [(0, 4), (0, 3), (1, 2), (2, 1), (3, 0), (3, 5)]
    assert lower_hull([(mpq(a), mpq(b)) for a, b in points]) == [(0, 3), (3, 0)]
    assert lower_hull([(mpq(1), mpq(1))]) == [(1, 1)]


def test_the_envelope_of_one_curve_is_itself() -> None:
    assert upper_envelope([HALF.corners]) == list(HALF.corners)


def test_the_curve_of_an_approximate_claim() -> None:
    assert approximate_dp_curve(mpq(3), mpq(1, 10)) == TradeoffFunction(
        [["0", "9/10"], ["9/40", "9/40"], ["9/10", "0"], ["1", "0"]]
    )
    assert approximate_dp_curve(mpq(1), mpq(0)) == DIAGONAL
    assert approximate_dp_curve(mpq(2), mpq(1)) == ZERO


@pytest.mark.parametrize(
    ("level", "delta", "message"),
    [
        (mpq(1, 2), mpq(0), "exp_epsilon: expected a finite exp_epsilon at least 1, got 1/2"),
        (INFINITY, mpq(0), "exp_epsilon: expected a finite exp_epsilon at least 1, got inf"),
        (mpq(2), mpq(-1, 10), "delta: expected delta between 0 and 1, got -1/10"),
        (mpq(2), mpq(11, 10), "delta: expected delta between 0 and 1, got 11/10"),
    ],
)
def test_a_claim_out_of_range_has_no_curve(level, delta: mpq, message: str) -> None:
    with pytest.raises(InputError) as caught:
        approximate_dp_curve(level, delta)
    assert str(caught.value) == message


def test_the_representation_can_be_read_back() -> None:
    assert eval(repr(HALF)) == HALF  # noqa: S307 - our own text
    many = [[mpq(i, 10), mpq((10 - i) ** 2, 100)] for i in range(11)]
    assert repr(TradeoffFunction(many)) == "<TradeoffFunction with 11 corners>"
