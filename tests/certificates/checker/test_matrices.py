"""Matrices, channels, witnesses and exact products."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle.certificates.checker import Rejected, matrices
from tests.certificates.checker.documents import channel, sha256, witness


@given(st.lists(st.fractions()))
def test_total_is_the_sum(values):
    """The balanced sum equals the plain one."""
    assert matrices.total(values) == sum(values, Fraction(0))


@pytest.mark.parametrize(
    "rows", [[], [[]], [["1"], []], [["1"], ["1", "0"]], [["-1"]], [[1]], ["1"], "1", [["1", None]], {"0": ["1"]}]
)
def test_misshapen_matrix_is_rejected(rows):
    """A matrix has rows of one length >= 1 and entries >= 0."""
    with pytest.raises(Rejected):
        matrices.matrix(rows, "$")


def test_channel_knows_its_masses_and_hash():
    """Masses are row sums; the hash is that of the canonical JSON."""
    document = channel("1/2 1/3", "0 1/7")
    read = matrices.partial_channel(document, "$", 2)
    assert read.masses == (Fraction(5, 6), Fraction(1, 7))
    assert read.digest == sha256(document)
    assert read.columns == 2


@pytest.mark.parametrize("rows", [("1/2 1/3", "0 1"), ("1 1/1000", "1 0")])
def test_row_that_does_not_sum_to_one_is_rejected(rows):
    """A stochastic channel has row sums of exactly 1."""
    with pytest.raises(Rejected, match="the row sums to"):
        matrices.stochastic_channel(channel(*rows), "$")


def test_rows_of_mass_zero_and_other_counts_are_rejected():
    """Even a partial channel has positive row masses, and as many rows as asked for."""
    with pytest.raises(Rejected, match="positive mass"):
        matrices.partial_channel(channel("0 0", "0 1"), "$")
    with pytest.raises(Rejected, match="expected 2 rows, got 3"):
        matrices.partial_channel(channel("1", "1", "1"), "$", 2)
    with pytest.raises(Rejected, match="unknown field"):
        matrices.partial_channel({**channel("1"), "inputs": ["D0"]}, "$")


GOOD = witness(2, 2, (0, 0, "1/2"), (0, 1, "1/2"), (1, 0, "1"))


@pytest.mark.parametrize(
    "changed",
    [
        {"rows": 3},
        {"columns": 10**9},
        {"rows": True},
        {"entries": [[0, 0, "1/2"], [0, 1, "1/2"]]},
        {"entries": [[0, 1, "1/2"], [0, 0, "1/2"], [1, 0, "1"]]},
        {"entries": [[0, 0, "1/2"], [0, 0, "1/2"], [1, 0, "1"]]},
        {"entries": [[0, 0, "3/2"], [0, 1, "-1/2"], [1, 0, "1"]]},
        {"entries": [[0, 0, "1"], [0, 1, "0"], [1, 0, "1"]]},
        {"entries": [[0, 0, "1"], [1, 2, "1"]]},
        {"entries": [[0, 0, "1", 0], [1, 0, "1"]]},
    ],
)
def test_what_is_no_witness_is_rejected(changed):
    """Shape, order, positivity and row sums are checked; silly sizes cost nothing."""
    assert matrices.witness(GOOD, 2, 2, "$").entries == 3
    with pytest.raises(Rejected):
        matrices.witness({**GOOD, **changed}, 2, 2, "$")


def test_product_is_exact():
    """A product that is off by 10^-1000 is rejected."""
    by = matrices.witness(GOOD, 2, 2, "$")
    left, tiny = [[Fraction(1, 3), Fraction(2, 3)]], Fraction(1, 10**1000)
    matrices.require_product(left, by, [[Fraction(5, 6), Fraction(1, 6)]], "$")
    with pytest.raises(Rejected):
        matrices.require_product(left, by, [[Fraction(5, 6) - tiny, Fraction(1, 6) + tiny]], "$")


@pytest.mark.parametrize("shape", [(2, 1, 1), (1, 2, 1), (1, 1, 2)])
def test_dense_product_checks_the_shapes(shape):
    """Matrices that do not fit are rejected."""
    one = [[Fraction(1)]]
    matrices.require_dense_product(one, one, one, "$")
    changed = [[[Fraction(1)] * (k if axis == 0 else 1)] for axis, k in enumerate(shape)]
    changed[1] *= shape[1]
    changed[2] *= shape[2]
    with pytest.raises(Rejected):
        matrices.require_dense_product(*changed, "$")


def test_silly_amounts_of_work_are_rejected():
    """A product of too many terms is refused before it is begun."""
    matrices.require_work(10**6, "$")
    with pytest.raises(Rejected, match="too large"):
        matrices.require_work(10**9, "$")
