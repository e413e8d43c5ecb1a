"""Quantities by definition: kernels, bounds over subsets, moments."""

from __future__ import annotations

from gmpy2 import mpq
from hypothesis import given

from oracle.channels.refinement import refines
from oracle.exact import INFINITY
from oracle.laws.fernandes2025._facts import product
from oracle.laws.strategies import channel_pairs
from oracle.laws.vadhan2023._facts import (
    at_most_extended,
    kernel,
    largest_ratio,
    moment_of,
    optimal_by_subsets,
    parallel_rows,
    pure_response,
    response,
    response_curve,
)


@given(channel_pairs(3))
def test_a_kernel_multiplies_out_or_there_is_no_refinement(pair) -> None:
    """Linear programming and the engine's curves agree, and a kernel is one."""
    left, right = pair
    found = kernel(left.rows, right.rows)
    assert (found is not None) == refines(left, right)
    if found is not None:
        assert product(left.rows, found) == right.rows
        assert all(sum(row) == 1 and min(row) >= 0 for row in found)


def test_responses() -> None:
    """With delta = 0 the two middle outcomes are the pure response; the rows are mirror images and sum to 1."""
    assert pure_response(mpq(3)) == ((mpq(3, 4), mpq(1, 4)), (mpq(1, 4), mpq(3, 4)))
    first, second = response(mpq(3), mpq(1, 5))
    assert (first, sum(first)) == (second[::-1], 1)
    assert response(mpq(3), mpq(0))[0][1:3] == pure_response(mpq(3))[0]
    assert response_curve(mpq(3), mpq(1, 10), mpq(9, 40)) == mpq(9, 40)


def test_the_bound_of_one_part_is_its_own_delta() -> None:
    """At its own level one part needs its delta, at a smaller level more, at a larger one no less than its delta."""
    part = [(mpq(2), mpq(1, 10))]
    assert [optimal_by_subsets(part, mpq(a)) for a in (2, 5)] == [mpq(1, 10)] * 2
    assert optimal_by_subsets(part, mpq(1)) == mpq(1, 10) + mpq(9, 10) * mpq(1, 3)


def test_products_and_measures() -> None:
    """Rows of a product multiply; moments and ratios are infinite where q = 0 < p."""
    pair = ((mpq(1, 2), mpq(1, 2)), (mpq(1, 4), mpq(3, 4)))
    assert parallel_rows([pair, pair])[1] == (mpq(1, 16), mpq(3, 16), mpq(3, 16), mpq(9, 16))
    assert (moment_of(pair, 2), largest_ratio(pair)) == (mpq(4, 3), 2)
    apart = ((mpq(1), mpq(0)), (mpq(0), mpq(1)))
    assert (moment_of(apart, 2), largest_ratio(apart)) == (INFINITY, INFINITY)


def test_infinite_excess() -> None:
    """Everything is at most infinity, which is at most nothing finite."""
    assert at_most_extended(INFINITY, INFINITY) == at_most_extended(mpq(5), INFINITY) == 0
    assert at_most_extended(INFINITY, mpq(5)) == 1
    assert at_most_extended(mpq(5), mpq(3)) == 2
