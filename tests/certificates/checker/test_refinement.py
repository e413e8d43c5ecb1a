"""Certificates for and against refinement."""

from __future__ import annotations

import copy
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle.certificates.checker import Accepted, Rejected, check
from tests.certificates.checker import truth
from tests.certificates.checker.documents import FIGURE_4_C, FIGURE_4_M, certificate, channel, witness
from tests.certificates.checker.test_curves import WEIGHTS, two_rows

IDENTITY = witness(2, 2, (0, 0, "1"), (1, 1, "1"))


def accepted(document):
    """Whether a document is accepted."""
    try:
        return isinstance(check(document), Accepted)
    except Rejected:
        return False


def test_the_witness_must_give_right():
    """The identity takes left to left and to nothing else."""
    assert accepted(certificate("refinement", left=FIGURE_4_C, right=FIGURE_4_C, witness=IDENTITY))
    with pytest.raises(Rejected, match="row 1, column 0"):
        check(certificate("refinement", left=FIGURE_4_C, right=FIGURE_4_M, witness=IDENTITY))


def test_partial_channels_must_have_the_same_masses():
    """Row masses differ: no claim; a different number of rows: no claim."""
    left, right = channel("1/2 1/4", "1/4 1/4"), channel("1/2 1/2", "1/2 1/2")
    with pytest.raises(Rejected, match="row masses"):
        check(certificate("refinement", left=left, right=right, witness=IDENTITY))
    with pytest.raises(Rejected, match="row masses"):
        check(certificate("separating_level", left=left, right=right, h="0", left_value="1/2", right_value="1"))
    with pytest.raises(Rejected, match="expected 2 rows"):
        check(certificate("refinement", left=left, right=channel("3/4", "1/2", "1"), witness=witness(2, 1)))


def test_zero_columns_still_need_a_stochastic_row():
    """A witness row for a column of zeros changes nothing, but must sum to 1."""
    left, right = channel("1 0", "1 0"), channel("1", "1")
    assert accepted(certificate("refinement", left=left, right=right, witness=witness(2, 1, (0, 0, "1"), (1, 0, "1"))))
    assert not accepted(certificate("refinement", left=left, right=right, witness=witness(2, 1, (0, 0, "1"))))


@given(WEIGHTS, WEIGHTS, st.fractions(min_value=0, max_value=5, max_denominator=6))
def test_separating_levels(first, second, level):
    """A level with the true sums is accepted exactly when it separates, and then left is not below right."""
    left, right = two_rows(first), two_rows(second)
    values = [
        sum((max(q - level * p, Fraction(0)) for p, q in zip(*truth._rows(c), strict=True)), Fraction(0))
        for c in (left, right)
    ]
    document = certificate(
        "separating_level",
        left=left,
        right=right,
        h=str(level),
        left_value=str(values[0]),
        right_value=str(values[1]),
    )
    assert accepted(document) == (values[0] < values[1])
    assert values[0] >= values[1] or not truth._below(left, right)


@pytest.mark.parametrize("field", ["left_value", "right_value"])
def test_values_are_recomputed(field):
    """A value that is off by 10^-5000 is rejected."""
    fields = {"left": FIGURE_4_M, "right": FIGURE_4_C, "h": "13/10", "left_value": "7/100", "right_value": "37/100"}
    changed = copy.deepcopy(fields)
    above, below = fields[field].split("/")
    # numerator 10^5000 n + 1 is odd and no multiple of 5, so the fraction is in lowest terms
    changed[field] = f"{above}{'0' * 4999}1/{below}{'0' * 5000}"
    assert accepted(certificate("separating_level", **fields))
    with pytest.raises(Rejected) as rejected:
        check(certificate("separating_level", **changed))
    assert rejected.value.where == f"$.{field}"
