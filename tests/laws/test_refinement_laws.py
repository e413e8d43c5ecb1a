"""Refinement: decided by the coupling, by the curves over all events, and by z3 as a linear programme."""

from __future__ import annotations

from random import Random

import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle.channels.channel import Channel
from oracle.channels.divergences import hockey_stick
from oracle.channels.refinement import Separation, Witness, refine, refines
from oracle.exact import to_fraction
from oracle.laws.strategies import (
    NASTY_CHANNELS,
    NearPair,
    nearly_refining_pairs,
    partial_families,
    post_processed,
    two_row_channels,
    witnesses,
)
from tests.laws import reference

TWO_AND_TWO = st.one_of(
    st.tuples(two_row_channels(5), two_row_channels(5)),
    two_row_channels(5).flatmap(
        lambda c: st.tuples(st.just(c), witnesses(c.shape[1]).map(lambda w: post_processed(c, w)))
    ),
    partial_families(2, 2).map(tuple),
)


def check_evidence(left: Channel, right: Channel) -> bool:
    """The verdict, after its evidence has been recomputed in fractions."""
    evidence = refine(left, right)
    if isinstance(evidence, Witness):
        matrix = reference.dense(evidence.rows, evidence.columns, evidence.entries)
        assert reference.is_stochastic(matrix)
        assert [tuple(row) for row in reference.product(left.matrix, matrix)] == list(right.matrix)
        assert evidence.product(left) == right.rows
        assert list(evidence.entries) == sorted(evidence.entries)
        assert all(weight > 0 for _, _, weight in evidence.entries)
        extra = sum(1 for column in zip(*left.rows, strict=True) if not any(column))
        assert len(evidence.entries) <= left.shape[1] + 2 * right.shape[1] + extra
    else:
        level, sides = to_fraction(evidence.level), []
        for channel in (left, right):
            p, q = channel.matrix
            sides.append(sum((max(b - level * a, reference.ZERO) for a, b in zip(p, q, strict=True)), reference.ZERO))
        assert level >= 0
        assert sides == [to_fraction(evidence.left), to_fraction(evidence.right)]
        assert evidence.left < evidence.right
    assert bool(evidence) == evidence.holds == refines(left, right)
    return evidence.holds


@given(TWO_AND_TWO)
def test_the_coupling_the_curves_and_z3_agree(pair: tuple[Channel, Channel]) -> None:
    for left, right in (pair, pair[::-1]):
        verdict = check_evidence(left, right)
        assert verdict == reference.curve_order(left.matrix, right.matrix)
        assert verdict == reference.has_witness(left.matrix, right.matrix)


@pytest.mark.parametrize("left", NASTY_CHANNELS, ids=repr)
def test_all_pairs_of_the_pool_agree_with_the_curves_and_z3(left: Channel) -> None:
    for right in NASTY_CHANNELS:
        verdict = check_evidence(left, right)
        assert verdict == reference.curve_order(left.matrix, right.matrix)
        assert verdict == reference.has_witness(left.matrix, right.matrix)


def check_wide_pair(columns: int, seed: int) -> None:
    random = Random(seed)  # noqa: S311
    weights = [[random.randint(0, 9) for _ in range(columns - 1)] + [1] for _ in range(2)]
    left = Channel([[mpq(v, sum(row)) for v in row] for row in weights])
    rows = [[random.choice([0, 0, 0, 1, 2]) for _ in range(columns - 1)] + [1] for _ in range(columns)]
    right = post_processed(left, tuple(tuple(mpq(v, sum(row)) for v in row) for row in rows))
    assert check_evidence(left, right)
    assert reference.has_witness(left.matrix, right.matrix)
    assert check_evidence(right, left) == reference.has_witness(right.matrix, left.matrix)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("columns", [8, 10, 12])
def test_z3_agrees_on_twelve_columns(columns: int, seed: int) -> None:
    check_wide_pair(columns, seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_z3_agrees_on_sixteen_columns(seed: int) -> None:
    check_wide_pair(16, seed)


@settings(max_examples=150)
@given(nearly_refining_pairs())
def test_a_hair_decides_and_the_evidence_is_right(pair: NearPair) -> None:
    assert check_evidence(pair.left, pair.right) == pair.holds


@given(nearly_refining_pairs(max_columns=4, max_bits=64))
def test_z3_agrees_on_a_hair(pair: NearPair) -> None:
    assert reference.has_witness(pair.left.matrix, pair.right.matrix) == pair.holds


@given(two_row_channels())
def test_refinement_is_reflexive_between_the_two_ends(channel: Channel) -> None:
    assert check_evidence(channel, channel)
    assert check_evidence(Channel([["1", "0"], ["0", "1"]]), channel)
    assert check_evidence(channel, Channel([["1"], ["1"]]))


@given(two_row_channels(), st.data())
def test_post_processing_refines_and_composes(channel: Channel, data) -> None:
    middle = post_processed(channel, data.draw(witnesses(channel.shape[1])))
    last = post_processed(middle, data.draw(witnesses(middle.shape[1])))
    assert check_evidence(channel, middle)
    assert check_evidence(middle, last)
    assert check_evidence(channel, last)


@given(two_row_channels(), two_row_channels())
def test_refinement_is_the_order_of_hockey_sticks_at_the_ratios(left: Channel, right: Channel) -> None:
    levels = reference.breakpoints([left.matrix, right.matrix])
    below = all(
        hockey_stick(left, mpq(h.numerator, h.denominator), "backward")
        >= hockey_stick(right, mpq(h.numerator, h.denominator), "backward")
        for h in levels
    )
    assert refines(left, right) == below


@given(two_row_channels(), two_row_channels())
def test_refinement_does_not_depend_on_which_row_is_first(left: Channel, right: Channel) -> None:
    assert refines(left, right) == refines(left.swapped(), right.swapped())


def test_evidence_of_both_kinds_occurs() -> None:
    kinds = {type(refine(left, right)) for left in NASTY_CHANNELS for right in NASTY_CHANNELS}
    assert kinds == {Witness, Separation}
