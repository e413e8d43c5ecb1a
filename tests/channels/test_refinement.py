"""Refinement by example: witnesses, separating levels and what is refused."""

from __future__ import annotations

import pytest
from gmpy2 import mpq

from oracle.channels import refinement as module
from oracle.channels.channel import Channel
from oracle.channels.refinement import Separation, Witness, refine, refines, witness_of
from oracle.errors import InputError

STRONG = Channel([["9/10", "1/10"], ["1/2", "1/2"]])
WEAK = Channel([["9/10", "1/10"], ["4/5", "1/5"]])


def test_the_only_witness_of_example_3_is_found() -> None:
    evidence = refine(STRONG, WEAK)
    weights = ["37/40", "3/40", "27/40", "13/40"]
    places = [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert evidence == Witness(2, 2, tuple((i, j, mpq(w)) for (i, j), w in zip(places, weights, strict=True)))
    assert evidence.to_json() == {
        "rows": 2,
        "columns": 2,
        "entries": [[0, 0, "37/40"], [0, 1, "3/40"], [1, 0, "27/40"], [1, 1, "13/40"]],
    }


def test_the_other_way_there_is_a_separating_level() -> None:
    evidence = refine(WEAK, STRONG)
    assert evidence == Separation(mpq(2), mpq(0), mpq(3, 10))


def test_evidence_is_true_or_false_and_has_holds() -> None:
    yes, no = refine(STRONG, WEAK), refine(WEAK, STRONG)
    assert (bool(yes), yes.holds, bool(no), no.holds) == (True, True, False, False)
    assert refines(STRONG, WEAK)
    assert not refines(WEAK, STRONG)


def test_the_row_of_a_zero_column_is_stochastic_too() -> None:
    evidence = refine(Channel([["1/2", "1/2", "0"], ["1/2", "1/2", "0"]]), Channel([["1"], ["1"]]))
    assert evidence == Witness(3, 1, ((0, 0, mpq(1)), (1, 0, mpq(1)), (2, 0, mpq(1))))


def test_a_zero_column_of_right_receives_nothing() -> None:
    right = Channel([["0", "1"], ["0", "1"]])
    assert refine(STRONG, right) == Witness(2, 2, ((0, 1, mpq(1)), (1, 1, mpq(1))))


def test_the_witness_with_the_most_nonzeros() -> None:
    """Here n + m - 1 nonzeros are not enough: the witness is unique and has n + 2m - 2."""
    left = Channel([["2/3", "1/3"], ["1/3", "2/3"]])
    right = Channel([["7/18", "1/3", "5/18"], ["5/18", "1/3", "7/18"]])
    evidence = refine(left, right)
    assert [w for _, _, w in evidence.entries] == [mpq(x) for x in ("1/2", "1/3", "1/6", "1/6", "1/3", "1/2")]


def test_the_product_of_a_witness_is_the_right_channel() -> None:
    assert refine(STRONG, WEAK).product(STRONG) == WEAK.rows


def test_partial_channels_of_equal_masses_compare() -> None:
    rows = [[[v / 2 for v in row] for row in channel.rows] for channel in (STRONG, WEAK)]
    left, right = (Channel(r, partial=True) for r in rows)
    assert refine(left, right) == refine(STRONG, WEAK)
    assert not refines(right, left)


def test_different_masses_are_refused() -> None:
    half = Channel([["1/2"], ["1"]], partial=True)
    with pytest.raises(InputError, match="right: expected two channels of equal row masses, got different ones"):
        refine(Channel([["1"], ["1"]]), half)


def test_different_numbers_of_rows_are_refused() -> None:
    with pytest.raises(InputError, match="right: expected 2 rows as in left, got 3 rows"):
        refine(STRONG, Channel([["1"], ["1"], ["1"]]))


def test_a_refinement_that_must_hold_and_does_not_is_a_fault_and_no_answer() -> None:
    assert witness_of(STRONG, WEAK) == refine(STRONG, WEAK)
    with pytest.raises(ArithmeticError, match="two ways to one answer disagree"):
        witness_of(WEAK, STRONG)


def test_the_coupling_stops_rather_than_invents_where_the_curves_are_not_ordered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "_separating_level", lambda *_: None)
    with pytest.raises((ArithmeticError, IndexError)):
        refine(Channel([["1"], ["1"]]), STRONG)
