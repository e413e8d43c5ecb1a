"""Exponential sums as matrix products against the sums themselves."""

from __future__ import annotations

import pytest
from flint import acb, arb

from oracle.accountant.exponential_sums import exponential_sums, polynomial_values, power_table
from oracle.enclosures import precision

BASES = [acb(3, 4) / 8, acb(7, -1) / 8, acb(-1, 0)]
WEIGHTS = [acb(1, 2), acb(1) / 2, acb(-3)]


@pytest.mark.parametrize("count", [0, 1, 2, 3, 7, 8, 9, 30])
def test_the_sums_are_those_of_the_definition(count):
    """Σ w x^n for n = 0, ..., N, whatever the shape of the matrices."""
    with precision(80):
        found = exponential_sums(WEIGHTS, BASES, count)
        assert len(found) == count + 1
        for n, value in enumerate(found):
            truth = sum((w * x**n for w, x in zip(WEIGHTS, BASES, strict=True)), acb(0))
            assert value.overlaps(truth)
            assert value.rad() < arb(2) ** -60


def test_many_terms_are_added_in_blocks():
    """Four thousand terms at 3,000 points against a geometric series, Σ_j y^j x_j^n with x_j = z^j."""
    with precision(80):
        y, z, terms, count = arb(1) / 2, acb(0, arb(1) / 10).exp(), 4000, 3000
        weights, bases = [acb(y) ** j for j in range(terms)], [z**j for j in range(terms)]
        found = exponential_sums(weights, bases, count)
        for n in (0, 1, 777, count):
            ratio = y * z**n
            assert abs(found[n] - (1 - ratio**terms) / (1 - ratio)) < arb(2) ** -50


def test_no_terms_add_up_to_zero():
    """An empty sum."""
    assert exponential_sums([], [], 2) == [0, 0, 0]


def test_powers_start_with_one():
    """Rows 0, 1, 2 of a table of powers."""
    rows = power_table(BASES, 3)
    assert [row[2] for row in rows] == [1, -1, 1]
    assert len(power_table(BASES, 1)) == 1


@pytest.mark.parametrize("count", [1, 2, 5, 16, 17])
def test_polynomials_are_evaluated_at_every_point(count):
    """Against Horner's rule."""
    with precision(80):
        coefficients = [acb(n + 1, -n) for n in range(count)]
        for point, value in zip(BASES, polynomial_values(coefficients, BASES), strict=True):
            truth = acb(0)
            for c in reversed(coefficients):
                truth = truth * point + c
            assert value.overlaps(truth)
            assert value.rad() < arb(2) ** -60
